/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every level of the processor, every number of threads and every way through
 * the CPU's operations gives the same bytes. */
#include "support.h"

#include "cpu/kernels.h"

#include <math.h>
#include <string.h>

#define LEVELS 4

static const gint thread_counts[] = { 2, 3, 7 };

/* ---- Everything that an image can be put through ------------------------ */

typedef enum
{
  OP_HISTOGRAM,
  OP_HISTOGRAM_EACH,
  OP_EQUALIZE,
  OP_EQUALIZE_EACH,
  OP_CLAHE,
  OP_CLAHE_OPENCV,
  OP_CLAHE_BINS,
  OP_GRAYSCALE,
  OP_LUMINANCE,
  OP_WINDOW,
  OP_LBP,
  OP_LBP_UNIFORM,
  OP_LBP_VAR,
  OP_LBP_HISTOGRAM,
  OP_HOG,
  OP_HOG_SIGNED,
  OP_HOG_SOBEL,
  OP_HOG_PICTURE,
  OP_CONTRAST_MAP,
  OP_METRICS,
  N_OPS
} Op;

static const gchar *const op_names[] = {
  "histogram", "histogram each", "equalize",    "equalize each", "clahe",
  "opencv",    "clahe 256 bins", "grayscale",   "luminance",     "window",
  "lbp",       "lbp uniform",    "lbp var",     "lbp histogram", "hog",
  "signed",    "sobel",          "hog picture", "contrast map",  "metrics"
};

static gboolean
has_picture (Op op)
{
  return op != OP_HISTOGRAM && op != OP_HISTOGRAM_EACH &&
         op != OP_LBP_HISTOGRAM && op != OP_HOG && op != OP_HOG_SIGNED &&
         op != OP_HOG_SOBEL && op != OP_METRICS;
}

static gboolean
count (IsoluxSurface *source, Op op, GByteArray *out)
{
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxHistogram       *h;

  if (op == OP_HISTOGRAM_EACH)
    options.channel = ISOLUX_CHANNEL_EACH;
  h = isolux_histogram (source, &options, NULL, NULL);
  if (! h)
    return FALSE;
  g_byte_array_append (out, (const guint8 *) h->counts,
                       (guint) (h->channels * h->bins) * 8);
  g_byte_array_append (out, (const guint8 *) h->minimum, sizeof h->minimum);
  isolux_histogram_free (h);
  return TRUE;
}

static gboolean
describe (IsoluxSurface *source, Op op, GByteArray *out)
{
  IsoluxHogOptions options = ISOLUX_HOG_DEFAULTS;
  IsoluxHog       *hog;

  options.is_signed = op == OP_HOG_SIGNED;
  options.gradient = op == OP_HOG_SOBEL ? ISOLUX_HOG_SOBEL : ISOLUX_HOG_CENTRAL;
  if (op == OP_HOG_SOBEL)
    {
      options.orientations = 12;
      options.cell_size = 6;
      options.block_size = 4;
      options.norm = ISOLUX_HOG_L1_SQRT;
      options.square_root = TRUE;
    }
  hog = isolux_hog (source, &options, NULL, NULL);
  if (! hog)
    return FALSE;
  g_byte_array_append (out, (const guint8 *) hog->values,
                       (guint) hog->n_values * 8);
  isolux_hog_free (hog);
  return TRUE;
}

static gboolean
lbp (IsoluxSurface *source, IsoluxSurface *to, Op op, GByteArray *out)
{
  IsoluxLbpOptions options = ISOLUX_LBP_DEFAULTS;
  guint64         *counts;
  gsize            n;

  if (op == OP_LBP_UNIFORM)
    options.method = ISOLUX_LBP_UNIFORM;
  if (op == OP_LBP_VAR)
    {
      options.method = ISOLUX_LBP_VAR;
      options.points = 12;
      options.radius = 1.7;
    }
  if (op != OP_LBP_HISTOGRAM)
    return isolux_lbp (source, to, &options, NULL, NULL);
  if (! isolux_lbp_histogram (source, &options, &counts, &n, NULL, NULL))
    return FALSE;
  g_byte_array_append (out, (const guint8 *) counts, (guint) n * 8);
  g_free (counts);
  return TRUE;
}

