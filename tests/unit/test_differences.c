/* SPDX-License-Identifier: MIT */
/*
 * test_differences.c - what JDK 25 does not print, or prints as nobody can read
 *
 * Everything else is compared with what it prints (tests/cli/golden.sh).  The
 * arrays here are as JDK 28 prints them; JDK 25 fails at their text.
 */
#include "printed.h"
#include "test.h"

#include <stdlib.h>

#define CLASS_TYPE "40"
#define SYMBOL "41"
#define METHOD "42"
#define FRAME "43"
#define TRACE "44"
#define POINT "45"
#define COLOR "46"
#define BAG "47"
#define E "50"

static const char types[] =
	CLASS(CLASS_TYPE, "java.lang.Class", FIELD("name", SYMBOL, KEY))
	CLASS(SYMBOL, "jdk.types.Symbol", SIMPLE FIELD("string", T_STRING))
	CLASS(METHOD, "jdk.types.Method",
	      FIELD("type", CLASS_TYPE, KEY) FIELD("name", SYMBOL, KEY) FIELD("descriptor", SYMBOL, KEY))
	CLASS(FRAME, "jdk.types.StackFrame", FIELD("method", METHOD, KEY) FIELD("lineNumber", T_INT))
	CLASS(TRACE, "jdk.types.StackTrace", FIELD("truncated", T_BOOLEAN) FIELD("frames", FRAME, ARRAY))
	CLASS(POINT, "t.Point", FIELD("x", T_INT) FIELD("y", T_INT))
	CLASS(COLOR, "t.Color", SIMPLE FIELD("name", T_STRING))
	CLASS(BAG, "t.Bag", FIELD("points", POINT, ARRAY));

