/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-presets.c: the row of presets.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What the popover's entry of a name is for */
typedef enum
{
  NAME_SAVE,
  NAME_RENAME
} NameUse;

static const IsoluxRealValues *
values_of (IsoluxDialog *dialog)
{
  return dialog->is_real ? &dialog->values : NULL;
}

/* The user's preset that was chosen or saved last; settings may have changed
 * since */
static const IsoluxPreset *
own_preset (IsoluxDialog *dialog)
{
  const IsoluxPreset *preset = NULL;

  if (dialog->preset_id)
    preset = isolux_presets_get (dialog->presets, dialog->preset_id);
  return preset && preset->kind == ISOLUX_PRESET_USER ? preset : NULL;
}

static void
keep_id (IsoluxDialog *dialog, const IsoluxPreset *preset)
{
  gchar *id = preset ? g_strdup (preset->id) : NULL;

  g_free (dialog->preset_id);
  dialog->preset_id = id;
}

static void
tell (IsoluxDialog *dialog, const gchar *title, GError *error)
{
  if (! error)
    {
      isolux_notice_hide (dialog, ISOLUX_NOTICE_SAY);
      return;
    }
  isolux_notice_show (dialog, ISOLUX_NOTICE_SAY, title, error->message, NULL,
                      NULL);
  g_error_free (error);
}

void
isolux_presets_row_update (IsoluxDialog *dialog)
{
  const IsoluxPreset *preset = isolux_presets_find (dialog->presets,
                                                    G_OBJECT (dialog->config),
                                                    values_of (dialog));
  const gchar        *name = preset ? preset->name : _("(Changed)");
  gchar              *full;

  gtk_label_set_text (GTK_LABEL (dialog->presets_label), name);
  gtk_widget_set_tooltip_text (dialog->presets_button,
                               preset ? preset->summary : NULL);
  full = g_strdup_printf (_("Presets: %s"), name);
  isolux_widget_set_name (dialog->presets_button, full);
  g_free (full);
}

/* ---- The list ----------------------------------------------------- */

static void
preset_clicked (GtkButton *button, IsoluxDialog *dialog)
{
  const gchar *id = g_object_get_data (G_OBJECT (button), "preset");
  gint kind = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (button), "kind"));
  const IsoluxPreset *const *at;

  gtk_popover_popdown (GTK_POPOVER (dialog->presets_popover));
  for (at = isolux_presets_list (dialog->presets); *at; at++)
    if ((gint) (*at)->kind == kind && ! strcmp ((*at)->id, id))
      {
        const IsoluxPreset *preset = *at;

        keep_id (dialog, preset);
        isolux_presets_apply (dialog->presets, preset,
                              G_OBJECT (dialog->config));
        break;
      }
}

static void
set_bold (GtkWidget *label, gdouble scale)
{
  PangoAttrList *attributes = pango_attr_list_new ();

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  pango_attr_list_insert (attributes,
                          pango_attr_weight_new (PANGO_WEIGHT_BOLD));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
}

static void
add_heading (IsoluxDialog *dialog, const gchar *text)
{
  GtkWidget *label = gtk_label_new (text);

  set_bold (label, 0.85);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_widget_set_margin_start (label, 6);
  gtk_widget_set_margin_top (label, 2);
  isolux_widget_add_class (label, "isolux-dim");
  gtk_box_pack_start (GTK_BOX (dialog->presets_list), label, FALSE, FALSE, 0);
}

/* A button, which assistive technologies can press, not a row of a list */
static void
add_preset (IsoluxDialog *dialog, const IsoluxPreset *preset, gboolean current)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *tick;
  GtkWidget *name = gtk_label_new (preset->name);
  GtkWidget *summary = isolux_label_new (preset->summary, 0.85, TRUE);
  gchar     *full = g_strdup_printf ("%s, %s", preset->name, preset->summary);

  tick = current ? isolux_icon_new ("object-select-symbolic", 16)
                 : gtk_image_new ();
  gtk_widget_set_size_request (tick, 16, -1);
  gtk_label_set_xalign (GTK_LABEL (name), 0.0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (name), 40);
  if (current)
    set_bold (name, 1.0);
  isolux_label_tabular (summary);
  gtk_label_set_xalign (GTK_LABEL (summary), 1.0);

  gtk_box_pack_start (GTK_BOX (box), tick, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), name, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), summary, FALSE, FALSE, 6);
  gtk_container_add (GTK_CONTAINER (button), box);
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  isolux_widget_set_name (button, full);
  g_object_set_data_full (G_OBJECT (button), "preset", g_strdup (preset->id),
                          g_free);
  g_object_set_data (G_OBJECT (button), "kind", GINT_TO_POINTER (preset->kind));
  g_signal_connect (button, "clicked", G_CALLBACK (preset_clicked), dialog);
  gtk_box_pack_start (GTK_BOX (dialog->presets_list), button, FALSE, FALSE, 0);
  g_free (full);
}

