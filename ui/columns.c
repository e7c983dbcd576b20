/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "columns.h"

#include <math.h>

static guint32 *
row_of (cairo_surface_t *surface, const GdkRectangle *box, gint row)
{
  guint8 *data = cairo_image_surface_get_data (surface);
  gint    stride = cairo_image_surface_get_stride (surface);

  return (guint32 *) (void *) (data + (gsize) (box->y + row) * stride) + box->x;
}

static inline guint32
mix (guint32 pixel, const gfloat rgb[3], gfloat alpha, IsoluxBlend blend)
{
  guint32 result = 0xff000000u;
  gint    c;

  for (c = 0; c < 3; c++)
    {
      gint   shift = 16 - 8 * c;
      gfloat under = pixel >> shift & 255;
      gfloat over = rgb[c];

      if (blend == ISOLUX_BLEND_OVER)
        under += alpha * (over - under);
      else if (blend == ISOLUX_BLEND_SCREEN)
        under += alpha * over * (1.0f - under / 255.0f);
      else
        under += alpha * under * (over / 255.0f - 1.0f);
      result |= (guint32) (under + 0.5f) << shift;
    }
  return result;
}

static void
components_of (const GdkRGBA *color, gfloat rgb[3])
{
  rgb[0] = (gfloat) (255 * color->red);
  rgb[1] = (gfloat) (255 * color->green);
  rgb[2] = (gfloat) (255 * color->blue);
}

void
isolux_columns_fill (cairo_surface_t    *surface,
                     const GdkRectangle *box,
                     const gdouble      *low,
                     const gdouble      *high,
                     const GdkRGBA      *color,
                     IsoluxBlend         blend)
{
  gfloat  rgb[3], alpha = (gfloat) color->alpha;
  gdouble highest = 0;
  gint    row, k;

  components_of (color, rgb);
  cairo_surface_flush (surface);
  for (k = 0; k < box->width; k++)
    highest = MAX (highest, high[k]);
  for (row = MAX (box->height - (gint) ceil (highest), 0); row < box->height;
       row++)
    {
      guint32 *pixels = row_of (surface, box, row);
      gdouble  bottom = box->height - 1 - row;

      for (k = 0; k < box->width; k++)
        {
          gfloat strong, all;

          if (high[k] <= bottom)
            continue;
          strong = (gfloat) CLAMP (low[k] - bottom, 0, 1);
          all = (gfloat) CLAMP (high[k] - bottom, 0, 1);
          pixels[k] =
            mix (pixels[k], rgb, alpha * 0.5f * (strong + all), blend);
        }
    }
  cairo_surface_mark_dirty (surface);
}

/* Adds to how much of a column's pixels is covered between two heights */
static void
cover_column (guint8             *cover,
              const GdkRectangle *box,
              gint                column,
              gdouble             from,
              gdouble             to,
              gdouble             share)
{
  gint row, first, end;

  if (column < 0 || column >= box->width || share <= 0)
    return;
  from = MAX (from, 0);
  to = MIN (to, box->height);
  first = (gint) floor (from);
  end = (gint) ceil (to);
  for (row = first; row < end; row++)
    {
      gdouble part = MIN (to, row + 1) - MAX (from, row);
      guint8 *at = cover + (gsize) (box->height - 1 - row) * box->width +
                   column;
      gint sum = *at + (gint) (255 * share * part + 0.5);

      *at = (guint8) MIN (sum, 255);
    }
}

/* The step between a column and the one right of it */
static void
cover_step (guint8             *cover,
            const GdkRectangle *box,
            gint                column,
            gdouble             height,
            gdouble             next,
            gdouble             half)
{
  gdouble low = MIN (height, next), high = MAX (height, next);
  gint    reach;

  if (low == high)
    return;
  for (reach = 0; reach < half; reach++)
    {
      gdouble share = MIN (half - reach, 1);

      /* the level parts of the line are there already */
      cover_column (cover, box, column - reach,
                    height < next ? low + half : low - half,
                    height < next ? high + half : high - half, share);
      cover_column (cover, box, column + 1 + reach,
                    height < next ? low - half : low + half,
                    height < next ? high - half : high + half, share);
    }
}

void
isolux_columns_outline (cairo_surface_t    *surface,
                        const GdkRectangle *box,
                        const gdouble      *heights,
                        gint                first,
                        gint                last,
                        gdouble             width,
                        const GdkRGBA      *color)
{
  guint8 *cover = g_new0 (guint8, (gsize) box->width * box->height);
  gfloat  rgb[3];
  gdouble half = width / 2.0;
  gint    row, k;

  for (k = first; k <= last; k++)
    {
      cover_column (cover, box, k, heights[k] - half, heights[k] + half, 1.0);
      if (k < last)
        cover_step (cover, box, k, heights[k], heights[k + 1], half);
    }

  components_of (color, rgb);
  cairo_surface_flush (surface);
  for (row = 0; row < box->height; row++)
    {
      guint32      *pixels = row_of (surface, box, row);
      const guint8 *covered = cover + (gsize) row * box->width;

      for (k = 0; k < box->width; k++)
        if (covered[k])
          pixels[k] = mix (pixels[k], rgb,
                           (gfloat) color->alpha * (covered[k] / 255.0f),
                           ISOLUX_BLEND_OVER);
    }
  cairo_surface_mark_dirty (surface);
  g_free (cover);
}
