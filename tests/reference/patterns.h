/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns and histograms of oriented gradients, written a
 * second time, pixel by pixel; and what runs the library's on a buffer.
 */
#ifndef ISOLUX_TEST_PATTERNS_H
#define ISOLUX_TEST_PATTERNS_H

#include "support.h"

G_BEGIN_DECLS

/* The gray, or the luma, of a pixel. */
gdouble
ref_gray (const RefImage *image, gint64 x, gint64 y, const gdouble weights[3]);

/* Whether a pixel counts for an operation on luma. */
gboolean ref_gray_counts (const RefImage *image, gint64 x, gint64 y);

/* A code, or where variance is not NULL, what is raw for a variance. */
guint32 ref_lbp (const RefImage         *image,
                 gint64                  x,
                 gint64                  y,
                 const IsoluxLbpOptions *options,
                 gdouble                *variance);
guint32 ref_lbp_codes (const IsoluxLbpOptions *options);

/* Writes all of destination, which is a picture or raw. */
void ref_lbp_picture (const RefImage         *source,
                      const RefImage         *destination,
                      const IsoluxLbpOptions *options);

/* rows * columns * orientations values of cells; to be freed with g_free() */
gfloat *ref_hog_cells (const RefImage         *image,
                       const IsoluxHogOptions *options,
                       gint64                 *rows,
                       gint64                 *columns);
/* Like isolux_hog(), but for the last bits. */
IsoluxHog *ref_hog (const RefImage *image, const IsoluxHogOptions *options);
void       ref_hog_picture (const RefImage         *source,
                            const RefImage         *destination,
                            const IsoluxHogOptions *options);

/* ---- Running -------------------------------------------------------- */

typedef gboolean (*PatternsFunc) (IsoluxSurface *source,
                                  IsoluxSurface *destination,
                                  gpointer       user_data,
                                  GError       **error);

/*
 * Calls function on surfaces of the two buffers (output: nullable): made from
 * views, or, with wrap, in memory of their own on the stream.
 */
gboolean patterns_run (IsoluxDevice *device,
                       gboolean      wrap,
                       gpointer      stream,
                       const Buffer *input,
                       const Region *region,
                       Buffer       *output,
                       PatternsFunc  function,
                       gpointer      user_data,
                       GError      **error);

G_END_DECLS

#endif /* ISOLUX_TEST_PATTERNS_H */
