/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What decides when a picture is made smaller: which pixels become one, and
 * their mean. */
#ifndef ISOLUX_REDUCE_RULES_H
#define ISOLUX_REDUCE_RULES_H

#include "rules.h"

/* The part of the source. */
typedef struct
{
  int64_t x, y, width, height;
} IsoluxReducePlan;

/* Where pixel i of n begins among size pixels; of the one behind the last,
 * size. */
ISOLUX_RULE int64_t
isolux_reduce_begin (int64_t i, int64_t n, int64_t size)
{
  return i * size / n;
}

/* The mean of n codes, rounded half up; 2^46 of 16 bits fit. */
ISOLUX_RULE uint32_t
isolux_reduce_code (uint64_t sum, uint64_t n)
{
  return (uint32_t) ((2 * sum + n) / (2 * n));
}

ISOLUX_RULE float
isolux_reduce_f32 (double sum, uint64_t n)
{
  return isolux_canonical ((float) (sum / (double) n));
}

#endif /* ISOLUX_REDUCE_RULES_H */
