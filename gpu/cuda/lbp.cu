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
  uint32_t middle[2], left[2], right[2];

  /* Reads the word at x of a row and those beside it; 0 outside the image.
   * Of these one byte would do, but bytes took more instructions. */
  __device__ __forceinline__ void
  load (const uint8_t *at, bool there, int x, int width)
  {
    uint32_t before = 0, after = 0, word = 0;

    if (there)
      {
        if (x > 0)
          before = __ldg ((const uint32_t *) (at - 4));
        if (x + 8 <= width)
          {
            word = __ldg ((const uint32_t *) at);
            after = __ldg ((const uint32_t *) (at + 4));
          }
        else
          for (int i = 0; x + i < width; i++)
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

/* The signs of the eight points of four pixels, a byte each.  ties: of each
 * byte bit 0 to 3, whether sample 1, 3, 5 and 7 is a tie. */
__device__ __forceinline__ uint32_t
lbp_signs_of_rows (const LbpRow &above,
                   const LbpRow &at,
                   const LbpRow &below,
                   uint32_t     *ties)
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

  /* a sum is 0 and its sides differ */
  *ties = 0;
  if (((up & ~(not_1 & not_3)) | (down & ~(not_5 & not_7))) & tops)
    *ties = (up & ~not_1 & tops) >> 7 | (up & ~not_3 & tops) >> 6 |
            (down & ~not_5 & tops) >> 5 | (down & ~not_7 & tops) >> 4;
  /* those below 0; bit i is shifted down 7 - i times */
#pragma unroll
  for (int i = 0; i < 8; i++)
    signs = signs >> 1 | (upper[i] & tops);
  return ~signs;
}

/*
 * Whether double precision puts sample i, a tie, below its pixel at x, y: the
 * diagonal has the pixel's value, v, and the sides are as far above it as
 * below; vertical: that of them which is in the row above or below.
 */
__device__ __forceinline__ bool
lbp_tie_is_below (const IsoluxLbpPlan &p,
                  int                  i,
                  int                  x,
                  int                  y,
                  double               v,
                  double               vertical)
{
  const double horizontal = 2.0 * v - vertical;
  const bool   up = i < 4, to_right = i == 1 || i == 7;
  const double here = to_right ? v : horizontal;
  const double there = to_right ? horizontal : v;
  const double far_here = to_right ? vertical : v;
  const double far_there = to_right ? v : vertical;
  const double dr = isolux_lbp_fraction (y, p.row[i], p.top[i]);
  const double dc = isolux_lbp_fraction (x, p.column[i], p.left[i]);

  return ! ((up
               ? isolux_lbp_sample (far_here, far_there, here, there, dr, dc, 0)
               : isolux_lbp_sample (here, there, far_here, far_there, dr, dc,
                                    0)) >= v);
}

/* What the threads of a block have found: signs of their words, and a list of
 * those words that have ties. */
struct LbpBlock
{
  uint32_t signs[ISOLUX_LBP_ROWS][ISOLUX_LBP_THREADS];
  uint32_t list[ISOLUX_LBP_ROWS * ISOLUX_LBP_THREADS];
  uint32_t n;
};

/* A thread's words, x pixels and y rows from the upper left corner. */
__device__ __forceinline__ void
lbp_find (const IsoluxLbpArguments &a, LbpBlock &block, int x, int y)
{
  const int      width = (int) a.source.width, height = (int) a.source.height;
  const uint8_t *from = isolux_row<uint8_t> (a.source, y) + x;
  /* no ties beyond the last pixel */
  const uint32_t pixels = x + 4 <= width ? ~0u : ~(~0u << 8 * (width - x));
  LbpRow         above, at, below;

  above.load (from - a.source.stride, y > 0, x, width);
  at.load (from, true, x, width);
#pragma unroll
  for (int row = 0; row < ISOLUX_LBP_ROWS; row++)
    {
      uint32_t ties;

      if (y + row >= height)
        break;
      from += a.source.stride;
      below.load (from, y + row + 1 < height, x, width);
      block.signs[row][threadIdx.x] =
        lbp_signs_of_rows (above, at, below, &ties);
      ties &= pixels;
      /* the thread's number and the row are in the bits between */
      if (ties)
        block.list[atomicAdd (&block.n, 1u)] = ties | (threadIdx.x & 15u) << 4 |
                                               (threadIdx.x >> 4) << 12 |
                                               (uint32_t) row << 20;
      above = at;
      at = below;
    }
}

/* Clears the signs of ties that are below; x, y: of thread 0. */
__device__ __forceinline__ void
lbp_break_ties (const IsoluxLbpArguments &a, LbpBlock &block, int x, int y)
{
  const int threads_x = 1 << a.tiles.shift;

  for (uint32_t k = threadIdx.x; k < block.n; k += ISOLUX_LBP_THREADS)
    {
      const uint32_t entry = block.list[k];
      const int thread = (int) (entry >> 4 & 15u) | (int) (entry >> 8 & 240u);
      const int row = (int) (entry >> 20 & 15u);
      const int left = 4 * (x + (thread & (threads_x - 1)));
      const int top = ISOLUX_LBP_ROWS * (y + (thread >> a.tiles.shift)) + row;
      const uint8_t *from = isolux_row<uint8_t> (a.source, top) + left;
      const bool     first = top == 0, last = top + 1 == a.source.height;
      uint32_t       below = 0;

      for (uint32_t ties = entry & 0x0f0f0f0fu; ties; ties &= ties - 1)
        {
          const int      bit = __ffs ((int) ties) - 1;
          const int      i = 2 * (bit & 7) + 1, pixel = bit >> 3;
          const uint8_t *beside = i < 4 ? from - a.source.stride
                                        : from + a.source.stride;
          const bool     outside = i < 4 ? first : last;

          below |=
            (uint32_t) lbp_tie_is_below (a.plan, i, left + pixel, top,
                                         __ldg (from + pixel),
                                         outside ? 0.0 : __ldg (beside + pixel))
            << ((bit & 24) + i);
        }
      block.signs[row][thread] &= ~below;
    }
}

/*
 * A thread draws four pixels a row of ISOLUX_LBP_ROWS rows: 16.8 MB read, 16.8
 * written at 4096 x 4096; all pixels count, eight points of radius 1, rows in
 * words.  Ties are few, and double precision is slow: the block lists and
 * shares them.  tiles: of words and of ISOLUX_LBP_ROWS rows.
 */
KERNEL_BLOCKS (ISOLUX_LBP_THREADS, 5)
isolux_lbp_gray_u8 (const IsoluxLbpArguments a)
{
  __shared__ uint8_t  shown[256];
  __shared__ LbpBlock block;
  const bool          plain = a.plan.method == ISOLUX_PLAN_LBP_DEFAULT &&
                     a.plan.most == a.plan.maximum;
  const int threads_x = 1 << a.tiles.shift;

  if (! plain)
    shown[threadIdx.x] =
      isolux_shown (isolux_lbp_shown (&a.plan,
                                      isolux_lbp_code (threadIdx.x,
                                                       a.plan.points,
                                                       a.plan.method),
                                      0.0),
                    a.plan.most, a.plan.maximum, uint8_t ());
  for (int64_t tile = blockIdx.x; tile < a.tiles.total; tile += gridDim.x)
    {
      int64_t    item_x, item_y;
      const bool there =
        isolux_item<ISOLUX_LBP_THREADS> (a.tiles, tile, &item_x, &item_y);
      const int x = 4 * (int) item_x, y = ISOLUX_LBP_ROWS * (int) item_y;

      if (threadIdx.x == 0)
        block.n = 0;
      __syncthreads ();
      if (there)
        lbp_find (a, block, x, y);
      __syncthreads ();
      lbp_break_ties (a, block,
                      (int) item_x - ((int) threadIdx.x & (threads_x - 1)),
                      (int) item_y - ((int) threadIdx.x >> a.tiles.shift));
      __syncthreads ();
      if (! there)
        continue;

      uint8_t *to = (uint8_t *) isolux_row<uint8_t> (a.destination, y) + x;

      for (int row = 0; row < ISOLUX_LBP_ROWS && y + row < a.source.height;
           row++, to += a.destination.stride)
        {
          uint32_t word = block.signs[row][threadIdx.x];

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
