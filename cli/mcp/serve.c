/* SPDX-License-Identifier: MIT */
/*
 * serve.c - the loop of jfrec mcp: messages in, calls under way, messages out
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/command.h"
#include "base/report.h"
#include "base/stdout.h"
#include "mcp/calls.h"
#include "mcp/messages.h"
#include "mcp/pages.h"
#include "mcp/protocol.h"
#include "mcp/reply.h"

#define MOST_CALLS 8

/* How often processes are looked at: seldom, and often once they have closed their output. */
#define LOOK_NS (NS_PER_SECOND / 20)
#define SOON_NS (NS_PER_SECOND / 5000)

/* How often a client that asked for it hears of the progress. */
#define TELL_NS NS_PER_SECOND

struct server {
	struct workshop shop;
	struct connection connection;
	struct call calls[MOST_CALLS];
	struct messages messages;
	bool has_ended; /* the input */
	FILE *log;
};

static volatile sig_atomic_t asked_to_end;

static void note_signal(int number)
{
	asked_to_end = number;
}

/* Calls ---------------------------------------------------------------------------------------- */

static void log_call(const struct server *s, const struct call *c)
{
	const json_t *failed = json_object_get(c->result, "isError");
	const char *what = c->tool ? c->tool->name : c->uri;
	json_t *line;
	char *text;

	if (!s->log)
		return;
	line = json_pack("{s:f, s:s, s:f, s:b}", "time", (double)clock_now_ns(CLOCK_REALTIME) / 1e9,
			 "call", what, "seconds", (double)(monotonic_now_ns() - c->begun_ns) / 1e9,
			 "failed", c->result == NULL || json_is_true(failed));
	text = line ? json_dumps(line, JSON_COMPACT) : NULL;
	if (text)
		fprintf(s->log, "%s\n", text);
	fflush(s->log);
	free(text);
	json_decref(line);
}

static void finish_call(struct server *s, struct call *c)
{
	log_call(s, c);
	if (c->uri)
		protocol_lasting_result(&s->connection, c->id, json_incref(c->result));
	else
		protocol_result(&s->connection, c->id, json_incref(c->result));
	call_end(&s->shop, c);
}

static struct call *find_call(struct server *s, const json_t *id)
{
	for (unsigned i = 0; i < MOST_CALLS; i++) {
		if (s->calls[i].id && json_equal(s->calls[i].id, id))
			return &s->calls[i];
	}
	return NULL;
}

/* NULL, after an error was answered: there is no room for another. */
static struct call *new_call(struct server *s, const json_t *id, const json_t *params)
{
	for (unsigned i = 0; i < MOST_CALLS; i++) {
		struct call *c = &s->calls[i];
		json_t *token = protocol_token(params);

		if (c->id)
			continue;
		c->id = json_deep_copy(id);
		c->token = token ? json_deep_copy(token) : NULL;
		return c;
	}
	protocol_result(&s->connection, id,
			reply_of_failure(
				"Eight calls are under way, and no more can be: wait for one"));
	return NULL;
}

static void call_tool(struct server *s, const json_t *id, const json_t *params)
{
	const char *name = json_string_value(json_object_get(params, "name"));
	const struct tool *t = name ? tools_find(name, s->shop.has) : NULL;
	json_t *arguments = json_object_get(params, "arguments");
	const char *fault = NULL;
	struct call *c;

	if (!t) {
		protocol_error(&s->connection, id, RPC_INVALID_PARAMS,
			       "There is no tool of that name; see tools/list", NULL);
		return;
	}
	if (arguments && !json_is_object(arguments))
		fault = "arguments must be an object";
	else
		fault = tool_check(t, arguments);
	/* A failure that an assistant can read, and do better. */
	if (fault) {
		protocol_result(&s->connection, id, reply_of_failure(fault));
		return;
	}
	c = new_call(s, id, params);
	if (!c)
		return;
	c->tool = t;
	c->arguments = arguments ? json_deep_copy(arguments) : json_object();
	call_begin(&s->shop, c);
}

