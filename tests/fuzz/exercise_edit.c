/* SPDX-License-Identifier: MIT */
/*
 * exercise_edit.c - write recordings again: repair, filter, merge, scrub
 */
#include "exercise_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/config_values.h"

/* Written again ----------------------------------------------------------------------------------- */

/* In memory, where that is a file system: each recording is brought to the disk. */
static const char *written_path(void)
{
	static char path[64];

	if (!path[0])
		snprintf(path, sizeof(path), "%s/jfrec-exercise-%d.jfr",
			 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
	return path;
}

static size_t print_reader(struct jfrec_reader *r, bool compare)
{
	static const struct jfrec_print_options options = { .struct_size = sizeof(options),
							    .format = JFREC_NDJSON,
							    .order = JFREC_BY_FILE };
	struct output o = empty_output(compare);

	if (r)
		jfrec_print(r, &options, write_output, &o, NULL);
	jfrec_reader_close(r);
	return o.len;
}

/* A chunk without events is left out, and its clock with it. */
static bool is_complete(const struct jfrec_repaired *repair)
{
	for (size_t i = 0; i < jfrec_repaired_chunk_count(repair); i++) {
		if (jfrec_repaired_chunk_get(repair, i)->fate == JFREC_LOST)
			return false;
	}
	return true;
}

static void note_borrowed(void *ctx, const struct jfrec_problem *p)
{
	*(bool *)ctx |= strstr(p->text, "the metadata of its neighbour") != NULL;
}

/* A chunk whose types stay damaged may be read by those of a neighbour that is whole only now. */
static bool borrows_types(const char *path)
{
	struct jfrec_reader *r = open_with(NULL, path);
	const struct jfrec_event *ev;
	bool ret = false;

	jfrec_reader_on_problem(r, note_borrowed, &ret);
	while (jfrec_reader_next(r, &ev, NULL) > 0)
		;
	jfrec_reader_close(r);
	return ret;
}

static void compare_written(const struct jfrec_repaired *repair)
{
	struct jfrec_reader *written = open_with(NULL, written_path());
	size_t len;

	insist(written, "what was written is a recording");
	if (!is_complete(repair) || borrows_types(written_path())) {
		jfrec_reader_close(written);
		return;
	}
	len = print_reader(open_with(&rescuing, exercise_path()), false);
	insist(print_reader(written, true) == len, "what was written has the same events");
}

void exercise_repair(void)
{
	struct jfrec_reader *r = open_with(&rescuing, exercise_path());
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_repaired *repair;

	insist(o, "there is room for a file");
	repair = r ? jfrec_write_repaired(r, o, &err) : NULL;
	jfrec_reader_close(r);
	if (repair)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	else
		insist(!r || err.text[0], "a failure says why");
	jfrec_output_close(o);
	if (repair) {
		compare_written(repair);
		unlink(written_path());
	}
	jfrec_repaired_free(repair);
}

/* Some events of the recording, whatever they are. */
static struct jfrec_reader *open_some(const char *path)
{
	struct jfrec_reader *r = open_with(NULL, path);

	if (r) {
		jfrec_reader_filter(r, JFREC_FILTER_EVENTS, true, "*a*,jdk.S*", NULL);
		jfrec_reader_filter(r, JFREC_FILTER_THREADS, true, "*1*", NULL);
		jfrec_reader_where(r, "startTime is not null and not category = 'GC'", NULL);
	}
	return r;
}

void exercise_filter(void)
{
	struct jfrec_reader *r = open_some(exercise_path());
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_filtered *f;
	bool is_damaged;
	bool with_context = exercise_len() % 2; /* then there are more events than were chosen */
	size_t len;

	insist(o, "there is room for a file");
	if (r && with_context)
		jfrec_reader_keep_context(r);
	f = r ? jfrec_write_filtered(r, NULL, NULL, o, &err) : NULL;
	is_damaged = !r || jfrec_reader_damage(r);
	jfrec_reader_close(r);
	insist(f || !r || err.text[0], "a failure says why");
	if (f)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	jfrec_output_close(o);
	if (f && !is_damaged && !with_context) {
		len = print_reader(open_some(exercise_path()), false);
		r = open_with(NULL, written_path());
		insist(r, "what was written is a recording");
		insist(print_reader(r, true) == len, "what was written has the events chosen");
	}
	unlink(written_path());
	jfrec_filtered_free(f);
}

/* Closes the reader. */
static uint64_t count_events(struct jfrec_reader *r, bool *is_damaged)
{
	const struct jfrec_event *ev;
	uint64_t n = 0;

	while (r && jfrec_reader_next(r, &ev, NULL) > 0)
		n++;
	*is_damaged = !r || jfrec_reader_damage(r);
	jfrec_reader_close(r);
	return n;
}

/*
 * Compared by number: chunks come in another order, and keys are others.  Where a damaged
 * chunk gets a new neighbour it may be read with that one's types.
 */
static void compare_merged(const struct jfrec_merged *merge)
{
	struct jfrec_reader *written = open_with(NULL, written_path());
	bool was_damaged, is_damaged;
	uint64_t before, after;

	insist(written, "what was merged is a recording");
	before = count_events(open_reader(), &was_damaged);
	after = count_events(written, &is_damaged);
	if (merge->duplicates == 0 && !was_damaged)
		insist(after == before, "what was merged has as many events");
}

static void merge_as(bool compact)
{
	const struct jfrec_merge_options options = { .struct_size = sizeof(options),
						     .compact = compact };
	struct jfrec_reader *r = open_reader();
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_merged *merge;
	bool done;

	insist(o, "there is room for a file");
	merge = r ? jfrec_write_merged(r, &options, o, &err) : NULL;
	done = merge != NULL;
	insist(done || !r || err.text[0], "a failure says why");
	if (done)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	jfrec_reader_close(r);
	jfrec_output_close(o);
	if (done) {
		compare_merged(merge);
		unlink(written_path());
	}
	jfrec_merged_free(merge);
}

void exercise_merge(void)
{
	merge_as(true);
	merge_as(false);
}

/* Scrubbed ---------------------------------------------------------------------------------------- */

void exercise_rules(void)
{
	struct jfrec_error err = { 0 };
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(&err);

	insist(rules, "there is memory for rules");
	if (jfrec_scrub_rules_load(rules, exercise_path(), &err) < 0)
		insist(err.code != JFREC_OK && err.text[0], "a failure says why");
	jfrec_scrub_rules_free(rules);
}

void exercise_config(void)
{
	struct jfrec_error err = { 0 };
	struct config_values *c = config_values_new(&err);
	int ret;

	insist(c, "there is memory for a configuration");
	ret = config_values_read(c, exercise_path(), &err);
	insist(ret == 0 || (err.code != JFREC_OK && err.text[0]), "a failure says why");
	for (enum config_key i = 0; i < CONFIG_COUNT; i++) {
		const struct config_value *v = config_values_get(c, i);

		/* An empty list is a value, too. */
		insist(v->key && (!v->count || v->path) && !v->line == !v->path,
		       "a value has a place");
		insist(ret == 0 || !v->path, "nothing is taken of a file that is refused");
		for (size_t k = 0; k < v->count; k++)
			insist(*v->texts[k], "a text is not empty");
	}
	config_values_free(c);
}

/* Made once: compiling them takes longer than using them. */
static const struct jfrec_scrub_rules *all_rules(void)
{
	static struct jfrec_scrub_rules *rules;

	if (rules)
		return rules;
	rules = jfrec_scrub_rules_new(NULL);
	insist(rules && jfrec_scrub_rules_add(rules, "paths", NULL) == 0 &&
		       jfrec_scrub_rules_add(rules, "hosts", NULL) == 0 &&
		       jfrec_scrub_rules_add(rules, "default", NULL) == 0 &&
		       jfrec_scrub_rules_salt(rules, "salt", NULL) == 0,
	       "there are rules");
	return rules;
}

void exercise_scrub(void)
{
	struct jfrec_reader *r = open_reader();
	struct jfrec_error err = { 0 };
	struct jfrec_output *o = jfrec_output_open(written_path(), true, JFREC_PLAIN, &err);
	struct jfrec_scrubbed *s;
	bool is_damaged;

	insist(o, "there is room for a file");
	s = r ? jfrec_write_scrubbed(r, all_rules(), NULL, NULL, o, &err) : NULL;
	is_damaged = !r || jfrec_reader_damage(r);
	jfrec_reader_close(r);
	insist(s || !r || err.text[0], "a failure says why");
	if (s)
		insist(jfrec_output_commit(o, NULL) == 0, "the file gets its name");
	jfrec_output_close(o);
	if (s && !is_damaged) {
		r = open_with(NULL, written_path());
		insist(r, "what was scrubbed is a recording");
		insist(count_events(r, &is_damaged) == count_events(open_reader(), &is_damaged),
		       "what was scrubbed has as many events");
	}
	unlink(written_path());
	jfrec_scrubbed_free(s);
}
