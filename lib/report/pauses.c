/* SPDX-License-Identifier: MIT */
/*
 * pauses.c - how long collections stop the application: a histogram
 */
#include "report/html.h"
#include "report/pauses.h"

/* Upper bounds in ns; what is longer than the last is in one of its own. */
static const int64_t bounds_ns[PAUSE_CLASSES - 1] = {
	1000000, 2000000, 5000000, 10000000, 20000000, 50000000, 100000000, 200000000, 500000000,
	1000000000, 2000000000, 5000000000, 10000000000,
};

int64_t pause_bound_ns(size_t class)
{
	return class < PAUSE_CLASSES - 1 ? bounds_ns[class] : INT64_MAX;
}

/* A pause; or all of a collection, by its longest. */
static void count(struct pause_histogram *p, int64_t longest_ns, int64_t sum_ns)
{
	size_t i = 0;

	while (i < PAUSE_CLASSES - 1 && longest_ns > bounds_ns[i])
		i++;
	p->count[i]++;
	/* A recording can say more than 64 bits hold. */
	if (__builtin_add_overflow(p->total_ns[i], sum_ns, &p->total_ns[i]))
		p->total_ns[i] = INT64_MAX;
	p->all++;
}

struct pause_histogram pauses_of(const struct jfrec_report *r, size_t jvm)
{
	const struct facts *f = &report_jvm(r, jvm)->facts;
	struct pause_histogram p = { 0 };

	for (size_t i = 0; i < f->pauses.count; i++) {
		int64_t ns = f->pauses.list[i].end_ns - f->pauses.list[i].start_ns;

		count(&p, ns, ns);
	}
	for (size_t i = 0; !f->pauses.count && i < f->collection_count; i++)
		count(&p, f->collections[i].longest_ns, f->collections[i].pauses_ns);
	return p;
}

static void put_class(struct html *h, const struct pause_histogram *p, size_t i, uint64_t most)
{
	char bound[HUMAN_MAX], total[HUMAN_MAX];

	html_put(h, "<tr><td>");
	html_putf(h, i < PAUSE_CLASSES - 1 ? "up to %s" : "over %s",
		  number_text(bound, JFREC_UNIT_NS,
			      (double)bounds_ns[i < PAUSE_CLASSES - 1 ? i : i - 1]));
	html_putf(h, "<td>%llu<td>%s<td class=\"l bar-cell\"><svg width=\"100%%\" height=\"14\" "
		     "aria-hidden=\"true\"><rect class=\"bar-rect\" width=\"%.2f%%\" y=\"2\" "
		     "height=\"10\"/></svg>\n",
		  (unsigned long long)p->count[i],
		  number_text(total, JFREC_UNIT_NS, (double)p->total_ns[i]),
		  100 * (double)p->count[i] / (double)most);
}

static void put_histogram(struct html *h, const struct pause_histogram *p, size_t jvm)
{
	size_t first = 0, last = PAUSE_CLASSES - 1;
	uint64_t most = 1;

	while (!p->count[first])
		first++;
	while (!p->count[last])
		last--;
	for (size_t i = first; i <= last; i++)
		most = p->count[i] > most ? p->count[i] : most;
	html_put(h, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"GC pauses by "
		    "length");
	if (report_jvms(h->report) > 1) {
		html_put(h, ", ");
		html_put_text(h, report_jvm_label(h->report, jvm));
	}
	html_put(h, "\"><table class=\"grid histogram\"><thead><tr><th scope=\"col\">Pause</th>"
		    "<th scope=\"col\">Count</th><th scope=\"col\">Total</th><th scope=\"col\" "
		    "class=\"l\">Share</th></tr></thead><tbody>\n");
	for (size_t i = first; i <= last; i++)
		put_class(h, p, i, most);
	html_put(h, "</tbody></table></div>\n");
}

void html_put_pauses(struct html *h)
{
	for (size_t i = 0; i < report_jvms(h->report); i++) {
		struct pause_histogram p = pauses_of(h->report, i);

		if (!p.all)
			continue;
		html_put(h, "<h3>");
		html_put_heading(h, "GC Pauses by Length", i);
		html_put(h, "</h3>\n");
		put_histogram(h, &p, i);
	}
}
