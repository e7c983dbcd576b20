/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of grayscale.cu. */
#include "driver.h"

/* Puts the tables of linear light, where there are any, on the device. */
static gboolean
put_tables (CudaCall *call, IsoluxGrayPlan *plan, GError **error)
{
  const CudaAddress scratch = call->lane->scratch;
  const gsize       maximum = (gsize) plan->maximum;

  if (! plan->decode || ! plan->thresholds)
    return TRUE;
  if (! isolux_call_put (call, ISOLUX_SCRATCH_DECODE, plan->decode,
                         3 * (maximum + 1) * sizeof (gfloat), error) ||
      ! isolux_call_put (call, ISOLUX_SCRATCH_THRESHOLDS, plan->thresholds,
                         maximum * sizeof (gdouble), error))
    return FALSE;
  plan->decode = (const gfloat *) (scratch + ISOLUX_SCRATCH_DECODE);
  plan->thresholds = (const gdouble *) (scratch + ISOLUX_SCRATCH_THRESHOLDS);
  return TRUE;
}

gboolean
isolux_cuda_grayscale (IsoluxSurface        *source,
                       IsoluxSurface        *destination,
                       const IsoluxGrayPlan *plan,
                       GError              **error)
{
  const gint          type = source->pixels.type;
  IsoluxGrayArguments a = { 0 };
  CudaCall            call;
  gboolean            success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  if (isolux_pixels_tight (&a.source) && isolux_pixels_tight (&a.destination))
    {
      isolux_pixels_flatten (&a.source);
      isolux_pixels_flatten (&a.destination);
    }
  isolux_tiles_set (&a.tiles, a.source.width, a.source.height,
                    ISOLUX_GRAY_THREADS);
  success =
    put_tables (&call, &a.plan, error) &&
    isolux_call_launch (&call,
                        type == ISOLUX_PLAN_U8    ? KERNEL_isolux_grayscale_u8
                        : type == ISOLUX_PLAN_U16 ? KERNEL_isolux_grayscale_u16
                                                  : KERNEL_isolux_grayscale_f32,
                        isolux_tiles_grid (&a.tiles, call.cuda),
                        ISOLUX_GRAY_THREADS, 0, &a, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
