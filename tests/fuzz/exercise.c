/* SPDX-License-Identifier: MIT */
/*
 * exercise.c - all that a caller can do with a recording
 */
#include "exercise_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Constants may refer to each other in circles; a caller has to stop somewhere. */
#define MAX_DEPTH 6

/* An element of an array costs as much as all before it. */
#define MAX_ELEMENTS 40

/* Values looked at in one event. */
#define MAX_VALUES 2000

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

void insist(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "exercise: not so: %s\n", what);
	abort();
}

/* The file ---------------------------------------------------------------------------------------- */

static size_t bytes_len;

size_t exercise_len(void)
{
	return bytes_len;
}

int memory_file(void)
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

void touch(const char *text)
{
	sink += text ? strlen(text) : 0;
}

void on_problem(void *ctx, const struct jfrec_problem *p)
{
	(void)ctx;
	insist(p->text && p->text[0], "a problem has a text");
	touch(p->text);
}

const struct jfrec_open_options rescuing = { .struct_size = sizeof(rescuing), .rescue = true };

struct jfrec_reader *open_with(const struct jfrec_open_options *options, const char *path)
{
	struct jfrec_error err;
	struct jfrec_reader *r = jfrec_reader_open(path, options, &err);

	if (r)
		jfrec_reader_on_problem(r, on_problem, NULL);
	else
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
	return r;
}

struct jfrec_reader *open_reader(void)
{
	return open_with(NULL, exercise_path());
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

/* Lost beginnings --------------------------------------------------------------------------------- */

/* The recording without its header, or without its first page: who frees it. */
static uint8_t *beheaded(void)
{
	size_t lost = bytes_len % 2 ? 68 : 4096;
	uint8_t *bytes = malloc(bytes_len + 1);

	insist(bytes, "there is memory for a copy");
	insist(pread(memory_file(), bytes, bytes_len, 0) == (ssize_t)bytes_len, "it can be read");
	/* Not 0xff: that is the generation of a header in the making, which is waited for. */
	memset(bytes, 0xee, lost < bytes_len ? lost : bytes_len);
	return bytes;
}

void exercise_lent(void)
{
	const struct jfrec_open_options options = {
		.struct_size = sizeof(options),
		.without_header = true,
	};
	uint8_t *bytes = beheaded();
	struct jfrec_error err = { 0 };
	struct jfrec_reader *r = jfrec_reader_open_memory(bytes, bytes_len, &options, &err);
	const struct jfrec_event *ev;
	uint64_t chunks;
	int got;

	insist(r, "its header is not looked at yet");
	jfrec_reader_on_problem(r, on_problem, NULL);
	if (jfrec_reader_types_from(r, exercise_path(), &err) == 0 &&
	    jfrec_reader_count_chunks(r, &chunks, &err) == 0) {
		while ((got = jfrec_reader_next(r, &ev, &err)) > 0)
			insist(chunks, "events are in chunks");
		insist(got == 0, "what was counted can be read");
		insist(jfrec_reader_damage(r) > 0, "what is lost is told");
	} else {
		insist(err.text[0], "a failure says why");
	}
	jfrec_reader_close(r);
	free(bytes);
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
	insist(element.kind == JFREC_KIND_NULL, "no element is behind the last");
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
	if (v->kind == JFREC_KIND_STRUCT)
		read_members(v, depth, left);
	else if (v->kind == JFREC_KIND_ARRAY)
		read_elements(v, depth, left);
}

void read_event(const struct jfrec_event *ev)
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

/* Output ------------------------------------------------------------------------------------------ */

static char kept[MAX_OUTPUT];

int write_output(void *ctx, const void *data, size_t len)
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

struct output empty_output(bool compare)
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

/* Types and counts ------------------------------------------------------------------------------ */

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

	for (size_t i = 0; s && i < jfrec_summary_type_count(s); i++) {
		touch(jfrec_summary_type_get(s, i)->name);
		touch(jfrec_summary_type_get(s, i)->label);
	}
	jfrec_summary_free(s);
	jfrec_reader_close(r);
}

void exercise_summary(void)
{
	summarize(true);
	summarize(false);
}
