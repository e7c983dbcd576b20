/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the benchmark share. */
#ifndef ISOLUX_BENCH_H
#define ISOLUX_BENCH_H

#include "core/internal.h"

G_BEGIN_DECLS

/* ---- Cases -------------------------------------------------------------- */

/* u12: u16 whose codes need 12 bits */
typedef enum
{
  TYPE_U8,
  TYPE_U16,
  TYPE_U12,
  TYPE_F32,
  N_TYPES
} Type;

typedef enum
{
  DATA_PHOTO,
  DATA_UNIFORM,
  DATA_CONSTANT,
  DATA_TWO,
  N_DATA
} Data;

/* odd: a width that no vector divides, rows that begin anywhere; mask: every
 * third pixel does not count */
typedef enum
{
  LAYOUT_PLAIN,
  LAYOUT_ODD,
  LAYOUT_MASK,
  N_LAYOUTS
} Layout;

typedef struct
{
  gchar  name[24];
  gint64 width, height;
} Size;

extern const gchar *const type_names[N_TYPES];
extern const gchar *const data_names[N_DATA];
extern const gchar *const layout_names[N_LAYOUTS];

typedef struct _Case Case;

/*
 * An operation.  types: bits of Type.  components: of the source; result: of
 * the destination, 0 where there is none.  reads, writes: how often a pixel's
 * bytes have to be read and the result's written.  run: destination may be
 * NULL; numbers, nullable, takes what is no picture.
 */
typedef struct
{
  const gchar *name;
  guint        types;
  gint         components, result;
  gint         reads, writes;
  gboolean     quick; /* part of a run without options */
  gboolean (*run) (const Case    *c,
                   IsoluxSurface *source,
                   IsoluxSurface *destination,
                   GByteArray    *numbers,
                   IsoluxReport  *report,
                   GError       **error);
  /* The same by tests/reference, nullable. */
  void (*refer) (const Case *c,
                 gpointer    source,
                 gpointer    destination,
                 GByteArray *numbers);
} Operation;

extern const Operation operations[];
extern const gint      n_operations;

struct _Case
{
  const Operation *operation;
  Type             type;
  Data             data;
  Layout           layout;
  Size             size;
};

IsoluxImage case_source_image (const Case *c);
/* components 0 where there is no destination */
IsoluxImage case_result_image (const Case *c);
gsize       image_bytes (const IsoluxImage *image);
/* What the operation has to read and write at least. */
void case_bytes (const Case *c, gsize *reads, gsize *writes);

/* The pixels of the source, rows without gaps; the next call may free the
 * last ones. */
gconstpointer case_pixels (const Case *c);

/* Surfaces as the layout wants them. */
typedef struct
{
  IsoluxSurface *source, *destination; /* destination: nullable */
  IsoluxSurface *owned[2];             /* memory of those that are wrapped */
} Surfaces;

/* stream: nullable; for a device of one kind. */
gboolean surfaces_init (Surfaces     *s,
                        IsoluxDevice *device,
                        const Case   *c,
                        gpointer      stream,
                        GError      **error);
void     surfaces_clear (Surfaces *s);
gboolean surfaces_run (Surfaces     *s,
                       const Case   *c,
                       GByteArray   *numbers,
                       IsoluxReport *report,
                       GError      **error);

/* All that comes out, as bytes. */
GByteArray *case_result (IsoluxDevice *device, const Case *c, GError **error);
/* Whether a small picture gives what tests/reference says. */
gboolean case_is_right (IsoluxDevice *device, const Case *c, GError **error);

/* ---- Clocks ------------------------------------------------------------- */

/* Milliseconds; low and high are the quartiles.  n 0: not measured. */
typedef struct
{
  gint    n;
  gdouble median, least, low, high;
} Times;

typedef struct
{
  gdouble seconds; /* for a figure */
  gint    least, most;
} Patience;

extern Patience patience;
/* The clock shows what the process used instead of what went by: for one
 * thread on a busy machine. */
extern gboolean processor_time;

