/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-numbers.c: figures before and after.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "format.h"

/* Decimals of values of a range */
static gint
value_digits (gdouble range, gint more)
{
  gint digits = isolux_format_digits (MAX (range, 1e-9) / 1000.0);

  return CLAMP (digits + more, 0, 9);
}

/* The result of maps is shown in units of its own: codes, bits */
static gdouble
output_factor (IsoluxDialog *dialog)
{
  static const gdouble tops[3] = { 255.0, 65535.0, 1.0 };
  gdouble              low;
  gdouble              high;

  if (! dialog->opened)
    return 1.0;
  isolux_dialog_get_output (dialog, &low, &high);
  return high / tops[dialog->source->image.type];
}

gchar *
isolux_dialog_format_value (IsoluxDialog *dialog,
                            gdouble       value,
                            gint          more,
                            gboolean      output)
{
  const IsoluxHistogram *histogram =
    dialog->result ? dialog->result->before.histogram : NULL;
  gboolean codes = ! histogram || histogram->type != ISOLUX_TYPE_F32;
  gboolean real = dialog->is_real && ! output;
  gdouble  factor = real ? fabs (dialog->values.slope) : 1.0;
  gdouble  range = codes    ? 255.0
                   : output ? 1.0
                            : histogram->high - histogram->low;

  if (output)
    {
      factor = output_factor (dialog);
      value *= factor;
      if (codes && histogram)
        range = histogram->type == ISOLUX_TYPE_U16 ? 65535.0 : 255.0;
    }
  if (real)
    value = isolux_real_values_from_code (&dialog->values, value);
  return isolux_format_value (value,
                              codes && factor == floor (factor)
                                ? more
                                : value_digits (range * factor, more),
                              real ? dialog->values.unit : NULL);
}

gchar *
isolux_dialog_format_range (IsoluxDialog *dialog, gdouble low, gdouble high)
{
  const IsoluxHistogram *histogram =
    dialog->result ? dialog->result->before.histogram : NULL;
  const gchar *unit = NULL;
  gdouble      other;
  gint         digits = 0;

  if (histogram && histogram->type == ISOLUX_TYPE_F32)
    digits = value_digits (histogram->high - histogram->low, 0);
  if (dialog->is_real)
    {
      const IsoluxRealValues *values = &dialog->values;

      if (digits > 0 || values->slope != floor (values->slope))
        digits = value_digits ((high - low) * fabs (values->slope), 0);
      low = isolux_real_values_from_code (values, low);
      high = isolux_real_values_from_code (values, high);
      unit = values->unit;
    }
  if (low > high)
    {
      other = low;
      low = high;
      high = other;
    }
  return isolux_format_range (low, high, digits, unit);
}

static const gchar *const value_names[ISOLUX_NUMBERS] = {
  N_("Minimum"),        N_("Maximum"),
  N_("Mean"),           N_("Standard deviation"),
  N_("Entropy (bits)"), N_("Saturated")
};

static const gchar *const cell_names[ISOLUX_NUMBERS] = {
  N_("Cells"),
  N_("Blocks"),
  N_("Values a block"),
  N_("Length of the vector"),
  N_("Strongest orientation"),
  N_("Vector in memory")
};

/* ---- Lines -------------------------------------------------------- */

static void
set_line (IsoluxDialog *dialog,
          gint          line,
          const gchar  *name,
          gchar        *before,
          gchar        *after,
          const gchar  *tooltip)
{
  static const gchar *const sides[3] = { NULL, N_("before"), N_("after") };
  gchar                    *texts[3] = { g_strdup (name), before, after };
  gboolean                  about = dialog->result && dialog->result->estimated;

  for (gint i = 0; i < 3; i++)
    {
      GtkWidget *label = dialog->numbers[line][i];
      gchar     *text = texts[i];

      if (text && i > 0 && about)
        text = g_strconcat ("≈ ", texts[i], NULL);
      gtk_label_set_text (GTK_LABEL (label), text ? text : "");
      gtk_widget_set_visible (label, text != NULL);
      gtk_widget_set_tooltip_text (label, tooltip);
      gtk_widget_set_opacity (label, i > 0 && about ? 0.78 : 1.0);
      if (i > 0)
        {
          gchar *what = NULL;

          if (texts[i])
            what = after ? g_strdup_printf ("%s, %s", name, _ (sides[i]))
                         : g_strdup (name);
          isolux_widget_set_description (label, what ? what : "");
          g_free (what);
        }
      if (text != texts[i])
        g_free (text);
      g_free (texts[i]);
    }
}

