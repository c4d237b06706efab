/* SPDX-License-Identifier: MIT */
/*
 * every.h - show a view of a running JVM, and refresh it
 */
#ifndef JFREC_CLI_VIEW_EVERY_H
#define JFREC_CLI_VIEW_EVERY_H

#include "view/show.h"

/*
 * As view_show(), every v->every_ns: in place on a terminal, until q is pressed, or one table after
 * another; until a signal ends it or the JVM does. Returns an exit code.
 */
int view_every(struct view_request *v, char *const *operands, int count);

#endif