static void
fill_list (IsoluxDialog *dialog)
{
  const gchar *headings[3] = { _("Isolux"), _("Yours"), _("Last used") };
  const IsoluxPreset *const *list;
  const IsoluxPreset        *current;
  gint                       kind = -1;
  GList                     *rows;

  rows = gtk_container_get_children (GTK_CONTAINER (dialog->presets_list));
  g_list_free_full (rows, (GDestroyNotify) gtk_widget_destroy);

  isolux_presets_reload (dialog->presets);
  current = isolux_presets_find (dialog->presets, G_OBJECT (dialog->config),
                                 values_of (dialog));
  for (list = isolux_presets_list (dialog->presets); *list; list++)
    {
      if (! isolux_preset_fits (*list, values_of (dialog)))
        continue;
      if ((gint) (*list)->kind != kind)
        {
          kind = (gint) (*list)->kind;
          add_heading (dialog, headings[kind]);
        }
      add_preset (dialog, *list, *list == current);
    }
  gtk_widget_show_all (dialog->presets_list);
  if (isolux_presets_get_problem (dialog->presets))
    isolux_notice_show (dialog, ISOLUX_NOTICE_SAY,
                        _("Some presets could not be read"),
                        isolux_presets_get_problem (dialog->presets), NULL,
                        NULL);
}

/* ---- Names -------------------------------------------------------- */

static void
show_page (IsoluxDialog *dialog, const gchar *page)
{
  gtk_stack_set_visible_child_name (GTK_STACK (dialog->presets_stack), page);
}

static void
button_toggled (GtkToggleButton *button, IsoluxDialog *dialog)
{
  if (! gtk_toggle_button_get_active (button))
    return;
  show_page (dialog, "list");
  fill_list (dialog);
}

static void
ask_name (IsoluxDialog *dialog, NameUse use, const gchar *name)
{
  gchar *text = g_strdup (name); /* a preset's goes when the list is filled */

  dialog->presets_use = use;
  /* the popover belongs to the menu button, whose toggling fills the list */
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->presets_button),
                                TRUE);
  show_page (dialog, "name");
  gtk_label_set_text (GTK_LABEL (dialog->presets_name_label),
                      use == NAME_SAVE ? _("Name of the new preset")
                                       : _("New name of the preset"));
  gtk_entry_set_text (GTK_ENTRY (dialog->presets_entry), text);
  gtk_widget_grab_focus (dialog->presets_entry);
  g_free (text);
}

static void
name_given (GtkWidget *widget, IsoluxDialog *dialog)
{
  gchar *name =
    g_strstrip (g_strdup (gtk_entry_get_text (GTK_ENTRY (dialog
                                                           ->presets_entry))));
  const IsoluxPreset *preset = own_preset (dialog);
  GError             *error = NULL;

  if (name[0])
    {
      if (dialog->presets_use == NAME_SAVE)
        isolux_presets_save (dialog->presets, name, G_OBJECT (dialog->config),
                             values_of (dialog), FALSE, &error);
      else if (preset)
        isolux_presets_rename (dialog->presets, preset, name, &error);
      if (error)
        {
          gtk_label_set_text (GTK_LABEL (dialog->presets_name_label),
                              error->message);
          g_error_free (error);
          g_free (name);
          return;
        }
      keep_id (dialog, isolux_presets_get (dialog->presets, name));
      isolux_presets_row_update (dialog);
    }
  gtk_popover_popdown (GTK_POPOVER (dialog->presets_popover));
  g_free (name);
}

static GtkWidget *
name_page (IsoluxDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *save = gtk_button_new_with_mnemonic (_("_Save"));

  dialog->presets_name_label = isolux_label_new ("", 1.0, FALSE);
  gtk_label_set_line_wrap (GTK_LABEL (dialog->presets_name_label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (dialog->presets_name_label), 40);
  dialog->presets_entry = gtk_entry_new ();
  gtk_entry_set_width_chars (GTK_ENTRY (dialog->presets_entry), 24);
  isolux_widget_set_name (dialog->presets_entry, _("Name of the preset"));
  g_signal_connect (dialog->presets_entry, "activate", G_CALLBACK (name_given),
                    dialog);
  g_signal_connect (save, "clicked", G_CALLBACK (name_given), dialog);

  gtk_box_pack_start (GTK_BOX (row), dialog->presets_entry, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), save, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->presets_name_label, FALSE, FALSE,
                      0);
  gtk_box_pack_start (GTK_BOX (box), row, FALSE, FALSE, 0);
  gtk_container_set_border_width (GTK_CONTAINER (box), 4);
  return box;
}