static gchar *
value (IsoluxDialog *dialog, gdouble number, gint more, gboolean output)
{
  return isolux_dialog_format_value (dialog, number, more, output);
}

/* A number of the result */
static gchar *
output (IsoluxDialog *dialog, gdouble number, gint more)
{
  if (isolux_dialog_counts_codes (dialog))
    return isolux_format_number (number, more);
  return isolux_dialog_format_value (dialog, number, more, TRUE);
}

/* A difference of values: the intercept has no part in it */
static gchar *
deviation (IsoluxDialog *dialog, gdouble number)
{
  if (dialog->is_real)
    number = number * fabs (dialog->values.slope) / dialog->values.slope +
             (0.0 - dialog->values.intercept) / dialog->values.slope;
  return isolux_dialog_format_value (dialog, number, 1, FALSE);
}

static void
show_values (IsoluxDialog *dialog)
{
  const IsoluxEngineSide *before = &dialog->result->before;
  const IsoluxEngineSide *after = &dialog->result->after;

  if (! before->histogram || ! after->histogram)
    return;
  set_line (dialog, 0, _ (value_names[0]),
            value (dialog, before->statistics.minimum, 0, FALSE),
            output (dialog, after->statistics.minimum, 0),
            _("The lowest value that counts"));
  set_line (dialog, 1, _ (value_names[1]),
            value (dialog, before->statistics.maximum, 0, FALSE),
            output (dialog, after->statistics.maximum, 0),
            _("The highest value that counts"));
  set_line (dialog, 2, _ (value_names[2]),
            value (dialog, before->statistics.mean, 1, FALSE),
            output (dialog, after->statistics.mean, 1),
            _("The arithmetic mean of all values that count"));
  set_line (dialog, 3, _ (value_names[3]),
            deviation (dialog, before->statistics.sd),
            output (dialog, after->statistics.sd, 1),
            _("How far values are from the mean (root of the mean square, of "
              "all pixels)"));
  set_line (dialog, 4, _ (value_names[4]),
            isolux_format_number (before->statistics.entropy, 2),
            isolux_format_number (after->statistics.entropy, 2),
            _("Shannon's entropy of the histogram: 0 for one value, the more "
              "the more evenly values are spread"));
  set_line (dialog, 5, _ (value_names[5]),
            isolux_format_percent (before->saturated, 2),
            isolux_dialog_counts_codes (dialog)
              ? g_strdup ("–")
              : isolux_format_percent (after->saturated, 2),
            _("Share of pixels at the lowest or the highest possible value"));
}

static void
show_cells (IsoluxDialog *dialog)
{
  const IsoluxEngineResult *result = dialog->result;
  gint                      orientations;
  gint                      block;
  gboolean                  is_signed;
  gint64                    across;
  gint64                    down;
  gdouble                   length;
  gint                      strongest = 0;
  gdouble                   each;
  gchar                    *a;
  gchar                    *b;

  g_object_get (dialog->config, "orientations", &orientations, "block-size",
                &block, "signed-gradient", &is_signed, NULL);
  across = MAX (result->grid.tiles_x - block + 1, 0);
  down = MAX (result->grid.tiles_y - block + 1, 0);
  length = (gdouble) across * (gdouble) down * block * block * orientations;
  if (across == 0 || down == 0)
    length = 0.0;

  a = isolux_format_number (result->grid.tiles_x, 0);
  b = isolux_format_number (result->grid.tiles_y, 0);
  set_line (dialog, 0, _ (cell_names[0]), g_strdup_printf (_("%s × %s"), a, b),
            NULL, _("Whole cells across and down"));
  g_free (b);
  g_free (a);

  a = isolux_format_number ((gdouble) across, 0);
  b = isolux_format_number ((gdouble) down, 0);
  set_line (dialog, 1, _ (cell_names[1]), g_strdup_printf (_("%s × %s"), a, b),
            NULL, _("Blocks begin at every cell"));
  g_free (b);
  g_free (a);

  a = isolux_format_number ((gdouble) block * block * orientations, 0);
  /* Translators: cells across, cells down, orientations, and their product */
  set_line (dialog, 2, _ (cell_names[2]),
            g_strdup_printf (_("%d × %d × %d = %s"), block, block,
                             orientations, a),
            NULL, _("Cells of a block by orientations"));
  g_free (a);
  set_line (dialog, 3, _ (cell_names[3]), isolux_format_number (length, 0),
            NULL, _("How many values the vector of all blocks has"));

  for (gint i = 1; i < result->orientations; i++)
    if (result->orientation_shares[i] > result->orientation_shares[strongest])
      strongest = i;
  each = (is_signed ? 360.0 : 180.0) / MAX (result->orientations, 1);
  a = isolux_format_short (strongest * each, 1);
  b = isolux_format_short ((strongest + 1) * each, 1);
  set_line (dialog, 4, _ (cell_names[4]),
            /* Translators: a range of angles */
            result->orientations > 0 ? g_strdup_printf (_("%s–%s°"), a, b)
                                     : g_strdup ("–"),
            NULL, _("The direction in which values change most"));
  g_free (b);
  g_free (a);
  set_line (dialog, 5, _ (cell_names[5]),
            isolux_format_bytes ((guint64) (length * sizeof (gdouble))), NULL,
            _("As double-precision numbers"));
}

