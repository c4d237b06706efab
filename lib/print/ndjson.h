/* SPDX-License-Identifier: MIT */
/*
 * ndjson.h - print --ndjson: one event per line, jfrec-ndjson(5)
 */
#ifndef JFREC_PRINT_NDJSON_H
#define JFREC_PRINT_NDJSON_H

#include "print/render.h"

/*
 * The forms of a constant, in place of indentations: a value as it is in
 * nested JSON, a cell of a flat line, and a stack trace's members without
 * braces.
 */
enum ndjson_form {
	FORM_VALUE,
	FORM_CELL,
	FORM_MEMBERS,
};

/* All these need a builder whose format is ndjson_format. */

void ndjson_build_name(struct builder *b, const char *name);

/* `"name":` */
void ndjson_build_key(struct builder *b, const char *name);

/* The value of a field, or what a flat line has of it. */
build_field_fn ndjson_build_value, ndjson_build_cell;

/* The value of a type that is not a key: the slots are its own. */
void ndjson_build_inline(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			 unsigned slot);

/* The same as an object with all fields. */
void ndjson_build_struct(struct builder *b, const struct jfrec_type *t, unsigned slot);

/* format->constant, format->name */
void ndjson_constant(struct builder *b, const struct site *s);
void ndjson_put_name(struct render *r, const char *s, size_t len);

/* The number of a stack trace that was written. */
put_fn ndjson_put_stack_number;

static inline const struct layout *layout_of(const struct builder *b)
{
	return &b->shapes->render->layout;
}

/* Is the field a stack trace with a number?  Those in constants and arrays have none. */
static inline bool ndjson_has_number(const struct builder *b, const struct jfrec_field *f)
{
	return b->is_event && f->constant && !f->array && f->type->known == KNOWN_STACK_TRACE &&
	       layout_of(b)->stacks == JFREC_STACKS_ID;
}

#endif
