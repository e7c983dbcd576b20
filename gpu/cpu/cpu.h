/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPU's operations share: rows and what counts in them. */
#ifndef ISOLUX_CPU_H
#define ISOLUX_CPU_H

#include "../core/internal.h"

G_BEGIN_DECLS

gboolean isolux_cpu_grayscale (IsoluxSurface        *source,
                               IsoluxSurface        *destination,
                               const IsoluxGrayPlan *plan,
                               GError              **error);
gboolean isolux_cpu_count (IsoluxSurface         *surface,
                           const IsoluxCountPlan *plan,
                           IsoluxCounts          *counts,
                           GError               **error);
gboolean isolux_cpu_equalize (IsoluxSurface            *source,
                              IsoluxSurface            *destination,
                              const IsoluxEqualizePlan *plan,
                              gboolean                 *unchanged,
                              GError                  **error);
gboolean isolux_cpu_lut_apply (IsoluxSurface       *source,
                               IsoluxSurface       *destination,
                               const IsoluxLutPlan *plan,
                               GError             **error);

/* The least and the largest finite value that counts, of each channel;
 * +HUGE_VAL and -HUGE_VAL where there is none. */
void isolux_cpu_measure (IsoluxSurface         *surface,
                         const IsoluxCountPlan *plan,
                         gdouble               *least,
                         gdouble               *most);
/* Counts into channels * bins counts. f32: low and scale of each channel, see
 * isolux_bin_f32(); scale 0 = all in bin 0. */
gboolean isolux_cpu_count_bins (IsoluxSurface         *surface,
                                const IsoluxCountPlan *plan,
                                const gdouble         *low,
                                const gdouble         *scale,
                                guint64               *counts,
                                GError               **error);

/* Threads for this many pixels: more do not pay below some 64K each. */
gint isolux_cpu_threads (IsoluxDevice *device, gint64 width, gint64 height);

/* A row of the image. */
static inline gpointer
isolux_cpu_row (const IsoluxPixels *pixels, gint64 y)
{
  return (guint8 *) pixels->data + (gsize) y * pixels->stride;
}

/* The mask of the region's pixels in row y of the image, or NULL. */
static inline const guint8 *
isolux_cpu_mask_row (const IsoluxPixels *pixels, gint64 y)
{
  return pixels->mask
           ? pixels->mask + (gsize) (y - pixels->region_y) * pixels->mask_stride
           : NULL;
}

G_END_DECLS

#endif /* ISOLUX_CPU_H */