void
isolux_numbers_update (IsoluxDialog *dialog)
{
  gboolean cells = dialog->orientations;

  if (! dialog->result)
    return;
  for (gint i = 0; i < 2; i++)
    gtk_widget_set_visible (dialog->numbers_heads[i], ! cells);
  if (cells)
    show_cells (dialog);
  else
    show_values (dialog);
  gtk_widget_set_visible (dialog->measure_row,
                          ! cells && ! isolux_dialog_has_output (dialog));
  gtk_widget_set_sensitive (dialog->measure_row, dialog->loaded);
}

/* ---- Measures ----------------------------------------------------- */

/* What was measured is not that of the present settings */
void
isolux_numbers_stale (IsoluxDialog *dialog)
{
  if (dialog->measured)
    gtk_widget_set_opacity (dialog->measure_label, 0.5);
}

static void
measure_clicked (GtkButton *button, IsoluxDialog *dialog)
{
  isolux_engine_measure (dialog->engine);
}

static void
measured (IsoluxEngine        *engine,
          const IsoluxMetrics *metrics,
          const GError        *error,
          IsoluxDialog        *dialog)
{
  gchar *ambe;
  gchar *psnr;
  gchar *ssim;
  gchar *text;

  if (error)
    text = g_strdup (error->message);
  else
    {
      ambe = isolux_format_number (metrics->ambe, 1);
      psnr = isolux_format_number (metrics->psnr, 1);
      ssim = isolux_format_number (metrics->ssim, 3);
      text = g_strdup_printf (_("AMBE %s · PSNR %s dB · SSIM %s"), ambe, psnr,
                              ssim);
      g_free (ssim);
      g_free (psnr);
      g_free (ambe);
    }
  gtk_label_set_text (GTK_LABEL (dialog->measure_label), text);
  gtk_widget_set_opacity (dialog->measure_label, 1.0);
  dialog->measured = TRUE;
  g_free (text);
}

static GtkWidget *
measure_new (IsoluxDialog *dialog)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *button = gtk_button_new_with_mnemonic (_("_Measure"));

  dialog->measure_row = row;
  dialog->measure_label = isolux_label_new (_("AMBE, PSNR, SSIM"), 0.83, TRUE);
  isolux_label_tabular (dialog->measure_label);
  gtk_label_set_line_wrap (GTK_LABEL (dialog->measure_label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (dialog->measure_label), 30);
  gtk_widget_set_tooltip_text (
    dialog->measure_label,
    _("AMBE: difference of the mean values. PSNR: peak signal-to-noise "
      "ratio. SSIM: structural similarity, 1 for equal images"));
  gtk_widget_set_tooltip_text (button, _("Compute AMBE, PSNR and SSIM of "
                                         "result against original"));
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  g_signal_connect (button, "clicked", G_CALLBACK (measure_clicked), dialog);
  gtk_box_pack_start (GTK_BOX (row), dialog->measure_label, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), button, FALSE, FALSE, 0);
  gtk_widget_set_margin_start (row, 6);
  gtk_widget_set_margin_end (row, 24);
  isolux_widget_add_class (row, "isolux-bar");
  g_signal_connect (dialog->engine, "measured", G_CALLBACK (measured), dialog);
  gtk_widget_show_all (row);
  gtk_widget_set_no_show_all (row, TRUE);
  return row;
}

