/* SPDX-License-Identifier: MIT */
/*
 * mangled.c - recognise a recording that was sent as text, and undo what that did to it
 */
#include "format/mangled.h"

#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/error.h"
#include "format/chunk_header.h"
#include "format/lost_returns_input.h"
#include "format/v0_chunk.h"
#include "input/stream.h"

#define WINDOW (64u << 10)

/* So many of a stream, before more of it is looked at. */
#define LOOK 4096

/* This many bytes of a kind are not a coincidence. */
#define MANY 32

/* So many bytes of a compressed file are read before anything is done with them. */
#define MAX_AHEAD (16u << 20)

const char *mangled_words(enum mangling how)
{
	switch (how) {
	case MANGLED_CR_ADDED:
		return "it was sent as text, which put a carriage return before each line feed "
		       "(a terminal, FTP, mail); they are taken out again";
	case MANGLED_AS_LATIN1:
		return "it was sent as text, which made two bytes of each from 80 to ff (Latin-1 as "
		       "UTF-8); they are made one again";
	case MANGLED_CR_LOST:
		return "it seems to have been stored as text (by git, with text=auto?), which "
		       "took the carriage return from each CR LF; they are put back where they "
		       "must have been";
	case MANGLED_REPLACED:
		return "it was sent as text, which replaced each byte from 80 to ff by U+FFFD: "
		       "what these bytes were is lost; get it again as binary";
	default:
		return NULL;
	}
}

/* The first bytes of a header: magic, version, size; and of metadata of 0.x. */
#define HEAD	      16
#define METADATA_HEAD 8

/* Sizes ---------------------------------------------------------------------------------------- */

/*
 * Goes over the bytes of a recording, from header to header.  Version 0.x has no size in it, but
 * the place of the last event, which is metadata and begins with its size and a zero.
 */
struct sizes {
	uint64_t at;	    /* bytes so far */
	uint64_t next;	    /* the place of what is to be looked at */
	bool is_metadata;   /* of 0.x, it is that; else a header */
	uint8_t head[HEAD]; /* of that, what was there */
	unsigned have;
	bool is_bad;
};

static unsigned sizes_want(const struct sizes *s)
{
	return s->is_metadata ? METADATA_HEAD : HEAD;
}

/* Go on to what the head that is there leads to. */
static void sizes_step(struct sizes *s)
{
	uint64_t step = be64(s->head + 8), least = CHUNK_HEADER_SIZE;

	if (s->is_metadata) {
		step = be32(s->head);
		least = METADATA_HEAD;
		s->is_bad = be32(s->head + 4) != 0;
		s->is_metadata = false;
	} else {
		s->is_bad = !chunk_header_is_magic(s->head);
		s->is_metadata = v0_is_header(s->head);
		least = s->is_metadata ? HEAD : least;
	}
	s->is_bad |= step < least || __builtin_add_overflow(s->next, step, &s->next);
	s->have = 0;
}

static void sizes_add(struct sizes *s, const uint8_t *bytes, size_t len)
{
	const uint8_t *end = bytes + len;

	while (bytes < end && !s->is_bad) {
		uint64_t skip = s->next + s->have - s->at, left = (uint64_t)(end - bytes);

		if (skip >= left) {
			s->at += left;
			return;
		}
		bytes += skip;
		s->at += skip;
		while (bytes < end && s->have < sizes_want(s)) {
			s->head[s->have++] = *bytes++;
			s->at++;
		}
		if (s->have < sizes_want(s))
			return;
		sizes_step(s);
		/* The next one begins after these bytes. */
		s->is_bad |= s->next < s->at;
	}
}

static bool sizes_fit(const struct sizes *s)
{
	return !s->is_bad && !s->is_metadata && s->have == 0 && s->next == s->at && s->at;
}

