/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Applying tables.  Gray codes without mask and alpha: those of u8 by shuffles
 * of bytes, those of u16 by one load from a table of 128 KB a pixel.
 */
#include "cpu.h"
#include "kernels.h"

/* Pixels whose lumas are held at a time. */
#define LUMA_PART 512

/* ---- Rows of codes ------------------------------------------------------ */

/* Four at a time: loads and stores take longer than what is between. */
static void
plain_u16 (const guint16 *in, guint16 *out, gint64 n, const guint16 *table)
{
  gint64 x = 0;

  for (; x + 4 <= n; x += 4)
    {
      guint64 from, to;

      memcpy (&from, in + x, sizeof from);
      to = (guint64) table[from & 65535] |
           (guint64) table[from >> 16 & 65535] << 16 |
           (guint64) table[from >> 32 & 65535] << 32 |
           (guint64) table[from >> 48] << 48;
      memcpy (out + x, &to, sizeof to);
    }
  for (; x < n; x++)
    out[x] = table[in[x]];
}

#define DEFINE_CODES(suffix, type, maximum)                             \
  static void any_##suffix (const IsoluxPixels  *pixels,                \
                            const IsoluxLutPlan *plan, const type *in,  \
                            type *out, const guint8 *mask, gint64 n)    \
  {                                                                     \
    const type *table = plan->entries;                                  \
    const gint  components = pixels->components;                        \
    const gint  alpha = pixels->has_alpha ? components - 1 : -1;        \
                                                                        \
    for (gint64 x = 0; x < n; x++, in += components, out += components) \
      {                                                                 \
        if ((mask && ! mask[x]) || (alpha >= 0 && ! in[alpha]))         \
          continue;                                                     \
        for (gint c = 0; c < pixels->colors; c++)                       \
          {                                                             \
            const gint t = plan->channels == 1 ? 0 : c;                 \
                                                                        \
            if (! plan->identity[t])                                    \
              out[c] = table[(gsize) t * ((maximum) + 1) + in[c]];      \
          }                                                             \
      }                                                                 \
  }

DEFINE_CODES (u8, guint8, 255)
DEFINE_CODES (u16, guint16, 65535)

/* Lumas of some pixels at a time, and what the table makes of them; pixels
 * that do not count keep theirs. */
#define DEFINE_LUMA(suffix, type, look_up)                                \
  static void luma_##suffix (const IsoluxPixels  *pixels,                 \
                             const IsoluxLutPlan *plan, const type *in,   \
                             type *out, const guint8 *mask, gint64 n)     \
  {                                                                       \
    const IsoluxKernels *kernels = isolux_cpu_kernels ();                 \
    const gint           components = pixels->components;                 \
    type                 from[LUMA_PART], to[LUMA_PART];                  \
                                                                          \
    for (gint64 x = 0; x < n; x += LUMA_PART)                             \
      {                                                                   \
        const gint m = (gint) MIN (LUMA_PART, n - x);                     \
                                                                          \
        kernels->luma_##suffix (&plan->weights, in, components, m, from); \
        look_up (from, to, m, plan->entries);                             \
        if (mask)                                                         \
          kernels->keep_##suffix (mask + x, from, m, to);                 \
        if (components == 4)                                              \
          for (gint i = 0; i < m; i++)                                    \
            to[i] = in[4 * i + 3] ? to[i] : from[i];                      \
        kernels->recolor_##suffix (in, out, components, m, from, to);     \
        in += m * components;                                             \
        out += m * components;                                            \
      }                                                                   \
  }

DEFINE_LUMA (u8, guint8, kernels->lut_u8)
DEFINE_LUMA (u16, guint16, plain_u16)

/* Gray, of which a mask says what changes. */
#define DEFINE_MASKED(suffix, type, look_up)                              \
  static void masked_##suffix (const IsoluxLutPlan *plan, const type *in, \
                               type *out, const guint8 *mask, gint64 n)   \
  {                                                                       \
    const IsoluxKernels *kernels = isolux_cpu_kernels ();                 \
    type                 to[LUMA_PART];                                   \
                                                                          \
    for (gint64 x = 0; x < n; x += LUMA_PART)                             \
      {                                                                   \
        const gint m = (gint) MIN (LUMA_PART, n - x);                     \
                                                                          \
        look_up (in + x, to, m, plan->entries);                           \
        kernels->keep_##suffix (mask + x, in + x, m, to);                 \
        memcpy (out + x, to, (gsize) m * sizeof (type));                  \
      }                                                                   \
  }

DEFINE_MASKED (u8, guint8, kernels->lut_u8)
DEFINE_MASKED (u16, guint16, plain_u16)

/* ---- Rows of floats ----------------------------------------------------- */

/* One component; mask: nullable. */
static void
gray_f32 (const IsoluxLutPlan *plan,
          const gfloat        *in,
          gfloat              *out,
          const guint8        *mask,
          gint64               n)
{
  const IsoluxKernels *kernels = isolux_cpu_kernels ();
  const gfloat        *table = plan->entries;
  gint32               places[LUMA_PART];
  gfloat               to[LUMA_PART];

  for (gint64 x = 0; x < n; x += LUMA_PART)
    {
      const gint m = (gint) MIN (LUMA_PART, n - x);

      kernels->bins_f32 (in + x, m, plan->low[0], plan->scale[0], plan->bins,
                         places);
      for (gint i = 0; i < m; i++)
        to[i] = places[i] < 0 ? in[x + i] : table[places[i]];
      if (mask)
        kernels->keep_f32 (mask + x, in + x, m, to);
      memcpy (out + x, to, (gsize) m * sizeof (gfloat));
    }
}

