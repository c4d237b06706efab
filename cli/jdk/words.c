/* SPDX-License-Identifier: MIT */
/*
 * words.c - parse command lines of `jfr` by the JDK's rules
 *
 * In its order: the file is the last word and is opened first, then come the options, each
 * spelled in full.  What it refuses is refused in its words; options that only we have are let
 * through.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "base/suffix.h"
#include "jdk/called_as.h"

/* A command line that is taken apart, from its front and its end. */
struct words {
	const struct command *command;
	char *const *at;
	int count;
	unsigned formats;	   /* --json, --xml, --exact so far */
	bool events, categories; /* chosen already */
};

/* Paths ---------------------------------------------------------------------------------------- */

/* Java makes one slash of several, and has none at the end. */
static void squeeze_slashes(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		if (*from != '/' || (from[1] != '/' && (from[1] || to == path)))
			*to++ = *from;
	}
	*to = '\0';
}

char *jfr_absolute(const char *path)
{
	char *directory = *path == '/' ? NULL : getcwd(NULL, 0), *full;

	if (asprintf(&full, "%s%s%s", directory ? directory : "", directory ? "/" : "", path) < 0)
		full = NULL;
	else
		squeeze_slashes(full);
	free(directory);
	return full;
}

void jfr_print_path(const char *path)
{
	char *full = jfr_absolute(path);

	print_name(full ? full : path);
	free(full);
}

/* "could not open file /tmp/x.jfr (Is a directory)" */
static int fail_path(const struct words *w, const char *before, const char *path, const char *after)
{
	char *full = jfr_absolute(path);

	fprintf(stderr, "jfr %s: %s", w->command->name, before);
	put_name(stderr, full ? full : path);
	fprintf(stderr, "%s\n", after);
	free(full);
	return EXIT_FAILED;
}

static int fail_open(const struct words *w, const char *path, int error)
{
	char why[128];

	snprintf(why, sizeof(why), " (%s)", strerror(error));
	return fail_path(w, "could not open file ", path, why);
}

static int check_name(const struct words *w, const char *path)
{
	return ends_with(path, ".jfr")
		       ? EXIT_DONE
		       : jfr_fail(w->command->name, "filename must end with '.jfr'");
}

/* A recording to read: there, not empty, and so called. */
static int check_input(const struct words *w, const char *path)
{
	struct stat st;

	/* An empty word is the current directory. */
	if (stat(*path ? path : ".", &st) < 0)
		return fail_open(w, path, errno);
	if (S_ISDIR(st.st_mode))
		return fail_open(w, path, EISDIR);
	if (access(path, R_OK) < 0)
		return fail_open(w, path, errno);
	if (S_ISREG(st.st_mode) && st.st_size == 0)
		return fail_path(w, "file is empty '", path, "'");
	return check_name(w, path);
}

static int check_directory(const struct words *w, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return jfr_fail(w->command->name, "directory does not exist, %s", path);
	return S_ISDIR(st.st_mode)
		       ? EXIT_DONE
		       : jfr_fail(w->command->name, "path must be directory, %s", path);
}

/* The last word is the recording. */
static int take_input(struct words *w)
{
	const char *path = w->count ? w->at[w->count - 1] : "--";

	if (strncmp(path, "--", 2) == 0)
		return jfr_fail_usage(w->command->name, "missing file");
	w->count--;
	return check_input(w, path);
}

/* Options -------------------------------------------------------------------------------------- */

static int fail_usage(const struct words *w, const char *sentence)
{
	return jfr_fail_usage(w->command->name, "%s", sentence);
}

static void step(struct words *w, int by)
{
	w->at += by;
	w->count -= by;
}

/* A shell that finds a file for a pattern puts its name in the pattern's place. */
static int check_quoted(const struct words *w, const char *option, const char *filter)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "./%s", filter);
	if (!strchr(filter, ':') && access(path, F_OK) < 0)
		return EXIT_DONE;
	return jfr_fail(w->command->name,
			"wildcards should be quoted, for example %s \"Foo*\"", option);
}

/* An option and its filter, in front. */
static int take_filter(struct words *w)
{
	const char *option = w->at[0];
	int status;

	if (w->count < 2)
		return jfr_fail_usage(w->command->name, "missing value for %s", option);
	if (strncmp(w->at[1], "--", 2) == 0)
		return jfr_fail_usage(w->command->name, "missing filter after %s", option);
	status = check_quoted(w, option, w->at[1]);
	step(w, 2);
	return status;
}

