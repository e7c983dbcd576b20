/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview-geometry.c: which part of an image is seen, and where.
 *
 * The center is kept exactly; only what is drawn is rounded, to device
 * pixels.  So zooming to and fro does not move the image.
 */
#include <math.h>

#include "preview-geometry.h"

/* What "+" and "-" step through */
static const gdouble steps[] = {
  1.0 / 64, 1.0 / 48, 1.0 / 32, 1.0 / 24, 1.0 / 16, 1.0 / 12, 1.0 / 8, 1.0 / 6,
  1.0 / 4,  1.0 / 3,  1.0 / 2,  2.0 / 3,  1.0,      1.5,      2.0,     3.0,
  4.0,      6.0,      8.0,      12.0,     16.0,     24.0,     32.0
};

gboolean
preview_geometry_is_empty (const PreviewGeometry *geometry)
{
  return geometry->image_width < 1.0 || geometry->image_height < 1.0 ||
         geometry->view_width < 1.0 || geometry->view_height < 1.0;
}

gdouble
preview_geometry_get_fit (const PreviewGeometry *geometry)
{
  gdouble x, y;

  if (preview_geometry_is_empty (geometry))
    return 1.0;
  x = geometry->view_width / (geometry->image_width * geometry->unit);
  y = geometry->view_height / (geometry->image_height * geometry->unit);
  return MIN (MIN (x, y), PREVIEW_ZOOM_MAXIMUM);
}

/* A huge image can be seen whole, however small it then is. */
static gdouble
get_minimum (const PreviewGeometry *geometry)
{
  return MIN (PREVIEW_ZOOM_MINIMUM, preview_geometry_get_fit (geometry));
}

gdouble
preview_geometry_get_zoom (const PreviewGeometry *geometry)
{
  if (geometry->zoom > 0.0)
    return CLAMP (geometry->zoom, get_minimum (geometry), PREVIEW_ZOOM_MAXIMUM);
  return preview_geometry_get_fit (geometry);
}

gdouble
preview_geometry_get_scale (const PreviewGeometry *geometry)
{
  return preview_geometry_get_zoom (geometry) * geometry->unit;
}

static gdouble
clamp_center (gdouble center, gdouble image, gdouble view)
{
  if (image <= view)
    return image / 2.0;
  return CLAMP (center, view / 2.0, image - view / 2.0);
}

void
preview_geometry_clamp (PreviewGeometry *geometry)
{
  gdouble scale;

  /* as long as there is no view, nothing is known of what fits into it */
  if (preview_geometry_is_empty (geometry))
    return;
  if (geometry->zoom > 0.0)
    geometry->zoom = preview_geometry_get_zoom (geometry);
  scale = preview_geometry_get_scale (geometry);
  geometry->center_x = clamp_center (geometry->center_x, geometry->image_width,
                                     geometry->view_width / scale);
  geometry->center_y = clamp_center (geometry->center_y, geometry->image_height,
                                     geometry->view_height / scale);
}

void
preview_geometry_get_origin (const PreviewGeometry *geometry,
                             gdouble               *x,
                             gdouble               *y)
{
  gdouble scale = preview_geometry_get_scale (geometry);

  *x = floor (geometry->view_width / 2.0 - geometry->center_x * scale + 0.5);
  *y = floor (geometry->view_height / 2.0 - geometry->center_y * scale + 0.5);
}

void
preview_geometry_to_image (const PreviewGeometry *geometry,
                           gdouble                view_x,
                           gdouble                view_y,
                           gdouble               *x,
                           gdouble               *y)
{
  gdouble scale = preview_geometry_get_scale (geometry);
  gdouble left, top;

  preview_geometry_get_origin (geometry, &left, &top);
  *x = (view_x - left) / scale;
  *y = (view_y - top) / scale;
}

void
preview_geometry_to_view (const PreviewGeometry *geometry,
                          gdouble                x,
                          gdouble                y,
                          gdouble               *view_x,
                          gdouble               *view_y)
{
  gdouble scale = preview_geometry_get_scale (geometry);
  gdouble left, top;

  preview_geometry_get_origin (geometry, &left, &top);
  *view_x = left + x * scale;
  *view_y = top + y * scale;
}

