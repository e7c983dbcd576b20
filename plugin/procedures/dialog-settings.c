/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dialog-settings.c: the rows of settings with what the image has to say to
 * them, and how the result gets into the image.
 */
#include "dialog-private.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "format.h"
#include "operation.h"

static IsoluxRows *
rows_of (IsoluxDialog *dialog)
{
  return ISOLUX_ROWS (dialog->rows);
}

/* ---- What the image says ------------------------------------------ */

static void
set_ranges (IsoluxDialog *dialog)
{
  const IsoluxHistogram *histogram = dialog->result->before.histogram;
  const gchar           *unit = dialog->values.unit;
  gdouble                low = histogram->minimum[0];
  gdouble                high = histogram->maximum[0];
  gdouble                full_low = histogram->low;
  gdouble                full_high = histogram->high;
  gdouble                step;
  gint                   digits;

  for (gint i = 1; i < histogram->channels; i++)
    {
      low = MIN (low, histogram->minimum[i]);
      high = MAX (high, histogram->maximum[i]);
    }
  if (dialog->is_real)
    {
      /* from padding to padding would be too wide to be of use */
      full_low = low;
      full_high = high;
    }
  full_low = isolux_real_values_from_code (&dialog->values, full_low);
  full_high = isolux_real_values_from_code (&dialog->values, full_high);
  low = isolux_real_values_from_code (&dialog->values, low);
  high = isolux_real_values_from_code (&dialog->values, high);
  if (full_low > full_high)
    {
      gdouble other = full_low;

      full_low = full_high;
      full_high = other;
      other = low;
      low = high;
      high = other;
    }
  if (! (full_low < full_high))
    return;

  if (histogram->type != ISOLUX_TYPE_F32 &&
      dialog->values.slope == floor (dialog->values.slope))
    {
      digits = 0;
      step = 1.0;
    }
  else
    {
      step = pow (10.0, floor (log10 ((full_high - full_low) / 500.0)));
      digits = isolux_format_digits (step);
    }
  isolux_rows_set_unit (rows_of (dialog), "center", unit, full_low, full_high);
  isolux_rows_set_unit (rows_of (dialog), "width", unit, step,
                        full_high - full_low);
  isolux_rows_set_digits (rows_of (dialog), "center", digits, step);
  isolux_rows_set_digits (rows_of (dialog), "width", digits, step);
  if (dialog->tissues)
    isolux_tissues_set_range (dialog->tissues, low, high);
}

/* For an image in units the window that it came with is a better start than
 * percentiles. */
static void
use_own_window (IsoluxDialog *dialog)
{
  if (dialog->kind != ISOLUX_OPERATION_WINDOW || ! dialog->is_real ||
      dialog->values.n_windows < 1 ||
      ! isolux_rows_is_default (rows_of (dialog)))
    return;
  g_object_set (dialog->config, "mode", "window", "center",
                CLAMP (dialog->values.windows[0][0], -1e9, 1e9), "width",
                CLAMP (dialog->values.windows[0][1], 1e-6, 1e9), NULL);
}

/* Numbers as the user's language writes them */
static void
name_bins (IsoluxDialog *dialog)
{
  const IsoluxParameter *bins = isolux_parameters (dialog->effect->operation);

  while (strcmp (bins->name, "bins"))
    bins++;
  for (const IsoluxWord *word = bins->words; word->word; word++)
    if (g_ascii_isdigit (word->word[0]))
      {
        gchar *label = isolux_format_number (atoi (word->word), 0);

        isolux_rows_set_word_label (rows_of (dialog), "bins", word->word,
                                    label);
        g_free (label);
      }
}

