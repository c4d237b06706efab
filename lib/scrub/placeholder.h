/* SPDX-License-Identifier: MIT */
/*
 * placeholder.h - recognise what stands in the place of a secret
 */
#ifndef JFREC_SCRUB_PLACEHOLDER_H
#define JFREC_SCRUB_PLACEHOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* "****", "null", "%s", "?", "${DB_PASSWORD}", "required": is it no secret, but said of one? */
bool is_placeholder(const char *text, size_t len);

/* "/run/secrets/db": where a secret may be. */
bool is_path(const char *text, size_t len);

/* "%s", "${X}", "<your password>": what something else is put into. */
bool is_template(const char *text, size_t len);

/* For rule.plausible: is it more than that? */
bool plausible_literal(const char *value, size_t len);

#endif
