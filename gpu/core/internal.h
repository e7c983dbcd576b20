/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the rooms of the library share with each other and with the tests. */
#ifndef ISOLUX_INTERNAL_H
#define ISOLUX_INTERNAL_H

#include <glib.h>
#include <glib/gi18n-lib.h>

#include "../isolux.h"
#include "contrast-rules.h"
#include "hog-rules.h"
#include "lbp-rules.h"
#include "metrics-rules.h"
#include "plans.h"
#include "reduce-rules.h"
#include "window-rules.h"

G_BEGIN_DECLS

typedef struct _IsoluxBackend IsoluxBackend;
typedef struct _IsoluxCuda    IsoluxCuda;
typedef struct _IsoluxPool    IsoluxPool;

/* The operations of a backend, as bits of isolux_backend_mask. */
typedef enum
{
  ISOLUX_TWIN_GRAYSCALE = 1 << 0,
  ISOLUX_TWIN_COUNT = 1 << 1,
  ISOLUX_TWIN_EQUALIZE = 1 << 2,
  ISOLUX_TWIN_LUT_APPLY = 1 << 3,
  ISOLUX_TWIN_CLAHE = 1 << 4,
  ISOLUX_TWIN_LBP = 1 << 5,
  ISOLUX_TWIN_HOG = 1 << 6,
  ISOLUX_TWIN_WINDOW = 1 << 7,
  ISOLUX_TWIN_METRICS = 1 << 8,
  ISOLUX_TWIN_CONTRAST_MAP = 1 << 9,
  ISOLUX_TWIN_LEAVE_OUT = 1 << 10,
  ISOLUX_TWIN_REDUCE = 1 << 11,
  ISOLUX_TWIN_CLAHE_SAMPLE = 1 << 12,
  ISOLUX_TWIN_ALL = (1 << 16) - 1
} IsoluxTwins;

/*
 * The tables of CLAHE in host memory, those of a channel row by row of tiles,
 * stride entries apart.  bits, bins and shift are of codes: bin = code >>
 * shift.  low, scale: see isolux_bin_f32(); low and high are 0 where a channel
 * has no range.  shares: of each code where a bin holds several, else NULL.
 * entries: NULL when all channels stay as they are; all 0 for a tile that has
 * no table, since nothing counts near it.  Both to be freed with g_free().
 */
typedef struct
{
  gint     channels;
  gint     bits, bins, shift;
  gsize    stride;
  gboolean identity[3];
  gdouble  low[3], high[3], scale[3];
  gfloat  *shares;
  gpointer entries;
} IsoluxClaheTables;

/* CLAHE at the crossings of some columns and rows of the source, as many as
 * the destination has. */
typedef struct
{
  const IsoluxClahePlan   *plan;
  const IsoluxClaheTables *tables;
  const gint64            *columns, *rows;
} IsoluxClaheSample;

/*
 * A backend: the CPU fills every function; CUDA has twins, and where it has
 * none (NULL, or cut by isolux_backend_mask) the core takes the pixels to
 * the CPU and back.  Surfaces handed to a function are this backend's own.
 * All set @error on failure; ISOLUX_ERROR_DEVICE means that the CPU may try
 * instead.
 */
struct _IsoluxBackend
{
  IsoluxBackendKind kind;
  const gchar      *name;

  /* Memory of at least size bytes, rows aligned for any stride the core
   * chooses; from a pool where that pays. */
  gboolean (*alloc) (IsoluxDevice *device,
                     gsize         size,
                     gpointer     *memory,
                     GError      **error);
  void (*release) (IsoluxDevice *device, gpointer memory, gsize size);

  /* Rows from and to host memory, done when the call returns. stream:
   * nullable, see isolux_surface_wrap(). */
  gboolean (*write) (IsoluxDevice *device,
                     gpointer      memory,
                     gsize         stride,
                     gconstpointer host,
                     gsize         host_stride,
                     gsize         row_bytes,
                     gint64        rows,
                     gpointer      stream,
                     GError      **error);
  gboolean (*read) (IsoluxDevice *device,
                    gpointer      host,
                    gsize         host_stride,
                    gconstpointer memory,
                    gsize         stride,
                    gsize         row_bytes,
                    gint64        rows,
                    gpointer      stream,
                    GError      **error);
  gboolean (*write_rows) (IsoluxSurface *surface,
                          IsoluxRowsFunc read,
                          gpointer       user_data,
                          GError       **error);
  gboolean (*read_rows) (IsoluxSurface *surface,
                         IsoluxRowsFunc write,
                         gpointer       user_data,
                         GError       **error);

