/* SPDX-License-Identifier: MIT */
/*
 * attach.c - the socket at which jfrec and jcmd reach this process, as they reach a JVM
 *
 * It listens from the start, so clients need not send SIGQUIT to make it listen.  If the socket was
 * deleted, clients do send it: where the program leaves SIGQUIT at its default, a handler looks
 * whether it comes from one of them, and else lets it do what it does by default.
 */
#include "recorder/control/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/commands.h"
#include "recorder/control/control.h"
#include "recorder/ground/fail.h"
#include "recorder/ground/filter.h"
#include "recorder/ground/held.h"
#include "recorder/ground/pin.h"
#include "recorder/observe/perfdata.h"
#include "recorder/stack/modules.h"
#include "recorder/threads/thread.h"

#define BACKLOG	   128
#define PATIENCE   3000u /* ms for a request, and as long for taking the reply */
#define LOOKED_AT  60u	 /* s: is the socket still there? */
#define SOON_NS	   25000000
#define OLD_STATUS 101	 /* of JVMs: an unknown version */

static struct {
	pthread_mutex_t lock;
	pid_t pid; /* 0: there is no listener */
	bool is_expected; /* but there will be */
	struct held listening;
	struct held wake; /* a socket that is connected to itself */
	ino_t inode;
	dev_t device;
	char path[64];
	uint64_t looked_ns;
} listener = { .lock = PTHREAD_MUTEX_INITIALIZER,
	       .listening = { .fd = -1 },
	       .wake = { .fd = -1 } };

/* For the handler of SIGQUIT: is there a listener, what to look for; and what it says. */
static _Atomic bool listens, is_asked;
static char trigger_here[32], trigger_tmp[48];

/* The socket ----------------------------------------------------------------------------------- */

static bool is_ours(void)
{
	struct stat st;

	return lstat(listener.path, &st) == 0 && S_ISSOCK(st.st_mode) &&
	       st.st_ino == listener.inode && st.st_dev == listener.device;
}

/*
 * Clients ask for that.  Where a filter of system calls may end the process for it, it has to be so
 * already.
 */
static bool belongs_to_us(const char *path, struct stat *st)
{
	if (lstat(path, st))
		return false;
	return (st->st_uid == geteuid() && st->st_gid == getegid()) ||
	       (!filter_is_there() && lchown(path, geteuid(), getegid()) == 0);
}

/* A JVM that this program has, or is: clients are its, and it has deleted our socket. */
static bool is_taken(void)
{
	struct stat st;

	return modules_have("libjvm.so") ||
	       (lstat(listener.path, &st) == 0 && S_ISSOCK(st.st_mode) && !is_ours());
}

/* Bound under another name: who sees it under its own can connect. */
static bool bind_socket(const struct held *s)
{
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	struct stat st;
	int failed;

	snprintf(to.sun_path, sizeof(to.sun_path), "%s.tmp", listener.path);
	unlink(to.sun_path);
	if (!held_is_there(s) || bind(s->fd, (struct sockaddr *)&to, sizeof(to)))
		return false;
	if (chmod(to.sun_path, 0600) == 0 && belongs_to_us(to.sun_path, &st) && held_is_there(s) &&
	    listen(s->fd, BACKLOG) == 0 && rename(to.sun_path, listener.path) == 0) {
		listener.inode = st.st_ino;
		listener.device = st.st_dev;
		return true;
	}
	failed = errno;
	unlink(to.sun_path);
	errno = failed;
	return false;
}

