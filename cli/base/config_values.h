/* SPDX-License-Identifier: MIT */
/*
 * config_values.h - read the values of a configuration file
 */
#ifndef JFREC_CLI_BASE_CONFIG_VALUES_H
#define JFREC_CLI_BASE_CONFIG_VALUES_H

#include "jfrec.h"

/* Defaults that people and administrators write down: jfrec-config(5). */
struct config_values;

enum config_key {
	CONFIG_OUTPUT_DIRECTORY,
	CONFIG_OUTPUT_NAME,
	CONFIG_COMPRESS, /* "gzip", "zstd" or "none" */
	CONFIG_SETTINGS, /* one or more */
	CONFIG_TIME_ZONE,
	CONFIG_RULES,	     /* one or more */
	CONFIG_REDACT_HOSTS, /* "true" or "false" */
	CONFIG_REDACT_PATHS,
	CONFIG_VIEWS, /* one or more */
	CONFIG_COUNT,
};

/* The strings live as long as their configuration. */
struct config_value {
	const char *key; /* as it is written: "output-directory" */
	/* NULL and 0: no file sets it.  Paths are full ones, or relative to where we are. */
	const char *const *texts;
	size_t count;
	const char *path; /* of the file that sets it */
	unsigned line;
};

/* An empty one, to be freed with config_values_free(), or NULL with *err set (JFREC_ENOMEM). */
struct config_values *config_values_new(struct jfrec_error *err);

/* NULL is allowed. */
void config_values_free(struct config_values *c);

/*
 * Read a file of YAML; its values replace those of files read before it.  Relative paths in it are
 * taken from its directory.
 *
 * 0, or -1 with *err set and nothing taken: JFREC_EIO with .sys (ENOENT: there is none);
 * JFREC_EINVAL, with line and column, for what is not YAML, an unknown key, or an invalid value.
 */
int config_values_read(struct config_values *c, const char *path, struct jfrec_error *err);

/* The same of a file that is the user's own, as jfrec_yaml_read() reads such a one. */
int config_values_read_own(struct config_values *c, const char *path, struct jfrec_error *err);

/* Never NULL. */
const struct config_value *config_values_get(const struct config_values *c, enum config_key key);

#endif
