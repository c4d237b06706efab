/* SPDX-License-Identifier: MIT */
/* test_query.c - what queries are read as, the order of groups, partial results that are merged */
#include "query/bag.h"
#include "query/cell_text.h"
#include "query/formula.h"
#include "query/groups.h"
#include "query/parse.h"
#include "query/table.h"
#include "query/text.h"

#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The JDK's messages, or NULL for what is a query. */
static const struct {
	const char *name, *text, *error;
} rows[] = {
	{ "all_fields", "SELECT * FROM A", NULL },
	{ "keywords_run_into_names", "SELECT * FROM A ORDERBY x LIMIT2", NULL },
	{ "two_words_apart", "SELECT a FROM A GROUP\n\tBY a", NULL },
	{ "quotes_protect", "COLUMN 'a, b' SELECT a FROM A WHERE b = 'x = y'", NULL },
	{ "no_select", "FROM A", "Expected SELECT" },
	{ "no_fields", "SELECT FROM A", "Missing fields in SELECT statement" },
	{ "no_from", "SELECT a", "Expected FROM" },
	{ "star_of_sum", "SELECT SUM(*) FROM A",
	  "Wildcard ('*') can only be used with aggregator function COUNT" },
	/* What the JDK refuses is an expression of jfrec-where(7), looked at with the recording. */
	{ "where_of_ours", "SELECT a FROM A WHERE (b > 10ms or c != 'x') GROUP BY a LIMIT 3", NULL },
	{ "where_after_jdks", "SELECT a FROM A WHERE b = 'c' AND d > 1 ORDER BY a", NULL },
	{ "where_to_the_end", "SELECT a FROM A WHERE not b = 'limit 3'", NULL },
	{ "no_number", "SELECT a FROM A LIMIT x", "Expected an integer after LIMIT" },
	{ "negative_number", "SELECT a FROM A LIMIT -1", "Expected a positive integer after LIMIT" },
	{ "having", "SELECT a FROM A GROUP BY a HAVING b > 1",
	  "HAVING names 'b', which SELECT does not have" },
	{ "having_nothing", "SELECT a FROM A GROUP BY a HAVING a",
	  "Expected one of < <= = != >= > in HAVING" },
	{ "having_no_value", "SELECT a FROM A HAVING a > x",
	  "'x' is not a value: expected a number such as 10, 10ms, 1MB or 5%, or a 'text'" },
	{ "having_text_above", "SELECT a FROM A HAVING a > 'b'",
	  "Texts can be compared by = and != only" },
	{ "having_of_all", "SELECT * FROM A HAVING a > 1",
	  "HAVING names 'a', which SELECT does not have" },
	{ "having_several",
	  "SELECT a, COUNT(*), SUM(b) AS s FROM A GROUP BY a HAVING COUNT(*)>=10 AND s>1.5ms AND "
	  "a != 'x' ORDER BY s LIMIT 3",
	  NULL },
	{ "percentiles", "SELECT P50(a), p99.99(a), P999(a), P75 (a) AS q FROM A", NULL },
	{ "cautious percentiles", "SELECT Q50(a), q99.99(a), Q75 (a) AS q FROM A", NULL },
	{ "a_field_named_as_one", "SELECT P50, P50.a FROM A", NULL },
	{ "percentile_of_all", "SELECT P50(*) FROM A",
	  "Wildcard ('*') can only be used with aggregator function COUNT" },
	{ "percentile_beyond", "SELECT P100(a) FROM A",
	  "P100 is not a percentile: use one between P0 and P100, such as P50 or P99.9" },
	{ "percentile_none", "SELECT P0.0(a) FROM A",
	  "P0.0 is not a percentile: use one between P0 and P100, such as P50 or P99.9" },
	{ "rate_and_share", "SELECT RATE(*), SHARE(*), RATE(a), SHARE(a) FROM A", NULL },
	{ "every", "SELECT startTime, COUNT(*) FROM A GROUP BY every(10s), a", NULL },
	{ "every_number", "SELECT COUNT(*) FROM A GROUP BY every(10)",
	  "every() takes a duration, such as every(10s)" },
	{ "every_backwards", "SELECT COUNT(*) FROM A GROUP BY every(-1s)",
	  "every() takes a duration, such as every(10s)" },
	{ "every_twice", "SELECT COUNT(*) FROM A GROUP BY every(1s), every(2s)",
	  "every() can be used once in GROUP BY" },
	{ "subquery", "SELECT a FROM (SELECT b FROM B)", "Subquery is not allowed" },
	{ "alias_with_digits", "SELECT a AS b1, c AS p99_ms FROM A ORDER BY p99_ms", NULL },
	{ "alias_in_quotes", "SELECT a AS 'b = c', d AS \"x\" FROM A ORDER BY 'b = c'", NULL },
	{ "no_alias", "SELECT a AS , b FROM A", "Expected a name after AS" },
	{ "arithmetic", "SELECT a-b, a+b*-c/(2-d), SUM(a)/SUM(b), SUM(a * (b + 10ms)) FROM A", NULL },
	{ "order_by_function", "SELECT a FROM A GROUP BY a ORDER BY COUNT(*) DESC, SUM(b)/2, a", NULL },
	{ "having_arithmetic", "SELECT a/b FROM A HAVING a / b > 2", NULL },
	{ "number_alone", "SELECT 1 + 2 FROM A", "Expected a field, or a function of one" },
	{ "no_operand", "SELECT a + FROM A", "Expected FROM" },
	{ "no_parenthesis", "SELECT (a + b FROM A", "Expected )" },
	{ "function_in_function", "SELECT SUM(MAX(a)) FROM A", "Functions cannot be used in functions" },
	{ "unknown_function", "SELECT SUMM(a) FROM A", "There is no function 'SUMM'; did you mean SUM?" },
	{ "no_unit", "SELECT a + 1parsec FROM A",
	  "'1parsec' is not a value: expected a number such as 10, 10ms, 1MB or 5%, or a 'text'" },
	{ "a_time", "SELECT a + 2026-01-31 FROM A", NULL },
	{ "limit_per", "SELECT a, b FROM A GROUP BY a, b LIMIT 3 PER a LIMIT 10", NULL },
	{ "limit_per_nothing", "SELECT a FROM A LIMIT 3 PER", "Unexpected EOF reached" },
	{ "odd_field", "SELECT a&b FROM A", "Not a valid field name: a&b" },
	{ "odd_format", "FORMAT wide SELECT a FROM A", "Unknown formatter 'wide'" },
	{ "more_behind", "SELECT a FROM A now", "Unexpected token 'now' found" },
	{ "columns", "COLUMN 'x' SELECT a, b FROM A",
	  "Number of fields in COLUMN clause doesn't match SELECT" },
};

