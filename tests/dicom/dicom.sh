#!/usr/bin/env bash
# dicom.sh - DICOM files of all kinds, good and broken, in real GIMP.
#
#   dicom.sh BUILD_DIR all|some [FOLDER_OF_OTHER_FILES]
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
ISOLUX_PROCEDURES=$1/plugin/procedures:$1/plugin/dicom:$1/tests/dicom/plug-ins
ISOLUX_PROFILE=$1/tests/dicom/profile
export ISOLUX_PROCEDURES
# shellcheck source=tests/gimp/lib.sh
. "$here/../gimp/lib.sh" "$1"
which=$2
others=${3:-}
[ -d "$others" ] || others=
tap_start

python3 "$here/files.py" "$scratch/files" > "$scratch/said" 2>&1 \
  && python3 "$here/broken.py" "$scratch/broken" "$scratch/files" \
       >> "$scratch/said" 2>&1
made=$?
[ $made = 0 ] || sed 's/^/# /' "$scratch/said"
tap_result $made 'the files were made'
python3 "$here/gimp.py" list "$scratch" "$which" "$others"

gimp_run "$GIMP_CONSOLE" -n -i -d -f -c \
  --batch-interpreter=plug-in-script-fu-eval \
  -b "(isolux-dump #:list \"$scratch/list\")" --quit \
  < /dev/null > "$scratch/out.txt" 2> "$scratch/errors"
ended=$?
[ $ended = 0 ] || tail -n 20 "$scratch/errors" | sed 's/^/# /'
tap_result $ended 'exit status'

python3 "$here/gimp.py" check "$scratch" "$which" "$others" > "$scratch/tap" \
  2> "$scratch/trouble"
checked=$?
sed 's/^/# /' "$scratch/trouble"
tap_copy "$scratch/tap"
tail -n 1 "$scratch/tap" | grep -q -E '^1\.\.[0-9]+$'
tap_result $? "all was compared ($checked)"
tap_complaints "$scratch/errors"
tap_end
