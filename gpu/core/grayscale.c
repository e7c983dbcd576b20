/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#include <math.h>

/* What the plan points to. */
typedef struct
{
  gfloat  *decode;
  gdouble *thresholds;
} Tables;

/* IEC 61966-2-1 */
static gfloat
srgb_to_linear (gdouble v)
{
  return (gfloat) (v <= 0.04045 ? v / 12.92 : pow ((v + 0.055) / 1.055, 2.4));
}

/* The luminance whose CIE L* is lightness * 100. */
static gdouble
luminance_of_lightness (gdouble lightness)
{
  const gdouble f = (lightness * 100.0 + 16.0) / 116.0;

  return f > 6.0 / 29.0 ? f * f * f : lightness * 2700.0 / 24389.0;
}

/* The luminance of the gray of a code, as that of any color is computed. */
static gdouble
luminance_of_gray (const gfloat        *decode,
                   gint                 codes,
                   const IsoluxWeights *weights,
                   gint                 code)
{
  return (weights->real[0] * decode[code] +
          weights->real[1] * decode[codes + code]) +
         weights->real[2] * decode[2 * codes + code];
}

static gboolean
check_decode (const gfloat *decode, gint codes, GError **error)
{
  gint c, i;

  for (c = 0; c < 3; c++, decode += codes)
    for (i = 0; i < codes; i++)
      if (! (decode[i] >= 0.0f && decode[i] <= 1.0f) ||
          (i > 0 && decode[i] <= decode[i - 1]))
        return isolux_argument_error (error,
                                      _("The table of linear values does not "
                                        "increase from 0 to 1."));
  return TRUE;
}

/* The tables of linear light for codes; none are needed for f32. */
static gboolean
tables_make (Tables                  *tables,
             const IsoluxGrayOptions *options,
             const IsoluxWeights     *weights,
             gint                     codes,
             GError                 **error)
{
  const gint maximum = codes - 1;
  gint       i;

  tables->decode = isolux_try_new (gfloat, 3 * (gsize) codes, error);
  if (! tables->decode)
    return FALSE;
  tables->thresholds = isolux_try_new (gdouble, (gsize) codes, error);
  if (! tables->thresholds)
    return FALSE;
  if (options->decode)
    {
      if (! check_decode (options->decode, codes, error))
        return FALSE;
      memcpy (tables->decode, options->decode,
              3 * (gsize) codes * sizeof (gfloat));
    }
  else
    for (i = 0; i < codes; i++)
      tables->decode[i] = tables->decode[codes + i] =
        tables->decode[2 * codes + i] = srgb_to_linear ((gdouble) i / maximum);

  if (options->method == ISOLUX_GRAY_LIGHTNESS)
    for (i = 0; i < maximum; i++)
      tables->thresholds[i] = luminance_of_lightness ((i + 0.5) / maximum);
  else
    for (i = 0; i < maximum; i++)
      tables->thresholds[i] =
        (luminance_of_gray (tables->decode, codes, weights, i) +
         luminance_of_gray (tables->decode, codes, weights, i + 1)) /
        2.0;
  return TRUE;
}

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             plan,
      GError             **error)
{
  return backend->grayscale (source, destination, plan, error);
}

gboolean
isolux_grayscale (IsoluxSurface           *source,
                  IsoluxSurface           *destination,
                  const IsoluxGrayOptions *options,
                  IsoluxReport            *report,
                  GError                 **error)
{
  static const IsoluxGrayOptions defaults = ISOLUX_GRAY_DEFAULTS;
  static const gdouble           bt601[3] = { 0.299, 0.587, 0.114 };
  static const gdouble           bt709[3] = { 0.2126, 0.7152, 0.0722 };
  const IsoluxType               type = source->image.type;
  const gint                     codes = type == ISOLUX_TYPE_U8 ? 256 : 65536;
  IsoluxGrayPlan                 plan = { 0 };
  Tables                         tables = { NULL, NULL };
  gboolean                       success;

  isolux_report_clear (report);
  if (! options)
    options = &defaults;
  if (options->method < ISOLUX_GRAY_LUMA_BT601 ||
      options->method > ISOLUX_GRAY_MAXIMUM)
    return isolux_argument_error (error, _("There is no gray method %d."),
                                  (gint) options->method);
  if (! isolux_surfaces_check (source, destination, FALSE, error))
    return FALSE;
  plan.method = options->method;
  plan.maximum = codes - 1;
  if (! isolux_weights_set (&plan.weights,
                            options->method == ISOLUX_GRAY_LUMA_BT601 ? bt601
                            : options->method == ISOLUX_GRAY_LUMA_BT709
                              ? bt709
                              : options->weights,
                            error))
    return FALSE;

  success = TRUE;
  if (type != ISOLUX_TYPE_F32 && source->pixels.colors == 3 &&
      (options->method == ISOLUX_GRAY_LUMINANCE ||
       options->method == ISOLUX_GRAY_LIGHTNESS))
    success = tables_make (&tables, options, &plan.weights, codes, error);
  plan.decode = tables.decode;
  plan.thresholds = tables.thresholds;
  success = success && isolux_run (ISOLUX_TWIN_GRAYSCALE, twin, source,
                                   destination, &plan, report, error);
  g_free (tables.decode);
  g_free (tables.thresholds);
  return success;
}
