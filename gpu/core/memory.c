/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "internal.h"

#ifdef __linux__
#include <sys/mman.h>
#endif

/* Below this, memory is likely used already. */
#define LARGE_BYTES ((gsize) 4 << 20)

void
isolux_advise_large (gpointer memory, gsize bytes)
{
#ifdef MADV_HUGEPAGE
  const gsize begin = ((gsize) memory + ISOLUX_LARGE_PAGE - 1) &
                      ~(ISOLUX_LARGE_PAGE - 1);
  const gsize end = ((gsize) memory + bytes) & ~(ISOLUX_LARGE_PAGE - 1);

  if (bytes >= LARGE_BYTES && begin < end)
    madvise ((gpointer) begin, end - begin, MADV_HUGEPAGE);
#endif
}

gpointer
isolux_try_alloc (gsize count, gsize size, GError **error)
{
  gpointer memory = NULL;
  gsize    bytes;

  if (g_size_checked_mul (&bytes, count, size) &&
      ! isolux_fault_hit (ISOLUX_FAULT_MEMORY))
    memory = g_try_malloc0 (MAX (bytes, 1));
  if (memory)
    isolux_advise_large (memory, bytes);
  else
    g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_MEMORY,
                         _("There is not enough memory."));
  return memory;
}

/* ---- Pools ---------------------------------------------------------- */

typedef struct _Block Block;

struct _Block
{
  Block   *next;
  gpointer memory;
  gsize    size;
  gboolean taken;
};

struct _IsoluxPool
{
  GMutex          mutex;
  IsoluxPoolAlloc alloc;
  IsoluxPoolFree  release;
  gpointer        owner;
  gsize           keep; /* bytes kept at most while not taken */
  gsize           kept;
  gsize           limit; /* of bytes altogether; 0: none */
  gsize           held;
  Block          *blocks;
};

IsoluxPool *
isolux_pool_new (IsoluxPoolAlloc alloc,
                 IsoluxPoolFree  release,
                 gpointer        owner,
                 gsize           keep,
                 GError        **error)
{
  IsoluxPool *pool = isolux_try_new (IsoluxPool, 1, error);

  if (! pool)
    return NULL;
  g_mutex_init (&pool->mutex);
  pool->alloc = alloc;
  pool->release = release;
  pool->owner = owner;
  pool->keep = keep;
  return pool;
}

/* With the mutex held. */
static void
pool_drop (IsoluxPool *pool, Block **link)
{
  Block *block = *link;

  *link = block->next;
  if (! block->taken)
    pool->kept -= block->size;
  pool->held -= block->size;
  pool->release (pool->owner, block->memory);
  g_free (block);
}

static void
pool_trim (IsoluxPool *pool, gsize limit)
{
  Block **link = &pool->blocks;

  while (*link && pool->kept > limit)
    if ((*link)->taken)
      link = &(*link)->next;
    else
      pool_drop (pool, link);
}

void
isolux_pool_free (IsoluxPool *pool)
{
  if (! pool)
    return;
  while (pool->blocks)
    pool_drop (pool, &pool->blocks);
  g_mutex_clear (&pool->mutex);
  g_free (pool);
}

/* The smallest kept block that is large enough and not far too large. */
static Block *
pool_find (IsoluxPool *pool, gsize size)
{
  Block *best = NULL, *block;

  for (block = pool->blocks; block; block = block->next)
    if (! block->taken && block->size >= size &&
        block->size / 2 <= size + (1 << 20) &&
        (! best || block->size < best->size))
      best = block;
  return best;
}

void
isolux_pool_set_limit (IsoluxPool *pool, gsize limit)
{
  g_mutex_lock (&pool->mutex);
  pool->limit = limit;
  g_mutex_unlock (&pool->mutex);
}

static gboolean
pool_alloc (IsoluxPool *pool, gsize size, gpointer *memory, GError **error)
{
  if (pool->limit && (size > pool->limit || pool->held > pool->limit - size))
    {
      g_set_error_literal (error, ISOLUX_ERROR, ISOLUX_ERROR_DEVICE,
                           _("The image needs more of the GPU's memory than "
                             "may be used."));
      return FALSE;
    }
  return pool->alloc (pool->owner, size, memory, error);
}

gboolean
isolux_pool_take (IsoluxPool *pool,
                  gsize       size,
                  gpointer   *memory,
                  GError    **error)
{
  Block  *block;
  GError *first = NULL;

  g_mutex_lock (&pool->mutex);
  block = pool_find (pool, size);
  if (block)
    {
      block->taken = TRUE;
      pool->kept -= block->size;
      *memory = block->memory;
      g_mutex_unlock (&pool->mutex);
      return TRUE;
    }
  block = isolux_try_new (Block, 1, error);
  if (! block)
    {
      g_mutex_unlock (&pool->mutex);
      return FALSE;
    }
  block->size = size;
  block->taken = TRUE;
  if (! pool_alloc (pool, size, &block->memory, &first))
    {
      pool_trim (pool, 0);
      if (! pool_alloc (pool, size, &block->memory, NULL))
        {
          g_mutex_unlock (&pool->mutex);
          g_propagate_error (error, first);
          g_free (block);
          return FALSE;
        }
      g_clear_error (&first);
    }
  block->next = pool->blocks;
  pool->blocks = block;
  pool->held += size;
  *memory = block->memory;
  g_mutex_unlock (&pool->mutex);
  return TRUE;
}

void
isolux_pool_give (IsoluxPool *pool, gpointer memory)
{
  Block **link;

  g_mutex_lock (&pool->mutex);
  for (link = &pool->blocks; *link; link = &(*link)->next)
    if ((*link)->memory == memory && (*link)->taken)
      {
        (*link)->taken = FALSE;
        pool->kept += (*link)->size;
        pool_trim (pool, pool->keep);
        break;
      }
  g_mutex_unlock (&pool->mutex);
}
