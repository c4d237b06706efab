/* SPDX-License-Identifier: MIT */
/*
 * words.c - the command line that a call stands for
 */
#include "mcp/words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static void add(struct words *w, const char *word)
{
	w->failed |= !array_push(w->argv, w->count, w->room, word);
}

static void add_number(struct words *w, json_int_t number)
{
	char *text = NULL;

	if (w->made_count == sizeof(w->made) / sizeof(*w->made) ||
	    asprintf(&text, "%" JSON_INTEGER_FORMAT, number) < 0) {
		w->failed = true;
		return;
	}
	w->made[w->made_count++] = text;
	add(w, text);
}

static void add_option(struct words *w, const struct tool_argument *a, const json_t *value,
		       const char *output)
{
	if (!value || !a->option || (a->place == AS_FLAG && !json_is_true(value)))
		return;
	add(w, a->option);
	if (a->place == AS_OUTPUT)
		add(w, output);
	else if (json_is_integer(value))
		add_number(w, json_integer_value(value));
	else if (a->place == AS_OPTION)
		add(w, json_string_value(value));
}

static void add_tool(struct words *w, const struct tool *t, const json_t *arguments,
		     const char *output)
{
	static const char *const files[] = { "/dev/fd/3", "/dev/fd/4" };
	unsigned file = 0;

	for (size_t i = 0; i < sizeof(t->command) / sizeof(*t->command) && t->command[i]; i++)
		add(w, t->command[i]);
	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		if (a->place == AS_OPTION || a->place == AS_FLAG || a->place == AS_OUTPUT)
			add_option(w, a, json_object_get(arguments, a->name), output);
	}
	/* What follows is no option, whatever it looks like. */
	add(w, "--");
	for (const struct tool_argument *a = t->arguments; a->name; a++) {
		const json_t *value = json_object_get(arguments, a->name);

		if (value && a->place == AS_OPERAND)
			add(w, json_string_value(value));
		else if (value && a->place == AS_FILE)
			add(w, files[file++]);
	}
}

static const char *name_behind(const char *uri, const char *begin)
{
	const char *name = uri + strlen(begin);

	if (strncmp(uri, begin, strlen(begin)) != 0 || !*name || strlen(name) > 60)
		return NULL;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name) && *name != '-'
		       ? name
		       : NULL;
}

const char *words_rule_of(const char *uri)
{
	return name_behind(uri, "jfrec://rules/");
}

const char *words_topic_of(const char *uri)
{
	return name_behind(uri, "jfrec://help/");
}

static void add_page(struct words *w, const char *uri)
{
	if (words_rule_of(uri)) {
		add(w, "analyze");
		add(w, "--explain");
		add(w, words_rule_of(uri));
		return;
	}
	add(w, "help");
	add(w, words_topic_of(uri));
}

bool words_make(struct words *w, const struct tool *t, const char *uri, const json_t *arguments,
		char *output)
{
	*w = (struct words){ 0 };
	add(w, "jfrec");
	add(w, "--no-config");
	if (t && tool_has_document(t))
		add(w, "--beside=5"); /* ERRAND_DOCUMENT_FD */
	if (t)
		add_tool(w, t, arguments, output);
	else
		add_page(w, uri);
	add(w, NULL);
	return !w->failed;
}

void words_fini(struct words *w)
{
	for (size_t i = 0; i < w->made_count; i++)
		free(w->made[i]);
	free(w->argv);
	*w = (struct words){ 0 };
}
