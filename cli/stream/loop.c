/* SPDX-License-Identifier: MIT */
/*
 * loop.c - the event loop of `jfrec stream`, and the JVMs it follows
 */
#include "stream/loop.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock_now.h"
#include "base/interrupt.h"
#include "opts/output_opts.h"

/* Between two looks for something new, at most. */
#define PAUSE_MS 1000

/* So often there is nothing before nothing more is expected. */
#define IDLE_LOOKS 2

#define OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"

bool loop_is_path(const char *name)
{
	struct stat st;

	return strchr(name, '/') || (name[strspn(name, "0123456789")] && stat(name, &st) == 0);
}

/* Sources -------------------------------------------------------------------------------------- */

static void remove_source(struct loop *w, struct jfrec_source *followed)
{
	uint64_t damage = source_close(followed);

	jfrec_source_remove(followed);
	if (damage && w->status == EXIT_DONE)
		w->status = EXIT_FAILED;
}

static void remove_all(struct loop *w)
{
	size_t i = w->streams ? jfrec_streams_count(w->streams) : 0;

	while (i-- > 0)
		remove_source(w, jfrec_streams_get(w->streams, i));
}

/* One that cannot be opened is not followed, which was reported. */
static int open_source(struct loop *w, struct jfrec_source *followed, bool waits)
{
	int status = source_open(followed, &w->all, waits);

	if (status == EXIT_DONE)
		return EXIT_DONE;
	source_close(followed);
	/* Said once is enough.  What is not a JVM any more, or not yet, is looked at again. */
	if (status == EXIT_NO_JVM)
		jfrec_source_remove(followed);
	else
		jfrec_source_refuse(followed);
	return status;
}

static int fail_memory(void)
{
	say_out_of_memory();
	return EXIT_FAILED;
}

static int add_path(struct loop *w, const char *path)
{
	struct jfrec_source *s = jfrec_streams_add_path(w->streams, path, NULL);

	return s ? open_source(w, s, false) : fail_memory();
}

static int add_jvm(struct loop *w, const struct jfrec_jvm *jvm, int look_out)
{
	struct jfrec_source *s = jfrec_streams_add_jvm(w->streams, jvm, look_out, NULL);

	return s ? open_source(w, s, w->follows || w->target.all) : fail_memory();
}

/* Those of a list that are new. Returns the first exit code that is not EXIT_DONE. */
static int add_jvms(struct loop *w, const struct jfrec_jvms *list, int look_out)
{
	int first = EXIT_DONE;

	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);
		int status = EXIT_DONE;

		if (!jfrec_streams_has_jvm(w->streams, jvm))
			status = add_jvm(w, jvm, look_out);
		if (first == EXIT_DONE)
			first = status;
	}
	return first;
}

static struct target target_of(const struct loop *w, int name)
{
	struct target t = w->target;

	t.query.target = name < w->name_count ? w->names[name] : NULL;
	t.query.without_names = true;
	return t;
}

/* JVMs that are started later, from their first event on.  EXIT_DONE, with *number set. */
static int look_out(struct loop *w, const struct target *t, int *number)
{
	struct jfrec_jvm_query q = t->query;
	struct jfrec_error err;

	q.struct_size = sizeof(q);
	*number = jfrec_streams_look_out(w->streams, &q, t->all, &err);
	return *number < 0 ? report_jvm_failure(0, &err) : EXIT_DONE;
}

/* Is there none yet, which is reported? */
static bool is_awaited(const struct target *t)
{
	struct jfrec_jvms *list = target_find(t, NULL);
	bool has_none = list && jfrec_jvms_count(list) == 0;

	if (has_none)
		fprintf(stderr, "jfrec: no JVM matches yet; waiting for one\n");
	jfrec_jvms_free(list);
	return has_none;
}

static int add_name(struct loop *w, const struct command *c, int name)
{
	struct target t = target_of(w, name);
	struct jfrec_jvms *list;
	int status = EXIT_DONE, number = -1;

	if (name < w->name_count && loop_is_path(w->names[name]))
		return add_path(w, w->names[name]);
	if (w->follows)
		status = look_out(w, &t, &number);
	if (status != EXIT_DONE || (w->follows && is_awaited(&t)))
		return status;
	status = target_select(c, &t, &list);
	if (status != EXIT_DONE)
		return status;
	/* If there are several, those that can be followed are. */
	status = add_jvms(w, list, number);
	jfrec_jvms_free(list);
	return status;
}

/* How many names there are: without one, what narrows them down counts. */
static int wish_count(const struct loop *w)
{
	return w->name_count ? w->name_count : 1;
}

