/* SPDX-License-Identifier: MIT */
/*
 * handshake.c - make a JVM listen, and connect to it
 *
 * What must never happen: SIGQUIT reaching a JVM that does not handle it, which
 * ends it; and SIGQUIT reaching one whose listener has been started, whose
 * socket was deleted, and that finds no trigger.  That one gives up its listener
 * and never starts another.  So the trigger is made first, and stays until
 * the socket appears; where that does not happen and the signal may still be on
 * its way to such a JVM, the trigger stays for good.
 */
#include "attach/handshake.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/deadline.h"
#include "base/error.h"
#include "process/attach_socket.h"
#include "process/backoff.h"
#include "process/listening.h"
#include "process/preflight.h"
#include "process/signal_safety.h"
#include "process/touch.h"

/* The name of the listener's thread, as the kernel cuts it: 15 bytes. */
#define LISTENER_THREAD "Attach Listener"

/* How long another's handshake is given before we make our own. */
#define OTHERS_MS 1000

/* How long a socket may refuse: its JVM may just be starting or ending. */
#define REFUSED_MS 200

/* How often it is looked whether a JVM that is waited for can still answer. */
#define LOOK_MS 1000

static int fail_ended(const struct jvm_root *r, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EDIED, JFREC_NO_OFFSET, "process %d has ended",
			  r->process.pid);
}

/* The connection ------------------------------------------------------------------------------- */

/* With the rights of this process, in the helper or for our own user. */
static int connect_here(const struct jvm_root *r, struct opener_file *f, struct jfrec_error *err)
{
	int at = touch_find(r->tmp_fd, r->socket, f), fd = -1, error;

	if (at < 0)
		return -1;
	if (attach_socket_check(r, f, err) == 0)
		fd = touch_connect_to(at);
	error = errno;
	close(at);
	errno = error;
	return fd;
}

/* By the child that touches its files. */
static int connect_as_user(struct jvm_root *r, struct opener_file *f, struct jfrec_error *err)
{
	if (opener_look(&r->opener, r->tmp_fd, r->socket, f, NULL) <= 0) {
		errno = errno == ETIMEDOUT ? ETIMEDOUT : ENOENT;
		return -1;
	}
	if (attach_socket_check(r, f, err) < 0)
		return -1;
	return opener_connect(&r->opener, r->tmp_fd, r->socket, f, NULL);
}

/*
 * One attempt.  1: *fd is a connection to the very socket that was looked at, whatever has its name
 * by now; 0: there is none, or an attempt failed with *error; -1: *err is set.
 */
static int try_connect(struct jvm_root *r, int *fd, int *error, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };
	struct opener_file f;

	errno = 0;
	*fd = r->opener.is_here ? connect_here(r, &f, &why) : connect_as_user(r, &f, &why);
	*error = errno;
	/* It may have been replaced after the look. */
	if (*fd >= 0 && attach_socket_check(r, &f, &why) < 0) {
		close(*fd);
		*fd = -1;
	}
	if (!*why.text)
		return *fd >= 0;
	if (err)
		*err = why;
	return -1;
}

/* The listener must be the process that was chosen: /tmp may be shared, and pids alike. */
static int check_peer(const struct jvm_root *r, int fd, struct jfrec_error *err)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) < 0)
		return jfrec_fail_sys(err, errno, "cannot find out which process listens at "
						  "%.80s/%s",
				      r->tmp, r->socket);
	if (peer.pid == r->process.pid)
		return 0;
	if (peer.pid == 0)
		return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
				  "not process %d but one of another pid namespace listens at "
				  "%.80s/%s; they share this directory, and the first one that was "
				  "attached to took the socket",
				  r->process.pid, r->tmp, r->socket);
	return jfrec_fail(
		err, JFREC_EATTACH, JFREC_NO_OFFSET,
		"not process %d but process %d listens at %.80s/%s; they share this directory, and "
		"the first one that was attached to took the socket",
		r->process.pid, (int)peer.pid, r->tmp, r->socket);
}

