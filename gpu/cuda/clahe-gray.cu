/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE of gray codes all of which count, in two kernels: a cluster of blocks
 * counts a tile and makes its table, then blocks map the pixels of a cell,
 * which lie between the same four middles of tiles.  Where a bin would hold
 * several codes, and below 9.0, clahe.cu makes the tables.
 */
#include "packed.h"

#define TILE_RANKS 8

/* ---- Tiles --------------------------------------------------------------- */

/* A block's part of a tile: some of its rows, and of its bins those that the
 * block turns into entries. */
struct Tile
{
  int      tile, left, top; /* pixels */
  int      rows, inside;    /* columns of the image */
  uint32_t rank, ranks;
  uint32_t bins, first; /* own ones */

  __device__ __forceinline__
  Tile (const IsoluxClaheArguments &a, int all_bins)
  {
    const IsoluxGrid &g = a.plan.grid;
    const int         height = (int) g.tile_height;
    int               each, y;

    ranks = (uint32_t) a.slices;
    rank = isolux_cluster_rank ();
    tile = (int) (blockIdx.x / ranks);
    y = tile / g.tiles_x;
    left = (tile - y * g.tiles_x) * (int) g.tile_width;
    each = (height + a.slices - 1) / a.slices;
    top = y * height + (int) rank * each;
    rows = height - (int) rank * each;
    rows = rows < 0 ? 0 : rows < each ? rows : each;
    inside = (int) g.width - left;
    inside = inside < 0                    ? 0
             : inside < (int) g.tile_width ? inside
                                           : (int) g.tile_width;
    bins = (uint32_t) all_bins / ranks;
    first = rank * bins;
  }
};

template <typename T>
__device__ __forceinline__ const T *
tile_row (const IsoluxClaheArguments &a, const Tile &t, int row)
{
  const int y =
    (int) isolux_reflect_once (t.top + row, (int) a.plan.grid.height);

  return isolux_row<T> (a.source, y) + t.left;
}

/*
 * Hands the vectors of the tile's part to add (), as many times in all lanes
 * of a warp, and then the codes beyond the image's edge to one ().
 */
template <typename T, typename Add, typename One>
__device__ __forceinline__ void
walk_tile (const IsoluxClaheArguments &a, const Tile &t, Add add, One one)
{
  typedef IsoluxVector<T> Vector;

  const uint32_t threads = blockDim.x;
  const uint32_t columns =
    (uint32_t) ((t.inside + 2 * (Vector::N - 1)) / Vector::N);
  const uint32_t total = columns * (uint32_t) t.rows;
  const uint32_t from = threadIdx.x & ~31u;
  const int      beyond = (int) a.plan.grid.tile_width - t.inside;
  uint32_t rounds = from < total ? (total - from + threads - 1) / threads : 0;
  uint32_t row = columns ? threadIdx.x / columns : 0;
  uint32_t column = threadIdx.x - row * columns;
  const uint32_t step_rows = columns ? threads / columns : 0;
  const uint32_t step_columns = threads - step_rows * columns;
  /* the pixels of the vector at row and column; its first one's number */
  auto pixels = [&] (uint32_t row, uint32_t column, int *x) {
    const T *at = tile_row<T> (a, t, (int) row);

    *x = (int) column * Vector::N -
         (int) ((uintptr_t) at % ISOLUX_VECTOR_BYTES / sizeof (T));
    return at + *x;
  };
  auto load = [&] () {
    Vector v;

    v.words = make_uint4 (0, 0, 0, 0);
    v.inside = 0;
    if (row < (uint32_t) t.rows)
      {
        int      x;
        const T *at = pixels (row, column, &x);

        v.inside = x >= 0 && x + Vector::N <= t.inside ? Vector::ALL
                                                       : Vector::LATER;
        if (v.inside == Vector::ALL)
          v.words = __ldg ((const uint4 *) at);
      }
    v.index = row * columns + column;
    v.counts = v.inside;
    row += step_rows;
    column += step_columns;
    if (column >= columns)
      {
        column -= columns;
        row++;
      }
    return v;
  };
  /* two on their way: a block has the processor for itself */
  Vector next = load (), later = load ();

  __syncthreads ();
  for (; rounds > 0; rounds--)
    {
      Vector v = next;

      next = later;
      later = load ();
      if (v.inside == Vector::LATER)
        {
          int      x;
          const T *at = pixels (v.index / columns, v.index % columns, &x);

          v.inside = v.counts = isolux_inside<Vector::N> (x, t.inside);
          v.load_some (at);
        }
      add (v);
    }
  if (beyond > 0)
    for (int i = (int) threadIdx.x; i < beyond * t.rows; i += (int) threads)
      {
        const int r = i / beyond;
        const int x =
          (int) isolux_reflect_once (t.left + t.inside + (i - r * beyond),
                                     (int) a.plan.grid.width);

        one ((uint32_t) tile_row<T> (a, t, r)[x - t.left]);
      }
}

/* The i-th four of this block's bins, of the counters of all blocks. */
__device__ __forceinline__ uint4
sum_of_ranks (const Tile &t, const uint32_t *counters, uint32_t i)
{
  uint4 sum = make_uint4 (0, 0, 0, 0);

  for (uint32_t r = 0; r < t.ranks; r++)
    {
      const uint4 n = isolux_cluster_load_4 (counters + t.first + 4 * i, r);

      sum = make_uint4 (sum.x + n.x, sum.y + n.y, sum.z + n.z, sum.w + n.w);
    }
  return sum;
}

/* What the blocks of a cluster tell each other: of the bins of each, what the
 * limit leaves, in two words. */
struct TileShares
{
  uint32_t kept[TILE_RANKS][2];
  uint64_t warps[32];
  uint32_t occur[8];    /* u8: a bit a code, whether it occurs */
  uint32_t least, most; /* codes of this block */
};

__device__ __forceinline__ int
shift_of (int bins)
{
  return 31 - __clz (bins);
}

