"""Dynamics of a robot file by Pinocchio, in articula's conventions.

Shared by `generate.py` (reference answers stored in the repository) and `compare.py` (side by side on any robot files).
`Reference(path, free_base).evaluate(state)` takes one state of `articula eval` and returns the answer `articula eval`
should give. `independent_checks.py` derives the same numbers another way.

What differs between the two libraries, and what is done about it:

- **Order.** Pinocchio sorts the children of a link by name. articula goes depth first from the root with the children in
  the order their <joint> stands in the file. Joints are matched by name: `P` below.
- **Continuous joints.** Pinocchio's configuration is (cos q, sin q); the velocity is one number in both.
- **Free base.** Pinocchio's first six velocities are those of the base's origin in the BASE's axes; articula's are in
  WORLD axes. With R the base's orientation and ν = (v, ω, q̇) articula's velocity, Pinocchio's is

      ν_p = T ν,    T = blockdiag(Rᵀ, Rᵀ, P).

  articula's linear acceleration is the second derivative of the origin's position, so differentiating Rᵀv

      a_p = T a + c,    c = (−Rᵀ(ω × v), 0, 0),

  and, power being the same number in both, efforts transform by Tᵀ:

      M = Tᵀ M_p T,    h = Tᵀ (h_p + M_p c),    ID = Tᵀ ID_p(q, T ν, T a + c),    J = J_p T.

- **Derivatives by the base's configuration.** Pinocchio's are by a right (local) increment, articula's by a world
  translation and then a left world rotation, R ← exp(d) R. To first order the local increment is T d; the derivatives of
  T, Tᵀ and c by d are added: see `_derivatives`.
- **Wrenches** act on the robot, in world axes, at a frame's origin, and do not turn with the frame: their part of the
  derivatives is −∂(JᵀW)/∂q with W constant.
- **Sums over links.** Pinocchio leaves the root link out of a fixed robot's mass; articula counts every link of the
  file. Mass, centre of mass, momentum and potential are summed here from the file's <inertial> elements.
- **Armature** is on the diagonal of M and so in the kinetic energy ½ νᵀ M ν; the momentum is that of the links alone.
- **Mimic joints** are independent joints (as articula treats an acknowledged one).
"""

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

try:
    import pinocchio as pin
except ImportError as error:  # pragma: no cover - environment
    raise SystemExit("This needs Pinocchio: pip install pin==4.1.0 numpy") from error

STANDARD_GRAVITY = (0.0, 0.0, -9.80665)
MOVING = ("revolute", "continuous", "prismatic")


class Unsupported(Exception):
    """A file, or a joint in it, that this comparison cannot treat; the message says which and why."""


# ---------------------------------------------------------------------------------------------------------------------
# The robot file, read without Pinocchio
# ---------------------------------------------------------------------------------------------------------------------


def rotation_from_rpy(rpy):
    """URDF's fixed-axis roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, cp, cy = (math.cos(x) for x in rpy)
    sr, sp, sy = (math.sin(x) for x in rpy)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def numbers(element, attribute, default):
    """The numbers of an attribute, as many as the default has."""
    if element is None or element.get(attribute) is None:
        return np.array(default, dtype=float)
    text = element.get(attribute)
    try:
        values = [float(word) for word in text.split()]
    except ValueError as error:
        raise Unsupported(f"<{element.tag} {attribute}={text!r}>: not a list of numbers") from error
    if len(values) != len(default) or not all(map(math.isfinite, values)):
        raise Unsupported(f"<{element.tag} {attribute}={text!r}>: {len(default)} finite numbers expected")
    return np.array(values)


@dataclass
class Link:
    """A link of the file: mass, centre of mass in the link's frame, inertia about it in the link's axes."""

    name: str
    mass: float = 0.0
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))


@dataclass
class Joint:
    """A joint of the file; `axis` is of unit length, in the joint's own frame."""

    name: str
    kind: str
    parent: str
    child: str
    rotation: np.ndarray
    translation: np.ndarray
    axis: np.ndarray
    lower: float
    upper: float


