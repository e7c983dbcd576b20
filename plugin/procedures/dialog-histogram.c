/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-histogram.c: the histogram with its switches, and what the result
 * becomes in it.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "format.h"
#include "palette.h"
#include "vector.h"

/* Items of the choice of the range, in this order */
typedef enum
{
  RANGE_BITS,
  RANGE_MOST,
  RANGE_OCCUPIED,
  RANGE_WINDOW,
  RANGE_FULL,
  RANGE_ZOOM,
  N_RANGES
} Range;

static const gchar *const range_ids[N_RANGES] = { "bits",   "most", "occupied",
                                                  "window", "full", "zoom" };

/* ---- Facts -------------------------------------------------------- */

static gboolean
has_curve (IsoluxDialog *dialog)
{
  return dialog->kind == ISOLUX_OPERATION_EQUALIZE ||
         dialog->kind == ISOLUX_OPERATION_CLAHE ||
         dialog->kind == ISOLUX_OPERATION_WINDOW;
}

static gboolean
has_clip (IsoluxDialog *dialog)
{
  return dialog->kind == ISOLUX_OPERATION_EQUALIZE ||
         dialog->kind == ISOLUX_OPERATION_CLAHE;
}

/* Whether the picture is one of something else than brightness */
static gboolean
is_map (IsoluxDialog *dialog)
{
  return dialog->kind == ISOLUX_OPERATION_CONTRAST_MAP ||
         dialog->kind == ISOLUX_OPERATION_LBP ||
         dialog->kind == ISOLUX_OPERATION_HOG;
}

static IsoluxType
type_of (IsoluxDialog *dialog)
{
  if (dialog->opened)
    return dialog->source->image.type;
  return dialog->depth == 8    ? ISOLUX_TYPE_U8
         : dialog->depth == 16 ? ISOLUX_TYPE_U16
                               : ISOLUX_TYPE_F32;
}

gboolean
isolux_dialog_has_output (IsoluxDialog *dialog)
{
  IsoluxHistogram *before = dialog->result ? dialog->result->before.histogram
                                           : NULL;

  if (is_map (dialog))
    return TRUE;
  if (dialog->kind == ISOLUX_OPERATION_GRAYSCALE)
    return FALSE;
  if (dialog->is_real)
    return TRUE;
  switch (type_of (dialog))
    {
      case ISOLUX_TYPE_U8:
        return FALSE;
      case ISOLUX_TYPE_U16:
        return before && before->bits < 16;
      default:
        return before && (before->low < -0.001 || before->high > 1.001);
    }
}

static gdouble
type_top (IsoluxDialog *dialog)
{
  switch (type_of (dialog))
    {
      case ISOLUX_TYPE_U8:
        return 255.0;
      case ISOLUX_TYPE_U16:
        return 65535.0;
      default:
        return 1.0;
    }
}

/* How many codes a local binary pattern has; 0 for variances */
static gdouble
count_codes (IsoluxDialog *dialog)
{
  gchar  *method;
  gint    points;
  gdouble codes = 0.0;

  g_object_get (dialog->config, "method", &method, "points", &points, NULL);
  if (! g_strcmp0 (method, "default") || ! g_strcmp0 (method, "ror"))
    codes = ldexp (1.0, points);
  else if (! g_strcmp0 (method, "uniform"))
    codes = points + 2.0;
  else if (! g_strcmp0 (method, "nri-uniform"))
    codes = points * (points - 1.0) + 3.0;
  g_free (method);
  return codes;
}

gboolean
isolux_dialog_counts_codes (IsoluxDialog *dialog)
{
  return dialog->kind == ISOLUX_OPERATION_LBP && count_codes (dialog) > 0.0;
}

/* Of the largest value of the type: 8 bits of entropy, the last code */
static gdouble
output_top (IsoluxDialog *dialog)
{
  gdouble top = type_top (dialog);
  gchar  *measure;

  if (dialog->kind == ISOLUX_OPERATION_LBP)
    {
      gdouble codes = count_codes (dialog);

      return codes > 1.0 ? codes - 1.0 : top;
    }
  if (dialog->kind == ISOLUX_OPERATION_CONTRAST_MAP)
    {
      g_object_get (dialog->config, "measure", &measure, NULL);
      top = ! g_strcmp0 (measure, "entropy") ? 8.0 : 1.0;
      g_free (measure);
    }
  return top;
}

void
isolux_dialog_get_output (IsoluxDialog *dialog, gdouble *low, gdouble *high)
{
  *low = 0.0;
  *high = output_top (dialog);
}

/* ---- Series ------------------------------------------------------- */

static void
add_series (GArray                *list,
            const IsoluxHistogram *histogram,
            gint                   channel,
            IsoluxRole             role,
            gboolean               output,
            gdouble                factor)
{
  IsoluxSeries series = { 0 };

  series.role = role;
  series.output = output;
  series.counts = histogram->counts + (gsize) channel * histogram->bins;
  series.n = histogram->bins;
  if (histogram->type == ISOLUX_TYPE_F32)
    {
      series.first = histogram->low * factor;
      series.step = (histogram->high - histogram->low) / histogram->bins *
                    factor;
      if (! (series.step > 0.0))
        series.step = 1e-6;
    }
  else
    {
      series.first = 0.0;
      series.step = (histogram->high + 1.0) / histogram->bins * factor;
      series.codes = factor == 1.0;
    }
  g_array_append_val (list, series);
}

static void
set_series (IsoluxDialog *dialog)
{
  static const IsoluxRole colors[3] = { ISOLUX_ROLE_RED, ISOLUX_ROLE_GREEN,
                                        ISOLUX_ROLE_BLUE };
  const IsoluxEngineSide *before = &dialog->result->before;
  const IsoluxEngineSide *after = &dialog->result->after;
  GArray  *list = g_array_new (FALSE, FALSE, sizeof (IsoluxSeries));
  gboolean output = isolux_dialog_has_output (dialog);
  gdouble  factor = output_top (dialog) / type_top (dialog);

  /* these are counts of codes, not of the picture's values */
  if (isolux_dialog_counts_codes (dialog))
    factor = 1.0;
  if (after->histogram && after->histogram->channels == 3)
    {
      for (gint i = 0; i < 3; i++)
        if (dialog->memory.chips[ISOLUX_CHIP_RED + i])
          add_series (list, after->histogram, i, colors[i], output, factor);
    }
  else if (after->histogram)
    add_series (list, after->histogram, 0, ISOLUX_ROLE_AFTER, output, factor);

  if (before->luma)
    add_series (list, before->luma, 0, ISOLUX_ROLE_BEFORE, FALSE, 1.0);
  else if (before->histogram)
    add_series (list, before->histogram, 0, ISOLUX_ROLE_BEFORE, FALSE, 1.0);

  isolux_histogram_model_set_series (dialog->model,
                                     (const IsoluxSeries *) list->data,
                                     (gint) list->len);
  g_array_free (list, TRUE);
}