/* What the limit leaves of all bins gives the terms of a tile's table. */
__device__ __forceinline__ IsoluxTileTerms
terms_of (const IsoluxClaheArguments &a, int shift, uint64_t kept)
{
  return isolux_tile_terms_of (a.plan.whole,
                               (uint64_t) a.plan.grid.tile_width *
                                 (uint64_t) a.plan.grid.tile_height,
                               a.limits[shift], kept, shift, a.scale);
}

/* Four bins one after the other. */
struct Quad
{
  uint32_t n[4];

  __device__ __forceinline__
  Quad (const uint32_t *sums, int i)
  {
    const uint4 v = ((const uint4 *) sums)[i];

    n[0] = v.x;
    n[1] = v.y;
    n[2] = v.z;
    n[3] = v.w;
  }
};

__device__ __forceinline__ uint64_t
kept_of (const Quad &q, int whole, uint64_t limit)
{
  uint64_t kept = 0;

#pragma unroll
  for (int i = 0; i < 4; i++)
    kept += isolux_tile_kept (whole, q.n[i], limit);
  return kept;
}

/* One entry of cv2's way, in single precision and 32 bits: the rules'
 * isolux_tile_sum() and isolux_tile_code(). */
struct WholeTerms
{
  uint32_t even, residual;
  float    scale, per_step;
  uint32_t maximum;

  __device__ __forceinline__
  WholeTerms (const IsoluxTileTerms &t, uint32_t maximum)
      : even ((uint32_t) t.even), residual (t.residual),
        scale ((float) t.scale), per_step (1.0f / (float) t.step),
        maximum (maximum)
  {
  }

  __device__ __forceinline__ uint32_t
  code (uint32_t kept, uint32_t bin) const
  {
    /* bin / step: half a step is far more than the rounding of 65,536 */
    uint32_t more = (uint32_t) (((float) bin + 0.5f) * per_step) + 1;
    float    v;

    more = more < residual ? more : residual;
    v = rintf ((float) (kept + even * (bin + 1) + more) * scale);
    return v > (float) maximum ? maximum : (uint32_t) v;
  }
};

/*
 * The entries of this block's bins, from the counts of the whole tile in them,
 * sums.  The blocks of the cluster wait for each other in between; then nobody
 * looks at another's shared memory any more, since it may be gone.  The least
 * and the largest code: of the counts, or, MEASURED, in shares.
 */
template <bool MEASURED>
__device__ __forceinline__ void
finish_tile (const IsoluxClaheArguments &a,
             const Tile                 &t,
             int                         bins,
             TileShares                 &shares,
             const uint32_t             *sums)
{
  const uint32_t maximum = 65535u;
  const int      lane = (int) threadIdx.x & 31, warp = (int) threadIdx.x >> 5;
  const int      warps = (int) blockDim.x >> 5;
  const int      quads = (int) t.bins / 4;
  const int      each = (quads + warps * 32 - 1) / (warps * 32) * 32;
  const int      begin = warp * each < quads ? warp * each : quads;
  const int      end = begin + each < quads ? begin + each : quads;
  const int      whole = a.plan.whole;
  const int      shift = shift_of (bins);
  const uint64_t limit = a.limits[shift];
  uint16_t      *entries = (uint16_t *) a.entries +
                      (size_t) t.tile * (size_t) a.plan.most_bins + t.first;
  uint64_t own = 0, kept = 0, before = 0;
  uint32_t least = UINT32_MAX, most = 0;

  for (int i = begin + lane; i < end; i += 32)
    {
      const Quad q (sums, i);

      own += kept_of (q, whole, limit);
#pragma unroll
      for (int k = 0; k < 4; k++)
        if (q.n[k])
          {
            const uint32_t bin = t.first + (uint32_t) (4 * i + k);

            least = bin < least ? bin : least;
            most = bin;
          }
    }
  own = isolux_warp_sum (own);
  if (lane == 0)
    shares.warps[warp] = own;
  if (MEASURED && ! a.plan.opencv && threadIdx.x == 0 &&
      shares.least <= shares.most)
    {
      atomicMax ((unsigned long long *) &a.zeros->least[0],
                 ~(unsigned long long) shares.least);
      atomicMax ((unsigned long long *) &a.zeros->most[0],
                 (unsigned long long) shares.most);
    }
  if (! MEASURED && ! a.plan.opencv && begin < end)
    {
      least = isolux_warp_least (least);
      most = isolux_warp_most (most);
      if (lane == 0 && least <= most)
        {
          atomicMax ((unsigned long long *) &a.zeros->least[0],
                     ~(unsigned long long) least);
          atomicMax ((unsigned long long *) &a.zeros->most[0],
                     (unsigned long long) most);
        }
    }
  __syncthreads ();
  if (warp == 0)
    {
      own = isolux_warp_sum (lane < warps ? shares.warps[lane] : 0);
      if (lane < (int) t.ranks)
        {
          isolux_cluster_store (&shares.kept[t.rank][0], (uint32_t) lane,
                                (uint32_t) own);
          isolux_cluster_store (&shares.kept[t.rank][1], (uint32_t) lane,
                                (uint32_t) (own >> 32));
        }
    }
  isolux_cluster_arrive ();
  isolux_cluster_wait ();
  if (begin >= end)
    return;
  for (uint32_t r = 0; r < t.ranks; r++)
    {
      if (r == t.rank)
        before = kept;
      kept += (uint64_t) shares.kept[r][1] << 32 | shares.kept[r][0];
    }
  for (int w = 0; w < warp; w++)
    before += shares.warps[w];

  const IsoluxTileTerms terms = terms_of (a, shift, kept);
  const WholeTerms      fast (terms, maximum);

  for (int k = begin; k < end; k += 32)
    {
      const int  i = k + lane;
      const Quad q (sums, i < end ? i : begin);
      uint32_t   codes[4];
      uint64_t   sum;

      sum = own = i < end ? kept_of (q, whole, limit) : 0;
      for (int step = 1; step < 32; step <<= 1)
        {
          const uint64_t other = __shfl_up_sync (0xffffffffu, sum, step);

          if (lane >= step)
            sum += other;
        }
      sum += before;
      before = __shfl_sync (0xffffffffu, sum, 31);
      sum -= own;
      if (i >= end)
        continue;
#pragma unroll
      for (int n = 0; n < 4; n++)
        {
          const uint32_t bin = t.first + (uint32_t) (4 * i + n);

          sum += isolux_tile_kept (whole, q.n[n], limit);
          codes[n] =
            whole ? fast.code ((uint32_t) sum, bin)
                  : isolux_tile_code (&terms,
                                      isolux_tile_sum (&terms, sum, (int) bin),
                                      maximum);
        }
      *(uint2 *) (entries + 4 * i) =
        make_uint2 (codes[0] | codes[1] << 16, codes[2] | codes[3] << 16);
    }
}

