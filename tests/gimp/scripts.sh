#!/usr/bin/env bash
# scripts.sh - Isolux as scripts see it: names and arguments, errors, exit
# status.
#
#   scripts.sh BUILD_DIR
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=tests/gimp/lib.sh
. "$here/lib.sh" "$1"
tap_start

# script STATUS WORDS TEXT EXPRESSION: what it must end with, and print
script ()
{
  local status
  gimp_batch -e "
    (gimp-message-set-handler 1)
    (define image (gimp-image-new 30 20 RGB))
    (define layer (gimp-layer-new image \"layer\" 30 20 RGB-IMAGE 100
                                  LAYER-MODE-NORMAL))
    (gimp-image-insert-layer image layer 0 0)
    (gimp-context-set-foreground \"#203040\")
    (gimp-context-set-background \"#90a080\")
    (gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0 #f
                                      0 0 30 20)
    $4
    (gimp-image-delete image)" > "$scratch/out" 2> "$scratch/errors"
  status=$?
  if [ $status != "$1" ] || ! grep -q -e "$2" "$scratch/out" "$scratch/errors"
  then
    sed 's/^/# /' "$scratch/out" "$scratch/errors"
    echo "# exit status $status, not $1, or no \"$2\""
    tap_result 1 "$3"
  else
    tap_result 0 "$3"
  fi
}

layers='#:image image #:drawables (vector layer)'

script 0 'all there' 'the procedures are there' '
  (list plug-in-isolux-grayscale plug-in-isolux-equalize
        plug-in-isolux-clahe plug-in-isolux-window
        plug-in-isolux-contrast-map plug-in-isolux-lbp plug-in-isolux-hog
        plug-in-isolux-histogram plug-in-isolux-lbp-histogram
        plug-in-isolux-metrics plug-in-isolux-self-test plug-in-isolux-info)
  (display "all there")'

script 0 'done' 'all arguments by name' "
  (plug-in-isolux-grayscale #:run-mode RUN-NONINTERACTIVE $layers
    #:method \"lightness\" #:non-destructive #f)
  (plug-in-isolux-equalize #:run-mode RUN-NONINTERACTIVE $layers
    #:channels \"each\" #:clip-limit 2.5 #:skip-threshold 0.1
    #:non-destructive #t)
  (if (not (= 1 (vector-length (gimp-drawable-get-filters layer))))
    (error \"no filter\"))
  (display \"done\")"

script 0 'done' 'all arguments of the others by name' "
  (plug-in-isolux-clahe #:run-mode RUN-NONINTERACTIVE $layers
    #:clip-limit 3.5 #:tiles-x 3 #:tiles-y 2 #:tile-size 0 #:bins \"256\"
    #:channels \"each\" #:use-padding-value #t #:padding-value 7.0
    #:compatibility \"opencv\" #:non-destructive #f #:audit #t)
  (plug-in-isolux-window #:run-mode RUN-NONINTERACTIVE $layers
    #:mode \"window\" #:center 100.0 #:width 150.0 #:low-percentile 1.0
    #:high-percentile 99.0 #:invert #t #:gamma 1.5 #:channels \"luma\"
    #:non-destructive #f #:audit #f)
  (plug-in-isolux-contrast-map #:run-mode RUN-NONINTERACTIVE $layers
    #:measure \"range\" #:tile-size 4 #:colors \"heat\"
    #:non-destructive #t #:audit #f)
  (plug-in-isolux-lbp #:run-mode RUN-NONINTERACTIVE $layers
    #:radius 2.0 #:points 12 #:method \"nri-uniform\"
    #:non-destructive #t #:audit #f)
  (plug-in-isolux-hog #:run-mode RUN-NONINTERACTIVE $layers
    #:orientations 6 #:cell-size 4 #:block-size 2 #:norm \"l1\"
    #:signed-gradient #t #:sqrt #t #:gradient \"sobel\"
    #:picture \"magnitude\" #:non-destructive #t #:audit #f #:draw #t
    #:return-vector #f)
  (if (not (= 3 (vector-length (gimp-drawable-get-filters layer))))
    (error \"no filters\"))
  (if (not (pair? (gimp-item-get-parasite layer \"isolux\")))
    (error \"no record\"))
  (display \"done\")"

script 0 '"shape":\[3,5,1,1,9\]' 'a vector as JSON and as a file' "
  (display (plug-in-isolux-hog $layers #:draw #f #:return-vector #t
    #:cell-size 6 #:block-size 1 #:vector-file \"$scratch/vector.npy\"))"
python3 -c 'import sys, numpy
vector = numpy.load (sys.argv[1])
sys.exit (vector.shape != (3, 5, 1, 1, 9) or vector.dtype != numpy.float64)' \
  "$scratch/vector.npy"
tap_result $? 'numpy reads the file'

script 0 '"psnr":null' 'metrics' "
  (display (plug-in-isolux-metrics #:first layer #:second layer))"

script 0 '#t' 'self-test' '
  (display (plug-in-isolux-self-test))'

script 0 '^256 0.0 255.0{' 'a histogram as arrays and JSON' "
  (let ((all (plug-in-isolux-histogram $layers #:channel \"red\")))
    (display (vector-length (car all))) (display \" \")
    (display (vector-ref (cadr all) 0)) (display \" \")
    (display (vector-ref (cadr all) 255)) (display (caddr all)))"

script 0 '"counts":\[' 'JSON has the counts' "
  (display (caddr (plug-in-isolux-histogram $layers)))"

script 0 'cpu' 'info' '
  (display (plug-in-isolux-info))'

script 70 '"luma", "each"' 'a wrong word ends a script with an error' "
  (plug-in-isolux-equalize $layers #:channels \"lumma\")"

script 70 '"luma-bt601", "luma-bt709"' 'and so for grayscale' "
  (plug-in-isolux-grayscale $layers #:method \"luma\")"

script 70 'out of range' 'a number out of range ends it, too' "
  (plug-in-isolux-equalize $layers #:clip-limit -1)"

script 70 'nonsense' 'an argument that there is not' "
  (plug-in-isolux-equalize $layers #:nonsense 1)"

script 70 'no layer' 'no drawables' '
  (plug-in-isolux-equalize #:image image #:drawables (vector))'

script 0 'caught' 'a script can catch it' "
  (display (catch \"caught\"
    (plug-in-isolux-equalize $layers #:channels \"lumma\")))"

script 0 'unchanged' 'and nothing has changed' "
  (let ((before (isolux-test-checksum $layers)))
    (catch \"caught\" (plug-in-isolux-equalize $layers #:channels \"lumma\"))
    (display (if (equal? before (isolux-test-checksum $layers))
               \"unchanged\" \"different\")))"

# GIMP without the operations
GEGL_PATH=$(pkg-config --variable=pluginsdir gegl-0.4)
script 70 'isolux:equalize' 'an operation that is not installed' "
  (plug-in-isolux-equalize $layers)"

tap_end
