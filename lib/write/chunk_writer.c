/* SPDX-License-Identifier: MIT */
/*
 * chunk_writer.c - write one chunk from start to end
 *
 *    header  events  checkpoint ... checkpoint  metadata
 *
 * Each checkpoint points back to the one before, the header to the last one.
 * Sizes of checkpoints and metadata are padded to 4 bytes, as a JVM's are.
 */
#include "write/chunk_writer.h"

#include "base/clock_now.h"
#include "base/error.h"
#include "format/metadata.h"

/* A checkpoint is closed when it has so many bytes. */
#define CHECKPOINT_SIZE (1u << 20)

/* What fits into a padded size of 4 bytes, and of 8. */
#define MAX_SIZE_4 ((UINT64_C(1) << 28) - 1)

/* The kinds of a checkpoint; live readers take the second for the end of a segment. */
enum { KIND_GENERIC, KIND_FLUSH };

static void put(struct chunk_writer *w, const void *data, size_t len)
{
	if (!len)
		return; /* a chunk without constants has no bytes of them */
	if (w->holds)
		buffer_put(&w->held, data, len);
	else
		output_append(w->out, data, len);
	w->size += len;
}

void chunk_writer_begin(struct chunk_writer *w, struct jfrec_output *out,
			const struct chunk_header *h)
{
	static const uint8_t room[CHUNK_HEADER_SIZE];

	w->out = out;
	w->header = *h;
	w->header.checkpoint = w->header.metadata = 0;
	/* As it was read. */
	if (!chunk_header_has_clock(h))
		w->header.ticks_per_second = NS_PER_SECOND;
	w->start = out ? output_at(out) : 0;
	w->size = 0;
	w->holds = !out || !output_can_patch(out);
	w->pool_count = w->constant_count = 0;
	w->pool_type = w->string_type = 0;
	buffer_clear(&w->held);
	buffer_clear(&w->pools);
	buffer_clear(&w->pool);
	put(w, room, sizeof(room));
}

void chunk_writer_event(struct chunk_writer *w, const void *bytes, size_t len)
{
	put(w, bytes, len);
}

/* An event of that type id: its size, what `head` has, and the body. */
static void put_event(struct chunk_writer *w, const struct buffer *head, const void *body,
		      size_t len)
{
	unsigned width = head->len + len + 4 <= MAX_SIZE_4 ? 4 : 8;
	uint8_t size[VARINT_MAX];

	varint_put_padded(size, width + head->len + len, width);
	put(w, size, width);
	put(w, head->data, head->len);
	put(w, body, len);
}

/* Checkpoints ---------------------------------------------------------------------------------- */

static void close_pool(struct chunk_writer *w)
{
	if (w->constant_count == 0)
		return; /* an empty pool is an error to the JDK */
	buffer_varint(&w->pools, w->pool_type);
	buffer_varint(&w->pools, w->constant_count);
	buffer_put(&w->pools, w->pool.data, w->pool.len);
	w->pool_count++;
	w->constant_count = 0;
	buffer_clear(&w->pool);
}

static void close_checkpoint(struct chunk_writer *w, uint8_t kind)
{
	uint64_t at = w->size, before = w->header.checkpoint;
	uint8_t bytes[6 * VARINT_MAX], *end = bytes;
	struct buffer head = { .data = bytes };

	close_pool(w);
	end = varint_put(end, TYPE_CHECKPOINT);
	end = varint_put(end, (uint64_t)w->header.start_ticks);
	end = varint_put(end, 0);
	end = varint_put(end, before ? before - at : 0);
	*end++ = kind;
	end = varint_put(end, w->pool_count);
	head.len = (size_t)(end - bytes);
	put_event(w, &head, w->pools.data, w->pools.len);
	w->header.checkpoint = at;
	w->pool_count = 0;
	buffer_clear(&w->pools);
}

void chunk_writer_constant(struct chunk_writer *w, uint64_t type_id, uint64_t key,
			   const void *value, size_t len)
{
	bool is_next = w->constant_count && w->pool_type != type_id;

	if (is_next)
		close_pool(w);
	if ((is_next && w->pool_type == w->string_type) ||
	    w->pools.len + w->pool.len > CHECKPOINT_SIZE)
		close_checkpoint(w, KIND_GENERIC);
	w->pool_type = type_id;
	w->constant_count++;
	buffer_varint(&w->pool, key);
	buffer_put(&w->pool, value, len);
}

/* Metadata ------------------------------------------------------------------------------------- */

void chunk_writer_metadata(struct chunk_writer *w, int64_t ticks, const void *content, size_t len)
{
	uint8_t bytes[3 * VARINT_MAX], *end = bytes;
	struct buffer head = { .data = bytes };

	end = varint_put(end, TYPE_METADATA);
	end = varint_put(end, (uint64_t)ticks);
	end = varint_put(end, 0);
	head.len = (size_t)(end - bytes);
	w->header.metadata = w->size;
	put_event(w, &head, content, len);
}

/* The end -------------------------------------------------------------------------------------- */

int chunk_writer_end(struct chunk_writer *w, struct jfrec_error *err)
{
	uint8_t header[CHUNK_HEADER_SIZE];

	close_checkpoint(w, KIND_FLUSH);
	w->header.size = w->size;
	w->header.generation = 0;
	w->header.flags |= CHUNK_COMPRESSED_INTS;
	chunk_header_put(&w->header, header);
	if (w->pool.failed || w->pools.failed || w->held.failed)
		return jfrec_fail_memory(err);
	if (w->holds) {
		memcpy(w->held.data, header, sizeof(header));
		if (!w->out)
			return 0;
		output_append(w->out, w->held.data, w->held.len);
		buffer_clear(&w->held);
	} else {
		output_patch(w->out, w->start, header, sizeof(header));
	}
	return output_failed(w->out) ? output_fail(w->out, err) : 0;
}

void chunk_writer_fini(struct chunk_writer *w)
{
	buffer_fini(&w->held);
	buffer_fini(&w->pools);
	buffer_fini(&w->pool);
}
