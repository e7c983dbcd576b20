/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CUDA driver, loaded at run time, and what lives as long as an open
 * device: context, kernels, lanes, memory.
 */
#ifndef ISOLUX_DRIVER_H
#define ISOLUX_DRIVER_H

#include "../core/internal.h"
#include "arguments.h"

G_BEGIN_DECLS

/* ---- The driver's binary interface --------------------------------- */

/*
 * The library builds where there is no CUDA toolkit, so the few types that
 * cross the border are declared here.  Handles are pointers, device
 * addresses as wide as one.  On 64-bit Windows there is but one calling
 * convention.
 */
typedef gint     CudaResult;
typedef guintptr CudaAddress;

#define CUDA_SUCCESS 0
#define CUDA_ERROR_OUT_OF_MEMORY 2
#define CUDA_ERROR_DEINITIALIZED 4
#define CUDA_ERROR_STUB_LIBRARY 34
#define CUDA_ERROR_NO_DEVICE 100
#define CUDA_ERROR_INVALID_DEVICE 101
#define CUDA_ERROR_INVALID_IMAGE 200
#define CUDA_ERROR_INVALID_CONTEXT 201
#define CUDA_ERROR_NO_BINARY_FOR_GPU 209
#define CUDA_ERROR_ECC_UNCORRECTABLE 214
#define CUDA_ERROR_INVALID_PTX 218
#define CUDA_ERROR_NVLINK_UNCORRECTABLE 220
#define CUDA_ERROR_UNSUPPORTED_PTX_VERSION 222
#define CUDA_ERROR_CONTAINED 226
#define CUDA_ERROR_ILLEGAL_ADDRESS 700
#define CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES 701
#define CUDA_ERROR_LAUNCH_TIMEOUT 702
#define CUDA_ERROR_CONTEXT_IS_DESTROYED 709
#define CUDA_ERROR_HARDWARE_STACK_ERROR 714
#define CUDA_ERROR_LAUNCH_FAILED 719
#define CUDA_ERROR_SYSTEM_DRIVER_MISMATCH 803
#define CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE 804
#define CUDA_ERROR_UNKNOWN 999

#define CUDA_ATTRIBUTE_MAX_PITCH 11
#define CUDA_ATTRIBUTE_PROCESSORS 16
#define CUDA_ATTRIBUTE_CAPABILITY_MAJOR 75
#define CUDA_ATTRIBUTE_CAPABILITY_MINOR 76
#define CUDA_ATTRIBUTE_SHARED_PER_BLOCK_OPTIN 97
#define CUDA_FUNCTION_MAX_DYNAMIC_SHARED 8
#define CUDA_STREAM_NON_BLOCKING 1
#define CUDA_EVENT_DISABLE_TIMING 2
#define CUDA_MEMORY_HOST 1
#define CUDA_MEMORY_DEVICE 2
#define CUDA_LAUNCH_CLUSTER 4
#define CUDA_LAUNCH_EARLY 6

typedef struct
{
  gsize       x_bytes;
  gsize       y;
  gint        memory_type;
  gpointer    host;
  CudaAddress device;
  gpointer    array;
  gsize       pitch;
} CudaCopySide;

typedef struct
{
  CudaCopySide source;
  CudaCopySide destination;
  gsize        width_bytes;
  gsize        height;
} CudaCopy2D;

/* value: three numbers of blocks, or whether it is so. */
typedef struct
{
  guint id;
  guint nothing;
  guint value[16];
} CudaLaunchAttribute;

typedef struct
{
  guint                grid_x, grid_y, grid_z;
  guint                block_x, block_y, block_z;
  guint                shared_bytes;
  gpointer             stream;
  CudaLaunchAttribute *attributes;
  guint                n_attributes;
} CudaLaunchConfig;

