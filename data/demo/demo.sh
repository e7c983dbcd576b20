#!/usr/bin/env bash
# demo.sh - what Isolux does with pictures, through GIMP's procedures.
#
#   demo.sh BUILD_DIR OUT_DIR [IMAGE...]
#
# Without an image it takes the samples.  For each image NAME it writes
#   NAME-grayscale.png           plug-in-isolux-grayscale
#   NAME-equalize.png            plug-in-isolux-equalize
#   NAME-equalize-clip.png       plug-in-isolux-equalize, clip limit 3.0
#   NAME-histogram.png           pictures and histograms side by side
# at full depth, then says what ran, where, and for how long.
#
# SPDX-License-Identifier: GPL-3.0-or-later

set -euo pipefail

die ()
{
  printf 'demo: %s\n' "$*" >&2
  exit 1
}

[ $# -ge 2 ] || die "usage: demo.sh BUILD_DIR OUT_DIR [IMAGE...]"
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
top=$(dirname "$(dirname "$here")")
build=$1
out=$2
shift 2
[ -e "$build/plugin/procedures/isolux/isolux" ] \
  || die "$build holds no plug-in: build first"
# shellcheck source=tests/gimp-env.sh
. "$top/tests/gimp-env.sh" "$build"

clip_limit=3.0
images=("$@")
[ $# -gt 0 ] || images=("$top/data/samples/chest-8bit.png"
                        "$top/data/samples/chest-12bit.png"
                        "$top/data/samples/retina.jpg")
for image in "${images[@]}"; do
  [ -e "$image" ] || die "$image: there is no such file"
  [ ! -d "$image" ] || die "$image is a folder, not an image"
  [ -r "$image" ] || die "$image cannot be read"
done
mkdir -p "$out"
out=$(realpath -- "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# --- In GIMP ----------------------------------------------------------------

# scheme_string TEXT: TEXT as Script-Fu reads it
scheme_string ()
{
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

# The pictures' names, without the folder and the suffix
names=()
for image in "${images[@]}"; do
  name=$(basename -- "$image")
  name=${name%.*}
  for other in ${names[@]+"${names[@]}"}; do
    [ "$other" != "$name" ] || name=$name-$((${#names[@]} + 1))
  done
  names+=("$name")
done

# Every message that begins with "demo: " goes to standard error between the
# lines of the operations, so that these can be told apart.
{
  cat << 'SCHEME'
(script-fu-use-v3)
(gimp-message-set-handler 1)

(define (write-text path text)
  (let ((port (open-output-file path)))
    (display text port)
    (close-port port)))

; The one layer to work on
(define (demo-layer image)
  (if (= (gimp-image-get-base-type image) INDEXED)
      (gimp-image-convert-rgb image))
  (gimp-selection-none image)
  (if (> (vector-length (gimp-image-get-layers image)) 1)
      (gimp-image-merge-visible-layers image CLIP-TO-IMAGE)
      (vector-ref (gimp-image-get-layers image) 0)))

; Runs what on a copy of the image, saves the result
(define (demo-step image path what)
  (let* ((copy (gimp-image-duplicate image))
         (layer (vector-ref (gimp-image-get-layers copy) 0)))
    (what copy layer)
    (file-png-export #:image copy #:file path)
    (gimp-image-delete copy)))

; The histogram as JSON: the third value returned
(define (demo-histogram image layer path)
  (let ((values (plug-in-isolux-histogram #:image image
                                          #:drawables (vector layer))))
    (write-text path (list-ref values 2))))

(define (demo path out work clip-limit)
  (let* ((image (gimp-file-load RUN-NONINTERACTIVE path))
         (layer (demo-layer image)))
    (gimp-message (string-append "demo: begin "
      (number->string (gimp-drawable-get-width layer)) "x"
      (number->string (gimp-drawable-get-height layer)) " "
      (if (gimp-drawable-is-gray layer) "gray " "color ")
      (number->string (gimp-image-get-precision image))))
    (demo-histogram image layer (string-append work "-before.json"))
    (file-png-export #:image image
                     #:file (string-append work "-before.png"))
    (gimp-message "demo: grayscale")
    (demo-step image (string-append out "-grayscale.png")
      (lambda (image layer)
        (plug-in-isolux-grayscale #:image image #:drawables (vector layer))))
    (gimp-message "demo: equalize")
    (demo-step image (string-append out "-equalize.png")
      (lambda (image layer)
        (plug-in-isolux-equalize #:image image #:drawables (vector layer))
        (demo-histogram image layer (string-append work "-equalize.json"))))
    (gimp-message "demo: equalize-clip")
    (demo-step image (string-append out "-equalize-clip.png")
      (lambda (image layer)
        (plug-in-isolux-equalize #:image image #:drawables (vector layer)
                                 #:clip-limit clip-limit)
        (demo-histogram image layer
                        (string-append work "-equalize-clip.json"))))
    (gimp-image-delete image)
    (gimp-message "demo: end")))
SCHEME
  for k in "${!images[@]}"; do
    path=$(realpath -- "${images[$k]}")
    printf '(demo %s %s %s %s)\n' "$(scheme_string "$path")" \
      "$(scheme_string "$out/${names[$k]}")" \
      "$(scheme_string "$work/$k")" "$clip_limit"
  done
  printf '(write-text %s (list-ref (plug-in-isolux-info) 2))\n' \
    "$(scheme_string "$work/info")"
} > "$work/demo.scm"

status=0
ISOLUX_VERBOSE=1 gimp_batch "$work/demo.scm" > "$work/log" 2>&1 || status=$?

# --- What happened ----------------------------------------------------------

# The log's lines, by image (from 1) and step: "K STEP LINE"
steps=$(awk '
  match($0, /demo: (begin|grayscale|equalize-clip|equalize|end)/) {
    step = substr($0, RSTART + 6, RLENGTH - 6)
    if (step == "begin")
      print ++k, step, substr($0, RSTART + RLENGTH + 1)
    else
      print k, step, ""
    next
  }
  /^isolux: / && step != "" { print k, "line-" step, $0 }
' "$work/log")

if [ "$status" != 0 ]; then
  begun=$(grep -c ' begin ' <<< "$steps" || true)
  ended=$(grep -c ' end ' <<< "$steps" || true)
  image=${images[$ended]:-}
  what='it did not work'
  [ "$begun" != "$ended" ] || what='GIMP cannot open it'
  reason=$(sed -n -E \
    's/^Error: Procedure execution of [^ ]+ failed: (.*) \(.*\) *$/\1/p' \
    "$work/log")
  [ -z "$reason" ] || [ -z "$image" ] || die "$image: $what: $reason"
  # something else: show all that was said
  sed '/^isolux: /d; /demo: /d; s/^/demo: | /' "$work/log" >&2
  die "${image:+$image: $what}"
fi

# depth PRECISION: in words
depth ()
{
  case $1 in
    1??) echo '8 bits' ;;
    2??) echo '16 bits' ;;
    3??) echo '32 bits' ;;
    5??) echo '16 bits, floating point' ;;
    6??) echo '32 bits, floating point' ;;
    7??) echo '64 bits, floating point' ;;
    *) echo "precision $1" ;;
  esac
}

# time_of K STEP: what its line says: milliseconds, and where
time_of ()
{
  local line
  line=$(sed -n "s/^$1 line-$2 isolux: //p" <<< "$steps" | tail -n 1)
  case $line in
    '') echo 'nothing to do' ;;
    *' copied: '*) echo "${line##* copied: }" ;;
    *)
      sed -E 's/.* on (CPU|CUDA) .*compute ([0-9.]+) ms.*total ([0-9.]+) ms.*/\3 ms on the \1 (\2 of them computing)/' \
        <<< "$line"
      ;;
  esac
}

# short PATH: without the folder we are in
short ()
{
  case $1 in
    "$PWD"/*) printf '%s' "${1#"$PWD"/}" ;;
    *) printf '%s' "$1" ;;
  esac
}

width=0
for name in "${names[@]}"; do
  [ $((${#name} + 18)) -le $width ] || width=$((${#name} + 18))
done
for k in "${!images[@]}"; do
  name=${names[$k]}
  n=$((k + 1))
  read -r size kind precision \
    < <(sed -n "s/^$n begin //p" <<< "$steps")
  python3 "$here/histogram.py" "$out/$name-histogram.png" \
    "$(basename -- "${images[$k]}")" \
    "before" "$work/$k-before.png" "$work/$k-before.json" \
    "equalized" "$out/$name-equalize.png" "$work/$k-equalize.json" \
    "equalized, clip limit $clip_limit" "$out/$name-equalize-clip.png" \
    "$work/$k-equalize-clip.json"
  printf '%s: %s, %s, %s\n' "$(short "${images[$k]}")" "${size/x/ x }" "$kind" \
    "$(depth "$precision")"
  printf "  %-${width}s  %s\n" \
    "$name-grayscale.png" "$(time_of $n grayscale)" \
    "$name-equalize.png" "$(time_of $n equalize)" \
    "$name-equalize-clip.png" "$(time_of $n equalize-clip)" \
    "$name-histogram.png" 'the pictures and their histograms'
done
printf '\nThe pictures are in %s.\nWhat computes:\n%s\n' "$(short "$out")" \
  "$(sed 's/^/  /' "$work/info")"
if ! grep -q '^CUDA: off' "$work/info" && grep -q 'isolux: .* on CPU ' "$work/log"
then
  echo 'Small images run on the CPU, which is done before a GPU has them;'
  echo 'ISOLUX_BACKEND=cuda takes the GPU for all.'
fi
