/* SPDX-License-Identifier: MIT */
/*
 * recording.c - find the chunks of a recording, one after the other
 */
#include "format/recording_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock_now.h"
#include "base/cursor.h"
#include "base/error.h"
#include "format/foreign.h"
#include "format/metadata.h"
#include "format/recording_archive.h"
#include "format/rescue.h"
#include "format/v0_input.h"
#include "format/walk.h"

#define WINDOW (256u << 10)

/* A header is rewritten in microseconds; after as many milliseconds its JVM is dead. */
#define MAX_TRIES 100

/* How far another chunk is looked for where none begins. */
#define FIRST_SEARCH (64u << 20)

/*
 * A stream in which no chunk is found for so long is not read on: it may have no end, and what was
 * passed may have to be kept.
 */
#define STREAM_SEARCH (UINT64_C(256) << 20)

/* More than this much metadata would be more than 100 times what any JVM writes. */
#define MAX_METADATA (64u << 20)

const char *recording_unsupported(const struct chunk_header *h)
{
	if (h->major == 0)
		return "is a chunk of version 0.x, which can be read in a recording only, not while a JVM "
		       "writes it";
	if (h->major > 2)
		return "is a recording of a version newer than 2.x; a newer jfrec is needed";
	if (!(h->flags & CHUNK_COMPRESSED_INTS))
		return "is a recording with uncompressed integers, a debugging mode that cannot be read";
	return NULL;
}

static int fail_foreign(struct recording *r, struct jfrec_error *err)
{
	uint8_t head[FOREIGN_HEAD];
	const char *words = NULL;
	size_t got;

	if (input_read(&r->in, 0, head, sizeof(head), &got, NULL) == 0)
		words = foreign_words(head, got);
	if (words)
		return jfrec_fail(err, JFREC_EFORMAT, 0, "%s", words);
	return jfrec_fail(err, JFREC_EFORMAT, 0,
			  "is not a recording: it does not begin with \"FLR\" and a zero byte; if it was "
			  "one that is damaged, jfrec repair may recover it");
}

/* Why the input cannot be read from its first header on. 0, or -1 with *err set. */
static int check_header(struct recording *r, struct jfrec_error *err)
{
	uint8_t bytes[CHUNK_HEADER_SIZE] = { 0 };
	struct chunk_header h;
	const char *why;
	size_t got;

	if (input_read(&r->in, 0, bytes, sizeof(bytes), &got, err) < 0)
		return -1;
	if (got == 0 && r->in.once)
		return jfrec_fail(err, JFREC_EINVAL, 0, "is a pipe without a writer");
	if (got == 0 && r->in.fault.code)
		return jfrec_fail(err, JFREC_EFORMAT, 0, "cannot be read: %s", r->in.fault.text);
	if (got == 0)
		return jfrec_fail(err, JFREC_EFORMAT, 0, "is empty");
	if (got < 4 || !chunk_header_is_magic(bytes))
		return fail_foreign(r, err);
	h = chunk_header_parse(bytes);
	if (got < sizeof(bytes))
		return jfrec_fail(
			err, JFREC_EFORMAT, 0,
			"is truncated after %zu bytes, within the %u bytes of its first "
			"header", got,
			CHUNK_HEADER_SIZE);
	why = recording_unsupported(&h);
	return why ? jfrec_fail(err, JFREC_EUNSUPPORTED, 0, "%s", why) : 0;
}

static int find_chunk(struct recording *r, uint64_t from, uint64_t to, bool forget, uint64_t *found,
		      struct jfrec_error *err);

/*
 * A file whose first header is damaged may have others, or a copy of it.  What is not a recording
 * at all is not searched for long, and a pipe not at all.
 */
int recording_check_first(struct recording *r, struct jfrec_error *err)
{
	uint64_t found;

	int got;

	if (check_header(r, err) == 0)
		return 0;
	if (archive_kind(&r->in))
		return 1;
	got = r->in.stream ? -1 : find_chunk(r, 1, FIRST_SEARCH, false, &found, NULL);
	return got > 0 || (got == 0 && rescue_has_copy(r, found)) ? 0 : -1;
}

