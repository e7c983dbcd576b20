/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test.c: a plug-in that tests Isolux from inside GIMP.  Not installed.
 *
 * One procedure, isolux-test, runs a suite by name and writes the results
 * as TAP lines (without a plan) to standard output.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

/* ---- Results -------------------------------------------------------- */

static void
print_line (const gchar *start, const gchar *format, va_list arguments)
{
  gchar *text = g_strdup_vprintf (format, arguments);

  printf ("%s%s\n", start, text);
  fflush (stdout);
  g_free (text);
}

void
test_ok (gboolean good, const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  print_line (good ? "ok - " : "not ok - ", format, arguments);
  va_end (arguments);
}

void
test_skip (const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  print_line ("ok # SKIP ", format, arguments);
  va_end (arguments);
}

void
test_note (const gchar *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  print_line ("# ", format, arguments);
  va_end (arguments);
}

/* ---- Pixels --------------------------------------------------------- */

static const gchar *
type_of (const Babl *format)
{
  return babl_get_name (babl_format_get_type (format, 0));
}

/* From a format's own values to floats, with nothing but the type changed,
 * or back */
static void
convert_type (const gchar  *from,
              gconstpointer source,
              const gchar  *to,
              gpointer      destination,
              gsize         n)
{
  const Babl *a = babl_format_n (babl_type (from), 1);
  const Babl *b = babl_format_n (babl_type (to), 1);

  babl_process (babl_fish (a, b), source, destination, (glong) n);
}

TestPixels *
test_pixels_get (GimpDrawable *drawable)
{
  GeglBuffer  *buffer = gimp_drawable_get_buffer (drawable);
  TestPixels  *pixels = g_new0 (TestPixels, 1);
  const gchar *type;
  gsize        n;

  pixels->format = gegl_buffer_get_format (buffer);
  pixels->width = gegl_buffer_get_width (buffer);
  pixels->height = gegl_buffer_get_height (buffer);
  pixels->components = babl_format_get_n_components (pixels->format);
  pixels->colors = (pixels->components + 1) / 2 * 2 - 1;
  type = type_of (pixels->format);
  pixels->maximum = ! strcmp (type, "u8")    ? 255
                    : ! strcmp (type, "u16") ? 65535
                                             : 1;
  n = (gsize) pixels->width * pixels->height;
  pixels->bytes = n * babl_format_get_bytes_per_pixel (pixels->format);
  n *= pixels->components;
  pixels->data = g_malloc (pixels->bytes);
  pixels->values = g_new (gdouble, n);
  gegl_buffer_get (buffer, NULL, 1.0, pixels->format, pixels->data,
                   GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  g_object_unref (buffer);

  if (pixels->maximum == 255)
    for (gsize i = 0; i < n; i++)
      pixels->values[i] = pixels->data[i];
  else if (pixels->maximum == 65535)
    for (gsize i = 0; i < n; i++)
      pixels->values[i] = ((guint16 *) pixels->data)[i];
  else
    {
      gfloat *floats = g_new (gfloat, n);

      convert_type (type, pixels->data, "float", floats, n);
      for (gsize i = 0; i < n; i++)
        pixels->values[i] = floats[i];
      g_free (floats);
    }
  return pixels;
}

void
test_pixels_free (TestPixels *pixels)
{
  g_free (pixels->data);
  g_free (pixels->values);
  g_free (pixels);
}

gdouble
test_pixels_alpha (const TestPixels *pixels, gsize pixel)
{
  if (pixels->colors == pixels->components)
    return pixels->maximum;
  return pixels->values[(pixel + 1) * pixels->components - 1];
}

gboolean
test_pixels_equal (const TestPixels *a, const TestPixels *b)
{
  return a->bytes == b->bytes && ! memcmp (a->data, b->data, a->bytes);
}

gboolean
test_alpha_equal (const TestPixels *a, const TestPixels *b)
{
  gsize n = (gsize) a->width * a->height;
  gsize size = n ? a->bytes / n : 0;
  gsize one = size / a->components;

  if (a->bytes != b->bytes || a->components != b->components)
    return FALSE;
  if (a->colors == a->components)
    return TRUE;
  for (gsize i = 1; i <= n; i++)
    if (memcmp (a->data + i * size - one, b->data + i * size - one, one))
      return FALSE;
  return TRUE;
}

gchar *
test_checksum (GimpDrawable **drawables)
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA1);
  gchar     *text;

  for (; *drawables; drawables++)
    {
      TestPixels *pixels = test_pixels_get (*drawables);

      g_checksum_update (checksum, pixels->data, (gssize) pixels->bytes);
      test_pixels_free (pixels);
    }
  text = g_strdup (g_checksum_get_string (checksum));
  g_checksum_free (checksum);
  return text;
}

