/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inner loops, compiled once for each level of the x86-64 instruction
 * set (v1 is what the compiler makes for any processor of its target, the one
 * level elsewhere) and chosen when the library first needs them.  All levels
 * give the same bytes: no level has an operation that rounds otherwise.
 *
 * kernels.c is compiled for each level and includes one kernels-*.h a topic.
 * All pointers are to memory that does not overlap unless it says so.
 */
#ifndef ISOLUX_KERNELS_H
#define ISOLUX_KERNELS_H

#include "../core/internal.h"

G_BEGIN_DECLS

/* ---- Oriented gradients (kernels-hog.h) --------------------------------- */

/* Edges of bins between 0 and 90 degrees that a pass takes. */
#define ISOLUX_HOG_PASS 4

/* Orientations of bins over 180 degrees have fewer edges than this there. */
#define ISOLUX_HOG_QUARTER (ISOLUX_HOG_ORIENTATIONS / 2)

/*
 * The edges of bins over 180 degrees for gradients of u8: edge i is passed
 * when |y| > |x| * whole[i] + (|x| * part[i] >> 16) + beyond[i].  Filled up
 * to a multiple of ISOLUX_HOG_PASS with edges that nothing passes.  diagonal:
 * whether there is an edge at 45 degrees, which is not among them, and
 * whether what lies on it, or on its mirror at 135, belongs to the bin in
 * front; upright: the same at 90 degrees.
 */
typedef struct
{
  gint    orientations;
  gint    n;
  gint16  whole[ISOLUX_HOG_QUARTER + ISOLUX_HOG_PASS];
  guint16 part[ISOLUX_HOG_QUARTER + ISOLUX_HOG_PASS];
  gint16  beyond[ISOLUX_HOG_QUARTER + ISOLUX_HOG_PASS];
  gint16  diagonal, on_diagonal, on_mirror;
  gint16  on_upright;
} IsoluxHogCodes;

/* ---- Ties of local binary patterns (kernels-lbp.h) ----------------------- */

/* Pixels that are looked at together, and how many ties are taken out of a
 * word without asking whether there are so many. */
#define ISOLUX_TIES_PART 64
#define ISOLUX_TIES_STEP 4
#define ISOLUX_TIES_MOST(n) (4 * (n) + ISOLUX_TIES_STEP)

/*
 * A place has the number of a word of 16 pixels, and of a bit in it: the four
 * corners of a pixel are every other bit of a byte, those of pixel j the even
 * ones of byte j, or of the eighth pixel after that the odd ones.
 */
static inline gint
isolux_tie_pixel (guint place)
{
  return (gint) ((place >> 6 << 4) + ((place & 1) << 3) + (place >> 3 & 7));
}

static inline gint
isolux_tie_sample (guint place)
{
  return (gint) ((place & 7) | 1);
}

/* ------------------------------------------------------------------------- */

