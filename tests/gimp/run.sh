#!/usr/bin/env bash
# run.sh - one suite of the test plug-in, in real headless GIMP.
#
#   run.sh BUILD_DIR SUITE [ARGUMENT]
#
# Writes TAP.  Beside the suite's own results there are three more: the suite
# came to its end, GIMP's exit status, and that nobody complained (GLib's
# criticals and warnings) on standard error.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=tests/gimp/lib.sh
. "$here/lib.sh" "$1"
suite=$2
argument=${3:-}

case $suite in
  files)
    if [ ! -d "$argument" ]; then
      echo '1..0 # SKIP the folder of test images is not there'
      exit 0
    fi ;;
  fault)
    export ISOLUX_FAULT=$argument ;;
esac

# Text layers need fonts, which GIMP loads without -f only
fonts=-f
[ "$suite" != targets ] || fonts=

tap_start
# shellcheck disable=SC2086 # no argument when empty
gimp_run "$GIMP_CONSOLE" -n -i -d $fonts -c \
  --batch-interpreter=plug-in-script-fu-eval \
  -b "(isolux-test #:suite \"$suite\" #:argument \"$argument\")" \
  --quit < /dev/null > "$scratch/out" 2> "$scratch/errors"
ended=$?

tap_copy "$scratch/out"
grep -q -x "# $suite: done" "$scratch/out"
tap_result $? 'the suite came to its end'
[ $ended = 0 ] || sed 's/^/# /' "$scratch/errors" | tail -n 20
tap_result $ended 'exit status'
tap_complaints "$scratch/errors"
tap_end