static gboolean
clahe (IsoluxSurface *source, IsoluxSurface *to, Op op)
{
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;

  options.tiles_x = 3;
  options.tiles_y = 2;
  options.compatibility = op == OP_CLAHE_OPENCV ? ISOLUX_CLAHE_OPENCV
                                                : ISOLUX_CLAHE_ISOLUX;
  options.bins = op == OP_CLAHE_BINS ? 256 : 0;
  return isolux_clahe (source, to, &options, NULL, NULL);
}

static gboolean
run (IsoluxSurface *source, IsoluxSurface *to, Op op, GByteArray *out)
{
  IsoluxEqualizeOptions equalize = ISOLUX_EQUALIZE_DEFAULTS;
  IsoluxGrayOptions     gray = ISOLUX_GRAY_DEFAULTS;
  IsoluxMetrics         metrics;

  switch (op)
    {
      case OP_HISTOGRAM:
      case OP_HISTOGRAM_EACH:
        return count (source, op, out);
      case OP_EQUALIZE_EACH:
        equalize.channels = ISOLUX_EQUALIZE_EACH;
        return isolux_equalize (source, to, &equalize, NULL, NULL);
      case OP_EQUALIZE:
        return isolux_equalize (source, to, &equalize, NULL, NULL);
      case OP_CLAHE:
      case OP_CLAHE_OPENCV:
      case OP_CLAHE_BINS:
        return clahe (source, to, op);
      case OP_LUMINANCE:
        gray.method = ISOLUX_GRAY_LUMINANCE;
        return isolux_grayscale (source, to, &gray, NULL, NULL);
      case OP_GRAYSCALE:
        return isolux_grayscale (source, to, &gray, NULL, NULL);
      case OP_WINDOW:
        return isolux_window (source, to, NULL, NULL, NULL);
      case OP_HOG:
      case OP_HOG_SIGNED:
      case OP_HOG_SOBEL:
        return describe (source, op, out);
      case OP_HOG_PICTURE:
        return isolux_hog_picture (source, to, NULL, NULL, NULL);
      case OP_CONTRAST_MAP:
        return isolux_contrast_map (source, to, NULL, NULL, NULL);
      case OP_METRICS:
        if (! isolux_metrics (source, source, NULL, &metrics, NULL, NULL))
          return FALSE;
        g_byte_array_append (out, (const guint8 *) &metrics, sizeof metrics);
        return TRUE;
      default:
        return lbp (source, to, op, out);
    }
}

/* What a call gives, of a picture with its guards checked.  gray: the picture
 * has one component. */
static GByteArray *
result_of (IsoluxDevice *device,
           const Buffer *in,
           const Region *region,
           Op            op,
           gboolean      gray)
{
  GByteArray    *out = g_byte_array_new ();
  IsoluxImage    image = in->image;
  IsoluxSurface *source, *to = NULL;
  Buffer         made;
  GError        *error = NULL;

  source = isolux_surface_wrap (device, &in->image, &in->view, NULL, &error);
  g_assert_no_error (error);
  if (region->given)
    g_assert_true (isolux_surface_set_region (source, &region->rectangle,
                                              region->mask, region->mask_stride,
                                              NULL));
  if (has_picture (op))
    {
      if (gray)
        image.components = 1;
      buffer_init (&made, &image, 3, 1);
      to = isolux_surface_wrap (device, &image, &made.view, NULL, &error);
      g_assert_no_error (error);
    }
  g_assert_true (run (source, to, op, out));
  if (to)
    {
      g_assert_true (buffer_guards_hold (&made));
      for (gint64 y = 0; y < image.height; y++)
        g_byte_array_append (out,
                             (const guint8 *) made.view.data +
                               (gsize) y * made.view.stride,
                             (guint) made.row_bytes);
      buffer_clear (&made);
    }
  isolux_surface_unref (to);
  isolux_surface_unref (source);
  return out;
}