/* ---- Axes and ranges ---------------------------------------------- */

static void
get_full (IsoluxDialog *dialog, gdouble *low, gdouble *high)
{
  const IsoluxEngineResult *result = dialog->result;

  *low = 0.0;
  *high = type_top (dialog);
  if (type_of (dialog) != ISOLUX_TYPE_F32 || ! result ||
      ! result->before.histogram)
    return;

  *low = result->before.histogram->low;
  *high = result->before.histogram->high;
  if (! isolux_dialog_has_output (dialog))
    {
      *low = MIN (*low, 0.0);
      *high = MAX (*high, 1.0);
      if (result->after.histogram)
        {
          *low = MIN (*low, result->after.histogram->low);
          *high = MAX (*high, result->after.histogram->high);
        }
    }
  if (*low >= *high)
    *high = *low + 1.0;
}

static void
add_occupied (const IsoluxHistogram *histogram, gdouble *low, gdouble *high)
{
  for (gint i = 0; histogram && i < histogram->channels; i++)
    if (histogram->total[i] > 0)
      {
        *low = MIN (*low, histogram->minimum[i]);
        *high = MAX (*high, histogram->maximum[i]);
      }
}

static void
add_most (const IsoluxHistogram *histogram, gdouble *low, gdouble *high)
{
  for (gint i = 0; histogram && i < histogram->channels; i++)
    if (histogram->total[i] > 0)
      {
        *low = MIN (*low, isolux_histogram_percentile (histogram, i, 0.01));
        *high = MAX (*high, isolux_histogram_percentile (histogram, i, 99.99));
      }
}

static void
set_range (IsoluxDialog *dialog)
{
  const IsoluxEngineResult *result = dialog->result;
  gboolean                  output = isolux_dialog_has_output (dialog);
  gdouble                   low = G_MAXDOUBLE;
  gdouble                   high = -G_MAXDOUBLE;
  gdouble                   more;

  if (! result->before.histogram)
    return;
  switch (dialog->range_kind)
    {
      case RANGE_BITS:
        low = 0.0;
        high = result->before.histogram->high;
        break;
      case RANGE_MOST:
        add_most (result->before.histogram, &low, &high);
        if (! output)
          add_most (result->after.histogram, &low, &high);
        more = 0.02 * (high - low);
        low -= more;
        high += more;
        break;
      case RANGE_OCCUPIED:
        add_occupied (result->before.histogram, &low, &high);
        if (! output)
          add_occupied (result->after.histogram, &low, &high);
        break;
      case RANGE_WINDOW:
        more = 0.5 * (result->window_high - result->window_low);
        low = result->window_low - more;
        high = result->window_high + more;
        break;
      case RANGE_ZOOM:
        return;
      default:
        break;
    }
  if (! (low < high))
    low = high = 0.0; /* all */
  isolux_histogram_model_set_range (dialog->model, low, high);
}

static void range_chosen (GtkComboBox *combo, IsoluxDialog *dialog);

static void
select_range (IsoluxDialog *dialog, gint kind)
{
  dialog->range_kind = kind;
  g_signal_handlers_block_by_func (dialog->range, range_chosen, dialog);
  gtk_combo_box_set_active_id (GTK_COMBO_BOX (dialog->range), range_ids[kind]);
  g_signal_handlers_unblock_by_func (dialog->range, range_chosen, dialog);
}

/* The items depend on what the values are */
static void
fill_ranges (IsoluxDialog *dialog)
{
  GtkComboBoxText *combo = GTK_COMBO_BOX_TEXT (dialog->range);
  IsoluxType       type = type_of (dialog);
  gint             bits = 16;
  gint             kind = dialog->range_kind;
  gchar           *text;
  gboolean         known[N_RANGES] = { FALSE };

  if (dialog->result && dialog->result->before.histogram)
    bits = dialog->result->before.histogram->bits;
  known[RANGE_BITS] = type == ISOLUX_TYPE_U16 && bits < 16;
  known[RANGE_MOST] = type == ISOLUX_TYPE_F32;
  known[RANGE_OCCUPIED] = TRUE;
  known[RANGE_WINDOW] = dialog->kind == ISOLUX_OPERATION_WINDOW;
  known[RANGE_FULL] = TRUE;
  known[RANGE_ZOOM] = TRUE;

  g_signal_handlers_block_by_func (dialog->range, range_chosen, dialog);
  gtk_combo_box_text_remove_all (combo);
  if (known[RANGE_BITS])
    {
      text = g_strdup_printf (_("%d bits used"), bits);
      gtk_combo_box_text_append (combo, range_ids[RANGE_BITS], text);
      g_free (text);
    }
  if (known[RANGE_MOST])
    gtk_combo_box_text_append (combo, range_ids[RANGE_MOST], _("Most values"));
  gtk_combo_box_text_append (combo, range_ids[RANGE_OCCUPIED],
                             dialog->is_real || type == ISOLUX_TYPE_F32
                               ? _("All values")
                               : _("Occupied values"));
  if (known[RANGE_WINDOW])
    gtk_combo_box_text_append (combo, range_ids[RANGE_WINDOW],
                               _("Window ± 50 %"));
  gtk_combo_box_text_append (combo, range_ids[RANGE_FULL], _("Full range"));
  gtk_combo_box_text_append (combo, range_ids[RANGE_ZOOM], _("Zoom…"));
  g_signal_handlers_unblock_by_func (dialog->range, range_chosen, dialog);

  if (! dialog->range_filled || ! known[kind])
    kind = dialog->is_real     ? RANGE_OCCUPIED
           : known[RANGE_BITS] ? RANGE_BITS
           : known[RANGE_MOST] ? RANGE_MOST
                               : RANGE_FULL;
  select_range (dialog, kind);
}

static void
zoom_edited (GtkSpinButton *spin, IsoluxDialog *dialog)
{
  gdouble from = isolux_real_values_to_code (
    &dialog->values,
    gtk_spin_button_get_value (GTK_SPIN_BUTTON (dialog->range_from)));
  gdouble to = isolux_real_values_to_code (
    &dialog->values,
    gtk_spin_button_get_value (GTK_SPIN_BUTTON (dialog->range_to)));

  if (from != to)
    isolux_histogram_model_set_range (dialog->model, MIN (from, to),
                                      MAX (from, to));
}

