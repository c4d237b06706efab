/* SPDX-License-Identifier: MIT */
/*
 * jvm_list.h - all JVMs on the screen: which rows are in sight, and which one is marked
 */
#ifndef JFREC_CLI_TOP_JVM_LIST_H
#define JFREC_CLI_TOP_JVM_LIST_H

#include <stdio.h>

#include "top/columns.h"

/* All zero at first. */
struct jvm_list {
	const struct row *rows; /* the caller's, sorted */
	size_t count;
	int marked_pid; /* 0: that of the first row */
	size_t first;	/* row that is shown */
	size_t remarks; /* lines below the rows */
};

/* Which row is marked: that of the JVM, wherever it has gone; else the first. */
size_t jvm_list_marked(const struct jvm_list *l);

/*
 * Write as much as fits between a title and the line of keys; returns which line of it is marked,
 * from 0 on, or -1.
 */
int jvm_list_write(FILE *to, struct jvm_list *l);

/* Mark another row, if that is what the key means. */
void jvm_list_move(struct jvm_list *l, int key);

#endif