static void
assert_same (GByteArray   *wanted,
             GByteArray   *got,
             Op            op,
             const Buffer *in,
             const gchar  *what)
{
  if (wanted->len != got->len ||
      (got->len && memcmp (wanted->data, got->data, got->len) != 0))
    g_error ("%s of %d x %d, %d components, type %d: %s gives other bytes",
             op_names[op], (gint) in->image.width, (gint) in->image.height,
             in->image.components, (gint) in->image.type, what);
  g_byte_array_unref (got);
}

static gboolean
makes_gray (Op op)
{
  return op == OP_GRAYSCALE || op == OP_LUMINANCE || op == OP_LBP ||
         op == OP_LBP_UNIFORM;
}

/* ---- Levels and threads ------------------------------------------------- */

static void
try_one (IsoluxDevice *device,
         GByteArray   *wanted,
         const Buffer *in,
         const Region *region,
         Op            op,
         gint          level,
         gint          threads)
{
  gchar *what = g_strdup_printf ("level %d with %d threads", level, threads);

  isolux_device_set_threads (device, threads);
  assert_same (wanted, result_of (device, in, region, op, makes_gray (op)), op,
               in, what);
  g_free (what);
}

/* Each level by one thread, and the best one by several. */
static void
try_levels (const Buffer *in, const Region *region, Op op)
{
  IsoluxDevice *device = test_cpu (1);
  GByteArray   *wanted;

  g_assert_true (isolux_cpu_set_level (1));
  wanted = result_of (device, in, region, op, makes_gray (op));
  for (gint level = 2; level <= LEVELS; level++)
    if (isolux_cpu_set_level (level))
      try_one (device, wanted, in, region, op, level, 1);
  isolux_cpu_set_level (0);
  for (gsize i = 0; i < G_N_ELEMENTS (thread_counts); i++)
    try_one (device, wanted, in, region, op, 0, thread_counts[i]);
  g_byte_array_unref (wanted);
  isolux_device_unref (device);
}

/* Sizes that seven threads share, with ends that no vector divides. */
static void
test_levels (gconstpointer data)
{
  const IsoluxType type = (IsoluxType) GPOINTER_TO_INT (data);

  for (gint op = 0; op < N_OPS; op++)
    for (gint k = 0; k < 2; k++)
      {
        Random random =
          random_new (test_seed (), 7000u + (guint64) (op * 2 + k) * 3 + type);
        const IsoluxImage image = { 701 + (gint64) random_below (&random, 90),
                                    660 + (gint64) random_below (&random, 20),
                                    k ? 1
                                      : 2 + (gint) random_below (&random, 3),
                                    type, 0 };
        const Values      values = random_below (&random, 2) ? VALUES_RANDOM
                                                             : VALUES_NARROW;
        Region            region;
        Buffer            in;

        buffer_init (&in, &image, 1, 1);
        buffer_fill (&in, values, &random);
        region_init (&region,
                     random_below (&random, 2) ? REGION_NONE : REGION_MASK,
                     image.width, image.height, &random);
        try_levels (&in, &region, (Op) op);
        region_clear (&region);
        buffer_clear (&in);
      }
}

/* Pairs of pixels are counted in large images alone. */
static void
test_large (void)
{
  for (gint components = 1; components <= 4; components += 3)
    {
      const IsoluxImage image = { 5003, 431, components, ISOLUX_TYPE_U8, 0 };
      Random random = random_new (test_seed (), 7500u + (guint64) components);
      Region region;
      Buffer in;

      buffer_init (&in, &image, 0, 0);
      buffer_fill (&in, VALUES_FEW_BITS, &random);
      region_init (&region, REGION_NONE, image.width, image.height, &random);
      try_levels (&in, &region, OP_HISTOGRAM);
      region_clear (&region);
      buffer_clear (&in);
    }
}

