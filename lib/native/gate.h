/* SPDX-License-Identifier: MIT */
/*
 * gate.h - what must not be going on when the program forks
 *
 * Some locks of libc stay locked in the child for ever if another thread has them: that of the list of
 * modules, and that of the time zone.  A program without threads relies on them in its children.
 */
#ifndef JFREC_NATIVE_GATE_H
#define JFREC_NATIVE_GATE_H

#include <stdbool.h>
#include <time.h>

/* Around what takes such a lock.  It is short, and waits for nothing else. */
void gate_enter(void);
void gate_leave(void);

/* localtime_r(), of which false is the failure. */
bool gate_local_time(const time_t *t, struct tm *tm);

/* Of pthread_atfork(), by one thread: before, and after it in both processes. */
void gate_close(void);
void gate_open(void);
void gate_open_in_child(void);

#endif
