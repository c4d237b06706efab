/* SPDX-License-Identifier: MIT */
/*
 * arguments.h - the arguments of the JVM, word by word
 */
#ifndef JFREC_ANALYZE_ARGUMENTS_H
#define JFREC_ANALYZE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

struct judging;

struct argument {
	const char *text; /* not ended by a zero byte; NULL: there are no more */
	size_t len;
};

/* Those of jdk.JVMInformation; a value with blanks in it is split. *at: as this sets it. */
struct argument first_argument(const struct judging *j, const char **at);
struct argument next_argument(const char **at);

bool argument_is(struct argument a, const char *text);

/* What follows such a beginning; its text is NULL if the argument begins otherwise. */
struct argument argument_after(struct argument a, const char *prefix);

#endif
