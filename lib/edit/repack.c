/* SPDX-License-Identifier: MIT */
/*
 * repack.c - rewrite several chunks of one JVM as one chunk
 */
#include "edit/repack.h"

#include "base/error.h"

/* A chunk is ended when it has so many bytes: readers bring whole chunks into memory. */
#define CHUNK_SIZE (UINT64_C(32) << 20)

/* How many events go by between two looks at the stop flag. */
#define STEP 4096

int pack_reserve_start(struct pack *p, int64_t start_ns, struct jfrec_error *err)
{
	return idmap_put(&p->starts, (uint64_t)start_ns, 0) ? 0 : jfrec_fail_memory(err);
}

/* Types ---------------------------------------------------------------------------------------- */

static bool same_field(const struct jfrec_field *a, const struct jfrec_field *b)
{
	return strcmp(a->name, b->name) == 0 && a->class_id == b->class_id &&
	       a->array == b->array && a->constant == b->constant && a->timespan == b->timespan &&
	       a->timestamp == b->timestamp;
}

static bool same_type(const struct jfrec_type *a, const struct jfrec_type *b)
{
	if (strcmp(a->name, b->name) != 0 || a->field_count != b->field_count ||
	    a->is_event != b->is_event)
		return false;
	for (unsigned i = 0; i < a->field_count; i++) {
		if (!same_field(&a->fields[i], &b->fields[i]))
			return false;
	}
	return true;
}

/* Does the newer metadata declare all that the older does? */
static bool goes_with(const struct metadata *older, const struct metadata *newer)
{
	if (older == newer)
		return true;
	for (uint32_t i = 0; i < older->type_count; i++) {
		const struct jfrec_type *t = metadata_type(newer, older->types[i].id);

		if (!t || !same_type(&older->types[i], t))
			return false;
	}
	return true;
}

/* The chunk ------------------------------------------------------------------------------------ */

/* Of two chunks that began together the second now began a nanosecond later. */
static int find_start(struct pack *p, struct chunk_header *h, const struct clock *clock,
		      struct jfrec_error *err)
{
	bool is_own = h->start_ns == p->jvm->first.extent.header.start_ns && p->jvm_number == 0;

	while (!is_own && idmap_get(&p->starts, (uint64_t)h->start_ns) != IDMAP_NONE) {
		h->start_ns++;
		h->start_ticks += clock->ticks_per_ns > 1 ? (int64_t)clock->ticks_per_ns : 1;
	}
	return pack_reserve_start(p, h->start_ns, err);
}

static int begin(struct pack *p, const struct chunk *c, struct jfrec_error *err)
{
	struct chunk_header h = c->extent.header;
	const struct jfrec_type *string = metadata_type_named(c->metadata, "java.lang.String");

	if (p->clock) {
		h.start_ticks = rebase_time(&c->clock, p->clock, h.start_ticks);
		h.start_ns = clock_time_ns(p->clock, h.start_ticks);
		h.ticks_per_second = double_to_long(p->clock->ticks_per_ns * 1e9 + 0.5);
	}
	if (find_start(p, &h, p->clock ? p->clock : &c->clock, err) < 0)
		return -1;
	/* That it was the last one of its JVM may not be so any more. */
	h.flags &= (uint16_t)~CHUNK_FINAL;
	chunk_writer_begin(p->writer, p->out, &h);
	if (string)
		chunk_writer_strings(p->writer, new_type_id(p->jvm_number, string->id));
	return 0;
}

int pack_end(struct pack *p, struct jfrec_error *err)
{
	struct chunk_writer *w = p->writer;
	struct metadata *m = p->metadata;
	uint64_t id;

	if (!m)
		return 0;
	new_pools_write(&p->jvm->pools, w);
	w->header.duration_ns = long_subtract(p->end_ns, w->header.start_ns);
	buffer_clear(&p->event);
	/* The JDK takes equal ids of metadata for equal types. */
	id = (uint64_t)p->jvm_number << 20 | (m->id & 0xfffff);
	if (p->jvm_number)
		renumber_metadata(m, p->jvm_number, id, &p->event);
	else
		buffer_put(&p->event, m->content, m->used_len);
	chunk_writer_metadata(w, w->header.start_ticks, p->event.data, p->event.len);
	metadata_unref(m);
	p->metadata = NULL;
	p->written++;
	return p->event.failed ? jfrec_fail_memory(err) : chunk_writer_end(w, err);
}

