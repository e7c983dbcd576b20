# lib.sh - what the tests with real GIMP share.
#
#   . lib.sh BUILD_DIR
#
# With another ISOLUX_PROCEDURES, ISOLUX_PROFILE must be another one, too.
#
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

# One more folder of plug-ins, so a profile of its own
build=$(realpath -s -- "$1")
ISOLUX_PROCEDURES=${ISOLUX_PROCEDURES:-$build/plugin/procedures:$build/plugin/dicom}
ISOLUX_PROCEDURES=$ISOLUX_PROCEDURES:$build/tests/gimp/plug-ins
ISOLUX_PROFILE=${ISOLUX_PROFILE:-$build/tests/gimp/profile}
mkdir -p "$ISOLUX_PROFILE"
# shellcheck source=tests/gimp-env.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../gimp-env.sh" "$build"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/isolux-test.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# ---- TAP ----

tap_start ()
{
  tap_count=0
  tap_failed=0
}

# tap_result STATUS TEXT: 0 is good
tap_result ()
{
  tap_count=$((tap_count + 1))
  if [ "$1" = 0 ]; then
    echo "ok $tap_count - $2"
  else
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $2 ($1)"
  fi
}

# tap_copy FILE: the lines of others, numbered here
tap_copy ()
{
  local line
  while IFS= read -r line; do
    case $line in
      'ok '*)
        tap_count=$((tap_count + 1))
        echo "ok $tap_count ${line#ok }" ;;
      'not ok '*)
        tap_count=$((tap_count + 1))
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count ${line#not ok }" ;;
      '#'*)
        echo "$line" ;;
    esac
  done < "$1"
}

# tap_complaints FILE: criticals and warnings that are not known
tap_complaints ()
{
  # GIMP says the first lines now and then when processes end; its importers
  # complain about images; Script-Fu and the test plug-in hand over things
  # that are wrong on purpose
  grep -E 'CRITICAL|WARNING|ERROR \*\*|terminated:|Sanitizer' "$1" \
    | grep -v -E \
        -e 'g_object_unref: assertion .G_IS_OBJECT \(object\). failed' \
        -e 'gimp_flush\(\): error: Broken pipe' \
        -e 'gegl_tile_cache_destroy: runtime check failed' \
        -e 'gimp_finalize: list of contexts not empty' \
        -e '\(file-[a-z]+:[0-9]+\)' \
        -e '^\((script-fu|isolux-test):[0-9]+\)' > "$1.ours"
  sed 's/^/# /' "$1.ours"
  test ! -s "$1.ours"
  tap_result $? 'nobody complained'
}

tap_end ()
{
  echo "1..$tap_count"
  exit $((tap_failed > 0))
}