struct clock recording_clock(struct recording *r, const struct chunk_header *h)
{
	if (!r->has_clock) {
		r->has_clock = true;
		r->clock = clock_of(h);
	}
	return clock_agrees(&r->clock, h) ? r->clock : clock_of(h);
}

/*
 * The metadata event at this offset, read on its own; NULL if there is none, or too much was tried.
 */
static struct metadata *metadata_at(struct recording *r, uint64_t offset)
{
	uint8_t start[2 * VARINT_MAX];
	struct metadata *m = NULL;
	uint64_t have, size;
	struct span span;
	struct cursor c;
	size_t got;

	if (input_read(&r->in, offset, start, sizeof(start), &got, NULL) < 0)
		return NULL;
	c = cursor_over(start, got);
	size = cursor_varint(&c);
	if (cursor_varint(&c) != TYPE_METADATA || c.bad || size > MAX_METADATA ||
	    input_available(&r->in, offset, size, &have, NULL) < 0 || have < size ||
	    r->tried > MAX_METADATA + 4 * (offset + size))
		return NULL;
	r->tried += size;
	if (input_span(&r->in, offset, size, false, &span, NULL) < 0)
		return NULL;
	m = metadata_parse(span.bytes, span.len, r->metadata, NULL);
	span_fini(&span);
	return m;
}

/* The metadata of the chunk at this offset, if its header says that it is `metadata` bytes on. */
static struct metadata *metadata_of(struct recording *r, uint64_t chunk, uint64_t metadata)
{
	return metadata >= CHUNK_HEADER_SIZE && metadata <= INT64_MAX - chunk
		       ? metadata_at(r, chunk + metadata)
		       : NULL;
}

struct metadata *recording_metadata(struct recording *r, const struct extent *x)
{
	return x->header.size >= CHUNK_HEADER_SIZE && x->header.metadata < x->size
		       ? metadata_of(r, x->offset, x->header.metadata)
		       : NULL;
}

/* Keep a reference that is the recording's then.  Most chunks have the types of the one before. */
static int keep_given(struct recording *r, struct metadata *m)
{
	struct metadata **given;

	for (size_t i = 0; i < r->given_count; i++) {
		if (r->given[i] == m) {
			metadata_unref(m);
			return 0;
		}
	}
	given = reallocarray(r->given, r->given_count + 1, sizeof(*given));
	if (!given) {
		metadata_unref(m);
		return -1;
	}
	r->given = given;
	r->given[r->given_count++] = m;
	return 0;
}

int recording_types_from(struct recording *r, struct recording *other, struct jfrec_error *err)
{
	struct extent x = { 0 };
	int got;

	while ((got = recording_next(other, &x, err)) > 0) {
		struct metadata *m = recording_metadata(other, &x);

		const struct v0_metadata *v0 = v0_last_metadata(&other->in);

		if (v0 && v0_metadata_copy(&r->given_v0, v0->bytes, v0->size) < 0) {
			metadata_unref(m);
			return jfrec_fail_memory(err);
		}
		if (!r->has_given_clock && chunk_header_has_clock(&x.header)) {
			r->has_given_clock = true;
			r->given_clock = clock_of(&x.header);
		}
		if (!m || m->doubt) {
			metadata_unref(m);
			continue;
		}
		metadata_unref(other->metadata);
		other->metadata = metadata_ref(m);
		if (keep_given(r, m) < 0)
			return jfrec_fail_memory(err);
	}
	if (got == 0 && r->given_count == 0)
		return jfrec_fail(err, JFREC_EFORMAT, JFREC_NO_OFFSET,
				  "has no readable metadata, so its types cannot be used");
	return got;
}

bool recording_has_metadata(struct recording *r, uint64_t chunk, uint64_t offset)
{
	struct metadata *m = metadata_of(r, chunk, offset);

	metadata_unref(m);
	return m != NULL;
}

/*
 * Is there a chunk at this offset, with metadata that can be parsed?  The
 * magic alone proves nothing: each flush leaves a copy of the chunk's header
 * among its constants.
 */
