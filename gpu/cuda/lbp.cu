/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local binary patterns: one pixel a thread. */
#include "picture.h"

/* No counter passes 2^31 in so many tiles. */
#define LBP_ROUNDS (1 << 23)

struct LbpPatterns
{
  uint32_t code;
  double   variance;
};

/* The value of a tap; outside the image it is 0. */
template <typename T>
__device__ __forceinline__ double
lbp_tap (const IsoluxLbpArguments &a, int64_t x, int64_t y)
{
  if (x < 0 || x >= a.source.width || y < 0 || y >= a.source.height)
    return 0.0;
  return isolux_value (a.plan.weights, isolux_pixel<T> (a.source, x, y),
                       a.source.colors);
}

template <typename T>
__device__ __forceinline__ double
lbp_sample (const IsoluxLbpArguments &a, int i, int64_t x, int64_t y)
{
  const IsoluxLbpPlan &p = a.plan;
  const int64_t        top = y + p.top[i], bottom = y + p.bottom[i];
  const int64_t        left = x + p.left[i], right = x + p.right[i];

  if (top == bottom && left == right)
    return lbp_tap<T> (a, left, top); /* a pixel's middle */
  return isolux_lbp_sample (lbp_tap<T> (a, left, top),
                            lbp_tap<T> (a, right, top),
                            lbp_tap<T> (a, left, bottom),
                            lbp_tap<T> (a, right, bottom),
                            isolux_lbp_fraction (y, p.row[i], p.top[i]),
                            isolux_lbp_fraction (x, p.column[i], p.left[i]),
                            p.flat);
}

/* Eight points of radius 1 by whole numbers. */
template <typename T>
__device__ __forceinline__ uint32_t
lbp_simple_signs (const IsoluxLbpArguments &a, int64_t x, int64_t y)
{
  const int32_t v = (int32_t) lbp_tap<T> (a, x, y);
  const int32_t east = (int32_t) lbp_tap<T> (a, x + 1, y) - v;
  const int32_t north = (int32_t) lbp_tap<T> (a, x, y - 1) - v;
  const int32_t west = (int32_t) lbp_tap<T> (a, x - 1, y) - v;
  const int32_t south = (int32_t) lbp_tap<T> (a, x, y + 1) - v;
  const int     corners[4] = {
    isolux_lbp_diagonal (east, north,
                             (int32_t) lbp_tap<T> (a, x + 1, y - 1) - v),
    isolux_lbp_diagonal (north, west,
                             (int32_t) lbp_tap<T> (a, x - 1, y - 1) - v),
    isolux_lbp_diagonal (west, south,
                             (int32_t) lbp_tap<T> (a, x - 1, y + 1) - v),
    isolux_lbp_diagonal (south, east,
                             (int32_t) lbp_tap<T> (a, x + 1, y + 1) - v)
  };
  uint32_t signs = (uint32_t) (east >= 0) | (uint32_t) (north >= 0) << 2 |
                   (uint32_t) (west >= 0) << 4 | (uint32_t) (south >= 0) << 6;

#pragma unroll
  for (int c = 0; c < 4; c++)
    {
      const int i = 2 * c + 1;
      int       sign = corners[c];

      if (sign == ISOLUX_LBP_TIE)
        sign = lbp_sample<T> (a, i, x, y) >= (double) v;
      signs |= (uint32_t) sign << i;
    }
  return signs;
}

template <typename T>
__device__ __forceinline__ LbpPatterns
lbp_patterns (const IsoluxLbpArguments &a, int64_t x, int64_t y)
{
  const IsoluxLbpPlan &p = a.plan;
  LbpPatterns          result = { 0, 0.0 };
  uint32_t             signs = 0;

  if (p.method == ISOLUX_PLAN_LBP_VAR)
    {
      double sum = 0.0, squares = 0.0;

      for (int i = 0; i < p.points; i++)
        {
          const double t = lbp_sample<T> (a, i, x, y);

          sum += t;
          squares += t * t;
        }
      result.variance = isolux_lbp_variance (sum, squares, p.points);
      return result;
    }
  if (p.simple)
    signs = lbp_simple_signs<T> (a, x, y);
  else
    {
      const double center = lbp_tap<T> (a, x, y);

      for (int i = 0; i < p.points; i++)
        signs |= (uint32_t) (lbp_sample<T> (a, i, x, y) >= center) << i;
    }
  result.code = isolux_lbp_code (signs, p.points, p.method);
  return result;
}

