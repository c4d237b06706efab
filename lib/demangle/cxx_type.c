/* SPDX-License-Identifier: MIT */
/*
 * cxx_type.c - read the types in symbols of C++
 *
 *	type  one letter | D letter | qualifiers type | P R O C G type | F types E | A size _ type
 *	      | M class member | T parameter | S repeated | name of a class
 *
 * What is more than a letter may be repeated as S_, S0_ and so on.
 */
#include "demangle/cxx.h"

#include <string.h>

static const struct cxx_node *word(struct cxx *c, const char *text)
{
	return cxx_text(c, CXX_TEXT, text, strlen(text), NULL);
}

/* Types of one letter. */
static const char *const simple[26] = {
	['a' - 'a'] = "signed char",
	['b' - 'a'] = "bool",
	['c' - 'a'] = "char",
	['d' - 'a'] = "double",
	['e' - 'a'] = "long double",
	['f' - 'a'] = "float",
	['g' - 'a'] = "__float128",
	['h' - 'a'] = "unsigned char",
	['i' - 'a'] = "int",
	['j' - 'a'] = "unsigned int",
	['l' - 'a'] = "long",
	['m' - 'a'] = "unsigned long",
	['n' - 'a'] = "__int128",
	['o' - 'a'] = "unsigned __int128",
	['s' - 'a'] = "short",
	['t' - 'a'] = "unsigned short",
	['v' - 'a'] = "void",
	['w' - 'a'] = "wchar_t",
	['x' - 'a'] = "long long",
	['y' - 'a'] = "unsigned long long",
	['z' - 'a'] = "...",
};

/* And those of two, after a D. */
static const struct {
	char letter;
	const char *text;
} letters[] = {
	{ 'a', "auto" },    { 'c', "decltype(auto)" }, { 'd', "decimal64" },
	{ 'e', "decimal128" }, { 'f', "decimal32" },   { 'h', "half" },
	{ 'i', "char32_t" },   { 'n', "decltype(nullptr)" }, { 's', "char16_t" },
	{ 'u', "char8_t" },
};

static const char *letter_text(char letter)
{
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++) {
		if (letters[i].letter == letter)
			return letters[i].text;
	}
	return NULL;
}

/* What is repeated ----------------------------------------------------------------------------- */

/* Before constructors and destructors the whole name is written. */
static const struct {
	char letter;
	const char *text, *whole;
} standard[] = {
	{ 'a', "std::allocator", "std::allocator" },
	{ 'b', "std::basic_string", "std::basic_string" },
	{ 's', "std::string", "std::basic_string<char, std::char_traits<char>, std::allocator<char> >" },
	{ 'i', "std::istream", "std::basic_istream<char, std::char_traits<char> >" },
	{ 'o', "std::ostream", "std::basic_ostream<char, std::char_traits<char> >" },
	{ 'd', "std::iostream", "std::basic_iostream<char, std::char_traits<char> >" },
};

static const struct cxx_node *standard_name(struct cxx *c, bool is_prefix)
{
	const struct cxx_node *n;
	char letter = *c->at++;

	for (unsigned i = 0; i < sizeof(standard) / sizeof(*standard); i++) {
		struct cxx_node *new;
		const char *text;

		if (standard[i].letter != letter)
			continue;
		text = is_prefix && (cxx_peek(c) == 'C' || cxx_peek(c) == 'D') ? standard[i].whole
									       : standard[i].text;
		new = cxx_node(c, CXX_STANDARD, NULL, NULL);
		if (!new)
			return NULL;
		new->text = text;
		new->len = (uint32_t)strlen(text);
		new->number = i;
		n = new;
		if (cxx_peek(c) != 'B')
			return n;
		while (n && cxx_eat(c, 'B'))
			n = cxx_join(c, CXX_TAGGED, n, cxx_source_name(c));
		return cxx_remember(c, n);
	}
	return NULL;
}

const struct cxx_node *cxx_repeated(struct cxx *c, bool is_prefix)
{
	unsigned number;

	if (!cxx_eat(c, 'S'))
		return NULL;
	if (cxx_peek(c) >= 'a' && cxx_peek(c) <= 'z')
		return standard_name(c, is_prefix);
	if (!cxx_sequence(c, 36, &number) || number >= c->repeated_count)
		return NULL;
	return c->repeated[number];
}

const struct cxx_node *cxx_template_parameter(struct cxx *c)
{
	unsigned number;

	if (!cxx_eat(c, 'T') || !cxx_sequence(c, 10, &number) || !c->scope)
		return NULL;
	return cxx_numbered(c, CXX_PARAMETER, number, c->scope, NULL);
}

const struct cxx_node *cxx_decltype(struct cxx *c)
{
	const struct cxx_node *n;

	if (!cxx_eat_two(c, "Dt") && !cxx_eat_two(c, "DT"))
		return NULL;
	n = cxx_expression(c);
	return cxx_eat(c, 'E') ? cxx_wrap(c, CXX_DECLTYPE, n) : NULL;
}

/* Functions ------------------------------------------------------------------------------------ */

