/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windowing of floats; codes go through a table (lut.c). */
#include "cpu.h"
#include "kernels.h"

/* Pixels that are held at a time. */
#define PART 512

/* One component, no gamma. */
static void
gray_row (const IsoluxWindowPlan *plan,
          const gfloat           *in,
          gfloat                 *out,
          const guint8           *mask,
          gint64                  n)
{
  const IsoluxKernels *kernels = isolux_cpu_kernels ();
  gfloat               to[PART];

  if (! mask)
    {
      kernels->window_f32 (in, out, n, plan->low[0], plan->width[0],
                           plan->invert);
      return;
    }
  for (gint64 x = 0; x < n; x += PART)
    {
      const gint m = (gint) MIN (PART, n - x);

      kernels->window_f32 (in + x, to, m, plan->low[0], plan->width[0],
                           plan->invert);
      kernels->keep_f32 (mask + x, in + x, m, to);
      memcpy (out + x, to, (gsize) m * sizeof (gfloat));
    }
}

static void
window_row (const IsoluxPixels     *pixels,
            const IsoluxWindowPlan *plan,
            const gfloat           *in,
            gfloat                 *out,
            const guint8           *mask)
{
  const gint n = pixels->components, colors = pixels->colors;

  if (n == 1 && plan->power == 1.0 && ! plan->identity[0])
    {
      gray_row (plan, in, out, mask, pixels->region_width);
      return;
    }
  for (gint64 x = 0; x < pixels->region_width; x++, in += n, out += n)
    {
      gfloat v[3] = { 0.0f, 0.0f, 0.0f };

      if ((mask && ! mask[x]) || (pixels->has_alpha && ! (in[n - 1] > 0.0f)))
        continue;
      for (gint c = 0; c < colors; c++)
        v[c] = in[c];
      isolux_window_pixel (plan, v, colors);
      for (gint c = 0; c < colors; c++)
        out[c] = v[c];
    }
}

gboolean
isolux_cpu_window (IsoluxSurface          *source,
                   IsoluxSurface          *destination,
                   const IsoluxWindowPlan *plan,
                   GError                **error)
{
  const IsoluxPixels *in = &source->pixels, *out = &destination->pixels;
  const gsize         row_bytes = isolux_image_row_bytes (&source->image);
  const gint          threads =
    isolux_cpu_threads (source->device, in->width, in->height);

#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < in->height; y++)
    {
      gconstpointer from = isolux_cpu_row (in, y);
      gpointer      to = isolux_cpu_row (out, y);
      const gint64  start = in->region_x * in->components;

      if (to != from)
        memcpy (to, from, row_bytes);
      if (y >= in->region_y && y < in->region_y + in->region_height)
        window_row (in, plan, (const gfloat *) from + start,
                    (gfloat *) to + start, isolux_cpu_mask_row (in, y));
    }
  return TRUE;
}
