/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE: the tables of all tiles.  A counter a pixel, then some operations a
 * bin of each tile: little, but with 65536 bins for each tile.
 */
#include "clahe.h"

#include <math.h>
#include <omp.h>

/* Sub-tables of u8, so that equal neighbours do not wait for each other. */
#define SUBTABLES 8

/* A thread's counters are added up before they can hold more than this; a
 * tile is at most 2^31 pixels wide. */
#define FLUSH_PIXELS (G_GUINT64_CONSTANT (1) << 31)

/* Pixels whose lumas are held at a time. */
#define LUMA_PART 512

typedef IsoluxClaheWork Work;

/* ---- The range of values ------------------------------------------------ */

/* Gray codes, or lumas, of which all count. */
static inline gboolean
is_plain (const Work *w)
{
  return (w->in->components == 1 || (w->plan->luma && ! w->in->has_alpha)) &&
         ! w->in->mask && ! w->plan->padding;
}

static const guint16 *
row_of (const Work *w, gint64 y)
{
  return (const guint16 *) isolux_cpu_row (w->in, y) +
         w->in->region_x * w->in->components;
}

/* n codes of a row of a plain image, from pixel x of the region on. */
static const guint16 *
codes_of (const Work *w, gint64 y, gint64 x, gint64 n, guint16 *room)
{
  const gint     components = w->in->components;
  const guint16 *in = row_of (w, y) + x * components;

  if (components == 1)
    return in;
  w->kernels->luma_u16 (&w->plan->weights, in, components, n, room);
  return room;
}

static void
measure_plain (const Work *w, gint64 y, gdouble *least, gdouble *most)
{
  const gint64 width = w->in->region_width;
  guint16      room[LUMA_PART], low = G_MAXUINT16, high = 0;

  if (width < 1)
    return;
  for (gint64 x = 0; x < width; x += LUMA_PART)
    {
      const gint64 n = MIN (LUMA_PART, width - x);

      w->kernels->range_u16 (codes_of (w, y, x, n, room), (gint) n, &low,
                             &high);
    }
  least[0] = MIN (low, least[0]);
  most[0] = MAX (high, most[0]);
}

/* seen: of each code, whether it occurs */
static void
measure_u16 (const Work *w,
             gint64      y,
             gdouble    *least,
             gdouble    *most,
             guint8     *seen)
{
  const guint8  *mask = isolux_cpu_mask_row (w->in, y);
  const guint16 *in = row_of (w, y);

  for (gint64 x = 0; x < w->in->region_width; x++, in += w->in->components)
    if (takes_u16 (w, in, mask, x))
      for (gint c = 0; c < w->channels; c++)
        {
          const guint32 code = code_u16 (w, in, c);

          least[c] = MIN (code, least[c]);
          most[c] = MAX (code, most[c]);
          seen[code] = 1;
        }
}

static void
measure_f32 (const Work *w, gint64 y, gdouble *least, gdouble *most)
{
  const IsoluxPixels *p = w->in;
  const guint8       *mask = isolux_cpu_mask_row (p, y);
  const gfloat       *in = (const gfloat *) isolux_cpu_row (p, y) +
                     p->region_x * p->components;

  if (p->components == 1 && ! mask && ! w->plan->padding)
    {
      w->kernels->range_f32 (in, p->region_width, least, most);
      return;
    }
  for (gint64 x = 0; x < p->region_width; x++, in += p->components)
    if (takes_f32 (w, in, mask, x))
      for (gint c = 0; c < w->channels; c++)
        {
          gdouble v;

          if (value_f32 (w, in, c, &v) && isolux_is_finite (v))
            {
              v += 0.0; /* one zero */
              least[c] = MIN (v, least[c]);
              most[c] = MAX (v, most[c]);
            }
        }
}

static void
merge (gdouble *least, gdouble *most, const gdouble *low, const gdouble *high)
{
#pragma omp critical(isolux_clahe_merge)
  for (gint c = 0; c < 3; c++)
    {
      least[c] = MIN (least[c], low[c]);
      most[c] = MAX (most[c], high[c]);
    }
}

/* Joins what the threads saw, in the first of them. */
static void
join_seen (const Work *w, guint8 *seen)
{
  for (gint i = 1; i < w->threads; i++)
    for (gsize k = 0; k < 65536; k++)
      seen[k] |= seen[65536 * (gsize) i + k];
}

