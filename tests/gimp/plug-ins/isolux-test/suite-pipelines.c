/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * suite-pipelines.c: values to pictures in one call: of layers, of series, of
 * files.
 */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "test.h"

#define WIDTH 90
#define HEIGHT 64
#define PARASITE "isolux-values"

/* ---- Help ----------------------------------------------------------- */

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

static void
attach (GimpDrawable *drawable, const gchar *text)
{
  GimpParasite *parasite =
    gimp_parasite_new (PARASITE, GIMP_PARASITE_PERSISTENT,
                       (guint32) strlen (text) + 1, text);

  gimp_item_attach_parasite (GIMP_ITEM (drawable), parasite);
  gimp_parasite_free (parasite);
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

/* Pixels of a rectangle get a code (u16) */
static void
paint (GimpDrawable *drawable, gint x, gint y, gint w, gint h, guint16 code)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);
  guint16    *codes = g_new (guint16, (gsize) w * h);

  for (gint i = 0; i < w * h; i++)
    codes[i] = code;
  gegl_buffer_set (buffer, GEGL_RECTANGLE (x, y, w, h), 0,
                   gegl_buffer_get_format (buffer), codes, GEGL_AUTO_ROWSTRIDE);
  g_free (codes);
  g_object_unref (buffer);
}

/* What a call says; NULL when it worked.  To be freed. */
static gchar *
complaint (GimpDrawable *drawable, const gchar *name, const gchar *preset)
{
  GimpDrawable   *drawables[] = { drawable, NULL };
  GimpValueArray *values;
  gchar          *message;

  values = test_call (name, GIMP_RUN_NONINTERACTIVE,
                      gimp_item_get_image (GIMP_ITEM (drawable)), drawables,
                      &message, "window-preset", preset, NULL);
  gimp_value_array_unref (values);
  return message;
}

/* GIMP names the upper filter first; @place: 0 is the lowest one */
static GObject *
get_filter (GimpDrawableFilter **filters, gint place)
{
  gint n = 0;

  while (filters[n])
    n++;
  return G_OBJECT (gimp_drawable_filter_get_config (filters[n - 1 - place]));
}

static gchar *
get_filter_text (GimpDrawable *drawable, gint place, const gchar *name)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  gchar               *text;

  g_object_get (get_filter (filters, place), name, &text, NULL);
  g_free (filters);
  return text;
}

static gdouble
get_filter_number (GimpDrawable *drawable, gint place, const gchar *name)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  gdouble              number = NAN;

  g_object_get (get_filter (filters, place), name, &number, NULL);
  g_free (filters);
  return number;
}

/* ---- Layers --------------------------------------------------------- */

static void
check_stack (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable *kept = new_layer (image, 1), *merged = new_layer (image, 1);
  GimpDrawable *steps = new_layer (image, 1);
  gchar        *name;

  attach (kept, "slope=0.5\nintercept=-9000\nunit=HU\n");
  attach (merged, "slope=0.5\nintercept=-9000\nunit=HU\n");
  test_ok (test_run ("enhance", kept, "mode", "window", "center", 1000.0,
                     "width", 9000.0, "clip-limit", 3.0, "tiles-x", 4,
                     "tiles-y", 3, NULL) &&
             test_count_filters (kept) == 2,
           "enhance puts two filters on a layer");
  test_ok (test_run ("enhance", merged, "mode", "window", "center", 1000.0,
                     "width", 9000.0, "clip-limit", 3.0, "tiles-x", 4,
                     "tiles-y", 3, "non-destructive", FALSE, NULL) &&
             test_run ("window", steps, "mode", "window", "center", 20000.0,
                       "width", 18000.0, NULL) &&
             test_run ("clahe", steps, "clip-limit", 3.0, "tiles-x", 4,
                       "tiles-y", 3, NULL) &&
             same (merged, steps),
           "merged, it is a window and then CLAHE");
  gimp_drawable_merge_filters (kept);
  {
    TestPixels *a = test_pixels_get (kept), *b = test_pixels_get (steps);
    gdouble     most = 0.0;

    for (gsize i = 0; i < (gsize) WIDTH * HEIGHT; i++)
      most = MAX (most, fabs (a->values[i] - b->values[i]));
    test_note ("filters and steps: at most %g codes apart", most);
    /* between filters GIMP hands over floating point */
    test_ok (most <= 65535.0 / 255.0, "kept, it shows the same");
    test_pixels_free (a);
    test_pixels_free (b);
  }

  name = gimp_item_get_name (GIMP_ITEM (merged));
  test_ok (strstr (name, "CLAHE") != NULL, "the name says it: %s", name);
  g_free (name);
  gimp_image_delete (image);
}

