/* SPDX-License-Identifier: MIT */
/*
 * collect.c - one pass over all JVMs that are meant
 *
 * First the living, whose finished chunks are taken; then the repositories of the dead, of which
 * all is taken; then the command is run for each new file.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attach/user.h"
#include "base/error.h"
#include "collect/hook.h"
#include "collect/leftover.h"
#include "collect/recorder.h"
#include "collect/store.h"
#include "process/process.h"
#include "repository/name.h"

/* Of the command of a dead JVM. */
#define COMMAND_MAX 1024

/* A chunk that a JVM was writing in the pass before, kept open. */
struct held {
	struct jfrec_repository *repository; /* of this chunk alone */
	int pid;
	uint64_t start_ticks;
	uint32_t uid;
	char *main;
};

struct jfrec_collector {
	struct collect_config config;
	struct store store;
	bool dry, told_bad_lines;
	volatile sig_atomic_t stop;
	struct held *held;
	size_t held_count, held_room;
};

struct pass {
	struct jfrec_collector *c;
	const struct jfrec_collector_options *options;
	struct leftovers leftovers;
	struct writers writers;
	int *pids; /* of JVMs that had their turn */
	size_t pid_count, pid_room;
	size_t failed;
	bool full;
	struct jfrec_error why; /* it is */
};

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool is_over(const struct pass *p)
{
	return p->full || p->c->stop;
}

/* Telling -------------------------------------------------------------------------------------- */

static void tell(struct pass *p, const struct jfrec_collected_news *news)
{
	if (news->what == JFREC_COLLECTED_FAILED)
		p->failed++;
	if (p->options->fn)
		p->options->fn(p->options->ctx, news);
}

static void tell_failure(struct pass *p, const struct jfrec_jvm *jvm, const char *path,
			 const struct jfrec_error *err)
{
	struct jfrec_collected_news news = {
		.what = JFREC_COLLECTED_FAILED,
		.path = path,
		.pid = jvm ? jvm->pid : 0,
		.main = jvm ? jvm->main : NULL,
		.code = err->code,
		.text = err->text,
	};

	tell(p, &news);
}

static void tell_dropped(void *ctx, const char *name, uint64_t bytes)
{
	struct jfrec_collected_news news = { .what = JFREC_COLLECTED_DROPPED,
					     .path = name,
					     .bytes = bytes };

	tell(ctx, &news);
}

static void tell_file(struct pass *p, const struct store_file *f, bool is_leftover)
{
	struct jfrec_collected_news news = {
		.what = JFREC_COLLECTED_FILE,
		.path = f->name,
		.pid = f->jvm->pid,
		.main = f->jvm->main,
		.is_leftover = is_leftover,
		.bytes = f->bytes,
		.chunks = p->c->dry ? f->count : f->merge.written,
		.completed = f->merge.completed,
		.unreadable = f->merge.left_out,
		.start_ns = f->start_ns,
		.end_ns = f->end_ns,
	};

	tell(p, &news);
}

static void tell_greedy(struct pass *p, const struct store_file *f)
{
	struct jfrec_error err;

	jfrec_fail(&err, JFREC_EREFUSED, JFREC_NO_OFFSET,
		   "this file alone takes more than half of limits: size, so hardly another one "
		   "can be kept; raise size, or lower file-size");
	tell_failure(p, f->jvm, f->name, &err);
}

/* Lines that made no sense were left out when the state was read; it is told once. */
static void tell_bad_lines(struct pass *p)
{
	struct state *s = &p->c->store.state;
	struct jfrec_error err;

	if (s->bad_lines == 0 || p->c->told_bad_lines)
		return;
	jfrec_fail(&err, JFREC_EINVAL, JFREC_NO_OFFSET,
		   "line %zu makes no sense and is left out (%zu in all); what it was about may be "
		   "collected once more",
		   s->first_bad, s->bad_lines);
	tell_failure(p, NULL, STORE_STATE, &err);
	p->c->told_bad_lines = true;
}

/* Taking chunks -------------------------------------------------------------------------------- */

/* Chunks from number `first` on that go into one file. */
static size_t group_of(const struct pass *p, const struct jfrec_repository *r, size_t first)
{
	uint64_t limit = p->c->config.limits.file_size,
		 bytes = repository_chunk_bytes(&r->chunks[first]);
	size_t n = 1;

	if (!limit)
		limit = p->c->config.limits.size ? p->c->config.limits.size : UINT64_MAX;
	for (; first + n < r->count; n++) {
		bytes += repository_chunk_bytes(&r->chunks[first + n]);
		if (bytes > limit)
			break;
	}
	return n;
}

