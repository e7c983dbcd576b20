/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pixels.h: from DICOM's pixel cells to whole samples of this machine.
 *
 * Plain arithmetic on memory: nothing here reads a file or allocates.  Sizes
 * are checked by the caller; what cannot be known there is said at each
 * function.  Definitions: DICOM PS3.5 chapter 8, PS3.3 C.7.6.3 and C.7.9.
 */
#ifndef ISOLUX_PIXELS_H
#define ISOLUX_PIXELS_H

#include <glib.h>

G_BEGIN_DECLS

/*
 * PixelCell: how one sample lies in its cell.
 * @allocated: bits of a cell, 1 to 32
 * @stored: bits of the sample, 1 to @allocated
 * @high: the sample's highest bit in the cell, from @stored - 1 to
 *   @allocated - 1
 * @is_signed: two's complement
 */
typedef struct
{
  guint    allocated;
  guint    stored;
  guint    high;
  gboolean is_signed;
} PixelCell;

/* Bytes of a sample as pixels_unpack() writes it: 1, 2 or 4 */
gsize pixels_sample_size (const PixelCell *cell);

/* Bytes that n cells fill, counted from a byte's first bit */
guint64 pixels_cells_size (const PixelCell *cell, guint64 n_cells);

/*
 * pixels_unpack:
 * @cells: the first byte; cells follow each other without gaps, the lowest
 *   bit first, those of 16 and 32 bits in the order of this machine
 * @first: the cell to begin with
 * @n: cells
 * @samples: (out): n samples of pixels_sample_size() bytes, signed when the
 *   cells are; bits outside the sample are dropped
 */
void pixels_unpack (const PixelCell *cell,
                    const guint8    *cells,
                    guint64          first,
                    gsize            n,
                    gpointer         samples);

/*
 * pixels_unpack_loose: the same for samples that a lossy coder has made, in
 *   cells of 8, 16 or 32 bits with the sample lowest: what is beyond the
 *   sample's range becomes its end instead of the other end
 */
void pixels_unpack_loose (const PixelCell *cell,
                          const guint8    *cells,
                          gsize            n,
                          gpointer         samples);

/* The least and the largest of n samples, joined to *low and *high */
void pixels_range (const PixelCell *cell,
                   gconstpointer    samples,
                   gsize            n,
                   gint64          *low,
                   gint64          *high);

/* Exchanges the 16-bit halves of n 32-bit words */
void pixels_swap_halves (gpointer words, gsize n);

/*
 * pixels_decode_rle: a frame of RLE Lossless (PS3.5 annex G), all of it
 * @stream: n bytes
 * @n_samples: of a pixel
 * @size: bytes of a sample
 * @cells: (out): n_pixels times n_samples cells of @size bytes, the samples
 *   of a pixel together
 *
 * Returns: FALSE when the stream is damaged
 */
gboolean pixels_decode_rle (const guint8 *stream,
                            gsize         n,
                            gsize         n_pixels,
                            gsize         n_samples,
                            gsize         size,
                            guint8       *cells);

/* Three planes of n samples of `size` bytes to n triples */
void
pixels_interleave (gconstpointer planes, gsize n, gsize size, gpointer triples);

typedef enum
{
  PIXELS_YBR_FULL,
  PIXELS_YBR_PARTIAL
} PixelsYbr;

/*
 * pixels_ybr_to_rgb: n triples of 8 bits (size 1) or 16 (size 2, of which
 *   @stored are used), in place
 */
void pixels_ybr_to_rgb (gpointer  triples,
                        gsize     n,
                        gsize     size,
                        guint     stored,
                        PixelsYbr kind);

/*
 * pixels_spread_422: Y Y Cb Cr, of `size` bytes each, to two triples; n
 *   pixels, an even number
 */
void
pixels_spread_422 (gconstpointer packed, gsize n, gsize size, gpointer triples);

/*
 * pixels_expand_segments: the entries of a segmented table (PS3.3 C.7.9.2).
 * @words: the segments' n_words words
 * @entries: (out): n_entries words
 *
 * Returns: FALSE when the segments do not give exactly n_entries entries
 */
gboolean pixels_expand_segments (const guint16 *words,
                                 gsize          n_words,
                                 guint16       *entries,
                                 gsize          n_entries);

/*
 * PixelTable: a lookup table
 * @entries: one for each value from @first; below it the first holds, above
 *   the last
 */
typedef struct
{
  const guint16 *entries;
  gsize          n_entries;
  gint32         first;
} PixelTable;

/*
 * pixels_look_up:
 * @samples: as pixels_unpack() gave them
 * @size: of an entry in @values: 1 or 2 bytes
 * @step: samples from one value to the next in @values: 1 for gray, 3 for a
 *   component of a color
 */
void pixels_look_up (const PixelCell  *cell,
                     gconstpointer     samples,
                     gsize             n,
                     const PixelTable *table,
                     gsize             size,
                     gsize             step,
                     gpointer          values);

/*
 * pixels_table_ramp: between which values a table rises from its least to its
 *   largest entry, but for a hundredth at both ends
 *
 * @center, @width: (out): of the linear window that is nearest to it, in the
 *   table's own values; a width below 0 means that the table falls
 *
 * Returns: FALSE when all entries are the same
 */
gboolean
pixels_table_ramp (const PixelTable *table, gdouble *center, gdouble *width);

G_END_DECLS

#endif /* ISOLUX_PIXELS_H */
