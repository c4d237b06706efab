/* SPDX-License-Identifier: MIT */
/*
 * turned.c - run a command for each rule that turned, one after another
 */
#include "stream/turned.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

/* At most this many wait for a command that hangs. */
#define MOST_WAITING 1000

struct change {
	struct change *next;
	struct trigger_event event;
	size_t len;
	char *json; /* then the texts of the event, in the same memory */
};

static const char *put(char **at, const char *text)
{
	char *to = *at;

	if (!text)
		return NULL;
	*at = stpcpy(to, text) + 1;
	return to;
}

static size_t size_of(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

static struct change *change_new(const struct trigger_event *e, const char *json, size_t len)
{
	size_t size = len + size_of(e->source) + size_of(e->main) + size_of(e->type) +
		      size_of(e->change);
	struct change *new = malloc(sizeof(*new) + size);
	char *at;

	if (!new)
		return NULL;
	*new = (struct change){ .len = len, .json = (char *)(new + 1) };
	memcpy(new->json, json, len);
	at = new->json + len;
	new->event.source = put(&at, e->source);
	new->event.main = put(&at, e->main);
	new->event.type = put(&at, e->type);
	new->event.change = put(&at, e->change);
	return new;
}

void turned_add(struct turned *c, const struct trigger_event *e, const char *json, size_t len)
{
	struct change *new = c->count < MOST_WAITING ? change_new(e, json, len) : NULL;

	if (!new) {
		fprintf(stderr, "jfrec: --exec: %zu commands wait already; %s of %s is left out\n",
			c->count, e->type, e->source);
		return;
	}
	if (c->last)
		c->last->next = new;
	else
		c->first = new;
	c->last = new;
	c->count++;
}

bool turned_look(struct turned *c)
{
	struct change *next = c->first;

	if (c->trigger.pid)
		trigger_look(&c->trigger);
	if (c->trigger.pid || !next)
		return c->trigger.pid != 0;
	c->first = next->next;
	if (!c->first)
		c->last = NULL;
	c->count--;
	trigger_run(&c->trigger, &next->event, next->json, next->len);
	free(next);
	return c->trigger.pid != 0 || c->first;
}

void turned_fini(struct turned *c)
{
	while (c->first) {
		struct change *next = c->first->next;

		free(c->first);
		c->first = next;
	}
}
