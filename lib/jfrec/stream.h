/* SPDX-License-Identifier: MIT */
/* jfrec/stream.h - following events while a JVM records them */
#ifndef JFREC_STREAM_H
#define JFREC_STREAM_H

#include <poll.h>

#include "jfrec/jvm.h"
#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

/*
 * A stream delivers events while a JVM records them.  It follows the JVM's repository on disk, to
 * which the JVM writes new data about once a second (a flush).  The JVM does no extra work.
 *
 *	s = jfrec_stream_open_jvm(jvm, NULL, &err);
 *	jfrec_reader_select(jfrec_stream_reader(s), "jdk.CPULoad,jdk.GC*", NULL, &err);
 *	while (jfrec_stream_next(s, -1, &step, &err) > 0)
 *		if (step.kind == JFREC_STREAM_EVENT)
 *			... jfrec_event_value(step.event, ...)
 *	jfrec_stream_close(s);
 *
 * A stream reads only the new part of a growing chunk, and decodes only selected events.  In memory
 * it keeps the constants of the current chunk, 256 KiB of its events, and while it sorts events, up
 * to 12 MiB of the selected ones.
 */
struct jfrec_stream;

struct jfrec_stream_options {
	size_t struct_size;
	/*
	 * Only events that ended at from_ns or later, and before to_ns (ns since 1970).
	 *
	 * from_ns NULL: the events that are flushed from now on, or all events of a file.
	 * INT64_MIN: all events.  The stream ends at to_ns.  Both are copied.
	 */
	const int64_t *from_ns, *to_ns;
	/*
	 * Deliver events in the order of the file: without delay, but the events of one thread come
	 * in blocks.  Otherwise, the events of each flush (in a file: of each chunk) are sorted by
	 * their end; if a flush has more than 12 MiB or 262,144 selected events, each part of it
	 * is.
	 */
	bool unordered;
	/*
	 * Wait for more data even if no visible process writes to the directory.  Otherwise the
	 * stream ends after the last chunk.
	 */
	bool wait;
};

/*
 * Open a recording file, or a directory of chunk files: the repository of a JVM, or a directory of
 * repositories, of which the stream follows the one that changed last.  If a JVM of this host
 * writes there, the stream behaves as one of jfrec_stream_open_jvm().
 *
 * options: NULL for none.  Returns the stream, to be closed with jfrec_stream_close(), or NULL
 * with *err set, as jfrec_reader_open(); a directory may be empty.
 */
struct jfrec_stream *jfrec_stream_open(const char *path,
				       const struct jfrec_stream_options *options,
				       struct jfrec_error *err);

/*
 * Open the repository of a JVM, found by the JVM's open files, without attaching: in any root
 * directory or container, and also after the JVM has moved it.  The JVM need not be recording yet.
 * The stream ends when the JVM exits.
 *
 * Returns as jfrec_stream_open(); also JFREC_ENOJVM, JFREC_EPERMISSION.
 */
struct jfrec_stream *jfrec_stream_open_jvm(const struct jfrec_jvm *jvm,
					   const struct jfrec_stream_options *options,
					   struct jfrec_error *err);

/* Close the stream and free everything that belongs to it. */
void jfrec_stream_close(struct jfrec_stream *s);

/*
 * The reader of the stream.  Use it to select events before the first step (jfrec_reader_select(),
 * _filter(), _where()) and to receive problems (jfrec_reader_on_problem()), but do not read events
 * from it.  It belongs to the stream.
 *
 * An expression on a field that no selected type of the first chunk has makes the stream fail
 * there.  For types that are declared later, the expression is checked then.
 */
struct jfrec_reader *jfrec_stream_reader(struct jfrec_stream *s);

enum jfrec_stream_kind {
	JFREC_STREAM_NOTHING = 0, /* the time to wait is over */
	JFREC_STREAM_EVENT = 1,	  /* .event */
	JFREC_STREAM_FLUSH = 2,	  /* all events up to .ns were delivered, except those still open */
	JFREC_STREAM_TYPES = 3,	  /* the declared event types have changed */
};

struct jfrec_stream_step {
	enum jfrec_stream_kind kind;
	/*
	 * Belongs to the stream.  The event, and everything that is got from it, is valid until the
	 * next call of jfrec_stream_next(), since events are always reused.
	 */
	const struct jfrec_event *event;
	int64_t ns; /* since 1970: when the flush began */
};

/*
 * Take the next step.  1: *step is set; 0: the stream has ended, see jfrec_stream_end_reason();
 * -1: *err is set (JFREC_EIO, JFREC_ENOMEM, JFREC_EPERMISSION, JFREC_EEXPRESSION), and it can only
 * be closed.
 *
 * timeout_ms: how long to wait; 0: not at all, -1: forever.  Data that is damaged, or was removed
 * before it could be read, is reported as a problem, and the stream continues.
 */
int jfrec_stream_next(struct jfrec_stream *s, int timeout_ms, struct jfrec_stream_step *step,
		      struct jfrec_error *err);

/*
 * For programs that read many streams without waiting for one of them: for how many ms from now
 * this stream will have nothing to deliver.
 */
int jfrec_stream_pause_ms(const struct jfrec_stream *s);

/*
 * A descriptor that becomes readable when there is a new chunk, which the JVM might remove again
 * before jfrec_stream_pause_ms() is over.  Poll it while waiting, and let jfrec_stream_next() read
 * it.  -1: there is none, since the kernel does not report changes on some file systems.  It
 * belongs to the stream; jfrec_stream_next() may replace it by another one.
 */
int jfrec_stream_fd(const struct jfrec_stream *s);

/*
 * Make jfrec_stream_next() return 0 from now on, also a call that is waiting.  May be called from a
 * signal handler or another thread.
 */
void jfrec_stream_stop(struct jfrec_stream *s);

enum jfrec_stream_end {
	JFREC_STREAM_GOES_ON = 0,
	JFREC_STREAM_STOPPED = 1, /* jfrec_stream_stop() */
	JFREC_STREAM_TIME = 2,	  /* .to_ns was reached */
	JFREC_STREAM_DONE = 3,	  /* end of the file, or the JVM finished its last chunk */
	JFREC_STREAM_DIED = 4, /* the JVM did not finish its last chunk; what it flushed was read */
	JFREC_STREAM_DELETED = 5, /* the repository was deleted */
};

/* Why the stream has ended. */
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
 * From now on look out for JVMs that match the query, about every two seconds, and add them, those
 * apart that are there or were refused.  jfrec_streams_next() returns them as
 * JFREC_STREAMS_FOUND.  The strings of the query must live as long as the streams.
 *
 * takes_all: every JVM that matches; otherwise one at a time, as long as it is the only one.
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
	JFREC_STREAMS_FOUND = 1,   /* .source: a JVM of a look-out, without streams yet */
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
 * timeout_ms: how long to wait; 0: not at all, -1: forever.  Between two calls
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
 * Is there a source that has no turn for now because its last one took long?  What it has is read
 * later: there may be more than what jfrec_streams_next() found.
 *
 * A turn has up to 20,000 steps and 0.25 s of processor time, with what the caller does meanwhile;
 * only a single step may take longer, for example one that reads the declarations of 100,000 event
 * types.  If that happens, the source is left out for as long as it took, times the number of the
 * other sources that have not ended, so each of them gets the same share of the time.
 */
bool jfrec_streams_rest(const struct jfrec_streams *all);

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
