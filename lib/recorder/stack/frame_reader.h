/* SPDX-License-Identifier: MIT */
/*
 * frame_reader.h - numbers and addresses in tables of frames, within their bounds
 *
 * A reader that has run past its end is bad, and what it takes is 0.
 */
#ifndef JFREC_RECORDER_STACK_FRAME_READER_H
#define JFREC_RECORDER_STACK_FRAME_READER_H

#include <string.h>

#include "recorder/stack/unwind.h"

/* What encodings of pointers are made of. */
#define ENCODING_OMIT	  0xff
#define ENCODING_FORM	  0x0f
#define ENCODING_BASE	  0x70
#define ENCODING_PCREL	  0x10
#define ENCODING_DATAREL  0x30
#define ENCODING_INDIRECT 0x80

struct reader {
	const struct frame_tables *t;
	uint64_t at, end; /* offsets into its data */
	bool bad;
};

static inline uint64_t take(struct reader *r, unsigned bytes)
{
	uint64_t value = 0;

	if (r->bad || bytes > r->end - r->at) {
		r->bad = true;
		return 0;
	}
	memcpy(&value, r->t->data + r->at, bytes);
	r->at += bytes;
	return value;
}

/* A number in LEB128, seven bits a byte; *sign_bits: those above, if it is a negative one. */
static inline uint64_t take_leb(struct reader *r, uint64_t *sign_bits)
{
	uint64_t value = 0, byte;
	unsigned shift = 0;

	do {
		byte = take(r, 1);
		if (shift < 64)
			value |= (byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80 && !r->bad);
	*sign_bits = shift < 64 && byte & 0x40 ? ~(uint64_t)0 << shift : 0;
	return value;
}

static inline uint64_t take_unsigned(struct reader *r)
{
	uint64_t sign_bits;

	return take_leb(r, &sign_bits);
}

static inline int64_t take_signed(struct reader *r)
{
	uint64_t sign_bits, value = take_leb(r, &sign_bits);

	return (int64_t)(value | sign_bits);
}

static inline void skip(struct reader *r, uint64_t bytes)
{
	if (r->bad || bytes > r->end - r->at)
		r->bad = true;
	else
		r->at += bytes;
}

static inline uint64_t take_form(struct reader *r, uint8_t form)
{
	switch (form) {
	case 0x0:
	case 0x4:
	case 0xc:
		return take(r, 8);
	case 0x1:
		return take_unsigned(r);
	case 0x2:
		return take(r, 2);
	case 0x3:
		return take(r, 4);
	case 0x9:
		return (uint64_t)take_signed(r);
	case 0xa:
		return (uint64_t)(int64_t)(int16_t)take(r, 2);
	case 0xb:
		return (uint64_t)(int64_t)(int32_t)take(r, 4);
	default:
		r->bad = true;
		return 0;
	}
}

/* An address in one of the encodings. */
static inline uint64_t take_address(struct reader *r, uint8_t encoding)
{
	uint64_t here = r->t->address + r->at, value;

	if (encoding == ENCODING_OMIT || encoding & ENCODING_INDIRECT) {
		r->bad = true;
		return 0;
	}
	value = take_form(r, encoding & ENCODING_FORM);
	if ((encoding & ENCODING_BASE) == ENCODING_PCREL)
		return value + here;
	if ((encoding & ENCODING_BASE) == ENCODING_DATAREL)
		return value + r->t->header;
	r->bad |= (encoding & ENCODING_BASE) != 0;
	return value;
}

/* From an address in the tables to their end. */
static inline struct reader reader_at(const struct frame_tables *t, uint64_t address)
{
	struct reader r = { t, address - t->address, t->size, false };

	if (r.at > t->size) {
		r.at = r.end;
		r.bad = true;
	}
	return r;
}

#endif
