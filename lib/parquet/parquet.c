/* SPDX-License-Identifier: MIT */
/*
 * parquet.c - write tables as Apache Parquet
 */
#include "parquet/parquet.h"

#include "base/error.h"
#include "parquet/thrift.h"
#include "version.h"

/* Those of parquet.thrift. */
enum repetition {
	REQUIRED = 0,
	OPTIONAL = 1,
	REPEATED = 2,
};

enum converted_type {
	CONVERTED_UTF8 = 0,
	CONVERTED_LIST = 3,
	CONVERTED_TIME_MICROS = 10,
	CONVERTED_UINT = 11, /* of 8, 16, 32 and 64 bits */
	CONVERTED_INT = 15,
};

enum logical_type {
	LOGICAL_TEXT = 1,
	LOGICAL_LIST = 3,
	LOGICAL_TIME = 8,
	LOGICAL_INTEGER = 10,
};

enum time_unit_field {
	UNIT_MICROS = 2,
	UNIT_NANOS = 3,
};

static const char magic[] = { 'P', 'A', 'R', '1' };

int parquet_begin(struct parquet *p, jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	p->write = write;
	p->ctx = ctx;
	return parquet_write(p, magic, sizeof(magic), err);
}

void parquet_fini(struct parquet *p)
{
	buffer_fini(&p->groups);
	buffer_fini(&p->pairs);
}

void parquet_pair(struct parquet *p, const char *key, const char *value)
{
	struct thrift t = thrift_begin(&p->pairs);

	thrift_text(&t, 1, key);
	thrift_text(&t, 2, value);
	thrift_end(&t);
	p->pair_count++;
}

/* Row groups ----------------------------------------------------------------------------------- */

static void put_encodings(struct thrift *t, const struct parquet_chunk *c)
{
	bool has_plain = !c->has_delta; /* the dictionary's own, if not the values' */

	thrift_list(t, 2, THRIFT_I32, 2u + c->has_dictionary);
	thrift_item_i32(t, ENCODING_RLE);
	if (has_plain)
		thrift_item_i32(t, ENCODING_PLAIN);
	if (c->has_delta)
		thrift_item_i32(t, ENCODING_DELTA);
	if (c->has_dictionary)
		thrift_item_i32(t, ENCODING_DICTIONARY);
}

static void put_statistics(struct thrift *t, const struct parquet_chunk *c)
{
	thrift_struct(t, 12);
	thrift_i64(t, 3, (int64_t)c->nulls);
	if (c->has_limits) {
		thrift_binary(t, 5, c->most.s, c->most.len);
		thrift_binary(t, 6, c->least.s, c->least.len);
	}
	thrift_end(t);
}

/* The path of a part of the frames has the names of all groups. */
static void put_path(struct thrift *t, const char *name, const char *part)
{
	thrift_list(t, 3, THRIFT_BINARY, part ? 4 : 1);
	thrift_item_text(t, name);
	if (!part)
		return;
	thrift_item_text(t, "list");
	thrift_item_text(t, "element");
	thrift_item_text(t, part);
}

static void put_chunk(struct thrift *t, const char *name, const char *part, enum parquet_type type,
		      const struct parquet_chunk *c)
{
	thrift_item_struct(t);
	thrift_i64(t, 2, 0);
	thrift_struct(t, 3);
	thrift_i32(t, 1, type);
	put_encodings(t, c);
	put_path(t, name, part);
	thrift_i32(t, 4, PARQUET_ZSTD);
	thrift_i64(t, 5, (int64_t)c->values);
	thrift_i64(t, 6, (int64_t)c->plain_size);
	thrift_i64(t, 7, (int64_t)c->stored_size);
	thrift_i64(t, 9, (int64_t)c->data_at);
	if (c->has_dictionary)
		thrift_i64(t, 11, (int64_t)c->dictionary_at);
	put_statistics(t, c);
	thrift_end(t);
	thrift_end(t);
}

static enum parquet_type part_type(enum frame_part p)
{
	return frame_part_is_text(p) ? TYPE_BYTE_ARRAY : TYPE_INT32;
}

/* A row group in the making. */
struct group {
	struct thrift t;
	uint64_t plain, stored;
};

