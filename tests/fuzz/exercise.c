/* SPDX-License-Identifier: MIT */
/*
 * exercise.c - all that a caller can do with a recording
 */
#include "exercise.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/config_values.h"
#include "format/walk.h"
#include "jfrec.h"

/* Constants may refer to each other in circles; a caller has to stop somewhere. */
#define MAX_DEPTH 6

/* An element of an array costs as much as all before it. */
#define MAX_ELEMENTS 40

/* Values looked at in one event, and events in one recording. */
#define MAX_VALUES 2000
#define MAX_EVENTS 20000

/* Small recordings can have very long texts: a constant in another in another. */
#define MIN_OUTPUT (64u << 10)
#define OUTPUT_PER_BYTE 64
#define MAX_OUTPUT (16u << 20)

/*
 * Linked with --wrap: the library cannot map files here, and copies them into
 * memory that ends where they do.  So the sanitizer sees every byte too far.
 */
void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t len, int prot, int flags, int fd, off_t offset);
void *__real_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset);

void *__wrap_mmap(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	if (flags & MAP_ANONYMOUS)
		return __real_mmap(at, len, prot, flags, fd, offset);
	errno = ENODEV;
	return MAP_FAILED;
}

void *__wrap_mmap64(void *at, size_t len, int prot, int flags, int fd, off_t offset)
{
	return __wrap_mmap(at, len, prot, flags, fd, offset);
}

/*
 * Large blocks come and go here; what AddressSanitizer does about them by
 * default takes most of the time.
 */
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "clear_shadow_mmap_threshold=100000000:quarantine_size_mb=4";
}

static void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "exercise: not so: %s\n", what);
	abort();
}

/* The file ---------------------------------------------------------------------------------------- */

static size_t bytes_len;

static int memory_file(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("recording", MFD_CLOEXEC);
	insist(fd >= 0, "there is memory for a file");
	return fd;
}

const char *exercise_path(void)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", memory_file());
	return path;
}

void exercise_bytes(const void *bytes, size_t len)
{
	int fd = memory_file();

	bytes_len = len;
	insist(ftruncate(fd, (off_t)len) == 0, "the file gets its size");
	insist(pwrite(fd, bytes, len, 0) == (ssize_t)len, "the file takes the bytes");
}

/* Volatile: what is read must be read, though nobody needs it. */
static volatile size_t sink;

static void touch(const char *text)
{
	sink += text ? strlen(text) : 0;
}

static void on_problem(void *ctx, const struct jfrec_problem *p)
{
	(void)ctx;
	insist(p->text && p->text[0], "a problem has a text");
	touch(p->text);
}

static struct jfrec_reader *open_with(struct jfrec_reader *(*open)(const char *,
								 struct jfrec_error *),
				      const char *path)
{
	struct jfrec_error err;
	struct jfrec_reader *r = open(path, &err);

	if (r)
		jfrec_reader_on_problem(r, on_problem, NULL);
	else
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
	return r;
}

static struct jfrec_reader *open_reader(void)
{
	return open_with(jfrec_reader_open, exercise_path());
}

/* Types ------------------------------------------------------------------------------------------- */

static void touch_annotation(const struct jfrec_annotation *a)
{
	touch(jfrec_annotation_name(a));
	for (unsigned i = 0; i <= jfrec_annotation_member_count(a); i++) {
		touch(jfrec_annotation_member_name(a, i));
		touch(jfrec_annotation_member_value(a, i));
	}
}

static void touch_field(const struct jfrec_field *f)
{
	touch(jfrec_field_name(f));
	touch(jfrec_field_label(f));
	touch(jfrec_field_description(f));
	touch(jfrec_field_default(f));
	if (jfrec_field_type(f))
		touch(jfrec_type_name(jfrec_field_type(f)));
	for (unsigned i = 0; i < jfrec_field_annotation_count(f); i++)
		touch_annotation(jfrec_field_annotation_get(f, i));
}

static void touch_type(const struct jfrec_type *t)
{
	touch(jfrec_type_name(t));
	touch(jfrec_type_super(t));
	touch(jfrec_type_label(t));
	touch(jfrec_type_description(t));
	for (unsigned i = 0; i < jfrec_type_field_count(t); i++)
		touch_field(jfrec_type_field_get(t, i));
	for (unsigned i = 0; i < jfrec_type_setting_count(t); i++)
		touch_field(jfrec_type_setting_get(t, i));
	for (unsigned i = 0; i < jfrec_type_annotation_count(t); i++)
		touch_annotation(jfrec_type_annotation_get(t, i));
	insist(!jfrec_type_field_get(t, jfrec_type_field_count(t)), "no field is behind the last");
}

void exercise_types(void)
{
	struct jfrec_reader *r = open_reader();
	const struct jfrec_types *types;

	if (!r)
		return;
	types = jfrec_reader_types(r, NULL);
	for (size_t i = 0; types && i < jfrec_types_count(types); i++)
		touch_type(jfrec_types_get(types, i));
	jfrec_reader_close(r);
}

