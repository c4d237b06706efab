/* SPDX-License-Identifier: MIT */
/*
 * kind_of_type.c - mistyped names of a type, and of the field that its events are weighed by
 */
#include "base/error.h"
#include "base/near.h"
#include "stacks/stacks.h"

static bool is_number(const struct jfrec_field *f)
{
	return !f->constant && f->type->wire >= WIRE_BOOLEAN && f->type->wire <= WIRE_LONG;
}

static bool has_number(const struct jfrec_type *t, const char *name)
{
	const struct jfrec_field *f = object_field(t, name);

	return f && is_number(f);
}

static void offer_numbers(struct near *near, const struct jfrec_type *t)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		if (is_number(&t->fields[i]))
			near_offer(near, t->fields[i].name);
	}
}

static void tell_unknown(const struct kind_of_type *k, const struct metadata *m, struct problems *p)
{
	struct near near = { .name = k->type };
	char list[NEAR_LIST_MAX];

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (m->types[i].is_event)
			near_offer(&near, m->types[i].name);
	}
	problem_notice(p, 0, 0, "no event type is called %.200s%s", k->type,
		       near_list(&near, list));
}

static int check(const struct kind_of_type *k, const struct metadata *m, struct problems *p,
		 struct jfrec_error *err)
{
	const struct jfrec_type *found = NULL;
	struct near near = { .name = k->weight };
	char list[NEAR_LIST_MAX];

	for (uint32_t i = 0; i < m->type_count; i++) {
		const struct jfrec_type *t = &m->types[i];

		if (!t->is_event || !source_takes(&k->source, t->name))
			continue;
		if (!k->weight || has_number(t, k->weight))
			return 0;
		offer_numbers(&near, t);
		found = t;
	}
	if (!found) {
		tell_unknown(k, m, p);
		return 0;
	}
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "%.200s has no field %.60s that is a number%s", found->name, k->weight,
			  near_list(&near, list));
}

int kinds_of_types_check(const struct jfrec_stacks *s, struct chunk_source *source,
			 struct jfrec_error *err)
{
	const struct metadata *m = source_recording(source)->metadata;

	for (size_t i = 0; m && i < s->type_kind_count; i++) {
		if (check(s->kinds_of_types[i], m, source_problems(source), err) < 0)
			return -1;
	}
	return 0;
}
