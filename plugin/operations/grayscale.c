/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grayscale.c - isolux:grayscale: red, green and blue become one gray
 *
 * The format stays: an RGB layer gets three equal components.  All methods
 * but luminance and lightness work on the codes as they are.
 *
 * Luminance and lightness need linear light.  A u8 or u16 layer that is not
 * linear stays in its own codes, with a table that decodes them; any other
 * is read as linear floats.  Luminance is written as linear light again.
 * Lightness (CIE L* / 100) is a perceptual value: it becomes the code of
 * the layer's own encoding; a linear layer, which has none that fits, gets
 * the gray whose code in the space's nonlinear encoding it is, or, where
 * the space's curve is a straight line, in that of sRGB.
 *
 * Names, nicks and the order of enum values are stored in users' XCF files:
 * they stay as they are, new ones go to the end.
 */
#include <glib/gi18n-lib.h>

#ifdef GEGL_PROPERTIES

/* clang-format off */
enum_start (isolux_grayscale_method)
  enum_value (METHOD_LUMA_BT601, "luma-bt601", N_("Luma (BT.601)"))
  enum_value (METHOD_LUMA_BT709, "luma-bt709", N_("Luma (BT.709)"))
  enum_value (METHOD_LUMINANCE,  "luminance",  N_("Luminance"))
  enum_value (METHOD_LIGHTNESS,  "lightness",  N_("Lightness (CIE L*)"))
  enum_value (METHOD_AVERAGE,    "average",    N_("Average"))
  enum_value (METHOD_MAXIMUM,    "maximum",    N_("Maximum (HSV value)"))
enum_end (GrayscaleMethod)

property_enum (method, _("Method"),
               GrayscaleMethod, isolux_grayscale_method, METHOD_LUMA_BT601)
  description (_("How red, green and blue become one gray. Luma weighs the "
                 "stored values (BT.601 as OpenCV does), luminance weighs "
                 "linear light, lightness is the perceived brightness stored "
                 "as the gray value"))

#include "encoding-property.h"
/* clang-format on */

#else

#define GEGL_OP_FILTER
#define GEGL_OP_NAME isolux_grayscale
#define GEGL_OP_C_SOURCE grayscale.c
#include "gegl-op.h"

#include <math.h>
#include <string.h>

#include "bridge.h"
#include "settings.h"

/* Makes a component's table strictly increasing within 0 .. 1, as libisolux
 * wants it: profiles have flat parts, and babl's curves last bits that are
 * not quite in order. */
static void
straighten (gfloat *table, gint codes)
{
  gint i;

  table[0] = table[0] > 0.0f ? table[0] : 0.0f;
  for (i = 1; i < codes; i++)
    if (! (table[i] > table[i - 1]))
      table[i] = nextafterf (table[i - 1], 2.0f);

  table[codes - 1] = MIN (table[codes - 1], 1.0f);
  for (i = codes - 2; i >= 0 && table[i] >= table[i + 1]; i--)
    table[i] = nextafterf (table[i + 1], -1.0f);
}

/* The linear values of all codes of a nonlinear or perceptual layer, for
 * red, green and blue in a row.  An image comes in many pieces, so the last
 * table is kept.  To be freed with g_atomic_rc_box_release(). */
static gfloat *
get_decode_table (const BridgeLayer *layer)
{
  static GMutex      mutex;
  static const Babl *last_format = NULL;
  static gfloat     *last_table = NULL;
  const Babl        *from;
  gfloat            *table = NULL;
  gint               codes = strcmp (layer->type, "u8") ? 65536 : 256;
  gint               i, c;

  from = bridge_format (layer->encoding, 3, layer->type, layer->space);

  g_mutex_lock (&mutex);
  if (last_format == from)
    table = g_atomic_rc_box_acquire (last_table);
  g_mutex_unlock (&mutex);

  if (! table)
    {
      const Babl *in, *out;
      gdouble    *ramp, *light;

      /* in double: babl takes rougher ways for u8 and u16 */
      in = bridge_format (layer->encoding, 3, "double", layer->space);
      out = bridge_format (BRIDGE_LINEAR, 3, "double", layer->space);
      ramp = g_new (gdouble, codes * 3);
      light = g_new (gdouble, codes * 3);
      for (i = 0; i < codes; i++)
        for (c = 0; c < 3; c++)
          ramp[i * 3 + c] = i / (gdouble) (codes - 1);
      babl_process (babl_fish (in, out), ramp, light, codes);

      table = g_atomic_rc_box_alloc (sizeof (gfloat) * 3 * (gsize) codes);
      for (c = 0; c < 3; c++)
        {
          for (i = 0; i < codes; i++)
            table[c * codes + i] = (gfloat) light[i * 3 + c];
          straighten (table + c * codes, codes);
        }
      g_free (light);
      g_free (ramp);

      g_mutex_lock (&mutex);
      if (last_table)
        g_atomic_rc_box_release (last_table);
      last_table = g_atomic_rc_box_acquire (table);
      last_format = from;
      g_mutex_unlock (&mutex);
    }
  return table;
}