/* ---- Ways --------------------------------------------------------------- */

/* A mask that leaves nothing out makes every operation look at each pixel. */
static void
test_ways (gconstpointer data)
{
  const IsoluxType type = (IsoluxType) GPOINTER_TO_INT (data);
  IsoluxDevice    *device = test_cpu (2);

  for (gint op = 0; op < N_OPS; op++)
    for (gint k = 0; k < 8; k++)
      {
        Random random =
          random_new (test_seed (), 7700u + (guint64) (op * 8 + k) * 3 + type);
        const IsoluxImage image = { 1 + (gint64) random_below (&random, 400),
                                    1 + (gint64) random_below (&random, 300),
                                    k % 4 + 1, type, 0 };
        Region            none, all;
        Buffer            in;

        buffer_init (&in, &image, random_below (&random, 4), k % 3);
        buffer_fill (&in, (Values) random_below (&random, N_VALUES), &random);
        region_init (&none, REGION_NONE, image.width, image.height, &random);
        region_init (&all, REGION_NONE, image.width, image.height, &random);
        all.given = TRUE;
        all.rectangle = (IsoluxRectangle) { 0, 0, image.width, image.height };
        all.mask_stride = (gsize) image.width;
        all.mask = g_malloc (all.mask_stride * (gsize) image.height);
        memset (all.mask, 255, all.mask_stride * (gsize) image.height);
        for (gint gray = 0; gray < 2; gray++)
          if (gray == 0 || makes_gray ((Op) op))
            {
              GByteArray *wanted =
                result_of (device, &in, &none, (Op) op, gray);

              assert_same (wanted, result_of (device, &in, &all, (Op) op, gray),
                           (Op) op, &in, "a mask of all pixels");
              g_byte_array_unref (wanted);
            }
        region_clear (&none);
        region_clear (&all);
        buffer_clear (&in);
      }
  isolux_device_unref (device);
}

/* What does not count may need more bits than what does: it must neither be
 * looked up nor matter. */
static void
test_left_out (void)
{
  enum
  {
    SIDE = 130
  };
  IsoluxDevice *device = test_cpu (1);

  for (gint components = 1; components <= 4; components++)
    {
      const IsoluxImage image = { SIDE, SIDE, components, ISOLUX_TYPE_U16, 0 };
      Random random = random_new (test_seed (), 7950u + (guint64) components);
      GByteArray *bright, *dark;
      Buffer      one, other;
      Region      region;

      buffer_init (&one, &image, 0, 0);
      buffer_init (&other, &image, 0, 0);
      region_init (&region, REGION_NONE, SIDE, SIDE, &random);
      region.given = TRUE;
      region.rectangle = (IsoluxRectangle) { 0, 0, SIDE, SIDE };
      region.mask_stride = SIDE;
      region.mask = g_malloc (SIDE * SIDE);
      for (gint i = 0; i < SIDE * SIDE; i++)
        {
          region.mask[i] = i % 3 ? 255 : 0;
          for (gint c = 0; c < components; c++)
            {
              const gint at = i * components + c;
              guint16   *a = one.view.data, *b = other.view.data;

              a[at] = b[at] = (guint16) (1 + random_below (&random, 900));
              if (! region.mask[i])
                {
                  a[at] = G_MAXUINT16;
                  b[at] = 1;
                }
            }
        }
      bright = result_of (device, &one, &region, OP_CLAHE, FALSE);
      dark = result_of (device, &other, &region, OP_CLAHE, FALSE);
      for (gint i = 0; i < SIDE * SIDE * components; i++)
        {
          const guint16 a = ((const guint16 *) bright->data)[i];
          const guint16 b = ((const guint16 *) dark->data)[i];

          if (region.mask[i / components])
            g_assert_cmpuint (a, ==, b);
          else
            g_assert_true (a == G_MAXUINT16 && b == 1);
        }
      g_byte_array_unref (bright);
      g_byte_array_unref (dark);
      region_clear (&region);
      buffer_clear (&one);
      buffer_clear (&other);
    }
  isolux_device_unref (device);
}