static void test_parse(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct jfrec_error err = { 0 };
		struct arena a = { 0 };
		struct parsed p;
		int ret;

		test_begin(rows[i].name);
		ret = parse_query(&a, rows[i].text, &p, &err);
		CHECK_INT(ret, rows[i].error ? -1 : 0);
		CHECK(strcmp(err.text, rows[i].error ? rows[i].error : "") == 0);
		arena_fini(&a);
	}
}

static void add(struct groups *g, int64_t key, struct arena *a)
{
	struct value v = { .kind = VALUE_INT, .i = key };

	CHECK(groups_get(g, &v, 0, a) != NULL);
}

/* New entries of a HashMap go to the head of their bucket; it grows before the next look-up. */
static void test_order(void)
{
	struct arena a = { 0 };
	struct groups g = { 0 };
	uint32_t *order;

	test_begin("newer_keys_come_first_in_a_bucket");
	add(&g, 1, &a);
	add(&g, 17, &a);
	add(&g, 33, &a);
	order = groups_java_order(&g, &a);
	CHECK_INT(order[0], 2);
	CHECK_INT(order[1], 1);
	CHECK_INT(order[2], 0);

	test_begin("a_table_grows_with_the_next_look_up");
	for (int64_t i = 2; i < 12; i++)
		add(&g, i, &a);
	CHECK_INT(g.count, 13);
	order = groups_java_order(&g, &a);
	CHECK_INT(g.items[order[0]].key.i, 33);
	CHECK_INT(g.items[order[1]].key.i, 17);
	add(&g, 1, &a);
	order = groups_java_order(&g, &a);
	CHECK_INT(g.items[order[0]].key.i, 33);
	CHECK_INT(g.items[order[1]].key.i, 1);
	CHECK_INT(g.items[order[12]].key.i, 17);
	arena_fini(&a);
}

