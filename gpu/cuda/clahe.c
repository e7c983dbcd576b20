/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of clahe.cu. */
#include "driver.h"

/* Counts are held for as many tiles at a time as fit into this. */
#define COUNT_BYTES ((gsize) 64 << 20)

/* Counters of a block that has copies of them. */
#define COPIED_COUNTERS 8192

/* A slice of a tile is worth a block when it has so many pixels; its counters
 * of 32 bits hold the other number. */
#define LEAST_SLICE 8192
#define LARGEST_SLICE (G_GINT64_CONSTANT (1) << 31)

/* Tables come back to the host in portions of so many bytes. */
#define GET_BYTES ((gsize) 4 << 20)

/* Gray of 8 bits is worth packing when a tile is so large. */
#define LEAST_PACKED_SIDE 32

#define BLOCKS_PER_PROCESSOR 2

static gint
log2_of (gint64 power)
{
  gint bits = 0;

  while (G_GINT64_CONSTANT (1) << bits < power)
    bits++;
  return bits;
}

static gsize
entry_size (const IsoluxPixels *pixels)
{
  return pixels->type == ISOLUX_PLAN_U8    ? 1
         : pixels->type == ISOLUX_PLAN_U16 ? 2
                                           : 4;
}

/* How the tiles are counted; n of them at a time at most. */
static void
plan_counting (IsoluxClaheArguments *a, const IsoluxCuda *cuda, gint64 n)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gint64      area = grid->tile_width * grid->tile_height;
  const gint64      wanted = (gint64) cuda->processors * BLOCKS_PER_PROCESSOR;
  gint64            slices, least;

  a->range_shift =
    MIN (log2_of (a->plan.most_bins), isolux_cuda_range_shift (cuda));
  a->ranges = a->plan.most_bins >> a->range_shift;
  slices = (wanted + n * a->ranges - 1) / (n * a->ranges);
  slices = MIN (slices, area / LEAST_SLICE);
  least = MAX (1, LARGEST_SLICE / grid->tile_width); /* rows */
  least = (grid->tile_height + least - 1) / least;
  a->slices = (gint32) CLAMP (slices, least, grid->tile_height);
  a->copies_shift = 0;
  while (a->copies_shift < 5 &&
         2 << a->range_shift << a->copies_shift <= COPIED_COUNTERS &&
         4 << a->range_shift << a->copies_shift <= area / a->slices)
    a->copies_shift++;
}

/* Threads of a counting block; sets how many of them share a row. */
static guint
plan_threads (IsoluxClaheArguments *a)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gint64      area = grid->tile_width * grid->tile_height;
  const gint64      threads = area >= 16384 ? ISOLUX_COUNT_THREADS : 256;
  gint64            items = grid->tile_width;

  if (a->plain)
    items = isolux_row_vectors ((gsize) items * entry_size (&a->source));
  a->shift = log2_of (MIN (items, threads));
  return (guint) threads;
}

/* Counts n tiles and channels from a->first on and makes their tables. */
static gboolean
make_tables (CudaCall *call, IsoluxClaheArguments *a, gint64 n, GError **error)
{
  const guint threads = plan_threads (a);
  const guint shared =
    (guint) (sizeof (guint32) << a->range_shift << a->copies_shift);
  const CudaKernel kernel = a->source.type == ISOLUX_PLAN_U8
                              ? KERNEL_isolux_clahe_count_u8
                            : a->source.type == ISOLUX_PLAN_U16
                              ? KERNEL_isolux_clahe_count_u16
                              : KERNEL_isolux_clahe_count_f32;

  if (a->slices > 1 &&
      ! CUDA_CALL (call->cuda, cuMemsetD8Async,
                   ((CudaAddress) a->counts, 0,
                    (gsize) n * (gsize) a->plan.most_bins * sizeof (guint64),
                    call->stream),
                   error))
    return FALSE;
  if (! isolux_call_launch (call, kernel, (guint) (n * a->slices * a->ranges),
                            threads, shared, a, error))
    return FALSE;
  a->clear.bytes = 0;
  return isolux_call_launch (call, KERNEL_isolux_clahe_table, (guint) n,
                             (guint) MIN (a->plan.most_bins,
                                          ISOLUX_TERMS_THREADS),
                             0, a, error);
}

