/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local binary patterns: one pixel a thread. */
#include "halves.h"
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

/* 29289 / 70711 as the sum of two numbers of half precision, twice each. */
#define LBP_SIDES_HIGH 0x36a136a1u
#define LBP_SIDES_LOW 0x86868686u

/* The four pixels of a word and their neighbors in the row, as numbers of half
 * precision: of the word, to the left and to the right. */
struct LbpRow
{
  uint32_t word;
  uint32_t middle[2], left[2], right[2];

  /* Reads a word and those beside it; 0 outside the image. */
  __device__ __forceinline__ void
  load (const IsoluxPixels &p, int64_t x, int64_t y)
  {
    uint32_t before = 0, after = 0;

    word = 0;
    if (y >= 0 && y < p.height)
      {
        const uint8_t *at = isolux_row<uint8_t> (p, y) + x;

        if (x > 0)
          before = __ldg ((const uint32_t *) (at - 4));
        if (x + 8 <= p.width)
          {
            word = __ldg ((const uint32_t *) at);
            after = __ldg ((const uint32_t *) (at + 4));
          }
        else
          for (int i = 0; x + i < p.width; i++)
            {
              word |= i < 4 ? (uint32_t) at[i] << 8 * i : 0u;
              after |= i < 4 ? 0u : (uint32_t) at[i] << 8 * (i - 4);
            }
      }
    middle[0] = isolux_halves_of_bytes (word, 0x4140);
    middle[1] = isolux_halves_of_bytes (word, 0x4342);
    left[0] =
      isolux_halves_of_bytes (__funnelshift_r (before, word, 24), 0x4140);
    left[1] = right[0] = isolux_halves_of_bytes (word, 0x4241);
    right[1] =
      isolux_halves_of_bytes (__funnelshift_r (word, after, 24), 0x4140);
  }
};

/* The upper bytes of the halves of four pixels. */
__device__ __forceinline__ uint32_t
lbp_upper_bytes (const uint32_t halves[2])
{
  return __byte_perm (halves[0], halves[1], 0x7531);
}

/* The top bit of each byte: whether the byte's others are not all 0. */
__device__ __forceinline__ uint32_t
lbp_nonzero (uint32_t upper)
{
  return (upper & 0x7f7f7f7fu) + 0x7f7f7f7fu;
}

/* Differences of four pixels from four others. */
struct LbpDifference
{
  uint32_t halves[2];

  __device__ __forceinline__
  LbpDifference (const uint32_t from[2], const uint32_t of[2])
  {
    halves[0] = isolux_halves_subtract (from[0], of[0]);
    halves[1] = isolux_halves_subtract (from[1], of[1]);
  }
};

/*
 * The upper bytes of isolux_lbp_diagonal()'s sums: their sign, and whether they
 * are 0, are exact for all differences of 8 bits.
 */
__device__ __forceinline__ uint32_t
lbp_diagonal_bytes (const LbpDifference &side_1,
                    const LbpDifference &side_2,
                    const LbpDifference &diagonal)
{
  uint32_t sums[2];

#pragma unroll
  for (int i = 0; i < 2; i++)
    {
      const uint32_t sides =
        isolux_halves_add (side_1.halves[i], side_2.halves[i]);

      sums[i] = isolux_halves_fma (sides, LBP_SIDES_LOW,
                                   isolux_halves_fma (sides, LBP_SIDES_HIGH,
                                                      diagonal.halves[i]));
    }
  return lbp_upper_bytes (sums);
}

/*
 * Clears the bits of sample i of those of four pixels, ties, that double
 * precision puts below their pixel.  In a tie the diagonal is the pixel's
 * value, and the sides are as far above it as below; beside: the row that the
 * sample is in.
 */