/* Every call that is used: the driver's name of it and its parameters. */
#define ISOLUX_DRIVER_CALLS(X)                                                 \
  X (cuInit, (guint flags))                                                    \
  X (cuDriverGetVersion, (gint * version))                                     \
  X (cuGetErrorName, (CudaResult result, const gchar **name))                  \
  X (cuDeviceGetCount, (gint * count))                                         \
  X (cuDeviceGet, (gint * device, gint ordinal))                               \
  X (cuDeviceGetName, (gchar * name, gint length, gint device))                \
  X (cuDeviceTotalMem_v2, (gsize * bytes, gint device))                        \
  X (cuDeviceGetAttribute, (gint * value, gint attribute, gint device))        \
  X (cuDevicePrimaryCtxRetain, (gpointer * context, gint device))              \
  X (cuDevicePrimaryCtxRelease_v2, (gint device))                              \
  X (cuCtxPushCurrent_v2, (gpointer context))                                  \
  X (cuCtxPopCurrent_v2, (gpointer * context))                                 \
  X (cuModuleLoadData, (gpointer * module, gconstpointer image))               \
  X (cuModuleUnload, (gpointer module))                                        \
  X (cuModuleGetFunction,                                                      \
     (gpointer * function, gpointer module, const gchar *name))                \
  X (cuFuncSetAttribute, (gpointer function, gint attribute, gint value))      \
  X (cuMemAlloc_v2, (CudaAddress * address, gsize bytes))                      \
  X (cuMemFree_v2, (CudaAddress address))                                      \
  X (cuMemHostAlloc, (gpointer * memory, gsize bytes, guint flags))            \
  X (cuMemFreeHost, (gpointer memory))                                         \
  X (cuMemcpyHtoDAsync_v2, (CudaAddress destination, gconstpointer source,     \
                            gsize bytes, gpointer stream))                     \
  X (cuMemcpyDtoHAsync_v2,                                                     \
     (gpointer destination, CudaAddress source, gsize bytes, gpointer stream)) \
  X (cuMemcpy2DAsync_v2, (const CudaCopy2D *copy, gpointer stream))            \
  X (cuMemsetD8Async,                                                          \
     (CudaAddress address, guchar value, gsize bytes, gpointer stream))        \
  X (cuStreamCreate, (gpointer * stream, guint flags))                         \
  X (cuStreamDestroy_v2, (gpointer stream))                                    \
  X (cuStreamSynchronize, (gpointer stream))                                   \
  X (cuStreamWaitEvent, (gpointer stream, gpointer event, guint flags))        \
  X (cuEventCreate, (gpointer * event, guint flags))                           \
  X (cuEventDestroy_v2, (gpointer event))                                      \
  X (cuEventRecord, (gpointer event, gpointer stream))                         \
  X (cuEventSynchronize, (gpointer event))                                     \
  X (cuLaunchKernelEx, (const CudaLaunchConfig *config, gpointer function,     \
                        gpointer *parameters, gpointer *extra))

typedef struct
{
#define ISOLUX_DRIVER_MEMBER(name, parameters) CudaResult (*name) parameters;
  ISOLUX_DRIVER_CALLS (ISOLUX_DRIVER_MEMBER)
#undef ISOLUX_DRIVER_MEMBER
} CudaDriver;

/* ---- The embedded kernels ------------------------------------------ */

/* Made by the build; size 0 and toolkit 0 where there was no nvcc.  toolkit
 * is major * 1000 + minor * 10, as drivers count. */
extern const guint8 isolux_cuda_image[];
extern const gsize  isolux_cuda_image_size;
extern const gint   isolux_cuda_image_toolkit;

