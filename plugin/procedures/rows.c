/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.c: the rows of settings of an operation, made from its parameters.
 */
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "expression.h"
#include "parameters.h"
#include "rows.h"

#define RESET_WIDTH 24

/*
 * Group: what is shown and hidden together
 * @box: rows, note, and what was inserted
 * @note: below the rows; NULL until there is one
 */
typedef struct
{
  GtkWidget *box;
  GtkWidget *note;
  GtkWidget *note_icon;
  GtkWidget *note_label;
} Group;

/*
 * Row: one parameter
 * @label: with mnemonic and without the unit
 * @unit: (nullable): what is in brackets
 * @widget: what takes the focus
 * @caption: (nullable): a choice's label
 * @place: all of the row
 * @partner: (nullable): the other one of a chained pair
 * @chain: (nullable): its button
 * @from_config: whether the value that changes comes from the settings, not
 *   from the user's hands
 * @usable, @reason: see isolux_rows_set_usable()
 */
typedef struct _Row Row;
struct _Row
{
  IsoluxRows            *rows;
  const IsoluxParameter *parameter;
  gchar                 *label;
  gchar                 *unit;
  GtkWidget             *widget;
  GtkWidget             *caption;
  GtkWidget             *place;
  GtkWidget             *reset;
  GtkListStore          *words;
  Group                 *group;
  Row                   *partner;
  GtkWidget             *chain;
  gboolean               from_config;
  gboolean               usable;
  gchar                 *reason;
};

struct _IsoluxRows
{
  GtkBox parent_instance;

  GObject      *config;
  GPtrArray    *rows;
  GPtrArray    *groups;
  GtkSizeGroup *labels;
  GtkSizeGroup *advanced_labels; /* long ones shall not take room above */
  GtkWidget    *advanced;
  GtkWidget    *advanced_box;
  GString      *taken;
  guint         idle;
};

G_DEFINE_TYPE (IsoluxRows, isolux_rows, GTK_TYPE_BOX)

static void
row_free (gpointer data)
{
  Row *row = data;

  g_clear_object (&row->words);
  g_free (row->label);
  g_free (row->unit);
  g_free (row->reason);
  g_free (row);
}

static Row *
find_row (IsoluxRows *rows, const gchar *name)
{
  for (guint i = 0; i < rows->rows->len; i++)
    {
      Row *row = rows->rows->pdata[i];

      if (! strcmp (row->parameter->name, name))
        return row;
    }
  return NULL;
}

/* ---- Mnemonics ---- */

/* Scripts whose letters are on the keys of those who write them; of others,
 * mnemonics are Latin. */
static gboolean
is_key (gunichar letter)
{
  if (! g_unichar_isalpha (letter))
    return FALSE;
  switch (g_unichar_get_script (letter))
    {
      case G_UNICODE_SCRIPT_LATIN:
      case G_UNICODE_SCRIPT_GREEK:
      case G_UNICODE_SCRIPT_CYRILLIC:
      case G_UNICODE_SCRIPT_ARMENIAN:
      case G_UNICODE_SCRIPT_GEORGIAN:
      case G_UNICODE_SCRIPT_HEBREW:
      case G_UNICODE_SCRIPT_ARABIC:
        return TRUE;
      default:
        return FALSE;
    }
}

static gboolean
take_letter (GString *taken, gunichar letter)
{
  letter = g_unichar_tolower (letter);
  if (! is_key (letter) || g_utf8_strchr (taken->str, -1, letter))
    return FALSE;
  g_string_append_unichar (taken, letter);
  return TRUE;
}

/* Takes the mnemonic that a label has. */
static void
take_mnemonic (GString *taken, const gchar *label)
{
  const gchar *mark = strchr (label, '_');

  if (mark)
    take_letter (taken, g_utf8_get_char (mark + 1));
}

/* What is always in the dialog.  Its own buttons are GIMP's and have GIMP's
 * translations. */
static void
take_dialog_mnemonics (GString *taken)
{
  static const gchar *const buttons[] = { "_Help", "_Reset", "_Cancel", "_OK" };

  for (guint i = 0; i < G_N_ELEMENTS (buttons); i++)
    take_mnemonic (taken, g_dgettext ("gimp30-libgimp", buttons[i]));
  take_mnemonic (taken, _("_Presets"));
  take_mnemonic (taken, _("Previe_w on canvas"));
  take_mnemonic (taken, _("Merge _filter"));
  take_mnemonic (taken, _("_Measure"));
  take_mnemonic (taken, _("Ad_vanced"));
}

