/* SPDX-License-Identifier: MIT */
/*
 * v0_names.h - what the types of version 0.x and their fields are called in 2.x
 */
#ifndef JFREC_FORMAT_V0_NAMES_H
#define JFREC_FORMAT_V0_NAMES_H

#include "base/arena.h"
#include "format/v0_types.h"

/* An event of HotSpot, which has a counterpart in 2.x. */
struct v0_name {
	const char *path;	/* after http://www.oracle.com/hotspot/ */
	const char *name;	/* after jdk. */
	const char *categories; /* with / in between */
	const char *order;	/* its fields as 2.x has them; those that it does not name follow */
	const char *renames;	/* of fields that are called otherwise in 2.x: old=new */
};

/* NULL: it has no counterpart. */
const struct v0_name *v0_name_of(const struct v0_event *e);

/* A field of an event or structure, as it is written. */
struct v0_field {
	uint32_t value; /* which of the structure */
	const char *name;
};

/*
 * The fields of a structure, as many as it has values, in the order of 2.x: names are identifiers
 * of Java, and no two are the same.  e: the event whose structure it is, which has some before
 * them; or NULL.  In the arena; NULL when memory is gone.
 */
struct v0_field *v0_fields_of(struct arena *a, const struct v0_structure *s,
			      const struct v0_event *e);

/*
 * The full name of an event: that of its counterpart, or one made of its producer's address and its
 * path.  NULL when memory is gone.
 */
const char *v0_type_name(struct arena *a, const struct v0_event *e);

/* Category i of an event; NULL: it has not so many, or memory is gone. */
const char *v0_category(struct arena *a, const struct v0_event *e, unsigned i);

/* The name of a structure's type, by its fields. */
const char *v0_structure_name(struct arena *a, const struct v0_structure *s);

/* The name of the type of constants. */
const char *v0_content_name(struct arena *a, const struct v0_content *k);

/* A text for people; what is not text becomes a question mark. */
const char *v0_words(struct arena *a, struct v0_text t);

#endif