/* seen: 65536 for each thread, the first of them for all in the end; not of
 * plain images */
static void
measure (const Work *w, gdouble *least, gdouble *most, guint8 *seen)
{
  const IsoluxPixels *p = w->in;

#pragma omp parallel num_threads(w->threads)
  {
    gdouble low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
    gdouble high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

#pragma omp for schedule(static)
    for (gint64 y = p->region_y; y < p->region_y + p->region_height; y++)
      if (p->type == ISOLUX_PLAN_F32)
        measure_f32 (w, y, low, high);
      else if (is_plain (w))
        measure_plain (w, y, low, high);
      else
        measure_u16 (w, y, low, high,
                     seen + 65536 * (gsize) omp_get_thread_num ());
    merge (least, most, low, high);
  }
  if (p->type == ISOLUX_PLAN_U16 && ! is_plain (w))
    join_seen (w, seen);
}

/* Which codes a plain image has. */
static void
see_plain (const Work *w, guint8 *seen)
{
  const IsoluxPixels *p = w->in;

#pragma omp parallel for num_threads(w->threads) schedule(static)
  for (gint64 y = p->region_y; y < p->region_y + p->region_height; y++)
    {
      guint8 *own = seen + 65536 * (gsize) omp_get_thread_num ();
      guint16 room[LUMA_PART];

      for (gint64 x = 0; x < p->region_width; x += LUMA_PART)
        {
          const gint64   n = MIN (LUMA_PART, p->region_width - x);
          const guint16 *codes = codes_of (w, y, x, n, room);

          for (gint64 i = 0; i < n; i++)
            own[codes[i]] = 1;
        }
    }
  join_seen (w, seen);
}

static gboolean
set_shares (Work *w, guint8 *seen, GError **error)
{
  const gint last = (1 << w->bits) - 1, codes = 1 << w->shift;

  w->shares = isolux_try_new (gfloat, 65536, error);
  if (! w->shares)
    return FALSE;
  /* codes beyond the significant bits are the last one */
  for (gint k = last; k < 65536; k++)
    seen[last] |= seen[k];
  for (gint start = 0; start <= last; start += codes)
    {
      gint least = -1, most = 0;

      for (gint k = start; k < start + codes; k++)
        if (seen[k])
          {
            least = least < 0 ? k : least;
            most = k;
          }
      for (gint k = least; least >= 0 && k <= most; k++)
        w->shares[k] =
          isolux_code_share ((guint32) k, (guint32) least, (guint32) most);
    }
  return TRUE;
}

/* Sets bits, bins and ranges. */
static gboolean
set_ranges (Work *w, gdouble *least, gdouble *most, GError **error)
{
  const gint type = w->in->type;
  guint8    *seen;
  gdouble    largest = 0.0;
  gboolean   success = TRUE;

  w->bits = type == ISOLUX_PLAN_U8 ? 8 : 16;
  w->bins = w->plan->most_bins;
  if (! w->plan->measured)
    return TRUE;
  seen = isolux_try_alloc (type == ISOLUX_PLAN_U16 ? (gsize) w->threads : 1,
                           65536, error);
  if (! seen)
    return FALSE;
  measure (w, least, most, seen);
  for (gint c = 0; c < w->channels; c++)
    {
      w->identity[c] = ! (least[c] < most[c]);
      largest = MAX (largest, most[c]);
      if (type == ISOLUX_PLAN_F32 && ! w->identity[c])
        {
          w->low[c] = least[c];
          w->scale[c] = isolux_bin_scale (least[c], most[c], w->bins);
        }
    }
  if (type == ISOLUX_PLAN_U16)
    {
      w->bits = w->in->bits ? w->in->bits
                            : isolux_significant_bits ((guint32) largest);
      w->bins = MIN (w->bins, 1 << w->bits);
      w->shift = isolux_bin_shift (w->bits, w->bins);
      if (w->shift && is_plain (w))
        see_plain (w, seen);
      if (w->shift)
        success = set_shares (w, seen, error);
    }
  g_free (seen);
  return success;
}

/* ---- Counting a tile ---------------------------------------------------- */

/* Counters of one thread, and what they are added to. */
typedef struct
{
  guint32 *table;
  guint64 *counts;
  guint64  pending;
} Counter;

