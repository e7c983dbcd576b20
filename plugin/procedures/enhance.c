/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * enhance.c: the procedures that make pictures of values.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "arguments.h"
#include "enhance.h"
#include "export.h"
#include "json.h"
#include "operation.h"
#include "pipeline.h"
#include "presets.h"
#include "series.h"
#include "set-values.h"
#include "simple-dialog.h"
#include "target.h"

#define ALL_LAYERS "all-layers"

/* ---- The dialog --------------------------------------------------- */

static const IsoluxWord *
words_of (const gchar *operation, const gchar *name)
{
  const IsoluxParameter *parameter = isolux_parameters (operation);

  while (strcmp (parameter->name, name))
    parameter++;
  return parameter->words;
}

/* The window presets that fit, as words of a choice; belongs to the caller,
 * the texts in it to the presets */
static IsoluxWord *
preset_words (IsoluxPresets *presets, const IsoluxRealValues *values)
{
  const IsoluxPreset *const *list = isolux_presets_list (presets);
  GArray          *words = g_array_new (TRUE, TRUE, sizeof (IsoluxWord));
  const IsoluxWord first[] = {
    { "", N_("As given below") },
    { ISOLUX_WINDOW_OF_IMAGE, N_("The image's own") },
  };

  g_array_append_vals (words, first, G_N_ELEMENTS (first));
  for (; *list; list++)
    if ((*list)->kind != ISOLUX_PRESET_LAST &&
        isolux_preset_fits (*list, values))
      {
        const IsoluxWord word = { (*list)->id, (*list)->name };

        g_array_append_val (words, word);
      }
  return (IsoluxWord *) g_array_free (words, FALSE);
}

static gboolean
run_dialog (GimpProcedure       *procedure,
            GimpProcedureConfig *config,
            const IsoluxTarget  *target)
{
  IsoluxPresets *presets =
    isolux_presets_new ("plug-in-isolux-window", "isolux:window");
  IsoluxWord     *windows = preset_words (presets, &target->values);
  const IsoluxRow rows[] = {
    { "use-window", NULL, NULL, NULL },
    { "window-preset", windows, NULL, NULL },
    { "mode", words_of ("isolux:window", "mode"), NULL, NULL },
    { "center", NULL, "mode", "window" },
    { "width", NULL, "mode", "window" },
    { "low-percentile", NULL, "mode", "percentile" },
    { "high-percentile", NULL, "mode", "percentile" },
    { "use-clahe", NULL, NULL, NULL },
    { "clip-limit", NULL, NULL, NULL },
    { "tiles-x", NULL, NULL, NULL },
    { "tiles-y", NULL, NULL, NULL },
    { "bins", words_of ("isolux:clahe", "bins"), NULL, NULL },
    { "channels", words_of ("isolux:clahe", "channels"), NULL, NULL },
    { ALL_LAYERS, NULL, NULL, NULL },
    { "one-window", NULL, NULL, NULL },
    { ISOLUX_NON_DESTRUCTIVE, NULL, NULL, NULL },
    { NULL, NULL, NULL, NULL },
  };
  gchar   *preset;
  gboolean ok;

  /* a preset chosen last may not fit this image */
  g_object_get (config, "window-preset", &preset, NULL);
  for (const IsoluxWord *word = windows;; word++)
    if (! word->word)
      {
        g_object_set (config, "window-preset", "", NULL);
        break;
      }
    else if (! g_strcmp0 (word->word, preset))
      break;
  g_free (preset);

  ok = isolux_simple_dialog_run (procedure, config, _("Isolux Enhance"), rows);
  g_free (windows);
  isolux_presets_free (presets);
  return ok;
}

/* ---- Layers ------------------------------------------------------- */

static gboolean
enhance (GimpImage           *image,
         GimpDrawable       **drawables,
         GimpProcedureConfig *config,
         GError             **error)
{
  IsoluxPipeline *pipeline = isolux_pipeline_new (config, error);
  GimpDrawable  **layers = NULL;
  gboolean        all, non_destructive;
  gboolean        success;

  if (! pipeline)
    return FALSE;
  g_object_get (config, ALL_LAYERS, &all, ISOLUX_NON_DESTRUCTIVE,
                &non_destructive, NULL);
  if (all)
    layers = isolux_image_get_all_layers (image);
  success = isolux_pipeline_apply (pipeline, image, all ? layers : drawables,
                                   non_destructive, error);
  g_free (layers);
  isolux_pipeline_free (pipeline);
  return success;
}

