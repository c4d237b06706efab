/* SPDX-License-Identifier: MIT */
/*
 * damage.c - how many events damage costs that it did not hit
 *
 *    damage SEEDS RECORDING OTHER TYPES [STRATUM...]
 *
 * SEEDS is their number, or the first and the one behind the last: 570-580.
 * Copies of the recording are damaged, in 8 ways and at as many random places as there are seeds;
 * each is read by the library, and the events are known by their offsets.  OTHER is where
 * foreign pages come from, TYPES the recording whose types are used where they are lost, or
 * "none".
 *
 * Prints a row for each stratum (what is hit: events, checkpoints, metadata) and each way:
 *
 *    hit       events that the damage touched, the median
 *    lost      events that it did not touch and that are missing: median, 99 of 100, most
 *    over      copies that lose more than three times what was hit and 4 KiB worth of events, or
 *              where no event was hit, any
 *    false     events at places where there was none, beyond the damaged bytes: all of them
 *    nulls     constants that are missing beyond those that always were: the median
 *    silent    copies of which an event or a constant is missing, though no damage is told; of one
 *              bit that was flipped, more than the one constant that it may have named
 *
 * Exit status 1 if a row has any of the last three.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/chunk.h"
#include "format/missing.h"
#include "read/reader.h"

#define PAGE	4096
#define SPOILED 1000

enum what { EVENTS, CHECKPOINTS, METADATA, STRATA };

enum how { NOISE, TEXT, FOREIGN, OLDER, ONES, DELETED, INSERTED, FLIPPED, WAYS };

static const char *const strata[] = { "events", "checkpoints", "metadata" };
static const char *const ways[] = {
	"1000 random bytes", "a page of text", "a foreign page", "an older page",
	"a page of 0xff",    "bytes deleted",  "bytes inserted", "a bit flipped",
};

struct file {
	uint8_t *bytes;
	size_t len;
};

/* What stands at a place: an event, a checkpoint, metadata or a header. */
struct place {
	uint64_t at, len;
	enum what what;
};

struct truth {
	struct file file;
	struct place *places;
	size_t count, room, events;
};

/* `len` bytes at `at` are `new_len` others; what stood behind them is there still. */
struct damage {
	uint64_t at, len, new_len;
	struct file copy;
};

static uint64_t state;

static uint64_t draw(uint64_t below)
{
	uint64_t z = state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (z ^ z >> 31) % below;
}

static void die(const char *what)
{
	fprintf(stderr, "damage: %s: %s\n", what, strerror(errno));
	exit(2);
}

static struct file load(const char *path)
{
	FILE *in = fopen(path, "rb");
	struct file f = { 0 };
	long len = 0;

	if (!in || fseek(in, 0, SEEK_END) < 0 || (len = ftell(in)) < 0)
		die(path);
	rewind(in);
	f.len = (size_t)len;
	f.bytes = malloc(f.len);
	if (!f.bytes || fread(f.bytes, 1, f.len, in) != f.len)
		die(path);
	fclose(in);
	return f;
}

/* What is in the recording ----------------------------------------------------------------------- */

static void add_place(struct truth *t, uint64_t at, uint64_t len, enum what what)
{
	if (t->count == t->room) {
		t->room = t->room ? t->room * 2 : 4096;
		t->places = reallocarray(t->places, t->room, sizeof(*t->places));
		if (!t->places)
			die("memory");
	}
	t->places[t->count++] = (struct place){ at, len, what };
	t->events += what == EVENTS;
}

static struct truth learn(const char *path)
{
	struct truth t = { .file = load(path) };
	uint64_t at = 0;

	while (at + CHUNK_HEADER_SIZE <= t.file.len) {
		struct chunk_header h = chunk_header_parse(t.file.bytes + at);
		struct cursor c = cursor_over(t.file.bytes + at, h.size);
		struct raw_event e;

		add_place(&t, at, CHUNK_HEADER_SIZE, METADATA);
		cursor_take(&c, CHUNK_HEADER_SIZE);
		while (walk_next(&c, &e) > 0)
			add_place(&t, (uint64_t)(e.start - t.file.bytes), e.size,
				  e.type_id == TYPE_METADATA	 ? METADATA
				  : e.type_id == TYPE_CHECKPOINT ? CHECKPOINTS
								 : EVENTS);
		at += h.size;
	}
	if (at != t.file.len || !t.events)
		die("not a sound recording");
	return t;
}

