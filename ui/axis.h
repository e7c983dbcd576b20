/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis.h: where an axis has its marks.
 */
#ifndef ISOLUX_AXIS_H
#define ISOLUX_AXIS_H

#include <glib.h>

G_BEGIN_DECLS

#define ISOLUX_AXIS_MAJOR 64
#define ISOLUX_AXIS_MINOR (ISOLUX_AXIS_MAJOR * 5)

/*
 * IsoluxTicks: marks in increasing order
 * @major, @n_major: with labels
 * @minor, @n_minor: without, between them
 * @step: from one label to the next, for the number of their decimals
 */
typedef struct
{
  gdouble major[ISOLUX_AXIS_MAJOR];
  gint    n_major;
  gdouble minor[ISOLUX_AXIS_MINOR];
  gint    n_minor;
  gdouble step;
} IsoluxTicks;

/*
 * isolux_axis_values: marks of an axis of values.
 * @low, @high: its first and last value, low < high
 * @whole: whether there are whole numbers alone; from 0 to 2^n - 1 the marks
 *   then are at quarters (halves, where there is little room) and at the end
 * @most: how many labels there is room for, at least 2 are tried
 */
void isolux_axis_values (gdouble      low,
                         gdouble      high,
                         gboolean     whole,
                         gint         most,
                         IsoluxTicks *ticks);

/*
 * isolux_axis_counts: marks of an axis of counts from 0 to @top > 0: 0 and up
 * to @most round ones; logarithmic: powers of ten.  None are minor.
 */
void isolux_axis_counts (gdouble      top,
                         gboolean     logarithmic,
                         gint         most,
                         IsoluxTicks *ticks);

G_END_DECLS

#endif /* ISOLUX_AXIS_H */
