/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog.c: the dialog of a procedure that applies an operation.
 *
 * GIMP's standard dialog, with what the operation's properties know beyond
 * the procedure's arguments: labels of choices, ranges of sliders.
 */
#include <libgimp/gimp.h>
#include <libgimp/gimpui.h>
#include <glib/gi18n-lib.h>

#include "dialog.h"
#include "operation.h"
#include "preview.h"

/* A combo box for an argument that is a word; the dialog would show a text
 * entry.  Returns a row for the dialog with its label. */
static GtkWidget *
choice_row (GimpProcedure         *procedure,
            GimpProcedureConfig   *config,
            const IsoluxParameter *parameter)
{
  GParamSpec *spec = gimp_procedure_find_argument (procedure, parameter->name);
  GtkListStore *store = gtk_list_store_new (2, G_TYPE_STRING, G_TYPE_STRING);
  GtkWidget    *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget    *label;
  GtkWidget    *combo;

  for (const IsoluxWord *word = parameter->words; word->word; word++)
    gtk_list_store_insert_with_values (store, NULL, -1, 0, word->word, 1,
                                       _ (word->label), -1);

  combo = gimp_prop_string_combo_box_new (G_OBJECT (config), parameter->name,
                                          GTK_TREE_MODEL (store), 0, 1);
  g_object_unref (store);
  gtk_widget_set_tooltip_text (combo, _ (parameter->blurb));

  label = gtk_label_new_with_mnemonic (g_param_spec_get_nick (spec));
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), combo);

  gtk_box_pack_start (GTK_BOX (row), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), combo, TRUE, TRUE, 0);
  gtk_widget_show_all (row);
  return row;
}

/* The dialog's slider for a number, with the property's range for sliders */
static void
set_up_scale (GimpProcedureDialog *dialog, const IsoluxParameter *parameter)
{
  GtkWidget *scale = gimp_procedure_dialog_get_widget (dialog, parameter->name,
                                                       GIMP_TYPE_SPIN_SCALE);
  AtkObject *accessible;

  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (scale), parameter->digits);
  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (scale), parameter->step,
                                  parameter->page);
  gimp_spin_scale_set_scale_limits (GIMP_SPIN_SCALE (scale),
                                    parameter->ui_minimum,
                                    parameter->ui_maximum);
  gimp_spin_scale_set_gamma (GIMP_SPIN_SCALE (scale), parameter->ui_gamma);

  /* a spin scale draws its label itself and tells nobody */
  accessible = gtk_widget_get_accessible (scale);
  if (accessible)
    atk_object_set_name (accessible, _ (parameter->nick));
}

static GtkWidget *
dialog_new (GimpProcedure *procedure, const IsoluxEffect *effect)
{
  GtkWidget *dialog =
    gimp_procedure_dialog_new (procedure, effect->config, effect->title);
  GtkWidget *choices = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *content = gtk_dialog_get_content_area (GTK_DIALOG (dialog));
  GList     *names = NULL;
  const IsoluxParameter *parameter = isolux_parameters (effect->operation);

  for (; parameter->name; parameter++)
    {
      if (parameter->type == ISOLUX_PARAMETER_CHOICE)
        {
          gtk_box_pack_start (GTK_BOX (choices),
                              choice_row (procedure, effect->config, parameter),
                              FALSE, FALSE, 0);
          continue;
        }
      if (parameter->type != ISOLUX_PARAMETER_BOOLEAN)
        set_up_scale (GIMP_PROCEDURE_DIALOG (dialog), parameter);
      names = g_list_append (names, (gpointer) parameter->name);
    }
  names = g_list_append (names, (gpointer) ISOLUX_NON_DESTRUCTIVE);
  names = g_list_append (names, (gpointer) ISOLUX_AUDIT);
  names = g_list_append (names, (gpointer) ISOLUX_PREVIEW);
  gimp_procedure_dialog_fill_list (GIMP_PROCEDURE_DIALOG (dialog), names);
  g_list_free (names);

  /* filters have no record */
  gimp_procedure_dialog_set_sensitive (GIMP_PROCEDURE_DIALOG (dialog),
                                       ISOLUX_AUDIT, TRUE,
                                       G_OBJECT (effect->config),
                                       ISOLUX_NON_DESTRUCTIVE, TRUE);

  gtk_widget_set_margin_bottom (choices, 6);
  gtk_box_pack_start (GTK_BOX (content), choices, FALSE, FALSE, 0);
  gtk_box_reorder_child (GTK_BOX (content), choices, 0);
  gtk_widget_show (choices);
  return dialog;
}

static void
config_notify (GObject *config, GParamSpec *spec, IsoluxPreview *preview)
{
  if (! g_strcmp0 (spec->name, ISOLUX_PREVIEW))
    {
      gboolean show;

      g_object_get (config, ISOLUX_PREVIEW, &show, NULL);
      isolux_preview_show (preview, show);
    }
  else if (g_strcmp0 (spec->name, ISOLUX_NON_DESTRUCTIVE) &&
           g_strcmp0 (spec->name, ISOLUX_AUDIT))
    {
      isolux_preview_update (preview);
    }
}

gboolean
isolux_dialog_run (GimpProcedure      *procedure,
                   GimpImage          *image,
                   GPtrArray          *targets,
                   const IsoluxEffect *effect)
{
  IsoluxPreview *preview;
  GtkWidget     *dialog;
  gboolean       possible;
  gboolean       show;
  gboolean       ok;

  gimp_ui_init ("isolux");

  preview = isolux_preview_new (image, targets, effect);
  possible = isolux_preview_possible (preview);
  dialog = dialog_new (procedure, effect);

  if (possible)
    {
      g_object_get (effect->config, ISOLUX_PREVIEW, &show, NULL);
      isolux_preview_show (preview, show);
      g_signal_connect (effect->config, "notify", G_CALLBACK (config_notify),
                        preview);
    }
  else
    {
      /* nothing but channels and masks */
      gimp_procedure_dialog_set_sensitive (GIMP_PROCEDURE_DIALOG (dialog),
                                           ISOLUX_PREVIEW, FALSE, NULL, NULL,
                                           FALSE);
      gimp_procedure_dialog_set_sensitive (GIMP_PROCEDURE_DIALOG (dialog),
                                           ISOLUX_NON_DESTRUCTIVE, FALSE, NULL,
                                           NULL, FALSE);
    }

  ok = gimp_procedure_dialog_run (GIMP_PROCEDURE_DIALOG (dialog));

  if (possible)
    g_signal_handlers_disconnect_by_func (effect->config, config_notify,
                                          preview);
  gtk_widget_destroy (dialog);
  isolux_preview_free (preview);
  return ok;
}
