/* SPDX-License-Identifier: MIT */
/*
 * labels.h - what no recording knows: given, or found in the names of files
 */
#ifndef JFREC_TABLES_LABELS_H
#define JFREC_TABLES_LABELS_H

#include "base/arena.h"
#include "jfrec/export.h"

/* One part of a pattern: text as it is, or "{key}" or "*", which takes any. */
struct name_part {
	const char *text; /* or the key; NULL: of an asterisk */
	size_t len;
	bool takes_any;
};

struct labels {
	struct jfrec_label *items; /* of the recording at hand */
	size_t count;
	size_t given; /* so many are the same for all recordings; the others are the pattern's */
	struct name_part *parts;
	size_t part_count;
	const char *pattern;
	struct arena arena;
	struct arena values; /* of the recording at hand */
};

/* 0, or -1 with *err set; labels_fini() may follow in any case. */
int labels_init(struct labels *l, const struct jfrec_parquet_options *o, struct jfrec_error *err);
void labels_fini(struct labels *l);

/* The value of a label; NULL: there is none of that key. */
const char *labels_get(const struct labels *l, const char *key, size_t len);

/* Find those in the name of a recording.  0, or -1 with *err set: the name does not fit. */
int labels_take_name(struct labels *l, const char *path, struct jfrec_error *err);

#endif
