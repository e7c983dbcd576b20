/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * settings.c: from the named parameters of an operation to the library's
 * options.
 */
#include <string.h>

#include "settings.h"

/* The words of choices, at the place that the library's number says */
static const gchar *const channels[] = { "luma", "each", NULL };
static const gchar *const gray_methods[] = { "luma-bt601", "luma-bt709",
                                             "luminance",  "lightness",
                                             "average",    "maximum",
                                             NULL };
static const gchar *const compatibilities[] = { "isolux", "opencv", NULL };
static const gchar *const window_modes[] = { "window", "percentile", "range",
                                             NULL };
static const gchar *const measures[] = { "entropy", "deviation", "range",
                                         NULL };
static const gchar *const map_colors[] = { "gray", "heat", NULL };
static const gchar *const lbp_methods[] = { "default",     "ror", "uniform",
                                            "nri-uniform", "var", NULL };
static const gchar *const norms[] = { "l1", "l1-sqrt", "l2", "l2-hys", NULL };
static const gchar *const gradients[] = { "central", "sobel", NULL };
static const gchar *const hog_pictures[] = { "glyphs", "orientation",
                                             "magnitude", NULL };
static const gchar *const bin_words[] = { "auto",  "256",   "1024", "4096",
                                          "16384", "65536", NULL };
static const gint         bin_numbers[] = { 0, 256, 1024, 4096, 16384, 65536 };

G_STATIC_ASSERT (ISOLUX_EQUALIZE_LUMA == 0 && ISOLUX_EQUALIZE_EACH == 1);
G_STATIC_ASSERT (ISOLUX_GRAY_LUMA_BT601 == 0 && ISOLUX_GRAY_LUMA_BT709 == 1 &&
                 ISOLUX_GRAY_LUMINANCE == 2 && ISOLUX_GRAY_LIGHTNESS == 3 &&
                 ISOLUX_GRAY_AVERAGE == 4 && ISOLUX_GRAY_MAXIMUM == 5);
G_STATIC_ASSERT (ISOLUX_CLAHE_ISOLUX == 0 && ISOLUX_CLAHE_OPENCV == 1);
G_STATIC_ASSERT (ISOLUX_WINDOW_WINDOW == 0 && ISOLUX_WINDOW_PERCENTILE == 1 &&
                 ISOLUX_WINDOW_RANGE == 2);
G_STATIC_ASSERT (ISOLUX_CONTRAST_ENTROPY == 0 &&
                 ISOLUX_CONTRAST_DEVIATION == 1 && ISOLUX_CONTRAST_RANGE == 2);
G_STATIC_ASSERT (ISOLUX_CONTRAST_GRAY == 0 && ISOLUX_CONTRAST_COLORS == 1);
G_STATIC_ASSERT (ISOLUX_LBP_DEFAULT == 0 && ISOLUX_LBP_ROR == 1 &&
                 ISOLUX_LBP_UNIFORM == 2 && ISOLUX_LBP_NRI_UNIFORM == 3 &&
                 ISOLUX_LBP_VAR == 4);
G_STATIC_ASSERT (ISOLUX_HOG_L1 == 0 && ISOLUX_HOG_L1_SQRT == 1 &&
                 ISOLUX_HOG_L2 == 2 && ISOLUX_HOG_L2_HYS == 3);
G_STATIC_ASSERT (ISOLUX_HOG_CENTRAL == 0 && ISOLUX_HOG_SOBEL == 1);
G_STATIC_ASSERT (ISOLUX_HOG_GLYPHS == 0 && ISOLUX_HOG_ORIENTATION == 1 &&
                 ISOLUX_HOG_MAGNITUDE == 2);
G_STATIC_ASSERT (G_N_ELEMENTS (bin_words) == G_N_ELEMENTS (bin_numbers) + 1);

/* ---- Properties --------------------------------------------------- */

/* A property's value, converted; FALSE: there is none that could be */
static gboolean
get (GObject *object, const gchar *name, GType type, GValue *value)
{
  GParamSpec *spec =
    g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);

  if (! spec || ! g_value_type_transformable (spec->value_type, type))
    return FALSE;

  g_value_init (value, type);
  g_object_get_property (object, name, value);
  return TRUE;
}

static void
get_double (GObject *object, const gchar *name, gdouble *number)
{
  GValue value = G_VALUE_INIT;

  if (get (object, name, G_TYPE_DOUBLE, &value))
    *number = g_value_get_double (&value);
}

