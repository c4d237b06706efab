/* SPDX-License-Identifier: MIT */
/* jfrec/scrub.h - rewriting recordings without what is secret */
#ifndef JFREC_SCRUB_H
#define JFREC_SCRUB_H

#include "jfrec/edit.h"

JFREC_BEGIN_DECLS

/* What is secret in a recording. */
struct jfrec_scrub_rules;

/* An empty set.  To be freed; NULL with *err set. */
struct jfrec_scrub_rules *jfrec_scrub_rules_new(struct jfrec_error *err);

/*
 * Add a set of rules: "default" (environment variables, system properties,
 * arguments, passwords, keys, URLs with credentials), "hosts" (names and
 * addresses), "paths" (user names, home directories).  Rules are applied in the
 * order in which they were added.  0, or -1 with *err set.
 */
int jfrec_scrub_rules_add(struct jfrec_scrub_rules *rules, const char *set,
			  struct jfrec_error *err);

/*
 * Add those of a file; jfrec-scrub(1) describes it.  0, or -1 with *err set:
 * JFREC_EIO; JFREC_EINVAL, with line and column in the text.
 */
int jfrec_scrub_rules_load(struct jfrec_scrub_rules *rules, const char *path,
			   struct jfrec_error *err);

/*
 * What the tokens that stand for texts are made with: equal texts have equal
 * tokens where the salt is the same.  It is a random one otherwise.
 */
int jfrec_scrub_rules_salt(struct jfrec_scrub_rules *rules, const char *salt,
			   struct jfrec_error *err);

/* Free the rules. */
void jfrec_scrub_rules_free(struct jfrec_scrub_rules *rules);

/* Texts that a rule changed. */
struct jfrec_redaction {
	const char *type;  /* of the event, or of the constant; "metadata" */
	const char *field; /* its path */
	const char *rule;
	uint64_t count;
	const char *sample; /* one of the texts as it is now, cut short */
};

struct jfrec_scrubbed {
	const struct jfrec_filtered *filtered; /* lives as long as this */
	size_t secret_count;		/* different texts that are nowhere in the output */
	uint64_t short_secret_count;	/* redacted; too short or common to look for elsewhere */
	uint64_t unencoded_count;	/* searched for only in their plain form: too many */
	uint64_t unread_arrays;		/* of bytes that are not text: searched as bytes only */
	uint64_t tails, tail_bytes;	/* events with bytes after their last field: removed */
	uint64_t unknown_metadata;	/* elements, attributes that JFR does not have: removed */
};

/*
 * As jfrec_write_filtered(), and redact the texts in events, constants and metadata that the rules
 * match; the rules must outlive the call.  Then search the output, byte by byte, for the redacted
 * texts.  Without an output (NULL), write nothing, and report what would be redacted.
 *
 * The inputs are read twice: what can be read only once is kept in a temporary
 * file.  Returns what was done, to be freed with jfrec_scrubbed_free(), or NULL
 * with *err set: also JFREC_ELEAK, if something that should not be there is in
 * the output, which then must not be committed.
 */
struct jfrec_scrubbed *jfrec_write_scrubbed(struct jfrec_reader *r,
					    const struct jfrec_scrub_rules *rules,
					    const int64_t *from_ns, const int64_t *to_ns,
					    struct jfrec_output *o, struct jfrec_error *err);

/* How many redactions there are: kinds of them, by type, field and rule. */
size_t jfrec_scrubbed_finding_count(const struct jfrec_scrubbed *s);

/* Redaction number i, by type, field and rule; NULL beyond the last. */
const struct jfrec_redaction *jfrec_scrubbed_finding_get(const struct jfrec_scrubbed *s, size_t i);

/* Free what jfrec_write_scrubbed() returned. */
void jfrec_scrubbed_free(struct jfrec_scrubbed *s);

JFREC_END_DECLS

#endif
