/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the kernels that draw a picture of their own share: the values that
 * they see, what counts, and the pixels that they write. */
#ifndef ISOLUX_PICTURE_H
#define ISOLUX_PICTURE_H

#include "kernels.h"

__device__ __forceinline__ double
isolux_value (const IsoluxWeights &w, const uint8_t *in, int colors)
{
  return isolux_value_u8 (&w, in, colors);
}

__device__ __forceinline__ double
isolux_value (const IsoluxWeights &w, const uint16_t *in, int colors)
{
  return isolux_value_u16 (&w, in, colors);
}

__device__ __forceinline__ double
isolux_value (const IsoluxWeights &w, const float *in, int colors)
{
  return isolux_value_f32 (&w, in, colors);
}

__device__ __forceinline__ bool
isolux_has_nan (const uint8_t *, int)
{
  return false;
}

__device__ __forceinline__ bool
isolux_has_nan (const uint16_t *, int)
{
  return false;
}

__device__ __forceinline__ bool
isolux_has_nan (const float *in, int colors)
{
  return isolux_is_nan (in[0]) ||
         (colors == 3 && (isolux_is_nan (in[1]) || isolux_is_nan (in[2])));
}

template <typename T>
__device__ __forceinline__ const T *
isolux_pixel (const IsoluxPixels &pixels, int64_t x, int64_t y)
{
  return isolux_row<T> (pixels, y) + x * pixels.components;
}

/* Whether a pixel of the image counts. */
template <typename T>
__device__ __forceinline__ bool
isolux_pixel_counts (const IsoluxPixels &pixels, int64_t x, int64_t y)
{
  const T      *in = isolux_pixel<T> (pixels, x, y);
  const int64_t left = x - pixels.region_x, top = y - pixels.region_y;

  return left >= 0 && left < pixels.region_width && top >= 0 &&
         top < pixels.region_height &&
         isolux_counts (pixels, pixels.has_alpha != 0, in, left, top) &&
         ! isolux_has_nan (in, pixels.colors);
}

/* ---- Writing ------------------------------------------------------------ */

__device__ __forceinline__ uint8_t
isolux_shown (double v, double most, double maximum, uint8_t)
{
  return (uint8_t) isolux_picture_code (v, most, maximum);
}

__device__ __forceinline__ uint16_t
isolux_shown (double v, double most, double maximum, uint16_t)
{
  return (uint16_t) isolux_picture_code (v, most, maximum);
}

__device__ __forceinline__ float
isolux_shown (double v, double most, double maximum, float)
{
  return (float) isolux_picture_value (v, most, maximum);
}

__device__ __forceinline__ uint8_t
isolux_gray (const IsoluxWeights &w, const uint8_t *in, int colors)
{
  return (uint8_t) isolux_value_u8 (&w, in, colors);
}

__device__ __forceinline__ uint16_t
isolux_gray (const IsoluxWeights &w, const uint16_t *in, int colors)
{
  return (uint16_t) isolux_value_u16 (&w, in, colors);
}

__device__ __forceinline__ float
isolux_gray (const IsoluxWeights &w, const float *in, int colors)
{
  return isolux_canonical ((float) isolux_value_f32 (&w, in, colors));
}

__device__ __forceinline__ uint8_t
isolux_opaque (uint8_t)
{
  return 255;
}

__device__ __forceinline__ uint16_t
isolux_opaque (uint16_t)
{
  return 65535;
}

__device__ __forceinline__ float
isolux_opaque (float)
{
  return 1.0f;
}

/* Writes a pixel of a picture: v where it counts; else it stays, or its gray
 * does where the numbers of colors differ. */
template <typename T>
__device__ __forceinline__ void
isolux_draw (const IsoluxPixels  &source,
             const IsoluxPixels  &destination,
             const IsoluxWeights &weights,
             int64_t              x,
             int64_t              y,
             bool                 counts,
             T                    v)
{
  const T  *in = isolux_pixel<T> (source, x, y);
  T        *out = (T *) isolux_pixel<T> (destination, x, y);
  const int colors = destination.colors;

  if (! counts && source.colors == colors)
    {
      out[0] = in[0];
      if (colors == 3)
        {
          out[1] = in[1];
          out[2] = in[2];
        }
    }
  else
    {
      if (! counts)
        v = source.colors == 1 ? in[0]
                               : isolux_gray (weights, in, source.colors);
      out[0] = v;
      if (colors == 3)
        out[1] = out[2] = v;
    }
  if (destination.has_alpha)
    out[colors] = source.has_alpha ? in[source.components - 1]
                                   : isolux_opaque (T ());
}

#endif /* ISOLUX_PICTURE_H */
