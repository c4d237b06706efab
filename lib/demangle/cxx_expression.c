/* SPDX-License-Identifier: MIT */
/*
 * cxx_expression.c - read the expressions in symbols of C++, and the names of operators
 *
 * Expressions are template arguments, in decltype() and the sizes of arrays. Those that only appear
 * in the types of functions, such as new and requires, are not read.
 */
#include "demangle/cxx.h"

#include <string.h>

/* How the operands of an operator in an expression are written. */
enum form {
	NAME_ONLY, /* only the name of a function */
	PREFIX,	   /* +(a) */
	IN_BRACKETS, /* sizeof (type) */
	OF_EXPRESSION, /* the same of an expression */
	BINARY,	   /* (a)+(b) */
	NAMED_CAST, /* static_cast<type>(a) */
	NULLARY,   /* throw */
};

static const struct operator {
	char code[3];
	uint8_t form; /* enum form */
	const char *text;
} operators[] = {
	{ "aN", BINARY, "&=" },
	{ "aS", BINARY, "=" },
	{ "aa", BINARY, "&&" },
	{ "ad", PREFIX, "&" },
	{ "an", BINARY, "&" },
	{ "at", IN_BRACKETS, "alignof " },
	{ "aw", PREFIX, "co_await " },
	{ "az", OF_EXPRESSION, "alignof " },
	{ "cc", NAMED_CAST, "const_cast" },
	{ "cl", NAME_ONLY, "()" },
	{ "cm", BINARY, "," },
	{ "co", PREFIX, "~" },
	{ "dV", BINARY, "/=" },
	{ "da", PREFIX, "delete[] " },
	{ "dc", NAMED_CAST, "dynamic_cast" },
	{ "de", PREFIX, "*" },
	{ "dl", PREFIX, "delete " },
	{ "ds", BINARY, ".*" },
	{ "dt", BINARY, "." },
	{ "dv", BINARY, "/" },
	{ "eO", BINARY, "^=" },
	{ "eo", BINARY, "^" },
	{ "eq", BINARY, "==" },
	{ "ge", BINARY, ">=" },
	{ "gt", BINARY, ">" },
	{ "ix", NAME_ONLY, "[]" },
	{ "lS", BINARY, "<<=" },
	{ "le", BINARY, "<=" },
	{ "ls", BINARY, "<<" },
	{ "lt", BINARY, "<" },
	{ "mI", BINARY, "-=" },
	{ "mL", BINARY, "*=" },
	{ "mi", BINARY, "-" },
	{ "ml", BINARY, "*" },
	{ "mm", PREFIX, "--" },
	{ "na", NAME_ONLY, "new[]" },
	{ "ne", BINARY, "!=" },
	{ "ng", PREFIX, "-" },
	{ "nt", PREFIX, "!" },
	{ "nw", NAME_ONLY, "new" },
	{ "nx", PREFIX, "noexcept" },
	{ "oR", BINARY, "|=" },
	{ "oo", BINARY, "||" },
	{ "or", BINARY, "|" },
	{ "pL", BINARY, "+=" },
	{ "pl", BINARY, "+" },
	{ "pm", BINARY, "->*" },
	{ "pp", PREFIX, "++" },
	{ "ps", PREFIX, "+" },
	{ "pt", BINARY, "->" },
	{ "qu", NAME_ONLY, "?" },
	{ "rM", BINARY, "%=" },
	{ "rS", BINARY, ">>=" },
	{ "rc", NAMED_CAST, "reinterpret_cast" },
	{ "rm", BINARY, "%" },
	{ "rs", BINARY, ">>" },
	{ "sc", NAMED_CAST, "static_cast" },
	{ "ss", BINARY, "<=>" },
	{ "st", IN_BRACKETS, "sizeof " },
	{ "sz", OF_EXPRESSION, "sizeof " },
	{ "te", OF_EXPRESSION, "typeid " },
	{ "ti", IN_BRACKETS, "typeid " },
	{ "tr", NULLARY, "throw" },
	{ "tw", PREFIX, "throw " },
};

/* Take the code of an operator; NULL: it is none. */
static const struct operator *operator_at(struct cxx *c)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		if (cxx_eat_two(c, operators[i].code))
			return &operators[i];
	}
	return NULL;
}

