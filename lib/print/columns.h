/* SPDX-License-Identifier: MIT */
/*
 * columns.h - the columns that the fields of an event type make in a table
 *
 * A column is one value with a dotted name, such as eventThread.javaName: a
 * path of fields that leads through structs and constants.  Which columns a
 * type has follows from its metadata:
 *
 *    a thread        javaName, javaThreadId, osName, osThreadId, and virtual
 *                    where it is declared
 *    other structs   their fields, at most three levels deep
 *    all else        one: numbers, strings, arrays, classes, class loaders,
 *                    methods, frames, stack traces, and types that stand for
 *                    their only field
 */
#ifndef JFREC_PRINT_COLUMNS_H
#define JFREC_PRINT_COLUMNS_H

#include "format/metadata.h"

/* The fields that lead to a value, from an event or a constant on. */
struct path {
	const struct jfrec_field *const *fields;
	unsigned count;
};

bool path_equal(struct path a, struct path b);

/* Empty when memory is gone. */
struct path path_copy(struct arena *a, struct path path);

/* More members of members than anybody names. */
#define MAX_PATH 16

/* A path in the making. */
struct way {
	const struct jfrec_field *fields[MAX_PATH];
	unsigned count;
};

/* The way to what has this dotted name in a type. False if there is nothing. */
bool way_find(struct way *w, const struct jfrec_type *t, const char *name);

static inline struct path way_path(const struct way *w)
{
	return (struct path){ w->fields, w->count };
}

struct column {
	const char *name;
	struct path path;
};

/* Columns beyond are left out. */
#define MAX_COLUMNS 1024

struct columns {
	struct arena arena;
	unsigned count;
	struct column items[MAX_COLUMNS];
};

/* The columns of an event type, with its stack traces or without. */
void columns_init(struct columns *c, const struct jfrec_type *t, bool stacks);

/*
 * The columns of what has this name in a type.  False, with none, if it has no
 * such field.  To be ended in any case.
 */
bool columns_named(struct columns *c, const struct jfrec_type *t, const char *name, bool stacks);

void columns_fini(struct columns *c);

/* Names of columns that outlive the types they came from. All zero is none. */
struct names {
	struct arena arena;
	unsigned count;
	const char *items[MAX_COLUMNS];
};

/* Add a name; one that is there already keeps its place. 0, or -1 when memory is gone. */
int names_add(struct names *n, const char *name);

/* Add the names of all columns of a type. The same. */
int names_add_all(struct names *n, const struct jfrec_type *t, bool stacks);

void names_fini(struct names *n);

#endif