static int fail_connect(const struct jvm_root *r, int error, struct jfrec_error *err)
{
	if (process_has_exited(&r->process))
		return fail_ended(r, err);
	if (error == EAGAIN)
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "process %d is busy with other clients; timed out waiting to "
				  "connect, and nothing was sent to it",
				  r->process.pid);
	if (error == ECONNREFUSED)
		return jfrec_fail(
			err, JFREC_EATTACH, JFREC_NO_OFFSET,
			"no process listens at %.80s/%s in the root directory of process %d; "
			"another process left it there; remove it and try again",
			r->tmp, r->socket, r->process.pid);
	if (error == EACCES || error == EPERM)
		return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
				  "the attach socket of process %d is denied to uid %u",
				  r->process.pid, geteuid());
	return jfrec_fail_sys(err, error, "cannot connect to the attach socket of process %d",
			      r->process.pid);
}

/* Is it worth another attempt?  Waits before. */
static bool may_retry(const struct jvm_root *r, int error, int64_t refused_until,
		      struct backoff *waiting)
{
	if (error == EINTR)
		return true;
	if (error != EAGAIN && (error != ECONNREFUSED || deadline_left_ms(refused_until) == 0))
		return false;
	return backoff_wait(waiting, &r->process) && !process_has_exited(&r->process);
}

/* While others wait before us: can it still answer them?  Looks each second. */
static int look_again(struct jvm_root *r, int64_t *next_look, struct jfrec_error *err)
{
	if (deadline_left_ms(*next_look) > 0)
		return 0;
	*next_look = deadline_in_ms(LOOK_MS);
	if (process_refresh(&r->process, err) < 0)
		return -1;
	return ready_check_running(&r->process, err);
}

int handshake_connect(struct jvm_root *r, int64_t deadline, const struct trace *t, int *fd,
		      struct jfrec_error *err)
{
	struct backoff waiting = { .deadline = deadline };
	int64_t refused_until = deadline_in_ms(REFUSED_MS), next_look = deadline_in_ms(LOOK_MS);
	int got, error, before = 0;

	do {
		got = try_connect(r, fd, &error, err);
		if (got < 0 || error == ENOENT)
			return got < 0 ? -1 : 0;
		if (got > 0)
			break;
		if (error != before)
			trace_step(t, "connecting to %.80s/%s: %s", r->tmp, r->socket,
				   strerror(error));
		before = error;
		if (look_again(r, &next_look, err) < 0)
			return -1;
	} while (may_retry(r, error, refused_until, &waiting));
	if (*fd < 0)
		return fail_connect(r, error, err);
	trace_step(t, "connected to %.80s/%s", r->tmp, r->socket);
	if (check_peer(r, *fd, err) == 0)
		return 1;
	close(*fd);
	return -1;
}

/* The trigger ---------------------------------------------------------------------------------- */

struct trigger {
	int dir_fd; /* where it is; -1: nowhere */
	bool ours;
};

static bool is_good(const struct jvm_root *r, const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == r->process.status.euid;
}

