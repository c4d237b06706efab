/* SPDX-License-Identifier: MIT */
/*
 * test_tricks.c - what a decoder that was taken over would try next
 *
 * Each trick is tried by a child of its own: first by one that is free, so that it is known to
 * work here, then by one that only reads, and one that writes. There it must fail. What takes
 * rights or a kernel that we do not have, or would harm the machine, is not tried freely; such a
 * trick cannot fail here for the wrong reason only where it works, so most of them do.
 */
#include "base/confine.h"

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/fsuid.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* Constants that a libc may not have. */
enum {
	SET_OWNER_EX = 15,
	SET_SIGNAL = 10,
	NOTIFY = 1026,
	SET_LEASE = 1024,
	ADD_SEALS = 1033,
};

/* The same numbers everywhere. */
enum {
	CALL_PIDFD_SEND_SIGNAL = 424,
	CALL_IO_URING_SETUP = 425,
	CALL_OPEN_TREE = 428,
	CALL_FSOPEN = 430,
	CALL_PIDFD_OPEN = 434,
	CALL_OPENAT2 = 437,
	CALL_PIDFD_GETFD = 438,
	CALL_PROCESS_MADVISE = 440,
	CALL_MEMFD_SECRET = 447,
	CALL_FCHMODAT2 = 452,
	CALL_SETXATTRAT = 463,
	CALL_OPEN_TREE_ATTR = 467,
	CALL_FILE_SETATTR = 469,
};

/* What there is to attack -------------------------------------------------------------------- */

static char base[] = "/tmp/test_tricks.XXXXXX";
static char secret[16] = "of another"; /* in the memory of the victim, at the same place */
static pid_t victim;
static int victim_fd = -1; /* what open() has from a time before */
static int recording, pipe_ends[2], pair[2], program;

/* Of the child: it knows where it is. */
static char path[256];

static const char *proc(const char *name)
{
	snprintf(path, sizeof(path), "/proc/%d/%s", (int)victim, name);
	return path;
}

static bool opens(const char *name, int flags)
{
	int fd = open(name, flags | O_CLOEXEC, 0600);

	return fd >= 0;
}

static long call(long number, long a, long b, long c, long d, long e)
{
	return syscall(number, a, b, c, d, e);
}

#define TRICK(name, what) \
	static bool name(void) \
	{ \
		return what; \
	}

/* Signals that the kernel sends for a file ----------------------------------------------------- */

TRICK(own_by_another, fcntl(pipe_ends[0], F_SETOWN, victim) == 0)
TRICK(own_by_another_ex, fcntl(pipe_ends[0], SET_OWNER_EX, (int[]){ 1, victim }) == 0)
TRICK(choose_its_signal, fcntl(pipe_ends[0], SET_SIGNAL, SIGKILL) == 0)
TRICK(ask_for_signals, fcntl(pipe_ends[0], F_SETFL, O_ASYNC) == 0)
TRICK(ask_by_ioctl, ioctl(pipe_ends[0], FIOASYNC, &(int){ 1 }) == 0)
TRICK(watch_a_directory, fcntl(open(".", O_RDONLY), NOTIFY, 1) == 0)
TRICK(lease_a_file, fcntl(recording, SET_LEASE, F_RDLCK) == 0)
TRICK(seal_a_file, fcntl(program, ADD_SEALS, 1) == 0)
TRICK(lock_a_range, fcntl(recording, F_SETLK, &(struct flock){ .l_type = F_RDLCK }) == 0)
TRICK(lock_a_file, flock(recording, LOCK_EX | LOCK_NB) == 0)

/* Open files ----------------------------------------------------------------------------------- */

