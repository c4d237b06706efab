/* SPDX-License-Identifier: MIT */
/*
 * metadata.c - parse the types that a chunk declares
 *
 * The metadata event, all numbers varints:
 *
 *    size  0  start  duration  metadata id
 *    count  string[count]
 *    element
 *
 * where an element is a name, attributes and children, all words of it being
 * indices into the strings:
 *
 *    name  count (key value)[count]  count element[count]
 *
 *    root
 *     +- metadata
 *     |   +- class       name id superType simpleType
 *     |       +- setting     name class defaultValue
 *     |       +- field       name class dimension constantPool
 *     |       |   +- annotation
 *     |       +- annotation  class value | value-0 value-1 ...
 *     +- region          locale gmtOffset dst
 */
#include "format/metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/error.h"
#include "format/clock.h"
#include "format/content.h"
#include "format/equivalents.h"
#include "format/string.h"

/* root, metadata, class, field, annotation are five. */
#define MAX_NESTING 16

/* A number of 64 bits has 20, and a few zeros in front may be. */
#define MAX_DIGITS 64

/*
 * A name or label that is longer, and used by many, is an attack: of it so much is kept.  The
 * declaration of one type must not hide all others of a JVM.
 */
#define MAX_STRING  (64u << 10)
#define KEPT_STRING 4096

/* No type has it: what a reference is that is not a number. */
#define NO_ID UINT64_MAX

/* Seconds of the largest UTC offset that Java has; beyond it UTC is meant. */
#define MAX_UTC_OFFSET_S (18 * 3600)

/* Objects of one kind while their number is not known yet; nested owners stack up in it. */
struct pile {
	void *items;
	size_t item_size, count, room;
};

struct parser {
	struct metadata *m;
	const uint8_t *start;
	struct cursor c;
	const char **strings; /* NULL until asked for */
	const uint8_t **string_at;
	uint64_t string_count;
	struct pile types, fields, settings, annotations, members;
	int64_t gmt_offset_ms, dst_ms;
	bool out_of_memory;
	struct jfrec_error *err;
};

enum owner_kind { OWNER_NONE, OWNER_TYPE, OWNER_FIELD };

static void *pile_push(struct pile *p)
{
	if (p->count == p->room) {
		void *items = array_grow(p->items, &p->room, SIZE_MAX, p->item_size);

		if (!items)
			return NULL;
		p->items = items;
	}
	return memset((char *)p->items + p->count++ * p->item_size, 0, p->item_size);
}

/* Move what was pushed since `mark` to the arena. NULL when memory is gone, or there is nothing. */
static void *pile_take(struct parser *p, struct pile *pile, size_t mark, unsigned *count)
{
	size_t n = pile->count - mark;
	void *taken;

	*count = (unsigned)n;
	pile->count = mark;
	if (n == 0)
		return NULL;
	taken = arena_alloc(&p->m->arena, n * pile->item_size);
	if (!taken) {
		p->out_of_memory = true;
		*count = 0;
		return NULL;
	}
	return memcpy(taken, (char *)pile->items + mark * pile->item_size, n * pile->item_size);
}

static int fail(struct parser *p, const char *fault)
{
	return jfrec_fail(p->err, JFREC_EFORMAT, (uint64_t)(p->c.pos - p->start), "%s", fault);
}

/* One that is too long ends early, between two of its characters, in dots. */
static const char *clip(struct parser *p, struct string s)
{
	char *text = arena_alloc(&p->m->arena, KEPT_STRING + UTF8_MAX + sizeof("...")), *at = text;
	int32_t c;

	while (text && at - text < KEPT_STRING && (c = string_next(&s)) >= 0)
		at = put_utf8(at, c >= 0xd800 && c < 0xe000 ? '?' : (uint32_t)c);
	if (text)
		memcpy(at, "...", sizeof("..."));
	return text;
}

