/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of histogram.cu. */
#include "driver.h"

#include <math.h>

/* Blocks of 1024 threads that a multiprocessor has at a time where registers
 * and shared memory allow. */
#define BLOCKS_PER_PROCESSOR 2

/* So many bins have counters of 32 bits. */
#define WORDS_BINS 16384

/* With so many pixels a block, counters of 8 bits go past their ends all the
 * time. */
#define MANY_PIXELS (1 << 22)

/* Counters of 32 bits that a block keeps in shared memory, as a power of two:
 * half of the bins where there are 128 KB, a quarter in 64 KB. */
gint
isolux_cuda_range_shift (const IsoluxCuda *cuda)
{
  gint shift = 15;

  while (shift > 13 && (gint) sizeof (guint32) << shift > cuda->shared_limit)
    shift--;
  return shift;
}

gboolean
isolux_cuda_set_shared (IsoluxCuda *cuda, GError **error)
{
  const gint range = (gint) sizeof (guint32) << isolux_cuda_range_shift (cuda);
  const struct
  {
    CudaKernel kernel;
    gint       bytes;
  } kernels[] = {
    { KERNEL_isolux_count_u16, range },
    { KERNEL_isolux_count_f32, range },
    { KERNEL_isolux_clahe_count_u16, range },
    { KERNEL_isolux_clahe_count_f32, range },
    { KERNEL_isolux_count_gray_u16_8, ISOLUX_BINS },
    { KERNEL_isolux_count_gray_u16_16, 2 * ISOLUX_BINS },
    { KERNEL_isolux_count_gray_u16_32, WORDS_BINS * (gint) sizeof (guint32) },
    { KERNEL_isolux_count_gray_f32_8, ISOLUX_BINS },
    { KERNEL_isolux_count_gray_f32_16, 2 * ISOLUX_BINS },
    { KERNEL_isolux_apply_gray_u16, 2 * ISOLUX_BINS },
    { KERNEL_isolux_clahe_tiles_u16, 128 << 10 },
    { KERNEL_isolux_clahe_tiles_u16_8, cuda->shared_limit - 2048 },
    { KERNEL_isolux_clahe_map_u16, 8 * WORDS_BINS },
    { KERNEL_isolux_clahe_map_u16_parts, 8 * ISOLUX_MAP_CODES },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (kernels[i].bytes <= cuda->shared_limit &&
        ! CUDA_CALL (cuda, cuFuncSetAttribute,
                     (cuda->functions[kernels[i].kernel],
                      CUDA_FUNCTION_MAX_DYNAMIC_SHARED, kernels[i].bytes),
                     error))
      return FALSE;
  return TRUE;
}

/* The region alone. */
static IsoluxPixels
crop (const IsoluxPixels *pixels)
{
  IsoluxPixels region = *pixels;

  region.data = (guint8 *) pixels->data +
                (gsize) pixels->region_y * pixels->stride +
                (gsize) pixels->region_x * isolux_pixel_size (pixels);
  region.width = pixels->region_width;
  region.height = pixels->region_height;
  region.region_x = region.region_y = 0;
  return region;
}

static gboolean
launch (CudaCall             *call,
        CudaKernel            kernel,
        IsoluxCountArguments *arguments,
        gint                  ranges,
        gint                  blocks,
        guint                 shared_bytes,
        GError              **error)
{
  const gint each = ranges * arguments->plan.channels;

  arguments->ranges = ranges;
  arguments->slices =
    (gint32) CLAMP (arguments->tiles.total, 1, MAX (1, blocks / each));
  return isolux_call_launch (call, kernel, (guint) (arguments->slices * each),
                             ISOLUX_COUNT_THREADS, shared_bytes, arguments,
                             error);
}

/* ---- Gray ---------------------------------------------------------- */

static gboolean
launch_early (CudaCall  *call,
              CudaKernel kernel,
              guint      grid,
              guint      shared_bytes,
              gpointer   arguments,
              GError   **error)
{
  const CudaLaunch launch = { kernel,       grid, ISOLUX_COUNT_THREADS,
                              shared_bytes, 0,    TRUE };

  return isolux_call_launch_as (call, &launch, arguments, error);
}

static gboolean
count_gray_u8 (CudaCall           *call,
               const IsoluxPixels *pixels,
               CudaCounting       *counting,
               GError            **error)
{
  IsoluxGrayCountArguments a = { 0 };
  guint                    grid;

  if (! isolux_call_zeros (call, 256 * sizeof (guint64), &a.clear, error))
    return FALSE;
  call->counts = call->zeros + ISOLUX_ZEROS_COUNTS;
  counting->bins = 256;
  a.pixels = *pixels;
  a.zeros = (IsoluxZeros *) call->zeros;
  a.counts = (guint64 *) call->counts;
  grid =
    isolux_walk_set (&a.walk, pixels, ISOLUX_COUNT_THREADS,
                     (gint64) call->cuda->processors * BLOCKS_PER_PROCESSOR);
  return isolux_call_launch (call, KERNEL_isolux_count_gray_u8, grid,
                             ISOLUX_COUNT_THREADS, 0, &a, error);
}

/* Of how many bits the counters are that a block has of all bins; 0: there is
 * no room for them. */
static gint
counter_bits (const IsoluxCuda *cuda, const IsoluxPixels *pixels, gint bins)
{
  const gint64 each = pixels->width * pixels->height / cuda->processors;

  if (pixels->type == ISOLUX_PLAN_U16 && bins <= WORDS_BINS &&
      bins * (gint) sizeof (guint32) <= cuda->shared_limit)
    return 32;
  if (each >= MANY_PIXELS && 2 * bins <= cuda->shared_limit)
    return 16;
  return bins <= cuda->shared_limit ? 8 : 0;
}

static CudaKernel
counting_kernel (gint type, gint bits)
{
  if (type == ISOLUX_PLAN_F32)
    return bits == 8 ? KERNEL_isolux_count_gray_f32_8
                     : KERNEL_isolux_count_gray_f32_16;
  return bits == 8    ? KERNEL_isolux_count_gray_u16_8
         : bits == 16 ? KERNEL_isolux_count_gray_u16_16
                      : KERNEL_isolux_count_gray_u16_32;
}

/* Adds up what grid blocks left in partial. */
static gboolean
sum (CudaCall                       *call,
     const IsoluxGrayCountArguments *a,
     gint                            bits,
     guint                           grid,
     CudaCounting                   *counting,
     GError                        **error)
{
  const CudaAddress  scratch = call->lane->scratch;
  IsoluxSumArguments s = { 0 };

  s.partial = a->partial;
  s.overflow = a->overflow;
  s.counts = a->counts;
  s.rows = grid;
  s.bins = a->bins;
  s.each = MAX (a->bins / ISOLUX_SUM_BLOCKS, 32);
  s.real = a->pixels.type == ISOLUX_PLAN_F32;
  s.entries = counting->table ? (gpointer) (scratch + ISOLUX_SCRATCH_ENTRIES)
                              : NULL;
  s.tables = (IsoluxTables *) (scratch + ISOLUX_SCRATCH_TABLES);
  s.zeros = a->zeros;
  s.mail = counting->mail ? call->lane->mail : NULL;
  counting->made = counting->table;
  return launch_early (call,
                       bits == 8    ? KERNEL_isolux_sum_8
                       : bits == 16 ? KERNEL_isolux_sum_16
                                    : KERNEL_isolux_sum_32,
                       s.bins / s.each, 0, &s, error);
}

static gboolean
count_gray (CudaCall              *call,
            const IsoluxPixels    *pixels,
            const IsoluxCountPlan *plan,
            gint                   bins,
            gint                   bits,
            CudaCounting          *counting,
            GError               **error)
{
  const gint64             processors = call->cuda->processors;
  const CudaKernel         kernel = counting_kernel (pixels->type, bits);
  const guint              shared = (guint) (bins / 8 * bits);
  const gint64             most = bits == 32 ? 2 * processors : processors;
  IsoluxGrayCountArguments a = { 0 };
  CudaAddress              memory;
  guint                    grid;

  memory =
    isolux_call_memory (call,
                        (gsize) most * shared + (gsize) bins * sizeof (guint64),
                        error);
  if (! memory || ! isolux_call_zeros (call, 0, &a.clear, error))
    return FALSE;
  call->counts = memory;
  counting->bins = bins;
  a.pixels = *pixels;
  a.bins = (guint32) bins;
  a.last = (guint32) bins - 1;
  a.low = plan->low;
  a.high = plan->high;
  a.zeros = (IsoluxZeros *) call->zeros;
  a.counts = (guint64 *) memory;
  a.partial = (guint32 *) (memory + (gsize) bins * sizeof (guint64));
  a.overflow = (guint64 *) (call->lane->scratch + ISOLUX_SCRATCH_OVERFLOW);
  if (pixels->type == ISOLUX_PLAN_U16)
    {
      grid = isolux_walk_set (&a.walk, pixels, ISOLUX_COUNT_THREADS, most);
      if (! isolux_call_launch (call, kernel, grid, ISOLUX_COUNT_THREADS,
                                shared, &a, error))
        return FALSE;
    }
  else
    {
      grid = isolux_walk_set (&a.walk, pixels, ISOLUX_COUNT_THREADS,
                              processors * BLOCKS_PER_PROCESSOR);
      if (! isolux_call_launch (call, KERNEL_isolux_measure_gray_f32, grid,
                                ISOLUX_COUNT_THREADS, 0, &a, error))
        return FALSE;
      a.clear.bytes = 0;
      grid = isolux_walk_set (&a.walk, pixels, ISOLUX_COUNT_THREADS, most);
      if (! launch_early (call, kernel, grid, shared, &a, error))
        return FALSE;
    }
  return sum (call, &a, bits, grid, counting, error);
}

/* ---- All ----------------------------------------------------------- */

static gboolean
count_any (CudaCall              *call,
           const IsoluxPixels    *pixels,
           const IsoluxCountPlan *plan,
           CudaCounting          *counting,
           GError               **error)
{
  const IsoluxCuda    *cuda = call->cuda;
  const gint           processors = cuda->processors;
  IsoluxCountArguments a = { 0 };
  CudaKernel           kernel = KERNEL_isolux_count_u16;

  if (! isolux_call_zeros (call,
                           (gsize) plan->channels * (gsize) plan->bins *
                             sizeof (guint64),
                           &a.clear, error))
    return FALSE;
  call->counts = call->zeros + ISOLUX_ZEROS_COUNTS;
  if (pixels->width < 1 || pixels->height < 1)
    {
      call->lane->unsure = TRUE; /* no kernel clears anything */
      return TRUE;
    }
  a.pixels = *pixels;
  a.plan = *plan;
  a.one_range = counting->one_range;
  a.counts = (guint64 *) call->counts;
  a.zeros = (IsoluxZeros *) call->zeros;
  isolux_tiles_set (&a.tiles, pixels->width, pixels->height,
                    ISOLUX_COUNT_THREADS);

  if (pixels->type == ISOLUX_PLAN_U8)
    return launch (call, KERNEL_isolux_count_u8, &a, 1,
                   processors * BLOCKS_PER_PROCESSOR, 0, error);
  if (pixels->type == ISOLUX_PLAN_F32)
    {
      kernel = KERNEL_isolux_count_f32;
      if (! launch (call, KERNEL_isolux_measure_f32, &a, 1,
                    processors * BLOCKS_PER_PROCESSOR, 0, error))
        return FALSE;
      a.clear.bytes = 0;
    }
  a.range_shift = isolux_cuda_range_shift (cuda);
  while (1 << a.range_shift > plan->bins)
    a.range_shift--;
  return launch (call, kernel, &a, plan->bins >> a.range_shift, processors,
                 (guint) sizeof (guint32) << a.range_shift, error);
}

gboolean
isolux_call_count (CudaCall              *call,
                   const IsoluxPixels    *pixels,
                   const IsoluxCountPlan *plan,
                   CudaCounting          *counting,
                   GError               **error)
{
  IsoluxPixels region = crop (pixels);
  gint         bins = plan->bins, bits;

  counting->bins = bins;
  if (! region.mask && isolux_pixels_tight (&region))
    isolux_pixels_flatten (&region);
  if (region.width < 1 || region.height < 1 || ! isolux_pixels_gray (&region))
    return count_any (call, &region, plan, counting, error);
  if (pixels->type == ISOLUX_PLAN_U8)
    return count_gray_u8 (call, &region, counting, error);
  if (pixels->type == ISOLUX_PLAN_U16 && pixels->bits && ! counting->all_codes)
    bins = 1 << pixels->bits;
  bits = counter_bits (call->cuda, &region, bins);
  /* a block adds 32 bins at least */
  if (bits == 0 || bins < 512)
    return count_any (call, &region, plan, counting, error);
  return count_gray (call, &region, plan, bins, bits, counting, error);
}

/* ---- Counts for the host ------------------------------------------- */

static gdouble
value_of_key (guint64 key)
{
  const guint64 sign = G_GUINT64_CONSTANT (1) << 63;
  gdouble       value;

  key = key & sign ? key & ~sign : ~key;
  memcpy (&value, &key, sizeof value);
  return value;
}

static void
set_range (const IsoluxCountPlan *plan,
           const IsoluxZeros     *zeros,
           IsoluxCounts          *counts)
{
  gdouble least = HUGE_VAL, most = -HUGE_VAL;
  gint    c;

  for (c = 0; c < 3; c++)
    {
      counts->minimum[c] = HUGE_VAL;
      counts->maximum[c] = -HUGE_VAL;
      if (c >= plan->channels || ~zeros->least[c] > zeros->most[c])
        continue;
      counts->minimum[c] = value_of_key (~zeros->least[c]);
      counts->maximum[c] = value_of_key (zeros->most[c]);
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
}

/* Counts and waits; bins: those of counts that are not 0. */
static gboolean
count_and_get (CudaCall              *call,
               const IsoluxPixels    *pixels,
               const IsoluxCountPlan *plan,
               CudaCounting          *counting,
               IsoluxCounts          *counts,
               GError               **error)
{
  const gboolean     real = pixels->type == ISOLUX_PLAN_F32;
  const guint64     *host;
  const IsoluxZeros *zeros = NULL;
  gsize              bytes;

  if (! isolux_call_count (call, pixels, plan, counting, error))
    return FALSE;
  bytes = (gsize) plan->channels * (gsize) counting->bins * sizeof (guint64);
  host = isolux_call_get (call, call->counts, bytes, error);
  if (host && real)
    zeros = isolux_call_get (call, call->zeros,
                             G_STRUCT_OFFSET (IsoluxZeros, total), error);
  if (! host || (real && ! zeros) || ! isolux_call_wait (call, error))
    return FALSE;
  memcpy (counts->counts, host, bytes);
  if (real)
    set_range (plan, zeros, counts);
  return TRUE;
}

gboolean
isolux_cuda_count (IsoluxSurface         *surface,
                   const IsoluxCountPlan *plan,
                   IsoluxCounts          *counts,
                   GError               **error)
{
  CudaCounting counting = { .one_range = TRUE, .mail = TRUE };
  CudaCall     call;
  gboolean     success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (surface->device),
                           surface->stream, error))
    return FALSE;
  call.lane->mail[0] = 0;
  success =
    count_and_get (&call, &surface->pixels, plan, &counting, counts, error);
  if (success && counting.bins < plan->bins &&
      call.lane->mail[0] >= (guint32) counting.bins)
    {
      /* there are codes beyond the significant bits */
      counting.all_codes = TRUE;
      success =
        count_and_get (&call, &surface->pixels, plan, &counting, counts, error);
    }
  return isolux_call_end (&call, success, TRUE, error);
}
