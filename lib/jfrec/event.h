/* SPDX-License-Identifier: MIT */
/* jfrec/event.h - an event: its chunk, its type, its values */
#ifndef JFREC_EVENT_H
#define JFREC_EVENT_H

#include "jfrec/chunk.h"

JFREC_BEGIN_DECLS

struct jfrec_event;	 /* one event */
struct jfrec_type;	 /* an event type, or the type of a value */
struct jfrec_field;	 /* a field of a type */
struct jfrec_annotation; /* an annotation of a type or a field */

/* Chunks --------------------------------------------------------------------------------------- */

/* The chunk of the event. Valid as long as the event. */
const struct jfrec_chunk_info *jfrec_event_chunk(const struct jfrec_event *ev);

/* Types ---------------------------------------------------------------------------------------- */

/*
 * Types and fields, and every string and pointer got from them, are valid
 * until jfrec_reader_next() steps into another chunk or the reader is closed.
 * Strings are UTF-8; none of these functions fails.
 */

/*
 * A list of types: those of a recording (jfrec_reader_types()) or of a JDK
 * (jfrec_dictionary_types()).
 */
struct jfrec_types;

/* How many types the list has. */
size_t jfrec_types_count(const struct jfrec_types *list);

/* Type number i of the list; NULL beyond the last. */
const struct jfrec_type *jfrec_types_get(const struct jfrec_types *list, size_t i);

/* The type of the event; its fields are what jfrec_event_value() takes. */
const struct jfrec_type *jfrec_event_type(const struct jfrec_event *ev);

/* The number by which the events of a chunk name their type. */
uint64_t jfrec_type_id(const struct jfrec_type *t);

/* "jdk.CPULoad" */
const char *jfrec_type_name(const struct jfrec_type *t);

/* "jdk.jfr.Event" for events; NULL for plain types. */
const char *jfrec_type_super(const struct jfrec_type *t);

/* The @Label, or NULL. */
const char *jfrec_type_label(const struct jfrec_type *t);

/* The @Description, or NULL. */
const char *jfrec_type_description(const struct jfrec_type *t);

/* A type of one field whose values stand for that field, such as a thread state. */
bool jfrec_type_is_simple(const struct jfrec_type *t);

/* How many fields values of the type have. */
size_t jfrec_type_field_count(const struct jfrec_type *t);

/* Field number i, in the order of the recording; NULL beyond the last. */
const struct jfrec_field *jfrec_type_field_get(const struct jfrec_type *t, size_t i);

/* The field of that name, or NULL. */
const struct jfrec_field *jfrec_type_field(const struct jfrec_type *t, const char *name);

/* How many settings an event type has; they look like fields: a name, a type, annotations. */
size_t jfrec_type_setting_count(const struct jfrec_type *t);

/* Setting number i; NULL beyond the last. */
const struct jfrec_field *jfrec_type_setting_get(const struct jfrec_type *t, size_t i);

/* The setting of that name ("threshold"), or NULL. */
const struct jfrec_field *jfrec_type_setting(const struct jfrec_type *t, const char *name);

/* How many annotations the type has. */
size_t jfrec_type_annotation_count(const struct jfrec_type *t);

/* Annotation number i; NULL beyond the last. */
const struct jfrec_annotation *jfrec_type_annotation_get(const struct jfrec_type *t, size_t i);

/* "bytesRead" */
const char *jfrec_field_name(const struct jfrec_field *f);

/* Its @Label ("Bytes Read"), or NULL. */
const char *jfrec_field_label(const struct jfrec_field *f);

/* Its @Description, or NULL. */
const char *jfrec_field_description(const struct jfrec_field *f);

/* The type of the field's values; of its elements, if it is an array. */
const struct jfrec_type *jfrec_field_type(const struct jfrec_field *f);

/* Does it hold any number of values? */
bool jfrec_field_is_array(const struct jfrec_field *f);

/* The recording holds a key here, and the value once per chunk. */
bool jfrec_field_is_constant(const struct jfrec_field *f);

/* A setting's default, as text, or NULL. */
const char *jfrec_field_default(const struct jfrec_field *f);

/* How many annotations the field has. */
size_t jfrec_field_annotation_count(const struct jfrec_field *f);

