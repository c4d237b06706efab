/* SPDX-License-Identifier: MIT */
/*
 * test_exchange.c - one request and its reply over a socketpair, without a JVM
 *
 * A child process plays the JVM's listener: it reads the request and does what the
 * row says.
 */
#include "attach/exchange.h"

#include "base/deadline.h"
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum ending {
	CLOSES,	      /* as JVMs do */
	RESETS,	      /* closes with something of the request unread */
	DIES,	      /* is killed */
	STOPS,	      /* and is not continued */
	STAYS_SILENT, /* and open */
};

static const struct {
	const char *name;
	const char *pieces[3]; /* with a pause between them */
	enum ending ending;
	int result;
	enum jfrec_code code;
	int status;
	const char *payload;
} rows[] = {
	{ "answers", { "0\nhello\n" }, CLOSES, 0, JFREC_OK, 0, "hello\n" },
	{ "answers_in_pieces", { "-", "1\nno", " such" }, CLOSES, 0, JFREC_OK, -1, "no such" },
	{ "answers_nothing", { "0\n" }, CLOSES, 0, JFREC_OK, 0, "" },
	{ "resets_after_the_answer", { "0\nhello" }, RESETS, 0, JFREC_OK, 0, "hello" },
	{ "hangs_up_without_a_word", { NULL }, CLOSES, -1, JFREC_EPERMISSION, 0, "" },
	{ "resets_without_a_word", { NULL }, RESETS, -1, JFREC_EPERMISSION, 0, "" },
	{ "breaks_off_in_the_status", { "10" }, CLOSES, -1, JFREC_EDIED, 0, "" },
	{ "is_no_listener", { "SSH-2.0-x\r\n" }, STAYS_SILENT, -1, JFREC_EATTACH, 0, "" },
	{ "dies_without_a_word", { NULL }, DIES, -1, JFREC_EDIED, 0, "" },
	{ "dies_while_it_answers", { "0\nhel" }, DIES, -1, JFREC_EDIED, 0, "hel" },
	{ "stops_without_a_word", { NULL }, STOPS, -1, JFREC_ETIMEOUT, 0, "" },
	{ "stops_while_it_answers", { "0\nhel" }, STOPS, -1, JFREC_ETIMEOUT, 0, "hel" },
	{ "says_nothing", { NULL }, STAYS_SILENT, -1, JFREC_ETIMEOUT, 0, "" },
	{ "never_ends", { "0\nhello" }, STAYS_SILENT, -1, JFREC_ETIMEOUT, 0, "hello" },
};

static void pause_ms(int ms)
{
	usleep((useconds_t)ms * 1000);
}

static _Noreturn void play(int fd, size_t row)
{
	char request[64];
	size_t want = rows[row].ending == RESETS ? 1 : sizeof(request);

	if (read(fd, request, want) < 0)
		_exit(1);
	for (size_t i = 0; i < 3 && rows[row].pieces[i]; i++) {
		if (write(fd, rows[row].pieces[i], strlen(rows[row].pieces[i])) < 0)
			_exit(1);
		pause_ms(5);
	}
	if (rows[row].ending == DIES)
		raise(SIGKILL);
	if (rows[row].ending == STOPS)
		raise(SIGSTOP);
	if (rows[row].ending != STAYS_SILENT)
		close(fd);
	for (;;)
		pause();
}

struct got {
	char text[64];
	size_t len;
};

static int take(void *ctx, const void *data, size_t len)
{
	struct got *g = ctx;

	if (len > sizeof(g->text) - g->len)
		return ENOSPC;
	memcpy(g->text + g->len, data, len);
	g->len += len;
	return 0;
}

static int refuse(void *ctx, const void *data, size_t len)
{
	(void)ctx, (void)data, (void)len;
	return EPIPE;
}

