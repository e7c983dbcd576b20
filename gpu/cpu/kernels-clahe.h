/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CLAHE: a pixel from the tables of the four tiles around it, which are read
 * as one word.  The words of some pixels are read first, then turned into
 * floats, weighed and rounded by vectors; what is read may be what is
 * written.
 *
 * The floor is one read of a word a pixel, which no vector does; the formula
 * has 20 operations on floats, so about as long.
 */

/* Pixels whose words are read at a time. */
#define WORDS_PART 256

/* Field j of word i: words of 64 bits are in memory as two of 32, which
 * vectors take apart more easily. */
#define FIELD(words, i, j) \
  ((gfloat) (gint) ((words)[2 * (i) + HALF_OF (j)] >> 16 * ((j) & 1) & 65535))
#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define HALF_OF(j) ((j) / 2)
#else
#define HALF_OF(j) (1 - (j) / 2)
#endif

#define DEFINE_PACK(suffix, type, word, bits)                                \
  static void pack_##suffix (const type *restrict a, const type *restrict b, \
                             const type *restrict c, const type *restrict d, \
                             gint n, word *restrict packed)                  \
  {                                                                          \
    for (gint k = 0; k < n; k++)                                             \
      packed[k] = (word) a[k] | (word) b[k] << (bits) |                      \
                  (word) c[k] << 2 * (bits) | (word) d[k] << 3 * (bits);     \
  }

DEFINE_PACK (u8, guint8, guint32, 8)
DEFINE_PACK (u16, guint16, guint64, 16)

/* Words of 32 bits go into the vectors as they are read. */
static inline void
blend_u8 (const guint8 *restrict in,
          guint8 *restrict out,
          gint n,
          const gfloat *restrict weights,
          gfloat y,
          const guint32 *restrict table)
{
  for (gint i = 0; i < n; i++)
    {
      const guint32 word = table[in[i]];

      out[i] = (guint8)
        isolux_round_code (isolux_blend ((gfloat) (gint) (word & 255),
                                         (gfloat) (gint) (word >> 8 & 255),
                                         (gfloat) (gint) (word >> 16 & 255),
                                         (gfloat) (gint) (word >> 24),
                                         weights[i], y));
    }
}

static void
clahe_u8 (const guint8 *in,
          guint8       *out,
          gint          n,
          const gfloat *restrict weights,
          gfloat y,
          const guint32 *restrict table)
{
  guint8 part[WORDS_PART];

  if (in != out)
    blend_u8 (in, out, n, weights, y, table);
  else
    for (gint first = 0; first < n; first += WORDS_PART)
      {
        const gint m = MIN (WORDS_PART, n - first);

        memcpy (part, in + first, (gsize) m);
        blend_u8 (part, out + first, m, weights + first, y, table);
      }
}

static void
clahe_u16 (const guint16 *in,
           guint16       *out,
           gint           n,
           const gfloat *restrict weights,
           gfloat y,
           const guint64 *restrict table)
{
  guint32 words[2 * WORDS_PART];

  for (gint first = 0; first < n; first += WORDS_PART)
    {
      const gint    m = MIN (WORDS_PART, n - first);
      const gfloat *x = weights + first;
      guint16      *to = out + first;

      for (gint i = 0; i < m; i++)
        memcpy (words + 2 * i, table + in[first + i], sizeof *table);
      for (gint i = 0; i < m; i++)
        to[i] = isolux_round_code (isolux_blend (FIELD (words, i, 0),
                                                 FIELD (words, i, 1),
                                                 FIELD (words, i, 2),
                                                 FIELD (words, i, 3), x[i], y));
    }
}

/* Field j of pixel i between both of its words. */
#define BETWEEN(words, i, j, share) \
  isolux_share (FIELD (words, 2 * (i), j), FIELD (words, 2 * (i) + 1, j), share)

/* As clahe_u16, where a bin holds several codes: each is between the entries
 * of the bin before and of its own, as far as its share says. */
static void
clahe_shared (const guint16 *in,
              guint16       *out,
              gint           n,
              const gfloat *restrict weights,
              gfloat y,
              const guint64 *restrict table,
              const gfloat *restrict shares,
              gint shift)
{
  guint32 words[4 * WORDS_PART]; /* of the bin before, then its own */
  gfloat  share[WORDS_PART];

  for (gint first = 0; first < n; first += WORDS_PART)
    {
      const gint    m = MIN (WORDS_PART, n - first);
      const gfloat *x = weights + first;
      guint16      *to = out + first;

      for (gint i = 0; i < m; i++)
        {
          const guint code = in[first + i];

          memcpy (words + 4 * i, table + (code >> shift) - 1,
                  2 * sizeof *table);
          share[i] = shares[code];
        }
      for (gint i = 0; i < m; i++)
        {
          const gfloat s = share[i];
          const gfloat v = isolux_blend (BETWEEN (words, i, 0, s),
                                         BETWEEN (words, i, 1, s),
                                         BETWEEN (words, i, 2, s),
                                         BETWEEN (words, i, 3, s), x[i], y);
          const gint32 code = (gint32) isolux_round_f32 (v);

          to[i] = (guint16) (code < 65535 ? code : 65535);
        }
    }
}

/* ---- The table of a tile ------------------------------------------------ */

/*
 * Whole counts as OpenCV has them, of fewer than 2^31 pixels: what the limit
 * leaves is added up one after the other, the rest by vectors.
 */
#define DEFINE_ENTRIES(suffix, type, maximum)                              \
  static void clahe_entries_##suffix (const IsoluxTileTerms *terms,        \
                                      guint32 *restrict counts, gint bins, \
                                      type *restrict entries)              \
  {                                                                        \
    const guint32 limit = (guint32) MIN (terms->limit, G_MAXUINT32);       \
    const guint32 even = (guint32) terms->even;                            \
    const gfloat  scale = (gfloat) terms->scale;                           \
    guint32       sum = 0;                                                 \
                                                                           \
    for (gint k = 0; k < bins; k++)                                        \
      counts[k] = (counts[k] < limit ? counts[k] : limit) + even;          \
    for (guint32 k = 0, left = terms->residual; left > 0; left--)          \
      {                                                                    \
        counts[k]++;                                                       \
        k += terms->step;                                                  \
      }                                                                    \
    for (gint k = 0; k < bins; k++)                                        \
      {                                                                    \
        sum += counts[k];                                                  \
        counts[k] = sum;                                                   \
      }                                                                    \
    for (gint k = 0; k < bins; k++)                                        \
      {                                                                    \
        const gint code =                                                  \
          (gint) isolux_round_f32 ((gfloat) (gint32) counts[k] * scale);   \
                                                                           \
        entries[k] = (type) (code < (maximum) ? code : (maximum));         \
      }                                                                    \
  }

DEFINE_ENTRIES (u8, guint8, 255)
DEFINE_ENTRIES (u16, guint16, 65535)

/* ---- Ranges ------------------------------------------------------------- */

static void
range_u16 (const guint16 *restrict in, gint n, guint16 *least, guint16 *most)
{
  guint16 low = *least, high = *most;

  for (gint i = 0; i < n; i++)
    {
      low = in[i] < low ? in[i] : low;
      high = in[i] > high ? in[i] : high;
    }
  *least = low;
  *most = high;
}
