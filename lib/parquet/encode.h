/* SPDX-License-Identifier: MIT */
/*
 * encode.h - the encodings of numbers in Parquet's pages
 *
 * Hybrid: runs of a value that repeats, and groups of eight values packed into as few bits as the
 * widest one needs. Delta: differences to the value before, packed in the same way, 32 at a time.
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/
 */
#ifndef JFREC_PARQUET_ENCODE_H
#define JFREC_PARQUET_ENCODE_H

#include "base/buffer.h"

/* How many bits numbers up to `most` need; 0 for 0. */
static inline unsigned bits_of(uint64_t most)
{
	return most ? 64 - (unsigned)__builtin_clzll(most) : 0;
}

/* RLE/bit-packed hybrid of values that are below 1 << bits; bits is at most 32. */
void encode_hybrid(struct buffer *to, const uint32_t *values, size_t count, unsigned bits);

/* The same of one value that repeats `count` times. */
void encode_hybrid_run(struct buffer *to, uint32_t value, size_t count, unsigned bits);

/* DELTA_BINARY_PACKED of 64-bit numbers, or of 32-bit ones, where differences wrap at 32 bits. */
void encode_delta(struct buffer *to, const uint64_t *values, size_t count, bool is_32);

#endif