/*
 * The entries of 8 bits from the counts of the whole tile, a bin a thread of
 * the first 256: each block knows them all, and the warps share the writing
 * out among the blocks.
 */
__device__ __forceinline__ void
finish_tile_u8 (const IsoluxClaheArguments &a,
                const Tile                 &t,
                TileShares                 &shares,
                uint32_t                    count)
{
  const uint32_t lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int      whole = a.plan.whole;
  const uint64_t own = isolux_tile_kept (whole, count, a.limits[8]);
  const uint32_t occur = __ballot_sync (0xffffffffu, count != 0);
  uint64_t       sum = own, kept = 0;

  for (int step = 1; step < 32; step <<= 1)
    {
      const uint64_t other = __shfl_up_sync (0xffffffffu, sum, step);

      if (lane >= (uint32_t) step)
        sum += other;
    }
  if (warp < 8 && lane == 31)
    {
      shares.warps[warp] = sum;
      shares.occur[warp] = occur;
    }
  __syncthreads ();
  if (warp >= 8)
    return;
  if (! a.plan.opencv && t.rank == 0 && threadIdx.x == 0)
    {
      uint32_t least = 256, most = 0;

      for (uint32_t w = 0; w < 8; w++)
        if (shares.occur[w])
          {
            most = 32 * w + 31 - (uint32_t) __clz (shares.occur[w]);
            if (least == 256)
              least = 32 * w + (uint32_t) __ffs (shares.occur[w]) - 1;
          }
      atomicMax ((unsigned long long *) &a.zeros->least[0],
                 ~(unsigned long long) least);
      atomicMax ((unsigned long long *) &a.zeros->most[0],
                 (unsigned long long) most);
    }
  if (warp % t.ranks != t.rank)
    return;
  for (uint32_t w = 0; w < 8; w++)
    {
      if (w < warp)
        sum += shares.warps[w];
      kept += shares.warps[w];
    }

  const IsoluxTileTerms terms = terms_of (a, 8, kept);

  ((uint8_t *) a.entries)[(size_t) t.tile * 256 + threadIdx.x] =
    (uint8_t) (whole
                 ? WholeTerms (terms, 255u).code ((uint32_t) sum, threadIdx.x)
                 : isolux_tile_code (&terms,
                                     isolux_tile_sum (&terms, sum,
                                                      (int) threadIdx.x),
                                     255u));
}

/* Reads the image once.  32 copies of the counters, one a lane. */
KERNEL_BLOCKS (ISOLUX_TILE_THREADS, 1)
isolux_clahe_tiles_u8 (const IsoluxClaheArguments a)
{
  __shared__ __align__ (16) uint32_t counters[256 * 32];
  __shared__ uint32_t                sums[256];
  __shared__ TileShares              shares;
  const Tile                         t (a, 256);
  uint32_t                          *own = counters + (threadIdx.x & 31);
  const int bin = (int) threadIdx.x >> 2, part = (int) threadIdx.x & 3;
  uint32_t  sum = 0;

  isolux_let_next_start ();
  for (int i = threadIdx.x; i < 256 * 32 / 4; i += ISOLUX_TILE_THREADS)
    ((uint4 *) counters)[i] = make_uint4 (0, 0, 0, 0);
  isolux_clear (a.clear);
  walk_tile<uint8_t> (
    a, t,
    [&] (const IsoluxVector<uint8_t> &v) {
      const uint32_t w[4] = { v.words.x, v.words.y, v.words.z, v.words.w };
      uint8_t       *at = (uint8_t *) own;

      if (v.counts == v.ALL)
#pragma unroll
        for (int i = 0; i < 4; i++)
          {
            atomicAdd ((uint32_t *) (at + (w[i] << 7 & 0x7f80u)), 1u);
            atomicAdd ((uint32_t *) (at + (w[i] >> 1 & 0x7f80u)), 1u);
            atomicAdd ((uint32_t *) (at + (w[i] >> 9 & 0x7f80u)), 1u);
            atomicAdd ((uint32_t *) (at + (w[i] >> 17 & 0x7f80u)), 1u);
          }
      else if (v.counts)
#pragma unroll
        for (int i = 0; i < v.N; i++)
          if (v.counts >> i & 1)
            atomicAdd (&own[v.code (i) * 32], 1u);
    },
    [&] (uint32_t code) { atomicAdd (&own[code * 32], 1u); });
  __syncthreads ();
#pragma unroll
  for (int i = 0; i < 8; i++)
    sum += counters[bin * 32 + part * 8 + ((i + bin) & 7)];
  sum += __shfl_xor_sync (0xffffffffu, sum, 1);
  sum += __shfl_xor_sync (0xffffffffu, sum, 2);
  if (part == 0)
    sums[bin] = sum;
  isolux_cluster_arrive ();
  isolux_cluster_wait ();
  sum = 0;
  if (threadIdx.x < 256)
#pragma unroll
    for (uint32_t r = 0; r < TILE_RANKS; r++)
      if (r < t.ranks)
        sum += isolux_cluster_load (sums + threadIdx.x, r);
  isolux_cluster_arrive ();
  finish_tile_u8 (a, t, shares, sum);
  isolux_cluster_wait ();
}

/*
 * Reads the image once.  Up to 16,384 bins, a word each; how many there are and
 * how many codes one holds may follow from what was measured.
 */