void
isolux_settings_source_opened (IsoluxDialog *dialog)
{
  const IsoluxImage *image = &dialog->source->image;

  isolux_rows_set_usable (rows_of (dialog), "channels", image->components >= 3,
                          _("A gray layer has one channel"));
  isolux_rows_set_usable (rows_of (dialog), "colors", image->components >= 3,
                          _("A gray layer has no colors"));
  if (dialog->kind == ISOLUX_OPERATION_CLAHE)
    isolux_rows_set_usable (rows_of (dialog), "bins",
                            image->type != ISOLUX_TYPE_U8,
                            _("Images of 8 bits have 256 bins"));
  if (dialog->kind == ISOLUX_OPERATION_CLAHE)
    name_bins (dialog);

  if (dialog->kind == ISOLUX_OPERATION_WINDOW && ! dialog->tissues &&
      ! strcmp (dialog->values.unit, "HU"))
    {
      dialog->tissues = isolux_tissues_new (dialog->config);
      isolux_rows_insert (rows_of (dialog), "mode", dialog->tissues);
    }
  use_own_window (dialog);
}

/* ---- Notes -------------------------------------------------------- */

static void
set_note (IsoluxDialog *dialog, const gchar *row, gchar *text, gboolean warning)
{
  isolux_rows_set_note (rows_of (dialog), row, text, warning);
  g_free (text);
}

/* How many bins the library would choose by itself, see isolux_clahe() */
static gint
automatic_bins (const IsoluxHistogram *histogram, gdouble pixels)
{
  gint most = histogram->type == ISOLUX_TYPE_U16 ? 1 << histogram->bits : 65536;
  gint bins = 256;

  while (bins * 2 <= MIN (pixels / 16.0, most))
    bins *= 2;
  return bins;
}

static void
note_tiles (IsoluxDialog *dialog)
{
  const IsoluxClaheGrid *grid = &dialog->result->grid;
  const IsoluxHistogram *histogram = dialog->result->before.histogram;
  gdouble                pixels;
  gdouble                limit;
  gchar                 *word;
  gchar                 *width;
  gchar                 *height;
  gchar                 *count;
  gchar                 *text = NULL;
  gint                   chosen;

  if (grid->tiles_x < 1 || ! histogram)
    return;
  pixels = (gdouble) grid->tile_width * (gdouble) grid->tile_height;
  width = isolux_format_number ((gdouble) grid->tile_width, 0);
  height = isolux_format_number ((gdouble) grid->tile_height, 0);
  count = isolux_format_number (pixels, 0);
  /* Translators: width, height and number of pixels of a tile */
  set_note (dialog, "tiles-y",
            g_strdup_printf (_("A tile is %s × %s pixels (%s)."), width,
                             height, count),
            FALSE);

  g_object_get (dialog->config, "bins", &word, "clip-limit", &limit, NULL);
  chosen = atoi (word);
  if (chosen == 0 && histogram->type != ISOLUX_TYPE_U8)
    {
      gchar *bins = isolux_format_number (grid->bins, 0);
      /* Translators: a number of bins */
      gchar *label = g_strdup_printf (_("Automatic (%s)"), bins);

      isolux_rows_set_word_label (rows_of (dialog), "bins", "auto", label);
      g_free (label);
      g_free (bins);
    }
  if (chosen > pixels && histogram->type != ISOLUX_TYPE_U8)
    {
      gchar *bins = isolux_format_number (chosen, 0);
      gchar *better =
        isolux_format_number (automatic_bins (histogram, pixels), 0);

      text = g_strdup_printf (_("%s bins, but only %s pixels in a tile: most "
                                "bins stay empty and the clip limit works "
                                "coarsely. Automatic would use %s."),
                              bins, count, better);
      g_free (better);
      g_free (bins);
    }
  set_note (dialog, "bins", text, TRUE);

  if (dialog->clip_units)
    isolux_clip_units_set (dialog->clip_units, limit, grid->bins, pixels);
  g_free (word);
  g_free (count);
  g_free (height);
  g_free (width);
}

