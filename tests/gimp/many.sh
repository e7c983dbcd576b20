#!/usr/bin/env bash
# many.sh - a hundred slices in one call: all pictures come, and GIMP's memory
# does not grow with their number.
#
#   many.sh BUILD_DIR
#
# Says times and sizes.  Writes TAP.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=tests/gimp/lib.sh
. "$here/lib.sh" "$1"

# slices COUNT DIR: a phantom of 512 x 512, signed 16 bits
slices ()
{
  mkdir -p "$2"
  python3 - "$1" "$2" << 'PYTHON'
import sys

import numpy as np
from PIL import Image

count, folder = int(sys.argv[1]), sys.argv[2]
noise = np.random.default_rng(7).normal(0.0, 12.0, (512, 512))
y, x = np.mgrid[0:512, 0:512] / 256.0 - 1.0
for k in range(1, count + 1):
    hu = np.full((512, 512), -1000.0)
    hu[(x / 0.8) ** 2 + (y / 0.6) ** 2 < 1] = 40.0
    hu[((abs(x) - 0.35) / 0.2) ** 2 + (y / (0.5 - k / 250)) ** 2 < 1] = -800.0
    hu += np.roll(noise, 31 * k)
    image = Image.fromarray(np.rint(hu).astype('<i2').view('<u2'))
    image.save(f'{folder}/slice-{k}.tif', tiffinfo={339: 2})
PYTHON
}

# enhance COUNT: seconds and the most memory of any process, in MB, into
# `seconds` and `megabytes`
enhance ()
{
  local status
  slices "$1" "$scratch/in-$1"
  python3 - "$scratch/used" "$here/../../data/recipes/enhance.sh" \
    -a '#:kind "signed-16-hu" #:window-preset "ct-abdomen" #:values #t' \
    "$scratch/out-$1" "$scratch/in-$1/"*.tif > "$scratch/errors" 2>&1 \
    << 'PYTHON'
import resource
import subprocess
import sys
import time

start = time.monotonic()
status = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
with open(sys.argv[1], 'w', encoding='ascii') as file:
    print(round(time.monotonic() - start, 1), used, file=file)
sys.exit(status)
PYTHON
  status=$?
  [ $status = 0 ] || tail -n 5 "$scratch/errors" | sed 's/^/# /'
  read -r seconds megabytes < "$scratch/used"
  echo "# $1 slices: $seconds s, at most $megabytes MB"
  return $status
}

# pictures COUNT: whether there are so many, and of values
pictures ()
{
  [ "$(find "$scratch/out-$1" -name '*-values.png' | wc -l)" = "$1" ] \
    && [ "$(find "$scratch/out-$1" -name '*.png' | wc -l)" = $((2 * $1)) ]
}

tap_start
profile=$scratch/profile
gimp_profile "$profile"
export GIMP3_DIRECTORY=$profile
enhance 10
tap_result $? 'ten slices in one call'
few=$megabytes
enhance 100
tap_result $? 'a hundred slices in one call'
pictures 100
tap_result $? 'a picture and a file of values for each'
[ "$megabytes" -le $((few + few / 4)) ]
tap_result $? 'the memory stays flat'
tap_end
