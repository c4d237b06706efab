/* SPDX-License-Identifier: MIT */
/*
 * pprof.c - profiles as pprof reads them: profile.proto, compressed by gzip
 *
 * https://github.com/google/pprof/blob/main/proto/profile.proto. Numbers of fields:
 *
 *    Profile    1 sample_type  2 sample  3 mapping  4 location  5 function  6 string_table
 *               9 time_nanos  10 duration_nanos  11 period_type  12 period  13 comment
 *    ValueType  1 type  2 unit            Sample  1 location_id (leaf first)  2 value  3 label
 *    Label      1 key  2 str  3 num       Mapping 1 id  5 filename  7 to 9 has_functions...
 *    Location   1 id  2 mapping_id  4 line        Line  1 function_id  2 line
 *    Function   1 id  2 name  4 filename
 *
 * Texts are numbers in the string table, whose first text is empty. Each profile has two sample
 * types, its samples and their value, so that one file has all profiles.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/protobuf.h"
#include "output/compress.h"
#include "profiles/sample_types.h"
#include "profiles/unseen.h"
#include "stacks/stacks.h"

/* What is being written. */
struct pprof {
	struct jfrec_stacks *stacks;
	struct out *out;
	struct buffer message, part; /* of a field, of a field in that */
	struct buffer file;
	struct name_set strings;
	uint32_t *path; /* frames from the root on */
	uint32_t *path_locations; /* theirs */
	unsigned located;	  /* how deep they are known */
	uint32_t *location; /* by frame: its location, or 0: none as yet */
	uint32_t *text_of_name; /* by name: its number among the strings; 0: none as yet */
	uint64_t class_key, thread_key, thread_id_key,
		label_key; /* the same of the keys of labels */
	uint32_t location_count;
	size_t kind, column, columns; /* of the profile at hand; of all sample types */
	struct tree *tree;
};

static uint64_t string_number(struct pprof *p, const char *text, size_t len)
{
	uint32_t number = name_set_put(&p->strings, text, len);

	if (number == NAME_NONE)
		p->file.failed = true;
	return number;
}

static uint64_t text_number(struct pprof *p, const char *text)
{
	return string_number(p, text, strlen(text));
}

static uint64_t name_number(struct pprof *p, uint32_t name)
{
	const struct name *n = &p->stacks->book.names.list[name];

	if (!p->text_of_name[name])
		p->text_of_name[name] = (uint32_t)string_number(p, n->text, n->len);
	return p->text_of_name[name];
}

static void end_message(struct pprof *p, unsigned field)
{
	protobuf_message(&p->file, field, &p->message);
	buffer_clear(&p->message);
}

/* Sample types --------------------------------------------------------------------------------- */

static void put_type(struct pprof *p, const char *type, const char *unit)
{
	protobuf_number(&p->message, 1, text_number(p, type));
	protobuf_number(&p->message, 2, text_number(p, unit));
	end_message(p, 1);
	p->columns++;
}

static void put_types(struct pprof *p, const struct profile_kind *k)
{
	struct sample_types types = sample_types_of(k);

	put_type(p, types.count, sample_unit(UNIT_SAMPLES));
	if (types.value)
		put_type(p, types.value, sample_unit(k->unit));
}

/* Locations ------------------------------------------------------------------------------------ */

static bool is_java(const struct frame *f)
{
	return f->kind == FRAME_JIT || f->kind == FRAME_NATIVE;
}

static uint64_t file_of(struct pprof *p, const struct name *name)
{
	char path[FRAME_PATH_MAX];

	return frame_file_path(name->text, name->len, path) ? text_number(p, path) : 0;
}

/* Each frame is a location with a function of its own. */
static uint64_t location_of(struct pprof *p, uint32_t number)
{
	const struct frame *f = &p->stacks->book.frames.list[number];
	const struct name *name = &p->stacks->book.names.list[f->name];

	if (p->location[number])
		return p->location[number];
	p->location[number] = ++p->location_count;
	protobuf_number(&p->part, 1, p->location_count);
	protobuf_number(&p->part, 2, f->line);
	protobuf_number(&p->message, 1, p->location_count);
	protobuf_number(&p->message, 2, 1);
	protobuf_message(&p->message, 4, &p->part);
	buffer_clear(&p->part);
	end_message(p, 4);
	protobuf_number(&p->message, 1, p->location_count);
	protobuf_number(&p->message, 2, name_number(p, f->name));
	protobuf_number(&p->message, 4, is_java(f) ? file_of(p, name) : 0);
	end_message(p, 5);
	return p->location_count;
}

