/* SPDX-License-Identifier: MIT */
/*
 * lines.h - the lines of a text, without what a log put before them
 */
#ifndef JFREC_THREADS_LINES_H
#define JFREC_THREADS_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
	char *next, *end; /* *end is NUL */
	/* What was before the line that began the dump: "2026-11-28T01:43:00.1Z stdout F ". */
	char prefix[256];
	size_t prefix_len;
	char *last_end; /* where the last line had its line feed; NULL: at the end of the text */
	bool last_cr;	/* and a carriage return before it */
};

/*
 * The next line, whose end becomes NUL; NULL: there are no more.  Bytes of NUL in it have become
 * blanks.
 */
char *lines_next(struct lines *l);

/* Return that line, which was the last, once more. */
void lines_back(struct lines *l, char *line);

/* Have the lines that follow lose what is like these bytes: digits stand for any number. */
void lines_use_prefix(struct lines *l, const char *prefix, size_t len);

/* The line without its prefix; as it is, if it does not begin with it. */
char *lines_content(const struct lines *l, char *line);

/* The line that lines_next() returned last goes on with the next one.  False: there is none. */
bool lines_join(struct lines *l, char *line);

#endif
