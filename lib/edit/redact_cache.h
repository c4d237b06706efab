/* SPDX-License-Identifier: MIT */
/*
 * redact_cache.h - remember how each text was redacted
 *
 * Events repeat a few texts millions of times, and regular expressions are slow.
 */
#ifndef JFREC_EDIT_REDACT_CACHE_H
#define JFREC_EDIT_REDACT_CACHE_H

#include "base/buffer.h"
#include "base/digest.h"
#include "edit/rules.h"

struct memo_entry {
	size_t key, key_len; /* in memo.bytes */
	size_t now, now_len;
	bool changed;
	/* Which rules changed it, and whether there was a secret that none of them knew. */
	rule_set rules;
	bool elsewhere;
};

/* All zero is empty. */
struct memo {
	struct digest_map known; /* index of the entry, plus 1 */
	struct memo_entry *entries;
	uint32_t count, room;
	struct buffer bytes;
};

/* What is known of the key, or NULL. */
const struct memo_entry *memo_find(struct memo *m, const struct buffer *key);

/*
 * Note what became of a key that was not found; *e says so, places apart.  `now`
 * is the text as it is now, if it changed.  Where there is no room it is not
 * noted, and what is full begins anew.
 */
void memo_add(struct memo *m, const struct buffer *key, struct memo_entry e,
	      const struct buffer *now);

void memo_clear(struct memo *m);
void memo_fini(struct memo *m);

#endif
