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

/* FNV-1a.  Names that share one are told apart when they are met. */
static uint64_t name_key(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (; *name; name++)
		hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
	return hash;
}

int schema_find(const struct schema *s, const char *name)
{
	uint32_t place = idmap_get(&s->by_name, name_key(name));

	if (place == IDMAP_NONE)
		return -1;
	if (strcmp(s->types[place]->name, name) == 0)
		return (int)place;
	for (unsigned i = 0; i < s->type_count; i++) {
		if (strcmp(s->types[i]->name, name) == 0)
			return (int)i;
	}
	return -1;
}

bool schema_is_first(const struct schema *s, unsigned place)
{
	return s->is_first[place];
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

static int append_type(struct schema *s, const struct jfrec_type *t)
{
	void *types = list_more(&s->arena, s->types, s->type_count, sizeof(struct jfrec_type *));
	void *is_first = list_more(&s->arena, s->is_first, s->type_count, sizeof(bool));

	if (!types || !is_first)
		return -1;
	s->types = types;
	s->is_first = is_first;
	s->is_first[s->type_count] = schema_find(s, t->name) < 0;
	s->types[s->type_count++] = t;
	return idmap_put(&s->by_name, name_key(t->name), s->type_count - 1) ? 0 : -1;
}

static int note_unlisted(struct schema *s, const struct jfrec_type *t)
{
	void *list = list_more(&s->arena, s->unlisted, s->unlisted_count,
			       sizeof(struct jfrec_type *));

	if (!list)
		return -1;
	s->unlisted = list;
	s->unlisted[s->unlisted_count++] = t;
	return 0;
}

static int add_type(struct schema *s, const struct jfrec_type *t)
{
	uint32_t *place = idmap_put(&s->by_id, t->id, s->type_count);

	if (!place)
		return -1;
	if (*place == s->type_count)
		return append_type(s, t);
	/* Another recorder's chunk has ids of its own: there it is the name that counts. */
	return schema_find(s, t->name) < 0 ? note_unlisted(s, t) : 0;
}

/* Once the others are there, which may have the same name. */
static int append_unlisted(struct schema *s)
{
	s->listed_count = s->type_count;
	for (unsigned i = 0; i < s->unlisted_count; i++) {
		if (schema_find(s, s->unlisted[i]->name) < 0 && append_type(s, s->unlisted[i]) < 0)
			return -1;
	}
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
	s->listed_count = s->type_count;
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
	/* The first chunk's types are here already, and are not parsed again. */
	if (s->metadata_count) {
		metadata_unref(again.metadata);
		again.metadata = metadata_ref(s->metadata[0]);
	}
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
	if (got == 0)
		got = append_unlisted(s);
	return got < 0 ? jfrec_fail_memory(err) : 0;
}

void schema_fini(struct schema *s)
{
	for (unsigned i = 0; i < s->metadata_count; i++)
		metadata_unref(s->metadata[i]);
	idmap_fini(&s->by_id);
	idmap_fini(&s->by_name);
	arena_fini(&s->arena);
	*s = (struct schema){ 0 };
}
