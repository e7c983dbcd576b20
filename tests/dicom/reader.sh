#!/usr/bin/env bash
# reader.sh - the reader alone, on DICOM files of all kinds.
#
#   reader.sh READER
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
scratch=$(mktemp -d "${TMPDIR:-/tmp}/isolux-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
python3 "$here/files.py" "$scratch" > "$scratch/said" 2>&1 \
  || { sed 's/^/# /' "$scratch/said"; echo 'Bail out! no files'; exit 1; }
python3 "$here/reader.py" "$1" "$scratch"
