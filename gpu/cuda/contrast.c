/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of contrast.cu. */
#include "driver.h"

#define BLOCKS_PER_PROCESSOR 64

static gboolean
launch (CudaCall                *call,
        IsoluxContrastArguments *a,
        CudaKernel               u8,
        CudaKernel               u16,
        CudaKernel               f32,
        guint                    grid,
        GError                 **error)
{
  return isolux_call_launch (call,
                             a->source.type == ISOLUX_PLAN_U8    ? u8
                             : a->source.type == ISOLUX_PLAN_U16 ? u16
                                                                 : f32,
                             grid, ISOLUX_CONTRAST_THREADS, 0, a, error);
}

static gboolean
measure (CudaCall *call, IsoluxContrastArguments *a, GError **error)
{
  const gint64 tiles = a->plan.tiles_x * a->plan.tiles_y;
  const gint64 width = MIN (a->plan.tile, a->source.width);
  const gint64 most = (gint64) call->cuda->processors * BLOCKS_PER_PROCESSOR;

  while (1 << a->shift < ISOLUX_CONTRAST_THREADS && 1 << a->shift < width)
    a->shift++;
  return launch (call, a, KERNEL_isolux_contrast_measure_u8,
                 KERNEL_isolux_contrast_measure_u16,
                 KERNEL_isolux_contrast_measure_f32, (guint) MIN (tiles, most),
                 error);
}

static gboolean
draw (CudaCall *call, IsoluxContrastArguments *a, GError **error)
{
  isolux_tiles_set (&a->tiles,
                    (a->source.width + ISOLUX_CONTRAST_COLUMNS - 1) /
                      ISOLUX_CONTRAST_COLUMNS,
                    (a->source.height + ISOLUX_CONTRAST_ROWS - 1) /
                      ISOLUX_CONTRAST_ROWS,
                    1);
  return launch (call, a, KERNEL_isolux_contrast_draw_u8,
                 KERNEL_isolux_contrast_draw_u16,
                 KERNEL_isolux_contrast_draw_f32,
                 isolux_tiles_grid (&a->tiles, call->cuda), error);
}

gboolean
isolux_cuda_contrast_map (IsoluxSurface            *source,
                          IsoluxSurface            *destination,
                          const IsoluxContrastPlan *plan,
                          GError                  **error)
{
  const gsize             tiles = (gsize) plan->tiles_x * (gsize) plan->tiles_y;
  IsoluxContrastArguments a = { 0 };
  CudaAddress             memory;
  CudaCall                call;
  gboolean                success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  memory = isolux_call_memory (&call, tiles * sizeof (gdouble), error);
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  a.measures = (gdouble *) memory;
  success = memory && measure (&call, &a, error) && draw (&call, &a, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
