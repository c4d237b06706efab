/* SPDX-License-Identifier: MIT */
/*
 * jfrec-recorder.h - a flight recorder for native programs
 *
 * A program declares types of events, and emits events where something happens.  While the recorder
 * runs, they go into chunk files in the format of JDK Flight Recorder, which jfrec and the tools of
 * JDKs read.  Link with `pkg-config --cflags --libs libjfrec-recorder`; jfrec-recorder(7) is a
 * tutorial.
 *
 *	#define QUERY(F) F(STRING, sql, "SQL", PLAIN) F(LONG, bytes, "Bytes Read", BYTES)
 *	JFREC_SPAN_EVENT(query, "app.Query", "Query", "App,Database", QUERY)
 *
 *	uint64_t begin = query_begin();
 *	...
 *	query_end(begin, sql, bytes);
 *
 * Emitting.  In any thread, at any time, also in signal handlers.  It never blocks, allocates or
 * fails: an event that finds no room is counted, and the recording contains the counts.  While a
 * type is off, an event costs two loads and a branch.
 *
 * Failures.  A function that can fail returns -1 and fills struct jfrec_recorder_error, which may
 * be NULL.  Nothing is printed, with one exception: a mistake in the environment variable
 * JFREC_RECORD, for which there is no caller, is reported on standard error.
 *
 * Threads and processes.  Every function may be called by any thread; only those named
 * jfrec_event_... and jfrec_recorder_now() also by signal handlers.  In the child of a fork() the
 * recorder is stopped and all types are off; it may be started there again.  A vfork() child counts
 * as its parent.
 */
#ifndef JFREC_RECORDER_H
#define JFREC_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* As jfrec.h has them, which a program may include, too. */
#ifndef JFREC_BEGIN_DECLS
#ifdef __cplusplus
#define JFREC_BEGIN_DECLS extern "C" { _Pragma("GCC visibility push(default)")
#define JFREC_END_DECLS _Pragma("GCC visibility pop") }
#else
#define JFREC_BEGIN_DECLS _Pragma("GCC visibility push(default)")
#define JFREC_END_DECLS _Pragma("GCC visibility pop")
#endif
#endif

JFREC_BEGIN_DECLS

/* What went wrong: errno, or 0, and a sentence for a person. */
struct jfrec_recorder_error {
	int sys;
	char text[256];
};

/* Types of events ------------------------------------------------------------------------------ */

/* What a field holds, and in brackets the C type that is passed. */
enum jfrec_event_kind {
	JFREC_EVENT_LONG = 0,	/* int64_t */
	JFREC_EVENT_ULONG = 1,	/* uint64_t */
	JFREC_EVENT_INT = 2,	/* int32_t */
	JFREC_EVENT_UINT = 3,	/* uint32_t */
	JFREC_EVENT_SHORT = 4,	/* int16_t */
	JFREC_EVENT_BYTE = 5,	/* int8_t */
	JFREC_EVENT_BOOL = 6,	/* bool */
	JFREC_EVENT_FLOAT = 7,	/* float */
	JFREC_EVENT_DOUBLE = 8, /* double */
	JFREC_EVENT_STRING = 9, /* const char *, UTF-8; NULL is allowed; at most 32 KiB are kept */
	JFREC_EVENT_INTERNED = 10, /* uint64_t, a text from jfrec_event_intern() */
};

/* What the number in a field is, for those who print it. */
enum jfrec_event_unit {
	JFREC_EVENT_PLAIN = 0,
	JFREC_EVENT_BYTES = 1,
	JFREC_EVENT_NANOSECONDS = 2, /* a duration */
	JFREC_EVENT_MILLISECONDS = 3,
	JFREC_EVENT_EPOCH_MILLIS = 4, /* a point in time */
	JFREC_EVENT_PERCENTAGE = 5,   /* 0 to 1 */
	JFREC_EVENT_ADDRESS = 6,
	JFREC_EVENT_HERTZ = 7,
};

struct jfrec_event_field {
	const char *name;  /* of letters, digits and _; for expressions and queries */
	const char *label; /* for people */
	enum jfrec_event_kind kind;
	enum jfrec_event_unit unit;
};

enum jfrec_event_flags {
	JFREC_EVENT_HAS_DURATION = 1,
	JFREC_EVENT_STARTS_OFF = 2, /* until a setting enables it */
	JFREC_EVENT_HAS_STACK = 4,  /* the calls that led to it; a setting can turn it off */
};

