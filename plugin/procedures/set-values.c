/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * set-values.c: the procedure that says what the codes of drawables stand
 * for.  GIMP adds 32768 to signed TIFF, for example, and tells nobody.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "drawable-values.h"
#include "set-values.h"
#include "simple-dialog.h"

#define KIND_CUSTOM "custom"
#define KIND_CLEAR "clear"
#define KIND_COMMENT "comment"

static const IsoluxWord kinds[] = {
  { KIND_CUSTOM, N_("As given below") },
  { "signed-16", N_("16-bit signed TIFF") },
  { "signed-16-hu", N_("16-bit signed TIFF in Hounsfield units") },
  { "unsigned-1024-hu", N_("Hounsfield units, 1024 added") },
  { "hu", N_("Hounsfield units as they are (floating point)") },
  { KIND_COMMENT, N_("What Isolux wrote into the file") },
  { KIND_CLEAR, N_("Nothing: codes are codes") },
  { NULL, NULL },
};

/* What the kinds stand for; codes: 0 any, else the image must have these */
static const struct
{
  const gchar *kind;
  gdouble      slope;
  gdouble      intercept;
  const gchar *unit;
  gdouble      codes;
} meanings[] = {
  { "signed-16", 1.0, -32768.0, "", 65535.0 },
  { "signed-16-hu", 1.0, -32768.0, "HU", 65535.0 },
  { "unsigned-1024-hu", 1.0, -1024.0, "HU", 65535.0 },
  { "hu", 1.0, 0.0, "HU", 0.0 },
};

static const IsoluxRow rows[] = {
  { "kind", kinds, NULL, NULL },
  { "slope", NULL, "kind", KIND_CUSTOM },
  { "intercept", NULL, "kind", KIND_CUSTOM },
  { "unit", NULL, "kind", KIND_CUSTOM },
  { "use-padding-value", NULL, NULL, NULL },
  { "padding-value", NULL, NULL, NULL },
  { NULL, NULL, NULL, NULL },
};

/* ---- Arguments ---------------------------------------------------- */

static gboolean
check_custom (const IsoluxRealValues *values, const gchar *unit, GError **error)
{
  if (values->slope == 0.0)
    g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                         _("A slope of 0 would make all values the same."));
  else if (strlen (unit) >= sizeof values->unit)
    g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                 _("The unit is too long: %zu bytes are possible."),
                 sizeof values->unit - 1);
  else if (strpbrk (unit, "\r\n"))
    g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                         _("A unit has one line."));
  else
    return TRUE;
  return FALSE;
}

/* What a kind stands for; FALSE: it is none of those that say it all.
 * @success: FALSE, with @error, when the codes are no such ones */
static gboolean
find_meaning (const gchar      *kind,
              IsoluxRealValues *values,
              gboolean         *success,
              GError          **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
    if (! strcmp (kind, meanings[i].kind))
      {
        values->slope = meanings[i].slope;
        values->intercept = meanings[i].intercept;
        g_strlcpy (values->unit, meanings[i].unit, sizeof values->unit);
        if (meanings[i].codes > 0.0 && meanings[i].codes != values->codes)
          {
            g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                                 _("Only images of 16 bits hold such values, "
                                   "and this one is of another precision."));
            *success = FALSE;
          }
        return TRUE;
      }
  return FALSE;
}

/* What the arguments say; @clear: that there is nothing to say */
static gboolean
read_arguments (GimpProcedureConfig *config,
                GimpDrawable        *drawable,
                IsoluxRealValues    *values,
                gboolean            *clear,
                GError             **error)
{
  const gdouble codes = isolux_drawable_get_codes (drawable);
  gchar        *kind, *unit;
  gboolean      success = TRUE;

  isolux_real_values_init (values);
  g_object_get (config, "kind", &kind, "slope", &values->slope, "intercept",
                &values->intercept, "unit", &unit, "use-padding-value",
                &values->has_padding, "padding-value", &values->padding, NULL);
  *clear = ! strcmp (kind, KIND_CLEAR);
  if (! unit)
    unit = g_strdup ("");
  g_strstrip (unit);
  values->codes = codes;
  g_strlcpy (values->precision, isolux_drawable_get_precision (drawable),
             sizeof values->precision);

  if (find_meaning (kind, values, &success, error))
    {
      g_free (unit);
      unit = g_strdup (values->unit);
    }

  if (! values->has_padding)
    values->padding = 0.0;
  if (success && ! *clear)
    success = check_custom (values, unit, error);
  g_strlcpy (values->unit, unit, sizeof values->unit);
  g_free (unit);
  g_free (kind);
  return success;
}

