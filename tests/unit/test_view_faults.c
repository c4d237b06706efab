/* SPDX-License-Identifier: MIT */
/*
 * test_view_faults.c - recordings that make `jfr view` of JDK 25 end, hang or lose events: here each
 * gives all that is in it
 */
#include <jfrec.h>
#include <stdio.h>
#include <string.h>

#include "builder.h"
#include "test.h"

#define TICK   "20"
#define OTHER  "21"
#define TRACE  "100"
#define FRAME  "101"
#define METHOD "102"
#define KLASS  "103"
#define THREAD "104"

#define CLASSES \
	CLASS(TRACE, "jdk.types.StackTrace", FIELD("truncated", T_BOOLEAN) FIELD("frames", FRAME, ARRAY)) \
	CLASS(FRAME, "jdk.types.StackFrame", FIELD("method", METHOD, KEY) FIELD("lineNumber", T_INT)) \
	CLASS(METHOD, "jdk.types.Method", FIELD("type", KLASS, KEY) FIELD("name", T_STRING) \
	      FIELD("descriptor", T_STRING)) \
	CLASS(KLASS, "java.lang.Class", FIELD("name", T_STRING)) \
	CLASS(THREAD, "java.lang.Thread", FIELD("osName", T_STRING) FIELD("osThreadId", T_LONG) \
	      FIELD("javaName", T_STRING) FIELD("javaThreadId", T_LONG))

#define TICK_EVENT \
	EVENT(TICK, "t.Tick", START FIELD("thread", THREAD, KEY) FIELD("stackTrace", TRACE, KEY) \
	      FIELD("n", T_INT))

/* All cells of the answer: rows end in a new line.  "!" and why: there is none. */
static const char *ask(struct craft *c, const char *query)
{
	static char text[4096];
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = jfrec_reader_open(craft_path(c), NULL, &err);
	struct jfrec_query *q = r ? jfrec_query_new(r, &err) : NULL;
	int n = q ? jfrec_query_add(q, query, &err) : -1;
	struct jfrec_answer *t;
	size_t len = 0;

	text[0] = '\0';
	if (n < 0 || jfrec_query_fault(q, n, &err) < 0 || jfrec_query_run(q, &err) < 0)
		snprintf(text, sizeof(text), "!%s", err.text);
	t = n < 0 ? NULL : jfrec_query_answer(q, n);
	for (size_t row = 0; t && row < jfrec_answer_row_count(t); row++) {
		for (size_t i = 0; i < jfrec_answer_column_count(t) && len < 4000; i++) {
			struct jfrec_cell cell = jfrec_answer_cell(t, row, i);

			len += (size_t)snprintf(text + len, sizeof(text) - len, i ? " " : "");
			if (cell.kind == JFREC_KIND_STRING)
				len += (size_t)snprintf(text + len, sizeof(text) - len, "%.200s",
							cell.text);
			else if (cell.kind == JFREC_KIND_INT)
				len += (size_t)snprintf(text + len, sizeof(text) - len, "%lld",
							(long long)cell.i);
			else
				len += (size_t)snprintf(text + len, sizeof(text) - len, "-");
		}
		len += (size_t)snprintf(text + len, sizeof(text) - len, "\n");
	}
	jfrec_query_free(q);
	jfrec_reader_close(r);
	return text;
}

static void check(struct craft *c, const char *query, const char *expected)
{
	const char *got = ask(c, query);

	CHECK_TEXT(got, strlen(got), expected);
	craft_free(c);
}

static const char every[] = "SELECT n, thread, stackTrace.topFrame, stackTrace FROM t.Tick ORDER BY n";

/* A chunk whose three events have the thread and the stack trace with key 7; of the first, 8. */
static void build(struct craft *c, const char *pools)
{
	craft_chunk(c);
	craft_event(c, TICK, "1100 8 8 1");
	craft_event(c, TICK, "1200 7 7 2");
	craft_event(c, TICK, "1300 7 7 3");
	craft_checkpoint(c, "%s", pools);
	craft_metadata(c, TICK_EVENT CLASSES);
	craft_end(c);
}

#define SOUND_8 \
	METHOD " 1  8 8 'run' '()V' " KLASS " 1  8 'my/App' "

