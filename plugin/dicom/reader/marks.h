/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * marks.h: what a compressed frame says of itself.
 *
 * JPEG (ISO 10918-1), JPEG-LS (ISO 14495-1) and JPEG 2000 (ISO 15444-1) begin
 * with markers.  They are looked at before a decoder is, since what the file
 * says of a frame and what the frame says of itself may differ.
 */
#ifndef ISOLUX_MARKS_H
#define ISOLUX_MARKS_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  MARKS_COLOR_UNKNOWN, /* as the file says */
  MARKS_COLOR_RGB,
  MARKS_COLOR_YBR
} MarksColor;

/*
 * Marks:
 * @columns, @rows, @components: of the frame
 * @precision: bits of a sample
 * @color: what the components are once decoded, when there are three
 * @is_whole: the stream has its end; decoders make up what is missing
 */
typedef struct
{
  guint      columns;
  guint      rows;
  guint      components;
  guint      precision;
  MarksColor color;
  gboolean   is_whole;
} Marks;

/*
 * marks_read:
 * @stream: a JPEG or JPEG-LS stream, or a JPEG 2000 codestream or file
 *
 * Returns: FALSE when there is no frame header in it
 */
gboolean marks_read (const guint8 *stream, gsize n, Marks *marks);

G_END_DECLS

#endif /* ISOLUX_MARKS_H */
