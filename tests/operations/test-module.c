/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What others build on: names, properties and formats.  Users' files and
 * scripts hold them, so a change here is a change of the file format.
 */
#include "images.h"

#include <gegl-paramspecs.h>
#include <gegl-plugin.h>
#include <locale.h>
#include <string.h>

typedef struct
{
  const gchar *operation;
  const gchar *name;
  const gchar *nick;
  GType (*value_type) (void);
  gdouble      least, most, preset;
  gdouble      ui_least, ui_most, step, page;
  gint         digits;
  const gchar *values; /* of an enum */
  gboolean     hidden;
} Property;

static GType
type_double (void)
{
  return G_TYPE_DOUBLE;
}

static GType
type_int (void)
{
  return G_TYPE_INT;
}

static GType
type_boolean (void)
{
  return G_TYPE_BOOLEAN;
}

static GType
type_string (void)
{
  return G_TYPE_STRING;
}

static GType
type_enum (void)
{
  return G_TYPE_ENUM;
}

static const Property properties[] = {
  { "isolux:grayscale", "method", "Method", type_enum, .preset = 0,
    .values = "luma-bt601 luma-bt709 luminance lightness average maximum" },
  { "isolux:equalize", "channels", "Channels", type_enum, .preset = 0,
    .values = "luma each" },
  { "isolux:equalize", "clip-limit", "Clip limit", type_double, 0.0, 256.0, 0.0,
    0.0, 16.0, 0.1, 1.0, 2 },
  { "isolux:equalize", "skip-threshold", "Skip if already even", type_double,
    0.0, 1.0, 0.0, 0.0, 0.5, 0.01, 0.1, 3 },
  { "isolux:equalize", "roi", "Region of interest", type_string,
    .hidden = TRUE },
  { "isolux:grayscale", "encoding", "Encoding", type_string, .hidden = TRUE },
  { "isolux:equalize", "encoding", "Encoding", type_string, .hidden = TRUE },
  { "isolux:clahe", "clip-limit", "Clip limit", type_double, 0.0, 256.0, 2.0,
    0.0, 16.0, 0.1, 1.0, 2 },
  { "isolux:clahe", "tiles-x", "Tiles across", type_int, 1, 1024, 8, 1, 32, 1,
    8 },
  { "isolux:clahe", "tiles-y", "Tiles down", type_int, 1, 1024, 8, 1, 32, 1,
    8 },
  { "isolux:clahe", "tile-size", "Tile size", type_int, 0, 65536, 0, 0, 1024, 1,
    16 },
  { "isolux:clahe", "bins", "Bins", type_enum, .preset = 0,
    .values = "auto 256 1024 4096 16384 65536" },
  { "isolux:clahe", "channels", "Channels", type_enum, .preset = 0,
    .values = "luma each" },
  { "isolux:clahe", "use-padding-value", "Leave out a padding value",
    type_boolean, .preset = 0 },
  { "isolux:clahe", "padding-value", "Padding value", type_double, -1e9, 1e9,
    0.0, 0.0, 65535.0, 1.0, 100.0, 4 },
  { "isolux:clahe", "compatibility", "Compatibility", type_enum, .preset = 0,
    .values = "isolux opencv" },
  { "isolux:window", "mode", "Mode", type_enum, .preset = 1,
    .values = "window percentile range" },
  { "isolux:window", "center", "Level", type_double, -1e9, 1e9, 127.5, 0.0,
    65535.0, 1.0, 100.0, 4 },
  { "isolux:window", "width", "Window width", type_double, 1e-6, 1e9, 255.0,
    0.01, 65535.0, 1.0, 100.0, 4 },
  { "isolux:window", "low-percentile", "Low percentile", type_double, 0.0,
    100.0, 0.5, 0.0, 10.0, 0.1, 1.0, 2 },
  { "isolux:window", "high-percentile", "High percentile", type_double, 0.0,
    100.0, 99.5, 90.0, 100.0, 0.1, 1.0, 2 },
  { "isolux:window", "invert", "Invert", type_boolean, .preset = 0 },
  { "isolux:window", "gamma", "Gamma", type_double, 0.1, 10.0, 1.0, 0.1, 4.0,
    0.05, 0.5, 2 },
  { "isolux:window", "channels", "Channels", type_enum, .preset = 0,
    .values = "luma each" },
  { "isolux:contrast-map", "measure", "Measure", type_enum, .preset = 0,
    .values = "entropy deviation range" },
  { "isolux:contrast-map", "tile-size", "Tile size", type_int, 2, 65536, 32, 4,
    256, 1, 16 },
  { "isolux:contrast-map", "colors", "Colors", type_enum, .preset = 0,
    .values = "gray heat" },
  { "isolux:lbp", "radius", "Radius", type_double, 0.1, 64.0, 1.0, 1.0, 16.0,
    0.5, 1.0, 2 },
  { "isolux:lbp", "points", "Points", type_int, 1, 24, 8, 1, 24, 1, 4 },
  { "isolux:lbp", "method", "Method", type_enum, .preset = 0,
    .values = "default ror uniform nri-uniform var" },
  { "isolux:hog", "orientations", "Orientations", type_int, 1, 64, 9, 2, 36, 1,
    4 },
  { "isolux:hog", "cell-size", "Cell size", type_int, 1, 1024, 8, 4, 64, 1, 8 },
  { "isolux:hog", "block-size", "Block size", type_int, 1, 64, 3, 1, 8, 1, 2 },
  { "isolux:hog", "norm", "Norm", type_enum, .preset = 3,
    .values = "l1 l1-sqrt l2 l2-hys" },
  { "isolux:hog", "signed-gradient", "Signed gradients (0–360°)", type_boolean,
    .preset = 0 },
  { "isolux:hog", "sqrt", "Square root of the values first", type_boolean,
    .preset = 0 },
  { "isolux:hog", "gradient", "Gradient", type_enum, .preset = 0,
    .values = "central sobel" },
  { "isolux:hog", "picture", "Picture", type_enum, .preset = 0,
    .values = "glyphs orientation magnitude" },
  { "isolux:clahe", "roi", "Region of interest", type_string, .hidden = TRUE },
  { "isolux:clahe", "encoding", "Encoding", type_string, .hidden = TRUE },
  { "isolux:window", "roi", "Region of interest", type_string, .hidden = TRUE },
  { "isolux:window", "encoding", "Encoding", type_string, .hidden = TRUE },
  { "isolux:contrast-map", "roi", "Region of interest", type_string,
    .hidden = TRUE },
  { "isolux:contrast-map", "encoding", "Encoding", type_string,
    .hidden = TRUE },
  { "isolux:lbp", "roi", "Region of interest", type_string, .hidden = TRUE },
  { "isolux:lbp", "encoding", "Encoding", type_string, .hidden = TRUE },
  { "isolux:hog", "roi", "Region of interest", type_string, .hidden = TRUE },
  { "isolux:hog", "encoding", "Encoding", type_string, .hidden = TRUE },
  { "isolux:equalize", "values", "Values", type_string, .hidden = TRUE },
  { "isolux:clahe", "values", "Values", type_string, .hidden = TRUE },
  { "isolux:window", "values", "Values", type_string, .hidden = TRUE },
  { "isolux:contrast-map", "values", "Values", type_string, .hidden = TRUE },
};

