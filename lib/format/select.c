/* SPDX-License-Identifier: MIT */
/*
 * select.c - which event types are wanted
 */
#include "format/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/glob.h"

/* Acronyms longer than this are nobody's. */
#define MAX_ACRONYM 32

int selection_set(struct selection *s, const char *events, const char *categories)
{
	struct selection new = {
		.events = events ? strdup(events) : NULL,
		.categories = categories ? strdup(categories) : NULL,
	};

	if ((events && !new.events) || (categories && !new.categories)) {
		selection_fini(&new);
		return -1;
	}
	selection_fini(s);
	*s = new;
	return 0;
}

void selection_fini(struct selection *s)
{
	free(s->events);
	free(s->categories);
	*s = (struct selection){ 0 };
}

static bool is_space(char c)
{
	return c != '\0' && (unsigned char)c <= ' ';
}

/* Take the next part of a list parted by commas, without the blanks around it. */
static bool next_part(const char **list, const char **part, size_t *len)
{
	while (**list == ',' || is_space(**list))
		(*list)++;
	*part = *list;
	*list += strcspn(*list, ",");
	*len = (size_t)(*list - *part);
	while (*len && is_space((*part)[*len - 1]))
		(*len)--;
	return *len > 0;
}

bool list_matches(const char *list, const char *text, size_t text_len)
{
	const char *part;
	size_t len;

	while (next_part(&list, &part, &len)) {
		if (glob_match_text(part, len, text, text_len))
			return true;
	}
	return false;
}

static bool any_glob(const char *list, const char *text)
{
	return list_matches(list, text, strlen(text));
}

/* The initials of the words that begin with a capital: "Java Virtual Machine" is JVM. */
static size_t acronym(const char *words, char *to)
{
	bool begins = true;
	size_t n = 0;

	for (; *words && n < MAX_ACRONYM; words++) {
		if (begins && *words >= 'A' && *words <= 'Z')
			to[n++] = *words;
		begins = is_space(*words);
	}
	return n;
}

static bool is_acronym_of(const char *word, size_t len, const char *category)
{
	char initials[MAX_ACRONYM];

	return strchr(category, ' ') && acronym(category, initials) == len &&
	       memcmp(word, initials, len) == 0;
}

bool is_acronym(const char *word, const char *category)
{
	return is_acronym_of(word, strlen(word), category);
}

static bool any_acronym(const char *list, const char *category)
{
	const char *part;
	size_t len;

	while (next_part(&list, &part, &len)) {
		if (is_acronym_of(part, len, category))
			return true;
	}
	return false;
}

bool list_has_category(const char *list, const struct jfrec_type *t)
{
	const struct jfrec_annotation *a =
		annotation_named(t->annotations, t->annotation_count, "jdk.jfr.Category");

	if (!a)
		return any_glob(list, "Uncategorized");
	for (unsigned i = 0; i < a->member_count; i++) {
		const char *element = a->members[i].value;

		if (element && (any_glob(list, element) || any_acronym(list, element)))
			return true;
	}
	return false;
}

bool list_has_event(const char *list, const struct jfrec_type *t)
{
	const char *dot = strrchr(t->name, '.');

	return any_glob(list, t->name) || (dot && any_glob(list, dot + 1));
}

bool selection_wants(const struct selection *s, const struct jfrec_type *t)
{
	if (!t->is_event)
		return false;
	return (!s->events || list_has_event(s->events, t)) &&
	       (!s->categories || list_has_category(s->categories, t));
}
