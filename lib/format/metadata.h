/* SPDX-License-Identifier: MIT */
/*
 * metadata.h - parse the types that a chunk declares
 *
 * Everything the reader knows about events comes from here: names, fields in
 * the order of their bytes, and what the annotations say about units.  What
 * printing asks per event (wire form, unit, pool) is resolved here once.
 */
#ifndef JFREC_FORMAT_METADATA_H
#define JFREC_FORMAT_METADATA_H

#include "base/arena.h"
#include "base/idmap.h"
#include "jfrec/chunk.h"

/* The ids of the two events that every chunk is made of. */
#define TYPE_METADATA	0
#define TYPE_CHECKPOINT 1

/* How a value lies in the recording. */
enum wire {
	WIRE_NONE, /* a struct: field by field */
	WIRE_BOOLEAN,
	WIRE_BYTE,
	WIRE_CHAR,
	WIRE_SHORT,
	WIRE_INT,
	WIRE_LONG,
	WIRE_FLOAT,
	WIRE_DOUBLE,
	WIRE_STRING,
	WIRE_KEY,   /* varint key into the pool of the field's type */
	WIRE_ARRAY, /* varint count, then the elements */
};

/* Types that the text format shows in a form of their own. */
enum known_type {
	KNOWN_NONE,
	KNOWN_THREAD,
	KNOWN_CLASS,
	KNOWN_CLASS_LOADER,
	KNOWN_METHOD,
	KNOWN_FRAME,
	KNOWN_STACK_TRACE,
	KNOWN_OLD_OBJECT,
};

/* @Timespan and @Timestamp: what a number means. */
enum time_unit {
	TIME_NONE,
	TIME_TICKS,
	TIME_NANOSECONDS,
	TIME_MICROSECONDS,
	TIME_MILLISECONDS, /* of a @Timestamp: since 1970 */
	TIME_SECONDS,
};

struct annotation_member {
	const char *name, *value;
};

struct jfrec_annotation {
	uint64_t class_id;
	const struct jfrec_type *type; /* NULL: undeclared */
	unsigned member_count;
	struct annotation_member *members;
};

struct jfrec_field {
	const char *name;
	uint64_t class_id;
	const struct jfrec_type *type; /* NULL: undeclared */
	const struct jfrec_type *owner;
	const char *default_value; /* of settings */
	const char *label, *description;
	struct jfrec_annotation *annotations;
	unsigned annotation_count;
	uint16_t index; /* among the owner's fields */
	bool array;
	bool constant; /* a key: the value is in a pool */
	/* from the annotations */
	bool is_unsigned;
	bool is_contextual;
	bool has_content; /* one annotation's type is marked @ContentType: text shows the unit */
	uint8_t timespan, timestamp; /* enum time_unit */
	uint8_t unit;		     /* enum jfrec_unit, of what is no time: content.h */
};

struct plan;

struct jfrec_type {
	uint64_t id;
	const char *name, *super;
	const char *label, *description;
	struct jfrec_field *fields, *settings;
	struct jfrec_annotation *annotations;
	unsigned field_count, setting_count, annotation_count;
	uint32_t index; /* in metadata.types */
	bool simple, is_event, is_contextual;
	bool is_content; /* an annotation marked @ContentType */
	bool gives_unit; /* an annotation of content.c: content_gives_unit() */
	uint8_t wire;	 /* enum wire */
	uint8_t known;	 /* enum known_type */
	struct metadata *metadata;
	const struct plan *plan; /* plan_of() */
};

#define SMALL_IDS 8192

struct metadata {
	unsigned refs;
	uint64_t id;
	struct arena arena;
	struct jfrec_type *types; /* by index, in the order of declaration */
	uint32_t type_count;
	struct idmap by_id;
	/* The same for small ids, which are those of all events of a JVM: index + 1, or 0. */
	uint16_t by_small_id[SMALL_IDS];
	int32_t utc_offset_s;
	bool is_native; /* of a native program: methods are functions, named by their symbols */
	unsigned plan_depth; /* of plans in the making */
	bool has_all_plans;  /* plan_make_all() */
	/* The event's bytes from the id on, to know the next chunk's copy again. */
	const uint8_t *content;
	uint64_t content_len;
	uint64_t used_len; /* of these; fewer only in doubt */
	/*
	 * Why it cannot be as it was written, although it could be parsed: zeros
	 * are short elements without children.  NULL: nothing shows that.
	 */
	const char *doubt;
};

/*
 * Parse the metadata event whose bytes these are, size field included.
 *
 * `previous` may be NULL; if its content is the same, it is returned again.
 * Returns a reference to be given back with metadata_unref(), or NULL with
 * *err set (JFREC_EFORMAT, JFREC_ENOMEM), where offset counts from `event`.
 */
struct metadata *metadata_parse(const uint8_t *event, uint64_t size, struct metadata *previous,
				struct jfrec_error *err);

/* Is it what the metadata event of these bytes says?  Times of the event may differ. */
bool metadata_is_of(const struct metadata *m, const uint8_t *event, uint64_t size);

/* Several threads may have references. */
struct metadata *metadata_ref(struct metadata *m);
void metadata_unref(struct metadata *m);

struct jfrec_type *metadata_type_by_map(const struct metadata *m, uint64_t id);

/* The type of that id, or NULL. */
static inline struct jfrec_type *metadata_type(const struct metadata *m, uint64_t id)
{
	if (id < SMALL_IDS && m->by_small_id[id])
		return &m->types[m->by_small_id[id] - 1];
	return metadata_type_by_map(m, id);
}

/* The type of that name, or NULL. */
struct jfrec_type *metadata_type_named(const struct metadata *m, const char *name);

/* The same of "jdk.X", which JDK 9 and 10 call com.oracle.jdk.X. */
struct jfrec_type *metadata_jdk_type_named(const struct metadata *m, const char *name);

/* The field of that name, or NULL. */
const struct jfrec_field *type_field(const struct jfrec_type *t, const char *name);

/* How its value is written, arrays apart; WIRE_NONE: as the fields of its type. */
static inline enum wire field_wire(const struct jfrec_field *f)
{
	if (f->constant)
		return WIRE_KEY;
	return f->type ? (enum wire)f->type->wire : WIRE_NONE;
}

/* The first annotation of that type name, or NULL. */
const struct jfrec_annotation *annotation_named(const struct jfrec_annotation *a, unsigned count,
						const char *name);

/* The @Category of an event type, or NULL. */
const struct jfrec_annotation *type_category(const struct jfrec_type *t);

/* The value of its member `value`, or NULL. */
const char *annotation_value(const struct jfrec_annotation *a);

#endif
