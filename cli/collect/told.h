/* SPDX-License-Identifier: MIT */
/*
 * told.h - keep the log short: report once what lasts, and the first of many alike
 *
 * A service makes a pass each minute, and each of its lines is kept in a journal.  A failure that
 * was in the pass before is not told again until it has been away for a pass.  Of one user's
 * repositories only the first failure is reported, and the rest are counted: there may be
 * thousands.
 */
#ifndef JFREC_CLI_COLLECT_TOLD_H
#define JFREC_CLI_COLLECT_TOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct told_line {
	char *text;
	bool is_now; /* in this pass */
	bool is_old; /* in the one before */
};

enum told_kind {
	TOLD_FAILED, /* a repository that could not be read */
	TOLD_EMPTY,  /* one that had nothing to read */
};

struct told_count {
	uint32_t uid;
	enum told_kind kind;
	size_t count;
};

/* All zero at first. */
struct told {
	struct told_line *lines; /* kept from pass to pass */
	size_t line_count, line_room;
	struct told_count *counts; /* of this pass */
	size_t count, room;
};

/* It is reported in this pass.  Was it in the one before, too? */
bool told_before(struct told *t, const char *text);

/* One more of that user, in this pass.  Is it the first? */
bool told_first(struct told *t, uint32_t uid, enum told_kind kind);

/* The pass has ended. */
void told_end(struct told *t);

void told_fini(struct told *t);

#endif
