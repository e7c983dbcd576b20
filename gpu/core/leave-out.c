/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pixels of one value, which do not count. */
#include "internal.h"

#include <float.h>
#include <math.h>

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             plan,
      GError             **error)
{
  return backend->leave_out (source, destination, plan, error);
}

/* Rounded to single precision; a finite value that is too large for it is no
 * component's */
static gboolean
set_limit (gdouble value, gfloat *limit)
{
  *limit = (gfloat) value;
  return ! isfinite (value) || fabs (value) <= FLT_MAX;
}

gboolean
isolux_surface_leave_out (IsoluxSurface *surface,
                          gdouble        value,
                          gdouble        tolerance,
                          GError       **error)
{
  IsoluxPixels      *pixels = &surface->pixels;
  IsoluxImage        image = { pixels->region_width, pixels->region_height, 1,
                               ISOLUX_TYPE_U8, 0 };
  IsoluxLeaveOutPlan plan;
  IsoluxSurface     *mask;
  gboolean           success;

  if (isnan (value))
    return isolux_argument_error (error, _("The value to leave out is not a "
                                           "number."));
  if (! (tolerance >= 0.0 && isfinite (tolerance)))
    return isolux_argument_error (error,
                                  _("A tolerance is not below 0; %g is not "
                                    "possible."),
                                  tolerance);
  if (image.width < 1 || image.height < 1 ||
      ! set_limit (value - tolerance, &plan.low) ||
      ! set_limit (value + tolerance, &plan.high))
    return TRUE;

  /* the new mask is a surface as long as it is being made */
  mask =
    isolux_surface_new_on (surface->device, surface->backend, &image, error);
  if (! mask)
    return FALSE;
  success =
    isolux_run (ISOLUX_TWIN_LEAVE_OUT, twin, surface, mask, &plan, NULL, error);
  if (success)
    {
      gpointer old = surface->mask;
      gsize    old_size = surface->mask_size;

      pixels->mask = surface->mask = mask->memory;
      surface->mask_size = mask->memory_size;
      pixels->mask_stride = mask->pixels.stride;
      mask->memory = old;
      mask->memory_size = old_size;
      g_clear_pointer (&surface->master, isolux_surface_unref);
    }
  isolux_surface_unref (mask);
  return success;
}
