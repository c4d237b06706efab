/* SPDX-License-Identifier: MIT */
/* jfrec/reader.h - opening a recording, selecting events, stepping through them */
#ifndef JFREC_READER_H
#define JFREC_READER_H

#include "jfrec/event.h"

JFREC_BEGIN_DECLS

struct jfrec_reader;	 /* an open recording */

/* How a recording is opened.  The strings are copied. */
struct jfrec_open_options {
	size_t struct_size;
	/*
	 * The input is damaged: recover as much as possible.  It need not begin with a recording, a
	 * damaged chunk header is restored if there is a copy of it, and a chunk that was never
	 * finished is read beyond its last flush, where events may lack some constants.
	 */
	bool rescue;
	/*
	 * Copy chunks into memory instead of mapping their files.  If another program truncates a
	 * mapped file, SIGBUS kills the program that reads the lost page; with this option, it
	 * reads damage instead.  This takes some time, and as much memory as the largest chunk.
	 */
	bool without_mapping;
	/* The name of an input without a path in problems and jfrec_reader_input(); NULL:
	 * "descriptor 7", "memory". */
	const char *name;
	/*
	 * The input need not begin with a chunk header: where that is lost, another one is made
	 * from what jfrec_reader_types_from() gives.  An input that is not a recording even so
	 * fails when it is read, with JFREC_EFORMAT.
	 */
	bool without_header;
};

/*
 * Open a recording, which is recognised by its content, not by its name.
 *
 * path: a file, also one compressed by gzip, zstd, lz4, xz or bzip2, or in base64; a zip or tar
 * archive, whose recordings are read in the order of time; a directory, whose chunk files are read
 * so; a FIFO; or "-", standard input.  options: NULL for none.
 *
 * Returns the reader, to be closed with jfrec_reader_close(), or NULL with
 * *err set: no such file, a device or socket, empty, or not a recording.
 *
 * Recordings of version 0.x (Oracle JDK 7 and 8) are read as if their JVM had written version 2.1.
 */
struct jfrec_reader *jfrec_reader_open(const char *path, const struct jfrec_open_options *options,
				       struct jfrec_error *err);

/*
 * The same of a descriptor: a file, compressed or not, is read from its beginning, wherever its
 * offset is; a pipe or socket from where it is.  It may be an archive.  The reader keeps a
 * duplicate, so the caller may close it at any time.
 */
struct jfrec_reader *jfrec_reader_open_fd(int fd, const struct jfrec_open_options *options,
					  struct jfrec_error *err);

/*
 * The same for bytes in memory, compressed or not, or an archive.  They are not copied, so they
 * must not change until the reader is closed.
 */
struct jfrec_reader *jfrec_reader_open_memory(const void *bytes, size_t len,
					      const struct jfrec_open_options *options,
					      struct jfrec_error *err);

/*
 * What jfrec_reader_open() opens beside a path, for programs that are to say beforehand which files
 * they open: what a killed native program left in memory, or its repository. To be freed with
 * jfrec_free(); NULL: nothing.
 */
char *jfrec_reader_beside(const char *path);

/*
 * Use the types of another recording, of the same JVM or of one of the same build, for chunks that
 * have lost their own and whose events do not match those of their neighbours: a type has the same
 * id in both recordings.  They are used only if the lengths of the events match these types, and
 * this is reported as damage.  May be called several times, before anything is read.
 *
 * 0, or -1 with *err set: as jfrec_reader_open(), or no metadata can be read.
 */
int jfrec_reader_types_from(struct jfrec_reader *r, const char *path, struct jfrec_error *err);

/*
 * Read another input after those that were opened or added before, as one recording.  An input
 * that is not a recording is reported as damage when its turn comes.
 * To be called before anything is read.  0, or -1 with *err set.
 */
int jfrec_reader_add(struct jfrec_reader *r, const char *path, struct jfrec_error *err);

/*
 * Make inputs that can be read only once, pipes and sockets, readable as often as files: read them
 * to their ends into temporary files in /var/tmp (or /tmp), which have no names and end with the
 * reader.  Inputs that are files are not touched.  Functions that read the recording twice do this
 * by themselves, except those that take a const reader: of a pipe, call this first.
 *
 * To be called before anything is read.
 * 0, or -1 with *err set: JFREC_EIO, with ENOSPC in .sys if
 * the disk is full, and EFBIG if there is more than jfrec_reader_limit_spool() allows; JFREC_EINVAL
 * if reading has begun; JFREC_ECANCELED.
 */
