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

script 0 'all there' 'the four procedures are there' '
  (list plug-in-isolux-grayscale plug-in-isolux-equalize
        plug-in-isolux-histogram plug-in-isolux-info)
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
