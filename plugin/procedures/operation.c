/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * operation.c: procedures that apply an operation to drawables.
 *
 * One row in a table makes a procedure; its arguments come from the
 * operation's properties.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "arguments.h"
#include "dialog.h"
#include "operation.h"
#include "target.h"
#include "vector.h"

/*
 * Operation: what a procedure cannot learn from the properties
 * @procedure: its name
 * @operation: the GEGL operation
 * @label: in the menu
 * @name: of the dialog
 * @title: of the filter
 * @icon: the name of one of GIMP's icons
 * @blurb: one sentence
 * @help: some more
 * @check: (nullable): refuses arguments that do not fit each other
 * @has_vector: whether it can return the vector of the picture, see vector.h
 */
typedef struct
{
  const gchar *procedure;
  const gchar *operation;
  const gchar *label;
  const gchar *name;
  const gchar *title;
  const gchar *icon;
  const gchar *blurb;
  const gchar *help;
  gboolean (*check) (GimpProcedureConfig *config, GError **error);
  gboolean has_vector;
} Operation;

static gboolean
check_percentiles (GimpProcedureConfig *config, GError **error)
{
  gchar   *mode;
  gdouble  low;
  gdouble  high;
  gboolean wrong;

  g_object_get (config, "mode", &mode, "low-percentile", &low,
                "high-percentile", &high, NULL);
  wrong = ! g_strcmp0 (mode, "percentile") && low >= high;
  g_free (mode);
  if (wrong)
    g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                         _("The low percentile must be less than the high "
                           "one."));
  return ! wrong;
}

static const Operation operations[] = {
  { "plug-in-isolux-grayscale", "isolux:grayscale", N_("_Grayscale..."),
    N_("Grayscale"), N_("Isolux Grayscale"), GIMP_ICON_CONVERT_GRAYSCALE,
    N_("Make colors gray by a method of choice"),
    N_("Replaces the colors of layers by grays of the chosen method: luma "
       "(weighted sums of the encoded values), luminance, CIE lightness, "
       "average or maximum. The image stays an RGB image; layers that are "
       "gray already, channels and masks stay as they are. Precision, "
       "color profile and alpha are kept.") },
  { "plug-in-isolux-equalize", "isolux:equalize", N_("_Equalize..."),
    N_("Equalize"), N_("Isolux Equalize"), GIMP_ICON_HISTOGRAM,
    N_("Spread the values evenly over the whole range"),
    N_("Equalizes the histogram of layers, channels and masks, so that each "
       "range of values is used by about as many pixels. Of colors either "
       "the luma is equalized, and hues stay, or each channel by itself. A "
       "clip limit makes the effect gentler. Only what is selected and not "
       "fully transparent counts and is changed; it is computed at the full "
       "precision of the image, 16-bit values with up to 65536 bins.") },
  { "plug-in-isolux-clahe", "isolux:clahe", N_("_CLAHE..."), N_("CLAHE"),
    N_("Isolux CLAHE"), GIMP_ICON_HISTOGRAM,
    N_("Bring out local contrast, up to a limit"),
    N_("Contrast-limited adaptive histogram equalization: equalizes the "
       "histograms of tiles, with a smooth change from tile to tile and a "
       "limit to how much contrast may grow. 8-bit gray images come out as "
       "by OpenCV's createCLAHE; deeper ones use as many bins as they have "
       "significant levels and the tiles have pixels for. Only what is "
       "selected, not fully transparent and not of the padding value counts "
       "and is changed.") },
  { "plug-in-isolux-window", "isolux:window", N_("_Window/Level..."),
    N_("Window/Level"), N_("Isolux Window"), GIMP_ICON_TOOL_LEVELS,
    N_("Stretch a range of values over the whole range"),
    N_("Makes a range of values the whole range from black to white: one "
       "that is given by center and width in the units of the layer, that "
       "between two percentiles, or all values in use. 12-bit images in "
       "16-bit files are no longer black. Only what is selected and not "
       "fully transparent counts and is changed."),
    .check = check_percentiles },
  { "plug-in-isolux-contrast-map", "isolux:contrast-map",
    N_("Contrast _Map..."), N_("Contrast Map"), N_("Isolux Contrast Map"),
    GIMP_ICON_HISTOGRAM, N_("Picture how much local contrast there is where"),
    N_("Replaces the pixels by a map of local contrast: the entropy, the "
       "standard deviation or the range of the values of tiles, interpolated "
       "in between, in shades of gray or, in RGB images, colors. Only what "
       "is selected and not fully transparent counts and is changed.") },
  { "plug-in-isolux-lbp", "isolux:lbp", N_("Local _Binary Patterns..."),
    N_("Local Binary Patterns"), N_("Isolux Local Binary Patterns"),
    GIMP_ICON_GRID, N_("Picture the texture by local binary patterns"),
    N_("Replaces each pixel by the code that tells which neighbors on a "
       "circle are at least as bright, as "
       "skimage.feature.local_binary_pattern computes it, scaled to the "
       "range of values: the largest code becomes white. Color images are "
       "looked at by their luma. Only what is selected and not fully "
       "transparent is changed.") },
  { "plug-in-isolux-hog", "isolux:hog", N_("_HOG Picture..."), N_("HOG"),
    N_("Isolux HOG Picture"), GIMP_ICON_GRID,
    N_("Picture histograms of oriented gradients"),
    N_("Replaces the pixels by a picture of which way edges run: a star of "
       "lines or the dominant orientation of each cell, or the strength of "
       "the gradient. Scripts can have the normalized vector, the same as "
       "skimage.feature.hog gives, returned as JSON or written to a file, "
       "with or without drawing; it is that of the bounding box of the "
       "selection in a single drawable."),
    .has_vector = TRUE },
};