/* A label with the first letter of a word, or else any letter, that is free.
 * A label without such letters (Chinese) gets one of @latin behind it, as is
 * the custom there. */
static gchar *
add_mnemonic (GString *taken, const gchar *label, const gchar *latin)
{
  for (gint pass = 0; pass < 2; pass++)
    {
      gboolean starts = TRUE;

      for (const gchar *at = label; *at; at = g_utf8_next_char (at))
        {
          gunichar letter = g_utf8_get_char (at);

          if ((starts || pass == 1) && take_letter (taken, letter))
            return g_strdup_printf ("%.*s_%s", (int) (at - label), label, at);
          starts = g_unichar_isspace (letter);
        }
    }
  for (; *latin; latin++)
    if (g_ascii_isalpha (*latin) && take_letter (taken, *latin))
      return g_strdup_printf ("%s(_%c)", label, g_ascii_toupper (*latin));
  return g_strdup (label);
}

static gchar *
without_mnemonic (const gchar *label)
{
  GString *text = g_string_new (NULL);

  for (; *label; label++)
    {
      /* "(_L)" goes altogether */
      if (label[0] == '(' && label[1] == '_' && label[2] && label[3] == ')')
        label += 3;
      else if (*label != '_')
        g_string_append_c (text, *label);
    }
  return g_string_free (text, FALSE);
}

/* ---- What a row says ---- */

static gchar *
get_visible_label (Row *row)
{
  if (! row->unit)
    return g_strdup (row->label);
  /* Translators: a label and a unit, "Cell size (pixels)" */
  return g_strdup_printf (_("%s (%s)"), row->label, row->unit);
}

static void
update_label (Row *row)
{
  gchar *text = get_visible_label (row);

  if (GIMP_IS_SPIN_SCALE (row->widget))
    gimp_spin_scale_set_label (GIMP_SPIN_SCALE (row->widget), text);
  else if (row->caption)
    gtk_label_set_text_with_mnemonic (GTK_LABEL (row->caption), text);
  else
    gtk_button_set_label (GTK_BUTTON (row->widget), text);
  g_free (text);
}

/* A spin scale draws its label itself and tells nobody of it. */
static void
update_accessible (Row *row)
{
  AtkObject   *accessible = gtk_widget_get_accessible (row->widget);
  const gchar *blurb = _ (row->parameter->blurb);
  gchar       *name;

  if (! row->usable && row->reason)
    blurb = row->reason;
  gtk_widget_set_tooltip_text (row->widget, blurb);
  if (! accessible)
    return;
  name = without_mnemonic (row->label);
  atk_object_set_name (accessible, name);
  atk_object_set_description (accessible, blurb);
  g_free (name);

  accessible = gtk_widget_get_accessible (row->reset);
  if (accessible)
    atk_object_set_name (accessible, _("Reset to default"));
}

static gboolean
is_default (Row *row)
{
  GParamSpec *spec =
    g_object_class_find_property (G_OBJECT_GET_CLASS (row->rows->config),
                                  row->parameter->name);
  GValue   value = G_VALUE_INIT;
  gboolean same;

  g_value_init (&value, spec->value_type);
  g_object_get_property (row->rows->config, row->parameter->name, &value);
  same = g_param_value_defaults (spec, &value);
  g_value_unset (&value);
  return same;
}

static void
set_default (Row *row)
{
  GParamSpec *spec =
    g_object_class_find_property (G_OBJECT_GET_CLASS (row->rows->config),
                                  row->parameter->name);

  g_object_set_property (row->rows->config, row->parameter->name,
                         g_param_spec_get_default_value (spec));
}

static gboolean
holds (IsoluxRows *rows, const gchar *expression)
{
  gboolean value;

  isolux_expression_evaluate (expression, rows->config, &value);
  return value;
}

/* The button's place is kept when it is not to be seen. */
static void
update_reset (Row *row, gboolean shown)
{
  gtk_widget_set_opacity (row->reset, shown ? 1.0 : 0.0);
  gtk_widget_set_sensitive (row->reset, shown);
  gtk_widget_set_has_tooltip (row->reset, shown);
}