KERNEL_BLOCKS (ISOLUX_TILE_THREADS, 1)
isolux_clahe_tiles_u16 (const IsoluxClaheArguments a)
{
  __shared__ TileShares shares;

  isolux_let_next_start ();
  isolux_wait_for_previous ();

  const ClaheRange range (a, 0);
  const Tile       t (a, range.bins);
  const uint32_t   last = ((1u << range.bits) - 1u) * 0x10001u;
  const uint32_t   part = (0xffffu >> range.shift) * 0x10001u;
  uint32_t        *sums = isolux_shared + range.bins;
  /* pairs of codes, as they are */
  uint32_t low = 0xffffffffu, high = 0;

  if (threadIdx.x == 0)
    {
      shares.least = UINT32_MAX;
      shares.most = 0;
    }
  for (int i = threadIdx.x; i < range.bins / 4; i += ISOLUX_TILE_THREADS)
    ((uint4 *) isolux_shared)[i] = make_uint4 (0, 0, 0, 0);
  isolux_clear (a.clear);
  walk_tile<uint16_t> (
    a, t,
    [&] (const IsoluxVector<uint16_t> &v) {
      const uint32_t w[4] = { __vminu2 (v.words.x, last) >> range.shift & part,
                              __vminu2 (v.words.y, last) >> range.shift & part,
                              __vminu2 (v.words.z, last) >> range.shift & part,
                              __vminu2 (v.words.w, last) >> range.shift &
                                part };

      if (v.counts == v.ALL)
        {
          low = __vminu2 (__vminu2 (low, __vminu2 (v.words.x, v.words.y)),
                          __vminu2 (v.words.z, v.words.w));
          high = __vmaxu2 (__vmaxu2 (high, __vmaxu2 (v.words.x, v.words.y)),
                           __vmaxu2 (v.words.z, v.words.w));
#pragma unroll
          for (int i = 0; i < 4; i++)
            {
              atomicAdd (&isolux_shared[w[i] & 0xffffu], 1u);
              atomicAdd (&isolux_shared[w[i] >> 16], 1u);
            }
        }
      else if (v.counts)
#pragma unroll
        for (int i = 0; i < v.N; i++)
          if (v.counts >> i & 1)
            {
              low = __vminu2 (low, v.code (i) * 0x10001u);
              high = __vmaxu2 (high, v.code (i) * 0x10001u);
              atomicAdd (&isolux_shared[w[i / 2] >> i % 2 * 16 & 0xffffu], 1u);
            }
    },
    [&] (uint32_t code) {
      const uint32_t most = (1u << range.bits) - 1u;

      atomicAdd (&isolux_shared[(code < most ? code : most) >> range.shift],
                 1u);
    });
  low = low >> 16 < (low & 0xffffu) ? low >> 16 : low & 0xffffu;
  high = high >> 16 > (high & 0xffffu) ? high >> 16 : high & 0xffffu;
  low = isolux_warp_least (low);
  high = isolux_warp_most (high);
  if ((threadIdx.x & 31) == 0 && low <= high)
    {
      atomicMin (&shares.least, low);
      atomicMax (&shares.most, high);
    }
  isolux_cluster_arrive ();
  isolux_cluster_wait ();
  for (uint32_t i = threadIdx.x; i < t.bins / 4; i += ISOLUX_TILE_THREADS)
    ((uint4 *) sums)[i] = sum_of_ranks (t, isolux_shared, i);
  __syncthreads ();
  finish_tile<true> (a, t, range.bins, shares, sums);
}

/* What counters of a tile that go past their ends lose, as a list: the bin
 * in the upper half of a word, how many in the lower one. */
struct TileOverflow
{
  uint32_t *words, *n;

  __device__ __forceinline__ void
  operator() (uint32_t bin, int64_t lost) const
  {
    words[atomicAdd (n, 1u)] = bin << 16 | ((uint32_t) lost & 0xffffu);
  }
};

/*
 * Reads the image once.  65,536 bins in 64 KB, counters of 8 bits; a list of
 * what they lose; then the sums of this block's bins.
 */
KERNEL_BLOCKS (ISOLUX_TILE_THREADS, 1)
isolux_clahe_tiles_u16_8 (const IsoluxClaheArguments a)
{
  constexpr int         WORDS = ISOLUX_BINS / 4;
  __shared__ TileShares shares;
  __shared__ uint32_t   lost;
  const Tile            t (a, ISOLUX_BINS);
  uint32_t             *sums = isolux_shared + WORDS;
  const TileOverflow    overflow = { sums + t.bins, &lost };
  Crowd                 crowd = { { 0, 0 }, { 0, 0 } };

  isolux_let_next_start ();
  if (threadIdx.x == 0)
    lost = 0;
  for (int i = threadIdx.x; i < WORDS / 4; i += ISOLUX_TILE_THREADS)
    ((uint4 *) isolux_shared)[i] = make_uint4 (0, 0, 0, 0);
  isolux_clear (a.clear);
  walk_tile<uint16_t> (
    a, t,
    [&] (IsoluxVector<uint16_t> &v) { add_codes<8> (overflow, crowd, v); },
    [&] (uint32_t code) {
      PackedCounters<8>::add (isolux_shared, code, overflow);
    });
  leave_crowd (overflow, crowd);
  isolux_cluster_arrive ();
  isolux_cluster_wait ();
  for (uint32_t i = threadIdx.x; i < t.bins / 4; i += ISOLUX_TILE_THREADS)
    {
      uint4 sum = make_uint4 (0, 0, 0, 0);

      for (uint32_t r = 0; r < t.ranks; r++)
        {
          const uint32_t w =
            isolux_cluster_load (isolux_shared + t.first / 4 + i, r);

          sum = make_uint4 (sum.x + (w & 255u), sum.y + (w >> 8 & 255u),
                            sum.z + (w >> 16 & 255u), sum.w + (w >> 24));
        }
      ((uint4 *) sums)[i] = sum;
    }
  __syncthreads ();
  for (uint32_t r = 0; r < t.ranks; r++)
    {
      const uint32_t n = isolux_cluster_load (&lost, r);

      for (uint32_t i = threadIdx.x; i < n; i += ISOLUX_TILE_THREADS)
        {
          const uint32_t w = isolux_cluster_load (overflow.words + i, r);
          const uint32_t bin = (w >> 16) - t.first;

          if (bin < t.bins)
            atomicAdd (&sums[bin], (uint32_t) (int32_t) (int16_t) w);
        }
    }
  __syncthreads ();
  finish_tile<false> (a, t, ISOLUX_BINS, shares, sums);
}

