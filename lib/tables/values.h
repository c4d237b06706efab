/* SPDX-License-Identifier: MIT */
/*
 * values.h - from the slots of an event to the values of its table's columns
 *
 *	slots --+-- number ---------------------------------------> value
 *	        +-- text in the event --(template, print/cells.h)--> value
 *	        +-- key --> constant --(either, once)--> kept ------> value
 *
 * What leads from slots to a column is worked out once for the types of a chunk, and what a
 * constant has in a column once for the constant: a stack trace that 10,000 events share becomes
 * text once.
 */
#ifndef JFREC_TABLES_VALUES_H
#define JFREC_TABLES_VALUES_H

#include "base/buffer.h"
#include "format/string.h"
#include "print/cells.h"
#include "tables/columns.h"

enum value_way {
	BY_NOTHING, /* the type has no such field */
	BY_WORD,    /* a whole number that is in its slot as it is */
	BY_TIME,    /* a point in time, in ticks in a long */
	BY_SPAN,    /* what something took, the same */
	BY_NUMBER,  /* any other */
	BY_STRING,   /* which is in the event, and often plain; or a constant's */
	BY_TEMPLATE, /* other texts */
	BY_CONSTANT,
};

/* What the constants of one type have at the end of a path. */
struct memo {
	struct memo *next;
	const struct jfrec_type *type;
	struct path rest; /* from the constant on */
	enum jfrec_kind kind;
	uint32_t index; /* in values.kept_values */
};

/* How to get the value of one column. */
struct value_getter {
	uint8_t way;  /* enum value_way */
	uint8_t kind; /* enum jfrec_kind of the column */
	uint8_t own;  /* the same of the field in this chunk */
	uint16_t slot;
	struct op number; /* BY_NUMBER: field and wire, for print/times.h */
	const struct op *text; /* BY_STRING, BY_TEMPLATE; BY_CONSTANT of a text */
	const struct memo *memo; /* BY_CONSTANT, BY_STRING */
};

/* The getters of an event type, by the table's column. */
struct value_getters {
	size_t table;
	unsigned steps; /* slots of an event */
	struct value_getter items[];
};

/* The constant that was looked for last: several columns of a row are those of one thread. */
struct found_constant {
	const struct jfrec_type *type; /* NULL: none */
	uint64_t key;
	uint32_t entry;
};

/* The values of one chunk's events after the other's. */
struct values {
	struct render render; /* render.slots has those of the event */
	struct buffer overflow; /* of a text that is longer than the buffer */
	/* Made for the types of the chunk, and kept while the next ones have the same. */
	struct metadata *metadata;
	struct arena arena;
	struct value_getters **getters; /* by the index of the type; NULL: not needed yet */
	struct memo *memos;
	uint32_t kept_count;
	/* Of the chunk. */
	uint64_t chunk_number; /* from 1 on */
	struct jfrec_table_value **kept_values; /* [memo->index][entry]; NULL: none yet */
	size_t kept_bytes;
	struct found_constant found;
	struct arena kept_texts;
	struct arena texts; /* of the row */
	uint64_t event_size;
	/*
	 * Stack traces are lists, as frame_list_format has them; to be set before the first chunk.
	 */
	bool lists_frames;
	unsigned sharers; /* of the memory for what is kept of constants: passes at the same time */
	bool out_of_memory;
	struct filler *waiting; /* a list of those that hold rows of the chunk */
};

/* 0, or -1 with *err set and nothing to free. */
int values_init(struct values *v, struct jfrec_error *err);
void values_fini(struct values *v);

/*
 * Go on with a chunk, whose reference is taken over, also on failure.  1: its types are those of
 * the chunk before, whose getters are still there; 0: there are none; -1: memory is gone.
 */
int values_enter(struct values *v, struct chunk *c);

/* Done with it: what could not be read is reported. */
void values_leave(struct values *v);

/* Make the getters of an event type, of the wanted columns of a table.  0, or -1: no memory. */
int values_want(struct values *v, const struct jfrec_type *type, const struct table *t,
		size_t table, const bool *columns);

static inline const struct value_getters *values_getters(const struct values *v,
							  const struct jfrec_type *t)
{
	return v->getters[t->index];
}

/* Decode an event into the slots.  False: its values do not fit into it, which is noted. */
bool values_decode(struct values *v, const struct jfrec_type *t, const struct raw_event *e);

/* The entry of a constant in its pool, or POOL_NONE. */
static inline uint32_t values_entry(struct values *v, const struct jfrec_type *t, uint64_t key)
{
	if (v->found.type != t || v->found.key != key)
		v->found = (struct found_constant){
			t, key, pool_find(&v->render.current->chunk->pools, t, key)
		};
	return v->found.entry;
}

/* What is there BY_STRING, in the slots of its event. */
static inline struct cursor values_string(const struct values *v, uint64_t slot)
{
	return (struct cursor){ .pos = slot_bytes(slot), .end = v->render.current->chunk->end };
}

/* The text of it, where it lies, if it is ASCII that is in the event. */
static inline bool values_plain(const struct values *v, uint64_t slot, const char **text,
				size_t *len)
{
	struct cursor c = values_string(v, slot);
	uint8_t encoding = cursor_u8(&c);
	const uint8_t *bytes;
	uint64_t n;

	if (encoding != STRING_UTF8 && encoding != STRING_CHARS && encoding != STRING_LATIN1)
		return false;
	n = cursor_varint(&c);
	bytes = n <= UINT32_MAX ? cursor_take(&c, n) : NULL;
	*text = (const char *)bytes;
	*len = n;
	return bytes && bytes_are_ascii(bytes, n);
}

/* The key of the constant that it is.  False: it is in the event. */
static inline bool values_string_key(const struct values *v, uint64_t slot, uint64_t *key)
{
	struct cursor c = values_string(v, slot);

	if (cursor_u8(&c) != STRING_KEY)
		return false;
	*key = cursor_varint(&c);
	return true;
}

/* What is there BY_TIME or BY_SPAN.  False: null. */
static inline bool values_ticks(const struct values *v, const struct value_getter *g,
				uint64_t slot, int64_t *n)
{
	const struct clock *clock = &v->render.current->chunk->clock;
	int64_t ticks = (int64_t)slot;

	if (g->way == BY_TIME)
		*n = clock_time_ns(clock, ticks);
	else
		*n = ticks == INT64_MAX ? ticks : clock_span_ns(clock, ticks);
	return ticks != INT64_MIN;
}

/* What is there BY_NUMBER. */
void values_number(const struct values *v, const struct value_getter *g, uint64_t slot,
		   struct jfrec_table_value *value);

/* The value of that event. */
void values_get(struct values *v, const struct value_getter *g, struct jfrec_table_value *value);

#endif
