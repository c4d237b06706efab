/* SPDX-License-Identifier: MIT */
/*
 * owned.h - allocations that are freed together
 */
#ifndef JFREC_CLI_BASE_OWNED_H
#define JFREC_CLI_BASE_OWNED_H

#include "jfrec.h"

/* A list of them; NULL is empty. */
struct owned;

/* Zeroed bytes.  NULL with *err set: JFREC_ENOMEM. */
void *owned_allocate(struct owned **list, size_t size, struct jfrec_error *err);

/* A copy of so much text, and a NUL. */
char *owned_copy(struct owned **list, const char *text, size_t len, struct jfrec_error *err);

/* Free all of it, and leave NULL. */
void owned_free(struct owned **list);

#endif
