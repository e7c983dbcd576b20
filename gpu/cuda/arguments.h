/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the host hands to the kernels, and how a lane's scratch is divided.
 * Read by C and by CUDA.
 */
#ifndef ISOLUX_ARGUMENTS_H
#define ISOLUX_ARGUMENTS_H

#include "../core/contrast-rules.h"
#include "../core/hog-rules.h"
#include "../core/lbp-rules.h"
#include "../core/metrics-rules.h"
#include "../core/plans.h"
#include "../core/reduce-rules.h"
#include "../core/window-rules.h"

/* ---- The work of a grid -------------------------------------------- */

/*
 * Rows of items (pixels, or aligned vectors of 16 bytes) cut into tiles of
 * one item a thread.  A tile is 2^shift items wide and as many rows high as
 * the threads of a block allow; it may hang over the edges.
 */
typedef struct
{
  int64_t items; /* in a row */
  int64_t rows;
  int64_t columns; /* of tiles */
  int64_t total;   /* tiles */
  int32_t shift;
} IsoluxTiles;

#define ISOLUX_VECTOR_BYTES 16

/*
 * Rows of gray as the vectors of 16 bytes, aligned in memory, that they
 * touch: columns of them a row at most, total in all.  Threads take them in
 * turn; from one to the next of a thread it is step_rows and step_columns.
 */
typedef struct
{
  uint32_t columns, total;
  uint32_t step, step_rows, step_columns;
} IsoluxWalk;

/* Memory that the first kernel of a call sets to 0 for the call after it;
 * a multiple of 16 bytes. */
typedef struct
{
  void    *data;
  uint64_t bytes;
} IsoluxClear;

#define ISOLUX_COUNT_THREADS 1024
#define ISOLUX_TERMS_THREADS 1024
#define ISOLUX_ENTRIES_THREADS 1024
#define ISOLUX_APPLY_THREADS 512
#define ISOLUX_GRAY_THREADS 256

/* ---- A lane's scratch ---------------------------------------------- */

#define ISOLUX_BINS 65536
#define ISOLUX_SEGMENTS (ISOLUX_BINS / ISOLUX_ENTRIES_THREADS)

/* What belongs to the tables of up to three channels, as in IsoluxLutPlan;
 * u8 and u16: codes from bins on have the last entry. */
typedef struct
{
  int32_t bins[3];
  int32_t identity[3];
  double  low[3], scale[3];
} IsoluxTables;

/*
 * What kernels tell the next ones.  prefix: per segment of bins, the
 * cumulative count before it, clipped when something is cut off.
 */
typedef struct
{
  IsoluxTerms terms[3];
  uint64_t    prefix[3][ISOLUX_SEGMENTS];
} IsoluxState;

#define ISOLUX_SUM_BLOCKS 128

/*
 * What kernels add to, all 0 when a call begins.  least, most: keys of the
 * least (its complement) and the largest finite value or code, see
 * isolux_key(); total: pixels that count; largest: the largest code; sums: of
 * the bins of a block of isolux_sum_*(), twice their counts' sum and twice
 * the first count that is not 0, and 1.
 */
typedef struct
{
  uint64_t least[3], most[3];
  uint64_t total;
  uint32_t largest;
  uint64_t sums[ISOLUX_SUM_BLOCKS][2];
} IsoluxZeros;

/*
 * Offsets in bytes.  Twice zeros: an IsoluxZeros and 3 * 65536 counts of 8
 * bytes behind it, the one in use and the one for the next call.  Counters
 * that went past their end, all 0 between calls.  Then what a call may use as
 * it likes: entries, 3 * 65536 of up to 4 bytes, or a gray conversion's
 * tables; the two structs.
 */
#define ISOLUX_ZEROS_COUNTS 4096
#define ISOLUX_ZEROS_BYTES (ISOLUX_ZEROS_COUNTS + 3 * ISOLUX_BINS * 8)
#define ISOLUX_SCRATCH_ZEROS 0
#define ISOLUX_SCRATCH_OVERFLOW (2 * ISOLUX_ZEROS_BYTES)
#define ISOLUX_SCRATCH_WORK (ISOLUX_SCRATCH_OVERFLOW + ISOLUX_BINS * 8)
#define ISOLUX_SCRATCH_ENTRIES ISOLUX_SCRATCH_WORK
#define ISOLUX_SCRATCH_DECODE ISOLUX_SCRATCH_WORK
#define ISOLUX_SCRATCH_SEEN ISOLUX_SCRATCH_THRESHOLDS
#define ISOLUX_SCRATCH_THRESHOLDS (ISOLUX_SCRATCH_DECODE + 3 * ISOLUX_BINS * 4)
#define ISOLUX_SCRATCH_TABLES (ISOLUX_SCRATCH_THRESHOLDS + ISOLUX_BINS * 8)
#define ISOLUX_SCRATCH_STATE (ISOLUX_SCRATCH_TABLES + 256)
#define ISOLUX_SCRATCH_BYTES (ISOLUX_SCRATCH_STATE + 4096)

