/* SPDX-License-Identifier: MIT */
/*
 * preload_filters.c - wrappers of what installs a filter of system calls
 *
 * Such a filter has what the program calls, and ends the process for what the recorder calls.  So that
 * is done before.
 */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "native/jfrec-recorder.h"
#include "native/preload.h"

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
	return (of[0] == SECCOMP_SET_MODE_FILTER && of[2]) || (of[0] == SECCOMP_SET_MODE_STRICT && !of[1]);
}

#if defined(__x86_64__)
static long ask_kernel(long number, const long of[6])
{
	register long r10 __asm__("r10") = of[3], r8 __asm__("r8") = of[4], r9 __asm__("r9") = of[5];
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(number), "D"(of[0]), "S"(of[1]), "d"(of[2]), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
static long ask_kernel(long number, const long of[6])
{
	register long x8 __asm__("x8") = number, x0 __asm__("x0") = of[0], x1 __asm__("x1") = of[1];
	register long x2 __asm__("x2") = of[2], x3 __asm__("x3") = of[3], x4 __asm__("x4") = of[4];
	register long x5 __asm__("x5") = of[5];

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}
#else
static long ask_kernel(long number, const long of[6])
{
	(void)number;
	(void)of;
	return -ENOSYS;
}
#endif

static long call_kernel(long number, const long of[6])
{
	long ret = ask_kernel(number, of);

	if (ret > -4096 && ret < 0) {
		errno = (int)-ret;
		return -1;
	}
	return ret;
}

EXPORT long syscall(long number, ...)
{
	long of[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		of[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_seccomp && installs_filter(of))
		expect_filter();
	/* An allocator that begins calls this, and looking up may allocate. */
	if (preload_is_looking)
		return call_kernel(number, of);
	return REAL(syscall)(number, of[0], of[1], of[2], of[3], of[4], of[5]);
}