  /* The operations. */
  gboolean (*grayscale) (IsoluxSurface        *source,
                         IsoluxSurface        *destination,
                         const IsoluxGrayPlan *plan,
                         GError              **error);
  gboolean (*count) (IsoluxSurface         *surface,
                     const IsoluxCountPlan *plan,
                     IsoluxCounts          *counts,
                     GError               **error);
  /* unchanged: nullable; whether every table was the identity.  A backend
   * that works on a caller's stream waits for it only when asked. */
  gboolean (*equalize) (IsoluxSurface            *source,
                        IsoluxSurface            *destination,
                        const IsoluxEqualizePlan *plan,
                        gboolean                 *unchanged,
                        GError                  **error);
  gboolean (*lut_apply) (IsoluxSurface       *source,
                         IsoluxSurface       *destination,
                         const IsoluxLutPlan *plan,
                         GError             **error);
  gboolean (*lbp) (IsoluxSurface       *source,
                   IsoluxSurface       *destination,
                   const IsoluxLbpPlan *plan,
                   GError             **error);
  /* counts: one a code, host memory, filled */
  gboolean (*lbp_histogram) (IsoluxSurface       *source,
                             const IsoluxLbpPlan *plan,
                             guint64             *counts,
                             GError             **error);
  /* cells: the bins of all cells, row after row, host memory, filled */
  gboolean (*hog_cells) (IsoluxSurface       *source,
                         const IsoluxHogPlan *plan,
                         gfloat              *cells,
                         GError             **error);
  gboolean (*hog_picture) (IsoluxSurface       *source,
                           IsoluxSurface       *destination,
                           const IsoluxHogPlan *plan,
                           GError             **error);
  /* unchanged: as of equalize.  tables: nullable, filled on success.
   * destination: NULL when but the tables are wanted. */
  gboolean (*clahe) (IsoluxSurface         *source,
                     IsoluxSurface         *destination,
                     const IsoluxClahePlan *plan,
                     gboolean              *unchanged,
                     IsoluxClaheTables     *tables,
                     GError               **error);
  /* f32; codes go through lut_apply */
  gboolean (*window) (IsoluxSurface          *source,
                      IsoluxSurface          *destination,
                      const IsoluxWindowPlan *plan,
                      GError                **error);
  gboolean (*contrast_map) (IsoluxSurface            *source,
                            IsoluxSurface            *destination,
                            const IsoluxContrastPlan *plan,
                            GError                  **error);
  /* Two sources.  partial: ISOLUX_METRICS_SUMS for each strip, host memory,
   * filled */
  gboolean (*metrics) (IsoluxSurface           *first,
                       IsoluxSurface           *second,
                       const IsoluxMetricsPlan *plan,
                       gdouble                 *partial,
                       GError                 **error);
  /* mask: u8, one component, as large as the source's region: filled with
   * its mask without what is left out.  Done when the call returns. */
  gboolean (*leave_out) (IsoluxSurface            *source,
                         IsoluxSurface            *mask,
                         const IsoluxLeaveOutPlan *plan,
                         GError                  **error);
  /* destination: of another size */
  gboolean (*reduce) (IsoluxSurface          *source,
                      IsoluxSurface          *destination,
                      const IsoluxReducePlan *plan,
                      GError                **error);
  gboolean (*clahe_sample) (IsoluxSurface           *source,
                            IsoluxSurface           *destination,
                            const IsoluxClaheSample *sample,
                            GError                 **error);
};

extern const IsoluxBackend isolux_backend_cpu;
extern const IsoluxBackend isolux_backend_cuda;
extern guint               isolux_backend_mask; /* of CUDA's twins */

struct _IsoluxSurface
{
  gint                 references;
  IsoluxDevice        *device;
  const IsoluxBackend *backend;
  IsoluxImage          image;
  IsoluxPixels         pixels; /* in the backend's memory */
  gpointer             memory; /* owned, NULL when it is not ours */
  gsize                memory_size;
  gpointer             mask; /* owned, NULL when there is none */
  gsize                mask_size;
  gpointer             stream; /* the caller's, nullable */
  IsoluxSurface       *whole;  /* what it is a part of, nullable */
  IsoluxSurface       *master; /* whose mask it uses, nullable */
};

/* ---- CUDA (gpu/cuda) ------------------------------------------------- */

/* Loads the driver, retains the primary context, loads the kernels.  On
 * failure ISOLUX_ERROR_DEVICE with the reason in words. */
IsoluxCuda *isolux_cuda_open (gint ordinal, GError **error);
void        isolux_cuda_close (IsoluxCuda *cuda);
void        isolux_cuda_get_info (IsoluxCuda *cuda, IsoluxDeviceInfo *info);

/* ---- Devices (core/device.c) ------------------------------------------ */

/* The device's CUDA when it is ready, or NULL; valid while the device is. */
IsoluxCuda *isolux_device_get_cuda (IsoluxDevice *device);
gint        isolux_device_get_threads (IsoluxDevice *device);
/* So many calls share the threads from now on; of the calling thread's. */
void isolux_device_share_threads (gint calls);
/* Which backend a new surface of this many bytes gets; may start CUDA in
 * the background. */
