/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * values.h - types of components that libisolux does not know, to float and
 * back
 *
 * babl does that too, but the ways that it takes depend on what it measures
 * at run time, and for rarer formats lead through linear light and back: a
 * float would not be the nearest one to what the layer holds, nor the same
 * one in each run.
 */
#ifndef VALUES_H
#define VALUES_H

#include <glib.h>

/*
 * Values:
 * @type: babl's name of the type
 * @widen: to floats: the nearest one
 * @narrow: from floats: the nearest value; u32: NaN becomes 0, and what is
 *   outside 0 .. 1 the nearer end
 */
typedef struct
{
  const gchar *type;
  void (*widen) (gfloat *to, gconstpointer from, gsize n);
  void (*narrow) (gpointer to, const gfloat *from, gsize n);
} Values;

/*
 * values_find:
 *
 * Returns: (nullable): the conversions of u32, half or double
 */
const Values *values_find (const gchar *type);

#endif /* VALUES_H */
