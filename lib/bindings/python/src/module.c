/* SPDX-License-Identifier: MIT */
/*
 * module.c - the extension module: opening recordings, exceptions, warnings
 */
#include "module.h"

#include <string.h>

PyObject *jfrec_error_type, *jfrec_damage_type;

/* Exceptions ----------------------------------------------------------------------------------- */

static const char *code_name(enum jfrec_code code)
{
	static const char *const names[] = {
		[JFREC_EIO] = "io",
		[JFREC_EOUTPUT] = "output",
		[JFREC_EFORMAT] = "format",
		[JFREC_EUNSUPPORTED] = "unsupported",
		[JFREC_EINVAL] = "invalid",
		[JFREC_ECANCELED] = "canceled",
		[JFREC_EEXPRESSION] = "expression",
		[JFREC_ELEAK] = "leak",
		[JFREC_ENOJVM] = "no-jvm",
		[JFREC_EPERMISSION] = "permission",
		[JFREC_EATTACH] = "attach",
		[JFREC_ETIMEOUT] = "timeout",
		[JFREC_EDIED] = "died",
		[JFREC_ENOJFR] = "no-jfr",
		[JFREC_ERESULT] = "result",
		[JFREC_EREFUSED] = "refused",
		[JFREC_ENOEVENT] = "no-event",
		[JFREC_EHARM] = "harm",
	};
	size_t i = (size_t)code;

	return i < sizeof(names) / sizeof(*names) && names[i] ? names[i] : "other";
}

PyObject *raise_error(const struct jfrec_error *err)
{
	PyObject *e, *code;

	if (err->code == JFREC_ENOMEM)
		return PyErr_NoMemory();
	e = PyObject_CallFunction(jfrec_error_type, "s", err->text);
	code = PyUnicode_FromString(code_name(err->code));
	if (e && code && PyObject_SetAttrString(e, "code", code) == 0)
		PyErr_SetObject(jfrec_error_type, e);
	Py_XDECREF(e);
	Py_XDECREF(code);
	return NULL;
}

/*
 * Called without the interpreter's lock, in whichever thread reads. A warning that was made an
 * exception has nobody to catch it here, so it is shown.
 */
static void warn(void *ctx, const struct jfrec_problem *problem)
{
	PyGILState_STATE state = PyGILState_Ensure();
	PyObject *type, *value, *trace;

	(void)ctx;
	PyErr_Fetch(&type, &value, &trace);
	if (PyErr_WarnFormat(problem->damage ? jfrec_damage_type : PyExc_UserWarning, 1, "%s",
			     problem->text) < 0)
		PyErr_WriteUnraisable(NULL);
	PyErr_Restore(type, value, trace);
	PyGILState_Release(state);
}

/* Opening -------------------------------------------------------------------------------------- */

static struct jfrec_reader *open_paths(char **paths, Py_ssize_t count, struct jfrec_error *err)
{
	struct jfrec_reader *r = jfrec_reader_open(paths[0], NULL, err);

	for (Py_ssize_t i = 1; r && i < count; i++) {
		if (jfrec_reader_add(r, paths[i], err) < 0) {
			jfrec_reader_close(r);
			return NULL;
		}
	}
	return r;
}

/* NULL with an exception set. */
static struct jfrec_reader *open_list(PyObject *list)
{
	Py_ssize_t count = PyList_Size(list);
	char **paths = PyMem_Calloc((size_t)count + 1, sizeof(*paths));
	struct jfrec_reader *r = NULL;
	struct jfrec_error err;
	bool is_good = paths && count > 0;

	if (!paths)
		PyErr_NoMemory();
	else if (!count)
		PyErr_SetString(PyExc_ValueError, "no recording is given");
	for (Py_ssize_t i = 0; is_good && i < count; i++) {
		paths[i] = PyBytes_AsString(PyList_GetItem(list, i));
		is_good = paths[i] != NULL;
	}
	if (is_good) {
		Py_BEGIN_ALLOW_THREADS
		r = open_paths(paths, count, &err);
		Py_END_ALLOW_THREADS
		if (!r)
			raise_error(&err);
	}
	PyMem_Free(paths);
	return r;
}