static bool is_chunk(struct recording *r, uint64_t offset)
{
	uint8_t head[CHUNK_HEADER_SIZE];
	struct chunk_header h;
	size_t got;

	if (input_read(&r->in, offset, head, sizeof(head), &got, NULL) < 0 || got < sizeof(head))
		return false;
	h = chunk_header_parse(head);
	return chunk_header_is_magic(head) && !recording_unsupported(&h) &&
	       h.size >= CHUNK_HEADER_SIZE && recording_has_metadata(r, offset, h.metadata);
}

/*
 * The offset of the next chunk at or after `from`, or the end of the input; it
 * is not looked for far beyond `to`.  1, 0, or -1 with *err set.  With `forget`
 * a stream's bytes before it are given up.
 */
static int find_chunk(struct recording *r, uint64_t from, uint64_t to, bool forget, uint64_t *found,
		      struct jfrec_error *err)
{
	uint8_t *window = malloc(WINDOW);
	uint64_t begin = from;
	size_t got = 0;
	int ret = 0;

	if (!window)
		return jfrec_fail_memory(err);
	/* Windows overlap by three bytes, so that no magic falls between two. */
	for (; from < to; from += got - 3) {
		const uint8_t *at = window, *end;

		from = input_skip_hole(&r->in, from);
		if (from - begin > STREAM_SEARCH)
			input_end_here(&r->in, "reading stopped: no chunk begins in 256 MiB of "
					       "the pipe or compressed file (if it is a "
					       "recording, save it decompressed to a file first)");
		if (forget)
			input_forget(&r->in, from);
		ret = input_read(&r->in, from, window, WINDOW, &got, err);
		if (ret < 0 || got < CHUNK_HEADER_SIZE)
			break;
		end = window + got;
		while ((at = memmem(at, (size_t)(end - at), "FLR", 4)) != NULL) {
			*found = from + (uint64_t)(at - window);
			if (is_chunk(r, *found)) {
				ret = 1;
				goto out;
			}
			at++;
		}
	}
	*found = from + got;
out:
	free(window);
	return ret;
}

bool recording_find_chunk(struct recording *r, uint64_t from, uint64_t *found)
{
	return find_chunk(r, from, from + FIRST_SEARCH, false, found, NULL) > 0;
}

/* What is between the chunks: after the last one it is the last one's doing. */
static void tell_gap(struct recording *r, const struct extent *before, uint64_t from, uint64_t to)
{
	if (before && before->state == JFREC_UNFINISHED)
		problem_notice(&r->problems, from, to - from,
			       "%" PRIu64 " %s at byte %" PRIu64
			       ", after the last flush of chunk %" PRIu64 ", %s left out",
			       to - from, one_or_more(to - from, "byte", "bytes"), from,
			       before->number, one_or_more(to - from, "is", "are"));
	else
		problem_damage(&r->problems, from, to - from,
			       "%" PRIu64 " %s at byte %" PRIu64 " %s to no chunk", to - from,
			       one_or_more(to - from, "byte", "bytes"), from,
			       one_or_more(to - from, "belongs", "belong"));
}

/* Does the event at that offset end beyond the chunk's size, but not beyond `end`? */
static bool is_beyond(struct recording *r, const struct extent *x, uint64_t offset, uint64_t type,
		      uint64_t end)
{
	uint64_t size, most = end - x->offset;
	uint8_t start[2 * VARINT_MAX];
	struct cursor c;
	size_t got;

	if (offset < CHUNK_HEADER_SIZE || offset >= most ||
	    input_read(&r->in, x->offset + offset, start, sizeof(start), &got, NULL) < 0)
		return false;
	c = cursor_over(start, got);
	size = cursor_varint(&c);
	return cursor_varint(&c) == type && !c.bad && size <= most - offset &&
	       offset + size > x->size;
}

/* What a JVM wrote after its last flush may be whole events. */
static void go_behind_flush(struct recording *r, struct extent *x, uint64_t end)
{
	problem_notice(&r->problems, x->offset, 0,
		       "chunk %" PRIu64 " at byte %" PRIu64 " was never finished; %" PRIu64
		       " bytes come after its last flush, where some constants are missing",
		       x->number, x->offset, end - x->offset - x->size);
	x->state = JFREC_TRUNCATED;
	x->size = end - x->offset;
}

