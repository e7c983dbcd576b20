/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-units.c: values in the units that an image names: parasites, what
 * procedures make of them, and plug-in-isolux-set-values.
 */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "test.h"

#define WIDTH 80
#define HEIGHT 50
#define PARASITE "isolux-values"

static const gchar hounsfield[] = "slope=0.5\nintercept=-9000\nunit=HU\n"
                                  "modality=CT\n";

/* ---- Help ----------------------------------------------------------- */

static GimpParasite *
parasite_of (const gchar *text)
{
  return gimp_parasite_new (PARASITE,
                            GIMP_PARASITE_PERSISTENT | GIMP_PARASITE_UNDOABLE,
                            (guint32) strlen (text) + 1, text);
}

static void
attach (GimpDrawable *drawable, const gchar *text)
{
  GimpParasite *parasite = parasite_of (text);

  gimp_item_attach_parasite (GIMP_ITEM (drawable), parasite);
  gimp_parasite_free (parasite);
}

/* The drawable's own, or NULL; to be freed */
static gchar *
attached (GimpDrawable *drawable)
{
  GimpParasite *parasite =
    gimp_item_get_parasite (GIMP_ITEM (drawable), PARASITE);
  gchar       *text = NULL;
  const gchar *data;
  guint32      size;

  if (parasite)
    {
      data = gimp_parasite_get_data (parasite, &size);
      text = g_strndup (data, size);
      gimp_parasite_free (parasite);
    }
  return text;
}

static gboolean
has_line (GimpDrawable *drawable, const gchar *line)
{
  gchar   *text = attached (drawable);
  gchar  **lines = g_strsplit (text ? text : "", "\n", -1);
  gboolean found = g_strv_contains ((const gchar *const *) lines, line);

  if (! found)
    test_note ("no line \"%s\" in \"%s\"", line, text ? text : "(none)");
  g_strfreev (lines);
  g_free (text);
  return found;
}

static gboolean
same (GimpDrawable *a, GimpDrawable *b)
{
  TestPixels *pa = test_pixels_get (a), *pb = test_pixels_get (b);
  gboolean    equal = test_pixels_equal (pa, pb);

  test_pixels_free (pa);
  test_pixels_free (pb);
  return equal;
}

/* What is shown of a layer with filters, as a new layer */
static GimpDrawable *
shown (GimpDrawable *drawable)
{
  GimpImage *image = gimp_item_get_image (GIMP_ITEM (drawable));
  GimpLayer *copy = gimp_layer_new_from_drawable (drawable, image);

  gimp_image_insert_layer (image, copy, NULL, 0);
  gimp_drawable_merge_filters (GIMP_DRAWABLE (copy));
  return GIMP_DRAWABLE (copy);
}

/* The JSON at the end of a call's results; to be freed */
static JsonParser *
json_of (GimpValueArray *values)
{
  JsonParser  *parser = json_parser_new ();
  const gchar *text = g_value_get_string (
    gimp_value_array_index (values, gimp_value_array_length (values) - 1));

  json_parser_load_from_data (parser, text ? text : "{}", -1, NULL);
  return parser;
}

static JsonObject *
real_of (JsonParser *parser)
{
  JsonObject *all = json_node_get_object (json_parser_get_root (parser));

  return json_object_has_member (all, "real")
           ? json_object_get_object_member (all, "real")
           : NULL;
}

static JsonParser *
histogram_of (GimpDrawable *drawable)
{
  GimpDrawable   *drawables[] = { drawable, NULL };
  GimpValueArray *values;
  JsonParser     *parser;
  gchar          *message;

  values = test_call ("plug-in-isolux-histogram", GIMP_RUN_NONINTERACTIVE,
                      gimp_item_get_image (GIMP_ITEM (drawable)), drawables,
                      &message, "channel", "luma", NULL);
  parser = json_of (values);
  gimp_value_array_unref (values);
  g_free (message);
  return parser;
}

