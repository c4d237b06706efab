/* SPDX-License-Identifier: MIT */
/*
 * answer.h - print the reply to a diagnostic command, line by line
 */
#ifndef JFREC_CLI_JVM_ANSWER_H
#define JFREC_CLI_JVM_ANSWER_H

#include "jvm/for_each_jvm.h"

/*
 * Ask the JVM, and print what it says, or (with --json) call fn for each line, which is its to
 * change.  Returns an exit code, after saying what failed.
 */
int answer_lines(const struct each_jvm *j, const char *command,
		 void (*fn)(void *ctx, char *line), void *ctx);

#endif
