/* SPDX-License-Identifier: MIT */
/*
 * reasons.c - why something is not in the report, as a list
 */
#include <string.h>

#include "report/html.h"

static void put_item(struct reasons *list, const char *title, size_t jvm, const char *why)
{
	struct html *h = list->h;

	html_put(h, list->has_any ? "<li>" : "<ul class=\"missing\">\n<li>");
	list->has_any = true;
	markup_put_text(h->out, title);
	if (jvm < REPORT_JVMS) {
		html_put(h, " (");
		html_put_text(h, report_jvm_label(h->report, jvm));
		html_put(h, ")");
	}
	html_put(h, ": ");
	html_put_sentence(h, why);
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
		put_item(list, title, SIZE_MAX, why[0]);
		return;
	}
	for (size_t i = 0; i < jvms; i++) {
		if (why[i])
			put_item(list, title, i, why[i]);
	}
}

void html_end_reasons(struct reasons *list)
{
	if (list->has_any)
		html_put(list->h, "</ul>\n");
}
