/* SPDX-License-Identifier: MIT */
/* jfrec/writer.h - writing recordings */
#ifndef JFREC_WRITER_H
#define JFREC_WRITER_H

#include "jfrec/output.h"

JFREC_BEGIN_DECLS

/*
 * A recording with event types of your own, which every tool that reads
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
 * Failures persist: it is enough to check the results of jfrec_writer_next_chunk() and
 * jfrec_writer_end(), which report the first failure.
 */
struct jfrec_writer;

struct jfrec_new_field {
	const char *name; /* a Java identifier */
	/*
	 * JFREC_KIND_BOOL, _CHAR, _INT8 to _UINT64: .i of union jfrec_datum has the value;
	 * _FLOAT32, _FLOAT64: .d; _STRING: .s; _THREAD, _CLASS, _STACK: .key of
	 * jfrec_writer_thread(), _class() and _stack(), or 0.
	 */
	enum jfrec_kind kind;
	const char *label, *description; /* or NULL */
	enum jfrec_unit unit;
};

struct jfrec_new_type {
	size_t struct_size;
	const char *name;		 /* "app.Query" */
	const char *label, *description; /* or NULL */
	const char *const *category;	 /* from the outermost in, then NULL; or NULL */
	/* Fields that tools know, before your own. */
	bool has_duration, has_thread, has_stack;
	const struct jfrec_new_field *fields;
	size_t field_count;
};

/* The value of a field; see its kind. */
union jfrec_datum {
	int64_t i;
	double d;
	const char *s; /* UTF-8, or NULL */
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

/* The key of a thread in the current chunk.  Equal threads have one key and are stored once. */
uint64_t jfrec_writer_thread(struct jfrec_writer *w, const struct jfrec_new_thread *thread);

/* The same of a class. */
uint64_t jfrec_writer_class(struct jfrec_writer *w, const char *name);

/* The same of a stack.  Its frames come from the top; `truncated` says that there were more. */
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

/* Free the writer.  The output stays open. */
void jfrec_writer_free(struct jfrec_writer *w);

JFREC_END_DECLS

#endif
