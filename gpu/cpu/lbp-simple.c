/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Local binary patterns of eight points and radius 1, by whole numbers: the
 * signs of a row, then the few corners that are tied by the formula, then
 * what a table says of eight signs.
 *
 * 4096 x 4096 u8 on one core: 8 ms and 4 ns for each tie; 0.5 ms would be a
 * copy of the image.
 */
#include "cpu.h"
#include "kernels.h"

#include <omp.h>

/* Rows that a thread takes at a time, and pixels of a row. */
#define ROWS 16
#define WIDTH 4096

/* What a thread works with.  codes: of rows y - 1, y and y + 1 in turn, a
 * pixel more on each side, where the image has more components. */
typedef struct
{
  guint8  signs[WIDTH], ties[WIDTH + ISOLUX_TIES_PART], counts[WIDTH];
  guint16 places[ISOLUX_TIES_MOST (WIDTH)];
  guint16 codes[3][WIDTH + 2];
  /* counts of signs, four so that equal neighbours do not wait for each
   * other */
  guint64 tables[4][256];
} Room;

/*
 * picture: NULL: count.  shows: what is written for eight signs, in the
 * source's type or raw.  direct: that are the signs.  drawn: what is shown
 * goes through isolux_cpu_draw(), as numbers.  fraction: of each column, for
 * offsets to the left and to the right.  zero: a row of codes.
 */
typedef struct
{
  const IsoluxKernels *kernels;
  const IsoluxPixels  *source;
  const IsoluxLbpPlan *plan;
  const IsoluxPicture *picture;
  gboolean             all; /* pixels count */
  gboolean             direct, drawn;
  gdouble              numbers[256];
  gfloat               shows[256];
  gdouble             *fraction[2];
  guint16             *zero;
  Room                *rooms;
} Work;

/* ---- Signs -------------------------------------------------------------- */

/*
 * Of each type.  settle: the n ties at these places, whose signs are 1 so
 * far.  part: signs of n pixels from x on; above, at, below: of the first of
 * them, with one more on each side.  row: the same where there may be none.
 */
