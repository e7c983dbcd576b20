/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * isolux-dump.c - a plug-in for the tests: opens files and writes down what
 * GIMP has then.
 *
 *   (isolux-dump #:list FILE)
 *
 * Each line of FILE is "FOLDER|FILE|OPTIONS".  The file is opened as File >
 * Open does without OPTIONS, else by file-isolux-dicom-load with them:
 * words, separated by blanks, of frames=LIST, windowed=0, preset=NAME,
 * overlays, tags.
 * In FOLDER come image.json and, for the layer i, the bytes of its pixels in
 * its own format, layer-i.raw; flat.raw is the first layer as it is seen,
 * 8-bit gray or RGB.  For a file that does not open image.json has "error".
 *
 *   (isolux-dump #:series FOLDER)
 *
 * Opens FOLDER/000.dcm, 001.dcm ... one after the other, and then all of them
 * as layers of one image.  FOLDER/series has a line for each: the seconds it
 * took, the memory in MiB that GIMP has in use then, and the seconds that it
 * has computed.  The last line has the layers of the one image, and how many
 * of them have values and a filter.
 */
#include <libgimp/gimp.h>
#include <json-glib/json-glib.h>
#include <string.h>
#include <unistd.h>

#define DUMP_TYPE (dump_get_type ())
G_DECLARE_FINAL_TYPE (Dump, dump, DUMP, IT, GimpPlugIn)

struct _Dump
{
  GimpPlugIn parent_instance;
};

G_DEFINE_FINAL_TYPE (Dump, dump, GIMP_TYPE_PLUG_IN)

static void
write_file (const gchar *folder, const gchar *name, gconstpointer data, gsize n)
{
  gchar *path = g_build_filename (folder, name, NULL);

  g_file_set_contents (path, data, (gssize) n, NULL);
  g_free (path);
}

static void
write_pixels (GimpDrawable *drawable,
              const Babl   *format,
              const gchar  *folder,
              const gchar  *name)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);
  gint        width = gimp_drawable_get_width (drawable);
  gint        height = gimp_drawable_get_height (drawable);
  gsize       n = (gsize) width * (gsize) height *
            (gsize) babl_format_get_bytes_per_pixel (format);
  gpointer pixels = g_malloc (n);

  gegl_buffer_get (buffer, GEGL_RECTANGLE (0, 0, width, height), 1.0, format,
                   pixels, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
  write_file (folder, name, pixels, n);
  g_free (pixels);
  g_object_unref (buffer);
}

static void
add_parasite (JsonBuilder *builder, GimpParasite *parasite)
{
  guint32       n;
  gconstpointer data = gimp_parasite_get_data (parasite, &n);
  gchar        *text = g_strndup (data, n);
  gchar        *valid = g_utf8_make_valid (text, -1);

  json_builder_set_member_name (builder, gimp_parasite_get_name (parasite));
  json_builder_add_string_value (builder, valid);
  g_free (valid);
  g_free (text);
}

static void
add_property (JsonBuilder *builder, GObject *config, GParamSpec *pspec)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, pspec->value_type);
  g_object_get_property (config, pspec->name, &value);
  if (G_VALUE_HOLDS_DOUBLE (&value))
    {
      json_builder_set_member_name (builder, pspec->name);
      json_builder_add_double_value (builder, g_value_get_double (&value));
    }
  else if (G_VALUE_HOLDS_STRING (&value) && g_value_get_string (&value))
    {
      json_builder_set_member_name (builder, pspec->name);
      json_builder_add_string_value (builder, g_value_get_string (&value));
    }
  g_value_unset (&value);
}

static void
add_filters (JsonBuilder *builder, GimpDrawable *drawable)
{
  GimpDrawableFilter **filters = gimp_drawable_get_filters (drawable);

  json_builder_set_member_name (builder, "filters");
  json_builder_begin_array (builder);
  for (gint i = 0; filters && filters[i]; i++)
    {
      GObject *config = G_OBJECT (gimp_drawable_filter_get_config (filters[i]));
      GParamSpec **specs;
      guint        n;

      specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (config), &n);
      json_builder_begin_object (builder);
      for (guint k = 0; k < n; k++)
        if (specs[k]->flags & G_PARAM_READABLE)
          add_property (builder, config, specs[k]);
      json_builder_end_object (builder);
      g_free (specs);
    }
  json_builder_end_array (builder);
  g_free (filters);
}

