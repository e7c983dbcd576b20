/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * preview.c: an effect shown on the canvas, without a trace in the image.
 *
 * What is shown are filters on the layers.  GIMP notes undo steps for them
 * and marks the image as changed, so undo is frozen while they come and go,
 * and only then: were it frozen as long as the dialog is open, it would stay
 * so for good should this process die.
 */
#include "preview.h"

/* How long settings must rest before the canvas follows, in milliseconds */
#define REST 80

struct _IsoluxPreview
{
  GimpImage          *image;
  GPtrArray          *targets;
  const IsoluxEffect *effect;
  GPtrArray          *filters; /* what is shown; NULL when hidden */
  guint               timeout;
};

IsoluxPreview *
isolux_preview_new (GimpImage          *image,
                    GPtrArray          *targets,
                    const IsoluxEffect *effect)
{
  IsoluxPreview *preview = g_new0 (IsoluxPreview, 1);

  preview->image = image;
  preview->targets = targets;
  preview->effect = effect;
  return preview;
}

gboolean
isolux_preview_possible (IsoluxPreview *preview)
{
  for (guint i = 0; i < preview->targets->len; i++)
    if (((IsoluxTarget *) preview->targets->pdata[i])->is_layer)
      return TRUE;
  return FALSE;
}

static void
add_filters (IsoluxPreview *preview)
{
  preview->filters = g_ptr_array_new ();
  for (guint i = 0; i < preview->targets->len; i++)
    {
      IsoluxTarget       *target = preview->targets->pdata[i];
      GimpDrawableFilter *filter;
      GError             *error = NULL;

      if (! target->is_layer ||
          ! gimp_item_is_valid (GIMP_ITEM (target->drawable)))
        continue;

      filter = isolux_target_filter (target, preview->effect, &error);
      if (filter)
        {
          gimp_drawable_append_filter (target->drawable, filter);
          g_ptr_array_add (preview->filters, filter);
        }
      else
        {
          g_message ("%s", error->message);
          g_clear_error (&error);
        }
    }
}

static void
remove_filters (IsoluxPreview *preview)
{
  for (guint i = 0; i < preview->filters->len; i++)
    {
      GimpDrawableFilter *filter = preview->filters->pdata[i];

      /* it may have been deleted, or its layer */
      if (gimp_drawable_filter_is_valid (filter))
        gimp_drawable_filter_delete (filter);
    }
  g_clear_pointer (&preview->filters, g_ptr_array_unref);
}

void
isolux_preview_show (IsoluxPreview *preview, gboolean show)
{
  gboolean dirty;

  if (show == (preview->filters != NULL) ||
      ! gimp_image_is_valid (preview->image))
    return;

  dirty = gimp_image_is_dirty (preview->image);
  gimp_image_undo_freeze (preview->image);
  if (show)
    add_filters (preview);
  else
    remove_filters (preview);
  gimp_image_undo_thaw (preview->image);
  if (! dirty)
    gimp_image_clean_all (preview->image);
  gimp_displays_flush ();
}

static gboolean
update (gpointer data)
{
  IsoluxPreview *preview = data;

  preview->timeout = 0;
  if (preview->filters)
    {
      for (guint i = 0; i < preview->filters->len; i++)
        {
          GimpDrawableFilter *filter = preview->filters->pdata[i];

          if (gimp_drawable_filter_is_valid (filter) &&
              isolux_filter_set (filter, preview->effect, NULL))
            gimp_drawable_filter_update (filter);
        }
      gimp_displays_flush ();
    }
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
  isolux_preview_show (preview, FALSE);
  if (preview->timeout)
    g_source_remove (preview->timeout);
  g_clear_pointer (&preview->filters, g_ptr_array_unref);
  g_free (preview);
}
