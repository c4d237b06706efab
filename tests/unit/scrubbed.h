/* SPDX-License-Identifier: MIT */
/*
 * scrubbed.h - a crafted recording, as it is after scrub by the default rules
 */
#ifndef JFREC_TEST_SCRUBBED_H
#define JFREC_TEST_SCRUBBED_H

#include <stdio.h>
#include <unistd.h>

#include "builder.h"
#include "scrub/rules.h"
#include "test.h"

struct scrubbed {
	struct bytes bytes;
	struct jfrec_scrubbed *report;
	struct jfrec_error err;
	char path[64];
};

static inline struct scrubbed scrub(struct craft *c)
{
	struct scrubbed s = { 0 };
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	struct jfrec_reader *r = craft_open(c, &s.err);
	struct jfrec_output *o;
	char block[4096];
	size_t got;
	FILE *f;

	CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	snprintf(s.path, sizeof(s.path), "/tmp/jfrec-scrubbed-%d.jfr", (int)getpid());
	o = jfrec_output_open(s.path, true, JFREC_PLAIN, &s.err);
	if (CHECK(r && o))
		s.report = jfrec_write_scrubbed(r, rules, NULL, NULL, o, &s.err);
	if (s.report && CHECK(jfrec_output_commit(o, NULL) == 0)) {
		f = fopen(s.path, "rb");
		while (f && (got = fread(block, 1, sizeof(block), f)) > 0)
			bytes_copy(&s.bytes, block, got);
		if (f)
			fclose(f);
	}
	jfrec_output_close(o);
	jfrec_reader_close(r);
	jfrec_scrub_rules_free(rules);
	return s;
}

static inline void scrubbed_free(struct scrubbed *s)
{
	unlink(s->path);
	bytes_free(&s->bytes);
	jfrec_scrubbed_free(s->report);
}

static inline bool has(const struct scrubbed *s, const char *text, size_t len)
{
	return memmem(s->bytes.data, s->bytes.len, text, len);
}

#endif
