/* SPDX-License-Identifier: MIT */
/*
 * export.c - jfrec export: events as tables, in files for other engines
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/human.h"
#include "base/many_files.h"
#include "base/output_limit.h"
#include "base/progress.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "opts/output_opts.h"
#include "recording/open_recordings.h"

enum timestamps {
	MICROSECONDS,
	NANOSECONDS,
};

enum stack_form {
	STRING,
	FRAMES,
};

struct options {
	struct event_opts select;
	struct output_opts to; /* .path: the directory */
	struct opt_list labels;
	struct jfrec_parquet_options parquet;
	struct jfrec_label *given; /* what the labels say; their keys are copies */
	unsigned format, timestamps, stack;
	bool json;
};

enum format {
	PARQUET,
	SQLITE,
};

static const struct opt_choice formats[] = {
	{ "parquet", PARQUET },
	{ "sqlite", SQLITE },
	{ 0 },
};

static const struct opt_choice stack_forms[] = {
	{ "string", STRING },
	{ "frames", FRAMES },
	{ 0 },
};

static const struct opt_choice units[] = {
	{ "us", MICROSECONDS },
	{ "ns", NANOSECONDS },
	{ 0 },
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING('o', "output", "DIR", "write to this directory, or with sqlite to this file", struct options, to.path),
	OPT_CHOICE(0, "format", "NAME", "parquet (default) or sqlite", struct options, format, formats),
	OPT_CHOICE(0, "timestamps", "us|ns", "the unit of times (default: us)", struct options, timestamps, units),
	OPT_CHOICE(0, "stack", "FORM", "stacks as a string (default) or list of frames", struct options, stack, stack_forms),
	OPT_ONCE(0, "partition", "LIST", "a directory for each date, or value of a label", struct options, parquet.partition),
	OPT_LIST(0, "label", "KEY=VALUE", "add a column, or a value to partition by", struct options, labels),
	OPT_ONCE(0, "label-from-name", "PATTERN", "labels of files' names, as '{service}-{host}.jfr'", struct options, parquet.name_pattern),
	OPT_FLAG(0, "force", "replace files that exist", struct options, to.force),
	MODE_ROW("permissions of the files in octal, such as 640", struct options, to),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(zone_rows, struct options, select),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(output_limit_tables_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print one JSON document: what was written", struct options, json),
	{ 0 },
};
/* clang-format on */

static json_t *result_json(const struct options *o, size_t files, uint64_t rows, uint64_t bytes)
{
	return json_pack("{s:o, s:I, s:I, s:I}", "output", text_json(o->to.path), "files",
			 (json_int_t)files, "rows", (json_int_t)rows, "bytes", (json_int_t)bytes);
}

static int print_result(const struct options *o, const struct jfrec_exported *x)
{
	char size[HUMAN_MAX];

	if (o->json)
		return print_document("export", result_json(o, x->files, x->rows, x->bytes));
	printf("%s: %zu file%s, %llu rows, %s\n", o->to.path, x->files, x->files == 1 ? "" : "s",
	       (unsigned long long)x->rows, human_bytes(size, (double)x->bytes));
	return finish_stdout();
}

static int export_failure(const struct options *o, const struct command *self,
			  const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
	if (err->code != JFREC_EOUTPUT && err->code != JFREC_EINVAL)
		return event_opts_failure(&o->select, self, r, err);
	say(o->to.path, failure_text(err));
	return EXIT_FAILED;
}

static int print_sqlite(const struct options *o, uint64_t rows)
{
	uint64_t bytes = jfrec_output_size(o->to.output);
	FILE *to = output_opts_results(&o->to);
	char size[HUMAN_MAX];

	if (o->json)
		return print_document("export", result_json(o, 1, rows, bytes));
	put_name(to, o->to.path);
	fprintf(to, ": %llu rows, %s\n", (unsigned long long)rows,
		human_bytes(size, (double)bytes));
	return finish_stdout();
}

/* One file, whose name is that of the option. */
static int export_sqlite(struct options *o, const struct command *self, struct jfrec_reader *r)
{
	struct jfrec_tables *t = NULL;
	struct jfrec_error err;
	uint64_t rows = 0;
	int status = output_opts_open(&o->to);

	if (status != EXIT_DONE)
		return status;
	progress_begin_writing(r);
	if (event_opts_select(&o->select, r, &err) == 0)
		t = jfrec_tables_new(r, &err);
	if (t)
		jfrec_tables_limit(t, output_limit_tables());
	if (!t || jfrec_write_sqlite(t, o->select.from_ns, o->select.to_ns, o->to.output, &rows,
				     &err) < 0)
		status = export_failure(o, self, r, &err);
	else if (event_opts_found_nothing(&o->select, r, rows))
		status = EXIT_FAILED;
	else
		status = output_opts_commit(&o->to);
	progress_end();
	jfrec_tables_free(t);
	if (status == EXIT_DONE)
		status = print_sqlite(o, rows);
	output_opts_close(&o->to);
	return status == EXIT_DONE ? report_damage(r) : status;
}

static int export_reader(struct options *o, const struct command *self, struct jfrec_reader *r)
{
	struct jfrec_exported *x = NULL;
	struct jfrec_error err;
	int status = EXIT_FAILED;

	progress_begin_writing(r);
	if (event_opts_select(&o->select, r, &err) == 0) {
		o->parquet.from_ns = o->select.from_ns;
		o->parquet.to_ns = o->select.to_ns;
		o->parquet.max_files = output_limit_tables();
		o->parquet.max_bytes = output_limit_bytes();
		x = jfrec_export_parquet(r, o->to.path, &o->parquet, &err);
	}
	progress_end();
	if (!x)
		return export_failure(o, self, r, &err);
	if (x->rows || !event_opts_found_nothing(&o->select, r, 0))
		status = print_result(o, x);
	jfrec_free(x);
	return status == EXIT_DONE ? report_damage(r) : status;
}

/* "service=web".  EXIT_DONE, or an exit code after saying what is wrong. */
static int take_labels(struct options *o, const struct command *self)
{
	o->given = calloc(o->labels.count + 1, sizeof(*o->given));
	for (size_t i = 0; o->given && i < o->labels.count; i++) {
		const char *text = o->labels.texts[i], *equals = strchr(text, '=');

		if (!equals)
			return report_usage(self, "--label takes KEY=VALUE, not %s", text);
		o->given[i].value = equals + 1;
		o->given[i].key = strndup(text, (size_t)(equals - text));
		if (!o->given[i].key)
			break;
		o->parquet.label_count++;
	}
	if (!o->given || o->parquet.label_count < o->labels.count) {
		say(NULL, strerror(ENOMEM));
		return EXIT_FAILED;
	}
	o->parquet.labels = o->given;
	return EXIT_DONE;
}

/* Is there something at the path that cannot have files in it? */
static bool is_no_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

static int prepare(struct options *o, const struct command *self)
{
	if (!o->to.path || !*o->to.path)
		return report_usage(self, "--output is missing; name the directory to write to");
	if (o->format != SQLITE && is_no_directory(o->to.path))
		return report_usage(self, "--output takes a directory for Parquet, and %s is a file; "
					  "name another, or add --format sqlite", o->to.path);
	if (o->format == SQLITE && (o->labels.count || o->parquet.partition ||
				    o->parquet.name_pattern || o->timestamps != MICROSECONDS ||
				    o->stack != STRING))
		return report_usage(self, "--label, --label-from-name, --partition, --stack and "
					  "--timestamps are for Parquet");
	if (o->format == SQLITE && output_opts_check(&o->to, self, o->json) != EXIT_DONE)
		return EXIT_USAGE;
	o->parquet.nanoseconds = o->timestamps == NANOSECONDS;
	o->parquet.stack_frames = o->stack == FRAMES;
	o->parquet.force = o->to.force;
	o->parquet.mode = o->to.has_mode ? o->to.mode : 0;
	return take_labels(o, self);
}

static int export(struct options *o, const struct command *self, char *const *paths, int count)
{
	int status = prepare(o, self);
	struct jfrec_reader *r;
	struct jfrec_error err;

	if (status == EXIT_DONE)
		status = event_opts_use_config(&o->select);
	if (status != EXIT_DONE)
		return status;
	if (o->format == SQLITE && jfrec_sql_load(&err) < 0)
		return report_jvm_failure(0, &err); /* confined, it cannot be loaded */
	allow_many_files(); /* all are open until all are whole */
	confine_writes(o->to.path);
	r = open_confined(CONFINE_WRITING, paths, count);
	if (r && o->json)
		envelope_read(r, paths, count);
	if (r)
		jobs_use_with_results(r);
	if (r)
		status =
			o->format == SQLITE ? export_sqlite(o, self, r) : export_reader(o, self, r);
	else
		status = EXIT_FAILED;
	jfrec_reader_close(r);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { .parquet.struct_size = sizeof(o.parquet) };
	int status;

	if (!opt_parse(&p, &o))
		status = p.status;
	else if (!has_operands(self, &p, "the recordings to export"))
		status = EXIT_USAGE;
	else
		status = export(&o, self, argv + p.first_operand, argc - p.first_operand);
	for (size_t i = 0; i < o.parquet.label_count; i++)
		free((char *)o.given[i].key);
	free(o.given);
	opt_list_fini(&o.labels);
	return status;
}

const struct command cmd_export = {
	.name = "export",
	.args = "RECORDING... -o DIR",
	.examples = "  jfrec export app.jfr -o tables\n"
		    "  jfrec export --format sqlite app.jfr -o app.db\n",
	.summary = "write events as tables for other engines",
	.about =
		"Write the events of recordings as Apache Parquet, for DuckDB, ClickHouse, Spark,\n"
		"pandas and others: a file for each event type, with the columns that\n"
		"jfrec-tables(5) describes.  Files appear when all are complete, or none does.\n"
		"With --format sqlite, write one SQLite database.",
	.opts = opts,
	.run = run,
};
