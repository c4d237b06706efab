/* SPDX-License-Identifier: MIT */
/*
 * accounts.h - events of what the kernel and libc count for the process
 */
#ifndef JFREC_RECORDER_OBSERVE_ACCOUNTS_H
#define JFREC_RECORDER_OBSERVE_ACCOUNTS_H

#include <stdint.h>

#include "recorder/ground/bytes.h"

/* By the drainer: events of one of the types from TYPE_CPU_INFORMATION to TYPE_ALLOCATOR. */
void accounts_observe(struct bytes *b, uint32_t type);

#endif