/* Metrics -------------------------------------------------------------------------------------- */

static int write_page(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ENOMEM;
}

static int print_metrics(const struct loop *w, jfrec_write_fn *write, void *ctx,
			 struct jfrec_error *err)
{
	size_t count = jfrec_streams_count(w->streams);
	const struct jfrec_metrics **all = calloc(count + 1, sizeof(*all));
	int ret;

	if (!all) {
		err->code = JFREC_ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < count; i++)
		all[i] = source_metrics(jfrec_source_ctx(jfrec_streams_get(w->streams, i)));
	ret = jfrec_metrics_print(all, count, write, ctx, err);
	free(all);
	return ret;
}

/* For http.h. */
static char *metrics_page(void *ctx, size_t *len)
{
	struct jfrec_error err;
	char *page = NULL;
	FILE *f = open_memstream(&page, len);
	int ret = f ? print_metrics(ctx, write_page, f, &err) : -1;

	if (f && fclose(f) != 0)
		ret = -1;
	if (ret == 0)
		return page;
	free(page);
	return NULL;
}

/* The file is replaced whole, so a reader never sees half of one.  Returns an exit code. */
static int write_measured(struct loop *w)
{
	struct output_opts to = {
		.path = w->file, .force = true, .is_public = true, .how = JFREC_PLAIN
	};
	struct jfrec_error err;
	int status = output_opts_open(&to);

	w->written_at_ns = monotonic_now_ns();
	if (status != EXIT_DONE)
		return status;
	if (print_metrics(w, jfrec_output_write, to.output, &err) < 0)
		status = output_opts_failure(&to, NULL, &err);
	else
		status = output_opts_commit(&to);
	output_opts_close(&to);
	return status;
}

/* A disk may be full for a while: what failed is tried again. */
static void write_if_due(struct loop *w)
{
	if (w->every_ns && monotonic_now_ns() - w->written_at_ns >= w->every_ns)
		write_measured(w);
}

/* At the end: what was measured of all. Returns an exit code. */
static int print_measured(struct loop *w)
{
	struct jfrec_error err;

	if (w->file)
		return write_measured(w);
	if (print_metrics(w, sink_write, &w->all.sink, &err) == 0)
		return EXIT_DONE;
	return report_jvm_failure(0, &err);
}

/* Running -------------------------------------------------------------------------------------- */

/* What is measured is kept until it is printed. */
static bool is_kept(const struct loop *w)
{
	return w->all.measures && !w->listen && !w->every_ns;
}

static bool has_live(const struct loop *w)
{
	for (size_t i = 0; i < jfrec_streams_count(w->streams); i++) {
		if (!jfrec_source_has_ended(jfrec_streams_get(w->streams, i)))
			return true;
	}
	return false;
}

static bool is_over(const struct loop *w)
{
	bool is_late = w->all.for_ns && real_now_ns() > w->to_ns;

	return interrupt_noted() || (is_late && !has_live(w));
}

static void take_step(struct loop *w, const struct jfrec_streams_step *step,
		      const struct jfrec_error *err)
{
	int status;

	if (step->kind == JFREC_STREAMS_FOUND) {
		open_source(w, step->source, true);
		return;
	}
	status = source_handle(step, err);
	if (status != EXIT_DONE && w->status == EXIT_DONE)
		w->status = status;
	if (status != EXIT_DONE || (step->kind == JFREC_STREAMS_ENDED && !is_kept(w) &&
				    jfrec_source_has_ended(step->source)))
		remove_source(w, step->source);
}

/* Take what has come from all.  1: there was something; 0: nothing; -1: nothing more will come. */
static int take_round(struct loop *w)
{
	struct jfrec_streams_step step;
	struct jfrec_error err;
	int got;

	while ((got = jfrec_streams_next(w->streams, 0, &step, &err)) > 0 &&
	       step.kind != JFREC_STREAMS_NOTHING && step.kind != JFREC_STREAMS_ROUND)
		take_step(w, &step, &err);
	if (got < 0)
		w->status = fail_memory();
	for (unsigned i = 0; i < w->all.trigger_count; i++)
		trigger_look(&w->all.triggers[i]);
	turned_look(&w->all.judging.turned);
	return got <= 0 ? -1 : step.kind == JFREC_STREAMS_ROUND;
}