/*
 * A type of events, which the macros below declare; programs that make types at run time fill one
 * themselves, with zeros for what they do not need, and pass it to jfrec_event_register().
 */
struct jfrec_event_type {
	size_t struct_size;   /* sizeof(struct jfrec_event_type) */
	const char *name;     /* "app.Query": dots separate packages */
	const char *label;    /* "Query" */
	const char *category; /* "App,Database": a path */
	const char *description;
	unsigned flags;
	uint64_t threshold_ns; /* shorter events are dropped, until a setting changes it */
	const struct jfrec_event_field *fields;
	size_t field_count;
	const uint8_t *on; /* of the recorder: what it records now, JFREC_EVENT_ON_NONE_ etc. */
	uint32_t id;
};

/*
 * Make a type known.  Everything is copied, but the struct itself has to stay while events are
 * emitted.  A type of the same name, of a module that was unloaded and loaded again, is the same
 * type if its fields are the same.  A type that is refused stays off: its name or fields contradict
 * those of another type or of the JDK, or there are too many types (443).
 */
void jfrec_event_register(struct jfrec_event_type *type);

/*
 * A number for a text that many events contain: it is written once to each chunk, and a number to
 * each event.  The same text always gets the same number, also in other threads.  At most 1000
 * bytes are kept.  0: the table of a megabyte is full, or the recorder was never started; an event
 * with 0 has no text there.
 */
uint64_t jfrec_event_intern(const char *text);

/* One event while it is written, in one function; its members belong to the recorder. */
struct jfrec_event_pen {
	uint8_t *at, *end, *start;
	void *writer, *buffer;
	uint32_t type;
	bool is_long, is_full;
};

/*
 * Begin an event of a type that is on, with room for fields of at most this many bytes.  begin:
 * what jfrec_recorder_now() returned when it began, if it has a duration.  False: the event is
 * shorter than its threshold, or there is no room, which is counted.  After true write all fields
 * in their order, then call jfrec_event_close(), without leaving the function in between.
 */
bool jfrec_event_open(struct jfrec_event_pen *pen, const struct jfrec_event_type *type,
		      uint64_t begin, size_t room);

/*
 * Would an event of that duration be as long as its threshold?  While a type is off this may be
 * true.
 */
bool jfrec_event_is_due(const struct jfrec_event_type *type, uint64_t duration_ns);

/* Commit the event.  What was written beyond its buffer is not there: such an event is lost. */
void jfrec_event_close(struct jfrec_event_pen *pen);

/* Write a text into an event; NULL is allowed. */
void jfrec_event_put_string(struct jfrec_event_pen *pen, const char *text);

/* The recorder --------------------------------------------------------------------------------- */

/* What a recording keeps and where; 0 or NULL: the default. */
struct jfrec_recorder_options {
	size_t struct_size;	/* sizeof(struct jfrec_recorder_options) */
	const char *name;	/* of the recording; "native" */
	const char *repository; /* the directory in which its own is made; "/tmp" */
	const char *filename;	/* a stop and the end of the process dump to it; none */
	uint64_t max_age_ns;	/* older chunks are deleted; any age */
	uint64_t max_size;	/* of all chunks; 250 MiB */
	uint64_t max_chunk;	/* of one chunk; 12 MiB */
	uint64_t memory_size;	/* for events that were not flushed yet; 10 MiB */
	uint64_t flush_ns;	/* how often readers see new events; 1 s */
	bool keep_repository;	/* at the end of the process: do not delete it */
	bool no_attach;		/* do not listen for jfrec and jcmd */
	/*
	 * Which events: "default", "profile", "none", or the path of a .jfc file; or several,
	 * separated by commas, of which the last one wins.  What jfrec_recorder_set() sets wins
	 * over all of them. NULL: "default", that is, what the types declare.
	 */
	const char *settings;
	uint64_t delay_ns;	/* start that much later; at once */
	uint64_t duration_ns;	/* from then on, until a stop by itself; until it is stopped */
	bool in_memory; /* no disk: the chunks lie in /dev/shm, and max_size is 10 MiB unless set */
	bool no_exit_dump; /* the end of the process does not dump to filename, only a stop does */
	/*
	 * Threads wait for the recorder when the buffers are full, up to a second, and nothing is
	 * lost that can be written.  For tests: threads of real time and handlers of signals should
	 * not wait.
	 */
	bool block;
};

