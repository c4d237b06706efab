/* SPDX-License-Identifier: MIT */
/*
 * target.c - options and operands that select JVMs
 */
#include "opts/target.h"

#include <string.h>

#include "base/report.h"

/* clang-format off */
const struct opt narrow_rows[] = {
	OPT_STRING(0, "container", "ID", "only JVMs in this container", struct target, query.container),
	OPT_STRING(0, "user", "USER", "only JVMs of this user, by name or number", struct target, query.user),
	{ 0 },
};

const struct opt target_rows[] = {
	OPT_GROUP_ALONE(narrow_rows),
	OPT_FLAG(0, "all", "every JVM that matches, not just one", struct target, all),
	{ 0 },
};
/* clang-format on */

static void say_wish(const char *what, const char *value)
{
	if (!value)
		return;
	fprintf(stderr, "%s ", what);
	put_name(stderr, value);
}

/* "jfrec start: no JVM matches Main of user app" */
static void say_query(const struct command *c, const char *found, const struct jfrec_jvm_query *q)
{
	fprintf(stderr, "jfrec %s: %s", c->name, found);
	say_wish("", q->target);
	say_wish(" in container", q->container);
	say_wish(" of user", q->user);
}

bool target_is_any(const struct target *t)
{
	return !t->query.target && !t->query.container && !t->query.user;
}

int target_report_none(const struct command *c, const struct target *t)
{
	if (target_is_any(t)) {
		fprintf(stderr, "jfrec %s: no JVM is visible to this user\n", c->name);
		return EXIT_NO_JVM;
	}
	say_query(c, "no JVM matches", &t->query);
	fputs("; `jfrec list` lists them\n", stderr);
	return EXIT_NO_JVM;
}

bool target_has_all(const struct command *c)
{
	return opt_find(c->opts, "all", strlen("all"));
}

static int say_several(const struct command *c, const struct jfrec_jvm_query *q,
		       const struct jfrec_jvms *list)
{
	say_query(c, "several JVMs match", q);
	fprintf(stderr, "; select one by its pid%s:\n", target_has_all(c) ? ", or use --all" : "");
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		fprintf(stderr, "%8d  ", jvm->pid);
		put_name(stderr, jvm->command);
		fputc('\n', stderr);
	}
	return EXIT_USAGE;
}

static int check_count(const struct command *c, const struct target *t,
		       const struct jfrec_jvms *list)
{
	size_t count = jfrec_jvms_count(list);

	if (count == 0)
		return target_report_none(c, t);
	return count == 1 || t->all ? EXIT_DONE : say_several(c, &t->query, list);
}

struct jfrec_jvms *target_find(const struct target *t, struct jfrec_error *err)
{
	struct jfrec_jvm_query q = t->query;

	q.struct_size = sizeof(q);
	return jfrec_jvms_find(&q, err);
}

int target_select(const struct command *c, const struct target *t, struct jfrec_jvms **list)
{
	struct target nameless = *t;
	struct jfrec_error err;
	int status;

	if (target_is_any(t) && !t->all)
		return report_usage(c, "name a JVM: a pid, or a part of its main class or jar");
	nameless.query.without_names = true;
	*list = target_find(&nameless, &err);
	if (!*list)
		return report_jvm_failure(0, &err);
	status = check_count(c, t, *list);
	if (status == EXIT_DONE)
		return EXIT_DONE;
	jfrec_jvms_free(*list);
	*list = NULL;
	return status;
}
