/* SPDX-License-Identifier: MIT */
/*
 * jvm_groups.c - group chunks by the JVM that wrote them
 */
#include "edit/jvm_groups.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/* Identity ------------------------------------------------------------------------------------- */

static void read_identity(struct chunk_source *s, struct chunk *c, struct jvm_identity *id)
{
	const struct jfrec_type *wanted =
		metadata_jdk_type_named(c->metadata, "jdk.JVMInformation");
	struct jfrec_event e = event_in(source_room(s), c);
	struct chunk_walk walk = chunk_walk(c);

	while (wanted && !id->is_known && chunk_walk_next(&walk, &e.raw, &e.type)) {
		struct jfrec_value pid, start;

		if (e.type != wanted || !chunk_decode(c, e.type, &e.raw, e.slots))
			continue;
		pid = jfrec_event_path(&e, "pid");
		start = jfrec_event_path(&e, "jvmStartTime");
		id->is_known = pid.kind != JFREC_KIND_NULL && start.kind != JFREC_KIND_NULL;
		id->pid = pid.u;
		id->start = start.u;
	}
}

/* Ask the chunk, once.  -1 with *err set. */
static int ask(struct chunk_source *s, const struct piece *p, struct jvm_identity *id,
	       struct jfrec_error *err)
{
	struct recording *rec = source_recording(s);
	struct source_quiet before;
	struct chunk *c;
	int got;

	if (id->is_asked)
		return 0;
	id->is_asked = true;
	if (recording_visit(rec, p->path, err) < 0)
		return -1;
	/* Its problems are reported when it is written. */
	before = source_quiet(s);
	got = chunk_load(rec, &p->extent, &c, err);
	if (got > 0) {
		read_identity(s, c, id);
		chunk_unref(c);
	}
	source_loud(s, &before);
	return got < 0 ? -1 : 0;
}

/* Belonging together --------------------------------------------------------------------------- */

/* By the headers alone. */
static bool follows(const struct jvm *jvm, const struct piece *p)
{
	const struct chunk_header *last = &jvm->last.extent.header, *h = &p->extent.header;
	struct clock clock = clock_of(last);

	if (!clock_agrees(&clock, h) || last->ticks_per_second != h->ticks_per_second)
		return false;
	/* To the nanosecond; also what a killed native program had not flushed (crash_file.c). */
	if (piece_end_ns(&jvm->last) == h->start_ns && (jvm->last.extent.state == JFREC_FINISHED ||
							jvm->last.extent.state == JFREC_UNFINISHED))
		return true;
	return jvm->last.path == p->path && h->start_ns >= piece_end_ns(&jvm->last) &&
	       jvm->last.extent.offset + jvm->last.extent.size == p->extent.offset;
}

static bool is_same(const struct jvm_identity *a, const struct jvm_identity *b)
{
	return a->is_known && b->is_known && a->pid == b->pid && a->start == b->start;
}

/* The JVM of the chunk among those that are known.  UINT32_MAX: none; -1 with *err set. */
static int find_jvm(struct jvm_groups *j, const struct piece *p, struct chunk_source *s,
		    uint32_t *found, struct jvm_identity *id, struct jfrec_error *err)
{
	*found = UINT32_MAX;
	for (uint32_t i = 0; i < j->count; i++) {
		if (follows(&j->items[i], p)) {
			*found = i;
			return 0;
		}
	}
	if (j->count && ask(s, p, id, err) < 0)
		return -1;
	for (uint32_t i = 0; id->is_known && i < j->count; i++) {
		if (ask(s, &j->items[i].first, &j->items[i].identity, err) < 0)
			return -1;
		if (is_same(&j->items[i].identity, id)) {
			*found = i;
			return 0;
		}
	}
	return 0;
}

static struct jvm *add_jvm(struct jvm_groups *j, const struct piece *p)
{
	if (!array_reserve(j->items, j->count, j->room))
		return NULL;
	j->items[j->count] = (struct jvm){ .first = *p,
					   .end_ns = piece_end_ns(p),
					   .clock = clock_of(&p->extent.header) };
	return &j->items[j->count++];
}

int jvm_groups_find(struct jvm_groups *j, struct pieces *p, struct chunk_source *s,
		    struct jfrec_error *err)
{
	for (size_t i = 0; i < p->count; i++) {
		struct piece *piece = &p->items[i];
		struct jvm_identity id = { 0 };
		struct jvm *jvm;

		if (find_jvm(j, piece, s, &piece->jvm, &id, err) < 0)
			return -1;
		if (piece->jvm == UINT32_MAX) {
			piece->jvm = j->count;
			jvm = add_jvm(j, piece);
			if (!jvm)
				return jfrec_fail_memory(err);
			jvm->identity = id;
		}
		jvm = &j->items[piece->jvm];
		jvm->last = *piece;
		if (piece_end_ns(piece) > jvm->end_ns)
			jvm->end_ns = piece_end_ns(piece);
	}
	return 0;
}

struct clock jvm_clock(const struct jvm *j, const struct chunk_header *h)
{
	return clock_agrees(&j->clock, h) ? j->clock : clock_of(h);
}

void jvm_groups_fini(struct jvm_groups *j)
{
	for (uint32_t i = 0; i < j->count; i++) {
		new_pools_fini(&j->items[i].pools);
	}
	free(j->items);
	*j = (struct jvm_groups){ 0 };
}