static void
get_int (GObject *object, const gchar *name, gint *number)
{
  GValue value = G_VALUE_INIT;

  if (get (object, name, G_TYPE_INT, &value))
    *number = g_value_get_int (&value);
}

static void
get_boolean (GObject *object, const gchar *name, gboolean *flag)
{
  GValue value = G_VALUE_INIT;

  if (get (object, name, G_TYPE_BOOLEAN, &value))
    *flag = g_value_get_boolean (&value);
}

/* The word of a choice: an enum's nick, or a string; to be freed */
static gchar *
get_word (GObject *object, const gchar *name)
{
  GValue      value = G_VALUE_INIT;
  GParamSpec *spec =
    g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);
  gchar *word = NULL;

  if (! spec)
    return NULL;

  g_value_init (&value, spec->value_type);
  g_object_get_property (object, name, &value);
  if (G_IS_PARAM_SPEC_ENUM (spec))
    {
      const GEnumValue *choice =
        g_enum_get_value (G_PARAM_SPEC_ENUM (spec)->enum_class,
                          g_value_get_enum (&value));

      word = g_strdup (choice ? choice->value_nick : NULL);
    }
  else if (G_VALUE_HOLDS_STRING (&value))
    {
      word = g_value_dup_string (&value);
    }
  g_value_unset (&value);
  return word;
}

/* The place of a choice's word; the default for words that are none */
static gint
get_choice (GObject            *object,
            const gchar        *name,
            const gchar *const *words,
            gint                other)
{
  gchar *word = get_word (object, name);
  gint   found = other;

  for (gint i = 0; word && words[i]; i++)
    if (! strcmp (word, words[i]))
      found = i;
  g_free (word);
  return found;
}

/* ---- Operations --------------------------------------------------- */

static void
read_grayscale (IsoluxGrayOptions *options, GObject *object)
{
  options->method = (IsoluxGrayMethod) get_choice (object, "method",
                                                   gray_methods,
                                                   (gint) options->method);
}

static void
read_channels (IsoluxEqualizeChannels *option, GObject *object)
{
  *option = (IsoluxEqualizeChannels) get_choice (object, "channels", channels,
                                                 (gint) *option);
}

static void
read_equalize (IsoluxEqualizeOptions *options, GObject *object)
{
  read_channels (&options->channels, object);
  get_double (object, "clip-limit", &options->clip_limit);
  get_double (object, "skip-threshold", &options->skip_threshold);
}

static void
read_clahe (IsoluxClaheOptions     *options,
            GObject                *object,
            const IsoluxRealValues *values)
{
  read_channels (&options->channels, object);
  get_double (object, "clip-limit", &options->clip_limit);
  get_int (object, "tiles-x", &options->tiles_x);
  get_int (object, "tiles-y", &options->tiles_y);
  get_int (object, "tile-size", &options->tile_size);
  options->bins = bin_numbers[get_choice (object, "bins", bin_words, 0)];
  options->compatibility =
    (IsoluxClaheCompatibility) get_choice (object, "compatibility",
                                           compatibilities,
                                           (gint) options->compatibility);

  get_boolean (object, "use-padding-value", &options->use_padding_value);
  get_double (object, "padding-value", &options->padding_value);
  if (! values)
    return;
  if (options->use_padding_value)
    options->padding_value =
      isolux_real_values_to_whole_code (values, options->padding_value);
  else if (values->has_padding)
    {
      options->use_padding_value = TRUE;
      options->padding_value =
        isolux_real_values_to_whole_code (values, values->padding);
    }
}

static void
read_window (IsoluxWindowOptions    *options,
             GObject                *object,
             const IsoluxRealValues *values)
{
  options->mode = (IsoluxWindowMode) get_choice (object, "mode", window_modes,
                                                 (gint) options->mode);
  get_double (object, "center", &options->center);
  get_double (object, "width", &options->width);
  get_double (object, "low-percentile", &options->low_percentile);
  get_double (object, "high-percentile", &options->high_percentile);
  get_boolean (object, "invert", &options->invert);
  get_double (object, "gamma", &options->gamma);
  read_channels (&options->channels, object);

  /* With a negative slope the upper edge is the smaller code; a center and a
   * width are the same from either side. */
  if (values)
    {
      options->center = isolux_real_values_to_code (values, options->center);
      options->width /= ABS (values->slope);
    }
}

