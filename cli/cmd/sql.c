/* SPDX-License-Identifier: MIT */
/*
 * sql.c - jfrec sql: SQL over the events of recordings
 */
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/clock_now.h"
#include "base/progress.h"
#include "base/question.h"
#include "base/report.h"
#include "opts/event_opts.h"
#include "recording/open_recordings.h"
#include "recording/operand.h"
#include "sql/rows.h"

struct options {
	bool tables, schema, json, ndjson, csv;
	int64_t timeout_ns;
	struct operand_opts from;
	struct event_opts select;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "tables", "list the tables", struct options, tables),
	OPT_FLAG(0, "schema", "show the columns of the tables", struct options, schema),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_FLAG(0, "ndjson", "print a JSON object for each row", struct options, ndjson),
	OPT_FLAG(0, "csv", "print comma-separated values", struct options, csv),
	OPT_DURATION(0, "timeout", "TIME", "give up after this time, such as 30s", struct options, timeout_ns),
	OPT_GROUP(operand_rows, struct options, from),
	OPT_GROUP(event_rows, struct options, select),
	OPT_GROUP(during_rows, struct options, select),
	OPT_GROUP(time_rows, struct options, select),
	OPT_GROUP(zone_rows, struct options, select),
	OPT_GROUP_ALONE(types_rows),
	OPT_GROUP_ALONE(memory_rows),
	OPT_GROUP_ALONE(spool_rows),
	OPT_GROUP_ALONE(confine_rows),
	{ 0 },
};
/* clang-format on */

/* A field that --where names is looked up when the first chunk is read, with the first row. */
static bool is_of_where(const struct options *o, const struct jfrec_error *err)
{
	return o->select.where && err->code == JFREC_EEXPRESSION &&
	       strncmp(err->text, "column ", 7) == 0 && isdigit((unsigned char)err->text[7]);
}

static int failure(const struct command *self, const struct options *o,
		   const struct jfrec_reader *r, const char *statement,
		   const struct jfrec_error *err)
{
	if (progress_signal())
		return 128 + progress_signal();
	if (is_of_where(o, err))
		return event_opts_failure(&o->select, self, r, err);
	if (err->code == JFREC_EEXPRESSION && err->offset != JFREC_NO_OFFSET) {
		report_expression(self, "", statement, err);
		return EXIT_USAGE;
	}
	if (err->code == JFREC_EEXPRESSION)
		return report_usage(self, "%s", err->text);
	if (err->code == JFREC_ETIMEOUT) {
		fprintf(stderr, "jfrec: %s; allow more with --timeout\n", err->text);
		return EXIT_LIMIT;
	}
	return report_failure(r, err);
}

/*
 * The library checks the time between the steps of a statement, but one step can take seconds, such
 * as printf('%.*c', 2147483647, 'x') in SQLite 3.40.  If SQLite has not left its step this long
 * after the time limit, jfrec ends itself.  A slow reader of its output is no reason to: then jfrec
 * waits outside of SQLite.
 */
#define GRACE_S 2

static volatile sig_atomic_t is_in_sqlite;
static char overtime[128];

static void end_if_stuck(int signal)
{
	ssize_t ignored;

	(void)signal;
	if (!is_in_sqlite)
		return;
	ignored = write(STDERR_FILENO, overtime, strlen(overtime));
	(void)ignored;
	_exit(EXIT_LIMIT);
}

static void watch_time(int64_t timeout_ns)
{
	const struct sigaction action = { .sa_handler = end_if_stuck, .sa_flags = SA_RESTART };
	const struct itimerval times = {
		.it_value.tv_sec = timeout_ns / NS_PER_SECOND + GRACE_S,
		.it_interval.tv_sec = 1,
	};

	if (!timeout_ns)
		return;
	snprintf(overtime, sizeof(overtime),
		 "jfrec: the statement did not end within %.3g s; allow more with --timeout\n",
		 (double)timeout_ns / NS_PER_SECOND);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &times, NULL);
}

static int ask(struct jfrec_sql *sql, const char *statement, struct jfrec_error *err)
{
	int got;

	is_in_sqlite = true;
	got = jfrec_sql_ask(sql, statement, err);
	is_in_sqlite = false;
	return got;
}

static int next(struct jfrec_sql *sql, struct jfrec_error *err)
{
	int got;

	is_in_sqlite = true;
	got = jfrec_sql_next(sql, err);
	is_in_sqlite = false;
	return got;
}

/* A document beside the text has so many rows at most, and then says that it is not complete. */
#define MOST_BESIDE 2000

struct beside_rows {
	struct sql_rows *rows; /* NULL: none are wanted */
	unsigned count;
	bool is_cut;
};

static void begin_beside(struct beside_rows *b, struct jfrec_sql *sql, enum sql_format format)
{
	if (format == SQL_TEXT && beside_begin()) {
		b->rows = sql_rows_begin(sql, SQL_JSON);
		beside_end();
	}
}

static void put_beside(struct beside_rows *b)
{
	b->is_cut = b->count >= MOST_BESIDE;
	if (b->rows && !b->is_cut && beside_begin()) {
		sql_rows_put(b->rows);
		beside_end();
		b->count++;
	}
}

static void end_beside(struct beside_rows *b, bool is_whole)
{
	if (b->rows && beside_begin()) {
		sql_rows_end(b->rows, is_whole && !b->is_cut);
		beside_end();
	}
}

