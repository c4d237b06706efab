/* SPDX-License-Identifier: MIT */
/*
 * layout_form.c - the first row of a table, a line for each column
 */
#include <string.h>

#include "base/number.h"
#include "query/layout.h"

#define FORM_WIDTH 80

static uint32_t label_units(const struct column *c)
{
	return text_of(c->label, strlen(c->label)).units + 2;
}

/* Hidden columns count, too. */
static uint32_t longest_label(const struct resolved *q)
{
	uint32_t longest = 0;

	for (unsigned i = 0; i < q->column_count; i++) {
		if (label_units(&q->columns[i]) > longest)
			longest = label_units(&q->columns[i]);
	}
	return longest;
}

/* After so many characters a line ends, also where the text does. */
static bool put_text(struct out *out, const struct text *t, uint32_t indent, uint32_t width)
{
	for (uint32_t at = 0; at < t->units;) {
		uint32_t to = t->units - at < width ? t->units : at + width;
		struct buffer b = { 0 };
		uint8_t *room = buffer_room(&b, (size_t)(to - at) * 3 + 4);
		char *end;

		if (!room)
			return false;
		end = text_put_units((char *)room, t, at, to);
		out_put(out, (char *)room, (size_t)(end - (char *)room));
		buffer_fini(&b);
		if (to - at == width)
			out_char(out, '\n');
		for (uint32_t i = 0; to - at == width && to < t->units && i < indent; i++)
			out_char(out, ' ');
		at = to;
	}
	return true;
}

static void put_title(struct out *out, const char *title)
{
	uint32_t units = text_of(title, strlen(title)).units;

	out_char(out, '\n');
	out_put(out, title, strlen(title));
	out_char(out, '\n');
	while (units--)
		out_char(out, '-');
	out_char(out, '\n');
}

bool layout_form(const struct jfrec_answer *t, const struct layout_options *o,
		 struct cell_writer *w, struct out *out)
{
	int64_t width = o->width ? o->width : FORM_WIDTH;
	char number[NUMBER_MAX];

	if (3 + (int64_t)longest_label(t->query) > width) {
		OUT_STR(out, "\nColumns are too wide to fit width ");
		out_put(out, number, (size_t)(put_i64(number, width) - number));
		OUT_STR(out, ".\n");
		return true;
	}
	if (t->title)
		put_title(out, t->title);
	for (unsigned i = 0; i < t->query->visible_count; i++) {
		const struct column *c = &t->query->columns[i];
		uint32_t indent = label_units(c);
		struct text text = table_text(t, w, 0, i, false);

		out_char(out, '\n');
		out_put(out, c->label, strlen(c->label));
		OUT_STR(out, ": ");
		if (!put_text(out, &text, indent, (uint32_t)(width - indent - 1)))
			return false;
		out_char(out, '\n');
	}
	return !o->verbose || !t->name || layout_query(t, (int)width, out);
}
