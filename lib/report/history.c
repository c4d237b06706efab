/* SPDX-License-Identifier: MIT */
/*
 * history.c - a value over time, in bounded memory, of which no extreme is lost
 */
#include "report/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_NS INT64_C(1000000)

/* Slots are at most so wide: 2^30 ms is twelve days. */
#define MAX_WIDTH 30

/* Before the year 2116, and after 1970: arithmetic with slots stays within 64 bits. */
static bool is_sane(int64_t at_ns)
{
	return at_ns >= 0 && at_ns < INT64_MAX / 2;
}

/* A division by a constant, and a shift, take a fraction of the time of any other division. */
static int64_t slot_of(const struct history *s, int64_t at_ns)
{
	return at_ns / SLOT_NS >> s->width;
}

static void join(struct slot *to, const struct slot *from, bool has_steps)
{
	if (!has_steps && from->count) {
		to->first = to->count ? to->first : from->first;
		to->last = from->last;
	}
	if (from->count && (!to->count || from->low < to->low))
		to->low = from->low;
	if (from->count && (!to->count || from->high > to->high))
		to->high = from->high;
	to->count += from->count;
	to->sum += from->sum;
}

/* Slots ---------------------------------------------------------------------------------------- */

/* NULL: it is zero. */
static struct slot *slot_seen(const struct history *s, int64_t slot)
{
	uint64_t at = (uint64_t)(slot - s->base);
	struct slot *page = s->pages[at / HISTORY_PAGE];

	return page ? &page[at % HISTORY_PAGE] : NULL;
}

/* Where the next page begins. */
static int64_t after_page(const struct history *s, int64_t slot)
{
	return slot - (slot - s->base) % HISTORY_PAGE + HISTORY_PAGE;
}

/* Pages from that of the first slot to that of the last. */
static bool make_room(struct history *s, int64_t first, int64_t last)
{
	int64_t base = first - first % HISTORY_PAGE;
	size_t before = s->page_count ? (size_t)(s->base - base) / HISTORY_PAGE : 0;
	size_t count = (size_t)(last - base) / HISTORY_PAGE + 1;
	struct slot **more;

	if (!before && count <= s->page_count)
		return true;
	if (count < before + s->page_count)
		count = before + s->page_count;
	more = realloc(s->pages, count * sizeof(struct slot *));
	if (!more)
		return false;
	memmove(more + before, more, s->page_count * sizeof(struct slot *));
	for (size_t i = 0; i < before; i++)
		more[i] = NULL;
	for (size_t i = before + s->page_count; i < count; i++)
		more[i] = NULL;
	s->pages = more;
	s->page_count = count;
	s->base = base;
	return true;
}

/* A slot between the first and the last one, to be written to.  NULL: no memory. */
static struct slot *slot_made(struct history *s, int64_t slot)
{
	uint64_t at = (uint64_t)(slot - s->base);
	struct slot **page = &s->pages[at / HISTORY_PAGE];

	if (!*page)
		*page = calloc(HISTORY_PAGE, sizeof(**page));
	if (!*page) {
		s->has_failed = true;
		return NULL;
	}
	return &(*page)[at % HISTORY_PAGE];
}

/* The slot of that number, made if it is new. NULL: there would be too many. */
static struct slot *slot_at(struct history *s, int64_t slot)
{
	int64_t first = s->count && s->first < slot ? s->first : slot;
	int64_t last = s->count ? s->first + (int64_t)s->count - 1 : slot;

	if (s->count && s->first <= slot && slot <= last)
		return slot_made(s, slot);
	if (last < slot)
		last = slot;
	if (last - first >= (int64_t)HISTORY_SLOTS)
		return NULL;
	if (!make_room(s, first, last)) {
		s->has_failed = true;
		return NULL;
	}
	s->first = first;
	s->count = (size_t)(last - first) + 1;
	return slot_made(s, slot);
}

/* What was to be added to all slots from one on is added to each. */
static void take_steps(struct history *s)
{
	int64_t end = s->first + (int64_t)s->count;
	double level = 0;

	for (int64_t i = s->first; s->has_steps && i < end; i++) {
		struct slot *slot = level != 0 ? slot_made(s, i) : slot_seen(s, i);

		if (!slot) {
			i = after_page(s, i) - 1;
			continue;
		}
		level += slot->step;
		/* What rounding leaves is nothing. */
		if (fabs(level) <= 1e-9 * fabs(s->sum))
			level = 0;
		slot->sum += level;
		slot->step = 0;
	}
	s->has_steps = false;
}

