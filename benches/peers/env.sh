# source me: PEERS is a scratch folder that holds the peers' Python environment and binaries (default ~/.cache/peers)
export HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PEERS=${PEERS:-$HOME/.cache/peers}; mkdir -p "$PEERS/bin"
export PY=$PEERS/venv/bin/python
[ -x "$PY" ] || { python3 -m venv "$PEERS/venv" && "$PEERS/venv/bin/pip" install -q pin==4.1.0 cmeel-eigen==3.4.1 mujoco==4.0.0 numpy; }
SITE=$("$PY" -c 'import site; print(site.getsitepackages()[0])')
export CMEEL=$SITE/cmeel.prefix MJ=$SITE/mujoco PYTHONPATH=$(ls -d "$SITE"/cmeel.prefix/lib/python3*/site-packages)
