/* SPDX-License-Identifier: MIT */
/*
 * jfrec.h - read and write JDK Flight Recorder recordings without a JVM
 *
 * The whole public interface of libjfrec.  The library never prints, exits, or
 * looks at arguments or the environment.  It keeps no global state: different
 * readers may be used from different threads, one reader from one at a time.
 *
 * A recording is a row of chunks.  Each chunk explains itself: it declares its
 * event types and holds the constants (threads, classes, stack traces) that
 * its events refer to.  So types, fields and values belong to a chunk, and
 * live as long as it is the reader's current one.
 *
 * Link with `pkg-config --cflags --libs libjfrec`.
 */
#ifndef JFREC_H
#define JFREC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library, such as "0.1.0".  Static. */
const char *jfrec_version(void);

/* Errors --------------------------------------------------------------------------------------- */

#define JFREC_NO_OFFSET UINT64_MAX

enum jfrec_code {
	JFREC_OK = 0,
	JFREC_EIO,	    /* the system refused to read; .sys is errno */
	JFREC_EOUTPUT,	    /* the caller's write function failed; .sys is what it returned */
	JFREC_EFORMAT,	    /* not a recording, or a damaged one */
	JFREC_EUNSUPPORTED, /* a recording of a kind that nobody here reads */
	JFREC_EINVAL,	    /* the caller asked for what cannot be */
	JFREC_ENOMEM,
	JFREC_ECANCELED,   /* jfrec_reader_stop() was called */
	JFREC_EEXPRESSION, /* jfrec_reader_where(): .offset is the byte in the expression */
	JFREC_ELEAK,	   /* jfrec_write_scrubbed(): .offset is the byte in the output */
	/* Of JVMs; the tool's exit codes 3 to 9 and 1, jfrec(1). */
	JFREC_ENOJVM,	   /* no such process, or no JVM that we can talk to */
	JFREC_EPERMISSION, /* the JVM is somebody else's */
	JFREC_EATTACH,	   /* attach is disabled, broken, or not ready; said before any harm */
	JFREC_ETIMEOUT,	   /* no answer in time; the command may still be carried out */
	JFREC_EDIED,	   /* the JVM ended, or its answer broke off */
	JFREC_ENOJFR,	   /* the JVM has no Flight Recorder, or has it switched off */
	JFREC_ERESULT,	   /* the file that the JVM wrote is missing or incomplete */
	JFREC_EREFUSED,	   /* the JVM answered that it failed */
	JFREC_ENOEVENT,	   /* none of the events that were asked for is there */
};

/* Filled by the call that failed.  Every `err` argument may be NULL. */
struct jfrec_error {
	enum jfrec_code code;
	int sys;	 /* errno for JFREC_EIO and JFREC_EOUTPUT, else 0 */
	uint64_t offset; /* byte in the input, or JFREC_NO_OFFSET */
	char text[384];	 /* one sentence without the input's name; ends in NUL */
};

/* Reading events ------------------------------------------------------------------------------- */

struct jfrec_reader;	 /* an open recording */
struct jfrec_event;	 /* one event */
struct jfrec_type;	 /* an event type, or the type of a value */
struct jfrec_field;	 /* a field of a type */
struct jfrec_annotation; /* an annotation of a type or a field */

/*
 * Open a recording, known by its content and not by its name.
 *
 * path: a file, also one compressed by gzip or zstd; a directory, whose chunk
 * files are read in the order of time; a FIFO; or "-", standard input.
 *
 * Returns the reader, to be closed with jfrec_reader_close(), or NULL with
 * *err set: no such file, a device or socket, empty, not a recording, or one
 * of version 0.x (Oracle JDK 7 and 8), which has another format.
 */
struct jfrec_reader *jfrec_reader_open(const char *path, struct jfrec_error *err);

/*
 * The same for an input that is damaged, to get out of it what can be got:
 * nothing needs to be a recording, a damaged chunk header is mended if there is
 * a copy of it, and a chunk that was never finished is read beyond its last
 * flush, where events may lack some constants.
 */
struct jfrec_reader *jfrec_reader_rescue(const char *path, struct jfrec_error *err);

/*
 * Take the types of another recording, of the same JVM or of one of the same build, for chunks
 * that have lost their own and whose neighbours' do not fit: a type's id means the same in
 * both.  They are used only where events are as long as these types say, and that is told
 * as damage.  May be called several times, before anything is read.
 *
 * 0, or -1 with *err set: as jfrec_reader_open(), or no metadata can be read.
 */
int jfrec_reader_types_from(struct jfrec_reader *r, const char *path, struct jfrec_error *err);

/*
 * Have another input read behind those that were opened or added before, as
 * one recording.  What is no recording is told as damage when its turn comes.
 * To be called before anything is read.  0, or -1 with *err set.
 */
int jfrec_reader_add(struct jfrec_reader *r, const char *path, struct jfrec_error *err);

/* The path of the file that is being read: where a failure happened.  Lives as long as r. */
const char *jfrec_reader_input(const struct jfrec_reader *r);

/* Close the reader and free all that belongs to it.  NULL is allowed. */
void jfrec_reader_close(struct jfrec_reader *r);

/*
 * What a reader met that is not as it should be.
 *
 * Damage loses events or constants; a notice loses nothing that the producer
 * promised (a chunk that its JVM has not finished is read up to its last
 * flush).  Reading goes on after both: with the next chunk, if need be.
 */
struct jfrec_problem {
	bool damage;	   /* false: a notice */
	const char *input; /* the path of the file, as given or found in a directory */
	uint64_t offset;   /* byte in the input where it begins */
	uint64_t lost;	   /* bytes that could not be used; 0 where that has no meaning */
	/*
	 * When what is lost was recorded, in ns since 1970: from the last event in front of it
	 * to the first one behind it.  Both 0 where that is not known.
	 */
	int64_t from_ns, to_ns;
	const char *text; /* one sentence; tells the times, too */
};

/*
 * Have fn(ctx, problem) called for each problem met from now on, during calls
 * on this reader.  *problem is valid during the call.  Without a function
 * problems are only counted.
 */
typedef void jfrec_problem_fn(void *ctx, const struct jfrec_problem *problem);
void jfrec_reader_on_problem(struct jfrec_reader *r, jfrec_problem_fn *fn, void *ctx);

/*
 * Have fn(ctx, ...) called now and then while jfrec_print() works: bytes of all
 * inputs read so far and in all (0 if one is a stream), and events printed.
 */
typedef void jfrec_progress_fn(void *ctx, uint64_t bytes, uint64_t total, uint64_t events);
void jfrec_reader_on_progress(struct jfrec_reader *r, jfrec_progress_fn *fn, void *ctx);

/*
 * Have jfrec_print() end the document after the event at hand and return 0.
 * May be called from a signal handler or another thread.
 */
void jfrec_reader_stop(struct jfrec_reader *r);

/* How many problems with .damage were met so far. */
uint64_t jfrec_reader_damage(const struct jfrec_reader *r);

/*
 * Choose the event types that jfrec_reader_next() and jfrec_print() deliver;
 * all others are skipped by their size and never decoded.  To be called before
 * the first of them.
 *
 * events: globs (`*`, `?`) parted by commas, for the full or the simple name
 * of a type.  categories: globs for any element of its category path, or an
 * element's acronym ("JVM").  Both as in JDK 25's `jfr print`; a type must
 * pass both.  NULL passes all.  The strings are copied.
 *
 * Returns 0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_reader_select(struct jfrec_reader *r, const char *events, const char *categories,
			struct jfrec_error *err);

/*
 * Of the events of these types, choose those for which an expression on their
 * fields holds, such as
 *
 *	duration > 10ms and eventThread.javaName =~ "http-*"
 *
 * jfrec-where(7) describes the language.  May be called several times: all
 * expressions must hold.  To be called before the first event is read.
 *
 * Returns 0, or -1 with *err set: JFREC_EEXPRESSION, with the column and what is
 * wrong there, or JFREC_ENOMEM.  Whether a field exists is known only when the
 * first chunk is read: then jfrec_reader_next() or jfrec_print() may fail with
 * JFREC_EEXPRESSION.
 */
int jfrec_reader_where(struct jfrec_reader *r, const char *expression, struct jfrec_error *err);

enum jfrec_filter { JFREC_FILTER_EVENTS, JFREC_FILTER_CATEGORIES, JFREC_FILTER_THREADS };

/*
 * The same by name: only events that one of the globs, parted by commas,
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
 * *ev belongs to the reader and is valid until the next call on it.  Damage is
 * no error: it is told as a problem, and the next whole event is delivered.
 */
int jfrec_reader_next(struct jfrec_reader *r, const struct jfrec_event **ev,
		      struct jfrec_error *err);

/*
 * When the recording began and ended, in ns since 1970, from the headers of its
 * chunks; nothing is decoded, and nothing of the reader changes.  Returns 0, or
 * -1 with *err set.
 */
int jfrec_reader_span(const struct jfrec_reader *r, int64_t *start_ns, int64_t *end_ns,
		      struct jfrec_error *err);

/*
 * How many chunks the recording has, those of which nothing can be read left
 * out.  As jfrec_reader_span(), of which the rest holds, too.
 */
int jfrec_reader_count_chunks(const struct jfrec_reader *r, uint64_t *count,
			      struct jfrec_error *err);

/*
 * How many seconds local time was ahead of UTC in the recording's first chunk of which something
 * can be read; 0 if there is none.  As jfrec_reader_span(), of which the rest holds, too.
 */
int jfrec_reader_zone(const struct jfrec_reader *r, int32_t *utc_offset_s, struct jfrec_error *err);

/* How many seconds local time is ahead of UTC at that time (seconds since 1970, UTC). */
typedef int32_t jfrec_zone_fn(void *ctx, int64_t seconds);

/* A point in time as people write it, perhaps relative to a recording. */
struct jfrec_time {
	enum {
		JFREC_SINCE_1970,
		JFREC_SINCE_START,
		JFREC_BEFORE_END,
		JFREC_LOCAL_TIME,  /* since 1970 in some zone */
		JFREC_TIME_OF_DAY, /* since midnight in some zone */
	} base;
	int64_t ns;
};

/*
 * Parse "2026-11-20T09:47:05.5+01:00"; "2026-11-20 09:47" or "09:47:05.5 (2026-11-20)", as text
 * shows times; "09:47"; seconds since 1970 ("1795168089.5"); "+30s" from the start or "-10m" from
 * the end of the recording; units ns, us, ms, s, m, h, d.
 */
bool jfrec_time_parse(const char *text, struct jfrec_time *t);

/* The time in ns since 1970 for a recording of that span, saturating; local times are UTC. */
int64_t jfrec_time_resolve(const struct jfrec_time *t, int64_t start_ns, int64_t end_ns);

/* What times may be relative to. */
struct jfrec_time_frame {
	int64_t start_ns, end_ns; /* of the recording */
	jfrec_zone_fn *zone;	  /* NULL: UTC */
	void *zone_ctx;
};

/*
 * The time in ns since 1970, saturating.  A time of day is the first one within the recording;
 * where none is, that of the day on which it begins.  from_ns: NULL; or the time is the end of a
 * range that begins then (INT64_MIN: without a beginning), so a time of day is the first one after
 * that, or that of the recording's last day.
 */
int64_t jfrec_time_resolve_in(const struct jfrec_time *t, const struct jfrec_time_frame *frame,
			      const int64_t *from_ns);

