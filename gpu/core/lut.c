/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <math.h>

gboolean
isolux_weights_set (IsoluxWeights *weights,
                    const gdouble *given,
                    GError       **error)
{
  const gdouble sum = given[0] + given[1] + given[2];
  gint          i;

  if (! (given[0] >= 0.0 && given[1] >= 0.0 && given[2] >= 0.0) ||
      ! (fabs (sum - 1.0) <= 0.001))
    return isolux_argument_error (error,
                                  _("The weights of red, green and blue are "
                                    "at least 0 and add "
                                    "up to 1; %g, %g and %g do not."),
                                  given[0], given[1], given[2]);
  for (i = 0; i < 3; i++)
    weights->real[i] = fabs (sum - 1.0) > 1e-9 ? given[i] / sum : given[i];
  weights->whole[0] = (gint32) rint (weights->real[0] * 32768.0);
  weights->whole[1] = (gint32) rint (weights->real[1] * 32768.0);
  weights->whole[2] = 32768 - weights->whole[0] - weights->whole[1];
  if (weights->whole[2] < 0)
    {
      weights->whole[1] += weights->whole[2];
      weights->whole[2] = 0;
    }
  return TRUE;
}

/* ---- The table of an equalization --------------------------------------- */

static void
set_entry (IsoluxType         type,
           gpointer           entries,
           const IsoluxTerms *terms,
           guint64            sum,
           gint               k)
{
  switch (type)
    {
      case ISOLUX_TYPE_U8:
        ((guint8 *) entries)[k] = isolux_entry_u8 (terms, sum, k);
        break;
      case ISOLUX_TYPE_U16:
        ((guint16 *) entries)[k] = isolux_entry_u16 (terms, sum, k);
        break;
      case ISOLUX_TYPE_F32:
        ((gfloat *) entries)[k] = isolux_entry_f32 (terms, sum, k);
        break;
    }
}

void
isolux_equalize_table (IsoluxType     type,
                       const guint64 *counts,
                       gint           bins,
                       gdouble        clip_limit,
                       gdouble        skip_threshold,
                       gpointer       entries,
                       gboolean      *identity)
{
  IsoluxTerms terms;
  guint64     total = 0, sum = 0, limit, kept = 0, distance = 0;
  gint        first = bins, k;

  for (k = 0; k < bins; k++)
    {
      total += counts[k];
      if (counts[k])
        first = MIN (first, k);
    }
  *identity = TRUE;
  if (total == 0)
    return;
  limit = isolux_clip_count (clip_limit, total, bins);
  for (k = 0; k < bins; k++)
    {
      sum += counts[k];
      kept += isolux_clipped (counts[k], limit);
      distance = MAX (distance, isolux_uniform_distance (sum, total, bins, k));
    }
  terms = isolux_terms (total, bins, first, counts[first], limit, kept,
                        distance, skip_threshold);
  *identity = terms.identity;
  if (terms.identity)
    return;
  for (sum = 0, k = 0; k < bins; k++)
    {
      sum += terms.excess == 0 ? counts[k] : isolux_clipped (counts[k], limit);
      set_entry (type, entries, &terms, sum, k);
    }
}

static IsoluxLut *
lut_alloc (const IsoluxHistogram *h, GError **error)
{
  IsoluxLut *lut = isolux_try_new (IsoluxLut, 1, error);

  if (! lut)
    return NULL;
  lut->type = h->type;
  lut->channels = h->channels;
  lut->bins = h->bins;
  lut->bits = h->bits;
  lut->low = h->low;
  lut->high = h->high;
  lut->entries = isolux_try_alloc ((gsize) h->channels * (gsize) h->bins,
                                   isolux_type_size (h->type), error);
  if (! lut->entries)
    g_clear_pointer (&lut, g_free);
  return lut;
}

IsoluxLut *
isolux_lut_new_equalize (const IsoluxHistogram       *histogram,
                         const IsoluxEqualizeOptions *options,
                         GError                     **error)
{
  static const IsoluxEqualizeOptions defaults = ISOLUX_EQUALIZE_DEFAULTS;
  const gsize                        size = isolux_type_size (histogram->type);
  IsoluxLut                         *lut;
  gint                               c;

  if (! options)
    options = &defaults;
  if (! isolux_equalize_check (options, error))
    return NULL;
  lut = lut_alloc (histogram, error);
  if (! lut)
    return NULL;
  for (c = 0; c < lut->channels; c++)
    {
      const gsize start = (gsize) c * (gsize) lut->bins;

      isolux_equalize_table (lut->type, histogram->counts + start, lut->bins,
                             options->clip_limit, options->skip_threshold,
                             (guint8 *) lut->entries + start * size,
                             &lut->identity[c]);
    }
  return lut;
}