static void
update_row (Row *row)
{
  gboolean sensitive = row->usable &&
                       holds (row->rows, row->parameter->sensitive);

  gtk_widget_set_visible (row->place,
                          holds (row->rows, row->parameter->visible));
  gtk_widget_set_sensitive (row->widget, sensitive);
  if (row->caption)
    gtk_widget_set_sensitive (row->caption, sensitive);
  update_reset (row, sensitive && ! is_default (row));
}

static void
update (IsoluxRows *rows)
{
  gboolean any = FALSE;

  for (guint i = 0; i < rows->rows->len; i++)
    update_row (rows->rows->pdata[i]);

  for (guint i = 0; i < rows->groups->len; i++)
    {
      Group   *group = rows->groups->pdata[i];
      gboolean shown = FALSE;

      for (guint k = 0; k < rows->rows->len; k++)
        {
          Row *row = rows->rows->pdata[k];

          if (row->group != group)
            continue;
          shown |= gtk_widget_get_visible (row->place);
          any |= row->parameter->advanced && shown;
          if (row->chain)
            gtk_widget_set_sensitive (row->chain,
                                      gtk_widget_get_sensitive (row->widget) &&
                                        gtk_widget_get_sensitive (row->partner
                                                                    ->widget));
        }
      gtk_widget_set_visible (group->box, shown);
    }
  gtk_widget_set_visible (rows->advanced, any);
}

/* ---- Chained pairs ---- */

static gdouble
get_number (Row *row)
{
  GValue  value = G_VALUE_INIT;
  gdouble number;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_object_get_property (row->rows->config, row->parameter->name, &value);
  number = g_value_get_double (&value);
  g_value_unset (&value);
  return number;
}

static void
set_number (Row *row, gdouble number)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_DOUBLE);
  g_value_set_double (&value, number);
  g_object_set_property (row->rows->config, row->parameter->name, &value);
  g_value_unset (&value);
}

/* Settings that were loaded may hold different values: the chain is open
 * then. */
static gboolean
check_chains (gpointer data)
{
  IsoluxRows *rows = data;

  rows->idle = 0;
  for (guint i = 0; i < rows->rows->len; i++)
    {
      Row *row = rows->rows->pdata[i];

      if (row->chain && get_number (row) != get_number (row->partner))
        gimp_chain_button_set_active (GIMP_CHAIN_BUTTON (row->chain), FALSE);
    }
  return G_SOURCE_REMOVE;
}

static void
chained_value_changed (GtkAdjustment *adjustment, Row *row)
{
  if (row->from_config)
    {
      row->from_config = FALSE;
      if (! row->rows->idle)
        row->rows->idle = g_idle_add (check_chains, row->rows);
      return;
    }
  if (gimp_chain_button_get_active (GIMP_CHAIN_BUTTON (row->chain)))
    set_number (row->partner, get_number (row));
}

static void
chain_toggled (GimpChainButton *chain, Row *row)
{
  if (gimp_chain_button_get_active (chain) &&
      get_number (row) != get_number (row->partner))
    set_number (row->partner, get_number (row));
}

/* Comes before the widgets hear of it, so that a difference tells who it
 * was. */
static void
config_notify (GObject *config, GParamSpec *spec, IsoluxRows *rows)
{
  Row *row = find_row (rows, spec->name);

  if (! row)
    return;
  if (row->chain && gtk_spin_button_get_value (GTK_SPIN_BUTTON (row->widget)) !=
                      get_number (row))
    row->from_config = TRUE;
  update (rows);
}

/* ---- Making rows ---- */

static gboolean
has_focus_in (GtkWidget *widget)
{
  GtkWidget *top = gtk_widget_get_toplevel (widget);
  GtkWidget *focus =
    GTK_IS_WINDOW (top) ? gtk_window_get_focus (GTK_WINDOW (top)) : NULL;

  return focus && (focus == widget || gtk_widget_is_ancestor (focus, widget));
}

/* Who scrolls through the column does not mean the row that happens to come
 * under the pointer. */
static gboolean
scroll_event (GtkWidget *widget, GdkEvent *event, gpointer data)
{
  if (! has_focus_in (widget))
    g_signal_stop_emission_by_name (widget, "scroll-event");
  return FALSE;
}

static void
reset_clicked (GtkButton *button, Row *row)
{
  if (row->chain &&
      gimp_chain_button_get_active (GIMP_CHAIN_BUTTON (row->chain)))
    set_default (row->partner);
  set_default (row);
}