const gchar *const test_pattern_names[TEST_PATTERNS] = {
  "photo", "uniform", "constant", "two values", "hostile"
};

/* A value of 0 .. 1 (except for the hostile) */
static gdouble
make_value (TestPattern pattern, GRand *random, gint x, gint y, gint c)
{
  static const gdouble hostile[] = { NAN,   INFINITY, -INFINITY, 1e38, -3.0,
                                     1e-40, 0.0,      -0.0,      2.5,  1.0 };

  switch (pattern)
    {
      case TEST_PHOTO:
        return 0.31 + 0.2 * sin (x * 0.11 + c) * cos (y * 0.07) +
               0.05 * g_rand_double (random);
      case TEST_UNIFORM:
        return g_rand_double (random);
      case TEST_CONSTANT:
        return 0.4 + 0.1 * c;
      case TEST_TWO:
        return g_rand_int_range (random, 0, 5) == 0 ? 0.7 : 0.2;
      default:
        if (g_rand_int_range (random, 0, 10) == 0)
          return hostile[g_rand_int_range (random, 0, G_N_ELEMENTS (hostile))];
        return g_rand_double (random);
    }
}

void
test_fill (GimpDrawable *drawable, TestPattern pattern, guint32 seed)
{
  GeglBuffer  *buffer = gimp_drawable_get_buffer (drawable);
  const Babl  *format = gegl_buffer_get_format (buffer);
  const gchar *type = type_of (format);
  gint         width = gegl_buffer_get_width (buffer);
  gint         height = gegl_buffer_get_height (buffer);
  gint         components = babl_format_get_n_components (format);
  gint         colors = (components + 1) / 2 * 2 - 1;
  gsize        n = (gsize) width * height * components;
  gfloat      *floats = g_new (gfloat, n);
  guint8      *data = g_malloc (n * 8);
  GRand       *random = g_rand_new_with_seed (seed);
  gsize        i = 0;

  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      for (gint c = 0; c < components; c++)
        {
          if (c < colors)
            floats[i++] = (gfloat) make_value (pattern, random, x, y, c);
          else
            floats[i++] = CLAMP (g_rand_int_range (random, -1, 5), 0, 3) / 3.f;
        }

  /* codes are made here, so that they use all bits of the range */
  for (i = 0; i < n && (! strcmp (type, "u8") || ! strcmp (type, "u16")); i++)
    {
      gdouble value = isnan (floats[i]) ? 0.0 : CLAMP (floats[i], 0.f, 1.f);

      if (! strcmp (type, "u8"))
        data[i] = (guint8) (value * 255.0 + 0.5);
      else
        ((guint16 *) data)[i] = (guint16) (value * 65535.0 + 0.5);
    }
  if (i == 0)
    convert_type ("float", floats, type, data, n);

  gegl_buffer_set (buffer, NULL, 0, format, data, GEGL_AUTO_ROWSTRIDE);
  g_object_unref (buffer);
  gimp_drawable_update (drawable, 0, 0, width, height);
  g_rand_free (random);
  g_free (data);
  g_free (floats);
}

/* ---- Images --------------------------------------------------------- */

GimpImage *
test_image (gint              width,
            gint              height,
            GimpImageBaseType type,
            GimpPrecision     precision)
{
  return gimp_image_new_with_precision (width, height, type, precision);
}

GimpDrawable *
test_layer (GimpImage  *image,
            gint        x,
            gint        y,
            gint        width,
            gint        height,
            gboolean    alpha,
            TestPattern pattern,
            guint32     seed)
{
  gboolean   gray = gimp_image_get_base_type (image) == GIMP_GRAY;
  GimpLayer *layer =
    gimp_layer_new (image, "layer", width, height,
                    gray ? (alpha ? GIMP_GRAYA_IMAGE : GIMP_GRAY_IMAGE)
                         : (alpha ? GIMP_RGBA_IMAGE : GIMP_RGB_IMAGE),
                    100.0, GIMP_LAYER_MODE_NORMAL);

  gimp_image_insert_layer (image, layer, NULL, 0);
  gimp_layer_set_offsets (layer, x, y);
  test_fill (GIMP_DRAWABLE (layer), pattern, seed);
  return GIMP_DRAWABLE (layer);
}

