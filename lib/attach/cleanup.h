/* SPDX-License-Identifier: MIT */
/*
 * cleanup.h - files and directories to remove when a session ends
 */
#ifndef JFREC_ATTACH_CLEANUP_H
#define JFREC_ATTACH_CLEANUP_H

#include "attach/session.h"

/* How much can be kept at a time; a command of Flight Recorder needs three. */
#define KEEPS_MAX 8

enum keep_kind {
	KEEP_NOTHING,
	KEEP_FILE,    /* to be removed */
	KEEP_COMMAND, /* to be run */
};

struct keep {
	enum keep_kind kind;
	int number; /* greater than that of all before */
	char text[SESSION_PATH_MAX];
};

/* All zero is empty. */
struct keeps {
	struct keep items[KEEPS_MAX];
	int next_number;
};

/* A number, or -1 with *err set if there is no room. */
int keeps_add(struct keeps *k, enum keep_kind kind, const char *text, struct jfrec_error *err);

/* Nothing, if there is none of that number, or no such file. */
void keeps_forget(struct keeps *k, int number);
void keeps_forget_file(struct keeps *k, const char *path);

/* What was added last, or NULL. */
const struct keep *keeps_newest(const struct keeps *k);

#endif
