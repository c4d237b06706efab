/* SPDX-License-Identifier: MIT */
/*
 * share.c - a recording without secrets, host names and user names, to be given to others
 *
 * usage: share RECORDING OUTPUT.jfr [RULES.yaml]
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/scrub.h>

static int scrub(struct jfrec_reader *r, const struct jfrec_scrub_rules *rules,
		 struct jfrec_output *o, struct jfrec_error *err)
{
	struct jfrec_scrubbed *done = jfrec_write_scrubbed(r, rules, NULL, NULL, o, err);
	const struct jfrec_redaction *found;
	int ret = -1;

	if (!done)
		return -1;
	for (size_t i = 0; (found = jfrec_scrubbed_finding_get(done, i)) != NULL; i++)
		printf("%6" PRIu64 "  %s.%s  by %s\n", found->count, found->type, found->field,
		       found->rule);
	ret = jfrec_output_commit(o, err);
	jfrec_scrubbed_free(done);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: share RECORDING OUTPUT.jfr [RULES.yaml]" };
	struct jfrec_scrub_rules *rules = argc > 2 ? jfrec_scrub_rules_new(&err) : NULL;
	struct jfrec_reader *r = rules ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	struct jfrec_output *o = r ? jfrec_output_open(argv[2], false, JFREC_BY_NAME, &err) : NULL;
	int ret = -1;

	if (o && jfrec_scrub_rules_add(rules, "default", &err) == 0 &&
	    jfrec_scrub_rules_add(rules, "hosts", &err) == 0 &&
	    jfrec_scrub_rules_add(rules, "paths", &err) == 0 &&
	    (argc == 3 || jfrec_scrub_rules_load(rules, argv[3], &err) == 0))
		ret = scrub(r, rules, o, &err);
	if (ret < 0)
		fprintf(stderr, "share: %s\n", err.text);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	jfrec_scrub_rules_free(rules);
	return ret < 0;
}
