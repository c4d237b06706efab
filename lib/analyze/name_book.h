/* SPDX-License-Identifier: MIT */
/*
 * name_book.h - the texts, stacks and threads of an analysis, each with a number
 */
#ifndef JFREC_ANALYZE_NAME_BOOK_H
#define JFREC_ANALYZE_NAME_BOOK_H

#include "analyze/notes.h"
#include "stacks/traces.h"

struct secrets;

/* Stacks and threads, over all chunks. */
struct stack_entry {
	uint32_t first, count;
	bool is_truncated;
	uint32_t top_own, top_without; /* text + 1, once they are known */
};

struct stack_list {
	struct stack_entry *list;
	uint32_t count, room;
	uint32_t *frames; /* numbers in the book's frames, the top first */
	uint32_t frame_count, frame_room;
	struct digest_map by_content; /* number */
};

struct thread_entry {
	uint32_t name;
	int64_t java_id, os_id;
	bool is_virtual;
};

struct thread_list {
	struct thread_entry *list;
	uint32_t count, room;
	struct digest_map by_content;
};

struct names {
	struct book book;
	struct stack_list stacks;   /* number 0 is none */
	struct thread_list threads; /* the same */
	struct notes methods;	    /* by text: whose they are, stacks.c */
	struct secrets *secrets;    /* that rules have read of; NULL: not needed */
	bool no_memory;
};

/* False without memory; name_book_fini() in any case. */
bool name_book_init(struct names *n);
void name_book_fini(struct names *n);

/* The number of a text, a stack or a thread; 0, and no_memory is set, without memory. */
uint32_t name_book_put(struct names *n, const char *text, size_t len);
uint32_t name_book_stack(struct names *n, const struct trace *t);
uint32_t name_book_thread(struct names *n, uint32_t name, int64_t java_id, int64_t os_id,
			  bool is_virtual);

#endif