static void
note_equalize (IsoluxDialog *dialog)
{
  gdouble limit;
  gdouble threshold;
  gchar  *distance;
  gchar  *most;
  gchar  *text;

  g_object_get (dialog->config, "clip-limit", &limit, "skip-threshold",
                &threshold, NULL);
  set_note (dialog, "clip-limit",
            limit > 0.0
              ? NULL
              : g_strdup (_("0 = no limit: the histogram is fully levelled.")),
            FALSE);

  distance = isolux_format_number (dialog->result->uniformity, 2);
  most = isolux_format_short (threshold, 3);
  if (! (threshold > 0.0))
    text =
      g_strdup_printf (_("Distance from an even histogram: %s."), distance);
  else if (dialog->result->uniformity > threshold)
    text = g_strdup_printf (_("Distance from an even histogram: %s. Above %s, "
                              "so the layer is equalized."),
                            distance, most);
  else
    text = g_strdup_printf (_("Distance from an even histogram: %s. Not above "
                              "%s, so the layer stays as it is."),
                            distance, most);
  set_note (dialog, "skip-threshold", text, FALSE);
  g_free (most);
  g_free (distance);
}

/* The last one of a list of parameters, in their order */
static const gchar *
last_of (IsoluxDialog *dialog, const gchar *a, const gchar *b)
{
  const IsoluxParameter *parameter =
    isolux_parameters (dialog->effect->operation);
  const gchar *last = a;

  for (; parameter->name; parameter++)
    if (! strcmp (parameter->name, a))
      last = a;
    else if (! strcmp (parameter->name, b))
      last = b;
  return last;
}

static void
note_window (IsoluxDialog *dialog)
{
  const gchar *window = last_of (dialog, "center", "width");
  const gchar *percentile =
    last_of (dialog, "low-percentile", "high-percentile");
  const gchar *row = "mode";
  gchar       *mode;
  gchar       *low;
  gchar       *high;

  set_ranges (dialog);
  low =
    isolux_dialog_format_value (dialog, dialog->result->window_low, 0, FALSE);
  high =
    isolux_dialog_format_value (dialog, dialog->result->window_high, 0, FALSE);
  g_object_get (dialog->config, "mode", &mode, NULL);
  if (! g_strcmp0 (mode, "window"))
    row = window;
  else if (! g_strcmp0 (mode, "percentile"))
    row = percentile;
  for (gint i = 0; i < 3; i++)
    {
      const gchar *other = i == 0 ? "mode" : i == 1 ? window : percentile;

      if (other != row)
        isolux_rows_set_note (rows_of (dialog), other, NULL, FALSE);
    }
  /* Translators: two values */
  set_note (dialog, row,
            g_strdup_printf (_("Black at %s, white at %s."), low, high),
            FALSE);
  g_free (mode);
  g_free (high);
  g_free (low);
}

static void
note_map (IsoluxDialog *dialog)
{
  const IsoluxClaheGrid *grid = &dialog->result->grid;
  gchar                 *across = isolux_format_number (grid->tiles_x, 0);
  gchar                 *down = isolux_format_number (grid->tiles_y, 0);

  /* Translators: numbers of tiles across and down */
  set_note (dialog, "tile-size",
            grid->tiles_x > 0
              ? g_strdup_printf (_("%s × %s tiles."), across, down)
              : NULL,
            FALSE);
  g_free (down);
  g_free (across);
}

void
isolux_settings_update_notes (IsoluxDialog *dialog)
{
  if (! dialog->result || ! dialog->result->numbers)
    return;
  switch (dialog->kind)
    {
      case ISOLUX_OPERATION_CLAHE:
        note_tiles (dialog);
        break;
      case ISOLUX_OPERATION_EQUALIZE:
        note_equalize (dialog);
        break;
      case ISOLUX_OPERATION_WINDOW:
        if (dialog->result->before.histogram)
          note_window (dialog);
        break;
      case ISOLUX_OPERATION_CONTRAST_MAP:
        note_map (dialog);
        break;
      default:
        break;
    }
}

GtkWidget *
isolux_settings_new (IsoluxDialog *dialog)
{
  dialog->rows = isolux_rows_new (dialog->procedure, dialog->config,
                                  dialog->effect->operation, NULL);
  if (dialog->kind == ISOLUX_OPERATION_CLAHE)
    {
      dialog->clip_units = isolux_clip_units_new ();
      isolux_rows_insert (rows_of (dialog), "clip-limit", dialog->clip_units);
    }
  return dialog->rows;
}

