/* SPDX-License-Identifier: MIT */
/*
 * render.c - run output templates to turn events into text
 */
#include "print/render.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "print/fields.h"
#include "print/formats.h"
#include "print/templates.h"

#define DEFAULT_MEMORY (32u << 20)

/* 2 MB; touched only as deep as values are nested. */
#define SLOT_ROOM (256u << 10)

int render_init(struct render *r, const struct format_row *row,
		const struct jfrec_print_options *options, jfrec_write_fn *write, void *ctx,
		struct jfrec_error *err)
{
	*r = (struct render){
		.format = row->ops,
		.exact = row->exact,
		.stack_depth = options->stack_depth,
		.memory = options->memory ? options->memory : DEFAULT_MEMORY,
		.cut = UINT32_MAX,
		.bounds = bounds_of(options->from_ns, options->to_ns),
		.escapes_formulas = options->escape_formulas,
		.left = options->limit ? options->limit : UINT64_MAX,
		.separator_len = strlen(row->ops->separator),
		.zone = options->zone,
		.zone_ctx = options->zone_ctx,
		.zone_quarter = INT64_MAX,
		.layout.stacks = options->stacks,
		.layout.flat = options->flat,
		.layout.raw_ticks = options->raw_ticks,
		.layout.fields = options->fields,
	};
	r->home = r;
	if (out_init(&r->out, write, ctx, err) < 0)
		return -1;
	r->slots = malloc(SLOT_ROOM * sizeof(*r->slots));
	if (r->slots && render_share(r, 1, NULL) == 0)
		return 0;
	free(r->slots);
	out_fini(&r->out);
	return jfrec_fail_memory(err);
}

int render_share(struct render *r, unsigned count, pthread_mutex_t *lock)
{
	struct arena *spares = reallocarray(r->spares, count, sizeof(*spares));

	if (!spares)
		return -1;
	for (; r->count < count; r->count++)
		spares[r->count] = (struct arena){ 0 };
	r->spares = spares;
	r->lock = lock;
	return 0;
}

int render_twin(struct render *twin, struct render *r, unsigned number)
{
	*twin = *r;
	twin->number = number;
	twin->out = (struct out){ 0 };
	twin->scratch = (struct arena){ 0 };
	twin->scratch_start = NULL;
	twin->crew = NULL;
	twin->contexts = NULL;
	twin->slots = malloc(SLOT_ROOM * sizeof(*twin->slots));
	return twin->slots ? 0 : -1;
}

void render_twin_fini(struct render *twin)
{
	free(twin->slots);
	arena_fini(&twin->scratch);
}

void render_fail(struct render *r, const char *format, ...)
{
	va_list args;

	r->failure.code = JFREC_EINVAL;
	r->failure.offset = JFREC_NO_OFFSET;
	va_start(args, format);
	vsnprintf(r->failure.text, sizeof(r->failure.text), format, args);
	va_end(args);
}

uint64_t *slots_take(struct render *r, unsigned n)
{
	uint64_t *slots = r->slots + r->slot_count;

	if (n > SLOT_ROOM - r->slot_count)
		return NULL;
	r->slot_count += n;
	return slots;
}

/* Shapes and chunks ---------------------------------------------------------------------------- */

static void shapes_unref(struct shapes *s)
{
	if (!s || --s->refs)
		return;
	metadata_unref(s->metadata);
	arena_fini(&s->arena);
	free(s->events);
	free(s->contexts);
	free(s->sites);
	free(s);
}

static struct shapes *shapes_new(struct render *r, struct metadata *m)
{
	struct shapes *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->refs = 1;
	s->render = r;
	s->format = r->format;
	s->metadata = metadata_ref(m);
	s->events = calloc((size_t)m->type_count + 1, sizeof(*s->events));
	s->contexts = calloc((size_t)m->type_count + 1, sizeof(*s->contexts));
	s->sites = calloc((size_t)m->type_count + 1, sizeof(*s->sites));
	s->string_type = metadata_type_named(m, "java.lang.String");
	if (s->events && s->contexts && s->sites)
		return s;
	shapes_unref(s);
	return NULL;
}

struct chunk_render *chunk_render_new(struct render *r, struct chunk *chunk, bool *selected)
{
	struct chunk_render *v = NULL;

	if (selected)
		v = calloc(1, sizeof(*v) + r->count * sizeof(*v->fragments));

	if (v && (!r->shapes || r->shapes->metadata != chunk->metadata)) {
		shapes_unref(r->shapes);
		r->shapes = shapes_new(r, chunk->metadata);
	}
	if (!v || !r->shapes) {
		free(v);
		free(selected);
		chunk_unref(chunk);
		return NULL;
	}
	v->refs = 1;
	v->shapes = r->shapes;
	v->shapes->refs++;
	v->chunk = chunk;
	v->selected = selected;
	for (unsigned i = 0; i < r->count; i++) {
		v->fragments[i] = r->spares[i];
		r->spares[i] = (struct arena){ 0 };
	}
	return v;
}