static int open_source(PyObject *source, struct opened *o)
{
	struct jfrec_error err;
	Py_ssize_t len;
	char *bytes;

	if (PyList_Check(source)) {
		o->reader = open_list(source);
		return o->reader ? 0 : -1;
	}
	if (PyBytes_Check(source)) {
		if (PyBytes_AsStringAndSize(source, &bytes, &len) < 0)
			return -1;
		o->reader = jfrec_reader_open_memory(bytes, (size_t)len, NULL, &err);
		o->bytes = o->reader ? Py_NewRef(source) : NULL;
	} else {
		int fd = PyObject_AsFileDescriptor(source);

		if (fd < 0)
			return -1;
		o->reader = jfrec_reader_open_fd(fd, NULL, &err);
	}
	if (!o->reader)
		raise_error(&err);
	return o->reader ? 0 : -1;
}

static int take_time(PyObject *o, int64_t *ns)
{
	if (o == Py_None)
		return 0;
	*ns = PyLong_AsLongLong(o);
	return *ns == -1 && PyErr_Occurred() ? -1 : 0;
}

static int add_where(const struct request *q, struct jfrec_reader *r)
{
	struct jfrec_error err;

	for (Py_ssize_t i = 0; i < PyList_Size(q->where); i++) {
		const char *text = PyUnicode_AsUTF8AndSize(PyList_GetItem(q->where, i), NULL);

		if (!text)
			return -1;
		if (jfrec_reader_where(r, text, &err) < 0) {
			raise_error(&err);
			return -1;
		}
	}
	return 0;
}

int request_open(struct request *q, struct opened *o)
{
	struct jfrec_error err;

	*o = (struct opened){ 0 };
	if (take_time(q->start, &q->start_ns) < 0 || take_time(q->end, &q->end_ns) < 0 ||
	    open_source(q->source, o) < 0)
		return -1;
	jfrec_reader_on_problem(o->reader, warn, NULL);
	if (q->events && jfrec_reader_select(o->reader, q->events, NULL, &err) < 0)
		raise_error(&err);
	else if (add_where(q, o->reader) == 0)
		return 0;
	opened_close(o);
	return -1;
}

void opened_close(struct opened *o)
{
	jfrec_reader_close(o->reader);
	Py_XDECREF(o->bytes);
	*o = (struct opened){ 0 };
}

/* Objects -------------------------------------------------------------------------------------- */

PyObject *text_or_none(const char *s)
{
	if (s)
		return PyUnicode_DecodeUTF8(s, (Py_ssize_t)strlen(s), "replace");
	return Py_NewRef(Py_None);
}

int append_new(PyObject *list, PyObject *item)
{
	int ret = item ? PyList_Append(list, item) : -1;

	Py_XDECREF(item);
	return ret;
}

/* The module ----------------------------------------------------------------------------------- */

static int add_exceptions(PyObject *module)
{
	jfrec_error_type = PyErr_NewExceptionWithDoc(
		"jfrec.Error",
		"What libjfrec could not do, in its words. Attribute code: a word such as "
		"\"format\", \"io\", \"expression\", \"no-jvm\".",
		NULL, NULL);
	jfrec_damage_type = PyErr_NewExceptionWithDoc(
		"jfrec.DamageWarning",
		"Part of a recording could not be read; the result is about the rest.",
		PyExc_UserWarning, NULL);
	if (!jfrec_error_type || !jfrec_damage_type ||
	    PyModule_AddObjectRef(module, "Error", jfrec_error_type) < 0)
		return -1;
	return PyModule_AddObjectRef(module, "DamageWarning", jfrec_damage_type);
}

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "jfrec._jfrec",
	.m_size = -1,
};

PyMODINIT_FUNC PyInit__jfrec(void)
{
	PyObject *m = PyModule_Create(&definition);

	if (m && add_exceptions(m) == 0 && PyModule_AddFunctions(m, tables_methods) == 0 &&
	    PyModule_AddFunctions(m, answers_methods) == 0 &&
	    PyModule_AddFunctions(m, jvms_methods) == 0 && rows_add_type(m) == 0 &&
	    session_add_type(m) == 0 &&
	    PyModule_AddStringConstant(m, "version", jfrec_version()) == 0)
		return m;
	Py_XDECREF(m);
	return NULL;
}