gdouble now_ms (void);
/* Sorts the values. */
void times_of (Times *times, gdouble *values, gint n);
/* Whether n repetitions that began then are enough. */
gboolean enough (gint n, gdouble begin_ms);

typedef gboolean (*WorkFunc) (gpointer data, GError **error);
gboolean time_work (WorkFunc work, gpointer data, Times *times, GError **error);

/* Reading and writing so many bytes of host memory by some threads. */
gdouble time_host_floor (gsize reads, gsize writes, gint threads);

/* A picture in host memory on its way through isolux_process(). */
typedef struct
{
  const Case   *c;
  const guint8 *from;
  guint8       *to;                   /* to be freed with g_free() */
  gsize         from_bytes, to_bytes; /* of a row */
} Rows;

/* Fills both; from: as case_pixels(), borrowed, as rows are by the process. */
void rows_init (Rows          *rows,
                IsoluxProcess *process,
                const Case    *c,
                const guint8  *from);

/* isolux_process() from host memory to host memory. parts: reading, the
 * operation, writing. */
gboolean time_rows (IsoluxDevice *device,
                    const Case   *c,
                    Times        *times,
                    gdouble       parts[3],
                    GError      **error);

/* Frames a second of those operations that are wished, several in a call; cuda:
 * nullable.  Prints a table and returns it, or NULL. */
gchar *frames_measure (const gboolean *wished,
                       const Size     *size,
                       IsoluxDevice   *cpu,
                       IsoluxDevice   *cuda,
                       GError        **error);

/* ---- The GPU's clock (gpu.c) --------------------------------------------- */

typedef struct _Gpu Gpu;

Gpu *gpu_open (IsoluxDevice *device, GError **error);
void gpu_close (Gpu *gpu);
/* Times of one call in milliseconds; launches: kernels, copies and the like
 * that it has. */
gboolean gpu_time (Gpu        *gpu,
                   const Case *c,
                   Times      *times,
                   guint      *launches,
                   GError    **error);
/* The same by another library; name: static, NULL where there is none. */
gboolean gpu_peer_time (Gpu          *gpu,
                        const Case   *c,
                        Times        *times,
                        const gchar **name,
                        GError      **error);
/* Reading and writing so many bytes. */
gboolean
gpu_floor (Gpu *gpu, gsize reads, gsize writes, gdouble *ms, GError **error);

/* ---- Others (peers.c) ---------------------------------------------------- */

typedef struct _Peers Peers;

/* NULL where there is no Python, OpenCV or scikit-image. */
Peers *peers_open (const gchar *script);
void   peers_close (Peers *peers);
/* Versions, for the head of the table. */
const gchar *peers_versions (Peers *peers);
/* FALSE: it has no such operation.  name: static, of the peer. */
gboolean peers_time (Peers        *peers,
                     const Case   *c,
                     gint          threads,
                     Times        *times,
                     const gchar **name);

/* ---- Tables (report.c) --------------------------------------------------- */

typedef enum
{
  SECTION_CPU,
  SECTION_DEVICE,
  SECTION_ROWS,
  N_SECTIONS
} Section;

typedef struct
{
  Section      section;
  Case         c;
  const gchar *where; /* CPU, CUDA */
  gint         threads;
  Times        times;
  gdouble      floor;    /* ms; NAN: not known */
  gdouble      parts[3]; /* ms, of SECTION_ROWS */
  guint        launches; /* of SECTION_DEVICE */
  const gchar *peer;     /* nullable */
  Times        peer_times;
} Row;

/* Markdown on standard output, as it comes. */
void report_row (const Row *row);
/* Begins the table of the section, if it has not begun. */
void report_section (Section section);
/* All of it as JSON.  head: pairs of names and values, NULL-ended; tables:
 * more tables in Markdown, nullable. */
gboolean report_json (const gchar        *path,
                      const gchar *const *head,
                      const GArray       *rows,
                      const gchar        *tables,
                      GError            **error);

G_END_DECLS

#endif /* ISOLUX_BENCH_H */
