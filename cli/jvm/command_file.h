/* SPDX-License-Identifier: MIT */
/*
 * command_file.h - read a file of diagnostic commands, one per line
 */
#ifndef JFREC_CLI_JVM_COMMAND_FILE_H
#define JFREC_CLI_JVM_COMMAND_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* All zero is empty. */
struct command_file {
	char *text;
	char **items;
	size_t count;
};

/* The lines of a file, or ("-") of standard input.  False if that failed, which was reported. */
bool command_file_read(struct command_file *l, const char *path);

/* Words with blanks between them.  A line feed in one of them parts lines, too. */
bool command_file_join(struct command_file *l, char *const *words, int count);

void command_file_fini(struct command_file *l);

#endif
