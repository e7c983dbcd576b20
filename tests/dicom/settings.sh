#!/usr/bin/env bash
# settings.sh - whose loader opens DICOM files: Isolux's, or GIMP's when
# Isolux's is turned off; and what is said when the reader is not there.
#
#   settings.sh BUILD_DIR
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=tests/gimp/lib.sh
. "$here/../gimp/lib.sh" "$1"
unset ISOLUX_DICOM
tap_start

python3 "$here/files.py" "$scratch" window > "$scratch/said" 2>&1
made=$?
[ $made = 0 ] || sed 's/^/# /' "$scratch/said"
tap_result $made 'the files were made'
profile=$scratch/profile
gimp_profile "$profile"

# who WANTED TEXT [EXPRESSION]: GIMP says its precision after EXPRESSION, 250
# from Isolux's loader and 150 from GIMP's
who ()
{
  GIMP3_DIRECTORY=$profile "$GIMP_CONSOLE" -n -i -d -f -c \
    --batch-interpreter=plug-in-script-fu-eval -b "(begin
      (script-fu-use-v3)
      ${3:-}
      (let ((image (gimp-file-load RUN-NONINTERACTIVE \"$scratch/blocks.dcm\")))
        (display (list \"precision\" (gimp-image-get-precision image)))
        (gimp-image-delete image)))" --quit \
    < /dev/null > "$scratch/out" 2> "$scratch/errors"
  if grep -q -F "(precision $1)" "$scratch/out"; then
    tap_result 0 "$2"
  else
    sed 's/^/# /' "$scratch/out" "$scratch/errors"
    tap_result 1 "$2"
  fi
}

who 250 'File > Open takes the loader of Isolux'
ISOLUX_DICOM=off who 150 'ISOLUX_DICOM=off leaves it to GIMP'
who 250 'for as long as it is set' '(gimp-gimprc-set "isolux-dicom" "off")'
who 150 'the setting does the same from the next start on'
ISOLUX_DICOM=on who 250 'ISOLUX_DICOM=on comes before it'
who 250 'by its name the procedure works, turned off or not' "
  (define gimp-file-load
    (lambda (mode file) (file-isolux-dicom-load #:file file)))
  (gimp-gimprc-set \"isolux-dicom\" \"on\")"
who 250 'turned on again'

# an installation that lacks the reader
mkdir -p "$scratch/plug-ins/isolux-dicom"
cp "$build/plugin/dicom/isolux-dicom/isolux-dicom" \
  "$scratch/plug-ins/isolux-dicom"
cp -r "$build/po" "$scratch/plug-ins/isolux-dicom/locale"
sed -i "s,$build/plugin/dicom,$scratch/plug-ins," "$profile/gimprc"
(who none 'no image without the reader') > "$scratch/none"
grep -q '^# (precision' "$scratch/none"
test $? = 1 && grep -q 'The DICOM reader cannot be started' "$scratch/none"
tap_result $? 'a reader that is missing is said in words'
tap_end
