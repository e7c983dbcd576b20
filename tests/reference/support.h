/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the suites share: random numbers that can be repeated, buffers with
 * guard bands, pictures of hostile values. */
#ifndef ISOLUX_TEST_SUPPORT_H
#define ISOLUX_TEST_SUPPORT_H

#include "core/internal.h"
#include "reference.h"

G_BEGIN_DECLS

/* ---- Random numbers -------------------------------------------------- */

typedef struct
{
  guint64 state;
} Random;

/* The seed of this run: ISOLUX_TEST_SEED, else a new one.  Printed once. */
guint64 test_seed (void);

/* The numbers of one case: nothing but seed and number decide them. */
Random  random_new (guint64 seed, guint64 number);
guint64 random_bits (Random *random);
/* 0 .. n - 1 */
guint64 random_below (Random *random, guint64 n);
/* 0 <= v < 1 */
gdouble random_unit (Random *random);

/* ---- Buffers --------------------------------------------------------- */

/*
 * Rows in the middle of memory that is filled with a pattern: before the
 * first row, behind each row and behind the last one.
 */
typedef struct
{
  guint8     *block;
  gsize       size;
  IsoluxImage image;
  IsoluxView  view; /* into block */
  gsize       offset;
  gsize       row_bytes;
} Buffer;

/* pad: components between the rows; shift: components by which the first
 * row is off the alignment that an allocation has. */
void
buffer_init (Buffer *buffer, const IsoluxImage *image, gsize pad, gsize shift);
void buffer_clear (Buffer *buffer);
/* Whether all that is not a pixel still holds the pattern. */
gboolean buffer_guards_hold (const Buffer *buffer);
/* Whether the pixels of both have the same bytes; else where they differ
 * first, in components of the row. */
gboolean buffer_equal (const Buffer *a, const Buffer *b, gint64 *x, gint64 *y);
/* A component in hexadecimal, for messages; to be freed with g_free(). */
gchar *buffer_format (const Buffer *buffer, gint64 x, gint64 y);

RefImage buffer_to_ref (const Buffer *buffer);

/* ---- Pictures --------------------------------------------------------- */

typedef enum
{
  VALUES_RANDOM,
  VALUES_CONSTANT,
  VALUES_TWO,
  VALUES_RAMP,
  VALUES_FEW_BITS, /* 12 bits in u16, 6 in u8, coarse in f32 */
  VALUES_NARROW,
  VALUES_EXTREME, /* NaN, Inf, huge, tiny, -0.0; 0 and the largest code */
  VALUES_UNIFORM, /* each code about equally often */
  VALUES_ALPHA_0,
  VALUES_ALL_NAN, /* u8, u16: all 0 */
  VALUES_SIGNED,
  VALUES_INFINITE, /* one value and infinities */
  N_VALUES
} Values;

const gchar *values_name (Values values);
void         buffer_fill (Buffer *buffer, Values values, Random *random);

/* ---- Regions ---------------------------------------------------------- */

typedef enum
{
  REGION_NONE,
  REGION_INSIDE,
  REGION_CLIPPED,
  REGION_OUTSIDE,
  REGION_MASK,
  REGION_MASK_CLIPPED,
  REGION_MASK_EMPTY,
  N_REGIONS
} RegionKind;

typedef struct
{
  RegionKind      kind;
  gboolean        given;
  IsoluxRectangle rectangle;
  guint8         *mask; /* owned, nullable */
  gsize           mask_stride;
} Region;

void region_init (Region    *region,
                  RegionKind kind,
                  gint64     width,
                  gint64     height,
                  Random    *random);
void region_clear (Region *region);
/* region stays the owner of the mask */
void region_to_ref (const Region *region, RefImage *image);

/* ---- Devices ---------------------------------------------------------- */

/* A CPU device with so many threads; fails the test when there is none. */
IsoluxDevice *test_cpu (gint threads);
/* The CUDA device, or NULL after g_test_skip() with the reason. */
IsoluxDevice *test_cuda (void);

/* A stream of CUDA's first device, made by the driver itself; NULL where
 * there is none.  Wait for it before it is freed. */
gpointer test_stream_new (void);
void     test_stream_free (gpointer stream);

/* Checks domain, code and that there is a text; clears it. */
#define assert_error(error, wanted)                               \
  G_STMT_START                                                    \
  {                                                               \
    g_assert_error ((error), ISOLUX_ERROR, (wanted));             \
    g_assert_cmpuint (strlen ((error)->message), >, 3);           \
    g_assert_true (g_utf8_validate ((error)->message, -1, NULL)); \
    g_clear_error (&(error));                                     \
  }                                                               \
  G_STMT_END

G_END_DECLS

#endif /* ISOLUX_TEST_SUPPORT_H */
