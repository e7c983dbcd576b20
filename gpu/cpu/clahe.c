/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE: the tables of all tiles, then each pixel from the four around it.
 * Gray codes that have a bin each read the four at once, from a table that
 * is packed for all pixels between the same four middles.
 */
#include "cpu.h"

#include <math.h>
#include <omp.h>

/* Sub-tables of u8, so that equal neighbours do not wait for each other. */
#define SUBTABLES 4

/* A thread's counters are added up before they can hold more than this; a
 * tile is at most 2^31 pixels wide. */
#define FLUSH_PIXELS (G_GUINT64_CONSTANT (1) << 31)

/* Bands of rows a thread gets. */
#define BANDS_PER_THREAD 4

/*
 * What a call works with.  shift and bits are of codes; low and scale, of
 * each channel, of f32.  shares: of each code, where a bin holds several,
 * else NULL.
 */
typedef struct
{
  const IsoluxPixels    *in, *out;
  const IsoluxClahePlan *plan;
  const IsoluxGrid      *grid;
  gint                   channels;
  gint                   alpha; /* its component, or -1 */
  gint                   bits;
  gint                   bins;
  gint                   shift;
  guint32                maximum;
  gdouble                low[3], scale[3];
  gfloat                *shares;
  gboolean               identity[3];
  gsize                  size; /* of an entry */
  guint8                *entries;
  gint                   threads;
} Work;

/* ---- What counts -------------------------------------------------------- */

#define DEFINE_TAKES(suffix, type, name)                                \
  static inline gboolean takes_##suffix (const Work *w, const type *in, \
                                         const guint8 *mask, gint64 x)  \
  {                                                                     \
    if ((mask && ! mask[x]) || (w->alpha >= 0 && ! (in[w->alpha] > 0))) \
      return FALSE;                                                     \
    return ! w->plan->padding || in[0] != w->plan->name ||              \
           (w->in->colors == 3 &&                                       \
            (in[1] != w->plan->name || in[2] != w->plan->name));        \
  }

DEFINE_TAKES (u8, guint8, padding_code)
DEFINE_TAKES (u16, guint16, padding_code)
DEFINE_TAKES (f32, gfloat, padding_value)

#define DEFINE_CODE(suffix, type)                                             \
  static inline guint32 code_##suffix (const Work *w, const type *in, gint c) \
  {                                                                           \
    return w->plan->luma                                                      \
             ? isolux_luma_code (&w->plan->weights, in[0], in[1], in[2])      \
             : in[c];                                                         \
  }

DEFINE_CODE (u8, guint8)
DEFINE_CODE (u16, guint16)

static inline gboolean
value_f32 (const Work *w, const gfloat *in, gint c, gdouble *value)
{
  if (w->plan->luma)
    {
      if (isolux_is_nan (in[0]) || isolux_is_nan (in[1]) ||
          isolux_is_nan (in[2]))
        return FALSE;
      *value = isolux_luma_f32 (&w->plan->weights, in[0], in[1], in[2]);
      return TRUE;
    }
  *value = in[c];
  return ! isolux_is_nan (in[c]);
}

/* ---- The range of values ------------------------------------------------ */

