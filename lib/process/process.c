/* SPDX-License-Identifier: MIT */
/*
 * process.c - a handle to one process that cannot become another one
 */
#include "process/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"

/* Much more than the kernel writes into either. */
#define MAX_STATUS (64u << 10)

/* The size of the first read of a file. */
#define FIRST_READ 4096u

/* All of a file that has no size before it is read. */
static char *read_all(int fd, size_t limit, size_t *len)
{
	size_t room = FIRST_READ < limit ? FIRST_READ : limit;
	char *text = malloc(room + 1), *more;
	ssize_t n = 0;

	*len = 0;
	while (text && *len < limit) {
		if (*len == room) {
			room = room < limit / 2 ? room * 2 : limit;
			more = realloc(text, room + 1);
			if (!more)
				goto fail;
			text = more;
		}
		n = read(fd, text + *len, room - *len);
		if (n < 0 && errno != EINTR)
			goto fail;
		if (n == 0)
			break;
		if (n > 0)
			*len += (size_t)n;
	}
	if (text)
		text[*len] = '\0';
	return text;
fail:
	free(text);
	return NULL;
}

char *process_read(const struct process *p, const char *name, size_t limit, size_t *len)
{
	int fd = openat(p->dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY);
	char *text;
	int error;

	if (fd < 0)
		return NULL;
	text = read_all(fd, limit, len);
	error = errno;
	close(fd);
	errno = error;
	return text;
}

static bool is_gone(int error)
{
	return error == ESRCH || error == ENOENT;
}

static int fail_read(const struct process *p, const char *name, struct jfrec_error *err)
{
	if (is_gone(errno))
		return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended",
				  p->pid);
	if (errno == ENOMEM)
		return jfrec_fail_memory(err);
	return jfrec_fail_sys(err, errno, "cannot read /proc/%d/%s", p->pid, name);
}

static int fail_parse(const struct process *p, const char *name, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EIO, JFREC_NO_OFFSET, "cannot parse /proc/%d/%s",
			  p->pid, name);
}

static int read_start(const struct process *p, uint64_t *ticks, struct jfrec_error *err)
{
	size_t len;
	char *text = process_read(p, "stat", MAX_STATUS, &len);
	bool good;

	if (!text)
		return fail_read(p, "stat", err);
	good = proc_stat_start(text, ticks);
	free(text);
	return good ? 0 : fail_parse(p, "stat", err);
}

static int read_status(const struct process *p, struct proc_status *status, struct jfrec_error *err)
{
	size_t len;
	char *text = process_read(p, "status", MAX_STATUS, &len);
	bool good;

	if (!text)
		return fail_read(p, "status", err);
	good = proc_status_parse(status, text);
	free(text);
	return good ? 0 : fail_parse(p, "status", err);
}

/* With hidepid= the processes of others are not to be seen, but they are there. */
static int fail_no_process(int pid, struct jfrec_error *err)
{
	if (access("/proc/self/stat", F_OK) < 0)
		return jfrec_fail_sys(err, errno, "cannot use /proc");
	if (kill(pid, 0) < 0 && errno == EPERM)
		return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				  "process %d belongs to another user and is hidden from this user",
				  pid);
	return jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET, "there is no process %d", pid);
}

/* /proc/NUMBER is there for each thread, though not to be listed. */
static int check_identity(const struct process *p, uint64_t start_ticks, struct jfrec_error *err)
{
	if (p->status.tgid != p->pid)
		return jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
				  "%d is a thread of process %d", p->pid, p->status.tgid);
	if (start_ticks && start_ticks != p->start_ticks)
		return jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
				  "process %d has exited, and another process has its "
				  "number", p->pid);
	return 0;
}

static int read_identity(struct process *p, uint64_t start_ticks, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };

	if (read_status(p, &p->status, &why) == 0 && read_start(p, &p->start_ticks, &why) == 0)
		return check_identity(p, start_ticks, err);
	if (why.code == JFREC_EDIED)
		return fail_no_process(p->pid, err);
	if (err)
		*err = why;
	return -1;
}

/*
 * The directory comes first.  If the process that it stands for is still there
 * after the pidfd was got, its number was not free in between: both are the same.
 */