/* None: errno. */
static struct held make_socket(void)
{
	struct held s = held_take(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	int failed;

	snprintf(listener.path, sizeof(listener.path), "/tmp/.java_pid%d", (int)getpid());
	if (s.fd < 0 || bind_socket(&s))
		return s;
	failed = errno;
	held_close(&s);
	errno = failed;
	return HELD_NONE;
}

/*
 * Not a pipe: a program that closes its other end would wake the listener while it closes the rest.
 */
static struct held make_wake(void)
{
	struct held w = held_take(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	socklen_t size = sizeof(at.sun_family);

	/* The kernel gives it a name. */
	if (w.fd < 0 || bind(w.fd, (struct sockaddr *)&at, size))
		return w;
	size = sizeof(at);
	if (getsockname(w.fd, (struct sockaddr *)&at, &size) == 0 && held_is_there(&w) &&
	    connect(w.fd, (struct sockaddr *)&at, size) == 0)
		return w;
	held_close(&w);
	return HELD_NONE;
}

/*
 * Make again what the program closed.  Not at once, since others begin with a low number, and it
 * may be about to open what it wants to have that number.  False: something is missing.
 */
static bool look_after_descriptors(void)
{
	static bool were_gone;
	bool listening = held_is_there(&listener.listening), wake = held_is_there(&listener.wake);

	pthread_mutex_lock(&listener.lock);
	if (listener.pid && were_gone && !listening && !is_taken())
		listener.listening = make_socket();
	if (listener.pid && were_gone && !wake)
		listener.wake = make_wake();
	pthread_mutex_unlock(&listener.lock);
	were_gone = !listening || !wake;
	return !were_gone;
}

/* Make it again if it was deleted. */
static void look_after_socket(void)
{
	struct held made;

	pthread_mutex_lock(&listener.lock);
	listener.looked_ns = engine_monotonic_ns();
	if (listener.pid && !is_ours() && !is_taken() && (made = make_socket()).fd >= 0) {
		held_close(&listener.listening);
		listener.listening = made;
	}
	pthread_mutex_unlock(&listener.lock);
}

/* SIGQUIT -------------------------------------------------------------------------------------- */

/* If the socket was closed, the listener sees the flag when it looks next. */
static void on_quit(int number)
{
	int saved = errno;

	if (atomic_load(&listens) &&
	    (access(trigger_here, F_OK) == 0 || access(trigger_tmp, F_OK) == 0)) {
		atomic_store(&is_asked, true);
		if (held_is_there(&listener.wake))
			send(listener.wake.fd, "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	} else {
		/* It happens when this handler returns. */
		signal(number, SIG_DFL);
		raise(number);
	}
	errno = saved;
}

static void take_quit(void)
{
	struct sigaction now, ours = { .sa_handler = on_quit, .sa_flags = SA_RESTART };

	snprintf(trigger_here, sizeof(trigger_here), ".attach_pid%d", (int)getpid());
	snprintf(trigger_tmp, sizeof(trigger_tmp), "/tmp/.attach_pid%d", (int)getpid());
	sigemptyset(&ours.sa_mask);
	if (sigaction(SIGQUIT, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) &&
	    now.sa_handler == SIG_DFL)
		sigaction(SIGQUIT, &ours, NULL);
}

/* One client ----------------------------------------------------------------------------------- */

static bool may_ask(const struct held *client)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	return getsockopt(client->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
	       (peer.uid == geteuid() || peer.uid == 0);
}

/* False: the time is over. */
static bool wait_to(int fd, short events, uint64_t until_ns)
{
	struct pollfd p = { fd, events, 0 };
	uint64_t now = engine_monotonic_ns();

	return now < until_ns && poll(&p, 1, (int)((until_ns - now) / 1000000) + 1) > 0;
}

/* Who connects and closes only checks whether we listen: there is nothing to answer. */
static enum request_state receive(const struct held *client, struct request *r, char *room)
{
	uint64_t until = engine_monotonic_ns() + PATIENCE * 1000000ull;
	enum request_state state = REQUEST_PARTIAL;
	size_t len = 0;
	/* The parser changes what it reads, so what came before it is kept. */
	char *parsed = room + REQUEST_MAX;

	while (state == REQUEST_PARTIAL && len < REQUEST_MAX && held_is_there(client)) {
		ssize_t n = recv(client->fd, room + len, REQUEST_MAX - len, MSG_DONTWAIT);

		if (n > 0) {
			len += (size_t)n;
			memcpy(parsed, room, len);
			state = request_parse(r, parsed, len);
		} else if (n == 0 || (errno != EAGAIN && errno != EINTR)) {
			return REQUEST_BAD;
		} else if (!wait_to(client->fd, POLLIN, until)) {
			return REQUEST_BAD;
		}
	}
	return state == REQUEST_PARTIAL ? REQUEST_BAD : state;
}

static void send_all(const struct held *client, const uint8_t *data, size_t size)
{
	uint64_t until = engine_monotonic_ns() + PATIENCE * 1000000ull;

	while (size && held_is_there(client)) {
		ssize_t n = send(client->fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n > 0) {
			data += n;
			size -= (size_t)n;
		} else if ((n < 0 && errno != EAGAIN && errno != EINTR) ||
			   !wait_to(client->fd, POLLOUT, until)) {
			return;
		}
	}
}

static void serve(struct held *client)
{
	char *room = malloc(2 * REQUEST_MAX + 1);
	struct bytes text = { 0 }, reply = { 0 };
	enum request_state state;
	struct request r;

	if (room && may_ask(client)) {
		room[2 * REQUEST_MAX] = '\0';
		state = receive(client, &r, room);
		if (state == REQUEST_WHOLE) {
			bytes_format(&reply, "%d\n", carry_out_request(&r, &text));
			bytes_add(&reply, text.data, text.size);
		} else if (state == REQUEST_UNKNOWN_VERSION) {
			bytes_format(&reply, "%d\n", OLD_STATUS);
		}
		send_all(client, reply.data, reply.size);
		if (held_is_there(client))
			shutdown(client->fd, SHUT_WR);
	}
	bytes_fini(&text);
	bytes_fini(&reply);
	free(room);
	held_close(client);
}

/* The listener --------------------------------------------------------------------------------- */

static void empty_wake(void)
{
	char room[64];

	while (held_is_there(&listener.wake) &&
	       recv(listener.wake.fd, room, sizeof(room), MSG_DONTWAIT) > 0)
		;
}

static void take_client(void)
{
	struct held client = HELD_NONE;

	/* The number may be a socket of the program by now, with clients of its own. */
	if (held_is_there(&listener.listening))
		client = held_take(accept4(listener.listening.fd, NULL, NULL, SOCK_CLOEXEC));
	if (client.fd >= 0)
		serve(&client);
}

static void *listen_on(void *unused)
{
	(void)unused;
	/* By this name tools recognize it. */
	prctl(PR_SET_NAME, "Attach Listener");
	thread_exclude();
	for (;;) {
		uint64_t ns = control_tick();
		bool whole = look_after_descriptors();
		struct pollfd p[2] = { { whole ? listener.listening.fd : -1, POLLIN, 0 },
				       { whole ? listener.wake.fd : -1, POLLIN, 0 } };

		if (!whole && ns > SECOND_NS)
			ns = SECOND_NS;
		if (poll(p, 2, (int)(ns / 1000000) + 1) < 0 && errno != EINTR)
			break;
		if (p[1].revents & POLLIN)
			empty_wake();
		if (atomic_exchange(&is_asked, false) ||
		    engine_monotonic_ns() - listener.looked_ns > LOOKED_AT * (uint64_t)SECOND_NS)
			look_after_socket();
		if (p[0].revents & POLLIN)
			take_client();
	}
	return NULL;
}

static void forget(void)
{
	held_close(&listener.listening);
	held_close(&listener.wake);
	atomic_store(&listens, false);
	listener.pid = 0;
}

static void forget_in_child(void)
{
	held_close_in_child(&listener.listening);
	held_close_in_child(&listener.wake);
	listener.pid = 0;
}

static void in_child(void)
{
	int saved = errno;

	pthread_mutex_init(&listener.lock, NULL);
	listener.is_expected = false;
	atomic_store(&listens, false);
	if (!listener.pid)
		return;
	forget_in_child();
	perfdata_forget();
	errno = saved;
}

/* From here on SIGQUIT of a client does not end the program. */
static int expect(struct jfrec_recorder_error *err)
{
	static bool has_handler;

	if (getauxval(AT_SECURE))
		return recorder_fail(err, EPERM, "a program with more rights than its caller does not listen");
	if (!has_handler)
		pthread_atfork(NULL, NULL, in_child);
	has_handler = true;
	atomic_store(&listens, true);
	take_quit();
	return 0;
}

static int open_sockets(struct jfrec_recorder_error *err)
{
	int failed;

	listener.is_expected = false;
	listener.wake = make_wake();
	if (listener.wake.fd >= 0)
		listener.listening = make_socket();
	if (listener.listening.fd < 0) {
		failed = errno;
		forget();
		return recorder_fail(err, failed, "cannot listen at %s: %s", listener.path,
				     strerror(failed));
	}
	listener.pid = getpid();
	listener.looked_ns = engine_monotonic_ns();
	return 0;
}

static int open_listener(struct jfrec_recorder_error *err)
{
	int failed;

	if (expect(err) || open_sockets(err))
		return -1;
	failed = thread_make(listen_on);
	if (failed) {
		unlink(listener.path);
		forget();
		return recorder_fail(err, failed, "cannot start the listener's thread: %s", strerror(failed));
	}
	perfdata_open();
	return 0;
}

int attach_open(struct jfrec_recorder_error *err)
{
	int ret = 0;

#ifdef JFREC_NO_ATTACH
	return recorder_fail(err, 0, "this recorder was built without a listener");
#endif
	pin_own_module();
	pthread_mutex_lock(&listener.lock);
	if (!listener.pid)
		ret = open_listener(err);
	pthread_mutex_unlock(&listener.lock);
	return ret;
}

/* Soon ----------------------------------------------------------------------------------------- */

static int expect_once(struct jfrec_recorder_error *err)
{
	int ret = 0;

	pthread_mutex_lock(&listener.lock);
	if (!listener.pid && !listener.is_expected) {
		ret = expect(err);
		listener.is_expected = ret == 0;
	}
	pthread_mutex_unlock(&listener.lock);
	return ret;
}

void attach_expect(void)
{
#ifndef JFREC_NO_ATTACH
	expect_once(NULL);
#endif
}

void attach_open_expected(void)
{
	bool is;

	pthread_mutex_lock(&listener.lock);
	is = listener.is_expected;
	pthread_mutex_unlock(&listener.lock);
	if (is)
		attach_open(NULL);
}

static void *listen_soon(void *unused)
{
	struct jfrec_recorder_error err = { 0 };
	int ret = -1;

	prctl(PR_SET_NAME, "Attach Listener");
	thread_exclude();
	nanosleep(&(struct timespec){ 0, SOON_NS }, NULL);
	pthread_mutex_lock(&listener.lock);
	if (listener.is_expected) {
		ret = open_sockets(&err);
		if (ret == 0)
			perfdata_open();
	}
	pthread_mutex_unlock(&listener.lock);
	if (err.text[0])
		fail_report(&err);
	return ret ? NULL : listen_on(unused);
}

int attach_open_soon(struct jfrec_recorder_error *err)
{
	int failed;

#ifdef JFREC_NO_ATTACH
	return recorder_fail(err, 0, "this recorder was built without a listener");
#endif
	pin_own_module();
	if (expect_once(err))
		return -1;
	failed = thread_make(listen_soon);
	return failed ? recorder_fail(err, failed, "cannot start the listener's thread: %s", strerror(failed)) : 0;
}

void attach_close(void)
{
	pthread_mutex_lock(&listener.lock);
	listener.is_expected = false;
	if (listener.pid == getpid()) {
		if (is_ours())
			unlink(listener.path);
		perfdata_close();
		listener.pid = 0;
	}
	pthread_mutex_unlock(&listener.lock);
}
