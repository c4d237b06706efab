/* SPDX-License-Identifier: MIT */
/*
 * jvm_page.h - one JVM on the screen: its threads, and its hot methods
 */
#ifndef JFREC_CLI_TOP_JVM_PAGE_H
#define JFREC_CLI_TOP_JVM_PAGE_H

#include <stdio.h>

#include "top/columns.h"

/* Threads that a screen could show. */
#define PAGE_THREADS 500

/* All zero at first, but for wait_fd. */
struct jvm_page {
	bool is_open;
	int pid;
	uint64_t start_ticks;
	int wait_fd; /* the epoll that tells of children */
	struct jfrec_thread_load threads[PAGE_THREADS];
	size_t count, total;
	struct inquiry methods_asked, names_asked;
	int64_t methods_due_ns; /* monotonic */
	json_t *methods;	/* the last answers; or NULL */
	json_t *names;
};

/* Show that JVM from now on. */
void jvm_page_open(struct jvm_page *p, const struct jfrec_jvm *jvm);

/* Forget it, and end the children that are at work for it. */
void jvm_page_close(struct jvm_page *p);

/* Read the threads again. number: of the JVM in the list. */
void jvm_page_look(struct jvm_page *p, struct jfrec_loads *loads, size_t number);

/* Take what has come, and ask for the methods when that is due. */
void jvm_page_step(struct jvm_page *p, const struct row *row);

/* Ask the JVM for a thread dump, once, for the names of its threads. */
void jvm_page_ask_names(struct jvm_page *p, const struct row *row);

/* Write it, with so many lines. */
void jvm_page_write(FILE *to, const struct jvm_page *p, const struct row *row, unsigned lines);

#endif