/* Values ------------------------------------------------------------------------------------------ */

static void read_value(const struct jfrec_value *v, unsigned depth, unsigned *left);

static void read_members(const struct jfrec_value *v, unsigned depth, unsigned *left)
{
	for (unsigned i = 0; i < jfrec_type_field_count(v->type) && *left; i++) {
		const struct jfrec_field *f = jfrec_type_field_get(v->type, i);
		struct jfrec_value member = jfrec_value_member(v, f);

		read_value(&member, depth + 1, left);
	}
}

static void read_elements(const struct jfrec_value *v, unsigned depth, unsigned *left)
{
	struct jfrec_value element;

	for (uint64_t i = 0; i < v->u && i < MAX_ELEMENTS && *left; i++) {
		element = jfrec_value_element(v, i);
		read_value(&element, depth + 1, left);
	}
	element = jfrec_value_element(v, v->u);
	insist(element.kind == JFREC_NULL, "no element is behind the last");
}

static void read_value(const struct jfrec_value *v, unsigned depth, unsigned *left)
{
	const char *text;
	size_t len;

	--*left;
	text = jfrec_value_text(v, &len);
	if (text)
		insist(text[len] == '\0' && strlen(text) <= len, "a text ends where it says");
	if (depth == MAX_DEPTH)
		return;
	if (v->kind == JFREC_STRUCT)
		read_members(v, depth, left);
	else if (v->kind == JFREC_ARRAY)
		read_elements(v, depth, left);
}

static void read_event(const struct jfrec_event *ev)
{
	const struct jfrec_chunk_info *chunk = jfrec_event_chunk(ev);
	const struct jfrec_type *t = jfrec_event_type(ev);
	unsigned left = MAX_VALUES;
	struct jfrec_value v;

	insist(jfrec_event_offset(ev) >= chunk->offset &&
		       jfrec_event_offset(ev) - chunk->offset + jfrec_event_size(ev) <= chunk->size,
	       "an event lies in its chunk");
	sink += (size_t)(jfrec_event_start_ns(ev) ^ jfrec_event_duration_ns(ev));
	for (unsigned i = 0; i < jfrec_type_field_count(t) && left; i++) {
		v = jfrec_event_value(ev, jfrec_type_field_get(t, i));
		read_value(&v, 0, &left);
	}
	v = jfrec_event_path(ev, "eventThread.javaName");
	read_value(&v, 0, &(unsigned){ 1 });
	v = jfrec_event_path(ev, "stackTrace.frames");
	read_value(&v, 0, &(unsigned){ 1 });
}

void exercise_values(void)
{
	struct jfrec_reader *r = open_reader();
	const struct jfrec_event *ev;
	struct jfrec_error err;
	int got = 0;

	if (!r)
		return;
	for (unsigned n = 0; n < MAX_EVENTS && (got = jfrec_reader_next(r, &ev, &err)) > 0; n++)
		read_event(ev);
	if (got < 0)
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
	jfrec_reader_close(r);
}

/* Metrics ----------------------------------------------------------------------------------------- */

#define PAGE_END "# EOF\n"

/* Keeps the end of it. */
static int write_page(void *ctx, const void *data, size_t len)
{
	static const size_t size = sizeof(PAGE_END) - 1;

	if (len >= size)
		memcpy(ctx, (const char *)data + (len - size), size);
	return 0;
}

void exercise_metrics(void)
{
	static const int64_t windows[] = { 0, 60000000000, INT64_MAX };
	struct jfrec_metrics *m[3] = { NULL };
	struct jfrec_reader *r = open_reader();
	const struct jfrec_event *ev;
	char end[sizeof(PAGE_END)] = "";

	for (unsigned i = 0; i < 3; i++)
		insist((m[i] = jfrec_metrics_new("a \"source\"\n", NULL, windows[i], NULL)) != NULL,
		       "there is memory");
	for (unsigned n = 0; r && n < MAX_EVENTS && jfrec_reader_next(r, &ev, NULL) > 0; n++) {
		for (unsigned i = 0; i < 3; i++)
			insist(jfrec_metrics_event(m[i], ev, NULL) == 0, "an event is taken");
		if (n % 7 == 0)
			jfrec_metrics_flush(m[n % 3], jfrec_event_start_ns(ev));
	}
	insist(jfrec_metrics_print((const struct jfrec_metrics *const *)m, 3, write_page, end,
				   NULL) == 0 &&
		       strcmp(end, PAGE_END) == 0,
	       "they are printed");
	for (unsigned i = 0; i < 3; i++)
		jfrec_metrics_free(m[i]);
	jfrec_reader_close(r);
}

/* The weights at the ends of lines. */
struct line_sum {
	int64_t sum, number;
	bool in_number;
};

