/* SPDX-License-Identifier: MIT */
/*
 * container.h - events of the container in which the process runs
 */
#ifndef JFREC_RECORDER_OBSERVE_CONTAINER_H
#define JFREC_RECORDER_OBSERVE_CONTAINER_H

#include <stdint.h>

#include "recorder/ground/bytes.h"

/* By the drainer: an event of one of the types "jdk.Container...", if the kernel has what is in it. */
void container_observe(struct bytes *b, uint32_t type);

#endif
