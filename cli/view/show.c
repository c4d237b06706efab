/* SPDX-License-Identifier: MIT */
/*
 * show.c - show views of a recording
 */
#include "view/show.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/progress.h"
#include "base/typo.h"
#include "opts/jobs_opts.h"
#include "recording/open_recordings.h"
#include "view/columns.h"
#include "view/lists.h"
#include "view/rows.h"
#include "view/user_views.h"

/* A request that is being met. */
struct show {
	struct view_request *request;
	struct operand in;
	struct jfrec_query *query;
	struct jfrec_views *views;
	const struct jfrec_view *list;
	size_t count;
	struct jfrec_error err;
	struct timespec began, resolved, aggregated;
	size_t shown;  /* tables so far */
	size_t beside; /* the same of a document beside the text */
};

static int fail(struct show *s)
{
	return event_opts_failure(&s->request->events, s->request->command, s->in.reader, &s->err);
}

/* Where the memory went, and what helps. */
static void tell_largest(const struct show *s)
{
	const struct view_request *v = s->request;
	bool is_grouped;
	uint64_t rows;
	int n = jfrec_query_largest(s->query, &rows, &is_grouped);

	if (n < 0)
		return;
	fprintf(stderr, "jfrec %s: ", v->command ? v->command->name : "view");
	if (v->query)
		fputs("the query", stderr);
	else if (v->name && jfrec_views_find(s->views, v->name))
		fprintf(stderr, "view %s", jfrec_views_find(s->views, v->name)->name);
	else if ((size_t)n < s->count && (!v->name || strcasecmp(v->name, "all-views") == 0))
		fprintf(stderr, "view %s", s->list[n].name);
	else
		fputs("the table", stderr);
	fprintf(stderr,
		" had %" PRIu64 " %s by then; %s, or read less with --from, --to or --where\n", rows,
		is_grouped ? "groups" : "rows",
		is_grouped ? "group by fields with fewer values"
			   : "ask for the first ones with `jfrec query` and LIMIT");
}

static int run_queries(struct show *s)
{
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &s->resolved);
	progress_begin(s->in.reader);
	ret = jfrec_query_run(s->query, &s->err);
	clock_gettime(CLOCK_MONOTONIC, &s->aggregated);
	if (progress_end())
		return EXIT_INTERRUPTED;
	if (ret == 0 && s->request->format == VIEW_JSON)
		progress_begin_printing(NULL);
	if (ret == 0)
		return EXIT_DONE;
	fail(s);
	if (s->err.code == JFREC_ENOMEM)
		tell_largest(s);
	return EXIT_FAILED;
}

/* Times taken ---------------------------------------------------------------------------------- */

static void print_span(const char *what, const struct timespec *from, const struct timespec *to)
{
	double s =
		(double)(to->tv_sec - from->tv_sec) + (double)(to->tv_nsec - from->tv_nsec) / 1e9;

	printf("%s=%.3g %s", what, s < 1 ? s * 1000 : s, s < 1 ? "ms" : "s");
}

/* The last line of --verbose. */
static void print_execution(const struct show *s, bool resolving)
{
	struct timespec now;

	if (!s->request->table.verbose || s->request->format != VIEW_TEXT)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	fputs("\nExecution: ", stdout);
	if (resolving) {
		print_span("query-validation", &s->began, &s->resolved);
		fputs(", ", stdout);
	}
	print_span("aggregation", &s->resolved, &s->aggregated);
	fputs(", ", stdout);
	print_span("formatting", &s->aggregated, &now);
	putchar('\n');
}

/* Tables --------------------------------------------------------------------------------------- */

static int fail_column(const struct show *s, struct jfrec_answer *t, const char *name)
{
	size_t columns = jfrec_answer_column_count(t);

	fprintf(stderr, "jfrec %s: --sort takes one of the columns:", s->request->command->name);
	for (size_t i = 0; i < columns; i++) {
		fputs(i ? ", " : " ", stderr);
		put_name(stderr, jfrec_answer_column_get(t, i)->label);
	}
	fputs("; not ", stderr);
	put_name(stderr, name);
	fputc('\n', stderr);
	return EXIT_USAGE;
}

