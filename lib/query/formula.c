/* SPDX-License-Identifier: MIT */
/*
 * formula.c - arithmetic on numbers, and what its result is
 */
#include "query/formula.h"

#include <math.h>
#include <stdio.h>

/* Units ---------------------------------------------------------------------------------------- */

enum unit {
	UNIT_NONE,
	UNIT_FRACTION, /* shown as a percentage */
	UNIT_SPAN,
	UNIT_TIME,
	UNIT_BYTES,
	UNIT_BITS,
	UNIT_BYTES_PER_SECOND,
	UNIT_BITS_PER_SECOND,
	UNIT_HERTZ,
	UNIT_IMPOSSIBLE,
};

static const char *const unit_names[] = {
	[UNIT_NONE] = "a number",
	[UNIT_FRACTION] = "a percentage",
	[UNIT_SPAN] = "a duration",
	[UNIT_TIME] = "a time",
	[UNIT_BYTES] = "bytes",
	[UNIT_BITS] = "bits",
	[UNIT_BYTES_PER_SECOND] = "bytes per second",
	[UNIT_BITS_PER_SECOND] = "bits per second",
	[UNIT_HERTZ] = "a frequency",
};

static enum unit unit_of_look(const struct look *l)
{
	if (l->is_span)
		return UNIT_SPAN;
	if (l->is_time)
		return UNIT_TIME;
	if (l->is_left || l->is_address || l->sorts_as_text)
		return UNIT_IMPOSSIBLE;
	if (l->is_amount && l->is_frequency)
		return l->is_bits ? UNIT_BITS_PER_SECOND : UNIT_BYTES_PER_SECOND;
	if (l->is_amount)
		return l->is_bits ? UNIT_BITS : UNIT_BYTES;
	if (l->is_frequency)
		return UNIT_HERTZ;
	return l->is_percentage ? UNIT_FRACTION : UNIT_NONE;
}

static struct look look_of_unit(enum unit u)
{
	struct look l = { .type = "double" };

	l.is_span = u == UNIT_SPAN;
	l.is_time = l.is_left = u == UNIT_TIME;
	l.is_percentage = u == UNIT_FRACTION;
	l.is_descending = l.is_span || l.is_percentage;
	l.is_bits = u == UNIT_BITS || u == UNIT_BITS_PER_SECOND;
	l.is_frequency = u == UNIT_HERTZ || u == UNIT_BITS_PER_SECOND || u == UNIT_BYTES_PER_SECOND;
	l.is_amount = l.is_bits || u == UNIT_BYTES || u == UNIT_BYTES_PER_SECOND;
	if (l.is_span || l.is_time)
		l.type = l.is_span ? "duration" : "instant";
	return l;
}

static enum unit add_units(enum unit a, enum unit b, bool subtract)
{
	if (a == UNIT_TIME && b == UNIT_TIME)
		return subtract ? UNIT_SPAN : UNIT_IMPOSSIBLE;
	if (a == b)
		return a;
	if (a == UNIT_TIME && b == UNIT_SPAN)
		return UNIT_TIME;
	if (a == UNIT_SPAN && b == UNIT_TIME && !subtract)
		return UNIT_TIME;
	/* 1 - a percentage */
	if (a <= UNIT_FRACTION && b <= UNIT_FRACTION)
		return UNIT_FRACTION;
	return UNIT_IMPOSSIBLE;
}

static enum unit multiply_units(enum unit a, enum unit b)
{
	if (a > b)
		return multiply_units(b, a);
	if (b == UNIT_TIME)
		return UNIT_IMPOSSIBLE;
	if (a <= UNIT_FRACTION)
		return b;
	if (a != UNIT_SPAN)
		return UNIT_IMPOSSIBLE;
	return b == UNIT_BYTES_PER_SECOND  ? UNIT_BYTES
	       : b == UNIT_BITS_PER_SECOND ? UNIT_BITS
	       : b == UNIT_HERTZ	   ? UNIT_NONE
					   : UNIT_IMPOSSIBLE;
}

