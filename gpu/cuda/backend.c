/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CUDA as a backend.
 *
 * Streams: a call on surfaces without a stream of the caller's works on its
 * lane's stream and is done when it returns.  When all surfaces of an
 * operation carry the caller's stream, it is enqueued there and, unless a
 * value returns to the host, not waited for.  The lane's scratch is then in
 * use for longer than the call: an event marks its end, the lane's next call
 * waits for it on the device, and isolux_cuda_settle() lets no mask be given
 * back before.
 */
#include "driver.h"

#include <string.h>

/* Rows move in chunks of this many bytes, two a thread under way.  A copy costs
 * some microseconds of the driver, of one thread at a time. */
#define CHUNK_BYTES ((gsize) 1 << 20)

/* Smaller chunks cost more in calls than they gain in threads. */
#define SMALLEST_CHUNK_BYTES ((gsize) 64 << 10)

/* Pinned memory of a call, when rows are so long that chunks are large. */
#define LARGEST_RING_BYTES ((gsize) 256 << 20)

#define SLOTS 2

/* More do not fill a bus any better, but pin more memory. */
#define MOST_THREADS 32

/* ---- Memory -------------------------------------------------------- */

static gboolean
alloc (IsoluxDevice *device, gsize size, gpointer *memory, GError **error)
{
  IsoluxCuda *cuda = isolux_device_get_cuda (device);
  gboolean    success;

  if (! isolux_cuda_enter (cuda, error))
    return FALSE;
  success = isolux_pool_take (cuda->pool, size, memory, error);
  isolux_cuda_leave (cuda);
  return success;
}

static void
release (IsoluxDevice *device, gpointer memory, gsize size)
{
  IsoluxCuda    *cuda = isolux_device_get_cuda (device);
  const gboolean entered = cuda->driver.cuCtxPushCurrent_v2 (cuda->context) ==
                           CUDA_SUCCESS;

  isolux_cuda_settle (cuda);
  isolux_pool_give (cuda->pool, memory);
  if (entered)
    isolux_cuda_leave (cuda);
}

/* ---- Moving rows --------------------------------------------------- */

/* Rows on their way between a callback and device memory. */
typedef struct
{
  CudaCall       call;
  gboolean       up; /* to the device */
  CudaAddress    memory;
  gsize          stride;
  gsize          row_bytes;
  gint64         rows;
  IsoluxRowsFunc function;
  gpointer       user_data;

  gint64    chunk_rows, chunks;
  gsize     slot_stride, slot_bytes;
  guint8   *ring;
  gpointer *events;

  gint64  next;   /* the next chunk, counted up atomically */
  gint    shares; /* threads that have slots, likewise */
  gint    failed; /* atomic */
  GError *error;  /* the first one, critical */
} Move;

static void
fail (Move *move, GError *error)
{
#pragma omp critical(isolux_move)
  {
    if (move->error)
      g_error_free (error);
    else
      move->error = error;
  }
  g_atomic_int_set (&move->failed, TRUE);
}

/* The next chunk that nobody has, or -1. */
static gint64
next_chunk (Move *move)
{
  gint64 chunk;

  if (g_atomic_int_get (&move->failed))
    return -1;
#pragma omp atomic capture
  chunk = move->next++;
  return chunk < move->chunks ? chunk : -1;
}

static gint64
rows_of_chunk (const Move *move, gint64 chunk)
{
  return MIN (move->chunk_rows, move->rows - chunk * move->chunk_rows);
}

/* Enqueues a copy of bytes that lie in a row. */
static gboolean
copy_line (Move       *move,
           CudaAddress device,
           guint8     *host,
           gsize       bytes,
           GError    **error)
{
  IsoluxCuda *cuda = move->call.cuda;
  gpointer    stream = move->call.stream;

  if (move->up)
    return CUDA_CALL (cuda, cuMemcpyHtoDAsync_v2, (device, host, bytes, stream),
                      error);
  return CUDA_CALL (cuda, cuMemcpyDtoHAsync_v2, (host, device, bytes, stream),
                    error);
}

/* Enqueues the copy of a chunk and marks its end by the slot's event. */
static gboolean
copy_chunk (Move *move, gint64 chunk, gint slot, GError **error)
{
  IsoluxCuda       *cuda = move->call.cuda;
  const gint64      rows = rows_of_chunk (move, chunk);
  guint8           *host = move->ring + (gsize) slot * move->slot_bytes;
  const CudaAddress device = move->memory +
                             (gsize) (chunk * move->chunk_rows) * move->stride;
  gint64 y;

  if (rows == 1 ||
      (move->stride == move->row_bytes && move->slot_stride == move->row_bytes))
    {
      if (! copy_line (move, device, host, (gsize) rows * move->row_bytes,
                       error))
        return FALSE;
    }
  else if (MAX (move->stride, move->slot_stride) <= cuda->pitch_limit)
    {
      CudaCopy2D   copy = { 0 };
      CudaCopySide there = { 0 }, here = { 0 };

      there.memory_type = CUDA_MEMORY_DEVICE;
      there.device = device;
      there.pitch = move->stride;
      here.memory_type = CUDA_MEMORY_HOST;
      here.host = host;
      here.pitch = move->slot_stride;
      copy.source = move->up ? here : there;
      copy.destination = move->up ? there : here;
      copy.width_bytes = move->row_bytes;
      copy.height = (gsize) rows;
      if (! CUDA_CALL (cuda, cuMemcpy2DAsync_v2, (&copy, move->call.stream),
                       error))
        return FALSE;
    }
  else
    for (y = 0; y < rows; y++)
      if (! copy_line (move, device + (gsize) y * move->stride,
                       host + (gsize) y * move->slot_stride, move->row_bytes,
                       error))
        return FALSE;
  return CUDA_CALL (cuda, cuEventRecord,
                    (move->events[slot], move->call.stream), error);
}