/* Padding counts neither for the window nor for CLAHE, and stays */
static void
check_padding (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable *padded = new_layer (image, 2), *steps = new_layer (image, 2);
  GimpDrawable *other = new_layer (image, 2);

  paint (padded, 30, 20, 25, 17, 0);
  paint (steps, 30, 20, 25, 17, 0);
  paint (other, 30, 20, 25, 17, 9);
  attach (padded, "slope=2\nintercept=-50\npadding=-50\n");
  attach (other, "slope=2\nintercept=-50\npadding=-32\n");
  gimp_selection_all (image);
  gimp_image_select_rectangle (image, GIMP_CHANNEL_OP_SUBTRACT, 30, 20, 25, 17);
  test_run ("window", steps, "low-percentile", 2.0, "high-percentile", 95.0,
            NULL);
  test_run ("clahe", steps, "tiles-x", 3, "tiles-y", 2, NULL);
  gimp_selection_none (image);
  test_ok (test_run ("enhance", padded, "low-percentile", 2.0,
                     "high-percentile", 95.0, "tiles-x", 3, "tiles-y", 2,
                     "non-destructive", FALSE, NULL) &&
             same (padded, steps),
           "padding counts nowhere");
  paint (other, 30, 20, 25, 17, 9);
  test_ok (test_run ("enhance", other, "low-percentile", 2.0, "high-percentile",
                     95.0, "tiles-x", 3, "tiles-y", 2, "non-destructive", FALSE,
                     NULL),
           "another padding");
  paint (other, 30, 20, 25, 17, 0);
  test_ok (same (other, steps), "its value does not matter");
  gimp_image_delete (image);
}

static void
check_layers (void)
{
  GimpImage      *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable   *layers[3];
  GimpDrawable   *first[] = { NULL, NULL };
  GimpGroupLayer *group;
  GimpValueArray *values;
  gdouble         center[3], width[3];
  gchar          *message;
  gboolean        good = TRUE;

  for (gint i = 0; i < 3; i++)
    {
      layers[i] = new_layer (image, 3 + i);
      attach (layers[i], i == 1 ? "slope=2\nintercept=-100\nunit=HU"
                                : "slope=1\nunit=HU\nwindow=500 900");
    }
  group = gimp_group_layer_new (image, "series");
  gimp_image_insert_layer (image, GIMP_LAYER (group), NULL, 0);
  gimp_image_reorder_item (image, GIMP_ITEM (layers[0]), GIMP_ITEM (group), 0);

  first[0] = layers[1];
  values = test_call ("plug-in-isolux-enhance", GIMP_RUN_NONINTERACTIVE, image,
                      first, &message, "all-layers", TRUE, NULL);
  test_ok (! message, "all layers, those in groups too");
  gimp_value_array_unref (values);
  g_free (message);
  for (gint i = 0; i < 3; i++)
    {
      gchar *mode;

      good = good && test_count_filters (layers[i]) == 2;
      mode = get_filter_text (layers[i], 0, "mode");
      good = good && ! strcmp (mode, "window");
      g_free (mode);
      center[i] = get_filter_number (layers[i], 0, "center");
      width[i] = get_filter_number (layers[i], 0, "width");
    }
  test_ok (good && test_count_filters (GIMP_DRAWABLE (group)) == 0 &&
             center[0] == center[1] && center[1] == center[2] &&
             width[0] == width[1] && width[1] == width[2],
           "one window for all: %g, %g", center[0], width[0]);

  /* the image's own, where there is one */
  for (gint i = 0; i < 3; i++)
    {
      GimpDrawableFilter **filters = gimp_drawable_get_filters (layers[i]);

      for (gint k = 0; filters[k]; k++)
        gimp_drawable_filter_delete (filters[k]);
      g_free (filters);
    }
  values = test_call ("plug-in-isolux-enhance", GIMP_RUN_NONINTERACTIVE, image,
                      first, &message, "all-layers", TRUE, "window-preset",
                      "image", "one-window", FALSE, "use-clahe", FALSE, NULL);
  good = ! message && get_filter_number (layers[0], 0, "center") == 500.0 &&
         get_filter_number (layers[2], 0, "width") == 900.0;
  gimp_value_array_unref (values);
  g_free (message);
  message = get_filter_text (layers[1], 0, "mode");
  test_ok (good && ! strcmp (message, "percentile") &&
             test_count_filters (layers[0]) == 1,
           "the image's own window, and without one, percentiles");
  g_free (message);
  gimp_image_delete (image);
}