class Description:
    """A robot file: links and joints, the root, and the moving joints in model order."""

    def __init__(self, path):
        self.path = Path(path)
        self.text = self.path.read_text(encoding="utf-8", errors="replace")
        try:
            root = ElementTree.fromstring(self.text)
        except ElementTree.ParseError as error:
            raise Unsupported(f"not XML: {error}") from error
        if root.tag.startswith("{"):  # a default namespace on <robot>: its elements are URDF's all the same
            own = root.tag[: root.tag.index("}") + 1]
            for element in root.iter():
                if isinstance(element.tag, str) and element.tag.startswith(own):
                    element.tag = element.tag[len(own) :]
        if root.tag != "robot":
            raise Unsupported(f"<robot> expected, <{root.tag}> found")
        self.links = {}
        for element in root.findall("link"):
            link = self._link(element)
            if link.name in self.links:
                raise Unsupported(f"two links named {link.name!r}")
            self.links[link.name] = link
        all_joints = [self._joint(element) for element in root.findall("joint")]
        if len({joint.name for joint in all_joints}) != len(all_joints):
            raise Unsupported("two joints of the same name")
        children = {}
        for joint in all_joints:
            for end in (joint.parent, joint.child):
                if end not in self.links:
                    raise Unsupported(f"joint {joint.name!r}: no link {end!r}")
            children.setdefault(joint.parent, []).append(joint)
        roots = [name for name in self.links if name not in {joint.child for joint in all_joints}]
        if len(roots) != 1:
            raise Unsupported(f"one root link expected, {len(roots)} found: {', '.join(roots) or 'a loop'}")
        self.root = roots[0]
        self.tree = []  # every joint, fixed ones too, depth first, children in the order of the file
        stack = list(reversed(children.get(self.root, [])))
        while stack:
            joint = stack.pop()
            self.tree.append(joint)
            if len(self.tree) > len(all_joints):
                raise Unsupported("the joints form a loop")
            stack.extend(reversed(children.get(joint.child, [])))
        if len(self.tree) != len(all_joints):
            raise Unsupported("the joints form a loop, or are not connected to the root")
        self.joints = [joint for joint in self.tree if joint.kind != "fixed"]
        for joint in self.joints:
            if joint.kind not in MOVING:
                raise Unsupported(f"joint {joint.name!r} is {joint.kind}: only revolute, continuous, prismatic, fixed")
        index = {joint.name: i for i, joint in enumerate(self.joints)}
        self.support = {self.root: []}  # link -> indices of the joints that move it, from the root outwards
        for joint in self.tree:
            own = [index[joint.name]] if joint.kind != "fixed" else []
            self.support[joint.child] = self.support[joint.parent] + own

    @staticmethod
    def _link(element):
        link = Link(element.get("name"))
        inertial = element.find("inertial")
        if inertial is not None:
            origin = inertial.find("origin")
            rotation = rotation_from_rpy(numbers(origin, "rpy", (0, 0, 0)))
            link.mass = float(numbers(inertial.find("mass"), "value", (0,))[0])
            link.center = numbers(origin, "xyz", (0, 0, 0))
            entries = inertial.find("inertia")
            xx, yy, zz, xy, xz, yz = (
                numbers(entries, name, (0,))[0] for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
            )
            link.inertia = rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ rotation.T
        return link

    @staticmethod
    def _joint(element):
        name, kind = element.get("name"), element.get("type")
        ends = [element.find(tag) for tag in ("parent", "child")]
        if any(end is None or end.get("link") is None for end in ends):
            raise Unsupported(f"joint {name!r} lacks a parent or a child")
        origin, limit = element.find("origin"), element.find("limit")
        axis = numbers(element.find("axis"), "xyz", (1, 0, 0))
        length = np.linalg.norm(axis)
        if kind in MOVING and length == 0:
            raise Unsupported(f"joint {name!r} has a zero axis")
        limited = kind in ("revolute", "prismatic") and limit is not None
        return Joint(
            name,
            kind,
            ends[0].get("link"),
            ends[1].get("link"),
            rotation_from_rpy(numbers(origin, "rpy", (0, 0, 0))),
            numbers(origin, "xyz", (0, 0, 0)),
            axis / length if length > 0 else axis,
            float(numbers(limit, "lower", (0,))[0]) if limited else -math.inf,
            float(numbers(limit, "upper", (0,))[0]) if limited else math.inf,
        )


