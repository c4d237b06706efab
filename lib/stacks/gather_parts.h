/* SPDX-License-Identifier: MIT */
/*
 * gather_parts.h - what is known of a chunk while its events are gathered
 */
#ifndef JFREC_STACKS_GATHER_PARTS_H
#define JFREC_STACKS_GATHER_PARTS_H

#include "stacks/gather.h"
#include "stacks/period.h"

#define NO_STEP UINT16_MAX

/* A type may feed several kinds, and one kind by several sources. */
struct taker {
	const struct stack_source *source;
	uint32_t number, kind; /* its own, and that of its kind */
	const struct jfrec_type *type, *stack_type, *thread_type, *leaf_type, *state_type;
	const struct jfrec_type *root_type; /* of a source with what is kept */
	bool is_filtered;   /* not all of its events are wanted */
	bool is_duration;   /* the value is one, to be converted from ticks */
	bool keeps_firsts;  /* allocation samples, whose first may weigh too much */
	bool weighs_samples; /* only the number of samples says what they weigh */
	bool is_leaks;	     /* of a profile of leaks */
	bool tells_outside;  /* allocations outside of buffers are rows of their own */
	uint32_t last_row;  /* + 1: that of the event before; most are of the same; 0: none */
	/* stack: of a source with what is kept, that object; leaf: its root. */
	uint16_t stack, thread, leaf, count, value, instead, factor, state, failed, time, address;
	uint16_t key_thread; /* thread, if rows are those of threads */
	const struct jfrec_field *factor_field;
	bool leaf_is_text; /* the name of a class; the row's key is 1 + its frame */
	const struct jfrec_field *timespan; /* the field of the value, if it is a time */
	uint32_t next; /* taker of the same type, or UINT32_MAX */
};

/* jfrconv knows states of samples only, as a profile of their own. */
static inline bool asks_for_states(const struct gathering *g)
{
	return g->states && !g->naming.is_jfrconv;
}

/*
 * What events of one row have in common. It is compared for each event right after it was made, as
 * the words in which it was stored: the parts of one would have to be waited for.
 */
struct row_key {
	uint64_t stack, thread, leaf; /* leaf: of a source with a group, that; of a text, a frame */
	uint64_t what; /* the taker's number, above these, and the label, + 1, above that */
};
#define ROW_IS_FAILED  1u
#define ROW_IS_OUTSIDE 2u /* of a buffer: an allocation, as jfrconv tells them apart */
#define ROW_TAKER_SHIFT 2
#define ROW_LABEL_SHIFT 32

static inline uint32_t row_taker(const struct row_key *k)
{
	return (uint32_t)k->what >> ROW_TAKER_SHIFT;
}

/* NO_LABEL: it has none. */
static inline uint32_t row_label(const struct row_key *k)
{
	return (uint32_t)(k->what >> ROW_LABEL_SHIFT) - 1;
}

static inline bool row_is_failed(const struct row_key *k)
{
	return k->what & ROW_IS_FAILED;
}

static inline bool row_is_outside(const struct row_key *k)
{
	return k->what & ROW_IS_OUTSIDE;
}

struct row {
	struct row_key key;
	struct weight weight; /* the value as the field has it */
};

/* What is done with the events of a type. */
struct type_use {
	uint32_t first_taker; /* UINT32_MAX: none */
	uint16_t slots;	      /* only the first so many are looked at */
	bool is_needed;	      /* they are looked at */
	bool is_setting;      /* they say how often samples are taken, rather than being any */
	bool is_special;      /* they say more than takers take */
};

struct gather {
	const struct gathering *gathering;
	const struct chunk *chunk;
	struct traces traces;
	struct periods periods;
	struct stack_source *others; /* of other producers' types (equivalents.h) */
	uint32_t other_count;
	struct taker *takers;
	uint32_t taker_count, taker_room;
	const struct chunk_source *source; /* that knows labels; NULL: there are none */
	struct type_use *uses; /* by the index of the type */
	bool has_turned;       /* to a kind that the chunk has */
	struct row *rows;
	uint32_t row_count, row_room;
	struct sample_list moments; /* what each event added to its row; if asked for */
	uint32_t *table; /* of rows: number + 1, by the hash of their keys */
	uint32_t table_mask;
	struct idmap states; /* key of a state, to whether it is wanted, by taker */
	struct {
		uint64_t key;
		bool is_known, fits;
	} last_state; /* most samples have the state of the one before */
	const struct jfrec_type *lost_type;
	const char *lost_samples; /* the type of those that were lost */
	uint16_t lost;
	uint64_t lost_count;
	const struct jfrec_type *loss_type;
	uint16_t loss_bytes, loss_most;
	struct data_loss data_loss;
	struct idmap ends;  /* (step where a trace begins, its number) to where it ends */
	struct times times; /* of rows, as the field has it */
	enum profile_unit *units; /* by kind */
	bool *has_unit;		  /* by kind: of its field */
	struct idmap virtual;	  /* key of a thread, to whether it is virtual */
	struct marking marking; /* all zero: nothing is marked */
	struct block_list blocks; /* calls of malloc and free, of a profile of leaks */
	struct first_samples firsts; /* place: the row, which has the sample and not its value */
};

/* Find out which fields of which types are looked at. 0, or -1 when memory is gone. */
int takers_find(struct gather *g);

/* The same of what is known of types, after the takers at hand have changed. */
void takers_find_uses(struct gather *g);

#endif
