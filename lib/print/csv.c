/* SPDX-License-Identifier: MIT */
/*
 * csv.c - print --csv and --tsv: a table of one event type, or single cells
 *
 * CSV is that of RFC 4180: lines end in CR LF, and a cell is quoted if it has
 * to be.  TSV has no quotes: tab, line feed, carriage return and backslash are
 * written as in C.  Null is an empty cell, and an empty string in CSV is "".
 * What has parts (arrays, structs that no column reaches into) is JSON.
 *
 * cells.h has the same cells one at a time, as they are: nothing quoted, nothing escaped.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "print/cells.h"
#include "print/escape.h"
#include "print/fields.h"
#include "print/java.h"
#include "print/ndjson.h"
#include "print/times.h"

extern const struct format csv_format, tsv_format;

#define REPLACEMENT 0xfffd

static bool is_tsv(const struct format *f)
{
	return f == &tsv_format;
}

static bool is_csv(const struct format *f)
{
	return f == &csv_format;
}

/* Strings -------------------------------------------------------------------------------------- */

/* Bytes that need a second look, quoted or not: NUL ends the text for many readers. */
static inline uint64_t csv_marks(uint64_t eight)
{
	return (eight | equal(eight, '\0') | equal(eight, '"')) & HIGHEST_BITS;
}

static inline uint64_t tsv_marks(uint64_t eight)
{
	return (eight | equal(eight, '\0') | equal(eight, '\t') | equal(eight, '\n') |
		equal(eight, '\r') | equal(eight, '\\')) &
	       HIGHEST_BITS;
}

/* Bytes that a cell of CSV is quoted for. */
static const uint8_t special[256] = { ['"'] = 1, [','] = 1, ['\r'] = 1, ['\n'] = 1 };

static char *put_code_point(char *at, int32_t c)
{
	return put_utf8(at, c == 0 || (c & 0xfffff800) == 0xd800 ? REPLACEMENT : (uint32_t)c);
}

static char *put_csv_char(char *at, int32_t c)
{
	if (c == '"')
		*at++ = '"';
	return put_code_point(at, c);
}

static char *put_tsv_char(char *at, int32_t c)
{
	char letter = c == '\t' ? 't' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\\' ? '\\' : 0;

	if (!letter)
		return put_code_point(at, c);
	*at++ = '\\';
	*at++ = letter;
	return at;
}

static char *put_bare_char(char *at, int32_t c)
{
	return put_utf8(at, (c & 0xfffff800) == 0xd800 ? REPLACEMENT : (uint32_t)c);
}

/* The inside of a cell. */
static void put_csv_text(struct render *r, struct string s)
{
	put_escaped_string(r, s, csv_marks, put_csv_char);
}

static void put_tsv_text(struct render *r, struct string s)
{
	put_escaped_string(r, s, tsv_marks, put_tsv_char);
}

static void put_bare_text(struct render *r, struct string s)
{
	/* Only what is not ASCII, since it may be malformed. */
	put_escaped_string(r, s, marks_high, put_bare_char);
}

static struct string string_of(const char *s, size_t len)
{
	return (struct string){ STRING_UTF8, (const uint8_t *)s, len, 0 };
}

static void put_csv_name(struct render *r, const char *s, size_t len)
{
	put_csv_text(r, string_of(s, len));
}

static void put_tsv_name(struct render *r, const char *s, size_t len)
{
	put_tsv_text(r, string_of(s, len));
}

static void put_bare_name(struct render *r, const char *s, size_t len)
{
	put_bare_text(r, string_of(s, len));
}

static bool is_quoted(const struct render *r, struct string s)
{
	uint64_t n = 0;

	while (n < s.len && !special[s.bytes[n]])
		n++;
	return is_csv(r->format) && (s.len == 0 || n < s.len);
}

static void put_quote(struct render *r, bool quoted)
{
	if (quoted)
		out_char(&r->out, '"');
}

/* Spreadsheets run what begins so, unless a ' precedes it. */
static void guard(struct render *r, const char *text, size_t len)
{
	if (r->escapes_formulas && len && memchr("=+-@\t\r", *text, 6))
		out_char(&r->out, '\'');
}

static void put_text(struct render *r, struct string s)
{
	bool quoted = is_quoted(r, s);

	put_quote(r, quoted);
	guard(r, (const char *)s.bytes, s.len);
	if (is_tsv(r->format))
		put_tsv_text(r, s);
	else if (is_csv(r->format))
		put_csv_text(r, s);
	else
		put_bare_text(r, s);
	put_quote(r, quoted);
}

static void put_null(struct render *r)
{
	out_put(&r->out, r->format->null, strlen(r->format->null));
}

