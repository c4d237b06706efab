/* SPDX-License-Identifier: MIT */
/*
 * parquet_frames.c - lists of frames in a Parquet file: a column for each part of the frames
 *
 *	optional group stackTrace (LIST) { repeated group list { required group element {
 *		optional method, line, bci, type } } }
 *
 * A page has for each frame whether it is the first of its list (0) or not (1), then what is there:
 * no list (0), no frame (1), no value (2), a value (3); then the values.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "parquet/encode.h"
#include "parquet/parquet.h"

/* A page ends after the list that fills it. */
#define PAGE_FRAMES 65536u

enum level {
	NO_LIST,
	NO_FRAME,
	NO_VALUE,
	VALUE,
};

/* A page in the making. */
struct page {
	uint32_t *repeats, *levels, *values;
	size_t repeat_count, level_count, value_count;
	size_t repeat_room, level_room, value_room;
};

static void page_fini(struct page *p)
{
	free(p->repeats);
	free(p->levels);
	free(p->values);
}

static bool add_level(struct page *p, bool is_first, enum level level)
{
	return array_push(p->repeats, p->repeat_count, p->repeat_room, is_first ? 0 : 1) &&
	       array_push(p->levels, p->level_count, p->level_room, level);
}

static bool add_list(struct page *p, const struct batch_column *part, const uint32_t *numbers,
		     size_t count)
{
	if (!count)
		return add_level(p, true, NO_FRAME);
	for (size_t i = 0; i < count; i++) {
		bool there = batch_has(part, numbers[i]);

		if (!add_level(p, i == 0, there ? VALUE : NO_VALUE))
			return false;
		if (there && !array_push(p->values, p->value_count, p->value_room,
					 (uint32_t)part->words[numbers[i]]))
			return false;
	}
	return true;
}

static void put_levels(struct buffer *to, const uint32_t *levels, size_t count, unsigned bits)
{
	size_t before = to->len;

	buffer_put(to, &(uint32_t){ 0 }, 4);
	encode_hybrid(to, levels, count, bits);
	if (!to->failed)
		memcpy(to->data + before, &(uint32_t){ (uint32_t)(to->len - before - 4) }, 4);
}

static void put_page(struct buffer *to, const struct page *p, enum parquet_encoding encoding,
		     size_t different)
{
	unsigned bits = bits_of(different ? different - 1 : 0);

	put_levels(to, p->repeats, p->repeat_count, 1);
	put_levels(to, p->levels, p->level_count, 2);
	if (encoding == ENCODING_DICTIONARY) {
		buffer_u8(to, (uint8_t)bits);
		encode_hybrid(to, p->values, p->value_count, bits);
	} else {
		buffer_put(to, p->values, p->value_count * sizeof(*p->values));
	}
}

/* What the pages of one part have in common. */
struct writing {
	struct parquet *file;
	struct parquet_scratch *s;
	struct parquet_chunk *chunk;
	const struct batch_column *part;
	enum parquet_encoding encoding;
	struct page page;
};

static int write_page(struct writing *w, struct jfrec_error *err)
{
	struct page *p = &w->page;

	buffer_clear(&w->s->page);
	put_page(&w->s->page, p, w->encoding, w->part->texts.count);
	w->chunk->values += p->level_count;
	w->chunk->nulls += p->level_count - p->value_count;
	if (parquet_put_page(w->file, w->s, w->chunk, PAGE_DATA, w->encoding, p->level_count,
			     err) < 0)
		return -1;
	p->repeat_count = p->level_count = p->value_count = 0;
	return 0;
}

static int write_rows(struct writing *w, const struct batch_column *from, size_t rows,
		      const struct frame_lists *frames, struct jfrec_error *err)
{
	w->chunk->data_at = w->file->at;
	for (size_t i = 0; i < rows; i++) {
		const uint32_t *numbers;
		size_t count;
		bool ok;

		if (batch_has(from, i)) {
			numbers = frame_list_of(frames, from->words[i], &count);
			ok = add_list(&w->page, w->part, numbers, count);
		} else {
			ok = add_level(&w->page, true, NO_LIST);
		}
		if (!ok)
			return jfrec_fail_memory(err);
		if ((w->page.level_count >= PAGE_FRAMES || i + 1 == rows) && write_page(w, err) < 0)
			return -1;
	}
	return 0;
}

static int write_dictionary(struct writing *w, struct jfrec_error *err)
{
	buffer_clear(&w->s->page);
	parquet_put_texts(&w->s->page, &w->part->texts);
	w->chunk->has_dictionary = true;
	w->chunk->dictionary_at = w->file->at;
	return parquet_put_page(w->file, w->s, w->chunk, PAGE_DICTIONARY, ENCODING_PLAIN,
				w->part->texts.count, err);
}

int parquet_put_frames(struct parquet *p, const struct batch_column *from, size_t rows,
		       const struct frame_lists *frames, enum frame_part part,
		       struct parquet_scratch *s, struct parquet_chunk *c, struct jfrec_error *err)
{
	struct writing w = {
		.file = p,
		.s = s,
		.chunk = c,
		.part = &frames->different.columns[part],
		.encoding = ENCODING_PLAIN,
	};
	int ret = 0;

	*c = (struct parquet_chunk){ 0 };
	if (frame_part_is_text(part) && w.part->texts.count) {
		w.encoding = ENCODING_DICTIONARY;
		ret = write_dictionary(&w, err);
	}
	if (ret == 0)
		ret = write_rows(&w, from, rows, frames, err);
	page_fini(&w.page);
	return ret;
}