static gboolean
number_is (JsonObject *object, const gchar *name, gdouble wanted)
{
  const gdouble value =
    object ? json_object_get_double_member_with_default (object, name, NAN)
           : NAN;

  if (fabs (value - wanted) <= 1e-9 * (1.0 + fabs (wanted)))
    return TRUE;
  test_note ("%s is %.12g, not %.12g", name, value, wanted);
  return FALSE;
}

static GimpImage *
new_image (GimpPrecision precision)
{
  return test_image (WIDTH, HEIGHT, GIMP_GRAY, precision);
}

static GimpDrawable *
new_layer (GimpImage *image, guint32 seed)
{
  return test_layer (image, 0, 0, WIDTH, HEIGHT, FALSE, TEST_PHOTO, seed);
}

/* ---- Windows -------------------------------------------------------- */

static void
check_window (GimpPrecision precision, const gchar *what)
{
  GimpImage    *image = new_image (precision);
  GimpDrawable *codes = new_layer (image, 1);
  GimpDrawable *real = new_layer (image, 1);
  GimpDrawable *kept = new_layer (image, 1);
  GimpDrawable *result;
  gboolean      u16 = precision == GIMP_PRECISION_U16_LINEAR;
  gdouble       scale = u16 ? 65535.0 : 1.0;
  gchar        *text;

  text = g_strdup_printf ("slope=%g\nintercept=-9000\nunit=HU\n",
                          u16 ? 0.5 : 32000.0);
  attach (real, text);
  attach (kept, text);
  g_free (text);

  test_ok (test_run ("window", codes, "mode", "window", "center", 0.4 * scale,
                     "width", 0.5 * scale, NULL) &&
             test_run ("window", real, "mode", "window", "center",
                       0.4 * scale * (u16 ? 0.5 : 32000.0) - 9000.0, "width",
                       0.5 * scale * (u16 ? 0.5 : 32000.0), NULL) &&
             same (codes, real),
           "%s: a window in units is that in codes", what);
  test_ok (test_run ("window", kept, "mode", "window", "center",
                     0.4 * scale * (u16 ? 0.5 : 32000.0) - 9000.0, "width",
                     0.5 * scale * (u16 ? 0.5 : 32000.0), "non-destructive",
                     TRUE, NULL) &&
             has_line (kept, "unit=HU"),
           "%s: a filter leaves the units", what);
  result = shown (kept);
  test_ok (same (codes, result), "%s: and shows the same", what);

  test_ok (has_line (real, "loss=Isolux Window: the values have become a "
                           "picture") &&
             ! strstr (text = attached (real), "HU"),
           "%s: merged values have no unit", what);
  g_free (text);
  text = gimp_item_get_name (GIMP_ITEM (real));
  test_ok (g_str_has_suffix (text, " (Isolux Window)"),
           "%s: and say so in the layer's name: %s", what, text);
  g_free (text);
  test_ok (attached (codes) == NULL, "%s: codes need no note", what);
  gimp_image_delete (image);
}

/* Where the image has the parasite; masks are no values */
static void
check_image (void)
{
  GimpImage     *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable  *codes = new_layer (image, 2);
  GimpDrawable  *real = new_layer (image, 2);
  GimpDrawable  *own = new_layer (image, 2);
  GimpLayerMask *mask;
  GimpParasite  *parasite = parasite_of (hounsfield);
  JsonParser    *parser;

  gimp_image_attach_parasite (image, parasite);
  gimp_parasite_free (parasite);
  attach (own, "slope=1\nintercept=0\n");
  test_ok (test_run ("window", real, "mode", "window", "center", 1000.0,
                     "width", 8000.0, NULL) &&
             test_run ("window", own, "mode", "window", "center", 20000.0,
                       "width", 16000.0, NULL) &&
             same (real, own),
           "the image's values hold, but for a layer with its own");

  mask = gimp_layer_create_mask (GIMP_LAYER (codes), GIMP_ADD_MASK_WHITE);
  gimp_layer_add_mask (GIMP_LAYER (codes), mask);
  parser = histogram_of (GIMP_DRAWABLE (mask));
  test_ok (real_of (parser) == NULL, "a mask's values have no unit");
  g_object_unref (parser);
  parser = histogram_of (codes);
  test_ok (real_of (parser) != NULL, "its layer's have");
  g_object_unref (parser);
  gimp_image_delete (image);
}

