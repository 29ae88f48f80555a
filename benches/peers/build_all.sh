#!/bin/bash
# build_all.sh: every peer program into $PEERS/bin, native and portable. About 14 minutes of one core, 2 GB at the most.
. "$(dirname "$0")/env.sh"
for c in clang++-19 clang++; do command -v $c >/dev/null && { export CXX=${CXX:-$c}; break; }; done
[ -n "$CXX" ] || echo "no clang++ found: building with g++, which makes Pinocchio 1.1 to 1.8 times slower" >&2
set -e
lib=$(ls "$MJ" | grep -m1 'libmujoco.so')
for kind in native portable; do
  flags=-O3; [ $kind = native ] && flags="-O3 -march=native"
  gcc $flags "$HERE/bench_mj.c" -I"$MJ/include" -L"$MJ" -l:"$lib" -Wl,-rpath,"$MJ" -lm -o "$PEERS/bin/bench_mj_$kind"
  "$HERE/build.sh" bench_pin.cpp bench_pin_$kind $flags
  "$HERE/build.sh" bench_pin_dual.cpp bench_pin_dual_$kind $flags -DNL=8
  "$HERE/build.sh" bench_pin_rollout.cpp bench_pin_rollout_$kind $flags
done
{ "${CXX:-g++}" --version | head -1
  "$PY" -c 'import importlib.metadata as m; print(", ".join(f"{p} {m.version(p)}" for p in ("pin", "mujoco", "cmeel-eigen")))'
} | paste -sd ';' | sed 's/;/; /' >"$PEERS/bin/versions.txt"
ls -l "$PEERS/bin"
