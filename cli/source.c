/* SPDX-License-Identifier: MIT */
/*
 * source.c - one JVM, directory or file whose events are streamed
 */
#include "source.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* So that one with many events lets the others have their turn. */
#define STEPS_PER_TURN 20000

/* Lines ---------------------------------------------------------------------------------------- */

/* "[4711] " in front of text, {"source":"4711", in place of the brace of an object. */
static char *make_tag(enum jfrec_format format, const char *name)
{
	json_t *json = text_json(name);
	char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL, *tag = NULL;

	json_decref(json);
	if (format != JFREC_NDJSON) {
		if (asprintf(&tag, "[%s] ", name) < 0)
			tag = NULL;
	} else if (quoted && asprintf(&tag, "{\"source\":%s,", quoted) < 0) {
		tag = NULL;
	}
	free(quoted);
	return tag;
}

/* A jfrec_write_fn: lines come in pieces of any size. */
static int write_tagged(void *ctx, const void *data, size_t len)
{
	struct source *s = ctx;
	struct sink *sink = &s->all->sink;
	bool is_object = s->all->print.format == JFREC_NDJSON;
	const char *at = data, *end = at + len;
	int error = 0;

	while (at < end && !error) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));
		const char *next = feed ? feed + 1 : end;

		/* An empty line parts events, and is nobody's. */
		if (!s->is_inside_line && at != feed) {
			sink_write(sink, s->tag, s->tag_len);
			at += is_object; /* the brace */
		}
		error = sink_write(sink, at, (size_t)(next - at));
		s->is_inside_line = !feed;
		at = next;
	}
	return error;
}

/* Opening -------------------------------------------------------------------------------------- */

static void on_problem(void *ctx, const struct jfrec_problem *p)
{
	const struct source *s = ctx;

	say(p->input ? p->input : s->name, p->text);
}

static int make_printer(struct source *s)
{
	struct jfrec_reader *r = jfrec_stream_reader(s->stream);
	bool is_tagged = s->all->is_tagged || s->all->print.format == JFREC_NDJSON;
	struct jfrec_error err;

	jfrec_reader_on_problem(r, on_problem, s);
	if (choice_make(&s->all->choice, r, &err) < 0)
		return choice_failure(&s->all->choice, s->all->command, r, &err);
	if (is_tagged) {
		s->tag = make_tag(s->all->print.format, s->name);
		s->tag_len = s->tag ? strlen(s->tag) : 0;
	}
	s->printer = jfrec_printer_new(r, &s->all->print, is_tagged ? write_tagged : sink_write,
				       is_tagged ? (void *)s : &s->all->sink, &err);
	if (s->printer && (s->tag || !is_tagged))
		return EXIT_DONE;
	fputs("jfrec: out of memory\n", stderr);
	return EXIT_FAILED;
}

static int open_printer(struct source *s)
{
	int status = make_printer(s);

	if (status != EXIT_DONE)
		source_close(s);
	return status;
}

static int64_t real_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What was asked for, and an end, by `to`, so long from now. */
static struct jfrec_stream_options options_of(const struct streaming *all, int64_t *to)
{
	struct jfrec_stream_options o = all->stream;

	*to = real_ns() + all->for_ns;
	if (all->for_ns)
		o.to_ns = to;
	return o;
}

int source_open_path(struct source *s, struct streaming *all, const char *path)
{
	struct jfrec_stream_options o;
	struct jfrec_error err;
	int64_t to;

	*s = (struct source){ .all = all, .name = path };
	o = options_of(all, &to);
	s->stream = jfrec_stream_open(path, &o, &err);
	if (s->stream)
		return open_printer(s);
	say(path, err.text);
	return EXIT_FAILED;
}

static int say_silent(const struct source *s, bool waits)
{
	if (waits) {
		fprintf(stderr, "jfrec: process %s records nothing yet\n", s->name);
		return EXIT_DONE;
	}
	fprintf(stderr,
		"jfrec: process %s records nothing; --settings default has it record while it is "
		"followed, and `jfrec start` begins a recording that stays\n",
		s->name);
	return EXIT_FAILED;
}

