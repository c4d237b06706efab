/* SPDX-License-Identifier: MIT */
/*
 * filter.h - filters of system calls, which may end the process
 */
#ifndef JFREC_RECORDER_GROUND_FILTER_H
#define JFREC_RECORDER_GROUND_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Has this thread one?  Units of systemd do; what is only better to have must not be called then.
 */
bool filter_is_there(void);

/* A number that grows with the filters that this thread of the process has; 0: none. */
long filters_of(uint32_t tid);

/* Did a thread say that it is about to have one, which may forbid whatever it does not need? */
bool filter_is_expected(void);
void filter_expect(void);

#endif
