/* SPDX-License-Identifier: MIT */
/*
 * jvms.c - the JVMs of this host, and recording one of them
 */
#include "module.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* A recording ends by itself so long after it should have been fetched. */
#define GRACE_S 120

/* Finding -------------------------------------------------------------------------------------- */

static PyObject *jvm_dict(const struct jfrec_jvm *j)
{
	static const char *const kinds[] = {
		[JFREC_JVM_HOTSPOT] = "hotspot",
		[JFREC_JVM_OPENJ9] = "openj9",
		[JFREC_JVM_NATIVE] = "native",
		[JFREC_JVM_MAYBE] = "maybe",
	};

	return Py_BuildValue("{s:i, s:s, s:i, s:N, s:N, s:N, s:N, s:N, s:L, s:N, s:N}", "pid",
			     j->pid, "kind", kinds[j->kind], "jdk", j->jdk, "version",
			     text_or_none(j->version), "user", text_or_none(j->user), "container",
			     text_or_none(j->container), "main", text_or_none(j->main), "command",
			     text_or_none(j->command), "started_ns", (long long)j->started_ns,
			     "attachable", PyBool_FromLong(j->attachable), "reason",
			     text_or_none(j->reason));
}

static struct jfrec_jvms *find(const char *target, struct jfrec_error *err)
{
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = target };
	struct jfrec_jvms *list;

	Py_BEGIN_ALLOW_THREADS
	list = jfrec_jvms_find(&q, err);
	Py_END_ALLOW_THREADS
	return list;
}

static PyObject *jvms(PyObject *self, PyObject *args)
{
	struct jfrec_jvms *found;
	struct jfrec_error err;
	const char *target;
	PyObject *list;

	(void)self;
	if (!PyArg_ParseTuple(args, "z", &target))
		return NULL;
	found = find(target, &err);
	if (!found)
		return raise_error(&err);
	list = PyList_New(0);
	for (size_t i = 0; list && i < jfrec_jvms_count(found); i++) {
		if (append_new(list, jvm_dict(jfrec_jvms_get(found, i))) < 0)
			Py_CLEAR(list);
	}
	jfrec_jvms_free(found);
	return list;
}

PyMethodDef jvms_methods[] = {
	{ "jvms", jvms, METH_VARARGS, NULL },
	{ 0 },
};

/* Recording ------------------------------------------------------------------------------------ */

/* A recording in a JVM, which ends with this object. */
struct session {
	PyObject_HEAD
	struct jfrec_session *session;
	struct jfrec_jfr_started *started;
	bool is_busy; /* in another thread, which gave up the lock */
};

static void session_end(struct session *s)
{
	jfrec_jfr_started_free(s->started);
	s->started = NULL;
	jfrec_session_close(s->session);
	s->session = NULL;
}

static void session_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);

	session_end((struct session *)self);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

static struct jfrec_jfr_started *start(struct jfrec_session *s, const char *settings,
				       long long seconds, struct jfrec_error *err)
{
	char duration[32];
	struct jfrec_jfr_option options[] = {
		{ "duration", duration },
		{ "settings", settings },
	};
	struct jfrec_jfr_start_options o = {
		.struct_size = sizeof(o),
		.options = options,
		.count = settings ? 2 : 1,
		.only_for_session = true,
	};

	snprintf(duration, sizeof(duration), "%llds", seconds + GRACE_S);
	return jfrec_jfr_start(s, &o, err);
}

/* The JVM that the words mean, if they mean one.  0, or -1 with *err set. */
static int open_one(struct session *s, const char *target, struct jfrec_error *err)
{
	struct jfrec_jvms *found = find(target, err);

	if (!found)
		return -1;
	if (jfrec_jvms_count(found) == 1) {
		Py_BEGIN_ALLOW_THREADS
		s->session = jfrec_session_open(jfrec_jvms_get(found, 0), NULL, err);
		Py_END_ALLOW_THREADS
	} else {
		jfrec_fail(err, JFREC_ENOJVM, JFREC_NO_OFFSET,
			   "%zu JVMs match %.100s; use the pid of one", jfrec_jvms_count(found),
			   target);
	}
	jfrec_jvms_free(found);
	return s->session ? 0 : -1;
}

static PyObject *session_new(PyTypeObject *type, PyObject *args, PyObject *named)
{
	const char *target, *settings;
	struct jfrec_error err;
	long long seconds;
	struct session *s;

	(void)named;
	if (!PyArg_ParseTuple(args, "szL", &target, &settings, &seconds))
		return NULL;
	s = (struct session *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
	if (!s)
		return NULL;
	if (open_one(s, target, &err) == 0) {
		Py_BEGIN_ALLOW_THREADS
		s->started = start(s->session, settings, seconds, &err);
		Py_END_ALLOW_THREADS
	}
	if (s->started)
		return (PyObject *)s;
	Py_DECREF(s);
	return raise_error(&err);
}

static int write_all(void *ctx, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(*(int *)ctx, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

static int fetch(struct session *s, int fd, struct jfrec_error *err)
{
	struct jfrec_jfr_option option;
	struct jfrec_dump *dump;
	char id[24];
	int ret;

	snprintf(id, sizeof(id), "%llu", (unsigned long long)s->started->id);
	option = (struct jfrec_jfr_option){ "name", id };
	dump = jfrec_jfr_dump(s->session, &option, 1, err);
	if (!dump)
		return -1;
	ret = jfrec_dump_copy(dump, write_all, &fd, err);
	jfrec_dump_free(dump);
	if (ret == 0)
		ret = jfrec_jfr_stop_leased(s->session, s->started, err);
	return ret;
}

/* Write the recording to a descriptor, and end it. */
static PyObject *session_fetch(PyObject *self, PyObject *args)
{
	struct session *s = (struct session *)self;
	struct jfrec_error err;
	int fd, ret;

	if (!PyArg_ParseTuple(args, "i", &fd))
		return NULL;
	if (s->is_busy || !s->session) {
		PyErr_SetString(PyExc_ValueError, "the recording has ended, or is being fetched");
		return NULL;
	}
	s->is_busy = true;
	Py_BEGIN_ALLOW_THREADS
	ret = fetch(s, fd, &err);
	Py_END_ALLOW_THREADS
	s->is_busy = false;
	session_end(s);
	return ret < 0 ? raise_error(&err) : Py_NewRef(Py_None);
}

/* End the recording, and leave nothing of it. */
static PyObject *session_close(PyObject *self, PyObject *args)
{
	(void)args;
	if (!((struct session *)self)->is_busy)
		session_end((struct session *)self);
	return Py_NewRef(Py_None);
}

static PyMethodDef session_methods[] = {
	{ "fetch", session_fetch, METH_VARARGS, NULL },
	{ "close", session_close, METH_NOARGS, NULL },
	{ 0 },
};

static PyType_Slot session_slots[] = {
	{ Py_tp_new, session_new },
	{ Py_tp_dealloc, session_free },
	{ Py_tp_methods, session_methods },
	{ 0 },
};

static PyType_Spec session_spec = {
	.name = "jfrec._jfrec.Session",
	.basicsize = sizeof(struct session),
	.flags = Py_TPFLAGS_DEFAULT,
	.slots = session_slots,
};

int session_add_type(PyObject *module)
{
	PyObject *type = PyType_FromSpec(&session_spec);
	int ret = type ? PyModule_AddObjectRef(module, "Session", type) : -1;

	Py_XDECREF(type);
	return ret;
}
