/* SPDX-License-Identifier: MIT */
/*
 * quote.h - quote arguments of diagnostic commands
 *
 * A line feed would begin a second command, and a blank another option.  The JVM knows two kinds of
 * quotes, each around a whole value, and no escape; so there are values that cannot be written, and
 * they are refused.
 */
#ifndef JFREC_JFR_QUOTE_H
#define JFREC_JFR_QUOTE_H

#include "jfrec.h"

/* All zero is empty. */
struct command_text {
	char *text; /* ends in NUL */
	size_t len, room;
};

/* Begin with the command's name, which is one of ours. 0, or -1 with *err set (JFREC_ENOMEM). */
int command_text_begin(struct command_text *c, const char *command, struct jfrec_error *err);

/*
 * Add an option, its value quoted as needed.  0, or -1 with *err set: JFREC_EINVAL for what cannot
 * be written, JFREC_ENOMEM.
 */
int command_text_add(struct command_text *c, const char *key, const char *value,
		     struct jfrec_error *err);

void command_text_fini(struct command_text *c);

/* Can the value be written in a command?  0, or -1 with *err set. */
int quote_check(const char *key, const char *value, struct jfrec_error *err);

#endif