/* What the help of each procedure ends with */
#define COMMON_HELP                                                         \
  N_("With \"non-destructive\", layers keep the effect as a filter that "  \
      "can be edited later; layer groups always do, channels and masks "    \
      "never. All drawables are changed in one undo step, or, when one of " \
      "them cannot be, none. With \"audit\", a merged result gets a "       \
      "parasite \"isolux\", a JSON object that tells what was done and "    \
      "has SHA-256 checksums of the pixels before and after.")

static const Operation *
find_operation (const gchar *procedure)
{
  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    if (! strcmp (operations[i].procedure, procedure))
      return operations + i;
  return NULL;
}

const gchar *const *
isolux_operation_names (void)
{
  static const gchar *names[G_N_ELEMENTS (operations) + 1];

  for (guint i = 0; i < G_N_ELEMENTS (operations); i++)
    names[i] = operations[i].procedure;
  return names;
}

/* ---- Arguments ---------------------------------------------------- */

static void
add_arguments (GimpProcedure *procedure, const gchar *operation)
{
  GString *taken = g_string_new (ISOLUX_TAKEN_MNEMONICS);
  gchar   *nick;

  isolux_add_arguments (procedure, operation, taken);

  nick = isolux_with_mnemonic (_("Non-destructive"), taken);
  gimp_procedure_add_boolean_argument (procedure, ISOLUX_NON_DESTRUCTIVE, nick,
                                       _("Keep the effect as a filter on the "
                                         "layer instead of changing its "
                                         "pixels"),
                                       FALSE, G_PARAM_READWRITE);
  g_free (nick);

  nick = isolux_with_mnemonic (_("Audit"), taken);
  gimp_procedure_add_boolean_argument (procedure, ISOLUX_AUDIT, nick,
                                       _("Attach a record to the layer: a "
                                         "parasite with operation, "
                                         "parameters, version, device and "
                                         "checksums of the pixels before and "
                                         "after"),
                                       FALSE, G_PARAM_READWRITE);
  g_free (nick);

  nick = isolux_with_mnemonic (_("Preview"), taken);
  gimp_procedure_add_boolean_aux_argument (procedure, ISOLUX_PREVIEW, nick,
                                           _("Show the effect in the image "
                                             "while the dialog is open"),
                                           TRUE, G_PARAM_READWRITE);
  g_free (nick);

  g_string_free (taken, TRUE);
}