/* Over one of our filters there are no values any more; over others they
 * are, though their codes come as floating point */
static void
check_stack (void)
{
  GimpImage           *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable        *layer = new_layer (image, 3);
  GimpDrawable        *blurred = new_layer (image, 3);
  GimpDrawable        *codes = new_layer (image, 3);
  GimpDrawableFilter **filters;
  GimpDrawable        *a, *b;
  gboolean             good;
  gint                 n = 0;

  attach (layer, hounsfield);
  good = test_run ("window", layer, "mode", "window", "center", 1000.0, "width",
                   8000.0, "non-destructive", TRUE, NULL) &&
         test_run ("clahe", layer, "non-destructive", TRUE, NULL);
  filters = gimp_drawable_get_filters (layer);
  for (; filters && filters[n]; n++)
    {
      GObject *config = G_OBJECT (gimp_drawable_filter_get_config (filters[n]));
      gchar   *name = gimp_drawable_filter_get_operation_name (filters[n]);
      gchar   *text;

      g_object_get (config, "values", &text, NULL);
      good = good && (! strcmp (name, "isolux:window")) ==
                       (text && strstr (text, "unit=HU"));
      g_free (text);
      g_free (name);
    }
  g_free (filters);
  test_ok (good && n == 2, "what lies over a picture is told no units");

  attach (blurred, hounsfield);
  gimp_drawable_append_new_filter (blurred, "gegl:nop", NULL,
                                   GIMP_LAYER_MODE_REPLACE, 1.0, NULL);
  good = test_run ("window", blurred, "mode", "window", "center", 1000.0,
                   "width", 8000.0, "non-destructive", TRUE, NULL) &&
         test_run ("window", codes, "mode", "window", "center", 20000.0,
                   "width", 16000.0, NULL);
  a = shown (blurred);
  b = codes;
  {
    TestPixels *pa = test_pixels_get (a), *pb = test_pixels_get (b);
    gdouble     most = 0.0;

    for (gsize i = 0; i < (gsize) WIDTH * HEIGHT; i++)
      most = MAX (most, fabs (pa->values[i] - pb->values[i]));
    test_note ("at most %g levels apart", most);
    test_ok (good && most <= 1.0, "over another filter the units hold");
    test_pixels_free (pa);
    test_pixels_free (pb);
  }
  gimp_image_delete (image);
}

/* A window on values is a way to look at them: the next one takes its place,
 * and numbers are of what lies below it */
static void
check_replaced (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_NON_LINEAR);
  GimpDrawable *layer = new_layer (image, 3);
  GimpDrawable *merged = new_layer (image, 3);
  GimpDrawable *codes = new_layer (image, 3);
  GimpDrawable *again = new_layer (image, 3);
  GimpDrawable *result;
  JsonParser   *parser;

  attach (layer, hounsfield);
  attach (merged, hounsfield);
  test_run ("window", layer, "mode", "window", "center", 5.0, "width", 3.0,
            "non-destructive", TRUE, NULL);
  test_run ("window", merged, "mode", "window", "center", 5.0, "width", 3.0,
            "non-destructive", TRUE, NULL);
  parser = histogram_of (layer);
  test_ok (real_of (parser) != NULL, "below a window are values");
  g_object_unref (parser);

  test_ok (test_run ("window", codes, "mode", "window", "center", 20000.0,
                     "width", 16000.0, NULL) &&
             test_run ("window", layer, "mode", "window", "center", 1000.0,
                       "width", 8000.0, "non-destructive", TRUE, NULL) &&
             test_count_filters (layer) == 1,
           "a window takes the place of the one that was there");
  result = shown (layer);
  test_ok (same (codes, result), "and shows the values");
  test_ok (test_run ("window", merged, "mode", "window", "center", 1000.0,
                     "width", 8000.0, NULL) &&
             test_count_filters (merged) == 0 && same (codes, merged),
           "merged, too");

  test_run ("clahe", layer, "non-destructive", TRUE, NULL);
  test_ok (test_run ("window", layer, "mode", "window", "center", 1000.0,
                     "width", 8000.0, "non-destructive", TRUE, NULL) &&
             test_count_filters (layer) == 3,
           "but not where more than windows lies on the values");

  /* what is merged changes what is seen */
  attach (again, hounsfield);
  test_ok (test_run ("window", again, "mode", "window", "center", 5.0, "width",
                     3.0, "non-destructive", TRUE, NULL) &&
             test_run ("grayscale", again, NULL) &&
             test_count_filters (again) == 1 && has_line (again, "unit=HU"),
           "gray made gray leaves values and window");
  test_run ("window", again, "mode", "window", "center", 1000.0, "width",
            8000.0, "non-destructive", TRUE, NULL);
  test_ok (test_run ("clahe", again, NULL) && test_run ("clahe", codes, NULL) &&
             test_count_filters (again) == 0 && same (codes, again) &&
             ! has_line (again, "unit=HU"),
           "CLAHE merged over a window is of the picture");
  gimp_image_delete (image);
}