static const gchar *const names[] = {
  "isolux:clahe", "isolux:contrast-map", "isolux:equalize", "isolux:grayscale",
  "isolux:hog",   "isolux:lbp",          "isolux:window",
};

static void
test_properties (void)
{
  guint n = 0, listed;
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      const Property *p = &properties[i];
      GParamSpec     *spec;

      g_test_message ("%s %s", p->operation, p->name);
      spec = gegl_operation_find_property (p->operation, p->name);
      g_assert_nonnull (spec);
      g_assert_cmpstr (g_param_spec_get_nick (spec), ==, p->nick);
      g_assert_cmpuint (strlen (g_param_spec_get_blurb (spec)), >, 20);
      g_assert_true (g_type_is_a (spec->value_type, p->value_type ()));
      g_assert_cmpint (
        ! g_strcmp0 (gegl_param_spec_get_property_key (spec, "visible"), "0"),
        ==, p->hidden);

      if (G_IS_PARAM_SPEC_DOUBLE (spec))
        {
          GParamSpecDouble    *value = G_PARAM_SPEC_DOUBLE (spec);
          GeglParamSpecDouble *ui = GEGL_PARAM_SPEC_DOUBLE (spec);

          g_assert_cmpfloat (value->minimum, ==, p->least);
          g_assert_cmpfloat (value->maximum, ==, p->most);
          g_assert_cmpfloat (value->default_value, ==, p->preset);
          g_assert_cmpfloat (ui->ui_minimum, ==, p->ui_least);
          g_assert_cmpfloat (ui->ui_maximum, ==, p->ui_most);
          g_assert_cmpfloat (ui->ui_step_small, ==, p->step);
          g_assert_cmpfloat (ui->ui_step_big, ==, p->page);
          g_assert_cmpint (ui->ui_digits, ==, p->digits);
        }
      else if (G_IS_PARAM_SPEC_ENUM (spec))
        {
          GEnumClass *class = G_PARAM_SPEC_ENUM (spec)->enum_class;
          gchar **nicks = g_strsplit (p->values, " ", -1);
          guint   k;

          g_assert_cmpuint (class->n_values, ==, g_strv_length (nicks));
          for (k = 0; k < class->n_values; k++)
            {
              /* the number is what an XCF file holds */
              g_assert_cmpint (class->values[k].value, ==, (gint) k);
              g_assert_cmpstr (class->values[k].value_nick, ==, nicks[k]);
              g_assert_cmpuint (strlen (class->values[k].value_name), >, 1);
            }
          g_assert_cmpint (G_PARAM_SPEC_ENUM (spec)->default_value, ==,
                           (gint) p->preset);
          g_strfreev (nicks);
        }
      else if (G_IS_PARAM_SPEC_INT (spec))
        {
          GParamSpecInt    *value = G_PARAM_SPEC_INT (spec);
          GeglParamSpecInt *ui = GEGL_PARAM_SPEC_INT (spec);

          g_assert_cmpfloat (value->minimum, ==, p->least);
          g_assert_cmpfloat (value->maximum, ==, p->most);
          g_assert_cmpfloat (value->default_value, ==, p->preset);
          g_assert_cmpfloat (ui->ui_minimum, ==, p->ui_least);
          g_assert_cmpfloat (ui->ui_maximum, ==, p->ui_most);
          g_assert_cmpfloat (ui->ui_step_small, ==, p->step);
          g_assert_cmpfloat (ui->ui_step_big, ==, p->page);
        }
      else if (G_IS_PARAM_SPEC_BOOLEAN (spec))
        {
          g_assert_cmpint (G_PARAM_SPEC_BOOLEAN (spec)->default_value, ==,
                           (gint) p->preset);
        }
      else
        {
          g_assert_cmpstr (G_PARAM_SPEC_STRING (spec)->default_value, ==, "");
        }
    }

  /* and there are no others */
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_free (gegl_operation_list_properties (names[i], &listed));
      n += listed;
    }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (properties));
}

