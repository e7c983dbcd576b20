/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the core hands to a backend: plain structs, the same for the CPU and
 * for CUDA, where kernels take them by value.
 */
#ifndef ISOLUX_PLANS_H
#define ISOLUX_PLANS_H

#include "clahe-rules.h"
#include "rules.h"

/* The types of a component, as in IsoluxType. */
#define ISOLUX_PLAN_U8 0
#define ISOLUX_PLAN_U16 1
#define ISOLUX_PLAN_F32 2

/*
 * An image in a backend's memory and which of its pixels count.  region_*
 * lies inside the image and may be empty; mask, when not NULL, is its upper
 * left pixel.
 */
typedef struct
{
  void          *data;
  size_t         stride;
  int64_t        width, height;
  int32_t        type;
  int32_t        components;
  int32_t        colors;    /* 1 or 3 */
  int32_t        has_alpha; /* the last component */
  int32_t        bits;      /* u16: significant bits, 0 = to be found out */
  int64_t        region_x, region_y, region_width, region_height;
  const uint8_t *mask;
  size_t         mask_stride;
} IsoluxPixels;

/*
 * Gray: method as in IsoluxGrayMethod.  decode: 3 * (maximum + 1) linear
 * values, thresholds: see isolux_encode(), maximum entries; both NULL for
 * f32 and for methods that need none.  They are host memory in the core's
 * plan; a backend puts its own copies in their place.
 */
typedef struct
{
  int32_t       method;
  int32_t       maximum;
  IsoluxWeights weights;
  const float  *decode;
  const double *thresholds;
} IsoluxGrayPlan;

/*
 * Counting.  first_component and channels say which components: with luma
 * set, the one channel is the luma of three colours.  Every code of u8
 * (256) and u16 (65536) has a bin of its own; f32 has bins (<= 65536), over
 * low .. high, which are measured where low < high does not hold.
 */
typedef struct
{
  int32_t       luma;
  int32_t       first_component;
  int32_t       channels;
  int32_t       ignore_alpha; /* counting alpha itself */
  int32_t       bins;
  double        low, high;
  IsoluxWeights weights;
} IsoluxCountPlan;

/*
 * What counting gives.  counts: channels * bins, host memory, filled.
 * f32: low and high are the range used (equal when nothing finite counts
 * or all is one value: then everything is in bin 0); minimum and maximum
 * the least and largest finite value of each channel, +HUGE_VAL and
 * -HUGE_VAL when there is none.  u8, u16: the four are not set.
 */
typedef struct
{
  uint64_t *counts;
  double    low, high;
  double    minimum[3], maximum[3];
} IsoluxCounts;

/*
 * Equalization: count (as IsoluxCountPlan does; f32 with 65536 bins over a
 * measured range, one range for each channel), build the table of each
 * channel, apply it.
 */
typedef struct
{
  int32_t       luma; /* three colours, one table */
  double        clip_limit, skip_threshold;
  IsoluxWeights weights;
} IsoluxEqualizePlan;

/*
 * Applying tables.  entries: channels * bins values of the image's type in
 * host memory, for u8 and u16 one a code (bins = 256 or 65536).  low,
 * scale: see isolux_bin_f32().
 */
typedef struct
{
  int32_t       luma;
  int32_t       channels;
  int32_t       bins;
  int32_t       identity[3];
  double        low[3], scale[3];
  IsoluxWeights weights;
  const void   *entries;
} IsoluxLutPlan;

/*
 * CLAHE.  opencv: u8 and u16 as cv2 does; else images of one value stay.
 * whole: tables as cv2 makes them.  measured: the range of values decides
 * about bins, else each code has one.  most_bins: what a tile can fill or is
 * allowed, 256 for u8, 65536 for u16 with opencv.  padding: the pixels whose
 * colours are all padding_code, or padding_value, do not count.
 */
typedef struct
{
  IsoluxGrid    grid;
  int32_t       luma; /* three colours, one table a tile */
  int32_t       opencv;
  int32_t       whole;
  int32_t       measured;
  int32_t       most_bins;
  int32_t       padding;
  uint32_t      padding_code;
  float         padding_value;
  double        clip_limit;
  IsoluxWeights weights;
} IsoluxClahePlan;

/* Leaving out pixels whose colours all lie in low .. high, both included. */
typedef struct
{
  float low, high;
} IsoluxLeaveOutPlan;

#endif /* ISOLUX_PLANS_H */
