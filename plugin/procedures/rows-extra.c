/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows-extra.c: widgets for the rows of single operations: CLAHE's clip limit
 * in the units of other programs, and windows for tissues.
 */
#include <glib/gi18n-lib.h>
#include <math.h>

#include "format.h"
#include "rows.h"

/* The place of the reset buttons */
#define RIGHT_MARGIN 26

static GtkWidget *
make_label (const gchar *text, gdouble scale, gdouble align, gboolean dim)
{
  GtkWidget       *label = gtk_label_new (text);
  PangoAttrList   *attributes = pango_attr_list_new ();
  GtkStyleContext *style = gtk_widget_get_style_context (label);

  pango_attr_list_insert (attributes, pango_attr_scale_new (scale));
  gtk_label_set_attributes (GTK_LABEL (label), attributes);
  pango_attr_list_unref (attributes);
  gtk_label_set_xalign (GTK_LABEL (label), (gfloat) align);
  gtk_style_context_add_class (style, "isolux-num");
  if (dim)
    gtk_style_context_add_class (style, "isolux-dim");
  return label;
}

/* ---- The clip limit ---- */

enum
{
  OPENCV,
  SCIKIT,
  FIJI,
  PIXELS,
  N_UNITS
};

static const gchar *const unit_names[N_UNITS] = {
  [OPENCV] = "OpenCV",
  [SCIKIT] = "scikit-image",
  [FIJI] = N_("Fiji slope"),
  [PIXELS] = N_("Pixels a bin"),
};

GtkWidget *
isolux_clip_units_new (void)
{
  GtkWidget  *grid = gtk_grid_new ();
  GtkWidget **values = g_new0 (GtkWidget *, N_UNITS);

  gtk_grid_set_column_spacing (GTK_GRID (grid), 10);
  gtk_widget_set_margin_start (grid, 6);
  gtk_widget_set_margin_end (grid, RIGHT_MARGIN);
  for (gint i = 0; i < N_UNITS; i++)
    {
      const gchar *name = _ (unit_names[i]);
      GtkWidget   *label = make_label (name, 0.83, 0.0, TRUE);
      AtkObject   *accessible;

      values[i] = make_label ("", 0.83, 1.0, FALSE);
      gtk_widget_set_hexpand (values[i], TRUE);
      if (i % 2)
        gtk_widget_set_margin_start (label, 18);
      gtk_grid_attach (GTK_GRID (grid), label, i % 2 * 2, i / 2, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), values[i], i % 2 * 2 + 1, i / 2, 1, 1);

      accessible = gtk_widget_get_accessible (values[i]);
      if (accessible)
        atk_object_set_description (accessible, name);
      if (i == OPENCV)
        {
          const gchar *text =
            _("OpenCV rounds the limit down to whole pixels, "
              "at least 1; at 16 bits and small tiles its "
              "effect is stronger.");

          gtk_widget_set_tooltip_text (label, text);
          gtk_widget_set_tooltip_text (values[i], text);
        }
    }
  g_object_set_data_full (G_OBJECT (grid), "isolux-values", values, g_free);
  gtk_widget_show_all (grid);
  /* it fills its column but does not let it grow */
  gtk_widget_set_hexpand (grid, FALSE);
  return grid;
}

void
isolux_clip_units_set (GtkWidget *units,
                       gdouble    limit,
                       gint       bins,
                       gdouble    tile_pixels)
{
  GtkWidget **values = g_object_get_data (G_OBJECT (units), "isolux-values");
  gdouble     pixels = bins > 0 ? limit * tile_pixels / bins : 0.0;

  g_return_if_fail (values != NULL);

  for (gint i = 0; i < N_UNITS; i++)
    {
      gchar *text;

      if (! (limit > 0.0) || bins < 1)
        text = g_strdup (_("no limit"));
      else if (i == SCIKIT)
        text = isolux_format_number (limit / bins, 4);
      else if (i == PIXELS)
        text = isolux_format_number (pixels, pixels < 1000.0 ? 1 : 0);
      else
        text = isolux_format_number (limit, limit < 1.0 ? 2 : 1);
      gtk_label_set_text (GTK_LABEL (values[i]), text);
      g_free (text);
    }
}