/* The dialog begins with what the drawable says now, where that is said of the
 * codes as they are */
static void
fill_arguments (GimpProcedureConfig *config, GimpDrawable *drawable)
{
  const gchar     *precision = isolux_drawable_get_precision (drawable);
  gchar           *text = isolux_drawable_get_values_text (drawable);
  IsoluxRealValues values;

  if (text && isolux_drawable_get_values (drawable, &values, NULL) &&
      isolux_real_values_bent (&values, precision) == ISOLUX_ENCODING_UNKNOWN &&
      (isolux_real_values_are_real (&values) || values.has_padding))
    g_object_set (config, "kind", KIND_CUSTOM, "slope", values.slope,
                  "intercept", values.intercept, "unit", values.unit,
                  "use-padding-value", values.has_padding, "padding-value",
                  values.padding, NULL);
  g_free (text);
}

/* ---- Attaching ---------------------------------------------------- */

static gchar *
set_keys (gchar *text, const IsoluxRealValues *values)
{
  static const gchar *const keys[] = { "slope",   "intercept", "unit",
                                       "padding", "codes",     "precision" };
  gchar                    *fresh = isolux_real_values_to_text (values);

  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gchar *value = isolux_real_values_get_key (fresh, keys[i]);
      gchar *next = isolux_real_values_set_key (text, keys[i], value);

      g_free (value);
      g_free (text);
      text = next;
    }
  g_free (fresh);
  return text;
}

/* Lines that are not about what codes stand for stay, where they can be read
 * at all */
static void
attach (GimpDrawable *drawable, const IsoluxRealValues *values)
{
  gchar           *text = isolux_drawable_get_values_text (drawable);
  IsoluxRealValues old;

  if (! isolux_real_values_parse (text, &old))
    g_clear_pointer (&text, g_free);
  text = set_keys (text, values);
  isolux_drawable_set_values (drawable, text);
  g_free (text);
}

gboolean
isolux_set_values_of_kind (GimpDrawable **layers,
                           const gchar   *kind,
                           GError       **error)
{
  IsoluxRealValues values;
  gboolean         success = TRUE;

  if (! layers[0])
    return TRUE;
  isolux_real_values_init (&values);
  values.codes = isolux_drawable_get_codes (layers[0]);
  g_strlcpy (values.precision, isolux_drawable_get_precision (layers[0]),
             sizeof values.precision);
  if (! find_meaning (kind, &values, &success, error))
    {
      GString *words = g_string_new (NULL);

      for (gsize i = 0; i < G_N_ELEMENTS (meanings); i++)
        g_string_append_printf (words, "%s\"%s\"", i ? ", " : "",
                                meanings[i].kind);
      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("\"%s\" is no value of the argument \"%s\". There "
                     "are: %s."),
                   kind, "kind", words->str);
      g_string_free (words, TRUE);
      return FALSE;
    }
  for (; success && *layers; layers++)
    attach (*layers, &values);
  return success;
}

static gboolean
is_comment (GimpProcedureConfig *config)
{
  gchar   *kind;
  gboolean comment;

  g_object_get (config, "kind", &kind, NULL);
  comment = ! g_strcmp0 (kind, KIND_COMMENT);
  g_free (kind);
  return comment;
}

