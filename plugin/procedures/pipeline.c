/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pipeline.c: values to a picture in one step.
 */
#include <libgimp/gimp.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "arguments.h"
#include "drawable-values.h"
#include "pipeline.h"
#include "pixels.h"
#include "presets.h"
#include "target.h"

#define WINDOW "isolux:window"
#define WINDOW_PROCEDURE "plug-in-isolux-window"
#define CLAHE "isolux:clahe"
#define CLAHE_PROCEDURE "plug-in-isolux-clahe"

struct _IsoluxPipeline
{
  GimpProcedureConfig *window; /* NULL: none */
  GimpProcedureConfig *clahe;
  gboolean             of_image;
  gboolean             one_window;
  gchar               *preset; /* its name; NULL: none */
  gchar               *unit;   /* of the preset; "" for any */
};

/* ---- Arguments ---------------------------------------------------- */

static void
add_flag (GimpProcedure *procedure,
          const gchar   *name,
          const gchar   *label,
          const gchar   *blurb,
          GString       *taken)
{
  gchar *nick = isolux_with_mnemonic (label, taken);

  gimp_procedure_add_boolean_argument (procedure, name, nick, blurb, TRUE,
                                       G_PARAM_READWRITE);
  g_free (nick);
}

void
isolux_pipeline_add_arguments (GimpProcedure *procedure, GString *taken)
{
  gchar *nick = isolux_with_mnemonic (_("Window preset"), taken);

  gimp_procedure_add_string_argument (
    procedure, "window-preset", nick,
    _("The name of a preset of Window (\"ct-lung\"), \"image\" for the window "
      "that the image names itself, if it does, or nothing: the arguments "
      "say"),
    "", G_PARAM_READWRITE);
  g_free (nick);
  add_flag (procedure, "use-window", _("Apply a window"),
            _("Whether values are windowed at all"), taken);
  isolux_add_arguments (procedure, WINDOW, taken);
  add_flag (procedure, "use-clahe", _("Apply CLAHE"),
            _("Whether CLAHE follows"), taken);
  isolux_add_arguments (procedure, CLAHE, taken);
  add_flag (procedure, "one-window", _("One window for all layers"),
            _("Windows by percentiles or by the range of values reach from "
              "the least to the largest of all layers, so that a series does "
              "not flicker"),
            taken);
}

/* The settings of another procedure, from arguments of the same names */
static GimpProcedureConfig *
copy_settings (GimpProcedureConfig *config,
               const gchar         *name,
               const gchar         *operation)
{
  GimpProcedure *procedure = gimp_pdb_lookup_procedure (gimp_get_pdb (), name);
  GimpProcedureConfig   *copy = gimp_procedure_create_config (procedure);
  const IsoluxParameter *parameter = isolux_parameters (operation);

  for (; parameter->name; parameter++)
    {
      GValue value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (config), parameter->name, &value);
      g_object_set_property (G_OBJECT (copy), parameter->name, &value);
      g_value_unset (&value);
    }
  return copy;
}

static gboolean
check_percentiles (GimpProcedureConfig *config, GError **error)
{
  gdouble low, high;

  g_object_get (config, "low-percentile", &low, "high-percentile", &high, NULL);
  if (low < high)
    return TRUE;
  g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                       _("The low percentile must be less than the high "
                         "one."));
  return FALSE;
}

/* FALSE and @error: there is no such preset */
static gboolean
apply_preset (IsoluxPipeline *self, const gchar *name, GError **error)
{
  IsoluxPresets      *presets = isolux_presets_new (WINDOW_PROCEDURE, WINDOW);
  const IsoluxPreset *preset =
    isolux_presets_demand (presets, name, ISOLUX_WINDOW_OF_IMAGE, error);

  if (preset)
    {
      isolux_presets_apply (presets, preset, G_OBJECT (self->window));
      self->preset = g_strdup (preset->name);
      self->unit = g_strdup (preset->unit);
    }
  isolux_presets_free (presets);
  return self->preset != NULL;
}

