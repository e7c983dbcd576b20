/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the known libraries compute, to the bit, and numbers that follow from
 * the published definitions.  equalize.txt is data made by cv2.equalizeHist
 * (4.6.0 and 5.0.0 agree).
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

/* Runs one operation from memory to memory. */
static void
run (IsoluxDevice                *device,
     const IsoluxImage           *image,
     gconstpointer                in,
     gint                         out_components,
     gpointer                     out,
     const IsoluxGrayOptions     *gray,
     const IsoluxEqualizeOptions *equalize)
{
  const gsize    size = ref_size (image->type);
  IsoluxImage    out_image = *image;
  IsoluxSurface *source, *destination;
  IsoluxView     view;
  GError        *error = NULL;
  gboolean       success;

  out_image.components = out_components;
  source = isolux_surface_new (device, image, &error);
  g_assert_no_error (error);
  destination = isolux_surface_new (device, &out_image, &error);
  g_assert_no_error (error);
  view.data = (gpointer) in;
  view.stride = (gsize) image->width * image->components * size;
  success = isolux_surface_upload (source, &view, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (success);
  if (gray)
    success = isolux_grayscale (source, destination, gray, NULL, &error);
  else
    success = isolux_equalize (source, destination, equalize, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (success);
  view.data = out;
  view.stride = (gsize) image->width * out_components * size;
  success = isolux_surface_download (destination, &view, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (success);
  isolux_surface_unref (source);
  isolux_surface_unref (destination);
}

static void
assert_bytes (const guint8 *actual, const guint8 *expected, gsize n)
{
  gsize i;

  if (memcmp (actual, expected, n) == 0)
    return;
  for (i = 0; actual[i] == expected[i]; i++)
    ;
  g_test_message ("byte %" G_GSIZE_FORMAT
                  " is %u, not %u (seed %" G_GUINT64_FORMAT ")",
                  i, actual[i], expected[i], test_seed ());
  g_assert_not_reached ();
}

/* ---- cv2.equalizeHist ------------------------------------------------- */

/* Its table; FALSE when the image has one value. */
static gboolean
cv2_table (const guint64 counts[256], guint8 table[256])
{
  guint64 total = 0, sum = 0;
  gfloat  scale;
  gint    first = 0, k;

  for (k = 0; k < 256; k++)
    total += counts[k];
  while (first < 255 && counts[first] == 0)
    first++;
  if (counts[first] == total)
    return FALSE;
  scale = 255.0f / (gfloat) (total - counts[first]);
  memset (table, 0, 256);
  for (k = first + 1; k < 256; k++)
    {
      long rounded;

      sum += counts[k];
      rounded = lrintf ((gfloat) sum * scale);
      table[k] = (guint8) CLAMP (rounded, 0, 255);
    }
  return TRUE;
}

static void
cv2_equalize (const guint8 *in, guint8 *out, gsize n)
{
  guint64 counts[256] = { 0 };
  guint8  table[256];
  gsize   i;

  for (i = 0; i < n; i++)
    counts[in[i]]++;
  if (! cv2_table (counts, table))
    memcpy (out, in, n);
  else
    for (i = 0; i < n; i++)
      out[i] = table[in[i]];
}

static guint8 *
read_matrix (gchar ***lines, const gchar *word, gint *height, gint *width)
{
  gchar **fields = g_strsplit (**lines, " ", 0);
  guint8 *values;
  gint    x, y;

  g_assert_cmpstr (fields[0], ==, word);
  *height = (gint) g_ascii_strtoll (fields[1], NULL, 10);
  *width = (gint) g_ascii_strtoll (fields[2], NULL, 10);
  g_assert_cmpstr (fields[3], ==, "uint8");
  g_strfreev (fields);
  (*lines)++;
  values = g_malloc ((gsize) *height * *width);
  for (y = 0; y < *height; y++, (*lines)++)
    {
      fields = g_strsplit (**lines, " ", 0);
      g_assert_cmpuint (g_strv_length (fields), ==, *width);
      for (x = 0; x < *width; x++)
        values[y * *width + x] = (guint8) g_ascii_strtoll (fields[x], NULL, 10);
      g_strfreev (fields);
    }
  return values;
}

static void
test_equalize_vectors (gconstpointer kind)
{
  const IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxDevice               *device = open_device (kind);
  gchar                      *path, *text, **lines, **line;
  GError                     *error = NULL;
  gint                        cases = 0;

  if (! device)
    return;
  path = g_test_build_filename (G_TEST_DIST, "golden", "equalize.txt", NULL);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", 0);
  for (line = lines; *line && **line; cases++)
    {
      IsoluxImage image = { 0, 0, 1, ISOLUX_TYPE_U8, 0 };
      guint8     *in, *out, *expected, *own;
      gint        height, width;
      gsize       n;

      g_assert_true (g_str_has_prefix (*line, "case equalize_"));
      g_test_message ("%s", *line);
      line++;
      in = read_matrix (&line, "in", &height, &width);
      expected = read_matrix (&line, "out", &height, &width);
      n = (gsize) height * width;
      image.width = width;
      image.height = height;
      out = g_malloc (n);
      run (device, &image, in, 1, out, NULL, &options);
      assert_bytes (out, expected, n);
      /* and what the other tests here compare with */
      own = g_malloc (n);
      cv2_equalize (in, own, n);
      assert_bytes (own, expected, n);
      g_free (in);
      g_free (out);
      g_free (own);
      g_free (expected);
    }
  g_assert_cmpint (cases, ==, 5);
  g_strfreev (lines);
  g_free (text);
  g_free (path);
  isolux_device_unref (device);
}

/* Few pixels, few values: sums times scale fall on halves. */
static void
test_equalize_ties (gconstpointer kind)
{
  const IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxDevice               *device = open_device (kind);
  gint                        i, ties = 0;

  if (! device)
    return;
  for (i = 0; i < 1000; i++)
    {
      Random      random = random_new (test_seed (), (guint64) i);
      IsoluxImage image = { 1 + (gint64) random_below (&random, 19),
                            1 + (gint64) random_below (&random, 19), 1,
                            ISOLUX_TYPE_U8, 0 };
      const guint step = 1 + (guint) random_below (&random, 79);
      const guint values = 2 + (guint) random_below (&random, 3);
      const gsize n = (gsize) (image.width * image.height);
      guint8      in[361], out[361], expected[361];
      guint       below[4] = { 0 }, rest;
      gsize       k;
      guint       v;

      for (k = 0; k < n; k++)
        {
          in[k] = (guint8) (random_below (&random, values) * step);
          below[in[k] / step]++;
        }
      cv2_equalize (in, expected, n);
      run (device, &image, in, 1, out, NULL, &options);
      assert_bytes (out, expected, n);
      rest = (guint) n - below[0];
      for (v = 1, k = 0; below[0] && rest && v < values; v++)
        {
          k += below[v];
          ties += below[v] && 2 * 255 * k % rest == 0 &&
                  2 * 255 * k / rest % 2 == 1;
        }
    }
  g_test_message ("%d sums lay on a half", ties);
  g_assert_cmpint (ties, >, 10);
  isolux_device_unref (device);
}

/* More than 2^24 pixels: the sum in single precision is rounded. */
static void
test_equalize_many_pixels (gconstpointer kind)
{
  const IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  const IsoluxImage           image = { 4500, 4501, 1, ISOLUX_TYPE_U8, 0 };
  const gsize                 n = 4500 * 4501;
  IsoluxDevice               *device = open_device (kind);
  guint8                     *in, *out, *expected;
  gsize                       i;
  gint                        picture;

  if (! device)
    return;
  in = g_malloc (n);
  out = g_malloc (n);
  expected = g_malloc (n);
  for (picture = 0; picture < 5; picture++)
    {
      Random random = random_new (test_seed (), 1000u + (guint64) picture);

      switch (picture)
        {
          case 0: /* all values */
            for (i = 0; i < n; i++)
              in[i] = (guint8) random_bits (&random);
            break;
          case 1: /* almost constant */
            memset (in, 77, n);
            for (i = 0; i < 1000; i++)
              in[random_below (&random, n)] = (guint8) random_bits (&random);
            break;
          case 2: /* nothing in the first bins, most in one */
            memset (in, 200, n);
            for (i = 0; i < n; i += 1 + random_below (&random, 9))
              in[i] = (guint8) (50 + random_below (&random, 3));
            break;
          case 3: /* two values */
            for (i = 0; i < n; i++)
              in[i] = random_below (&random, 3) ? 3 : 248;
            break;
          case 4: /* one pixel in the first bin */
            for (i = 0; i < n; i++)
              in[i] = (guint8) (1 + (random_bits (&random) & 127) +
                                (random_bits (&random) & 63));
            in[n / 2] = 0;
            break;
        }
      cv2_equalize (in, expected, n);
      memset (out, 0xee, n);
      run (device, &image, in, 1, out, NULL, &options);
      assert_bytes (out, expected, n);
    }
  g_free (in);
  g_free (out);
  g_free (expected);
  isolux_device_unref (device);
}

static void
equalize_u8 (IsoluxDevice *device,
             gint          width,
             gint          height,
             const guint8 *in,
             const guint8 *expected)
{
  const IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxImage                 image = { width, height, 1, ISOLUX_TYPE_U8, 0 };
  const gsize                 n = (gsize) width * height;
  guint8                     *out = g_malloc (n);

  run (device, &image, in, 1, out, NULL, &options);
  assert_bytes (out, expected, n);
  g_free (out);
}

/* By hand: the first bin's count is left out, the sum starts behind it. */
static void
test_equalize_by_hand (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);

  if (! device)
    return;
  /* one value: unchanged, not white */
  equalize_u8 (device, 2, 2, (const guint8 *) "\x55\x55\x55\x55",
               (const guint8 *) "\x55\x55\x55\x55");
  equalize_u8 (device, 1, 1, (const guint8 *) "\x01", (const guint8 *) "\x01");
  /* two values, however many: black and white */
  equalize_u8 (device, 5, 1, (const guint8 *) "\x10\x10\x10\x11\x10",
               (const guint8 *) "\x00\x00\x00\xff\x00");
  /* 10 (4 times), 20 (1), 30 (1): 1/2 of 255 is 127.5, to even 128 */
  equalize_u8 (device, 3, 2, (const guint8 *) "\x0a\x0a\x14\x0a\x1e\x0a",
               (const guint8 *) "\x00\x00\x80\x00\xff\x00");
  /* 1 (1), 2 (1), 3 (4): 1/5 of 255 is 51 */
  equalize_u8 (device, 6, 1, (const guint8 *) "\x01\x02\x03\x03\x03\x03",
               (const guint8 *) "\x00\x33\xff\xff\xff\xff");
  isolux_device_unref (device);
}

/* Counts that no 32 bits hold, by the table alone. */
static void
test_equalize_table (void)
{
  gint i, k;

  for (i = 0; i < 50; i++)
    {
      Random           random = random_new (test_seed (), 2000u + (guint64) i);
      guint64          counts[256] = { 0 };
      guint8           expected[256];
      IsoluxHistogram *h;
      IsoluxLut       *lut;
      GError          *error = NULL;

      for (k = 0; k < 256; k++)
        if (random_below (&random, 4))
          counts[k] = random_bits (&random) >>
                      (27 + random_below (&random, 30));
      h =
        isolux_histogram_new (ISOLUX_TYPE_U8, 8, 1, 256, 0, 0, counts, &error);
      g_assert_no_error (error);
      lut = isolux_lut_new_equalize (h, NULL, &error);
      g_assert_no_error (error);
      g_assert_false (lut->identity[0]);
      g_assert_true (cv2_table (counts, expected));
      assert_bytes (lut->entries, expected, 256);
      isolux_lut_free (lut);
      isolux_histogram_free (h);
    }
}

/* The same definition in double precision. */
static void
test_equalize_u16 (gconstpointer kind)
{
  const IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  const IsoluxImage           image = { 301, 257, 1, ISOLUX_TYPE_U16, 0 };
  const gsize                 n = 301 * 257;
  IsoluxDevice               *device = open_device (kind);
  guint16                    *in, *out;
  guint                      *counts;
  gint                        i;
  gsize                       k;

  if (! device)
    return;
  in = g_new (guint16, n);
  out = g_new (guint16, n);
  counts = g_new (guint, 65536);
  for (i = 0; i < 40; i++)
    {
      Random        random = random_new (test_seed (), 3000u + (guint64) i);
      const guint64 span = 2 + random_below (&random, i % 2 ? 4095 : 65535);
      const guint64 base = random_below (&random, 65537 - span);
      guint         first = 65536, sum = 0;
      gdouble       scale;

      memset (counts, 0, 65536 * sizeof *counts);
      for (k = 0; k < n; k++)
        {
          in[k] = (guint16) (base + random_below (&random, span));
          counts[in[k]]++;
          first = MIN (first, in[k]);
        }
      run (device, &image, in, 1, out, NULL, &options);
      scale = 65535.0 / (gdouble) (n - counts[first]);
      /* counts becomes the table */
      for (k = 0; k < 65536; k++)
        {
          sum += k > first ? counts[k] : 0;
          counts[k] = (guint) rint (sum * scale);
        }
      for (k = 0; k < n; k++)
        g_assert_cmpuint (out[k], ==, counts[in[k]]);
    }
  g_free (in);
  g_free (out);
  g_free (counts);
  isolux_device_unref (device);
}

/* ---- Gray ------------------------------------------------------------- */

/* cv2.cvtColor (RGB2GRAY): all colors of u8. */
static void
test_gray_u8 (gconstpointer kind)
{
  const IsoluxImage image = { 256, 256, 3, ISOLUX_TYPE_U8, 0 };
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
  IsoluxDevice     *device = open_device (kind);
  guint8           *in, *out;
  guint             r, g, b;
  gint              method;

  if (! device)
    return;
  in = g_malloc (3 * 65536);
  out = g_malloc (65536);
  for (r = 0; r < 256; r++)
    for (method = 0; method < 4; method++)
      {
        static const IsoluxGrayMethod methods[] = { ISOLUX_GRAY_LUMA_BT601,
                                                    ISOLUX_GRAY_LUMA_BT709,
                                                    ISOLUX_GRAY_AVERAGE,
                                                    ISOLUX_GRAY_MAXIMUM };

        for (g = 0; g < 256; g++)
          for (b = 0; b < 256; b++)
            {
              in[(g * 256 + b) * 3] = (guint8) r;
              in[(g * 256 + b) * 3 + 1] = (guint8) g;
              in[(g * 256 + b) * 3 + 2] = (guint8) b;
            }
        options.method = methods[method];
        run (device, &image, in, 1, out, &options, NULL);
        for (g = 0; g < 256; g++)
          for (b = 0; b < 256; b++)
            {
              const guint sum = r + g + b;
              const guint wanted =
                method == 0   ? (9798 * r + 19235 * g + 3735 * b + 16384) >> 15
                : method == 1 ? (6966 * r + 23436 * g + 2366 * b + 16384) >> 15
                : method == 2 ? sum / 3 + (sum % 3 == 2)
                              : MAX (MAX (r, g), b);

              g_assert_cmpuint (out[g * 256 + b], ==, wanted);
            }
      }
  g_free (in);
  g_free (out);
  isolux_device_unref (device);
}

static void
test_gray_u16 (gconstpointer kind)
{
  const IsoluxImage image = { 1021, 1021, 3, ISOLUX_TYPE_U16, 0 };
  const gsize       n = 1021 * 1021;
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
  IsoluxDevice     *device = open_device (kind);
  Random            random = random_new (test_seed (), 4000);
  guint16          *in, *out;
  gsize             i;
  gint              method;

  if (! device)
    return;
  in = g_new (guint16, 3 * n);
  out = g_new (guint16, n);
  for (i = 0; i < 3 * n; i++)
    switch (random_below (&random, 8))
      {
        case 0:
          in[i] = 65535;
          break;
        case 1:
          in[i] = 0;
          break;
        default:
          in[i] = (guint16) random_bits (&random);
      }
  for (method = 0; method < 2; method++)
    {
      options.method = method ? ISOLUX_GRAY_LUMA_BT709 : ISOLUX_GRAY_LUMA_BT601;
      run (device, &image, in, 1, out, &options, NULL);
      for (i = 0; i < n; i++)
        {
          const guint64 r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];

          g_assert_cmpuint (out[i], ==,
                            method
                              ? (6966 * r + 23436 * g + 2366 * b + 16384) >> 15
                              : (9798 * r + 19235 * g + 3735 * b + 16384) >>
                                  15);
        }
    }
  g_free (in);
  g_free (out);
  isolux_device_unref (device);
}

static gdouble
decode_srgb (gdouble v)
{
  return v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4);
}

