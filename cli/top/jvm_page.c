/* SPDX-License-Identifier: MIT */
/*
 * jvm_page.c - one JVM on the screen: its threads, and its hot methods
 */
#include "top/jvm_page.h"

#include <inttypes.h>
#include <string.h>

#include "base/clock_now.h"
#include "base/report.h"
#include "top/asked.h"

#define PATIENCE_NS (10 * NS_PER_SECOND)

/* How often hot methods are read. */
#define METHODS_NS (5 * NS_PER_SECOND)

void jvm_page_open(struct jvm_page *p, const struct jfrec_jvm *jvm)
{
	jvm_page_close(p);
	p->is_open = true;
	p->pid = jvm->pid;
	p->start_ticks = jvm->start_ticks;
}

void jvm_page_close(struct jvm_page *p)
{
	inquiry_end(&p->methods_asked);
	inquiry_end(&p->names_asked);
	json_decref(p->methods);
	json_decref(p->names);
	p->is_open = false;
	p->methods = p->names = NULL;
	p->methods_due_ns = 0;
	p->count = p->total = 0;
}

void jvm_page_look(struct jvm_page *p, struct jfrec_loads *loads, size_t number)
{
	p->count = jfrec_loads_threads(loads, number, p->threads, PAGE_THREADS, &p->total);
}

/* Of none, that there was none. */
static void take(struct inquiry *q, json_t **to)
{
	json_t *answer;

	if (!inquiry_take(q, &answer))
		return;
	json_decref(*to);
	*to = answer ? answer
		     : json_pack("{s:s}", "error", "asking failed, or took more than 10 seconds");
}

void jvm_page_step(struct jvm_page *p, const struct row *row)
{
	take(&p->methods_asked, &p->methods);
	take(&p->names_asked, &p->names);
	if (row->load->recording != JFREC_LOAD_RECORDS || inquiry_is_open(&p->methods_asked) ||
	    monotonic_now_ns() < p->methods_due_ns)
		return;
	p->methods_due_ns = monotonic_now_ns() + METHODS_NS;
	inquiry_begin(&p->methods_asked, asked_methods, (void *)row->load->jvm, p->wait_fd,
		      PATIENCE_NS);
}

void jvm_page_ask_names(struct jvm_page *p, const struct row *row)
{
	if (!inquiry_is_open(&p->names_asked))
		inquiry_begin(&p->names_asked, asked_names, (void *)row->load->jvm, p->wait_fd,
			      PATIENCE_NS);
}

/* Writing -------------------------------------------------------------------------------------- */

static const char *error_of(const json_t *answer)
{
	return json_string_value(json_object_get(answer, "error"));
}

/* A sentence with names that a stranger chose. */
static void write_safe(FILE *to, const char *before, const char *text)
{
	fputs(before, to);
	put_name(to, text);
	putc('\n', to);
}

/* " of 2G" where there is a limit. */
static void write_figures(FILE *to, const struct row *row)
{
	char cell[CELL_SIZE] = "";
	const struct jfrec_load *l = row->load;

	if (l->cpus >= 0)
		fprintf(to, "CPU %.1f %%, ", 100 * l->cpus);
	if (l->throttled >= 0)
		fprintf(to, "throttled in %.1f %% of its periods, ", 100 * l->throttled);
	put_bytes(cell, (double)l->resident_bytes);
	fprintf(to, "RSS %s", cell);
	if (l->memory_limit != UINT64_MAX) {
		put_bytes(cell, (double)l->memory_limit);
		fprintf(to, " of %s", cell);
	}
	if (l->heap_used >= 0) {
		put_bytes(cell, l->heap_used);
		fprintf(to, ", heap %s", cell);
		put_bytes(cell, l->heap_committed);
		fprintf(to, " of %s", cell);
	}
	if (l->gc_share >= 0)
		fprintf(to, ", GC %.1f %%", 100 * l->gc_share);
	if (l->gc_rate >= 0)
		fprintf(to, ", %.1f collections/s", l->gc_rate);
	fprintf(to, "\n");
}