static void add_chunk(struct group *g, const char *name, const char *part, enum parquet_type type,
		      const struct parquet_chunk *c)
{
	put_chunk(&g->t, name, part, type, c);
	g->plain += c->plain_size;
	g->stored += c->stored_size;
}

static int put_frames(struct parquet *p, struct group *g, size_t column, const struct batch *b,
		      struct parquet_scratch *s, struct jfrec_error *err)
{
	const struct batch_column *from = &b->columns[column];
	struct parquet_chunk chunk;
	struct frame_lists frames;
	int ret = frame_lists_init(&frames, &from->texts) ? 0 : jfrec_fail_memory(err);

	for (unsigned i = 0; ret == 0 && i < FRAME_PARTS; i++) {
		enum frame_part part = (enum frame_part)i;

		ret = parquet_put_frames(p, from, b->rows, &frames, part, s, &chunk, err);
		if (ret == 0)
			add_chunk(g, p->columns[column].name, frame_part_name(part),
				  part_type(part), &chunk);
	}
	frame_lists_fini(&frames);
	return ret;
}

static int put_column(struct parquet *p, struct group *g, size_t column, const struct batch *b,
		      struct parquet_scratch *s, struct jfrec_error *err)
{
	const struct parquet_column *c = &p->columns[column];
	struct parquet_chunk chunk;

	if (c->kind == PARQUET_FRAMES)
		return put_frames(p, g, column, b, s, err);
	if (parquet_put_column(p, column, b, s, &chunk, err) < 0)
		return -1;
	add_chunk(g, c->name, NULL, parquet_physical(c), &chunk);
	return 0;
}

/* Columns as they are stored: those of a list of frames are several. */
static size_t leaf_count(const struct parquet *p)
{
	size_t count = 0;

	for (size_t i = 0; i < p->column_count; i++)
		count += p->columns[i].kind == PARQUET_FRAMES ? FRAME_PARTS : 1;
	return count;
}

int parquet_put(struct parquet *p, const struct batch *b, struct parquet_scratch *s,
		struct jfrec_error *err)
{
	struct group g = { .t = thrift_begin(&p->groups) };
	uint64_t begin = p->at;

	thrift_list(&g.t, 1, THRIFT_STRUCT, leaf_count(p));
	for (size_t i = 0; i < p->column_count; i++) {
		if (put_column(p, &g, i, b, s, err) < 0)
			return -1;
	}
	thrift_i64(&g.t, 2, (int64_t)g.plain);
	thrift_i64(&g.t, 3, (int64_t)b->rows);
	thrift_i64(&g.t, 5, (int64_t)begin);
	thrift_i64(&g.t, 6, (int64_t)g.stored);
	thrift_end(&g.t);
	p->group_count++;
	p->rows += b->rows;
	return p->groups.failed ? jfrec_fail_memory(err) : 0;
}

/* The footer ----------------------------------------------------------------------------------- */

static void put_time_type(struct thrift *t, bool nanoseconds)
{
	if (!nanoseconds)
		thrift_i32(t, 6, CONVERTED_TIME_MICROS);
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_TIME);
	thrift_bool(t, 1, true); /* UTC */
	thrift_struct(t, 2);
	thrift_struct(t, nanoseconds ? UNIT_NANOS : UNIT_MICROS);
	thrift_end(t);
	thrift_end(t);
	thrift_end(t);
	thrift_end(t);
}

static void put_integer_type(struct thrift *t, unsigned bits, bool is_signed)
{
	int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : 3;

	thrift_i32(t, 6, (is_signed ? CONVERTED_INT : CONVERTED_UINT) + size);
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_INTEGER);
	thrift_i8(t, 1, (int)bits);
	thrift_bool(t, 2, is_signed);
	thrift_end(t);
	thrift_end(t);
}

static void put_text_type(struct thrift *t)
{
	thrift_i32(t, 6, CONVERTED_UTF8);
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_TEXT);
	thrift_end(t);
	thrift_end(t);
}

static void put_group(struct thrift *t, const char *name, enum repetition r, size_t children)
{
	thrift_item_struct(t);
	thrift_i32(t, 3, r);
	thrift_text(t, 4, name);
	thrift_i32(t, 5, (int64_t)children);
}