static GtkWidget *
make_reset (Row *row)
{
  GtkWidget *button = gtk_button_new ();

  gtk_container_add (GTK_CONTAINER (button),
                     gtk_image_new_from_icon_name (GIMP_ICON_RESET,
                                                   GTK_ICON_SIZE_MENU));
  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_style_context_add_class (gtk_widget_get_style_context (button),
                               "isolux-reset");
  gtk_style_context_add_class (gtk_widget_get_style_context (button),
                               "image-button");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (button, RESET_WIDTH, -1);
  gtk_widget_set_tooltip_text (button, _("Reset to default"));
  g_signal_connect (button, "clicked", G_CALLBACK (reset_clicked), row);
  return button;
}

static GtkWidget *
make_scale (Row *row)
{
  const IsoluxParameter *parameter = row->parameter;
  GtkWidget             *widget;

  widget = gimp_prop_spin_scale_new (row->rows->config, parameter->name,
                                     parameter->step, parameter->page,
                                     parameter->digits);
  gimp_spin_scale_set_scale_limits (GIMP_SPIN_SCALE (widget),
                                    parameter->ui_minimum,
                                    parameter->ui_maximum);
  gimp_spin_scale_set_gamma (GIMP_SPIN_SCALE (widget), parameter->ui_gamma);
  return widget;
}

/* What does not fit into a combo box is in its tooltip. */
static gboolean
query_combo_tooltip (GtkWidget  *combo,
                     gint        x,
                     gint        y,
                     gboolean    by_keyboard,
                     GtkTooltip *tooltip,
                     Row        *row)
{
  GtkTreeIter iter;
  gint        natural;
  gchar      *blurb = gtk_widget_get_tooltip_text (combo);
  gchar      *entry = NULL;
  gchar      *text;

  gtk_widget_get_preferred_width (combo, NULL, &natural);
  if (natural > gtk_widget_get_allocated_width (combo) &&
      gtk_combo_box_get_active_iter (GTK_COMBO_BOX (combo), &iter))
    gtk_tree_model_get (GTK_TREE_MODEL (row->words), &iter, 1, &entry, -1);
  text = entry ? g_strdup_printf ("%s\n\n%s", entry, blurb) : g_strdup (blurb);
  gtk_tooltip_set_text (tooltip, text);
  g_free (text);
  g_free (entry);
  g_free (blurb);
  return TRUE;
}

