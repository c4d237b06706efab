/* SPDX-License-Identifier: MIT */
/*
 * element.h - the element tree that holds settings
 *
 * The elements are those of .jfc files of version 2.0 (JDK 9 and 8u262, and later):
 *
 *	configuration version label [description] [provider]
 *	    event name
 *	        setting name [control]            its text is the value
 *	    control                               not read by the JVM
 *	        selection name label default      what people turn: options
 *	            option name label             its text is the value
 *	        text name label [contentType]     its text is the value
 *	        flag name label                   likewise, true or false
 *	        condition name [true] [false]     what follows from them
 *	            and, or, not
 *	                test name operator value
 *
 * Elements of other names, or at other places, belong to the grammar of other
 * tools (category is JDK Mission Control's); they are kept, and mean nothing.
 * A JVM takes events and settings wherever they stand.
 */
#ifndef JFREC_SETTINGS_ELEMENT_H
#define JFREC_SETTINGS_ELEMENT_H

#include "base/arena.h"
#include "jfrec.h"

enum element_kind {
	ELEMENT_OTHER,
	ELEMENT_CONFIGURATION,
	ELEMENT_EVENT,
	ELEMENT_SETTING,
	ELEMENT_CONTROL,
	ELEMENT_SELECTION,
	ELEMENT_OPTION,
	ELEMENT_TEXT,
	ELEMENT_FLAG,
	ELEMENT_CONDITION,
	ELEMENT_AND,
	ELEMENT_OR,
	ELEMENT_NOT,
	ELEMENT_TEST,
};

struct attribute {
	const char *name, *value;
	struct attribute *next;
};

struct element {
	enum element_kind kind;
	bool changed;	  /* a setting, by set.c */
	bool due;	  /* it is about to be */
	bool stray;	  /* not where the grammar has one of its kind */
	const char *name; /* as written if it is ELEMENT_OTHER */
	const char *text; /* without white space around it; never NULL */
	struct attribute *attributes;
	struct element *parent, *next, *first, *last;
	unsigned line, column; /* from 1; 0: it was not read */
	/* Of a condition, see evaluate.c. */
	unsigned round;
	const char *value;
};

/* Limits of what is read.  The JDK's own files have 700 elements, 5 deep. */
#define SETTINGS_MAX_BYTES    (1u << 20)
#define SETTINGS_MAX_ELEMENTS 10000
#define SETTINGS_MAX_DEPTH    16

/*
 * Add a child, after the others; its kind follows from its name and its parent.
 * parent NULL: a root.  NULL when memory is gone.  All strings of these three are copied.
 */
struct element *element_add(struct arena *a, struct element *parent, const char *name);

/* Set an attribute.  0, or -1 when memory is gone; so the next. */
int element_set(struct arena *a, struct element *e, const char *name, const char *value);

/* Set the text, without white space around it, as Java trims. */
int element_set_text(struct arena *a, struct element *e, const char *text, size_t len);

/* The value of an attribute, or NULL. */
const char *element_get(const struct element *e, const char *name);

/* Is it what its attribute `name` says? */
bool element_is_named(const struct element *e, const char *name);

/* The next element of that tree, parents first; NULL: there is none. */
struct element *element_next(const struct element *root, const struct element *e);

/* The next one that is not below e. */
struct element *element_behind(const struct element *root, const struct element *e);

/* Copy it and what is below it into another tree.  0, or -1 when memory is gone. */
int element_copy(struct arena *a, struct element *parent, const struct element *e);

/* Take it out of its parent. */
void element_remove(struct element *e);

/* Can it stand in XML, which lacks most control characters?  0, or -1 with *err set. */
int element_check_text(const char *text, struct jfrec_error *err);

#endif
