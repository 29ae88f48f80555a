#!/usr/bin/env python3
"""Our bench and the peers' in one interleaved run: a Markdown table of ratios, operation by operation.

    benches/peers/build_all.sh                                   # once; see benches/README.md
    python benches/compare.py --native NATIVE_BENCH --portable PORTABLE_BENCH
    python benches/compare.py --native BENCH --robots panda7 ur5 --rounds 5 --raw lines.jsonl
    python benches/compare.py --peers-only                       # the peers alone

Our bench is called `BENCH MODEL.urdf NAME`; it prints one JSON object a line with "lib", "robot", "op", "cpu_min", "cpu_med",
"wall_min", "wall_med" (microseconds a call) and "op" one of: poses, jacobians, mass_matrix, inverse_dynamics,
forward_dynamics, regressor, inverse_dynamics_8, step; and, if it has them, id_derivatives, fd_derivatives, step_jacobians,
and of rollouts rollout_N, gradient_N, batch_1, batch_2, which are held against each other in a second table.

Each round runs every program once for a robot, in turning order, so that a change of the machine's speed meets all. A figure
is the smallest CPU time a call over all rounds; the ratio is of these, and its range is that of the rounds' own ratios. A
native build of ours is compared with native peers, a portable one with portable peers (MuJoCo's library is the wheel's in
both). Goals are for native builds. Exit 1 if a program fails, 2 on bad usage; a missed goal is no failure unless
--require-goals.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections import defaultdict
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROBOTS = ("panda7", "ur5", "chain30", "chain100")
# calls a repeat for Pinocchio's programs: a repeat lasts milliseconds whatever the robot's size
CALLS = {"panda7": 4000, "ur5": 4000, "chain30": 1000, "chain100": 300}

# our op: (row, the peers' operations it is held against: (program, start of the operation's name), goal or None)
PIN, DUAL, MUJOCO = "bench_pin", "bench_pin_dual", "bench_mj"
ROWS = {
    "poses": ("frames' poses", [(PIN, "forwardKinematics(q)+updateFramePlacements")], 0.8),
    "poses_joints": ("poses, peer without frames beyond the joints'", [(PIN, "forwardKinematics(q)")], None),
    "jacobians": ("Jacobians", [(PIN, "computeJointJacobians(q)")], 0.9),
    "mass_matrix": ("mass matrix", [(PIN, "crba LOCAL"), (PIN, "crba WORLD")], 0.8),
    "inverse_dynamics": ("inverse dynamics", [(PIN, "rnea")], 0.6),
    "forward_dynamics": (
        "forward dynamics",
        [(PIN, "aba LOCAL"), (PIN, "aba WORLD"), (PIN, "crba+nle+cholesky solve (fwd dyn)")],
        0.8,
    ),
    "id_derivatives": ("∂ID/∂q, ∂v", [(PIN, "computeRNEADerivatives")], 0.9),
    "fd_derivatives": ("∂FD/∂q, ∂v, ∂τ", [(PIN, "computeABADerivatives")], 0.9),
    "regressor": ("torque regressor", [(PIN, "computeJointTorqueRegressor")], 0.9),
    "inverse_dynamics_8": ("ID with 8 tangents", [(DUAL, "rnea Dual<8>")], 0.8),
    "step": ("one full step", [(MUJOCO, "mj_step")], 0.5),
    "step_jacobians": ("step Jacobians", [(MUJOCO, "mjd_transitionFD A,B forward")], 1 / 15),
}
OURS = {"poses_joints": "poses"}  # rows that use another row's figure of ours
OPTIONAL = {"id_derivatives", "fd_derivatives", "step_jacobians"}  # no note where our bench does not print them


# of our own: (row, our op, the op of ours it is held against, what is compared, goal or None); µs where there is no second op
OWN_ROWS = [
    ("gradient by all inputs, 200 steps, µs", "gradient_200", None, "cpu_min", 900),
    ("the same over the rollout", "gradient_200", "rollout_200", "cpu_min", 4),
    ("gradient by all inputs, 1000 steps, over the rollout", "gradient_1000", "rollout_1000", "cpu_min", 4),
    ("64 gradients on two threads, time over that on one", "batch_2", "batch_1", "wall_min", 1 / 1.9),
]


def run(command, environment=None):
    """The JSON lines a program prints."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **(environment or {})})
    except OSError as error:
        raise RuntimeError(f"{command[0]}: {error}") from error
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.strip()[-500:]}")
    lines = []
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            try:
                lines.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise RuntimeError(f"{command[0]} printed what is not JSON: {line[:100]!r} ({error})") from error
    if not lines:
        raise RuntimeError(f"{' '.join(command)}: no JSON line")
    return lines


