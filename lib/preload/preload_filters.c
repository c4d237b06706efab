/* SPDX-License-Identifier: MIT */
/*
 * preload_filters.c - wrappers of what installs a filter of system calls
 *
 * Such a filter has what the program calls, and ends the process for what the recorder calls.  So
 * that is done before.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "preload/preload.h"
#include "recorder/jfrec-recorder.h"

static void expect_filter(void)
{
	int saved = errno;

	descriptor_remember_all(jfrec_recorder_now());
	jfrec_recorder_before_filter();
	errno = saved;
}

/* Both take what follows from registers, whether the caller has passed it or not. */
EXPORT int prctl(int option, ...)
{
	unsigned long of[4];
	va_list args;

	va_start(args, option);
	for (int i = 0; i < 4; i++)
		of[i] = va_arg(args, unsigned long);
	va_end(args);
	if (option == PR_SET_SECCOMP)
		expect_filter();
	return REAL(prctl)(option, of[0], of[1], of[2], of[3]);
}

/* And does not only try what the kernel has. */
static bool installs_filter(const long of[6])
{
	return (of[0] == SECCOMP_SET_MODE_FILTER && of[2]) ||
	       (of[0] == SECCOMP_SET_MODE_STRICT && !of[1]);
}

/*
 * Fewer arguments may have been given: what else is read lies on the caller's stack, as libc's
 * reads it.
 */
EXPORT __attribute__((no_sanitize("address"))) long syscall(long number, ...)
{
	long of[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		of[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_seccomp && installs_filter(of))
		expect_filter();
	if (gives_up_rights(number))
		jfrec_recorder_make_files();
	/* An allocator that begins calls this, and looking up may allocate. */
	if (preload_is_looking)
		return preload_call_kernel(number, of);
	return REAL(syscall)(number, of[0], of[1], of[2], of[3], of[4], of[5]);
}
