/* SPDX-License-Identifier: MIT */
/*
 * spool.h - how much of a pipe that is to be read twice may be stored: --max-spool
 */
#ifndef JFREC_CLI_BASE_SPOOL_H
#define JFREC_CLI_BASE_SPOOL_H

#include <stdbool.h>

#include "base/opt.h"

struct jfrec_error;

/* A group for the table of a command that may read a recording twice, with OPT_GROUP_ALONE(). */
extern const struct opt spool_rows[];

/* Bytes that may be stored; 0: the library's limit. */
uint64_t spool_most(void);

/* May storing this input take names in a directory?  It is a pipe, and files need names there. */
bool spool_needs_names(const char *path);

/* What to say of a failure because of the limit; NULL: it is another one. */
const char *spool_sentence(const struct jfrec_error *err);

#endif