static GimpValueArray *
run (GimpProcedure       *procedure,
     GimpRunMode          run_mode,
     GimpImage           *image,
     GimpDrawable       **drawables,
     GimpProcedureConfig *config,
     gpointer             run_data)
{
  GimpPDBStatusType status = GIMP_PDB_SUCCESS;
  GError           *error = NULL;

  if (run_mode == GIMP_RUN_INTERACTIVE && drawables && drawables[0])
    {
      IsoluxTarget *target = isolux_target_new (image, drawables[0], &error);
      gboolean ok = target && isolux_target_replace_windows (target, &error) &&
                    run_dialog (procedure, config, target);

      g_clear_pointer (&target, isolux_target_free);
      if (! ok)
        return gimp_procedure_new_return_values (procedure,
                                                 error ? GIMP_PDB_CALLING_ERROR
                                                       : GIMP_PDB_CANCEL,
                                                 error);
    }

  gimp_progress_init (_("Isolux Enhance"));
  if (! enhance (image, drawables, config, &error))
    status = GIMP_PDB_CALLING_ERROR;
  return gimp_procedure_new_return_values (procedure, status, error);
}

GimpProcedure *
isolux_enhance_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_image_procedure_new (plug_in, ISOLUX_ENHANCE_PROCEDURE,
                              GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);
  GString *taken = g_string_new (ISOLUX_TAKEN_MNEMONICS);
  gchar   *nick;

  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                         GIMP_PROCEDURE_SENSITIVE_DRAWABLES);
  gimp_procedure_set_menu_label (procedure, _("_Enhance..."));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Isolux");
  gimp_procedure_set_icon_name (procedure, GIMP_ICON_HISTOGRAM);
  gimp_procedure_set_documentation (
    procedure, _("Make a picture of values: a window, then CLAHE"),
    _("Puts a window and CLAHE on layers, or on all layers of a series, in "
      "one undo step. The window is a preset, the one that the image names, "
      "or given by the arguments of plug-in-isolux-window; CLAHE has those of "
      "plug-in-isolux-clahe. Numbers are in the unit that a layer names, as "
      "Hounsfield units, and its padding does not count. The effects stay "
      "filters unless \"non-destructive\" is off; the layer's name then says "
      "what was done."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  isolux_pipeline_add_arguments (procedure, taken);
  nick = isolux_with_mnemonic (_("All layers"), taken);
  gimp_procedure_add_boolean_argument (procedure, ALL_LAYERS, nick,
                                       _("Work on all layers of the image, "
                                         "those in groups too, instead of the "
                                         "chosen ones"),
                                       FALSE, G_PARAM_READWRITE);
  g_free (nick);
  nick = isolux_with_mnemonic (_("Non-destructive"), taken);
  gimp_procedure_add_boolean_argument (procedure, ISOLUX_NON_DESTRUCTIVE, nick,
                                       _("Keep the effects as filters on the "
                                         "layers instead of changing their "
                                         "pixels"),
                                       TRUE, G_PARAM_READWRITE);
  g_free (nick);
  g_string_free (taken, TRUE);
  return procedure;
}

/* ---- Files -------------------------------------------------------- */

/* What comes of a call with many files */
typedef struct
{
  GPtrArray *written; /* paths */
  GPtrArray *present; /* paths that were there already */
  GString   *failed;  /* a line for each file */
  guint      n_failed;
} Outcome;

static void
add_failure (Outcome *outcome, const gchar *path, const GError *error)
{
  gchar *name = g_filename_display_name (path);

  g_string_append_printf (outcome->failed, "%s%s: %s",
                          outcome->n_failed ? "\n" : "", name, error->message);
  outcome->n_failed++;
  g_free (name);
}

/* The place of a picture: the folder, the name of the file without its ending,
 * and the number of the layer where there are several */
static gchar *
output_path (const gchar *folder,
             const gchar *path,
             gint         layer,
             gint         n_layers,
             const gchar *ending)
{
  gchar *base = g_path_get_basename (path);
  gchar *dot = strrchr (base, '.');
  gchar *name, *result;

  if (dot && dot > base)
    *dot = '\0';
  if (n_layers > 1)
    name = g_strdup_printf ("%s-%0*d%s", base, n_layers > 999 ? 5 : 3,
                            layer + 1, ending);
  else
    name = g_strconcat (base, ending, NULL);
  result = g_build_filename (folder, name, NULL);
  g_free (name);
  g_free (base);
  return result;
}

/* Files that end in the same pictures; NULL: none do */
static gchar *
find_clash (GPtrArray *paths)
{
  GHashTable *seen =
    g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gchar *clash = NULL;

  for (guint i = 0; i < paths->len && ! clash; i++)
    if (! g_hash_table_add (seen, output_path ("", paths->pdata[i], 0, 1, "")))
      clash = g_filename_display_basename (paths->pdata[i]);
  g_hash_table_unref (seen);
  return clash;
}

static gboolean
export_layer (GimpDrawable *layer,
              const gchar  *picture,
              const gchar  *values,
              const gchar  *what,
              Outcome      *outcome,
              GError      **error)
{
  GFile   *file = g_file_new_for_path (picture);
  gboolean success;

  /* values first: the picture says that all is there */
  success = TRUE;
  if (values)
    {
      GFile *other = g_file_new_for_path (values);

      success = isolux_export_values (layer, other, NULL, error);
      if (success)
        g_ptr_array_add (outcome->written, g_strdup (values));
      g_object_unref (other);
    }
  success = success && isolux_export_picture (layer, file, what, error);
  if (success)
    g_ptr_array_add (outcome->written, g_strdup (picture));
  g_object_unref (file);
  return success;
}

static gboolean
enhance_file (IsoluxPipeline *pipeline,
              const gchar    *path,
              const gchar    *folder,
              const gchar    *kind,
              gboolean        values,
              Outcome        *outcome,
              GError        **error)
{
  GFile         *file = g_file_new_for_path (path);
  GimpImage     *image = isolux_open_file (file, error);
  GimpDrawable **layers;
  gboolean       success;
  gchar         *what;
  gint           n = 0;

  g_object_unref (file);
  if (! image)
    return FALSE;
  layers = isolux_image_get_all_layers (image);
  while (layers[n])
    n++;
  what = isolux_pipeline_describe (pipeline);
  /* as filters, so that the values are still there */
  success =
    (! kind || ! *kind || isolux_set_values_of_kind (layers, kind, error)) &&
    isolux_pipeline_apply (pipeline, image, layers, TRUE, error);
  for (gint i = 0; i < n && success; i++)
    {
      gchar *picture = output_path (folder, path, i, n, ".png");
      gchar *other = values ? output_path (folder, path, i, n, "-values.png")
                            : NULL;

      success = export_layer (layers[i], picture, other, what, outcome, error);
      g_free (other);
      g_free (picture);
    }
  g_free (what);
  g_free (layers);
  gimp_image_delete (image);
  return success;
}

/* Whether a file's first picture is there, and not older than the file */
static gboolean
is_done (const gchar *path, const gchar *folder)
{
  static const gint counts[] = { 1, 2, 1000 };
  gboolean          done = FALSE;

  for (gsize i = 0; i < G_N_ELEMENTS (counts) && ! done; i++)
    {
      gchar *picture = output_path (folder, path, 0, counts[i], ".png");

      done = isolux_is_newer (picture, path);
      g_free (picture);
    }
  return done;
}

static void
enhance_all (GimpProcedureConfig *config,
             GPtrArray           *paths,
             const gchar         *folder,
             Outcome             *outcome,
             GError             **error)
{
  gboolean values, keep;
  gchar   *kind;

  g_object_get (config, "values", &values, "keep-existing", &keep, "kind",
                &kind, NULL);
  for (guint i = 0; i < paths->len; i++)
    {
      GError         *failure = NULL;
      IsoluxPipeline *pipeline;

      if (keep && is_done (paths->pdata[i], folder))
        {
          g_ptr_array_add (outcome->present, g_strdup (paths->pdata[i]));
          continue;
        }
      /* a new one for each: a measured window belongs to its file */
      pipeline = isolux_pipeline_new (config, error);
      if (! pipeline)
        break;
      if (! enhance_file (pipeline, paths->pdata[i], folder, kind, values,
                          outcome, &failure))
        {
          add_failure (outcome, paths->pdata[i], failure);
          g_clear_error (&failure);
        }
      isolux_pipeline_free (pipeline);
      gimp_progress_update ((i + 1.0) / paths->len);
    }
  g_free (kind);
  if (outcome->n_failed > 0 && ! *error)
    g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                 _("%u of %u files could not be enhanced:\n%s"),
                 outcome->n_failed, paths->len, outcome->failed->str);
}