/* seen: of each code, whether it occurs, which of one channel says all */
static void
measure_row (const Work *w,
             gint64      y,
             gdouble    *least,
             gdouble    *most,
             guint8     *seen)
{
  const IsoluxPixels *p = w->in;
  const guint8       *mask = isolux_cpu_mask_row (p, y);
  const gint64        start = p->region_x * p->components;

  if (p->type == ISOLUX_PLAN_F32)
    {
      const gfloat *in = (const gfloat *) isolux_cpu_row (p, y) + start;

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
  else if (p->components == 1 && ! mask && ! w->plan->padding)
    {
      const guint16 *in = (const guint16 *) isolux_cpu_row (p, y) + start;

      for (gint64 x = 0; x < p->region_width; x++)
        seen[in[x]] = 1;
    }
  else
    {
      const guint16 *in = (const guint16 *) isolux_cpu_row (p, y) + start;

      for (gint64 x = 0; x < p->region_width; x++, in += p->components)
        if (takes_u16 (w, in, mask, x))
          for (gint c = 0; c < w->channels; c++)
            {
              const guint32 code = code_u16 (w, in, c);

              least[c] = MIN (code, least[c]);
              most[c] = MAX (code, most[c]);
              seen[code] = 1;
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

/* seen: 65536 for each thread, the first of them for all in the end */
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
      measure_row (w, y, low, high,
                   seen + 65536 * (gsize) omp_get_thread_num ());
    merge (least, most, low, high);
  }
  if (p->type == ISOLUX_PLAN_U16)
    for (gint i = 1; i < w->threads; i++)
      for (gsize k = 0; k < 65536; k++)
        seen[k] |= seen[65536 * (gsize) i + k];
  if (p->type == ISOLUX_PLAN_U16 && w->channels == 1)
    for (gint k = 0; k < 65536; k++)
      if (seen[k])
        {
          least[0] = MIN (k, least[0]);
          most[0] = MAX (k, most[0]);
        }
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

  for (gint i = 0; i < copies; i++)
    for (gint k = 0; k < w->bins; k++)
      counter->counts[k] += counter->table[i * w->bins + k];
  memset (counter->table, 0,
          (gsize) copies * (gsize) w->bins * sizeof (guint32));
  counter->pending = 0;
}

static void
count_plain_u8 (const guint8 *in, gint64 n, guint32 *tables)
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
        tables[(i & (SUBTABLES - 1)) * 256 + (gint) (block >> 8 * i & 255)]++;
    }
  for (; x < n; x++)
    tables[in[x]]++;
}

static void
count_plain_u16 (const Work *w, const guint16 *in, gint64 n, guint32 *table)
{
  for (gint64 x = 0; x < n; x++)
    table[isolux_code_within (in[x], w->bits) >> w->shift]++;
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
  gint64              n;

  begin = MAX (begin, p->region_x);
  end = MIN (end, p->region_x + p->region_width);
  n = end - begin;
  if (n <= 0)
    return;
  row += (gsize) (begin * p->components) * w->size;
  if (mask)
    mask += begin - p->region_x;
  if (p->type == ISOLUX_PLAN_F32)
    count_any_f32 (w, (const gfloat *) row, mask, n, c, table);
  else if (p->type == ISOLUX_PLAN_U16)
    {
      if (p->components == 1 && ! mask && ! w->plan->padding)
        count_plain_u16 (w, (const guint16 *) row, n, table);
      else
        count_any_u16 (w, (const guint16 *) row, mask, n, c, table);
    }
  else if (p->components == 1 && ! mask && ! w->plan->padding)
    count_plain_u8 (row, n, table);
  else
    count_any_u8 (w, row, mask, n, c, table);
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
  const IsoluxGrid *g = w->grid;

  return w->entries +
         (gsize) (((gint64) c * g->tiles_y + tile_y) * g->tiles_x + tile_x) *
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

static void
make_table (const Work *w,
            gint        c,
            gint        tile_x,
            gint        tile_y,
            gint        threads,
            guint32    *tables,
            gsize       table_size,
            guint64    *counts,
            gdouble    *least,
            gdouble    *most)
{
  guint64         pixels, limit, kept = 0;
  IsoluxTileTerms terms;

  memset (counts, 0, (gsize) w->bins * sizeof (guint64));
  count_tile (w, c, tile_x, tile_y, threads, tables, table_size, counts);
  if (! w->plan->measured)
    for (gint k = 0; k < w->bins; k++)
      if (counts[k])
        {
          least[c] = MIN (k, least[c]);
          most[c] = MAX (k, most[c]);
        }
  pixels = sum_of (w, counts);
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
  guint64 *counts;
  gboolean success = FALSE;

  tables = isolux_try_new (guint32, (gsize) w->threads * table_size, error);
  counts = tables
             ? isolux_try_new (guint64, (gsize) outer * (gsize) w->bins, error)
             : NULL;
  w->entries =
    counts ? isolux_try_alloc ((gsize) jobs * (gsize) w->bins, w->size, error)
           : NULL;
  if (w->entries)
    {
#pragma omp parallel num_threads(outer) if (outer > 1)
      {
        const gsize thread = outer > 1 ? (gsize) omp_get_thread_num () : 0;
        gdouble     low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL };
        gdouble     high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };

#pragma omp for schedule(dynamic)
        for (gint64 i = 0; i < jobs; i++)
          {
            const gint   c = (gint) (i / tiles);
            const gint64 tile = i % tiles;

            if (! w->identity[c])
              make_table (w, c, (gint) (tile % g->tiles_x),
                          (gint) (tile / g->tiles_x), inner,
                          tables + thread * table_size, table_size,
                          counts + thread * (gsize) w->bins, low, high);
          }
        if (! w->plan->measured)
          merge (least, most, low, high);
      }
      success = TRUE;
    }
  g_free (counts);
  g_free (tables);
  return success;
}