static enum unit divide_units(enum unit a, enum unit b)
{
	if (a == UNIT_TIME || b == UNIT_TIME)
		return UNIT_IMPOSSIBLE;
	if (b == UNIT_NONE)
		return a;
	if (a == b)
		return UNIT_NONE;
	if (b == UNIT_FRACTION)
		return a;
	if (b != UNIT_SPAN)
		return UNIT_IMPOSSIBLE;
	return a == UNIT_BYTES	   ? UNIT_BYTES_PER_SECOND
	       : a == UNIT_BITS	   ? UNIT_BITS_PER_SECOND
	       : a <= UNIT_FRACTION ? UNIT_NONE
				    : UNIT_IMPOSSIBLE;
}

static enum unit combine(enum term_kind kind, enum unit a, enum unit b)
{
	switch (kind) {
	case TERM_ADD:
	case TERM_SUBTRACT:
		return add_units(a, b, kind == TERM_SUBTRACT);
	case TERM_MULTIPLY:
		return multiply_units(a, b);
	default:
		return divide_units(a, b);
	}
}

/* Making --------------------------------------------------------------------------------------- */

static bool refuse(struct arena *a, const char **why, enum term_kind kind, enum unit left,
		   enum unit right)
{
	static const char *const sentences[] = {
		[TERM_ADD] = "%1$s and %2$s cannot be added",
		[TERM_SUBTRACT] = "%2$s cannot be subtracted from %1$s",
		[TERM_MULTIPLY] = "%1$s and %2$s cannot be multiplied",
		[TERM_DIVIDE] = "%1$s cannot be divided by %2$s",
	};
	const size_t size = 100;
	char *text = arena_alloc(a, size);