/* Ours is good only if the file system gave it our name; some make root a nobody. */
static int make_in(const struct jvm_root *r, int dir_fd, struct trigger *trigger)
{
	int fd = openat(dir_fd, r->trigger,
			O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat st;

	if (fd >= 0) {
		bool good = fstat(fd, &st) == 0 && is_good(r, &st);

		close(fd);
		if (!good) {
			unlinkat(dir_fd, r->trigger, 0);
			errno = EPERM;
			return -1;
		}
		*trigger = (struct trigger){ .dir_fd = dir_fd, .ours = true };
		return 0;
	}
	if (errno != EEXIST)
		return -1;
	if (fstatat(dir_fd, r->trigger, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	/* The JVM would look no further, and not be content with it. */
	if (!is_good(r, &st)) {
		errno = EEXIST;
		return -1;
	}
	*trigger = (struct trigger){ .dir_fd = dir_fd };
	return 0;
}

static int fail_trigger(const struct jvm_root *r, const char *where, struct jfrec_error *err)
{
	if (errno == EEXIST)
		return jfrec_fail(
			err, JFREC_EATTACH, JFREC_NO_OFFSET,
			"%s in the %.80s of process %d belongs to another user; remove it and "
			"try again",
			r->trigger, where, r->process.pid);
	return jfrec_fail(
		err, JFREC_EATTACH, JFREC_NO_OFFSET,
		"cannot create the file %s that starts the attach listener, neither in the "
		"working directory nor in the %.80s of process %d: %s",
		r->trigger, r->tmp, r->process.pid, strerror(errno));
}

static int make_trigger(const struct jvm_root *r, struct trigger *trigger, const struct trace *t,
			struct jfrec_error *err)
{
	*trigger = (struct trigger){ .dir_fd = -1 };
	if (r->cwd_fd >= 0 && make_in(r, r->cwd_fd, trigger) < 0 && errno == EEXIST)
		return fail_trigger(r, "working directory", err);
	if (trigger->dir_fd < 0 && make_in(r, r->tmp_fd, trigger) < 0)
		return fail_trigger(r, r->tmp, err);
	trace_step(t, "%s %s in its %s", trigger->ours ? "made" : "found", r->trigger,
		   trigger->dir_fd == r->tmp_fd ? r->tmp : "working directory");
	return 0;
}

int handshake_find_place(const struct jvm_root *r, struct jfrec_error *err)
{
	const int dirs[] = { r->cwd_fd, r->tmp_fd };
	struct stat st;

	for (int i = 0; i < 2; i++) {
		if (dirs[i] < 0)
			continue;
		if (fstatat(dirs[i], r->trigger, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			if (is_good(r, &st))
				return i;
			errno = EEXIST;
			return fail_trigger(r, i == 0 ? "working directory" : r->tmp, err);
		}
		if (faccessat(dirs[i], ".", W_OK | X_OK, AT_EACCESS) == 0)
			return i;
	}
	return fail_trigger(r, r->tmp, err);
}

static void remove_trigger(const struct jvm_root *r, const struct trigger *trigger,
			   const struct trace *t)
{
	if (!trigger->ours)
		return;
	unlinkat(trigger->dir_fd, r->trigger, 0);
	trace_step(t, "removed %s", r->trigger);
}

/* The listener --------------------------------------------------------------------------------- */

static bool is_listener(int tasks, const char *task)
{
	char path[64], name[sizeof(LISTENER_THREAD)] = "";
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%.20s/comm", task);
	fd = openat(tasks, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	len = read(fd, name, sizeof(name) - 1);
	close(fd);
	return len > 0 && strcmp(name, LISTENER_THREAD) == 0;
}

/* Has the listener been started once?  If that cannot be told, it may have been. */
static bool may_have_listener(const struct jvm_root *r)
{
	int fd = openat(r->process.dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *tasks = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *task;
	bool found = false;

	if (!tasks) {
		if (fd >= 0)
			close(fd);
		return true;
	}
	while (!found && (task = readdir(tasks)) != NULL)
		found = is_listener(fd, task->d_name);
	closedir(tasks);
	return found;
}

/*
 * 1: the socket is there; 0: it did not come; -1: *err is set: it has ended, or cannot answer,
 * since it was stopped or frozen meanwhile.
 */
static int await_socket(struct jvm_root *r, int64_t deadline, struct jfrec_error *err)
{
	struct backoff waiting = { .deadline = deadline };
	int64_t next_look = deadline_in_ms(LOOK_MS);
	int found;

	while ((found = attach_socket_find(r, err)) == 0) {
		if (process_has_exited(&r->process))
			return fail_ended(r, err);
		if (look_again(r, &next_look, err) < 0)
			return -1;
		if (!backoff_wait(&waiting, &r->process))
			return 0;
	}
	return found;
}

static bool is_quit_pending(struct jvm_root *r)
{
	return process_refresh(&r->process, NULL) == 0 &&
	       r->process.status.pending >> (SIGQUIT - 1) & 1;
}

/* It listens, but not where its socket should be; or that cannot be checked. */
static int fail_deleted(const struct jvm_root *r, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "the attach socket of process %d was deleted (by a cleaner of %.80s?) and "
			  "did not come back in time; try again with a longer --timeout, else the "
			  "JVM must be restarted",
			  r->process.pid, r->tmp);
}

/* From what can be seen of it now. */
static int fail_late(struct jvm_root *r, struct jfrec_error *err)
{
	if (process_refresh(&r->process, err) < 0 || preflight_socket(r, err) < 0 ||
	    preflight_connection(&r->process, err) < 0)
		return -1;
	if (listening_find(&r->process, r->socket, NULL) == LISTENING_SELF)
		return fail_deleted(r, err);
	if (is_quit_pending(r))
		return jfrec_fail(err, JFREC_ETIMEOUT, JFREC_NO_OFFSET,
				  "process %d has not taken SIGQUIT in time: it is busy, or the "
				  "machine is; try again with a longer --timeout",
				  r->process.pid);
	return jfrec_fail(
		err, JFREC_EATTACH, JFREC_NO_OFFSET,
		"process %d took SIGQUIT but opened no attach socket in %.80s in time; it may be "
		"busy: try again with a longer --timeout; if that does not help, it was sent "
		"SIGQUIT while it had a listener and no socket, and listens again only after a "
		"restart",
		r->process.pid, r->tmp);
}

static int send_signal(const struct jvm_root *r, const struct trace *t, struct jfrec_error *err)
{
	if (process_signal(&r->process, SIGQUIT) < 0) {
		if (errno == ESRCH)
			return fail_ended(r, err);
		if (errno == EPERM)
			return jfrec_fail(err, JFREC_EPERMISSION, JFREC_NO_OFFSET,
					  "process %d cannot be sent a signal by uid %u",
					  r->process.pid, geteuid());
		return jfrec_fail_sys(err, errno, "cannot send SIGQUIT to process %d",
				      r->process.pid);
	}
	trace_step(t, "sent SIGQUIT to process %d", r->process.pid);
	return 0;
}

/* Right before the signal, what may have changed since the session was opened. */
static int check_once_more(struct jvm_root *r, bool anyway, struct jfrec_error *err)
{
	if (process_refresh(&r->process, err) < 0 || ready_check_status(&r->process, err) < 0)
		return -1;
	return anyway || preflight_listener(&r->process, err) >= 0 ? 0 : -1;
}

/* Can the JVM make its socket?  A file of that kind is made and removed. */
static int try_socket(const struct jvm_root *r, struct jfrec_error *err)
{
	/*
	 * Some file systems know no sockets, or not by this call; and the JVM may have more rights.
	 */
	if (touch_try_socket(r->tmp_fd) == 0 ||
	    (errno != EROFS && errno != ENOSPC && errno != EDQUOT))
		return 0;
	return preflight_fail_socket(r, err);
}

/*
 * With the trigger in its place.  *harmless is cleared when the signal may find no
 * trigger, should that be removed.
 */
static int ask(struct jvm_root *r, const struct trigger *trigger, int64_t deadline, bool anyway,
	       const struct trace *t, bool *harmless, struct jfrec_error *err)
{
	int half = deadline_left_ms(deadline) / 2, found;

	/*
	 * Another client's trigger means that its signal is on its way: a second one would only
	 * have the JVM print a thread dump.  And a client that had one in place before ours has
	 * removed it because the socket was there.
	 */
	if (trigger->ours)
		found = attach_socket_find(r, err);
	else
		found = await_socket(r, deadline_in_ms(half < OTHERS_MS ? half : OTHERS_MS), err);
	if (found != 0)
		return found < 0 ? -1 : 0;
	if (check_once_more(r, anyway, err) < 0 || send_signal(r, t, err) < 0)
		return -1;
	found = await_socket(r, deadline, err);
	if (found > 0)
		return 0;
	/* Without its trigger a signal that still waits would make it print a thread dump. */
	*harmless = !may_have_listener(r) && !is_quit_pending(r);
	return found < 0 ? -1 : fail_late(r, err);
}

int handshake_start_listener(struct jvm_root *r, int64_t deadline, bool anyway,
			     const struct trace *t, struct jfrec_error *err)
{
	struct trigger trigger;
	bool harmless = true;
	int result;

	if (check_once_more(r, anyway, err) < 0 || try_socket(r, err) < 0)
		return -1;
	if (may_have_listener(r))
		trace_step(t, "its attach socket was deleted; asking for a new one");
	if (make_trigger(r, &trigger, t, err) < 0)
		return -1;
	result = ask(r, &trigger, deadline, anyway, t, &harmless, err);
	if (harmless)
		remove_trigger(r, &trigger, t);
	else if (trigger.ours)
		trace_step(t, "kept %s, which the signal may still need", r->trigger);
	if (result == 0)
		trace_step(t, "its attach socket exists");
	return result;
}