static void
check_presets (void)
{
  GimpImage    *image = new_image (GIMP_PRECISION_U16_LINEAR);
  GimpDrawable *layer = new_layer (image, 7);
  gchar        *message;

  message = complaint (layer, "plug-in-isolux-enhance", "ct-lung");
  test_ok (message && strstr (message, "Set Values") &&
             test_count_filters (layer) == 0,
           "a preset in HU is refused: %s", message ? message : "(no)");
  g_free (message);
  message = complaint (layer, "plug-in-isolux-enhance", "ct-knee");
  test_ok (message && strstr (message, "\"ct-lung\"") &&
             test_count_filters (layer) == 0,
           "and one that there is not: %s", message ? message : "(no)");
  g_free (message);

  attach (layer, "intercept=-1024\nunit=HU\n");
  message = complaint (layer, "plug-in-isolux-enhance", "ct-lung");
  test_ok (! message && get_filter_number (layer, 0, "center") == -600.0 &&
             get_filter_number (layer, 0, "width") == 1500.0,
           "with the unit, it is the preset's window");
  g_free (message);
  gimp_image_delete (image);
}

/* ---- Files ---------------------------------------------------------- */

static GFile *
in (const gchar *folder, const gchar *name)
{
  return g_file_new_build_filename (folder, name, NULL);
}

static gboolean
is_there (const gchar *folder, const gchar *name)
{
  gchar   *path = g_build_filename (folder, name, NULL);
  gboolean there = g_file_test (path, G_FILE_TEST_EXISTS);

  g_free (path);
  return there;
}

/* Exports a layer; the JSON, or NULL */
static gchar *export (GimpDrawable *layer, GFile *picture, GFile *values_file)
{
  GimpDrawable   *drawables[] = { layer, NULL };
  GimpValueArray *values;
  gchar          *message, *json = NULL;

  values = test_call ("plug-in-isolux-export", GIMP_RUN_NONINTERACTIVE,
                      gimp_item_get_image (GIMP_ITEM (layer)), drawables,
                      &message, "picture-file", picture, "values-file",
                      values_file, NULL);
  if (message)
    test_note ("%s", message);
  else
    json = g_value_dup_string (gimp_value_array_index (values, 1));
  gimp_value_array_unref (values);
  g_free (message);
  return json;
}

/* The first layer of a file */
static GimpDrawable *
load (GFile *file)
{
  GimpImage    *image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);
  GimpLayer   **layers = gimp_image_get_layers (image);
  GimpDrawable *layer = GIMP_DRAWABLE (layers[0]);

  g_free (layers);
  return layer;
}