/* Do events lead from the chunk's header to its end? */
static bool is_whole(struct recording *r, const struct extent *x)
{
	struct raw_event e;
	struct cursor at;
	struct span span;
	int got;

	if (input_span(&r->in, x->offset, x->size, false, &span, NULL) < 0)
		return false;
	at = cursor_over(span.bytes, span.len);
	cursor_take(&at, CHUNK_HEADER_SIZE);
	while ((got = walk_next(&at, &e)) > 0)
		;
	input_give_back(&r->in, &span);
	return got == 0 && !at.bad;
}

/* More may be another chunk, whose header is damaged. */
#define MOST_PUSHED (16u << 10)

/* Have bytes that came in between pushed the end of the chunk beyond its size? */
static bool is_pushed(struct recording *r, const struct extent *x, uint64_t end)
{
	uint64_t own = x->offset + x->size;

	return x->state == JFREC_FINISHED && end > own && end - own <= MOST_PUSHED &&
	       !is_whole(r, x);
}

/*
 * Profilers that were killed leave a size of 1 GB, which says nothing; nor does one beyond reason.
 */
#define NO_SIZE	  (UINT64_C(1) << 30)
#define MOST_SIZE (UINT64_C(1) << 40)

/* What the header promised, and the file does not have. */
static uint64_t missing_bytes(const struct extent *x)
{
	uint64_t promised = x->header.size;

	return promised > x->size && promised != NO_SIZE && promised < MOST_SIZE
		       ? promised - x->size
		       : 0;
}

/*
 * A chunk of a size that leads nowhere ends where the next one begins.  If
 * that is not before the end its size gives, the size is right after all,
 * unless the rest of the header knows better.
 */
static int clip(struct recording *r, struct extent *x, bool is_possible, struct jfrec_error *err)
{
	uint64_t end;

	if (find_chunk(r, x->offset + CHUNK_HEADER_SIZE, UINT64_MAX, false, &end, err) < 0)
		return -1;
	if (is_possible && end >= x->offset + x->size && !is_pushed(r, x, end) &&
	    !is_beyond(r, x, x->header.metadata, TYPE_METADATA, end) &&
	    !is_beyond(r, x, x->header.checkpoint, TYPE_CHECKPOINT, end)) {
		if (r->is_rescue && !r->ends_at_flush && x->state == JFREC_UNFINISHED)
			go_behind_flush(r, x, end);
		return 0;
	}
	x->state = JFREC_TRUNCATED;
	x->size = end - x->offset;
	problem_damage(&r->problems, x->offset, missing_bytes(x),
		       "chunk %" PRIu64 " at byte %" PRIu64 " should have %" PRIu64
		       " bytes, but %" PRIu64 " are there",
		       x->number, x->offset, x->header.size, x->size);
	return 0;
}

/*
 * Does a chunk begin after this one, or does the input end there?  A pipe that
 * has nothing more for now is not waited for if the chunk itself shows it; but
 * what is rescued may go on.
 */
static bool is_boundary(struct recording *r, const struct extent *x)
{
	uint64_t offset = x->offset + x->size;
	uint8_t magic[4];
	size_t got;

	if (!r->is_rescue && input_would_wait(&r->in, offset) && is_whole(r, x))
		return true;
	return input_read(&r->in, offset, magic, sizeof(magic), &got, NULL) == 0 &&
	       (got == 0 || (got == sizeof(magic) && chunk_header_is_magic(magic)));
}

int recording_try_header(struct input *in, uint64_t offset,
			 uint8_t bytes[static CHUNK_HEADER_SIZE], size_t *got,
			 struct jfrec_error *err)
{
	if (input_read(in, offset, bytes, CHUNK_HEADER_SIZE, got, err) < 0)
		return -1;
	return recording_is_header(in, offset, bytes, *got, err);
}

int recording_is_header(struct input *in, uint64_t offset,
			const uint8_t bytes[static CHUNK_HEADER_SIZE], size_t got,
			struct jfrec_error *err)
{
	uint8_t again[CHUNK_HEADER_SIZE];
	size_t got_again;