static GimpValueArray *
run (GimpProcedure       *procedure,
     GimpRunMode          run_mode,
     GimpImage           *image,
     GimpDrawable       **drawables,
     GimpProcedureConfig *config,
     gpointer             run_data)
{
  IsoluxRealValues values;
  GError          *error = NULL;
  gboolean         clear;

  if (! drawables || ! drawables[0])
    {
      g_set_error_literal (&error, GIMP_PLUG_IN_ERROR, 0,
                           _("There is no layer, channel or mask to work "
                             "on."));
      return gimp_procedure_new_return_values (procedure,
                                               GIMP_PDB_CALLING_ERROR, error);
    }

  if (run_mode == GIMP_RUN_INTERACTIVE)
    {
      fill_arguments (config, drawables[0]);
      if (! isolux_simple_dialog_run (procedure, config,
                                      _("Isolux Set Values"), rows))
        return gimp_procedure_new_return_values (procedure, GIMP_PDB_CANCEL,
                                                 NULL);
    }

  if (! isolux_check_row_words (config, rows, &error) ||
      ! read_arguments (config, drawables[0], &values, &clear, &error))
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CALLING_ERROR,
                                             error);

  if (is_comment (config))
    {
      if (isolux_image_adopt_comment (image))
        return gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS,
                                                 NULL);
      g_set_error_literal (&error, GIMP_PLUG_IN_ERROR, 0,
                           _("The file that this image comes from says "
                             "nothing about its values, or the image has "
                             "taken it over already."));
      return gimp_procedure_new_return_values (procedure,
                                               GIMP_PDB_CALLING_ERROR, error);
    }

  gimp_image_undo_group_start (image);
  for (gint i = 0; drawables[i]; i++)
    if (clear)
      isolux_drawable_set_values (drawables[i], NULL);
    else
      attach (drawables[i], &values);
  gimp_image_undo_group_end (image);
  return gimp_procedure_new_return_values (procedure, GIMP_PDB_SUCCESS, NULL);
}

GimpProcedure *
isolux_set_values_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_image_procedure_new (plug_in, ISOLUX_SET_VALUES_PROCEDURE,
                              GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);
  gchar *help;

  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                         GIMP_PROCEDURE_SENSITIVE_DRAWABLES);
  gimp_procedure_set_menu_label (procedure, _("Set _Values..."));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Isolux");
  gimp_procedure_set_icon_name (procedure, GIMP_ICON_HISTOGRAM);
  gimp_procedure_set_documentation (
    procedure, _("Say what the values of layers stand for"),
    _("Attaches to layers what their codes stand for: value = slope x code + "
      "intercept, in a unit, and a value that is padding and does not count. "
      "Windows, histograms and comparisons of Isolux are then in that unit. "
      "No pixel changes. Files of 16-bit signed TIFF need it, since GIMP "
      "adds 32768 to them without a note. It is kept in XCF files, as the "
      "parasite \"isolux-values\", and taken away when values become a "
      "picture."),
    NULL);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  help = isolux_describe_words (_("What the values are"), kinds);
  gimp_procedure_add_string_argument (procedure, "kind", _("_Kind"), help,
                                      KIND_CUSTOM, G_PARAM_READWRITE);
  g_free (help);
  gimp_procedure_add_double_argument (procedure, "slope", _("_Slope"),
                                      _("How much a value grows from one code "
                                        "to the next; below 0 large codes are "
                                        "small values. In floating point, a "
                                        "code is the number itself"),
                                      -1e9, 1e9, 1.0, G_PARAM_READWRITE);
  gimp_procedure_add_double_argument (procedure, "intercept", _("_Intercept"),
                                      _("The value of code 0"), -1e9, 1e9, 0.0,
                                      G_PARAM_READWRITE);
  gimp_procedure_add_string_argument (procedure, "unit", _("_Unit"),
                                      _("What values are counted in: HU, for "
                                        "example. It decides which presets "
                                        "fit"),
                                      "", G_PARAM_READWRITE);
  gimp_procedure_add_boolean_argument (procedure, "use-padding-value",
                                       _("Lea_ve out a padding value"),
                                       _("Whether pixels of one value are no "
                                         "part of the picture and do not "
                                         "count"),
                                       FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_double_argument (procedure, "padding-value",
                                      _("_Padding value"),
                                      _("That value, in the unit"), -1e9, 1e9,
                                      0.0, G_PARAM_READWRITE);
  return procedure;
}
