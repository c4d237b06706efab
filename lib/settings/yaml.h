/* SPDX-License-Identifier: MIT */
/*
 * yaml.h - read small YAML documents strictly
 *
 * What people write by hand as settings: mappings, lists and scalars.  There are
 * no anchors and aliases (which can unfold to gigabytes), no tags, no second
 * document and no key twice, and depth and size are limited.  A scalar is text;
 * what it means is for its reader to know.  This is the only place that knows
 * libyaml.
 */
#ifndef JFREC_SETTINGS_YAML_H
#define JFREC_SETTINGS_YAML_H

#include "base/arena.h"
#include "jfrec.h"

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	unsigned line, column;	/* from 1 */
	const char *key;	/* in a map */
	unsigned key_line, key_column;
	const char *text;	/* of YAML_TEXT; holds no NUL */
	bool quoted;		/* so that "true" is a text, and true may be more */
	struct yaml_node *next; /* the one behind it in the list or map */
	struct yaml_node *first, *last;
};

/* No document is larger. */
#define YAML_MAX_BYTES (1u << 20)

/*
 * Read a document from memory, into nodes of the arena.  NULL with *err set:
 * JFREC_EINVAL, the text beginning with line and column; JFREC_ENOMEM.  A
 * document without anything is an empty map.
 */
struct yaml_node *yaml_parse(struct arena *a, const void *bytes, size_t len,
			     struct jfrec_error *err);

/* The same of a regular file. JFREC_EIO: it cannot be read. */
struct yaml_node *yaml_read(struct arena *a, const char *path, struct jfrec_error *err);

/* Fill *err with the place of the node and a sentence.  Returns -1. */
int yaml_fail(const struct yaml_node *at, struct jfrec_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with the place of its key. */
int yaml_fail_key(const struct yaml_node *at, struct jfrec_error *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* What was read as true or false.  -1 with *err set if it is something else. */
int yaml_bool(const struct yaml_node *n, bool *value, struct jfrec_error *err);

#endif