/* ---- Arguments ----------------------------------------------------- */

/*
 * Counting: pixels is the region alone, the mask (if any) its own.  A block
 * counts one channel, and of its bins those of one range of 2^range_shift
 * (u8: all).  Block b works on the tiles s, s + slices, ... where b = (s *
 * channels + channel) * ranges + range, so that blocks that read the same
 * pixels run together.
 */
typedef struct
{
  IsoluxPixels    pixels;
  IsoluxTiles     tiles;
  IsoluxCountPlan plan;
  int32_t         slices;
  int32_t         ranges;
  int32_t         range_shift;
  int32_t         one_range; /* f32: one for all channels */
  uint64_t       *counts;    /* plan.bins a channel */
  IsoluxZeros    *zeros;
  IsoluxClear     clear;
} IsoluxCountArguments;

/*
 * Counting gray: pixels as above.  u8 adds to the counts.  u16, f32: each
 * block leaves bins counters of 8, 16 or 32 bits in partial, modulo their
 * size; what goes beyond is in overflow.  u16: codes above last count as it.
 * f32: over low .. high, or where low < high does not hold, over what was
 * measured.
 */
typedef struct
{
  IsoluxPixels pixels;
  IsoluxWalk   walk;
  uint64_t    *counts;
  uint64_t    *overflow;
  uint32_t    *partial;
  uint32_t     bins, last;
  double       low, high;
  IsoluxZeros *zeros;
  IsoluxClear  clear;
} IsoluxGrayCountArguments;

/*
 * Adding the counters of all blocks: rows of them, bins in a row, each of
 * which bins a block adds, a power of two from 32 to 512.  entries not NULL:
 * writes the table of an equalization without clip limit and threshold, too;
 * real: of floats.  mail: there whether the table is the identity, else the
 * largest code that was cut down.
 */
typedef struct
{
  const uint32_t *partial;
  uint64_t       *overflow;
  uint64_t       *counts;
  uint32_t        rows, bins, each;
  int32_t         real;
  void           *entries;
  IsoluxTables   *tables;
  IsoluxZeros    *zeros;
  uint32_t       *mail; /* nullable */
} IsoluxSumArguments;

/* From counts to tables; one block a channel finds the terms, then one a
 * segment and channel writes entries. codes: counts a channel. */
typedef struct
{
  int32_t       type;
  int32_t       channels;
  int32_t       codes;
  int32_t       bits; /* u16: 0 = to be found out */
  double        clip_limit, skip_threshold;
  uint64_t     *counts;
  void         *entries;
  IsoluxTables *tables;
  IsoluxState  *state;
  IsoluxZeros  *zeros;
  uint32_t     *mail; /* nullable: identity of each channel */
} IsoluxTableArguments;

typedef struct
{
  IsoluxPixels        source, destination;
  IsoluxTiles         tiles;
  IsoluxWeights       weights;
  int32_t             luma;
  int32_t             stride; /* entries from a channel's first to the next */
  const void         *entries;
  const IsoluxTables *tables;
} IsoluxApplyArguments;

/*
 * Gray codes whose vectors lie alike in source and destination.  Equalizing
 * u8, counts not NULL: each block makes the table from them.
 */
typedef struct
{
  IsoluxPixels        source, destination;
  IsoluxWalk          walk;
  const void         *entries;
  const IsoluxTables *tables;
  const IsoluxZeros  *zeros; /* nullable: no code is above largest */
  const uint64_t     *counts;
  double              clip_limit, skip_threshold;
  uint32_t           *mail; /* nullable: identity */
} IsoluxGrayApplyArguments;

typedef struct
{
  IsoluxPixels   source, destination;
  IsoluxTiles    tiles;
  IsoluxGrayPlan plan; /* with tables on the device */
} IsoluxGrayArguments;

/* Up to so many codes are counted in shared memory. */
#define ISOLUX_LBP_SHARED_CODES 8192
#define ISOLUX_LBP_THREADS 256
#define ISOLUX_LBP_ROWS 8

/* Pictures: tiles of the image; counts: tiles of the region, counts of all
 * codes. */
typedef struct
{
  IsoluxPixels  source, destination;
  IsoluxTiles   tiles;
  IsoluxLbpPlan plan;
  uint64_t     *counts;
} IsoluxLbpArguments;

#define ISOLUX_HOG_THREADS 256
/* What a block keeps in shared memory: pixels and bins. */
#define ISOLUX_HOG_PIXELS 2048
#define ISOLUX_HOG_BINS 2048

/* Gray of u8 in cells of so many pixels across. */
#define ISOLUX_HOG_GRAY_THREADS 128
#define ISOLUX_HOG_GRAY_CELL 8

/* Glyphs of cells as large: as many pixels of doubles a thread. */
#define ISOLUX_HOG_GLYPH_THREADS 64
#define ISOLUX_HOG_GLYPH_PIXELS (ISOLUX_HOG_GRAY_CELL * ISOLUX_HOG_GRAY_CELL)