static void
dump_layer (JsonBuilder *builder, GimpLayer *layer)
{
  GimpDrawable *drawable = GIMP_DRAWABLE (layer);
  gchar       **names = gimp_item_get_parasite_list (GIMP_ITEM (layer));
  gint          x, y;

  gimp_drawable_get_offsets (drawable, &x, &y);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder,
                                 gimp_item_get_name (GIMP_ITEM (layer)));
  json_builder_set_member_name (builder, "encoding");
  json_builder_add_string_value (
    builder, babl_format_get_encoding (gimp_drawable_get_format (drawable)));
  json_builder_set_member_name (builder, "box");
  json_builder_begin_array (builder);
  json_builder_add_int_value (builder, x);
  json_builder_add_int_value (builder, y);
  json_builder_add_int_value (builder, gimp_drawable_get_width (drawable));
  json_builder_add_int_value (builder, gimp_drawable_get_height (drawable));
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "parasites");
  json_builder_begin_object (builder);
  for (gint i = 0; names && names[i]; i++)
    {
      GimpParasite *parasite =
        gimp_item_get_parasite (GIMP_ITEM (layer), names[i]);

      add_parasite (builder, parasite);
      gimp_parasite_free (parasite);
    }
  json_builder_end_object (builder);
  g_strfreev (names);
  add_filters (builder, drawable);
  json_builder_end_object (builder);
}

static void
dump_flat (GimpImage *image, const gchar *folder)
{
  GimpImage *copy = gimp_image_duplicate (image);
  GimpLayer *layer = gimp_image_flatten (copy);

  if (layer)
    write_pixels (GIMP_DRAWABLE (layer),
                  gimp_drawable_is_rgb (GIMP_DRAWABLE (layer))
                    ? babl_format ("R'G'B' u8")
                    : babl_format ("Y' u8"),
                  folder, "flat.raw");
  gimp_image_delete (copy);
}

static void
dump_image (JsonBuilder *builder, GimpImage *image, const gchar *folder)
{
  GimpLayer       **layers = gimp_image_get_layers (image);
  gchar           **names = gimp_image_get_parasite_list (image);
  GimpColorProfile *profile = gimp_image_get_color_profile (image);
  gdouble           x, y;

  json_builder_set_member_name (builder, "precision");
  json_builder_add_int_value (builder, gimp_image_get_precision (image));
  json_builder_set_member_name (builder, "profile");
  json_builder_add_boolean_value (builder, profile != NULL);
  g_clear_object (&profile);
  gimp_image_get_resolution (image, &x, &y);
  json_builder_set_member_name (builder, "resolution");
  json_builder_begin_array (builder);
  json_builder_add_double_value (builder, x);
  json_builder_add_double_value (builder, y);
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "parasites");
  json_builder_begin_object (builder);
  for (gint i = 0; names && names[i]; i++)
    {
      GimpParasite *parasite = gimp_image_get_parasite (image, names[i]);

      add_parasite (builder, parasite);
      gimp_parasite_free (parasite);
    }
  json_builder_end_object (builder);
  g_strfreev (names);

  json_builder_set_member_name (builder, "layers");
  json_builder_begin_array (builder);
  for (gint i = 0; layers[i]; i++)
    {
      gchar *name = g_strdup_printf ("layer-%d.raw", i);

      dump_layer (builder, layers[i]);
      write_pixels (GIMP_DRAWABLE (layers[i]),
                    gimp_drawable_get_format (GIMP_DRAWABLE (layers[i])),
                    folder, name);
      g_free (name);
    }
  json_builder_end_array (builder);
  g_free (layers);
  dump_flat (image, folder);
}

