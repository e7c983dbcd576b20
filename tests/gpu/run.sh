#!/usr/bin/env bash
# run.sh - everything that wants a GPU, on a machine that has one.
#
#   run.sh [BUILD_DIR [STEP...]]
#
# Runs the test programs of a finished build, the parity suite under
# compute-sanitizer's four tools, the benchmark, and GIMP with
# ISOLUX_BACKEND=cuda.  Needs neither Meson, Python nor a compiler.  Steps:
# driver unit golden users parity fault memcheck racecheck initcheck synccheck
# timing gimp speed; without any, all of them.
#
# Logs go to $OUT, else to BUILD_DIR/gpu-logs.  Ends by itself within nine
# minutes (ISOLUX_GPU_SECONDS), prints a summary, and fails when a step did.
#
# SPDX-License-Identifier: GPL-3.0-or-later

set -uo pipefail

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
top=$(dirname "$(dirname "$here")")
build=$(realpath -- "${1:-$top/build}")
[ $# = 0 ] || shift
steps=("$@")
[ $# -gt 0 ] || steps=(driver unit golden users parity fault memcheck racecheck
                       initcheck synccheck timing gimp speed)
logs=${OUT:-$build/gpu-logs}
mkdir -p "$logs"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

ends=$((SECONDS + ${ISOLUX_GPU_SECONDS:-530}))
export LC_ALL=C.UTF-8
unset ISOLUX_BACKEND ISOLUX_FAULT
# what Meson sets for the test programs
tests_env=(env G_TEST_SRCDIR="$top/tests" G_TEST_BUILDDIR="$build/tests"
           G_DEBUG=fatal-criticals)

# --- Steps ------------------------------------------------------------------

# limited SECONDS COMMAND...: ends it after that, and when time is up
limited ()
{
  local limit=$1 left=$((ends - SECONDS))
  shift
  [ "$limit" -lt "$left" ] || limit=$left
  [ "$limit" -gt 0 ] || { echo 'no time is left'; return 124; }
  timeout --kill-after=5 "$limit" "$@"
}

# CUDA was there: a suite that skips it has shown nothing
ran_on_cuda ()
{
  if ! grep -q '^ok [0-9]* .*/cuda/' "$1" \
     || grep -q '^ok [0-9]* .*/cuda/.*# SKIP' "$1"; then
    echo 'nothing ran on CUDA, or a part of it was skipped'
    return 1
  fi
}

step_driver ()
{
  if command -v nvidia-smi > /dev/null; then
    limited 20 nvidia-smi \
      --query-gpu=name,driver_version,memory.total,compute_cap --format=csv
  else
    cat /proc/driver/nvidia/version 2> /dev/null
  fi
  ls "${build:?}"/gpu/libisolux.so*
  # says why when there is none, and fails then
  limited 60 "$build/tests/bench/isolux-bench" --quick > "$scratch/quick" 2>&1 \
    || { cat "$scratch/quick"; return 1; }
  grep -E '^(CUDA|- (gpu|cuda)):' "$scratch/quick"
  grep -q '^- cuda: started' "$scratch/quick"
}

# suite SECONDS SUITE: all its programs, each in turn
suite ()
{
  local program failed=0 found=0
  for program in "$build/tests/$2/$2" "$build/tests/$2/$2"-*; do
    if [ -f "$program" ] && [ -x "$program" ]; then
      found=1
      echo "# ${program##*/}"
      (cd "$build" && limited "$1" "${tests_env[@]}" "$program" -k) || failed=1
    fi
  done
  [ $found = 1 ] || { echo "SKIP: $2 was not built"; return 77; }
  return $failed
}

step_unit () { suite 60 unit; }
step_golden () { suite 90 golden; }
step_users () { suite 60 users; }
step_parity () { suite 150 parity && ran_on_cuda "$logs/parity.log"; }
step_fault () { suite 90 fault && ran_on_cuda "$logs/fault.log"; }

# sanitize TOOL [OPTION...]: the parity suite's quick part on CUDA
sanitize ()
{
  local sanitizer tool=$1 program failed=0
  shift
  sanitizer=$(command -v compute-sanitizer \
              || command -v /usr/local/cuda/bin/compute-sanitizer) \
    || { echo 'SKIP: there is no compute-sanitizer'; return 77; }
  export ISOLUX_PARITY_QUICK=1
  for program in "$build"/tests/parity/parity "$build"/tests/parity/parity-*; do
    if [ -f "$program" ] && [ -x "$program" ]; then
      echo "# ${program##*/}"
      (cd "$build" \
        && limited 100 "${tests_env[@]}" "$sanitizer" --tool "$tool" "$@" \
             --error-exitcode 9 --print-limit 20 \
             "$program" -k -s /parity/cpu) || failed=1
    fi
  done
  [ $failed = 0 ] \
    && ! grep 'ERROR SUMMARY:' "$logs/$tool.log" | grep -v ' 0 errors' > /dev/null \
    && ! grep 'RACECHECK SUMMARY:' "$logs/$tool.log" | grep -v ' 0 hazards' > /dev/null \
    && ran_on_cuda "$logs/$tool.log"
}

step_memcheck () { sanitize memcheck; }
step_racecheck () { sanitize racecheck; }
step_initcheck () { sanitize initcheck; }
step_synccheck () { sanitize synccheck; }

step_timing ()
{
  limited 240 "$build/tests/bench/isolux-bench" --types u8,u16,u12 \
    --data photo,uniform,constant,two --on cuda,rows --seconds 0.1
}

# --- GIMP -------------------------------------------------------------------

# gimp-env.sh asks for four folders; pkg-config need not be here
command -v pkg-config > /dev/null || pkg-config ()
{
  local base
  base=$(dirname "$(find /usr/lib -maxdepth 3 -type d -name gegl-0.4 \
                    | head -n 1)")
  case $* in
    *pluginsdir*) echo "$base/gegl-0.4" ;;
    *gimplibdir*) dirname "$(find "$base/gimp" -maxdepth 2 -name plug-ins \
                             | head -n 1)" ;;
    *gimpdatadir*) find /usr/share/gimp -mindepth 1 -maxdepth 1 | head -n 1 ;;
  esac
}

