/* SPDX-License-Identifier: MIT */
/*
 * printed.h - what the library makes of a crafted recording
 */
#ifndef JFREC_TEST_PRINTED_H
#define JFREC_TEST_PRINTED_H

#include "builder.h"

/* All zero at first. */
struct printed {
	int status; /* what the call returned; -2: the file was not opened */
	struct jfrec_error err;
	struct bytes text;     /* ends in NUL */
	struct bytes problems; /* a line for each; ends in NUL */
	uint64_t damage;
	uint64_t notices;
	double seconds; /* of the processor */
};

/* Replace *p by what jfrec_print() writes, with stack traces of 5 frames. */
void print_craft(struct printed *p, struct craft *c, enum jfrec_format format);
void print_craft_types(struct printed *p, struct craft *c);
void summarize_craft(struct printed *p, struct craft *c, struct jfrec_summary **s);

/*
 * Replace *p by the values of field `n`, one blank behind each, in the order
 * of jfrec_reader_next().
 */
void step_craft(struct printed *p, struct craft *c);

/* The same from what was printed: "1 abc null ". Both free the old text of *values. */
void printed_values(const struct printed *p, enum jfrec_format format, struct bytes *values);

const char *printed_text(const struct printed *p);
const char *printed_problems(const struct printed *p);
void printed_free(struct printed *p);

/* Can a parser read it?  Text always can; so can XML where there is no libxml2. */
bool is_well_formed(const struct printed *p, enum jfrec_format format);

#endif
