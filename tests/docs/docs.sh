#!/usr/bin/env bash
# docs.sh - does what README and CONTRIBUTING say hold?  Runs README's
# examples and compares what they print with what is printed there; looks
# for links that lead nowhere, and for names that are missing on either side;
# runs the demo.
# Reports by TAP.
#
#   docs.sh SOURCE_DIR BUILD_DIR
#
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions are called by check; names have no spaces; ` is Markdown's:
# shellcheck disable=SC2317,SC2013,SC2016

set -euo pipefail

source=$1 build=$2
readme=$source/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
count=0
failed=0

# check TEXT COMMAND...: one result; what COMMAND says is shown on failure
check ()
{
  local text=$1
  shift
  count=$((count + 1))
  if "$@" > "$work/said" 2>&1 < /dev/null; then
    echo "ok $count - $text"
  else
    echo "not ok $count - $text"
    sed 's/^/# /' "$work/said"
    failed=1
  fi
}

# shellcheck source=tests/gimp-env.sh
. "$source/tests/gimp-env.sh" "$build"
mkdir "$work/blocks" "$work/bin" "$work/here"
python3 "$source/tests/docs/blocks.py" "$readme" "$work/blocks"
cp "$source/data/samples/"*.png "$work/here"
ln -s "$GIMP_CONSOLE" "$work/bin/gimp-console-3.0"
ln -s "$source/data/recipes/enhance.sh" "$work/bin/enhance.sh"
cd "$work/here"

# What README calls slice-1.tif and slices: signed TIFF in Hounsfield units, a
# body of water with lungs of air; the same as DICOM files, slice-1.dcm and
# study; and the machines that there are
make_slices ()
{
  mkdir slices study
  PYTHONPATH=$source/tests/dicom python3 - << 'PYTHON'
import numpy as np
from PIL import Image

try:
    import files
except ImportError:
    files = None    # there is no pydicom

y, x = np.mgrid[0:128, 0:128] / 64.0 - 1.0
for k in range(1, 7):
    hu = np.full((128, 128), -1000.0)
    hu[(x / 0.8) ** 2 + (y / 0.6) ** 2 < 1] = 40.0
    hu[((abs(x) - 0.35) / 0.2) ** 2 + (y / (0.5 - k / 20)) ** 2 < 1] = -800.0
    hu += 10.0 * np.sin(37.0 * x + 11.0 * y)
    image = Image.fromarray(np.rint(hu).astype('<i2').view('<u2'))
    image.save(f'slices/slice-{k}.tif', tiffinfo={339: 2})
    if files:
        data = files.dataset(sop=files.CT, modality='CT')
        data.RescaleSlope, data.RescaleIntercept = '1', '-1024'
        files.put_pixels(data, np.rint(hu).astype(int)[None] + 1024, 12, 16)
        files.write(data, f'study/slice-{k}.dcm')
PYTHON
  cp slices/slice-1.tif .
  [ ! -e study/slice-1.dcm ] || cp study/slice-1.dcm .
  echo '2/:' > hosts
}
make_slices

# --- The examples -----------------------------------------------------------

# same_text SAID SHOWN: equal but for the space around
same_text ()
{
  diff -u -b -B "$2" "$1"
}

# same_json SAID SHOWN: what is shown is said; long arrays are shown with
# "..." for what is left out, and what runs where is not compared
same_json ()
{
  python3 - "$1" "$2" << 'PYTHON'
import json
import sys

said = json.load(open(sys.argv[1], encoding='utf-8'))
shown = json.load(open(sys.argv[2], encoding='utf-8'))


def compare(path, said, shown):
    if isinstance(shown, dict):
        if list(said) != list(shown):
            sys.exit(f'{path}: {list(said)} is said, {list(shown)} is shown')
        for key in shown:
            if key != 'backend':
                compare(f'{path}/{key}', said[key], shown[key])
    elif isinstance(shown, list):
        if '...' in shown:
            at = shown.index('...')
            head, tail = shown[:at], shown[at + 1:]
            said = said[:len(head)] + said[len(said) - len(tail):]
            shown = head + tail
        if said != shown:
            sys.exit(f'{path}: {said} is said, {shown} is shown')
    elif isinstance(shown, float):
        if abs(said - shown) > 1e-9 * abs(shown):
            sys.exit(f'{path}: {said} is said, {shown} is shown')
    elif said != shown:
        sys.exit(f'{path}: {said} is said, {shown} is shown')


compare('', said, shown)
PYTHON
}

# scheme BLOCK: runs it; what it prints is left in the file `printed`
scheme ()
{
  local status=0
  gimp_batch "$1" > "$work/printed" 2> "$work/errors" || status=$?
  cat "$work/printed" "$work/errors"
  # what GIMP's core says when it ends is not ours, nor what its plug-ins for
  # files do
  [ "$status" = 0 ] \
    && ! grep -v -E -e 'Gimp-Core-WARNING|^stale context' \
           -e '^bps: |^Image dim|^load_contig|^bytes_per_pixel' "$work/errors"
}

# batch LINE: in GIMP's private profile; it must write a picture
batch ()
{
  touch "$work/before"
  gimp_run env PATH="$work/bin:$PATH" bash -euc "$1"
  [ -n "$(find . -name '*.png' -newer "$work/before")" ]
}

# parallel_line LINE: all pictures come, with two jobs at a time; taken up
# again it does nothing
parallel_line ()
{
  local log
  log=${1#*--joblog }
  log=${log%% *}
  rm -rf pictures
  gimp_run env PATH="$work/bin:$PATH" bash -euc "$1"
  [ "$(find pictures -name 'slice-*.png' | wc -l)" = 6 ] || return 1
  [ "$(wc -l < "$log")" -ge 3 ] || return 1
  cp "$log" "$log.once"
  touch "$work/before"
  gimp_run env PATH="$work/bin:$PATH" bash -euc "$1"
  cmp "$log" "$log.once" || return 1
  [ -z "$(find pictures -newer "$work/before")" ]
}

# Whether TEXT needs an import or files that are not there
lacks_dicom ()
{
  [[ $1 == *.dcm* || $1 == *'"study"'* ]] \
    && { [ ! -e "$build/plugin/dicom/isolux-dicom/isolux-dicom" ] \
           || [ ! -e study/slice-1.dcm ]; }
}

ran_scheme=0 ran_gegl=0 ran_batch=0 ran_parallel=0
previous=
for block in "$work"/blocks/*; do
  name=$(basename "$block")
  case $block in
    *.scheme)
      ! lacks_dicom "$(cat "$block")" || continue
      ran_scheme=$((ran_scheme + 1))
      cp "$block" "$block.scm"
      check "README: Script-Fu example $name runs" scheme "$block.scm"
      [ $ran_scheme -gt 1 ] || cp "$block" equalize.scm
      ;;
    *.json)
      check "README: $name is what $previous prints" \
        same_json "$work/printed" "$block"
      ;;
    *.text)
      check "README: $name is what $previous prints" \
        same_text "$work/printed" "$block"
      ;;
    *.sh)
      while IFS= read -r line; do
        ! lacks_dicom "$line" || continue
        case $line in
          'gegl '*)
            ran_gegl=$((ran_gegl + 1))
            [ $ran_gegl -gt 1 ] || cp equalized.png by-gimp.png
            check "README: $line" bash -euc "$line"
            ;;
          'gimp-console-3.0 '*)
            ran_batch=$((ran_batch + 1))
            check "README: $line" batch "$line"
            ;;
          'parallel '*)
            ran_parallel=$((ran_parallel + 1))
            check "README: $line" parallel_line "$line"
            ;;
        esac
      done < "$block"
      ;;
  esac
  previous=$name
done
check 'README: there are examples of each kind' \
  test "$ran_scheme" -ge 3 -a "$ran_gegl" -ge 2 -a "$ran_batch" -ge 2 \
       -a "$ran_parallel" -ge 2

same_pixels ()
{
  python3 - "$@" << 'PYTHON'
import sys
from PIL import Image

a, b = (Image.open(path) for path in sys.argv[1:3])
if (a.mode, a.size) != (b.mode, b.size) or a.tobytes() != b.tobytes():
    sys.exit(f'{a.mode} {a.size} and {b.mode} {b.size} differ')
if not a.mode.startswith('I'):
    sys.exit('16 bits became ' + a.mode)
PYTHON
}
check 'README: GIMP and gegl give the same bytes, 16 bits' \
  same_pixels by-gimp.png equalized.png

# --- The demo ---------------------------------------------------------------

demo ()
{
  local name=chest-12bit file
  bash "$source/data/demo/demo.sh" "$build" "$work/demo" "$name.png" \
    > "$work/demo.out" 2>&1 || { cat "$work/demo.out"; return 1; }
  cat "$work/demo.out"
  for file in grayscale equalize equalize-clip histogram; do
    grep -q -E "^ +$name-$file\.png +.*[a-z]" "$work/demo.out" || return 1
  done
  grep -q -E "equalize\.png +[0-9.]+ ms on the (CPU|CUDA)" "$work/demo.out" \
    || return 1
  grep -q -E '^ +CUDA: ' "$work/demo.out" || return 1
  same_pixels "$work/demo/$name-equalize-clip.png" equalized.png
}

# demo_refuses FILE WORDS: clear words, and a bad status
demo_refuses ()
{
  local status=0
  bash "$source/data/demo/demo.sh" "$build" "$work/demo" "$1" \
    > "$work/demo.out" 2>&1 || status=$?
  cat "$work/demo.out"
  [ "$status" != 0 ] && [ "$(wc -l < "$work/demo.out")" = 1 ] \
    && grep -q -F "$2" "$work/demo.out"
}

check 'the demo works on an image, at full depth' demo
check 'the demo says when a file is missing' \
  demo_refuses missing.png 'there is no such file'
echo 'no image' > text.png
check 'the demo says when a file is no image' \
  demo_refuses text.png 'GIMP cannot open it'

# --- Names ------------------------------------------------------------------

# README names each property of the operations, and each choice
properties ()
{
  local operation words word missing=0
  for operation in isolux:equalize isolux:grayscale isolux:clahe \
                   isolux:window isolux:contrast-map isolux:lbp isolux:hog; do
    words=$(gegl --properties "$operation" 2> /dev/null \
            | sed -n '/^Properties:/,$ s/^\([a-z][a-z0-9-]*\) .*/\1/p')
    [ -n "$words" ] || { echo "gegl has no $operation"; return 1; }
    for word in $words; do
      case $word in roi | encoding | values) continue ;; esac   # hidden
      grep -q -F "\`$word\`" "$readme" \
        || { echo "$operation: README does not name $word"; missing=1; }
    done
  done
  words=$(grep -h -o -E 'enum_value \([A-Z_0-9]+, *"[^"]+"' \
            "$source"/plugin/operations/*.c | cut -d '"' -f 2)
  for word in $words; do
    grep -q -F "\`$word\`" "$readme" \
      || { echo "README does not name the choice $word"; missing=1; }
  done
  [ -n "$words" ] && [ "$missing" = 0 ]
}

# Each variable that the sources read is documented, and the reverse
variables ()
{
  local read documented
  read=$(grep -r -h -o -E 'g_getenv \("ISOLUX_[A-Z_]+"' "$source/gpu" \
           "$source/plugin" | grep -o 'ISOLUX_[A-Z_]*' | sort -u)
  documented=$(grep -o -h -E '`ISOLUX_[A-Z_]+`|ISOLUX_[A-Z_]+=' "$readme" \
                 "$source/CONTRIBUTING.md" | grep -o 'ISOLUX_[A-Z_]*' \
               | grep -v -E '^ISOLUX_(ERROR|RULE|$)' | sort -u)
  diff -u <(echo "$documented") <(echo "$read")
}

# `./dev VERB` in the texts is a verb that ./dev help lists
verbs ()
{
  local verb missing=0 help
  help=$(env -u ISOLUX_INSIDE "$source/dev" help) || return 1
  for verb in $(grep -o -h -E '\./dev [a-z]+' "$readme" \
                  "$source/CONTRIBUTING.md" | cut -d ' ' -f 2 | sort -u); do
    grep -q -E "^ +$verb\b" <<< "$help" \
      || { echo "there is no ./dev $verb"; missing=1; }
  done
  [ "$missing" = 0 ]
}

# -Dname=... in the texts is an option of Meson's
options ()
{
  local option missing=0
  for option in $(grep -o -h -E -e '-D[a-z_-]+=' "$readme" \
                    "$source/CONTRIBUTING.md" | tr -d '=' | cut -c 3- \
                  | sort -u); do
    grep -q "^option('$option'" "$source/meson.options" \
      || { echo "there is no option $option"; missing=1; }
  done
  [ "$missing" = 0 ]
}

# Links inside the checkout lead somewhere
links ()
{
  local file target missing=0
  for file in "$readme" "$source/CONTRIBUTING.md" \
              "$source/data/samples/README.md" \
              "$source/data/readme/dialog.md"; do
    while IFS= read -r target; do
      case $target in
        http* | '#'*) continue ;;
      esac
      [ -e "$(dirname "$file")/${target%%#*}" ] \
        || { echo "$file: $target"; missing=1; }
    done < <(grep -o -E '\]\([^)]+\)' "$file" | sed 's/^](//; s/)$//')
  done
  [ "$missing" = 0 ]
}

# Paths in CONTRIBUTING exist
paths ()
{
  local path missing=0
  while IFS= read -r path; do
    [ -e "$source/$path" ] || { echo "CONTRIBUTING: $path"; missing=1; }
  done < <(grep -o -E '`(gpu|plugin|po|data|tests)/[a-z0-9_./-]+`' \
             "$source/CONTRIBUTING.md" | tr -d '`')
  [ "$missing" = 0 ]
}

