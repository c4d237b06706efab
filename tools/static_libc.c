/* SPDX-License-Identifier: MIT */
/*
 * static_libc.c - functions of the C library, for the static file, as fast as those of glibc
 *
 * The compiler brings a C library that compares texts byte by byte, calls a function for each
 * variable of the environment, and swaps bytes to sort.  Here are strcmp(), strncmp() and memcmp()
 * by eight bytes, where the first byte is the lowest of a number, strlen() by sixteen where the
 * processor has them, getenv(), and qsort() by merging: like that of glibc it keeps the order of
 * equals.  static_copy.c copies.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Texts ---------------------------------------------------------------------------------------- */

#define EACH_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))
#define PAGE		((uintptr_t)4096)

/* What is behind the end of a text may be read if it is in the same page. */
static int has_eight(const char *text)
{
	return ((uintptr_t)text & (PAGE - 1)) <= PAGE - 8;
}

static uint64_t eight(const char *text)
{
	uint64_t bytes;

	memcpy(&bytes, text, sizeof(bytes));
	return bytes;
}

/* The lowest bit that is set belongs to the first byte that differs, or that ends the texts. */
static uint64_t deciding(uint64_t a, uint64_t b)
{
	return ((a - EACH_BYTE(1)) & ~a & EACH_BYTE(0x80)) | (a ^ b);
}

static int difference(uint64_t a, uint64_t b, uint64_t decided)
{
	unsigned shift = (unsigned)__builtin_ctzll(decided) & ~7u;

	return (int)(a >> shift & 0xff) - (int)(b >> shift & 0xff);
}

static inline int compare_texts(const char *a, const char *b, size_t n)
{
	/* Most differ here. */
	if (n && *a != *b)
		return (unsigned char)*a - (unsigned char)*b;
	while (n) {
		if (n >= 8 && has_eight(a) && has_eight(b)) {
			uint64_t x = eight(a), y = eight(b), decided = deciding(x, y);

			if (decided)
				return difference(x, y, decided);
			a += 8;
			b += 8;
			n -= 8;
		} else {
			if (*a != *b || !*a)
				return (unsigned char)*a - (unsigned char)*b;
			a++;
			b++;
			n--;
		}
	}
	return 0;
}

int strcmp(const char *a, const char *b)
{
	return compare_texts(a, b, SIZE_MAX);
}

int strncmp(const char *a, const char *b, size_t n)
{
	return compare_texts(a, b, n);
}

static inline int compare_bytes(const char *a, const char *b, size_t n)
{
	for (; n >= 8; n -= 8, a += 8, b += 8) {
		uint64_t x = eight(a), y = eight(b);

		if (x != y)
			return difference(x, y, x ^ y);
	}
	for (; n; n--, a++, b++) {
		if (*a != *b)
			return (unsigned char)*a - (unsigned char)*b;
	}
	return 0;
}

int memcmp(const void *a, const void *b, size_t n)
{
	return compare_bytes(a, b, n);
}

/* What the compiler calls when only zero or not matters. */
int bcmp(const void *a, const void *b, size_t n)
{
	return compare_bytes(a, b, n);
}

#ifdef __SSE2__
typedef char sixteen __attribute__((vector_size(16), may_alias));

/*
 * A bit for each zero of the sixteen bytes. What is before or behind a text is in the same page, which
 * the sanitizer of addresses does not know.
 */
__attribute__((no_sanitize_address))
static unsigned zeros(const char *at)
{
	return (unsigned)__builtin_ia32_pmovmskb128(*(const sixteen *)(const void *)at == 0);
}

size_t strlen(const char *text)
{
	const char *at = (const char *)((uintptr_t)text & ~(uintptr_t)15);
	unsigned found = zeros(at) >> (text - at);

	if (found)
		return (size_t)__builtin_ctz(found);
	do
		found = zeros(at += 16);
	while (!found);
	return (size_t)(at - text) + (size_t)__builtin_ctz(found);
}
#endif

/* The environment ------------------------------------------------------------------------------ */

extern char **environ;

/* Each time of day that is shown asks for TZ. */
char *getenv(const char *name)
{
	size_t length = strlen(name);

	if (!length || strchr(name, '=') || !environ)
		return NULL;
	for (char **at = environ; *at; at++) {
		if (**at == *name && strncmp(*at, name, length) == 0 && (*at)[length] == '=')
			return *at + length + 1;
	}
	return NULL;
}

/* Sorting -------------------------------------------------------------------------------------- */

typedef int compare_fn(const void *, const void *, void *);

struct sort {
	size_t size;
	compare_fn *compare;
	void *context;
	char *room; /* for all that is sorted */
};

static void move(char *to, const char *from, size_t size)
{
	for (; size >= 8; size -= 8, to += 8, from += 8)
		memcpy(to, from, 8);
	for (; size; size--)
		*to++ = *from++;
}

/* Two halves that are sorted: what is left of the second one is in its place already. */
static void merge(const struct sort *s, char *all, size_t half, size_t count)
{
	const char *a = all, *b = all + half * s->size;
	const char *a_end = b, *b_end = all + count * s->size;
	char *to = s->room;

	while (a < a_end && b < b_end) {
		const char **from = s->compare(a, b, s->context) <= 0 ? &a : &b;

		move(to, *from, s->size);
		*from += s->size;
		to += s->size;
	}
	memcpy(to, a, (size_t)(a_end - a));
	memcpy(all, s->room, (size_t)(to - s->room) + (size_t)(a_end - a));
}

static void merge_sort(const struct sort *s, char *all, size_t count)
{
	size_t half = count / 2;

	if (count < 2)
		return;
	merge_sort(s, all, half);
	merge_sort(s, all + half * s->size, count - half);
	merge(s, all, half, count);
}

static void swap(char *a, char *b, size_t size)
{
	for (; size; size--, a++, b++) {
		char c = *a;

		*a = *b;
		*b = c;
	}
}

/* Let the element at `top` sink below those that are greater. */
static void sink(const struct sort *s, char *all, size_t top, size_t count)
{
	for (size_t child; (child = 2 * top + 1) < count; top = child) {
		char *at = all + child * s->size;

		if (child + 1 < count && s->compare(at, at + s->size, s->context) < 0) {
			child++;
			at += s->size;
		}
		if (s->compare(all + top * s->size, at, s->context) >= 0)
			return;
		swap(all + top * s->size, at, s->size);
	}
}

/* For when there is no memory: it needs none. */
static void heap_sort(const struct sort *s, char *all, size_t count)
{
	for (size_t i = count / 2; i; i--)
		sink(s, all, i - 1, count);
	for (size_t i = count; i > 1; i--) {
		swap(all, all + (i - 1) * s->size, s->size);
		sink(s, all, 0, i - 1);
	}
}

void qsort_r(void *all, size_t count, size_t size, compare_fn *compare, void *context)
{
	struct sort s = { .size = size, .compare = compare, .context = context };
	char small[512];

	if (count < 2 || !size)
		return;
	s.room = count <= sizeof(small) / size ? small : malloc(count * size);
	if (s.room)
		merge_sort(&s, all, count);
	else
		heap_sort(&s, all, count);
	if (s.room != small)
		free(s.room);
}

static int compare_two(const void *a, const void *b, void *context)
{
	return (*(int (**)(const void *, const void *))context)(a, b);
}

void qsort(void *all, size_t count, size_t size, int (*compare)(const void *, const void *))
{
	qsort_r(all, count, size, compare_two, &compare);
}