/* ---- Building ----------------------------------------------------- */

static void
expander_changed (GtkExpander *expander, GParamSpec *spec, IsoluxDialog *dialog)
{
  dialog->memory.numbers = gtk_expander_get_expanded (expander);
}

/* In a low window the numbers are folded away */
void
isolux_numbers_fold (IsoluxDialog *dialog, gboolean fold)
{
  GtkWidget *from = fold ? dialog->numbers_frame : dialog->numbers_expander;
  GtkWidget *to = fold ? dialog->numbers_expander : dialog->numbers_frame;

  if (gtk_widget_get_parent (dialog->numbers_content) == from)
    gtk_container_remove (GTK_CONTAINER (from), dialog->numbers_content);
  if (! gtk_widget_get_parent (dialog->numbers_content))
    gtk_container_add (GTK_CONTAINER (to), dialog->numbers_content);
  gtk_widget_set_visible (from, FALSE);
  gtk_widget_set_visible (to, TRUE);
}

GtkWidget *
isolux_numbers_new (IsoluxDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *content = gtk_box_new (GTK_ORIENTATION_VERTICAL, 5);
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 1);
  gtk_widget_set_margin_start (grid, 6);
  gtk_widget_set_margin_end (grid, 24);
  for (gint i = 0; i < 2; i++)
    {
      PangoAttrList *attributes = pango_attr_list_new ();

      dialog->numbers_heads[i] = gtk_label_new (i ? _("After") : _("Before"));
      pango_attr_list_insert (attributes, pango_attr_scale_new (0.88));
      pango_attr_list_insert (attributes,
                              pango_attr_weight_new (PANGO_WEIGHT_BOLD));
      gtk_label_set_attributes (GTK_LABEL (dialog->numbers_heads[i]),
                                attributes);
      pango_attr_list_unref (attributes);
      gtk_label_set_xalign (GTK_LABEL (dialog->numbers_heads[i]), 1.0);
      gtk_widget_set_hexpand (dialog->numbers_heads[i], TRUE);
      gtk_grid_attach (GTK_GRID (grid), dialog->numbers_heads[i], i + 1, 0, 1,
                       1);
    }
  for (gint i = 0; i < ISOLUX_NUMBERS; i++)
    for (gint j = 0; j < 3; j++)
      {
        GtkWidget *label = isolux_label_new ("", 0.92, FALSE);

        dialog->numbers[i][j] = label;
        isolux_label_tabular (label);
        if (j > 0)
          {
            gtk_label_set_xalign (GTK_LABEL (label), 1.0);
            gtk_widget_set_hexpand (label, TRUE);
          }
        gtk_grid_attach (GTK_GRID (grid), label, j, i + 1, 1, 1);
      }
  gtk_widget_show_all (grid);
  gtk_box_pack_start (GTK_BOX (content), grid, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (content), measure_new (dialog), FALSE, FALSE, 0);
  gtk_widget_show (content);
  dialog->numbers_content = g_object_ref_sink (content);

  dialog->numbers_frame = gimp_frame_new (_("Numbers"));
  dialog->numbers_expander = gtk_expander_new (_("Numbers"));
  gtk_expander_set_expanded (GTK_EXPANDER (dialog->numbers_expander),
                             dialog->memory.numbers);
  g_signal_connect (dialog->numbers_expander, "notify::expanded",
                    G_CALLBACK (expander_changed), dialog);
  gtk_box_pack_start (GTK_BOX (box), dialog->numbers_frame, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->numbers_expander, FALSE, FALSE, 0);
  isolux_numbers_fold (dialog, FALSE);
  gtk_widget_show (box);

  /* names without numbers, so that all is in its place */
  if (dialog->orientations)
    for (gint i = 0; i < 2; i++)
      gtk_widget_hide (dialog->numbers_heads[i]);
  for (gint i = 0; i < ISOLUX_NUMBERS; i++)
    gtk_label_set_text (GTK_LABEL (dialog->numbers[i][0]),
                        dialog->orientations ? _ (cell_names[i])
                                             : _ (value_names[i]));
  return box;
}
