/* SPDX-License-Identifier: MIT */
/*
 * jvm_settings.c - adapt settings to the version and the collector of a JVM
 *
 * A .jfc file is carried as it is.  Profiles and YAML, which no JVM reads, become .jfc files
 * that have only what the JDK of that JVM knows.  What is --set is then set in them here, which
 * works for every JDK; a JVM can do that itself from JDK 17 on.
 */
#include "jvm/jvm_settings.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/grown_text.h"
#include "base/report.h"
#include "base/typo.h"
#include "jvm/ignored_settings.h"
#include "jvm/named_classes.h"
#include "jvm/stalls.h"
#include "opts/dictionary.h"

/* From here on a JVM takes EVENT#SETTING=VALUE and options of settings files. */
#define JDK_THAT_SETS 17

/* The profile that is for what a collector may not bear, and such an option of JFR.start. */
static const char of_leaks[] = "memory-leak", to_roots[] = "path-to-gc-roots";

struct work {
	struct jfrec_session *session;
	const struct jfrec_jvm *jvm;
	bool trace; /* say what is left out */
	struct jfrec_dictionary *d;
	int jdk;
	struct jvm_settings *c;
	const struct jfr_opts *a;
	bool taken[JFR_OPTS_MAX]; /* the option is in a file now */
	const char *at;		  /* the key that is being set; NULL: none */
};

/* Are they settings of an event?  Other options that are not the JVM's are the file's. */
static bool is_of_event(const struct jfrec_jfr_option *o)
{
	return strchr(o->key, '#') != NULL;
}

static bool has_sets(const struct jfr_opts *a)
{
	for (size_t i = 0; i < a->count; i++) {
		if (a->is_set[i])
			return true;
	}
	return false;
}

static bool is_made(const struct work *w, const struct jfr_opts_file *f)
{
	return f->is_model || (w->jdk < JDK_THAT_SETS && has_sets(w->a));
}

/* Fitting -------------------------------------------------------------------------------------- */

static void note_left_out(struct work *w, const char *event, const char *setting,
			  const char *reason)
{
	char name[256];

	snprintf(name, sizeof(name), "%s%s%s", event, setting ? "#" : "", setting ? setting : "");
	json_array_append_new(w->c->left_out,
			      json_pack("{s:o, s:s}", "name", text_json(name), "reason", reason));
}

static void say_left_out(void *ctx, const char *event, const char *setting)
{
	struct work *w = ctx;

	note_left_out(w, event, setting, "JDK");
	if (w->trace)
		fprintf(stderr, "jfrec: %d: left out, since JDK %d does not have it: %s%s%s\n",
			w->jvm->pid, w->jdk, event, setting ? "#" : "", setting ? setting : "");
}

static bool is_set(const struct jfr_opts *a, const char *key)
{
	for (size_t i = 0; i < a->count; i++) {
		if (a->is_set[i] &&
		    strcmp(a->options[i].key + (a->options[i].key[0] == '+'), key) == 0)
			return true;
	}
	return false;
}

/*
 * An event that the user names is recorded. Of a profile it is left out; with --trace, and where
 * the profile or an option is about what keeps objects alive, a message says how to record it.
 */
static int leave_out_stalls(struct work *w, const struct jfr_opts_file *f,
			    struct jfrec_settings *s, struct jfrec_error *err)
{
	int left_out;

	if (!f->is_profile || is_set(w->a, STALLS_SETTING))
		return 0;
	left_out = stalls_leave_out(w->session, w->jdk, s, err);
	if (left_out <= 0)
		return left_out;
	note_left_out(w, STALLS_EVENT, NULL, STALLS_REASON);
	if (w->trace || strcmp(f->name, of_leaks) == 0 || jfr_opts_get(w->a, to_roots))
		fprintf(stderr,
			"jfrec: process %d: left out, since it makes allocations stall with " STALLS_REASON
			": " STALLS_EVENT "; --set " STALLS_SETTING "=true records it\n",
			w->jvm->pid);
	return 0;
}

/* "+jdk.FileRead#threshold" is there already, for all that it can do. */
static bool has_setting(const struct jfrec_settings *s, const char *key)
{
	const char *sign = strchr(key, '#');
	char event[256];

	if (*key == '+')
		return true;
	snprintf(event, sizeof(event), "%.*s", (int)(sign - key), key);
	return jfrec_settings_value(s, event, sign + 1) != NULL;
}