static void
counter_flush (const Work *w, Counter *counter)
{
  const gint copies = w->in->type == ISOLUX_PLAN_U8 ? SUBTABLES : 1;

  for (gint k = 0; k < w->bins; k++)
    {
      guint32 sum = 0; /* what was taken back is below 0 in one of them */

      for (gint i = 0; i < copies; i++)
        sum += counter->table[i * w->bins + k];
      counter->counts[k] += sum;
    }
  memset (counter->table, 0,
          (gsize) copies * (gsize) w->bins * sizeof (guint32));
  counter->pending = 0;
}

static void
count_plain_u8 (const Work *w, const guint8 *in, gint64 n, guint32 *tables)
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
          tables[a & 255] += 16;
          continue;
        }
      for (gint i = 0; i < 8; i++)
        tables[i * 256 + (gint) (a >> 8 * i & 255)]++;
      for (gint i = 0; i < 8; i++)
        tables[i * 256 + (gint) (b >> 8 * i & 255)]++;
    }
  for (; x < n; x++)
    tables[in[x]]++;
}

static void
count_plain_u16 (const Work *w, const guint16 *in, gint64 n, guint32 *table)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0001000100010001);
  const gint    shift = w->shift;
  gint64        x = 0;

  /* bits that were given, or found without what has alpha 0 */
  if (w->bits < 16 && (w->in->bits != 0 || w->in->has_alpha))
    {
      for (; x < n; x++)
        table[isolux_code_within (in[x], w->bits) >> shift]++;
      return;
    }
  for (; x + 8 <= n; x += 8)
    {
      guint64 a, b;

      memcpy (&a, in + x, sizeof a);
      memcpy (&b, in + x + 4, sizeof b);
      if (a == b && a == (a & 65535) * ones)
        {
          table[(a & 65535) >> shift] += 8;
          continue;
        }
      table[(a & 65535) >> shift]++;
      table[(a >> 16 & 65535) >> shift]++;
      table[(a >> 32 & 65535) >> shift]++;
      table[(a >> 48) >> shift]++;
      table[(b & 65535) >> shift]++;
      table[(b >> 16 & 65535) >> shift]++;
      table[(b >> 32 & 65535) >> shift]++;
      table[(b >> 48) >> shift]++;
    }
  for (; x < n; x++)
    table[in[x] >> shift]++;
}

#define DEFINE_COUNT_ANY(suffix, type)                                  \
  static void count_any_##suffix (const Work *w, const type *in,        \
                                  const guint8 *mask, gint64 n, gint c, \
                                  guint32 *table)                       \
  {                                                                     \
    for (gint64 x = 0; x < n; x++, in += w->in->components)             \
      if (takes_##suffix (w, in, mask, x))                              \
        table[isolux_code_within (code_##suffix (w, in, c), w->bits) >> \
              w->shift]++;                                              \
  }

DEFINE_COUNT_ANY (u8, guint8)
DEFINE_COUNT_ANY (u16, guint16)

/* Gray codes that a mask leaves. */
#define DEFINE_COUNT_MASKED(suffix, type, count)                         \
  static void count_masked_##suffix (const Work *w, const type *in,      \
                                     const guint8 *mask, gint64 n,       \
                                     guint32 *table)                     \
  {                                                                      \
    type picked[LUMA_PART];                                              \
                                                                         \
    for (gint64 x = 0; x < n; x += LUMA_PART)                            \
      count (w, picked,                                                  \
             w->kernels->pick_##suffix (in + x, mask + x,                \
                                        MIN (LUMA_PART, n - x), picked), \
             table);                                                     \
  }

DEFINE_COUNT_MASKED (u8, guint8, count_plain_u8)
DEFINE_COUNT_MASKED (u16, guint16, count_plain_u16)

static void
count_any_f32 (const Work   *w,
               const gfloat *in,
               const guint8 *mask,
               gint64        n,
               gint          c,
               guint32      *table)
{
  for (gint64 x = 0; x < n; x++, in += w->in->components)
    {
      gdouble v;

      if (takes_f32 (w, in, mask, x) && value_f32 (w, in, c, &v))
        table[isolux_bin_f32 (v, w->low[c], w->scale[c], w->bins)]++;
    }
}

