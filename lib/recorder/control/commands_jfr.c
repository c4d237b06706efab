/* SPDX-License-Identifier: MIT */
/*
 * commands_jfr.c - the commands of Flight Recorder: JFR.start and the others
 *
 * The texts are the JDK's, since tools know these.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/control/commands_jfr.h"
#include "recorder/control/control.h"
#include "recorder/files/paths.h"
#include "recorder/ground/amounts.h"
#include "recorder/ground/gate.h"
#include "recorder/types/profile.h"

#define USUAL_SIZE ((uint64_t)250 << 20)
#define SEE_CHECK  "\n\nUse JFR.check without options to see list of all available recordings.\n"

/* Options -------------------------------------------------------------------------------------- */

static const char *option(const struct command *c, const char *key)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->args[i].value && !strcmp(c->args[i].key, key))
			return c->args[i].value;
	return NULL;
}

/* Are all of them known, have values, and come once?  keys end with NULL. */
static bool check_options(const struct command *c, const char *const *keys, struct bytes *text)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct argument *a = &c->args[i];
		size_t k = 0;

		while (keys[k] && strcmp(keys[k], a->key))
			k++;
		if (!keys[k] || !a->value) {
			bytes_format(text, keys[k] ? "The argument '%.100s' has no value.\n"
						 : "Unknown argument '%.100s' in diagnostic command.\n",
				   a->key);
			return false;
		}
		if (option(c, a->key) != a->value) {
			bytes_format(text, "Option %s can only be specified once.\n", a->key);
			return false;
		}
	}
	return true;
}

static bool time_option(const struct command *c, const char *key, uint64_t *ns, struct bytes *text)
{
	const char *value = option(c, key);

	if (!value || amount_parse_time(value, ns))
		return true;
	bytes_format(text, "Integer parsing error nanotime value: syntax error in %s=%.100s\n", key, value);
	return false;
}

static bool size_option(const struct command *c, const char *key, uint64_t *size,
			struct bytes *text)
{
	const char *value = option(c, key);

	if (!value || amount_parse_size(value, size))
		return true;
	bytes_format(text, "Parsing error memory size value: invalid value in %s=%.100s\n", key, value);
	return false;
}

static bool boolean_option(const struct command *c, const char *key, bool *on, struct bytes *text)
{
	const char *value = option(c, key);

	if (!value)
		return true;
	*on = !strcmp(value, "true");
	if (*on || !strcmp(value, "false"))
		return true;
	bytes_format(text, "Boolean parsing error in command argument '%s'. Could not parse: %.100s.\n", key,
		   value);
	return false;
}

/* Amounts -------------------------------------------------------------------------------------- */

/* "1.2 MB"; compact: "250.0MB", as JDKs show limits. */
static void add_bytes(struct bytes *text, uint64_t size, const char *blank)
{
	static const char *const units[] = { "kB", "MB", "GB", "TB" };
	double value = (double)size / 1024;
	int unit = 0;

	if (size < 1024) {
		bytes_format(text, "%" PRIu64 "%sbytes", size, *blank ? " " : "");
		return;
	}
	for (; value >= 1024 && unit < 3; unit++)
		value /= 1024;
	bytes_format(text, "%.1f%s%s", value, blank, units[unit]);
}

static void add_time(struct bytes *text, uint64_t ns, const char *blank)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 86400000000000, "d" }, { 3600000000000, "h" }, { 60000000000, "m" },
		      { 1000000000, "s" },     { 1000000, "ms" },      { 1000, "us" }, { 1, "ns" } };
	size_t i = 0;

	while (i < 6 && (ns < units[i].ns || ns % units[i].ns))
		i++;
	bytes_format(text, "%" PRIu64 "%s%s", ns / units[i].ns, blank, units[i].name);
}

static void add_written(struct bytes *text, uint64_t size, const char *path)
{
	bytes_format(text, ", ");
	add_bytes(text, size, " ");
	bytes_format(text, " written to:\n\n%s\n", path);
}

/* JFR.start ------------------------------------------------------------------------------------ */

