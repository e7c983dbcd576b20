/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * export.h: layers as files for other programs: the picture, and the values.
 */
#ifndef ISOLUX_EXPORT_H
#define ISOLUX_EXPORT_H

#include <libgimp/gimp.h>

#include "real-values.h"

#define ISOLUX_EXPORT_PROCEDURE "plug-in-isolux-export"

GimpProcedure *isolux_export_create (GimpPlugIn *plug_in);

/*
 * isolux_export_picture: a layer with its filters and its mask, as GIMP shows
 * it, as PNG of 8 bits.  The file's comment names what was lost on the way.
 * @what: (nullable): what was done to the values, for people
 *
 * Returns: FALSE and @error, in words
 */
gboolean isolux_export_picture (GimpDrawable *layer,
                                GFile        *file,
                                const gchar  *what,
                                GError      **error);

/*
 * isolux_export_values: a layer's values, below its filters, as codes of 16
 * bits: PNG or TIFF, by the ending.
 *
 * Codes of 8 and 16 bits stay as they are.  Floating point is kept exactly
 * when its values are whole numbers of a range of at most 65,535; else it is
 * spread over 16 bits, infinite values become the ends, and what is no number
 * the lower one.  The file's comment has the lines of the parasite (see
 * real-values.h) that say what its codes stand for, and what was lost.
 * @text: (out) (optional) (transfer full): those lines
 *
 * Returns: FALSE and @error, in words
 */
gboolean isolux_export_values (GimpDrawable *layer,
                               GFile        *file,
                               gchar       **text,
                               GError      **error);

#endif /* ISOLUX_EXPORT_H */
