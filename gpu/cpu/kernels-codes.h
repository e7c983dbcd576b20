/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of 256 bytes and luma.  Both would be done in the time that memory
 * takes, if a load a pixel and the taking apart of three components did not
 * take longer: the two places where compilers find no vectors and shuffles
 * of bytes are written out.
 *
 * 4096 x 4096 on one core, one read and write 1.6 ms, of RGB 2.7: a table 1.7
 * ms (v4 with VBMI), 3.0 (v3), 4.5 (v2), 5.1 (v1); luma 2.7 (v3), 3.1 (v2),
 * 8 (v1).
 */
#ifdef __SSSE3__
#include <immintrin.h>
#endif

/* ---- Tables of bytes ---------------------------------------------------- */

static inline void
rest_of_lut (const guint8 *in, guint8 *out, gint64 n, const guint8 *table)
{
  for (gint64 i = 0; i < n; i++)
    out[i] = table[in[i]];
}

#if defined(__AVX512BW__)

/* 128 entries a shuffle: for processors that have it, see level.c. */
static __attribute__ ((target ("avx512vbmi"))) void
lut_u8_vbmi (const guint8 *in, guint8 *out, gint64 n, const guint8 *table)
{
  const __m512i a = _mm512_loadu_si512 (table);
  const __m512i b = _mm512_loadu_si512 (table + 64);
  const __m512i c = _mm512_loadu_si512 (table + 128);
  const __m512i d = _mm512_loadu_si512 (table + 192);
  gint64        i = 0;

  for (; i + 64 <= n; i += 64)
    {
      const __m512i x = _mm512_loadu_si512 (in + i);
      const __m512i low = _mm512_permutex2var_epi8 (a, x, b);
      const __m512i high = _mm512_permutex2var_epi8 (c, x, d);

      _mm512_storeu_si512 (out + i,
                           _mm512_mask_blend_epi8 (_mm512_movepi8_mask (x), low,
                                                   high));
    }
  rest_of_lut (in + i, out + i, n - i, table);
}

#endif

/*
 * 16 entries a shuffle.  A shuffle gives 0 where the top bit of its index is
 * set: so indices are lowered by 16 from shuffle to shuffle and stay below 0
 * once they are, and what shuffles give is joined by exclusive or with tables
 * that hold the difference from the one before.  Both halves of the codes are
 * looked up so, and one is taken.
 */
#if defined(__AVX2__)
#define LUT_STEP 32
typedef __m256i Bytes;
#define LOAD(p) _mm256_loadu_si256 ((const __m256i *) (p))
#define STORE(p, v) _mm256_storeu_si256 ((__m256i *) (p), v)
#define TABLE(p) \
  _mm256_broadcastsi128_si256 (_mm_loadu_si128 ((const __m128i *) (p)))
#define SHUFFLE _mm256_shuffle_epi8
#define XOR _mm256_xor_si256
#define LOWER _mm256_subs_epi8
#define ALL _mm256_set1_epi8
#define TAKE(low, high, x) _mm256_blendv_epi8 (low, high, x)
#elif defined(__SSE4_1__)
#define LUT_STEP 16
typedef __m128i Bytes;
#define LOAD(p) _mm_loadu_si128 ((const __m128i *) (p))
#define STORE(p, v) _mm_storeu_si128 ((__m128i *) (p), v)
#define TABLE LOAD
#define SHUFFLE _mm_shuffle_epi8
#define XOR _mm_xor_si128
#define LOWER _mm_subs_epi8
#define ALL _mm_set1_epi8
#define TAKE(low, high, x) _mm_blendv_epi8 (low, high, x)
#endif