/* Lumas, some at a time.  Pixels of alpha 0 are taken back. */
#define DEFINE_COUNT_LUMAS(suffix, type, count)                              \
  static void count_lumas_##suffix (const Work *w, const type *in, gint64 n, \
                                    guint32 *table)                          \
  {                                                                          \
    const gint components = w->in->components;                               \
    type       codes[LUMA_PART];                                             \
                                                                             \
    for (gint64 x = 0; x < n; x += LUMA_PART)                                \
      {                                                                      \
        const gint64 m = MIN (LUMA_PART, n - x);                             \
                                                                             \
        w->kernels->luma_##suffix (&w->plan->weights, in, components, m,     \
                                   codes);                                   \
        count (w, codes, m, table);                                          \
        if (w->in->has_alpha)                                                \
          for (gint64 i = 0; i < m; i++)                                     \
            if (G_UNLIKELY (! in[i * components + components - 1]))          \
              table[isolux_code_within (codes[i], w->bits) >> w->shift]--;   \
        in += m * components;                                                \
      }                                                                      \
  }

DEFINE_COUNT_LUMAS (u8, guint8, count_plain_u8)
DEFINE_COUNT_LUMAS (u16, guint16, count_plain_u16)

/* Pixels begin .. end - 1 of row y, of which those of the region count. */
static void
count_run (const Work *w,
           gint        c,
           gint64      y,
           gint64      begin,
           gint64      end,
           guint32    *table)
{
  const IsoluxPixels *p = w->in;
  const guint8       *mask = isolux_cpu_mask_row (p, y);
  const guint8       *row = isolux_cpu_row (p, y);
  const gboolean      gray = p->components == 1 && ! w->plan->padding;
  gint64              n;

  begin = MAX (begin, p->region_x);
  end = MIN (end, p->region_x + p->region_width);
  n = end - begin;
  if (n <= 0)
    return;
  row += (gsize) (begin * p->components) * w->size;
  if (y + 2 < p->height)
    isolux_cpu_prefetch (row + 2 * p->stride,
                         (gsize) (n * p->components) * w->size);
  if (mask)
    mask += begin - p->region_x;
  if (p->type == ISOLUX_PLAN_F32)
    count_any_f32 (w, (const gfloat *) row, mask, n, c, table);
  else if (p->type == ISOLUX_PLAN_U16)
    {
      if (mask && gray)
        count_masked_u16 (w, (const guint16 *) row, mask, n, table);
      else if (mask || w->plan->padding ||
               (p->components != 1 && ! w->plan->luma))
        count_any_u16 (w, (const guint16 *) row, mask, n, c, table);
      else if (p->components == 1)
        count_plain_u16 (w, (const guint16 *) row, n, table);
      else
        count_lumas_u16 (w, (const guint16 *) row, n, table);
    }
  else if (mask && gray)
    count_masked_u8 (w, row, mask, n, table);
  else if (mask || w->plan->padding || (p->components != 1 && ! w->plan->luma))
    count_any_u8 (w, row, mask, n, c, table);
  else if (p->components == 1)
    count_plain_u8 (w, row, n, table);
  else
    count_lumas_u8 (w, row, n, table);
}

/* Row y of the continued image, as far as the tile reaches. */
static void
count_row (const Work *w, gint c, gint tile_x, gint64 y, Counter *counter)
{
  const IsoluxPixels *p = w->in;
  const IsoluxGrid   *g = w->grid;
  const gint64        begin = tile_x * g->tile_width;
  const gint64        end = begin + g->tile_width;

  y = isolux_reflect (y, g->height);
  if (y < p->region_y || y >= p->region_y + p->region_height)
    return;
  if (counter->pending + (guint64) g->tile_width > FLUSH_PIXELS)
    counter_flush (w, counter);
  counter->pending += (guint64) g->tile_width;
  if (begin < g->width)
    count_run (w, c, y, begin, MIN (end, g->width), counter->table);
  for (gint64 x = MAX (begin, g->width); x < end; x++)
    {
      const gint64 at = isolux_reflect (x, g->width);

      count_run (w, c, y, at, at + 1, counter->table);
    }
}