static const char *const start_options[] = { "name",	 "settings", "delay",	"duration",
					     "disk",	 "filename", "maxage",	"maxsize",
					     "flush-interval", "dumponexit", "path-to-gc-roots", NULL };

struct start {
	struct recording_options options;
	struct settings settings;
	char path[PATH_ROOM];
	bool dump_on_exit, has_limit;
};

/* "shop.Order#threshold=8ms", or with a + that adds what the files lack. */
static bool take_event(struct start *s, const struct argument *a, struct bytes *text)
{
	bool adds = *a->key == '+';
	const char *key = a->key + adds, *hash = strchr(key, '#');
	char event[256];

	if (!hash || (size_t)(hash - key) >= sizeof(event)) {
		bytes_format(text, "Warning! The .jfc option/setting '%.100s' doesn't exist.\n", a->key);
		return true;
	}
	snprintf(event, sizeof(event), "%.*s", (int)(hash - key), key);
	if (!setting_is_valid(hash + 1, a->value)) {
		bytes_format(text, "Incorrect value '%.100s'. Valid values are %s\n", a->value,
			   !strcmp(hash + 1, "enabled") ? "true, false" : "a number and a unit, like 10 ms");
		return false;
	}
	if (!adds && strcmp(event, "*") && !types_know(event))
		bytes_format(text, "Warning! The .jfc option/setting '%.100s' doesn't exist.\n", a->key);
	return settings_add(&s->settings, event, hash + 1, a->value) == 0;
}

static bool is_start_option(const char *key)
{
	for (size_t i = 0; start_options[i]; i++)
		if (!strcmp(start_options[i], key))
			return true;
	return false;
}

/* The files first, in their order, so that single settings win. */
static bool take_settings(struct start *s, const struct command *c, struct bytes *text)
{
	struct jfrec_recorder_error err;

	for (size_t i = 0; i < c->count; i++) {
		if (!c->args[i].value) {
			bytes_format(text, "The argument '%.100s' has no value.\n", c->args[i].key);
			return false;
		}
		if (strcmp(c->args[i].key, "settings"))
			continue;
		if (profile_read(&s->settings, c->args[i].value, &err)) {
			bytes_format(text, "%s\n", err.text);
			return false;
		}
	}
	for (size_t i = 0; i < c->count; i++)
		if (!is_start_option(c->args[i].key) && !take_event(s, &c->args[i], text))
			return false;
	return true;
}

static bool take_limits(struct start *s, const struct command *c, struct bytes *text)
{
	struct recording_options *w = &s->options;

	if (!time_option(c, "delay", &w->delay_ns, text) ||
	    !time_option(c, "duration", &w->duration_ns, text) ||
	    !time_option(c, "maxage", &w->max_age_ns, text) ||
	    !time_option(c, "flush-interval", &w->flush_ns, text) ||
	    !size_option(c, "maxsize", &w->max_size, text))
		return false;
	if ((w->duration_ns && w->duration_ns < SECOND_NS) ||
	    (w->delay_ns && w->delay_ns < SECOND_NS)) {
		bytes_format(text, "Could not start recording, %s must be at least 1 second.\n",
			   w->delay_ns && w->delay_ns < SECOND_NS ? "delay" : "duration");
		return false;
	}
	s->has_limit = w->duration_ns || w->max_age_ns || w->max_size;
	if (!s->has_limit)
		w->max_size = USUAL_SIZE;
	return true;
}

static bool take_flags(struct start *s, const struct command *c, struct bytes *text)
{
	bool on_disk = true, ignored;

	s->dump_on_exit = option(c, "filename") != NULL;
	if (!boolean_option(c, "disk", &on_disk, text) ||
	    !boolean_option(c, "dumponexit", &s->dump_on_exit, text) ||
	    !boolean_option(c, "path-to-gc-roots", &ignored, text))
		return false;
	s->options.is_left_at_exit = option(c, "dumponexit") && !s->dump_on_exit;
	if (!on_disk)
		bytes_format(text, "Could not start recording, disk=false counts for all recordings of a native program; "
				 "start it with JFREC_RECORD=disk=false.\n");
	return on_disk;
}

