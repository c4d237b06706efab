/* SPDX-License-Identifier: MIT */
/*
 * name_book.c - the texts, stacks and threads of an analysis, each with a number
 */
#include "analyze/name_book.h"

#include <stdlib.h>

#include "base/array.h"

/* Of a stack: what is below is not looked at. */
#define MAX_FRAMES 128

uint32_t name_book_put(struct names *n, const char *text, size_t len)
{
	uint32_t number = name_set_put_clipped(&n->book.names, text, len);

	if (number != NAME_NONE)
		return number;
	n->no_memory = true;
	return 0;
}

bool name_book_init(struct names *n)
{
	name_book_put(n, "", 0);
	n->no_memory |= !array_push(n->stacks.list, n->stacks.count, n->stacks.room,
				    (struct stack_entry){ 0 });
	n->no_memory |= !array_push(n->threads.list, n->threads.count, n->threads.room,
				    (struct thread_entry){ 0 });
	return !n->no_memory;
}

void name_book_fini(struct names *n)
{
	book_fini(&n->book);
	free(n->stacks.list);
	free(n->stacks.frames);
	digest_map_fini(&n->stacks.by_content);
	free(n->threads.list);
	digest_map_fini(&n->threads.by_content);
	notes_fini(&n->methods);
}

static uint32_t new_stack(struct names *n, const struct trace *t, uint32_t count)
{
	struct stack_list *s = &n->stacks;
	uint32_t first = s->frame_count;

	for (uint32_t i = 0; i < count; i++) {
		if (!array_push(s->frames, s->frame_count, s->frame_room, t->frames[i]))
			n->no_memory = true;
	}
	if (n->no_memory || !array_push(s->list, s->count, s->room,
					(struct stack_entry){ .first = first,
							      .count = count,
							      .is_truncated = t->is_truncated })) {
		n->no_memory = true;
		return 0;
	}
	return s->count - 1;
}

uint32_t name_book_stack(struct names *n, const struct trace *t)
{
	uint32_t count = t->count < MAX_FRAMES ? t->count : MAX_FRAMES, number;
	struct digest d = DIGEST_INIT;
	uint64_t *place;

	digest_word(&d, t->is_truncated);
	digest_bytes(&d, t->frames, count * sizeof(*t->frames));
	place = digest_map_put(&n->stacks.by_content, d);
	if (!place) {
		n->no_memory = true;
		return 0;
	}
	if (*place)
		return (uint32_t)*place;
	number = new_stack(n, t, count);
	*place = number ? number : 1;
	return number;
}

uint32_t name_book_thread(struct names *n, uint32_t name, int64_t java_id, int64_t os_id,
			  bool is_virtual)
{
	struct thread_list *t = &n->threads;
	struct digest d = DIGEST_INIT;
	uint64_t *place;

	digest_word(&d, name);
	digest_word(&d, (uint64_t)java_id);
	digest_word(&d, (uint64_t)os_id);
	place = digest_map_put(&t->by_content, d);
	if (place && *place)
		return (uint32_t)*place;
	if (!place || !array_push(t->list, t->count, t->room,
				  (struct thread_entry){ name, java_id, os_id, is_virtual })) {
		n->no_memory = true;
		if (place)
			*place = 1;
		return 0;
	}
	*place = t->count - 1;
	return t->count - 1;
}
