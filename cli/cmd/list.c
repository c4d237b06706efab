/* SPDX-License-Identifier: MIT */
/*
 * list.c - jfrec list: list the JVMs of this host
 */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/beside.h"
#include "base/clock_now.h"
#include "base/report.h"
#include "jvm/parallel_ask.h"
#include "jvm/recordings.h"
#include "opts/attach_opts.h"
#include "opts/target.h"

/* Room for a cell of the table; longer texts are cut. */
#define CELL_SIZE 33

/* Digits of a container's id that are shown, as docker does. */
#define SHORT_ID 12

struct options {
	struct target target;
	struct attach_opts attach;
	bool json, is_long, recordings;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_GROUP(narrow_rows, struct options, target),
	OPT_FLAG(0, "all", "every JVM that matches; this is the default", struct options, target.all),
	OPT_FLAG('l', "long", "show whole commands, and why attaching fails", struct options, is_long),
	OPT_FLAG('r', "recordings", "attach to each JVM and list its recordings", struct options, recordings),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_GROUP(attach_rows, struct options, attach),
	{ 0 },
};
/* clang-format on */

static int64_t uptime_s(const struct jfrec_jvm *jvm)
{
	int64_t ns = real_now_ns() - jvm->started_ns;

	return ns < 0 ? 0 : ns / 1000000000;
}

/* Cells -------------------------------------------------------------------------------------- */

static void put_pid(const struct jfrec_jvm *jvm, char *to)
{
	snprintf(to, CELL_SIZE, "%d", jvm->pid);
}

static void put_ns_pid(const struct jfrec_jvm *jvm, char *to)
{
	if (jvm->ns_pid != jvm->pid)
		snprintf(to, CELL_SIZE, "%d", jvm->ns_pid);
}

static void put_user(const struct jfrec_jvm *jvm, char *to)
{
	if (jvm->user)
		snprintf(to, CELL_SIZE, "%s", jvm->user);
	else
		snprintf(to, CELL_SIZE, "%" PRIu32, jvm->uid);
}

static void put_container(const struct jfrec_jvm *jvm, char *to)
{
	if (jvm->container)
		snprintf(to, CELL_SIZE, "%.*s", SHORT_ID, jvm->container);
}

static void put_version(const struct jfrec_jvm *jvm, char *to)
{
	if (jvm->version)
		snprintf(to, CELL_SIZE, "%s", jvm->version);
	else if (jvm->jdk)
		snprintf(to, CELL_SIZE, "%d", jvm->jdk);
}

static void put_uptime(const struct jfrec_jvm *jvm, char *to)
{
	int64_t s = uptime_s(jvm);

	if (s < 60)
		snprintf(to, CELL_SIZE, "%" PRId64 "s", s);
	else if (s < 3600)
		snprintf(to, CELL_SIZE, "%" PRId64 "m%02" PRId64 "s", s / 60, s % 60);
	else if (s < 86400)
		snprintf(to, CELL_SIZE, "%" PRId64 "h%02" PRId64 "m", s / 3600, s / 60 % 60);
	else
		snprintf(to, CELL_SIZE, "%" PRId64 "d%02" PRId64 "h", s / 86400, s / 3600 % 24);
}

static void put_attach(const struct jfrec_jvm *jvm, char *to)
{
	const char *word = jvm->attachable		       ? "yes"
			   : jvm->kind == JFREC_JVM_OPENJ9     ? "OpenJ9"
			   : jvm->kind == JFREC_JVM_NATIVE     ? "native"
			   : jvm->why_not == JFREC_EPERMISSION ? "denied"
			   : jvm->why_not == JFREC_EHARM       ? "limit"
							       : "no";

	snprintf(to, CELL_SIZE, "%s", word);
}

/* A column in which no JVM has anything is left out; a single cell is "-". */
static const struct column {
	const char *title;
	void (*put)(const struct jfrec_jvm *jvm, char *to);
	bool to_the_right;
} columns[] = {
	{ "PID", put_pid, true },	 { "NSPID", put_ns_pid, true },
	{ "USER", put_user, false },	 { "CONTAINER", put_container, false },
	{ "JAVA", put_version, false },	 { "UPTIME", put_uptime, true },
	{ "ATTACH", put_attach, false },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

/* A list that is being printed. */
struct shown {
	const struct options *w;
	const struct jfrec_jvms *list;
	bool is_long;
	int widths[COLUMN_COUNT];
	json_t *array; /* with --json */
};

/* Of one byte a column each, and nothing that a terminal would obey. */
static void make_cell(const struct column *column, const struct jfrec_jvm *jvm, char *cell)
{
	*cell = '\0';
	column->put(jvm, cell);
	for (char *c = cell; *c; c++) {
		if (*c < 0x20 || *c > 0x7e)
			*c = '?';
	}
}

static int width_of(const struct column *column, const struct jfrec_jvms *list)
{
	char cell[CELL_SIZE];
	size_t width = 0;

	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		make_cell(column, jfrec_jvms_get(list, i), cell);
		if (strlen(cell) > width)
			width = strlen(cell);
	}
	if (width && width < strlen(column->title))
		width = strlen(column->title);
	return (int)width;
}