/* It is there from the start, as with JVMs. */
static bool take_filename(struct start *s, const struct command *c, struct bytes *text)
{
	const char *name = option(c, "filename");
	char generated[128];
	int fd;

	/* One that ends by itself has to be written somewhere, and so has one at the exit. */
	path_generate(generated, sizeof(generated), 0);
	if (!name && (s->options.duration_ns || s->dump_on_exit))
		name = generated;
	if (!name)
		return true;
	fd = path_complete(s->path, name, 0)
		     ? open(s->path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0600)
		     : -1;
	if (fd < 0) {
		bytes_format(text, "Could not start recording, not able to write to file %.500s. %s\n", name,
			   strerror(errno));
		return false;
	}
	close(fd);
	s->options.filename = s->path;
	return true;
}

static bool take_name(struct start *s, const struct command *c, struct bytes *text)
{
	const char *name = option(c, "name");

	s->options.name = name;
	if (!name || name[strspn(name, "0123456789")])
		return true;
	bytes_format(text, "Name of recording can't be numeric\n");
	return false;
}

static void tell_started(const struct start *s, uint64_t id, struct bytes *text)
{
	const struct recording_options *w = &s->options;
	char number[24];

	if (w->delay_ns) {
		bytes_format(text, "Recording %" PRIu64 " scheduled to start in ", id);
		add_time(text, w->delay_ns, " ");
		bytes_format(text, ".");
	} else {
		bytes_format(text, "Started recording %" PRIu64 ".", id);
	}
	if (!s->has_limit)
		bytes_format(text, " No limit specified, using maxsize=250MB as default.");
	if (w->filename && w->duration_ns) {
		bytes_format(text, " The result will be written to:\n\n%s\n", w->filename);
		return;
	}
	snprintf(number, sizeof(number), "%" PRIu64, id);
	bytes_format(text, "\n\nUse jcmd %d JFR.%s name=%.200s %sto copy recording data to file.\n", (int)getpid(),
		   w->duration_ns ? "stop" : "dump", w->name ? w->name : number,
		   w->filename ? "" : "filename=FILEPATH ");
}

static void start(const struct command *c, struct bytes *text)
{
	struct jfrec_recorder_error err;
	struct start s = { 0 };
	uint64_t id;

	if (take_name(&s, c, text) && take_limits(&s, c, text) && take_flags(&s, c, text) &&
	    take_settings(&s, c, text) && take_filename(&s, c, text)) {
		s.options.settings = &s.settings;
		if (control_start(&s.options, &id, &err))
			bytes_format(text, "Could not start recording, %s\n", err.text);
		else
			tell_started(&s, id, text);
	}
	settings_fini(&s.settings);
}

/* JFR.check ------------------------------------------------------------------------------------ */

static void show(const struct recording *r, bool verbose, struct bytes *text)
{
	bytes_format(text, "Recording %" PRIu64 ": name=%.500s", r->id, r->name);
	if (r->duration_ns) {
		bytes_format(text, " duration=");
		add_time(text, r->duration_ns, "");
	}
	if (r->max_size) {
		bytes_format(text, " maxsize=");
		add_bytes(text, r->max_size, "");
	}
	if (r->max_age_ns) {
		bytes_format(text, " maxage=");
		add_time(text, r->max_age_ns, "");
	}
	bytes_format(text, " (%s)\n", r->state == RECORDING_RUNNING ? "running" : "delayed");
	if (!verbose)
		return;
	types_lock();
	for (uint32_t id = TYPE_DATA_LOSS; id < types_end(); id++) {
		const struct type *t = types_get(id);

		if (!t || (id < TYPE_FIRST_OF_PROGRAM && !t->is_optional))
			continue;
		bytes_format(text, "\n %s (%s)\n [enabled=%s", t->label ? t->label : t->name, t->name,
			   t->is_enabled ? "true" : "false");
		if (t->flags & JFREC_EVENT_HAS_DURATION) {
			bytes_format(text, ",threshold=");
			add_time(text, t->threshold_ns, " ");
		}
		bytes_format(text, "]\n");
	}
	types_unlock();
}

