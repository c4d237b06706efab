/* SPDX-License-Identifier: MIT */
/*
 * plan.h - compile decode plans: how to read the fields of each type
 *
 * A plan is a flat list of steps, made once per type: inline structs are
 * unfolded, so that decoding is one loop that looks nothing up and allocates
 * nothing.  It fills one word ("slot") per step:
 *
 *    whole numbers     the value, sign-extended from its declared width
 *    boolean           0 or 1
 *    char              the UTF-16 unit
 *    float, double     the IEEE bits
 *    key               the key
 *    string, array     the address of its first byte (slot_bytes())
 */
#ifndef JFREC_FORMAT_PLAN_H
#define JFREC_FORMAT_PLAN_H

#include "base/cursor.h"
#include "format/metadata.h"

struct step {
	uint8_t wire;			 /* enum wire, never WIRE_NONE */
	const struct jfrec_field *field; /* whose value it is; NULL in the plan of a primitive */
	const struct plan *element;	 /* of an array's elements */
};

struct plan {
	const char *fault; /* why values of this type cannot be decoded, or NULL */
	unsigned step_count;
	bool only_varints;
	unsigned leading_longs; /* steps before any that is no key and no long */
	unsigned min_size; /* bytes a value takes at least */
	unsigned unfolded; /* fields, with those of inline structs and of arrays' elements */
	const struct step *steps;
	const uint16_t *first_step; /* of each field of the type */
	/* Of events: the steps of startTime and duration, or PLAN_NO_STEP. */
	uint16_t start_step, duration_step;
};

#define PLAN_NO_STEP UINT16_MAX

/*
 * The most steps of a plan, and the most fields it unfolds to: structs in
 * structs, and arrays in arrays, can double at each level.
 */
#define PLAN_MAX_STEPS 1024

/* How many bytes a value has if all have as many; 0: it is a varint, or has parts. */
static inline unsigned wire_size(enum wire w)
{
	switch (w) {
	case WIRE_BOOLEAN:
	case WIRE_BYTE:
		return 1;
	case WIRE_FLOAT:
		return 4;
	case WIRE_DOUBLE:
		return 8;
	default:
		return 0;
	}
}

/*
 * Step over a value without parts: no string, no array.
 *
 * What goes through values and does something with a few kinds of them (mark.c, recode.c, intern.c,
 * redact.c) has a switch over these, and this for all others. Each does so much else with a string
 * or an array that one walk with callbacks for all would be longer than the four.
 */
static inline void wire_skip(enum wire w, struct cursor *c)
{
	if (wire_size(w))
		cursor_take(c, wire_size(w));
	else
		cursor_varint(c);
}

/* A slot is a word; this is its address again, for strings and arrays. */
static inline const uint8_t *slot_bytes(uint64_t slot)
{
	return (const uint8_t *)(uintptr_t)slot;
}

/*
 * The plan of a type, made on first use; it lives as long as the metadata.
 * Never NULL: without memory, or for a type that cannot be, it has a fault.
 */
const struct plan *plan_make(const struct jfrec_type *t);

static inline const struct plan *plan_of(const struct jfrec_type *t)
{
	return t->plan ? t->plan : plan_make(t);
}

/*
 * Make those of all types, so that several threads can ask for them.  To be called before the
 * metadata is shared.
 */
void plan_make_all(struct metadata *m);

/* The plan of one element of an array field, or of the field if it is none. */
const struct plan *plan_of_element(const struct jfrec_field *f);

/* Decode one value into slots[step_count].  False, the cursor bad, if the bytes end early. */
bool plan_decode(const struct plan *p, struct cursor *c, uint64_t *slots);

/* The same of some steps only, `first` to before `end`; and step over those from `count` on. */
bool plan_decode_some(const struct plan *p, unsigned first, unsigned end, struct cursor *c,
		      uint64_t *slots);
bool plan_skip_rest(const struct plan *p, unsigned count, struct cursor *c);

/*
 * The same for a value that was decoded or stepped over before, such as a
 * constant in a pool: nothing is checked again, and what the last step is as
 * long as (the frames of a stack trace) is not asked.
 */
void plan_decode_again(const struct plan *p, const uint8_t *value, const uint8_t *end,
		       uint64_t *slots);

/* Step over one value.  False if it is longer than its bytes, or a boolean in it cannot be one. */
bool plan_skip(const struct plan *p, struct cursor *c);

/* The same, whatever the booleans are. */
bool plan_skip_loosely(const struct plan *p, struct cursor *c);

#endif
