/* SPDX-License-Identifier: MIT */
/*
 * recorded.c - record a JVM for a command that then reads the recording
 */
#include "recording/recorded.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/config.h"
#include "recording/open_recordings.h"

/* A command line of `jfrec record`. */
struct line {
	char *words[24];
	int count;
	char duration[40];
};

static void add(struct line *l, const char *word)
{
	l->words[l->count++] = (char *)word;
	l->words[l->count] = NULL;
}

static void begin(struct line *l, const struct operand_opts *o, const char *settings)
{
	*l = (struct line){ 0 };
	/* Whole seconds, as JVMs take them. */
	snprintf(l->duration, sizeof(l->duration), "%llds",
		 (long long)((o->duration_ns + 999999999) / 1000000000));
	add(l, "record");
	add(l, "--duration");
	add(l, l->duration);
	add(l, "--settings");
	add(l, settings);
	if (o->cpu_time) {
		add(l, "--set");
		add(l, "cpu-time=true");
	}
	/* The first recording of a JVM takes long to begin on a busy machine. */
	add(l, "--timeout");
	add(l, "60s");
}

/* What it prints is nothing for the caller's output: it goes there. */
static int run(struct line *l, const char *target, int to)
{
	int output = dup(STDOUT_FILENO), status = EXIT_FAILED;

	add(l, "--");
	add(l, target);
	fflush(stdout);
	if (output >= 0 && to >= 0 && dup2(to, STDOUT_FILENO) >= 0) {
		status = cmd_record.run(&cmd_record, l->count, l->words);
		fflush(stdout);
		dup2(output, STDOUT_FILENO);
	}
	if (output >= 0)
		close(output);
	return status;
}

/* A directory below that for temporary files. */
static bool make_directory(char path[OUTNAME_MAX])
{
	const char *tmp = getenv("TMPDIR");

	snprintf(path, OUTNAME_MAX, "%s/jfrec-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (mkdtemp(path))
		return true;
	perror("jfrec: cannot make a directory for the recording");
	return false;
}

/* Read and forgotten --------------------------------------------------------------------------- */

int record_briefly(const struct operand_opts *o, const char *target, const char *settings,
		   struct jfrec_reader **reader)
{
	char directory[OUTNAME_MAX], path[OUTNAME_MAX + 16];
	int status, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct line l;

	begin(&l, o, settings);
	add(&l, "--compress");
	add(&l, "none");
	add(&l, "-o");
	add(&l, path);
	if (!make_directory(directory))
		return EXIT_FAILED;
	snprintf(path, sizeof(path), "%s/recorded.jfr", directory);
	status = run(&l, target, null);
	/* Ended early by Ctrl-C: what there is counts. */
	if ((status == EXIT_DONE || status == EXIT_INTERRUPTED) && access(path, R_OK) == 0) {
		*reader = open_own_file(path);
		status = *reader ? EXIT_DONE : EXIT_FAILED;
	}
	unlink(path);
	rmdir(directory);
	if (null >= 0)
		close(null);
	return status;
}

/* Kept ----------------------------------------------------------------------------------------- */

/* Can `jfrec record` make a file where it would by itself?  If not, say where it will be. */
static bool choose_directory(char other[OUTNAME_MAX])
{
	const struct config_values *config;
	const char *usual = NULL;

	*other = '\0';
	if (config_get(&config) == EXIT_DONE)
		usual = config_text(config, CONFIG_OUTPUT_DIRECTORY);
	if (access(usual ? usual : ".", W_OK | X_OK) == 0)
		return true;
	if (!make_directory(other))
		return false;
	fprintf(stderr, "jfrec: %s cannot be written to; the recording will be in %s\n",
		usual ? usual : "the current directory", other);
	return true;
}

/* Of {"pid": 4711, "file": "shop.jfr", ...}. */
static void take_path(int fd, char path[OUTNAME_MAX])
{
	json_t *said = lseek(fd, 0, SEEK_SET) == 0 ? json_loadfd(fd, 0, NULL) : NULL;
	json_t *jvm = json_array_get(json_object_get(said, "jvms"), 0);
	const char *file = json_string_value(json_object_get(jvm, "file"));

	snprintf(path, OUTNAME_MAX, "%s", file ? file : "");
	json_decref(said);
	if (!*path)
		return;
	fputs("jfrec: the recording is kept: ", stderr);
	put_name(stderr, path);
	fputc('\n', stderr);
}

int record_and_keep(const struct operand_opts *o, const char *target, const char *settings,
		    char path[OUTNAME_MAX])
{
	int status, said = memfd_create("jfrec record --json", MFD_CLOEXEC);
	char other[OUTNAME_MAX] = "";
	struct line l;

	*path = '\0';
	if (said < 0) {
		perror("jfrec: cannot make a file in memory");
		return EXIT_FAILED;
	}
	if (!o->output && !choose_directory(other)) {
		close(said);
		return EXIT_FAILED;
	}
	begin(&l, o, settings);
	add(&l, "--json");
	if (o->force)
		add(&l, "--force");
	if (o->output || *other) {
		add(&l, "-o");
		add(&l, o->output ? o->output : other);
	}
	status = run(&l, target, said);
	take_path(said, path);
	if (!*path && *other)
		rmdir(other);
	close(said);
	return status;
}
