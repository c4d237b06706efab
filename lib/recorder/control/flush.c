/* SPDX-License-Identifier: MIT */
/*
 * flush.c - move events from the buffers into the chunk, and what they refer to
 *
 * All buffers are walked, not the threads: so threads need not be listed anywhere.  A buffer that
 * becomes full meanwhile is met again in the next flush, and nothing of it is written twice, since
 * `taken` belongs to the drainer alone.  Buffers are recycled after the commit: until then their
 * events can be written again, or be found after a crash.  So when there are many full ones, a
 * flush takes only some, and those that are not full wait until the last of them: threads have
 * empty buffers again soon, while all of them would take as long as it takes to fill them.
 */
#include "recorder/control/flush.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/control/check.h"
#include "recorder/control/recordings.h"
#include "recorder/control/subscriptions.h"
#include "recorder/ground/clock.h"
#include "recorder/ground/memory.h"
#include "recorder/observe/lives.h"
#include "recorder/observe/observe.h"
#include "recorder/stack/stacks.h"
#include "recorder/stack/traces.h"
#include "recorder/threads/losses.h"
#include "recorder/threads/sampler.h"
#include "recorder/threads/thread.h"
#include "recorder/types/interned_texts.h"
#include "recorder/types/metadata.h"
#include "recorder/types/types.h"

enum row_mark { ROW_UNUSED, ROW_NEEDED, ROW_WRITTEN };

static struct {
	uint32_t *full; /* full buffers that were taken from the list, the first one first */
	uint32_t full_count;
	uint32_t *touched; /* by this flush; and how many of them are full ones */
	uint32_t touched_count, full_touched;
	uint8_t rows[THREAD_ROWS];   /* enum row_mark of this chunk */
	uint8_t exited[THREAD_ROWS]; /* threads that had ended when the flush began */
	bool is_brief;	 /* the process ends, and this is all that is written for it */
	bool is_whole;	 /* after this flush all that was emitted before it is in the chunk */
	uint64_t texts[TEXT_SLOTS / 64];
	uint32_t texts_seen;
	uint64_t types_seen, settings_seen; /* 0: none in this chunk */
	uint64_t told[EVENT_TYPES], told_bytes;
	char trouble[256];
	uint64_t troubles;
	const char *shutdown; /* why the process ends; NULL: it does not */
	struct bytes bytes;
} at;

/* Once: it stays. */
static int have_room(struct jfrec_recorder_error *err)
{
	size_t count = region->buffer_max + BIG_COUNT;

	if (!at.full)
		at.full = malloc(count * sizeof(*at.full));
	if (!at.touched)
		at.touched = malloc(count * sizeof(*at.touched));
	return at.full && at.touched ? 0 : recorder_fail(err, ENOMEM, "no memory for the recorder");
}

void flush_new_chunk(void)
{
	memset(at.rows, ROW_UNUSED, THREAD_ROWS);
	memset(at.texts, 0, sizeof(at.texts));
	at.texts_seen = 0;
	at.types_seen = at.settings_seen = 0;
	stacks_lock();
	stacks_new_chunk();
	traces_new_chunk();
	stacks_unlock();
}

static struct bytes *cleared(void)
{
	at.bytes.size = 0;
	at.bytes.failed = false;
	return &at.bytes;
}

/* Buffers -------------------------------------------------------------------------------------- */

/* next: the one that comes after it. */
static void collect_buffer(struct chunk *c, uint32_t index, uint32_t next,
			   struct flush_counts *counts)
{
	struct event_buffer *b = memory_buffer(index);
	uint32_t from = atomic_load_explicit(&b->taken, memory_order_relaxed);
	uint32_t to = atomic_load_explicit(&b->pos, memory_order_acquire);
	uint32_t row = atomic_load_explicit(&b->row, memory_order_relaxed), good;

	if (from >= to || to > b->size || row >= THREAD_ROWS)
		return;
	good = check_events(b->data, from, to, memory_buffer(next)->data, &counts->written);
	counts->damaged_bytes += to - good;
	chunk_append_lasting(c, b->data + from, good - from);
	subscriptions_offer(b->data + from, good - from, row,
			    atomic_load_explicit(&b->key, memory_order_relaxed));
	if (at.rows[row] == ROW_UNUSED)
		at.rows[row] = ROW_NEEDED;
	atomic_store_explicit(&b->taken, to, memory_order_release);
	at.touched[at.touched_count++] = index;
}

