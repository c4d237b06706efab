/* SPDX-License-Identifier: MIT */
/*
 * during.c - events that happened while others ran, in their threads
 */
#include "read/during.h"

#include <stdlib.h>

#include "base/digest.h"
#include "format/event_time.h"

void during_free(struct during *d)
{
	if (!d)
		return;
	intervals_fini(&d->intervals);
	chunk_jvms_fini(&d->jvms);
	label_spans_fini(&d->labels);
	free(d->label);
	free(d);
}

/* Threads -------------------------------------------------------------------------------------- */

/* As for `thread` in an expression: the event's own thread, or the one that it is about. */
static const struct jfrec_field *thread_field(const struct jfrec_type *t)
{
	const struct jfrec_field *f = type_field(t, "eventThread");

	f = f ? f : type_field(t, "sampledThread");
	return f && f->constant && f->type && !f->array ? f : NULL;
}

struct during_use during_use_of(const struct jfrec_type *t)
{
	const struct jfrec_field *f = t->is_event ? thread_field(t) : NULL;
	const struct plan *plan = plan_of(t);
	struct during_use u = { 0 };

	if (!t->is_event || plan->fault || plan->start_step == PLAN_NO_STEP)
		return u;
	u.slots = plan->start_step + 1;
	if (plan->duration_step != PLAN_NO_STEP && plan->duration_step >= u.slots)
		u.slots = plan->duration_step + 1;
	if (!f)
		return u;
	u.thread_type = f->type;
	u.thread_slot = plan->first_step[f->index];
	if (u.thread_slot >= u.slots)
		u.slots = u.thread_slot + 1;
	return u;
}

uint64_t during_id(uint32_t jvm, uint64_t thread)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, jvm);
	digest_word(&d, thread);
	return d.a;
}

enum { JAVA_THREAD = 1, SYSTEM_THREAD, UNNAMED_THREAD };

static uint64_t thread_id(unsigned kind, uint64_t id)
{
	struct digest d = DIGEST_INIT;

	digest_word(&d, kind);
	digest_word(&d, id);
	return d.a;
}

/*
 * Java counts its threads and uses no number twice; the system does, so that its number is taken
 * only for threads that Java does not know.
 */
static uint64_t thread_of(struct object o, uint64_t key)
{
	int64_t java = object_number(o, "javaThreadId", 0);
	int64_t system = object_number(o, "osThreadId", 0);

	if (java > 0)
		return thread_id(JAVA_THREAD, (uint64_t)java);
	return system > 0 ? thread_id(SYSTEM_THREAD, (uint64_t)system)
			  : thread_id(UNNAMED_THREAD, key);
}

bool during_thread(struct objects *o, const struct during_use *u, const uint64_t *slots,
		   uint64_t *thread)
{
	uint64_t key = u->thread_type ? slots[u->thread_slot] : 0;
	struct object constant = { 0 };

	if (key)
		constant = object_constant(o, u->thread_type, key);
	if (constant.slots)
		*thread = thread_of(constant, key);
	arena_recycle(&o->scratch);
	return constant.slots != NULL;
}

/* Chunks --------------------------------------------------------------------------------------- */

void during_leave(struct during_view *v)
{
	metadata_unref(v->metadata);
	free(v->uses);
	idmap_fini(&v->threads);
	arena_fini(&v->objects.scratch);
	*v = (struct during_view){ 0 };
}

static int enter_types(struct during_view *v, struct metadata *m)
{
	v->uses = calloc((size_t)m->type_count + 1, sizeof(*v->uses));
	if (!v->uses)
		return -1;
	v->metadata = metadata_ref(m);
	for (uint32_t i = 0; i < m->type_count; i++)
		v->uses[i] = during_use_of(&m->types[i]);
	return 0;
}

int during_enter(struct during *d, struct during_view *v, const struct chunk *c)
{
	if (v->metadata != c->metadata) {
		during_leave(v);
		if (enter_types(v, c->metadata) < 0)
			return -1;
	}
	idmap_fini(&v->threads);
	v->objects.chunk = c;
	v->jvm = chunk_jvms_number(&d->jvms, c);
	return v->jvm == IDMAP_NONE ? -1 : 0;
}

bool during_selects(const struct during *d, const struct during_view *v, const struct jfrec_type *t)
{
	const struct during_use *u = &v->uses[t->index];

	return d->outside || (u->slots && (d->all_threads || u->thread_type));
}

/* Events --------------------------------------------------------------------------------------- */

/* That number and one more, since a map has no place for NO_THREAD. */
static uint32_t find_thread(const struct during *d, struct during_view *v,
			    const struct during_use *u, const uint64_t *slots)
{
	uint64_t key = u->thread_type ? slots[u->thread_slot] : 0, thread;
	uint32_t known = key ? idmap_get(&v->threads, key) : IDMAP_NONE, number;

	if (d->all_threads)
		return intervals_thread(&d->intervals, during_id(v->jvm, ANY_THREAD));
	if (known != IDMAP_NONE)
		return known - 1;
	/* The constant of one that is unknown may follow, in a chunk that grows. */
	if (!during_thread(&v->objects, u, slots, &thread))
		return NO_THREAD;
	number = intervals_thread(&d->intervals, during_id(v->jvm, thread));
	/* Without memory it is looked up again. */
	idmap_put(&v->threads, key, number + 1);
	return number;
}

static bool is_inside(const struct during *d, struct during_view *v, const struct chunk *c,
		      const struct jfrec_type *t, const uint64_t *slots)
{
	const struct plan *plan = plan_of(t);
	uint32_t thread = find_thread(d, v, &v->uses[t->index], slots);
	int64_t start, end;

	v->label = NO_LABEL;
	if (thread == NO_THREAD)
		return false;
	start = end = (int64_t)slots[plan->start_step];
	if (plan->duration_step != PLAN_NO_STEP)
		end = long_add(start, (int64_t)slots[plan->duration_step]);
	if (d->label)
		v->label = label_spans_at(&d->labels, thread, clock_time_ns(&c->clock, start));
	return intervals_touch(&d->intervals, thread, clock_time_ns(&c->clock, start),
			       clock_time_ns(&c->clock, end));
}

bool during_passes(const struct during *d, struct during_view *v, struct chunk *c,
		   const struct jfrec_type *t, const struct raw_event *e, uint64_t *slots)
{
	const struct during_use *u = &v->uses[t->index];
	struct cursor at = event_payload(e, c->end);

	if (!u->slots)
		return d->outside;
	plan_decode_some(plan_of(t), 0, u->slots, &at, slots);
	/* What ran past its end is reported with all events that do. */
	if (event_overran(e, &at) && !chunk_decode(c, t, e, slots))
		return false;
	return is_inside(d, v, c, t, slots) != d->outside;
}
