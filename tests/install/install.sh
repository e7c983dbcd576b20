#!/usr/bin/env bash
# install.sh - an installation in a folder of its own: is all of it there,
# and does GIMP work with it?  Reports by TAP.
#
#   install.sh SOURCE_DIR BUILD_DIR PREFIX LIBDIR DATADIR LOCALEDIR
#     GEGL_PLUGINS_DIR GIMP_PLUGINS_DIR
#
# All folders but the first two are those of the installation, absolute.
#
# SPDX-License-Identifier: GPL-3.0-or-later
# Functions are called by check; names have no spaces:
# shellcheck disable=SC2317,SC2013

set -euo pipefail

source=$1 build=$2 prefix=$3 libdir=$4 datadir=$5 localedir=$6
gegl_plugins=$7 gimp_plugins=$8

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
dest=$work/dest
count=0
failed=0

# check TEXT COMMAND...: one result; what COMMAND says is shown on failure
check ()
{
  local text=$1
  shift
  count=$((count + 1))
  if "$@" > "$work/said" 2>&1 < /dev/null; then
    echo "ok $count - $text"
  else
    echo "not ok $count - $text"
    sed 's/^/# /' "$work/said"
    failed=1
  fi
}

skip ()
{
  count=$((count + 1))
  echo "ok $count - $1 # SKIP $2"
}

# --- What is installed ------------------------------------------------------

DESTDIR=$dest meson install -C "$build" --no-rebuild --quiet \
  > "$work/said" 2>&1 \
  || { sed 's/^/# /' "$work/said"; echo 'Bail out! meson install failed';
       exit 1; }

module=$dest$gegl_plugins/isolux-operations.so
plugin=$dest$gimp_plugins/isolux/isolux
library=$dest$libdir/libisolux.so
check 'the operations are where GEGL looks' test -f "$module"
check 'the plug-in is where GIMP looks' test -x "$plugin"
check 'the library is there' test -f "$library"
check 'so is its header' test -f "$dest$prefix/include/isolux.h"
check 'so is its pkg-config file' test -f "$dest$libdir/pkgconfig/isolux.pc"
check 'the metainfo is where software centers look' \
  test -f "$dest$datadir/metainfo/org.gimp.GIMP.Plugin.Isolux.metainfo.xml"
check 'the icon is in the theme' \
  test -f "$dest$datadir/icons/hicolor/scalable/apps/isolux.svg"
check 'so is the symbolic one' \
  test -f "$dest$datadir/icons/hicolor/symbolic/apps/isolux-symbolic.svg"

check 'the help is beside the plug-in' \
  test -f "$dest$gimp_plugins/isolux/help/en/isolux.html"