/* The last index + 1 of those that may have events. */
static uint32_t used_buffers(void)
{
	uint32_t fresh = atomic_load(&region->fresh);

	return fresh < region->buffer_max ? fresh : region->buffer_max;
}

/* After those that were taken before and are not written yet. */
static void take_full(void)
{
	uint32_t first = at.full_count, last;

	for (uint32_t i = buffer_take_full(); i; i = atomic_load(&memory_buffer(i - 1)->next))
		at.full[at.full_count++] = i - 1;
	last = at.full_count;
	while (first + 1 < last) {
		uint32_t i = at.full[first];

		at.full[first++] = at.full[--last];
		at.full[last] = i;
	}
}

/* Those that are not taken from the list, be they full by now or not. */
static void collect_rest(struct chunk *c, struct flush_counts *counts)
{
	uint32_t used = used_buffers(), end = used + (memory_is_whole() ? BIG_COUNT : 0);

	for (uint32_t i = 0; i < end; i++) {
		uint32_t index = i < used ? i : region->buffer_max + i - used;

		if (atomic_load_explicit(&memory_buffer(index)->state, memory_order_acquire) !=
		    BUFFER_FREE)
			collect_buffer(c, index, index, counts);
	}
}

static void collect(struct chunk *c, struct flush_counts *counts)
{
	uint32_t count = at.full_touched;

	at.touched_count = 0;
	stacks_lock();
	for (uint32_t i = 0; i < count; i++)
		collect_buffer(c, at.full[i], at.full[i + 1 < count ? i + 1 : i], counts);
	if (at.is_whole)
		collect_rest(c, counts);
	stacks_unlock();
}

static void settle_buffer(struct event_buffer *b)
{
	atomic_store_explicit(&b->flushed, atomic_load_explicit(&b->taken, memory_order_relaxed),
			      memory_order_release);
}

static void undo_buffer(struct event_buffer *b)
{
	atomic_store_explicit(&b->taken, atomic_load_explicit(&b->flushed, memory_order_relaxed),
			      memory_order_release);
}

/* The recorder's own events -------------------------------------------------------------------- */

/* row, key: of the thread that they are about; 0, 0: of none. */
static void append_about(struct chunk *c, const struct bytes *b, uint32_t row, uint64_t key)
{
	chunk_append(c, b->data, b->size);
	if (!b->failed)
		subscriptions_offer(b->data, b->size, row, key);
}

static void append_own(struct chunk *c, const struct bytes *b)
{
	append_about(c, b, 0, 0);
}

static size_t begin_event(struct bytes *b, uint32_t type)
{
	size_t event = bytes_begin(b, type);

	bytes_varint(b, clock_ticks());
	return event;
}

/* Another thread may have its row now. */
static bool has_row(uint32_t row, uint64_t key)
{
	return key && row < THREAD_ROWS && atomic_load(&memory_row(row)->key) == key;
}

/* Of threads that the sampler has seen. */
static void need_row(uint32_t row, uint64_t key)
{
	if (has_row(row, key) && at.rows[row] == ROW_UNUSED)
		at.rows[row] = ROW_NEEDED;
}

static void tell_sample(struct chunk *c, const struct sample *s)
{
	bool has_thread = has_row(s->row, s->key);
	struct bytes *b = cleared();
	size_t event = bytes_begin(b, s->is_blocked ? TYPE_BLOCKED_SAMPLE : TYPE_EXECUTION_SAMPLE);

	bytes_varint(b, s->ticks);
	bytes_varint(b, s->key);
	bytes_varint(b, stacks_need(s->stack));
	bytes_varint(b, s->is_blocked ? STATE_SLEEPING : STATE_RUNNABLE);
	bytes_end(b, event);
	need_row(s->row, s->key);
	append_about(c, b, has_thread ? s->row : 0, has_thread ? s->key : 0);
}

