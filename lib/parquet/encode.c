/* SPDX-License-Identifier: MIT */
/*
 * encode.c - the encodings of numbers in Parquet's pages
 */
#include "parquet/encode.h"

/* A run of fewer equal values costs more than to pack them. */
#define RUN_LEAST 8

/* Values that are packed under one header, which then takes one byte. */
#define PACKED_MOST ((size_t)63 * 8)

/* Delta: values of a block, which has one minimum, and of a part of it, which has one width. */
#define BLOCK 128
#define MINI  32

/* Packs bits, the lowest first. */
struct packer {
	uint8_t *at;
	uint64_t bits;
	unsigned count;
};

static inline void pack(struct packer *p, uint64_t v, unsigned width)
{
	p->bits |= v << p->count;
	p->count += width;
	if (p->count < 64)
		return;
	memcpy(p->at, &p->bits, 8);
	p->at += 8;
	p->count -= 64;
	p->bits = p->count ? v >> (width - p->count) : 0;
}

static void pack_end(struct packer *p)
{
	for (; p->count; p->count -= p->count < 8 ? p->count : 8) {
		*p->at++ = (uint8_t)p->bits;
		p->bits >>= 8;
	}
}

/* Hybrid --------------------------------------------------------------------------------------- */

void encode_hybrid_run(struct buffer *to, uint32_t value, size_t count, unsigned bits)
{
	if (!count)
		return;
	buffer_leb128(to, (uint64_t)count << 1);
	buffer_put(to, &value, (bits + 7) / 8);
}

/* The last group is filled with zeros. */
static void put_packed(struct buffer *to, const uint32_t *values, size_t count, unsigned bits)
{
	size_t groups = (count + 7) / 8;
	struct packer p = { 0 };

	if (!count)
		return;
	buffer_leb128(to, groups << 1 | 1);
	p.at = buffer_room(to, groups * bits + 8);
	if (!p.at)
		return;
	memset(p.at, 0, groups * bits + 8);
	for (size_t i = 0; i < count; i++)
		pack(&p, values[i], bits);
	pack_end(&p);
	to->len += groups * bits;
}

/* Two values at a time: most runs are long. */
static size_t run_length(const uint32_t *values, size_t count)
{
	uint64_t two = values[0] | (uint64_t)values[0] << 32, next;
	size_t n = 1;

	for (; n + 2 <= count; n += 2) {
		memcpy(&next, values + n, sizeof(next));
		if (next != two)
			break;
	}
	while (n < count && values[n] == values[0])
		n++;
	return n;
}

/*
 * Where the next run begins that is not too short, from `i` on, where one begins; or `count`.  The
 * last value that would belong to it is looked at first, so most others are stepped over.
 */
static size_t next_run(const uint32_t *values, size_t i, size_t count)
{
	while (count - i >= RUN_LEAST) {
		size_t last = i + RUN_LEAST - 1, first = last;

		while (first > i && values[first - 1] == values[last])
			first--;
		if (first == i)
			return i;
		i = first;
	}
	return count;
}

/*
 * Packed values can be a multiple of eight only, unless they are the last ones: what is missing to
 * one is taken from the run that follows.
 */
void encode_hybrid(struct buffer *to, const uint32_t *values, size_t count, unsigned bits)
{
	size_t packed = 0; /* where those begin that are not written yet */

	for (size_t i = 0; i < count;) {
		size_t run, fill;

		i = next_run(values, i, count);
		for (; i - packed >= PACKED_MOST; packed += PACKED_MOST)
			put_packed(to, values + packed, PACKED_MOST, bits);
		if (i == count)
			break;
		run = run_length(values + i, count - i);
		fill = -(i - packed) & 7;
		if (run < RUN_LEAST + fill) {
			i += run;
			continue;
		}
		i += fill;
		put_packed(to, values + packed, i - packed, bits);
		encode_hybrid_run(to, values[i], run - fill, bits);
		i += run - fill;
		packed = i;
	}
	put_packed(to, values + packed, count - packed, bits);
}

/* Delta ---------------------------------------------------------------------------------------- */

static void put_signed(struct buffer *to, int64_t v)
{
	buffer_leb128(to, (uint64_t)v << 1 ^ (uint64_t)(v >> 63));
}

/* All parts but those that have no value at all: they have no bytes, and any width. */
static void put_block(struct buffer *to, const uint64_t deltas[BLOCK], size_t count)
{
	uint8_t widths[BLOCK / MINI] = { 0 }, *at;
	size_t parts = (count + MINI - 1) / MINI;

	for (size_t i = 0; i < count; i++) {
		unsigned width = bits_of(deltas[i]);

		if (width > widths[i / MINI])
			widths[i / MINI] = (uint8_t)width;
	}
	buffer_put(to, widths, sizeof(widths));
	for (size_t part = 0; part < parts; part++) {
		size_t size = (size_t)widths[part] * MINI / 8;
		struct packer p = { 0 };

		at = buffer_room(to, size + 8);
		if (!at || !size)
			continue;
		p.at = at;
		for (size_t i = part * MINI; i < (part + 1) * MINI; i++)
			pack(&p, i < count ? deltas[i] : 0, widths[part]);
		to->len += size; /* 32 values fill whole words, at most after one half */
		pack_end(&p);
	}
}

static int64_t difference(uint64_t a, uint64_t b, bool is_32)
{
	return is_32 ? (int32_t)(uint32_t)(a - b) : (int64_t)(a - b);
}

void encode_delta(struct buffer *to, const uint64_t *values, size_t count, bool is_32)
{
	uint64_t deltas[BLOCK], mask = is_32 ? UINT32_MAX : UINT64_MAX;

	buffer_leb128(to, BLOCK);
	buffer_leb128(to, BLOCK / MINI);
	buffer_leb128(to, count);
	put_signed(to, !count ? 0 : is_32 ? (int32_t)(uint32_t)values[0] : (int64_t)values[0]);
	for (size_t i = 1; i < count;) {
		size_t n = count - i < BLOCK ? count - i : BLOCK;
		int64_t least = INT64_MAX;

		for (size_t k = 0; k < n; k++) {
			int64_t delta = difference(values[i + k], values[i + k - 1], is_32);

			deltas[k] = (uint64_t)delta;
			least = delta < least ? delta : least;
		}
		for (size_t k = 0; k < n; k++)
			deltas[k] = (deltas[k] - (uint64_t)least) & mask;
		put_signed(to, least);
		put_block(to, deltas, n);
		i += n;
	}
}
