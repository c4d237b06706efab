/* SPDX-License-Identifier: MIT */
/*
 * session.c - a session with one JVM: connect, run commands, clean up
 */
#include "attach/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "attach/exchange.h"
#include "attach/handshake.h"
#include "attach/helper.h"
#include "attach/needs.h"
#include "base/arena.h"
#include "base/deadline.h"
#include "base/error.h"
#include "base/options.h"
#include "process/attach_socket.h"
#include "process/backoff.h"
#include "process/jvm.h"
#include "process/preflight.h"
#include "process/probe.h"
#include "process/rights.h"

/* Replies that are kept in memory. */
#define MAX_REPLY (16u << 20)

/* Letters of a name that cannot be guessed. */
#define RANDOM_LETTERS 16

struct jfrec_session {
	struct arena arena; /* strings of jvm */
	struct jfrec_jvm jvm;
	struct jvm_root root;
	struct helper helper;
	struct trace trace;
	int timeout_ms; /* of each command; 0: as the command likes */
	int64_t deadline; /* of all of them together; 0: there is none */
	bool no_signal, attach_anyway;
	jfrec_trace_fn *warn; /* or NULL */
	void *warn_ctx;
	int version; /* of the protocol, the highest it speaks; 0: not asked yet */
};

/* Opening -------------------------------------------------------------------------------------- */

static int call(struct jfrec_session *s, struct helper_request *q, int *fd, struct jfrec_error *err)
{
	*fd = -1;
	if (s->helper.channel < 0 && helper_start(&s->helper, &s->root, err) < 0)
		return -1;
	q->trace = s->trace.fn != NULL;
	return helper_call(&s->helper, q, &s->trace, fd, err);
}

/* What headroom_check() found: a warning is passed on, and who insists is not refused. 1, or -1. */
static int judge_room(const struct jfrec_session *s, int room, const struct jfrec_error *why,
		      struct jfrec_error *err)
{
	if (room > 0)
		return 1;
	if (room < 0 && !s->attach_anyway) {
		if (err)
			*err = *why;
		return -1;
	}
	if (s->warn)
		s->warn(s->warn_ctx, why->text);
	return 1;
}

/* Of a JVM that has no socket.  As check_ready(). */
static int check_first(struct jfrec_session *s, struct jfrec_error *err)
{
	struct ready_facts facts;
	struct jfrec_error why;
	int ready;

	if (probe_get_facts(&s->root, &facts, err) < 0)
		return -1;
	ready = ready_check(&s->root.process, &facts, err);
	if (ready <= 0 || s->no_signal)
		return ready;
	if (preflight_socket(&s->root, err) < 0)
		return -1;
	return judge_room(s, preflight_listener(&s->root.process, &why), &why, err);
}

/* Is there a socket, or may one be asked for?  1: yes; 0: not yet; -1: *err is set. */
static int check_ready(struct jfrec_session *s, bool *has_socket, struct jfrec_error *err)
{
	int found = attach_socket_find(&s->root, err);

	*has_socket = found > 0;
	if (found < 0 || process_refresh(&s->root.process, err) < 0)
		return -1;
	if (!found)
		return check_first(s, err);
	return ready_check_running(&s->root.process, err) < 0 ? -1 : 1;
}

static int reach_jvm(struct jfrec_session *s, struct jfrec_error *err)
{
	if (jvm_root_open(&s->root, s->jvm.pid, s->jvm.start_ticks, s->jvm.tmp, err) < 0)
		return -1;
	s->jvm.start_ticks = s->root.process.start_ticks;
	return rights_check(&s->root.process, err);
}

/*
 * Wait for a JVM that is just starting.  Until it is up, it may not even be a JVM but
 * the shell that will become one, with other directories and another user; so nothing
 * that was seen of it before counts.
 */
static int await_jvm(struct jfrec_session *s, int64_t deadline, bool *has_socket,
		     struct jfrec_error *err)
{
	struct backoff waiting = { .deadline = deadline };
	int ready;

	for (;;) {
		if (reach_jvm(s, err) < 0)
			return -1;
		ready = check_ready(s, has_socket, err);
		if (ready != 0)
			return ready < 0 ? -1 : 0;
		if (waiting.step == 0)
			trace_step(&s->trace, "it is still starting; waiting");
		if (!backoff_wait(&waiting, &s->root.process))
			return -1;
		jvm_root_close(&s->root);
	}
}