/* ---- Between four middles ----------------------------------------------- */

/* The pixels x0 .. x1 - 1 of a band of rows, which have the same four tiles;
 * table: the first entries of the tile of each channel. */
typedef struct
{
  gint64        x0, x1;
  gint          whole_x, whole_y; /* parts of the places */
  gconstpointer table[3][4];
  gconstpointer packed; /* nullable */
} Cell;

/* What the weights of a row's pixels come from. */
typedef struct
{
  gfloat inverse_x, whole_x;
  gfloat y; /* the weight of the row */
} Row;

static inline gfloat
weight_at (const Row *row, gint32 x)
{
  return ((gfloat) x * row->inverse_x - 0.5f) - row->whole_x;
}

#define DEFINE_PACKED(suffix, type, word, bits)                               \
  static void packed_##suffix (const Row *row, const type *restrict in,       \
                               type *restrict out, gint32 x0, gint32 x1,      \
                               const word *restrict table)                    \
  {                                                                           \
    const Row   r = *row;                                                     \
    const guint max = (1u << (bits)) - 1u;                                    \
                                                                              \
    for (gint32 x = x0; x < x1; x++)                                          \
      {                                                                       \
        const word   p = table[in[x]];                                        \
        const gfloat v =                                                      \
          isolux_blend ((gfloat) (gint) (p & max),                            \
                        (gfloat) (gint) (p >> (bits) & max),                  \
                        (gfloat) (gint) (p >> 2 * (bits) & max),              \
                        (gfloat) (gint) (p >> 3 * (bits)), weight_at (&r, x), \
                        r.y);                                                 \
                                                                              \
        out[x] = (type) (gint) isolux_round_f32 (v);                          \
      }                                                                       \
  }                                                                           \
                                                                              \
  static void packed_in_place_##suffix (const Row *row, type *io, gint32 x0,  \
                                        gint32 x1, const word *table)         \
  {                                                                           \
    type buffer[256];                                                         \
                                                                              \
    for (gint32 x = x0, end; x < x1; x = end)                                 \
      {                                                                       \
        end = x1 - x > 256 ? x + 256 : x1;                                    \
        memcpy (buffer, io + x, (gsize) (end - x) * sizeof (type));           \
        packed_##suffix (row, buffer - x, io, x, end, table);                 \
      }                                                                       \
  }                                                                           \
                                                                              \
  static void pack_##suffix (const Cell *cell, gint n, word *packed)          \
  {                                                                           \
    const type *a = cell->table[0][0], *b = cell->table[0][1];                \
    const type *c = cell->table[0][2], *d = cell->table[0][3];                \
                                                                              \
    for (gint k = 0; k < n; k++)                                              \
      packed[k] = (word) a[k] | (word) b[k] << (bits) |                       \
                  (word) c[k] << 2 * (bits) | (word) d[k] << 3 * (bits);      \
  }

