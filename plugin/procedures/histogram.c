/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * histogram.c: the procedure that counts values.
 *
 * Pixels are read in the drawable's own format and space: any other loses
 * levels.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <isolux.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "histogram.h"
#include "target.h"

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

/* What the callbacks of isolux_process() know */
typedef struct
{
  GeglBuffer            *buffer;
  const Babl            *format;
  GeglRectangle          box;
  IsoluxHistogramOptions options;
  IsoluxHistogram       *histogram;
} Count;

/* ---- Counting ----------------------------------------------------- */

/* Finds a format with the drawable's own space, encoding and components that
 * the library can take: u8 and u16 as they are, all others as float. */
static const Babl *
choose_format (const Babl *native, IsoluxImage *image)
{
  static const gchar *const models[3][4] = {
    { "Y float", "YA float", "RGB float", "RGBA float" },
    { "Y' float", "Y'A float", "R'G'B' float", "R'G'B'A float" },
    { "Y~ float", "Y~A float", "R~G~B~ float", "R~G~B~A float" },
  };
  const gchar  *type = babl_get_name (babl_format_get_type (native, 0));
  BablModelFlag flags = babl_get_model_flags (babl_format_get_model (native));
  gint          encoding = 1;

  image->components = babl_format_get_n_components (native);
  if (! strcmp (type, "u8"))
    {
      image->type = ISOLUX_TYPE_U8;
      return native;
    }
  if (! strcmp (type, "u16"))
    {
      image->type = ISOLUX_TYPE_U16;
      return native;
    }

  image->type = ISOLUX_TYPE_F32;
  if (flags & BABL_MODEL_FLAG_LINEAR)
    encoding = 0;
  else if (flags & BABL_MODEL_FLAG_PERCEPTUAL)
    encoding = 2;
  return babl_format_with_space (models[encoding][image->components - 1],
                                 babl_format_get_space (native));
}

/* The luma that isolux:equalize works with: the space's own weights */
static void
set_weights (const Babl *space, gdouble weights[3])
{
  gdouble sum = 0.0;

  babl_space_get_rgb_luminance (space, weights, weights + 1, weights + 2);
  for (gint i = 0; i < 3; i++)
    {
      weights[i] = weights[i] > 0.0 ? weights[i] : 0.0;
      sum += weights[i];
    }
  for (gint i = 0; i < 3; i++)
    weights[i] = sum > 0.0 ? weights[i] / sum : 1.0 / 3.0;
}

static gboolean
read_rows (gint64 y, gint64 rows, gpointer data, gsize stride, gpointer count_)
{
  const Count *count = count_;

  gegl_buffer_get (count->buffer,
                   GEGL_RECTANGLE (count->box.x, count->box.y + (gint) y,
                                   count->box.width, (gint) rows),
                   1.0, count->format, data, (gint) stride, GEGL_ABYSS_NONE);
  return TRUE;
}

static gboolean
count_values (IsoluxSurface *source,
              IsoluxSurface *destination,
              gpointer       count_,
              IsoluxReport  *report,
              GError       **error)
{
  Count *count = count_;

  isolux_histogram_free (count->histogram);
  count->histogram = isolux_histogram (source, &count->options, report, error);
  return count->histogram != NULL;
}

static IsoluxHistogram *
count_drawable (const IsoluxTarget *target,
                IsoluxChannel       channel,
                IsoluxReport       *report,
                GError            **error)
{
  Count           count = { .options = ISOLUX_HISTOGRAM_DEFAULTS };
  IsoluxRectangle region = { 0, 0, target->width, target->height };
  IsoluxProcess   process = { .source.width = target->width,
                              .source.height = target->height };

  isolux_gegl_init ();
  count.buffer = gimp_drawable_get_buffer (target->drawable);
  count.format =
    choose_format (gegl_buffer_get_format (count.buffer), &process.source);
  count.box =
    *GEGL_RECTANGLE (target->x, target->y, target->width, target->height);
  count.options.channel = channel;
  set_weights (babl_format_get_space (count.format), count.options.weights);

  if (target->mask)
    {
      process.region = &region;
      process.mask = target->mask;
      process.mask_stride = target->width;
    }
  process.read = read_rows;
  process.rows_data = &count;
  process.operation = count_values;
  process.operation_data = &count;

  if (! isolux_process (isolux_device_get_default (), &process, report, error))
    g_clear_pointer (&count.histogram, isolux_histogram_free);

  g_object_unref (count.buffer);
  return count.histogram;
}

