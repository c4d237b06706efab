/* SPDX-License-Identifier: MIT */
/*
 * tools.h - what a client can call: commands of jfrec, by a table
 */
#ifndef JFREC_CLI_MCP_TOOLS_H
#define JFREC_CLI_MCP_TOOLS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What the server must have been started with for a tool to exist. */
enum tool_needs {
	NEEDS_ROOT = 1, /* it reads recordings */
	NEEDS_LIVE = 2, /* it talks to JVMs */
	NEEDS_OUT = 4,	/* it writes recordings */
};

/* Where an argument goes in the command line. */
enum argument_place {
	AS_OPTION,  /* its option, and its value */
	AS_FLAG,    /* its option, if it is true */
	AS_OPERAND, /* after the options, in the order of the table */
	AS_FILE,    /* the same: a recording beneath the root */
	AS_OUTPUT,  /* its option, and a new file beneath the directory for output */
};

struct tool_argument {
	const char *name, *type; /* type: of JSON Schema; NULL name: the end */
	enum argument_place place;
	const char *option;
	bool is_required;
	const char *description;
};

struct tool {
	const char *name, *title;
	unsigned needs;		/* of enum tool_needs */
	const char *command[3]; /* words of jfrec's command line; NULL after the last */
	const char *description;
	const struct tool_argument *arguments;
	/* Names of the documents that it may answer, or TOOL_EVENTS; NULL: none. */
	const char *documents[2];
};

/* The document of lines that are an object of JSON each. */
#define TOOL_EVENTS "events"

/* The one that has numbers, times, and names and labels of event types. */
#define TOOL_COUNTS "counts"

/* The tool of that number; NULL beyond the last. */
const struct tool *tools_get(size_t i);

/* The tool of that name among those that such a server has, or NULL. */
const struct tool *tools_find(const char *name, unsigned has);

/* Does a server that has this offer the tool? */
bool tool_is_there(const struct tool *t, unsigned has);

/* As an entry of tools/list; NULL when memory is gone. */
json_t *tool_as_json(const struct tool *t);

/*
 * Are these arguments of the tool, of the right types, with all that are required?  NULL, or a
 * sentence that lives until the next call.
 */
const char *tool_check(const struct tool *t, const json_t *arguments);

/* How many lines to leave out, and items of the document, as the argument `cursor` says. */
struct tool_cursor {
	uint64_t lines, items;
};
struct tool_cursor tool_cursor(const json_t *arguments);

/* Does a document come beside its text? */
bool tool_has_document(const struct tool *t);
bool tool_has_events(const struct tool *t);

/* Is that all that it shows of a recording?  Then no question can take a value apart. */
bool tool_shows_types_only(const struct tool *t);

#endif