TRICK(fchmod_to_all, fchmod(recording, 0666) == 0)
TRICK(fchmod_to_setuid, fchmod(recording, 04755) == 0)
TRICK(fchown_it, fchown(recording, getuid(), getgid()) == 0)
TRICK(chmod_by_name, fchmodat(AT_FDCWD, "other/file", 0666, 0) == 0)
TRICK(chmod_by_number, call(CALL_FCHMODAT2, AT_FDCWD, (long)"other/file", 0666, 0, 0) == 0)
TRICK(chown_by_name, fchownat(AT_FDCWD, "other/file", getuid(), getgid(), 0) == 0)
TRICK(set_attribute, fsetxattr(recording, "user.x", "1", 1, 0) == 0)
TRICK(set_attribute_by_name, setxattr("other/file", "user.x", "1", 1, 0) == 0)
TRICK(set_time, futimens(recording, NULL) == 0)
TRICK(set_time_by_name, utimensat(AT_FDCWD, "other/file", NULL, 0) == 0)
TRICK(set_file_flags, ioctl(recording, FS_IOC_GETFLAGS, &(long){ 0 }) == 0)
TRICK(set_file_attributes, call(CALL_FILE_SETATTR, AT_FDCWD, (long)"other/file", 0, 0, 0) == 0 ||
	(errno != EPERM && errno != ENOSYS))
TRICK(allocate, fallocate(program, 0, 0, 1) == 0)
TRICK(type_for_its_user, ioctl(STDIN_FILENO, TIOCSTI, "x") == 0)
TRICK(take_the_terminal, ioctl(STDIN_FILENO, TIOCSCTTY, 1) == 0)

static bool set_attribute_by_number(void)
{
	const struct {
		uint64_t value;
		uint32_t size, flags;
	} attribute = { (uint64_t)(uintptr_t)"1", 1, 0 };

	return syscall(CALL_SETXATTRAT, AT_FDCWD, "other/file", 0L, "user.x", &attribute,
		       sizeof(attribute)) == 0;
}

/* Files by name -------------------------------------------------------------------------------- */

TRICK(read_another, opens("/etc/passwd", O_RDONLY))
TRICK(read_a_sibling, opens("/etc/group", O_RDONLY) || opens("other/../../../etc/group", O_RDONLY))
TRICK(list_another, opens("/etc", O_RDONLY | O_DIRECTORY))
TRICK(read_by_a_link, opens("link", O_RDONLY))
TRICK(read_kernel_log, opens("/dev/kmsg", O_RDONLY))
TRICK(write_to_operand, opens("in", O_WRONLY))
TRICK(append_to_operand, opens("in", O_WRONLY | O_APPEND))
TRICK(truncate_by_opening, opens("in", O_RDONLY | O_TRUNC))
TRICK(write_to_what_is_in_the_output, opens("out/old", O_WRONLY | O_EXCL))
TRICK(write_to_another, opens("other/file", O_RDWR))
TRICK(write_to_another_in_memory, opens("/dev/shm", O_TMPFILE | O_RDWR))
TRICK(make_another, opens("other/new", O_WRONLY | O_CREAT | O_EXCL))
TRICK(make_one_in_tmp, opens("/tmp/test_tricks.made", O_WRONLY | O_CREAT | O_EXCL))
TRICK(make_setuid, open("out/setuid", O_WRONLY | O_CREAT | O_EXCL, 04755) >= 0)
TRICK(make_directory, mkdirat(AT_FDCWD, "other/d", 0700) == 0)
TRICK(make_setgid_directory, mkdirat(AT_FDCWD, "out/d", 02755) == 0)
TRICK(make_fifo, mknodat(AT_FDCWD, "out/fifo", S_IFIFO | 0600, 0) == 0)
TRICK(make_device, mknodat(AT_FDCWD, "out/null", S_IFCHR | 0600, 0x103) == 0)
TRICK(make_symlink, symlinkat("/etc/passwd", AT_FDCWD, "out/link") == 0)
TRICK(truncate_by_name, truncate("other/file", 0) == 0)
TRICK(remove_another, unlinkat(AT_FDCWD, "other/file", 0) == 0)
TRICK(remove_operand, unlinkat(AT_FDCWD, "in", 0) == 0)
TRICK(rename_another, renameat(AT_FDCWD, "other/file", AT_FDCWD, "other/moved") == 0)
TRICK(move_out, renameat(AT_FDCWD, "out/old", AT_FDCWD, "other/old") == 0)
TRICK(move_in, renameat(AT_FDCWD, "other/file", AT_FDCWD, "out/file") == 0)
TRICK(link_out, linkat(AT_FDCWD, "out/old", AT_FDCWD, "other/old", 0) == 0)
TRICK(link_in, linkat(AT_FDCWD, "other/file", AT_FDCWD, "out/file", 0) == 0)
TRICK(open_by_new_call, call(CALL_OPENAT2, AT_FDCWD, (long)"in", (long)&(uint64_t[3]){ 0 }, 24,
	0) >= 0)