/* Annotation number i; NULL beyond the last. */
const struct jfrec_annotation *jfrec_field_annotation_get(const struct jfrec_field *f, size_t i);

/* "jdk.jfr.Timespan" */
const char *jfrec_annotation_name(const struct jfrec_annotation *a);

/* How many members the annotation has. */
size_t jfrec_annotation_member_count(const struct jfrec_annotation *a);

/* The name of member number i: "value"; "value-0", "value-1" of arrays; NULL beyond the last. */
const char *jfrec_annotation_member_name(const struct jfrec_annotation *a, size_t i);

/* The text of member number i; NULL beyond the last. */
const char *jfrec_annotation_member_value(const struct jfrec_annotation *a, size_t i);

/* Values --------------------------------------------------------------------------------------- */

/* When the event began, in ns since 1970. */
int64_t jfrec_event_start_ns(const struct jfrec_event *ev);

/* How long it took; 0 for events without a duration. */
int64_t jfrec_event_duration_ns(const struct jfrec_event *ev);

/* Where the event lies in the input. */
uint64_t jfrec_event_offset(const struct jfrec_event *ev);

/* How many bytes it has there. */
uint64_t jfrec_event_size(const struct jfrec_event *ev);

/*
 * A value without a copy: it points into the recording and is valid as long as
 * the event it came from.  @Timestamp and @Timespan are converted to
 * nanoseconds, saturating; all else is as recorded.
 */
struct jfrec_value {
	/*
	 * JFREC_KIND_NULL; _BOOL, _INT (byte, short, int, long), _TIME or _SPAN: .i; _UINT (the
	 * same with @Unsigned) or _CHAR: .u; _FLOAT (float, double): .d; _STRING:
	 * jfrec_value_text(); _STRUCT: jfrec_value_member(); _ARRAY: .u elements,
	 * jfrec_value_element().
	 */
	enum jfrec_kind kind;
	union {
		int64_t i;
		uint64_t u;
		double d;
	};
	const struct jfrec_type *type; /* of the value, or of an array's elements */
	/* private */
	const struct jfrec_event *event;
	const void *at;
	const void *plan;
};

/*
 * The value of a field of the event's type, or of one of its structs by
 * member.  Nothing is searched or decoded again, constants apart.
 *
 * The field must be one of this type (jfrec_type_field() once per type, not
 * once per event).  With a NULL field the value is JFREC_KIND_NULL.
 */
struct jfrec_value jfrec_event_value(const struct jfrec_event *ev, const struct jfrec_field *f);

/* The same for a field of a struct. */
struct jfrec_value jfrec_value_member(const struct jfrec_value *v, const struct jfrec_field *f);

/*
 * The value at a dotted path, such as "eventThread.javaName".  Looks names up
 * on each call: for convenience, not for speed.  JFREC_KIND_NULL if there is none.
 */
struct jfrec_value jfrec_event_path(const struct jfrec_event *ev, const char *path);

/*
 * The value as a whole number: .i of JFREC_KIND_BOOL, _INT, _TIME and _SPAN; .u of _UINT and _CHAR
 * (as the signed number of the same bits); .d of _FLOAT without its fraction, saturating.  0 for
 * all others, NaN included.
 */
int64_t jfrec_value_int(const struct jfrec_value *v);

/* The same as an unsigned number; 0 for negative fractions. */
uint64_t jfrec_value_uint(const struct jfrec_value *v);

/* Any number as a floating-point one; NaN for values that are not numbers. */
double jfrec_value_double(const struct jfrec_value *v);

/* How many elements an array has; 0 for values of other kinds. */
uint64_t jfrec_value_count(const struct jfrec_value *v);

/* Element i of an array; JFREC_KIND_NULL beyond the last.  Takes time in proportion to i. */
struct jfrec_value jfrec_value_element(const struct jfrec_value *v, uint64_t i);

/*
 * The text of a string, char, or struct's single field, as UTF-8 ending in NUL.
 * Unpaired surrogates become '?', as in Java.  *len, if not NULL, gets the length in
 * bytes (a string may hold NUL itself).  NULL for values of other kinds or
 * when memory is gone.  Valid until the next call of jfrec_reader_next().
 */
const char *jfrec_value_text(const struct jfrec_value *v, size_t *len);

JFREC_END_DECLS

#endif