static void put_string(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct string s;

	if (slot_string(r, slots[op->slot], &s))
		put_text(r, s);
	else if (s.encoding == STRING_KEY && op->site)
		render_constant(r, op->site, s.key);
	else
		put_null(r);
}

static void put_char(struct render *r, const struct op *op, const uint64_t *slots)
{
	char *(*put)(char *at, int32_t c) =
		r->format == &cell_format ? put_bare_char : put_code_point;
	char utf8[2 * UTF8_MAX];
	char *end = put(utf8, (int32_t)slots[op->slot]);

	put_text(r, string_of(utf8, (size_t)(end - utf8)));
}

/* Numbers and times ---------------------------------------------------------------------------- */

static void put_double(struct render *r, const struct op *op, const uint64_t *slots)
{
	double d = slot_double(slots[op->slot]);

	if (__builtin_isfinite(d))
		out_end(&r->out, put_java_double(out_room(&r->out), d));
}

static void put_float(struct render *r, const struct op *op, const uint64_t *slots)
{
	float f = slot_float(slots[op->slot]);

	if (__builtin_isfinite(f))
		out_end(&r->out, put_java_float(out_room(&r->out), f));
}

static void put_timespan(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_ns_timespan_slot(r, out_room(&r->out), op, slots[op->slot]));
}

static void put_timestamp(struct render *r, const struct op *op, const uint64_t *slots)
{
	out_end(&r->out, put_full_timestamp_slot(r, out_room(&r->out), op, slots[op->slot]));
}

/* Java's own ----------------------------------------------------------------------------------- */

static void put_class_name(struct render *r, const struct op *op, const uint64_t *slots)
{
	const char *name = java_class_name(r, op->site->type, slots + op->slot);
	bool quoted = name && is_quoted(r, string_of(name, strlen(name)));

	if (!name) {
		put_null(r);
		return;
	}
	put_quote(r, quoted);
	guard(r, name, strlen(name));
	java_put_class_name(r, name);
	put_quote(r, quoted);
}

static void put_loader_name(struct render *r, const struct op *op, const uint64_t *slots)
{
	const char *name = java_loader_name(r, op->site->type, slots + op->slot);

	if (name)
		put_text(r, string_of(name, strlen(name)));
	else
		put_null(r);
}

static void put_unguarded_line(struct render *r, const struct op *op, const uint64_t *slots)
{
	op->site->render(r, op->site, slots + op->slot, 0);
}

/* What it begins with is known once it is there. */
static void put_guarded_line(struct render *r, const struct op *op, const uint64_t *slots)
{
	const struct op ops[] = {
		{ .put = put_unguarded_line, .slot = op->slot, .site = op->site },
		{ 0 },
	};
	struct aside line = render_aside(r, ops, slots);

	guard(r, line.text, line.len);
	out_put(&r->out, line.text, line.len);
	free(line.text);
}

/* Methods, frames and stack traces. Most have a comma, so all are quoted. */
static void put_line(struct render *r, const struct op *op, const uint64_t *slots)
{
	bool quoted = is_csv(r->format);

	put_quote(r, quoted);
	if (r->escapes_formulas)
		put_guarded_line(r, op, slots);
	else
		put_unguarded_line(r, op, slots);
	put_quote(r, quoted);
}

/* What has parts is rendered as JSON first, for that needs quotes of its own. */
static void put_json(struct render *r, const struct op *op, const uint64_t *slots)
{
	const struct format *format = r->format;
	struct aside json;

	r->format = &ndjson_format;
	if (format == &cell_format) {
		if (op->element_ops)
			render_ops(r, op->element_ops, slots);
		r->format = format;
		return;
	}
	json = render_aside(r, op->element_ops, slots);
	r->format = format;
	put_text(r, string_of(json.text, json.len));
	free(json.text);
}

/* Building ------------------------------------------------------------------------------------- */

static const struct leaves leaves = {
	.character = put_char,
	.float32 = put_float,
	.float64 = put_double,
	.string = put_string,
	.timespan = put_timespan,
	.timestamp = put_timestamp,
};

/* A cell of JSON, whose template is in `inner`. */
static void build_json(struct builder *b, struct builder *inner, unsigned slot)
{
	const struct op *ops = build_finish(inner);

	build_put(b, put_json, slot)->element_ops = ops;
}

static void build_known(struct builder *b, const struct jfrec_type *t, unsigned slot, put_fn *put,
			site_fn *render)
{
	build_put(b, put, slot)->site = build_site(b, t, 0, render);
}

static void build_cell(struct builder *b, const struct jfrec_field *f, unsigned slot);
static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot);