/* Gray in three components is gray: its luma is itself. */
static void
test_gray_in_rgb (void)
{
  static const Op   ops[] = { OP_HISTOGRAM, OP_LBP, OP_LBP_HISTOGRAM, OP_HOG,
                              OP_HOG_SIGNED };
  IsoluxDevice     *device = test_cpu (2);
  const IsoluxImage one = { 301, 203, 1, ISOLUX_TYPE_U8, 0 };
  const IsoluxImage three = { 301, 203, 3, ISOLUX_TYPE_U8, 0 };
  Random            random = random_new (test_seed (), 7900);
  Region            none;
  Buffer            gray, rgb;

  buffer_init (&gray, &one, 0, 0);
  buffer_init (&rgb, &three, 0, 0);
  buffer_fill (&gray, VALUES_RANDOM, &random);
  for (gsize i = 0; i < 301 * 203; i++)
    memset ((guint8 *) rgb.view.data + 3 * i,
            ((const guint8 *) gray.view.data)[i], 3);
  region_init (&none, REGION_NONE, one.width, one.height, &random);
  for (gsize i = 0; i < G_N_ELEMENTS (ops); i++)
    {
      GByteArray *wanted = result_of (device, &gray, &none, ops[i], TRUE);

      assert_same (wanted, result_of (device, &rgb, &none, ops[i], TRUE),
                   ops[i], &rgb, "RGB");
      g_byte_array_unref (wanted);
    }
  region_clear (&none);
  buffer_clear (&gray);
  buffer_clear (&rgb);
  isolux_device_unref (device);
}

/* ---- Bins of gradients -------------------------------------------------- */

/* Every gradient of u8, each in a cell of its own, against the rule. */
static void
try_bins (IsoluxDevice *device, gint orientations)
{
  enum
  {
    SIDE = 511
  };
  const IsoluxImage image = { 3 * SIDE, 3, 1, ISOLUX_TYPE_U8, 0 };
  IsoluxHogOptions  options = ISOLUX_HOG_DEFAULTS;
  IsoluxHogEdges    edges = { 0 };
  guint8           *pixels = g_malloc0 (3 * 3 * SIDE);
  const IsoluxView  view = { pixels, 3 * SIDE };

  isolux_hog_edges_set (&edges, orientations, 180);
  options.orientations = orientations;
  options.cell_size = 1;
  for (gint x = -255; x <= 255; x++)
    {
      IsoluxSurface *surface;
      gint64         across, down;
      gfloat        *cells;

      for (gint y = -255; y <= 255; y++)
        {
          guint8 *middle = pixels + 3 * SIDE + 3 * (y + 255) + 1;

          middle[-1] = (guint8) MAX (-x, 0);
          middle[1] = (guint8) MAX (x, 0);
          middle[-3 * SIDE] = (guint8) MAX (-y, 0);
          middle[3 * SIDE] = (guint8) MAX (y, 0);
        }
      surface = isolux_surface_wrap (device, &image, &view, NULL, NULL);
      cells = isolux_hog_cells (surface, &options, &across, &down, NULL, NULL);
      g_assert_nonnull (cells);
      for (gint y = -255; y <= 255; y++)
        {
          const gfloat *cell = cells + (gsize) (3 * SIDE + 3 * (y + 255) + 1) *
                                         orientations;
          const gint bin = isolux_hog_bin (&edges, orientations, FALSE, x, y);

          if (x || y)
            g_assert_cmpfloat (cell[bin], ==,
                               (gfloat) sqrt ((gdouble) (x * x + y * y)));
        }
      g_free (cells);
      isolux_surface_unref (surface);
    }
  g_free (pixels);
}