/* Adds a tile to counts.  tables: of as many threads as take part. */
static void
count_tile (const Work *w,
            gint        c,
            gint        tile_x,
            gint        tile_y,
            gint        threads,
            guint32    *tables,
            gsize       table_size,
            guint64    *counts)
{
  const gint64 begin = tile_y * w->grid->tile_height;
  const gint64 end = begin + w->grid->tile_height;

  if (threads == 1)
    {
      Counter counter = { tables, counts, 0 };

      for (gint64 y = begin; y < end; y++)
        count_row (w, c, tile_x, y, &counter);
      counter_flush (w, &counter);
      return;
    }
#pragma omp parallel num_threads(threads)
  {
    guint32 *table = tables + (gsize) omp_get_thread_num () * table_size;
    Counter  counter = { table, counts, 0 };

#pragma omp for schedule(static)
    for (gint64 y = begin; y < end; y++)
      {
        if (counter.pending + (guint64) w->grid->tile_width > FLUSH_PIXELS)
#pragma omp critical(isolux_clahe_flush)
          counter_flush (w, &counter);
        count_row (w, c, tile_x, y, &counter);
      }
#pragma omp critical(isolux_clahe_flush)
    counter_flush (w, &counter);
  }
}

/* ---- The table of a tile ------------------------------------------------ */

static guint64
sum_of (const Work *w, const guint64 *counts)
{
  guint64 sum = 0;

  for (gint k = 0; k < w->bins; k++)
    sum += counts[k];
  return sum;
}

static void
write_entries (const Work            *w,
               const IsoluxTileTerms *terms,
               const guint64         *counts,
               guint8                *entries)
{
  guint64 kept = 0;

  for (gint k = 0; k < w->bins; k++)
    {
      guint64 sum;

      kept += isolux_tile_kept (w->plan->whole, counts[k], terms->limit);
      sum = isolux_tile_sum (terms, kept, k);
      if (w->in->type == ISOLUX_PLAN_U8)
        entries[k] = (guint8) isolux_tile_code (terms, sum, 255);
      else if (w->in->type == ISOLUX_PLAN_U16)
        ((guint16 *) entries)[k] =
          (guint16) isolux_tile_code (terms, sum, 65535);
      else
        ((gfloat *) entries)[k] = isolux_tile_f32 (terms, sum);
    }
}

static guint8 *
entries_of (const Work *w, gint c, gint64 tile_x, gint64 tile_y)
{
  return w->entries + (gsize) isolux_cpu_clahe_tile (w, c, tile_x, tile_y) *
                        (gsize) w->bins * w->size;
}

/*
 * A tile without a pixel that counts borrows those of the tiles around it.
 * Where they have none either, no pixel lies near that could need the table:
 * a pixel's own tile is never empty, and it needs that and its neighbours.
 */
static guint64
borrow (const Work *w,
        gint        c,
        gint        tile_x,
        gint        tile_y,
        gint        threads,
        guint32    *tables,
        gsize       table_size,
        guint64    *counts)
{
  for (gint y = MAX (tile_y - 1, 0); y <= tile_y + 1; y++)
    for (gint x = MAX (tile_x - 1, 0); x <= tile_x + 1; x++)
      if (x < w->grid->tiles_x && y < w->grid->tiles_y)
        count_tile (w, c, x, y, threads, tables, table_size, counts);
  return sum_of (w, counts);
}

/* Counts that were made by 64 bits become a table. */
static void
make_large_table (const Work *w,
                  gint        c,
                  gint        tile_x,
                  gint        tile_y,
                  gint        threads,
                  guint32    *tables,
                  gsize       table_size,
                  guint64    *counts)
{
  guint64         pixels = sum_of (w, counts), limit, kept = 0;
  IsoluxTileTerms terms;

  if (pixels == 0)
    pixels = borrow (w, c, tile_x, tile_y, threads, tables, table_size, counts);
  if (pixels == 0)
    return;
  limit =
    isolux_tile_limit (w->plan->whole, w->plan->clip_limit, pixels, w->bins);
  for (gint k = 0; k < w->bins; k++)
    kept += isolux_tile_kept (w->plan->whole, counts[k], limit);
  terms = isolux_tile_terms (w->plan->whole, pixels, limit, kept, w->bins,
                             w->maximum);
  write_entries (w, &terms, counts, entries_of (w, c, tile_x, tile_y));
}

