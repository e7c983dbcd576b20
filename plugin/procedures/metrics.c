/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * metrics.c: the procedure that compares two drawables.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "drawable-values.h"
#include "json.h"
#include "metrics.h"
#include "pixels.h"

/* ---- Comparing ---------------------------------------------------- */

/* Both on one device: one of the kind auto decides anew for each surface, so
 * after a change of its mind both go to the CPU. */
static gboolean
make_surfaces (const IsoluxTarget *target,
               GimpDrawable       *second,
               IsoluxSurface      *surfaces[2],
               GError            **error)
{
  IsoluxDevice *device = isolux_device_ref (isolux_device_get_default ());
  gboolean      alike;

  do
    {
      surfaces[0] =
        isolux_target_surface (target, target->drawable, device, error);
      surfaces[1] = NULL;
      if (surfaces[0])
        surfaces[1] = isolux_target_surface (target, second, device, error);
      isolux_device_unref (device);
      if (! surfaces[1])
        {
          g_clear_pointer (&surfaces[0], isolux_surface_unref);
          return FALSE;
        }

      alike = isolux_surface_get_backend (surfaces[0]) ==
              isolux_surface_get_backend (surfaces[1]);
      if (! alike)
        {
          isolux_surface_unref (surfaces[0]);
          isolux_surface_unref (surfaces[1]);
          device = isolux_device_open (ISOLUX_BACKEND_CPU, 0, error);
          if (! device)
            return FALSE;
        }
    }
  while (! alike);
  return TRUE;
}

static gboolean
compare (const IsoluxTarget *target,
         GimpDrawable       *second,
         IsoluxMetrics      *metrics,
         GError            **error)
{
  IsoluxSurface *surfaces[2];
  gdouble        weights[3];
  gboolean       success;

  isolux_get_weights (target->drawable, weights);
  if (! make_surfaces (target, second, surfaces, error))
    return FALSE;
  success =
    isolux_values_leave_out (&target->values, surfaces[0], error) &&
    isolux_metrics (surfaces[0], surfaces[1], weights, metrics, NULL, error);
  isolux_surface_unref (surfaces[0]);
  isolux_surface_unref (surfaces[1]);
  return success;
}

/* ---- Results ------------------------------------------------------ */

static void
add_pair (JsonBuilder *builder, const gchar *name, const gdouble pair[2])
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  json_builder_add_double_value (builder, pair[0]);
  json_builder_add_double_value (builder, pair[1]);
  json_builder_end_array (builder);
}

/* Whether the codes of both stand for the same, and for more than codes */
static gboolean
have_common_values (const IsoluxTarget *first, GimpDrawable *second)
{
  const IsoluxRealValues *values = &first->values;
  IsoluxRealValues        other;

  return first->has_values && isolux_real_values_are_real (values) &&
         isolux_drawable_get_values (second, &other, NULL) &&
         other.slope == values->slope && other.intercept == values->intercept &&
         ! strcmp (other.unit, values->unit);
}

static void
add_real (JsonBuilder            *builder,
          const IsoluxMetrics    *metrics,
          const IsoluxRealValues *values)
{
  gdouble mean[2];

  for (gint i = 0; i < 2; i++)
    mean[i] = isolux_real_values_from_code (values, metrics->mean[i]);
  json_builder_set_member_name (builder, "real");
  json_builder_begin_object (builder);
  isolux_values_to_json (values, builder);
  add_pair (builder, "mean", mean);
  isolux_json_number (builder, "ambe", metrics->ambe * ABS (values->slope));
  isolux_json_number (builder, "mse",
                      metrics->mse * values->slope * values->slope);
  json_builder_end_object (builder);
}

/* values: (nullable): what the codes of both stand for */
static gchar *
to_json (const IsoluxMetrics *metrics, const IsoluxRealValues *values)
{
  JsonBuilder *builder = json_builder_new ();

  json_builder_begin_object (builder);
  isolux_json_integer (builder, "count", (gint64) metrics->count);
  add_pair (builder, "entropy", metrics->entropy);
  add_pair (builder, "rms-contrast", metrics->rms_contrast);
  add_pair (builder, "saturated", metrics->saturated);
  add_pair (builder, "mean", metrics->mean);
  isolux_json_number (builder, "ambe", metrics->ambe);
  isolux_json_number (builder, "mse", metrics->mse);
  isolux_json_number (builder, "psnr", metrics->psnr);
  isolux_json_number (builder, "ssim", metrics->ssim);
  if (values)
    add_real (builder, metrics, values);
  json_builder_end_object (builder);
  return isolux_json_end (builder);
}

/* GIMP's numbers are finite: equal drawables have the largest PSNR, and where
 * nothing counts there is none. */
static gdouble
to_finite (gdouble value)
{
  return isnan (value) ? 0.0 : CLAMP (value, -G_MAXDOUBLE, G_MAXDOUBLE);
}

/* ---- The procedure ------------------------------------------------ */