/* A recording of ours, and the stream of all that it records. */
static int open_stream(struct source *s, bool waits)
{
	struct streaming *all = s->all;
	struct jfrec_stream_options o;
	int64_t began = real_ns(), to;
	struct jfrec_error err;
	int status = EXIT_DONE;

	if (all->records)
		status = lease_begin(&s->lease, s->jvm, &all->talk, &all->args);
	if (status != EXIT_DONE)
		return status;
	o = options_of(all, &to);
	if (all->records && !o.from_ns)
		o.from_ns = &began;
	s->stream = jfrec_stream_open_jvm(s->jvm, &o, &err);
	if (!s->stream)
		return report_jvm_failure(s->jvm->pid, &err);
	return all->records || jfrec_stream_directory(s->stream) ? EXIT_DONE : say_silent(s, waits);
}

int source_open_jvm(struct source *s, struct streaming *all, const struct jfrec_jvm *jvm,
		    bool waits)
{
	struct jfrec_jvm_query query = { .without_names = true };
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
		status = open_stream(s, waits);
	}
	if (status == EXIT_DONE)
		return open_printer(s);
	source_close(s);
	return status;
}

void source_close(struct source *s)
{
	if (s->stream)
		s->damage = jfrec_reader_damage(jfrec_stream_reader(s->stream));
	lease_end(&s->lease);
	jfrec_printer_free(s->printer);
	jfrec_stream_close(s->stream);
	jfrec_jvms_free(s->list);
	free(s->tag);
	s->printer = NULL;
	s->stream = NULL;
	s->list = NULL;
	s->jvm = NULL;
	s->tag = NULL;
}

/* Events --------------------------------------------------------------------------------------- */

static void say_end(const struct source *s)
{
	const char *whose = s->jvm ? "process " : "", *name = s->name;

	switch (jfrec_stream_end(s->stream)) {
	case JFREC_STREAM_DIED:
		fprintf(stderr,
			"jfrec: %s%s ended without finishing its last chunk; all that it had "
			"flushed has been printed\n",
			whose, name);
		break;
	case JFREC_STREAM_DELETED:
		fprintf(stderr, "jfrec: %s%s: the directory was deleted\n", whose, name);
		break;
	case JFREC_STREAM_DONE:
		if (s->jvm)
			fprintf(stderr, "jfrec: process %s ended\n", name);
		break;
	default:
		break;
	}
}

static int fail(struct source *s, const struct jfrec_error *err)
{
	struct jfrec_reader *r = jfrec_stream_reader(s->stream);

	if (err->code == JFREC_EEXPRESSION)
		return choice_failure(&s->all->choice, s->all->command, r, err);
	if (err->code == JFREC_EOUTPUT)
		return report_write_failure(err->sys);
	say(s->name, err->text);
	return err->code == JFREC_EINVAL ? EXIT_USAGE : exit_of(err->code);
}

/* 1: a step was taken; 0: there is none now, or no more; -1: *err is set. */
static int take_step(struct source *s, struct jfrec_error *err)
{
	struct jfrec_stream_step step;
	int got = jfrec_stream_next(s->stream, 0, &step, err);

	if (got <= 0 || step.kind == JFREC_STREAM_NOTHING)
		return got < 0 ? -1 : 0;
	if (step.kind != JFREC_STREAM_EVENT)
		return 1;
	if (!sink_is_full(&s->all->sink))
		return jfrec_printer_event(s->printer, step.event, err) < 0 ? -1 : 1;
	sink_drop(&s->all->sink);
	return 1;
}

int source_pump(struct source *s, int *status)
{
	struct jfrec_error err = { 0 };
	int got = 1, steps = 0;

	lease_renew(&s->lease);
	while (steps < STEPS_PER_TURN && (got = take_step(s, &err)) > 0)
		steps++;
	if (got >= 0)
		got = jfrec_stream_end(s->stream) ? jfrec_printer_end(s->printer, &err)
						  : jfrec_printer_flush(s->printer, &err);
	if (got < 0) {
		*status = fail(s, &err);
		return -1;
	}
	if (jfrec_stream_end(s->stream)) {
		say_end(s);
		source_close(s);
	}
	return steps > 0;
}
