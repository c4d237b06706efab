/* SPDX-License-Identifier: MIT */
/*
 * parquet_page.c - the pages of a Parquet file, compressed
 *
 * Each begins with a header in Thrift's compact protocol.
 */
#include "base/error.h"
#include "parquet/parquet.h"
#include "parquet/thrift.h"

int parquet_write(struct parquet *p, const void *bytes, size_t len, struct jfrec_error *err)
{
	int error = p->write(p->ctx, bytes, len);

	p->at += len;
	return error ? jfrec_fail_output(err, error) : 0;
}

void parquet_put_text(struct buffer *to, struct batch_text text)
{
	buffer_put(to, &(uint32_t){ (uint32_t)text.len }, 4);
	buffer_put(to, text.s, text.len);
}

void parquet_put_texts(struct buffer *to, const struct text_dictionary *d)
{
	for (uint32_t i = 0; i < d->count; i++)
		parquet_put_text(to, text_dictionary_get(d, i));
}

static void put_header(struct parquet_scratch *s, enum parquet_page type,
		       enum parquet_encoding encoding, size_t count, size_t stored)
{
	struct thrift t = thrift_begin(&s->header);
	bool is_data = type == PAGE_DATA;

	buffer_clear(&s->header);
	thrift_i32(&t, 1, type);
	thrift_i32(&t, 2, (int64_t)s->page.len);
	thrift_i32(&t, 3, (int64_t)stored);
	thrift_struct(&t, is_data ? 5 : 7);
	thrift_i32(&t, 1, (int64_t)count);
	thrift_i32(&t, 2, is_data ? encoding : ENCODING_PLAIN);
	if (is_data) {
		thrift_i32(&t, 3, ENCODING_RLE);
		thrift_i32(&t, 4, ENCODING_RLE);
	}
	thrift_end(&t);
	thrift_end(&t);
}

int parquet_put_page(struct parquet *p, struct parquet_scratch *s, struct parquet_chunk *c,
		     enum parquet_page type, enum parquet_encoding encoding, size_t count,
		     struct jfrec_error *err)
{
	size_t bound = compress_block_bound(s->page.len), stored;
	uint8_t *to;

	if (s->page.failed || s->page.len > INT32_MAX)
		return jfrec_fail_memory(err);
	buffer_clear(&s->packed);
	to = buffer_room(&s->packed, bound);
	stored = to ? compress_block(s->compressor, p->options.level, s->page.data, s->page.len, to,
				     bound)
		    : 0;
	put_header(s, type, encoding, count, stored);
	if (!stored || s->header.failed)
		return jfrec_fail_memory(err);
	c->plain_size += s->header.len + s->page.len;
	c->stored_size += s->header.len + stored;
	if (parquet_write(p, s->header.data, s->header.len, err) < 0)
		return -1;
	return parquet_write(p, to, stored, err);
}