/* Which units a calculation has, or why there is none. */
static const struct {
	const char *name, *a, *operation, *b, *expected;
} units[] = {
	{ "span_by_span", "span", "/", "span", "double" },
	{ "bytes_by_span", "bytes", "/", "span", "bytes/s" },
	{ "bytes_per_second_times_span", "bytes/s", "*", "span", "bytes" },
	{ "number_by_span", "double", "/", "span", "double" },
	{ "span_by_number", "span", "/", "double", "span" },
	{ "time_minus_time", "time", "-", "time", "span" },
	{ "time_plus_span", "time", "+", "span", "time" },
	{ "share_of_bytes", "percentage", "*", "bytes", "bytes" },
	{ "span_plus_bytes", "span", "+", "bytes", "a duration and bytes cannot be added" },
	{ "span_minus_bytes", "span", "-", "bytes", "bytes cannot be subtracted from a duration" },
	{ "time_plus_time", "time", "+", "time", "a time and a time cannot be added" },
	{ "bytes_times_bytes", "bytes", "*", "bytes", "bytes and bytes cannot be multiplied" },
	{ "span_by_bytes", "span", "/", "bytes", "a duration cannot be divided by bytes" },
	{ "text_plus_span", "text", "+", "span", "a is not a number: it cannot be calculated with" },
};

static struct look look_named(const char *name)
{
	return (struct look){
		.is_left = strcmp(name, "text") == 0 || strcmp(name, "time") == 0,
		.is_span = strcmp(name, "span") == 0,
		.is_time = strcmp(name, "time") == 0,
		.is_percentage = strcmp(name, "percentage") == 0,
		.is_amount = strncmp(name, "bytes", 5) == 0,
		.is_frequency = strcmp(name, "bytes/s") == 0,
	};
}

static const char *name_of(const struct look *l)
{
	return l->is_span	? "span"
	       : l->is_time	? "time"
	       : l->is_amount	? (l->is_frequency ? "bytes/s" : "bytes")
	       : l->is_percentage ? "percentage"
				  : "double";
}

static void test_units(void)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		struct look looks[] = { look_named(units[i].a), look_named(units[i].b) }, look;
		const char *why;
		struct arena a = { 0 };
		struct formula f;
		struct parsed p;
		char text[80];

		test_begin(units[i].name);
		snprintf(text, sizeof(text), "SELECT a %s b FROM A", units[i].operation);
		CHECK_INT(parse_query(&a, text, &p, NULL), 0);
		CHECK(formula_make(&a, p.items[0].arithmetic, looks, &f, &look, &why));
		CHECK(strcmp(why ? why : name_of(&look), units[i].expected) == 0);
		arena_fini(&a);
	}
}

/* a is 7 s, b is 2, c is missing, d is 9 as a whole number. */
static const struct {
	const char *name, *text;
	enum value_kind kind;
	double expected;
} calculations[] = {
	{ "whole_numbers_stay_whole", "d * 2 - 20", VALUE_LONG, -2 },
	{ "precedence", "b + d * b", VALUE_DOUBLE, 20 },
	{ "parentheses", "(b + d) * b", VALUE_DOUBLE, 22 },
	{ "signs", "-d - -b", VALUE_DOUBLE, -7 },
	{ "left_to_right", "d - b - b / b / b", VALUE_DOUBLE, 6.5 },
	{ "spans", "a + 500ms", VALUE_SPAN, 7.5 },
	{ "span_by_number", "a / b", VALUE_SPAN, 3.5 },
	{ "span_by_span", "a / 2s", VALUE_DOUBLE, 3.5 },
	{ "missing", "c + d", VALUE_NULL, 0 },
	{ "by_zero", "d / (b - 2)", VALUE_NULL, 0 },
	{ "too_large_for_long", "d * 4611686018427387904", VALUE_DOUBLE, 9 * 4611686018427387904.0 },
};