static void
add_paths (JsonBuilder *builder, const gchar *name, GPtrArray *paths)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; i < paths->len; i++)
    {
      gchar *text = g_filename_display_name (paths->pdata[i]);

      json_builder_add_string_value (builder, text);
      g_free (text);
    }
  json_builder_end_array (builder);
}

static gchar *
to_json (const Outcome *outcome)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_paths (builder, "written", outcome->written);
  add_paths (builder, "kept", outcome->present);
  json_builder_end_object (builder);
  return isolux_json_end (builder);
}

/* The files and the folder of a call; NULL and @error */
static GPtrArray *
read_files (GimpProcedureConfig *config, gchar **output, GError **error)
{
  GPtrArray *paths = isolux_series_paths (config, error);
  GFile     *folder = NULL;
  gchar     *clash = NULL;

  *output = NULL;
  if (! paths)
    return NULL;
  g_object_get (config, "output", &folder, NULL);
  if (folder)
    *output = g_file_get_path (folder);
  g_clear_object (&folder);

  if (! *output || g_mkdir_with_parents (*output, 0755))
    g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                         _("There is no folder for the pictures (\"output\"), "
                           "and it cannot be made."));
  else if ((clash = find_clash (paths)))
    g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                 _("The picture of \"%s\" would take the place of another "
                   "file's: names differ in more than their endings."),
                 clash);
  else
    return paths;

  g_free (clash);
  g_clear_pointer (output, g_free);
  g_ptr_array_unref (paths);
  return NULL;
}

