/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image-preview.h: an image before | after, with zoom, a divider, a grid and
 * a picked tile.  Shows what it is given; computes no pixels of images.
 */
#ifndef ISOLUX_IMAGE_PREVIEW_H
#define ISOLUX_IMAGE_PREVIEW_H

#include <gtk/gtk.h>

#include "isolux.h"

G_BEGIN_DECLS

#define ISOLUX_TYPE_IMAGE_PREVIEW (isolux_image_preview_get_type ())
G_DECLARE_FINAL_TYPE (IsoluxImagePreview,
                      isolux_image_preview,
                      ISOLUX,
                      IMAGE_PREVIEW,
                      GtkDrawingArea)

/*
 * Signals:
 *   "view-changed": another part, or another size of it, is visible; see
 *     isolux_image_preview_get_view()
 *   "pixel" (gint64 x, gint64 y): under the pointer or the keyboard's cross;
 *     (-1, -1) for none
 *   "picked" (gint64 column, gint64 row): a tile of the grid was picked; (-1,
 *     -1): none is any more
 *   "window-drag" (gint dx, gint dy, gboolean ended): dragged with the right
 *     button, in pixels since it began, to the right and down; when it is
 *     cancelled, the last one is (0, 0, TRUE)
 *   "split-changed": by the user: moved, swapped or turned
 *   "zoom-changed": another zoom, or fitted or no longer so
 *   "toggle-key" (gint key): 'S', 'G' or 'T' was pressed
 *
 * Keys, beside those of the divider, + - F 1 and S G T: Tab goes from the
 * divider to the tiles (arrows, Enter picks, Esc leaves) and on to a cross
 * that points at a pixel (arrows, with Shift by 10).
 */
GtkWidget *isolux_image_preview_new (void);

/* The image's size in pixels; 0 x 0: nothing to show yet.  Another size
 * forgets the pictures and fits the image again. */
void isolux_image_preview_set_image_size (IsoluxImagePreview *preview,
                                          gint64              width,
                                          gint64              height);

/*
 * isolux_image_preview_set_pictures: what is shown of a part of the image.
 * @part: of the image, in its pixels
 * @before, @after: (nullable): ARGB32 or RGB24 image surfaces, of any one
 *   size; scaled to the part; references are taken.  Without @after there is
 *   no second side yet; without both, nothing is shown.
 * @selected: (nullable): an A8 image surface of the same size: what is not
 *   selected is dimmed
 *
 * They stay until the next ones come, at their place in the image; where
 * those have nothing, earlier ones of a larger part are still shown.
 */
void isolux_image_preview_set_pictures (IsoluxImagePreview    *preview,
                                        const IsoluxRectangle *part,
                                        cairo_surface_t       *before,
                                        cairo_surface_t       *after,
                                        cairo_surface_t       *selected);

/*
 * isolux_image_preview_get_view: what is visible.
 * @part: (out): of the image, whole pixels, empty when nothing is
 * @width, @height: (out): its size on the screen in device pixels; pictures
 *   of just this size are shown without scaling
 */
void isolux_image_preview_get_view (IsoluxImagePreview *preview,
                                    IsoluxRectangle    *part,
                                    gint               *width,
                                    gint               *height);

/* Screen pixels a pixel of the image; 0.0 = fitted.  Between 1/64 and 32; a
 * fitted image may be smaller. */
void isolux_image_preview_set_zoom (IsoluxImagePreview *preview, gdouble zoom);
gdouble  isolux_image_preview_get_zoom (IsoluxImagePreview *preview);
gboolean isolux_image_preview_is_fitted (IsoluxImagePreview *preview);
void     isolux_image_preview_zoom_in (IsoluxImagePreview *preview);
void     isolux_image_preview_zoom_out (IsoluxImagePreview *preview);

/* The divider: position 0.0 (left or top) to 1.0, whether there is one,
 * whether it lies down, whether sides are swapped.  Before is left, in a
 * right-to-left layout right; or at the top. */
void
isolux_image_preview_set_split (IsoluxImagePreview *preview, gboolean split);
gboolean isolux_image_preview_get_split (IsoluxImagePreview *preview);
void     isolux_image_preview_set_split_position (IsoluxImagePreview *preview,
                                                  gdouble             position);
gdouble  isolux_image_preview_get_split_position (IsoluxImagePreview *preview);
void
isolux_image_preview_set_turned (IsoluxImagePreview *preview, gboolean turned);
gboolean isolux_image_preview_get_turned (IsoluxImagePreview *preview);
void     isolux_image_preview_set_swapped (IsoluxImagePreview *preview,
                                           gboolean            swapped);
gboolean isolux_image_preview_get_swapped (IsoluxImagePreview *preview);

/* Shows the original alone, as long as a key or button is held */
void isolux_image_preview_set_compare (IsoluxImagePreview *preview,
                                       gboolean            compare);

/*
 * isolux_image_preview_set_grid: lines and what can be picked.
 * @x, @y: the corner of the first tile, in the image's pixels
 * @tile_width, @tile_height: of a tile, in pixels
 * @columns, @rows: how many; 0 for no grid
 */
void isolux_image_preview_set_grid (IsoluxImagePreview *preview,
                                    gint64              x,
                                    gint64              y,
                                    gdouble             tile_width,
                                    gdouble             tile_height,
                                    gint64              columns,
                                    gint64              rows);
void
isolux_image_preview_show_grid (IsoluxImagePreview *preview, gboolean show);
/* The picked tile; -1, -1 for none.  A tile can be picked whether or not the
 * lines are shown; a new grid without this tile clears it. */
void isolux_image_preview_set_pick (IsoluxImagePreview *preview,
                                    gint64              column,
                                    gint64              row);

/* A pill at the lower edge ("Stretched for viewing: 120-3,000"); NULL: none */
void
isolux_image_preview_set_note (IsoluxImagePreview *preview, const gchar *note);

/* The names at the upper corners, translated by the caller */
void isolux_image_preview_set_labels (IsoluxImagePreview *preview,
                                      const gchar        *before,
                                      const gchar        *after);

/* Ends a drag as if it had not begun.  Returns whether there was one. */
gboolean isolux_image_preview_cancel_drag (IsoluxImagePreview *preview);

/*
 * isolux_image_preview_render: draws it at a size, without a window.
 * @width, @height: in screen pixels
 * @scale: device pixels a pixel, 1 or 2
 *
 * Returns: (transfer full): an ARGB32 surface
 */
cairo_surface_t *isolux_image_preview_render (IsoluxImagePreview *preview,
                                              gint                width,
                                              gint                height,
                                              gint                scale);

G_END_DECLS

#endif /* ISOLUX_IMAGE_PREVIEW_H */
