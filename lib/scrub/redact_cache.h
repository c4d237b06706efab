/* SPDX-License-Identifier: MIT */
/*
 * redact_cache.h - remember how each text was redacted
 *
 * Events repeat a few texts millions of times, and regular expressions are slow.  What the rules
 * found to be nothing in the first pass they need not look at in the second one, where only what is
 * secret elsewhere is searched for.
 */
#ifndef JFREC_SCRUB_REDACT_CACHE_H
#define JFREC_SCRUB_REDACT_CACHE_H

#include "base/buffer.h"
#include "base/digest.h"
#include "scrub/rules.h"

struct redact_cache_entry {
	size_t key, key_len; /* in memo.bytes */
	size_t now, now_len;
	bool changed;
	/* Which rules changed it, and whether there was a secret that none of them knew. */
	rule_set rules;
	bool elsewhere;
	bool plain;	/* first pass: no rule found anything in it, nor behind its escapes */
	uint32_t round; /* in which it was noted */
};

/* All zero is empty. */
struct redact_cache {
	struct digest_map known; /* index of the entry, plus 1 */
	struct redact_cache_entry *entries;
	uint32_t count, room;
	uint32_t round;
	struct buffer bytes;
};

/* Is the key one that is noted?  Very long texts are not. */
bool redact_cache_takes(const struct buffer *key);

/* What is known of the key, be it of an earlier round; or NULL. */
struct redact_cache_entry *redact_cache_find(const struct redact_cache *m,
					     const struct buffer *key);

/* What is known is of an earlier round from now on. */
static inline void redact_cache_next_round(struct redact_cache *m)
{
	m->round++;
}

/*
 * Note what became of a key that was not found in this round; *e says so, places apart.  `now`
 * is the text as it is now, if it changed.  Where there is no room it is not
 * noted, and what is full begins anew.
 */
void redact_cache_add(struct redact_cache *m, const struct buffer *key, struct redact_cache_entry e,
		      const struct buffer *now);

void redact_cache_clear(struct redact_cache *m);
void redact_cache_fini(struct redact_cache *m);

#endif
