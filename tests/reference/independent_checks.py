"""A second derivation of the reference numbers, sharing nothing with Pinocchio but the state.

Poses by multiplying the file's placements; Jacobians column by column; M and the efforts by projecting Newton's and
Euler's laws of every link (Kane): with J_c the Jacobian at a link's centre of mass,

    M  = Σ J_cᵀ diag(m, I) J_c + armature,
    ID = Σ J_cᵀ (m (a_c − g), I α + ω × I ω) + armature a − Σ JᵀW,

where a_c and α are J_c a + J̇_c v. And finite differences: poses against velocities, ID and FD against their
derivatives, energy against power. `check` raises `CheckFailed` naming the first identity that does not hold.
"""

import copy

import numpy as np

from pinocchio_reference import jacobian_derivatives, rotation_from_quaternion


class CheckFailed(Exception):
    """An identity that does not hold: either a conversion or a library is wrong."""


def rotation_from_vector(d):
    """exp([d]×), Rodrigues' formula."""
    angle = np.linalg.norm(d)
    if angle < 1e-300:
        return np.eye(3)
    x, y, z = d / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def poses(description, s):
    """Rotation and position of every link, and the world axis and origin of every moving joint."""
    where = {description.root: (s.rotation, s.position)}
    axes = []
    moving = iter(s.q)
    for joint in description.tree:
        rotation, position = where[joint.parent]
        position = position + rotation @ joint.translation
        rotation = rotation @ joint.rotation
        if joint.kind != "fixed":
            value = next(moving)
            axes.append((joint.kind, rotation @ joint.axis, position))
            if joint.kind == "prismatic":
                position = position + rotation @ joint.axis * value
            else:
                rotation = rotation @ rotation_from_vector(joint.axis * value)
        where[joint.child] = (rotation, position)
    return where, axes


def jacobian(description, s, axes, link, point):
    """6 × n Jacobian of a point of a link: rows linear, angular; world axes."""
    base = 6 if s.free_base else 0
    out = np.zeros((6, base + len(axes)))
    if base:
        out[:, :6] = np.eye(6)
        for k in range(3):
            out[:3, 3 + k] = np.cross(np.eye(3)[k], point - s.position)
    for i in description.support[link]:
        kind, axis, origin = axes[i]
        if kind == "prismatic":
            out[:3, base + i] = axis
        else:
            out[:3, base + i], out[3:, base + i] = np.cross(axis, point - origin), axis
    return out


def dynamics(description, s):
    """M and ID by Kane's form of Newton's and Euler's laws."""
    base = 6 if s.free_base else 0
    where, axes = poses(description, s)
    mass, effort = np.diag(s.armature), s.armature * s.a
    for name, link in description.links.items():
        if link.mass == 0 and not link.inertia.any():
            continue
        rotation, position = where[name]
        j = jacobian(description, s, axes, name, position + rotation @ link.center)
        rate = jacobian_derivatives(j, description.support[name], base)
        motion = j @ s.v
        acceleration = j @ s.a + np.einsum("ijk,j,k->i", rate, s.v, s.v)
        inertia = rotation @ link.inertia @ rotation.T
        spatial = np.zeros((6, 6))
        spatial[:3, :3], spatial[3:, 3:] = link.mass * np.eye(3), inertia
        force = spatial @ acceleration
        force[:3] -= link.mass * s.gravity
        force[3:] += np.cross(motion[3:], inertia @ motion[3:])
        mass = mass + j.T @ spatial @ j
        effort = effort + j.T @ force
    for frame, wrench in s.wrenches:
        effort = effort - jacobian(description, s, axes, frame, where[frame][1]).T @ wrench
    return mass, effort


def moved(s, step):
    """The state with its configuration moved by a small step: base by world translation and left world rotation."""
    out = copy.copy(s)
    joints = step
    if s.free_base:
        out.position = s.position + step[:3]
        out.rotation = rotation_from_vector(step[3:6]) @ s.rotation
        joints = step[6:]
    out.q = s.q + joints
    return out


def along(s, t):
    """The state at time t of a motion that has the state's velocity and acceleration at t = 0."""
    out = moved(s, s.v * t + 0.5 * s.a * t * t)
    out.v = s.v + s.a * t
    return out


# A quantity may vanish, or nearly, by cancellation of larger ones (gravity on upright axes; ∂FD/∂v where nothing turns
# fast). Its error is then relative to this fraction of the quantities it is made of.
CANCELLED = 1e-3


def floors(answer):
    """The scale below which a quantity of an answer counts as cancelled, by name."""
    efforts = CANCELLED * max((float(np.abs(answer[key]).max()) for key in ("bias", "inverse_dynamics")), default=0.0)
    out = dict.fromkeys(("bias", "gravity", "inverse_dynamics", "id_q", "id_v"), efforts)
    if answer["forward_dynamics"] is not None:
        accelerations = CANCELLED * float(np.abs(answer["forward_dynamics"]).max())
        out.update(dict.fromkeys(("forward_dynamics", "fd_q", "fd_v"), accelerations))
    return out


