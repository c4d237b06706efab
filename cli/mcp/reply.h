/* SPDX-License-Identifier: MIT */
/*
 * reply.h - what a tool answered, within bounds and marked as data
 */
#ifndef JFREC_CLI_MCP_REPLY_H
#define JFREC_CLI_MCP_REPLY_H

#include <jansson.h>
#include <stdbool.h>

#include "mcp/errand.h"

struct answer {
	const struct grown_text *text, *said; /* printed, and said on standard error */
	const struct grown_text *document;    /* beside the text; empty: there is none */
	bool is_events;			      /* each line of text is an object of JSON */
	int status;
	bool is_late; /* it was ended since it took too long */
	bool is_cut;  /* there is more than .text */
	/* What earlier replies had: lines, and items of the document. */
	uint64_t skip, skip_items;
	size_t most;	 /* bytes of the reply */
	int64_t time_ns; /* that it might take */
	/* What its files are called, in place of "/dev/fd/3" and "/dev/fd/4"; NULL: it has none. */
	const char *names[ERRAND_FILES];
};

/*
 * The result of tools/call: the document, or lines as JSON strings where there is none, and the
 * lines as text between two marks that nobody who made a recording can know. Control characters and
 * those that change the direction of writing are harmless in both. NULL when memory is gone.
 */
json_t *reply_of_answer(const struct answer *a);

/* The same for a call that the server itself refuses: `sentence` says why. */
json_t *reply_of_failure(const char *sentence);

#endif