/* The least and the largest value of a layer, in its unit */
static gboolean
range_is (GimpDrawable *layer, gdouble least, gdouble most, gdouble off)
{
  GimpDrawable   *drawables[] = { layer, NULL };
  GimpValueArray *values;
  JsonParser     *parser = json_parser_new ();
  JsonObject     *json;
  gchar          *message;
  gdouble         a, b;

  values = test_call ("plug-in-isolux-histogram", GIMP_RUN_NONINTERACTIVE,
                      gimp_item_get_image (GIMP_ITEM (layer)), drawables,
                      &message, NULL);
  json_parser_load_from_data (
    parser, g_value_get_string (gimp_value_array_index (values, 3)), -1, NULL);
  json = json_node_get_object (json_parser_get_root (parser));
  if (json_object_has_member (json, "real"))
    json = json_object_get_object_member (json, "real");
  a = json_object_get_double_member (json, "min");
  b = json_object_get_double_member (json, "max");
  gimp_value_array_unref (values);
  g_free (message);
  g_object_unref (parser);
  if (fabs (a - least) <= off && fabs (b - most) <= off)
    return TRUE;
  test_note ("%g to %g, not %g to %g", a, b, least, most);
  return FALSE;
}

static void
check_export (const gchar *folder, const gchar *ending)
{
  gchar        *name = g_strconcat ("values", ending, NULL);
  GFile        *file = in (folder, name), *picture = in (folder, "shown.png");
  GimpImage    *image = new_image (GIMP_PRECISION_U16_NON_LINEAR);
  GimpDrawable *layer = new_layer (image, 8), *back;
  TestPixels   *pixels, *other;
  gchar        *json;
  gboolean      good = TRUE;

  paint (layer, 0, 0, 3, 3, 0);
  paint (layer, 5, 5, 3, 3, 65535);
  attach (layer, "slope=0.25\nintercept=-100\nunit=HU\npadding=-100\n"
                 "spacing=0.5 0.7\nloss=a part\n");
  test_run ("window", layer, "mode", "window", "center", 3000.0, "width",
            5000.0, "non-destructive", TRUE, NULL);
  json = export (layer, picture, file);
  test_ok (json && strstr (json, "\"HU\"") && strstr (json, "a part"),
           "%s: exported, with the scale: %s", ending, json ? json : "(no)");
  g_free (json);

  back = load (file);
  pixels = test_pixels_get (layer);
  other = test_pixels_get (back);
  for (gsize i = 0; i < (gsize) WIDTH * HEIGHT && good; i++)
    good = pixels->values[i] == other->values[i];
  test_ok (good && other->maximum == 65535, "%s: the codes are the same",
           ending);
  test_pixels_free (pixels);
  test_pixels_free (other);

  test_ok (test_run ("set-values", back, "kind", "comment", NULL) &&
             range_is (back, -99.75 + 0.0, 65535 * 0.25 - 100.0, 1e4) &&
             ! test_run ("set-values", back, "kind", "comment", NULL),
           "%s: and mean the same again, if one says so", ending);
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (back)));

  /* the picture is what is shown: black below the window, white above */
  back = load (picture);
  other = test_pixels_get (back);
  test_ok (other->maximum == 255 && other->values[0] == 0.0 &&
             other->values[6 * WIDTH + 6] == 255.0,
           "%s: the picture has 8 bits, and what is shown", ending);
  test_pixels_free (other);
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (back)));

  test_ok (test_count_filters (layer) == 1, "%s: the image stays", ending);
  gimp_image_delete (image);
  g_object_unref (picture);
  g_object_unref (file);
  g_free (name);
}

