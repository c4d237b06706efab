/* SPDX-License-Identifier: MIT */
/*
 * dictionary.c - look up events, settings and the JDK versions that have them
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/near.h"
#include "dictionary/declare.h"
#include "dictionary/embedded.h"
#include "dictionary/event_texts.h"
#include "dictionary/nodes.h"
#include "read/select.h"
#include "read/types.h"

struct jfrec_dictionary {
	struct nodes nodes;
	size_t jdk; /* index in nodes.jdks */
	struct metadata *metadata;
	struct jfrec_types types; /* sorted, and selected */
	struct event_texts *texts; /* NULL until asked for */
	struct jfrec_explanation explained;
};

/* The newest that is not newer than wished; else the oldest. */
static size_t find_jdk(const struct nodes *all, int jdk)
{
	size_t i = all->jdk_count - 1;

	while (i > 0 && jdk && all->jdks[i] > jdk)
		i--;
	return i;
}

static uint32_t jdk_bit(const struct jfrec_dictionary *d)
{
	return UINT32_C(1) << d->jdk;
}

int jfrec_dictionary_select(struct jfrec_dictionary *d, const char *events, const char *categories,
			    struct jfrec_error *err)
{
	struct selection s = { 0 };

	if (selection_set(&s, events, categories) < 0)
		return jfrec_fail_memory(err);
	d->types.count = 0;
	for (uint32_t i = 0; i < d->metadata->type_count; i++) {
		const struct jfrec_type *t = &d->metadata->types[i];

		if (selection_is_all(&s) || selection_has(&s, t))
			d->types.items[d->types.count++] = t;
	}
	selection_fini(&s);
	sort_types(d->types.items, d->types.count);
	return 0;
}

static int declare(struct jfrec_dictionary *d, struct jfrec_error *err)
{
	d->metadata = declare_types(&d->nodes, jdk_bit(d), err);
	if (!d->metadata)
		return -1;
	d->types.items = calloc(d->metadata->type_count + 1, sizeof(*d->types.items));
	return d->types.items ? jfrec_dictionary_select(d, NULL, NULL, err)
			      : jfrec_fail_memory(err);
}

struct jfrec_dictionary *jfrec_dictionary_new(int jdk, struct jfrec_error *err)
{
	struct jfrec_dictionary *d = calloc(1, sizeof(*d));

	if (!d) {
		jfrec_fail_memory(err);
		return NULL;
	}
	if (nodes_init(&d->nodes, embedded_text(embedded_dictionary, "jdk"), err) < 0) {
		free(d);
		return NULL;
	}
	d->jdk = find_jdk(&d->nodes, jdk);
	if (declare(d, err) < 0) {
		jfrec_dictionary_free(d);
		return NULL;
	}
	return d;
}

void jfrec_dictionary_free(struct jfrec_dictionary *d)
{
	if (!d)
		return;
	event_texts_free(d->texts);
	metadata_unref(d->metadata);
	free(d->types.items);
	nodes_fini(&d->nodes);
	free(d);
}

int jfrec_dictionary_jdk(const struct jfrec_dictionary *d)
{
	return d->nodes.jdks[d->jdk];
}

size_t jfrec_dictionary_jdk_count(const struct jfrec_dictionary *d)
{
	return d->nodes.jdk_count;
}

int jfrec_dictionary_jdk_get(const struct jfrec_dictionary *d, size_t i)
{
	return i < d->nodes.jdk_count ? d->nodes.jdks[i] : 0;
}

const struct jfrec_types *jfrec_dictionary_types(const struct jfrec_dictionary *d)
{
	return &d->types;
}

const struct jfrec_type *jfrec_dictionary_event(const struct jfrec_dictionary *d, const char *name)
{
	const struct jfrec_type *t = metadata_type_named(d->metadata, name);

	return t && t->is_event ? t : NULL;
}

/* Of all JDKs ---------------------------------------------------------------------------------- */

/* The next node of that name after *n, among the children of the parent. */
static const struct node *next_named(const struct nodes *all, const struct node *parent,
				     const struct node *n, const char *name, uint32_t jdks)
{
	while ((n = nodes_child(all, parent, n, jdks))) {
		const char *of_n = *n->words == '@' ? NULL : node_word(n, 1);

		if (of_n && strcmp(of_n, name) == 0)
			break;
	}
	return n;
}