def matches(operation, wanted):
    """Exact names, except MuJoCo's, which go on with their options."""
    return operation == wanted or wanted.startswith("mj") and operation.startswith(wanted + " ")


def plan(robot, kind, arguments):
    """The programs of one round: (name, command, environment)."""
    models = arguments.models
    text, urdf, xml = models / f"{robot}.txt", models / f"{robot}.urdf", models / f"{robot}.full.xml"
    calls, tag = str(CALLS.get(robot, 1000)), f"Pinocchio, {kind}"
    programs = []
    if not arguments.peers_only:
        programs.append(("ours", [str(getattr(arguments, kind)), str(urdf), robot], None))
    programs.append((PIN, [str(arguments.peers / f"{PIN}_{kind}"), str(text), robot, tag, calls, "7"], None))
    if robot in arguments.dual_robots:
        programs.append((DUAL, [str(arguments.peers / f"{DUAL}_{kind}"), str(text), robot, tag, calls, "7"], None))
    only = {} if arguments.step_jacobians else {"MJ_OPS": "mj_step"}
    programs.append((MUJOCO, [str(arguments.peers / f"{MUJOCO}_{kind}"), str(xml), robot, "full"], only))
    return programs


def measure(robot, kind, arguments, raw):
    """Per round: {row: (peer's operation, peer's µs, ours)}, from the interleaved runs."""
    rounds = []
    for turn in range(arguments.rounds):
        programs = plan(robot, kind, arguments)
        shift = turn % len(programs)
        times = {}
        for name, command, environment in programs[shift:] + programs[:shift]:
            print(f"  {kind} {robot} round {turn + 1}/{arguments.rounds}: {name}", file=sys.stderr, flush=True)
            for line in run(command, environment):
                raw.append({**line, "program": name, "build": kind, "round": turn})
                times[name, line["op"]] = float(line["cpu_min"])
        rounds.append(times)
    return rounds


def rows_of(rounds):
    """One line of the table per row that a peer has: (row, peer's best operation, peer µs, ours µs, ratios of rounds)."""
    for key, (_, peers, goal) in ROWS.items():
        best = defaultdict(lambda: float("inf"))  # peer's operation → smallest time over all rounds
        for times in rounds:
            for (program, operation), value in times.items():
                if any(program == p and matches(operation, w) for p, w in peers):
                    best[program, operation] = min(best[program, operation], value)
        if not best:
            continue
        peer = min(best, key=best.get)
        own = [times.get(("ours", OURS.get(key, key))) for times in rounds]
        ratios = [mine / times[peer] for mine, times in zip(own, rounds) if mine is not None and peer in times]
        ours = min((x for x in own if x is not None), default=None)
        yield key, peer, best[peer], ours, ratios, goal


def short(operation):
    return operation.replace("limits+frictionloss+armature+damping ", "").replace("dt=1ms ", "")


def table(results, with_ours):
    """The Markdown table, and the rows that miss their goal."""
    yield "| build | operation | robot | best peer | peer µs | ours µs | ours/peer | rounds | goal | |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    order = {key: i for i, key in enumerate(ROWS)}
    for kind, robot, key, peer, theirs, ours, ratios, goal in sorted(
        results, key=lambda r: (r[0] != "native", order[r[2]], ROBOTS.index(r[1]) if r[1] in ROBOTS else 99)
    ):
        name = {PIN: "Pinocchio", DUAL: "Pinocchio", MUJOCO: "MuJoCo"}[peer[0]]
        cells = [kind, ROWS[key][0], robot, f"{name} `{short(peer[1])}`", f"{theirs:.3g}"]
        if ours is None:
            if with_ours and key in OPTIONAL:
                continue
            cells += ["–" if with_ours else "", "", ""]
        else:
            cells += [f"{ours:.3g}", f"**{ours / theirs:.2f}**", f"{min(ratios):.2f}–{max(ratios):.2f}"]
        goal = goal if kind == "native" else None
        cells.append(f"≤ {goal:.2g}" if goal else "")
        cells.append("" if ours is None or goal is None else "met" if ours / theirs <= goal else "missed")
        yield "| " + " | ".join(cells) + " |"


