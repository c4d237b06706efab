/* SPDX-License-Identifier: MIT */
/*
 * reasons.c - why something is not in the report, as a list
 */
#include <string.h>

#include "report/html.h"

/* More are folded: few read them. */
#define MOST_OPEN 2

static void add_item(struct reasons *list, const char *title, size_t jvm, const char *why)
{
	if (list->count < sizeof(list->list) / sizeof(*list->list))
		list->list[list->count++] = (struct reason){ title, why, jvm };
}

static void put_item(struct html *h, const struct reason *r)
{
	html_put(h, "<li>");
	markup_put_text(h->out, r->title);
	if (r->jvm < REPORT_JVMS) {
		html_put(h, " (");
		html_put_text(h, report_jvm_label(h->report, r->jvm));
		html_put(h, ")");
	}
	html_put(h, ": ");
	html_put_sentence(h, r->why);
	html_put(h, "</li>\n");
}

/* Is it the same reason for all JVMs? */
static bool are_same(const char *const *why, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (!why[i] || strcmp(why[i], why[0]) != 0)
			return false;
	}
	return true;
}

void html_put_reasons(struct reasons *list, const char *title, const char *const *why)
{
	size_t jvms = report_jvms(list->h->report);

	if (!jvms)
		return;
	if (are_same(why, jvms)) {
		add_item(list, title, SIZE_MAX, why[0]);
		return;
	}
	for (size_t i = 0; i < jvms; i++) {
		if (why[i])
			add_item(list, title, i, why[i]);
	}
}

void html_end_reasons(const struct reasons *list)
{
	bool is_folded = list->count > MOST_OPEN;

	if (!list->count)
		return;
	if (is_folded)
		html_putf(list->h, "<details class=\"table\"><summary>Not shown, and why (%zu)</summary>\n",
			  list->count);
	html_put(list->h, "<ul class=\"missing\">\n");
	for (size_t i = 0; i < list->count; i++)
		put_item(list->h, &list->list[i]);
	html_put(list->h, is_folded ? "</ul></details>\n" : "</ul>\n");
}
