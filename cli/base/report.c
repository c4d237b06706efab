/* SPDX-License-Identifier: MIT */
/*
 * report.c - report failures, and choose the exit code
 */
#include "base/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/harmless.h"
#include "base/output_limit.h"
#include "base/progress.h"

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
	const char *limit = err->code == JFREC_EOUTPUT ? output_limit_sentence(err->sys) : NULL;

	if (!limit)
		limit = spool_sentence(err);
	if (limit)
		return limit;
	return err->code == JFREC_ENOMEM ? budget_sentence() : err->text;
}

void say_out_of_memory(void)
{
	fprintf(stderr, "jfrec: %s\n", budget_sentence());
}

int report_failure(const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
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
	case JFREC_EHARM:
		return EXIT_HARM;
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

/* Also where no terminal reads it: a log or a mail is read by one later, line by line. */
void print_name(const char *name)
{
	put_name(stdout, name);
}

bool has_operands(const struct command *c, const struct opt_parser *p, const char *what)
{
	if (p->argc > p->first_operand)
		return true;
	report_usage(c, "name %s", what);
	return false;
}

/* How much of a long expression is shown before the place, and after it. */
#define SHOWN_BEFORE 40
#define SHOWN_AFTER  36

static bool is_inside_character(char c)
{
	return (c & 0xc0) == 0x80;
}

void report_expression(const struct command *c, const char *name, const char *expression,
		       const struct jfrec_error *err)
{
	size_t at = (size_t)err->offset, from = at > SHOWN_BEFORE ? at - SHOWN_BEFORE : 0;
	size_t end = at + strnlen(expression + at, SHOWN_AFTER);

	while (is_inside_character(expression[from]))
		from++;
	while (is_inside_character(expression[end]))
		end++;
	fprintf(stderr, "jfrec %s: %s%s%s\n  ", c->name, name, *name ? ": " : "", err->text);
	for (size_t i = from; i < end; i++)
		fputc((unsigned char)expression[i] < ' ' ? ' ' : expression[i], stderr);
	fputs("\n  ", stderr);
	for (size_t i = from; i < at; i++) {
		if (!is_inside_character(expression[i]))
			fputc(' ', stderr);
	}
	fputs("^\n", stderr);
}
