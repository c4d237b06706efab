/* SPDX-License-Identifier: MIT */
/* test_parquet.c - the encodings of Parquet, read back by decoders of its specification */
#include <stdlib.h>

#include "parquet/encode.h"
#include "parquet/parquet.h"
#include "parquet/thrift.h"
#include "test.h"

#define MOST 3000

/* Decoders ------------------------------------------------------------------------------------- */

struct bytes {
	const uint8_t *at, *end;
	bool bad;
};

static uint64_t take_varint(struct bytes *b)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 70; shift += 7) {
		if (b->at == b->end)
			break;
		v |= (uint64_t)(*b->at & 0x7f) << (shift & 63);
		if (*b->at++ < 0x80)
			return v;
	}
	b->bad = true;
	return 0;
}

static int64_t take_signed(struct bytes *b)
{
	uint64_t v = take_varint(b);

	return (int64_t)(v >> 1 ^ -(v & 1));
}

/* Value number i of those packed in so many bits. */
static uint64_t packed(const uint8_t *at, size_t i, unsigned bits)
{
	uint64_t v = 0;

	for (unsigned k = 0; k < bits; k++) {
		size_t bit = i * bits + k;

		v |= (uint64_t)(at[bit / 8] >> (bit & 7) & 1) << k;
	}
	return v;
}

static bool take_bytes(struct bytes *b, size_t n)
{
	b->bad |= n > (size_t)(b->end - b->at);
	if (!b->bad)
		b->at += n;
	return !b->bad;
}

static size_t read_hybrid(struct bytes *b, uint32_t *to, size_t count, unsigned bits)
{
	size_t n = 0;

	while (n < count && b->at < b->end && !b->bad) {
		uint64_t header = take_varint(b), run = header >> 1;
		const uint8_t *at = b->at;

		if (header & 1 ? !take_bytes(b, run * bits) : !take_bytes(b, (bits + 7) / 8))
			break;
		for (size_t i = 0; i < (header & 1 ? run * 8 : run) && n < count; i++)
			to[n++] = (uint32_t)packed(at, header & 1 ? i : 0, bits);
	}
	return n;
}

static size_t read_delta(struct bytes *b, uint64_t *to, bool is_32)
{
	uint64_t block = take_varint(b), parts = take_varint(b), count = take_varint(b), n = 0;
	uint64_t v = (uint64_t)take_signed(b);

	if (count)
		to[n++] = is_32 ? (uint32_t)v : v;
	while (n < count && !b->bad) {
		int64_t least = take_signed(b);
		const uint8_t *widths = b->at;

		take_bytes(b, parts);
		for (uint64_t p = 0; p < parts && n < count && !b->bad; p++) {
			const uint8_t *at = b->at;

			if (!take_bytes(b, block / parts * widths[p] / 8))
				break;
			for (size_t i = 0; i < block / parts && n < count; i++) {
				v += (uint64_t)least + packed(at, i, widths[p]);
				to[n++] = is_32 ? (uint32_t)v : v;
			}
		}
	}
	return n;
}

/* Tests ---------------------------------------------------------------------------------------- */