GimpImage *
test_save_and_load (GimpImage *image)
{
  gchar *path = NULL;
  gint   fd = g_file_open_tmp ("isolux-test-XXXXXX.xcf", &path, NULL);
  GFile *file = g_file_new_for_path (path);

  g_close (fd, NULL);
  gimp_file_save (GIMP_RUN_NONINTERACTIVE, image, file, NULL);
  image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);
  g_file_delete (file, NULL, NULL);
  g_object_unref (file);
  g_free (path);
  return image;
}

gint
test_count_filters (GimpDrawable *drawable)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);
  gint                 n = 0;

  while (filters && filters[n])
    n++;
  g_free (filters);
  return n;
}

guint8 *
test_selection (GimpDrawable *layer)
{
  GimpImage    *image = gimp_item_get_image (GIMP_ITEM (layer));
  GimpDrawable *selection = GIMP_DRAWABLE (gimp_image_get_selection (image));
  TestPixels   *mask = test_pixels_get (selection);
  gint          width = gimp_drawable_get_width (layer);
  gint          height = gimp_drawable_get_height (layer);
  guint8       *selected = g_new0 (guint8, (gsize) width * height);
  gint          x0, y0;

  gimp_drawable_get_offsets (layer, &x0, &y0);
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++)
      if (x + x0 >= 0 && x + x0 < mask->width && y + y0 >= 0 &&
          y + y0 < mask->height)
        {
          gdouble value =
            mask->values[(gsize) (y + y0) * mask->width + x + x0] /
            mask->maximum;

          selected[(gsize) y * width + x] =
            value <= 0 ? 0 : MAX (1, (guint8) (value * 255.0));
        }
  test_pixels_free (mask);
  return selected;
}

/* ---- Calls ---------------------------------------------------------- */

static GimpValueArray *
call_valist (const gchar   *name,
             GimpRunMode    run_mode,
             GimpImage     *image,
             GimpDrawable **drawables,
             gchar        **message,
             const gchar   *first,
             va_list        arguments)
{
  GimpPDB             *pdb = gimp_get_pdb ();
  GimpProcedure       *procedure = gimp_pdb_lookup_procedure (pdb, name);
  GimpProcedureConfig *config;
  GimpValueArray      *values;

  *message = NULL;
  if (! procedure)
    {
      *message = g_strdup_printf ("there is no procedure %s", name);
      return gimp_value_array_new (0);
    }

  config = gimp_procedure_create_config (procedure);
  if (image)
    g_object_set (config, "run-mode", run_mode, "image", image, "drawables",
                  drawables, NULL);
  if (first)
    g_object_set_valist (G_OBJECT (config), first, arguments);
  values = gimp_procedure_run_config (procedure, config);
  g_object_unref (config);

  if (GIMP_VALUES_GET_ENUM (values, 0) != GIMP_PDB_SUCCESS)
    *message = g_strdup (gimp_pdb_get_last_error (pdb));
  return values;
}

GimpValueArray *
test_call (const gchar   *name,
           GimpRunMode    run_mode,
           GimpImage     *image,
           GimpDrawable **drawables,
           gchar        **message,
           const gchar   *first,
           ...)
{
  GimpValueArray *values;
  va_list         arguments;

  va_start (arguments, first);
  values =
    call_valist (name, run_mode, image, drawables, message, first, arguments);
  va_end (arguments);
  return values;
}

gboolean
test_run (const gchar *name, GimpDrawable *drawable, const gchar *first, ...)
{
  gchar          *procedure = g_strconcat ("plug-in-isolux-", name, NULL);
  GimpDrawable   *drawables[] = { drawable, NULL };
  GimpValueArray *values;
  gchar          *message;
  va_list         arguments;

  va_start (arguments, first);
  values = call_valist (procedure, GIMP_RUN_NONINTERACTIVE,
                        gimp_item_get_image (GIMP_ITEM (drawable)), drawables,
                        &message, first, arguments);
  va_end (arguments);

  if (message)
    test_note ("%s: %s", procedure, message);
  gimp_value_array_unref (values);
  g_free (procedure);
  if (message)
    {
      g_free (message);
      return FALSE;
    }
  return TRUE;
}