const IsoluxBackend *isolux_device_choose (IsoluxDevice *device, guint64 bytes);
gboolean             isolux_device_is_auto (IsoluxDevice *device);
/* Host memory that is kept for the next surface. */
IsoluxPool *isolux_device_get_pool (IsoluxDevice *device);

/* ---- Surfaces (core/surface.c) ---------------------------------------- */

gsize isolux_type_size (IsoluxType type);
/* A surface on a given backend of the device. */
IsoluxSurface *isolux_surface_new_on (IsoluxDevice        *device,
                                      const IsoluxBackend *backend,
                                      const IsoluxImage   *image,
                                      GError             **error);
gsize          isolux_image_row_bytes (const IsoluxImage *image);
gboolean       isolux_image_check (const IsoluxImage *image, GError **error);

/* Calls one backend's twin. */
typedef gboolean (*IsoluxTwinFunc) (const IsoluxBackend *backend,
                                    IsoluxSurface       *source,
                                    IsoluxSurface       *destination,
                                    gpointer             data,
                                    GError             **error);

/* Runs a twin on the surfaces' backend; where it has none or fails, takes
 * the pixels to the CPU, runs there and brings the result back.
 * destination is nullable. Fills the report's backend, warning, compute_ms. */
gboolean isolux_run (IsoluxTwins    twin,
                     IsoluxTwinFunc function,
                     IsoluxSurface *source,
                     IsoluxSurface *destination,
                     gpointer       data,
                     IsoluxReport  *report,
                     GError       **error);

/* The same for a twin that reads both surfaces and writes neither; the region
 * of the second is not looked at. */
gboolean isolux_run_pair (IsoluxTwins    twin,
                          IsoluxTwinFunc function,
                          IsoluxSurface *first,
                          IsoluxSurface *second,
                          gpointer       data,
                          IsoluxReport  *report,
                          GError       **error);

/* Checks that destination fits source: device, backend, size, type, stream,
 * and components when same_components. */
gboolean isolux_surfaces_check (IsoluxSurface *source,
                                IsoluxSurface *destination,
                                gboolean       same_components,
                                GError       **error);

/* The rectangle meant: all where it is NULL; it must lie inside the image. */
gboolean isolux_rectangle_check (const IsoluxImage     *image,
                                 const IsoluxRectangle *rectangle,
                                 IsoluxRectangle       *meant,
                                 GError               **error);

/* ---- Whole calls (core/process.c, core/crossover.c) --------------------- */

/* isolux_process() on a given backend, once.  report: cleared. */
gboolean isolux_process_on (IsoluxDevice        *device,
                            const IsoluxBackend *backend,
                            const IsoluxProcess *process,
                            IsoluxReport        *report,
                            GError             **error);
/* The least of n >= 2 sizes from which on CUDA is never later than the CPU;
 * where it is later for the largest, the size at which the straight lines
 * through the last two cross, or G_MAXUINT64.  1: from the first size on. */
guint64 isolux_crossover (const guint64 *bytes,
                          const gint64  *cpu,
                          const gint64  *cuda,
                          gint           n);
/* From how many bytes on CUDA, which has started, is done before the CPU;
 * takes some 10 ms.  Returns: whether it could be measured. */
gboolean isolux_crossover_measure (IsoluxDevice *device, guint64 *from);

/* ---- CLAHE (core/clahe.c) ---------------------------------------------- */

/* Tiles for an image of this size. */
IsoluxGrid isolux_clahe_grid (const IsoluxClaheOptions *options,
                              gint64                    width,
                              gint64                    height);
/* destination and tables: one of them nullable; tables are filled, and have
 * to be cleared, on success. plan: filled. */
gboolean isolux_clahe_run (IsoluxSurface            *source,
                           IsoluxSurface            *destination,
                           const IsoluxClaheOptions *options,
                           IsoluxClahePlan          *plan,
                           IsoluxClaheTables        *tables,
                           IsoluxReport             *report,
                           GError                  **error);
void     isolux_clahe_tables_clear (IsoluxClaheTables *tables);

/* ---- Pictures (core/picture.c) ---------------------------------------- */

/* Checks a destination of its own for a picture: of the source's type, or,
 * raw, one component of f32. */
gboolean isolux_picture_check (IsoluxSurface *source,
                               IsoluxSurface *destination,
                               gboolean       raw,
                               GError       **error);
/* The largest value of a type's nominal range. */
gdouble isolux_picture_maximum (const IsoluxPixels *pixels);

/* ---- Oriented gradients (core/hog.c) ------------------------------------ */