static void test_calculations(void)
{
	static const struct look looks[] = { { .is_span = true }, { 0 }, { 0 }, { 0 } };
	const struct value all[] = { value_of_span((struct timespan){ 7, 0 }), value_of_double(2),
				     value_null(), value_of_long(9) };

	for (size_t i = 0; i < sizeof(calculations) / sizeof(*calculations); i++) {
		struct look own[MAX_TERMS], look;
		struct value operands[MAX_TERMS], v;
		const struct arithmetic *k;
		const char *why;
		struct arena a = { 0 };
		struct formula f;
		struct parsed p;
		char text[80];

		test_begin(calculations[i].name);
		snprintf(text, sizeof(text), "SELECT %s FROM A", calculations[i].text);
		CHECK_INT(parse_query(&a, text, &p, NULL), 0);
		k = p.items[0].arithmetic;
		for (unsigned n = 0; n < k->operand_count; n++) {
			own[n] = looks[k->operands[n].field[0] - 'a'];
			operands[n] = all[k->operands[n].field[0] - 'a'];
		}
		CHECK(formula_make(&a, k, own, &f, &look, &why));
		CHECK(!why);
		v = formula_value(&f, operands);
		CHECK_INT(v.kind, (int)calculations[i].kind);
		if (v.kind == VALUE_SPAN)
			CHECK((double)value_ns(&v) / 1e9 == calculations[i].expected);
		else if (v.kind != VALUE_NULL)
			CHECK(value_double(&v) == calculations[i].expected);
		arena_fini(&a);
	}
}

static struct value number(double d)
{
	return value_of_double(d);
}

/* Sums of doubles are added in the order of events, whatever chunks they came in. */
static void test_merge(void)
{
	static const double numbers[] = { 1e16, 1, -1e16, 1, 0.1, 0.2, 0.3 };
	struct arena a = { 0 };
	struct objects os = { .is_final = true };
	double sum = 0;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sum += numbers[i];
	for (size_t cut = 0; cut <= sizeof(numbers) / sizeof(*numbers); cut++) {
		struct cell first = { 0 }, second = { 0 }, all = { 0 };
		struct value v;

		test_begin("sum_over_two_chunks");
		for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
			v = number(numbers[i]);
			CHECK(cell_add(i < cut ? &first : &second, AGGREGATE_SUM, &v, 0, &a));
		}
		CHECK(cell_merge(&all, &first, AGGREGATE_SUM, &os, &a));
		CHECK(cell_merge(&all, &second, AGGREGATE_SUM, &os, &a));
		CHECK(cell_result(&all, AGGREGATE_SUM, &a).d == sum);
	}
	objects_fini(&os);
	arena_fini(&a);
}

enum { KEY, SUM, SHARE, RATE, MEDIAN, COLUMNS };

/* Two groups: 1, 2, 3 of which the sum is 6, and 10, 20, 64, 94 in all; so all is 100. */
static void fill_made(struct jfrec_answer *t, struct parsed *p, struct resolved *r,
		      struct partial *made, struct arena *a)
{
	static const struct {
		int64_t key, number;
	} events[] = { { 7, 1 }, { 8, 10 }, { 7, 2 }, { 8, 20 }, { 7, 3 }, { 8, 64 } };

	r->column_count = r->visible_count = r->width = COLUMNS;
	r->has_aggregator = r->has_group = true;
	r->columns[KEY].is_key = true;
	for (int i = SUM; i <= RATE; i++)
		r->columns[i].aggregator = AGGREGATE_SUM;
	r->columns[SHARE].format.normalized = true;
	r->columns[RATE].measure = MEASURE_RATE;
	r->columns[MEDIAN].aggregator = AGGREGATE_PERCENTILE;
	r->columns[MEDIAN].percentile = 0.5;
	CHECK(partial_init(made, r, a));
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		struct value key = value_of_long(events[i].key), n = value_of_long(events[i].number);
		struct group *g = groups_get(&made->groups, &key, COLUMNS, a);

