/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns.  The floor is one read and one write; what takes
 * the time is the eight signs of a pixel: about 40 operations on vectors of
 * 16 bits for u8, some 70 on doubles for u16.
 */

/* ---- Eight points of radius 1 -------------------------------------------- */

/* A corner of u8 is tied when both differences are 0 and the sides are not
 * (then they differ, too). */
static void
lbp_signs_u8 (const guint8 *restrict above,
              const guint8 *restrict at,
              const guint8 *restrict below,
              gint n,
              guint8 *restrict signs,
              guint8 *restrict ties)
{
  for (gint k = 0; k < n; k++)
    {
      const gint16 v = at[k];
      const gint16 e = (gint16) (at[k + 1] - v), w = (gint16) (at[k - 1] - v);
      const gint16 no = (gint16) (above[k] - v), s = (gint16) (below[k] - v);
      const gint16 ne = (gint16) (above[k + 1] - v);
      const gint16 nw = (gint16) (above[k - 1] - v);
      const gint16 sw = (gint16) (below[k - 1] - v);
      const gint16 se = (gint16) (below[k + 1] - v);
      const gint16 s1 = (gint16) (e + no), s3 = (gint16) (no + w);
      const gint16 s5 = (gint16) (w + s), s7 = (gint16) (s + e);
      const gint16 up = (gint16) - (no != 0), down = (gint16) - (s != 0);
      gint16       below_0, tie;

      /* the bits of those below 0 */
      below_0 = e >> 15 & 1;
      below_0 |= isolux_lbp_diagonal_u8 (s1, ne) >> 15 & 2;
      below_0 |= no >> 15 & 4;
      below_0 |= isolux_lbp_diagonal_u8 (s3, nw) >> 15 & 8;
      below_0 |= w >> 15 & 16;
      below_0 |= isolux_lbp_diagonal_u8 (s5, sw) >> 15 & 32;
      below_0 |= s >> 15 & 64;
      below_0 |= isolux_lbp_diagonal_u8 (s7, se) >> 15 & 128;
      signs[k] = (guint8) (below_0 ^ 255);
      tie = (gint16) - ((s1 | ne) == 0) & 2;
      tie |= (gint16) - ((s3 | nw) == 0) & 8;
      tie &= up;
      tie |= ((((gint16) - ((s5 | sw) == 0) & 32) |
               ((gint16) - ((s7 | se) == 0) & 128)) &
              down);
      ties[k] = (guint8) tie;
    }
}

/* The same for u16, in doubles, which hold all sums exactly; conditions are
 * masks as wide as those. */
#define BIT(condition, bit) (-(gint64) (condition) & (bit))

static void
lbp_signs_u16 (const guint16 *restrict above,
               const guint16 *restrict at,
               const guint16 *restrict below,
               gint n,
               guint8 *restrict signs,
               guint8 *restrict ties)
{
  const gdouble side = ISOLUX_LBP_SIDES, corner = ISOLUX_LBP_CORNER;

  for (gint k = 0; k < n; k++)
    {
      const gdouble v = at[k];
      const gdouble e = at[k + 1] - v, w = at[k - 1] - v;
      const gdouble no = above[k] - v, s = below[k] - v;
      const gdouble ne = above[k + 1] - v, nw = above[k - 1] - v;
      const gdouble sw = below[k - 1] - v, se = below[k + 1] - v;
      const gdouble t1 = side * (e + no) + corner * ne;
      const gdouble t3 = side * (no + w) + corner * nw;
      const gdouble t5 = side * (w + s) + corner * sw;
      const gdouble t7 = side * (s + e) + corner * se;
      const gint64  sign = BIT (e >= 0.0, 1) | BIT (t1 >= 0.0, 2) |
                          BIT (no >= 0.0, 4) | BIT (t3 >= 0.0, 8) |
                          BIT (w >= 0.0, 16) | BIT (t5 >= 0.0, 32) |
                          BIT (s >= 0.0, 64) | BIT (t7 >= 0.0, 128);
      const gint64 tie = (BIT (t1 == 0.0, 2) & BIT (e != no, 2)) |
                         (BIT (t3 == 0.0, 8) & BIT (no != w, 8)) |
                         (BIT (t5 == 0.0, 32) & BIT (w != s, 32)) |
                         (BIT (t7 == 0.0, 128) & BIT (s != e, 128));

      signs[k] = (guint8) sign;
      ties[k] = (guint8) tie;
    }
}

/*
 * Few pixels have ties, and no one can predict which: so a word's first ties
 * are all taken whether they are there or not, and the next word's overwrite
 * those that were not.  Only many pixels without any are passed over.
 */
static gint
lbp_places (const guint8 *restrict ties, gint n, guint16 *restrict places)
{
  const guint64 end = (guint64) 1 << 63;
  guint64       words[ISOLUX_TIES_PART / 8];
  gint          found = 0;

  for (gint first = 0; first < n; first += ISOLUX_TIES_PART)
    {
      guint64 any = 0;

      memcpy (words, ties + first, sizeof words);
      for (gint i = 0; i < ISOLUX_TIES_PART / 8; i++)
        any |= words[i];
      if (any == 0)
        continue;
      for (gint i = 0; i < ISOLUX_TIES_PART / 8; i += 2)
        {
          guint64 rest = GUINT64_FROM_LE (words[i]) >> 1 |
                         GUINT64_FROM_LE (words[i + 1]);
          const gint count = __builtin_popcountll (rest);
          const gint place = 4 * first + 32 * i;
          guint16   *at = places + found;

          for (gint j = 0; j < ISOLUX_TIES_STEP; j++, rest &= rest - 1)
            at[j] = (guint16) (place + __builtin_ctzll (rest | end));
          for (gint j = ISOLUX_TIES_STEP; j < count; j++, rest &= rest - 1)
            at[j] = (guint16) (place + __builtin_ctzll (rest | end));
          found += count;
        }
    }
  return found;
}

/* ---- Any points --------------------------------------------------------- */

/* One sample of each pixel of a row. */
static void
lbp_sample (const gdouble *restrict top_left,
            const gdouble *restrict top_right,
            const gdouble *restrict bottom_left,
            const gdouble *restrict bottom_right,
            const gdouble *restrict fraction,
            gdouble  dr,
            gboolean flat,
            gint     n,
            gdouble *restrict samples)
{
  if (flat)
    for (gint k = 0; k < n; k++)
      samples[k] = isolux_lbp_sample (top_left[k], top_right[k], bottom_left[k],
                                      bottom_right[k], dr, fraction[k], TRUE);
  else
    for (gint k = 0; k < n; k++)
      samples[k] = isolux_lbp_sample (top_left[k], top_right[k], bottom_left[k],
                                      bottom_right[k], dr, fraction[k], FALSE);
}

static void
lbp_add_sign (const gdouble *restrict samples,
              const gdouble *restrict centers,
              gint bit,
              gint n,
              guint32 *restrict signs)
{
  for (gint k = 0; k < n; k++)
    signs[k] |= (guint32) (samples[k] >= centers[k]) << bit;
}

static void
lbp_add_squares (const gdouble *restrict samples,
                 gint n,
                 gdouble *restrict sum,
                 gdouble *restrict squares)
{
  for (gint k = 0; k < n; k++)
    {
      sum[k] += samples[k];
      squares[k] += samples[k] * samples[k];
    }
}