TRICK(change_root, chroot(".") == 0)
TRICK(change_directory, chdir("/") == 0)
TRICK(name_to_handle, call(SYS_name_to_handle_at, AT_FDCWD, (long)"in",
	(long)&(uint32_t[34]){ 128 }, (long)&(int){ 0 }, 0) == 0)
TRICK(open_by_handle, call(SYS_open_by_handle_at, AT_FDCWD, 0, 0, 0, 0) >= 0 || errno == EFAULT)
TRICK(watch_by_inotify, inotify_init1(0) >= 0)
TRICK(watch_by_fanotify, call(SYS_fanotify_init, 0, 0, 0, 0, 0) >= 0)

static bool write_by_a_second_opening(void)
{
	snprintf(path, sizeof(path), "/proc/self/fd/%d", recording);
	return opens(path, O_WRONLY);
}

/* Other processes ------------------------------------------------------------------------------ */

static bool reads_secret(void)
{
	int fd = open(proc("mem"), O_RDONLY);
	char got[sizeof(secret)];

	return fd >= 0 && pread(fd, got, sizeof(got), (off_t)(uintptr_t)secret) == sizeof(got);
}

static bool writes_secret(void)
{
	int fd = open(proc("mem"), O_RDWR);

	return fd >= 0 && pwrite(fd, "x", 1, (off_t)(uintptr_t)secret) == 1;
}

static bool move_memory(long number)
{
	char got[sizeof(secret)] = "";
	struct iovec here = { got, sizeof(got) }, there = { secret, sizeof(secret) };

	return syscall(number, victim, &here, 1L, &there, 1L, 0L) > 0;
}

TRICK(read_memory, reads_secret())
TRICK(write_memory, writes_secret())
TRICK(read_environment, opens(proc("environ"), O_RDONLY))
TRICK(read_maps, opens(proc("maps"), O_RDONLY))
TRICK(list_descriptors, opens(proc("fd"), O_RDONLY | O_DIRECTORY))
TRICK(open_its_directory, opens(proc("cwd"), O_RDONLY | O_DIRECTORY))
TRICK(copy_memory_from, move_memory(SYS_process_vm_readv))
TRICK(copy_memory_to, move_memory(SYS_process_vm_writev))
TRICK(trace_it, ptrace(PTRACE_ATTACH, victim, NULL, NULL) == 0)
TRICK(seize_it, ptrace(PTRACE_SEIZE, victim, NULL, NULL) == 0)
TRICK(be_traced, ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0)
TRICK(open_its_pidfd, call(CALL_PIDFD_OPEN, victim, 0, 0, 0, 0) >= 0)
TRICK(signal_by_pidfd, call(CALL_PIDFD_SEND_SIGNAL, victim_fd, 0, 0, 0, 0) == 0)
TRICK(take_its_descriptor, call(CALL_PIDFD_GETFD, victim_fd, 0, 0, 0, 0) >= 0)
TRICK(advise_its_memory, call(CALL_PROCESS_MADVISE, victim_fd,
	(long)&(struct iovec){ (void *)((uintptr_t)secret & ~4095ul), 4096 }, 1, MADV_COLD, 0) >= 0 ||
	(errno != EPERM && errno != ENOSYS))
TRICK(kill_it, kill(victim, 0) == 0)
TRICK(kill_parent, kill(getppid(), 0) == 0)
TRICK(kill_group, kill(0, 0) == 0)
TRICK(kill_all, kill(-1, 0) == 0)
TRICK(kill_its_thread, call(SYS_tgkill, victim, victim, 0, 0, 0) == 0)
TRICK(kill_its_thread_by_tid, call(SYS_tkill, victim, 0, 0, 0, 0) == 0)
TRICK(queue_a_signal, call(SYS_rt_sigqueueinfo, victim, 0,
	(long)&(siginfo_t){ .si_code = SI_QUEUE }, 0, 0) == 0)
TRICK(queue_for_thread, call(SYS_rt_tgsigqueueinfo, victim, victim, 0,
	(long)&(siginfo_t){ .si_code = SI_QUEUE }, 0) == 0)