/* ---- Numbers -------------------------------------------------------- */

static void
check_histogram (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable *layer = new_layer (image, 4);
  TestPixels   *pixels = test_pixels_get (layer);
  const gdouble padding = pixels->values[7];
  gdouble       least = INFINITY, most = -INFINITY, sum = 0.0, n = 0.0;
  JsonParser   *parser;
  JsonObject   *real, *all;
  gchar        *text;

  for (gsize i = 0; i < (gsize) WIDTH * HEIGHT; i++)
    {
      const gdouble v = 100.0 - 2.0 * pixels->values[i];

      if (pixels->values[i] == padding)
        continue;
      least = MIN (least, v);
      most = MAX (most, v);
      sum += v;
      n++;
    }
  text = g_strdup_printf ("slope=-2\nintercept=100\nunit=cm\npadding=%.17g",
                          100.0 - 2.0 * padding);
  attach (layer, text);
  g_free (text);

  parser = histogram_of (layer);
  all = json_node_get_object (json_parser_get_root (parser));
  real = real_of (parser);
  test_ok (real &&
             ! strcmp (json_object_get_string_member (real, "unit"), "cm") &&
             number_is (real, "slope", -2.0) &&
             number_is (real, "intercept", 100.0) &&
             number_is (real, "padding", 100.0 - 2.0 * padding),
           "a histogram names the unit");
  test_ok (number_is (real, "min", least) && number_is (real, "max", most) &&
             number_is (real, "mean", sum / n),
           "its numbers are in the unit, a negative slope turns them over");
  test_ok (n < WIDTH * HEIGHT &&
             json_object_get_int_member (all, "count") == (gint64) n,
           "padding does not count");
  real = real ? json_object_get_object_member (real, "percentiles") : NULL;
  test_ok (real && json_object_get_double_member (real, "5") <
                     json_object_get_double_member (real, "95"),
           "percentiles rise");
  g_object_unref (parser);
  test_pixels_free (pixels);
  gimp_image_delete (image);
}

static JsonParser *
metrics_of (GimpDrawable *first, GimpDrawable *second)
{
  GimpProcedure *procedure =
    gimp_pdb_lookup_procedure (gimp_get_pdb (), "plug-in-isolux-metrics");
  GimpProcedureConfig *config = gimp_procedure_create_config (procedure);
  GimpValueArray      *values;
  JsonParser          *parser;

  g_object_set (config, "first", first, "second", second, NULL);
  values = gimp_procedure_run_config (procedure, config);
  parser = json_of (values);
  gimp_value_array_unref (values);
  g_object_unref (config);
  return parser;
}

