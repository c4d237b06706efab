/* SPDX-License-Identifier: MIT */
/*
 * assignment.h - tell whether what stands beside the name of a secret is one
 */
#ifndef JFREC_SCRUB_ASSIGNMENT_H
#define JFREC_SCRUB_ASSIGNMENT_H

#include <stdbool.h>
#include <stddef.h>

/* For rule.plausible: is the value after the name and its sign more than a placeholder? */
bool plausible_assignment(const char *pair, size_t len);
bool plausible_short_assignment(const char *pair, size_t len); /* "pass: x" as a whole */
bool plausible_quoted(const char *text, size_t len);	       /* secret "x" as a whole */
bool plausible_header(const char *header, size_t len);	/* "x-auth-token: ..." as a whole */

#endif
