/* SPDX-License-Identifier: MIT */
/*
 * node.h - a struct that is being looked at, in an event or among constants
 */
#ifndef JFREC_QUERY_NODE_H
#define JFREC_QUERY_NODE_H

#include "query/getter.h"

struct node {
	const struct jfrec_type *type;
	const uint64_t *slots; /* NULL: no such thing */
};

/* The slots live until the scratch arena is cleared. */
struct node node_constant(struct reading *r, const struct jfrec_type *t, uint32_t entry);

/* The field of that name; NULL if there is none, or it is an array. */
const struct jfrec_field *node_field(const struct node *n, const char *name);

static inline const uint64_t *node_slots(const struct node *n, const struct jfrec_field *f)
{
	return n->slots + plan_of(n->type)->first_step[f->index];
}

struct node node_member(struct reading *r, const struct node *n, const char *name);

/* A member that is a number, or else what is given. */
int64_t node_number(const struct node *n, const char *name, int64_t missing);

/* A member that is a string, until the scratch arena is cleared; .s is NULL where there is none. */
struct text node_text(struct reading *r, const struct node *n, const char *name);

/* The string in a slot of that type, however it is wrapped. */
struct text node_string(struct reading *r, const struct jfrec_type *t, bool is_key, uint64_t slot);

/* The elements of an array, one after the other. */
struct node_elements {
	const struct jfrec_field *field;
	const struct plan *plan;
	struct cursor at;
	uint64_t left;
	uint64_t *slots;
};

bool node_elements(struct reading *r, const struct jfrec_field *f, uint64_t slot,
		   struct node_elements *e);

/* The next one's slots are in e->slots. */
bool node_next(struct node_elements *e);

/* The struct that the element is, or that it refers to. */
struct node node_element(struct reading *r, const struct node_elements *e);

#endif