static gboolean
read_window (IsoluxPipeline *self, GimpProcedureConfig *config, GError **error)
{
  gchar   *name, *mode;
  gboolean success = TRUE;

  self->window = copy_settings (config, WINDOW_PROCEDURE, WINDOW);
  g_object_get (config, "window-preset", &name, NULL);
  self->of_image = ! g_strcmp0 (name, ISOLUX_WINDOW_OF_IMAGE);
  if (name && *name && ! self->of_image)
    success = apply_preset (self, name, error);
  g_free (name);

  g_object_get (self->window, "mode", &mode, NULL);
  if (success && ! strcmp (mode, "percentile"))
    success = check_percentiles (self->window, error);
  g_free (mode);
  return success;
}

IsoluxPipeline *
isolux_pipeline_new (GimpProcedureConfig *config, GError **error)
{
  IsoluxPipeline *self = g_new0 (IsoluxPipeline, 1);
  gboolean        use_window, use_clahe;
  gboolean        success;

  g_object_get (config, "use-window", &use_window, "use-clahe", &use_clahe,
                "one-window", &self->one_window, NULL);
  success = isolux_check_words (config, WINDOW, FALSE, error) &&
            isolux_check_words (config, CLAHE, FALSE, error);
  if (success && ! use_window && ! use_clahe)
    {
      g_set_error_literal (error, GIMP_PLUG_IN_ERROR, 0,
                           _("Neither a window nor CLAHE is asked for, so "
                             "there is nothing to do."));
      success = FALSE;
    }
  if (success && use_window)
    success = read_window (self, config, error);
  if (success && use_clahe)
    self->clahe = copy_settings (config, CLAHE_PROCEDURE, CLAHE);
  if (success)
    return self;

  isolux_pipeline_free (self);
  return NULL;
}

void
isolux_pipeline_free (IsoluxPipeline *self)
{
  if (! self)
    return;
  g_clear_object (&self->window);
  g_clear_object (&self->clahe);
  g_free (self->preset);
  g_free (self->unit);
  g_free (self);
}

gchar *
isolux_pipeline_describe (IsoluxPipeline *self)
{
  const gchar *window = self->preset ? self->preset : _("windowed");

  if (self->window && self->clahe)
    return g_strdup_printf (_("%s, CLAHE"), window);
  return g_strdup (self->window ? window : _("CLAHE"));
}

/* ---- Layers ------------------------------------------------------- */

static void
collect (GimpLayer **layers, GPtrArray *all)
{
  for (gint i = 0; layers && layers[i]; i++)
    if (GIMP_IS_GROUP_LAYER (layers[i]))
      collect ((GimpLayer **) gimp_item_get_children (GIMP_ITEM (layers[i])),
               all);
    else
      g_ptr_array_add (all, layers[i]);
  g_free (layers);
}

GimpDrawable **
isolux_image_get_all_layers (GimpImage *image)
{
  GPtrArray *all = g_ptr_array_new ();

  collect (gimp_image_get_layers (image), all);
  g_ptr_array_add (all, NULL);
  return (GimpDrawable **) g_ptr_array_free (all, FALSE);
}

/* ---- Windows ------------------------------------------------------ */

/* A target's histogram, without padding */
typedef struct
{
  const IsoluxTarget *target;
  IsoluxHistogram    *histogram;
} Count;

static gboolean
count_values (IsoluxSurface *source,
              IsoluxSurface *destination,
              gpointer       count_,
              IsoluxReport  *report,
              GError       **error)
{
  Count                 *count = count_;
  IsoluxHistogramOptions options = ISOLUX_HISTOGRAM_DEFAULTS;

  isolux_get_weights (count->target->drawable, options.weights);
  g_clear_pointer (&count->histogram, isolux_histogram_free);
  if (! isolux_values_leave_out (&count->target->values, source, error))
    return FALSE;
  count->histogram = isolux_histogram (source, &options, report, error);
  return count->histogram != NULL;
}

/* Widens the range, which is in the unit, by what a target has between two
 * percentiles */
static gboolean
add_range (const IsoluxTarget *target,
           const gdouble       percents[2],
           gdouble             range[2],
           GError            **error)
{
  Count count = { target, NULL };

  if (! isolux_target_process (target, count_values, &count, NULL, error))
    {
      g_clear_pointer (&count.histogram, isolux_histogram_free);
      return FALSE;
    }
  for (gint i = 0; i < 2 && count.histogram->total[0] > 0; i++)
    {
      gdouble code =
        percents[i] <= 0.0 ? count.histogram->minimum[0]
        : percents[i] >= 100.0
          ? count.histogram->maximum[0]
          : isolux_histogram_percentile (count.histogram, 0, percents[i]);
      gdouble value = isolux_real_values_from_code (&target->values, code);

      range[0] = MIN (range[0], value);
      range[1] = MAX (range[1], value);
    }
  isolux_histogram_free (count.histogram);
  return TRUE;
}