static GtkWidget *
zoom_entry (IsoluxDialog *dialog, GtkWidget *grid, gint row, const gchar *text)
{
  GtkWidget *label = gtk_label_new_with_mnemonic (text);
  GtkWidget *spin = gtk_spin_button_new_with_range (-1e9, 1e9, 1.0);

  gtk_label_set_xalign (GTK_LABEL (label), 0.0);
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), spin);
  gtk_entry_set_activates_default (GTK_ENTRY (spin), FALSE);
  gtk_grid_attach (GTK_GRID (grid), label, 0, row, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), spin, 1, row, 1, 1);
  g_signal_connect (spin, "value-changed", G_CALLBACK (zoom_edited), dialog);
  return spin;
}

static void
set_zoom_entry (IsoluxDialog *dialog,
                GtkWidget    *spin,
                gdouble       code,
                gdouble       step)
{
  g_signal_handlers_block_by_func (spin, zoom_edited, dialog);
  gtk_spin_button_set_digits (GTK_SPIN_BUTTON (spin),
                              (guint) isolux_format_digits (step));
  gtk_spin_button_set_increments (GTK_SPIN_BUTTON (spin), step, 10.0 * step);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin),
                             isolux_real_values_from_code (&dialog->values,
                                                           code));
  g_signal_handlers_unblock_by_func (spin, zoom_edited, dialog);
}

static void
show_zoom (IsoluxDialog *dialog)
{
  gdouble low;
  gdouble high;
  gdouble step;

  if (! dialog->range_popover)
    {
      GtkWidget *grid = gtk_grid_new ();

      dialog->range_popover = gtk_popover_new (dialog->range);
      gtk_container_set_border_width (GTK_CONTAINER (grid), 8);
      gtk_grid_set_row_spacing (GTK_GRID (grid), 6);
      gtk_grid_set_column_spacing (GTK_GRID (grid), 8);
      dialog->range_from = zoom_entry (dialog, grid, 0, _("F_rom"));
      dialog->range_to = zoom_entry (dialog, grid, 1, _("_To"));
      gtk_widget_show_all (grid);
      gtk_container_add (GTK_CONTAINER (dialog->range_popover), grid);
    }
  isolux_histogram_model_get_range (dialog->model, &low, &high);
  step = type_of (dialog) == ISOLUX_TYPE_F32
           ? pow (10.0, floor (log10 (MAX (high - low, 1e-9) / 100.0)))
           : 1.0;
  set_zoom_entry (dialog, dialog->range_from, low, step);
  set_zoom_entry (dialog, dialog->range_to, high, step);
  gtk_popover_popup (GTK_POPOVER (dialog->range_popover));
}

static gboolean
show_zoom_later (gpointer data)
{
  show_zoom (data);
  return G_SOURCE_REMOVE;
}

static void
range_chosen (GtkComboBox *combo, IsoluxDialog *dialog)
{
  const gchar *id = gtk_combo_box_get_active_id (combo);

  for (gint i = 0; id && i < N_RANGES; i++)
    if (! strcmp (id, range_ids[i]))
      dialog->range_kind = i;
  if (dialog->range_kind == RANGE_ZOOM)
    g_idle_add (show_zoom_later, dialog); /* the list has the grab */
  else if (dialog->result)
    set_range (dialog);
}

static void
range_changed (IsoluxHistogramView *view, IsoluxDialog *dialog)
{
  if (gtk_widget_get_visible (dialog->range))
    select_range (dialog, RANGE_ZOOM);
  else
    dialog->range_kind = RANGE_ZOOM;
}

/* ---- Marks -------------------------------------------------------- */

static void
set_clip (IsoluxDialog *dialog)
{
  const IsoluxParameter *parameter =
    isolux_parameters (dialog->effect->operation);
  gdouble limit;

  while (parameter->name && strcmp (parameter->name, "clip-limit"))
    parameter++;
  if (! parameter->name || ! dialog->result ||
      ! (dialog->result->clip_mean > 0.0))
    {
      isolux_histogram_model_set_clip (dialog->model, -1.0, 1.0, 1.0, 0.1);
      return;
    }
  g_object_get (dialog->config, "clip-limit", &limit, NULL);
  isolux_histogram_model_set_clip (dialog->model, limit,
                                   dialog->result->clip_mean,
                                   parameter->maximum, parameter->step);
}

static void
set_window (IsoluxDialog *dialog)
{
  gdouble  center;
  gdouble  width;
  gchar   *mode;
  gboolean movable;

  g_object_get (dialog->config, "mode", &mode, "center", &center, "width",
                &width, NULL);
  movable = ! g_strcmp0 (mode, "window");
  g_free (mode);
  if (movable)
    {
      center = isolux_real_values_to_code (&dialog->values, center);
      width /= fabs (dialog->values.slope);
    }
  else if (dialog->result)
    {
      center = (dialog->result->window_low + dialog->result->window_high) / 2;
      width = dialog->result->window_high - dialog->result->window_low;
    }
  else
    width = 0.0;
  isolux_histogram_model_set_window (dialog->model, center, width, movable);
}

void
isolux_histogram_update_marks (IsoluxDialog *dialog)
{
  isolux_histogram_model_begin (dialog->model);
  if (has_clip (dialog))
    set_clip (dialog);
  if (dialog->kind == ISOLUX_OPERATION_WINDOW)
    set_window (dialog);
  isolux_histogram_model_end (dialog->model);
}

static void
clip_changed (IsoluxHistogramModel *model, gdouble limit, IsoluxDialog *dialog)
{
  if (has_clip (dialog))
    g_object_set (dialog->config, "clip-limit", limit, NULL);
}

static void
window_changed (IsoluxHistogramModel *model,
                gdouble               center,
                gdouble               width,
                IsoluxDialog         *dialog)
{
  if (dialog->kind != ISOLUX_OPERATION_WINDOW)
    return;
  g_object_set (dialog->config, "mode", "window", "center",
                CLAMP (isolux_real_values_from_code (&dialog->values, center),
                       -1e9, 1e9),
                "width", CLAMP (width * fabs (dialog->values.slope), 1e-6, 1e9),
                NULL);
}

static void
tissue_key (IsoluxHistogramView *view, gint n, IsoluxDialog *dialog)
{
  if (dialog->tissues && gtk_widget_get_visible (dialog->tissues))
    isolux_tissues_press (dialog->tissues, n);
}

static void
set_curve (IsoluxDialog *dialog)
{
  const IsoluxEngineResult *result = dialog->result;
  IsoluxCurve               curve = { 0 };
  gdouble                   top = type_top (dialog);

  if (has_curve (dialog))
    {
      curve.n = result->curve_n;
      curve.x = result->curve_x;
      curve.y = result->curve_y;
      curve.low = result->curve_low;
      curve.high = result->curve_high;
    }
  isolux_histogram_model_set_curve (dialog->model, &curve);
  isolux_histogram_model_set_becomes (dialog->model,
                                      curve.n > 0 &&
                                        dialog->kind != ISOLUX_OPERATION_CLAHE,
                                      0.0, top);
}

