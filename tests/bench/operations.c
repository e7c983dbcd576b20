/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations, as they are measured. */
#include "bench.h"
#include "patterns.h"

#include <math.h>
#include <string.h>

#define CODES (1u << TYPE_U8 | 1u << TYPE_U16 | 1u << TYPE_U12)
#define ALL (CODES | 1u << TYPE_F32)

static void
put (GByteArray *numbers, gconstpointer data, gsize size)
{
  if (numbers)
    g_byte_array_append (numbers, data, (guint) size);
}

/* ---- Histograms --------------------------------------------------------- */

static gboolean
run_histogram (const Case    *c,
               IsoluxSurface *source,
               IsoluxSurface *destination,
               GByteArray    *numbers,
               IsoluxReport  *report,
               GError       **error)
{
  IsoluxHistogram *h = isolux_histogram (source, NULL, report, error);

  if (! h)
    return FALSE;
  put (numbers, h->counts,
       (gsize) h->channels * (gsize) h->bins * sizeof (guint64));
  isolux_histogram_free (h);
  return TRUE;
}

static void
refer_histogram (const Case *c,
                 gpointer    source,
                 gpointer    destination,
                 GByteArray *numbers)
{
  const IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;
  RefHistogram                 h;

  ref_histogram (source, &options, &h);
  put (numbers, h.counts,
       (gsize) h.channels * (gsize) h.bins * sizeof (guint64));
  ref_histogram_clear (&h);
}

/* ---- Equalization ------------------------------------------------------- */

static gboolean
run_equalize (const Case    *c,
              IsoluxSurface *source,
              IsoluxSurface *destination,
              GByteArray    *numbers,
              IsoluxReport  *report,
              GError       **error)
{
  return isolux_equalize (source, destination, NULL, report, error);
}

static void
refer_equalize (const Case *c,
                gpointer    source,
                gpointer    destination,
                GByteArray *numbers)
{
  const IsoluxEqualizeOptions options = ISOLUX_EQUALIZE_DEFAULTS;

  ref_equalize (source, destination, &options);
}

/* A table that is no line. */
static gboolean
run_lut (const Case    *c,
         IsoluxSurface *source,
         IsoluxSurface *destination,
         GByteArray    *numbers,
         IsoluxReport  *report,
         GError       **error)
{
  const gint bits = c->type == TYPE_U8 ? 8 : c->type == TYPE_U12 ? 12 : 16;
  const gint n = 1 << bits;
  IsoluxLut  lut = { 0 };
  gboolean   success;

  lut.type = c->type == TYPE_U8 ? ISOLUX_TYPE_U8 : ISOLUX_TYPE_U16;
  lut.channels = 1;
  lut.bins = n;
  lut.bits = bits;
  lut.high = n - 1;
  lut.entries = g_malloc ((gsize) n * isolux_type_size (lut.type));
  for (gint k = 0; k < n; k++)
    {
      const guint v = (guint) ((guint64) k * (guint64) k * 65535u /
                               ((guint64) (n - 1) * (guint64) (n - 1)));

      if (lut.type == ISOLUX_TYPE_U8)
        ((guint8 *) lut.entries)[k] = (guint8) (v >> 8);
      else
        ((guint16 *) lut.entries)[k] = (guint16) v;
    }
  success = isolux_lut_apply (source, destination, &lut, NULL, report, error);
  g_free (lut.entries);
  return success;
}

/* ---- CLAHE -------------------------------------------------------------- */

static gboolean
run_clahe (const Case    *c,
           IsoluxSurface *source,
           IsoluxSurface *destination,
           GByteArray    *numbers,
           IsoluxReport  *report,
           GError       **error)
{
  return isolux_clahe (source, destination, NULL, report, error);
}

static void
refer_clahe (const Case *c,
             gpointer    source,
             gpointer    destination,
             GByteArray *numbers)
{
  const IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;

  ref_clahe (source, destination, &options);
}

static gboolean
run_clahe_cv (const Case    *c,
              IsoluxSurface *source,
              IsoluxSurface *destination,
              GByteArray    *numbers,
              IsoluxReport  *report,
              GError       **error)
{
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;

  options.compatibility = ISOLUX_CLAHE_OPENCV;
  return isolux_clahe (source, destination, &options, report, error);
}

static void
refer_clahe_cv (const Case *c,
                gpointer    source,
                gpointer    destination,
                GByteArray *numbers)
{
  IsoluxClaheOptions options = ISOLUX_CLAHE_DEFAULTS;

  options.compatibility = ISOLUX_CLAHE_OPENCV;
  ref_clahe (source, destination, &options);
}

/* ---- Texture ------------------------------------------------------------ */

static gboolean
run_lbp (const Case    *c,
         IsoluxSurface *source,
         IsoluxSurface *destination,
         GByteArray    *numbers,
         IsoluxReport  *report,
         GError       **error)
{
  return isolux_lbp (source, destination, NULL, report, error);
}