# ---------------------------------------------------------------------------------------------------------------------
# States
# ---------------------------------------------------------------------------------------------------------------------


def rotation_from_quaternion(wxyz):
    """Rotation matrix of a quaternion w x y z, normalised first."""
    w, x, y, z = np.array(wxyz, dtype=float) / np.linalg.norm(wxyz)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class NumericState:
    """A state of `articula eval` as arrays in model order."""

    def __init__(self, description, state):
        names = [joint.name for joint in description.joints]
        self.q, v, a, tau, armature = (
            self._joint_values(names, state.get(key, {}), key) for key in ("q", "v", "a", "tau", "armature")
        )
        self.free_base = "base" in state
        self.armature = armature
        if self.free_base:
            base = state["base"]
            get = lambda key, default: np.array(base.get(key, default), dtype=float)
            self.position = get("position", (0, 0, 0))
            self.rotation = rotation_from_quaternion(get("orientation", (1, 0, 0, 0)))
            zero = (0, 0, 0)
            v = np.concatenate([get("linear_velocity", zero), get("angular_velocity", zero), v])
            a = np.concatenate([get("linear_acceleration", zero), get("angular_acceleration", zero), a])
            tau = np.concatenate([np.array(state.get("base_tau", np.zeros(6)), dtype=float), tau])
            self.armature = np.concatenate([np.zeros(6), armature])
        else:
            self.position, self.rotation = np.zeros(3), np.eye(3)
        self.v, self.a, self.tau = v, a, tau
        self.gravity = np.array(state.get("gravity", STANDARD_GRAVITY), dtype=float)
        self.wrenches = []
        for wrench in state.get("wrenches", []):
            if wrench["frame"] not in description.links:
                raise ValueError(f"wrench on {wrench['frame']!r}: no such link")
            force = np.concatenate([wrench.get("force", np.zeros(3)), wrench.get("torque", np.zeros(3))])
            self.wrenches.append((wrench["frame"], np.array(force, dtype=float)))

    @staticmethod
    def _joint_values(names, values, key):
        if not isinstance(values, dict):
            if len(values) != len(names):
                raise ValueError(f"{key}: {len(names)} values expected, {len(values)} found")
            return np.array(values, dtype=float)
        unknown = set(values) - set(names)
        if unknown:
            raise ValueError(f"{key}: no joint {sorted(unknown)}")
        return np.array([values.get(name, 0.0) for name in names], dtype=float)