/* The string of that index as UTF-8; NULL for the null string, and for one that is not there. */
static const char *text_at(struct parser *p, uint64_t index)
{
	if (index >= p->string_count) {
		p->m->doubt = "refers to strings that it does not have";
		return NULL;
	}
	if (!p->strings[index]) {
		struct cursor c = { .pos = p->string_at[index], .end = p->c.end };
		struct string s = string_read(&c);

		if (s.encoding == STRING_NULL)
			return NULL;
		p->strings[index] = s.len > MAX_STRING ? clip(p, s)
						       : string_copy(&p->m->arena, s, NULL);
		p->out_of_memory |= !p->strings[index];
	}
	return p->strings[index];
}

static const char *text(struct parser *p)
{
	return text_at(p, cursor_varint(&p->c));
}

static int parse_strings(struct parser *p)
{
	p->string_count = cursor_varint(&p->c);
	if (p->string_count > cursor_left(&p->c))
		return fail(p, "the metadata event declares more strings than it has bytes");
	p->strings = arena_zalloc(&p->m->arena, p->string_count + 1, sizeof(*p->strings));
	p->string_at = arena_alloc(&p->m->arena, (p->string_count + 1) * sizeof(*p->string_at));
	if (!p->strings || !p->string_at)
		return jfrec_fail_memory(p->err);
	for (uint64_t i = 0; i < p->string_count && !p->c.bad; i++) {
		struct string s;

		p->string_at[i] = p->c.pos;
		s = string_read(&p->c);
		if (s.encoding == STRING_KEY)
			return fail(p, "the metadata event refers to a string pool");
		if (s.encoding == STRING_NULL)
			p->m->doubt = "has invalid strings";
		else if (s.len && memchr(s.bytes, 0, s.len))
			p->m->doubt = "has strings with zeros in them";
	}
	return p->c.bad ? fail(p, "the strings of the metadata event are truncated") : 0;
}

/* Strictly decimal, as the JDK's Long.parseLong; anything else is damage, and `instead`. */
static uint64_t decimal(struct parser *p, const char *s, uint64_t instead)
{
	char *end = NULL;
	long long v = 0;

	errno = 0;
	/* One string may be the id of many classes: a long one is not read again and again. */
	if (s && strnlen(s, MAX_DIGITS + 1) <= MAX_DIGITS &&
	    (*s == '-' || (*s >= '0' && *s <= '9')))
		v = strtoll(s, &end, 10);
	if (end && !*end && !errno)
		return (uint64_t)v;
	p->m->doubt = "has texts where numbers belong";
	return instead;
}

/* For what lost its name, so that all else of it can be read. */
static const char *stand_in(struct parser *p, const char *what, uint64_t number)
{
	char text[64];
	int len = snprintf(text, sizeof(text), "unnamed_%s_%" PRIu64, what, number);
	const char *name = arena_strndup(&p->m->arena, text, (size_t)len);

	p->m->doubt = "has types or fields without a name";
	p->out_of_memory |= !name;
	return name ? name : "";
}

static bool is(const char *a, const char *b)
{
	return a && strcmp(a, b) == 0;
}

static void type_attribute(struct parser *p, struct jfrec_type *t, const char *key,
			   const char *value)
{
	if (is(key, "name"))
		t->name = value;
	else if (is(key, "id"))
		t->id = decimal(p, value, NO_ID);
	else if (is(key, "superType"))
		t->super = value;
	else if (is(key, "simpleType"))
		t->simple = true;
}

static void field_attribute(struct parser *p, struct jfrec_field *f, const char *key,
			    const char *value)
{
	if (is(key, "name"))
		f->name = value;
	else if (is(key, "class"))
		f->class_id = decimal(p, value, NO_ID);
	else if (is(key, "constantPool"))
		f->constant = true;
	else if (is(key, "dimension"))
		f->array = value && strcmp(value, "0") != 0;
	else if (is(key, "defaultValue"))
		f->default_value = value;
}

static int parse_element(struct parser *p, enum owner_kind owner, unsigned depth);

static int parse_children(struct parser *p, enum owner_kind owner, unsigned depth)
{
	uint64_t children = cursor_varint(&p->c);

	if (children > cursor_left(&p->c))
		return fail(
			p,
			"an element of the metadata declares more children than it has bytes");
	for (; children; children--) {
		if (parse_element(p, owner, depth + 1) < 0)
			return -1;
	}
	return 0;
}