static gboolean
measure (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  const IsoluxPixels *p = &a->source;
  const gboolean      codes = p->type == ISOLUX_PLAN_U16;

  if (! isolux_call_zeros (call, 0, &a->clear, error))
    return FALSE;
  a->zeros = (IsoluxZeros *) call->zeros;
  if (! a->plan.measured)
    return TRUE;
  if (p->region_width < 1 || p->region_height < 1)
    {
      call->lane->unsure = TRUE; /* no kernel clears anything */
      a->clear.bytes = 0;
      return TRUE;
    }
  if (codes &&
      ! CUDA_CALL (call->cuda, cuMemsetD8Async,
                   ((CudaAddress) a->seen, 0, ISOLUX_BINS / 8, call->stream),
                   error))
    return FALSE;
  isolux_tiles_set (&a->tiles, p->region_width, p->region_height,
                    ISOLUX_COUNT_THREADS);
  if (! isolux_call_launch (call,
                            codes ? KERNEL_isolux_clahe_measure_u16
                                  : KERNEL_isolux_clahe_measure_f32,
                            (guint) CLAMP (a->tiles.total, 1,
                                           call->cuda->processors *
                                             BLOCKS_PER_PROCESSOR),
                            ISOLUX_COUNT_THREADS, 0, a, error))
    return FALSE;
  a->clear.bytes = 0;
  return (! codes || isolux_call_launch (call, KERNEL_isolux_clahe_shares,
                                         ISOLUX_BINS / ISOLUX_COUNT_THREADS,
                                         ISOLUX_COUNT_THREADS, 0, a, error));
}

static gboolean
apply_gray (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  const IsoluxGrid *grid = &a->plan.grid;
  const gint64      cells = (gint64) (grid->tiles_x + 1) * (grid->tiles_y + 1);
  /* so that a block has some 16 pixels a thread at least */
  const gint64 worth = grid->tile_width * grid->tile_height /
                       (16 * ISOLUX_APPLY_THREADS);

  a->slices =
    (gint32) CLAMP (worth, 1,
                    MAX (1, (gint64) call->cuda->processors * 64 / cells));
  a->shift = log2_of (MIN (isolux_row_vectors ((gsize) grid->tile_width),
                           ISOLUX_APPLY_THREADS));
  return isolux_call_launch (call, KERNEL_isolux_clahe_gray_u8,
                             (guint) (cells * a->slices), ISOLUX_APPLY_THREADS,
                             0, a, error);
}

static gboolean
apply (CudaCall *call, IsoluxClaheArguments *a, GError **error)
{
  const IsoluxPixels *p = &a->source;

  if (p->type == ISOLUX_PLAN_U8 && a->plain &&
      isolux_pixels_alike (p, &a->destination) &&
      a->plan.grid.tile_width >= LEAST_PACKED_SIDE &&
      a->plan.grid.tile_height >= LEAST_PACKED_SIDE)
    return apply_gray (call, a, error);
  isolux_tiles_set (&a->tiles, p->width, p->height, ISOLUX_APPLY_THREADS);
  return isolux_call_launch (call,
                             p->type == ISOLUX_PLAN_U8
                               ? KERNEL_isolux_clahe_apply_u8
                             : p->type == ISOLUX_PLAN_U16
                               ? KERNEL_isolux_clahe_apply_u16
                               : KERNEL_isolux_clahe_apply_f32,
                             isolux_tiles_grid (&a->tiles, call->cuda),
                             ISOLUX_APPLY_THREADS, 0, a, error);
}

static void
set_arguments (IsoluxClaheArguments  *a,
               IsoluxSurface         *source,
               IsoluxSurface         *destination,
               const IsoluxClahePlan *plan,
               const CudaCall        *call)
{
  const IsoluxPixels *p = &source->pixels;

  a->source = *p;
  if (destination)
    a->destination = destination->pixels;
  a->plan = *plan;
  a->channels = plan->luma ? 1 : p->colors;
  a->plain = p->type != ISOLUX_PLAN_F32 && p->components == 1 && ! p->mask &&
             ! plan->padding && p->region_width == p->width &&
             p->region_height == p->height;
  a->seen = (guint32 *) (call->lane->scratch + ISOLUX_SCRATCH_SEEN);
  a->shares = (gfloat *) (call->lane->scratch + ISOLUX_SCRATCH_ENTRIES);
}

/* Everything but the applying.  zeroed: tiles without a table have zeros, so
 * that they can be told. */