/* ---- What has to be found out -------------------------------------------- */

/* The least and the largest code.  Reads the image once. */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 2)
isolux_clahe_range_u16 (const IsoluxClaheArguments a)
{
  __shared__ uint32_t           room[2];
  IsoluxWalker<uint16_t, false> at (a.source, a.walk,
                                    blockIdx.x * ISOLUX_COUNT_THREADS +
                                      threadIdx.x);
  uint32_t                      low = 0xffffffffu, high = 0;
  const IsoluxClear             seen = { a.seen, ISOLUX_BINS / 8 };

  isolux_let_next_start ();
  isolux_clear (a.clear);
  isolux_clear (seen);
  if (threadIdx.x == 0)
    {
      room[0] = UINT32_MAX;
      room[1] = 0;
    }
  __syncthreads ();
  for (; at.there (); at.advance ())
    {
      IsoluxVector<uint16_t> v = at.load ();

      at.complete (v);
      if (v.counts == v.ALL)
        {
          low = __vminu2 (__vminu2 (low, __vminu2 (v.words.x, v.words.y)),
                          __vminu2 (v.words.z, v.words.w));
          high = __vmaxu2 (__vmaxu2 (high, __vmaxu2 (v.words.x, v.words.y)),
                           __vmaxu2 (v.words.z, v.words.w));
        }
      else
        for (int i = 0; i < v.N; i++)
          if (v.counts >> i & 1)
            {
              low = __vminu2 (low, v.code (i) * 0x10001u);
              high = __vmaxu2 (high, v.code (i) * 0x10001u);
            }
    }
  low = low >> 16 < (low & 0xffffu) ? low >> 16 : low & 0xffffu;
  high = high >> 16 > (high & 0xffffu) ? high >> 16 : high & 0xffffu;
  low = isolux_warp_least (low);
  high = isolux_warp_most (high);
  if ((threadIdx.x & 31) == 0 && low <= high)
    {
      atomicMin (&room[0], low);
      atomicMax (&room[1], high);
    }
  __syncthreads ();
  if (threadIdx.x == 0 && room[0] <= room[1])
    {
      atomicMax ((unsigned long long *) &a.zeros->least[0],
                 ~(unsigned long long) room[0]);
      atomicMax ((unsigned long long *) &a.zeros->most[0],
                 (unsigned long long) room[1]);
    }
}

/* Where a bin holds several codes: a bit for each code that occurs.  Reads the
 * image once. */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 2)
isolux_clahe_seen_u16 (const IsoluxClaheArguments a)
{
  __shared__ uint32_t           seen[ISOLUX_BINS / 32];
  IsoluxWalker<uint16_t, false> at (a.source, a.walk,
                                    blockIdx.x * ISOLUX_COUNT_THREADS +
                                      threadIdx.x);

  for (int i = threadIdx.x; i < ISOLUX_BINS / 32; i += ISOLUX_COUNT_THREADS)
    seen[i] = 0;
  isolux_wait_for_previous ();
  if (ClaheRange (a, 0).shift == 0)
    return;
  __syncthreads ();
  for (; at.there (); at.advance ())
    {
      IsoluxVector<uint16_t> v = at.load ();

      at.complete (v);
#pragma unroll
      for (int i = 0; i < v.N; i++)
        {
          const uint32_t code = v.code (i), bit = 1u << (code & 31);

          /* most have been seen before */
          if ((v.counts >> i & 1) && ! (seen[code >> 5] & bit))
            atomicOr (&seen[code >> 5], bit);
        }
    }
  __syncthreads ();
  for (int i = threadIdx.x; i < ISOLUX_BINS / 32; i += ISOLUX_COUNT_THREADS)
    if (seen[i])
      atomicOr (&a.seen[i], seen[i]);
}

/* ---- Cells --------------------------------------------------------------- */

/*
 * A block's part of a cell: bands of its rows, those of the first and the last
 * row of cells half as many, since these cells are half as high.  Cells of half
 * a width come last, so that the rest of them ends together.
 */
struct Cell
{
  int x, y; /* of the cell, 0 .. tiles */
  int x0, x1, y0, y1;

  /* edges: 4 numbers in shared memory; all threads must come. */
  __device__ __forceinline__
  Cell (const IsoluxClaheArguments &a, int *edges)
  {
    const IsoluxGrid &g = a.plan.grid;
    const int         bands = a.slices, few = (bands + 1) / 2;
    const int         high = bands * (g.tiles_y - 1);
    const int         slots = high + 2 * few;
    const int         wide = (g.tiles_x - 1) * slots;
    int               slot = (int) blockIdx.x, part, parts = bands, each;

    if (slot < wide)
      {
        x = 1 + slot % (g.tiles_x - 1);
        slot /= g.tiles_x - 1;
      }
    else
      {
        x = (slot - wide) & 1 ? g.tiles_x : 0;
        slot = (slot - wide) >> 1;
      }
    if (slot < high)
      {
        y = 1 + slot / bands;
        part = slot % bands;
      }
    else
      {
        parts = few;
        y = slot - high < few ? 0 : g.tiles_y;
        part = (slot - high) % few;
      }
    if (threadIdx.x < 2)
      edges[threadIdx.x] = (int) isolux_cell_begin (x + (int) threadIdx.x,
                                                    g.tiles_x, g.inverse_x,
                                                    g.tile_width, g.width);
    else if (threadIdx.x < 4)
      edges[threadIdx.x] = (int) isolux_cell_begin (y + (int) threadIdx.x - 2,
                                                    g.tiles_y, g.inverse_y,
                                                    g.tile_height, g.height);
    __syncthreads ();
    x0 = edges[0];
    x1 = edges[1];
    each = (edges[3] - edges[2] + parts - 1) / parts;
    y0 = edges[2] + part * each;
    y1 = y0 + each < edges[3] ? y0 + each : edges[3];
  }

