/* SPDX-License-Identifier: MIT */
/*
 * config.h - read default values from configuration files
 *
 * They are only read when a command comes to where one of them would count.
 */
#ifndef JFREC_CLI_BASE_CONFIG_H
#define JFREC_CLI_BASE_CONFIG_H

#include <stddef.h>

#include "base/config_values.h"

#define CONFIG_FILES_MAX 8

/* --config FILE, before the command.  Returns an exit code, after saying why not. */
int config_add_file(const char *path);

/* --no-config, and for what is called by the name of a JDK's tool: no file counts. */
void config_ignore(void);

/*
 * The configuration, read when it is first asked for.  Returns an exit code, after saying what
 * is wrong with a file; *config lives to the end.
 */
int config_get(const struct config_values **config);

/* The files that count, the last one most; NULL beyond the last.  Some may not be there. */
const char *config_file(size_t i);

/* The first text of a value, or NULL: no file says it. */
const char *config_text(const struct config_values *c, enum config_key key);

/* Is it true? */
bool config_flag(const struct config_values *c, enum config_key key);

/* Say what is wrong with a value, and where it is. Returns EXIT_USAGE. */
int config_fail(const struct config_values *c, enum config_key key, const char *sentence);

#endif
