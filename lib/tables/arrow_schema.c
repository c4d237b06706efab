/* SPDX-License-Identifier: MIT */
/*
 * arrow_schema.c - the types of columns in Arrow's C data interface
 */
#include <stdlib.h>
#include <string.h>

#include "tables/arrow.h"
#include "tables/frame_lists.h"

#define UNIT_KEY "jfrec.unit"

static const char *format_of(enum jfrec_kind kind)
{
	static const char *const formats[] = {
		[JFREC_KIND_BOOL] = "b",    [JFREC_KIND_INT8] = "c",
		[JFREC_KIND_INT16] = "s",   [JFREC_KIND_INT32] = "i",
		[JFREC_KIND_INT64] = "l",   [JFREC_KIND_UINT8] = "C",
		[JFREC_KIND_UINT16] = "S",  [JFREC_KIND_UINT32] = "I",
		[JFREC_KIND_UINT64] = "L",  [JFREC_KIND_FLOAT32] = "f",
		[JFREC_KIND_FLOAT64] = "g", [JFREC_KIND_TIME] = "tsn:UTC",
		[JFREC_KIND_SPAN] = "l",
	};

	return kind < JFREC_KIND_STRING ? formats[kind] : "u";
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

static bool add_children(struct ArrowSchema *s, size_t count)
{
	s->children = calloc(count + 1, sizeof(struct ArrowSchema *));
	for (size_t i = 0; s->children && i < count; i++) {
		s->children[i] = calloc(1, sizeof(*s));
		s->n_children++;
		if (!s->children[i])
			return false;
	}
	return s->children != NULL;
}

static bool begin(struct ArrowSchema *s, const char *format, const char *name)
{
	*s = (struct ArrowSchema){
		.format = format,
		.name = strdup(name),
		.flags = ARROW_FLAG_NULLABLE,
		.release = release,
	};
	return s->name != NULL;
}

/* Texts that are kept once, by their numbers. */
static bool add_texts(struct ArrowSchema *s)
{
	s->dictionary = calloc(1, sizeof(*s));
	if (!s->dictionary || !begin(s->dictionary, "u", ""))
		return false;
	s->dictionary->flags = 0;
	return true;
}

/* A list of structs. */
static bool add_frames(struct ArrowSchema *list)
{
	struct ArrowSchema *frame;

	if (!add_children(list, 1) || !begin(list->children[0], "+s", "item"))
		return false;
	frame = list->children[0];
	frame->flags = 0;
	if (!add_children(frame, FRAME_PARTS))
		return false;
	for (unsigned i = 0; i < FRAME_PARTS; i++) {
		enum frame_part p = (enum frame_part)i;

		if (!begin(frame->children[i], "i", frame_part_name(p)) ||
		    (frame_part_is_text(p) && !add_texts(frame->children[i])))
			return false;
	}
	return true;
}

static bool make_column(struct ArrowSchema *s, const struct arrow_column *c)
{
	const char *format = c->lists_frames	       ? "+l"
			     : arrow_has_dictionary(c) ? "i"
						       : format_of(c->kind);

	if (!begin(s, format, c->name) || (c->unit && !(s->metadata = metadata_of(c->unit))))
		return false;
	if (c->lists_frames)
		return add_frames(s);
	return !arrow_has_dictionary(c) || add_texts(s);
}

bool arrow_schema_make(struct ArrowSchema *s, const struct arrow_column *columns, size_t count)
{
	bool is_good = begin(s, "+s", "") && add_children(s, count);

	s->flags = 0;
	for (size_t i = 0; is_good && i < count; i++)
		is_good = make_column(s->children[i], &columns[i]);
	if (!is_good)
		release(s);
	return is_good;
}
