/* SPDX-License-Identifier: MIT */
/*
 * question.h - find the query among operands, whichever comes first
 *
 * The question comes first in help and pages; recordings first is understood, too.
 */
#ifndef JFREC_CLI_BASE_QUESTION_H
#define JFREC_CLI_BASE_QUESTION_H

#include <stdbool.h>

#include "base/command.h"

/*
 * Does the operand begin as a query does, in any case, after blanks and comments, and is not the
 * name of a file?
 */
bool question_is(const char *operand);

/* Does the operand mean a recording: `-`, a word with a slash, the name of a file? */
bool question_is_recording(const char *operand);

/* Move the operand at `from` to the front; the others keep their order. */
void question_to_front(char **operands, int from);

/*
 * Put the query in front of the other operands.  It is the only one that begins as a query does;
 * if none does, the last one with `last`, else the first.
 *
 * Returns EXIT_DONE, or EXIT_USAGE after saying what is missing, as in "name a recording or a JVM
 * after the query"; such_as is a query for the message, and after what is to follow it.
 */
int question_find(const struct command *c, char **operands, int count, bool last,
		  const char *such_as, const char *after);

#endif
