/* SPDX-License-Identifier: MIT */
/*
 * settings.c - what was set for types of events: a list in which later rows win
 */
#include "recorder/types/settings.h"

#include <stdlib.h>
#include <string.h>

#include "recorder/ground/amounts.h"

/* The JDK's own profiles have 600. */
#define MOST_ROWS 20000u

static bool parse_boolean(const char *text, bool *value)
{
	*value = !strcmp(text, "true");
	return *value || !strcmp(text, "false");
}

/* "everyChunk", "10 ms": as .jfc files have them. */
static bool parse_period(const char *text, uint64_t *ns)
{
	if (!strcmp(text, "everyChunk") || !strcmp(text, "beginChunk") || !strcmp(text, "endChunk")) {
		*ns = UINT64_MAX;
		return true;
	}
	return amount_parse_time(text, ns) && *ns;
}

bool setting_is_known(const char *name)
{
	return !strcmp(name, "enabled") || !strcmp(name, "threshold") || !strcmp(name, "period") ||
	       !strcmp(name, "stackTrace");
}

bool setting_is_valid(const char *name, const char *value)
{
	uint64_t ns;
	bool on;

	if (!strcmp(name, "enabled") || !strcmp(name, "stackTrace"))
		return parse_boolean(value, &on);
	if (!strcmp(name, "threshold"))
		return amount_parse_time(value, &ns);
	return strcmp(name, "period") || parse_period(value, &ns);
}

static void free_row(struct setting *s)
{
	free(s->event);
	free(s->name);
	free(s->value);
}

/* So that the list does not grow with each change. */
static void remove_void(struct settings *s, const char *event, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		struct setting *row = &s->rows[i];

		if (!strcmp(row->name, name) && (!strcmp(event, "*") || !strcmp(row->event, event)))
			free_row(row);
		else
			s->rows[kept++] = *row;
	}
	s->count = kept;
}

int settings_add(struct settings *s, const char *event, const char *name, const char *value)
{
	struct setting row = { strdup(event), strdup(name), strdup(value) }, *grown;

	remove_void(s, event, name);
	grown = s->count < MOST_ROWS ? realloc(s->rows, (s->count + 1) * sizeof(*grown)) : NULL;
	if (grown)
		s->rows = grown;
	if (!grown || !row.event || !row.name || !row.value) {
		free_row(&row);
		return -1;
	}
	s->rows[s->count++] = row;
	return 0;
}

void settings_apply(const struct settings *s, const char *event, struct effect *effect)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct setting *row = &s->rows[i];

		if (strcmp(row->event, "*") && strcmp(row->event, event))
			continue;
		if (!strcmp(row->name, "enabled"))
			parse_boolean(row->value, &effect->is_enabled);
		else if (!strcmp(row->name, "stackTrace"))
			parse_boolean(row->value, &effect->has_stack);
		else if (!strcmp(row->name, "threshold"))
			amount_parse_time(row->value, &effect->threshold_ns);
		else if (!strcmp(row->name, "period"))
			parse_period(row->value, &effect->period_ns);
	}
}

void settings_fini(struct settings *s)
{
	for (size_t i = 0; i < s->count; i++)
		free_row(&s->rows[i]);
	free(s->rows);
	*s = (struct settings){ 0 };
}
