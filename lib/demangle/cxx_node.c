/* SPDX-License-Identifier: MIT */
/*
 * cxx_node.c - the nodes and the numbers of symbols of C++
 */
#include "demangle/cxx.h"

/* Nodes ---------------------------------------------------------------------------------------- */

struct cxx_node *cxx_node(struct cxx *c, enum cxx_kind kind, const struct cxx_node *left,
			  const struct cxx_node *right)
{
	struct cxx_node *n = shown_step(c->out) ? arena_alloc(c->arena, sizeof(*n)) : NULL;

	if (n)
		*n = (struct cxx_node){ .kind = (uint8_t)kind, .left = left, .right = right };
	return n;
}

const struct cxx_node *cxx_wrap(struct cxx *c, enum cxx_kind kind, const struct cxx_node *left)
{
	return left ? cxx_node(c, kind, left, NULL) : NULL;
}

const struct cxx_node *cxx_join(struct cxx *c, enum cxx_kind kind, const struct cxx_node *left,
				const struct cxx_node *right)
{
	return left && right ? cxx_node(c, kind, left, right) : NULL;
}

const struct cxx_node *cxx_text(struct cxx *c, enum cxx_kind kind, const char *text, size_t len,
				const struct cxx_node *left)
{
	struct cxx_node *n = cxx_node(c, kind, left, NULL);

	if (n) {
		n->text = text;
		n->len = (uint32_t)len;
	}
	return n;
}

const struct cxx_node *cxx_numbered(struct cxx *c, enum cxx_kind kind, unsigned number,
				    const struct cxx_node *left, const struct cxx_node *right)
{
	struct cxx_node *n = cxx_node(c, kind, left, right);

	if (n)
		n->number = number;
	return n;
}

bool cxx_eat_end(struct cxx *c)
{
	return cxx_eat(c, 'E');
}

bool cxx_list(struct cxx *c, const struct cxx_node *(*item)(struct cxx *c),
	      bool (*ends)(struct cxx *c), const struct cxx_node **first)
{
	struct cxx_node *last = NULL, *n;
	const struct cxx_node *one;

	*first = NULL;
	while (!ends(c)) {
		one = item(c);
		n = one ? cxx_node(c, CXX_LIST, one, NULL) : NULL;
		if (!n)
			return false;
		if (last)
			last->right = n;
		else
			*first = n;
		last = n;
	}
	return true;
}

const struct cxx_node *cxx_remember(struct cxx *c, const struct cxx_node *n)
{
	const struct cxx_node **larger;
	unsigned room = c->repeated_room ? 2 * c->repeated_room : 32;

	if (n && c->repeated_count == c->repeated_room) {
		larger = arena_alloc(c->arena, room * sizeof(*larger));
		if (!larger)
			return NULL;
		if (c->repeated_count)
			memcpy(larger, c->repeated, c->repeated_count * sizeof(*larger));
		c->repeated = larger;
		c->repeated_room = room;
	}
	if (n)
		c->repeated[c->repeated_count++] = n;
	return n;
}

/* Numbers -------------------------------------------------------------------------------------- */

bool cxx_number(struct cxx *c, unsigned *number)
{
	const char *from = c->at;

	*number = 0;
	while (cxx_is_digit(cxx_peek(c)) && *number < 100000000)
		*number = *number * 10 + (unsigned)(*c->at++ - '0');
	return c->at > from && !cxx_is_digit(cxx_peek(c));
}

static int digit_of(char ch)
{
	if (cxx_is_digit(ch))
		return ch - '0';
	return ch >= 'A' && ch <= 'Z' ? ch - 'A' + 10 : 99;
}

bool cxx_sequence(struct cxx *c, unsigned base, unsigned *number)
{
	*number = 0;
	if (cxx_eat(c, '_'))
		return true;
	while ((unsigned)digit_of(cxx_peek(c)) < base && *number < 10000000)
		*number = *number * base + (unsigned)digit_of(*c->at++);
	++*number;
	return cxx_eat(c, '_');
}