static IsoluxTarget *
check_drawables (GimpDrawable *first, GimpDrawable *second, GError **error)
{
  IsoluxTarget *target;

  if (! first || ! second)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("Two drawables are needed to compare."));
      return NULL;
    }
  if (gimp_drawable_get_width (first) != gimp_drawable_get_width (second) ||
      gimp_drawable_get_height (first) != gimp_drawable_get_height (second))
    {
      g_set_error (
        error, GIMP_PLUG_IN_ERROR, 0,
        _("The drawables are not of the same size: %d x %d and %d x "
          "%d pixels."),
        gimp_drawable_get_width (first), gimp_drawable_get_height (first),
        gimp_drawable_get_width (second), gimp_drawable_get_height (second));
      return NULL;
    }
  isolux_gegl_init ();
  if (gimp_drawable_get_format (first) != gimp_drawable_get_format (second))
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("The drawables differ in precision, channels or "
                             "color profile."));
      return NULL;
    }
  target =
    isolux_target_new (gimp_item_get_image (GIMP_ITEM (first)), first, error);
  if (target && ! isolux_target_see_values (target, error))
    g_clear_pointer (&target, isolux_target_free);
  return target;
}

static GimpValueArray *
run (GimpProcedure *procedure, GimpProcedureConfig *config, gpointer run_data)
{
  GimpDrawable   *first;
  GimpDrawable   *second;
  GimpValueArray *values;
  IsoluxTarget   *target;
  IsoluxMetrics   metrics;
  GError         *error = NULL;
  gboolean        success;

  g_object_get (config, "first", &first, "second", &second, NULL);
  target = check_drawables (first, second, &error);
  success = target && compare (target, second, &metrics, &error);
  values = gimp_procedure_new_return_values (procedure,
                                             success  ? GIMP_PDB_SUCCESS
                                             : target ? GIMP_PDB_EXECUTION_ERROR
                                                      : GIMP_PDB_CALLING_ERROR,
                                             error);
  if (success)
    {
      const gboolean real = have_common_values (target, second);
      const gdouble  numbers[] = {
        metrics.ssim, metrics.psnr,       metrics.mse,
        metrics.ambe, metrics.entropy[0], metrics.entropy[1],
      };

      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        g_value_set_double (gimp_value_array_index (values, 1 + (gint) i),
                            to_finite (numbers[i]));
      g_value_take_string (gimp_value_array_index (values,
                                                   1 + G_N_ELEMENTS (numbers)),
                           to_json (&metrics, real ? &target->values : NULL));
    }

  g_clear_pointer (&target, isolux_target_free);
  g_clear_object (&first);
  g_clear_object (&second);
  return values;
}

static void
add_number (GimpProcedure *procedure,
            const gchar   *name,
            const gchar   *nick,
            const gchar   *blurb)
{
  gimp_procedure_add_double_return_value (procedure, name, nick, blurb,
                                          -G_MAXDOUBLE, G_MAXDOUBLE, 0.0,
                                          G_PARAM_READWRITE);
}

GimpProcedure *
isolux_metrics_create (GimpPlugIn *plug_in)
{
  GimpProcedure *procedure =
    gimp_procedure_new (plug_in, ISOLUX_METRICS_PROCEDURE,
                        GIMP_PDB_PROC_TYPE_PLUGIN, run, NULL, NULL);

  gimp_procedure_set_documentation (
    procedure, _("Compare two drawables by numbers"),
    _("Compares drawables of the same size, precision, channels and color "
      "profile, of one image or two, for example before and after an effect. "
      "Of color the luma is compared. Only what is selected in the first "
      "one's image and not fully transparent counts. Returns numbers, and a "
      "JSON object with these and \"count\", \"rms-contrast\", \"saturated\" "
      "(the share of pixels at the ends of the range) and \"mean\", where "
      "pairs are first and second. Values are in the units of the drawables: "
      "0 to 255, 0 to 65535, or 0.0 to 1.0. Where both say that they stand "
      "for the same (Hounsfield units, for example), an object \"real\" has "
      "\"unit\", \"slope\", \"intercept\", and \"mean\", \"ambe\" and "
      "\"mse\" in that unit; padding of the first does not count."),
    ISOLUX_METRICS_PROCEDURE);
  gimp_procedure_set_attribution (procedure, "The Isolux authors",
                                  "The Isolux authors", "2026");

  gimp_procedure_add_drawable_argument (procedure, "first", _("_First"),
                                        _("A drawable; its selection counts"),
                                        FALSE, G_PARAM_READWRITE);
  gimp_procedure_add_drawable_argument (procedure, "second", _("_Second"),
                                        _("The drawable to compare it with"),
                                        FALSE, G_PARAM_READWRITE);

  add_number (procedure, "ssim", _("SSIM"), _("Structural similarity"));
  add_number (procedure, "psnr", _("PSNR"),
              _("Peak signal-to-noise ratio in dB; of equal drawables the "
                "largest number there is, and null in JSON"));
  add_number (procedure, "mse", _("MSE"), _("Mean squared error"));
  add_number (procedure, "ambe", _("AMBE"),
              _("Absolute mean-brightness error: difference of the means"));
  add_number (procedure, "entropy-first", _("Entropy of the first"),
              _("Shannon entropy of the first histogram, in bits"));
  add_number (procedure, "entropy-second", _("Entropy of the second"),
              _("Shannon entropy of the second histogram, in bits"));
  gimp_procedure_add_string_return_value (procedure, "json", _("JSON"),
                                          _("All of it as a JSON object"),
                                          NULL, G_PARAM_READWRITE);
  return procedure;
}