/* Do the headers lead from one to the next up to the end, as they should? */
static bool has_right_sizes(struct input *in)
{
	struct sizes s = { 0 };
	size_t got;

	while (!s.is_bad && s.next <= in->size) {
		if (input_read(in, s.next, s.head, sizes_want(&s), &got, NULL) < 0)
			return false;
		if (got == 0)
			return s.next > 0 && !s.is_metadata;
		if (got < sizes_want(&s))
			return false;
		sizes_step(&s);
	}
	return false;
}

/* Undoing -------------------------------------------------------------------------------------- */

/*
 * What `in` was, at `out`, which has room for as many bytes.  *taken: how many of `in` were used;
 * the last may depend on what follows, unless is_end.
 */
static size_t undo(enum mangling how, const uint8_t *in, size_t len, bool is_end, uint8_t *out,
		   size_t *taken)
{
	bool is_returns = how == MANGLED_CR_ADDED;
	size_t n = 0, i = 0;

	while (i < len) {
		bool is_first = is_returns ? in[i] == '\r' : (in[i] | 1) == 0xc3, is_pair;

		if (is_first && i + 1 == len && !is_end)
			break;
		is_pair = is_first && i + 1 < len &&
			  (is_returns ? in[i + 1] == '\n' : (in[i + 1] & 0xc0) == 0x80);
		if (!is_pair)
			out[n++] = in[i];
		else
			out[n++] = is_returns ? '\n' : (uint8_t)(in[i] << 6 | (in[i + 1] & 0x3f));
		i += 1 + is_pair;
	}
	*taken = i;
	return n;
}

struct undoing {
	struct decoder decoder;
	struct input *under;
	enum mangling how;
	uint64_t at; /* in the input */
	size_t made, given;
	uint8_t out[WINDOW];
};

static int undo_more(struct undoing *u, struct jfrec_error *err)
{
	uint8_t window[WINDOW];
	size_t got, taken;

	/* Fewer come at the end only. */
	if (input_read(u->under, u->at, window, sizeof(window), &got, err) < 0)
		return -1;
	u->made = undo(u->how, window, got, got < sizeof(window), u->out, &taken);
	u->given = 0;
	u->at += taken;
	return 0;
}

static int undoing_read(struct decoder *d, struct source *s, void *to, size_t len, size_t *got,
			struct jfrec_error *err)
{
	struct undoing *u = (struct undoing *)d;

	(void)s;
	*got = 0;
	if (u->given == u->made && undo_more(u, err) < 0)
		return -1;
	*got = u->made - u->given < len ? u->made - u->given : len;
	memcpy(to, u->out + u->given, *got);
	u->given += *got;
	return 0;
}

static void undoing_free(struct decoder *d)
{
	free(d);
}

static struct decoder *make(struct input *under, uint64_t offset, void *ctx)
{
	struct undoing *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->decoder = (struct decoder){ undoing_read, undoing_free };
	u->under = under;
	u->how = *(const enum mangling *)ctx;
	u->at = offset;
	return &u->decoder;
}

static bool is_undone(enum mangling how)
{
	return how == MANGLED_CR_ADDED || how == MANGLED_AS_LATIN1;
}

int mangled_undo(struct input *in, enum mangling how, struct problems *problems,
		 struct jfrec_error *err)
{
	if (how == MANGLED_CR_LOST)
		return returns_read(in, problems, err);
	return is_undone(how) ? input_decode(in, 0, make, &how, err) : 0;
}

/* Would the sizes of its chunks fit then? */
static bool fits_undone(struct input *in, enum mangling how)
{
	struct undoing *u = calloc(1, sizeof(*u));
	struct sizes s = { 0 };
	bool ok = u;

	if (u) {
		u->under = in;
		u->how = how;
	}
	while (ok && !s.is_bad) {
		ok = undo_more(u, NULL) == 0;
		if (!ok || u->made == 0)
			break;
		sizes_add(&s, u->out, u->made);
	}
	free(u);
	return ok && sizes_fit(&s);
}

/* Recognising ---------------------------------------------------------------------------------- */

struct counts {
	uint64_t feeds, pairs_of_feeds; /* LF; those with a CR before */
	uint64_t high, two, replaced;	/* bytes from 80; pairs of c2 or c3; U+FFFD */
};

