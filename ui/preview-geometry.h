/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview-geometry.h: which part of an image is seen, and where.  Numbers
 * alone; internal to the image preview.
 */
#ifndef ISOLUX_PREVIEW_GEOMETRY_H
#define ISOLUX_PREVIEW_GEOMETRY_H

#include <glib.h>

#include "isolux.h"

#define PREVIEW_ZOOM_MINIMUM (1.0 / 64.0)
#define PREVIEW_ZOOM_MAXIMUM 32.0

/*
 * PreviewGeometry:
 * @image_width, @image_height: of the image, in its pixels
 * @view_width, @view_height: of the widget, in device pixels
 * @unit: device pixels a screen pixel, 1 or more
 * @zoom: screen pixels a pixel of the image; 0 = fitted
 * @center_x, @center_y: the point of the image in the middle of the view
 */
typedef struct
{
  gdouble image_width;
  gdouble image_height;
  gdouble view_width;
  gdouble view_height;
  gdouble unit;
  gdouble zoom;
  gdouble center_x;
  gdouble center_y;
} PreviewGeometry;

/* Whether there is anything to be seen */
gboolean preview_geometry_is_empty (const PreviewGeometry *geometry);

/* The zoom at which all of the image is seen */
gdouble preview_geometry_get_fit (const PreviewGeometry *geometry);

/* The zoom that holds, also when fitted */
gdouble preview_geometry_get_zoom (const PreviewGeometry *geometry);

/* Device pixels a pixel of the image */
gdouble preview_geometry_get_scale (const PreviewGeometry *geometry);

/* Brings zoom and center into their limits: an image larger than the view
 * fills it, a smaller one is in its middle. */
void preview_geometry_clamp (PreviewGeometry *geometry);

/* Where in the view the image's corner is: a whole number of device pixels */
void preview_geometry_get_origin (const PreviewGeometry *geometry,
                                  gdouble               *x,
                                  gdouble               *y);

/* From a point of the view, in device pixels, to one of the image, and back */
void preview_geometry_to_image (const PreviewGeometry *geometry,
                                gdouble                view_x,
                                gdouble                view_y,
                                gdouble               *x,
                                gdouble               *y);
void preview_geometry_to_view (const PreviewGeometry *geometry,
                               gdouble                x,
                               gdouble                y,
                               gdouble               *view_x,
                               gdouble               *view_y);

/* Zooms so that the point under (@view_x, @view_y) stays there, as far as
 * the limits let it */
void preview_geometry_zoom_about (PreviewGeometry *geometry,
                                  gdouble          zoom,
                                  gdouble          view_x,
                                  gdouble          view_y);

/* Moves the image by device pixels */
void preview_geometry_pan (PreviewGeometry *geometry, gdouble dx, gdouble dy);

/* Moves the image, no more than needed, so that a part of it is seen */
void preview_geometry_show (PreviewGeometry *geometry,
                            gdouble          x,
                            gdouble          y,
                            gdouble          width,
                            gdouble          height);

/* What is seen, in whole pixels of the image, and the size that this part
 * has in device pixels */
void preview_geometry_get_part (const PreviewGeometry *geometry,
                                IsoluxRectangle       *part,
                                gint                  *width,
                                gint                  *height);

/* Where the image covers the view, in whole device pixels */
void preview_geometry_get_visible (const PreviewGeometry *geometry,
                                   gdouble               *left,
                                   gdouble               *top,
                                   gdouble               *right,
                                   gdouble               *bottom);

/* The next round zoom above (@direction > 0) or below */
gdouble
preview_geometry_get_step (const PreviewGeometry *geometry, gint direction);

#endif /* ISOLUX_PREVIEW_GEOMETRY_H */
