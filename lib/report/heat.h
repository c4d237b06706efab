/* SPDX-License-Identifier: MIT */
/*
 * heat.h - what each thread did when, in bounded memory
 *
 * Time is cut into slots that all threads of a JVM share, 1 ms wide at first; where there would be
 * too many, neighbours are joined. All virtual threads are one. Threads beyond HEAT_THREADS are
 * left out.
 */
#ifndef JFREC_REPORT_HEAT_H
#define JFREC_REPORT_HEAT_H

#include "analyze/chunk_view.h"
#include "analyze/rule.h"
#include "base/idmap.h"

#define HEAT_SLOTS   256
#define HEAT_THREADS 1024

enum heat_state {
	/* ns; of samples that say nothing of time, until heat_weigh(), their number */
	HEAT_RUNNING,
	HEAT_BLOCKED,
	HEAT_IO,
	HEAT_WAITING,
	HEAT_STATES,
};

struct heat_thread {
	uint32_t thread; /* number of the analysis; 0: all virtual threads */
	double total[HEAT_STATES];
	float slots[HEAT_SLOTS][HEAT_STATES]; /* ns */
	float sampled[HEAT_SLOTS];	      /* samples of no known weight */
	double sampled_total;
};

/* All zero is an empty one. */
struct heat {
	struct heat_thread **threads;
	size_t count, room;
	struct idmap by_thread;
	int64_t first; /* in slots since 1970 */
	unsigned width; /* 1 ms, doubled so many times */
	bool has_any, has_weights;
	uint64_t left_out; /* events of threads beyond HEAT_THREADS */
};

/*
 * What it is made of, for a watch (analyze/engine.h); heat_take() has the struct heat as its state.
 */
extern const struct reads heat_inputs[];
void heat_take(struct heat *h, const struct event *e);

/* Samples without a weight are taken for so long, each, unless there are some with a weight. */
void heat_weigh(struct heat *h, int64_t period_ns);

/* The threads that ran, were blocked or did I/O longest, the first the most; returns how many. */
size_t heat_busiest(struct heat *h, const struct heat_thread **to, size_t most);

/* When slot number i begins. */
int64_t heat_slot_ns(const struct heat *h, size_t i);

void heat_fini(struct heat *h);

#endif