static void tell_none(struct bytes *text)
{
	bytes_format(text, "No available recordings.\n\nUse jcmd %d JFR.start to start a recording.\n",
		   (int)getpid());
}

static void check(const struct command *c, struct bytes *text)
{
	static const char *const keys[] = { "name", "verbose", NULL };
	const char *name = option(c, "name");
	const struct recording *r;
	bool verbose = false, any = false;

	if (!check_options(c, keys, text) || !boolean_option(c, "verbose", &verbose, text))
		return;
	engine_lock();
	for (size_t i = 0; (r = recordings_at(i)); i++) {
		if (!r->id || (name && r != recordings_find(name)))
			continue;
		if (any)
			bytes_byte(text, '\n');
		show(r, verbose, text);
		any = true;
	}
	engine_unlock();
	if (!any && name)
		bytes_format(text, "Could not find %.500s." SEE_CHECK, name);
	else if (!any)
		tell_none(text);
}

/* JFR.dump ------------------------------------------------------------------------------------- */

/* 2026-11-23T00:00:00Z, the same in local time, 00:00:00 of today, or -10m. */
static bool parse_moment(const char *text, uint64_t *ns)
{
	time_t now = time(NULL), seconds;
	uint64_t before;
	struct tm tm = { 0 };
	const char *rest;

	if (*text == '-') {
		if (!amount_parse_time(text + 1, &before))
			return false;
		*ns = (uint64_t)now * SECOND_NS > before ? (uint64_t)now * SECOND_NS - before : 1;
		return true;
	}
	rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	if (!rest) {
		gate_local_time(&now, &tm);
		rest = strptime(text, "%H:%M:%S", &tm);
	}
	tm.tm_isdst = -1;
	if (!rest)
		return false;
	if (*rest == '.')
		rest += 1 + strspn(rest + 1, "0123456789");
	seconds = *rest == 'Z' ? timegm(&tm) : mktime(&tm);
	*ns = (uint64_t)seconds * SECOND_NS;
	return seconds > 0 && !rest[*rest == 'Z'];
}

static bool take_moment(const struct command *c, const char *key, uint64_t *ns, struct bytes *text)
{
	const char *value = option(c, key);

	if (!value || parse_moment(value, ns))
		return true;
	bytes_format(text, "Dump failed, not a valid %s time.\n", key);
	return false;
}

static bool take_window(struct dump_options *w, const struct command *c, struct bytes *text)
{
	uint64_t age = 0, now = (uint64_t)time(NULL) * SECOND_NS;

	if (!time_option(c, "maxage", &age, text) ||
	    !size_option(c, "maxsize", &w->chosen.max_size, text) ||
	    !take_moment(c, "begin", &w->chosen.from_ns, text) ||
	    !take_moment(c, "end", &w->chosen.to_ns, text))
		return false;
	if (age && (w->chosen.from_ns || w->chosen.to_ns)) {
		bytes_format(text, "Dump failed, maxage can't be combined with begin or end.\n");
		return false;
	}
	if (w->chosen.to_ns && w->chosen.to_ns <= w->chosen.from_ns) {
		bytes_format(text, "Dump failed, begin must precede end.\n");
		return false;
	}
	if (age)
		w->chosen.from_ns = age < now ? now - age : 0;
	return true;
}

/* The name as it was given; the recording's own if it was a number. */
static void name_of(const char *name, char *to, size_t size)
{
	const struct recording *r;

	engine_lock();
	r = recordings_find(name);
	snprintf(to, size, "%s", r ? r->name : name);
	engine_unlock();
}

static bool any_recording(void)
{
	bool any = false;
	const struct recording *r;

	engine_lock();
	for (size_t i = 0; (r = recordings_at(i)); i++)
		any |= r->id != 0;
	engine_unlock();
	return any;
}

static void tell_dumped(const struct dump_options *w, uint64_t size, struct bytes *text)
{
	char name[512];

	bytes_format(text, "Dumped recording");
	if (w->name) {
		name_of(w->name, name, sizeof(name));
		bytes_format(text, " \"%s\"", name);
	}
	add_written(text, size, w->path);
}

