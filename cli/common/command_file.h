/* SPDX-License-Identifier: MIT */
/*
 * command_file.h - read a file of diagnostic commands, one per line
 */
#ifndef JFREC_CLI_COMMON_COMMAND_FILE_H
#define JFREC_CLI_COMMON_COMMAND_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is empty. */
struct lines {
	char *text;
	char **items;
	size_t count;
};

/* The lines of a file, or ("-") of standard input.  False if that failed, which was said. */
bool lines_read(struct lines *l, const char *path);

/* Words with blanks between them.  A line feed in one of them parts lines, too. */
bool lines_join(struct lines *l, char *const *words, int count);

void lines_fini(struct lines *l);

#endif
