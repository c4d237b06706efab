/* SPDX-License-Identifier: MIT */
/*
 * layout_query.c - a query as text again, broken into lines: --verbose
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "query/layout.h"

static void put(struct buffer *b, const char *s)
{
	buffer_put(b, s, strlen(s));
}

static void put_quoted(struct buffer *b, const char *s)
{
	put(b, "'");
	put(b, s);
	put(b, "'");
}

static void write_formats(struct buffer *b, const struct parsed *p)
{
	for (unsigned i = 0; i < p->format_count; i++) {
		put(b, i ? ", " : "FORMAT ");
		put(b, p->formats[i].text);
	}
	if (p->format_count)
		put(b, " ");
}

static void write_item(struct buffer *b, const struct select_item *item)
{
	if (item->aggregator) {
		put(b, item->function ? item->function
				      : aggregator_names[item->aggregator].long_name);
		put(b, "(");
	}
	put(b, item->field);
	put(b, item->aggregator ? ")" : "");
}

static void write_having(struct buffer *b, const struct parsed *p)
{
	static const char *const signs[] = { " < ", " <= ", " = ", " != ", " >= ", " > " };

	for (unsigned i = 0; i < p->having_count; i++) {
		const struct having *h = &p->having[i];

		put(b, i ? " AND " : " HAVING ");
		write_item(b, &p->items[h->item]);
		put(b, signs[h->comparison]);
		if (h->kind == HAVING_TEXT)
			put_quoted(b, h->text);
		else
			put(b, h->text);
	}
}

static void write_items(struct buffer *b, const struct parsed *p)
{
	put(b, "SELECT ");
	if (!p->item_count)
		put(b, "*");
	for (unsigned i = 0; i < p->item_count; i++) {
		const struct select_item *item = &p->items[i];

		put(b, i ? ", " : "");
		write_item(b, item);
		if (item->alias) {
			put(b, " AS ");
			if (item->is_labelled)
				put_quoted(b, item->alias);
			else
				put(b, item->alias);
		}
	}
}

static void write_from(struct buffer *b, const struct parsed *p)
{
	for (unsigned i = 0; i < p->from_count; i++) {
		put(b, i ? ", " : " FROM ");
		put(b, p->from[i].name);
		if (p->from[i].alias) {
			put(b, " AS ");
			put(b, p->from[i].alias);
		}
	}
	if (p->where) {
		put(b, " WHERE ");
		put(b, p->where_text);
	}
	for (unsigned i = 0; i < p->condition_count; i++) {
		put(b, i ? " AND " : " WHERE ");
		put(b, p->conditions[i].field);
		put(b, " = ");
		put_quoted(b, p->conditions[i].value);
	}
}

static void write_order(struct buffer *b, const struct parsed *p, const struct resolved *q)
{
	char number[24];

	for (unsigned i = 0; i < p->group_count; i++) {
		bool is_every = p->every_ns && strcmp(p->group_by[i], "startTime") == 0;

		put(b, i ? ", " : " GROUP BY ");
		put(b, is_every ? "every(" : p->group_by[i]);
		put(b, is_every ? p->every : "");
		put(b, is_every ? ")" : "");
	}
	if (!p->group_count && q->has_aggregator)
		put(b, " GROUP BY startTime");
	write_having(b, p);
	for (unsigned i = 0; i < p->order_count; i++) {
		put(b, i ? ", " : " ORDER BY ");
		write_item(b, &p->order_by[i].item);
		if (p->order_by[i].direction)
			put(b, p->order_by[i].direction == ASCENDING ? " ASC" : " DESC");
	}
	if (p->per) {
		snprintf(number, sizeof(number), " LIMIT %" PRIu64, p->per_limit);
		put(b, number);
		put(b, " PER ");
		write_item(b, p->per);
	}
	if (p->has_limit) {
		snprintf(number, sizeof(number), " LIMIT %" PRIu64, p->limit);
		put(b, number);
	}
}

static void write_query(struct buffer *b, const struct parsed *p, const struct resolved *q)
{
	for (unsigned i = 0; i < p->column_count; i++) {
		put(b, i ? ", " : "COLUMN ");
		put_quoted(b, p->columns[i]);
	}
	if (p->column_count)
		put(b, " ");
	write_formats(b, p);
	write_items(b, p);
	write_from(b, p);
	write_order(b, p, q);
	buffer_u8(b, 0);
}

/* Breaking ------------------------------------------------------------------------------------- */

/* The end of the token: a blank, = or , outside of quotes. */
static const char *token_end(const char *s)
{
	bool quoted = false;

	if (*s == '=' || *s == ',')
		return s + 1;
	for (; *s; s++) {
		if (*s == '\'')
			quoted = !quoted;
		else if (!quoted && (*s == ' ' || *s == '=' || *s == ','))
			break;
	}
	return s;
}

static void put_blank(struct out *out, uint32_t *position)
{
	out_char(out, ' ');
	++*position;
}

/* A token that is longer than a line is broken wherever one ends. */
static void put_long(struct out *out, const struct text *t, uint32_t width, uint32_t *position)
{
	for (uint32_t at = 0; at < t->units;) {
		uint32_t n = t->units - at < width ? t->units - at : width;
		char piece[4096];

		if (n > sizeof(piece) / 3)
			n = sizeof(piece) / 3;
		if (at) {
			out_char(out, '\n');
			*position = 0;
		}
		out_put(out, piece, (size_t)(text_put_units(piece, t, at, at + n) - piece));
		*position += n;
		at += n;
	}
}

static void put_broken(struct out *out, const char *s, uint32_t width)
{
	uint32_t position = 0;
	bool first = true;

	while (*s) {
		const char *end;
		struct text t;
		bool blank;

		if (*s == ' ') {
			s++;
			continue;
		}
		end = token_end(s);
		t = text_of(s, (size_t)(end - s));
		blank = !first && *s != ',' && *s != ';';
		if (!first && position + t.units + blank > width) {
			out_char(out, '\n');
			position = 0;
		} else if (blank) {
			put_blank(out, &position);
		}
		put_long(out, &t, width ? width : 1, &position);
		first = false;
		s = end;
	}
}

bool layout_query(const struct jfrec_answer *t, int width, struct out *out)
{
	struct buffer b = { 0 };
	bool ok;

	write_query(&b, t->parsed, t->query);
	ok = !b.failed;
	out_char(out, '\n');
	if (ok)
		put_broken(out, (const char *)b.data, width > 0 ? (uint32_t)width : 1);
	out_char(out, '\n');
	buffer_fini(&b);
	return ok;
}