/*
 * Start the program's recording: makes the repository and a thread of the recorder's own.  -1 if
 * that fails, or if it already runs; then nothing has changed.
 *
 * JFREC_RECORD in the environment starts it without code; see jfrec-recorder(3).
 */
int jfrec_recorder_start(const struct jfrec_recorder_options *options,
			 struct jfrec_recorder_error *err);

/*
 * Listen for jfrec and jcmd, which then see this process as a JVM, and can start, dump and stop
 * recordings in it; jfrec_recorder_start() does the same.  Only this user and root can.  It makes a
 * thread, a socket in /tmp, and a file by which the process is listed.  -1 if that fails.
 */
int jfrec_recorder_attach(struct jfrec_recorder_error *err);

/*
 * Write what all recordings hold, up to now, to a file, completely or not at all; an existing file
 * is replaced.  The recordings continue.
 */
int jfrec_recorder_dump(const char *path, struct jfrec_recorder_error *err);

/* Write what was emitted up to now to the current chunk, without waiting for the next flush. */
int jfrec_recorder_flush(struct jfrec_recorder_error *err);

/*
 * Stop the program's recording: dump to options.filename, if there is one, and delete the
 * repository unless it is to be kept, or others record, too.  -1: the dump failed, and the
 * repository is kept. The end of the process does the same, if it ends by exit() or by returning
 * from main().
 */
int jfrec_recorder_stop(struct jfrec_recorder_error *err);

/*
 * Change a setting of a type in the program's recording: "enabled" ("true", "false"), "threshold"
 * ("10 ms"), "period" ("1 s") or "stackTrace" ("true", "false"), at once and for types of that name that are registered later.  "*"
 * means all types.  Where others record, too, each gets at least what it asked for.
 */
int jfrec_recorder_set(const char *event, const char *setting, const char *value,
		       struct jfrec_recorder_error *err);

/* What was recorded since the start. */
struct jfrec_recorder_stats {
	size_t struct_size;	/* sizeof(struct jfrec_recorder_stats) */
	bool is_running;
	uint64_t written;	/* events in chunks that readers can see */
	uint64_t lost;		/* events for which there was no room */
	uint64_t lost_bytes;	/* at most: the room that they asked for */
	uint64_t damaged_bytes; /* that something overwrote in the buffers, and that were dropped */
	/* that could not be written; their events are kept, and tried again */
	uint64_t failed_flushes;
	uint64_t chunks;	/* begun */
	char repository[256];	/* "": never started */
	char trouble[256];	/* why the last flush failed; "" if it did not */
};

/* Fill *stats, of which struct_size is set. */
void jfrec_recorder_count(struct jfrec_recorder_stats *stats);

/*
 * Name this thread in the recording, instead of the name that the system knows
 * (pthread_setname_np).
 */
void jfrec_recorder_name_thread(const char *name);

/*
 * The process is about to end by _exit(), or another way without what exit() does: write the
 * recording to its file, as exit() would.  Does nothing in a handler of a signal, which may have
 * interrupted malloc(), or if the stack of the thread cannot be followed.  Wrappers of
 * jfrec-record-preload.so call it.
 */
void jfrec_recorder_before_exit(void);

/*
 * This thread is about to give up what the recorder may need to make a repository: a user, a root
 * directory.  One in a program without event types of its own makes it some time after the start,
 * and from now on has it.  Wrappers of jfrec-record-preload.so call it before setuid(), chroot()
 * and the like.
 */
void jfrec_recorder_make_files(void);

/*
 * This thread is about to install a filter of system calls (seccomp), which may end the process for
 * a call that it does not know.  What its events need is done now: from then on, neither they nor
 * the first ones of later threads make a system call, and children that are forked do not record.
 * Wrappers of jfrec-record-preload.so call it when a program does that.
 */
void jfrec_recorder_before_filter(void);

/*
 * JFREC_BLOCKING { a call that waits } lets samples of blocked threads (jdk.NativeMethodSample) see
 * the stack from here on, in code with frame pointers, too.  It may be left in any way, but one
 * must not be within another in the same thread.  It is for C and C++, and takes 2 ns.
 */
#define JFREC_BLOCKING                                                                     \
	for (int jfrec_wait_ __attribute__((cleanup(jfrec_recorder_left_))) =              \
		     jfrec_recorder_enter_wait();                                          \
	     jfrec_wait_; jfrec_wait_ = 0)

