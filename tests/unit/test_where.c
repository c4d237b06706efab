/* SPDX-License-Identifier: MIT */
/* test_where.c - which events an expression lets pass, and what is wrong with others */
#include <stdlib.h>

#include "builder.h"
#include "test.h"

#define T_SYMBOL "17"
#define T_THREAD "18"
#define T_GROUP "19"
#define T_CLASS "20"
#define T_METHOD "21"
#define T_FRAME "22"
#define T_TRACE "23"
#define T_LOADER "24"
#define T_PAIR "25"
#define T_AMOUNT "26"
#define T_PERCENT "27"

static const char classes[] =
	CLASS(T_SYMBOL, "jdk.types.Symbol", SIMPLE FIELD("string", T_STRING))
	CLASS(T_THREAD, "java.lang.Thread", FIELD("osName", T_STRING) FIELD("osThreadId", T_LONG)
	      FIELD("javaName", T_STRING) FIELD("javaThreadId", T_LONG) FIELD("group", T_GROUP, KEY)
	      FIELD("virtual", T_BOOLEAN))
	CLASS(T_GROUP, "jdk.types.ThreadGroup", FIELD("parent", T_GROUP, KEY) FIELD("name", T_STRING))
	CLASS(T_CLASS, "java.lang.Class", FIELD("classLoader", T_LOADER, KEY) FIELD("name", T_SYMBOL, KEY)
	      FIELD("modifiers", T_INT))
	CLASS(T_METHOD, "jdk.types.Method", FIELD("type", T_CLASS, KEY) FIELD("name", T_SYMBOL, KEY)
	      FIELD("descriptor", T_SYMBOL, KEY))
	CLASS(T_FRAME, "jdk.types.StackFrame", FIELD("method", T_METHOD, KEY) FIELD("lineNumber", T_INT))
	CLASS(T_TRACE, "jdk.types.StackTrace", FIELD("truncated", T_BOOLEAN) FIELD("frames", T_FRAME, ARRAY))
	CLASS(T_LOADER, "jdk.types.ClassLoader", FIELD("type", T_CLASS, KEY) FIELD("name", T_SYMBOL, KEY))
	CLASS(T_PAIR, "t.Pair", FIELD("x", T_INT) FIELD("y", T_DOUBLE))
	CLASS(T_AMOUNT, "jdk.jfr.DataAmount")
	CLASS(T_PERCENT, "jdk.jfr.Percentage")
	EVENT("30", "t.Work", ANNOTATION(T_CATEGORY, "value-0='Java Virtual Machine' value-1=GC")
	      START DURATION FIELD("eventThread", T_THREAD, KEY) FIELD("stackTrace", T_TRACE, KEY)
	      FIELD("n", T_LONG) FIELD("bytes", T_LONG, ANNOTATION(T_AMOUNT, "value=BYTES"))
	      FIELD("rate", T_LONG, ANNOTATION(T_AMOUNT, "value=BITS")))
	EVENT("31", "t.Load", START FIELD("load", T_FLOAT, ANNOTATION(T_PERCENT)) FIELD("d", T_DOUBLE)
	      FIELD("u", T_INT, UNSIGNED) FIELD("at", T_LONG, ANNOTATION(T_TIMESTAMP, "value=MILLISECONDS_SINCE_EPOCH"))
	      FIELD("span", T_LONG, SPAN("MILLISECONDS")) FIELD("flag", T_BOOLEAN) FIELD("c", T_CHAR)
	      FIELD("text", T_STRING) FIELD("pair", T_PAIR) FIELD("list", T_INT, ARRAY)
	      FIELD("names", T_STRING, ARRAY) FIELD("pairs", T_PAIR, ARRAY) FIELD("klass", T_CLASS, KEY)
	      FIELD("event", T_INT))
	EVENT("32", "t.Sample", START FIELD("sampledThread", T_THREAD, KEY) FIELD("n", T_STRING)
	      FIELD("and", T_INT));

/*
 * Six events, a to f: three of t.Work, two of t.Load, one of t.Sample.  They
 * begin 0, 100, 500, 900, 950 and 1000 ms after the chunk.
 */
