/* SPDX-License-Identifier: MIT */
/*
 * firefox_collect.c - threads, samples, markers and frames for the Firefox Profiler
 *
 * Each of our profiles becomes a process with the threads that it has samples of. What lasts a
 * while are markers of the first process.
 */
#include "stacks/firefox.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

uint32_t firefox_string(struct firefox *f, const char *text, size_t len)
{
	return name_set_put(&f->strings, text, len);
}

/* Threads -------------------------------------------------------------------------------------- */

static uint32_t *thread_place(struct firefox *f, uint32_t frame)
{
	return &f->thread_place[frame == FRAME_NONE ? f->stacks->book.frames.count : frame];
}

/* Turn to the threads of another profile. */
static void enter_process(struct firefox *f, size_t kind)
{
	memset(f->thread_place, 0,
	       ((size_t)f->stacks->book.frames.count + 1) * sizeof(*f->thread_place));
	for (uint32_t i = 0; i < f->thread_count; i++) {
		if (f->threads[i].kind == kind)
			*thread_place(f, f->threads[i].frame) = i + 1;
	}
	f->kind = kind;
}

/* The number of that thread of the profile at hand; UINT32_MAX when memory is gone. */
static uint32_t thread_number(struct firefox *f, uint32_t frame)
{
	uint32_t *place = thread_place(f, frame);

	if (*place)
		return *place - 1;
	if (!array_push(f->threads, f->thread_count, f->thread_room,
			(struct thread){ .kind = f->kind, .frame = frame }))
		return UINT32_MAX;
	*place = f->thread_count;
	return f->thread_count - 1;
}

/* Stacks --------------------------------------------------------------------------------------- */

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct firefox *f = ctx;
	const struct node *n = &f->tree->nodes[node];

	if (depth == 0) {
		f->stack_of[0] = 0;
		f->thread_of[0] = FRAME_NONE;
		return 1;
	}
	f->thread_of[node] = f->thread_of[n->parent];
	f->stack_of[node] = f->stack_of[n->parent];
	if (depth == 1 && f->stacks->book.frames.list[n->frame].kind == FRAME_THREAD)
		f->thread_of[node] = n->frame;
	else
		f->stack_of[node] = tree_child(&f->all, f->stack_of[n->parent], n->frame);
	return f->stack_of[node] == NODE_NONE ? -1 : 1;
}

static int add_moment(struct moments *m, struct moment one)
{
	one.order = m->count;
	return array_push(m->list, m->count, m->room, one) ? 0 : -1;
}

static int add_samples(struct firefox *f)
{
	const struct samples *s = stacks_samples(f->stacks, 0, f->kind);

	for (size_t i = 0; s && i < s->count; i++) {
		const struct sample *from = &s->list[i];
		uint32_t thread = thread_number(f, f->thread_of[from->node]);

		if (thread == UINT32_MAX ||
		    add_moment(&f->samples, (struct moment){ .thread = thread,
							     .stack = f->stack_of[from->node],
							     .time_ns = from->time_ns,
							     .weight = from->weight }) < 0)
			return -1;
	}
	return 0;
}

static int add_profile(struct firefox *f, size_t kind)
{
	struct stacks_walk walk = { .stacks = f->stacks, .enter = enter, .ctx = f };
	int ret = -1;

	enter_process(f, kind);
	walk.tree = f->tree = stacks_tree(f->stacks, 0, kind);
	f->stack_of = calloc((size_t)f->tree->count + 1, sizeof(*f->stack_of));
	f->thread_of = calloc((size_t)f->tree->count + 1, sizeof(*f->thread_of));
	if (f->stack_of && f->thread_of && stacks_visit(&walk) == 0)
		ret = add_samples(f);
	free(f->stack_of);
	free(f->thread_of);
	f->stack_of = f->thread_of = NULL;
	return ret;
}

static int add_markers(struct firefox *f)
{
	const struct marker_list *l = &f->stacks->markers;
	const struct name *names = f->stacks->book.names.list;

	enter_process(f, f->first_kind);
	for (size_t i = 0; i < l->marker_count; i++) {
		const struct marker *m = &l->markers[i];
		const struct name *label = &names[m->label];
		uint32_t thread = thread_number(f, m->thread);

		if (thread == UINT32_MAX ||
		    firefox_string(f, label->text, label->len) == NAME_NONE ||
		    add_moment(&f->markers, (struct moment){ .thread = thread,
							     .stack = (uint32_t)i,
							     .time_ns = m->start_ns }) < 0)
			return -1;
	}
	return 0;
}

