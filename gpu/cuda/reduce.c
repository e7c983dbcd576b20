/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of reduce.cu. */
#include "driver.h"

/* A warp works on a pixel of the result that so many pixels, and, where their
 * rows are what it shares out, so many rows become. */
#define LEAST_SHARED_PIXELS 64
#define LEAST_SHARED_ROWS 8

#define BLOCKS_PER_PROCESSOR 32

static gint
warp_shift (const IsoluxReduceArguments *a)
{
  const gint64 columns = a->plan.width / a->destination.width;
  const gint64 rows = a->plan.height / a->destination.height;
  gboolean     shared = columns * rows >= LEAST_SHARED_PIXELS;

  if (a->source.type == ISOLUX_PLAN_F32)
    shared = shared && rows >= LEAST_SHARED_ROWS;
  return shared ? 5 : 0;
}

gboolean
isolux_cuda_reduce (IsoluxSurface          *source,
                    IsoluxSurface          *destination,
                    const IsoluxReducePlan *plan,
                    GError                **error)
{
  const gint            type = source->pixels.type;
  IsoluxReduceArguments a = { 0 };
  CudaCall              call;
  gint64                pixels, each;
  gboolean              success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  a.shift = warp_shift (&a);
  pixels = a.destination.width * a.destination.height;
  each = ISOLUX_REDUCE_THREADS >> a.shift;
  success = isolux_call_launch (&call,
                                type == ISOLUX_PLAN_U8 ? KERNEL_isolux_reduce_u8
                                : type == ISOLUX_PLAN_U16
                                  ? KERNEL_isolux_reduce_u16
                                  : KERNEL_isolux_reduce_f32,
                                (guint) CLAMP ((pixels + each - 1) / each, 1,
                                               (gint64) call.cuda->processors *
                                                 BLOCKS_PER_PROCESSOR),
                                ISOLUX_REDUCE_THREADS, 0, &a, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}