/* Text --------------------------------------------------------------------------------------- */

static void print_cell(const struct column *column, const char *cell, int width)
{
	if (width)
		printf("%*s  ", column->to_the_right ? width : -width, *cell ? cell : "-");
}

/* A line of its own, below the JVM's. */
static void print_remark(const char *remark, int indent)
{
	if (!remark)
		return;
	printf("%*s  ", indent, "");
	put_name(stdout, remark);
	putchar('\n');
}

static void print_row(const struct jfrec_jvm *jvm, const int *widths, bool is_long)
{
	char cell[CELL_SIZE];

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		make_cell(&columns[i], jvm, cell);
		print_cell(&columns[i], cell, widths[i]);
	}
	put_name(stdout, is_long ? jvm->command : jvm->main);
	putchar('\n');
	if (is_long)
		print_remark(jvm->reason ? jvm->reason : jvm->note, widths[0]);
}

static void print_detail(const char *name, const char *value)
{
	if (!value)
		return;
	printf(", %s ", name);
	put_name(stdout, value);
}

static void print_below(const struct jfrec_jfr_recordings *list, int indent)
{
	for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++) {
		const struct jfrec_jfr_recording *r = jfrec_jfr_recordings_get(list, i);

		printf("%*s  recording %" PRIu64 ", ", indent, "", r->id);
		put_name(stdout, r->name);
		printf(", %s", recordings_state_text(r->state));
		print_detail("duration", r->duration);
		print_detail("max age", r->max_age);
		print_detail("max size", r->max_size);
		putchar('\n');
	}
}

static void print_head(struct shown *s)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		s->widths[i] = width_of(&columns[i], s->list);
		print_cell(&columns[i], columns[i].title, s->widths[i]);
	}
	puts(s->is_long ? "COMMAND" : "MAIN");
}

/* JSON ---------------------------------------------------------------------------------------- */

static const char *kind_name(enum jfrec_jvm_kind kind)
{
	switch (kind) {
	case JFREC_JVM_HOTSPOT:
		return "hotspot";
	case JFREC_JVM_OPENJ9:
		return "openj9";
	case JFREC_JVM_NATIVE:
		return "native";
	default:
		return "unknown";
	}
}

static json_t *number_or_null(int n)
{
	return n ? json_integer(n) : json_null();
}

/* The exit code that a command for this JVM would have. */
static json_t *exit_json(const struct jfrec_jvm *jvm)
{
	return jvm->attachable ? json_null() : json_integer(exit_of(jvm->why_not));
}

/* clang-format off */
static json_t *jvm_json(const struct jfrec_jvm *jvm)
{
	char start[40];

	return json_pack("{s:i, s:i, s:I, s:I, s:o, s:o, s:s, s:o, s:o, s:s, s:I, s:o, s:o, s:b, s:o, s:o, s:o}",
			 "pid", jvm->pid,
			 "nsPid", jvm->ns_pid,
			 "uid", (json_int_t)jvm->uid,
			 "gid", (json_int_t)jvm->gid,
			 "user", text_json(jvm->user),
			 "container", text_json(jvm->container),
			 "kind", kind_name(jvm->kind),
			 "jdk", number_or_null(jvm->jdk),
			 "version", text_json(jvm->version),
			 "start", iso_time(start, sizeof(start), jvm->started_ns),
			 "uptimeSeconds", (json_int_t)uptime_s(jvm),
			 "main", text_json(jvm->main),
			 "command", text_json(jvm->command),
			 "attachable", jvm->attachable,
			 "exitCode", exit_json(jvm),
			 "reason", text_json(jvm->reason),
			 "note", text_json(jvm->note));
}
/* clang-format on */

static void print_below_json(const struct jfrec_jfr_recordings *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < jfrec_jfr_recordings_count(list); i++)
		json_array_append_new(array, recordings_json(jfrec_jfr_recordings_get(list, i)));
	json_dumpf(array, stdout, JSON_COMPACT);
	json_decref(array);
}

