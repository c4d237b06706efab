/* SPDX-License-Identifier: MIT */
/*
 * page.c - the page: its sections, in their order
 */
#include <stdio.h>

#include "page/html_document.h"
#include "profiles/html.h"
#include "report/html.h"
#include "report/pauses.h"
#include "report/places.h"

/* Bytes of when stacks were seen, before they are compressed: a page is sent by mail. */
#define GRAPH_TIMES (1u << 20)

static void put_links(struct html *h)
{
	html_put(h, "<nav class=\"parts\" aria-label=\"Sections\"><a href=\"#findings\">Findings</a> "
		    "<a href=\"#timeline\">Timeline</a> <a href=\"#gc\">Garbage collection</a> "
		    "<a href=\"#where\">Profiles</a>");
	for (size_t i = SECTION_GC + 1; i < SECTION_COUNT; i++)
		html_putf(h, " <a href=\"#%s\">%s</a>", section_infos[i].id,
			  report_words(h->report, section_infos[i].title));
	html_put(h, "</nav>\n");
}

static void put_jvm_title(struct html *h, size_t jvm)
{
	html_put(h, "<h3 class=\"jvm\">");
	html_put_text(h, report_jvm_label(h->report, jvm));
	html_put(h, "</h3>\n");
}

/* What everybody looks for first: the verdict, and how the JVM did. */
static void put_overview(struct html *h)
{
	size_t jvms = report_jvms(h->report);

	html_put(h, "<section class=\"part overview\" aria-labelledby=\"figures\">\n"
		    "<h2 id=\"figures\" class=\"verdict\">");
	if (jvms == 1)
		html_put_verdict(h, 0);
	else
		html_put(h, "Overview");
	html_put(h, "</h2>\n");
	for (size_t i = 0; i < jvms; i++) {
		if (jvms > 1) {
			put_jvm_title(h, i);
			html_put(h, "<p class=\"verdict\">");
			html_put_verdict(h, i);
			html_put(h, "</p>\n");
		}
		html_put_first_info(h, i);
		html_put_figures(h, i);
	}
	html_end_section(h);
}

static void put_findings(struct html *h)
{
	size_t jvms = report_jvms(h->report);

	html_begin_section(h, "findings", "Findings");
	for (size_t i = 0; i < jvms; i++) {
		if (jvms > 1)
			put_jvm_title(h, i);
		html_put_findings(h, i);
	}
	html_end_section(h);
}

static int put_timeline(struct html *h)
{
	int ret;

	html_begin_section(h, "timeline", "Timeline");
	html_put(h, "<p class=\"soft brush\" id=\"brush\" hidden><span id=\"brushed\" "
		    "aria-live=\"polite\"></span> <button type=\"button\" id=\"whole\" hidden>Show the "
		    "whole time</button></p>\n");
	ret = html_put_timeline(h);
	html_end_section(h);
	return ret;
}

static bool has_profiles(const struct jfrec_report *r)
{
	for (unsigned side = 0; side < REPORT_JVMS; side++) {
		for (size_t i = 0; i < jfrec_stacks_count(r->stacks); i++) {
			if (stacks_side_has(r->stacks, side, i, JFREC_STACKS_ALL))
				return true;
		}
	}
	return false;
}

/* The profiles of a JVM are named after it, where there are several. */
static int put_graphs_of_all(struct html *h)
{
	struct jfrec_report *r = h->report;
	char names[REPORT_JVMS][160] = { "" };
	const char *sides[REPORT_JVMS];
	struct html_graphs graphs = { .spans = REPORT_SPANS,
				      .times_room = GRAPH_TIMES,
				      .side_count = r->part_count };

	if (graphs.side_count > REPORT_JVMS)
		graphs.side_count = REPORT_JVMS;
	for (size_t i = 0; i < report_jvms(r); i++) {
		unsigned part = report_part(r, i);

		if (part < REPORT_JVMS)
			snprintf(names[part], sizeof(names[part]), "%s",
				 report_redact(r, report_jvm_label(r, i)));
	}
	for (size_t i = 0; i < REPORT_JVMS; i++)
		sides[i] = names[i];
	if (r->part_count > 1)
		graphs.sides = sides;
	return html_put_graphs(r->stacks, &graphs, h->out);
}