# What people read is translated, all of it
sources ()
{
  local missing=0 file
  while IFS= read -r file; do
    grep -q -x -F "$file" "$source/po/POTFILES.in" \
      || { echo "$file has texts and is not in po/POTFILES.in"; missing=1; }
  done < <(cd "$source" \
           && grep -r -l -E '\b(_|N_|C_|NC_|ngettext) ?\(' --include='*.[ch]' \
                gpu plugin ui)
  [ "$missing" = 0 ]
}

translations ()
{
  local language
  (cd "$source" \
   && xgettext --from-code=UTF-8 --files-from=po/POTFILES.in \
        --keyword=_ --keyword=N_ --keyword=C_:1c,2 --keyword=NC_:1c,2 \
        --keyword=ngettext:1,2 --output="$work/now.pot") || return 1
  # a macro such as G_GINT64_FORMAT ends the text that xgettext sees
  # (percent signs are written %% where numbers are put in)
  ! grep -n '%"$' "$work/now.pot" | grep -v -e '%%"$' -e '[0-9] %"$' \
    || { echo 'texts cut off by a macro: use PRId64 (inttypes.h) or %zu'
         return 1; }
  for language in $(grep -v '^#' "$source/po/LINGUAS"); do
    msgfmt -c -o /dev/null "$source/po/$language.po" || return 1
    msgcmp "$source/po/$language.po" "$work/now.pot" || return 1
  done
}

check 'README names every property and choice' properties
check 'the environment variables are those that are read' variables
check 'the verbs of ./dev exist' verbs
check "Meson's options exist" options
check 'links lead somewhere' links
check 'paths exist' paths
check 'po/POTFILES.in has every source with texts' sources
check 'the presets can be translated' \
  python3 "$source/data/presets/names.py" --check
check 'the translations are complete' translations

echo "1..$count"
exit $failed
