/* SPDX-License-Identifier: MIT */
/*
 * report.c - print results and errors, and choose the exit code
 */
#include "common/report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/harmless.h"
#include "common/progress.h"

/* How long Ctrl-C waits for whoever reads the output. */
#define LAST_PATIENCE_MS 500

int put_name(FILE *to, const char *s)
{
	struct harmless h = { 0 };
	char text[HARMLESS_GROWTH * 4];
	size_t len = 0, n;

	for (; *s; s++) {
		n = harmless_text(&h, s, 1, false, text);
		len += fwrite(text, 1, n, to);
	}
	n = harmless_end(&h, text);
	return (int)(len + fwrite(text, 1, n, to));
}

void say(const char *path, const char *sentence)
{
	fputs("jfrec: ", stderr);
	put_name(stderr, strcmp(path, "-") == 0 ? "standard input" : path);
	fputs(": ", stderr);
	put_name(stderr, sentence);
	fputc('\n', stderr);
}

const char *failure_text(const struct jfrec_error *err)
{
	return err->code == JFREC_ENOMEM ? budget_sentence() : err->text;
}

void say_out_of_memory(void)
{
	fprintf(stderr, "jfrec: %s\n", budget_sentence());
}

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	(void)ctx;
	say(problem->input, problem->text);
}

static void on_problem_stop(void *ctx, const struct jfrec_problem *problem)
{
	on_problem(ctx, problem);
	if (problem->damage)
		jfrec_reader_stop(ctx);
}

void stop_at_damage(struct jfrec_reader *r)
{
	jfrec_reader_on_problem(r, on_problem_stop, r);
}

static void on_problem_collect(void *ctx, const struct jfrec_problem *problem)
{
	on_problem(ctx, problem);
	json_array_append_new(ctx, json_pack("{s:s, s:I, s:I, s:b, s:s}", "input", problem->input,
					     "offset", (json_int_t)problem->offset, "lost",
					     (json_int_t)problem->lost, "damage", problem->damage,
					     "text", problem->text));
}

void collect_problems(struct jfrec_reader *r, json_t *array)
{
	jfrec_reader_on_problem(r, on_problem_collect, array);
}

typedef struct jfrec_reader *open_fn(const char *path, struct jfrec_error *err);

static const char *types_from;

static int take_types_from(const struct opt_given *g, void *to)
{
	(void)to;
	types_from = g->value;
	return EXIT_DONE;
}

/* clang-format off */
const struct opt types_rows[] = {
	OPT_CALL_ALL(0, "types-from", "FILE", "read lost event types from this recording", take_types_from, NULL),
	{ 0 },
};
/* clang-format on */

static struct jfrec_reader *open_by(open_fn *open, char *const *paths, int count)
{
	struct jfrec_error err;
	struct jfrec_reader *r;

	budget_begin();
	r = open(paths[0], &err);
	if (!r) {
		say(paths[0], failure_text(&err));
		return NULL;
	}
	for (int i = 1; i < count; i++) {
		if (jfrec_reader_add(r, paths[i], &err) < 0) {
			say(paths[i], failure_text(&err));
			jfrec_reader_close(r);
			return NULL;
		}
	}
	if (types_from && jfrec_reader_types_from(r, types_from, &err) < 0) {
		say(types_from, failure_text(&err));
		jfrec_reader_close(r);
		return NULL;
	}
	jfrec_reader_on_problem(r, on_problem, NULL);
	return r;
}

struct jfrec_reader *open_recordings(char *const *paths, int count)
{
	return open_by(jfrec_reader_open, paths, count);
}

struct jfrec_reader *open_confined(enum confinement how, char *const *paths, int count)
{
	confine(how);
	return open_by(jfrec_reader_open, paths, count);
}

struct jfrec_reader *rescue_recordings(char *const *paths, int count)
{
	confine(CONFINE_WRITING);
	return open_by(jfrec_reader_rescue, paths, count);
}