/* ---- The footer --------------------------------------------------- */

static gboolean
any (IsoluxDialog *dialog, gboolean (*is) (const IsoluxTarget *target))
{
  for (guint i = 0; i < dialog->targets->len; i++)
    if (is (dialog->targets->pdata[i]))
      return TRUE;
  return FALSE;
}

static gboolean
is_layer (const IsoluxTarget *target)
{
  return target->is_layer;
}

/* Whether it can be one thing and the other */
static gboolean
has_choice (const IsoluxTarget *target)
{
  return target->is_layer && target->has_pixels;
}

static gboolean
is_group (const IsoluxTarget *target)
{
  return target->is_layer && ! target->has_pixels;
}

static void
merge_toggled (GtkToggleButton *check, IsoluxDialog *dialog)
{
  g_object_set (dialog->config, ISOLUX_NON_DESTRUCTIVE,
                ! gtk_toggle_button_get_active (check), NULL);
}

/* From the settings to the checks */
void
isolux_footer_update (IsoluxDialog *dialog)
{
  gboolean non_destructive;
  gboolean merge;

  g_object_get (dialog->config, ISOLUX_NON_DESTRUCTIVE, &non_destructive, NULL);
  merge = ! non_destructive;
  if (! any (dialog, has_choice))
    merge = ! any (dialog, is_group);

  g_signal_handlers_block_by_func (dialog->merge, merge_toggled, dialog);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (dialog->merge), merge);
  g_signal_handlers_unblock_by_func (dialog->merge, merge_toggled, dialog);
  gtk_widget_set_visible (dialog->record, merge);
}

GtkWidget *
isolux_footer_new (IsoluxDialog *dialog)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GObject   *config = G_OBJECT (dialog->config);

  dialog->canvas =
    gtk_check_button_new_with_mnemonic (_("Previe_w on canvas"));
  gtk_widget_set_tooltip_text (dialog->canvas, _("Show the real filter in the "
                                                 "image window"));
  g_object_bind_property (config, ISOLUX_PREVIEW, dialog->canvas, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);

  dialog->merge = gtk_check_button_new_with_mnemonic (_("Merge _filter"));
  gtk_widget_set_tooltip_text (dialog->merge,
                               _("Change the pixels instead of adding a layer "
                                 "effect"));
  g_signal_connect (dialog->merge, "toggled", G_CALLBACK (merge_toggled),
                    dialog);

  dialog->record = gtk_check_button_new_with_label (_("Attach a record"));
  gtk_widget_set_tooltip_text (
    dialog->record, _("Attach a record to the layer: a parasite with "
                      "operation, parameters, version, device and checksums "
                      "of the pixels before and after"));
  g_object_bind_property (config, ISOLUX_AUDIT, dialog->record, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);

  if (! any (dialog, is_layer))
    {
      const gchar *why = _("Masks and channels are changed directly; there is "
                           "no preview on the canvas.");

      gtk_widget_set_sensitive (dialog->canvas, FALSE);
      gtk_widget_set_tooltip_text (dialog->canvas, why);
      gtk_widget_set_sensitive (dialog->merge, FALSE);
      gtk_widget_set_tooltip_text (dialog->merge, why);
    }
  else if (! any (dialog, has_choice))
    {
      gtk_widget_set_sensitive (dialog->merge, FALSE);
      gtk_widget_set_tooltip_text (dialog->merge,
                                   _("A layer group can’t be merged into; the "
                                     "filter is added as an effect."));
    }

  gtk_box_pack_start (GTK_BOX (row), dialog->canvas, FALSE, FALSE, 0);
  gtk_box_pack_end (GTK_BOX (row), dialog->merge, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), row, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), dialog->record, FALSE, FALSE, 0);
  gtk_widget_set_margin_end (box, 22);
  gtk_widget_show_all (box);
  isolux_footer_update (dialog);
  return box;
}
