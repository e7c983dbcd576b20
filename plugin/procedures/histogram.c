/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram.c: the procedure that counts values.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <isolux.h>
#include <string.h>

#include "drawable-values.h"
#include "histogram.h"
#include "json.h"
#include "pixels.h"

static const gdouble percents[] = { 0.1, 1, 5, 25, 50, 75, 95, 99, 99.9 };

static const struct
{
  const gchar  *word;
  IsoluxChannel channel;
} channels[] = {
  { "luma", ISOLUX_CHANNEL_LUMA },   { "red", ISOLUX_CHANNEL_RED },
  { "green", ISOLUX_CHANNEL_GREEN }, { "blue", ISOLUX_CHANNEL_BLUE },
  { "alpha", ISOLUX_CHANNEL_ALPHA },
};

static const gchar *const type_names[] = { "u8", "u16", "f32" };

/* What is counted, and how */
typedef struct
{
  const IsoluxTarget    *target;
  IsoluxHistogramOptions options;
  IsoluxHistogram       *histogram;
} Count;

static gboolean
count_values (IsoluxSurface *source,
              IsoluxSurface *destination,
              gpointer       count_,
              IsoluxReport  *report,
              GError       **error)
{
  Count *count = count_;

  isolux_histogram_free (count->histogram);
  count->histogram = NULL;
  if (count->options.channel != ISOLUX_CHANNEL_ALPHA &&
      ! isolux_values_leave_out (&count->target->values, source, error))
    return FALSE;
  count->histogram = isolux_histogram (source, &count->options, report, error);
  return count->histogram != NULL;
}

static IsoluxHistogram *
count_drawable (const IsoluxTarget *target,
                IsoluxChannel       channel,
                IsoluxReport       *report,
                GError            **error)
{
  Count count = { target, ISOLUX_HISTOGRAM_DEFAULTS, NULL };

  count.options.channel = channel;
  isolux_get_weights (target->drawable, count.options.weights);
  if (! isolux_target_process (target, count_values, &count, report, error))
    g_clear_pointer (&count.histogram, isolux_histogram_free);
  return count.histogram;
}

/* ---- Results ------------------------------------------------------ */

static void
add_percentiles (JsonBuilder            *builder,
                 const IsoluxHistogram  *histogram,
                 const IsoluxRealValues *values)
{
  json_builder_set_member_name (builder, "percentiles");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      gchar   name[G_ASCII_DTOSTR_BUF_SIZE];
      gdouble value;

      g_ascii_formatd (name, sizeof name, "%g", percents[i]);
      /* where large codes are small values, from the other end */
      value = isolux_histogram_percentile (histogram, 0,
                                           values->slope < 0.0
                                             ? 100.0 - percents[i]
                                             : percents[i]);
      isolux_json_number (builder, name,
                          isolux_real_values_from_code (values, value));
    }
  json_builder_end_object (builder);
}

/* The statistics of what the codes stand for */
static void
add_real (JsonBuilder            *builder,
          const IsoluxHistogram  *histogram,
          const IsoluxStatistics *statistics,
          const IsoluxTarget     *target)
{
  const IsoluxRealValues *values = &target->values;
  const gdouble a = isolux_real_values_from_code (values, statistics->minimum);
  const gdouble b = isolux_real_values_from_code (values, statistics->maximum);

  json_builder_set_member_name (builder, "real");
  json_builder_begin_object (builder);
  isolux_values_to_json (values, builder);
  if (target->error)
    isolux_json_text (builder, "loss", target->error);
  isolux_json_number (builder, "min", MIN (a, b));
  isolux_json_number (builder, "max", MAX (a, b));
  isolux_json_number (builder, "mean",
                      isolux_real_values_from_code (values, statistics->mean));
  isolux_json_number (builder, "sd", ABS (values->slope) * statistics->sd);
  add_percentiles (builder, histogram, values);
  json_builder_end_object (builder);
}

