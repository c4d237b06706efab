/* SPDX-License-Identifier: MIT */
/*
 * confine_calls.c - allow the system calls that reading and writing recordings takes
 *
 * A seccomp filter of what is allowed: what glibc, musl, and the libraries for compression and SQL
 * call once they are loaded. Everything else fails with EPERM; calls that are younger than the
 * list fail with ENOSYS, so that a libc tries the older way. The program is a row of "if it is
 * this call, allow it"; the kernel runs it once for each number whose arguments do not matter,
 * and remembers the verdict.
 */
#include "base/confine_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#elif defined(__riscv)
#define OUR_ARCH AUDIT_ARCH_RISCV64
#else
#define OUR_ARCH 0 /* not tried there */
#endif

#define MOST_STEPS 512

/* From here on the numbers are the same everywhere, and a libc can do without. */
#define FIRST_UNKNOWN 450

#define SPECIAL_BITS 07000 /* set-user-ID, set-group-ID, sticky */

#ifndef O_ASYNC /* not in all of POSIX */
#define O_ASYNC 020000
#endif

/* As in headers that not every system has. */
enum {
	DO_GUARD_INSTALL = 102, /* MADV_GUARD_INSTALL, for stacks of threads */
	DO_GUARD_REMOVE = 103,
	NAME_MEMORY = 0x53564d41, /* PR_SET_VMA */
};
#define GET_TERMINAL_2 0x802c542au /* TCGETS2 */

/* clang-format off */
static const uint32_t always[] = {
	/* open files */
	SYS_read, SYS_write, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_preadv,
	SYS_pwritev, SYS_lseek, SYS_close, SYS_fstat, SYS_fstatfs, SYS_ftruncate, SYS_fsync,
	SYS_fdatasync, SYS_syncfs, SYS_fadvise64, SYS_getdents64, SYS_copy_file_range,
	SYS_sync_file_range, SYS_dup, SYS_dup3, SYS_ppoll,
	/* names */
	SYS_newfstatat, SYS_statx, SYS_statfs, SYS_faccessat, SYS_readlinkat, SYS_getcwd,
	439, /* faccessat2 */
	/* memory */
	SYS_brk, SYS_munmap, SYS_mremap,
	/* threads and signals */
	SYS_futex, SYS_set_robust_list, SYS_set_tid_address, SYS_rseq, SYS_sched_yield,
	SYS_sched_getaffinity, SYS_getcpu, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_sigaltstack, SYS_restart_syscall, SYS_exit, SYS_exit_group,
	/* time */
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep,
	SYS_gettimeofday, SYS_setitimer, SYS_getitimer,
	/* what is known about this process and machine */
	SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
	SYS_getrusage, SYS_times, SYS_uname, SYS_sysinfo, SYS_getrandom,
#ifdef SYS_getrlimit
	SYS_getrlimit,
#endif
#ifdef SYS_open /* older names for the same */
	SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_poll, SYS_time,
#endif
#ifdef __NR_riscv_hwprobe
	__NR_riscv_hwprobe, __NR_riscv_flush_icache,
#endif
};

/* For an output: a temporary file, which gets its name when it is complete. */
static const uint32_t writing[] = {
	SYS_umask, SYS_unlinkat, SYS_renameat2, SYS_linkat,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_open
	SYS_unlink, SYS_rmdir, SYS_rename, SYS_link,
#endif
};

static const uint32_t terminal_requests[] = { TCGETS, TIOCGWINSZ, GET_TERMINAL_2 };

/* Nothing that has the kernel signal anybody: no owners, leases, notices. */
static const uint32_t descriptor_commands[] = {
	F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETPIPE_SZ, F_GETPIPE_SZ,
};

static const uint32_t memory_advice[] = {
	MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE,
	MADV_HUGEPAGE, MADV_NOHUGEPAGE, DO_GUARD_INSTALL, DO_GUARD_REMOVE,
};

/* A lock that others may have at the same time, of the memory that a program left; writers lock
 * their temporary files. */
static const uint32_t locks[] = { LOCK_SH | LOCK_NB, LOCK_UN, LOCK_EX | LOCK_NB };

/* To be written and read, not to be run. */
static const uint32_t memory_files[] = { MFD_CLOEXEC };

static const uint32_t process_options[] = { PR_SET_NAME, PR_GET_NAME, NAME_MEMORY };
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct filter {
	struct sock_filter step[MOST_STEPS];
	unsigned short count;
};

static void add(struct filter *f, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t k)
{
	if (f->count < MOST_STEPS)
		f->step[f->count] = (struct sock_filter){ code, if_true, if_false, k };
	f->count++;
}

static void load(struct filter *f, size_t offset)
{
	add(f, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

/* Little-endian, as meson.build has made sure. What takes an int does not look at the rest. */
static void load_argument(struct filter *f, int i)
{
	load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)i);
}

static void load_high_half(struct filter *f, int i)
{
	load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)i + 4);
}

static void end(struct filter *f, uint32_t verdict)
{
	add(f, BPF_RET | BPF_K, 0, 0, verdict);
}

static void refuse(struct filter *f, int error)
{
	end(f, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void allow_if_equal(struct filter *f, uint32_t value)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
	end(f, SECCOMP_RET_ALLOW);
}

static void allow_all(struct filter *f, const uint32_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		allow_if_equal(f, numbers[i]);
}

/*
 * Steps for one call: between these two, what they load is an argument; what they do not allow
 * is refused. Afterwards the number is still loaded for the steps that follow.
 */
static unsigned short begin_call(struct filter *f, uint32_t number)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, number);
	return f->count - 1;
}

static void end_call(struct filter *f, unsigned short begun)
{
	refuse(f, EPERM);
	if (f->count <= MOST_STEPS)
		f->step[begun].jf = (uint8_t)(f->count - begun - 1);
}