/* A connection to a child, which is the process behind it. */
static void start(size_t row, struct process *p, struct exchange *x, pid_t *pid)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0)
		abort();
	*pid = fork();
	if (*pid == 0) {
		close(ends[0]);
		play(ends[1], row);
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	CHECK_INT(process_open(p, *pid, 0, NULL), 0);
	*x = (struct exchange){ .fd = ends[0], .process = p, .deadline = deadline_in_ms(300) };
	if (rows[row].ending != STAYS_SILENT)
		x->deadline = deadline_in_ms(20000);
}

static void stop(struct process *p, struct exchange *x, pid_t pid)
{
	close(x->fd);
	process_close(p);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void test_row(size_t row, const struct wire_request *request)
{
	struct got got = { .len = 0 };
	struct jfrec_error err = { 0 };
	struct process p;
	struct exchange x;
	int status = 0;
	pid_t pid;

	test_begin(rows[row].name);
	start(row, &p, &x, &pid);
	CHECK_INT(exchange_run(&x, request, take, &got, &status, &err), rows[row].result);
	CHECK_INT(err.code, rows[row].code);
	CHECK(rows[row].ending != STOPS || strstr(err.text, "is stopped"));
	if (!rows[row].result)
		CHECK_INT(status, rows[row].status);
	CHECK_TEXT(got.text, got.len, rows[row].payload);
	stop(&p, &x, pid);
}

static void test_refusing_writer(const struct wire_request *request)
{
	struct jfrec_error err = { 0 };
	struct process p;
	struct exchange x;
	int status = 0;
	pid_t pid;

	test_begin("whoever_is_written_to_may_refuse");
	start(0, &p, &x, &pid);
	CHECK_INT(exchange_run(&x, request, refuse, NULL, &status, &err), -1);
	CHECK_INT(err.code, JFREC_EOUTPUT);
	CHECK_INT(err.sys, EPIPE);
	stop(&p, &x, pid);
}

static void test_stopped_before(void)
{
	struct jfrec_error err = { 0 };
	struct process p;
	struct exchange x;
	pid_t pid;
	int ended;

	test_begin("one_that_is_stopped_is_not_talked_to");
	start(0, &p, &x, &pid);
	kill(pid, SIGSTOP);
	waitpid(pid, &ended, WUNTRACED);
	CHECK_INT(exchange_check(&p, &err), -1);
	CHECK_INT(err.code, JFREC_EATTACH);
	CHECK(strstr(err.text, "is stopped"));
	kill(pid, SIGCONT);
	CHECK_INT(exchange_check(&p, &err), 0);
	stop(&p, &x, pid);
}

/* More than a socket holds, to somebody who reads nothing. */
static void test_request_that_nobody_reads(void)
{
	size_t len = WIRE_SIZE_MAX - 100;
	char *argument = malloc(len + 1);
	const char *const arguments[] = { argument };
	struct wire_request request;
	struct jfrec_error err = { 0 };
	struct process p;
	struct exchange x;
	int status = 0;
	pid_t pid;

	test_begin("a_request_that_nobody_reads");
	memset(argument, 'a', len);
	argument[len] = '\0';
	CHECK_INT(wire_request_init(&request, 2, "jcmd", arguments, 1, NULL), 0);
	start(sizeof(rows) / sizeof(*rows) - 2, &p, &x, &pid);
	fcntl(x.fd, F_SETFL, O_NONBLOCK);
	setsockopt(x.fd, SOL_SOCKET, SO_SNDBUF, &(int){ 4096 }, sizeof(int));
	CHECK_INT(exchange_run(&x, &request, take, NULL, &status, &err), -1);
	CHECK_INT(err.code, JFREC_ETIMEOUT);
	stop(&p, &x, pid);
	wire_request_fini(&request);
	free(argument);
}

int main(void)
{
	static const char *const argument = "VM.version";
	struct wire_request request;

	signal(SIGPIPE, SIG_IGN);
	if (wire_request_init(&request, 1, "jcmd", &argument, 1, NULL) < 0)
		return 1;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		test_row(i, &request);
	test_refusing_writer(&request);
	test_stopped_before();
	test_request_that_nobody_reads();
	wire_request_fini(&request);
	return test_end();
}
