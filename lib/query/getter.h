/* SPDX-License-Identifier: MIT */
/*
 * getter.h - from the slots of an event to the value of a field, in one chunk
 *
 * A field's path is followed once per event as far as its first constant, and
 * from there once per constant: what it leads to is kept beside the constant.
 * The top frame of a stack trace that 10,000 events share is found once.
 */
#ifndef JFREC_QUERY_GETTER_H
#define JFREC_QUERY_GETTER_H

#include "format/chunk.h"
#include "query/field.h"
#include "query/objects.h"
#include "query/value.h"

/* What the constants of one type lead to by one path. */
struct follow {
	struct follow *next;
	const struct jfrec_type *type;
	const char *path;   /* NULL: the constant itself */
	struct value *memo; /* by the entry in the pool; VALUE_UNSET: not asked yet */
};

enum getter_kind {
	GET_NOTHING,
	GET_FIXED, /* the same value from all events of the type */
	GET_NUMBER,
	GET_CONSTANT,
	GET_STRUCT, /* an array, an inline struct, or a string in there */
	GET_STRING, /* of the event itself */
	GET_SETTING,
};

/* Strings that many events have, such as hosts, are met again and again: by their bytes. */
#define STRING_MEMOS	   256
#define LONGEST_MEMO_BYTES 128

struct string_memo {
	const uint8_t *bytes; /* with their encoding and length; NULL: none */
	size_t len;
	struct value value;
};

/* A field often has the string that it had in the event before: the first that is compared. */
#define LATEST_STRINGS 16

struct getter {
	uint8_t kind; /* enum getter_kind */
	uint8_t wire; /* GET_NUMBER */
	uint16_t slot;
	uint16_t needs; /* so many slots, from the first on */
	const struct jfrec_field *field; /* whose unit a number has */
	const struct jfrec_type *type;	 /* in which the path goes on: GET_STRUCT */
	const char *path;		 /* GET_STRUCT; NULL: the field itself */
	struct follow *follow;
	struct value fixed;
};

/* A chunk whose events are being looked at. All of it is the worker's own. */
struct reading {
	struct chunk *chunk;
	const struct schema *schema;
	struct objects objects; /* what values refer to */
	struct arena arena;	/* getters and memos */
	struct arena scratch;	/* slots of constants, for a moment */
	struct follow *follows;
	unsigned depth;		/* of constants in constants */
	struct string_memo *memos; /* STRING_MEMOS; NULL: no string was asked for */
	const struct string_memo *latest[LATEST_STRINGS]; /* by the slot; NULL: none */
	/*
	 * Ids of settings are those of the chunk's types; else of the recording's first, as in the
	 * JDK.
	 */
	bool has_own_ids;
	bool out_of_memory;
};

void reading_fini(struct reading *r);

/*
 * How to get the field of that path from events of the type.  The field may be another type's:
 * it is found by name, and is GET_NOTHING where this type has none.  False: no such field.
 */
bool getter_make(struct reading *r, const struct jfrec_type *t, const struct field *f,
		 struct getter *g);

struct value getter_get_slowly(struct reading *r, const struct getter *g, const uint64_t *slots);

static inline struct value getter_get(struct reading *r, const struct getter *g,
				      const uint64_t *slots)
{
	const struct follow *f = g->follow;

	if (g->kind == GET_NUMBER)
		return value_of_slot(g->field, (enum wire)g->wire, &r->chunk->clock,
				     slots[g->slot]);
	if (g->kind == GET_CONSTANT) {
		uint32_t entry = pool_find(&r->chunk->pools, f->type, slots[g->slot]);

		if (entry == POOL_NONE)
			return value_null();
		if (f->memo[entry].kind != VALUE_UNSET)
			return f->memo[entry];
	}
	return getter_get_slowly(r, g, slots);
}

#endif