/* ---- Tissues ---- */

/*
 * Tissue: a window
 * @width, @level: in Hounsfield units; the full range has what it has
 */
typedef struct
{
  const gchar *name;
  gdouble      width;
  gdouble      level;
} Tissue;

/* The values are OHIF's, that of the mediastinum is Weasis's. */
static const Tissue tissues[] = {
  { N_("Brain"), 80, 40 },        { N_("Abdomen"), 400, 40 },
  { N_("Lung"), 1500, -600 },     { N_("Bone"), 2500, 480 },
  { N_("Mediastinum"), 400, 80 }, { N_("Full range"), 0, 0 },
};

#define N_TISSUES ((gint) G_N_ELEMENTS (tissues))

typedef struct
{
  GObject   *config;
  gdouble    width[G_N_ELEMENTS (tissues)];
  gdouble    level[G_N_ELEMENTS (tissues)];
  GtkWidget *buttons[G_N_ELEMENTS (tissues)];
  GtkWidget *names[G_N_ELEMENTS (tissues)];
  GtkWidget *values[G_N_ELEMENTS (tissues)];
  gboolean   updating;
} Tissues;

static void
tissues_free (gpointer data)
{
  Tissues *all = data;

  g_object_unref (all->config);
  g_free (all);
}

/* A window's number as people say it: no separators, the right minus */
static gchar *
format_number (gdouble value)
{
  gchar *plain = g_strdup_printf ("%.0f", fabs (value));
  gchar *text;

  if (value > -0.5)
    return plain;
  text = g_strconcat ("\u2212", plain, NULL);
  g_free (plain);
  return text;
}

static void
update_button (Tissues *all, gint n)
{
  AtkObject *accessible = gtk_widget_get_accessible (all->buttons[n]);
  gchar     *width = format_number (all->width[n]);
  gchar     *level = format_number (all->level[n]);
  gchar     *values;
  gchar     *name;

  /* Translators: a window's width and level: W 400 · L 40 */
  values = all->width[n] > 0.0
             ? g_strdup_printf (_("W %s · L %s"), width, level)
             : g_strdup ("");
  name = *values ? g_strdup_printf ("%s, %s", _ (tissues[n].name), values)
                 : g_strdup (_ (tissues[n].name));
  gtk_label_set_text (GTK_LABEL (all->values[n]), values);
  gtk_widget_set_sensitive (all->buttons[n], all->width[n] > 0.0);
  if (accessible)
    atk_object_set_name (accessible, name);
  g_free (name);
  g_free (values);
  g_free (level);
  g_free (width);
}

/* Presses the button whose values are set. */
static void
update_pressed (Tissues *all)
{
  gchar  *mode;
  gdouble width, level;

  if (all->updating)
    return;
  all->updating = TRUE;
  g_object_get (all->config, "mode", &mode, "width", &width, "center", &level,
                NULL);
  for (gint i = 0; i < N_TISSUES; i++)
    {
      gboolean is = ! g_strcmp0 (mode, "window") && all->width[i] > 0.0 &&
                    fabs (all->width[i] - width) < 1e-6 &&
                    fabs (all->level[i] - level) < 1e-6;
      PangoAttrList *attributes = pango_attr_list_new ();

      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (all->buttons[i]), is);
      pango_attr_list_insert (attributes, pango_attr_scale_new (0.92));
      pango_attr_list_insert (attributes,
                              pango_attr_weight_new (is ? PANGO_WEIGHT_BOLD
                                                        : PANGO_WEIGHT_NORMAL));
      gtk_label_set_attributes (GTK_LABEL (all->names[i]), attributes);
      pango_attr_list_unref (attributes);
    }
  g_free (mode);
  all->updating = FALSE;
}