static unsigned write_head(FILE *to, const struct row *row)
{
	const struct verdict *v = row->verdict;

	write_figures(to, row);
	if (row->load->no_counters)
		write_safe(to, row->load->heap_used < 0 ? "heap and GC: " : "share of GC: ",
			   row->load->no_counters);
	if (!v || v->error || !v->summary)
		return row->load->no_counters ? 2 : 1;
	fprintf(to, "%s ", jfrec_severity_name(v->severity));
	put_name(to, v->rule);
	write_safe(to, ": ", v->summary);
	return row->load->no_counters ? 3 : 2;
}

/* As the dump has it, or as the kernel does, which keeps 15 bytes. */
static const char *name_of(const struct jvm_page *p, const struct jfrec_thread_load *t)
{
	char key[16];
	const char *name;

	snprintf(key, sizeof(key), "%d", t->ns_tid);
	name = json_string_value(json_object_get(json_object_get(p->names, "names"), key));
	return name ? name : t->name;
}

static void write_thread(FILE *to, const struct jvm_page *p, const struct jfrec_thread_load *t)
{
	char cpu[16] = "-";

	if (t->cpus >= 0)
		snprintf(cpu, sizeof(cpu), "%.1f", 100 * t->cpus);
	fprintf(to, "%7d %6s %9.2f %c     ", t->tid, cpu, t->seconds,
		t->state > 0x20 && t->state < 0x7f ? t->state : '?');
	write_safe(to, "", name_of(p, t));
}

static const char *names_told(const struct jvm_page *p)
{
	if (inquiry_is_open(&p->names_asked))
		return "NAME (a thread dump is on its way)";
	return p->names && !error_of(p->names) ? "NAME" : "NAME (15 letters; d asks the JVM)";
}

static void write_threads(FILE *to, const struct jvm_page *p, unsigned lines)
{
	fprintf(to, "    TID   CPU%%     CPU s STATE %s\n", names_told(p));
	for (size_t i = 0; i < p->count && i + 1 < lines; i++)
		write_thread(to, p, &p->threads[i]);
}

/* What is said where there are no methods. */
static const char *methods_told(const struct jvm_page *p, const struct row *row)
{
	if (row->load->recording != JFREC_LOAD_RECORDS)
		return "hot methods: it records nothing; `jfrec start PID` starts a recording";
	if (!p->methods)
		return "hot methods: its recording is being read";
	return NULL;
}

static void write_methods(FILE *to, const struct jvm_page *p, const struct row *row,
			  unsigned lines)
{
	const char *told = methods_told(p, row);
	json_t *list = json_object_get(p->methods, "methods"), *one;
	double samples = (double)json_integer_value(json_object_get(p->methods, "samples"));
	size_t i;

	if (told) {
		fprintf(to, "%s\n", told);
		return;
	}
	if (error_of(p->methods)) {
		write_safe(to, "hot methods: ", error_of(p->methods));
		return;
	}
	fprintf(to, "SAMPLES%%  HOT METHOD, of %.0f samples in the last 10 s\n", samples);
	json_array_foreach(list, i, one) {
		const char *name = json_string_value(json_array_get(one, 0));
		double n = (double)json_integer_value(json_array_get(one, 1));

		if (i + 1 >= lines)
			break;
		fprintf(to, "%8.1f  ", samples > 0 ? 100 * n / samples : 0);
		write_safe(to, "", name ? name : "a method that is not known");
	}
}

/* As many lines as there is something to show, and no more than two of five. */
static unsigned methods_lines(const struct jvm_page *p, const struct row *row, unsigned lines)
{
	size_t wanted = 1 + json_array_size(json_object_get(p->methods, "methods"));

	if (methods_told(p, row) || error_of(p->methods))
		return 1;
	return wanted < lines * 2 / 5 ? (unsigned)wanted : lines * 2 / 5;
}

void jvm_page_write(FILE *to, const struct jvm_page *p, const struct row *row, unsigned lines)
{
	unsigned used = write_head(to, row), methods, threads;

	if (error_of(p->names)) {
		write_safe(to, "no names of Java threads: ", error_of(p->names));
		used++;
	}
	lines = lines > used + 5 ? lines - used : 5;
	methods = methods_lines(p, row, lines);
	threads = lines - methods - 1;
	fprintf(to, "%zu threads%s\n", p->total,
		p->total > 32768 ? ", of which 32768 were read" : "");
	write_threads(to, p, threads);
	for (size_t i = p->count + 1; i < threads; i++)
		putc('\n', to);
	write_methods(to, p, row, methods);
}
