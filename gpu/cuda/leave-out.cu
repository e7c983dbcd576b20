/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mask without the pixels of one value: one pixel of the region a thread. */
#include "kernels.h"

template <typename T>
__device__ __forceinline__ void
leave_out (const IsoluxLeaveOutArguments &a)
{
  const IsoluxPixels &p = a.source;

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_LEAVE_OUT_THREADS> (a.tiles, tile, &x, &y))
        continue;

      const T *in = isolux_row<T> (p, p.region_y + y) +
                    (p.region_x + x) * p.components;
      uint8_t *out = (uint8_t *) isolux_row<uint8_t> (a.mask, y) + x;
      bool     left_out = true;

      for (int c = 0; c < p.colors; c++)
        left_out = left_out && isolux_left_out (&a.plan, (float) in[c]);
      *out = left_out ? 0
             : p.mask ? p.mask[(size_t) y * p.mask_stride + (size_t) x]
                      : 255;
    }
}

KERNEL (ISOLUX_LEAVE_OUT_THREADS)
isolux_leave_out_u8 (const IsoluxLeaveOutArguments a)
{
  leave_out<uint8_t> (a);
}

KERNEL (ISOLUX_LEAVE_OUT_THREADS)
isolux_leave_out_u16 (const IsoluxLeaveOutArguments a)
{
  leave_out<uint16_t> (a);
}

KERNEL (ISOLUX_LEAVE_OUT_THREADS)
isolux_leave_out_f32 (const IsoluxLeaveOutArguments a)
{
  leave_out<float> (a);
}
