/* SPDX-License-Identifier: MIT */
/*
 * text.c - the slowest requests as waterfalls
 *
 *	1. Request  82.3 ms  worker-1  2026-11-28 05:36:57.123
 *	   path /orders/10, reason lock
 *	     lock          80.1 ms   97.3 %  1 event
 *	     unexplained    2.2 ms    2.7 %
 *	   [==============================]  82.2 ms  Step: name handle
 *	   [ #############################]  80.1 ms    Java Monitor Blocked: Inventory, held by ...
 *
 * Whole lines are made harmless as they are printed: what is in them is from the recording.
 */
#include "trace/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/report.h"
#include "base/screen.h"
#include "trace/words.h"

#define BAR_WIDTH  32
#define SPAN_LINES 20
#define METHODS	   3

/* A line, cut to the terminal if it is one. */
__attribute__((format(printf, 1, 2))) static void line(const char *format, ...)
{
	unsigned columns = screen_columns();
	char *text;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0)
		return; /* the end of output says that memory is gone */
	if (columns > 4 && (unsigned)len > columns) {
		len = (int)columns - 3;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
		strcpy(text + len, "...");
	}
	put_name(stdout, text);
	putchar('\n');
	free(text);
}

/* Fields --------------------------------------------------------------------------------------- */

static void print_fields(const struct jfrec_trace_request *r)
{
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);

	for (size_t i = 0; to && i < r->field_count; i++) {
		if (r->fields[i].text && *r->fields[i].text)
			fprintf(to, "%s%s %s", ftell(to) > 0 ? ", " : "", r->fields[i].name,
				r->fields[i].text);
	}
	if (to && fclose(to) == 0 && len)
		line("   %s", text);
	free(text);
}

/* What the time went into ---------------------------------------------------------------------- */

static double share_of(const struct jfrec_trace_request *r, int64_t ns)
{
	return (double)ns / (double)(r->end_ns - r->begin_ns);
}

static void print_kind(const struct jfrec_trace_request *r, enum jfrec_trace_kind kind)
{
	char span[HUMAN_MAX], share[HUMAN_MAX], count[HUMAN_MAX], error[HUMAN_MAX];
	bool is_running = kind == JFREC_TRACE_RUNNING;

	if (!r->events[kind])
		return;
	human_span(span, (double)r->ns[kind]);
	human_part(share, share_of(r, r->ns[kind]), 1);
	human_count(count, (int64_t)r->events[kind]);
	human_span(error, (double)r->error_ns);
	line("     %-11s %10s %8s  %s %s%s%s%s", kind_word(kind), span, share, count,
	     is_running ? "sample" : "event", r->events[kind] == 1 ? "" : "s",
	     is_running ? ", ± " : "", is_running ? error : "");
}

static void print_methods(const struct jfrec_trace_request *r)
{
	for (size_t i = 0; i < r->method_count && i < METHODS; i++) {
		char span[HUMAN_MAX];

		human_span(span, (double)r->methods[i].ns);
		line("       %s in %s", span, r->methods[i].name);
	}
}

static void print_time(const struct jfrec_trace_request *r)
{
	char span[HUMAN_MAX], share[HUMAN_MAX];

	for (unsigned i = 0; i < JFREC_TRACE_KINDS; i++)
		print_kind(r, (enum jfrec_trace_kind)i);
	print_methods(r);
	human_span(span, (double)r->unexplained_ns);
	human_part(share, share_of(r, r->unexplained_ns), 1);
	line("     %-11s %10s %8s", "unexplained", span, share);
}

/* Waterfall ------------------------------------------------------------------------------------ */

/* The column of a bar, to the nearest, in which that time is. */
static size_t column_of(const struct jfrec_trace_request *r, int64_t at_ns)
{
	at_ns = at_ns > r->begin_ns ? at_ns : r->begin_ns;
	at_ns = at_ns < r->end_ns ? at_ns : r->end_ns;
	return (size_t)(share_of(r, at_ns - r->begin_ns) * BAR_WIDTH + 0.5);
}

