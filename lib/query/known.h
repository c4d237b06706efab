/* SPDX-License-Identifier: MIT */
/*
 * known.h - threads, classes, methods and stack traces as objects
 */
#ifndef JFREC_QUERY_KNOWN_H
#define JFREC_QUERY_KNOWN_H

#include "query/node.h"

/* The object that a struct is; key is its own in the pool, or 0 where it lies inline. */
struct value known_value(struct reading *r, const struct node *n, uint64_t key);

/* The elements of an array that nothing else is made of, as one text. */
struct value known_array(struct reading *r, const struct jfrec_field *f, uint64_t slot);

/* A frame of a stack trace, or what is in it by the path (NULL: the frame). */
struct value known_top_frame(struct reading *r, const struct node *trace, enum top_frame which,
			     const char *path);

#endif
