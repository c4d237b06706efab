/* SPDX-License-Identifier: MIT */
/*
 * contexts.c - track the contextual events that are open on each thread
 */
#include "print/contexts.h"

#include <stdlib.h>

#include "base/array.h"
#include "print/templates.h"

/*
 * A context of negative duration closes before it opens, and so never does.
 * So many of them on one thread are an attack, not a program.
 */
#define MAX_OPEN 1000

struct open_context {
	struct open_context *next;
	uint32_t chunk;
	uint64_t offset;
	size_t len;
	char text[];
};

const struct jfrec_field *event_thread_field(const struct jfrec_type *t)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (strcmp(f->name, "eventThread") == 0)
			return f->constant && !f->array && f->type && f->type->known == KNOWN_THREAD
				       ? f
				       : NULL;
	}
	return NULL;
}

/* The key of the event's thread; false if it has none. Threads are known by key, as in the JDK. */
static bool thread_of(struct render *r, const struct jfrec_type *t, const uint64_t *slots,
		      uint64_t *key)
{
	const struct jfrec_field *f = event_thread_field(t);

	if (!f)
		return false;
	*key = slots[plan_of(t)->first_step[f->index]];
	return pool_find(&r->current->chunk->pools, f->type, *key) != POOL_NONE;
}

static struct thread_contexts *contexts_of(const struct contexts *c, uint64_t thread)
{
	uint32_t i = idmap_get(&c->by_thread, thread);

	return i == IDMAP_NONE ? NULL : &c->threads[i];
}

static struct thread_contexts *add_thread(struct contexts *c, uint64_t thread)
{
	uint32_t *i = idmap_put(&c->by_thread, thread, c->thread_count);

	if (!i)
		return NULL;
	if (*i < c->thread_count)
		return &c->threads[*i];
	if (!array_reserve(c->threads, c->thread_count, c->thread_room))
		return NULL;
	c->threads[c->thread_count] = (struct thread_contexts){ 0 };
	return &c->threads[c->thread_count++];
}

void contexts_open(struct contexts *c, struct render *r, const struct jfrec_type *t,
		   const uint64_t *slots, uint32_t chunk, uint64_t offset)
{
	struct thread_contexts *list;
	struct open_context *o;
	struct aside lines;
	uint64_t thread;

	if (!thread_of(r, t, slots, &thread) || !(list = add_thread(c, thread)) ||
	    list->count == MAX_OPEN)
		return;
	lines = render_aside(r, shapes_context(r->current->shapes, t), slots);
	o = malloc(sizeof(*o) + lines.len);
	if (o) {
		*o = (struct open_context){ .chunk = chunk, .offset = offset, .len = lines.len };
		if (lines.len)
			memcpy(o->text, lines.text, lines.len);
		if (list->last)
			list->last->next = o;
		else
			list->first = o;
		list->last = o;
		list->count++;
		c->open++;
	}
	free(lines.text);
}

void contexts_close(struct contexts *c, struct render *r, const struct jfrec_type *t,
		    const uint64_t *slots, uint32_t chunk, uint64_t offset)
{
	struct open_context *o, *before = NULL;
	struct thread_contexts *list;
	uint64_t thread;

	if (!thread_of(r, t, slots, &thread) || !(list = contexts_of(c, thread)))
		return;
	for (o = list->first; o && (o->chunk != chunk || o->offset != offset); o = o->next)
		before = o;
	if (!o)
		return;
	if (before)
		before->next = o->next;
	else
		list->first = o->next;
	if (list->last == o)
		list->last = before;
	list->count--;
	c->open--;
	free(o);
}

void contexts_put(const struct contexts *c, struct render *r, uint64_t thread)
{
	const struct thread_contexts *list = contexts_of(c, thread);

	for (const struct open_context *o = list ? list->first : NULL; o; o = o->next)
		out_put(&r->out, o->text, o->len);
}

void contexts_fini(struct contexts *c)
{
	for (uint32_t i = 0; i < c->thread_count; i++) {
		while (c->threads[i].first) {
			struct open_context *o = c->threads[i].first;

			c->threads[i].first = o->next;
			free(o);
		}
	}
	free(c->threads);
	idmap_fini(&c->by_thread);
	*c = (struct contexts){ 0 };
}
