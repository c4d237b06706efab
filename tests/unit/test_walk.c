/* SPDX-License-Identifier: MIT */
/* test_walk.c - visit the nodes of a call tree, children in the order of their names */
#include <stdio.h>
#include <string.h>

#include "stacks/stacks.h"

#include "test.h"

/* A tree of frames whose names are letters. */
struct planted {
	struct jfrec_stacks stacks;
	struct tree tree;
	char seen[256];
	char left_out; /* whose children are not visited */
};

static char letter_of(const struct planted *p, uint32_t node)
{
	const struct book *b = &p->stacks.book;

	return node ? b->names.list[b->frames.list[p->tree.nodes[node].frame].name].text[0] : '.';
}

static int enter(void *ctx, uint32_t node, unsigned depth)
{
	struct planted *p = ctx;
	char text[16];

	snprintf(text, sizeof(text), "%c%u ", letter_of(p, node), depth);
	strcat(p->seen, text);
	return letter_of(p, node) != p->left_out;
}

static void leave(void *ctx, uint32_t node, unsigned depth)
{
	struct planted *p = ctx;
	char text[16];

	snprintf(text, sizeof(text), "/%c%u ", letter_of(p, node), depth);
	strcat(p->seen, text);
}

static void plant(struct planted *p, const char *stack)
{
	uint32_t at = 0;

	for (; *stack; stack++) {
		uint32_t name = name_set_put(&p->stacks.book.names, stack, 1);

		at = tree_child(&p->tree, at, frames_put(&p->stacks.book.frames,
							 (struct frame){ .name = name }));
	}
}

static void plant_some(struct planted *p)
{
	*p = (struct planted){ 0 };
	CHECK_INT(tree_init(&p->tree), 0);
	plant(p, "bz");
	plant(p, "ca");
	plant(p, "by");
	plant(p, "a");
	plant(p, "bya");
}

static void fini(struct planted *p)
{
	tree_fini(&p->tree);
	book_fini(&p->stacks.book);
}

static void visit(struct planted *p, bool leaves)
{
	struct stacks_walk w = { &p->stacks, &p->tree, enter, leaves ? leave : NULL, p };

	p->seen[0] = '\0';
	CHECK_INT(stacks_visit(&w), 0);
}

static void test_children_come_by_name(void)
{
	struct planted p;

	plant_some(&p);
	visit(&p, false);
	CHECK_TEXT(p.seen, strlen(p.seen), ".0 a1 b1 y2 a3 z2 c1 a2 ");
	fini(&p);
}

static void test_each_is_left_after_its_children(void)
{
	struct planted p;

	plant_some(&p);
	visit(&p, true);
	CHECK_TEXT(p.seen, strlen(p.seen),
		   ".0 a1 /a1 b1 y2 a3 /a3 /y2 z2 /z2 /b1 c1 a2 /a2 /c1 /.0 ");
	fini(&p);
}

static void test_what_is_below_is_left_out(void)
{
	struct planted p;

	plant_some(&p);
	p.left_out = 'y';
	visit(&p, true);
	CHECK_TEXT(p.seen, strlen(p.seen), ".0 a1 /a1 b1 y2 z2 /z2 /b1 c1 a2 /a2 /c1 /.0 ");
	fini(&p);
}

static void test_a_tree_that_has_grown_is_ordered_again(void)
{
	struct planted p;

	plant_some(&p);
	visit(&p, false);
	plant(&p, "bx");
	visit(&p, false);
	CHECK_TEXT(p.seen, strlen(p.seen), ".0 a1 b1 x2 y2 a3 z2 c1 a2 ");
	fini(&p);
}

int main(void)
{
	test_begin("children_come_by_name");
	test_children_come_by_name();
	test_begin("each_is_left_after_its_children");
	test_each_is_left_after_its_children();
	test_begin("what_is_below_is_left_out");
	test_what_is_below_is_left_out();
	test_begin("a_tree_that_has_grown_is_ordered_again");
	test_a_tree_that_has_grown_is_ordered_again();
	return test_end();
}