static void
lut_u8 (const guint8 *in, guint8 *out, gint64 n, const guint8 *table)
{
  gint64 i = 0;

#ifdef LUT_STEP
  const Bytes sixteen = ALL (16), top = ALL ((gchar) 0x80);
  Bytes       part[16];

#ifdef __AVX512BW__
  if (__builtin_cpu_supports ("avx512vbmi"))
    {
      lut_u8_vbmi (in, out, n, table);
      return;
    }
#endif
  for (gint k = 0; k < 16; k++)
    part[k] = TABLE (table + 16 * k);
  for (gint k = 15; k > 0; k--)
    if (k != 8)
      part[k] = XOR (part[k], part[k - 1]);
  for (; i + LUT_STEP <= n; i += LUT_STEP)
    {
      const Bytes x = LOAD (in + i);
      Bytes       l = x, h = XOR (x, top);
      Bytes       low = SHUFFLE (part[0], l), high = SHUFFLE (part[8], h);

      for (gint k = 1; k < 8; k++)
        {
          l = LOWER (l, sixteen);
          h = LOWER (h, sixteen);
          low = XOR (low, SHUFFLE (part[k], l));
          high = XOR (high, SHUFFLE (part[8 + k], h));
        }
      STORE (out + i, TAKE (low, high, x));
    }
#endif
  rest_of_lut (in + i, out + i, n - i, table);
}

/* ---- Masks -------------------------------------------------------------- */

#define DEFINE_KEEP(suffix, type)                               \
  static void keep_##suffix (const guint8 *restrict mask,       \
                             const type *restrict from, gint n, \
                             type *restrict to)                 \
  {                                                             \
    for (gint i = 0; i < n; i++)                                \
      to[i] = mask[i] ? to[i] : from[i];                        \
  }

DEFINE_KEEP (u8, guint8)
DEFINE_KEEP (u16, guint16)
DEFINE_KEEP (f32, gfloat)

/* Selections are mostly whole or empty for a while; where they are not, no
 * branch could be predicted. */
#define DEFINE_PICK(suffix, type)                                     \
  static gint64 pick_##suffix (const type *restrict codes,            \
                               const guint8 *restrict mask, gint64 n, \
                               type *restrict picked)                 \
  {                                                                   \
    gint64 found = 0, x = 0;                                          \
                                                                      \
    for (; x + 8 <= n; x += 8)                                        \
      {                                                               \
        guint64 block;                                                \
                                                                      \
        memcpy (&block, mask + x, sizeof block);                      \
        if (block == G_MAXUINT64)                                     \
          {                                                           \
            memcpy (picked + found, codes + x, 8 * sizeof (type));    \
            found += 8;                                               \
          }                                                           \
        else if (block != 0)                                          \
          for (gint i = 0; i < 8; i++)                                \
            {                                                         \
              picked[found] = codes[x + i];                           \
              found += mask[x + i] != 0;                              \
            }                                                         \
      }                                                               \
    for (; x < n; x++)                                                \
      if (mask[x])                                                    \
        picked[found++] = codes[x];                                   \
    return found;                                                     \
  }

DEFINE_PICK (u8, guint8)
DEFINE_PICK (u16, guint16)
DEFINE_PICK (f32, gfloat)

/* ---- Luma --------------------------------------------------------------- */

static inline void
rest_of_luma (const IsoluxWeights *weights,
              const guint8        *in,
              gint                 components,
              gint64               n,
              guint8              *out)
{
  for (gint64 i = 0; i < n; i++, in += components)
    out[i] = (guint8) isolux_luma_code (weights, in[0], in[1], in[2]);
}

#ifdef LUT_STEP

/* Lumas of four pixels in each 16 bytes: red and green are weighed and added
 * as pairs of 16 bits, then blue. */
typedef struct
{
  Bytes red_green, blue; /* where they lie, as words of 16 bits */
  Bytes weigh, weigh_blue, half;
} LumaShuffles;

#if defined(__AVX2__)
#define WORDS(v) _mm256_broadcastsi128_si256 (v)
#define PAIRS _mm256_set1_epi32
#define MULTIPLY _mm256_madd_epi16
#define ADD _mm256_add_epi32
#define SHIFT _mm256_srli_epi32
#define PACK_32 _mm256_packus_epi32
#define PACK_16 _mm256_packus_epi16
/* the second half's pixels lie LUT_STEP / 2 further */
#define LOAD_FOUR(p, far)                                             \
  _mm256_inserti128_si256 (                                           \
    _mm256_castsi128_si256 (_mm_loadu_si128 ((const __m128i *) (p))), \
    _mm_loadu_si128 ((const __m128i *) ((p) + (far))), 1)