/* --events and --categories, each once. */
static int take_choice(struct words *w)
{
	bool is_events = strcmp(w->at[0], "--events") == 0;
	bool *given = is_events ? &w->events : &w->categories;

	if (*given)
		return fail_usage(w, is_events ? "use --events event1,event2,event3 to include "
						 "multiple events"
					       : "use --categories category1,category2 to include "
						 "multiple categories");
	*given = true;
	return take_filter(w);
}

/* An int of Java. */
static bool parse_int(const char *text, int *to)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	*to = (int)n;
	return !errno && end != text && !*end && n >= INT_MIN && n <= INT_MAX &&
	       !strchr(" \t\n", *text);
}

static int take_depth(struct words *w)
{
	int depth;

	if (w->count < 2)
		return fail_usage(w, "missing value for --stack-depth");
	if (!parse_int(w->at[1], &depth))
		return fail_usage(w, "not a valid value for --stack-depth");
	if (depth < 0)
		return fail_usage(w, "stack depth must be zero or a positive integer.");
	step(w, 2);
	return EXIT_DONE;
}

static bool is(const struct words *w, const char *option)
{
	return strcmp(w->at[0], option) == 0;
}

static const struct opt *find_ours(const struct words *w, const char *name, size_t len)
{
	return opt_find(w->command->opts, name, len);
}

/* Options that only jfrec has; any other is unknown. */
static int take_ours(struct words *w)
{
	const char *word = w->at[0];
	size_t len = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
	const struct opt *o = len ? find_ours(w, word + 2, len) : NULL;
	bool has_value = o && word[2 + len] == '=';

	/* These are the JDK's, which takes no sign after them. */
	if (has_value && (strncmp(word, "--events", 8) == 0 || strncmp(word, "--categor", 9) == 0))
		o = NULL;
	if (o && o->arg && !has_value && w->count < 2)
		return jfr_fail_usage(w->command->name, "missing value for %s", word);
	if (!o)
		return jfr_fail_usage(w->command->name, "unknown option %s", word);
	step(w, o->arg && !has_value ? 2 : 1);
	return EXIT_DONE;
}

/* Singular for plural. */
static int fail_singular(const struct words *w, const char *singular, const char *plural)
{
	return is(w, singular)
		       ? jfr_fail_usage(w->command->name, "unknown option %s, did you mean %s?",
					singular, plural)
		       : EXIT_DONE;
}

/* What commands do with each word in front.  An exit code if it was wrong. */
typedef int take_fn(struct words *w);

static int take_all(struct words *w, take_fn *take)
{
	int status = EXIT_DONE;

	while (status == EXIT_DONE && w->count)
		status = take(w);
	return status;
}

/* The commands --------------------------------------------------------------------------------- */

static int take_of_metadata(struct words *w)
{
	if (is(w, "--events") || is(w, "--categories"))
		return take_choice(w);
	if (fail_singular(w, "--event", "--events") ||
	    fail_singular(w, "--category", "--categories"))
		return EXIT_USAGE;
	return take_ours(w);
}

static int take_of_print(struct words *w)
{
	if (is(w, "--stack-depth"))
		return take_depth(w);
	if (is(w, "--json") || is(w, "--xml") || is(w, "--exact")) {
		if (w->formats++)
			return fail_usage(w, "only one format can be specified at a time");
		step(w, 1);
		return EXIT_DONE;
	}
	return take_of_metadata(w);
}

static int check_print(struct words *w)
{
	int status = take_input(w);

	return status == EXIT_DONE ? take_all(w, take_of_print) : status;
}

/* Without a recording it is about a JDK. */
static int check_metadata(struct words *w)
{
	int status = EXIT_DONE;

	if (w->count && ends_with(w->at[w->count - 1], ".jfr"))
		status = take_input(w);
	return status == EXIT_DONE ? take_all(w, take_of_metadata) : status;
}

static bool is_ours(const struct words *w, const char *word)
{
	return strncmp(word, "--", 2) == 0 && find_ours(w, word + 2, strlen(word + 2));
}

static int check_summary(struct words *w)
{
	while (w->count > 1 && is_ours(w, w->at[0]))
		step(w, 1);
	return w->count > 1 ? fail_usage(w, "too many arguments") : take_input(w);
}

/* Its options are taken by the command, which knows their order. */
static int check_view(struct words *w)
{
	return take_input(w);
}

static int take_of_scrub(struct words *w)
{
	static const char *const filters[] = { "--include-events",     "--exclude-events",
					       "--include-categories", "--exclude-categories",
					       "--include-threads",    "--exclude-threads" };

	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		if (is(w, filters[i]))
			return take_filter(w);
	}
	if (fail_singular(w, "--include-event", "--include-events") ||
	    fail_singular(w, "--include-category", "--include-categories") ||
	    fail_singular(w, "--include-thread", "--include-threads"))
		return EXIT_USAGE;
	return take_ours(w);
}