static uint64_t random_word(void)
{
	static uint64_t x = 88172645463325252u;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* Numbers that come in runs, one in `every` of them the beginning of another run. */
static void fill(uint32_t *to, size_t count, unsigned bits, unsigned every)
{
	for (size_t i = 0; i < count; i++)
		to[i] = i && random_word() % every ? to[i - 1]
						   : (uint32_t)(random_word() & ((UINT64_C(1) << bits) - 1));
}

static void hybrid(void)
{
	static uint32_t values[MOST], got[MOST];
	static const size_t counts[] = { 1, 7, 8, 9, 15, 16, 504, 505, 512, 1009, MOST };

	test_begin("hybrid");
	for (unsigned bits = 0; bits <= 32; bits++) {
		for (unsigned k = 0; k < 3 * sizeof(counts) / sizeof(*counts); k++) {
			size_t count = counts[k / 3];
			struct buffer b = { 0 };
			struct bytes in;

			fill(values, count, bits, (unsigned[]){ 1, 6, 40 }[k % 3]);
			encode_hybrid(&b, values, count, bits);
			in = (struct bytes){ b.data, b.data + b.len, false };
			CHECK_INT(read_hybrid(&in, got, count, bits), count);
			CHECK(!in.bad && in.at == in.end);
			CHECK(memcmp(values, got, count * sizeof(*got)) == 0);
			buffer_fini(&b);
		}
	}
}

static void delta(void)
{
	static uint64_t values[MOST], got[MOST];
	static const size_t counts[] = { 0, 1, 2, 32, 33, 34, 128, 129, 130, 257, MOST };

	test_begin("delta");
	for (unsigned k = 0; k < 8 * sizeof(counts) / sizeof(*counts); k++) {
		size_t count = counts[k / 8];
		struct buffer b = { 0 };
		bool is_32 = k & 1;
		struct bytes in;

		for (size_t i = 0; i < count; i++) {
			uint64_t v = k % 8 < 4 ? random_word() : i * 1000 + random_word() % 100;

			v = k % 8 == 2 ? (i & 1 ? (uint64_t)INT64_MIN : INT64_MAX) : v;
			values[i] = is_32 ? (uint32_t)v : v;
		}
		encode_delta(&b, values, count, is_32);
		in = (struct bytes){ b.data, b.data + b.len, false };
		CHECK_INT(read_delta(&in, got, is_32), count);
		CHECK(!in.bad && in.at == in.end);
		CHECK(memcmp(values, got, count * sizeof(*got)) == 0);
		buffer_fini(&b);
	}
}

static void thrift(void)
{
	static const uint8_t want[] = {
		0x15, 0x03,			   /* 1: i32 -2 */
		0x21,				   /* 3: true */
		0x18, 0x02, 'o', 'k',		   /* 4: binary */
		0x1c, 0x16, 0x80, 0x01, 0x00,	   /* 5: struct { 1: i64 64 } */
		0x49, 0x28, 0x01, 'a', 0x01, 'b', /* 9: list of two texts */
		0x19, 0xf5, 0x0f,		   /* 10: list of 15 i32 */
	};
	struct buffer b = { 0 };
	struct thrift t = thrift_begin(&b);

	test_begin("thrift");
	thrift_i32(&t, 1, -2);
	thrift_bool(&t, 3, true);
	thrift_text(&t, 4, "ok");
	thrift_struct(&t, 5);
	thrift_i64(&t, 1, 64);
	thrift_end(&t);
	thrift_list(&t, 9, THRIFT_BINARY, 2);
	thrift_item_text(&t, "a");
	thrift_item_text(&t, "b");
	thrift_list(&t, 10, THRIFT_I32, 15);
	CHECK_INT(b.len, sizeof(want));
	CHECK(b.len == sizeof(want) && memcmp(b.data, want, sizeof(want)) == 0);
	buffer_fini(&b);
}

static int append(void *ctx, const void *data, size_t len)
{
	buffer_put(ctx, data, len);
	return 0;
}

/* A file of one column; to be freed. */
static struct buffer write_rows(enum parquet_kind kind, const uint64_t *words, size_t count,
				struct parquet_chunk *chunk)
{
	struct parquet_column column = { "x", kind, 64 };
	struct parquet p = { .columns = &column, .column_count = 1, .options.level = 1 };
	struct parquet_scratch s;
	struct buffer file = { 0 };
	struct batch b;

	CHECK(parquet_scratch_init(&s, NULL) == 0 && batch_init(&b, 1, 0, NULL) == 0);
	for (size_t i = 0; i < count; i++) {
		CHECK(batch_reserve_row(&b));
		if (i % 5)
			batch_set(&b, 0, words[i]);
		batch_end_row(&b);
	}
	batch_count_nulls(&b);
	CHECK(parquet_begin(&p, append, &file, NULL) == 0);
	CHECK(parquet_put_column(&p, 0, &b, &s, chunk, NULL) == 0);
	CHECK(parquet_put(&p, &b, &s, NULL) == 0 && parquet_end(&p, NULL) == 0);
	parquet_fini(&p);
	batch_fini(&b);
	parquet_scratch_fini(&s);
	return file;
}

static void files(void)
{
	static uint64_t words[MOST];
	struct parquet_chunk chunk;
	struct buffer file, again;
	uint32_t footer;

	test_begin("repeated_values_have_a_dictionary");
	for (size_t i = 0; i < MOST; i++)
		words[i] = (uint64_t)(i % 7) - 3;
	file = write_rows(PARQUET_INT, words, MOST, &chunk);
	CHECK(chunk.has_dictionary && !chunk.has_delta && chunk.has_limits);
	CHECK_INT(chunk.nulls, MOST / 5);
	CHECK(memcmp(chunk.room, &(int64_t){ -3 }, 8) == 0);
	CHECK(memcmp(chunk.room + 8, &(int64_t){ 3 }, 8) == 0);

	test_begin("a_file_begins_and_ends_as_it_must");
	CHECK(memcmp(file.data, "PAR1", 4) == 0 && memcmp(file.data + file.len - 4, "PAR1", 4) == 0);
	memcpy(&footer, file.data + file.len - 8, 4);
	CHECK(footer > 0 && footer < file.len - 12);

	test_begin("the_same_rows_are_the_same_bytes");
	again = write_rows(PARQUET_INT, words, MOST, &chunk);
	CHECK(again.len == file.len && memcmp(again.data, file.data, file.len) == 0);
	buffer_fini(&again);
	buffer_fini(&file);

	test_begin("different_values_are_differences");
	for (size_t i = 0; i < MOST; i++)
		words[i] = random_word();
	file = write_rows(PARQUET_UINT, words, MOST, &chunk);
	CHECK(!chunk.has_dictionary && chunk.has_delta);
	buffer_fini(&file);

	test_begin("nan_has_no_limits_and_zeros_have_both_signs");
	for (size_t i = 0; i < MOST; i++)
		memcpy(&words[i], &(double){ i % 3 ? 0.0 : 1.5 }, 8);
	file = write_rows(PARQUET_DOUBLE, words, MOST, &chunk);
	CHECK(chunk.has_limits && memcmp(chunk.room, &(double){ -0.0 }, 8) == 0);
	buffer_fini(&file);
	memcpy(&words[1], &(double){ __builtin_nan("") }, 8);
	file = write_rows(PARQUET_DOUBLE, words, MOST, &chunk);
	CHECK(!chunk.has_limits);
	buffer_fini(&file);

	test_begin("without_values");
	file = write_rows(PARQUET_TIME, words, 1, &chunk);
	CHECK(!chunk.has_limits && !chunk.has_dictionary && !chunk.has_delta);
	CHECK_INT(chunk.nulls, 1);
	buffer_fini(&file);
}

int main(void)
{
	hybrid();
	delta();
	thrift();
	files();
	return test_end();
}
