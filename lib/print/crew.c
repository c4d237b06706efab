/* SPDX-License-Identifier: MIT */
/*
 * crew.c - several threads render events, whose text is written in their order
 *
 * Blocks lie in a ring. Each is filled, rendered, and written:
 *
 *	head ... next ... tail
 *	|         |        '-- is being filled, by the caller's thread
 *	|         '-- the first one that no thread has taken
 *	'-- the next one to be written, by the caller's thread
 */
#include "print/crew.h"

#include <stdlib.h>

#include "print/print.h"
#include "read/chunk_crew.h"

/* The text of a block: long enough to pay for handing it on, short enough for a core's cache. */
#define BLOCK_TEXT (192u << 10)

/* Events differ in length: beyond this, a block waits for its turn. */
#define MOST_TEXT (1u << 20)

/* So many events are a block, depending on how much text they had so far. */
#define LEAST_EVENTS 16
#define MOST_EVENTS  1024
#define FIRST_EVENTS 64

/*
 * For each thread. So many can wait while one that others wait for has no processor, and a thread
 * that has nothing to do is not woken for each of them.
 */
#define BLOCKS_OF_THREAD 6

struct block_item {
	struct chunk_render *view;
	uint64_t offset : 62;
	uint64_t is_misfit : 1;	  /* it cannot be decoded */
	uint64_t is_too_long : 1; /* to be told */
};

enum block_state {
	WAITING,  /* for a thread */
	RUNNING,
	HAS_PIECE, /* and waits until it is written */
	DONE,
};

struct block {
	enum block_state state;
	struct block_item *items;
	size_t count;
	size_t rendered; /* items; the first one that is not has a type without a template */
	size_t misfits;
	bool has_notes, has_text;
	struct text *text;
	const char *piece; /* of the text, while the rest is made */
	size_t piece_len;
};

/* Room for a block's text. It goes back to the thread that used it, in whose cache it is. */
struct text {
	struct out out;
	struct worker *owner;
	struct text *next;
};

struct worker {
	struct render render;
	struct render_crew *crew;
	struct block *block; /* that is being rendered */
	struct text *texts;  /* free; the last one that was used is first */
	pthread_t thread;
};

struct render_crew {
	struct render *r; /* the caller's */
	unsigned jobs, helpers;
	struct worker *workers; /* the first is the caller's thread */
	struct block *ring, *awaited; /* by the caller's thread; or NULL */
	struct text *texts;	      /* as many as blocks */
	size_t ring_size, block_events;
	uint64_t head, next, tail; /* of the ring, modulo its size */
	uint64_t events, bytes;	   /* that were written of late */
	bool is_ending;
	pthread_mutex_t lock;	/* of the ring, but for what is in a block that has an owner */
	pthread_cond_t waiting; /* a block is WAITING, or all end */
	pthread_cond_t news;	/* what is awaited is DONE or HAS_PIECE */
	pthread_cond_t written; /* a piece was */
	pthread_mutex_t sharing; /* render.lock */
};

static struct block *block_at(const struct render_crew *k, uint64_t i)
{
	return &k->ring[i % k->ring_size];
}

/* Rendering, by any thread --------------------------------------------------------------------- */

/* False: the template of its type is yet to be made. */
static bool render_item(struct render *r, struct block_item *item)
{
	const struct chunk *c = item->view->chunk;
	struct raw_event e;
	const struct jfrec_type *t = event_at(c, item->offset, &e);

	if (!SHARED_GET(item->view->shapes->events[t->index]))
		return false;
	r->current = item->view;
	r->slot_count = plan_of(t)->step_count;
	item->is_misfit = !chunk_can_decode(c, t, &e, r->slots);
	if (item->is_misfit)
		return true;
	out_put(&r->out, r->format->separator, r->separator_len);
	r->is_too_long = false;
	render_slots(r, t, r->slots);
	item->is_too_long = r->is_too_long;
	return true;
}

/* Time jumps about among the threads' buffers: ask for the bytes early. */
static void prefetch(const struct block *b, size_t i)
{
	if (i < b->count)
		__builtin_prefetch(b->items[i].view->chunk->bytes + b->items[i].offset);
}

