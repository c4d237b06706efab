/* SPDX-License-Identifier: MIT */
/*
 * placeholder.h - recognise what stands in the place of a secret
 */
#ifndef JFREC_EDIT_PLACEHOLDER_H
#define JFREC_EDIT_PLACEHOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* "****", "null", "%s", "?", "${DB_PASSWORD}", "required": is it no secret, but said of one? */
bool is_placeholder(const char *text, size_t len);

/* "/run/secrets/db": where a secret may be. */
bool is_path(const char *text, size_t len);

/* For rule.plausible: is the value, or the value behind the name and its sign, more than that? */
bool plausible_literal(const char *value, size_t len);
bool plausible_assignment(const char *pair, size_t len);
bool plausible_short_assignment(const char *pair, size_t len); /* "pass: x" as a whole */
bool plausible_quoted(const char *text, size_t len);	       /* secret "x" as a whole */

#endif
