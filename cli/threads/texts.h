/* SPDX-License-Identifier: MIT */
/*
 * texts.h - the texts of thread dumps, from files
 */
#ifndef JFREC_CLI_THREADS_TEXTS_H
#define JFREC_CLI_THREADS_TEXTS_H

#include <stddef.h>

struct dump_text {
	const char *path; /* "-": standard input */
	char *text;	  /* with a byte of room after it; NULL: it was handed on */
	size_t len;
};

struct dump_texts {
	struct dump_text *items;
	size_t count, room;
	char **names; /* that were made up here */
	size_t name_count, name_room;
};

/*
 * Read files, "-" for standard input; of a directory, such as a snapshot, threads-1.txt,
 * threads-2.txt and on.  Up to 1 GiB all together.  EXIT_DONE, or another exit code, after saying
 * why; *t, all zero at first, is to be freed in any case.
 */
int dump_texts_read(struct dump_texts *t, char *const *paths, int count);

void dump_texts_fini(struct dump_texts *t);

struct threads_seen;

/* Hand the texts on, as the dumps of one JVM in this order.  An exit code, after saying what fails.
 */
int dump_texts_add(struct dump_texts *t, struct threads_seen *s);

#endif