static void
test_keys (void)
{
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const gchar *categories;

      g_assert_true (gegl_has_operation (names[i]));
      g_assert_true (g_str_has_prefix (gegl_operation_get_key (names[i],
                                                               "title"),
                                       "Isolux "));
      g_assert_nonnull (gegl_operation_get_key (names[i], "description"));
      g_assert_cmpstr (gegl_operation_get_key (names[i], "license"), ==,
                       "GPL3+");
      /* found by GIMP's search for actions, but in no menu: the entries of
       * the menus are those of the procedures */
      g_assert_null (gegl_operation_get_key (names[i], "gimp:menu-path"));
      categories = gegl_operation_get_key (names[i], "categories");
      g_assert_nonnull (categories);
      g_assert_null (strstr (categories, "hidden"));
    }
}

/* The format on the output pad for a source of this one */
static const Babl *
output_format (const gchar *operation, const Babl *format)
{
  GeglRectangle extent = { 0, 0, 5, 3 };
  GeglBuffer   *buffer = gegl_buffer_new (&extent, format);
  GeglBuffer   *result = NULL;
  GeglNode     *graph = gegl_node_new ();
  GeglNode     *source, *node, *sink;
  const Babl   *found;

  source = gegl_node_new_child (graph, "operation", "gegl:buffer-source",
                                "buffer", buffer, NULL);
  node = gegl_node_new_child (graph, "operation", operation, NULL);
  sink = gegl_node_new_child (graph, "operation", "gegl:buffer-sink", "buffer",
                              &result, "format", NULL, NULL);
  gegl_node_link_many (source, node, sink, NULL);
  gegl_node_process (sink);
  g_assert_nonnull (result);
  found = gegl_buffer_get_format (result);

  g_object_unref (graph);
  g_object_unref (buffer);
  g_object_unref (result);
  return found;
}