static void dump(const struct command *c, struct bytes *text)
{
	static const char *const keys[] = { "name",   "filename", "maxage", "maxsize",
					    "begin",  "end",	  "path-to-gc-roots", NULL };
	struct dump_options w = { .name = option(c, "name"), .in_place = true };
	const char *filename = option(c, "filename");
	struct jfrec_recorder_error err;
	char path[PATH_ROOM];
	uint64_t size = 0;

	if (!check_options(c, keys, text) || !take_window(&w, c, text))
		return;
	if (!any_recording()) {
		bytes_format(text, "No recordings to dump from. Use JFR.start to start a recording.\n");
		return;
	}
	if (!path_complete(path, filename ? filename : ".", 0)) {
		bytes_format(text, "Dump failed. Could not copy recording data. %.500s\n", filename ? filename : ".");
		return;
	}
	w.path = path;
	if (control_dump(&w, &size, &err) == 0) {
		if (size)
			tell_dumped(&w, size, text);
		else
			bytes_format(text, "Dump failed. No data found in the specified interval.\n");
	} else if (err.sys == ESRCH) {
		bytes_format(text, "%s" SEE_CHECK, err.text);
	} else {
		bytes_format(text, "Dump failed. Could not copy recording data. %s\n", err.text);
	}
}

/* JFR.stop and JFR.configure ------------------------------------------------------------------- */

static void tell_stopped(const char *name, const char *path, uint64_t size, struct bytes *text)
{
	bytes_format(text, "Stopped recording \"%s\"", name);
	if (path)
		add_written(text, size, path);
	else
		bytes_format(text, ".\n");
}

/* Where it is written without being asked to; "": nowhere. */
static void own_file(const char *name, char path[PATH_ROOM])
{
	const struct recording *r;

	engine_lock();
	r = recordings_find(name);
	snprintf(path, PATH_ROOM, "%s", r && r->filename ? r->filename : "");
	engine_unlock();
}

static void stop(const struct command *c, struct bytes *text)
{
	static const char *const keys[] = { "name", "filename", NULL };
	const char *name = option(c, "name"), *filename = option(c, "filename");
	struct jfrec_recorder_error err;
	char path[PATH_ROOM], label[512];
	uint64_t size;

	if (!check_options(c, keys, text))
		return;
	if (!name) {
		bytes_format(text, "The argument 'name' is mandatory\n");
		return;
	}
	name_of(name, label, sizeof(label));
	own_file(name, path);
	if (filename && !path_complete(path, filename, 0)) {
		bytes_format(text, "Could not write recording \"%s\" to file. %.500s\n", label, filename);
		return;
	}
	if (control_stop(name, filename ? path : NULL, &size, &err) == 0)
		tell_stopped(label, path[0] ? path : NULL, size, text);
	else if (err.sys == ESRCH)
		bytes_format(text, "Could not stop recording \"%s\". %s" SEE_CHECK, label, err.text);
	else if (err.sys == EAGAIN)
		bytes_format(text, "%s\n", err.text);
	else
		bytes_format(text, "Could not write recording \"%s\" to file. %s\n", label, err.text);
}

/* What is set when the program starts cannot be changed later. */
static void configure(const struct command *c, struct bytes *text)
{
	if (c->count)
		bytes_format(text, "Could not set %.100s; a native program sets it when it starts the "
				 "recorder.\n", c->args[0].key);
	else
		bytes_format(text, "Current configuration:\n");
	engine_lock();
	if (!c->count && engine_is_running())
		bytes_format(text, "\nRepository path: %s\n", engine_repository()->path);
	engine_unlock();
}

/* ---------------------------------------------------------------------------------------------- */

const char *const jfr_command_names[] = { "JFR.check", "JFR.configure", "JFR.dump",
					  "JFR.start", "JFR.stop",      NULL };

bool carry_out_jfr_command(const struct command *c, struct bytes *text)
{
	static void (*const answers[])(const struct command *,
				       struct bytes *) = { check, configure, dump, start, stop };

	for (size_t i = 0; jfr_command_names[i]; i++) {
		if (strcmp(jfr_command_names[i], c->name))
			continue;
		answers[i](c, text);
		return true;
	}
	return false;
}
