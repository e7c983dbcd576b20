#!/usr/bin/env bash
# display.sh - runs a test of widgets on an X display of its own, away from
# the user's settings.
#
#   display.sh COMMAND [ARGUMENT...]
#
# Where there is no Xvfb, the test is reported as skipped.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

if ! command -v Xvfb > /dev/null; then
  echo '1..0 # SKIP there is no Xvfb'
  exit 0
fi

scratch=$(mktemp -d)
server=
# shellcheck disable=SC2317 # the trap calls it
end_all ()
{
  if [ -n "$server" ]; then
    kill "$server" 2> /dev/null
    wait "$server" 2> /dev/null
  fi
  rm -rf "$scratch"
}
trap end_all EXIT
trap 'exit 143' TERM
trap 'exit 130' INT

mkfifo "$scratch/display"
Xvfb -displayfd 3 -screen 0 1280x900x24 -nolisten tcp \
  3> "$scratch/display" > "$scratch/xvfb.log" 2>&1 &
server=$!
if ! read -r -t 30 number < "$scratch/display"; then
  sed 's/^/# /' "$scratch/xvfb.log"
  echo 'Bail out! Xvfb does not start'
  exit 1
fi

mkdir -m 700 "$scratch/run"
unset WAYLAND_DISPLAY GTK_THEME GDK_SCALE GDK_DPI_SCALE GTK_MODULES
export DISPLAY=:$number GDK_BACKEND=x11 XDG_RUNTIME_DIR=$scratch/run
export HOME=$scratch XDG_CONFIG_HOME=$scratch XDG_DATA_HOME=$scratch
export GSETTINGS_BACKEND=memory NO_AT_BRIDGE=1 LC_ALL=C.UTF-8

# not exec: the server ends after the test
"$@"
