/* SPDX-License-Identifier: MIT */
/*
 * preload_exit.c - wrappers of what ends the process at once
 */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/preload.h"
#include "recorder/jfrec-recorder.h"

static _Noreturn void end(int status)
{
	const long of[6] = { status };

	jfrec_recorder_before_exit();
	for (;;)
		preload_call_kernel(SYS_exit_group, of);
}

EXPORT void _exit(int status)
{
	end(status);
}

EXPORT void _Exit(int status)
{
	end(status);
}