	if (in->stream || got < CHUNK_HEADER_SIZE || bytes[64] == 0)
		return 1;
	if (input_read(in, offset, again, CHUNK_HEADER_SIZE, &got_again, err) < 0)
		return -1;
	return bytes[64] != CHUNK_GENERATION_GUARD && got_again == got &&
	       memcmp(bytes, again, CHUNK_HEADER_SIZE) == 0;
}

/* May the header be another one in a moment? */
static bool may_change(const struct recording *r)
{
	struct stat st;

	return r->in.fd >= 0 && fstat(r->in.fd, &st) == 0 && real_is_now(timespec_ns(st.st_mtim));
}

static int read_header(struct recording *r, uint64_t offset,
		       uint8_t bytes[static CHUNK_HEADER_SIZE], size_t *got,
		       struct jfrec_error *err)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	int ret = recording_try_header(&r->in, offset, bytes, got, err);

	/* In all chunks together: many unfinished ones do not make us wait for each. */
	for (; ret == 0 && r->tries < MAX_TRIES && may_change(r); r->tries++) {
		nanosleep(&pause, NULL);
		ret = recording_try_header(&r->in, offset, bytes, got, err);
	}
	return ret < 0 ? -1 : 0;
}

/*
 * Is a chunk of a stream worth being kept?  One that is larger than what is kept in memory must
 * have metadata where its header says.
 */
static bool is_worth_keeping(struct recording *r, const struct extent *x)
{
	const struct chunk_header *h = &x->header;

	return !r->in.stream || h->size <= KEPT_IN_MEMORY ||
	       (h->size <= KEPT_AT_MOST && h->metadata < h->size && h->checkpoint < h->size &&
		recording_has_metadata(r, x->offset, h->metadata));
}

/* How far the chunk reaches, and what state it is in. */
static int measure(struct recording *r, struct extent *x, struct jfrec_error *err)
{
	uint64_t have = 0;
	bool is_possible;

	x->size = x->header.size;
	x->state = x->header.generation ? JFREC_UNFINISHED : JFREC_FINISHED;
	if (is_worth_keeping(r, x) && input_available(&r->in, x->offset, x->size, &have, err) < 0)
		return -1;
	is_possible = x->size >= CHUNK_HEADER_SIZE && x->size <= have;
	if (!is_possible || !is_boundary(r, x)) {
		if (clip(r, x, is_possible, err) < 0)
			return -1;
	}
	if (x->state == JFREC_UNFINISHED)
		problem_notice(&r->problems, x->offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64
			       " was never finished (its JVM is still writing it, or was "
			       "killed); it is read up to its last flush",
			       x->number, x->offset);
	if (!chunk_header_has_clock(&x->header))
		problem_notice(&r->problems, x->offset, 0,
			       "chunk %" PRIu64 " at byte %" PRIu64 " has %" PRId64
			       " ticks per second, which is impossible; ticks are read as "
			       "nanoseconds",
			       x->number, x->offset, x->header.ticks_per_second);
	return 0;
}

/*
 * May what has no header be a chunk that lost it?  A stream's bytes are gone by then, and what
 * follows the last flush of a chunk is not another one's.
 */
static bool may_rescue(const struct recording *r, const struct extent *before)
{
	bool is_behind_flush = r->number && before->state == JFREC_UNFINISHED;

	if (r->is_rescue)
		return !(is_behind_flush && r->ends_at_flush);
	return !r->is_copied && !r->in.stream && !is_behind_flush;
}

/* Was the file's header not looked at when it was opened, and has no chunk been found in it? */
static bool may_be_no_recording(const struct recording *r)
{
	return recording_is_unchecked(r) && r->number == 0;
}

/* The chunks of version 0.x in the only file were reported as damage, and there are no others. */
static bool is_nothing(const struct recording *r)
{
	return v0_is_decoded(&r->in) && r->number == 0 && r->path_count == 1 && !r->is_rescue;
}

/* It is not a recording: for the first file that is a failure, for a later one damage. */
static int tell_no_recording(struct recording *r, struct jfrec_error *err)
{
	struct jfrec_error why;

	if (r->current == 0)
		return check_header(r, err);
	if (check_header(r, &why) < 0)
		problem_damage(&r->problems, 0, 0, "%s", why.text);
	return 0;
}

