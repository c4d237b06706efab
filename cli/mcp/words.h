/* SPDX-License-Identifier: MIT */
/*
 * words.h - the command line that a call stands for
 */
#ifndef JFREC_CLI_MCP_WORDS_H
#define JFREC_CLI_MCP_WORDS_H

#include "mcp/tools.h"

/* Ends with NULL; texts of the arguments are not copied. */
struct words {
	const char **argv;
	size_t count, room;
	char *made[8]; /* those that were */
	size_t made_count;
	bool failed;
};

/*
 * Of a tool with arguments that tool_check() allows, whose recordings are descriptors 3 and 4; or
 * of the page that a URI is of. False when memory is gone.
 */
bool words_make(struct words *w, const struct tool *t, const char *uri, const json_t *arguments,
		char *output);
void words_fini(struct words *w);

/* "jfrec://rules/NAME", "jfrec://help/TOPIC": the NAME or TOPIC, if it can be one; else NULL. */
const char *words_rule_of(const char *uri);
const char *words_topic_of(const char *uri);

#endif