static bool is_part(const struct node *n, enum jfrec_part part)
{
	return node_is(n, "setting") == (part == JFREC_PART_SETTING);
}

static uint32_t presence_of_part(const struct nodes *all, const struct node *type,
				 enum jfrec_part part, const char *name)
{
	const struct node *n = NULL;
	uint32_t jdks = 0;

	while ((n = next_named(all, type, n, name, UINT32_MAX))) {
		if (is_part(n, part))
			jdks |= n->jdks;
	}
	return jdks;
}

uint32_t jfrec_dictionary_presence(const struct jfrec_dictionary *d, const char *type,
				   enum jfrec_part part, const char *name)
{
	const struct nodes *all = &d->nodes;
	const struct node *n = NULL;
	uint32_t jdks = 0;

	while ((n = next_named(all, NULL, n, type, UINT32_MAX)))
		jdks |= part == JFREC_PART_TYPE ? n->jdks : presence_of_part(all, n, part, name);
	return jdks & (uint32_t)((UINT64_C(1) << all->jdk_count) - 1);
}

/* Values --------------------------------------------------------------------------------------- */

/* Words of a setting's node: what is as before is "=", what is unknown is "?". */
enum { DECLARED = 3, DEFAULT_JFC, PROFILE_JFC };

static const char *value_word(const struct node *n, unsigned i)
{
	const char *word = node_word(n, i);

	while (word && i > DECLARED && strcmp(word, "=") == 0)
		word = node_word(n, --i);
	return word && strcmp(word, "?") != 0 ? word : NULL;
}

const char *jfrec_dictionary_value(const struct jfrec_dictionary *d, const char *event,
				   const char *setting, enum jfrec_settings_of of)
{
	const struct nodes *all = &d->nodes;
	const struct node *type = next_named(all, NULL, NULL, event, jdk_bit(d)), *n = NULL;

	while (type && (n = next_named(all, type, n, setting, jdk_bit(d)))) {
		if (node_is(n, "setting"))
			return value_word(n, of == JFREC_DECLARED      ? DECLARED
					     : of == JFREC_DEFAULT_JFC ? DEFAULT_JFC
								       : PROFILE_JFC);
	}
	return NULL;
}

/* Words ---------------------------------------------------------------------------------------- */

size_t jfrec_dictionary_near(const struct jfrec_dictionary *d, const char *name,
			     const char *names[JFREC_NEAR_MAX])
{
	struct near near = { .name = name };
	size_t count;

	_Static_assert(JFREC_NEAR_MAX == MAX_NEAR, "all of near.items fit");
	for (uint32_t i = 0; i < d->metadata->type_count; i++) {
		if (d->metadata->types[i].is_event)
			near_offer(&near, d->metadata->types[i].name);
	}
	count = near_count(&near);
	for (size_t i = 0; i < count; i++)
		names[i] = jfrec_dictionary_event(d, near.items[i].name)->name;
	return count;
}

/* What an event costs without a text of its own, by the settings that it has. */
static const char *usual_cost(const struct jfrec_type *t)
{
	bool traced = jfrec_type_setting(t, "stackTrace") != NULL;

	if (jfrec_type_setting(t, "period"))
		return "an event each period";
	if (jfrec_type_setting(t, "threshold"))
		return traced ? "an event with a stack trace each time that it takes longer than "
				"the threshold"
			      : "an event each time that it takes longer than the threshold";
	return traced ? "an event with a stack trace each time that it happens"
		      : "an event each time that it happens";
}

static int load_texts(struct jfrec_dictionary *d, struct jfrec_error *err)
{
	if (!d->texts)
		d->texts = event_texts_new(embedded_text(embedded_dictionary, "events"), err);
	return d->texts ? 0 : -1;
}

const struct jfrec_explanation *jfrec_dictionary_explain(struct jfrec_dictionary *d,
							 const struct jfrec_type *event,
							 struct jfrec_error *err)
{
	struct jfrec_explanation *x = &d->explained;

	if (load_texts(d, err) < 0)
		return NULL;
	x->records = event_texts_get(d->texts, event->name, "records");
	x->cost = event_texts_get(d->texts, event->name, "cost");
	if (!x->cost)
		x->cost = usual_cost(event);
	return x;
}