#define ISOLUX_KERNELS(X)         \
  X (isolux_grayscale_u8)         \
  X (isolux_grayscale_u16)        \
  X (isolux_grayscale_f32)        \
  X (isolux_luma_vectors_u8)      \
  X (isolux_luma_vectors_u16)     \
  X (isolux_count_gray_u8)        \
  X (isolux_count_gray_u16_8)     \
  X (isolux_count_gray_u16_16)    \
  X (isolux_count_gray_u16_32)    \
  X (isolux_measure_gray_f32)     \
  X (isolux_count_gray_f32_8)     \
  X (isolux_count_gray_f32_16)    \
  X (isolux_sum_8)                \
  X (isolux_sum_16)               \
  X (isolux_sum_32)               \
  X (isolux_measure_f32)          \
  X (isolux_count_u8)             \
  X (isolux_count_u16)            \
  X (isolux_count_f32)            \
  X (isolux_equalize_terms)       \
  X (isolux_equalize_entries)     \
  X (isolux_apply_gray_u8)        \
  X (isolux_equalize_gray_u8)     \
  X (isolux_equalize_gray_any_u8) \
  X (isolux_apply_gray_u16)       \
  X (isolux_look_up_gray_u16)     \
  X (isolux_apply_u8)             \
  X (isolux_apply_u16)            \
  X (isolux_lbp_gray_u8)          \
  X (isolux_lbp_u8)               \
  X (isolux_lbp_u16)              \
  X (isolux_lbp_f32)              \
  X (isolux_lbp_count_u8)         \
  X (isolux_lbp_count_u16)        \
  X (isolux_lbp_count_f32)        \
  X (isolux_hog_gray_u8)          \
  X (isolux_hog_gray_9_u8)        \
  X (isolux_hog_gray_u16)         \
  X (isolux_hog_gray_f32)         \
  X (isolux_hog_cells_u8)         \
  X (isolux_hog_cells_u16)        \
  X (isolux_hog_cells_f32)        \
  X (isolux_hog_glyphs_measure)   \
  X (isolux_hog_glyphs_draw_u8)   \
  X (isolux_hog_measure)          \
  X (isolux_hog_draw)             \
  X (isolux_apply_f32)            \
  X (isolux_window_f32)           \
  X (isolux_leave_out_u8)         \
  X (isolux_leave_out_u16)        \
  X (isolux_leave_out_f32)        \
  X (isolux_metrics_u8)           \
  X (isolux_metrics_u16)          \
  X (isolux_metrics_f32)          \
  X (isolux_similarity_u8)        \
  X (isolux_similarity_u16)       \
  X (isolux_similarity_f32)       \
  X (isolux_contrast_measure_u8)  \
  X (isolux_contrast_measure_u16) \
  X (isolux_contrast_measure_f32) \
  X (isolux_contrast_draw_u8)     \
  X (isolux_contrast_draw_u16)    \
  X (isolux_contrast_draw_f32)    \
  X (isolux_clahe_measure_u16)    \
  X (isolux_clahe_measure_f32)    \
  X (isolux_clahe_shares)         \
  X (isolux_clahe_count_u8)       \
  X (isolux_clahe_count_u16)      \
  X (isolux_clahe_count_f32)      \
  X (isolux_clahe_table)          \
  X (isolux_clahe_apply_u8)       \
  X (isolux_clahe_apply_u16)      \
  X (isolux_clahe_apply_f32)      \
  X (isolux_clahe_gray_u8)        \
  X (isolux_clahe_range_u16)      \
  X (isolux_clahe_seen_u16)       \
  X (isolux_clahe_tiles_u8)       \
  X (isolux_clahe_tiles_u16)      \
  X (isolux_clahe_tiles_u16_8)    \
  X (isolux_clahe_map_u8)         \
  X (isolux_clahe_map_u16)        \
  X (isolux_clahe_map_u16_parts)  \
  X (isolux_reduce_u8)            \
  X (isolux_reduce_u16)           \
  X (isolux_reduce_f32)

typedef enum
{
#define ISOLUX_KERNEL_ENUM(name) KERNEL_##name,
  ISOLUX_KERNELS (ISOLUX_KERNEL_ENUM)
#undef ISOLUX_KERNEL_ENUM
    N_KERNELS
} CudaKernel;

/* ---- An open device ------------------------------------------------ */

#define ISOLUX_LANES 4

/* Words that kernels leave for the host. */
#define ISOLUX_MAIL_WORDS 16

/*
 * What a call takes for its length: a stream, device memory for its tables
 * and counts (scratch, ISOLUX_SCRATCH_BYTES), and pinned host memory (ring),
 * which grows when it has to and is kept.  memory: more device memory, of
 * calls whose tables do not fit into the scratch.  pending: work that uses
 * the scratch and the memory is still enqueued on a caller's stream, up to
 * the event done.  mail: pinned host memory that kernels write to.  turn: which
 * zeros are the next call's; used: bytes of each that may not be 0; unsure:
 * after a failure nobody knows what is.
 */
typedef struct
{
  gboolean    busy, made, pending;
  gpointer    stream;
  gpointer    done;
  CudaAddress scratch;
  guint32    *mail;
  gint        turn;
  gsize       used[2];
  gboolean    unsure;
  gpointer    memory; /* of the pool */
  gsize       memory_size;
  gpointer    ring;
  gsize       ring_size;
  gpointer   *events;
  gint        n_events;
} CudaLane;