static void
check_metrics (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable *first = new_layer (image, 5), *second = new_layer (image, 6);
  JsonParser   *parser = metrics_of (first, second);
  JsonObject   *all, *real;
  gdouble       ambe, mse;

  all = json_node_get_object (json_parser_get_root (parser));
  ambe = json_object_get_double_member (all, "ambe");
  mse = json_object_get_double_member (all, "mse");
  test_ok (real_of (parser) == NULL, "metrics of codes are those");
  g_object_unref (parser);

  attach (first, hounsfield);
  parser = metrics_of (first, second);
  test_ok (real_of (parser) == NULL, "values and codes have no common unit");
  g_object_unref (parser);

  attach (second, hounsfield);
  parser = metrics_of (first, second);
  real = real_of (parser);
  test_ok (number_is (real, "ambe", ambe * 0.5) &&
             number_is (real, "mse", mse * 0.25),
           "metrics of values are in their unit");
  g_object_unref (parser);
  gimp_image_delete (image);
}

/* ---- Saying it ------------------------------------------------------ */

static void
refused (GimpDrawable *drawable,
         const gchar  *words,
         const gchar  *name,
         const gchar  *value_name,
         gdouble       value)
{
  GimpDrawable   *drawables[] = { drawable, NULL };
  gchar          *before = attached (drawable), *after, *message;
  GimpValueArray *values;

  values = test_call ("plug-in-isolux-set-values", GIMP_RUN_NONINTERACTIVE,
                      gimp_item_get_image (GIMP_ITEM (drawable)), drawables,
                      &message, "kind", name, value_name, value, NULL);
  after = attached (drawable);
  test_ok (message && strstr (message, words) && ! g_strcmp0 (before, after),
           "set-values refuses: %s", message ? message : "(nothing)");
  gimp_value_array_unref (values);
  g_free (message);
  g_free (before);
  g_free (after);
}

static void
check_set_values (void)
{
  GimpImage      *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpImage      *bytes = new_image (GIMP_PRECISION_U8_NON_LINEAR);
  GimpDrawable   *layer = new_layer (image, 7), *other = new_layer (bytes, 7);
  GimpDrawable   *drawables[] = { layer, NULL };
  GimpValueArray *values;
  GimpImage      *loaded;
  GimpLayer     **layers;
  gchar          *message;

  attach (layer, "slope=3\nspacing=0.5 0.5\nfuture=1\nwindow=1 2\n");
  test_ok (test_run ("set-values", layer, "kind", "signed-16-hu", NULL) &&
             has_line (layer, "intercept=-32768") &&
             has_line (layer, "slope=1") && has_line (layer, "unit=HU") &&
             has_line (layer, "codes=65535"),
           "set-values says what signed TIFF is");
  test_ok (has_line (layer, "spacing=0.5 0.5") && has_line (layer, "future=1"),
           "and keeps the other lines");
  test_ok (test_run ("set-values", layer, "kind", "custom", "slope", -0.25,
                     "intercept", 10.0, "unit", "mm", "use-padding-value", TRUE,
                     "padding-value", 7.0, NULL) &&
             has_line (layer, "slope=-0.25") && has_line (layer, "padding=7"),
           "or what one likes");

  refused (layer, "slope", "custom", "slope", 0.0);
  refused (layer, "There are", "no kind", "slope", 1.0);
  refused (other, "16 bits", "signed-16", "slope", 1.0);

  loaded = test_save_and_load (image);
  layers = gimp_image_get_layers (loaded);
  test_ok (has_line (GIMP_DRAWABLE (layers[0]), "unit=mm"), "XCF keeps it");
  g_free (layers);
  gimp_image_delete (loaded);

  /* damaged: no number may be taken for another */
  attach (layer, "slope=much\n");
  values = test_call ("plug-in-isolux-window", GIMP_RUN_NONINTERACTIVE, image,
                      drawables, &message, NULL);
  test_ok (message && strstr (message, "Set Values"), "damaged: %s",
           message ? message : "(nothing)");
  gimp_value_array_unref (values);
  g_free (message);
  test_ok (test_run ("set-values", layer, "kind", "clear", NULL) &&
             attached (layer) == NULL && test_run ("window", layer, NULL),
           "clearing it helps");
  gimp_image_delete (image);
  gimp_image_delete (bytes);
}

