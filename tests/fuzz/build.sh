#!/usr/bin/env bash
# build.sh - builds the fuzzers with clang and libFuzzer.
#
#   build.sh OUT [CLANG OPTION...]
#
# OUT/fuzz-reader and OUT/fuzz-stream, with AddressSanitizer and UBSan in
# what is ours; GDCM is taken as it is installed.  With --sysroot=FOLDER the
# libraries of a Debian root are used, and the fuzzers run in there.
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -euo pipefail

out=$1
shift
top=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
root=
for option in "$@"; do
  case $option in
    --sysroot=*) root=${option#*=} ;;
  esac
done
libraries=$root/usr/lib/$(clang -dumpmachine | sed 's/-pc//')
gdcm=$(echo "$root"/usr/include/gdcm-3.*)
mkdir -p "$out"

flags=(-g -O1 -fno-omit-frame-pointer "-fsanitize=fuzzer,address,undefined"
       -fno-sanitize-recover=undefined -Wno-unknown-warning-option
       "-I$root/usr/include/glib-2.0" "-I$libraries/glib-2.0/include"
       "-I$top/plugin/dicom" "-I$top/plugin/common"
       -DGETTEXT_PACKAGE='"isolux"' "$@")
ours=("$top"/plugin/dicom/{codes,dicom,frames}.c
      "$top/plugin/common/real-values.c")
reader=("$top"/plugin/dicom/reader/{marks,pixels}.c)
objects=()

for file in "${ours[@]}" "${reader[@]}"; do
  object=$out/$(basename "$file" .c).o
  clang "${flags[@]}" -c "$file" -o "$object"
  objects+=("$object")
done
clang "${flags[@]}" "$top/tests/fuzz/stream.c" "${objects[@]}" \
  -lglib-2.0 -lm -o "$out/fuzz-stream"
clang++ -std=c++17 "${flags[@]}" -isystem "$gdcm" -rdynamic \
  "$top/tests/fuzz/reader.cc" "$top/plugin/dicom/reader/reader.cc" \
  "${objects[@]}" -lgdcmMSFF -lgdcmDSED -lgdcmCommon -lgio-2.0 \
  -lgobject-2.0 -lglib-2.0 -lm -o "$out/fuzz-reader"
echo "$out/fuzz-reader $out/fuzz-stream"