/* The first place that ends behind `at`. */
static size_t place_at(const struct truth *t, uint64_t at)
{
	size_t low = 0, high = t->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->places[middle].at + t->places[middle].len <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Is what the damage touches of that kind: nothing else with events, at least that with others? */
static bool hits(const struct truth *t, uint64_t at, uint64_t len, enum what what)
{
	bool found = false;

	for (size_t i = place_at(t, at); i < t->count && t->places[i].at < at + len; i++) {
		enum what it = t->places[i].what;

		if (it > what)
			return false;
		found |= it == what;
	}
	return found;
}

/* Damaging --------------------------------------------------------------------------------------- */

static const char prose[] = "2026-11-22 03:41:55,112 INFO  [main] a line of a log that has words, "
			    "numbers such as 4711 and a path /var/log/messages\n";

static void fill(uint8_t *to, uint64_t len, enum how how, const struct truth *t, uint64_t at,
		 const struct file *other)
{
	uint64_t from;

	switch (how) {
	case TEXT:
		from = draw(sizeof(prose) - 1);
		for (uint64_t i = 0; i < len; i++)
			to[i] = (uint8_t)prose[(from + i) % (sizeof(prose) - 1)];
		break;
	case FOREIGN:
		memcpy(to, other->bytes + draw((other->len - len) / PAGE) * PAGE, len);
		break;
	case OLDER:
		memcpy(to, t->file.bytes + (at ? draw(at / PAGE + 1) * PAGE : 0), len);
		break;
	case ONES:
		memset(to, 0xff, len);
		break;
	case FLIPPED:
		*to = t->file.bytes[at] ^ (uint8_t)(1u << draw(8));
		break;
	default:
		for (uint64_t i = 0; i < len; i++)
			to[i] = (uint8_t)draw(256);
	}
}

/* A random place in what is to be hit: each byte of it is as likely. */
static bool choose(const struct truth *t, struct damage *d, enum what what, enum how how)
{
	bool page = how >= TEXT && how <= ONES;

	for (unsigned tries = 0; tries < 200000; tries++) {
		const struct place *p = &t->places[draw(t->count)];
		uint64_t most = what == EVENTS ? 200 : 100000;

		if (p->what != what || (p->len < most && draw(most) > p->len))
			continue;
		d->at = p->at + draw(p->len);
		d->len = how == FLIPPED ? 1 : page ? PAGE : how == NOISE ? SPOILED : 0;
		d->new_len = d->len;
		if (page)
			d->at -= d->at % PAGE;
		if (how == DELETED)
			d->len = 1 + draw(PAGE);
		if (how == INSERTED)
			d->new_len = 1 + draw(PAGE);
		if (d->at + d->len <= t->file.len &&
		    hits(t, d->at, d->len ? d->len : 1, what))
			return true;
	}
	return false;
}

static void spoil(const struct truth *t, struct damage *d, enum how how, const struct file *other)
{
	uint64_t behind = d->at + d->len;

	d->copy.len = t->file.len - d->len + d->new_len;
	memcpy(d->copy.bytes, t->file.bytes, d->at);
	fill(d->copy.bytes + d->at, d->new_len, how, t, d->at, other);
	memcpy(d->copy.bytes + d->at + d->new_len, t->file.bytes + behind, t->file.len - behind);
}

static bool is_touched(const struct damage *d, const struct place *p)
{
	return d->len ? p->at < d->at + d->len && d->at < p->at + p->len
		      : p->at < d->at && d->at < p->at + p->len;
}

/* Where an event that was not touched is in the copy. */
static uint64_t moved(const struct damage *d, uint64_t at)
{
	return at < d->at + (d->len != 0) ? at : at + d->new_len - d->len;
}

/* Reading ---------------------------------------------------------------------------------------- */

struct result {
	uint64_t hit, lost, false_ones, nulls;
	bool is_silent;
};

/* Of the chunk that was just begun. */
static uint64_t count_nulls(struct chunk *c)
{
	uint64_t count = 0;

	if (missing_count(c, &count) < 0)
		die("memory");
	return count;
}

/* What was given at a byte of the copy: an event; one that has damaged bytes, too. */
enum given { NOTHING, WHOLE, TOUCHED };

static enum given given_of(const struct damage *d, uint64_t at, uint64_t size)
{
	return at < d->at + d->new_len && d->at < at + size ? TOUCHED : WHOLE;
}

static void read_copy(int fd, const struct damage *d, const char *types, uint8_t *given,
		      struct result *result)
{
	const struct jfrec_open_options options = {
		.struct_size = sizeof(options),
		.without_header = types != NULL,
	};
	const struct jfrec_event *ev;
	uint64_t chunk_at = UINT64_MAX;
	struct jfrec_reader *r;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (ftruncate(fd, 0) < 0 || pwrite(fd, d->copy.bytes, d->copy.len, 0) < 0)
		die("memory file");
	memset(given, 0, d->copy.len + 1);
	r = jfrec_reader_open(path, &options, NULL);
	result->is_silent = r != NULL;
	if (!r)
		return;
	if (types && jfrec_reader_types_from(r, types, NULL) < 0)
		die(types);
	while (jfrec_reader_next(r, &ev, NULL) > 0) {
		uint64_t at = chunk_offset(ev->chunk, ev->raw.start);

		given[at] = given_of(d, at, ev->raw.size);
		if (ev->chunk->extent.offset == chunk_at)
			continue;
		chunk_at = ev->chunk->extent.offset;
		result->nulls += count_nulls((struct chunk *)ev->chunk);
	}
	result->is_silent = jfrec_reader_damage(r) == 0;
	jfrec_reader_close(r);
}

/* An event where there was none, and what was there, in the recording as it was. */
static void tell_false(const struct truth *t, const struct damage *d, uint64_t at)
{
	uint64_t was = at < d->at ? at : at - d->new_len + d->len;
	const struct place *p = &t->places[place_at(t, was)];

	fprintf(stderr, "   false at %" PRIu64 ": byte %" PRIu64 " of %" PRIu64 " of %s at %" PRIu64 "\n", at,
		was - p->at, p->len, strata[p->what], p->at);
}

static bool is_telling(void)
{
	return getenv("DAMAGE_TELL") != NULL;
}

/* Producers leave some out. */
static uint64_t nulls_of_sound(const struct truth *t, int fd, uint8_t *given)
{
	struct damage none = { .copy = t->file };
	struct result result = { 0 };

	read_copy(fd, &none, NULL, given, &result);
	return result.nulls;
}

static struct result compare(const struct truth *t, const struct damage *d, uint8_t *given,
			     struct result result)
{
	bool is_missing = false;

	for (size_t i = 0; i < t->count; i++) {
		const struct place *p = &t->places[i];
		uint64_t at = moved(d, p->at);

		if (p->what != EVENTS)
			continue;
		if (is_touched(d, p)) {
			result.hit++;
			is_missing |= p->at < d->at && !given[p->at];
			if (p->at < d->at)
				given[p->at] = 0;
		} else {
			result.lost += !given[at];
			given[at] = 0;
		}
	}
	for (uint64_t at = 0; at < d->copy.len; at++) {
		if (given[at] != WHOLE)
			continue;
		if (result.false_ones++ < 4 && is_telling())
			tell_false(t, d, at);
	}
	result.is_silent &= is_missing || result.lost || result.nulls > (d->len == 1);
	return result;
}

/* Reporting -------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

struct row {
	uint64_t *hit, *lost, *nulls;
	uint64_t n, over, false_ones, false_copies, silent;
};

static void tell_seed(const struct damage *d, const struct result *r, uint64_t seed)
{
	if (is_telling())
		fprintf(stderr,
			"seed %" PRIu64 ": %" PRIu64 " bytes at %" PRIu64 " become %" PRIu64
			": hit %" PRIu64 ", lost %" PRIu64 ", false %" PRIu64 "%s\n",
			seed, d->len, d->at, d->new_len, r->hit, r->lost, r->false_ones,
			r->is_silent ? ", silent" : "");
}

/* So that what failed can be looked at. */
static void keep_copy(const struct damage *d, enum what what, enum how how, uint64_t seed)
{
	const char *directory = getenv("DAMAGE_KEEP");
	char path[4096];
	FILE *out;

	if (!directory)
		return;
	snprintf(path, sizeof(path), "%s/%s-%d-%" PRIu64 ".jfr", directory, strata[what], (int)how, seed);
	out = fopen(path, "wb");
	if (!out || fwrite(d->copy.bytes, 1, d->copy.len, out) != d->copy.len || fclose(out) != 0)
		die(path);
}

/* A row of the table is a line of TAP, too. */
static int rows;

static bool print_row(struct row *row, enum what what, enum how how)
{
	uint64_t n = row->n;
	bool ok = row->over * 100 <= n && !row->false_ones && !row->silent;

	if (n == 0)
		return true;
	printf("%s %d - ", ok ? "ok" : "not ok", ++rows);
	qsort(row->hit, n, sizeof(*row->hit), by_value);
	qsort(row->lost, n, sizeof(*row->lost), by_value);
	qsort(row->nulls, n, sizeof(*row->nulls), by_value);
	printf("%-12s %-18s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 " %6" PRIu64
	       " %6" PRIu64 " %6" PRIu64 " %6" PRIu64 "\n",
	       strata[what], ways[how], n, row->hit[n / 2], row->lost[n / 2],
	       row->lost[n * 99 / 100], row->lost[n - 1], row->over, row->false_ones,
	       row->nulls[n / 2], row->silent);
	fflush(stdout);
	return ok;
}

static bool run(const struct truth *t, const struct file *other, const char *types, enum what what,
		enum how how, uint64_t first, uint64_t end)
{
	uint64_t seeds = end - first;
	struct row row = { .hit = calloc(seeds, sizeof(uint64_t)),
			   .lost = calloc(seeds, sizeof(uint64_t)),
			   .nulls = calloc(seeds, sizeof(uint64_t)) };
	size_t most = t->file.len + PAGE;
	struct damage d = { .copy.bytes = malloc(most) };
	uint8_t *given = malloc(most + 1);
	uint64_t four_kib = t->events * PAGE / t->file.len;
	int fd = memfd_create("damage", MFD_CLOEXEC);
	uint64_t always;
	bool ok;

	if (!row.hit || !row.lost || !row.nulls || !d.copy.bytes || !given || fd < 0)
		die("memory");
	always = nulls_of_sound(t, fd, given);
	for (uint64_t seed = first; seed < end; seed++) {
		struct result r = { 0 };
		bool is_over;

		state = seed * WAYS * STRATA + what * WAYS + how;
		if (!choose(t, &d, what, how))
			break;
		spoil(t, &d, how, other);
		read_copy(fd, &d, types, given, &r);
		r.nulls = r.nulls > always ? r.nulls - always : 0;
		r = compare(t, &d, given, r);
		is_over = r.lost > (what == EVENTS ? 3 * r.hit + four_kib : 0);
		if (is_over || r.false_ones || r.is_silent) {
			tell_seed(&d, &r, seed);
			keep_copy(&d, what, how, seed);
		}
		row.hit[row.n] = r.hit;
		row.nulls[row.n] = r.nulls;
		row.lost[row.n++] = r.lost;
		row.over += is_over;
		row.false_ones += r.false_ones;
		row.silent += r.is_silent;
	}
	close(fd);
	ok = print_row(&row, what, how);
	free(row.hit);
	free(row.lost);
	free(row.nulls);
	free(d.copy.bytes);
	free(given);
	return ok;
}

static bool is_asked(int argc, char **argv, enum what what)
{
	for (int i = 5; i < argc; i++) {
		if (strcmp(argv[i], strata[what]) == 0)
			return true;
	}
	return argc <= 5;
}

int main(int argc, char **argv)
{
	struct truth t;
	struct file other;
	uint64_t first = 0, seeds;
	bool ok = true;
	char *rest;

	if (argc < 5) {
		fputs("usage: damage SEEDS|FIRST-END RECORDING OTHER TYPES [STRATUM...]\n", stderr);
		return 2;
	}
	seeds = strtoull(argv[1], &rest, 10);
	if (*rest == '-') {
		first = seeds;
		seeds = strtoull(rest + 1, NULL, 10);
	}
	t = learn(argv[2]);
	other = load(argv[3]);
	printf("#       %-12s %-18s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n", "stratum", "damage", "copies", "hit",
	       "lost", "99%", "most", "over", "false", "nulls", "silent");
	for (enum what what = EVENTS; what < STRATA; what++) {
		for (enum how how = NOISE; how < WAYS && is_asked(argc, argv, what); how++)
			ok &= run(&t, &other, strcmp(argv[4], "none") ? argv[4] : NULL, what, how,
				  first, seeds);
	}
	printf("1..%d\n", rows);
	free(t.places);
	free(t.file.bytes);
	free(other.bytes);
	return !ok;
}