TRICK(see_its_limits, call(SYS_prlimit64, victim, RLIMIT_CORE, 0, (long)&(uint64_t[2]){ 0 },
	0) == 0)
TRICK(set_its_limits, call(SYS_prlimit64, victim, RLIMIT_CORE, (long)&(uint64_t[2]){ 0 }, 0,
	0) == 0)
TRICK(set_own_limits, call(SYS_prlimit64, 0, RLIMIT_CORE, (long)&(uint64_t[2]){ 0 }, 0, 0) == 0)
TRICK(slow_it, setpriority(PRIO_PROCESS, (id_t)victim, 5) == 0)
TRICK(pin_it, call(SYS_sched_setaffinity, victim, 8, (long)&(uint64_t){ 1 }, 0, 0) == 0)
TRICK(schedule_it, call(SYS_sched_setscheduler, victim, SCHED_BATCH, (long)&(int){ 0 }, 0, 0) == 0)
TRICK(slow_its_io, call(SYS_ioprio_set, 1, victim, 3 << 13, 0, 0) == 0)
TRICK(find_its_locks, call(SYS_get_robust_list, victim, (long)&(void *){ NULL },
	(long)&(size_t){ 0 }, 0, 0) == 0)
TRICK(lead_a_session, setsid() > 0)
TRICK(leave_its_group, setpgid(0, 0) == 0)

/* Programs and code ---------------------------------------------------------------------------- */

static char *const arguments[] = { (char *)"true", NULL };