static void
test_bins (void)
{
  IsoluxDevice *device = test_cpu (1);

  for (gint level = 1; level <= LEVELS; level++)
    if (isolux_cpu_set_level (level))
      try_bins (device, 9);
  isolux_cpu_set_level (0);
  /* 1 in 7 of the others each time, and those with edges of 45 degrees */
  for (gint n = 1; n <= ISOLUX_HOG_ORIENTATIONS; n++)
    if ((guint64) n % 7 == test_seed () % 7 || n == 8 || n == 12)
      try_bins (device, n);
  isolux_device_unref (device);
}

/* ---- Floats of one component -------------------------------------------- */

enum
{
  FLOATS_WIDTH = 2003, /* more than are worked on at a time */
  FLOATS_HEIGHT = 3,
  FLOATS = FLOATS_WIDTH * FLOATS_HEIGHT
};

/* least: below it are only infinities. */
static gfloat
special_float (Random *random, gfloat least)
{
  switch (random_below (random, 12))
    {
      case 0:
        return NAN;
      case 1:
        return INFINITY;
      case 2:
        return -INFINITY;
      case 3:
        return -0.0f;
      case 4:
        return 0.0f;
      default:
        return least + (1.0f - least) * (gfloat) random_unit (random);
    }
}

/* Histogram and window against the rules; mask: nullable. */
static void
try_floats (IsoluxDevice *device, const gfloat *in, const guint8 *mask)
{
  const IsoluxImage image = { FLOATS_WIDTH, FLOATS_HEIGHT, 1, ISOLUX_TYPE_F32,
                              0 };
  const gsize       stride = FLOATS_WIDTH * sizeof (gfloat);
  const IsoluxView  from = { (gpointer) in, stride };
  const gdouble     low[3] = { 0.1, 0.1, 0.1 }, high[3] = { 0.7, 0.7, 0.7 };
  gfloat           *out = g_new0 (gfloat, FLOATS);
  const IsoluxView  to = { out, stride };
  guint64           wanted[512] = { 0 };
  gdouble           least = HUGE_VAL, most = -HUGE_VAL;
  IsoluxSurface    *surface, *windowed;
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  IsoluxWindowOptions    window = ISOLUX_WINDOW_DEFAULTS;
  IsoluxHistogram       *h;

  surface = isolux_surface_wrap (device, &image, &from, NULL, NULL);
  windowed = isolux_surface_wrap (device, &image, &to, NULL, NULL);
  if (mask)
    g_assert_true (isolux_surface_set_region (surface, NULL, mask, FLOATS_WIDTH,
                                              NULL));
  options.bins = G_N_ELEMENTS (wanted);
  h = isolux_histogram (surface, &options, NULL, NULL);
  g_assert_nonnull (h);
  for (gint i = 0; i < FLOATS; i++)
    if ((! mask || mask[i]) && isolux_is_finite (in[i]))
      {
        least = MIN (least, in[i] + 0.0);
        most = MAX (most, in[i] + 0.0);
      }
  g_assert_true (memcmp (&h->minimum[0], &least, sizeof least) == 0);
  g_assert_true (memcmp (&h->maximum[0], &most, sizeof most) == 0);
  for (gint i = 0; i < FLOATS; i++)
    if ((! mask || mask[i]) && ! isnan (in[i]))
      wanted[isolux_bin_f32 (in[i], least,
                             isolux_bin_scale (least, most, h->bins),
                             h->bins)]++;
  g_assert_cmpmem (h->counts, sizeof wanted, wanted, sizeof wanted);
  isolux_histogram_free (h);

  for (gint invert = 0; invert < 2; invert++)
    {
      window.invert = invert;
      g_assert_true (isolux_window_apply (surface, windowed, &window, low, high,
                                          NULL, NULL));
      for (gint i = 0; i < FLOATS; i++)
        if ((mask && ! mask[i]) || isnan (in[i]))
          g_assert_true (memcmp (&out[i], &in[i], sizeof in[i]) == 0);
        else
          g_assert_cmpfloat (out[i], ==,
                             (gfloat) isolux_window_value (in[i], low[0],
                                                           high[0] - low[0],
                                                           1.0, invert));
    }
  isolux_surface_unref (surface);
  isolux_surface_unref (windowed);
  g_free (out);
}