# in_gimp BACKEND SECONDS EXPRESSION
in_gimp ()
{
  export -f pkg-config 2> /dev/null
  # shellcheck disable=SC2016
  ISOLUX_BACKEND=$1 limited "$2" bash -c '
    . "$1/tests/gimp-env.sh" "$2" && gimp_batch -e "$3"' \
    gimp "$top" "$build" "$3"
}

gimp_is_there ()
{
  if [ -z "$(command -v gimp-console-3.0 || command -v gimp-console-3.2)" ]
  then
    echo 'SKIP: there is no GIMP'
    return 1
  elif [ ! -x "$build/plugin/procedures/isolux/isolux" ]; then
    echo 'SKIP: the plug-in was not built'
    return 1
  fi
}

# The same pictures from both backends
step_gimp ()
{
  local backend name expression failed=0
  gimp_is_there || return 77
  for backend in cuda cpu; do
    expression="(define (go from to)
        (let* ((image (gimp-file-load RUN-NONINTERACTIVE from))
               (layer (vector-ref (gimp-image-get-layers image) 0))
               (all (vector layer)))
          (plug-in-isolux-equalize #:image image #:drawables all
                                   #:clip-limit 3.0)
          (plug-in-isolux-equalize #:image image #:drawables all)
          (plug-in-isolux-grayscale #:image image #:drawables all
                                    #:method \"lightness\")
          (gimp-file-save RUN-NONINTERACTIVE image to)
          (gimp-image-delete image)))
      (gimp-message-set-handler 1)
      (let ((info (plug-in-isolux-info)))
        (display (list \"backend:\" (list-ref info 1))) (newline)
        (display (list-ref info 2)) (newline))"
    for name in chest-8bit.png chest-12bit.png retina.jpg; do
      expression+="(go \"$top/data/samples/$name\"
                       \"$scratch/$name-$backend.pnm\")"
    done
    in_gimp "$backend" 60 "$expression" > "$scratch/said" 2>&1 || failed=1
    cat "$scratch/said"
    [ "$backend" != cuda ] || grep -q 'backend: cuda' "$scratch/said" \
      || { echo 'CUDA is off in GIMP'; failed=1; }
  done
  for name in chest-8bit.png chest-12bit.png retina.jpg; do
    if cmp "$scratch/$name-cuda.pnm" "$scratch/$name-cpu.pnm"; then
      echo "$name: the same bytes from CUDA and CPU"
    else
      failed=1
    fi
  done
  return $failed
}

# Milliseconds of isolux:equalize merged in GIMP's core, 4096 x 4096, and of
# GIMP's own Equalize: medians of 31, after 5 to warm up
step_speed ()
{
  local backend kind expression
  gimp_is_there || return 77
  for kind in GRAY RGB; do
    for backend in cuda cpu; do
      expression="
        (define (now)
          (let ((t (gettimeofday))) (+ (* 1000.0 (car t))
                                       (/ (cadr t) 1000.0))))
        (define (insert x all)
          (if (or (null? all) (<= x (car all)))
            (cons x all)
            (cons (car all) (insert x (cdr all)))))
        (define (median n all what)
          (if (> n 0)
            (let ((start (now)))
              (what)
              (median (- n 1)
                      (if (> n 31) all (insert (- (now) start) all)) what))
            (list-ref all 15)))
        (let* ((image (gimp-image-new 4096 4096 $kind))
               (layer (gimp-layer-new image \"layer\" 4096 4096 $kind-IMAGE
                                      100 LAYER-MODE-NORMAL)))
          (gimp-image-undo-disable image)
          (gimp-image-insert-layer image layer 0 0)
          (gimp-context-set-foreground \"#203040\")
          (gimp-context-set-background \"#90a080\")
          (gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0
                                            #f 0 0 4096 4096)
          (let* ((ours (median 36 '() (lambda ()
                   (gimp-drawable-merge-new-filter layer
                     \"isolux:equalize\" \"Isolux\" LAYER-MODE-REPLACE
                     1.0))))
                 (own (median 36 '() (lambda ()
                   (gimp-drawable-equalize layer FALSE)))))
            (display (list \"merged in ms:\" ours
                           \"GIMP's own Equalize:\" own)))
          (newline)
          (gimp-image-delete image))"
      ISOLUX_VERBOSE=1 in_gimp "$backend" 90 "$expression" \
        > "$scratch/said" 2>&1 || { cat "$scratch/said"; return 1; }
      echo "$kind $backend: $(grep 'merged in ms' "$scratch/said")"
      echo "  of it: $(grep '^isolux: ' "$scratch/said" | tail -n 1)"
    done
  done
}

# --- All of them ------------------------------------------------------------

passed=0 failed=0 skipped=0 summary=()
for step in "${steps[@]}"; do
  log=$logs/$step.log start=$SECONDS status=0
  echo "=== $step"
  ("step_$step") > "$log" 2>&1 || status=$?
  case $status in
    0) word=ok passed=$((passed + 1)) ;;
    77) word=skipped skipped=$((skipped + 1)) ;;
    124 | 137) word='FAILED (out of time)' failed=$((failed + 1)) ;;
    *) word="FAILED (status $status)" failed=$((failed + 1)) ;;
  esac
  summary+=("$(printf '%-10s %4d s  %s' "$step" $((SECONDS - start)) "$word")")
  case $status-$step in
    0-driver | 0-timing | 0-gimp | 0-speed | 77-*) cat "$log" ;;
    0-*) grep -c '^ok ' "$log" | sed 's/$/ results, all ok/' ;;
    *) grep -v '^ok ' "$log" | head -n 40
       echo ...
       tail -n 15 "$log" ;;
  esac
done

printf '=== summary\n'
printf '%s\n' "${summary[@]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