static void tell_samples(struct chunk *c)
{
	struct sampler_losses losses;
	struct bytes *b;
	struct sample s;
	size_t event;

	stacks_lock();
	while (sampler_take(&s))
		tell_sample(c, &s);
	stacks_unlock();
	b = cleared();
	sampler_take_losses(&losses);
	if (losses.lost || losses.failed || losses.cut) {
		event = begin_event(b, TYPE_SAMPLES_LOST);
		bytes_varint(b, losses.lost);
		bytes_varint(b, losses.failed);
		bytes_varint(b, losses.cut);
		bytes_end(b, event);
	}
	append_own(c, b);
}

static void tell_observed(struct chunk *c)
{
	struct bytes *b = cleared();

	if (at.is_brief)
		observe_briefly(b);
	else
		observe(b, !at.types_seen, need_row);
	append_own(c, b);
}

static void tell_lives(struct chunk *c)
{
	struct bytes *b = cleared();

	lives_tell(b, at.exited, need_row);
	append_own(c, b);
}

void flush_note_trouble(const char *message)
{
	snprintf(at.trouble, sizeof(at.trouble), "%s", message);
	at.troubles++;
}

void flush_note_shutdown(const char *reason)
{
	at.shutdown = reason;
}

void flush_be_brief(bool is_brief)
{
	at.is_brief = is_brief;
}

static void tell_trouble_and_end(struct chunk *c)
{
	uint64_t key = thread.state == THREAD_ATTACHED ? thread.key : 0;
	struct bytes *b = cleared();
	size_t event;

	if (at.troubles) {
		event = begin_event(b, TYPE_TROUBLE);
		bytes_text(b, at.trouble);
		bytes_varint(b, at.troubles);
		bytes_end(b, event);
	}
	if (at.shutdown && types_is_wanted(TYPE_SHUTDOWN)) {
		event = begin_event(b, TYPE_SHUTDOWN);
		bytes_varint(b, key);
		bytes_varint(b, 0);
		bytes_text(b, at.shutdown);
		bytes_end(b, event);
		need_row(thread.row, key);
	}
	append_own(c, b);
}

/* How many events of each type found no room since the last flush. */
static void tell_losses(struct chunk *c)
{
	uint64_t told_bytes = atomic_load(&region->told_bytes), total, any = 0;
	struct bytes *b = cleared();
	struct losses sums;
	size_t event;

	losses_sum(&sums);
	total = sums.bytes > told_bytes ? sums.bytes : told_bytes;
	types_lock();
	for (uint32_t id = TYPE_FIRST_OF_PROGRAM; id < types_end(); id++) {
		uint64_t told = atomic_load_explicit(&region->told[id], memory_order_relaxed),
			 count;

		at.told[id] = sums.of[id] > told ? sums.of[id] : told;
		count = at.told[id] - told;
		atomic_store_explicit(&region->telling[id], at.told[id], memory_order_relaxed);
		if (!count)
			continue;
		event = begin_event(b, TYPE_EVENT_LOSS);
		bytes_text(b, types_get(id)->name);
		bytes_varint(b, count);
		bytes_end(b, event);
		any += count;
	}
	types_unlock();
	at.told_bytes = total;
	atomic_store(&region->telling_bytes, total);
	if (any) {
		event = begin_event(b, TYPE_DATA_LOSS);
		bytes_varint(b, total - told_bytes);
		bytes_varint(b, total);
		bytes_end(b, event);
	}
	append_own(c, b);
}

static void tell_setting(struct bytes *b, uint32_t id, const char *name, const char *value)
{
	size_t event = begin_event(b, TYPE_ACTIVE_SETTING);

	bytes_varint(b, id);
	bytes_text(b, name);
	bytes_text(b, value);
	bytes_end(b, event);
}

/* In the largest unit in which it is a whole number. */
static void time_text(char text[32], uint64_t ns)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int unit = 0;

	for (; unit < 3 && ns && ns % 1000 == 0; unit++)
		ns /= 1000;
	snprintf(text, 32, "%" PRIu64 " %s", ns, units[unit]);
}

