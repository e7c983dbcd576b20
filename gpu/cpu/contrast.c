/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contrast map: tiles, then the picture row by row. */
#include "cpu.h"

/* Pixels at a time. */
#define CHUNK 1024

static const guint16 colors[256][3] =
#include "../core/contrast-colors.h"
  ;

/* ---- Tiles ------------------------------------------------------- */

typedef struct
{
  IsoluxContrastSums sums;
  guint64            counts[ISOLUX_CONTRAST_BINS];
} Tile;

static void
add_row (const IsoluxPixels       *pixels,
         const IsoluxContrastPlan *plan,
         gint64                    begin,
         gint64                    end,
         gint64                    y,
         Tile                     *tile)
{
  const gboolean real = pixels->type == ISOLUX_PLAN_F32;
  gdouble        values[CHUNK];
  guint8         counts[CHUNK];

  for (gint64 x = begin; x < end; x += CHUNK)
    {
      const gint64 n = MIN (CHUNK, end - x);

      if (! isolux_cpu_counts (pixels, x, y, n, counts))
        continue;
      isolux_cpu_values (pixels, &plan->weights, x, y, n, values);
      for (gint64 i = 0; i < n; i++)
        if (counts[i])
          {
            const guint32 code = isolux_contrast_code (plan, values[i], real);

            if (plan->measure == ISOLUX_PLAN_ENTROPY)
              tile->counts[isolux_contrast_bin (plan, code)]++;
            else
              isolux_contrast_add (plan, &tile->sums, code);
          }
    }
}

static gdouble
entropy (const guint64 *counts)
{
  gdouble terms[ISOLUX_CONTRAST_BINS];
  guint64 n = 0;

  for (gint k = 0; k < ISOLUX_CONTRAST_BINS; k++)
    {
      n += counts[k];
      terms[k] = isolux_contrast_term (counts[k]);
    }
  for (gint step = ISOLUX_CONTRAST_BINS / 2; step > 0; step /= 2)
    for (gint k = 0; k < step; k++)
      terms[k] += terms[k + step];
  return isolux_contrast_entropy (n, terms[0]);
}

static gdouble
measure_tile (const IsoluxPixels       *pixels,
              const IsoluxContrastPlan *plan,
              gint64                    tile_x,
              gint64                    tile_y)
{
  const gint64 left =
    isolux_contrast_begin (tile_x, plan->tiles_x, plan->tile, pixels->width);
  const gint64 right = isolux_contrast_begin (tile_x + 1, plan->tiles_x,
                                              plan->tile, pixels->width);
  const gint64 top =
    isolux_contrast_begin (tile_y, plan->tiles_y, plan->tile, pixels->height);
  const gint64 bottom = isolux_contrast_begin (tile_y + 1, plan->tiles_y,
                                               plan->tile, pixels->height);
  Tile         tile;

  memset (&tile, 0, sizeof tile);
  tile.sums.least = G_MAXUINT32;
  for (gint64 y = top; y < bottom; y++)
    add_row (pixels, plan, left, right, y, &tile);
  return plan->measure == ISOLUX_PLAN_ENTROPY
           ? entropy (tile.counts)
           : isolux_contrast_spread (plan, &tile.sums);
}

/* ---- The picture ------------------------------------------------- */

#define DEFINE_COLOR(suffix, type, draw)                                       \
  static void color_##suffix (const IsoluxContrastPlan *plan, type *out,       \
                              gint components, gint64 n, const guint8 *counts, \
                              const gdouble *shown)                            \
  {                                                                            \
    for (gint64 i = 0; i < n; i++, out += components)                          \
      for (gint c = 0; c < 3 && counts[i]; c++)                                \
        out[c] = (type) draw (isolux_contrast_color (colors, shown[i], c),     \
                              1.0, plan->maximum);                             \
  }

DEFINE_COLOR (u8, guint8, isolux_picture_code)
DEFINE_COLOR (u16, guint16, isolux_picture_code)
DEFINE_COLOR (f32, gfloat, isolux_picture_value)

static void
color_row (const IsoluxPixels       *pixels,
           const IsoluxContrastPlan *plan,
           gint64                    x,
           gint64                    y,
           gint64                    n,
           const guint8             *counts,
           const gdouble            *shown)
{
  const gint   components = pixels->components;
  const gint64 start = x * components;
  gpointer     row = isolux_cpu_row (pixels, y);

  if (pixels->type == ISOLUX_PLAN_U8)
    color_u8 (plan, (guint8 *) row + start, components, n, counts, shown);
  else if (pixels->type == ISOLUX_PLAN_U16)
    color_u16 (plan, (guint16 *) row + start, components, n, counts, shown);
  else
    color_f32 (plan, (gfloat *) row + start, components, n, counts, shown);
}

static void
draw_row (const IsoluxPicture      *picture,
          const IsoluxContrastPlan *plan,
          const gdouble            *measures,
          gint64                    y)
{
  const IsoluxPixels       *pixels = picture->source;
  const IsoluxContrastPlace down =
    isolux_contrast_place (y, plan->tiles_y, plan->tile, pixels->height);
  gdouble shown[CHUNK];
  guint8  counts[CHUNK];

  for (gint64 x = 0; x < pixels->width; x += CHUNK)
    {
      const gint64 n = MIN (CHUNK, pixels->width - x);

      isolux_cpu_counts (pixels, x, y, n, counts);
      for (gint64 i = 0; i < n; i++)
        {
          IsoluxContrastPlace across;

          shown[i] = 0.0;
          if (! counts[i])
            continue;
          across = isolux_contrast_place (x + i, plan->tiles_x, plan->tile,
                                          pixels->width);
          shown[i] =
            isolux_contrast_blend (measures, plan->tiles_x, &across, &down);
        }
      isolux_cpu_draw (picture, x, y, n, counts, shown);
      if (plan->colored)
        color_row (picture->destination, plan, x, y, n, counts, shown);
    }
}

/* ---- All --------------------------------------------------------- */

gboolean
isolux_cpu_contrast_map (IsoluxSurface            *source,
                         IsoluxSurface            *destination,
                         const IsoluxContrastPlan *plan,
                         GError                  **error)
{
  const IsoluxPixels *pixels = &source->pixels;
  const IsoluxPicture picture = {
    pixels, &destination->pixels, &plan->weights, FALSE, 1.0, plan->maximum
  };
  const gint threads =
    isolux_cpu_threads (source->device, pixels->width, pixels->height);
  gdouble *measures;

  measures = isolux_try_new (gdouble,
                             (gsize) plan->tiles_x * (gsize) plan->tiles_y,
                             error);
  if (! measures)
    return FALSE;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 16)
  for (gint64 i = 0; i < plan->tiles_x * plan->tiles_y; i++)
    measures[i] =
      measure_tile (pixels, plan, i % plan->tiles_x, i / plan->tiles_x);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < pixels->height; y++)
    draw_row (&picture, plan, measures, y);
  g_free (measures);
  return TRUE;
}
