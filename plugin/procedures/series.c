/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.c: files that belong together.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "drawable-values.h"
#include "series.h"
#include "simple-dialog.h"
#include "pipeline.h"

/* ---- Which files -------------------------------------------------- */

static gboolean
is_digit (gchar c)
{
  return c >= '0' && c <= '9';
}

/* Of two numbers: without leading zeros, the longer is the larger */
static gint
compare_numbers (const gchar **a, const gchar **b)
{
  const gchar *x = *a, *y = *b;
  gsize        m = 0, n = 0;

  while (*x == '0')
    x++;
  while (*y == '0')
    y++;
  while (is_digit (x[m]))
    m++;
  while (is_digit (y[n]))
    n++;
  *a = x + m;
  *b = y + n;
  if (m != n)
    return m < n ? -1 : 1;
  return strncmp (x, y, m);
}

gint
isolux_natural_compare (const gchar *a, const gchar *b)
{
  const gchar *x = a, *y = b;

  while (*x && *y)
    if (is_digit (*x) && is_digit (*y))
      {
        const gint order = compare_numbers (&x, &y);

        if (order)
          return order;
      }
    else if (*x != *y)
      return (guchar) *x - (guchar) *y;
    else
      {
        x++;
        y++;
      }
  if (*x || *y)
    return *x ? 1 : -1;
  return strcmp (a, b); /* 01 and 1 */
}

static gint
compare_paths (gconstpointer a, gconstpointer b)
{
  return isolux_natural_compare (*(gchar *const *) a, *(gchar *const *) b);
}

/* Adds the files of a folder; FALSE and @error */
static gboolean
add_folder (GPtrArray *paths, GFile *folder, GError **error)
{
  gchar       *path = g_file_get_path (folder);
  GDir        *open = path ? g_dir_open (path, 0, error) : NULL;
  GPtrArray   *found;
  const gchar *name;

  if (! open)
    {
      if (error && ! *error)
        g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                             _("The folder is on no disk of this machine."));
      g_free (path);
      return FALSE;
    }

  found = g_ptr_array_new ();
  while ((name = g_dir_read_name (open)))
    {
      gchar *file = g_build_filename (path, name, NULL);

      if (name[0] != '.' && g_file_test (file, G_FILE_TEST_IS_REGULAR))
        g_ptr_array_add (found, file);
      else
        g_free (file);
    }
  g_dir_close (open);
  g_ptr_array_sort (found, compare_paths);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (paths, found->pdata[i]);
  g_ptr_array_unref (found);
  g_free (path);
  return TRUE;
}

GPtrArray *
isolux_series_paths (GimpProcedureConfig *config, GError **error)
{
  GPtrArray *paths = g_ptr_array_new_with_free_func (g_free);
  gchar    **files = NULL;
  GFile     *folder = NULL;
  gboolean   success = TRUE;

  g_object_get (config, "files", &files, "folder", &folder, NULL);
  for (gint i = 0; files && files[i]; i++)
    g_ptr_array_add (paths, g_strdup (files[i]));
  if (folder)
    success = add_folder (paths, folder, error);
  if (success && paths->len == 0)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           folder ? _("There are no files in the folder.")
                                  : _("No file is named, and no folder."));
      success = FALSE;
    }
  g_clear_object (&folder);
  g_strfreev (files);
  if (! success)
    g_clear_pointer (&paths, g_ptr_array_unref);
  return paths;
}

gboolean
isolux_is_newer (const gchar *path, const gchar *other)
{
  GStatBuf a, b;

  return ! g_stat (path, &a) && ! g_stat (other, &b) &&
         (a.st_mtim.tv_sec > b.st_mtim.tv_sec ||
          (a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
           a.st_mtim.tv_nsec >= b.st_mtim.tv_nsec));
}

/* ---- Opening ------------------------------------------------------ */

GimpImage *
isolux_open_file (GFile *file, GError **error)
{
  GimpImage *image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, file);

  if (image)
    {
      isolux_image_adopt_comment (image);
    }
  else
    {
      const gchar *why = gimp_pdb_get_last_error (gimp_get_pdb ());

      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("GIMP does not open it (%s)."), why ? why : "");
    }
  return image;
}

/* What all images of a series have in common */
typedef struct
{
  GimpImage *image; /* the series; NULL before the first file */
  gint       n;     /* layers */
} Series;