static void craft(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, "30", "1000 5000000 1 1 1 512 1024");
	craft_event(c, "30", "100001000 20000000 2 2 -5 2048 8192");
	craft_event(c, "30", "500001000 2000000000 3 0 9007199254740993 1536 0");
	craft_event(c, "31", "900001000 f0.75 d2.5 -1 1700000000900 1500 b1 65 'a*c' "
			     "3 d0.5  3 10 20 30  2 'one' null  2 1 d1 2 d2  1  7");
	craft_event(c, "31", "950001000 f0.1 x7ff8000000000000 5 1700000060000 %" PRId64 " b0 8364 null "
			     "-3 d-1e300  0  1 u0069.0074.0027.0073  0  2  8", INT64_MIN);
	craft_event(c, "32", "1000001000 1 'seven' 3");
	craft_checkpoint(c,
			 "7  " T_SYMBOL " 7  1 'java/util/HashMap' 2 'put' 3 '(Ljava/lang/Object;I[J)V' "
			 "4 '[[B' 5 'run' 6 'app' 7 'my/App'  "
			 T_THREAD " 3  1 'os-1' 11 'main' 1 1 b0  2 'os-2' 12 'http-1' 22 1 b1 "
			 "3 'GC Thread#0' 13 null 0 0 b0  " T_GROUP " 1  1 0 'system'  "
			 T_CLASS " 3  1 1 1 1  2 0 4 17  3 1 7 1  " T_METHOD " 2  1 1 2 3  2 3 5 0  "
			 T_TRACE " 2  1 b0 2 1 10 2 -1  2 b1 1 2 7  " T_LOADER " 1  1 3 6");
	craft_metadata(c, classes);
	craft_end(c);
}