/* All that a float can be, and 0 of either sign as the least value. */
static void
test_floats (void)
{
  IsoluxDevice *device = test_cpu (1);
  gfloat       *in = g_new (gfloat, FLOATS);
  guint8       *mask = g_new (guint8, FLOATS);

  for (gint k = 0; k < 4; k++)
    {
      Random random = random_new (test_seed (), 8100u + (guint64) k);

      for (gint i = 0; i < FLOATS; i++)
        {
          in[i] = special_float (&random, k & 1 ? 0.0f : -1.0f);
          /* whole, empty, and neither for a while */
          mask[i] = i / 100 % 3 == 0   ? 255
                    : i / 100 % 3 == 1 ? 0
                                       : (guint8) random_below (&random, 3);
        }
      for (gint level = 1; level <= LEVELS; level++)
        if (isolux_cpu_set_level (level))
          try_floats (device, in, k & 2 ? mask : NULL);
    }
  isolux_cpu_set_level (0);
  g_free (in);
  g_free (mask);
  isolux_device_unref (device);
}

/* ---- Ties of patterns --------------------------------------------------- */

static gint
tie_value (gint x, gint y, gboolean broken)
{
  /* every other pixel has four ties, or the diagonals of some have none */
  const gint v = 90 + 7 * (x & 1) - 7 * (y & 1);

  return broken && (x * 5 + y * 3) % 11 < 4 ? v + (x & 2) : v;
}

static guint
lbp_reference (gint x, gint y, gboolean broken)
{
  static const gint right[] = { 1, 1, 0, -1, -1, -1, 0, 1 };
  static const gint down[] = { 0, -1, -1, -1, 0, 1, 1, 1 };
  const gint        center = tie_value (x, y, broken);
  guint             signs = 0;

  for (gint i = 0; i < 8; i++)
    {
      const gint left = MIN (right[i], 0), top = MIN (down[i], 0);
      gdouble    sample = tie_value (x + right[i], y + down[i], broken);

      if (i & 1)
        sample =
          isolux_lbp_sample (tie_value (x + left, y + top, broken),
                             tie_value (x + left + 1, y + top, broken),
                             tie_value (x + left, y + top + 1, broken),
                             tie_value (x + left + 1, y + top + 1, broken),
                             isolux_lbp_fraction (y, down[i] * 0.70711, top),
                             isolux_lbp_fraction (x, right[i] * 0.70711, left),
                             FALSE);
      signs |= (guint) (sample >= center) << i;
    }
  return signs;
}

static void
try_ties (IsoluxDevice *device, IsoluxType type, gboolean broken)
{
  enum
  {
    WIDTH = 4500, /* more than are worked on at a time */
    HEIGHT = 19
  };
  const IsoluxImage image = { WIDTH, HEIGHT, 1, type, 0 };
  const IsoluxImage raw = { WIDTH, HEIGHT, 1, ISOLUX_TYPE_F32, 0 };
  IsoluxLbpOptions  options = ISOLUX_LBP_DEFAULTS;
  IsoluxSurface    *surface, *codes;
  gfloat           *out = g_new (gfloat, WIDTH * HEIGHT);
  const IsoluxView  to = { out, WIDTH * sizeof (gfloat) };
  Buffer            in;

  options.raw = TRUE;
  buffer_init (&in, &image, 0, 0);
  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      {
        guint8    *row = (guint8 *) in.view.data + y * (gsize) in.view.stride;
        const gint v = tie_value (x, y, broken);

        if (type == ISOLUX_TYPE_U8)
          row[x] = (guint8) v;
        else
          ((guint16 *) row)[x] = (guint16) v;
      }
  surface = isolux_surface_wrap (device, &image, &in.view, NULL, NULL);
  codes = isolux_surface_wrap (device, &raw, &to, NULL, NULL);
  g_assert_true (isolux_lbp (surface, codes, &options, NULL, NULL));
  for (gint y = 1; y < HEIGHT - 1; y++)
    for (gint x = 1; x < WIDTH - 1; x++)
      g_assert_cmpfloat (out[y * WIDTH + x], ==,
                         (gfloat) lbp_reference (x, y, broken));
  isolux_surface_unref (surface);
  isolux_surface_unref (codes);
  buffer_clear (&in);
  g_free (out);
}

