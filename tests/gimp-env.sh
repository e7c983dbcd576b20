# gimp-env.sh - headless GIMP and gegl with the operations and the plug-in of
# a build folder, from there, with nothing installed.
#
#   . tests/gimp-env.sh BUILD_DIR
#
# (bash) exports GEGL_PATH, GIMP3_DIRECTORY, GIMP_CONSOLE and GIMP_WINDOW, and
# defines gimp_profile, gimp_batch and gimp_run.
#
# May be set before, to work with something else than the build folder, as
# the test of an installation does:
#   ISOLUX_OPERATIONS   folder with the GEGL operations
#   ISOLUX_PROCEDURES   folders that hold isolux/isolux, the plug-in, and
#                       isolux-dicom/isolux-dicom, with : between them
#   ISOLUX_PROFILE      folder for the profile that the private ones copy
#
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash

ISOLUX_BUILD=$(realpath -s -- "${1:?usage: . gimp-env.sh BUILD_DIR}")
: "${ISOLUX_OPERATIONS:=$ISOLUX_BUILD/plugin/operations}"
: "${ISOLUX_PROCEDURES:=$ISOLUX_BUILD/plugin/procedures:$ISOLUX_BUILD/plugin/dicom}"
: "${ISOLUX_PROFILE:=$ISOLUX_BUILD/gimp-profile}"
export ISOLUX_BUILD ISOLUX_OPERATIONS ISOLUX_PROCEDURES ISOLUX_PROFILE

# 3.0's programs are gimp-3.0 and gimp-console-3.0, 3.2's gimp-3.2 and so on;
# either may be missing
GIMP_CONSOLE=$(command -v gimp-console-3.2 || command -v gimp-console-3.0 || true)
GIMP_WINDOW=$(command -v gimp-3.2 || command -v gimp-3.0 || true)
export GIMP_CONSOLE GIMP_WINDOW

# It replaces GEGL's own search path, and is searched with all that lies below
GEGL_PATH=$(pkg-config --variable=pluginsdir gegl-0.4):$ISOLUX_OPERATIONS
export GEGL_PATH

# No desktop is needed, and none disturbed
export NO_AT_BRIDGE=${NO_AT_BRIDGE:-1}
export GIO_USE_VFS=local GSETTINGS_BACKEND=memory

# At each start GIMP measures babl's conversions, and glibc gives the memory
# of each back to the system: a third of the start where page faults are dear
ISOLUX_MALLOC=(MALLOC_TRIM_THRESHOLD_=268435456 MALLOC_TOP_PAD_=33554432
               MALLOC_MMAP_THRESHOLD_=33554432)
export "${ISOLUX_MALLOC[@]}"

# Of GIMP's plug-ins those that the tests want: the fewer, the quicker
ISOLUX_GIMP_PLUGINS=(script-fu file-png file-tiff file-jpeg file-pnm
                     file-dicom file-exr file-fits file-gegl file-bmp
                     file-webp file-gif-load file-gif-export
                     file-raw-data file-psd file-jpegxl file-heif)

# _gimp_write_profile DIR: what does not change from run to run.  GIMP may
# run in the same folder meanwhile, so each file appears whole.
_gimp_write_profile ()
{
  local dir=$1 gimplib data version plugin
  gimplib=$(pkg-config --variable=gimplibdir gimp-3.0)
  data=$(pkg-config --variable=gimpdatadir gimp-3.0)
  version=$("$GIMP_CONSOLE" --version)
  mkdir -p "$dir/system" "$dir/scripts" "$dir/scripts-system"
  for plugin in "${ISOLUX_GIMP_PLUGINS[@]}"; do
    [ ! -d "$gimplib/plug-ins/$plugin" ] \
      || ln -sfn "$gimplib/plug-ins/$plugin" "$dir/system/$plugin"
  done
  # Script-Fu crashes when its path has but one entry
  ln -sfn "$data/scripts/scriptfu-init" "$dir/scripts-system/scriptfu-init"
  # Without config-version each start queries all plug-ins again; one unknown
  # word, and the whole file is dropped
  cat > "$dir/gimprc.$$" << RC
(plug-in-path "$dir/system:$ISOLUX_PROCEDURES")
(script-fu-path "$dir/scripts:$dir/scripts-system")
(check-updates no)
(show-welcome-dialog no)
(color-profile-policy keep)
(metadata-rotation-policy keep)
(config-version "${version##* }")
RC
  mv "$dir/gimprc.$$" "$dir/gimprc"
}

