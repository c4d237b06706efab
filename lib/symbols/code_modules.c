/* SPDX-License-Identifier: MIT */
/*
 * code_modules.c - the modules of native programs, and what their debug information knows
 */
#include "symbols/code_modules.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* The value of a name that two different files have; others are a number from 1 on. */
#define SEVERAL UINT64_MAX

static void fini(struct code_module *m)
{
	debug_info_close(m->info);
	idmap_fini(&m->places);
	free((char *)m->shown.name);
	free((char *)m->shown.build_id);
	free((char *)m->shown.file);
	free((char *)m->shown.fault);
}

void code_modules_fini(struct code_modules *m)
{
	for (size_t i = 0; i < m->count; i++)
		fini(&m->all[i]);
	free(m->all);
	digest_map_fini(&m->by_id);
	digest_map_fini(&m->by_name);
	free(m->places);
	free(m->frames);
}

/* The modules of a chunk ----------------------------------------------------------------------- */

static struct digest digest_of(const char *name, size_t len)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, name, len);
	return d;
}

/* The number of the module of that name and build ID, from 1; 0: memory is gone. */
static uint64_t number_of(struct code_modules *m, struct digest digest, const char *name,
			  const char *build_id)
{
	struct code_module new = { 0 };
	uint64_t *place;

	digest_bytes(&digest, build_id, strlen(build_id));
	place = digest_map_put(&m->by_id, digest);
	if (!place || *place)
		return place ? *place : 0;
	new.shown.name = strdup(name);
	new.shown.build_id = strdup(build_id);
	/* It counts before memory can be gone: no place stays empty. */
	*place = m->count + 1;
	if (new.shown.name &&new.shown.build_id && array_push(m->all, m->count, m->room, new))
		return m->count;
	fini(&new);
	return 0;
}

static int note(struct code_modules *m, const char *name, size_t len, const char *build_id,
		struct jfrec_error *err)
{
	struct digest digest = digest_of(name, len);
	uint64_t number = number_of(m, digest, name, build_id);
	uint64_t *place = number ? digest_map_put(&m->by_name, digest) : NULL;

	if (!place)
		return jfrec_fail_memory(err);
	*place = *place && *place != number ? SEVERAL : number;
	return 0;
}

int code_modules_enter(struct code_modules *m, struct objects *objects, struct chunk *c,
		       bool *found, struct jfrec_error *err)
{
	const struct jfrec_type *t = metadata_type_named(c->metadata, "jfrec.Module");
	const struct plan *plan = t && t->is_event ? plan_of(t) : NULL;
	struct chunk_walk walk = chunk_walk(c);
	uint64_t slots[PLAN_MAX_STEPS];
	struct raw_event e;

	*found = false;
	walk.is_quiet = true; /* who writes the chunk tells of damage */
	digest_map_clear(&m->by_name);
	while (plan && !plan->fault && chunk_walk_any(&walk, &e)) {
		struct cursor at = { .pos = e.payload, .end = e.start + e.size };
		struct object module = { t, slots };
		const char *name, *build_id;
		size_t name_len, len;

		if (e.type_id != t->id || !plan_decode(plan, &at, slots))
			continue;
		name = object_text(objects, module, "name", &name_len);
		build_id = object_text(objects, module, "buildId", &len);
		if (name && note(m, name, name_len, build_id ? build_id : "", err) < 0)
			return -1;
		*found |= name != NULL;
		arena_clear(&objects->scratch);
	}
	return 0;
}

struct code_module *code_modules_named(struct code_modules *m, const char *name, size_t len)
{
	uint64_t number = digest_map_get(&m->by_name, digest_of(name, len));

	return number && number != SEVERAL ? &m->all[number - 1] : NULL;
}

/* Places --------------------------------------------------------------------------------------- */

static int open_module(struct code_modules *all, struct code_module *m, struct jfrec_error *err)
{
	struct build_id id = build_id_parse(m->shown.build_id);
	struct jfrec_error why = { 0 };
	char *path = NULL;

	m->is_ready = true;
	if (id.size)
		m->info = debug_files_find(all->files, id, &path, &why);
	else
		jfrec_fail(&why, JFREC_EFORMAT, JFREC_NO_OFFSET,
			   "it has no build ID; link it with -Wl,--build-id");
	m->shown.file = path;
	if (why.text[0]) {
		m->shown.fault = strdup(why.text);
		if (!m->shown.fault)
			return jfrec_fail_memory(err);
	}
	return 0;
}

static int look_up(struct code_modules *all, struct code_module *m, uint64_t address,
		   bool is_nameless, struct jfrec_error *err)
{
	struct code_frame frames[CODE_FRAMES_MAX];
	unsigned count = m->info ? debug_info_find(m->info, address, frames) : 0;
	struct code_place place = { all->frame_count, count };
	bool has_name = count && frames[count - 1].name;

	m->shown.places++;
	m->shown.nameless += is_nameless;
	m->shown.named += is_nameless && has_name;
	m->shown.lines += count && frames[0].line;
	for (unsigned i = 0; i < count; i++)
		if (!array_push(all->frames, all->frame_count, all->frame_room, frames[i]))
			return jfrec_fail_memory(err);
	return array_push(all->places, all->place_count, all->place_room, place)
		       ? 0
		       : jfrec_fail_memory(err);
}

int code_modules_find(struct code_modules *m, struct code_module *module, uint64_t address,
		      bool is_nameless, const struct code_frame **frames, unsigned *count,
		      struct jfrec_error *err)
{
	uint32_t *number;
	uint32_t place;

	if (!module->is_ready && open_module(m, module, err) < 0)
		return -1;
	number = idmap_put(&module->places, address, m->place_count);
	if (!number)
		return jfrec_fail_memory(err);
	place = *number;
	if (place == m->place_count && look_up(m, module, address, is_nameless, err) < 0)
		return -1;
	*frames = m->frames ? m->frames + m->places[place].first : NULL;
	*count = m->places[place].count;
	return 0;
}