static void
any_f32 (const IsoluxPixels  *pixels,
         const IsoluxLutPlan *plan,
         const gfloat        *in,
         gfloat              *out,
         const guint8        *mask,
         gint64               n)
{
  const gfloat *table = plan->entries;
  const gint    components = pixels->components;
  const gint    alpha = pixels->has_alpha ? components - 1 : -1;

  for (gint64 x = 0; x < n; x++, in += components, out += components)
    {
      if ((mask && ! mask[x]) || (alpha >= 0 && ! (in[alpha] > 0.0f)))
        continue;
      if (plan->luma)
        {
          gdouble y;
          gfloat  to[3];

          if (isolux_is_nan (in[0]) || isolux_is_nan (in[1]) ||
              isolux_is_nan (in[2]))
            continue;
          y = isolux_luma_f32 (&plan->weights, in[0], in[1], in[2]);
          isolux_move_luma_f32 (in,
                                isolux_luma_finite (&plan->weights, in[0],
                                                    in[1], in[2]),
                                table[isolux_bin_f32 (y, plan->low[0],
                                                      plan->scale[0],
                                                      plan->bins)],
                                to);
          out[0] = to[0];
          out[1] = to[1];
          out[2] = to[2];
        }
      else
        for (gint c = 0; c < pixels->colors; c++)
          {
            const gint t = plan->channels == 1 ? 0 : c;

            if (! plan->identity[t] && ! isolux_is_nan (in[c]))
              out[c] =
                table[(gsize) t * (gsize) plan->bins +
                      (gsize) isolux_bin_f32 (in[c], plan->low[t],
                                              plan->scale[t], plan->bins)];
          }
    }
}

/* ---- Whole images ------------------------------------------------------- */

static void
apply_row (const IsoluxPixels  *pixels,
           const IsoluxLutPlan *plan,
           gconstpointer        in,
           gpointer             out,
           gint64               y)
{
  const guint8  *mask = isolux_cpu_mask_row (pixels, y);
  const gint64   n = pixels->region_width;
  const gint64   start = pixels->region_x * pixels->components;
  const gboolean plain = pixels->components == 1 && ! mask;

  switch (pixels->type)
    {
      case ISOLUX_PLAN_U8:
        if (plain)
          isolux_cpu_kernels ()->lut_u8 ((const guint8 *) in + start,
                                         (guint8 *) out + start, n,
                                         plan->entries);
        else if (pixels->components == 1)
          masked_u8 (plan, (const guint8 *) in + start, (guint8 *) out + start,
                     mask, n);
        else if (plan->luma)
          luma_u8 (pixels, plan, (const guint8 *) in + start,
                   (guint8 *) out + start, mask, n);
        else
          any_u8 (pixels, plan, (const guint8 *) in + start,
                  (guint8 *) out + start, mask, n);
        break;
      case ISOLUX_PLAN_U16:
        if (plain)
          plain_u16 ((const guint16 *) in + start, (guint16 *) out + start, n,
                     plan->entries);
        else if (pixels->components == 1)
          masked_u16 (plan, (const guint16 *) in + start,
                      (guint16 *) out + start, mask, n);
        else if (plan->luma)
          luma_u16 (pixels, plan, (const guint16 *) in + start,
                    (guint16 *) out + start, mask, n);
        else
          any_u16 (pixels, plan, (const guint16 *) in + start,
                   (guint16 *) out + start, mask, n);
        break;
      default:
        if (pixels->components == 1)
          gray_f32 (plan, (const gfloat *) in + start, (gfloat *) out + start,
                    mask, n);
        else
          any_f32 (pixels, plan, (const gfloat *) in + start,
                   (gfloat *) out + start, mask, n);
        break;
    }
}

gboolean
isolux_cpu_lut_apply (IsoluxSurface       *source,
                      IsoluxSurface       *destination,
                      const IsoluxLutPlan *plan,
                      GError             **error)
{
  const IsoluxPixels *in = &source->pixels, *out = &destination->pixels;
  const gsize         row_bytes = isolux_image_row_bytes (&source->image);
  const gint          threads =
    isolux_cpu_threads (source->device, in->width, in->height);
  /* whether a row is written whole without being copied first */
  const gboolean whole = (in->components == 1 || plan->luma) &&
                         in->type != ISOLUX_PLAN_F32 &&
                         in->region_width == in->width;
  gboolean all = TRUE;

  for (gint c = 0; c < plan->channels; c++)
    all = all && plan->identity[c];

#pragma omp parallel for num_threads(threads) schedule(static)
  for (gint64 y = 0; y < in->height; y++)
    {
      gconstpointer  from = isolux_cpu_row (in, y);
      gpointer       to = isolux_cpu_row (out, y);
      const gboolean inside = ! all && y >= in->region_y &&
                              y < in->region_y + in->region_height;

      if (to != from && ! (inside && whole))
        memcpy (to, from, row_bytes);
      if (inside)
        apply_row (in, plan, from, to, y);
    }
  return TRUE;
}