static gboolean
call_back (Move *move, gint64 chunk, gint slot, GError **error)
{
  if (move->function (chunk * move->chunk_rows, rows_of_chunk (move, chunk),
                      move->ring + (gsize) slot * move->slot_bytes,
                      move->slot_stride, move->user_data))
    return TRUE;
  g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_ROWS,
                       _("The rows of the image could not be moved."));
  return FALSE;
}

static gboolean
wait_for_slot (Move *move, gint slot, GError **error)
{
  return CUDA_CALL (move->call.cuda, cuEventSynchronize, (move->events[slot]),
                    error);
}

/* One thread's share: fill a slot while the other is copied. */
static gboolean
move_up (Move *move, gint first_slot, GError **error)
{
  gboolean used[SLOTS] = { FALSE };
  gint64   chunk;
  gint     k = 0;

  while ((chunk = next_chunk (move)) >= 0)
    {
      const gint slot = first_slot + k;

      if ((used[k] && ! wait_for_slot (move, slot, error)) ||
          ! call_back (move, chunk, slot, error) ||
          ! copy_chunk (move, chunk, slot, error))
        return FALSE;
      used[k] = TRUE;
      k = (k + 1) % SLOTS;
    }
  return TRUE;
}

/* The copy into a slot runs while the other is emptied. */
static gboolean
move_down (Move *move, gint first_slot, GError **error)
{
  gint64 chunk = next_chunk (move), following;
  gint   k = 0;

  if (chunk >= 0 && ! copy_chunk (move, chunk, first_slot, error))
    return FALSE;
  while (chunk >= 0)
    {
      const gint slot = first_slot + k;

      k = (k + 1) % SLOTS;
      following = next_chunk (move);
      if ((following >= 0 &&
           ! copy_chunk (move, following, first_slot + k, error)) ||
          ! wait_for_slot (move, slot, error) ||
          ! call_back (move, chunk, slot, error))
        return FALSE;
      chunk = following;
    }
  return TRUE;
}

static void
move_share (Move *move)
{
  IsoluxCuda *cuda = move->call.cuda;
  const gint  first_slot = g_atomic_int_add (&move->shares, 1) * SLOTS;
  GError     *error = NULL;
  gboolean    success;

  if (! isolux_cuda_enter (cuda, &error))
    {
      fail (move, error);
      return;
    }
  success = move->up ? move_up (move, first_slot, &error)
                     : move_down (move, first_slot, &error);
  isolux_cuda_leave (cuda);
  if (! success)
    fail (move, error);
}

/* Chooses chunks; returns how many threads move them. */
static gint
plan_chunks (Move *move, gint threads)
{
  const gsize row = move->row_bytes;
  gint64      wanted;
  gsize       fitting;

  /* rows without gaps on both sides are one copy */
  move->slot_stride = move->stride == row ? row : (row + 63) & ~(gsize) 63;
  fitting = CHUNK_BYTES / move->slot_stride;
  wanted = (move->rows + threads * SLOTS - 1) / (threads * SLOTS);
  wanted = MAX (wanted, (gint64) (SMALLEST_CHUNK_BYTES / move->slot_stride));
  move->chunk_rows = CLAMP (wanted, 1, MAX ((gint64) fitting, 1));
  move->chunk_rows = MIN (move->chunk_rows, move->rows);
  move->chunks = (move->rows + move->chunk_rows - 1) / move->chunk_rows;
  move->slot_bytes = ((gsize) move->chunk_rows * move->slot_stride + 255) &
                     ~(gsize) 255;
  threads = (gint) MIN ((gint64) threads, move->chunks);
  while (threads > 1 &&
         (gsize) threads * SLOTS * move->slot_bytes > LARGEST_RING_BYTES)
    threads--;
  return threads;
}

/*
 * Moves all rows through the callback.  However it ends, nothing is in
 * flight to or from the ring afterwards.
 */
