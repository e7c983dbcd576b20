#!/usr/bin/env bash
# end-to-end.sh - what a user waits for: times of operations that GIMP merges
# into a layer, beside GIMP's own Equalize and an operation that only copies,
# and of the gegl program.
#
#   end-to-end.sh BUILD_DIR SIDE REPETITIONS
#
# A table in Markdown on standard output; says so, and ends well, where there
# is no GIMP.
#
# SPDX-License-Identifier: GPL-3.0-or-later

set -euo pipefail

build=$(realpath -- "$1") side=$2 repetitions=$3
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -z "$(command -v gimp-console-3.0 || command -v gimp-console-3.2)" ] \
   || [ ! -e "$build/tests/bench/gegl/isolux-bench-copy.so" ]; then
  printf '\nNo GIMP here, or no plug-in built: nothing end to end.\n'
  exit 0
fi
# shellcheck source=tests/gimp-env.sh
. "$here/../gimp-env.sh" "$build"
# times are of memory as users have it
unset "${ISOLUX_MALLOC[@]%%=*}"
export GEGL_PATH=$GEGL_PATH:$build/tests/bench/gegl

# --- GIMP -------------------------------------------------------------------

# Script-Fu: times of WHAT in a layer with a gradient and some noise
definitions='
  (define (now)
    (let ((t (gettimeofday)))
      (+ (* 1000.0 (car t)) (/ (cadr t) 1000.0))))
  (define (insert x all)
    (if (or (null? all) (<= x (car all)))
      (cons x all)
      (cons (car all) (insert x (cdr all)))))
  (define (times n all what)
    (if (> n 0)
      (let ((start (now)))
        (what)
        (times (- n 1) (insert (- (now) start) all) what))
      all))
  (define (say name all)
    (let ((n (length all)))
      (for-each (lambda (x) (display x) (display " "))
                (list "row" name (list-ref all (quotient n 2)) (car all)
                      (list-ref all (quotient n 4))
                      (list-ref all (- n 1 (quotient n 4)))))
      (newline)))
  (define (measure layer name n what)
    (what) (what)
    (say name (times n (list) what)))
  (define (merged layer name n operation)
    (measure layer name n
      (lambda () (gimp-drawable-merge-new-filter layer operation "x"
                                                 LAYER-MODE-REPLACE 1.0))))
'

# in_gimp KIND BACKEND: rows of figures
in_gimp ()
{
  local kind=$1 image_type=$1-IMAGE precision=PRECISION-U8-NON-LINEAR
  [ "$kind" != GRAY16 ] \
    || { image_type=GRAY-IMAGE precision=PRECISION-U16-NON-LINEAR; }
  ISOLUX_BACKEND=$2 gimp_batch -e "$definitions
    (let* ((image (gimp-image-new-with-precision $side $side ${kind%16}
                                                 $precision))
           (layer (gimp-layer-new image \"layer\" $side $side $image_type
                                  100 LAYER-MODE-NORMAL))
           (n $repetitions))
      (gimp-image-undo-disable image)
      (gimp-image-insert-layer image layer 0 0)
      (gimp-context-set-foreground \"#203040\")
      (gimp-context-set-background \"#90a080\")
      (gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0 #f
                                        0 0 $side $side)
      (gimp-drawable-merge-new-filter layer \"gegl:noise-hsv\" \"x\"
                                      LAYER-MODE-REPLACE 1.0)
      (merged layer \"copy\" n \"isolux-bench:copy\")
      (merged layer \"equalize\" n \"isolux:equalize\")
      (merged layer \"clahe\" n \"isolux:clahe\")
      (merged layer \"grayscale\" n \"isolux:grayscale\")
      (merged layer \"window\" n \"isolux:window\")
      (merged layer \"copy-again\" n \"isolux-bench:copy\")
      (measure layer \"GIMP's-Equalize\" (max 3 (quotient n 4))
        (lambda () (gimp-drawable-equalize layer FALSE)))
      (gimp-image-delete image))" 2> "$work/errors"
}

printf '\n## Merged in GIMP, %s x %s, milliseconds\n\n' "$side" "$side"
printf '| %-6s | %-4s | %-16s | %8s | %8s | %6s | %9s |\n' \
  layer on what median least spread 'of a copy'
printf '| ------ | ---- | ---------------- | -------: | -------: | -----: | --------: |\n'
for kind in GRAY GRAY16 RGB; do
  for backend in cpu cuda; do
    [ "$backend" = cpu ] || [ -e /dev/nvidiactl ] || continue
    if ! in_gimp $kind $backend > "$work/rows"; then
      cat "$work/errors" >&2
      exit 1
    fi
    copy=$(awk '$1 == "row" && $2 == "copy" { print $3 }' "$work/rows")
    awk -v kind=$kind -v on=$backend -v copy="$copy" '
      $1 == "row" {
        printf "| %-6s | %-4s | %-16s | %8.1f | %8.1f | %5.0f%% | %9.2f |\n",
               kind, on, $2, $3, $4, 100 * ($6 - $5) / $3, $3 / copy }' \
      "$work/rows"
  done
done

# --- gegl -------------------------------------------------------------------

# The whole program, from a file to a file: starting, reading and writing with
# it, so that only the difference from a copy means anything.
median_of_gegl ()
{
  local start
  for _ in 1 2 3 4 5; do
    start=$EPOCHREALTIME
    gegl "$work/in.ppm" -o "$work/out.ppm" -- "$1" > "$work/said" 2>&1
    awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print (b - a) * 1000 }'
  done | sort -g | sed -n 3p
}

python3 - "$work/in.ppm" "$side" << 'PYTHON'
import random
import sys
path, side = sys.argv[1], int(sys.argv[2])
noise = random.Random(1).randbytes(3 * side)
with open(path, 'wb') as file:
    file.write(b'P6 %d %d 255\n' % (side, side))
    for y in range(side):
        file.write(noise[3 * y:] + noise[:3 * y])
PYTHON
printf '\n## The gegl program, RGB u8, %s x %s, milliseconds\n\n' \
  "$side" "$side"
printf '| what | median of 5 |\n| --- | ---: |\n'
for operation in isolux-bench:copy isolux:equalize isolux:clahe \
                 isolux:grayscale; do
  printf '| %s | %.0f |\n' $operation "$(median_of_gegl $operation)"
done
