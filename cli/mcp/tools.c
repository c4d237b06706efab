/* SPDX-License-Identifier: MIT */
/*
 * tools.c - what a client can call: commands of jfrec, by a table
 */
#include "mcp/tools.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/schemas.h"

/* clang-format off */
#define RECORDING { "recording", "string", AS_FILE, NULL, true, "Path of a recording (.jfr), beneath the server's root" }
#define TARGET { "target", "string", AS_OPERAND, NULL, true, "A JVM: its pid, or a part of its main class or jar" }
#define WHERE { "where", "string", AS_OPTION, "--where", false, "Only events for which this is true, as `duration > 10ms and eventThread.javaName =~ \"http-*\"`" }
#define DURING { "during", "string", AS_OPTION, "--during", false, "Only what threads did while such events ran, as `app.Request[duration > 1s]`" }
#define FROM_TO { "from", "string", AS_OPTION, "--from", false, "Only events from this time on: `09:30`, `2026-11-20T09:47:05Z`, `+30s` after the start, `-10m` before the end" }, \
	{ "to", "string", AS_OPTION, "--to", false, "Only events before this time" }
#define CURSOR { "cursor", "string", AS_OPTION, NULL, false, "Where the reply before ended, to get what follows" }
#define END { NULL, NULL, AS_OPTION, NULL, false, NULL }

static const struct tool_argument
list_arguments[] = {
	{ "target", "string", AS_OPERAND, NULL, false, "Only JVMs with this pid, or this part of their main class or jar" },
	CURSOR, END,
},
target_arguments[] = { TARGET, CURSOR, END },
record_arguments[] = {
	TARGET,
	{ "duration", "string", AS_OPTION, "--duration", true, "How long, such as `30s`; at most 10 minutes" },
	{ "settings", "string", AS_OPTION, "--settings", false, "Which events: `default`, `profile`, `analyze`" },
	{ "name", "string", AS_OUTPUT, "-o", true, "Name of the new file, such as `shop.jfr`" },
	CURSOR, END,
},
dump_arguments[] = {
	TARGET,
	{ "name", "string", AS_OUTPUT, "-o", true, "Name of the new file, such as `shop.jfr`" },
	{ "max_age", "string", AS_OPTION, "--max-age", false, "Only the last part of what is recorded, such as `5m`" },
	CURSOR, END,
},
recording_arguments[] = { RECORDING, CURSOR, END },
view_arguments[] = {
	{ "view", "string", AS_OPERAND, NULL, true, "Name of a view, such as `hot-methods` (`views` lists them), or an event type" },
	RECORDING,
	{ "limit", "integer", AS_OPTION, "--limit", false, "Rows at most" },
	{ "sort", "string", AS_OPTION, "--sort", false, "Column to sort by, with the direction, as `Count:desc` or `Path:asc`" },
	WHERE, DURING, FROM_TO, CURSOR, END,
},
query_arguments[] = {
	{ "query", "string", AS_OPERAND, NULL, true, "As `SELECT eventThread, SUM(duration) FROM ThreadPark GROUP BY eventThread ORDER BY SUM(duration) DESC LIMIT 10`" },
	RECORDING, WHERE, DURING, FROM_TO, CURSOR, END,
},
sql_arguments[] = {
	{ "sql", "string", AS_OPERAND, NULL, true, "One SELECT of SQLite; each event type is a table, as \"jdk.GCPhasePause\"; times in ns" },
	RECORDING, WHERE, DURING, FROM_TO, CURSOR, END,
},
analyze_arguments[] = {
	RECORDING,
	{ "all", "boolean", AS_FLAG, "--all", false, "Also what is in order, and what could not be judged and why" },
	DURING, FROM_TO, CURSOR, END,
},
explain_arguments[] = {
	{ "rule", "string", AS_OPTION, "--explain", true, "A rule's name, as `analyze` prints it before a finding" },
	{ "recording", "string", AS_FILE, NULL, false, "Path of a recording: how the rule applies to it" },
	CURSOR, END,
},
stacks_arguments[] = {
	RECORDING,
	{ "profile", "string", AS_OPTION, "--profile", false, "`cpu`, `wall`, `alloc`, `lock`, `io`, ...; without it, all" },
	{ "top", "integer", AS_OPTION, "--top", false, "Methods and paths at most" },
	{ "include", "string", AS_OPTION, "--include", false, "Only stacks with a frame that matches this regular expression" },
	WHERE, DURING, FROM_TO, CURSOR, END,
},
diff_arguments[] = {
	{ "before", "string", AS_FILE, NULL, true, "Path of the recording from before" },
	{ "after", "string", AS_FILE, NULL, true, "Path of the recording from after" },
	{ "profile", "string", AS_OPTION, "--profile", false, "Only these: `cpu`, `alloc`, `lock`, ..." },
	DURING, CURSOR, END,
},
events_arguments[] = {
	{ "events", "string", AS_OPTION, "--events", true, "Types, as `jdk.SocketRead` or `GC*`, with commas between them" },
	RECORDING,
	{ "limit", "integer", AS_OPTION, "--limit", false, "Events at most" },
	{ "sort", "string", AS_OPTION, "--sort", false, "With limit: a field, largest first, such as `duration`" },
	{ "fields", "string", AS_OPTION, "--fields", false, "Only these fields, as `startTime,duration,eventThread.javaName`" },
	WHERE, DURING, FROM_TO, CURSOR, END,
},
settings_arguments[] = {
	{ "what", "string", AS_OPERAND, NULL, true, "An event, such as `jdk.ThreadPark`, or a profile, such as `profile`" },
	CURSOR, END,
};