/* Chunks --------------------------------------------------------------------------------------- */

enum jfrec_chunk_state {
	JFREC_FINISHED,	  /* complete */
	JFREC_UNFINISHED, /* its JVM still writes it, or was killed: good up to the last flush */
	JFREC_TRUNCATED,  /* the file ends before the chunk does */
};

/* The header of a chunk (jfrec-format(5)). */
struct jfrec_chunk_info {
	uint64_t offset; /* of the chunk in the input */
	uint64_t size;	 /* bytes that are there and belong to it */
	unsigned major, minor;
	int64_t start_ns;    /* since 1970, UTC */
	int64_t duration_ns; /* up to the last flush, if unfinished */
	int64_t start_ticks;
	int64_t ticks_per_second;
	int32_t utc_offset_s; /* of the JVM's time zone, summer time included; 0 without metadata */
	enum jfrec_chunk_state state;
	bool final; /* the JVM said that no other chunk follows */
};

/* The chunk of the event. Valid as long as the event. */
const struct jfrec_chunk_info *jfrec_event_chunk(const struct jfrec_event *ev);

/* Types ---------------------------------------------------------------------------------------- */

/*
 * Types and fields, and every string and pointer got from them, are valid
 * until jfrec_reader_next() steps into another chunk or the reader is closed.
 * Strings are UTF-8; none of these functions fails.
 */

const struct jfrec_type *jfrec_event_type(const struct jfrec_event *ev);

uint64_t jfrec_type_id(const struct jfrec_type *t);

/* "jdk.CPULoad" */
const char *jfrec_type_name(const struct jfrec_type *t);

/* "jdk.jfr.Event" for events; NULL for plain types. */
const char *jfrec_type_super(const struct jfrec_type *t);

/* The @Label, or NULL. */
const char *jfrec_type_label(const struct jfrec_type *t);

/* The @Description, or NULL. */
const char *jfrec_type_description(const struct jfrec_type *t);

/* A type of one field whose values stand for that field, such as a thread state. */
bool jfrec_type_is_simple(const struct jfrec_type *t);

unsigned jfrec_type_field_count(const struct jfrec_type *t);

/* Field number i, in the order of the recording; NULL beyond the last. */
const struct jfrec_field *jfrec_type_field_at(const struct jfrec_type *t, unsigned i);

/* The field of that name, or NULL. */
const struct jfrec_field *jfrec_type_field(const struct jfrec_type *t, const char *name);

/* Settings of event types look like fields: a name, a type, annotations. */
unsigned jfrec_type_setting_count(const struct jfrec_type *t);
const struct jfrec_field *jfrec_type_setting_at(const struct jfrec_type *t, unsigned i);

/* The setting of that name ("threshold"), or NULL. */
const struct jfrec_field *jfrec_type_setting(const struct jfrec_type *t, const char *name);

unsigned jfrec_type_annotation_count(const struct jfrec_type *t);
const struct jfrec_annotation *jfrec_type_annotation_at(const struct jfrec_type *t, unsigned i);

const char *jfrec_field_name(const struct jfrec_field *f);
const char *jfrec_field_label(const struct jfrec_field *f);
const char *jfrec_field_description(const struct jfrec_field *f);

/* The type of the field's values; of its elements, if it is an array. */
const struct jfrec_type *jfrec_field_type(const struct jfrec_field *f);
bool jfrec_field_is_array(const struct jfrec_field *f);

/* The recording holds a key here, and the value once per chunk. */
bool jfrec_field_is_constant(const struct jfrec_field *f);

/* A setting's default, as text, or NULL. */
const char *jfrec_field_default(const struct jfrec_field *f);

unsigned jfrec_field_annotation_count(const struct jfrec_field *f);
const struct jfrec_annotation *jfrec_field_annotation_at(const struct jfrec_field *f, unsigned i);

/* "jdk.jfr.Timespan" */
const char *jfrec_annotation_name(const struct jfrec_annotation *a);

/* Its members in order: "value", or "value-0", "value-1" for arrays.  NULL beyond the last. */
unsigned jfrec_annotation_member_count(const struct jfrec_annotation *a);
const char *jfrec_annotation_member_name(const struct jfrec_annotation *a, unsigned i);
const char *jfrec_annotation_member_value(const struct jfrec_annotation *a, unsigned i);

/* Values --------------------------------------------------------------------------------------- */

/* When the event began and how long it took; 0 ns for events without duration. */
int64_t jfrec_event_start_ns(const struct jfrec_event *ev);
int64_t jfrec_event_duration_ns(const struct jfrec_event *ev);

/* Where the event lies in the input, and its bytes there. */
uint64_t jfrec_event_offset(const struct jfrec_event *ev);
uint64_t jfrec_event_size(const struct jfrec_event *ev);

enum jfrec_kind {
	JFREC_NULL,  /* no value: a null string, or a constant that is not in the chunk */
	JFREC_BOOL,  /* .i is 0 or 1 */
	JFREC_INT,   /* .i: byte, short, int and long */
	JFREC_UINT,  /* .u: the same with @Unsigned */
	JFREC_CHAR,  /* .u: a UTF-16 unit */
	JFREC_FLOAT, /* .d: float and double */
	JFREC_TIME,  /* .i: nanoseconds since 1970 (@Timestamp) */
	JFREC_SPAN,  /* .i: nanoseconds (@Timespan), INT64_MIN and _MAX meaning none and for ever */
	JFREC_STRING, /* jfrec_value_text() */
	JFREC_STRUCT, /* jfrec_value_member() */
	JFREC_ARRAY,  /* .u elements, jfrec_value_element() */
};

/*
 * A value without a copy: it points into the recording and is valid as long as
 * the event it came from.  @Timestamp and @Timespan are converted to
 * nanoseconds, saturating; all else is as recorded.
 */
struct jfrec_value {
	enum jfrec_kind kind;
	union {
		int64_t i;
		uint64_t u;
		double d;
	};
	const struct jfrec_type *type; /* of the value, or of an array's elements */
	/* private */
	const struct jfrec_event *event;
	const void *at;
	const void *plan;
};

/*
 * The value of a field of the event's type, or of one of its structs by
 * member.  Nothing is searched or decoded again, constants apart.
 *
 * The field must be one of this type (jfrec_type_field() once per type, not
 * once per event).  With a NULL field the value is JFREC_NULL.
 */
struct jfrec_value jfrec_event_value(const struct jfrec_event *ev, const struct jfrec_field *f);
struct jfrec_value jfrec_value_member(const struct jfrec_value *v, const struct jfrec_field *f);

/*
 * The value at a dotted path, such as "eventThread.javaName".  Looks names up
 * on each call: for convenience, not for speed.  JFREC_NULL if there is none.
 */
struct jfrec_value jfrec_event_path(const struct jfrec_event *ev, const char *path);

/* Element i of an array; JFREC_NULL beyond the last.  Takes time in proportion to i. */
struct jfrec_value jfrec_value_element(const struct jfrec_value *v, uint64_t i);

/*
 * The text of a string, char, or struct's single field, as UTF-8 ending in NUL.
 * Unpaired surrogates become '?', as in Java.  *len, if not NULL, gets the length in
 * bytes (a string may hold NUL itself).  NULL for values of other kinds or
 * when memory is gone.  Valid until the next call of jfrec_reader_next().
 */
const char *jfrec_value_text(const struct jfrec_value *v, size_t *len);

/* Printing ------------------------------------------------------------------------------------- */

enum jfrec_format {
	JFREC_TEXT,   /* as `jfr print` of JDK 25 */
	JFREC_EXACT,  /* as `jfr print --exact` */
	JFREC_JSON,   /* as `jfr print --json` */
	JFREC_XML,    /* as `jfr print --xml` */
	JFREC_COUNT,  /* only the number of events, and a line feed */
	JFREC_NDJSON, /* a JSON object on a line for each event: jfrec-ndjson(5) */
	JFREC_CSV,    /* a table of one event type: RFC 4180 */
	JFREC_TSV,    /* the same, tabs between and \t, \n, \r, \\ in cells */
};

/* How the last three show stack traces. */
enum jfrec_stacks {
	JFREC_STACKS_DEFAULT, /* NDJSON: as objects, CSV and TSV: as strings */
	JFREC_STACKS_FRAMES,  /* as objects with an array of frames; NDJSON only */
	JFREC_STACKS_STRING,  /* as strings, the methods from the top parted by semicolons */
	JFREC_STACKS_ID,      /* as numbers, explained by lines of their own; NDJSON only */
	JFREC_STACKS_NONE,    /* not at all */
};

enum jfrec_order {
	JFREC_AS_JDK,  /* JSON and XML by end time within each chunk, text as JFREC_BY_TIME */
	JFREC_BY_TIME, /* by end time over all chunks, in a window of a million events */
	JFREC_BY_FILE, /* as they lie in the recording */
};

struct jfrec_print_options {
	enum jfrec_format format;
	unsigned stack_depth; /* frames shown of a stack trace; the JDK's default is 5 */
	/*
	 * Bytes that texts of constants kept for their next use may take;
	 * 0: the default of 32 MB.  Never changes the output, only its speed.
	 */
	size_t memory;
	enum jfrec_order order;
	/* Only events that touch this span, in ns since 1970; NULL: no bound. */
	const int64_t *from_ns, *to_ns;
	uint64_t limit; /* events to print at most; 0: all */
	/* Whose zone times are shown in; NULL: the recording's. */
	jfrec_zone_fn *zone;
	void *zone_ctx;
	/* For NDJSON, CSV and TSV; all zero or NULL for other formats. */
	enum jfrec_stacks stacks;
	bool flat;	    /* NDJSON: one object with dotted keys, as are the columns of CSV */
	bool raw_ticks;	    /* NDJSON: ticks as recorded, and a line for each chunk; not by time */
	const char *fields; /* columns to print, separated by commas; NULL: all */
	bool escape_formulas; /* CSV and TSV: ' in front of texts that spreadsheets would run */
	uint64_t *printed;  /* set to the number of events that were printed or counted; NULL: no */
};

/* Write all of data.  0, or an errno value, after which it is not called again. */
typedef int jfrec_write_fn(void *ctx, const void *data, size_t len);

/*
 * Print the rest of the recording.
 *
 * Returns 0, or -1 with *err set: JFREC_EOUTPUT if write failed, JFREC_ENOMEM,
 * JFREC_EIO, or JFREC_EINVAL if the options do not go together, or not with the
 * recording: a table of several types, a field that no type has.  What was
 * damaged is told as problems (jfrec_reader_on_problem) and is no error; the
 * document is well-formed in any case.  The reader can then only be closed.
 */
