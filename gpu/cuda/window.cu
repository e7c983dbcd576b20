/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windowing of floats, one pixel a thread; codes go through a table (lut.cu).
 * A thread reads all of its pixel before it writes any of it.
 */
#include "kernels.h"

KERNEL (ISOLUX_WINDOW_THREADS)
isolux_window_f32 (const IsoluxWindowArguments a)
{
  const IsoluxPixels &p = a.source;
  const int           n = p.components;

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t x, y;

      if (! isolux_item<ISOLUX_WINDOW_THREADS> (a.tiles, tile, &x, &y))
        continue;

      const int64_t left = x - p.region_x, top = y - p.region_y;
      const float  *in = isolux_row<float> (p, y) + x * n;
      float     *out = (float *) isolux_row<float> (a.destination, y) + x * n;
      const bool change = left >= 0 && left < p.region_width && top >= 0 &&
                          top < p.region_height &&
                          isolux_counts (p, p.has_alpha != 0, in, left, top);
      float v[4];

#pragma unroll
      for (int c = 0; c < 4; c++)
        v[c] = c < n ? in[c] : 0.0f;
      if (change)
        isolux_window_pixel (&a.plan, v, p.colors);
#pragma unroll
      for (int c = 0; c < 4; c++)
        if (c < n)
          out[c] = v[c];
    }
}
