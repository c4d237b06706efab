/* SPDX-License-Identifier: MIT */
/*
 * rules.h - match texts against scrub rules, and replace what matches
 *
 * A rule says where it looks (events, fields), for what (a regular expression),
 * and what is written instead.  Rules know texts as UTF-8 and nothing of
 * recordings.
 *
 * A template is text with \1 to \9, groups of the expression, \0, the whole
 * match, and \h, a token that stands for what is taken away: equal texts have
 * equal tokens.
 */
#ifndef JFREC_SCRUB_RULES_H
#define JFREC_SCRUB_RULES_H

#include <regex.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "jfrec.h"
#include "scrub/rule_set.h"

/* The default replacement, and that of names, which have no brackets. */
#define RULES_MASK	"[redacted]"
#define RULES_NAME_MASK "redacted"

/* A piece of a text, by offsets. */
struct text_span {
	size_t from, to;
};

/* A regular expression, compiled when a text first needs it: most recordings need few of them. */
struct rule_regex {
	const char *pattern;
	int flags;
	_Atomic(regex_t *) compiled; /* rules may be in use by several threads */
};

struct rule {
	const char *name;
	/* Globs parted by commas; NULL: any. */
	const char *event, *field;
	/*
	 * Of the event's field `key`, `name` or the like, in lower case: it must match; it must
	 * not.
	 */
	const char *named, *not_named;
	const char *needs; /* texts without any of these characters do not match; or NULL */
	/* Nor do those without any of these words, in any case, of 3 bytes or more; or NULL. */
	const char *words;
	/* Only fields whose own name or label says that they are secret; see secret_name.h. */
	bool secret_fields;
	/* Only the value that follows, in a struct or a list, a text that is a secret's name. */
	bool behind_names;
	bool secret_names; /* only of the event's field `key`, `name` or the like that says so */
	/* Not taken as a match where this says no to the group `judged`; or NULL. */
	bool (*plausible)(const char *piece, size_t len);
	unsigned judged;
	/*
	 * In place of an expression: find the next piece to be taken away at `from` or
	 * later.  All calls for one text together must take time linear in its length.
	 */
	bool (*find)(const char *text, size_t len, size_t from, struct text_span *piece);
	struct rule_regex *regex; /* NULL with a find function */
	const char *replace;
	uint16_t secrets; /* groups that are the secret; 0: all that is taken away */
	/*
	 * What was taken away, of so many bytes or more, is taken away wherever else
	 * it is in the recording; 0: not.
	 */
	unsigned text_set_from;
	/* If it says so, too; NULL: whatever it is. */
	bool (*distinct)(const char *piece, size_t len);
	bool text_set_words; /* also each word of it, and what follows a `=` in it */
};

/* Words of rules by their first three bytes; all zero is empty. */
#define WORD_HEADS 4096

struct rule_word {
	const char *text;
	size_t len;
	unsigned rule;
	unsigned next; /* index + 1 of another one that begins alike */
};

struct rule_words {
	struct rule_word *all;
	unsigned count, room;
	uint16_t heads[WORD_HEADS]; /* index + 1 */
	rule_set without;	    /* rules that need no word */
};

struct jfrec_scrub_rules {
	struct arena arena;
	struct rule rules[RULES_MAX];
	unsigned count;
	struct rule_words words;
	char *salt;
	size_t salt_len;
};

/*
 * Add a rule, whose texts are copied, as is its regular expression, `pattern` (POSIX, extended;
 * NULL with a find function).  0, or -1 with *err set: JFREC_ENOMEM.
 */
int rules_add(struct jfrec_scrub_rules *rules, const struct rule *r, const char *pattern,
	      bool ignore_case, struct jfrec_error *err);

/*
 * Look at a pattern and the rule's template, as rules of users need it.  0, or -1 with
 * *err set: JFREC_EINVAL and what is wrong with them.
 */
int rule_check(const struct rule *r, const char *pattern, bool ignore_case,
	       struct jfrec_error *err);

/* The rules of which a word is in the text, and those that need none. */
rule_set rules_possible(const struct jfrec_scrub_rules *rules, const char *text, size_t len);

/* Note the words of rule number i.  0, or -1 when memory is gone. */
int rule_words_add(struct rule_words *w, unsigned i, const char *list);
void rule_words_fini(struct rule_words *w);

/* Is the name one that the rule is for?  name: NULL if there is none. */
bool rule_is_for(const struct rule *r, const char *name, size_t len);

/* Told of each piece of a text that a rule takes away. */
typedef void rule_piece_fn(void *ctx, const struct rule *r, const char *piece, size_t len);

/*
 * Append the text to *to as the rule leaves it.  False, and nothing is appended,
 * if it has nothing for the rule.
 */
bool rule_apply(const struct jfrec_scrub_rules *rules, const struct rule *r, const char *text,
		size_t len, struct buffer *to, rule_piece_fn *fn, void *ctx);

#endif
