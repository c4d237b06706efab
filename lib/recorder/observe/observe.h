/* SPDX-License-Identifier: MIT */
/*
 * observe.h - events of the process and the machine, which the program need not emit
 */
#ifndef JFREC_RECORDER_OBSERVE_OBSERVE_H
#define JFREC_RECORDER_OBSERVE_OBSERVE_H

#include <stdbool.h>

#include "recorder/ground/bytes.h"

/* A thread that is referred to: its row and key. */
typedef void need_thread(uint32_t row, uint64_t key);

/* By the drainer: add those whose time has come; is_new_chunk: those of each chunk, too. */
void observe(struct bytes *b, bool is_new_chunk, need_thread *need);

/* Only what the process is. */
void observe_briefly(struct bytes *b);

#endif