int process_open(struct process *p, int pid, uint64_t start_ticks, struct jfrec_error *err)
{
	char path[32];
	int ret;

	*p = PROCESS_NONE;
	p->pid = pid;
	if (pid <= 0)
		return jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET, "%d is not a valid pid", pid);
	snprintf(path, sizeof(path), "/proc/%d", pid);
	p->dir_fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (p->dir_fd < 0)
		return is_gone(errno) ? fail_no_process(pid, err)
				      : jfrec_fail_sys(err, errno, "cannot open /proc/%d", pid);
	p->pid_fd = (int)syscall(SYS_pidfd_open, pid, 0);
	ret = read_identity(p, start_ticks, err);
	if (ret < 0)
		process_close(p);
	return ret;
}

void process_close(struct process *p)
{
	if (p->dir_fd >= 0)
		close(p->dir_fd);
	if (p->pid_fd >= 0)
		close(p->pid_fd);
	*p = PROCESS_NONE;
}

int process_refresh(struct process *p, struct jfrec_error *err)
{
	if (read_status(p, &p->status, err) < 0)
		return -1;
	if (process_is_zombie(p))
		return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended",
				  p->pid);
	return 0;
}

static bool has(uint64_t signals, int sig)
{
	return signals >> (sig - 1) & 1;
}

bool process_catches_quit(const struct process *p)
{
	return has(p->status.caught, SIGQUIT) && !has(p->status.ignored, SIGQUIT);
}

bool process_is_stopped(const struct process *p)
{
	return p->status.state == 'T' || p->status.state == 't';
}

bool process_is_zombie(const struct process *p)
{
	return p->status.state == 'Z' || p->status.state == 'X' || p->status.state == 'x';
}

int process_signal(const struct process *p, int sig)
{
	if (p->pid_fd >= 0) {
		int sent = (int)syscall(SYS_pidfd_send_signal, p->pid_fd, sig, NULL, 0);

		/* Sandboxes and valgrind have pidfd_open, but not always this. */
		if (sent == 0 || errno != ENOSYS)
			return sent;
	}
	if (process_has_exited(p)) {
		errno = ESRCH;
		return -1;
	}
	return kill(p->pid, sig);
}

bool process_has_exited(const struct process *p)
{
	struct pollfd ended = { .fd = p->pid_fd, .events = POLLIN };
	struct process now = *p;

	if (p->pid_fd >= 0)
		return poll(&ended, 1, 0) > 0;
	return read_status(&now, &now.status, NULL) < 0 || process_is_zombie(&now);
}

static bool is_thread(int tasks, const char *tid, const char *name)
{
	char path[NAME_MAX + 8], comm[32];
	ssize_t len = -1;
	int fd;

	snprintf(path, sizeof(path), "%s/comm", tid);
	fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		len = read(fd, comm, sizeof(comm));
		close(fd);
	}
	return len == (ssize_t)strlen(name) + 1 && memcmp(comm, name, strlen(name)) == 0;
}

size_t process_count_threads(const struct process *p, const char *name)
{
	int fd = openat(p->dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *tasks = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	size_t count = 0;

	if (!tasks) {
		if (fd >= 0)
			close(fd);
		return 0;
	}
	while ((entry = readdir(tasks)) != NULL)
		count += entry->d_name[0] != '.' && is_thread(fd, entry->d_name, name);
	closedir(tasks);
	return count;
}

bool process_has_thread(const struct process *p, const char *name)
{
	return process_count_threads(p, name) > 0;
}

/* Descriptors ---------------------------------------------------------------------------------- */

int process_each_descriptor(const struct process *p, process_descriptor_fn *fn, void *ctx)
{
	int fd = openat(p->dir_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *fds = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	char link[PATH_MAX];
	ssize_t len;

	if (!fds) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while (ret >= 0 && (entry = readdir(fds)) != NULL) {
		len = readlinkat(fd, entry->d_name, link, sizeof(link) - 1);
		if (len <= 0)
			continue;
		link[len] = '\0';
		ret = fn(ctx, atoi(entry->d_name), link);
	}
	closedir(fds);
	return ret < 0 ? ret : 0;
}

int process_open_descriptor(const struct process *p, int number)
{
	char name[32];

	snprintf(name, sizeof(name), "fd/%d", number);
	return openat(p->dir_fd, name, O_PATH | O_CLOEXEC);
}

/* Links ---------------------------------------------------------------------------------------- */

bool process_link(const struct process *p, const char *name, char path[PATH_MAX])
{
	ssize_t len = readlinkat(p->dir_fd, name, path, PATH_MAX - 1);

	if (len > 0)
		path[len] = '\0';
	return len > 0;
}

int process_open_link(const struct process *p, const char *name)
{
	return openat(p->dir_fd, name, O_PATH | O_CLOEXEC);
}
