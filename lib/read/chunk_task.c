/* SPDX-License-Identifier: MIT */
/*
 * chunk_task.c - a chunk with all that a thread needs to work on it alone
 */
#include "read/chunk_task.h"

#include <stdlib.h>

#include "base/error.h"
#include "read/reader.h"

/* A task, and what is only known here. */
struct task {
	struct chunk_task task; /* first, so that each is the other */
	struct chunk_source source;
	struct problem_log log;
	struct problems problems; /* of the chunk, which go to the log */
};

/* Problems of the source go to the log until log_end(). */
struct logging {
	jfrec_problem_fn *fn;
	void *ctx;
	uint64_t damage, told;
};

static struct logging log_begin(struct chunk_source *s, struct problem_log *log)
{
	struct problems *p = &s->recording.problems;
	struct logging before = { p->fn, p->ctx, p->damage, p->told };

	p->fn = problem_log_add;
	p->ctx = log;
	return before;
}

static void log_end(struct chunk_source *s, const struct logging *before)
{
	struct problems *p = &s->recording.problems;

	p->fn = before->fn;
	p->ctx = before->ctx;
	p->damage = before->damage;
	p->told = before->told;
}

/* What the thread that works on the chunk may ask of the source. */
static int make_source(struct task *t, struct chunk_source *s)
{
	t->source.selection.events = s->selection.events;
	t->source.selection.categories = s->selection.categories;
	t->source.task_of = s;
	t->task.source = &t->source;
	t->source.during = s->during;
	t->source.view = s->view;
	s->view = (struct during_view){ 0 };
	if (!s->where)
		return 0;
	t->source.where = where_take(s->where);
	return t->source.where ? 0 : -1;
}

static void task_free(struct task *t)
{
	chunk_unref(t->task.chunk);
	where_free(t->source.where);
	during_leave(&t->source.view);
	arena_fini(&t->source.room.scratch);
	free(t);
}

static int load(struct chunk_source *s, struct task *t, struct jfrec_error *err)
{
	struct logging before = log_begin(s, &t->log);
	int got = source_next(s, &t->task.chunk, err);

	log_end(s, &before);
	if (got <= 0)
		return got;
	t->problems = (struct problems){
		.fn = problem_log_add, .ctx = &t->log, .input = t->task.chunk->name
	};
	t->task.chunk->problems = &t->problems;
	t->task.number = s->task_count++;
	if (s->jobs > 1)
		plan_make_all(t->task.chunk->metadata);
	return make_source(t, s) < 0 ? jfrec_fail_memory(err) : 1;
}

int source_take(struct chunk_source *s, struct chunk_task **task, struct jfrec_error *err)
{
	struct task *t;
	int got;

	if (s->has_no_more)
		return 0;
	t = calloc(1, sizeof(*t));
	if (!t)
		return jfrec_fail_memory(err);
	got = load(s, t, err);
	if (got > 0) {
		s->tasks_out++;
		*task = &t->task;
		return 1;
	}
	/* What comes after the last chunk is reported after what is in it. */
	s->end_log = t->log;
	if (s->tasks_out == 0)
		problem_log_tell(&s->end_log, &s->recording.problems);
	s->has_no_more |= got == 0;
	task_free(t);
	return got;
}

/* One thread would not have come as far as what is after a failure. */
static void tell(struct chunk_source *s, struct problem_log *log)
{
	struct source_quiet before;

	if (!s->has_failed) {
		problem_log_tell(log, &s->recording.problems);
		return;
	}
	before = source_quiet(s);
	problem_log_tell(log, &s->recording.problems);
	source_loud(s, &before);
}

uint64_t source_next_number(const struct chunk_source *s)
{
	return s->task_count;
}

int source_give_back(struct chunk_source *s, struct chunk_task *task, struct jfrec_error *err)
{
	struct task *t = (struct task *)task;
	int ret = 0;

	if (t->source.where && where_is_out_of_memory(t->source.where))
		ret = jfrec_fail_memory(err);
	tell(s, &t->log);
	s->has_failed |= task->has_failed;
	task_free(t);
	if (--s->tasks_out == 0)
		tell(s, &s->end_log);
	return ret;
}