/* What passes, or the column and the beginning of what is wrong. */
static const struct {
	const char *expression, *result;
} rows[] = {
	/* Whole numbers. */
	{ "n = 1", "a" },
	{ "n == 1", "a" },
	{ "n != 1", "bc" },
	{ "n <> 1", "bc" },
	{ "n < 1", "b" },
	{ "n <= 1", "ab" },
	{ "n > 1", "c" },
	{ "n >= 1", "ac" },
	{ "n > -6", "abc" },
	{ "n = -5", "b" },
	{ "n < -5.5", "" },
	{ "n < -4.5", "b" },
	{ "n = 1.0", "a" },
	{ "n = 1e0", "a" },
	{ "n = 0x1", "a" },
	{ "n = 9007199254740993", "c" },
	{ "n = 9007199254740992", "" },
	{ "n < 18446744073709551615", "abc" },
	{ "n < 1e30", "abc" },
	{ "n > -1e30", "abc" },
	{ "1 < n", "c" },
	{ "1 >= n", "ab" },
	{ "u = 4294967295", "d" },
	{ "u > 5", "d" },
	{ "u > -1", "de" },
	{ "u = 0xffffffff", "d" },
	{ "u < 5.5", "e" },
	/* Floating numbers. */
	{ "load = 75%", "d" },
	{ "load = 0.75", "d" },
	{ "load = 0.1", "e" },
	{ "load <= 10%", "e" },
	{ "load > 10 %", "d" },
	{ "d > 2", "d" },
	{ "d = 2.5", "d" },
	{ "d = 25e-1", "d" },
	{ "d != 2.5", "e" },        /* NaN is not equal to anything */
	{ "d < 1e308", "d" },
	{ "d is null", "abcf" },
	{ "pair.y < -1e299", "e" },
	/* Lengths of time. */
	{ "duration > 10ms", "bc" },
	{ "duration >= 20ms", "bc" },
	{ "duration > 20 ms", "c" },
	{ "duration = 0.02s", "b" },
	{ "duration = 20000us", "b" },
	{ "duration = 20000000ns", "b" },
	{ "duration < 1m", "abc" },
	{ "duration > 1h", "" },
	{ "duration < 1d", "abc" },
	{ "duration > 0", "abc" },
	{ "duration > 1e-2s", "bc" },
	{ "duration > 0.5e1 s", "" },
	{ "span = 1.5s", "d" },
	{ "span is null", "abcef" },    /* the least long is none */
	{ "span != 1s", "d" },
	{ "duration > 10", "!1 duration is a duration: compare it with a number and unit" },
	{ "duration > 10kB", "!1 duration is a duration" },
	{ "duration > '10ms'", "!1 duration is a duration" },
	{ "n > 10ms", "!1 n is a number without a unit of time" },
	/* Points in time. */
	{ "startTime >= 2023-11-14T22:13:20.5Z", "cdef" },
	{ "startTime < '2023-11-14T22:13:20.5Z'", "ab" },
	{ "startTime < '2023-11-14 23:13:20.5+01:00'", "ab" },
	{ "startTime < 2023-11-14 22:13:20.5 and n = 1", "a" },
	{ "startTime < 1700000000.5", "ab" },
	{ "startTime > 2023-11-14", "abcdef" },
	{ "startTime > +500ms", "def" },
	{ "startTime >= -0.1s", "def" },
	{ "endTime > +1s", "c" },
	{ "endTime < +100ms", "a" },
	{ "endTime is not null", "abcdef" },
	{ "at = 2023-11-14T22:14:20Z", "e" },
	{ "at < +1s", "d" },
	{ "startTime > 10s", "!1 startTime is a point in time: compare it with 2026-11-20T09:47:05Z" },
	{ "startTime > 'noon'", "!1 startTime is a point in time" },
	{ "startTime =~ '2023*'", "!1 startTime is a point in time, so it cannot be" },
	{ "startTime > 2023-13-45", "!13 an invalid time" },
	/* Amounts of data. */
	{ "bytes = 512B", "a" },
	{ "bytes >= 2kB", "b" },
	{ "bytes >= 2 KB", "b" },
	{ "bytes = 1.5KiB", "c" },
	{ "bytes = 1.5K", "c" },
	{ "bytes = 2048 bytes", "b" },
	{ "bytes < 1MB", "abc" },
	{ "bytes > 1M", "" },
	{ "bytes = 16384 bit", "b" },
	{ "bytes = 16 kbit", "b" },
	{ "rate = 1kbps", "a" },
	{ "rate = 1 kB/s", "b" },
	{ "rate = 1024", "a" },
	{ "n < 1kB", "ab" },
	{ "duration > 3x", "!12 an invalid number or unit" },
	{ "bytes > 3mB", "!9 an invalid number or unit" },
	{ "load > 3kB", "!1 load is a number" },
	/* Truth. */
	{ "flag", "d" },
	{ "flag = true", "d" },
	{ "flag = FALSE", "e" },
	{ "flag != true", "e" },
	{ "not flag", "abcef" },
	{ "eventThread.virtual", "b" },
	{ "not eventThread.virtual", "acdef" },
	{ "eventThread.virtual = false", "ac" },
	{ "stackTrace.truncated", "b" },
	{ "flag = 1", "!1 flag is a boolean" },
	{ "flag > false", "!1 flag is a boolean" },
	{ "n", "!1 n is a number: compare it with a number" },
	/* Text. */
	{ "text = 'a*c'", "d" },
	{ "text = \"a*c\"", "d" },
	{ "text =~ 'a*'", "d" },
	{ "text =~ '?*?'", "d" },
	{ "text !~ 'a*'", "" },
	{ "text !~ 'b*'", "d" },
	{ "text < 'b'", "d" },
	{ "text > 'a'", "d" },
	{ "text >= 'a*c'", "d" },
	{ "text > 'a*c0'", "" },
	{ "text is null", "abcef" },
	{ "text = null", "abcef" },
	{ "text is not null", "d" },
	{ "text != null", "d" },
	{ "text != 'x'", "d" },
	{ "not text = 'x'", "abcdef" },
	{ "c = 'A'", "d" },
	{ "c = '\xe2\x82\xac'", "e" },
	{ "c =~ '?'", "de" },
	{ "text = 3", "!1 text is text: compare it with text in quotes" },
	{ "text =~ 3", "!9 =~ and !~ require a pattern in quotes" },
	{ "text > null", "!8 null can only be compared by = and !=" },
	/* One name in two types, of which only one fits. */
	{ "n = 'seven'", "f" },
	{ "n is not null", "abcf" },
	/* Threads, classes, methods, stack traces. */
	{ "eventThread.javaName = 'main'", "a" },
	{ "eventThread.javaName =~ 'http-*'", "b" },
	{ "eventThread.javaName is null", "cdef" },
	{ "eventThread = 'main'", "a" },
	{ "eventThread = 'GC Thread#0'", "c" },
	{ "eventThread is null", "def" },
	{ "thread = 'main'", "af" },
	{ "thread.osThreadId > 11", "bc" },
	{ "thread.group.name = 'system'", "abf" },
	{ "thread.group = 'system'", "abf" },
	{ "thread.group.parent is null", "abcdef" },
	{ "sampledThread.javaThreadId = 1", "f" },
	{ "klass = 'java.util.HashMap'", "d" },
	{ "klass = 'byte[][]'", "e" },
	{ "klass.name = 'java/util/HashMap'", "d" },
	{ "klass.classLoader = 'app'", "d" },
	{ "klass.classLoader.type = 'my.App'", "d" },
	{ "klass.modifiers = 17", "e" },
	{ "stackTrace =~ '*HashMap.put'", "a" },
	{ "stackTrace = 'my.App.run'", "ab" },
	{ "stackTrace != 'java.util.HashMap.put'", "b" },
	{ "stackTrace !~ 'java.*'", "b" },
	{ "stackTrace =~ '*.put(Object, int, long[[]*'", "" },
	{ "stackTrace = 'java.util.HashMap.put(Object, int, long[])'", "a" },
	{ "stackTrace = 'my.App.run()'", "ab" },
	{ "stackTrace is null", "cdef" },
	{ "stackTrace.frames[0].method = 'my.App.run'", "b" },
	{ "stackTrace.frames[1].method = 'my.App.run'", "a" },
	{ "stackTrace.frames[1] is null", "bcdef" },
	{ "stackTrace.frames[0].method.type.name = 'my/App'", "b" },
	{ "stackTrace.frames.lineNumber = 7", "b" },
	{ "stackTrace.frames.lineNumber > 5", "ab" },
	{ "stackTrace.frames[99999999999].lineNumber > 5", "" },
	/* Arrays and structs. */
	{ "list = 20", "d" },
	{ "list != 20", "" },
	{ "list[0] = 10", "d" },
	{ "list[3] = 10", "" },
	{ "list is not null", "de" },
	{ "list[0] is null", "abcef" },
	{ "names = 'one'", "d" },
	{ "names[1] is null", "abcdef" },
	{ "names = 'it''s'", "e" },
	{ "names = \"it's\"", "e" },
	{ "pairs.x = 2", "d" },
	{ "pairs[0].x = 2", "" },
	{ "pair.x = 3", "d" },
	{ "pair is not null", "de" },
	{ "pair = 3", "!1 pair is a struct: name one of its fields" },
	{ "pair.z = 3", "!6 pair (t.Pair) has no field z" },
	{ "pair.x.y = 3", "!8 pair.x (int) has no field y" },
	{ "pair[0].x = 3", "!1 pair.x is not an array, so it cannot be indexed" },
	/* What is of the type. */
	{ "event = 't.Work'", "abc" },
	{ "event = 'Work'", "abc" },
	{ "event != 'Work'", "def" },
	{ "event =~ '*oa*'", "de" },
	{ "event !~ 't.*'", "" },
	{ "event = 'nothing'", "" },
	{ "values.event = 8", "e" },
	{ "category = 'GC'", "abc" },
	{ "category = 'JVM'", "abc" },
	{ "category =~ 'Java*'", "abc" },
	{ "category != 'GC'", "def" },
	{ "category = 'Uncategorized'", "def" },
	{ "event.x = 1", "!1 event and category have no fields" },
	{ "event = 3", "!9 a name in quotes is expected" },
	{ "event < 'x'", "!9 names of events and categories are compared by" },
	{ "event", "!6 the expression ends where a comparison such as = \"jdk.CPULoad\" is expected" },
	/* and, or, not. */
	{ "n = 1 or n = -5", "ab" },
	{ "n = 1 || n = -5", "ab" },
	{ "n > 0 and bytes > 1kB", "c" },
	{ "n > 0 && bytes > 1kB", "c" },
	{ "n = 1 or n > 1 and bytes = 0", "a" },
	{ "(n = 1 or n > 1) and bytes > 1kB", "c" },
	{ "n = 1 and bytes = 0 or flag", "d" },
	{ "not (n = 1 or flag)", "bcef" },
	{ "not not n = 1", "a" },
	{ "! n = 1 and not flag", "bcef" },
	{ "NOT n = 1 AND n IS NOT NULL OR flag = TRUE", "bcdf" },
	{ "event = 'Work' and not (n = 1)", "bc" },
	{ "event = 'Work' or flag", "abcd" },
	{ "((((n = 1))))", "a" },
	{ "n=1 or flag", "ad" },
	{ "values.and = 3", "f" },
	{ "\tn\n=\r1 ", "a" },
	/* What cannot be read. */
	{ "", "!1 the expression ends where the name of a field is expected" },
	{ "n", "!1 n is a number" },
	{ "n =", "!4 the expression ends where a value is expected" },
	{ "n = = 1", "!5 a value is expected, not =" },
	{ "n = m", "!5 a value (text must be in quotes) is expected, not m" },
	{ "n 1", "!3 an operator such as = or and, is expected, not 1" },
	{ "n = 1 flag", "!7 an operator such as = or and, is expected, not flag" },
	{ "n = 1)", "!6 the end is expected, not )" },
	{ "(n = 1", "!1 this parenthesis is never closed" },
	{ "(n = 1 flag)", "!8 an operator such as = or and, or ) is expected, not flag" },
	{ "n = 1 and", "!10 the expression ends where the name of a field is expected" },
	{ "and n = 1", "!1 the name of a field is expected, not and" },
	{ "1 = 2", "!5 the name of a field is expected, not 2" },
	{ "1", "!2 the expression ends where a comparison such as = is expected" },
	{ "'a*' =~ text", "!1 write the field before =~" },
	{ "text = 'a", "!8 this quote is never closed" },
	{ "n is 1", "!6 null or not null is expected, not 1" },
	{ "n. = 1", "!3 the name of a field is expected" },
	{ "list[x] = 1", "!6 the number of an element is expected" },
	{ "list[] = 1", "!6 the number of an element is expected" },
	{ "list[1 = 1", "!7 the number of an element is expected" },
	{ "n = 99999999999999999999", "!5 a number that is too long" },
	{ "duration > 99999999999d", "!12 an invalid number or unit" },
	{ "n = 1or flag", "!5 an invalid number or unit" },
	{ "n # 1", "!3 an operator such as = or and, is expected, not #" },
	{ "\xc3\xa4 = 1 #", "!7 an operator such as = or and, is expected, not #" },
	{ "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q = 1", "!33 the path has too many parts" },
	/* What nobody has. */
	{ "durtion > 10ms", "!1 no event type has a field durtion; did you mean duration?" },
	{ "n = 1 and evnt = 'Work'", "!11 no event type has a field evnt; did you mean event?" },
	{ "eventThread.javName = 'main'", "!13 eventThread (java.lang.Thread) has no field javName; did you mean javaName?" },
	{ "values.thread = 'main'", "!8 no event type has a field thread" },
	{ "values.endTime > +1s", "!8 no event type has a field endTime" },
	{ "zzz is null", "!1 no event type has a field zzz" },
};