static void
check_export_float (const gchar *folder)
{
  GimpImage    *image = new_image (GIMP_PRECISION_FLOAT_LINEAR);
  GimpDrawable *whole = new_layer (image, 9), *broken = new_layer (image, 9);
  GFile        *file = in (folder, "float.png"), *other;
  GimpDrawable *back;
  GeglBuffer   *buffer;
  gfloat        values[WIDTH];
  gchar        *json;

  /* whole numbers, as Hounsfield units are, and halves */
  for (gint k = 0; k < 2; k++)
    {
      buffer = gimp_drawable_get_buffer (k ? broken : whole);
      for (gint y = 0; y < HEIGHT; y++)
        {
          for (gint x = 0; x < WIDTH; x++)
            values[x] = (gfloat) (x * 20 - 1000 + y) * (k ? 0.5f : 1.0f);
          if (k && y == 3)
            {
              values[4] = NAN;
              values[5] = INFINITY;
            }
          gegl_buffer_set (buffer, GEGL_RECTANGLE (0, y, WIDTH, 1), 0,
                           gegl_buffer_get_format (buffer), values,
                           GEGL_AUTO_ROWSTRIDE);
        }
      g_object_unref (buffer);
    }
  attach (whole, "slope=1\nintercept=0\nunit=HU\n");
  json = export (whole, NULL, file);
  test_ok (json && strstr (json, "\"intercept\":-1000.0") &&
             strstr (json, "\"loss\":\"\""),
           "whole floating point values are kept exactly");
  g_free (json);
  back = load (file);
  test_run ("set-values", back, "kind", "comment", NULL);
  test_ok (range_is (back, -1000.0, 89 * 20 - 1000 + 63, 0.0),
           "and read back exactly");
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (back)));

  json = export (broken, NULL, file);
  test_ok (json && strstr (json, "16 bits") && strstr (json, "2 values"),
           "others say what was lost: %s", json ? json : "(no)");
  g_free (json);
  back = load (file);
  test_run ("set-values", back, "kind", "comment", NULL);
  test_ok (range_is (back, -500.0, (89 * 20 - 1000 + 63) * 0.5, 0.02),
           "and are near");
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (back)));

  other = in (folder, "picture.jpg");
  json = export (whole, NULL, other);
  test_ok (json == NULL, "another ending is refused");
  g_free (json);
  g_object_unref (other);
  json = export (whole, NULL, NULL);
  test_ok (json == NULL, "and no file");
  g_free (json);
  g_object_unref (file);
  gimp_image_delete (image);
}

/* ---- Series --------------------------------------------------------- */

/* Writes a slice with values into a folder */
static void
write_slice (const gchar *folder, const gchar *name, gint width, guint32 seed)
{
  GimpImage *image =
    test_image (width, HEIGHT, GIMP_GRAY, GIMP_PRECISION_U16_NON_LINEAR);
  GimpDrawable *layer =
    test_layer (image, 0, 0, width, HEIGHT, FALSE, TEST_PHOTO, seed);
  GFile *file = in (folder, name);
  gchar *text =
    g_strdup_printf ("slope=0.1\nintercept=-%u\nunit=HU\n", 1000 + seed);

  attach (layer, text);
  g_free (text);
  g_free (export (layer, NULL, file));
  g_object_unref (file);
  gimp_image_delete (image);
}

static GimpValueArray *
call (const gchar *name, gchar **message, const gchar *first, ...)
{
  GimpProcedure *procedure = gimp_pdb_lookup_procedure (gimp_get_pdb (), name);
  GimpProcedureConfig *config = gimp_procedure_create_config (procedure);
  GimpValueArray      *values;
  va_list              arguments;

  va_start (arguments, first);
  g_object_set_valist (G_OBJECT (config), first, arguments);
  va_end (arguments);
  values = gimp_procedure_run_config (procedure, config);
  *message = NULL;
  if (g_value_get_enum (gimp_value_array_index (values, 0)) != GIMP_PDB_SUCCESS)
    *message = g_strdup (gimp_pdb_get_last_error (gimp_get_pdb ()));
  g_object_unref (config);
  return values;
}

