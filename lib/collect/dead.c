/* SPDX-License-Identifier: MIT */
/*
 * dead.c - collect what JVMs that have exited left on disk, then remove it
 */
#include <string.h>

#include "base/clock_now.h"
#include "base/deadline.h"
#include "collect/pass.h"
#include "process/user.h"

/* Of the command of a dead JVM. */
#define COMMAND_MAX 1024

struct dead {
	struct pass *pass;
	const struct leftover *leftover;
};

static bool is_final(void *ctx, const struct jfrec_repository *r, const struct repository_chunk *c)
{
	const struct dead *d = ctx;

	return leftover_is_final(d->leftover, c, &d->pass->owners, real_now_ns()) &&
	       pass_is_new(d->pass, r, c);
}

static bool fits(const struct pass *p, const struct leftover *l, const char *command,
		 const struct collect_jvms *wish, size_t jvms)
{
	const struct jfrec_jvm_query *q = &wish->query;
	uint32_t uid;

	if (q->container && p->leftovers.bases[l->base].jvms != jvms)
		return false;
	if (q->user && (!user_find(q->user, &uid) || uid != l->self.uid))
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

/* Taking --------------------------------------------------------------------------------------- */

static void tell_failure(void *ctx, const char *name, const struct jfrec_error *err)
{
	pass_tell_failure(ctx, NULL, name, err);
}

/* Is it of a JVM that is meant?  The command is cut to its first word. */
static bool is_wanted(struct pass *p, const struct leftover *l, const struct jfrec_repository *r,
		      char command[COMMAND_MAX])
{
	jfrec_repository_command(r, command, COMMAND_MAX);
	if (!is_meant(p, l, command))
		return false;
	command[strcspn(command, " ")] = '\0';
	return true;
}

static void take(struct pass *p, const struct leftover *l)
{
	struct dead d = { p, l };
	struct repository_filter filter = { .wants = is_final, .ctx = &d, .most = PASS_CHUNKS };
	char command[COMMAND_MAX];
	struct jfrec_error err = { 0 };
	struct jfrec_repository *r = leftover_open(&p->leftovers, l, &filter, &err);
	struct jfrec_jvm jvm = { .main = command, .uid = l->self.uid };

	if (!r) {
		pass_tell_failure(p, NULL, l->name, &err);
		return;
	}
	jvm.pid = r->ns_pid;
	if (r->count && is_wanted(p, l, r, command)) {
		size_t left = r->left_out;

		pass_take(p, r, &jvm, true);
		if (left)
			pass_complain(p, NULL, l->name,
				      "it has more than %d new chunks; %zu are left for the next "
				      "pass",
				      PASS_CHUNKS, left);
	}
	jfrec_repository_close(r);
}

/* Going ---------------------------------------------------------------------------------------- */

/* Has everything been taken that can be read? */
static bool is_taken(struct pass *p, const struct jfrec_repository *r)
{
	for (size_t i = 0; i < r->count; i++) {
		if (pass_is_new(p, r, &r->chunks[i]))
			return false;
	}
	return r->part_bytes == 0 && r->left_out == 0;
}

static void remove_it(struct pass *p, const struct leftover *l, const struct jfrec_repository *r)
{
	struct jfrec_collected_news news = { .what = JFREC_COLLECTED_REAPED,
					     .path = l->name,
					     .pid = r->ns_pid };
	struct jfrec_error err;

	if (!p->c->dry && leftover_remove(&p->leftovers, l, r, &err) < 0)
		pass_tell_failure(p, NULL, l->name, &err);
	else
		pass_tell(p, &news);
}

static void reap(struct pass *p, const struct leftover *l)
{
	struct repository_filter all = { .most = PASS_CHUNKS };
	char command[COMMAND_MAX];
	struct jfrec_repository *r;

	if (!leftover_may_go(l, &p->owners))
		return;
	r = leftover_open(&p->leftovers, l, &all, NULL);
	if (r && is_taken(p, r) && is_wanted(p, l, r, command))
		remove_it(p, l, r);
	jfrec_repository_close(r);
}

/* All of them ---------------------------------------------------------------------------------- */

static void visit(struct pass *p, const struct leftover *l)
{
	if (!leftover_is_dead(l, &p->owners))
		return;
	take(p, l);
	if (p->options->reap && !pass_is_over(p))
		reap(p, l);
}

static void take_turns(struct pass *p, struct turns *t)
{
	const struct turn *turn;

	while (!pass_is_over(p) && (turn = turns_next(t)) != NULL) {
		int64_t began = deadline_now();

		visit(p, turn->what);
		turns_charge(t, turn, deadline_now() - began);
		pass_cut_turns(p, t, "repositories");
	}
}

void pass_visit_dead(struct pass *p)
{
	static const char *by_default[] = { "/tmp", NULL };
	const char **paths = p->c->config.repositories;
	struct leftovers *l = &p->leftovers;
	struct turns t = { .items = NULL };
	struct jfrec_error err;

	for (paths = paths ? paths : by_default; *paths; paths++)
		leftovers_add_base(l, *paths);
	/* First the chunks, then who writes them: what is not finished and has no writer is dead.
	 */
	if (leftovers_find(l, tell_failure, p, &err) < 0 || owners_find(&p->owners, &err) < 0) {
		pass_tell_failure(p, NULL, NULL, &err);
		return;
	}
	for (size_t i = 0; i < l->count; i++)
		turns_add(&t, l->items[i].self.uid, &l->items[i], i);
	take_turns(p, &t);
	turns_fini(&t);
}