static const struct cxx_node *text(struct cxx *c, enum cxx_kind kind, const char *text,
				   const struct cxx_node *left)
{
	return cxx_text(c, kind, text, strlen(text), left);
}

/* The same with two operands, which must be there. */
static const struct cxx_node *text_of_two(struct cxx *c, enum cxx_kind kind, const char *text,
					  const struct cxx_node *left,
					  const struct cxx_node *right)
{
	struct cxx_node *n = left && right ? cxx_node(c, kind, left, right) : NULL;

	if (n) {
		n->text = text;
		n->len = (uint32_t)strlen(text);
	}
	return n;
}

/* After the cv. */
static const struct cxx_node *conversion(struct cxx *c)
{
	bool is_converting = c->is_converting;
	const struct cxx_node *type;

	c->is_converting = true;
	type = cxx_type(c);
	c->is_converting = is_converting;
	return cxx_wrap(c, CXX_CONVERSION, type);
}

const struct cxx_node *cxx_operator_name(struct cxx *c)
{
	const struct operator *op;
	const struct cxx_node *n;

	if (cxx_eat_two(c, "cv"))
		return conversion(c);
	if (cxx_eat_two(c, "li")) {
		n = cxx_source_name(c);
		return n ? text(c, CXX_SPECIAL, "operator\"\" ", n) : NULL;
	}
	if (cxx_peek(c) == 'v' && cxx_is_digit(cxx_second(c))) {
		c->at += 2; /* of one compiler, with so many operands */
		n = cxx_source_name(c);
		return n ? text(c, CXX_SPECIAL, "operator ", n) : NULL;
	}
	op = operator_at(c);
	return op ? text(c, CXX_OPERATOR, op->text, NULL) : NULL;
}

/* Literals ------------------------------------------------------------------------------------- */

/* What numbers of these types end in; other literals have their type in front. */
static const char *suffix_of(char type)
{
	static const struct {
		char type;
		const char *suffix;
	} suffixes[] = { { 'i', "" },	{ 'j', "u" },  { 'l', "l" },
			 { 'm', "ul" }, { 'x', "ll" }, { 'y', "ull" } };

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (suffixes[i].type == type)
			return suffixes[i].suffix;
	}
	return NULL;
}

/* A value up to the E. */
static const struct cxx_node *value(struct cxx *c)
{
	const char *from = c->at;

	while (c->at < c->end && *c->at != 'E')
		c->at++;
	if (c->at == c->end || c->at == from)
		return NULL;
	return cxx_text(c, CXX_TEXT, from, (size_t)(c->at++ - from), NULL);
}

static const struct cxx_node *number(struct cxx *c, char letter, const struct cxx_node *type)
{
	const char *suffix = suffix_of(letter);
	bool is_negative = cxx_eat(c, 'n');
	const struct cxx_node *digits = value(c);
	struct cxx_node *n;

	if (!digits)
		return NULL;
	if (letter == 'b' && digits->len == 1 && !is_negative &&
	    (digits->text[0] == '0' || digits->text[0] == '1'))
		return text(c, CXX_LITERAL, digits->text[0] == '0' ? "false" : "true", NULL);
	n = cxx_node(c, CXX_LITERAL, suffix ? NULL : type, digits);
	if (!n)
		return NULL;
	n->number = (is_negative ? CXX_NEGATIVE : 0) |
		    (letter && strchr("defg", letter) ? CXX_FLOATING : 0);
	n->text = suffix ? suffix : "";
	n->len = (uint32_t)strlen(n->text);
	return n;
}

const struct cxx_node *cxx_literal(struct cxx *c)
{
	const struct cxx_node *n;
	char letter;

	if (cxx_eat_two(c, "_Z") || cxx_eat(c, 'Z')) {
		n = cxx_encoding(c, true);
		return cxx_eat(c, 'E') ? n : NULL;
	}
	letter = cxx_peek(c);
	n = cxx_type(c);
	if (!n)
		return NULL;
	if (cxx_eat(c, 'E'))
		return n; /* nullptr, or a text */
	return number(c, n->kind == CXX_TEXT ? letter : '\0', n);
}

/* Operands ------------------------------------------------------------------------------------- */

static bool expressions(struct cxx *c, const struct cxx_node **first)
{
	return cxx_list(c, cxx_expression, cxx_eat_end, first);
}

