/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * images.h - pictures in any babl format, operations run on them, and what
 * a picture means as numbers, decoded here without babl
 */
#ifndef IMAGES_H
#define IMAGES_H

#include <gegl.h>

#include "isolux.h"
#include "reference/reference.h"

/* ---- Formats ------------------------------------------------------ */

#define N_MODELS 12
#define N_TYPES 6
#define N_SPACES 3

typedef enum
{
  LINEAR,
  NONLINEAR,
  PERCEPTUAL
} Encoding;

typedef struct
{
  const gchar *name;
  Encoding     encoding;
  gint         components;
} Model;

typedef struct
{
  const gchar *name;
  IsoluxType   surface;   /* what an operation works in */
  gint         size;      /* bytes */
  gdouble      precision; /* of values near 1, relative to the largest */
} Type;

typedef struct
{
  const gchar *name;
  const Babl  *space;
  gdouble (*to_linear) (gdouble v); /* its curve */
} Space;

extern const Model models[N_MODELS];
extern const Type  types[N_TYPES];
extern Space       spaces[N_SPACES]; /* sRGB, Adobish, one of linear light */

/* After gegl_init() */
void spaces_init (void);

gdouble srgb_to_linear (gdouble v);
gdouble half_to_double (guint16 half);
guint16 double_to_half (gdouble v);

/* ---- Images ------------------------------------------------------- */

typedef struct
{
  const Model  *model;
  const Type   *type;
  const Space  *space;
  const Babl   *format;
  GeglRectangle extent;
  guint8       *data; /* rows without gaps */
} Image;

/* Values that cover about a third of the range unevenly, a few percent of
 * them without alpha: the same ones for the same seed */
Image *image_new (const Model         *model,
                  const Type          *type,
                  const Space         *space,
                  const GeglRectangle *extent,
                  guint32              seed);
Image *image_new_empty (const Image *like);
void   image_free (Image *image);

gsize         image_pixel_size (const Image *image);
gsize         image_size (const Image *image);
gdouble       image_get (const Image *image, gint i, gint component);
void          image_set (Image *image, gint i, gint component, gdouble v);
gint          image_colors (const Image *image);
gboolean      image_has_alpha (const Image *image);
gboolean      image_is_integer (const Image *image);
gint          image_pixels (const Image *image);
const guint8 *image_pixel (const Image *image, gint i);
GeglBuffer   *image_to_buffer (const Image *image);

/* The same values in a surface's type; to be cleared with g_free (data) */
RefImage image_to_ref (const Image *image);
/* Room for a result */
RefImage ref_like (const RefImage *image);
gdouble  ref_value (const RefImage *image, gint i, gint component);

/* ---- Operations --------------------------------------------------- */

/* Runs an operation; properties as for gegl_node_set(), ended by NULL.  The
 * result has the image's format. */
Image *
run (const Image *image, const gchar *operation, ...) G_GNUC_NULL_TERMINATED;
/* Only a part, of the extent that it says */
Image *run_part (const Image         *image,
                 const GeglRectangle *part,
                 const gchar         *operation,
                 ...) G_GNUC_NULL_TERMINATED;

void assert_same (const Image *a, const Image *b);
/* Alpha is bit for bit what it was */
void assert_alpha_kept (const Image *before, const Image *after);

/* Says in a failed test's output which case it was */
void note_case (const Image *image, const gchar *what);

/* ---- What is said ------------------------------------------------- */

/* Counts messages instead of printing them */
void   messages_init (void);
gint   messages_count (void);
gchar *messages_last (void); /* to be freed with g_free() */

/* Standard error, into a text; to be freed with g_free() */
void   capture_begin (void);
gchar *capture_end (void);
gint   count_lines (const gchar *text, const gchar *part);

/* ---- The tests, by file ------------------------------------------- */

void add_values_tests (void);
void add_module_tests (void);
void add_translation_test (void);
void add_grayscale_tests (void);
void add_equalize_tests (void);
void add_algorithms_tests (void);
void add_trouble_tests (void);
void add_units_tests (void);

#endif /* IMAGES_H */