static gboolean
prepare (CudaCall             *call,
         IsoluxClaheArguments *a,
         gboolean              zeroed,
         GError              **error)
{
  const gint64 units = (gint64) a->plan.grid.tiles_x * a->plan.grid.tiles_y *
                       a->channels;
  const gsize  bins = (gsize) a->plan.most_bins;
  const gint64 most = (gint64) (COUNT_BYTES / (bins * sizeof (guint64)));
  const gint64 batch = MIN (units, most);
  const gsize  counts = (gsize) batch * bins * sizeof (guint64);
  const gsize  entries = (gsize) units * bins * entry_size (&a->source);
  CudaAddress  memory;

  memory = isolux_call_memory (call, counts + entries, error);
  if (! memory ||
      (zeroed &&
       ! CUDA_CALL (call->cuda, cuMemsetD8Async,
                    (memory + counts, 0, entries, call->stream), error)) ||
      ! measure (call, a, error))
    return FALSE;
  a->counts = (guint64 *) memory;
  a->entries = (gpointer) (memory + counts);
  plan_counting (a, call->cuda, batch);
  for (a->first = 0; a->first < units; a->first += batch)
    if (! make_tables (call, a, MIN (batch, units - a->first), error))
      return FALSE;
  return TRUE;
}

/* Whether all channels were left as they are; see ClaheRange. */
static gboolean
all_identity (const IsoluxClaheArguments *a, const IsoluxZeros *zeros)
{
  gint c;

  for (c = 0; c < a->channels; c++)
    if (~zeros->least[c] < zeros->most[c] ||
        (~zeros->least[c] == zeros->most[c] && ! a->plan.measured &&
         a->plan.opencv))
      return FALSE;
  return TRUE;
}

/* ---- Tables for the host ------------------------------------------------ */

/* A key of kernels.h as a number. */
static gdouble
value_of_key (guint64 key)
{
  const guint64 sign = G_GUINT64_CONSTANT (1) << 63;
  gdouble       v;

  key = key & sign ? key & ~sign : ~key;
  memcpy (&v, &key, sizeof v);
  return v;
}

/* What ClaheRange of clahe.cu makes of the zeros. */
static void
set_ranges (IsoluxClaheTables          *tables,
            const IsoluxClaheArguments *a,
            const IsoluxZeros          *zeros)
{
  const IsoluxClahePlan *plan = &a->plan;
  guint64                largest = 0;
  gint                   c;

  tables->channels = a->channels;
  tables->bits = a->source.type == ISOLUX_PLAN_U8 ? 8 : 16;
  tables->bins = plan->most_bins;
  for (c = 0; c < a->channels; c++)
    {
      const guint64 least = ~zeros->least[c], most = zeros->most[c];

      largest = MAX (largest, most);
      tables->identity[c] =
        least > most || (least == most && (plan->measured || ! plan->opencv));
      if (a->source.type != ISOLUX_PLAN_F32 || least > most)
        continue;
      tables->low[c] = value_of_key (least);
      tables->high[c] = value_of_key (most);
      if (! tables->identity[c])
        tables->scale[c] =
          isolux_bin_scale (tables->low[c], tables->high[c], tables->bins);
    }
  if (plan->measured && a->source.type == ISOLUX_PLAN_U16)
    {
      tables->bits = a->source.bits
                       ? a->source.bits
                       : isolux_significant_bits ((guint32) largest);
      tables->bins = MIN (tables->bins, 1 << tables->bits);
      tables->shift = isolux_bin_shift (tables->bits, tables->bins);
    }
  tables->stride = (gsize) tables->bins;
}

/* Waits for device memory and copies it. */
static gboolean
get (CudaCall *call, CudaAddress from, gpointer to, gsize bytes, GError **error)
{
  gconstpointer there = isolux_call_get (call, from, bytes, error);

  if (! there || ! isolux_call_wait (call, error))
    return FALSE;
  memcpy (to, there, bytes);
  return TRUE;
}

/* The bins in use of each table, through pinned memory, some tables at a
 * time. */
