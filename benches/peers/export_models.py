"""Export pinocchio models to a plain text format (so that the C++ bench can be header-only and compiled
with any -march without ABI (Eigen alignment) trouble with the wheel's shared libraries).

Needs `pip install example-robot-data==6.0.0`; run it with env.sh sourced. to_mjcf.py and to_urdf.py come next."""
import os, numpy as np, pinocchio as pin
C = os.environ["CMEEL"] + "/share/example-robot-data/robots/"
OUT = str(__import__("pathlib").Path(__file__).resolve().parent / "models") + "/"
os.makedirs(OUT, exist_ok=True)

def dump(model, name):
    with open(OUT + name + ".txt", "w") as f:
        f.write(f"{model.njoints-1}\n")
        for j in range(1, model.njoints):
            J = model.joints[j]; sn = J.shortname()
            pl = model.jointPlacements[j]; I = model.inertias[j]
            if "Unaligned" in sn or "Axis" in sn:
                ax = None
                for k in range(1):
                    jd = J.createData(); J.calc(jd, np.array([0.0]), np.array([0.0]))
                    ax = np.array(jd.S).reshape(6)[3:] if "Revolute" in sn else np.array(jd.S).reshape(6)[:3]
            else:
                ax = {"X": [1,0,0], "Y": [0,1,0], "Z": [0,0,1]}[sn[-1]]
            kind = "P" if sn.startswith("JointModelP") else "R"
            assert J.nq == 1 and J.nv == 1, sn
            iv = J.idx_v
            q = pin.Quaternion(pl.rotation)
            vals = [*ax, *pl.translation, *pl.rotation.flatten(), I.mass, *I.lever, *I.inertia.flatten(),
                    model.lowerPositionLimit[iv], model.upperPositionLimit[iv]]
            f.write(f"{kind} {model.parents[j]} {model.names[j]} {sn} " + " ".join(repr(float(x)) for x in vals) + "\n")
        f.write(f"{model.nframes-1}\n")
        for i in range(1, model.nframes):
            fr = model.frames[i]
            p = fr.placement
            f.write(f"{fr.parentJoint} {fr.name} " + " ".join(repr(float(x)) for x in [*p.translation, *p.rotation.flatten()]) + "\n")
    print(name, "nv", model.nv, "nframes", model.nframes, sorted(set(model.joints[j].shortname() for j in range(1, model.njoints))))

m = pin.buildModelFromUrdf(C + "panda_description/urdf/panda.urdf")
lock = [m.getJointId(n) for n in m.names if "finger" in n]
panda = pin.buildReducedModel(m, lock, pin.neutral(m)); dump(panda, "panda7")
dump(pin.buildModelFromUrdf(C + "ur_description/urdf/ur5_robot.urdf"), "ur5")

def chain(n):
    m = pin.Model(); pj = 0
    for i in range(n):
        pl = pin.SE3.Identity() if i == 0 else pin.SE3(np.eye(3), np.array([0, 0, 0.2]))
        jm = pin.JointModelRZ() if i % 2 == 0 else pin.JointModelRY()
        pj = m.addJoint(pj, jm, pl, f"j{i}")
        m.appendBodyToJoint(pj, pin.Inertia(1.0, np.array([0.01, 0.02, 0.1]), np.diag([4e-3, 4e-3, 1e-3])), pin.SE3.Identity())
        m.addJointFrame(pj) if False else m.addFrame(pin.Frame(f"l{i}", pj, pin.SE3.Identity(), pin.FrameType.BODY))
    m.lowerPositionLimit[:] = -np.pi; m.upperPositionLimit[:] = np.pi
    return m
dump(chain(30), "chain30"); dump(chain(100), "chain100")
