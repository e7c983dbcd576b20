/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting.  Each thread has tables of 32-bit counters of its own, added to
 * the 64-bit counts before they can overflow.  What limits a thread is one
 * read-modify-write of a counter a pixel; blocks of one value, frequent in
 * scans and masks, are counted at once.
 */
#include "cpu.h"

#include <math.h>
#include <omp.h>

/* Sub-tables of u8, so that equal neighbours do not wait for each other. */
#define SUBTABLES 4

/* A thread's counters are added up before they can hold more than this; a row
 * has at most 2^31 - 1 pixels. */
#define FLUSH_PIXELS (G_GUINT64_CONSTANT (1) << 31)

/* ---- Rows of codes ------------------------------------------------------ */

static void
count_row_u8 (const guint8 *in, gint64 n, guint32 *tables)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  gint64        x = 0;

  for (; x + 8 <= n; x += 8)
    {
      guint64 block;

      memcpy (&block, in + x, sizeof block);
      if (block == (block & 255) * ones)
        {
          tables[block & 255] += 8;
          continue;
        }
      tables[block & 255]++;
      tables[256 + (block >> 8 & 255)]++;
      tables[512 + (block >> 16 & 255)]++;
      tables[768 + (block >> 24 & 255)]++;
      tables[block >> 32 & 255]++;
      tables[256 + (block >> 40 & 255)]++;
      tables[512 + (block >> 48 & 255)]++;
      tables[768 + (block >> 56)]++;
    }
  for (; x < n; x++)
    tables[in[x]]++;
}

static void
count_row_u16 (const guint16 *in, gint64 n, guint32 *table)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0001000100010001);
  gint64        x = 0;

  for (; x + 4 <= n; x += 4)
    {
      guint64 block;

      memcpy (&block, in + x, sizeof block);
      if (block == (block & 65535) * ones)
        {
          table[block & 65535] += 4;
          continue;
        }
      table[block & 65535]++;
      table[block >> 16 & 65535]++;
      table[block >> 32 & 65535]++;
      table[block >> 48]++;
    }
  for (; x < n; x++)
    table[in[x]]++;
}

/* Any components, mask and alpha. bins: of one channel's table. */
#define DEFINE_COUNT_ANY(name, type)                                           \
  static void name (const IsoluxPixels *pixels, const IsoluxCountPlan *plan,   \
                    const type *in, const guint8 *mask, gint64 n,              \
                    guint32 *table, gsize bins)                                \
  {                                                                            \
    const gint alpha =                                                         \
      pixels->has_alpha && ! plan->ignore_alpha ? pixels->components - 1 : -1; \
                                                                               \
    for (gint64 x = 0; x < n; x++, in += pixels->components)                   \
      {                                                                        \
        if ((mask && ! mask[x]) || (alpha >= 0 && ! in[alpha]))                \
          continue;                                                            \
        if (plan->luma)                                                        \
          table[isolux_luma_code (&plan->weights, in[0], in[1], in[2])]++;     \
        else                                                                   \
          for (gint c = 0; c < plan->channels; c++)                            \
            table[(gsize) c * bins + in[plan->first_component + c]]++;         \
      }                                                                        \
  }

DEFINE_COUNT_ANY (count_any_u8, guint8)
DEFINE_COUNT_ANY (count_any_u16, guint16)

/* ---- Rows of floats ----------------------------------------------------- */

/* The value of a channel of a pixel that is not masked. Returns whether it
 * counts. */
static inline gboolean
float_value (const IsoluxPixels    *pixels,
             const IsoluxCountPlan *plan,
             const gfloat          *in,
             gint                   channel,
             gdouble               *value)
{
  if (pixels->has_alpha && ! plan->ignore_alpha &&
      ! (in[pixels->components - 1] > 0.0f))
    return FALSE;
  if (plan->luma)
    {
      if (isolux_is_nan (in[0]) || isolux_is_nan (in[1]) ||
          isolux_is_nan (in[2]))
        return FALSE;
      *value = isolux_luma_f32 (&plan->weights, in[0], in[1], in[2]);
      return TRUE;
    }
  *value = in[plan->first_component + channel];
  return ! isolux_is_nan (in[plan->first_component + channel]);
}

