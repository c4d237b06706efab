/* SPDX-License-Identifier: MIT */
/*
 * redact.h - remove secrets from the strings of events and constants
 *
 * A recording is gone through twice.  First the rules look at every string there
 * is, and what they would take away is collected (redact_collect()).  Then
 * strings are written: the rules are applied, and what was collected is
 * taken away wherever else it is.
 *
 * A string that is a key into the pool of strings, in a field that a rule names,
 * becomes one that lies in the event: others who share the constant keep it.
 */
#ifndef JFREC_SCRUB_REDACT_H
#define JFREC_SCRUB_REDACT_H

#include <pthread.h>

#include "format/string.h"
#include "read/chunk_source.h"
#include "scrub/findings.h"
#include "scrub/known_texts.h"
#include "scrub/redact_cache.h"
#include "scrub/rule_paths.h"
#include "scrub/text_set.h"

/* What was redacted in a chunk, or in all. */
struct redacted {
	struct findings findings;
	uint64_t arrays_unread;	    /* of bytes that are not text */
	uint64_t tails, tail_bytes; /* after the last fields of events */
	uint64_t unknown_metadata;  /* elements and attributes */
};

/*
 * What all threads share.  The lock is for the cache, and in the first pass, where what several
 * threads add has no order, also for all that is collected.
 */
struct redaction {
	const struct jfrec_scrub_rules *rules;
	bool collecting;
	pthread_mutex_t lock;
	struct redact_cache cache;
	struct text_set secrets;
	struct digest_map secret_constants; /* see redact_constants.c */
	struct digest_map counted;	    /* keys of the cache whose common secrets are counted */
	uint64_t common_secret_count, unencoded_count;
	size_t secret_count;	  /* of different ones */
	struct buffer vocabulary; /* words that cannot be secrets, see redact_metadata.c */
	struct metadata *learnt;  /* whose words were added last */
	struct redactor *spare;	  /* not at work */
};

/* One at a time works on a chunk; what it has made for the types it keeps for the next one. */
struct redactor {
	struct redaction *all;
	struct redactor *next; /* spare */
	const struct jfrec_scrub_rules *rules;
	bool collecting;
	bool failed; /* memory is gone */
	struct rule_paths paths;
	/* Of the chunk at hand: */
	struct known_texts known;
	struct digest_map marked; /* first pass: its secret constants */
	uint64_t too_common;	  /* first pass: secrets of the text at hand not worth a search */
	struct redacted redacted;
	struct chunk *chunk;
	uint64_t chunk_number;		 /* of both passes */
	const struct jfrec_type *string; /* java.lang.String, or NULL */
	/* For the string and event at hand. */
	struct buffer texts[2], key, event, array, units, decoded;
	struct buffer line; /* the words of a list so far */
	struct arena scratch;
};

void redaction_init(struct redaction *all, const struct jfrec_scrub_rules *rules);
void redaction_fini(struct redaction *all);

/*
 * One that is ready for the chunk, the number of which is that in its pass; to be given back.  NULL
 * with *err set.
 */
struct redactor *redactor_take(struct redaction *all, struct chunk *c, uint64_t number,
			       struct jfrec_error *err);
void redactor_give_back(struct redactor *r);

/* Where a string is. */
struct spot {
	const char *type, *field;    /* as they are shown; or */
	const struct jfrec_type *of; /* the type and the step */
	unsigned step;
	const char *name; /* of what has the value, see rule.named; or NULL */
	size_t name_len;
	bool is_name; /* a name of Java's, where a mask with brackets would not do */
};

/* First pass: collect secrets of the chunk, by any thread. 0, or -1 with *err set. */
int redact_collect(struct redactor *r, struct chunk_source *s, struct jfrec_error *err);

/* The same of the metadata of its chunk, by one thread at a time. */
int redact_collect_metadata(struct redactor *r, struct jfrec_error *err);

/* Between the two.  0, or -1 with *err set. */
int redact_ready(struct redaction *all, struct jfrec_error *err);

/* Second pass: the functions of struct rewrite. */
bool redact_touches(const struct redactor *r, const struct jfrec_type *t);
bool redact_leaves(struct redactor *r, const struct jfrec_type *t, const struct raw_event *e);
int redact_event(struct redactor *r, const struct jfrec_event *ev, struct buffer *to,
		 struct jfrec_error *err);
int redact_constant(struct redactor *r, const struct jfrec_type *t, uint64_t key,
		    const uint8_t *value, size_t len, struct buffer *to, struct jfrec_error *err);
int redact_metadata(struct redactor *r, const struct metadata *m, struct buffer *to,
		    struct jfrec_error *err);

/* A text that is a constant.  What becomes of it is worked out once. */
struct pooled {
	uint64_t key;
	struct string string; /* where it lies */
};

/*
 * What becomes of a text by these rules, and without secrets; NULL if it stays as
 * it is, as always in the first pass.  Valid until the next call.
 */
const struct buffer *redact_text(struct redactor *r, rule_set rules, const struct spot *spot,
				 const char *text, size_t len);

/* The same for a constant of the pool of strings. */
const struct buffer *redact_pooled(struct redactor *r, rule_set rules, const struct spot *spot,
				   const struct pooled *p);

/* A number of these rules was taken away. */
void redact_note_number(struct redactor *r, rule_set rules, const struct spot *spot);

/* A text of a list that can be a command line. */
struct word {
	const char *text; /* NULL: none, or a long one */
	size_t len;
};

/*
 * Is the word, with which r->line ends, a password by the words before it, of which `before` is the
 * last one?  The first *prefix bytes of it are not.
 */
bool redact_is_password(const struct redactor *r, struct word before, struct word w,
			size_t *prefix);

/* All of that constant, and of those that it leads to, is secret. */
void redact_mark_constant(struct redactor *r, const struct jfrec_type *t, uint64_t key);
bool redact_is_marked(const struct redactor *r, const struct jfrec_type *t, uint64_t key);

/* Append a text in the encoding of the string it comes from, where that can hold it. */
void redact_encode(struct buffer *to, enum string_encoding encoding, const struct buffer *text);

/* The count of UTF-16 units, and these, each as a varint. */
void redact_put_units(struct buffer *to, const struct buffer *text);

/*
 * Append the array of n bytes at `bytes`, or of n numbers at c, with its count, as
 * it is without secrets.  False, and nothing is appended, if it stays as it is.
 */
bool redact_bytes(struct redactor *r, rule_set rules, const struct spot *spot, const uint8_t *bytes,
		  size_t n, struct buffer *to);
bool redact_numbers(struct redactor *r, rule_set rules, const struct spot *spot, struct cursor c,
		    uint64_t n, struct buffer *to);

/* First pass, for the metadata of a chunk. */
void redact_learn(struct redactor *r, const struct metadata *m);

/* First pass: what secret fields lead to in the chunk at hand is secret in the second one, too. */
void redact_keep_marks(struct redactor *r);

#endif