/* How many attributes follow; each takes at least two bytes. */
static uint64_t attribute_count(struct parser *p)
{
	uint64_t n = cursor_varint(&p->c);

	if (n > cursor_left(&p->c) / 2) {
		cursor_spoil(&p->c);
		return 0;
	}
	return n;
}

static int parse_annotation(struct parser *p, enum owner_kind owner, unsigned depth)
{
	struct jfrec_annotation a = { 0 }, *kept;
	size_t mark = p->members.count;

	for (uint64_t n = attribute_count(p); n && !p->c.bad; n--) {
		const char *key = text(p), *value = text(p);

		if (is(key, "class")) {
			a.class_id = decimal(p, value, NO_ID);
		} else {
			struct annotation_member *m = pile_push(&p->members);

			if (!m)
				return jfrec_fail_memory(p->err);
			*m = (struct annotation_member){ key ? key : "", value };
		}
	}
	a.members = pile_take(p, &p->members, mark, &a.member_count);
	if (owner == OWNER_NONE)
		return parse_children(p, OWNER_NONE, depth);
	kept = pile_push(&p->annotations);
	if (!kept)
		return jfrec_fail_memory(p->err);
	*kept = a;
	return parse_children(p, OWNER_NONE, depth);
}

static int parse_field(struct parser *p, struct pile *pile, enum owner_kind owner, unsigned depth)
{
	struct jfrec_field f = { 0 }, *kept;
	size_t mark = p->annotations.count;

	for (uint64_t n = attribute_count(p); n && !p->c.bad; n--) {
		const char *key = text(p), *value = text(p);

		field_attribute(p, &f, key, value);
	}
	if (parse_children(p, OWNER_FIELD, depth) < 0)
		return -1;
	f.annotations = pile_take(p, &p->annotations, mark, &f.annotation_count);
	if (owner != OWNER_TYPE)
		return 0;
	if (!f.name)
		f.name = stand_in(p, "field", pile->count);
	kept = pile_push(pile);
	if (!kept)
		return jfrec_fail_memory(p->err);
	*kept = f;
	return 0;
}

static int keep_type(struct parser *p, const struct jfrec_type *t)
{
	struct jfrec_type *kept = pile_push(&p->types);

	if (!kept)
		return jfrec_fail_memory(p->err);
	*kept = *t;
	return 0;
}

/* One that cannot be referred to, or that is too large, costs only itself. */
static int parse_type(struct parser *p, unsigned depth)
{
	struct jfrec_type t = { .id = NO_ID };
	size_t fields = p->fields.count, settings = p->settings.count;
	size_t annotations = p->annotations.count;

	for (uint64_t n = attribute_count(p); n && !p->c.bad; n--) {
		const char *key = text(p), *value = text(p);

		type_attribute(p, &t, key, value);
	}
	if (parse_children(p, OWNER_TYPE, depth) < 0)
		return -1;
	if (!t.name)
		t.name = stand_in(p, "type", t.id);
	t.fields = pile_take(p, &p->fields, fields, &t.field_count);
	t.settings = pile_take(p, &p->settings, settings, &t.setting_count);
	t.annotations = pile_take(p, &p->annotations, annotations, &t.annotation_count);
	if (t.field_count > UINT16_MAX || t.setting_count > UINT16_MAX)
		p->m->doubt = "has a class of more than 65535 fields";
	else if (t.id == NO_ID)
		p->m->doubt = "has a class without an id";
	else
		return keep_type(p, &t);
	return 0;
}

static int parse_region(struct parser *p, unsigned depth)
{
	for (uint64_t n = attribute_count(p); n && !p->c.bad; n--) {
		const char *key = text(p), *value = text(p);

		if (is(key, "gmtOffset"))
			p->gmt_offset_ms = (int64_t)decimal(p, value, 0);
		else if (is(key, "dst"))
			p->dst_ms = (int64_t)decimal(p, value, 0);
	}
	return parse_children(p, OWNER_NONE, depth);
}