static GimpImage *
open_with (GFile *file, const gchar *words, gchar **message)
{
  GimpProcedure       *procedure;
  GimpProcedureConfig *config;
  GimpValueArray      *values;
  GimpImage           *image = NULL;
  gchar              **list = g_strsplit (words, " ", -1);

  procedure =
    gimp_pdb_lookup_procedure (gimp_get_pdb (), "file-isolux-dicom-load");
  config = gimp_procedure_create_config (procedure);
  g_object_set (config, "run-mode", GIMP_RUN_NONINTERACTIVE, "file", file,
                NULL);
  for (gint i = 0; list[i]; i++)
    if (g_str_has_prefix (list[i], "frames="))
      g_object_set (config, "frames", list[i] + 7, NULL);
    else if (! strcmp (list[i], "windowed=0"))
      g_object_set (config, "windowed", FALSE, NULL);
    else if (g_str_has_prefix (list[i], "preset="))
      g_object_set (config, "window-preset", list[i] + 7, NULL);
    else if (! strcmp (list[i], "overlays"))
      g_object_set (config, "overlays", TRUE, NULL);
    else if (! strcmp (list[i], "tags"))
      g_object_set (config, "keep-tags", TRUE, NULL);
  values = gimp_procedure_run_config (procedure, config);
  if (GIMP_VALUES_GET_ENUM (values, 0) == GIMP_PDB_SUCCESS)
    image = GIMP_VALUES_GET_IMAGE (values, 1);
  else
    *message = g_strdup (gimp_pdb_get_last_error (gimp_get_pdb ()));
  gimp_value_array_unref (values);
  g_object_unref (config);
  g_strfreev (list);
  return image;
}

static void
dump_line (const gchar *line)
{
  gchar      **parts = g_strsplit (line, "|", 3);
  GFile       *file = g_file_new_for_path (parts[1]);
  JsonBuilder *builder = json_builder_new ();
  JsonNode    *root;
  gchar       *text, *message = NULL;
  GimpImage   *image, **left;

  if (parts[2] && *parts[2])
    image = open_with (file, parts[2], &message);
  else
    {
      image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);
      if (image == NULL)
        message = g_strdup (gimp_pdb_get_last_error (gimp_get_pdb ()));
    }

  json_builder_begin_object (builder);
  if (image)
    {
      dump_image (builder, image, parts[0]);
      gimp_image_delete (image);
    }
  else
    {
      json_builder_set_member_name (builder, "error");
      json_builder_add_string_value (builder, message);
    }
  left = gimp_get_images ();
  json_builder_set_member_name (builder, "left");
  json_builder_add_int_value (builder,
                              gimp_core_object_array_get_length ((GObject **)
                                                                   left));
  g_free (left);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  write_file (parts[0], "image.json", text, strlen (text));
  g_free (text);
  g_free (message);
  json_node_unref (root);
  g_object_unref (builder);
  g_object_unref (file);
  g_strfreev (parts);
}

/* Seconds of computing that the process which started us has had */
static gdouble
time_of_gimp (void)
{
  gchar  *path = g_strdup_printf ("/proc/%d/stat", (gint) getppid ());
  gchar  *text = NULL;
  gdouble ticks = 0.0;

  if (g_file_get_contents (path, &text, NULL, NULL))
    {
      /* the 14th and 15th; the second is a name in parentheses */
      gchar **fields = g_strsplit (strrchr (text, ')') + 2, " ", 14);

      if (g_strv_length (fields) == 14)
        ticks = g_ascii_strtod (fields[11], NULL) +
                g_ascii_strtod (fields[12], NULL);
      g_strfreev (fields);
    }
  g_free (text);
  g_free (path);
  return ticks / (gdouble) sysconf (_SC_CLK_TCK);
}

/* In MiB, of the process that started us */
static gdouble
memory_of_gimp (void)
{
  gchar  *path = g_strdup_printf ("/proc/%d/statm", (gint) getppid ());
  gchar  *text = NULL;
  gdouble pages = 0.0;

  if (g_file_get_contents (path, &text, NULL, NULL))
    {
      const gchar *second = strchr (text, ' ');

      if (second)
        pages = g_ascii_strtod (second, NULL);
    }
  g_free (text);
  g_free (path);
  return pages * (gdouble) sysconf (_SC_PAGESIZE) / (1 << 20);
}

