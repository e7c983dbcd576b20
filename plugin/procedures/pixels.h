/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pixels.h: from the pixels of drawables to surfaces of libisolux.
 *
 * They are read in the drawable's own format and space, since any other loses
 * levels; but for values that a change of precision has bent.
 */
#ifndef ISOLUX_PIXELS_H
#define ISOLUX_PIXELS_H

#include <libgimp/gimp.h>

#include "isolux.h"
#include "target.h"

/*
 * isolux_get_weights: the weights of the luma that the operations work with:
 * those of the drawable's own color space.
 */
void isolux_get_weights (GimpDrawable *drawable, gdouble weights[3]);

/*
 * isolux_pixels_format: what to read a drawable's pixels in: its own format
 * where the library can take it (u8, u16), else floats of the same space and
 * encoding.
 * @native: the drawable's format
 * @values: (nullable): what its codes stand for; where they were put into
 *   pixels of another curve, floats of that one are read
 * @image: (out): components and type are set
 */
const Babl *isolux_pixels_format (const Babl             *native,
                                  const IsoluxRealValues *values,
                                  IsoluxImage            *image);

/*
 * isolux_format_float: floats of a format's space and encoding.
 * @components: 1 gray, 2 gray + alpha, 3 RGB, 4 RGB + alpha
 */
const Babl *isolux_format_float (const Babl *native, gint components);

/*
 * isolux_format_weights: the weights of the luma of a format's color space
 */
void isolux_format_weights (const Babl *format, gdouble weights[3]);

/*
 * isolux_target_process: hands a target's box, with the selection as its
 * region, to a function that returns something else than pixels.
 */
gboolean isolux_target_process (const IsoluxTarget *target,
                                IsoluxOperationFunc func,
                                gpointer            data,
                                IsoluxReport       *report,
                                GError            **error);

/*
 * isolux_target_surface: the target's box as a surface.
 * @drawable: the target's, or another one with pixels there
 *
 * Returns: (transfer full): the surface, or %NULL and @error
 */
IsoluxSurface *isolux_target_surface (const IsoluxTarget *target,
                                      GimpDrawable       *drawable,
                                      IsoluxDevice       *device,
                                      GError            **error);

/*
 * isolux_target_mask_without: the target's selection without the pixels whose
 * colors all have a code (of floating point: a value).
 *
 * Returns: (transfer full): as in #IsoluxTarget, never %NULL but for want of
 *   memory, with @error; to be freed with g_free()
 */
guint8 *isolux_target_mask_without (const IsoluxTarget *target,
                                    gdouble             code,
                                    GError            **error);

/*
 * isolux_source_init: where a drawable's pixels, below its filters, are to be
 * read from.
 * @values: (nullable): what its codes stand for
 * @buffer: (out) (transfer full): the pixels
 * @format: (out): what to read them in: codes, or floats of the same encoding
 * @image: (out): their shape and type
 */
void isolux_source_init (GimpDrawable           *drawable,
                         const IsoluxRealValues *values,
                         GeglBuffer            **buffer,
                         const Babl            **format,
                         IsoluxImage            *image);

/*
 * isolux_drawable_sha256: the SHA-256 of a drawable's pixels, in its own
 * format, row after row without gaps.
 */
gchar *isolux_drawable_sha256 (GimpDrawable *drawable);

#endif /* ISOLUX_PIXELS_H */
