/* SPDX-License-Identifier: MIT */
/*
 * declare.c - build the event types of a JDK version from the dictionary
 *
 * The dictionary is written out as a metadata event and read as one, so that its
 * types are in every respect those that the reader makes.
 */
#include "dictionary/declare.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "format/metadata_writer.h"

struct declarer {
	const struct nodes *all;
	uint32_t jdk;
	struct metadata_writer m;
	struct digest_map ids; /* of names */
	uint64_t id_count;
};

static const char label[] = "jdk.jfr.Label";

/* A number for each name, when it is first mentioned. */
static uint64_t id_of(struct declarer *d, const char *name)
{
	struct digest digest = DIGEST_INIT;
	uint64_t *id;

	digest_bytes(&digest, name, strlen(name));
	id = digest_map_put(&d->ids, digest);
	if (!id) {
		d->m.elements.failed = true;
		return 0;
	}
	if (!*id)
		*id = ++d->id_count;
	return *id;
}

static unsigned count_children(const struct declarer *d, const struct node *of)
{
	const struct node *n = NULL;
	unsigned count = 0;

	while ((n = nodes_child(d->all, of, n, d->jdk)))
		count++;
	return count;
}

/* "Label" is jdk.jfr.Label, "Category[]" jdk.jfr.Category. */
static uint64_t annotation_id(struct declarer *d, const struct node *n)
{
	const char *name = n->words + 1;
	int len = (int)(strlen(name) - (node_is_array(n) ? 2 : 0));
	char full[128];

	snprintf(full, sizeof(full), "%s%.*s", strchr(name, '.') ? "" : "jdk.jfr.", len, name);
	return id_of(d, full);
}

static void put_annotation(struct declarer *d, const struct node *n)
{
	unsigned values = n->word_count - 1u;
	char key[24] = "value";

	metadata_element(&d->m, "annotation", 1 + values);
	metadata_attribute_id(&d->m, "class", annotation_id(d, n));
	for (unsigned i = 0; i < values; i++) {
		if (node_is_array(n))
			snprintf(key, sizeof(key), "value-%u", i);
		metadata_attribute(&d->m, key, node_word(n, i + 1));
	}
	metadata_children(&d->m, 0);
}

static void put_label(struct declarer *d, const char *text)
{
	metadata_element(&d->m, "annotation", 2);
	metadata_attribute_id(&d->m, "class", id_of(d, label));
	metadata_attribute(&d->m, "value", text);
	metadata_children(&d->m, 0);
}

static void put_annotations(struct declarer *d, const struct node *of)
{
	const struct node *n = NULL;

	while ((n = nodes_child(d->all, of, n, d->jdk)))
		put_annotation(d, n);
}

static void put_field(struct declarer *d, const struct node *n)
{
	const char *text = node_word(n, 3);
	bool is_key = node_is(n, "key"), is_array = node_is_array(n);

	metadata_element(&d->m, "field", 2 + (unsigned)is_key + (unsigned)is_array);
	metadata_attribute(&d->m, "name", node_word(n, 1));
	metadata_attribute_id(&d->m, "class", id_of(d, node_word(n, 2)));
	if (is_key)
		metadata_attribute(&d->m, "constantPool", "true");
	if (is_array)
		metadata_attribute(&d->m, "dimension", "1");
	metadata_children(&d->m, count_children(d, n) + (text ? 1 : 0));
	if (text)
		put_label(d, text);
	put_annotations(d, n);
}

static void put_setting(struct declarer *d, const struct node *n)
{
	metadata_element(&d->m, "setting", 3);
	metadata_attribute(&d->m, "name", node_word(n, 1));
	metadata_attribute_id(&d->m, "class", id_of(d, node_word(n, 2)));
	metadata_attribute(&d->m, "defaultValue", node_word(n, 3));
	metadata_children(&d->m, 0);
}

static void put_type(struct declarer *d, const struct node *type)
{
	const char *super = node_word(type, 2);
	bool is_simple = node_is(type, "simple");
	const struct node *n = NULL;

	metadata_element(&d->m, "class", 2 + (unsigned)(super != NULL) + (unsigned)is_simple);
	metadata_attribute(&d->m, "name", node_word(type, 1));
	if (super)
		metadata_attribute(&d->m, "superType", super);
	if (is_simple)
		metadata_attribute(&d->m, "simpleType", "true");
	metadata_attribute_id(&d->m, "id", id_of(d, node_word(type, 1)));
	metadata_children(&d->m, count_children(d, type));
	while ((n = nodes_child(d->all, type, n, d->jdk))) {
		if (*n->words == '@')
			put_annotation(d, n);
		else if (node_is(n, "setting"))
			put_setting(d, n);
		else
			put_field(d, n);
	}
}

static void put_types(struct declarer *d)
{
	const struct node *n = NULL;

	metadata_element(&d->m, "root", 0);
	metadata_children(&d->m, 1);
	metadata_element(&d->m, "metadata", 0);
	metadata_children(&d->m, count_children(d, NULL));
	while ((n = nodes_child(d->all, NULL, n, d->jdk)))
		put_type(d, n);
}

struct metadata *declare_types(const struct nodes *all, uint32_t jdk, struct jfrec_error *err)
{
	struct declarer d = { .all = all, .jdk = jdk };
	struct metadata *m = NULL;
	struct buffer event = { 0 };

	put_types(&d);
	for (unsigned i = 0; i < 4; i++) /* size, type, start, duration, which are not needed */
		buffer_varint(&event, 0);
	metadata_content(&d.m, 0, &event);
	if (event.failed)
		jfrec_fail_memory(err);
	else
		m = metadata_parse(event.data, event.len, NULL, err);
	metadata_writer_fini(&d.m);
	digest_map_fini(&d.ids);
	buffer_fini(&event);
	return m;
}