__device__ __forceinline__ uint32_t
lbp_break_ties (const IsoluxLbpPlan &p,
                uint32_t             ties,
                int                  i,
                uint32_t             at,
                uint32_t             beside,
                int64_t              x,
                int64_t              y)
{
  uint32_t below = 0;

  for (; ties; ties &= ties - 1)
    {
      const int    k = (__ffs ((int) ties) - 1) / 8;
      const double v = at >> 8 * k & 255u, vertical = beside >> 8 * k & 255u;
      const double horizontal = 2.0 * v - vertical;
      const bool   up = i < 4, to_right = i == 1 || i == 7;
      const double here = to_right ? v : horizontal;
      const double there = to_right ? horizontal : v;
      const double far_here = to_right ? vertical : v;
      const double far_there = to_right ? v : vertical;
      const double dr = isolux_lbp_fraction (y, p.row[i], p.top[i]);
      const double dc = isolux_lbp_fraction (x + k, p.column[i], p.left[i]);
      const double sample =
        up ? isolux_lbp_sample (far_here, far_there, here, there, dr, dc, 0)
           : isolux_lbp_sample (here, there, far_here, far_there, dr, dc, 0);

      below |= (uint32_t) ! (sample >= v) << (8 * k + i);
    }
  return below;
}

/* The signs of the eight points of four pixels, a byte each. */
__device__ __forceinline__ uint32_t
lbp_signs_of_rows (const IsoluxLbpPlan &p,
                   const LbpRow        &above,
                   const LbpRow        &at,
                   const LbpRow        &below,
                   int64_t              x,
                   int64_t              y)
{
  const uint32_t      tops = 0x80808080u;
  const LbpDifference east (at.right, at.middle), west (at.left, at.middle);
  const LbpDifference north (above.middle, at.middle);
  const LbpDifference south (below.middle, at.middle);
  const LbpDifference ne (above.right, at.middle), nw (above.left, at.middle);
  const LbpDifference sw (below.left, at.middle), se (below.right, at.middle);
  const uint32_t      upper[8] = {
    lbp_upper_bytes (east.halves),  lbp_diagonal_bytes (east, north, ne),
    lbp_upper_bytes (north.halves), lbp_diagonal_bytes (north, west, nw),
    lbp_upper_bytes (west.halves),  lbp_diagonal_bytes (west, south, sw),
    lbp_upper_bytes (south.halves), lbp_diagonal_bytes (south, east, se)
  };
  const uint32_t up = lbp_nonzero (upper[2]), down = lbp_nonzero (upper[6]);
  const uint32_t not_1 = lbp_nonzero (upper[1]), not_3 = lbp_nonzero (upper[3]);
  const uint32_t not_5 = lbp_nonzero (upper[5]), not_7 = lbp_nonzero (upper[7]);
  uint32_t       signs = 0;

  /* those below 0; bit i is shifted down 7 - i times */
#pragma unroll
  for (int i = 0; i < 8; i++)
    signs = signs >> 1 | (upper[i] & tops);
  /* a sum is 0 and its sides differ */
  if (((~(not_1 & not_3) & up) | (~(not_5 & not_7) & down)) & tops)
    {
      signs |=
        lbp_break_ties (p, ~not_1 & up & tops, 1, at.word, above.word, x, y);
      signs |=
        lbp_break_ties (p, ~not_3 & up & tops, 3, at.word, above.word, x, y);
      signs |=
        lbp_break_ties (p, ~not_5 & down & tops, 5, at.word, below.word, x, y);
      signs |=
        lbp_break_ties (p, ~not_7 & down & tops, 7, at.word, below.word, x, y);
    }
  return ~signs;
}

/*
 * A thread draws four pixels a row of ISOLUX_LBP_ROWS rows: 16.8 MB read, 16.8
 * written at 4096 x 4096; all pixels count, eight points of radius 1, rows in
 * words.  tiles: of words and of ISOLUX_LBP_ROWS rows.
 */
KERNEL_BLOCKS (ISOLUX_LBP_THREADS, 4)
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
#pragma unroll
      for (int row = 0; row < ISOLUX_LBP_ROWS; row++, y++)
        {
          uint8_t *to = (uint8_t *) isolux_row<uint8_t> (a.destination, y) + x;
          uint32_t word;

          if (y >= a.source.height)
            break;
          below.load (a.source, x, y + 1);
          word = lbp_signs_of_rows (a.plan, above, at, below, x, y);
          if (! plain)
            word = (uint32_t) shown[word & 255u] |
                   (uint32_t) shown[word >> 8 & 255u] << 8 |
                   (uint32_t) shown[word >> 16 & 255u] << 16 |
                   (uint32_t) shown[word >> 24] << 24;
          if (x + 4 <= a.source.width)
            __stcs ((uint32_t *) to, word);
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