static GtkWidget *
popover_new (IsoluxDialog *dialog)
{
  GtkWidget *popover = gtk_popover_new (NULL);
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL);

  dialog->presets_popover = popover;
  dialog->presets_list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  isolux_widget_add_class (dialog->presets_list, "isolux-list");
  isolux_widget_set_name (dialog->presets_list, _("Presets"));

  gtk_container_add (GTK_CONTAINER (scrolled), dialog->presets_list);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (
    GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (
    GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled),
                                              420);

  dialog->presets_stack = gtk_stack_new ();
  gtk_stack_set_homogeneous (GTK_STACK (dialog->presets_stack), FALSE);
  gtk_stack_add_named (GTK_STACK (dialog->presets_stack), scrolled, "list");
  gtk_stack_add_named (GTK_STACK (dialog->presets_stack), name_page (dialog),
                       "name");
  gtk_container_set_border_width (GTK_CONTAINER (dialog->presets_stack), 6);
  gtk_widget_show_all (dialog->presets_stack);
  gtk_container_add (GTK_CONTAINER (popover), dialog->presets_stack);
  return popover;
}

/* ---- The menu ----------------------------------------------------- */

static void
save_clicked (GtkButton *button, IsoluxDialog *dialog)
{
  ask_name (dialog, NAME_SAVE, "");
}

static void
save_over (GtkButton *entry, IsoluxDialog *dialog)
{
  const IsoluxPreset *preset = own_preset (dialog);
  gchar              *name;
  GError             *error = NULL;

  if (! preset)
    return;
  name = g_strdup (preset->name);
  isolux_presets_save (dialog->presets, name, G_OBJECT (dialog->config),
                       values_of (dialog), TRUE, &error);
  tell (dialog, _("The preset could not be saved"), error);
  g_free (name);
  isolux_presets_row_update (dialog);
}

static gboolean
rename_later (gpointer data)
{
  IsoluxDialog       *dialog = data;
  const IsoluxPreset *preset = own_preset (dialog);

  if (preset)
    ask_name (dialog, NAME_RENAME, preset->name);
  return G_SOURCE_REMOVE;
}

static void
rename_chosen (GtkButton *entry, IsoluxDialog *dialog)
{
  /* the menu's popover has the grab until it is gone */
  g_idle_add (rename_later, dialog);
}

static void
delete_chosen (GtkButton *entry, IsoluxDialog *dialog)
{
  const IsoluxPreset *preset = own_preset (dialog);
  GError             *error = NULL;

  if (! preset)
    return;
  isolux_presets_delete (dialog->presets, preset, &error);
  tell (dialog, _("The preset could not be deleted"), error);
  isolux_presets_row_update (dialog);
}

/* Asks for a file of presets; NULL when that was cancelled */
static gchar *
ask_file (IsoluxDialog *dialog, const gchar *title, gboolean save)
{
  GtkFileFilter *filter = gtk_file_filter_new ();
  GtkWidget     *chooser;
  gchar         *path = NULL;

  chooser = gtk_file_chooser_dialog_new (title, GTK_WINDOW (dialog->window),
                                         save ? GTK_FILE_CHOOSER_ACTION_SAVE
                                              : GTK_FILE_CHOOSER_ACTION_OPEN,
                                         _("_Cancel"), GTK_RESPONSE_CANCEL,
                                         save ? _("_Save") : _("_Open"),
                                         GTK_RESPONSE_ACCEPT, NULL);
  gtk_dialog_set_default_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
  gtk_file_filter_set_name (filter, _("Presets (*.ini)"));
  gtk_file_filter_add_pattern (filter, "*.ini");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), filter);
  if (save)
    {
      gchar *name =
        g_strdup_printf ("%s.ini", gimp_procedure_get_name (dialog->procedure));

      gtk_file_chooser_set_do_overwrite_confirmation (
        GTK_FILE_CHOOSER (chooser), TRUE);
      gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
      g_free (name);
    }
  if (gtk_dialog_run (GTK_DIALOG (chooser)) == GTK_RESPONSE_ACCEPT)
    path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (chooser));
  gtk_widget_destroy (chooser);
  return path;
}

static void
import_chosen (GtkButton *entry, IsoluxDialog *dialog)
{
  gchar  *path = ask_file (dialog, _("Import presets"), FALSE);
  GError *error = NULL;

  if (! path)
    return;
  isolux_presets_import (dialog->presets, path, &error);
  tell (dialog, _("The presets could not be imported"), error);
  isolux_presets_row_update (dialog);
  g_free (path);
}

