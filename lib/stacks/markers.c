/* SPDX-License-Identifier: MIT */
/*
 * markers.c - what lasts a while (collections, locks) and what is measured, over time
 */
#include "stacks/markers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buffer.h"
#include "format/slot.h"

/* Of more than twice as many the longest stay. */
#define MARKERS_MAX ((size_t)1 << 17)

#define NO_STEP UINT16_MAX

struct marker_type {
	uint16_t start, duration, thread;
	const struct jfrec_type *thread_type;
	uint16_t values[2]; /* of a reading: slots, added up */
	bool is_marker, is_reading, is_float;
	enum reading_kind reading;
	uint32_t label;
};

void marker_list_fini(struct marker_list *l)
{
	free(l->markers);
	free(l->readings);
	*l = (struct marker_list){ 0 };
}

/* Which fields of a type ----------------------------------------------------------------------- */

static uint16_t step_of(const struct jfrec_type *t, const char *name, bool is_constant)
{
	const struct jfrec_field *f = object_field(t, name);

	if (!f || f->constant != is_constant || (!is_constant && f->type->wire == WIRE_NONE))
		return NO_STEP;
	return plan_of(t)->first_step[f->index];
}

/* What is measured, by the types of events; two values are added. */
static const struct {
	const char *type;
	enum reading_kind kind;
	const char *fields[2];
	bool is_float;
} readings[] = {
	{ "jdk.CPULoad", READING_CPU, { "jvmUser", "jvmSystem" }, true },
	{ "jdk.GCHeapSummary", READING_HEAP, { "heapUsed", NULL }, false },
};

static void find_reading(struct marker_type *m, const struct jfrec_type *t)
{
	for (size_t i = 0; i < sizeof(readings) / sizeof(*readings); i++) {
		if (strcmp(readings[i].type, t->name) != 0)
			continue;
		m->is_reading = true;
		m->reading = readings[i].kind;
		m->is_float = readings[i].is_float;
		for (unsigned j = 0; j < 2; j++) {
			const char *name = readings[i].fields[j];
			const struct jfrec_field *f = name ? object_field(t, name) : NULL;
			bool fits = f && (m->is_float ? f->type->wire == WIRE_FLOAT
						      : f->type->wire == WIRE_LONG);

			m->values[j] = fits ? step_of(t, name, false) : NO_STEP;
			m->is_reading &= fits || !name;
		}
	}
}

static int find_type(struct marking *m, const struct jfrec_type *t)
{
	struct marker_type *k = &m->types[t->index];
	const struct jfrec_field *thread = object_field(t, "eventThread");
	const char *label = t->label && *t->label ? t->label : t->name;

	if (!t->is_event || plan_of(t)->fault)
		return 0;
	k->start = step_of(t, "startTime", false);
	k->duration = step_of(t, "duration", false);
	k->thread = thread ? step_of(t, "eventThread", true) : NO_STEP;
	k->thread_type = thread ? thread->type : NULL;
	k->is_marker = k->start != NO_STEP && k->duration != NO_STEP;
	if (k->start != NO_STEP)
		find_reading(k, t);
	if (!k->is_marker)
		return 0;
	k->label = name_set_put_clipped(&m->traces->book->names, label, strlen(label));
	return k->label == NAME_NONE ? -1 : 0;
}

int marking_init(struct marking *m, struct traces *traces)
{
	const struct metadata *all = traces->objects.chunk->metadata;

	*m = (struct marking){ .traces = traces };
	m->types = calloc((size_t)all->type_count + 1, sizeof(*m->types));
	if (!m->types)
		return -1;
	for (uint32_t i = 0; i < all->type_count; i++) {
		if (find_type(m, &all->types[i]) < 0)
			return -1;
	}
	return 0;
}

void marking_fini(struct marking *m)
{
	free(m->types);
	marker_list_fini(&m->list);
}

bool marking_needs(const struct marking *m, const struct jfrec_type *t)
{
	return m->types && (m->types[t->index].is_marker || m->types[t->index].is_reading);
}

/* Events --------------------------------------------------------------------------------------- */

/* What is worth knowing besides the type, where a type has it. */
static const char *const texts[] = { "name", "cause", "operation", "path", "host" };
static const char *const classes[] = { "monitorClass", "parkedClass", "thrownClass" };

