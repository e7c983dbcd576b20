/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of histogram.cu. */
#include "driver.h"

#include <math.h>

/* Blocks of isolux_count_u8 and isolux_measure_f32 a multiprocessor has at a
 * time. */
#define BLOCKS_PER_PROCESSOR 2

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
  static const CudaKernel kernels[] = { KERNEL_isolux_count_u16,
                                        KERNEL_isolux_count_f32,
                                        KERNEL_isolux_clahe_count_u16,
                                        KERNEL_isolux_clahe_count_f32 };
  const gint bytes = (gint) sizeof (guint32) << isolux_cuda_range_shift (cuda);
  gsize      i;

  for (i = 0; i < G_N_ELEMENTS (kernels); i++)
    if (! CUDA_CALL (cuda, cuFuncSetAttribute,
                     (cuda->functions[kernels[i]],
                      CUDA_FUNCTION_MAX_DYNAMIC_SHARED, bytes),
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

/* Fills n bytes of the scratch with a value. */
static gboolean
fill (CudaCall *call, gsize offset, guchar value, gsize n, GError **error)
{
  return CUDA_CALL (call->cuda, cuMemsetD8Async,
                    (call->lane->scratch + offset, value, n, call->stream),
                    error);
}

gboolean
isolux_call_count (CudaCall              *call,
                   const IsoluxPixels    *pixels,
                   const IsoluxCountPlan *plan,
                   gboolean               one_range,
                   GError               **error)
{
  const IsoluxCuda    *cuda = call->cuda;
  const gint           processors = cuda->processors;
  const gsize          state = ISOLUX_SCRATCH_STATE;
  IsoluxCountArguments a = { 0 };
  CudaKernel           kernel = KERNEL_isolux_count_u16;

  if (! fill (call, ISOLUX_SCRATCH_COUNTS, 0,
              (gsize) plan->channels * (gsize) plan->bins * sizeof (guint64),
              error))
    return FALSE;
  if (pixels->type == ISOLUX_PLAN_F32 &&
      (! fill (call, state + G_STRUCT_OFFSET (IsoluxState, least), 0xff,
               sizeof ((IsoluxState *) NULL)->least, error) ||
       ! fill (call, state + G_STRUCT_OFFSET (IsoluxState, most), 0,
               sizeof ((IsoluxState *) NULL)->most, error)))
    return FALSE;
  if (pixels->region_width < 1 || pixels->region_height < 1)
    return TRUE;

  a.pixels = crop (pixels);
  a.plan = *plan;
  a.one_range = one_range;
  a.counts = (guint64 *) (call->lane->scratch + ISOLUX_SCRATCH_COUNTS);
  a.state = (IsoluxState *) (call->lane->scratch + state);
  if (! a.pixels.mask && isolux_pixels_tight (&a.pixels))
    isolux_pixels_flatten (&a.pixels);
  a.tiles.whole = pixels->type != ISOLUX_PLAN_F32 && pixels->components == 1 &&
                  ! pixels->mask;
  isolux_tiles_set (&a.tiles,
                    a.tiles.whole
                      ? isolux_row_vectors ((gsize) a.pixels.width *
                                            isolux_pixel_size (pixels))
                      : a.pixels.width,
                    a.pixels.height, ISOLUX_COUNT_THREADS);

  if (pixels->type == ISOLUX_PLAN_U8)
    return launch (call, KERNEL_isolux_count_u8, &a, 1,
                   processors * BLOCKS_PER_PROCESSOR, 0, error);
  if (pixels->type == ISOLUX_PLAN_F32)
    {
      kernel = KERNEL_isolux_count_f32;
      if (! launch (call, KERNEL_isolux_measure_f32, &a, 1,
                    processors * BLOCKS_PER_PROCESSOR, 0, error))
        return FALSE;
    }
  a.range_shift = isolux_cuda_range_shift (cuda);
  while (1 << a.range_shift > plan->bins)
    a.range_shift--;
  return launch (call, kernel, &a, plan->bins >> a.range_shift, processors,
                 (guint) sizeof (guint32) << a.range_shift, error);
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
           const IsoluxState     *state,
           IsoluxCounts          *counts)
{
  gdouble least = HUGE_VAL, most = -HUGE_VAL;
  gint    c;

  for (c = 0; c < 3; c++)
    {
      counts->minimum[c] = HUGE_VAL;
      counts->maximum[c] = -HUGE_VAL;
      if (c >= plan->channels || state->least[c] > state->most[c])
        continue;
      counts->minimum[c] = value_of_key (state->least[c]);
      counts->maximum[c] = value_of_key (state->most[c]);
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

gboolean
isolux_cuda_count (IsoluxSurface         *surface,
                   const IsoluxCountPlan *plan,
                   IsoluxCounts          *counts,
                   GError               **error)
{
  const gsize bytes = (gsize) plan->channels * (gsize) plan->bins *
                      sizeof (guint64);
  const gboolean     real = surface->pixels.type == ISOLUX_PLAN_F32;
  const guint64     *host = NULL;
  const IsoluxState *state = NULL;
  CudaCall           call;
  gboolean           success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (surface->device),
                           surface->stream, error))
    return FALSE;
  success = isolux_call_count (&call, &surface->pixels, plan, TRUE, error);
  if (success)
    {
      host = isolux_call_get (&call, ISOLUX_SCRATCH_COUNTS, bytes, error);
      success = host != NULL;
    }
  if (success && real)
    {
      state = isolux_call_get (&call, ISOLUX_SCRATCH_STATE,
                               G_STRUCT_OFFSET (IsoluxState, terms), error);
      success = state != NULL;
    }
  success = success && isolux_call_wait (&call, error);
  if (success)
    {
      memcpy (counts->counts, host, bytes);
      if (real)
        set_range (plan, state, counts);
    }
  return isolux_call_end (&call, success, TRUE, error);
}
