#!/usr/bin/env bash
# screenshots.sh - pictures of the dialog in real GIMP windows: each state
# that README shows and some more.  See ./dev screenshots.
#
#   screenshots.sh BUILD_DIR OUTDIR [PICTURE...]
#
# PICTURE is a picture's name ("clahe"); all of them without.  GIMP is started
# once for each kind of desktop.  OUTDIR/readme has them small, as they lie in
# data/readme.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
top=$(dirname "$(dirname "$here")")
build=$1
out=$2
shift 2
mkdir -p "$out"
out=$(realpath "$out")

made=$(mktemp -d)
hebrew=$build/po/he
trap 'rm -rf "$made" "$hebrew"' EXIT
python3 "$here/phantom.py" "$made/ct-phantom.png" || exit 1

# languages that tests do not need
export LOCPATH=$made/locales
mkdir "$LOCPATH"
for language in en_US he_IL de_DE; do
  localedef -i $language -f UTF-8 "$LOCPATH/$language.UTF-8" || exit 1
done

failed=0

# desktop NAME PICTURE...: one GIMP; variables of windows.sh come before it
desktop ()
{
  local name=$1 picture wanted chosen=()
  shift
  for picture in "$@"; do
    for wanted in "${pictures[@]:-$picture}"; do
      [ "$wanted" != "$picture" ] || chosen+=("$picture")
    done
  done
  [ ${#chosen[@]} -gt 0 ] || return 0
  printf 'screenshots: %s: %s\n' "$name" "${chosen[*]}" >&2
  UI_GTK="gtk-font-name=${font:-Cantarell 10.5}
${gtk:-}" UI_GIMPRC="(theme \"${theme:-Default}\")
(theme-color-scheme ${scheme:-dark})" UI_TIMEOUT=600 \
    UI_LOCALE=${locale:-en_US}.UTF-8 \
    ISOLUX_SCREENSHOTS=$out bash "$here/windows.sh" "$build" \
    "$here/screenshots.py" "$top/data/samples" "$made" "${chosen[@]}" \
    > "$made/log"
  grep -E '^(not ok|#|Bail)' "$made/log" >&2
  if grep '^not ok' "$made/log" > /dev/null; then
    failed=1
  fi
}

pictures=("$@")

desktop dark clahe gray equalize channels colors-off hog loading refusal \
  compact contrast-map lbp grayscale presets
scheme=light desktop light window clahe-light ct-windows
UI_SCREEN=1024x600 desktop '1024 x 600' narrow
gtk=$'gtk-theme-name=HighContrast' theme=System scheme=system \
  desktop 'high contrast' high-contrast
# Isolux is in no language that is written from right to left yet.  GTK keeps
# to left to right until a program has a catalog, be it an empty one.
mkdir -p "$hebrew/LC_MESSAGES"
printf 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n' \
  | msgfmt -o "$hebrew/LC_MESSAGES/isolux.mo" -
locale=he_IL desktop 'right to left' right-to-left
GDK_SCALE=2 UI_SCREEN=2560x1700 desktop 'high density' high-density
locale=de_DE desktop German german
scheme=gray desktop gray gray-theme
font='Cantarell 13' desktop '13 pt' big-font
ISOLUX_FAULT=memory:1+ desktop 'no memory' error

# for data/readme, in few colors; of some a part is enough
mkdir -p "$out/readme"
for picture in "$out"/*.png; do
  name=$(basename "$picture" .png)
  [ "$name" != ct-windows ] || continue
  part=()
  case $name in
    channels) part=(-crop 786x240+0+404 +repage) ;;
    colors-off) part=(-crop 786x240+0+404 +repage) ;;
    window-units) part=(-crop 786x266+0+378 +repage) ;;
  esac
  convert "$picture" "${part[@]}" +dither -colors 255 \
    -define png:compression-level=9 "PNG8:$out/readme/dialog-$name.png"
done
if [ -e "$out/ct-windows.png" ]; then
  convert "$out/ct-windows.png" -quality 90 "$out/readme/ct-windows.jpg"
fi

exit $failed
