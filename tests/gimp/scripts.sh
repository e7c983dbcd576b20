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

# An image for each script, which ends with it
scene='
  (define image (gimp-image-new 30 20 RGB))
  (define layer (gimp-layer-new image "layer" 30 20 RGB-IMAGE 100
                                LAYER-MODE-NORMAL))
  (gimp-image-insert-layer image layer 0 0)
  (gimp-context-set-foreground "#203040")
  (gimp-context-set-background "#90a080")
  (gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0 #f
                                    0 0 30 20)'

# What an error of a procedure says, for scripts that go on after it
all='
  (gimp-message-set-handler 1)
  (define (refusal thunk)
    (let ((hook *error-hook*))
      (call-with-current-continuation
        (lambda (leave)
          (set! *error-hook*
            (lambda said (set! *error-hook* hook) (leave said)))
          (thunk)
          (set! *error-hook* hook)
          "no error"))))'
words=() texts=()

# script WORDS TEXT EXPRESSION: what it must print.  All run in one GIMP, which
# takes long to start; one that ends it leaves those behind it without words.
script ()
{
  words+=("$1") texts+=("$2")
  all+="
  (display \"\\n==== ${#words[@]}\\n\")
  (let ()
    $scene
    $3
    (gimp-image-delete image))"
}

# refused WORDS TEXT EXPRESSION: what its error must say
refused ()
{
  script "$1" "$2" "(display (refusal (lambda () $3)))"
}

# run_all: all until here
run_all ()
{
  local status i
  gimp_batch -e "$all" > "$scratch/out" 2> "$scratch/errors"
  status=$?
  [ $status = 0 ] || sed 's/^/# /' "$scratch/errors"
  for ((i = 0; i < ${#words[@]}; i++)); do
    awk -v part="==== $((i + 1))" \
      '/^==== [0-9]+$/ { inside = $0 == part; next } inside' \
      "$scratch/out" > "$scratch/part"
    if grep -q -e "${words[i]}" "$scratch/part"; then
      tap_result 0 "${texts[i]}"
    else
      echo "# no \"${words[i]}\" in:"
      sed 's/^/# /' "$scratch/part"
      tap_result 1 "${texts[i]}"
    fi
  done
  tap_result $status 'exit status 0'
}

# ended WORDS TEXT EXPRESSION: in a GIMP of its own, which it ends with an
# error that says WORDS
ended ()
{
  local status
  gimp_batch -e "$scene $3" > "$scratch/out" 2> "$scratch/errors"
  status=$?
  if [ $status != 70 ] || ! grep -q -e "$1" "$scratch/errors"; then
    sed 's/^/# /' "$scratch/out" "$scratch/errors"
    echo "# exit status $status, not 70, or no \"$1\""
    tap_result 1 "$2"
  else
    tap_result 0 "$2"
  fi
}

layers='#:image image #:drawables (vector layer)'

script 'all there' 'the procedures are there' '
  (list plug-in-isolux-grayscale plug-in-isolux-equalize
        plug-in-isolux-clahe plug-in-isolux-window
        plug-in-isolux-contrast-map plug-in-isolux-lbp plug-in-isolux-hog
        plug-in-isolux-histogram plug-in-isolux-lbp-histogram
        plug-in-isolux-metrics plug-in-isolux-self-test plug-in-isolux-info)
  (display "all there")'

script 'done' 'all arguments by name' "
  (plug-in-isolux-grayscale #:run-mode RUN-NONINTERACTIVE $layers
    #:method \"lightness\" #:non-destructive #f)
  (plug-in-isolux-equalize #:run-mode RUN-NONINTERACTIVE $layers
    #:channels \"each\" #:clip-limit 2.5 #:skip-threshold 0.1
    #:non-destructive #t)
  (if (not (= 1 (vector-length (gimp-drawable-get-filters layer))))
    (error \"no filter\"))
  (display \"done\")"

script 'done' 'all arguments of the others by name' "
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

script '"shape":\[3,5,1,1,9\]' 'a vector as JSON and as a file' "
  (display (plug-in-isolux-hog $layers #:draw #f #:return-vector #t
    #:cell-size 6 #:block-size 1 #:vector-file \"$scratch/vector.npy\"))"

script '"psnr":null' 'metrics' "
  (display (plug-in-isolux-metrics #:first layer #:second layer))"

script '#t' 'self-test' '
  (display (plug-in-isolux-self-test))'

script '^256 0.0 255.0{' 'a histogram as arrays and JSON' "
  (let ((all (plug-in-isolux-histogram $layers #:channel \"red\")))
    (display (vector-length (car all))) (display \" \")
    (display (vector-ref (cadr all) 0)) (display \" \")
    (display (vector-ref (cadr all) 255)) (display (caddr all)))"

script '"counts":\[' 'JSON has the counts' "
  (display (caddr (plug-in-isolux-histogram $layers)))"

script 'cpu' 'info' '
  (display (plug-in-isolux-info))'

refused '"luma", "each"' 'a wrong word' "
  (plug-in-isolux-equalize $layers #:channels \"lumma\")"

refused '"luma-bt601", "luma-bt709"' 'and so for grayscale' "
  (plug-in-isolux-grayscale $layers #:method \"luma\")"

refused 'out of range' 'a number out of range' "
  (plug-in-isolux-equalize $layers #:clip-limit -1)"

refused 'nonsense' 'an argument that there is not' "
  (plug-in-isolux-equalize $layers #:nonsense 1)"

refused 'no layer' 'no drawables' '
  (plug-in-isolux-equalize #:image image #:drawables (vector))'

script 'caught' 'a script can catch it' "
  (display (catch \"caught\"
    (plug-in-isolux-equalize $layers #:channels \"lumma\")))"

script 'unchanged' 'and nothing has changed' "
  (let ((before (isolux-test-checksum $layers)))
    (catch \"caught\" (plug-in-isolux-equalize $layers #:channels \"lumma\"))
    (display (if (equal? before (isolux-test-checksum $layers))
               \"unchanged\" \"different\")))"

run_all
python3 -c 'import sys, numpy
vector = numpy.load (sys.argv[1])
sys.exit (vector.shape != (3, 5, 1, 1, 9) or vector.dtype != numpy.float64)' \
  "$scratch/vector.npy"
tap_result $? 'numpy reads the file'

ended '"luma", "each"' 'a wrong word ends a script with an error' "
  (plug-in-isolux-equalize $layers #:channels \"lumma\")"

# GIMP without the operations
GEGL_PATH=$(pkg-config --variable=pluginsdir gegl-0.4)
ended 'isolux:equalize' 'an operation that is not installed' "
  (plug-in-isolux-equalize $layers)"

tap_end
