/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels of one level: ISOLUX_LEVEL is v1, v2, ... */
#include "kernels.h"

#include <math.h>
#include <string.h>

#include "kernels-clahe.h"
#include "kernels-codes.h"
#include "kernels-color.h"
#include "kernels-floats.h"
#include "kernels-hog.h"
#include "kernels-lbp.h"

#define JOIN_NAMES(a, b) a##b
#define JOIN(a, b) JOIN_NAMES (a, b)
#define QUOTE_NAME(a) #a
#define QUOTE(a) QUOTE_NAME (a)

const IsoluxKernels JOIN (isolux_kernels_, ISOLUX_LEVEL) = {
  .name = QUOTE (ISOLUX_LEVEL),
  .lut_u8 = lut_u8,
  .keep_u8 = keep_u8,
  .keep_u16 = keep_u16,
  .keep_f32 = keep_f32,
  .pick_u8 = pick_u8,
  .pick_u16 = pick_u16,
  .pick_f32 = pick_f32,
  .luma_u8 = luma_u8,
  .luma_u16 = luma_u16,
  .recolor_u8 = recolor_u8,
  .recolor_u16 = recolor_u16,
  .clahe_u8 = clahe_u8,
  .clahe_u16 = clahe_u16,
  .clahe_shared = clahe_shared,
  .pack_u8 = pack_u8,
  .pack_u16 = pack_u16,
  .clahe_entries_u8 = clahe_entries_u8,
  .clahe_entries_u16 = clahe_entries_u16,
  .range_f32 = range_f32,
  .bins_f32 = bins_f32,
  .window_f32 = window_f32,
  .range_u16 = range_u16,
  .hog_codes = hog_codes,
  .hog_gradients = hog_gradients,
  .hog_magnitudes = hog_magnitudes,
  .hog_bins = hog_bins,
  .hog_add = hog_add,
  .hog_blocks = hog_blocks,
  .lbp_signs_u8 = lbp_signs_u8,
  .lbp_signs_u16 = lbp_signs_u16,
  .lbp_places = lbp_places,
  .lbp_sample = lbp_sample,
  .lbp_add_sign = lbp_add_sign,
  .lbp_add_squares = lbp_add_squares,
};
