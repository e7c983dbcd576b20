/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernel of window.cu. */
#include "driver.h"

gboolean
isolux_cuda_window (IsoluxSurface          *source,
                    IsoluxSurface          *destination,
                    const IsoluxWindowPlan *plan,
                    GError                **error)
{
  IsoluxWindowArguments a = { 0 };
  CudaCall              call;
  gboolean              success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  isolux_tiles_set (&a.tiles, a.source.width, a.source.height,
                    ISOLUX_WINDOW_THREADS);
  success = isolux_call_launch (&call, KERNEL_isolux_window_f32,
                                isolux_tiles_grid (&a.tiles, call.cuda),
                                ISOLUX_WINDOW_THREADS, 0, &a, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