/* ---- Pictures ----------------------------------------------------------- */

template <typename T>
__device__ __forceinline__ void
lbp_pictures (const IsoluxLbpArguments &a)
{
  const IsoluxLbpPlan &p = a.plan;

  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      LbpPatterns found = { 0, 0.0 };
      int64_t     x, y;
      bool        counts;

      if (! isolux_item<ISOLUX_LBP_THREADS> (a.tiles, tile, &x, &y))
        continue;
      counts = isolux_pixel_counts<T> (a.source, x, y);
      if (counts)
        found = lbp_patterns<T> (a, x, y);
      if (p.raw)
        *(float *) isolux_pixel<float> (a.destination, x, y) =
          counts ? isolux_lbp_raw (&p, found.code, found.variance) : 0.0f;
      else
        isolux_draw<T> (a.source, a.destination, p.weights, x, y, counts,
                        isolux_shown (isolux_lbp_shown (&p, found.code,
                                                        found.variance),
                                      p.most, p.maximum, T ()));
    }
}

KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_u8 (const IsoluxLbpArguments a)
{
  lbp_pictures<uint8_t> (a);
}

KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_u16 (const IsoluxLbpArguments a)
{
  lbp_pictures<uint16_t> (a);
}

KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_f32 (const IsoluxLbpArguments a)
{
  lbp_pictures<float> (a);
}

/* ---- Pictures of gray of 8 bits ------------------------------------------ */

/* Six pixels of a row that begin before the four of a word; 0 outside. */
struct LbpRow
{
  int32_t v[6];

  __device__ __forceinline__ void
  load (const IsoluxPixels &p, int64_t x, int64_t y)
  {
    const uint8_t *at = isolux_row<uint8_t> (p, y) + x;
    const bool     there = y >= 0 && y < p.height;
    uint32_t       word = 0;

    if (there && x + 4 <= p.width)
      word = __ldg ((const uint32_t *) at);
    else if (there)
      for (int i = 0; x + i < p.width; i++)
        word |= (uint32_t) at[i] << 8 * i;
    v[0] = there && x > 0 ? __ldg (at - 1) : 0;
    v[5] = there && x + 4 < p.width ? __ldg (at + 4) : 0;
#pragma unroll
    for (int i = 0; i < 4; i++)
      v[i + 1] = (int32_t) (word >> 8 * i & 255u);
  }
};

/* A diagonal sample where double precision decides. */
__device__ __noinline__ uint32_t
lbp_tie (const IsoluxLbpArguments &a, int i, int64_t x, int64_t y)
{
  return lbp_sample<uint8_t> (a, i, x, y) >= lbp_tap<uint8_t> (a, x, y);
}

/* Eight points of radius 1, by the rows around; k: of the four pixels. */
__device__ __forceinline__ uint32_t
lbp_signs_of_rows (const IsoluxLbpArguments &a,
                   const LbpRow             &above,
                   const LbpRow             &at,
                   const LbpRow             &below,
                   int                       k,
                   int64_t                   x,
                   int64_t                   y)
{
  const int32_t v = at.v[k + 1];
  const int32_t east = at.v[k + 2] - v, west = at.v[k] - v;
  const int32_t north = above.v[k + 1] - v, south = below.v[k + 1] - v;
  const int32_t sides[4] = { east + north, north + west, west + south,
                             south + east };
  const int32_t corners[4] = { above.v[k + 2] - v, above.v[k] - v,
                               below.v[k] - v, below.v[k + 2] - v };
  uint32_t      signs = (uint32_t) (east >= 0) | (uint32_t) (north >= 0) << 2 |
                   (uint32_t) (west >= 0) << 4 | (uint32_t) (south >= 0) << 6;
  uint32_t ties = 0;

#pragma unroll
  for (int c = 0; c < 4; c++)
    {
      /* isolux_lbp_diagonal() in 32 bits */
      const int32_t sum = 29289 * sides[c] + 70711 * corners[c];
      const int32_t one = c % 2 ? c == 1 ? north : south : c ? west : east;

      signs |= (uint32_t) (sum >= 0) << (2 * c + 1);
      /* two sides are as different as twice one is from both */
      if (sum == 0 && 2 * one != sides[c])
        ties |= 2u << 2 * c;
    }
  for (; ties; ties &= ties - 1)
    {
      const int i = __ffs ((int) ties) - 1;

      signs = (signs & ~(1u << i)) | lbp_tie (a, i, x + k, y) << i;
    }
  return signs;
}