DEFINE_PACKED (u8, guint8, guint32, 8)
DEFINE_PACKED (u16, guint16, guint64, 16)

#define DEFINE_LOOK(suffix, type)                                              \
  static inline gfloat look_##suffix (const Work *w, const Cell *cell, gint c, \
                                      gint bin, gfloat share, gfloat x,        \
                                      gfloat y)                                \
  {                                                                            \
    gfloat v[4];                                                               \
                                                                               \
    for (gint i = 0; i < 4; i++)                                               \
      {                                                                        \
        const type  *table = cell->table[c][i];                                \
        const gfloat before = bin ? table[bin - 1] : 0;                        \
                                                                               \
        v[i] = isolux_share (before, table[bin], share);                       \
      }                                                                        \
    return isolux_blend (v[0], v[1], v[2], v[3], x, y);                        \
  }

DEFINE_LOOK (u8, guint8)
DEFINE_LOOK (u16, guint16)
DEFINE_LOOK (f32, gfloat)

/* in, out, mask: of pixel x0 */
#define DEFINE_CODES(suffix, type, maximum)                                    \
  static inline guint32 new_##suffix (const Work *w, const Cell *cell, gint c, \
                                      guint32 code, gfloat x, gfloat y)        \
  {                                                                            \
    gfloat share;                                                              \
                                                                               \
    code = isolux_code_within (code, w->bits);                                 \
    share = w->shares ? w->shares[code] : 1.0f;                                \
    return isolux_blend_code (look_##suffix (w, cell, c,                       \
                                             (gint) (code >> w->shift), share, \
                                             x, y),                            \
                              maximum);                                        \
  }                                                                            \
                                                                               \
  static void any_##suffix (const Work *w, const Cell *cell, const Row *row,   \
                            const type *in, type *out, const guint8 *mask,     \
                            gint64 x0, gint64 x1)                              \
  {                                                                            \
    const gint n = w->in->components;                                          \
                                                                               \
    for (gint64 i = 0; i < x1 - x0; i++, in += n, out += n)                    \
      {                                                                        \
        const gfloat x = weight_at (row, (gint32) (x0 + i));                   \
                                                                               \
        if (! takes_##suffix (w, in, mask, i))                                 \
          continue;                                                            \
        if (w->plan->luma)                                                     \
          {                                                                    \
            const gint32  from[3] = { in[0], in[1], in[2] };                   \
            const guint32 code = code_##suffix (w, in, 0);                     \
            gint32        to[3];                                               \
                                                                               \
            isolux_move_luma_code (from, (gint32) code,                        \
                                   (gint32) new_##suffix (w, cell, 0, code, x, \
                                                          row->y),             \
                                   maximum, to);                               \
            out[0] = (type) to[0];                                             \
            out[1] = (type) to[1];                                             \
            out[2] = (type) to[2];                                             \
          }                                                                    \
        else                                                                   \
          for (gint c = 0; c < w->channels; c++)                               \
            if (! w->identity[c])                                              \
              out[c] = (type) new_##suffix (w, cell, c, in[c], x, row->y);     \
      }                                                                        \
  }

DEFINE_CODES (u8, guint8, 255)
DEFINE_CODES (u16, guint16, 65535)

static inline gfloat
new_f32 (const Work *w,
         const Cell *cell,
         gint        c,
         gdouble     value,
         gfloat      x,
         gfloat      y)
{
  gint   bin;
  gfloat share;

  isolux_value_share (value, w->low[c], w->scale[c], w->bins, &bin, &share);
  return isolux_blend_f32 (look_f32 (w, cell, c, bin, share, x, y));
}

