/* SPDX-License-Identifier: MIT */
/*
 * metadata_text.c - print types as Java declarations, as `jfr metadata` of JDK 25
 */
#include "base/error.h"
#include "base/out.h"
#include "format/metadata.h"

static void put(struct out *o, const char *s)
{
	out_put(o, s, strlen(s));
}

static const char *simple_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

/* "value-0", "value-1": the elements of an array. */
static bool is_element(const char *member, size_t *base_len)
{
	const char *dash = strrchr(member, '-');

	if (!dash || !dash[1] || dash[1 + strspn(dash + 1, "0123456789")])
		return false;
	*base_len = (size_t)(dash - member);
	return true;
}

/* The type of an annotation's member says whether it is text. */
static void put_member_value(struct out *o, const struct jfrec_annotation *a, const char *name,
			     size_t name_len, const char *value)
{
	bool quoted = true;

	for (unsigned i = 0; a->type && i < a->type->field_count; i++) {
		const struct jfrec_field *f = &a->type->fields[i];

		if (strlen(f->name) == name_len && memcmp(f->name, name, name_len) == 0)
			quoted = !f->type || f->type->wire == WIRE_STRING ||
				 f->type->wire == WIRE_NONE;
	}
	put(o, quoted ? "\"" : "");
	put(o, value ? value : "null");
	put(o, quoted ? "\"" : "");
}

/* One member, with all its elements if it is an array; returns the index of the next. */
static unsigned put_member(struct out *o, const struct jfrec_annotation *a, unsigned i)
{
	const char *name = a->members[i].name;
	size_t len = strlen(name), next_len;
	unsigned end = i + 1;

	if (!is_element(name, &len)) {
		put_member_value(o, a, name, len, a->members[i].value);
		return end;
	}
	while (end < a->member_count && is_element(a->members[end].name, &next_len) &&
	       next_len == len && memcmp(a->members[end].name, name, len) == 0)
		end++;
	put(o, end - i > 1 ? "{" : "");
	for (unsigned k = i; k < end; k++) {
		put(o, k > i ? ", " : "");
		put_member_value(o, a, name, len, a->members[k].value);
	}
	put(o, end - i > 1 ? "}" : "");
	return end;
}

static bool has_one_member(const struct jfrec_annotation *a)
{
	size_t len, first_len;

	if (a->member_count <= 1)
		return true;
	if (!is_element(a->members[0].name, &first_len))
		return false;
	for (unsigned i = 1; i < a->member_count; i++) {
		if (!is_element(a->members[i].name, &len) || len != first_len)
			return false;
	}
	return true;
}

static void put_annotation(struct out *o, const struct jfrec_annotation *a)
{
	bool single = has_one_member(a);

	put(o, "@");
	put(o, simple_name(a->type->name));
	if (a->member_count == 0)
		return;
	put(o, "(");
	for (unsigned i = 0; i < a->member_count;) {
		size_t len = strlen(a->members[i].name);

		put(o, i ? ", " : "");
		if (!single) {
			is_element(a->members[i].name, &len);
			out_put(o, a->members[i].name, len);
			put(o, "=");
		}
		i = put_member(o, a, i);
	}
	put(o, ")");
}

static void put_annotations(struct out *o, const struct jfrec_annotation *a, unsigned count,
			    const char *indent)
{
	for (unsigned i = 0; i < count; i++) {
		/* Names have a line of their own. */
		if (!a[i].type || strcmp(a[i].type->name, "jdk.jfr.Name") == 0)
			continue;
		put(o, indent);
		put_annotation(o, &a[i]);
		put(o, "\n");
	}
}

/* A type that stands for its only field is shown as that field's. */
static const char *type_name(const struct jfrec_type *t)
{
	for (unsigned depth = 0; t && t->simple && t->field_count == 1 && depth < 8; depth++)
		t = t->fields[0].type;
	return t ? simple_name(t->name) : "?";
}

static void put_field(struct out *o, const struct jfrec_field *f)
{
	put_annotations(o, f->annotations, f->annotation_count, "  ");
	put(o, "  ");
	put(o, type_name(f->type));
	put(o, f->array ? "[] " : " ");
	put(o, f->name);
}

static void put_type(struct out *o, const struct jfrec_type *t)
{
	if (strchr(t->name, '.')) {
		put(o, "@Name(\"");
		put(o, t->name);
		put(o, "\")\n");
	}
	put_annotations(o, t->annotations, t->annotation_count, "");
	put(o, "class ");
	put(o, simple_name(t->name));
	if (t->super) {
		put(o, " extends ");
		put(o, t->super);
	}
	put(o, " {\n");
	for (unsigned i = 0; i < t->field_count; i++) {
		put(o, i ? "\n" : "");
		put_field(o, &t->fields[i]);
		put(o, ";\n");
	}
	put(o, "}\n\n");
}

int jfrec_print_types(const struct jfrec_types *types, jfrec_write_fn *write, void *ctx,
		      struct jfrec_error *err)
{
	struct out o;
	int ret;

	if (out_init(&o, write, ctx, err) < 0)
		return -1;
	for (size_t i = 0; i < jfrec_types_count(types); i++)
		put_type(&o, jfrec_types_get(types, i));
	out_flush(&o);
	ret = o.error ? out_fail(&o, err) : 0;
	out_fini(&o);
	return ret;
}

int jfrec_print_metadata(struct jfrec_reader *r, jfrec_write_fn *write, void *ctx,
			 struct jfrec_error *err)
{
	const struct jfrec_types *types = jfrec_reader_types(r, err);

	return types ? jfrec_print_types(types, write, ctx, err) : -1;
}
