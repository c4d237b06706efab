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

#include "common/clock_now.h"
#include "common/interrupt.h"
#include "opts/output_opts.h"

/* Between two looks for something new, at most; and for JVMs that were started. */
#define PAUSE_MS    1000
#define LOOK_OUT_NS (2 * NS_PER_SECOND)

/* So often there is nothing before nothing more is expected. */
#define IDLE_LOOKS 2

#define OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"

bool loop_is_path(const char *name)
{
	struct stat st;

	return strchr(name, '/') || (name[strspn(name, "0123456789")] && stat(name, &st) == 0);
}

/* Sources -------------------------------------------------------------------------------------- */

/* Room for one more, zeroed; NULL when memory is gone, which was said. */
static struct source *new_source(struct loop *w)
{
	struct source **sources = reallocarray(w->sources, w->count + 1, sizeof(*sources));
	struct source *s = calloc(1, sizeof(*s));

	if (sources)
		w->sources = sources;
	if (sources && s)
		return s;
	free(s);
	say_out_of_memory();
	return NULL;
}

static int add_path(struct loop *w, const char *path)
{
	struct source *s = new_source(w);
	int status = s ? source_open_path(s, &w->all, path) : EXIT_FAILED;

	if (status == EXIT_DONE)
		w->sources[w->count++] = s;
	else
		free(s);
	return status;
}

static int add_jvm(struct loop *w, const struct jfrec_jvm *jvm, int name)
{
	struct source *s = new_source(w);
	int status =
		s ? source_open_jvm(s, &w->all, jvm, w->follows || w->target.all) : EXIT_FAILED;

	if (status == EXIT_DONE) {
		s->wish = name;
		w->sources[w->count++] = s;
	} else {
		free(s);
	}
	return status;
}

/* Said once is enough.  One that is not a JVM any more, or not yet, is looked at again. */
static void note_refused(struct loop *w, const struct jfrec_jvm *jvm, int status)
{
	struct refused *more;

	if (status == EXIT_DONE || status == EXIT_NO_JVM)
		return;
	more = reallocarray(w->refused, w->refused_count + 1, sizeof(*more));
	if (!more)
		return;
	w->refused = more;
	more[w->refused_count++] = (struct refused){ jvm->pid, jvm->start_ticks };
}

static bool is_known(const struct loop *w, const struct jfrec_jvm *jvm)
{
	for (size_t i = 0; i < w->count; i++) {
		const struct jfrec_jvm *other = w->sources[i]->jvm;

		if (other && other->pid == jvm->pid && other->start_ticks == jvm->start_ticks)
			return true;
	}
	for (size_t i = 0; i < w->refused_count; i++) {
		if (w->refused[i].pid == jvm->pid && w->refused[i].start_ticks == jvm->start_ticks)
			return true;
	}
	return false;
}

/* Those of a list that are new. Returns the first exit code that is not EXIT_DONE. */
static int add_jvms(struct loop *w, const struct jfrec_jvms *list, int name)
{
	int first = EXIT_DONE;

	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);
		int status = is_known(w, jvm) ? EXIT_DONE : add_jvm(w, jvm, name);

		note_refused(w, jvm, status);
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

/* The JVMs that fit a name now; NULL after a failure, or if there are none and none are needed. */
static struct jfrec_jvms *find(struct loop *w, int name)
{
	struct target t = target_of(w, name);
	struct jfrec_error err;

	return target_find(&t, &err);
}

static int add_name(struct loop *w, const struct command *c, int name)
{
	struct target t = target_of(w, name);
	struct jfrec_jvms *list;
	int status;

	if (name < w->name_count && loop_is_path(w->names[name]))
		return add_path(w, w->names[name]);
	if (w->follows) {
		list = find(w, name);
		if (list && jfrec_jvms_count(list) == 0) {
			fprintf(stderr, "jfrec: no JVM matches yet; waiting for one\n");
			jfrec_jvms_free(list);
			return EXIT_DONE;
		}
		jfrec_jvms_free(list);
	}
	status = target_select(c, &t, &list);
	if (status != EXIT_DONE)
		return status;
	/* If there are several, those that can be followed are. */
	status = add_jvms(w, list, name);
	jfrec_jvms_free(list);
	return status;
}

/* How many names there are: without one, what narrows them down counts. */
static int wish_count(const struct loop *w)
{
	return w->name_count ? w->name_count : 1;
}

static bool is_live(const struct loop *w, int name)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->sources[i]->wish == name && !w->sources[i]->has_ended)
			return true;
	}
	return false;
}

/* JVMs that were started meanwhile, from their first event on. */
static void look_out(struct loop *w)
{
	int64_t now = monotonic_now_ns();

	if (now - w->looked_at_ns < LOOK_OUT_NS)
		return;
	w->looked_at_ns = now;
	for (int i = 0; i < wish_count(w); i++) {
		struct jfrec_jvms *list = w->target.all || !is_live(w, i) ? find(w, i) : NULL;

		if (list && (w->target.all || jfrec_jvms_count(list) == 1))
			add_jvms(w, list, i);
		jfrec_jvms_free(list);
	}
}

