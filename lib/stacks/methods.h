/* SPDX-License-Identifier: MIT */
/*
 * methods.h - what each method weighs: alone, and with all that it calls
 */
#ifndef JFREC_STACKS_METHODS_H
#define JFREC_STACKS_METHODS_H

#include "stacks/stacks.h"

struct method_weight {
	uint32_t name; /* number in the book's names */
	int64_t self, total;
};

struct method_list {
	struct method_weight *list;
	size_t count;
};

enum method_order {
	BY_SELF,
	BY_TOTAL,
};

/*
 * The methods of a tree by what they weigh, the heaviest first. What is called by itself counts
 * once in its total. 0, or -1 when memory is gone; to be given to methods_fini().
 */
int methods_of(const struct jfrec_stacks *s, size_t kind, struct tree *t,
	       enum method_order order, struct method_list *m);
void methods_fini(struct method_list *m);

#endif
