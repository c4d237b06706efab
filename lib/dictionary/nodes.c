/* SPDX-License-Identifier: MIT */
/*
 * nodes.c - parse the dictionary file into nodes
 */
#include "dictionary/nodes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define MAX_DEPTH 4

const char *node_word(const struct node *n, unsigned i)
{
	const char *word = n->words;

	if (i >= n->word_count)
		return NULL;
	while (i--)
		word += strlen(word) + 1;
	return word;
}

bool node_is(const struct node *n, const char *kind)
{
	size_t len = strlen(kind);

	return strncmp(n->words, kind, len) == 0 &&
	       (n->words[len] == '\0' || strcmp(n->words + len, "[]") == 0);
}

bool node_is_array(const struct node *n)
{
	size_t len = strlen(n->words);

	return len > 2 && strcmp(n->words + len - 2, "[]") == 0;
}

const struct node *nodes_child(const struct nodes *all, const struct node *parent,
			       const struct node *child, uint32_t jdks)
{
	const struct node *n = child ? child + 1 : parent ? parent + 1 : all->nodes;
	unsigned depth = parent ? parent->depth + 1u : 0;

	for (; n < all->nodes + all->count && n->depth >= depth; n++) {
		if (n->depth == depth && n->jdks & jdks)
			return n;
	}
	return NULL;
}

/* Reading -------------------------------------------------------------------------------------- */

static size_t count_lines(const char *text, const char *end)
{
	size_t n = 1;

	while ((text = memchr(text, '\n', (size_t)(end - text)))) {
		text++;
		n++;
	}
	return n;
}

/* "8-17", "8", or "25-", which has no end.  Returns what follows. */
static const char *parse_range(const char *text, long *first, long *last)
{
	char *end;

	*first = *last = strtol(text, &end, 10);
	if (*end == '-') {
		*last = strtol(text = end + 1, &end, 10);
		if (end == text)
			*last = LONG_MAX;
	}
	return end;
}

/* "8-17,25-" */
static uint32_t parse_jdks(const struct nodes *all, const char *ranges)
{
	uint32_t jdks = 0;
	long first, last;

	while (*ranges) {
		ranges = parse_range(ranges, &first, &last);
		for (size_t i = 0; i < all->jdk_count; i++) {
			if (all->jdks[i] >= first && all->jdks[i] <= last)
				jdks |= UINT32_C(1) << i;
		}
		ranges = *ranges == ',' ? ranges + 1 : "";
	}
	return jdks;
}

static void read_known(struct nodes *all, const struct node *n)
{
	const char *word;

	for (unsigned i = 1; (word = node_word(n, i)) && all->jdk_count < MAX_JDKS; i++)
		all->jdks[all->jdk_count++] = atoi(word);
}

/* Part the line into words, in place. */
static struct node read_line(char *line)
{
	struct node n = { .word_count = 1 };

	for (; *line == '\t'; line++)
		n.depth++;
	n.words = line;
	while ((line = strchr(line, '\t'))) {
		*line++ = '\0';
		n.word_count++;
	}
	return n;
}

/* Part the JDKs from the first word: what its parent has is what it can have. */
static void read_jdks(const struct nodes *all, struct node *n, uint32_t of_parent)
{
	char *colon = strchr(n->words, ':');

	n->jdks = of_parent;
	if (!colon)
		return;
	n->jdks &= parse_jdks(all, colon + 1);
	/* So that words still follow each other, the first one moves to the second. */
	memmove(n->words + strlen(colon), n->words, (size_t)(colon - n->words));
	n->words += strlen(colon);
}

static int add_line(struct nodes *all, char *line, uint32_t *of_depth, struct jfrec_error *err)
{
	struct node n;

	if (*line == '\0' || *line == '#')
		return 0;
	n = read_line(line);
	if (n.depth >= MAX_DEPTH ||
	    n.depth > (all->count ? all->nodes[all->count - 1].depth + 1 : 0))
		return jfrec_fail(err, JFREC_EFORMAT, (uint64_t)(line - all->text),
				  "the dictionary has a line that is too deep");
	if (node_is(&n, "jdks")) {
		read_known(all, &n);
		return 0;
	}
	read_jdks(all, &n, n.depth ? of_depth[n.depth - 1] : UINT32_MAX);
	of_depth[n.depth] = n.jdks;
	all->nodes[all->count++] = n;
	return 0;
}

int nodes_init(struct nodes *all, const char *text, struct jfrec_error *err)
{
	uint32_t of_depth[MAX_DEPTH] = { 0 };
	/* Some strchr() look for the end first, each time. */
	const char *text_end = text + strlen(text), *end;

	*all = (struct nodes){ .text = strdup(text) };
	all->nodes = calloc(count_lines(text, text_end), sizeof(*all->nodes));
	if (!all->text || !all->nodes) {
		nodes_fini(all);
		return jfrec_fail_memory(err);
	}
	end = all->text + (text_end - text);
	for (char *line = all->text, *next; line; line = next) {
		next = memchr(line, '\n', (size_t)(end - line));
		if (next)
			*next++ = '\0';
		if (add_line(all, line, of_depth, err) < 0) {
			nodes_fini(all);
			return -1;
		}
	}
	return 0;
}

void nodes_fini(struct nodes *all)
{
	free(all->text);
	free(all->nodes);
	*all = (struct nodes){ 0 };
}
