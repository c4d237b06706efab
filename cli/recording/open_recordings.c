/* SPDX-License-Identifier: MIT */
/*
 * open_recordings.c - open recordings, and report what is damaged in them
 */
#include "recording/open_recordings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_limit.h"
#include "base/report.h"
#include "base/spool.h"

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	(void)ctx;
	say(problem->input, problem->text);
}

static void on_problem_stop(void *ctx, const struct jfrec_problem *problem)
{
	on_problem(ctx, problem);
	if (problem->damage)
		jfrec_reader_stop(ctx);
}

void stop_at_damage(struct jfrec_reader *r)
{
	jfrec_reader_on_problem(r, on_problem_stop, r);
}

static bool is_jdk;

void say_as_the_jdk(void)
{
	is_jdk = true;
}

void tell_overlaps(struct jfrec_reader *r)
{
	if (!is_jdk)
		jfrec_reader_tell_overlaps(r);
}

typedef struct jfrec_reader *open_fn(const char *path, struct jfrec_error *err);

static const char *types_from;

static int take_types_from(const struct opt_given *g, void *to)
{
	(void)to;
	types_from = g->value;
	return EXIT_DONE;
}

/* clang-format off */
const struct opt types_rows[] = {
	OPT_CALL_ALL(0, "types-from", "FILE", "read lost event types from this recording", take_types_from, NULL),
	{ 0 },
};
/* clang-format on */

static int take_trace(const struct opt_given *g, void *to)
{
	(void)g, (void)to;
	confine_tell();
	return EXIT_DONE;
}

/* clang-format off */
const struct opt confine_rows[] = {
	OPT_CALL_ALL('v', "trace", NULL, "report how the kernel confines the command", take_trace, NULL),
	{ 0 },
};
/* clang-format on */

static struct jfrec_reader *open_by(open_fn *open, char *const *paths, int count)
{
	struct jfrec_error err;
	struct jfrec_reader *r;

	budget_begin();
	for (int i = 0; i < count; i++)
		output_limit_add_input(paths[i]);
	r = open(paths[0], &err);
	if (!r) {
		say(paths[0], failure_text(&err));
		return NULL;
	}
	for (int i = 1; i < count; i++) {
		if (jfrec_reader_add(r, paths[i], &err) < 0) {
			say(paths[i], failure_text(&err));
			jfrec_reader_close(r);
			return NULL;
		}
	}
	if (types_from && jfrec_reader_types_from(r, types_from, &err) < 0) {
		say(types_from, failure_text(&err));
		jfrec_reader_close(r);
		return NULL;
	}
	jfrec_reader_on_problem(r, on_problem, NULL);
	jfrec_reader_limit_spool(r, spool_most());
	return r;
}

/* What lost its types may have lost its first header, too. */
static struct jfrec_reader *open_path(const char *path, struct jfrec_error *err)
{
	const struct jfrec_open_options options = {
		.struct_size = sizeof(options),
		.without_header = types_from != NULL,
	};

	return jfrec_reader_open(path, &options, err);
}

struct jfrec_reader *open_recordings(char *const *paths, int count)
{
	return open_by(open_path, paths, count);
}

/* Mapped until the process ends. */
static struct jfrec_reader *open_mapped(const char *path, struct jfrec_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = { 0 };
	void *bytes = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		jfrec_fail_sys(err, st.st_size > 0 || fd < 0 ? errno : ENODATA, "cannot read");
	if (fd >= 0)
		close(fd);
	return bytes == MAP_FAILED
		       ? NULL
		       : jfrec_reader_open_memory(bytes, (size_t)st.st_size, NULL, err);
}

struct jfrec_reader *open_own_file(char *path)
{
	return open_by(open_mapped, &path, 1);
}

/* The budget looks at files of the system. */
void confine_to(enum confinement how, char *const *paths, int count)
{
	char **beside = calloc((size_t)count + 1, sizeof(*beside));

	budget_begin();
	for (int i = 0; i < count; i++) {
		confine_reads(paths[i]);
		if (spool_needs_names(paths[i]))
			how = CONFINE_WRITING;
		if (beside)
			confine_reads(beside[i] = jfrec_reader_beside(paths[i]));
	}
	confine_reads(types_from);
	confine(how);
	for (int i = 0; beside && i < count; i++)
		jfrec_free(beside[i]);
	free(beside);
}

struct jfrec_reader *open_confined(enum confinement how, char *const *paths, int count)
{
	confine_to(how, paths, count);
	return open_by(open_path, paths, count);
}

static struct jfrec_reader *open_damaged(const char *path, struct jfrec_error *err)
{
	const struct jfrec_open_options options = {
		.struct_size = sizeof(options),
		.rescue = true,
	};

	return jfrec_reader_open(path, &options, err);
}

struct jfrec_reader *rescue_recordings(char *const *paths, int count)
{
	confine_to(CONFINE_WRITING, paths, count);
	return open_by(open_damaged, paths, count);
}
