/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values in the units that an image names: the same pictures as with codes.
 * And that each choice of each operation is known where settings become
 * options.
 */
#include "images.h"

#include <gegl-plugin.h>
#include <string.h>

#include "settings.h"

static const GeglRectangle extent = { 0, 0, 67, 45 };

static Image *
gray (const gchar *type, guint32 seed)
{
  const Model *model = models;
  const Type  *found = types;

  while (strcmp (model->name, "Y'"))
    model++;
  while (strcmp (found->name, type))
    found++;
  return image_new (model, found, &spaces[0], &extent, seed);
}

static void
assert_pair (Image *image, Image *a, Image *b)
{
  note_case (image, "units");
  assert_same (a, b);
  g_assert_cmpint (memcmp (image->data, a->data, image_size (image)), !=, 0);
  image_free (a);
  image_free (b);
}

/* ---- Windows -------------------------------------------------------- */

static void
test_window (void)
{
  Image *image = gray ("u16", 11);

  assert_pair (image,
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 40.0, "width", 4000.0, "values",
                    "slope=0.5\nintercept=-9000\nunit=HU\n", NULL),
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 18080.0, "width", 8000.0, NULL));
  /* what is bright stays bright */
  assert_pair (image,
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 2000.0, "width", 8000.0, "gamma", 2.0, "values",
                    "slope=-0.5\nintercept=11000\n", NULL),
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 18000.0, "width", 16000.0, "gamma", 2.0, NULL));
  image_free (image);
}

static void
test_window_float (void)
{
  Image *image = gray ("float", 12);

  assert_pair (image,
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 30.0, "width", 40.0, "values",
                    "slope=100\nintercept=10\nunit=%\n", NULL),
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 0.2, "width", 0.4, NULL));
  /* codes of 16 bits that have become floats, as over another filter */
  assert_pair (image,
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 65535.0 * 0.25 - 1024.0, "width", 65535.0 * 0.5,
                    "values", "slope=1\nintercept=-1024\ncodes=65535\n", NULL),
               run (image, "isolux:window", "mode", ISOLUX_WINDOW_WINDOW,
                    "center", 0.25, "width", 0.5, NULL));
  image_free (image);
}

/* ---- Padding -------------------------------------------------------- */

#define PADDING 63000

/* An image with a frame of a value, and the selection without it */
static Image *
framed (const gchar *type, gdouble padding, gchar **roi)
{
  Image  *image = gray (type, 13);
  guint8 *mask = g_malloc0 ((gsize) extent.width * extent.height);

  for (gint i = 0; i < image_pixels (image); i++)
    {
      const gint x = i % extent.width, y = i / extent.width;

      if (x < 9 || y < 5 || x >= extent.width - 4)
        image_set (image, i, 0, padding);
      else
        mask[i] = 255;
    }
  *roi = isolux_selection_to_string (extent.width, extent.height, mask,
                                     extent.width, NULL);
  g_free (mask);
  return image;
}

static void
test_padding (void)
{
  static const gchar *const texts[] = { "slope=2\nintercept=-1024\n"
                                        "padding=124976\n",
                                        "padding=63000\n" };
  gchar                    *roi;
  Image                    *image = framed ("u16", PADDING, &roi);

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      assert_pair (image,
                   run (image, "isolux:window", "low-percentile", 5.0,
                        "high-percentile", 90.0, "values", texts[i], NULL),
                   run (image, "isolux:window", "low-percentile", 5.0,
                        "high-percentile", 90.0, "roi", roi, NULL));
      assert_pair (image,
                   run (image, "isolux:equalize", "values", texts[i], NULL),
                   run (image, "isolux:equalize", "roi", roi, NULL));
      assert_pair (image,
                   run (image, "isolux:contrast-map", "values", texts[i], NULL),
                   run (image, "isolux:contrast-map", "roi", roi, NULL));
      assert_pair (image,
                   run (image, "isolux:clahe", "tiles-x", 3, "values", texts[i],
                        NULL),
                   run (image, "isolux:clahe", "tiles-x", 3, "roi", roi, NULL));
      assert_pair (image,
                   run (image, "isolux:clahe", "tiles-x", 3, "values", texts[i],
                        NULL),
                   run (image, "isolux:clahe", "tiles-x", 3,
                        "use-padding-value", TRUE, "padding-value",
                        (gdouble) PADDING, NULL));
    }
  g_free (roi);
  image_free (image);
}

