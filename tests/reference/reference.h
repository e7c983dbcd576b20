/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What isolux.h promises, written a second time, pixel by pixel and without
 * a thought for speed.  Nothing of the library's code is used here, only its
 * public structs.
 */
#ifndef ISOLUX_TEST_REFERENCE_H
#define ISOLUX_TEST_REFERENCE_H

#include "isolux.h"

G_BEGIN_DECLS

typedef struct
{
  IsoluxImage     image;
  guint8         *data;
  gsize           stride;
  gboolean        has_region;
  IsoluxRectangle region; /* as given, it may reach out of the image */
  const guint8   *mask;   /* of region as given; nullable */
  gsize           mask_stride;
} RefImage;

typedef struct
{
  gint     bits;
  gint     channels;
  gint     bins;
  gdouble  low, high;
  guint64 *counts; /* owned */
  guint64  total[3];
  gdouble  minimum[3], maximum[3];
} RefHistogram;

/* Bytes of a component. */
gsize ref_size (IsoluxType type);

/* A component as a number, which is exact for every type. */
gdouble ref_get (const RefImage *image, gint64 x, gint64 y, gint component);

/* Whether the pixel is in the region; and has alpha above 0. */
gboolean ref_in_region (const RefImage *image, gint64 x, gint64 y);
gboolean ref_has_alpha (const RefImage *image, gint64 x, gint64 y);

/* The whole numbers of 1/32768 that u8 and u16 use. */
void ref_weights (const gdouble weights[3], gint whole[3]);

/*
 * Gray.  doubtful, nullable, one byte a pixel, is set to 1 where the exact
 * result lies so close to the middle of two values that both are right.
 */
void ref_grayscale (const RefImage          *source,
                    const RefImage          *destination,
                    const IsoluxGrayOptions *options,
                    guint8                  *doubtful);

void ref_histogram (const RefImage               *image,
                    const IsoluxHistogramOptions *options,
                    RefHistogram                 *histogram);
void ref_histogram_clear (RefHistogram *histogram);

/* The Kolmogorov-Smirnov distance from uniform. */
gdouble ref_uniformity (const guint64 *counts, gint bins);

/* One channel's table, of bins values of type.  Returns whether it is the
 * identity; entries are then not set. */
gboolean ref_table (IsoluxType     type,
                    const guint64 *counts,
                    gint           bins,
                    gdouble        clip_limit,
                    gdouble        skip_threshold,
                    gpointer       entries);

/* Returns whether the image was left as it is. */
gboolean ref_equalize (const RefImage              *source,
                       const RefImage              *destination,
                       const IsoluxEqualizeOptions *options);

void ref_lut_apply (const RefImage  *source,
                    const RefImage  *destination,
                    const IsoluxLut *lut,
                    const gdouble    weights[3]);

/* Returns whether the image was left as it is. */
gboolean ref_clahe (const RefImage           *source,
                    const RefImage           *destination,
                    const IsoluxClaheOptions *options);

/* ---- What the references share ----------------------------------------- */

/* A value that has been rounded to the type. */
void ref_put (const RefImage *image,
              gint64          x,
              gint64          y,
              gint            component,
              gdouble         value);
void ref_copy_component (const RefImage *source,
                         gint            from,
                         const RefImage *destination,
                         gint            to,
                         gint64          x,
                         gint64          y);

/* The largest finite number instead of infinity. */
gdouble ref_finite (gdouble v);

/* finite: infinite components as the largest finite ones */
gdouble ref_luma (const RefImage *image,
                  gint64          x,
                  gint64          y,
                  const gdouble   weights[3],
                  gboolean        finite);

/* Three components with another luma. */
void ref_move (IsoluxType    type,
               const gdouble in[3],
               gdouble       from,
               gdouble       to,
               gdouble       out[3]);

G_END_DECLS

#endif /* ISOLUX_TEST_REFERENCE_H */
