/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The self-test: each operation on built-in images, on each backend.  What
 * comes out becomes one number an operation, which is compared with the one
 * known to be right.
 */
#include "internal.h"

#include <math.h>

#define WIDTH 61
#define HEIGHT 47
#define IMAGES 6 /* u8, u16, f32; gray, RGB with alpha */

/* ---- Checksums (FNV-1a of 64 bits) ------------------------------- */

#define CHECKSUM_START G_GUINT64_CONSTANT (0xcbf29ce484222325)
#define CHECKSUM_PRIME G_GUINT64_CONSTANT (0x100000001b3)

/* Lowest byte first, so that all machines have the same checksum. */
static void
add_number (guint64 *checksum, guint64 number, gint bytes)
{
  for (; bytes > 0; bytes--, number >>= 8)
    *checksum = (*checksum ^ (number & 255)) * CHECKSUM_PRIME;
}

/* In units of a millionth: the last bits are the C library's. */
static void
add_real (guint64 *checksum, gdouble v)
{
  add_number (checksum, isfinite (v) ? (guint64) (gint64) rint (v * 1e6) : 1,
              8);
}

static void
add_pixels (guint64 *checksum, const IsoluxImage *image, gconstpointer pixels)
{
  const gsize n = (gsize) (image->width * image->height) *
                  (gsize) image->components;
  gsize i;

  for (i = 0; i < n; i++)
    if (image->type == ISOLUX_TYPE_U8)
      add_number (checksum, ((const guint8 *) pixels)[i], 1);
    else if (image->type == ISOLUX_TYPE_U16)
      add_number (checksum, ((const guint16 *) pixels)[i], 2);
    else
      {
        guint32 bits;

        memcpy (&bits, (const gfloat *) pixels + i, sizeof bits);
        add_number (checksum, bits, 4);
      }
}

/* ---- Images ------------------------------------------------------ */

static guint32
scramble (guint32 n)
{
  n = (n ^ n >> 16) * 0x45d9f3bu;
  n = (n ^ n >> 16) * 0x45d9f3bu;
  return n ^ n >> 16;
}

/* 0 .. 255: slopes, an edge and noise */
static guint32
level (guint32 x, guint32 y, guint32 c)
{
  const guint32 noise = scramble (x + 61 * y + 2867 * c) & 31;

  return (x * 2 + y + c * 29 + (x * y >> 5) + noise +
          ((x > 20) != (y > 30) ? 70 : 0)) &
         255;
}

static void
fill (const IsoluxImage *image, gpointer pixels)
{
  const guint32 n = (guint32) image->components;
  guint32       x, y, c;
  gsize         i = 0;

  for (y = 0; y < HEIGHT; y++)
    for (x = 0; x < WIDTH; x++)
      for (c = 0; c < n; c++, i++)
        {
          guint32 v = level (x, y, c);

          if (c == 3) /* alpha */
            v = x > 40 && y < 12 ? 0 : MAX (v, 1);
          if (image->type == ISOLUX_TYPE_U8)
            ((guint8 *) pixels)[i] = (guint8) v;
          else if (image->type == ISOLUX_TYPE_U16)
            ((guint16 *) pixels)[i] =
              (guint16) (v * 16 + (v ? scramble ((guint32) i) & 15 : 0));
          else
            ((gfloat *) pixels)[i] = c == 3 ? (gfloat) v / 256.0f
                                            : (gfloat) v / 160.0f - 0.25f;
        }
}

static void
fill_mask (guint8 *mask)
{
  guint32 i;

  for (i = 0; i < WIDTH * HEIGHT; i++)
    mask[i] = scramble (i) & 7 ? 255 : 0;
}

/* ---- Operations -------------------------------------------------- */

/* warning: what went wrong, in words; strayed: another backend worked. */
typedef struct
{
  IsoluxBackendKind kind;
  guint64           checksum;
  gboolean          strayed;
  gchar             warning[sizeof ((IsoluxReport *) NULL)->warning];
} Check;

static void
note (Check *check, const IsoluxReport *report)
{
  if (report->backend == check->kind && ! report->warning[0])
    return;
  check->strayed = TRUE;
  g_strlcpy (check->warning, report->warning, sizeof check->warning);
}