static gboolean
move_rows (Move *move, IsoluxDevice *device, gpointer stream, GError **error)
{
  const gint threads =
    plan_chunks (move, MIN (isolux_device_get_threads (device), MOST_THREADS));
  gboolean success;

  if (! isolux_call_begin (&move->call, isolux_device_get_cuda (device), stream,
                           error))
    return FALSE;
  move->ring = isolux_call_ring (&move->call,
                                 (gsize) threads * SLOTS * move->slot_bytes,
                                 error);
  move->events = move->ring
                   ? isolux_call_events (&move->call, threads * SLOTS, error)
                   : NULL;
  success = move->events != NULL;
  if (success)
    {
#pragma omp parallel num_threads(threads) if (threads > 1)
      move_share (move);
      success = move->error == NULL;
      if (! success)
        g_propagate_error (error, move->error);
    }
  return isolux_call_end (&move->call, success, TRUE, error);
}

/* ---- Rows of callers ----------------------------------------------- */

static gboolean
move_surface (IsoluxSurface *surface,
              gboolean       up,
              IsoluxRowsFunc function,
              gpointer       user_data,
              GError       **error)
{
  Move move = { .up = up, .function = function, .user_data = user_data };

  move.memory = (CudaAddress) surface->pixels.data;
  move.stride = surface->pixels.stride;
  move.row_bytes = isolux_image_row_bytes (&surface->image);
  move.rows = surface->image.height;
  return move_rows (&move, surface->device, surface->stream, error);
}

static gboolean
write_rows (IsoluxSurface *surface,
            IsoluxRowsFunc read,
            gpointer       user_data,
            GError       **error)
{
  return move_surface (surface, TRUE, read, user_data, error);
}

static gboolean
read_rows (IsoluxSurface *surface,
           IsoluxRowsFunc write,
           gpointer       user_data,
           GError       **error)
{
  return move_surface (surface, FALSE, write, user_data, error);
}

/* ---- Rows in host memory ------------------------------------------- */

typedef struct
{
  guint8 *data;
  gsize   stride;
  gsize   row_bytes;
} HostRows;

static void
copy_rows (guint8       *to,
           gsize         to_stride,
           const guint8 *from,
           gsize         from_stride,
           gsize         row_bytes,
           gint64        rows)
{
  gint64 y;

  if (to_stride == row_bytes && from_stride == row_bytes)
    memcpy (to, from, row_bytes * (gsize) rows);
  else
    for (y = 0; y < rows; y++)
      memcpy (to + (gsize) y * to_stride, from + (gsize) y * from_stride,
              row_bytes);
}

static gboolean
rows_from_host (gint64   y,
                gint64   rows,
                gpointer data,
                gsize    stride,
                gpointer user_data)
{
  const HostRows *host = user_data;

  copy_rows (data, stride, host->data + (gsize) y * host->stride, host->stride,
             host->row_bytes, rows);
  return TRUE;
}

static gboolean
rows_to_host (gint64   y,
              gint64   rows,
              gpointer data,
              gsize    stride,
              gpointer user_data)
{
  const HostRows *host = user_data;

  copy_rows (host->data + (gsize) y * host->stride, host->stride, data, stride,
             host->row_bytes, rows);
  return TRUE;
}

static gboolean
write (IsoluxDevice *device,
       gpointer      memory,
       gsize         stride,
       gconstpointer host,
       gsize         host_stride,
       gsize         row_bytes,
       gint64        rows,
       gpointer      stream,
       GError      **error)
{
  HostRows from = { (guint8 *) host, host_stride, row_bytes };
  Move     move = { .up = TRUE, .function = rows_from_host };

  move.user_data = &from;
  move.memory = (CudaAddress) memory;
  move.stride = stride;
  move.row_bytes = row_bytes;
  move.rows = rows;
  return move_rows (&move, device, stream, error);
}

static gboolean
read (IsoluxDevice *device,
      gpointer      host,
      gsize         host_stride,
      gconstpointer memory,
      gsize         stride,
      gsize         row_bytes,
      gint64        rows,
      gpointer      stream,
      GError      **error)
{
  HostRows to = { host, host_stride, row_bytes };
  Move     move = { .up = FALSE, .function = rows_to_host };

  move.user_data = &to;
  move.memory = (CudaAddress) memory;
  move.stride = stride;
  move.row_bytes = row_bytes;
  move.rows = rows;
  return move_rows (&move, device, stream, error);
}

const IsoluxBackend isolux_backend_cuda = {
  .kind = ISOLUX_BACKEND_CUDA,
  .name = "CUDA",
  .alloc = alloc,
  .release = release,
  .write = write,
  .read = read,
  .write_rows = write_rows,
  .read_rows = read_rows,
  .grayscale = isolux_cuda_grayscale,
  .count = isolux_cuda_count,
  .equalize = isolux_cuda_equalize,
  .lut_apply = isolux_cuda_lut_apply,
  .lbp = isolux_cuda_lbp,
  .lbp_histogram = isolux_cuda_lbp_histogram,
  .hog_cells = isolux_cuda_hog_cells,
  .hog_picture = isolux_cuda_hog_picture,
  .clahe = isolux_cuda_clahe,
  .window = isolux_cuda_window,
  .contrast_map = isolux_cuda_contrast_map,
  .metrics = isolux_cuda_metrics,
  .leave_out = isolux_cuda_leave_out,
  .reduce = isolux_cuda_reduce,
};
