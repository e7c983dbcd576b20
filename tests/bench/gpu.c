/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time on the GPU alone.  Calls of the library on buffers that lie well
 * apart (more than any cache holds) are captured as one graph, which is then
 * replayed: what remains is the device's own time, without the host's.
 *
 * While a graph is captured, the library's table of driver calls leads here:
 * all launches and copies go to the captured stream, waiting is left out
 * (nothing runs yet), and so is what returns to the host.  A driver call
 * that the library newly uses, and that takes a stream, has to be led here,
 * too; the number of nodes in the table shows when something is missing.
 */
#include "bench.h"
#include "cuda/driver.h"

#include <gmodule.h>
#include <math.h>
#include <string.h>

/* Source and result of all calls of a graph; caches hold 50 MB. */
#define POOL_BYTES ((gsize) 400 << 20)
#define MOST_SLOTS 128
#define LEAST_SLOTS 2

#define CAPTURE_RELAXED 2

/* The library uses lanes in turn: each has been made then. */
#define WARM_CALLS (ISOLUX_LANES + 1)

#define READ_BLOCK 512

/* Calls that the library does without. */
#define MORE_CALLS(X)                                                    \
  X (cuEventElapsedTime, (gfloat * ms, gpointer start, gpointer end))    \
  X (cuMemcpyDtoDAsync_v2, (CudaAddress destination, CudaAddress source, \
                            gsize bytes, gpointer stream))               \
  X (cuStreamBeginCapture_v2, (gpointer stream, gint mode))              \
  X (cuStreamEndCapture, (gpointer stream, gpointer * graph))            \
  X (cuGraphInstantiateWithFlags,                                        \
     (gpointer * executable, gpointer graph, guint64 flags))             \
  X (cuGraphGetNodes, (gpointer graph, gpointer * nodes, gsize * n))     \
  X (cuGraphLaunch, (gpointer executable, gpointer stream))              \
  X (cuGraphExecDestroy, (gpointer executable))                          \
  X (cuGraphDestroy, (gpointer graph))

/* Of isolux-bench-cub.so, see cub.cu. */
typedef int (*CubHistogram) (CudaAddress pixels,
                             gint        bytes,
                             gint        width,
                             gint        height,
                             gsize       stride,
                             CudaAddress counts,
                             CudaAddress temporary,
                             gsize      *room,
                             gpointer    stream);

struct _Gpu
{
  IsoluxDevice *device;
  IsoluxCuda   *cuda;
  CudaDriver    driver; /* as the library has it */
#define DEFINE_MEMBER(name, parameters) CudaResult (*name) parameters;
  MORE_CALLS (DEFINE_MEMBER)
#undef DEFINE_MEMBER
  GModule     *library;
  gpointer     stream, start, end;
  gpointer     module, read; /* NULL without nvcc */
  GModule     *cub;          /* nullable */
  CubHistogram cub_histogram;
};

/* The one that captures; there is one thread. */
static Gpu *capturing;

static gboolean
fail (CudaResult result, const gchar *what, GError **error)
{
  g_set_error (error, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE, "%s: error %d of CUDA",
               what, result);
  return FALSE;
}