/* ---- The line below ----------------------------------------------- */

static void
add_sentence (GString *text, gchar *part)
{
  if (text->len > 0)
    g_string_append (text, " · ");
  g_string_append (text, part);
  g_free (part);
}

static void
add_pixels (IsoluxDialog *dialog, GString *text)
{
  const IsoluxEngineSide *before = &dialog->result->before;
  gint64                  all = (gint64) dialog->width * dialog->height;
  gchar                  *count;
  gchar                  *whole;

  count = isolux_format_number ((gdouble) before->statistics.count, 0);
  whole = isolux_format_number ((gdouble) all, 0);
  if (dialog->has_selection)
    add_sentence (text, g_strdup_printf (_("Selection: %s of %s pixels"),
                                         count, whole));
  else
    add_sentence (text,
                  g_strdup_printf (ngettext ("%s pixel", "%s pixels",
                                             (gulong) before->statistics.count),
                                   count));
  g_free (whole);
  g_free (count);
}

static void
add_left_out (IsoluxDialog *dialog, GString *text)
{
  const IsoluxEngineSide *before = &dialog->result->before;
  gchar                  *nan;
  gchar                  *infinite;

  if (before->not_numbers == 0 && before->infinite == 0)
    return;
  nan = isolux_format_number ((gdouble) before->not_numbers, 0);
  infinite = isolux_format_number ((gdouble) before->infinite, 0);
  /* Translators: NaN is "not a number"; both are counts of pixels */
  add_sentence (text, g_strdup_printf (_("%s NaN, %s infinite left out"), nan,
                                       infinite));
  g_free (infinite);
  g_free (nan);
}

static void
add_different (IsoluxDialog *dialog, GString *text)
{
  gchar *before =
    isolux_format_number ((gdouble) dialog->result->before.statistics.distinct,
                          0);
  gchar *after =
    isolux_format_number ((gdouble) dialog->result->after.statistics.distinct,
                          0);

  add_sentence (text,
                g_strdup_printf (_("%s different values before, %s after"),
                                 before, after));
  g_free (after);
  g_free (before);
}

static void
set_summary (IsoluxDialog *dialog)
{
  GString *text = g_string_new (NULL);
  gdouble  all = (gdouble) dialog->width * dialog->height / 1e6;

  if (dialog->result->estimated)
    {
      gchar *part =
        isolux_format_number (all * dialog->result->read, all >= 20.0 ? 0 : 1);
      gchar *whole = isolux_format_number (all, all >= 20.0 ? 0 : 1);

      g_string_printf (text,
                       _("Estimated from %s of %s megapixels; exact when the "
                         "layer has been read."),
                       part, whole);
      g_free (whole);
      g_free (part);
    }
  else if (dialog->result->before.histogram)
    {
      add_pixels (dialog, text);
      if (dialog->orientations)
        add_sentence (text, g_strdup (_("strokes show the edge")));
      else if (dialog->kind == ISOLUX_OPERATION_WINDOW)
        ; /* the model says what becomes black and white */
      else if (dialog->result->before.luma)
        add_sentence (text, g_strdup (_("before: outline of luminance · "
                                        "after: red, green, blue")));
      else
        add_different (dialog, text);
      add_left_out (dialog, text);
    }
  isolux_histogram_model_set_summary (dialog->model, text->str);
  g_string_free (text, TRUE);
}

static void
fit_read_out (IsoluxDialog *dialog)
{
  const gchar *text = dialog->read_out_text ? dialog->read_out_text : "";
  PangoLayout *layout = gtk_widget_create_pango_layout (dialog->read_out, text);
  gint         room = gtk_widget_get_allocated_width (dialog->read_out);
  gint         width;

  pango_layout_set_attributes (
    layout, gtk_label_get_attributes (GTK_LABEL (dialog->read_out)));
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_object_unref (layout);
  gtk_label_set_text (GTK_LABEL (dialog->read_out),
                      room > 1 && width > room && dialog->read_out_brief
                        ? dialog->read_out_brief
                        : text);
  gtk_widget_set_tooltip_text (dialog->read_out, text);
}

static void
read_out_changed (IsoluxHistogramView *view,
                  const gchar         *text,
                  const gchar         *brief,
                  IsoluxDialog        *dialog)
{
  g_free (dialog->read_out_text);
  g_free (dialog->read_out_brief);
  dialog->read_out_text = g_strdup (text);
  dialog->read_out_brief = g_strdup (brief);
  fit_read_out (dialog);
}

/* ---- The result --------------------------------------------------- */

static void
set_values (IsoluxDialog *dialog)
{
  gboolean codes = type_of (dialog) != ISOLUX_TYPE_F32;
  gdouble  low;
  gdouble  high;

  get_full (dialog, &low, &high);
  isolux_histogram_model_set_axis (dialog->model, low, high, codes,
                                   dialog->values.slope,
                                   dialog->values.intercept,
                                   dialog->values.unit);
  isolux_dialog_get_output (dialog, &low, &high);
  isolux_histogram_model_set_output (dialog->model,
                                     isolux_dialog_has_output (dialog), low,
                                     high, codes && high >= 2.0);
  if (isolux_dialog_has_output (dialog) && ! dialog->orientations)
    isolux_dialog_make_room (dialog);
  set_series (dialog);
  set_curve (dialog);
  fill_ranges (dialog);
  dialog->range_filled = TRUE;
  set_range (dialog);
}

static void
set_orientations (IsoluxDialog *dialog)
{
  const IsoluxEngineResult *result = dialog->result;
  gboolean                  is_signed = FALSE;

  if (! dialog->orientations)
    {
      isolux_histogram_model_set_orientations (dialog->model, 0, NULL, NULL,
                                               180.0);
      return;
    }
  g_object_get (dialog->config, "signed-gradient", &is_signed, NULL);
  isolux_histogram_model_set_orientations (dialog->model, result->orientations,
                                           result->orientation_shares,
                                           result->cell_shares,
                                           is_signed ? 360.0 : 180.0);
}

