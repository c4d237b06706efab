/* SPDX-License-Identifier: MIT */
/*
 * calls.c - calls of tools that are under way
 */
#include "mcp/calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock_now.h"
#include "base/command.h"
#include "base/harmless.h"
#include "jfrec-tool.h"
#include "mcp/cleaning.h"
#include "mcp/reply.h"
#include "mcp/words.h"

/* A copy may take this long, whatever calls may. */
#define COPY_NS	 (60 * NS_PER_SECOND)
#define CLEAN_NS (10 * NS_PER_SECOND)

/* Recording ends after its time, and some more for the JVM to write the file. */
#define GRACE_NS       (30 * NS_PER_SECOND)
#define LONGEST_NS     (600 * NS_PER_SECOND)
#define MOST_RECORDING 2

/* So much is read of what a command prints, beyond what is left out. */
#define MOST_PRINTED (4u << 20)

static void fail(struct call *c, const char *sentence)
{
	c->result = reply_of_failure(sentence);
}

static bool records(const struct call *c)
{
	return c->tool && strcmp(c->tool->command[0], "record") == 0;
}

/* How long it is to record; 0 if `duration` is not a time. */
static int64_t duration_of(const struct call *c)
{
	const char *text = json_string_value(json_object_get(c->arguments, "duration"));
	int64_t ns;

	return text && jfrec_parse_duration(text, &ns) ? ns : 0;
}

/* Bytes that a new recording may have; 1 where the directory has become full meanwhile. */
static uint64_t room_left(const struct workshop *s)
{
	uint64_t used = rooted_size(&s->out);

	return used < s->options->max_disk ? s->options->max_disk - used : 1;
}

/* Files ---------------------------------------------------------------------------------------- */

static bool open_files(struct workshop *s, struct call *c)
{
	for (const struct tool_argument *a = c->tool->arguments; a->name; a++) {
		const char *path = json_string_value(json_object_get(c->arguments, a->name)),
			   *fault;

		if (a->place == AS_OUTPUT && (fault = rooted_check_name(&s->out, path)) != NULL) {
			fail(c, fault);
			return false;
		}
		if (a->place == AS_OUTPUT && asprintf(&c->output, "%s/%s", s->out.path, path) < 0)
			c->output = NULL;
		if (a->place != AS_FILE || !path)
			continue;
		c->files[c->file_count] = rooted_recording(&s->root, path, &fault);
		if (c->files[c->file_count] < 0) {
			fail(c, fault);
			return false;
		}
		c->file_count++;
	}
	return true;
}

/* Steps ---------------------------------------------------------------------------------------- */

static bool start(struct call *c, const struct work *work, size_t most)
{
	int failed = errand_start(&c->errand, work, most);
	char text[160];

	if (!failed)
		return true;
	snprintf(text, sizeof(text), "no process could be started: %s", strerror(failed));
	fail(c, text);
	return false;
}

/* Take away what `jfrec scrub` does; the copy appears when it is whole and verified. */
static void start_copy(struct workshop *s, struct call *c)
{
	const char *argv[] = { "jfrec", "--no-config", "scrub", "--force",   "--salt",
			       s->salt, "-o",	       c->copy, "/dev/fd/3", NULL };
	struct work work = { .argv = argv, .files = { c->files[c->file], -1 }, .time_ns = COPY_NS };

	c->stage = CALL_COPIES;
	snprintf(c->copy, sizeof(c->copy), "%s/%u.jfr", s->copies.directory,
		 (unsigned)s->copies.clock++);
	start(c, &work, MOST_PRINTED);
}

static void start_command(struct workshop *s, struct call *c)
{
	struct work work = { .files = { c->files[0], c->files[1] },
			     .time_ns = s->options->max_time_ns };
	struct words words = { 0 };

	c->stage = CALL_RUNS;
	if (records(c))
		work.time_ns = GRACE_NS + duration_of(c);
	if (c->output)
		work.file_max = room_left(s);
	if (!words_make(&words, c->tool, c->uri, c->arguments, c->output))
		fail(c, "there is no memory for its command line");
	work.argv = words.argv;
	if (!c->result)
		start(c, &work, MOST_PRINTED);
	words_fini(&words);
}

/* Before a copy is made for it. */
static bool may_look(const struct call *c)
{
	return c->tool && tool_shows_types_only(c->tool) && !c->has_looked;
}

static void start_look(struct workshop *s, struct call *c)
{
	c->has_looked = true;
	start_command(s, c);
	c->stage = CALL_LOOKS;
}