/* FALSE and @error, in words: it does not fit those before it */
static gboolean
check_fits (const Series *series, GimpImage *image, GError **error)
{
  const gint width = gimp_image_get_width (image);
  const gint height = gimp_image_get_height (image);

  if (gimp_image_get_base_type (image) == GIMP_INDEXED)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("Its colors are indexed; a series has values."));
      return FALSE;
    }
  if (! series->image)
    return TRUE;

  if (width != gimp_image_get_width (series->image) ||
      height != gimp_image_get_height (series->image))
    g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                 _("It has %d x %d pixels, and those before it have %d x %d."),
                 width, height, gimp_image_get_width (series->image),
                 gimp_image_get_height (series->image));
  else if (gimp_image_get_precision (image) !=
             gimp_image_get_precision (series->image) ||
           gimp_image_get_base_type (image) !=
             gimp_image_get_base_type (series->image))
    g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                         _("It is of another precision, or gray where those "
                           "before it are colored or the reverse; its values "
                           "would change."));
  else
    return TRUE;
  return FALSE;
}

/* A new image like the first one, with its resolution, profile and units */
static void
begin (Series *series, GimpImage *like)
{
  GimpColorProfile *profile = gimp_image_get_color_profile (like);
  gdouble           x, y;

  series->image =
    gimp_image_new_with_precision (gimp_image_get_width (like),
                                   gimp_image_get_height (like),
                                   gimp_image_get_base_type (like),
                                   gimp_image_get_precision (like));
  gimp_image_undo_disable (series->image);
  if (gimp_image_get_resolution (like, &x, &y))
    gimp_image_set_resolution (series->image, x, y);
  if (profile)
    {
      gimp_image_set_color_profile (series->image, profile);
      g_object_unref (profile);
    }
}

/* Takes over a layer; the last one comes to the bottom */
static void
add_layer (Series       *series,
           GimpDrawable *layer,
           const gchar  *name,
           gint          number,
           gint          of)
{
  GimpLayer *copy = gimp_layer_new_from_drawable (layer, series->image);
  gchar     *values = isolux_drawable_get_values_text (layer);
  gchar     *text = of > 1 ? g_strdup_printf ("%s (%d)", name, number)
                           : g_strdup (name);
  gint       x, y;

  gimp_drawable_get_offsets (layer, &x, &y);
  gimp_layer_set_offsets (copy, x, y);
  gimp_item_set_name (GIMP_ITEM (copy), text);
  gimp_image_insert_layer (series->image, copy, NULL, series->n++);
  if (values)
    isolux_drawable_set_values (GIMP_DRAWABLE (copy), values);
  g_free (text);
  g_free (values);
}

/* FALSE and @error */
static gboolean
add_file (Series *series, const gchar *path, GError **error)
{
  GFile         *file = g_file_new_for_path (path);
  GimpImage     *image = isolux_open_file (file, error);
  GimpDrawable **layers;
  gchar         *name;
  gint           n = 0;

  g_object_unref (file);
  if (! image)
    return FALSE;
  if (! check_fits (series, image, error))
    {
      gimp_image_delete (image);
      return FALSE;
    }

  if (! series->image)
    begin (series, image);
  layers = isolux_image_get_all_layers (image);
  while (layers[n])
    n++;
  name = g_filename_display_basename (path);
  for (gint i = 0; i < n; i++)
    add_layer (series, layers[i], name, i + 1, n);
  g_free (name);
  g_free (layers);
  gimp_image_delete (image);
  return TRUE;
}

/* NULL and @error, with the file's name */
static GimpImage *
open_series (GPtrArray *paths, gboolean skip, GString *skipped, GError **error)
{
  Series   series = { NULL, 0 };
  gboolean success = TRUE;

  for (guint i = 0; i < paths->len && success; i++)
    {
      GError *failure = NULL;

      if (! add_file (&series, paths->pdata[i], &failure))
        {
          gchar *name = g_filename_display_name (paths->pdata[i]);

          g_prefix_error (&failure, "%s: ", name);
          g_free (name);
          success = skip;
          if (skip)
            g_string_append_printf (skipped, "%s\n", failure->message);
          else
            g_propagate_error (error, g_steal_pointer (&failure));
          g_clear_error (&failure);
        }
      gimp_progress_update ((i + 1.0) / paths->len);
    }
  if (success && ! series.image)
    g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                 _("None of the files could be opened:\n%s"), skipped->str);
  if (! success && series.image)
    {
      gimp_image_delete (series.image);
      series.image = NULL;
    }
  return series.image;
}

