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

static void put_one(struct html *h)
{
	struct report_fact facts[REPORT_FACTS];
	size_t n = report_facts(h->report, 0, facts);

	html_put(h, "<dl class=\"facts\">\n");
	for (size_t i = 0; i < n; i++) {
		html_putf(h, "<div><dt>%s</dt><dd>", facts[i].label);
		html_put_text(h, facts[i].text);
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl>\n");
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

void html_put_figures(struct html *h, size_t jvm)
{
	struct figure figures[MAX_FIGURES];
	size_t n = report_figures(h->report, jvm, figures);
	char text[HUMAN_MAX];

	if (!n) {
		html_put(h, "<p class=\"missing\">Nothing was recorded that has key figures, such as "
			    "the CPU load; <code>jfrec start --settings continuous</code> records "
			    "them.</p>\n");
		return;
	}
	html_put(h, "<dl class=\"figures\">\n");
	for (size_t i = 0; i < n; i++) {
		const struct figure *f = &figures[i];

		html_putf(h, "<div><dt>%s</dt><dd><b>%s</b>", report_words(h->report, f->label),
			  number_text(text, f->unit, f->value));
		if (f->value_is)
			html_putf(h, " %s", f->value_is);
		if (f->peak_is)
			html_putf(h, ", %s %s", number_text(text, f->unit, f->peak), f->peak_is);
		html_put(h, "</dd></div>\n");
	}
	html_put(h, "</dl>\n");
}
