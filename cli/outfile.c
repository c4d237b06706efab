/* SPDX-License-Identifier: MIT */
/*
 * outfile.c - the file that a recording is brought to
 */
#include "outfile.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* The name of a recording that got none. */
#define DEFAULT_NAME "jfrec-%p-%t.jfr"

static const char *const suffixes[] = {
	[JFREC_BY_NAME] = "",
	[JFREC_PLAIN] = "",
	[JFREC_GZIP] = ".gz",
	[JFREC_ZSTD] = ".zst",
};

/* The wishes ----------------------------------------------------------------------------------- */

static bool is_stdout(const struct writing *w)
{
	return w->path && strcmp(w->path, "-") == 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return path[0] &&
	       (path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

int outfile_check(const struct writing *w, const struct command *c, bool several, bool json)
{
	if (w->path && !*w->path)
		return report_usage(c, "the name of the file is empty");
	if (several && w->path && !is_directory(w->path) && !outname_tells_apart(w->path))
		return report_usage(c,
				    "with --all, give a directory (DIR/) or a name with %%p in it");
	return w->path ? writing_check(w, c, json) : EXIT_DONE;
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

int outfile_fail(const struct outfile *o, const struct jfrec_error *err)
{
	say(o->to_stdout ? "standard output" : o->path, err->text);
	return EXIT_FAILED;
}

/* The full name, from what was wished for. */
static int make_path(struct outfile *o, const struct writing *w, const struct jfrec_jvm *jvm)
{
	const char *output = w->path ? w->path : "./";
	bool slash = output[strlen(output) - 1] == '/';
	char pattern[OUTNAME_MAX];
	struct jfrec_error err;
	int len;

	if (is_directory(output))
		len = snprintf(pattern, sizeof(pattern), "%s%s%s%s", w->path ? output : "",
			       slash ? "" : "/", DEFAULT_NAME, suffixes[w->how]);
	else
		len = snprintf(pattern, sizeof(pattern), "%s", output);
	if (len >= OUTNAME_MAX)
		return fail(output, "the name is too long");
	if (jfrec_output_name(pattern, jvm, 0, o->path, sizeof(o->path), &err) < 0)
		return fail(output, err.text);
	return EXIT_DONE;
}

static bool ends_with(const char *s, const char *suffix)
{
	size_t len = strlen(s), n = strlen(suffix);

	return len > n && strcmp(s + len - n, suffix) == 0;
}

int outfile_open(struct outfile *o, const struct writing *w, const struct jfrec_jvm *jvm)
{
	struct jfrec_error err;
	int status;

	*o = (struct outfile){ .path = "-", .to_stdout = is_stdout(w) };
	status = o->to_stdout ? EXIT_DONE : make_path(o, w, jvm);
	if (status != EXIT_DONE)
		return status;
	o->is_compressed = w->how != JFREC_BY_NAME || ends_with(o->path, suffixes[JFREC_GZIP]) ||
			   ends_with(o->path, suffixes[JFREC_ZSTD]);
	o->output = jfrec_output_open(o->path, w->force, w->how, &err);
	if (!o->output)
		return outfile_fail(o, &err);
	remove_at_end(o->output);
	return EXIT_DONE;
}

int outfile_check_room(const struct outfile *o, uint64_t size)
{
	char directory[OUTNAME_MAX], why[100];
	const char *slash = strrchr(o->path, '/');
	struct statvfs fs;
	uint64_t room;

	snprintf(directory, sizeof(directory), "%.*s", slash ? (int)(slash - o->path + 1) : 1,
		 slash ? o->path : ".");
	if (o->to_stdout || o->is_compressed || statvfs(directory, &fs) < 0)
		return EXIT_DONE;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room >= size)
		return EXIT_DONE;
	snprintf(why, sizeof(why), "it needs %.1f MB, and %.1f MB are free", (double)size / 1e6,
		 (double)room / 1e6);
	return fail(o->path, why);
}

/* The end -------------------------------------------------------------------------------------- */

int outfile_commit(struct outfile *o)
{
	struct jfrec_error err;

	return jfrec_output_commit(o->output, &err) == 0 ? EXIT_DONE : outfile_fail(o, &err);
}

void outfile_close(struct outfile *o)
{
	if (o->output)
		jfrec_output_abandon(o->output);
	to_abandon = NULL;
	jfrec_output_close(o->output);
	o->output = NULL;
}
