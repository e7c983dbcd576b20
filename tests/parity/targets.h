/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a case runs, and what runs it there. */
#ifndef ISOLUX_TEST_TARGETS_H
#define ISOLUX_TEST_TARGETS_H

#include "support.h"

G_BEGIN_DECLS

#define MOST_TARGETS 8

typedef struct
{
  const gchar  *name;
  IsoluxDevice *device;
  guint         mask;    /* of CUDA's twins */
  gboolean      wrapped; /* surfaces in memory of the caller's */
} Target;

/*
 * The CPU with one thread and with several, wrapped and not; CUDA where it
 * is there, with and without its twins.  Returns how many; the first one is
 * the CPU with one thread.
 */
gint targets_init (Target *targets);
void targets_clear (Target *targets, gint n);

typedef gboolean (*TargetFunc) (IsoluxSurface *source,
                                IsoluxSurface *destination,
                                gpointer       user_data,
                                IsoluxReport  *report,
                                GError       **error);

/*
 * Runs an operation on the pixels of input, whose block it does not change.
 * Where destination is NULL it works in place; the result is in output, which
 * has the shape of the destination's image.  output NULL: nothing is written;
 * destination is then a second source, if it is there.
 */
void target_run (const Target *target,
                 const Buffer *input,
                 const Buffer *destination,
                 const Region *region,
                 Buffer       *output,
                 TargetFunc    function,
                 gpointer      user_data,
                 IsoluxReport *report);

/* Weights of red, green and blue. */
void choose_weights (Random *random, gdouble weights[3]);

/* How many cases: n, or what ISOLUX_PARITY_QUICK and ISOLUX_PARITY_MORE make
 * of it. */
guint cases_wanted (guint n);

G_END_DECLS

#endif /* ISOLUX_TEST_TARGETS_H */
