/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * info.h: the procedure that tells what Isolux computes with.
 */
#ifndef ISOLUX_INFO_H
#define ISOLUX_INFO_H

#include <libgimp/gimp.h>

#define ISOLUX_INFO_PROCEDURE "plug-in-isolux-info"

GimpProcedure *isolux_info_create (GimpPlugIn *plug_in);

#endif /* ISOLUX_INFO_H */
