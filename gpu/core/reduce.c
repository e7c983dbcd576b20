/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

static gboolean
twin (const IsoluxBackend *backend,
      IsoluxSurface       *source,
      IsoluxSurface       *destination,
      gpointer             plan,
      GError             **error)
{
  return backend->reduce (source, destination, plan, error);
}

gboolean
isolux_reduce (IsoluxSurface         *source,
               const IsoluxRectangle *rectangle,
               IsoluxSurface         *destination,
               IsoluxReport          *report,
               GError               **error)
{
  const IsoluxImage *image = &destination->image;
  IsoluxSurface      alike = *destination;
  IsoluxReducePlan   plan;
  IsoluxRectangle    r;

  isolux_report_clear (report);
  alike.image.width = source->image.width;
  alike.image.height = source->image.height;
  if (! isolux_surfaces_check (source, &alike, TRUE, error) ||
      ! isolux_rectangle_check (&source->image, rectangle, &r, error))
    return FALSE;
  if (image->width > r.width || image->height > r.height)
    return isolux_argument_error (error, _("A picture cannot be made smaller "
                                           "to a size that is larger."));
  plan.x = r.x;
  plan.y = r.y;
  plan.width = r.width;
  plan.height = r.height;
  return isolux_run (ISOLUX_TWIN_REDUCE, twin, source, destination, &plan,
                     report, error);
}
