/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparing two images; see metrics-rules.h for the order of the sums. */
#include "cpu.h"

/* Pixels at a time, a multiple of the lanes. */
#define CHUNK 1024
#define REACH ISOLUX_METRICS_REACH

#define LANES ISOLUX_METRICS_LANES
#define SUMS ISOLUX_METRICS_SUMS

typedef struct
{
  const IsoluxPixels      *first, *second;
  const IsoluxMetricsPlan *plan;
  gdouble                  lanes[SUMS][LANES];
} Strip;

/* ---- Pixel by pixel ---------------------------------------------- */

static void
add_row (Strip *strip, gint64 y)
{
  const IsoluxMetricsPlan *plan = strip->plan;
  const gint64             width = strip->first->width;
  guint8                  *mask = plan->mask + (gsize) y * (gsize) width;
  gdouble                  a[CHUNK], b[CHUNK];

  for (gint64 x = 0; x < width; x += CHUNK)
    {
      const gint64 n = MIN (CHUNK, width - x);

      isolux_cpu_values (strip->first, &plan->weights, x, y, n, a);
      isolux_cpu_values (strip->second, &plan->weights, x, y, n, b);
      if (plan->pass == ISOLUX_METRICS_FIRST)
        {
          isolux_cpu_counts (strip->first, x, y, n, mask + x);
          for (gint64 i = 0; i < n; i++)
            {
              gdouble added[SUMS];

              mask[x + i] = mask[x + i] && isolux_metrics_counts (a[i], b[i]);
              if (! mask[x + i])
                continue;
              isolux_metrics_first (a[i], b[i], plan->top, added);
              for (gint k = 0; k < SUMS; k++)
                strip->lanes[k][i % LANES] += added[k];
            }
        }
      else
        for (gint64 i = 0; i < n; i++)
          if (mask[x + i])
            {
              const gdouble da = a[i] - plan->mean[0];
              const gdouble db = b[i] - plan->mean[1];

              strip->lanes[0][i % LANES] += da * da;
              strip->lanes[1][i % LANES] += db * db;
            }
    }
}

/* ---- Window by window -------------------------------------------- */

static void
add_columns (const Strip      *strip,
             gint64            x,
             gint64            y,
             gint64            n,
             IsoluxSimilarity *columns)
{
  gdouble a[CHUNK + 2 * REACH], b[CHUNK + 2 * REACH];

  memset (columns, 0, (gsize) n * sizeof *columns);
  for (gint64 row = y - REACH; row <= y + REACH; row++)
    {
      isolux_cpu_values (strip->first, &strip->plan->weights, x, row, n, a);
      isolux_cpu_values (strip->second, &strip->plan->weights, x, row, n, b);
      for (gint64 i = 0; i < n; i++)
        isolux_similarity_add (&columns[i], a[i], b[i]);
    }
}

static void
compare_row (Strip *strip, gint64 y)
{
  const IsoluxMetricsPlan *plan = strip->plan;
  const gint64             width = strip->first->width;
  const guint8            *mask = plan->mask + (gsize) y * (gsize) width;
  IsoluxSimilarity         columns[CHUNK + 2 * REACH];

  for (gint64 x = 0; x < width; x += CHUNK)
    {
      const gint64 left = MAX (x - REACH, 0);
      const gint64 right = MIN (x + CHUNK + REACH, width);

      add_columns (strip, left, y, right - left, columns);
      for (gint64 at = MAX (x, REACH); at < MIN (x + CHUNK, width - REACH);
           at++)
        {
          IsoluxSimilarity window = { 0 };
          gdouble          v;

          if (! mask[at])
            continue;
          for (gint64 i = at - REACH; i <= at + REACH; i++)
            isolux_similarity_join (&window, &columns[i - left]);
          v = isolux_similarity (&window, plan->c1, plan->c2);
          if (! isolux_is_finite (v))
            continue;
          strip->lanes[0][at % LANES] += 1.0;
          strip->lanes[1][at % LANES] += v;
        }
    }
}

/* ---- Strips ------------------------------------------------------ */

static void
add_strip (Strip *strip, gint64 index, gdouble *sums)
{
  const IsoluxMetricsPlan *plan = strip->plan;
  const gint64             height = strip->first->height;

  memset (strip->lanes, 0, sizeof strip->lanes);
  for (gint64 y = index * plan->strip;
       y < MIN ((index + 1) * plan->strip, height); y++)
    if (plan->pass != ISOLUX_METRICS_SIMILARITY)
      add_row (strip, y);
    else if (y >= REACH && y < height - REACH)
      compare_row (strip, y);
  for (gint k = 0; k < SUMS; k++)
    {
      gdouble *lanes = strip->lanes[k];

      for (gint step = LANES / 2; step > 0; step /= 2)
        for (gint i = 0; i < step; i++)
          lanes[i] += lanes[i + step];
      sums[k] = lanes[0];
    }
}

gboolean
isolux_cpu_metrics (IsoluxSurface           *first,
                    IsoluxSurface           *second,
                    const IsoluxMetricsPlan *plan,
                    gdouble                 *partial,
                    GError                 **error)
{
  const gint threads = isolux_cpu_threads (first->device, first->pixels.width,
                                           first->pixels.height);

#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (gint64 i = 0; i < plan->strips; i++)
    {
      Strip strip = { &first->pixels, &second->pixels, plan, { { 0.0 } } };

      add_strip (&strip, i, partial + i * SUMS);
    }
  return TRUE;
}