/* ---- Results ------------------------------------------------------ */

/* JSON has no word for what is not finite */
static void
add_number (JsonBuilder *builder, const gchar *name, gdouble value)
{
  json_builder_set_member_name (builder, name);
  if (isfinite (value))
    json_builder_add_double_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_integer (JsonBuilder *builder, const gchar *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_text (JsonBuilder *builder, const gchar *name, const gchar *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static gchar *
to_json (const IsoluxHistogram *histogram,
         const gchar           *channel,
         IsoluxBackendKind      backend)
{
  JsonBuilder     *builder = json_builder_new ();
  JsonNode        *root;
  IsoluxStatistics statistics;
  gchar           *text;

  isolux_histogram_get_statistics (histogram, 0, &statistics);

  json_builder_begin_object (builder);
  add_text (builder, "channel", channel);
  add_text (builder, "type", type_names[histogram->type]);
  add_integer (builder, "bits", histogram->bits);
  add_integer (builder, "bins", histogram->bins);
  add_number (builder, "low", histogram->low);
  add_number (builder, "high", histogram->high);
  add_integer (builder, "count", (gint64) statistics.count);
  add_integer (builder, "distinct", (gint64) statistics.distinct);
  add_number (builder, "min", statistics.minimum);
  add_number (builder, "max", statistics.maximum);
  add_number (builder, "mean", statistics.mean);
  add_number (builder, "sd", statistics.sd);
  add_number (builder, "entropy", statistics.entropy);
  add_number (builder, "uniformity",
              isolux_histogram_uniformity (histogram, 0));

  json_builder_set_member_name (builder, "percentiles");
  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (percents); i++)
    {
      gchar name[G_ASCII_DTOSTR_BUF_SIZE];

      g_ascii_formatd (name, sizeof name, "%g", percents[i]);
      add_number (builder, name,
                  isolux_histogram_percentile (histogram, 0, percents[i]));
    }
  json_builder_end_object (builder);

  add_text (builder, "backend",
            backend == ISOLUX_BACKEND_CUDA ? "cuda" : "cpu");

  json_builder_set_member_name (builder, "counts");
  json_builder_begin_array (builder);
  for (gint i = 0; i < histogram->bins; i++)
    json_builder_add_int_value (builder, (gint64) histogram->counts[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  text = json_to_string (root, FALSE);
  json_node_unref (root);
  g_object_unref (builder);
  return text;
}

/* Script-Fu of GIMP 3.0 and 3.2 crashes on a vector of 65,536 numbers. */
#define ARRAY_MOST 32768

static void
set_results (GimpValueArray        *values,
             const IsoluxHistogram *histogram,
             const gchar           *channel,
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
                       to_json (histogram, channel, backend));
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
  gint n =
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
  return isolux_target_new (image, drawables[0], error);
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
  isolux_target_free (target);
  values = gimp_procedure_new_return_values (procedure,
                                             histogram
                                               ? GIMP_PDB_SUCCESS
                                               : GIMP_PDB_EXECUTION_ERROR,
                                             error);
  if (histogram)
    {
      set_results (values, histogram, word, report.backend);
      isolux_histogram_free (histogram);
    }
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
      "drawable: 0 to 255, 0 to 65535, or 0.0 to 1.0."),
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
