/* SPDX-License-Identifier: MIT */
/* jfrec/tool/text.h - sizes, durations and names as people type them */
#ifndef JFREC_TOOL_TEXT_H
#define JFREC_TOOL_TEXT_H

#include "jfrec/base.h"

/*
 * Parse a size such as "500M", "2GB", "2GiB" or "4096" (bytes): k, m, g and t, in either case,
 * stand for powers of 1024, and b or ib may follow them.  False if the text is not a size, or is 0.
 */
bool jfrec_parse_size(const char *text, uint64_t *bytes);

/*
 * Parse a duration such as "90s" or "1.5h"; units: ns, us, ms, s, m, h, d.  False if the text is
 * not a duration, has no unit, or is 0.
 */
bool jfrec_parse_duration(const char *text, int64_t *ns);

/* "20 ms" of a settings file in nanoseconds, saturating.  False if it has no unit, or is not a
 * duration. */
bool jfrec_settings_parse_span(const char *text, int64_t *ns);

/*
 * A text of a recording as a part of a sentence of Markdown, in which nothing of it becomes markup,
 * a link, or a mention of a person or of a ticket.  has_code: its backquotes are marks of code.  To
 * be freed with jfrec_free(); NULL when memory is exhausted.
 */
char *jfrec_markdown_sentence(const char *text, bool has_code);

/* The same as code, outside of a table; empty if the text is all blanks. */
char *jfrec_markdown_code(const char *text);

#define JFREC_NOT_NEAR UINT32_MAX

/*
 * How many typing errors are between what was typed and a name, or the part of the name after its
 * last dot: 0 if only case, '-' or '_' differ; JFREC_NOT_NEAR if there are too many for a typo.
 * The name with the least number is the one to suggest.
 */
uint32_t jfrec_name_distance(const char *typed, const char *name);

#endif
