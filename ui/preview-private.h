/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview-private.h: the image preview's parts to each other.
 */
#ifndef ISOLUX_PREVIEW_PRIVATE_H
#define ISOLUX_PREVIEW_PRIVATE_H

#include "image-preview.h"
#include "preview-paint.h"

#define PREVIEW_NOWHERE ((PreviewPoint) { -1, -1 })

/* What the arrow keys move */
typedef enum
{
  PREVIEW_STOP_DIVIDER,
  PREVIEW_STOP_TILES,
  PREVIEW_STOP_CROSS,
  PREVIEW_N_STOPS
} PreviewStop;

typedef enum
{
  PREVIEW_DRAG_NONE,
  PREVIEW_DRAG_CLICK, /* pressed, and not moved far enough for anything else */
  PREVIEW_DRAG_PAN,
  PREVIEW_DRAG_DIVIDER,
  PREVIEW_DRAG_WINDOW
} PreviewDrag;

struct _IsoluxImagePreview
{
  GtkDrawingArea parent_instance;

  PreviewGeometry geometry;
  PreviewPictures pictures;
  PreviewPictures wide;
  PreviewGrid     grid;
  gboolean        show_grid;
  gboolean        split;
  gboolean        turned;
  gboolean        swapped;
  gboolean        compare;
  gdouble         position;
  gchar          *before_label;
  gchar          *after_label;
  gchar          *note;

  PreviewStop  stop;
  PreviewPoint pick;
  PreviewPoint cursor;
  PreviewPoint cross;

  /* in device pixels */
  gboolean pointer_inside;
  gdouble  pointer_x;
  gdouble  pointer_y;

  PreviewDrag     drag;
  guint           drag_button;
  gdouble         drag_x;
  gdouble         drag_y;
  gdouble         drag_offset;
  gdouble         drag_position;
  PreviewGeometry drag_geometry;

  /* whether the last click picked something, and what had been before */
  gboolean     click_picked;
  PreviewPoint click_pick;

  GtkGesture *pinch;
  gdouble     pinch_zoom;

  /* what the signals have told */
  IsoluxRectangle told_part;
  gint            told_width;
  gint            told_height;
  gdouble         told_zoom;
  gboolean        told_fitted;
  PreviewPoint    told_pixel;
  guint           idle;
};

enum
{
  PREVIEW_VIEW_CHANGED,
  PREVIEW_PIXEL,
  PREVIEW_PICKED,
  PREVIEW_WINDOW_DRAG,
  PREVIEW_SPLIT_CHANGED,
  PREVIEW_ZOOM_CHANGED,
  PREVIEW_TOGGLE_KEY,
  PREVIEW_N_SIGNALS
};

extern guint preview_signals[PREVIEW_N_SIGNALS];

/* ---- image-preview.c ---- */

/* Whether there is no image */
gboolean preview_is_empty (IsoluxImagePreview *preview);

/* Which sides are to be seen */
PreviewShow preview_get_show (IsoluxImagePreview *preview);

/* The divider's position in whole percent */
gint preview_get_percent (IsoluxImagePreview *preview);

/* The pixel at a point of the view, in device pixels, and the tile that a
 * pixel is in; PREVIEW_NOWHERE when there is none */
PreviewPoint
preview_get_pixel (IsoluxImagePreview *preview, gdouble view_x, gdouble view_y);
PreviewPoint
preview_get_tile_at (IsoluxImagePreview *preview, PreviewPoint pixel);

/* After changes: of the geometry, of what points at a pixel, of what there
 * is to be said, of the divider's position when a drag has ended */
void preview_update (IsoluxImagePreview *preview);
void preview_update_pixel (IsoluxImagePreview *preview);
void preview_update_description (IsoluxImagePreview *preview);
void preview_tell_value (IsoluxImagePreview *preview);

/* What the user does; with signals */
void preview_move_divider (IsoluxImagePreview *preview, gdouble position);
void preview_swap (IsoluxImagePreview *preview);
void preview_turn (IsoluxImagePreview *preview);
void preview_fit (IsoluxImagePreview *preview);
/* about a point of the view, in device pixels */
void preview_zoom_about (IsoluxImagePreview *preview,
                         gdouble             zoom,
                         gdouble             x,
                         gdouble             y);
/* about what the keyboard points at, else the middle */
void preview_zoom_here (IsoluxImagePreview *preview, gdouble zoom);
void preview_pick (IsoluxImagePreview *preview, PreviewPoint tile);

/* ---- preview-input.c ---- */

void preview_input_class_init (GtkWidgetClass *klass);
void preview_input_init (IsoluxImagePreview *preview);

/* The pointer's shape, which tells what it would do */
void preview_update_pointer (IsoluxImagePreview *preview);

/* What the arrow keys move now: what they moved may be no more. */
PreviewStop preview_get_stop (IsoluxImagePreview *preview);

#endif /* ISOLUX_PREVIEW_PRIVATE_H */
