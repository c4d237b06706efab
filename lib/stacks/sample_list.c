/* SPDX-License-Identifier: MIT */
/*
 * sample_list.c - each sample, in few bytes: for formats that show them all
 *
 * Of each varints (seven bits each, the lowest first):
 *
 *    place << 1 | has a weight
 *    time - time before, signed
 *    if it has a weight: samples; value - value before, signed; else they are those before
 *
 * Signed numbers have their sign in the lowest bit. So most samples take six bytes or ten.
 */
#include "stacks/sample_list.h"

/* Arithmetic without a sign: differences of any two numbers wrap, and come back. */
static uint64_t with_sign_last(uint64_t v)
{
	return v << 1 ^ (v >> 63 ? UINT64_MAX : 0);
}

static uint64_t with_sign_first(uint64_t v)
{
	return v >> 1 ^ (v & 1 ? UINT64_MAX : 0);
}

int sample_list_add(struct sample_list *s, struct sample one)
{
	const struct sample *before = &s->last;
	bool has_weight = one.weight.samples != before->weight.samples ||
			  one.weight.value != before->weight.value;

	buffer_leb128(&s->packed, (uint64_t)one.place << 1 | has_weight);
	buffer_leb128(&s->packed, with_sign_last((uint64_t)one.time - (uint64_t)before->time));
	if (has_weight) {
		buffer_leb128(&s->packed, one.weight.samples);
		buffer_leb128(&s->packed, with_sign_last((uint64_t)one.weight.value -
							 (uint64_t)before->weight.value));
	}
	s->last = one;
	s->count++;
	return s->packed.failed ? -1 : 0;
}

static uint64_t next_number(const uint8_t **at)
{
	uint64_t value = 0;
	unsigned shift = 0;

	do
		value |= (uint64_t)(**at & 0x7f) << shift;
	while (shift += 7, *(*at)++ & 0x80);
	return value;
}

int sample_list_each(const struct sample_list *s, sample_list_fn *fn, void *ctx)
{
	const uint8_t *at = s->packed.data;
	struct sample one = { 0 };
	int ret = 0;

	for (size_t i = 0; i < s->count && ret == 0; i++) {
		uint64_t token = next_number(&at);

		one.place = (uint32_t)(token >> 1);
		one.time = (int64_t)((uint64_t)one.time + with_sign_first(next_number(&at)));
		if (token & 1) {
			one.weight.samples = next_number(&at);
			one.weight.value = (int64_t)((uint64_t)one.weight.value +
						     with_sign_first(next_number(&at)));
		}
		ret = fn(ctx, &one);
	}
	return ret;
}

struct renumbering {
	const uint32_t *numbers;
	struct sample_list to;
};

static int renumber(void *ctx, const struct sample *sample)
{
	struct renumbering *r = ctx;
	struct sample one = *sample;

	one.place = r->numbers[one.place];
	return sample_list_add(&r->to, one);
}

int sample_list_renumber(struct sample_list *s, const uint32_t *numbers)
{
	struct renumbering r = { .numbers = numbers };
	int ret = sample_list_each(s, renumber, &r);

	sample_list_fini(s);
	*s = r.to;
	return ret;
}

void sample_list_fini(struct sample_list *s)
{
	buffer_fini(&s->packed);
	*s = (struct sample_list){ 0 };
}
