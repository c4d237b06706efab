/* SPDX-License-Identifier: MIT */
/*
 * firefox_collect.c - threads, samples, markers and frames for the Firefox Profiler
 *
 * Each of our profiles becomes a process with the threads that it has samples of. What lasts a
 * while are markers of the first process. Samples stay packed until their thread is written.
 */
#include "profiles/firefox.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Samples that are put into the order of their threads at once, unless one thread has more. */
#define BATCH (1u << 17)

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
	struct process *p = &f->processes[f->kind];

	if (depth == 0) {
		p->stack_of[0] = 0;
		p->thread_of[0] = FRAME_NONE;
		return 1;
	}
	p->thread_of[node] = p->thread_of[n->parent];
	p->stack_of[node] = p->stack_of[n->parent];
	if (depth == 1 && f->stacks->book.frames.list[n->frame].kind == FRAME_THREAD)
		p->thread_of[node] = n->frame;
	else
		p->stack_of[node] = tree_child(&f->all, p->stack_of[n->parent], n->frame);
	return p->stack_of[node] == NODE_NONE ? -1 : 1;
}

static int count_sample(void *ctx, const struct sample *sample)
{
	struct firefox *f = ctx;
	uint32_t thread = thread_number(f, f->processes[f->kind].thread_of[sample->place]);

	if (thread == UINT32_MAX)
		return -1;
	f->threads[thread].sample_count++;
	return 0;
}

static int add_profile(struct firefox *f, size_t kind)
{
	struct stacks_walk walk = { .stacks = f->stacks, .enter = enter, .ctx = f };
	const struct sample_list *samples = stacks_samples(f->stacks, 0, kind);
	struct process *p = &f->processes[kind];

	enter_process(f, kind);
	walk.tree = f->tree = stacks_tree(f->stacks, 0, kind);
	p->stack_of = calloc((size_t)f->tree->count + 1, sizeof(*p->stack_of));
	p->thread_of = calloc((size_t)f->tree->count + 1, sizeof(*p->thread_of));
	if (!p->stack_of || !p->thread_of || stacks_visit(&walk) < 0)
		return -1;
	return samples ? sample_list_each(samples, count_sample, f) : 0;
}

/* Samples of some threads ---------------------------------------------------------------------- */

