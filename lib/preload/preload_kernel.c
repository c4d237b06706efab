/* SPDX-License-Identifier: MIT */
/*
 * preload_kernel.c - system calls without a function of libc, which would have to be looked up
 */
#include <errno.h>
#include <unistd.h>

#include "preload/preload.h"

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

long preload_call_kernel(long number, const long of[6])
{
	long ret = ask_kernel(number, of);

	if (ret > -4096 && ret < 0) {
		errno = (int)-ret;
		return -1;
	}
	return ret;
}
