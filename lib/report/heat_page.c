/* SPDX-License-Identifier: MIT */
/*
 * heat_page.c - threads of the page: what each did when, as strips and as a table
 *
 * A strip shows of each moment which part of it a thread ran, waited for locks, did I/O, or waited,
 * one on the other, from the ground up.
 */
#include <math.h>
#include <string.h>

#include "page/html_document.h"
#include "report/axis_page.h"

#define HEAT_HEIGHT 40

/* From the ground up, and in the order of enum heat_state. */
static const char *const state_names[HEAT_STATES] = { "running", "waiting for locks", "I/O",
						      "waiting" };
static const char *const state_classes[HEAT_STATES] = { "running", "blocked", "io", "waiting" };

/* Strips --------------------------------------------------------------------------------------- */

/* How high all states up to this one are in a slot. */
static int height_of(const struct heat_thread *t, size_t slot, unsigned state, double slot_ns)
{
	double sum = 0;

	for (unsigned s = 0; s <= state; s++)
		sum += (double)t->slots[slot][s];
	/* Something is never drawn as nothing. */
	return sum <= 0 ? 0 : (int)fmax(1, fmin(HEAT_HEIGHT, lround(HEAT_HEIGHT * sum / slot_ns)));
}

static void put_state(struct html *h, const struct timeline_axis *a, const struct heat *heat,
		      const struct heat_thread *t, unsigned state)
{
	double slot_ns = (double)heat_slot_ns(heat, 1) - (double)heat_slot_ns(heat, 0);
	int before = 0;

	html_putf(h, "<path class=\"%s\" d=\"M0 %d", state_classes[state], HEAT_HEIGHT);
	for (size_t i = 0; i < HEAT_SLOTS; i++) {
		int height = height_of(t, i, state, slot_ns);

		if (height != before)
			html_putf(h, "H%.1fV%d", axis_column(a, heat_slot_ns(heat, i)),
				  HEAT_HEIGHT - height);
		before = height;
	}
	html_putf(h, "H%zuV%d\"/>", a->columns, HEAT_HEIGHT);
}

static void put_strip(struct html *h, const struct timeline_axis *a, const struct heat *heat,
		      const struct heat_thread *t)
{
	html_put(h, "<div class=\"row strip-row thread\"><span class=\"label\">");
	html_put_text(h, report_thread_name(h->report, t));
	html_putf(h, "<output class=\"value\"></output></span><svg class=\"chart heat\" viewBox=\"0 0 %zu %d\" "
		     "preserveAspectRatio=\"none\" aria-hidden=\"true\">",
		  a->columns, HEAT_HEIGHT);
	for (unsigned s = HEAT_STATES; s-- > 0;) {
		if (t->total[s] > 0)
			put_state(h, a, heat, t, s);
	}
	html_put(h, "</svg></div>\n");
}

static void put_legend(struct html *h)
{
	html_put(h, "<p class=\"soft states\">Of each moment, from the ground up:");
	for (unsigned s = 0; s < HEAT_STATES; s++)
		html_putf(h, " <i class=\"%s\"></i> %s%s", state_classes[s], state_names[s],
			  s + 1 < HEAT_STATES ? "," : "");
	html_put(h, ". Running is known from samples; short waits are not recorded.</p>\n");
}

/* Table ---------------------------------------------------------------------------------------- */

static void put_table(struct html *h, size_t jvm, const struct heat_thread *const *list,
		      size_t count)
{
	char text[HUMAN_MAX];

	html_put(h, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Threads by state");
	if (report_jvms(h->report) > 1) {
		html_put(h, ", ");
		html_put_text(h, report_jvm_label(h->report, jvm));
	}
	html_putf(h, "\"><table class=\"grid\" data-threads=\"%zu\">", jvm);
	html_put(h, "<thead><tr><th scope=\"col\" class=\"l\">Thread</th><th scope=\"col\">Running</th><th scope=\"col\">Waiting for "
		    "locks</th><th scope=\"col\">I/O</th><th scope=\"col\">Waiting</th></tr></thead>"
		    "<tbody>\n");
	for (size_t i = 0; i < count; i++) {
		html_putf(h, "<tr data-thread=\"%zu\"><td class=\"l\">", i);
		html_put_text(h, report_thread_name(h->report, list[i]));
		for (unsigned s = 0; s < HEAT_STATES; s++)
			html_putf(h, "<td data-v=\"%.0f\">%s", list[i]->total[s],
				  list[i]->total[s] > 0 ? number_text(text, JFREC_UNIT_NS,
								      list[i]->total[s])
							: "");
		html_put(h, "\n");
	}
	html_put(h, "</tbody></table></div>\n");
}

/* For the script ------------------------------------------------------------------------------- */

/* Of each slot in which a thread did something: its number, then the us of each state. */
static void put_slots(struct html *h, const struct heat_thread *t)
{
	bool is_first = true;

	for (size_t i = 0; i < HEAT_SLOTS; i++) {
		const float *ns = t->slots[i];

		if (ns[0] <= 0 && ns[1] <= 0 && ns[2] <= 0 && ns[3] <= 0)
			continue;
		html_data(h, "%s%zu", is_first ? "" : ",", i);
		for (unsigned s = 0; s < HEAT_STATES; s++)
			html_data(h, ",%.0f", (double)ns[s] / 1000);
		is_first = false;
	}
}

/* {"first": ms since 1970, "width": ms, "threads": [[...], ...]}; null: it has no threads */
static void put_data(struct html *h, const struct heat *heat, const struct heat_thread *const *list,
		     size_t count)
{
	int64_t first_ns = heat_slot_ns(heat, 0);

	if (!count) {
		html_data(h, "null");
		return;
	}
	html_data(h, "{\"first\":%.3f,\"width\":%.3f,\"threads\":[", (double)first_ns / 1e6,
		  (double)(heat_slot_ns(heat, 1) - first_ns) / 1e6);
	for (size_t i = 0; i < count; i++) {
		html_data(h, i ? ",[" : "[");
		put_slots(h, list[i]);
		html_data(h, "]");
	}
	html_data(h, "]}");
}

/* Everything ----------------------------------------------------------------------------------- */

int html_put_threads(struct html *h)
{
	struct timeline_axis a;

	if (axis_make(h->report, &a) < 0)
		return -1;
	buffer_clear(&h->data);
	for (size_t jvm = 0; jvm < report_jvms(h->report); jvm++) {
		const struct heat_thread *list[REPORT_THREADS];
		size_t count = report_threads(h->report, jvm, list);
		const struct lines *l = report_jvm(h->report, jvm)->watched;

		html_data(h, jvm ? "," : "[");
		put_data(h, &l->heat, list, count);
		if (!count)
			continue;
		html_put(h, "<h3>");
		html_put_heading(h, "What Threads Did", jvm);
		html_put(h, "</h3>\n");
		put_legend(h);
		html_putf(h, "<div class=\"timeline\" data-threads=\"%zu\">\n", jvm);
		for (size_t i = 0; i < count; i++)
			put_strip(h, &a, &l->heat, list[i]);
		html_put_axis(h, &a);
		html_put(h, "</div>\n<h3>");
		html_put_heading(h, "Threads by State", jvm);
		html_put(h, "</h3>\n");
		put_table(h, jvm, list, count);
	}
	html_data(h, report_jvms(h->report) ? "]" : "[]");
	return h->data.failed ? -1 : html_document_put_data("thread-data", &h->data, h->out);
}
