/* SPDX-License-Identifier: MIT */
/*
 * mutate.c - recordings that were cut short, and such with a bit turned over
 *
 *    mutate DIRECTORY...         all .jfr in them; two tests each
 *
 * Each recording is cut at every byte of its first 256, which is where the
 * header and the first events are, and at fifty places or more behind; and bits
 * are flipped one at a time, half of them in the last 4 KiB, where the tail of
 * the metadata is.  The places come from a fixed seed, so every run is the same.
 *
 * The exercises come by turns: a large recording meets one at each place, most
 * of whose time goes to the metadata, a small one two at each cut and a third
 * of them at each bit.
 */
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "exercise.h"

#define SMALL (16u << 10)
#define DENSE (1u << 8)
#define TAIL (4u << 10)

/* One mutation of one recording must be done in this time, sanitizers included. */
#define SECONDS 20

/* Peak memory of the whole run; the recordings themselves have 250 KB at most. */
#define MAX_MEMORY_MB 128

static void (*const exercises[])(void) = {
	exercise_values, exercise_text,	    exercise_summary, exercise_json,
	exercise_table,	 exercise_view,	    exercise_types,    exercise_choice,  exercise_ndjson,
	exercise_xml,	 exercise_metadata, exercise_exact,   exercise_repair,
	exercise_where,	 exercise_filter,   exercise_merge,   exercise_scrub,
	exercise_cost,	 exercise_places,   exercise_lent,
};

#define EXERCISES (sizeof(exercises) / sizeof(*exercises))

/* What is being done, for the last words. */
static char now[256];

static void die_telling(int signal)
{
	ssize_t ignored;

	ignored = write(STDOUT_FILENO, now, strlen(now));
	(void)ignored;
	if (signal == SIGALRM)
		_exit(1);
	raise(signal);
}

/* A sanitizer has its own way to tell of a signal. */
static void tell_on(int signal)
{
	struct sigaction old, new = { .sa_handler = die_telling, .sa_flags = (int)SA_RESETHAND };

	if (sigaction(signal, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
		sigaction(signal, &new, NULL);
}

/* xorshift64*: the same places everywhere. */
static uint64_t seed;

static uint64_t below(uint64_t n)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (seed * 0x2545f4914f6cdd1du >> 33) % n;
}

/* One mutation: as many exercises as that, from where the last one ended. */
static void exercise(const uint8_t *bytes, size_t len, unsigned turns, const char *name,
		     const char *what, uint64_t where)
{
	static size_t turn;

	snprintf(now, sizeof(now), "\nnot ok - died or did not end: %s %s %llu\n", name, what,
		 (unsigned long long)where);
	exercise_bytes(bytes, len);
	alarm(SECONDS);
	for (; turns; turns--)
		exercises[turn++ % EXERCISES]();
	alarm(0);
}

static unsigned cut(const uint8_t *bytes, size_t len, const char *name)
{
	unsigned places = len <= SMALL ? 150 : 50, turns = len <= SMALL ? 2 : 1;
	size_t dense = len < DENSE ? len : DENSE;

	for (size_t i = 0; i < dense; i++)
		exercise(bytes, i, turns, name, "cut at byte", i);
	if (len == dense)
		return (unsigned)dense;
	for (unsigned i = 0; i < places; i++) {
		size_t at = dense + below(len - dense);

		exercise(bytes, at, turns, name, "cut at byte", at);
	}
	return (unsigned)dense + places;
}

static unsigned flip(uint8_t *bytes, size_t len, const char *name)
{
	unsigned places = len <= SMALL ? 200 : 60, turns = len <= SMALL ? EXERCISES / 3 : 1;

	for (unsigned i = 0; i < places; i++) {
		size_t tail = len < TAIL ? len : TAIL;
		size_t at = i % 2 ? len - 1 - below(tail) : below(len);
		uint8_t bit = (uint8_t)(1u << below(8));

		bytes[at] ^= bit;
		exercise(bytes, len, turns, name, "with a bit flipped in byte", at);
		bytes[at] ^= bit;
	}
	return places;
}

static int is_recording(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && strcmp(dot, ".jfr") == 0;
}

static int tests, failed;

static void result(int good, const char *name, const char *what)
{
	printf("%s %d - %s%s\n", good ? "ok" : "not ok", ++tests, name, what);
	failed += !good;
}

static void mutate(const char *directory, const char *name)
{
	static uint8_t bytes[1u << 20];
	char path[4096], what[64];
	size_t len;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	f = fopen(path, "rb");
	len = f ? fread(bytes, 1, sizeof(bytes), f) : 0;
	if (f)
		fclose(f);
	if (len == 0 || len == sizeof(bytes)) {
		result(0, name, " is empty or too large");
		return;
	}
	seed = 0x9e3779b97f4a7c15u + len;
	snprintf(what, sizeof(what), " cut at %u places", cut(bytes, len, name));
	result(1, name, what);
	snprintf(what, sizeof(what), " with %u bits flipped", flip(bytes, len, name));
	result(1, name, what);
}

/* A sanitizer keeps freed memory for a while, so it is no measure then. */
static void check_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	struct rusage usage;
	char what[64];

	getrusage(RUSAGE_SELF, &usage);
	snprintf(what, sizeof(what), " %ld of %d MB", usage.ru_maxrss >> 10, MAX_MEMORY_MB);
	result(usage.ru_maxrss >> 10 < MAX_MEMORY_MB, "memory stays bounded:", what);
#endif
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	tell_on(SIGABRT);
	tell_on(SIGSEGV);
	tell_on(SIGBUS);
	tell_on(SIGFPE);
	tell_on(SIGALRM);
	for (int i = 1; i < argc; i++) {
		struct dirent **entries;
		int n = scandir(argv[i], &entries, is_recording, alphasort);

		if (n <= 0) {
			result(0, argv[i], ": no recordings are there");
			continue;
		}
		for (int k = 0; k < n; k++) {
			mutate(argv[i], entries[k]->d_name);
			free(entries[k]);
		}
		free(entries);
	}
	check_memory();
	printf("1..%d\n", tests);
	return failed > 0;
}
