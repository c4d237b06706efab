/* SPDX-License-Identifier: MIT */
/*
 * distinct.h - tell which texts are worth searching for elsewhere
 *
 * A rule takes a text away where it stands.  Only what can hardly be anything else is searched
 * for in all other texts: a password "header", or the value 4096 of a property, would take
 * pieces out of texts that have nothing to do with it.
 */
#ifndef JFREC_SCRUB_DISTINCT_H
#define JFREC_SCRUB_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>

/* A text that is known to be a secret: is it more than a word, a small number or a path? */
bool is_distinct(const char *text, size_t len);

/* A text that may be anything: does it look random? */
bool looks_random(const char *text, size_t len);

#endif
