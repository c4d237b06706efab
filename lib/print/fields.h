/* SPDX-License-Identifier: MIT */
/*
 * fields.h - select fields by --fields
 *
 * Each name of the list becomes a column, or several if it is a struct's, as
 * the first type has it that has such a field.  What a chunk's types lack may
 * be in another chunk: those of files are looked through at once, as far as
 * their types go.  A stream has to come first, so there the name is a column
 * of its own, without values until a type has it, which is reported.
 */
#ifndef JFREC_PRINT_FIELDS_H
#define JFREC_PRINT_FIELDS_H

#include "print/render.h"

struct fields;

/*
 * A chunk begins, r->current: look for what is still missing among those of its
 * types that are printed.  The first time this makes r->layout.columns.  May
 * call render_fail(), for a name that no type of any chunk has.
 */
void fields_look(struct render *r);

/* All was printed: calls render_fail() for what a stream had nowhere. */
void fields_end(struct render *r);

void fields_free(struct fields *f);

#endif