/* Codes that became floats are found, though not quite what they were */
static void
test_padding_float (void)
{
  const gdouble padding = PADDING / 65535.0 * (1.0 + 2e-6);
  gchar        *roi;
  Image        *image = framed ("float", padding, &roi);

  assert_pair (image,
               run (image, "isolux:equalize", "values",
                    "padding=63000\ncodes=65535\n", NULL),
               run (image, "isolux:equalize", "roi", roi, NULL));
  assert_pair (image,
               run (image, "isolux:clahe", "values",
                    "padding=63000\ncodes=65535\n", NULL),
               run (image, "isolux:clahe", "roi", roi, NULL));
  g_free (roi);
  image_free (image);
}

static void
test_damaged (void)
{
  Image     *image = gray ("u16", 14);
  Image     *plain = run (image, "isolux:window", NULL);
  const gint before = messages_count ();
  Image     *other;
  gchar     *said;

  for (gint i = 0; i < 2; i++)
    {
      other = run (image, "isolux:window", "values", "slope=nothing\n", NULL);
      assert_same (plain, other);
      image_free (other);
    }
  g_assert_cmpint (messages_count (), ==, before + 1);
  said = messages_last ();
  g_assert_nonnull (strstr (said, "Isolux Window"));
  g_free (said);

  image_free (plain);
  image_free (image);
}

/* ---- Settings ------------------------------------------------------- */

/* Where the value of a choice goes; the choice's number is the library's,
 * but for bins */
static const struct
{
  const gchar *operation;
  const gchar *property;
  gsize        offset;
} choices[] = {
#define PLACE(member) G_STRUCT_OFFSET (IsoluxOperation, options.member)
  { "isolux:grayscale", "method", PLACE (grayscale.method) },
  { "isolux:equalize", "channels", PLACE (equalize.channels) },
  { "isolux:clahe", "channels", PLACE (clahe.channels) },
  { "isolux:clahe", "compatibility", PLACE (clahe.compatibility) },
  { "isolux:clahe", "bins", PLACE (clahe.bins) },
  { "isolux:window", "mode", PLACE (window.mode) },
  { "isolux:window", "channels", PLACE (window.channels) },
  { "isolux:contrast-map", "measure", PLACE (contrast_map.measure) },
  { "isolux:contrast-map", "colors", PLACE (contrast_map.colors) },
  { "isolux:lbp", "method", PLACE (lbp.method) },
  { "isolux:hog", "norm", PLACE (hog.norm) },
  { "isolux:hog", "gradient", PLACE (hog.gradient) },
  { "isolux:hog", "picture", PLACE (hog.picture) },
#undef PLACE
};

static gint
read_choice (GObject *object, gsize i)
{
  static const gdouble weights[3] = { 1.0, 0.0, 0.0 };
  IsoluxOperation      operation;
  gint                 value;

  isolux_settings_read (&operation, choices[i].operation, object, weights,
                        NULL);
  memcpy (&value, (guint8 *) &operation + choices[i].offset, sizeof value);
  return value;
}

static void
test_choices (void)
{
  guint seen = 0, there = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      GeglNode   *node = gegl_node_new ();
      GParamSpec *spec = gegl_operation_find_property (choices[i].operation,
                                                       choices[i].property);
      GObject    *object = NULL;

      gegl_node_set (node, "operation", choices[i].operation, NULL);
      g_object_get (node, "gegl-operation", &object, NULL);
      g_assert_nonnull (object);
      seen++;
      for (guint k = 0; k < G_PARAM_SPEC_ENUM (spec)->enum_class->n_values; k++)
        {
          const GEnumValue *value =
            &G_PARAM_SPEC_ENUM (spec)->enum_class->values[k];
          const gint wanted =
            strcmp (choices[i].property, "bins")
              ? value->value
              : (gint) g_ascii_strtoll (value->value_nick, NULL, 10);

          g_test_message ("%s %s %s", choices[i].operation, choices[i].property,
                          value->value_nick);
          g_object_set (object, choices[i].property, value->value, NULL);
          g_assert_cmpint (read_choice (object, i), ==, wanted);
        }
      g_object_unref (object);
      g_object_unref (node);
    }

  /* and there are no others */
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    {
      GParamSpec **specs;
      guint        n;

      if (i > 0 && ! strcmp (choices[i].operation, choices[i - 1].operation))
        continue;
      specs = gegl_operation_list_properties (choices[i].operation, &n);
      for (guint k = 0; k < n; k++)
        there += G_IS_PARAM_SPEC_ENUM (specs[k]) ? 1 : 0;
      g_free (specs);
    }
  g_assert_cmpuint (seen, ==, there);
}

void
add_units_tests (void)
{
  g_test_add_func ("/operations/units/window", test_window);
  g_test_add_func ("/operations/units/window-float", test_window_float);
  g_test_add_func ("/operations/units/padding", test_padding);
  g_test_add_func ("/operations/units/padding-float", test_padding_float);
  g_test_add_func ("/operations/units/damaged", test_damaged);
  g_test_add_func ("/operations/settings/choices", test_choices);
}
