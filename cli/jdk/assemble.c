/* SPDX-License-Identifier: MIT */
/*
 * assemble.c - jfr assemble: join the chunk files of a repository
 *
 * As `jfrec merge --plain`, and like the JDK's from 28 on, a chunk that was never
 * finished is completed.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/progress.h"
#include "base/suffix.h"
#include "jdk/called_as.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"

static const struct opt opts[] = { { 0 } };

/* The chunk files, by name. */
struct files {
	char **paths;
	int count;
};

static int is_recording(const struct dirent *entry)
{
	return ends_with_any(entry->d_name, ".jfr");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Keep the path, if it is one of a file.  False if memory is gone. */
static bool add_file(struct files *f, const char *directory, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return false;
	if (is_file(path))
		f->paths[f->count++] = path;
	else
		free(path);
	return true;
}

static int fail_none(const char *directory)
{
	char *full = jfr_absolute(directory);

	jfr_fail("assemble", "no *.jfr files found at %s", full ? full : directory);
	free(full);
	return EXIT_FAILED;
}

static int find_files(struct files *f, const char *directory)
{
	struct dirent **entries;
	int n = scandir(directory, &entries, is_recording, by_name);
	bool has_memory = true;

	if (n < 0)
		return jfr_fail("assemble", "%s: %s", directory, strerror(errno));
	f->paths = calloc((size_t)n + 1, sizeof(*f->paths));
	for (int i = 0; i < n; i++) {
		has_memory = has_memory && f->paths && add_file(f, directory, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!f->paths || !has_memory)
		return jfr_fail("assemble", "out of memory");
	if (f->count == 0)
		return fail_none(directory);
	return EXIT_DONE;
}

static void free_files(struct files *f)
{
	for (int i = 0; i < f->count; i++)
		free(f->paths[i]);
	free(f->paths);
}

static int merge(struct output_opts *to, struct jfrec_reader *r)
{
	static const struct jfrec_merge_options options = { .struct_size = sizeof(options),
							    .plain = true };
	struct jfrec_merged *merged;
	struct jfrec_error err;
	int status;

	progress_begin_writing(r);
	merged = jfrec_write_merged(r, &options, to->output, &err);
	progress_end();
	status = merged ? output_opts_commit(to) : output_opts_failure(to, r, &err);
	jfrec_merged_free(merged);
	return status;
}

static int print_files(const struct files *f)
{
	fputs("\nAssembling files... \n\n", stdout);
	for (int i = 0; i < f->count; i++) {
		putchar(' ');
		jfr_print_path(f->paths[i]);
		putchar('\n');
	}
	fputs("\nFinished.\n", stdout);
	return finish_stdout();
}

static int assemble(const char *directory, const char *path)
{
	struct output_opts to = { .path = path, .how = JFREC_PLAIN, .is_public = true };
	struct jfrec_reader *r = NULL;
	struct files f = { 0 };
	int status = find_files(&f, directory);

	confine_writes(path);
	if (status == EXIT_DONE && !(r = open_confined(CONFINE_WRITING, f.paths, f.count)))
		status = EXIT_FAILED;
	if (status == EXIT_DONE)
		status = output_opts_open(&to);
	if (status == EXIT_DONE)
		status = merge(&to, r);
	if (status == EXIT_DONE)
		status = print_files(&f);
	if (status == EXIT_DONE)
		status = report_damage(r);
	output_opts_close(&to);
	jfrec_reader_close(r);
	free_files(&f);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	char **operands;
	int count;

	if (!opt_parse(&p, NULL))
		return p.status;
	operands = argv + p.first_operand;
	count = argc - p.first_operand;
	if (count != 2)
		return report_usage(self, "too %s arguments", count < 2 ? "few" : "many");
	return assemble(operands[0], operands[1]);
}

const struct command jfr_assemble = {
	.name = "assemble",
	.args = "DIRECTORY FILE",
	.summary = "join the chunk files of a directory",
	.about =
		"Join all chunks in the *.jfr files of DIRECTORY, such as the repository of a JVM\n"
		"that has exited, into the recording FILE, whose name ends in .jfr.  `jfrec\n"
		"merge` can do more.",
	.opts = opts,
	.run = run,
};
