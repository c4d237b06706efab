/* SPDX-License-Identifier: MIT */
/*
 * object.h - constants and their members by name: a method, its class, that class's name
 *
 * For code that looks at each distinct constant once: names are compared at each call. A producer
 * may leave any member out, so everything here has an answer for what is missing.
 */
#ifndef JFREC_FORMAT_OBJECT_H
#define JFREC_FORMAT_OBJECT_H

#include "base/arena.h"
#include "format/chunk.h"

/* The constants of one chunk; what is read of them lives in `scratch` until that is cleared. */
struct objects {
	const struct chunk *chunk;
	struct arena scratch;
	uint64_t most_text; /* bytes of a text that are read, the rest is left out; 0: all */
};

/* A struct's values; slots are NULL if there is none. */
struct object {
	const struct jfrec_type *type;
	const uint64_t *slots;
};

/* The constant of that key, or no object. */
struct object object_constant(struct objects *o, const struct jfrec_type *type, uint64_t key);

/* The field of that name that is not an array, or NULL. */
const struct jfrec_field *object_field(const struct jfrec_type *type, const char *name);

/* A member that is a struct, followed into its pool if it is a key. */
struct object object_member(struct objects *o, struct object of, const char *name);

/* A member that is a whole number or a boolean; `missing` if there is none. */
int64_t object_number(struct object of, const char *name, int64_t missing);

/* The key of a member; false if the member is none. */
bool object_key(struct object of, const char *name, uint64_t *key);

/*
 * A member that is a string, or a struct around one, as UTF-8 that ends in NUL. NULL if there is
 * none, or memory is gone. A string that is there but empty gives "".
 */
const char *object_text(struct objects *o, struct object of, const char *name, size_t *len);

/* The same for a constant that is a string, or a struct around one. */
const char *object_constant_text(struct objects *o, const struct jfrec_type *type, uint64_t key,
				 size_t *len);

#endif