/* Once, when there is a log to report to. */
static void tell_missing(struct recording *r)
{
	if (!r->missing.code)
		return;
	problem_damage(&r->problems, 0, 0,
		       "what its program had recorded and not flushed is missing here, or a part "
		       "of it: %s",
		       r->missing.text);
	r->missing.code = JFREC_OK;
}

static void note_version(const struct recording *r, struct extent *x)
{
	int minor = v0_minor_at(&r->in, x->offset);

	x->is_v0 = minor >= 0;
	x->v0 = minor >= 0 ? (uint16_t)minor : 0;
}

static void tell_mangled(struct recording *r)
{
	if (r->mangled)
		problem_damage(&r->problems, 0, 0, "%s", r->mangled);
	r->mangled = NULL;
}

int recording_next(struct recording *r, struct extent *x, struct jfrec_error *err)
{
	tell_missing(r);
	recording_tell_archives(r);
	if (!r->ended)
		tell_mangled(r);
	if (r->ended)
		return 0;
	for (;;) {
		struct extent before = *x;
		uint8_t bytes[CHUNK_HEADER_SIZE] = { 0 };
		uint64_t from = r->next;
		bool is_header;
		size_t got;
		int found;

		input_forget(&r->in, from);
		if (read_header(r, from, bytes, &got, err) < 0)
			return -1;
		if (got == 0) {
			if (may_be_no_recording(r) && tell_no_recording(r, err) < 0)
				return -1;
			if (is_nothing(r))
				return jfrec_fail(err, JFREC_EFORMAT, 0,
						  "none of its chunks can be read");
			if (!recording_open_next(r))
				return 0;
			recording_tell_archives(r);
			tell_mangled(r);
			continue;
		}
		if (r->in.stream && got >= V0_HEADER_SIZE && v0_is_header(bytes)) {
			if (recording_read_v0(r, from, err) < 0)
				return -1;
			continue;
		}
		x->header = chunk_header_parse(bytes);
		is_header = got == sizeof(bytes) && chunk_header_is_magic(bytes) &&
			    !recording_unsupported(&x->header);
		if (is_header && (chunk_header_has_clock(&x->header) || !may_rescue(r, &before)))
			break;
		found = find_chunk(r, from + 1, UINT64_MAX, !r->is_rescue, &r->next, err);
		if (found < 0)
			return -1;
		if (may_rescue(r, &before) && rescue_header(r, from, r->next, x))
			return 1;
		if (is_header) {
			r->next = from;
			break;
		}
		if (found || !may_be_no_recording(r))
			tell_gap(r, r->number ? &before : NULL, from, r->next);
		else if (tell_no_recording(r, err) < 0)
			return -1;
		/* What a JVM writes meanwhile is not run after. */
		if (!found && !recording_open_next(r))
			return 0;
		recording_tell_archives(r);
	}
	x->number = ++r->number;
	x->offset = r->next;
	note_version(r, x);
	if (measure(r, x, err) < 0)
		return -1;
	r->next = x->offset + x->size;
	return 1;
}

int recording_count(const struct recording *r, uint64_t *count, struct jfrec_error *err)
{
	struct recording again;
	struct extent x = { 0 };
	int got;

	*count = 0;
	if (recording_again(r, &again, err) < 0)
		return -1;
	while ((got = recording_next(&again, &x, err)) > 0)
		++*count;
	recording_close(&again);
	return got;
}

int recording_span(const struct recording *r, int64_t *start_ns, int64_t *end_ns,
		   struct jfrec_error *err)
{
	struct recording again;
	struct extent x = { 0 };
	int got;

	*start_ns = INT64_MAX;
	*end_ns = INT64_MIN;
	if (recording_again(r, &again, err) < 0)
		return -1;
	while ((got = recording_next(&again, &x, err)) > 0) {
		int64_t end = long_add(x.header.start_ns, x.header.duration_ns);

		if (x.header.start_ns < *start_ns)
			*start_ns = x.header.start_ns;
		if (end > *end_ns)
			*end_ns = end;
	}
	recording_close(&again);
	return got;
}
