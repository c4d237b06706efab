/* SPDX-License-Identifier: MIT */
/*
 * topics.h - show the manual pages that `jfrec help TOPIC` knows
 */
#ifndef JFREC_CLI_BASE_TOPICS_H
#define JFREC_CLI_BASE_TOPICS_H

#include <stdbool.h>

#include "base/typo.h"

/*
 * Do the words after `help`, of which there is one at least, mean a topic: "topics", for the list
 * of them; the name of a page, "where"; or with its section, "7 query", where a command or another
 * page has the same name?
 */
bool topics_are_meant(int count, char *const *words);

/* Show the page, by man, or say on stderr where it is.  Returns an exit code. */
int topics_help(int count, char *const *words);

/* After the help of a command: the pages that have its name. */
void topics_print_beside(const char *command);

/* Names that may have been meant. */
void topics_offer(struct typo *t);

#endif