/* Codes that a change of precision made floating point */
static void
check_precision (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable *layer = new_layer (image, 8);
  JsonParser   *parser;
  JsonObject   *real;
  gdouble       least;
  gboolean      good;

  test_run ("set-values", layer, "kind", "unsigned-1024-hu", NULL);
  parser = histogram_of (layer);
  least = json_object_get_double_member (real_of (parser), "min");
  g_object_unref (parser);

  gimp_image_convert_precision (image, GIMP_PRECISION_FLOAT_LINEAR);
  parser = histogram_of (layer);
  real = real_of (parser);
  good = real &&
         fabs (json_object_get_double_member (real, "min") - least) < 0.01;
  test_ok (good, "units survive a change of precision");
  g_object_unref (parser);
  gimp_image_delete (image);
}

/* ---- Files ---------------------------------------------------------- */

/* The numbers are those of another reader (tifffile) */
static void
check_file (const gchar *folder,
            const gchar *name,
            const gchar *kind,
            gdouble      least,
            gdouble      most,
            gdouble      mean)
{
  GFile        *file = g_file_new_build_filename (folder, name, NULL);
  GimpImage    *image;
  GimpLayer   **layers;
  GimpDrawable *layer;
  JsonParser   *parser;
  JsonObject   *real;

  if (! g_file_query_exists (file, NULL))
    {
      test_skip ("%s is not there", name);
      g_object_unref (file);
      return;
    }
  image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);
  layers = gimp_image_get_layers (image);
  layer = GIMP_DRAWABLE (layers[0]);
  test_run ("set-values", layer, "kind", kind, NULL);
  parser = histogram_of (layer);
  real = real_of (parser);
  test_ok (number_is (real, "min", least) && number_is (real, "max", most) &&
             real &&
             fabs (json_object_get_double_member (real, "mean") - mean) < 0.05,
           "%s: the values are those of the file", name);
  g_object_unref (parser);
  g_free (layers);
  gimp_image_delete (image);
  g_object_unref (file);
}

/* ---- Precision ------------------------------------------------------ */

/* What is put into the pixels: codes of 12 bits, or floats */
static gdouble
value_at (gint x, gint y)
{
  return (gdouble) ((x * 53 + y * 977) % 4096) - 1024.0;
}

#define PADDING 3071.0 /* the largest of them */
#define CENTER 1000.0
#define VALUES_WIDTH 4000.0

/* A layer in HU, with its codes as GIMP's precision of that name has them */
static GimpDrawable *
new_values (GimpImage *image, gdouble codes, const gchar *precision)
{
  GimpDrawable *drawable = new_layer (image, 1);
  GeglBuffer   *buffer = gimp_drawable_get_buffer (drawable);
  gdouble       slope = codes > 255.0 ? 1.0 : codes > 1.0 ? 20.0 : 1.0;
  gdouble       intercept = codes > 1.0 ? -1024.0 : 0.0;
  gchar        *text;

  for (gint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH; x++)
      {
        gdouble code = (value_at (x, y) - intercept) / slope;
        guint8  u8 = (guint8) code;
        guint16 u16 = (guint16) code;
        gfloat  single = (gfloat) code;

        gegl_buffer_set (buffer, GEGL_RECTANGLE (x, y, 1, 1), 0,
                         gimp_drawable_get_format (drawable),
                         codes == 255.0     ? (gpointer) &u8
                         : codes == 65535.0 ? (gpointer) &u16
                                            : (gpointer) &single,
                         GEGL_AUTO_ROWSTRIDE);
      }
  g_object_unref (buffer);
  text = g_strdup_printf ("slope=%g\nintercept=%g\nunit=HU\npadding=%g\n"
                          "codes=%g\nprecision=%s\n%s",
                          slope, intercept,
                          codes == 255.0 ? 204.0 * 20.0 - 1024.0 : PADDING,
                          codes, precision, codes > 255.0 ? "bits=12\n" : "");
  attach (drawable, text);
  g_free (text);
  return drawable;
}

/* In the curve that the values were put into */
static guint8 *
grays (GimpDrawable *drawable, gboolean linear)
{
  guint8     *pixels = g_malloc (WIDTH * HEIGHT);
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);

  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, WIDTH, HEIGHT), 1.0,
                   babl_format (linear ? "Y u8" : "Y' u8"), pixels,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_object_unref (buffer);
  return pixels;
}

