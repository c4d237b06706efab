/* SPDX-License-Identifier: MIT */
/*
 * firefox.c - profiles for the Firefox Profiler: its processed format, version 70
 *
 * https://github.com/firefox-devtools/profiler, docs-developer/processed-profile-format.md. Newer
 * versions of it read older files. Each of our profiles is a process there, with the threads that
 * it has samples of; what lasts a while (collections, locks) are markers of the first process, and
 * the load of the CPU and the heap are its counters.
 *
 * Tables are columns of equal length:
 *
 *    shared.stackTable   frame, prefixOffset (how far before it its caller is; 0: it has none)
 *    shared.frameTable   func, line, category...     shared.funcTable  name, source...
 *    thread.samples      stack, time (ms since meta.startTime), weight
 *    thread.markers      name, startTime, endTime, phase (1: an interval), data
 */
#include "profiles/firefox.h"
#include "profiles/unseen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "page/json_out.h"

#define PROCESSED_VERSION "70"
#define GECKO_VERSION "36"

/* In the order of `categories`. */
enum category {
	CATEGORY_OTHER,
	CATEGORY_JAVA,
	CATEGORY_NATIVE,
	CATEGORY_KERNEL,
	CATEGORY_CLASS,
};

static const struct {
	const char *name, *color;
} categories[] = {
	{ "Other", "grey" },    { "Java", "green" },   { "Native", "blue" },
	{ "Kernel", "orange" }, { "Class", "purple" },
};

static const enum category by_kind[FRAME_KINDS] = {
	[FRAME_INTERPRETED] = CATEGORY_JAVA, [FRAME_JIT] = CATEGORY_JAVA,
	[FRAME_INLINED] = CATEGORY_JAVA,     [FRAME_C1] = CATEGORY_JAVA,
	[FRAME_NATIVE] = CATEGORY_NATIVE,    [FRAME_CPP] = CATEGORY_NATIVE,
	[FRAME_KERNEL] = CATEGORY_KERNEL,    [FRAME_CLASS] = CATEGORY_CLASS,
};

/* Columns -------------------------------------------------------------------------------------- */

typedef void column_fn(struct firefox *f, size_t i);

/* "name":[...], and a comma. */
static void put_column(struct firefox *f, const char *name, size_t count, column_fn *put)
{
	json_put_string(f->out, name);
	json_put(f->out, ":[");
	for (size_t i = 0; i < count; i++) {
		if (i)
			out_char(f->out, ',');
		put(f, i);
	}
	json_put(f->out, "],");
}

/* The same value in each row. */
static void put_same(struct firefox *f, const char *name, size_t count, const char *value)
{
	json_put_string(f->out, name);
	json_put(f->out, ":[");
	for (size_t i = 0; i < count; i++) {
		if (i)
			out_char(f->out, ',');
		json_put(f->out, value);
	}
	json_put(f->out, "],");
}

static void put_length(struct firefox *f, size_t count)
{
	json_put(f->out, "\"length\":");
	json_put_integer(f->out, (int64_t)count);
	out_char(f->out, '}');
}

/* The shared tables ---------------------------------------------------------------------------- */

static const struct frame *frame_at(const struct firefox *f, size_t i)
{
	return &f->stacks->book.frames.list[f->frames[i]];
}

static const struct name *func_name(const struct firefox *f, size_t i)
{
	return &f->stacks->book.names.list[f->stacks->book.frames.list[f->funcs[i]].name];
}

static void put_string_at(struct firefox *f, size_t i)
{
	json_put_text(f->out, f->strings.list[i].text, f->strings.list[i].len);
}

static void put_stack_frame(struct firefox *f, size_t i)
{
	json_put_integer(f->out, (int64_t)f->frame_place[f->all.nodes[i + 1].frame] - 1);
}

static void put_prefix_offset(struct firefox *f, size_t i)
{
	uint32_t parent = f->all.nodes[i + 1].parent;

	json_put_integer(f->out, parent ? (int64_t)i + 1 - parent : 0);
}

static void put_frame_func(struct firefox *f, size_t i)
{
	json_put_integer(f->out, (int64_t)f->func_place[frame_at(f, i)->name] - 1);
}

static void put_frame_line(struct firefox *f, size_t i)
{
	if (frame_at(f, i)->line)
		json_put_integer(f->out, frame_at(f, i)->line);
	else
		json_put(f->out, "null");
}

static void put_frame_category(struct firefox *f, size_t i)
{
	json_put_integer(f->out, by_kind[frame_at(f, i)->kind]);
}

