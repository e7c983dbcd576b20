/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the operations that draw a picture of their own have in common. */
#include "internal.h"

gboolean
isolux_picture_check (IsoluxSurface *source,
                      IsoluxSurface *destination,
                      gboolean       raw,
                      GError       **error)
{
  IsoluxSurface alike = *destination;

  if (source == destination)
    return isolux_argument_error (error, _("Source and destination must not "
                                           "be the same surface."));
  if (raw && (destination->image.type != ISOLUX_TYPE_F32 ||
              destination->image.components != 1))
    return isolux_argument_error (error, _("Raw values need a destination of "
                                           "one component of type f32."));
  if (raw)
    alike.image.type = source->image.type;
  return isolux_surfaces_check (source, &alike, FALSE, error);
}

gdouble
isolux_picture_maximum (const IsoluxPixels *pixels)
{
  return pixels->type == ISOLUX_PLAN_U8    ? 255.0
         : pixels->type == ISOLUX_PLAN_U16 ? 65535.0
                                           : 1.0;
}