static int add_lines(void *ctx, const void *data, size_t len)
{
	struct line_sum *s = ctx;
	const char *text = data;

	for (size_t i = 0; i < len; i++) {
		if (text[i] >= '0' && text[i] <= '9' && s->in_number) {
			s->number = s->number * 10 + (text[i] - '0');
			continue;
		}
		if (text[i] == '\n' && s->in_number)
			s->sum += s->number;
		s->in_number = text[i] == ' ';
		s->number = 0;
	}
	return 0;
}

static int add_length(void *ctx, const void *data, size_t len)
{
	(void)data;
	*(size_t *)ctx += len;
	return 0;
}

static void write_all(struct jfrec_stacks *s)
{
	static const char *const formats[] = { "html", "json", "firefox", "pprof" };

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		size_t len = 0;

		insist(jfrec_stacks_write(s, JFREC_STACKS_ALL, formats[i], 0, add_length, &len,
					  NULL) == 0,
		       "the profiles are written");
		insist(len > 0, "each format has something to say");
	}
}

static void exercise_profiles(const struct jfrec_stack_options *options,
			      const char *const *profiles, size_t count)
{
	struct jfrec_stacks *s = jfrec_stacks_new(options, NULL);
	struct jfrec_reader *r = open_reader();

	insist(s != NULL, "there is memory");
	for (size_t i = 0; i < count; i++)
		insist(jfrec_stacks_add(s, profiles[i], NULL) == 0, "the profile is known");
	for (size_t i = 0; r && jfrec_stacks_read(s, 0, r, NULL) == 0 && i < count; i++) {
		const struct jfrec_stack_profile *p = jfrec_stacks_get(s, 0, i);
		struct line_sum lines = { 0 };

		insist(jfrec_stacks_write(s, i, "collapsed", 0, add_lines, &lines, NULL) == 0,
		       "the lines are written");
		/* A stack without frames has no line, and jfrconv lets names end lines. */
		insist(options->is_jfrconv || !options->counts ||
			       (uint64_t)lines.sum <= p->samples,
		       "lines have no more than the profile");
		if (i == 0 && options->keeps_times)
			write_all(s);
	}
	jfrec_stacks_free(s);
	jfrec_reader_close(r);
}

void exercise_stacks(void)
{
	static const char *const jfrconv[] = { "", "cpu", "wall", "cpu-time", "alloc", "live",
					       "lock", "nativelock", "nativemem", "trace" };
	const char *ours[32];
	size_t count = 0;
	struct jfrec_stack_options o = { .struct_size = sizeof(o), .is_jfrconv = true,
					 .with_threads = true, .with_lines = true };

	exercise_profiles(&o, jfrconv, sizeof(jfrconv) / sizeof(*jfrconv));
	while (count < 32 && (ours[count] = jfrec_stacks_names_get(count)) != NULL)
		count++;
	exercise_profiles(&(struct jfrec_stack_options){ .struct_size = sizeof(o), .counts = true,
							 .with_threads = true,
							 .keeps_times = true },
			  ours, count);
	exercise_profiles(&(struct jfrec_stack_options){ .struct_size = sizeof(o),
							 .is_reversed = true, .with_bci = true,
							 .is_simple = true, .depth = 3,
							 .exclude = "e" },
			  ours, count);
}

/* Output ------------------------------------------------------------------------------------------ */

/* A disk that is full after a while: the first output is kept, the second compared with it. */
struct output {
	size_t len, limit;
	bool compare;
};

static char kept[MAX_OUTPUT];

static int write_output(void *ctx, const void *data, size_t len)
{
	struct output *o = ctx;
	bool full = len > o->limit - o->len;

	if (full)
		len = o->limit - o->len;
	if (o->compare)
		insist(memcmp(kept + o->len, data, len) == 0, "memory never changes the output");
	else
		memcpy(kept + o->len, data, len);
	o->len += len;
	return full ? ENOSPC : 0;
}

static struct output empty_output(bool compare)
{
	size_t limit = MIN_OUTPUT + OUTPUT_PER_BYTE * bytes_len;

	return (struct output){ .limit = limit < MAX_OUTPUT ? limit : MAX_OUTPUT, .compare = compare };
}

/* Returns the length of the output. */
static size_t print_as(const struct jfrec_print_options *options, const char *events, bool compare)
{
	struct jfrec_reader *r = open_reader();
	struct output o = empty_output(compare);
	struct jfrec_error err = { 0 };

	if (r && (jfrec_reader_select(r, events, NULL, &err) < 0 ||
		  jfrec_print(r, options, write_output, &o, &err) < 0)) {
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
		insist(err.code != JFREC_EOUTPUT || err.sys == ENOSPC, "it says why writing failed");
	}
	jfrec_reader_close(r);
	return o.len;
}

/* Events of all types, or of those that the glob names. */
static void print_twice(struct jfrec_print_options options, const char *events)
{
	size_t len;

	options.struct_size = sizeof(options);
	options.stack_depth = 64;
	len = print_as(&options, events, false);
	options.memory = 1;
	insist(print_as(&options, events, true) == len,
	       "memory never changes the length of the output");
}