/* As many ties as there can be, and fewer, against the formula. */
static void
test_lbp_ties (void)
{
  IsoluxDevice *device = test_cpu (1);

  for (gint level = 1; level <= LEVELS; level++)
    if (isolux_cpu_set_level (level))
      for (gint broken = 0; broken < 2; broken++)
        {
          try_ties (device, ISOLUX_TYPE_U8, broken);
          try_ties (device, ISOLUX_TYPE_U16, broken);
        }
  isolux_cpu_set_level (0);
  isolux_device_unref (device);
}

/* ---- Choosing ----------------------------------------------------------- */

static void
test_choose (void)
{
  const gchar *best;

  g_assert_true (isolux_cpu_set_level (0));
  best = isolux_cpu_kernels ()->name;
  g_assert_true (isolux_cpu_set_level (1));
  g_assert_cmpstr (isolux_cpu_kernels ()->name, ==, "v1");
  g_assert_false (isolux_cpu_set_level (5));
  g_assert_false (isolux_cpu_set_level (-1));
  g_assert_cmpstr (isolux_cpu_kernels ()->name, ==, "v1");

  g_setenv ("ISOLUX_CPU_LEVEL", "v1", TRUE);
  g_assert_true (isolux_cpu_set_level (0));
  g_assert_cmpstr (isolux_cpu_kernels ()->name, ==, "v1");
  g_setenv ("ISOLUX_CPU_LEVEL", "v9", TRUE);
  g_assert_true (isolux_cpu_set_level (0));
  g_assert_cmpstr (isolux_cpu_kernels ()->name, ==, best);
  g_unsetenv ("ISOLUX_CPU_LEVEL");
  g_assert_true (isolux_cpu_set_level (0));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  test_seed ();
  g_test_add_func ("/unit/levels/choose", test_choose);
  g_test_add_data_func ("/unit/levels/u8", GINT_TO_POINTER (ISOLUX_TYPE_U8),
                        test_levels);
  g_test_add_data_func ("/unit/levels/u16", GINT_TO_POINTER (ISOLUX_TYPE_U16),
                        test_levels);
  g_test_add_data_func ("/unit/levels/f32", GINT_TO_POINTER (ISOLUX_TYPE_F32),
                        test_levels);
  g_test_add_func ("/unit/levels/large", test_large);
  g_test_add_data_func ("/unit/ways/u8", GINT_TO_POINTER (ISOLUX_TYPE_U8),
                        test_ways);
  g_test_add_data_func ("/unit/ways/u16", GINT_TO_POINTER (ISOLUX_TYPE_U16),
                        test_ways);
  g_test_add_data_func ("/unit/ways/f32", GINT_TO_POINTER (ISOLUX_TYPE_F32),
                        test_ways);
  g_test_add_func ("/unit/ways/left-out", test_left_out);
  g_test_add_func ("/unit/ways/gray-in-rgb", test_gray_in_rgb);
  g_test_add_func ("/unit/hog/bins-of-u8", test_bins);
  g_test_add_func ("/unit/floats", test_floats);
  g_test_add_func ("/unit/lbp/ties", test_lbp_ties);
  return g_test_run ();
}