static void tell_settings(struct chunk *c)
{
	struct bytes *b = cleared();
	char text[32];

	types_lock();
	if (at.settings_seen == types_settings_version()) {
		types_unlock();
		return;
	}
	at.settings_seen = types_settings_version();
	for (uint32_t id = TYPE_DATA_LOSS; id < types_end(); id++) {
		const struct type *t = types_get(id);

		if (!t || (id < TYPE_FIRST_OF_PROGRAM && !t->is_optional))
			continue;
		tell_setting(b, id, "enabled", t->is_enabled ? "true" : "false");
		time_text(text, t->threshold_ns);
		if (t->flags & JFREC_EVENT_HAS_DURATION)
			tell_setting(b, id, "threshold", text);
		if (t->flags & JFREC_EVENT_HAS_STACK)
			tell_setting(b, id, "stackTrace", t->has_stack ? "true" : "false");
		time_text(text, t->period_ns);
		if (t->has_period)
			tell_setting(b, id, "period", t->period_ns == UINT64_MAX ? "everyChunk" : text);
	}
	types_unlock();
	append_own(c, b);
}

static void tell_recording(struct bytes *b, const struct recording *r)
{
	size_t event = begin_event(b, TYPE_ACTIVE_RECORDING);

	bytes_varint(b, r->id);
	bytes_text(b, r->name);
	bytes_text(b, r->filename);
	bytes_byte(b, 1);
	/* The largest number: forever. */
	bytes_varint(b, r->max_age_ns ? r->max_age_ns / 1000000 : INT64_MAX);
	bytes_varint(b, r->flush_ns / 1000000);
	bytes_varint(b, r->max_size);
	bytes_varint(b, r->start_ns / 1000000);
	bytes_varint(b, r->duration_ns ? r->duration_ns / 1000000 : INT64_MAX);
	bytes_end(b, event);
}

static void tell_recordings(struct chunk *c)
{
	struct bytes *b = cleared();
	const struct recording *r;

	for (size_t i = 0; (r = recordings_at(i)); i++)
		if (r->id && r->state == RECORDING_RUNNING)
			tell_recording(b, r);
	append_own(c, b);
}

/* Types and constants -------------------------------------------------------------------------- */

static void append_metadata(struct chunk *c)
{
	struct bytes *b = cleared();

	types_lock();
	if (at.types_seen != types_version()) {
		at.types_seen = types_version();
		metadata_encode(b, clock_ticks(), at.types_seen);
	}
	types_unlock();
	if (b->size)
		chunk_append_metadata(c, b);
}

static uint32_t encode_threads(struct bytes *b)
{
	uint32_t count = 0, end = atomic_load(&region->fresh_row);
	char name[THREAD_NAME];

	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++) {
		struct thread_row *row = memory_row(i);
		uint64_t key = atomic_load(&row->key);

		if (at.rows[i] != ROW_NEEDED)
			continue;
		at.rows[i] = ROW_WRITTEN;
		thread_read_name(row, name);
		bytes_varint(b, key);
		bytes_text(b, name);
		bytes_varint(b, atomic_load(&row->tid));
		bytes_text(b, name);
		bytes_varint(b, key);
		bytes_varint(b, 0);
		bytes_byte(b, 0);
		count++;
	}
	return count;
}

static void add_pool(struct bytes *b, unsigned type, uint32_t count, const struct bytes *entries)
{
	if (!count)
		return;
	bytes_varint(b, type);
	bytes_varint(b, count);
	bytes_add(b, entries->data, entries->size);
	b->failed |= entries->failed;
}

/* A checkpoint of kind 1, which ends what readers may deliver.  Pools must not be empty. */
static void append_checkpoint(struct chunk *c)
{
	struct bytes threads = { 0 }, texts = { 0 }, stacks = { 0 }, *b = cleared();
	unsigned pools;
	uint32_t thread_count = encode_threads(&threads);
	uint32_t text_count = interned_texts_encode(&texts, at.texts, &at.texts_seen);
	size_t event;

	stacks_lock();
	pools = stacks_encode(&stacks, types_have_classes());
	stacks_unlock();
	event = begin_event(b, 1);
	bytes_varint(b, 0);
	bytes_varint(b, c->checkpoint_at ? c->checkpoint_at - c->at : 0);
	bytes_byte(b, 1);
	bytes_varint(b, (thread_count != 0) + (text_count != 0) + pools);
	add_pool(b, TYPE_THREAD, thread_count, &threads);
	add_pool(b, TYPE_STRING, text_count, &texts);
	bytes_add(b, stacks.data, stacks.size);
	b->failed |= stacks.failed;
	bytes_end(b, event);
	chunk_append_checkpoint(c, b);
	bytes_fini(&threads);
	bytes_fini(&texts);
	bytes_fini(&stacks);
}