static char letter_of(const struct jfrec_event *ev)
{
	static const char letters[] = "ab___c___def"; /* by when they begin, in 0.1 s */
	int64_t ms = jfrec_event_start_ns(ev) / 1000000 - INT64_C(1700000000000);

	return ms == 1000 ? 'f' : ms == 950 ? 'e' : letters[ms / 100];
}

/* The letters of the events that pass; -1 with *err set. */
static int passing(struct craft *c, const char *expression, char *letters, struct jfrec_error *err)
{
	struct jfrec_reader *r = craft_open(c, err);
	const struct jfrec_event *ev;
	int got = -1;

	if (r && jfrec_reader_where(r, expression, err) == 0) {
		while ((got = jfrec_reader_next(r, &ev, err)) > 0)
			*letters++ = letter_of(ev);
	}
	*letters = '\0';
	jfrec_reader_close(r);
	return got;
}

/* Line ends would not do in the name of a test. */
static const char *named_for(const char *expression)
{
	static char name[100];
	size_t i;

	for (i = 0; expression[i] && i < sizeof(name) - 1; i++)
		name[i] = (unsigned char)expression[i] < ' ' ? ' ' : expression[i];
	name[i] = '\0';
	return name;
}

static void check_row(struct craft *c, const char *expression, const char *result)
{
	struct jfrec_error err = { 0 };
	char letters[8], said[500];
	int got;

	test_finish();
	test.name = NULL; /* the buffer is the next one's */
	test_begin(named_for(expression));
	got = passing(c, expression, letters, &err);
	if (result[0] != '!') {
		if (!CHECK(got == 0))
			printf("# %s\n", err.text);
		CHECK_TEXT(letters, strlen(letters), result);
		return;
	}
	snprintf(said, sizeof(said), "column %.*s: %s", (int)strcspn(result + 1, " "), result + 1,
		 result + 1 + strcspn(result + 1, " ") + 1);
	CHECK(got < 0 && err.code == JFREC_EEXPRESSION);
	CHECK(err.offset <= strlen(expression));
	CHECK_TEXT(err.text, strlen(err.text) < strlen(said) ? strlen(err.text) : strlen(said), said);
}

