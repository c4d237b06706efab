/* SPDX-License-Identifier: MIT */
/*
 * show.h - show views of a recording
 */
#ifndef JFREC_CLI_VIEW_SHOW_H
#define JFREC_CLI_VIEW_SHOW_H

#include "opts/event_opts.h"
#include "recording/operand.h"

enum view_format {
	VIEW_TEXT,
	VIEW_JSON,
	VIEW_NDJSON,
	VIEW_CSV,
};

/* What to show, and how.  All zero at first. */
struct view_request {
	const struct command *command;
	/* of a view, an event type...; NULL: which views have something to show */
	const char *name;
	const char *query; /* shown instead, if it is not NULL */
	bool is_jfr;	  /* called by the name of the JDK's tool: messages are its own */
	struct jfrec_answer_options table;
	struct event_opts events;
	struct operand_opts from;
	enum view_format format;
	const char *sort; /* a column, and perhaps :asc or :desc; or NULL */
	uint64_t limit;	  /* rows; 0: all */
	struct opt_list files; /* of --views */
	int64_t every_ns; /* of a JVM: again after this time; 0: once */
};

/* Is there a view of that name, in JDK 25 or here? */
bool view_is_known(const char *name);

/* Of what the operands mean: recordings or a JVM.  Returns an exit code. */
int view_show(struct view_request *v, char *const *operands, int count);

/* Print the names of all views of a category ("jvm") in columns.  Returns an exit code. */
int view_print_names(FILE *to, const char *category, size_t columns);

#endif