/* Whole counts by 32 bits, of pixels of codes, become one quickly. */
static void
make_whole_table (const Work *w,
                  gint        c,
                  gint        tile_x,
                  gint        tile_y,
                  guint64     pixels,
                  guint32    *counts)
{
  guint8       *entries = entries_of (w, c, tile_x, tile_y);
  const guint64 limit =
    isolux_tile_limit (TRUE, w->plan->clip_limit, pixels, w->bins);
  const guint32   most = (guint32) MIN (limit, G_MAXUINT32);
  guint64         kept = 0;
  IsoluxTileTerms terms;

  for (gint k = 0; k < w->bins; k++)
    kept += counts[k] < most ? counts[k] : most;
  terms = isolux_tile_terms (TRUE, pixels, limit, kept, w->bins, w->maximum);
  if (w->in->type == ISOLUX_PLAN_U8)
    w->kernels->clahe_entries_u8 (&terms, counts, w->bins, entries);
  else
    w->kernels->clahe_entries_u16 (&terms, counts, w->bins,
                                   (guint16 *) entries);
}

static IsoluxClaheRange
range_of (const Work *w, const guint64 *counts)
{
  IsoluxClaheRange range = { 1, 0 };
  gint             low = 0, high = w->bins - 1;

  while (low < w->bins && ! counts[low])
    low++;
  while (high > low && ! counts[high])
    high--;
  if (low < w->bins)
    range = (IsoluxClaheRange) { (guint32) low, (guint32) high };
  return range;
}

/* A tile of fewer than 2^31 pixels by one thread.  table: zero before and
 * after. */
static void
make_small_table (const Work *w,
                  gint        c,
                  gint        tile_x,
                  gint        tile_y,
                  guint32    *table,
                  gsize       table_size,
                  guint64    *counts)
{
  const gint64 begin = tile_y * w->grid->tile_height;
  Counter      counter = { table, counts, 0 };
  guint64      pixels = 0;

  for (gint64 y = begin; y < begin + w->grid->tile_height; y++)
    count_row (w, c, tile_x, y, &counter);
  if (w->in->type == ISOLUX_PLAN_U8)
    for (gint i = 1; i < SUBTABLES; i++)
      for (gint k = 0; k < 256; k++)
        table[k] += table[i * 256 + k];
  for (gint k = 0; k < w->bins; k++)
    {
      counts[k] = table[k];
      pixels += table[k];
    }
  w->ranges[isolux_cpu_clahe_tile (w, c, tile_x, tile_y)] =
    range_of (w, counts);
  if (w->plan->whole && pixels > 0)
    {
      make_whole_table (w, c, tile_x, tile_y, pixels, table);
      memset (table, 0, table_size * sizeof (guint32));
    }
  else
    {
      memset (table, 0, table_size * sizeof (guint32));
      make_large_table (w, c, tile_x, tile_y, 1, table, table_size, counts);
    }
}

static void
make_table (const Work *w,
            gint        c,
            gint        tile_x,
            gint        tile_y,
            gint        threads,
            guint32    *tables,
            gsize       table_size,
            guint64    *counts)
{
  const IsoluxGrid *g = w->grid;

  if (threads == 1 &&
      (guint64) g->tile_width * (guint64) g->tile_height < FLUSH_PIXELS)
    {
      make_small_table (w, c, tile_x, tile_y, tables, table_size, counts);
      return;
    }
  memset (counts, 0, (gsize) w->bins * sizeof (guint64));
  count_tile (w, c, tile_x, tile_y, threads, tables, table_size, counts);
  w->ranges[isolux_cpu_clahe_tile (w, c, tile_x, tile_y)] =
    range_of (w, counts);
  make_large_table (w, c, tile_x, tile_y, threads, tables, table_size, counts);
}

