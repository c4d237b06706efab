/* SPDX-License-Identifier: MIT */
/*
 * source.c - one JVM, directory or file whose events are streamed
 */
#include "stream/source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock_now.h"

/* Opening -------------------------------------------------------------------------------------- */

static int fail_open(const struct source *s, const struct jfrec_error *err)
{
	if (s->jvm)
		return report_jvm_failure(s->jvm->pid, err);
	say(s->name, failure_text(err));
	return EXIT_FAILED;
}

/* One more stream of it; f->stream is NULL after a failure, which was said. */
static int open_stream(struct source *s, const struct jfrec_stream_options *o, struct consumer **f)
{
	struct jfrec_error err;

	*f = &s->consumers[s->consumer_count++];
	**f = (struct consumer){
		.all = s->all, .source = s->name, .jvm = s->jvm, .is_silent = s->consumer_count > 1
	};
	(*f)->stream = s->jvm ? jfrec_stream_open_jvm(s->jvm, o, &err)
			      : jfrec_stream_open(s->name, o, &err);
	return (*f)->stream ? EXIT_DONE : fail_open(s, &err);
}

/* All that is wanted of its events. */
static int open_feeds(struct source *s, const struct jfrec_stream_options *o)
{
	struct streaming *all = s->all;
	int status = EXIT_DONE;
	struct consumer *f;

	if (all->prints || all->measures) {
		status = open_stream(s, o, &f);
		if (status == EXIT_DONE)
			status = all->measures ? consumer_measure(f) : consumer_print(f);
	}
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

int source_open_path(struct source *s, struct streaming *all, const char *path)
{
	struct jfrec_stream_options o;
	int64_t to;
	int status;

	*s = (struct source){ .all = all, .name = path };
	o = options_of(all, &to);
	status = open_feeds(s, &o);
	if (status != EXIT_DONE)
		source_close(s);
	return status;
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
	status = open_feeds(s, &o);
	if (status != EXIT_DONE)
		return status;
	return all->records || jfrec_stream_directory(s->consumers[0].stream)
		       ? EXIT_DONE
		       : say_silent(s, waits);
}

int source_open_jvm(struct source *s, struct streaming *all, const struct jfrec_jvm *jvm,
		    bool waits)
{
	struct jfrec_jvm_query query = { .struct_size = sizeof(query), .without_names = true };
	struct jfrec_error err;
	int status = EXIT_NO_JVM;

	*s = (struct source){ .all = all };
	snprintf(s->pid, sizeof(s->pid), "%d", jvm->pid);
	s->name = query.target = s->pid;
	s->list = jfrec_jvms_find(&query, &err);
	if (!s->list)
		return report_jvm_failure(jvm->pid, &err);
	if (jfrec_jvms_count(s->list) == 1) {
		s->jvm = jfrec_jvms_get(s->list, 0);
		status = open_recording(s, waits);
	}
	if (status != EXIT_DONE)
		source_close(s);
	return status;
}

void source_close(struct source *s)
{
	if (s->consumer_count && s->consumers[0].stream)
		s->damage = jfrec_reader_damage(jfrec_stream_reader(s->consumers[0].stream));
	lease_end(&s->lease);
	while (s->consumer_count)
		consumer_close(&s->consumers[--s->consumer_count]);
	jfrec_jvms_free(s->list);
	s->list = NULL;
	s->jvm = NULL;
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

int source_pump(struct source *s, int *status)
{
	bool busy = false, goes_on = false;

	if (s->has_ended)
		return 0;
	lease_renew(&s->lease);
	for (unsigned i = 0; i < s->consumer_count; i++) {
		struct consumer *f = &s->consumers[i];
		int got = jfrec_stream_end_reason(f->stream) ? 0 : consumer_pump(f, status);

		if (got < 0)
			return -1;
		busy |= got > 0;
		goes_on |= !jfrec_stream_end_reason(f->stream);
	}
	if (!goes_on)
		say_end(s);
	s->has_ended = !goes_on;
	return busy;
}

void source_stop(struct source *s)
{
	for (unsigned i = 0; i < s->consumer_count; i++)
		jfrec_stream_stop(s->consumers[i].stream);
}

int source_pause_ms(const struct source *s)
{
	int least = INT_MAX;

	for (unsigned i = 0; i < s->consumer_count; i++) {
		int ms = jfrec_stream_pause_ms(s->consumers[i].stream);

		least = ms < least ? ms : least;
	}
	return least;
}

const struct jfrec_metrics *source_metrics(const struct source *s)
{
	return s->consumer_count ? s->consumers[0].metrics : NULL;
}
