/* SPDX-License-Identifier: MIT */
/*
 * printed.c - what the library makes of a crafted recording
 */
#include "printed.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef HAVE_LIBXML2
#include <libxml/xmlreader.h>
#endif

static void end_with_nul(struct bytes *b)
{
	bytes_copy(b, "", 1);
	b->len--;
}

static void add_text(struct bytes *b, const char *s)
{
	bytes_copy(b, s, strlen(s));
	end_with_nul(b);
}

static void on_problem(void *ctx, const struct jfrec_problem *problem)
{
	struct printed *p = ctx;
	char line[640];

	p->damage += problem->damage;
	p->notices += !problem->damage;
	snprintf(line, sizeof(line), "%s at %" PRIu64 ": %s\n", problem->damage ? "damage" : "notice",
		 problem->offset, problem->text);
	add_text(&p->problems, line);
}

static int keep(void *ctx, const void *data, size_t len)
{
	bytes_copy(ctx, data, len);
	return 0;
}

void printed_free(struct printed *p)
{
	bytes_free(&p->text);
	bytes_free(&p->problems);
	*p = (struct printed){ 0 };
}

const char *printed_text(const struct printed *p)
{
	return p->text.data ? (const char *)p->text.data : "";
}

const char *printed_problems(const struct printed *p)
{
	return p->problems.data ? (const char *)p->problems.data : "";
}

static struct jfrec_reader *begin(struct printed *p, struct craft *c)
{
	struct jfrec_reader *r;

	printed_free(p);
	p->status = -2;
	p->seconds = (double)clock();
	r = craft_open(c, &p->err);
	if (r)
		jfrec_reader_on_problem(r, on_problem, p);
	return r;
}

static void finish(struct printed *p, struct jfrec_reader *r)
{
	if (r && jfrec_reader_damage(r) != p->damage)
		add_text(&p->problems, "jfrec_reader_damage() is another number\n");
	jfrec_reader_close(r);
	p->seconds = ((double)clock() - p->seconds) / CLOCKS_PER_SEC;
	end_with_nul(&p->text);
}

void print_craft(struct printed *p, struct craft *c, enum jfrec_format format)
{
	struct jfrec_print_options options = { .struct_size = sizeof(options),
					       .format = format,
					       .stack_depth = 5 };
	struct jfrec_reader *r = begin(p, c);

	if (r)
		p->status = jfrec_print(r, &options, keep, &p->text, &p->err);
	finish(p, r);
}

void print_craft_types(struct printed *p, struct craft *c)
{
	struct jfrec_reader *r = begin(p, c);

	if (r)
		p->status = jfrec_print_metadata(r, keep, &p->text, &p->err);
	finish(p, r);
}

void summarize_craft(struct printed *p, struct craft *c, struct jfrec_summary **s)
{
	struct jfrec_reader *r = begin(p, c);

	*s = NULL;
	if (r) {
		*s = jfrec_summarize(r, false, &p->err);
		p->status = *s ? 0 : -1;
	}
	finish(p, r);
}

static void add_value(struct bytes *b, const struct jfrec_value *v)
{
	char number[32] = "?";

	if (v->kind == JFREC_KIND_NULL)
		add_text(b, "null");
	else if (v->kind == JFREC_KIND_STRING)
		add_text(b, jfrec_value_text(v, NULL));
	else if (v->kind == JFREC_KIND_INT)
		snprintf(number, sizeof(number), "%" PRId64, v->i);
	if (v->kind != JFREC_KIND_NULL && v->kind != JFREC_KIND_STRING)
		add_text(b, number);
	add_text(b, " ");
}

void step_craft(struct printed *p, struct craft *c)
{
	struct jfrec_reader *r = begin(p, c);
	const struct jfrec_event *ev;

	while (r && (p->status = jfrec_reader_next(r, &ev, &p->err)) > 0) {
		struct jfrec_value v = jfrec_event_path(ev, "n");

		add_value(&p->text, &v);
	}
	finish(p, r);
}

/* Values ----------------------------------------------------------------------------------------- */

static void add_until(struct bytes *b, const char *from, const char *end)
{
	size_t len = strcspn(from, end);

	bytes_copy(b, from, len);
	add_text(b, " ");
}

static void text_values(const char *at, struct bytes *values)
{
	while ((at = strstr(at, "\n  n = ")) != NULL) {
		at += strlen("\n  n = ");
		if (strncmp(at, "N/A\n", 4) == 0)
			add_text(values, "null ");
		else
			add_until(values, at + (*at == '"'), "\"\n");
	}
}

static void xml_values(const char *at, struct bytes *values)
{
	while ((at = strstr(at, " name=\"n\"")) != NULL) {
		at += strlen(" name=\"n\"");
		if (*at == '>')
			add_until(values, at + 1, "<");
		else
			add_text(values, "null ");
	}
}

static void json_values(const char *text, struct bytes *values)
{
	json_t *document = json_loads(text, 0, NULL), *event, *n;
	size_t i;

	json_array_foreach(json_object_get(json_object_get(document, "recording"), "events"), i, event) {
		n = json_object_get(json_object_get(event, "values"), "n");
		if (!n) {
			continue;
		} else if (json_is_string(n)) {
			add_until(values, json_string_value(n), "");
		} else {
			char *dumped = json_dumps(n, JSON_ENCODE_ANY);

			add_until(values, dumped ? dumped : "?", "");
			free(dumped);
		}
	}
	json_decref(document);
}

void printed_values(const struct printed *p, enum jfrec_format format, struct bytes *values)
{
	bytes_free(values);
	add_text(values, "");
	if (format == JFREC_JSON)
		json_values(printed_text(p), values);
	else if (format == JFREC_XML)
		xml_values(printed_text(p), values);
	else
		text_values(printed_text(p), values);
}

static bool is_xml(const struct printed *p)
{
#ifdef HAVE_LIBXML2
	xmlTextReaderPtr reader = xmlReaderForMemory(printed_text(p), (int)p->text.len, NULL, NULL,
						     XML_PARSE_NONET | XML_PARSE_NOERROR |
							     XML_PARSE_NOWARNING | XML_PARSE_HUGE);
	int got = 1;

	while (got > 0)
		got = xmlTextReaderRead(reader);
	xmlFreeTextReader(reader);
	return got == 0;
#else
	(void)p;
	return true;
#endif
}

bool is_well_formed(const struct printed *p, enum jfrec_format format)
{
	json_t *document;

	if (format == JFREC_XML)
		return is_xml(p);
	if (format != JFREC_JSON)
		return true;
	document = json_loads(printed_text(p), JSON_REJECT_DUPLICATES, NULL);
	json_decref(document);
	return document != NULL;
}
