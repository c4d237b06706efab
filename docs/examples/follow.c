/* SPDX-License-Identifier: MIT */
/*
 * follow.c - events of a JVM as they come, in a program that waits for other things, too
 *
 * usage: follow PID|RECORDING EVENTS
 *
 * Ends with the JVM or the recording, or by Ctrl-C.
 */
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <jfrec/stream.h>

static struct jfrec_stream *stream;

static void stop(int signal)
{
	(void)signal;
	jfrec_stream_stop(stream);
}

static struct jfrec_stream *open_stream(const char *what, struct jfrec_error *err)
{
	struct jfrec_stream_options all = { .struct_size = sizeof(all) };
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = what };
	struct jfrec_stream *s = NULL;
	struct jfrec_jvms *jvms;

	if (atoi(what) == 0)
		return jfrec_stream_open(what, &all, err);
	jvms = jfrec_jvms_find(&q, err);
	if (jvms && jfrec_jvms_count(jvms) == 1)
		s = jfrec_stream_open_jvm(jfrec_jvms_get(jvms, 0), NULL, err);
	else if (jvms)
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET, "not one JVM matches %s", what);
	jfrec_jvms_free(jvms);
	return s;
}

static void print_step(const struct jfrec_stream_step *step)
{
	if (step->kind == JFREC_STREAM_EVENT)
		printf("%s, %" PRId64 " us\n", jfrec_type_name(jfrec_event_type(step->event)),
		       jfrec_event_duration_ns(step->event) / 1000);
	else if (step->kind == JFREC_STREAM_TYPES)
		printf("%zu types, the first is %s\n", jfrec_stream_type_count(stream),
		       jfrec_type_name(jfrec_stream_type_get(stream, 0)));
}

/* Take what there is; then wait, here for nothing else, until there may be more. */
static int follow(struct jfrec_error *err)
{
	struct jfrec_stream_step step;
	int got;

	while ((got = jfrec_stream_next(stream, 0, &step, err)) > 0) {
		struct pollfd p = { .fd = jfrec_stream_fd(stream), .events = POLLIN };

		print_step(&step);
		if (step.kind == JFREC_STREAM_NOTHING)
			poll(&p, p.fd >= 0, jfrec_stream_pause_ms(stream));
	}
	return got;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: follow PID|RECORDING EVENTS" };
	int got = -1;

	stream = argc == 3 ? open_stream(argv[1], &err) : NULL;
	if (stream) {
		signal(SIGINT, stop);
		if (jfrec_reader_select(jfrec_stream_reader(stream), argv[2], NULL, &err) == 0)
			got = follow(&err);
		if (got == 0)
			printf("%s\n", jfrec_stream_end_reason(stream) == JFREC_STREAM_DIED
					       ? "the JVM was killed"
					       : "the end");
	}
	if (got < 0)
		fprintf(stderr, "follow: %s\n", err.text);
	jfrec_stream_close(stream);
	return got < 0;
}
