/* SPDX-License-Identifier: MIT */
/* jfrec/tool/yaml.h - small YAML documents, such as configurations, read strictly */
#ifndef JFREC_TOOL_YAML_H
#define JFREC_TOOL_YAML_H

#include "jfrec/base.h"

/*
 * What people write by hand: mappings, lists and scalars, up to 1 MiB.  There are no anchors and
 * aliases (which can unfold to gigabytes), no tags, no second document and no key twice, and depth
 * is limited.  A scalar is text; what it means is for its reader to know.
 */
struct jfrec_yaml;

enum jfrec_yaml_kind { JFREC_YAML_TEXT = 0, JFREC_YAML_LIST = 1, JFREC_YAML_MAP = 2 };

/* Nodes and their strings live as long as the document. */
struct jfrec_yaml_node {
	enum jfrec_yaml_kind kind;
	unsigned line, column; /* from 1 */
	const char *key;       /* in a map */
	unsigned key_line, key_column;
	const char *text; /* of JFREC_YAML_TEXT; holds no NUL */
	bool quoted;	  /* so that "true" is a text, and true may be more */
	struct jfrec_yaml_node *next; /* the one after it in the list or map */
	struct jfrec_yaml_node *first, *last;
};

/*
 * Read a document from memory.  Returns it, to be freed with jfrec_yaml_free(), or NULL with *err
 * set: JFREC_EINVAL, the text beginning with line and column; JFREC_ENOMEM.
 */
struct jfrec_yaml *jfrec_yaml_parse(const void *bytes, size_t len, struct jfrec_error *err);

/*
 * The same of a regular file.  JFREC_EIO: it cannot be read (.sys ENOENT: there is none).
 *
 * only_own: JFREC_EPERMISSION, without a byte of it read, if it or its directory belongs to another
 * user than the effective one or root, or can be written by others.  So a program that runs as root
 * with the HOME of another user does not obey that user.
 */
struct jfrec_yaml *jfrec_yaml_read(const char *path, bool only_own, struct jfrec_error *err);

/* Its outermost node, never NULL; a document without anything is an empty map. */
const struct jfrec_yaml_node *jfrec_yaml_root(const struct jfrec_yaml *y);

/* Free the document and all of its nodes. */
void jfrec_yaml_free(struct jfrec_yaml *y);

/* Fill *err (JFREC_EINVAL) with the place of the node and a sentence.  Returns -1. */
int jfrec_yaml_fail(const struct jfrec_yaml_node *at, struct jfrec_error *err, const char *format,
		    ...) __attribute__((format(printf, 3, 4)));

/* The same with the place of its key. */
int jfrec_yaml_fail_key(const struct jfrec_yaml_node *at, struct jfrec_error *err,
			const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Read true or false.  -1 with *err set if the node is neither. */
int jfrec_yaml_bool(const struct jfrec_yaml_node *n, bool *value, struct jfrec_error *err);

#endif
