/* SPDX-License-Identifier: MIT */
/*
 * reply_lines.h - print the reply to a diagnostic command, line by line
 */
#ifndef JFREC_CLI_JVM_REPLY_LINES_H
#define JFREC_CLI_JVM_REPLY_LINES_H

#include "jvm/for_each_jvm.h"

/*
 * Ask the JVM, and print what it says, or (with --json) call fn for each line, which is its to
 * change.  Returns an exit code, after saying what failed.
 */
int reply_lines(const struct each_jvm *j, const char *command,
		void (*fn)(void *ctx, char *line), void *ctx);

/*
 * Ask the JVM, and keep what it says, up to `most` bytes: *text, ended by NUL, to be freed. Returns
 * EXIT_DONE, or another exit code, after saying what failed, and *text is NULL.
 */
int reply_text(const struct each_jvm *j, const char *command, uint64_t most, char **text,
	       size_t *len);

#endif
