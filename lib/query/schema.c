/* SPDX-License-Identifier: MIT */
/*
 * schema.c - the event types of a recording, by which queries are resolved
 */
#include "query/schema.h"

#include <string.h>

#include "base/error.h"
#include "query/list.h"

const char *simple_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

int schema_find(const struct schema *s, const char *name)
{
	for (unsigned i = 0; i < s->type_count; i++) {
		if (strcmp(s->types[i]->name, name) == 0)
			return (int)i;
	}
	return -1;
}

bool schema_is_first(const struct schema *s, unsigned place)
{
	return schema_find(s, s->types[place]->name) == (int)place;
}

const struct jfrec_type *schema_type_of_id(const struct schema *s, uint64_t id)
{
	for (unsigned i = 0; i < s->metadata_count; i++) {
		const struct jfrec_type *t = metadata_type(s->metadata[i], id);

		if (t)
			return t;
	}
	return NULL;
}

static int add_type(struct schema *s, const struct jfrec_type *t)
{
	void *types = list_more(&s->arena, s->types, s->type_count, sizeof(struct jfrec_type *));
	uint32_t *place = types ? idmap_put(&s->by_id, t->id, s->type_count) : NULL;

	if (!place)
		return -1;
	s->types = types;
	if (*place == s->type_count)
		s->types[s->type_count++] = t;
	return 0;
}

int schema_add(struct schema *s, struct metadata *m)
{
	void *list;

	for (unsigned i = 0; i < s->metadata_count; i++) {
		if (s->metadata[i] == m)
			return 0;
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (m->types[i].is_event && add_type(s, &m->types[i]) < 0)
			return -1;
	}
	if (!s->metadata_count)
		s->early_count = s->type_count;
	list = list_more(&s->arena, s->metadata, s->metadata_count, sizeof(struct metadata *));
	if (!list)
		return -1;
	s->metadata = list;
	s->metadata[s->metadata_count++] = metadata_ref(m);
	return 0;
}

int schema_add_all(struct schema *s, const struct chunk_source *source, struct jfrec_error *err)
{
	struct recording again;
	struct extent x = { 0 };
	int got = 0;

	if (source_again(source, &again, NULL) < 0)
		return 0;
	while (got == 0 && recording_next(&again, &x, NULL) > 0) {
		struct metadata *m = recording_metadata(&again, &x);

		if (!m)
			continue;
		if (!m->doubt)
			got = schema_add(s, m);
		/* The next chunk's is most often the same, and then this one is returned again. */
		metadata_unref(again.metadata);
		again.metadata = m;
	}
	recording_close(&again);
	return got < 0 ? jfrec_fail_memory(err) : 0;
}

void schema_fini(struct schema *s)
{
	for (unsigned i = 0; i < s->metadata_count; i++)
		metadata_unref(s->metadata[i]);
	idmap_fini(&s->by_id);
	arena_fini(&s->arena);
	*s = (struct schema){ 0 };
}