static const struct tool tools[] = {
	{ "list_jvms", "List JVMs", NEEDS_LIVE, { "list" },
	  "The JVMs of this host, with pid, user, version and what they record. Call this first if you have no recording.", list_arguments, { "list" } },
	{ "doctor", "Can this JVM be recorded?", NEEDS_LIVE, { "doctor" },
	  "Why a JVM cannot be attached to or recorded, and how to fix that. Call it when another tool fails on a JVM.", target_arguments, { "doctor" } },
	{ "threads", "What threads wait for", NEEDS_LIVE, { "threads" },
	  "The threads of a running JVM: deadlocks, who waits for whom, and stacks. Call it when a program hangs.", target_arguments, { "threads" } },
	{ "record", "Record a JVM", NEEDS_LIVE | NEEDS_OUT, { "record" },
	  "Record a running JVM for a while, into a new file; the reply comes when it is done.", record_arguments, { NULL } },
	{ "dump", "Dump what a JVM has recorded", NEEDS_LIVE | NEEDS_OUT, { "dump" },
	  "Copy what a JVM has recorded so far into a new file. It takes no time, but a recording must be running.", dump_arguments, { NULL } },
	{ "summary", "What is in a recording", NEEDS_ROOT, { "summary", "--counts" },
	  "When and how long it was recorded, and how many events of each type it has.", recording_arguments, { TOOL_COUNTS } },
	{ "views", "Views with something to show", NEEDS_ROOT, { "view" },
	  "The names of the views that have something to show for this recording.", recording_arguments, { "views" } },
	{ "view", "A table of a recording", NEEDS_ROOT, { "view" },
	  "A ready-made table: hot-methods, gc-pauses, allocation-by-class, contention-by-site, exception-by-message and 90 more.", view_arguments, { "view", "types" } },
	{ "query", "Ask in the language of views", NEEDS_ROOT, { "query" },
	  "SELECT with grouping over one or several event types, for what no view shows.", query_arguments, { "view" } },
	{ "sql", "Ask in SQL", NEEDS_ROOT, { "sql" },
	  "SQL over the events of a recording, for joins and for what `query` cannot say.", sql_arguments, { "sql" } },
	{ "analyze", "What is wrong", NEEDS_ROOT, { "analyze" },
	  "The verdict of some 90 rules: what is wrong, why, and what to do, the most important first. Call it first for a recording.", analyze_arguments, { "analysis" } },
	{ "explain", "Explain a rule", NEEDS_ROOT, { "analyze" },
	  "What a rule of `analyze` asks, how it computes its answer, and its limits.", explain_arguments, { "analysis" } },
	{ "hot_stacks", "Where time and memory go", NEEDS_ROOT, { "flame" },
	  "The heaviest methods and call paths: CPU, allocation, locks, I/O.", stacks_arguments, { NULL } },
	{ "diff", "Compare two recordings", NEEDS_ROOT, { "diff" },
	  "Which methods take more or less than before, and which settings, flags and events differ.", diff_arguments, { "diff" } },
	{ "events", "Single events", NEEDS_ROOT, { "print", "--ndjson" },
	  "Events as JSON, one in each line. Use limit, sort and where: there may be millions.", events_arguments, { TOOL_EVENTS } },
	{ "settings", "Explain an event", 0, { "settings", "explain" },
	  "What an event tells, its settings in each profile, since which JDK it exists, and what it costs.", settings_arguments, { "settings-explain-event", "settings-explain-profile" } },
};
/* clang-format on */

