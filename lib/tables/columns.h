/* SPDX-License-Identifier: MIT */
/*
 * columns.h - the columns of an event type, in one chunk and over all of them
 *
 *	fields --columns_init()--> paths --kind_of()--> kind, unit --table_add()--> the union
 *
 * Which paths of fields a type has columns for is decided by print/columns.h, for CSV, flat NDJSON
 * and tables alike.  Here each gets a kind, and those of several chunks become one: a column is
 * known by its path's name and, where a producer declares one name twice, by which of these it is.
 */
#ifndef JFREC_TABLES_COLUMNS_H
#define JFREC_TABLES_COLUMNS_H

#include "base/digest.h"
#include "jfrec/tables.h"
#include "print/columns.h"

/* What a path leads to: the last field, after types that stand for their only field. */
struct leaf {
	const struct jfrec_field *field; /* the last one of the path */
	const struct jfrec_field *unit;	 /* whose annotations count; NULL: none do */
	enum jfrec_kind kind;
};

/* Go on through types that stand for their only field, and see what is there. */
struct leaf leaf_of(struct way *way);

static inline bool kind_is_text(enum jfrec_kind k)
{
	return k >= JFREC_KIND_STRING;
}

/* A kind that can hold the values of both. */
enum jfrec_kind kind_of_both(enum jfrec_kind a, enum jfrec_kind b);

/* A column of a table, over all chunks. */
struct table_column {
	struct jfrec_table_column info;
	unsigned nth; /* of those with the same .info.field */
};

struct table {
	struct jfrec_table_info info;
	struct table_column *columns;
	size_t room;
	bool is_seen; /* in the metadata at hand */
	bool is_named; /* by a statement of SQL */
};

/* Add the columns of a type.  0, or -1 when memory is gone. */
int table_add(struct table *t, struct arena *a, const struct jfrec_type *type);

/* The columns of a type, by those of its table; what it lacks has an empty path. */
struct table_paths {
	struct columns columns; /* to be given to columns_fini() */
	const struct column **of; /* by the table's column; NULL: it has none; to be freed */
};
int table_paths(struct table_paths *p, const struct table *t, const struct jfrec_type *type);
void table_paths_fini(struct table_paths *p);

/* Make the names of the columns unlike one another.  0, or -1 when memory is gone. */
int table_name_columns(struct table *t, struct arena *a);

/*
 * The name, or if that is taken in any case of its letters, "x_2", "x_3"...; it is taken then.
 * Nothing is "_".  NULL when memory is gone.
 */
const char *unique_name(struct arena *a, struct digest_map *taken, const char *name);

/* By which names of any case of their letters are found. */
struct digest name_digest(const char *name);

#endif
