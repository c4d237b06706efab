/* SPDX-License-Identifier: MIT */
/*
 * copy.c - copy chunks unchanged into the output
 */
#include "edit/copy.h"

#include "base/error.h"
#include "jfrec-tool.h"

static int fail_replaced(const struct recording *r, size_t i, struct jfrec_error *err)
{
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
			  "the output would replace an input, %.200s", r->paths[i]);
}

int copy_check_inputs(const struct recording *r, const struct jfrec_output *o,
		      struct jfrec_error *err)
{
	for (size_t i = 0; i < r->path_count; i++) {
		if (recording_is_in_memory(r, i))
			continue;
		if (recording_member(r, i) &&
		    output_would_replace_fd(o, member_archive_fd(recording_member(r, i))))
			return fail_replaced(r, i, err);
		if (output_would_replace_fd(o, recording_spool(r, i)) ||
		    jfrec_output_would_replace(o, r->paths[i]))
			return fail_replaced(r, i, err);
	}
	return 0;
}

/* The bytes of a pipe or a compressed file are in memory, too. */
static int copy_span(struct recording *r, uint64_t offset, uint64_t len, struct jfrec_output *o,
		     struct jfrec_error *err)
{
	struct span span;

	if (input_span(&r->in, offset, len, false, &span, err) < 0)
		return -1;
	output_append(o, span.bytes, span.len);
	input_give_back(&r->in, &span);
	return 0;
}

static int copy_bytes(struct recording *r, uint64_t offset, uint64_t len, struct jfrec_output *o,
		      struct jfrec_error *err)
{
	if (!r->in.stream && !r->in.memory)
		output_copy(o, r->in.fd, r->in.start + offset, len);
	else if (copy_span(r, offset, len, o, err) < 0)
		return -1;
	return output_failed(o) ? output_fail(o, err) : 0;
}

int copy_chunk(struct recording *r, const struct extent *x, struct jfrec_output *o,
	       struct jfrec_error *err)
{
	return copy_bytes(r, x->offset, x->size, o, err);
}

int copy_finished(struct recording *r, const struct extent *x, struct jfrec_output *o,
		  struct jfrec_error *err)
{
	struct chunk_header h = x->header;
	uint8_t bytes[CHUNK_HEADER_SIZE];

	h.generation = 0;
	h.size = x->size;
	chunk_header_put(&h, bytes);
	output_append(o, bytes, sizeof(bytes));
	return copy_bytes(r, x->offset + sizeof(bytes), x->size - sizeof(bytes), o, err);
}