static void
measure_row (const IsoluxPixels    *pixels,
             const IsoluxCountPlan *plan,
             const gfloat          *in,
             const guint8          *mask,
             gint64                 n,
             gdouble               *least,
             gdouble               *most)
{
  for (gint64 x = 0; x < n; x++, in += pixels->components)
    if (! mask || mask[x])
      for (gint c = 0; c < plan->channels; c++)
        {
          gdouble v;

          if (float_value (pixels, plan, in, c, &v) && isolux_is_finite (v))
            {
              v += 0.0; /* one zero */
              least[c] = v < least[c] ? v : least[c];
              most[c] = v > most[c] ? v : most[c];
            }
        }
}

static void
count_row_f32 (const IsoluxPixels    *pixels,
               const IsoluxCountPlan *plan,
               const gfloat          *in,
               const guint8          *mask,
               gint64                 n,
               const gdouble         *low,
               const gdouble         *scale,
               guint32               *table)
{
  for (gint64 x = 0; x < n; x++, in += pixels->components)
    if (! mask || mask[x])
      for (gint c = 0; c < plan->channels; c++)
        {
          gdouble v;

          if (float_value (pixels, plan, in, c, &v))
            table[c * plan->bins +
                  (scale[c] > 0.0
                     ? isolux_bin_f32 (v, low[c], scale[c], plan->bins)
                     : 0)]++;
        }
}

/* ---- Whole images ------------------------------------------------------- */

static void
measure (const IsoluxPixels    *pixels,
         const IsoluxCountPlan *plan,
         gint                   threads,
         gdouble               *least,
         gdouble               *most)
{
  for (gint c = 0; c < 3; c++)
    {
      least[c] = HUGE_VAL;
      most[c] = -HUGE_VAL;
    }
#pragma omp parallel num_threads(threads)
  {
    gdouble low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
    gdouble high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

#pragma omp for schedule(static)
    for (gint64 y = pixels->region_y;
         y < pixels->region_y + pixels->region_height; y++)
      measure_row (pixels, plan,
                   (const gfloat *) isolux_cpu_row (pixels, y) +
                     pixels->region_x * pixels->components,
                   isolux_cpu_mask_row (pixels, y), pixels->region_width, low,
                   high);
#pragma omp critical(isolux_measure)
    for (gint c = 0; c < 3; c++)
      {
        least[c] = MIN (least[c], low[c]);
        most[c] = MAX (most[c], high[c]);
      }
  }
}

static void
count_row (const IsoluxPixels    *pixels,
           const IsoluxCountPlan *plan,
           gint64                 y,
           const gdouble         *low,
           const gdouble         *scale,
           guint32               *table)
{
  const guint8  *mask = isolux_cpu_mask_row (pixels, y);
  const gint64   n = pixels->region_width;
  const gint64   start = pixels->region_x * pixels->components;
  gconstpointer  row = isolux_cpu_row (pixels, y);
  const gboolean plain = pixels->components == 1 && ! mask;

  switch (pixels->type)
    {
      case ISOLUX_PLAN_U8:
        if (plain)
          count_row_u8 ((const guint8 *) row + start, n, table);
        else
          count_any_u8 (pixels, plan, (const guint8 *) row + start, mask, n,
                        table, SUBTABLES * 256);
        break;
      case ISOLUX_PLAN_U16:
        if (plain)
          count_row_u16 ((const guint16 *) row + start, n, table);
        else
          count_any_u16 (pixels, plan, (const guint16 *) row + start, mask, n,
                         table, 65536);
        break;
      default:
        count_row_f32 (pixels, plan, (const gfloat *) row + start, mask, n, low,
                       scale, table);
        break;
    }
}