static const struct {
	const char *name;
	enum jfrec_format format;
	const char *field, *words;
	const char *printed; /* somewhere in the output */
} rows[] = {
	/* JDK 25 ends with a NullPointerException. */
	{ "null_method_in_a_stack_trace", JFREC_TEXT, FIELD("stackTrace", TRACE, KEY), "1",
	  "  stackTrace = [\n    N/A line: 10\n    java.lang.String.indexOf(int) line: 20\n  ]\n" },

	/* JDK 25 writes what no XML parser takes. */
	{ "xml_control_character", JFREC_XML, FIELD("f", T_STRING), "u61.1.8.62", ">a\xef\xbf\xbd\xef\xbf\xbd" "b<" },
	{ "xml_nul", JFREC_XML, FIELD("f", T_STRING), "u61.0.62", ">a\xef\xbf\xbd" "b<" },
	{ "xml_blanks_stay", JFREC_XML, FIELD("f", T_STRING), "u61.9.a.d.62", ">a\t\n\rb<" },
	{ "xml_lone_high_surrogate", JFREC_XML, FIELD("f", T_STRING), "ud83d.61", ">\xef\xbf\xbd" "a<" },
	{ "xml_lone_low_surrogate", JFREC_XML, FIELD("f", T_STRING), "u61.de00", ">a\xef\xbf\xbd<" },
	{ "xml_astral_character", JFREC_XML, FIELD("f", T_STRING), "ud83d.de00", ">&#128512;<" },
	{ "xml_char_that_is_a_surrogate", JFREC_XML, FIELD("f", T_CHAR), "55357", ">\xef\xbf\xbd<" },
	{ "json_control_character", JFREC_JSON, FIELD("f", T_STRING), "u61.1b.62", "\"f\": \"a\\u001bb\"" },
	{ "json_lone_surrogate", JFREC_JSON, FIELD("f", T_STRING), "ud83d", "\"f\": \"\\ud83d\"" },
	{ "text_lone_surrogate", JFREC_TEXT, FIELD("f", T_STRING), "u61.d83d", "f = \"a?\"" },

	/* JDK 25 ends with an ArithmeticException. */
	{ "exact_seconds_beyond_long", JFREC_EXACT, FIELD("f", T_LONG, SPAN("SECONDS")),
	  "9223372036854775806", "f = 9223372036854776000.000000000 s" },
	{ "exact_seconds_below_long", JFREC_EXACT, FIELD("f", T_LONG, SPAN("SECONDS")),
	  "-9223372036854775807", "f = -9223372036854776000.000000000 s" },

	/* JDK 25 ends with a NullPointerException; JDK 28 prints this. */
	{ "array_of_ints", JFREC_TEXT, FIELD("f", T_INT, ARRAY), "3 1 4294967295 2147483648",
	  "  f = [\n    1\n    -1\n    N/A\n  ]\n" },
	{ "array_of_longs", JFREC_TEXT, FIELD("f", T_LONG, ARRAY), "2 -9223372036854775808 7",
	  "  f = [\n    N/A\n    7\n  ]\n" },
	{ "array_of_doubles", JFREC_TEXT, FIELD("f", T_DOUBLE, ARRAY), "3 d1.5 dnan dinf",
	  "  f = [\n    1.5\n    N/A\n    Infinity\n  ]\n" },
	{ "array_of_booleans", JFREC_TEXT, FIELD("f", T_BOOLEAN, ARRAY), "2 b1 b0",
	  "  f = [\n    true\n    false\n  ]\n" },
	{ "array_of_chars", JFREC_TEXT, FIELD("f", T_CHAR, ARRAY), "2 65 233",
	  "  f = [\n    A\n    \xc3\xa9\n  ]\n" },
	{ "array_of_strings", JFREC_TEXT, FIELD("f", T_STRING, ARRAY), "5 'a' null '' k1 k99",
	  "  f = [\n    \"a\"\n    N/A, \n    \"\"\n    \"pooled\"\n    N/A\n  ]\n" },
	{ "array_of_nothing", JFREC_TEXT, FIELD("f", T_INT, ARRAY), "0", "  f = [\n  ]\n" },
	{ "array_of_structs", JFREC_TEXT, FIELD("f", POINT, ARRAY), "2 1 2 3 4",
	  "  f = [\n    {\n      x = 1\n      y = 2\n    }, \n    {\n      x = 3\n      y = 4\n    }\n  ]\n" },
	{ "array_of_simple_structs", JFREC_TEXT, FIELD("f", COLOR, ARRAY), "2 'red' 'blue'",
	  "  f = [\n    \"red\"\n    \"blue\"\n  ]\n" },
	{ "array_of_keys", JFREC_TEXT, FIELD("f", COLOR, KEY ARRAY), "3 1 99 1",
	  "  f = [\n    \"green\"\n    N/A, \n    \"green\"\n  ]\n" },
	{ "array_in_a_struct", JFREC_TEXT, FIELD("f", BAG), "1 1 2",
	  "  f = {\n    points = [\n      {\n        x = 1\n        y = 2\n      }\n    ]\n  }\n" },
	{ "array_of_frames", JFREC_TEXT, FIELD("f", FRAME, ARRAY), "2 1 10 1 20",
	  "  f = [\n    java.lang.String.indexOf(int) line: 10,     "
	  "java.lang.String.indexOf(int) line: 20  ]\n" },

	/* Only arrays have frames in a form of their own: as JDK 25. */
	{ "frame_that_is_no_constant", JFREC_TEXT, FIELD("f", FRAME), "1 10",
	  "  f = {\n    method = java.lang.String.indexOf(int)\n    lineNumber = 10\n  }\n" },
	{ "method_that_is_no_constant", JFREC_TEXT, FIELD("f", METHOD), "1 2 3",
	  "  f = {\n    type = java.lang.String (classLoader = null)\n    name = \"indexOf\"\n"
	  "    descriptor = \"(I)I\"\n  }\n" },
	{ "method_of_an_array_class", JFREC_TEXT, FIELD("f", METHOD, KEY), "2",
	  "  f = [Ljava.util.List;.indexOf(int)\n" },
};

static void check(size_t i)
{
	struct printed p = { 0 };
	struct craft c = { 0 };
	char *classes;

	craft_chunk(&c);
	craft_event(&c, E, "1500 %s", rows[i].words);
	craft_checkpoint(&c, "6 " T_STRING " 1 1 'pooled'  " COLOR " 1 1 'green'  "
			 SYMBOL " 4 1 'java/lang/String' 2 'indexOf' 3 '(I)I' 4 '[Ljava/util/List;'  "
			 CLASS_TYPE " 2 1 1 2 4  " METHOD " 2 1 1 2 3 2 2 2 3  "
			 TRACE " 1 1 b0 2 99 10 1 20");
	if (asprintf(&classes, "%s" EVENT(E, "t.E", START "%s"), types, rows[i].field) < 0)
		return;
	craft_metadata(&c, classes);
	free(classes);
	craft_end(&c);
	print_craft(&p, &c, rows[i].format);
	CHECK_INT(p.status, 0);
	CHECK_INT((int64_t)p.damage, 0);
	CHECK(is_well_formed(&p, rows[i].format) || rows[i].format == JFREC_JSON);
	if (!CHECK(strstr(printed_text(&p), rows[i].printed)))
		printf("# %s\n", printed_text(&p));
	printed_free(&p);
	craft_free(&c);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		test_begin(rows[i].name);
		check(i);
	}
	return test_end();
}