  /* The tables of the four tiles around. */
  template <typename T>
  __device__ __forceinline__ void
  tables (const IsoluxClaheArguments &a, const T **of) const
  {
    const IsoluxGrid   &g = a.plan.grid;
    const IsoluxBetween bx = isolux_between (0.0f, x - 1, g.tiles_x);
    const IsoluxBetween by = isolux_between (0.0f, y - 1, g.tiles_y);
    const T            *entries = (const T *) a.entries;
    const size_t        bins = (size_t) a.plan.most_bins;
    const size_t        first = (size_t) by.before * (size_t) g.tiles_x;
    const size_t        second = (size_t) by.behind * (size_t) g.tiles_x;

    of[0] = entries + (first + (size_t) bx.before) * bins;
    of[1] = entries + (first + (size_t) bx.behind) * bins;
    of[2] = entries + (second + (size_t) bx.before) * bins;
    of[3] = entries + (second + (size_t) bx.behind) * bins;
  }
};

/* The weights of a column, and what makes of a number whose bits lie behind
 * those of 2^23 its product with one, rounded once: (2^23 + v) * w - 2^23 * w.
 */
struct ColumnWeight
{
  float behind, before, less_behind, less_before;

  __device__ __forceinline__ void
  set (float weight)
  {
    behind = weight;
    before = 1.0f - weight;
    less_behind = behind * -8388608.0f;
    less_before = before * -8388608.0f;
  }
};

/* isolux_blend() and isolux_blend_code() of four numbers as above; the code is
 * in the lower half of what it returns. */
__device__ __forceinline__ uint32_t
blend_bits (uint32_t            a,
            uint32_t            b,
            uint32_t            c,
            uint32_t            d,
            const ColumnWeight &w,
            float               y1,
            float               y)
{
  const float top = __fmaf_rn (__uint_as_float (a), w.before, w.less_before) +
                    __fmaf_rn (__uint_as_float (b), w.behind, w.less_behind);
  const float bottom =
    __fmaf_rn (__uint_as_float (c), w.before, w.less_before) +
    __fmaf_rn (__uint_as_float (d), w.behind, w.less_behind);

  return __float_as_uint ((top * y1 + bottom * y) + 12582912.0f);
}

#define BITS_OF_2_23 0x4b000000u

/* A group of N pixels in 8 bytes aligned in memory, some of which are no
 * pixels of the cell. */
template <typename T, int N>
struct Group
{
  int x, x0, x1;

  __device__ __forceinline__ bool
  has (int i) const
  {
    return x + i >= x0 && x + i < x1;
  }

  __device__ __forceinline__ uint2
  load (const T *at) const
  {
    uint32_t w[2] = { 0, 0 };

    for (int i = 0; i < N; i++)
      if (has (i))
        w[i * (int) sizeof (T) / 4] |= (uint32_t) at[i]
                                       << i * (int) sizeof (T) % 4 * 8;
    return make_uint2 (w[0], w[1]);
  }

  __device__ __forceinline__ void
  store (T *to, uint2 words) const
  {
    for (int i = 0; i < N; i++)
      if (has (i))
        to[i] = (T) ((i * (int) sizeof (T) < 4 ? words.x : words.y) >>
                     i * (int) sizeof (T) % 4 * 8);
  }
};

/*
 * Walks over the pixels of a cell in groups of N that lie in 8 bytes aligned in
 * memory, a thread the same columns all the time: map (words, old, columns, y1,
 * y) turns a group's two words into those of the result; again: old is what
 * the result was.
 */
template <typename T, int N, typename Map>
__device__ __forceinline__ void
map_cell (const IsoluxClaheArguments &a, const Cell &cell, bool again, Map map)
{
  const int threads = (int) blockDim.x;
  const int first = cell.x0 / N, groups = (cell.x1 + N - 1) / N - first;
  const int across = groups < threads ? groups : threads;
  const int down = threads / across;
  const int row = (int) threadIdx.x / across;
  const int begin = cell.y0 + row;
  const int before = cell.y - 1; /* the whole part of a row's place */
  uint32_t  step_in = (uint32_t) a.source.stride * (uint32_t) down;
  uint32_t  step_out = (uint32_t) a.destination.stride * (uint32_t) down;

  /* not to be calculated again for each row */
  asm volatile ("" : "+r"(step_in), "+r"(step_out));

  if (row >= down || begin >= cell.y1)
    return;
  for (int group = (int) threadIdx.x - row * across; group < groups;
       group += across)
    {
      const Group<T, N> g = { (first + group) * N, cell.x0, cell.x1 };
      const T          *from = isolux_row<T> (a.source, begin) + g.x;
      T                *to = (T *) isolux_row<T> (a.destination, begin) + g.x;
      ColumnWeight      columns[N];

#pragma unroll
      for (int i = 0; i < N; i++)
        columns[i].set (isolux_place (g.x + i, a.plan.grid.inverse_x) -
                        (float) (cell.x - 1));
      if (g.has (0) && g.has (N - 1))
        {
          uint2 next = *(const uint2 *) from;

          for (int y = begin; y < cell.y1; y += down)
            {
              const uint2 words = next;
              const float weight = isolux_place (y, a.plan.grid.inverse_y) -
                                   (float) before;
              const uint2 old = again ? *(const uint2 *) to : make_uint2 (0, 0);

              from = (const T *) ((const uint8_t *) from + step_in);
              if (y + down < cell.y1)
                next = *(const uint2 *) from;
              __stcs ((uint2 *) to,
                      map (words, old, columns, 1.0f - weight, weight));
              to = (T *) ((uint8_t *) to + step_out);
            }
        }
      else
        for (int y = begin; y < cell.y1; y += down)
          {
            const float weight = isolux_place (y, a.plan.grid.inverse_y) -
                                 (float) before;

            g.store (to, map (g.load (from),
                              again ? g.load (to) : make_uint2 (0, 0), columns,
                              1.0f - weight, weight));
            from = (const T *) ((const uint8_t *) from + step_in);
            to = (T *) ((uint8_t *) to + step_out);
          }
    }
}

__device__ __forceinline__ bool
is_identity (const IsoluxClaheArguments &a)
{
  const uint64_t least = ~a.zeros->least[0], most = a.zeros->most[0];
  const bool     identity = ! a.plan.opencv && least >= most;

  if (a.mail && blockIdx.x == 0 && threadIdx.x == 0)
    a.mail[0] = identity;
  return identity;
}

