/* SPDX-License-Identifier: MIT */
/* jfrec/stream.h - following events while a JVM records them */
#ifndef JFREC_STREAM_H
#define JFREC_STREAM_H

#include "jfrec/jvm.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/*
 * Events as a JVM records them: a stream follows its repository on the disk, to which the JVM
 * writes new data about once a second (a flush).  The JVM does nothing for it.
 *
 *	s = jfrec_stream_open_jvm(jvm, NULL, &err);
 *	jfrec_reader_select(jfrec_stream_reader(s), "jdk.CPULoad,jdk.GC*", NULL, &err);
 *	while (jfrec_stream_next(s, -1, &step, &err) > 0)
 *		if (step.kind == JFREC_STREAM_EVENT)
 *			... jfrec_event_value(step.event, ...)
 *	jfrec_stream_close(s);
 *
 * Of a chunk that grows only what is new is read, and of that only chosen events are decoded.
 * In memory are the constants of the chunk at hand and 256 KB of its events; while they are
 * being ordered, up to 12 MB of those chosen.
 */
struct jfrec_stream;

struct jfrec_stream_options {
	size_t struct_size;
	/*
	 * Only events that ended at this time or later, and before that one (ns since 1970).
	 *
	 * from_ns NULL: what is flushed from now on, or, of a file, all.  INT64_MIN: all there is.
	 * At to_ns the stream ends.  Both are copied.
	 */
	const int64_t *from_ns, *to_ns;
	/*
	 * As they lie in the file: without delay, but a thread's events come in bunches.  Otherwise
	 * those of each flush (of a file: of each chunk) come in the order of their end; if a flush
	 * has more than 12 MB or 262,144 events that were chosen, parts of it do.
	 */
	bool unordered;
	/*
	 * Wait for more data also in a directory to which no visible process writes.  Otherwise
	 * the stream
	 * ends where its chunks do.
	 */
	bool wait;
};

/*
 * Open a recording file, or a directory of chunk files: the repository of a JVM, or the one that
 * holds repositories, of which the one changed last is followed.  If a JVM of this host writes
 * there, the stream is as one of jfrec_stream_open_jvm().
 *
 * options: NULL for none.  Returns the stream, to be closed with jfrec_stream_close(), or NULL
 * with *err set, as jfrec_reader_open(); a directory may be empty.
 */
struct jfrec_stream *jfrec_stream_open(const char *path,
				       const struct jfrec_stream_options *options,
				       struct jfrec_error *err);

/*
 * Open the repository of a JVM, found by its open files, without attaching: in whatever root
 * directory or container it runs, and wherever it moves the repository.  It need not record now. 
 * The stream ends when the
 * JVM does.
 *
 * As jfrec_stream_open(); JFREC_ENOJVM, JFREC_EPERMISSION.
 */
struct jfrec_stream *jfrec_stream_open_jvm(const struct jfrec_jvm *jvm,
					   const struct jfrec_stream_options *options,
					   struct jfrec_error *err);

/* Free all that belongs to it. */
void jfrec_stream_close(struct jfrec_stream *s);

/*
 * The reader of the stream: to choose events (jfrec_reader_select(), _filter(), _where()) before
 * the first step, and to receive problems (jfrec_reader_on_problem()).  It belongs to the stream,
 * and is not to be read from.
 *
 * An expression on a field that no chosen type has as yet fails at the first chunk; on types
 * that are not declared yet it is asked when they are.
 */
struct jfrec_reader *jfrec_stream_reader(struct jfrec_stream *s);

enum jfrec_stream_kind {
	JFREC_STREAM_NOTHING, /* the time to wait is over */
	JFREC_STREAM_EVENT,   /* .event */
	JFREC_STREAM_FLUSH,   /* all events up to .ns have been delivered, long ones apart */
	JFREC_STREAM_TYPES,   /* types were declared: the first ones, more, or other ones */
};

struct jfrec_stream_step {
	enum jfrec_stream_kind kind;
	/*
	 * Belongs to the stream and is valid, as all that is got from it, until the next call of
	 * jfrec_stream_next(): events are always reused.
	 */
	const struct jfrec_event *event;
	int64_t ns; /* since 1970: when the flush began */
};

/*
 * Take the next step.  1: *step is set; 0: the stream has ended, see jfrec_stream_end_reason();
 * -1: *err is set (JFREC_EIO, JFREC_ENOMEM, JFREC_EPERMISSION, JFREC_EEXPRESSION), and it can only
 * be closed.
 *
 * timeout_ms: how long to wait for something; 0: not at all, -1: for ever.  Data that is damaged,
 * or was removed before it could be read, is reported as a problem, and the stream continues.
 */
int jfrec_stream_next(struct jfrec_stream *s, int timeout_ms, struct jfrec_stream_step *step,
		      struct jfrec_error *err);

/*
 * For those that look at many streams without waiting at any: how many ms from now on looking at
 * this one would find nothing, or find it no sooner than it is due.
 */
int jfrec_stream_pause_ms(const struct jfrec_stream *s);

/*
 * A descriptor that is readable when a new chunk has come, which may be gone before that time is
 * over: to be polled while waiting jfrec_stream_pause_ms(); it is jfrec_stream_next() that reads
 * it.  -1: there is none, now or at all; the kernel tells nothing of some file systems.  It belongs
 * to the stream; another one may be there after the next call of jfrec_stream_next().
 */
int jfrec_stream_fd(const struct jfrec_stream *s);

/*
 * Have jfrec_stream_next() return 0 from now on, also one that waits.  May be called from a signal
 * handler or another thread.
 */
void jfrec_stream_stop(struct jfrec_stream *s);

enum jfrec_stream_end {
	JFREC_STREAM_GOES_ON,
	JFREC_STREAM_STOPPED, /* jfrec_stream_stop() */
	JFREC_STREAM_TIME,    /* .to_ns has come */
	JFREC_STREAM_DONE,    /* the file is read; the JVM finished its last chunk */
	JFREC_STREAM_DIED,    /* the JVM ended without finishing it: all it flushed was delivered */
	JFREC_STREAM_DELETED, /* the repository was deleted */
};

/* Why it has ended. */
enum jfrec_stream_end jfrec_stream_end_reason(const struct jfrec_stream *s);

/*
 * The event types that are declared now, in the order of their declaration; NULL beyond the last,
 * and before the first JFREC_STREAM_TYPES.  Valid until the next call of jfrec_stream_next().
 */
const struct jfrec_type *jfrec_stream_type_get(const struct jfrec_stream *s, unsigned i);

/*
 * Where the chunks are: a path as the JVM sees it, or as it was given.  NULL: not known yet.  Valid
 * until the next call of jfrec_stream_next().
 */
const char *jfrec_stream_directory(const struct jfrec_stream *s);

JFREC_END_DECLS

#endif