typedef struct
{
  const gchar *name; /* v1 .. v4 */

  /* A table of 256 codes; in may be out. */
  void (*lut_u8) (const guint8 *in, guint8 *out, gint64 n, const guint8 *table);
  /* Where the mask is 0, what was: codes of from take the place of to's. */
  void (*keep_u8) (const guint8 *mask, const guint8 *from, gint n, guint8 *to);
  void (*keep_u16) (const guint8  *mask,
                    const guint16 *from,
                    gint           n,
                    guint16       *to);
  void (*keep_f32) (const guint8 *mask, const gfloat *from, gint n, gfloat *to);
  /* The codes of those pixels that a mask leaves, put together; returns how
   * many. */
  gint64 (*pick_u8) (const guint8 *codes,
                     const guint8 *mask,
                     gint64        n,
                     guint8       *picked);
  gint64 (*pick_u16) (const guint16 *codes,
                      const guint8  *mask,
                      gint64         n,
                      guint16       *picked);
  gint64 (*pick_f32) (const gfloat *values,
                      const guint8 *mask,
                      gint64        n,
                      gfloat       *picked);
  /* Lumas of pixels of 3 or 4 components. */
  void (*luma_u8) (const IsoluxWeights *weights,
                   const guint8        *in,
                   gint                 components,
                   gint64               n,
                   guint8              *out);
  void (*luma_u16) (const IsoluxWeights *weights,
                    const guint16       *in,
                    gint                 components,
                    gint64               n,
                    guint16             *out);

  /* Pixels of 3 or 4 components with new lumas, see isolux_move_luma_code();
   * in may be out.  Where from is to, and so is alpha, what was stays. */
  void (*recolor_u8) (const guint8 *in,
                      guint8       *out,
                      gint          components,
                      gint          n,
                      const guint8 *from,
                      const guint8 *to);
  void (*recolor_u16) (const guint16 *in,
                       guint16       *out,
                       gint           components,
                       gint           n,
                       const guint16 *from,
                       const guint16 *to);

  /*
   * CLAHE of n pixels between the same four middles of tiles; in may be out.
   * weights: of each pixel that of the tile behind it, across; y: likewise
   * down.  table: for each code the four tables' entries, the first lowest.
   */
  void (*clahe_u8) (const guint8  *in,
                    guint8        *out,
                    gint           n,
                    const gfloat  *weights,
                    gfloat         y,
                    const guint32 *table);
  void (*clahe_u16) (const guint16 *in,
                     guint16       *out,
                     gint           n,
                     const gfloat  *weights,
                     gfloat         y,
                     const guint64 *table);
  /* Where a bin has 2^shift codes; shares: of each code; table[-1]: 0. */
  void (*clahe_shared) (const guint16 *in,
                        guint16       *out,
                        gint           n,
                        const gfloat  *weights,
                        gfloat         y,
                        const guint64 *table,
                        const gfloat  *shares,
                        gint           shift);
  /* Makes n words of such a table. */
  void (*pack_u8) (const guint8 *a,
                   const guint8 *b,
                   const guint8 *c,
                   const guint8 *d,
                   gint          n,
                   guint32      *packed);
  void (*pack_u16) (const guint16 *a,
                    const guint16 *b,
                    const guint16 *c,
                    const guint16 *d,
                    gint           n,
                    guint64       *packed);
  /* The entries of a tile of fewer than 2^31 pixels whose terms are whole;
   * counts are used up. */
  void (*clahe_entries_u8) (const IsoluxTileTerms *terms,
                            guint32               *counts,
                            gint                   bins,
                            guint8                *entries);
  void (*clahe_entries_u16) (const IsoluxTileTerms *terms,
                             guint32               *counts,
                             gint                   bins,
                             guint16               *entries);

  /* Floats of one component; NaN is no value.  Widens least .. most to the
   * finite ones; where they are among bins, see isolux_bin_f32(), -1: NaN; a
   * window without gamma, see isolux_window_value(), in may be out. */
  void (*range_f32) (const gfloat *in, gint64 n, gdouble *least, gdouble *most);
  void (*bins_f32) (const gfloat *in,
                    gint          n,
                    gdouble       low,
                    gdouble       scale,
                    gint          bins,
                    gint32       *places);
  void (*window_f32) (const gfloat *in,
                      gfloat       *out,
                      gint64        n,
                      gdouble       low,
                      gdouble       width,
                      gboolean      invert);

  /* Widens least .. most to what n codes have. */
  void (*range_u16) (const guint16 *in, gint n, guint16 *least, guint16 *most);

  /* Bins and magnitudes of n pixels, differences of neighbours; above and
   * below: from the first pixel on; at: likewise, at[-1] and at[n] are
   * read.  n is at most ISOLUX_HOG_WIDTH. */
  void (*hog_codes) (const IsoluxHogCodes *codes,
                     const guint8         *above,
                     const guint8         *at,
                     const guint8         *below,
                     gint                  n,
                     guint16              *bins,
                     gdouble              *magnitudes);
  /* Gradients of n values, their magnitudes and bins; above, at, below: from
   * the value left of the first. */
  void (*hog_gradients) (gboolean       sobel,
                         const gdouble *above,
                         const gdouble *at,
                         const gdouble *below,
                         gint           n,
                         gdouble       *x,
                         gdouble       *y);
  void (*hog_magnitudes) (const gdouble *x,
                          const gdouble *y,
                          gint           n,
                          gdouble       *magnitudes);
  void (*hog_bins) (const IsoluxHogPlan *plan,
                    const gdouble       *x,
                    const gdouble       *y,
                    const gdouble       *magnitudes,
                    gint                 n,
                    guint16             *bins);
  /* Adds the magnitudes of a row of pixels to the bins of their cells. */
  void (*hog_add) (const guint16 *bins,
                   const gdouble *magnitudes,
                   gint           n_cells,
                   gint           cell,
                   gint           orientations,
                   gfloat        *totals);
  /* n_blocks blocks of side x side cells that begin at one cell after the
   * other; stride: floats from row to row of cells; room: for the values of
   * a block. */
  void (*hog_blocks) (const gfloat *cells,
                      gsize         stride,
                      gint          orientations,
                      gint          side,
                      gint64        n_blocks,
                      IsoluxHogNorm norm,
                      gdouble      *room,
                      gdouble      *values);

  /*
   * Signs of eight samples of radius 1, a bit each, and of the corners those
   * that isolux_lbp_diagonal() calls tied.  Pixels left of the first one and
   * right of the last one are read.
   */
  void (*lbp_signs_u8) (const guint8 *above,
                        const guint8 *at,
                        const guint8 *below,
                        gint          n,
                        guint8       *signs,
                        guint8       *ties);
  void (*lbp_signs_u16) (const guint16 *above,
                         const guint16 *at,
                         const guint16 *below,
                         gint           n,
                         guint8        *signs,
                         guint8        *ties);
  /* The places of the ties of n pixels, see isolux_tie_pixel(); returns how
   * many there are.  ISOLUX_TIES_PART bytes of 0 follow the last pixel's;
   * places: of ISOLUX_TIES_MOST (n), n at most 16384. */
  gint (*lbp_places) (const guint8 *ties, gint n, guint16 *places);
  /* A sample of each pixel from its four taps, see isolux_lbp_sample(). */
  void (*lbp_sample) (const gdouble *top_left,
                      const gdouble *top_right,
                      const gdouble *bottom_left,
                      const gdouble *bottom_right,
                      const gdouble *fraction,
                      gdouble        dr,
                      gboolean       flat,
                      gint           n,
                      gdouble       *samples);
  void (*lbp_add_sign) (const gdouble *samples,
                        const gdouble *centers,
                        gint           bit,
                        gint           n,
                        guint32       *signs);
  void (*lbp_add_squares) (const gdouble *samples,
                           gint           n,
                           gdouble       *sum,
                           gdouble       *squares);
} IsoluxKernels;

/* Pixels of a row that the kernels of gradients take at most. */
#define ISOLUX_HOG_WIDTH 1024

extern const IsoluxKernels isolux_kernels_v1;
#ifdef ISOLUX_HAVE_LEVELS
extern const IsoluxKernels isolux_kernels_v2;
extern const IsoluxKernels isolux_kernels_v3;
extern const IsoluxKernels isolux_kernels_v4;
#endif

/* ---- Levels (level.c) --------------------------------------------------- */

/* Those of the level in use: the best that the processor has, or what the
 * environment variable ISOLUX_CPU_LEVEL asks for, if the processor has it. */
const IsoluxKernels *isolux_cpu_kernels (void);

/* For tests: takes a level from now on, 1 .. 4; 0: the best.  FALSE: this
 * processor or build does not have it, and nothing changes. */
gboolean isolux_cpu_set_level (gint level);

G_END_DECLS

#endif /* ISOLUX_KERNELS_H */