static gchar *
to_json (const IsoluxHistogram *histogram,
         const gchar           *channel,
         const IsoluxTarget    *target,
         IsoluxBackendKind      backend)
{
  IsoluxRealValues codes;
  JsonBuilder     *builder = json_builder_new ();
  IsoluxStatistics statistics;

  isolux_histogram_get_statistics (histogram, 0, &statistics);

  json_builder_begin_object (builder);
  isolux_json_text (builder, "channel", channel);
  isolux_json_text (builder, "type", type_names[histogram->type]);
  isolux_json_integer (builder, "bits", histogram->bits);
  isolux_json_integer (builder, "bins", histogram->bins);
  isolux_json_number (builder, "low", histogram->low);
  isolux_json_number (builder, "high", histogram->high);
  isolux_json_integer (builder, "count", (gint64) statistics.count);
  isolux_json_integer (builder, "distinct", (gint64) statistics.distinct);
  isolux_json_number (builder, "min", statistics.minimum);
  isolux_json_number (builder, "max", statistics.maximum);
  isolux_json_number (builder, "mean", statistics.mean);
  isolux_json_number (builder, "sd", statistics.sd);
  isolux_json_number (builder, "entropy", statistics.entropy);
  isolux_json_number (builder, "uniformity",
                      isolux_histogram_uniformity (histogram, 0));

  isolux_real_values_init (&codes);
  add_percentiles (builder, histogram, &codes);
  if (isolux_real_values_are_real (&target->values) &&
      strcmp (channel, "alpha"))
    add_real (builder, histogram, &statistics, target);

  isolux_json_text (builder, "backend",
                    backend == ISOLUX_BACKEND_CUDA ? "cuda" : "cpu");

  json_builder_set_member_name (builder, "counts");
  json_builder_begin_array (builder);
  for (gint i = 0; i < histogram->bins; i++)
    json_builder_add_int_value (builder, (gint64) histogram->counts[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  return isolux_json_end (builder);
}

/* Script-Fu of GIMP 3.0 and 3.2 crashes on a vector of 65,536 numbers. */
#define ARRAY_MOST 32768

static void
set_results (GimpValueArray        *values,
             const IsoluxHistogram *histogram,
             const gchar           *channel,
             const IsoluxTarget    *target,
             IsoluxBackendKind      backend)
{
  const gint n = MIN (histogram->bins, ARRAY_MOST);
  const gint each = histogram->bins / n;
  gdouble   *counts = g_new0 (gdouble, n);
  gdouble   *middles = g_new0 (gdouble, n);

  for (gint i = 0; i < histogram->bins; i++)
    {
      counts[i / each] += (gdouble) histogram->counts[i];
      middles[i / each] += isolux_histogram_value (histogram, i) / each;
    }
  gimp_value_set_double_array (gimp_value_array_index (values, 1), counts, n);
  gimp_value_set_double_array (gimp_value_array_index (values, 2), middles, n);
  g_free (middles);
  g_free (counts);

  g_value_take_string (gimp_value_array_index (values, 3),
                       to_json (histogram, channel, target, backend));
}

/* ---- The procedure ------------------------------------------------ */

/* Returns -1 and @error for an unknown word. */
static gint
parse_channel (const gchar *word, GError **error)
{
  GString *words;

  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    if (! g_strcmp0 (word, channels[i].word))
      return (gint) channels[i].channel;

  words = g_string_new (NULL);
  for (guint i = 0; i < G_N_ELEMENTS (channels); i++)
    g_string_append_printf (words, "%s\"%s\"", i > 0 ? ", " : "",
                            channels[i].word);
  g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
               _("There is no channel \"%s\". There are: %s."),
               word ? word : "", words->str);
  g_string_free (words, TRUE);
  return -1;
}

/* Returns NULL and @error when there is not just one drawable, or when it
 * has no such channel. */
static IsoluxTarget *
check_drawable (GimpImage     *image,
                GimpDrawable **drawables,
                gint           channel,
                GError       **error)
{
  IsoluxTarget *target;
  gint          n =
    drawables ? gimp_core_object_array_get_length ((GObject **) drawables) : 0;

  if (n != 1)
    {
      g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
                   _("A histogram is made of exactly one drawable, not of "
                     "%d."),
                   n);
      return NULL;
    }
  if (channel == ISOLUX_CHANNEL_ALPHA &&
      ! gimp_drawable_has_alpha (drawables[0]))
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("The drawable has no alpha channel."));
      return NULL;
    }
  target = isolux_target_new (image, drawables[0], error);
  if (target && ! isolux_target_see_values (target, error))
    g_clear_pointer (&target, isolux_target_free);
  return target;
}