static gboolean
add_surface (Check *check, IsoluxSurface *surface, GError **error)
{
  const IsoluxImage *image = isolux_surface_get_image (surface);
  const gsize        row = isolux_image_row_bytes (image);
  IsoluxView         view = { NULL, row };
  gboolean           success;

  view.data = isolux_try_alloc (row, (gsize) image->height, error);
  if (! view.data)
    return FALSE;
  success = isolux_surface_download (surface, &view, NULL, error);
  if (success)
    add_pixels (&check->checksum, image, view.data);
  g_free (view.data);
  return success;
}

typedef gboolean (*StepFunc) (IsoluxSurface *source,
                              IsoluxSurface *destination,
                              Check         *check,
                              GError       **error);

static gboolean
grayscale (IsoluxSurface *source,
           IsoluxSurface *destination,
           Check         *check,
           GError       **error)
{
  static const IsoluxGrayMethod methods[] = { ISOLUX_GRAY_LUMA_BT601,
                                              ISOLUX_GRAY_LUMA_BT709,
                                              ISOLUX_GRAY_AVERAGE,
                                              ISOLUX_GRAY_MAXIMUM };
  IsoluxGrayOptions             options = ISOLUX_GRAY_DEFAULTS;
  IsoluxReport                  report;
  gsize                         i;

  for (i = 0; i < G_N_ELEMENTS (methods); i++)
    {
      options.method = methods[i];
      if (! isolux_grayscale (source, destination, &options, &report, error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
    }
  return TRUE;
}

static gboolean
histogram (IsoluxSurface *source,
           IsoluxSurface *destination,
           Check         *check,
           GError       **error)
{
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxReport           report;
  gint                   channel, i;

  for (channel = 0; channel < 2; channel++)
    {
      IsoluxHistogram *h;

      options.channel = channel ? ISOLUX_CHANNEL_EACH : ISOLUX_CHANNEL_LUMA;
      h = isolux_histogram (source, &options, &report, error);
      if (! h)
        return FALSE;
      note (check, &report);
      for (i = 0; i < h->channels * h->bins; i++)
        add_number (&check->checksum, h->counts[i], 8);
      isolux_histogram_free (h);
    }
  return TRUE;
}

static gboolean
equalize (IsoluxSurface *source,
          IsoluxSurface *destination,
          Check         *check,
          GError       **error)
{
  IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxReport          report;
  gint                  i;

  for (i = 0; i < 2; i++)
    {
      options.channels = i ? ISOLUX_EQUALIZE_EACH : ISOLUX_EQUALIZE_LUMA;
      options.clip_limit = i * 2.5;
      if (! isolux_equalize (source, destination, &options, &report, error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
    }
  return TRUE;
}

static gboolean
lut (IsoluxSurface *source,
     IsoluxSurface *destination,
     Check         *check,
     GError       **error)
{
  IsoluxReport     report;
  IsoluxHistogram *h = isolux_histogram (source, NULL, NULL, error);
  IsoluxLut       *table = h ? isolux_lut_new_equalize (h, NULL, error) : NULL;
  gboolean         success;

  success = table &&
            isolux_lut_apply (source, destination, table, NULL, &report, error);
  isolux_lut_free (table);
  isolux_histogram_free (h);
  if (! success)
    return FALSE;
  note (check, &report);
  return add_surface (check, destination, error);
}

static gboolean
clahe (IsoluxSurface *source,
       IsoluxSurface *destination,
       Check         *check,
       GError       **error)
{
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;
  IsoluxReport       report;
  gint               i;

  options.tiles_x = 5;
  options.tiles_y = 4;
  for (i = 0; i < 2; i++)
    {
      options.channels = i ? ISOLUX_EQUALIZE_EACH : ISOLUX_EQUALIZE_LUMA;
      options.clip_limit = 3.0 * i;
      if (! isolux_clahe (source, destination, &options, &report, error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
    }
  return TRUE;
}

static gboolean
window (IsoluxSurface *source,
        IsoluxSurface *destination,
        Check         *check,
        GError       **error)
{
  IsoluxWindowOptions options = ISOLUX_WINDOW_DEFAULTS;
  IsoluxReport        report;
  gint                i;

  for (i = 0; i < 2; i++)
    {
      options.channels = i ? ISOLUX_EQUALIZE_EACH : ISOLUX_EQUALIZE_LUMA;
      options.gamma = i ? 2.2 : 1.0;
      options.invert = i;
      if (! isolux_window (source, destination, &options, &report, error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
    }
  return TRUE;
}

static gboolean
contrast_map (IsoluxSurface *source,
              IsoluxSurface *destination,
              Check         *check,
              GError       **error)
{
  IsoluxContrastMapOptions options = ISOLUX_CONTRAST_MAP_DEFAULTS;
  IsoluxReport             report;
  gint                     i;

  options.tile_size = 12;
  for (i = 0; i < 3; i++)
    {
      options.measure = (IsoluxContrastMeasure) i;
      options.colors = i ? ISOLUX_CONTRAST_COLORS : ISOLUX_CONTRAST_GRAY;
      if (! isolux_contrast_map (source, destination, &options, &report,
                                 error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
    }
  return TRUE;
}

static gboolean
lbp (IsoluxSurface *source,
     IsoluxSurface *destination,
     Check         *check,
     GError       **error)
{
  IsoluxLbpOptions options = ISOLUX_LBP_DEFAULTS;
  IsoluxReport     report;
  guint64         *counts;
  gsize            n, k;
  gint             i;

  for (i = 0; i < 4; i++)
    {
      options.method = (IsoluxLbpMethod) i;
      options.radius = 1.0 + i * 0.5;
      if (! isolux_lbp (source, destination, &options, &report, error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
      if (! isolux_lbp_histogram (source, &options, &counts, &n, &report,
                                  error))
        return FALSE;
      note (check, &report);
      for (k = 0; k < n; k++)
        add_number (&check->checksum, counts[k], 8);
      g_free (counts);
    }
  return TRUE;
}

static gboolean
hog (IsoluxSurface *source,
     IsoluxSurface *destination,
     Check         *check,
     GError       **error)
{
  IsoluxHogOptions options = ISOLUX_HOG_DEFAULTS;
  IsoluxReport     report;
  IsoluxHog       *features;
  gsize            k;
  gint             i;

  features = isolux_hog (source, NULL, &report, error);
  if (! features)
    return FALSE;
  note (check, &report);
  for (k = 0; k < features->n_values; k++)
    add_real (&check->checksum, features->values[k]);
  isolux_hog_free (features);
  for (i = 0; i < 3; i++)
    {
      options.picture = (IsoluxHogPicture) i;
      if (! isolux_hog_picture (source, destination, &options, &report,
                                error) ||
          ! add_surface (check, destination, error))
        return FALSE;
      note (check, &report);
    }
  return TRUE;
}

static gboolean
metrics (IsoluxSurface *source,
         IsoluxSurface *destination,
         Check         *check,
         GError       **error)
{
  IsoluxMetrics m;
  IsoluxReport  report;
  gint          i;

  if (! isolux_equalize (source, destination, NULL, NULL, error) ||
      ! isolux_metrics (source, destination, NULL, &m, &report, error))
    return FALSE;
  note (check, &report);
  add_number (&check->checksum, m.count, 8);
  for (i = 0; i < 2; i++)
    {
      add_real (&check->checksum, m.entropy[i]);
      add_real (&check->checksum, m.rms_contrast[i]);
      add_real (&check->checksum, m.saturated[i]);
      add_real (&check->checksum, m.mean[i]);
    }
  add_real (&check->checksum, m.ambe);
  add_real (&check->checksum, m.mse);
  add_real (&check->checksum, m.psnr);
  add_real (&check->checksum, m.ssim);
  return TRUE;
}

/* ---- All --------------------------------------------------------- */

/* expected: from a run that the test suite found right; the text of the
 * self-test says what a run gives. */
static const struct
{
  const gchar *name;
  StepFunc     function;
  guint64      expected;
} steps[] = {
  { "grayscale", grayscale, G_GUINT64_CONSTANT (0xcc716a5a17bfd325) },
  { "histogram", histogram, G_GUINT64_CONSTANT (0x8b6799e3e1a27f0d) },
  { "equalize", equalize, G_GUINT64_CONSTANT (0x575bf17a89394282) },
  { "lut", lut, G_GUINT64_CONSTANT (0xbbab43f24a8767b8) },
  { "clahe", clahe, G_GUINT64_CONSTANT (0xaa96a106ea15f7c1) },
  { "window", window, G_GUINT64_CONSTANT (0x346e119331f7c9da) },
  { "contrast-map", contrast_map, G_GUINT64_CONSTANT (0xb0181e4181953f64) },
  { "lbp", lbp, G_GUINT64_CONSTANT (0xf2b0729cb3acf583) },
  { "hog", hog, G_GUINT64_CONSTANT (0x9ab9993a3ef81d68) },
  { "metrics", metrics, G_GUINT64_CONSTANT (0xea5cb6bb795d802e) },
};

/* Adds an operation's results for one of the images to the check. */
static gboolean
run_image (IsoluxDevice        *device,
           const IsoluxBackend *backend,
           StepFunc             function,
           gint                 which,
           gpointer             pixels,
           const guint8        *mask,
           Check               *check,
           GError             **error)
{
  const IsoluxRectangle region = { 2, 1, WIDTH, HEIGHT };
  IsoluxImage           image = { WIDTH, HEIGHT, which % 2 ? 4 : 1,
                                  (IsoluxType) (which / 2), 0 };
  IsoluxView            view = { pixels, 0 };
  IsoluxSurface        *source, *destination = NULL;
  gboolean              success;

  view.stride = isolux_image_row_bytes (&image);
  fill (&image, pixels);
  source = isolux_surface_new_on (device, backend, &image, error);
  if (source)
    destination = isolux_surface_new_on (device, backend, &image, error);
  success = destination && isolux_surface_upload (source, &view, NULL, error) &&
            (which % 2 == 0 ||
             isolux_surface_set_region (source, &region, mask, WIDTH, error)) &&
            function (source, destination, check, error);
  isolux_surface_unref (destination);
  isolux_surface_unref (source);
  return success;
}

/* One line. */
static gboolean
describe (GString *lines, const gchar *backend, gsize step, const Check *check)
{
  const gboolean same = check->checksum == steps[step].expected;
  gchar          found[17], expected[17];

  g_snprintf (found, sizeof found, "%016" G_GINT64_MODIFIER "x",
              check->checksum);
  g_snprintf (expected, sizeof expected, "%016" G_GINT64_MODIFIER "x",
              steps[step].expected);
  g_string_append_printf (lines, "%s %s: ", backend, steps[step].name);
  if (check->strayed)
    g_string_append_printf (lines, _("not run there: %s"),
                            check->warning[0] ? check->warning
                                              : _("the CPU did the work"));
  else if (same)
    g_string_append_printf (lines, _("right (%s)"), found);
  else
    g_string_append_printf (lines, _("WRONG (%s instead of %s)"), found,
                            expected);
  g_string_append_c (lines, '\n');
  return same && ! check->strayed;
}

/* right: cleared when a result is not; FALSE: it could not be run. */
static gboolean
run_backend (IsoluxDevice        *device,
             const IsoluxBackend *backend,
             GString             *lines,
             gboolean            *right,
             GError             **error)
{
  gpointer pixels =
    isolux_try_alloc (WIDTH * HEIGHT, 4 * sizeof (gfloat), error);
  guint8 *mask = pixels ? isolux_try_new (guint8, WIDTH * HEIGHT, error) : NULL;
  gboolean success = mask != NULL;
  gsize    step;
  gint     i;

  if (success)
    fill_mask (mask);
  for (step = 0; success && step < G_N_ELEMENTS (steps); step++)
    {
      Check check = { .kind = backend->kind, .checksum = CHECKSUM_START };

      for (i = 0; success && i < IMAGES; i++)
        success = run_image (device, backend, steps[step].function, i, pixels,
                             mask, &check, error);
      if (success && ! describe (lines, backend->name, step, &check))
        *right = FALSE;
    }
  g_free (mask);
  g_free (pixels);
  return success;
}

gboolean
isolux_self_test (IsoluxDevice *device, gchar **text, GError **error)
{
  GString         *lines;
  GError          *failure = NULL;
  IsoluxDeviceInfo info;
  gboolean         right = TRUE;

  isolux_device_wait (device);
  lines = g_string_new (NULL);
  if (! run_backend (device, &isolux_backend_cpu, lines, &right, error))
    {
      g_string_free (lines, TRUE);
      return FALSE;
    }
  if (! isolux_device_get_cuda (device))
    {
      isolux_device_get_info (device, &info);
      g_string_append_printf (lines, _("CUDA: not tested: %s\n"),
                              info.cuda_reason);
    }
  else if (! run_backend (device, &isolux_backend_cuda, lines, &right,
                          &failure))
    {
      g_string_append_printf (lines, _("CUDA: could not be tested: %s\n"),
                              failure->message);
      g_clear_error (&failure);
      right = FALSE;
    }
  *text = g_string_free (lines, FALSE);
  return right;
}