/* One part of a frame, which a producer may leave out. */
static void build_frame_part(struct builder *b, const struct jfrec_type *t, unsigned slot,
			     const char *name)
{
	struct way way;

	if (way_find(&way, t, name))
		build_path(b, way_path(&way), slot, build_cell);
	else
		build_text(b, CELL_NULL);
}

/* Whatever a producer declares a part as, there are no frames in it. */
static void build_frame_parts(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	static const char *const names[] = { "method", "lineNumber", "bytecodeIndex", "type" };

	b->format = &cell_format;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (i)
			build_text(b, CELL_NEXT_PART);
		build_frame_part(b, t, slot, names[i]);
	}
	b->format = &frame_list_format;
}

static void put_frame_list(struct render *r, const struct op *op, const uint64_t *slots)
{
	struct elements e;

	elements_begin(r, op, slots, &e);
	while (e.index < r->stack_depth && elements_next(op, &e))
		render_ops(r, op->element_ops, e.slots);
	elements_end(r, op, &e);
}

static void build_listed_frame(struct builder *b, const struct jfrec_field *f, unsigned indent)
{
	(void)indent;
	build_single(b, f, 0);
	build_text(b, CELL_END_FRAME);
}

static const struct jfrec_field *frames_of(const struct jfrec_type *t)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		if (strcmp(t->fields[i].name, "frames") == 0 && t->fields[i].array)
			return &t->fields[i];
	}
	return NULL;
}

static void build_frame_list(struct builder *b, const struct jfrec_type *t, unsigned slot)
{
	const struct jfrec_field *f = frames_of(t);

	if (f)
		build_array(b, put_frame_list, f, slot + plan_of(t)->first_step[f->index], 0,
			    build_listed_frame);
}

static bool lists_frames(const struct builder *b)
{
	return b->format == &frame_list_format;
}

static void build_inline(struct builder *b, const struct jfrec_type *t, const struct jfrec_field *f,
			 unsigned slot)
{
	struct builder inner = { .shapes = b->shapes, .format = &ndjson_format };

	if (t->wire != WIRE_NONE) {
		build_leaf(b, &leaves, t, f, slot);
		return;
	}
	if (is_wrapper(t)) {
		build_cell(b, &t->fields[0], slot);
		return;
	}
	switch ((enum known_type)t->known) {
	case KNOWN_CLASS:
		build_known(b, t, slot, put_class_name, render_constant_ops);
		break;
	case KNOWN_CLASS_LOADER:
		build_known(b, t, slot, put_loader_name, render_constant_ops);
		break;
	case KNOWN_METHOD:
		build_known(b, t, slot, put_line, java_method);
		break;
	case KNOWN_FRAME:
		if (lists_frames(b))
			build_frame_parts(b, t, slot);
		else
			build_known(b, t, slot, put_line, java_frame);
		break;
	case KNOWN_STACK_TRACE:
		if (lists_frames(b))
			build_frame_list(b, t, slot);
		else
			build_known(b, t, slot, put_line, java_stack_methods);
		break;
	default:
		ndjson_build_inline(&inner, t, f, slot);
		build_json(b, &inner, slot);
	}
}

static void build_single(struct builder *b, const struct jfrec_field *f, unsigned slot)
{
	if (f->constant)
		build_put(b, put_constant, slot)->site =
			build_site(b, f->type, 0, render_constant_ops);
	else
		build_inline(b, f->type, f, slot);
}

static void build_cell(struct builder *b, const struct jfrec_field *f, unsigned slot)
{
	struct builder inner = { .shapes = b->shapes, .format = &ndjson_format };

	if (f->array) {
		ndjson_build_value(&inner, f, slot);
		build_json(b, &inner, slot);
	} else {
		build_single(b, f, slot);
	}
}

struct op *cell_ops(struct shapes *s, struct path path, const struct format *format)
{
	struct builder b = { .shapes = s, .format = format };

	build_path(&b, path, 0, build_cell);
	return build_finish(&b);
}

static void csv_constant(struct builder *b, const struct site *s)
{
	if (s->path.count)
		build_path(b, s->path, 0, build_cell);
	else
		build_inline(b, s->type, NULL, 0);
}

/* Tables --------------------------------------------------------------------------------------- */

static const char *separator(const struct format *f)
{
	return is_tsv(f) ? "\t" : ",";
}

static const char *line_end(const struct format *f)
{
	return is_tsv(f) ? "\n" : "\r\n";
}

static void put_plain(struct render *r, const char *s)
{
	out_put(&r->out, s, strlen(s));
}

