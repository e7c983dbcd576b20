/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of lut.cu. */
#include "driver.h"

#define BLOCKS_PER_PROCESSOR 4

gboolean
isolux_call_apply_gray (CudaCall                 *call,
                        CudaKernel                kernel,
                        const IsoluxPixels       *source,
                        const IsoluxPixels       *destination,
                        IsoluxGrayApplyArguments *a,
                        GError                  **error)
{
  const gboolean all = ! source->mask &&
                       source->region_width == source->width &&
                       source->region_height == source->height;
  /* behind a kernel of this call */
  const gboolean early = call->counts != 0;
  CudaLaunch     launch = { kernel, 0, ISOLUX_APPLY_THREADS, 0, 0, early };
  gint64         most = G_MAXINT32;

  a->source = *source;
  a->destination = *destination;
  if (all && isolux_pixels_tight (source) && isolux_pixels_tight (destination))
    {
      isolux_pixels_flatten (&a->source);
      isolux_pixels_flatten (&a->destination);
    }
  if (kernel == KERNEL_isolux_apply_gray_u16)
    {
      launch.block = ISOLUX_COUNT_THREADS;
      launch.shared_bytes = 2 * ISOLUX_BINS;
      most = call->cuda->processors;
    }
  else if (kernel == KERNEL_isolux_look_up_gray_u16)
    most = (gint64) call->cuda->processors * BLOCKS_PER_PROCESSOR;
  launch.grid = isolux_walk_set (&a->walk, &a->source, launch.block, most);
  if (most == G_MAXINT32)
    {
      /* two vectors a thread, no more */
      launch.grid = (launch.grid + 1) / 2;
      isolux_walk_step (&a->walk, launch.grid * launch.block);
    }
  return isolux_call_launch_as (call, &launch, a, error);
}

gboolean
isolux_call_apply (CudaCall            *call,
                   const IsoluxPixels  *source,
                   const IsoluxPixels  *destination,
                   gboolean             luma,
                   const IsoluxWeights *weights,
                   gint                 bins,
                   gboolean             bounded,
                   GError             **error)
{
  const CudaAddress        scratch = call->lane->scratch;
  IsoluxGrayApplyArguments g = { 0 };
  IsoluxApplyArguments     a = { 0 };

  a.entries = g.entries = (gconstpointer) (scratch + ISOLUX_SCRATCH_ENTRIES);
  a.tables = g.tables =
    (const IsoluxTables *) (scratch + ISOLUX_SCRATCH_TABLES);
  if (source->type != ISOLUX_PLAN_F32 && isolux_pixels_gray (source) &&
      isolux_pixels_alike (source, destination))
    {
      if (bounded)
        g.zeros = (const IsoluxZeros *) call->zeros;
      return isolux_call_apply_gray (call,
                                     source->type == ISOLUX_PLAN_U8
                                       ? KERNEL_isolux_apply_gray_u8
                                     : call->cuda->shared_limit >=
                                         2 * ISOLUX_BINS
                                       ? KERNEL_isolux_apply_gray_u16
                                       : KERNEL_isolux_look_up_gray_u16,
                                     source, destination, &g, error);
    }
  a.source = *source;
  a.destination = *destination;
  a.weights = *weights;
  a.luma = luma;
  a.stride = bins;
  isolux_tiles_set (&a.tiles, a.source.width, a.source.height,
                    ISOLUX_APPLY_THREADS);
  return isolux_call_launch (call,
                             source->type == ISOLUX_PLAN_U8
                               ? KERNEL_isolux_apply_u8
                             : source->type == ISOLUX_PLAN_U16
                               ? KERNEL_isolux_apply_u16
                               : KERNEL_isolux_apply_f32,
                             isolux_tiles_grid (&a.tiles, call->cuda),
                             ISOLUX_APPLY_THREADS, 0, &a, error);
}

gboolean
isolux_cuda_lut_apply (IsoluxSurface       *source,
                       IsoluxSurface       *destination,
                       const IsoluxLutPlan *plan,
                       GError             **error)
{
  const gsize  size = source->pixels.type == ISOLUX_PLAN_U8    ? 1
                      : source->pixels.type == ISOLUX_PLAN_U16 ? 2
                                                               : 4;
  IsoluxTables tables = { 0 };
  CudaCall     call;
  gboolean     success;
  gint         c;

  for (c = 0; c < plan->channels; c++)
    {
      tables.bins[c] = plan->bins;
      tables.identity[c] = plan->identity[c];
      tables.low[c] = plan->low[c];
      tables.scale[c] = plan->scale[c];
    }
  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  success = isolux_call_put (&call, ISOLUX_SCRATCH_TABLES, &tables,
                             sizeof tables, error) &&
            isolux_call_put (&call, ISOLUX_SCRATCH_ENTRIES, plan->entries,
                             (gsize) plan->channels * (gsize) plan->bins * size,
                             error) &&
            isolux_call_apply (&call, &source->pixels, &destination->pixels,
                               plan->luma, &plan->weights, plan->bins, FALSE,
                               error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