static void
set_window (IsoluxPipeline *self, gdouble center, gdouble width)
{
  g_object_set (self->window, "mode", "window", "center", center, "width",
                width, NULL);
}

/* Makes one window of those of all targets, where it is measured */
static gboolean
find_one_window (IsoluxPipeline *self, GPtrArray *targets, GError **error)
{
  gdouble  percents[2] = { 0.0, 100.0 };
  gdouble  range[2] = { G_MAXDOUBLE, -G_MAXDOUBLE };
  gchar   *mode;
  gboolean measured;

  g_object_get (self->window, "mode", &mode, NULL);
  measured = strcmp (mode, "window") != 0;
  if (! strcmp (mode, "percentile"))
    g_object_get (self->window, "low-percentile", &percents[0],
                  "high-percentile", &percents[1], NULL);
  g_free (mode);
  if (! self->one_window || ! measured || targets->len < 2)
    return TRUE;

  for (guint i = 0; i < targets->len; i++)
    if (! add_range (targets->pdata[i], percents, range, error))
      return FALSE;
  /* of layers without a range, each stays as it is */
  if (range[0] < range[1] && range[1] - range[0] <= 1e9)
    set_window (self, (range[0] + range[1]) / 2.0, range[1] - range[0]);
  return TRUE;
}

/* Whether the preset's numbers are in the target's unit */
static gboolean
check_unit (IsoluxPipeline *self, const IsoluxTarget *target, GError **error)
{
  gchar *name;

  if (! self->unit || ! *self->unit ||
      (target->has_values && ! strcmp (self->unit, target->values.unit)))
    return TRUE;

  name = gimp_item_get_name (GIMP_ITEM (target->drawable));
  g_set_error (error, GIMP_PLUG_IN_ERROR, 0,
               _("The preset \"%s\" is in %s, and \"%s\" does not say that "
                 "its "
                 "values are. If they are, say so with Filters > Isolux > Set "
                 "Values."),
               self->preset, self->unit, name);
  g_free (name);
  return FALSE;
}

/* ---- Filters ------------------------------------------------------ */

/* A target's filters, not yet in the image */
typedef struct
{
  GimpDrawableFilter *window;
  GimpDrawableFilter *clahe;
} Filters;

/* The window that the image names for a target, else the one of the arguments
 * again */
static void
choose_window (IsoluxPipeline      *self,
               const IsoluxTarget  *target,
               GimpProcedureConfig *arguments)
{
  static const gchar *const names[] = { "mode", "center", "width" };

  if (target->values.n_windows > 0)
    {
      set_window (self, target->values.windows[0][0],
                  target->values.windows[0][1]);
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      GValue value = G_VALUE_INIT;

      g_object_get_property (G_OBJECT (arguments), names[i], &value);
      g_object_set_property (G_OBJECT (self->window), names[i], &value);
      g_value_unset (&value);
    }
}

/* The filter's name; to be freed */
static gchar *
name_window (IsoluxPipeline *self)
{
  if (! self->preset)
    return g_strdup (_("Isolux Window"));
  return g_strdup_printf (_("Isolux Window (%s)"), self->preset);
}

static GimpDrawableFilter *
make_window (IsoluxPipeline *self, const IsoluxTarget *target, GError **error)
{
  gchar              *title = name_window (self);
  IsoluxEffect        effect = { WINDOW, title, self->window };
  GimpDrawableFilter *filter = NULL;

  if (check_unit (self, target, error))
    filter = isolux_target_filter (target, &effect, error);
  g_free (title);
  return filter;
}

/* Over a window there are no values any more, and padding is found by its
 * place */