/* ---- The plug-in ---------------------------------------------------- */

#define TEST_TYPE_PLUG_IN (test_plug_in_get_type ())
G_DECLARE_FINAL_TYPE (TestPlugIn, test_plug_in, TEST, PLUG_IN, GimpPlugIn)

struct _TestPlugIn
{
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (TestPlugIn, test_plug_in, GIMP_TYPE_PLUG_IN)

static const struct
{
  const gchar *name;
  void (*run) (const gchar *argument);
} suites[] = {
  { "pixels", suite_pixels },         { "selections", suite_selections },
  { "targets", suite_targets },       { "refusals", suite_refusals },
  { "histogram", suite_histogram },   { "filters", suite_filters },
  { "fault", suite_fault },           { "files", suite_files },
  { "algorithms", suite_algorithms }, { "units", suite_units },
  { "pipelines", suite_pipelines },
};

static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer data)
{
  GError *error = NULL;
  gchar  *name;
  gchar  *argument;
  guint   i;

  gegl_init (NULL, NULL);
  g_object_get (config, "suite", &name, "argument", &argument, NULL);
  for (i = 0; i < G_N_ELEMENTS (suites); i++)
    if (! strcmp (suites[i].name, name))
      break;

  if (i < G_N_ELEMENTS (suites))
    {
      suites[i].run (argument);
      test_note ("%s: done", name);
    }
  else
    g_set_error (&error, GIMP_PLUG_IN_ERROR, 0, "no suite \"%s\"", name);

  g_free (name);
  g_free (argument);
  return gimp_procedure_new_return_values (procedure,
                                           error ? GIMP_PDB_CALLING_ERROR
                                                 : GIMP_PDB_SUCCESS,
                                           error);
}

/* For scripts: a checksum of the pixels of a drawable */
static GimpValueArray *
run_checksum (GimpProcedure       *procedure,
              GimpRunMode          run_mode,
              GimpImage           *image,
              GimpDrawable       **drawables,
              GimpProcedureConfig *config,
              gpointer             data)
{
  GimpValueArray *values =
    gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);

  gegl_init (NULL, NULL);
  g_value_take_string (gimp_value_array_index (values, 1),
                       test_checksum (drawables));
  return values;
}

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  GList *list = g_list_append (NULL, g_strdup ("isolux-test"));

  return g_list_append (list, g_strdup ("isolux-test-checksum"));
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const gchar *name)
{
  GimpProcedure *procedure;

  if (! strcmp (name, "isolux-test-checksum"))
    {
      procedure = gimp_image_procedure_new (plug_in, name,
                                            GIMP_PDB_PROC_TYPE_PLUGIN,
                                            run_checksum, NULL, NULL);
      gimp_procedure_set_image_types (procedure, "*");
      gimp_procedure_set_documentation (procedure, "Checksum of pixels", NULL,
                                        name);
      gimp_procedure_add_string_return_value (procedure, "checksum", "Checksum",
                                              NULL, NULL, G_PARAM_READWRITE);
      return procedure;
    }

  procedure = gimp_procedure_new (plug_in, name, GIMP_PDB_PROC_TYPE_PLUGIN, run,
                                  NULL, NULL);
  gimp_procedure_set_documentation (procedure, "Tests Isolux", NULL, name);
  gimp_procedure_add_string_argument (procedure, "suite", "Suite", NULL, "",
                                      G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (procedure, "argument", "Argument", NULL,
                                      "", G_PARAM_READWRITE);
  return procedure;
}

static void
test_plug_in_class_init (TestPlugInClass *klass)
{
  GimpPlugInClass *plug_in_class = GIMP_PLUG_IN_CLASS (klass);

  plug_in_class->query_procedures = query_procedures;
  plug_in_class->create_procedure = create_procedure;
  plug_in_class->set_i18n = NULL;
}

static void
test_plug_in_init (TestPlugIn *self)
{
}

GIMP_MAIN (TEST_TYPE_PLUG_IN)