static gboolean
get_entries (CudaCall                   *call,
             const IsoluxClaheArguments *a,
             IsoluxClaheTables          *tables,
             GError                    **error)
{
  const gsize size = entry_size (&a->source);
  const gsize row = (gsize) tables->bins * size;
  const gsize units = (gsize) a->plan.grid.tiles_x *
                      (gsize) a->plan.grid.tiles_y * (gsize) a->channels;
  const gsize most = MIN (units, MAX (1, GET_BYTES / row));
  guint8     *ring, *entries;
  gsize       done, n;

  entries = tables->entries = isolux_try_alloc (units, row, error);
  ring = entries ? isolux_call_ring (call, most * row, error) : NULL;
  if (! ring)
    return FALSE;
  for (done = 0; done < units; done += n)
    {
      CudaCopy2D copy = { 0 };

      n = MIN (most, units - done);
      copy.source.memory_type = CUDA_MEMORY_DEVICE;
      copy.source.device = (CudaAddress) a->entries +
                           done * (gsize) a->plan.most_bins * size;
      copy.source.pitch = (gsize) a->plan.most_bins * size;
      copy.destination.memory_type = CUDA_MEMORY_HOST;
      copy.destination.host = ring;
      copy.destination.pitch = row;
      copy.width_bytes = row;
      copy.height = n;
      if (! CUDA_CALL (call->cuda, cuMemcpy2DAsync_v2, (&copy, call->stream),
                       error) ||
          ! isolux_call_wait (call, error))
        return FALSE;
      memcpy (entries + done * row, ring, n * row);
    }
  return TRUE;
}

static gboolean
get_tables (CudaCall                   *call,
            const IsoluxClaheArguments *a,
            IsoluxClaheTables          *tables,
            GError                    **error)
{
  IsoluxZeros zeros = { 0 };
  gboolean    success, all = TRUE;
  gint        c;

  memset (tables, 0, sizeof *tables);
  success = get (call, call->zeros, &zeros,
                 G_STRUCT_OFFSET (IsoluxZeros, total), error);
  if (success)
    set_ranges (tables, a, &zeros);
  for (c = 0; c < a->channels; c++)
    all = all && tables->identity[c];
  if (success && tables->shift)
    {
      tables->shares = isolux_try_new (gfloat, ISOLUX_BINS, error);
      success = tables->shares &&
                get (call, (CudaAddress) a->shares, tables->shares,
                     (sizeof (gfloat)) << tables->bits, error);
    }
  success = success && (all || get_entries (call, a, tables, error));
  if (! success)
    isolux_clahe_tables_clear (tables);
  return success;
}

/* ---- Whole calls -------------------------------------------------------- */

/* Does the call and ends it.  The last kernel leaves whether all stays as it
 * is to the host. */
static gboolean
clahe_gray (CudaCall             *call,
            IsoluxClaheArguments *a,
            gboolean             *unchanged,
            gboolean              wait,
            GError              **error)
{
  gboolean success;

  a->mail = unchanged ? call->lane->mail : NULL;
  success = isolux_call_clahe_gray (call, a, error);
  if (success && unchanged)
    {
      success = isolux_call_wait (call, error);
      if (success)
        *unchanged = call->lane->mail[0] != 0;
    }
  return isolux_call_end (call, success, wait, error);
}

gboolean
isolux_cuda_clahe (IsoluxSurface         *source,
                   IsoluxSurface         *destination,
                   const IsoluxClahePlan *plan,
                   gboolean              *unchanged,
                   IsoluxClaheTables     *tables,
                   GError               **error)
{
  const IsoluxZeros   *zeros = NULL;
  IsoluxClaheArguments a = { 0 };
  CudaCall             call;
  gboolean             success, wait;

  wait = unchanged || tables || ! destination ||
         ! isolux_cuda_async (source, destination);
  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  set_arguments (&a, source, destination, plan, &call);
  if (destination && ! tables && isolux_clahe_is_gray (&call, &a))
    return clahe_gray (&call, &a, unchanged, wait, error);
  success = prepare (&call, &a, tables != NULL, error) &&
            (! tables || get_tables (&call, &a, tables, error));
  if (success && unchanged)
    {
      zeros = isolux_call_get (&call, call.zeros,
                               G_STRUCT_OFFSET (IsoluxZeros, total), error);
      success = zeros != NULL;
    }
  /* last, since it may write over the source: what fails before leaves it
   * untouched */
  success = success && (! destination || apply (&call, &a, error));
  if (success && unchanged)
    {
      success = isolux_call_wait (&call, error);
      if (success)
        *unchanged = all_identity (&a, zeros);
    }
  success = isolux_call_end (&call, success, wait, error);
  if (! success && tables)
    isolux_clahe_tables_clear (tables);
  return success;
}
