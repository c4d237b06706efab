/* SPDX-License-Identifier: MIT */
/* test_options.c - structs of options of older and newer programs */
#include <string.h>

#include "base/options.h"
#include "jfrec-tool.h"
#include "test.h"

struct now {
	size_t struct_size;
	int64_t a, b;
};

/* As an older version had it, and as a newer one will. */
struct older {
	size_t struct_size;
	int64_t a;
};

struct newer {
	size_t struct_size;
	int64_t a, b, c;
};

static void test_sizes(void)
{
	const struct older older = { sizeof(older), 1 };
	const struct now same = { sizeof(same), 1, 2 };
	const struct newer newer = { sizeof(newer), 1, 2, 0 };
	struct now o;

	test_begin("what_an_older_program_lacks_is_zero");
	memset(&o, 0xff, sizeof(o));
	CHECK_INT(options_take(&o, sizeof(o), &older, NULL), 0);
	CHECK_INT(o.a, 1);
	CHECK_INT(o.b, 0);
	CHECK_INT((int64_t)o.struct_size, (int64_t)sizeof(o));
	test_begin("the_same_version_is_copied");
	CHECK_INT(options_take(&o, sizeof(o), &same, NULL), 0);
	CHECK_INT(o.a, 1);
	CHECK_INT(o.b, 2);
	test_begin("a_newer_program_may_leave_out_what_is_new");
	CHECK_INT(options_take(&o, sizeof(o), &newer, NULL), 0);
	CHECK_INT(o.b, 2);
	CHECK_INT((int64_t)o.struct_size, (int64_t)sizeof(o));
	test_begin("no_options_are_all_zero");
	CHECK_INT(options_take(&o, sizeof(o), NULL, NULL), 0);
	CHECK_INT(o.a, 0);
	CHECK_INT(o.b, 0);
}

static void test_refusals(void)
{
	const struct newer newer = { sizeof(newer), 1, 2, 3 };
	const struct now unset = { 0, 1, 2 }, wild = { SIZE_MAX, 1, 2 };
	struct jfrec_error err = { 0 };
	struct now o;

	test_begin("what_is_new_is_refused");
	CHECK_INT(options_take(&o, sizeof(o), &newer, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
	CHECK(strstr(err.text, "newer"));
	test_begin("a_size_that_was_not_set_is_refused");
	CHECK_INT(options_take(&o, sizeof(o), &unset, &err), -1);
	CHECK_INT(err.code, JFREC_EINVAL);
	CHECK(strstr(err.text, "struct_size of the options is 0"));
	CHECK_INT(options_take(&o, sizeof(o), &wild, &err), -1);
}

/* A pointer to anything: no call may get as far as to use it. */
#define REFUSED(call)                                                                              \
	do {                                                                                       \
		struct jfrec_error err = { 0 };                                                    \
		CHECK(call);                                                                       \
		CHECK_INT(err.code, JFREC_EINVAL);                                                 \
		CHECK(strstr(err.text, "struct_size"));                                            \
	} while (0)

static void test_every_call_looks(void)
{
	const struct jfrec_print_options print = { .stack_depth = 5 };
	const struct jfrec_merge_options merge = { .compact = true };
	const struct jfrec_split_limits limits = { .bytes = 1 };
	const struct jfrec_session_options session = { .timeout_ms = 1 };
	const struct jfrec_jfr_start_options start = { .count = 1 };
	const struct jfrec_stream_options stream = { .wait = true };
	const struct jfrec_jvm_query query = { .target = "x" };
	const struct jfrec_new_type type = { .name = "x.Y" };
	const struct jfrec_stack_options stacks = { .depth = 1 };
	struct jfrec_writer *w;
	struct jfrec_output *o;

	test_begin("every_call_looks_at_the_size");
	REFUSED(jfrec_print(NULL, &print, NULL, NULL, &err) == -1);
	REFUSED(!jfrec_printer_new(NULL, &print, NULL, NULL, &err));
	REFUSED(!jfrec_write_merged(NULL, &merge, NULL, &err));
	REFUSED(!jfrec_write_split(NULL, &limits, NULL, NULL, &err));
	REFUSED(!jfrec_session_open(NULL, &session, &err));
	REFUSED(jfrec_diagnosis_ask(NULL, NULL, &session, &err) == -1);
	REFUSED(!jfrec_jfr_start(NULL, &start, &err));
	REFUSED(!jfrec_stream_open("/", &stream, &err));
	REFUSED(!jfrec_stream_open_jvm(NULL, &stream, &err));
	REFUSED(!jfrec_jvms_find(&query, &err));
	REFUSED(!jfrec_stacks_new(&stacks, &err));
	o = jfrec_output_open("-", false, JFREC_PLAIN, NULL);
	w = jfrec_writer_new(o, 0, NULL);
	CHECK(o && w);
	jfrec_writer_type(w, &type);
	REFUSED(jfrec_writer_end(w, 1, &err) == -1);
	jfrec_writer_free(w);
	jfrec_output_close(o);
}

int main(void)
{
	test_sizes();
	test_refusals();
	test_every_call_looks();
	return test_end();
}
