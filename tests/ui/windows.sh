#!/usr/bin/env bash
# windows.sh - real GIMP windows on an X display of its own, driven by a
# program in Python by way of AT-SPI.
#
#   windows.sh BUILD_DIR DRIVER.py [ARGUMENT...]
#
# The driver is called with a folder, GIMP's process, and the arguments; in
# the folder it finds windows.scm waiting for code (see windows.py).  It
# writes TAP lines, as this does.  Environment variables:
#
#   UI_SCREEN=1280x900   the size of the screen
#   UI_LOCALE=de_DE.UTF-8
#   UI_GIMPRC=LINE       one more line of GIMP's settings
#   UI_GTK=LINES         lines of GTK's settings.ini
#   UI_TIMEOUT=300       seconds that the driver may take
#   ISOLUX_SCREENSHOTS=FOLDER  the driver leaves pictures there
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
driver=$2
shift 2
unset WAYLAND_DISPLAY
export GDK_BACKEND=x11 ISOLUX_VERBOSE=1
export LC_ALL=${UI_LOCALE:-C.UTF-8}

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

export XDG_RUNTIME_DIR=$scratch/run XDG_CONFIG_HOME=$scratch/config
mkdir -m 700 "$XDG_RUNTIME_DIR"
mkdir -p "$XDG_CONFIG_HOME/gtk-3.0"
printf '[Settings]\ngtk-cursor-blink=false\ngtk-enable-animations=false\n%s\n' \
  "${UI_GTK:-}" > "$XDG_CONFIG_HOME/gtk-3.0/settings.ini"
mkfifo "$scratch/display"
Xvfb -displayfd 3 -screen 0 "${UI_SCREEN:-1280x900}x24" -nolisten tcp \
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
if [ -n "${UI_GIMPRC:-}" ]; then
  printf '%s\n' "$UI_GIMPRC" >> "$profile/gimprc"
fi
sed "s,@DIR@,$scratch,g" "$here/windows.scm" > "$scratch/windows.scm"
GIMP3_DIRECTORY=$profile "$GIMP_WINDOW" -n -s -d \
  --batch-interpreter=plug-in-script-fu-eval \
  -b "(load \"$scratch/windows.scm\")" --quit \
  < /dev/null > "$scratch/out" 2> "$scratch/errors" &
gimp=$!
pids+=("$gimp")

if [ -n "${ISOLUX_SCREENSHOTS:-}" ]; then
  mkdir -p "$ISOLUX_SCREENSHOTS"
fi

PYTHONPATH=$here timeout "${UI_TIMEOUT:-300}" python3 "$driver" "$scratch" \
  "$gimp" "$@" > "$scratch/tap" 2> "$scratch/driver"
driven=$?

touch "$scratch/quit"
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
if [ $driven != 0 ] || [ $ended != 0 ]; then
  sed 's/^/# /' "$scratch/driver" "$scratch/out" "$scratch/errors" \
    | tail -n 60
fi
tap_result $driven 'the driver came to its end'
tap_result $ended 'exit status of GIMP'
# GTK and GIMP's window have complaints of their own under Xvfb
grep -i -E 'isolux|gegl' "$scratch/errors" > "$scratch/errors-ours"
tap_complaints "$scratch/errors-ours"
if [ -n "${UI_MEASURE:-}" ]; then
  grep '^isolux: dialog' "$scratch/errors" | sed 's/^/# /'
fi
tap_end