struct _IsoluxCuda
{
  CudaDriver  driver;
  gint        ordinal, device;
  gchar       name[128];
  gint        capability, version;
  gsize       memory;
  gint        processors;   /* multiprocessors */
  gint        shared_limit; /* bytes of shared memory a block may have */
  gboolean    portable;     /* nothing that 9.0 added: ISOLUX_CUDA_PORTABLE */
  gsize       pitch_limit;
  gpointer    context;
  gpointer    module;
  gpointer    functions[N_KERNELS];
  IsoluxPool *pool;
  GMutex      mutex; /* of what follows */
  GCond       cond;
  CudaLane    lanes[ISOLUX_LANES];
  gint        lost; /* atomic: the context is beyond use */
  gchar       reason[256];
};

/* What a call that failed says to people; marks the device as lost when the
 * failure is one that stays. FALSE unless result is CUDA_SUCCESS. */
gboolean isolux_cuda_check (IsoluxCuda  *cuda,
                            CudaResult   result,
                            const gchar *call,
                            GError     **error);

/*
 * A call of the driver: name, arguments in parentheses.  FALSE and error on
 * failure.  Calls that give something back are made directly: nothing can
 * be done about their failure.
 */
#define CUDA_CALL(cuda, call, arguments, error)           \
  isolux_cuda_check ((cuda),                              \
                     isolux_fault_hit (ISOLUX_FAULT_CUDA) \
                       ? CUDA_ERROR_UNKNOWN               \
                       : (cuda)->driver.call arguments,   \
                     #call, (error))

/* Makes the context current in this thread, unless the device is lost. */
gboolean isolux_cuda_enter (IsoluxCuda *cuda, GError **error);
void     isolux_cuda_leave (IsoluxCuda *cuda);

/* ---- Calls --------------------------------------------------------- */

/*
 * A call at work: its lane, and the stream it is enqueued on, the lane's or
 * the caller's.  zeros: see isolux_call_zeros(); counts: where
 * isolux_call_count() left them; ring_used: bytes of the ring that
 * isolux_call_put() and _get() have given away.
 */
typedef struct
{
  IsoluxCuda *cuda;
  CudaLane   *lane;
  gpointer    stream;
  CudaAddress zeros;
  CudaAddress counts;
  gsize       ring_used;
} CudaCall;

/* A launch with one argument, a struct.  cluster: blocks that see each other's
 * shared memory, 0 for none; early: it may start while the kernel in front is
 * still at work, and waits for it itself. */
typedef struct
{
  CudaKernel kernel;
  guint      grid, block;
  guint      shared_bytes;
  guint      cluster;
  gboolean   early;
} CudaLaunch;

/* Enters, takes a lane (waits for one when all are taken) and orders the
 * call's stream behind earlier users of the lane's scratch.  Row callbacks
 * run while their call has a lane: they must not call the library. */
gboolean isolux_call_begin (CudaCall   *call,
                            IsoluxCuda *cuda,
                            gpointer    stream,
                            GError    **error);

/* Waits for all that was enqueued. */
gboolean isolux_call_wait (CudaCall *call, GError **error);

/*
 * Gives the lane back and leaves.  Waits for the stream unless success and
 * ! wait.  success: whether all went well so far; returns whether it did to
 * the end.  Nothing is in flight on the lane's own stream afterwards, also
 * after a failure.
 */
gboolean isolux_call_end (CudaCall *call,
                          gboolean  success,
                          gboolean  wait,
                          GError  **error);

/* At least bytes of the lane's pinned memory that nothing uses any more, or
 * NULL. */
gpointer isolux_call_ring (CudaCall *call, gsize bytes, GError **error);

/*
 * At least bytes of device memory, or 0.  It is the call's until its work is
 * done, on a caller's stream, too.  To be asked for once, before anything is
 * enqueued that uses it.
 */
CudaAddress isolux_call_memory (CudaCall *call, gsize bytes, GError **error);

/* Events of the lane, at least n, or NULL. */
gpointer *isolux_call_events (CudaCall *call, gint n, GError **error);

/* Waits until no caller's stream uses memory of the library's any more. */
void isolux_cuda_settle (IsoluxCuda *cuda);

gboolean isolux_call_launch (CudaCall  *call,
                             CudaKernel kernel,
                             guint      grid,
                             guint      block,
                             guint      shared_bytes,
                             gpointer   arguments,
                             GError   **error);

/* The same with what 9.0 added, which is left out where it is not there;
 * clusters then may not be asked for. */
gboolean isolux_call_launch_as (CudaCall         *call,
                                const CudaLaunch *launch,
                                gpointer          arguments,
                                GError          **error);

/*
 * Gives the call an IsoluxZeros (call->zeros) and counts of bytes behind it,
 * all 0.  To be asked for once; then the call's first kernel, which must not
 * start early, clears clear, which the next call wants.
 */
gboolean isolux_call_zeros (CudaCall    *call,
                            gsize        bytes,
                            IsoluxClear *clear,
                            GError     **error);

/* Copies bytes of host memory, which may be reused at once, to the lane's
 * scratch. */
gboolean isolux_call_put (CudaCall     *call,
                          gsize         offset,
                          gconstpointer host,
                          gsize         bytes,
                          GError      **error);

/* Enqueues a copy of device memory; returns where it will be when the stream
 * was waited for: the lane's memory, so to be looked at before
 * isolux_call_end().  What a call puts and gets must not be more than 2 MB. */
gconstpointer
isolux_call_get (CudaCall *call, CudaAddress from, gsize bytes, GError **error);

/* Counters of 32 bits that a block keeps in shared memory, as a power of two.
 * histogram.c */
gint isolux_cuda_range_shift (const IsoluxCuda *cuda);

/* Lets the counting kernels have the shared memory that they ask for. */
gboolean isolux_cuda_set_shared (IsoluxCuda *cuda, GError **error);

/* ---- Launching (launch.c) ------------------------------------------ */

/* The stream of a call on these surfaces; destination is nullable. */
gpointer isolux_cuda_stream (IsoluxSurface *source, IsoluxSurface *destination);

/* Whether a call need not wait: when all that it writes belongs to the
 * caller's stream. */
gboolean isolux_cuda_async (IsoluxSurface *source, IsoluxSurface *destination);

/* Cuts rows of items into tiles for blocks of so many threads. */
void
isolux_tiles_set (IsoluxTiles *tiles, gint64 items, gint64 rows, gint threads);

/* The same, tiles a warp wide: for kernels that look at what lies around. */
void isolux_tiles_set_blocks (IsoluxTiles *tiles,
                              gint64       items,
                              gint64       rows,
                              gint         threads);

/* Blocks for kernels that walk over the tiles. */
guint isolux_tiles_grid (const IsoluxTiles *tiles, const IsoluxCuda *cuda);

/* Vectors of 16 bytes that a row of so many bytes can touch. */
gint64 isolux_row_vectors (gsize row_bytes);

gsize isolux_pixel_size (const IsoluxPixels *pixels);

/* Whether row follows row without a gap. */
gboolean isolux_pixels_tight (const IsoluxPixels *pixels);

/* Makes one row of all. */
void isolux_pixels_flatten (IsoluxPixels *pixels);

/* Whether the gray kernels can take an image: one component, and not so many
 * pixels that their numbers leave 31 bits. */
gboolean isolux_pixels_gray (const IsoluxPixels *pixels);

/* Whether the rows of two images lie alike in their vectors of 16 bytes. */
gboolean isolux_pixels_alike (const IsoluxPixels *a, const IsoluxPixels *b);

/* How many blocks of so many threads, at most most, take the vectors of an
 * image; fills walk for them. */
guint isolux_walk_set (IsoluxWalk         *walk,
                       const IsoluxPixels *pixels,
                       guint               threads,
                       gint64              most);

/* Sets how many vectors further a thread's next one is. */
void isolux_walk_step (IsoluxWalk *walk, guint step);

/* ---- The operations (one file each) -------------------------------- */

gboolean isolux_cuda_grayscale (IsoluxSurface        *source,
                                IsoluxSurface        *destination,
                                const IsoluxGrayPlan *plan,
                                GError              **error);
gboolean isolux_cuda_count (IsoluxSurface         *surface,
                            const IsoluxCountPlan *plan,
                            IsoluxCounts          *counts,
                            GError               **error);
gboolean isolux_cuda_equalize (IsoluxSurface            *source,
                               IsoluxSurface            *destination,
                               const IsoluxEqualizePlan *plan,
                               gboolean                 *unchanged,
                               GError                  **error);
gboolean isolux_cuda_lut_apply (IsoluxSurface       *source,
                                IsoluxSurface       *destination,
                                const IsoluxLutPlan *plan,
                                GError             **error);
gboolean isolux_cuda_lbp (IsoluxSurface       *source,
                          IsoluxSurface       *destination,
                          const IsoluxLbpPlan *plan,
                          GError             **error);
gboolean isolux_cuda_lbp_histogram (IsoluxSurface       *source,
                                    const IsoluxLbpPlan *plan,
                                    guint64             *counts,
                                    GError             **error);
gboolean isolux_cuda_hog_cells (IsoluxSurface       *source,
                                const IsoluxHogPlan *plan,
                                gfloat              *cells,
                                GError             **error);
gboolean isolux_cuda_hog_picture (IsoluxSurface       *source,
                                  IsoluxSurface       *destination,
                                  const IsoluxHogPlan *plan,
                                  GError             **error);
gboolean isolux_cuda_clahe (IsoluxSurface         *source,
                            IsoluxSurface         *destination,
                            const IsoluxClahePlan *plan,
                            gboolean              *unchanged,
                            IsoluxClaheTables     *tables,
                            GError               **error);
gboolean isolux_cuda_window (IsoluxSurface          *source,
                             IsoluxSurface          *destination,
                             const IsoluxWindowPlan *plan,
                             GError                **error);
gboolean isolux_cuda_contrast_map (IsoluxSurface            *source,
                                   IsoluxSurface            *destination,
                                   const IsoluxContrastPlan *plan,
                                   GError                  **error);
gboolean isolux_cuda_metrics (IsoluxSurface           *first,
                              IsoluxSurface           *second,
                              const IsoluxMetricsPlan *plan,
                              gdouble                 *partial,
                              GError                 **error);
gboolean isolux_cuda_reduce (IsoluxSurface          *source,
                             IsoluxSurface          *destination,
                             const IsoluxReducePlan *plan,
                             GError                **error);

gboolean isolux_cuda_leave_out (IsoluxSurface            *source,
                                IsoluxSurface            *mask,
                                const IsoluxLeaveOutPlan *plan,
                                GError                  **error);

/*
 * Enqueues measuring (f32) and counting; the counts are then at call->counts,
 * ranges in call->zeros.  What it counts of gray codes: bins is set to how many
 * there are; fewer than the plan's where the significant bits are known, and
 * with mail the largest code that was cut down then comes to the lane's mail.
 * table: makes the table of an equalization with neither clip limit nor
 * threshold of gray u16 and f32, too.  histogram.c
 */
typedef struct
{
  gboolean one_range;
  gboolean mail;
  gboolean table;
  gboolean all_codes; /* also those beyond the significant bits */
  gint     bins;
  gboolean made; /* the table */
} CudaCounting;

gboolean isolux_call_count (CudaCall              *call,
                            const IsoluxPixels    *pixels,
                            const IsoluxCountPlan *plan,
                            CudaCounting          *counting,
                            GError               **error);

/* Enqueues a kernel for gray codes of images that lie alike, two vectors a
 * thread unless it has a table in shared memory.  lut.c */
gboolean isolux_call_apply_gray (CudaCall                 *call,
                                 CudaKernel                kernel,
                                 const IsoluxPixels       *source,
                                 const IsoluxPixels       *destination,
                                 IsoluxGrayApplyArguments *a,
                                 GError                  **error);

/* Enqueues the application of the tables in the scratch, bins entries apart;
 * bounded: no code is above the largest of call->zeros.  lut.c */
gboolean isolux_call_apply (CudaCall            *call,
                            const IsoluxPixels  *source,
                            const IsoluxPixels  *destination,
                            gboolean             luma,
                            const IsoluxWeights *weights,
                            gint                 bins,
                            gboolean             bounded,
                            GError             **error);

/* Whether the gray kernels can do all of it; enqueues that.  clahe-gray.c */
gboolean
isolux_clahe_is_gray (const CudaCall *call, const IsoluxClaheArguments *a);
gboolean isolux_call_clahe_gray (CudaCall             *call,
                                 IsoluxClaheArguments *a,
                                 GError              **error);

/* Enqueues a whole equalization; mail: the lane's gets whether the table of
 * each channel is the identity.  equalize.c */
gboolean isolux_call_equalize (CudaCall                 *call,
                               const IsoluxPixels       *source,
                               const IsoluxPixels       *destination,
                               const IsoluxEqualizePlan *plan,
                               gboolean                  mail,
                               GError                  **error);

G_END_DECLS

#endif /* ISOLUX_DRIVER_H */