/* Samples -------------------------------------------------------------------------------------- */

/* Texts are numbered as they come: that of the key, if it is 0, before that of the value. */
static void put_key(struct pprof *p, uint64_t *number, const char *key)
{
	if (!*number)
		*number = text_number(p, key);
	protobuf_number(&p->part, 1, *number);
}

static void put_label(struct pprof *p, uint64_t value)
{
	protobuf_number(&p->part, 2, value);
	protobuf_message(&p->message, 3, &p->part);
	buffer_clear(&p->part);
}

static void put_thread(struct pprof *p, const struct frame *f)
{
	const struct name *name = &p->stacks->book.names.list[f->name];
	struct thread_text t = frame_thread_name(name->text, name->len);

	put_key(p, &p->thread_key, "thread");
	put_label(p, string_number(p, t.text, t.len));
	if (!*t.id)
		return;
	put_key(p, &p->thread_id_key, "thread_id");
	put_label(p, string_number(p, t.id, strcspn(t.id, "]")));
}

static void put_values(struct pprof *p, struct weight w)
{
	bool has_value = p->stacks->kinds[p->kind]->unit != UNIT_SAMPLES;

	for (size_t i = 0; i < p->columns; i++) {
		uint64_t v = i == p->column ? w.samples
			     : has_value && i == p->column + 1 ? (uint64_t)w.value
								: 0;

		buffer_leb128(&p->part, v);
	}
	protobuf_message(&p->message, 2, &p->part);
	buffer_clear(&p->part);
}

/* The first frame that is code: before it may be that of a label, and that of the thread. */
static uint32_t first_location(const struct pprof *p, unsigned depth)
{
	uint32_t first = stacks_has_labels(p->stacks) ? 2 : 1;

	if (depth >= first && p->stacks->book.frames.list[p->path[first]].kind == FRAME_THREAD)
		first++;
	return first;
}

/* Locations are messages of their own: they have to be there before a sample has them. */
static void locate(struct pprof *p, unsigned depth)
{
	uint32_t first = first_location(p, depth);

	first = p->located > first ? p->located : first;
	for (uint32_t i = first; i <= depth; i++)
		p->path_locations[i] = (uint32_t)location_of(p, p->path[i]);
	p->located = depth + 1;
}

static void put_sample(struct pprof *p, unsigned depth, struct weight w)
{
	struct frame *frames = p->stacks->book.frames.list;
	uint32_t first = first_location(p, depth);

	locate(p, depth);
	for (uint32_t i = depth; i >= first; i--)
		buffer_leb128(&p->part, p->path_locations[i]);
	protobuf_message(&p->message, 1, &p->part);
	buffer_clear(&p->part);
	put_values(p, w);
	if (depth && stacks_has_labels(p->stacks)) {
		put_key(p, &p->label_key, p->stacks->label);
		put_label(p, name_number(p, frames[p->path[1]].name));
	}
	if (depth && first > 1 && frames[p->path[first - 1]].kind == FRAME_THREAD)
		put_thread(p, &frames[p->path[first - 1]]);
	if (depth && frames[p->path[depth]].kind == FRAME_CLASS) {
		put_key(p, &p->class_key, "class");
		put_label(p, name_number(p, frames[p->path[depth]].name));
	}
	end_message(p, 2);
}

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct pprof *p = ctx;
	const struct node *n = &p->tree->nodes[node];

	p->path[depth] = n->frame;
	if (p->located > depth)
		p->located = depth;
	if (n->self.samples)
		put_sample(p, depth, n->self);
	return p->file.failed ? -1 : 1;
}

/* The file ------------------------------------------------------------------------------------- */

