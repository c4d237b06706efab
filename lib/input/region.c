/* SPDX-License-Identifier: MIT */
/*
 * region.c - the bytes of an archive, for those that find the files in it
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/archive_parts.h"

int region_read(const struct region *r, uint64_t at, void *to, size_t len, size_t *got,
		struct jfrec_error *err)
{
	uint64_t left = at < r->len ? r->len - at : 0;

	if (len > left)
		len = (size_t)left;
	*got = len;
	if (!r->is_aside)
		return input_read(&r->of->base, r->offset + at, to, len, got, err);
	return len ? kept_read(&r->of->aside, r->offset + at, to, len, err) : 0;
}

struct member region_member(const struct region *r, uint64_t at, uint64_t len)
{
	uint64_t left = at < r->len ? r->len - at : 0;

	return (struct member){
		.of = r->of,
		.is_aside = r->is_aside,
		.offset = r->offset + (left ? at : 0),
		.len = len < left ? len : left,
	};
}

/* The end of a path says more than its beginning. */
void entry_name(struct entry *e, const void *name, size_t len)
{
	const char *from = name;
	size_t cut = len < sizeof(e->name) ? 0 : len - (sizeof(e->name) - 1);

	memcpy(e->name, from + cut, len - cut);
	e->name[len - cut] = '\0';
	if (cut)
		memcpy(e->name, "...", 3);
}

void listing_note(struct listing *l, const char *format, ...)
{
	struct archive_notes *n = l->notes;
	char *text = NULL, *whole = NULL;
	va_list args;

	va_start(args, format);
	if (n->count < sizeof(n->texts) / sizeof(*n->texts) && vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text && l->inside && asprintf(&whole, "%.100s: %s", l->inside, text) < 0)
		whole = NULL;
	if (whole) {
		free(text);
		text = whole;
	}
	if (text)
		n->texts[n->count++] = text;
	else
		n->more++;
}

void archive_notes_fini(struct archive_notes *notes)
{
	while (notes->count)
		free(notes->texts[--notes->count]);
	*notes = (struct archive_notes){ 0 };
}
