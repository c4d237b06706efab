/* SPDX-License-Identifier: MIT */
/*
 * cleanup.h - files and directories to remove when a session ends
 */
#ifndef JFREC_ATTACH_CLEANUP_H
#define JFREC_ATTACH_CLEANUP_H

#include "attach/session.h"

/* How much can be kept at a time; a command of Flight Recorder needs three. */
#define CLEANUP_MAX 8

enum cleanup_kind {
	CLEANUP_NOTHING,
	CLEANUP_FILE,	 /* to be removed */
	CLEANUP_COMMAND, /* to be run */
};

struct cleanup {
	enum cleanup_kind kind;
	int number; /* greater than that of all before */
	char text[SESSION_PATH_MAX];
};

/* All zero is empty. */
struct cleanups {
	struct cleanup items[CLEANUP_MAX];
	int next_number;
};

/* A number, or -1 with *err set if there is no room. */
int cleanup_add(struct cleanups *k, enum cleanup_kind kind, const char *text,
		struct jfrec_error *err);

/* Nothing, if there is none of that number, or no such file. */
void cleanup_forget(struct cleanups *k, int number);
void cleanup_forget_file(struct cleanups *k, const char *path);

/* What was added last, or NULL. */
const struct cleanup *cleanup_newest(const struct cleanups *k);

#endif