int jfrec_reader_spool(struct jfrec_reader *r, struct jfrec_error *err);

/* How many bytes of pipes are stored in that way, in all, at most; 0: 4 GiB, as by default. */
void jfrec_reader_limit_spool(struct jfrec_reader *r, uint64_t bytes);

/*
 * A second reader of the same inputs, from their beginning: without the first one's selections,
 * functions and threads.  To be closed like that one, which may be closed before it.  NULL with
 * *err set: JFREC_EINVAL for a pipe that was not stored, JFREC_ENOMEM, or as jfrec_reader_open().
 */
struct jfrec_reader *jfrec_reader_again(const struct jfrec_reader *r, struct jfrec_error *err);

/*
 * The path of the file that is being read: where a failure happened.  In an archive it is that of
 * the archive and the file's name, "shop.zip: logs/app.jfr".  Lives as long as r.
 */
const char *jfrec_reader_input(const struct jfrec_reader *r);

/*
 * How many files the recording consists of: those that were opened and added, the recordings of a
 * directory, and those in an archive.  An archive counts as one until it is read, but for one that
 * is the first file, which is looked into when it is opened.
 */
size_t jfrec_reader_file_count(const struct jfrec_reader *r);

/*
 * The name of file i, in the order of reading, as jfrec_reader_input() gives it while that file is
 * read; NULL: there is none.  It lives as long as r, or until jfrec_reader_only_file().
 */
const char *jfrec_reader_file_name(const struct jfrec_reader *r, size_t i);

/*
 * Read only file i; it is number 0 from then on.  What is damaged in an archive apart from the
 * recordings in it is reported with file 0 only.  To be called before anything is read.
 *
 * 0, or -1 with *err set.  JFREC_EINVAL means that there is no file i, or that reading has begun;
 * the reader has not changed then.  After another error, as of jfrec_reader_open(), it can only be
 * closed.
 */
int jfrec_reader_only_file(struct jfrec_reader *r, size_t i, struct jfrec_error *err);

/* Close the reader and free all that belongs to it. */
void jfrec_reader_close(struct jfrec_reader *r);

/*
 * Call fn(ctx, problem) for each problem found from now on, during calls
 * on this reader.  *problem is valid during the call.  Without a function
 * problems are only counted.
 */
void jfrec_reader_on_problem(struct jfrec_reader *r, jfrec_problem_fn *fn, void *ctx);

/*
 * Report as a notice, after the last chunk, that chunks overlap: then events are not in the order
 * of time.  Chunks of a JVM and of a profiler in the same file overlap by design, and are not
 * reported.
 */
void jfrec_reader_tell_overlaps(struct jfrec_reader *r);

typedef void jfrec_progress_fn(void *ctx, uint64_t bytes, uint64_t total, uint64_t events);

/*
 * Call fn(ctx, ...) regularly while a function works through the recording: jfrec_print(),
 * jfrec_query_run(), jfrec_stacks_read(), and those that write recordings.  It gets the bytes of
 * all inputs read so far and in all (0 if one is a stream), and how many events were printed,
 * selected or read, or 0 where they are not counted.
 */
void jfrec_reader_on_progress(struct jfrec_reader *r, jfrec_progress_fn *fn, void *ctx);

/*
 * Make the function that works through the recording return soon: jfrec_print() ends the document
 * after the current event and returns 0; the others fail with JFREC_ECANCELED.  jfrec_reader_next()
 * and jfrec_summarize() take no notice.  May be called from a signal handler or another thread.
 */
void jfrec_reader_stop(struct jfrec_reader *r);

/*
 * How many threads may work on the chunks of the recording at the same time: 1, until this is
 * called.  jfrec_query_run(), jfrec_summarize(), jfrec_stacks_read(), jfrec_analysis_read() and
 * jfrec_print() start the others, and end them before they return; all signals but SIGBUS are
 * blocked in them.  The results are the same for any number.  Each has a chunk or two in memory;
 * those of jfrec_print() share one, but for JFREC_COUNT.  A pipe is read by one thread.  To be
 * called before anything is read.
 *
 * With more than one, jfrec_progress_fn and jfrec_zone_fn are called by any of them, by one at a
 * time.
 */
