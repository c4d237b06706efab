/* SPDX-License-Identifier: MIT */
/*
 * objects.h - texts, threads, classes, methods and stack traces that values refer to
 *
 * Each is there once: two events with the same stack trace have the same
 * object.  What a chunk's events refer to is collected per chunk, by its keys;
 * when the chunk's partial result is merged, its objects find their like among
 * those of the chunks before, by what they are.
 *
 * How an object looks, and Java's hash code of it, are found out when they are first asked for:
 * most objects are parts of others, or are never shown.
 *
 * Java groups threads, classes and class loaders by their key.  That means
 * something in one JVM only, so after merging these have an identity: the first
 * object that was the same thing.  The same key and the same thing is one (a
 * thread may have got another name), and so is what another JVM calls the same.
 */
#ifndef JFREC_QUERY_OBJECTS_H
#define JFREC_QUERY_OBJECTS_H

#include "base/arena.h"
#include "base/idmap.h"
#include "query/text.h"

enum object_kind {
	OBJECT_STRING,
	OBJECT_THREAD,	/* id is Java's, or if it has none, the system's */
	OBJECT_GROUP,	/* of threads; detail is the parent's name */
	OBJECT_CLASS,	/* detail is the loader's name */
	OBJECT_LOADER,	/* name is its class's; NULL: bootstrap */
	OBJECT_METHOD,	/* and a frame, which is its method; kin is the class */
	OBJECT_TRACE,	/* items are methods; NULL: a frame without one */
	OBJECT_OTHER,	/* a struct, as its text */
};

struct object {
	uint8_t kind; /* enum object_kind */
	bool is_java;	 /* a thread's id */
	bool is_opaque;	 /* a frame that is not Java's */
	bool has_text, has_hash;
	unsigned jvm;	 /* in which it was seen last; after merging */
	int32_t hash;	 /* of Java's key for groups; object_hash() */
	uint32_t spread; /* of all that it is compared by */
	uint64_t key;	 /* in the pool of its type */
	int64_t id;
	struct text name, detail; /* as recorded; .s NULL: none */
	struct text text, brief;  /* object_as_text() */
	const struct object *kin;
	const struct object *const *items;
	size_t count;
	const struct object *identity;
	struct object *next;	 /* of those with the same place in the table */
	struct objects *home;  /* to which it belongs */
	struct object *merged; /* what it is in the objects that it was merged into */
};

struct objects {
	struct arena arena;
	struct object **table;
	uint32_t count, size; /* size: a power of two, or 0 */
	bool is_final;	      /* of several chunks: objects have identities */
	unsigned jvm;	      /* of the chunk that is being merged */
	struct idmap threads; /* by key: the number of one in thread_list */
	struct object **thread_list;
	uint32_t thread_count;
	bool out_of_memory;
};

void objects_fini(struct objects *os);

/* The object like this one, of which kind, key and what is compared is set.  NULL: no memory. */
const struct object *objects_intern(struct objects *os, const struct object *like);

const struct object *objects_string(struct objects *os, const char *s, size_t len);

/* The object of another collection, as it is in this one. */
const struct object *objects_merge(struct objects *os, const struct object *from);

/* As it is shown, and where there is less room. .s NULL: missing, or no memory, which is noted. */
struct text object_as_text(const struct object *o, bool brief);

/* Object.hashCode() of Java's key for groups. */
int32_t object_hash(const struct object *o);

#endif