/* Where the edges of the bins lie in a lane's scratch. */
#define ISOLUX_SCRATCH_EDGES ISOLUX_SCRATCH_WORK

/*
 * Cells: a block fills group cells that lie side by side at a time, rows of
 * their pixels at a time.  Pictures: tiles of the image; the largest value
 * that is shown is zeros->most[0].
 */
typedef struct
{
  IsoluxPixels  source, destination;
  IsoluxTiles   tiles;
  IsoluxHogPlan plan;
  float        *cells;
  int64_t       groups; /* in a row of cells */
  int32_t       group;
  int32_t       rows;
  int32_t      aligned; /* glyphs of cells: rows of them are words of 8 bytes */
  IsoluxZeros *zeros;
  IsoluxClear  clear;
} IsoluxHogArguments;

/* All cells of gray, all of which counts, row by row: one a thread.
 * aligned: u8's rows of cells are words of 8 bytes. */
typedef struct
{
  const void     *data;
  size_t          stride;
  uint32_t        cells_x, cells; /* in a row; in all */
  int32_t         width, height;
  int32_t         orientations;
  int32_t         aligned;
  IsoluxHogSlopes slopes;
  float          *totals;

  const IsoluxHogEdges *edges; /* not u8 */
} IsoluxHogGrayArguments;

/* Bins are 2^0 to 2^16. */
#define ISOLUX_LIMITS 17

/*
 * CLAHE.  A unit is a tile and channel, numbered channel by channel in a
 * tile and tile by tile; blocks work on the units from first on.  Counting:
 * slices of a tile's rows, ranges of 2^range_shift bins, 2^copies_shift
 * copies of the counters, 2^shift threads a row.  counts: plan.most_bins a
 * unit at work; entries: as many a tile, the tiles row by row, for each
 * channel.  zeros: least and most, as codes or isolux_key().
 */
typedef struct
{
  IsoluxPixels    source, destination;
  IsoluxTiles     tiles; /* of measuring and applying */
  IsoluxClahePlan plan;
  int32_t         channels;
  int32_t         plain; /* codes of gray, all of which count */
  int32_t         slices;
  int32_t         ranges;
  int32_t         range_shift;
  int32_t         copies_shift;
  int32_t         shift;
  int64_t         first;
  uint64_t       *counts;
  void           *entries;
  IsoluxZeros    *zeros;
  IsoluxClear     clear;
  int32_t         bins;   /* of the gray kernels, at most */
  IsoluxWalk      walk;   /* theirs */
  uint32_t       *mail;   /* nullable, theirs: whether nothing changes */
  uint32_t       *seen;   /* u16: a bit a code, whether it occurs */
  float          *shares; /* u16: see isolux_code_share() */
  /* theirs: see isolux_tile_scale() and, for 2^i bins, isolux_tile_limit() */
  double   scale;
  uint64_t limits[ISOLUX_LIMITS];
} IsoluxClaheArguments;

/* Gray kernels: slices are the blocks of a tile, and the bands of a cell. */
#define ISOLUX_TILE_THREADS 1024
#define ISOLUX_MAP_THREADS 256
#define ISOLUX_MAP_CODES 28672

#define ISOLUX_WINDOW_THREADS 256

typedef struct
{
  IsoluxPixels     source, destination;
  IsoluxTiles      tiles;
  IsoluxWindowPlan plan;
} IsoluxWindowArguments;

#define ISOLUX_LEAVE_OUT_THREADS 256

/* tiles: of the region, which mask is as large as */
typedef struct
{
  IsoluxPixels       source, mask;
  IsoluxTiles        tiles;
  IsoluxLeaveOutPlan plan;
} IsoluxLeaveOutArguments;

#define ISOLUX_METRICS_THREADS 256

/* A warp a strip; partial: ISOLUX_METRICS_SUMS a strip. */
typedef struct
{
  IsoluxPixels      first, second;
  IsoluxMetricsPlan plan;
  double           *partial;
} IsoluxMetricsArguments;

#define ISOLUX_REDUCE_THREADS 256

/* 2^shift threads, 1 or a warp, work on a pixel of the destination. */
typedef struct
{
  IsoluxPixels     source, destination;
  IsoluxReducePlan plan;
  int32_t          shift;
} IsoluxReduceArguments;

#define ISOLUX_CONTRAST_THREADS ISOLUX_CONTRAST_BINS

/* Pixels of a tile of the picture: together fewer than threads. */
#define ISOLUX_CONTRAST_COLUMNS 32
#define ISOLUX_CONTRAST_ROWS 64

/* tiles: of the picture, see above.  2^shift threads share a row of a tile;
 * measures: one a tile, row by row. */
typedef struct
{
  IsoluxPixels       source, destination;
  IsoluxTiles        tiles;
  IsoluxContrastPlan plan;
  int32_t            shift;
  double            *measures;
} IsoluxContrastArguments;

#endif /* ISOLUX_ARGUMENTS_H */
