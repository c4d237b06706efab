/* SPDX-License-Identifier: MIT */
/*
 * dead.c - collect what JVMs that have exited left on disk, then remove it
 */
#include <string.h>

#include "collect/pass.h"
#include "base/clock_now.h"

/* Of the command of a dead JVM. */
#define COMMAND_MAX 1024

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

static void take(struct pass *p, size_t i)
{
	const struct jfrec_leftover *at = jfrec_leftovers_get(p->leftovers, i);
	const struct jfrec_leftover_filter filter = { .struct_size = sizeof(filter),
						      .is_final = true,
						      .selects = is_new,
						      .ctx = p,
						      .most = PASS_CHUNKS };
	char command[COMMAND_MAX];
	struct jfrec_error err = { 0 };
	struct jfrec_repository *r = jfrec_leftovers_open(p->leftovers, i, &filter, &err);
	struct jfrec_jvm jvm = { .main = command, .uid = at->uid };

	if (!r) {
		pass_tell_failure(p, NULL, at->name, &err);
		return;
	}
	jvm.pid = jfrec_repository_describe(r)->ns_pid;
	if (jfrec_repository_count(r) && is_wanted(p, i, r, command)) {
		size_t left = jfrec_repository_describe(r)->left_out;

		pass_take(p, r, &jvm, true);
		if (left)
			pass_complain(p, NULL, at->name,
				      "it has more than %d new chunks; %zu are left for the next "
				      "pass",
				      PASS_CHUNKS, left);
	}
	jfrec_repository_close(r);
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
	return info->unreadable_bytes == 0 && info->left_out == 0;
}

static void remove_it(struct pass *p, size_t i, struct jfrec_repository *r)
{
	const char *name = jfrec_leftovers_get(p->leftovers, i)->name;
	struct collected_news news = { .what = COLLECTED_REAPED,
				       .path = name,
				       .pid = jfrec_repository_describe(r)->ns_pid };
	struct jfrec_error err;

	if (!p->c->dry && jfrec_leftovers_remove(p->leftovers, i, r, &err) < 0)
		pass_tell_failure(p, NULL, name, &err);
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

static void visit(struct pass *p, size_t i)
{
	if (!jfrec_leftovers_is_dead(p->leftovers, i))
		return;
	take(p, i);
	if (p->options->reap && !pass_is_over(p))
		reap(p, i);
}

static void take_turns(struct pass *p, struct turns *t)
{
	const struct turn *turn;

	while (!pass_is_over(p) && (turn = turns_next(t)) != NULL) {
		int64_t began = monotonic_now_ns();

		visit(p, turn->number);
		turns_charge(t, turn, monotonic_now_ns() - began);
		pass_cut_turns(p, t, "repositories");
	}
}

void pass_visit_dead(struct pass *p)
{
	static const char *by_default[] = { "/tmp", NULL };
	const char **paths = p->c->config.repositories;
	struct jfrec_leftovers *l = p->leftovers;
	struct turns t = { .items = NULL };
	struct jfrec_error err;

	for (paths = paths ? paths : by_default; *paths; paths++)
		jfrec_leftovers_add_directory(l, *paths);
	if (jfrec_leftovers_find(l, tell_failure, p, &err) < 0) {
		pass_tell_failure(p, NULL, NULL, &err);
		return;
	}
	for (size_t i = 0; i < jfrec_leftovers_count(l); i++)
		turns_add(&t, jfrec_leftovers_get(l, i)->uid, NULL, i);
	take_turns(p, &t);
	turns_fini(&t);
}