static int put_graphs(struct html *h)
{
	int ret = 0;

	html_begin_section(h, "where", "Profiles");
	if (h->has_graphs)
		ret = put_graphs_of_all(h);
	else if (jfrec_stacks_producer(h->report->stacks))
		html_put(h, "<p class=\"missing\">There are no samples with a stack trace.</p>\n");
	else
		html_put(h, "<p class=\"missing\">There are no samples with a stack trace; <code>jfrec "
			    "start --settings profile</code> records them.</p>\n");
	html_end_section(h);
	return ret;
}

static int put_section(struct html *h, enum section section)
{
	int ret = 0;

	html_begin_section(h, section_infos[section].id,
			   report_words(h->report, section_infos[section].title));
	if (section == SECTION_GC)
		html_put_pauses(h);
	if (section == SECTION_THREADS)
		ret = html_put_threads(h);
	html_put_tables(h, section);
	html_end_section(h);
	return ret;
}

/* Is there nothing in the section but reasons why? */
static bool is_empty(struct html *h, enum section section)
{
	const struct heat_thread *threads[REPORT_THREADS];
	const char *why;

	for (size_t jvm = 0; jvm < report_jvms(h->report); jvm++) {
		if (section == SECTION_GC && pauses_of(h->report, jvm).all)
			return false;
		if (section == SECTION_THREADS && report_threads(h->report, jvm, threads))
			return false;
		for (size_t i = 0; i < table_count; i++) {
			if (table_infos[i].section == section &&
			    report_table(h->report, jvm, i, &why))
				return false;
		}
	}
	return true;
}

static int put_sections(struct html *h, bool are_empty)
{
	for (int i = SECTION_GC + 1; i < SECTION_COUNT; i++) {
		if (is_empty(h, (enum section)i) == are_empty &&
		    put_section(h, (enum section)i) < 0)
			return -1;
	}
	return 0;
}

/* Sections that have nothing to show, below all others and folded: links to them open it. */
static int put_empty_sections(struct html *h)
{
	unsigned n = 0;
	int ret;

	for (int i = SECTION_GC + 1; i < SECTION_COUNT; i++) {
		if (!is_empty(h, (enum section)i))
			continue;
		html_putf(h, "%s%s", n++ ? ", " : "<details class=\"table empty\"><summary>Nothing to show: ",
			  report_words(h->report, section_infos[i].title));
	}
	if (!n)
		return 0;
	html_put(h, "</summary>\n");
	ret = put_sections(h, true);
	html_put(h, "</details>\n");
	return ret;
}

/* What the page opens is what the first finding is about. */
static void begin_main(struct html *h)
{
	size_t jvm;
	const char *profile = report_first_profile(h->report, &jvm);
	unsigned part = profile ? report_part(h->report, jvm) : 0;

	html_put(h, "<main");
	if (profile && part)
		html_putf(h, " data-profile=\"%s-%u\"", profile, part + 1);
	else if (profile)
		html_putf(h, " data-profile=\"%s\"", profile);
	html_put(h, ">\n");
}

static int put_body(struct html *h)
{
	html_put_head(h);
	html_document_end_header(h->out);
	put_links(h);
	begin_main(h);
	put_overview(h);
	put_findings(h);
	if (put_timeline(h) < 0 || put_section(h, SECTION_GC) < 0 || put_graphs(h) < 0 ||
	    put_sections(h, false) < 0 || put_empty_sections(h) < 0)
		return -1;
	html_put(h, "</main>\n");
	return 0;
}

int page_write(struct jfrec_report *r, struct out *out)
{
	struct html h = { .report = r, .out = out, .has_graphs = has_profiles(r) };
	const char *styles[] = { html_style(), embedded_text(embedded_report, "report-style"), NULL };
	const char *scripts[8] = { embedded_text(embedded_report, "report-script") };
	struct html_document d = { r->title, NULL, styles, scripts };
	int ret;

	for (size_t i = 0; html_script(i) && (h.has_graphs || i == 0); i++) {
		scripts[i + 1] = scripts[i];
		scripts[i] = html_script(i);
	}
	/* Those of the graphs come first, as in a page of their own. */
	html_document_begin(&d, out);
	ret = put_body(&h);
	html_document_end(&d, out);
	buffer_fini(&h.data);
	buffer_fini(&h.cell);
	return ret;
}
