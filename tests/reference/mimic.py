#!/usr/bin/env python3
"""Compare coupled mimic joints with Pinocchio's: mass matrix, inverse dynamics and frames of robot files at random states.

    python tests/reference/mimic.py --articula target/release/articula ROBOT.urdf...

Needs `pip install pin==4.1.0 numpy`. Exit 1 where a quantity differs by more than 1e-12 of its largest entry.
"""

import argparse
import json
import subprocess
import sys

import numpy as np
import pinocchio as pin


def differences(articula, path, random):
    model = pin.buildModelFromUrdf(path, mimic=True)
    model.gravity.linear = np.array([0, 0, -9.80665])
    data = model.createData()
    state = {key: random.uniform(-0.5, 0.5, model.nv) for key in ("q", "v", "a")}
    command = [articula, "eval", path, "--state", "-", "--mimic", "coupled", "--acknowledge-all", "compared"]
    text = json.dumps({key: list(x) for key, x in state.items()})
    ours = json.loads(subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout)
    upper = np.triu(pin.crba(model, data, state["q"]))
    pairs = {
        "mass_matrix": (ours["mass_matrix"], upper + np.triu(upper, 1).T),
        "inverse_dynamics": (ours["inverse_dynamics"], pin.rnea(model, data, *state.values())),
    }
    pin.framesForwardKinematics(model, data, state["q"])
    names = [name for name in ours["frames"] if model.existFrame(name, pin.FrameType.BODY)]
    place = [data.oMf[model.getFrameId(name, pin.FrameType.BODY)].translation for name in names]
    pairs["frames"] = ([ours["frames"][name]["pose"][:3] for name in names], place)
    return {
        key: np.abs(np.array(mine) - np.array(theirs)).max() / max(np.abs(theirs).max(), 1e-300)
        for key, (mine, theirs) in pairs.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--articula", required=True, help="the command")
    parser.add_argument("robots", nargs="+", help="URDF files with mimic joints")
    arguments = parser.parse_args()
    random, worst = np.random.default_rng(1), 0.0
    for path in arguments.robots:
        found = differences(arguments.articula, path, random)
        print(path, ", ".join(f"{key} {value:.1e}" for key, value in found.items()))
        worst = max(worst, *found.values())
    return 0 if worst < 1e-12 else 1


if __name__ == "__main__":
    sys.exit(main())
