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
 *
 * Marks that the user moves change the model, which tells so.  The counts'
 * scale (key L) and the shown range are set in the model as well.
 *
 * Pointer: the clip line and a movable window's lines can be dragged,
 * Shift-drag moves the shown range, Ctrl-wheel zooms it, the bar below moves
 * it, at its ends zooms it, and a double click there shows all.  Without
 * Ctrl the wheel is left to others.
 *
 * Keys: Left and Right read the next column (Ctrl: the next bin), Home and End
 * the first and last one; Up and Down move the clip line by a step (Shift:
 * ten), Home after them takes the limit away.  Where a window can be moved
 * Left and Right move it, with Shift they change its width (Ctrl: ten times
 * as fast), and Alt-Left and Alt-Right read.  Ctrl and +, -, 0 zoom; L; digits.
 * Esc cancels a drag, and is not taken otherwise.
 */
GtkWidget *isolux_histogram_view_new (IsoluxHistogramModel *model);

/*
 * isolux_histogram_view_render: draws it at a size, without a window.
 * @scale: device pixels a pixel, 1 or 2
 *
 * Returns: (transfer full): an ARGB32 surface of width * scale by height *
 *   scale pixels, on the background that the view stands on, with its fonts
 */
cairo_surface_t *isolux_histogram_view_render (IsoluxHistogramView *view,
                                               gint                 width,
                                               gint                 height,
                                               gint                 scale);

/* Ends a drag as if it had not begun.  Returns whether there was one. */
gboolean isolux_histogram_view_cancel_drag (IsoluxHistogramView *view);

G_END_DECLS

#endif /* ISOLUX_HISTOGRAM_VIEW_H */