static GimpValueArray *
run_files (GimpProcedure       *procedure,
           GimpProcedureConfig *config,
           gpointer             run_data)
{
  Outcome         outcome = { 0 };
  GimpValueArray *values;
  GError         *error = NULL;
  gchar          *folder;
  GPtrArray      *paths = read_files (config, &folder, &error);

  if (! paths)
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CALLING_ERROR,
                                             error);

  outcome.written = g_ptr_array_new_with_free_func (g_free);
  outcome.present = g_ptr_array_new_with_free_func (g_free);
  outcome.failed = g_string_new (NULL);
  enhance_all (config, paths, folder, &outcome, &error);
  values = gimp_procedure_new_return_values (procedure,
                                             error ? GIMP_PDB_EXECUTION_ERROR
                                                   : GIMP_PDB_SUCCESS,
                                             error);
  if (! error)
    g_value_take_string (gimp_value_array_index (values, 1),
                         to_json (&outcome));

  g_string_free (outcome.failed, TRUE);
  g_ptr_array_unref (outcome.present);
  g_ptr_array_unref (outcome.written);
  g_ptr_array_unref (paths);
  g_free (folder);
  return values;
}

GimpProcedure *
isolux_enhance_files_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_procedure_new (plug_in, ISOLUX_ENHANCE_FILES_PROCEDURE,
                        GIMP_PDB_PROC_TYPE_PLUGIN, run_files, NULL, NULL);
  GString *taken = g_string_new (ISOLUX_TAKEN_MNEMONICS);

  gimp_procedure_set_documentation (
    procedure, _("Make pictures of files: a window, then CLAHE"),
    _("Opens files one after the other, does with all of their layers what "
      "plug-in-isolux-enhance does, and writes what comes out as PNG files of "
      "8 bits, under the files' names, into a folder; with \"values\" also "
      "the values, 16-bit PNG files whose comment says what they stand for. "
      "A file that fails does not stop the others; the error then names all "
      "that failed. Returns a JSON object with the paths of what was "
      "\"written\", and of the files whose pictures were \"kept\"."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  isolux_series_add_arguments (procedure);
  gimp_procedure_add_file_argument (procedure, "output", _("_Output"),
                                    _("The folder for the pictures"),
                                    GIMP_FILE_CHOOSER_ACTION_CREATE_FOLDER,
                                    TRUE, NULL, G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (procedure, "kind", _("_Kind"),
                                      _("What the values of the files are, "
                                        "where they do not say it: a \"kind\" "
                                        "of plug-in-isolux-set-values"),
                                      "", G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "values", _("_Values"),
                                       _("Write the values, too"), FALSE,
                                       G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "keep-existing",
                                       _("_Keep pictures"),
                                       _("Leave out files whose first picture "
                                         "is there and not older, so that a "
                                         "call can be taken up again"),
                                       FALSE, G_PARAM_READWRITE);
  isolux_pipeline_add_arguments (procedure, taken);
  gimp_procedure_add_string_return_value (procedure, "json", _("JSON"),
                                          _("What was written"), NULL,
                                          G_PARAM_READWRITE);
  g_string_free (taken, TRUE);
  return procedure;
}