static void
test_formats (gconstpointer data)
{
  const gchar *operation = data;
  /* formats that the library cannot work in, and what comes out then */
  static const gchar *const others[][2] = {
    { "RaGaBaA float", "RGBA float" },    { "R'aG'aB'aA u8", "R'G'B'A float" },
    { "YaA half", "YA float" },           { "cairo-ARGB32", "R'G'B'A float" },
    { "CIE Lab float", "R'G'B'A float" }, { "CMYK float", "R'G'B'A float" },
    { "HSV float", "R'G'B'A float" },
  };
  const Babl *palette;
  gsize       m, t, s;

  for (s = 0; s < N_SPACES; s++)
    {
      for (m = 0; m < N_MODELS; m++)
        for (t = 0; t < N_TYPES; t++)
          {
            gchar *name =
              g_strdup_printf ("%s %s", models[m].name, types[t].name);
            const Babl *format = babl_format_with_space (name, spaces[s].space);

            g_assert_cmpstr (babl_get_name (output_format (operation, format)),
                             ==, babl_get_name (format));
            g_free (name);
          }

      for (m = 0; m < G_N_ELEMENTS (others); m++)
        {
          const Babl *given, *wanted;

          given = babl_format_with_space (others[m][0], spaces[s].space);
          wanted = babl_format_with_space (others[m][1], spaces[s].space);
          g_assert_cmpstr (babl_get_name (output_format (operation, given)), ==,
                           babl_get_name (wanted));
        }
    }

  babl_new_palette (NULL, &palette, NULL);
  g_assert_cmpstr (babl_get_name (output_format (operation, palette)), ==,
                   "R'G'B'A float");
}

void
add_module_tests (void)
{
  gsize i;

  g_test_add_func ("/operations/properties", test_properties);
  g_test_add_func ("/operations/keys", test_keys);
  for (i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gchar *path = g_strdup_printf ("/operations/formats/%s",
                                     names[i] + strlen ("isolux:"));

      g_test_add_data_func (path, names[i], test_formats);
      g_free (path);
    }
}

/* ---- Translation --------------------------------------------------- */

static void
assert_translated (const gchar *text)
{
  g_test_message ("%s", text);
  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_false (g_str_is_ascii (text));
}

/* In a locale that has a complete translation, whose letters are not
 * English ones: labels are looked up while GEGL loads the module, before the
 * program had a chance to say where translations are. */
static void
test_translation (void)
{
  gsize i;
  guint k;

  if (! strstr (setlocale (LC_MESSAGES, NULL), "zh_CN"))
    {
      g_test_skip ("there is no locale zh_CN");
      return;
    }

  for (i = 0; i < G_N_ELEMENTS (properties); i++)
    {
      const Property *p = &properties[i];
      GParamSpec     *spec;

      spec = gegl_operation_find_property (p->operation, p->name);
      assert_translated (g_param_spec_get_nick (spec));
      assert_translated (g_param_spec_get_blurb (spec));
      assert_translated (gegl_operation_get_key (p->operation, "title"));
      assert_translated (gegl_operation_get_key (p->operation, "description"));
      /* norms have the same names in all languages */
      if (G_IS_PARAM_SPEC_ENUM (spec) && strcmp (p->name, "norm"))
        for (k = 0; k < G_PARAM_SPEC_ENUM (spec)->enum_class->n_values; k++)
          assert_translated (G_PARAM_SPEC_ENUM (spec)
                               ->enum_class->values[k]
                               .value_name);
    }
}

void
add_translation_test (void)
{
  g_test_add_func ("/operations/translation", test_translation);
}
