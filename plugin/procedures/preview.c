/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.c: an effect shown on the canvas, without a trace in the image.
 *
 * What is shown are filters on the layers.  GIMP notes undo steps for them
 * and marks the image as changed, so undo is frozen while they come and go,
 * and only then: were it frozen as long as the dialog is open, it would stay
 * so for good should this process die.
 *
 * GIMP computes the filter in its own time, during which it answers nobody.
 * So there is one job at the gate at most, and it takes the settings of the
 * time when it starts.
 */
#include "preview.h"

/* How long settings must rest before the canvas follows, in milliseconds */
#define REST 80

struct _IsoluxPreview
{
  GimpImage          *image;
  GPtrArray          *targets;
  const IsoluxEffect *effect;
  IsoluxGate         *gate;
  GPtrArray          *filters; /* the gate's: Shown, NULL: nothing is */
  gboolean            show;
  gboolean            running; /* a job is at the gate */
  gboolean            again;   /* and has been overtaken */
  guint               timeout;
};

/* A filter, and where it is */
typedef struct
{
  GimpDrawable       *drawable;
  GimpDrawableFilter *filter;
} Shown;

typedef struct
{
  IsoluxPreview *preview;
  IsoluxEffect   effect; /* with settings of its own */
  gboolean       show;
} Job;

IsoluxPreview *
isolux_preview_new (GimpImage          *image,
                    GPtrArray          *targets,
                    const IsoluxEffect *effect,
                    IsoluxGate         *gate)
{
  IsoluxPreview *preview = g_new0 (IsoluxPreview, 1);

  preview->image = image;
  preview->targets = targets;
  preview->effect = effect;
  preview->gate = gate;
  return preview;
}

/* ---- At the gate -------------------------------------------------- */

static gboolean
is_usable (IsoluxPreview *preview, const Shown *shown)
{
  return isolux_drawable_is_there (preview->image, shown->drawable) &&
         gimp_drawable_filter_is_valid (shown->filter);
}

static void
add_filters (IsoluxPreview *preview, const IsoluxEffect *effect)
{
  preview->filters = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < preview->targets->len; i++)
    {
      IsoluxTarget       *target = preview->targets->pdata[i];
      GimpDrawableFilter *filter;
      GError             *error = NULL;

      if (! target->is_layer ||
          ! isolux_drawable_is_there (preview->image, target->drawable))
        continue;

      filter = isolux_target_filter (target, effect, &error);
      if (filter)
        {
          Shown *shown = g_new (Shown, 1);

          shown->drawable = target->drawable;
          shown->filter = filter;
          gimp_drawable_append_filter (target->drawable, filter);
          g_ptr_array_add (preview->filters, shown);
        }
      else
        {
          g_printerr ("isolux: %s\n", error->message);
          g_clear_error (&error);
        }
    }
}

static void
remove_filters (IsoluxPreview *preview)
{
  for (guint i = 0; i < preview->filters->len; i++)
    {
      Shown *shown = preview->filters->pdata[i];

      /* it may have been deleted, or its layer */
      if (is_usable (preview, shown))
        gimp_drawable_filter_delete (shown->filter);
    }
  g_clear_pointer (&preview->filters, g_ptr_array_unref);
}

/* What the effect is to take the place of is hidden while it is shown */
static void
show_replaced (IsoluxPreview *preview, gboolean show)
{
  for (guint i = 0; i < preview->targets->len; i++)
    {
      const IsoluxTarget *target = preview->targets->pdata[i];

      if (! target->replaced ||
          ! isolux_drawable_is_there (preview->image, target->drawable))
        continue;
      for (guint j = 0; j < target->replaced->len; j++)
        if (gimp_drawable_filter_is_valid (target->replaced->pdata[j]))
          gimp_drawable_filter_set_visible (target->replaced->pdata[j], show);
      if (show)
        gimp_drawable_update (target->drawable, 0, 0,
                              gimp_drawable_get_width (target->drawable),
                              gimp_drawable_get_height (target->drawable));
    }
}

static void
come_or_go (IsoluxPreview *preview, const IsoluxEffect *effect, gboolean show)
{
  gboolean dirty;

  if (! gimp_image_is_valid (preview->image))
    return;

  dirty = gimp_image_is_dirty (preview->image);
  gimp_image_undo_freeze (preview->image);
  show_replaced (preview, ! show);
  if (show)
    add_filters (preview, effect);
  else
    remove_filters (preview);
  gimp_image_undo_thaw (preview->image);
  if (! dirty)
    gimp_image_clean_all (preview->image);
  gimp_displays_flush ();
}

static void
change_filters (IsoluxPreview *preview, const IsoluxEffect *effect)
{
  for (guint i = 0; i < preview->filters->len; i++)
    {
      Shown *shown = preview->filters->pdata[i];

      if (is_usable (preview, shown) &&
          isolux_filter_set (shown->filter, effect, NULL))
        gimp_drawable_filter_update (shown->filter);
    }
  gimp_displays_flush ();
}

static void
job_work (gpointer data)
{
  Job           *job = data;
  IsoluxPreview *preview = job->preview;

  if (job->show != (preview->filters != NULL))
    come_or_go (preview, &job->effect, job->show);
  else if (job->show)
    change_filters (preview, &job->effect);
}

/* ---- In the main thread ------------------------------------------- */

static void push (IsoluxPreview *preview);

static void
job_done (gpointer data)
{
  Job           *job = data;
  IsoluxPreview *preview = job->preview;

  preview->running = FALSE;
  if (preview->again)
    push (preview);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->effect.config);
  g_free (job);
}

static void
push (IsoluxPreview *preview)
{
  Job *job;

  if (preview->running)
    {
      preview->again = TRUE;
      return;
    }
  preview->running = TRUE;
  preview->again = FALSE;

  job = g_new0 (Job, 1);
  job->preview = preview;
  job->effect = *preview->effect;
  job->effect.config =
    GIMP_PROCEDURE_CONFIG (gimp_config_duplicate (GIMP_CONFIG (preview->effect
                                                                 ->config)));
  job->show = preview->show;
  isolux_gate_push (preview->gate, job_work, job_done, job, job_free);
}

void
isolux_preview_show (IsoluxPreview *preview, gboolean show)
{
  if (show == preview->show)
    return;
  preview->show = show;
  push (preview);
}

gboolean
isolux_preview_is_shown (IsoluxPreview *preview)
{
  return preview->show;
}

static gboolean
update (gpointer data)
{
  IsoluxPreview *preview = data;

  preview->timeout = 0;
  if (preview->show)
    push (preview);
  return G_SOURCE_REMOVE;
}

void
isolux_preview_update (IsoluxPreview *preview)
{
  if (preview->timeout)
    g_source_remove (preview->timeout);
  preview->timeout = g_timeout_add (REST, update, preview);
}

void
isolux_preview_free (IsoluxPreview *preview)
{
  if (preview->timeout)
    g_source_remove (preview->timeout);
  if (preview->filters)
    come_or_go (preview, preview->effect, FALSE);
  g_clear_pointer (&preview->filters, g_ptr_array_unref);
  g_free (preview);
}
