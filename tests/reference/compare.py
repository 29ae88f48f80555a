#!/usr/bin/env python3
"""`articula eval` beside Pinocchio on any robot files, fixed base and free.

    pip install pin==4.1.0 numpy
    cargo build --release
    python tests/reference/compare.py tests/robots
    python tests/reference/compare.py some/robots --articula target/release/articula --states 5 --verbose

Folders are searched for *.urdf at any depth; files may be named too. For each file and base, random states go to both,
and a table shows the largest relative error of each quantity (its largest difference over its largest entry, over all
states; a quantity that cancels to less than a thousandth of what it is made of is measured by that): ok up to 1e-9 — for what is solved with the mass matrix M (FD and its derivatives) up to 1e-13 × cond(M) where
that is more — or which of the two refuses, and why. Exit 1 if an error is above its bound, or articula refuses what
Pinocchio takes where no reason of the known kinds stands (see EXPECTED); exit 2 on bad usage.

Elements articula refuses until they are acknowledged are acknowledged (`--acknowledge-all comparison`): a mimic joint is
then a joint of its own, in both. `--pinocchio-only` runs Pinocchio and its independent checks alone.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

from independent_checks import CheckFailed, check, floors, relative
from pinocchio_reference import Description, NumericState, Reference, Unsupported, pin, random_state

BOUND = 1e-9
# column: (heading, whether it is solved with M)
QUANTITIES = {
    "pose": ("poses", False),
    "velocity": ("vel", False),
    "jacobians": ("J", False),
    "mass_matrix": ("M", False),
    "bias": ("bias", False),
    "gravity": ("grav", False),
    "inverse_dynamics": ("ID", False),
    "forward_dynamics": ("FD", True),
    "id_q": ("ID_q", False),
    "id_v": ("ID_v", False),
    "fd_q": ("FD_q", True),
    "fd_v": ("FD_v", True),
    "fd_tau": ("FD_tau", True),
    "energy": ("energy", False),
    "sums": ("com, p", False),
}
# What articula refuses by its own rules although Pinocchio takes the file (matched against its message, lower case).
EXPECTED = ("negative mass", "not positive semidefinite", "lower > upper", "without mass", "zero axis", "triangle inequality")


def errors(found, expected):
    """Largest relative error of each quantity of two answers; quantities the first lacks are named in the second result."""
    out, missing, floor = {}, [], floors(expected)

    def put(key, a, b):
        error = relative(a, b, floor.get(key, 0.0)) if np.shape(a) == np.shape(b) else np.inf
        out[key] = max(out.get(key, 0.0), error)

    for key in ("joints", "kinds"):
        ours, theirs = found.get(key), expected[key]
        if ours != theirs:
            at = next((i for i, pair in enumerate(zip(ours or [], theirs)) if pair[0] != pair[1]), None)
            what = f"{len(ours or [])} for {len(theirs)}" if at is None else f"{ours[at]!r} for {theirs[at]!r} at {at}"
            return {"mass_matrix": np.inf}, [f"{key} ({what})"]
    frames, wanted = found.get("frames", {}), expected["frames"]
    if set(frames) != set(wanted):
        missing.append(f"frames {sorted(set(wanted) ^ set(frames))}")
    names = [name for name in wanted if name in frames]
    if names:
        poses = [np.array([f[name]["pose"] for name in names], dtype=float) for f in (frames, wanted)]
        put("pose", poses[0][:, :3], poses[1][:, :3])
        # a quaternion and its negative are the same turn; qw ≥ 0 picks one except at half a turn
        signs = np.sign(np.einsum("ij,ij->i", poses[0][:, 3:], poses[1][:, 3:]))
        put("pose", poses[0][:, 3:] * np.where(np.abs(poses[1][:, 3]) < 1e-6, signs, 1.0)[:, None], poses[1][:, 3:])
        for key in ("linear_velocity", "angular_velocity"):
            put("velocity", *([f[name][key] for name in names] for f in (frames, wanted)))
    rows = [name for name in wanted if name in found.get("jacobians", {})]
    if len(rows) == len(wanted):
        for part in (slice(0, 3), slice(3, 6)):
            put("jacobians", *([np.array(j[name])[part] for name in rows] for j in (found["jacobians"], expected["jacobians"])))
    else:
        missing.append("jacobians")
    for key in ("mass_matrix", "bias", "gravity", "inverse_dynamics", "forward_dynamics"):
        if expected[key] is None:
            continue
        if found.get(key) is None:
            missing.append(key)
        else:
            put(key, found[key], expected[key])
    for key, value in expected.get("derivatives", {}).items():
        if found.get("derivatives", {}).get(key) is None:
            missing.append(key)
        else:
            put(key, found["derivatives"][key], value)
    for key in ("kinetic", "potential"):
        if key in found.get("energy", {}):
            # relative to the larger of both energies: a potential may be zero by accident
            scale = max(abs(x) for x in expected["energy"].values()) or 1.0
            put("energy", [found["energy"][key] / scale + 1], [expected["energy"][key] / scale + 1])
        else:
            missing.append(f"energy.{key}")
    # A robot without mass has no centre of mass: null.
    undefined = {"center_of_mass", "angular_about_com"} if expected["total_mass"] == 0 else set()
    for key in ("total_mass", "center_of_mass"):
        if key in found and key in undefined:
            put("sums", 0.0 if found[key] is None else np.inf, 0.0)
        elif key in found:
            put("sums", found[key], expected[key])
        else:
            missing.append(key)
    for key in ("linear", "angular_about_com"):
        if key in found.get("momentum", {}) and key in undefined:
            put("sums", 0.0 if found["momentum"][key] is None else np.inf, 0.0)
        elif key in found.get("momentum", {}):
            put("sums", found["momentum"][key], expected["momentum"][key])
        else:
            missing.append(f"momentum.{key}")
    return out, missing


def run_articula(binary, path, states, timeout, quantities=None):
    """articula's answers, or (None, why not)."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "state.json"
        file.write_text(json.dumps(states))
        command = [binary, "eval", str(path), "--state", str(file), "--json", "--acknowledge-all", "comparison"]
        command += ["--quantities", ",".join(quantities)] if quantities else []
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            return None, f"no answer within {timeout} s"
    if done.returncode != 0:
        message = " ".join(done.stderr.split()) or "no message"
        return None, f"exit {done.returncode}: {message[:300]}"
    try:
        answers = json.loads(done.stdout)
    except json.JSONDecodeError as error:
        return None, f"its output is not JSON: {error}"
    # The list itself, or an object that holds it.
    if isinstance(answers, dict):
        answers = answers.get("answers", answers.get("states", [answers]))
    if len(answers) != len(states):
        return None, f"{len(states)} answers expected, {len(answers)} found"
    return answers, None


