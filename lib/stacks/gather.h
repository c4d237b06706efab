/* SPDX-License-Identifier: MIT */
/*
 * gather.h - the events of one chunk, as weighted stacks
 *
 * Events that have their stack trace, thread and class in common are one row: so the cost of an
 * event is that of decoding and one look into a hash table, and each stack is worked out once.
 * Chunks know nothing of each other, so several threads may each gather one of them.
 */
#ifndef JFREC_STACKS_GATHER_H
#define JFREC_STACKS_GATHER_H

#include "jfrec/stacks.h"
#include "read/chunk_source.h"
#include "stacks/first_samples.h"
#include "stacks/leaks.h"
#include "stacks/markers.h"
#include "stacks/paths.h"
#include "stacks/sample_list.h"
#include "stacks/sources.h"
#include "stacks/times.h"
#include "stacks/traces.h"
#include "stacks/tree.h"
#include "stacks/within.h"

/* What is asked of all stacks. */
struct gathering {
	const struct profile_kind *const *kinds;
	size_t kind_count;
	struct naming naming;
	bool with_threads; /* the thread is the first frame */
	bool with_category; /* what the thread was doing is a frame before the others */
	bool with_lines, with_bci;
	bool drops_stackless; /* as jfrconv does; else "[no stack]" */
	bool with_times;      /* keep when each sample was taken */
	bool packs_times;     /* the same in little memory */
	uint32_t most_spans;  /* of packed times (times.h); 0: any number */
	bool counts;	      /* of which the weights are numbers of samples */
	bool with_markers;    /* keep what lasts a while, and what is measured */
	const char *states;   /* beginnings of their names, in capitals; NULL: any */
	enum jfrec_stack_threads threads;
	double grain; /* divide the samples of each stack by it, as jfrconv does; 0: no */
	const struct intervals *within; /* only samples in spans of their thread; NULL: all */
	const int64_t *from_ns, *to_ns; /* for jfrconv, when samples begin; NULL: no bound */
};

/* What was not seen, and what is not exact. */
struct doubts {
	uint64_t stackless; /* samples without a stack trace, or whose trace was lost */
	uint64_t failed;    /* samples that the JVM could not take */
	uint64_t lost;	    /* samples that the JVM says it lost */
	uint64_t truncated; /* samples whose stack is deeper than was recorded */
	struct data_loss {
		uint64_t bytes; /* of events of all types, by each jdk.DataLoss */
		uint64_t most;	/* that one of them says a thread has lost so far */
	} data_loss;
};

/* At least so many bytes of events were lost: events that tell of it may be lost, too. */
static inline uint64_t data_loss_bytes(const struct data_loss *l)
{
	uint64_t bytes = l->most > l->bytes ? l->most : l->bytes;

	return bytes < INT64_MAX ? bytes : INT64_MAX;
}

static inline void data_loss_add(struct data_loss *to, struct data_loss l)
{
	if (__builtin_add_overflow(to->bytes, l.bytes, &to->bytes))
		to->bytes = UINT64_MAX;
	to->most = l.most > to->most ? l.most : to->most;
}

/* Some samples of one stack. */
struct gathered {
	uint32_t kind;	       /* number among the kinds */
	unsigned rank;	       /* of the source (sources.h) */
	uint32_t end;	       /* of its path */
	struct weight weight;
	bool is_stackless;
};

/* All of one chunk. Frames are numbers in the book that it was gathered with. */
struct gathered_chunk {
	struct gathered *rows;
	size_t row_count, row_room;
	struct paths paths;
	/*
	 * If asked for, in the order of the chunk. Those of a row add up to its weight, to the last
	 * bit.
	 */
	struct sample_list samples;
	struct marker_list markers; /* if asked for */
	struct doubts *doubts; /* by kind */
	/* By kind, of those with has_unit_of_field: of the field, once a type has it. */
	enum profile_unit *units;
	bool *has_unit;
	struct times times;    /* of rows, in what they weigh; empty without packs_times */
	struct block_list blocks; /* of a profile of leaks: what became of each address */
	/*
	 * The first allocation sample of each thread in this chunk, settled: what it weighs is
	 * known when the chunks before it are. place: its row, which lacks its value, and whose
	 * samples and times lack it; at: in ns since 1970.
	 */
	struct first_samples firsts;
};

struct gather;

/* Begin with a chunk. NULL when memory is gone. */
struct gather *gather_new(const struct gathering *g, const struct chunk *c, struct book *book);

/* The types of which events are looked at, to step over pages without them. */
struct type_set gather_types(const struct gather *g);

/*
 * From now on, look only at events of that kind, so that the chunk is walked over for one kind
 * after the other; without markers.  False: it has no such events, and is not to be walked over.
 */
bool gather_turn_to(struct gather *g, uint32_t kind);

/* Has any event been taken that weighs something? */
bool gather_has_samples(const struct gather *g);

/* Take an event of such a type, decoded as far as is needed. 0, or -1 when memory is gone. */
int gather_add(struct gather *g, const struct jfrec_type *t, const uint64_t *slots);

/* Work out the stacks. 0, or -1 when memory is gone; *out is to be given to gathered_fini(). */
int gather_end(struct gather *g, struct gathered_chunk *out);

/*
 * Tell events apart by their labels, which the source knows of the event that passed last:
 * the label is the first frame, "[none]" where there is none.
 */
void gather_by_label(struct gather *g, const struct chunk_source *source);

void gather_free(struct gather *g);
void gathered_fini(struct gathered_chunk *c);

#endif