static void cells_that_cannot_be_formatted(void)
{
	struct craft c = { 0 };

	test_begin("a_stack_trace_without_frames");
	build(&c, "4  " TRACE " 2  7 b0 0  8 b0 1 8 5  " SOUND_8 THREAD " 1  8 'os' 1 'main' 1");
	check(&c, every, "1 main my.App.run() my.App.run()\n2 - - N/A\n3 - - N/A\n");
	test_begin("a_frame_without_a_method");
	build(&c, "4  " TRACE " 2  7 b0 1 9 5  8 b0 1 8 5  " SOUND_8 THREAD " 1  8 'os' 1 'main' 1");
	check(&c, every, "1 main my.App.run() my.App.run()\n2 - - N/A\n3 - - N/A\n");
	test_begin("a_thread_without_a_name");
	build(&c, "4  " TRACE " 1  8 b0 1 8 5  " SOUND_8 THREAD " 2  7 null 2 null 2  8 'os' 1 'main' 1");
	check(&c, every, "1 main my.App.run() my.App.run()\n2 N/A - -\n3 N/A - -\n");
	test_begin("a_pool_without_constants");
	build(&c, "4  " TRACE " 0  " SOUND_8 THREAD " 1  7 'os' 1 'main' 1");
	check(&c, every, "1 - - -\n2 main - -\n3 main - -\n");
}

static void types_of_several_chunks(void)
{
	struct craft c = { 0 };

	test_begin("a_type_that_only_a_later_chunk_declares");
	craft_chunk(&c);
	craft_event(&c, TICK, "1100 8 8 1");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, TICK_EVENT CLASSES);
	craft_end(&c);
	craft_chunk(&c);
	craft_event(&c, OTHER, "1100 5");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT(OTHER, "t.Late", START FIELD("n", T_INT)));
	craft_end(&c);
	check(&c, "SELECT n FROM t.Late", "5\n");

	test_begin("a_type_that_is_declared_twice_counts_once");
	craft_chunk(&c);
	craft_event(&c, TICK, "1100 1");
	craft_event(&c, OTHER, "1200 2");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT(TICK, "t.Twice", START FIELD("n", T_INT))
				   EVENT(OTHER, "t.Twice", START FIELD("n", T_INT)));
	craft_end(&c);
	check(&c, "SELECT n FROM t.Twice ORDER BY n", "1\n2\n");

	test_begin("a_field_that_a_later_chunk_lacks");
	craft_chunk(&c);
	craft_event(&c, TICK, "1100 1 2");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT(TICK, "t.Tick", START FIELD("n", T_INT) FIELD("m", T_INT)));
	craft_end(&c);
	craft_chunk(&c);
	craft_event(&c, TICK, "1100 3");
	craft_checkpoint(&c, "0");
	craft_metadata(&c, EVENT(TICK, "t.Tick", START FIELD("n", T_INT)));
	craft_end(&c);
	check(&c, "SELECT n, m FROM t.Tick ORDER BY n", "1 2\n3 -\n");
}

/* Constants and clocks of one chunk mean nothing in the next. */
static void each_chunk_by_itself(void)
{
	struct craft c = { 0 };

	test_begin("a_missing_constant_is_not_the_one_before");
	build(&c, "4  " TRACE " 1  8 b0 1 8 5  " SOUND_8 THREAD " 1  8 'os' 1 'main' 1");
	build(&c, "1  " THREAD " 1  7 'os' 2 'other' 2");
	check(&c, "SELECT n, thread FROM t.Tick WHERE n = 1 ORDER BY thread", "1 -\n1 main\n");

	test_begin("a_constant_that_was_null_is_found_later");
	build(&c, "1  " THREAD " 1  8 'os' 1 'main' 1");
	build(&c, "1  " THREAD " 2  7 'os' 2 'other' 2  8 'os' 1 'main' 1");
	check(&c, "SELECT COUNT(*) FROM t.Tick WHERE thread.javaName = \"other\"", "2\n");
}

static void nothing_to_read(void)
{
	struct craft c = { 0 };

	test_begin("no_types_at_all");
	craft_chunk(&c);
	craft_checkpoint(&c, "0");
	craft_end(&c);
	check(&c, "SELECT * FROM t.Tick", "!No event type is called t.Tick");
}

int main(void)
{
	cells_that_cannot_be_formatted();
	types_of_several_chunks();
	each_chunk_by_itself();
	nothing_to_read();
	return test_end();
}