void jfrec_reader_set_jobs(struct jfrec_reader *r, unsigned jobs);

/* How many problems with .damage were met so far. */
uint64_t jfrec_reader_damage(const struct jfrec_reader *r);

/*
 * Select the event types that are read, by jfrec_reader_next() and by what else works through the
 * recording; all others are skipped by their size and never decoded.  To be called before anything
 * is read.
 *
 * events: globs (`*`, `?`) separated by commas, for the full or the simple name
 * of a type.  categories: globs for any element of its category path, or an
 * element's acronym ("JVM").  Both as in JDK 25's `jfr print`; a type must
 * pass both.  NULL passes all.  The strings are copied.
 *
 * Returns 0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_reader_select(struct jfrec_reader *r, const char *events, const char *categories,
			struct jfrec_error *err);

/*
 * Of the events of these types, select those for which an expression over their fields is true,
 * such as
 *
 *	duration > 10ms and eventThread.javaName =~ "http-*"
 *
 * jfrec-where(7) describes the language.  May be called several times: all
 * expressions must be true.  To be called before the first event is read.
 *
 * Returns 0, or -1 with *err set: JFREC_EEXPRESSION, with the column and what is
 * wrong there, or JFREC_ENOMEM.  Whether a field exists is known only when the
 * first chunk is read: then jfrec_reader_next(), jfrec_print() and others may fail
 * with JFREC_EEXPRESSION.
 *
 * A comparison with a time relative to the start or the end of the recording stores a pipe first,
 * as jfrec_reader_spool() does, and fails as that.
 */
int jfrec_reader_where(struct jfrec_reader *r, const char *expression, struct jfrec_error *err);

enum jfrec_filter {
	JFREC_FILTER_EVENTS = 0,
	JFREC_FILTER_CATEGORIES = 1,
	JFREC_FILTER_THREADS = 2
};

/*
 * The same by name: only events that one of the globs, separated by commas,
 * matches, or only the others.  Events and categories are matched as by
 * jfrec_reader_select(); threads by the event's thread's Java name, as by `jfr
 * scrub`: an event without one passes only if others are excluded.
 *
 * May be called several times; all filters must let an event pass.  Returns 0,
 * or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_reader_filter(struct jfrec_reader *r, enum jfrec_filter by, bool exclude,
			const char *globs, struct jfrec_error *err);

/*
 * Step to the next event, in file order.  1: *ev is set; 0: end of recording;
 * -1: *err is set, and the reader can only be closed.
 *
 * *ev belongs to the reader and is valid until the next call on it.  Damage is not an error: it is
 * reported as a problem, and the next intact event is delivered.
 */
int jfrec_reader_next(struct jfrec_reader *r, const struct jfrec_event **ev,
		      struct jfrec_error *err);

/*
 * When the recording began and ended, in ns since 1970, from the headers of its
 * chunks; nothing is decoded, and nothing of the reader changes.  Returns 0, or
 * -1 with *err set: JFREC_EINVAL for a pipe, without jfrec_reader_spool().
 */
int jfrec_reader_span(const struct jfrec_reader *r, int64_t *start_ns, int64_t *end_ns,
		      struct jfrec_error *err);

/*
 * How many chunks the recording has, those of which nothing can be read left
 * out.  As jfrec_reader_span(), of which the rest holds, too.
 */
int jfrec_reader_count_chunks(const struct jfrec_reader *r, uint64_t *count,
			      struct jfrec_error *err);

/* Where a chunk is, and when it was recorded, as its header says. */
struct jfrec_chunk_place {
	uint64_t offset, size; /* in its file */
	int64_t start_ns, duration_ns;
};

/*
 * The chunks of the recording, in its order: an array of *count entries, to be freed with
 * jfrec_free().  As jfrec_reader_count_chunks(), of which the rest holds, too.  NULL with *err set.
 */
struct jfrec_chunk_place *jfrec_reader_chunks(const struct jfrec_reader *r, size_t *count,
					      struct jfrec_error *err);

/*
 * How many seconds local time was ahead of UTC in the recording's first chunk of which something
 * can be read; 0 if there is none.  As jfrec_reader_span(), of which the rest holds, too.
 */
int jfrec_reader_zone(const struct jfrec_reader *r, int32_t *utc_offset_s, struct jfrec_error *err);

JFREC_END_DECLS

#endif
