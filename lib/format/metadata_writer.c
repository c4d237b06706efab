/* SPDX-License-Identifier: MIT */
/*
 * metadata_writer.c - write the metadata event
 */
#include "format/metadata_writer.h"

#include <inttypes.h>
#include <stdio.h>

#include "format/string.h"

static void put_string(struct metadata_writer *m, const char *s)
{
	size_t len = strlen(s);

	buffer_u8(&m->strings, len ? STRING_UTF8 : STRING_EMPTY);
	if (len)
		buffer_varint(&m->strings, len);
	buffer_put(&m->strings, s, len);
}

/* Each word of an element is an index into the strings. */
static void put_word(struct metadata_writer *m, const char *word)
{
	struct digest d = DIGEST_INIT;
	uint64_t *index;

	digest_bytes(&d, word, strlen(word));
	index = digest_map_put(&m->indices, d);
	if (!index) {
		m->elements.failed = true;
		return;
	}
	if (!*index) {
		*index = ++m->string_count;
		put_string(m, word);
	}
	buffer_varint(&m->elements, *index - 1);
}

void metadata_element(struct metadata_writer *m, const char *name, unsigned attributes)
{
	put_word(m, name);
	buffer_varint(&m->elements, attributes);
}

void metadata_attribute(struct metadata_writer *m, const char *key, const char *value)
{
	put_word(m, key);
	put_word(m, value);
}

void metadata_attribute_id(struct metadata_writer *m, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	metadata_attribute(m, key, text);
}

void metadata_children(struct metadata_writer *m, unsigned children)
{
	buffer_varint(&m->elements, children);
}

void metadata_content(const struct metadata_writer *m, uint64_t id, struct buffer *to)
{
	buffer_varint(to, id);
	buffer_varint(to, m->string_count);
	buffer_put(to, m->strings.data, m->strings.len);
	buffer_put(to, m->elements.data, m->elements.len);
	to->failed |= m->strings.failed | m->elements.failed;
}

void metadata_writer_fini(struct metadata_writer *m)
{
	buffer_fini(&m->strings);
	buffer_fini(&m->elements);
	digest_map_fini(&m->indices);
}
