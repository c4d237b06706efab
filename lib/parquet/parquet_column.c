/* SPDX-License-Identifier: MIT */
/*
 * parquet_column.c - one column of a Parquet file
 *
 * A page has whether each row has a value, as runs, and the values. A column whose values repeat
 * has a dictionary, and its values are numbers in it. Others are differences if they are whole
 * numbers, or as they are.
 */
#include "parquet/parquet.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "parquet/encode.h"

/* A page has that many rows at most, and ends after the text that fills that many bytes. */
#define PAGE_ROWS  65536u
#define PAGE_BYTES (1u << 20)

/* More different numbers than these, or than a quarter of all, are not worth a dictionary. */
#define DISTINCT_MOST 16384u

/* Longer texts are left out of the smallest and largest value: few stack traces need comparing. */
#define LIMIT_LENGTH 128

/* One column of one row group, while it is written. */
struct writing {
	struct parquet *file;
	const struct parquet_column *column;
	const struct batch_column *from;
	struct parquet_scratch *s;
	struct parquet_chunk *chunk;
	size_t rows, count;	/* rows, and those with values */
	const uint64_t *values; /* of the latter */
	enum parquet_encoding encoding;
	size_t distinct; /* values in the dictionary */
};

enum parquet_type parquet_physical(const struct parquet_column *c)
{
	switch (c->kind) {
	case PARQUET_BOOL:
		return TYPE_BOOLEAN;
	case PARQUET_FLOAT:
		return TYPE_FLOAT;
	case PARQUET_DOUBLE:
		return TYPE_DOUBLE;
	case PARQUET_TEXT:
		return TYPE_BYTE_ARRAY;
	case PARQUET_TIME:
		return TYPE_INT64;
	default:
		return c->bits == 64 ? TYPE_INT64 : TYPE_INT32;
	}
}

static bool is_whole(const struct parquet_column *c)
{
	return c->kind == PARQUET_INT || c->kind == PARQUET_UINT || c->kind == PARQUET_TIME;
}

static size_t number_size(const struct parquet_column *c)
{
	enum parquet_type t = parquet_physical(c);

	return t == TYPE_INT32 || t == TYPE_FLOAT ? 4 : 8;
}

/* Values --------------------------------------------------------------------------------------- */

/* Microseconds since 1970, those before it too towards the past. */
static uint64_t in_microseconds(uint64_t ns)
{
	int64_t v = (int64_t)ns;

	return (uint64_t)(v / 1000 - (v % 1000 < 0));
}

/* The words of the rows that have one: where they lie, if they are all there as they are to be. */
static void collect_values(struct writing *w)
{
	bool cuts = w->column->kind == PARQUET_TIME && !w->file->options.nanoseconds;
	uint64_t *to = w->s->values;

	w->values = w->from->words;
	w->count = w->rows - w->from->nulls;
	if (w->from->nulls) {
		for (size_t i = 0, n = 0; i < w->rows; i++) {
			to[n] = w->from->words[i];
			n += batch_has(w->from, i);
		}
		w->values = to;
	}
	if (cuts) {
		for (size_t i = 0; i < w->count; i++)
			to[i] = in_microseconds(w->values[i]);
		w->values = to;
	}
}

/* The number of a value among the different ones; a new one gets the next. */
static uint32_t distinct_number(struct writing *w, uint64_t v)
{
	struct parquet_scratch *s = w->s;
	size_t mask = s->slot_count - 1;
	size_t i = (size_t)((v * 0x9e3779b97f4a7c15u) >> 40) & mask;

	while (s->slots[i] && s->distinct[s->slots[i] - 1] != v)
		i = (i + 1) & mask;
	if (!s->slots[i]) {
		s->distinct[w->distinct] = v;
		s->slots[i] = (uint32_t)++w->distinct;
	}
	return s->slots[i] - 1;
}

