/* SPDX-License-Identifier: MIT */
/*
 * sandboxed.c - a program that a filter of system calls ends if somebody else calls what it does not
 *
 * usage: sandboxed before ERRNO | later
 *
 * before: runs itself with a filter that refuses what samples need; ERRNO 0 is the process's end.
 * later: computes, then allows each of its two threads hardly anything, and computes again.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))
#define ALLOW	 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define LOAD	 BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))
#define IS(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1)

static volatile double result;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void compute(double until)
{
	while (seconds() < until)
		for (int i = 1; i < 10000; i++)
			result += 1.0 / i;
}

NOINLINE static void compute_freely(void)
{
	compute(seconds() + 1);
	__asm__ volatile("");
}

NOINLINE static void compute_locked_in(void)
{
	compute(seconds() + 2);
	__asm__ volatile("");
}

static void lock_in(struct sock_filter *rules, unsigned short count)
{
	struct sock_fprog program = { count, rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(77);
}

/* What computing and the end of the process need, and what a thread cannot do without. */
static void allow_little(void)
{
	struct sock_filter rules[] = { LOAD,	IS(rt_sigreturn), ALLOW, IS(clock_gettime), ALLOW,
				       IS(futex), ALLOW,	  IS(write), ALLOW,	    IS(exit_group),
				       ALLOW,	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) };

	lock_in(rules, sizeof(rules) / sizeof(rules[0]));
}

static void refuse_copies(unsigned failure)
{
	unsigned otherwise = failure ? SECCOMP_RET_ERRNO | failure : SECCOMP_RET_KILL_PROCESS;
	struct sock_filter rules[] = { LOAD, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
				       BPF_STMT(BPF_RET | BPF_K, otherwise), ALLOW };

	lock_in(rules, sizeof(rules) / sizeof(rules[0]));
}

static pthread_barrier_t both;

/* The other thread must not end, which takes more calls. */
static void *work(void *is_other)
{
	compute_freely();
	pthread_barrier_wait(&both);
	allow_little();
	compute_locked_in();
	syscall(SYS_write, 1, "x", 1);
	while (is_other)
		compute(seconds() + 1);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t other;

	if (argc == 3 && !strcmp(argv[1], "before")) {
		refuse_copies((unsigned)atoi(argv[2]));
		execl("/proc/self/exe", argv[0], "compute", (char *)NULL);
		return 1;
	}
	if (argc == 2 && !strcmp(argv[1], "compute")) {
		compute_freely();
		return 0;
	}
	pthread_barrier_init(&both, NULL, 2);
	if (argc != 2 || pthread_create(&other, NULL, work, &both))
		return 2;
	work(NULL);
	compute(seconds() + 1);
	_exit(0);
}
