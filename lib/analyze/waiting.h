/* SPDX-License-Identifier: MIT */
/*
 * waiting.h - what a thread waits for, and for whom, as its stack says
 */
#ifndef JFREC_ANALYZE_WAITING_H
#define JFREC_ANALYZE_WAITING_H

#include "analyze/rule.h"

enum wait_kind {
	WAIT_OTHER,  /* for a lock, for a child process, to be told to end: for no one's work */
	WAIT_IDLE,   /* a worker, for the next task */
	WAIT_POOL,   /* for something of a pool that is known, such as a connection */
	WAIT_FUTURE, /* for the result of work that others do */
	WAIT_PEER,   /* the same, where it is known that the work is another program's */
	WAIT_QUEUE,  /* in code of the application: at a queue, a latch, a condition, a monitor */
	WAIT_LIBRARY, /* the same in a library that the application has called */
};

struct waiting {
	enum wait_kind kind;
	uint32_t what; /* text: "a connection of HikariCP", "FutureTask.get"; 0 */
	uint32_t site; /* the method of the application that waits; 0: there is none */
	bool is_request; /* a server has called that code, or it lends things, by its name */
};

/* Does a server give such names to the threads that serve requests: "http-nio-8080-exec-3"? */
bool is_name_of_request(const char *thread);

/* Of the stack of a jdk.ThreadPark or jdk.JavaMonitorWait. */
struct waiting waiting_of(const struct event *e, uint32_t stack);

#endif