int report_failure(const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (err->code == JFREC_EOUTPUT)
		return report_write_failure(err->sys);
	say(jfrec_reader_input(r), failure_text(err));
	return err->code == JFREC_EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

int exit_of(enum jfrec_code code)
{
	switch (code) {
	case JFREC_OK:
		return EXIT_DONE;
	case JFREC_EINVAL:
		return EXIT_USAGE;
	case JFREC_ENOJVM:
		return EXIT_NO_JVM;
	case JFREC_EPERMISSION:
		return EXIT_PERMISSION;
	case JFREC_EATTACH:
		return EXIT_ATTACH;
	case JFREC_ETIMEOUT:
		return EXIT_TIMEOUT;
	case JFREC_EDIED:
		return EXIT_DIED;
	case JFREC_ENOJFR:
		return EXIT_NO_JFR;
	case JFREC_ERESULT:
		return EXIT_RESULT;
	default:
		return EXIT_FAILED;
	}
}

/* Some sentences begin by the process themselves. */
static bool names_process(const char *sentence)
{
	return strncmp(sentence, "process ", strlen("process ")) == 0;
}

int report_jvm_failure(int pid, const struct jfrec_error *err)
{
	if (err->code == JFREC_EOUTPUT)
		return report_write_failure(err->sys);
	fputs("jfrec: ", stderr);
	if (pid && !names_process(err->text))
		fprintf(stderr, "process %d: ", pid);
	put_name(stderr, failure_text(err));
	fputc('\n', stderr);
	return exit_of(err->code);
}

int report_damage(const struct jfrec_reader *r)
{
	return jfrec_reader_damage(r) ? EXIT_FAILED : EXIT_DONE;
}

int report_usage(const struct command *c, const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	fprintf(stderr, "%s %s: ", program_invocation_short_name, c->name);
	put_name(stderr, text ? text : "out of memory");
	free(text);
	fprintf(stderr, "\nSee `%s %s --help`.\n", program_invocation_short_name, c->name);
	return EXIT_USAGE;
}

/* Standard output ---------------------------------------------------------------------------------
 */

/* After Ctrl-C the rest is written only if somebody still takes it. */
static bool is_given_up(void)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return progress_is_interrupted() && poll(&p, 1, LAST_PATIENCE_MS) <= 0;
}

static int write_all(const char *data, size_t len)
{
	while (len) {
		ssize_t n;

		if (is_given_up())
			return EINTR;
		/* As much as a pipe that is ready takes without blocking. */
		n = write(STDOUT_FILENO, data,
			  progress_is_interrupted() && len > PIPE_BUF ? PIPE_BUF : len);
		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int write_terminal(const char *data, size_t len)
{
	static struct harmless h; /* a character may come in two calls */
	char text[HARMLESS_GROWTH * (1024 + 3)];
	int error = 0;

	while (len && !error) {
		size_t piece = len < 1024 ? len : 1024;

		error = write_all(text, harmless_text(&h, data, piece, true, text));
		data += piece;
		len -= piece;
	}
	return error;
}

static bool is_terminal(void)
{
	static int known = -1;

	if (known < 0)
		known = isatty(STDOUT_FILENO);
	return known;
}

int write_stdout(void *ctx, const void *data, size_t len)
{
	(void)ctx;
	return is_terminal() ? write_terminal(data, len) : write_all(data, len);
}

void widen_stdout(void)
{
	fcntl(STDOUT_FILENO, F_SETPIPE_SZ, 1 << 20);
}

/* Also where no terminal reads it: a log or a mail is read by one later, line by line. */
void print_name(const char *name)
{
	put_name(stdout, name);
}

int report_write_failure(int error)
{
	if (error == EPIPE)
		return EXIT_DONE;
	fprintf(stderr, "jfrec: cannot write standard output: %s\n", strerror(error));
	return EXIT_FAILED;
}

int finish_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_DONE;
	return report_write_failure(errno ? errno : EIO);
}

/* How many bytes from here on are a character of UTF-8; 0 if they are none. */
static size_t character_length(const char *s)
{
	size_t left = strnlen(s, 4);
	json_t *character;

	for (size_t len = 1; len <= left; len++) {
		character = json_stringn(s, len);
		json_decref(character);
		if (character)
			return len;
	}
	return 0;
}

/* A copy in which each byte that is not UTF-8 is U+FFFD. */
static char *mend(const char *s)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *text = malloc(strlen(s) * strlen(replacement) + 1), *to = text;
	size_t len;

	if (!text)
		return NULL;
	for (; *s; s += len ? len : 1) {
		len = character_length(s);
		memcpy(to, len ? s : replacement, len ? len : strlen(replacement));
		to += len ? len : strlen(replacement);
	}
	*to = '\0';
	return text;
}

json_t *text_json(const char *text)
{
	json_t *json = text ? json_string(text) : json_null();
	char *mended;

	if (json)
		return json;
	mended = mend(text);
	json = mended ? json_string(mended) : NULL;
	free(mended);
	return json;
}

int print_json(json_t *document)
{
	char *text = document ? json_dumps(document, JSON_INDENT(2)) : NULL;
	int error;

	json_decref(document);
	if (!text) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	error = write_stdout(NULL, text, strlen(text));
	if (!error)
		error = write_stdout(NULL, "\n", 1);
	free(text);
	return error ? report_write_failure(error) : EXIT_DONE;
}

/* -------------------------------------------------------------------------------------------------
 */

const char *iso_time(char *to, size_t size, int64_t ns)
{
	int64_t rest = ns % 1000000000;
	time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	size_t len;

	if (rest < 0) {
		rest += 1000000000;
		seconds--;
	}
	gmtime_r(&seconds, &tm);
	len = strftime(to, size, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(to + len, size - len, ".%09" PRId64 "Z", rest);
	return to;
}

bool has_operands(const struct command *c, const struct opt_parser *p, const char *what)
{
	if (p->argc > p->first_operand)
		return true;
	report_usage(c, "name %s", what);
	return false;
}
