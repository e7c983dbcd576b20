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
gboolean isolux_cpu_lbp (IsoluxSurface       *source,
                         IsoluxSurface       *destination,
                         const IsoluxLbpPlan *plan,
                         GError             **error);
gboolean isolux_cpu_lbp_histogram (IsoluxSurface       *source,
                                   const IsoluxLbpPlan *plan,
                                   guint64             *counts,
                                   GError             **error);
gboolean isolux_cpu_hog_cells (IsoluxSurface       *source,
                               const IsoluxHogPlan *plan,
                               gfloat              *cells,
                               GError             **error);
gboolean isolux_cpu_hog_picture (IsoluxSurface       *source,
                                 IsoluxSurface       *destination,
                                 const IsoluxHogPlan *plan,
                                 GError             **error);
gboolean isolux_cpu_clahe (IsoluxSurface         *source,
                           IsoluxSurface         *destination,
                           const IsoluxClahePlan *plan,
                           gboolean              *unchanged,
                           IsoluxClaheTables     *tables,
                           GError               **error);
gboolean isolux_cpu_clahe_sample (IsoluxSurface           *source,
                                  IsoluxSurface           *destination,
                                  const IsoluxClaheSample *sample,
                                  GError                 **error);
gboolean isolux_cpu_window (IsoluxSurface          *source,
                            IsoluxSurface          *destination,
                            const IsoluxWindowPlan *plan,
                            GError                **error);
gboolean isolux_cpu_contrast_map (IsoluxSurface            *source,
                                  IsoluxSurface            *destination,
                                  const IsoluxContrastPlan *plan,
                                  GError                  **error);
gboolean isolux_cpu_metrics (IsoluxSurface           *first,
                             IsoluxSurface           *second,
                             const IsoluxMetricsPlan *plan,
                             gdouble                 *partial,
                             GError                 **error);
gboolean isolux_cpu_reduce (IsoluxSurface          *source,
                            IsoluxSurface          *destination,
                            const IsoluxReducePlan *plan,
                            GError                **error);

gboolean isolux_cpu_leave_out (IsoluxSurface            *source,
                               IsoluxSurface            *mask,
                               const IsoluxLeaveOutPlan *plan,
                               GError                  **error);

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

/* ---- Pictures (picture.c) ----------------------------------------------- */

/* Values of a row of the image from x on, see value-rules.h. */
void isolux_cpu_values (const IsoluxPixels  *pixels,
                        const IsoluxWeights *weights,
                        gint64               x,
                        gint64               y,
                        gint64               n,
                        gdouble             *values);

/* Which of n pixels of a row count, 0 or not; FALSE: none, without a look at
 * the pixels. */
gboolean isolux_cpu_counts (const IsoluxPixels *pixels,
                            gint64              x,
                            gint64              y,
                            gint64              n,
                            guint8             *counts);

/* most, maximum: see isolux_picture_value() */
typedef struct
{
  const IsoluxPixels  *source, *destination;
  const IsoluxWeights *weights;
  gboolean             raw;
  gdouble              most, maximum;
} IsoluxPicture;

/* Writes n pixels of a row: shown where they count; raw: as f32. */
void isolux_cpu_draw (const IsoluxPicture *picture,
                      gint64               x,
                      gint64               y,
                      gint64               n,
                      const guint8        *counts,
                      const gdouble       *shown);

/* Whether every pixel counts, whatever its value. */
static inline gboolean
isolux_cpu_all_count (const IsoluxPixels *pixels)
{
  return pixels->type != ISOLUX_PLAN_F32 && ! pixels->has_alpha &&
         ! pixels->mask && pixels->region_x == 0 && pixels->region_y == 0 &&
         pixels->region_width == pixels->width &&
         pixels->region_height == pixels->height;
}

/* Local binary patterns of a simple plan, drawn or, without a picture, added
 * to counts, one a code. */
gboolean isolux_cpu_lbp_simple (IsoluxSurface       *source,
                                const IsoluxLbpPlan *plan,
                                const IsoluxPicture *picture,
                                guint64             *counts,
                                GError             **error);

/* ---- Rows --------------------------------------------------------------- */

/* Threads for this many pixels: more do not pay below some 64K each. */
gint isolux_cpu_threads (IsoluxDevice *device, gint64 width, gint64 height);

/* Asks for n bytes of a row that comes soon.  Rows of a tile lie further apart
 * than processors look ahead by themselves. */
static inline void
isolux_cpu_prefetch (gconstpointer row, gsize n)
{
  for (gsize i = 0; i < n; i += 64)
    __builtin_prefetch ((const guint8 *) row + i);
}

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