/* What the macro calls before, from the function that waits; returns 1. */
int jfrec_recorder_enter_wait(void);

/* And after it. */
void jfrec_recorder_leave_wait(void);

/* The recorder's clock: nanoseconds, never 0. */
uint64_t jfrec_recorder_now(void);

/* Events in the process ------------------------------------------------------------------------ */

/*
 * A subscription delivers events to functions of the program, as a RecordingStream of Java does. It
 * is a recording of its own, beside others, that ends with it.  One thread of the subscription
 * calls all of its functions, after each flush: first on_event for each event, in the order in
 * which they ended, then on_flush.  Nobody waits for them: of a function that is too slow events
 * are lost, which on_flush is told.
 *
 * Events that these functions emit are not recorded.  They may call everything here, but a fork()
 * in them leaves the child without subscriptions, as any other fork() does.  A module that has such
 * a function closes the subscription before it is unloaded.  When the process ends, subscriptions
 * stop without a further call: close them before, if what is left in their queues matters.
 */
struct jfrec_subscription;

/* An event while it is delivered: it and its texts are valid until on_event returns. */
struct jfrec_received;

struct jfrec_subscription_options {
	size_t struct_size; /* sizeof(struct jfrec_subscription_options) */
	/*
	 * Names of events, separated by commas, each perhaps with a setting, such as
	 * "app.Query#threshold=10ms,jdk.CPULoad#period=1s"; these are enabled, though a type of
	 * that name may be registered later.  NULL: all events that are on by themselves.  Where
	 * another recording asks for more of a type, more of it is delivered.
	 */
	const char *events;
	/* bytes of events that wait; 1 MiB; it is there twice; at least 64 KiB */
	uint64_t queue_size;
	uint64_t flush_ns;   /* how often events are delivered; 1 s */
	void (*on_event)(void *ctx, const struct jfrec_received *event);
	void (*on_flush)(void *ctx,
			 uint64_t lost); /* events that found no room since the last call */
	void (*on_close)(
		void *ctx); /* once, as the last one; also if somebody stops its recording */
	void *ctx;
};

/*
 * Begin to deliver events that end from now on.  What options point to is needed during the call
 * only, but ctx.  To be closed; NULL with *err set: nothing has begun.
 */
struct jfrec_subscription *jfrec_subscription_open(const struct jfrec_subscription_options *options,
						   struct jfrec_recorder_error *err);

/*
 * Deliver what was emitted before, call on_close, and wait for it.  In one of its own functions:
 * deliver nothing more, and call on_close after that function has returned.  It must not be used
 * after this, and be closed once, also if on_close was called already.  NULL is allowed.  In the
 * child of a fork() this does nothing.
 */
void jfrec_subscription_close(struct jfrec_subscription *subscription);

/* The name of its type, "app.Query": of the recorder, for ever. */
const char *jfrec_received_type(const struct jfrec_received *event);

/* When it began, on the clock of jfrec_recorder_now(), and how long it took, or 0: nanoseconds. */
uint64_t jfrec_received_start(const struct jfrec_received *event);
uint64_t jfrec_received_duration(const struct jfrec_received *event);

/*
 * The name of the thread that emitted it, or that was sampled, and its number in the system, unless
 * tid is NULL.  NULL and 0: the recorder itself has emitted it.
 */
const char *jfrec_received_thread(const struct jfrec_received *event, uint32_t *tid);

/*
 * How many frames its stack has, at most 64; 0: it was recorded without one.  *is_whole, unless
 * that is NULL: does the stack go up to where its thread began?
 */
size_t jfrec_received_depth(const struct jfrec_received *event, bool *is_whole);

/* A frame; members may be added at the end. */
struct jfrec_stack_frame {
	const char *function; /* without a symbol its page in the module, "[+0x3f000]" */
	const char *module;   /* the name of its file: "libc.so.6"; of code in none "unknown" */
	uint64_t address; /* of the call, or of what was interrupted: inside of its instruction */
	/* the same as the module's file counts, for `addr2line -e`; 0: beyond 2 GiB */
	uint64_t offset;
};

/*
 * Frame number i, from 0 on, the innermost first; NULL: there are no more.  It is valid until
 * on_event returns, its texts for ever.
 */
const struct jfrec_stack_frame *jfrec_received_frame(const struct jfrec_received *event, size_t i);