static int ask_to_listen(struct jfrec_session *s, int64_t deadline, struct jfrec_error *err)
{
	struct helper_request q = {
		.op = HELPER_LISTEN,
		.deadline = deadline,
		.attach_anyway = s->attach_anyway,
	};
	int fd;

	trace_step(&s->trace, "it has no attach socket %s/%s", s->root.tmp, s->root.socket);
	if (s->no_signal)
		return jfrec_fail(
			err, JFREC_EATTACH, JFREC_NO_OFFSET,
			"process %d has no attach socket, and its listener must not be started",
			s->root.process.pid);
	return call(s, &q, &fd, err);
}

/* A tmp cleaner came after the session was opened. */
static int listen_again(struct jfrec_session *s, int64_t deadline, struct jfrec_error *err)
{
	bool has_socket;
	int ready = check_ready(s, &has_socket, err);

	if (ready <= 0)
		return -1;
	return has_socket ? 0 : ask_to_listen(s, deadline, err);
}

static int open_session(struct jfrec_session *s, int timeout_ms, struct jfrec_error *err)
{
	int64_t deadline = deadline_in_ms(timeout_ms);
	const struct proc_status *status;
	bool has_socket;

	if (await_jvm(s, deadline, &has_socket, err) < 0)
		return -1;
	status = &s->root.process.status;
	trace_step(&s->trace, "process %d is %d in its namespace, uid %u, gid %u%s",
		   s->root.process.pid, status->ns_pid, status->euid, status->egid,
		   s->root.is_plain ? "; its root directory is not accessible, using ours" : "");
	return has_socket ? 0 : ask_to_listen(s, deadline, err);
}

struct jfrec_session *jfrec_session_open(const struct jfrec_jvm *jvm,
					 const struct jfrec_session_options *options,
					 struct jfrec_error *err)
{
	struct jfrec_session_options o;
	struct jfrec_session *s;
	int timeout_ms;

	if (options_take(&o, sizeof(o), options, err) < 0)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s) {
		jfrec_fail_memory(err);
		return NULL;
	}
	s->root = JVM_ROOT_NONE;
	s->helper = HELPER_NONE;
	s->trace = (struct trace){ o.trace, o.trace_ctx };
	s->timeout_ms = o.timeout_ms;
	s->no_signal = o.no_signal;
	jfrec_session_allow(s, o.whole_timeout_ms);
	timeout_ms = o.whole_timeout_ms ? o.whole_timeout_ms
		   : o.open_timeout_ms	? o.open_timeout_ms
					: s->timeout_ms;
	s->attach_anyway = o.attach_anyway;
	s->warn = o.warn;
	s->warn_ctx = o.warn_ctx;
	if (!jvm_copy(&s->jvm, jvm, &s->arena))
		jfrec_fail_memory(err);
	else if (open_session(s, timeout_ms ? timeout_ms : SESSION_TIMEOUT_MS, err) == 0)
		return s;
	jfrec_session_close(s);
	return NULL;
}

void jfrec_session_allow(struct jfrec_session *s, int ms)
{
	s->deadline = ms ? deadline_in_ms(ms) : 0;
}

int jfrec_session_look(struct jfrec_session *s, struct jfrec_error *err)
{
	return process_refresh(&s->root.process, err) < 0
		       ? -1
		       : ready_check_running(&s->root.process, err);
}

void jfrec_session_close(struct jfrec_session *s)
{
	if (!s)
		return;
	helper_stop(&s->helper);
	jvm_root_close(&s->root);
	arena_fini(&s->arena);
	free(s);
}

/* Commands ------------------------------------------------------------------------------------- */

/*
 * Once there is a helper it has a part in every connection: what is kept may hang on it.  To ask a
 * JVM, and leave nothing in its root, takes none.
 */
static int try_connect(struct jfrec_session *s, int64_t deadline, int *fd, struct jfrec_error *err)
{
	struct helper_request q = { .op = HELPER_CONNECT, .deadline = deadline };

	*fd = -1;
	if (s->helper.channel < 0)
		return handshake_connect(&s->root, deadline, &s->trace, fd, err);
	return call(s, &q, fd, err);
}

/* A tmp cleaner may come between two commands. */
static int connect_to_jvm(struct jfrec_session *s, int64_t deadline, int *fd,
			  struct jfrec_error *err)
{
	int got = try_connect(s, deadline, fd, err);

