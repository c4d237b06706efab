/* SPDX-License-Identifier: MIT */
/* test_query.c - what queries are read as, the order of groups, partial results that are merged */
#include "query/groups.h"
#include "query/parse.h"
#include "query/text.h"

#include "test.h"

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
	{ "no_quote", "SELECT a FROM A WHERE b = c",
	  "Expected text to start with a single quote character" },
	{ "other_operator", "SELECT a FROM A WHERE b > 'c'",
	  "The only operator allowed in WHERE clause is '='" },
	{ "no_number", "SELECT a FROM A LIMIT x", "Expected an integer after LIMIT" },
	{ "negative_number", "SELECT a FROM A LIMIT -1", "Expected a positive integer after LIMIT" },
	{ "having", "SELECT a FROM A GROUP BY a HAVING b", "HAVING is not allowed" },
	{ "subquery", "SELECT a FROM (SELECT b FROM B)", "Subquery is not allowed" },
	{ "odd_alias", "SELECT a AS b1 FROM A", "Symbol must consist of letters, found '1' in 'b1'" },
	{ "odd_field", "SELECT a-b FROM A", "Not a valid field name: a-b" },
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

int main(void)
{
	test_parse();
	test_order();
	test_merge();
	test_texts();
	return test_end();
}
