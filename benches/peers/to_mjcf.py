"""models/NAME.txt (export_models.py) -> models/NAME.{full,free}.xml; same inertias, axes, placements as the Pinocchio bench."""
import os, numpy as np
P = str(__import__("pathlib").Path(__file__).resolve().parent / "models") + "/"
def quat(R):
    import pinocchio as pin
    q = pin.Quaternion(R); q.normalize(); return [q.w, q.x, q.y, q.z]
def s(a): return " ".join(repr(float(x)) for x in a)
def conv(name, full):
    L = open(P + name + ".txt").read().split("\n"); n = int(L[0]); kids = {}; J = {}
    for j in range(1, n + 1):
        w = L[j].split(); par = int(w[1]); nm = w[2]; v = np.array([float(x) for x in w[4:]])
        ax, p, R, m, c, I, lim = v[0:3], v[3:6], v[6:15].reshape(3, 3), v[15], v[16:19], v[19:28].reshape(3, 3), v[28:30]
        J[j] = (nm, w[0], ax, p, R, m, c, I, lim); kids.setdefault(par, []).append(j)
    def body(j, ind):
        nm, k, ax, p, R, m, c, I, lim = J[j]; t = " " * ind
        lo, hi = max(lim[0], -np.pi), min(lim[1], np.pi)
        lim_ = f'limited="true" range="{lo!r} {hi!r}" frictionloss="0.5" armature="0.05" damping="0.1"' if full else ''
        lim_ = lim_.replace("np.float64(", "").replace(")", "")
        o = f'{t}<body name="{nm}" pos="{s(p)}" quat="{s(quat(R))}">\n'
        o += f'{t} <inertial pos="{s(c)}" mass="{m!r}" fullinertia="{s([I[0,0],I[1,1],I[2,2],I[0,1],I[0,2],I[1,2]])}"/>\n'.replace("np.float64(", "").replace(")", "")
        o += f'{t} <joint name="j_{nm}" type="{"hinge" if k=="R" else "slide"}" axis="{s(ax)}" {lim_}/>\n'
        for q in kids.get(j, []): o += body(q, ind + 1)
        return o + f"{t}</body>\n"
    x = f'<mujoco model="{name}">\n<compiler angle="radian" balanceinertia="true" autolimits="false"/>\n<option timestep="0.001"/>\n<worldbody>\n'
    for j in kids[0]: x += body(j, 1)
    x += "</worldbody>\n<actuator>\n" + "".join(f'<motor joint="j_{J[j][0]}"/>\n' for j in J) + "</actuator>\n</mujoco>\n"
    open(P + name + (".full.xml" if full else ".free.xml"), "w").write(x)
for n in ["panda7", "ur5", "chain30", "chain100"]:
    conv(n, True); conv(n, False)