	if (text) {
/* One of four formats that stand above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(text, size, sentences[kind], unit_names[left], unit_names[right]);
#pragma GCC diagnostic pop
	}
	*why = text;
	return text != NULL;
}

static bool refuse_text(struct arena *a, const char **why, const char *field)
{
	const size_t size = 200;
	char *text = arena_alloc(a, size);

	if (text)
		snprintf(text, size, "%.100s is not a number: it cannot be calculated with", field);
	*why = text;
	return text != NULL;
}

static enum unit take_literal(const struct literal *l, struct value *v)
{
	*v = l->number.whole && !l->number.huge ? value_of_long(l->number.i)
	     : l->number.huge			? value_of_double((double)(uint64_t)l->number.i)
						: value_of_double(l->number.d);
	if (l->kind == LITERAL_SPAN) {
		*v = value_of_span(timespan_from_ns(l->ns));
		return UNIT_SPAN;
	}
	if (l->kind == LITERAL_AMOUNT)
		return l->bits ? UNIT_BITS : UNIT_BYTES;
	return UNIT_NONE;
}

bool formula_make(struct arena *a, const struct arithmetic *from, const struct look *looks,
		  struct formula *to, struct look *look, const char **why)
{
	enum unit units[MAX_TERMS];
	unsigned depth = 0;

	*why = NULL;
	to->terms = arena_zalloc(a, from->term_count, sizeof(*to->terms));
	to->count = from->term_count;
	if (!to->terms)
		return false;
	for (unsigned i = 0; i < from->term_count; i++) {
		const struct term *t = &from->terms[i];

		to->terms[i].kind = t->kind;
		to->terms[i].operand = t->operand;
		if (t->kind == TERM_LITERAL) {
			units[depth++] = take_literal(&t->literal, &to->terms[i].value);
		} else if (t->kind == TERM_OPERAND) {
			units[depth++] = unit_of_look(&looks[t->operand]);
			if (units[depth - 1] == UNIT_IMPOSSIBLE)
				return refuse_text(a, why, from->operands[t->operand].field);
		} else {
			enum unit left = units[depth - 2], right = units[depth - 1];

			depth--;
			units[depth - 1] = combine((enum term_kind)t->kind, left, right);
			if (units[depth - 1] == UNIT_IMPOSSIBLE)
				return refuse(a, why, (enum term_kind)t->kind, left, right);
			to->terms[i].is_span = units[depth - 1] == UNIT_SPAN;
		}
	}
	*look = look_of_unit(units[0]);
	return true;
}

/* Calculating ---------------------------------------------------------------------------------- */

static bool is_span(const struct value *v)
{
	return v->kind == VALUE_SPAN || v->kind == VALUE_TIME;
}

/* Neither missing, nor one of the lengths and times that mean so. */
static bool is_known(const struct value *v)
{
	if (is_span(v))
		return v->i != SPAN_MIN_SECONDS && v->i != SPAN_FOREVER_SECONDS &&
		       v->i != TIME_MIN_SECONDS;
	return value_is_finite(v);
}

/* In seconds, where it is a length of time. */
static double plain(const struct value *v)
{
	return is_span(v) ? (double)v->i + v->nanos / 1e9 : value_double(v);
}

static struct value known(double d)
{
	return isfinite(d) ? value_of_double(d) : value_null();
}

static struct value span_of(double seconds)
{
	if (!(fabs(seconds) < 9.2e9))
		return value_null();
	return value_of_span(timespan_from_ns(llround(seconds * 1e9)));
}

/* Whole numbers and nanoseconds exactly, as long as they fit. */
static struct value add(const struct value *a, const struct value *b, bool subtract)
{
	bool spans = is_span(a) && is_span(b);
	struct value sum;
	int64_t n, x = spans ? value_ns(a) : a->i, y = spans ? value_ns(b) : b->i;

	if (!spans && !(value_is_integral(a) && value_is_integral(b)))
		return known(subtract ? plain(a) - plain(b) : plain(a) + plain(b));
	if (subtract ? __builtin_sub_overflow(x, y, &n) : __builtin_add_overflow(x, y, &n))
		return spans ? value_null()
			     : known(subtract ? (double)x - (double)y : (double)x + (double)y);
	if (!spans)
		return value_of_long(n);
	sum = value_of_span(timespan_from_ns(n));
	/* A time and a length are a time; two times are a length. */
	if ((a->kind == VALUE_TIME) != (b->kind == VALUE_TIME))
		sum.kind = VALUE_TIME;
	return sum;
}

static struct value multiply(const struct value *a, const struct value *b)
{
	int64_t n;

	if (value_is_integral(a) && value_is_integral(b) && !__builtin_mul_overflow(a->i, b->i, &n))
		return value_of_long(n);
	return known(plain(a) * plain(b));
}

static struct value calculate(enum term_kind kind, const struct value *a, const struct value *b)
{
	if (!is_known(a) || !is_known(b))
		return value_null();
	switch (kind) {
	case TERM_ADD:
	case TERM_SUBTRACT:
		return add(a, b, kind == TERM_SUBTRACT);
	case TERM_MULTIPLY:
		/* A length and a rate are not a length: units have made sure which it is. */
		return is_span(a) == is_span(b) ? multiply(a, b) : known(plain(a) * plain(b));
	default:
		return plain(b) == 0 ? value_null() : known(plain(a) / plain(b));
	}
}

struct value formula_value(const struct formula *f, const struct value *operands)
{
	struct value stack[MAX_TERMS];
	unsigned depth = 0;

	for (unsigned i = 0; i < f->count; i++) {
		const struct formula_term *t = &f->terms[i];

		if (t->kind == TERM_LITERAL) {
			stack[depth++] = t->value;
		} else if (t->kind == TERM_OPERAND) {
			stack[depth++] = operands[t->operand];
		} else {
			depth--;
			stack[depth - 1] = calculate((enum term_kind)t->kind, &stack[depth - 1],
						     &stack[depth]);
			if (t->is_span && value_is_number(&stack[depth - 1]))
				stack[depth - 1] = span_of(value_double(&stack[depth - 1]));
		}
	}
	return is_known(&stack[0]) ? stack[0] : value_null();
}