/* --sort COLUMN[:asc|:desc] */
static int sort_table(struct show *s, struct jfrec_answer *t)
{
	const char *sort = s->request->sort, *colon = strrchr(sort, ':');
	enum jfrec_direction direction = JFREC_DIRECTION_DEFAULT;
	char name[256];
	int column;

	if (colon && strcmp(colon, ":asc") == 0)
		direction = JFREC_ASCENDING;
	else if (colon && strcmp(colon, ":desc") == 0)
		direction = JFREC_DESCENDING;
	snprintf(name, sizeof(name), "%.*s",
		 (int)(direction ? (size_t)(colon - sort) : strlen(sort)), sort);
	column = jfrec_answer_find_column(t, name);
	if (column < 0)
		return fail_column(s, t, name);
	if (jfrec_answer_sort(t, (size_t)column, direction, &s->err) < 0)
		return fail(s);
	return EXIT_DONE;
}

static void print_beside(struct show *s, struct jfrec_answer *t)
{
	if (!beside_begin())
		return;
	rows_print(VIEW_JSON, t, s->beside++ == 0);
	beside_end();
}

static int print_table(struct show *s, int number)
{
	struct jfrec_answer *t = jfrec_query_answer(s->query, number);
	int status = EXIT_DONE;

	if (!t)
		return EXIT_DONE;
	if (s->request->sort)
		status = sort_table(s, t);
	if (status != EXIT_DONE)
		return status;
	if (s->request->limit)
		jfrec_answer_limit(t, s->request->limit);
	if (s->request->format != VIEW_TEXT) {
		rows_print(s->request->format, t, s->shown++ == 0);
		return progress_is_interrupted() ? EXIT_INTERRUPTED : EXIT_DONE;
	}
	/* What stdio has comes first: tables go past it. */
	fflush(stdout);
	if (jfrec_answer_print(t, &s->request->table, write_stdout, NULL, &s->err) == 0) {
		print_beside(s, t);
		return EXIT_DONE;
	}
	return s->err.code == JFREC_EOUTPUT ? report_write_failure(s->err.sys) : fail(s);
}

/* The JDK's two characters for a column, and what it takes for the width. */
#define LEAST_COLUMN  2
#define DEFAULT_WIDTH 120

/* "Too many columns to fit width." says nothing that helps. */
static void explain_width(const struct show *s, int number)
{
	const struct jfrec_answer *t = jfrec_query_answer(s->query, number);
	size_t columns = t && jfrec_answer_row_count(t) ? jfrec_answer_column_count(t) : 0;
	long width = s->request->table.width ? s->request->table.width : DEFAULT_WIDTH;

	if (s->request->is_jfr || s->request->format != VIEW_TEXT ||
	    (double)columns * LEAST_COLUMN <= (double)width)
		return;
	fflush(stdout);
	fprintf(stderr, "jfrec: %zu columns do not fit into %ld characters; name fewer fields, as in "
		"jfrec query 'SELECT startTime, duration FROM ...', or use --json\n", columns, width);
}

/* Names of event types of a hostile recording are in it. */
static void print_missing(struct show *s, const struct jfrec_view *view, const char *missing)
{
	if (s->request->format != VIEW_TEXT) {
		rows_print_missing(s->request->format, view->name, missing, s->shown++ == 0);
		return;
	}
	fflush(stdout);
	write_stdout(NULL, missing, strlen(missing));
	printf("\nMissing event found for %s\n", view->name);
	if (beside_begin()) {
		rows_print_missing(VIEW_JSON, view->name, missing, s->beside++ == 0);
		beside_end();
	}
}

/* The view of the same of another producer, "datadog-hot-methods"; NULL. */
static const struct jfrec_view *same_of_other(const struct show *s, const char *name)
{
	static const char of_other[] = "datadog-";

	for (size_t i = 0; i < jfrec_views_count(s->views); i++) {
		const struct jfrec_view *v = jfrec_views_get(s->views, i);

		if (strncmp(v->name, of_other, sizeof(of_other) - 1) == 0 &&
		    strcmp(v->name + sizeof(of_other) - 1, name) == 0)
			return v;
	}
	return NULL;
}

/* Does the recording declare the types of the view? */
static bool has_types_of(struct show *s, const struct jfrec_view *view)
{
	int number = jfrec_query_add_view(s->query, view, &s->err);

	return number >= 0 && !jfrec_query_missing(s->query, number);
}