static GtkWidget *
make_combo (Row *row)
{
  const IsoluxParameter *parameter = row->parameter;
  GtkWidget             *combo;

  row->words = gtk_list_store_new (2, G_TYPE_STRING, G_TYPE_STRING);
  for (const IsoluxWord *word = parameter->words; word->word; word++)
    gtk_list_store_insert_with_values (row->words, NULL, -1, 0, word->word, 1,
                                       _ (word->label), -1);

  combo = gimp_prop_string_combo_box_new (row->rows->config, parameter->name,
                                          GTK_TREE_MODEL (row->words), 0, 1);
  g_object_set (combo, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
  g_signal_connect (combo, "query-tooltip", G_CALLBACK (query_combo_tooltip),
                    row);

  row->caption = gtk_label_new_with_mnemonic (row->label);
  gtk_label_set_xalign (GTK_LABEL (row->caption), 0.0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (row->caption), combo);
  gtk_size_group_add_widget (parameter->advanced ? row->rows->advanced_labels
                                                 : row->rows->labels,
                             row->caption);
  return combo;
}

/* What the row is but for the reset button */
static GtkWidget *
make_body (Row *row)
{
  GtkWidget *box;

  switch (row->parameter->type)
    {
      case ISOLUX_PARAMETER_CHOICE:
        row->widget = make_combo (row);
        box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
        gtk_box_pack_start (GTK_BOX (box), row->caption, FALSE, FALSE, 0);
        gtk_box_pack_start (GTK_BOX (box), row->widget, TRUE, TRUE, 0);
        g_signal_connect (row->widget, "scroll-event",
                          G_CALLBACK (scroll_event), NULL);
        return box;

      case ISOLUX_PARAMETER_BOOLEAN:
        row->widget = gimp_prop_check_button_new (row->rows->config,
                                                  row->parameter->name,
                                                  row->label);
        gtk_button_set_use_underline (GTK_BUTTON (row->widget), TRUE);
        return row->widget;

      default:
        row->widget = make_scale (row);
        g_signal_connect (row->widget, "scroll-event",
                          G_CALLBACK (scroll_event), NULL);
        return row->widget;
    }
}

static Row *
make_row (IsoluxRows *rows, const IsoluxParameter *parameter, Group *group)
{
  Row *row = g_new0 (Row, 1);

  row->rows = rows;
  row->parameter = parameter;
  row->group = group;
  row->usable = TRUE;
  row->label = add_mnemonic (rows->taken, _ (parameter->nick), parameter->nick);
  if (parameter->unit)
    row->unit = g_strdup (_ (parameter->unit));

  row->place = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  gtk_box_pack_start (GTK_BOX (row->place), make_body (row), TRUE, TRUE, 0);
  row->reset = make_reset (row);
  update_label (row);
  update_accessible (row);
  g_ptr_array_add (rows->rows, row);
  return row;
}

/* The two of them below each other, the chain at their right */
static GtkWidget *
make_pair (Row *first, Row *second)
{
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *chain = gimp_chain_button_new (GIMP_CHAIN_RIGHT);
  GtkWidget *button = gimp_chain_button_get_button (GIMP_CHAIN_BUTTON (chain));
  AtkObject *accessible = gtk_widget_get_accessible (button);
  Row       *rows[] = { first, second };

  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 2);
  first->partner = second;
  second->partner = first;
  first->chain = second->chain = chain;

  for (gint i = 0; i < 2; i++)
    {
      gtk_widget_set_hexpand (rows[i]->place, TRUE);
      gtk_grid_attach (GTK_GRID (grid), rows[i]->place, 0, i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), rows[i]->reset, 2, i, 1, 1);
      /* comes after GIMP's own, which has told the config */
      g_signal_connect (
        gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (rows[i]->widget)),
        "value-changed", G_CALLBACK (chained_value_changed), rows[i]);
    }
  gtk_grid_attach (GTK_GRID (grid), chain, 1, 0, 1, 2);

  gimp_chain_button_set_active (GIMP_CHAIN_BUTTON (chain),
                                get_number (first) == get_number (second));
  gtk_widget_set_tooltip_text (button, _("Keep both values the same"));
  if (accessible)
    atk_object_set_name (accessible, _("Keep both values the same"));
  g_signal_connect (chain, "toggled", G_CALLBACK (chain_toggled), first);
  return grid;
}

/* Makes what a parameter needs; returns the last one that it took. */
static const IsoluxParameter *
add_group (IsoluxRows *rows, const IsoluxParameter *parameter)
{
  Group *group = g_new0 (Group, 1);
  Row   *row;

  g_ptr_array_add (rows->groups, group);
  group->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  gtk_box_pack_start (GTK_BOX (parameter->advanced ? rows->advanced_box
                                                   : GTK_WIDGET (rows)),
                      group->box, FALSE, FALSE, 0);

  row = make_row (rows, parameter, group);
  if (parameter->chain && ! g_strcmp0 (parameter[1].name, parameter->chain))
    {
      parameter++;
      gtk_box_pack_start (GTK_BOX (group->box),
                          make_pair (row, make_row (rows, parameter, group)),
                          FALSE, FALSE, 0);
    }
  else
    {
      gtk_box_pack_start (GTK_BOX (row->place), row->reset, FALSE, FALSE, 0);
      gtk_box_pack_start (GTK_BOX (group->box), row->place, FALSE, FALSE, 0);
    }
  return parameter;
}

GtkWidget *
isolux_rows_new_for (GObject     *config,
                     const gchar *operation,
                     const gchar *taken)
{
  IsoluxRows            *rows = g_object_new (ISOLUX_TYPE_ROWS, NULL);
  const IsoluxParameter *parameter = isolux_parameters (operation);
  gboolean               changed = FALSE;

  g_return_val_if_fail (parameter != NULL, GTK_WIDGET (rows));

  rows->config = g_object_ref (config);
  if (taken)
    g_string_append (rows->taken, taken);
  else
    take_dialog_mnemonics (rows->taken);

  g_signal_connect_object (config, "notify", G_CALLBACK (config_notify), rows,
                           0);
  for (; parameter->name; parameter++)
    parameter = add_group (rows, parameter);
  gtk_box_pack_start (GTK_BOX (rows), rows->advanced, FALSE, FALSE, 0);
  gtk_widget_show_all (GTK_WIDGET (rows));
  /* what is hidden stays so when all of the dialog is shown */
  gtk_widget_set_no_show_all (GTK_WIDGET (rows), TRUE);
  update (rows);

  /* what has an effect shall not be out of sight */
  for (guint i = 0; i < rows->rows->len; i++)
    {
      Row *row = rows->rows->pdata[i];

      changed |= row->parameter->advanced && ! is_default (row);
    }
  gtk_expander_set_expanded (GTK_EXPANDER (rows->advanced), changed);
  return GTK_WIDGET (rows);
}

