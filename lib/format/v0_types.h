/* SPDX-License-Identifier: MIT */
/*
 * v0_types.h - what a chunk of version 0.x declares: events, values, constants
 *
 * Everything lies in the metadata event, the last one of the chunk, integers big-endian and of
 * fixed width:
 *
 *	u4 size, u4 0
 *	u4 n, producer[n]
 *	u8 start ms, u8 end ms, u8 start ticks, u8 ticks per second, u8 last checkpoint
 *	utf locale, u4 GMT offset ms			not in all
 *
 *	producer	u4 id, utf name, utf description, utf uri
 *			u4 n, utf relation[n]
 *			u4 n, structure[n]		u4 n, value[n]
 *			u4 n, event[n]
 *			u4 n, content[n]
 *	value		utf id, utf label, utf description
 *			u1 transition, u1 kind, u4 content, u4 aux, u4 reserved
 *	event		u4 id, utf label, utf description, utf path
 *			u1 has start, u1 has thread, u1 has stack, u1 is requestable
 *			u4 structure, u4 reserved
 *	content		u4 id, utf name, utf description, u1 kind of the key, u4 structure
 *
 * utf is u2 bytes, then these.  A value's content says what its number means, or in which pool of
 * constants it is a key.
 */
#ifndef JFREC_FORMAT_V0_TYPES_H
#define JFREC_FORMAT_V0_TYPES_H

#include "base/arena.h"
#include "base/cursor.h"
#include "base/idmap.h"
#include "jfrec/chunk.h"

enum v0_kind {
	V0_BOOLEAN,
	V0_BYTE,
	V0_U1,
	V0_SHORT,
	V0_U2,
	V0_INT,
	V0_U4,
	V0_LONG,
	V0_U8,
	V0_FLOAT,
	V0_DOUBLE,
	V0_UTF,	   /* u2 bytes, UTF-8 */
	V0_STRING, /* u4 units, UTF-16 */
	V0_ARRAY,  /* u4 count, of one of the kinds above */
	V0_STRUCT,
	V0_STRUCTS, /* u4 count, of a structure */
	V0_KINDS,
};

/* Contents that are not pools. */
enum v0_unit {
	V0_NO_UNIT,
	V0_BYTES,
	V0_EPOCH_MILLIS,
	V0_MILLIS,
	V0_NANOS,
	V0_TICKS,
	V0_ADDRESS,
	V0_FRACTION = 11,
};

/* What constants of a pool are, by its name. */
enum v0_role {
	V0_THREAD,     /* a name; the key is the thread's id in the system */
	V0_JAVATHREAD, /* of Java's id: which thread, which group */
	V0_VMTHREAD,   /* which thread */
	V0_GROUP,
	V0_STACK,
	V0_CLASS,
	V0_METHOD,
	V0_SYMBOL,
	V0_OTHER, /* what its structure says */
	V0_ROLES,
};

/* Bytes of the chunk. */
struct v0_text {
	const uint8_t *bytes;
	uint32_t len;
};

bool v0_text_is(struct v0_text t, const char *s);

struct v0_structure;

/* What constants of a kind are made of. */
struct v0_content {
	uint32_t id, index;
	struct v0_text name;
	uint8_t key; /* enum v0_kind */
	uint8_t role;
	const struct v0_structure *structure;
};

struct v0_value {
	struct v0_text id, label, description;
	uint8_t kind;
	uint8_t element; /* the kind of an array's elements */
	uint8_t unit;	 /* enum v0_unit */
	bool is_from;	 /* the thread from which something passed on */
	bool is_loader;	 /* a class that stands for the loader of its kind */
	uint32_t times;	 /* the number is in units of so many; 1 */
	uint32_t content, aux;
	const struct v0_content *pool;	      /* NULL: no key */
	const struct v0_structure *structure; /* of V0_STRUCT and V0_STRUCTS */
};

struct v0_structure {
	struct v0_value *values;
	uint32_t count;
	uint32_t producer, index; /* of that producer */
	uint32_t least;		  /* bytes of one, at least */
	uint32_t leaves;	  /* values, those of inner structures included */
	uint8_t state;		  /* while it is put together */
};

struct v0_event {
	uint32_t id, index;
	struct v0_text label, description, path, uri;
	bool has_start, has_thread, has_stack, is_requestable;
	const struct v0_structure *structure;
};

struct v0_types {
	struct arena arena;
	struct v0_event *events;
	struct v0_content *contents;
	uint32_t event_count, event_room, content_count, content_room;
	struct idmap event_by_id, content_by_id;   /* indices */
	const struct v0_content *threads, *stacks; /* what all events refer to; or NULL */
	struct v0_structure **structures;
	uint32_t structure_count, structure_room;
	int64_t start_ms, end_ms, start_ticks, ticks_per_second;
	struct v0_text locale;
	int32_t gmt_offset_ms;
};

/* The pools of threads and stacks to which each event may refer. */
#define V0_THREADS_ID 7
#define V0_STACKS_ID  9

/*
 * Take apart a metadata event, size and type included; its bytes must outlive *t.  0, or -1 with
 * *err set (JFREC_EFORMAT, JFREC_ENOMEM) and nothing to free.
 */
int v0_types_init(struct v0_types *t, const uint8_t *event, uint64_t size, struct jfrec_error *err);
void v0_types_fini(struct v0_types *t);

const struct v0_event *v0_event_of(const struct v0_types *t, uint32_t id);
const struct v0_content *v0_content_of(const struct v0_types *t, uint32_t id);

/* The index of the value of that id; -1: there is none. */
int v0_value_named(const struct v0_structure *s, const char *id);

/* Bytes of a number of that kind; 0: it is none. */
unsigned v0_width(uint8_t kind);

/* A text; empty once the cursor is bad. */
struct v0_text v0_read_text(struct cursor *c);

/* A number with its sign, or the bits of a float. */
int64_t v0_read_number(struct cursor *c, uint8_t kind);

/* A key has no sign. */
uint64_t v0_read_key(struct cursor *c, uint8_t kind);

/* How many elements come; 0 and a bad cursor if there are not so many bytes.  least: of one. */
uint32_t v0_read_count(struct cursor *c, uint64_t least);

/* Step over a value, or over all of a structure. */
void v0_skip(struct cursor *c, const struct v0_value *v);
void v0_skip_all(struct cursor *c, const struct v0_structure *s);

#endif
