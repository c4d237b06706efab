/* SPDX-License-Identifier: MIT */
/*
 * tables.c - the tables of a recording: columns, rows, and streams of Arrow
 */
#include "module.h"

#include <stdlib.h>

#define STREAM_NAME "arrow_array_stream"

/* The words for enum jfrec_kind. */
static const char *const kinds[] = {
	[JFREC_KIND_BOOL] = "bool", [JFREC_KIND_INT8] = "int8",
	[JFREC_KIND_INT16] = "int16",	[JFREC_KIND_INT32] = "int32",
	[JFREC_KIND_INT64] = "int64",	[JFREC_KIND_UINT8] = "uint8",
	[JFREC_KIND_UINT16] = "uint16", [JFREC_KIND_UINT32] = "uint32",
	[JFREC_KIND_UINT64] = "uint64", [JFREC_KIND_FLOAT32] = "float32",
	[JFREC_KIND_FLOAT64] = "float64", [JFREC_KIND_TIME] = "time",
	[JFREC_KIND_SPAN] = "span",	[JFREC_KIND_STRING] = "text",
	[JFREC_KIND_CLASS] = "class",	[JFREC_KIND_LOADER] = "loader",
	[JFREC_KIND_METHOD] = "method", [JFREC_KIND_FRAME] = "frame",
	[JFREC_KIND_STACK] = "stack",	[JFREC_KIND_JSON] = "json",
};

/* Recordings with their tables ----------------------------------------------------------------- */

struct with_tables {
	struct opened opened;
	struct jfrec_tables *tables;
};

static void close_tables(struct with_tables *w)
{
	jfrec_tables_free(w->tables);
	opened_close(&w->opened);
	free(w);
}

/* NULL with an exception set. */
static struct with_tables *open_tables(struct request *q)
{
	struct with_tables *w = calloc(1, sizeof(*w));
	struct jfrec_error err;

	if (!w) {
		PyErr_NoMemory();
		return NULL;
	}
	if (request_open(q, &w->opened) < 0) {
		free(w);
		return NULL;
	}
	Py_BEGIN_ALLOW_THREADS
	w->tables = jfrec_tables_new(w->opened.reader, &err);
	Py_END_ALLOW_THREADS
	if (w->tables)
		return w;
	raise_error(&err);
	close_tables(w);
	return NULL;
}

/* The number of a table, or -1 with an exception set. */
static int find_table(const struct with_tables *w, const char *name)
{
	struct jfrec_error err;
	int table = jfrec_tables_find(w->tables, name);

	if (table >= 0)
		return table;
	jfrec_fail(&err, JFREC_ENOEVENT, JFREC_NO_OFFSET,
		   "the recording has no events called %.100s; types() lists those that it has",
		   name);
	raise_error(&err);
	return -1;
}

static PyObject *column_tuple(const struct jfrec_table_column *c)
{
	return Py_BuildValue("(NNNNszN)", text_or_none(c->name), text_or_none(c->field),
			     text_or_none(c->label), text_or_none(c->type), kinds[c->kind], c->unit,
			     PyBool_FromLong(c->is_nullable));
}