/* The flush ------------------------------------------------------------------------------------ */

static void note_exited(void)
{
	uint32_t end = atomic_load(&region->fresh_row);

	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++)
		at.exited[i] = atomic_load_explicit(&memory_row(i)->state, memory_order_acquire) ==
			       THREAD_EXITED;
}

/* Which full buffers this flush writes. */
static void plan(uint32_t most)
{
	note_exited();
	take_full();
	at.is_whole = at.full_count <= most;
	at.full_touched = at.is_whole ? at.full_count : most;
}

/* What is needed no more goes back to the threads. */
static void recycle_full(void)
{
	for (uint32_t i = 0; i < at.full_touched; i++)
		buffer_recycle(memory_buffer(at.full[i]));
	at.full_count -= at.full_touched;
	memmove(at.full, at.full + at.full_touched, at.full_count * sizeof(*at.full));
	atomic_fetch_sub(&region->full_count, at.full_touched);
	buffers_give();
}

/* All that these threads emitted is in this chunk, with their names. */
static void free_exited(void)
{
	uint32_t end = atomic_load(&region->fresh_row);

	for (uint32_t i = 0; i < end && i < THREAD_ROWS; i++) {
		if (!at.exited[i])
			continue;
		at.exited[i] = 0;
		at.rows[i] = ROW_UNUSED;
		row_free(memory_row(i));
	}
}

static void settle(void)
{
	for (uint32_t i = 0; i < at.touched_count; i++)
		settle_buffer(memory_buffer(at.touched[i]));
	recycle_full();
	if (at.is_whole) {
		lives_settle();
		free_exited();
	}
	at.troubles = 0;
	at.shutdown = NULL;
	for (uint32_t id = 0; id < EVENT_TYPES; id++)
		atomic_store_explicit(&region->told[id], at.told[id], memory_order_relaxed);
	atomic_store(&region->told_bytes, at.told_bytes);
}

static void undo(struct chunk *c)
{
	for (uint32_t i = 0; i < at.touched_count; i++)
		undo_buffer(memory_buffer(at.touched[i]));
	if (at.is_whole)
		lives_undo();
	subscriptions_undo();
	chunk_rewind(c);
	/* Constants of this flush may be missing: they are written again. */
	flush_new_chunk();
}

bool flush_has_more(void)
{
	return at.full_count != 0;
}

int flush_to(struct chunk *c, enum chunk_end end, uint32_t most, struct flush_counts *counts,
	     struct jfrec_recorder_error *err)
{
	uint64_t horizon = clock_ticks();
	struct flush_counts now = { 0 };

	if (have_room(err))
		return -1;
	/* From here on `taken` changes: what is pending is not any more. */
	atomic_store(&region->pending_size, 0);
	plan(most);
	if (!at.settings_seen)
		tell_recordings(c);
	collect(c, &now);
	tell_samples(c);
	tell_observed(c);
	if (at.is_whole)
		tell_lives(c);
	tell_trouble_and_end(c);
	tell_losses(c);
	tell_settings(c);
	append_metadata(c);
	append_checkpoint(c);
	if (chunk_ready(c, err)) {
		undo(c);
		return -1;
	}
	atomic_store(&region->pending_size, c->at);
	if (chunk_commit(c, clock_ticks(), end, err)) {
		atomic_store(&region->pending_size, 0);
		undo(c);
		return -1;
	}
	settle();
	if (at.is_whole)
		subscriptions_commit(horizon);
	else
		subscriptions_keep();
	counts->written += now.written;
	counts->damaged_bytes += now.damaged_bytes;
	return 0;
}
