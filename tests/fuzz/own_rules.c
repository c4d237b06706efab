/* SPDX-License-Identifier: MIT */
/*
 * own_rules.c - a fuzz target: any text as a file of rules, by which a small recording is judged
 */
#include <jfrec.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack_types.h"
#include "target.h"


static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "own_rules: not so: %s\n", what);
	abort();
}

static void build(struct craft *c)
{
	craft_chunk(c);
	craft_event(c, "30", "1000 5000000 1 1 'db' 80 512 b1");
	craft_event(c, "30", "100001000 20000000 2 2 null -1 -2048 b0");
	craft_event(c, "30", "-1000 9223372036854775807 3 3 'a' 9223372036854775807 0 b0");
	craft_event(c, "31", "900001000 0 1 1 f0.75 d2.5 1500 1");
	craft_event(c, "31", "9223372036854775807 1 1 1 f-0.0 d0 -9223372036854775808 9");
	craft_checkpoint(c, STACK_CONSTANTS);
	craft_metadata(c,
		STACK_TYPES
		EVENT("30", "jdk.SocketRead", START DURATION FIELD("eventThread", T_THREAD, KEY)
		      FIELD("stackTrace", T_TRACE, KEY) FIELD("host", T_STRING) FIELD("port", T_INT)
		      FIELD("bytesRead", T_LONG) FIELD("endOfStream", T_BOOLEAN))
		EVENT("31", "t.Load", START DURATION FIELD("eventThread", T_THREAD, KEY)
		      FIELD("stackTrace", T_TRACE, KEY) FIELD("load", T_FLOAT) FIELD("d", T_DOUBLE)
		      FIELD("span", T_LONG, SPAN("MILLISECONDS")) FIELD("klass", T_KLASS, KEY)));
	craft_end(c);
}

static void check(const struct jfrec_rule_finding *f)
{
	insist(*f->summary, "a finding has a sentence");
	insist((f->severity == JFREC_SEVERITY_NO_DATA) == (f->no_data != JFREC_DATA),
	       "what is missing has a reason");
	for (size_t i = 0; i < jfrec_finding_evidence_count(f); i++)
		insist(jfrec_finding_evidence_get(f, i)->text != NULL, "evidence has a text");
}

static void judge(const struct jfrec_user_rules *rules)
{
	struct jfrec_analysis_options how = { .struct_size = sizeof(how), .rules = rules };
	struct jfrec_analysis *a = jfrec_analysis_new(&how, NULL);
	struct craft c = { 0 };
	struct jfrec_reader *r;

	build(&c);
	r = craft_open(&c, NULL);
	insist(a && r, "there is memory");
	insist(jfrec_analysis_rule_count(a) == jfrec_rule_count() + jfrec_user_rules_count(rules),
	       "all rules are known");
	insist(jfrec_analysis_read(a, r, NULL) == 0 && jfrec_analysis_finish(a, NULL) == 0,
	       "all is judged");
	for (size_t i = 0; i < jfrec_analysis_finding_count(a, 0); i++)
		check(jfrec_analysis_finding_get(a, 0, i));
	jfrec_reader_close(r);
	jfrec_analysis_free(a);
	craft_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct jfrec_error err = { 0 };
	struct jfrec_user_rules *rules = jfrec_user_rules_new(NULL);

	insist(rules != NULL, "there is memory");
	if (jfrec_user_rules_add(rules, bytes, len, "own.yaml", &err) == 0) {
		for (size_t i = 0; i < jfrec_user_rules_count(rules); i++)
			insist(*jfrec_user_rules_get(rules, i)->computes, "a rule says what it computes");
		judge(rules);
	} else {
		insist(*err.text, "what is wrong is said");
	}
	jfrec_user_rules_free(rules);
	return 0;
}
