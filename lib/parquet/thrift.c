/* SPDX-License-Identifier: MIT */
/*
 * thrift.c - write structs of Apache Thrift in its compact protocol
 */
#include "parquet/thrift.h"

#include <assert.h>
#include <string.h>

/* The numbers -1, 1, -2, ... become 1, 2, 3, ... */
static void put_signed(struct thrift *t, int64_t v)
{
	buffer_leb128(t->to, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

static void put_field(struct thrift *t, int field, enum thrift_type type)
{
	int step = field - t->last[t->depth];

	assert(step > 0 && step <= 15); /* the long form is for other structs than Parquet's */
	buffer_u8(t->to, (uint8_t)(step << 4 | (int)type));
	t->last[t->depth] = field;
}

static void put_bytes(struct thrift *t, const void *bytes, size_t len)
{
	buffer_leb128(t->to, len);
	buffer_put(t->to, bytes, len);
}

static void enter(struct thrift *t)
{
	assert(t->depth + 1 < THRIFT_DEPTH);
	t->last[++t->depth] = 0;
}

void thrift_bool(struct thrift *t, int field, bool v)
{
	put_field(t, field, v ? THRIFT_TRUE : THRIFT_FALSE);
}

void thrift_i8(struct thrift *t, int field, int v)
{
	put_field(t, field, THRIFT_I8);
	buffer_u8(t->to, (uint8_t)v);
}

void thrift_i32(struct thrift *t, int field, int64_t v)
{
	put_field(t, field, THRIFT_I32);
	put_signed(t, v);
}

void thrift_i64(struct thrift *t, int field, int64_t v)
{
	put_field(t, field, THRIFT_I64);
	put_signed(t, v);
}

void thrift_binary(struct thrift *t, int field, const void *bytes, size_t len)
{
	put_field(t, field, THRIFT_BINARY);
	put_bytes(t, bytes, len);
}

void thrift_text(struct thrift *t, int field, const char *text)
{
	thrift_binary(t, field, text, strlen(text));
}

void thrift_struct(struct thrift *t, int field)
{
	put_field(t, field, THRIFT_STRUCT);
	enter(t);
}

void thrift_end(struct thrift *t)
{
	buffer_u8(t->to, 0);
	if (t->depth)
		t->depth--;
}

void thrift_list(struct thrift *t, int field, enum thrift_type type, size_t count)
{
	put_field(t, field, THRIFT_LIST);
	if (count < 15) {
		buffer_u8(t->to, (uint8_t)(count << 4 | type));
		return;
	}
	buffer_u8(t->to, (uint8_t)(0xF0 | type));
	buffer_leb128(t->to, count);
}

void thrift_item_i32(struct thrift *t, int64_t v)
{
	put_signed(t, v);
}

void thrift_item_text(struct thrift *t, const char *text)
{
	put_bytes(t, text, strlen(text));
}

void thrift_item_struct(struct thrift *t)
{
	enter(t);
}
