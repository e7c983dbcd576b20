#!/usr/bin/env bash
# window.sh - opening a file in GIMP's window, under Xvfb: the dialog asks,
# Open opens, Cancel does not, and a file of one frame opens without asking
# once that is turned off.
#
#   window.sh BUILD_DIR
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
. "$here/../gimp/lib.sh" "$1"
unset WAYLAND_DISPLAY
export GDK_BACKEND=x11 LC_ALL=C.UTF-8

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

tap_start
python3 "$here/files.py" "$scratch" window > "$scratch/said" 2>&1
made=$?
[ $made = 0 ] || sed 's/^/# /' "$scratch/said"
tap_result $made 'the files were made'

profile=$scratch/profile
gimp_profile "$profile"
sed "s,@DIR@,$scratch,g" "$here/window.scm" > "$scratch/window.scm"
GIMP3_DIRECTORY=$profile "$GIMP_WINDOW" -n -s -d \
  --batch-interpreter=plug-in-script-fu-eval \
  -b "(load \"$scratch/window.scm\")" --quit \
  < /dev/null > "$scratch/out" 2> "$scratch/errors" &
gimp=$!
pids+=("$gimp")

if [ -n "${ISOLUX_SCREENSHOTS:-}" ]; then
  mkdir -p "$ISOLUX_SCREENSHOTS"
fi
timeout 240 python3 "$here/window.py" "$scratch" "$gimp" > "$scratch/tap" \
  2> "$scratch/driver"
driver=$?
# a driver that gave up leaves GIMP waiting
[ $driver = 0 ] || kill "$gimp" 2> /dev/null
wait "$gimp"
ended=$?
tap_copy "$scratch/tap"
tap_copy "$scratch/out"
[ $driver = 0 ] || sed 's/^/# /' "$scratch/driver" "$scratch/errors"
tap_result $driver 'the driver came to its end'
grep -q -x '# done' "$scratch/out"
tap_result $? 'the script came to its end'
tap_result $ended 'exit status'
tap_complaints "$scratch/errors"
tap_end