/* An event of the chunk is to be written: begin one, or have it reach so far. */
static int take_in(struct pack *p, struct chunk *c, struct jfrec_error *err)
{
	int64_t end_ns = long_add(c->extent.header.start_ns, c->extent.header.duration_ns);

	if (!p->metadata && begin(p, c, err) < 0)
		return -1;
	if (!p->metadata || end_ns > p->end_ns)
		p->end_ns = end_ns;
	metadata_unref(p->metadata);
	p->metadata = metadata_ref(c->metadata);
	return 0;
}

/* Events --------------------------------------------------------------------------------------- */

/* jdk.ActiveSetting tells settings of event types, by their id. */
static unsigned step_of_type_id(const struct jfrec_type *t)
{
	const struct plan *plan = plan_of(t);

	if (strcmp(t->name, "jdk.ActiveSetting") != 0 || plan->fault)
		return PLAN_NO_STEP;
	for (unsigned i = 0; i < t->field_count; i++) {
		if (strcmp(t->fields[i].name, "id") == 0 &&
		    plan->steps[plan->first_step[i]].wire == WIRE_LONG)
			return plan->first_step[i];
	}
	return PLAN_NO_STEP;
}

/* The payload with the id replaced: what precedes it, the id, what follows. */
static void put_setting(struct pack *p, struct interner *in, const struct jfrec_type *t,
			struct cursor *c)
{
	const struct plan *plan = plan_of(t);
	unsigned step = step_of_type_id(t);
	struct plan front = *plan, behind = *plan;

	front.step_count = step;
	behind.steps += step + 1;
	behind.step_count -= step + 1;
	recode_value(&in->recoder, &front, c, &p->event);
	buffer_varint(&p->event, new_type_id(p->jvm_number, cursor_varint(c)));
	recode_value(&in->recoder, &behind, c, &p->event);
}

static void put_event(struct pack *p, struct interner *in, const struct jfrec_event *e)
{
	struct cursor payload = { .pos = e->raw.payload, .end = e->raw.start + e->raw.size };
	unsigned width = 1;
	uint8_t size[VARINT_MAX];

	buffer_clear(&p->event);
	buffer_varint(&p->event, new_type_id(p->jvm_number, e->raw.type_id));
	if (p->jvm_number && step_of_type_id(e->type) != PLAN_NO_STEP)
		put_setting(p, in, e->type, &payload);
	else
		recode_value(&in->recoder, plan_of(e->type), &payload, &p->event);
	if (p->event.failed)
		return;
	interner_settle(in);
	/* The size counts its own bytes. */
	while (varint_size(p->event.len + width) > width)
		width++;
	varint_put_padded(size, p->event.len + width, width);
	chunk_writer_event(p->writer, size, width);
	chunk_writer_event(p->writer, p->event.data, p->event.len);
}

static int add_events(struct pack *p, struct chunk *c, struct interner *in,
		      const struct rewrite *how, bool *added, struct jfrec_error *err)
{
	struct jfrec_event e = event_in(source_room(p->source), c);
	struct chunk_walk walk = chunk_walk(c);
	unsigned n = 0;

	while (chunk_walk_next(&walk, &e.raw, &e.type)) {
		if (++n % STEP == 0 && source_check_stop(p->source, err) < 0)
			return -1;
		if (!chunk_decode(c, e.type, &e.raw, e.slots) ||
		    (how->selects && !how->selects(how->ctx, &e)))
			continue;
		if (!*added && take_in(p, c, err) < 0)
			return -1;
		if (!*added)
			interner_take_frame_types(in);
		*added = true;
		put_event(p, in, &e);
		if (in->failed || p->event.failed)
			return jfrec_fail_memory(err);
	}
	chunk_tell_end(c);
	return 0;
}

static bool must_end(const struct pack *p, const struct chunk *c, const struct jvm *jvm)
{
	return p->metadata && (p->jvm != jvm || chunk_writer_at(p->writer) > CHUNK_SIZE ||
			       !goes_with(p->metadata, c->metadata));
}

int pack_add(struct pack *p, struct chunk *c, struct jvm *jvm, uint32_t jvm_number,
	     const struct rewrite *how, bool *added, struct jfrec_error *err)
{
	struct interner in;
	int ret;

	*added = false;
	if (must_end(p, c, jvm) && pack_end(p, err) < 0)
		return -1;
	p->jvm = jvm;
	p->jvm_number = jvm_number;
	if (interner_init(&in, c, &jvm->pools, jvm_number, ++p->serial, p->clock ? &c->clock : NULL,
			  p->clock) < 0)
		return jfrec_fail_memory(err);
	ret = add_events(p, c, &in, how, added, err);
	interner_fini(&in);
	return ret;
}

void pack_fini(struct pack *p)
{
	metadata_unref(p->metadata);
	idmap_fini(&p->starts);
	buffer_fini(&p->event);
}