static void
export_chosen (GtkButton *entry, IsoluxDialog *dialog)
{
  gchar  *path = ask_file (dialog, _("Export your presets"), TRUE);
  GError *error = NULL;

  if (! path)
    return;
  isolux_presets_export (dialog->presets, NULL, path, &error);
  tell (dialog, _("The presets could not be exported"), error);
  g_free (path);
}

static void
reset_chosen (GtkButton *entry, IsoluxDialog *dialog)
{
  isolux_rows_reset (ISOLUX_ROWS (dialog->rows));
}

/* Some are for a preset of the user's, some for any of them */
static void
menu_shown (GtkWidget *menu, IsoluxDialog *dialog)
{
  gboolean own = own_preset (dialog) != NULL;
  gboolean some = FALSE;

  for (const IsoluxPreset *const *at = isolux_presets_list (dialog->presets);
       *at; at++)
    some = some || (*at)->kind == ISOLUX_PRESET_USER;
  for (gint i = 0; i < 3; i++)
    gtk_widget_set_sensitive (dialog->presets_own[i], own);
  gtk_widget_set_sensitive (dialog->presets_export, some);
}

static GtkWidget *
menu_new (IsoluxDialog *dialog)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *menu = isolux_menu_new ();

  dialog->presets_own[0] =
    isolux_menu_add (menu, _("Save _Over"), G_CALLBACK (save_over), dialog);
  dialog->presets_own[1] =
    isolux_menu_add (menu, _("_Rename…"), G_CALLBACK (rename_chosen), dialog);
  dialog->presets_own[2] =
    isolux_menu_add (menu, _("_Delete"), G_CALLBACK (delete_chosen), dialog);
  isolux_menu_add (menu, NULL, NULL, NULL);
  isolux_menu_add (menu, _("_Import…"), G_CALLBACK (import_chosen), dialog);
  dialog->presets_export =
    isolux_menu_add (menu, _("_Export…"), G_CALLBACK (export_chosen), dialog);
  isolux_menu_add (menu, NULL, NULL, NULL);
  isolux_menu_add (menu, _("Reset _All"), G_CALLBACK (reset_chosen), dialog);
  g_signal_connect (menu, "show", G_CALLBACK (menu_shown), dialog);

  gtk_container_remove (GTK_CONTAINER (button),
                        gtk_bin_get_child (GTK_BIN (button)));
  gtk_container_add (GTK_CONTAINER (button),
                     isolux_icon_new (gtk_widget_get_default_direction () ==
                                          GTK_TEXT_DIR_RTL
                                        ? "gimp-menu-right-symbolic"
                                        : "gimp-menu-left-symbolic",
                                      16));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), menu);
  gtk_widget_set_tooltip_text (button, _("Manage presets"));
  isolux_widget_set_name (button, _("Manage presets"));
  isolux_widget_add_class (button, "image-button");
  return button;
}

GtkWidget *
isolux_presets_row_new (IsoluxDialog *dialog)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Presets"));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *save;
  GtkWidget *buttons;

  dialog->presets_button = gtk_menu_button_new ();
  dialog->presets_label = isolux_label_new ("", 1.0, FALSE);
  gtk_label_set_ellipsize (GTK_LABEL (dialog->presets_label),
                           PANGO_ELLIPSIZE_END);
  gtk_box_pack_start (GTK_BOX (box), dialog->presets_label, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), isolux_icon_new ("pan-down-symbolic", 16),
                      FALSE, FALSE, 0);
  gtk_container_remove (GTK_CONTAINER (dialog->presets_button),
                        gtk_bin_get_child (GTK_BIN (dialog->presets_button)));
  gtk_container_add (GTK_CONTAINER (dialog->presets_button), box);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (dialog->presets_button),
                               popover_new (dialog));
  g_signal_connect (dialog->presets_button, "toggled",
                    G_CALLBACK (button_toggled), dialog);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), dialog->presets_button);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_size_group_add_widget (isolux_rows_get_labels (ISOLUX_ROWS (dialog
                                                                    ->rows)),
                             label);

  save = isolux_icon_button_new ("list-add-symbolic",
                                 _("Save the settings as a preset"));
  g_signal_connect (save, "clicked", G_CALLBACK (save_clicked), dialog);
  buttons = isolux_linked_new (save, menu_new (dialog), NULL);
  isolux_widget_add_class (buttons, "isolux-bar");
  gtk_widget_set_valign (buttons, GTK_ALIGN_CENTER);

  gtk_box_pack_start (GTK_BOX (row), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), dialog->presets_button, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), buttons, FALSE, FALSE, 0);
  gtk_widget_show_all (row);
  return row;
}