static int by_thread(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int take_sample(void *ctx, const struct sample *sample)
{
	struct firefox *f = ctx;
	const struct process *p = &f->processes[f->kind];
	uint32_t thread = thread_number(f, p->thread_of[sample->place]);
	struct moment one = { thread, p->stack_of[sample->place], sample->time, sample->weight,
			      f->batch_count };

	if (thread == UINT32_MAX)
		return -1;
	if (thread < f->batch_first || thread >= f->batch_end)
		return 0;
	return array_push(f->batch, f->batch_count, f->batch_room, one) ? 0 : -1;
}

/* From `first` on those threads of its process that fit. */
static void choose_batch(struct firefox *f, uint32_t first)
{
	size_t kind = f->threads[first].kind, count = 0;

	f->batch_first = f->batch_end = first;
	while (f->batch_end < f->thread_count && f->threads[f->batch_end].kind == kind) {
		count += f->threads[f->batch_end].sample_count;
		if (count > BATCH && f->batch_end > first)
			break;
		f->batch_end++;
	}
	enter_process(f, kind);
}

int firefox_turn_to(struct firefox *f, uint32_t thread)
{
	const struct sample_list *samples = stacks_samples(f->stacks, 0, f->threads[thread].kind);
	size_t at = 0;

	if (thread >= f->batch_first && thread < f->batch_end)
		return 0;
	choose_batch(f, thread);
	f->batch_count = 0;
	if (samples && sample_list_each(samples, take_sample, f) < 0)
		return -1;
	if (f->batch_count)
		qsort(f->batch, f->batch_count, sizeof(*f->batch), by_thread);
	for (uint32_t i = f->batch_first; i < f->batch_end; i++) {
		f->threads[i].first_sample = at;
		at += f->threads[i].sample_count;
	}
	return 0;
}

/* Markers -------------------------------------------------------------------------------------- */

static int by_thread_and_start(const void *x, const void *y, void *markers)
{
	const struct marked *a = x, *b = y;
	const struct marker *list = markers;
	int64_t m = list[a->marker].start_ns, n = list[b->marker].start_ns;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (m != n)
		return m < n ? -1 : 1;
	return a->marker < b->marker ? -1 : a->marker > b->marker;
}

static int add_markers(struct firefox *f)
{
	const struct marker_list *l = &f->stacks->markers;
	const struct name *names = f->stacks->book.names.list;
	size_t at = 0;

	enter_process(f, f->first_kind);
	f->markers = calloc(l->marker_count + 1, sizeof(*f->markers));
	for (size_t i = 0; f->markers && i < l->marker_count; i++) {
		const struct marker *m = &l->markers[i];
		const struct name *label = &names[m->label];
		const struct name *detail = m->detail == NAME_NONE ? NULL : &names[m->detail];
		uint32_t thread = thread_number(f, m->thread);

		if (thread == UINT32_MAX ||
		    firefox_string(f, label->text, label->len) == NAME_NONE ||
		    firefox_string(f, detail ? detail->text : "", detail ? detail->len : 0) ==
			    NAME_NONE)
			return -1;
		f->markers[i] = (struct marked){ thread, (uint32_t)i };
		f->threads[thread].marker_count++;
	}
	if (!f->markers)
		return -1;
	f->marker_count = l->marker_count;
	if (f->marker_count)
		qsort_r(f->markers, f->marker_count, sizeof(*f->markers), by_thread_and_start,
			l->markers);
	for (uint32_t i = 0; i < f->thread_count; i++) {
		f->threads[i].first_marker = at;
		at += f->threads[i].marker_count;
	}
	return 0;
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

static int note_first(void *ctx, const struct sample *sample)
{
	int64_t *start = ctx;

	*start = sample->time < *start ? sample->time : *start;
	return 0;
}

/* Nothing is before the start. */
static int64_t first_time(const struct firefox *f)
{
	const struct marker_list *l = &f->stacks->markers;
	int64_t start = f->stacks->spans[0].start_ns;

	for (size_t i = 0; i < f->stacks->kind_count; i++) {
		if (f->processes[i].stack_of && stacks_samples(f->stacks, 0, i))
			sample_list_each(stacks_samples(f->stacks, 0, i), note_first, &start);
	}
	for (size_t i = 0; i < f->marker_count; i++)
		start = l->markers[i].start_ns < start ? l->markers[i].start_ns : start;
	for (size_t i = 0; i < l->reading_count; i++)
		start = l->readings[i].time_ns < start ? l->readings[i].time_ns : start;
	return start;
}

int firefox_collect(struct firefox *f)
{
	f->thread_place =
		calloc((size_t)f->stacks->book.frames.count + 1, sizeof(*f->thread_place));
	f->processes = calloc(f->stacks->kind_count + 1, sizeof(*f->processes));
	if (!f->thread_place || !f->processes || tree_init(&f->all) < 0)
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
	f->start_ns = first_time(f);
	return 0;
}

void firefox_fini(struct firefox *f)
{
	for (size_t i = 0; f->processes && i < f->stacks->kind_count; i++) {
		free(f->processes[i].stack_of);
		free(f->processes[i].thread_of);
	}
	free(f->processes);
	tree_fini(&f->all);
	free(f->threads);
	free(f->thread_place);
	free(f->batch);
	free(f->markers);
	free(f->frames);
	free(f->funcs);
	free(f->frame_place);
	free(f->func_place);
	name_set_fini(&f->strings);
	name_set_fini(&f->paths);
}