static void
dump_series (const gchar *folder)
{
  GString   *lines = g_string_new (NULL);
  GimpImage *whole = NULL;
  gint       n_layers = 0, n_good = 0;

  for (gint round = 0; round < 2; round++)
    for (gint i = 0;; i++)
      {
        gchar   *name = g_strdup_printf ("%s/%03d.dcm", folder, i);
        GFile   *file = g_file_new_for_path (name);
        gint64   begin = g_get_monotonic_time ();
        gboolean there = g_file_test (name, G_FILE_TEST_EXISTS);

        if (there && round == 0)
          {
            GimpImage *image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);

            gimp_image_delete (image);
          }
        else if (there)
          {
            GimpLayer *layer;

            if (whole == NULL)
              whole =
                gimp_image_new_with_precision (128, 128, GIMP_GRAY,
                                               GIMP_PRECISION_U16_NON_LINEAR);
            layer = gimp_file_load_layer (GIMP_RUN_NONINTERACTIVE, whole, file);
            gimp_image_insert_layer (whole, layer, NULL, -1);
          }
        if (there)
          g_string_append_printf (lines, "%.3f %.1f %.2f\n",
                                  (gdouble) (g_get_monotonic_time () - begin) /
                                    G_USEC_PER_SEC,
                                  memory_of_gimp (), time_of_gimp ());
        g_object_unref (file);
        g_free (name);
        if (! there)
          break;
      }
  if (whole)
    {
      GimpLayer **layers = gimp_image_get_layers (whole);

      for (; layers[n_layers]; n_layers++)
        {
          GimpParasite *parasite =
            gimp_item_get_parasite (GIMP_ITEM (layers[n_layers]),
                                    "isolux-values");
          GimpDrawableFilter **filters =
            gimp_drawable_get_filters (GIMP_DRAWABLE (layers[n_layers]));

          if (parasite && filters && filters[0])
            n_good++;
          g_clear_pointer (&parasite, gimp_parasite_free);
          g_free (filters);
        }
      gimp_image_delete (whole);
    }
  g_string_append_printf (lines, "%d %d\n", n_layers, n_good);
  write_file (folder, "series", lines->str, lines->len);
  g_string_free (lines, TRUE);
}

static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer data)
{
  gchar  *list = NULL, *series = NULL, *text = NULL;
  gchar **lines;

  gegl_init (NULL, NULL);
  g_object_get (config, "list", &list, "series", &series, NULL);
  if (series && *series)
    {
      dump_series (series);
      return gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS,
                                               NULL);
    }
  if (! g_file_get_contents (list, &text, NULL, NULL))
    return gimp_procedure_new_return_values (procedure,
                                             GIMP_PDB_EXECUTION_ERROR, NULL);
  lines = g_strsplit (text, "\n", -1);
  for (gint i = 0; lines[i]; i++)
    if (*lines[i])
      dump_line (lines[i]);
  g_strfreev (lines);
  g_free (text);
  g_free (list);
  return gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
}

static GList *
query_procedures (GimpPlugIn *plug_in)
{
  return g_list_append (NULL, g_strdup ("isolux-dump"));
}

static GimpProcedure *
create_procedure (GimpPlugIn *plug_in, const gchar *name)
{
  GimpProcedure *procedure = gimp_procedure_new (plug_in, name,
                                                 GIMP_PDB_PROC_TYPE_PLUGIN, run,
                                                 NULL, NULL);

  gimp_procedure_set_documentation (procedure, "Opens files for the tests",
                                    NULL, NULL);
  gimp_procedure_add_string_argument (procedure, "list", "List", "A file", "",
                                      G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (procedure, "series", "Series", "A folder",
                                      "", G_PARAM_READWRITE);
  return procedure;
}

static void
dump_class_init (DumpClass *klass)
{
  GIMP_PLUG_IN_CLASS (klass)->query_procedures = query_procedures;
  GIMP_PLUG_IN_CLASS (klass)->create_procedure = create_procedure;
  GIMP_PLUG_IN_CLASS (klass)->set_i18n = NULL;
}

static void
dump_init (Dump *self)
{
}

GIMP_MAIN (DUMP_TYPE)
