/* SPDX-License-Identifier: MIT */
/*
 * translate.c - from the book of one chunk to that of all
 */
#include <stdlib.h>

#include "stacks/stacks.h"

/* By number in the chunk's book: in that of all. */
struct translation {
	uint32_t *names, *frames;
};

static int translate_names(struct jfrec_stacks *s, const struct book *book, uint32_t *names)
{
	for (uint32_t i = 0; i < book->names.count; i++) {
		const struct name *n = &book->names.list[i];

		names[i] = name_set_put(&s->book.names, n->text, n->len);
		if (names[i] == NAME_NONE)
			return -1;
	}
	return 0;
}

static int translate_frames(struct jfrec_stacks *s, const struct book *book,
			    const struct translation *t)
{
	for (uint32_t i = 0; i < book->frames.count; i++) {
		struct frame f = book->frames.list[i];

		f.name = t->names[f.name];
		t->frames[i] = frames_put(&s->book.frames, f);
		if (t->frames[i] == FRAME_NONE)
			return -1;
	}
	return 0;
}

static void apply(struct gathered_chunk *c, const struct translation *t)
{
	for (size_t i = 1; i < c->paths.count; i++)
		c->paths.list[i].frame = t->frames[c->paths.list[i].frame];
	for (size_t i = 0; i < c->markers.marker_count; i++) {
		struct marker *m = &c->markers.markers[i];

		m->label = t->names[m->label];
		if (m->detail != NAME_NONE)
			m->detail = t->names[m->detail];
		if (m->thread != FRAME_NONE)
			m->thread = t->frames[m->thread];
	}
}

int stacks_translate(struct jfrec_stacks *s, struct gathered_chunk *c, const struct book *book)
{
	struct translation t = {
		.names = calloc((size_t)book->names.count + 1, sizeof(*t.names)),
		.frames = calloc((size_t)book->frames.count + 1, sizeof(*t.frames)),
	};
	int ret = -1;

	if (t.names && t.frames && translate_names(s, book, t.names) == 0 &&
	    translate_frames(s, book, &t) == 0) {
		apply(c, &t);
		ret = 0;
	}
	free(t.names);
	free(t.frames);
	return ret;
}
