/* SPDX-License-Identifier: MIT */
/*
 * filter.c - filters of system calls, which may end the process
 */
#include "native/filter.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/prctl.h>

#include "native/jfrec-recorder.h"
#include "native/memory.h"
#include "native/thread.h"

static atomic_bool is_expected;

bool filter_is_there(void)
{
	int saved = errno;
	bool is = prctl(PR_GET_SECCOMP) != 0;

	errno = saved;
	return is;
}

bool filter_is_expected(void)
{
	return atomic_load_explicit(&is_expected, memory_order_relaxed);
}

void jfrec_recorder_before_filter(void)
{
	int saved = errno;

	/* The calls that the first event of a thread makes. */
	if (region && memory_is_here())
		thread_attach();
	atomic_store(&is_expected, true);
	errno = saved;
}