static PyObject *column_list(const struct jfrec_tables *t, size_t table)
{
	PyObject *list = PyList_New(0);
	const struct jfrec_table_column *c;

	for (size_t i = 0; list && (c = jfrec_tables_column_get(t, table, i)) != NULL; i++) {
		if (append_new(list, column_tuple(c)) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *table_tuple(const struct jfrec_tables *t, size_t i)
{
	const struct jfrec_table_info *info = jfrec_tables_get(t, i);
	PyObject *columns = column_list(t, i);

	if (!columns)
		return NULL;
	return Py_BuildValue("(NNNNNN)", text_or_none(info->name), text_or_none(info->type),
			     text_or_none(info->label), text_or_none(info->description),
			     text_or_none(info->category), columns);
}

static PyObject *tables(PyObject *self, PyObject *args)
{
	struct request q = { .start = Py_None, .end = Py_None };
	struct with_tables *w;
	PyObject *list;

	(void)self;
	if (!PyArg_ParseTuple(args, "OzO!", &q.source, &q.events, &PyList_Type, &q.where))
		return NULL;
	w = open_tables(&q);
	list = w ? PyList_New(0) : NULL;
	for (size_t i = 0; list && i < jfrec_tables_count(w->tables); i++) {
		if (append_new(list, table_tuple(w->tables, i)) < 0)
			Py_CLEAR(list);
	}
	if (w)
		close_tables(w);
	return list;
}

/* Chunks --------------------------------------------------------------------------------------- */

static PyObject *chunk_list(const struct jfrec_chunk_place *places, size_t count)
{
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < count; i++) {
		const struct jfrec_chunk_place *p = &places[i];

		if (append_new(list, Py_BuildValue("(KKLL)", (unsigned long long)p->offset,
						   (unsigned long long)p->size,
						   (long long)p->start_ns,
						   (long long)p->duration_ns)) < 0)
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *chunks(PyObject *self, PyObject *args)
{
	struct request q = { .start = Py_None, .end = Py_None };
	struct jfrec_chunk_place *places;
	struct jfrec_error err;
	struct opened opened;
	PyObject *list = NULL;
	size_t count;

	(void)self;
	q.where = PyList_New(0);
	if (!q.where || !PyArg_ParseTuple(args, "O", &q.source) || request_open(&q, &opened) < 0) {
		Py_XDECREF(q.where);
		return NULL;
	}
	Py_BEGIN_ALLOW_THREADS
	places = jfrec_reader_chunks(opened.reader, &count, &err);
	Py_END_ALLOW_THREADS
	if (places)
		list = chunk_list(places, count);
	else
		raise_error(&err);
	jfrec_free(places);
	opened_close(&opened);
	Py_DECREF(q.where);
	return list;
}

/* Streams -------------------------------------------------------------------------------------- */

/* The reader of a stream goes with it, in whichever thread that is. */
static void close_stream(void *ctx)
{
	PyGILState_STATE state = PyGILState_Ensure();

	close_tables(ctx);
	PyGILState_Release(state);
}

/* One that nobody took over. */
static void free_stream(PyObject *capsule)
{
	struct ArrowArrayStream *s = PyCapsule_GetPointer(capsule, STREAM_NAME);

	if (s && s->release)
		s->release(s);
	free(s);
}

/* The names in a list; to be freed.  NULL with an exception set. */
static const char **name_array(PyObject *list)
{
	Py_ssize_t count = PyList_Size(list);
	const char **names = calloc((size_t)count + 1, sizeof(*names));

	if (!names)
		PyErr_NoMemory();
	for (Py_ssize_t i = 0; names && i < count; i++) {
		names[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
		if (!names[i]) {
			free(names);
			return NULL;
		}
	}
	return names;
}

/* Which rows of a table, how many in a batch, and how stack traces are. */
struct part {
	Py_ssize_t rows;
	unsigned long long first_chunk, chunk_count;
	int stack_frames;
};

static int begin_stream(const struct request *q, struct with_tables *w, int table,
			PyObject *columns, const struct part *part, struct ArrowArrayStream *s)
{
	const char **names = columns == Py_None ? NULL : name_array(columns);
	struct jfrec_arrow_options o = {
		.struct_size = sizeof(o),
		.columns = names,
		.column_count = names ? (size_t)PyList_Size(columns) : 0,
		.rows = (size_t)part->rows,
		.first_chunk = part->first_chunk,
		.chunk_count = part->chunk_count,
		.stack_frames = part->stack_frames != 0,
		.from_ns = request_from(q),
		.to_ns = request_to(q),
		.done = close_stream,
		.ctx = w,
	};
	struct jfrec_error err;
	int ret = -1;

	if (!names && columns != Py_None)
		return -1;
	ret = jfrec_arrow_stream(w->tables, (size_t)table, &o, s, &err);
	if (ret < 0)
		raise_error(&err);
	free(names);
	return ret;
}

static PyObject *stream(PyObject *self, PyObject *args)
{
	struct request q = { 0 };
	struct ArrowArrayStream *s;
	struct with_tables *w;
	PyObject *columns, *capsule;
	struct part part;
	const char *name;
	int table;

	(void)self;
	if (!PyArg_ParseTuple(args, "OzO!OOsOnKKp", &q.source, &q.events, &PyList_Type, &q.where,
			      &q.start, &q.end, &name, &columns, &part.rows, &part.first_chunk,
			      &part.chunk_count, &part.stack_frames))
		return NULL;
	w = open_tables(&q);
	if (!w)
		return NULL;
	s = calloc(1, sizeof(*s));
	table = find_table(w, name);
	if (!s || table < 0 || begin_stream(&q, w, table, columns, &part, s) < 0) {
		if (!s)
			PyErr_NoMemory();
		close_tables(w);
		free(s);
		return NULL;
	}
	capsule = PyCapsule_New(s, STREAM_NAME, free_stream);
	if (capsule)
		return capsule;
	s->release(s);
	free(s);
	return NULL;
}

PyMethodDef tables_methods[] = {
	{ "chunks", chunks, METH_VARARGS, NULL },
	{ "tables", tables, METH_VARARGS, NULL },
	{ "stream", stream, METH_VARARGS, NULL },
	{ 0 },
};

/* Rows one by one ------------------------------------------------------------------------------ */

struct rows {
	PyObject_HEAD
	struct with_tables *with;
	struct jfrec_rows *rows;
	PyObject *
		*names; /* of each table: its name, then those of its columns; NULL: not made yet */
	bool is_busy;	  /* in another thread, which gave up the lock */
};

static void rows_free(PyObject *self)
{
	struct rows *r = (struct rows *)self;
	PyTypeObject *type = Py_TYPE(self);

	for (size_t i = 0; r->names && i < jfrec_tables_count(r->with->tables); i++)
		Py_XDECREF(r->names[i]);
	free(r->names);
	jfrec_rows_free(r->rows);
	if (r->with)
		close_tables(r->with);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

static int begin_rows(struct rows *r, const struct request *q)
{
	size_t count = jfrec_tables_count(r->with->tables);
	struct jfrec_error err;

	r->names = calloc(count + 1, sizeof(PyObject *));
	if (!r->names) {
		PyErr_NoMemory();
		return -1;
	}
	r->rows = jfrec_rows_new(r->with->tables, &err);
	if (r->rows)
		jfrec_rows_set_span(r->rows, request_from(q) ? q->start_ns : INT64_MIN,
				    request_to(q) ? q->end_ns : INT64_MAX);
	for (size_t i = 0; r->rows && i < count; i++) {
		if (jfrec_rows_want(r->rows, i, NULL, 0, &err) < 0) {
			raise_error(&err);
			return -1;
		}
	}
	if (!r->rows)
		raise_error(&err);
	return r->rows ? 0 : -1;
}

static PyObject *rows_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
	struct request q = { 0 };
	struct rows *r;

	(void)named;
	if (!PyArg_ParseTuple(args, "OzO!OO", &q.source, &q.events, &PyList_Type, &q.where, &q.start,
			      &q.end))
		return NULL;
	r = (struct rows *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
	if (!r)
		return NULL;
	r->with = open_tables(&q);
	if (r->with && begin_rows(r, &q) == 0)
		return (PyObject *)r;
	Py_DECREF(r);
	return NULL;
}

static PyObject *value_object(const struct jfrec_table_column *c, const struct jfrec_table_value *v)
{
	if (v->is_null)
		return Py_NewRef(Py_None);
	switch (c->kind) {
	case JFREC_KIND_BOOL:
		return PyBool_FromLong(v->i != 0);
	case JFREC_KIND_UINT64:
		return PyLong_FromUnsignedLongLong((uint64_t)v->i);
	case JFREC_KIND_FLOAT32:
	case JFREC_KIND_FLOAT64:
		return PyFloat_FromDouble(v->d);
	default:
		if (c->kind >= JFREC_KIND_STRING)
			return PyUnicode_DecodeUTF8(v->text, v->len, "replace");
		return PyLong_FromLongLong(v->i);
	}
}

/* The table's name and those of its columns, as a tuple of the rows' own. */
static PyObject *names_of(struct rows *r, size_t table)
{
	const struct jfrec_table_info *info = jfrec_tables_get(r->with->tables, table);
	PyObject *names = r->names[table];

	if (names)
		return names;
	names = PyTuple_New((Py_ssize_t)info->column_count + 1);
	for (size_t i = 0; names && i <= info->column_count; i++) {
		PyObject *name = text_or_none(
			i ? jfrec_tables_column_get(r->with->tables, table, i - 1)->name
			  : info->name);

		if (!name || PyTuple_SetItem(names, (Py_ssize_t)i, name) < 0)
			Py_CLEAR(names);
	}
	r->names[table] = names;
	return names;
}

static PyObject *row_object(struct rows *r)
{
	size_t table = jfrec_rows_table(r->rows);
	const struct jfrec_table_column *c;
	PyObject *names = names_of(r, table), *values = names ? PyDict_New() : NULL;

	for (size_t i = 0; values && (c = jfrec_tables_column_get(r->with->tables, table, i));
	     i++) {
		struct jfrec_table_value v;
		PyObject *value;

		jfrec_rows_value(r->rows, i, &v);
		value = value_object(c, &v);
		if (!value ||
		    PyDict_SetItem(values, PyTuple_GetItem(names, (Py_ssize_t)i + 1), value) < 0)
			Py_CLEAR(values);
		Py_XDECREF(value);
	}
	return values ? Py_BuildValue("(ON)", PyTuple_GetItem(names, 0), values) : NULL;
}

static PyObject *rows_next(PyObject *self)
{
	struct rows *r = (struct rows *)self;
	struct jfrec_error err;
	int got;

	if (r->is_busy) {
		PyErr_SetString(PyExc_ValueError, "another thread is in this iterator");
		return NULL;
	}
	r->is_busy = true;
	Py_BEGIN_ALLOW_THREADS
	got = jfrec_rows_next(r->rows, &err);
	Py_END_ALLOW_THREADS
	r->is_busy = false;
	if (got < 0)
		return raise_error(&err);
	return got ? row_object(r) : NULL;
}

static PyType_Slot rows_slots[] = {
	{ Py_tp_new, rows_new },
	{ Py_tp_dealloc, rows_free },
	{ Py_tp_iter, PyObject_SelfIter },
	{ Py_tp_iternext, rows_next },
	{ 0 },
};

static PyType_Spec rows_spec = {
	.name = "jfrec._jfrec.Rows",
	.basicsize = sizeof(struct rows),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = rows_slots,
};

int rows_add_type(PyObject *module)
{
	PyObject *type = PyType_FromSpec(&rows_spec);
	int ret = type ? PyModule_AddObjectRef(module, "Rows", type) : -1;

	Py_XDECREF(type);
	return ret;
}