#define DEFINE_SIGNS(suffix, type)                                             \
  static void settle_##suffix (const Work *work, const guint16 *places,        \
                               gint n, const type *above, const type *at,      \
                               const type *below, gint64 x, gint64 y,          \
                               guint8 *restrict signs)                         \
  {                                                                            \
    const IsoluxLbpPlan *plan = work->plan;                                    \
    const type          *top[8], *bottom[8];                                   \
    const gdouble       *fraction[8];                                          \
    gdouble              dr[8];                                                \
                                                                               \
    for (gint i = 1; i < 8; i += 2)                                            \
      {                                                                        \
        top[i] = (i < 4 ? above : at) + plan->left[i];                         \
        bottom[i] = (i < 4 ? at : below) + plan->left[i];                      \
        fraction[i] = work->fraction[plan->left[i] == 0] + x;                  \
        dr[i] = isolux_lbp_fraction (y, plan->row[i], plan->top[i]);           \
      }                                                                        \
    for (gint j = 0; j < n; j++)                                               \
      {                                                                        \
        const gint    k = isolux_tie_pixel (places[j]);                        \
        const gint    i = isolux_tie_sample (places[j]);                       \
        const type   *a = top[i] + k, *b = bottom[i] + k;                      \
        const gdouble sample = isolux_lbp_sample (a[0], a[1], b[0], b[1],      \
                                                  dr[i], fraction[i][k],       \
                                                  FALSE);                      \
                                                                               \
        signs[k] &= (guint8) ~((guint) (sample < at[k]) << i);                 \
      }                                                                        \
  }                                                                            \
                                                                               \
  static void part_##suffix (const Work *work, Room *room, const type *above,  \
                             const type *at, const type *below, gint64 x,      \
                             gint64 y, gint n, guint8 *signs)                  \
  {                                                                            \
    const IsoluxKernels *kernels = work->kernels;                              \
    gint                 ties;                                                 \
                                                                               \
    kernels->lbp_signs_##suffix (above, at, below, n, signs, room->ties);      \
    memset (room->ties + n, 0, ISOLUX_TIES_PART);                              \
    ties = kernels->lbp_places (room->ties, n, room->places);                  \
    settle_##suffix (work, room->places, ties, above, at, below, x, y, signs); \
  }                                                                            \
                                                                               \
  /* one pixel, with 0 on the sides where there is none */                     \
  static void edge_##suffix (const Work *work, Room *room, const type *above,  \
                             const type *at, const type *below, gint64 x,      \
                             gint64 y, guint8 *signs)                          \
  {                                                                            \
    const gboolean left = x > 0, right = x + 1 < work->source->width;          \
    type           around[3][3];                                               \
                                                                               \
    for (gint i = 0; i < 3; i++)                                               \
      {                                                                        \
        const type *row = i == 0 ? above : i == 1 ? at : below;                \
                                                                               \
        around[i][0] = left ? row[-1] : 0;                                     \
        around[i][1] = row[0];                                                 \
        around[i][2] = right ? row[1] : 0;                                     \
      }                                                                        \
    part_##suffix (work, room, around[0] + 1, around[1] + 1, around[2] + 1, x, \
                   y, 1, signs);                                               \
  }                                                                            \
                                                                               \
  /* the codes of row y from x on, in the image or in the room */              \
  static const type *codes_##suffix (const Work *work, Room *room, gint64 x,   \
                                     gint64 y, gint64 n)                       \
  {                                                                            \
    const IsoluxPixels *p = work->source;                                      \
    const gint64        left = MAX (x - 1, 0);                                 \
    const gint64        right = MIN (x + n + 1, p->width);                     \
    const type         *in;                                                    \
    type               *codes;                                                 \
                                                                               \
    if (y < 0 || y >= p->height)                                               \
      return (const type *) work->zero + 1;                                    \
    in = (const type *) isolux_cpu_row (p, y);                                 \
    if (p->components == 1)                                                    \
      return in + x;                                                           \
    codes = (type *) room->codes[y % 3];                                       \
    in += left * p->components;                                                \
    for (gint64 i = left; i < right; i++, in += p->components)                 \
      codes[i - x + 1] = p->colors == 1                                        \
                           ? in[0]                                             \
                           : (type) isolux_luma_code (&work->plan->weights,    \
                                                      in[0], in[1], in[2]);    \
    return codes + 1;                                                          \
  }                                                                            \
                                                                               \
  static void row_##suffix (const Work *work, Room *room, gint64 x, gint64 y,  \
                            gint64 n, guint8 *signs)                           \
  {                                                                            \
    const gint64 first = x == 0, end = n - (x + n == work->source->width);     \
    const type  *above = codes_##suffix (work, room, x, y - 1, n);             \
    const type  *at = codes_##suffix (work, room, x, y, n);                    \
    const type  *below = codes_##suffix (work, room, x, y + 1, n);             \
                                                                               \
    if (first)                                                                 \
      edge_##suffix (work, room, above, at, below, x, y, signs);               \
    if (first < end)                                                           \
      part_##suffix (work, room, above + first, at + first, below + first,     \
                     x + first, y, (gint) (end - first), signs + first);       \
    if (end < n && n > first)                                                  \
      edge_##suffix (work, room, above + n - 1, at + n - 1, below + n - 1,     \
                     x + n - 1, y, signs + n - 1);                             \
  }                                                                            \
                                                                               \
  /* pixels that do not count stay */                                          \
  static void show_##suffix (const Work *work, const guint8 *counts, gint64 x, \
                             gint64 y, gint64 n, const guint8 *signs)          \
  {                                                                            \
    const type *table = (const type *) work->shows;                            \
    const type *in = (const type *) isolux_cpu_row (work->source, y) + x;      \
    type *out = (type *) isolux_cpu_row (work->picture->destination, y) + x;   \
                                                                               \
    if (work->all)                                                             \
      for (gint64 k = 0; k < n; k++)                                           \
        out[k] = table[signs[k]];                                              \
    else                                                                       \
      for (gint64 k = 0; k < n; k++)                                           \
        out[k] = counts[k] ? table[signs[k]] : in[k];                          \
  }

DEFINE_SIGNS (u8, guint8)
DEFINE_SIGNS (u16, guint16)

/* ---- What becomes of them ------------------------------------------------ */

static void
show_raw (const Work   *work,
          const guint8 *counts,
          gint64        x,
          gint64        y,
          gint64        n,
          const guint8 *signs)
{
  gfloat *out = (gfloat *) isolux_cpu_row (work->picture->destination, y) + x;

  for (gint64 k = 0; k < n; k++)
    out[k] = work->all || counts[k] ? work->shows[signs[k]] : 0.0f;
}

/* Some colors, or alpha. */
static void
draw (const Work *work, const Room *room, gint64 x, gint64 y, gint64 n)
{
  enum
  {
    PART = 256
  };
  gdouble shown[PART];

  for (gint64 i = 0; i < n; i += PART)
    {
      const gint64 m = MIN (PART, n - i);

      for (gint64 k = 0; k < m; k++)
        shown[k] = work->numbers[room->signs[i + k]];
      isolux_cpu_draw (work->picture, x + i, y, m, room->counts + i, shown);
    }
}

static void
count (const Work *work, Room *room, gint64 n)
{
  const guint8 *signs = room->signs;
  gint64        k = 0;

  if (work->all)
    for (; k + 4 <= n; k += 4)
      for (gint i = 0; i < 4; i++)
        room->tables[i][signs[k + i]]++;
  for (; k < n; k++)
    room->tables[0][signs[k]] += work->all || room->counts[k];
}

