/* SPDX-License-Identifier: MIT */
/*
 * rust.c - symbols of Rust
 *
 *	symbol  _R path [path of the crate that made it] [. and what follows]
 *	path    C name | N kind path name | M impl type | X impl type path | Y type path
 *	        | I path argument... E | B back
 *	name    [s number] [u] length [_] bytes
 *	type    letter | A type const | S type | T type... E | R Q P O type | F function | D dyn
 *	        | B back | path
 *
 * An array is written [u8: 4]: a semicolon, which Rust has there, ends a frame where a stack is a
 * line of text. Unlike C++, nothing has to be known before it can be written: a back
 * reference is the place of what was written before, which is read once more.
 */
#include "demangle/rust.h"

#include <inttypes.h>
#include <stdio.h>

/* Characters in a name that has others than ASCII. */
#define WIDE_MOST 256

struct rust {
	const char *start, *at, *end; /* positions count from start */
	struct shown *out;
	uint64_t lifetimes; /* that are bound where we are */
	bool is_silent;	    /* what is read is not shown */
	bool is_open;	    /* arguments of a trait, to which more are added */
	bool is_bad;
};

static void path(struct rust *r, bool is_value);
static void type(struct rust *r);
static void constant(struct rust *r);

/* Writing and reading -------------------------------------------------------------------------- */

/* What is full ends in its middle. */
static bool fails(struct rust *r)
{
	r->is_bad |= !r->out->is_full;
	return false;
}

/* Once it is bad or full nothing is read. */
static bool goes_on(const struct rust *r)
{
	return !r->is_bad && !r->out->is_full;
}

static void put(struct rust *r, const char *text)
{
	if (!r->is_silent && goes_on(r))
		shown_text(r->out, text);
}

static void put_bytes(struct rust *r, const char *text, size_t len)
{
	if (!r->is_silent && goes_on(r))
		shown_put(r->out, text, len);
}

static void put_number(struct rust *r, uint64_t n)
{
	if (!r->is_silent && goes_on(r))
		shown_number(r->out, n);
}

static char peek(const struct rust *r)
{
	return r->at < r->end && goes_on(r) ? *r->at : '\0';
}

static bool eat(struct rust *r, char expected)
{
	bool is_there = r->at < r->end && peek(r) == expected;

	r->at += is_there;
	return is_there;
}