void
preview_geometry_zoom_about (PreviewGeometry *geometry,
                             gdouble          zoom,
                             gdouble          view_x,
                             gdouble          view_y)
{
  gdouble dx = view_x - geometry->view_width / 2.0;
  gdouble dy = view_y - geometry->view_height / 2.0;
  gdouble before = preview_geometry_get_scale (geometry);
  gdouble after;

  geometry->zoom = zoom;
  after = preview_geometry_get_scale (geometry);
  geometry->center_x += dx / before - dx / after;
  geometry->center_y += dy / before - dy / after;
  preview_geometry_clamp (geometry);
}

void
preview_geometry_pan (PreviewGeometry *geometry, gdouble dx, gdouble dy)
{
  gdouble scale = preview_geometry_get_scale (geometry);

  geometry->center_x -= dx / scale;
  geometry->center_y -= dy / scale;
  preview_geometry_clamp (geometry);
}

/* How far a span must move to lie in 0 .. view; its start goes first. */
static gdouble
distance (gdouble start, gdouble size, gdouble view)
{
  if (start < 0.0 || size > view)
    return -start;
  if (start + size > view)
    return view - start - size;
  return 0.0;
}

void
preview_geometry_show (PreviewGeometry *geometry,
                       gdouble          x,
                       gdouble          y,
                       gdouble          width,
                       gdouble          height)
{
  gdouble scale = preview_geometry_get_scale (geometry);
  gdouble left, top;

  preview_geometry_to_view (geometry, x, y, &left, &top);
  preview_geometry_pan (geometry,
                        distance (left, width * scale, geometry->view_width),
                        distance (top, height * scale, geometry->view_height));
}

/* The pixels of an image that a view shows in one direction */
static void
get_span (gdouble origin,
          gdouble scale,
          gdouble image,
          gdouble view,
          gint64 *start,
          gint64 *length,
          gint   *size)
{
  gdouble first = CLAMP (floor (-origin / scale), 0.0, image - 1.0);
  gdouble end = CLAMP (ceil ((view - origin) / scale), first + 1.0, image);

  *start = (gint64) first;
  *length = (gint64) (end - first);
  *size = MAX ((gint) floor ((end - first) * scale + 0.5), 1);
}

void
preview_geometry_get_part (const PreviewGeometry *geometry,
                           IsoluxRectangle       *part,
                           gint                  *width,
                           gint                  *height)
{
  gdouble scale = preview_geometry_get_scale (geometry);
  gdouble left, top;

  *part = (IsoluxRectangle) { 0 };
  *width = *height = 0;
  if (preview_geometry_is_empty (geometry))
    return;

  preview_geometry_get_origin (geometry, &left, &top);
  get_span (left, scale, geometry->image_width, geometry->view_width, &part->x,
            &part->width, width);
  get_span (top, scale, geometry->image_height, geometry->view_height, &part->y,
            &part->height, height);
}

void
preview_geometry_get_visible (const PreviewGeometry *geometry,
                              gdouble               *left,
                              gdouble               *top,
                              gdouble               *right,
                              gdouble               *bottom)
{
  gdouble scale = preview_geometry_get_scale (geometry);
  gdouble x, y;

  preview_geometry_get_origin (geometry, &x, &y);
  *left = MAX (x, 0.0);
  *top = MAX (y, 0.0);
  *right =
    MIN (floor (x + geometry->image_width * scale + 0.5), geometry->view_width);
  *bottom = MIN (floor (y + geometry->image_height * scale + 0.5),
                 geometry->view_height);
  *right = MAX (*right, MIN (*left + 1.0, geometry->view_width));
  *bottom = MAX (*bottom, MIN (*top + 1.0, geometry->view_height));
}

gdouble
preview_geometry_get_step (const PreviewGeometry *geometry, gint direction)
{
  gdouble zoom = preview_geometry_get_zoom (geometry);

  /* 1 % of room, so that 99.9 % is 100 % here */
  if (direction > 0)
    {
      for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
        if (steps[i] > zoom * 1.01)
          return steps[i];
      return PREVIEW_ZOOM_MAXIMUM;
    }

  for (guint i = G_N_ELEMENTS (steps); i-- > 0;)
    if (steps[i] < zoom / 1.01)
      return MAX (steps[i], get_minimum (geometry));
  return get_minimum (geometry);
}
