#!/usr/bin/env bash
# dialog.sh - the dialog in a real GIMP window, under Xvfb: preview, Cancel,
# OK, undo.
#
#   dialog.sh BUILD_DIR
#
# With ISOLUX_SCREENSHOTS=FOLDER, pictures of the screen go there.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

for tool in Xvfb dbus-launch openbox xdotool; do
  if ! command -v $tool > /dev/null; then
    echo "1..0 # SKIP there is no $tool"
    exit 0
  fi
done
if ! python3 -c 'import pyatspi' 2> /dev/null; then
  echo '1..0 # SKIP there is no pyatspi'
  exit 0
fi

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
export NO_AT_BRIDGE=0
# shellcheck source=tests/gimp/lib.sh
. "$here/lib.sh" "$1"
unset WAYLAND_DISPLAY
export GDK_BACKEND=x11 LC_ALL=C.UTF-8

# ---- A display, a session bus, a window manager ----

pids=()
# shellcheck disable=SC2317 # the trap calls it
end_all ()
{
  local pid
  for pid in "${pids[@]}"; do
    kill "$pid" 2> /dev/null
  done
  wait 2> /dev/null
  rm -rf "$scratch"
}
trap end_all EXIT

export XDG_RUNTIME_DIR=$scratch/run
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkfifo "$scratch/display"
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp \
  3> "$scratch/display" > "$scratch/xvfb.log" 2>&1 &
pids+=($!)
if ! read -r -t 30 number < "$scratch/display"; then
  echo 'Bail out! Xvfb does not start'
  exit 1
fi
export DISPLAY=:$number

eval "$(dbus-launch --sh-syntax)"
pids+=("$DBUS_SESSION_BUS_PID")
openbox > "$scratch/openbox.log" 2>&1 &
pids+=($!)

# ---- GIMP ----

tap_start
profile=$scratch/profile
gimp_profile "$profile"
sed "s,@DIR@,$scratch,g" "$here/dialog.scm" > "$scratch/dialog.scm"
GIMP3_DIRECTORY=$profile "$GIMP_WINDOW" -n -s -d \
  --batch-interpreter=plug-in-script-fu-eval \
  -b "(load \"$scratch/dialog.scm\")" --quit \
  < /dev/null > "$scratch/out" 2> "$scratch/errors" &
gimp=$!
pids+=("$gimp")

if [ -n "${ISOLUX_SCREENSHOTS:-}" ]; then
  mkdir -p "$ISOLUX_SCREENSHOTS"
fi

timeout 240 python3 "$here/dialog.py" "$scratch" "$gimp" > "$scratch/tap" \
  2> "$scratch/driver"
driver=$?

for ((i = 0; i < 100; i++)); do
  kill -0 "$gimp" 2> /dev/null || break
  sleep 0.2
done
if kill -0 "$gimp" 2> /dev/null; then
  kill -9 "$gimp"
fi
wait "$gimp"
ended=$?

tap_copy "$scratch/tap"
tap_copy "$scratch/out"
if [ $driver != 0 ] || [ $ended != 0 ]; then
  sed 's/^/# /' "$scratch/driver" "$scratch/errors" | tail -n 40
fi
tap_result $driver 'the driver came to its end'
tap_result $ended 'exit status of GIMP'
# GTK and GIMP's window have complaints of their own under Xvfb
grep -i -E 'isolux|gegl' "$scratch/errors" > "$scratch/errors-ours"
tap_complaints "$scratch/errors-ours"
tap_end