static void render_block(struct worker *w, struct block *b)
{
	struct render *r = &w->render;

	w->block = b;
	r->out = b->text->out;
	r->out.ctx = w;
	for (; b->rendered < b->count && !*r->stop; b->rendered++) {
		struct block_item *item = &b->items[b->rendered];

		prefetch(b, b->rendered + 8);
		if (!render_item(r, item))
			break;
		b->misfits += item->is_misfit;
		b->has_notes |= item->is_misfit || item->is_too_long;
	}
	b->text->out = r->out;
}

/* Some text that is free, best of its own; there are as many as blocks. */
static struct text *take_text(struct worker *w)
{
	struct worker *from = w;
	struct text *t;

	for (unsigned i = 0; !from->texts; i++)
		from = &w->crew->workers[i];
	t = from->texts;
	from->texts = t->next;
	t->owner = w;
	return t;
}

/* The next block, to be rendered; NULL: there is none. With the lock. */
static struct block *take(struct worker *w)
{
	struct render_crew *k = w->crew;
	struct block *b = k->next < k->tail ? block_at(k, k->next++) : NULL;

	if (!b)
		return NULL;
	b->state = RUNNING;
	b->text = take_text(w);
	return b;
}

/* Tell the caller's thread, if it waits. With the lock. */
static void announce(struct render_crew *k, struct block *b, enum block_state state)
{
	b->state = state;
	if (b == k->awaited)
		pthread_cond_signal(&k->news);
}

static void *help(void *worker)
{
	struct worker *w = worker;
	struct render_crew *k = w->crew;
	struct block *b;

	pthread_mutex_lock(&k->lock);
	for (;;) {
		while (!(b = take(w)) && !k->is_ending)
			pthread_cond_wait(&k->waiting, &k->lock);
		if (!b)
			break;
		pthread_mutex_unlock(&k->lock);
		render_block(w, b);
		pthread_mutex_lock(&k->lock);
		announce(k, b, DONE);
	}
	pthread_mutex_unlock(&k->lock);
	return NULL;
}

/* Writing, by the caller's thread -------------------------------------------------------------- */

/* The first event that is printed at all has no separator before it. */
static void write_text(struct render_crew *k, struct block *b, const char *text, size_t len)
{
	struct render *r = k->r;

	if (!len)
		return;
	k->bytes += len;
	if (!r->printed && !b->has_text) {
		text += r->separator_len;
		len -= r->separator_len;
	}
	b->has_text = true;
	out_pass(&r->out, text, len);
}

static void tell_notes(struct block *b)
{
	for (size_t i = 0; b->has_notes && i < b->rendered; i++) {
		struct block_item *item = &b->items[i];
		struct chunk *c = item->view->chunk;
		struct raw_event e;

		if (item->is_misfit)
			chunk_note_misfit(c, event_at(c, item->offset, &e), &e);
		if (item->is_too_long)
			tell_too_long(item->view);
	}
}

/* The rest of a block that met a type without a template. */
static void print_unrendered(struct render *r, const struct block *b)
{
	r->left += b->count - b->rendered;
	for (size_t i = b->rendered; i < b->count && r->left && !is_over(r); i++)
		print_event_at(r, b->items[i].view, b->items[i].offset);
}

/* How many events are a block from here on: by the length of those of late. */
static void measure(struct render_crew *k)
{
	uint64_t n = k->bytes ? BLOCK_TEXT * k->events / k->bytes : FIRST_EVENTS;

	k->block_events = n < LEAST_EVENTS ? LEAST_EVENTS : n > MOST_EVENTS ? MOST_EVENTS : n;
	if (k->bytes > 8 * BLOCK_TEXT) {
		k->bytes /= 2;
		k->events /= 2;
	}
}

static void write_block(struct render_crew *k, struct block *b)
{
	struct render *r = k->r;

	write_text(k, b, b->text->out.buf, (size_t)(b->text->out.pos - b->text->out.buf));
	tell_notes(b);
	k->events += b->rendered;
	r->left += b->misfits;
	count_printed(r, b->rendered - b->misfits);
	if (b->rendered < b->count)
		print_unrendered(r, b);
	measure(k);
}

