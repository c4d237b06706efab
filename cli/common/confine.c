/* SPDX-License-Identifier: MIT */
/*
 * confine.c - drop every privilege that reading recordings does not need
 *
 * A seccomp filter of what is refused, not of what is allowed: what libc, a compression library
 * or a newer kernel needs for memory, threads and files that are open goes on working. The
 * program is a row of "if it is this call, refuse it"; the kernel runs it once for each number
 * and remembers those that are always allowed.
 */
#include "common/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/sanitized.h"

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

static const uint32_t never[] = {
	/* programs and processes */
	SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_pidfd_open, SYS_pidfd_getfd, SYS_pidfd_send_signal, SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo, SYS_tkill, SYS_kcmp, SYS_process_madvise,
#ifdef SYS_fork
	SYS_fork, SYS_vfork,
#endif
	/* the network, and other ways to another process */
	SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
	SYS_shmget, SYS_shmat, SYS_msgget, SYS_msgsnd, SYS_semget, SYS_mq_open,
	/* identities */
	SYS_setuid, SYS_setgid, SYS_setreuid, SYS_setregid, SYS_setresuid, SYS_setresgid,
	SYS_setfsuid, SYS_setfsgid, SYS_setgroups, SYS_capset, SYS_keyctl, SYS_add_key,
	SYS_request_key, SYS_personality,
	/* what others see */
	SYS_unshare, SYS_setns, SYS_chroot, SYS_pivot_root, SYS_mount, SYS_umount2, SYS_open_tree,
	SYS_move_mount, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_mount_setattr,
	SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex,
	SYS_clock_adjtime, SYS_swapon, SYS_swapoff, SYS_reboot, SYS_acct, SYS_quotactl,
	/* the kernel */
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_bpf,
	SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_io_uring_enter,
	SYS_io_uring_register, SYS_name_to_handle_at, SYS_open_by_handle_at, SYS_fanotify_init,
	SYS_syslog,
#ifdef SYS_iopl
	SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

/* Of who only reads: by name. */
static const uint32_t never_reading[] = {
	SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_mkdirat, SYS_mknodat,
	SYS_fchmodat, SYS_fchownat, SYS_truncate, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
	SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, SYS_openat2,
#ifdef SYS_renameat
	SYS_renameat,
#endif
#ifdef SYS_unlink
	SYS_unlink, SYS_rename, SYS_link, SYS_symlink, SYS_mkdir, SYS_rmdir, SYS_mknod, SYS_chmod,
	SYS_chown, SYS_lchown, SYS_creat, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
};

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

/* Little-endian, as meson.build has made sure. */
static void load_argument(struct filter *f, int i)
{
	load(f, offsetof(struct seccomp_data, args) + 8 * (size_t)i);
}

static void end(struct filter *f, uint32_t verdict)
{
	add(f, BPF_RET | BPF_K, 0, 0, verdict);
}

static void refuse(struct filter *f, uint32_t number, int error)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number);
	end(f, SECCOMP_RET_ERRNO | (uint32_t)error);
}

static void refuse_all(struct filter *f, const uint32_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++)
		refuse(f, numbers[i], EPERM);
}

/*
 * For that call, by a test (BPF_JEQ, BPF_JSET) of an argument. What the test says ends it: the
 * number is still loaded for the steps that follow.
 */
static void judge(struct filter *f, uint32_t number, int argument, uint16_t test, uint32_t k,
		  bool is_good)
{
	uint32_t refused = SECCOMP_RET_ERRNO | EPERM;

	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 4, number);
	load_argument(f, argument);
	add(f, (uint16_t)(BPF_JMP | test | BPF_K), 0, 1, k);
	end(f, is_good ? SECCOMP_RET_ALLOW : refused);
	end(f, is_good ? refused : SECCOMP_RET_ALLOW);
}

/* For reading, or an unnamed file, which nothing can give a name. */
static void judge_open(struct filter *f, uint32_t number, int argument)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, number);
	load_argument(f, argument);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 2, 0, O_TMPFILE & ~O_DIRECTORY);
	add(f, BPF_JMP | BPF_JSET | BPF_K, 0, 1, O_ACCMODE | O_CREAT | O_TRUNC);
	end(f, SECCOMP_RET_ERRNO | EACCES);
	end(f, SECCOMP_RET_ALLOW);
}

/* What a terminal would take for typed by its user. */
static void judge_ioctl(struct filter *f)
{
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, SYS_ioctl);
	load_argument(f, 1);
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, TIOCSTI);
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, TIOCLINUX);
	end(f, SECCOMP_RET_ERRNO | EPERM);
	end(f, SECCOMP_RET_ALLOW);
}

static void make(struct filter *f, enum confinement how)
{
	load(f, offsetof(struct seccomp_data, arch));
	add(f, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OUR_ARCH);
	end(f, SECCOMP_RET_ERRNO | EPERM);
	load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
	/* The same calls by other numbers: x32. */
	add(f, BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000);
	end(f, SECCOMP_RET_ERRNO | EPERM);
#endif
	refuse_all(f, never, sizeof(never) / sizeof(*never));
	/* Its flags cannot be seen: libc takes clone() instead, for threads. */
	refuse(f, SYS_clone3, ENOSYS);
	if (how == CONFINE_READING) {
		refuse_all(f, never_reading, sizeof(never_reading) / sizeof(*never_reading));
		judge_open(f, SYS_openat, 2);
#ifdef SYS_open
		judge_open(f, SYS_open, 1);
#endif
	}
	judge_ioctl(f);
	judge(f, SYS_clone, 0, BPF_JSET, CLONE_THREAD, true);
	judge(f, SYS_kill, 0, BPF_JEQ, (uint32_t)getpid(), true);
	judge(f, SYS_tgkill, 0, BPF_JEQ, (uint32_t)getpid(), true);
	end(f, SECCOMP_RET_ALLOW);
}

bool confine(enum confinement how)
{
	static struct filter filter;
	struct sock_fprog program = { .filter = filter.step };

	if (OUR_ARCH == 0 || IS_SANITIZED)
		return false;
	filter.count = 0;
	make(&filter, how);
	program.len = filter.count;
	return filter.count <= MOST_STEPS && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* A directory ---------------------------------------------------------------------------------- */

/* As in linux/landlock.h, which older systems do not have. */
struct ruleset {
	uint64_t accesses;
};

struct __attribute__((packed)) below {
	uint64_t accesses;
	int32_t fd;
};

enum {
	CREATE_RULESET = 444, /* the same numbers everywhere */
	ADD_RULE = 445,
	RESTRICT_SELF = 446,
	PATH_BENEATH = 1,
	/* Writing to files, removing and making entries of all kinds: the first version's. */
	WRITING = 1 << 1 | 0x1ff << 4,
};

int confine_writing_to(const char *directory)
{
	struct ruleset ruleset = { WRITING };
	int rules, fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct below below = { WRITING, fd };

	if (fd < 0)
		return errno;
	rules = IS_SANITIZED ? -1
			     : (int)syscall(CREATE_RULESET, &ruleset, sizeof(ruleset), 0);
	if (rules >= 0 && syscall(ADD_RULE, rules, PATH_BENEATH, &below, 0) == 0)
		syscall(RESTRICT_SELF, rules, 0);
	if (rules >= 0)
		close(rules);
	close(fd);
	return 0;
}