/* On standard error: standard output is what the JDK prints. */
static void tell_other(struct show *s, const struct jfrec_view *view, int number)
{
	const struct jfrec_answer *t = jfrec_query_answer(s->query, number);
	const struct jfrec_view *other;

	if (s->request->is_jfr || s->request->format != VIEW_TEXT ||
	    (t && jfrec_answer_row_count(t)))
		return;
	other = same_of_other(s, view->name);
	if (!other || !has_types_of(s, other))
		return;
	fflush(stdout);
	fprintf(stderr,
		"jfrec: it declares Datadog's types of the same: `jfrec view %s RECORDING` "
		"shows their events\n",
		other->name);
}

static int print_view(struct show *s, const struct jfrec_view *view, int number)
{
	const char *missing = jfrec_query_missing(s->query, number);

	if (!missing)
		return print_table(s, number);
	print_missing(s, view, missing);
	return EXIT_DONE;
}

/* Views ---------------------------------------------------------------------------------------- */

static int add_views(struct show *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (jfrec_query_add_view(s->query, jfrec_views_get(s->views, i), &s->err) < 0)
			return fail(s);
	}
	return EXIT_DONE;
}

static int show_view(struct show *s, const struct jfrec_view *view)
{
	int number = jfrec_query_add_view(s->query, view, &s->err), status;

	if (number < 0)
		return fail(s);
	status = run_queries(s);
	if (status == EXIT_DONE)
		status = print_view(s, view, number);
	if (status == EXIT_DONE)
		tell_other(s, view, number);
	if (status == EXIT_DONE && s->request->table.verbose && s->request->format == VIEW_TEXT) {
		print_execution(s, true);
		putchar('\n');
	}
	return status;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The views that use the events of a type; FROM * uses all, and is left out. */
static void print_uses_of(const struct show *s, const char *name)
{
	size_t types = jfrec_query_type_count(s->query), type = 0, width;
	const char *before = "";

	while (type < types && strcmp(jfrec_query_type_name(s->query, type), name) != 0)
		type++;
	for (size_t i = 0; i < s->count; i++) {
		if (!jfrec_query_answer(s->query, (int)i) ||
		    strstr(jfrec_views_get(s->views, i)->query, "FROM *") ||
		    !jfrec_query_uses(s->query, (int)i, type))
			continue;
		if (!*before) {
			width = (size_t)put_name(stdout, name);
			printf("%*s ", width < 35 ? (int)(35 - width) : 0, "");
		}
		printf("%s%s", before, jfrec_views_get(s->views, i)->name);
		before = ", ";
	}
	if (*before)
		putchar('\n');
}

/* After --verbose all-views. */
static void print_uses(const struct show *s)
{
	size_t types = jfrec_query_type_count(s->query), count = 0;
	const char **names = calloc(types + 1, sizeof(*names));

	for (size_t i = 0; names && i < types; i++) {
		if (!jfrec_query_type_is_late(s->query, i))
			names[count++] = jfrec_query_type_name(s->query, i);
	}
	puts("\nEvent types and views\n");
	if (names)
		qsort(names, count, sizeof(*names), compare_names);
	for (size_t i = 0; i < count; i++)
		print_uses_of(s, names[i]);
	free(names);
}

static bool is_of_jdk(const struct jfrec_view *v)
{
	return strcmp(v->category, "jfrec") != 0 && strcmp(v->category, "own") != 0;
}

/* Those of the JDK, which come first. */
static int show_all_views(struct show *s)
{
	int status;

	while (s->count && !is_of_jdk(jfrec_views_get(s->views, s->count - 1)))
		s->count--;
	status = add_views(s);
	if (status == EXIT_DONE)
		status = run_queries(s);
	for (size_t i = 0; i < s->count && status == EXIT_DONE; i++)
		status = print_view(s, jfrec_views_get(s->views, i), (int)i);
	if (status == EXIT_DONE && s->request->table.verbose && s->request->format == VIEW_TEXT) {
		print_execution(s, true);
		print_uses(s);
	}
	return status;
}

static void print_names_of(const struct jfrec_views *views, FILE *to, const char *category,
			  size_t columns)
{
	size_t count = jfrec_views_count(views), n = 0;
	const char **names = calloc(count + 1, sizeof(*names));

	for (size_t i = 0; names && i < count; i++) {
		const struct jfrec_view *v = jfrec_views_get(views, i);

		if (strcmp(v->category, category) == 0)
			names[n++] = v->name;
	}
	print_in_columns(to, names, n, columns);
	free(names);
}

int view_print_names(FILE *to, const char *category, size_t columns)
{
	struct jfrec_error err;
	struct jfrec_views *views = jfrec_views_all(&err);

	if (!views) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	print_names_of(views, to, category, columns);
	jfrec_views_free(views);
	return EXIT_DONE;
}

/* Which views have something to show, and how much. */
static int show_overview(struct show *s)
{
	int status = add_views(s);
	size_t found = 0;

	if (status == EXIT_DONE)
		status = run_queries(s);
	if (status == EXIT_DONE && s->request->format != VIEW_TEXT)
		return list_overview(s->request->format, s->query, s->views, s->count);
	for (size_t i = 0; i < s->count && status == EXIT_DONE; i++) {
		struct jfrec_answer *t = jfrec_query_answer(s->query, (int)i);
		size_t rows = t ? jfrec_answer_row_count(t) : 0;

		if (!rows)
			continue;
		if (!found++)
			puts("    Rows  View");
		printf("%8zu  %-30s  %s\n", rows, jfrec_views_get(s->views, i)->name, jfrec_answer_title(t));
	}
	if (status == EXIT_DONE && !found)
		puts("No view has anything to show of this recording; "
		     "`jfrec summary` counts its events.");
	if (status == EXIT_DONE && beside_begin()) {
		status = list_overview(VIEW_JSON, s->query, s->views, s->count);
		beside_end();
	}
	return status;
}

/* Event types ---------------------------------------------------------------------------------- */

static int show_all_events(struct show *s)
{
	size_t types = jfrec_query_type_count(s->query);
	int numbers = 0, status;

	for (size_t i = 0; i < types; i++) {
		if (jfrec_query_type_is_late(s->query, i) ||
		    !jfrec_query_type_is_plain(s->query, i))
			continue;
		if (jfrec_query_add_type(s->query, jfrec_query_type_name(s->query, i), false,
					 &s->err) < 0)
			return fail(s);
		numbers++;
	}
	status = run_queries(s);
	for (int i = 0; i < numbers && status == EXIT_DONE; i++) {
		status = print_table(s, i);
		if (s->request->format == VIEW_TEXT)
			putchar('\n');
	}
	if (status == EXIT_DONE)
		print_execution(s, false);
	return status;
}

/* The view or event type that was likely meant; NULL. */
static const char *meant(const struct show *s)
{
	struct typo t = { .word = s->request->name };

	for (size_t i = 0; i < jfrec_views_count(s->views); i++)
		typo_offer(&t, jfrec_views_get(s->views, i)->name);
	for (size_t i = 0; i < jfrec_query_type_count(s->query); i++)
		typo_offer(&t, jfrec_query_type_name(s->query, i));
	return t.meant;
}

static int fail_unknown(const struct show *s)
{
	const char *other = s->request->is_jfr ? NULL : meant(s);

	fprintf(stderr, "jfr%s view: Could not find a view or an event type named ",
		s->request->is_jfr ? "" : "ec");
	put_name(stderr, s->request->name);
	fputc('\n', stderr);
	if (s->request->is_jfr)
		return EXIT_FAILED;
	if (other) {
		fputs("Did you mean ", stderr);
		put_name(stderr, other);
		fputs("?\n", stderr);
	}
	if (access(s->request->name, F_OK) == 0)
		fputs("The view is missing; it comes before the recordings, or after them.\n", stderr);
	if (strncasecmp(s->request->name, "select ", 7) == 0)
		fputs("A query is run by `jfrec query QUERY RECORDING`.\n", stderr);
	fputs("See `jfrec view views` for the views, `jfrec view types RECORDING` for its event "
	      "types.\n",
	      stderr);
	return EXIT_FAILED;
}

static int show_type(struct show *s)
{
	int number = jfrec_query_add_type(s->query, s->request->name, true, &s->err), status;

	if (number < 0 && s->err.code != JFREC_EEXPRESSION)
		return fail(s);
	if (number < 0 || jfrec_query_missing(s->query, number))
		return fail_unknown(s);
	status = run_queries(s);
	if (status == EXIT_DONE)
		status = print_table(s, number);
	if (status == EXIT_DONE) {
		explain_width(s, number);
		print_execution(s, true);
	}
	return status;
}

static const char *simple_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* "CPULoad (59)"; NULL: no memory. */
static char *type_word(const struct show *s, size_t i)
{
	const char *name = simple_name(jfrec_query_type_name(s->query, i));
	unsigned long long events = jfrec_query_type_events(s->query, i);
	char *word;

	if (!events)
		return strdup(name);
	return asprintf(&word, "%s (%llu)", name, events) < 0 ? NULL : word;
}

static int show_types(struct show *s)
{
	size_t types = jfrec_query_type_count(s->query), count = 0;
	char **words = calloc(types + 1, sizeof(*words));
	int status;

	if (!words || jfrec_query_count_types(s->query, &s->err) < 0) {
		free(words);
		return fail(s);
	}
	status = run_queries(s);
	if (status == EXIT_DONE && s->request->format != VIEW_TEXT) {
		free(words);
		return list_types(s->request->format, s->query);
	}
	for (size_t i = 0; i < types && status == EXIT_DONE; i++) {
		if (jfrec_query_type_is_experimental(s->query, i))
			continue;
		words[count] = type_word(s, i);
		count += words[count] != NULL;
	}
	if (status == EXIT_DONE) {
		puts("Event Types (number of events):\n");
		print_in_columns(stdout, (const char **)words, count, 2);
	}
	if (status == EXIT_DONE && beside_begin()) {
		status = list_types(VIEW_JSON, s->query);
		beside_end();
	}
	while (count)
		free(words[--count]);
	free(words);
	return status;
}

/* Queries -------------------------------------------------------------------------------------- */

/* What the recording lacks. */
static int fail_missing(const struct show *s, const struct jfrec_error *err)
{
	report_expression(s->request->command, "", s->request->query, err);
	if (err->code != JFREC_EEXPRESSION)
		return err->code == JFREC_EINVAL ? EXIT_USAGE : EXIT_FAILED;
	fputs("See `jfrec view types RECORDING` for its event types, `jfrec metadata "
	      "RECORDING` for their fields.\n",
	      stderr);
	return EXIT_USAGE;
}

/* It has no title, without which an empty table is nothing at all. */
static void tell_empty(struct show *s, int number)
{
	struct jfrec_answer *t = jfrec_query_answer(s->query, number);

	if (s->request->format == VIEW_TEXT && t && !jfrec_answer_row_count(t))
		puts("No events found.");
}

static int show_query(struct show *s)
{
	int number = jfrec_query_add(s->query, s->request->query, &s->err), status;

	if (number < 0 && s->err.code == JFREC_EEXPRESSION) {
		report_expression(s->request->command, "", s->request->query, &s->err);
		return EXIT_USAGE;
	}
	if (number < 0)
		return fail(s);
	if (jfrec_query_fault(s->query, number, &s->err) < 0)
		return fail_missing(s, &s->err);
	if (!s->request->sort && !s->request->limit)
		jfrec_query_keep_limits(s->query);
	status = run_queries(s);
	if (status == EXIT_DONE)
		status = print_table(s, number);
	if (status != EXIT_DONE)
		return status;
	explain_width(s, number);
	tell_empty(s, number);
	print_execution(s, true);
	return status;
}

/* The command ---------------------------------------------------------------------------------- */

static int show(struct show *s)
{
	const char *name = s->request->name;
	const struct jfrec_view *view;

	if (s->request->query)
		return show_query(s);
	if (!name)
		return show_overview(s);
	if (strcmp(name, "types") == 0)
		return show_types(s);
	if (strcasecmp(name, "all-events") == 0)
		return show_all_events(s);
	if (strcasecmp(name, "all-views") == 0)
		return show_all_views(s);
	view = jfrec_views_find(s->views, name);
	return view ? show_view(s, view) : show_type(s);
}

/* Of a recording, as the JDK: the zone of who reads it, not of who recorded it. */
static void choose_zone(struct show *s)
{
	struct event_opts *e = &s->request->events;

	if (s->in.is_jvm && !e->has_zone)
		e->zone.is_fixed = jfrec_reader_zone(s->in.reader, &e->zone.offset_s, &s->err) == 0;
	e->has_zone = true;
}

static int begin(struct show *s)
{
	struct event_opts *e = &s->request->events;

	choose_zone(s);
	s->request->table.struct_size = sizeof(s->request->table);
	s->request->table.zone = zone_offset;
	s->request->table.zone_ctx = &e->zone;
	if (event_opts_select(e, s->in.reader, &s->err) < 0)
		return fail(s);
	if (s->in.is_jvm && !e->from_ns)
		e->from_ns = &s->in.from_ns;
	s->count = jfrec_views_count(s->views);
	jobs_use(s->in.reader);
	s->query = jfrec_query_new(s->in.reader, &s->err);
	if (!s->query)
		return fail(s);
	jfrec_query_set_span(s->query, e->from_ns, e->to_ns);
	return EXIT_DONE;
}

/* Of views or types: no tables. */
static bool is_list(const struct view_request *v)
{
	return !v->query && !v->is_jfr && (!v->name || strcmp(v->name, "types") == 0);
}

static void begin_beside(const struct show *s)
{
	if (s->request->format == VIEW_TEXT && beside_begin()) {
		rows_begin(VIEW_JSON);
		beside_end();
	}
}

static void end_beside(const struct show *s, bool is_complete)
{
	if (s->request->format == VIEW_TEXT && beside_begin()) {
		rows_end(VIEW_JSON, is_complete);
		beside_end();
	}
}

static int show_all(struct show *s)
{
	enum view_format format = s->request->format;
	int status = begin(s), ended;

	if (status != EXIT_DONE)
		return status;
	if (is_list(s->request))
		return show(s);
	rows_begin(format);
	begin_beside(s);
	status = show(s);
	end_beside(s, status == EXIT_DONE);
	ended = rows_end(format, status == EXIT_DONE);
	return status == EXIT_DONE ? ended : status;
}

static int open_input(struct show *s, char *const *operands, int count)
{
	struct view_request *v = s->request;

	if (!v->is_jfr)
		return operand_open(&s->in, v->command, &v->from, "profile", CONFINE_READING,
				    operands, count);
	s->in.reader = open_confined(CONFINE_READING, operands, count);
	return s->in.reader ? EXIT_DONE : EXIT_FAILED;
}

bool view_is_known(const char *name)
{
	struct jfrec_error err;
	struct jfrec_views *views = jfrec_views_all(&err);
	bool is_known = views && jfrec_views_find(views, name);

	jfrec_views_free(views);
	return is_known;
}

/* Those that can be asked for: by the JDK's name, only its own; of a query, none. */
static int load_views(struct show *s)
{
	struct view_request *v = s->request;

	s->views = v->is_jfr ? jfrec_views_jdk(&s->err) : jfrec_views_all(&s->err);
	if (!s->views) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	return v->is_jfr || v->query ? EXIT_DONE : user_views_add(v->command, &v->files, s->views);
}

int view_show(struct view_request *v, char *const *operands, int count)
{
	struct show s = { .request = v };
	int status;

	status = load_views(&s);
	if (status == EXIT_DONE && v->name && !v->is_jfr && strcmp(v->name, "views") == 0) {
		status = list_views(v->format, s.views);
		jfrec_views_free(s.views);
		return status;
	}
	/* The zone's file, as long as everything can be read. */
	tzset();
	if (status == EXIT_DONE)
		status = open_input(&s, operands, count);
	if (status != EXIT_DONE) {
		jfrec_views_free(s.views);
		return status;
	}
	if (v->format == VIEW_JSON || beside_is_wanted())
		operand_in_envelope(&s.in, operands, count);
	clock_gettime(CLOCK_MONOTONIC, &s.began);
	status = show_all(&s);
	if (status == EXIT_DONE)
		status = report_damage(s.in.reader);
	jfrec_query_free(s.query);
	jfrec_views_free(s.views);
	jfrec_reader_close(s.in.reader);
	return status;
}
