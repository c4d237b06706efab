/* SPDX-License-Identifier: MIT */
/*
 * exited_jvms.c - collect what JVMs that have exited left on disk, then remove it
 */
#include <string.h>

#include "base/clock_now.h"
#include "collect/pass.h"
#include "jfrec-tool.h"

/* Of the command of a dead JVM. */
#define COMMAND_MAX 1024

/* A chunk is final when its file has not changed for so long, to any user (jfrec-collect(1)). */
#define SETTLED_NS (120 * NS_PER_SECOND)

static bool is_new(void *ctx, const struct jfrec_repository *r,
		   const struct jfrec_repository_chunk *c)
{
	return pass_is_new(ctx, r, c);
}

static bool fits(const struct pass *p, size_t i, const char *command, size_t entry)
{
	const struct jfrec_jvm_query *q = &p->c->config.jvms[entry].query;

	if (q->container && jfrec_leftovers_get(p->leftovers, i)->origin != entry)
		return false;
	if (q->user && !jfrec_leftovers_is_of_user(p->leftovers, i, q->user))
		return false;
	return !q->target || strstr(command, q->target);
}

static bool is_meant(const struct pass *p, size_t i, const char *command)
{
	for (size_t entry = 0; entry < p->c->config.jvm_count; entry++) {
		if (fits(p, i, command, entry))
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
static bool is_wanted(struct pass *p, size_t i, const struct jfrec_repository *r,
		      char command[COMMAND_MAX])
{
	jfrec_repository_command(r, command, COMMAND_MAX);
	if (!is_meant(p, i, command))
		return false;
	command[strcspn(command, " ")] = '\0';
	return true;
}

static void tell_rest(struct pass *p, const struct jfrec_leftover *at, size_t left)
{
	struct jfrec_error err;

	jfrec_fail(&err, JFREC_EREFUSED, JFREC_NO_OFFSET,
		   "it has more than %d new chunks; %zu are left for the next pass", PASS_CHUNKS,
		   left);
	pass_tell_left(p, at->uid, at->name, &err);
}

/* Nothing of them is taken, and nothing of them is removed. */
static void tell_damaged(struct pass *p, const struct jfrec_leftover *at,
			 const struct jfrec_repository_info *info)
{
	struct jfrec_error err;

	jfrec_fail(&err, JFREC_EFORMAT, JFREC_NO_OFFSET,
		   "%zu of its files do not begin as a recording, the first being %.100s; if it is "
		   "damaged, jfrec repair may recover it",
		   info->damaged, info->damaged_name);
	pass_tell_left(p, at->uid, at->name, &err);
}

/* Has all of it been taken that there is? */
static bool take_from(struct pass *p, size_t i, struct jfrec_repository *r)
{
	const struct jfrec_leftover *at = jfrec_leftovers_get(p->leftovers, i);
	size_t left = jfrec_repository_describe(r)->left_out;
	char command[COMMAND_MAX];
	struct jfrec_jvm jvm = { .main = command,
				 .uid = at->uid,
				 .pid = jfrec_repository_describe(r)->ns_pid };
	bool all;

	if (jfrec_repository_describe(r)->damaged)
		tell_damaged(p, at, jfrec_repository_describe(r));
	if (!jfrec_repository_count(r) || !is_wanted(p, i, r, command))
		return true;
	all = pass_take(p, r, &jvm, true);
	if (left)
		tell_rest(p, at, left);
	return all && left == 0;
}

static bool take(struct pass *p, size_t i)
{
	const struct jfrec_leftover *at = jfrec_leftovers_get(p->leftovers, i);
	const struct jfrec_leftover_filter filter = { .struct_size = sizeof(filter),
						      .is_final = true,
						      .selects = is_new,
						      .ctx = p,
						      .most = PASS_CHUNKS };
	struct jfrec_error err = { 0 };
	struct jfrec_repository *r = jfrec_leftovers_open(p->leftovers, i, &filter, &err);
	bool all;

	if (!r) {
		pass_tell_left(p, at->uid, at->name, &err);
		return false;
	}
	all = take_from(p, i, r);
	jfrec_repository_close(r);
	return all;
}

/* Going ---------------------------------------------------------------------------------------- */

/* Has everything been taken that can be read? */
static bool is_taken(struct pass *p, struct jfrec_repository *r)
{
	const struct jfrec_repository_info *info;

	for (size_t i = 0; i < jfrec_repository_count(r); i++) {
		if (pass_is_new(p, r, jfrec_repository_get(r, i)))
			return false;
	}
	info = jfrec_repository_describe(r);
	return info->unreadable_bytes == 0 && info->left_out == 0 && info->damaged == 0;
}

static void remove_it(struct pass *p, size_t i, struct jfrec_repository *r)
{
	const char *name = jfrec_leftovers_get(p->leftovers, i)->name;
	struct collected_news news = { .what = COLLECTED_REAPED,
				       .path = name,
				       .pid = jfrec_repository_describe(r)->ns_pid };
	struct jfrec_error err;

	if (!p->c->dry && jfrec_leftovers_remove(p->leftovers, i, r, &err) < 0)
		pass_tell_left(p, jfrec_leftovers_get(p->leftovers, i)->uid, name, &err);
	else
		pass_tell(p, &news);
}

static void reap(struct pass *p, size_t i)
{
	const struct jfrec_leftover_filter all = { .struct_size = sizeof(all),
						   .most = PASS_CHUNKS };
	char command[COMMAND_MAX];
	struct jfrec_repository *r;

	if (!jfrec_leftovers_may_remove(p->leftovers, i))
		return;
	r = jfrec_leftovers_open(p->leftovers, i, &all, NULL);
	if (r && is_taken(p, r) && is_wanted(p, i, r, command))
		remove_it(p, i, r);
	jfrec_repository_close(r);
}

/* All of them ---------------------------------------------------------------------------------- */

/* Is it certain that what there is now is all that there will be? */
static bool is_settled(const struct jfrec_leftover *at)
{
	return real_now_ns() - at->touched_ns > SETTLED_NS;
}

static void visit(struct pass *p, size_t i)
{
	const struct jfrec_leftover *at = jfrec_leftovers_get(p->leftovers, i);
	bool all;

	if (!jfrec_leftovers_is_dead(p->leftovers, i))
		return;
	all = take(p, i);
	if (p->options->reap && !pass_is_over(p))
		reap(p, i);
	/* One that is to go is tried again, as it may not go yet. */
	else if (all && is_settled(at))
		idle_repositories_note(&p->c->idle_repositories, at, monotonic_now_ns());
}

static void take_turns(struct pass *p, struct fair_share *t)
{
	const struct turn *turn;

	while (!pass_is_over(p) && (turn = fair_share_next(t)) != NULL) {
		int64_t began = monotonic_now_ns();

		visit(p, turn->number);
		fair_share_charge(t, turn, monotonic_now_ns() - began);
		pass_cut_turns(p, t, PASS_USER_DEAD_NS, "repositories");
	}
}

static void queue(struct pass *p, struct fair_share *t)
{
	int64_t now = monotonic_now_ns();

	for (size_t i = 0; i < jfrec_leftovers_count(p->leftovers); i++) {
		const struct jfrec_leftover *at = jfrec_leftovers_get(p->leftovers, i);

		if (p->options->reap || !idle_repositories_skips(&p->c->idle_repositories, at, now))
			fair_share_add(t, at->uid, NULL, i);
	}
}

void pass_visit_exited_jvms(struct pass *p)
{
	static const char *by_default[] = { "/tmp", NULL };
	const char **paths = p->c->config.repositories;
	struct jfrec_leftovers *l = p->leftovers;
	struct fair_share t = { .items = NULL };
	struct jfrec_error err;

	for (paths = paths ? paths : by_default; *paths; paths++)
		jfrec_leftovers_add_directory(l, *paths);
	if (jfrec_leftovers_find(l, tell_failure, p, &err) < 0) {
		pass_tell_failure(p, NULL, NULL, &err);
		return;
	}
	queue(p, &t);
	take_turns(p, &t);
	fair_share_fini(&t);
}