void exercise_text(void)
{
	print_twice((struct jfrec_print_options){ .format = JFREC_TEXT }, NULL);
}

void exercise_exact(void)
{
	print_twice((struct jfrec_print_options){ .format = JFREC_EXACT, .order = JFREC_BY_FILE },
		    NULL);
}

void exercise_json(void)
{
	print_twice((struct jfrec_print_options){ .format = JFREC_JSON }, NULL);
}

void exercise_xml(void)
{
	print_twice((struct jfrec_print_options){ .format = JFREC_XML }, NULL);
}

void exercise_ndjson(void)
{
	print_twice((struct jfrec_print_options){ .format = JFREC_NDJSON }, NULL);
	print_twice((struct jfrec_print_options){ .format = JFREC_NDJSON,
						  .flat = true,
						  .stacks = JFREC_STACKS_STRING },
		    NULL);
	print_twice((struct jfrec_print_options){ .format = JFREC_NDJSON,
						  .raw_ticks = true,
						  .stacks = JFREC_STACKS_ID },
		    NULL);
}

/* The type of the first event, since a table has one; false if there is no event. */
static bool first_type(char *name, size_t size)
{
	struct jfrec_reader *r = open_reader();
	const struct jfrec_event *ev;
	bool found = r && jfrec_reader_next(r, &ev, NULL) > 0;

	if (found)
		snprintf(name, size, "%s", jfrec_type_name(jfrec_event_type(ev)));
	jfrec_reader_close(r);
	return found;
}

void exercise_table(void)
{
	char name[200];

	if (!first_type(name, sizeof(name)))
		return;
	print_twice((struct jfrec_print_options){ .format = JFREC_CSV }, name);
	print_twice((struct jfrec_print_options){ .format = JFREC_TSV,
						  .fields = "startTime,eventThread,stackTrace",
						  .stacks = JFREC_STACKS_STRING },
		    name);
}

void exercise_choice(void)
{
	static const int64_t from = INT64_C(1700000000000000003), to = INT64_MAX;

	print_twice((struct jfrec_print_options){ .format = JFREC_JSON,
						  .order = JFREC_BY_TIME,
						  .from_ns = &from,
						  .limit = 20 },
		    NULL);
	print_twice((struct jfrec_print_options){ .format = JFREC_COUNT, .to_ns = &to }, NULL);
}

/* Expressions ------------------------------------------------------------------------------------- */

#define MAX_TEXT 512

/* How many events pass; -1 if the expression is wrong or there are too many. */
static int64_t passing(const char *expression)
{
	struct jfrec_reader *r = open_reader();
	const struct jfrec_event *ev;
	struct jfrec_error err = { 0 };
	int got = -1;
	int64_t n = 0;

	if (r && (!expression || jfrec_reader_where(r, expression, &err) == 0)) {
		while (n < MAX_EVENTS && (got = jfrec_reader_next(r, &ev, &err)) > 0)
			n++;
	}
	if (r && got < 0) {
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
		insist(err.code != JFREC_EEXPRESSION || err.offset <= strlen(expression),
		       "it says where in the expression");
	}
	jfrec_reader_close(r);
	return got == 0 ? n : -1;
}

static void exercise_expression(const char *expression)
{
	char contrary[MAX_TEXT + 8];
	int64_t yes = passing(expression), no, all;

	if (yes < 0)
		return;
	snprintf(contrary, sizeof(contrary), "not (%s)", expression);
	no = passing(contrary);
	all = passing(NULL);
	insist(no < 0 || all < 0 || yes + no == all, "an expression holds or does not");
}

/* Take the expression in front of the recording. False if there is none. */
static bool split_file(char *expression)
{
	static char bytes[1u << 20];
	ssize_t len = pread(memory_file(), bytes, sizeof(bytes), 0);
	const char *end = len > 0 ? memchr(bytes, '\0', (size_t)len) : NULL;

	if (!end || end == bytes || end - bytes > MAX_TEXT || strcmp(bytes, "FLR") == 0)
		return false;
	strcpy(expression, bytes);
	exercise_bytes(end + 1, (size_t)(bytes + len - (end + 1)));
	return true;
}