GtkWidget *
isolux_rows_new (GimpProcedure       *procedure,
                 GimpProcedureConfig *config,
                 const gchar         *operation,
                 const gchar         *taken)
{
  return isolux_rows_new_for (G_OBJECT (config), operation, taken);
}

/* ---- The object ---- */

static void
dispose (GObject *object)
{
  IsoluxRows *rows = ISOLUX_ROWS (object);

  g_clear_handle_id (&rows->idle, g_source_remove);
  if (rows->config)
    g_signal_handlers_disconnect_by_data (rows->config, rows);
  G_OBJECT_CLASS (isolux_rows_parent_class)->dispose (object);
}

static void
finalize (GObject *object)
{
  IsoluxRows *rows = ISOLUX_ROWS (object);

  g_clear_object (&rows->config);
  g_clear_object (&rows->labels);
  g_clear_object (&rows->advanced_labels);
  g_ptr_array_unref (rows->rows);
  g_ptr_array_unref (rows->groups);
  g_string_free (rows->taken, TRUE);
  G_OBJECT_CLASS (isolux_rows_parent_class)->finalize (object);
}

static void
isolux_rows_class_init (IsoluxRowsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->finalize = finalize;
}

static void
isolux_rows_init (IsoluxRows *rows)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (rows),
                                  GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing (GTK_BOX (rows), 6);
  rows->rows = g_ptr_array_new_with_free_func (row_free);
  rows->groups = g_ptr_array_new_with_free_func (g_free);
  rows->labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  rows->advanced_labels = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  rows->taken = g_string_new (NULL);
  rows->advanced = gtk_expander_new_with_mnemonic (_("Ad_vanced"));
  rows->advanced_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_set_margin_top (rows->advanced_box, 6);
  gtk_container_add (GTK_CONTAINER (rows->advanced), rows->advanced_box);
}

/* ---- What the dialog has to say ---- */

GtkSizeGroup *
isolux_rows_get_labels (IsoluxRows *rows)
{
  g_return_val_if_fail (ISOLUX_IS_ROWS (rows), NULL);

  return rows->labels;
}

GtkWidget *
isolux_rows_get_widget (IsoluxRows *rows, const gchar *name)
{
  Row *row;

  g_return_val_if_fail (ISOLUX_IS_ROWS (rows), NULL);

  row = find_row (rows, name);
  return row ? row->widget : NULL;
}

static void
make_note (Group *group)
{
  PangoAttrList *attributes = pango_attr_list_new ();
  GtkWidget     *label = gtk_label_new (NULL);

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_line_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  /* as wide as the column, and never wider */
  gtk_label_set_width_chars (GTK_LABEL (label), 10);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 34);
  gtk_style_context_add_class (gtk_widget_get_style_context (label),
                               "isolux-num");

  group->note = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  group->note_icon =
    gtk_image_new_from_icon_name (GIMP_ICON_DIALOG_WARNING, GTK_ICON_SIZE_MENU);
  gtk_widget_set_valign (group->note_icon, GTK_ALIGN_START);
  group->note_label = label;
  gtk_widget_set_margin_start (group->note, 6);
  gtk_widget_set_margin_end (group->note, RESET_WIDTH);
  gtk_box_pack_start (GTK_BOX (group->note), group->note_icon, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (group->note), label, TRUE, TRUE, 0);
  gtk_widget_show (label);
  gtk_box_pack_start (GTK_BOX (group->box), group->note, FALSE, FALSE, 0);
  gtk_box_reorder_child (GTK_BOX (group->box), group->note, 1);
}

