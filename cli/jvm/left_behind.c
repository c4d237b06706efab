/* SPDX-License-Identifier: MIT */
/*
 * left_behind.c - find the repository that a killed JVM left
 *
 * It is named for when it was made and for the pid: 2026_11_20_09_46_59_4711.  In /tmp, any user
 * can make a directory of any such name.
 */
#include "jvm/left_behind.h"

#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "jfrec-tool.h"

/* The time in a name, and the "_" after it. */
#define TIME_LEN 20

struct found {
	struct jfrec_leftovers *list;
	const char *directory;
	int pid;	  /* 0: any */
	size_t newest;	  /* of all that fit */
	size_t count;	  /* of them */
	bool is_of_users; /* they belong to several */
};

static bool fits(const struct found *f, size_t i)
{
	const struct jfrec_leftover *at = jfrec_leftovers_get(f->list, i);
	const char *name = at->name;

	if (!f->pid)
		return at->files > 0;
	return strlen(name) > TIME_LEN && atoi(name + TIME_LEN) == f->pid &&
	       jfrec_leftovers_is_dead(f->list, i);
}

static void look(struct found *f)
{
	for (size_t i = 0; i < jfrec_leftovers_count(f->list); i++) {
		const struct jfrec_leftover *at = jfrec_leftovers_get(f->list, i), *newest;

		if (!fits(f, i))
			continue;
		newest = jfrec_leftovers_get(f->list, f->count ? f->newest : i);
		f->is_of_users |= newest->uid != at->uid;
		if (f->count++ == 0 || strcmp(at->name, newest->name) > 0)
			f->newest = i;
	}
}

static void put_one(const struct found *f, size_t i)
{
	const struct jfrec_leftover *at = jfrec_leftovers_get(f->list, i);
	const struct passwd *owner = getpwuid(at->uid);

	put_name(stderr, f->directory);
	fputc('/', stderr);
	put_name(stderr, at->name);
	if (owner) {
		fputs(" of user ", stderr);
		put_name(stderr, owner->pw_name);
	} else {
		fprintf(stderr, " of user %" PRIu32, at->uid);
	}
}

/* Names begin with the time: the newest first, and of one name as they are listed. */
static int by_age(const void *a, const void *b, void *list)
{
	const size_t *left = a, *right = b;
	int order = strcmp(jfrec_leftovers_get(list, *right)->name,
			   jfrec_leftovers_get(list, *left)->name);

	return order ? order : *left < *right ? -1 : *left > *right;
}

/* One line each, but for one. */
static void put_others(const struct found *f, size_t but)
{
	size_t *order = calloc(f->count + 1, sizeof(*order)), count = 0;

	for (size_t i = 0; order && i < jfrec_leftovers_count(f->list) && count < f->count; i++) {
		if (i != but && fits(f, i))
			order[count++] = i;
	}
	if (order)
		qsort_r(order, count, sizeof(*order), by_age, f->list);
	for (size_t i = 0; i < count; i++) {
		fputs("  ", stderr);
		put_one(f, order[i]);
		fputc('\n', stderr);
	}
	free(order);
}

/* The name alone does not tell which of them is meant. */
static int fail_several(const struct found *f)
{
	if (f->pid)
		fprintf(stderr,
			"jfrec: process %d is gone, and several users have a repository of that "
			"pid; name the directory that is meant:\n",
			f->pid);
	else
		say(f->directory, "it has no recording itself, but repositories of several JVMs; "
				  "name the directory that is meant:");
	put_others(f, SIZE_MAX);
	return EXIT_USAGE;
}

static void say_which(const struct found *f)
{
	if (f->pid)
		fprintf(stderr, "jfrec: process %d is gone; it left ", f->pid);
	else
		fputs("jfrec: the only repository there is ", stderr);
	put_one(f, f->newest);
	fputc('\n', stderr);
	if (f->count == 1)
		return;
	fputs("jfrec: older ones of that pid are also there:\n", stderr);
	put_others(f, f->newest);
}

static int open_newest(const struct found *f, struct jfrec_repository **r, char **path)
{
	const struct jfrec_leftover_filter all = { .struct_size = sizeof(all) };
	struct jfrec_error err;

	if (asprintf(path, "%s/%s", f->directory, jfrec_leftovers_get(f->list, f->newest)->name) < 0) {
		*path = NULL;
		say_out_of_memory();
		return EXIT_FAILED;
	}
	say_which(f);
	*r = jfrec_leftovers_open(f->list, f->newest, &all, &err);
	if (*r)
		return EXIT_DONE;
	say(*path, failure_text(&err));
	free(*path);
	*path = NULL;
	return exit_of(err.code);
}

/* Others are not in the way of the one that is meant. */
static void on_failure(void *ctx, const char *name, const struct jfrec_error *err)
{
	(void)ctx, (void)name, (void)err;
}

int left_behind_open(const char *directory, int pid, struct jfrec_repository **r, char **path)
{
	struct found f = { .directory = directory, .pid = pid };
	struct jfrec_error err;
	int status = EXIT_NO_JVM;

	f.list = jfrec_leftovers_new(&err);
	if (!f.list)
		return EXIT_NO_JVM;
	jfrec_leftovers_add_directory(f.list, directory);
	if (jfrec_leftovers_find(f.list, on_failure, NULL, &err) == 0)
		look(&f);
	if (f.count && (f.is_of_users || (f.count > 1 && !pid)))
		status = fail_several(&f);
	else if (f.count)
		status = open_newest(&f, r, path);
	jfrec_leftovers_free(f.list);
	return status;
}
