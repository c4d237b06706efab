/* SPDX-License-Identifier: MIT */
/* jfrec/arrow.h - the tables of a recording as Apache Arrow, in memory and without a copy */
#ifndef JFREC_ARROW_H
#define JFREC_ARROW_H

#include "jfrec/tables.h"

JFREC_BEGIN_DECLS

/*
 * Arrow's C data interface and C stream interface, as every library that takes them declares them:
 * https://arrow.apache.org/docs/format/CDataInterface.html
 */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE	      2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *schema);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *array);
	void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *stream, struct ArrowSchema *schema);
	int (*get_next)(struct ArrowArrayStream *stream, struct ArrowArray *array);
	const char *(*get_last_error)(struct ArrowArrayStream *stream);
	void (*release)(struct ArrowArrayStream *stream);
	void *private_data;
};
#endif

struct jfrec_arrow_options {
	size_t struct_size;
	const char *const *columns; /* their names; NULL: all */
	size_t column_count;
	size_t rows; /* of a batch at most; 0: 65536 */
	const int64_t *from_ns, *to_ns; /* events that began in this span of time; NULL: no limit */
	/* Called once when the stream was released, to close the tables and the reader. */
	void (*done)(void *ctx);
	void *ctx;
	uint64_t first_chunk, chunk_count; /* jfrec_rows_set_chunks(); both 0: all */
	bool stack_frames; /* stack traces as lists of frames: jfrec-tables(5) */
};

/*
 * The rows of a table as a stream of batches, in the order of the recording. jfrec-tables(5) tells
 * which type a column has: whole numbers, floating-point ones and booleans those of their kind;
 * times are timestamps in nanoseconds, UTC; durations whole nanoseconds; texts, stack traces, and
 * the texts of frames are dictionaries of UTF-8, one for each batch, so that a text that events
 * share is there once. Metadata of a field is "jfrec.unit".
 *
 * The caller releases *stream, whose batches and schema live on until they are released. The tables
 * must live until done() is called. The stream may be used by one thread at a time, as the reader
 * of the tables may. get_next() fails with an errno value, and get_last_error() tells why.
 *
 * 0, or -1 with *err set and *stream unchanged, done() not called: JFREC_EINVAL for a column that
 * is not there, JFREC_ENOMEM, and as jfrec_rows_new().
 */
int jfrec_arrow_stream(struct jfrec_tables *t, size_t table,
		       const struct jfrec_arrow_options *options, struct ArrowArrayStream *stream,
		       struct jfrec_error *err);

JFREC_END_DECLS

#endif
