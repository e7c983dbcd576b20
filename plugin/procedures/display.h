/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * display.h: from pixels of a drawable to what a screen shows.
 */
#ifndef ISOLUX_DISPLAY_H
#define ISOLUX_DISPLAY_H

#include <gegl.h>
#include <gtk/gtk.h>

#include "isolux.h"

typedef struct _IsoluxDisplay IsoluxDisplay;

/*
 * isolux_display_prepare: finds the ways of conversion that a display of such
 * pixels will need, which takes some time; in any thread.
 */
void isolux_display_prepare (const Babl *format, gint components);

/*
 * isolux_display_new: for pixels of a format, whose color space is shown as
 * sRGB.
 * @type, @components: what the format has
 */
IsoluxDisplay *
isolux_display_new (const Babl *format, IsoluxType type, gint components);

void isolux_display_free (IsoluxDisplay *display);

/*
 * isolux_display_render:
 * @pixels: rows without gaps
 * @low, @high: the values that are shown black and white (in the encoding
 *   of the format); low >= high: the range of the type
 *
 * Returns: (transfer full): an ARGB32 surface; %NULL when memory is short
 */
cairo_surface_t *isolux_display_render (IsoluxDisplay *display,
                                        gconstpointer  pixels,
                                        gint           width,
                                        gint           height,
                                        gdouble        low,
                                        gdouble        high);

#endif /* ISOLUX_DISPLAY_H */
