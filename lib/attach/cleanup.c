/* SPDX-License-Identifier: MIT */
/*
 * cleanup.c - files and directories to remove when a session ends
 */
#include "attach/cleanup.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

int cleanup_add(struct cleanups *k, enum cleanup_kind kind, const char *text,
		struct jfrec_error *err)
{
	for (int i = 0; i < CLEANUP_MAX; i++) {
		struct cleanup *item = &k->items[i];

		if (item->kind != CLEANUP_NOTHING)
			continue;
		item->kind = kind;
		item->number = k->next_number++;
		snprintf(item->text, sizeof(item->text), "%s", text);
		return item->number;
	}
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "a session can track at most %d files and commands at a "
			  "time", CLEANUP_MAX);
}

void cleanup_forget(struct cleanups *k, int number)
{
	for (int i = 0; i < CLEANUP_MAX; i++) {
		if (k->items[i].kind != CLEANUP_NOTHING && k->items[i].number == number)
			k->items[i].kind = CLEANUP_NOTHING;
	}
}

void cleanup_forget_file(struct cleanups *k, const char *path)
{
	for (int i = 0; i < CLEANUP_MAX; i++) {
		if (k->items[i].kind == CLEANUP_FILE && strcmp(k->items[i].text, path) == 0)
			k->items[i].kind = CLEANUP_NOTHING;
	}
}

const struct cleanup *cleanup_newest(const struct cleanups *k)
{
	const struct cleanup *newest = NULL;

	for (int i = 0; i < CLEANUP_MAX; i++) {
		const struct cleanup *item = &k->items[i];

		if (item->kind != CLEANUP_NOTHING && (!newest || item->number > newest->number))
			newest = item;
	}
	return newest;
}
