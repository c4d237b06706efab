/* SPDX-License-Identifier: MIT */
/* test_jdk_heap.c - the orders in which the JDK's tool prints events */
#include "print/jdk_heap.h"

#include "test.h"

/* Equal items leave java.util.PriorityQueue in an order of their own. */
static const struct {
	const char *name, *offered, *polled; /* a letter each, offered with the time below it */
	const char *times;
} heaps[] = {
	{ "heap_ascending", "abcd", "abcd", "1234" },
	{ "heap_descending", "abcd", "dcba", "4321" },
	{ "heap_all_equal", "abcdefg", "agfedcb", "1111111" },
	{ "heap_two_equal", "abc", "acb", "122" },
	{ "heap_mixed", "abcdefghij", "fdiabcejgh", "2332414524" },
	{ "heap_two_times", "abcdefghijklmnop", "aeoikcmgdhblnpjf", "1212121212121212" },
};

static void check_heap(size_t i)
{
	size_t n = strlen(heaps[i].offered);
	struct heap h = { 0 };
	char polled[32];

	for (size_t k = 0; k < n; k++)
		heap_offer(&h, (struct heap_item){ .ns = heaps[i].times[k] - '0',
						   .ref.offset = (uint64_t)heaps[i].offered[k] });
	for (size_t k = 0; k < n; k++)
		polled[k] = (char)heap_poll(&h).ref.offset;
	CHECK_TEXT(polled, n, heaps[i].polled);
	CHECK_INT((int64_t)h.count, 0);
	heap_fini(&h);
}

static void test_contexts(void)
{
	struct heap h = { 0 };

	test_begin("heap_begins_before_it_ends");
	heap_offer(&h, (struct heap_item){ .ns = 5, .ref.is_end = 1, .ref.offset = 1 });
	heap_offer(&h, (struct heap_item){ .ns = 5, .ref.is_end = 0, .ref.offset = 2 });
	heap_offer(&h, (struct heap_item){ .ns = INT64_MIN, .ref.is_end = 1, .ref.offset = 3 });
	CHECK_INT((int64_t)heap_poll(&h).ref.offset, 3);
	CHECK_INT((int64_t)heap_poll(&h).ref.offset, 2);
	CHECK_INT((int64_t)heap_poll(&h).ref.offset, 1);
	heap_fini(&h);

	test_begin("heap_items_hold_their_greatest");
	heap_offer(&h, (struct heap_item){ .ns = -1,
					   .ref.tag = 3,
					   .ref.chunk = HEAP_MAX_CHUNK,
					   .ref.offset = HEAP_MAX_OFFSET });
	CHECK_INT(heap_poll(&h).ref.chunk, HEAP_MAX_CHUNK);
	heap_fini(&h);
}

static void test_large_heap(void)
{
	struct heap h = { 0 };
	uint64_t random = 1;
	int64_t last = INT64_MIN;
	bool ascends = true;

	test_begin("heap_of_a_million_ascends");
	for (int i = 0; i < 1000000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		heap_offer(&h, (struct heap_item){ .ns = (int64_t)random });
	}
	while (h.count) {
		struct heap_item item = heap_poll(&h);

		ascends &= item.ns >= last;
		last = item.ns;
	}
	CHECK(ascends);
	heap_fini(&h);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(heaps) / sizeof(*heaps); i++) {
		test_begin(heaps[i].name);
		check_heap(i);
	}
	test_contexts();
	test_large_heap();
	return test_end();
}