_gimp_shared_profile ()
{
  if [ ! -e "$ISOLUX_PROFILE/gimprc" ] \
     || ! grep -q -F ":$ISOLUX_PROCEDURES\"" "$ISOLUX_PROFILE/gimprc"; then
    _gimp_write_profile "$ISOLUX_PROFILE"
  fi
}

# gimp_profile DIR
# Makes DIR a GIMP profile for the build's plug-in.  What earlier runs learned
# about the plug-ins is copied, which makes the start quick: GIMP queries them
# again in another language only, and gimprc has to say which one it was.
gimp_profile ()
{
  _gimp_shared_profile
  mkdir -p "$1"
  cp "$ISOLUX_PROFILE/gimprc" "$1/gimprc"
  if [ -e "$ISOLUX_PROFILE/pluginrc" ]; then
    cp "$ISOLUX_PROFILE/pluginrc" "$1/pluginrc"
    sed -n '1s/^#\((prev-language .*\)/\1/p' "$1/pluginrc" >> "$1/gimprc"
  fi
}

# _gimp_keep_pluginrc DIR: what GIMP learned in DIR, for the next ones; the
# language is a comment of the same file, for both to be replaced as one
_gimp_keep_pluginrc ()
{
  local kept=$ISOLUX_PROFILE/pluginrc
  if [ ! -e "$1/pluginrc" ] || cmp -s "$1/pluginrc" "$kept"; then
    return
  fi
  {
    [ ! -e "$1/gimprc" ] \
      || sed -n '/^(prev-language /{s/^/#/p;q}' "$1/gimprc"
    cat "$1/pluginrc"
  } > "$kept.$$"
  mv "$kept.$$" "$kept"
}

# _gimp_quiet: passes standard input on to standard error, without what the
# console says at every start and GIMP 3.0 at every end.  The status is 70 when
# Script-Fu ran out of memory, which GIMP itself ends well with.
_gimp_quiet ()
{
  local line status=0
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
      '' | 'batch command executed successfully' \
        | 'Failed to parse tag cache: No such file or directory' \
        | *'gimp_flush(): error: Broken pipe' \
        | *"g_object_unref: assertion 'G_IS_OBJECT (object)' failed")
        continue ;;
      'No memory!') status=70 ;;
    esac
    printf '%s\n' "$line" >&2
  done
  return $status
}

# gimp_run COMMAND...: COMMAND with a private profile that ends with it
gimp_run ()
{
  local status=0 profile
  profile=$(mktemp -d "${TMPDIR:-/tmp}/isolux-gimp.XXXXXX")
  gimp_profile "$profile"
  GIMP3_DIRECTORY=$profile "$@" || status=$?
  _gimp_keep_pluginrc "$profile"
  rm -rf "$profile"
  return $status
}

# gimp_batch FILE.scm...
# gimp_batch -e EXPRESSION
# Runs Script-Fu in headless GIMP; what it prints and GIMP's messages go to
# standard output and error.  The status is 0 only when no error was raised.
# Version 3 of the language (single values come without a list around them)
# holds for expressions; a file says (script-fu-use-v3) itself.
gimp_batch ()
{
  local commands=() file statuses=()
  if [ "${1:-}" = -e ]; then
    commands=(-b "(begin (script-fu-use-v3) ${2:?no expression} )")
  else
    for file in "${@:?no script}"; do
      [ -r "$file" ] || { echo "$file: cannot be read" >&2; return 66; }
      file=$(realpath -s -- "$file")
      file=${file//\\/\\\\}
      commands+=(-b "(load \"${file//\"/\\\"}\")")
    done
  fi
  # standard output goes around the filter
  {
    gimp_run "$GIMP_CONSOLE" -n -i -d -f -c \
      --batch-interpreter=plug-in-script-fu-eval "${commands[@]}" --quit \
      < /dev/null 2>&1 >&3 3>&- | _gimp_quiet 3>&-
    statuses=("${PIPESTATUS[@]}")
  } 3>&1
  [ "${statuses[0]}" = 0 ] || return "${statuses[0]}"
  return "${statuses[1]}"
}

# The profile of whoever starts GIMP without gimp_run
export GIMP3_DIRECTORY=${GIMP3_DIRECTORY:-$ISOLUX_PROFILE}
_gimp_shared_profile
