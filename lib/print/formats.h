/* SPDX-License-Identifier: MIT */
/*
 * formats.h - the table of output formats, and what goes with which
 */
#ifndef JFREC_PRINT_FORMATS_H
#define JFREC_PRINT_FORMATS_H

#include "print/render.h"

struct format_row {
	struct jfrec_format_info info;
	const struct format *ops;
	bool by_time; /* the JDK orders its events by time over all chunks */
	bool exact;   /* with full precision */
	bool counts;  /* events are counted instead of printed */
};

/* NULL if there is none. */
const struct format_row *format_row(enum jfrec_format format);

/* Do the options go together?  0, or -1 with *err set (JFREC_EINVAL). */
int format_check(const struct jfrec_print_options *o, struct jfrec_error *err);

#endif
