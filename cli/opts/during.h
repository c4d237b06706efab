/* SPDX-License-Identifier: MIT */
/*
 * during.h - parse what --during takes: EVENT[EXPR] by FIELD
 */
#ifndef JFREC_CLI_OPTS_DURING_H
#define JFREC_CLI_OPTS_DURING_H

#include "jfrec-tool.h"

/* Its parts, in one piece of memory. All zero: none was given. */
struct during_text {
	char *memory;
	struct jfrec_during parts; /* .outside is not set here */
};

/*
 * Take it apart: names of events, an expression in brackets, and `by` with a field or `time`, of
 * which all but the names may be missing.  NULL, or what is wrong with it.
 */
const char *during_parse(struct during_text *d, const char *text);
void during_text_fini(struct during_text *d);

#endif