/* Adds a thread's counters, copies tables of bins each, and clears them. */
static void
flush (const IsoluxCountPlan *plan,
       gint                   copies,
       guint32               *table,
       guint64               *counts)
{
  const gsize bins = (gsize) plan->bins;

#pragma omp critical(isolux_flush)
  for (gint c = 0; c < plan->channels; c++)
    for (gint i = 0; i < copies; i++)
      for (gsize k = 0; k < bins; k++)
        counts[(gsize) c * bins + k] +=
          table[((gsize) c * (gsize) copies + (gsize) i) * bins + k];
  memset (table, 0,
          (gsize) plan->channels * (gsize) copies * bins * sizeof (guint32));
}

gboolean
isolux_cpu_count_bins (IsoluxSurface         *surface,
                       const IsoluxCountPlan *plan,
                       const gdouble         *low,
                       const gdouble         *scale,
                       guint64               *counts,
                       GError               **error)
{
  const IsoluxPixels *pixels = &surface->pixels;
  const gint          threads = isolux_cpu_threads (surface->device,
                                                    pixels->region_width,
                                                    pixels->region_height);
  const gint          copies = pixels->type == ISOLUX_PLAN_U8 ? SUBTABLES : 1;
  const gsize         size = (gsize) plan->channels * (gsize) copies *
                     (gsize) plan->bins;
  guint32 *tables = isolux_try_new (guint32, size * (gsize) threads, error);

  if (! tables)
    return FALSE;
  memset (counts, 0,
          (gsize) plan->channels * (gsize) plan->bins * sizeof (guint64));
#pragma omp parallel num_threads(threads)
  {
    guint32 *table = tables + size * (gsize) omp_get_thread_num ();
    guint64  pending = 0;

#pragma omp for schedule(static)
    for (gint64 y = pixels->region_y;
         y < pixels->region_y + pixels->region_height; y++)
      {
        if (pending + (guint64) pixels->region_width > FLUSH_PIXELS)
          {
            flush (plan, copies, table, counts);
            pending = 0;
          }
        count_row (pixels, plan, y, low, scale, table);
        pending += (guint64) pixels->region_width;
      }
    flush (plan, copies, table, counts);
  }
  g_free (tables);
  return TRUE;
}

void
isolux_cpu_measure (IsoluxSurface         *surface,
                    const IsoluxCountPlan *plan,
                    gdouble               *least,
                    gdouble               *most)
{
  const IsoluxPixels *pixels = &surface->pixels;
  const gint          threads = isolux_cpu_threads (surface->device,
                                                    pixels->region_width,
                                                    pixels->region_height);

  measure (pixels, plan, threads, least, most);
}

gboolean
isolux_cpu_count (IsoluxSurface         *surface,
                  const IsoluxCountPlan *plan,
                  IsoluxCounts          *counts,
                  GError               **error)
{
  gdouble low[3] = { 0 }, scale[3] = { 0 };

  if (surface->pixels.type == ISOLUX_PLAN_F32)
    {
      gdouble least = HUGE_VAL, most = -HUGE_VAL;

      isolux_cpu_measure (surface, plan, counts->minimum, counts->maximum);
      for (gint c = 0; c < plan->channels; c++)
        {
          least = MIN (least, counts->minimum[c]);
          most = MAX (most, counts->maximum[c]);
        }
      if (plan->low < plan->high)
        {
          least = plan->low;
          most = plan->high;
        }
      else if (! (least <= most))
        least = most = 0.0;
      counts->low = least;
      counts->high = most;
      for (gint c = 0; c < plan->channels; c++)
        if (least < most)
          {
            low[c] = least;
            scale[c] = isolux_bin_scale (least, most, plan->bins);
          }
    }
  return isolux_cpu_count_bins (surface, plan, low, scale, counts->counts,
                                error);
}