static void put_func_name(struct firefox *f, size_t i)
{
	const struct name *n = func_name(f, i);

	json_put_integer(f->out, firefox_string(f, n->text, n->len));
}

static void put_func_source(struct firefox *f, size_t i)
{
	const struct name *n = func_name(f, i);
	const struct frame *frame = &f->stacks->book.frames.list[f->funcs[i]];
	char path[FRAME_PATH_MAX];

	if (firefox_has_file(frame) && frame_file_path(n->text, n->len, path))
		json_put_integer(f->out, name_set_put(&f->paths, path, strlen(path)));
	else
		json_put(f->out, "null");
}

static void put_source_name(struct firefox *f, size_t i)
{
	json_put_integer(f->out, firefox_string(f, f->paths.list[i].text, f->paths.list[i].len));
}

static void put_shared(struct firefox *f)
{
	size_t stacks = f->all.count - 1;

	json_put(f->out, ",\n\"shared\":{");
	put_column(f, "stringArray", f->strings.count, put_string_at);
	json_put(f->out, "\n\"stackTable\":{");
	put_column(f, "frame", stacks, put_stack_frame);
	put_column(f, "prefixOffset", stacks, put_prefix_offset);
	put_length(f, stacks);
	json_put(f->out, ",\n\"frameTable\":{");
	put_same(f, "address", f->frame_count, "-1");
	put_same(f, "lib", f->frame_count, "-1");
	put_same(f, "inlineDepth", f->frame_count, "0");
	put_column(f, "category", f->frame_count, put_frame_category);
	put_same(f, "subcategory", f->frame_count, "0");
	put_column(f, "func", f->frame_count, put_frame_func);
	put_same(f, "nativeSymbol", f->frame_count, "null");
	put_same(f, "innerWindowID", f->frame_count, "null");
	put_column(f, "line", f->frame_count, put_frame_line);
	put_same(f, "column", f->frame_count, "null");
	put_same(f, "originalLocation", f->frame_count, "null");
	put_length(f, f->frame_count);
	json_put(f->out, ",\n\"funcTable\":{");
	put_column(f, "name", f->func_count, put_func_name);
	put_same(f, "isJS", f->func_count, "false");
	put_same(f, "relevantForJS", f->func_count, "false");
	put_same(f, "resource", f->func_count, "-1");
	put_column(f, "source", f->func_count, put_func_source);
	put_same(f, "lineNumber", f->func_count, "null");
	put_same(f, "columnNumber", f->func_count, "null");
	put_same(f, "originalLocation", f->func_count, "null");
	put_length(f, f->func_count);
	json_put(f->out, ",\n\"sources\":{");
	put_same(f, "id", f->paths.count, "null");
	put_column(f, "filename", f->paths.count, put_source_name);
	put_same(f, "startLine", f->paths.count, "1");
	put_same(f, "startColumn", f->paths.count, "1");
	put_same(f, "sourceMapURL", f->paths.count, "null");
	put_same(f, "content", f->paths.count, "null");
	put_length(f, f->paths.count);
	json_put(f->out, ",\n\"resourceTable\":{\"name\":[],\"host\":[],\"type\":[],\"length\":0},"
			 "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],"
			 "\"functionSize\":[],\"length\":0},"
			 "\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],"
			 "\"length\":0}");
	json_put(f->out, "}");
}

/* Threads in the file -------------------------------------------------------------------------- */

static void put_time(struct firefox *f, int64_t ns)
{
	json_put_ms(f->out, long_subtract(ns, f->start_ns));
}

static void put_weight(struct firefox *f, size_t kind, struct weight w)
{
	int64_t weight = stacks_weight(f->stacks, kind, w);

	if (stacks_unit(f->stacks, kind) == UNIT_NS)
		json_put_ms(f->out, weight);
	else
		json_put_integer(f->out, weight);
}

static void put_samples(struct firefox *f, const struct thread *t)
{
	static const char *const types[] = { "samples", "tracing-ms", "bytes" };
	const struct moment *list = f->batch + t->first_sample;
	size_t kind = t->kind;

	json_put(f->out, "\"samples\":{\"stack\":[");
	for (size_t i = 0; i < t->sample_count; i++) {
		if (i)
			out_char(f->out, ',');
		if (list[i].stack)
			json_put_integer(f->out, (int64_t)list[i].stack - 1);
		else
			json_put(f->out, "null");
	}
	json_put(f->out, "],\"time\":[");
	for (size_t i = 0; i < t->sample_count; i++) {
		if (i)
			out_char(f->out, ',');
		put_time(f, list[i].time_ns);
	}
	json_put(f->out, "],\"weight\":[");
	for (size_t i = 0; i < t->sample_count; i++) {
		if (i)
			out_char(f->out, ',');
		put_weight(f, kind, list[i].weight);
	}
	json_put(f->out, "],\"weightType\":");
	json_put_string(f->out, types[stacks_unit(f->stacks, kind)]);
	if (strcmp(f->stacks->kinds[kind]->name, "cpu") == 0) {
		json_put(f->out, ",\"threadCPUDelta\":[");
		for (size_t i = 0; i < t->sample_count; i++) {
			if (i)
				out_char(f->out, ',');
			json_put_integer(f->out, list[i].weight.value);
		}
		out_char(f->out, ']');
	}
	out_char(f->out, ',');
	put_length(f, t->sample_count);
}

