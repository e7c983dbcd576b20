/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cpu.h"

#define FLOAT_BINS 65536

/* What a pass needs, for up to three channels. */
typedef struct
{
  guint64 *counts;
  guint8  *entries;
} Tables;

/* Counts and builds the tables. */
static gboolean
make_tables (IsoluxSurface            *source,
             const IsoluxEqualizePlan *plan,
             const IsoluxCountPlan    *count,
             const Tables             *tables,
             IsoluxLutPlan            *lut,
             GError                  **error)
{
  const IsoluxPixels *pixels = &source->pixels;
  const gsize         size = isolux_type_size (source->image.type);
  const gsize         codes = (gsize) count->bins;
  gint                bins = count->bins;

  if (pixels->type == ISOLUX_PLAN_F32)
    {
      gdouble least[3], most[3];

      isolux_cpu_measure (source, count, least, most);
      for (gint c = 0; c < count->channels; c++)
        {
          lut->identity[c] = ! (least[c] < most[c]);
          if (! lut->identity[c])
            {
              lut->low[c] = least[c];
              lut->scale[c] = isolux_bin_scale (least[c], most[c], count->bins);
            }
        }
    }
  if (! isolux_cpu_count_bins (source, count, lut->low, lut->scale,
                               tables->counts, error))
    return FALSE;

  if (pixels->type == ISOLUX_PLAN_U16)
    bins = 1 << isolux_counts_bits (pixels, tables->counts, count->channels,
                                    (gint) codes);
  for (gint c = 0; c < count->channels; c++)
    {
      guint64 *counts = tables->counts + (gsize) c * codes;
      guint8  *entries = tables->entries + (gsize) c * codes * size;
      gboolean identity;

      /* codes beyond the significant bits count in the last bin */
      for (gsize k = (gsize) bins; k < codes; k++)
        counts[bins - 1] += counts[k];
      isolux_equalize_table (source->image.type, counts, bins, plan->clip_limit,
                             plan->skip_threshold, entries, &identity);
      lut->identity[c] = lut->identity[c] || identity;
      for (gsize k = (gsize) bins; k < codes; k++)
        memcpy (entries + k * size, entries + ((gsize) bins - 1) * size, size);
    }
  return TRUE;
}

gboolean
isolux_cpu_equalize (IsoluxSurface            *source,
                     IsoluxSurface            *destination,
                     const IsoluxEqualizePlan *plan,
                     gboolean                 *unchanged,
                     GError                  **error)
{
  const IsoluxPixels *pixels = &source->pixels;
  IsoluxCountPlan     count = { 0 };
  IsoluxLutPlan       lut = { 0 };
  Tables              tables;
  gsize               entries;
  gboolean            success;

  count.luma = plan->luma;
  count.channels = plan->luma ? 1 : pixels->colors;
  count.bins = pixels->type == ISOLUX_PLAN_U8    ? 256
               : pixels->type == ISOLUX_PLAN_U16 ? 65536
                                                 : FLOAT_BINS;
  count.weights = plan->weights;
  lut.luma = plan->luma;
  lut.channels = count.channels;
  lut.bins = count.bins;
  lut.weights = plan->weights;

  entries = (gsize) count.channels * (gsize) count.bins;
  tables.counts = isolux_try_new (guint64, entries, error);
  if (! tables.counts)
    return FALSE;
  tables.entries =
    isolux_try_alloc (entries, isolux_type_size (source->image.type), error);
  success = tables.entries &&
            make_tables (source, plan, &count, &tables, &lut, error);
  if (success)
    {
      lut.entries = tables.entries;
      success = isolux_cpu_lut_apply (source, destination, &lut, error);
    }
  if (success && unchanged)
    {
      *unchanged = TRUE;
      for (gint c = 0; c < lut.channels; c++)
        *unchanged = *unchanged && lut.identity[c];
    }
  g_free (tables.entries);
  g_free (tables.counts);
  return success;
}
