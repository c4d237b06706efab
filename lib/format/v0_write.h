/* SPDX-License-Identifier: MIT */
/*
 * v0_write.h - events and constants of version 0.x in the encoding of 2.1
 *
 * Constants get new numbers, as events ask for them: a key of 0.x may mean several things in one
 * chunk, a key of 2.x one.
 */
#ifndef JFREC_FORMAT_V0_WRITE_H
#define JFREC_FORMAT_V0_WRITE_H

#include "base/buffer.h"
#include "format/v0_constants.h"
#include "format/v0_names.h"

/* The pools of 2.x that all chunks have; after them there is one for each content of V0_OTHER. */
enum v0_pool {
	V0_POOL_THREAD,
	V0_POOL_GROUP,
	V0_POOL_LOADER,
	V0_POOL_CLASS,
	V0_POOL_METHOD,
	V0_POOL_SYMBOL,
	V0_POOL_STACK,
	V0_POOL_OTHER,
};

/* Ids of types in 2.1.  Those of events follow in the order of 0.x. */
enum v0_type_id {
	V0_TYPE_BOOLEAN = 4,
	V0_TYPE_BYTE,
	V0_TYPE_SHORT,
	V0_TYPE_INT,
	V0_TYPE_LONG,
	V0_TYPE_FLOAT,
	V0_TYPE_DOUBLE,
	V0_TYPE_TEXT,
	V0_TYPE_FRAME,
	V0_TYPE_SETTING, /* jdk.ActiveSetting */
	V0_TYPE_LOSS,	 /* jdk.DataLoss */
	V0_TYPE_NOTES,	 /* the first annotation */
	V0_TYPE_POOLS = 32,
	V0_TYPE_EVENTS = 64,
};

struct v0_pool_out {
	struct buffer records;
	uint64_t count;
};

/* How the events of a type are written. */
struct v0_plan {
	struct v0_field *fields; /* in their order */
	bool is_setting;	 /* jdk.ActiveSetting: an event for each of its values */
	int timed_out, notifier; /* of a wait: which values; -1: it is none */
};

/* A constant that has a key, and whose value is still to be written. */
struct v0_due {
	uint32_t pool;
	uint64_t key, id; /* id: of a thread */
	struct v0_constant *constant, *java_thread;
};

struct v0_writer {
	const struct v0_types *types;
	struct v0_constants *constants;
	struct buffer *to;  /* events */
	uint64_t *last_key; /* by enum v0_pool; they go on from chunk to chunk, as the JDK wants */
	struct v0_pool_out *pools;
	struct digest_map threads; /* their keys */
	struct v0_due *due;
	size_t due_count, due_room;
	struct v0_plan *plans;	/* by the index of the event */
	const uint8_t **places; /* of an event's values */
	struct arena arena;
	bool failed; /* memory is gone */
};

/*
 * Write to `to`; types and constants must live as long as the writer.  last_key: V0_POOL_OTHER + 1
 * of them.  0, or -1 when memory is gone; v0_writer_fini() is for both.
 */
int v0_writer_init(struct v0_writer *w, const struct v0_types *t, struct v0_constants *k,
		   struct buffer *to, uint64_t *last_key);
void v0_writer_fini(struct v0_writer *w);

/* The ids of what is declared in 2.1: an event, a pool's constants. */
uint64_t v0_event_type_id(const struct v0_writer *w, const struct v0_event *e);
uint64_t v0_pool_type_id(uint32_t pool);

/* The pool of 2.1 for these constants. */
uint32_t v0_pool_of(const struct v0_content *k);

/*
 * Write an event, whose end has been read: c is over what follows it.  False: its values do not
 * fit, and nothing was written; or memory is gone (w->failed).
 */
bool v0_write_event(struct v0_writer *w, const struct v0_event *e, int64_t end, struct cursor c);

/* The same of the built-in event that tells of lost buffers. */
bool v0_write_loss(struct v0_writer *w, int64_t end, struct cursor c);

/* All constants that were asked for, as a checkpoint event. */
void v0_write_constants(struct v0_writer *w);

/* Write the metadata event. */
void v0_write_metadata(struct v0_writer *w, uint64_t id);

#endif