/*
 * Field number i, from 0 on; NULL: there are no more.  Events of the recorder may have fields of
 * kinds that are not in enum jfrec_event_kind: numbers of what only readers of recordings can look
 * up.
 */
const struct jfrec_event_field *jfrec_received_field(const struct jfrec_received *event, size_t i);

/*
 * A field of that name: a number without a fraction or a boolean; any number; a text.  0 or NULL:
 * there is no such field, it is of another kind, or that is its value.  An unsigned long is cast.
 */
int64_t jfrec_received_long(const struct jfrec_received *event, const char *field);
double jfrec_received_double(const struct jfrec_received *event, const char *field);
const char *jfrec_received_text(const struct jfrec_received *event, const char *field);

/* Macros --------------------------------------------------------------------------------------- */

/*
 * JFREC_EVENT(x, ...) declares a type of instant events, and the functions
 *
 *	void x_emit(FIELDS...)             emit one
 *	bool x_enabled(void)               is it worth computing the fields?
 *
 * JFREC_STACK_EVENT(x, ...) the same, with the stack.  JFREC_SPAN_EVENT(x, ...) and
 * JFREC_STACK_SPAN_EVENT(x, ...) declare a type of events with a duration, and
 *
 *	uint64_t x_begin(void)             now; 0 if the type is off
 *	void x_end(uint64_t, FIELDS...)    emit it, if it is as long as its threshold
 *	bool x_is_due(uint64_t duration)   would it be?  For fields that take time to compute
 *	bool x_enabled(void)
 *
 * FIELDS is a macro with a row F(KIND, name, "Label", UNIT) for each field, at least one; kinds and
 * units are the enumerators above without their prefix.  Both macros are for the file level of C11
 * or C++17, and the functions for that file.
 */
#define JFREC_EVENT(x, name, label, category, FIELDS) \
	JFREC_INSTANT_(x, name, label, category, 0, FIELDS)
#define JFREC_STACK_EVENT(x, name, label, category, FIELDS) \
	JFREC_INSTANT_(x, name, label, category, JFREC_EVENT_HAS_STACK, FIELDS)
#define JFREC_SPAN_EVENT(x, name, label, category, FIELDS) \
	JFREC_SPAN_(x, name, label, category, JFREC_EVENT_HAS_DURATION, FIELDS)
#define JFREC_STACK_SPAN_EVENT(x, name, label, category, FIELDS)                                \
	JFREC_SPAN_(x, name, label, category, JFREC_EVENT_HAS_DURATION | JFREC_EVENT_HAS_STACK, \
		    FIELDS)

/* Only the macros above use what follows. ------------------------------------------------------ */

/* What is recorded now: nothing, events as long as the threshold, or, if that is 0, all of them. */
#define JFREC_EVENT_ON_NONE_ 0
#define JFREC_EVENT_ON_LONG_ 1
#define JFREC_EVENT_ON_ALL_  2