static int parse_other(struct parser *p, unsigned depth)
{
	for (uint64_t n = attribute_count(p); n && !p->c.bad; n--) {
		cursor_varint(&p->c);
		cursor_varint(&p->c);
	}
	return parse_children(p, OWNER_NONE, depth);
}

static int parse_element(struct parser *p, enum owner_kind owner, unsigned depth)
{
	const char *name = text(p);
	int ret;

	if (depth > MAX_NESTING)
		return fail(p, "the metadata is nested too deeply");
	if (is(name, "class"))
		ret = parse_type(p, depth);
	else if (is(name, "field"))
		ret = parse_field(p, &p->fields, owner, depth);
	else if (is(name, "setting"))
		ret = parse_field(p, &p->settings, owner, depth);
	else if (is(name, "annotation"))
		ret = parse_annotation(p, owner, depth);
	else if (is(name, "region"))
		ret = parse_region(p, depth);
	else
		ret = parse_other(p, depth);
	if (ret == 0 && p->c.bad)
		return fail(p, "the metadata event is damaged");
	return ret;
}

/* Second pass: from ids to types, from annotations to meaning ---------------------------------- */

static enum wire primitive_wire(const char *name)
{
	static const struct {
		const char *name;
		enum wire wire;
	} primitives[] = {
		{ "boolean", WIRE_BOOLEAN },
		{ "byte", WIRE_BYTE },
		{ "char", WIRE_CHAR },
		{ "short", WIRE_SHORT },
		{ "int", WIRE_INT },
		{ "long", WIRE_LONG },
		{ "float", WIRE_FLOAT },
		{ "double", WIRE_DOUBLE },
		{ "java.lang.String", WIRE_STRING },
	};

	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives); i++) {
		if (strcmp(name, primitives[i].name) == 0)
			return primitives[i].wire;
	}
	return WIRE_NONE;
}

/* Version 1.0 (JDK 9) has another prefix for the types of the JVM. */
static const char *without_prefix(const char *name)
{
	static const char *const prefixes[] = { "jdk.types.", "com.oracle.jfr.types." };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (strncmp(name, prefixes[i], len) == 0)
			return name + len;
	}
	return NULL;
}

static enum known_type known_of(const char *name)
{
	static const struct {
		const char *name;
		enum known_type known;
	} types[] = {
		{ "ClassLoader", KNOWN_CLASS_LOADER }, { "Method", KNOWN_METHOD },
		{ "StackFrame", KNOWN_FRAME },	       { "StackTrace", KNOWN_STACK_TRACE },
		{ "OldObject", KNOWN_OLD_OBJECT },
	};
	const char *bare = without_prefix(name);

	if (strcmp(name, "java.lang.Thread") == 0)
		return KNOWN_THREAD;
	if (strcmp(name, "java.lang.Class") == 0)
		return KNOWN_CLASS;
	for (size_t i = 0; bare && i < sizeof(types) / sizeof(*types); i++) {
		if (strcmp(bare, types[i].name) == 0)
			return types[i].known;
	}
	return KNOWN_NONE;
}

const struct jfrec_annotation *type_category(const struct jfrec_type *t)
{
	return annotation_named(t->annotations, t->annotation_count, "jdk.jfr.Category");
}

static enum time_unit unit_named(const char *name)
{
	static const struct {
		const char *name;
		enum time_unit unit;
	} units[] = {
		{ "TICKS", TIME_TICKS },
		{ "NANOSECONDS", TIME_NANOSECONDS },
		{ "MICROSECONDS", TIME_MICROSECONDS },
		{ "MILLISECONDS", TIME_MILLISECONDS },
		{ "SECONDS", TIME_SECONDS },
		{ "MILLISECONDS_SINCE_EPOCH", TIME_MILLISECONDS },
	};

	for (size_t i = 0; name && i < sizeof(units) / sizeof(*units); i++) {
		if (strcmp(name, units[i].name) == 0)
			return units[i].unit;
	}
	return name ? TIME_NONE : TIME_NANOSECONDS;
}

static void resolve_annotations(const struct metadata *m, struct jfrec_annotation *a,
				unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		a[i].type = metadata_type(m, a[i].class_id);
}

