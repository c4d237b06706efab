/* SPDX-License-Identifier: MIT */
/*
 * top.h - show what all JVMs use, at an interval
 */
#ifndef JFREC_CLI_TOP_TOP_H
#define JFREC_CLI_TOP_TOP_H

#include "opts/target.h"
#include "top/columns.h"

enum top_form {
	TOP_TEXT = 0,
	TOP_JSON,   /* one document, of once */
	TOP_NDJSON, /* a line for each JVM and interval */
};

struct top_request {
	const struct command *command;
	struct target target;
	int64_t every_ns;
	enum sorting sort;
	enum top_form form;
	bool is_once;
	bool without_findings;
};

/*
 * Show them until a key or a signal ends it, in place on a terminal or one table after another, or
 * once. Returns an exit code.
 */
int top_show(struct top_request *request);

#endif
