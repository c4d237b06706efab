/* SPDX-License-Identifier: MIT */
/*
 * walk_path.h - following a path through structs and constants
 */
#ifndef JFREC_QUERY_WALK_PATH_H
#define JFREC_QUERY_WALK_PATH_H

#include "query/node.h"

/* The value at the end of the path. */
struct value walk_path(struct reading *r, const struct node *n, const char *path);

/* The value of a field, whose slots these are. */
struct value value_of_field(struct reading *r, const struct jfrec_field *f, const uint64_t *slots);

/* What the constants of a type lead to by a path, or are; NULL: no memory. getter.c */
struct follow *follow_of(struct reading *r, const struct jfrec_type *t, const char *path);
struct value follow_entry(struct reading *r, struct follow *f, uint32_t entry);
struct value follow_key(struct reading *r, const struct jfrec_type *t, const char *path,
			uint64_t key);

#endif
