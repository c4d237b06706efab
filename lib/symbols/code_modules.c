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

static void module_free(struct code_module *m)
{
	if (!m)
		return;
	debug_info_close(m->info);
	idmap_fini(&m->places);
	free((char *)m->shown.name);
	free((char *)m->shown.build_id);
	free((char *)m->shown.file);
	free((char *)m->shown.fault);
	free(m);
}

void code_modules_init(struct code_modules *m, struct jfrec_debug_files *files)
{
	*m = (struct code_modules){ .files = files };
	pthread_mutex_init(&m->lock, NULL);
}

void code_modules_fini(struct code_modules *m)
{
	for (size_t i = 0; i < m->count; i++)
		module_free(m->all[i]);
	free(m->all);
	digest_map_fini(&m->by_id);
	free(m->places);
	free(m->frames);
	pthread_mutex_destroy(&m->lock);
}

void chunk_modules_fini(struct chunk_modules *m)
{
	digest_map_fini(&m->by_name);
	free(m->seen);
}

/* The modules of a chunk ----------------------------------------------------------------------- */

static struct digest digest_of(const char *name, size_t len)
{
	struct digest d = DIGEST_INIT;

	digest_bytes(&d, name, len);
	return d;
}

static struct code_module *module_new(const char *name, const char *build_id)
{
	struct code_module *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->shown.name = strdup(name);
	m->shown.build_id = strdup(build_id);
	if (m->shown.name && m->shown.build_id)
		return m;
	module_free(m);
	return NULL;
}

/* The number of the module of that name and build ID, from 1; 0: memory is gone.  With the lock. */
static uint64_t number_of(struct code_modules *m, struct digest digest, const char *name,
			  const char *build_id)
{
	struct code_module *new;
	uint64_t *place;

	digest_bytes(&digest, build_id, strlen(build_id));
	place = digest_map_put(&m->by_id, digest);
	if (!place || *place)
		return place ? *place : 0;
	new = module_new(name, build_id);
	/* It counts before memory can be gone: no place stays empty. */
	*place = m->count + 1;
	if (new && array_push(m->all, m->count, m->room, new))
		return m->count;
	module_free(new);
	return 0;
}

static int note(struct chunk_modules *m, const char *name, size_t len, const char *build_id,
		struct jfrec_error *err)
{
	struct digest digest = digest_of(name, len);
	uint64_t number, *place;

	pthread_mutex_lock(&m->all->lock);
	number = number_of(m->all, digest, name, build_id);
	pthread_mutex_unlock(&m->all->lock);
	place = number ? digest_map_put(&m->by_name, digest) : NULL;
	if (!place)
		return jfrec_fail_memory(err);
	*place = *place && *place != number ? SEVERAL : number;
	return 0;
}

int chunk_modules_enter(struct chunk_modules *m, struct objects *objects, struct chunk *c,
			bool *found, struct jfrec_error *err)
{
	const struct jfrec_type *t = metadata_type_named(c->metadata, "jfrec.Module");
	const struct plan *plan = t && t->is_event ? plan_of(t) : NULL;
	struct chunk_walk walk = chunk_walk(c);
	uint64_t slots[PLAN_MAX_STEPS];
	struct raw_event e;

	*found = false;
	walk.is_quiet = true; /* who writes the chunk tells of damage */
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

struct code_module *chunk_modules_named(struct chunk_modules *m, const char *name, size_t len)
{
	uint64_t number = digest_map_get(&m->by_name, digest_of(name, len));
	struct code_module *module;

	if (!number || number == SEVERAL)
		return NULL;
	pthread_mutex_lock(&m->all->lock);
	module = m->all->all[number - 1];
	pthread_mutex_unlock(&m->all->lock);
	return module;
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
		   struct jfrec_error *err)
{
	struct code_frame frames[CODE_FRAMES_MAX];
	unsigned count = m->info ? debug_info_find(m->info, address, frames) : 0;
	struct code_place place = { .first = all->frame_count, .count = count };

	for (unsigned i = 0; i < count; i++)
		if (!array_push(all->frames, all->frame_count, all->frame_room, frames[i]))
			return jfrec_fail_memory(err);
	return array_push(all->places, all->place_count, all->place_room, place)
		       ? 0
		       : jfrec_fail_memory(err);
}

/* With the lock: neither debug files nor libdw are made for several threads. */
static int find_place(struct code_modules *all, struct code_module *m, uint64_t address,
		      uint32_t *place, struct jfrec_error *err)
{
	uint32_t *number;

	if (!m->is_ready && open_module(all, m, err) < 0)
		return -1;
	number = idmap_put(&m->places, address, all->place_count);
	if (!number)
		return jfrec_fail_memory(err);
	*place = *number;
	return *place == all->place_count ? look_up(all, m, address, err) : 0;
}

int chunk_modules_find(struct chunk_modules *m, struct code_module *module, uint64_t address,
		       bool is_nameless, struct code_frame *frames, unsigned *count,
		       struct jfrec_error *err)
{
	struct code_sight sight = { .module = module, .is_nameless = is_nameless };
	struct code_modules *all = m->all;
	struct code_place found;
	int ret;

	*count = 0;
	pthread_mutex_lock(&all->lock);
	ret = find_place(all, module, address, &sight.place, err);
	if (ret == 0) {
		found = all->places[sight.place];
		*count = found.count;
		if (found.count)
			memcpy(frames, all->frames + found.first, found.count * sizeof(*frames));
	}
	pthread_mutex_unlock(&all->lock);
	if (ret == 0 && !array_push(m->seen, m->seen_count, m->seen_room, sight))
		ret = jfrec_fail_memory(err);
	return ret;
}

/* With the lock. */
static void count_place(struct code_modules *all, const struct code_sight *s)
{
	struct code_place *p = &all->places[s->place];
	const struct code_frame *frames = all->frames + p->first;
	struct jfrec_symbolized_module *shown = &s->module->shown;

	if (p->is_counted)
		return;
	p->is_counted = true;
	if (!s->module->order)
		s->module->order = ++all->ordered;
	shown->places++;
	shown->nameless += s->is_nameless;
	shown->named += s->is_nameless && p->count && frames[p->count - 1].name;
	shown->lines += p->count && frames[0].line;
}

void chunk_modules_count(struct chunk_modules *m)
{
	pthread_mutex_lock(&m->all->lock);
	for (size_t i = 0; i < m->seen_count; i++)
		count_place(m->all, &m->seen[i]);
	pthread_mutex_unlock(&m->all->lock);
}
