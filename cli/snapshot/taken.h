/* SPDX-License-Identifier: MIT */
/*
 * taken.h - what became of each step of a snapshot
 */
#ifndef JFREC_CLI_SNAPSHOT_TAKEN_H
#define JFREC_CLI_SNAPSHOT_TAKEN_H

#include <jansson.h>

#include "snapshot/perform.h"
#include "snapshot/safepoints.h"
#include "snapshot/steps.h"

enum taken_state {
	TAKEN_SKIPPED, /* for the reason in .said */
	TAKEN_DONE,
	TAKEN_PARTLY,  /* the file is there, but not all of what should be in it */
	TAKEN_NOTHING, /* there was nothing to take */
	TAKEN_FAILED,
};

struct taken {
	const struct snapshot_step *step;
	enum taken_state state;
	int raw; /* its text, with secrets, in memory; -1: none */
	char said[SAID_MAX];
	int64_t began_ns, took_ns; /* since 1970 */
	struct safepoints before, after;
	uint64_t bytes;
	uint64_t redacted; /* lines of its text that were changed */
	bool is_scrubbed;
};

/* All wished for, in the order of the table. */
struct taken_list {
	struct taken *all;
	size_t count;
};

/* texts.c: write the texts that were taken as files, scrubbed unless raw; in a process of its own.
 */
void taken_write_texts(struct taken_list *l, const struct snapshot_opts *o, int directory,
		       int64_t limit_ns);

/* manifest.c: fill an object with what was taken. */
void taken_tell(const struct taken_list *l, const struct jfrec_jvm *jvm, json_t *to);

/* manifest.c: say on standard error what is missing and why, one line for each reason. */
void taken_say_missing(const struct taken_list *l);

/* Is all there that could be? */
bool taken_is_whole(const struct taken_list *l);

#endif
