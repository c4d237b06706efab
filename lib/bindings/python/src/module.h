/* SPDX-License-Identifier: MIT */
/*
 * module.h - what the files of the extension module share
 *
 * The module is a thin layer: each function opens the recording, makes one call into libjfrec
 * without the interpreter's lock, and turns the result into Python's objects. What is convenient
 * is in jfrec/__init__.py.
 */
#ifndef JFREC_PYTHON_MODULE_H
#define JFREC_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include <jfrec.h>

extern PyObject *jfrec_error_type, *jfrec_damage_type; /* jfrec.Error, jfrec.DamageWarning */

/* Raise what *err says.  Returns NULL. */
PyObject *raise_error(const struct jfrec_error *err);

/* What a recording is read with: the arguments that all functions begin with. */
struct request {
	PyObject *
		source; /* a list of paths (bytes), a bytes object, or the number of a descriptor */
	PyObject *where;  /* a list of expressions */
	const char *events; /* or NULL */
	PyObject *start, *end; /* whole numbers, ns since 1970, or None */
	int64_t start_ns, end_ns; /* filled by request_open() */
};

/* A reader, and the bytes that it reads, which must live as long. */
struct opened {
	struct jfrec_reader *reader;
	PyObject *bytes; /* or NULL */
};

/* 0, or -1 with an exception set. */
int request_open(struct request *q, struct opened *o);
void opened_close(struct opened *o);

static inline const int64_t *request_from(const struct request *q)
{
	return q->start == Py_None ? NULL : &q->start_ns;
}

static inline const int64_t *request_to(const struct request *q)
{
	return q->end == Py_None ? NULL : &q->end_ns;
}

/* A text, or None for NULL. */
PyObject *text_or_none(const char *s);

/* Append what may be NULL, which is an exception, and give up the reference.  0, or -1. */
int append_new(PyObject *list, PyObject *item);

/* The functions of the module, by the file that has them. */
extern PyMethodDef tables_methods[], answers_methods[], jvms_methods[];

/* Its types.  0, or -1 with an exception set. */
int rows_add_type(PyObject *module);
int session_add_type(PyObject *module);

#endif
