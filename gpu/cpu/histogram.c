/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting.  Each thread has tables of 32-bit counters of its own, added to
 * the 64-bit counts before they can overflow.  What limits a thread is one
 * read-modify-write of a counter, 0.3 ns; so large images of u8 are counted
 * by pairs of pixels, in 65536 counters that are taken apart in the end:
 * neighbours are alike in most images, and where they are not, the second
 * cache is as quick as twice the first.  Blocks of one value, frequent in
 * scans and masks, are counted at once.
 *
 * 4096 x 4096 on one core: u8 3.5 ms (4.9 uniform noise, 0.8 constant), u16
 * 8.2 (9.5, 1.9); reading alone takes 0.8 and 1.6.
 */
#include "cpu.h"
#include "kernels.h"

#include <math.h>
#include <omp.h>

/* Sub-tables of u8, so that equal neighbours do not wait for each other. */
#define SUBTABLES 4

/* Counters of u8 by pairs: of all pairs, then of single pixels. */
#define PAIRS 65536
#define PAIR_COUNTERS (PAIRS + 256)

/* So many pixels of a thread are worth the pairs' adding up. */
#define WORTH_PAIRS (1 << 20)

/* Pixels of a row that are looked at together. */
#define PART 1024

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
      for (gint i = 0; i < 8; i++)
        tables[i % SUBTABLES * 256 + (gint) (block >> 8 * i & 255)]++;
    }
  for (; x < n; x++)
    tables[in[x]]++;
}

static void
count_pairs (const guint8 *in, gint64 n, guint32 *table)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  gint64        x = 0;

  for (; x + 16 <= n; x += 16)
    {
      guint64 a, b;

      memcpy (&a, in + x, sizeof a);
      memcpy (&b, in + x + 8, sizeof b);
      if (a == b && a == (a & 255) * ones)
        {
          table[a & 65535] += 8;
          continue;
        }
      table[a & 65535]++;
      table[a >> 16 & 65535]++;
      table[a >> 32 & 65535]++;
      table[a >> 48]++;
      table[b & 65535]++;
      table[b >> 16 & 65535]++;
      table[b >> 32 & 65535]++;
      table[b >> 48]++;
    }
  for (; x < n; x++)
    table[PAIRS + in[x]]++;
}

static void
count_row_u16 (const guint16 *in, gint64 n, guint32 *table)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0001000100010001);
  gint64        x = 0;

  for (; x + 8 <= n; x += 8)
    {
      guint64 a, b;

      memcpy (&a, in + x, sizeof a);
      memcpy (&b, in + x + 4, sizeof b);
      if (a == b && a == (a & 65535) * ones)
        {
          table[a & 65535] += 8;
          continue;
        }
      table[a & 65535]++;
      table[a >> 16 & 65535]++;
      table[a >> 32 & 65535]++;
      table[a >> 48]++;
      table[b & 65535]++;
      table[b >> 16 & 65535]++;
      table[b >> 32 & 65535]++;
      table[b >> 48]++;
    }
  for (; x < n; x++)
    table[in[x]]++;
}

/* Single components, mask and alpha. bins: of one channel's table. */
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
        for (gint c = 0; c < plan->channels; c++)                              \
          table[(gsize) c * bins + in[plan->first_component + c]]++;           \
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

