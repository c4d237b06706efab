/* SPDX-License-Identifier: MIT */
/*
 * calls.h - calls of tools that are under way
 *
 *	call_begin() --> copies without secrets are made --> the command runs --> its text is clean
 *
 * call_step() takes it from one to the next, until there is a result. What shows only types
 * looks at the recording itself first: if all of them are the JDK's own, which no copy changes,
 * that is the result.
 */
#ifndef JFREC_CLI_MCP_CALLS_H
#define JFREC_CLI_MCP_CALLS_H

#include <jansson.h>

#include "mcp/copies.h"
#include "mcp/errand.h"
#include "mcp/options.h"
#include "mcp/rooted.h"
#include "mcp/tools.h"

/* What all calls share. */
struct workshop {
	const struct mcp_options *options;
	struct rooted root, out;
	struct copies copies;
	unsigned has;	    /* of enum tool_needs */
	unsigned recording; /* calls that record */
	char salt[80];	    /* the same secret has the same token in all replies */
};

enum call_stage { CALL_LOOKS, CALL_COPIES, CALL_RUNS, CALL_CLEANS };

struct call {
	json_t *id;    /* NULL: there is no call here */
	json_t *token; /* of its progress; NULL: none is wanted */
	json_t *arguments;
	const struct tool *tool;
	char *uri; /* a resource that is read instead; NULL: a tool is called */
	enum call_stage stage;
	struct errand errand;
	/* Of the command, while they are cleaned: what it printed, said, and its document. */
	struct grown_text texts[ERRAND_TEXTS];
	struct grown_text damage; /* what its copies lack of the recordings: lines */
	int status;
	bool is_late, is_cut, is_recording, has_looked;
	/* Its recordings: as they were given, and once they are copied, the copies. */
	int files[ERRAND_FILES];
	unsigned file_count, file;
	struct stat of;
	char copy[80];
	const char *salt;
	char *output; /* the path of the recording that it makes */
	int64_t begun_ns, told_ns;
	json_t *result; /* set at its end */
};

/*
 * Begin it; .id, .token, .arguments and .tool or .uri are set. A call that fails has its result at
 * once.
 */
void call_begin(struct workshop *s, struct call *c);

/* Go on, if what it waits for is done. */
void call_step(struct workshop *s, struct call *c);

/* Free it, and end what it runs. */
void call_end(struct workshop *s, struct call *c);

#endif