void
isolux_rows_set_note (IsoluxRows  *rows,
                      const gchar *name,
                      const gchar *text,
                      gboolean     warning)
{
  Row             *row;
  Group           *group;
  GtkStyleContext *style;

  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  row = find_row (rows, name);
  if (! row)
    return;
  group = row->group;
  if (! text || ! *text)
    {
      if (group->note)
        gtk_widget_hide (group->note);
      return;
    }

  if (! group->note)
    make_note (group);
  gtk_label_set_text (GTK_LABEL (group->note_label), text);
  style = gtk_widget_get_style_context (group->note_label);
  if (warning)
    gtk_style_context_remove_class (style, "isolux-dim");
  else
    gtk_style_context_add_class (style, "isolux-dim");
  gtk_widget_set_visible (group->note_icon, warning);
  gtk_widget_show (group->note);
}

void
isolux_rows_set_unit (IsoluxRows  *rows,
                      const gchar *name,
                      const gchar *unit,
                      gdouble      low,
                      gdouble      high)
{
  Row *row;

  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  row = find_row (rows, name);
  if (! row || ! GIMP_IS_SPIN_SCALE (row->widget))
    return;

  if (unit && ! *unit)
    unit = NULL;
  if (g_strcmp0 (unit, row->unit))
    {
      g_free (row->unit);
      row->unit = g_strdup (unit);
      update_label (row);
    }

  low = MAX (low, row->parameter->minimum);
  high = MIN (high, row->parameter->maximum);
  if (low < high)
    {
      gimp_spin_scale_set_scale_limits (GIMP_SPIN_SCALE (row->widget), low,
                                        high);
      gimp_spin_scale_set_gamma (GIMP_SPIN_SCALE (row->widget),
                                 low < 0.0 ? 1.0 : row->parameter->ui_gamma);
    }
}

void
isolux_rows_set_digits (IsoluxRows  *rows,
                        const gchar *name,
                        gint         digits,
                        gdouble      step)
{
  Row *row;

  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  row = find_row (rows, name);
  if (! row || ! GIMP_IS_SPIN_SCALE (row->widget))
    return;
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (row->widget),
                              CLAMP (digits, 0, 9));
  if (step > 0.0)
    gtk_spin_button_set_increments (GTK_SPIN_BUTTON (row->widget), step,
                                    step * row->parameter->page /
                                      row->parameter->step);
}

void
isolux_rows_set_word_label (IsoluxRows  *rows,
                            const gchar *name,
                            const gchar *word,
                            const gchar *label)
{
  Row        *row;
  GtkTreeIter iter;
  gint        n = 0;

  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  row = find_row (rows, name);
  if (! row || ! row->words)
    return;
  while (row->parameter->words[n].word &&
         strcmp (row->parameter->words[n].word, word))
    n++;
  if (row->parameter->words[n].word &&
      gtk_tree_model_iter_nth_child (GTK_TREE_MODEL (row->words), &iter, NULL,
                                     n))
    gtk_list_store_set (row->words, &iter, 1,
                        label ? label : _ (row->parameter->words[n].label), -1);
}

void
isolux_rows_set_usable (IsoluxRows  *rows,
                        const gchar *name,
                        gboolean     usable,
                        const gchar *reason)
{
  Row *row;

  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  row = find_row (rows, name);
  if (! row)
    return;
  row->usable = usable;
  g_free (row->reason);
  row->reason = g_strdup (reason);
  update_accessible (row);
  update (rows);
}

void
isolux_rows_insert (IsoluxRows *rows, const gchar *name, GtkWidget *widget)
{
  Row *row;

  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  row = find_row (rows, name);
  if (! row)
    return;
  gtk_widget_show (widget);
  gtk_box_pack_start (GTK_BOX (row->group->box), widget, FALSE, FALSE, 0);
}

void
isolux_rows_reset (IsoluxRows *rows)
{
  g_return_if_fail (ISOLUX_IS_ROWS (rows));

  g_object_freeze_notify (rows->config);
  for (guint i = 0; i < rows->rows->len; i++)
    set_default (rows->rows->pdata[i]);
  g_object_thaw_notify (rows->config);
}

gboolean
isolux_rows_is_default (IsoluxRows *rows)
{
  g_return_val_if_fail (ISOLUX_IS_ROWS (rows), TRUE);

  for (guint i = 0; i < rows->rows->len; i++)
    if (! is_default (rows->rows->pdata[i]))
      return FALSE;
  return TRUE;
}

const gchar *
isolux_rows_get_mnemonics (IsoluxRows *rows)
{
  g_return_val_if_fail (ISOLUX_IS_ROWS (rows), "");

  return rows->taken->str;
}