static void
check_series (const gchar *folder)
{
  static const gchar *const names[] = { "slice-1.png", "slice-2.png",
                                        "slice-10.png", "slice-011.png" };
  gchar                    *slices = g_build_filename (folder, "slices", NULL);
  GFile                    *place = g_file_new_for_path (slices);
  GimpValueArray           *values;
  GimpImage                *image;
  GimpLayer               **layers;
  gchar                    *message, *path;
  gboolean                  good = TRUE;

  g_mkdir (slices, 0755);
  for (guint i = G_N_ELEMENTS (names); i > 0; i--)
    write_slice (slices, names[i - 1], WIDTH, i);

  values = call ("plug-in-isolux-open-series", &message, "folder", place, NULL);
  image = message ? NULL
                  : g_value_get_object (gimp_value_array_index (values, 1));
  layers = image ? gimp_image_get_layers (image) : NULL;
  for (guint i = 0; layers && i < G_N_ELEMENTS (names); i++)
    {
      gchar *name = layers[i] ? gimp_item_get_name (GIMP_ITEM (layers[i]))
                              : NULL;
      GimpParasite *parasite =
        layers[i] ? gimp_item_get_parasite (GIMP_ITEM (layers[i]), PARASITE)
                  : NULL;
      gchar  *line = g_strdup_printf ("intercept=-%u\n", 1001 + i);
      guint32 size;

      good = good && ! g_strcmp0 (name, names[i]) && parasite &&
             strstr (gimp_parasite_get_data (parasite, &size), line);
      if (parasite)
        gimp_parasite_free (parasite);
      g_free (line);
      g_free (name);
    }
  test_ok (layers && good && ! layers[G_N_ELEMENTS (names)] &&
             ! gimp_image_is_dirty (image),
           "a series in natural order, with its units%s%s", message ? ": " : "",
           message ? message : "");
  g_free (layers);
  if (image)
    gimp_image_delete (image);
  gimp_value_array_unref (values);
  g_free (message);

  write_slice (slices, "slice-3.png", WIDTH + 1, 5);
  path = g_build_filename (slices, "notes.txt", NULL);
  g_file_set_contents (path, "no image", -1, NULL);
  values = call ("plug-in-isolux-open-series", &message, "folder", place, NULL);
  test_ok (message && (strstr (message, "notes.txt")),
           "what is no image is refused: %s", message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);
  g_unlink (path);
  g_free (path);
  values = call ("plug-in-isolux-open-series", &message, "folder", place, NULL);
  test_ok (message && strstr (message, "slice-3.png") &&
             strstr (message, "91 x 64") && strstr (message, "90 x 64"),
           "and another size: %s", message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);

  values = call ("plug-in-isolux-open-series", &message, "folder", place,
                 "skip-others", TRUE, NULL);
  image = message ? NULL
                  : g_value_get_object (gimp_value_array_index (values, 1));
  layers = image ? gimp_image_get_layers (image) : NULL;
  test_ok (layers && layers[3] && ! layers[4] &&
             strstr (g_value_get_string (gimp_value_array_index (values, 2)),
                     "slice-3.png"),
           "unless it shall be left out");
  g_free (layers);
  if (image)
    gimp_image_delete (image);
  gimp_value_array_unref (values);
  g_free (message);

  g_object_unref (place);
  place = in (folder, "nowhere");
  values = call ("plug-in-isolux-open-series", &message, "folder", place, NULL);
  /* by GIMP, in its words */
  test_ok (message != NULL, "no folder");
  gimp_value_array_unref (values);
  g_free (message);
  values =
    call ("plug-in-isolux-open-series", &message, "skip-others", FALSE, NULL);
  test_ok (message != NULL, "nothing named: %s", message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);
  g_object_unref (place);
  g_free (slices);
}

