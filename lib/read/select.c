/* SPDX-License-Identifier: MIT */
/*
 * select.c - select event types by --events and --categories
 */
#include "read/select.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/glob.h"
#include "base/near.h"

/* No category has a longer acronym. */
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
	const struct jfrec_annotation *a = type_category(t);

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

bool selection_has(const struct selection *s, const struct jfrec_type *t)
{
	if (!t->is_event)
		return false;
	return (!s->events || list_has_event(s->events, t)) &&
	       (!s->categories || list_has_category(s->categories, t));
}

/* Names that match nothing --------------------------------------------------------------------- */

#define MAX_PARTS 64

/* No type has a longer name. */
#define MAX_NAME 256

/* Part number i of .events; false: there is none, or it is too long to be looked at. */
static bool part_of(const char **list, char name[MAX_NAME])
{
	const char *part;
	size_t len;

	if (!next_part(list, &part, &len))
		return false;
	snprintf(name, MAX_NAME, "%.*s", (int)(len < MAX_NAME ? len : MAX_NAME - 1), part);
	return true;
}

void selection_look(struct selection *s, const struct metadata *m)
{
	const char *list = s->events ? s->events : "";
	char name[MAX_NAME];

	s->has_looked = true;
	for (unsigned i = 0; i < MAX_PARTS && part_of(&list, name); i++) {
		for (uint32_t k = 0; k < m->type_count && !(s->matched >> i & 1); k++) {
			if (m->types[k].is_event && list_has_event(name, &m->types[k]))
				s->matched |= UINT64_C(1) << i;
		}
	}
}

void selection_tell(const struct selection *s, const struct metadata *m, struct problems *p,
		    const char *when)
{
	const char *list = s->events && s->has_looked ? s->events : "";
	char name[MAX_NAME], names[NEAR_LIST_MAX];

	for (unsigned i = 0; i < MAX_PARTS && part_of(&list, name); i++) {
		struct near near = { .name = name };

		if (s->matched >> i & 1)
			continue;
		for (uint32_t k = 0; m && k < m->type_count; k++) {
			if (m->types[k].is_event)
				near_offer(&near, m->types[k].name);
		}
		problem_notice(p, 0, 0, "no event type is called %s%s%s", name, when,
			       near_list(&near, names));
	}
}