static bool ends_parameters(struct cxx *c)
{
	char first = cxx_peek(c), second = cxx_second(c);

	return c->at == c->end || first == 'E' || first == '.' ||
	       ((first == 'R' || first == 'O') && second == 'E');
}

/* The types of a function, up to the E that follows them, or the end. */
const struct cxx_node *cxx_function_type(struct cxx *c, bool returns, unsigned qualifiers)
{
	const struct cxx_node *result = NULL, *types;
	bool is_void;

	if (returns && !(result = cxx_type(c)))
		return NULL;
	is_void = cxx_peek(c) == 'v';
	if (!cxx_list(c, cxx_type, ends_parameters, &types) || !types)
		return NULL;
	is_void = is_void && !types->right;
	return cxx_numbered(c, CXX_FUNCTION_TYPE, qualifiers, result, is_void ? NULL : types);
}

/* After qualifiers, with what may stand before the F: Do noexcept, DO...E, Dw...E, Dx. */
static const struct cxx_node *function(struct cxx *c, unsigned qualifiers)
{
	const struct cxx_node *n;

	if (cxx_eat_two(c, "DO")) {
		if (!cxx_expression(c) || !cxx_eat(c, 'E'))
			return NULL;
	} else if (cxx_eat_two(c, "Do")) {
		qualifiers |= CXX_NOEXCEPT;
	} else {
		cxx_eat_two(c, "Dx");
	}
	if (!cxx_eat(c, 'F'))
		return NULL;
	cxx_eat(c, 'Y'); /* extern "C" */
	n = cxx_function_type(c, true, qualifiers);
	if (n && (cxx_peek(c) == 'R' || cxx_peek(c) == 'O')) {
		qualifiers |= *c->at++ == 'R' ? CXX_LVALUE : CXX_RVALUE;
		n = cxx_numbered(c, CXX_FUNCTION_TYPE, qualifiers, n->left, n->right);
	}
	return cxx_eat(c, 'E') ? n : NULL;
}

static bool is_function(const struct cxx *c)
{
	char second = cxx_second(c);

	return cxx_peek(c) == 'F' ||
	       (cxx_peek(c) == 'D' && (second == 'o' || second == 'O' || second == 'x'));
}

/* Types ---------------------------------------------------------------------------------------- */

static const struct cxx_node *suffixed(struct cxx *c, const struct cxx_node *type, const char *text)
{
	return type ? cxx_text(c, CXX_SUFFIXED, text, strlen(text), type) : NULL;
}

static const struct cxx_node *qualified(struct cxx *c)
{
	unsigned qualifiers = cxx_this_qualifiers(c);
	const struct cxx_node *n;

	if (is_function(c)) {
		/* Without them it may be repeated, too. */
		n = cxx_remember(c, function(c, 0));
		return n ? cxx_numbered(c, CXX_FUNCTION_TYPE, n->number | qualifiers, n->left,
					n->right)
			 : NULL;
	}
	n = cxx_type(c);
	if (qualifiers & CXX_CONST)
		n = suffixed(c, n, " const");
	if (qualifiers & CXX_VOLATILE)
		n = suffixed(c, n, " volatile");
	if (qualifiers & CXX_RESTRICT)
		n = suffixed(c, n, " __restrict");
	return n;
}

/* A size as text, or an expression; NULL in *size: there is none. */
static bool size(struct cxx *c, const struct cxx_node **size)
{
	const char *from = c->at;
	unsigned number;

	*size = NULL;
	if (cxx_eat(c, '_'))
		return true;
	if (cxx_is_digit(cxx_peek(c))) {
		if (!cxx_number(c, &number))
			return false;
		*size = cxx_text(c, CXX_TEXT, from, (size_t)(c->at - from), NULL);
	} else {
		*size = cxx_expression(c);
	}
	return *size && cxx_eat(c, '_');
}

/* After the A or Dv. */
static const struct cxx_node *array(struct cxx *c, enum cxx_kind kind)
{
	const struct cxx_node *dimension, *element;

	if (kind == CXX_VECTOR)
		cxx_eat(c, '_'); /* an expression follows */
	if (!size(c, &dimension))
		return NULL;
	element = cxx_type(c);
	return element ? cxx_node(c, kind, dimension, element) : NULL;
}

/* U name type: a qualifier of one compiler. */
static const struct cxx_node *vendor_qualified(struct cxx *c)
{
	const struct cxx_node *name = cxx_source_name(c), *type;
	struct cxx_node *n;

	if (name && cxx_peek(c) == 'I')
		name = cxx_join(c, CXX_TEMPLATE, name, cxx_template_arguments(c));
	type = name ? cxx_type(c) : NULL;
	n = type ? cxx_node(c, CXX_SUFFIXED, type, name) : NULL;
	if (n) {
		n->text = " ";
		n->len = 1;
	}
	return n;
}