/* Filters by name ------------------------------------------------------------------------------ */

static const struct {
	const char *name;
	enum jfrec_filter by;
	bool exclude;
	const char *globs;
	unsigned count;
} filters[] = {
	{ "include_events", JFREC_FILTER_EVENTS, false, "Work,Sample", 4 },
	{ "exclude_events", JFREC_FILTER_EVENTS, true, "t.L*", 4 },
	{ "include_categories", JFREC_FILTER_CATEGORIES, false, "JVM", 3 },
	{ "exclude_categories", JFREC_FILTER_CATEGORIES, true, "GC", 3 },
	{ "include_threads", JFREC_FILTER_THREADS, false, "http-*,nobody", 1 },
	{ "include_threads_is_not_the_sampled_one", JFREC_FILTER_THREADS, false, "main", 1 },
	{ "exclude_threads_lets_pass_what_has_none", JFREC_FILTER_THREADS, true, "*", 4 },
	{ "exclude_threads_by_name", JFREC_FILTER_THREADS, true, "main", 5 },
	{ "include_nothing", JFREC_FILTER_THREADS, false, "", 0 },
};

static unsigned count_events(struct jfrec_reader *r)
{
	const struct jfrec_event *ev;
	unsigned n = 0;

	while (jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	return n;
}

static void test_filters(struct craft *c)
{
	for (size_t i = 0; i < sizeof(filters) / sizeof(*filters); i++) {
		struct jfrec_reader *r = craft_open(c, NULL);

		test_begin(filters[i].name);
		CHECK_INT(jfrec_reader_filter(r, filters[i].by, filters[i].exclude,
					      filters[i].globs, NULL), 0);
		CHECK_INT(count_events(r), filters[i].count);
		jfrec_reader_close(r);
	}
}

static void test_all_must_hold(struct craft *c)
{
	struct jfrec_reader *r = craft_open(c, NULL);

	test_begin("all_expressions_and_filters_must_hold");
	CHECK_INT(jfrec_reader_select(r, "Work", NULL, NULL), 0);
	CHECK_INT(jfrec_reader_where(r, "n >= 1", NULL), 0);
	CHECK_INT(jfrec_reader_where(r, "bytes < 1kB or bytes = 1536", NULL), 0);
	CHECK_INT(jfrec_reader_filter(r, JFREC_FILTER_THREADS, true, "main", NULL), 0);
	CHECK_INT(count_events(r), 1);
	jfrec_reader_close(r);
}

static void test_wrong_one_is_not_added(struct craft *c)
{
	struct jfrec_reader *r = craft_open(c, NULL);

	test_begin("expression_that_is_wrong_changes_nothing");
	CHECK_INT(jfrec_reader_where(r, "n = 1 and zzz = 'x", NULL), -1);
	CHECK_INT(count_events(r), 6);
	jfrec_reader_close(r);
}

/* Bounds --------------------------------------------------------------------------------------- */

static char *repeated(const char *part, size_t n, const char *end)
{
	size_t len = strlen(part);
	char *text = malloc(n * len + strlen(end) + 1);

	for (size_t i = 0; i < n; i++)
		memcpy(text + i * len, part, len);
	strcpy(text + n * len, end);
	return text;
}

static void check_long(struct craft *c, const char *name, const char *part, size_t n,
		       const char *end, const char *result)
{
	char *text = repeated(part, n, end);

	check_row(c, text, result);
	test.name = name;
	free(text);
}

static void test_bounds(struct craft *c)
{
	check_long(c, "a_thousand_operands", "n = 1 or ", 1000, "flag", "ad");
	check_long(c, "parentheses_too_deep", "(", 65, "n = 1", "!65 parentheses and not are nested");
	check_long(c, "nots_too_deep", "not ", 65, "n = 1", "!257 parentheses and not are nested");
	check_long(c, "nots_just_not_too_deep", "not ", 64, "n = 1", "a");
	check_long(c, "expression_too_long", "n = 1 or ", 2000, "n = 1", "!1 an expression may have at most");
}

/* A name of a later chunk is known in front of the first event. */
static void test_later_chunk(void)
{
	struct craft c = { 0 };
	char letters[8];

	test_begin("name_of_a_later_chunk");
	craft_chunk(&c);
	craft_metadata(&c, EVENT("30", "t.First", START));
	craft_end(&c);
	craft(&c);
	CHECK_INT(passing(&c, "n = 1", letters, NULL), 0);
	CHECK_TEXT(letters, strlen(letters), "a");
	craft_free(&c);
}

/* A stack trace whose frames have stack traces, and a class that is its own name. */
static void test_circles(void)
{
	struct craft c = { 0 };
	struct jfrec_reader *r;

	craft_chunk(&c);
	craft_event(&c, "30", "1000 1 1");
	craft_checkpoint(&c, "2  " T_TRACE " 1  1 2 1 1  " T_CLASS " 1  1 1");
	craft_metadata(&c, CLASS(T_TRACE, "jdk.types.StackTrace", FIELD("frames", T_TRACE, KEY ARRAY))
			   CLASS(T_CLASS, "java.lang.Class", FIELD("name", T_CLASS, KEY))
			   EVENT("30", "t.Circle", START FIELD("stackTrace", T_TRACE, KEY) FIELD("klass", T_CLASS, KEY)));
	craft_end(&c);

	test_begin("types_in_circles_have_no_text");
	r = craft_open(&c, NULL);
	CHECK_INT(jfrec_reader_where(r, "stackTrace =~ '*' or klass = 'x'", NULL), 0);
	CHECK_INT(jfrec_reader_next(r, &(const struct jfrec_event *){ NULL }, NULL), -1);
	jfrec_reader_close(r);

	test_begin("paths_through_circles_end");
	r = craft_open(&c, NULL);
	CHECK_INT(jfrec_reader_where(r, "stackTrace.frames.frames.frames is not null and "
					"klass.name.name.name is not null", NULL), 0);
	CHECK_INT(count_events(r), 1);
	jfrec_reader_close(r);
	craft_free(&c);
}

int main(void)
{
	struct craft c = { 0 };

	craft(&c);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		check_row(&c, rows[i].expression, rows[i].result);
	test_filters(&c);
	test_all_must_hold(&c);
	test_wrong_one_is_not_added(&c);
	test_bounds(&c);
	craft_free(&c);
	test_later_chunk();
	test_circles();
	return test_end();
}
