/* SPDX-License-Identifier: MIT */
/*
 * cleanup.c - files and directories to remove when a session ends
 */
#include "attach/cleanup.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

int keeps_add(struct keeps *k, enum keep_kind kind, const char *text, struct jfrec_error *err)
{
	for (int i = 0; i < KEEPS_MAX; i++) {
		struct keep *item = &k->items[i];

		if (item->kind != KEEP_NOTHING)
			continue;
		item->kind = kind;
		item->number = k->next_number++;
		snprintf(item->text, sizeof(item->text), "%s", text);
		return item->number;
	}
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "a session can keep %d files and commands at a time", KEEPS_MAX);
}

void keeps_forget(struct keeps *k, int number)
{
	for (int i = 0; i < KEEPS_MAX; i++) {
		if (k->items[i].kind != KEEP_NOTHING && k->items[i].number == number)
			k->items[i].kind = KEEP_NOTHING;
	}
}

void keeps_forget_file(struct keeps *k, const char *path)
{
	for (int i = 0; i < KEEPS_MAX; i++) {
		if (k->items[i].kind == KEEP_FILE && strcmp(k->items[i].text, path) == 0)
			k->items[i].kind = KEEP_NOTHING;
	}
}

const struct keep *keeps_newest(const struct keeps *k)
{
	const struct keep *newest = NULL;

	for (int i = 0; i < KEEPS_MAX; i++) {
		const struct keep *item = &k->items[i];

		if (item->kind != KEEP_NOTHING && (!newest || item->number > newest->number))
			newest = item;
	}
	return newest;
}