/* It, or the other of the two, is not there. */
static int fail_scrub(const struct words *w, const char *recording, const char *missing)
{
	char why[PATH_MAX + 128];

	snprintf(why, sizeof(why), ". %s (No such file or directory)", missing);
	return fail_path(w, "could not read recording at ", recording, why);
}

static int fail_same(const char *input)
{
	char *full = jfr_absolute(input);

	jfr_fail_usage("scrub", "output file can't be same as input file %s", full ? full : input);
	free(full);
	return EXIT_USAGE;
}

/* From where to where; output: NULL, if its name is to be made of the other. */
static int check_files(struct words *w, const char *input, const char *output)
{
	struct stat in, out;
	char directory[PATH_MAX];
	const char *slash = output ? strrchr(output, '/') : NULL;

	if (stat(input, &in) < 0)
		return fail_scrub(w, input, input);
	if (output && stat(output, &out) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
		return fail_same(input);
	snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - output + 1) : 1,
		 slash ? output : ".");
	if (output && access(directory, F_OK) < 0)
		return fail_scrub(w, input, output);
	if (S_ISREG(in.st_mode) && in.st_size == 0)
		return fail_path(w, "could not read recording at ", input,
				 ". Not a valid Flight Recorder file. File length is only 0 "
				 "bytes.");
	return EXIT_DONE;
}

static int check_scrub(struct words *w)
{
	const char *last, *input, *output = NULL;
	int status;

	if (!w->count)
		return fail_usage(w, "too few arguments");
	last = input = w->at[--w->count];
	status = check_name(w, last);
	if (status != EXIT_DONE)
		return status;
	if (w->count && ends_with(w->at[w->count - 1], ".jfr") &&
	    (w->count < 2 || strncmp(w->at[w->count - 2], "--", 2) != 0)) {
		input = w->at[--w->count];
		output = last;
	}
	status = check_files(w, input, output);
	return status == EXIT_DONE ? take_all(w, take_of_scrub) : status;
}

static int check_assemble(struct words *w)
{
	const char *slash, *path;
	char directory[PATH_MAX];
	int status;

	if (w->count != 2)
		return fail_usage(w, w->count < 2 ? "too few arguments" : "too many arguments");
	status = check_directory(w, w->at[0]);
	path = w->at[1];
	if (status != EXIT_DONE)
		return status;
	if (access(path, F_OK) == 0)
		return jfr_fail("assemble", "file '%s' already exists", path);
	status = check_name(w, path);
	slash = strrchr(path, '/');
	snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - path + 1) : 1,
		 slash ? path : ".");
	if (status == EXIT_DONE && access(directory, F_OK) < 0)
		return jfr_fail("assemble",
				"could not open destination file %s. %s (No such file or "
				"directory)",
				path, path);
	return status;
}

static int take_limit(struct words *w, const char *too_small)
{
	int limit;

	if (w->count < 2)
		return jfr_fail_usage("disassemble", "missing value for %s", w->at[0]);
	/* In both cases the JDK names this one. */
	if (!parse_int(w->at[1], &limit))
		return jfr_fail("disassemble", "not a valid value for --max-size.");
	if (limit < 1)
		return jfr_fail("disassemble", "%s", too_small);
	step(w, 2);
	return EXIT_DONE;
}

static int take_of_disassemble(struct words *w)
{
	int status;

	if (is(w, "--max-chunks"))
		return take_limit(w, "max chunks must be at least 1.");
	if (is(w, "--max-size"))
		return take_limit(w, "max size must be at least 1");
	if (!is(w, "--output"))
		return take_ours(w);
	if (w->count < 2)
		return fail_usage(w, "missing value for --output");
	status = check_directory(w, w->at[1]);
	step(w, 2);
	return status;
}

static int check_disassemble(struct words *w)
{
	int status = take_input(w);

	return status == EXIT_DONE ? take_all(w, take_of_disassemble) : status;
}

int jfr_check_words(const struct command *c, char *const *words, int count)
{
	static const struct {
		const struct command *command;
		int (*check)(struct words *w);
	} checks[] = {
		{ &cmd_print, check_print },	     { &cmd_metadata, check_metadata },
		{ &cmd_summary, check_summary },     { &jfr_view, check_view },
		{ &jfr_scrub, check_scrub },
		{ &jfr_assemble, check_assemble },   { &jfr_disassemble, check_disassemble },
	};
	struct words w = { .command = c, .at = words, .count = count };

	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		if (checks[i].command == c)
			return checks[i].check(&w);
	}
	return EXIT_DONE;
}
