/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <sys/mman.h>

#include "test.h"

/* Under other names, beside those of this C library; memory is there if it is to be. */
static bool has_memory = true;

static void *some(size_t size)
{
	return has_memory ? malloc(size) : NULL;
}

#define malloc	some
#define strcmp	own_strcmp
#define strncmp own_strncmp
#define memcmp	own_memcmp
#define bcmp	own_bcmp
#define strlen	own_strlen
#define getenv	own_getenv
#define qsort	own_qsort
#define qsort_r own_qsort_r
int own_strcmp(const char *a, const char *b);
int own_strncmp(const char *a, const char *b, size_t n);
int own_memcmp(const void *one, const void *other, size_t n);
int own_bcmp(const void *one, const void *other, size_t n);
size_t own_strlen(const char *text);
char *own_getenv(const char *name);
void own_qsort(void *all, size_t count, size_t size, int (*compare)(const void *, const void *));
void own_qsort_r(void *all, size_t count, size_t size,
		 int (*compare)(const void *, const void *, void *), void *context);
#include "../../tools/static_libc.c"
#undef malloc
#undef strcmp
#undef strncmp
#undef memcmp
#undef bcmp
#undef strlen
#undef getenv
#undef qsort
#undef qsort_r

static unsigned random_number(void)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33);
}

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

/* Texts of 0 to 40 bytes that begin alike, with bytes from 1 to 255. */
static void fill(char *text, size_t len, char common)
{
	memset(text, common, len);
	if (len && random_number() % 4)
		text[random_number() % len] = (char)(random_number() % 255 + 1);
	text[len] = '\0';
}

/* Texts that end where memory does. */
static void check_texts(char *a_end, char *b_end)
{
	for (int i = 0; i < 100000; i++) {
		size_t a_len = random_number() % 40, b_len = random_number() % 40;
		size_t n = random_number() % 45;
		char *a = a_end - a_len - 1, *b = b_end - b_len - 1;

		fill(a, a_len, 'a');
		fill(b, b_len, 'a');
		CHECK_INT(sign(own_strcmp(a, b)), sign(strcmp(a, b)));
		CHECK_INT(sign(own_strncmp(a, b, n)), sign(strncmp(a, b, n)));
		n = a_len < b_len ? a_len : b_len;
		CHECK_INT(sign(own_memcmp(a, b, n)), sign(memcmp(a, b, n)));
		CHECK_INT(!own_bcmp(a, b, n), !memcmp(a, b, n));
#ifdef __SSE2__
		CHECK_INT(own_strlen(a), a_len);
#endif
	}
}

/* A page with none behind it; `shift` bytes before its end. */
static char *end_of_page(size_t shift)
{
	char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE) != 0)
		exit(1);
	return pages + PAGE - shift;
}

static void check_environment(void)
{
	static char first[] = "TZ=UTC", longer[] = "TZDIR=/none", empty[] = "NONE=", odd[] = "=";
	static char second[] = "TZ=no";
	char *variables[] = { odd, longer, first, empty, second, NULL };
	char **before = environ;

	environ = variables;
	CHECK(own_getenv("TZ") == first + 3);
	CHECK(own_getenv("TZDIR") == longer + 6);
	CHECK(own_getenv("NONE") == empty + 5);
	CHECK(!own_getenv("T") && !own_getenv("TZD") && !own_getenv("") && !own_getenv("TZ=UTC"));
	environ = NULL;
	CHECK(!own_getenv("TZ"));
	environ = before;
}

struct item {
	unsigned key;
	unsigned place;
	char more[16];
};

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

static int by_byte(const void *a, const void *b, void *context)
{
	++*(unsigned *)context;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

static void check_items(size_t count, bool stable)
{
	struct item *all = calloc(count + 1, sizeof(*all));

	for (size_t i = 0; i < count; i++)
		all[i] = (struct item){ .key = random_number() % 100, .place = (unsigned)i };
	own_qsort(all, count, sizeof(*all), by_key);
	for (size_t i = 1; i < count; i++) {
		CHECK(all[i - 1].key <= all[i].key);
		CHECK(!stable || all[i - 1].key < all[i].key || all[i - 1].place < all[i].place);
	}
	free(all);
}

static void check_bytes(size_t count)
{
	unsigned char all[300];
	unsigned compared = 0;

	for (size_t i = 0; i < count; i++)
		all[i] = (unsigned char)random_number();
	own_qsort_r(all, count, 1, by_byte, &compared);
	for (size_t i = 1; i < count; i++)
		CHECK(all[i - 1] <= all[i]);
	CHECK(count < 2 || compared);
}

int main(void)
{
	test_begin("environment");
	check_environment();
	test_begin("texts_at_the_end_of_memory");
	check_texts(end_of_page(0), end_of_page(0));
	test_begin("texts_of_different_alignment");
	check_texts(end_of_page(3), end_of_page(PAGE / 2));
	test_begin("what_is_equal_keeps_its_order");
	for (size_t count = 0; count < 1000; count += count / 7 + 1)
		check_items(count, true);
	check_items(100000, true);
	test_begin("elements_of_a_byte");
	for (size_t count = 0; count < 300; count++)
		check_bytes(count);
	test_begin("without_memory");
	has_memory = false;
	for (size_t count = 0; count < 1000; count += count / 7 + 1)
		check_items(count, false);
	return test_end();
}
