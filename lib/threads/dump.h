/* SPDX-License-Identifier: MIT */
/*
 * dump.h - a thread dump while it is read, and what is made of it
 *
 * The text is changed: a byte of NUL ends each name and frame where it stands, so that a dump of
 * 50 MB takes little more than its own text.
 */
#ifndef JFREC_THREADS_DUMP_H
#define JFREC_THREADS_DUMP_H

#include "base/arena.h"
#include "jfrec-tool.h"

/* Deadlocks as they are collected: the JVM's own are copied, the others found by graph.c. */
struct deadlock_list {
	struct jfrec_deadlock *items;
	size_t count, room;
};

/* A dump, and the arrays that its public part points to. */
struct dump {
	struct jfrec_thread_dump is;
	struct jfrec_dumped_thread *threads;
	size_t count, room;
	/* Of all threads, one after the other; threads point into them when all are read. */
	const char **frames;
	size_t frame_count, frame_room;
	struct jfrec_lock *locks;
	size_t lock_count, lock_room;
	struct deadlock_list deadlocks;
	struct arena arena; /* everything else */
	bool no_memory;
};

void dump_fini(struct dump *d);

/* Begin a thread; frames and locks that are added next are its.  NULL: out of memory. */
struct jfrec_dumped_thread *dump_begin_thread(struct dump *d, const char *name);
void dump_add_frame(struct dump *d, const char *frame);
void dump_add_lock(struct dump *d, const struct jfrec_lock *lock);

/*
 * All is read: have the threads point to their frames and locks, and work out who waits for whom,
 * what stands together, and which pools there are.  False: out of memory.
 */
bool dump_finish(struct dump *d);

/* Its parts, in this order.  Each sets no_memory if that is gone. */
void dump_point(struct dump *d);
void dump_find_sites(struct dump *d);	  /* frames.c */
void dump_find_holders(struct dump *d);	  /* graph.c */
void dump_find_deadlocks(struct dump *d); /* cycles.c */
void dump_find_groups(struct dump *d);	  /* groups.c */
void dump_find_pools(struct dump *d);	  /* pools.c */

/* FNV-1a, for hashes of frames and ids. */
#define HASH_START UINT64_C(14695981039346656037)
uint64_t hash_text(uint64_t hash, const char *text);

/* The lock that a thread waits for, or one of its: by their ids. */
bool is_same_lock(const struct jfrec_lock *a, const struct jfrec_lock *b);

/* What a thread waits for that is parked for an object of that class: a lock, if it has an owner.
 */
enum jfrec_wait wait_of_park(const char *class_name);

#endif
