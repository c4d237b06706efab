/* SPDX-License-Identifier: MIT */
/*
 * every.c - show a view of a running JVM, and refresh it
 *
 * Each table is made by a child, which gives up all rights before it reads what the JVM wrote: this
 * process keeps those that it needs to look at the JVM again, and reads only text. What the child
 * prints goes into unnamed files, so that a table is shown as a whole.
 */
#include "view/every.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/screen.h"
#include "base/stdout.h"

/* More than any screen shows. */
#define MOST_SHOWN ((size_t)1 << 20)

struct every {
	struct view_request *request;
	char *const *operands;
	int count;
	bool on_screen;
	int width; /* that was asked for */
	char time[64]; /* of the table */
	/* The child at work. */
	pid_t child;
	int done;	       /* closed by its end; -1: there is none */
	int output, messages; /* unnamed files */
	/* The last table of which something was shown; in memory for the screen only. */
	char *shown;
	size_t shown_len;
	unsigned tables, failures;
};

static const char *target_of(const struct every *e)
{
	return e->request->from.jvm ? e->request->from.jvm : e->operands[0];
}

static int fail_sys(const char *what)
{
	fprintf(stderr, "jfrec: cannot %s: %m\n", what);
	return EXIT_FAILED;
}

/* Children ------------------------------------------------------------------------------------- */

static _Noreturn void make_table(struct every *e, pid_t parent)
{
	int status = EXIT_FAILED;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	screen_forget();
	if (getppid() == parent && dup2(e->output, STDOUT_FILENO) >= 0 &&
	    dup2(e->messages, STDERR_FILENO) >= 0) {
		status = view_show(e->request, e->operands, e->count);
		if (fflush(stdout) != 0 && status == EXIT_DONE)
			status = EXIT_FAILED;
	}
	fflush(stderr);
	_exit(status);
}