/* ---- The procedure ------------------------------------------------ */

static const IsoluxRow rows[] = {
  { "folder", NULL, NULL, NULL },
  { "skip-others", NULL, NULL, NULL },
  { NULL, NULL, NULL, NULL },
};

static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer run_data)
{
  GimpRunMode     run_mode;
  GimpValueArray *values;
  GimpImage      *image = NULL;
  GPtrArray      *paths;
  GString        *skipped = g_string_new (NULL);
  GError         *error = NULL;
  gboolean        skip;

  g_object_get (config, "run-mode", &run_mode, NULL);
  if (run_mode == GIMP_RUN_INTERACTIVE &&
      ! isolux_simple_dialog_run (procedure, config, _("Isolux Open Series"),
                                  rows))
    {
      g_string_free (skipped, TRUE);
      return gimp_procedure_new_return_values (procedure, GIMP_PDB_CANCEL,
                                               NULL);
    }

  gimp_progress_init (_("Isolux Open Series"));
  g_object_get (config, "skip-others", &skip, NULL);
  paths = isolux_series_paths (config, &error);
  if (paths)
    {
      image = open_series (paths, skip, skipped, &error);
      g_ptr_array_unref (paths);
    }
  values = gimp_procedure_new_return_values (procedure,
                                             image ? GIMP_PDB_SUCCESS
                                                   : GIMP_PDB_CALLING_ERROR,
                                             error);
  if (image)
    {
      gimp_image_undo_enable (image);
      gimp_image_clean_all (image);
      if (run_mode == GIMP_RUN_INTERACTIVE)
        gimp_display_new (image);
      g_value_set_object (gimp_value_array_index (values, 1), image);
      g_value_set_string (gimp_value_array_index (values, 2), skipped->str);
    }
  g_string_free (skipped, TRUE);
  return values;
}

void
isolux_series_add_arguments (GimpProcedure *procedure)
{
  gimp_procedure_add_string_array_argument (procedure, "files", _("_Files"),
                                            _("Paths of files, in this order"),
                                            G_PARAM_READWRITE);
  gimp_procedure_add_file_argument (procedure, "folder", _("Fo_lder"),
                                    _("All files of a folder, by their names: "
                                      "slice-9 before slice-10"),
                                    GIMP_FILE_CHOOSER_ACTION_SELECT_FOLDER,
                                    TRUE, NULL, G_PARAM_READWRITE);
}

GimpProcedure *
isolux_series_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_procedure_new (plug_in, ISOLUX_SERIES_PROCEDURE,
                        GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);

  gimp_procedure_set_menu_label (procedure, _("Open _Series..."));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Isolux");
  gimp_procedure_set_icon_name (procedure, GIMP_ICON_DOCUMENT_OPEN);
  gimp_procedure_set_documentation (
    procedure, _("Open files as the layers of one image"),
    _("Opens the files that are named, or all files of a folder in natural "
      "order (slice-9 before slice-10), as layers of one image, the first one "
      "on top. They have to agree in size, precision and kind, so that no "
      "value changes; what codes stand for comes along. A file that does not "
      "fit, or that GIMP does not open, is refused in words, unless "
      "\"skip-others\" leaves it out; it is then named in the second result."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  gimp_procedure_add_enum_argument (procedure, "run-mode", "Run mode",
                                    "The run mode", GIMP_TYPE_RUN_MODE,
                                    GIMP_RUN_NONINTERACTIVE, G_PARAM_READWRITE);
  isolux_series_add_arguments (procedure);
  gimp_procedure_add_boolean_argument (procedure, "skip-others",
                                       _("_Leave out what does not fit"),
                                       _("Leave out files that cannot be "
                                         "opened or do not agree with the "
                                         "first one"),
                                       FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_image_return_value (procedure, "image", _("Image"),
                                         _("The series"), TRUE,
                                         G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "skipped", _("Skipped"),
                                          _("A line for each file that was "
                                            "left out, with the reason"),
                                          NULL, G_PARAM_READWRITE);
  return procedure;
}
