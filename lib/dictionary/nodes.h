/* SPDX-License-Identifier: MIT */
/*
 * nodes.h - parse the dictionary file into nodes
 *
 * settings/dictionary/jdk.txt says how it is written.
 */
#ifndef JFREC_DICTIONARY_NODES_H
#define JFREC_DICTIONARY_NODES_H

#include <stdbool.h>

#include "jfrec.h"

#define MAX_JDKS 32

struct node {
	char *words;   /* one after the other, each ending in NUL */
	uint32_t jdks; /* bit i: jdks[i] of all nodes has it */
	uint16_t word_count;
	uint16_t depth;
};

struct nodes {
	char *text;
	struct node *nodes; /* a node's children follow it */
	size_t count;
	int jdks[MAX_JDKS];
	size_t jdk_count;
};

/* Take it apart. 0, or -1 with *err set and nothing to free. */
int nodes_init(struct nodes *all, const char *text, struct jfrec_error *err);
void nodes_fini(struct nodes *all);

/* Word i of the node, or NULL. */
const char *node_word(const struct node *n, unsigned i);

/* Is that its first word?  With [] or without. */
bool node_is(const struct node *n, const char *kind);
bool node_is_array(const struct node *n);

/*
 * The child of *parent after *child, or (child NULL) the first one, which any of
 * the JDKs has.  The parent NULL: the types.  NULL: there is none.
 */
const struct node *nodes_child(const struct nodes *all, const struct node *parent,
			       const struct node *child, uint32_t jdks);

#endif