	if (got == 0) {
		if (listen_again(s, deadline, err) < 0)
			return -1;
		got = try_connect(s, deadline, fd, err);
	}
	if (got < 0)
		return -1;
	if (*fd >= 0)
		return 0;
	return jfrec_fail(err, JFREC_EATTACH, JFREC_NO_OFFSET,
			  "the attach socket of process %d is deleted each time it is created",
			  s->root.process.pid);
}

static int exchange(struct jfrec_session *s, const struct wire_request *request, int64_t deadline,
		    jfrec_write_fn *write, void *ctx, int *status, struct jfrec_error *err)
{
	struct helper_request give_up = { .op = HELPER_ABANDON };
	struct exchange x = { .process = &s->root.process, .deadline = deadline };
	int fd;

	if (exchange_check(x.process, err) < 0 || connect_to_jvm(s, deadline, &x.fd, err) < 0)
		return -1;
	if (exchange_run(&x, request, write, ctx, status, err) == 0) {
		close(x.fd);
		trace_step(&s->trace, "answered with status %d", *status);
		return 0;
	}
	close(x.fd);
	if (s->helper.channel >= 0)
		call(s, &give_up, &fd, NULL);
	return -1;
}

int session_reply_take(void *ctx, const void *data, size_t len)
{
	struct session_reply *r = ctx;
	char *text;

	if (len > MAX_REPLY - r->len)
		return EFBIG;
	text = realloc(r->text, r->len + len + 1);
	if (!text)
		return ENOMEM;
	memcpy(text + r->len, data, len);
	r->text = text;
	r->len += len;
	r->text[r->len] = '\0';
	return 0;
}

/* An old JVM does not know the question, and speaks version 1. */
static int ask_version(struct jfrec_session *s, int64_t deadline, struct jfrec_error *err)
{
	static const char *const what = "options";
	struct session_reply reply = { 0 };
	struct wire_request request;
	int result;

	if (s->version)
		return 0;
	if (wire_request_init(&request, 1, "getversion", &what, 1, err) < 0)
		return -1;
	result = exchange(s, &request, deadline, session_reply_take, &reply, &reply.status, err);
	wire_request_fini(&request);
	if (result == 0) {
		s->version = wire_version(reply.status, reply.text ? reply.text : "");
		trace_step(&s->trace, "it speaks version %d of the protocol", s->version);
	}
	session_reply_fini(&reply);
	return result;
}

/* Has the JVM what the operation makes it create? 1, or -1. */
static int check_needs(struct jfrec_session *s, const char *operation, const char *argument,
		       struct jfrec_error *err)
{
	struct headroom_need need;
	struct jfrec_error why;
	int room;

	if (process_refresh(&s->root.process, err) < 0)
		return -1;
	needs_of(operation, argument, &need);
	room = headroom_check(&s->root.process, &need, &why);
	if (room < 0) {
		needs_of_jvm(&s->root.process, operation, argument, &need);
		room = headroom_check(&s->root.process, &need, &why);
	}
	return judge_room(s, room, &why, err);
}

int session_run(struct jfrec_session *s, const char *operation, const char *const *arguments,
		size_t count, int timeout_ms, jfrec_write_fn *write, void *ctx, int *status,
		struct jfrec_error *err)
{
	int64_t deadline = s->deadline ? s->deadline
				       : deadline_in_ms(s->timeout_ms ? s->timeout_ms : timeout_ms);
	struct wire_request request;
	int version = 1, result;

	if (check_needs(s, operation, count ? arguments[0] : NULL, err) < 0)
		return -1;
	if (!wire_fits_v1(arguments, count)) {
		if (ask_version(s, deadline, err) < 0)
			return -1;
		version = s->version > 1 ? 2 : 1;
	}
	if (wire_request_init(&request, version, operation, arguments, count, err) < 0)
		return -1;
	result = exchange(s, &request, deadline, write, ctx, status, err);
	wire_request_fini(&request);
	return result;
}

int jfrec_session_run(struct jfrec_session *s, const char *operation, const char *const *arguments,
		      size_t count, jfrec_write_fn *write, void *ctx, int *status,
		      struct jfrec_error *err)
{
	return session_run(s, operation, arguments, count, SESSION_TIMEOUT_MS, write, ctx, status,
			   err);
}

int session_ask(struct jfrec_session *s, const char *operation, const char *const *arguments,
		size_t count, int timeout_ms, struct session_reply *reply, struct jfrec_error *err)
{
	*reply = (struct session_reply){ 0 };
	if (session_reply_take(reply, "", 0) != 0)
		return jfrec_fail_memory(err);
	if (session_run(s, operation, arguments, count, timeout_ms, session_reply_take, reply,
			&reply->status, err) == 0)
		return 0;
	session_reply_fini(reply);
	return -1;
}

