/* SPDX-License-Identifier: MIT */
/*
 * source.c - what takes the events of one JVM, directory or file
 */
#include "stream/source.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock_now.h"

/* Opening -------------------------------------------------------------------------------------- */

static int fail_open(const struct source *s, const struct jfrec_error *err)
{
	if (s->jvm)
		return report_jvm_failure(s->jvm->pid, err);
	say(s->name, failure_text(err));
	return EXIT_FAILED;
}

/* One more stream of it; f->stream is NULL after a failure, which was reported. */
static int open_stream(struct source *s, const struct jfrec_stream_options *o, struct consumer **f)
{
	struct jfrec_error err;

	*f = &s->consumers[s->consumer_count++];
	**f = (struct consumer){
		.all = s->all, .source = s->name, .jvm = s->jvm, .is_silent = s->consumer_count > 1
	};
	(*f)->stream = jfrec_source_open(s->followed, o, &err);
	return (*f)->stream ? EXIT_DONE : fail_open(s, &err);
}

/* Of a path, all that is there; of a JVM, what it records from now on; or as was asked for. */
static int open_judge(struct source *s, const struct jfrec_stream_options *o)
{
	int64_t from = o->from_ns ? *o->from_ns : s->jvm ? real_now_ns() : INT64_MIN;
	struct consumer *f;
	int status = open_stream(s, o, &f);

	return status == EXIT_DONE ? consumer_judge(f, from) : status;
}

/* All that is wanted of its events. */
static int open_consumers(struct source *s, const struct jfrec_stream_options *o)
{
	struct streaming *all = s->all;
	int status = EXIT_DONE;
	struct consumer *f;

	if (all->prints || all->measures) {
		status = open_stream(s, o, &f);
		if (status == EXIT_DONE)
			status = all->measures ? consumer_measure(f) : consumer_print(f);
	}
	if (status == EXIT_DONE && all->judging.is_wanted)
		status = open_judge(s, o);
	for (unsigned i = 0; status == EXIT_DONE && i < all->trigger_count; i++) {
		status = open_stream(s, o, &f);
		if (status == EXIT_DONE)
			status = consumer_trigger(f, &all->triggers[i]);
	}
	return status;
}

/* What was asked for, and an end, by `to`, so long from now. */
static struct jfrec_stream_options options_of(const struct streaming *all, int64_t *to)
{
	struct jfrec_stream_options o = all->stream;

	*to = real_now_ns() + all->for_ns;
	if (all->for_ns)
		o.to_ns = to;
	return o;
}

static int say_silent(const struct source *s, bool waits)
{
	if (waits) {
		fprintf(stderr, "jfrec: process %s is not recording yet\n", s->name);
		return EXIT_DONE;
	}
	fprintf(stderr,
		"jfrec: process %s is not recording; --settings default starts a recording while "
		"it is followed, and `jfrec start` a permanent one\n",
		s->name);
	return EXIT_FAILED;
}

/* A recording of ours, and the streams of all that it records. */
static int open_recording(struct source *s, bool waits)
{
	struct streaming *all = s->all;
	struct jfrec_stream_options o;
	int64_t began = real_now_ns(), to;
	int status = EXIT_DONE;

	if (all->records)
		status = lease_begin(&s->lease, s->jvm, &all->attach, &all->args);
	if (status != EXIT_DONE)
		return status;
	o = options_of(all, &to);
	if (all->records && all->for_ns)
		lease_end_after(&s->lease, all->for_ns);
	if (all->records && !o.from_ns)
		o.from_ns = &began;
	status = open_consumers(s, &o);
	if (status != EXIT_DONE)
		return status;
	return all->records || jfrec_stream_directory(s->consumers[0].stream)
		       ? EXIT_DONE
		       : say_silent(s, waits);
}

static int open_path(struct source *s)
{
	static const int64_t least = INT64_MIN;
	int64_t to;
	struct jfrec_stream_options o = options_of(s->all, &to);

	/* Of a directory all that is there is judged, not only what comes. */
	if (s->all->judging.is_wanted && !o.from_ns)
		o.from_ns = &least;
	return open_consumers(s, &o);
}

int source_open(struct jfrec_source *followed, struct streaming *all, bool waits)
{
	struct source *s = calloc(1, sizeof(*s));

	if (!s) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	s->all = all;
	s->followed = followed;
	s->name = jfrec_source_name(followed);
	s->jvm = jfrec_source_jvm(followed);
	jfrec_source_set_ctx(followed, s);
	return s->jvm ? open_recording(s, waits) : open_path(s);
}

uint64_t source_close(struct jfrec_source *followed)
{
	struct source *s = jfrec_source_ctx(followed);
	uint64_t damage = 0;

	if (!s)
		return 0;
	if (s->consumer_count && s->consumers[0].stream)
		damage = jfrec_reader_damage(jfrec_stream_reader(s->consumers[0].stream));
	lease_end(&s->lease);
	while (s->consumer_count)
		consumer_close(&s->consumers[--s->consumer_count]);
	jfrec_source_set_ctx(followed, NULL);
	free(s);
	return damage;
}

/* Events --------------------------------------------------------------------------------------- */

static void say_end(const struct source *s)
{
	const char *whose = s->jvm ? "process " : "", *name = s->name;

	switch (jfrec_stream_end_reason(s->consumers[0].stream)) {
	case JFREC_STREAM_DIED:
		fprintf(stderr,
			"jfrec: %s%s exited without finishing its last chunk; everything flushed "
			"has been read\n",
			whose, name);
		break;
	case JFREC_STREAM_DELETED:
		fprintf(stderr, "jfrec: %s%s: the directory was deleted\n", whose, name);
		break;
	case JFREC_STREAM_DONE:
		if (s->jvm)
			fprintf(stderr, "jfrec: process %s exited\n", name);
		break;
	default:
		break;
	}
}

int source_handle(const struct jfrec_streams_step *step, const struct jfrec_error *err)
{
	struct source *s = jfrec_source_ctx(step->source);
	struct consumer *f = &s->consumers[step->stream];
	int status = EXIT_DONE;

	switch (step->kind) {
	case JFREC_STREAMS_STEP:
		return consumer_take(f, &step->step);
	case JFREC_STREAMS_TURN:
		return consumer_flush(f);
	case JFREC_STREAMS_FAILED:
		return consumer_fail(f, err);
	case JFREC_STREAMS_ENDED:
		status = consumer_end(f);
		if (status == EXIT_DONE && jfrec_source_has_ended(step->source))
			say_end(s);
		return status;
	default:
		return EXIT_DONE;
	}
}

void source_renew(struct source *s)
{
	if (!jfrec_source_has_ended(s->followed))
		lease_renew(&s->lease);
}

const struct jfrec_metrics *source_metrics(const struct source *s)
{
	return s->consumer_count ? s->consumers[0].metrics : NULL;
}
