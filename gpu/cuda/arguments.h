/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the host hands to the kernels, and how a lane's scratch is divided.
 * Read by C and by CUDA.
 */
#ifndef ISOLUX_ARGUMENTS_H
#define ISOLUX_ARGUMENTS_H

#include "../core/plans.h"

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

#endif /* ISOLUX_ARGUMENTS_H */