/* pprof asks for no symbols where the mapping says that all are there. */
static void put_mapping(struct pprof *p)
{
	protobuf_number(&p->message, 1, 1);
	protobuf_number(&p->message, 5, text_number(p, "jvm"));
	for (unsigned field = 7; field <= 9; field++)
		protobuf_number(&p->message, field, 1);
	end_message(p, 3);
}

static void put_times(struct pprof *p)
{
	const struct span_ns *s = &p->stacks->spans[0];

	if (s->end_ns <= s->start_ns)
		return;
	protobuf_number(&p->file, 9, (uint64_t)s->start_ns);
	protobuf_number(&p->file, 10, (uint64_t)(s->end_ns - s->start_ns));
}

/* "cpu: 3 samples that were lost", which `go tool pprof -comments` prints. */
static void put_comments(struct pprof *p, size_t kind)
{
	struct unseen unseen[UNSEEN_MAX];
	size_t count = unseen_of(p->stacks, kind, unseen);
	char text[160];

	for (size_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "%s: %" PRIu64 " %s", p->stacks->kinds[kind]->label,
			 unseen[i].count, unseen[i].what);
		protobuf_number(&p->file, 13, text_number(p, text));
	}
}

static int put_profiles(struct pprof *p, size_t only)
{
	struct jfrec_stacks *s = p->stacks;
	struct stacks_walk walk = { .stacks = s, .enter = enter, .ctx = p };
	size_t next = 0;

	for (size_t i = 0; i < s->kind_count; i++) {
		if (stacks_has(s, i, only))
			put_types(p, s->kinds[i]);
	}
	for (size_t i = 0; i < s->kind_count; i++) {
		if (!stacks_has(s, i, only))
			continue;
		p->kind = i;
		p->column = next;
		next += s->kinds[i]->unit == UNIT_SAMPLES ? 1 : 2;
		walk.tree = p->tree = stacks_tree(s, 0, i);
		if (stacks_visit(&walk) < 0)
			return -1;
		put_comments(p, i);
	}
	return 0;
}

/* jfrec_write_fn for what the compressor writes. */
static int put_compressed(void *ctx, const void *data, size_t len)
{
	struct out *out = ctx;

	out_put(out, data, len);
	return out->error;
}

static int compress(struct pprof *p)
{
	struct compressor *c =
		p->file.failed ? NULL : compressor_gzip_quick(put_compressed, p->out);
	int error = c ? c->write(c, p->file.data, p->file.len) : 0;

	if (c && !error)
		c->end(c);
	if (c)
		c->free(c);
	return c ? 0 : -1;
}

static int put_strings(struct pprof *p)
{
	for (uint32_t i = 0; i < p->strings.count; i++)
		protobuf_bytes(&p->file, 6, p->strings.list[i].text, p->strings.list[i].len);
	return p->file.failed ? -1 : 0;
}

int pprof_write(struct jfrec_stacks *s, size_t only, double minimum, struct out *out,
		struct jfrec_error *err)
{
	struct pprof p = { .stacks = s, .out = out };
	int ret = -1;

	(void)minimum; /* readers of pprof leave out what is small themselves */
	p.path = calloc(STACKS_MAX_DEPTH, sizeof(*p.path));
	p.path_locations = calloc(STACKS_MAX_DEPTH, sizeof(*p.path_locations));
	p.location = calloc((size_t)s->book.frames.count + 1, sizeof(*p.location));
	p.text_of_name = calloc((size_t)s->book.names.count + 1, sizeof(*p.text_of_name));
	if (p.path && p.path_locations && p.location && p.text_of_name) {
		text_number(&p, "");
		put_mapping(&p);
		put_times(&p);
		ret = put_profiles(&p, only);
		if (ret == 0)
			ret = put_strings(&p);
		if (ret == 0)
			ret = compress(&p);
	}
	free(p.path);
	free(p.path_locations);
	free(p.location);
	free(p.text_of_name);
	buffer_fini(&p.message);
	buffer_fini(&p.part);
	buffer_fini(&p.file);
	name_set_fini(&p.strings);
	return ret < 0 ? jfrec_fail_memory(err) : 0;
}