void exercise_where(void)
{
	static const char *const expressions[] = {
		"stackTrace =~ '*a*' or eventThread.javaName =~ '*'",
		"stackTrace.frames[1].method.type = 'java.lang.Object' or stackTrace = 'x()'",
		"duration > 1ns and startTime < +1s",
		"endTime >= 2023-11-14 or thread is null and not event =~ 't.*'",
		"a = 'from the pool' or b is null or c != 'x'",
		"longs > 0 or strings[0] = 'a' or pairs.x < 8 or booleans = false",
		"ms > 1ms or at < 1700000000 or bytes >= 1TB or load < 10% or count = 255",
		"node.next.other.name =~ '*e*' or node.next.next.next is null",
		"node.left.right.left.right.left is null or node.n1.n2.n3.n4.n5.n6.n7 is not null",
		"object.type = 'a.B' or object.referrer.object.referrer.array.index = 3",
		"string = 'a' or number > 3 or value =~ '*1*' or klass =~ 'java.*'",
	};
	char expression[MAX_TEXT + 1];

	if (split_file(expression)) {
		exercise_expression(expression);
		return;
	}
	/* Some of them, others for other lengths: a fuzzer comes back often. */
	for (size_t i = 0; i < 3; i++)
		exercise_expression(
			expressions[(bytes_len + i) % (sizeof(expressions) / sizeof(*expressions))]);
}

void exercise_metadata(void)
{
	struct jfrec_reader *r = open_reader();
	struct output o = empty_output(false);

	if (r)
		jfrec_print_metadata(r, write_output, &o, NULL);
	jfrec_reader_close(r);
}

static void summarize(bool merge_ids)
{
	struct jfrec_reader *r = open_reader();
	struct jfrec_summary *s = r ? jfrec_summarize(r, merge_ids, NULL) : NULL;

	for (size_t i = 0; s && i < s->type_count; i++) {
		touch(s->types[i].name);
		touch(s->types[i].label);
	}
	jfrec_summary_free(s);
	jfrec_reader_close(r);
}

void exercise_summary(void)
{
	summarize(true);
	summarize(false);
}

/* Views ---------------------------------------------------------------------------------------- */

static void read_cells(struct jfrec_table *t)
{
	size_t columns = jfrec_table_column_count(t), rows = jfrec_table_row_count(t);

	for (size_t i = 0; i < columns; i++)
		touch(jfrec_table_column_get(t, i)->label);
	for (size_t row = 0; row < rows && row < 100; row++) {
		for (size_t i = 0; i < columns; i++) {
			struct jfrec_cell c = jfrec_table_cell(t, row, i);
			size_t frames = jfrec_table_frame_count(t, row, i);

			if (c.kind == JFREC_CELL_TEXT)
				insist(strlen(c.text) <= c.len, "a text is as long as it says");
			for (size_t n = 0; n < frames; n++)
				touch(jfrec_table_frame_get(t, row, i, n));
		}
	}
}

static void print_tables(struct jfrec_query *q, int count)
{
	static const struct jfrec_table_options options[] = {
		{ .struct_size = sizeof(options[0]) },
		{ .struct_size = sizeof(options[0]),
		  .width = 30,
		  .cell_height = 3,
		  .truncate_beginning = true,
		  .verbose = true },
	};

	for (int i = 0; i < count; i++) {
		struct jfrec_table *t = jfrec_query_table(q, i);
		struct output o = empty_output(false);

		insist(!t == !!jfrec_query_missing(q, i), "a query has a table, or lacks something");
		if (!t)
			continue;
		read_cells(t);
		for (size_t n = 0; n < 2; n++)
			jfrec_table_print(t, &options[n], write_output, &o, NULL);
		if (jfrec_table_column_count(t))
			jfrec_table_sort(t, 0, JFREC_DESCENDING, NULL);
		jfrec_table_limit(t, 1);
		insist(jfrec_table_row_count(t) <= 1, "a limit holds");
	}
}

/* Returns how many queries there are. */
static int add_queries(struct jfrec_query *q, const struct jfrec_views *views)
{
	size_t count = jfrec_views_count(views), types = jfrec_query_type_count(q);
	int last = -1;

	for (size_t i = 0; i < count; i++)
		last = jfrec_query_add_view(q, jfrec_views_get(views, i), NULL);
	for (size_t i = 0; i < types && i < 40; i++) {
		int added = jfrec_query_add_type(q, jfrec_query_type_name(q, i), true, NULL);

		last = added < 0 ? last : added;
	}
	return jfrec_query_add(q,
			       "SELECT eventType.name, COUNT(*), LIST(startTime), SET(eventThread), "
			       "UNIQUE(stackTrace), MEDIAN(duration), STDEV(duration), P999(duration), "
			       "MIN(startTime), FIRST(stackTrace) FROM * GROUP BY eventType.name",
			       NULL) < 0
		       ? last + 1
		       : last + 2;
}

void exercise_view(void)
{
	struct jfrec_reader *r = open_reader();
	struct jfrec_views *views = jfrec_views_jdk(NULL);
	struct jfrec_query *q = r ? jfrec_query_new(r, NULL) : NULL;
	int count;

	insist(views != NULL, "the views of the JDK are there");
	if (q && jfrec_query_count_types(q, NULL) == 0) {
		count = add_queries(q, views);
		if (jfrec_query_run(q, NULL) == 0)
			print_tables(q, count);
	}
	jfrec_query_free(q);
	jfrec_views_free(views);
	jfrec_reader_close(r);
}

