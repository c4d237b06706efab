/* SPDX-License-Identifier: MIT */
/*
 * collect.c - one collecting pass over all selected JVMs
 *
 * First the living, whose finished chunks are taken; then the repositories of the dead, of which
 * all is taken; then the command is run for each new file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "collect/collect.h"
#include "collect/hook.h"
#include "collect/pass.h"
#include "base/clock_now.h"

/* The command ---------------------------------------------------------------------------------- */

static void run_command(struct pass *p, struct state_file *f)
{
	const struct collect_config *c = &p->c->config;
	struct collected_news news = { .what = COLLECTED_RAN, .path = f->name };
	struct jfrec_error err;
	char *path;

	if (asprintf(&path, "%s/%s", c->directory, f->name) < 0)
		return;
	if (p->c->dry) {
		pass_tell(p, &news);
	} else if (hook_run(c->run, path, c->run_timeout_ms, &err) == 0) {
		f->step = FILE_DONE;
		p->c->store.state.changed = true;
		pass_tell(p, &news);
	} else {
		pass_tell_failure(p, NULL, f->name, &err);
	}
	free(path);
}

/* Also for files of a pass before, if it failed then, or was not reached. */
static void run_commands(struct pass *p)
{
	struct state *s = &p->c->store.state;

	for (size_t i = 0; i < s->file_count && p->c->config.run && !p->c->stop; i++) {
		if (s->files[i].step != FILE_NAMED)
			continue;
		run_command(p, &s->files[i]);
		/* So that it is not run twice if we are killed. */
		store_save(&p->c->store, NULL);
	}
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
	pass_visit_living(p);
	if (c->config.leftovers && !pass_is_over(p))
		pass_visit_dead(p);
	run_commands(p);
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
	quiet_fini(&c->quiet);
	store_close(&c->store);
	collect_config_fini(&c->config);
	free(c);
}