static void
check_files (const gchar *folder)
{
  gchar          *slices = g_build_filename (folder, "slices", NULL);
  gchar          *out = g_build_filename (folder, "out", NULL);
  gchar          *bad = g_build_filename (folder, "bad.png", NULL);
  gchar          *clash = g_build_filename (folder, "slice-1.tif", NULL);
  gchar          *slice = g_build_filename (slices, "slice-1.png", NULL);
  const gchar    *some[] = { slice, bad, NULL };
  const gchar    *alike[] = { slice, clash, NULL };
  GFile          *place = g_file_new_for_path (slices);
  GFile          *output = g_file_new_for_path (out), *file;
  GimpValueArray *values;
  GimpDrawable   *a, *b;
  gchar          *message;
  const gchar    *json;

  values =
    call ("plug-in-isolux-enhance-files", &message, "folder", place, NULL);
  test_ok (message != NULL, "no folder for pictures: %s",
           message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);

  values = call ("plug-in-isolux-enhance-files", &message, "folder", place,
                 "output", output, "kind", "hounds", NULL);
  test_ok (message && strstr (message, "\"signed-16-hu\""), "no such kind: %s",
           message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);
  values = call ("plug-in-isolux-enhance-files", &message, "folder", place,
                 "output", output, "window-preset", "ct-abdomen", "clip-limit",
                 3.0, "values", TRUE, NULL);
  json = message ? "" : g_value_get_string (gimp_value_array_index (values, 1));
  test_ok (! message && is_there (out, "slice-1.png") &&
             is_there (out, "slice-10.png") &&
             is_there (out, "slice-011-values.png") &&
             strstr (json, "slice-3.png"),
           "files enhanced in one call%s%s", message ? ": " : "",
           message ? message : "");
  gimp_value_array_unref (values);
  g_free (message);

  /* the same as step by step */
  file = in (slices, "slice-2.png");
  a = load (file);
  test_run ("set-values", a, "kind", "comment", NULL);
  test_run ("enhance", a, "window-preset", "ct-abdomen", "clip-limit", 3.0,
            NULL);
  g_object_unref (file);
  file = in (folder, "steps.png");
  g_free (export (a, file, NULL));
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (a)));
  a = load (file);
  g_object_unref (file);
  file = in (out, "slice-2.png");
  b = load (file);
  g_object_unref (file);
  test_ok (same (a, b), "and the same as step by step");
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (a)));
  gimp_image_delete (gimp_item_get_image (GIMP_ITEM (b)));

  values = call ("plug-in-isolux-enhance-files", &message, "folder", place,
                 "output", output, "keep-existing", TRUE, NULL);
  json = message ? "" : g_value_get_string (gimp_value_array_index (values, 1));
  test_ok (! message && strstr (json, "\"written\":[]"),
           "taken up again, what is done is kept");
  gimp_value_array_unref (values);
  g_free (message);

  g_file_set_contents (bad, "no image", -1, NULL);
  file = in (out, "slice-1.png");
  g_file_delete (file, NULL, NULL);
  g_object_unref (file);
  values = call ("plug-in-isolux-enhance-files", &message, "files", some,
                 "output", output, NULL);
  test_ok (message && strstr (message, "bad.png") &&
             strstr (message, "1 of 2") && is_there (out, "slice-1.png"),
           "a file that fails is named, the others are done: %s",
           message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);
  values = call ("plug-in-isolux-enhance-files", &message, "files", alike,
                 "output", output, NULL);
  test_ok (message && strstr (message, "slice-1.tif"),
           "no picture takes another's place: %s", message ? message : "(no)");
  gimp_value_array_unref (values);
  g_free (message);

  g_object_unref (output);
  g_object_unref (place);
  g_free (slice);
  g_free (clash);
  g_free (bad);
  g_free (out);
  g_free (slices);
}

static void
remove_all (const gchar *folder)
{
  GDir        *open = g_dir_open (folder, 0, NULL);
  const gchar *name;

  while (open && (name = g_dir_read_name (open)))
    {
      gchar *path = g_build_filename (folder, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        remove_all (path);
      else
        g_unlink (path);
      g_free (path);
    }
  if (open)
    g_dir_close (open);
  g_rmdir (folder);
}

void
suite_pipelines (const gchar *argument)
{
  gchar *folder = g_dir_make_tmp ("isolux-pipelines-XXXXXX", NULL);

  check_stack ();
  check_padding ();
  check_layers ();
  check_presets ();
  check_export (folder, ".png");
  check_export (folder, ".tif");
  check_export_float (folder);
  check_series (folder);
  check_files (folder);
  remove_all (folder);
  g_free (folder);
}
