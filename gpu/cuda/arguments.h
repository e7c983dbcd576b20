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
  int32_t whole; /* items are vectors of a gray image all of which counts */
} IsoluxTiles;

#define ISOLUX_VECTOR_BYTES 16

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
 * What kernels tell the next ones.  least, most: keys of the least and
 * largest finite value, see isolux_key(); least above most: there is none.
 * prefix: per segment of bins, the cumulative count before it, clipped when
 * something is cut off.
 */
typedef struct
{
  uint64_t    least[3], most[3];
  IsoluxTerms terms[3];
  uint64_t    prefix[3][ISOLUX_SEGMENTS];
} IsoluxState;

/* Offsets in bytes: 3 * 65536 counts of 8 bytes; as many entries of up to 4;
 * the two structs.  A gray conversion has its two tables at the start. */
#define ISOLUX_SCRATCH_COUNTS 0
#define ISOLUX_SCRATCH_DECODE 0
#define ISOLUX_SCRATCH_THRESHOLDS (3 * ISOLUX_BINS * 4)
#define ISOLUX_SCRATCH_ENTRIES (3 * ISOLUX_BINS * 8)
#define ISOLUX_SCRATCH_TABLES (ISOLUX_SCRATCH_ENTRIES + 3 * ISOLUX_BINS * 4)
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
  IsoluxState    *state;
} IsoluxCountArguments;

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

typedef struct
{
  IsoluxPixels   source, destination;
  IsoluxTiles    tiles;
  IsoluxGrayPlan plan; /* with tables on the device */
} IsoluxGrayArguments;

/* Up to so many codes are counted in shared memory. */
#define ISOLUX_LBP_SHARED_CODES 8192
#define ISOLUX_LBP_THREADS 256

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

/* Where the edges of the bins lie in a lane's scratch. */
#define ISOLUX_SCRATCH_EDGES 0

/*
 * Cells: a block fills group cells that lie side by side at a time, rows of
 * their pixels at a time.  Pictures: tiles of the image; the largest value
 * that is shown is state->most[0].
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
  IsoluxState  *state;
} IsoluxHogArguments;

/*
 * CLAHE.  A unit is a tile and channel, numbered channel by channel in a
 * tile and tile by tile; blocks work on the units from first on.  Counting:
 * slices of a tile's rows, ranges of 2^range_shift bins, 2^copies_shift
 * copies of the counters, 2^shift threads a row.  counts: plan.most_bins a
 * unit at work; entries: as many a tile, the tiles row by row, for each
 * channel.  state: least and most, as codes or isolux_key().
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
  IsoluxState    *state;
  uint32_t       *seen;   /* u16: a bit a code, whether it occurs */
  float          *shares; /* u16: see isolux_code_share() */
} IsoluxClaheArguments;

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

/* tiles: of the picture.  2^shift threads share a row of a measured tile;
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