static void
config_notify (GObject *config, GParamSpec *spec, GtkWidget *grid)
{
  update_pressed (g_object_get_data (G_OBJECT (grid), "isolux-tissues"));
}

static void
destroyed (GtkWidget *grid, GObject *config)
{
  g_signal_handlers_disconnect_by_func (config, config_notify, grid);
}

static void
choose (Tissues *all, gint n)
{
  g_object_freeze_notify (all->config);
  g_object_set (all->config, "mode", "window", "width", all->width[n], "center",
                all->level[n], NULL);
  g_object_thaw_notify (all->config);
}

static void
clicked (GtkButton *button, Tissues *all)
{
  if (all->updating)
    return;
  for (gint i = 0; i < N_TISSUES; i++)
    if (all->buttons[i] == GTK_WIDGET (button))
      choose (all, i);
  /* a click on the pressed one shall not release it */
  update_pressed (all);
}

GtkWidget *
isolux_tissues_new_for (GObject *config)
{
  GtkWidget *grid = gtk_grid_new ();
  Tissues   *all = g_new0 (Tissues, 1);

  all->config = g_object_ref (config);
  g_object_set_data_full (G_OBJECT (grid), "isolux-tissues", all, tissues_free);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 4);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_grid_set_column_homogeneous (GTK_GRID (grid), TRUE);
  gtk_widget_set_margin_end (grid, RIGHT_MARGIN);
  gtk_style_context_add_class (gtk_widget_get_style_context (grid),
                               "isolux-tissues");

  for (gint i = 0; i < N_TISSUES; i++)
    {
      GtkWidget *button = gtk_toggle_button_new ();
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      all->width[i] = tissues[i].width;
      all->level[i] = tissues[i].level;
      all->buttons[i] = button;
      all->names[i] = make_label (_ (tissues[i].name), 0.92, 0.5, FALSE);
      all->values[i] = make_label ("", 0.78, 0.5, TRUE);
      /* a long name is shortened rather than the column widened */
      gtk_label_set_ellipsize (GTK_LABEL (all->names[i]), PANGO_ELLIPSIZE_END);
      gtk_box_pack_start (GTK_BOX (box), all->names[i], FALSE, FALSE, 0);
      gtk_box_pack_start (GTK_BOX (box), all->values[i], FALSE, FALSE, 0);
      gtk_container_add (GTK_CONTAINER (button), box);
      gtk_widget_set_hexpand (button, TRUE);
      gtk_grid_attach (GTK_GRID (grid), button, i % 3, i / 3, 1, 1);
      g_signal_connect (button, "clicked", G_CALLBACK (clicked), all);
      update_button (all, i);
    }
  g_signal_connect (config, "notify", G_CALLBACK (config_notify), grid);
  g_signal_connect (grid, "destroy", G_CALLBACK (destroyed), config);
  update_pressed (all);
  gtk_widget_show_all (grid);
  gtk_widget_set_hexpand (grid, FALSE);
  return grid;
}

GtkWidget *
isolux_tissues_new (GimpProcedureConfig *config)
{
  return isolux_tissues_new_for (G_OBJECT (config));
}

void
isolux_tissues_set_range (GtkWidget *widget, gdouble low, gdouble high)
{
  Tissues *all = g_object_get_data (G_OBJECT (widget), "isolux-tissues");

  g_return_if_fail (all != NULL);

  all->width[N_TISSUES - 1] = high > low ? high - low : 0.0;
  all->level[N_TISSUES - 1] = low + (high - low) / 2.0;
  update_button (all, N_TISSUES - 1);
  update_pressed (all);
}

gboolean
isolux_tissues_press (GtkWidget *widget, gint n)
{
  Tissues *all = g_object_get_data (G_OBJECT (widget), "isolux-tissues");

  g_return_val_if_fail (all != NULL, FALSE);

  if (n < 1 || n > N_TISSUES ||
      ! gtk_widget_get_sensitive (all->buttons[n - 1]))
    return FALSE;
  choose (all, n - 1);
  return TRUE;
}
