/* SPDX-License-Identifier: MIT */
/*
 * collect.c - one collecting pass over all selected JVMs
 *
 * First the living, whose finished chunks are taken; then the repositories of the dead, of which
 * all is taken; then a report is written on each new file, its tables are written, and the command
 * is run for it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "collect/collect.h"
#include "collect/export_tables.h"
#include "collect/hook.h"
#include "collect/page.h"
#include "collect/pass.h"
#include "jfrec-tool.h"

/* Reports and the command ---------------------------------------------------------------------- */

static void tell_page(struct pass *p, const struct store_page *page)
{
	struct collected_news news = {
		.what = COLLECTED_REPORTED,
		.path = page->name,
		.bytes = page->bytes,
	};

	pass_tell(p, &news);
}

/* A report that fails is not tried again: it would fail each time. */
static void write_report(struct pass *p, const char *name)
{
	struct collector *c = p->c;
	struct jfrec_error err = { 0 };
	struct store_page put;
	int file = store_open_file(&c->store, name), page, made;

	if (file < 0)
		return;
	made = page_make(&c->config.report, file, name, &page, &err);
	close(file);
	if (made > 0) {
		if (store_put_page(&c->store, name, page, &put, pass_tell_dropped, p, &err) == 0)
			tell_page(p, &put);
		else
			made = -1;
		close(page);
	}
	if (made < 0)
		pass_tell_failure(p, NULL, name, &err);
}

static void note_step(struct pass *p, const char *name, enum file_step step)
{
	struct state_file *f = state_file(&p->c->store.state, name);

	if (!f)
		return;
	f->step = step;
	p->c->store.state.changed = true;
	/* So that nothing is done twice if we are killed. */
	store_save(&p->c->store, NULL);
}

/* Tables that could not be written are tried again, but not what fails each time. */
static void write_tables(struct pass *p, const char *name)
{
	struct collector *c = p->c;
	struct collected_news news = { .what = COLLECTED_EXPORTED, .path = name };
	struct jfrec_error err = { 0 };
	int file = store_open_file(&c->store, name), ret;

	if (file < 0)
		return;
	ret = export_tables(&c->config.export, file, name, &err);
	close(file);
	if (ret == 0)
		pass_tell(p, &news);
	else
		pass_tell_failure(p, NULL, name, &err);
	if (ret == 0 || err.code != JFREC_EOUTPUT)
		note_step(p, name, store_after_export(&c->store));
}

static void run_command(struct pass *p, const char *name)
{
	const struct collect_config *c = &p->c->config;
	struct collected_news news = { .what = COLLECTED_RAN, .path = name };
	struct jfrec_error err;
	char *path;

	if (asprintf(&path, "%s/%s", c->directory, name) < 0)
		return;
	if (p->c->dry) {
		pass_tell(p, &news);
	} else if (hook_run(c->run, path, c->run_timeout_ms, &err) == 0) {
		pass_tell(p, &news);
		note_step(p, name, FILE_DONE);
	} else {
		pass_tell_failure(p, NULL, name, &err);
	}
	free(path);
}

/* The step before is the report, or its file's name if there is none. */
static bool is_to_export(const struct pass *p, const struct state_file *f)
{
	return p->c->config.export.directory && !p->c->dry &&
	       (f->step == FILE_NAMED || f->step == FILE_REPORTED);
}

static void finish_file(struct pass *p, const char *name)
{
	const struct collect_config *c = &p->c->config;
	const struct state_file *f = state_file(&p->c->store.state, name);

	if (f && f->step == FILE_NAMED && c->report.format && !p->c->dry) {
		write_report(p, name);
		note_step(p, name, store_after_report(&p->c->store));
	}
	f = state_file(&p->c->store.state, name);
	if (f && is_to_export(p, f))
		write_tables(p, name);
	f = state_file(&p->c->store.state, name);
	if (c->run && f && !is_to_export(p, f))
		run_command(p, name);
}

