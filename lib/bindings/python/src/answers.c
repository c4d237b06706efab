/* SPDX-License-Identifier: MIT */
/*
 * answers.c - what a recording is asked: its summary, its stacks, views and queries
 */
#include "module.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Summary -------------------------------------------------------------------------------------- */

static PyObject *types_list(const struct jfrec_summary *s)
{
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < jfrec_summary_type_count(s); i++) {
		const struct jfrec_type_summary *t = jfrec_summary_type_get(s, i);
		PyObject *item = Py_BuildValue("(NNKKLL)", text_or_none(t->name),
					       text_or_none(t->label), (unsigned long long)t->count,
					       (unsigned long long)t->bytes, (long long)t->first_ns,
					       (long long)t->last_ns);

		if (append_new(list, item) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *summary(PyObject *self, PyObject *args)
{
	struct request q = { .start = Py_None, .end = Py_None };
	int64_t start = 0, end = 0;
	struct jfrec_summary *s;
	struct jfrec_error err;
	struct opened o;
	PyObject *result;
	int got;

	(void)self;
	if (!PyArg_ParseTuple(args, "OzO!", &q.source, &q.events, &PyList_Type, &q.where) ||
	    request_open(&q, &o) < 0)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	got = jfrec_reader_span(o.reader, &start, &end, &err);
	s = got == 0 ? jfrec_summarize(o.reader, false, &err) : NULL;
	Py_END_ALLOW_THREADS
	result = s ? Py_BuildValue("(LLnKN)", (long long)start, (long long)end,
				   (Py_ssize_t)jfrec_summary_chunk_count(s),
				   (unsigned long long)jfrec_reader_damage(o.reader), types_list(s))
		   : raise_error(&err);
	jfrec_summary_free(s);
	opened_close(&o);
	return result;
}

/* Stacks --------------------------------------------------------------------------------------- */

struct text {
	char *bytes;
	size_t len, room;
};

static int append(void *ctx, const void *data, size_t len)
{
	struct text *t = ctx;

	if (len > t->room - t->len) {
		size_t room = 2 * (t->room + len);
		char *bytes = realloc(t->bytes, room);

		if (!bytes)
			return ENOMEM;
		t->bytes = bytes;
		t->room = room;
	}
	memcpy(t->bytes + t->len, data, len);
	t->len += len;
	return 0;
}

/* Collapsed lines of the one profile.  0, or -1 with *err set. */
static int collapse(struct jfrec_stacks *s, const char *profile, const char *weight, bool is_type,
		    struct jfrec_reader *r, struct text *t, struct jfrec_error *err)
{
	int ret = is_type ? jfrec_stacks_add_type(s, profile, weight, err)
			  : jfrec_stacks_add(s, profile, err);

	if (ret < 0 || jfrec_stacks_read(s, 0, r, err) < 0)
		return -1;
	return jfrec_stacks_write(s, 0, "collapsed", 0, append, t, err);
}

static bool is_profile(const char *name)
{
	const char *known;

	for (size_t i = 0; (known = jfrec_stacks_names_get(i)) != NULL; i++) {
		if (strcmp(known, name) == 0)
			return true;
	}
	return false;
}

static PyObject *stacks_result(struct jfrec_stacks *s, const struct text *t)
{
	static const char *const units[] = {
		[JFREC_UNIT_NONE] = "samples",
		[JFREC_UNIT_NS] = "ns",
		[JFREC_UNIT_BYTES] = "bytes",
	};
	const struct jfrec_stack_profile *p = jfrec_stacks_get(s, 0, 0);

	return Py_BuildValue("(sKLKy#)", units[p->unit], (unsigned long long)p->samples,
			     (long long)p->value, (unsigned long long)p->stackless,
			     t->len ? t->bytes : "", (Py_ssize_t)t->len);
}

static PyObject *stacks(PyObject *self, PyObject *args)
{
	struct jfrec_stack_options how = { .struct_size = sizeof(how) };
	struct request q = { 0 };
	struct jfrec_stacks *s;
	struct text text = { 0 };
	const char *profile, *weight;
	int by_thread, with_lines, counts, got = -1;
	PyObject *result = NULL;
	struct jfrec_error err;
	struct opened o;

	(void)self;
	if (!PyArg_ParseTuple(args, "OzO!OOszppp", &q.source, &q.events, &PyList_Type, &q.where,
			      &q.start, &q.end, &profile, &weight, &by_thread, &with_lines,
			      &counts) ||
	    request_open(&q, &o) < 0)
		return NULL;
	how.with_threads = by_thread;
	how.with_lines = with_lines;
	how.counts = counts;
	how.from_ns = request_from(&q);
	how.to_ns = request_to(&q);
	Py_BEGIN_ALLOW_THREADS
	s = jfrec_stacks_new(&how, &err);
	if (s)
		got = collapse(s, profile, weight, weight || !is_profile(profile), o.reader, &text,
			       &err);
	Py_END_ALLOW_THREADS
	result = got == 0 ? stacks_result(s, &text) : raise_error(&err);
	jfrec_stacks_free(s);
	free(text.bytes);
	opened_close(&o);
	return result;
}

/* Views and queries ---------------------------------------------------------------------------- */

static PyObject *cell_object(const struct jfrec_cell *c)
{
	switch (c->kind) {
	case JFREC_KIND_BOOL:
		return PyBool_FromLong(c->i != 0);
	case JFREC_KIND_INT:
		return PyLong_FromLongLong(c->i);
	case JFREC_KIND_FLOAT:
		return PyFloat_FromDouble(c->d);
	case JFREC_KIND_STRING:
		return PyUnicode_DecodeUTF8(c->text, (Py_ssize_t)c->len, "replace");
	default:
		return Py_NewRef(Py_None);
	}
}

static PyObject *row_tuple(struct jfrec_answer *t, size_t row)
{
	size_t count = jfrec_answer_column_count(t);
	PyObject *tuple = PyTuple_New((Py_ssize_t)count);

	for (size_t i = 0; tuple && i < count; i++) {
		struct jfrec_cell cell = jfrec_answer_cell(t, row, i);
		PyObject *value = cell_object(&cell);

		if (!value || PyTuple_SetItem(tuple, (Py_ssize_t)i, value) < 0)
			Py_CLEAR(tuple);
	}
	return tuple;
}

static PyObject *column_labels(struct jfrec_answer *t)
{
	static const char *const units[] = {
		[JFREC_UNIT_NONE] = NULL,
		[JFREC_UNIT_NS] = "ns",
		[JFREC_UNIT_TIME] = "ns since 1970",
		[JFREC_UNIT_PERCENT] = "ratio",
		[JFREC_UNIT_BYTES] = "bytes",
		[JFREC_UNIT_BITS] = "bits",
		[JFREC_UNIT_BYTES_PER_S] = "bytes/s",
		[JFREC_UNIT_BITS_PER_S] = "bits/s",
		[JFREC_UNIT_ADDRESS] = "address",
		[JFREC_UNIT_HERTZ] = "Hz",
	};
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < jfrec_answer_column_count(t); i++) {
		const struct jfrec_answer_column *c = jfrec_answer_column_get(t, i);

		if (append_new(list, Py_BuildValue("(Nz)", text_or_none(c->label),
						   units[c->unit])) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *table_object(struct jfrec_answer *t)
{
	PyObject *rows = PyList_New(0), *labels = column_labels(t);

	for (size_t i = 0; rows && labels && i < jfrec_answer_row_count(t); i++) {
		if (append_new(rows, row_tuple(t, i)) < 0)
			Py_CLEAR(rows);
	}
	if (rows && labels)
		return Py_BuildValue("(NNN)", text_or_none(jfrec_answer_title(t)), labels, rows);
	Py_XDECREF(rows);
	Py_XDECREF(labels);
	return NULL;
}

/* The name of a view, a query, or an event type. */
static int add_question(struct jfrec_query *q, const char *text, struct jfrec_error *err)
{
	struct jfrec_views *views = jfrec_views_all(err);
	const struct jfrec_view *view = views ? jfrec_views_find(views, text) : NULL;
	int n;

	if (!views)
		return -1;
	if (view)
		n = jfrec_query_add_view(q, view, err);
	else if (strncasecmp(text, "select", 6) == 0)
		n = jfrec_query_add(q, text, err);
	else
		n = jfrec_query_add_type(q, text, false, err);
	jfrec_views_free(views);
	return n;
}

static int ask(struct jfrec_query *q, const struct request *request, const char *text,
	       struct jfrec_error *err)
{
	int n;

	jfrec_query_set_span(q, request_from(request), request_to(request));
	n = add_question(q, text, err);
	if (n < 0 || jfrec_query_fault(q, n, err) < 0 || jfrec_query_run(q, err) < 0)
		return -1;
	return n;
}

static PyObject *view(PyObject *self, PyObject *args)
{
	struct request request = { 0 };
	struct jfrec_query *q;
	struct jfrec_error err;
	PyObject *result = NULL;
	struct opened o;
	const char *text;
	int n = -1;

	(void)self;
	if (!PyArg_ParseTuple(args, "OzO!OOs", &request.source, &request.events, &PyList_Type,
			      &request.where, &request.start, &request.end, &text) ||
	    request_open(&request, &o) < 0)
		return NULL;
	Py_BEGIN_ALLOW_THREADS
	q = jfrec_query_new(o.reader, &err);
	if (q)
		n = ask(q, &request, text, &err);
	Py_END_ALLOW_THREADS
	result = n >= 0 ? table_object(jfrec_query_answer(q, n)) : raise_error(&err);
	jfrec_query_free(q);
	opened_close(&o);
	return result;
}

PyMethodDef answers_methods[] = {
	{ "summary", summary, METH_VARARGS, NULL },
	{ "stacks", stacks, METH_VARARGS, NULL },
	{ "view", view, METH_VARARGS, NULL },
	{ 0 },
};
