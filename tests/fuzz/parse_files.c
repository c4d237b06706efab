/* SPDX-License-Identifier: MIT */
/* parse_files.c - files that become recordings of 2.1: old, sent as text, in an archive */
#include "parse_parts.h"

#include <sys/mman.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/lost_returns.h"
#include "format/mangled.h"
#include "format/v0_chunk.h"
#include "input/archive.h"
#include "jfrec-tool.h"

/* The only chunk of a recording, of which all that its types declare can be decoded. */
static void insist_whole(const struct buffer *made)
{
	struct recording_place place = { .path = "made", .fd = -1, .has_memory = true,
					 .memory = made->data, .memory_len = made->len };
	struct extent x = { 0 };
	struct chunk_walk walk;
	struct recording r;
	struct jfrec_type *type;
	struct raw_event e;
	struct chunk *c;

	insist(recording_open_place(&r, &place, NULL) == 0, "it can be opened");
	insist(recording_next(&r, &x, NULL) == 1 && x.size == made->len, "it is one chunk");
	insist(chunk_load(&r, &x, &c, NULL) == 1, "its types can be read");
	walk = chunk_walk(c);
	while (chunk_walk_next(&walk, &e, &type)) {
		uint64_t *slots = calloc((size_t)plan_of(type)->step_count + 1, sizeof(*slots));

		insist(slots != NULL, "there is memory");
		insist(plan_of(type)->fault || chunk_decode(c, type, &e, slots),
		       "each event's values match its size");
		free(slots);
	}
	chunk_tell_end(c);
	insist(!c->undeclared.count, "each event's type is declared");
	chunk_unref(c);
	recording_close(&r);
}

void parse_old(const uint8_t *bytes, size_t len)
{
	struct v0_metadata none = { 0 };
	struct v0_series series = { .lent = &none };
	struct problems problems = { 0 };
	struct buffer made = { 0 };
	uint8_t *copy;

	if (len < V0_HEADER_SIZE)
		return;
	copy = copy_of(bytes, len, 0);
	insist(v0_translate(copy, len, 0, &series, &problems, &made) == 0, "there is memory");
	if (made.len)
		insist_whole(&made);
	free(copy);
	free(series.last.bytes);
	buffer_fini(&made);
}

void parse_mangled(const uint8_t *bytes, size_t len)
{
	struct problems problems = { 0 };
	struct returned told;
	struct buffer made = { 0 };
	enum mangling how;
	struct input in;
	uint8_t *copy;

	if (len < CHUNK_HEADER_SIZE)
		return;
	copy = copy_of(bytes, len, 0);
	insist(returns_put_back(copy, len, &made, &told) == 0, "there is memory");
	insist(made.len == len + told.count, "nothing is lost, and what is put back is counted");
	insist(told.count == 0 || made.len == be64(copy + 8), "its size fits then");
	insist(told.unsure <= told.count, "no more are in doubt than are put back");
	buffer_fini(&made);
	if (input_open_memory(&in, copy, len, NULL) == 0) {
		how = mangled_how(&in);
		insist(mangled_undo(&in, how, &problems, NULL) == 0, "there is memory");
		for (uint64_t at = 0, got = 1; got; at += got) {
			uint8_t some[4096];
			size_t n;

			got = input_read(&in, at, some, sizeof(some), &n, NULL) < 0 ? 0 : n;
		}
		input_close(&in);
	}
	free(copy);
}

#define MOST_OF_A_FILE (256u << 10)

static int read_file(void *ctx, const struct archive_file *file, struct jfrec_error *err)
{
	uint8_t *step = malloc(4096);
	struct input in;
	size_t got = 1;

	(void)ctx, (void)err;
	touch(file->name);
	insist(step != NULL && file->head_len <= ARCHIVE_HEAD, "there is memory");
	if (member_open(&in, &file->member, NULL, NULL) == 0) {
		for (uint64_t at = 0; got && at < MOST_OF_A_FILE; at += got) {
			input_forget(&in, at);
			if (input_read(&in, at, step, 4096, &got, NULL) < 0)
				break;
			sink += got ? step[got - 1] : 0;
		}
		input_close(&in);
	}
	free(step);
	return 0;
}

static void list_files(int fd)
{
	struct archive_notes notes = { 0 };
	struct input in;

	if (input_open_fd(&in, fd, NULL, NULL) < 0)
		return;
	if (archive_kind(&in))
		archive_list(&in, read_file, NULL, &notes, NULL);
	for (size_t i = 0; i < notes.count; i++)
		touch(notes.texts[i]);
	archive_notes_fini(&notes);
	input_close(&in);
}

static void tell(void *ctx, const struct jfrec_problem *problem)
{
	(void)ctx;
	touch(problem->input);
	touch(problem->text);
}

void parse_archive(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);
	uint8_t *copy = copy_of(bytes, len, 0);
	const struct jfrec_event *ev;
	struct jfrec_reader *r;

	insist(fd >= 0 && pwrite(fd, bytes, len, 0) == (ssize_t)len, "there is memory");
	list_files(fd);
	close(fd);
	r = jfrec_reader_open_memory(copy, len, NULL, NULL);
	if (r) {
		jfrec_reader_on_problem(r, tell, NULL);
		while (jfrec_reader_next(r, &ev, NULL) > 0)
			;
		touch(jfrec_reader_input(r));
	}
	jfrec_reader_close(r);
	free(copy);
}

/* Texts ---------------------------------------------------------------------------------------- */

static int count_bytes(void *ctx, const void *data, size_t len)
{
	size_t *most = ctx;

	insist(len == 0 || data != NULL, "there are bytes");
	insist(len <= *most, "redacting makes little longer");
	*most -= len;
	return 0;
}

static int count_text(void *ctx, uint64_t redacted)
{
	(void)ctx;
	sink += redacted;
	return 0;
}

void parse_reports(const uint8_t *bytes, size_t len)
{
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	uint8_t *copy = copy_of(bytes, len, 0);
	/* Each byte may be a value that the mask replaces. */
	size_t most[JFREC_TEXT_CRASH + 1];
	struct jfrec_secret_text texts[JFREC_TEXT_CRASH + 1];

	insist(rules && jfrec_scrub_rules_add(rules, "default", NULL) == 0, "there is memory");
	for (unsigned i = 0; i <= JFREC_TEXT_CRASH; i++) {
		most[i] = 100 * (len + 1);
		texts[i] = (struct jfrec_secret_text){ (enum jfrec_text_kind)i, (const char *)copy,
						       len, count_bytes, count_text, &most[i] };
	}
	insist(jfrec_scrub_texts(rules, texts, JFREC_TEXT_CRASH + 1, NULL) == 0, "there is memory");
	jfrec_scrub_rules_free(rules);
	free(copy);
}