static void
refer_lbp (const Case *c, gpointer source, gpointer destination, GByteArray *n)
{
  const IsoluxLbpOptions options = ISOLUX_LBP_DEFAULTS;

  ref_lbp_picture (source, destination, &options);
}

static gboolean
run_lbp_uniform (const Case    *c,
                 IsoluxSurface *source,
                 IsoluxSurface *destination,
                 GByteArray    *numbers,
                 IsoluxReport  *report,
                 GError       **error)
{
  IsoluxLbpOptions options = ISOLUX_LBP_DEFAULTS;

  options.method = ISOLUX_LBP_UNIFORM;
  return isolux_lbp (source, destination, &options, report, error);
}

/* Samples between pixels: sixteen of them, two pixels away. */
static gboolean
run_lbp_far (const Case    *c,
             IsoluxSurface *source,
             IsoluxSurface *destination,
             GByteArray    *numbers,
             IsoluxReport  *report,
             GError       **error)
{
  IsoluxLbpOptions options = ISOLUX_LBP_DEFAULTS;

  options.method = ISOLUX_LBP_UNIFORM;
  options.points = 16;
  options.radius = 2.0;
  return isolux_lbp (source, destination, &options, report, error);
}

static gboolean
run_lbp_histogram (const Case    *c,
                   IsoluxSurface *source,
                   IsoluxSurface *destination,
                   GByteArray    *numbers,
                   IsoluxReport  *report,
                   GError       **error)
{
  guint64 *counts;
  gsize    n;

  if (! isolux_lbp_histogram (source, NULL, &counts, &n, report, error))
    return FALSE;
  put (numbers, counts, n * sizeof *counts);
  g_free (counts);
  return TRUE;
}

/* Blocks of two cells, as most use them. */
static gboolean
run_hog (const Case    *c,
         IsoluxSurface *source,
         IsoluxSurface *destination,
         GByteArray    *numbers,
         IsoluxReport  *report,
         GError       **error)
{
  IsoluxHogOptions options = ISOLUX_HOG_DEFAULTS;
  IsoluxHog       *hog;

  options.block_size = 2;
  hog = isolux_hog (source, &options, report, error);
  if (! hog)
    return FALSE;
  put (numbers, hog->values, hog->n_values * sizeof *hog->values);
  isolux_hog_free (hog);
  return TRUE;
}

/* The cells: blocks differ from the reference in their last bits. */
static gboolean
run_hog_cells (const Case    *c,
               IsoluxSurface *source,
               IsoluxSurface *destination,
               GByteArray    *numbers,
               IsoluxReport  *report,
               GError       **error)
{
  gint64  across, down;
  gfloat *cells =
    isolux_hog_cells (source, NULL, &across, &down, report, error);

  if (! cells)
    return FALSE;
  put (numbers, cells, (gsize) (across * down) * 9 * sizeof *cells);
  g_free (cells);
  return TRUE;
}

static void
refer_hog_cells (const Case *c,
                 gpointer    source,
                 gpointer    destination,
                 GByteArray *numbers)
{
  const IsoluxHogOptions options = ISOLUX_HOG_DEFAULTS;
  gint64                 rows, columns;
  gfloat *cells = ref_hog_cells (source, &options, &rows, &columns);

  put (numbers, cells, (gsize) (rows * columns) * 9 * sizeof *cells);
  g_free (cells);
}

static gboolean
run_hog_picture (const Case    *c,
                 IsoluxSurface *source,
                 IsoluxSurface *destination,
                 GByteArray    *numbers,
                 IsoluxReport  *report,
                 GError       **error)
{
  return isolux_hog_picture (source, destination, NULL, report, error);
}

/* ---- The rest ----------------------------------------------------------- */

static gboolean
run_grayscale (const Case    *c,
               IsoluxSurface *source,
               IsoluxSurface *destination,
               GByteArray    *numbers,
               IsoluxReport  *report,
               GError       **error)
{
  return isolux_grayscale (source, destination, NULL, report, error);
}

static gboolean
run_luminance (const Case    *c,
               IsoluxSurface *source,
               IsoluxSurface *destination,
               GByteArray    *numbers,
               IsoluxReport  *report,
               GError       **error)
{
  IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;

  options.method = ISOLUX_GRAY_LUMINANCE;
  return isolux_grayscale (source, destination, &options, report, error);
}

/* numbers: what is exact there */
static void
refer_grayscale (const Case *c,
                 gpointer    source,
                 gpointer    destination,
                 GByteArray *numbers)
{
  const IsoluxGrayOptions options = ISOLUX_GRAY_DEFAULTS;

  ref_grayscale (source, destination, &options, NULL);
}

static gboolean
run_window (const Case    *c,
            IsoluxSurface *source,
            IsoluxSurface *destination,
            GByteArray    *numbers,
            IsoluxReport  *report,
            GError       **error)
{
  return isolux_window (source, destination, NULL, report, error);
}

