/* SPDX-License-Identifier: MIT */
/*
 * shown_texts.c - texts as people are shown them: without secrets, and not too long
 */
#include "report/shown_texts.h"

#include <stdio.h>
#include <string.h>

/* Secrets are looked for in so much of a text. */
#define MOST_LOOKED 65536

/* The place after so many bytes, or before the character there. */
static size_t cut_at(const char *text, size_t len, size_t most)
{
	if (len <= most)
		return len;
	while (most && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

static const char *copied(struct buffer *room, const char *text, size_t len)
{
	buffer_clear(room);
	buffer_put(room, text, len);
	buffer_u8(room, 0);
	return room->failed ? NULL : (const char *)room->data;
}

const char *report_shown(struct jfrec_report *r, const struct text_spot *spot, const char *text,
			 size_t len, size_t most, struct buffer *room, bool *is_cut)
{
	const char *shown;
	size_t end;

	*is_cut = false;
	text = copied(room, text, cut_at(text, len, MOST_LOOKED));
	if (!text)
		return NULL;
	shown = secrets_redact(r->secrets, spot, text);
	len = strlen(shown);
	end = cut_at(shown, len, most);
	*is_cut = end < len;
	/* What was redacted lies in the rules' room. */
	if (*is_cut && shown == text)
		room->data[end] = '\0';
	else if (*is_cut)
		shown = copied(room, shown, end);
	return shown;
}

/* "E.value" of a query with aliases is the field "value". */
static const char *field_of(const struct jfrec_answer_column *c)
{
	const char *dot = strrchr(c->field, '.');

	return dot ? dot + 1 : c->field;
}

void cell_spot_init(struct cell_spot *c, struct jfrec_answer *t, const struct table_info *info,
		    size_t row, unsigned column)
{
	const char *text;
	size_t len;

	c->spot = (struct text_spot){ .event = info->event,
				      .field = field_of(jfrec_answer_column_get(t, column)) };
	/* The first column of two names what the second one has. */
	if (column == 1 && (text = table_cell_text(t, row, 0, &len))) {
		snprintf(c->name, sizeof(c->name), "%.*s",
			 (int)(len < sizeof(c->name) ? len : sizeof(c->name) - 1), text);
		c->spot.name = c->name;
	}
}

const char *report_table_title(struct jfrec_report *r, const struct table_info *info)
{
	const struct jfrec_view *view = info->title ? NULL
						    : jfrec_views_find(r->views, info->view);

	return report_words(r, info->title ? info->title : view ? view->label : info->view);
}

bool report_is_name(const struct jfrec_evidence *e)
{
	switch (e->kind) {
	case JFREC_EVIDENCE_THREAD:
	case JFREC_EVIDENCE_CLASS:
	case JFREC_EVIDENCE_METHOD:
	case JFREC_EVIDENCE_STACK:
	case JFREC_EVIDENCE_FILE:
	case JFREC_EVIDENCE_HOST:
		return true;
	default:
		return false;
	}
}