static void
any_f32 (const Work   *w,
         const Cell   *cell,
         const Row    *row,
         const gfloat *in,
         gfloat       *out,
         const guint8 *mask,
         gint64        x0,
         gint64        x1)
{
  const gint n = w->in->components;

  for (gint64 i = 0; i < x1 - x0; i++, in += n, out += n)
    {
      const gfloat x = weight_at (row, (gint32) (x0 + i));
      gdouble      v;

      if (! takes_f32 (w, in, mask, i))
        continue;
      if (w->plan->luma)
        {
          gfloat to[3];

          if (! value_f32 (w, in, 0, &v))
            continue;
          isolux_move_luma_f32 (in,
                                isolux_luma_finite (&w->plan->weights, in[0],
                                                    in[1], in[2]),
                                new_f32 (w, cell, 0, v, x, row->y), to);
          out[0] = to[0];
          out[1] = to[1];
          out[2] = to[2];
        }
      else
        for (gint c = 0; c < w->channels; c++)
          if (! w->identity[c] && value_f32 (w, in, c, &v))
            out[c] = new_f32 (w, cell, c, v, x, row->y);
    }
}

/* ---- Whole images ------------------------------------------------------- */

static void
apply_cell (const Work *w, const Cell *cell, gint64 y)
{
  const IsoluxPixels *p = w->in;
  const guint8       *mask = isolux_cpu_mask_row (p, y);
  const gsize         at = (gsize) (cell->x0 * p->components);
  guint8             *in = isolux_cpu_row (p, y);
  guint8             *out = isolux_cpu_row (w->out, y);
  const gint32        x0 = (gint32) cell->x0, x1 = (gint32) cell->x1;
  Row                 row;

  row.inverse_x = w->grid->inverse_x;
  row.whole_x = (gfloat) cell->whole_x;
  row.y = isolux_place (y, w->grid->inverse_y) - (gfloat) cell->whole_y;
  if (mask)
    mask += cell->x0 - p->region_x;
  switch (p->type)
    {
      case ISOLUX_PLAN_U8:
        if (! cell->packed)
          any_u8 (w, cell, &row, in + at, out + at, mask, x0, x1);
        else if (in == out)
          packed_in_place_u8 (&row, out, x0, x1, cell->packed);
        else
          packed_u8 (&row, in, out, x0, x1, cell->packed);
        break;
      case ISOLUX_PLAN_U16:
        if (! cell->packed)
          any_u16 (w, cell, &row, (const guint16 *) in + at,
                   (guint16 *) out + at, mask, x0, x1);
        else if (in == out)
          packed_in_place_u16 (&row, (guint16 *) out, x0, x1, cell->packed);
        else
          packed_u16 (&row, (const guint16 *) in, (guint16 *) out, x0, x1,
                      cell->packed);
        break;
      default:
        any_f32 (w, cell, &row, (const gfloat *) in + at, (gfloat *) out + at,
                 mask, x0, x1);
        break;
    }
}

static void
set_tables (const Work *w, Cell *cell, gint cell_x, gint cell_y)
{
  const IsoluxGrid   *g = w->grid;
  const IsoluxBetween x = isolux_between (0.0f, cell_x - 1, g->tiles_x);
  const IsoluxBetween y = isolux_between (0.0f, cell_y - 1, g->tiles_y);

  cell->whole_x = cell_x - 1;
  cell->whole_y = cell_y - 1;
  for (gint c = 0; c < w->channels; c++)
    {
      cell->table[c][0] = entries_of (w, c, x.before, y.before);
      cell->table[c][1] = entries_of (w, c, x.behind, y.before);
      cell->table[c][2] = entries_of (w, c, x.before, y.behind);
      cell->table[c][3] = entries_of (w, c, x.behind, y.behind);
    }
}

/* Rows y0 .. y1 - 1, all between the same middles of tiles. room: for a
 * packed table, or NULL. */