def random_state(description, rng, free_base, wrenches=2, armature=True, tilted_gravity=False, as_arrays=False):
    """A random state of `articula eval`: positions within the limits, everything else of order one.

    The numbers are rounded to four decimals, so that they are short in a file; the quaternion is of unit length.
    """
    short = lambda values: [round(float(x), 4) for x in values]
    joints = description.joints
    n = len(joints)

    def positions():
        for joint in joints:
            lower, upper = max(joint.lower, -math.pi), min(joint.upper, math.pi)
            if joint.kind == "prismatic":
                lower, upper = max(lower, -1.0), min(upper, 1.0)
            yield lower if upper <= lower else rng.uniform(lower, upper)

    pack = (lambda values: short(values)) if as_arrays else (
        lambda values: {joint.name: x for joint, x in zip(joints, short(values))}
    )
    state = {
        "q": pack(list(positions())),
        "v": pack(rng.uniform(-2, 2, n)),
        "a": pack(rng.uniform(-3, 3, n)),
        "tau": pack(rng.uniform(-5, 5, n)),
        "gravity": short(rng.uniform(-10, 10, 3)) if tilted_gravity else list(STANDARD_GRAVITY),
    }
    if free_base:
        quaternion = rng.normal(size=4)
        quaternion *= (1 if quaternion[0] >= 0 else -1) / np.linalg.norm(quaternion)
        state["base"] = {
            "position": short(rng.uniform(-1, 1, 3)),
            "orientation": [float(x) for x in quaternion],
            "linear_velocity": short(rng.uniform(-1, 1, 3)),
            "angular_velocity": short(rng.uniform(-2, 2, 3)),
            "linear_acceleration": short(rng.uniform(-3, 3, 3)),
            "angular_acceleration": short(rng.uniform(-3, 3, 3)),
        }
        state["base_tau"] = short(rng.uniform(-5, 5, 6))
    if wrenches:
        names = list(description.links)
        chosen = rng.choice(len(names), size=min(wrenches, len(names)), replace=False)
        state["wrenches"] = [
            {"frame": names[i], "force": short(rng.uniform(-10, 10, 3)), "torque": short(rng.uniform(-3, 3, 3))}
            for i in sorted(int(i) for i in chosen)
        ]
    if armature:
        state["armature"] = {joint.name: round(float(rng.uniform(0.01, 0.2)), 4) for joint in joints[::2]}
    return state


# ---------------------------------------------------------------------------------------------------------------------
# Pinocchio, converted
# ---------------------------------------------------------------------------------------------------------------------


def cross_matrix(x):
    """[x]×, the matrix with [x]× y = x × y."""
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]], dtype=float)


def jacobian_derivatives(jacobian, support, base):
    """∂J/∂(configuration) of a 6 × n Jacobian at a point, world axes, from J alone: array [6, n, n], last index the
    coordinate differentiated by.

    Column j is (l_j, w_j). Turning a joint k that carries joint j turns the whole of column j: by w_k ×. A joint k
    beyond j moves only the point: l_j = w_j × (p − p_j) changes by w_j × l_k. A base's columns are world axes, which
    do not turn; its rotation moves the point about the base's origin. `support` lists the joints on the way in order;
    `base` is 6 with a free base, else 0.
    """
    n = jacobian.shape[1]
    out = np.zeros((6, n, n))
    linear, angular = jacobian[:3], jacobian[3:]
    path = list(range(base)) + [base + i for i in support]
    for place, j in enumerate(path):
        for other, k in enumerate(path):
            if j < base:
                moved = np.zeros(3) if k < 3 else linear[:, k]
                out[:3, j, k] = np.cross(angular[:, j], moved)
            elif other <= place:
                out[:3, j, k] = np.cross(angular[:, k], linear[:, j])
                out[3:, j, k] = np.cross(angular[:, k], angular[:, j])
            else:
                out[:3, j, k] = np.cross(angular[:, j], linear[:, k])
    return out


def is_singular(mass):
    """Whether a mass matrix cannot be solved with: a moving body without inertia."""
    return mass.size > 0 and not np.linalg.cond(mass) < 1e12