/* Reads and writes the image once.  One word a code holds the entries of the
 * four tiles. */
KERNEL_BLOCKS (ISOLUX_MAP_THREADS, 4)
isolux_clahe_map_u8 (const IsoluxClaheArguments a)
{
  __shared__ uint32_t table[256];
  __shared__ int      edges[4];
  const Cell          cell (a, edges);
  const uint8_t      *of[4];

  const uint32_t place = isolux_shared_place (table);
  bool           identity;

  cell.tables (a, of);
  isolux_wait_for_previous ();
  identity = is_identity (a);
  for (uint32_t i = threadIdx.x; i < 256; i += ISOLUX_MAP_THREADS)
    table[i] = identity ? i * 0x01010101u
                        : (uint32_t) __ldcg (of[0] + i) |
                            (uint32_t) __ldcg (of[1] + i) << 8 |
                            (uint32_t) __ldcg (of[2] + i) << 16 |
                            (uint32_t) __ldcg (of[3] + i) << 24;
  __syncthreads ();
  map_cell<uint8_t,
           8> (a, cell, false,
               [&] (uint2 words, uint2, const ColumnWeight *columns, float y1,
                    float y) {
                 uint32_t codes[8];

#pragma unroll
                 for (int i = 0; i < 8; i++)
                   {
                     /* 4 times a byte by one instruction */
                     const uint32_t at = __dp4a (i < 4 ? words.x : words.y,
                                                 4u << i % 4 * 8, place);
                     const uint32_t e = isolux_shared_word (at);

                     codes[i] =
                       blend_bits (__byte_perm (e, BITS_OF_2_23, 0x7440),
                                   __byte_perm (e, BITS_OF_2_23, 0x7441),
                                   __byte_perm (e, BITS_OF_2_23, 0x7442),
                                   __byte_perm (e, BITS_OF_2_23, 0x7443),
                                   columns[i], y1, y);
                   }
                 return make_uint2 (__byte_perm (__byte_perm (codes[0],
                                                              codes[1], 0x0040),
                                                 __byte_perm (codes[2],
                                                              codes[3], 0x0040),
                                                 0x5410),
                                    __byte_perm (__byte_perm (codes[4],
                                                              codes[5], 0x0040),
                                                 __byte_perm (codes[6],
                                                              codes[7], 0x0040),
                                                 0x5410));
               });
}

/* Puts the entries of n codes from first on of the four tiles side by side,
 * 8 bytes a code; both multiples of 8. */
__device__ __forceinline__ void
fetch_tables (const uint16_t *const *of, uint32_t first, uint32_t n)
{
  for (uint32_t i = threadIdx.x; i < n / 8; i += blockDim.x)
    {
      const uint4    a = __ldcg ((const uint4 *) (of[0] + first) + i);
      const uint4    b = __ldcg ((const uint4 *) (of[1] + first) + i);
      const uint4    c = __ldcg ((const uint4 *) (of[2] + first) + i);
      const uint4    d = __ldcg ((const uint4 *) (of[3] + first) + i);
      const uint32_t wa[4] = { a.x, a.y, a.z, a.w };
      const uint32_t wb[4] = { b.x, b.y, b.z, b.w };
      const uint32_t wc[4] = { c.x, c.y, c.z, c.w };
      const uint32_t wd[4] = { d.x, d.y, d.z, d.w };

#pragma unroll
      for (int k = 0; k < 4; k++)
        ((uint4 *) isolux_shared)[4 * i + k] =
          make_uint4 (__byte_perm (wa[k], wb[k], 0x5410),
                      __byte_perm (wc[k], wd[k], 0x5410),
                      __byte_perm (wa[k], wb[k], 0x7632),
                      __byte_perm (wc[k], wd[k], 0x7632));
    }
}

__device__ __forceinline__ uint32_t
blend_entries (uint2 e, const ColumnWeight &w, float y1, float y)
{
  return blend_bits (__byte_perm (e.x, BITS_OF_2_23, 0x7410),
                     __byte_perm (e.x, BITS_OF_2_23, 0x7432),
                     __byte_perm (e.y, BITS_OF_2_23, 0x7410),
                     __byte_perm (e.y, BITS_OF_2_23, 0x7432), w, y1, y);
}

/* The entries of a bin's codes are spread by their shares, see
 * isolux_code_share(). */
__device__ __forceinline__ uint32_t
blend_shares (uint32_t bin, float share, const ColumnWeight &w, float y)
{
  const uint2 at = ((const uint2 *) isolux_shared)[bin];
  const uint2 last = bin ? ((const uint2 *) isolux_shared)[bin - 1]
                         : make_uint2 (0, 0);
  float       v[4] = { (float) (at.x & 0xffffu), (float) (at.x >> 16),
                       (float) (at.y & 0xffffu), (float) (at.y >> 16) };
  const float before[4] = { (float) (last.x & 0xffffu), (float) (last.x >> 16),
                            (float) (last.y & 0xffffu),
                            (float) (last.y >> 16) };

  if (share != 1.0f)
#pragma unroll
    for (int i = 0; i < 4; i++)
      v[i] = isolux_share (before[i], v[i], share);
  return isolux_blend_code (isolux_blend (v[0], v[1], v[2], v[3], w.behind, y),
                            65535u);
}

/* Reads and writes the image once, and each block its tables.  Up to 16,384
 * bins. */
