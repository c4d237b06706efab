/* SPDX-License-Identifier: MIT */
/*
 * yaml.h - read small YAML documents strictly, into an arena
 *
 * The nodes are those of jfrec/tool/yaml.h.  Its source is the only place that knows libyaml.
 */
#ifndef JFREC_SETTINGS_YAML_H
#define JFREC_SETTINGS_YAML_H

#include "base/arena.h"
#include "jfrec-tool.h"

/* No document is larger. */
#define YAML_MAX_BYTES (1u << 20)

/* jfrec_yaml_parse() into nodes of the arena. */
struct jfrec_yaml_node *yaml_parse(struct arena *a, const void *bytes, size_t len,
				   struct jfrec_error *err);

/* The same of a regular file. JFREC_EIO: it cannot be read. */
struct jfrec_yaml_node *yaml_read(struct arena *a, const char *path, struct jfrec_error *err);

#endif
