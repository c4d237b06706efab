/* SPDX-License-Identifier: MIT */
/*
 * document.c - the slowest requests as JSON
 */
#include "trace/document.h"

#include "trace/words.h"

static json_t *field_json(const struct jfrec_trace_field *f)
{
	switch (f->kind) {
	case JFREC_KIND_INT:
	case JFREC_KIND_SPAN:
	case JFREC_KIND_TIME:
		return json_integer(f->number);
	case JFREC_KIND_BOOL:
		return json_boolean(f->number);
	default:
		return text_json(f->text);
	}
}

static json_t *fields_json(const struct jfrec_trace_request *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->field_count; i++)
		json_array_append_new(list, json_pack("{s:o, s:o}", "name",
						      text_json(r->fields[i].name), "value",
						      field_json(&r->fields[i])));
	return list;
}

static json_t *time_json(const struct jfrec_trace_request *r)
{
	json_t *time = json_object();

	for (unsigned i = 0; i < JFREC_TRACE_KINDS; i++)
		json_object_set_new(
			time, kind_word((enum jfrec_trace_kind)i),
			json_pack("{s:I, s:I}", "nanos", (json_int_t)r->ns[i],
				  i == JFREC_TRACE_RUNNING ? "samples" : "events",
				  (json_int_t)r->events[i]));
	json_object_set_new(json_object_get(time, "running"), "errorNanos",
			    json_integer(r->error_ns));
	json_object_set_new(time, "unexplained",
			    json_pack("{s:I}", "nanos", (json_int_t)r->unexplained_ns));
	return time;
}

static json_t *methods_json(const struct jfrec_trace_request *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->method_count; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:I, s:I}", "method", text_json(r->methods[i].name),
					"samples", (json_int_t)r->methods[i].samples, "nanos",
					(json_int_t)r->methods[i].ns));
	return list;
}

static json_t *span_json(const struct jfrec_trace_span *s, int64_t begin_ns)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:s, s:I, s:I, s:I}", "type", text_json(s->type),
			 "label", text_json(s->label), "detail", text_json(s->detail), "site",
			 text_json(s->site), "kind", kind_word(s->kind), "depth",
			 (json_int_t)s->depth, "offsetNanos", (json_int_t)(s->begin_ns - begin_ns),
			 "durationNanos", (json_int_t)(s->end_ns - s->begin_ns));
}

static json_t *spans_json(const struct jfrec_trace_request *r)
{
	json_t *list = json_array();

	for (size_t i = 0; i < r->span_count; i++)
		json_array_append_new(list, span_json(&r->spans[i], r->begin_ns));
	return list;
}

static json_t *request_json(const struct jfrec_trace_request *r)
{
	return json_pack("{s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:I}", "type",
			 text_json(r->type), "label", text_json(r->label), "thread",
			 text_json(r->thread), "startNanos", (json_int_t)r->begin_ns,
			 "durationNanos", (json_int_t)(r->end_ns - r->begin_ns), "fields",
			 fields_json(r), "time", time_json(r), "methods", methods_json(r), "spans",
			 spans_json(r), "spansLeftOut", (json_int_t)r->spans_left_out);
}

json_t *trace_json(const struct jfrec_trace *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->count; i++)
		json_array_append_new(list, request_json(&t->requests[i]));
	return json_pack("{s:I, s:I, s:I, s:I, s:o, s:o}", "found", (json_int_t)t->found, "inner",
			 (json_int_t)t->inner, "withoutThread", (json_int_t)t->without_thread,
			 "leftOut", (json_int_t)t->left_out, "sampler", text_json(t->sampler),
			 "requests", list);
}
