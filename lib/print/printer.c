/* SPDX-License-Identifier: MIT */
/*
 * printer.c - print single events as they arrive
 */
#include <stdlib.h>

#include "base/error.h"
#include "base/options.h"
#include "print/contexts.h"
#include "print/print.h"

/* For texts of constants.  They are made again after each flush, so few are worth keeping. */
#define DEFAULT_MEMORY (4u << 20)

struct jfrec_printer {
	struct render render;
	struct contexts contexts; /* always empty: a stream does not know when one ends */
	/* What render.current is of: a chunk that has grown has other constants, perhaps other
	 * types.
	 */
	const struct metadata *metadata;
	uint64_t size;
	bool *selected; /* of the types of render.shapes */
};

struct jfrec_printer *jfrec_printer_new(struct jfrec_reader *reader,
					const struct jfrec_print_options *options,
					jfrec_write_fn *write, void *ctx, struct jfrec_error *err)
{
	struct jfrec_print_options o;
	struct jfrec_printer *p;

	if (options_take(&o, sizeof(o), options, err) < 0 || format_check(&o, err) < 0)
		return NULL;
	if (!o.memory)
		o.memory = DEFAULT_MEMORY;
	p = calloc(1, sizeof(*p));
	if (!p) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (render_init(&p->render, format_row(o.format), &o, write, ctx, err) < 0) {
		free(p);
		return NULL;
	}
	render_read(&p->render, reader);
	p->render.contexts = &p->contexts;
	p->render.format->begin(&p->render);
	return p;
}

static void leave_chunk(struct jfrec_printer *p)
{
	chunk_render_unref(&p->render, p->render.current);
	p->render.current = NULL;
}

/* What is selected of the chunk's types; NULL when memory is gone. */
static bool *selected_of(struct jfrec_printer *p, const struct metadata *m)
{
	const struct shapes *known = p->render.shapes; /* they keep their metadata, so it is this */
	size_t size = ((size_t)m->type_count + 1) * sizeof(bool);
	bool *copy;

	if (!p->selected || !known || known->metadata != m) {
		free(p->selected);
		p->selected = source_selected(p->render.source, m);
	}
	copy = p->selected ? malloc(size) : NULL;
	return copy ? memcpy(copy, p->selected, size) : NULL;
}

/* See the constants that the event's chunk has now. */
static int enter_chunk(struct jfrec_printer *p, struct chunk *c, struct jfrec_error *err)
{
	struct render *r = &p->render;

	if (r->current && r->current->chunk == c && p->metadata == c->metadata &&
	    p->size == c->extent.size)
		return 0;
	leave_chunk(p);
	r->current = chunk_render_new(r, chunk_ref(c), selected_of(p, c->metadata));
	if (!r->current)
		return jfrec_fail_memory(err);
	r->current->is_shared = true;
	p->metadata = c->metadata;
	p->size = c->extent.size;
	if (r->format->chunk)
		r->format->chunk(r);
	return 0;
}

static int result(struct jfrec_printer *p, struct jfrec_error *err)
{
	if (p->render.failure.code) {
		if (err)
			*err = p->render.failure;
		return -1;
	}
	return p->render.out.error ? out_fail(&p->render.out, err) : 0;
}

int jfrec_printer_event(struct jfrec_printer *p, const struct jfrec_event *ev,
			struct jfrec_error *err)
{
	struct render *r = &p->render;
	unsigned count = plan_of(ev->type)->step_count;

	if (enter_chunk(p, ev->chunk, err) < 0)
		return -1;
	memcpy(r->slots, ev->slots, count * sizeof(*r->slots));
	r->slot_count = count;
	print_slots(r, ev->type);
	return result(p, err);
}

int jfrec_printer_flush(struct jfrec_printer *p, struct jfrec_error *err)
{
	/* A chunk that the stream has left behind is not kept for what may come. */
	leave_chunk(p);
	out_flush(&p->render.out);
	return result(p, err);
}

int jfrec_printer_end(struct jfrec_printer *p, struct jfrec_error *err)
{
	p->render.format->end(&p->render);
	return jfrec_printer_flush(p, err);
}

void jfrec_printer_free(struct jfrec_printer *p)
{
	if (!p)
		return;
	leave_chunk(p);
	render_fini(&p->render);
	free(p->selected);
	free(p);
}
