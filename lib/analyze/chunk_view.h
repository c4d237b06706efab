/* SPDX-License-Identifier: MIT */
/*
 * chunk_view.h - the events of one chunk, as rules see them
 *
 * For each event type that a rule reads there are listeners, and of its fields only those are
 * decoded that a listener names. What a constant stands for is worked out once per chunk.
 */
#ifndef JFREC_ANALYZE_CHUNK_VIEW_H
#define JFREC_ANALYZE_CHUNK_VIEW_H

#include "analyze/name_book.h"
#include "analyze/rule.h"
#include "base/arena.h"
#include "format/chunk.h"
#include "scrub/shown_secrets.h"
#include "stacks/traces.h"

enum how_got {
	GET_NOTHING,
	GET_LONG,
	GET_SPAN,
	GET_TIME,
	GET_FLOAT,
	GET_DOUBLE,
	GET_STRING,
	GET_CONSTANT,
	GET_THREAD,
	GET_STACK,
};

/* How a field is got from the slots of an event. */
struct getter {
	uint8_t how; /* enum how_got */
	uint8_t wire;
	uint16_t step;
	const struct jfrec_field *field;
	/* GET_STRING: whose field it is, and where that begins. */
	const struct jfrec_type *owner;
	uint16_t base;
	const char *rest; /* GET_CONSTANT: the path from the constant on; "" */
	struct memo *memo; /* GET_CONSTANT */
};

/* What is known of the constants of a type, or of what lies at a path from them; rules share it. */
struct memo {
	struct memo *next;
	const struct jfrec_type *type;
	const char *rest;
	struct idmap places; /* key to place in values */
};

/* One who reads the events of a type. */
struct listener {
	struct listener *next;
	void (*take)(void *state, const struct event *e);
	size_t who; /* whose state that is */
	unsigned input;
	bool is_always; /* whatever the filter says: it describes the JVM */
	struct where *where; /* only events that pass; NULL: all */
	struct getter getters[MAX_FIELDS];
	/* Of another producer's type: what it weighs (equivalents.h); else GET_NOTHING. */
	struct getter samples, value, factor;
};

struct type_listeners {
	struct listener *first, *last;
	struct plan plan; /* of the slots that they need */
};

struct constant_value {
	uint32_t text;
	bool has_number;
	int64_t number;
};

/*
 * Of texts that are constants: what was looked for in them, and found.  One for each thing looked
 * for.
 */
#define EXCERPTS 2
struct excerpts {
	const char *from;
	struct idmap by_key;
	const char **list; /* NULL: it is not in that text */
	uint32_t count, room;
	struct arena last; /* that of a text that is none */
};

/* A string of an event, as its bytes are there: neighbours often have the same. */
struct met_string {
	const struct jfrec_type *type;
	const uint8_t *bytes;
	size_t len;
	uint32_t text;
};
#define MET_STRINGS 64
/* The one that a field had before: the first that is compared. */
#define LATEST_STRINGS 16

/* The constant that was asked for last, and its number. */
struct met_constant {
	bool is_known;
	uint64_t key;
	uint32_t number;
};

struct chunk_view {
	struct chunk *chunk;
	struct names *names;
	struct traces traces;
	struct objects objects;
	struct arena arena;
	struct type_listeners *types; /* by the index of the type */
	struct constant_value *values;
	uint32_t value_count, value_room;
	struct memo *memos;
	struct idmap stacks, threads; /* key to number */
	struct met_constant last_stack, last_thread;
	struct met_string met[MET_STRINGS]; /* by a hash of the bytes */
	const struct met_string *latest[LATEST_STRINGS]; /* by the step; NULL: none */
	struct excerpts excerpts[EXCERPTS];
	uint64_t *where_slots; /* room for an event, where a listener has an expression */
	/* Whose chunk it is, and its readers' states; to be set before events are given. */
	struct jvm *jvm;
	void *const *states;
};

bool chunk_view_init(struct chunk_view *v, struct chunk *c, struct names *names);
void chunk_view_fini(struct chunk_view *v);

/*
 * Have the events of that type, if the chunk declares it, given to take() with the state of `who`.
 * False: no memory.
 */
bool chunk_view_listen(struct chunk_view *v, const struct reads *input, unsigned number,
		       void (*take)(void *, const struct event *), size_t who, bool is_always);

/* The first that has the events of that type given to `who`; NULL: no one has. */
struct listener *chunk_view_listener(struct chunk_view *v, const struct jfrec_type *t, size_t who);

/* The event type of that name, which may be of JDK 9; NULL. */
const struct jfrec_type *view_type_named(const struct metadata *m, const char *name);

/*
 * Decode of an event what its listeners read. False: it does not fit into its size, which is noted.
 * It does not touch what chunks share, so threads may do it at once.
 */
bool chunk_view_decode(struct chunk_view *v, const struct jfrec_type *t,
		       const struct raw_event *raw, uint64_t *slots, struct event *e);

/* Give it to its listeners. */
void chunk_view_give(struct chunk_view *v, const struct jfrec_type *t, bool only_always,
		     struct event *e);

#endif
