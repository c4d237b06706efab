/* SPDX-License-Identifier: MIT */
/*
 * writer_types.h - the types that the public writer declares
 */
#ifndef JFREC_WRITE_WRITER_TYPES_H
#define JFREC_WRITE_WRITER_TYPES_H

#include "base/arena.h"
#include "base/buffer.h"
#include "jfrec.h"

/* Their ids; those of events follow. 0 and 1 are metadata and checkpoints. */
enum writer_type {
	W_BOOLEAN = 2,
	W_BYTE,
	W_CHAR,
	W_SHORT,
	W_INT,
	W_LONG,
	W_FLOAT,
	W_DOUBLE,
	W_STRING,
	W_THREAD,
	W_THREAD_GROUP,
	W_CLASS,
	W_CLASS_LOADER,
	W_PACKAGE,
	W_MODULE,
	W_SYMBOL,
	W_METHOD,
	W_STACK_TRACE,
	W_STACK_FRAME,
	W_FRAME_TYPE,
	W_CONTENT_TYPE,
	W_LABEL,
	W_DESCRIPTION,
	W_CATEGORY,
	W_TIMESTAMP,
	W_TIMESPAN,
	W_DATA_AMOUNT,
	W_FREQUENCY,
	W_ADDRESS,
	W_PERCENTAGE,
	W_UNSIGNED,
	W_FLAG,
	W_FIRST_EVENT,
};

/* A declared type; a copy whose strings live in an arena. */
bool new_type_copy(struct arena *a, const struct jfrec_new_type *from, struct jfrec_new_type *to);

/* The type of a field's values. */
enum writer_type new_field_type(const struct jfrec_new_field *f);

/* Can a field be of that kind? */
bool new_field_is_known(const struct jfrec_new_field *f);

/* Is the value a point in time, and written as ticks? */
static inline bool new_field_is_ticks(const struct jfrec_new_field *f)
{
	return f->unit == JFREC_UNIT_TIME;
}

/* The content of the metadata event: all types above, and these events. */
void writer_metadata(const struct jfrec_new_type *events, size_t count, struct buffer *to);

#endif