static const struct cxx_node *of_one(struct cxx *c, enum cxx_kind kind, const char *name)
{
	const struct cxx_node *operand = cxx_expression(c);

	return operand ? text(c, kind, name, operand) : NULL;
}

static const struct cxx_node *of_two(struct cxx *c, const char *name)
{
	const struct cxx_node *left = cxx_expression(c);

	return left ? text_of_two(c, CXX_BINARY, name, left, cxx_expression(c)) : NULL;
}

static const struct cxx_node *with_operands(struct cxx *c, const struct operator *op)
{
	const struct cxx_node *n;

	switch (op->form) {
	case PREFIX:
		/* After the operand, but for ++_ and --_. */
		if ((op->code[0] == 'p' || op->code[0] == 'm') && op->code[0] == op->code[1] &&
		    !cxx_eat(c, '_'))
			return of_one(c, CXX_POSTFIX, op->text);
		return of_one(c, CXX_PREFIX, op->text);
	case IN_BRACKETS:
		n = cxx_type(c);
		return n ? text(c, CXX_IN_BRACKETS, op->text, n) : NULL;
	case OF_EXPRESSION:
		return of_one(c, CXX_PREFIX, op->text);
	case BINARY:
		return of_two(c, op->text);
	case NAMED_CAST:
		n = cxx_type(c);
		return n ? text_of_two(c, CXX_NAMED_CAST, op->text, n, cxx_expression(c)) : NULL;
	case NULLARY:
		return text(c, CXX_NULLARY, op->text, NULL);
	default:
		return NULL;
	}
}

/* After the cl. */
static const struct cxx_node *call(struct cxx *c)
{
	const struct cxx_node *function = cxx_expression(c), *arguments;

	if (!function || !expressions(c, &arguments))
		return NULL;
	return cxx_node(c, CXX_CALL, function, arguments);
}

/* After the cv. */
static const struct cxx_node *cast(struct cxx *c)
{
	const struct cxx_node *type = cxx_type(c), *of;

	if (!type)
		return NULL;
	if (!cxx_eat(c, '_'))
		return cxx_join(c, CXX_CAST, type, cxx_expression(c));
	if (!expressions(c, &of))
		return NULL;
	return cxx_node(c, CXX_CAST, type, of ? of : cxx_node(c, CXX_LIST, NULL, NULL));
}

/* After the qu. */
static const struct cxx_node *condition(struct cxx *c)
{
	const struct cxx_node *of = cxx_expression(c), *yes = of ? cxx_expression(c) : NULL;
	const struct cxx_node *no = yes ? cxx_expression(c) : NULL;

	return cxx_join(c, CXX_CONDITION, of, cxx_join(c, CXX_LIST, yes, no));
}

/* After the tl, or il without a type. */
static const struct cxx_node *braced(struct cxx *c, bool has_type)
{
	const struct cxx_node *type = has_type ? cxx_type(c) : NULL, *of;

	if ((has_type && !type) || !expressions(c, &of))
		return NULL;
	return cxx_node(c, CXX_BRACED, type, of);
}

/* After the f and l, r, L or R: over all of a pack. */
static const struct cxx_node *fold(struct cxx *c, char which)
{
	const struct operator *op = operator_at(c);
	const struct cxx_node *left = op ? cxx_expression(c) : NULL;

	if (!left)
		return NULL;
	if (which == 'l' || which == 'r')
		return text(c, which == 'l' ? CXX_LEFT_FOLD : CXX_RIGHT_FOLD, op->text, left);
	return text_of_two(c, CXX_FOLD, op->text, left, cxx_expression(c));
}

/* After the fp: a parameter of the function whose type this is; T is `this`. */
static const struct cxx_node *argument(struct cxx *c)
{
	unsigned n;

	if (cxx_eat(c, 'T'))
		return cxx_numbered(c, CXX_ARGUMENT, 0, NULL, NULL);
	cxx_this_qualifiers(c);
	return cxx_sequence(c, 10, &n) ? cxx_numbered(c, CXX_ARGUMENT, n + 1, NULL, NULL) : NULL;
}

/* After the fL: of a function around it. */
static const struct cxx_node *outer_argument(struct cxx *c)
{
	unsigned level;

	return cxx_number(c, &level) && cxx_eat(c, 'p') ? argument(c) : NULL;
}