def relative(found, expected, floor=0.0):
    """Largest difference relative to the largest entry, or to `floor` (absolute where all entries vanish)."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if expected.size == 0:
        return 0.0
    scale = max(np.abs(expected).max(), floor)
    error = np.abs(found - expected).max() / (scale if scale > 1e-9 else 1.0)
    return float(error) if np.isfinite(error) else np.inf


def check(reference, s, answer, exact=1e-10, differences=2e-6):
    """Check an answer of `Reference.evaluate` at numeric state `s`; returns the largest error of each identity.

    `exact`: tolerance of identities without truncation; `differences`: that of finite differences.
    """
    description, base = reference.description, reference.base
    errors, floor = {}, floors(answer)

    def claim(name, found, expected, tolerance, quantity=None):
        error = relative(found, expected, floor.get(quantity, 0.0))
        errors[name] = max(error, errors.get(name, 0.0))
        if not error <= tolerance:
            raise CheckFailed(f"{description.path.name}: {name} off by {error:.2e} (relative), {tolerance:.0e} allowed")

    # Poses and Jacobians from the file alone.
    where, axes = poses(description, s)
    for name, frame in answer["frames"].items():
        rotation, position = where[name]
        claim("frame position", frame["pose"][:3], position, exact)
        claim("frame orientation", rotation_from_quaternion(frame["pose"][3:]), rotation, exact)
        claim("frame Jacobian", answer["jacobians"][name], jacobian(description, s, axes, name, position), exact)
        twist = answer["jacobians"][name] @ s.v
        claim("frame velocity = J v", np.concatenate([frame["linear_velocity"], frame["angular_velocity"]]), twist, exact)

    # Velocities as differences of poses.
    h = 1e-5
    before, after = (poses(description, moved(s, sign * h * s.v))[0] for sign in (-1, 1))
    for name, frame in answer["frames"].items():
        claim("d position/dt", (after[name][1] - before[name][1]) / (2 * h), frame["linear_velocity"], differences)
        turned = (after[name][0] - before[name][0]) / (2 * h) @ where[name][0].T
        spin = 0.5 * np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]])
        claim("d orientation/dt", spin, frame["angular_velocity"], differences)

    # Newton and Euler, link by link.
    mass, bias, effort = answer["mass_matrix"], answer["bias"], answer["inverse_dynamics"]
    own_mass, own_effort = dynamics(description, s)
    claim("mass matrix", mass, own_mass, exact)
    claim("inverse dynamics", effort, own_effort, exact, "inverse_dynamics")
    still = copy.copy(s)
    still.v, still.a, still.wrenches = np.zeros_like(s.v), np.zeros_like(s.a), []
    claim("gravity", answer["gravity"], dynamics(description, still)[1], exact, "gravity")
    claim("M a + bias = ID", mass @ s.a + bias, effort, exact, "inverse_dynamics")
    condition = np.linalg.cond(mass) if mass.size else 1.0
    solvable = answer["forward_dynamics"] is not None
    if solvable:
        solved = np.linalg.solve(mass, s.tau - bias)
        claim("FD = M⁻¹(τ − bias)", answer["forward_dynamics"], solved, max(exact, 1e-13 * condition))
        back = reference.inverse_dynamics(s, answer["forward_dynamics"])
        claim("ID(FD(τ)) = τ", back, s.tau, max(exact, 1e-13 * condition))

    # Power: d(kinetic + potential)/dt = τ·v + Σ W·twist, along a motion with the state's acceleration.
    def energy(t):
        there = along(s, t)
        first = sum(
            (link.mass * (p[1] + p[0] @ link.center) for link, p in zip(
                description.links.values(), (poses(description, there)[0][name] for name in description.links))),
            np.zeros(3),
        )
        return 0.5 * there.v @ reference.mass_matrix(there) @ there.v - s.gravity @ first

    power = effort @ s.v + sum(w @ answer["jacobians"][f] @ s.v for f, w in s.wrenches)
    h = 1e-4
    rate = (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h)
    scale = max(abs(power), float(np.abs(effort) @ np.abs(s.v)), 1e-9)
    claim("power balance", [rate / scale + 1.0], [power / scale + 1.0], differences)
    claim("energy", answer["energy"]["kinetic"] + answer["energy"]["potential"], energy(0.0), exact)

    # Momentum: links alone, the root too. Free base: the first rows of M are the total momentum (no armature there).
    linear = answer["momentum"]["linear"]
    center = answer["center_of_mass"]
    if base:
        claim("linear momentum", linear, (mass @ s.v)[:3], exact)
        about_base = answer["momentum"]["angular_about_com"] + np.cross(center - s.position, linear)
        claim("angular momentum", about_base, (mass @ s.v)[3:6], exact)
        claim("total mass", answer["total_mass"], mass[0, 0], exact)
    h = 1e-5
    centers = []
    for sign in (-1, 1):
        there = poses(description, moved(s, sign * h * s.v))[0]
        links = description.links.values()
        centers.append(sum(l.mass * (there[l.name][1] + there[l.name][0] @ l.center) for l in links))
    claim("momentum = m dc/dt", linear, (centers[1] - centers[0]) / (2 * h), differences)

    # Derivatives.
    if "derivatives" in answer:
        derivatives, n = answer["derivatives"], reference.n

        def difference(function, shift, h):
            columns = []
            for e in np.eye(n):
                f = [function(shift(k * h * e)) for k in (-2, -1, 1, 2)]
                columns.append((8 * (f[2] - f[1]) - (f[3] - f[0])) / (12 * h))
            return np.array(columns).T

        def faster(step):
            out = copy.copy(s)
            out.v = s.v + step
            return out

        at = lambda step: moved(s, step)
        claim("∂ID/∂q", derivatives["id_q"], difference(reference.inverse_dynamics, at, 1e-3), differences, "id_q")
        claim("∂ID/∂v", derivatives["id_v"], difference(reference.inverse_dynamics, faster, 1e-3), differences, "id_v")
        if not solvable:
            return errors
        claim("∂FD/∂τ = M⁻¹", derivatives["fd_tau"] @ mass, np.eye(n), max(exact, 1e-13 * condition))
        claim("∂FD/∂q", derivatives["fd_q"], difference(reference.forward_dynamics, at, 1e-3), differences, "fd_q")
        claim("∂FD/∂v", derivatives["fd_v"], difference(reference.forward_dynamics, faster, 1e-3), differences, "fd_v")
    return errors