/* Number the values.  False: too many are different. */
static bool find_distinct(struct writing *w)
{
	struct parquet_scratch *s = w->s;
	size_t most = w->count / 4 < DISTINCT_MOST ? w->count / 4 : DISTINCT_MOST;

	memset(s->slots, 0, s->slot_count * sizeof(*s->slots));
	for (size_t i = 0; i < w->count; i++) {
		if (i && w->values[i] == w->values[i - 1]) {
			s->numbers[i] = s->numbers[i - 1];
			continue;
		}
		s->numbers[i] = distinct_number(w, w->values[i]);
		if (w->distinct > most)
			return false;
	}
	return w->count > 0;
}

/* Texts have numbers already; those that hardly repeat are shorter without a dictionary. */
static bool take_numbers(struct writing *w)
{
	w->distinct = w->from->texts.count;
	for (size_t i = 0; i < w->count; i++)
		w->s->numbers[i] = (uint32_t)w->values[i];
	return w->count > 0 && w->distinct <= w->count - w->count / 4;
}

static void choose_encoding(struct writing *w)
{
	enum parquet_kind kind = w->column->kind;

	w->encoding = ENCODING_PLAIN;
	if (kind != PARQUET_BOOL && (kind == PARQUET_TEXT ? take_numbers(w) : find_distinct(w)))
		w->encoding = ENCODING_DICTIONARY;
	else if (is_whole(w->column) && w->count)
		w->encoding = ENCODING_DELTA;
	w->chunk->has_dictionary = w->encoding == ENCODING_DICTIONARY;
	w->chunk->has_delta = w->encoding == ENCODING_DELTA;
}

/* The smallest and the largest --------------------------------------------------------------- */

static bool is_below(const struct parquet_column *c, uint64_t a, uint64_t b)
{
	return c->kind == PARQUET_UINT || c->kind == PARQUET_BOOL ? a < b : (int64_t)a < (int64_t)b;
}

static void limit_numbers(struct writing *w, const uint64_t *values, size_t count)
{
	struct parquet_chunk *c = w->chunk;
	size_t size = w->column->kind == PARQUET_BOOL ? 1 : number_size(w->column);
	uint64_t least = values[0], most = values[0];

	for (size_t i = 1; i < count; i++) {
		if (is_below(w->column, values[i], least))
			least = values[i];
		else if (is_below(w->column, most, values[i]))
			most = values[i];
	}
	memcpy(c->room, &least, 8);
	memcpy(c->room + 8, &most, 8);
	c->least = (struct batch_text){ (const char *)c->room, size };
	c->most = (struct batch_text){ (const char *)c->room + 8, size };
	c->has_limits = true;
}

