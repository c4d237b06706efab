/* SPDX-License-Identifier: MIT */
/*
 * schema.h - the event types of a recording, by which queries are resolved
 *
 * What a column is called and how its values are shown does not change within
 * a recording, so it is the first chunk's types that count, as in the JDK.
 * Those of later chunks are known, too: for queries that would fail without
 * them, and to be counted.
 */
#ifndef JFREC_QUERY_SCHEMA_H
#define JFREC_QUERY_SCHEMA_H

#include "format/metadata.h"
#include "read/chunk_source.h"

struct schema {
	struct arena arena;
	struct metadata **metadata; /* in which the types lie */
	unsigned metadata_count;
	/*
	 * Events, in the order of their declaration: of each id the first one. Then those of other
	 * recorders' chunks, whose ids others have and whose names none: the JDK does not see them.
	 */
	const struct jfrec_type **types;
	bool *is_first; /* of its name */
	unsigned type_count;
	unsigned early_count;  /* of these, the first chunk's */
	unsigned listed_count; /* and those that the JDK sees */
	const struct jfrec_type **unlisted; /* until all are known */
	unsigned unlisted_count;
	struct idmap by_id;   /* their places */
	struct idmap by_name; /* the place of the first of each name, by a hash of it */
};

/* Add the types whose ids are new.  0, or -1 when memory is gone. */
int schema_add(struct schema *s, struct metadata *m);

/* Those of all chunks, as far as they can be looked at without reading on.  0, or -1: *err. */
int schema_add_all(struct schema *s, const struct chunk_source *source, struct jfrec_error *err);

void schema_fini(struct schema *s);

/* The place of the first type of that name, or -1. */
int schema_find(const struct schema *s, const char *name);

/* Is it the first type of its name? */
bool schema_is_first(const struct schema *s, unsigned place);

/* The type of that id, whatever it is, as the first metadata has it that does; or NULL. */
const struct jfrec_type *schema_type_of_id(const struct schema *s, uint64_t id);

/* "GarbageCollection" of "jdk.GarbageCollection" */
const char *simple_name(const char *name);

static inline bool has_annotation(const struct jfrec_type *t, const char *name)
{
	return annotation_named(t->annotations, t->annotation_count, name) != NULL;
}

#endif