/* A copy has only what is whole. Each was made of "/dev/fd/3", whichever file of the call it is. */
static void note_damage(struct call *c, const struct grown_text *damage)
{
	static const char path[] = "/dev/fd/3";
	size_t begun = c->damage.len;

	if (!damage->len || grown_text_append(&c->damage, damage->bytes, damage->len) != 0)
		return;
	for (char *at = c->damage.bytes + begun, *end = c->damage.bytes + c->damage.len;
	     (at = memmem(at, (size_t)(end - at), path, strlen(path))) != NULL; at++)
		at[strlen(path) - 1] = (char)('3' + c->file);
}

/* Those of which there is no copy yet are copied first. */
static void start_next(struct workshop *s, struct call *c)
{
	for (; c->file < c->file_count; c->file++) {
		const struct grown_text *damage;
		int fd = fstat(c->files[c->file], &c->of) == 0
				 ? copies_find(&s->copies, &c->of, &damage)
				 : -1;

		if (fd < 0 && may_look(c)) {
			start_look(s, c);
			return;
		}
		if (fd < 0) {
			start_copy(s, c);
			return;
		}
		note_damage(c, damage);
		close(c->files[c->file]);
		c->files[c->file] = fd;
	}
	start_command(s, c);
}

static void finish_copy(struct workshop *s, struct call *c)
{
	struct answer answer = { .text = &(struct grown_text){ 0 },
				 .said = &c->errand.texts[ERRAND_SAID],
				 .document = &(struct grown_text){ 0 },
				 .status = c->errand.status,
				 .is_late = c->errand.is_late,
				 .most = s->options->max_reply,
				 .time_ns = COPY_NS };
	int fd = c->errand.is_late ? -1 : open(c->copy, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

	unlink(c->copy);
	if (fd < 0) {
		answer.status = answer.status ? answer.status : 1;
		c->result = reply_of_answer(&answer);
		return;
	}
	copies_keep(&s->copies, &c->of, fd,
		    c->errand.status == EXIT_FAILED ? &c->errand.texts[ERRAND_SAID]
						    : &(struct grown_text){ 0 });
	start_next(s, c);
}

/* Cleaning ------------------------------------------------------------------------------------- */

static bool is_live(const struct call *c)
{
	return c->tool && (c->tool->needs & NEEDS_LIVE) != 0;
}

/* All that a JVM said; of a recording what is said of its damage, since that may have names. */
static int clean(void *ctx)
{
	const struct call *c = ctx;

	return is_live(c) ? cleaning_run(c->texts, 0, ERRAND_TEXTS, c->salt)
			  : cleaning_run(c->texts, ERRAND_SAID, 1, c->salt);
}

static void take_text(struct call *c, enum errand_text i)
{
	free(c->texts[i].bytes);
	c->texts[i] = c->errand.texts[i];
	c->errand.texts[i] = (struct grown_text){ 0 };
}

static void take_texts(struct call *c)
{
	for (unsigned i = 0; i < ERRAND_TEXTS; i++)
		take_text(c, i);
}

static void start_cleaning(struct call *c)
{
	struct work work = { .run = clean, .ctx = c, .files = { -1, -1 }, .time_ns = CLEAN_NS };

	c->stage = CALL_CLEANS;
	start(c, &work, 2 * MOST_PRINTED);
}

/* Results -------------------------------------------------------------------------------------- */

/* A page of jfrec's own: its text comes from no recording, so that it needs no marks. */
static json_t *resource_result(const struct call *c)
{
	const struct grown_text *page = &c->texts[ERRAND_PRINTED];
	char *text = harmless_copy(page->bytes ? page->bytes : "", page->len);
	json_t *result = json_pack("{s:[{s:s, s:s, s:s}]}", "contents", "uri", c->uri, "mimeType",
				   "text/plain", "text", text ? text : "");

	free(text);
	return result;
}

static const char *file_of(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

static void finish(struct workshop *s, struct call *c)
{
	const struct tool_cursor at = tool_cursor(c->arguments);
	struct answer a = { .text = &c->texts[ERRAND_PRINTED],
			    .said = &c->texts[ERRAND_SAID],
			    .document = &c->texts[ERRAND_DOCUMENT],
			    .is_events = c->tool && tool_has_events(c->tool),
			    .status = c->status ? c->status : c->damage.len > 0,
			    .is_late = c->is_late,
			    .is_cut = c->is_cut,
			    .skip = at.lines,
			    .skip_items = at.items,
			    .most = s->options->max_reply,
			    .time_ns = s->options->max_time_ns };
	unsigned count = 0;

	if (c->uri) {
		c->result = resource_result(c);
		return;
	}
	for (const struct tool_argument *t = c->tool->arguments; t->name; t++) {
		if (t->place == AS_FILE && count < c->file_count)
			a.names[count++] =
				file_of(json_string_value(json_object_get(c->arguments, t->name)));
	}
	c->result = reply_of_answer(&a);
}

/* Before what the command said of the copies. */
static void put_damage_first(struct call *c)
{
	struct grown_text *said = &c->texts[ERRAND_SAID], both = { 0 };

	if (!c->damage.len)
		return;
	grown_text_append(&both, c->damage.bytes, c->damage.len);
	if (said->len)
		grown_text_append(&both, said->bytes, said->len);
	free(said->bytes);
	*said = both;
}

static void finish_command(struct workshop *s, struct call *c)
{
	struct errand *w = &c->errand;

	take_texts(c);
	c->status = w->is_full ? 0 : w->status;
	c->is_late = w->is_late;
	c->is_cut = w->is_full;
	put_damage_first(c);
	if (c->damage.len ||
	    (is_live(c) && (c->texts[ERRAND_PRINTED].len || c->texts[ERRAND_SAID].len)))
		start_cleaning(c);
	else
		finish(s, c);
}

/* Of a recording that is damaged the copy has what is whole. */
static bool has_only_types_of_jdk(const struct grown_text *document)
{
	json_t *counts = document->len ? json_loadb(document->bytes, document->len, 0, NULL) : NULL,
	       *types = json_object_get(counts, "types"), *type;
	bool so = json_is_array(types) && !json_array_size(json_object_get(counts, "damage"));
	size_t i;

	json_array_foreach(types, i, type)
	{
		const char *name = json_string_value(json_object_get(type, "name"));

		so = so && name && jfrec_scrub_keeps_type(name);
	}
	json_decref(counts);
	return so;
}

static void finish_look(struct workshop *s, struct call *c)
{
	const struct errand *w = &c->errand;

	if (!w->is_late && !w->is_full && w->status == 0 &&
	    has_only_types_of_jdk(&w->texts[ERRAND_DOCUMENT]))
		finish_command(s, c);
	else
		start_next(s, c);
}

static void finish_cleaning(struct workshop *s, struct call *c)
{
	if (c->errand.status != 0 || c->errand.is_late) {
		fail(c, "the answer could not be searched for secrets, so it is left out");
		return;
	}
	if (is_live(c))
		take_texts(c);
	else
		take_text(c, ERRAND_SAID);
	finish(s, c);
}

void call_step(struct workshop *s, struct call *c)
{
	errand_look(&c->errand);
	if (!c->errand.is_done || c->result)
		return;
	if (c->stage == CALL_LOOKS)
		finish_look(s, c);
	else if (c->stage == CALL_COPIES)
		finish_copy(s, c);
	else if (c->stage == CALL_RUNS)
		finish_command(s, c);
	else
		finish_cleaning(s, c);
}

/* Begin and end -------------------------------------------------------------------------------- */

static const char *check_recording(const struct workshop *s, const struct call *c)
{
	int64_t span = duration_of(c);

	if (c->output && rooted_size(&s->out) >= s->options->max_disk)
		return "the directory for new recordings is as full as it may be (--max-disk)";
	if (!records(c))
		return NULL;
	if (span <= 0 || span > LONGEST_NS)
		return "duration is a time of at most 10 minutes, such as 30s or 2m";
	return s->recording >= MOST_RECORDING
		       ? "two recordings are being made already; wait for one"
		       : NULL;
}

void call_begin(struct workshop *s, struct call *c)
{
	const char *fault;

	c->begun_ns = c->told_ns = monotonic_now_ns();
	c->files[0] = c->files[1] = -1;
	c->errand = (struct errand){ .pipes = ERRAND_NO_PIPES };
	if (c->tool && !open_files(s, c))
		return;
	fault = c->tool ? check_recording(s, c) : NULL;
	if (fault) {
		fail(c, fault);
		return;
	}
	c->salt = s->salt;
	c->is_recording = records(c);
	s->recording += c->is_recording;
	start_next(s, c);
}

void call_end(struct workshop *s, struct call *c)
{
	s->recording -= c->is_recording;
	for (int tries = 0; c->errand.pid && !c->errand.is_done; tries++) {
		if (tries == 0)
			errand_end(&c->errand);
		errand_look(&c->errand);
		if (!c->errand.is_done)
			usleep(10000);
	}
	errand_fini(&c->errand);
	for (unsigned i = 0; i < ERRAND_FILES; i++) {
		if (c->files[i] >= 0)
			close(c->files[i]);
	}
	if (*c->copy)
		unlink(c->copy);
	json_decref(c->id);
	json_decref(c->token);
	json_decref(c->arguments);
	json_decref(c->result);
	free(c->damage.bytes);
	free(c->uri);
	free(c->output);
	for (unsigned i = 0; i < ERRAND_TEXTS; i++)
		free(c->texts[i].bytes);
	*c = (struct call){ .files = { -1, -1 }, .errand.pipes = ERRAND_NO_PIPES };
}