void chunk_render_unref(struct render *r, struct chunk_render *v)
{
	if (!v || --v->refs)
		return;
	if (!v->is_shared)
		chunk_tell_end(v->chunk);
	chunk_unref(v->chunk);
	shapes_unref(v->shapes);
	for (unsigned i = 0; i < r->count; i++) {
		__atomic_fetch_sub(&r->memory_used, v->fragments[i].total, __ATOMIC_RELAXED);
		arena_fini(&r->spares[i]);
		arena_recycle(&v->fragments[i]);
		r->spares[i] = v->fragments[i];
	}
	for (unsigned i = 0; i < MAX_MEMO_SITES; i++)
		free(v->memo[i]);
	idmap_fini(&v->stacks);
	free(v->selected);
	free(v);
}

void render_fini(struct render *r)
{
	out_fini(&r->out);
	free(r->slots);
	arena_fini(&r->scratch);
	for (unsigned i = 0; i < r->count; i++)
		arena_fini(&r->spares[i]);
	free(r->spares);
	fields_free(r->layout.chosen);
	names_fini(&r->layout.columns);
	shapes_unref(r->shapes);
}

/* Events --------------------------------------------------------------------------------------- */

/* Few events need any: those that have a constant that was not kept. */
static void clear_scratch(struct render *r)
{
	if (r->scratch.next == r->scratch_start)
		return;
	arena_clear(&r->scratch);
	r->scratch_start = r->scratch.next;
}

void render_slots(struct render *r, const struct jfrec_type *t, const uint64_t *slots)
{
	const struct op *ops = shapes_event(r->current->shapes, t);

	r->event_start = out_total(&r->out);
	if (ops)
		render_ops(r, ops, slots);
	clear_scratch(r);
}

static int write_aside(void *ctx, const void *data, size_t len)
{
	struct aside *a = ctx;
	char *text = realloc(a->text, a->len + len);

	if (!text)
		return -1;
	memcpy(text + a->len, data, len);
	a->text = text;
	a->len += len;
	return 0;
}

struct aside render_aside(struct render *r, const struct op *ops, const uint64_t *slots)
{
	uint64_t event_start = r->event_start;
	struct out out = r->out;
	struct aside a = { 0 };

	if (ops && out_init(&r->out, write_aside, &a, NULL) == 0) {
		r->event_start = 0;
		render_ops(r, ops, slots);
		out_flush(&r->out);
		out_fini(&r->out);
	}
	r->out = out;
	r->event_start = event_start;
	return a;
}

struct aside render_slots_aside(struct render *r, const struct jfrec_type *t, const uint64_t *slots)
{
	struct aside a = render_aside(r, shapes_event(r->current->shapes, t), slots);

	clear_scratch(r);
	return a;
}

void render_constant_ops(struct render *r, const struct site *s, const uint64_t *slots,
			 uint64_t key)
{
	const struct op *ops = SHARED_GET(s->ops);

	if (!ops)
		ops = site_ops(r->current->shapes, s);
	(void)key;
	if (ops)
		render_ops(r, ops, slots);
}

/* Arrays --------------------------------------------------------------------------------------- */

bool elements_begin(struct render *r, const struct op *op, const uint64_t *slots,
		    struct elements *e)
{
	*e = (struct elements){
		.at = { .pos = slot_bytes(slots[op->slot]), .end = r->current->chunk->end },
	};
	e->count = cursor_varint(&e->at);
	e->slots = slots_take(r, op->element->step_count);
	if (!e->slots || !op->element_ops) {
		e->count = 0;
		return false;
	}
	return true;
}

bool elements_next(const struct op *op, struct elements *e)
{
	if (e->index == e->count)
		return false;
	e->index++;
	return plan_decode(op->element, &e->at, e->slots);
}

void elements_end(struct render *r, const struct op *op, struct elements *e)
{
	if (e->slots)
		slots_release(r, op->element->step_count);
}

/* Values that all formats share ---------------------------------------------------------------- */

void put_boolean(struct render *r, const struct op *op, const uint64_t *slots)
{
	if (slots[op->slot])
		OUT_STR(&r->out, "true");
	else
		OUT_STR(&r->out, "false");
}

void put_integer(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_i64(out_room(&r->out), (int64_t)slots[op->slot]));
}

void put_unsigned(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_u64(out_room(&r->out), unsigned_slot(op, slots[op->slot])));
}