static GimpValueArray *
run (GimpProcedure       *procedure,
     GimpRunMode          run_mode,
     GimpImage           *image,
     GimpDrawable       **drawables,
     GimpProcedureConfig *config,
     gpointer             run_data)
{
  GimpValueArray  *values;
  IsoluxTarget    *target = NULL;
  IsoluxHistogram *histogram = NULL;
  IsoluxReport     report;
  GError          *error = NULL;
  gchar           *word;
  gint             channel;

  g_object_get (config, "channel", &word, NULL);
  channel = parse_channel (word, &error);
  if (channel >= 0)
    target = check_drawable (image, drawables, channel, &error);
  if (! target)
    {
      g_free (word);
      return gimp_procedure_new_return_values (procedure,
                                               GIMP_PDB_CALLING_ERROR, error);
    }

  histogram = count_drawable (target, (IsoluxChannel) channel, &report, &error);
  values = gimp_procedure_new_return_values (procedure,
                                             histogram
                                               ? GIMP_PDB_SUCCESS
                                               : GIMP_PDB_EXECUTION_ERROR,
                                             error);
  if (histogram)
    {
      set_results (values, histogram, word, target, report.backend);
      isolux_histogram_free (histogram);
    }
  isolux_target_free (target);
  g_free (word);
  return values;
}

GimpProcedure *
isolux_histogram_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_image_procedure_new (plug_in, ISOLUX_HISTOGRAM_PROCEDURE,
                              GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);

  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE);
  gimp_procedure_set_documentation (
    procedure, _("Count the values of a drawable"),
    _("Counts how many pixels have which value, at the full precision of "
      "the drawable: 256 bins for 8 bits, one for each significant level "
      "of 16 bits (65536 at most), and 65536 over the range in use for "
      "all other precisions. Only what is selected and not fully "
      "transparent counts. Filters that a layer keeps are not looked at. "
      "Returns the counts, the value in the middle of each bin (where "
      "there are 65536 bins, two at a time: the arrays have 32768 "
      "elements at most), and a JSON object with \"channel\", \"type\", "
      "\"bits\", \"bins\", "
      "\"low\", \"high\", \"count\", \"distinct\", \"min\", \"max\", "
      "\"mean\", \"sd\", \"entropy\", \"uniformity\", \"percentiles\", "
      "\"backend\" and \"counts\". Values are in the units of the "
      "drawable: 0 to 255, 0 to 65535, or 0.0 to 1.0. Where the image says "
      "what they stand for (Hounsfield units, for example), its padding does "
      "not count, and an object \"real\" has \"unit\", \"slope\", "
      "\"intercept\", \"padding\" if there is one, \"min\", \"max\", "
      "\"mean\", \"sd\" and \"percentiles\" in that unit."),
    ISOLUX_HISTOGRAM_PROCEDURE);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  gimp_procedure_add_string_argument (
    procedure, "channel", _("C_hannel"),
    _("What is counted (\"luma\", \"red\", \"green\", \"blue\", "
      "\"alpha\"); for gray drawables, luma and colors are the gray "
      "value"),
    "luma", G_PARAM_READWRITE);

  gimp_procedure_add_double_array_return_value (
    procedure, "counts", _("Counts"), _("Number of pixels in each bin"),
    G_PARAM_READWRITE);
  gimp_procedure_add_double_array_return_value (
    procedure, "values", _("Values"),
    _("The value in the middle of each bin"), G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "json", _("JSON"),
                                          _("All of it as a JSON object"),
                                          NULL, G_PARAM_READWRITE);
  return procedure;
}
