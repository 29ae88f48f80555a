#!/usr/bin/env python3
"""Reference answers of our own robots by Pinocchio: writes NAME.json beside this file for every ../robots/NAME.urdf.

    pip install pin==4.1.0 numpy
    python tests/reference/generate.py            # writes the files
    python tests/reference/generate.py --check    # writes nothing; exit 1 if a stored file disagrees with Pinocchio

A file is

    {"schema": "articula/reference/1", "library", "library_version", "robot", "robot_sha256", "seed", "notes",
     "cases": [{"name", "state": what `articula eval --state` reads, "expected": what it answers}]}

Every answer is checked against a second derivation (`independent_checks.py`) before it is written; a failed check stops
the script. The states are random with a fixed seed.
"""

import argparse
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from independent_checks import CheckFailed, check, relative
from pinocchio_reference import Description, NumericState, Reference, Unsupported, pin, random_state, to_plain

HERE = Path(__file__).resolve().parent
PINOCCHIO = "4.1.0"
SEED = 20240
NOTES = [
    "Conventions: pinocchio_reference.py. id_* at (q, v, a); fd_* at (q, v, tau).",
    "With a base: coordinates are base linear xyz, base angular xyz (world axes), then the joints; q-derivatives by the"
    " base are by world translation, then by a world rotation vector applied on the left.",
    "energy.kinetic is v' M v / 2, the armature included; momentum is that of the links alone.",
]

# Which states: (name, options of `random_state`). Fixed root for all, free root for some.
PLAIN = ("plain", dict(wrenches=0, armature=False))
LOADED = ("wrenches, tilted gravity", dict(wrenches=2, armature=False, tilted_gravity=True))
ARRAYS = ("arrays in model order, armature", dict(wrenches=0, armature=True, as_arrays=True))
EVERYTHING = ("wrenches, tilted gravity, armature", dict(wrenches=2, armature=True, tilted_gravity=True))
FIXED = {
    "arm7": [PLAIN, LOADED, ARRAYS, EVERYTHING],
    "branched": [PLAIN, ARRAYS, EVERYTHING],
    "quadruped": [PLAIN, EVERYTHING],
}
FREE = {"quadruped": [PLAIN, EVERYTHING], "branched": [EVERYTHING]}

# The model order of the tree made for it, by hand: depth first, children in the order their <joint> stands in the file.
ORDER = {
    "branched": "lift waist right_shoulder right_elbow right_wrist right_finger head_pan head_tilt"
    " left_shoulder_b left_shoulder_a left_elbow left_wrist".split()
}


def cases(path):
    """The cases of one robot, checked."""
    description = Description(path)
    order = [joint.name for joint in description.joints]
    if order != ORDER.get(path.stem, order):
        raise CheckFailed(f"model order {order}, {ORDER[path.stem]} expected")
    rng = np.random.default_rng([SEED, *path.stem.encode()])
    worst = {}
    out = []
    plans = [(False, plan) for plan in FIXED.get(path.stem, [PLAIN, LOADED, ARRAYS, EVERYTHING])]
    plans += [(True, plan) for plan in FREE.get(path.stem, [])]
    for free_base, (name, options) in plans:
        reference = Reference(description, free_base)
        state = random_state(description, rng, free_base, **options)
        numeric = NumericState(description, state)
        answer = reference.evaluate(numeric)
        for identity, error in check(reference, numeric, answer).items():
            worst[identity] = max(error, worst.get(identity, 0.0))
        label = f"{'free' if free_base else 'fixed'} base, {name}"
        out.append({"name": label, "state": state, "expected": to_plain(answer)})
    return out, worst


def differences(found, stored, where=""):
    """Largest relative difference between two answers of the same shape, and where it is."""
    if isinstance(stored, dict):
        if not isinstance(found, dict) or set(found) != set(stored):
            return float("inf"), where
        return max((differences(found[k], stored[k], f"{where}/{k}") for k in stored), default=(0.0, where))
    if isinstance(stored, list) and not (stored and isinstance(stored[0], str)):
        if np.shape(found) != np.shape(stored):
            return float("inf"), where
        return relative(found, stored), where
    if isinstance(stored, (int, float)):
        return relative([found], [stored]), where
    return (0.0 if found == stored else float("inf")), where


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", type=Path, default=HERE.parent / "robots", help="folder of URDF files")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write NAME.json into")
    parser.add_argument("--check", action="store_true", help="compare with the stored files instead of writing")
    parser.add_argument("--any-version", action="store_true", help=f"accept a Pinocchio other than {PINOCCHIO}")
    arguments = parser.parse_args()

    if pin.__version__ != PINOCCHIO and not arguments.any_version:
        parser.error(f"Pinocchio {PINOCCHIO} expected, {pin.__version__} found: pip install pin=={PINOCCHIO},"
                     " or --any-version")
    robots = sorted(arguments.robots.glob("*.urdf"))
    if not robots:
        parser.error(f"no *.urdf in {arguments.robots}")
    print(f"Pinocchio {pin.__version__}, numpy {np.__version__}, seed {SEED}")
    total, failed = 0, False
    for path in robots:
        try:
            made, worst = cases(path)
        except (CheckFailed, Unsupported) as error:
            print(f"STOPPED: {path.name}: {error}", file=sys.stderr)
            return 1
        document = {
            "schema": "articula/reference/1",
            "library": "Pinocchio",
            "library_version": pin.__version__,
            "robot": path.name,
            "robot_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "seed": SEED,
            "notes": NOTES,
            "cases": made,
        }
        target = arguments.out / f"{path.stem}.json"
        exact = max(e for name, e in worst.items() if not name.startswith(("d ", "∂ID", "∂FD/∂q", "∂FD/∂v", "power", "momentum")))
        summary = f"{path.stem}: {len(made)} cases, checks: exact {exact:.0e}, all {max(worst.values()):.0e}"
        if arguments.check:
            if not target.exists():
                print(f"{summary}; {target.name} is missing")
                failed = True
                continue
            stored = json.loads(target.read_text())
            if stored["robot_sha256"] != document["robot_sha256"]:
                print(f"{summary}; {target.name} was made from another {path.name}: run without --check")
                failed = True
            pairs = list(zip(made, stored["cases"]))
            error, where = max((differences(a["expected"], b["expected"], a["name"]) for a, b in pairs), default=(0.0, ""))
            agrees = error <= 1e-11 and len(made) == len(stored["cases"])
            failed |= not agrees
            print(f"{summary}; stored {'agrees' if agrees else 'DISAGREES'}: {error:.0e}{'' if agrees else ' at ' + where}")
            continue
        text = json.dumps(document, separators=(",", ":"), allow_nan=False).replace('{"name":', '\n{"name":') + "\n"
        target.write_text(text)
        total += len(text)
        print(f"{summary}; {len(text)} bytes")
    if not arguments.check:
        print(f"{total} bytes in all")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
