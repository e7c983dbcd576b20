/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * enhance.h: the procedures that make pictures of values: of layers, and of
 * files.
 */
#ifndef ISOLUX_ENHANCE_H
#define ISOLUX_ENHANCE_H

#include <libgimp/gimp.h>

#define ISOLUX_ENHANCE_PROCEDURE "plug-in-isolux-enhance"
#define ISOLUX_ENHANCE_FILES_PROCEDURE "plug-in-isolux-enhance-files"

GimpProcedure *isolux_enhance_create (GimpPlugIn *plug_in);
GimpProcedure *isolux_enhance_files_create (GimpPlugIn *plug_in);

#endif /* ISOLUX_ENHANCE_H */
