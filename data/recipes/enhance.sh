#!/usr/bin/env bash
# enhance.sh - pictures of images, by GIMP without a window.
#
#   enhance.sh [-a ARGUMENTS] OUTPUT FILE...
#
# Opens each FILE and writes what plug-in-isolux-enhance-files makes of it to
# the folder OUTPUT, which is made when it is not there.  One GIMP serves all
# FILEs; with GNU Parallel several do, see README, "Pipelines".
#
#   -a ARGUMENTS   further arguments of the procedure, as Script-Fu writes
#                  them: '#:window-preset "ct-lung" #:clip-limit 3.0'
#
# The status is 0 when all files were enhanced.  GIMP_CONSOLE names another
# program than the newest gimp-console that is there.
#
# SPDX-License-Identifier: GPL-3.0-or-later

set -euo pipefail

usage ()
{
  sed -n 's/^# \{0,1\}//; 2,/^SPDX/ { /^SPDX/d; p }' "$0"
}

# quote TEXT: as Script-Fu writes a string
quote ()
{
  local text=${1//\\/\\\\}
  printf '"%s"' "${text//\"/\\\"}"
}

arguments=
while getopts 'a:h' option; do
  case $option in
    a) arguments=$OPTARG ;;
    h) usage; exit 0 ;;
    *) usage >&2; exit 64 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 2 ] || { usage >&2; exit 64; }

output=$(realpath -m -s -- "$1")
shift
files=
for file in "$@"; do
  [ -r "$file" ] || { echo "enhance.sh: $file cannot be read" >&2; exit 66; }
  files+=" $(quote "$(realpath -s -- "$file")")"
done

gimp=${GIMP_CONSOLE:-$(command -v gimp-console-3.2 || command -v gimp-console-3.0 \
                       || command -v gimp-console || true)}
[ -n "$gimp" ] || { echo 'enhance.sh: there is no gimp-console' >&2; exit 69; }

# GIMP says on standard error how each script ended
exec "$gimp" -n -i -d -f --batch-interpreter=plug-in-script-fu-eval \
  -b "(begin (script-fu-use-v3)
        (display (plug-in-isolux-enhance-files
                   #:files (list$files)
                   #:output $(quote "$output")
                   $arguments))
        (newline))" \
  --quit < /dev/null
