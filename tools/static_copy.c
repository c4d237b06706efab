/* SPDX-License-Identifier: MIT */
/*
 * static_copy.c - memcpy() and memmove() for the static file, as fast as those of glibc
 *
 * Most of what is copied is short.  A piece of it is read at its beginning and another one at its
 * end, both before anything is written; where they overlap, the same bytes are written twice.  So
 * no byte is copied by itself, and it does not matter whether the two places overlap.
 *
 * -fno-builtin: else the compiler would make a call of memcpy() of them.
 */
#include <stddef.h>
#include <stdint.h>

#define ANYWHERE __attribute__((aligned(1), may_alias))

typedef uint16_t two ANYWHERE;
typedef uint32_t four ANYWHERE;
typedef uint64_t eight ANYWHERE;
typedef uint64_t sixteen __attribute__((vector_size(16), aligned(1), may_alias));

#define COPY_ENDS(type, to, from, n)                                                              \
	do {                                                                                      \
		type first = *(const type *)(from);                                               \
		type last = *(const type *)((from) + (n) - sizeof(type));                         \
		*(type *)(to) = first;                                                            \
		*(type *)((to) + (n) - sizeof(type)) = last;                                      \
	} while (0)

static inline void copy_short(char *to, const char *from, size_t n)
{
	if (n >= 8)
		COPY_ENDS(eight, to, from, n);
	else if (n >= 4)
		COPY_ENDS(four, to, from, n);
	else if (n >= 2)
		COPY_ENDS(two, to, from, n);
	else if (n)
		*to = *from;
}

/* 33 to 64 bytes. */
static inline void copy_four(char *to, const char *from, size_t n)
{
	sixteen a = *(const sixteen *)from, b = *(const sixteen *)(from + 16);
	sixteen y = *(const sixteen *)(from + n - 32), z = *(const sixteen *)(from + n - 16);

	*(sixteen *)to = a;
	*(sixteen *)(to + 16) = b;
	*(sixteen *)(to + n - 32) = y;
	*(sixteen *)(to + n - 16) = z;
}

struct piece {
	sixteen a, b, c, d;
};

static inline struct piece read_piece(const char *from)
{
	return (struct piece){ *(const sixteen *)from, *(const sixteen *)(from + 16),
			       *(const sixteen *)(from + 32), *(const sixteen *)(from + 48) };
}

static inline void write_piece(char *to, struct piece p)
{
	*(sixteen *)to = p.a;
	*(sixteen *)(to + 16) = p.b;
	*(sixteen *)(to + 32) = p.c;
	*(sixteen *)(to + 48) = p.d;
}

/* What is written was read before, but for the end, which is read first. */
static inline void copy_up(char *to, const char *from, size_t n)
{
	const char *end = from + n - 64;
	char *to_end = to + n - 64;
	const struct piece last = read_piece(end);

	for (; from < end; from += 64, to += 64)
		write_piece(to, read_piece(from));
	write_piece(to_end, last);
}

/* The same from the end, for a place behind the one that is read, in which it begins. */
static inline void copy_down(char *to, const char *from, size_t n)
{
	const struct piece first = read_piece(from);

	for (; n > 64; n -= 64)
		write_piece(to + n - 64, read_piece(from + n - 64));
	write_piece(to, first);
}

void *memmove(void *to, const void *from, size_t n)
{
	if (n <= 16)
		copy_short(to, from, n);
	else if (n <= 32)
		COPY_ENDS(sixteen, (char *)to, (const char *)from, n);
	else if (n <= 64)
		copy_four(to, from, n);
	else if ((uintptr_t)to - (uintptr_t)from >= n)
		copy_up(to, from, n);
	else
		copy_down(to, from, n);
	return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	return memmove(to, from, n);
}
