/* SPDX-License-Identifier: MIT */
/*
 * told.c - keep the log short: report once what lasts, and the first of many alike
 */
#include "collect/told.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Failures beyond that number are reported again in each pass. */
#define LINES_MAX 1000

static struct told_line *find(const struct told *t, const char *text)
{
	for (size_t i = 0; i < t->line_count; i++) {
		if (strcmp(t->lines[i].text, text) == 0)
			return &t->lines[i];
	}
	return NULL;
}

/* Best effort: without memory the failure is reported again. */
bool told_before(struct told *t, const char *text)
{
	struct told_line *known = find(t, text), line = { .is_now = true };

	if (known) {
		known->is_now = true;
		return known->is_old;
	}
	if (t->line_count == LINES_MAX || !array_reserve(t->lines, t->line_count, t->line_room))
		return false;
	line.text = strdup(text);
	if (line.text)
		t->lines[t->line_count++] = line;
	return false;
}

bool told_first(struct told *t, uint32_t uid, enum told_kind kind)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->counts[i].uid == uid && t->counts[i].kind == kind)
			return t->counts[i].count++ == 0;
	}
	(void)array_push(t->counts, t->count, t->room, (struct told_count){ uid, kind, 1 });
	return true;
}

void told_end(struct told *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->line_count; i++) {
		struct told_line line = t->lines[i];

		if (line.is_now)
			t->lines[kept++] = (struct told_line){ .text = line.text, .is_old = true };
		else
			free(line.text);
	}
	t->line_count = kept;
	t->count = 0;
}

void told_fini(struct told *t)
{
	for (size_t i = 0; i < t->line_count; i++)
		free(t->lines[i].text);
	free(t->lines);
	free(t->counts);
	*t = (struct told){ 0 };
}