static void make_bar(char bar[BAR_WIDTH + 1], const struct jfrec_trace_request *r,
		     const struct jfrec_trace_span *s)
{
	size_t first = column_of(r, s->begin_ns), end = column_of(r, s->end_ns);

	memset(bar, ' ', BAR_WIDTH);
	first = first < BAR_WIDTH ? first : BAR_WIDTH - 1;
	end = end > first ? end : first + 1;
	memset(bar + first, s->kind == JFREC_TRACE_SPAN ? '=' : '#', end - first);
	bar[BAR_WIDTH] = '\0';
}

static void print_span(const struct jfrec_trace_request *r, const struct jfrec_trace_span *s)
{
	char bar[BAR_WIDTH + 1], span[HUMAN_MAX];

	make_bar(bar, r, s);
	human_span(span, (double)(s->end_ns - s->begin_ns));
	line("   [%s] %9s  %*s%s%s%s%s%s", bar, span, (int)(2 * s->depth), "", s->label,
	     s->detail ? ": " : "", s->detail ? s->detail : "", s->site ? ", in " : "",
	     s->site ? s->site : "");
}

/* The longest, in the order in which they began. */
static int64_t least_shown(const struct jfrec_trace_request *r)
{
	int64_t least = 0;
	size_t above = r->span_count;

	while (above > SPAN_LINES) {
		int64_t next = INT64_MAX;

		for (size_t i = 0; i < r->span_count; i++) {
			int64_t ns = r->spans[i].end_ns - r->spans[i].begin_ns;

			if (ns > least && ns < next)
				next = ns;
		}
		if (next == INT64_MAX)
			break;
		least = next;
		above = 0;
		for (size_t i = 0; i < r->span_count; i++)
			above += r->spans[i].end_ns - r->spans[i].begin_ns >= least;
	}
	return least;
}

static void print_spans(const struct jfrec_trace_request *r)
{
	int64_t least = least_shown(r);
	uint64_t more = r->spans_left_out;
	size_t shown = 0;

	for (size_t i = 0; i < r->span_count; i++) {
		if (r->spans[i].end_ns - r->spans[i].begin_ns < least || shown == SPAN_LINES) {
			more++;
			continue;
		}
		print_span(r, &r->spans[i]);
		shown++;
	}
	if (more)
		line("   and %llu shorter one%s", (unsigned long long)more, more == 1 ? "" : "s");
}

/* Requests ------------------------------------------------------------------------------------- */

static void print_request(const struct jfrec_trace_request *r, size_t number, struct zone *zone)
{
	char span[HUMAN_MAX], at[HUMAN_MAX];
	int32_t offset_s = zone_offset(zone, r->begin_ns / 1000000000);

	human_span(span, (double)(r->end_ns - r->begin_ns));
	human_time_ms(at, r->begin_ns, offset_s);
	putchar('\n');
	line("%zu. %s  %s  %s  %s", number, r->label, span, r->thread ? r->thread : "", at);
	print_fields(r);
	print_time(r);
	print_spans(r);
}

static void print_head(const struct jfrec_trace *t)
{
	char found[HUMAN_MAX], inner[HUMAN_MAX], shown[HUMAN_MAX];

	human_count(found, (int64_t)t->found);
	human_count(inner, (int64_t)t->inner);
	human_count(shown, (int64_t)t->count);
	line("%s request%s, the slowest %s:", found, t->found == 1 ? "" : "s", shown);
	if (t->inner)
		line("%s event%s within others of the same thread: spans of these.", inner,
		     t->inner == 1 ? " is" : "s are");
	if (!t->sampler)
		line("There are no samples of CPU time in them, so that what ran is unexplained.");
}

void trace_print(const struct jfrec_trace *t, struct zone *zone)
{
	print_head(t);
	for (size_t i = 0; i < t->count; i++)
		print_request(&t->requests[i], i + 1, zone);
	if (t->left_out)
		line("\nThere was no room for %llu spans and samples, the shortest.",
		     (unsigned long long)t->left_out);
}
