/* SPDX-License-Identifier: MIT */
/* jfrec/tool/threads.h - thread dumps: who waits for whom, and which threads stand together */
#ifndef JFREC_TOOL_THREADS_H
#define JFREC_TOOL_THREADS_H

#include "jfrec/session.h"

/* No thread, no frame. */
#define JFREC_NO_THREAD SIZE_MAX

/* What a thread waits for. */
enum jfrec_wait {
	JFREC_WAIT_NONE = 0,
	JFREC_WAIT_MONITOR = 1, /* to enter a monitor, or to enter it again after Object.wait() */
	JFREC_WAIT_LOCK = 2,	/* for a lock of java.util.concurrent: one that a thread can own */
	JFREC_WAIT_CLASS = 3,	/* for another thread that initializes a class */
	JFREC_WAIT_NOTICE = 4,	/* in Object.wait(), for a notice */
	JFREC_WAIT_PARK = 5,	/* parked for something else: a condition, a future, a latch */
};

/* A monitor, a lock, or what else a thread is parked for. */
struct jfrec_lock {
	const char *id;		/* "0x000000043f8e5b28", the same in all of a dump; NULL: not told */
	const char *class_name; /* "java.lang.Object"; of JFREC_WAIT_CLASS that class; NULL: not told */
	size_t frame; /* of the thread, in which it is held or waited for; SIZE_MAX: any */
};

struct jfrec_dumped_thread {
	const char *name; /* never NULL; of virtual threads often "" */
	uint64_t id;	  /* java.lang.Thread.threadId(); 0: a thread of the JVM's own */
	uint64_t nid;	  /* of the system, in the pid namespace of the JVM; 0: not told */
	const char *state; /* "BLOCKED"; NULL: a thread of the JVM's own */
	bool daemon, is_virtual;
	bool in_deadlock;
	int64_t cpu_ns, elapsed_ns; /* since the thread was started; -1: not told */
	const char *const *frames;  /* "app.Bank.pay(Bank.java:23)", innermost first */
	size_t frame_count;
	uint64_t stack;	  /* a hash of the frames: threads with the same stand in the same place */
	size_t site;	  /* the first frame of the application, not the JDK's or a library's */
	uint64_t call;	  /* a hash of the frames up to that one */
	const struct jfrec_lock
		*held; /* locks of java.util.concurrent only if the dump lists them */
	size_t held_count;
	enum jfrec_wait wait;
	struct jfrec_lock lock; /* that it waits for */
	size_t holder;		/* number of the thread that has it; JFREC_NO_THREAD: not told */
	size_t waiters;		/* threads that wait for this one, and for these, and so on */
};

/* A thread of a deadlock. */
struct jfrec_deadlocked {
	const char *name;
	enum jfrec_wait wait;
	struct jfrec_lock lock;
	const char *holder; /* the name of the thread that has the lock; NULL: not told */
	size_t thread;	    /* its number; JFREC_NO_THREAD: the dump does not have it */
	const char *const *frames;
	size_t frame_count;
};

/* Threads of which each waits for the next, and the last for the first. */
struct jfrec_deadlock {
	const struct jfrec_deadlocked *threads;
	size_t count;
	bool is_reported; /* the JVM says so; else only the stacks show it */
	bool is_inferred; /* which thread waits for which is not told, but none of them can go on */
};

/* Threads with the same stack and state. */
struct jfrec_thread_group {
	const char *name; /* "pool-1-thread-*"; of one thread its name */
	const size_t *threads;
	size_t count;
};

/* Threads whose names differ by a number, and that are the workers of an executor. */
struct jfrec_thread_pool {
	const char *name; /* "pool-1-thread-*" */
	const size_t *threads;
	size_t count;
	size_t idle;	 /* that wait for work */
	bool is_one_call; /* all stand in the same call of the application, of which .site is the
			     frame */
	const char *site; /* or NULL */
	bool is_starved; /* all wait for results that no thread is left to make */
};

struct jfrec_thread_dump {
	const char *vm;	  /* "OpenJDK 64-Bit Server VM (25.0.3+9-LTS mixed mode, sharing)"; or NULL */
	const char *time; /* as the dump writes it; or NULL */
	bool is_json;	  /* of Thread.dump_to_file: with virtual threads, not all of one moment */
	bool has_owners;  /* it lists the locks of java.util.concurrent that threads hold */
	bool is_cut;	  /* it ends before its end */
	const struct jfrec_dumped_thread *threads;
	size_t count;
	const struct jfrec_deadlock *deadlocks; /* those that the JVM reports come first */
	size_t deadlock_count;
	const struct jfrec_thread_group *groups; /* the largest first; each thread is in one */
	size_t group_count;
	const struct jfrec_thread_pool *pools;
	size_t pool_count;
	const size_t *callers; /* threads outside of pools that wait for a result */
	size_t caller_count;
};

/* What became of a thread from one dump to another. */
struct jfrec_thread_change {
	size_t thread;	/* of the later dump */
	int64_t cpu_ns; /* -1: not told */
	bool stands;	/* same stack, same lock, and no CPU that matters */
};

/* Thread dumps, in the order in which they were added. */
struct jfrec_thread_dumps;

/* None yet; to be freed with jfrec_thread_dumps_free().  NULL with *err set: JFREC_ENOMEM. */
struct jfrec_thread_dumps *jfrec_thread_dumps_new(struct jfrec_error *err);

/*
 * Add the dumps of a text: those of HotSpot of JDK 8 to 28 (jstack, Thread.print, kill -QUIT), also
 * in a log whose lines begin with a time or the like, one after the other; or one of
 * Thread.dump_to_file -format=json.  The text is hostile: what it says of itself is not relied on.
 *
 * text: allocated by malloc(), with a byte of room after its len bytes; it is changed, and freed
 * with the dumps, also after a failure.  0, or -1 with *err set: JFREC_EFORMAT if there is no
 * dump in it, or one of another kind, which is named; JFREC_ENOMEM.
 */
int jfrec_thread_dumps_add(struct jfrec_thread_dumps *d, char *text, size_t len,
			   struct jfrec_error *err);

/* How many there are. */
size_t jfrec_thread_dumps_count(const struct jfrec_thread_dumps *d);

/* Number i; NULL beyond the last.  Lives as long as d. */
const struct jfrec_thread_dump *jfrec_thread_dumps_get(const struct jfrec_thread_dumps *d,
						       size_t i);

/*
 * How the threads that are in both dumps, by numbers `from` and `to`, changed, in the order of the
 * latter.  An array of *count, to be freed with jfrec_free(); NULL with *err set: JFREC_EINVAL if
 * there is no such dump, JFREC_ENOMEM.
 */
struct jfrec_thread_change *jfrec_thread_dumps_compare(const struct jfrec_thread_dumps *d,
						       size_t from, size_t to, size_t *count,
						       struct jfrec_error *err);

/*
 * Have a JVM of JDK 21 or later write its threads, also the virtual ones, as JSON into a file that
 * we made in its /tmp (Thread.dump_to_file), for which it runs Java code, and looks at one thread
 * after the other.
 *
 * Returns the file, to be freed with jfrec_dump_free() before the session is closed, or NULL with
 * *err set: JFREC_EREFUSED, also for an older JDK, JFREC_ERESULT.
 */
struct jfrec_dump *jfrec_thread_dump_write(struct jfrec_session *s, struct jfrec_error *err);

/* Free them, and the texts. */
void jfrec_thread_dumps_free(struct jfrec_thread_dumps *d);

#endif