static void put_list_type(struct thrift *t)
{
	thrift_i32(t, 6, CONVERTED_LIST);
	thrift_struct(t, 10);
	thrift_struct(t, LOGICAL_LIST);
	thrift_end(t);
	thrift_end(t);
}

static void put_frames_elements(struct thrift *t, const char *name)
{
	put_group(t, name, OPTIONAL, 1);
	put_list_type(t);
	thrift_end(t);
	put_group(t, "list", REPEATED, 1);
	thrift_end(t);
	put_group(t, "element", REQUIRED, FRAME_PARTS);
	thrift_end(t);
	for (unsigned i = 0; i < FRAME_PARTS; i++) {
		enum frame_part part = (enum frame_part)i;

		thrift_item_struct(t);
		thrift_i32(t, 1, part_type(part));
		thrift_i32(t, 3, OPTIONAL);
		thrift_text(t, 4, frame_part_name(part));
		if (frame_part_is_text(part))
			put_text_type(t);
		else
			put_integer_type(t, 32, true);
		thrift_end(t);
	}
}

static void put_element(struct parquet *p, struct thrift *t, const struct parquet_column *c)
{
	if (c->kind == PARQUET_FRAMES) {
		put_frames_elements(t, c->name);
		return;
	}
	thrift_item_struct(t);
	thrift_i32(t, 1, parquet_physical(c));
	thrift_i32(t, 3, OPTIONAL);
	thrift_text(t, 4, c->name);
	if (c->kind == PARQUET_TIME)
		put_time_type(t, p->options.nanoseconds);
	else if (c->kind == PARQUET_TEXT)
		put_text_type(t);
	else if (c->kind == PARQUET_INT || c->kind == PARQUET_UINT)
		put_integer_type(t, c->bits, c->kind == PARQUET_INT);
	thrift_end(t);
}

static void put_schema(struct parquet *p, struct thrift *t)
{
	/* A list has three groups. */
	size_t count = 1;

	for (size_t i = 0; i < p->column_count; i++)
		count += p->columns[i].kind == PARQUET_FRAMES ? 3 + FRAME_PARTS : 1;
	thrift_list(t, 2, THRIFT_STRUCT, count);
	thrift_item_struct(t);
	thrift_text(t, 4, "schema");
	thrift_i32(t, 5, (int64_t)p->column_count);
	thrift_end(t);
	for (size_t i = 0; i < p->column_count; i++)
		put_element(p, t, &p->columns[i]);
}

/* Values are ordered as their types are. Without this, readers do not trust the limits. */
static void put_orders(struct parquet *p, struct thrift *t)
{
	size_t count = leaf_count(p);

	thrift_list(t, 7, THRIFT_STRUCT, count);
	for (size_t i = 0; i < count; i++) {
		thrift_item_struct(t);
		thrift_struct(t, 1);
		thrift_end(t);
		thrift_end(t);
	}
}

static void put_footer(struct parquet *p, struct buffer *to)
{
	struct thrift t = thrift_begin(to);

	thrift_i32(&t, 1, 2);
	put_schema(p, &t);
	thrift_i64(&t, 3, (int64_t)p->rows);
	thrift_list(&t, 4, THRIFT_STRUCT, p->group_count);
	buffer_put(to, p->groups.data, p->groups.len);
	thrift_list(&t, 5, THRIFT_STRUCT, p->pair_count);
	buffer_put(to, p->pairs.data, p->pairs.len);
	thrift_text(&t, 6, "jfrec version " JFREC_VERSION " (build 0)");
	put_orders(p, &t);
	thrift_end(&t);
}

int parquet_end(struct parquet *p, struct jfrec_error *err)
{
	struct buffer footer = { 0 };
	uint32_t len;
	int ret;

	put_footer(p, &footer);
	len = (uint32_t)footer.len;
	buffer_put(&footer, &len, sizeof(len));
	buffer_put(&footer, magic, sizeof(magic));
	if (footer.failed || p->groups.failed || p->pairs.failed || footer.len > INT32_MAX)
		ret = jfrec_fail_memory(err);
	else
		ret = parquet_write(p, footer.data, footer.len, err);
	buffer_fini(&footer);
	return ret;
}