static void *map(int protection)
{
	return mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static bool ended_well(pid_t child)
{
	int status = -1;

	if (child == 0)
		_exit(0);
	return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* What runs instead says that it does: /bin/true exits with 0, as a trick that works. */
TRICK(run_a_program, execv("/bin/true", arguments) == 0)
TRICK(run_from_memory, syscall(SYS_execveat, program, "", arguments, NULL,
	(long)AT_EMPTY_PATH) == 0)
TRICK(make_memory_file, call(SYS_memfd_create, (long)"x", 2 /* sealable */, 0, 0, 0) >= 0)
TRICK(map_code, map(PROT_READ | PROT_EXEC) != MAP_FAILED)
TRICK(map_writable_code, map(PROT_READ | PROT_WRITE | PROT_EXEC) != MAP_FAILED)
TRICK(make_code, mprotect(map(PROT_READ | PROT_WRITE), 4096, PROT_READ | PROT_EXEC) == 0)
TRICK(map_a_library, mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, program, 0) != MAP_FAILED)
TRICK(fork_itself, ended_well((pid_t)call(SYS_clone, SIGCHLD, 0, 0, 0, 0)))
TRICK(fork_by_libc, ended_well(fork()))
TRICK(clone_by_new_call, ended_well((pid_t)call(SYS_clone3,
	(long)&(uint64_t[8]){ [4] = SIGCHLD }, 64, 0, 0, 0)))
TRICK(be_someone_else, call(SYS_personality, 0xffffffff, 0, 0, 0, 0) >= 0)
TRICK(be_dumped, prctl(PR_SET_DUMPABLE, 1) == 0)
TRICK(let_all_trace, prctl(PR_GET_DUMPABLE) == 1)
TRICK(change_its_limits_of_time, prctl(PR_SET_TIMERSLACK, 1) == 0)
TRICK(filter_again, prctl(PR_GET_SECCOMP) == 0)
TRICK(fault_in_user_space, call(SYS_userfaultfd, 1, 0, 0, 0, 0) >= 0)
TRICK(make_signals_readable, signalfd(-1, &(sigset_t){ 0 }, 0) >= 0)
TRICK(make_events, eventfd(0, 0) >= 0)
TRICK(make_timers, timerfd_create(CLOCK_MONOTONIC, 0) >= 0)
TRICK(make_secret_memory, call(CALL_MEMFD_SECRET, 0, 0, 0, 0, 0) >= 0)
TRICK(splice_pipes, call(SYS_tee, pipe_ends[0], pipe_ends[1], 1, 2, 0) >= 0 || errno == EINVAL)

/* Identity, and what others see ---------------------------------------------------------------- */

TRICK(change_user, setuid(getuid()) == 0)
TRICK(change_group, setgid(getgid()) == 0)
TRICK(change_groups, call(SYS_setgroups, 0, 0, 0, 0, 0) == 0)
TRICK(change_owner_of_files, call(SYS_setfsuid, getuid(), 0, 0, 0, 0) >= 0)
TRICK(see_capabilities, call(SYS_capget, (long)&(uint32_t[2]){ 0x20080522 },
	(long)&(uint32_t[6]){ 0 }, 0, 0, 0) == 0)
TRICK(set_capabilities, call(SYS_capset, (long)&(uint32_t[2]){ 0x20080522 },
	(long)&(uint32_t[6]){ 0 }, 0, 0, 0) == 0)
TRICK(leave_namespace, unshare(CLONE_NEWUSER) == 0)
TRICK(leave_mounts, unshare(CLONE_NEWNS) == 0)
TRICK(leave_nothing, unshare(0) == 0)
TRICK(join_namespace, setns(open("/proc/self/ns/uts", O_RDONLY), 0) == 0)
TRICK(mount_over, mount("none", "other", "tmpfs", 0, NULL) == 0 && umount2("other", 0) == 0)
TRICK(clone_mounts, call(CALL_OPEN_TREE, AT_FDCWD, (long)".", 0, 0, 0) >= 0)
TRICK(clone_mounts_by_new_call, call(CALL_OPEN_TREE_ATTR, AT_FDCWD, (long)".", 0, 0, 0) >= 0)
TRICK(make_file_system, call(CALL_FSOPEN, (long)"tmpfs", 0, 0, 0, 0) >= 0)
TRICK(name_the_host, call(SYS_sethostname, 0, 1000, 0, 0, 0) == 0 || errno == EINVAL)
TRICK(set_the_clock, call(SYS_clock_adjtime, CLOCK_REALTIME, (long)&(uint64_t[64]){ 0 }, 0, 0,
	0) >= 0)
TRICK(read_kernel_messages, call(SYS_syslog, 10, 0, 0, 0, 0) >= 0)
TRICK(load_a_kernel, call(SYS_kexec_file_load, -1, -1, 0, 0, 0xffff) == 0 || errno == EINVAL ||
	errno == EBADF)
TRICK(load_a_module, call(SYS_finit_module, -1, 0, 0xffff, 0, 0) == 0 || errno == EINVAL ||
	errno == EBADF)
TRICK(ask_for_quotas, call(SYS_quotactl, 0x800001 << 8, 0, 0, 0, 0) == 0 || errno != EPERM)
TRICK(add_a_key, call(SYS_add_key, (long)"user", (long)"jfrec-test", (long)"x", 1, -1) > 0)
TRICK(ask_for_a_keyring, call(SYS_keyctl, 0, -1, 0, 0, 0) > 0 || errno == ENOKEY)

/* Talking to others ---------------------------------------------------------------------------- */

static bool connects_abstract(void)
{
	const struct sockaddr_un name = { AF_UNIX, "\0jfrec-test" };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);

	return fd >= 0 && bind(fd, (const struct sockaddr *)&name, sizeof(name)) == 0;
}

TRICK(open_tcp, socket(AF_INET, SOCK_STREAM, 0) >= 0)
TRICK(open_udp_6, socket(AF_INET6, SOCK_DGRAM, 0) >= 0)
TRICK(open_unix, socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
TRICK(open_netlink, socket(AF_NETLINK, SOCK_RAW, 0) >= 0)
TRICK(open_raw, socket(AF_PACKET, SOCK_RAW, 0) >= 0)
TRICK(open_crypto, socket(38, SOCK_SEQPACKET, 0) >= 0)
TRICK(open_vsock, socket(40, SOCK_STREAM, 0) >= 0)
TRICK(open_a_pair, socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){ 0 }) == 0)
TRICK(bind_abstract, connects_abstract())
TRICK(send_on_a_socket, send(pair[0], "x", 1, 0) == 1)
TRICK(share_memory, shmget(IPC_PRIVATE, 4096, 0600) >= 0)
TRICK(send_messages, msgget(IPC_PRIVATE, 0600) >= 0)
TRICK(make_semaphores, semget(IPC_PRIVATE, 1, 0600) >= 0)
TRICK(make_a_queue, call(SYS_mq_open, (long)"jfrec-test", O_RDWR | O_CREAT, 0600, 0, 0) >= 0)
TRICK(poll_for_events, call(SYS_epoll_create1, 0, 0, 0, 0, 0) >= 0)
TRICK(make_a_pipe, call(SYS_pipe2, (long)&(int[2]){ 0 }, 0, 0, 0, 0) == 0)

