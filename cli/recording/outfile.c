/* SPDX-License-Identifier: MIT */
/*
 * outfile.c - the output file of a recording, from a temporary name to its own
 */
#include "recording/outfile.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/config.h"
#include "base/human.h"
#include "base/suffix.h"
#include "jfrec-tool.h"

/* clang-format off */
const struct opt outfile_rows[] = {
	OPT_STRING('o', "output", "FILE", "write to FILE, to a name in DIR/, or to - (stdout)", struct output_opts, path),
	OPT_CHOICE(0, "compress", "HOW", "compress by gzip, zstd, or none", struct output_opts, how, output_compressions),
	OPT_FLAG(0, "force", "replace FILE if it exists", struct output_opts, force),
	OPT_CALL_ALL(0, "mode", "OCTAL", "permissions of FILE in octal, such as 640", output_take_mode, NULL),
	{ 0 },
};
/* clang-format on */

/* This many files are not made in a second. */
#define MAX_NUMBER 10000

/* The options ---------------------------------------------------------------------------------- */

static bool is_stdout(const struct output_opts *w)
{
	return w->path && strcmp(w->path, "-") == 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return path[0] &&
	       (path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

/* Why a name that the configuration wants made cannot be, or NULL. */
static const char *check_name(const char *name, bool several, struct jfrec_error *err)
{
	static const struct jfrec_jvm any = { .main = "" };
	char path[OUTNAME_MAX];

	if (outname_make(name, &any, 0, path, sizeof(path), err) < 0)
		return err->text;
	return several && !outname_tells_apart(name) ? "with --all, it needs %p in it" : NULL;
}

/* The name is to be made up: where, how, and how small. */
static int use_config(struct output_opts *w, bool several)
{
	const struct config_values *config;
	struct jfrec_error err;
	int status = config_get(&config);
	const char *how, *why;

	if (status != EXIT_DONE)
		return status;
	if (!w->path)
		w->path = config_text(config, CONFIG_OUTPUT_DIRECTORY);
	if (!w->name)
		w->name = config_text(config, CONFIG_OUTPUT_NAME);
	why = w->name ? check_name(w->name, several, &err) : NULL;
	if (why)
		return config_fail(config, CONFIG_OUTPUT_NAME, why);
	if (!w->name)
		w->name = OUTFILE_DEFAULT_NAME;
	how = config_text(config, CONFIG_COMPRESS);
	if (how && w->how == JFREC_BY_NAME)
		w->how = strcmp(how, "gzip") == 0   ? JFREC_GZIP
			 : strcmp(how, "zstd") == 0 ? JFREC_ZSTD
						    : JFREC_BY_NAME;
	return EXIT_DONE;
}

int outfile_check(struct output_opts *w, const struct command *c, bool several, bool json)
{
	if (w->path && !*w->path)
		return report_usage(c, "the name of the file is empty");
	if (!w->path || is_directory(w->path))
		return use_config(w, several);
	if (several && !outname_tells_apart(w->path))
		return report_usage(c,
				    "with --all, give a directory (DIR/) or a name with %%p in it");
	w->name = NULL;
	return output_opts_check(w, c, json);
}

/* Ending by a signal --------------------------------------------------------------------------- */

static const int ending_signals[] = { SIGHUP, SIGINT, SIGTERM };

/* What to remove then, or NULL. One at a time. */
static struct jfrec_output *volatile to_abandon;

static void on_end(int signal)
{
	if (to_abandon)
		jfrec_output_abandon(to_abandon);
	/* Once more, with the default action, when this handler returns. */
	raise(signal);
}

static void remove_at_end(struct jfrec_output *o)
{
	struct sigaction action = { .sa_handler = on_end, .sa_flags = (int)SA_RESETHAND }, before;

	to_abandon = o;
	/* A limit on the size of files is an error of write(), and no reason to die. */
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(*ending_signals); i++) {
		/* A signal that the caller has us ignore stays so, as nohup wants it. */
		if (sigaction(ending_signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &action, NULL);
	}
}

/* Making the file ------------------------------------------------------------------------------ */

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "jfrec: cannot write %s: %s\n", path, why);
	return EXIT_FAILED;
}

/* "new/": what is missing is the directory. */
static bool say_no_directory(const struct outfile *o, const struct jfrec_error *err)
{
	const char *slash = strrchr(o->path, '/');
	char directory[OUTNAME_MAX];

	if (err->sys != ENOENT || !slash || slash == o->path)
		return false;
	snprintf(directory, sizeof(directory), "%.*s", (int)(slash - o->path), o->path);
	if (access(directory, F_OK) == 0)
		return false;
	fputs("jfrec: there is no directory ", stderr);
	put_name(stderr, directory);
	fputs("; create it with mkdir -p ", stderr);
	put_name(stderr, directory);
	fputc('\n', stderr);
	return true;
}