/* The edges of n bins over range degrees, 180 or 360; edges is zeroed. */
void isolux_hog_edges_set (IsoluxHogEdges *edges, gint n, gint range);

/* Fills the values of a descriptor, whose shape is set, from the cells: the
 * CPU does that for all backends.  cpu/hog.c */
gboolean isolux_cpu_hog_blocks (IsoluxHog           *hog,
                                IsoluxDevice        *device,
                                const IsoluxHogPlan *plan,
                                IsoluxHogNorm        norm,
                                const gfloat        *cells,
                                GError             **error);

/* ---- Tables (core/lut.c) ------------------------------------------------ */

gboolean isolux_weights_set (IsoluxWeights *weights,
                             const gdouble *given,
                             GError       **error);

/* The significant bits of codes that were counted, all channels together:
 * those given, or those that the largest code needs. */
gint isolux_counts_bits (const IsoluxPixels *pixels,
                         const guint64      *counts,
                         gint                channels,
                         gint                codes);

gboolean
isolux_equalize_check (const IsoluxEqualizeOptions *options, GError **error);

/* Fills bins entries of type from the counts of bins; the sequential form
 * of the rules, which CUDA follows in parallel. */
void isolux_equalize_table (IsoluxType     type,
                            const guint64 *counts,
                            gint           bins,
                            gdouble        clip_limit,
                            gdouble        skip_threshold,
                            gpointer       entries,
                            gboolean      *identity);

/* ---- Memory and faults (core/memory.c, core/fault.c) -------------------- */

/* What can be made to fail, for tests. */
typedef enum
{
  ISOLUX_FAULT_MEMORY, /* host allocations */
  ISOLUX_FAULT_CUDA,   /* driver calls */
  ISOLUX_FAULTS
} IsoluxFault;

/* The count-th call from now on of this kind fails (1 = the next), and, with
 * sticky, all after it; 0 = none.  The environment variable ISOLUX_FAULT, of
 * the form kind:count or kind:count+ (sticky), kind memory or cuda, does the
 * same at each isolux_process() and when isolux_device_open() has opened a
 * device. */
void     isolux_fault_arm (IsoluxFault fault, guint count, gboolean sticky);
gboolean isolux_fault_hit (IsoluxFault fault);
/* How many calls there were since the last isolux_fault_arm(). */
guint isolux_fault_calls (IsoluxFault fault);
void  isolux_fault_arm_from_environment (void);
/* Whether a test counts calls. */
gboolean isolux_fault_is_armed (void);

/* Zeroed memory, or NULL and ISOLUX_ERROR_MEMORY.  size * count may
 * overflow: that is the same error.  Freed with g_free(). */
gpointer isolux_try_alloc (gsize count, gsize size, GError **error);
#define isolux_try_new(type, count, error) \
  ((type *) isolux_try_alloc ((count), sizeof (type), (error)))

/* Asks for large pages for new memory that will be used whole: the first use
 * of 4 KB at a time takes longer than many an operation. */
#define ISOLUX_LARGE_PAGE ((gsize) 2 << 20)
void isolux_advise_large (gpointer memory, gsize bytes);

/* Blocks of memory that are kept for the next call.  Safe from any thread. */
typedef gboolean (*IsoluxPoolAlloc) (gpointer  owner,
                                     gsize     size,
                                     gpointer *memory,
                                     GError  **error);
typedef void (*IsoluxPoolFree) (gpointer owner, gpointer memory);

IsoluxPool *isolux_pool_new (IsoluxPoolAlloc alloc,
                             IsoluxPoolFree  release,
                             gpointer        owner,
                             gsize           keep,
                             GError        **error);
void        isolux_pool_free (IsoluxPool *pool);
/* No more bytes than this altogether, or ISOLUX_ERROR_DEVICE; 0: no limit. */
void isolux_pool_set_limit (IsoluxPool *pool, gsize limit);
/* A block of at least size bytes: a kept one, else a new one; when that
 * fails, kept ones are given back and it is tried once more. */
gboolean isolux_pool_take (IsoluxPool *pool,
                           gsize       size,
                           gpointer   *memory,
                           GError    **error);
void     isolux_pool_give (IsoluxPool *pool, gpointer memory);

/* Sets ISOLUX_ERROR_ARGUMENT. Returns FALSE. */
gboolean isolux_argument_error (GError **error, const gchar *format, ...)
  G_GNUC_PRINTF (2, 3);

/* Copies as much of a text as fits, whole characters alone. */
void isolux_set_text (gchar *to, gsize size, const gchar *from);

void isolux_report_clear (IsoluxReport *report);
/* Adds a step of a call: the CPU is named when it did any of the work, and
 * the first warning stays.  report is nullable. */
void isolux_report_add (IsoluxReport *report, const IsoluxReport *step);

G_END_DECLS

#endif /* ISOLUX_INTERNAL_H */