/* "Curve 2, 6", "Cell 67, 49" */
static void
update_picked (IsoluxDialog *dialog)
{
  const IsoluxEngineResult *result = dialog->result;
  gchar                    *text;

  if (dialog->kind == ISOLUX_OPERATION_CLAHE && result->curve_tile_x >= 0)
    text = g_strdup_printf (_("Curve %d, %d"), result->curve_tile_x + 1,
                            result->curve_tile_y + 1);
  else
    text = g_strdup (_("Curve"));
  gtk_label_set_text (GTK_LABEL (dialog->chip_labels[ISOLUX_CHIP_CURVE]), text);
  g_free (text);

  if (dialog->kind != ISOLUX_OPERATION_HOG)
    return;
  if (result->cell_shares && dialog->pick_x >= 0)
    text = g_strdup_printf (_("Cell %d, %d"), (gint) dialog->pick_x + 1,
                            (gint) dialog->pick_y + 1);
  else
    text = g_strdup (_("Cell"));
  gtk_label_set_text (GTK_LABEL (dialog->chip_labels[ISOLUX_CHIP_MARKS]), text);
  g_free (text);
}

void
isolux_histogram_update (IsoluxDialog *dialog)
{
  AtkObject *accessible;
  gchar     *text;

  if (! dialog->result)
    return;
  isolux_histogram_model_begin (dialog->model);
  if (dialog->result->before.histogram)
    set_values (dialog);
  if (dialog->kind == ISOLUX_OPERATION_HOG)
    set_orientations (dialog);
  isolux_histogram_update_marks (dialog);
  set_summary (dialog);
  isolux_histogram_model_end (dialog->model);

  update_picked (dialog);
  gtk_widget_set_visible (dialog->range, type_of (dialog) != ISOLUX_TYPE_U8 &&
                                           ! dialog->orientations &&
                                           ! dialog->compact);
  if (dialog->result->estimated)
    isolux_widget_add_class (dialog->read_out, "isolux-dim");
  else
    gtk_style_context_remove_class (gtk_widget_get_style_context (dialog
                                                                    ->read_out),
                                    "isolux-dim");

  accessible = gtk_widget_get_accessible (dialog->histogram);
  text = isolux_histogram_model_describe (dialog->model);
  if (accessible && g_strcmp0 (text, atk_object_get_description (accessible)))
    atk_object_set_description (accessible, text);
  g_free (text);
}

/* ---- What is shown ------------------------------------------------ */

/* Whether there is such a thing to switch now */
static gboolean
has_chip (IsoluxDialog *dialog, IsoluxChip chip)
{
  const gchar *channel =
    gtk_combo_box_get_active_id (GTK_COMBO_BOX (dialog->channel));
  gboolean rgb = ! g_strcmp0 (channel, "rgb");

  if (dialog->orientations)
    return chip == ISOLUX_CHIP_AFTER || chip == ISOLUX_CHIP_MARKS;
  switch (chip)
    {
      case ISOLUX_CHIP_AFTER:
        return ! rgb;
      case ISOLUX_CHIP_RED:
      case ISOLUX_CHIP_GREEN:
      case ISOLUX_CHIP_BLUE:
        return rgb;
      case ISOLUX_CHIP_CURVE:
        return has_curve (dialog);
      case ISOLUX_CHIP_MARKS:
        return has_clip (dialog) || dialog->kind == ISOLUX_OPERATION_WINDOW;
      default:
        return TRUE;
    }
}

static gboolean
is_on (IsoluxDialog *dialog, IsoluxChip chip)
{
  return has_chip (dialog, chip) && dialog->memory.chips[chip];
}

void
isolux_histogram_update_show (IsoluxDialog *dialog)
{
  guint show = 0;

  if (is_on (dialog, ISOLUX_CHIP_BEFORE) || dialog->comparing)
    show |= ISOLUX_SHOW_BEFORE;
  if (! dialog->comparing &&
      (is_on (dialog, ISOLUX_CHIP_AFTER) || has_chip (dialog, ISOLUX_CHIP_RED)))
    show |= ISOLUX_SHOW_AFTER;
  if (is_on (dialog, ISOLUX_CHIP_CUMULATIVE) && ! dialog->low)
    show |= ISOLUX_SHOW_CUMULATIVE;
  if (is_on (dialog, ISOLUX_CHIP_CURVE))
    show |= ISOLUX_SHOW_CURVE;
  if (is_on (dialog, ISOLUX_CHIP_MARKS))
    show |= ISOLUX_SHOW_MARKS;
  isolux_histogram_model_set_show (dialog->model, (IsoluxShow) show);
}

static gboolean
fit_legend (gpointer data)
{
  IsoluxDialog *dialog = data;
  gint          room = gtk_widget_get_allocated_width (dialog->histogram_bar);
  gint          width;

  dialog->fit_legend = 0;
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    gtk_widget_set_visible (dialog->chip_labels[i], ! dialog->compact);
  for (gint i = ISOLUX_N_CHIPS - 1; i >= 0; i--)
    {
      gtk_widget_get_preferred_width (dialog->legend, NULL, &width);
      if (width <= room)
        break;
      if (gtk_widget_get_visible (dialog->chips[i]))
        gtk_widget_hide (dialog->chip_labels[i]);
    }
  return G_SOURCE_REMOVE;
}

/* After what has changed has been laid out */
static void
fit_legend_later (IsoluxDialog *dialog)
{
  if (! dialog->fit_legend)
    dialog->fit_legend =
      g_idle_add_full (GTK_PRIORITY_RESIZE + 15, fit_legend, dialog, NULL);
}

static void
bar_allocated (GtkWidget *bar, GdkRectangle *allocation, IsoluxDialog *dialog)
{
  fit_legend_later (dialog);
}

static void
read_out_allocated (GtkWidget    *label,
                    GdkRectangle *allocation,
                    IsoluxDialog *dialog)
{
  if (allocation->width != dialog->read_out_width)
    {
      dialog->read_out_width = allocation->width;
      fit_read_out (dialog);
    }
}

static void
update_chips (IsoluxDialog *dialog)
{
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    gtk_widget_set_visible (dialog->chips[i],
                            has_chip (dialog, (IsoluxChip) i));
  gtk_widget_set_visible (gtk_widget_get_parent (dialog->linear),
                          ! dialog->orientations);
  gtk_label_set_text (GTK_LABEL (dialog->chip_labels[ISOLUX_CHIP_AFTER]),
                      dialog->orientations ? _("Whole layer") : _("After"));
  fit_legend_later (dialog);
  isolux_histogram_update_show (dialog);
}

static void
chip_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    if (dialog->chips[i] == GTK_WIDGET (toggle))
      {
        GtkWidget *swatch = g_object_get_data (G_OBJECT (toggle), "swatch");
        gboolean   on = gtk_toggle_button_get_active (toggle);

        dialog->memory.chips[i] = on;
        gtk_widget_set_opacity (dialog->chip_labels[i], on ? 1.0 : 0.7);
        gtk_widget_set_opacity (swatch, on ? 1.0 : 0.4);
        if (i >= ISOLUX_CHIP_RED && i <= ISOLUX_CHIP_BLUE && dialog->result)
          set_series (dialog);
      }
  isolux_histogram_update_show (dialog);
}

