/* SPDX-License-Identifier: MIT */
/*
 * events.c - every event with all of its values, as deep as they go
 *
 * usage: events RECORDING EVENTS
 *
 * EVENTS are globs as of jfrec_reader_select().
 */
#include <inttypes.h>
#include <stdio.h>

#include <jfrec/event.h>
#include <jfrec/reader.h>

#define DEEPEST 5 /* frames know their methods, these their classes, these their loaders */

static void print_value(struct jfrec_value v, int depth);

static void print_struct(struct jfrec_value *v, int depth)
{
	const struct jfrec_field *f;

	printf("{");
	for (size_t i = 0; (f = jfrec_type_field_get(v->type, i)) != NULL; i++) {
		printf("%s%s=", i > 0 ? " " : "", jfrec_field_name(f));
		print_value(jfrec_value_member(v, f), depth + 1);
	}
	printf("}");
}

static void print_array(struct jfrec_value *v, int depth)
{
	uint64_t count = jfrec_value_count(v);

	printf("[%" PRIu64 ":", count);
	for (uint64_t i = 0; i < count && i < 2; i++) {
		printf(" ");
		print_value(jfrec_value_element(v, i), depth + 1);
	}
	printf("%s]", count > 2 ? " ..." : "");
}

static void print_value(struct jfrec_value v, int depth)
{
	const char *text = jfrec_value_text(&v, NULL);

	if (text)
		printf("\"%s\"", text);
	else if (v.kind == JFREC_KIND_NULL)
		printf("null");
	else if (v.kind == JFREC_KIND_FLOAT)
		printf("%g", jfrec_value_double(&v));
	else if (v.kind == JFREC_KIND_UINT)
		printf("%" PRIu64, jfrec_value_uint(&v));
	else if (v.kind != JFREC_KIND_STRUCT && v.kind != JFREC_KIND_ARRAY)
		printf("%" PRId64, jfrec_value_int(&v));
	else if (depth == DEEPEST)
		printf("...");
	else if (v.kind == JFREC_KIND_STRUCT)
		print_struct(&v, depth);
	else
		print_array(&v, depth);
}

static void print_event(const struct jfrec_event *ev)
{
	const struct jfrec_type *t = jfrec_event_type(ev);
	const struct jfrec_field *f;

	printf("%s, %" PRIu64 " bytes at %" PRIu64 "\n", jfrec_type_name(t), jfrec_event_size(ev),
	       jfrec_event_offset(ev));
	for (size_t i = 0; (f = jfrec_type_field_get(t, i)) != NULL; i++) {
		printf("  %s = ", jfrec_field_name(f));
		print_value(jfrec_event_value(ev, f), 0);
		printf("\n");
	}
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: events RECORDING EVENTS" };
	struct jfrec_reader *r = argc == 3 ? jfrec_reader_open(argv[1], NULL, &err) : NULL;
	const struct jfrec_event *ev;
	int got = -1;

	if (r && jfrec_reader_select(r, argv[2], NULL, &err) == 0)
		while ((got = jfrec_reader_next(r, &ev, &err)) > 0)
			print_event(ev);
	if (got < 0)
		fprintf(stderr, "events: %s\n", err.text);
	jfrec_reader_close(r);
	return got < 0;
}