static void note_time(struct every *e)
{
	time_t now = time(NULL);
	struct tm t;

	localtime_r(&now, &t);
	strftime(e->time, sizeof(e->time), e->on_screen ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S %z", &t);
}

static int begin_table(struct every *e)
{
	unsigned columns = screen_columns();
	pid_t parent = getpid();
	int ends[2];

	note_time(e);
	/* Tables are at most 120 wide by themselves. */
	e->request->table.width = e->width ? e->width : columns && columns < 120 ? (int)columns : 0;
	fflush(stdout);
	if (ftruncate(e->output, 0) < 0 || ftruncate(e->messages, 0) < 0 ||
	    lseek(e->output, 0, SEEK_SET) < 0 || lseek(e->messages, 0, SEEK_SET) < 0 ||
	    pipe(ends) < 0)
		return fail_sys("prepare a table");
	e->child = fork();
	if (e->child == 0) {
		close(ends[0]);
		make_table(e, parent);
	}
	close(ends[1]);
	if (e->child < 0) {
		close(ends[0]);
		return fail_sys("start a process");
	}
	e->done = ends[0];
	return EXIT_DONE;
}

/* Returns its exit code. */
static int end_table(struct every *e, bool at_once)
{
	int status = 0;

	if (at_once)
		kill(e->child, SIGKILL);
	while (waitpid(e->child, &status, 0) < 0 && errno == EINTR)
		;
	close(e->done);
	e->done = -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

/* What was printed --------------------------------------------------------------------------- */

/* Up to `most` bytes of an unnamed file; to be freed. */
static char *read_file(int fd, size_t most, size_t *len)
{
	struct stat st;
	char *text;
	ssize_t n;

	*len = 0;
	if (fstat(fd, &st) < 0 || st.st_size < 0)
		return NULL;
	if ((uint64_t)st.st_size < most)
		most = (size_t)st.st_size;
	text = malloc(most + 1);
	while (text && *len < most && (n = pread(fd, text + *len, most - *len, (off_t)*len)) > 0)
		*len += (size_t)n;
	return text;
}

/* Of any size, to standard output. 0 or an error. */
static int copy_output(const struct every *e)
{
	char piece[65536];
	off_t at = 0;
	ssize_t n;
	int error;

	while ((n = pread(e->output, piece, sizeof(piece), at)) > 0) {
		error = write_stdout(NULL, piece, (size_t)n);
		if (error)
			return error;
		at += n;
	}
	return 0;
}

static void copy_messages(const struct every *e)
{
	size_t len;
	char *text = read_file(e->messages, MOST_SHOWN, &len);

	if (text)
		fwrite(text, 1, len, stderr);
	fflush(stderr);
	free(text);
}

static int draw(const struct every *e)
{
	return e->shown ? screen_draw(e->shown, e->shown_len) : 0;
}

/* A line about it, the table, and what there was to say. */
static int show_on_screen(struct every *e)
{
	size_t table_len, messages_len;
	char *table = read_file(e->output, MOST_SHOWN, &table_len);
	char *messages = read_file(e->messages, MOST_SHOWN, &messages_len);
	char *text = NULL;
	int len = -1;

	if (table && messages)
		len = asprintf(&text, "%s, %s, every %g s, q ends\n%.*s\n%.*s", target_of(e), e->time,
			       (double)e->request->every_ns / 1e9, (int)table_len, table,
			       (int)messages_len, messages);
	free(table);
	free(messages);
	if (len < 0)
		return ENOMEM;
	free(e->shown);
	e->shown = text;
	e->shown_len = (size_t)len;
	return draw(e);
}

static int show_on_pipe(struct every *e)
{
	char line[80];
	int error = 0;

	if (e->request->format == VIEW_TEXT) {
		int n = snprintf(line, sizeof(line), "%s%s\n", e->tables ? "\n" : "", e->time);

		error = write_stdout(NULL, line, (size_t)n);
	} else if (e->request->format == VIEW_CSV && e->tables) {
		error = write_stdout(NULL, "\r\n", 2);
	}
	if (!error)
		error = copy_output(e);
	copy_messages(e);
	return error;
}

/* The loop ------------------------------------------------------------------------------------- */

/* -1: go on. */
static int take_table(struct every *e)
{
	int status = end_table(e, false), error;
	struct stat st;

	/* What can be read of what is damaged is worth being shown. */
	if (status == EXIT_DONE ||
	    (status == EXIT_FAILED && fstat(e->output, &st) == 0 && st.st_size > 0)) {
		error = e->on_screen ? show_on_screen(e) : show_on_pipe(e);
		e->tables++;
		e->failures = 0;
		return error ? report_write_failure(error) : -1;
	}
	/* A JVM that ends takes its files away, and then itself: look again who is there. */
	if (status == EXIT_FAILED && e->tables && !e->failures++)
		return -1;
	return status;
}

static int until(struct every *e, int64_t ns)
{
	for (;;) {
		int status = -1;

		switch (screen_wait(e->done, e->done < 0 ? ns : INT64_MAX)) {
		case WOKEN_TIME:
			return -1;
		case WOKEN_READY:
			status = take_table(e);
			break;
		case WOKEN_KEY:
			if (screen_key() == 'q' || screen_key() == 'Q')
				return EXIT_DONE;
			break;
		case WOKEN_SIGNAL:
			return EXIT_INTERRUPTED;
		case WOKEN_RESIZED:
			if (draw(e))
				return EXIT_FAILED;
			/* A table of that width. */
			if (e->done < 0)
				return -1;
		}
		if (status >= 0)
			return status;
	}
}

static int loop(struct every *e)
{
	int status;

	do {
		int64_t began = monotonic_now_ns();

		status = begin_table(e);
		if (status == EXIT_DONE)
			status = until(e, began + e->request->every_ns);
	} while (status < 0);
	return status;
}

/* On the terminal as it was before: the last table stays, and why it was the last. */
static int finish(struct every *e, int status)
{
	bool has_ended = e->tables && (status == EXIT_NO_JVM || status == EXIT_DIED);

	if (e->shown)
		write_stdout(NULL, e->shown, e->shown_len);
	if (e->done >= 0)
		end_table(e, true);
	else if (status > EXIT_DONE && !has_ended && status != EXIT_INTERRUPTED)
		copy_messages(e);
	if (!has_ended)
		return status;
	fprintf(stderr, "jfrec %s: ", e->request->command->name);
	put_name(stderr, target_of(e));
	fputs(" has ended\n", stderr);
	return EXIT_DONE;
}

int view_every(struct view_request *v, char *const *operands, int count)
{
	struct every e = { .request = v, .operands = operands, .count = count, .done = -1 };
	int status, sig;

	if (!operand_is_jvm(&v->from, operands, count))
		return report_usage(v->command, "--every is for a JVM, not for recordings");
	if (v->from.duration_ns)
		return report_usage(v->command, "--every cannot be combined with --duration; "
						"`jfrec start` starts a recording");
	e.width = v->table.width;
	e.output = memfd_create("table", MFD_CLOEXEC);
	e.messages = memfd_create("messages", MFD_CLOEXEC);
	if (e.output < 0 || e.messages < 0)
		return fail_sys("prepare a table");
	tzset();
	e.on_screen = screen_begin(true);
	status = loop(&e);
	sig = screen_signal();
	screen_end();
	status = finish(&e, status);
	free(e.shown);
	close(e.output);
	close(e.messages);
	/* By the usual way: as if it had never been caught. */
	if (sig == SIGTERM || sig == SIGHUP)
		raise(sig);
	return status;
}