static void scale_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog);

static void
set_logarithmic (IsoluxDialog *dialog, gboolean logarithmic)
{
  GtkWidget *toggles[2] = { dialog->linear, dialog->logarithmic };

  for (gint i = 0; i < 2; i++)
    {
      g_signal_handlers_block_by_func (toggles[i], scale_toggled, dialog);
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (toggles[i]),
                                    logarithmic == (i == 1));
      g_signal_handlers_unblock_by_func (toggles[i], scale_toggled, dialog);
    }
  isolux_histogram_model_set_logarithmic (dialog->model, logarithmic);
}

static void
scale_toggled (GtkToggleButton *toggle, IsoluxDialog *dialog)
{
  dialog->memory.logarithmic = GTK_WIDGET (toggle) == dialog->logarithmic;
  set_logarithmic (dialog, dialog->memory.logarithmic);
}

static void
channel_chosen (GtkComboBox *combo, IsoluxDialog *dialog)
{
  static const struct
  {
    const gchar        *id;
    IsoluxEngineChannel channel;
  } channels[] = {
    { "orientations", ISOLUX_ENGINE_VALUE },
    { "rgb", ISOLUX_ENGINE_RGB },
    { "value", ISOLUX_ENGINE_VALUE },
    { "luminance", ISOLUX_ENGINE_LUMINANCE },
    { "red", ISOLUX_ENGINE_RED },
    { "green", ISOLUX_ENGINE_GREEN },
    { "blue", ISOLUX_ENGINE_BLUE },
    { "alpha", ISOLUX_ENGINE_ALPHA },
  };
  const gchar *id = gtk_combo_box_get_active_id (combo);

  dialog->orientations = ! g_strcmp0 (id, "orientations");
  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    if (! g_strcmp0 (id, channels[i].id))
      isolux_engine_set_channel (dialog->engine, channels[i].channel);
  update_chips (dialog);
  if (dialog->result && dialog->kind == ISOLUX_OPERATION_HOG)
    isolux_histogram_update (dialog);
}

static gboolean
histogram_key (GtkWidget *view, GdkEventKey *event, IsoluxDialog *dialog)
{
  if (event->keyval != GDK_KEY_l && event->keyval != GDK_KEY_L)
    return GDK_EVENT_PROPAGATE;
  if (event->state & gtk_accelerator_get_default_mod_mask () &
      ~(guint) GDK_SHIFT_MASK)
    return GDK_EVENT_PROPAGATE;
  dialog->memory.logarithmic =
    ! isolux_histogram_model_get_logarithmic (dialog->model);
  set_logarithmic (dialog, dialog->memory.logarithmic);
  return GDK_EVENT_STOP;
}

void
isolux_histogram_source_opened (IsoluxDialog *dialog)
{
  if (dialog->memory.logarithmic < 0)
    set_logarithmic (dialog, dialog->source->image.type != ISOLUX_TYPE_U8);
  dialog->range_filled = FALSE;
}

/* ---- Copying and saving ------------------------------------------- */

static GdkPixbuf *
render_picture (IsoluxDialog *dialog)
{
  gint             width = gtk_widget_get_allocated_width (dialog->histogram);
  gint             height = gtk_widget_get_allocated_height (dialog->histogram);
  cairo_surface_t *surface;
  GdkPixbuf       *pixbuf;

  surface =
    isolux_histogram_view_render (ISOLUX_HISTOGRAM_VIEW (dialog->histogram),
                                  width, height, 2);
  pixbuf =
    gdk_pixbuf_get_from_surface (surface, 0, 0,
                                 cairo_image_surface_get_width (surface),
                                 cairo_image_surface_get_height (surface));
  cairo_surface_destroy (surface);
  return pixbuf;
}

static void
copy_values (GtkButton *entry, IsoluxDialog *dialog)
{
  gchar        *text = isolux_histogram_model_to_csv (dialog->model);
  GtkClipboard *clipboard =
    gtk_widget_get_clipboard (dialog->window, GDK_SELECTION_CLIPBOARD);

  gtk_clipboard_set_text (clipboard, text, -1);
  gtk_clipboard_set_can_store (clipboard, NULL, 0);
  g_free (text);
}

static void
copy_picture (GtkButton *entry, IsoluxDialog *dialog)
{
  GdkPixbuf    *pixbuf = render_picture (dialog);
  GtkClipboard *clipboard =
    gtk_widget_get_clipboard (dialog->window, GDK_SELECTION_CLIPBOARD);

  if (! pixbuf)
    return;
  gtk_clipboard_set_image (clipboard, pixbuf);
  gtk_clipboard_set_can_store (clipboard, NULL, 0);
  g_object_unref (pixbuf);
}

/* Asks for a file; NULL when that was cancelled */
static gchar *
ask_file (IsoluxDialog *dialog, const gchar *title, const gchar *suffix)
{
  GtkWidget *chooser;
  gchar     *name;
  gchar     *path = NULL;

  chooser = gtk_file_chooser_dialog_new (title, GTK_WINDOW (dialog->window),
                                         GTK_FILE_CHOOSER_ACTION_SAVE,
                                         _("_Cancel"), GTK_RESPONSE_CANCEL,
                                         _("_Save"), GTK_RESPONSE_ACCEPT,
                                         NULL);
  gtk_file_chooser_set_do_overwrite_confirmation (GTK_FILE_CHOOSER (chooser),
                                                  TRUE);
  gtk_dialog_set_default_response (GTK_DIALOG (chooser), GTK_RESPONSE_ACCEPT);
  name = g_strdup_printf ("%s%s", dialog->item_name, suffix);
  g_strdelimit (name, "/", '-');
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (chooser), name);
  if (gtk_dialog_run (GTK_DIALOG (chooser)) == GTK_RESPONSE_ACCEPT)
    path = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (chooser));
  gtk_widget_destroy (chooser);
  g_free (name);
  return path;
}

static void
tell_saved (IsoluxDialog *dialog, const gchar *path, GError *error)
{
  gchar *name = g_filename_display_basename (path);
  gchar *title;

  if (error)
    {
      title = g_strdup_printf (_("“%s” could not be saved"), name);
      isolux_notice_show (dialog, ISOLUX_NOTICE_SAY, title, error->message,
                          NULL, NULL);
      g_error_free (error);
      g_free (title);
    }
  else
    isolux_notice_hide (dialog, ISOLUX_NOTICE_SAY);
  g_free (name);
}