/* What tells that there may be something, after what clients need.  Its number. */
static size_t gather(struct loop *w)
{
	size_t clients = w->listen ? HTTP_FDS : 0;
	size_t n = clients + jfrec_streams_fds(w->streams, NULL, 0);

	if (n > w->fd_room) {
		struct pollfd *fds = reallocarray(w->fds, n, sizeof(*fds));

		if (!fds)
			return 0; /* the pause will do */
		w->fds = fds;
		w->fd_room = n;
	}
	if (clients)
		http_gather(&w->http, w->fds);
	if (n > clients)
		jfrec_streams_fds(w->streams, w->fds + clients, n - clients);
	return n;
}

/* Until one of them may have something; a signal ends it. */
static void wait_for_some(struct loop *w)
{
	int pause = jfrec_streams_pause_ms(w->streams);
	size_t n = gather(w);

	if (poll(w->fds, n, pause < PAUSE_MS ? pause : PAUSE_MS) > 0 && w->listen)
		http_react(&w->http, w->fds);
}

/* The recordings that were begun for what is followed go on. */
static void renew_all(struct loop *w)
{
	for (size_t i = 0; i < jfrec_streams_count(w->streams); i++)
		source_renew(jfrec_source_ctx(jfrec_streams_get(w->streams, i)));
}

static void run_all(struct loop *w)
{
	int idle = 0;

	while (!is_over(w)) {
		int got = take_round(w);

		if (got < 0 || sink_flush(&w->all.sink))
			return;
		renew_all(w);
		sink_tell(&w->all.sink, false);
		write_if_due(w);
		idle = got || jfrec_streams_rest(w->streams) ? 0 : idle + 1;
		if (w->once && idle == IDLE_LOOKS)
			return;
		if (!got)
			wait_for_some(w);
	}
}

/* Commands that still run are waited for, unless a signal says otherwise. */
static void wait_for_commands(struct loop *w)
{
	const struct timespec pause = { 0, 20 * 1000000L };

	for (unsigned i = 0; i < w->all.trigger_count; i++) {
		struct trigger *t = &w->all.triggers[i];

		for (trigger_look(t); t->pid && !interrupt_noted(); trigger_look(t))
			nanosleep(&pause, NULL);
	}
	while (turned_look(&w->all.judging.turned) && !interrupt_noted())
		nanosleep(&pause, NULL);
}

/* End what still goes on, so that documents are whole, and say what became of all. */
static int finish(struct loop *w)
{
	struct sink *sink = &w->all.sink;

	jfrec_streams_stop(w->streams);
	while (take_round(w) >= 0)
		continue;
	wait_for_commands(w);
	if ((is_kept(w) || w->every_ns) && w->status == EXIT_DONE)
		w->status = print_measured(w);
	/* What was damaged counts, also of those that went on to the end. */
	remove_all(w);
	sink->drops = false;
	sink_flush(sink);
	sink_tell(sink, true);
	if (sink->error)
		return report_write_failure(sink->error);
	if (interrupt_noted())
		return EXIT_INTERRUPTED - SIGINT + interrupt_noted();
	return w->status == EXIT_DONE && w->all.judging.has_failed ? EXIT_LIMIT : w->status;
}

static int open_all(struct loop *w, const struct command *c)
{
	static const int64_t least = INT64_MIN;
	int status = EXIT_DONE;

	if (w->listen) {
		w->http.page = metrics_page;
		w->http.ctx = w;
		w->http.type = OPENMETRICS;
		status = http_listen(&w->http, c, w->listen);
	}
	if (status != EXIT_DONE)
		return status;
	for (int i = 0; i < wish_count(w) && status == EXIT_DONE; i++)
		status = add_name(w, c, i);
	/* Of all JVMs, those that can be. */
	if (w->target.all && status != EXIT_USAGE &&
	    (jfrec_streams_count(w->streams) || w->follows))
		status = EXIT_DONE;
	/* What is started later is new from its beginning. */
	if (!w->all.stream.from_ns)
		w->all.stream.from_ns = &least;
	return status;
}

int loop_run(struct loop *w, const struct command *c)
{
	struct interrupt before;
	struct jfrec_error err;
	int status;

	w->to_ns = real_now_ns() + w->all.for_ns;
	w->all.is_tagged = w->name_count > 1 || w->target.all;
	http_init(&w->http);
	/* Held from before the first recording is begun on, so that none is left behind. */
	interrupt_hold(&before);
	w->streams = jfrec_streams_new(&err);
	status = w->streams ? open_all(w, c) : report_jvm_failure(0, &err);
	if (status == EXIT_DONE) {
		run_all(w);
		status = finish(w);
	}
	http_close(&w->http);
	remove_all(w);
	jfrec_streams_free(w->streams);
	free(w->fds);
	interrupt_release(&before);
	return status;
}