		CHECK(g != NULL);
		for (int c = KEY; g && c < COLUMNS; c++)
			CHECK(cell_add(&g->cells[c], (enum aggregator)r->columns[c].aggregator,
				       c == KEY ? &key : &n, 0, a));
	}
	*t = (struct jfrec_answer){ .parsed = p, .seconds = 4 };
	CHECK(table_fill(t, made, a));
}

static double cell(struct jfrec_answer *t, size_t row, size_t column)
{
	struct jfrec_cell c = jfrec_answer_cell(t, row, column);

	return c.kind == JFREC_KIND_INT ? (double)c.i : c.d;
}

static void test_measures(void)
{
	struct having having = { .item = SHARE, .comparison = GREATER, .number = 0.5 };
	struct parsed p = { 0 };

	for (int with = 0; with < 2; with++) {
		struct column columns[COLUMNS] = { 0 };
		struct resolved r = { .columns = columns };
		struct partial made;
		struct arena a = { 0 };
		struct jfrec_answer t;

		test_begin(with ? "having_leaves_rows_out" : "shares_rates_percentiles");
		p.having = &having;
		p.having_count = (unsigned)with;
		fill_made(&t, &p, &r, &made, &a);
		CHECK_INT(jfrec_answer_row_count(&t), with ? 1 : 2);
		if (!with) {
			CHECK_INT(cell(&t, 0, KEY), 7);
			CHECK(cell(&t, 0, SHARE) == 0.06);
			CHECK(cell(&t, 0, RATE) == 1.5);
			CHECK(cell(&t, 0, MEDIAN) == 2);
		}
		/* A share stays one of all, whatever HAVING leaves. */
		CHECK_INT(cell(&t, !with, KEY), 8);
		CHECK(cell(&t, !with, SHARE) == 0.94);
		CHECK(cell(&t, !with, RATE) == 23.5);
		CHECK(cell(&t, !with, MEDIAN) == 20);
		cell_writer_fini(&t.writer);
		arena_fini(&a);
	}
}

static int by_size(const void *x, const void *y)
{
	double a = *(const double *)x, b = *(const double *)y;

	return (a > b) - (a < b);
}

/* Medians and percentiles are those of all values sorted, in whatever order they came. */
static void test_percentiles(void)
{
	static const double of[] = { 0.001, 0.1, 0.25, 0.5, 0.9, 0.99, 0.9999 };
	uint32_t random = 1;

	test_begin("percentiles_are_those_of_sorted_values");
	for (size_t count = 1; count < 700; count = count * 3 / 2 + 1) {
		for (int kind = 0; kind < 5; kind++) {
			struct arena a = { 0 };
			struct bag *b = NULL;
			double all[700];

			for (size_t i = 0; i < count; i++) {
				random = random * 1103515245 + 12345;
				all[i] = kind == 0   ? (double)(random >> 8)
					 : kind == 1 ? (double)(random >> 29)
					 : kind == 2 ? (double)i
					 : kind == 3 ? -(double)i
						     : ldexp((double)random, (int)(i % 80));
				CHECK(bag_add_double(&b, all[i], &a));
			}
			qsort(all, count, sizeof(*all), by_size);
			CHECK(bag_median(b).d ==
			      (count % 2 ? all[count / 2] : (all[count / 2 - 1] + all[count / 2]) / 2));
			for (size_t k = 0; k < sizeof(of) / sizeof(*of); k++) {
				double x = (double)(count + 1) * of[k];
				size_t i = (size_t)x;
				double expected = count == 1 || i == 0 ? all[0]
						  : i >= count ? all[count - 1]
							       : all[i - 1] + (x - (double)i) *
									      (all[i] - all[i - 1]);

				CHECK(bag_percentile(b, of[k]).d == expected);
			}
			arena_fini(&a);
		}
	}
}