/* What was in a page goes into slots that are twice as wide. */
static void join_page(struct history *to, const struct history *from, size_t page, bool has_steps)
{
	int64_t begin = from->base + (int64_t)page * HISTORY_PAGE;
	int64_t end = from->first + (int64_t)from->count;

	for (int64_t i = 0; i < HISTORY_PAGE; i++) {
		const struct slot *slot = &from->pages[page][i];
		struct slot *wide;

		if (begin + i < from->first || begin + i >= end)
			continue;
		wide = slot_made(to, (begin + i) / 2);
		if (wide)
			join(wide, slot, has_steps);
	}
}

static void widen(struct history *s)
{
	bool has_steps = s->has_steps;
	struct history old;
	int64_t last;

	take_steps(s);
	old = *s;
	last = (s->first + (int64_t)s->count - 1) / 2;
	s->pages = NULL;
	s->page_count = 0;
	s->first /= 2;
	s->count = (size_t)(last - s->first) + 1;
	s->width++;
	if (!make_room(s, s->first, last))
		s->has_failed = true;
	for (size_t i = 0; i < old.page_count; i++) {
		if (old.pages[i] && !s->has_failed)
			join_page(s, &old, i, has_steps);
		free(old.pages[i]);
	}
	free(old.pages);
}

/* The same by time; slots are widened until there is one. */
static struct slot *slot_for(struct history *s, int64_t at_ns)
{
	struct slot *slot;

	while (!(slot = slot_at(s, slot_of(s, at_ns))) && !s->has_failed && s->width < MAX_WIDTH)
		widen(s);
	return slot;
}

void history_note(struct history *s, int64_t at_ns, double value)
{
	struct slot *slot;

	if (!isfinite(value) || !is_sane(at_ns) || !(slot = slot_for(s, at_ns)))
		return;
	if (!slot->count)
		slot->first = (float)value;
	slot->last = (float)value;
	if (!slot->count || value < slot->low)
		slot->low = value;
	if (!slot->count || value > slot->high)
		slot->high = value;
	slot->count++;
	slot->sum += value;
	if (!s->events || value < s->low) {
		s->low = value;
		s->low_ns = at_ns;
	}
	if (!s->events || value > s->high) {
		s->high = value;
		s->high_ns = at_ns;
	}
	s->events++;
	s->sum += value;
}

/* Amounts of a rate are sums: what is highest is known when all are added up. */
static void add_amount(struct history *s, int64_t at_ns, double amount)
{
	struct slot *slot = slot_for(s, at_ns);

	if (slot)
		slot->sum += amount;
}

/* All slots between the first and the last get the same. */
static void add_between(struct history *s, int64_t from_ns, int64_t to_ns, double amount)
{
	int64_t width = SLOT_NS << s->width, first = slot_of(s, from_ns), last = slot_of(s, to_ns);
	double per_ns = amount / (double)(to_ns - from_ns);
	struct slot *begin, *end, *next;

	if (first == last) {
		add_amount(s, from_ns, amount);
		return;
	}
	begin = slot_made(s, first);
	end = slot_made(s, last);
	next = slot_made(s, first + 1);
	if (!begin || !end || !next)
		return;
	begin->sum += per_ns * (double)((first + 1) * width - from_ns);
	end->sum += per_ns * (double)(to_ns - last * width);
	if (last - first < 2)
		return;
	next->step += per_ns * (double)width;
	end->step -= per_ns * (double)width;
	s->has_steps = true;
}

/* Are both between the first and the last slot, as most are? */
static bool are_inside(const struct history *s, int64_t from_ns, int64_t to_ns)
{
	return s->count && slot_of(s, from_ns) >= s->first &&
	       slot_of(s, to_ns) < s->first + (int64_t)s->count;
}

void history_spread(struct history *s, int64_t from_ns, int64_t to_ns, double amount)
{
	if (!isfinite(amount) || !is_sane(from_ns) || !is_sane(to_ns))
		return;
	s->events++;
	s->sum += amount;
	if (to_ns <= from_ns) {
		add_amount(s, from_ns, amount);
		return;
	}
	/* Both are there before either is used: what makes the one may widen the other. */
	if (!are_inside(s, from_ns, to_ns) &&
	    !(slot_for(s, from_ns) && slot_for(s, to_ns) && slot_for(s, from_ns)))
		return;
	add_between(s, from_ns, to_ns, amount);
}

/* Columns -------------------------------------------------------------------------------------- */

static size_t column_of(int64_t at_ns, int64_t from_ns, int64_t to_ns, size_t count)
{
	double share = (double)(at_ns - from_ns) / (double)(to_ns - from_ns);
	double column = floor(share * (double)count);

	return column <= 0 ? 0 : column >= (double)count ? count - 1 : (size_t)column;
}