/* The code whose linear value is nearest. */
static guint
encode_srgb (gdouble y, gint maximum)
{
  gint    c, best = 0;
  gdouble least = 2.0;
  gdouble v = y <= 0.0031308 ? 12.92 * y : 1.055 * pow (y, 1 / 2.4) - 0.055;
  gint    near = (gint) (v * maximum);

  for (c = MAX (near - 2, 0); c <= MIN (near + 3, maximum); c++)
    {
      const gdouble d = fabs (decode_srgb ((gdouble) c / maximum) - y);

      if (d < least)
        {
          least = d;
          best = c;
        }
    }
  return (guint) best;
}

/* Colors of u8 and u16 through the curve of sRGB by pow(). */
static void
test_gray_luminance (gconstpointer kind)
{
  IsoluxDevice *device = open_device (kind);
  gint          type, lightness;
  const gsize   n = 128 * 512;

  if (! device)
    return;
  for (type = 0; type < 2; type++)
    for (lightness = 0; lightness < 2; lightness++)
      {
        IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;
        IsoluxImage       image = { 128, 512, 3, (IsoluxType) type, 0 };
        const gint        maximum = type ? 65535 : 255;
        Random            random = random_new (test_seed (), 5000);
        guint16          *codes = g_new (guint16, 3 * n);
        guint8           *bytes = g_new (guint8, 3 * n);
        guint16          *out = g_new0 (guint16, n);
        gsize             i, off = 0;

        for (i = 0; i < 3 * n; i++)
          {
            /* the first half are all grays */
            codes[i] = (guint16) (i < 3 * n / 2
                                    ? (type ? i / 3 * 2 : i / 3 % 256)
                                    : random_below (&random, maximum + 1));
            bytes[i] = (guint8) codes[i];
          }
        options.method = lightness ? ISOLUX_GRAY_LIGHTNESS
                                   : ISOLUX_GRAY_LUMINANCE;
        run (device, &image, type ? (gpointer) codes : bytes, 1, out, &options,
             NULL);
        for (i = 0; i < n; i++)
          {
            const guint16 *c = codes + 3 * i;
            const guint    v = type ? out[i] : ((guint8 *) out)[i];
            const gdouble  y = 0.2126 * decode_srgb (1.0 * c[0] / maximum) +
                              0.7152 * decode_srgb (1.0 * c[1] / maximum) +
                              0.0722 * decode_srgb (1.0 * c[2] / maximum);
            const gdouble l = y > 216.0 / 24389.0
                                ? 116.0 * pow (y, 1.0 / 3.0) - 16.0
                                : y * 24389.0 / 27.0;
            const guint   wanted = lightness
                                     ? (guint) floor (l / 100.0 * maximum + 0.5)
                                     : encode_srgb (y, maximum);

            /* the linear values of the library are in single precision: a
             * color in the middle of two grays may become the other one */
            if (v != wanted)
              {
                const gdouble between =
                  lightness ? (l / 100.0 - (v + wanted) / 2.0 / maximum) / 3.0
                            : y - (decode_srgb (1.0 * v / maximum) +
                                   decode_srgb (1.0 * wanted / maximum)) /
                                    2.0;

                g_assert_cmpint (ABS ((gint) v - (gint) wanted), ==, 1);
                g_assert_cmpfloat (fabs (between), <, 1.2e-7);
                off++;
              }
            if (! lightness && i < n / 2)
              g_assert_cmpuint (v, ==, c[0]);
          }
        g_test_message ("%s, %s: %" G_GSIZE_FORMAT " of %" G_GSIZE_FORMAT
                        " are off by one",
                        type ? "u16" : "u8",
                        lightness ? "lightness" : "luminance", off, n);
        g_assert_cmpuint (off, <, n / 200);
        g_free (codes);
        g_free (bytes);
        g_free (out);
      }
  isolux_device_unref (device);
}

