/* SPDX-License-Identifier: MIT */
/*
 * ndjson.c - print --ndjson: one event per line, jfrec-ndjson(5)
 */
#include "print/ndjson.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"
#include "print/fields.h"
#include "print/times.h"

/* Numbers of stack traces ---------------------------------------------------------------------- */

/* Constants of all types have numbers of their own in one map. */
static uint64_t stack_id(const struct site *s, uint32_t entry)
{
	return (uint64_t)s->type->index << 32 | entry;
}

void ndjson_put_stack_number(struct render *r, const struct op *op, const uint64_t *slots)
{
	const struct chunk_render *v = r->current;
	uint32_t entry = pool_find(&v->chunk->pools, op->site->type, slots[op->slot]);
	uint32_t n = IDMAP_NONE;

	if (entry != POOL_NONE)
		n = idmap_get(&v->stacks, stack_id(op->site, entry));
	if (n == IDMAP_NONE)
		OUT_STR(&r->out, "null");
	else
		out_end(&r->out, put_u64(out_room(&r->out), n));
}

/* The line that explains a stack trace, before the first event that has it. */
static void put_new_stack(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct chunk_render *v = r->current;
	uint32_t entry = pool_find(&v->chunk->pools, op->site->type, slots[op->slot]), *n;
	uint32_t next = r->stack_count + 1;

	if (entry == POOL_NONE || next == IDMAP_NONE)
		return;
	n = idmap_put(&v->stacks, stack_id(op->site, entry), next);
	if (!n || *n != next)
		return;
	r->stack_count = next;
	r->event_start = out_total(&r->out);
	OUT_STR(&r->out, "{\"stack\":");
	out_end(&r->out, put_u64(out_room(&r->out), next));
	out_char(&r->out, ',');
	render_constant(r, op->site, slots[op->slot]);
	OUT_STR(&r->out, "}\n");
	r->event_start = out_total(&r->out);
}

/* Building: events ----------------------------------------------------------------------------- */

/* The lines of stack traces that are among so many slots from one on. */
static void build_new_stacks(struct builder *b, const struct plan *plan, unsigned first,
			     unsigned count)
{
	for (unsigned i = first; i < first + count; i++) {
		const struct jfrec_field *f = plan->steps[i].field;

		if (plan->steps[i].wire == WIRE_KEY && ndjson_has_number(b, f))
			build_put(b, put_new_stack, i)->site =
				build_site(b, f->type, FORM_MEMBERS, render_constant_ops);
	}
}

/* The same for a column, unless it leads through a constant. */
static void build_column_stacks(struct builder *b, const struct jfrec_type *t, struct path path)
{
	const struct jfrec_field *f = NULL;
	unsigned slot = 0;

	for (unsigned i = 0; i < path.count; i++) {
		if (f && f->constant)
			return;
		f = path.fields[i];
		slot += plan_of(f->owner)->first_step[f->index];
	}
	build_new_stacks(b, plan_of(t), slot,
			 f->constant || f->array ? 1 : plan_of(f->type)->step_count);
}

/* `type` is the line's own key. */
static void build_column_key(struct builder *b, const char *name)
{
	build_text(b, ",");
	ndjson_build_key(b, strcmp(name, "type") == 0 ? "values.type" : name);
}

static void build_type(struct builder *b, const struct jfrec_type *t)
{
	build_text(b, "{\"type\":\"");
	ndjson_build_name(b, t->name);
	build_text(b, "\"");
}

/* All columns of the type. */
static void build_flat(struct builder *b, const struct jfrec_type *t)
{
	struct columns c;

	columns_init(&c, t, layout_has_stacks(layout_of(b)));
	for (unsigned i = 0; i < c.count; i++)
		build_column_stacks(b, t, c.items[i].path);
	build_type(b, t);
	for (unsigned i = 0; i < c.count; i++) {
		build_column_key(b, c.items[i].name);
		build_path(b, c.items[i].path, 0, ndjson_build_cell);
	}
	columns_fini(&c);
}

/* The columns that were asked for; null where the type has none of that name. */
static void build_selected(struct builder *b, const struct jfrec_type *t)
{
	const struct names *n = &layout_of(b)->columns;
	struct way way;

	for (unsigned i = 0; i < n->count; i++) {
		if (way_find(&way, t, n->items[i]))
			build_column_stacks(b, t, way_path(&way));
	}
	build_type(b, t);
	for (unsigned i = 0; i < n->count; i++) {
		build_column_key(b, n->items[i]);
		if (way_find(&way, t, n->items[i]))
			build_path(b, way_path(&way), 0, ndjson_build_cell);
		else
			build_text(b, "null");
	}
}

static void build_nested(struct builder *b, const struct jfrec_type *t)
{
	build_new_stacks(b, plan_of(t), 0, plan_of(t)->step_count);
	build_type(b, t);
	build_text(b, ",\"values\":");
	ndjson_build_struct(b, t, 0);
}

static void ndjson_event(struct builder *b, const struct jfrec_type *t)
{
	const struct layout *l = layout_of(b);

	if (l->fields)
		build_selected(b, t);
	else if (l->flat)
		build_flat(b, t);
	else
		build_nested(b, t);
	build_text(b, "}\n");
}

/* Chunks --------------------------------------------------------------------------------------- */

/* What it takes to make times of ticks: those of the clock that the chunk is read with. */
static void put_chunk(struct render *r)
{
	const struct chunk *c = r->current->chunk;
	struct timespan start = timespan_from_ns(c->clock.start_ns);
	char offset[TIMETEXT_MAX], line[256];
	int len;

	*put_utc_offset(offset, utc_offset_at(r, start)) = '\0';
	len = snprintf(line, sizeof(line),
		       "{\"chunk\":%" PRIu64 ",\"startNanos\":%" PRId64 ",\"startTicks\":%" PRId64
		       ",\"ticksPerSecond\":%.0f,\"utcOffset\":\"%s\"}\n",
		       c->extent.number, c->clock.start_ns, c->clock.start_ticks,
		       c->clock.ticks_per_ns * 1e9, offset);
	out_put(&r->out, line, (size_t)len);
}

static void ndjson_chunk(struct render *r)
{
	fields_look(r);
	if (r->layout.raw_ticks)
		put_chunk(r);
}

static void nothing(struct render *r)
{
	(void)r;
}

const struct format ndjson_format = {
	.null = "null",
	.separator = "",
	.begin = nothing,
	.end = fields_end,
	.chunk = ndjson_chunk,
	.name = ndjson_put_name,
	.no_method = "[unknown]",
	.event = ndjson_event,
	.constant = ndjson_constant,
};