class Reference:
    """A robot file in Pinocchio, asked and answering in articula's conventions."""

    def __init__(self, path, free_base=False):
        self.description = path if isinstance(path, Description) else Description(path)
        self.free_base = free_base
        self.base = 6 if free_base else 0
        text = self.description.text
        try:
            if free_base:
                self.model = pin.buildModelFromXML(text, pin.JointModelFreeFlyer(), False)
            else:
                self.model = pin.buildModelFromXML(text, False)
        except Exception as error:  # Pinocchio raises several kinds
            raise Unsupported(f"Pinocchio refuses: {str(error).strip().splitlines()[0]}") from error
        joints = self.description.joints
        if self.model.nv != self.base + len(joints):
            raise Unsupported(f"Pinocchio has {self.model.nv} velocities, {self.base + len(joints)} expected")
        self.n = self.model.nv
        self.data = self.model.createData()
        self.ids = [self.model.getJointId(joint.name) for joint in joints]
        # place[i]: Pinocchio's velocity index of model-order coordinate base + i
        self.place = [self.model.joints[i].idx_v for i in self.ids]
        self.frame_ids = {name: self.model.getFrameId(name, pin.FrameType.BODY) for name in self.description.links}
        missing = [name for name, i in self.frame_ids.items() if i >= self.model.nframes]
        if missing:
            raise Unsupported(f"Pinocchio has no frame for link {missing[0]!r}")

    # -- conversions --------------------------------------------------------------------------------------------------

    def _configuration(self, s):
        q = np.zeros(self.model.nq)
        if self.free_base:
            q[:3] = s.position
            q[3:7] = pin.Quaternion(s.rotation).coeffs()  # x y z w
            q[3:7] /= np.linalg.norm(q[3:7])
        for value, i in zip(s.q, self.ids):
            joint = self.model.joints[i]
            if joint.nq == 2:
                q[joint.idx_q : joint.idx_q + 2] = math.cos(value), math.sin(value)
            else:
                q[joint.idx_q] = value
        return q

    def _transform(self, s):
        """T of the module's text: Pinocchio's velocity from articula's."""
        transform = np.zeros((self.n, self.n))
        if self.free_base:
            transform[:3, :3] = transform[3:6, 3:6] = s.rotation.T
        for i, place in enumerate(self.place):
            transform[place, self.base + i] = 1.0
        return transform

    def _shift(self, s, v):
        """c of the module's text: a_p = T a + c."""
        shift = np.zeros(self.n)
        if self.free_base:
            shift[:3] = -s.rotation.T @ np.cross(v[3:6], v[:3])
        return shift

    def _prepare(self, s):
        if s.free_base != self.free_base:
            raise ValueError("the state's base does not match the model's: a state with `base` frees the root")
        self.model.gravity = pin.Motion(s.gravity, np.zeros(3))
        armature = np.zeros(self.n)
        armature[self.place] = s.armature[self.base :]
        self.model.armature = armature

    # -- quantities ---------------------------------------------------------------------------------------------------

    def inverse_dynamics(self, s, a=None):
        """Efforts for acceleration `a` (the state's by default), by Pinocchio's recursive Newton–Euler."""
        self._prepare(s)
        q, transform = self._configuration(s), self._transform(s)
        a = s.a if a is None else a
        forces = self._external_forces(s, q)
        a_p = transform @ a + self._shift(s, s.v)
        return transform.T @ pin.rnea(self.model, self.data, q, transform @ s.v, a_p, forces)

    def forward_dynamics(self, s):
        """Acceleration under the state's efforts, by Pinocchio's articulated-body algorithm."""
        self._prepare(s)
        q, transform = self._configuration(s), self._transform(s)
        forces = self._external_forces(s, q)
        # efforts: τ = Tᵀ τ_p; T is orthogonal, so τ_p = T τ
        a_p = pin.aba(self.model, self.data, q, transform @ s.v, transform @ s.tau, forces)
        return transform.T @ (a_p - self._shift(s, s.v))

    def _external_forces(self, s, q):
        """The wrenches as Pinocchio wants them: per joint, in the joint's frame."""
        pin.forwardKinematics(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        forces = pin.StdVec_Force()
        for _ in range(self.model.njoints):
            forces.append(pin.Force.Zero())
        for frame, wrench in s.wrenches:
            i = self.frame_ids[frame]
            joint = self.model.frames[i].parentJoint
            at_frame = pin.SE3(np.eye(3), self.data.oMf[i].translation).act(pin.Force(wrench))  # about the world origin
            forces[joint] += self.data.oMi[joint].actInv(at_frame)
        return forces

    def _jacobians(self, q, transform):
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        return {
            name: self._matrix(pin.getFrameJacobian(self.model, self.data, i, aligned)) @ transform
            for name, i in self.frame_ids.items()
        }

    def _mass_matrix(self, q):
        upper = np.triu(self._matrix(pin.crba(self.model, self.data, q)))
        return upper + np.triu(upper, 1).T

    def _matrix(self, array):
        """A copy with n columns: Pinocchio reuses its buffers, and gives a vector where n is 1."""
        return np.array(array, dtype=float).reshape(-1, self.n)

    def mass_matrix(self, s):
        """M, armature on its diagonal."""
        self._prepare(s)
        transform = self._transform(s)
        return transform.T @ self._mass_matrix(self._configuration(s)) @ transform

    def _inverse_dynamics_derivatives(self, s, a, jacobians, transform, q):
        """∂ID/∂configuration and ∂ID/∂v at acceleration `a`, without the wrenches' part."""
        v = s.v
        v_p, a_p = transform @ v, transform @ a + self._shift(s, v)
        by_q, by_v, _ = pin.computeRNEADerivatives(self.model, self.data, q, v_p, a_p)
        by_q, by_v = self._matrix(by_q), self._matrix(by_v)
        id_q = transform.T @ by_q @ transform
        id_v = transform.T @ by_v @ transform
        if self.free_base:
            mass = self._mass_matrix(q)
            turn = s.rotation.T
            effort = transform.T @ pin.rnea(self.model, self.data, q, v_p, a_p)
            linear, angular = v[:3], v[3:6]
            pseudo = a[:3] - np.cross(angular, linear)  # R times Pinocchio's linear acceleration
            for k in range(3):
                e = np.eye(3)[k]
                d_velocity, d_acceleration, d_effort = np.zeros(self.n), np.zeros(self.n), np.zeros(self.n)
                d_velocity[:3], d_velocity[3:6] = -turn @ np.cross(e, linear), -turn @ np.cross(e, angular)
                d_acceleration[:3], d_acceleration[3:6] = -turn @ np.cross(e, pseudo), -turn @ np.cross(e, a[3:6])
                d_effort[:3], d_effort[3:6] = np.cross(e, effort[:3]), np.cross(e, effort[3:6])
                id_q[:, 3 + k] += d_effort + transform.T @ (by_v @ d_velocity + mass @ d_acceleration)
            d_shift = np.zeros((self.n, self.n))  # ∂c/∂v
            d_shift[:3, :3], d_shift[:3, 3:6] = -turn @ cross_matrix(angular), turn @ cross_matrix(linear)
            id_v += transform.T @ mass @ d_shift
        return id_q, id_v

    def _wrench_derivatives(self, s, jacobians):
        """∂(JᵀW)/∂configuration with the wrenches constant in world axes."""
        out = np.zeros((self.n, self.n))
        for frame, wrench in s.wrenches:
            d = jacobian_derivatives(jacobians[frame], self.description.support[frame], self.base)
            out += np.einsum("i,ijk->jk", wrench, d)
        return out

    def _derivatives(self, s, jacobians, mass, acceleration, q, transform):
        loads = self._wrench_derivatives(s, jacobians)
        id_q, id_v = self._inverse_dynamics_derivatives(s, s.a, jacobians, transform, q)
        if acceleration is None:
            return {"id_q": id_q - loads, "id_v": id_v}
        fd_tau = np.linalg.inv(mass)
        if self.free_base:
            at_q, at_v = self._inverse_dynamics_derivatives(s, acceleration, jacobians, transform, q)
            fd_q, fd_v = -fd_tau @ (at_q - loads), -fd_tau @ at_v
        else:
            carried = s.tau + sum((jacobians[frame].T @ wrench for frame, wrench in s.wrenches), np.zeros(self.n))
            by = pin.computeABADerivatives(self.model, self.data, q, transform @ s.v, transform @ carried)
            by_q, by_v, by_tau = (self._matrix(x) for x in by)
            by_tau = np.triu(by_tau) + np.triu(by_tau, 1).T
            fd_q, fd_v, fd_tau = (transform.T @ x @ transform for x in (by_q, by_v, by_tau))
            fd_q = fd_q + fd_tau @ loads
        return {"id_q": id_q - loads, "id_v": id_v, "fd_q": fd_q, "fd_v": fd_v, "fd_tau": fd_tau}

    def _link_sums(self, s, jacobians):
        """Total mass, centre of mass, potential and momentum over every link of the file."""
        mass, first, linear, about_origin = 0.0, np.zeros(3), np.zeros(3), np.zeros(3)
        for name, link in self.description.links.items():
            pose = self.data.oMf[self.frame_ids[name]]
            velocity = jacobians[name] @ s.v
            arm = pose.rotation @ link.center
            center = pose.translation + arm
            momentum = link.mass * (velocity[:3] + np.cross(velocity[3:], arm))
            mass += link.mass
            first += link.mass * center
            linear += momentum
            spin = pose.rotation @ link.inertia @ pose.rotation.T @ velocity[3:]
            about_origin += spin + np.cross(center, momentum)
        center = first / mass if mass > 0 else np.zeros(3)
        return mass, center, -float(s.gravity @ first), linear, about_origin - np.cross(center, linear)

    def evaluate(self, state, derivatives=True):
        """The answer of `articula eval` at one state, as numbers and numpy arrays.

        Where a moving body has no mass, M is singular: `forward_dynamics` is None and its derivatives are left out.
        """
        s = state if isinstance(state, NumericState) else NumericState(self.description, state)
        self._prepare(s)
        q, transform = self._configuration(s), self._transform(s)
        jacobians = self._jacobians(q, transform)
        frames = {}
        for name, i in self.frame_ids.items():
            pose, twist = self.data.oMf[i], jacobians[name] @ s.v
            quaternion = pin.Quaternion(pose.rotation)
            wxyz = np.array([quaternion.w, quaternion.x, quaternion.y, quaternion.z])
            wxyz *= (1 if wxyz[0] >= 0 else -1) / np.linalg.norm(wxyz)
            frames[name] = {
                "pose": np.concatenate([pose.translation, wxyz]),
                "linear_velocity": twist[:3],
                "angular_velocity": twist[3:],
            }
        total, center, potential, linear, angular = self._link_sums(s, jacobians)
        mass = transform.T @ self._mass_matrix(q) @ transform
        bias = self.inverse_dynamics(s, np.zeros(self.n))
        gravity = transform.T @ np.array(pin.computeGeneralizedGravity(self.model, self.data, q))
        effort = self.inverse_dynamics(s)
        acceleration = None if is_singular(mass) else self.forward_dynamics(s)
        answer = {
            "joints": [joint.name for joint in self.description.joints],
            "kinds": [joint.kind for joint in self.description.joints],
            "frames": frames,
            "jacobians": jacobians,
            "mass_matrix": mass,
            "bias": bias,
            "gravity": gravity,
            "inverse_dynamics": effort,
            "forward_dynamics": acceleration,
        }
        if derivatives:
            answer["derivatives"] = self._derivatives(s, jacobians, mass, acceleration, q, transform)
        answer["energy"] = {"kinetic": 0.5 * float(s.v @ mass @ s.v), "potential": potential}
        answer["total_mass"] = total
        answer["center_of_mass"] = center
        answer["momentum"] = {"linear": linear, "angular_about_com": angular}
        return answer


def to_plain(value):
    """Nested dictionaries and arrays as what `json` writes; whole numbers in their shortest form.

    An entry below 2e-16 of its array's largest is rounding, and written 0.
    """
    if isinstance(value, dict):
        return {key: to_plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.size:
        value = np.where(np.abs(value) < 2e-16 * np.abs(value).max(), 0.0, value).tolist()
    if isinstance(value, (list, tuple, np.ndarray)):
        return [to_plain(item) for item in value]
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) < 1e15 else number
    return value