/*
 * A thread draws four pixels a row of four rows: 16.8 MB read, 16.8 written at
 * 4096 x 4096, all pixels count, eight points of radius 1, rows in words.
 * tiles: of words and of ISOLUX_LBP_ROWS rows.
 */
KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_gray_u8 (const IsoluxLbpArguments a)
{
  __shared__ uint8_t shown[256];
  const bool         plain = a.plan.method == ISOLUX_PLAN_LBP_DEFAULT &&
                     a.plan.most == a.plan.maximum;

  if (! plain)
    shown[threadIdx.x] =
      isolux_shown (isolux_lbp_shown (&a.plan,
                                      isolux_lbp_code (threadIdx.x,
                                                       a.plan.points,
                                                       a.plan.method),
                                      0.0),
                    a.plan.most, a.plan.maximum, uint8_t ());
  __syncthreads ();
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      LbpRow  above, at, below;
      int64_t x, y;

      if (! isolux_item<ISOLUX_LBP_THREADS> (a.tiles, tile, &x, &y))
        continue;
      x *= 4;
      y *= ISOLUX_LBP_ROWS;
      above.load (a.source, x, y - 1);
      at.load (a.source, x, y);
      for (int row = 0; row < ISOLUX_LBP_ROWS && y < a.source.height;
           row++, y++)
        {
          uint8_t *to = (uint8_t *) isolux_row<uint8_t> (a.destination, y) + x;
          uint32_t word = 0;

          below.load (a.source, x, y + 1);
#pragma unroll
          for (int k = 0; k < 4; k++)
            if (x + k < a.source.width)
              {
                const uint32_t signs =
                  lbp_signs_of_rows (a, above, at, below, k, x, y);

                word |= (plain ? signs : shown[signs]) << 8 * k;
              }
          if (x + 4 <= a.source.width)
            *(uint32_t *) to = word;
          else
            for (int k = 0; x + k < a.source.width; k++)
              to[k] = (uint8_t) (word >> 8 * k);
          above = at;
          at = below;
        }
    }
}

/* ---- Counts ------------------------------------------------------------- */

/* Few codes are counted in shared memory, many at once in the counts. */
template <typename T>
__device__ __forceinline__ void
lbp_counts (const IsoluxLbpArguments &a)
{
  const uint32_t codes = a.plan.codes;
  const bool     shared = codes <= ISOLUX_LBP_SHARED_CODES;
  int64_t        tile = blockIdx.x;

  if (shared)
    for (uint32_t k = threadIdx.x; k < codes; k += ISOLUX_LBP_THREADS)
      isolux_shared[k] = 0;
  __syncthreads ();
  while (tile < a.tiles.total)
    {
      for (int i = 0; i < LBP_ROUNDS && tile < a.tiles.total;
           i++, tile += gridDim.x)
        {
          int64_t x, y;

          if (! isolux_item<ISOLUX_LBP_THREADS> (a.tiles, tile, &x, &y))
            continue;
          x += a.source.region_x;
          y += a.source.region_y;
          if (! isolux_pixel_counts<T> (a.source, x, y))
            continue;

          const uint32_t code = lbp_patterns<T> (a, x, y).code;

          if (shared)
            atomicAdd (&isolux_shared[code], 1u);
          else
            atomicAdd ((unsigned long long *) &a.counts[code], 1ull);
        }
      __syncthreads ();
      if (shared)
        for (uint32_t k = threadIdx.x; k < codes; k += ISOLUX_LBP_THREADS)
          {
            if (isolux_shared[k])
              atomicAdd ((unsigned long long *) &a.counts[k],
                         (unsigned long long) isolux_shared[k]);
            isolux_shared[k] = 0;
          }
      __syncthreads ();
    }
}

KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_count_u8 (const IsoluxLbpArguments a)
{
  lbp_counts<uint8_t> (a);
}

KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_count_u16 (const IsoluxLbpArguments a)
{
  lbp_counts<uint16_t> (a);
}

KERNEL (ISOLUX_LBP_THREADS)
isolux_lbp_count_f32 (const IsoluxLbpArguments a)
{
  lbp_counts<float> (a);
}
