/* SPDX-License-Identifier: MIT */
/*
 * places.h - which file a row goes to
 *
 *	DIR/jdk.GCPhasePause.parquet                                     without partitions
 *	DIR/jdk.GCPhasePause/date=2026-11-22/service=web/app.parquet     with them
 */
#ifndef JFREC_TABLES_PLACES_H
#define JFREC_TABLES_PLACES_H

#include "tables/labels.h"

/* What date a row has whose event has no time. */
#define NO_DAY INT64_MIN

/* A list such as "date,service". */
struct partition {
	const char *list; /* NULL: there is none */
	bool has_date;
};

/* 0, or -1 with *err set: a name in the list is neither date nor a label. */
int partition_init(struct partition *p, const char *list, const struct labels *l,
		   struct jfrec_error *err);

/* Does the list have that label? Then it is not a column. */
bool partition_has(const struct partition *p, const char *key);

/* Days since 1970. */
int64_t day_of(int64_t ns);

/*
 * The path of the file below the directory, for rows of that table, day and these labels, from a
 * recording of that path. To be freed; NULL when memory is gone.
 */
char *place_of(const struct partition *p, const struct labels *l, const char *table, int64_t day,
	       const char *recording);

/* Directories that were not there before, as they were made. */
struct made_directories {
	char **paths;
	size_t count, room;
};

/*
 * Make the directories that a path below another directory needs, and note those that are new.  0,
 * or -1 with *err set.
 */
int make_directories(const char *directory, const char *path, struct made_directories *made,
		     struct jfrec_error *err);

/* Forget them; with remove, remove those that are still empty. */
void made_directories_end(struct made_directories *made, bool remove);

#endif