const struct tool *tools_get(size_t i)
{
	return i < sizeof(tools) / sizeof(*tools) ? &tools[i] : NULL;
}

bool tool_is_there(const struct tool *t, unsigned has)
{
	return (t->needs & ~has) == 0;
}

const struct tool *tools_find(const char *name, unsigned has)
{
	const struct tool *t;

	for (size_t i = 0; (t = tools_get(i)) != NULL; i++) {
		if (tool_is_there(t, has) && strcmp(t->name, name) == 0)
			return t;
	}
	return NULL;
}

/* Schemas -------------------------------------------------------------------------------------- */

static json_t *input_schema(const struct tool *t)
{
	json_t *properties = json_object(), *required = json_array();

	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		json_t *property =
			json_pack("{s:s, s:s}", "type", a->type, "description", a->description);

		if (strcmp(a->type, "integer") == 0 && property)
			json_object_set_new(property, "minimum", json_integer(1));
		json_object_set_new(properties, a->name, property);
		if (a->is_required)
			json_array_append_new(required, json_string(a->name));
	}
	return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties,
			 "required", required, "additionalProperties", false);
}

json_t *tool_as_json(const struct tool *t)
{
	bool writes = (t->needs & NEEDS_OUT) != 0;

	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:{s:s, s:b, s:b, s:b, s:b}}", "name", t->name,
			 "title", t->title, "description", t->description, "inputSchema",
			 input_schema(t), "outputSchema", schema_of_reply(t), "annotations", "title",
			 t->title, "readOnlyHint", !writes, "destructiveHint", false,
			 "idempotentHint", !writes, "openWorldHint", (t->needs & NEEDS_LIVE) != 0);
}

/* Arguments ------------------------------------------------------------------------------------ */

static bool is_of_type(const json_t *value, const char *type)
{
	if (strcmp(type, "string") == 0)
		return json_is_string(value) &&
		       strlen(json_string_value(value)) == json_string_length(value);
	if (strcmp(type, "boolean") == 0)
		return json_is_boolean(value);
	return json_is_integer(value) && json_integer_value(value) > 0;
}

static const struct tool_argument *find_argument(const struct tool *t, const char *name)
{
	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		if (strcmp(a->name, name) == 0)
			return a;
	}
	return NULL;
}

/* "120", or "120.35". */
static bool is_cursor(const char *text)
{
	static const char digits[] = "0123456789";
	size_t lines = strspn(text, digits);
	const char *rest = text + lines;
	size_t items = *rest == '.' ? strspn(rest + 1, digits) : 0;

	return lines && lines < 12 && items < 12 &&
	       (!*rest || (*rest == '.' && items && !rest[1 + items]));
}

const char *tool_check(const struct tool *t, const json_t *arguments)
{
	static char text[200];
	const json_t *cursor = json_object_get(arguments, "cursor");
	const char *name;
	json_t *value;

	/* The arguments are another's: only what is ours is repeated. */
	json_object_foreach((json_t *)arguments, name, value)
	{
		const struct tool_argument *a = find_argument(t, name);

		if (!a)
			snprintf(text, sizeof(text),
				 "%s takes no such argument; see its inputSchema", t->name);
		else if (!is_of_type(value, a->type))
			snprintf(text, sizeof(text), "%s of %s must be %s %s", a->name, t->name,
				 *a->type == 'i' ? "a positive" : "a", a->type);
		else
			continue;
		return text;
	}
	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		if (!a->is_required || json_object_get(arguments, a->name))
			continue;
		snprintf(text, sizeof(text), "%s needs %s: %s", t->name, a->name, a->description);
		return text;
	}
	if (cursor && !is_cursor(json_string_value(cursor)))
		return "cursor must come from a reply of this server";
	return NULL;
}

struct tool_cursor tool_cursor(const json_t *arguments)
{
	const char *text = json_string_value(json_object_get(arguments, "cursor"));
	struct tool_cursor c = { 0 };
	char *end;

	if (!text)
		return c;
	c.lines = strtoull(text, &end, 10);
	c.items = *end == '.' ? strtoull(end + 1, NULL, 10) : 0;
	return c;
}

bool tool_has_events(const struct tool *t)
{
	return t->documents[0] && strcmp(t->documents[0], TOOL_EVENTS) == 0;
}

bool tool_shows_types_only(const struct tool *t)
{
	return t->documents[0] && strcmp(t->documents[0], TOOL_COUNTS) == 0;
}

bool tool_has_document(const struct tool *t)
{
	return t->documents[0] && !tool_has_events(t);
}
