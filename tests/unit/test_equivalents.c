/* SPDX-License-Identifier: MIT */
/* test_equivalents.c - the table of other producers' types, and the names of JDK 9 */
#include <stdio.h>
#include <string.h>

#include "format/equivalents.h"
#include "stacks/sources.h"

#include "jfrec.h"

#include "test.h"

static size_t rows_of(const char *type)
{
	const struct equivalent *e;
	size_t n = 0;

	for (size_t i = 0; (e = equivalent_at(i)) != NULL; i++)
		n += strcmp(e->type, type) == 0;
	return n;
}

static void each_row_is_of_one_profile(void)
{
	const struct equivalent *e;

	for (size_t i = 0; (e = equivalent_at(i)) != NULL; i++) {
		const struct profile_kind *kind = profile_kind_named(e->profile);
		struct stack_source s;

		CHECK(equivalent_of(e->type) == e && rows_of(e->type) == 1);
		CHECK(kind && source_of_equivalent(kind, e, &s));
		CHECK(!equivalent_of(e->jdk));
		CHECK(strcmp(producer_of(e->type), e->producer) == 0);
		/* A value and a time are two ways to weigh. */
		CHECK(!e->setting || (!e->value && e->samples));
		CHECK(!e->factor || e->value);
		CHECK(s.rank > 0 && strcmp(equivalent_of_rank(kind, s.rank), e->type) == 0);
	}
	CHECK(!equivalent_at(1000) && !equivalent_of("jdk.ExecutionSample"));
}

static void samples_have_their_source(void)
{
	const struct equivalent *e = equivalent_of("datadog.ExecutionSample");
	struct stack_source s;

	CHECK(source_of_equivalent(profile_kind_named("cpu"), e, &s));
	CHECK(strcmp(s.thread, "eventThread") == 0 && strcmp(s.count, "weight") == 0);
	CHECK(s.value_from == VALUE_PERIOD && strcmp(s.value, "interval") == 0);
	CHECK(!source_of_equivalent(profile_kind_named("wall"), e, &s));
	CHECK(!source_of_equivalent(jfrconv_kind_named("cpu"), e, &s));
	e = equivalent_of("datadog.ObjectSample");
	CHECK(source_of_equivalent(profile_kind_named("alloc"), e, &s));
	CHECK(strcmp(s.value, "size") == 0 && strcmp(s.factor, "weight") == 0);
	CHECK(strcmp(s.leaf, "objectClass") == 0 && !s.first_is_heavy);
}

static void fields_have_their_names(void)
{
	const struct equivalent *e = equivalent_of("datadog.ExceptionSample");

	CHECK(strcmp(equivalent_field(e, "thrownClass"), "type") == 0);
	CHECK(strcmp(equivalent_field(e, "stackTrace"), "stackTrace") == 0);
}

static void producers_are_known_by_their_types(void)
{
	CHECK(strcmp(producer_of("datadog.Endpoint"), "Datadog") == 0);
	CHECK(!producer_of("datadog") && !producer_of("datadogs.X") && !producer_of("") &&
	      !producer_of("jdk.CPULoad"));
}

static void names_of_jdk_9(void)
{
	char buffer[JDK_NAME_MAX], long_name[300];

	CHECK(strcmp(jdk_name_of("com.oracle.jdk.CPULoad", buffer), "jdk.CPULoad") == 0);
	CHECK(strcmp(jdk9_name_of("jdk.CPULoad", buffer), "com.oracle.jdk.CPULoad") == 0);
	CHECK(strcmp(jdk_name_of("com.oracle.jfr.X", buffer), "com.oracle.jfr.X") == 0);
	CHECK(strcmp(jdk_name_of("jdk.CPULoad", buffer), "jdk.CPULoad") == 0);
	CHECK(strcmp(jdk9_name_of("app.Order", buffer), "app.Order") == 0);
	CHECK(is_jdk9_name("com.oracle.jdk.CPULoad", "jdk.CPULoad"));
	CHECK(!is_jdk9_name("com.oracle.jdk.CPULoad", "jdk.CPULoa"));
	CHECK(!is_jdk9_name("jdk.CPULoad", "jdk.CPULoad") && !is_jdk9_name("com.oracle.x", "x"));
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	memcpy(long_name, "com.oracle.jdk.", 15);
	CHECK(strlen(jdk_name_of(long_name, buffer)) == JDK_NAME_MAX - 1);
}

/* "size * weight" */
static bool multiplies(const struct equivalent *e, const char *query)
{
	char text[64];

	snprintf(text, sizeof(text), "%s * %s", e->value, e->factor);
	return strstr(query, text);
}

static void check_view(const struct jfrec_view *v)
{
	const char *from = strstr(v->query, "FROM datadog.");
	const struct equivalent *e;
	char type[64];

	if (!from)
		return;
	from += strlen("FROM ");
	snprintf(type, sizeof(type), "%.*s", (int)strcspn(from, " \t\n"), from);
	e = equivalent_of(type);
	CHECK(e);
	CHECK(!e || !e->factor || multiplies(e, v->query));
	CHECK(!e || !e->samples || strstr(v->query, "SUM(weight)"));
}

static void views_weigh_as_the_table_says(void)
{
	struct jfrec_error err;
	struct jfrec_views *views = jfrec_views_all(&err);

	CHECK(views);
	for (size_t i = 0; views && i < jfrec_views_count(views); i++)
		check_view(jfrec_views_get(views, i));
	jfrec_views_free(views);
}

#define RUN(f) (test_begin(#f), f())

int main(void)
{
	RUN(each_row_is_of_one_profile);
	RUN(samples_have_their_source);
	RUN(fields_have_their_names);
	RUN(producers_are_known_by_their_types);
	RUN(names_of_jdk_9);
	RUN(views_weigh_as_the_table_says);
	return test_end();
}