static void raise_to(struct history_column *c, double low, double high)
{
	if (!c->has_value || low < c->low)
		c->low = low;
	if (!c->has_value || high > c->high)
		c->high = high;
	c->has_value = true;
}

static void show_values(const struct history *s, const struct history_span *span,
			struct history_column *columns, size_t count)
{
	int64_t width = SLOT_NS << s->width, end = s->first + (int64_t)s->count;

	for (int64_t i = s->first; i < end; i++) {
		const struct slot *slot = slot_seen(s, i);
		int64_t at_ns = i * width;
		struct history_column *c;

		if (!slot)
			i = after_page(s, i) - 1;
		if (!slot || !slot->count || at_ns + width <= span->first_ns ||
		    at_ns >= span->last_ns)
			continue;
		c = &columns[column_of(at_ns, span->from_ns, span->to_ns, count)];
		if (!c->has_value)
			c->first = slot->first;
		c->last = slot->last;
		raise_to(c, slot->low, slot->high);
		c->sum += slot->sum;
	}
}

/* A rate holds for a span of time: all columns that it touches show it. */
static void show_rate(struct history_column *columns, size_t count, int64_t from_ns, int64_t to_ns,
		      int64_t begin_ns, int64_t end_ns, double amount)
{
	double rate = amount * 1e9 / (double)(end_ns - begin_ns);
	size_t first, last;

	if (end_ns <= from_ns || begin_ns >= to_ns || rate < 0)
		return;
	first = column_of(begin_ns, from_ns, to_ns, count);
	last = column_of(end_ns - 1, from_ns, to_ns, count);
	for (size_t i = first; i <= last; i++)
		raise_to(&columns[i], rate, rate);
	columns[first].sum += amount;
}

static void show_amounts(struct history *s, int64_t from_ns, int64_t to_ns, int64_t window_ns,
			 struct history_column *columns, size_t count)
{
	int64_t width = SLOT_NS << s->width, each = window_ns > width ? window_ns / width : 1;
	int64_t begin = slot_of(s, from_ns), end = s->first + (int64_t)s->count;

	for (size_t i = 0; i < count; i++)
		columns[i].has_value = true;
	/* Windows are counted from the start of the span, whenever something came first. */
	if (s->first > begin)
		begin += (s->first - begin) / each * each;
	for (int64_t i = begin; i < end && i * width < to_ns; i += each) {
		double amount = 0;

		for (int64_t k = i < s->first ? s->first : i; k < i + each && k < end; k++) {
			const struct slot *slot = slot_seen(s, k);

			amount += slot ? slot->sum : 0;
		}
		show_rate(columns, count, from_ns, to_ns, i * width, (i + each) * width, amount);
	}
}

/* Of neighbours the difference, by the time between them. One that fell began anew. */
static void show_counter(const struct history *s, int64_t from_ns, int64_t to_ns,
			 struct history_column *columns, size_t count)
{
	int64_t width = SLOT_NS << s->width, before_ns = 0, end = s->first + (int64_t)s->count;
	double before = NAN;

	for (int64_t i = s->first; i < end; i++) {
		const struct slot *slot = slot_seen(s, i);
		int64_t at_ns = i * width;

		if (!slot)
			i = after_page(s, i) - 1;
		if (!slot || !slot->count)
			continue;
		if (!isnan(before) && slot->high >= before)
			show_rate(columns, count, from_ns, to_ns, before_ns, at_ns,
				  slot->high - before);
		before = slot->high;
		before_ns = at_ns;
	}
}

bool history_columns(struct history *s, enum history_kind kind, const struct history_span *span,
		     int64_t window_ns, struct history_column *columns, size_t count)
{
	int64_t from_ns = span->from_ns, to_ns = span->to_ns;

	memset(columns, 0, count * sizeof(*columns));
	take_steps(s);
	if (s->has_failed)
		return false;
	if (!s->events || to_ns <= from_ns || !count || !is_sane(from_ns) || !is_sane(to_ns))
		return true;
	if (kind == HISTORY_RATE)
		show_amounts(s, from_ns, to_ns, window_ns, columns, count);
	else if (kind == HISTORY_COUNTER)
		show_counter(s, from_ns, to_ns, columns, count);
	else
		show_values(s, span, columns, count);
	return true;
}

void history_fini(struct history *s)
{
	for (size_t i = 0; i < s->page_count; i++)
		free(s->pages[i]);
	free(s->pages);
	s->pages = NULL;
	s->count = s->page_count = 0;
}
