/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram-view.h: a histogram before and after, with axes, curves and
 * marks that can be dragged.
 */
#ifndef ISOLUX_HISTOGRAM_VIEW_H
#define ISOLUX_HISTOGRAM_VIEW_H

#include <gtk/gtk.h>

#include "histogram-model.h"

G_BEGIN_DECLS

#define ISOLUX_TYPE_HISTOGRAM_VIEW (isolux_histogram_view_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxHistogramView,
                      isolux_histogram_view,
                      ISOLUX,
                      HISTOGRAM_VIEW,
                      GtkDrawingArea)

/*
 * Signals:
 *   "read-out" (const gchar *text, const gchar *brief): what is to be shown
 *   below, whenever it changes
 *   "tissue" (gint n): digit keys 1 to 9 while the window can be moved
 *   "range-changed": the user zoomed or moved the shown range
 */
GtkWidget *isolux_histogram_view_new (IsoluxHistogramModel *model);

/*
 * isolux_histogram_view_render: draws it at a size, without a window.
 * @scale: device pixels a pixel, 1 or 2
 * @style: (nullable): a realized widget for fonts and colors, else the view's
 *
 * Returns: (transfer full): an ARGB32 surface
 */
cairo_surface_t *isolux_histogram_view_render (IsoluxHistogramView *view,
                                               gint                 width,
                                               gint                 height,
                                               gint                 scale);

/* Ends a drag as if it had not begun.  Returns whether there was one. */
gboolean isolux_histogram_view_cancel_drag (IsoluxHistogramView *view);

G_END_DECLS

#endif /* ISOLUX_HISTOGRAM_VIEW_H */
