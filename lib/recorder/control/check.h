/* SPDX-License-Identifier: MIT */
/*
 * check.h - what of a buffer are events, and which stacks they refer to
 */
#ifndef JFREC_RECORDER_CONTROL_CHECK_H
#define JFREC_RECORDER_CONTROL_CHECK_H

#include <stdint.h>

/*
 * From `from` to the result, which is at most `to`, data has whole events, each with a size and a
 * type that can be; they are added to *count, and their stacks are needed in this chunk.  What
 * follows was overwritten by a mistake of the program.  ahead: the data of which the same will be
 * asked next; another processor has it, and it is asked for meanwhile.  Under the lock of stacks.h.
 */
uint32_t check_events(const uint8_t *data, uint32_t from, uint32_t to, const uint8_t *ahead,
		      uint64_t *count);

#endif
