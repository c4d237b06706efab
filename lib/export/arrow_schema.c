/* SPDX-License-Identifier: MIT */
/*
 * arrow_schema.c - the types of columns in Arrow's C data interface
 */
#include <stdlib.h>
#include <string.h>

#include "export/arrow.h"

#define UNIT_KEY "jfrec.unit"

static const char *format_of(enum jfrec_table_kind kind)
{
	static const char *const formats[] = {
		[JFREC_TABLE_BOOLEAN] = "b", [JFREC_TABLE_INT8] = "c",	  [JFREC_TABLE_INT16] = "s",
		[JFREC_TABLE_INT32] = "i",   [JFREC_TABLE_INT64] = "l",	  [JFREC_TABLE_UINT8] = "C",
		[JFREC_TABLE_UINT16] = "S",  [JFREC_TABLE_UINT32] = "I",  [JFREC_TABLE_UINT64] = "L",
		[JFREC_TABLE_FLOAT32] = "f", [JFREC_TABLE_FLOAT64] = "g", [JFREC_TABLE_TIME] = "tsn:UTC",
		[JFREC_TABLE_SPAN] = "l",
	};

	return kind < JFREC_TABLE_TEXT ? formats[kind] : "u";
}

static void release(struct ArrowSchema *s)
{
	for (int64_t i = 0; i < s->n_children; i++) {
		struct ArrowSchema *child = s->children[i];

		if (child && child->release)
			child->release(child);
		free(child);
	}
	if (s->dictionary && s->dictionary->release)
		s->dictionary->release(s->dictionary);
	free(s->dictionary);
	free(s->children);
	free((char *)s->name);
	free((char *)s->metadata);
	s->release = NULL;
}

static char *put_text(char *to, const char *text)
{
	int32_t len = (int32_t)strlen(text);

	memcpy(to, &len, sizeof(len));
	memcpy(to + sizeof(len), text, (size_t)len);
	return to + sizeof(len) + len;
}

/* The number of pairs, then for each the length and bytes of its key and its value. */
static char *metadata_of(const char *unit)
{
	char *metadata = malloc(3 * sizeof(int32_t) + strlen(UNIT_KEY) + strlen(unit));
	int32_t count = 1;

	if (!metadata)
		return NULL;
	memcpy(metadata, &count, sizeof(count));
	put_text(put_text(metadata + sizeof(count), UNIT_KEY), unit);
	return metadata;
}

static bool make_column(struct ArrowSchema *s, const struct arrow_column *c)
{
	bool has_dictionary = arrow_has_dictionary(c);

	*s = (struct ArrowSchema){
		.format = has_dictionary ? "i" : format_of(c->kind),
		.name = strdup(c->name),
		.metadata = c->unit ? metadata_of(c->unit) : NULL,
		.flags = ARROW_FLAG_NULLABLE,
		.dictionary = has_dictionary ? calloc(1, sizeof(*s)) : NULL,
		.release = release,
	};
	if (s->dictionary)
		*s->dictionary = (struct ArrowSchema){ .format = "u", .name = strdup(""),
						       .release = release };
	return s->name && (!c->unit || s->metadata) &&
	       (!has_dictionary || (s->dictionary && s->dictionary->name));
}

bool arrow_schema_make(struct ArrowSchema *s, const struct arrow_column *columns, size_t count)
{
	bool is_good;

	*s = (struct ArrowSchema){
		.format = "+s",
		.name = strdup(""),
		.children = calloc(count + 1, sizeof(struct ArrowSchema *)),
		.release = release,
	};
	is_good = s->name && s->children;
	for (size_t i = 0; is_good && i < count; i++) {
		s->children[i] = calloc(1, sizeof(*s));
		s->n_children++;
		is_good = s->children[i] && make_column(s->children[i], &columns[i]);
	}
	if (!is_good)
		release(s);
	return is_good;
}
