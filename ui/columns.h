/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * columns.h: columns of a histogram, written into the pixels of a surface.
 *
 * A path of thousands of steps takes cairo tens of milliseconds, more than
 * a drag has; columns need no paths.
 */
#ifndef ISOLUX_COLUMNS_H
#define ISOLUX_COLUMNS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum
{
  ISOLUX_BLEND_OVER,
  ISOLUX_BLEND_SCREEN,  /* colors add up to white, on dark */
  ISOLUX_BLEND_MULTIPLY /* to black, on light */
} IsoluxBlend;

/*
 * isolux_columns_fill: columns that stand on a box's lower edge.
 * @surface: ARGB32, opaque there
 * @box: in the surface's pixels, inside it; a column is one pixel wide
 * @low, @high: (array length=box->width): heights in pixels, low <= high:
 *   up to @low the color has its own alpha, from there to @high half of it
 */
void isolux_columns_fill (cairo_surface_t    *surface,
                          const GdkRectangle *box,
                          const gdouble      *low,
                          const gdouble      *high,
                          const GdkRGBA      *color,
                          IsoluxBlend         blend);

/*
 * isolux_columns_outline: the line along the tops of columns.
 * @first, @last: the columns that it begins and ends with
 * @width: of the line, in pixels
 */
void isolux_columns_outline (cairo_surface_t    *surface,
                             const GdkRectangle *box,
                             const gdouble      *heights,
                             gint                first,
                             gint                last,
                             gdouble             width,
                             const GdkRGBA      *color);

G_END_DECLS

#endif /* ISOLUX_COLUMNS_H */
