/* SPDX-License-Identifier: MIT */
/*
 * thrift.h - write structs of Apache Thrift in its compact protocol
 *
 * A struct is a row of fields in ascending order of their numbers, ended by a byte of 0. A field is
 * a byte of (its number less the one before) << 4 | its type, then its value. Whole numbers are
 * varints whose lowest bit is the sign. A list is a byte of count << 4 | type, then its values.
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
#ifndef JFREC_PARQUET_THRIFT_H
#define JFREC_PARQUET_THRIFT_H

#include "base/buffer.h"

enum thrift_type {
	THRIFT_TRUE = 1,
	THRIFT_FALSE = 2,
	THRIFT_I8 = 3,
	THRIFT_I32 = 5,
	THRIFT_I64 = 6,
	THRIFT_BINARY = 8,
	THRIFT_LIST = 9,
	THRIFT_STRUCT = 12,
};

/* Structs within structs. Parquet's are five deep. */
#define THRIFT_DEPTH 8

struct thrift {
	struct buffer *to; /* whose `failed` says that memory is gone */
	int last[THRIFT_DEPTH];
	int depth;
};

/* Begin to write the outermost struct. */
static inline struct thrift thrift_begin(struct buffer *to)
{
	return (struct thrift){ .to = to };
}

void thrift_bool(struct thrift *t, int field, bool v);
void thrift_i8(struct thrift *t, int field, int v);
void thrift_i32(struct thrift *t, int field, int64_t v);
void thrift_i64(struct thrift *t, int field, int64_t v);
void thrift_binary(struct thrift *t, int field, const void *bytes, size_t len);
void thrift_text(struct thrift *t, int field, const char *text);

/* A field that is a struct: what follows belongs to it, until thrift_end(). */
void thrift_struct(struct thrift *t, int field);

/* End the innermost struct. The outermost one is ended by the same call. */
void thrift_end(struct thrift *t);

/* A field that is a list. Its values are written by the thrift_item_ functions. */
void thrift_list(struct thrift *t, int field, enum thrift_type type, size_t count);
void thrift_item_i32(struct thrift *t, int64_t v);
void thrift_item_text(struct thrift *t, const char *text);

/* A value of the list that is a struct: to be ended by thrift_end(). */
void thrift_item_struct(struct thrift *t);

#endif