/* The block is free again. */
static void leave_block(struct render_crew *k, struct block *b)
{
	for (size_t i = 0; i < b->count; i++)
		chunk_render_unref(k->r, b->items[i].view);
	b->count = b->rendered = b->misfits = 0;
	b->has_notes = b->has_text = false;
	out_discard(&b->text->out);
	pthread_mutex_lock(&k->lock);
	b->text->next = b->text->owner->texts;
	b->text->owner->texts = b->text;
	pthread_mutex_unlock(&k->lock);
	k->head++;
}

/*
 * Write what there is of the first block. Once printing is over, only a block of which some was
 * written is written to its end. False: there is nothing yet.
 */
static bool write_head(struct render_crew *k)
{
	struct block *b = block_at(k, k->head);
	enum block_state state;

	pthread_mutex_lock(&k->lock);
	state = b->state;
	pthread_mutex_unlock(&k->lock);
	if (state == HAS_PIECE) {
		if (b->has_text || !is_over(k->r))
			write_text(k, b, b->piece, b->piece_len);
		pthread_mutex_lock(&k->lock);
		b->state = RUNNING;
		pthread_cond_broadcast(&k->written);
		pthread_mutex_unlock(&k->lock);
	} else if (state == DONE) {
		if (b->has_text || !is_over(k->r))
			write_block(k, b);
		leave_block(k, b);
	}
	return state == HAS_PIECE || state == DONE;
}

/* No thread takes what nobody will read. */
static void drop_waiting(struct render_crew *k)
{
	struct block *b;

	pthread_mutex_lock(&k->lock);
	while ((b = take(k->workers)))
		b->state = DONE;
	pthread_mutex_unlock(&k->lock);
}

static void wait_for_head(struct render_crew *k)
{
	struct block *b = block_at(k, k->head);

	pthread_mutex_lock(&k->lock);
	k->awaited = b;
	while (b->state == RUNNING)
		pthread_cond_wait(&k->news, &k->lock);
	k->awaited = NULL;
	pthread_mutex_unlock(&k->lock);
}

/* Come nearer to the end of the first block: write it, or render one, or wait. */
static void go_on(struct render_crew *k)
{
	struct block *b;

	if (is_over(k->r))
		drop_waiting(k);
	if (write_head(k))
		return;
	pthread_mutex_lock(&k->lock);
	b = take(k->workers);
	pthread_mutex_unlock(&k->lock);
	if (!b) {
		wait_for_head(k);
		return;
	}
	render_block(k->workers, b);
	pthread_mutex_lock(&k->lock);
	announce(k, b, DONE);
	pthread_mutex_unlock(&k->lock);
}

/* The caller's thread has more text than fits: it writes what comes before, which others render. */
static void write_piece(struct render_crew *k, struct block *b, const char *text, size_t len)
{
	while (block_at(k, k->head) != b) {
		if (!write_head(k))
			wait_for_head(k);
	}
	if (b->has_text || !is_over(k->r))
		write_text(k, b, text, len);
}

/* jfrec_write_fn of the threads' outputs. */
static int take_piece(void *worker, const void *text, size_t len)
{
	struct worker *w = worker;
	struct render_crew *k = w->crew;
	struct block *b = w->block;

	if (w == k->workers) {
		write_piece(k, b, text, len);
		return 0;
	}
	pthread_mutex_lock(&k->lock);
	b->piece = text;
	b->piece_len = len;
	announce(k, b, HAS_PIECE);
	while (b->state == HAS_PIECE)
		pthread_cond_wait(&k->written, &k->lock);
	pthread_mutex_unlock(&k->lock);
	return 0;
}

/* Adding --------------------------------------------------------------------------------------- */

/* One more thread; where it cannot be had, the others do its work. */
static void call_for_help(struct render_crew *k)
{
	struct worker *w = &k->workers[k->helpers + 1];

	if (k->helpers + 1 == k->jobs)
		return;
	/* Not of the caller's render, in which others count memory. */
	if (render_twin(&w->render, &k->workers->render, k->helpers + 1) < 0) {
		k->jobs = k->helpers + 1;
		return;
	}
	if (crew_start_thread(&w->thread, help, w)) {
		k->helpers++;
	} else {
		render_twin_fini(&w->render);
		k->jobs = k->helpers + 1;
	}
}

