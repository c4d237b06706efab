/* SPDX-License-Identifier: MIT */
/*
 * head.c - what was recorded, where, when, and what is missing of it
 */
#include <inttypes.h>
#include <string.h>

#include "report/html.h"
#include "report/shown_texts.h"

static void put_losses(struct html *h, size_t jvm)
{
	char losses[REPORT_LOSSES][REPORT_FACT_MAX];
	size_t n = report_losses(h->report, jvm, losses);

	for (size_t i = 0; i < n; i++) {
		html_put(h, "<p class=\"warn\">");
		if (report_jvms(h->report) > 1) {
			html_put_text(h, report_jvm_label(h->report, jvm));
			html_put(h, ": ");
		}
		html_putf(h, "%s</p>\n", losses[i]);
	}
}

/* What tells one recording from another; the rest is for those who ask. */
static bool is_of_line(const char *label)
{
	return strcmp(label, "Program") == 0 || strcmp(label, "Recorded") == 0 ||
	       strcmp(label, "Collector") == 0;
}

static void put_one(struct html *h)
{
	struct report_fact facts[REPORT_FACTS];
	size_t n = report_facts(h->report, 0, facts);
	bool is_first = true;

	html_put(h, "<details class=\"about\"><summary>");
	for (size_t i = 0; i < n; i++) {
		if (!is_of_line(facts[i].label))
			continue;
		html_put(h, is_first ? "" : " \xc2\xb7 ");
		html_put_text(h, facts[i].text);
		is_first = false;
	}
	html_put(h, is_first ? "What was recorded</summary>\n<dl class=\"facts\">\n"
			     : "</summary>\n<dl class=\"facts\">\n");
	for (size_t i = 0; i < n; i++) {
		html_putf(h, "<div><dt>%s</dt><dd>", facts[i].label);
		html_put_text(h, facts[i].text);
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl></details>\n");
}

/* A native program has a recorder where others have a JVM. */
static bool is_of_column(const char *label, const char *column)
{
	return strcmp(label, column) == 0 ||
	       (strcmp(label, "Recorder") == 0 && strcmp(column, "JVM") == 0);
}

/* Of several JVMs a table, so that findings stay in sight. */
static void put_several(struct html *h)
{
	static const char *const labels[] = { "Program", "Recorded", "JVM", "Machine", "Collector",
					      "Size" };
	const size_t count = sizeof(labels) / sizeof(*labels);

	html_put(h, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"JVMs\">"
		    "<table class=\"grid jvms\"><thead><tr>");
	for (size_t i = 0; i < count; i++)
		html_putf(h, "<th scope=\"col\" class=\"l\">%s</th>", labels[i]);
	html_put(h, "</tr></thead><tbody>\n");
	for (size_t jvm = 0; jvm < report_jvms(h->report); jvm++) {
		struct report_fact facts[REPORT_FACTS];
		size_t n = report_facts(h->report, jvm, facts), at = 0;

		html_put(h, "<tr>");
		/* Facts come in the order of the labels; some are not known. */
		for (size_t i = 0; i < count; i++) {
			html_put(h, "<td class=\"l\">");
			if (at >= n || !is_of_column(facts[at].label, labels[i]))
				continue;
			html_put_text(h,
				      i == 0 ? report_jvm_label(h->report, jvm) : facts[at].text);
			at++;
		}
		html_put(h, "\n");
	}
	html_put(h, "</tbody></table></div>\n");
}

void html_put_head(struct html *h)
{
	struct jfrec_report *r = h->report;

	if (r->damage)
		html_putf(h, "<p class=\"warn\">The recording is damaged in %" PRIu64 " place%s: this "
			     "shows what could be read. <code>jfrec summary</code> says where.</p>\n",
			  r->damage, r->damage == 1 ? "" : "s");
	if (report_jvms(r) > 1)
		put_several(h);
	else if (report_jvms(r))
		put_one(h);
	for (size_t i = 0; i < report_jvms(r); i++)
		put_losses(h, i);
	if (jfrec_analysis_jvm_count(r->analysis) > REPORT_JVMS)
		html_putf(h, "<p class=\"warn\">The recording has %zu JVMs, of which the first %d are "
			     "shown.</p>\n",
			  jfrec_analysis_jvm_count(r->analysis), REPORT_JVMS);
	if (!jfrec_analysis_jvm_count(r->analysis))
		html_put(h, "<p class=\"warn\">The recording has no data that could be read.</p>\n");
}
