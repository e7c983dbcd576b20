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

#include "dialog.h"
#include "operation.h"
#include "parameters.h"
#include "target.h"

/*
 * Operation: what a procedure cannot learn from the properties
 * @procedure: its name
 * @operation: the GEGL operation
 * @label: in the menu
 * @title: of the dialog and of the filter
 * @icon: the name of one of GIMP's icons
 * @blurb: one sentence
 * @help: some more
 */
typedef struct
{
  const gchar *procedure;
  const gchar *operation;
  const gchar *label;
  const gchar *title;
  const gchar *icon;
  const gchar *blurb;
  const gchar *help;
} Operation;

static const Operation operations[] = {
  { "plug-in-isolux-grayscale", "isolux:grayscale", N_("_Grayscale..."),
    N_("Isolux Grayscale"), GIMP_ICON_CONVERT_GRAYSCALE,
    N_("Make colors gray by a method of choice"),
    N_("Replaces the colors of layers by grays of the chosen method: luma "
       "(weighted sums of the encoded values), luminance, CIE lightness, "
       "average or maximum. The image stays an RGB image; layers that are "
       "gray already, channels and masks stay as they are. Precision, "
       "color profile and alpha are kept.") },
  { "plug-in-isolux-equalize", "isolux:equalize", N_("_Equalize..."),
    N_("Isolux Equalize"), GIMP_ICON_HISTOGRAM,
    N_("Spread the values evenly over the whole range"),
    N_("Equalizes the histogram of layers, channels and masks, so that each "
       "range of values is used by about as many pixels. Of colors either "
       "the luma is equalized, and hues stay, or each channel by itself. A "
       "clip limit makes the effect gentler. Only what is selected and not "
       "fully transparent counts and is changed; it is computed at the full "
       "precision of the image, 16-bit values with up to 65536 bins.") },
};

/* What the help of each procedure ends with */
#define COMMON_HELP                                                         \
  N_("With \"non-destructive\", layers keep the effect as a filter that "  \
      "can be edited later; layer groups always do, channels and masks "    \
      "never. All drawables are changed in one undo step, or, when one of " \
      "them cannot be, none.")

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

/* A label with a mnemonic: the first letter of a word, or else any letter,
 * that is not in @taken yet, which gets it. */
static gchar *
with_mnemonic (const gchar *label, GString *taken)
{
  for (gint pass = 0; pass < 2; pass++)
    {
      gboolean starts = TRUE;

      for (const gchar *at = label; *at; at++)
        {
          gchar letter = g_ascii_tolower (*at);

          if (g_ascii_isalpha (*at) && (starts || pass == 1) &&
              ! memchr (taken->str, letter, taken->len))
            {
              g_string_append_c (taken, letter);
              return g_strdup_printf ("%.*s_%s", (int) (at - label), label, at);
            }
          starts = (*at == ' ');
        }
    }
  return g_strdup (label);
}

/* "word", "word", "word" */
static gchar *
list_words (const IsoluxParameter *parameter)
{
  GString *text = g_string_new (NULL);

  for (const IsoluxWord *word = parameter->words; word->word; word++)
    g_string_append_printf (text, "%s\"%s\"",
                            word == parameter->words ? "" : ", ", word->word);
  return g_string_free (text, FALSE);
}

/*
 * A choice is a string here, not GIMP's own choice type: of that, an unknown
 * word becomes the default before anybody can object to it.
 */
static void
add_argument (GimpProcedure         *procedure,
              const IsoluxParameter *parameter,
              GString               *taken)
{
  gchar       *nick = with_mnemonic (_ (parameter->nick), taken);
  const gchar *blurb = _ (parameter->blurb);
  gchar       *words;
  gchar       *help;

  switch (parameter->type)
    {
      case ISOLUX_PARAMETER_CHOICE:
        words = list_words (parameter);
        help = g_strdup_printf ("%s (%s)", blurb, words);
        gimp_procedure_add_string_argument (procedure, parameter->name, nick,
                                            help, parameter->word,
                                            G_PARAM_READWRITE);
        g_free (help);
        g_free (words);
        break;

      case ISOLUX_PARAMETER_DOUBLE:
        gimp_procedure_add_double_argument (procedure, parameter->name, nick,
                                            blurb, parameter->minimum,
                                            parameter->maximum,
                                            parameter->value,
                                            G_PARAM_READWRITE);
        break;

      case ISOLUX_PARAMETER_INT:
        gimp_procedure_add_int_argument (procedure, parameter->name, nick,
                                         blurb, (gint) parameter->minimum,
                                         (gint) parameter->maximum,
                                         (gint) parameter->value,
                                         G_PARAM_READWRITE);
        break;

      case ISOLUX_PARAMETER_BOOLEAN:
        gimp_procedure_add_boolean_argument (procedure, parameter->name, nick,
                                             blurb, parameter->value != 0.0,
                                             G_PARAM_READWRITE);
        break;
    }

  g_free (nick);
}