/* Print the rows of a statement. */
static int answer(const struct command *self, const struct options *o, struct jfrec_reader *r,
		  struct jfrec_sql *sql, const char *statement)
{
	enum sql_format format = o->json     ? SQL_JSON
				 : o->ndjson ? SQL_NDJSON
				 : o->csv    ? SQL_CSV
					     : SQL_TEXT;
	struct jfrec_error err;
	struct sql_rows *rows = NULL;
	struct beside_rows beside = { .rows = NULL };
	int got;

	watch_time(o->timeout_ns);
	got = ask(sql, statement, &err);
	/* The first row comes before the first output, since until then most can go wrong. */
	if (got == 0)
		got = next(sql, &err);
	progress_begin_printing(r);
	if (got >= 0 && !(rows = sql_rows_begin(sql, format))) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	if (got >= 0)
		begin_beside(&beside, sql, format);
	for (; got > 0; got = next(sql, &err)) {
		sql_rows_put(rows);
		put_beside(&beside);
	}
	sql_rows_end(rows, got == 0);
	end_beside(&beside, got == 0);
	progress_end();
	if (got < 0) {
		fflush(stdout);
		return failure(self, o, r, statement, &err);
	}
	got = finish_stdout();
	return got == EXIT_DONE ? report_damage(r) : got;
}

static int look(const struct command *self, const struct options *o, struct jfrec_reader *r,
		struct jfrec_tables *tables, const char *statement)
{
	const struct jfrec_sql_options how = {
		.struct_size = sizeof(how),
		.timeout_ns = o->timeout_ns,
		.memory = budget_bytes(),
	};
	struct jfrec_error err;
	struct jfrec_sql *sql;
	int status;

	if (o->tables || o->schema)
		return sql_print_tables(tables, o->schema, o->json);
	sql = jfrec_sql_new(tables, &how, &err);
	status = sql ? answer(self, o, r, sql, statement) : failure(self, o, r, "", &err);
	jfrec_sql_free(sql);
	return status;
}

/*
 * The tables of the events that were asked for.  Returns an exit code, after saying what is wrong.
 */
static int make_tables(const struct command *self, struct options *o, const struct operand *in,
		       struct jfrec_tables **tables)
{
	struct jfrec_error err;
	int status = operand_select(in, self, &o->select);

	if (status != EXIT_DONE)
		return status;
	*tables = jfrec_tables_new(in->reader, &err);
	if (!*tables)
		return failure(self, o, in->reader, "", &err);
	jfrec_tables_set_span(*tables, o->select.from_ns, o->select.to_ns);
	return EXIT_DONE;
}

static int open_and_look(const struct command *self, struct options *o, char *const *operands,
			 int count, const char *statement)
{
	struct jfrec_tables *tables = NULL;
	struct operand in;
	int status = operand_open(&in, self, &o->from, "profile", CONFINE_READING, operands, count);

	if (status == EXIT_DONE) {
		if (o->json || beside_is_wanted())
			operand_in_envelope(&in, operands, count);
		progress_begin(in.reader);
		status = make_tables(self, o, &in, &tables);
		if (status == EXIT_DONE)
			status = look(self, o, in.reader, tables, statement);
		progress_end();
	}
	jfrec_tables_free(tables);
	jfrec_reader_close(in.reader);
	return status;
}

/* Which formats go together.  Returns an exit code, after saying what does not. */
static int check(const struct command *self, struct options *o)
{
	if (o->json + o->ndjson + o->csv > 1)
		return report_usage(self, "only one format can be given");
	if ((o->tables || o->schema) && (o->ndjson || o->csv))
		return report_usage(self, "tables are listed as text or with --json");
	return event_opts_use_config(&o->select);
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };
	struct jfrec_error err;
	int status, count;

	if (!opt_parse(&p, &o))
		return p.status;
	argv += p.first_operand;
	count = argc - p.first_operand;
	status = check(self, &o);
	if (status != EXIT_DONE)
		return status;
	if (o.tables || o.schema)
		return o.from.jvm || has_operands(self, &p, "a recording or a JVM")
			       ? open_and_look(self, &o, argv, count, NULL)
			       : EXIT_USAGE;
	status = question_find(self, argv, count, true, "SELECT count(*) FROM GCPhasePause",
			       "a recording or a JVM");
	if (status != EXIT_DONE)
		return status;
	if (count == 1 && !o.from.jvm)
		return report_usage(self, "name a recording or a JVM after the query");
	/* Once it is confined, the process cannot load a library. */
	if (jfrec_sql_load(&err) < 0)
		return report_jvm_failure(0, &err);
	return open_and_look(self, &o, argv + 1, count - 1, argv[0]);
}

const struct command cmd_sql = {
	.name = "sql",
	.args = "QUERY RECORDING...|TARGET",
	.examples = "  jfrec sql 'SELECT name, max(duration) FROM GCPhasePause GROUP BY name' app.jfr\n"
		    "  jfrec sql --tables Shop\n",
	.summary = "run SQL over the events of recordings",
	.about = "Run a SELECT statement of SQLite over recordings, without importing them. Each\n"
		 "event type is a table; --tables lists them, and jfrec-tables(5) describes their\n"
		 "columns. TARGET is a running JVM; jfrec reads the last minutes that it recorded.",
	.opts = opts,
	.run = run,
};
