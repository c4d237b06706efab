/* SPDX-License-Identifier: MIT */
/*
 * consumer.c - pass the events of a stream to standard output, metrics or a command
 */
#include "stream/consumer.h"

#include <stdlib.h>
#include <string.h>

#include "opts/format_opts.h"

/* Lines ---------------------------------------------------------------------------------------- */

/* "[4711] " before text, {"source":"4711", in place of the brace of an object. */
static char *make_tag(enum jfrec_format format, const char *name)
{
	json_t *json = text_json(name);
	char *quoted = json ? json_dumps(json, JSON_ENCODE_ANY) : NULL, *tag = NULL;

	json_decref(json);
	if (!format_can(format, JFREC_FORMAT_TAG)) {
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
	struct consumer *f = ctx;
	struct sink *sink = &f->all->sink;
	bool is_object = format_can(f->all->print.format, JFREC_FORMAT_TAG);
	const char *at = data, *end = at + len;
	int error = 0;

	while (at < end && !error) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));
		const char *next = feed ? feed + 1 : end;

		/* An empty line separates events, and belongs to none. */
		if (!f->is_inside_line && at != feed) {
			sink_write(sink, f->tag, f->tag_len);
			at += is_object; /* the brace */
		}
		error = sink_write(sink, at, (size_t)(next - at));
		f->is_inside_line = !feed;
		at = next;
	}
	return error;
}

/* Opening -------------------------------------------------------------------------------------- */

static void on_problem(void *ctx, const struct jfrec_problem *p)
{
	const struct consumer *f = ctx;

	if (!f->is_silent)
		say(p->input ? p->input : f->source, p->text);
}

static int fail_memory(void)
{
	say_out_of_memory();
	return EXIT_FAILED;
}

int consumer_fail(struct consumer *f, const struct jfrec_error *err)
{
	const struct event_opts *select = f->trigger ? &f->trigger->select : &f->all->select;

	if (err->code == JFREC_EEXPRESSION)
		return event_opts_failure(select, f->all->command, jfrec_stream_reader(f->stream),
					  err);
	if (err->code == JFREC_EOUTPUT)
		return report_write_failure(err->sys);
	say(f->source, failure_text(err));
	return err->code == JFREC_EINVAL ? EXIT_USAGE : exit_of(err->code);
}

static int choose(struct consumer *f, struct event_opts *select)
{
	struct jfrec_reader *r = jfrec_stream_reader(f->stream);
	struct jfrec_error err;

	jfrec_reader_on_problem(r, on_problem, f);
	if (event_opts_select(select, r, &err) < 0)
		return event_opts_failure(select, f->all->command, r, &err);
	return EXIT_DONE;
}

static int make_printer(struct consumer *f)
{
	bool is_tagged = f->all->is_tagged || format_can(f->all->print.format, JFREC_FORMAT_TAG);
	struct jfrec_error err;

	if (is_tagged) {
		f->tag = make_tag(f->all->print.format, f->source);
		if (!f->tag)
			return fail_memory();
		f->tag_len = strlen(f->tag);
	}
	f->printer = jfrec_printer_new(jfrec_stream_reader(f->stream), &f->all->print,
				       is_tagged ? write_tagged : sink_write,
				       is_tagged ? (void *)f : &f->all->sink, &err);
	return f->printer ? EXIT_DONE : consumer_fail(f, &err);
}

int consumer_print(struct consumer *f)
{
	int status = choose(f, &f->all->select);

	return status == EXIT_DONE ? make_printer(f) : status;
}

int consumer_measure(struct consumer *f)
{
	int status = choose(f, &f->all->select);
	json_t *source, *name;
	struct jfrec_error err;

	if (status != EXIT_DONE)
		return status;
	/* By way of JSON: a name may be any bytes, and one that is not UTF-8 spoils the page. */
	source = text_json(f->source);
	name = f->jvm ? text_json(f->jvm->main) : NULL;
	if (source && (name || !f->jvm)) {
		f->metrics = jfrec_metrics_new(json_string_value(source), json_string_value(name),
					       f->all->window_ns, &err);
		status = f->metrics ? EXIT_DONE : consumer_fail(f, &err);
	} else {
		status = fail_memory();
	}
	json_decref(source);
	json_decref(name);
	return status;
}

