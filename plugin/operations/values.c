/* SPDX-License-Identifier: GPL-3.0-or-later */
/* values.c - types of components that libisolux does not know */
#include "values.h"

#include <math.h>
#include <string.h>

/* ---- u32: 0 .. 2^32 - 1 ------------------------------------------- */

static void
u32_widen (gfloat *to, gconstpointer from, gsize n)
{
  const guint32 *codes = from;
  gsize          i;

  for (i = 0; i < n; i++)
    to[i] = (gfloat) (codes[i] / 4294967295.0);
}

static void
u32_narrow (gpointer to, const gfloat *from, gsize n)
{
  guint32 *codes = to;
  gsize    i;

  for (i = 0; i < n; i++)
    {
      const gdouble v = from[i] * 4294967295.0;

      codes[i] = v >= 4294967295.0 ? G_MAXUINT32
                 : v > 0.0         ? (guint32) (v + 0.5)
                                   : 0;
    }
}

/* ---- half: IEEE 754 binary16 -------------------------------------- */

#define FLOAT_INFINITY 0x7f800000u
#define HALF_INFINITY 0x7c00u
#define HALF_QUIET 0x0200u
#define REBIAS ((127u - 15u) << 23)      /* of exponents */
#define HALF_NORMAL ((127u - 14u) << 23) /* 2^-14, the least normal half */
#define HALF_OVERFLOW 0x477ff000u        /* 65520, which rounds to infinity */

static void
half_widen (gfloat *to, gconstpointer from, gsize n)
{
  const guint16 *halves = from;
  gsize          i;

  for (i = 0; i < n; i++)
    {
      const guint32 sign = (guint32) (halves[i] & 0x8000) << 16;
      const guint32 rest = halves[i] & 0x7fff;
      guint32       bits;

      if (rest >= HALF_INFINITY) /* or NaN */
        {
          bits = FLOAT_INFINITY | (rest & 0x3ff) << 13;
        }
      else if (rest >= 0x400)
        {
          bits = (rest << 13) + REBIAS;
        }
      else /* subnormal, or 0 */
        {
          const gfloat v = (gfloat) rest * 0x1p-24f;

          memcpy (&bits, &v, sizeof (bits));
        }

      bits |= sign;
      memcpy (&to[i], &bits, sizeof (bits));
    }
}

static void
half_narrow (gpointer to, const gfloat *from, gsize n)
{
  guint16 *halves = to;
  gsize    i;

  for (i = 0; i < n; i++)
    {
      guint32 bits, sign;

      memcpy (&bits, &from[i], sizeof (bits));
      sign = bits >> 16 & 0x8000;
      bits &= 0x7fffffff;

      if (bits > FLOAT_INFINITY)
        bits = HALF_INFINITY | HALF_QUIET | (bits >> 13 & 0x3ff);
      else if (bits >= HALF_OVERFLOW)
        bits = HALF_INFINITY;
      else if (bits >= HALF_NORMAL) /* to nearest, ties to even */
        bits = (bits - REBIAS + 0xfff + (bits >> 13 & 1)) >> 13;
      else
        bits = (guint32) rintf (fabsf (from[i]) * 0x1p24f);

      halves[i] = (guint16) (sign | bits);
    }
}

/* ---- double -------------------------------------------------------- */

static void
double_widen (gfloat *to, gconstpointer from, gsize n)
{
  const gdouble *doubles = from;
  gsize          i;

  for (i = 0; i < n; i++)
    to[i] = (gfloat) doubles[i];
}

static void
double_narrow (gpointer to, const gfloat *from, gsize n)
{
  gdouble *doubles = to;
  gsize    i;

  for (i = 0; i < n; i++)
    doubles[i] = from[i];
}

const Values *
values_find (const gchar *type)
{
  static const Values values[] = {
    { "u32", u32_widen, u32_narrow },
    { "half", half_widen, half_narrow },
    { "double", double_widen, double_narrow },
  };
  gsize i;

  for (i = 0; i < G_N_ELEMENTS (values); i++)
    if (! strcmp (type, values[i].type))
      return &values[i];
  return NULL;
}