int outfile_fail(const struct outfile *o, const struct jfrec_error *err)
{
	if (!o->to_stdout && say_no_directory(o, err))
		return EXIT_FAILED;
	say(o->to_stdout ? "standard output" : o->path, failure_text(err));
	return EXIT_FAILED;
}

/* The full name, from what was wished for. */
static int make_path(struct outfile *o, const struct output_opts *w, const struct jfrec_jvm *jvm)
{
	const char *path = w->path ? w->path : "";
	bool slash = *path && path[strlen(path) - 1] != '/';
	char pattern[OUTNAME_MAX];
	struct jfrec_error err;
	int len;

	if (w->name)
		len = snprintf(pattern, sizeof(pattern), "%s%s%s%s", path, slash ? "/" : "",
			       w->name,
			       jfrec_output_compression(w->name) == w->how
				       ? ""
				       : suffix_of_compression(w->how));
	else
		len = snprintf(pattern, sizeof(pattern), "%s", path);
	if (len >= OUTNAME_MAX)
		return fail(path, "the name is too long");
	if (outname_make(pattern, jvm, 0, o->path, sizeof(o->path), &err) < 0)
		return fail(w->name ? pattern : path, err.text);
	return EXIT_DONE;
}

/* app.jfr.gz is app-2.jfr.gz, then app-3.jfr.gz.  False: there are too many. */
static bool number_path(struct outfile *o)
{
	const char *slash = strrchr(o->made, '/'), *name = slash ? slash + 1 : o->made;
	int stem = (int)(name - o->made) + (int)suffix_stem(name);

	o->number++;
	return o->number < MAX_NUMBER &&
	       snprintf(o->path, sizeof(o->path), "%.*s-%u%s", stem, o->made, o->number,
			o->made + stem) < OUTNAME_MAX;
}

/* A name that was made up is there already: another, which two processes never both get. */
static bool is_taken(struct outfile *o, const struct jfrec_error *err)
{
	return *o->made && err->code == JFREC_EOUTPUT && err->sys == EEXIST && number_path(o);
}

static void open_output(struct outfile *o, const struct output_opts *w, struct jfrec_error *err)
{
	o->number = 1;
	if (w->name && !w->force)
		snprintf(o->made, sizeof(o->made), "%s", o->path);
	do
		o->output = output_opts_make(w, o->path, err);
	while (!o->output && is_taken(o, err));
}

int outfile_open(struct outfile *o, const struct output_opts *w, const struct jfrec_jvm *jvm)
{
	struct jfrec_error err;
	int status;

	*o = (struct outfile){ .path = "-", .to_stdout = is_stdout(w) };
	status = o->to_stdout ? EXIT_DONE : make_path(o, w, jvm);
	if (status != EXIT_DONE)
		return status;
	o->is_compressed = w->how == JFREC_GZIP || w->how == JFREC_ZSTD ||
			   jfrec_output_compression(o->path) != JFREC_PLAIN;
	if (!o->to_stdout)
		jfrec_output_sweep(o->path);
	open_output(o, w, &err);
	if (!o->output)
		return outfile_fail(o, &err);
	remove_at_end(o->output);
	return EXIT_DONE;
}

/*
 * What a JVM brings does not fill the last of a disk that others write to as well: a twentieth of
 * it stays free, at most a gigabyte.
 */
#define MOST_RESERVE (UINT64_C(1) << 30)

int outfile_check_room(const struct outfile *o, uint64_t size)
{
	char directory[OUTNAME_MAX], why[200];
	char needs[HUMAN_MAX], free[HUMAN_MAX], reserved[HUMAN_MAX];
	const char *slash = strrchr(o->path, '/');
	struct statvfs fs;
	uint64_t room, reserve;

	snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - o->path + 1) : 1,
		 slash ? o->path : ".");
	if (o->to_stdout || o->is_compressed || statvfs(directory, &fs) < 0)
		return EXIT_DONE;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	reserve = (uint64_t)fs.f_blocks * fs.f_frsize / 20;
	if (reserve > MOST_RESERVE)
		reserve = MOST_RESERVE;
	if (room >= reserve && room - reserve >= size)
		return EXIT_DONE;
	snprintf(why, sizeof(why),
		 "it needs %s, and %s are free, of which %s are reserved for others",
		 human_bytes(needs, (double)size), human_bytes(free, (double)room),
		 human_bytes(reserved, (double)reserve));
	return fail(o->path, why);
}

/* The end -------------------------------------------------------------------------------------- */

int outfile_commit(struct outfile *o)
{
	struct jfrec_error err;

	while (jfrec_output_commit(o->output, &err) < 0) {
		if (!is_taken(o, &err) || jfrec_output_rename(o->output, o->path, &err) < 0)
			return outfile_fail(o, &err);
	}
	o->committed = true;
	return EXIT_DONE;
}

void outfile_close(struct outfile *o)
{
	if (o->output)
		jfrec_output_abandon(o->output);
	to_abandon = NULL;
	jfrec_output_close(o->output);
	o->output = NULL;
}