/* Many tiles: a thread each; few: all threads share the rows of one. */
static gboolean
make_tables (Work *w, gdouble *least, gdouble *most, GError **error)
{
  const IsoluxGrid *g = w->grid;
  const gint64      tiles = (gint64) g->tiles_x * g->tiles_y;
  const gint64      jobs = tiles * w->channels;
  const gint        outer = jobs >= w->threads ? w->threads : 1;
  const gint        inner = outer == 1 ? w->threads : 1;
  const gsize       table_size = (gsize) w->bins *
                           (w->in->type == ISOLUX_PLAN_U8 ? SUBTABLES : 1);
  guint32 *tables;
  guint64 *counts = NULL;

  tables = isolux_try_new (guint32, (gsize) w->threads * table_size, error);
  if (tables)
    counts = isolux_try_new (guint64, (gsize) outer * (gsize) w->bins, error);
  if (counts)
    w->ranges = isolux_try_new (IsoluxClaheRange, (gsize) jobs, error);
  if (w->ranges)
    w->entries =
      isolux_try_alloc ((gsize) jobs * (gsize) w->bins, w->size, error);
  if (w->entries)
#pragma omp parallel for num_threads(outer) if (outer > 1) schedule(dynamic)
    for (gint64 i = 0; i < jobs; i++)
      {
        const gsize  thread = outer > 1 ? (gsize) omp_get_thread_num () : 0;
        const gint   c = (gint) (i / tiles);
        const gint64 tile = i % tiles;

        if (! w->identity[c])
          make_table (w, c, (gint) (tile % g->tiles_x),
                      (gint) (tile / g->tiles_x), inner,
                      tables + thread * table_size, table_size,
                      counts + thread * (gsize) w->bins);
      }
  if (w->entries && ! w->plan->measured)
    for (gint64 i = 0; i < jobs; i++)
      if (w->ranges[i].least <= w->ranges[i].most)
        {
          const gint c = (gint) (i / tiles);

          least[c] = MIN (w->ranges[i].least, least[c]);
          most[c] = MAX (w->ranges[i].most, most[c]);
        }
  g_free (counts);
  g_free (tables);
  return w->entries != NULL;
}

/* ---- All of it ---------------------------------------------------------- */

/* Hands the tables over. */
static void
give_tables (Work              *w,
             const gdouble     *least,
             const gdouble     *most,
             IsoluxClaheTables *tables)
{
  memset (tables, 0, sizeof *tables);
  tables->channels = w->channels;
  tables->bits = w->bits;
  tables->bins = w->bins;
  tables->shift = w->shift;
  tables->stride = (gsize) w->bins;
  for (gint c = 0; c < w->channels; c++)
    {
      tables->identity[c] = w->identity[c];
      if (w->in->type == ISOLUX_PLAN_F32 && least[c] <= most[c])
        {
          tables->low[c] = least[c];
          tables->high[c] = most[c];
          tables->scale[c] = w->scale[c];
        }
    }
  tables->shares = g_steal_pointer (&w->shares);
  tables->entries = g_steal_pointer (&w->entries);
}

gboolean
isolux_cpu_clahe (IsoluxSurface         *source,
                  IsoluxSurface         *destination,
                  const IsoluxClahePlan *plan,
                  gboolean              *unchanged,
                  IsoluxClaheTables     *tables,
                  GError               **error)
{
  gdouble  least[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
  gdouble  most[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
  Work     w = { 0 };
  gboolean success, all = TRUE;

  w.kernels = isolux_cpu_kernels ();
  w.in = &source->pixels;
  w.out = destination ? &destination->pixels : NULL;
  w.plan = plan;
  w.grid = &plan->grid;
  w.channels = plan->luma ? 1 : w.in->colors;
  w.alpha = w.in->has_alpha ? w.in->components - 1 : -1;
  w.maximum = w.in->type == ISOLUX_PLAN_U8    ? 255
              : w.in->type == ISOLUX_PLAN_U16 ? 65535
                                              : 1;
  w.size = isolux_type_size (source->image.type);
  w.threads = isolux_cpu_threads (source->device, w.in->width, w.in->height);

  success = set_ranges (&w, least, most, error);
  for (gint c = 0; c < w.channels; c++)
    all = all && w.identity[c];
  success = success && (all || make_tables (&w, least, most, error));
  if (! plan->measured)
    for (gint c = 0; c < w.channels; c++)
      w.identity[c] = least[c] > most[c] ||
                      (! plan->opencv && least[c] == most[c]);
  success = success && (! destination || isolux_cpu_clahe_apply (&w, error));
  if (success && tables)
    give_tables (&w, least, most, tables);
  g_free (w.entries);
  g_free (w.ranges);
  g_free (w.shares);
  if (success && unchanged)
    {
      *unchanged = TRUE;
      for (gint c = 0; c < w.channels; c++)
        *unchanged = *unchanged && w.identity[c];
    }
  return success;
}