/* every(): also before 1970, and down to a nanosecond. */
static void test_cut(void)
{
	static const struct {
		int64_t ns, step, expected;
	} times[] = {
		{ 25000000000, 10000000000, 20000000000 }, { 20000000000, 10000000000, 20000000000 },
		{ -1, 10000000000, -10000000000 },	   { 1999999999, 1500000000, 1500000000 },
		{ 12345, 1, 12345 },
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct timespan t = timespan_from_ns(times[i].ns);
		struct value v = { .kind = VALUE_TIME, .i = t.seconds, .nanos = t.nanos };

		test_begin("a_time_is_cut");
		v = value_cut(&v, times[i].step);
		CHECK_INT(value_ns(&v), times[i].expected);
		CHECK_INT(v.kind, VALUE_TIME);
	}
}

static void test_texts(void)
{
	struct text beyond = text_of("\xf0\x9f\x98\x80", 4), private = text_of("\xee\x80\x80", 3);

	test_begin("texts_are_in_the_order_of_utf16");
	CHECK_INT(beyond.units, 2);
	CHECK_INT(private.units, 1);
	CHECK(text_compare(&beyond, &private) < 0);
	test_begin("java_hash");
	CHECK_INT(text_java_hash("hello", 5), 99162322);
}

/* What `jfr view` of JDK 25 shows of these numbers. */
static const struct {
	double number;
	const char *shown;
} shown[] = {
	{ 0.0005, "0.001" },
	{ 0.0015, "0.002" },
	{ 1234.5, "1,234.5" },
	{ 999999999999.9375, "999,999,999,999.938" },
	{ 880669000000000.125, "880,669,000,000,000.1" },
	{ 92768629949398704.0, "92,768,629,949,398,704" },
	{ 551341904663697408.0, "551,341,904,663,697,410" },
	{ 9223372036854774784.0, "9,223,372,036,854,774,800" },
	{ 8796093022208.0625, "8,796,093,022,208.062" },
	{ 1e23, "99,999,999,999,999,990,000,000" },
};

static const char *text_of_cell(const struct column_format *format, const struct value *v)
{
	static char text[100];
	struct look look = { 0 };
	struct cell_writer w = { 0 };
	struct text t = cell_text(&w, &look, format, v, false);

	snprintf(text, sizeof(text), "%.*s", (int)t.len, t.s);
	cell_writer_fini(&w);
	return text;
}

static void test_shown(void)
{
	struct value spans[] = { value_of_span((struct timespan){ 0, 23900000 }), { 0 } };
	struct value_list list = { 2, spans };
	struct value v = { .kind = VALUE_LIST, .list = &list };
	struct column_format format = { .precision = 0, .missing = "" };
	const char *text;

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		struct value d = value_of_double(shown[i].number);

		test_begin(shown[i].shown);
		text = text_of_cell(NULL, &d);
		CHECK_TEXT(text, strlen(text), shown[i].shown);
	}
	test_begin("a_list_has_the_precision_of_its_column");
	text = text_of_cell(&format, &v);
	CHECK_TEXT(text, strlen(text), "24 ms, N/A");
}

/* Of 1, 2, 3 and what is not finite. */
static double statistic(enum aggregator a)
{
	static const double given[] = { 1, INFINITY, 2, NAN, 3, -INFINITY };
	struct arena arena = { 0 };
	struct cell c = { 0 };
	struct value v;

	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		v = value_of_double(given[i]);
		CHECK(cell_add(&c, a, &v, 0, &arena));
	}
	v = cell_result(&c, a, &arena);
	arena_fini(&arena);
	return value_double(&v);
}

static void test_statistics(void)
{
	test_begin("statistics_leave_out_what_is_not_finite");
	CHECK(fabs(statistic(AGGREGATE_P90) - 3) < 1e-9);
	CHECK(fabs(statistic(AGGREGATE_STDEV) - sqrt(2.0 / 3)) < 1e-9);
}

int main(void)
{
	test_shown();
	test_statistics();
	test_parse();
	test_units();
	test_calculations();
	test_order();
	test_merge();
	test_measures();
	test_percentiles();
	test_cut();
	test_texts();
	return test_end();
}
