/* SPDX-License-Identifier: MIT */
/* jfrec/settings.h - recording settings */
#ifndef JFREC_SETTINGS_H
#define JFREC_SETTINGS_H

#include "jfrec/base.h"

JFREC_BEGIN_DECLS

/*
 * Which events a JVM records, and how: what a .jfc file says, or YAML (jfrec-settings(5)).
 * An event type has settings such as threshold; a setting may follow from a control, and a
 * control from options, which people turn.
 */
struct jfrec_settings;

/* Empty ones, to be freed, or NULL with *err set (JFREC_ENOMEM). */
struct jfrec_settings *jfrec_settings_new(struct jfrec_error *err);

/*
 * Read settings from memory: a .jfc file of version 2.0 or YAML, known by their first character.
 * Nothing is fetched or expanded, and size (1 MiB), depth and number are limited.
 *
 * Returns the settings, to be freed, or NULL with *err set, the text beginning with "line N":
 * JFREC_EFORMAT if it is not XML or YAML, JFREC_EINVAL if it is not settings, JFREC_EUNSUPPORTED
 * if it is XML and libxml2 cannot be loaded, JFREC_ENOMEM.
 */
struct jfrec_settings *jfrec_settings_parse(const void *bytes, size_t len, struct jfrec_error *err);

/* The same of a regular file; also JFREC_EIO. */
struct jfrec_settings *jfrec_settings_read(const char *path, struct jfrec_error *err);

/* Free the settings, and all strings that were got from them. */
void jfrec_settings_free(struct jfrec_settings *s);

/* What the settings are called; never NULL.  Belongs to s. */
const char *jfrec_settings_label(const struct jfrec_settings *s);

/* What they are for, or NULL.  Belongs to s. */
const char *jfrec_settings_description(const struct jfrec_settings *s);

/* Who made them ("Oracle"), or NULL.  Belongs to s. */
const char *jfrec_settings_provider(const struct jfrec_settings *s);

/*
 * Append what others say, as `jfr configure` joins its inputs.  0, or -1 with *err set:
 * JFREC_EINVAL if both have a control of one name, JFREC_ENOMEM.
 */
int jfrec_settings_add(struct jfrec_settings *s, const struct jfrec_settings *from,
		       struct jfrec_error *err);

/*
 * Change them by the rules of `jfr configure` of JDK 25.
 *
 * key: an option ("gc"), and all settings that depend on it follow; a setting
 * ("jdk.SocketRead#threshold"); or, to be added if it is not there, one after a `+`.
 * 0, or -1 with *err set: JFREC_EINVAL and the JDK's own sentence, JFREC_ENOMEM.
 */
int jfrec_settings_set(struct jfrec_settings *s, const char *key, const char *value,
		       struct jfrec_error *err);

/* Set one setting, added if it is not there; whatever characters its name has. */
int jfrec_settings_put(struct jfrec_settings *s, const char *event, const char *setting,
		       const char *value, struct jfrec_error *err);

/* Is there such an event (setting NULL), or such a setting of it? */
typedef bool jfrec_settings_known_fn(void *ctx, const char *event, const char *setting);

/* Take out the events and settings that are not known to a target. */
void jfrec_settings_restrict(struct jfrec_settings *s, jfrec_settings_known_fn *known, void *ctx);

enum jfrec_settings_format {
	JFREC_SETTINGS_JFC = 0,	 /* byte for byte as `jfr configure` writes */
	JFREC_SETTINGS_YAML = 1, /* without what has no meaning, and each setting once */
};

/* Write all of it, in one call.  0, or -1 with *err set: JFREC_EOUTPUT, JFREC_ENOMEM. */
int jfrec_settings_write(const struct jfrec_settings *s, enum jfrec_settings_format format,
			 jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* What a JVM would take for a setting.  The strings live until the settings are changed. */
struct jfrec_setting {
	const char *event;   /* "jdk.SocketRead" */
	const char *name;    /* "threshold" */
	const char *value;   /* "20 ms" */
	const char *control; /* which it follows; NULL: none */
	unsigned line;	     /* in the file; 0: none */
	bool changed;	     /* since jfrec_settings_forget_changes(), perhaps to what it was */
};

/*
 * List the settings and options as they are now, for the functions below: a change empties both
 * lists.  0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_settings_list(struct jfrec_settings *s, struct jfrec_error *err);

/* How many settings were listed. */
size_t jfrec_settings_count(const struct jfrec_settings *s);

/*
 * Setting number i, in the order of the file; NULL beyond the last.  Where one is there several
 * times the last counts, as for the JVM.
 */
const struct jfrec_setting *jfrec_settings_get(const struct jfrec_settings *s, size_t i);

/* From now on none counts as changed.  Settings that were added do not, either. */
void jfrec_settings_forget_changes(struct jfrec_settings *s);

/* Is there a control of that name, an option or a condition? */
bool jfrec_settings_has_control(const struct jfrec_settings *s, const char *name);

/* The value of a setting, or NULL. */
const char *jfrec_settings_value(const struct jfrec_settings *s, const char *event,
				 const char *setting);

enum jfrec_option_kind {
	JFREC_OPTION_SELECTION = 0, /* one of its choices */
	JFREC_OPTION_TEXT = 1,
	JFREC_OPTION_FLAG = 2, /* true or false */
};

struct jfrec_settings_choice {
	const char *name, *label, *value; /* the key; the label for people; the resulting value */
};

/* What people turn.  The strings live until the settings are changed. */
struct jfrec_settings_option {
	enum jfrec_option_kind kind;
	const char *name, *label;
	const char *description; /* or NULL */
	const char *type;	 /* of a text, such as "timespan"; or NULL */
	const char *minimum, *maximum;
	const char *value; /* the name of the choice, the text, or "true" or "false" */
};

/* How many choices an option has: those of JFREC_OPTION_SELECTION. */
size_t jfrec_settings_choice_count(const struct jfrec_settings_option *o);

/* Choice number i of an option; NULL beyond the last. */
const struct jfrec_settings_choice *jfrec_settings_choice_get(const struct jfrec_settings_option *o,
							      size_t i);

/* How many options were listed. */
size_t jfrec_settings_option_count(const struct jfrec_settings *s);

/* Option number i, in the order of the file; NULL beyond the last. */
const struct jfrec_settings_option *jfrec_settings_option_get(const struct jfrec_settings *s,
							      size_t i);

JFREC_END_DECLS

#endif