static gboolean
run_contrast_map (const Case    *c,
                  IsoluxSurface *source,
                  IsoluxSurface *destination,
                  GByteArray    *numbers,
                  IsoluxReport  *report,
                  GError       **error)
{
  return isolux_contrast_map (source, destination, NULL, report, error);
}

/* An image with itself: as much work as any other. */
static gboolean
run_metrics (const Case    *c,
             IsoluxSurface *source,
             IsoluxSurface *destination,
             GByteArray    *numbers,
             IsoluxReport  *report,
             GError       **error)
{
  IsoluxMetrics metrics;

  if (! isolux_metrics (source, source, NULL, &metrics, report, error))
    return FALSE;
  put (numbers, &metrics, sizeof metrics);
  return TRUE;
}

/* ---- All of them -------------------------------------------------------- */

/*
 * Reads and writes are the least that the definition needs: an image whose
 * histogram decides is read twice.  Those of a descriptor are left out: it
 * goes to the host.
 */
const Operation operations[] = {
  { "histogram", ALL, 1, 0, 1, 0, TRUE, run_histogram, refer_histogram },
  { "histogram-rgb", ALL, 3, 0, 1, 0, FALSE, run_histogram, NULL },
  { "equalize", ALL, 1, 1, 2, 1, TRUE, run_equalize, refer_equalize },
  { "equalize-rgb", ALL, 3, 3, 2, 1, FALSE, run_equalize, NULL },
  { "equalize-rgba", ALL, 4, 4, 2, 1, FALSE, run_equalize, NULL },
  { "lut", CODES, 1, 1, 1, 1, FALSE, run_lut, NULL },
  { "clahe", ALL, 1, 1, 2, 1, TRUE, run_clahe, refer_clahe },
  { "clahe-cv", CODES, 1, 1, 2, 1, TRUE, run_clahe_cv, refer_clahe_cv },
  { "clahe-rgb", ALL, 3, 3, 2, 1, FALSE, run_clahe, NULL },
  { "lbp", ALL, 1, 1, 1, 1, TRUE, run_lbp, refer_lbp },
  { "lbp-uniform", ALL, 1, 1, 1, 1, FALSE, run_lbp_uniform, NULL },
  { "lbp-16-2", ALL, 1, 1, 1, 1, FALSE, run_lbp_far, NULL },
  { "lbp-histogram", ALL, 1, 0, 1, 0, FALSE, run_lbp_histogram, NULL },
  { "hog", ALL, 1, 0, 1, 0, TRUE, run_hog, NULL },
  { "hog-cells", ALL, 1, 0, 1, 0, FALSE, run_hog_cells, refer_hog_cells },
  { "hog-picture", ALL, 1, 1, 1, 1, FALSE, run_hog_picture, NULL },
  { "grayscale", ALL, 3, 1, 1, 1, TRUE, run_grayscale, refer_grayscale },
  { "luminance", ALL, 3, 1, 1, 1, FALSE, run_luminance, NULL },
  { "window", ALL, 1, 1, 2, 1, FALSE, run_window, NULL },
  { "contrast-map", ALL, 1, 1, 1, 1, FALSE, run_contrast_map, NULL },
  { "metrics", ALL, 1, 0, 2, 0, FALSE, run_metrics, NULL },
};

const gint n_operations = G_N_ELEMENTS (operations);

/* ---- Against the reference ---------------------------------------------- */

static RefImage
ref_of (const IsoluxImage *image, guint8 *data)
{
  RefImage ref = { 0 };

  ref.image = *image;
  ref.data = data;
  ref.stride = isolux_image_row_bytes (image);
  return ref;
}

gboolean
case_is_right (IsoluxDevice *device, const Case *c, GError **error)
{
  Case        small = *c;
  GByteArray *got, *wanted;
  IsoluxImage source, result;
  RefImage    from, to = { 0 };
  gboolean    right;

  if (! c->operation->refer)
    return TRUE;
  small.size.width = 333;
  small.size.height = 211;
  small.layout = LAYOUT_PLAIN;
  source = case_source_image (&small);
  result = case_result_image (&small);
  got = case_result (device, &small, error);
  if (! got)
    return FALSE;
  wanted = g_byte_array_new ();
  g_byte_array_set_size (wanted, (guint) image_bytes (&result));
  from = ref_of (&source, (guint8 *) case_pixels (&small));
  to = ref_of (&result, wanted->data);
  c->operation->refer (&small, &from, &to, wanted);
  right = got->len == wanted->len &&
          memcmp (got->data, wanted->data, got->len) == 0;
  g_byte_array_unref (got);
  g_byte_array_unref (wanted);
  if (! right)
    g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_ARGUMENT,
                 "%s %s %s: not what tests/reference says", c->operation->name,
                 type_names[c->type], data_names[c->data]);
  return right;
}