static void allow_values(struct filter *f, uint32_t number, int argument, const uint32_t *values,
			 size_t count)
{
	unsigned short begun = begin_call(f, number);

	load_argument(f, argument);
	allow_all(f, values, count);
	end_call(f, begun);
}

static void allow_without(struct filter *f, uint32_t number, int argument, uint32_t bits)
{
	unsigned short begun = begin_call(f, number);

	load_argument(f, argument);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, bits);
	end(f, SECCOMP_RET_ALLOW);
	end_call(f, begun);
}

/* For reading, or an unnamed file, which nothing can give a name. */
static void allow_open_to_read(struct filter *f, uint32_t number, int argument)
{
	unsigned short begun = begin_call(f, number);

	load_argument(f, argument);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, O_TMPFILE & ~O_DIRECTORY);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
	end(f, SECCOMP_RET_ALLOW);
	refuse(f, EACCES);
	end_call(f, begun);
}

/* The same, and new files: never one that is there. The mode follows the flags. */
static void allow_open_to_make(struct filter *f, uint32_t number, int argument)
{
	unsigned short begun = begin_call(f, number);

	load_argument(f, argument);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 5, 0, O_TMPFILE & ~O_DIRECTORY);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 0, 6, O_WRONLY | O_RDWR | O_CREAT | O_TRUNC);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 2, 0, O_TRUNC);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 0, 1, O_CREAT);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, O_EXCL);
	refuse(f, EACCES);
	load_argument(f, argument + 1);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, SPECIAL_BITS);
	end(f, SECCOMP_RET_ALLOW);
	end_call(f, begun);
}

static void allow_opening(struct filter *f, enum confinement how)
{
	void (*allow)(struct filter *, uint32_t, int) =
		how == CONFINE_READING ? allow_open_to_read : allow_open_to_make;

	allow(f, SYS_openat, 2);
#ifdef SYS_open
	allow(f, SYS_open, 1);
#endif
}

static void allow_making(struct filter *f)
{
	allow_all(f, writing, COUNT(writing));
	allow_without(f, SYS_mkdirat, 2, SPECIAL_BITS);
	allow_without(f, SYS_fchmod, 1, SPECIAL_BITS);
#ifdef SYS_open
	allow_without(f, SYS_mkdir, 1, SPECIAL_BITS);
#endif
}

static void allow_fcntl(struct filter *f)
{
	unsigned short begun = begin_call(f, SYS_fcntl);

	load_argument(f, 1);
	allow_all(f, descriptor_commands, COUNT(descriptor_commands));
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, F_SETFL);
	load_argument(f, 2);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 1, 0, O_ASYNC);
	end(f, SECCOMP_RET_ALLOW);
	end_call(f, begun);
}

static void allow_threads(struct filter *f)
{
	unsigned short begun = begin_call(f, SYS_clone);

	load_argument(f, 0);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 2, 0,
	    CLONE_PTRACE | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
		    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 0, 1, CLONE_THREAD);
	end(f, SECCOMP_RET_ALLOW);
	end_call(f, begun);
}

/* raise() and abort(). musl knows a thread by its number only: that of the first one is ours. */
static void allow_signals_to_self(struct filter *f)
{
	const uint32_t self = (uint32_t)getpid();

	allow_values(f, SYS_kill, 0, &self, 1);
	allow_values(f, SYS_tgkill, 0, &self, 1);
	allow_values(f, SYS_tkill, 0, &self, 1);
}

/* To ask for a limit of this process: the pointer to a new one is NULL. */
static void allow_limits(struct filter *f)
{
	unsigned short begun = begin_call(f, SYS_prlimit64);

	load_argument(f, 0);
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, 0);
	load_argument(f, 2);
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
	load_high_half(f, 2);
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
	end(f, SECCOMP_RET_ALLOW);
	end_call(f, begun);
}

static void begin(struct filter *f)
{
	load(f, offsetof(struct seccomp_data, arch));
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OUR_ARCH);
	refuse(f, EPERM);
	load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	/* The same calls by other numbers: x32. */
	add(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
	refuse(f, EPERM);
#endif
	add(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, FIRST_UNKNOWN);
	refuse(f, ENOSYS);
	/* Its flags cannot be seen: libc takes clone() instead, for threads. */
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3);
	refuse(f, ENOSYS);
}

static void make(struct filter *f, enum confinement how)
{
	begin(f);
	allow_all(f, always, COUNT(always));
	if (how == CONFINE_WRITING)
		allow_making(f);
	allow_opening(f, how);
	/* Libraries were loaded before. */
	allow_without(f, SYS_mmap, 2, PROT_EXEC);
	allow_without(f, SYS_mprotect, 2, PROT_EXEC);
	allow_values(f, SYS_madvise, 2, memory_advice, COUNT(memory_advice));
	allow_values(f, SYS_ioctl, 1, terminal_requests, COUNT(terminal_requests));
	allow_values(f, SYS_flock, 1, locks, COUNT(locks) - (how == CONFINE_READING));
	allow_values(f, SYS_memfd_create, 1, memory_files, COUNT(memory_files));
	allow_values(f, SYS_prctl, 0, process_options, COUNT(process_options));
	allow_fcntl(f);
	allow_threads(f);
	allow_signals_to_self(f);
	allow_limits(f);
	refuse(f, EPERM);
}

int confine_calls(enum confinement how)
{
	static struct filter filter;
	struct sock_fprog program = { .filter = filter.step };

	if (OUR_ARCH == 0)
		return ENOSYS;
	filter.count = 0;
	make(&filter, how);
	program.len = filter.count;
	if (filter.count > MOST_STEPS)
		return E2BIG;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? errno : 0;
}
