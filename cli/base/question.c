/* SPDX-License-Identifier: MIT */
/*
 * question.c - find the query among operands, whichever comes first
 */
#include "base/question.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/report.h"

/* How queries of `jfrec query` and statements of `jfrec sql` begin. */
static const char *const first_words[] = { "SELECT", "WITH", "COLUMN", "FORMAT", "VALUES", "EXPLAIN" };

/* After blanks and the comments of SQL. */
static const char *skip_blanks(const char *s)
{
	for (;;) {
		const char *end;

		s += strspn(s, " \t\r\n\f");
		if (strncmp(s, "--", 2) == 0)
			end = strchr(s, '\n');
		else if (strncmp(s, "/*", 2) == 0 && (end = strstr(s + 2, "*/")))
			end++;
		else
			return s;
		s = end ? end + 1 : s + strlen(s);
	}
}

/* Not in "SelectDemo", "with-agent.jar". */
static bool is_end_of_word(char c)
{
	return !c || (!isalnum((unsigned char)c) && !strchr("_.-", c));
}

/* The length of the first word, if a query begins with it; else 0. */
static size_t first_word(const char *text)
{
	for (size_t i = 0; i < sizeof(first_words) / sizeof(*first_words); i++) {
		size_t len = strlen(first_words[i]);

		if (strncasecmp(text, first_words[i], len) == 0 && is_end_of_word(text[len]))
			return len;
	}
	return 0;
}

static bool is_file(const char *operand)
{
	return access(operand, F_OK) == 0;
}

/* A word alone may be the name of a JVM. */
bool question_is(const char *operand)
{
	const char *text = skip_blanks(operand);
	size_t len = first_word(text);

	return len && text[len] && !is_file(operand);
}

/* No query is. */
static bool is_one_word(const char *operand)
{
	return !operand[strcspn(operand, " \t\r\n")];
}

bool question_is_recording(const char *operand)
{
	return strcmp(operand, "-") == 0 || is_file(operand) ||
	       (strchr(operand, '/') && is_one_word(operand));
}

void question_to_front(char **operands, int from)
{
	char *question = operands[from];

	memmove(operands + 1, operands, (size_t)from * sizeof(*operands));
	operands[0] = question;
}

/* SELECT * FROM X app.jfr: the shell has cut it into words. */
static int fail_in_words(const struct command *c, const char *word)
{
	return report_usage(c, "put the query into quotes: '%s ...'", word);
}

static int find(char *const *operands, int count)
{
	int at = 0;

	while (at < count && !question_is(operands[at]))
		at++;
	return at;
}

int question_find(const struct command *c, char **operands, int count, bool last,
		  const char *such_as, const char *after)
{
	int at = find(operands, count), only = last ? count - 1 : 0;

	if (count == 0)
		return report_usage(c, "name a query, such as '%s', and then %s", such_as, after);
	if (at < count && find(operands + at + 1, count - at - 1) < count - at - 1)
		return report_usage(c, "give one query; these are two");
	if (at == count) {
		if (first_word(operands[0]) && !is_file(operands[0]))
			return fail_in_words(c, operands[0]);
		if (question_is_recording(operands[only]) || (!last && is_one_word(operands[only])))
			return report_usage(c, "the query is missing; write it before the recordings, "
					    "as in '%s'", such_as);
		at = only;
	}
	question_to_front(operands, at);
	return EXIT_DONE;
}