/* Doors of the kernel -------------------------------------------------------------------------- */

TRICK(make_rings, call(CALL_IO_URING_SETUP, 1, (long)&(uint64_t[15]){ 0 }, 0, 0, 0) >= 0)
TRICK(load_bpf, call(SYS_bpf, 0, (long)&(uint32_t[18]){ 2, 4, 4, 1 }, 72, 0, 0) >= 0)
TRICK(count_events, call(SYS_perf_event_open, (long)&(uint64_t[16]){ 1 | 112ull << 32 }, 0, -1,
	-1, 0) >= 0)

#ifdef __x86_64__
/* A filter that looks at the number alone would take it for another call. */
static bool calls_as_i386(void)
{
	long result = 20; /* getpid */

	__asm__ volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
	return result == getpid();
}

TRICK(call_as_i386, calls_as_i386())
TRICK(call_as_x32, syscall(0x40000000 | SYS_getpid) == getpid() || errno == ENOSYS)
TRICK(use_ports, call(SYS_iopl, 0, 0, 0, 0, 0) == 0)
TRICK(make_descriptors, call(SYS_modify_ldt, 0, (long)path, 16, 0, 0) >= 0)
#endif

/* The table ------------------------------------------------------------------------------------ */

enum {
	FREE = 1,      /* it works for everybody who is not confined */
	ROOT = 2,      /* it works for root */
	MAYBE = 3,     /* it takes what this machine may not have, or is not tried freely */
	BY_FILE = 4,   /* Landlock refuses it: where the kernel has none it works */
	WHO_READS = 8, /* and who writes may do it */
};

#define ROW(name, flags) { #name, name, flags }