static bool is_whole_number(const struct jfrec_field *f)
{
	return f->type && !f->array && !f->constant && f->type->wire >= WIRE_BYTE &&
	       f->type->wire <= WIRE_LONG;
}

static void resolve_units(struct jfrec_field *f)
{
	const struct jfrec_annotation *found;

#define FIND(name) (found = annotation_named(f->annotations, f->annotation_count, "jdk.jfr." name))
	f->label = annotation_value(FIND("Label"));
	f->description = annotation_value(FIND("Description"));
	f->is_contextual = FIND("Contextual");
	f->is_unsigned = FIND("Unsigned");
	if (is_whole_number(f)) {
		if (FIND("Timestamp"))
			f->timestamp = unit_named(annotation_value(found));
		if (FIND("Timespan"))
			f->timespan = unit_named(annotation_value(found));
	}
	f->unit = (uint8_t)content_unit(f);
#undef FIND
	for (unsigned i = 0; i < f->annotation_count; i++) {
		const struct jfrec_type *t = f->annotations[i].type;

		if (t && t->is_content)
			f->has_content = true;
	}
}

static void resolve_fields(const struct metadata *m, struct jfrec_type *owner,
			   struct jfrec_field *fields, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct jfrec_field *f = &fields[i];

		f->owner = owner;
		f->index = (uint16_t)i;
		f->type = metadata_type(m, f->class_id);
		resolve_units(f);
		owner->is_contextual |= f->is_contextual;
	}
}

/* Annotations first, everywhere: a field's meaning depends on its annotations' annotations. */
static void resolve(struct metadata *m)
{
	for (uint32_t i = 0; i < m->type_count; i++) {
		struct jfrec_type *t = &m->types[i];

		resolve_annotations(m, t->annotations, t->annotation_count);
		for (unsigned k = 0; k < t->field_count; k++)
			resolve_annotations(m, t->fields[k].annotations,
					    t->fields[k].annotation_count);
		for (unsigned k = 0; k < t->setting_count; k++)
			resolve_annotations(m, t->settings[k].annotations,
					    t->settings[k].annotation_count);
		t->wire = primitive_wire(t->name);
		t->known = known_of(t->name);
		t->gives_unit = content_gives_unit(t->name);
		t->is_event = is(t->super, "jdk.jfr.Event");
		/* libjfrec-recorder declares it always. */
		m->is_native |= t->is_event && is(t->name, "jfrec.Loss");
		t->is_content = annotation_named(t->annotations, t->annotation_count,
						 "jdk.jfr.ContentType");
		t->label = annotation_value(
			annotation_named(t->annotations, t->annotation_count, "jdk.jfr.Label"));
		t->description =
			annotation_value(annotation_named(t->annotations, t->annotation_count,
							  "jdk.jfr.Description"));
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		struct jfrec_type *t = &m->types[i];

		resolve_fields(m, t, t->fields, t->field_count);
		resolve_fields(m, t, t->settings, t->setting_count);
	}
}

/* Index the types by id; of two with one id the later wins, in the earlier one's place. */
static int adopt_types(struct parser *p)
{
	struct metadata *m = p->m;
	struct jfrec_type *parsed = p->types.items;

	m->types = arena_alloc(&m->arena, (p->types.count + 1) * sizeof(*m->types));
	if (!m->types)
		return jfrec_fail_memory(p->err);
	for (size_t i = 0; i < p->types.count; i++) {
		uint32_t *at = idmap_put(&m->by_id, parsed[i].id, m->type_count);
		struct jfrec_type *t;

		if (!at)
			return jfrec_fail_memory(p->err);
		t = &m->types[*at];
		if (parsed[i].id < SMALL_IDS && *at < UINT16_MAX)
			m->by_small_id[parsed[i].id] = (uint16_t)(*at + 1);
		if (*at == m->type_count)
			m->type_count++;
		*t = parsed[i];
		t->index = *at;
		t->metadata = m;
	}
	return 0;
}

static int32_t utc_offset(const struct parser *p)
{
	int64_t s = long_add(p->gmt_offset_ms, p->dst_ms) / 1000;

	return s < -MAX_UTC_OFFSET_S || s > MAX_UTC_OFFSET_S ? 0 : (int32_t)s;
}