/* Whether a picture is the window of the values, as far as they are right;
 * padding is not looked at, for a window leaves it as it is */
static gboolean
is_windowed (GimpDrawable *picture,
             const guint8 *wanted,
             gboolean      linear,
             gdouble       error,
             gdouble       rounding)
{
  guint8 *got = grays (picture, linear);
  gdouble off = 0.0;
  gdouble most = 1.01 + rounding + 255.0 * error / VALUES_WIDTH;

  for (gint i = 0; i < WIDTH * HEIGHT; i++)
    if (value_at (i % WIDTH, i / WIDTH) < PADDING - 3.0 * error - 21.0)
      off = MAX (off, ABS ((gdouble) got[i] - wanted[i]));
  g_free (got);
  if (off <= most)
    return TRUE;
  test_note ("%g levels off, not %g", off, most);
  return FALSE;
}

typedef struct
{
  gdouble      minimum, maximum, mean;
  gint64       count;
  const gchar *loss; /* of the parser */
  JsonParser  *parser;
} Numbers;

static gboolean
numbers_of (GimpDrawable *drawable, Numbers *numbers)
{
  JsonObject *real;

  numbers->parser = histogram_of (drawable);
  real = real_of (numbers->parser);
  if (! real)
    return FALSE;
  numbers->minimum = json_object_get_double_member (real, "min");
  numbers->maximum = json_object_get_double_member (real, "max");
  numbers->mean = json_object_get_double_member (real, "mean");
  numbers->loss =
    json_object_get_string_member_with_default (real, "loss", NULL);
  numbers->count = json_object_get_int_member (
    json_node_get_object (json_parser_get_root (numbers->parser)), "count");
  return TRUE;
}

static gboolean
is_linear (const gchar *precision)
{
  return ! strstr (precision, "non-linear") && strstr (precision, "linear");
}

/* How far off values may be in a precision, or -1 when they are cut off, by
 * the steps of the precision: written down apart from the plug-in's own */
static gdouble
error_in (const gchar *was, gdouble codes, const gchar *is)
{
  const gdouble  slope = codes == 255.0 ? 20.0 : 1.0;
  const gboolean linear = is_linear (is), was_linear = is_linear (was);
  const gdouble  bend = linear == was_linear ? 1.0 : linear ? 12.92 : 2.275;

  if (codes == 1.0)
    return g_str_has_prefix (is, "u")      ? -1.0
           : g_str_has_prefix (is, "half") ? linear ? -1.0 : 2.0
                                           : 0.0;
  if (g_str_has_prefix (is, "half"))
    return codes == 255.0 ? 0.0 : was_linear && ! linear ? 2.4 : 1.0;
  if (g_str_has_prefix (is, "u8"))
    return linear == was_linear && codes == 255.0
             ? 0.0
             : 0.5 * bend * slope * codes / 255.0;
  if (g_str_has_prefix (is, "u16") && codes == 65535.0 && linear != was_linear)
    return 0.5 * bend;
  return 0.0;
}