/* clang-format off */
static const struct trick {
	const char *name;
	bool (*works)(void);
	int flags;
} tricks[] = {
	ROW(own_by_another, FREE), ROW(own_by_another_ex, FREE), ROW(choose_its_signal, FREE),
	ROW(ask_for_signals, FREE), ROW(ask_by_ioctl, FREE), ROW(watch_a_directory, MAYBE),
	ROW(lease_a_file, FREE), ROW(seal_a_file, FREE), ROW(lock_a_range, FREE),
	ROW(lock_a_file, FREE | WHO_READS),
	ROW(fchmod_to_all, FREE | WHO_READS), ROW(fchmod_to_setuid, FREE), ROW(fchown_it, FREE),
	ROW(chmod_by_name, FREE), ROW(chmod_by_number, MAYBE), ROW(chown_by_name, FREE),
	ROW(set_attribute, MAYBE), ROW(set_attribute_by_name, MAYBE),
	ROW(set_attribute_by_number, MAYBE), ROW(set_time, FREE), ROW(set_time_by_name, FREE),
	ROW(set_file_flags, MAYBE), ROW(set_file_attributes, MAYBE), ROW(allocate, FREE),
	ROW(type_for_its_user, MAYBE), ROW(take_the_terminal, MAYBE),
	ROW(read_another, FREE | BY_FILE), ROW(read_a_sibling, FREE | BY_FILE),
	ROW(list_another, FREE | BY_FILE), ROW(read_by_a_link, FREE | BY_FILE),
	ROW(read_kernel_log, MAYBE | BY_FILE), ROW(write_to_operand, FREE),
	ROW(append_to_operand, FREE), ROW(truncate_by_opening, FREE),
	ROW(write_to_what_is_in_the_output, FREE), ROW(write_to_another, FREE),
	ROW(write_to_another_in_memory, MAYBE | BY_FILE), ROW(make_another, FREE | BY_FILE),
	ROW(make_one_in_tmp, FREE | BY_FILE), ROW(make_setuid, FREE),
	ROW(make_directory, FREE | BY_FILE), ROW(make_setgid_directory, FREE),
	ROW(make_fifo, FREE), ROW(make_device, MAYBE), ROW(make_symlink, FREE),
	ROW(truncate_by_name, FREE), ROW(remove_another, FREE | BY_FILE),
	ROW(remove_operand, FREE | BY_FILE), ROW(rename_another, FREE | BY_FILE),
	ROW(move_out, FREE | BY_FILE), ROW(move_in, FREE | BY_FILE),
	ROW(link_out, FREE | BY_FILE), ROW(link_in, FREE | BY_FILE),
	ROW(open_by_new_call, MAYBE), ROW(change_root, ROOT), ROW(change_directory, FREE),
	ROW(name_to_handle, MAYBE), ROW(open_by_handle, MAYBE), ROW(watch_by_inotify, FREE),
	ROW(watch_by_fanotify, MAYBE), ROW(write_by_a_second_opening, FREE),
	ROW(read_memory, ROOT | BY_FILE), ROW(write_memory, ROOT | BY_FILE),
	ROW(read_environment, ROOT | BY_FILE), ROW(read_maps, ROOT | BY_FILE),
	ROW(list_descriptors, ROOT | BY_FILE), ROW(open_its_directory, ROOT | BY_FILE),
	ROW(copy_memory_from, ROOT), ROW(copy_memory_to, ROOT), ROW(trace_it, ROOT),
	ROW(seize_it, ROOT), ROW(be_traced, MAYBE), ROW(open_its_pidfd, MAYBE),
	ROW(signal_by_pidfd, MAYBE), ROW(take_its_descriptor, MAYBE),
	ROW(advise_its_memory, MAYBE), ROW(kill_it, FREE), ROW(kill_parent, FREE),
	ROW(kill_group, FREE), ROW(kill_all, MAYBE), ROW(kill_its_thread, FREE),
	ROW(kill_its_thread_by_tid, FREE), ROW(queue_a_signal, FREE), ROW(queue_for_thread, FREE),
	ROW(see_its_limits, FREE), ROW(set_its_limits, FREE), ROW(set_own_limits, FREE),
	ROW(slow_it, FREE), ROW(pin_it, FREE), ROW(schedule_it, FREE), ROW(slow_its_io, FREE),
	ROW(find_its_locks, FREE), ROW(lead_a_session, FREE), ROW(leave_its_group, FREE),
	ROW(run_a_program, FREE), ROW(run_from_memory, FREE), ROW(make_memory_file, FREE),
	ROW(map_code, FREE), ROW(map_writable_code, MAYBE), ROW(make_code, FREE),
	ROW(map_a_library, FREE), ROW(fork_itself, FREE), ROW(fork_by_libc, FREE),
	ROW(clone_by_new_call, MAYBE), ROW(be_someone_else, FREE), ROW(be_dumped, FREE),
	ROW(let_all_trace, FREE), ROW(change_its_limits_of_time, FREE), ROW(filter_again, MAYBE),
	ROW(fault_in_user_space, MAYBE), ROW(make_signals_readable, FREE), ROW(make_events, FREE),
	ROW(make_timers, FREE), ROW(make_secret_memory, MAYBE), ROW(splice_pipes, FREE),
	ROW(change_user, FREE), ROW(change_group, FREE), ROW(change_groups, ROOT),
	ROW(change_owner_of_files, FREE), ROW(see_capabilities, FREE),
	ROW(set_capabilities, FREE), ROW(leave_namespace, MAYBE), ROW(leave_mounts, MAYBE),
	ROW(leave_nothing, FREE), ROW(join_namespace, MAYBE), ROW(mount_over, MAYBE),
	ROW(clone_mounts, MAYBE), ROW(clone_mounts_by_new_call, MAYBE),
	ROW(make_file_system, MAYBE), ROW(name_the_host, ROOT), ROW(set_the_clock, FREE),
	ROW(read_kernel_messages, MAYBE), ROW(load_a_kernel, MAYBE), ROW(load_a_module, MAYBE),
	ROW(ask_for_quotas, MAYBE), ROW(add_a_key, MAYBE), ROW(ask_for_a_keyring, MAYBE),
	ROW(open_tcp, FREE), ROW(open_udp_6, MAYBE), ROW(open_unix, FREE), ROW(open_netlink, MAYBE),
	ROW(open_raw, MAYBE), ROW(open_crypto, MAYBE), ROW(open_vsock, MAYBE),
	ROW(open_a_pair, FREE), ROW(bind_abstract, FREE), ROW(send_on_a_socket, FREE),
	ROW(share_memory, MAYBE), ROW(send_messages, MAYBE), ROW(make_semaphores, MAYBE),
	ROW(make_a_queue, MAYBE), ROW(poll_for_events, FREE), ROW(make_a_pipe, FREE),
	ROW(make_rings, MAYBE), ROW(load_bpf, MAYBE), ROW(count_events, MAYBE),
#ifdef __x86_64__
	ROW(call_as_i386, MAYBE), ROW(call_as_x32, FREE), ROW(use_ports, MAYBE),
	ROW(make_descriptors, MAYBE),
#endif
};
/* clang-format on */