static void pass_on(struct render_crew *k)
{
	bool is_much;

	pthread_mutex_lock(&k->lock);
	block_at(k, k->tail++)->state = WAITING;
	is_much = k->tail - k->next >= k->ring_size / 2;
	if (is_much)
		pthread_cond_signal(&k->waiting);
	pthread_mutex_unlock(&k->lock);
	if (is_much)
		call_for_help(k);
	while (k->head < k->tail && write_head(k))
		;
	while (k->tail - k->head == k->ring_size)
		go_on(k);
}

void render_crew_add(struct render_crew *k, struct chunk_render *v, uint64_t offset)
{
	struct block *b = block_at(k, k->tail);

	v->refs++;
	b->items[b->count++] = (struct block_item){ .view = v, .offset = offset };
	k->r->left--;
	if (b->count >= k->block_events)
		pass_on(k);
}

void render_crew_finish(struct render_crew *k)
{
	if (block_at(k, k->tail)->count)
		pass_on(k);
	pthread_mutex_lock(&k->lock);
	if (k->tail - k->next > 1)
		pthread_cond_broadcast(&k->waiting);
	pthread_mutex_unlock(&k->lock);
	while (k->head < k->tail)
		go_on(k);
}

/* The crew ------------------------------------------------------------------------------------- */

static bool make_ring(struct render_crew *k)
{
	k->ring = calloc(k->ring_size, sizeof(*k->ring));
	k->texts = calloc(k->ring_size, sizeof(*k->texts));
	for (size_t i = 0; k->ring && k->texts && i < k->ring_size; i++) {
		struct worker *w = &k->workers[i % k->jobs];
		struct text *t = &k->texts[i];

		k->ring[i].items = calloc(MOST_EVENTS, sizeof(*k->ring[i].items));
		if (!k->ring[i].items ||
		    out_init_sized(&t->out, MOST_TEXT, take_piece, NULL, NULL) < 0)
			return false;
		t->next = w->texts;
		w->texts = t;
		w->crew = k;
	}
	return k->ring && k->texts;
}

static void free_ring(struct render_crew *k)
{
	for (size_t i = 0; k->ring && k->texts && i < k->ring_size; i++) {
		free(k->ring[i].items);
		out_fini(&k->texts[i].out);
	}
	free(k->ring);
	free(k->texts);
}

static void init_locks(struct render_crew *k)
{
	pthread_mutexattr_t again;

	pthread_mutex_init(&k->lock, NULL);
	pthread_cond_init(&k->waiting, NULL);
	pthread_cond_init(&k->news, NULL);
	pthread_cond_init(&k->written, NULL);
	/* Making a template makes others. */
	pthread_mutexattr_init(&again);
	pthread_mutexattr_settype(&again, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&k->sharing, &again);
	pthread_mutexattr_destroy(&again);
}

struct render_crew *render_crew_new(struct render *r)
{
	unsigned jobs = crew_jobs(r->source);
	struct render_crew *k = jobs > 1 ? calloc(1, sizeof(*k)) : NULL;

	if (!k)
		return NULL;
	k->r = r;
	k->jobs = jobs;
	k->ring_size = (size_t)jobs * BLOCKS_OF_THREAD;
	k->block_events = FIRST_EVENTS;
	init_locks(k);
	k->workers = calloc(jobs, sizeof(*k->workers));
	if (!k->workers || !make_ring(k) || render_share(r, jobs, &k->sharing) < 0 ||
	    render_twin(&k->workers[0].render, r, 0) < 0) {
		r->lock = NULL;
		render_crew_free(k);
		return NULL;
	}
	return k;
}

void render_crew_free(struct render_crew *k)
{
	if (!k)
		return;
	pthread_mutex_lock(&k->lock);
	k->is_ending = true;
	pthread_cond_broadcast(&k->waiting);
	pthread_mutex_unlock(&k->lock);
	for (unsigned i = 0; k->workers && i <= k->helpers; i++) {
		if (i)
			pthread_join(k->workers[i].thread, NULL);
		render_twin_fini(&k->workers[i].render);
	}
	k->r->lock = NULL;
	free(k->workers);
	free_ring(k);
	pthread_mutex_destroy(&k->sharing);
	pthread_mutex_destroy(&k->lock);
	pthread_cond_destroy(&k->waiting);
	pthread_cond_destroy(&k->news);
	pthread_cond_destroy(&k->written);
	free(k);
}