presets ()
{
  local file
  [ "$(readlink "$dest$gimp_plugins/isolux/presets")" \
    = "$datadir/isolux/presets" ] || return 1
  for file in "$source"/data/presets/*.ini; do
    cmp "$file" "$dest$datadir/isolux/presets/$(basename "$file")" || return 1
  done
}
check 'the presets are there, and the plug-in finds them by a link' presets
check 'so is the recipe for many files' \
  test -x "$dest$datadir/isolux/recipes/enhance.sh"
if [ -e "$build/plugin/dicom/isolux-dicom/isolux-dicom" ]; then
  dicom=$dest$gimp_plugins/isolux-dicom
  check 'the plug-in for DICOM is there' test -x "$dicom/isolux-dicom"
  check 'and its reader beside it' test -x "$dicom/isolux-dicom-reader"
  check 'it finds its translations by a link' \
    test "$(readlink "$dicom/locale")" = "$localedir"
fi

languages ()
{
  local language
  for language in $(grep -v '^#' "$source/po/LINGUAS"); do
    test -f "$dest$localedir/$language/LC_MESSAGES/isolux.mo" \
      || { echo "$language is missing"; return 1; }
  done
}
check 'every language of po/LINGUAS is there' languages
check 'the plug-in finds its translations by a link' \
  test "$(readlink "$dest$gimp_plugins/isolux/locale")" = "$localedir"

# nothing of the build folder, of this machine or of CUDA's run time
clean ()
{
  local file
  for file in "$library" "$module" "$plugin"; do
    if readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -F "$build"; then
      echo "$file looks for libraries in the build folder"
      return 1
    fi
    if readelf -d "$file" | grep -E 'NEEDED.*lib(cuda|cudart|nvrtc)'; then
      echo "$file needs CUDA"
      return 1
    fi
  done
}
check 'nothing is looked for in the build folder, CUDA is not needed' clean

# so that it works in any prefix, such as a user's own
finds_library ()
{
  local file
  for file in "$module" "$plugin"; do
    readelf -d "$file" | grep -E 'R(UN)?PATH' | grep -F "[$libdir]" > /dev/null \
      || { echo "$file does not look in $libdir"; return 1; }
  done
}
check 'the library is looked for where it is installed' finds_library
pure ()
{
  ! readelf -d "$library" | grep -E 'NEEDED.*lib(gimp|gegl|gtk|babl)'
}
check 'the library needs no GIMP, GEGL or GTK' pure

public_names ()
{
  ! nm -D --defined-only "$library" | awk '{ print $NF }' \
    | grep -v -E '^isolux_|^\.gomp_|^(_init|_fini|_edata|_end|__bss_start)$'
}
check 'the library shows its public names alone' public_names

# --- The library for others -------------------------------------------------

export LD_LIBRARY_PATH=$dest$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cat > "$work/other.c" << 'C'
#include <isolux.h>

int
main (void)
{
  guint8                 pixels[4] = { 10, 20, 20, 30 };
  IsoluxImage            image     = { 2, 2, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxView             view      = { pixels, 2 };
  IsoluxEqualizeOptions  options   = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxDevice          *device    = isolux_device_get_default ();
  IsoluxSurface         *surface   = isolux_surface_new (device, &image, NULL);

  if (! surface || ! isolux_surface_upload (surface, &view, NULL, NULL) ||
      ! isolux_equalize (surface, surface, &options, NULL, NULL) ||
      ! isolux_surface_download (surface, &view, NULL, NULL))
    return 1;
  isolux_surface_unref (surface);
  g_print ("%s: %d %d %d %d\n", isolux_version (), pixels[0], pixels[1],
           pixels[2], pixels[3]);
  return 0;
}
C
other ()
{
  local said version
  # as it is when the folder is the root
  mkdir -p "$work/pkgconfig"
  sed "s|^prefix=.*|prefix=$dest$prefix|" "$dest$libdir/pkgconfig/isolux.pc" \
    > "$work/pkgconfig/isolux.pc"
  export PKG_CONFIG_PATH=$work/pkgconfig
  version=$(pkg-config --modversion isolux) || return 1
  # shellcheck disable=SC2046
  "${CC:-cc}" -Wall -Wextra -Werror -std=c99 -o "$work/other" \
    "$work/other.c" \
    $(pkg-config --cflags --libs isolux) || return 1
  said=$("$work/other") || return 1
  echo "$said"
  # 10: 0; 20 twice: 2/3 of 255; 30: 255
  [ "$said" = "$version: 0 170 170 255" ]
}
check 'a program builds by pkg-config, and runs' other

# --- In GIMP ----------------------------------------------------------------

# as it is when the folder is the root
ln -sfn "$dest$localedir" "$dest$gimp_plugins/isolux/locale"

# gimp DIR EXPRESSION: with the operations and the plug-in of DIR, or of the
# build folder when DIR is empty
gimp ()
(
  if [ -n "$1" ]; then
    ISOLUX_OPERATIONS=$1$gegl_plugins
    ISOLUX_PROCEDURES=$1$gimp_plugins
  else
    unset ISOLUX_OPERATIONS ISOLUX_PROCEDURES LD_LIBRARY_PATH
  fi
  ISOLUX_PROFILE=$work/profile${1:+-installed}
  GIMP3_DIRECTORY=$ISOLUX_PROFILE
  # shellcheck source=tests/gimp-env.sh
  . "$source/tests/gimp-env.sh" "$build"
  gimp_batch -e "$2"
)

procedures='(for-each (lambda (name)
  (if (not (defined? name)) (error "there is no" name)))
  (quote (plug-in-isolux-grayscale plug-in-isolux-equalize
          plug-in-isolux-clahe plug-in-isolux-window
          plug-in-isolux-contrast-map plug-in-isolux-lbp plug-in-isolux-hog
          plug-in-isolux-histogram plug-in-isolux-lbp-histogram
          plug-in-isolux-metrics plug-in-isolux-self-test
          plug-in-isolux-info)))'

# gray 10, 20, 20, 30 in 2 x 2 pixels must become 0, 170, 170, 255
equalize='(let* ((image (gimp-image-new 2 2 GRAY))
       (layer (gimp-layer-new image "a" 2 2 GRAY-IMAGE 100
                              LAYER-MODE-NORMAL)))
  (define (put x y v)
    (gimp-image-select-rectangle image CHANNEL-OP-REPLACE x y 1 1)
    (gimp-context-set-foreground (list v v v))
    (gimp-drawable-edit-fill layer FILL-FOREGROUND)
    (gimp-selection-none image))
  (define (value x y)
    (gimp-image-select-rectangle image CHANNEL-OP-REPLACE x y 1 1)
    (let ((v (car (gimp-drawable-histogram layer HISTOGRAM-VALUE 0 1))))
      (gimp-selection-none image)
      v))
  (gimp-image-insert-layer image layer 0 0)
  (put 0 0 10) (put 1 0 20) (put 0 1 20) (put 1 1 30)
  (plug-in-isolux-equalize #:image image #:drawables (vector layer))
  (let ((got (list (value 0 0) (value 1 0) (value 0 1) (value 1 1))))
    (gimp-image-delete image)
    (if (not (equal? got (list 0.0 170.0 170.0 255.0)))
        (error "pixels are" got))))'

# a refusal in words, as the plug-in puts them
refusal='(let* ((image (gimp-image-new 2 2 GRAY))
       (layer (gimp-layer-new image "a" 2 2 GRAY-IMAGE 100
                              LAYER-MODE-NORMAL)))
  (gimp-image-insert-layer image layer 0 0)
  (gimp-item-set-lock-content layer TRUE)
  (plug-in-isolux-equalize #:image image #:drawables (vector layer)))'

# what the plug-in says in Chinese must have a Chinese character in it
speaks_chinese ()
{
  LC_ALL=zh_CN.UTF-8 LANGUAGE=zh_CN gimp "$1" "$refusal" > "$work/chinese" 2>&1 \
    && { echo 'a locked layer was not refused'; return 1; }
  cat "$work/chinese"
  grep isolux "$work/chinese" | LC_ALL=C.UTF-8 grep -P '\p{Han}.*\p{Han}' > /dev/null
}

check 'installed: the procedures exist' gimp "$dest" "$procedures"
check 'installed: equalize works' gimp "$dest" "$equalize"
takes_installed ()
{
  local file
  for file in "$dest$gegl_plugins/isolux-operations.so" \
              "$dest$gimp_plugins/isolux/isolux"; do
    ldd "$file"
    # no -q: ldd would fail when nobody reads on
    ldd "$file" | grep -F "=> $dest$libdir/libisolux.so" > /dev/null || return 1
  done
}
check 'installed: the operations and the plug-in take the installed library' \
  takes_installed
check 'not installed: the procedures exist' gimp '' "$procedures"
check 'not installed: equalize works' gimp '' "$equalize"
if locale -a 2> /dev/null | grep -i -x 'zh_CN\.utf-\?8' > /dev/null; then
  check 'installed: speaks Chinese' speaks_chinese "$dest"
  check 'not installed: speaks Chinese' speaks_chinese ''
else
  skip 'installed: speaks Chinese' 'no locale zh_CN.UTF-8 here'
  skip 'not installed: speaks Chinese' 'no locale zh_CN.UTF-8 here'
fi

echo "1..$count"
exit $failed
