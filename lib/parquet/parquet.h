/* SPDX-License-Identifier: MIT */
/*
 * parquet.h - write tables as Apache Parquet
 *
 *	"PAR1"
 *	row groups: for each column [a page with its dictionary] pages with its values
 *	the footer: a struct in Thrift's compact protocol, with the schema and where each page lies
 *	the footer's length, 4 bytes, the lowest first
 *	"PAR1"
 *
 * https://parquet.apache.org/docs/file-format/ and parquet.thrift there. Each column is optional,
 * and flat, or a list of frames. Pages are of version 1, which all readers know, and compressed
 * with zstd.
 */
#ifndef JFREC_PARQUET_PARQUET_H
#define JFREC_PARQUET_PARQUET_H

#include "output/compress.h"
#include "tables/batch.h"
#include "tables/frame_lists.h"

/* What the words of a column mean. */
enum parquet_kind {
	PARQUET_BOOL,
	PARQUET_INT,	/* of .bits, sign-extended */
	PARQUET_UINT,	/* of .bits */
	PARQUET_FLOAT,	/* the bits of a float */
	PARQUET_DOUBLE, /* the bits of a double */
	PARQUET_TIME,	/* nanoseconds since 1970 */
	PARQUET_TEXT,	/* numbers in the batch's dictionary */
	PARQUET_FRAMES, /* the same of lists of frames: tables/frame_lists.h */
};

struct parquet_column {
	const char *name;
	enum parquet_kind kind;
	unsigned bits; /* 8, 16, 32 or 64 */
};

struct parquet_options {
	int level;	  /* of zstd */
	bool nanoseconds; /* times in nanoseconds, not microseconds */
};

/* Room that is used for one column after the other, of any file. */
struct parquet_scratch {
	struct block_compressor *compressor;
	struct buffer page, packed, header;
	uint64_t *values;  /* those that are not null */
	uint32_t *numbers; /* of them, in a dictionary */
	size_t room;
	uint64_t *distinct; /* numbers, each once */
	uint32_t *slots;    /* a hash table of them: 1 + the number, or 0 */
	size_t slot_count;
};

int parquet_scratch_init(struct parquet_scratch *s, struct jfrec_error *err);
void parquet_scratch_fini(struct parquet_scratch *s);

/* A file that is being written. */
struct parquet {
	const struct parquet_column *columns; /* the caller's */
	size_t column_count;
	struct parquet_options options;
	struct buffer groups; /* what the footer says about the row groups so far */
	struct buffer pairs;  /* its metadata: keys and values */
	size_t group_count, pair_count;
	uint64_t rows, at; /* bytes written so far */
	jfrec_write_fn *write;
	void *ctx;
};

/* Begin a file.  0, or -1 with *err set. */
int parquet_begin(struct parquet *p, jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* Add a key and its value to the metadata of the file. */
void parquet_pair(struct parquet *p, const char *key, const char *value);

/* Write a row group.  0, or -1 with *err set. */
int parquet_put(struct parquet *p, const struct batch *b, struct parquet_scratch *s,
		struct jfrec_error *err);

/* Write the footer.  0, or -1 with *err set. */
int parquet_end(struct parquet *p, struct jfrec_error *err);
void parquet_fini(struct parquet *p);

/* What the footer says of one column in one row group. */
struct parquet_chunk {
	uint64_t dictionary_at, data_at; /* in the file; the first is 0 if there is no dictionary */
	uint64_t plain_size, stored_size;
	size_t values, nulls;
	bool has_dictionary, has_delta, has_limits;
	struct batch_text least, most; /* encoded as values are */
	uint8_t room[16];	       /* where numbers have them */
};

/* Write the pages of one column.  0, or -1 with *err set. */
int parquet_put_column(struct parquet *p, size_t column, const struct batch *b,
		       struct parquet_scratch *s, struct parquet_chunk *c, struct jfrec_error *err);

/* Write the pages of one part of the frames in a column.  0, or -1 with *err set. */
int parquet_put_frames(struct parquet *p, const struct batch_column *from, size_t rows,
		       const struct frame_lists *frames, enum frame_part part,
		       struct parquet_scratch *s, struct parquet_chunk *c, struct jfrec_error *err);

/* Write bytes.  0, or -1 with *err set. */
int parquet_write(struct parquet *p, const void *bytes, size_t len, struct jfrec_error *err);

/* Numbers of parquet.thrift. */
enum parquet_type {
	TYPE_BOOLEAN = 0,
	TYPE_INT32 = 1,
	TYPE_INT64 = 2,
	TYPE_FLOAT = 4,
	TYPE_DOUBLE = 5,
	TYPE_BYTE_ARRAY = 6,
};

enum parquet_encoding {
	ENCODING_PLAIN = 0,
	ENCODING_RLE = 3,
	ENCODING_DELTA = 5,
	ENCODING_DICTIONARY = 8,
};

#define PARQUET_ZSTD 6

enum parquet_page {
	PAGE_DATA = 0,
	PAGE_DICTIONARY = 2,
};

/* Add a text, or all of a dictionary's, as pages have them. */
void parquet_put_text(struct buffer *to, struct batch_text text);
void parquet_put_texts(struct buffer *to, const struct text_dictionary *d);

/* Compress and write what is in s->page: `count` values.  0, or -1 with *err set. */
int parquet_put_page(struct parquet *p, struct parquet_scratch *s, struct parquet_chunk *c,
		     enum parquet_page type, enum parquet_encoding encoding, size_t count,
		     struct jfrec_error *err);

enum parquet_type parquet_physical(const struct parquet_column *c);

#endif