static GimpDrawableFilter *
make_clahe (IsoluxPipeline *self, const IsoluxTarget *target, GError **error)
{
  IsoluxEffect        effect = { CLAHE, _("Isolux CLAHE"), self->clahe };
  IsoluxTarget        over = *target;
  GimpDrawableFilter *filter = NULL;
  gboolean            masked = self->window && target->has_values &&
                    target->values.has_padding;

  if (self->window)
    over.has_values = FALSE;
  if (masked)
    over.mask =
      isolux_target_mask_without (target,
                                  isolux_real_values_to_whole_code (&target
                                                                       ->values,
                                                                    target
                                                                      ->values
                                                                      .padding),
                                  error);
  if (! masked || over.mask)
    filter = isolux_target_filter (&over, &effect, error);
  if (masked)
    g_free (over.mask);
  return filter;
}

/* FALSE and @error; what was made is then deleted */
static gboolean
make_filters (IsoluxPipeline     *self,
              const IsoluxTarget *target,
              Filters            *filters,
              GError            **error)
{
  if (self->window)
    {
      filters->window = make_window (self, target, error);
      if (! filters->window)
        return FALSE;
    }
  if (self->clahe)
    filters->clahe = make_clahe (self, target, error);
  if (! self->clahe || filters->clahe)
    return TRUE;
  if (filters->window)
    gimp_drawable_filter_delete (filters->window);
  return FALSE;
}

static void
delete_filters (Filters *filters, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      if (filters[i].window)
        gimp_drawable_filter_delete (filters[i].window);
      if (filters[i].clahe)
        gimp_drawable_filter_delete (filters[i].clahe);
    }
}

static void
put_filter (const IsoluxTarget *target, GimpDrawableFilter *filter)
{
  if (! filter)
    return;
  if (target->merge)
    gimp_drawable_merge_filter (target->drawable, filter);
  else
    gimp_drawable_append_filter (target->drawable, filter);
}

/* A merged result says what it is */
static void
name_result (IsoluxPipeline *self, const IsoluxTarget *target)
{
  gchar *what = isolux_pipeline_describe (self);
  gchar *name = gimp_item_get_name (GIMP_ITEM (target->drawable));
  gchar *text = g_strdup_printf ("%s (%s)", name, what);
  gchar *loss =
    g_strdup_printf (_("%s: the values have become a picture"), what);

  if (target->is_layer)
    gimp_item_set_name (GIMP_ITEM (target->drawable), text);
  isolux_drawable_lose_values (target->drawable, loss);
  g_free (loss);
  g_free (text);
  g_free (name);
  g_free (what);
}

static void
put_filters (IsoluxPipeline *self,
             GimpImage      *image,
             GPtrArray      *targets,
             Filters        *filters)
{
  gimp_image_undo_group_start (image);
  for (guint i = 0; i < targets->len; i++)
    {
      const IsoluxTarget *target = targets->pdata[i];

      isolux_target_clear_way (target, CLAHE);
      put_filter (target, filters[i].window);
      put_filter (target, filters[i].clahe);
      if (target->merge)
        name_result (self, target);
      gimp_progress_update ((i + 1.0) / targets->len);
    }
  gimp_image_undo_group_end (image);
  gimp_displays_flush ();
}

static gboolean
replace_windows (GPtrArray *targets, GError **error)
{
  for (guint i = 0; i < targets->len; i++)
    if (! isolux_target_replace_windows (targets->pdata[i], error))
      return FALSE;
  return TRUE;
}

gboolean
isolux_pipeline_apply (IsoluxPipeline *self,
                       GimpImage      *image,
                       GimpDrawable  **drawables,
                       gboolean        non_destructive,
                       GError        **error)
{
  GPtrArray *targets =
    isolux_targets_new (image, drawables, non_destructive, TRUE, error);
  GimpProcedureConfig *arguments = NULL;
  Filters             *filters;
  guint                made = 0;
  gboolean             success;

  if (! targets)
    return FALSE;

  /* what can fail comes first */
  success = ! self->window || (replace_windows (targets, error) &&
                               find_one_window (self, targets, error));
  if (success && self->of_image)
    arguments = copy_settings (self->window, WINDOW_PROCEDURE, WINDOW);
  filters = g_new0 (Filters, targets->len);
  while (success && made < targets->len)
    {
      if (arguments)
        choose_window (self, targets->pdata[made], arguments);
      success =
        make_filters (self, targets->pdata[made], filters + made, error);
      made += success ? 1 : 0;
    }
  if (success)
    put_filters (self, image, targets, filters);
  else
    delete_filters (filters, made);

  g_clear_object (&arguments);
  g_free (filters);
  g_ptr_array_unref (targets);
  return success;
}