static int parse(struct parser *p)
{
	int ret;

	p->m->id = cursor_varint(&p->c);
	ret = parse_strings(p) < 0 || parse_element(p, OWNER_NONE, 0) < 0 || adopt_types(p) < 0;
	/* What is missing for it looks like damage. */
	if (p->out_of_memory)
		return jfrec_fail_memory(p->err);
	if (ret)
		return -1;
	p->m->used_len = p->m->content_len - cursor_left(&p->c);
	if (cursor_left(&p->c))
		p->m->doubt = "ends before its event does";
	resolve(p->m);
	p->m->utc_offset_s = utc_offset(p);
	return 0;
}

/* The event from the metadata's id on: what is in front says when it was written. */
static struct cursor after_times(const uint8_t *event, uint64_t size)
{
	struct cursor c = cursor_over(event, size);

	for (unsigned i = 0; i < 4; i++) /* size, type, start, duration */
		cursor_varint(&c);
	return c;
}

static bool same_content(const struct metadata *m, const struct cursor *c)
{
	return m->content_len == cursor_left(c) &&
	       memcmp(m->content, c->pos, m->content_len) == 0;
}

bool metadata_is_of(const struct metadata *m, const uint8_t *event, uint64_t size)
{
	struct cursor c = after_times(event, size);

	return same_content(m, &c);
}

struct metadata *metadata_parse(const uint8_t *event, uint64_t size, struct metadata *previous,
				struct jfrec_error *err)
{
	struct parser p = {
		.start = event,
		.c = after_times(event, size),
		.err = err,
		.types = { .item_size = sizeof(struct jfrec_type) },
		.fields = { .item_size = sizeof(struct jfrec_field) },
		.settings = { .item_size = sizeof(struct jfrec_field) },
		.annotations = { .item_size = sizeof(struct jfrec_annotation) },
		.members = { .item_size = sizeof(struct annotation_member) },
	};
	int ret;

	if (previous && same_content(previous, &p.c))
		return metadata_ref(previous);
	p.m = calloc(1, sizeof(*p.m));
	if (!p.m) {
		jfrec_fail_memory(err);
		return NULL;
	}
	p.m->refs = 1;
	p.m->content_len = cursor_left(&p.c);
	p.m->content =
		(uint8_t *)arena_strndup(&p.m->arena, (const char *)p.c.pos, p.m->content_len);
	ret = p.m->content ? parse(&p) : jfrec_fail_memory(err);
	free(p.types.items);
	free(p.fields.items);
	free(p.settings.items);
	free(p.annotations.items);
	free(p.members.items);
	if (ret < 0) {
		metadata_unref(p.m);
		return NULL;
	}
	return p.m;
}

struct metadata *metadata_ref(struct metadata *m)
{
	__atomic_add_fetch(&m->refs, 1, __ATOMIC_RELAXED);
	return m;
}

void metadata_unref(struct metadata *m)
{
	if (!m || __atomic_sub_fetch(&m->refs, 1, __ATOMIC_ACQ_REL))
		return;
	idmap_fini(&m->by_id);
	arena_fini(&m->arena);
	free(m);
}

struct jfrec_type *metadata_type_by_map(const struct metadata *m, uint64_t id)
{
	uint32_t i = idmap_get(&m->by_id, id);

	return i == IDMAP_NONE ? NULL : &m->types[i];
}

struct jfrec_type *metadata_type_named(const struct metadata *m, const char *name)
{
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (strcmp(m->types[i].name, name) == 0)
			return &m->types[i];
	}
	return NULL;
}

struct jfrec_type *metadata_jdk_type_named(const struct metadata *m, const char *name)
{
	struct jfrec_type *t = metadata_type_named(m, name);

	for (uint32_t i = 0; !t && i < m->type_count; i++) {
		if (is_jdk9_name(m->types[i].name, name))
			return &m->types[i];
	}
	return t;
}

const struct jfrec_field *type_field(const struct jfrec_type *t, const char *name)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		if (strcmp(t->fields[i].name, name) == 0)
			return &t->fields[i];
	}
	return NULL;
}
