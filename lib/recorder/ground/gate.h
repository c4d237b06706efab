/* SPDX-License-Identifier: MIT */
/*
 * gate.h - what must not be going on when the program forks
 *
 * Some locks of libc stay locked in the child forever if another thread has them: that of the list
 * of modules, and that of the time zone.  A program without threads relies on them in its children.
 */
#ifndef JFREC_RECORDER_GROUND_GATE_H
#define JFREC_RECORDER_GROUND_GATE_H

#include <stdbool.h>
#include <time.h>

/*
 * Before others register with pthread_atfork() what takes a lock of theirs: what is registered
 * first comes last before a fork.
 */
void gate_install(void);

/*
 * Around what takes such a lock: fork() waits meanwhile.  It is short, and waits for nothing else.
 * A caller with a lock of its own that fork() waits for has that before, never after.
 */
void gate_enter(void);
void gate_leave(void);

/* Is this thread inside: did a signal interrupt it there? */
bool gate_is_entered(void);

/* localtime_r(), of which false is the failure. */
bool gate_local_time(const time_t *t, struct tm *tm);

#endif
