/* SPDX-License-Identifier: MIT */
/*
 * format_opts.h - options that choose the output format, from the library's table of formats
 */
#ifndef JFREC_CLI_OPTS_FORMAT_OPTS_H
#define JFREC_CLI_OPTS_FORMAT_OPTS_H

#include "base/command.h"

/* All zero at first: text. */
struct format_opts {
	const struct jfrec_format_info *info; /* NULL: none was given */
};

/*
 * Groups for the table of a command, for OPT_GROUP_MADE: the formats for other programs; text
 * with full precision; the number of events; and the formats of `jfrec stream`.
 */
const struct opt *format_rows(void);
const struct opt *exact_format_rows(void);
const struct opt *count_format_rows(void);
const struct opt *stream_format_rows(void);

/* Of what is no event, for OPT_GROUP_MADE: lines of JSON. */
const struct opt *line_format_rows(void);

/* The format that was given, or text. */
enum jfrec_format format_opts_get(const struct format_opts *f);

/* Can that format do this, or any of these?  can: JFREC_FORMAT_*. */
bool format_can(enum jfrec_format format, unsigned can);

/* "--ndjson, --csv and --tsv": the options of those that can.  Returns to. */
const char *format_names(unsigned can, char *to, size_t size);

#endif