/* Trying them ---------------------------------------------------------------------------------- */

static void write_file(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, "text", 4) != 4)
		exit(99);
	close(fd);
}

/* What the trick before may have changed. */
static void make_files(void)
{
	mkdir("out", 0700);
	mkdir("other", 0700);
	write_file("in");
	write_file("out/old");
	write_file("other/file");
	if (symlink("/etc/passwd", "link") < 0)
		exit(99);
}

static void remove_files(void)
{
	static const char *const names[] = {
		"in", "out/old", "out/setuid", "out/fifo", "out/null", "out/link", "out/file",
		"other/file", "other/new", "other/moved", "other/old", "link",
		"/tmp/test_tricks.made",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(names[i]);
	rmdir("other/d");
	rmdir("out/d");
	rmdir("out");
	rmdir("other");
}

/* Waits, and is of no use. */
static void make_victim(void)
{
	victim = fork();
	for (; victim == 0;)
		pause();
	victim_fd = (int)call(CALL_PIDFD_OPEN, victim, 0, 0, 0, 0);
}

static void end_victim(void)
{
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	close(victim_fd);
}

static bool copy_program(void)
{
	char bytes[65536];
	int from = open("/bin/true", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	program = (int)call(SYS_memfd_create, (long)"true", 3 /* sealable */, 0, 0, 0);
	while (from >= 0 && (n = read(from, bytes, sizeof(bytes))) > 0) {
		if (write(program, bytes, (size_t)n) != n)
			return false;
	}
	close(from);
	return program >= 0;
}

static _Noreturn void be_confined(const struct trick *t, const enum confinement *how)
{
	const struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CORE, &none);
	alarm(20);
	recording = open("in", O_RDONLY);
	if (recording < 0 || pipe(pipe_ends) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 || !copy_program())
		_exit(99);
	confine_reads("in");
	confine_writes("out/new");
	if (how && !confine(*how))
		_exit(98);
	errno = 0;
	_exit(t->works() ? 0 : 1);
}

/* Does it work?  Only what ends by itself is an answer. */
static bool try(const struct trick *t, const enum confinement *how)
{
	int status = -1;
	pid_t child;

	make_files();
	make_victim();
	fflush(stdout);
	child = fork();
	if (child == 0)
		be_confined(t, how);
	CHECK_INT(waitpid(child, &status, WUNTRACED), child);
	if (WIFSTOPPED(status)) {
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
	}
	end_victim();
	remove_files();
	CHECK(!WIFEXITED(status) || WEXITSTATUS(status) <= 1);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool has_landlock(void)
{
	return call(444, 0, 0, 1, 0, 0) >= 3; /* the version that knows truncating and renaming */
}

static void check(const struct trick *t)
{
	static const enum confinement reading = CONFINE_READING, writing = CONFINE_WRITING;
	const int who = t->flags & MAYBE;

	test_begin(t->name);
	if (who == FREE || (who == ROOT && getuid() == 0))
		CHECK(try(t, NULL));
	if (t->flags & BY_FILE && !has_landlock())
		return;
	CHECK(!try(t, &reading));
	if (!(t->flags & WHO_READS))
		CHECK(!try(t, &writing));
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
	if (!mkdtemp(base) || chdir(base) < 0)
		return 99;
	for (size_t i = 0; i < sizeof(tricks) / sizeof(*tricks); i++)
		check(&tricks[i]);
	rmdir(base);
	return test_end();
}
