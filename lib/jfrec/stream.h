/* SPDX-License-Identifier: MIT */
/* jfrec/stream.h - following events while a JVM records them */
#ifndef JFREC_STREAM_H
#define JFREC_STREAM_H

#include <poll.h>

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

/* How many event types are declared now; 0 before the first JFREC_STREAM_TYPES. */
size_t jfrec_stream_type_count(const struct jfrec_stream *s);

/*
 * Type number i, in the order of their declaration; NULL beyond the last.  Valid until the next
 * call of jfrec_stream_next().
 */
const struct jfrec_type *jfrec_stream_type_get(const struct jfrec_stream *s, size_t i);

/*
 * Where the chunks are: a path as the JVM sees it, or as it was given.  NULL: not known yet.  Valid
 * until the next call of jfrec_stream_next().
 */
const char *jfrec_stream_directory(const struct jfrec_stream *s);

/*
 * Many JVMs, directories and files at once.
 *
 * Each of them is a source, with one stream of its events or several, if they go to consumers that
 * choose different ones.  The sources take turns, so that one with many events does not delay the
 * others.  JVMs that are started later can be looked out for; one that was started again is a new
 * source.
 *
 *	all = jfrec_streams_new(&err);
 *	jfrec_streams_look_out(all, &query, true, &err);
 *	while (jfrec_streams_next(all, -1, &step, &err) > 0)
 *		if (step.kind == JFREC_STREAMS_FOUND)
 *			jfrec_source_open(step.source, NULL, &err);
 *		else if (step.kind == JFREC_STREAMS_STEP && step.step.kind == JFREC_STREAM_EVENT)
 *			... jfrec_source_name(step.source), jfrec_event_value(step.step.event, ...)
 *	jfrec_streams_free(all);
 */
struct jfrec_streams;
struct jfrec_source;

/* Nothing is followed yet.  To be freed with jfrec_streams_free(); NULL: *err is set. */
struct jfrec_streams *jfrec_streams_new(struct jfrec_error *err);

/* Free it with all sources and streams. */
void jfrec_streams_free(struct jfrec_streams *all);

/*
 * Add a file or a directory, as jfrec_stream_open() takes it, which is copied.  It has no stream
 * yet; see jfrec_source_open().  The source belongs to the streams.  NULL: *err is set
 * (JFREC_ENOMEM).
 */
struct jfrec_source *jfrec_streams_add_path(struct jfrec_streams *all, const char *path,
					    struct jfrec_error *err);

/*
 * Add a JVM, which is copied.  look_out: the number of the look-out for which it counts, or -1.
 * Otherwise as jfrec_streams_add_path().
 */
struct jfrec_source *jfrec_streams_add_jvm(struct jfrec_streams *all, const struct jfrec_jvm *jvm,
					   int look_out, struct jfrec_error *err);

/*
 * From now on look out for JVMs that fit the query, about every two seconds, and add them, those
 * apart that are there or were refused.  jfrec_streams_next() returns them as
 * JFREC_STREAMS_FOUND.  The strings of the query must live as long as the streams.
 *
 * takes_all: every JVM that fits; otherwise one at a time, as long as it is the only one.
 *
 * Returns the number of the look-out, 0 for the first, or -1 with *err set (JFREC_EINVAL,
 * JFREC_ENOMEM).
 */
int jfrec_streams_look_out(struct jfrec_streams *all, const struct jfrec_jvm_query *query,
			   bool takes_all, struct jfrec_error *err);

/* Is this process, by .pid and .start_ticks, one of the sources? */
bool jfrec_streams_has_jvm(const struct jfrec_streams *all, const struct jfrec_jvm *jvm);

/* How many sources there are, also those that have ended and were not removed. */
size_t jfrec_streams_count(const struct jfrec_streams *all);

/* Source number i; NULL beyond the last.  Valid until it is removed. */
struct jfrec_source *jfrec_streams_get(const struct jfrec_streams *all, size_t i);

/*
 * Open one more stream of a source: jfrec_stream_open_jvm(), or jfrec_stream_open(), with these
 * options.  It belongs to the source: the caller selects events with its reader, but neither
 * reads nor closes it.  NULL: *err is set.
 */
struct jfrec_stream *jfrec_source_open(struct jfrec_source *s,
				       const struct jfrec_stream_options *options,
				       struct jfrec_error *err);

/* The path, or the pid as text.  Lives as long as the source. */
const char *jfrec_source_name(const struct jfrec_source *s);

/* The JVM; NULL: a path.  Lives as long as the source. */
const struct jfrec_jvm *jfrec_source_jvm(const struct jfrec_source *s);

/* Keep a pointer of the caller's with the source. */
void jfrec_source_set_ctx(struct jfrec_source *s, void *ctx);

/* The pointer that was set; NULL: none was. */
void *jfrec_source_ctx(const struct jfrec_source *s);

/* Have all its streams ended or failed?  True without streams. */
bool jfrec_source_has_ended(const struct jfrec_source *s);

/* Remove a source and close its streams.  A look-out may find a JVM that still runs again. */
void jfrec_source_remove(struct jfrec_source *s);

/* Remove a source whose JVM no look-out shall find again. */
void jfrec_source_refuse(struct jfrec_source *s);

enum jfrec_streams_kind {
	JFREC_STREAMS_NOTHING = 0, /* the time to wait is over */
	JFREC_STREAMS_FOUND = 1,   /* .source: a JVM of a look-out, without streams as yet */
	JFREC_STREAMS_STEP = 2,	   /* .step of .stream of .source; never JFREC_STREAM_NOTHING */
	JFREC_STREAMS_TURN = 3,	   /* the turn of .stream is over, in which it had steps */
	JFREC_STREAMS_ROUND = 4,   /* each source has had its turn, and there were steps */
	JFREC_STREAMS_ENDED = 5,   /* .stream of .source: see jfrec_stream_end_reason() */
	JFREC_STREAMS_FAILED = 6,  /* the same, for the reason in *err; the others continue */
};

struct jfrec_streams_step {
	enum jfrec_streams_kind kind;
	struct jfrec_source *source;
	size_t stream; /* of the source: 0 is the first that was opened */
	struct jfrec_stream_step step;
};

/*
 * Take the next step.  1: *step is set, and valid until the next call; 0: all sources have ended,
 * and nothing is looked out for; -1: *err is set (JFREC_ENOMEM).
 *
 * timeout_ms: how long to wait for something; 0: not at all, -1: for ever.  Between two calls
 * sources may be added, removed and opened, also the one of the step.
 */
int jfrec_streams_next(struct jfrec_streams *all, int timeout_ms, struct jfrec_streams_step *step,
		       struct jfrec_error *err);

/*
 * For programs that wait themselves: for how many ms from now on a look would find nothing, as
 * jfrec_stream_pause_ms().  INT_MAX: nothing will come.
 */
int jfrec_streams_pause_ms(const struct jfrec_streams *all);

/*
 * What to poll() for meanwhile, as jfrec_stream_fd().  Returns how many descriptors there are, of
 * which the first `room` are written to fds, with .events set; fds may be NULL if room is 0.
 */
size_t jfrec_streams_fds(const struct jfrec_streams *all, struct pollfd *fds, size_t room);

/*
 * Have all streams end: jfrec_streams_next() returns what has been read and their ends, then 0. May
 * be called from a signal handler or another thread.
 */
void jfrec_streams_stop(struct jfrec_streams *all);

JFREC_END_DECLS

#endif