static void put_detail(struct buffer *b, const char *text, size_t len)
{
	if (b->len && len)
		buffer_put(b, ", ", 2);
	buffer_put(b, text, len);
}

/* *number: of the text, or NAME_NONE. 0, or -1 when memory is gone. */
static int find_detail(struct marking *m, const struct jfrec_type *t, const uint64_t *slots,
		       uint32_t *number)
{
	struct objects *o = &m->traces->objects;
	struct object event = { t, slots };
	struct buffer b = { 0 };
	size_t len;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *text = object_text(o, event, texts[i], &len);

		if (text)
			put_detail(&b, text, len);
	}
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++) {
		const char *symbol = object_text(o, object_member(o, event, classes[i]), "name",
						 &len);
		const char *name = symbol ? frame_class_name(&m->traces->naming, symbol, len,
							     &o->scratch, &len)
					  : NULL;

		if (name)
			put_detail(&b, name, len);
	}
	*number = NAME_NONE;
	if (b.len && !b.failed)
		*number =
			name_set_put_clipped(&m->traces->book->names, (const char *)b.data, b.len);
	len = b.len;
	buffer_fini(&b);
	arena_recycle(&o->scratch);
	return b.failed || (len && *number == NAME_NONE) ? -1 : 0;
}

static int add_marker(struct marking *m, const struct marker_type *k, const struct jfrec_type *t,
		    const uint64_t *slots)
{
	const struct clock *clock = &m->traces->objects.chunk->clock;
	int64_t start = (int64_t)slots[k->start], length = (int64_t)slots[k->duration];
	struct marker marker = { .label = k->label, .thread = FRAME_NONE };

	if (length <= 0)
		return 0;
	marker.start_ns = clock_time_ns(clock, start);
	marker.end_ns = clock_time_ns(clock, long_add(start, length));
	if (find_detail(m, t, slots, &marker.detail) < 0)
		return -1;
	if (k->thread != NO_STEP && slots[k->thread])
		marker.thread = traces_thread_frame(m->traces, k->thread_type, slots[k->thread]);
	return array_push(m->list.markers, m->list.marker_count, m->list.marker_room, marker) ? 0
											      : -1;
}

static double finite_or_zero(uint64_t slot)
{
	float v = slot_float(slot);

	return isfinite(v) ? (double)v : 0;
}

static int add_reading(struct marking *m, const struct marker_type *k, const uint64_t *slots)
{
	const struct clock *clock = &m->traces->objects.chunk->clock;
	struct reading r = { clock_time_ns(clock, (int64_t)slots[k->start]), 0, k->reading };

	for (unsigned j = 0; j < 2; j++) {
		if (k->values[j] != NO_STEP)
			r.value += k->is_float ? finite_or_zero(slots[k->values[j]])
					       : (double)(int64_t)slots[k->values[j]];
	}
	return array_push(m->list.readings, m->list.reading_count, m->list.reading_room, r) ? 0
											      : -1;
}

int marking_add(struct marking *m, const struct jfrec_type *t, const uint64_t *slots)
{
	const struct marker_type *k = &m->types[t->index];

	if (k->is_marker && add_marker(m, k, t, slots) < 0)
		return -1;
	return k->is_reading ? add_reading(m, k, slots) : 0;
}

/* Lists ---------------------------------------------------------------------------------------- */

static int by_length(const void *x, const void *y)
{
	const struct marker *a = x, *b = y;
	int64_t m = long_subtract(a->end_ns, a->start_ns),
		n = long_subtract(b->end_ns, b->start_ns);

	if (m != n)
		return m > n ? -1 : 1;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return a->label < b->label ? -1 : a->label > b->label;
}

int marker_list_add(struct marker_list *to, const struct marker_list *from)
{
	for (size_t i = 0; i < from->marker_count; i++) {
		if (!array_push(to->markers, to->marker_count, to->marker_room, from->markers[i]))
			return -1;
		if (to->marker_count < 2 * MARKERS_MAX)
			continue;
		qsort(to->markers, to->marker_count, sizeof(*to->markers), by_length);
		to->left_out += to->marker_count - MARKERS_MAX;
		to->marker_count = MARKERS_MAX;
	}
	for (size_t i = 0; i < from->reading_count; i++) {
		if (!array_push(to->readings, to->reading_count, to->reading_room,
				from->readings[i]))
			return -1;
	}
	return 0;
}