static void remove_source(struct loop *w, size_t i)
{
	struct source *s = w->sources[i];

	source_close(s);
	if (s->damage && w->status == EXIT_DONE)
		w->status = EXIT_FAILED;
	free(s);
	memmove(w->sources + i, w->sources + i + 1, (--w->count - i) * sizeof(*w->sources));
}

/* Metrics -------------------------------------------------------------------------------------- */

static int write_page(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ENOMEM;
}

static int print_metrics(const struct loop *w, jfrec_write_fn *write, void *ctx,
			 struct jfrec_error *err)
{
	const struct jfrec_metrics **all = calloc(w->count + 1, sizeof(*all));
	int ret;

	if (!all) {
		err->code = JFREC_ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < w->count; i++)
		all[i] = source_metrics(w->sources[i]);
	ret = jfrec_metrics_print(all, w->count, write, ctx, err);
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

/* A disk may be full for a while: what was said is tried again. */
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

/* Take what has come from all. Was there anything? */
static bool pump_all(struct loop *w)
{
	bool busy = false;

	for (size_t i = w->count; i-- > 0;) {
		int status = EXIT_DONE, got = source_pump(w->sources[i], &status);

		if (got < 0 && w->status == EXIT_DONE)
			w->status = status;
		if (got < 0 || (w->sources[i]->has_ended && !is_kept(w)))
			remove_source(w, i);
		busy |= got > 0;
	}
	for (unsigned i = 0; i < w->all.trigger_count; i++)
		trigger_look(&w->all.triggers[i]);
	return busy;
}

static bool has_live(const struct loop *w)
{
	for (size_t i = 0; i < w->count; i++) {
		if (!w->sources[i]->has_ended)
			return true;
	}
	return false;
}

static bool is_over(const struct loop *w)
{
	bool is_late = w->all.for_ns && real_now_ns() > w->to_ns;

	return interrupt_noted() || (!has_live(w) && (!w->follows || is_late));
}

/* What tells that there may be something, behind the clients' HTTP_FDS.  Their number. */
static size_t gather(struct loop *w)
{
	size_t most = HTTP_FDS + w->count * (1 + MAX_TRIGGERS), n = HTTP_FDS;

	if (most > w->fd_room) {
		struct pollfd *fds = reallocarray(w->fds, most, sizeof(*fds));

		if (!fds)
			return 0; /* the pause will do */
		w->fds = fds;
		w->fd_room = most;
	}
	http_gather(&w->http, w->fds);
	for (size_t i = 0; i < w->count; i++) {
		for (unsigned k = 0; k < w->sources[i]->consumer_count; k++)
			w->fds[n++] = (struct pollfd){
				jfrec_stream_fd(w->sources[i]->consumers[k].stream), POLLIN, 0
			};
	}
	return n;
}

/* Until one of them may have something; a signal ends it. */
static void wait_for_some(struct loop *w)
{
	int ms = PAUSE_MS;
	size_t n;

	for (size_t i = 0; i < w->count; i++) {
		int own = source_pause_ms(w->sources[i]);

		ms = own < ms ? own : ms;
	}
	n = gather(w);
	if (poll(w->fds, n, ms) > 0)
		http_react(&w->http, w->fds);
}

static void run_all(struct loop *w)
{
	int idle = 0;

	while (!is_over(w)) {
		bool busy = pump_all(w);

		if (sink_flush(&w->all.sink))
			return;
		sink_tell(&w->all.sink, false);
		if (w->follows)
			look_out(w);
		write_if_due(w);
		idle = busy ? 0 : idle + 1;
		if (w->once && idle == IDLE_LOOKS)
			return;
		if (!busy)
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
}

/* End what still goes on, so that documents are whole, and say what became of all. */
static int finish(struct loop *w)
{
	struct sink *sink = &w->all.sink;

	for (size_t i = 0; i < w->count; i++)
		source_stop(w->sources[i]);
	pump_all(w);
	wait_for_commands(w);
	if ((is_kept(w) || w->every_ns) && w->status == EXIT_DONE)
		w->status = print_measured(w);
	/* What was damaged counts, also of those that went on to the end. */
	while (w->count)
		remove_source(w, w->count - 1);
	sink->drops = false;
	sink_flush(sink);
	sink_tell(sink, true);
	if (sink->error)
		return report_write_failure(sink->error);
	if (interrupt_noted())
		return EXIT_INTERRUPTED - SIGINT + interrupt_noted();
	return w->status;
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
	if (w->target.all && (w->count || w->follows) && status != EXIT_USAGE)
		status = EXIT_DONE;
	/* What is started later is new from its beginning. */
	if (!w->all.stream.from_ns)
		w->all.stream.from_ns = &least;
	return status;
}

int loop_run(struct loop *w, const struct command *c)
{
	struct interrupt before;
	int status;

	w->to_ns = real_now_ns() + w->all.for_ns;
	w->all.is_tagged = w->name_count > 1 || w->target.all;
	http_init(&w->http);
	/* Held from before the first recording is begun on, so that none is left behind. */
	interrupt_hold(&before);
	status = open_all(w, c);
	if (status == EXIT_DONE) {
		run_all(w);
		status = finish(w);
	}
	http_close(&w->http);
	while (w->count)
		remove_source(w, w->count - 1);
	free(w->sources);
	free(w->refused);
	free(w->fds);
	interrupt_release(&before);
	return status;
}