/* Whether the codes of an encoding are linear light, whatever its name */
static gboolean
is_linear (BridgeEncoding encoding, const Babl *space)
{
  gdouble code[3] = { 0.25, 0.5, 0.75 };
  gdouble light[3];

  if (encoding == BRIDGE_LINEAR)
    return TRUE;

  babl_process (babl_fish (bridge_format (encoding, 3, "double", space),
                           bridge_format (BRIDGE_LINEAR, 3, "double", space)),
                code, light, 1);
  return fabs (light[0] - code[0]) < 1e-4 && fabs (light[1] - code[1]) < 1e-4 &&
         fabs (light[2] - code[2]) < 1e-4;
}

static gboolean
grayscale (IsoluxSurface *source,
           IsoluxSurface *destination,
           gpointer       operation,
           IsoluxReport  *report,
           GError       **error)
{
  return isolux_operation_run (operation, source, destination, report, error);
}

static gboolean
process (GeglOperation       *operation,
         GeglBuffer          *input,
         GeglBuffer          *output,
         const GeglRectangle *roi,
         gint                 level)
{
  IsoluxOperation    settings;
  IsoluxGrayOptions *options = &settings.options.grayscale;
  gfloat            *table = NULL;
  BridgeLayer        layer;
  BridgeCall         call;
  gdouble            weights[3];

  bridge_call_init (&call, operation, input, output, roi);
  call.func = grayscale;
  call.data = &settings;

  bridge_get_layer (operation, &layer);
  if (layer.components < 3)
    {
      bridge_copy (&call, "already gray");
      return TRUE;
    }

  bridge_get_weights (layer.space, weights);
  isolux_settings_read (&settings, "isolux:grayscale", G_OBJECT (operation),
                        weights, NULL);
  if (options->method == ISOLUX_GRAY_LUMINANCE ||
      options->method == ISOLUX_GRAY_LIGHTNESS)
    {
      gboolean linear = is_linear (layer.encoding, layer.space);

      if (strcmp (layer.surface, "float") && ! linear)
        {
          options->decode = table = get_decode_table (&layer);
        }
      else
        {
          BridgeEncoding encoding = BRIDGE_LINEAR;

          if (options->method == ISOLUX_GRAY_LIGHTNESS)
            {
              encoding = linear ? BRIDGE_NONLINEAR : layer.encoding;
              if (is_linear (encoding, layer.space))
                encoding = BRIDGE_PERCEPTUAL;
            }
          call.read = bridge_format (BRIDGE_LINEAR, layer.components, "float",
                                     layer.space);
          call.write = bridge_format (encoding, layer.components - 2, "float",
                                      layer.space);
        }
    }

  bridge_run (&call);
  if (table)
    g_atomic_rc_box_release (table);
  return TRUE;
}

static void
gegl_op_class_init (GeglOpClass *klass)
{
  GeglOperationClass       *operation_class = GEGL_OPERATION_CLASS (klass);
  GeglOperationFilterClass *filter_class = GEGL_OPERATION_FILTER_CLASS (klass);

  bridge_class_init (operation_class);
  filter_class->process = process;

  /* clang-format off */
  gegl_operation_class_set_keys (operation_class,
    "name",        "isolux:grayscale",
    "title",       _("Isolux Grayscale"),
    "categories",  "color",
    "license",     "GPL3+",
    "description", _("Turn colors into shades of gray"),
    NULL);
  /* clang-format on */
}

#endif
