/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the two halves of CLAHE share: tables (clahe.c) and their use
 * (clahe-apply.c). */
#ifndef ISOLUX_CPU_CLAHE_H
#define ISOLUX_CPU_CLAHE_H

#include "cpu.h"
#include "kernels.h"

G_BEGIN_DECLS

/* The bins of a tile that are not empty; least > most: none. */
typedef struct
{
  guint32 least, most;
} IsoluxClaheRange;

/*
 * What a call works with.  shift and bits are of codes; low and scale, of
 * each channel, of f32.  shares: of each code, where a bin holds several,
 * else NULL.  ranges: of each tile of each channel, as entries are.
 */
typedef struct
{
  const IsoluxKernels   *kernels;
  const IsoluxPixels    *in, *out;
  const IsoluxClahePlan *plan;
  const IsoluxGrid      *grid;
  gint                   channels;
  gint                   alpha; /* its component, or -1 */
  gint                   bits;
  gint                   bins;
  gint                   shift;
  guint32                maximum;
  gdouble                low[3], scale[3];
  gfloat                *shares;
  gboolean               identity[3];
  gsize                  size; /* of an entry */
  guint8                *entries;
  IsoluxClaheRange      *ranges;
  gint                   threads;
} IsoluxClaheWork;

/* Maps the image through the tables.  clahe-apply.c */
gboolean isolux_cpu_clahe_apply (const IsoluxClaheWork *work, GError **error);

static inline gint64
isolux_cpu_clahe_tile (const IsoluxClaheWork *w,
                       gint                   c,
                       gint64                 tile_x,
                       gint64                 tile_y)
{
  const IsoluxGrid *g = w->grid;

  return ((gint64) c * g->tiles_y + tile_y) * g->tiles_x + tile_x;
}

/* ---- What counts -------------------------------------------------------- */

#define DEFINE_TAKES(suffix, type, name)                                     \
  static inline gboolean takes_##suffix (const IsoluxClaheWork *w,           \
                                         const type *in, const guint8 *mask, \
                                         gint64 x)                           \
  {                                                                          \
    if ((mask && ! mask[x]) || (w->alpha >= 0 && ! (in[w->alpha] > 0)))      \
      return FALSE;                                                          \
    return ! w->plan->padding || in[0] != w->plan->name ||                   \
           (w->in->colors == 3 &&                                            \
            (in[1] != w->plan->name || in[2] != w->plan->name));             \
  }

DEFINE_TAKES (u8, guint8, padding_code)
DEFINE_TAKES (u16, guint16, padding_code)
DEFINE_TAKES (f32, gfloat, padding_value)

#define DEFINE_CODE(suffix, type)                                        \
  static inline guint32 code_##suffix (const IsoluxClaheWork *w,         \
                                       const type *in, gint c)           \
  {                                                                      \
    return w->plan->luma                                                 \
             ? isolux_luma_code (&w->plan->weights, in[0], in[1], in[2]) \
             : in[c];                                                    \
  }

DEFINE_CODE (u8, guint8)
DEFINE_CODE (u16, guint16)

static inline gboolean
value_f32 (const IsoluxClaheWork *w, const gfloat *in, gint c, gdouble *value)
{
  if (w->plan->luma)
    {
      if (isolux_is_nan (in[0]) || isolux_is_nan (in[1]) ||
          isolux_is_nan (in[2]))
        return FALSE;
      *value = isolux_luma_f32 (&w->plan->weights, in[0], in[1], in[2]);
      return TRUE;
    }
  *value = in[c];
  return ! isolux_is_nan (in[c]);
}

G_END_DECLS

#endif /* ISOLUX_CPU_CLAHE_H */
