#!/usr/bin/env bash
# screenshots.sh - pictures of the dialog, one for each state that it has, or
# how quick it is.
#
#   screenshots.sh BUILD_DIR OUT_DIR [SCENE...]
#   screenshots.sh --measure BUILD_DIR [IMAGE...]
#
# Scenes are in scenes.py; without names all are made.  Pictures are of real
# GIMP windows on an X display of its own, with the sample images of
# data/samples, a made CT slice (a phantom), and text in US English.
#
# With --measure the dialog is opened on images (without any, made ones of 16
# and 100 megapixels), and its own log is shown: when the window was there,
# when all was read, updates a second while a slider is dragged, and the
# longest time that the main loop stood still.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
top=$(dirname "$(dirname "$here")")
windows=$top/tests/ui/windows.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die ()
{
  printf 'screenshots: %s\n' "$*" >&2
  exit 1
}

# Thousands have a comma in this language, as in the pictures of the design
localedef -i en_US -f UTF-8 "$work/en_US.UTF-8" 2> /dev/null \
  || die 'there is no localedef with the locale en_US'

# run_windows DRIVER ARGUMENT...: what it says goes to standard error
run_windows ()
{
  "$windows" "$build" "$here/scenes.py" "$@" > "$work/said" 2>&1 \
    || { cat "$work/said" >&2; die "$1 could not be made"; }
}

if [ "${1:-}" = --measure ]; then
  build=${2:?no build folder}
  shift 2
  export LOCPATH=$work UI_LOCALE=en_US.UTF-8 UI_MEASURE=1 UI_TIMEOUT=900
  for image in "${@:-}"; do
    UI_IMAGE=$image run_windows measure
    grep '^# isolux: dialog' "$work/said" | sed 's/^# isolux: dialog //'
  done
  exit
fi

build=${1:?no build folder}
out=${2:?no folder for pictures}
shift 2
mkdir -p "$out"
out=$(realpath "$out")
python3 "$here/phantom.py" "$work/ct-phantom.png"

# scene NAME IMAGE [VARIABLE=VALUE...]
scene ()
{
  local name=$1 image=$2
  shift 2
  if [ ${#wanted[@]} -gt 0 ] && [[ " ${wanted[*]} " != *" $name "* ]]; then
    return
  fi
  printf 'screenshots: %s\n' "$name" >&2
  env ISOLUX_SCREENSHOTS="$work" LOCPATH="$work" UI_LOCALE=en_US.UTF-8 \
    UI_GTK='gtk-font-name=Cantarell 10.5' UI_IMAGE="$image" "$@" \
    "$windows" "$build" "$here/scenes.py" "${name#*-}" \
    > "$work/said" 2>&1 || { cat "$work/said" >&2; die "$name failed"; }
  convert "$work/${name#*-}.png" -strip -define png:compression-level=9 \
    "$out/$name.png"
}

wanted=("$@")
samples=$top/data/samples
chest=$samples/chest-12bit.png
scene 01-clahe-dark "$chest"
scene 02-window-level-light "$work/ct-phantom.png" \
  UI_GIMPRC='(theme-color-scheme light)'
scene 03-equalize-rgb "$samples/retina.jpg"
scene 03b-channel-chooser "$samples/retina.jpg"
scene 04-hog "$samples/chest-8bit.png"
scene 05-loading "$chest"
scene 06a-refusal "$samples/retina.jpg"
scene 06b-closed "$chest"
scene 07-narrow "$chest" UI_SCREEN=1024x600
scene 08-right-to-left "$chest" LANGUAGE=he
scene 09-high-contrast "$chest" UI_GIMPRC='(theme "System")' \
  UI_GTK=$'gtk-font-name=Cantarell 10.5\ngtk-theme-name=HighContrast'
scene 10-presets "$chest"
scene 11-compact "$chest"
scene 12-clahe-2x "$chest" GDK_SCALE=2 UI_SCREEN=2560x1800
scene 13-german "$chest" UI_LOCALE=de_DE.UTF-8 LOCPATH=
scene 14-gray-theme "$chest" UI_GIMPRC='(theme-color-scheme gray)'
scene 15-big-font "$samples/retina.jpg" UI_GTK='gtk-font-name=Cantarell 13'
