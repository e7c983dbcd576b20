/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of leave-out.cu. */
#include "driver.h"

gboolean
isolux_cuda_leave_out (IsoluxSurface            *source,
                       IsoluxSurface            *mask,
                       const IsoluxLeaveOutPlan *plan,
                       GError                  **error)
{
  const gint              type = source->pixels.type;
  IsoluxLeaveOutArguments a = { 0 };
  CudaCall                call;
  gboolean                success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           source->stream, error))
    return FALSE;
  a.source = source->pixels;
  a.mask = mask->pixels;
  a.plan = *plan;
  isolux_tiles_set (&a.tiles, a.mask.width, a.mask.height,
                    ISOLUX_LEAVE_OUT_THREADS);
  success =
    isolux_call_launch (&call,
                        type == ISOLUX_PLAN_U8    ? KERNEL_isolux_leave_out_u8
                        : type == ISOLUX_PLAN_U16 ? KERNEL_isolux_leave_out_u16
                                                  : KERNEL_isolux_leave_out_f32,
                        isolux_tiles_grid (&a.tiles, call.cuda),
                        ISOLUX_LEAVE_OUT_THREADS, 0, &a, error);
  /* the old mask is given back when this returns */
  return isolux_call_end (&call, success, TRUE, error);
}
