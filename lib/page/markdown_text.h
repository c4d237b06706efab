/* SPDX-License-Identifier: MIT */
/*
 * markdown_text.h - text for Markdown
 */
#ifndef JFREC_PAGE_MARKDOWN_TEXT_H
#define JFREC_PAGE_MARKDOWN_TEXT_H

#include <stdbool.h>

#include "base/buffer.h"

/*
 * Add a sentence that may have names of a recording in it: what could begin markup is escaped, but
 * for backquotes where it has code; what could become a link, or a mention of a person or of a
 * ticket, is put in a code span of its own.
 */
void markdown_sentence(struct buffer *to, const char *text, bool has_code);

/* Add a text as code, which may stand in a table; nothing for one that is all blanks. */
void markdown_code(struct buffer *to, const char *text, bool in_table);

#endif