/* One component; mask: nullable. */
static void
measure_gray (const gfloat *in,
              const guint8 *mask,
              gint64        n,
              gdouble      *least,
              gdouble      *most)
{
  const IsoluxKernels *kernels = isolux_cpu_kernels ();
  gfloat               picked[PART];

  if (! mask)
    {
      kernels->range_f32 (in, n, least, most);
      return;
    }
  for (gint64 x = 0; x < n; x += PART)
    kernels->range_f32 (picked,
                        kernels->pick_f32 (in + x, mask + x, MIN (PART, n - x),
                                           picked),
                        least, most);
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
  if (pixels->components == 1)
    {
      measure_gray (in, mask, n, least, most);
      return;
    }
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

/* One component; mask: nullable. */
static void
count_gray_f32 (const gfloat *in,
                const guint8 *mask,
                gint64        n,
                gdouble       low,
                gdouble       scale,
                gint          bins,
                guint32      *table)
{
  const IsoluxKernels *kernels = isolux_cpu_kernels ();
  gfloat               picked[PART];
  gint32               places[PART];

  for (gint64 x = 0; x < n; x += PART)
    {
      const gfloat *values = mask ? picked : in + x;
      gint          m = (gint) MIN (PART, n - x);

      if (mask)
        m = (gint) kernels->pick_f32 (in + x, mask + x, m, picked);
      kernels->bins_f32 (values, m, low, scale, bins, places);
      for (gint i = 0; i < m; i++)
        if (G_LIKELY (places[i] >= 0))
          table[places[i]]++;
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

/*
 * How an image is counted.  codes: by rows of gray codes, in the image or
 * from lumas.  pairs: of u8, by pairs of codes.  copies: tables of a channel;
 * size: counters of a thread.
 */
typedef struct
{
  const IsoluxKernels   *kernels;
  const IsoluxPixels    *pixels;
  const IsoluxCountPlan *plan;
  const gdouble         *low, *scale;
  gboolean               codes, pairs;
  gint                   threads;
  gint                   copies;
  gsize                  size;
} Count;

static void
count_set (Count *c, const IsoluxPixels *pixels, const IsoluxCountPlan *plan)
{
  const gboolean u8 = pixels->type == ISOLUX_PLAN_U8;

  c->kernels = isolux_cpu_kernels ();
  c->pixels = pixels;
  c->plan = plan;
  c->codes = pixels->type != ISOLUX_PLAN_F32 &&
             (pixels->components == 1 || plan->luma);
  c->pairs = u8 && c->codes && plan->channels == 1 &&
             pixels->region_width * pixels->region_height / c->threads >=
               WORTH_PAIRS;
  c->copies = u8 ? SUBTABLES : 1;
  c->size = c->pairs
              ? PAIR_COUNTERS
              : (gsize) plan->channels * (gsize) c->copies * (gsize) plan->bins;
}

static void
count_codes (const Count *c, gconstpointer in, gint64 n, guint32 *table)
{
  if (c->pairs)
    count_pairs (in, n, table);
  else if (c->pixels->type == ISOLUX_PLAN_U8)
    count_row_u8 (in, n, table);
  else
    count_row_u16 (in, n, table);
}

/* Codes, or those of them that a mask leaves. */
static void
count_gray (const Count  *c,
            gconstpointer codes,
            const guint8 *mask,
            gint64        n,
            guint32      *table)
{
  guint16 picked[PART]; /* or u8 in half of it */

  if (! mask)
    count_codes (c, codes, n, table);
  else
    for (gint64 x = 0; x < n; x += PART)
      {
        const gint64 m = MIN (PART, n - x);
        const gint64 found =
          c->pixels->type == ISOLUX_PLAN_U8
            ? c->kernels->pick_u8 ((const guint8 *) codes + x, mask + x, m,
                                   (guint8 *) picked)
            : c->kernels->pick_u16 ((const guint16 *) codes + x, mask + x, m,
                                    picked);

        count_codes (c, picked, found, table);
      }
}

/* Lumas, some at a time.  Pixels of alpha 0 are taken back. */
static void
count_lumas (const Count  *c,
             gconstpointer row,
             const guint8 *mask,
             gint64        n,
             guint32      *table)
{
  const IsoluxPixels *p = c->pixels;
  const gint          components = p->components;
  guint32            *single = table + (c->pairs ? PAIRS : 0);

  for (gint64 first = 0; first < n; first += PART)
    {
      const gint64 m = MIN (PART, n - first);

      if (p->type == ISOLUX_PLAN_U8)
        {
          const guint8 *in = (const guint8 *) row + first * components;
          guint8        codes[PART];

          c->kernels->luma_u8 (&c->plan->weights, in, components, m, codes);
          if (p->has_alpha)
            for (gint64 i = 0; i < m; i++)
              if (G_UNLIKELY (! in[i * components + 3]) &&
                  (! mask || mask[first + i]))
                single[codes[i]]--;
          count_gray (c, codes, mask ? mask + first : NULL, m, table);
        }
      else
        {
          const guint16 *in = (const guint16 *) row + first * components;
          guint16        codes[PART];

          c->kernels->luma_u16 (&c->plan->weights, in, components, m, codes);
          if (p->has_alpha)
            for (gint64 i = 0; i < m; i++)
              if (G_UNLIKELY (! in[i * components + 3]) &&
                  (! mask || mask[first + i]))
                single[codes[i]]--;
          count_gray (c, codes, mask ? mask + first : NULL, m, table);
        }
    }
}

static void
count_row (const Count *c, gint64 y, guint32 *table)
{
  const IsoluxPixels    *p = c->pixels;
  const IsoluxCountPlan *plan = c->plan;
  const guint8          *mask = isolux_cpu_mask_row (p, y);
  const gint64           n = p->region_width;
  const gint64           start = p->region_x * p->components;
  gconstpointer          row = isolux_cpu_row (p, y);

  if (p->type == ISOLUX_PLAN_U8)
    row = (const guint8 *) row + start;
  else if (p->type == ISOLUX_PLAN_U16)
    row = (const guint16 *) row + start;
  else
    row = (const gfloat *) row + start;
  if (c->codes && p->components == 1)
    count_gray (c, row, mask, n, table);
  else if (c->codes)
    count_lumas (c, row, mask, n, table);
  else if (p->type == ISOLUX_PLAN_U8)
    count_any_u8 (p, plan, row, mask, n, table, SUBTABLES * 256);
  else if (p->type == ISOLUX_PLAN_U16)
    count_any_u16 (p, plan, row, mask, n, table, 65536);
  else if (p->components == 1 && c->scale[0] > 0.0)
    count_gray_f32 (row, mask, n, c->low[0], c->scale[0], plan->bins, table);
  else
    count_row_f32 (p, plan, row, mask, n, c->low, c->scale, table);
}

/* Takes pairs apart: the single counters have all afterwards. */
static void
split_pairs (guint32 *table)
{
  guint32 *single = table + PAIRS;

  for (gint high = 0; high < 256; high++)
    {
      const guint32 *pairs = table + 256 * high;
      guint32        sum = 0;

      for (gint low = 0; low < 256; low++)
        {
          single[low] += pairs[low];
          sum += pairs[low];
        }
      single[high] += sum;
    }
}

/* Adds bins first .. end - 1 of a thread's counters. */
static void
add_counters (const Count   *c,
              const guint32 *table,
              gsize          first,
              gsize          end,
              guint64       *counts)
{
  const gsize bins = (gsize) c->plan->bins, copies = (gsize) c->copies;

  if (c->pairs)
    for (gsize k = first; k < end; k++)
      counts[k] += table[PAIRS + k];
  else
    for (gsize channel = 0; channel < (gsize) c->plan->channels; channel++)
      for (gsize k = first; k < end; k++)
        {
          guint32 sum = 0; /* what was taken back is below 0 in one of them */

          for (gsize i = 0; i < copies; i++)
            sum += table[(channel * copies + i) * bins + k];
          counts[channel * bins + k] += sum;
        }
}

/* Adds all of them, before they can overflow. */
static void
flush (const Count *c, guint32 *table, guint64 *counts)
{
  if (c->pairs)
    split_pairs (table);
#pragma omp critical(isolux_flush)
  add_counters (c, table, 0, (gsize) c->plan->bins, counts);
  memset (table, 0, c->size * sizeof (guint32));
}

gboolean
isolux_cpu_count_bins (IsoluxSurface         *surface,
                       const IsoluxCountPlan *plan,
                       const gdouble         *low,
                       const gdouble         *scale,
                       guint64               *counts,
                       GError               **error)
{
  /* bins that a thread adds up at a time, of all threads' */
  enum
  {
    BINS_PART = 256
  };
  const IsoluxPixels *pixels = &surface->pixels;
  Count               c = { 0 };
  guint32            *tables;

  c.threads = isolux_cpu_threads (surface->device, pixels->region_width,
                                  pixels->region_height);
  c.low = low;
  c.scale = scale;
  count_set (&c, pixels, plan);
  tables = isolux_try_new (guint32, c.size * (gsize) c.threads, error);
  if (! tables)
    return FALSE;
  memset (counts, 0,
          (gsize) plan->channels * (gsize) plan->bins * sizeof (guint64));
#pragma omp parallel num_threads(c.threads)
  {
    guint32 *table = tables + c.size * (gsize) omp_get_thread_num ();
    guint64  pending = 0;

#pragma omp for schedule(static) nowait
    for (gint64 y = pixels->region_y;
         y < pixels->region_y + pixels->region_height; y++)
      {
        if (pending + (guint64) pixels->region_width > FLUSH_PIXELS)
          {
            flush (&c, table, counts);
            pending = 0;
          }
        count_row (&c, y, table);
        pending += (guint64) pixels->region_width;
      }
    if (c.pairs)
      split_pairs (table);
#pragma omp barrier
#pragma omp for schedule(static)
    for (gint first = 0; first < plan->bins; first += BINS_PART)
      for (gint i = 0; i < c.threads; i++)
        add_counters (&c, tables + c.size * (gsize) i, (gsize) first,
                      (gsize) MIN (first + BINS_PART, plan->bins), counts);
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