static char next(struct rust *r)
{
	if (r->at == r->end || !goes_on(r)) {
		fails(r);
		return '\0';
	}
	return *r->at++;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int digit_62(char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'Z' ? c - 'A' + 36 : -1;
}

/* "_" is 0, "0_" is 1 */
static uint64_t number_62(struct rust *r)
{
	uint64_t n = 0;
	int digit;

	if (eat(r, '_'))
		return 0;
	while (goes_on(r) && !eat(r, '_')) {
		digit = digit_62(next(r));
		if (digit < 0 || __builtin_mul_overflow(n, 62, &n) ||
		    __builtin_add_overflow(n, (uint64_t)digit, &n) || n == UINT64_MAX)
			return fails(r);
	}
	return n + 1;
}

/* With that letter in front, or 0 without it. */
static uint64_t tagged_number(struct rust *r, char tag)
{
	uint64_t n;

	if (!eat(r, tag))
		return 0;
	n = number_62(r);
	return n < UINT64_MAX ? n + 1 : n;
}

/* Names ---------------------------------------------------------------------------------------- */

struct name {
	const char *text;
	size_t len;
	bool is_punycode;
};

static struct name name_at(struct rust *r)
{
	struct name n = { .is_punycode = eat(r, 'u') };
	size_t len = 0;

	if (!is_digit(peek(r))) {
		fails(r);
		return n;
	}
	do
		len = len * 10 + (size_t)(next(r) - '0');
	while (len && len < 100000 && is_digit(peek(r)));
	eat(r, '_');
	if (!goes_on(r) || len > (size_t)(r->end - r->at)) {
		fails(r);
		return n;
	}
	n.text = r->at;
	n.len = len;
	r->at += len;
	return n;
}

/* RFC 3492, with an underscore for the hyphen. */
static unsigned adapted(uint64_t delta, unsigned count, bool is_first)
{
	unsigned k = 0;

	delta /= is_first ? 700 : 2;
	delta += delta / count;
	for (; delta > 455; k += 36)
		delta /= 35;
	return k + (unsigned)(36 * delta / (delta + 38));
}

static int punycode_digit(char c)
{
	if (c >= 'a' && c <= 'z')
		return c - 'a';
	return is_digit(c) ? c - '0' + 26 : -1;
}

/* How far it is to the next insertion; false: there is no such number. */
static bool punycode_delta(const char **at, const char *end, unsigned bias, uint64_t *delta)
{
	uint64_t weight = 1;

	*delta = 0;
	for (unsigned k = 36;; k += 36) {
		unsigned least = k <= bias ? 1 : k >= bias + 26 ? 26 : k - bias;
		int digit = *at < end ? punycode_digit(*(*at)++) : -1;

		if (digit < 0 || weight > UINT32_MAX)
			return false;
		*delta += (uint64_t)digit * weight;
		if ((unsigned)digit < least)
			return true;
		weight *= 36 - least;
	}
}

/* How many characters there are; 0: it is not well-formed, or too long. */
static unsigned decode(struct name n, uint32_t wide[static WIDE_MOST])
{
	const char *mark = memrchr(n.text, '_', n.len), *end = n.text + n.len;
	const char *at = mark ? mark + 1 : n.text;
	unsigned count = mark ? (unsigned)(mark - n.text) : 0, bias = 72;
	uint64_t code = 128, place = 0, delta;

	if (count >= WIDE_MOST)
		return 0;
	for (unsigned i = 0; i < count; i++)
		wide[i] = (unsigned char)n.text[i];
	while (at < end) {
		bool is_first = code == 128 && !place;

		if (count == WIDE_MOST || !punycode_delta(&at, end, bias, &delta))
			return 0;
		place += delta;
		count++;
		bias = adapted(delta, count, is_first);
		code += place / count;
		place %= count;
		if (code > 0x10ffff)
			return 0;
		memmove(wide + place + 1, wide + place, (count - 1 - place) * sizeof(*wide));
		wide[place++] = (uint32_t)code;
	}
	return count;
}

static void put_wide(struct rust *r, uint32_t c)
{
	if (!shown_allows(c))
		fails(r);
	else if (!r->is_silent && goes_on(r))
		shown_code_point(r->out, c);
}

static void put_name(struct rust *r, struct name n)
{
	uint32_t wide[WIDE_MOST];
	unsigned count;

	if (!goes_on(r) || r->is_silent)
		return;
	if (!n.is_punycode) {
		put_bytes(r, n.text, n.len);
		return;
	}
	count = decode(n, wide);
	if (!count)
		fails(r);
	for (unsigned i = 0; i < count; i++)
		put_wide(r, wide[i]);
}

/* Lifetimes ------------------------------------------------------------------------------------ */

/* 0 is '_; the others count from the innermost one. */
static void put_lifetime(struct rust *r, uint64_t number)
{
	uint64_t from_outside;
	char letter;

	put(r, "'");
	if (!number) {
		put(r, "_");
		return;
	}
	if (number > r->lifetimes) {
		fails(r);
		return;
	}
	from_outside = r->lifetimes - number;
	if (from_outside < 26) {
		letter = (char)('a' + from_outside);
		put_bytes(r, &letter, 1);
	} else {
		put(r, "_");
		put_number(r, from_outside);
	}
}

/* for<'a, 'b>; the caller takes them back. A symbol may claim any number of them. */
static void binder(struct rust *r)
{
	uint64_t count = tagged_number(r, 'G');

	if (count)
		put(r, "for<");
	for (uint64_t i = 0; i < count && goes_on(r); i++) {
		if (!shown_step(r->out)) {
			fails(r);
			return;
		}
		if (i)
			put(r, ", ");
		r->lifetimes++;
		put_lifetime(r, 1);
	}
	if (count)
		put(r, "> ");
}

/* What is repeated ----------------------------------------------------------------------------- */

/* Read at the place that a back reference, whose B was read, is to. */
static void back(struct rust *r, void (*read)(struct rust *r, bool is_value), bool is_value)
{
	const char *from = r->at - 1, *after;
	uint64_t to = number_62(r);

	if (!goes_on(r) || to >= (uint64_t)(from - r->start)) {
		fails(r);
		return;
	}
	/* It was read before, so that it ends; and it may be long. */
	if (r->is_silent)
		return;
	after = r->at;
	r->at = r->start + to;
	read(r, is_value);
	r->at = after;
}

static void type_again(struct rust *r, bool is_value)
{
	(void)is_value;
	type(r);
}

static void constant_again(struct rust *r, bool is_value)
{
	(void)is_value;
	constant(r);
}

/* Paths ---------------------------------------------------------------------------------------- */

static void generic_argument(struct rust *r)
{
	if (eat(r, 'L'))
		put_lifetime(r, number_62(r));
	else if (eat(r, 'K'))
		constant(r);
	else
		type(r);
}

/* Up to the E. */
static void generic_arguments(struct rust *r)
{
	for (bool is_first = true; goes_on(r) && !eat(r, 'E'); is_first = false) {
		if (!is_first)
			put(r, ", ");
		generic_argument(r);
	}
}

/* After the N. Capitals are what the compiler made: closures, shims. */
static void nested(struct rust *r, bool is_value)
{
	char kind = next(r);
	uint64_t number;
	struct name n;

	if (digit_62(kind) < 10) {
		fails(r);
		return;
	}
	path(r, is_value);
	number = tagged_number(r, 's');
	n = name_at(r);
	if (kind >= 'a') {
		if (n.len)
			put(r, "::");
		put_name(r, n);
		return;
	}
	put(r, "::{");
	if (kind == 'C' || kind == 'S')
		put(r, kind == 'C' ? "closure" : "shim");
	else
		put_bytes(r, &kind, 1);
	if (n.len)
		put(r, ":");
	put_name(r, n);
	put(r, "#");
	put_number(r, number);
	put(r, "}");
}

/* After the M, X or Y: <type>, <type as trait>.  Where the impl stands is not shown. */
static void implementation(struct rust *r, char kind)
{
	bool was_silent = r->is_silent;

	if (kind != 'Y') {
		tagged_number(r, 's');
		r->is_silent = true;
		path(r, false);
		r->is_silent = was_silent;
	}
	put(r, "<");
	type(r);
	if (kind != 'M') {
		put(r, " as ");
		path(r, false);
	}
	put(r, ">");
}

/* In values, arguments stand after "::". */
static void with_arguments(struct rust *r, bool is_value)
{
	path(r, is_value);
	put(r, is_value ? "::<" : "<");
	generic_arguments(r);
	put(r, ">");
}

static void path_of(struct rust *r, char kind, bool is_value)
{
	switch (kind) {
	case 'C':
		tagged_number(r, 's');
		put_name(r, name_at(r));
		break;
	case 'N':
		nested(r, is_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		implementation(r, kind);
		break;
	case 'I':
		with_arguments(r, is_value);
		break;
	case 'B':
		back(r, path, is_value);
		break;
	default:
		fails(r);
	}
}

/* False: no deeper, or no longer. */
static bool enter(struct rust *r)
{
	return shown_enter(r->out) || fails(r);
}

static void path(struct rust *r, bool is_value)
{
	if (enter(r))
		path_of(r, next(r), is_value);
	shown_leave(r->out);
}

/* Types ---------------------------------------------------------------------------------------- */

static const char *basic_type(char letter)
{
	static const char *const names[26] = {
		"i8",  "bool", "char", "f64", "str",  "f32", NULL,  "u8", "isize",
		"usize", NULL, "i32",  "u32", "i128", "u128", "_",  NULL, NULL,
		"i16", "u16",  "()",   "...", NULL,   "i64", "u64", "!",
	};

	return letter >= 'a' && letter <= 'z' ? names[letter - 'a'] : NULL;
}

/* extern "C", with hyphens. */
static void abi(struct rust *r)
{
	struct name n = { .text = "C", .len = 1 };

	if (!eat(r, 'C'))
		n = name_at(r);
	put(r, "extern \"");
	for (size_t i = 0; i < n.len && goes_on(r); i++)
		put_bytes(r, n.text[i] == '_' ? "-" : &n.text[i], 1);
	put(r, "\" ");
}

/* After the F. */
static void function(struct rust *r)
{
	uint64_t outer = r->lifetimes;

	binder(r);
	if (eat(r, 'U'))
		put(r, "unsafe ");
	if (eat(r, 'K'))
		abi(r);
	put(r, "fn(");
	generic_arguments(r);
	put(r, ")");
	if (!eat(r, 'u')) {
		put(r, " -> ");
		type(r);
	}
	r->lifetimes = outer;
}

/* A path whose last arguments, if there are any, are not closed yet: is_open. */
static void open_path(struct rust *r, bool is_value)
{
	(void)is_value;
	r->is_open = false;
	if (!enter(r)) {
		shown_leave(r->out);
		return;
	}
	if (eat(r, 'B')) {
		back(r, open_path, false);
	} else if (eat(r, 'I')) {
		path(r, false);
		put(r, "<");
		generic_arguments(r);
		r->is_open = true;
	} else {
		path(r, false);
	}
	shown_leave(r->out);
}

/* A trait, with the types that are bound: Iterator<Item = u8>. */
static void dyn_trait(struct rust *r)
{
	bool is_open;

	open_path(r, false);
	is_open = r->is_open;
	while (eat(r, 'p')) {
		put(r, is_open ? ", " : "<");
		is_open = true;
		put_name(r, name_at(r));
		put(r, " = ");
		type(r);
	}
	if (is_open)
		put(r, ">");
}

/* After the D. */
static void dyn(struct rust *r)
{
	uint64_t outer = r->lifetimes, lifetime;

	put(r, "dyn ");
	binder(r);
	for (bool is_first = true; goes_on(r) && !eat(r, 'E'); is_first = false) {
		if (!is_first)
			put(r, " + ");
		dyn_trait(r);
	}
	r->lifetimes = outer;
	if (!eat(r, 'L')) {
		fails(r);
		return;
	}
	lifetime = number_62(r);
	if (lifetime) {
		put(r, " + ");
		put_lifetime(r, lifetime);
	}
}

/* After the T. */
static void tuple(struct rust *r)
{
	unsigned count = 0;

	put(r, "(");
	for (; goes_on(r) && !eat(r, 'E'); count++) {
		if (count)
			put(r, ", ");
		type(r);
	}
	put(r, count == 1 ? ",)" : ")");
}

/* After the R or Q. */
static void reference(struct rust *r, char kind)
{
	uint64_t lifetime;

	put(r, "&");
	if (eat(r, 'L')) {
		lifetime = number_62(r);
		if (lifetime) {
			put_lifetime(r, lifetime);
			put(r, " ");
		}
	}
	if (kind == 'Q')
		put(r, "mut ");
	type(r);
}

static void type_of(struct rust *r, char kind)
{
	switch (kind) {
	case 'A':
	case 'S':
		put(r, "[");
		type(r);
		if (kind == 'A') {
			put(r, ": ");
			constant(r);
		}
		put(r, "]");
		break;
	case 'T':
		tuple(r);
		break;
	case 'R':
	case 'Q':
		reference(r, kind);
		break;
	case 'P':
	case 'O':
		put(r, kind == 'P' ? "*const " : "*mut ");
		type(r);
		break;
	case 'F':
		function(r);
		break;
	case 'D':
		dyn(r);
		break;
	case 'B':
		back(r, type_again, false);
		break;
	default:
		path_of(r, kind, false);
	}
}

static void type(struct rust *r)
{
	const char *basic;
	char kind;

	if (enter(r)) {
		kind = next(r);
		basic = basic_type(kind);
		if (basic)
			put(r, basic);
		else
			type_of(r, kind);
	}
	shown_leave(r->out);
}

/* Constants ------------------------------------------------------------------------------------ */

/* Hexadecimal digits up to the underscore. */
static void put_value(struct rust *r)
{
	const char *from = r->at;
	uint64_t n = 0;
	size_t len;

	while (goes_on(r) && peek(r) != '_') {
		char c = next(r);

		if (!is_digit(c) && (c < 'a' || c > 'f'))
			fails(r);
		n = n << 4 | (uint64_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	len = (size_t)(r->at - from);
	if (!eat(r, '_'))
		fails(r);
	if (len <= 16) {
		put_number(r, n);
	} else {
		put(r, "0x");
		put_bytes(r, from, len);
	}
}

static uint64_t small_value(struct rust *r)
{
	const char *from = r->at;
	bool was_silent = r->is_silent;
	uint64_t n = 0;

	r->is_silent = true;
	put_value(r);
	r->is_silent = was_silent;
	for (; goes_on(r) && from < r->at - 1 && n <= 0x10ffff; from++)
		n = n << 4 | (uint64_t)(is_digit(*from) ? *from - '0' : *from - 'a' + 10);
	return n;
}

static void put_character(struct rust *r, uint64_t c)
{
	char escape[16];

	put(r, "'");
	if (c == '\'' || c == '\\') {
		put(r, "\\");
		put_wide(r, (uint32_t)c);
	} else if (c == '\n' || c == '\r' || c == '\t') {
		put(r, c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t");
	} else if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
		snprintf(escape, sizeof(escape), "\\u{%" PRIx64 "}", c);
		put(r, escape);
	} else {
		put_wide(r, (uint32_t)c);
	}
	put(r, "'");
}

static void constant_of(struct rust *r, char kind)
{
	uint64_t n;

	if (kind == 'B') {
		back(r, constant_again, false);
	} else if (kind == 'p') {
		put(r, "_");
	} else if (kind == 'b') {
		n = small_value(r);
		put(r, n ? "true" : "false");
		r->is_bad |= n > 1;
	} else if (kind == 'c') {
		put_character(r, small_value(r));
	} else if (kind && strchr("aslxni", kind)) {
		if (eat(r, 'n'))
			put(r, "-");
		put_value(r);
	} else if (kind && strchr("htmyoj", kind)) {
		put_value(r);
	} else {
		fails(r);
	}
}

static void constant(struct rust *r)
{
	if (enter(r))
		constant_of(r, next(r));
	shown_leave(r->out);
}

/* Symbols -------------------------------------------------------------------------------------- */

bool rust_name(struct shown *out, const char *symbol, size_t len)
{
	struct rust r = { .start = symbol + 2, .at = symbol + 2, .end = symbol + 2, .out = out };

	/* After a dot is what other tools added. */
	while (r.end < symbol + len && *r.end != '.' && *r.end != '$') {
		if (digit_62(*r.end) < 0 && *r.end != '_')
			return false;
		r.end++;
	}
	path(&r, true);
	if (goes_on(&r) && r.at < r.end) {
		r.is_silent = true;
		path(&r, false);
	}
	return !r.is_bad && out->len && (out->is_full || r.at == r.end);
}