static const struct marker *marker_at(const struct firefox *f, const struct thread *t, size_t i)
{
	return &f->stacks->markers.markers[f->markers[t->first_marker + i].marker];
}

static void put_marker_data(struct firefox *f, const struct marker *m)
{
	const struct name *detail = m->detail == NAME_NONE ? NULL
							   : &f->stacks->book.names.list[m->detail];

	json_put(f->out, "{\"type\":\"event\",\"detail\":");
	json_put_integer(f->out, firefox_string(f, detail ? detail->text : "",
						detail ? detail->len : 0));
	out_char(f->out, '}');
}

static void put_markers(struct firefox *f, const struct thread *t)
{
	json_put(f->out, ",\n\"markers\":{\"data\":[");
	for (size_t i = 0; i < t->marker_count; i++) {
		if (i)
			out_char(f->out, ',');
		put_marker_data(f, marker_at(f, t, i));
	}
	json_put(f->out, "],\"name\":[");
	for (size_t i = 0; i < t->marker_count; i++) {
		const struct name *n =
			&f->stacks->book.names.list[marker_at(f, t, i)->label];

		if (i)
			out_char(f->out, ',');
		json_put_integer(f->out, firefox_string(f, n->text, n->len));
	}
	json_put(f->out, "],\"startTime\":[");
	for (size_t i = 0; i < t->marker_count; i++) {
		if (i)
			out_char(f->out, ',');
		put_time(f, marker_at(f, t, i)->start_ns);
	}
	json_put(f->out, "],\"endTime\":[");
	for (size_t i = 0; i < t->marker_count; i++) {
		if (i)
			out_char(f->out, ',');
		put_time(f, marker_at(f, t, i)->end_ns);
	}
	json_put(f->out, "],");
	put_same(f, "phase", t->marker_count, "1");
	put_same(f, "category", t->marker_count, "0");
	put_length(f, t->marker_count);
}

/* "[main tid=3]" is the thread "main" with the id 3. */
static void put_thread_name(struct firefox *f, const struct thread *t)
{
	const struct name *n;
	struct thread_text name;

	json_put(f->out, "\"name\":");
	if (t->frame == FRAME_NONE) {
		json_put(f->out, "\"JVM\",\"tid\":\"");
		json_put(f->out, f->stacks->kinds[t->kind]->name);
		json_put(f->out, "\"");
		return;
	}
	n = &f->stacks->book.names.list[f->stacks->book.frames.list[t->frame].name];
	name = frame_thread_name(n->text, n->len);
	json_put_text(f->out, name.text, name.len);
	json_put(f->out, ",\"tid\":\"");
	json_put(f->out, f->stacks->kinds[t->kind]->name);
	out_char(f->out, ' ');
	out_put(f->out, name.id, strspn(name.id, "-0123456789"));
	out_char(f->out, '"');
}