/* Everything that is left in the repository, into as many files as the limits want. */
static void put_all(struct pass *p, struct jfrec_repository *r, const struct jfrec_jvm *jvm,
		    bool is_leftover)
{
	struct store_file f = { .jvm = jvm, .repository = r };

	for (; f.first < r->count && !is_over(p); f.first += f.count) {
		struct jfrec_error err = { 0 };

		f.count = group_of(p, r, f.first);
		f.bytes = 0;
		f.merge = (struct jfrec_merge){ 0 };
		if (store_put(&p->c->store, &f, tell_dropped, p, &err) == 0) {
			if (f.bytes || f.merge.left_out)
				tell_file(p, &f, is_leftover);
			if (store_is_greedy(&p->c->store, &f))
				tell_greedy(p, &f);
			continue;
		}
		p->full = store_is_full(&err);
		if (p->full)
			p->why = err;
		else
			tell_failure(p, jvm, NULL, &err);
		return;
	}
}

/* Nothing that is not in it yet, and nothing that there was before. */
static bool is_new(struct pass *p, const struct jfrec_repository *r,
		   const struct repository_chunk *c)
{
	return !store_knows(&p->c->store, r, c) && !repository_chunk_is_empty(c);
}

static bool is_finished(void *ctx, const struct jfrec_repository *r,
			const struct repository_chunk *c)
{
	return name_is_own_chunk(c->name) && !repository_chunk_is_open(c) && is_new(ctx, r, c);
}

/* What is being written ------------------------------------------------------------------------ */

static void held_fini(struct held *h)
{
	jfrec_repository_close(h->repository);
	free(h->main);
}

static bool hold_one(struct jfrec_collector *c, const struct jfrec_jvm *jvm,
		     const struct jfrec_repository *r, const struct repository_chunk *chunk)
{
	struct held h = { .pid = jvm->pid, .start_ticks = jvm->start_ticks, .uid = jvm->uid };

	if (c->held_count == c->held_room) {
		size_t room = c->held_room ? c->held_room * 2 : 16;
		struct held *held = reallocarray(c->held, room, sizeof(*held));

		if (!held)
			return false;
		c->held = held;
		c->held_room = room;
	}
	h.repository = repository_of_chunk(r, chunk, NULL);
	h.main = strdup(jvm->main);
	if (h.repository && h.main && h.repository->count == 1) {
		c->held[c->held_count++] = h;
		return true;
	}
	held_fini(&h);
	return false;
}

/* A JVM that ends removes what it was writing; until the next pass it is kept.  Best effort. */
static void hold(struct pass *p, const struct jfrec_jvm *jvm, const struct jfrec_repository *r)
{
	for (size_t i = 0; i < r->count && !p->c->dry; i++) {
		if (repository_chunk_is_open(&r->chunks[i]) &&
		    name_is_own_chunk(r->chunks[i].name))
			hold_one(p->c, jvm, r, &r->chunks[i]);
	}
}

static bool is_gone(const struct held *h)
{
	struct process process;

	if (process_open(&process, h->pid, h->start_ticks, NULL) < 0)
		return true;
	process_close(&process);
	return false;
}

/* Take it if it lost its name; else whoever finds it there will. */
static void take_held(struct pass *p, struct held *h)
{
	struct repository_chunk *c = &h->repository->chunks[0];
	struct jfrec_jvm jvm = { .pid = h->pid, .main = h->main, .uid = h->uid };
	struct stat st;

	if (fstat(c->fd, &st) < 0 || st.st_nlink > 0)
		return;
	repository_chunk_refresh(c);
	if ((!repository_chunk_is_open(c) || is_gone(h)) && is_new(p, h->repository, c))
		put_all(p, h->repository, &jvm, true);
}

static void take_all_held(struct pass *p)
{
	for (size_t i = 0; i < p->c->held_count; i++) {
		if (!is_over(p))
			take_held(p, &p->c->held[i]);
		held_fini(&p->c->held[i]);
	}
	p->c->held_count = 0;
}

/* The living ----------------------------------------------------------------------------------- */

/* Keep its recording going. */
static void record(struct pass *p, const struct jfrec_jvm *jvm, const struct collect_jvms *wish)
{
	struct jfrec_collected_news news = { .what = JFREC_COLLECTED_STARTED,
					     .pid = jvm->pid,
					     .main = jvm->main };
	struct jfrec_error err;
	int ret = recorder_ensure(jvm, wish, p->c->dry, &news.recording, &err);

	if (ret < 0)
		tell_failure(p, jvm, NULL, &err);
	else if (ret > 0)
		tell(p, &news);
}

