/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What users of other programs met with CLAHE, by the numbers of a list of
 * their reports: each input, and others of its kind, has the right result
 * here.
 */
#include "support.h"

#include <math.h>
#include <string.h>

/* The device of a test; NULL after g_test_skip(). */
static IsoluxDevice *
open_device (gconstpointer kind)
{
  return GPOINTER_TO_INT (kind) == ISOLUX_BACKEND_CUDA ? test_cuda ()
                                                       : test_cpu (0);
}

static gsize
bytes_of (const IsoluxImage *image)
{
  return (gsize) (image->width * image->height * image->components) *
         ref_size (image->type);
}

static IsoluxSurface *
surface_of (IsoluxDevice *device, const IsoluxImage *image, gconstpointer in)
{
  IsoluxView     view;
  IsoluxSurface *surface;
  GError        *error = NULL;

  surface = isolux_surface_new (device, image, &error);
  g_assert_no_error (error);
  view.data = (gpointer) in;
  view.stride = bytes_of (image) / (gsize) image->height;
  isolux_surface_upload (surface, &view, NULL, &error);
  g_assert_no_error (error);
  return surface;
}

/* The result, to be freed with g_free(). */
static gpointer
clahe (IsoluxDevice             *device,
       const IsoluxImage        *image,
       gconstpointer             in,
       const IsoluxClaheOptions *options)
{
  IsoluxSurface *surface = surface_of (device, image, in);
  IsoluxView     view;
  IsoluxReport   report;
  GError        *error = NULL;

  isolux_clahe (surface, surface, options, &report, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (report.warning, ==, "");
  view.data = g_malloc (bytes_of (image));
  view.stride = bytes_of (image) / (gsize) image->height;
  isolux_surface_download (surface, &view, NULL, &error);
  g_assert_no_error (error);
  isolux_surface_unref (surface);
  return view.data;
}

static gdouble
component (const IsoluxImage *image, gconstpointer pixels, gint64 i)
{
  return image->type == ISOLUX_TYPE_U8    ? ((const guint8 *) pixels)[i]
         : image->type == ISOLUX_TYPE_U16 ? ((const guint16 *) pixels)[i]
                                          : ((const gfloat *) pixels)[i];
}

static gdouble
mean_of (const IsoluxImage *image, gconstpointer pixels)
{
  const gint64 n = image->width * image->height * image->components;
  gdouble      sum = 0.0;
  gint64       i;

  for (i = 0; i < n; i++)
    sum += component (image, pixels, i);
  return sum / (gdouble) n;
}

/* The mean of the absolute differences. */
static gdouble
distance_of (const IsoluxImage *image, gconstpointer a, gconstpointer b)
{
  const gint64 n = image->width * image->height * image->components;
  gdouble      sum = 0.0;
  gint64       i;

  for (i = 0; i < n; i++)
    sum += fabs (component (image, a, i) - component (image, b, i));
  return sum / (gdouble) n;
}

/* Hills, a dark corner, a bright disc and some noise: 0 .. 255. */
static guint8 *
scene_of (gint64 width, gint64 height)
{
  guint8 *pixels = g_malloc ((gsize) (width * height));
  Random  random = random_new (17, 4);
  gint64  x, y;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      {
        const gdouble u = (gdouble) x / width, v = (gdouble) y / height;
        gdouble       value = 90.0 + 40.0 * sin (u * 9.0) * cos (v * 7.0) +
                        60.0 * u * v;

        if ((u - 0.7) * (u - 0.7) + (v - 0.4) * (v - 0.4) < 0.02)
          value += 70.0;
        value += 40.0 * (random_unit (&random) - 0.5);
        pixels[y * width + x] = (guint8) CLAMP (value, 0.0, 255.0);
      }
  return pixels;
}

/* ---- Depth and units ---------------------------------------------------- */

/* More than 12 bits run, and neither tiles nor clip make a picture of 12 or
 * 16 bits brighter than that of 8. */
static void
test_r1 (gconstpointer kind)
{
  static const gint    grids[] = { 2, 8, 16 };
  static const gdouble clips[] = { 2.0, 8.0, 40.0 };
  IsoluxDevice        *device = open_device (kind);
  const IsoluxImage    gray = { 256, 256, 1, ISOLUX_TYPE_U8, 0 };
  const IsoluxImage    deep = { 256, 256, 1, ISOLUX_TYPE_U16, 0 };
  guint8              *in;
  guint16             *in16;
  gint                 g, c, depth;
  gsize                i;

  if (! device)
    return;
  in = scene_of (256, 256);
  in16 = g_new (guint16, 256 * 256);
  for (depth = 12; depth <= 16; depth += 4)
    {
      const guint step = 1u << (depth - 8);
      Random      random = random_new (test_seed (), (guint64) depth);

      for (i = 0; i < 256 * 256; i++)
        in16[i] = (guint16) (in[i] * step + random_below (&random, step));
      for (g = 0; g < 3; g++)
        for (c = 0; c < 3; c++)
          {
            IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
            guint8            *out;
            guint16           *out16;
            gdouble            difference;

            options.tiles_x = options.tiles_y = grids[g];
            options.clip_limit = clips[c];
            out = clahe (device, &gray, in, &options);
            out16 = clahe (device, &deep, in16, &options);
            difference = mean_of (&deep, out16) / 257.0 - mean_of (&gray, out);
            g_test_message ("%d bits, grid %d, clip %g: %+.2f levels", depth,
                            grids[g], clips[c], difference);
            g_assert_cmpfloat (difference, <, 3.0);
            /* of small tiles, 8 bits are brighter: what OpenCV's limit
             * leaves over goes to the lower codes first */
            if (grids[g] <= 8)
              g_assert_cmpfloat (difference, >, -8.0);
            g_free (out);
            g_free (out16);
          }
    }
  g_free (in);
  g_free (in16);
  isolux_device_unref (device);
}

static gdouble
mean_difference (const IsoluxImage *gray,
                 const guint8      *out,
                 const IsoluxImage *deep,
                 const guint16     *out16)
{
  return mean_of (deep, out16) / 257.0 - mean_of (gray, out);
}

/* The same picture of 8 and of 16 bits looks the same. */
static void
test_r2 (gconstpointer kind)
{
  static const gdouble clips[] = { 0.0, 1.0, 2.0, 4.0, 40.0 };
  IsoluxDevice        *device = open_device (kind);
  const IsoluxImage    gray = { 512, 512, 1, ISOLUX_TYPE_U8, 0 };
  const IsoluxImage    deep = { 512, 512, 1, ISOLUX_TYPE_U16, 0 };
  Random               random = random_new (test_seed (), 2);
  guint8              *in;
  guint16             *stretched, *filled;
  gsize                i, k;

  if (! device)
    return;
  in = scene_of (512, 512);
  stretched = g_new (guint16, 512 * 512);
  filled = g_new (guint16, 512 * 512);
  for (i = 0; i < 512 * 512; i++)
    {
      stretched[i] = (guint16) (in[i] * 257);
      filled[i] = (guint16) (in[i] * 256 + random_below (&random, 256));
    }
  for (k = 0; k < G_N_ELEMENTS (clips); k++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      guint8            *cv2, *even;
      guint16           *full, *coarse;
      gdouble            worst = 0.0, to_cv2, to_even;

      options.clip_limit = clips[k];
      cv2 = clahe (device, &gray, in, &options);
      full = clahe (device, &deep, filled, &options);
      options.bins = 256;
      even = clahe (device, &gray, in, &options);
      coarse = clahe (device, &deep, stretched, &options);
      for (i = 0; i < 512 * 512; i++)
        worst = MAX (worst, fabs (coarse[i] / 257.0 - even[i]));
      to_cv2 = mean_difference (&gray, cv2, &deep, full);
      to_even = mean_difference (&gray, even, &deep, full);
      g_test_message ("clip %g: with 256 bins at most %.3f, else on average "
                      "%.2f, %.2f with OpenCV's leftovers",
                      clips[k], worst, to_even, to_cv2);
      g_assert_cmpfloat (worst, <=, 1.0);
      /* A level of the 8 bits becomes the highest of its levels of the 16.
       * OpenCV's leftovers make them a little brighter still. */
      g_assert_cmpfloat (fabs (to_even), <=, clips[k] == 2.0 ? 2.0 : 3.5);
      g_assert_cmpfloat (fabs (to_cv2), <=, clips[k] == 2.0 ? 2.1 : 3.5);
      g_free (cv2);
      g_free (even);
      g_free (full);
      g_free (coarse);
    }
  g_free (in);
  g_free (stretched);
  g_free (filled);
  isolux_device_unref (device);
}

/* No bit is dropped: 16 neighboring codes of 16 bits stay apart, also where
 * a bin holds several. */
static void
test_r3 (gconstpointer kind)
{
  static const gint bins[] = { 0, 256, 65536 };
  IsoluxDevice     *device = open_device (kind);
  const IsoluxImage image = { 64, 64, 1, ISOLUX_TYPE_U16, 16 };
  guint16           in[64 * 64];
  gsize             k;
  gint              i;

  if (! device)
    return;
  for (i = 0; i < 64 * 64; i++)
    in[i] = (guint16) (30000 + i % 16);
  for (k = 0; k < G_N_ELEMENTS (bins); k++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      guint16           *out;

      options.tiles_x = options.tiles_y = 1;
      options.clip_limit = 0.0;
      options.bins = bins[k];
      out = clahe (device, &image, in, &options);
      for (i = 1; i < 16; i++)
        g_assert_cmpuint (out[i], >, out[i - 1]);
      g_free (out);
    }
  isolux_device_unref (device);
}

/* What the limit cuts off is spread evenly: a ramp below a peak stays one. */
static void
test_r4 (gconstpointer kind)
{
  IsoluxDevice      *device = open_device (kind);
  const IsoluxImage  image = { 256, 256, 1, ISOLUX_TYPE_U16, 16 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  guint16           *in, *out, *cv2;
  gint               i, worst = 0, worst_cv2 = 0;

  if (! device)
    return;
  in = g_new (guint16, 65536);
  for (i = 0; i < 65536; i++)
    in[i] = (guint16) (i < 16384 ? i * 4 : 1000);
  options.tiles_x = options.tiles_y = 1;
  options.bins = 65536; /* as in the report */
  out = clahe (device, &image, in, &options);
  options.compatibility = ISOLUX_CLAHE_OPENCV;
  cv2 = clahe (device, &image, in, &options);
  for (i = 0; i < 65536; i++)
    {
      worst = MAX (worst, ABS (out[i] - in[i]));
      worst_cv2 = MAX (worst_cv2, ABS (cv2[i] - in[i]));
    }
  g_test_message ("off the ramp by %d; OpenCV's way: %d", worst, worst_cv2);
  g_assert_cmpint (worst, <=, 4);
  g_assert_cmpint (worst_cv2, >, 1000);
  g_free (in);
  g_free (out);
  g_free (cv2);
  isolux_device_unref (device);
}

/* 12 bits in words of 16 have 4096 bins, said or found, and a limit that
 * bites. */
static void
test_r5 (gconstpointer kind)
{
  IsoluxDevice      *device = open_device (kind);
  IsoluxImage        image = { 512, 512, 1, ISOLUX_TYPE_U16, 0 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  const gsize        size = 512 * 512 * sizeof (guint16);
  guint8            *scene;
  guint16           *in, *found, *said, *bins, *more;
  Random             random = random_new (test_seed (), 5);
  gsize              i, changed = 0;

  if (! device)
    return;
  scene = scene_of (512, 512);
  in = g_new (guint16, 512 * 512);
  for (i = 0; i < 512 * 512; i++)
    in[i] = (guint16) (scene[i] * 16 + random_below (&random, 16));
  in[0] = 4095;
  options.tiles_x = options.tiles_y = 1;
  found = clahe (device, &image, in, &options);
  image.bits = 12;
  said = clahe (device, &image, in, &options);
  options.bins = 4096;
  bins = clahe (device, &image, in, &options);
  g_assert_cmpmem (found, size, said, size);
  g_assert_cmpmem (found, size, bins, size);
  g_free (found);
  g_free (said);
  g_free (bins);

  options = (IsoluxClaheOptions) ISOLUX_CLAHE_DEFAULTS;
  found = clahe (device, &image, in, &options);
  options.clip_limit = 4.0;
  more = clahe (device, &image, in, &options);
  for (i = 0; i < 512 * 512; i++)
    changed += ABS (found[i] - more[i]) > 64;
  g_test_message ("clip 2 to 4 moves %.1f %% of the pixels",
                  changed / (512 * 512 / 100.0));
  g_assert_cmpuint (changed, >, 512 * 512 / 4);
  g_free (found);
  g_free (more);
  g_free (in);
  g_free (scene);
  isolux_device_unref (device);
}

/* Large numbers never give NaN; types that are not there are refused. */
static void
test_r7 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  IsoluxImage   image = { 32, 32, 1, ISOLUX_TYPE_F32, 0 };
  Random        random = random_new (test_seed (), 7);
  gfloat        in[32 * 32], *out;
  GError       *error = NULL;
  gint          i;

  if (! device)
    return;
  for (i = 0; i < 32 * 32; i++)
    in[i] = (gfloat) (random_unit (&random) * 4294967295.0);
  out = clahe (device, &image, in, NULL);
  for (i = 0; i < 32 * 32; i++)
    g_assert_true (out[i] >= 0.0f && out[i] <= 1.0f);
  g_free (out);
  image.type = (IsoluxType) 3;
  g_assert_null (isolux_surface_new (device, &image, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_device_unref (device);
}

/* One value stays what it is, whatever the type and the tiles. */
static void
test_r9 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gint          type, size;

  if (! device)
    return;
  for (type = 0; type < 3; type++)
    for (size = 0; size <= 9; size += 3)
      {
        IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
        const IsoluxImage  image = { 8, 8, 1, (IsoluxType) type, 0 };
        guint8             u8[64];
        guint16            u16[64];
        gfloat             f32[64];
        gconstpointer      in = type == 0   ? (gconstpointer) u8
                                : type == 1 ? (gconstpointer) u16
                                            : (gconstpointer) f32;
        gpointer           out;
        gint               i;

        for (i = 0; i < 64; i++)
          {
            u8[i] = 77;
            u16[i] = 300;
            f32[i] = 0.1f;
          }
        options.tile_size = size;
        out = clahe (device, &image, in, &options);
        g_assert_cmpmem (out, bytes_of (&image), in, bytes_of (&image));
        g_free (out);
      }
  isolux_device_unref (device);
}

/* A limit below one count a bin ends, too. */
static void
test_r10 (gconstpointer kind)
{
  IsoluxDevice      *device = open_device (kind);
  const IsoluxImage  image = { 100, 80, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  guint8             in[100 * 80], *out;
  gint               i;

  if (! device)
    return;
  for (i = 0; i < 100 * 80; i++)
    in[i] = (guint8) (1 + i % 5);
  options.clip_limit = 0.001;
  out = clahe (device, &image, in, &options);
  for (i = 1; i < 5; i++)
    g_assert_cmpuint (out[i], >=, out[i - 1]);
  g_free (out);
  isolux_device_unref (device);
}

/* The top of the range is no limit, as is 0. */
static void
test_r11 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gint          type;

  if (! device)
    return;
  for (type = 0; type < 3; type++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      const IsoluxImage  image = { 60, 50, 3, (IsoluxType) type, 0 };
      Random             random = random_new (test_seed (), 11);
      Buffer             buffer;
      gpointer           top, none;

      buffer_init (&buffer, &image, 0, 0);
      buffer_fill (&buffer, VALUES_RANDOM, &random);
      options.clip_limit = 65536.0;
      top = clahe (device, &image, buffer.view.data, &options);
      options.clip_limit = 0.0;
      none = clahe (device, &image, buffer.view.data, &options);
      g_assert_cmpmem (top, bytes_of (&image), none, bytes_of (&image));
      g_assert_true (memcmp (top, buffer.view.data, bytes_of (&image)) != 0);
      g_free (top);
      g_free (none);
      buffer_clear (&buffer);
    }
  isolux_device_unref (device);
}

/* A higher limit is more effect; tiles by number and by size are the same. */
static void
test_r12 (gconstpointer kind)
{
  static const gdouble clips[] = { 0.25, 0.5, 1.0, 1.5, 2.0, 3.0,
                                   4.0,  6.0, 10., 40., 0.0 };
  IsoluxDevice        *device = open_device (kind);
  gint                 type;

  if (! device)
    return;
  for (type = 0; type < 3; type++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      const IsoluxImage  image = { 256, 192, 1, (IsoluxType) type, 0 };
      guint8            *scene = scene_of (256, 192);
      gpointer           in = g_malloc (bytes_of (&image)), by_size, out, least;
      Random             random = random_new (test_seed (), 12);
      gdouble            before = 0.0;
      gsize              i;

      for (i = 0; i < 256 * 192; i++)
        if (type == 0)
          ((guint8 *) in)[i] = scene[i];
        else if (type == 1)
          ((guint16 *) in)[i] =
            (guint16) (scene[i] * 64 + random_below (&random, 64));
        else
          ((gfloat *) in)[i] =
            (gfloat) ((scene[i] + random_unit (&random)) / 256.0);
      options.clip_limit = 1e-9;
      least = clahe (device, &image, in, &options);
      for (i = 0; i < G_N_ELEMENTS (clips); i++)
        {
          gdouble effect;

          options.clip_limit = clips[i];
          out = clahe (device, &image, in, &options);
          effect = distance_of (&image, out, least) / (type == 0   ? 255.0
                                                       : type == 1 ? 65535.0
                                                                   : 1.0);
          g_test_message ("type %d, clip %g: effect %.4f", type, clips[i],
                          effect);
          /* whole counts of small tiles: the least limits are alike; and in
           * the end nothing is cut off */
          if (type == 0 || clips[i] == 40.0 || clips[i] == 0.0)
            g_assert_cmpfloat (effect, >=, before);
          else
            g_assert_cmpfloat (effect, >, before);
          before = effect;
          g_free (out);
        }
      g_free (least);

      options = (IsoluxClaheOptions) ISOLUX_CLAHE_DEFAULTS;
      options.tiles_x = 4;
      options.tiles_y = 3;
      out = clahe (device, &image, in, &options);
      options.tile_size = 64;
      by_size = clahe (device, &image, in, &options);
      g_assert_cmpmem (out, bytes_of (&image), by_size, bytes_of (&image));
      g_free (out);
      g_free (by_size);
      g_free (in);
      g_free (scene);
    }
  isolux_device_unref (device);
}

/* The range is told where it is left, and every number in it is taken. */
static void
test_r13 (gconstpointer kind)
{
  static const gdouble bad[] = { -0.1, 65536.5, INFINITY, NAN };
  static const gdouble good[] = { 0.0, 1e-300, 0.01, 0.1, 25.0, 65536.0 };
  IsoluxDevice        *device = open_device (kind);
  const IsoluxImage    image = { 4, 2, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxSurface       *surface;
  gsize                i;

  if (! device)
    return;
  surface = surface_of (device, &image, "abcdefgh");
  for (i = 0; i < G_N_ELEMENTS (bad) + G_N_ELEMENTS (good); i++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      GError            *error = NULL;
      const gboolean     fine = i >= G_N_ELEMENTS (bad);

      options.clip_limit = fine ? good[i - G_N_ELEMENTS (bad)] : bad[i];
      g_assert_true (isolux_clahe (surface, surface, &options, NULL, &error) ==
                     fine);
      if (fine)
        g_assert_no_error (error);
      else
        {
          g_assert_nonnull (strstr (error->message, "65536"));
          assert_error (error, ISOLUX_ERROR_ARGUMENT);
        }
    }
  isolux_surface_unref (surface);
  isolux_device_unref (device);
}

/* The unit knows no scale: four times the pixels, the same result. */
static void
test_r14 (gconstpointer kind)
{
  IsoluxDevice      *device = open_device (kind);
  const IsoluxImage  small = { 128, 128, 1, ISOLUX_TYPE_U8, 0 };
  const IsoluxImage  large = { 256, 256, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  guint8            *in, *twice, *out, *out_twice;
  gint               x, y;

  if (! device)
    return;
  in = scene_of (128, 128);
  twice = g_malloc (256 * 256);
  for (y = 0; y < 256; y++)
    for (x = 0; x < 256; x++)
      twice[y * 256 + x] = in[y / 2 * 128 + x / 2];
  options.tiles_x = options.tiles_y = 1;
  out = clahe (device, &small, in, &options);
  out_twice = clahe (device, &large, twice, &options);
  for (y = 0; y < 256; y++)
    for (x = 0; x < 256; x++)
      g_assert_cmpint (ABS (out_twice[y * 256 + x] - out[y / 2 * 128 + x / 2]),
                       <=, 1);
  g_free (in);
  g_free (twice);
  g_free (out);
  g_free (out_twice);
  isolux_device_unref (device);
}

/* ---- Geometry ----------------------------------------------------------- */

/* A ramp with three levels of noise. */
static gpointer
ramp_of (const IsoluxImage *image)
{
  gpointer pixels = g_malloc (bytes_of (image));
  Random   random = random_new (3, 15);
  gint64   x, y;

  for (y = 0; y < image->height; y++)
    for (x = 0; x < image->width; x++)
      {
        const gdouble v = 40.0 +
                          120.0 * (gdouble) (x + y) /
                            (gdouble) (image->width + image->height) +
                          (gdouble) random_below (&random, 3);
        const gint64 i = y * image->width + x;

        if (image->type == ISOLUX_TYPE_U8)
          ((guint8 *) pixels)[i] = (guint8) v;
        else
          ((guint16 *) pixels)[i] =
            (guint16) (v * 256.0 + (gdouble) random_below (&random, 256));
      }
  return pixels;
}

/* No jump of the means of lines is larger at the edges and middles of tiles
 * than elsewhere, and the outermost lines were changed. */
static void
check_lines (const IsoluxImage *image,
             const guint8      *in,
             const guint8      *out,
             gboolean           columns,
             gint64             tile)
{
  const gint64  lines = columns ? image->width : image->height;
  const gint64  n = columns ? image->height : image->width;
  const gdouble unit = image->type == ISOLUX_TYPE_U8 ? 1.0 : 257.0;
  gdouble       before = 0.0, at_tiles = 0.0, elsewhere = 0.0;
  gint64        line, i;

  for (line = 0; line < lines; line++)
    {
      gdouble mean = 0.0, jump;
      gint64  changed = 0, least = n;

      for (i = 0; i < n; i++)
        {
          const gint64  at = columns ? i * image->width + line
                                     : line * image->width + i;
          const gdouble v = component (image, out, at) / unit;

          mean += v / (gdouble) n;
          changed += component (image, in, at) != component (image, out, at);
        }
      if (line == 0 || line == lines - 1)
        least = changed;
      g_assert_cmpint (least, >, n / 2);
      jump = fabs (mean - before);
      before = mean;
      if (line == 0)
        continue;
      if (line % tile == 0 || (line + tile / 2) % tile < 2)
        at_tiles = MAX (at_tiles, jump);
      else
        elsewhere = MAX (elsewhere, jump);
    }
  if (tile > 4)
    g_assert_cmpfloat (at_tiles, <=, elsewhere + 1.0);
}

static void
check_seams (IsoluxDevice *device,
             IsoluxType    type,
             gint64        width,
             gint64        height,
             gint          tiles_x,
             gint          tiles_y)
{
  const IsoluxImage  image = { width, height, 1, type, 0 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  const gint64       rest = width % tiles_x != 0 || height % tiles_y != 0;
  gpointer           in = ramp_of (&image), out;

  options.tiles_x = tiles_x;
  options.tiles_y = tiles_y;
  out = clahe (device, &image, in, &options);
  check_lines (&image, in, out, FALSE, height / tiles_y + rest);
  check_lines (&image, in, out, TRUE, width / tiles_x + rest);
  g_free (in);
  g_free (out);
}

static void
test_r15 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);

  if (! device)
    return;
  check_seams (device, ISOLUX_TYPE_U8, 126, 128, 8, 8);
  check_seams (device, ISOLUX_TYPE_U8, 128, 126, 8, 8);
  check_seams (device, ISOLUX_TYPE_U8, 338, 424, 16, 16);
  check_seams (device, ISOLUX_TYPE_U8, 143, 169, 11, 13);
  check_seams (device, ISOLUX_TYPE_U8, 151, 203, 7, 9);
  isolux_device_unref (device);
}

/* Any grid works: long tiles, a tile a pixel, more tiles than pixels. */
static void
test_r16 (gconstpointer kind)
{
  static const gint cases[][4] = { { 1000, 236, 12, 50 }, { 1000, 236, 50, 12 },
                                   { 40, 30, 40, 30 },    { 7, 5, 1024, 1024 },
                                   { 1, 1, 8, 8 },        { 1, 300, 8, 8 },
                                   { 300, 1, 8, 8 },      { 3, 200, 1, 1024 } };
  IsoluxDevice     *device = open_device (kind);
  gsize             i;

  if (! device)
    return;
  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const IsoluxImage  image = { cases[i][0], cases[i][1], 1, ISOLUX_TYPE_U8,
                                   0 };
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      guint8            *in = ramp_of (&image), *out;

      options.tiles_x = cases[i][2];
      options.tiles_y = cases[i][3];
      out = clahe (device, &image, in, &options);
      g_free (in);
      g_free (out);
    }
  isolux_device_unref (device);
}

/* The picture and the grid turned over give the result turned over. */
static void
check_transposed (IsoluxDevice *device,
                  IsoluxType    type,
                  gint64        width,
                  gint64        height,
                  gint          tiles_x,
                  gint          tiles_y)
{
  const IsoluxImage  image = { width, height, 1, type, 0 };
  const IsoluxImage  turned = { height, width, 1, type, 0 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  const gsize        size = ref_size (type);
  guint8            *in = ramp_of (&image), *out, *out_turned;
  guint8            *in_turned = g_malloc (bytes_of (&image));
  gint64             x, y;

  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      memcpy (in_turned + (gsize) (x * height + y) * size,
              in + (gsize) (y * width + x) * size, size);
  options.tiles_x = tiles_x;
  options.tiles_y = tiles_y;
  out = clahe (device, &image, in, &options);
  options.tiles_x = tiles_y;
  options.tiles_y = tiles_x;
  out_turned = clahe (device, &turned, in_turned, &options);
  for (y = 0; y < height; y++)
    for (x = 0; x < width; x++)
      g_assert_cmpfloat (fabs (component (&image, out, y * width + x) -
                               component (&turned, out_turned, x * height + y)),
                         <=, 1.0);
  g_free (in);
  g_free (in_turned);
  g_free (out);
  g_free (out_turned);
}

/* No stripes along diagonals with tiles that are no squares. */
static void
test_r17 (gconstpointer kind)
{
  IsoluxDevice      *device = open_device (kind);
  const IsoluxImage  image = { 640, 480, 1, ISOLUX_TYPE_U16, 16 };
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  guint16           *in, *out;
  gint               x, y, i;
  gdouble            worst = 0.0;

  if (! device)
    return;
  in = g_new (guint16, 640 * 480);
  for (y = 0; y < 480; y++)
    for (x = 0; x < 640; x++)
      in[y * 640 + x] = (guint16) ((x + y) * 50);
  options.tiles_x = 6;
  options.tiles_y = 4;
  out = clahe (device, &image, in, &options);
  /* along a diagonal of equal codes values change slowly */
  for (i = 1; i < 480 * 640; i++)
    if (i % 640 && i / 640)
      {
        const gint a = (i / 640 - 1) * 640 + i % 640, b = i - 1;

        worst = MAX (worst, fabs ((gdouble) out[a] - out[b]) / 257.0);
      }
  g_test_message ("along a diagonal by %.2f levels a pixel", worst);
  g_assert_cmpfloat (worst, <, 3.0);
  check_transposed (device, ISOLUX_TYPE_U8, 64, 48, 6, 4);
  check_transposed (device, ISOLUX_TYPE_U16, 64, 48, 6, 4);
  g_free (in);
  g_free (out);
  isolux_device_unref (device);
}

/* What cannot be done fails, with a text, and writes nothing. */
static void
test_r18 (gconstpointer kind)
{
  IsoluxDevice     *device = open_device (kind);
  const IsoluxImage image = { 4, 2, 1, ISOLUX_TYPE_U8, 0 };
  const IsoluxImage other = { 5, 2, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxSurface    *surface, *different;
  gint              i;

  if (! device)
    return;
  surface = surface_of (device, &image, "abcdefgh");
  different = surface_of (device, &other, "abcdefghij");
  for (i = 0; i < 12; i++)
    {
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      IsoluxView         view;
      guint8             back[10];
      GError            *error = NULL;

      switch (i)
        {
          case 0:
            options.tiles_x = 0;
            break;
          case 1:
            options.tiles_y = 1025;
            break;
          case 2:
            options.tiles_x = -8;
            break;
          case 3:
            options.tile_size = -1;
            break;
          case 4:
            options.tile_size = 65537;
            break;
          case 5:
            options.bins = 100;
            break;
          case 6:
            options.bins = 131072;
            break;
          case 7:
            options.channels = (IsoluxEqualizeChannels) 2;
            break;
          case 8:
            options.compatibility = (IsoluxClaheCompatibility) 2;
            break;
          case 9:
            options.use_padding_value = TRUE;
            options.padding_value = NAN;
            break;
          case 10:
            options.weights[0] = -1.0;
            break;
          case 11: /* the surfaces do not fit */
            break;
        }
      g_assert_false (isolux_clahe (surface, i == 11 ? different : surface,
                                    &options, NULL, &error));
      assert_error (error, ISOLUX_ERROR_ARGUMENT);
      view.data = back;
      view.stride = 5;
      isolux_surface_download (i == 11 ? different : surface, &view, NULL,
                               &error);
      g_assert_no_error (error);
      g_assert_cmpmem (back, 4, "abcd", 4);
    }
  isolux_surface_unref (surface);
  isolux_surface_unref (different);
  isolux_device_unref (device);
}

/* Rows of tiles need not be as many as columns. */
static void
test_r19 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gint          tiles_x, tiles_y;

  if (! device)
    return;
  for (tiles_y = 1; tiles_y <= 5; tiles_y++)
    for (tiles_x = 1; tiles_x <= 5; tiles_x++)
      {
        check_transposed (device, ISOLUX_TYPE_U8, 37, 53, tiles_x, tiles_y);
        check_transposed (device, ISOLUX_TYPE_U16, 60, 60, tiles_x, tiles_y);
      }
  isolux_device_unref (device);
}

/* One tile is one table for all. */
static void
test_r20 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gint          type;

  if (! device)
    return;
  for (type = 0; type < 2; type++)
    {
      const IsoluxImage  image = { 150, 131, 1, (IsoluxType) type, 0 };
      IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
      gpointer           in = ramp_of (&image), out;
      gint              *table = g_new (gint, 65536);
      gint64             i, last = -1;

      options.tiles_x = options.tiles_y = 1;
      out = clahe (device, &image, in, &options);
      for (i = 0; i < 65536; i++)
        table[i] = -1;
      for (i = 0; i < 150 * 131; i++)
        {
          gint *entry = &table[(gint) component (&image, in, i)];

          if (*entry >= 0)
            g_assert_cmpint (*entry, ==, component (&image, out, i));
          *entry = (gint) component (&image, out, i);
        }
      for (i = 0; i < 65536; i++)
        if (table[i] >= 0)
          {
            g_assert_cmpint (table[i], >=, last);
            last = table[i];
          }
      g_free (table);
      g_free (in);
      g_free (out);
    }
  isolux_device_unref (device);
}

/* The last column and row are processed as the others are. */
static void
test_r22 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);

  if (! device)
    return;
  check_seams (device, ISOLUX_TYPE_U8, 67, 55, 8, 8);
  check_seams (device, ISOLUX_TYPE_U8, 668, 543, 3, 2);
  check_seams (device, ISOLUX_TYPE_U16, 67, 55, 8, 8);
  check_seams (device, ISOLUX_TYPE_U16, 255, 257, 4, 4);
  isolux_device_unref (device);
}

/* Statistics are those of the whole image, whatever part is asked for. */
static void
test_r24 (gconstpointer kind)
{
  const IsoluxRectangle part = { 13, 21, 40, 30 };
  IsoluxDevice         *device = open_device (kind);
  const IsoluxImage     image = { 120, 90, 1, ISOLUX_TYPE_U8, 0 };
  guint8               *in, *out, crop[40 * 30];
  const IsoluxView      view = { crop, 40 };
  IsoluxSurface        *surface;
  GError               *error = NULL;
  gint                  y;

  if (! device)
    return;
  in = scene_of (120, 90);
  out = clahe (device, &image, in, NULL);
  surface = surface_of (device, &image, in);
  isolux_clahe (surface, surface, NULL, NULL, &error);
  g_assert_no_error (error);
  isolux_surface_download (surface, &view, &part, &error);
  g_assert_no_error (error);
  for (y = 0; y < 30; y++)
    g_assert_cmpmem (crop + y * 40, 40, out + (y + 21) * 120 + 13, 40);
  isolux_surface_unref (surface);
  g_free (in);
  g_free (out);
  isolux_device_unref (device);
}

/* Counts of a tile have 64 bits. */
static void
test_r25 (gconstpointer kind)
{
  const guint64 pixels = G_GUINT64_CONSTANT (65537) * 65537;
  gint          whole;

  for (whole = 0; whole < 2; whole++)
    {
      /* half of all in one bin, half in another */
      const guint64 half = pixels / 2, rest = pixels - half;
      const guint64 limit = isolux_tile_limit (whole, 64.0, pixels, 256);
      const guint64 kept = isolux_tile_kept (whole, half, limit) +
                           isolux_tile_kept (whole, rest, limit);
      const IsoluxTileTerms terms =
        isolux_tile_terms (whole, pixels, limit, kept, 256, 65535.0);
      const guint64 unit = whole ? 1 : 65536;

      /* a quarter of all each, and a half spread */
      g_assert_cmpuint (limit, ==, pixels * unit / 4);
      g_assert_cmpuint (isolux_tile_sum (&terms, kept, 255), ==, pixels * unit);
      g_assert_cmpuint (isolux_tile_code (&terms,
                                          isolux_tile_sum (&terms, kept, 255),
                                          65535),
                        ==, 65535);
      g_assert_cmpint (ABS ((gint) isolux_tile_code (&terms,
                                                     isolux_tile_sum (&terms,
                                                                      kept / 2,
                                                                      127),
                                                     65535) -
                            32767),
                       <=, 1);
    }
  g_assert_cmpint (isolux_grid (65537, 65537, 1, 1).tile_width *
                     isolux_grid (65537, 65537, 1, 1).tile_height,
                   ==, (gint64) pixels);
}

/* 16 bits are native: no stripes, and the output has more than 8 bits. */
static void
test_r26 (gconstpointer kind)
{
  IsoluxDevice     *device = open_device (kind);
  const IsoluxImage image = { 256, 192, 1, ISOLUX_TYPE_U16, 0 };
  guint16          *in, *out;
  guint8           *seen;
  gint              i, levels = 0;

  if (! device)
    return;
  check_seams (device, ISOLUX_TYPE_U16, 256, 192, 8, 6);
  check_seams (device, ISOLUX_TYPE_U16, 250, 190, 8, 6);
  in = ramp_of (&image);
  out = clahe (device, &image, in, NULL);
  seen = g_malloc0 (65536);
  for (i = 0; i < 256 * 192; i++)
    seen[out[i]] = 1;
  for (i = 0; i < 65536; i++)
    levels += seen[i];
  g_test_message ("%d levels", levels);
  g_assert_cmpint (levels, >, 10000);
  g_free (in);
  g_free (out);
  g_free (seen);
  isolux_device_unref (device);
}

/* 16 bits in, 16 bits out, also when the codes would fit into 8. */
static void
test_r27 (gconstpointer kind)
{
  IsoluxDevice     *device = open_device (kind);
  const IsoluxImage image = { 64, 64, 1, ISOLUX_TYPE_U16, 0 };
  const IsoluxImage gray = { 64, 64, 1, ISOLUX_TYPE_U8, 0 };
  guint16           in[64 * 64], *out, most = 0;
  IsoluxSurface    *deep, *flat;
  GError           *error = NULL;
  gint              i;

  if (! device)
    return;
  for (i = 0; i < 64 * 64; i++)
    in[i] = (guint16) (i * 7 % 256);
  out = clahe (device, &image, in, NULL);
  for (i = 0; i < 64 * 64; i++)
    most = MAX (most, out[i]);
  g_assert_cmpuint (most, >, 60000);
  deep = surface_of (device, &image, in);
  flat = surface_of (device, &gray, in);
  g_assert_false (isolux_clahe (deep, flat, NULL, NULL, &error));
  assert_error (error, ISOLUX_ERROR_ARGUMENT);
  isolux_surface_unref (deep);
  isolux_surface_unref (flat);
  g_free (out);
  isolux_device_unref (device);
}

/* The time is bounded by pixels and tiles, also for the finest grid with
 * most tiles empty. */
static void
test_r28 (gconstpointer kind)
{
  IsoluxDevice         *device = open_device (kind);
  const IsoluxImage     image = { 700, 700, 1, ISOLUX_TYPE_U8, 0 };
  const IsoluxRectangle left = { 0, 0, 3, 700 };
  IsoluxClaheOptions    options = ISOLUX_CLAHE_DEFAULTS;
  guint8               *in;
  IsoluxSurface        *surface;
  GError               *error = NULL;

  if (! device)
    return;
  in = scene_of (700, 700);
  surface = surface_of (device, &image, in);
  isolux_surface_set_region (surface, &left, NULL, 0, &error);
  g_assert_no_error (error);
  options.tiles_x = options.tiles_y = 700;
  g_test_timer_start ();
  isolux_clahe (surface, surface, &options, NULL, &error);
  g_assert_no_error (error);
  g_test_message ("%.2f s", g_test_timer_elapsed ());
  g_assert_cmpfloat (g_test_timer_last (), <, 60.0);
  isolux_surface_unref (surface);
  g_free (in);
  isolux_device_unref (device);
}

/* ---- GPU and CPU, color, alpha ------------------------------------------ */

/* The same bytes from both, at sizes that fill no block and for every limit;
 * in colors as well. */
static void
check_backends (gint components)
{
  static const gdouble clips[] = { 0.0, 0.3, 1.0, 2.0, 5.0, 40.0 };
  IsoluxDevice        *cuda = test_cuda ();
  IsoluxDevice        *cpu;
  gsize                k;
  gint                 type, channels;

  if (! cuda)
    return;
  cpu = test_cpu (0);
  for (type = 0; type < 3; type++)
    for (channels = 0; channels < 2; channels++)
      for (k = 0; k < G_N_ELEMENTS (clips); k++)
        {
          IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
          Random             random = random_new (test_seed (), 30 + k);
          const IsoluxImage  image = { 97 + 31 * (gint64) k, 61, components,
                                       (IsoluxType) type, 0 };
          Buffer             buffer;
          gpointer           here, there;

          buffer_init (&buffer, &image, 0, 0);
          buffer_fill (&buffer, VALUES_RANDOM, &random);
          options.clip_limit = clips[k];
          options.channels = (IsoluxEqualizeChannels) channels;
          here = clahe (cpu, &image, buffer.view.data, &options);
          there = clahe (cuda, &image, buffer.view.data, &options);
          g_assert_cmpmem (here, bytes_of (&image), there, bytes_of (&image));
          g_free (here);
          g_free (there);
          buffer_clear (&buffer);
        }
  isolux_device_unref (cpu);
  isolux_device_unref (cuda);
}

static void
test_r30 (gconstpointer kind)
{
  check_backends (1);
}

static void
test_r31 (gconstpointer kind)
{
  check_backends (2);
}

static void
test_r32 (gconstpointer kind)
{
  check_backends (3);
}

/* The GPU keeps the depth. */
static void
test_r33 (gconstpointer kind)
{
  IsoluxDevice     *device = test_cuda ();
  const IsoluxImage image = { 200, 150, 1, ISOLUX_TYPE_U16, 0 };
  guint16          *in, *out;
  gint              i, odd = 0;

  if (! device)
    return;
  in = ramp_of (&image);
  out = clahe (device, &image, in, NULL);
  for (i = 0; i < 200 * 150; i++)
    odd += out[i] % 257 != 0;
  g_assert_cmpint (odd, >, 200 * 150 / 2);
  g_free (in);
  g_free (out);
  isolux_device_unref (device);
}

/* When the GPU fails, the CPU gives the right bytes, and it is told. */
static void
test_r34 (gconstpointer kind)
{
  IsoluxDevice     *device = test_cuda ();
  const IsoluxImage image = { 120, 90, 1, ISOLUX_TYPE_U8, 0 };
  guint8           *in, *out, back[120 * 90];
  const IsoluxView  view = { back, 120 };
  guint             count;
  gboolean          came = TRUE;

  if (! device)
    return;
  in = scene_of (120, 90);
  out = clahe (device, &image, in, NULL);
  for (count = 1; came; count++)
    {
      IsoluxSurface *surface = surface_of (device, &image, in);
      IsoluxReport   report;
      GError        *error = NULL;

      isolux_fault_arm (ISOLUX_FAULT_CUDA, count, FALSE);
      isolux_clahe (surface, surface, NULL, &report, &error);
      came = isolux_fault_calls (ISOLUX_FAULT_CUDA) >= count;
      isolux_fault_arm (ISOLUX_FAULT_CUDA, 0, FALSE);
      g_assert_no_error (error);
      isolux_surface_download (surface, &view, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpmem (back, sizeof back, out, sizeof back);
      if (report.backend == ISOLUX_BACKEND_CPU)
        g_assert_cmpstr (report.warning, !=, "");
      isolux_surface_unref (surface);
    }
  g_assert_cmpuint (count, >, 5);
  g_free (in);
  g_free (out);
  isolux_device_unref (device);
}

/* Alpha stays, and what it hides has no effect on what is seen. */
static void
test_r35 (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gint          type, channels;

  if (! device)
    return;
  for (type = 0; type < 3; type++)
    for (channels = 0; channels < 2; channels++)
      {
        const IsoluxImage  image = { 96, 80, 4, (IsoluxType) type, 0 };
        IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
        Random             random = random_new (test_seed (), 35);
        const gsize        size = ref_size (image.type);
        Buffer             first, second;
        guint8            *a, *b;
        gint64             x, y;

        options.channels = (IsoluxEqualizeChannels) channels;
        buffer_init (&first, &image, 0, 0);
        buffer_init (&second, &image, 0, 0);
        buffer_fill (&first, VALUES_RANDOM, &random);
        for (y = 0; y < 80; y++)
          for (x = 0; x < 96; x++)
            {
              RefImage       ref = buffer_to_ref (&first);
              const gboolean hidden = x > 20 && x < 70 && y > 30 && y < 60;
              gint           c;

              ref_put (&ref, x, y, 3, hidden ? 0.0 : 1.0);
              for (c = 0; hidden && c < 3; c++)
                ref_put (&ref, x, y, c, 1.0);
            }
        memcpy (second.block, first.block, first.size);
        for (y = 31; y < 60; y++)
          for (x = 21; x < 70; x++)
            {
              RefImage ref = buffer_to_ref (&second);
              gint     c;

              for (c = 0; c < 3; c++)
                ref_put (&ref, x, y, c,
                         type == ISOLUX_TYPE_F32 ? 1e30 : 200.0 + c);
            }
        a = clahe (device, &image, first.view.data, &options);
        b = clahe (device, &image, second.view.data, &options);
        for (y = 0; y < 80; y++)
          for (x = 0; x < 96; x++)
            {
              const gsize    at = (gsize) (y * 96 + x) * 4 * size;
              const guint8  *in = (guint8 *) second.view.data + at;
              const gboolean hidden = x > 20 && x < 70 && y > 30 && y < 60;

              g_assert_cmpmem (b + at + 3 * size, size, in + 3 * size, size);
              if (hidden)
                g_assert_cmpmem (b + at, 4 * size, in, 4 * size);
              else
                g_assert_cmpmem (a + at, 4 * size, b + at, 4 * size);
            }
        g_free (a);
        g_free (b);
        buffer_clear (&first);
        buffer_clear (&second);
      }
  isolux_device_unref (device);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar  *name;
    GTestDataFunc function;
    gboolean      once; /* not for each backend */
  } tests[] = { { "R1/not-too-bright", test_r1 },
                { "R2/same-look", test_r2 },
                { "R3/all-bits", test_r3 },
                { "R4/spread-evenly", test_r4 },
                { "R5/significant-bits", test_r5 },
                { "R7/never-nan", test_r7 },
                { "R9/constant", test_r9 },
                { "R10/terminates", test_r10 },
                { "R11/top-is-no-limit", test_r11 },
                { "R12/monotone", test_r12 },
                { "R13/range-told", test_r13 },
                { "R14/scale-free", test_r14 },
                { "R15/no-seam", test_r15 },
                { "R16/any-grid", test_r16 },
                { "R17/no-stripes", test_r17 },
                { "R18/fails-loudly", test_r18 },
                { "R19/rows-and-columns", test_r19 },
                { "R20/one-tile", test_r20 },
                { "R22/last-lines", test_r22 },
                { "R24/whole-statistics", test_r24 },
                { "R25/large-counts", test_r25, TRUE },
                { "R26/native-16-bit", test_r26 },
                { "R27/depth-kept", test_r27 },
                { "R28/bounded-time", test_r28 },
                { "R30/same-bytes", test_r30, TRUE },
                { "R31/any-block", test_r31, TRUE },
                { "R32/same-colors", test_r32, TRUE },
                { "R33/depth-on-gpu", test_r33, TRUE },
                { "R34/safe-fallback", test_r34, TRUE },
                { "R35/alpha", test_r35 } };
  gsize i;

  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (i = 0; i < G_N_ELEMENTS (tests); i++)
    {
      gchar *cpu = g_strdup_printf ("/users/%s%s", tests[i].name,
                                    tests[i].once ? "" : "/cpu");
      gchar *cuda = g_strdup_printf ("/users/%s/cuda", tests[i].name);

      g_test_add_data_func (cpu, GINT_TO_POINTER (ISOLUX_BACKEND_CPU),
                            tests[i].function);
      if (! tests[i].once)
        g_test_add_data_func (cuda, GINT_TO_POINTER (ISOLUX_BACKEND_CUDA),
                              tests[i].function);
      g_free (cpu);
      g_free (cuda);
    }
  return g_test_run ();
}