int consumer_trigger(struct consumer *f, struct trigger *t)
{
	struct jfrec_print_options o = f->all->print;
	int status = choose(f, &t->select);
	struct jfrec_error err;

	if (status != EXIT_DONE)
		return status;
	f->trigger = t;
	o.format = JFREC_NDJSON;
	f->json_printer = jfrec_printer_new(jfrec_stream_reader(f->stream), &o, grown_text_append,
					    &f->json, &err);
	if (!f->json_printer)
		return consumer_fail(f, &err);
	/* What matches is shown, unless options say what is. */
	return f->all->prints || f->all->measures ? EXIT_DONE : make_printer(f);
}

int consumer_judge(struct consumer *f, int64_t from_ns)
{
	struct streaming *all = f->all;
	struct jfrec_reader *r = jfrec_stream_reader(f->stream);
	struct jfrec_error err;

	jfrec_reader_on_problem(r, on_problem, f);
	/* Only its flushes count: the events are read from the repository. */
	if (jfrec_reader_where(r, "event = \"\"", &err) < 0)
		return consumer_fail(f, &err);
	f->windows = rule_windows_new(&(struct rule_windows_of){
		.opts = &all->judging,
		.source = f->source,
		.jvm = f->jvm,
		.zone = all->select.has_zone ? &all->select.zone : NULL,
		.sink = &all->sink,
		.is_json = all->print.format == JFREC_NDJSON,
		.is_tagged = all->is_tagged,
		.from_ns = from_ns,
	});
	return f->windows ? EXIT_DONE : EXIT_FAILED;
}

void consumer_close(struct consumer *f)
{
	rule_windows_free(f->windows);
	jfrec_printer_free(f->printer);
	jfrec_printer_free(f->json_printer);
	jfrec_metrics_free(f->metrics);
	free(f->tag);
	free(f->json.bytes);
	*f = (struct consumer){ 0 };
}

/* Events --------------------------------------------------------------------------------------- */

/* The command for an event, as far as it is due. 0, or -1 with *err set. */
static int set_off(struct consumer *f, const struct jfrec_event *ev, struct jfrec_error *err)
{
	const struct trigger_event e = {
		.source = f->source,
		.main = f->jvm ? f->jvm->main : NULL,
		.type = jfrec_type_name(jfrec_event_type(ev)),
	};

	if (!trigger_is_due(f->trigger))
		return 0;
	f->json.len = 0;
	if (jfrec_printer_event(f->json_printer, ev, err) < 0 ||
	    jfrec_printer_flush(f->json_printer, err) < 0)
		return -1;
	trigger_run(f->trigger, &e, f->json.bytes, f->json.len);
	return 0;
}

static int take_event(struct consumer *f, const struct jfrec_event *ev, struct jfrec_error *err)
{
	if (f->metrics && jfrec_metrics_event(f->metrics, ev, err) < 0)
		return -1;
	if (f->trigger && set_off(f, ev, err) < 0)
		return -1;
	if (!f->printer)
		return 0;
	if (!sink_is_full(&f->all->sink))
		return jfrec_printer_event(f->printer, ev, err);
	sink_drop(&f->all->sink);
	return 0;
}

int consumer_take(struct consumer *f, const struct jfrec_stream_step *step)
{
	struct jfrec_error err = { 0 };

	if (step->kind == JFREC_STREAM_FLUSH && f->windows)
		return rule_windows_flush(f->windows, step->ns);
	if (step->kind == JFREC_STREAM_FLUSH && f->metrics)
		jfrec_metrics_flush(f->metrics, step->ns);
	if (step->kind == JFREC_STREAM_EVENT && take_event(f, step->event, &err) < 0)
		return consumer_fail(f, &err);
	return EXIT_DONE;
}

int consumer_flush(struct consumer *f)
{
	struct jfrec_error err = { 0 };

	if (f->printer && jfrec_printer_flush(f->printer, &err) < 0)
		return consumer_fail(f, &err);
	return EXIT_DONE;
}

int consumer_end(struct consumer *f)
{
	struct jfrec_error err = { 0 };

	if (f->printer && jfrec_printer_end(f->printer, &err) < 0)
		return consumer_fail(f, &err);
	return f->windows ? rule_windows_end(f->windows) : EXIT_DONE;
}