static void
check_change (GimpImage        *image,
              const Numbers    *before,
              const guint8     *wanted,
              gdouble           codes,
              const gchar      *was,
              const GEnumValue *precision)
{
  GimpImage    *copy = gimp_image_duplicate (image);
  GimpLayer   **layers = gimp_image_get_layers (copy);
  GimpDrawable *plain = GIMP_DRAWABLE (layers[1]);
  GimpDrawable *filtered = GIMP_DRAWABLE (layers[0]);
  const gchar  *is = precision->value_nick;
  gdouble       error = error_in (was, codes, is), slack, rounding;
  gboolean      linear = is_linear (was);
  gboolean      good;
  Numbers       after = { 0 };

  g_free (layers);
  if (strcmp (was, is))
    gimp_image_convert_precision (copy, (GimpPrecision) precision->value);
  good = numbers_of (plain, &after);
  test_ok (good && (error != 0.0) == (after.loss != NULL), "%s to %s: %s", was,
           is, good && after.loss ? after.loss : "nothing is lost");

  if (error < 0.0)
    test_ok (good &&
               ((after.minimum >= 0.0 && after.maximum <= 1.0 &&
                 strstr (after.loss, "cut off")) ||
                (after.maximum < 108.0 && strstr (after.loss, "too large"))),
             "... and it is true");
  else
    {
      /* padding takes those along that cannot be told from it; half floats
       * keep codes of 8 bits apart, but not as they were */
      slack = error > 0.0                     ? error + 2.0
              : g_str_has_prefix (is, "half") ? 1.3
                                              : 0.05;
      test_ok (good && fabs (after.minimum - before->minimum) <= slack &&
                 fabs (after.maximum - before->maximum) <=
                   slack + (error > 20.0 ? 2.0 * error : error) &&
                 fabs (after.mean - before->mean) <=
                   slack + (error > 20.0 ? error : 0.0) &&
                 (error > 0.0 || after.count == before->count),
               "... numbers in HU: %g to %g, mean %.3f, %d pixels",
               after.minimum, after.maximum, after.mean, (gint) after.count);

      /* pictures are rounded to the precision, too */
      rounding = strcmp (is, "u8-linear") || linear ? 0.0 : 7.0;
      test_ok (is_windowed (shown (filtered), wanted, linear, error, rounding),
               "... a filter from before shows the same");
      test_ok (test_run ("window", plain, "mode", "window", "center", CENTER,
                         "width", VALUES_WIDTH, NULL) &&
                 is_windowed (plain, wanted, linear, error, rounding),
               "... and so does a window now");
      test_ok (error == 0.0 || strstr (attached (plain), after.loss),
               "... whose note tells what had been lost");
    }
  g_clear_object (&after.parser);
  gimp_image_delete (copy);
}

/* From a precision to all that GIMP has */
static void
check_change_from (GimpPrecision precision, gdouble codes)
{
  GEnumClass   *klass = g_type_class_ref (GIMP_TYPE_PRECISION);
  const gchar  *was = g_enum_get_value (klass, (gint) precision)->value_nick;
  GimpImage    *image = new_image (precision);
  GimpDrawable *plain = new_values (image, codes, was);
  GimpDrawable *filtered = new_values (image, codes, was);
  GimpDrawable *picture;
  Numbers       before = { 0 };
  guint8       *wanted;
  gboolean      good;

  good = test_run ("window", filtered, "mode", "window", "center", CENTER,
                   "width", VALUES_WIDTH, "non-destructive", TRUE, NULL) &&
         numbers_of (plain, &before);
  test_ok (good && before.loss == NULL && before.minimum == -1024.0 &&
             before.maximum < PADDING,
           "%s: values in HU", was);
  picture = shown (filtered);
  wanted = grays (picture, is_linear (was));
  gimp_image_remove_layer (image, GIMP_LAYER (picture));
  for (guint i = 0; good && i < klass->n_values; i++)
    check_change (image, &before, wanted, codes, was, klass->values + i);

  g_free (wanted);
  g_clear_object (&before.parser);
  gimp_image_delete (image);
  g_type_class_unref (klass);
}

void
suite_units (const gchar *argument)
{
  check_window (GIMP_PRECISION_U16_LINEAR, "16 bits");
  check_window (GIMP_PRECISION_FLOAT_LINEAR, "floating point");
  check_image ();
  check_stack ();
  check_replaced ();
  check_histogram ();
  check_metrics ();
  check_set_values ();
  check_precision ();
  check_file (argument, "tif_s16_random.tif", "signed-16", -5000.0, 4998.0,
              86.5224609375);
  check_file (argument, "tif_f32_ct_hu_negative.tif", "hu", -896.0, 1167.0,
              -119.07385);
  check_change_from (GIMP_PRECISION_U16_NON_LINEAR, 65535.0);
  check_change_from (GIMP_PRECISION_U16_LINEAR, 65535.0);
  check_change_from (GIMP_PRECISION_U8_NON_LINEAR, 255.0);
  check_change_from (GIMP_PRECISION_FLOAT_NON_LINEAR, 1.0);
}
