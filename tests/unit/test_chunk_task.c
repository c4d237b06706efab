/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_task.c - chunks that several threads work on say what one thread hears
 */
#include "read/chunk_task.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builder.h"
#include "test.h"

#define EVENT_TYPE "20"
#define THREAD	   "100"
#define CHUNKS	   9
#define READABLE   (CHUNKS - 1) /* one has no metadata */
#define THREADS	   4

/*
 * Chunks of other lengths and other constants under the same key, so that what is taken from the
 * wrong one shows.  The third is damaged, the sixth has no metadata, the seventh an undeclared event.
 */
static void build(struct craft *c)
{
	for (int i = 0; i < CHUNKS; i++) {
		craft_chunk(c);
		for (int k = 0; k < 200 * (i % 4 + 1); k++)
			craft_event(c, EVENT_TYPE, "%d %d %d", 1000 + k, k % 3, i * 1000 + k);
		if (i == 2)
			craft_raw(c, "xffffffffffffffffffffff");
		if (i == 6)
			craft_event(c, "99", "1003");
		craft_event(c, EVENT_TYPE, "5000 2 7");
		craft_checkpoint(c, "1  " THREAD " 2  1 'one of %d'  2 'two of %d'", i, i);
		if (i != 5)
			craft_metadata(c, EVENT(EVENT_TYPE, "t.Tick",
						START FIELD("thread", THREAD, KEY) FIELD("n", T_INT))
						  CLASS(THREAD, "java.lang.Thread",
							FIELD("javaName", T_STRING)));
		craft_end(c);
	}
}

/* What is found in a chunk: the sum shows each event, the names each constant. */
struct found {
	uint64_t events, sum;
	char names[200];
};

static void look(struct chunk_source *s, struct chunk *c, struct found *f)
{
	struct event_room *room = source_room(s);
	struct jfrec_event e = event_in(room, c);
	bool *wanted = source_selected(s, c->metadata);
	struct chunk_walk walk = chunk_walk(c);

	*f = (struct found){ 0 };
	while (wanted && !*source_stop_flag(s) && chunk_walk_next(&walk, &e.raw, &e.type)) {
		struct jfrec_value n, name;
		const char *text;

		if (!wanted[e.type->index] ||
		    !source_passes(s, c, e.type, &e.raw, e.slots) ||
		    !chunk_decode(c, e.type, &e.raw, e.slots))
			continue;
		n = jfrec_event_path(&e, "n");
		name = jfrec_event_path(&e, "thread.javaName");
		text = jfrec_value_text(&name, NULL);
		f->events++;
		f->sum = f->sum * 31 + (uint64_t)n.i;
		if (text && !strstr(f->names, text) && strlen(f->names) + strlen(text) < 190)
			strcat(f->names, text);
		event_room_clear(room);
	}
	chunk_tell_end(c);
	free(wanted);
}

struct said {
	char text[20000];
	unsigned count;
};

static void note(void *ctx, const struct jfrec_problem *p)
{
	struct said *said = ctx;
	size_t len = strlen(said->text);

	said->count++;
	snprintf(said->text + len, sizeof(said->text) - len, "%d %lld %lld %s\n", p->damage,
		 (long long)p->offset, (long long)p->lost, p->text);
}

static struct jfrec_reader *open_reader(struct craft *c, const char *where, struct said *said)
{
	struct jfrec_reader *r = jfrec_reader_open(craft_path(c), NULL, NULL);

	*said = (struct said){ 0 };
	jfrec_reader_on_problem(r, note, said);
	if (where)
		CHECK_INT(jfrec_reader_where(r, where, NULL), 0);
	return r;
}

static size_t look_alone(struct jfrec_reader *r, struct found *found)
{
	struct chunk_source *s = reader_source(r);
	struct chunk *c;
	size_t n = 0;

	while (source_next(s, &c, NULL) > 0) {
		look(s, c, &found[n++]);
		chunk_unref(c);
	}
	return n;
}

struct job {
	pthread_t thread;
	struct chunk_task *task;
	struct found *found;
};

static void *work(void *ctx)
{
	struct job *j = ctx;

	look(j->task->source, j->task->chunk, j->found);
	return NULL;
}

/* As many chunks at a time as there are threads; given back in their order. */
static size_t look_together(struct jfrec_reader *r, struct found *found)
{
	struct chunk_source *s = reader_source(r);
	struct job jobs[THREADS];
	unsigned count;
	size_t n = 0;

	do {
		for (count = 0; count < THREADS && source_take(s, &jobs[count].task, NULL) > 0;
		     count++) {
			CHECK_INT((int)jobs[count].task->number, (int)n);
			jobs[count].found = &found[n++];
			CHECK_INT(pthread_create(&jobs[count].thread, NULL, work, &jobs[count]), 0);
		}
		for (unsigned i = 0; i < count; i++)
			pthread_join(jobs[i].thread, NULL);
		for (unsigned i = 0; i < count; i++)
			CHECK_INT(source_give_back(s, jobs[i].task, NULL), 0);
	} while (count);
	return n;
}

static void compare(const char *where)
{
	static struct found alone[CHUNKS], together[CHUNKS];
	static struct said alone_said, together_said;
	struct craft c = { 0 };
	struct jfrec_reader *r;
	uint64_t damage;
	size_t n;

	build(&c);
	r = open_reader(&c, where, &alone_said);
	n = look_alone(r, alone);
	damage = jfrec_reader_damage(r);
	jfrec_reader_close(r);
	CHECK_INT((int)n, READABLE);
	CHECK(alone[0].events > 0 && alone[0].sum != alone[1].sum);
	CHECK(strcmp(alone[0].names, alone[1].names) != 0);
	CHECK(damage > 0);

	r = open_reader(&c, where, &together_said);
	CHECK_INT((int)look_together(r, together), READABLE);
	CHECK_INT((int)jfrec_reader_damage(r), (int)damage);
	jfrec_reader_close(r);
	for (size_t i = 0; i < READABLE; i++) {
		CHECK_INT((int)together[i].events, (int)alone[i].events);
		CHECK(together[i].sum == alone[i].sum);
		CHECK_TEXT(together[i].names, strlen(together[i].names), alone[i].names);
	}
	CHECK_INT((int)together_said.count, (int)alone_said.count);
	CHECK(strcmp(together_said.text, alone_said.text) == 0);
	craft_free(&c);
}

/* A chunk may be left unread, and the source closed after that. */
static void give_back_unread(void)
{
	struct craft c = { 0 };
	struct said said;
	struct chunk_task *one, *two;
	struct jfrec_reader *r;

	build(&c);
	r = open_reader(&c, "n > 5", &said);
	CHECK_INT(source_take(reader_source(r), &one, NULL), 1);
	CHECK_INT(source_take(reader_source(r), &two, NULL), 1);
	jfrec_reader_stop(r);
	CHECK(*source_stop_flag(one->source));
	CHECK_INT(source_check_stop(two->source, NULL), -1);
	CHECK_INT(source_give_back(reader_source(r), one, NULL), 0);
	CHECK_INT(source_give_back(reader_source(r), two, NULL), 0);
	jfrec_reader_close(r);
	craft_free(&c);
}

int main(void)
{
	test_begin("threads_find_what_one_finds");
	compare(NULL);
	test_begin("threads_filter_as_one_does");
	compare("thread.javaName =~ '*two*' and n > 100");
	test_begin("tasks_can_be_given_back_unread");
	give_back_unread();
	return test_end();
}