static void put_thread(struct firefox *f, uint32_t number, bool is_main)
{
	const struct thread *t = &f->threads[number];
	int64_t end_ns = f->stacks->spans[0].end_ns;

	json_put(f->out, "{\"processType\":\"default\",\"processStartupTime\":0,"
			 "\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":");
	put_time(f, end_ns > f->start_ns ? end_ns : f->start_ns);
	json_put(f->out, ",\"pausedRanges\":[],");
	put_thread_name(f, t);
	json_put(f->out, is_main ? ",\"isMainThread\":true" : ",\"isMainThread\":false");
	json_put(f->out, ",\"pid\":");
	json_put_string(f->out, f->stacks->kinds[t->kind]->name);
	json_put(f->out, ",\"processName\":");
	json_put_string(f->out, f->stacks->kinds[t->kind]->label);
	json_put(f->out, ",\n");
	put_samples(f, t);
	put_markers(f, t);
	out_char(f->out, '}');
}

/* 0, or -1 when memory is gone. */
static int put_threads(struct firefox *f)
{
	bool has_any = false;

	json_put(f->out, ",\n\"threads\":[");
	for (size_t kind = 0; kind < f->stacks->kind_count; kind++) {
		bool is_main = true;

		for (uint32_t i = 0; i < f->thread_count; i++) {
			if (f->threads[i].kind != kind)
				continue;
			if (firefox_turn_to(f, i) < 0)
				return -1;
			json_put_comma(f->out, &has_any);
			put_thread(f, i, is_main);
			is_main = false;
		}
	}
	json_put(f->out, "]}\n");
	return 0;
}

/* Counters ------------------------------------------------------------------------------------- */

/* The graph of a counter shows what is added up (the heap), or what comes in a time (CPU). */
static const struct {
	const char *name, *category, *description, *display;
} counters[READING_KINDS] = {
	[READING_CPU] = { "JVM CPU", "CPU", "CPU time of the JVM, as a share of the machine",
			  "{\"graphType\":\"line-rate\",\"unit\":\"\",\"color\":\"blue\","
			  "\"markerSchemaLocation\":null,\"sortWeight\":10,\"label\":\"JVM CPU\",\"tooltipRows\":["
			  "{\"type\":\"value\",\"source\":\"rate\",\"format\":{\"unit\":\"number\"},"
			  "\"label\":\"share of the machine\"}]}" },
	[READING_HEAP] = { "Java heap", "Memory", "Bytes of the heap in use",
			   "{\"graphType\":\"line-accumulated\",\"unit\":\"bytes\","
			   "\"color\":\"orange\",\"markerSchemaLocation\":\"timeline-memory\","
			   "\"sortWeight\":20,\"label\":\"Java heap\",\"tooltipRows\":["
			   "{\"type\":\"value\",\"source\":\"accumulated\",\"format\":{\"unit\":\"bytes\"},"
			   "\"label\":\"bytes in use\"}]}" },
};

static int by_reading_time(const void *x, const void *y)
{
	const struct reading *a = x, *b = y;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->value < b->value ? -1 : a->value > b->value;
}

/* How much it is more than before; of the load, how long the whole machine would have run. */
static double count_of(const struct firefox *f, const struct reading *r,
		       const struct reading *before)
{
	int64_t since = before ? before->time_ns : f->start_ns;

	if (r->kind == READING_HEAP)
		return r->value - (before ? before->value : 0);
	return r->value * (double)long_subtract(r->time_ns, since) / 1e6;
}

static void put_double(struct firefox *f, double v)
{
	char text[32];

	snprintf(text, sizeof(text), "%.3f", v);
	json_put(f->out, text);
}

/* The first count is not looked at, so a zero at the start comes before the readings. */
static void put_counter(struct firefox *f, enum reading_kind kind, const struct reading *list,
			size_t count, uint32_t main_thread)
{
	json_put(f->out, "{\"name\":");
	json_put_string(f->out, counters[kind].name);
	json_put(f->out, ",\"category\":");
	json_put_string(f->out, counters[kind].category);
	json_put(f->out, ",\"description\":");
	json_put_string(f->out, counters[kind].description);
	json_put(f->out, ",\"display\":");
	json_put(f->out, counters[kind].display);
	json_put(f->out, ",\"pid\":");
	json_put_string(f->out, f->stacks->kinds[f->first_kind]->name);
	json_put(f->out, ",\"mainThreadIndex\":");
	json_put_integer(f->out, main_thread);
	json_put(f->out, ",\"samples\":{\"time\":[0");
	for (size_t i = 0; i < count; i++) {
		out_char(f->out, ',');
		put_time(f, list[i].time_ns);
	}
	json_put(f->out, "],\"count\":[0");
	for (size_t i = 0; i < count; i++) {
		out_char(f->out, ',');
		put_double(f, count_of(f, &list[i], i ? &list[i - 1] : NULL));
	}
	json_put(f->out, "],");
	put_length(f, count + 1);
	out_char(f->out, '}');
}

static void put_counters(struct firefox *f)
{
	struct marker_list *l = &f->stacks->markers;
	bool has_any = false;

	if (l->reading_count)
		qsort(l->readings, l->reading_count, sizeof(*l->readings), by_reading_time);
	json_put(f->out, ",\n\"counters\":[");
	for (size_t first = 0, next; f->has_first && first < l->reading_count; first = next) {
		for (next = first; next < l->reading_count; next++) {
			if (l->readings[next].kind != l->readings[first].kind)
				break;
		}
		json_put_comma(f->out, &has_any);
		/* The process of the markers is the first in the file. */
		put_counter(f, l->readings[first].kind, l->readings + first, next - first, 0);
	}
	out_char(f->out, ']');
}

/* meta ----------------------------------------------------------------------------------------- */

static void put_unseen(struct firefox *f, const char *label, const char *what, uint64_t count,
		       bool *has_any)
{
	if (!count)
		return;
	json_put_comma(f->out, has_any);
	json_put(f->out, "{\"label\":\"");
	json_put(f->out, label);
	json_put(f->out, ": ");
	json_put(f->out, what);
	json_put(f->out, "\",\"format\":\"integer\",\"value\":");
	json_put_integer(f->out, (int64_t)count);
	out_char(f->out, '}');
}

/* What was not seen belongs to the picture. */
static void put_extra(struct firefox *f)
{
	bool has_any = false;

	json_put(f->out, ",\"extra\":[{\"label\":\"What was not seen\",\"entries\":[");
	for (size_t i = 0; i < f->stacks->kind_count; i++) {
		struct unseen unseen[UNSEEN_MAX];
		size_t count;

		if (!stacks_has(f->stacks, i, f->only))
			continue;
		count = unseen_of(f->stacks, i, unseen);
		for (size_t k = 0; k < count; k++)
			put_unseen(f, f->stacks->kinds[i]->label, unseen[k].what, unseen[k].count,
				   &has_any);
	}
	put_unseen(f, "Markers", "shorter ones that are left out", f->stacks->markers.left_out,
		   &has_any);
	json_put(f->out, "]}]");
}

static void put_categories(struct firefox *f)
{
	json_put(f->out, ",\"categories\":[");
	for (size_t i = 0; i < sizeof(categories) / sizeof(*categories); i++) {
		json_put(f->out, i ? ",{\"name\":\"" : "{\"name\":\"");
		json_put(f->out, categories[i].name);
		json_put(f->out, "\",\"color\":\"");
		json_put(f->out, categories[i].color);
		json_put(f->out, "\",\"subcategories\":[\"Other\"]}");
	}
	out_char(f->out, ']');
}

/* The time between two samples: of the first profile, on the average. */
static int64_t interval_ns(const struct firefox *f)
{
	const struct tree *t = f->has_first ? stacks_tree(f->stacks, 0, f->first_kind) : NULL;
	int64_t samples = t ? (int64_t)t->nodes[0].total.samples : 0;
	int64_t ns = samples > 0 && f->stacks->kinds[f->first_kind]->unit == UNIT_NS
			     ? t->nodes[0].total.value / samples
			     : 0;

	return ns > 0 ? ns : 1000000;
}

static void put_meta(struct firefox *f)
{
	json_put(f->out, "{\"meta\":{\"interval\":");
	json_put_ms(f->out, interval_ns(f));
	json_put(f->out, ",\"startTime\":");
	json_put_ms(f->out, f->start_ns);
	json_put(f->out, ",\"processType\":0,\"product\":");
	json_put_string(f->out, f->stacks->title ? f->stacks->title : "Java");
	json_put(f->out, ",\"importedFrom\":\"jfrec\",\"stackwalk\":1,\"version\":" GECKO_VERSION
			 ",\"preprocessedProfileVersion\":" PROCESSED_VERSION);
	put_categories(f);
	json_put(f->out,
		 ",\"markerSchema\":[{\"name\":\"event\",\"tooltipLabel\":\"{marker.name}\","
		 "\"tableLabel\":\"{marker.data.detail}\",\"chartLabel\":\"{marker.data.detail}\","
		 "\"display\":[\"marker-chart\",\"marker-table\",\"timeline-overview\"],"
		 "\"fields\":[{\"key\":\"detail\",\"label\":\"Detail\",\"format\":\"unique-string\"}]}]"
		 ",\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"}"
		 ",\"symbolicationNotSupported\":true,\"usesOnlyOneStackType\":true,"
		 "\"sourceCodeIsNotOnSearchfox\":true");
	put_extra(f);
	json_put(f->out, "},\n\"libs\":[],\"pages\":[]");
}

/* The file ------------------------------------------------------------------------------------- */

int firefox_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
		  struct jfrec_error *err)
{
	struct firefox f = { .stacks = s, .out = out, .only = only };
	int ret = -1;

	(void)minimum; /* it leaves out what is small itself */
	if (!s->options.keeps_times)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "this format shows times, and they were not kept");
	if (firefox_collect(&f) == 0) {
		put_meta(&f);
		put_counters(&f);
		put_shared(&f);
		ret = put_threads(&f);
	}
	firefox_fini(&f);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
