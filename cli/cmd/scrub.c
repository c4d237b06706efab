/* SPDX-License-Identifier: MIT */
/*
 * scrub.c - jfrec scrub: remove secrets from a recording
 */
#include <inttypes.h>
#include <string.h>

#include "base/progress.h"
#include "jfrec-tool.h"
#include "opts/event_opts.h"
#include "opts/jobs_opts.h"
#include "opts/scrub_rules.h"
#include "recording/filter_report.h"
#include "recording/open_recordings.h"

#define MAX_RULE_FILES 16

struct options {
	struct event_opts select;
	struct output_opts to, report; /* the report, if it has a path */
	const char *rule_files[MAX_RULE_FILES];
	unsigned rule_file_count;
	const char *salt;
	bool hosts, paths, no_defaults, dry_run, json;
};

static int take_rule_file(const struct opt_given *g, void *to)
{
	struct options *s = to;

	if (s->rule_file_count == MAX_RULE_FILES)
		return report_usage(g->command, "--%s can be given %d times", g->opt->name,
				    MAX_RULE_FILES);
	s->rule_files[s->rule_file_count++] = g->value;
	return EXIT_DONE;
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_CALL_ALL(0, "rules", "FILE", "also apply the rules in a YAML file", take_rule_file, NULL),
	OPT_FLAG(0, "hosts", "also redact host names and IP addresses", struct options, hosts),
	OPT_FLAG(0, "paths", "also redact user names and home directories", struct options, paths),
	OPT_FLAG(0, "no-defaults", "apply only --rules, --hosts and --paths", struct options, no_defaults),
	OPT_ONCE(0, "salt", "TEXT", "make tokens that are the same in other recordings", struct options, salt),
	OPT_FLAG('n', "dry-run", "write nothing; show what would be redacted", struct options, dry_run),
	OPT_ONCE(0, "report", "FILE", "write a report to FILE, as JSON", struct options, report.path),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(zone_rows, struct options, select),
	OPT_GROUP(scrub_rows, struct options, select),
	OPT_GROUP(output_rows, struct options, to),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(jobs_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	OPT_FLAG('j', "json", "print one JSON document: what was redacted", struct options, json),
	{ 0 },
};
/* clang-format on */

/* Rules ---------------------------------------------------------------------------------------- */

/* What gives tokens comes in front of what takes all of a value, and own rules first. */
static int make_rules(struct options *s, struct jfrec_scrub_rules *rules)
{
	struct jfrec_error err;
	int status;

	for (unsigned i = 0; i < s->rule_file_count; i++) {
		if (jfrec_scrub_rules_load(rules, s->rule_files[i], &err) < 0)
			return scrub_rules_failure(s->rule_files[i], &err);
	}
	status = s->no_defaults ? EXIT_DONE
				: scrub_rules_of_config(rules, &s->hosts, &s->paths);
	if (status != EXIT_DONE)
		return status;
	if ((s->paths && jfrec_scrub_rules_add(rules, "paths", &err) < 0) ||
	    (s->hosts && jfrec_scrub_rules_add(rules, "hosts", &err) < 0) ||
	    (!s->no_defaults && jfrec_scrub_rules_add(rules, "default", &err) < 0) ||
	    (s->salt && jfrec_scrub_rules_salt(rules, s->salt, &err) < 0))
		return scrub_rules_failure("rules", &err);
	return EXIT_DONE;
}

/* What was done -------------------------------------------------------------------------------- */

static uint64_t redacted(const struct jfrec_scrubbed *f)
{
	uint64_t n = 0;

	for (size_t i = 0; i < jfrec_scrubbed_finding_count(f); i++)
		n += jfrec_scrubbed_finding_get(f, i)->count;
	return n;
}

/* A key and its value are a line. */
/* clang-format off */
static json_t *finding_json(const struct jfrec_redaction *f)
{
	return json_pack("{s:o, s:o, s:o, s:I, s:o}",
			 "type", text_json(f->type),
			 "field", text_json(f->field),
			 "rule", text_json(f->rule),
			 "count", (json_int_t)f->count,
			 "sample", text_json(f->sample));
}
/* clang-format on */

static json_t *report_json(const struct options *s, const struct jfrec_scrubbed *f)
{
	json_t *findings = json_array(), *all = filter_report_json(&s->to, f->filtered);

	for (size_t i = 0; i < jfrec_scrubbed_finding_count(f); i++)
		json_array_append_new(findings, finding_json(jfrec_scrubbed_finding_get(f, i)));
	json_object_set_new(all, "redacted", json_integer((json_int_t)redacted(f)));
	json_object_set_new(all, "secrets", json_integer((json_int_t)f->secret_count));
	json_object_set_new(all, "shortSecrets", json_integer((json_int_t)f->short_secret_count));
	json_object_set_new(all, "plainOnly", json_integer((json_int_t)f->unencoded_count));
	json_object_set_new(all, "unreadArrays", json_integer((json_int_t)f->unread_arrays));
	json_object_set_new(all, "tails", json_integer((json_int_t)f->tails));
	json_object_set_new(all, "tailBytes", json_integer((json_int_t)f->tail_bytes));
	json_object_set_new(all, "unknownMetadata", json_integer((json_int_t)f->unknown_metadata));
	json_object_set_new(all, "verified", json_boolean(!s->dry_run));
	json_object_set_new(all, "findings", findings);
	return all;
}

static void print_findings(FILE *to, const struct jfrec_scrubbed *f)
{
	if (jfrec_scrubbed_finding_count(f) == 0)
		return;
	fputs("\n      count  type and field, rule, one of the texts as it is now\n", to);
	for (size_t i = 0; i < jfrec_scrubbed_finding_count(f); i++) {
		const struct jfrec_redaction *row = jfrec_scrubbed_finding_get(f, i);

		fprintf(to, "%11" PRIu64 "  ", row->count);
		filter_report_print_name(to, row->type);
		fputc(' ', to);
		filter_report_print_name(to, row->field);
		fprintf(to, ", %s: ", row->rule);
		filter_report_print_name(to, row->sample);
		fputc('\n', to);
	}
}

static void print_count(FILE *to, uint64_t n, const char *one, const char *many)
{
	if (n)
		fprintf(to, "%" PRIu64 " %s\n", n, n == 1 ? one : many);
}

/* What was removed besides texts, and what was not examined. */
static void print_rest(FILE *to, const struct jfrec_scrubbed *f)
{
	print_count(to, f->tails, "event had bytes after its last field; they were removed",
		    "events had bytes after their last field; they were removed");
	print_count(to, f->unknown_metadata,
		    "element or attribute that JFR does not have was removed from the metadata",
		    "elements and attributes that JFR does not have were removed from the metadata");
	print_count(to, f->unread_arrays,
		    "byte array is not text and was not analysed; known secrets in it are gone",
		    "byte arrays are not text and were not analysed; known secrets in them are "
		    "gone");
	print_count(to, f->short_secret_count,
		    "redacted text was too short or too common to search for elsewhere",
		    "redacted texts were too short or too common to search for elsewhere");
	print_count(to, f->unencoded_count, "secret was searched for in its plain form only",
		    "secrets were searched for in their plain form only");
}

static void print_text(const struct options *s, const struct jfrec_scrubbed *f)
{
	FILE *to = s->dry_run ? stdout : output_opts_results(&s->to);
	uint64_t n = redacted(f);

	if (s->dry_run) {
		fprintf(to, "%" PRIu64 " texts would be redacted; nothing was written\n", n);
	} else {
		filter_report_print_total(to, &s->to, f->filtered);
		fprintf(to,
			"%" PRIu64 " texts redacted; searched for %zu different ones: none is "
				   "left\n",
			n, f->secret_count);
	}
	print_rest(to, f);
	print_findings(to, f);
	if (filter_report_total(f->filtered).dropped)
		filter_report_print_types(to, f->filtered);
}

/* A callback of jansson's, whose type it is. */
static int write_chars(const char *data, size_t len, void *output)
{
	return jfrec_output_write(output, data, len) ? -1 : 0;
}

/* The file of --report is opened first: nothing is done that it cannot tell of. */
static int open_report(struct options *s, char *const *paths, int count)
{
	int status;

	s->report.force = s->to.force;
	s->report.how = JFREC_PLAIN;
	s->report.is_public = true;
	status = output_opts_open(&s->report);
	for (int i = 0; status == EXIT_DONE && i < count; i++) {
		if (jfrec_output_would_replace(s->report.output, paths[i])) {
			say(s->report.path, "the report would replace an input");
			status = EXIT_USAGE;
		}
	}
	return status;
}

static int write_report(struct options *s, const struct jfrec_scrubbed *f)
{
	json_t *all = envelope_of("scrub", report_json(s, f));

	if (json_dump_callback(all, write_chars, s->report.output, JSON_INDENT(2)) == 0)
		jfrec_output_write(s->report.output, "\n", 1);
	json_decref(all);
	return output_opts_commit(&s->report);
}

static int tell(struct options *s, const struct jfrec_scrubbed *f)
{
	int status = s->report.path ? write_report(s, f) : EXIT_DONE;

	if (status != EXIT_DONE)
		return status;
	if (s->json)
		return print_document("scrub", report_json(s, f));
	print_text(s, f);
	return finish_stdout();
}

/* ---------------------------------------------------------------------------------------------- */

static int failure(const struct options *s, const struct command *self,
		   const struct jfrec_reader *r, const struct jfrec_error *err)
{
	if (err->code == JFREC_EEXPRESSION)
		return event_opts_failure(&s->select, self, r, err);
	if (err->code == JFREC_ELEAK) {
		say(s->to.path, failure_text(err));
		fputs("Nothing was written; see VERIFICATION in jfrec-scrub(1).\n", stderr);
		return EXIT_FAILED;
	}
	return output_opts_failure(&s->to, r, err);
}

static int scrub_into(const struct command *self, struct options *s, struct jfrec_reader *r,
		      const struct jfrec_scrub_rules *rules)
{
	struct jfrec_scrubbed *f;
	struct jfrec_error err;
	int status;

	f = jfrec_write_scrubbed(r, rules, s->select.from_ns, s->select.to_ns, s->to.output, &err);
	progress_end();
	if (!f)
		status = failure(s, self, r, &err);
	else
		status = s->dry_run ? EXIT_DONE : output_opts_commit(&s->to);
	if (status == EXIT_DONE && f)
		status = tell(s, f);
	if (status == EXIT_DONE)
		status = report_damage(r);
	jfrec_scrubbed_free(f);
	return status;
}

static int scrub_recordings(const struct command *self, struct options *s,
			    const struct jfrec_scrub_rules *rules, char *const *paths, int count)
{
	struct jfrec_reader *r;
	struct jfrec_error err;
	int status = EXIT_FAILED;

	confine_writes(s->to.path);
	confine_writes(s->report.path);
	r = open_confined(CONFINE_WRITING, paths, count);
	if (r && (s->json || s->report.path))
		envelope_read(r, paths, count);
	if (r && event_opts_select(&s->select, r, &err) < 0) {
		status = event_opts_failure(&s->select, self, r, &err);
	} else if (r && s->report.path && open_report(s, paths, count) != EXIT_DONE) {
		status = EXIT_FAILED;
	} else if (r && (s->dry_run || output_opts_open(&s->to) == EXIT_DONE)) {
		jobs_use_with_results(r);
		progress_begin_writing(r);
		status = scrub_into(self, s, r, rules);
	}
	output_opts_close(&s->to);
	output_opts_close(&s->report);
	jfrec_reader_close(r);
	return status;
}

static int scrub(const struct command *self, struct options *s, char *const *paths, int count)
{
	struct jfrec_error err;
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(&err);
	int status = rules ? make_rules(s, rules) : scrub_rules_failure("rules", &err);

	if (status == EXIT_DONE)
		status = scrub_recordings(self, s, rules, paths, count);
	jfrec_scrub_rules_free(rules);
	return status;
}

/* ---------------------------------------------------------------------------------------------- */

static int check(const struct options *s, const struct command *self)
{
	if (s->dry_run)
		return s->to.path ? report_usage(self, "--dry-run writes nothing, so -o is not "
						       "allowed")
				  : EXIT_DONE;
	if (s->report.path && s->to.path && strcmp(s->report.path, s->to.path) == 0)
		return report_usage(self, "the recording and the report need two files");
	return output_opts_check(&s->to, self, s->json);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options s = { .to.is_public = true };
	int status;

	if (!opt_parse(&p, &s))
		return p.status;
	/* A report on standard output is what --json prints. */
	if (s.report.path && strcmp(s.report.path, "-") == 0) {
		s.report.path = NULL;
		s.json = true;
	}
	if (!has_operands(self, &p, "the recording to scrub") || check(&s, self) != EXIT_DONE)
		return EXIT_USAGE;
	status = event_opts_use_config(&s.select);
	if (status != EXIT_DONE)
		return status;
	return scrub(self, &s, argv + p.first_operand, argc - p.first_operand);
}

const struct command cmd_scrub = {
	.name = "scrub",
	.args = "RECORDING... -o FILE",
	.examples = "  jfrec scrub app.jfr -o public.jfr\n"
		    "  jfrec scrub --exclude-events 'jdk.Socket*' app.jfr -o public.jfr\n",
	.summary = "remove passwords, tokens and other secrets",
	.about =
		"Write a recording in which secret texts are redacted: environment variables,\n"
		"system properties, arguments, passwords, keys, URLs with credentials, and what\n"
		"your own rules match.  Then search all of FILE for the redacted texts.  The\n"
		"input is never changed.  jfrec-scrub(1) says what is not covered.\n"
		"\n"
		"Filter options work as in `jfrec filter` and `jfr scrub`.",
	.opts = opts,
	.run = run,
};