/* DF16_ is _Float16, DF16b std::bfloat16_t. */
static const struct cxx_node *sized_float(struct cxx *c)
{
	unsigned bits;
	const char *from = c->at;
	const struct cxx_node *digits;

	if (!cxx_number(c, &bits))
		return NULL;
	digits = cxx_text(c, CXX_TEXT, from, (size_t)(c->at - from), NULL);
	if (cxx_eat(c, 'b'))
		return bits == 16 ? word(c, "std::bfloat16_t") : NULL;
	if (cxx_eat(c, 'x'))
		digits = cxx_join(c, CXX_COMPOUND, digits, word(c, "x"));
	else if (!cxx_eat(c, '_'))
		return NULL;
	return digits ? cxx_text(c, CXX_SPECIAL, "_Float", 6, digits) : NULL;
}

/* Types that begin with a D. */
static const struct cxx_node *of_two_letters(struct cxx *c)
{
	const char *text = letter_text(cxx_second(c));

	if (text) {
		c->at += 2;
		return word(c, text);
	}
	if (cxx_eat_two(c, "DF"))
		return sized_float(c);
	if (cxx_eat_two(c, "Dp"))
		return cxx_remember(c, cxx_wrap(c, CXX_EXPANSION, cxx_type(c)));
	if (cxx_eat_two(c, "Dv"))
		return cxx_remember(c, array(c, CXX_VECTOR));
	if (is_function(c))
		return cxx_remember(c, function(c, 0));
	return cxx_remember(c, cxx_decltype(c));
}

/* A template parameter, which may be a template itself. */
static const struct cxx_node *parameter(struct cxx *c)
{
	const struct cxx_node *n;

	if (cxx_eat_two(c, "Ts") || cxx_eat_two(c, "Tu") || cxx_eat_two(c, "Te"))
		return cxx_remember(c, cxx_class_name(c)); /* struct, union, enum */
	n = cxx_remember(c, cxx_template_parameter(c));
	if (!n || cxx_peek(c) != 'I' || c->is_converting)
		return n;
	return cxx_remember(c, cxx_join(c, CXX_TEMPLATE, n, cxx_template_arguments(c)));
}

static const struct cxx_node *repeated(struct cxx *c)
{
	const struct cxx_node *n;

	if (cxx_second(c) == 't')
		return cxx_remember(c, cxx_class_name(c));
	n = cxx_repeated(c, false);
	if (!n || cxx_peek(c) != 'I')
		return n;
	return cxx_remember(c, cxx_join(c, CXX_TEMPLATE, n, cxx_template_arguments(c)));
}

static const struct cxx_node *member_pointer(struct cxx *c)
{
	const struct cxx_node *class = cxx_type(c);

	return class ? cxx_join(c, CXX_MEMBER_POINTER, class, cxx_type(c)) : NULL;
}

/* Those that begin with a capital, and names of classes. */
static const struct cxx_node *longer(struct cxx *c)
{
	switch (cxx_peek(c)) {
	case 'K':
	case 'V':
	case 'r':
		return cxx_remember(c, qualified(c));
	case 'P':
		c->at++;
		return cxx_remember(c, cxx_wrap(c, CXX_POINTER, cxx_type(c)));
	case 'R':
		c->at++;
		return cxx_remember(c, cxx_wrap(c, CXX_REFERENCE, cxx_type(c)));
	case 'O':
		c->at++;
		return cxx_remember(c, cxx_wrap(c, CXX_MOVED, cxx_type(c)));
	case 'C':
		c->at++;
		return cxx_remember(c, suffixed(c, cxx_type(c), " _Complex"));
	case 'G':
		c->at++;
		return cxx_remember(c, suffixed(c, cxx_type(c), " _Imaginary"));
	case 'F':
		return cxx_remember(c, function(c, 0));
	case 'A':
		c->at++;
		return cxx_remember(c, array(c, CXX_ARRAY));
	case 'M':
		c->at++;
		return cxx_remember(c, member_pointer(c));
	case 'U':
		if (cxx_second(c) == 'l' || cxx_second(c) == 't')
			return cxx_remember(c, cxx_class_name(c));
		c->at++;
		return cxx_remember(c, vendor_qualified(c));
	default:
		return cxx_remember(c, cxx_class_name(c));
	}
}

/* u name: of one compiler. */
static const struct cxx_node *vendor(struct cxx *c)
{
	const struct cxx_node *n = cxx_source_name(c);

	if (n && cxx_peek(c) == 'I')
		n = cxx_join(c, CXX_TEMPLATE, n, cxx_template_arguments(c));
	return cxx_remember(c, n);
}

const struct cxx_node *cxx_type(struct cxx *c)
{
	const struct cxx_node *n = NULL;
	char first = cxx_peek(c);
	bool is_naming = c->is_naming;

	c->is_naming = false;
	if (shown_enter(c->out)) {
		if (first >= 'a' && first <= 'z' && simple[first - 'a']) {
			c->at++;
			n = word(c, simple[first - 'a']);
		} else if (cxx_eat(c, 'u')) {
			n = vendor(c);
		} else if (first == 'D' && cxx_second(c) != 'C') {
			n = of_two_letters(c);
		} else if (first == 'T') {
			n = parameter(c);
		} else if (first == 'S') {
			n = repeated(c);
		} else {
			n = longer(c);
		}
	}
	shown_leave(c->out);
	c->is_naming = is_naming;
	return n;
}
