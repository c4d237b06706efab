/* SPDX-License-Identifier: MIT */
/*
 * drainer.h - the threads that empty the buffers, nearly always one
 */
#ifndef JFREC_NATIVE_DRAINER_H
#define JFREC_NATIVE_DRAINER_H

#include <stdbool.h>
#include <stdint.h>

enum round { ROUND_OVER, ROUND_FAILED, ROUND_LEFT_SOME, ROUND_TOOK_ALL };

/* By its threads: write at most so many full buffers, unless drainer_is_over(life); and how often all. */
typedef enum round drainer_write(uint32_t life, uint32_t most);
typedef uint64_t drainer_flush_ns(void);

/* Start it.  0 or errno. */
int drainer_start(drainer_write *write, drainer_flush_ns *flush_ns);

/* It writes no more: under the lock that its writing takes.  Its threads end soon, and need nothing. */
void drainer_halt(void);

/* Was it halted, that one which has this number? */
bool drainer_is_over(uint32_t life);

/* In the child of a fork(): it has no threads. */
void drainer_forget(void);

#endif
