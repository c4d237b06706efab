/* SPDX-License-Identifier: MIT */
/* test_confine.c - what a command that reads hostile bytes cannot do any more */
#include "base/confine.h"

#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[] = "/tmp/test_confine.XXXXXX";

static bool is_refused(long result)
{
	return result < 0 && (errno == EPERM || errno == EACCES);
}

static bool runs_no_program(void)
{
	char word[] = "true";
	char *const words[] = { word, NULL };

	return is_refused(execv("/bin/true", words)) &&
	       is_refused(syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, NULL, 0));
}

static bool starts_no_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	return is_refused(child) && is_refused(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) &&
	       syscall(SYS_clone3, NULL, 0) < 0 && errno == ENOSYS;
}

static bool talks_to_nobody(void)
{
	int pair[2];

	return is_refused(socket(AF_INET, SOCK_STREAM, 0)) &&
	       is_refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
	       is_refused(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
}

static bool touches_no_process(void)
{
	return is_refused(kill(getppid(), 0)) && is_refused(kill(-1, 0)) &&
	       is_refused(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)) &&
	       is_refused(syscall(SYS_pidfd_open, getppid(), 0)) &&
	       is_refused(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)) &&
	       kill(getpid(), 0) == 0;
}

static bool stays_who_it_is(void)
{
	return is_refused(setuid(getuid())) && is_refused(setgid(getgid())) &&
	       is_refused(syscall(SYS_unshare, 0)) && is_refused(chroot("/"));
}

static bool makes_no_rings(void)
{
	return is_refused(syscall(SYS_io_uring_setup, 1, NULL)) &&
	       is_refused(syscall(SYS_bpf, 0, NULL, 0));
}

static bool types_nothing(void)
{
	return is_refused(ioctl(STDIN_FILENO, TIOCSTI, "x"));
}

static void *set_flag(void *flag)
{
	*(bool *)flag = true;
	return NULL;
}

static bool has_threads(void)
{
	bool ran = false;
	pthread_t thread;

	return pthread_create(&thread, NULL, set_flag, &ran) == 0 &&
	       pthread_join(thread, NULL) == 0 && ran;
}

static bool has_memory_and_files(void)
{
	int fd = open("old", O_RDONLY | O_CLOEXEC);
	int memory = (int)syscall(SYS_memfd_create, "x", 1 /* MFD_CLOEXEC */);
	char byte;

	return fd >= 0 && read(fd, &byte, 1) == 1 && malloc(64 << 20) &&
	       mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0) != NULL && flock(fd, LOCK_SH | LOCK_NB) == 0 && close(fd) == 0 &&
	       write(memory, "x", 1) == 1 &&
	       open(".", O_PATH | O_DIRECTORY | O_CLOEXEC) >= 0; /* in O_ACCMODE of musl */
}

static bool changes_no_file(void)
{
	return is_refused(open("new", O_WRONLY | O_CREAT, 0600)) &&
	       is_refused(open("old", O_RDWR)) &&
	       is_refused(open("old", O_RDONLY | O_TRUNC)) &&
	       is_refused(unlink("old")) && is_refused(mkdir("d", 0700)) &&
	       is_refused(rename("old", "other")) &&
	       is_refused(chmod("old", 0644)) &&
	       is_refused(truncate("old", 0)) &&
	       is_refused(symlink("/", "link"));
}

/* What does not fit into memory is put into one. */
static bool has_unnamed_files(void)
{
	int fd = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return (fd >= 0 && write(fd, "x", 1) == 1) || errno == EOPNOTSUPP || errno == EISDIR;
}

static bool writes_files(void)
{
	int fd = open("new", O_WRONLY | O_CREAT | O_EXCL, 0600);

	return fd >= 0 && write(fd, "x", 1) == 1 && fsync(fd) == 0 &&
	       rename("new", "newer") == 0 &&
	       unlink("newer") == 0 && open("newest", O_WRONLY | O_CREAT | O_TRUNC, 0600) < 0;
}

/* In a child, since it cannot be undone. */
static void check(const char *name, enum confinement how, bool (*is_so)(void))
{
	int status = -1;
	pid_t child;

	test_begin(name);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		confine_reads("old");
		confine_writes("new");
		_exit(!confine(how) || !is_so());
	}
	CHECK_INT(waitpid(child, &status, 0), child);
	CHECK_INT(status, 0);
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
	int fd;

	if (!can_confine()) {
		printf("1..0 # SKIP no seccomp filters here, or a build with sanitizers\n");
		return 0;
	}
	if (!mkdtemp(directory) || chdir(directory) < 0 ||
	    (fd = open("old", O_WRONLY | O_CREAT, 0600)) < 0 || write(fd, "x", 1) != 1)
		return 99;
	close(fd);
	check("it_runs_no_program", CONFINE_WRITING, runs_no_program);
	check("it_starts_no_process", CONFINE_WRITING, starts_no_process);
	check("it_talks_to_nobody", CONFINE_WRITING, talks_to_nobody);
	check("it_touches_no_process", CONFINE_WRITING, touches_no_process);
	check("it_stays_who_it_is", CONFINE_WRITING, stays_who_it_is);
	check("it_makes_no_rings", CONFINE_WRITING, makes_no_rings);
	check("it_types_nothing", CONFINE_WRITING, types_nothing);
	check("who_writes_writes_files", CONFINE_WRITING, writes_files);
	check("who_writes_has_threads", CONFINE_WRITING, has_threads);
	check("who_reads_runs_no_program", CONFINE_READING, runs_no_program);
	check("who_reads_changes_no_file", CONFINE_READING, changes_no_file);
	check("who_reads_has_unnamed_files", CONFINE_READING, has_unnamed_files);
	check("who_reads_has_threads", CONFINE_READING, has_threads);
	check("who_reads_has_memory_and_files", CONFINE_READING, has_memory_and_files);
	unlink("old");
	rmdir(directory);
	return test_end();
}
