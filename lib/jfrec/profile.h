/* SPDX-License-Identifier: MIT */
/* jfrec/profile.h - built-in settings, and settings that fit a JDK */
#ifndef JFREC_PROFILE_H
#define JFREC_PROFILE_H

#include "jfrec/dictionary.h"
#include "jfrec/settings.h"

JFREC_BEGIN_DECLS

/* How many profiles come with the library: settings that have a name. */
size_t jfrec_profiles_count(void);

/* The name of profile number i; NULL beyond the last.  Static. */
const char *jfrec_profiles_get(size_t i);

/* The YAML of that profile, for jfrec_settings_parse(); NULL: there is none.  Static. */
const char *jfrec_profile_text(const char *name);

/* An event type (setting NULL), or a setting of one, that a JDK does not have. */
typedef void jfrec_settings_left_out_fn(void *ctx, const char *event, const char *setting);

/*
 * Fit settings to the JDK of the dictionary: their option "jdk" is set to it, if they have one,
 * then events of the JDK, and settings of these, that it does not have are taken out, and told
 * to left_out, which may be NULL.  0, or -1 with *err set.
 */
int jfrec_settings_fit(struct jfrec_settings *s, const struct jfrec_dictionary *d,
		       jfrec_settings_left_out_fn *left_out, void *ctx, struct jfrec_error *err);

/*
 * The options that the JDK's own profile.jfc has, such as "gc": settings that have these, none of
 * the values, and no events.  To be freed with jfrec_settings_free(); NULL with *err set
 * (JFREC_ENOMEM).
 */
struct jfrec_settings *jfrec_dictionary_options(const struct jfrec_dictionary *d,
						struct jfrec_error *err);

/*
 * Which of all known versions have that option in profile.jfc: bits as of
 * jfrec_dictionary_presence(); 0: none has it, or memory is gone.
 */
uint32_t jfrec_dictionary_option_presence(const struct jfrec_dictionary *d, const char *option);

/*
 * Make settings that do not have such an option record what it stands for: all settings that
 * follow it in profile.jfc of the JDK of the dictionary get the values that it gives them there.
 * Events that it switches on are added, as profile.jfc has them; so are those that follow an option
 * which only says how, such as "locking-threshold", if s has none of them.  All else stays.
 *
 * 1: done; 0: that JDK has no such option, and s is as before; -1 with *err set: JFREC_EINVAL if it
 * does not take the value, in the JDK's own sentence, JFREC_ENOMEM.
 */
int jfrec_settings_set_as_jdk(struct jfrec_settings *s, const struct jfrec_dictionary *d,
			      const char *option, const char *value, struct jfrec_error *err);

/* Something about settings that is not as it should be.  Valid during the call that tells it. */
struct jfrec_settings_finding {
	bool wrong;		     /* false: it is odd, or of no use, but does what it says */
	unsigned line, column;	     /* in the file; 0: none */
	const char *event, *setting; /* that it is about; or NULL */
	const char *option;	     /* or the control; or NULL */
	const char *text;	     /* what it is, one sentence */
	const char *remedy;	     /* how to fix it, or its effect; or NULL */
};

typedef void jfrec_settings_finding_fn(void *ctx, const struct jfrec_settings_finding *finding);

/*
 * Look for what a JVM would ignore or misunderstand: unknown events and settings, values out
 * of range, units missing, contradictions, references to nothing.
 *
 * jdk: the version of the JVM that they are for (see jfrec_dictionary_new()); 0: any.  Findings
 * are reported in order of lines.  0, or -1 with *err set (JFREC_ENOMEM).
 */
int jfrec_settings_check(struct jfrec_settings *s, int jdk, jfrec_settings_finding_fn *fn,
			 void *ctx, struct jfrec_error *err);

JFREC_END_DECLS

#endif
