/* SPDX-License-Identifier: MIT */
/*
 * cell_text.h - the text of a value, as its column shows it
 */
#ifndef JFREC_QUERY_CELL_TEXT_H
#define JFREC_QUERY_CELL_TEXT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "jfrec/base.h"
#include "query/field.h"
#include "query/text.h"
#include "query/value.h"

/*
 * Room for texts, the zone that times are shown in, and how numbers are written: as the JDK does,
 * or as human.h does. All zero: UTC, as the JDK.
 */
struct cell_writer {
	struct buffer text;
	struct second_text second;
	jfrec_zone_fn *zone;
	void *zone_ctx;
	bool has_quarter;
	int64_t quarter;  /* of an hour, for which the zone has said offset_s */
	int32_t offset_s; /* or where there is no zone function */
	bool is_by_human_h; /* sizes and spans */
};

/*
 * The text, until the next call.  `format` may be NULL.  A brief one is for a cell that has no
 * room for the other.
 */
struct text cell_text(struct cell_writer *w, const struct look *look,
		      const struct column_format *format, const struct value *v, bool brief);

void cell_writer_fini(struct cell_writer *w);

#endif
