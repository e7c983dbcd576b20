/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * real-values.h: what the codes of an image stand for.
 *
 * A layer, or else its image, may carry a parasite "isolux-values": lines of
 * "key=value", UTF-8, numbers in C's locale:
 *
 *   slope=1             value = slope * code + intercept; not 0; for u8 and
 *   intercept=-1024     u16 the code, for float layers the float itself
 *   unit=HU             (may be missing) what values are counted in
 *   padding=-2000       (may be missing) a value, in the unit, that is none
 *   bits=12             (may be missing) significant bits of the codes
 *   modality=CT         (may be missing) DICOM's word
 *   window=40 400       (may be missing) center and width, in the unit;
 *                       several pairs one after the other
 *   spacing=0.7 0.7     (may be missing) millimetres from row to row and from
 *                       column to column
 *   codes=65535         (may be missing) the largest code of the kind that
 *                       slope and intercept are meant for: 255, 65535, or 1
 *                       for floating point; without it, that of the layer
 *   precision=u16-non-linear
 *                       (may be missing) GIMP's word for the precision of the
 *                       image when the values were put into it.  Users change
 *                       that, and nobody tells us: pixels of another curve
 *                       are then read as floats of this one, and what was
 *                       rounded or cut off is said
 *   loss=...            (may be missing) what the import could not keep, in
 *                       words
 *
 * Spaces around keys and values, empty lines and lines that begin with "#"
 * do not matter; of a key that is there twice the last one holds.  Unknown
 * keys are kept.  Where the slope is negative (DICOM's MONOCHROME1, whose
 * small values are bright), large codes are small values; what is bright
 * stays bright.
 *
 * The same text is the hidden property "values" of
 * the operations that work in units (isolux:window, isolux:clahe).
 */
#ifndef ISOLUX_REAL_VALUES_H
#define ISOLUX_REAL_VALUES_H

#include <glib.h>

#define ISOLUX_VALUES_PARASITE "isolux-values"

/*
 * IsoluxRealValues:
 * @slope, @intercept: value = slope * code + intercept
 * @unit: "" for none
 * @has_padding, @padding: in the unit
 * @bits: 0 when not told
 * @modality: "" when not told
 * @n_windows, @windows: center and width, n_windows pairs
 * @spacing: rows, columns in mm; 0.0 when not told
 * @codes: 0.0 when not told
 * @precision: "" when not told
 * @tolerance: how far a code may be from the one that a value gives and still
 *   be that value; not part of the text, see isolux_real_values_fit()
 */
typedef struct
{
  gdouble  slope;
  gdouble  intercept;
  gchar    unit[32];
  gboolean has_padding;
  gdouble  padding;
  gint     bits;
  gchar    modality[17];
  gint     n_windows;
  gdouble  windows[8][2];
  gdouble  spacing[2];
  gdouble  codes;
  gchar    precision[20];
  gdouble  tolerance;
} IsoluxRealValues;

/* slope 1, intercept 0, all else not told: codes are what people read */
void isolux_real_values_init (IsoluxRealValues *values);

/*
 * isolux_real_values_parse:
 * @text: (nullable): see above; %NULL and "" give the same as init
 *
 * A unit or modality that is too long is cut off at a character, and so are
 * windows beyond the eighth.  A precision that GIMP does not have counts as
 * none.
 *
 * Returns: FALSE when it is damaged (a line without "=", no number, slope 0,
 *   a width or spacing that is not above 0, not finite, not UTF-8); @values
 *   are then those of init
 */
gboolean isolux_real_values_parse (const gchar *text, IsoluxRealValues *values);

/* Returns: (transfer full): the text, shortest form that reads back exactly */
gchar *isolux_real_values_to_text (const IsoluxRealValues *values);

/*
 * isolux_real_values_get_key: one line of the text, for keys that are not in
 * the struct ("loss").
 *
 * Returns: (transfer full) (nullable): what is behind "key="; %NULL when
 *   there is none
 */
gchar *isolux_real_values_get_key (const gchar *text, const gchar *key);

/*
 * isolux_real_values_set_key: the text with one line replaced, added, or
 * removed (@value %NULL); all other lines, also unknown ones, stay.
 * @text: (nullable): see above
 * @value: (nullable): line ends in it become spaces
 */
gchar *isolux_real_values_set_key (const gchar *text,
                                   const gchar *key,
                                   const gchar *value);

/* How codes relate to light; the first three are GIMP's words */
typedef enum
{
  ISOLUX_ENCODING_LINEAR,
  ISOLUX_ENCODING_NON_LINEAR,
  ISOLUX_ENCODING_PERCEPTUAL,
  ISOLUX_ENCODING_UNKNOWN
} IsoluxEncoding;

/* isolux_precision_encoding: that of "u16-linear"; unknown for "" and words
 * that are none of GIMP's */
IsoluxEncoding isolux_precision_encoding (const gchar *precision);

/*
 * isolux_real_values_bent: how pixels have to be read when they are no longer
 * of the curve that the values were put into: as floats of this one.
 * @precision: that of the pixels
 *
 * Returns: ISOLUX_ENCODING_UNKNOWN when they are to be read as they are
 */
IsoluxEncoding isolux_real_values_bent (const IsoluxRealValues *values,
                                        const gchar            *precision);

/*
 * isolux_real_values_fit: makes slope and intercept fit the codes that pixels
 * of a precision are read as: 0 to 255, 0 to 65535, and 0.0 to 1.0 for all
 * others and for those that are bent; sets the tolerance.
 * @precision: that of the pixels, "u16-linear"
 */
void isolux_real_values_fit (IsoluxRealValues *values, const gchar *precision);

/*
 * isolux_real_values_error: how far values are off at most since the
 * precision was changed to this one.
 *
 * Returns: in the unit; 0 when each can be told from the next as before;
 *   INFINITY when floats were cut off at 0 and 1, or rounded to half floats
 */
gdouble isolux_real_values_error (const IsoluxRealValues *values,
                                  const gchar            *precision);

/*
 * isolux_real_values_describe_error: the same in words, translated.
 *
 * Returns: (transfer full) (nullable): sentences; %NULL when nothing is lost
 */
gchar *isolux_real_values_describe_error (const IsoluxRealValues *values,
                                          const gchar            *precision);

/* Whether values differ from codes or have a unit */
gboolean isolux_real_values_are_real (const IsoluxRealValues *values);

gdouble
isolux_real_values_from_code (const IsoluxRealValues *values, gdouble code);
gdouble
isolux_real_values_to_code (const IsoluxRealValues *values, gdouble value);

/*
 * isolux_real_values_to_whole_code: the same for a value that is the code of
 * some pixels, as padding is: what differs from a whole code by no more than
 * rounding becomes that code.
 */
gdouble isolux_real_values_to_whole_code (const IsoluxRealValues *values,
                                          gdouble                 value);

#endif /* ISOLUX_REAL_VALUES_H */