static double fraction(const struct parquet_column *c, uint64_t word)
{
	float narrow;
	double wide;

	if (c->kind == PARQUET_FLOAT) {
		memcpy(&narrow, &word, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, &word, sizeof(wide));
	return wide;
}

/* With a NaN there are none, and zeros get the sign that leaves both in: as the format asks. */
static void limit_fractions(struct writing *w, const uint64_t *values, size_t count)
{
	double least = fraction(w->column, values[0]), most = least;
	bool is_narrow = w->column->kind == PARQUET_FLOAT;
	struct parquet_chunk *c = w->chunk;

	for (size_t i = 0; i < count; i++) {
		double v = fraction(w->column, values[i]);

		if (v != v)
			return;
		least = v < least ? v : least;
		most = v > most ? v : most;
	}
	if (least == 0)
		least = -0.0;
	if (most == 0)
		most = 0.0;
	if (is_narrow) {
		memcpy(c->room, &(float){ (float)least }, 4);
		memcpy(c->room + 8, &(float){ (float)most }, 4);
	} else {
		memcpy(c->room, &least, 8);
		memcpy(c->room + 8, &most, 8);
	}
	c->least = (struct batch_text){ (const char *)c->room, is_narrow ? 4 : 8 };
	c->most = (struct batch_text){ (const char *)c->room + 8, is_narrow ? 4 : 8 };
	c->has_limits = true;
}

static int compare_texts(struct batch_text a, struct batch_text b)
{
	size_t len = a.len < b.len ? a.len : b.len;
	int order = len ? memcmp(a.s, b.s, len) : 0;

	return order ? order : (a.len > b.len) - (a.len < b.len);
}

static void limit_texts(struct writing *w)
{
	const struct text_dictionary *d = &w->from->texts;
	struct batch_text least = text_dictionary_get(d, 0), most = least;

	for (uint32_t i = 1; i < d->count; i++) {
		struct batch_text text = text_dictionary_get(d, i);

		if (compare_texts(text, least) < 0)
			least = text;
		else if (compare_texts(text, most) > 0)
			most = text;
	}
	w->chunk->has_limits = least.len <= LIMIT_LENGTH && most.len <= LIMIT_LENGTH;
	w->chunk->least = least;
	w->chunk->most = most;
}

static void find_limits(struct writing *w)
{
	bool is_short = w->encoding == ENCODING_DICTIONARY;
	const uint64_t *values = is_short ? w->s->distinct : w->values;
	size_t count = is_short ? w->distinct : w->count;

	if (!w->count)
		return;
	if (w->column->kind == PARQUET_TEXT)
		limit_texts(w);
	else if (w->column->kind == PARQUET_FLOAT || w->column->kind == PARQUET_DOUBLE)
		limit_fractions(w, values, count);
	else
		limit_numbers(w, values, count);
}

/* Pages ---------------------------------------------------------------------------------------- */

/* As they are: numbers in few bytes, texts with their lengths, booleans as bits. */
static void put_plain(struct writing *w, struct buffer *to, const uint64_t *values, size_t count)
{
	size_t size = number_size(w->column);
	uint8_t *at;

	if (w->column->kind == PARQUET_TEXT) {
		for (size_t i = 0; i < count; i++)
			parquet_put_text(to, text_dictionary_get(&w->from->texts, values[i]));
		return;
	}
	if (w->column->kind == PARQUET_BOOL)
		size = 1;
	at = buffer_room(to, (count + 1) * size);
	if (!at)
		return;
	if (w->column->kind != PARQUET_BOOL) {
		for (size_t i = 0; i < count; i++)
			memcpy(at + i * size, &values[i], size);
		to->len += count * size;
		return;
	}
	memset(at, 0, (count + 7) / 8);
	for (size_t i = 0; i < count; i++)
		at[i / 8] |= (uint8_t)((values[i] & 1) << (i & 7));
	to->len += (count + 7) / 8;
}

static int write_page(struct writing *w, enum parquet_page type, size_t count,
		      struct jfrec_error *err)
{
	return parquet_put_page(w->file, w->s, w->chunk, type, w->encoding, count, err);
}

static int write_dictionary(struct writing *w, struct jfrec_error *err)
{
	const struct text_dictionary *d = &w->from->texts;

	buffer_clear(&w->s->page);
	if (w->column->kind == PARQUET_TEXT)
		parquet_put_texts(&w->s->page, d);
	else
		put_plain(w, &w->s->page, w->s->distinct, w->distinct);
	w->chunk->dictionary_at = w->file->at;
	return write_page(w, PAGE_DICTIONARY, w->distinct, err);
}

/* Which of some rows have a value: their length in bytes, then runs of 0 and 1. */
static void put_levels(struct writing *w, size_t from, size_t to)
{
	struct buffer *page = &w->s->page;
	size_t before = page->len;
	uint32_t len;

	buffer_put(page, &(uint32_t){ 0 }, 4);
	if (!w->from->nulls)
		encode_hybrid_run(page, 1, to - from, 1);
	for (size_t i = from, n; w->from->nulls && i < to; i += n) {
		bool there = batch_has(w->from, i);

		for (n = 1; i + n < to && batch_has(w->from, i + n) == there;)
			n++;
		encode_hybrid_run(page, there, n, 1);
	}
	if (page->failed)
		return;
	len = (uint32_t)(page->len - before - 4);
	memcpy(page->data + before, &len, 4);
}

static void put_values(struct writing *w, size_t from, size_t count)
{
	struct buffer *page = &w->s->page;
	unsigned bits = bits_of(w->distinct - 1);

	switch (w->encoding) {
	case ENCODING_DICTIONARY:
		buffer_u8(page, (uint8_t)bits);
		encode_hybrid(page, w->s->numbers + from, count, bits);
		break;
	case ENCODING_DELTA:
		encode_delta(page, w->values + from, count, number_size(w->column) == 4);
		break;
	default:
		put_plain(w, page, w->values + from, count);
	}
}

/* The row before which a page ends; *there gets how many values it has, the first being `value`. */
static size_t end_of_page(const struct writing *w, size_t row, size_t value, size_t *there)
{
	bool is_long = w->column->kind == PARQUET_TEXT && w->encoding == ENCODING_PLAIN;
	size_t end = row, bytes = 0;

	*there = 0;
	if (!is_long && !w->from->nulls) {
		end = w->rows - row < PAGE_ROWS ? w->rows : row + PAGE_ROWS;
		*there = end - row;
		return end;
	}
	for (; end < w->rows && end - row < PAGE_ROWS && bytes < PAGE_BYTES; end++) {
		if (!batch_has(w->from, end))
			continue;
		if (is_long)
			bytes += text_dictionary_get(&w->from->texts,
						     w->values[value + *there])
					 .len;
		++*there;
	}
	return end;
}

static int write_data(struct writing *w, struct jfrec_error *err)
{
	size_t value = 0, end, there;

	w->chunk->data_at = w->file->at;
	for (size_t row = 0; row < w->rows; row = end, value += there) {
		end = end_of_page(w, row, value, &there);
		buffer_clear(&w->s->page);
		put_levels(w, row, end);
		put_values(w, value, there);
		if (write_page(w, PAGE_DATA, end - row, err) < 0)
			return -1;
	}
	return 0;
}

/* The column ----------------------------------------------------------------------------------- */

static bool reserve(struct parquet_scratch *s, size_t rows)
{
	size_t slots = 1024;

	while (slots < 2 * DISTINCT_MOST && slots < rows)
		slots *= 2;
	s->slot_count = slots;
	if (rows <= s->room)
		return true;
	free(s->values);
	free(s->numbers);
	s->values = reallocarray(NULL, rows, sizeof(*s->values));
	s->numbers = reallocarray(NULL, rows, sizeof(*s->numbers));
	s->room = s->values && s->numbers ? rows : 0;
	return s->room > 0;
}

int parquet_put_column(struct parquet *p, size_t column, const struct batch *b,
		       struct parquet_scratch *s, struct parquet_chunk *c, struct jfrec_error *err)
{
	struct writing w = {
		.file = p,
		.column = &p->columns[column],
		.from = &b->columns[column],
		.s = s,
		.chunk = c,
		.rows = b->rows,
	};

	*c = (struct parquet_chunk){ .values = b->rows, .nulls = b->columns[column].nulls };
	if (!reserve(s, b->rows))
		return jfrec_fail_memory(err);
	collect_values(&w);
	choose_encoding(&w);
	find_limits(&w);
	if (c->has_dictionary && write_dictionary(&w, err) < 0)
		return -1;
	return write_data(&w, err);
}

int parquet_scratch_init(struct parquet_scratch *s, struct jfrec_error *err)
{
	*s = (struct parquet_scratch){
		.compressor = block_compressor_new(),
		.distinct = reallocarray(NULL, DISTINCT_MOST + 1, sizeof(*s->distinct)),
		.slots = reallocarray(NULL, 2 * DISTINCT_MOST, sizeof(*s->slots)),
	};
	return s->compressor && s->distinct && s->slots ? 0 : jfrec_fail_memory(err);
}

void parquet_scratch_fini(struct parquet_scratch *s)
{
	block_compressor_free(s->compressor);
	buffer_fini(&s->page);
	buffer_fini(&s->packed);
	buffer_fini(&s->header);
	free(s->values);
	free(s->numbers);
	free(s->distinct);
	free(s->slots);
	*s = (struct parquet_scratch){ 0 };
}