KERNEL_BLOCKS (ISOLUX_TILE_THREADS, 1)
isolux_clahe_map_u16 (const IsoluxClaheArguments a)
{
  __shared__ int  edges[4];
  const Cell      cell (a, edges);
  const uint16_t *of[4];
  bool            identity;

  cell.tables (a, of);
  isolux_wait_for_previous ();
  identity = is_identity (a);
  if (identity && a.source.data == a.destination.data)
    return;

  const ClaheRange range (a, 0);
  const uint32_t   last = ((1u << range.bits) - 1u) * 0x10001u;
  const uint32_t   place = isolux_shared_place (isolux_shared);

  if (identity)
    {
      map_cell<uint16_t, 4> (a, cell, false,
                             [] (uint2 words, uint2, const ColumnWeight *,
                                 float, float) { return words; });
      return;
    }
  fetch_tables (of, 0, (uint32_t) range.bins);
  __syncthreads ();
  if (range.shift == 0)
    map_cell<uint16_t,
             4> (a, cell, false,
                 [&] (uint2 words, uint2, const ColumnWeight *columns, float y1,
                      float y) {
                   const uint32_t w[2] = { __vminu2 (words.x, last),
                                           __vminu2 (words.y, last) };
                   uint32_t       codes[4];

#pragma unroll
                   for (int i = 0; i < 4; i++)
                     /* 8 times a half by one instruction */
                     codes[i] =
                       blend_entries (isolux_shared_words (__dp2a_lo (w[i / 2],
                                                                      8u
                                                                        << i %
                                                                             2 *
                                                                             8,
                                                                      place)),
                                      columns[i], y1, y);
                   return make_uint2 (__byte_perm (codes[0], codes[1], 0x5410),
                                      __byte_perm (codes[2], codes[3], 0x5410));
                 });
  else
    map_cell<uint16_t, 4> (a, cell, false,
                           [&] (uint2 words, uint2, const ColumnWeight *columns,
                                float, float y) {
                             const uint32_t w[2] = { __vminu2 (words.x, last),
                                                     __vminu2 (words.y, last) };
                             uint32_t       codes[4];

#pragma unroll
                             for (int i = 0; i < 4; i++)
                               {
                                 const uint32_t code =
                                   i % 2 ? w[i / 2] >> 16 : w[i / 2] & 0xffffu;

                                 codes[i] =
                                   blend_shares (code >> range.shift,
                                                 __ldg (a.shares + code),
                                                 columns[i], y);
                               }
                             return make_uint2 (__byte_perm (codes[0], codes[1],
                                                             0x5410),
                                                __byte_perm (codes[2], codes[3],
                                                             0x5410));
                           });
}

/* The least and the largest code of a cell's part, the same for all threads.
 * room: 64 words. */
__device__ __forceinline__ void
codes_of_cell (const IsoluxClaheArguments &a,
               const Cell                 &cell,
               uint32_t                   *room,
               uint32_t                   *least,
               uint32_t                   *most)
{
  const int first = cell.x0 / 4, groups = (cell.x1 + 3) / 4 - first;
  uint32_t  low = 0xffffffffu, high = 0;
  const int n = groups * (cell.y1 - cell.y0);

#pragma unroll 4
  for (int i = (int) threadIdx.x; i < n; i += (int) blockDim.x)
    {
      const int       row = i / groups, x = (first + i - row * groups) * 4;
      const uint16_t *at = isolux_row<uint16_t> (a.source, cell.y0 + row) + x;

      if (x >= cell.x0 && x + 4 <= cell.x1)
        {
          const uint2 w = *(const uint2 *) at;

          low = __vminu2 (low, __vminu2 (w.x, w.y));
          high = __vmaxu2 (high, __vmaxu2 (w.x, w.y));
        }
      else
        for (int k = 0; k < 4; k++)
          if (x + k >= cell.x0 && x + k < cell.x1)
            {
              low = __vminu2 (low, at[k] * 0x10001u);
              high = __vmaxu2 (high, at[k] * 0x10001u);
            }
    }
  low = low >> 16 < (low & 0xffffu) ? low >> 16 : low & 0xffffu;
  high = high >> 16 > (high & 0xffffu) ? high >> 16 : high & 0xffffu;
  low = isolux_warp_least (low);
  high = isolux_warp_most (high);
  if ((threadIdx.x & 31) == 0)
    {
      room[threadIdx.x >> 5] = low;
      room[32 + (threadIdx.x >> 5)] = high;
    }
  __syncthreads ();
  *least = isolux_warp_least (room[threadIdx.x & 31]);
  *most = isolux_warp_most (room[32 + (threadIdx.x & 31)]);
}

/*
 * Reads the image once more for the range of a cell's codes, and then as often
 * as the tables have to come in parts of ISOLUX_MAP_CODES: what shared memory
 * holds.  Source and destination are not the same.
 */
KERNEL_BLOCKS (ISOLUX_COUNT_THREADS, 1)
isolux_clahe_map_u16_parts (const IsoluxClaheArguments a)
{
  __shared__ int      edges[4];
  __shared__ uint32_t room[64];
  const Cell          cell (a, edges);
  const uint16_t     *of[4];
  uint32_t            least, most;

  cell.tables (a, of);
  codes_of_cell (a, cell, room, &least, &most);
  isolux_wait_for_previous ();
  is_identity (a); /* never: it is cv2's way */
  for (uint32_t from = least & ~7u; from <= most; from += ISOLUX_MAP_CODES)
    {
      const uint32_t left = (most | 7u) + 1 - from;
      const uint32_t n = left < ISOLUX_MAP_CODES ? left : ISOLUX_MAP_CODES;
      const bool     first = from == (least & ~7u);

      if (! first)
        __syncthreads ();
      fetch_tables (of, from, n);
      __syncthreads ();
      map_cell<uint16_t,
               4> (a, cell, ! first,
                   [&] (uint2 words, uint2 old, const ColumnWeight *columns,
                        float y1, float y) {
                     const uint32_t w[2] = { words.x, words.y };
                     const uint32_t before[2] = { old.x, old.y };
                     uint32_t       codes[4];

#pragma unroll
                     for (int i = 0; i < 4; i++)
                       {
                         const uint32_t at =
                           (i % 2 ? w[i / 2] >> 16 : w[i / 2] & 0xffffu) - from;
                         const bool there = at < n;

                         codes[i] =
                           blend_entries (((const uint2 *)
                                             isolux_shared)[there ? at : 0],
                                          columns[i], y1, y);
                         if (! there)
                           codes[i] = before[i / 2] >> i % 2 * 16;
                       }
                     return make_uint2 (__byte_perm (codes[0], codes[1],
                                                     0x5410),
                                        __byte_perm (codes[2], codes[3],
                                                     0x5410));
                   });
    }
}
