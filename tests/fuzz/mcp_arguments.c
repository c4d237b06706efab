/* SPDX-License-Identifier: MIT */
/*
 * mcp_arguments.c - a fuzz target: any JSON as the arguments of each tool of jfrec mcp
 *
 * What a tool takes must become a command line in which only our own words are options.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mcp/words.h"
#include "target.h"

static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "mcp_arguments: not so: %s\n", what);
	abort();
}

static bool is_option_of(const struct tool *t, const char *word)
{
	static const char *const own[] = { "--no-config", "--beside=5", "--counts", "--ndjson" };

	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (strcmp(own[i], word) == 0)
			return true;
	}
	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		if (a->option && strcmp(a->option, word) == 0)
			return true;
	}
	return false;
}

/* Does the option take the next word? */
static bool takes_value(const struct tool *t, const char *word)
{
	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		if (a->option && strcmp(a->option, word) == 0)
			return a->place != AS_FLAG;
	}
	return false;
}

static void check_words(const struct tool *t, const struct words *w)
{
	size_t i = 0;

	insist(strcmp(w->argv[0], "jfrec") == 0, "it is our command");
	for (; w->argv[i] && strcmp(w->argv[i], "--") != 0; i++) {
		insist(*w->argv[i] != '-' || is_option_of(t, w->argv[i]), "options are ours");
		i += *w->argv[i] == '-' && takes_value(t, w->argv[i]);
		insist(i < w->count && w->argv[i], "an option has its value");
	}
	insist(w->argv[i] != NULL, "operands come after --");
	insist(w->argv[w->count - 1] == NULL, "it has an end");
}

static void try(const struct tool *t, const json_t *arguments)
{
	const char *fault = tool_check(t, arguments);
	struct tool_cursor cursor;
	struct words w;
	char output[] = "/tmp/new.jfr";

	if (fault) {
		insist(*fault && strlen(fault) < 200, "what is wrong is said");
		return;
	}
	cursor = tool_cursor(arguments);
	insist(cursor.lines < 1000000000000 && cursor.items < 1000000000000, "a cursor is a number");
	insist(words_make(&w, t, NULL, arguments, output), "there is memory");
	check_words(t, &w);
	words_fini(&w);
}

static void try_uri(const json_t *value)
{
	const char *uri = json_string_value(value);
	struct words w;

	if (!uri || (!words_rule_of(uri) && !words_topic_of(uri)))
		return;
	insist(words_make(&w, NULL, uri, NULL, NULL), "there is memory");
	insist(*w.argv[w.count - 2] != '-' && !strchr(w.argv[w.count - 2], '/'), "a name is a name");
	words_fini(&w);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	json_t *arguments = json_loadb((const char *)bytes, len, JSON_REJECT_DUPLICATES, NULL);
	const struct tool *t;

	if (json_is_object(arguments)) {
		for (size_t i = 0; (t = tools_get(i)) != NULL; i++)
			try(t, arguments);
		try_uri(json_object_get(arguments, "uri"));
	}
	json_decref(arguments);
	return 0;
}