/* Recordings --------------------------------------------------------------------------------- */

/* In a list of all JVMs, one that has ended meanwhile is reported, but the list has not failed. */
static int report_unlisted(const struct options *w, int pid, const struct jfrec_error *err)
{
	int status = report_jvm_failure(pid, err);

	return err->code == JFREC_EDIED && !w->target.query.target ? EXIT_DONE : status;
}

/* In a child: print what is recorded by that JVM, as it is to stand in the list. */
static int ask_recordings(void *ctx, size_t i)
{
	const struct shown *shown = ctx;
	const struct jfrec_jvm *jvm = jfrec_jvms_get(shown->list, i);
	struct jfrec_jfr_recordings *list = NULL;
	struct jfrec_session *s;
	struct jfrec_error err;

	if (!jvm->attachable)
		return EXIT_DONE;
	s = attach_opts_open(&shown->w->attach, jvm, &err);
	if (s)
		list = jfrec_jfr_list(s, NULL, false, &err);
	jfrec_session_close(s);
	if (!list)
		return report_unlisted(shown->w, jvm->pid, &err);
	if (shown->w->json)
		print_below_json(list);
	else
		print_below(list, shown->widths[0]);
	jfrec_jfr_recordings_free(list);
	return EXIT_DONE;
}

/* `below`: what ask_recordings() printed. */
static void show_jvm(void *ctx, size_t i, int status, const char *below, size_t len)
{
	const struct shown *shown = ctx;
	const struct jfrec_jvm *jvm = jfrec_jvms_get(shown->list, i);
	json_t *object;

	(void)status;
	if (!shown->w->json) {
		print_row(jvm, shown->widths, shown->is_long);
		fwrite(below, 1, len, stdout);
		return;
	}
	object = jvm_json(jvm);
	if (shown->w->recordings)
		json_object_set_new(object, "recordings",
				    len ? json_loadb(below, len, JSON_ALLOW_NUL, NULL)
					: json_null());
	json_array_append_new(shown->array, object);
}

/* -------------------------------------------------------------------------------------------- */

static int show_all(struct shown *s)
{
	size_t count = jfrec_jvms_count(s->list);

	if (s->w->recordings)
		return ask_in_parallel(&(struct parallel_ask){ ask_recordings, show_jvm, s, 0 },
				       count);
	for (size_t i = 0; i < count; i++)
		show_jvm(s, i, EXIT_DONE, "", 0);
	return EXIT_DONE;
}

static int print_list(const struct options *w, const struct jfrec_jvms *list)
{
	struct shown s = { .w = w, .list = list, .is_long = w->is_long || w->target.query.target };
	int status, written;

	if (w->json)
		s.array = json_array();
	else if (jfrec_jvms_count(list))
		print_head(&s);
	status = show_all(&s);
	written = w->json ? print_document("list", json_pack("{s:o}", "jvms", s.array)) : finish_stdout();
	return written != EXIT_DONE ? written : status;
}

static int print_both(const struct options *w, const struct jfrec_jvms *list)
{
	struct options as_document = *w;
	int status = print_list(w, list);

	as_document.json = true;
	if (status == EXIT_DONE && beside_begin()) {
		status = print_list(&as_document, list);
		beside_end();
	}
	return status;
}

static int list_jvms(const struct command *self, const struct options *w)
{
	struct jfrec_error err;
	struct jfrec_jvms *list = target_find(&w->target, &err);
	int status;

	if (!list)
		return report_jvm_failure(0, &err);
	status = print_both(w, list);
	/* That there is no JVM at all is an answer, too. */
	if (status == EXIT_DONE && !jfrec_jvms_count(list)) {
		status = target_report_none(self, &w->target);
		if (target_is_any(&w->target))
			status = EXIT_DONE;
	}
	jfrec_jvms_free(list);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options w = { 0 };

	if (!opt_parse(&p, &w))
		return p.status;
	if (argc - p.first_operand > 1)
		return report_usage(self, "name one JVM, or none for all");
	w.target.query.target = argv[p.first_operand];
	return list_jvms(self, &w);
}

const struct command cmd_list = {
	.name = "list",
	.args = "[TARGET]",
	.examples = "  jfrec list\n"
		    "  jfrec list --json Shop\n",
	.summary = "list the JVMs of this host",
	.about =
		"List the JVMs of this host, including those in containers, and whether jfrec can\n"
		"attach to them.  TARGET is a pid, or a part of the main class or jar.",
	.opts = opts,
	.run = run,
};