static void
save_csv (GtkButton *entry, IsoluxDialog *dialog)
{
  gchar  *path = ask_file (dialog, _("Save the histogram's values"), ".csv");
  gchar  *text;
  GError *error = NULL;

  if (! path)
    return;
  text = isolux_histogram_model_to_csv (dialog->model);
  g_file_set_contents (path, text, -1, &error);
  tell_saved (dialog, path, error);
  g_free (text);
  g_free (path);
}

static void
save_png (GtkButton *entry, IsoluxDialog *dialog)
{
  gchar *path = ask_file (dialog, _("Save the histogram's picture"), ".png");
  GdkPixbuf *pixbuf;
  GError    *error = NULL;

  if (! path)
    return;
  pixbuf = render_picture (dialog);
  if (pixbuf)
    {
      gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
      g_object_unref (pixbuf);
    }
  tell_saved (dialog, path, error);
  g_free (path);
}

/* What the gate needs for a vector's file */
typedef struct
{
  IsoluxDialog        *dialog;
  GimpProcedureConfig *config;
  gchar               *path;
  GError              *error;
} VectorJob;

static void
vector_work (gpointer data)
{
  VectorJob *job = data;
  gchar     *json = NULL;

  isolux_vector_make (job->dialog->target, job->config, &json, &job->error);
  g_free (json);
}

static void
vector_done (gpointer data)
{
  VectorJob *job = data;

  tell_saved (job->dialog, job->path, g_steal_pointer (&job->error));
}

static void
vector_free (gpointer data)
{
  VectorJob *job = data;

  g_clear_error (&job->error);
  g_object_unref (job->config);
  g_free (job->path);
  g_free (job);
}

static void
save_vector (GtkButton *entry, IsoluxDialog *dialog)
{
  gchar     *path = ask_file (dialog, _("Save the vector"), ".npy");
  VectorJob *job;
  GFile     *file;

  if (! path)
    return;
  file = g_file_new_for_path (path);
  job = g_new0 (VectorJob, 1);
  job->dialog = dialog;
  job->path = path;
  job->config =
    GIMP_PROCEDURE_CONFIG (gimp_config_duplicate (GIMP_CONFIG (dialog
                                                                 ->config)));
  g_object_set (job->config, "vector-file", file, "return-vector", FALSE, NULL);
  g_object_unref (file);
  isolux_gate_push (dialog->gate, vector_work, vector_done, job, vector_free);
}

static GtkWidget *
menu_new (IsoluxDialog *dialog)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *menu = isolux_menu_new ();

  isolux_menu_add (menu, _("Copy _Values"), G_CALLBACK (copy_values), dialog);
  isolux_menu_add (menu, _("Copy _Picture"), G_CALLBACK (copy_picture),
                   dialog);
  isolux_menu_add (menu, NULL, NULL, NULL);
  isolux_menu_add (menu, _("Save as _CSV…"), G_CALLBACK (save_csv), dialog);
  isolux_menu_add (menu, _("Save as P_NG…"), G_CALLBACK (save_png), dialog);
  if (dialog->kind == ISOLUX_OPERATION_HOG)
    isolux_menu_add (menu, _("Save Vec_tor…"), G_CALLBACK (save_vector),
                     dialog);

  gtk_container_remove (GTK_CONTAINER (button),
                        gtk_bin_get_child (GTK_BIN (button)));
  gtk_container_add (GTK_CONTAINER (button),
                     isolux_icon_new (gtk_widget_get_default_direction () ==
                                          GTK_TEXT_DIR_RTL
                                        ? "gimp-menu-right-symbolic"
                                        : "gimp-menu-left-symbolic",
                                      16));
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), menu);
  gtk_widget_set_tooltip_text (button, _("Copy or save the histogram"));
  isolux_widget_set_name (button, _("Copy or save the histogram"));
  isolux_widget_add_class (button, "image-button");
  return button;
}

/* ---- Building ----------------------------------------------------- */

static GtkWidget *
channel_new (IsoluxDialog *dialog)
{
  GtkComboBoxText *combo = GTK_COMBO_BOX_TEXT (gtk_combo_box_text_new ());

  if (dialog->kind == ISOLUX_OPERATION_HOG)
    gtk_combo_box_text_append (combo, "orientations", _("Orientations"));
  if (dialog->is_rgb && ! is_map (dialog))
    gtk_combo_box_text_append (combo, "rgb", _("RGB"));
  gtk_combo_box_text_append (combo, "value", _("Value"));
  if (dialog->is_rgb)
    {
      gtk_combo_box_text_append (combo, "luminance", _("Luminance"));
      gtk_combo_box_text_append (combo, "red", _("Red"));
      gtk_combo_box_text_append (combo, "green", _("Green"));
      gtk_combo_box_text_append (combo, "blue", _("Blue"));
    }
  if (dialog->has_alpha)
    gtk_combo_box_text_append (combo, "alpha", _("Alpha"));

  gtk_widget_set_tooltip_text (GTK_WIDGET (combo), _("Channel"));
  isolux_widget_set_name (GTK_WIDGET (combo), _("Channel"));
  gtk_widget_set_size_request (GTK_WIDGET (combo), 92, -1);
  g_signal_connect (combo, "changed", G_CALLBACK (channel_chosen), dialog);
  return GTK_WIDGET (combo);
}

static GtkWidget *
chip_new (IsoluxDialog *dialog, IsoluxChip chip)
{
  static const IsoluxRole roles[ISOLUX_N_CHIPS] = {
    ISOLUX_ROLE_BEFORE, ISOLUX_ROLE_AFTER, ISOLUX_ROLE_RED,
    ISOLUX_ROLE_GREEN,  ISOLUX_ROLE_BLUE,  ISOLUX_ROLE_CUMULATIVE,
    ISOLUX_ROLE_CURVE,  ISOLUX_ROLE_MARK
  };
  const gchar *labels[ISOLUX_N_CHIPS] = { _("Before"), _("After"),
                                          _("Red"),    _("Green"),
                                          _("Blue"),   _("Cumulative"),
                                          _("Curve"),  _("Clip") };
  GtkWidget   *toggle = gtk_toggle_button_new ();
  GtkWidget   *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
  GtkWidget   *swatch = isolux_swatch_new (roles[chip]);
  gchar       *tooltip;

  if (dialog->kind == ISOLUX_OPERATION_WINDOW)
    labels[ISOLUX_CHIP_MARKS] = _("Window");
  else if (dialog->kind == ISOLUX_OPERATION_HOG)
    labels[ISOLUX_CHIP_MARKS] = _("Cell");

  dialog->chips[chip] = toggle;
  dialog->chip_labels[chip] = isolux_label_new (labels[chip], 0.92, FALSE);
  gtk_box_pack_start (GTK_BOX (box), swatch, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->chip_labels[chip], FALSE, FALSE,
                      0);
  gtk_container_add (GTK_CONTAINER (toggle), box);
  gtk_widget_show_all (toggle);
  gtk_widget_set_no_show_all (toggle, TRUE);
  gtk_button_set_relief (GTK_BUTTON (toggle), GTK_RELIEF_NONE);
  isolux_widget_add_class (toggle, "isolux-chip");
  isolux_widget_set_name (toggle, labels[chip]);
  /* Translators: %s is a curve or a histogram in the plot */
  tooltip = g_strdup_printf (_("%s: show or hide"), labels[chip]);
  gtk_widget_set_tooltip_text (toggle, tooltip);
  g_free (tooltip);

  g_object_set_data (G_OBJECT (toggle), "swatch", swatch);
  g_signal_connect (toggle, "toggled", G_CALLBACK (chip_toggled), dialog);
  return toggle;
}