#define MUST(call, error)                    \
  G_STMT_START                               \
  {                                          \
    const CudaResult result_ = (call);       \
                                             \
    if (result_ != CUDA_SUCCESS)             \
      return fail (result_, #call, (error)); \
  }                                          \
  G_STMT_END

/* ---- Opening ------------------------------------------------------------ */

/* A file beside this program. */
static gchar *
path_beside (const gchar *name)
{
  gchar *program = g_file_read_link ("/proc/self/exe", NULL);
  gchar *folder = program ? g_path_get_dirname (program) : NULL;
  gchar *path = folder ? g_build_filename (folder, name, NULL) : NULL;

  g_free (folder);
  g_free (program);
  return path;
}

/* CUB's histograms, where they were built. */
static void
load_cub (Gpu *gpu)
{
  gchar *path = path_beside ("isolux-bench-cub.so");

  gpu->cub = path ? g_module_open (path, G_MODULE_BIND_LOCAL) : NULL;
  if (gpu->cub && ! g_module_symbol (gpu->cub, "isolux_cub_histogram",
                                     (gpointer *) &gpu->cub_histogram))
    gpu->cub_histogram = NULL;
  g_free (path);
}

/* The kernel that reads. */
static void
load_read (Gpu *gpu)
{
  gchar *path = path_beside ("isolux-read.fatbin");
  gchar *image = NULL;

  if (path && g_file_get_contents (path, &image, NULL, NULL) &&
      gpu->driver.cuModuleLoadData (&gpu->module, image) == CUDA_SUCCESS &&
      gpu->driver.cuModuleGetFunction (&gpu->read, gpu->module,
                                       "isolux_read") != CUDA_SUCCESS)
    gpu->read = NULL;
  g_free (image);
  g_free (path);
}

static gboolean
open_all (Gpu *gpu, GError **error)
{
  const CudaDriver *driver = &gpu->driver;

#define LOAD(name, parameters)                                          \
  if (! gpu->library ||                                                 \
      ! g_module_symbol (gpu->library, #name, (gpointer *) &gpu->name)) \
    return fail (0, "the driver has no " #name, error);
  MORE_CALLS (LOAD)
#undef LOAD
  MUST (driver->cuCtxPushCurrent_v2 (gpu->cuda->context), error);
  MUST (driver->cuStreamCreate (&gpu->stream, CUDA_STREAM_NON_BLOCKING), error);
  MUST (driver->cuEventCreate (&gpu->start, 0), error);
  MUST (driver->cuEventCreate (&gpu->end, 0), error);
  load_read (gpu);
  load_cub (gpu);
  return TRUE;
}

Gpu *
gpu_open (IsoluxDevice *device, GError **error)
{
  Gpu *gpu = g_new0 (Gpu, 1);

  gpu->device = device;
  gpu->cuda = isolux_device_get_cuda (device);
  gpu->driver = gpu->cuda->driver;
  gpu->library = g_module_open ("libcuda.so.1", 0);
  if (! open_all (gpu, error))
    {
      g_free (gpu);
      return NULL;
    }
  return gpu;
}

void
gpu_close (Gpu *gpu)
{
  if (! gpu)
    return;
  if (gpu->module)
    gpu->driver.cuModuleUnload (gpu->module);
  gpu->driver.cuEventDestroy_v2 (gpu->start);
  gpu->driver.cuEventDestroy_v2 (gpu->end);
  gpu->driver.cuStreamDestroy_v2 (gpu->stream);
  isolux_cuda_leave (gpu->cuda);
  g_module_close (gpu->library);
  if (gpu->cub)
    g_module_close (gpu->cub);
  g_free (gpu);
}

/* ---- Capturing ---------------------------------------------------------- */

static CudaResult
hook_launch (const CudaLaunchConfig *config,
             gpointer                function,
             gpointer               *parameters,
             gpointer               *extra)
{
  CudaLaunchConfig captured = *config;

  captured.stream = capturing->stream;
  return capturing->driver.cuLaunchKernelEx (&captured, function, parameters,
                                             extra);
}

static CudaResult
hook_set (CudaAddress address, guchar value, gsize bytes, gpointer stream)
{
  return capturing->driver.cuMemsetD8Async (address, value, bytes,
                                            capturing->stream);
}

static CudaResult
hook_up (CudaAddress   destination,
         gconstpointer source,
         gsize         bytes,
         gpointer      stream)
{
  return capturing->driver.cuMemcpyHtoDAsync_v2 (destination, source, bytes,
                                                 capturing->stream);
}

static CudaResult
hook_down (gpointer destination, CudaAddress source, gsize bytes, gpointer s)
{
  return CUDA_SUCCESS;
}

static CudaResult
hook_copy (const CudaCopy2D *copy, gpointer stream)
{
  if (copy->destination.memory_type == CUDA_MEMORY_HOST)
    return CUDA_SUCCESS;
  return capturing->driver.cuMemcpy2DAsync_v2 (copy, capturing->stream);
}

static CudaResult
hook_wait (gpointer handle)
{
  return CUDA_SUCCESS;
}

static CudaResult
hook_record (gpointer event, gpointer stream)
{
  return CUDA_SUCCESS;
}

static CudaResult
hook_order (gpointer stream, gpointer event, guint flags)
{
  return CUDA_SUCCESS;
}

static void
set_hooks (Gpu *gpu)
{
  CudaDriver *driver = &gpu->cuda->driver;

  capturing = gpu;
  driver->cuLaunchKernelEx = hook_launch;
  driver->cuMemsetD8Async = hook_set;
  driver->cuMemcpyHtoDAsync_v2 = hook_up;
  driver->cuMemcpyDtoHAsync_v2 = hook_down;
  driver->cuMemcpy2DAsync_v2 = hook_copy;
  driver->cuStreamSynchronize = hook_wait;
  driver->cuEventSynchronize = hook_wait;
  driver->cuEventRecord = hook_record;
  driver->cuStreamWaitEvent = hook_order;
}

static void
remove_hooks (Gpu *gpu)
{
  gpu->cuda->driver = gpu->driver;
  capturing = NULL;
}

/* What is enqueued for one slot. */
typedef gboolean (*EnqueueFunc) (Gpu     *gpu,
                                 gpointer data,
                                 gint     slot,
                                 GError **error);

static gboolean
replay (Gpu *gpu, gpointer executable, gint slots, Times *times, GError **error)
{
  const CudaDriver *driver = &gpu->driver;
  gdouble          *values = g_new (gdouble, patience.most);
  CudaResult        result = CUDA_SUCCESS;
  gdouble           begin = now_ms ();
  gint              n;

  for (n = -3; result == CUDA_SUCCESS && (n < 1 || ! enough (n, begin)); n++)
    {
      gfloat ms = NAN;

      result = driver->cuEventRecord (gpu->start, gpu->stream);
      if (result == CUDA_SUCCESS)
        result = gpu->cuGraphLaunch (executable, gpu->stream);
      if (result == CUDA_SUCCESS)
        result = driver->cuEventRecord (gpu->end, gpu->stream);
      if (result == CUDA_SUCCESS)
        result = driver->cuEventSynchronize (gpu->end);
      if (result == CUDA_SUCCESS)
        result = gpu->cuEventElapsedTime (&ms, gpu->start, gpu->end);
      if (n >= 0)
        values[n] = (gdouble) ms / slots;
    }
  if (result == CUDA_SUCCESS)
    times_of (times, values, n);
  g_free (values);
  return result == CUDA_SUCCESS || fail (result, "replaying a graph", error);
}

/* nodes: of one slot. */
static gboolean
time_graph (Gpu        *gpu,
            EnqueueFunc enqueue,
            gpointer    data,
            gint        slots,
            Times      *times,
            guint      *nodes,
            GError    **error)
{
  gpointer graph = NULL, executable = NULL;
  gsize    n = 0;
  gboolean success = TRUE;

  MUST (gpu->cuStreamBeginCapture_v2 (gpu->stream, CAPTURE_RELAXED), error);
  set_hooks (gpu);
  for (gint i = 0; success && i < slots; i++)
    success = enqueue (gpu, data, i, error);
  remove_hooks (gpu);
  if (gpu->cuStreamEndCapture (gpu->stream, &graph) != CUDA_SUCCESS || ! graph)
    return success && fail (0, "the capture failed", error);
  if (success)
    {
      gpu->cuGraphGetNodes (graph, NULL, &n);
      if (nodes)
        *nodes = (guint) (n / (gsize) slots);
      success = n > 0 && gpu->cuGraphInstantiateWithFlags (&executable, graph,
                                                           0) == CUDA_SUCCESS;
      if (! success)
        fail (0, "the graph is empty or cannot run", error);
    }
  success = success && replay (gpu, executable, slots, times, error);
  if (executable)
    gpu->cuGraphExecDestroy (executable);
  gpu->cuGraphDestroy (graph);
  return success;
}

/* ---- Operations --------------------------------------------------------- */

typedef struct
{
  const Case *c;
  Surfaces   *slots;
} Calls;

static gboolean
enqueue_call (Gpu *gpu, gpointer data, gint slot, GError **error)
{
  Calls *calls = data;

  return surfaces_run (&calls->slots[slot], calls->c, NULL, NULL, error);
}

static gint
slots_for (gsize bytes)
{
  return (gint) CLAMP (POOL_BYTES / MAX (bytes, 1), LEAST_SLOTS, MOST_SLOTS);
}

gboolean
gpu_time (Gpu        *gpu,
          const Case *c,
          Times      *times,
          guint      *launches,
          GError    **error)
{
  const IsoluxImage source = case_source_image (c);
  const IsoluxImage result = case_result_image (c);
  const gint n = slots_for (image_bytes (&source) + image_bytes (&result));
  Calls      calls = { c, g_new0 (Surfaces, n) };
  gboolean   success = TRUE;

  for (gint i = 0; success && i < n; i++)
    success =
      surfaces_init (&calls.slots[i], gpu->device, c, gpu->stream, error);
  for (gint i = 0; success && i < WARM_CALLS; i++)
    success = surfaces_run (&calls.slots[0], c, NULL, NULL, error) &&
              gpu->driver.cuStreamSynchronize (gpu->stream) == CUDA_SUCCESS;
  success = success &&
            time_graph (gpu, enqueue_call, &calls, n, times, launches, error);
  gpu->driver.cuStreamSynchronize (gpu->stream);
  for (gint i = 0; i < n; i++)
    surfaces_clear (&calls.slots[i]);
  g_free (calls.slots);
  return success;
}

/* ---- CUB ---------------------------------------------------------------- */

typedef struct
{
  const IsoluxImage *image;
  Surfaces          *slots;
  CudaAddress        counts, temporary;
  gsize              room;
} CubCalls;

static gboolean
enqueue_cub (Gpu *gpu, gpointer data, gint slot, GError **error)
{
  CubCalls           *calls = data;
  const IsoluxPixels *pixels = &calls->slots[slot].source->pixels;

  MUST ((CudaResult)
          gpu->cub_histogram ((CudaAddress) pixels->data,
                              (gint) isolux_type_size (calls->image->type),
                              (gint) calls->image->width,
                              (gint) calls->image->height,
                              (gsize) pixels->stride, calls->counts,
                              calls->temporary, &calls->room, gpu->stream),
        error);
  return TRUE;
}

gboolean
gpu_peer_time (Gpu          *gpu,
               const Case   *c,
               Times        *times,
               const gchar **name,
               GError      **error)
{
  const IsoluxImage source = case_source_image (c);
  const gint        n = slots_for (image_bytes (&source));
  CubCalls          calls = { &source, NULL, 0, 0, 0 };
  gboolean          success = TRUE;

  *name = NULL;
  if (! gpu->cub_histogram || strcmp (c->operation->name, "histogram") != 0 ||
      source.components != 1 || source.type == ISOLUX_TYPE_F32 ||
      c->layout != LAYOUT_PLAIN)
    return TRUE;
  calls.slots = g_new0 (Surfaces, n);
  for (gint i = 0; success && i < n; i++)
    success =
      surfaces_init (&calls.slots[i], gpu->device, c, gpu->stream, error);
  MUST (gpu->driver.cuMemAlloc_v2 (&calls.counts, 65536 * sizeof (guint32)),
        error);
  /* how much it needs, then as much */
  success = success && enqueue_cub (gpu, &calls, 0, error);
  MUST (gpu->driver.cuMemAlloc_v2 (&calls.temporary, MAX (calls.room, 1)),
        error);
  success = success && enqueue_cub (gpu, &calls, 0, error) &&
            gpu->driver.cuStreamSynchronize (gpu->stream) == CUDA_SUCCESS &&
            time_graph (gpu, enqueue_cub, &calls, n, times, NULL, error);
  gpu->driver.cuStreamSynchronize (gpu->stream);
  gpu->driver.cuMemFree_v2 (calls.temporary);
  gpu->driver.cuMemFree_v2 (calls.counts);
  for (gint i = 0; i < n; i++)
    surfaces_clear (&calls.slots[i]);
  g_free (calls.slots);
  if (success)
    *name = "CUB";
  return success;
}

/* ---- The floor ---------------------------------------------------------- */

typedef struct
{
  CudaAddress memory; /* sources, then what is written */
  gsize       reads, writes, each;
} Moves;

static gboolean
enqueue_copy (Gpu *gpu, gpointer data, gint slot, GError **error)
{
  const Moves      *moves = data;
  const CudaAddress from = moves->memory + (gsize) slot * moves->each;

  const CudaAddress to = from + (moves->reads + 255) / 256 * 256;

  MUST (gpu->cuMemcpyDtoDAsync_v2 (to, from, moves->writes, gpu->stream),
        error);
  return TRUE;
}

static gboolean
enqueue_read (Gpu *gpu, gpointer data, gint slot, GError **error)
{
  const Moves *moves = data;
  CudaAddress  from = moves->memory + (gsize) slot * moves->each;
  guint64      vectors = (moves->reads - moves->writes) / 16;
  CudaAddress  sum = moves->memory;
  gpointer     parameters[] = { &from, &vectors, &sum };

  const CudaLaunchConfig config = { (guint) gpu->cuda->processors * 4,
                                    1,
                                    1,
                                    READ_BLOCK,
                                    1,
                                    1,
                                    0,
                                    gpu->stream,
                                    NULL,
                                    0 };

  MUST (gpu->driver.cuLaunchKernelEx (&config, gpu->read, parameters, NULL),
        error);
  return TRUE;
}

gboolean
gpu_floor (Gpu *gpu, gsize reads, gsize writes, gdouble *ms, GError **error)
{
  static gsize   last_reads, last_writes;
  static gdouble last;
  Moves          moves = { 0, reads, MIN (reads, writes), 0 };
  Times          copy = { 0 }, read = { 0 };
  gint           slots;
  gboolean       success = TRUE;

  *ms = last;
  if (reads == last_reads && writes == last_writes)
    return TRUE;
  *ms = NAN;
  if (reads > writes && ! gpu->read)
    return TRUE;
  moves.each = (reads + writes + 511) / 256 * 256;
  slots = slots_for (moves.each);
  MUST (gpu->driver.cuMemAlloc_v2 (&moves.memory, moves.each * (gsize) slots),
        error);
  gpu->driver.cuMemsetD8Async (moves.memory, 1, moves.each * (gsize) slots,
                               gpu->stream);
  gpu->driver.cuStreamSynchronize (gpu->stream);
  if (moves.writes)
    success = time_graph (gpu, enqueue_copy, &moves, slots, &copy, NULL, error);
  if (success && reads > writes)
    success = time_graph (gpu, enqueue_read, &moves, slots, &read, NULL, error);
  gpu->driver.cuMemFree_v2 (moves.memory);
  if (success)
    {
      *ms = last = copy.median + read.median;
      last_reads = reads;
      last_writes = writes;
    }
  return success;
}