static void read_resource(struct server *s, const json_t *id, const json_t *params)
{
	const char *uri = json_string_value(json_object_get(params, "uri"));
	json_t *page = uri ? pages_read(uri) : NULL;
	struct call *c;

	if (page) {
		protocol_lasting_result(&s->connection, id, page);
		return;
	}
	if (!uri || !pages_have(uri)) {
		protocol_error(&s->connection, id, RPC_INVALID_PARAMS,
			       "This server has no resource of that name; see resources/list", NULL);
		return;
	}
	c = new_call(s, id, params);
	if (!c)
		return;
	c->uri = strdup(uri);
	c->arguments = json_object();
	call_begin(&s->shop, c);
}

/* Messages ------------------------------------------------------------------------------------- */

static json_t *list_tools(const struct server *s)
{
	json_t *tools = json_array();
	const struct tool *t;

	for (size_t i = 0; (t = tools_get(i)) != NULL; i++) {
		if (tool_is_there(t, s->shop.has))
			json_array_append_new(tools, tool_as_json(t));
	}
	return json_pack("{s:o}", "tools", tools);
}

static void take_request(struct server *s, const json_t *id, const char *method,
			 const json_t *params)
{
	struct connection *c = &s->connection;

	if (!protocol_admits(c, id, method, params))
		return;
	if (find_call(s, id))
		protocol_error(&s->connection, id, RPC_INVALID_REQUEST, "A request of that id is under way", NULL);
	else if (c->era == ERA_HANDSHAKE && strcmp(method, "initialize") == 0)
		protocol_result(c, id, protocol_initialize(c, params));
	else if (c->era == ERA_STATELESS && strcmp(method, "server/discover") == 0)
		protocol_lasting_result(c, id, protocol_discover());
	else if (c->era != ERA_STATELESS && strcmp(method, "ping") == 0)
		protocol_result(c, id, json_object());
	else if (strcmp(method, "tools/list") == 0)
		protocol_lasting_result(c, id, list_tools(s));
	else if (strcmp(method, "tools/call") == 0)
		call_tool(s, id, params);
	else if (strcmp(method, "resources/list") == 0)
		protocol_lasting_result(c, id, pages_list());
	else if (strcmp(method, "resources/templates/list") == 0)
		protocol_lasting_result(c, id, pages_templates());
	else if (strcmp(method, "resources/read") == 0)
		read_resource(s, id, params);
	else
		protocol_error(&s->connection, id, RPC_NO_METHOD, "Method not found", NULL);
}

/* A request that is cancelled gets no answer. */
static void take_notification(struct server *s, const char *method, const json_t *params)
{
	const json_t *id = json_object_get(params, "requestId");
	struct call *c = id ? find_call(s, id) : NULL;

	if (strcmp(method, "notifications/cancelled") == 0 && c)
		call_end(&s->shop, c);
}

static void take_message(void *ctx, const struct message *m)
{
	if (m->id)
		take_request(ctx, m->id, m->method, m->params);
	else
		take_notification(ctx, m->method, m->params);
}

static void refuse_message(void *ctx, const json_t *id, int code, const char *text)
{
	struct server *s = ctx;

	protocol_error(&s->connection, id, code, text, NULL);
}

static void take_input(struct server *s)
{
	size_t room;
	char *to = messages_room(&s->messages, &room);
	ssize_t n = read(STDIN_FILENO, to, room);

	if (n > 0)
		messages_come(&s->messages, (size_t)n);
	else
		s->has_ended = n == 0 || (errno != EINTR && errno != EAGAIN);
}

/* The loop ------------------------------------------------------------------------------------- */

static void step_calls(struct server *s)
{
	int64_t now = monotonic_now_ns();

	for (unsigned i = 0; i < MOST_CALLS; i++) {
		struct call *c = &s->calls[i];

		if (!c->id)
			continue;
		call_step(&s->shop, c);
		if (c->result) {
			finish_call(s, c);
		} else if (c->token && now - c->told_ns >= TELL_NS) {
			c->told_ns = now;
			protocol_progress(c->token, (double)(now - c->begun_ns) / 1e9);
		}
	}
}