static void put_header(struct render *r)
{
	const struct names *columns = &r->layout.columns;

	for (unsigned i = 0; i < columns->count; i++) {
		if (i)
			put_plain(r, separator(r->format));
		put_text(r, string_of(columns->items[i], strlen(columns->items[i])));
	}
	put_plain(r, line_end(r->format));
}

/* The type of the rows is known: choose the columns. */
static void begin_table(struct render *r, const struct jfrec_type *t)
{
	struct layout *l = &r->layout;

	l->table_of = arena_strndup(&l->columns.arena, t->name, strlen(t->name));
	if (!l->table_of ||
	    (!l->fields && names_add_all(&l->columns, t, layout_has_stacks(l)) < 0)) {
		jfrec_fail_memory(&r->failure);
		return;
	}
	fields_look(r);
	if (!r->failure.code && !l->columns.count)
		render_fail(r, "stack traces are omitted, and there is no other column to print");
	if (!r->failure.code)
		put_header(r);
}

static void csv_event(struct builder *b, const struct jfrec_type *t)
{
	struct render *r = b->shapes->render;
	const struct names *columns = &r->layout.columns;
	struct way way;

	if (!r->layout.table_of)
		begin_table(r, t);
	else if (strcmp(t->name, r->layout.table_of) != 0)
		render_fail(r, "a table has events of one type, but there are also events of %s",
			    t->name);
	if (r->failure.code)
		return;
	for (unsigned i = 0; i < columns->count; i++) {
		if (i)
			build_text(b, separator(b->format));
		if (way_find(&way, t, columns->items[i]))
			build_path(b, way_path(&way), 0, build_cell);
	}
	build_text(b, line_end(b->format));
}

/* Some of the types that are to be printed. */
struct census {
	const struct jfrec_type *types[4];
	unsigned count; /* also of those for which there is no room */
};

static void count_type(struct census *c, const struct jfrec_type *t)
{
	const unsigned room = sizeof(c->types) / sizeof(*c->types);

	for (unsigned i = 0; i < c->count && i < room; i++) {
		if (strcmp(c->types[i]->name, t->name) == 0)
			return;
	}
	if (c->count < room)
		c->types[c->count] = t;
	c->count++;
}

static struct census declared_types(const struct chunk_render *v)
{
	const struct metadata *m = v->chunk->metadata;
	struct census c = { .count = 0 };

	for (uint32_t i = 0; i < m->type_count; i++) {
		if (v->selected[i])
			count_type(&c, &m->types[i]);
	}
	return c;
}

/* Those that have events. */
static struct census present_types(const struct chunk_render *v)
{
	struct chunk_walk walk = chunk_walk(v->chunk);
	bool *seen = calloc((size_t)v->chunk->metadata->type_count + 1, sizeof(*seen));
	struct census c = { .count = 0 };
	struct raw_event e;

	walk.is_quiet = true;
	while (seen && chunk_walk_any(&walk, &e)) {
		const struct jfrec_type *t = metadata_type(v->chunk->metadata, e.type_id);

		if (t && v->selected[t->index] && !seen[t->index]) {
			seen[t->index] = true;
			count_type(&c, t);
		}
	}
	free(seen);
	return c;
}

static void fail_several(struct render *r, const struct census *c)
{
	const unsigned room = sizeof(c->types) / sizeof(*c->types);
	char names[256] = "";
	size_t len = 0;

	for (unsigned i = 0; i < c->count && i < room && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s", i ? ", " : "",
					c->types[i]->name);
	render_fail(r,
		    "a table has events of one type, but %u types have some (%s%s); "
		    "name one type with --events",
		    c->count, names, c->count > room ? ", ..." : "");
}

/*
 * Better before the first row than in the middle: know from the sizes and ids
 * of the events whether they are of one type.  A type without events, if it is
 * the only one, is a table without rows.
 */
static void csv_chunk(struct render *r)
{
	struct census c = present_types(r->current);

	if (c.count > 1) {
		fail_several(r, &c);
		return;
	}
	if (c.count == 0)
		c = declared_types(r->current);
	if (r->layout.table_of)
		fields_look(r);
	else if (c.count == 1)
		begin_table(r, c.types[0]);
}

static void nothing(struct render *r)
{
	(void)r;
}

#define TABLE                                                                                 \
	.separator = "", .begin = nothing, .end = fields_end, .chunk = csv_chunk, \
	.no_method = "[unknown]", .event = csv_event, .constant = csv_constant

const struct format csv_format = { TABLE, .null = "", .name = put_csv_name };
const struct format tsv_format = { TABLE, .null = "", .name = put_tsv_name };
const struct format cell_format = { TABLE, .null = CELL_NULL, .name = put_bare_name };
const struct format frame_list_format = { TABLE, .null = CELL_NULL, .name = put_bare_name };
