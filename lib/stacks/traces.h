/* SPDX-License-Identifier: MIT */
/*
 * traces.h - the stack traces of one chunk, each worked out once
 */
#ifndef JFREC_STACKS_TRACES_H
#define JFREC_STACKS_TRACES_H

#include "format/object.h"
#include "stacks/frame_names.h"
#include "stacks/frames.h"

/* The frames that are kept of a trace, from the leaf on: HotSpot records 2,048 at most. */
#define TRACE_MAX_FRAMES 8192

/* What names and frames are kept in, over all chunks that one worker reads. */
struct book {
	struct name_set names;
	struct frames frames;
};

void book_fini(struct book *b);

/* A stack trace: numbers of frames, the leaf first, as recordings have them. */
struct trace {
	const uint32_t *frames;
	uint32_t count;
	uint32_t number; /* among those of the chunk */
	bool is_truncated;
};

/* What a method is called, which several frames share. */
struct method_entry {
	uint32_t name;
	bool is_native; /* shown without its class */
	uint32_t
		frames[FRAME_C1 + 1]; /* those without a line or index, by kind: number + 1, or 0 */
};

/* Where the members of a frame are in its slots, or -1. */
struct frame_steps {
	const struct jfrec_type *type; /* of the frame; NULL: not looked at yet */
	int method, line, bci, kind;
	const struct jfrec_type *method_type;
};

/* A frame as its bytes in the chunk, and what it turned out to be. */
struct seen_frame {
	uint64_t bytes[2]; /* 0 after the last */
	uint32_t number;   /* + 1; 0: none */
};

struct trace_entry {
	uint32_t first, count;
	bool is_truncated;
};

/* What refers to an object, worked out once (chains.h). */
struct referrer {
	uint32_t frame, class; /* as in struct holder */
	int64_t size;
	uint64_t from;	/* the key of the object that refers to it */
	bool has_any;	/* else nothing does, and the rest is not known */
	bool is_static; /* from a static field: the chain ends there */
};

/* What frames the constants of a type are, by their keys. */
struct frames_of_keys {
	const struct jfrec_type *type; /* the last that was asked for; NULL: none */
	struct idmap by_key;
};

struct traces {
	struct objects objects;
	struct book *book;
	struct naming naming;
	bool with_lines, with_bci;
	bool is_async_profiler; /* its frame kinds go beyond the JDK's */
	bool is_out_of_memory;
	struct frame_steps steps;
	struct seen_frame *seen; /* of that type: the last at each hash; NULL: none as yet */
	uint64_t seen_mask;	 /* their number, less one */
	struct frames_of_keys threads, classes[FRAME_KINDS];
	struct idmap by_method, by_trace; /* key to number */
	struct method_entry *methods;
	uint32_t method_count, method_room;
	struct trace_entry *list;
	uint32_t count, room;
	uint32_t *frames; /* of all of them, one after the other */
	uint32_t frame_count, frame_room;
	const struct jfrec_type *object_type; /* of the objects below */
	struct idmap by_object;		      /* key to number */
	struct referrer *referrers;
	uint32_t referrer_count, referrer_room;
};

/* Begin with a chunk, which must stay loaded until traces_fini(). */
void traces_init(struct traces *t, const struct chunk *c, struct book *book,
		 const struct naming *naming);
void traces_fini(struct traces *t);

/*
 * The stack trace of that key of the pool of that type. False if there is none, or memory is gone
 * (is_out_of_memory). *trace is valid until the next call.
 */
bool traces_get(struct traces *t, const struct jfrec_type *type, uint64_t key,
		struct trace *trace);

/* The frame for a class: of an object that was allocated, or of a lock. FRAME_NONE as above. */
uint32_t traces_class_frame(struct traces *t, const struct jfrec_type *type, uint64_t key,
			    enum frame_kind kind);

/*
 * The frame for a thread, "[main tid=4711]", as jfrconv names it: the number is that of the
 * thread's constant, which is the thread of the operating system in async-profiler's recordings.
 */
uint32_t traces_thread_frame(struct traces *t, const struct jfrec_type *type, uint64_t key);

/* A frame with a text of ours, such as "[no stack]". */
uint32_t traces_note_frame(struct traces *t, const char *text);

/* The same, shown as frames of that kind are. */
uint32_t traces_text_frame(struct traces *t, const char *text, enum frame_kind kind);

#endif