/* Published numbers: CIE L* of the primaries of sRGB and of 18 % gray. */
static void
test_gray_numbers (gconstpointer kind)
{
  static const guint8 colors[][3] = { { 0, 0, 0 },      { 255, 255, 255 },
                                      { 255, 0, 0 },    { 0, 255, 0 },
                                      { 0, 0, 255 },    { 119, 119, 119 },
                                      { 128, 128, 128 } };
  /* 53.24, 87.73, 32.30, 50.03, 53.59 of 100 */
  static const guint8        lightness[] = { 0, 255, 136, 224, 82, 128, 137 };
  static const guint8        luminance[] = { 0, 255, 127, 220, 76, 119, 128 };
  static const guint8        bt601[] = { 0, 255, 76, 150, 29, 119, 128 };
  static const guint8        bt709[] = { 0, 255, 54, 182, 18, 119, 128 };
  static const guint8        average[] = { 0, 255, 85, 85, 85, 119, 128 };
  static const guint8        most[] = { 0, 255, 255, 255, 255, 119, 128 };
  static const guint8 *const wanted[] = { bt601,     bt709,   luminance,
                                          lightness, average, most };
  static const gfloat linear[] = { 0.18f, 0.18f, 0.18f, 0.0f,  1.0f,  0.0f,
                                   2.0f,  2.0f,  2.0f,  -1.0f, -1.0f, -1.0f };
  IsoluxDevice       *device = open_device (kind);
  IsoluxImage         image = { 7, 1, 3, ISOLUX_TYPE_U8, 0 };
  IsoluxGrayOptions   options = ISOLUX_GRAY_DEFAULTS;
  guint8              out[7];
  gfloat              real[4];
  gint                method;

  if (! device)
    return;
  for (method = 0; method < 6; method++)
    {
      options.method = (IsoluxGrayMethod) method;
      run (device, &image, colors, 1, out, &options, NULL);
      g_assert_cmpmem (out, 7, wanted[method], 7);
    }
  image.width = 4;
  image.type = ISOLUX_TYPE_F32;
  options.method = ISOLUX_GRAY_LIGHTNESS;
  run (device, &image, linear, 1, real, &options, NULL);
  g_assert_cmpfloat_with_epsilon (real[0], 0.494961, 1e-6);
  g_assert_cmpfloat_with_epsilon (real[1], 0.877370, 1e-5);
  g_assert_cmpfloat (real[2], ==, 1.0f);
  g_assert_cmpfloat (real[3], ==, 0.0f);
  options.method = ISOLUX_GRAY_LUMINANCE;
  run (device, &image, linear, 1, real, &options, NULL);
  g_assert_cmpfloat (real[0], ==, 0.18f);
  g_assert_cmpfloat (real[1], ==, 0.7152f);
  g_assert_cmpfloat (real[2], ==, 2.0f);
  g_assert_cmpfloat (real[3], ==, -1.0f);
  isolux_device_unref (device);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const gchar  *name;
    GTestDataFunc function;
  } tests[] = {
    { "equalize/vectors", test_equalize_vectors },
    { "equalize/by-hand", test_equalize_by_hand },
    { "equalize/ties", test_equalize_ties },
    { "equalize/u16", test_equalize_u16 },
    { "equalize/many-pixels", test_equalize_many_pixels },
    { "gray/u8", test_gray_u8 },
    { "gray/u16", test_gray_u16 },
    { "gray/luminance", test_gray_luminance },
    { "gray/numbers", test_gray_numbers },
  };
  static const IsoluxBackendKind kinds[] = { ISOLUX_BACKEND_CPU,
                                             ISOLUX_BACKEND_CUDA };
  gsize                          i, k;

  g_test_init (&argc, &argv, NULL);
  test_seed ();
  for (k = 0; k < G_N_ELEMENTS (kinds); k++)
    for (i = 0; i < G_N_ELEMENTS (tests); i++)
      {
        gchar *path =
          g_strdup_printf ("/golden/%s/%s", k ? "cuda" : "cpu", tests[i].name);

        g_test_add_data_func (path, GINT_TO_POINTER (kinds[k]),
                              tests[i].function);
        g_free (path);
      }
  g_test_add_func ("/golden/table/large-counts", test_equalize_table);
  return g_test_run ();
}
