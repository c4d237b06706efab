/* SPDX-License-Identifier: MIT */
/*
 * split.c - jfrec split: split a recording into several files
 */
#include <string.h>
#include <sys/stat.h>

#include "base/human.h"
#include "base/many_files.h"
#include "base/progress.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"
#include "recording/split_files.h"

struct options {
	struct output_opts to; /* .path: the directory */
	struct jfrec_split_limits limits;
	bool json;
	struct split_files parts;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING('o', "output", "DIR", "write to this directory (default: the current one)", struct options, to.path),
	OPT_COUNT(0, "chunks", "N", "at most N chunks per file (default: 1)", struct options, limits.chunks),
	OPT_SIZE(0, "size", "SIZE", "at most this size per file, such as 100M", struct options, limits.bytes),
	OPT_COUNT(0, "events", "N", "at most N events per file", struct options, limits.events),
	OPT_DURATION(0, "duration", "SPAN", "at most this duration per file, such as 10m", struct options, limits.duration_ns),
	COMPRESS_ROW("compress by gzip or zstd", struct options, to),
	OPT_FLAG(0, "force", "replace files that exist", struct options, to.force),
	MODE_ROW("permissions of the files in octal, such as 640", struct options, to),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print one JSON document: the files", struct options, json),
	{ 0 },
};
/* clang-format on */

static int print_files(const struct options *s)
{
	json_t *files = json_array();
	char size[HUMAN_MAX];

	for (size_t i = 0; i < s->parts.opened; i++) {
		uint64_t bytes = jfrec_output_size(s->parts.outputs[i]);

		if (s->json)
			json_array_append_new(files,
					      json_pack("{s:o, s:I}", "file",
							text_json(s->parts.names[i]), "bytes",
							(json_int_t)bytes));
		else
			printf("%s: %s\n", s->parts.names[i], human_bytes(size, (double)bytes));
	}
	if (s->json)
		return print_document("split", json_pack("{s:o}", "files", files));
	json_decref(files);
	return finish_stdout();
}

static int split_failure(const struct options *s, const struct jfrec_reader *r,
			 const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
	if (err->code != JFREC_EOUTPUT)
		return report_failure(r, err);
	say(s->parts.failed, failure_text(err));
	return EXIT_FAILED;
}

static int split_reader(struct options *s, struct jfrec_reader *r, const char *path)
{
	struct jfrec_error err;
	int ret, status;

	progress_begin_writing(r);
	ret = split_files_write(&s->parts, r, path, &s->limits, &err);
	progress_end();
	status = ret == 0 ? print_files(s) : split_failure(s, r, &err);
	return status == EXIT_DONE ? report_damage(r) : status;
}

static int split(struct options *s, char *path)
{
	struct jfrec_reader *r;
	int status = EXIT_FAILED;

	s->parts.to = &s->to;
	allow_many_files(); /* all are open until all are whole */
	split_files_confine(&s->parts);
	r = open_confined(CONFINE_WRITING, &path, 1);
	if (r && s->json)
		envelope_read(r, &path, 1);
	if (r)
		status = split_reader(s, r, path);
	split_files_close(&s->parts);
	jfrec_reader_close(r);
	return status;
}

/* ---------------------------------------------------------------------------------------------- */

static bool is_other(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { .limits.struct_size = sizeof(s.limits) };

	if (!opt_parse(&p, &s))
		return p.status;
	if (!has_operands(self, &p, "the recording to split"))
		return EXIT_USAGE;
	if (p.argc - p.first_operand > 1)
		return report_usage(self, "one recording can be split at a time");
	if (s.to.path && is_other(s.to.path))
		return report_usage(self, "%s is not a directory", s.to.path);
	if (!s.limits.bytes && !s.limits.events && !s.limits.duration_ns && !s.limits.chunks)
		s.limits.chunks = 1;
	return split(&s, argv[p.first_operand]);
}

const struct command cmd_split = {
	.name = "split",
	.args = "RECORDING",
	.examples = "  jfrec split app.jfr\n"
		    "  jfrec split --size 10M app.jfr\n",
	.summary = "split a recording into several files",
	.about =
		"Split RECORDING into files named app_0.jfr, app_1.jfr and so on, between chunks,\n"
		"which are not changed: `jfrec merge` restores the recording.  A chunk that\n"
		"exceeds a limit gets a file of its own.",
	.opts = opts,
	.run = run,
};