/* Also files of a pass before, if it failed then, or was not reached. */
static void finish_files(struct pass *p)
{
	const struct state *s = &p->c->store.state;
	char **names = calloc(s->file_count + 1, sizeof(*names));
	size_t count = 0;

	if (!p->c->config.report.format && store_after_report(&p->c->store) == FILE_DONE) {
		free(names);
		return;
	}
	/* By name: the list changes, as reports are added and what is old is removed. */
	for (size_t i = 0; names && i < s->file_count; i++) {
		if (s->files[i].step == FILE_NAMED || s->files[i].step == FILE_REPORTED ||
		    s->files[i].step == FILE_EXPORTED)
			names[count++] = strdup(s->files[i].name);
	}
	for (size_t i = 0; i < count; i++) {
		if (names[i] && !p->c->stop)
			finish_file(p, names[i]);
		free(names[i]);
	}
	free(names);
}

/* All together --------------------------------------------------------------------------------- */

/* Reading the state skipped malformed lines: report that once. */
static void tell_bad_lines(struct pass *p)
{
	const struct state *s = &p->c->store.state;

	if (s->bad_lines == 0 || p->c->told_bad_lines)
		return;
	pass_complain(p, NULL, STORE_STATE,
		      "line %zu is invalid and is ignored (%zu in all); its chunks may be "
		      "collected again",
		      s->first_bad, s->bad_lines);
	p->c->told_bad_lines = true;
}

static int run_pass(struct pass *p, struct jfrec_error *err)
{
	struct collector *c = p->c;

	if (c->config.leftovers) {
		p->leftovers = jfrec_leftovers_new(&p->why);
		p->full = !p->leftovers;
	}
	tell_bad_lines(p);
	store_expire(&c->store, pass_tell_dropped, p);
	pass_take_held(p);
	pass_visit_running_jvms(p);
	if (c->config.leftovers && !pass_is_over(p))
		pass_visit_exited_jvms(p);
	pass_tell_counts(p);
	finish_files(p);
	state_forget(&c->store.state, real_now_ns() / NS_PER_SECOND);
	if (store_save(&c->store, &p->why) < 0)
		p->full = true;
	if (!p->full)
		return p->failed > 0;
	if (err)
		*err = p->why;
	return -1;
}

int collector_pass(struct collector *c, const struct collector_options *options,
		   struct jfrec_error *err)
{
	struct pass p = { .c = c, .options = options };
	int ret = run_pass(&p, err);

	jfrec_leftovers_free(p.leftovers);
	for (size_t i = 0; p.lists && i < c->config.jvm_count; i++)
		jfrec_jvms_free(p.lists[i]);
	free(p.lists);
	told_end(&c->told);
	idle_repositories_end(&c->idle_repositories, monotonic_now_ns());
	return ret;
}

void collector_stop(struct collector *c)
{
	c->stop = 1;
}

int collector_check(const char *path, struct jfrec_error *err)
{
	struct collect_config config;

	if (collect_config_read(&config, path, err) < 0)
		return -1;
	collect_config_fini(&config);
	return 0;
}

struct collector *collector_open(const char *path, bool dry_run, struct jfrec_error *err)
{
	struct collector *c = calloc(1, sizeof(*c));

	if (!c) {
		jfrec_fail_memory(err);
		return NULL;
	}
	c->dry = dry_run;
	if (collect_config_read(&c->config, path, err) < 0) {
		free(c);
		return NULL;
	}
	if (store_open(&c->store, &c->config, dry_run, err) == 0)
		return c;
	collect_config_fini(&c->config);
	free(c);
	return NULL;
}

const char *collector_directory(const struct collector *c)
{
	return c->config.directory;
}

void collector_close(struct collector *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->held_count; i++)
		held_chunk_fini(&c->held[i]);
	free(c->held);
	recorders_fini(&c->recorders);
	idle_jvms_fini(&c->idle_jvms);
	idle_repositories_fini(&c->idle_repositories);
	told_fini(&c->told);
	store_close(&c->store);
	collect_config_fini(&c->config);
	free(c);
}