#define JFREC_INSTANT_(x, name, label, category, flags, FIELDS)                                  \
	JFREC_EVENT_TYPE_(x, name, label, category, flags, FIELDS)                               \
	__attribute__((unused, always_inline)) static inline void x##_emit(                      \
		JFREC_EVENT_TAIL_(_ FIELDS(JFREC_EVENT_ARG_)))                                   \
	{                                                                                        \
		struct jfrec_event_pen pen;                                                      \
		if (x##_enabled() &&                                                             \
		    jfrec_event_open(&pen, &x##_type, 0, (size_t)0 FIELDS(JFREC_EVENT_ROOM_))) { \
			FIELDS(JFREC_EVENT_PUT_)                                                 \
			jfrec_event_close(&pen);                                                 \
		}                                                                                \
	}

#define JFREC_SPAN_(x, name, label, category, flags, FIELDS)                                 \
	JFREC_EVENT_TYPE_(x, name, label, category, flags, FIELDS)                           \
	__attribute__((unused)) static inline uint64_t x##_begin(void)                       \
	{                                                                                    \
		return x##_enabled() ? jfrec_recorder_now() : 0;                             \
	}                                                                                    \
	__attribute__((unused)) static inline bool x##_is_due(uint64_t duration_ns)          \
	{                                                                                    \
		uint8_t on = x##_on_();                                                      \
		return on == JFREC_EVENT_ON_ALL_ ||                                          \
		       (on && duration_ns && jfrec_event_is_due(&x##_type, duration_ns));    \
	}                                                                                    \
	__attribute__((unused, always_inline)) static inline void x##_end(                   \
		uint64_t begin FIELDS(JFREC_EVENT_ARG_))                                     \
	{                                                                                    \
		struct jfrec_event_pen pen;                                                  \
		if (begin && x##_enabled() &&                                                \
		    jfrec_event_open(&pen, &x##_type, begin,                                 \
				     (size_t)0 FIELDS(JFREC_EVENT_ROOM_))) {                 \
			FIELDS(JFREC_EVENT_PUT_)                                             \
			jfrec_event_close(&pen);                                             \
		}                                                                            \
	}

/* Only the macros above use what follows. ------------------------------------------------------ */

#define JFREC_EVENT_TYPE_(x, name, label, category, flags, FIELDS)                              \
	static const struct jfrec_event_field x##_fields[] = { FIELDS(JFREC_EVENT_FIELD_) };    \
	static struct jfrec_event_type x##_type = { sizeof(struct jfrec_event_type),            \
						    name,                                       \
						    label,                                      \
						    category,                                   \
						    NULL,                                       \
						    flags,                                      \
						    0,                                          \
						    x##_fields,                                 \
						    sizeof(x##_fields) / sizeof(x##_fields[0]), \
						    &jfrec_event_off_,                          \
						    0 };                                        \
	__attribute__((constructor)) static void x##_register_(void)                            \
	{                                                                                       \
		jfrec_event_register(&x##_type);                                                \
	}                                                                                       \
	static inline uint8_t x##_on_(void)                                                     \
	{                                                                                       \
		return __atomic_load_n(__atomic_load_n(&x##_type.on, __ATOMIC_RELAXED),         \
				       __ATOMIC_RELAXED);                                       \
	}                                                                                       \
	__attribute__((unused)) static inline bool x##_enabled(void)                            \
	{                                                                                       \
		return x##_on_() != JFREC_EVENT_ON_NONE_;                                       \
	}

#define JFREC_EVENT_FIELD_(kind, name, label, unit) \
	{ #name, label, JFREC_EVENT_##kind, JFREC_EVENT_##unit },
#define JFREC_EVENT_ARG_(kind, name, label, unit)  , JFREC_EVENT_C_##kind##_ name
#define JFREC_EVENT_ROOM_(kind, name, label, unit) +JFREC_EVENT_ROOM_##kind##_(name)
#define JFREC_EVENT_PUT_(kind, name, label, unit)  JFREC_EVENT_PUT_##kind##_(&pen, name);

/* What follows the first comma. */
#define JFREC_EVENT_TAIL_(...)		   JFREC_EVENT_TAIL_2_(__VA_ARGS__)
#define JFREC_EVENT_TAIL_2_(ignored, ...) __VA_ARGS__

#define JFREC_EVENT_C_LONG_	int64_t
#define JFREC_EVENT_C_ULONG_	uint64_t
#define JFREC_EVENT_C_INT_	int32_t
#define JFREC_EVENT_C_UINT_	uint32_t
#define JFREC_EVENT_C_SHORT_	int16_t
#define JFREC_EVENT_C_BYTE_	int8_t
#define JFREC_EVENT_C_BOOL_	bool
#define JFREC_EVENT_C_FLOAT_	float
#define JFREC_EVENT_C_DOUBLE_	double
#define JFREC_EVENT_C_STRING_	const char *
#define JFREC_EVENT_C_INTERNED_ uint64_t

#define JFREC_EVENT_ROOM_LONG_(value)	  9
#define JFREC_EVENT_ROOM_ULONG_(value)	  9
#define JFREC_EVENT_ROOM_INT_(value)	  9
#define JFREC_EVENT_ROOM_UINT_(value)	  9
#define JFREC_EVENT_ROOM_SHORT_(value)	  9
#define JFREC_EVENT_ROOM_BYTE_(value)	  1
#define JFREC_EVENT_ROOM_BOOL_(value)	  1
#define JFREC_EVENT_ROOM_FLOAT_(value)	  4
#define JFREC_EVENT_ROOM_DOUBLE_(value)	  8
#define JFREC_EVENT_ROOM_STRING_(value)	  jfrec_event_room_(value)
#define JFREC_EVENT_ROOM_INTERNED_(value) 10

#define JFREC_EVENT_PUT_LONG_(pen, value)     jfrec_event_put_long(pen, (uint64_t)(value))
#define JFREC_EVENT_PUT_ULONG_(pen, value)    jfrec_event_put_long(pen, value)
#define JFREC_EVENT_PUT_INT_(pen, value)      jfrec_event_put_long(pen, (uint32_t)(value))
#define JFREC_EVENT_PUT_UINT_(pen, value)     jfrec_event_put_long(pen, value)
#define JFREC_EVENT_PUT_SHORT_(pen, value)    jfrec_event_put_long(pen, (uint16_t)(value))
#define JFREC_EVENT_PUT_BYTE_(pen, value)     jfrec_event_put_byte(pen, (uint8_t)(value))
#define JFREC_EVENT_PUT_BOOL_(pen, value)     jfrec_event_put_byte(pen, (value) ? 1 : 0)
#define JFREC_EVENT_PUT_FLOAT_(pen, value)    jfrec_event_put_float(pen, value)
#define JFREC_EVENT_PUT_DOUBLE_(pen, value)   jfrec_event_put_double(pen, value)
#define JFREC_EVENT_PUT_STRING_(pen, value)   jfrec_event_put_string(pen, value)
#define JFREC_EVENT_PUT_INTERNED_(pen, value) jfrec_event_put_interned(pen, value)

/* What types that are not registered point to. */
__attribute__((unused)) static const uint8_t jfrec_event_off_ = 0;

static inline size_t jfrec_event_room_(const char *text)
{
	return (text ? strlen(text) : 0) + 6;
}

/* Seven bits a byte, the lowest first; the ninth byte has eight. */
static inline uint8_t *jfrec_event_varint_(uint8_t *at, uint64_t value)
{
	uint8_t *last = at + 8;

	for (; value >= 0x80 && at < last; value >>= 7)
		*at++ = (uint8_t)(value | 0x80);
	*at++ = (uint8_t)value;
	return at;
}

static inline bool jfrec_event_has_room_(struct jfrec_event_pen *pen, ptrdiff_t bytes)
{
	if (pen->end - pen->at >= bytes)
		return true;
	pen->is_full = true;
	return false;
}

/* A long; an int, short or unsigned one without a sign, cast to its own width first. */
static inline void jfrec_event_put_long(struct jfrec_event_pen *pen, uint64_t value)
{
	if (jfrec_event_has_room_(pen, 9))
		pen->at = jfrec_event_varint_(pen->at, value);
}

/* A byte or a boolean. */
static inline void jfrec_event_put_byte(struct jfrec_event_pen *pen, uint8_t value)
{
	if (jfrec_event_has_room_(pen, 1))
		*pen->at++ = value;
}

static inline void jfrec_event_put_float(struct jfrec_event_pen *pen, float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = __builtin_bswap32(bits);
	if (jfrec_event_has_room_(pen, sizeof(bits))) {
		memcpy(pen->at, &bits, sizeof(bits));
		pen->at += sizeof(bits);
	}
}

static inline void jfrec_event_put_double(struct jfrec_event_pen *pen, double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = __builtin_bswap64(bits);
	if (jfrec_event_has_room_(pen, sizeof(bits))) {
		memcpy(pen->at, &bits, sizeof(bits));
		pen->at += sizeof(bits);
	}
}

static inline void jfrec_recorder_left_(const int *unused)
{
	(void)unused;
	jfrec_recorder_leave_wait();
}

/* A number from jfrec_event_intern(). */
static inline void jfrec_event_put_interned(struct jfrec_event_pen *pen, uint64_t key)
{
	if (!jfrec_event_has_room_(pen, 10))
		return;
	*pen->at++ = key ? 2 : 0;
	if (key)
		pen->at = jfrec_event_varint_(pen->at, key);
}

JFREC_END_DECLS

#ifdef __cplusplus
namespace jfrec
{

/*
 * A span that ends where its scope does, also when an exception leaves it (C++17):
 *
 *	jfrec::span span(query_begin(), [&](uint64_t begin) { query_end(begin, sql, bytes); });
 *
 * What the function refers to has to outlive the span, and must not throw.
 */
template <typename End> class span
{
public:
	span(uint64_t begin, End end) : begin_(begin), end_(end)
	{
	}

	span(const span &) = delete;
	span &operator=(const span &) = delete;

	~span()
	{
		if (begin_)
			end_(begin_);
	}

	/* Nothing is emitted. */
	void drop()
	{
		begin_ = 0;
	}

private:
	uint64_t begin_;
	End end_;
};

}
#endif

#endif