static void
add_arguments (GimpProcedure *procedure, const gchar *operation)
{
  /* the mnemonics of the dialog's own buttons: OK, Cancel, Reset, Load,
   * Save, Help */
  GString               *taken = g_string_new ("ocrlsh");
  const IsoluxParameter *parameter = isolux_parameters (operation);
  gchar                 *nick;

  for (; parameter->name; parameter++)
    add_argument (procedure, parameter, taken);

  nick = with_mnemonic (_("Non-destructive"), taken);
  gimp_procedure_add_boolean_argument (procedure, ISOLUX_NON_DESTRUCTIVE, nick,
                                       _("Keep the effect as a filter on the "
                                         "layer instead of changing its "
                                         "pixels"),
                                       FALSE, G_PARAM_READWRITE);
  g_free (nick);

  nick = with_mnemonic (_("Preview"), taken);
  gimp_procedure_add_boolean_aux_argument (procedure, ISOLUX_PREVIEW, nick,
                                           _("Show the effect in the image "
                                             "while the dialog is open"),
                                           TRUE, G_PARAM_READWRITE);
  g_free (nick);

  g_string_free (taken, TRUE);
}

static gboolean
is_word (const IsoluxParameter *parameter, const gchar *text)
{
  for (const IsoluxWord *word = parameter->words; word->word; word++)
    if (! g_strcmp0 (word->word, text))
      return TRUE;
  return FALSE;
}

/* Checks the words; GIMP has checked the numbers.  With @repair, an unknown
 * one (from a settings file) becomes the default, else it is refused. */
static gboolean
check_words (GimpProcedureConfig *config,
             const gchar         *operation,
             gboolean             repair,
             GError             **error)
{
  const IsoluxParameter *parameter = isolux_parameters (operation);
  gboolean               success = TRUE;

  for (; parameter->name && success; parameter++)
    {
      gchar *text;

      if (parameter->type != ISOLUX_PARAMETER_CHOICE)
        continue;

      g_object_get (config, parameter->name, &text, NULL);
      if (is_word (parameter, text))
        ;
      else if (repair)
        g_object_set (config, parameter->name, parameter->word, NULL);
      else
        {
          gchar *words = list_words (parameter);

          g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                       _("\"%s\" is no value of the argument \"%s\". There "
                         "are: %s."),
                       text ? text : "", parameter->name, words);
          g_free (words);
          success = FALSE;
        }
      g_free (text);
    }
  return success;
}

/* ---- Running ------------------------------------------------------ */

static gboolean
run_steps (GimpProcedure      *procedure,
           GimpRunMode         run_mode,
           GimpImage          *image,
           GimpDrawable      **drawables,
           const IsoluxEffect *effect,
           GimpPDBStatusType  *status,
           GError            **error)
{
  gboolean   interactive = (run_mode == GIMP_RUN_INTERACTIVE);
  gboolean   strict = (run_mode == GIMP_RUN_NONINTERACTIVE);
  gboolean   non_destructive;
  GPtrArray *targets;
  gboolean   success;

  *status = GIMP_PDB_CALLING_ERROR;
  if (! check_words (effect->config, effect->operation, interactive, error))
    return FALSE;

  g_object_get (effect->config, ISOLUX_NON_DESTRUCTIVE, &non_destructive, NULL);
  targets =
    isolux_targets_new (image, drawables, non_destructive, strict, error);
  if (! targets)
    return FALSE;

  if (interactive)
    {
      gboolean ok = isolux_dialog_run (procedure, image, targets, effect);

      g_ptr_array_unref (targets);
      if (! ok)
        {
          *status = GIMP_PDB_CANCEL;
          return FALSE;
        }

      /* the image may have changed meanwhile */
      g_object_get (effect->config, ISOLUX_NON_DESTRUCTIVE, &non_destructive,
                    NULL);
      targets =
        isolux_targets_new (image, drawables, non_destructive, strict, error);
      if (! targets)
        return FALSE;
    }

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
  GError           *error = NULL;

  if (run_steps (procedure, run_mode, image, drawables, &effect, &status,
                 &error))
    status = GIMP_PDB_SUCCESS;

  return gimp_procedure_new_return_values (procedure, status, error);
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
  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE |
                                         GIMP_PROCEDURE_SENSITIVE_DRAWABLES);
  gimp_procedure_set_menu_label (procedure, _ (operation->label));
  gimp_procedure_add_menu_path (procedure, "<Image>/Filters/Isolux");
  gimp_procedure_set_icon_name (procedure, operation->icon);

  help = g_strdup_printf ("%s\n\n%s", _ (operation->help), _ (COMMON_HELP));
  /* no help pages, so no Help button that would lead to none */
  gimp_procedure_set_documentation (procedure, _ (operation->blurb), help,
                                    NULL);
  g_free (help);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");
  add_arguments (procedure, operation->operation);
  return procedure;
}