/* ---- Running ------------------------------------------------------ */

/* A window takes the place of those that are there */
static gboolean
replace_windows (GPtrArray *targets, const IsoluxEffect *effect, GError **error)
{
  for (guint i = 0; i < targets->len; i++)
    if (! strcmp (effect->operation, "isolux:window") &&
        ! isolux_target_replace_windows (targets->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* Looks at the arguments and the drawables; the targets, or NULL and @error */
static GPtrArray *
check (GimpRunMode         run_mode,
       GimpImage          *image,
       GimpDrawable      **drawables,
       const Operation    *operation,
       const IsoluxEffect *effect,
       GError            **error)
{
  gboolean   strict = (run_mode == GIMP_RUN_NONINTERACTIVE);
  gboolean   non_destructive;
  gboolean   audit;
  GPtrArray *targets;

  if (operation->check && ! operation->check (effect->config, error))
    return NULL;

  g_object_get (effect->config, ISOLUX_NON_DESTRUCTIVE, &non_destructive,
                ISOLUX_AUDIT, &audit, NULL);
  targets =
    isolux_targets_new (image, drawables, non_destructive, strict, error);
  if (targets && ! replace_windows (targets, effect, error))
    g_clear_pointer (&targets, g_ptr_array_unref);
  for (guint i = 0; targets && strict && audit && i < targets->len; i++)
    if (! ((IsoluxTarget *) targets->pdata[i])->merge)
      {
        g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                             _("A record needs a result that is merged: a "
                               "filter or a layer group cannot have one."));
        g_clear_pointer (&targets, g_ptr_array_unref);
      }
  return targets;
}

/* The vector for scripts, before anything is changed; @json is NULL when
 * none is asked for. */
static gboolean
make_vector (GimpImage           *image,
             GimpDrawable       **drawables,
             GimpProcedureConfig *config,
             gchar              **json,
             GError             **error)
{
  IsoluxTarget *target;
  gboolean      success;
  gint          n;

  if (! isolux_vector_wanted (config))
    return TRUE;

  n = drawables ? gimp_core_object_array_get_length ((GObject **) drawables)
                : 0;
  if (n != 1)
    {
      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("A vector is made of exactly one drawable, not of %d."),
                   n);
      return FALSE;
    }

  target = isolux_target_new (image, drawables[0], error);
  success = target && isolux_vector_make (target, config, json, error);
  g_clear_pointer (&target, isolux_target_free);
  return success;
}

/* Lets people choose the settings.  What is in the way is said in words of
 * its own, and is then no error any more: the call counts as cancelled. */
static gboolean
run_dialog (GimpProcedure      *procedure,
            GimpImage          *image,
            GimpDrawable      **drawables,
            const Operation    *operation,
            const IsoluxEffect *effect,
            gint64              began,
            GPtrArray         **targets)
{
  GError  *error = NULL;
  gboolean non_destructive;
  gboolean ok = FALSE;

  g_object_get (effect->config, ISOLUX_NON_DESTRUCTIVE, &non_destructive, NULL);
  *targets = isolux_targets_look (image, drawables, non_destructive, &error);
  if (*targets && ! replace_windows (*targets, effect, &error))
    g_clear_pointer (targets, g_ptr_array_unref);
  if (*targets)
    {
      ok = isolux_dialog_run (procedure, _ (operation->name), image, *targets,
                              effect, began);
      g_clear_pointer (targets, g_ptr_array_unref);
    }
  /* settings are others now, and the image may be */
  if (ok)
    *targets =
      check (GIMP_RUN_INTERACTIVE, image, drawables, operation, effect, &error);
  if (error)
    {
      isolux_refusal_run (_ (operation->name), image, drawables, error);
      g_clear_error (&error);
    }
  return *targets != NULL;
}

static gboolean
run_steps (GimpProcedure      *procedure,
           GimpRunMode         run_mode,
           GimpImage          *image,
           GimpDrawable      **drawables,
           const Operation    *operation,
           const IsoluxEffect *effect,
           gint64              began,
           gchar             **json,
           GimpPDBStatusType  *status,
           GError            **error)
{
  gboolean interactive = (run_mode == GIMP_RUN_INTERACTIVE);
  gboolean scripted = operation->has_vector &&
                      run_mode == GIMP_RUN_NONINTERACTIVE;
  gboolean   draw = TRUE;
  GPtrArray *targets = NULL;
  gboolean   success;

  *status = GIMP_PDB_CALLING_ERROR;
  if (! isolux_check_words (effect->config, effect->operation, interactive,
                            error))
    return FALSE;

  if (scripted)
    g_object_get (effect->config, "draw", &draw, NULL);
  if (interactive)
    {
      if (! run_dialog (procedure, image, drawables, operation, effect, began,
                        &targets))
        {
          *status = GIMP_PDB_CANCEL;
          return FALSE;
        }
    }
  else if (draw)
    {
      targets = check (run_mode, image, drawables, operation, effect, error);
      if (! targets)
        return FALSE;
    }

  if (scripted && ! make_vector (image, drawables, effect->config, json, error))
    {
      g_clear_pointer (&targets, g_ptr_array_unref);
      return FALSE;
    }
  if (! draw)
    return TRUE;

  *status = GIMP_PDB_EXECUTION_ERROR;
  success = isolux_targets_apply (image, targets, effect, error);
  g_ptr_array_unref (targets);
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
  const Operation *operation = run_data;
  IsoluxEffect effect = { operation->operation, _ (operation->title), config };
  GimpPDBStatusType status = GIMP_PDB_SUCCESS;
  GimpValueArray   *values;
  gint64            began = g_get_monotonic_time ();
  gchar            *json = NULL;
  GError           *error = NULL;

  if (run_steps (procedure, run_mode, image, drawables, operation, &effect,
                 began, &json, &status, &error))
    status = GIMP_PDB_SUCCESS;

  values = gimp_procedure_new_return_values (procedure, status, error);
  if (operation->has_vector && status == GIMP_PDB_SUCCESS)
    g_value_set_string (gimp_value_array_index (values, 1), json ? json : "");
  g_free (json);
  return values;
}

GimpProcedure *
isolux_operation_create (GimpPlugIn *plug_in, const gchar *name)
{
  const Operation *operation = find_operation (name);
  GimpProcedure   *procedure;
  gchar           *help;

  if (! operation)
    return NULL;

  procedure = gimp_image_procedure_new (plug_in, name,
                                        GIMP_PDB_PROC_TYPE_PLUGIN, run,
                                        (gpointer) operation, NULL);
  /* what it cannot work on it refuses, and says what to do about it */
  gimp_procedure_set_image_types (procedure, "*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                         GIMP_PROCEDURE_SENSITIVE_DRAWABLES |
                                         GIMP_PROCEDURE_SENSITIVE_NO_DRAWABLES);
  gimp_procedure_set_menu_label (procedure, _ (operation->label));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Isolux");
  gimp_procedure_set_icon_name (procedure, operation->icon);

  help = g_strdup_printf ("%s\n\n%s", _ (operation->help), _ (COMMON_HELP));
  /* the dialog opens the help itself */
  gimp_procedure_set_documentation (procedure, _ (operation->blurb), help,
                                    NULL);
  g_free (help);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");
  add_arguments (procedure, operation->operation);
  if (operation->has_vector)
    isolux_vector_add_arguments (procedure);
  return procedure;
}
