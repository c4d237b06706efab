/* SPDX-License-Identifier: MIT */
/*
 * lists.h - lists of views and of event types, for programs
 */
#ifndef JFREC_CLI_VIEW_LISTS_H
#define JFREC_CLI_VIEW_LISTS_H

#include <jansson.h>

#include "view/show.h"

/*
 * Print an array of flat objects, all with the same keys, and free it: as a document in which it has
 * that name, an object per line, or CSV.  Returns an exit code.
 */
int list_print(enum view_format format, const char *name, json_t *rows);

#endif