def own_table(raw):
    """A Markdown table of our rollouts against each other."""
    best = defaultdict(lambda: float("inf"))
    for line in raw:
        if line["program"] == "ours":
            for what in ("cpu_min", "wall_min"):
                key = (line["build"], line["robot"], line["op"], what)
                best[key] = min(best[key], float(line[what]))
    robots = list(dict.fromkeys((line["build"], line["robot"]) for line in raw))
    yield "| build | robot | rollouts | ours | goal | |"
    yield "|---|---|---|---|---|---|"
    for build, robot in robots:
        for name, op, against, what, goal in OWN_ROWS:
            ours = best.get((build, robot, op, what))
            per = best.get((build, robot, against, what)) if against else 1
            if ours is None or per is None:
                continue
            # The time is a goal for the arm of seven joints.
            goal = goal if build == "native" and (against or robot == "panda7") else None
            met = "" if goal is None else "met" if ours / per <= goal else "missed"
            shown = f"≤ {goal:.3g}" if goal else ""
            yield f"| {build} | {robot} | {name} | **{ours / per:.3g}** | {shown} | {met} |"


def machine():
    """Kind of processor and the libraries' versions, for the line above the table."""
    cpu = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return f"{cpu}, {os.cpu_count()} cores, {platform.system()}"


def main():
    default_peers = Path(os.environ.get("PEERS", Path.home() / ".cache" / "peers")) / "bin"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", type=Path, help="our bench built for this machine (target-cpu=native)")
    parser.add_argument("--portable", type=Path, help="our bench built without")
    parser.add_argument("--peers", type=Path, default=default_peers,
                        help="folder of bench_pin_native, ... (default: $PEERS/bin, ~/.cache/peers/bin)")
    parser.add_argument("--models", type=Path, default=HERE / "peers" / "models", help="folder of NAME.urdf, .txt, .full.xml")
    parser.add_argument("--robots", nargs="+", default=list(ROBOTS), metavar="NAME", help=f"default: {' '.join(ROBOTS)}")
    parser.add_argument("--dual-robots", nargs="*", default=["panda7", "ur5"], metavar="NAME",
                        help="robots for the row with 8 tangents (default: panda7 ur5)")
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds (default 3)")
    parser.add_argument("--step-jacobians", action="store_true", help="also MuJoCo's finite-difference Jacobians (slow)")
    parser.add_argument("--peers-only", action="store_true", help="run no bench of ours")
    parser.add_argument("--raw", type=Path, help="append every JSON line to this file, too")
    parser.add_argument("--require-goals", action="store_true", help="exit 1 if a native row misses its goal")
    arguments = parser.parse_args()

    if arguments.rounds < 1:
        parser.error("--rounds: at least 1")
    kinds = [kind for kind in ("native", "portable") if arguments.peers_only or getattr(arguments, kind)]
    if not kinds:
        parser.error("--native BENCH or --portable BENCH (or both), or --peers-only")
    wanted = []
    for kind in kinds:
        for robot in arguments.robots:
            wanted += [Path(command[0]) for _, command, _ in plan(robot, kind, arguments)]
            wanted += [arguments.models / f"{robot}{end}" for end in (".urdf", ".txt", ".full.xml")]
    missing = sorted({str(path) for path in wanted if not path.is_file()})
    if missing:
        parser.error("not there: " + ", ".join(missing) + "\n(peers: benches/peers/build_all.sh; see benches/README.md)")

    raw, results = [], []
    try:
        for kind in kinds:
            for robot in arguments.robots:
                rounds = measure(robot, kind, arguments, raw)
                results += [(kind, robot, *row) for row in rows_of(rounds)]
    except RuntimeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted: the table holds the robots that were finished", file=sys.stderr)
    finally:
        if arguments.raw and raw:
            with arguments.raw.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in raw)
    libraries = sorted({line["lib"] for line in raw})
    print(f"{date.today()}; {machine()}; one thread, smallest CPU time a call, {arguments.rounds} rounds.")
    print(f"Libraries: {'; '.join(libraries)}.")
    versions = arguments.peers / "versions.txt"  # written by build_all.sh
    print(f"Peers: {versions.read_text().strip()}\n" if versions.is_file() else "Peers: build not recorded.\n")
    for line in table(results, not arguments.peers_only):
        print(line)
    if not arguments.peers_only:
        print()
        for line in own_table(raw):
            print(line)
    missed = [r for r in results if r[0] == "native" and r[5] is not None and r[7] and r[5] / r[4] > r[7]]
    return 1 if arguments.require_goals and missed else 0


if __name__ == "__main__":
    sys.exit(main())