/* Wait for input, and for what commands print. */
static void wait_for_any(struct server *s)
{
	struct pollfd fds[1 + ERRAND_TEXTS * MOST_CALLS] = {
		{ .fd = s->has_ended ? -1 : STDIN_FILENO, .events = POLLIN },
	};
	struct timespec patience = { .tv_sec = -1 };

	for (unsigned i = 0; i < MOST_CALLS; i++) {
		const struct errand *e = &s->calls[i].errand;

		for (unsigned k = 0; k < ERRAND_TEXTS; k++)
			fds[1 + ERRAND_TEXTS * i + k] =
				(struct pollfd){ .fd = e->pipes[k], .events = POLLIN };
		if (e->pid && e->pipes[0] < 0)
			patience = (struct timespec){ .tv_nsec = SOON_NS };
		else if (s->calls[i].id && patience.tv_sec < 0)
			patience = (struct timespec){ .tv_nsec = LOOK_NS };
	}
	if (ppoll(fds, sizeof(fds) / sizeof(*fds), patience.tv_sec < 0 ? NULL : &patience, NULL) <=
	    0)
		return;
	if (fds[0].revents)
		take_input(s);
	for (unsigned i = 0; i < ERRAND_TEXTS * MOST_CALLS; i++) {
		struct errand *w = &s->calls[i / ERRAND_TEXTS].errand;
		enum errand_text pipe = i % ERRAND_TEXTS;

		/* The input may have ended that call. */
		if (fds[1 + i].revents && w->pipes[pipe] == fds[1 + i].fd && fds[1 + i].fd >= 0)
			errand_read(w, pipe);
	}
}

/* What is under way when the input ends is answered; a signal ends it. */
static void serve(struct server *s)
{
	bool is_busy = true;

	while (!asked_to_end && !ferror(stdout) && (!s->has_ended || is_busy)) {
		step_calls(s);
		is_busy = false;
		for (unsigned i = 0; i < MOST_CALLS; i++)
			is_busy |= s->calls[i].id != NULL;
		if (!s->has_ended || is_busy)
			wait_for_any(s);
	}
	for (unsigned i = 0; i < MOST_CALLS; i++)
		call_end(&s->shop, &s->calls[i]);
}

static int fail_directory(const char *path)
{
	char text[200];

	if (errno == ENOSYS)
		snprintf(text, sizeof(text),
			 "the kernel has no openat2(), without which no path can be held "
			 "beneath a directory: Linux 5.6 or later is needed");
	else
		snprintf(text, sizeof(text), "cannot be opened: %s", strerror(errno));
	say(path, text);
	return EXIT_FAILED;
}

static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = note_signal };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		sigaction(signals[i], &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

static void make_salt(struct workshop *s, const char *given)
{
	unsigned char random[16] = { 0 };

	if (given) {
		snprintf(s->salt, sizeof(s->salt), "%s", given);
		return;
	}
	(void)!getrandom(random, sizeof(random), 0);
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(s->salt + 2 * i, 3, "%02x", random[i]);
}

static int open_all(struct server *s)
{
	const struct mcp_options *o = s->shop.options;

	if (!rooted_open(&s->shop.root, o->root))
		return fail_directory(o->root);
	if (!rooted_open(&s->shop.out, o->out))
		return fail_directory(o->out);
	s->log = o->log ? fopen(o->log, "ae") : NULL;
	if (o->log && !s->log)
		return fail_directory(o->log);
	make_salt(&s->shop, o->salt);
	if (!copies_begin(&s->shop.copies))
		return fail_directory("/var/tmp");
	s->messages.take = take_message;
	s->messages.refuse = refuse_message;
	s->messages.ctx = s;
	return messages_init(&s->messages) ? EXIT_DONE : (say_out_of_memory(), EXIT_FAILED);
}

int mcp_serve(const struct mcp_options *o)
{
	static struct server s;
	int status;

	s.shop.options = o;
	s.shop.root.fd = s.shop.out.fd = -1;
	s.shop.has =
		(o->root ? NEEDS_ROOT : 0) | (o->live ? NEEDS_LIVE : 0) | (o->out ? NEEDS_OUT : 0);
	for (unsigned i = 0; i < MOST_CALLS; i++)
		s.calls[i] = (struct call){ .files = { -1, -1 }, .errand.pipes = ERRAND_NO_PIPES };
	catch_signals();
	status = open_all(&s);
	if (status == EXIT_DONE) {
		serve(&s);
		status = finish_stdout();
	}
	copies_end(&s.shop.copies);
	rooted_close(&s.shop.root);
	rooted_close(&s.shop.out);
	if (s.log)
		fclose(s.log);
	messages_fini(&s.messages);
	return status;
}
