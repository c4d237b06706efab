/* SPDX-License-Identifier: MIT */
/* jfrec/config.h - configuration of a tool */
#ifndef JFREC_CONFIG_H
#define JFREC_CONFIG_H

#include "jfrec/base.h"

JFREC_BEGIN_DECLS

/* Defaults that people and administrators write down: jfrec-config(5). */
struct jfrec_config;

enum jfrec_config_key {
	JFREC_CONFIG_OUTPUT_DIRECTORY,
	JFREC_CONFIG_OUTPUT_NAME,
	JFREC_CONFIG_COMPRESS, /* "gzip", "zstd" or "none" */
	JFREC_CONFIG_SETTINGS, /* one or more */
	JFREC_CONFIG_TIME_ZONE,
	JFREC_CONFIG_RULES,	   /* one or more */
	JFREC_CONFIG_REDACT_HOSTS, /* "true" or "false" */
	JFREC_CONFIG_REDACT_PATHS,
	JFREC_CONFIG_COUNT,
};

/* The strings live as long as their configuration. */
struct jfrec_config_value {
	const char *key; /* as it is written: "output-directory" */
	/* NULL and 0: no file says it.  Paths are full ones, or relative to where we are. */
	const char *const *texts;
	size_t count;
	const char *path; /* of the file that says it */
	unsigned line;
};

/* An empty one, to be freed with jfrec_config_free(), or NULL with *err set (JFREC_ENOMEM). */
struct jfrec_config *jfrec_config_new(struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_config_free(struct jfrec_config *c);

/*
 * Read a file of YAML; what it says counts more than what files said before it.  Relative paths
 * in it are taken from its directory.
 *
 * 0, or -1 with *err set and nothing taken: JFREC_EIO with .sys (ENOENT: there is none);
 * JFREC_EINVAL, with line and column, for what is no YAML, no such key, or no value of it.
 */
int jfrec_config_read(struct jfrec_config *c, const char *path, struct jfrec_error *err);

/*
 * The same of a file that is the user's own: JFREC_EPERMISSION, without a byte of it read, if it or
 * its directory belongs to another user than the effective one or root, or can be written by
 * others.  So who runs as root with the HOME of somebody else does not obey him.
 */
int jfrec_config_read_own(struct jfrec_config *c, const char *path, struct jfrec_error *err);

/* Never NULL. */
const struct jfrec_config_value *jfrec_config_get(const struct jfrec_config *c,
						  enum jfrec_config_key key);

JFREC_END_DECLS

#endif
