/* SPDX-License-Identifier: MIT */
/*
 * consumer.h - pass the events of a stream to standard output, metrics or a command
 */
#ifndef JFREC_CLI_STREAM_CONSUMER_H
#define JFREC_CLI_STREAM_CONSUMER_H

#include "base/grown_text.h"
#include "jvm/lease.h"
#include "stream/rule_windows.h"
#include "stream/sink.h"
#include "stream/trigger.h"

#define MAX_TRIGGERS 16

/* What is the same for all that is streamed. */
struct streaming {
	const struct command *command;
	struct event_opts select; /* of what is printed or measured */
	struct jfrec_print_options print;
	struct jfrec_stream_options stream;
	bool prints;	   /* all that was chosen */
	bool measures;	   /* in place of that */
	int64_t window_ns; /* of what is measured */
	struct trigger triggers[MAX_TRIGGERS];
	unsigned trigger_count;
	struct rule_opts judging; /* in place of what is printed */
	int64_t for_ns; /* how long each is followed, from when it can be; 0: forever */
	struct attach_opts attach;
	struct jfr_opts args; /* of recordings that are begun for it */
	bool records;	     /* begin one in each JVM */
	bool is_tagged;	     /* each line says whose it is */
	struct sink sink;
};

/* Zeroed: none. */
struct consumer {
	struct streaming *all;
	const char *source;	     /* the pid, or the path */
	const struct jfrec_jvm *jvm; /* NULL: a path */
	struct jfrec_stream *stream; /* of the source; NULL: it could not be opened */
	bool is_silent;		     /* another one tells what is damaged */
	/* What takes the events; NULL: does not. */
	struct jfrec_printer *printer;
	struct jfrec_metrics *metrics;
	struct trigger *trigger;
	struct rule_windows *windows;
	/* Printing: what precedes each line; NULL: nothing does. */
	char *tag;
	size_t tag_len;
	bool is_inside_line;
	/* For a command: the event as JSON. */
	struct jfrec_printer *json_printer;
	struct grown_text json;
};

/*
 * Have it take the events of f->stream, which is open.  An exit code, after saying what is wrong;
 * consumer_close() frees it in any case.
 */
int consumer_print(struct consumer *f);
int consumer_measure(struct consumer *f);
int consumer_trigger(struct consumer *f, struct trigger *t);
/* from_ns: where its windows begin; INT64_MIN: with what it has. */
int consumer_judge(struct consumer *f, int64_t from_ns);

/*
 * Take a step of its stream; the turn of the stream is over; it has ended; it has failed.  An exit
 * code, after saying what is wrong.
 */
int consumer_take(struct consumer *f, const struct jfrec_stream_step *step);
int consumer_flush(struct consumer *f);
int consumer_end(struct consumer *f);
int consumer_fail(struct consumer *f, const struct jfrec_error *err);

/* Frees the metrics, too; the stream belongs to its source. */
void consumer_close(struct consumer *f);

#endif
