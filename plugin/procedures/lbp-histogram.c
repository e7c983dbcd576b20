/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lbp-histogram.c: the procedure that counts local binary patterns.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>

#include "arguments.h"
#include "json.h"
#include "lbp-histogram.h"
#include "pixels.h"

#define OPERATION "isolux:lbp"

/* Script-Fu of GIMP 3.0 and 3.2 crashes on a vector of 65,536 numbers. */
#define ARRAY_MOST 32768

/* What is counted, and how */
typedef struct
{
  IsoluxLbpOptions options;
  guint64         *counts;
  gsize            n;
} Patterns;

/* ---- Counting ----------------------------------------------------- */

static gboolean
count_patterns (IsoluxSurface *source,
                IsoluxSurface *destination,
                gpointer       patterns_,
                IsoluxReport  *report,
                GError       **error)
{
  Patterns *patterns = patterns_;

  g_clear_pointer (&patterns->counts, g_free);
  return isolux_lbp_histogram (source, &patterns->options, &patterns->counts,
                               &patterns->n, report, error);
}

static gboolean
get_options (GimpProcedureConfig *config,
             IsoluxLbpOptions    *options,
             GError             **error)
{
  if (! isolux_check_words (config, OPERATION, FALSE, error))
    return FALSE;

  g_object_get (config, "radius", &options->radius, "points", &options->points,
                NULL);
  options->method =
    (IsoluxLbpMethod) isolux_get_choice (config, OPERATION, "method");
  if (options->method == ISOLUX_LBP_VAR)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("The method \"var\" gives no codes that could be "
                             "counted."));
      return FALSE;
    }
  return TRUE;
}

/* ---- Results ------------------------------------------------------ */

/* Of up to 2^24 codes few occur, so only those are listed. */
static gchar *
to_json (const Patterns *patterns, const gchar *method)
{
  JsonBuilder *builder = json_builder_new ();
  guint64      total = 0;

  for (gsize i = 0; i < patterns->n; i++)
    total += patterns->counts[i];

  json_builder_begin_object (builder);
  isolux_json_text (builder, "method", method);
  isolux_json_number (builder, "radius", patterns->options.radius);
  isolux_json_integer (builder, "points", patterns->options.points);
  isolux_json_integer (builder, "n-codes", (gint64) patterns->n);
  isolux_json_integer (builder, "count", (gint64) total);

  json_builder_set_member_name (builder, "codes");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < patterns->n; i++)
    if (patterns->counts[i])
      json_builder_add_int_value (builder, (gint64) i);
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "counts");
  json_builder_begin_array (builder);
  for (gsize i = 0; i < patterns->n; i++)
    if (patterns->counts[i])
      json_builder_add_int_value (builder, (gint64) patterns->counts[i]);
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return isolux_json_end (builder);
}

static void
set_results (GimpValueArray *values,
             const Patterns *patterns,
             const gchar    *method)
{
  const gsize n = MIN (patterns->n, ARRAY_MOST);
  const gsize each = (patterns->n + n - 1) / n;
  gdouble    *counts = g_new0 (gdouble, n);

  for (gsize i = 0; i < patterns->n; i++)
    counts[i / each] += (gdouble) patterns->counts[i];
  gimp_value_set_double_array (gimp_value_array_index (values, 1), counts, n);
  g_free (counts);
  g_value_take_string (gimp_value_array_index (values, 2),
                       to_json (patterns, method));
}

/* ---- The procedure ------------------------------------------------ */

static IsoluxTarget *
check_drawable (GimpImage *image, GimpDrawable **drawables, GError **error)
{
  gint n =
    drawables ? gimp_core_object_array_get_length ((GObject **) drawables) : 0;

  if (n == 1)
    return isolux_target_new (image, drawables[0], error);

  g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
               _("A histogram is made of exactly one drawable, not of %d."),
               n);
  return NULL;
}

static GimpValueArray *
run (GimpProcedure       *procedure,
     GimpRunMode          run_mode,
     GimpImage           *image,
     GimpDrawable       **drawables,
     GimpProcedureConfig *config,
     gpointer             run_data)
{
  Patterns        patterns = { ISOLUX_LBP_DEFAULTS, NULL, 0 };
  GimpValueArray *values;
  IsoluxTarget   *target = NULL;
  GError         *error = NULL;
  gboolean        success;
  gchar          *method;

  if (get_options (config, &patterns.options, &error))
    target = check_drawable (image, drawables, &error);
  if (! target)
    return gimp_procedure_new_return_values (procedure, GIMP_PDB_CALLING_ERROR,
                                             error);

  isolux_get_weights (target->drawable, patterns.options.weights);
  success =
    isolux_target_process (target, count_patterns, &patterns, NULL, &error);
  isolux_target_free (target);
  values = gimp_procedure_new_return_values (procedure,
                                             success ? GIMP_PDB_SUCCESS
                                                     : GIMP_PDB_EXECUTION_ERROR,
                                             error);
  if (success)
    {
      g_object_get (config, "method", &method, NULL);
      set_results (values, &patterns, method);
      g_free (method);
    }
  g_free (patterns.counts);
  return values;
}

GimpProcedure *
isolux_lbp_histogram_create (GimpPlugIn *plug_in)
{
  GString       *taken = g_string_new (NULL);
  GimpProcedure *procedure =
    gimp_image_procedure_new (plug_in, ISOLUX_LBP_HISTOGRAM_PROCEDURE,
                              GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);

  gimp_procedure_set_image_types (procedure, "RGB*, GRAY*");
  gimp_procedure_set_sensitivity_mask (procedure,
                                       GIMP_PROCEDURE_SENSITIVE_DRAWABLE);
  gimp_procedure_set_documentation (
    procedure, _("Count the local binary patterns of a drawable"),
    _("Counts how many pixels have which code; the codes are those of "
      "skimage.feature.local_binary_pattern. Only what is selected and not "
      "fully transparent counts. Returns the counts by code (where there are "
      "more than 32768 codes, several at a time: the array has 32768 elements "
      "at most), and a JSON object with \"method\", \"radius\", \"points\", "
      "\"n-codes\", \"count\", \"codes\" (those that occur) and \"counts\" "
      "(of these)."),
    ISOLUX_LBP_HISTOGRAM_PROCEDURE);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");
  isolux_add_arguments (procedure, OPERATION, taken);
  g_string_free (taken, TRUE);

  gimp_procedure_add_double_array_return_value (
    procedure, "counts", _("Counts"), _("Number of pixels of each code"),
    G_PARAM_READWRITE);
  gimp_procedure_add_string_return_value (procedure, "json", _("JSON"),
                                          _("All of it as a JSON object"),
                                          NULL, G_PARAM_READWRITE);
  return procedure;
}