/* Its own width must not keep the window from getting narrower: there is
 * always the legend's text to be dropped. */
static GtkWidget *
bar_new (IsoluxDialog *dialog)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (NULL, NULL);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
  GtkWidget *space = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);

  isolux_widget_add_class (bar, "isolux-bar");
  dialog->legend = bar;
  dialog->channel = channel_new (dialog);
  gtk_box_pack_start (GTK_BOX (bar), dialog->channel, FALSE, FALSE, 0);

  dialog->linear = isolux_icon_toggle_new ("gimp-histogram-linear-symbolic",
                                           _("Linear counts"));
  dialog->logarithmic =
    isolux_icon_toggle_new ("gimp-histogram-logarithmic-symbolic",
                            _("Logarithmic counts"));
  g_signal_connect (dialog->linear, "toggled", G_CALLBACK (scale_toggled),
                    dialog);
  g_signal_connect (dialog->logarithmic, "toggled", G_CALLBACK (scale_toggled),
                    dialog);
  gtk_box_pack_start (GTK_BOX (bar),
                      isolux_linked_new (dialog->linear, dialog->logarithmic,
                                         NULL),
                      FALSE, FALSE, 0);

  dialog->range = gtk_combo_box_text_new ();
  gtk_widget_set_tooltip_text (dialog->range, _("Shown range"));
  isolux_widget_set_name (dialog->range, _("Shown range"));
  gtk_widget_set_size_request (dialog->range, 100, -1);
  g_signal_connect (dialog->range, "changed", G_CALLBACK (range_chosen),
                    dialog);
  gtk_box_pack_start (GTK_BOX (bar), dialog->range, FALSE, FALSE, 0);

  gtk_box_pack_start (GTK_BOX (bar), space, TRUE, TRUE, 0);
  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    gtk_box_pack_start (GTK_BOX (bar), chip_new (dialog, (IsoluxChip) i), FALSE,
                        FALSE, 0);
  dialog->histogram_menu = menu_new (dialog);
  gtk_box_pack_start (GTK_BOX (bar), dialog->histogram_menu, FALSE, FALSE, 0);
  gtk_widget_show_all (bar);
  gtk_widget_set_no_show_all (dialog->range, TRUE);
  gtk_widget_hide (dialog->range);

  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled),
                                  GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_container_add (GTK_CONTAINER (scrolled), bar);
  g_signal_connect (scrolled, "size-allocate", G_CALLBACK (bar_allocated),
                    dialog);
  gtk_widget_show_all (scrolled);
  return scrolled;
}

/* The read-out begins where the plot does, whose margin is as wide as this */
static gint
plot_start (IsoluxDialog *dialog)
{
  gchar       *text = isolux_format_count (1e5);
  PangoLayout *layout = gtk_widget_create_pango_layout (dialog->read_out, text);
  PangoAttrList *attributes = pango_attr_list_new ();
  gint           width;

  pango_attr_list_insert (attributes, pango_attr_scale_new (0.85));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
  pango_layout_get_pixel_size (layout, &width, NULL);
  g_object_unref (layout);
  g_free (text);
  return width + 10;
}

GtkWidget *
isolux_histogram_pane_new (IsoluxDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  dialog->model = isolux_histogram_model_new ();
  isolux_histogram_model_set_axis (dialog->model, 0.0, type_top (dialog),
                                   type_of (dialog) != ISOLUX_TYPE_F32, 1.0,
                                   0.0, "");
  g_signal_connect (dialog->model, "clip-changed", G_CALLBACK (clip_changed),
                    dialog);
  g_signal_connect (dialog->model, "window-changed",
                    G_CALLBACK (window_changed), dialog);

  dialog->histogram = isolux_histogram_view_new (dialog->model);
  isolux_widget_set_name (dialog->histogram, _("Histogram"));
  g_signal_connect (dialog->histogram, "read-out",
                    G_CALLBACK (read_out_changed), dialog);
  g_signal_connect (dialog->histogram, "tissue", G_CALLBACK (tissue_key),
                    dialog);
  g_signal_connect (dialog->histogram, "range-changed",
                    G_CALLBACK (range_changed), dialog);
  g_signal_connect (dialog->histogram, "key-press-event",
                    G_CALLBACK (histogram_key), dialog);

  dialog->histogram_bar = bar_new (dialog);
  dialog->read_out = isolux_label_new ("", 0.88, FALSE);
  isolux_label_tabular (dialog->read_out);
  gtk_label_set_ellipsize (GTK_LABEL (dialog->read_out), PANGO_ELLIPSIZE_END);
  if (gtk_widget_get_default_direction () != GTK_TEXT_DIR_RTL)
    gtk_widget_set_margin_start (dialog->read_out, plot_start (dialog));
  isolux_widget_set_description (dialog->read_out, _("Values under the "
                                                     "pointer"));
  g_signal_connect (dialog->read_out, "size-allocate",
                    G_CALLBACK (read_out_allocated), dialog);

  gtk_box_pack_start (GTK_BOX (box), dialog->histogram_bar, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->histogram, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->read_out, FALSE, FALSE, 0);
  gtk_widget_show_all (box);

  for (gint i = 0; i < ISOLUX_N_CHIPS; i++)
    if (dialog->memory.chips[i])
      gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->chips[i]), TRUE);
    else
      chip_toggled (GTK_TOGGLE_BUTTON (dialog->chips[i]), dialog);
  set_logarithmic (dialog, dialog->memory.logarithmic >= 0
                             ? dialog->memory.logarithmic
                             : dialog->depth != 8);
  gtk_combo_box_set_active (GTK_COMBO_BOX (dialog->channel), 0);
  return box;
}