static bool has_option(struct jfrec_settings *s, const char *name)
{
	if (jfrec_settings_list(s, NULL) < 0)
		return false;
	for (size_t i = 0; i < jfrec_settings_option_count(s); i++) {
		if (strcmp(jfrec_settings_option_get(s, i)->name, name) == 0)
			return true;
	}
	return false;
}

static int fail(struct jfrec_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int fail(struct jfrec_error *err, const char *format, ...)
{
	va_list args;

	err->code = JFREC_EINVAL;
	va_start(args, format);
	vsnprintf(err->text, sizeof(err->text), format, args);
	va_end(args);
	return -1;
}

/* Of a JDK whose events that follow the option are not there. */
static int fail_without(const struct work *w, const char *name, struct jfrec_error *err)
{
	uint32_t presence = jfrec_dictionary_option_presence(w->d, name);
	char range[JDK_RANGE_MAX];

	if (presence)
		return fail(err, "this is JDK %d, which has no option %s; %s ha%s it", w->jdk, name,
			    jdk_range(w->d, presence, range), presence & (presence - 1) ? "ve" : "s");
	return fail(err, "this is JDK %d, which has none of the events that follow the option %s",
		    w->jdk, name);
}

static bool has_changed(struct jfrec_settings *s)
{
	if (jfrec_settings_list(s, NULL) < 0)
		return false;
	for (size_t i = 0; i < jfrec_settings_count(s); i++) {
		if (jfrec_settings_get(s, i)->changed)
			return true;
	}
	return false;
}

/* An option that the file has.  What is fitted to a JDK may have lost all that follows it. */
static int set_own(const struct work *w, const struct jfr_opts_file *f, struct jfrec_settings *s,
		   const struct jfrec_jfr_option *o, struct jfrec_error *err)
{
	jfrec_settings_forget_changes(s);
	if (jfrec_settings_set(s, o->key, o->value, err) < 0)
		return -1;
	return f->is_model && !has_changed(s) ? fail_without(w, o->key, err) : 1;
}

/* Does one of the files have the option?  Then that is meant. */
static bool is_of_a_file(const struct work *w, const char *name)
{
	bool found = false;

	for (size_t i = 0; i < w->a->file_count && !found; i++) {
		const struct jfr_opts_file *f = &w->a->files[i];
		struct jfrec_settings *s = jfrec_settings_parse(f->text, f->len, NULL);

		found = s && has_option(s, name);
		jfrec_settings_free(s);
	}
	return found;
}

/* One that a profile does not have means what it means in the JDK's own. */
static int set_as_jdk(const struct work *w, struct jfrec_settings *s,
		      const struct jfrec_jfr_option *o, struct jfrec_error *err)
{
	int ret;

	if (is_of_a_file(w, o->key))
		return 0;
	ret = jfrec_settings_set_as_jdk(s, w->d, o->key, o->value, err);
	return ret == 0 && jfrec_dictionary_option_presence(w->d, o->key)
		       ? fail_without(w, o->key, err)
		       : ret;
}

static int set_option(const struct work *w, const struct jfr_opts_file *f, struct jfrec_settings *s,
		      const struct jfrec_jfr_option *o, struct jfrec_error *err)
{
	if (has_option(s, o->key))
		return set_own(w, f, s, o, err);
	return f->is_model ? set_as_jdk(w, s, o, err) : 0;
}

/* 1: it is in the file now; 0: it is not for this file; -1: *err is set. */
static int set_one(const struct work *w, const struct jfr_opts_file *f, struct jfrec_settings *s,
		   const struct jfrec_jfr_option *o, struct jfrec_error *err)
{
	if (is_of_event(o) && !has_setting(s, o->key))
		return 0;
	if (!is_of_event(o))
		return set_option(w, f, s, o, err);
	return jfrec_settings_set(s, o->key, o->value, err) < 0 ? -1 : 1;
}

static int set_all(struct work *w, const struct jfr_opts_file *f, struct jfrec_settings *s,
		   struct jfrec_error *err)
{
	for (size_t i = 0; i < w->a->count; i++) {
		const struct jfrec_jfr_option *o = &w->a->options[i];
		int ret = !w->a->is_set[i] || jfrec_jfr_option_known(JFREC_JFR_START, o->key)
				  ? 0
				  : set_one(w, f, s, o, err);

		w->at = ret < 0 ? o->key : NULL;
		if (ret < 0)
			return -1;
		w->taken[i] |= ret > 0;
	}
	return 0;
}

/* Making --------------------------------------------------------------------------------------- */

/*
 * Only the values that follow from its options: of a JVM that reads several files, no two may have
 * an option of the same name (JDK 25: "Control with 'method-timing' is declared in multiple files").
 */
static struct jfrec_settings *without_options(struct jfrec_settings *s, struct jfrec_error *err)
{
	struct jfrec_settings *flat = jfrec_settings_new(err);
	int ret = flat ? jfrec_settings_list(s, err) : -1;

	for (size_t i = 0; ret == 0 && i < jfrec_settings_count(s); i++) {
		const struct jfrec_setting *at = jfrec_settings_get(s, i);

		ret = jfrec_settings_put(flat, at->event, at->name, at->value, err);
	}
	if (ret == 0)
		return flat;
	jfrec_settings_free(flat);
	return NULL;
}

static int write_file(struct jfrec_settings *s, bool is_model, struct grown_text *t,
		      struct jfrec_error *err)
{
	struct jfrec_settings *flat = is_model ? without_options(s, err) : NULL;
	int ret = -1;

	if (flat || !is_model)
		ret = jfrec_settings_write(flat ? flat : s, JFREC_SETTINGS_JFC, grown_text_append,
					   t, err);
	jfrec_settings_free(flat);
	return ret;
}

static int make_file(struct work *w, size_t i, struct jfrec_error *err)
{
	const struct jfr_opts_file *f = &w->a->files[i];
	struct jfrec_settings *s = jfrec_settings_parse(f->text, f->len, err);
	struct grown_text t = { 0 };
	int ret = -1;

	if (s && (!f->is_model || jfrec_settings_fit(s, w->d, say_left_out, w, err) == 0) &&
	    leave_out_stalls(w, f, s, err) == 0 && set_all(w, f, s, err) == 0)
		ret = write_file(s, f->is_model, &t, err);
	w->c->made[i] = t.bytes;
	w->c->files[i] = (struct jfrec_jfr_settings){ t.bytes, t.len };
	jfrec_settings_free(s);
	return ret;
}

static int fail_file(const struct work *w, const char *name, const struct jfrec_error *err)
{
	fprintf(stderr, "jfrec: process %d: the settings %s: ", w->jvm->pid, name);
	if (w->at)
		fprintf(stderr, "%s: ", w->at);
	fprintf(stderr, "%s\n", err->text);
	return exit_of(err->code);
}

static void offer_options(struct typo *t, struct jfrec_settings *s)
{
	if (!s || jfrec_settings_list(s, NULL) < 0)
		return;
	for (size_t i = 0; i < jfrec_settings_option_count(s); i++)
		typo_offer(t, jfrec_settings_option_get(s, i)->name);
}

static void say_no_option(const struct work *w, const char *name)
{
	const struct jfr_opts_file *f = &w->a->files[0];
	struct jfrec_settings *own = jfrec_settings_parse(f->text, f->len, NULL);
	struct jfrec_settings *of_jdk = f->is_model ? jfrec_dictionary_options(w->d, NULL) : NULL;
	struct typo t = { .word = name };

	offer_options(&t, own);
	offer_options(&t, of_jdk);
	fprintf(stderr, "the settings have no option %s; ", name);
	if (t.meant)
		fprintf(stderr, "did you mean %s?\n", t.meant);
	else
		fprintf(stderr, "`jfrec settings explain %s` lists its options\n", f->name);
	jfrec_settings_free(own);
	jfrec_settings_free(of_jdk);
}

static int say_missing(const struct work *w, const struct jfrec_jfr_option *o)
{
	char event[256];

	fprintf(stderr, "jfrec: process %d: ", w->jvm->pid);
	snprintf(event, sizeof(event), "%.*s", (int)strcspn(o->key, "#"), o->key);
	if (!is_of_event(o) && jfrec_dictionary_option_presence(w->d, o->key))
		fprintf(stderr,
			"%s has no option %s, which is one of the JDK's own settings: use "
			"--settings default, or profile.jfc\n",
			w->a->files[0].name, o->key);
	else if (!is_of_event(o))
		say_no_option(w, o->key);
	else if (jfrec_dictionary_presence(w->d, event, JFREC_PART_TYPE, NULL) &&
		 !jfrec_dictionary_event(w->d, event))
		fprintf(stderr, "JDK %d has no event %s\n", w->jdk, event);
	else
		fprintf(stderr, "the settings have no %s; write + before the event to add it\n",
			o->key);
	return EXIT_USAGE;
}

/* What is in no file is an option of the JVM, or a setting in what it reads itself, or nothing. */
static int pass_on(struct work *w, const struct jfrec_jfr_option *o, bool reads_itself)
{
	if (!reads_itself && !jfrec_jfr_option_known(JFREC_JFR_START, o->key))
		return say_missing(w, o);
	w->c->options[w->c->count++] = *o;
	return EXIT_DONE;
}

/* The JDK's settings beside our files follow the same option. */
static bool is_for_both(const struct work *w, const struct jfrec_jfr_option *o)
{
	const char *name = jfr_opts_get(w->a, "settings");

	return name && strcmp(name, "none") != 0 && !is_of_event(o) &&
	       jfrec_dictionary_option_presence(w->d, o->key) && !is_of_a_file(w, o->key);
}

static int make(struct work *w)
{
	/* Without any settings it reads those of its JDK. */
	bool reads_itself = w->a->file_count == 0 || jfr_opts_get(w->a, "settings");
	int status = EXIT_DONE;

	for (size_t i = 0; i < w->a->file_count; i++) {
		struct jfrec_error err;

		if (!is_made(w, &w->a->files[i]))
			reads_itself = true;
		else if (make_file(w, i, &err) < 0)
			return fail_file(w, w->a->files[i].name, &err);
	}
	w->c->count = 0;
	for (size_t i = 0; i < w->a->count && status == EXIT_DONE; i++) {
		if (!w->taken[i] || is_for_both(w, &w->a->options[i]))
			status = pass_on(w, &w->a->options[i], reads_itself);
	}
	return status;
}

/* Is there anything to make, or could there be? */
static bool is_needed(const struct jfr_opts *a)
{
	for (size_t i = 0; i < a->file_count; i++) {
		if (a->files[i].is_model || has_sets(a))
			return true;
	}
	return ignored_settings_has_events(a) && !a->unchecked;
}

static int prepare(struct jfrec_session *session, const struct jfrec_jvm *jvm, bool trace,
		   const struct jfr_opts *a, struct jvm_settings *c)
{
	struct work w = { .session = session, .jvm = jvm, .trace = trace, .a = a, .c = c };
	struct jfrec_jvm_version *version;
	struct jfrec_error err;
	int status;

	*c = (struct jvm_settings){ .count = a->count, .file_count = a->file_count, .args = a };
	memcpy(c->options, a->options, a->count * sizeof(*a->options));
	for (size_t i = 0; i < a->file_count; i++)
		c->files[i] = (struct jfrec_jfr_settings){ a->files[i].text, a->files[i].len };
	if (!is_needed(a))
		return EXIT_DONE;
	c->left_out = json_array();
	version = jfrec_session_version(session, &err);
	if (!version)
		return report_jvm_failure(jvm->pid, &err);
	w.jdk = version->jdk;
	jfrec_free(version);
	w.d = jfrec_dictionary_new(w.jdk, &err);
	if (!w.d)
		return report_jvm_failure(jvm->pid, &err);
	status = ignored_settings_check_for(a, w.d, jvm->pid);
	if (status == EXIT_DONE)
		status = make(&w);
	jfrec_dictionary_free(w.d);
	return status;
}

int jvm_settings_prepare(struct jfrec_session *session, const struct jfrec_jvm *jvm, bool trace,
			 const struct jfr_opts *a, struct jvm_settings *c)
{
	int status = prepare(session, jvm, trace, a, c);

	if (status == EXIT_DONE && !a->unchecked)
		named_classes_say(session, jvm, a);
	return status;
}

void jvm_settings_fini(struct jvm_settings *c)
{
	for (size_t i = 0; i < c->file_count; i++)
		free(c->made[i]);
	json_decref(c->left_out);
	*c = (struct jvm_settings){ 0 };
}
