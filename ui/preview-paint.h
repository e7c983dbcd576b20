/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview-paint.h: draws what an image preview shows.  Internal to it.
 */
#ifndef ISOLUX_PREVIEW_PAINT_H
#define ISOLUX_PREVIEW_PAINT_H

#include <gtk/gtk.h>

#include "preview-geometry.h"

/*
 * PreviewPictures: what is known of a part of the image
 * @part: of the image, in its pixels; empty: there are no pictures
 * @before, @after: (nullable): see isolux_image_preview_set_pictures()
 * @shade: (nullable): A8, how much of a pixel is to be covered by black
 */
typedef struct
{
  IsoluxRectangle  part;
  cairo_surface_t *before;
  cairo_surface_t *after;
  cairo_surface_t *shade;
} PreviewPictures;

/*
 * PreviewGrid: see isolux_image_preview_set_grid()
 */
typedef struct
{
  gint64  x;
  gint64  y;
  gdouble tile_width;
  gdouble tile_height;
  gint64  columns;
  gint64  rows;
} PreviewGrid;

/*
 * PreviewPoint: a tile, or a pixel of the image; (-1, -1): none
 */
typedef struct
{
  gint64 x;
  gint64 y;
} PreviewPoint;

typedef enum
{
  PREVIEW_SHOW_BOTH,
  PREVIEW_SHOW_BEFORE,
  PREVIEW_SHOW_AFTER
} PreviewShow;

/*
 * PreviewScene: all that is drawn; nothing in it is owned
 * @light: whether the pasteboard is the light one
 * @wide: (nullable): pictures of a larger part, seen where @pictures has
 *   nothing
 * @before_first: whether before is left, or at the top
 * @turned: whether the divider lies
 * @position: of the divider, 0.0 to 1.0
 * @grid: (nullable): lines
 * @tiles: what @pick and @cursor are tiles of
 * @pick, @cursor: the tile that is picked, and that of the keyboard
 * @cross: the pixel of the keyboard
 * @focus: whether to draw the focus ring
 * @grip_focus: whether the arrow keys move the divider
 * @before_label, @after_label, @note: (nullable): texts in pills
 */
typedef struct
{
  PreviewGeometry        geometry;
  gboolean               light;
  const PreviewPictures *wide;
  const PreviewPictures *pictures;
  PreviewShow            show;
  gboolean               before_first;
  gboolean               turned;
  gdouble                position;
  const PreviewGrid     *grid;
  const PreviewGrid     *tiles;
  PreviewPoint           pick;
  PreviewPoint           cursor;
  PreviewPoint           cross;
  gboolean               focus;
  gboolean               grip_focus;
  PangoLayout           *before_label;
  PangoLayout           *after_label;
  PangoLayout           *note;
} PreviewScene;

/* Where the divider is: an x, or a y when @turned; device pixels */
gdouble preview_get_divider (const PreviewGeometry *geometry,
                             gboolean               turned,
                             gdouble                position);

/* The middle of the divider's grip, device pixels */
void preview_get_grip (const PreviewGeometry *geometry,
                       gboolean               turned,
                       gdouble                position,
                       gdouble               *x,
                       gdouble               *y);

/* Where a tile is in the view, device pixels */
void preview_get_tile (const PreviewGeometry *geometry,
                       const PreviewGrid     *grid,
                       const PreviewPoint    *tile,
                       GdkRectangle          *rectangle);

/* @cr: a unit of it is a device pixel */
void preview_paint (const PreviewScene *scene, cairo_t *cr);

#endif /* ISOLUX_PREVIEW_PAINT_H */