def find_files(paths, parser):
    files = []
    for path in paths:
        if path.is_dir():
            files += sorted(p for p in path.rglob("*") if p.suffix.lower() == ".urdf")
        elif path.is_file():
            files.append(path)
        else:
            parser.error(f"no such file or folder: {path}")
    if not files:
        parser.error("no *.urdf there")
    return files


def find_binary(given, parser):
    target = Path(os.environ.get("CARGO_TARGET_DIR", Path(__file__).resolve().parents[2] / "target"))
    candidates = [Path(given)] if given else [target / kind / "articula" for kind in ("release", "debug")]
    for candidate in candidates:
        if candidate.is_file():
            return str(candidate.resolve())
    parser.error(f"no articula at {' or '.join(map(str, candidates))}: cargo build --release, or --articula PATH")


def compare(path, free_base, arguments, binary):
    """One row of the table: (joints, errors, note, failed)."""
    try:
        description = Description(path)
        reference = Reference(description, free_base)
    except Unsupported as error:
        if binary is None:
            return "", {}, str(error), False
        # Not compared; said what articula makes of it.
        _, why = run_articula(binary, path, [{"base": {}}] if free_base else [{}], arguments.timeout)
        return "", {}, f"not compared ({error}); articula {'refuses too: ' + why if why else 'takes it'}", False
    joints = len(description.joints)
    if reference.n == 0:
        return joints, {}, "not compared: nothing moves", False
    rng = np.random.default_rng(arguments.seed)
    states, numeric, expected, condition = [], [], [], 1.0
    for i in range(arguments.states):
        state = random_state(description, rng, free_base, wrenches=2 * (i % 2), armature=i % 3 != 1, tilted_gravity=i > 0)
        states.append(state)
        numeric.append(NumericState(description, state))
        expected.append(reference.evaluate(numeric[-1]))
        if expected[-1]["forward_dynamics"] is not None:
            condition = max(condition, float(np.linalg.cond(expected[-1]["mass_matrix"])))
    note = "M is singular: no FD" if any(e["forward_dynamics"] is None for e in expected) else ""
    bound = {key: max(BOUND, 1e-13 * condition) if solved else BOUND for key, (_, solved) in QUANTITIES.items()}
    if arguments.check or binary is None:
        try:
            worst = max(max(check(reference, s, e).values()) for s, e in zip(numeric, expected))
            note = f"{note} Pinocchio checked, {worst:.0e}".strip()
        except CheckFailed as error:
            return joints, {}, f"{note} REFERENCE DOUBTFUL: {error}".strip(), True
    if binary is None:
        return joints, {"checked": 0.0}, note, False
    answers, why = run_articula(binary, path, states, arguments.timeout)
    if answers is None and "M is singular" in note:
        # A moving body without inertia: no forward dynamics, the rest stands.
        asked = [key for key in expected[0] if key not in ("joints", "kinds", "forward_dynamics", "derivatives")]
        answers, _ = run_articula(binary, path, states, arguments.timeout, asked)
        if answers is not None:
            note += f" (articula: {why})"
            for wanted in expected:
                wanted["forward_dynamics"] = None
                wanted.pop("derivatives", None)
    if answers is None:
        known = any(words in why.lower() for words in EXPECTED) or "M is singular" in note
        return joints, {}, f"articula refuses: {why}", not known
    worst, missing = {}, []
    for found, wanted in zip(answers, expected):
        these, absent = errors(found, wanted)
        missing += [name for name in absent if name not in missing]
        for key, value in these.items():
            worst[key] = max(worst.get(key, 0.0), value)
    above = [f"{QUANTITIES[key][0]} {value:.0e}" for key, value in worst.items() if not value <= bound[key]]
    verdict = "ok" if not above else "ABOVE: " + ", ".join(above)
    if condition > 1e5:
        verdict += f" (cond M {condition:.0e})"
    if missing:
        verdict += "; missing: " + ", ".join(missing)
    return joints, worst, f"{verdict} {note}".strip(), bool(above or missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path, default=[Path(__file__).resolve().parents[1] / "robots"],
                        help="URDF files, or folders of them (default: tests/robots)")
    parser.add_argument("--articula", help="the binary (default: target/release/articula, then debug)")
    parser.add_argument("--states", type=int, default=4, help="random states a file and base (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--base", choices=("both", "fixed", "free"), default="both")
    parser.add_argument("--check", action="store_true", help="also check Pinocchio's answers independently (slower)")
    parser.add_argument("--pinocchio-only", action="store_true", help="run no articula; implies --check")
    parser.add_argument("--verbose", action="store_true", help="one column a quantity instead of the largest three")
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one run of articula (default 60)")
    arguments = parser.parse_args()
    if arguments.states < 1:
        parser.error("--states: at least 1")
    files = find_files(arguments.paths, parser)
    binary = None if arguments.pinocchio_only else find_binary(arguments.articula, parser)
    warnings.simplefilter("ignore", RuntimeWarning)

    print(f"Pinocchio {pin.__version__}, {arguments.states} states, seed {arguments.seed},"
          f" {'not compared' if binary is None else binary}\n")
    columns = [heading for heading, _ in QUANTITIES.values()] if arguments.verbose else ["largest errors"]
    print("| file | base | joints | " + " | ".join(columns) + " | verdict |")
    print("|---" * (4 + len(columns)) + "|")
    counts = {"ok": 0, "failed": 0, "not compared": 0}
    stems = [file.name for file in files]
    for file in files:
        name = file.name if stems.count(file.name) == 1 else f"{file.parent.name}/{file.name}"
        for free_base in (False, True):
            if arguments.base != "both" and (arguments.base == "free") != free_base:
                continue
            try:
                joints, worst, note, failed = compare(file, free_base, arguments, binary)
            except (ValueError, KeyError, TypeError, np.linalg.LinAlgError) as error:
                joints, worst, note, failed = "", {}, f"COMPARISON BROKE: {type(error).__name__}: {error}", True
            if arguments.verbose:
                cells = [f"{worst[key]:.0e}" if key in worst else "" for key in QUANTITIES]
            else:
                top = sorted(((k, e) for k, e in worst.items() if k in QUANTITIES), key=lambda item: -item[1])[:3]
                cells = [", ".join(f"{QUANTITIES[key][0]} {value:.0e}" for key, value in top)]
            counts["failed" if failed else "ok" if worst else "not compared"] += 1
            row = [name, "free" if free_base else "fixed", str(joints), *cells, note]
            print("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |", flush=True)
    print("\n" + ", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