/* Leftovers of others are where it has its own repository. */
static void look_beside(struct pass *p, const struct jfrec_repository *r, size_t jvms)
{
	if (p->c->config.leftovers && !p->c->config.repositories && r->dir_fd >= 0)
		leftovers_add_base(&p->leftovers,
				   openat(r->dir_fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
				   jvms, NULL);
}

static void visit(struct pass *p, const struct jfrec_jvm *jvm, size_t jvms)
{
	const struct collect_jvms *wish = &p->c->config.jvms[jvms];
	struct jfrec_error err;
	struct jfrec_repository *r;

	if (wish->settings)
		record(p, jvm, wish);
	r = jfrec_repository_of_jvm(jvm, &err);
	if (!r) {
		/* That it records nothing, or has ended meanwhile, is its own affair. */
		if (err.code != JFREC_EREFUSED && err.code != JFREC_ENOJVM)
			tell_failure(p, jvm, NULL, &err);
		return;
	}
	look_beside(p, r, jvms);
	hold(p, jvm, r);
	repository_keep(r, is_finished, p);
	put_all(p, r, jvm, false);
	jfrec_repository_close(r);
}

/* Is it the JVM's first turn in this pass? */
static bool is_first_turn(struct pass *p, int pid)
{
	for (size_t i = 0; i < p->pid_count; i++) {
		if (p->pids[i] == pid)
			return false;
	}
	if (p->pid_count == p->pid_room) {
		size_t room = p->pid_room ? p->pid_room * 2 : 32;
		int *pids = reallocarray(p->pids, room, sizeof(*pids));

		if (!pids)
			return false;
		p->pids = pids;
		p->pid_room = room;
	}
	p->pids[p->pid_count++] = pid;
	return true;
}

static void visit_living(struct pass *p)
{
	struct jfrec_collector *c = p->c;

	for (size_t i = 0; i < c->config.jvm_count && !is_over(p); i++) {
		struct jfrec_error err;
		struct jfrec_jvms *list = jfrec_jvms_find(&c->config.jvms[i].query, &err);

		if (!list && err.code != JFREC_ENOJVM)
			tell_failure(p, NULL, NULL, &err);
		for (size_t k = 0; list && k < jfrec_jvms_count(list) && !is_over(p); k++) {
			const struct jfrec_jvm *jvm = jfrec_jvms_get(list, k);

			if (is_first_turn(p, jvm->pid))
				visit(p, jvm, i);
		}
		jfrec_jvms_free(list);
	}
}

/* The dead ------------------------------------------------------------------------------------- */

struct dead {
	struct pass *pass;
	struct leftover *leftover;
};

static bool is_final(void *ctx, const struct jfrec_repository *r, const struct repository_chunk *c)
{
	const struct dead *d = ctx;

	return leftover_is_final(d->leftover, c, &d->pass->writers, now_ns()) &&
	       is_new(d->pass, r, c);
}

static bool fits(const struct pass *p, const struct leftover *l, const char *command,
		 const struct collect_jvms *wish, size_t jvms)
{
	const struct jfrec_jvm_query *q = &wish->query;
	uint32_t uid;

	if (q->container && p->leftovers.bases[l->base].jvms != jvms)
		return false;
	if (q->user && (!user_find(q->user, &uid) || uid != l->st.st_uid))
		return false;
	return !q->target || strstr(command, q->target);
}

static bool is_meant(const struct pass *p, const struct leftover *l, const char *command)
{
	for (size_t i = 0; i < p->c->config.jvm_count; i++) {
		if (fits(p, l, command, &p->c->config.jvms[i], i))
			return true;
	}
	return false;
}

/* Has everything been taken that can be read? */
static bool is_taken(struct pass *p, const struct leftover *l)
{
	for (size_t i = 0; i < l->repository->count; i++) {
		if (is_new(p, l->repository, &l->repository->chunks[i]))
			return false;
	}
	return l->repository->part_bytes == 0;
}

static void reap(struct pass *p, const struct leftover *l)
{
	struct jfrec_collected_news news = { .what = JFREC_COLLECTED_REAPED,
					     .path = l->repository->path,
					     .pid = l->repository->ns_pid };
	struct jfrec_error err;

	if (!is_taken(p, l) || !leftover_may_go(l, &p->writers))
		return;
	if (!p->c->dry && leftover_remove(&p->leftovers, l, &err) < 0)
		tell_failure(p, NULL, l->repository->path, &err);
	else
		tell(p, &news);
}

/* Its chunks stay open for reap(), so that they are taken from a second look at it. */
static void take_dead(struct pass *p, struct leftover *l, char *command)
{
	struct dead d = { p, l };
	struct jfrec_jvm jvm = { .pid = l->repository->ns_pid, .main = command, .uid = l->st.st_uid };
	struct jfrec_repository *again;
	int fd = openat(l->repository->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	again = repository_of_directory(fd, l->repository->path, &leftover_filter, NULL);
	if (!again)
		return;
	command[strcspn(command, " ")] = '\0';
	repository_keep(again, is_final, &d);
	put_all(p, again, &jvm, true);
	jfrec_repository_close(again);
}

static bool has_new(struct pass *p, const struct leftover *l)
{
	for (size_t i = 0; i < l->repository->count; i++) {
		if (is_new(p, l->repository, &l->repository->chunks[i]))
			return true;
	}
	return false;
}

static void visit_dead(struct pass *p, struct leftover *l)
{
	char command[COMMAND_MAX];

	if (!has_new(p, l) && !p->options->reap)
		return;
	if (!leftover_is_dead(l, &p->writers))
		return;
	leftover_command(l->repository, command, sizeof(command));
	if (!is_meant(p, l, command))
		return;
	take_dead(p, l, command);
	if (p->options->reap && !is_over(p))
		reap(p, l);
}

static void visit_leftovers(struct pass *p)
{
	static const char *by_default[] = { "/tmp", NULL };
	const char **paths = p->c->config.repositories;
	struct jfrec_error err;

	for (paths = paths ? paths : by_default; *paths; paths++)
		leftovers_add_base(&p->leftovers, open(*paths, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
				   LEFTOVER_HERE, NULL);
	/* First the chunks, then who writes them: what is not finished and has no writer is dead.
	 */
	if (leftovers_find(&p->leftovers, &err) < 0 || writers_find(&p->writers, &err) < 0) {
		tell_failure(p, NULL, NULL, &err);
		return;
	}
	for (size_t i = 0; i < p->leftovers.count && !is_over(p); i++)
		visit_dead(p, &p->leftovers.items[i]);
}

/* The command ---------------------------------------------------------------------------------- */

static void run_command(struct pass *p, struct state_file *f)
{
	const struct collect_config *c = &p->c->config;
	struct jfrec_collected_news news = { .what = JFREC_COLLECTED_RAN, .path = f->name };
	struct jfrec_error err;
	char *path;

	if (asprintf(&path, "%s/%s", c->directory, f->name) < 0)
		return;
	if (p->c->dry) {
		tell(p, &news);
	} else if (hook_run(c->run, path, c->run_timeout_ms, &err) == 0) {
		f->step = FILE_DONE;
		p->c->store.state.changed = true;
		tell(p, &news);
	} else {
		tell_failure(p, NULL, f->name, &err);
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

static int run_pass(struct pass *p, struct jfrec_error *err)
{
	struct jfrec_collector *c = p->c;

	tell_bad_lines(p);
	store_expire(&c->store, tell_dropped, p);
	take_all_held(p);
	visit_living(p);
	if (c->config.leftovers && !is_over(p))
		visit_leftovers(p);
	run_commands(p);
	state_forget(&c->store.state, now_ns() / 1000000000);
	if (store_save(&c->store, &p->why) < 0)
		p->full = true;
	if (!p->full)
		return p->failed > 0;
	if (err)
		*err = p->why;
	return -1;
}

int jfrec_collector_pass(struct jfrec_collector *c, const struct jfrec_collector_options *options,
			 struct jfrec_error *err)
{
	struct pass p = { .c = c, .options = options };
	int ret = run_pass(&p, err);

	leftovers_fini(&p.leftovers);
	writers_fini(&p.writers);
	free(p.pids);
	return ret;
}

void jfrec_collector_stop(struct jfrec_collector *c)
{
	c->stop = 1;
}

int jfrec_collector_check(const char *path, struct jfrec_error *err)
{
	struct collect_config config;

	if (config_read(&config, path, err) < 0)
		return -1;
	config_fini(&config);
	return 0;
}

struct jfrec_collector *jfrec_collector_open(const char *path, bool dry_run,
					     struct jfrec_error *err)
{
	struct jfrec_collector *c = calloc(1, sizeof(*c));

	if (!c) {
		jfrec_fail_memory(err);
		return NULL;
	}
	c->dry = dry_run;
	if (config_read(&c->config, path, err) < 0) {
		free(c);
		return NULL;
	}
	if (store_open(&c->store, &c->config, dry_run, err) == 0)
		return c;
	config_fini(&c->config);
	free(c);
	return NULL;
}

const char *jfrec_collector_directory(const struct jfrec_collector *c)
{
	return c->config.directory;
}

void jfrec_collector_close(struct jfrec_collector *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->held_count; i++)
		held_fini(&c->held[i]);
	free(c->held);
	store_close(&c->store);
	config_fini(&c->config);
	free(c);
}
