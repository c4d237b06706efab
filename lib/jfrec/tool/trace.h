/* SPDX-License-Identifier: MIT */
/* jfrec/tool/trace.h - the slowest requests, and what their threads did meanwhile */
#ifndef JFREC_TOOL_TRACE_H
#define JFREC_TOOL_TRACE_H

#include "jfrec/reader.h"

/*
 * What a thread did.  A moment counts once, for the first of these that happened then; so does a
 * sample, which counts only where none of the others did.
 */
enum jfrec_trace_kind {
	JFREC_TRACE_GC,	       /* a collection stopped it, or let it wait for memory */
	JFREC_TRACE_SAFEPOINT, /* the JVM stopped all threads for something else */
	JFREC_TRACE_PINNED,    /* a virtual thread that could not leave its carrier waited */
	JFREC_TRACE_LOCK,
	JFREC_TRACE_SOCKET,
	JFREC_TRACE_FILE,
	JFREC_TRACE_SLEEP,
	JFREC_TRACE_WAIT, /* for another thread: notified, or unparked */
	JFREC_TRACE_RUNNING, /* as samples say */
	JFREC_TRACE_SPAN, /* no such thing, but an event that says what it worked on */
};
#define JFREC_TRACE_KINDS JFREC_TRACE_SPAN

/* Which requests. */
struct jfrec_trace_options {
	/*
	 * Globs separated by commas: events of these types are requests.  NULL: what looks like a
	 * request, of what the application records.
	 */
	const char *events;
	const char *where; /* with .events: of which this is true; NULL: all */
	size_t top;	   /* the slowest so many, at most JFREC_TRACE_TOP */
	const int64_t *from_ns, *to_ns; /* that touch this span, in ns since 1970; NULL: no bound */
};
#define JFREC_TRACE_TOP 1000

/* A field of a request. */
struct jfrec_trace_field {
	const char *name;
	const char *text;	/* NULL: null */
	enum jfrec_kind kind;	/* JFREC_KIND_INT, _BOOL, _SPAN, _TIME: .number; else only .text */
	int64_t number;		/* times in ns */
};

/* Something with a duration that happened in the thread, or to it, while the request ran. */
struct jfrec_trace_span {
	const char *type;   /* "jdk.SocketRead" */
	const char *label;  /* "Socket Read" */
	const char *detail; /* "db.example:5432"; NULL: nothing more is known */
	const char *site;   /* the method that did it, of the application if there is one; NULL */
	enum jfrec_trace_kind kind;
	unsigned depth; /* how many of the others it lies in, up to 32 */
	int64_t begin_ns, end_ns;
};

/* A method in which the thread ran. */
struct jfrec_trace_method {
	const char *name;
	uint64_t samples;
	int64_t ns;
};

struct jfrec_trace_request {
	const char *type, *label;
	const char *thread; /* its name; NULL: it has none */
	int64_t begin_ns, end_ns;
	const struct jfrec_trace_field *fields;
	size_t field_count;
	const struct jfrec_trace_span *spans; /* by when they begin; of many the longest */
	size_t span_count;
	uint64_t spans_left_out;
	int64_t ns[JFREC_TRACE_KINDS];	    /* how long it did what */
	uint64_t events[JFREC_TRACE_KINDS]; /* that say so, or samples */
	/* The standard deviation that .ns of samples may have; 0: there are none. */
	int64_t error_ns;
	int64_t unexplained_ns; /* the rest */
	const struct jfrec_trace_method *methods; /* the heaviest first */
	size_t method_count;
};

struct jfrec_trace {
	const struct jfrec_trace_request *requests; /* the slowest first */
	size_t count;
	uint64_t found;		 /* requests, of which these are the slowest */
	uint64_t inner;		 /* events that are in a request of the same thread: spans of it */
	uint64_t without_thread; /* events that would be requests */
	const char *sampler;	 /* the type of the samples; NULL: there are none */
	uint64_t left_out;	 /* spans and samples for which there was no room: the shortest */
};

/*
 * Read a recording twice, from the first event on, with all inputs added; a pipe is stored for
 * that, as by jfrec_reader_spool().  Memory: 32 bytes for each request, and 48 for each event that
 * happened in one of those that are kept, up to a million.  NULL with *err set: JFREC_ENOEVENT if
 * there are no such events, or none looks like a request; JFREC_EEXPRESSION, with the offset in
 * .where; as jfrec_reader_spool(); JFREC_ENOMEM; JFREC_ECANCELED.
 */
struct jfrec_trace *jfrec_trace_read(struct jfrec_reader *r, const struct jfrec_trace_options *o,
				     struct jfrec_error *err);

/* Free what that returned.  NULL is allowed. */
void jfrec_trace_free(struct jfrec_trace *t);

#endif