static void
work_row (const Work *work, Room *room, gint64 x, gint64 y, gint64 n)
{
  const gboolean is_u8 = work->source->type == ISOLUX_PLAN_U8;
  guint8        *signs = room->signs;
  const gboolean some = (work->all && work->picture && ! work->drawn) ||
                        isolux_cpu_counts (work->source, x, y, n, room->counts);

  if (! some && ! work->picture)
    return;
  if (work->direct)
    signs = (guint8 *) isolux_cpu_row (work->picture->destination, y) + x;
  if (some && is_u8)
    row_u8 (work, room, x, y, n, signs);
  else if (some)
    row_u16 (work, room, x, y, n, signs);
  if (! work->picture)
    count (work, room, n);
  else if (work->drawn)
    draw (work, room, x, y, n);
  else if (work->picture->raw)
    show_raw (work, room->counts, x, y, n, signs);
  else if (! is_u8)
    show_u16 (work, room->counts, x, y, n, signs);
  else if (! work->direct)
    show_u8 (work, room->counts, x, y, n, signs);
}

/* ---- Whole images ------------------------------------------------------- */

static void
set_shows (Work *work)
{
  const IsoluxLbpPlan *plan = work->plan;
  const IsoluxPicture *p = work->picture;
  gboolean             same = TRUE;

  work->drawn = ! p->raw && (p->destination->components != 1 ||
                             (work->source->components != 1 && ! work->all));
  for (guint32 k = 0; k < 256; k++)
    {
      const guint32 number = isolux_lbp_code (k, plan->points, plan->method);
      const guint32 code =
        isolux_picture_code (isolux_lbp_shown (plan, number, 0.0), p->most,
                             p->maximum);

      work->numbers[k] = (gdouble) number;
      same = same && code == k;
      if (p->raw)
        work->shows[k] = isolux_lbp_raw (plan, number, 0.0);
      else if (work->source->type == ISOLUX_PLAN_U8)
        ((guint8 *) work->shows)[k] = (guint8) code;
      else
        ((guint16 *) work->shows)[k] = (guint16) code;
    }
  work->direct = same && work->all && ! p->raw && ! work->drawn &&
                 work->source->type == ISOLUX_PLAN_U8;
}

static gboolean
make_rooms (Work *work, gint threads, GError **error)
{
  const IsoluxLbpPlan *plan = work->plan;
  const gsize          width = (gsize) work->source->width;

  work->rooms = isolux_try_new (Room, (gsize) threads, error);
  work->zero = work->rooms ? isolux_try_new (guint16, width + 2, error) : NULL;
  work->fraction[0] = work->zero ? isolux_try_new (gdouble, 2 * width, error)
                                 : NULL;
  if (! work->fraction[0])
    return FALSE;
  work->fraction[1] = work->fraction[0] + width;
  /* samples 1 and 7 lie to the right, 3 and 5 to the left */
  for (gsize x = 0; x < width; x++)
    {
      work->fraction[0][x] =
        isolux_lbp_fraction ((gint64) x, plan->column[3], plan->left[3]);
      work->fraction[1][x] =
        isolux_lbp_fraction ((gint64) x, plan->column[1], plan->left[1]);
    }
  return TRUE;
}

static void
add_counts (const Work *work, gint threads, guint64 *counts)
{
  const IsoluxLbpPlan *plan = work->plan;

  for (gint i = 0; i < threads; i++)
    for (gint j = 0; j < 4; j++)
      for (guint32 k = 0; k < 256; k++)
        counts[isolux_lbp_code (k, plan->points, plan->method)] +=
          work->rooms[i].tables[j][k];
}

gboolean
isolux_cpu_lbp_simple (IsoluxSurface       *source,
                       const IsoluxLbpPlan *plan,
                       const IsoluxPicture *picture,
                       guint64             *counts,
                       GError             **error)
{
  const IsoluxPixels *pixels = &source->pixels;
  const gint64        columns = (pixels->width + WIDTH - 1) / WIDTH;
  const gint64        parts = columns * ((pixels->height + ROWS - 1) / ROWS);
  const gint          threads =
    isolux_cpu_threads (source->device, pixels->width, pixels->height);
  Work     work = { 0 };
  gboolean success;

  work.kernels = isolux_cpu_kernels ();
  work.source = pixels;
  work.plan = plan;
  work.picture = picture;
  work.all = isolux_cpu_all_count (pixels);
  if (picture)
    set_shows (&work);
  success = make_rooms (&work, threads, error);
  if (success)
    {
#pragma omp parallel for num_threads(threads) schedule(dynamic)
      for (gint64 i = 0; i < parts; i++)
        {
          const gint64 x = i % columns * WIDTH;
          const gint64 y = i / columns * ROWS;

          for (gint64 row = y; row < MIN (y + ROWS, pixels->height); row++)
            work_row (&work, &work.rooms[omp_get_thread_num ()], x, row,
                      MIN (WIDTH, pixels->width - x));
        }
      if (! picture)
        add_counts (&work, threads, counts);
    }
  g_free (work.fraction[0]);
  g_free (work.zero);
  g_free (work.rooms);
  return success;
}