/* What it takes -------------------------------------------------------------------------------- */

static void read_active(void)
{
	struct jfrec_reader *r = jfrec_reader_open(exercise_path(), NULL);
	struct jfrec_active *a = r ? jfrec_active_read(r, NULL) : NULL;

	for (size_t i = 0; a && i < a->setting_count; i++) {
		const struct jfrec_active_setting *s = &a->settings[i];

		if (i && strcmp(s[-1].event, s->event) > 0)
			abort();
		if (s->until_ns && (i + 1 == a->setting_count || s[1].since_ns != s->until_ns))
			abort();
	}
	jfrec_active_free(a);
	jfrec_reader_close(r);
}

static void check_change(const struct jfrec_cost *c, const struct jfrec_cost_change *change)
{
	bool fewer = strcmp(change->setting ? change->setting : "", "period") != 0;

	/* A byte for each of what was rounded. */
	if (change->bytes_saved > change->event_bytes + 1 || change->event_bytes > (double)c->bytes + 1)
		abort();
	if (fewer && (change->events_saved < 0 || change->sizes.raw > (double)c->bytes + 1))
		abort();
	if (change->events_saved > (double)change->events)
		abort();
}

static void read_cost(const char *const *changes, size_t count)
{
	struct jfrec_reader *r = jfrec_reader_open(exercise_path(), NULL);
	struct jfrec_cost *c = r ? jfrec_cost_read(r, changes, count, NULL) : NULL;
	double bytes = c ? (double)c->metadata_bytes + (double)c->spare_bytes : 0;

	for (size_t i = 0; c && i < c->type_count; i++)
		bytes += (double)c->types[i].event_bytes + c->types[i].constant_bytes;
	if (c && bytes > (double)c->bytes + 1)
		abort();
	for (size_t i = 0; c && i < c->change_count; i++)
		check_change(c, &c->changes[i]);
	jfrec_cost_free(c);
	jfrec_reader_close(r);
}

void exercise_cost(void)
{
	static const char *const changes[] = {
		"*#threshold=1 ms", "*#period=7 ms",   "*#stackTrace=false",
		"*#throttle=3/s",   "*#enabled=false", "*#period=everyChunk",
	};

	read_active();
	read_cost(NULL, 0);
	/* A recording without such a setting refuses the change, but has been tried by then. */
	read_cost(changes, sizeof(changes) / sizeof(*changes));
}

/* Written again ----------------------------------------------------------------------------------- */