void
isolux_lut_free (IsoluxLut *lut)
{
  if (! lut)
    return;
  g_free (lut->entries);
  g_free (lut);
}

/* ---- Applying ----------------------------------------------------------- */

/* One entry for each code, from one for each bin. */
static gpointer
expand_codes (const IsoluxLut *lut, GError **error)
{
  const gsize size = isolux_type_size (lut->type);
  const gint  codes = lut->type == ISOLUX_TYPE_U8 ? 256 : 65536;
  guint8     *table;
  gint        shift = 0, c, k;

  while (lut->bins << shift < 1 << lut->bits)
    shift++;
  table = isolux_try_alloc ((gsize) lut->channels * (gsize) codes, size, error);
  if (! table)
    return NULL;
  for (c = 0; c < lut->channels; c++)
    for (k = 0; k < codes; k++)
      memcpy (table + ((gsize) c * (gsize) codes + (gsize) k) * size,
              (const guint8 *) lut->entries +
                ((gsize) c * (gsize) lut->bins +
                 (gsize) (MIN (k, (1 << lut->bits) - 1) >> shift)) *
                  size,
              size);
  return table;
}

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             plan,
      GError             **error)
{
  return backend->lut_apply (source, destination, plan, error);
}

static gboolean
check (const IsoluxPixels *pixels, const IsoluxLut *lut, GError **error)
{
  const gboolean real = lut->type == ISOLUX_TYPE_F32;
  const gint     bits = lut->type == ISOLUX_TYPE_U8 ? 8 : lut->bits;

  if ((gint) lut->type != pixels->type)
    return isolux_argument_error (error, _("The table is not of the type of "
                                           "the image."));
  if (lut->channels != 1 && (lut->channels != 3 || pixels->colors != 3))
    return isolux_argument_error (error,
                                  _("A table of %d channels does not fit the "
                                    "image."),
                                  lut->channels);
  if (! lut->entries || lut->bins < 2 || lut->bins > 65536 ||
      (lut->bins & (lut->bins - 1)) ||
      (! real &&
       (bits < 8 || bits > 16 || lut->bits != bits || lut->bins > 1 << bits)) ||
      (real && (! isfinite (lut->low) || ! isfinite (lut->high))))
    return isolux_argument_error (error, _("The table is not a valid one."));
  return TRUE;
}

gboolean
isolux_lut_apply (IsoluxSurface   *source,
                  IsoluxSurface   *destination,
                  const IsoluxLut *lut,
                  const gdouble   *weights,
                  IsoluxReport    *report,
                  GError         **error)
{
  static const gdouble bt601[3] = { 0.299, 0.587, 0.114 };
  IsoluxLutPlan        plan = { 0 };
  gpointer             expanded = NULL;
  gboolean             success, all = TRUE;
  gint                 c;

  isolux_report_clear (report);
  if (! isolux_surfaces_check (source, destination, TRUE, error) ||
      ! check (&source->pixels, lut, error) ||
      ! isolux_weights_set (&plan.weights, weights ? weights : bt601, error))
    return FALSE;
  plan.luma = lut->channels == 1 && source->pixels.colors == 3;
  plan.channels = lut->channels;
  for (c = 0; c < lut->channels; c++)
    {
      plan.identity[c] = lut->identity[c] || (lut->type == ISOLUX_TYPE_F32 &&
                                              ! (lut->low < lut->high));
      plan.low[c] = lut->low;
      plan.scale[c] = lut->low < lut->high
                        ? isolux_bin_scale (lut->low, lut->high, lut->bins)
                        : 0.0;
      all = all && plan.identity[c];
    }
  if (lut->type == ISOLUX_TYPE_F32)
    {
      plan.bins = lut->bins;
      plan.entries = lut->entries;
    }
  else
    {
      plan.bins = lut->type == ISOLUX_TYPE_U8 ? 256 : 65536;
      expanded = expand_codes (lut, error);
      if (! expanded)
        return FALSE;
      plan.entries = expanded;
    }
  success = isolux_run (ISOLUX_TWIN_LUT_APPLY, twin, source, destination, &plan,
                        report, error);
  if (success && report)
    report->unchanged = all;
  g_free (expanded);
  return success;
}