/* Names that are not known to be of anything --------------------------------------------------- */

static const struct cxx_node *simple_name(struct cxx *c)
{
	const struct cxx_node *n;

	if (cxx_eat_two(c, "on"))
		n = cxx_operator_name(c);
	else if (cxx_eat_two(c, "dn"))
		n = cxx_wrap(c, CXX_DESTRUCTOR,
			     cxx_is_digit(cxx_peek(c)) ? cxx_source_name(c) : cxx_type(c));
	else
		n = cxx_unqualified(c, NULL);
	if (n && cxx_peek(c) == 'I')
		n = cxx_join(c, CXX_TEMPLATE, n, cxx_template_arguments(c));
	return n;
}

/* After the sr: type name, or N type names E name. */
static const struct cxx_node *scoped_name(struct cxx *c)
{
	bool is_long = cxx_eat(c, 'N');
	const struct cxx_node *n = cxx_type(c);

	while (n && is_long && !cxx_eat(c, 'E'))
		n = cxx_join(c, CXX_QUALIFIED, n, simple_name(c));
	return n ? cxx_join(c, CXX_QUALIFIED, n, simple_name(c)) : NULL;
}

/* After the u: of one compiler, with arguments. */
static const struct cxx_node *vendor(struct cxx *c)
{
	const struct cxx_node *name = cxx_source_name(c), *arguments;

	return name && expressions(c, &arguments) ? cxx_node(c, CXX_CALL, name, arguments) : NULL;
}

/* Expressions ---------------------------------------------------------------------------------- */

static const struct cxx_node *subscript(struct cxx *c)
{
	const struct cxx_node *left = cxx_expression(c);

	return left ? cxx_join(c, CXX_SUBSCRIPT, left, cxx_expression(c)) : NULL;
}

/* What does not begin with an operator that stands between or before its operands. */
static const struct cxx_node *other(struct cxx *c)
{
	const struct cxx_node *n;

	if (cxx_peek(c) == 'T')
		return cxx_template_parameter(c);
	if (cxx_eat(c, 'L'))
		return cxx_literal(c);
	if (cxx_is_digit(cxx_peek(c)) || (cxx_peek(c) == 'o' && cxx_second(c) == 'n') ||
	    (cxx_peek(c) == 'd' && cxx_second(c) == 'n'))
		return simple_name(c);
	if (cxx_eat_two(c, "sr"))
		return scoped_name(c);
	if (cxx_eat_two(c, "gs")) {
		n = cxx_expression(c);
		return n ? text(c, CXX_SPECIAL, "::", n) : NULL;
	}
	if (cxx_eat_two(c, "sp"))
		return cxx_wrap(c, CXX_EXPANSION, cxx_expression(c));
	if (cxx_eat_two(c, "sZ"))
		return cxx_wrap(c, CXX_PACK_SIZE, cxx_expression(c));
	if (cxx_eat_two(c, "fp"))
		return argument(c);
	if (cxx_eat_two(c, "fL"))
		return cxx_is_digit(cxx_peek(c)) ? outer_argument(c) : fold(c, 'L');
	return NULL;
}

static const struct cxx_node *expression(struct cxx *c)
{
	const struct operator *op;

	if (cxx_eat_two(c, "cl"))
		return call(c);
	if (cxx_eat_two(c, "cv"))
		return cast(c);
	if (cxx_eat_two(c, "qu"))
		return condition(c);
	if (cxx_eat_two(c, "ix"))
		return subscript(c);
	if (cxx_eat_two(c, "tl") || cxx_eat_two(c, "il"))
		return braced(c, c->at[-2] == 't');
	if (cxx_peek(c) == 'f' && cxx_second(c) && strchr("lrR", cxx_second(c))) {
		c->at += 2;
		return fold(c, c->at[-1]);
	}
	if (cxx_eat(c, 'u'))
		return vendor(c);
	op = operator_at(c);
	return op ? with_operands(c, op) : other(c);
}

const struct cxx_node *cxx_expression(struct cxx *c)
{
	const struct cxx_node *n = NULL;
	bool is_naming = c->is_naming;

	c->is_naming = false;
	if (shown_enter(c->out))
		n = expression(c);
	shown_leave(c->out);
	c->is_naming = is_naming;
	return n;
}
