/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches the kernels of lbp.cu. */
#include "driver.h"

static gboolean
launch (CudaCall           *call,
        IsoluxLbpArguments *a,
        CudaKernel          u8,
        CudaKernel          u16,
        CudaKernel          f32,
        guint               shared_bytes,
        GError            **error)
{
  return isolux_call_launch (call,
                             a->source.type == ISOLUX_PLAN_U8    ? u8
                             : a->source.type == ISOLUX_PLAN_U16 ? u16
                                                                 : f32,
                             isolux_tiles_grid (&a->tiles, call->cuda),
                             ISOLUX_LBP_THREADS, shared_bytes, a, error);
}

static gboolean
lies_in_words (const IsoluxPixels *p)
{
  return (gsize) p->data % 4 == 0 && p->stride % 4 == 0;
}

/* Whether isolux_lbp_gray_u8 can draw it. Not in place: neighbors are read. */
static gboolean
is_gray (const IsoluxLbpArguments *a)
{
  const IsoluxPixels *p = &a->source;

  return p->type == ISOLUX_PLAN_U8 && isolux_pixels_gray (p) &&
         a->destination.components == 1 && ! a->plan.raw && a->plan.simple &&
         a->plan.method != ISOLUX_PLAN_LBP_VAR && ! p->mask &&
         p->region_width == p->width && p->region_height == p->height &&
         p->data != a->destination.data && lies_in_words (p) &&
         lies_in_words (&a->destination);
}

static gboolean
draw_gray (CudaCall *call, IsoluxLbpArguments *a, GError **error)
{
  isolux_tiles_set (&a->tiles, (a->source.width + 3) / 4,
                    (a->source.height + ISOLUX_LBP_ROWS - 1) / ISOLUX_LBP_ROWS,
                    ISOLUX_LBP_THREADS);
  return isolux_call_launch (call, KERNEL_isolux_lbp_gray_u8,
                             isolux_tiles_grid (&a->tiles, call->cuda),
                             ISOLUX_LBP_THREADS, 0, a, error);
}

gboolean
isolux_cuda_lbp (IsoluxSurface       *source,
                 IsoluxSurface       *destination,
                 const IsoluxLbpPlan *plan,
                 GError             **error)
{
  IsoluxLbpArguments a = { 0 };
  CudaCall           call;
  gboolean           success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           isolux_cuda_stream (source, destination), error))
    return FALSE;
  a.source = source->pixels;
  a.destination = destination->pixels;
  a.plan = *plan;
  isolux_tiles_set_blocks (&a.tiles, a.source.width, a.source.height,
                           ISOLUX_LBP_THREADS);
  if (is_gray (&a))
    success = draw_gray (&call, &a, error);
  else
    success = launch (&call, &a, KERNEL_isolux_lbp_u8, KERNEL_isolux_lbp_u16,
                      KERNEL_isolux_lbp_f32, 0, error);
  return isolux_call_end (&call, success,
                          ! isolux_cuda_async (source, destination), error);
}

/* Counts into device memory. */
static gboolean
count (IsoluxSurface       *source,
       const IsoluxLbpPlan *plan,
       gpointer             memory,
       gsize                bytes,
       GError             **error)
{
  IsoluxLbpArguments a = { 0 };
  CudaCall           call;
  gboolean           success;

  if (! isolux_call_begin (&call, isolux_device_get_cuda (source->device),
                           source->stream, error))
    return FALSE;
  a.source = source->pixels;
  a.plan = *plan;
  a.counts = memory;
  success = CUDA_CALL (call.cuda, cuMemsetD8Async,
                       ((CudaAddress) memory, 0, bytes, call.stream), error);
  if (success && a.source.region_width > 0 && a.source.region_height > 0)
    {
      isolux_tiles_set_blocks (&a.tiles, a.source.region_width,
                               a.source.region_height, ISOLUX_LBP_THREADS);
      success = launch (&call, &a, KERNEL_isolux_lbp_count_u8,
                        KERNEL_isolux_lbp_count_u16,
                        KERNEL_isolux_lbp_count_f32,
                        plan->codes <= ISOLUX_LBP_SHARED_CODES
                          ? plan->codes * (guint) sizeof (guint32)
                          : 0,
                        error);
    }
  return isolux_call_end (&call, success, TRUE, error);
}

gboolean
isolux_cuda_lbp_histogram (IsoluxSurface       *source,
                           const IsoluxLbpPlan *plan,
                           guint64             *counts,
                           GError             **error)
{
  const IsoluxBackend *backend = source->backend;
  const gsize          bytes = (gsize) plan->codes * sizeof (guint64);
  gpointer             memory;
  gboolean             success;

  if (! backend->alloc (source->device, bytes, &memory, error))
    return FALSE;
  success = count (source, plan, memory, bytes, error) &&
            backend->read (source->device, counts, bytes, memory, bytes, bytes,
                           1, source->stream, error);
  backend->release (source->device, memory, bytes);
  return success;
}
