/* SPDX-License-Identifier: MIT */
/*
 * rules_words.c - skip the scrub rules that cannot match a text
 *
 * Most texts have no word of any rule in them.  One look at each place, for all
 * rules together, spares them the regular expressions.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "scrub/rules.h"

#define HEAD 3

/* Letters without their case, and some other characters mixed up. */
static unsigned fold(char c)
{
	return (unsigned char)c | 0x20;
}

static unsigned head_of(const char *text)
{
	return (fold(text[0]) * 961 + fold(text[1]) * 31 + fold(text[2])) % WORD_HEADS;
}

static bool begins(const char *text, const struct rule_word *word)
{
	for (size_t i = 0; i < word->len; i++) {
		if (fold(text[i]) != fold(word->text[i]))
			return false;
	}
	return true;
}

static int add(struct rule_words *w, unsigned rule, const char *text, size_t len)
{
	unsigned head = head_of(text);

	if (!array_reserve(w->all, w->count, w->room))
		return -1;
	w->all[w->count++] = (struct rule_word){
		.text = text,
		.len = len,
		.rule = rule,
		.next = w->heads[head],
	};
	w->heads[head] = (uint16_t)w->count;
	return 0;
}

int rule_words_add(struct rule_words *w, unsigned i, const char *list)
{
	if (!list)
		rule_set_add(&w->without, i);
	for (const char *end; list && *list; list = *end ? end + 1 : end) {
		end = strchrnul(list, ',');
		if (add(w, i, list, (size_t)(end - list)) < 0)
			return -1;
	}
	return 0;
}

rule_set rules_possible(const struct jfrec_scrub_rules *rules, const char *text, size_t len)
{
	const struct rule_words *w = &rules->words;
	rule_set found = w->without;

	for (size_t i = 0; i + HEAD <= len; i++) {
		for (unsigned k = w->heads[head_of(text + i)]; k; k = w->all[k - 1].next) {
			const struct rule_word *word = &w->all[k - 1];

			if (!rule_set_has(&found, word->rule) && word->len <= len - i &&
			    begins(text + i, word))
				rule_set_add(&found, word->rule);
		}
	}
	return found;
}

void rule_words_fini(struct rule_words *w)
{
	free(w->all);
	*w = (struct rule_words){ 0 };
}
