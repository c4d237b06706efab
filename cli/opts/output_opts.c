/* SPDX-License-Identifier: MIT */
/*
 * output_opts.c - options of the commands that write recordings
 */
#include "opts/output_opts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output_limit.h"
#include "base/progress.h"
#include "jfrec-tool.h"

/* "640", "0640". */
static bool parse_mode(const char *text, unsigned *mode)
{
	char *end;

	if (!*text || strspn(text, "01234567") != strlen(text) || strlen(text) > 4)
		return false;
	*mode = (unsigned)strtoul(text, &end, 8);
	return *mode <= 0777;
}

const struct opt_choice output_compressions[] = {
	{ "gzip", JFREC_GZIP },
	{ "zstd", JFREC_ZSTD },
	{ "none", JFREC_PLAIN },
	{ 0 },
};

int output_take_mode(const struct opt_given *g, void *to)
{
	struct output_opts *w = to;

	w->has_mode = parse_mode(g->value, &w->mode);
	if (w->has_mode)
		return EXIT_DONE;
	return report_usage(g->command,
			    "--mode takes permissions in octal, for example 640, not '%s'",
			    g->value);
}

/* clang-format off */
const struct opt output_rows[] = {
	OPT_STRING('o', "output", "FILE", "write to FILE, or to - (standard output)", struct output_opts, path),
	OPT_CHOICE(0, "compress", "HOW", "gzip, zstd or none; else as FILE is named", struct output_opts, how, output_compressions),
	OPT_FLAG(0, "force", "replace FILE if it exists", struct output_opts, force),
	OPT_CALL_ALL(0, "mode", "OCTAL", "permissions of FILE in octal, such as 640", output_take_mode, NULL),
	{ 0 },
};
/* clang-format on */

static bool is_stdout(const struct output_opts *w)
{
	return w->path && strcmp(w->path, "-") == 0;
}

int output_opts_check(const struct output_opts *w, const struct command *c, bool json)
{
	if (!w->path || !*w->path)
		return report_usage(c, "name the file to write: -o FILE");
	if (!is_stdout(w))
		return EXIT_DONE;
	if (json)
		return report_usage(c, "standard output cannot take the recording and JSON");
	if (isatty(STDOUT_FILENO))
		return report_usage(c, "a recording is not for a terminal; redirect the output");
	return EXIT_DONE;
}

/* Some failures have a name, some the whole sentence. */
static int output_failure(const struct output_opts *w, const struct jfrec_error *err)
{
	if (is_stdout(w) && err->sys == EPIPE)
		return EXIT_DONE;
	say(is_stdout(w) ? "standard output" : w->path, failure_text(err));
	return EXIT_FAILED;
}

/* What open() would give a new file. */
static unsigned usual_mode(void)
{
	mode_t mask = umask(077);

	umask(mask);
	return 0666 & ~mask;
}

struct jfrec_output *output_opts_make(const struct output_opts *w, const char *path,
				      struct jfrec_error *err)
{
	struct jfrec_output *o = jfrec_output_open(path, w->force, w->how, err);

	if (o)
		output_limit_apply(o);
	if (o && w->has_mode)
		jfrec_output_set_mode(o, w->mode, true);
	else if (o && w->is_public)
		jfrec_output_set_mode(o, usual_mode(), false);
	return o;
}

int output_opts_open(struct output_opts *w)
{
	struct jfrec_error err;

	if (!is_stdout(w))
		jfrec_output_sweep(w->path);
	w->output = output_opts_make(w, w->path, &err);
	return w->output ? EXIT_DONE : output_failure(w, &err);
}

int output_opts_commit(struct output_opts *w)
{
	struct jfrec_error err;

	return jfrec_output_commit(w->output, &err) == 0 ? EXIT_DONE
							 : output_opts_failure(w, NULL, &err);
}

int output_opts_failure(const struct output_opts *w, const struct jfrec_reader *r,
			const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
	return err->code == JFREC_EOUTPUT || !r ? output_failure(w, err) : report_failure(r, err);
}

void output_opts_close(struct output_opts *w)
{
	jfrec_output_close(w->output);
	w->output = NULL;
}

FILE *output_opts_results(const struct output_opts *w)
{
	return is_stdout(w) ? stderr : stdout;
}
