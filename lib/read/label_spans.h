/* SPDX-License-Identifier: MIT */
/*
 * label_spans.h - what a field of the events said in which a thread was, at any time
 *
 *	label_spans_add() of each event, in any order --> label_spans_sort() --> label_spans_at()
 *
 * Of events in one another the innermost counts: the one that began last and has not ended.
 */
#ifndef JFREC_READ_LABEL_SPANS_H
#define JFREC_READ_LABEL_SPANS_H

#include "base/arena.h"
#include "base/digest.h"

/* Of more different values those that come later are "other"; of longer ones the beginning is kept. */
#define LABELS_MAX 65536
#define LABEL_MOST 256

/* What label_spans_at() gives where no event was, or its field was null. */
#define NO_LABEL UINT32_MAX

/* From its first moment to before its end, in ns since 1970. */
struct labelled {
	int64_t begin_ns, end_ns;
	uint32_t thread, label;
};

/* All zero is none. */
struct label_spans {
	struct labelled *items; /* once they are sorted: by thread and time, and apart */
	size_t count, room;
	const char **texts;
	size_t text_count, text_room;
	struct digest_map by_text;
	struct arena arena;
};

void label_spans_fini(struct label_spans *l);

/* The number of a text; NO_LABEL when memory is gone. */
uint32_t label_spans_text(struct label_spans *l, const char *text, size_t len);

/* The thread is a number of the caller's. 0, or -1 when memory is gone. */
int label_spans_add(struct label_spans *l, struct labelled one);

/* After the last one. 0, or -1 when memory is gone. */
int label_spans_sort(struct label_spans *l);

/* The number of the text at that time. */
uint32_t label_spans_at(const struct label_spans *l, uint32_t thread, int64_t at_ns);

#endif