int session_jcmd(struct jfrec_session *s, const char *command, int timeout_ms,
		 struct session_reply *reply, struct jfrec_error *err)
{
	trace_step(&s->trace, "asking: %s", command);
	return session_ask(s, "jcmd", &command, 1, timeout_ms, reply, err);
}

void session_reply_fini(struct session_reply *reply)
{
	free(reply->text);
	*reply = (struct session_reply){ 0 };
}

/* What is known -------------------------------------------------------------------------------- */

const struct jfrec_jvm *session_jvm(const struct jfrec_session *s)
{
	return &s->jvm;
}

const char *session_tmp(const struct jfrec_session *s)
{
	return s->root.tmp;
}

size_t session_count_threads(const struct jfrec_session *s, const char *name)
{
	return process_count_threads(&s->root.process, name);
}

bool session_cwd_is_deleted(const struct jfrec_session *s)
{
	return s->root.cwd_deleted;
}

void session_trace(struct jfrec_session *s, const char *format, ...)
{
	char step[TRACE_MAX];
	va_list args;

	va_start(args, format);
	vsnprintf(step, sizeof(step), format, args);
	va_end(args);
	trace_step(&s->trace, "%s", step);
}

/* Files in the JVM's root ---------------------------------------------------------------------- */

/* The result is a number, and *fd a descriptor if there is one. */
static int call_with(struct jfrec_session *s, enum helper_op op, const char *text, int *fd,
		     struct jfrec_error *err)
{
	struct helper_request q = { .op = op };

	if (strlen(text) >= sizeof(q.text))
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%.40s... is too long", text);
	memcpy(q.text, text, strlen(text) + 1);
	return call(s, &q, fd, err);
}

static int open_with(struct jfrec_session *s, enum helper_op op, const char *path,
		     struct jfrec_error *err)
{
	int fd;

	if (call_with(s, op, path, &fd, err) < 0)
		return -1;
	if (fd < 0)
		return jfrec_fail_sys(err, EMFILE, "cannot take over %s", path);
	return fd;
}

int session_temp_path(struct jfrec_session *s, const char *suffix, char path[SESSION_PATH_MAX],
		      struct jfrec_error *err)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
	unsigned char random[RANDOM_LETTERS];
	char name[RANDOM_LETTERS + 1] = "";
	int len;

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return jfrec_fail_sys(err, errno, "cannot get random bytes");
	for (size_t i = 0; i < sizeof(random); i++)
		name[i] = letters[random[i] % (sizeof(letters) - 1)];
	len = snprintf(path, SESSION_PATH_MAX, "%s/.jfrec-%s%s", s->root.tmp, name, suffix);
	if (len < SESSION_PATH_MAX)
		return 0;
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "the name of the directory %.100s is too long", s->root.tmp);
}

int session_create_file(struct jfrec_session *s, const char *path, struct jfrec_error *err)
{
	return open_with(s, HELPER_CREATE, path, err);
}

int session_open_file(struct jfrec_session *s, const char *path, struct jfrec_error *err)
{
	return open_with(s, HELPER_OPEN, path, err);
}

int session_open_directory(struct jfrec_session *s, const char *path, struct jfrec_error *err)
{
	return open_with(s, HELPER_OPEN_DIRECTORY, path, err);
}

int session_remove_file(struct jfrec_session *s, const char *path, struct jfrec_error *err)
{
	int fd;

	return call_with(s, HELPER_REMOVE, path, &fd, err);
}

int session_keep_file(struct jfrec_session *s, const char *path, struct jfrec_error *err)
{
	int fd;

	return call_with(s, HELPER_KEEP_FILE, path, &fd, err);
}

int session_keep_command(struct jfrec_session *s, const char *command, struct jfrec_error *err)
{
	int fd;

	if (strlen(command) > WIRE_ARGUMENT_MAX)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "a command to run at the end may have at most %d "
				  "bytes", WIRE_ARGUMENT_MAX);
	return call_with(s, HELPER_KEEP_COMMAND, command, &fd, err);
}

void session_forget(struct jfrec_session *s, int number)
{
	struct helper_request q = { .op = HELPER_FORGET, .number = number };
	int fd;

	if (number >= 0)
		call(s, &q, &fd, NULL);
}