int jfrec_print(struct jfrec_reader *r, const struct jfrec_print_options *options,
		jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* Prints single events, such as those of a stream. */
struct jfrec_printer;

/*
 * Make a printer for events of that reader.  Of the options only .format, .stack_depth, .zone and
 * those for NDJSON, CSV and TSV count; not JFREC_COUNT.  options->memory: 0 is 4 MB here.  All that
 * options point to must outlive the printer.
 *
 * Returns it, to be freed with jfrec_printer_free() before the reader is closed, or NULL with *err
 * set: JFREC_EINVAL if the options do not go together, JFREC_ENOMEM.
 */
struct jfrec_printer *jfrec_printer_new(struct jfrec_reader *r,
					const struct jfrec_print_options *options,
					jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/*
 * Print an event as jfrec_print() does.  Text is kept until jfrec_printer_flush() is called, or
 * there are 256 KB.  0, or -1 with *err set as by jfrec_print().
 */
int jfrec_printer_event(struct jfrec_printer *p, const struct jfrec_event *ev,
			struct jfrec_error *err);

/* Hand all text so far to write. 0, or -1 with *err set. */
int jfrec_printer_flush(struct jfrec_printer *p, struct jfrec_error *err);

/* End the document (JSON, XML), and flush. 0, or -1 with *err set. */
int jfrec_printer_end(struct jfrec_printer *p, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_printer_free(struct jfrec_printer *p);

/*
 * Print the event types of the recording, or all types if nothing was
 * selected, as `jfr metadata` of JDK 25.  Otherwise as jfrec_print().
 */
int jfrec_print_metadata(struct jfrec_reader *r, jfrec_write_fn *write, void *ctx,
			 struct jfrec_error *err);

/* Print these types in the same way, in their order.  0, or -1 with *err set. */
int jfrec_print_types(const struct jfrec_type *const *types, size_t count, jfrec_write_fn *write,
		      void *ctx, struct jfrec_error *err);

/*
 * The types of the recording in the order of `jfr metadata`: those of the first
 * chunk, and of later ones where they are new.  Returns how many there are and
 * sets *types to an array that belongs to the reader and lives as long as it,
 * as do the types.  -1 with *err set on failure.  To be called instead of
 * jfrec_reader_next(); selects as jfrec_print_metadata() does.
 */
int64_t jfrec_reader_types(struct jfrec_reader *r, const struct jfrec_type *const **types,
			   struct jfrec_error *err);

/* Summary -------------------------------------------------------------------------------------- */

struct jfrec_type_summary {
	uint64_t id;
	const char *name;  /* "jdk.CPULoad"; "123 (missing event metadata)" if undeclared */
	const char *label; /* or NULL */
	size_t name_width; /* of the name, in UTF-16 units as Java counts */
	uint64_t count;
	uint64_t bytes;
	/* Start of the first and the last by time, if count > 0; not with merge_ids. */
	int64_t first_ns, last_ns;
};

struct jfrec_summary {
	size_t chunk_count;
	struct jfrec_chunk_info *chunks;
	size_t type_count;
	struct jfrec_type_summary *types; /* by count, greatest first, then by name */
	size_t longest_name; /* the greatest name_width of all event types that any chunk declares
			      */
};

/*
 * Count the events of each type.  No event is decoded, and the recording is
 * read through a small window.
 *
 * Chunks of different JVMs may give one id to different types.  With merge_ids
 * all events of an id are counted for the type that had it first, as `jfr
 * summary` does; without, each id and name has a row of its own.
 *
 * Returns the summary, to be freed with
 * jfrec_summary_free(), or NULL with *err set (JFREC_EIO, JFREC_ENOMEM).
 * Damage is told as problems.  The reader can then only be closed.
 */
struct jfrec_summary *jfrec_summarize(struct jfrec_reader *r, bool merge_ids,
				      struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_summary_free(struct jfrec_summary *s);

/* Files that are written ----------------------------------------------------------------------- */

/*
 * A file that appears whole or not at all: it is written under a name of its
 * own in the same directory, brought to the disk, and only then gets its name.
 */
struct jfrec_output;

enum jfrec_compression {
	JFREC_BY_NAME, /* gzip for NAME.gz, zstd for NAME.zst, else none */
	JFREC_PLAIN,
	JFREC_GZIP,
	JFREC_ZSTD,
};

/*
 * Open an output.  path: the file to make, or "-", standard output.  With
 * force an existing file is replaced, at the very end; what is no regular file
 * never is.
 *
 * A recording holds secrets: a new file can be read and written by its owner alone
 * (0600), whatever the umask; one that is replaced keeps its permissions.
 *
 * Returns the output, to be closed with jfrec_output_close(), or NULL with
 * *err set: JFREC_EOUTPUT with .sys (EEXIST: it exists, and force is false),
 * JFREC_ENOMEM.
 */
struct jfrec_output *jfrec_output_open(const char *path, bool force, enum jfrec_compression how,
				       struct jfrec_error *err);

/*
 * Have a new file other permissions, the lowest nine bits of `mode`, exactly; with also_replaced
 * one that is replaced, too.  At any time before it is sealed.
 */
void jfrec_output_set_mode(struct jfrec_output *o, unsigned mode, bool also_replaced);

/*
 * Remove the unfinished files that killed processes of the same user left in the directory of
 * `path`, where a file system has no files without names: ".NAME.jfrec-XXXXXXXX", regular, and
 * not locked by a living process.  Returns how many were removed.
 */
size_t jfrec_output_sweep(const char *path);

/* A jfrec_write_fn whose ctx is a struct jfrec_output: append bytes. */
int jfrec_output_write(void *output, const void *data, size_t len);

/* Bytes in the file so far, compressed ones if it is; exact once it is sealed. */
uint64_t jfrec_output_size(const struct jfrec_output *o);

/* Is the file that would be replaced the one at path, perhaps by way of a link? */
bool jfrec_output_would_replace(const struct jfrec_output *o, const char *path);

/* Bring all of it to the disk, but do not name it yet.  0, or -1 with *err set (JFREC_EOUTPUT). */
int jfrec_output_seal(struct jfrec_output *o, struct jfrec_error *err);

/* Seal it, and give it its name.  0, or -1 with *err set; then an existing file is as it was. */
int jfrec_output_commit(struct jfrec_output *o, struct jfrec_error *err);

/*
 * Have it commit to another name in the same directory: after a commit that failed with EEXIST,
 * or before one.  0, or -1 with *err set (JFREC_ENOMEM) and the name as it was.
 */
int jfrec_output_rename(struct jfrec_output *o, const char *path, struct jfrec_error *err);

/* Remove what is not committed.  May be called from a signal handler, if nothing else uses o. */
void jfrec_output_abandon(struct jfrec_output *o);

/* Close it, and remove what was not committed.  NULL is allowed. */
void jfrec_output_close(struct jfrec_output *o);

/* Writing recordings --------------------------------------------------------------------------- */

/*
 * A recording with event types of one's own, which every tool that reads
 * recordings shows with their labels and units.
 *
 *	o = jfrec_output_open("app.jfr", false, JFREC_BY_NAME, &err);
 *	w = jfrec_writer_new(o, start_ns, &err);
 *	query = jfrec_writer_type(w, &query_type);
 *	jfrec_writer_event(w, query, &when, values);      ...
 *	if (jfrec_writer_end(w, end_ns, &err) == 0 && jfrec_output_commit(o, &err) == 0)
 *		...
 *	jfrec_writer_free(w);
 *	jfrec_output_close(o);
 *
 * Failures stick: nothing but jfrec_writer_next_chunk() and jfrec_writer_end()
 * has to be looked at, and they tell the first one.
 */
struct jfrec_writer;

/* What a field holds, and which member of union jfrec_datum gives it. */
enum jfrec_field_type {
	JFREC_FIELD_BOOLEAN, /* .i */
	JFREC_FIELD_BYTE,    /* .i */
	JFREC_FIELD_CHAR,    /* .i: a UTF-16 unit */
	JFREC_FIELD_SHORT,   /* .i */
	JFREC_FIELD_INT,     /* .i */
	JFREC_FIELD_LONG,    /* .i */
	JFREC_FIELD_FLOAT,   /* .d */
	JFREC_FIELD_DOUBLE,  /* .d */
	JFREC_FIELD_STRING,  /* .s: UTF-8, or NULL */
	JFREC_FIELD_THREAD,  /* .key: of jfrec_writer_thread(), or 0 */
	JFREC_FIELD_CLASS,   /* .key: of jfrec_writer_class(), or 0 */
	JFREC_FIELD_STACK,   /* .key: of jfrec_writer_stack(), or 0 */
};

/* What a number means. */
enum jfrec_unit {
	JFREC_UNIT_NONE,
	JFREC_UNIT_TIME,    /* a long: a point in time, ns since 1970 */
	JFREC_UNIT_TIME_MS, /* the same in ms */
	JFREC_UNIT_NS,	    /* spans of time */
	JFREC_UNIT_US,
	JFREC_UNIT_MS,
	JFREC_UNIT_S,
	JFREC_UNIT_BYTES,
	JFREC_UNIT_BITS,
	JFREC_UNIT_BYTES_PER_S,
	JFREC_UNIT_BITS_PER_S,
	JFREC_UNIT_HERTZ,
	JFREC_UNIT_PERCENT, /* 0.5 is 50 % */
	JFREC_UNIT_ADDRESS, /* a long: in memory */
	JFREC_UNIT_FLAG,    /* a boolean that is a setting of the JVM's */
};

struct jfrec_new_field {
	const char *name; /* a Java identifier */
	enum jfrec_field_type type;
	const char *label, *description; /* or NULL */
	enum jfrec_unit unit;
	bool is_unsigned;
};

struct jfrec_new_type {
	const char *name;		 /* "app.Query" */
	const char *label, *description; /* or NULL */
	const char *const *category;	 /* from the outermost in, then NULL; or NULL */
	/* Fields that tools know, in front of one's own. */
	bool has_duration, has_thread, has_stack;
	const struct jfrec_new_field *fields;
	size_t field_count;
};

/* The value of a field; see enum jfrec_field_type. */
union jfrec_datum {
	int64_t i;
	double d;
	const char *s;
	uint64_t key;
};

/* When an event was, and what of the other known fields its type has. */
struct jfrec_new_event {
	int64_t start_ns, duration_ns; /* since 1970 */
	uint64_t thread, stack;	       /* keys, or 0 */
};

struct jfrec_new_thread {
	const char *name;    /* in Java, or NULL: no Java thread */
	const char *os_name; /* or NULL */
	const char *group;   /* or NULL */
	int64_t id, os_id;
	bool is_virtual;
};

struct jfrec_new_frame {
	const char *class_name; /* "app.Orders" */
	const char *method;
	const char *descriptor; /* "(I)V", or NULL */
	int32_t line;
	const char *kind; /* "Interpreted", "JIT compiled", "Inlined", "Native"; or NULL */
};

/*
 * Begin a recording that starts at that time (ns since 1970).  The output must
 * outlive the writer.  NULL with *err set when memory is gone.
 */
struct jfrec_writer *jfrec_writer_new(struct jfrec_output *o, int64_t start_ns,
				      struct jfrec_error *err);

/*
 * Declare an event type, at any time before its first event.  All strings are
 * copied.  Returns its number.
 */
unsigned jfrec_writer_type(struct jfrec_writer *w, const struct jfrec_new_type *type);

/*
 * Keys of constants, for the chunk at hand.  Equal ones get the same key and
 * are stored once.  The frames of a stack come from the top; `truncated` says
 * that there were more.
 */
uint64_t jfrec_writer_thread(struct jfrec_writer *w, const struct jfrec_new_thread *thread);
uint64_t jfrec_writer_class(struct jfrec_writer *w, const char *name);
uint64_t jfrec_writer_stack(struct jfrec_writer *w, const struct jfrec_new_frame *frames,
			    size_t count, bool truncated);

/* Write an event: values[i] is that of field i of its type. */
void jfrec_writer_event(struct jfrec_writer *w, unsigned type, const struct jfrec_new_event *event,
			const union jfrec_datum *values);

/*
 * End the chunk and begin another one: a long recording needs memory for the
 * constants of one chunk only.  Types stay, keys do not.  The time is the end
 * of the one and the start of the other, later than its start.  0, or -1 with
 * *err set.
 */
int jfrec_writer_next_chunk(struct jfrec_writer *w, int64_t ns, struct jfrec_error *err);

/* End the recording.  The output is still to be committed.  0, or -1 with *err set. */
int jfrec_writer_end(struct jfrec_writer *w, int64_t end_ns, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_writer_free(struct jfrec_writer *w);

/* Rewriting recordings ------------------------------------------------------------------------- */

/* What became of the events of one type. */
struct jfrec_edit_row {
	const char *name;
	uint64_t kept, kept_bytes;
	uint64_t dropped, dropped_bytes;
	uint64_t unreadable; /* their values do not fit into their size */
};

/* How a chunk came into the output. */
enum jfrec_fate {
	JFREC_COPIED,	 /* byte for byte */
	JFREC_COMPLETED, /* with its header finished */
	JFREC_REWRITTEN, /* its events, and the constants they need */
	JFREC_LOST,	 /* not at all */
};

struct jfrec_repaired_chunk {
	const char *input; /* of the recording's, as in struct jfrec_problem */
	struct jfrec_chunk_info info;
	uint64_t promised; /* bytes, by its header */
	enum jfrec_fate fate;
	uint64_t events;	   /* in the output */
	int64_t first_ns, last_ns; /* when the first began and the last ended, if there are any */
};

struct jfrec_repair {
	size_t chunk_count;
	struct jfrec_repaired_chunk *chunks;
	size_t row_count;
	struct jfrec_edit_row *rows; /* by name; .dropped is 0 */
};

/*
 * Write a recording that every reader takes, with every event that r delivers.
 * Chunks that are whole are copied as they are.
 *
 * r is best opened by jfrec_reader_rescue(); it then can only be closed.  Bytes
 * that are lost are told as problems, with their number.  The output is still
 * to be committed.
 *
 * Returns what was done, to be freed with jfrec_repair_free(), or NULL with
 * *err set: JFREC_EFORMAT if there is no event at all that could be recovered,
 * JFREC_EINVAL if the output would replace an input.
 */
struct jfrec_repair *jfrec_repair(struct jfrec_reader *r, struct jfrec_output *o,
				  struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_repair_free(struct jfrec_repair *repair);

struct jfrec_filtered {
	uint64_t chunks_kept, chunks_removed;
	bool found; /* at least one event was kept for its own sake, not as context */
	size_t row_count;
	struct jfrec_edit_row *rows; /* by name */
};

/*
 * Write a recording of the events that r delivers: those that were chosen with
 * jfrec_reader_select(), _filter() and _where(), and that touch the span of
 * time (ns since 1970; NULL: no bound).  Their bytes stay as they are, with the
 * constants they refer to and no others; chunks without such an event are left
 * out, the first one excepted.
 *
 * r can then only be closed.  The output is still to be committed.  Damage is
 * told as problems, and what is damaged is not in the output.
 *
 * Returns what was done, to be freed with jfrec_filtered_free(), or NULL with
 * *err set: as jfrec_reader_next(); JFREC_EFORMAT if no chunk could be read;
 * JFREC_EOUTPUT; JFREC_EINVAL if the output would replace an input;
 * JFREC_ECANCELED.
 */
struct jfrec_filtered *jfrec_write_filtered(struct jfrec_reader *r, const int64_t *from_ns,
					    const int64_t *to_ns, struct jfrec_output *o,
					    struct jfrec_error *err);

/*
 * Have jfrec_write_filtered() keep the events that say of which JVM a recording is (its version,
 * arguments, flags and properties, the machine, the settings in force), whatever else is chosen:
 * in each chunk that has a chosen event.
 */
void jfrec_reader_keep_context(struct jfrec_reader *r);

/* NULL is allowed. */
void jfrec_filtered_free(struct jfrec_filtered *f);

/* What is secret in a recording. */
struct jfrec_rules;

/* An empty set.  To be freed; NULL with *err set. */
struct jfrec_rules *jfrec_rules_new(struct jfrec_error *err);

/*
 * Add a set of rules: "default" (environment variables, system properties,
 * arguments, passwords, keys, URLs with credentials), "hosts" (names and
 * addresses), "paths" (user names, home directories).  Rules are applied in the
 * order in which they were added.  0, or -1 with *err set.
 */
int jfrec_rules_add(struct jfrec_rules *rules, const char *set, struct jfrec_error *err);

/*
 * Add those of a file; jfrec-scrub(1) describes it.  0, or -1 with *err set:
 * JFREC_EIO; JFREC_EINVAL, with line and column in the text.
 */
int jfrec_rules_load(struct jfrec_rules *rules, const char *path, struct jfrec_error *err);

/*
 * What the tokens that stand for texts are made with: equal texts have equal
 * tokens where the salt is the same.  It is a random one otherwise.
 */
int jfrec_rules_salt(struct jfrec_rules *rules, const char *salt, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_rules_free(struct jfrec_rules *rules);

/* Texts that a rule changed. */
struct jfrec_redaction {
	const char *type;  /* of the event, or of the constant; "metadata" */
	const char *field; /* its path */
	const char *rule;
	uint64_t count;
	const char *sample; /* one of the texts as it is now, cut short */
};

struct jfrec_scrubbed {
	struct jfrec_filtered filtered;
	size_t finding_count;
	struct jfrec_redaction *findings; /* by type, field and rule */
	size_t secret_count;		/* different texts that are nowhere in the output */
	uint64_t short_secret_count;	/* taken away, but too short to be looked for elsewhere */
	uint64_t unencoded_count;	/* looked for as they are, but not encoded: too many */
	uint64_t unread_arrays;		/* of bytes that are no text: searched as bytes only */
	uint64_t tails, tail_bytes;	/* events with bytes after their last field: removed */
	uint64_t unknown_metadata;	/* elements and attributes that JFR does not have: removed */
};

/*
 * As jfrec_write_filtered(), with the texts in events, constants and metadata
 * that the rules say redacted; these must outlive the call.  What was taken away
 * is then looked for in the output, byte by byte.  Without an output (NULL)
 * nothing is written, and what would be redacted is found out.
 *
 * The inputs are read twice: what can be read only once is kept in a temporary
 * file.  Returns what was done, to be freed with jfrec_scrubbed_free(), or NULL
 * with *err set: also JFREC_ELEAK, if something that should not be there is in
 * the output, which then must not be committed.
 */
struct jfrec_scrubbed *jfrec_write_scrubbed(struct jfrec_reader *r, const struct jfrec_rules *rules,
					    const int64_t *from_ns, const int64_t *to_ns,
					    struct jfrec_output *o, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_scrubbed_free(struct jfrec_scrubbed *s);

/* When a file is full: each of them, if not 0. */
struct jfrec_split_limits {
	uint64_t chunks, bytes, events;
	int64_t duration_ns;
};

/*
 * Open the output for file number `index` of `count`.  It belongs to the caller
 * of jfrec_split(), and is sealed when the next one is asked for.  NULL with
 * *err set ends the splitting.
 */
typedef struct jfrec_output *jfrec_split_fn(void *ctx, size_t index, size_t count,
					    struct jfrec_error *err);

/*
 * Copy the chunks of the recording to several files, in order, each with as
 * many as the limits allow, but at least one.  Bytes are copied as they are, so
 * that joined they are the recording again.  r must be an input that can be read
 * twice, and can then only be closed.  0, or -1 with *err set.
 */
int jfrec_split(struct jfrec_reader *r, const struct jfrec_split_limits *limits,
		jfrec_split_fn *open, void *ctx, struct jfrec_error *err);

struct jfrec_merge_options {
	/* Only events that touch this span, in ns since 1970; NULL: no bound. */
	const int64_t *from_ns, *to_ns;
	uint64_t max_size;  /* leave out the oldest chunks beyond so many bytes; 0: none */
	int64_t max_age_ns; /* and those that ended so long before the last one; 0: none */
	bool plain;	    /* do nothing about chunks of different JVMs */
	bool compact;	    /* few large chunks instead of many small ones */
};

struct jfrec_merge {
	uint64_t bytes; /* of all chunks of the inputs */
	size_t chunks;	/* of the inputs */
	size_t duplicates, left_out;
	size_t copied, completed, rewritten; /* finished, unfinished, damaged or cut by time */
	size_t packed;			     /* with other type ids or keys */
	size_t written;			     /* chunks in the output */
	uint64_t bytes_written;		     /* and their bytes, before they are compressed */
	size_t jvms;
};

/*
 * Write one recording of all inputs of r, its chunks in the order of their
 * start.  A chunk that is there twice is written once; one that was never
 * finished is completed.
 *
 * The JDK's tool reads all chunks by the clock of the first, and takes type ids
 * and keys of the one before for its own.  So if there are several inputs, the
 * chunks of other JVMs than the first one get other ids, and times by its clock;
 * all readers then show right names and times.
 *
 * r can then only be closed.  The output is still to be committed.  0 with
 * *merge set, or -1 with *err set: JFREC_EFORMAT if nothing is left to write,
 * JFREC_EINVAL if the output would replace an input.
 */
int jfrec_merge(struct jfrec_reader *r, const struct jfrec_merge_options *options,
		struct jfrec_output *o, struct jfrec_merge *merge, struct jfrec_error *err);

/* What was recorded, and what it takes ---------------------------------------------------------- */

/* A setting that was in force (jdk.ActiveSetting). */
struct jfrec_active_setting {
	const char *event; /* "jdk.SocketRead"; "123 (missing event metadata)" if undeclared */
	const char *label; /* of the event, or NULL */
	uint64_t type_id;
	const char *name, *value; /* "threshold", "20 ms" */
	int64_t since_ns;	  /* when the JVM first said so, since 1970 */
	int64_t until_ns;	  /* when it first said another; 0: never */
};

/* A recording that was running (jdk.ActiveRecording). */
struct jfrec_active_recording {
	uint64_t id;
	const char *name;
	const char *destination;	 /* or NULL */
	int64_t max_age_ns, duration_ns; /* INT64_MAX: for ever, or INT64_MIN */
	uint64_t max_size;		 /* 0: none */
	int64_t start_ns;
	int64_t first_ns, last_ns; /* when the JVM first and last said so */
};

struct jfrec_active {
	size_t setting_count;
	const struct jfrec_active_setting *settings; /* by event, name and time */
	size_t recording_count;
	const struct jfrec_active_recording *recordings; /* by their first time */
};

/*
 * What the rest of the recording says about the settings that its JVM applied: those of all
 * recordings that ran in it, together.  A value has a row from when it was first said to when
 * another was.
 *
 * Returns it, to be freed with jfrec_active_free(), or NULL with *err set.  The reader can
 * then only be closed.
 */
struct jfrec_active *jfrec_active_read(struct jfrec_reader *r, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_active_free(struct jfrec_active *a);

/* How many bytes something takes, as it is and compressed. */
struct jfrec_sizes {
	double raw, zstd, gzip;
};

/* What the events of one type take. */
struct jfrec_cost_type {
	const char *name;
	const char *label; /* or NULL */
	uint64_t events, event_bytes;
	/* Of the constants that they refer to: each is shared equally by the types that do. */
	double constant_bytes;
	uint64_t own_bytes;	  /* of constants that no other type refers to */
	struct jfrec_sizes sizes; /* events and constants; compressed: estimated by samples */
	bool once_a_chunk;	  /* and not after so much time */
	double events_per_hour;
	struct jfrec_sizes per_hour;
};

enum jfrec_certainty {
	JFREC_COST_EXACT,	/* the recording has the events that would stay */
	JFREC_COST_ESTIMATE, /* they would be others, or their number is not certain */
	JFREC_COST_UNKNOWN,	/* the recording cannot tell */
};

/* What would be if a setting were another. */
struct jfrec_cost_change {
	const char *event, *setting; /* the event as asked for */
	const char *from;	     /* NULL: not known, or several */
	const char *to;
	enum jfrec_certainty certainty;
	const char *why;    /* one sentence; NULL for JFREC_COST_EXACT without more to say */
	uint64_t events;    /* of all types that the change touches, as recorded */
	double event_bytes; /* the same, with their constants */
	/* The rest is 0 for JFREC_COST_UNKNOWN. */
	double events_saved, bytes_saved;
	struct jfrec_sizes sizes; /* that the recording would have */
	struct jfrec_sizes per_hour;
};

struct jfrec_cost {
	uint64_t bytes; /* of all chunks */
	struct jfrec_sizes sizes;
	uint64_t measured; /* so many bytes were compressed to know that; the rest was inferred */
	size_t chunks;
	int64_t duration_ns; /* of all chunks together */
	bool by_size;	     /* chunks end when they have a size; else when somebody wants it */
	/* What each chunk has, whatever was recorded. */
	uint64_t metadata_bytes; /* and headers */
	uint64_t spare_bytes;	 /* constants to which no event refers */
	struct jfrec_sizes each_chunk; /* these, headers, and what is no event of a known type */
	double chunks_per_hour;
	struct jfrec_sizes per_hour;
	size_t type_count;
	const struct jfrec_cost_type *types; /* by .per_hour.raw, the greatest first */
	size_t change_count;
	const struct jfrec_cost_change *changes; /* as asked for; offered: what saves most first */
	const struct jfrec_cost_change *together; /* all of them; NULL: fewer than two */
	const struct jfrec_active *active;	  /* the settings that were in force */
};

/*
 * What the events of the recording take, and what changes of its settings would save.
 *
 * changes: "EVENT#SETTING=VALUE" each, EVENT a name or a glob as for jfrec_reader_select();
 * count 0: changes that save something are offered, each on its own.
 *
 * Chunks are read one after the other, each as a whole.  Returns the cost, to be freed with
 * jfrec_cost_free(), or NULL with *err set: JFREC_EINVAL for a change that cannot be made,
 * because it is none, or the recording knows no such event or setting; as
 * jfrec_reader_next(); JFREC_EFORMAT if no chunk could be read; JFREC_ECANCELED.
 * The reader can then only be closed.
 */
struct jfrec_cost *jfrec_cost_read(struct jfrec_reader *r, const char *const *changes, size_t count,
				   struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_cost_free(struct jfrec_cost *c);

/* Recording settings --------------------------------------------------------------------------- */

/*
 * Which events a JVM records, and how: what a .jfc file says, or YAML (jfrec-settings(5)).
 * An event type has settings such as threshold; a setting may follow from a control, and a
 * control from options, which people turn.
 */
struct jfrec_settings;

/* Empty ones, to be freed, or NULL with *err set (JFREC_ENOMEM). */
struct jfrec_settings *jfrec_settings_new(struct jfrec_error *err);

/*
 * Read settings from memory: a .jfc file of version 2.0 or YAML, known by their first character.
 * Nothing is fetched or expanded, and size (1 MB), depth and number are limited.
 *
 * Returns the settings, to be freed, or NULL with *err set, the text beginning with "line N":
 * JFREC_EFORMAT if it is no XML or YAML, JFREC_EINVAL if it is no settings, JFREC_EUNSUPPORTED
 * if it is XML and libxml2 cannot be loaded, JFREC_ENOMEM.
 */
struct jfrec_settings *jfrec_settings_parse(const void *bytes, size_t len, struct jfrec_error *err);

/* The same of a regular file; also JFREC_EIO. */
struct jfrec_settings *jfrec_settings_read(const char *path, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_settings_free(struct jfrec_settings *s);

/* These belong to s.  The label is never NULL, the others may be. */
const char *jfrec_settings_label(const struct jfrec_settings *s);
const char *jfrec_settings_description(const struct jfrec_settings *s);
const char *jfrec_settings_provider(const struct jfrec_settings *s);

/*
 * Append what others say, as `jfr configure` joins its inputs.  0, or -1 with *err set:
 * JFREC_EINVAL if both have a control of one name, JFREC_ENOMEM.
 */
int jfrec_settings_add(struct jfrec_settings *s, const struct jfrec_settings *from,
		       struct jfrec_error *err);

/*
 * Change them by the rules of `jfr configure` of JDK 25.
 *
 * key: an option ("gc"), and all settings that depend on it follow; a setting
 * ("jdk.SocketRead#threshold"); or, to be added if it is not there, one behind a `+`.
 * 0, or -1 with *err set: JFREC_EINVAL and the JDK's own sentence, JFREC_ENOMEM.
 */
int jfrec_settings_set(struct jfrec_settings *s, const char *key, const char *value,
		       struct jfrec_error *err);

/* Set one setting, added if it is not there; whatever characters its name has. */
int jfrec_settings_put(struct jfrec_settings *s, const char *event, const char *setting,
		       const char *value, struct jfrec_error *err);

/* Is there such an event (setting NULL), or such a setting of it? */
typedef bool jfrec_settings_known_fn(void *ctx, const char *event, const char *setting);

/* Take out the events and settings that are not known to a target. */
void jfrec_settings_restrict(struct jfrec_settings *s, jfrec_settings_known_fn *known, void *ctx);

enum jfrec_settings_format {
	JFREC_SETTINGS_JFC,  /* byte for byte as `jfr configure` writes */
	JFREC_SETTINGS_YAML, /* without what has no meaning, and each setting once */
};

/* Write all of it, in one call.  0, or -1 with *err set: JFREC_EOUTPUT, JFREC_ENOMEM. */
int jfrec_settings_write(const struct jfrec_settings *s, enum jfrec_settings_format format,
			 jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* What a JVM would take for a setting.  The strings live until the settings are changed. */
struct jfrec_setting {
	const char *event;   /* "jdk.SocketRead" */
	const char *name;    /* "threshold" */
	const char *value;   /* "20 ms" */
	const char *control; /* which it follows; NULL: none */
	unsigned line;	     /* in the file; 0: none */
	bool changed;	     /* since jfrec_settings_forget_changes(), perhaps to what it was */
};

/*
 * All of them, in the order of the file; where one is there several times the last counts, as
 * for the JVM.  SIZE_MAX with *err set when memory is gone.
 */
size_t jfrec_settings_count(struct jfrec_settings *s, struct jfrec_error *err);

/* Setting i < jfrec_settings_count(), which must have been called since the last change. */
const struct jfrec_setting *jfrec_settings_get(const struct jfrec_settings *s, size_t i);

/* From now on none counts as changed.  Settings that were added do not, either. */
void jfrec_settings_forget_changes(struct jfrec_settings *s);

/* Is there a control of that name, an option or a condition? */
bool jfrec_settings_has_control(const struct jfrec_settings *s, const char *name);

/* The value of a setting, or NULL. */
const char *jfrec_settings_value(const struct jfrec_settings *s, const char *event,
				 const char *setting);

enum jfrec_option_kind {
	JFREC_OPTION_SELECTION, /* one of its choices */
	JFREC_OPTION_TEXT,
	JFREC_OPTION_FLAG, /* true or false */
};

struct jfrec_settings_choice {
	const char *name, *label, *value; /* what is chosen by; what people see; what it gives */
};

/* What people turn.  The strings live until the settings are changed. */
struct jfrec_settings_option {
	enum jfrec_option_kind kind;
	const char *name, *label;
	const char *description; /* or NULL */
	const char *type;	 /* of a text, such as "timespan"; or NULL */
	const char *minimum, *maximum;
	const char *value; /* the name of the choice, the text, or "true" or "false" */
	const struct jfrec_settings_choice *choices;
	size_t choice_count;
};

/* SIZE_MAX with *err set when memory is gone. */
size_t jfrec_settings_option_count(struct jfrec_settings *s, struct jfrec_error *err);

/* Option i < jfrec_settings_option_count(), which must have been called since the last change. */
const struct jfrec_settings_option *jfrec_settings_option_get(const struct jfrec_settings *s,
							      size_t i);

/* Configuration of a tool ---------------------------------------------------------------------- */

/* Defaults that people and administrators write down: jfrec-config(5). */
struct jfrec_config;

enum jfrec_config_key {
	JFREC_CONFIG_OUTPUT_DIRECTORY,
	JFREC_CONFIG_OUTPUT_NAME,
	JFREC_CONFIG_COMPRESS, /* "gzip", "zstd" or "none" */
	JFREC_CONFIG_SETTINGS, /* one or more */
	JFREC_CONFIG_TIME_ZONE,
	JFREC_CONFIG_RULES,	   /* one or more */
	JFREC_CONFIG_REDACT_HOSTS, /* "true" or "false" */
	JFREC_CONFIG_REDACT_PATHS,
	JFREC_CONFIG_COUNT,
};

/* The strings live as long as their configuration. */
struct jfrec_config_value {
	const char *key; /* as it is written: "output-directory" */
	/* NULL and 0: no file says it.  Paths are full ones, or relative to where we are. */
	const char *const *texts;
	size_t count;
	const char *path; /* of the file that says it */
	unsigned line;
};

/* An empty one, to be freed with jfrec_config_free(), or NULL with *err set (JFREC_ENOMEM). */
struct jfrec_config *jfrec_config_new(struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_config_free(struct jfrec_config *c);

/*
 * Read a file of YAML; what it says counts more than what files said before it.  Relative paths
 * in it are taken from its directory.
 *
 * 0, or -1 with *err set and nothing taken: JFREC_EIO with .sys (ENOENT: there is none);
 * JFREC_EINVAL, with line and column, for what is no YAML, no such key, or no value of it.
 */
int jfrec_config_read(struct jfrec_config *c, const char *path, struct jfrec_error *err);

/*
 * The same of a file that is the user's own: JFREC_EPERMISSION, without a byte of it read, if it or
 * its directory belongs to another user than the effective one or root, or can be written by
 * others.  So who runs as root with the HOME of somebody else does not obey him.
 */
int jfrec_config_read_own(struct jfrec_config *c, const char *path, struct jfrec_error *err);

/* Never NULL. */
const struct jfrec_config_value *jfrec_config_get(const struct jfrec_config *c,
						  enum jfrec_config_key key);

/* JVMs of this host ---------------------------------------------------------------------------- */

enum jfrec_jvm_kind {
	JFREC_JVM_HOTSPOT,
	JFREC_JVM_OPENJ9, /* speaks another protocol; never signalled */
	JFREC_JVM_NATIVE, /* a GraalVM native image */
	JFREC_JVM_MAYBE,  /* a JVM by its command line; more we may not see */
};

/* What is known of a JVM without a word to it.  The strings live as long as their list. */
struct jfrec_jvm {
	int pid;	      /* in our pid namespace */
	int ns_pid;	      /* in its own; in a container often 1 */
	uint64_t start_ticks; /* clock ticks since boot; with pid: which process this is */
	int64_t started_ns;   /* since 1970 */
	uint32_t uid, gid;    /* effective */
	enum jfrec_jvm_kind kind;
	int jdk;	       /* 8, 11, 17, ...; 0: unknown */
	const char *version;   /* "17.0.15"; NULL: unknown */
	const char *user;      /* NULL: the uid has no name, or it was not asked for */
	const char *container; /* its id, from the cgroup path; NULL: none */
	const char *main;      /* the main class or jar, without arguments; never NULL */
	const char *command;   /* the same with its arguments; never NULL */
	bool stopped;	       /* by a signal or a debugger: until it goes on it answers nobody */
	bool attachable;
	enum jfrec_code why_not; /* JFREC_OK if attachable */
	const char *reason;	 /* why not, one sentence; NULL if attachable */
	const char *note;	 /* what is odd about one that is attachable; NULL: nothing */
};

/* Which JVMs are meant.  All that is set must fit; nothing set fits all. */
struct jfrec_jvm_query {
	/*
	 * A pid, or a name.  Of all JVMs those are meant that it fits best: the whole main
	 * class, jar or its last part (Main of com.acme.Main), or else a part
	 * of it, or else a part of the command.
	 */
	const char *target;
	const char *container; /* the beginning of a container's id, or a part of the cgroup path */
	const char *user;      /* a name or a number */
	bool without_names;    /* leave .user of JVMs NULL: names may come from far, and slowly */
};

struct jfrec_jvms;

/*
 * Find the JVMs of this host that fit, by /proc and, where it is there, the
 * performance data of HotSpot.  Nothing is sent to any of them.
 *
 * Sorted by pid.  Returns a list, to be freed with jfrec_jvms_free(), which may be
 * empty, or NULL with *err set: JFREC_EIO (no /proc), JFREC_EINVAL (no such user),
 * JFREC_ENOMEM.  If the target is a pid, no other process is looked at, and that
 * it is not there, or not what is meant, is JFREC_ENOJVM or JFREC_EPERMISSION.
 */
struct jfrec_jvms *jfrec_jvms_find(const struct jfrec_jvm_query *query, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_jvms_free(struct jfrec_jvms *list);

size_t jfrec_jvms_count(const struct jfrec_jvms *list);

/* JVM i of the list, i < jfrec_jvms_count(). */
const struct jfrec_jvm *jfrec_jvms_get(const struct jfrec_jvms *list, size_t i);

/*
 * The name of a file for a recording of the JVM, whose .pid and .main are looked at: in the pattern
 * %p stands for the pid, %t for the time (ns since 1970; 0: now) as local time,
 * 2026_11_20_09_47_05, %h for this host, %n for the main class or jar, without what does not
 * belong into a file name, and %% for %.
 *
 * 0 with at most `size` bytes at path, the NUL included, or -1 with *err set (JFREC_EINVAL).
 */
int jfrec_output_name(const char *pattern, const struct jfrec_jvm *jvm, int64_t ns, char *path,
		      size_t size, struct jfrec_error *err);

/*
 * Print the counters of a JVM's performance data as `jcmd PID PerfCounter.print` does, a
 * line `name=value` for each, by name.  Nothing is sent to it.
 *
 * 0, or -1 with *err set: JFREC_ENOJVM, JFREC_EPERMISSION, JFREC_EATTACH (it keeps none),
 * JFREC_EOUTPUT, JFREC_EIO, JFREC_ENOMEM.
 */
int jfrec_jvm_counters(const struct jfrec_jvm *jvm, jfrec_write_fn *write, void *ctx,
		       struct jfrec_error *err);

/* Talking to a JVM ----------------------------------------------------------------------------- */

struct jfrec_session;

/* Told of each step of the handshake: one sentence, without a line feed. */
typedef void jfrec_trace_fn(void *ctx, const char *step);

struct jfrec_session_options {
	int timeout_ms;	     /* for each command; 0: 10 s, 60 s for those that write recordings */
	int open_timeout_ms; /* for opening; 0: timeout_ms, or 10 s */
	bool no_signal;	     /* fail (JFREC_EATTACH) where the listener is not up */
	jfrec_trace_fn *trace;
	void *trace_ctx;
};

/*
 * Make ready to talk to a JVM: have its attach listener started, if that has
 * not been done, by the handshake of HotSpot.
 *
 * Every condition under which that could harm the JVM is checked before; then
 * the call fails and nothing was sent.  Where the JVM has another user or group than we,
 * and we may, a child process takes these on, and stays until the session is closed. It
 * also clears away what we left in the JVM's root if this process dies; if there may be something
 * of that kind, it is started in any case.
 *
 * jvm: copied as far as needed.  Returns the session, to be closed with
 * jfrec_session_close(), or NULL with *err set: JFREC_ENOJVM, JFREC_EPERMISSION,
 * JFREC_EATTACH, JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EIO, JFREC_ENOMEM.
 */
struct jfrec_session *jfrec_session_open(const struct jfrec_jvm *jvm,
					 const struct jfrec_session_options *options,
					 struct jfrec_error *err);

/*
 * Ends the child and frees the session; leaves nothing of ours in the JVM's root.  NULL is
 * allowed.
 *
 * Where a command was given up that may yet make a file there, a process without
 * descriptors of ours waits for its end, for a minute at most, and removes the file.
 */
void jfrec_session_close(struct jfrec_session *s);

/*
 * Have an operation of the attach protocol carried out ("jcmd", "properties",
 * "threaddump" ...) and pass on the reply behind its status line as it comes.
 *
 * arguments: up to 3, of UTF-8 without control bytes.  Each may have up to 1024 bytes, more
 * where the JVM speaks version 2 (JDK 24).
 * Returns 0 with *status set to what the JVM said, or -1 with *err set: JFREC_EINVAL,
 * JFREC_ETIMEOUT, JFREC_EDIED, JFREC_EPERMISSION, JFREC_EOUTPUT.  A status of 0 does not mean that
 * the operation succeeded; see the commands of Flight Recorder below.
 */
int jfrec_session_run(struct jfrec_session *s, const char *operation, const char *const *arguments,
		      size_t count, jfrec_write_fn *write, void *ctx, int *status,
		      struct jfrec_error *err);

/*
 * Have a diagnostic command carried out, such as "Thread.print -l" or "JFR.check name=7",
 * and pass on what the JVM says, for most commands as it comes.
 *
 * Flight Recorder answers failures as it does success.  So its answers are
 * judged by their text, and one that is not known to mean success is a failure.
 *
 * 0, or -1 with *err set: as jfrec_session_run(), or JFREC_EREFUSED or JFREC_ENOJFR if the JVM
 * answered that it failed.  Then *refusal is what it said, to be freed with free(), and
 * nothing was passed on; else *refusal is NULL.
 */
int jfrec_session_jcmd(struct jfrec_session *s, const char *command, jfrec_write_fn *write,
		       void *ctx, char **refusal, struct jfrec_error *err);

/* Flight Recorder of a JVM --------------------------------------------------------------------- */

/*
 * The answers of a JVM are prose, and its status says nothing.  So an answer is
 * compared with those that are known; what is not known to mean success is a failure.
 *
 * All that talk to the JVM may fail as jfrec_session_run() does, with
 * JFREC_EINVAL for an option or a value that this JVM does not take, before anything
 * was sent, with JFREC_ENOJFR, and with JFREC_EREFUSED and the JVM's words.
 * After JFREC_ETIMEOUT and JFREC_EDIED it may have done what it was told.
 */

enum jfrec_jfr_command {
	JFREC_JFR_START,
	JFREC_JFR_STOP,
	JFREC_JFR_DUMP,
	JFREC_JFR_CHECK,
	JFREC_JFR_CONFIGURE,
};

/*
 * An option as the JVM names it.  Lengths of time are a whole number and ns, us, ms, s,
 * m, h or d; sizes a whole number and nothing, k, m or g; paths are those the JVM sees.
 */
struct jfrec_jfr_option {
	const char *key;   /* "maxage" */
	const char *value; /* "6h" */
};

/*
 * Can any JVM take the option?  Nothing is sent.  0, or -1 with *err set (JFREC_EINVAL).
 * For JFREC_JFR_START, options of settings files ("gc") and settings of events
 * ("jdk.FileRead#threshold") are not judged.
 */
int jfrec_jfr_check_option(enum jfrec_jfr_command command, const struct jfrec_jfr_option *option,
			   struct jfrec_error *err);

/* Is it an option of the command itself, in any version, and not one of a settings file? */
bool jfrec_jfr_has_option(enum jfrec_jfr_command command, const char *key);

/* "20 ms" of a settings file in nanoseconds, saturating.  False if it has no unit, or is none. */
bool jfrec_settings_parse_span(const char *text, int64_t *ns);

/* "10m" in nanoseconds, as a JVM reads it.  False if it would not take it. */
bool jfrec_jfr_parse_time(const char *text, int64_t *ns);

struct jfrec_jfr_version {
	int jdk;	  /* 17 */
	char version[64]; /* "17.0.15" */
	char vm[192];	  /* "OpenJDK 64-Bit Server VM version 17.0.15+6-Debian-1deb12u1" */
};

/* Ask which version the JVM is (VM.version).  0, or -1 with *err set. */
int jfrec_jfr_version(struct jfrec_session *s, struct jfrec_jfr_version *version,
		      struct jfrec_error *err);

/* A settings file of the caller's. */
struct jfrec_jfr_settings {
	const void *text;
	size_t len;
};

#define JFREC_JFR_SETTINGS_MAX 4

struct jfrec_jfr_start_options {
	const struct jfrec_jfr_option *options;
	size_t count;
	/*
	 * Settings files to be carried into the JVM's root, and removed there when the
	 * recording has been started.  They count after those that "settings" names.
	 */
	const struct jfrec_jfr_settings *settings;
	size_t settings_count; /* up to JFREC_JFR_SETTINGS_MAX */
	/*
	 * The recording is for this session only: if it has not been stopped when the
	 * session ends, however that comes, it is stopped then and nothing is kept.
	 * Give it a duration too: should the session's child be killed as well, it ends
	 * by that, and leaves no file.  Not together with the option "filename".
	 */
	bool only_for_session;
};

struct jfrec_jfr_started {
	uint64_t id;
	bool scheduled; /* it will begin after its delay */
	/* These belong to the caller; jfrec_jfr_started_fini(). */
	char *path; /* where the JVM will write it, in its root; NULL: it will not, or did not say
		     */
	char *warnings; /* what the JVM had to say about it, a line each; NULL: nothing */
	/* private */
	int kept;
};

/*
 * Start a recording.  0 with *started filled, or -1 with *err set and nothing to free.
 *
 * A "filename" is a full path and not a directory: there a JVM would lose the recording
 * (8 to 21).  A "duration" needs one, or only_for_session: without, 8 to 17 throw the recording
 * away at its end, and 21 and later write it to wherever the JVM was started.
 * If the JVM starts it, but does not know one of its settings, the recording is
 * stopped again and that is a failure.  JFREC_EIO with ENOSPC: the JVM's disk has no room for
 * "maxsize", or 250 MB; were it to become full, JDK 11 and later would end the whole JVM.
 * With only_for_session and no "maxsize" as much is kept as there is room for.
 */
int jfrec_jfr_start(struct jfrec_session *s, const struct jfrec_jfr_start_options *options,
		    struct jfrec_jfr_started *started, struct jfrec_error *err);

/*
 * Stop a recording that was only for this session.  What it has recorded is then gone:
 * dump it before.  0, or -1 with *err set.
 */
int jfrec_jfr_finish(struct jfrec_session *s, struct jfrec_jfr_started *started,
		     struct jfrec_error *err);

/* Let such a recording go on when the session ends, up to its duration. */
void jfrec_jfr_release(struct jfrec_session *s, struct jfrec_jfr_started *started);

/* A zeroed one is allowed. */
void jfrec_jfr_started_fini(struct jfrec_jfr_started *started);

enum jfrec_jfr_state {
	JFREC_JFR_NEW,
	JFREC_JFR_DELAYED,
	JFREC_JFR_RUNNING,
	JFREC_JFR_STOPPED,
	JFREC_JFR_CLOSED,
};

/* A recording of a JVM.  The strings live as long as their list. */
struct jfrec_jfr_recording {
	uint64_t id; /* never given twice in a JVM */
	const char *name;
	enum jfrec_jfr_state state;
	/* As the JVM prints them ("2h", "250.0MB", "90m"); NULL: none. */
	const char *duration, *max_size, *max_age;
	/* Event types and their settings, as the JVM prints them; NULL: not asked for. */
	const char *settings;
};

struct jfrec_jfr_recordings;

/*
 * Ask for the recordings of the JVM: for one, by its id or name, or (NULL) for all.
 *
 * Returns a list, to be freed with jfrec_jfr_recordings_free(), or NULL with *err
 * set.  Of all there may be none; that the one is not there is JFREC_EREFUSED.
 */
struct jfrec_jfr_recordings *jfrec_jfr_check(struct jfrec_session *s, const char *name,
					     bool verbose, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_jfr_recordings_free(struct jfrec_jfr_recordings *list);

size_t jfrec_jfr_recordings_count(const struct jfrec_jfr_recordings *list);

/* Recording i of the list, i < jfrec_jfr_recordings_count(). */
const struct jfrec_jfr_recording *jfrec_jfr_recordings_get(const struct jfrec_jfr_recordings *list,
							   size_t i);

/*
 * Stop a recording.  What it has recorded is then gone, except for what it was
 * told to write itself: dump it before.  0, or -1 with *err set (JFREC_EIO with ENOSPC: the
 * JVM's disk is nearly full, and it might end itself).
 */
int jfrec_jfr_stop(struct jfrec_session *s, uint64_t id, struct jfrec_error *err);

struct jfrec_jfr_dump;

/*
 * Have a recording, or without the option "name" all of them merged, dumped to a
 * file of ours in the JVM's /tmp, and see to it that the file is whole.  No "filename".
 *
 * Returns the dump, to be freed with jfrec_jfr_dump_free() before the session is
 * closed, or NULL with *err set: JFREC_ERESULT for an incomplete file, JFREC_EIO with
 * ENOSPC if the recording may not fit.  The recording goes on in any case.
 */
struct jfrec_jfr_dump *jfrec_jfr_dump(struct jfrec_session *s,
				      const struct jfrec_jfr_option *options, size_t count,
				      struct jfrec_error *err);

/* In bytes. */
uint64_t jfrec_jfr_dump_size(const struct jfrec_jfr_dump *d);

/* Hand all of it to write.  0, or -1 with *err set (JFREC_EOUTPUT, JFREC_EIO, JFREC_ERESULT). */
int jfrec_jfr_dump_copy(const struct jfrec_jfr_dump *d, jfrec_write_fn *write, void *ctx,
			struct jfrec_error *err);

/* Removes the file from the JVM's root.  NULL is allowed. */
void jfrec_jfr_dump_free(struct jfrec_jfr_dump *d);

/*
 * Set options of Flight Recorder itself, or (count 0) only ask for them.  Most can be
 * set only before it is first used; if one was not taken, that is a failure.
 *
 * Returns what the JVM said, lines such as "Stack depth: 64", to be freed with free(), or
 * NULL with *err set.
 */
char *jfrec_jfr_configure(struct jfrec_session *s, const struct jfrec_jfr_option *options,
			  size_t count, struct jfrec_error *err);

/* The heap ------------------------------------------------------------------------------------- */

struct jfrec_heap;

/*
 * Have a JVM write its heap into a file that we made in its /tmp (GC.heap_dump), and see to it that
 * the file is whole: HPROF.  unreachable: also objects that nothing refers to any more; otherwise
 * the JVM collects garbage first.  It stands still meanwhile.
 *
 * Returns the dump, to be freed with jfrec_heap_free() before the session is closed, or NULL
 * with *err set: JFREC_ERESULT for an incomplete file, JFREC_EIO with ENOSPC if it may not fit,
 * JFREC_EREFUSED.  Nothing is left in the JVM's root, also if this process is killed.
 */
struct jfrec_heap *jfrec_heap_dump(struct jfrec_session *s, bool unreachable,
				   struct jfrec_error *err);

/* In bytes. */
uint64_t jfrec_heap_size(const struct jfrec_heap *h);

/* Hand all of it to write.  0, or -1 with *err set (JFREC_EOUTPUT, JFREC_EIO, JFREC_ERESULT). */
int jfrec_heap_copy(const struct jfrec_heap *h, jfrec_write_fn *write, void *ctx,
		    struct jfrec_error *err);

/* Removes the file from the JVM's root.  NULL is allowed. */
void jfrec_heap_free(struct jfrec_heap *h);

/* How many bytes the heap of a JVM may have at most, by the memory that it uses; 0: unknown. */
uint64_t jfrec_heap_estimate(const struct jfrec_jvm *jvm);

/* Event streams -------------------------------------------------------------------------------- */

/*
 * Events as a JVM records them: a stream follows its repository on the disk, where the JVM
 * brings what it has recorded about each second (a flush).  The JVM does nothing for it.
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
	 * Wait for more also in a directory that nobody is seen to write to.  Otherwise the stream
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
 * Open the repository of a JVM, by what it has open, without a word to it: in whatever root or
 * container it runs, and wherever it moves it.  It need not record now.  The stream ends when the
 * JVM does.
 *
 * As jfrec_stream_open(); JFREC_ENOJVM, JFREC_EPERMISSION.
 */
struct jfrec_stream *jfrec_stream_open_jvm(const struct jfrec_jvm *jvm,
					   const struct jfrec_stream_options *options,
					   struct jfrec_error *err);

/* Free all that belongs to it.  NULL is allowed. */
void jfrec_stream_close(struct jfrec_stream *s);

/*
 * The reader of the stream: to choose events (jfrec_reader_select(), _filter(), _where()) before
 * the first step, and to be told problems (jfrec_reader_on_problem()).  It belongs to the stream,
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
 * Take the next step.  1: *step is set; 0: the stream has ended, see jfrec_stream_end(); -1: *err
 * is set (JFREC_EIO, JFREC_ENOMEM, JFREC_EPERMISSION, JFREC_EEXPRESSION), and it can only be
 * closed.
 *
 * timeout_ms: how long to wait for something; 0: not at all, -1: for ever.  What is damaged, or was
 * removed before it could be read, is told as a problem, and the stream goes on.
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
enum jfrec_stream_end jfrec_stream_end(const struct jfrec_stream *s);

/*
 * The event types that are declared now, in the order of their declaration; NULL beyond the last,
 * and before the first JFREC_STREAM_TYPES.  Valid until the next call of jfrec_stream_next().
 */
const struct jfrec_type *jfrec_stream_type_at(const struct jfrec_stream *s, unsigned i);

/*
 * Where the chunks are: a path as the JVM sees it, or as it was given.  NULL: not known yet.  Valid
 * until the next call of jfrec_stream_next().
 */
const char *jfrec_stream_directory(const struct jfrec_stream *s);

/* Metrics -------------------------------------------------------------------------------------- */

/*
 * What the events of a JVM say about it in numbers, for monitoring: processor load, heap, pauses,
 * allocation, threads, and how many events there are of each type.  They are those that
 * jfrec-stream(1) lists; what is not recorded is left out.
 */
struct jfrec_metrics;

/*
 * window_ns: rates and quantiles are those of so long a time up to the last event or flush.
 * source, name: the labels of every sample by which JVMs are told apart, in UTF-8; NULL: none.  Both
 * are copied.  Returns them, to be freed with jfrec_metrics_free(), or NULL with *err set
 * (JFREC_ENOMEM).
 */
struct jfrec_metrics *jfrec_metrics_new(const char *source, const char *name, int64_t window_ns,
					struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_metrics_free(struct jfrec_metrics *m);

/* Take an event, in any order.  0, or -1 with *err set (JFREC_ENOMEM). */
int jfrec_metrics_event(struct jfrec_metrics *m, const struct jfrec_event *ev,
			struct jfrec_error *err);

/* All events up to that time (ns since 1970) have been taken: JFREC_STREAM_FLUSH. */
void jfrec_metrics_flush(struct jfrec_metrics *m, int64_t ns);

/*
 * Print those of some JVMs as one document: OpenMetrics text 1.0.  0, or -1 with *err set
 * (JFREC_EOUTPUT, JFREC_ENOMEM).
 */
int jfrec_metrics_print(const struct jfrec_metrics *const *metrics, size_t count,
			jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* What JVMs keep on disks ---------------------------------------------------------------------- */

/*
 * A repository: the directory of chunk files in which a JVM keeps what it records, the
 * newest of them still growing.  It is read without a word to the JVM, which does not even have
 * to be able to run.
 */
struct jfrec_repository;

/*
 * Open the repository of a JVM, by the files that it has open.  From then on nothing of it can be
 * removed.
 *
 * Returns the repository, to be closed with jfrec_repository_close(), or NULL with *err set:
 * JFREC_EREFUSED if it records nothing to a disk, JFREC_EPERMISSION, JFREC_ENOJVM, JFREC_EIO
 * (EMFILE: there are more chunks than files may be open), JFREC_ENOMEM.
 */
struct jfrec_repository *jfrec_repository_of_jvm(const struct jfrec_jvm *jvm,
						 struct jfrec_error *err);

/*
 * Look again at the repository of a JVM (*r NULL: for the first time), and hold what it has now,
 * so that its end takes nothing away.  Of what the JVM has removed, only that is held on to which
 * was there at the look before: space on its disk is not kept for longer.
 *
 * 0, or -1 with *err set as by jfrec_repository_of_jvm(), and *r as it was.
 */
int jfrec_repository_again(struct jfrec_repository **r, const struct jfrec_jvm *jvm,
			   struct jfrec_error *err);

/* The JVM has ended: see how its chunks were left. */
void jfrec_repository_refresh(struct jfrec_repository *r);

/* The same of a directory: that of a JVM that has ended, or any with chunk files in it. */
struct jfrec_repository *jfrec_repository_open(const char *path, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_repository_close(struct jfrec_repository *r);

/* What was there when it was opened, and chosen since. */
struct jfrec_repository_info {
	const char *path; /* as the JVM sees it; lives as long as the repository */
	int ns_pid;	  /* the pid of its JVM in its own namespace, by the path; 0: unknown */
	size_t chunks;	  /* that can be read */
	uint64_t bytes;	  /* of them */
	int64_t flushed_ns;    /* when the last thing in them was recorded, since 1970; 0: none */
	uint64_t bytes_behind; /* that the JVM wrote after that, and did not make readable */
	/*
	 * Chunks that JDK 8 or 11 has begun: they cannot be read before they are
	 * finished, and if the JVM was killed never.
	 */
	size_t unreadable;
	uint64_t unreadable_bytes;
};

struct jfrec_repository_info jfrec_repository_info(const struct jfrec_repository *r);

/* Leave out chunks that have nothing of that span (ns since 1970; NULL: no bound). */
void jfrec_repository_choose(struct jfrec_repository *r, const int64_t *from_ns,
			     const int64_t *to_ns);

/*
 * A reader of the chunks, such as for jfrec_merge(), which copies finished ones as they are
 * and completes the last.  May be called once; the repository may be closed before the reader.
 *
 * Returns the reader, to be closed with jfrec_reader_close(), or NULL with *err set:
 * JFREC_EFORMAT if there is no chunk, JFREC_ENOMEM.
 */
struct jfrec_reader *jfrec_repository_read(struct jfrec_repository *r, struct jfrec_error *err);

/* Collecting ----------------------------------------------------------------------------------- */

/*
 * Brings the finished chunks of many JVMs into one directory, each exactly once, as
 * jfrec-collect(5) configures it: across restarts of them and of this process, and also if
 * either is killed.
 */
struct jfrec_collector;

/* Is the configuration well-formed?  0, or -1 with *err set: JFREC_EINVAL (line, column), _EIO. */
int jfrec_collector_check(const char *path, struct jfrec_error *err);

/*
 * Open a collector by the configuration at path, for the only one at work in its directory, and
 * finish what one that was killed there did not.  With dry_run nothing is changed anywhere, now and
 * later.
 *
 * Returns it, to be closed with jfrec_collector_close(), or NULL with *err set: JFREC_EINVAL (the
 * configuration, or its state is damaged), JFREC_EREFUSED (another one is at work), JFREC_EIO.
 */
struct jfrec_collector *jfrec_collector_open(const char *path, bool dry_run,
					     struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_collector_close(struct jfrec_collector *c);

/* Where the files go. Lives as long as the collector. */
const char *jfrec_collector_directory(const struct jfrec_collector *c);

enum jfrec_collected {
	JFREC_COLLECTED_FILE,	 /* a new file is there */
	JFREC_COLLECTED_STARTED, /* a recording was started in a JVM */
	JFREC_COLLECTED_DROPPED, /* an old file was removed, to keep the limits */
	JFREC_COLLECTED_RAN,	 /* the command was run for a file */
	JFREC_COLLECTED_REAPED,	 /* the repository of a dead JVM was removed */
	JFREC_COLLECTED_FAILED,	 /* .text says what; the rest went on */
};

/* Something that a pass has done, or (dry_run) would do. What has no meaning is 0 or NULL. */
struct jfrec_collected_news {
	enum jfrec_collected what;
	const char *path;	/* the file, or the repository */
	int pid;		/* the JVM; of a dead one as it saw it itself */
	const char *main;	/* its main class or jar */
	bool is_leftover;	/* it is dead */
	uint64_t recording;	/* that was started */
	uint64_t bytes;		/* of the file */
	size_t chunks;		/* in it */
	size_t completed;	/* of them that their JVM had not finished */
	size_t unreadable;	/* of its chunks that nothing could be got out of */
	int64_t start_ns, end_ns; /* of what is in it, since 1970 */
	enum jfrec_code code;	/* what failed */
	const char *text;
};

typedef void jfrec_collected_fn(void *ctx, const struct jfrec_collected_news *news);

struct jfrec_collector_options {
	bool reap; /* remove repositories of dead JVMs of which all has been collected */
	jfrec_collected_fn *fn;
	void *ctx;
};

/*
 * One pass over all JVMs.  0: all went well; 1: something failed, which was told, and the
 * rest went on; -1 with *err set: it had to end early, such as for JFREC_EIO with ENOSPC if the
 * disk is full or would be.  What was not collected is left for the next pass in any case.
 *
 * Between passes of one collector the chunks that JVMs are writing are kept open, so that
 * what a JVM removes when it ends is not lost.
 */
int jfrec_collector_pass(struct jfrec_collector *c, const struct jfrec_collector_options *options,
			 struct jfrec_error *err);

/* Have a pass end after the file at hand, and return 0.  May be called from a signal handler. */
void jfrec_collector_stop(struct jfrec_collector *c);

/* What JDKs can record ------------------------------------------------------------------------- */

/*
 * The event types of JDKs without any recording, as their own JVMs declare them: names,
 * labels, fields, units, settings.  They have no @Description, and no ids.
 *
 * There is one for each of some versions of the JDK, and it is compiled into the library.
 * All strings, types and fields that are got from it live as long as it.
 */
struct jfrec_dictionary;

/*
 * The dictionary of that version of the JDK.  For a version that is not known, the nearest
 * older one stands; jdk 0: the newest.  To be freed with jfrec_dictionary_free().  NULL with
 * *err set (JFREC_ENOMEM).
 */
struct jfrec_dictionary *jfrec_dictionary_new(int jdk, struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_dictionary_free(struct jfrec_dictionary *d);

/* The version that it is of. */
int jfrec_dictionary_jdk(const struct jfrec_dictionary *d);

/* All versions that are known, the oldest first; returns how many. */
size_t jfrec_dictionary_jdks(const struct jfrec_dictionary *d, const int **jdks);

/* Have jfrec_dictionary_types() return only some types; otherwise as jfrec_reader_select(). */
int jfrec_dictionary_select(struct jfrec_dictionary *d, const char *events, const char *categories,
			    struct jfrec_error *err);

/* The types, in the order of `jfr metadata`; returns how many.  *types: up to the next selection. */
size_t jfrec_dictionary_types(const struct jfrec_dictionary *d,
			      const struct jfrec_type *const **types);

/* The event type of that full name, or NULL. */
const struct jfrec_type *jfrec_dictionary_event(const struct jfrec_dictionary *d,
						const char *name);

enum jfrec_part { JFREC_PART_TYPE, JFREC_PART_FIELD, JFREC_PART_SETTING };

/*
 * Which of all known versions have the type, or this field or setting of it (name; else
 * NULL).  Bit i stands for the version number i of jfrec_dictionary_jdks(); 0: none has it.
 */
uint32_t jfrec_dictionary_presence(const struct jfrec_dictionary *d, const char *type,
				   enum jfrec_part part, const char *name);

enum jfrec_settings_of {
	JFREC_DECLARED,	   /* what holds if nobody says otherwise */
	JFREC_DEFAULT_JFC, /* the JDK's own settings of this name */
	JFREC_PROFILE_JFC,
};

/* What the setting of an event is then, in this version; NULL: it has no such setting. */
const char *jfrec_dictionary_value(const struct jfrec_dictionary *d, const char *event,
				   const char *setting, enum jfrec_settings_of of);

#define JFREC_NEAR_MAX 256

/* Which events of this version are called nearly so: "; near it: jdk.FileRead", or "". */
const char *jfrec_dictionary_near(const struct jfrec_dictionary *d, const char *name,
				  char list[JFREC_NEAR_MAX]);

/* What this library's authors say of an event; half a sentence each. */
struct jfrec_explanation {
	const char *records; /* what it tells; NULL: they say nothing */
	const char *cost;    /* what it costs the JVM */
};

/* 0 with *x filled for an event of the dictionary, or -1 with *err set (JFREC_ENOMEM). */
int jfrec_dictionary_explain(struct jfrec_dictionary *d, const struct jfrec_type *event,
			     struct jfrec_explanation *x, struct jfrec_error *err);

/* Profiles ------------------------------------------------------------------------------------- */

/* The settings that come with the library: the name of number i, NULL beyond the last.  Static. */
const char *jfrec_profile_name(size_t i);

/* The YAML of the profile of that name, for jfrec_settings_parse(); NULL: there is none.  Static. */
const char *jfrec_profile_text(const char *name);

/* An event type (setting NULL), or a setting of one, that a JDK does not have. */
typedef void jfrec_settings_left_out_fn(void *ctx, const char *event, const char *setting);

/*
 * Fit settings to the JDK of the dictionary: their option "jdk" is set to it, if they have one,
 * then events of the JDK, and settings of these, that it does not have are taken out, and told
 * to left_out, which may be NULL.  0, or -1 with *err set.
 */
int jfrec_settings_fit(struct jfrec_settings *s, const struct jfrec_dictionary *d,
		       jfrec_settings_left_out_fn *left_out, void *ctx, struct jfrec_error *err);

/* Something about settings that is not as it should be.  Valid during the call that tells it. */
struct jfrec_settings_finding {
	bool wrong;		     /* false: it is odd, or of no use, but does what it says */
	unsigned line, column;	     /* in the file; 0: none */
	const char *event, *setting; /* that it is about; or NULL */
	const char *option;	     /* or the control; or NULL */
	const char *text;	     /* what it is, one sentence */
	const char *remedy;	     /* what mends it, or what follows from it; or NULL */
};

typedef void jfrec_settings_finding_fn(void *ctx, const struct jfrec_settings_finding *finding);

/*
 * Look for what a JVM would ignore or misunderstand: unknown events and settings, values out
 * of range, units missing, contradictions, references to nothing.
 *
 * jdk: the version of the JVM that they are for (see jfrec_dictionary_new()); 0: any.  Findings are
 * told in the order of lines.  0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_settings_check(struct jfrec_settings *s, int jdk, jfrec_settings_finding_fn *fn, void *ctx,
			 struct jfrec_error *err);

/* What keeps things from working --------------------------------------------------------------- */

enum jfrec_finding_state {
	JFREC_FINDING_OK,
	JFREC_FINDING_NOTE,    /* nothing fails for it now, but it may matter */
	JFREC_FINDING_WRONG,   /* commands fail for it, or harm may come of it */
	JFREC_FINDING_UNKNOWN, /* it could not be looked at */
};

/* One thing that was looked at.  The strings live as long as their diagnosis. */
struct jfrec_finding {
	const char *check; /* "socket": one word, the same whatever was found */
	enum jfrec_finding_state state;
	enum jfrec_code code; /* what commands fail with; JFREC_OK: none does */
	const char *text;     /* what was found, one sentence */
	const char *remedy;   /* what mends it, if possible a command; NULL: nothing to mend */
};

/* A list of findings that grows. */
struct jfrec_diagnosis;

/* An empty one, to be freed with jfrec_diagnosis_free(), or NULL with *err set (JFREC_ENOMEM). */
struct jfrec_diagnosis *jfrec_diagnosis_new(struct jfrec_error *err);

/* NULL is allowed. */
void jfrec_diagnosis_free(struct jfrec_diagnosis *d);

size_t jfrec_diagnosis_count(const struct jfrec_diagnosis *d);

/* Finding i, i < jfrec_diagnosis_count().  Valid until more are added. */
const struct jfrec_finding *jfrec_diagnosis_get(const struct jfrec_diagnosis *d, size_t i);

/*
 * All that follow add findings, good and bad ones.  0, or -1 with *err set: JFREC_ENOMEM,
 * JFREC_EIO.
 *
 * Of this host, and of our own rights on it.
 */
int jfrec_diagnosis_host(struct jfrec_diagnosis *d, struct jfrec_error *err);

/* Of a JVM, from outside: nothing is sent to it. */
int jfrec_diagnosis_jvm(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm,
			struct jfrec_error *err);

/*
 * Ask the JVM whether it answers and what it records, unless something that keeps it from that has
 * been found before, or it does not listen yet and options->no_signal is set.  That changes
 * nothing in the JVM, unless it has to be made to listen; Flight Recorder is not loaded for it.
 */
int jfrec_diagnosis_ask(struct jfrec_diagnosis *d, const struct jfrec_jvm *jvm,
			const struct jfrec_session_options *options, struct jfrec_error *err);

#ifdef __cplusplus
}
#endif

#endif
