/* SPDX-License-Identifier: MIT */
/*
 * lives.h - events of threads that begin and end
 */
#ifndef JFREC_RECORDER_OBSERVE_LIVES_H
#define JFREC_RECORDER_OBSERVE_LIVES_H

#include <stdint.h>

#include "recorder/ground/bytes.h"
#include "recorder/observe/observe.h"

/*
 * By the drainer, in each flush: jdk.ThreadStart of threads that were not told yet, jdk.ThreadEnd
 * of those that had exited when it began.
 */
void lives_tell(struct bytes *b, const uint8_t *exited, need_thread *need);

/* The flush has failed: tell them again. */
void lives_undo(void);

/* It is written. */
void lives_settle(void);

#endif
