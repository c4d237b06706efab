/* SPDX-License-Identifier: MIT */
/*
 * decode.c - every field of every event, and nothing printed
 *
 *    decode RECORDING          decodes each event
 *    decode RECORDING values   and asks for the value of each field too
 *
 * jfrec_reader_next() decodes an event as a whole, its values are then at hand.
 */
#include <stdio.h>

#include "jfrec.h"

/* The number of kinds is of no use, but it has to be found. */
static uint64_t ask_values(const struct jfrec_event *ev)
{
	const struct jfrec_type *t = jfrec_event_type(ev);
	unsigned count = jfrec_type_field_count(t);
	uint64_t kinds = 0;

	for (unsigned i = 0; i < count; i++)
		kinds += jfrec_event_value(ev, jfrec_type_field_get(t, i)).kind;
	return kinds;
}

int main(int argc, char **argv)
{
	const struct jfrec_event *ev;
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r;
	uint64_t sum = 0;
	int got;

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: decode RECORDING [values]\n");
		return 2;
	}
	r = jfrec_reader_open(argv[1], NULL, &err);
	if (!r) {
		fprintf(stderr, "decode: %s: %s\n", argv[1], err.text);
		return 1;
	}
	while ((got = jfrec_reader_next(r, &ev, &err)) > 0)
		sum += argc == 3 ? ask_values(ev) : 1;
	if (got < 0)
		fprintf(stderr, "decode: %s: %s\n", argv[1], err.text);
	if (sum == 0)
		fprintf(stderr, "decode: %s: no events\n", argv[1]);
	jfrec_reader_close(r);
	return got < 0 || sum == 0;
}
