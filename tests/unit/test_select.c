/* SPDX-License-Identifier: MIT */
/* test_select.c - which event types are wanted */
#include "builder.h"
#include "read/select.h"
#include "test.h"

static const char classes[] =
	EVENT("40", "jdk.CPULoad", ANNOTATION(T_CATEGORY, "value-0='Operating System' value-1=Processor"))
	EVENT("41", "jdk.GCHeapSummary",
	      ANNOTATION(T_CATEGORY, "value-0='Java Virtual Machine' value-1=GC value-2=Heap"))
	EVENT("42", "jdk.GCPhasePause",
	      ANNOTATION(T_CATEGORY, "value-0='Java Virtual Machine' value-1=GC value-2=Phases"))
	EVENT("43", "Plain")
	CLASS("44", "jdk.types.Symbol", FIELD("string", T_STRING));

static const struct {
	const char *name, *events, *categories;
	const char *wanted; /* the last digits of the ids */
} rows[] = {
	{ "all_events", NULL, NULL, "0123" },
	{ "full_name", "jdk.CPULoad", NULL, "0" },
	{ "simple_name", "CPULoad", NULL, "0" },
	{ "part_of_a_name", "CPU", NULL, "" },
	{ "glob_of_the_full_name", "jdk.*", NULL, "012" },
	{ "glob_of_the_simple_name", "GC*", NULL, "12" },
	{ "list", "CPULoad,Plain", NULL, "03" },
	{ "list_with_blanks", " CPULoad , GC*\t,", NULL, "012" },
	{ "list_of_nothing", " , ,", NULL, "" },
	{ "empty", "", NULL, "" },
	{ "type_that_is_no_event", "*Symbol", NULL, "" },
	{ "category", NULL, "GC", "12" },
	{ "category_with_a_blank", NULL, "Java Virtual Machine", "12" },
	{ "category_glob", NULL, "*P*", "02" },
	{ "category_acronym", NULL, "JVM", "12" },
	{ "category_acronym_of_two", NULL, "OS", "0" },
	{ "category_acronym_has_no_globs", NULL, "J?M", "" },
	{ "category_acronym_of_one_word", NULL, "P", "" },
	{ "uncategorized", NULL, "Uncategorized", "3" },
	{ "uncategorized_glob", NULL, "Uncat*", "3" },
	{ "both_must_agree", "GC*", "Heap", "1" },
	{ "both_do_not_agree", "CPULoad", "GC", "" },
};

int main(void)
{
	struct craft c = { 0 };
	struct metadata *m;

	craft_chunk(&c);
	craft_metadata(&c, classes);
	m = metadata_parse(c.bytes.data + c.metadata, c.bytes.len - c.metadata, NULL, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct selection s = { 0 };
		char wanted[8];
		size_t n = 0;

		test_begin(rows[i].name);
		CHECK_INT(selection_set(&s, rows[i].events, rows[i].categories), 0);
		for (uint64_t id = 40; id <= 44; id++) {
			if (selection_has(&s, metadata_type(m, id)))
				wanted[n++] = (char)('0' + id - 40);
		}
		CHECK_TEXT(wanted, n, rows[i].wanted);
		selection_fini(&s);
	}
	metadata_unref(m);
	craft_free(&c);
	return test_end();
}
