/* SPDX-License-Identifier: MIT */
/*
 * damage.c - what was damaged in recordings, as JSON documents tell it
 */
#include "page/damage.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "page/json_out.h"

static void problem_fini(const struct jfrec_problem *p)
{
	free((char *)p->input);
	free((char *)p->text);
}

int damage_add(struct damage *d, const struct jfrec_problem *problem)
{
	struct jfrec_problem copy = *problem;

	copy.input = strdup(problem->input);
	copy.text = strdup(problem->text);
	if (copy.input && copy.text && array_push(d->items, d->count, d->room, copy))
		return 0;
	problem_fini(&copy);
	return -1;
}

static void put_problem(const struct jfrec_problem *p, struct out *out)
{
	json_put(out, "{\"input\":");
	json_put_string(out, p->input);
	json_put(out, ",\"offset\":");
	if (p->offset == JFREC_NO_OFFSET)
		json_put(out, "null");
	else
		json_put_integer(out, (int64_t)p->offset);
	json_put(out, ",\"lost\":");
	json_put_integer(out, (int64_t)p->lost);
	json_put(out, p->damage ? ",\"damage\":true,\"text\":" : ",\"damage\":false,\"text\":");
	json_put_string(out, p->text);
	out_char(out, '}');
}

void damage_put(const struct damage *d, struct out *out)
{
	bool has_any = false;

	out_char(out, '[');
	for (size_t i = 0; i < d->count; i++) {
		json_put_comma(out, &has_any);
		put_problem(&d->items[i], out);
	}
	out_char(out, ']');
}

void damage_fini(struct damage *d)
{
	for (size_t i = 0; i < d->count; i++)
		problem_fini(&d->items[i]);
	free(d->items);
}