static int by_thread(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Both lists by threads, and of each thread by time. */
static void sort_moments(struct firefox *f)
{
	if (f->samples.count)
		qsort(f->samples.list, f->samples.count, sizeof(*f->samples.list), by_thread);
	if (f->markers.count)
		qsort(f->markers.list, f->markers.count, sizeof(*f->markers.list), by_thread);
	for (size_t i = 0; i < f->samples.count; i++) {
		struct part *p = &f->threads[f->samples.list[i].thread].samples;

		if (!p->count++)
			p->first = &f->samples.list[i];
	}
	for (size_t i = 0; i < f->markers.count; i++) {
		struct part *p = &f->threads[f->markers.list[i].thread].markers;

		if (!p->count++)
			p->first = &f->markers.list[i];
	}
}

/* Frames and functions ------------------------------------------------------------------------- */

bool firefox_has_file(const struct frame *frame)
{
	return frame->kind == FRAME_INTERPRETED || frame->kind == FRAME_JIT ||
	       frame->kind == FRAME_INLINED || frame->kind == FRAME_C1;
}

static int use_frame(struct firefox *f, uint32_t number)
{
	const struct frame *frame = &f->stacks->book.frames.list[number];
	const struct name *name = &f->stacks->book.names.list[frame->name];
	char path[FRAME_PATH_MAX];

	if (f->frame_place[number])
		return 0;
	f->frames[f->frame_count] = number;
	f->frame_place[number] = ++f->frame_count;
	if (f->func_place[frame->name])
		return 0;
	f->funcs[f->func_count] = number;
	f->func_place[frame->name] = ++f->func_count;
	if (firefox_string(f, name->text, name->len) == NAME_NONE)
		return -1;
	if (!firefox_has_file(frame) || !frame_file_path(name->text, name->len, path))
		return 0;
	return firefox_string(f, path, strlen(path)) == NAME_NONE ||
			       name_set_put(&f->paths, path, strlen(path)) == NAME_NONE
		       ? -1
		       : 0;
}

static int use_frames(struct firefox *f)
{
	size_t frames = f->stacks->book.frames.count, names = f->stacks->book.names.count;

	f->frames = calloc(frames + 1, sizeof(*f->frames));
	f->frame_place = calloc(frames + 1, sizeof(*f->frame_place));
	f->funcs = calloc(names + 1, sizeof(*f->funcs));
	f->func_place = calloc(names + 1, sizeof(*f->func_place));
	if (!f->frames || !f->frame_place || !f->funcs || !f->func_place)
		return -1;
	for (uint32_t i = 1; i < f->all.count; i++) {
		if (use_frame(f, f->all.nodes[i].frame) < 0)
			return -1;
	}
	return 0;
}

/* All of it ------------------------------------------------------------------------------------ */

/* Nothing is before the start. */
static int64_t first_time(const struct firefox *f)
{
	int64_t start = f->stacks->spans[0].start_ns;

	for (size_t i = 0; i < f->samples.count; i++)
		start = f->samples.list[i].time_ns < start ? f->samples.list[i].time_ns : start;
	for (size_t i = 0; i < f->markers.count; i++)
		start = f->markers.list[i].time_ns < start ? f->markers.list[i].time_ns : start;
	for (size_t i = 0; i < f->stacks->markers.reading_count; i++) {
		int64_t t = f->stacks->markers.readings[i].time_ns;

		start = t < start ? t : start;
	}
	return start;
}

int firefox_collect(struct firefox *f)
{
	f->thread_place = calloc((size_t)f->stacks->book.frames.count + 1, sizeof(*f->thread_place));
	if (!f->thread_place || tree_init(&f->all) < 0)
		return -1;
	for (size_t i = 0; i < f->stacks->kind_count; i++) {
		if (!stacks_has(f->stacks, i, f->only))
			continue;
		if (!f->has_first)
			f->first_kind = i;
		f->has_first = true;
		if (add_profile(f, i) < 0)
			return -1;
	}
	if ((f->has_first && add_markers(f) < 0) || use_frames(f) < 0)
		return -1;
	sort_moments(f);
	f->start_ns = first_time(f);
	return 0;
}

void firefox_fini(struct firefox *f)
{
	tree_fini(&f->all);
	free(f->threads);
	free(f->thread_place);
	free(f->samples.list);
	free(f->markers.list);
	free(f->frames);
	free(f->funcs);
	free(f->frame_place);
	free(f->func_place);
	name_set_fini(&f->strings);
	name_set_fini(&f->paths);
}