static void
read_contrast_map (IsoluxContrastMapOptions *options, GObject *object)
{
  options->measure = (IsoluxContrastMeasure) get_choice (object, "measure",
                                                         measures,
                                                         options->measure);
  options->colors = (IsoluxContrastColors) get_choice (object, "colors",
                                                       map_colors,
                                                       (gint) options->colors);
  get_int (object, "tile-size", &options->tile_size);
}

static void
read_lbp (IsoluxLbpOptions *options, GObject *object)
{
  get_double (object, "radius", &options->radius);
  get_int (object, "points", &options->points);
  options->method = (IsoluxLbpMethod) get_choice (object, "method", lbp_methods,
                                                  (gint) options->method);
}

static void
read_hog (IsoluxHogOptions *options, GObject *object)
{
  get_int (object, "orientations", &options->orientations);
  get_int (object, "cell-size", &options->cell_size);
  get_int (object, "block-size", &options->block_size);
  options->norm =
    (IsoluxHogNorm) get_choice (object, "norm", norms, (gint) options->norm);
  get_boolean (object, "signed-gradient", &options->is_signed);
  get_boolean (object, "sqrt", &options->square_root);
  options->gradient = (IsoluxHogGradient) get_choice (object, "gradient",
                                                      gradients,
                                                      (gint) options->gradient);
  options->picture = (IsoluxHogPicture) get_choice (object, "picture",
                                                    hog_pictures,
                                                    (gint) options->picture);
}

/* ---- Public ------------------------------------------------------- */

gint
isolux_settings_kind (const gchar *operation)
{
  static const struct
  {
    const gchar        *name;
    IsoluxOperationKind kind;
  } kinds[] = {
    { "isolux:grayscale", ISOLUX_OPERATION_GRAYSCALE },
    { "isolux:equalize", ISOLUX_OPERATION_EQUALIZE },
    { "isolux:clahe", ISOLUX_OPERATION_CLAHE },
    { "isolux:window", ISOLUX_OPERATION_WINDOW },
    { "isolux:contrast-map", ISOLUX_OPERATION_CONTRAST_MAP },
    { "isolux:lbp", ISOLUX_OPERATION_LBP },
    { "isolux:hog", ISOLUX_OPERATION_HOG },
  };

  for (gsize i = 0; operation && i < G_N_ELEMENTS (kinds); i++)
    if (! strcmp (operation, kinds[i].name))
      return (gint) kinds[i].kind;
  return -1;
}

void
isolux_settings_read (IsoluxOperation        *operation,
                      const gchar            *name,
                      GObject                *object,
                      const gdouble           weights[3],
                      const IsoluxRealValues *values)
{
  const gint kind = isolux_settings_kind (name);
  gdouble   *own = NULL;

  g_return_if_fail (kind >= 0);

  isolux_operation_init (operation, (IsoluxOperationKind) kind);
  switch (operation->kind)
    {
      case ISOLUX_OPERATION_GRAYSCALE:
        read_grayscale (&operation->options.grayscale, object);
        own = operation->options.grayscale.weights;
        break;
      case ISOLUX_OPERATION_EQUALIZE:
        read_equalize (&operation->options.equalize, object);
        own = operation->options.equalize.weights;
        break;
      case ISOLUX_OPERATION_CLAHE:
        read_clahe (&operation->options.clahe, object, values);
        own = operation->options.clahe.weights;
        break;
      case ISOLUX_OPERATION_WINDOW:
        read_window (&operation->options.window, object, values);
        own = operation->options.window.weights;
        break;
      case ISOLUX_OPERATION_CONTRAST_MAP:
        read_contrast_map (&operation->options.contrast_map, object);
        own = operation->options.contrast_map.weights;
        break;
      case ISOLUX_OPERATION_LBP:
        read_lbp (&operation->options.lbp, object);
        own = operation->options.lbp.weights;
        break;
      case ISOLUX_OPERATION_HOG:
        read_hog (&operation->options.hog, object);
        own = operation->options.hog.weights;
        break;
    }
  memcpy (own, weights, 3 * sizeof *own);
}

gboolean
isolux_settings_leave_out (const gchar            *name,
                           const IsoluxRealValues *values,
                           gdouble                *code)
{
  const gint kind = isolux_settings_kind (name);

  if (! values || ! values->has_padding ||
      (kind != ISOLUX_OPERATION_WINDOW && kind != ISOLUX_OPERATION_EQUALIZE &&
       kind != ISOLUX_OPERATION_CONTRAST_MAP))
    return FALSE;
  *code = isolux_real_values_to_whole_code (values, values->padding);
  return TRUE;
}