#else
#define WORDS(v) (v)
#define PAIRS _mm_set1_epi32
#define MULTIPLY _mm_madd_epi16
#define ADD _mm_add_epi32
#define SHIFT _mm_srli_epi32
#define PACK_32 _mm_packus_epi32
#define PACK_16 _mm_packus_epi16
#define LOAD_FOUR(p, far) ((void) (far), LOAD (p))
#endif

static inline LumaShuffles
luma_shuffles (const IsoluxWeights *w, gint components)
{
  LumaShuffles s;
  gint8        red_green[16], blue[16];

  for (gint k = 0; k < 4; k++)
    {
      const gint8 first = (gint8) (k * components);

      red_green[4 * k] = first;
      red_green[4 * k + 2] = (gint8) (first + 1);
      blue[4 * k] = (gint8) (first + 2);
      red_green[4 * k + 1] = red_green[4 * k + 3] = -1;
      blue[4 * k + 1] = blue[4 * k + 2] = blue[4 * k + 3] = -1;
    }
  s.red_green = WORDS (_mm_loadu_si128 ((const __m128i *) red_green));
  s.blue = WORDS (_mm_loadu_si128 ((const __m128i *) blue));
  s.weigh =
    PAIRS ((gint32) ((guint32) w->whole[1] << 16 | (guint32) w->whole[0]));
  s.weigh_blue = PAIRS (w->whole[2]);
  s.half = PAIRS (16384);
  return s;
}

static inline Bytes
four_lumas (const LumaShuffles *s, Bytes x)
{
  const Bytes sum = ADD (MULTIPLY (SHUFFLE (x, s->red_green), s->weigh),
                         MULTIPLY (SHUFFLE (x, s->blue), s->weigh_blue));

  return SHIFT (ADD (sum, s->half), 15);
}

#endif

static void
luma_u8 (const IsoluxWeights *weights,
         const guint8        *in,
         gint                 components,
         gint64               n,
         guint8              *out)
{
  gint64 i = 0;

#ifdef LUT_STEP
  const gint64       four = 4 * components, far = components * (LUT_STEP / 2);
  const LumaShuffles s = luma_shuffles (weights, components);

  /* a weight of 1 does not fit; the last load reads up to 16 bytes more than
   * its pixels have */
  if (weights->whole[0] < 32768 && weights->whole[1] < 32768 &&
      weights->whole[2] < 32768)
    for (; i + LUT_STEP + 6 <= n; i += LUT_STEP)
      {
        const guint8 *p = in + i * components;
        const Bytes   a = four_lumas (&s, LOAD_FOUR (p, far));
        const Bytes   b = four_lumas (&s, LOAD_FOUR (p + four, far));
        const Bytes   c = four_lumas (&s, LOAD_FOUR (p + 2 * four, far));
        const Bytes   d = four_lumas (&s, LOAD_FOUR (p + 3 * four, far));

        STORE (out + i, PACK_16 (PACK_32 (a, b), PACK_32 (c, d)));
      }
#endif
  rest_of_luma (weights, in + i * components, components, n - i, out + i);
}

static void
luma_u16 (const IsoluxWeights *weights,
          const guint16 *restrict in,
          gint   components,
          gint64 n,
          guint16 *restrict out)
{
  const IsoluxWeights w = *weights;

  if (components == 3)
    for (gint64 i = 0; i < n; i++)
      out[i] = (guint16) isolux_luma_code (&w, in[3 * i], in[3 * i + 1],
                                           in[3 * i + 2]);
  else
    for (gint64 i = 0; i < n; i++)
      out[i] = (guint16) isolux_luma_code (&w, in[4 * i], in[4 * i + 1],
                                           in[4 * i + 2]);
}
