/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What users of other programs met with windowing and deep images, by the
 * numbers of a list of their reports: each input, and others of its kind, has
 * the right result here.
 */
#include "support.h"

#include <math.h>
#include <string.h>

typedef struct
{
  IsoluxImage image;
  gpointer    data;
} Picture;

static IsoluxDevice *device; /* of the test that runs */

/* ---- Running ----------------------------------------------------- */

static gsize
bytes_of (const Picture *picture)
{
  return (gsize) (picture->image.width * picture->image.height *
                  picture->image.components) *
         ref_size (picture->image.type);
}

static IsoluxSurface *
surface_of (const Picture *picture)
{
  IsoluxView     view = { picture->data,
                          bytes_of (picture) / (gsize) picture->image.height };
  GError        *error = NULL;
  IsoluxSurface *surface = isolux_surface_new (device, &picture->image, &error);

  g_assert_no_error (error);
  g_assert_true (isolux_surface_upload (surface, &view, NULL, &error));
  return surface;
}

/* In place. */
static void
window (Picture *picture, const IsoluxWindowOptions *options)
{
  IsoluxSurface *surface = surface_of (picture);
  IsoluxView     view = { picture->data,
                          bytes_of (picture) / (gsize) picture->image.height };
  IsoluxReport   report;
  GError        *error = NULL;

  g_assert_true (isolux_window (surface, surface, options, &report, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (report.warning, ==, "");
  g_assert_true (isolux_surface_download (surface, &view, NULL, &error));
  g_assert_no_error (error);
  isolux_surface_unref (surface);
}

static Picture
codes (IsoluxType type, gint64 width, gint64 height)
{
  Picture picture = { { width, height, 1, type, 0 }, NULL };

  picture.data = g_malloc0 (bytes_of (&picture));
  return picture;
}

/* Runs a test on one kind of device. */
static void
on (IsoluxBackendKind kind, void (*test) (void))
{
  device = kind == ISOLUX_BACKEND_CUDA ? test_cuda () : test_cpu (0);
  if (! device)
    return;
  test ();
  g_clear_pointer (&device, isolux_device_unref);
}

#define ON_BOTH(name)               \
  static void name##_cpu (void)     \
  {                                 \
    on (ISOLUX_BACKEND_CPU, name);  \
  }                                 \
  static void name##_cuda (void)    \
  {                                 \
    on (ISOLUX_BACKEND_CUDA, name); \
  }

/* ---- R43: inversion ---------------------------------------------- */

/* What is inverted is the result of window and gamma, over the whole range of
 * the type: not the input, and not over its largest value. */
static void
inverted (void)
{
  static const IsoluxType types[] = { ISOLUX_TYPE_U8, ISOLUX_TYPE_U16,
                                      ISOLUX_TYPE_F32 };
  gsize                   t;
  gint                    mode, k;

  for (t = 0; t < G_N_ELEMENTS (types); t++)
    for (mode = 0; mode < 3; mode++)
      {
        IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
        Picture             a = codes (types[t], 50, 4);
        Picture             b = codes (types[t], 50, 4);

        for (k = 0; k < 200; k++)
          if (types[t] == ISOLUX_TYPE_U8)
            ((guint8 *) a.data)[k] = (guint8) (30 + k / 2);
          else if (types[t] == ISOLUX_TYPE_U16)
            ((guint16 *) a.data)[k] = (guint16) (500 + 17 * k);
          else
            ((gfloat *) a.data)[k] = (gfloat) (-1000 + 10 * k);
        memcpy (b.data, a.data, bytes_of (&a));
        options.mode = (IsoluxWindowMode) mode;
        options.center = types[t] == ISOLUX_TYPE_U8 ? 80.0 : 1000.0;
        options.width = types[t] == ISOLUX_TYPE_U8 ? 40.0 : 900.0;
        options.gamma = 1.7;
        window (&a, &options);
        options.invert = TRUE;
        window (&b, &options);
        for (k = 0; k < 200; k++)
          if (types[t] == ISOLUX_TYPE_U8)
            g_assert_cmpint (((guint8 *) a.data)[k], ==,
                             255 - ((guint8 *) b.data)[k]);
          else if (types[t] == ISOLUX_TYPE_U16)
            g_assert_cmpint (((guint16 *) a.data)[k], ==,
                             65535 - ((guint16 *) b.data)[k]);
          else
            g_assert_cmpfloat (fabsf (((gfloat *) a.data)[k] - 1.0f +
                                      ((gfloat *) b.data)[k]),
                               <, 1e-7f);
        g_free (a.data);
        g_free (b.data);
      }
}
ON_BOTH (inverted)

/* ---- R44: few bits in files of many ------------------------------ */

/* Every level of 9 to 16 bits is told apart and the range is filled, whether
 * the bits are known or not. */
static void
few_bits (void)
{
  gint bits, given, k;

  for (bits = 9; bits <= 16; bits++)
    for (given = 0; given < 2; given++)
      {
        IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
        const gint          levels = 1 << bits;
        Picture             p = codes (ISOLUX_TYPE_U16, levels, 1);
        guint16            *v = p.data;

        p.image.bits = given ? bits : 0;
        for (k = 0; k < levels; k++)
          v[k] = (guint16) k;
        options.mode = ISOLUX_WINDOW_RANGE;
        window (&p, &options);
        g_assert_cmpuint (v[0], ==, 0);
        g_assert_cmpuint (v[levels - 1], ==, 65535);
        for (k = 1; k < levels; k++)
          g_assert_cmpuint (v[k], >, v[k - 1]);
        g_free (p.data);
      }
}
ON_BOTH (few_bits)

/* Hot pixels do not make the rest black. */
static void
hot_pixels (void)
{
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  Picture             p = codes (ISOLUX_TYPE_U16, 100, 100);
  guint16            *v = p.data;
  gint                k;

  for (k = 0; k < 10000; k++)
    v[k] = (guint16) (1000 + k % 100);
  for (k = 0; k < 10; k++)
    v[k * 1000] = 65535;
  window (&p, &options);
  for (k = 0; k < 10000; k++)
    if (v[k] != 65535)
      g_assert_cmpfloat (fabs (v[k] -
                               CLAMP (k % 100 / 99.0, 0.0, 1.0) * 65535.0),
                         <=, 1500.0);
  g_free (p.data);
}
ON_BOTH (hot_pixels)

/* The histogram ends where the codes do. */
static void
histogram_ends (void)
{
  gint bits;

  for (bits = 8; bits <= 16; bits++)
    {
      Picture          p = codes (ISOLUX_TYPE_U16, 8, 8);
      IsoluxSurface   *surface;
      IsoluxHistogram *h;
      GError          *error = NULL;

      ((guint16 *) p.data)[17] = (guint16) ((1 << bits) - 1);
      surface = surface_of (&p);
      h = isolux_histogram (surface, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpint (h->bits, ==, bits);
      g_assert_cmpfloat (h->high, ==, (1 << bits) - 1);
      g_assert_cmpint (h->bins, ==, 1 << bits);
      isolux_histogram_free (h);
      isolux_surface_unref (surface);
      g_free (p.data);
    }
}
ON_BOTH (histogram_ends)

/* ---- Also seen --------------------------------------------------- */

/* CT to PNG all grey: codes 31815 .. 31989 of 65535. */
static void
narrow_range (void)
{
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  Picture             p = codes (ISOLUX_TYPE_U16, 175, 20);
  guint16            *v = p.data;
  gint                k;

  for (k = 0; k < 175 * 20; k++)
    v[k] = (guint16) (31815 + k % 175);
  options.mode = ISOLUX_WINDOW_RANGE;
  window (&p, &options);
  for (k = 0; k < 175 * 20; k++)
    g_assert_cmpint (v[k], ==, (gint) rint (k % 175 * 65535.0 / 174.0));
  g_free (p.data);
}
ON_BOTH (narrow_range)

/* Signed values: Hounsfield units below 0 are neither 0 nor near white. */
static void
signed_values (void)
{
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  Picture             p = codes (ISOLUX_TYPE_F32, 4096, 1);
  gfloat             *v = p.data;
  gint                k;

  for (k = 0; k < 4096; k++)
    v[k] = (gfloat) (k - 1024);
  options.mode = ISOLUX_WINDOW_WINDOW;
  options.center = -600.0; /* of a lung */
  options.width = 1500.0;
  window (&p, &options);
  for (k = 0; k < 4096; k++)
    g_assert_cmpfloat (fabs (v[k] -
                             CLAMP ((k - 1024 + 1350) / 1500.0, 0.0, 1.0)),
                       <, 1e-6);
  g_free (p.data);
}
ON_BOTH (signed_values)

/* Padding beside the image does not count and does not change, whatever its
 * value is. */
static void
padding (void)
{
  static const gfloat   values[] = { -1024.0f, 0.0f, -32768.0f, 1e30f, NAN };
  const IsoluxRectangle body = { 10, 0, 80, 30 };
  gsize                 i;
  gint                  k;

  for (i = 0; i < G_N_ELEMENTS (values); i++)
    {
      IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
      Picture             p = codes (ISOLUX_TYPE_F32, 100, 30);
      gfloat             *v = p.data;
      IsoluxSurface      *surface;
      IsoluxView          view = { p.data, 400 };
      GError             *error = NULL;

      for (k = 0; k < 3000; k++)
        v[k] = k % 100 < 10 || k % 100 >= 90 ? values[i] : (gfloat) (k % 100);
      options.mode = ISOLUX_WINDOW_RANGE;
      surface = surface_of (&p);
      g_assert_true (isolux_surface_set_region (surface, &body, NULL, 0,
                                                &error));
      g_assert_true (isolux_window (surface, surface, &options, NULL, &error));
      g_assert_true (isolux_surface_download (surface, &view, NULL, &error));
      for (k = 0; k < 3000; k++)
        if (k % 100 < 10 || k % 100 >= 90)
          g_assert_true (memcmp (&v[k], &values[i], sizeof *v) == 0);
        else
          g_assert_cmpfloat (fabs (v[k] - (k % 100 - 10) / 79.0), <, 1e-6);
      isolux_surface_unref (surface);
      g_free (p.data);
    }
}
ON_BOTH (padding)

/* The number of bins of somebody's histogram is no setting of the window. */
static void
bins_apart (void)
{
  gint bins;

  for (bins = 2; bins <= 65536; bins *= 2)
    {
      IsoluxHistogramOptions counting = ISOLUX_HISTOGRAM_DEFAULTS;
      IsoluxWindowOptions    options = ISOLUX_WINDOW_DEFAULTS;
      Picture                p = codes (ISOLUX_TYPE_U16, 256, 16);
      guint16               *v = p.data;
      IsoluxSurface         *surface;
      IsoluxHistogram       *h;
      guint64                total = 0;
      gint                   k;

      p.image.bits = 16;
      for (k = 0; k < 4096; k++)
        v[k] = (guint16) (k * 5 + 100);
      surface = surface_of (&p);
      counting.bins = bins;
      h = isolux_histogram (surface, &counting, NULL, NULL);
      g_assert_nonnull (h);
      g_assert_cmpint (h->bins, ==, bins);
      for (k = 0; k < bins; k++)
        total += h->counts[k];
      g_assert_cmpuint (total, ==, 4096);
      isolux_histogram_free (h);
      isolux_surface_unref (surface);
      options.low_percentile = 0.0;
      options.high_percentile = 100.0;
      window (&p, &options);
      for (k = 0; k < 4096; k++)
        g_assert_cmpint (v[k], ==, (gint) rint (k * 65535.0 / 4095.0));
      g_free (p.data);
    }
}
ON_BOTH (bins_apart)

/* Bins that hold equally many codes make no comb of an even slope. */
static void
no_comb (void)
{
  gint bits, bins, k;

  for (bits = 9; bits <= 16; bits++)
    for (bins = 2; bins <= 1 << bits; bins *= 2)
      {
        IsoluxHistogramOptions counting = ISOLUX_HISTOGRAM_DEFAULTS;
        Picture                p = codes (ISOLUX_TYPE_U16, 1 << bits, 1);
        IsoluxSurface         *surface;
        IsoluxHistogram       *h;

        for (k = 0; k < 1 << bits; k++)
          ((guint16 *) p.data)[k] = (guint16) k;
        surface = surface_of (&p);
        counting.bins = bins;
        h = isolux_histogram (surface, &counting, NULL, NULL);
        if (h) /* more than the bits found out are an error */
          for (k = 0; k < bins; k++)
            g_assert_cmpuint (h->counts[k], ==, (1u << bits) / (guint) bins);
        g_assert_nonnull (h);
        isolux_histogram_free (h);
        isolux_surface_unref (surface);
        g_free (p.data);
      }
}
ON_BOTH (no_comb)

/* What is exported is what was chosen: two windows, two images, and the one
 * that was chosen is all that shows. */
static void
chosen_window (void)
{
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  Picture             p = codes (ISOLUX_TYPE_U16, 4096, 1);
  guint16            *v = p.data;
  gint                k;

  for (k = 0; k < 4096; k++)
    v[k] = (guint16) k;
  options.mode = ISOLUX_WINDOW_WINDOW;
  options.center = 1064.0; /* 40 HU at an offset of 1024 */
  options.width = 400.0;
  window (&p, &options);
  for (k = 0; k < 4096; k++)
    g_assert_cmpint (v[k], ==,
                     (gint) rint (CLAMP ((k - 864.0) / 400.0, 0.0, 1.0) *
                                  65535.0));
  g_free (p.data);
}
ON_BOTH (chosen_window)

/* One value, and transparent layers: no white, no error. */
static void
one_value (void)
{
  gint mode, k;

  for (mode = 1; mode < 3; mode++)
    {
      IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
      Picture             p = codes (ISOLUX_TYPE_U16, 8, 8);
      Picture             q = { { 8, 8, 4, ISOLUX_TYPE_F32, 0 }, NULL };
      gfloat             *before;

      options.mode = (IsoluxWindowMode) mode;
      for (k = 0; k < 64; k++)
        ((guint16 *) p.data)[k] = 300;
      window (&p, &options);
      for (k = 0; k < 64; k++)
        g_assert_cmpuint (((guint16 *) p.data)[k], ==, 300);
      q.data = g_malloc0 (bytes_of (&q));
      for (k = 0; k < 256; k++)
        ((gfloat *) q.data)[k] = k % 4 == 3 ? 0.0f : (gfloat) k;
      before = g_memdup2 (q.data, bytes_of (&q));
      window (&q, &options);
      g_assert_cmpmem (q.data, bytes_of (&q), before, bytes_of (&q));
      g_free (before);
      g_free (p.data);
      g_free (q.data);
    }
}
ON_BOTH (one_value)

#define ADD_AS(row, name)                                       \
  g_test_add_func ("/users/" row "/" #name "/cpu", name##_cpu); \
  g_test_add_func ("/users/" row "/" #name "/cuda", name##_cuda)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_AS ("R43", inverted);
  ADD_AS ("R44", few_bits);
  ADD_AS ("R44", hot_pixels);
  ADD_AS ("R44", histogram_ends);
  ADD_AS ("also-seen", narrow_range);
  ADD_AS ("also-seen", signed_values);
  ADD_AS ("also-seen", padding);
  ADD_AS ("also-seen", bins_apart);
  ADD_AS ("also-seen", no_comb);
  ADD_AS ("also-seen", chosen_window);
  ADD_AS ("also-seen", one_value);
  return g_test_run ();
}
