/* SPDX-License-Identifier: MIT */
/*
 * metadata_writer.h - write the metadata event
 *
 * An element says how many attributes it has, then how many children:
 *
 *	metadata_element(m, "class", 2);
 *	metadata_attribute(m, "name", "app.Order");
 *	metadata_attribute_id(m, "id", 20);
 *	metadata_children(m, 1);
 *	metadata_element(m, "field", ...
 */
#ifndef JFREC_FORMAT_METADATA_WRITER_H
#define JFREC_FORMAT_METADATA_WRITER_H

#include "base/buffer.h"
#include "base/digest.h"

/* All zero at first. */
struct metadata_writer {
	struct buffer strings, elements;
	uint64_t string_count;
	struct digest_map indices; /* of strings, plus 1 */
};

/* Attributes are to follow, then metadata_children(). */
void metadata_element(struct metadata_writer *m, const char *name, unsigned attributes);
void metadata_attribute(struct metadata_writer *m, const char *key, const char *value);
void metadata_attribute_id(struct metadata_writer *m, const char *key, uint64_t value);
void metadata_children(struct metadata_writer *m, unsigned children);

/* All of the event from the metadata id on. */
void metadata_content(const struct metadata_writer *m, uint64_t id, struct buffer *to);

void metadata_writer_fini(struct metadata_writer *m);

#endif
