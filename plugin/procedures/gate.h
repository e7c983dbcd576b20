/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate.h: all talk with GIMP while a dialog is open, in one thread.
 *
 * A call of GIMP's waits for GIMP, which may be busy drawing for a second.
 * The pipe to it takes one caller at a time, so there is one thread for all
 * of them, one job after the other, and the window's thread makes none.
 */
#ifndef ISOLUX_GATE_H
#define ISOLUX_GATE_H

#include <glib.h>

typedef struct _IsoluxGate IsoluxGate;
typedef void (*IsoluxGateFunc) (gpointer data);

/* To be called in the main thread, like all of the functions below */
IsoluxGate *isolux_gate_new (void);

/*
 * isolux_gate_push: a job, after those that wait.
 * @work: called in the gate's thread
 * @done: (nullable): then called in the main loop, unless the gate has been
 *   closed
 * @destroy: (nullable): frees @data at last, in the main thread, in any case
 */
void isolux_gate_push (IsoluxGate    *gate,
                       IsoluxGateFunc work,
                       IsoluxGateFunc done,
                       gpointer       data,
                       GDestroyNotify destroy);

/* Whether any job waits, runs, or has not been done */
gboolean isolux_gate_is_busy (IsoluxGate *gate);

/*
 * isolux_gate_is_closing: whether the job at work shall end early; from any
 * thread
 */
gboolean isolux_gate_is_closing (IsoluxGate *gate);

/*
 * isolux_gate_close: drops the jobs that wait, waits for the one at work,
 * and frees the gate.
 */
void isolux_gate_close (IsoluxGate *gate);

#endif /* ISOLUX_GATE_H */