static void count(struct counts *c, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		c->feeds += bytes[i] == '\n';
		c->pairs_of_feeds += bytes[i] == '\n' && i && bytes[i - 1] == '\r';
		c->high += bytes[i] >= 0x80;
		c->two += i && (bytes[i - 1] | 1) == 0xc3 && (bytes[i] & 0xc0) == 0x80;
		c->replaced +=
			i > 1 && bytes[i - 2] == 0xef && bytes[i - 1] == 0xbf && bytes[i] == 0xbd;
	}
}

/* Is none of the first line feeds, or else of the first bytes from 80, as no text has it? */
static bool may_be_text(const uint8_t *bytes, size_t len)
{
	unsigned feeds = 0, high = 0;
	bool is_lines = true, is_utf8 = true;

	for (size_t i = 1; i + 1 < len && (is_lines || is_utf8); i++) {
		bool is_first = bytes[i] >= 0xc2, follows = (bytes[i + 1] & 0xc0) == 0x80;

		if (bytes[i] == '\n') {
			feeds++;
			is_lines &= bytes[i - 1] == '\r';
		}
		if (bytes[i] >= 0x80) {
			high++;
			is_utf8 &= is_first ? follows : bytes[i - 1] >= 0x80;
		}
	}
	return (is_lines && feeds) || (is_utf8 && high);
}

/* What happened to these bytes, the first of the input, as far as they tell. */
static enum mangling judge_window(const uint8_t *window, size_t len)
{
	struct counts c = { 0 };

	count(&c, window, len);
	if (c.feeds >= MANY && c.pairs_of_feeds == c.feeds)
		return MANGLED_CR_ADDED;
	if (c.two >= MANY && c.high - 2 * c.two <= 1) /* the last may be cut in two */
		return MANGLED_AS_LATIN1;
	if (c.replaced >= MANY && c.high <= 4 * c.replaced)
		return MANGLED_REPLACED;
	return MANGLED_NOT;
}

/*
 * The same of a pipe or a compressed file, without waiting for more than its first chunk.  The
 * sizes cannot be known beforehand; but that this many bytes are as text has them is not a
 * coincidence.  What carriage returns lack is looked for where all bytes are there to be had, and
 * not too many.
 */
static enum mangling judge_stream(struct input *in)
{
	enum mangling how = MANGLED_NOT;
	uint8_t start[LOOK], *window = NULL;
	size_t got, want = WINDOW;

	if (input_read(in, 0, start, HEAD, &got, NULL) < 0 || got < HEAD ||
	    !chunk_header_is_magic(start))
		return MANGLED_NOT;
	if (!v0_is_header(start) && be64(start + 8) < want)
		want = be64(start + 8);
	if (input_read(in, 0, start, want < LOOK ? want : LOOK, &got, NULL) == 0 &&
	    may_be_text(start, got))
		window = malloc(WINDOW);
	if (window && input_read(in, 0, window, want, &got, NULL) == 0)
		how = judge_window(window, got);
	free(window);
	if (how == MANGLED_NOT && !in->once && !v0_is_header(start) &&
	    be64(start + 8) <= MAX_AHEAD && returns_fit(in))
		how = MANGLED_CR_LOST;
	return how;
}

static enum mangling judge_file(struct input *in)
{
	enum mangling how = MANGLED_NOT;
	uint8_t *window;
	size_t got;

	if (has_right_sizes(in))
		return MANGLED_NOT;
	window = malloc(WINDOW);
	if (window && input_read(in, 0, window, WINDOW, &got, NULL) == 0 &&
	    got >= CHUNK_HEADER_SIZE && chunk_header_is_magic(window)) {
		how = judge_window(window, got);
		if (how == MANGLED_NOT && returns_fit(in))
			how = MANGLED_CR_LOST;
	}
	free(window);
	return is_undone(how) && !fits_undone(in, how) ? MANGLED_NOT : how;
}

enum mangling mangled_how(struct input *in)
{
	return in->stream ? judge_stream(in) : judge_file(in);
}
