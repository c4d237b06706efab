/* SPDX-License-Identifier: MIT */
/*
 * test_calls.c - each system call there could be, by a process that is confined
 *
 * Every number from 0 on is called by a child of its own, with arguments that mean nothing. What
 * is allowed says so by another error, a result, or the end of the child; it is in a table here,
 * and nothing else is allowed. Calls that are judged by their arguments are refused with these;
 * what they are allowed, and what not, is in test_tricks.c.
 */
#include "base/confine.h"

#include "test.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Linux 6.18 has 470. */
#define LAST 520

#define FIRST_UNKNOWN 450

/* clang-format off */
static const int always[] = {
	SYS_read, SYS_write, SYS_close, SYS_fstat, SYS_lseek, SYS_munmap, SYS_brk, SYS_rt_sigaction,
	SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev,
	SYS_sched_yield, SYS_mremap, SYS_dup, SYS_nanosleep, SYS_getitimer, SYS_setitimer,
	SYS_getpid, SYS_exit, SYS_uname, SYS_fsync, SYS_fdatasync, SYS_syncfs, SYS_ftruncate, SYS_getcwd,
	SYS_gettimeofday, SYS_getrusage, SYS_sysinfo, SYS_times, SYS_getuid, SYS_getgid,
	SYS_geteuid, SYS_getegid, SYS_getppid, SYS_sigaltstack, SYS_statfs, SYS_fstatfs,
	SYS_gettid, SYS_futex, SYS_sched_getaffinity, SYS_getdents64, SYS_set_tid_address,
	SYS_restart_syscall, SYS_fadvise64, SYS_clock_gettime, SYS_clock_getres,
	SYS_clock_nanosleep, SYS_exit_group, SYS_newfstatat, SYS_readlinkat, SYS_faccessat,
	SYS_ppoll, SYS_set_robust_list, SYS_sync_file_range, SYS_dup3, SYS_preadv, SYS_pwritev,
	SYS_getcpu, SYS_getrandom, SYS_copy_file_range, SYS_statx, SYS_rseq,
	439, /* faccessat2 */
#ifdef SYS_getrlimit
	SYS_getrlimit,
#endif
#ifdef SYS_open
	SYS_stat, SYS_lstat, SYS_poll, SYS_access, SYS_dup2, SYS_readlink, SYS_time,
#endif
#ifdef __NR_riscv_hwprobe
	__NR_riscv_hwprobe, __NR_riscv_flush_icache,
#endif
};

/* These are judged by an argument that all bits of -1 pass, or none. */
static const int writing[] = {
	SYS_umask, SYS_unlinkat, SYS_linkat, SYS_renameat2,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_open
	SYS_rename, SYS_rmdir, SYS_link, SYS_unlink,
#endif
};
/* clang-format on */

/*
 * To open is allowed by its flags. And the kernel has calls of its own, from its trampolines: no
 * filter sees them, and others die of them.
 */
static bool is_not_said_here(int number)
{
#ifdef __x86_64__
	return number == SYS_open || number == SYS_openat || number == 335 /* uretprobe */ ||
	       number == 336 /* uprobe */;
#else
	return number == SYS_openat;
#endif
}

static bool is_in(const int *table, size_t count, int number)
{
	for (size_t i = 0; i < count; i++) {
		if (table[i] == number)
			return true;
	}
	return false;
}

static bool is_allowed(enum confinement how, int number)
{
	return is_in(always, sizeof(always) / sizeof(*always), number) ||
	       (how == CONFINE_WRITING &&
		is_in(writing, sizeof(writing) / sizeof(*writing), number));
}

/* What a call that is refused gives. */
static int refusal(int number)
{
	return number >= FIRST_UNKNOWN || number == SYS_clone3 ? ENOSYS : EPERM;
}

/* What a child exits with; others end it by other codes, or by a signal. */
#define REFUSED 77

static _Noreturn void call(enum confinement how, int number, int refused_with)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	alarm(10);
	if (!confine(how))
		_exit(0);
	errno = 0;
	if (syscall(number, -1L, -1L, -1L, -1L, -1L, -1L) == -1 && errno == refused_with)
		_exit(REFUSED);
	_exit(0);
}

static bool is_refused(enum confinement how, int number)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		call(how, number, refusal(number));
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == REFUSED;
}

static void try_all(const char *name, enum confinement how)
{
	int wrong = 0;

	test_begin(name);
	for (int number = 0; number <= LAST; number++) {
		bool is_as_expected = is_not_said_here(number) ||
				      is_refused(how, number) != is_allowed(how, number);

		if (!is_as_expected)
			printf("# system call %d is %s\n", number,
			       is_allowed(how, number) ? "refused" : "allowed");
		wrong += !is_as_expected;
	}
	CHECK_INT(wrong, 0);
}

static bool can_confine(void)
{
	int status = -1;
	pid_t child = fork();

	if (child == 0)
		_exit(!confine(CONFINE_READING));
	waitpid(child, &status, 0);
	return status == 0;
}

int main(void)
{
	if (!can_confine()) {
		printf("1..0 # SKIP no seccomp filters here, or a build with sanitizers\n");
		return 0;
	}
	fflush(stdout);
	try_all("who_reads_makes_no_other_calls", CONFINE_READING);
	try_all("who_writes_makes_no_other_calls", CONFINE_WRITING);
	return test_end();
}
