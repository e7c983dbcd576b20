#!/usr/bin/env bash
# series.sh - a hundred slices of a CT in real GIMP: time and memory.
#
#   series.sh BUILD_DIR
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
ISOLUX_PROCEDURES=$1/plugin/procedures:$1/plugin/dicom:$1/tests/dicom/plug-ins
ISOLUX_PROFILE=$1/tests/dicom/profile
export ISOLUX_PROCEDURES
# shellcheck source=tests/gimp/lib.sh
. "$here/../gimp/lib.sh" "$1"
tap_start

python3 "$here/files.py" "$scratch/files" series > "$scratch/said" 2>&1
made=$?
[ $made = 0 ] || sed 's/^/# /' "$scratch/said"
tap_result $made 'the files were made'

gimp_run "$GIMP_CONSOLE" -n -i -d -f -c \
  --batch-interpreter=plug-in-script-fu-eval \
  -b "(isolux-dump #:series \"$scratch/files\")" --quit \
  < /dev/null > "$scratch/out.txt" 2> "$scratch/errors"
ended=$?
[ $ended = 0 ] || tail -n 20 "$scratch/errors" | sed 's/^/# /'
tap_result $ended 'exit status'
python3 "$here/gimp.py" series "$scratch/files" > "$scratch/tap" \
  2> "$scratch/trouble"
sed 's/^/# /' "$scratch/trouble"
tap_copy "$scratch/tap"
tail -n 1 "$scratch/tap" | grep -q -E '^1\.\.[0-9]+$'
tap_result $? 'all was compared'
tap_complaints "$scratch/errors"
tap_end
