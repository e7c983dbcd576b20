/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of lut.cu. */
#include "driver.h"

/* Whether the rows of two images lie alike in their vectors of 16 bytes. */
static gboolean
lie_alike (const IsoluxPixels *a, const IsoluxPixels *b)
{
  return ((gsize) a->data - (gsize) b->data) % ISOLUX_VECTOR_BYTES == 0 &&
         (a->height == 1 || (a->stride - b->stride) % ISOLUX_VECTOR_BYTES == 0);
}

gboolean
isolux_call_apply (CudaCall            *call,
                   const IsoluxPixels  *source,
                   const IsoluxPixels  *destination,
                   gboolean             luma,
                   const IsoluxWeights *weights,
                   gint                 bins,
                   GError             **error)
{
  const CudaAddress scratch = call->lane->scratch;
  const gboolean    all = ! source->mask && source->region_x == 0 &&
                       source->region_y == 0 &&
                       source->region_width == source->width &&
                       source->region_height == source->height;
  IsoluxApplyArguments a = { 0 };

  a.source = *source;
  a.destination = *destination;
  a.weights = *weights;
  a.luma = luma;
  a.stride = bins;
  a.entries = (gconstpointer) (scratch + ISOLUX_SCRATCH_ENTRIES);
  a.tables = (const IsoluxTables *) (scratch + ISOLUX_SCRATCH_TABLES);
  if (all && isolux_pixels_tight (source) && isolux_pixels_tight (destination))
    {
      isolux_pixels_flatten (&a.source);
      isolux_pixels_flatten (&a.destination);
    }
  a.tiles.whole = all && source->type != ISOLUX_PLAN_F32 &&
                  source->components == 1 &&
                  lie_alike (&a.source, &a.destination);
  isolux_tiles_set (&a.tiles,
                    a.tiles.whole
                      ? isolux_row_vectors ((gsize) a.source.width *
                                            isolux_pixel_size (source))
                      : a.source.width,
                    a.source.height, ISOLUX_APPLY_THREADS);
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
                               plan->luma, &plan->weights, plan->bins, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
