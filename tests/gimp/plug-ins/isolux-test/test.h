/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test.h: what the suites of the test plug-in share.
 */
#ifndef ISOLUX_GIMP_TEST_H
#define ISOLUX_GIMP_TEST_H

#include <libgimp/gimp.h>

/* ---- Results (TAP lines on standard output) ------------------------- */

void test_ok (gboolean good, const gchar *format, ...) G_GNUC_PRINTF (2, 3);
void test_skip (const gchar *format, ...) G_GNUC_PRINTF (1, 2);
void test_note (const gchar *format, ...) G_GNUC_PRINTF (1, 2);

/* ---- Pixels in a drawable's own format ------------------------------ */

/*
 * A copy of all pixels of a drawable
 * @values: what the bytes mean: codes of u8 and u16; for all other types the
 *   value as a float.  Pixel after pixel.
 */
typedef struct
{
  gint        width;
  gint        height;
  gint        components;
  gint        colors;  /* components without alpha */
  gint        maximum; /* 255, 65535, or 1 for all others */
  const Babl *format;
  gsize       bytes;
  guint8     *data;
  gdouble    *values;
} TestPixels;

TestPixels *test_pixels_get (GimpDrawable *drawable);
void        test_pixels_free (TestPixels *pixels);

/* The pixel's alpha, 1.0 or the largest code when there is none */
gdouble test_pixels_alpha (const TestPixels *pixels, gsize pixel);

gboolean test_pixels_equal (const TestPixels *a, const TestPixels *b);

/* Whether alpha is the same, to the bit */
gboolean test_alpha_equal (const TestPixels *a, const TestPixels *b);

/* A checksum of all drawables given */
gchar *test_checksum (GimpDrawable **drawables);

typedef enum
{
  TEST_PHOTO,   /* smooth, in a part of the range */
  TEST_UNIFORM, /* every value alike */
  TEST_CONSTANT,
  TEST_TWO,     /* two values */
  TEST_HOSTILE, /* floats: NaN, infinities, 1e38, -3, subnormal */
  TEST_PATTERNS
} TestPattern;

extern const gchar *const test_pattern_names[TEST_PATTERNS];

/* Fills a drawable, alpha too: 0 (over any color), half and full.  Nothing
 * is undone by that. */
void test_fill (GimpDrawable *drawable, TestPattern pattern, guint32 seed);

/* ---- Images --------------------------------------------------------- */

GimpImage *test_image (gint              width,
                       gint              height,
                       GimpImageBaseType type,
                       GimpPrecision     precision);

/* A layer on top, filled */
GimpDrawable *test_layer (GimpImage  *image,
                          gint        x,
                          gint        y,
                          gint        width,
                          gint        height,
                          gboolean    alpha,
                          TestPattern pattern,
                          guint32     seed);

/* How much each pixel of a drawable is selected, 0 .. 255; more than nothing,
 * but less than 1/255, is 1 */
guint8 *test_selection (GimpDrawable *drawable);

gint test_count_filters (GimpDrawable *drawable);

/* A copy by way of an XCF file; NULL when that fails */
GimpImage *test_save_and_load (GimpImage *image);

/* ---- Calls ---------------------------------------------------------- */

/*
 * Runs a procedure without interaction; arguments are pairs of names and
 * values as for g_object_set().  Returns the values, status first; @message
 * is the error, or %NULL.
 */
GimpValueArray *test_call (const gchar   *procedure,
                           GimpRunMode    run_mode,
                           GimpImage     *image,
                           GimpDrawable **drawables,
                           gchar        **message,
                           const gchar   *first,
                           ...);

/* plug-in-isolux-NAME on one drawable; whether it succeeded */
gboolean
test_run (const gchar *name, GimpDrawable *drawable, const gchar *first, ...);

/* ---- What should come out ------------------------------------------- */

/*
 * Whether @after is @before equalized: each color component by itself
 * (@each) or the luma.  @selected: (nullable): a byte a pixel, 0 = does not
 * count and stays, 1 .. 254 = counts and is not compared.  What differs is
 * noted.
 */
gboolean expect_equalized (const TestPixels *before,
                           const TestPixels *after,
                           const guint8     *selected,
                           gboolean          each,
                           gdouble           clip_limit);

gboolean expect_grayscale (const TestPixels *before,
                           const TestPixels *after,
                           const gchar      *method);

/* ---- Suites --------------------------------------------------------- */

void suite_pixels (const gchar *argument);
void suite_selections (const gchar *argument);
void suite_targets (const gchar *argument);
void suite_refusals (const gchar *argument);
void suite_histogram (const gchar *argument);
void suite_filters (const gchar *argument);
void suite_fault (const gchar *argument);
void suite_files (const gchar *argument);
void suite_algorithms (const gchar *argument);
void suite_units (const gchar *argument);
void suite_pipelines (const gchar *argument);

#endif /* ISOLUX_GIMP_TEST_H */
