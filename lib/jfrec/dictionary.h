/* SPDX-License-Identifier: MIT */
/* jfrec/dictionary.h - what JDKs can record */
#ifndef JFREC_DICTIONARY_H
#define JFREC_DICTIONARY_H

#include "jfrec/event.h"

JFREC_BEGIN_DECLS

/*
 * The event types of JDKs without any recording, as their own JVMs declare them: names,
 * labels, fields, units, settings.  They have no @Description, and no ids.
 *
 * There is one for each of some versions of the JDK, and it is compiled into the library.
 * All strings, types and fields that are got from it live as long as it.
 */
struct jfrec_dictionary;

/*
 * The dictionary of that version of the JDK.  For a version that is not known, the nearest
 * older one stands; jdk 0: the newest.  To be freed with jfrec_dictionary_free().  NULL with
 * *err set (JFREC_ENOMEM).
 */
struct jfrec_dictionary *jfrec_dictionary_new(int jdk, struct jfrec_error *err);

/* Free the dictionary, and all types and strings that were got from it. */
void jfrec_dictionary_free(struct jfrec_dictionary *d);

/* The version that it is of. */
int jfrec_dictionary_jdk(const struct jfrec_dictionary *d);

/* How many versions are known. */
size_t jfrec_dictionary_jdk_count(const struct jfrec_dictionary *d);

/* Version number i, the oldest first, such as 17; 0 beyond the last. */
int jfrec_dictionary_jdk_get(const struct jfrec_dictionary *d, size_t i);

/* Have jfrec_dictionary_types() return only some types; otherwise as jfrec_reader_select(). */
int jfrec_dictionary_select(struct jfrec_dictionary *d, const char *events, const char *categories,
			    struct jfrec_error *err);

/* The types, in the order of `jfr metadata`.  The list is valid up to the next selection. */
const struct jfrec_types *jfrec_dictionary_types(const struct jfrec_dictionary *d);

/* The event type of that full name, or NULL. */
const struct jfrec_type *jfrec_dictionary_event(const struct jfrec_dictionary *d,
						const char *name);

enum jfrec_part { JFREC_PART_TYPE = 0, JFREC_PART_FIELD = 1, JFREC_PART_SETTING = 2 };

/*
 * Which of all known versions have the type, or this field or setting of it (name; else
 * NULL).  Bit i stands for version number i, jfrec_dictionary_jdk_get(); 0: none has it.
 */
uint32_t jfrec_dictionary_presence(const struct jfrec_dictionary *d, const char *type,
				   enum jfrec_part part, const char *name);

enum jfrec_settings_of {
	JFREC_DECLARED = 0,    /* the default */
	JFREC_DEFAULT_JFC = 1, /* the JDK's own settings of this name */
	JFREC_PROFILE_JFC = 2,
};

/* What the setting of an event is then, in this version; NULL: it has no such setting. */
const char *jfrec_dictionary_value(const struct jfrec_dictionary *d, const char *event,
				   const char *setting, enum jfrec_settings_of of);

#define JFREC_NEAR_MAX 3

/*
 * The names of events of this version that a mistyped one may mean, the likeliest first.
 * Returns their number; the names live as long as the dictionary.
 */
size_t jfrec_dictionary_near(const struct jfrec_dictionary *d, const char *name,
			     const char *names[JFREC_NEAR_MAX]);

/* What this library's authors say of an event; half a sentence each. */
struct jfrec_explanation {
	const char *records; /* what it tells; NULL: they say nothing */
	const char *cost;    /* what it costs the JVM */
};

/*
 * Explain an event of the dictionary.  The explanation is valid until the next one is asked for;
 * its strings live as long as the dictionary.  NULL with *err set (JFREC_ENOMEM).
 */
const struct jfrec_explanation *jfrec_dictionary_explain(struct jfrec_dictionary *d,
							 const struct jfrec_type *event,
							 struct jfrec_error *err);

JFREC_END_DECLS

#endif