static void
apply_band (const Work *w, gint cell_y, gint64 y0, gint64 y1, gpointer room)
{
  const IsoluxPixels *p = w->in;
  const IsoluxGrid   *g = w->grid;
  const gint64        left = p->region_x, right = left + p->region_width;
  gboolean            all = TRUE;

  for (gint c = 0; c < w->channels; c++)
    all = all && w->identity[c];
  if (p->data != w->out->data)
    for (gint64 y = y0; y < y1; y++)
      memcpy (isolux_cpu_row (w->out, y), isolux_cpu_row (p, y),
              (gsize) (p->width * p->components) * w->size);
  y0 = MAX (y0, p->region_y);
  y1 = MIN (y1, p->region_y + p->region_height);
  if (all || y0 >= y1)
    return;

  for (gint i = 0; i <= g->tiles_x; i++)
    {
      Cell cell = { 0 };

      cell.x0 = isolux_cell_begin (i, g->tiles_x, g->inverse_x, g->tile_width,
                                   p->width);
      cell.x1 = isolux_cell_begin (i + 1, g->tiles_x, g->inverse_x,
                                   g->tile_width, p->width);
      cell.x0 = MAX (cell.x0, left);
      cell.x1 = MIN (cell.x1, right);
      if (cell.x0 >= cell.x1)
        continue;
      set_tables (w, &cell, i, cell_y);
      if (room && (cell.x1 - cell.x0) * (y1 - y0) >= w->bins)
        {
          cell.packed = room;
          if (p->type == ISOLUX_PLAN_U8)
            pack_u8 (&cell, 256, room);
          else
            pack_u16 (&cell, w->bins, room);
        }
      for (gint64 y = y0; y < y1; y++)
        apply_cell (w, &cell, y);
    }
}

static gboolean
apply (const Work *w, GError **error)
{
  const IsoluxPixels *p = w->in;
  const IsoluxGrid   *g = w->grid;
  /* gray, and every code that comes has a bin of its own */
  const gboolean packed =
    p->components == 1 && ! p->mask && ! w->plan->padding && w->shift == 0 &&
    (p->type == ISOLUX_PLAN_U8 ||
     (p->type == ISOLUX_PLAN_U16 && (w->bits == 16 || p->bits == 0)));
  const gint64 parts =
    MAX (1, BANDS_PER_THREAD * w->threads / (g->tiles_y + 1));
  const gint64 bands = parts * (g->tiles_y + 1);
  const gsize  size = packed ? (gsize) w->bins * sizeof (guint64) : 0;
  guint8      *rooms = NULL;

  if (packed)
    {
      rooms = isolux_try_alloc ((gsize) w->threads, size, error);
      if (! rooms)
        return FALSE;
    }
#pragma omp parallel for num_threads(w->threads) schedule(dynamic)
  for (gint64 i = 0; i < bands; i++)
    {
      const gint   cell = (gint) (i / parts);
      const gint64 part = i % parts;
      const gint64 y0 = isolux_cell_begin (cell, g->tiles_y, g->inverse_y,
                                           g->tile_height, p->height);
      const gint64 y1 = isolux_cell_begin (cell + 1, g->tiles_y, g->inverse_y,
                                           g->tile_height, p->height);
      const gint64 each = (y1 - y0 + parts - 1) / parts;
      const gint64 begin = MIN (y0 + part * each, y1);

      if (begin < y1)
        apply_band (w, cell, begin, MIN (begin + each, y1),
                    rooms ? rooms + (gsize) omp_get_thread_num () * size
                          : NULL);
    }
  g_free (rooms);
  return TRUE;
}

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
  success = success && (! destination || apply (&w, error));
  if (success && tables)
    give_tables (&w, least, most, tables);
  g_free (w.entries);
  g_free (w.shares);
  if (success && unchanged)
    {
      *unchanged = TRUE;
      for (gint c = 0; c < w.channels; c++)
        *unchanged = *unchanged && w.identity[c];
    }
  return success;
}