/* In memory, where that is a file system: each recording is brought to the disk. */
static const char *written_path(void)
{
	static char path[64];

	if (!path[0])
		snprintf(path, sizeof(path), "%s/jfrec-exercise-%d.jfr",
			 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
	return path;
}

static size_t print_reader(struct jfrec_reader *r, bool compare)
{
	static const struct jfrec_print_options options = { .struct_size = sizeof(options),
							    .format = JFREC_NDJSON,
							    .order = JFREC_BY_FILE };
	struct output o = empty_output(compare);

	if (r)
		jfrec_print(r, &options, write_output, &o, NULL);
	jfrec_reader_close(r);
	return o.len;
}

/* A chunk without events is left out, and its clock with it. */
static bool is_complete(const struct jfrec_repaired *repair)
{
	for (size_t i = 0; i < repair->chunk_count; i++) {
		if (repair->chunks[i].fate == JFREC_LOST)
			return false;
	}
	return true;
}

static void compare_written(const struct jfrec_repaired *repair)
{
	struct jfrec_reader *written = open_with(jfrec_reader_open, written_path());
	size_t len;

	insist(written, "what was written is a recording");
	if (!is_complete(repair)) {
		jfrec_reader_close(written);
		return;
	}
	len = print_reader(open_with(jfrec_reader_rescue, exercise_path()), false);
	insist(print_reader(written, true) == len, "what was written has the same events");
}

void exercise_repair(void)
{
	struct jfrec_reader *r = open_with(jfrec_reader_rescue, exercise_path());
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_repaired *repair;

	insist(o, "there is room for a file");
	repair = r ? jfrec_write_repaired(r, o, &err) : NULL;
	jfrec_reader_close(r);
	if (repair)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	else
		insist(!r || err.text[0], "a failure says why");
	jfrec_output_close(o);
	if (repair) {
		compare_written(repair);
		unlink(written_path());
	}
	jfrec_repaired_free(repair);
}

/* Some events of the recording, whatever they are. */
static struct jfrec_reader *open_some(const char *path)
{
	struct jfrec_reader *r = open_with(jfrec_reader_open, path);

	if (r) {
		jfrec_reader_filter(r, JFREC_FILTER_EVENTS, true, "*a*,jdk.S*", NULL);
		jfrec_reader_filter(r, JFREC_FILTER_THREADS, true, "*1*", NULL);
		jfrec_reader_where(r, "startTime is not null and not category = 'GC'", NULL);
	}
	return r;
}

void exercise_filter(void)
{
	struct jfrec_reader *r = open_some(exercise_path());
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_filtered *f;
	bool is_damaged;
	bool with_context = bytes_len % 2; /* then there are more events than were chosen */
	size_t len;

	insist(o, "there is room for a file");
	if (r && with_context)
		jfrec_reader_keep_context(r);
	f = r ? jfrec_write_filtered(r, NULL, NULL, o, &err) : NULL;
	is_damaged = !r || jfrec_reader_damage(r);
	jfrec_reader_close(r);
	insist(f || !r || err.text[0], "a failure says why");
	if (f)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	jfrec_output_close(o);
	if (f && !is_damaged && !with_context) {
		len = print_reader(open_some(exercise_path()), false);
		r = open_with(jfrec_reader_open, written_path());
		insist(r, "what was written is a recording");
		insist(print_reader(r, true) == len, "what was written has the events chosen");
	}
	unlink(written_path());
	jfrec_filtered_free(f);
}

/* Closes the reader. */
static uint64_t count_events(struct jfrec_reader *r, bool *is_damaged)
{
	const struct jfrec_event *ev;
	uint64_t n = 0;

	while (r && jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	*is_damaged = !r || jfrec_reader_damage(r);
	jfrec_reader_close(r);
	return n;
}

/*
 * Compared by number: chunks come in another order, and keys are others.  Where a damaged
 * chunk gets a new neighbour it may be read with that one's types.
 */
static void compare_merged(const struct jfrec_merged *merge)
{
	struct jfrec_reader *written = open_with(jfrec_reader_open, written_path());
	bool was_damaged, is_damaged;
	uint64_t before, after;

	insist(written, "what was merged is a recording");
	before = count_events(open_reader(), &was_damaged);
	after = count_events(written, &is_damaged);
	if (merge->duplicates == 0 && !was_damaged)
		insist(after == before, "what was merged has as many events");
}

static void merge_as(bool compact)
{
	const struct jfrec_merge_options options = { .struct_size = sizeof(options),
						     .compact = compact };
	struct jfrec_reader *r = open_reader();
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_merged *merge;
	bool done;

	insist(o, "there is room for a file");
	merge = r ? jfrec_write_merged(r, &options, o, &err) : NULL;
	done = merge != NULL;
	insist(done || !r || err.text[0], "a failure says why");
	if (done)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	jfrec_reader_close(r);
	jfrec_output_close(o);
	if (done) {
		compare_merged(merge);
		unlink(written_path());
	}
	jfrec_merged_free(merge);
}

void exercise_merge(void)
{
	merge_as(true);
	merge_as(false);
}

/* Scrubbed ---------------------------------------------------------------------------------------- */

void exercise_rules(void)
{
	struct jfrec_error err = { 0 };
	struct jfrec_rules *rules = jfrec_rules_new(&err);

	insist(rules, "there is memory for rules");
	if (jfrec_rules_load(rules, exercise_path(), &err) < 0)
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
	jfrec_rules_free(rules);
}

void exercise_config(void)
{
	struct jfrec_error err = { 0 };
	struct config_values *c = config_values_new(&err);
	int ret;

	insist(c, "there is memory for a configuration");
	ret = config_values_read(c, exercise_path(), &err);
	insist(ret == 0 || (err.code != JFREC_OK && err.text[0]), "a failure says why");
	for (enum config_key i = 0; i < CONFIG_COUNT; i++) {
		const struct config_value *v = config_values_get(c, i);

		/* An empty list is a value, too. */
		insist(v->key && (!v->count || v->path) && !v->line == !v->path,
		       "a value has a place");
		insist(ret == 0 || !v->path, "nothing is taken of a file that is refused");
		for (size_t k = 0; k < v->count; k++)
			insist(*v->texts[k], "a text is not empty");
	}
	config_values_free(c);
}

/* Made once: compiling them takes longer than using them. */
static const struct jfrec_rules *all_rules(void)
{
	static struct jfrec_rules *rules;

	if (rules)
		return rules;
	rules = jfrec_rules_new(NULL);
	insist(rules && jfrec_rules_add(rules, "paths", NULL) == 0 &&
		       jfrec_rules_add(rules, "hosts", NULL) == 0 &&
		       jfrec_rules_add(rules, "default", NULL) == 0 &&
		       jfrec_rules_salt(rules, "salt", NULL) == 0,
	       "there are rules");
	return rules;
}

void exercise_scrub(void)
{
	struct jfrec_reader *r = open_reader();
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_scrubbed *s;
	bool is_damaged;

	insist(o, "there is room for a file");
	s = r ? jfrec_write_scrubbed(r, all_rules(), NULL, NULL, o, &err) : NULL;
	is_damaged = !r || jfrec_reader_damage(r);
	jfrec_reader_close(r);
	insist(s || !r || err.text[0], "a failure says why");
	if (s)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	jfrec_output_close(o);
	if (s && !is_damaged) {
		r = open_with(jfrec_reader_open, written_path());
		insist(r, "what was scrubbed is a recording");
		insist(count_events(r, &is_damaged) == count_events(open_reader(), &is_damaged),
		       "what was scrubbed has as many events");
	}
	unlink(written_path());
	jfrec_scrubbed_free(s);
}

/* Streams ----------------------------------------------------------------------------------------- */

#define CUTS 8

static char directory[] = "/tmp/jfrec-fuzz-XXXXXX", growing_path[sizeof(directory) + 8];

static void remove_directory(void)
{
	unlink(growing_path);
	rmdir(directory);
}

static int growing_file(void)
{
	static int fd = -1;

	if (fd >= 0)
		return fd;
	insist(mkdtemp(directory) != NULL, "there is a directory");
	snprintf(growing_path, sizeof(growing_path), "%s/a.jfr", directory);
	atexit(remove_directory);
	fd = open(growing_path, O_RDWR | O_CREAT, 0600);
	insist(fd >= 0, "there is a file in it");
	return fd;
}

static void put_number(uint8_t *to, uint64_t value)
{
	for (int i = 8; i; i--, value >>= 8)
		to[i - 1] = (uint8_t)value;
}

/* The header of a flush: of the last metadata and checkpoint among the events in front of the cut. */
static void set_header(uint8_t header[68], const uint8_t *bytes, uint64_t cut, unsigned generation)
{
	struct cursor at = cursor_over(bytes, cut);
	struct raw_event e;

	cursor_take(&at, 68);
	while (walk_next(&at, &e) == 1) {
		if (e.type_id == 0)
			put_number(header + 24, (uint64_t)(e.start - bytes));
		if (e.type_id == 1)
			put_number(header + 16, (uint64_t)(e.start - bytes));
	}
	/* Some cuts are between events, as all of a JVM are. */
	put_number(header + 8, cut % 2 ? cut : (uint64_t)(at.pos - bytes));
	header[64] = (uint8_t)generation;
}

static void take_steps(struct jfrec_stream *s, struct jfrec_printer *p)
{
	struct jfrec_stream_step step = { 0 };
	struct jfrec_error err = { 0 };
	int got = 1;

	for (unsigned n = 0; n < MAX_EVENTS && got > 0; n++) {
		got = jfrec_stream_next(s, 0, &step, &err);
		if (got <= 0 || step.kind == JFREC_STREAM_NOTHING)
			break;
		if (step.kind == JFREC_STREAM_EVENT) {
			read_event(step.event);
			jfrec_printer_event(p, step.event, NULL);
		}
	}
	if (got < 0)
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
}

static void follow_cuts(uint8_t *bytes, size_t len, bool is_unordered)
{
	const struct jfrec_print_options print = { .struct_size = sizeof(print),
						   .format = JFREC_NDJSON,
						   .stack_depth = 5 };
	struct jfrec_stream_options options = { .struct_size = sizeof(options),
						.from_ns = &(int64_t){ INT64_MIN },
						.unordered = is_unordered,
						.wait = true };
	struct output o = empty_output(false);
	struct jfrec_printer *p;
	struct jfrec_stream *s;
	uint8_t header[68];
	uint64_t cut = 68;

	memcpy(header, bytes, sizeof(header));
	s = jfrec_stream_open(directory, &options, NULL);
	insist(s != NULL, "a directory can be followed");
	jfrec_reader_on_problem(jfrec_stream_reader(s), on_problem, NULL);
	p = jfrec_printer_new(jfrec_stream_reader(s), &print, write_output, &o, NULL);
	insist(p != NULL, "there is memory for a printer");
	for (unsigned i = 0; i <= CUTS; i++) {
		const uint8_t *by = bytes + len - 2 * CUTS + 2 * i;

		if (i < CUTS)
			cut += (uint64_t)(by[0] << 8 | by[1]) * (len - cut) / 65536;
		else
			cut = len;
		set_header(header, bytes, cut, i < CUTS ? i + 1 : 0);
		insist(pwrite(growing_file(), header, sizeof(header), 0) == sizeof(header),
		       "the file takes a header");
		take_steps(s, p);
	}
	jfrec_printer_end(p, NULL);
	jfrec_printer_free(p);
	jfrec_stream_close(s);
}

void exercise_stream(void)
{
	uint8_t *bytes;

	if (bytes_len < 68 + 2 * CUTS)
		return;
	bytes = malloc(bytes_len);
	insist(bytes && pread(memory_file(), bytes, bytes_len, 0) == (ssize_t)bytes_len,
	       "the bytes are there");
	insist(ftruncate(growing_file(), 0) == 0 &&
		       pwrite(growing_file(), bytes, bytes_len, 0) == (ssize_t)bytes_len,
	       "the file takes the bytes");
	follow_cuts(bytes, bytes_len, false);
	follow_cuts(bytes, bytes_len, true);
	free(bytes);
}
