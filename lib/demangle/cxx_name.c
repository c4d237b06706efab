/* SPDX-License-Identifier: MIT */
/*
 * cxx_name.c - read the names in symbols of C++
 *
 *	symbol    _Z encoding
 *	encoding  name type-of-function | T kind ... | G kind ...
 *	name      N qualifiers part... E | Z encoding E name | unqualified | either with arguments
 *	arguments I argument... E
 *
 * The type of the function that a symbol is of is not read: it is not shown, and so symbols that
 * were truncated after the name can be read, too.
 */
#include "demangle/cxx.h"

#include <string.h>

static const struct cxx_node *word(struct cxx *c, const char *text)
{
	return cxx_text(c, CXX_TEXT, text, strlen(text), NULL);
}

/* Parts of names ------------------------------------------------------------------------------- */

const struct cxx_node *cxx_source_name(struct cxx *c)
{
	static const char unnamed[] = "_GLOBAL_";
	const char *text;
	unsigned len;

	if (!cxx_number(c, &len) || !len || len > (size_t)(c->end - c->at))
		return NULL;
	text = c->at;
	c->at += len;
	if (len > sizeof(unnamed) && memcmp(text, unnamed, sizeof(unnamed) - 1) == 0 &&
	    strchr("._$", text[8]) && text[9] == 'N')
		return word(c, "(anonymous namespace)");
	return cxx_text(c, CXX_TEXT, text, len, NULL);
}

/* The class in a qualified name, without its arguments: what its constructors are called. */
static const struct cxx_node *base_name(struct cxx *c, const struct cxx_node *n)
{
	static const char *const of_standard[] = { "allocator",	    "basic_string",  "basic_string",
						   "basic_istream", "basic_ostream",
						   "basic_iostream" };

	for (;;) {
		if (!n)
			return NULL;
		switch (n->kind) {
		case CXX_QUALIFIED:
		case CXX_LOCAL:
			n = n->right;
			break;
		case CXX_TEMPLATE:
		case CXX_TAGGED:
		case CXX_DEFAULT_ARGUMENT:
		case CXX_THIS_QUALIFIED:
			n = n->left;
			break;
		case CXX_STANDARD:
			return word(c, of_standard[n->number]);
		default:
			return n;
		}
	}
}

/* C1, D0 and so on; CI1 is the constructor of a base class, which follows, made one of this. */
static const struct cxx_node *structor(struct cxx *c, const struct cxx_node *owner)
{
	bool is_constructor = *c->at++ == 'C', is_inherited = is_constructor && cxx_eat(c, 'I');

	if (!cxx_is_digit(cxx_peek(c)))
		return NULL;
	c->at++;
	if (is_inherited)
		owner = cxx_class_name(c);
	return cxx_wrap(c, is_constructor ? CXX_CONSTRUCTOR : CXX_DESTRUCTOR, base_name(c, owner));
}

/* Ul types E number _ */
static const struct cxx_node *lambda(struct cxx *c)
{
	const struct cxx_node *types = NULL;
	unsigned number;

	if (cxx_eat(c, 'v')) {
		if (!cxx_eat(c, 'E'))
			return NULL;
	} else if (!cxx_list(c, cxx_type, cxx_eat_end, &types)) {
		return NULL;
	}
	if (!cxx_sequence(c, 10, &number))
		return NULL;
	return cxx_numbered(c, CXX_LAMBDA, number + 1, NULL, types);
}

static const struct cxx_node *unnamed(struct cxx *c)
{
	unsigned number;

	if (cxx_eat_two(c, "Ul"))
		return lambda(c);
	if (!cxx_eat_two(c, "Ut") || !cxx_sequence(c, 10, &number))
		return NULL;
	return cxx_numbered(c, CXX_UNNAMED, number + 1, NULL, NULL);
}

/* DC names E: auto [a, b] */
static const struct cxx_node *binding(struct cxx *c)
{
	const struct cxx_node *names;

	c->at += 2;
	if (!cxx_list(c, cxx_source_name, cxx_eat_end, &names) || !names)
		return NULL;
	return cxx_node(c, CXX_BINDING, NULL, names);
}

static const struct cxx_node *untagged(struct cxx *c, const struct cxx_node *owner)
{
	char first = cxx_peek(c);

	if (first == 'D' && cxx_second(c) == 'C')
		return binding(c);
	if (owner && (first == 'C' || first == 'D'))
		return structor(c, owner);
	if (first == 'U')
		return unnamed(c);
	if (first >= 'a' && first <= 'z')
		return cxx_operator_name(c);
	return cxx_source_name(c);
}

/* A name that is not qualified, of a member of `owner` if there is one. */
const struct cxx_node *cxx_unqualified(struct cxx *c, const struct cxx_node *owner)
{
	const struct cxx_node *n;

	cxx_eat(c, 'L'); /* of this file alone */
	n = untagged(c, owner);
	while (n && cxx_eat(c, 'B'))
		n = cxx_join(c, CXX_TAGGED, n, cxx_source_name(c));
	return n;
}

/* Template arguments --------------------------------------------------------------------------- */

const struct cxx_node *cxx_template_argument(struct cxx *c)
{
	const struct cxx_node *n = NULL, *pack;

	if (!shown_enter(c->out)) {
		shown_leave(c->out);
		return NULL;
	}
	if (cxx_eat(c, 'X')) {
		n = cxx_expression(c);
		if (!cxx_eat(c, 'E'))
			n = NULL;
	} else if (cxx_eat(c, 'L')) {
		n = cxx_literal(c);
	} else if (cxx_eat(c, 'J') || cxx_eat(c, 'I')) {
		if (cxx_list(c, cxx_template_argument, cxx_eat_end, &pack))
			n = cxx_node(c, CXX_PACK, NULL, pack);
	} else {
		n = cxx_type(c);
	}
	shown_leave(c->out);
	return n;
}

/* Those of a template, as a list in a pack: there may be none. */
const struct cxx_node *cxx_template_arguments(struct cxx *c)
{
	bool is_own = c->is_naming, is_converting = c->is_converting;
	const struct cxx_node *arguments;

	if (!cxx_eat(c, 'I'))
		return NULL;
	c->is_naming = c->is_converting = false;
	if (!cxx_list(c, cxx_template_argument, cxx_eat_end, &arguments))
		return NULL;
	c->is_naming = is_own;
	c->is_converting = is_converting;
	if (is_own)
		c->scope->right = arguments;
	return cxx_node(c, CXX_PACK, NULL, arguments);
}

/* A name, with its arguments if there are any. */
static const struct cxx_node *with_arguments(struct cxx *c, const struct cxx_node *n)
{
	if (!n || cxx_peek(c) != 'I')
		return n;
	return cxx_join(c, CXX_TEMPLATE, n, cxx_template_arguments(c));
}

/* Names ---------------------------------------------------------------------------------------- */

unsigned cxx_this_qualifiers(struct cxx *c)
{
	unsigned qualifiers = 0;

	if (cxx_eat(c, 'r'))
		qualifiers |= CXX_RESTRICT;
	if (cxx_eat(c, 'V'))
		qualifiers |= CXX_VOLATILE;
	if (cxx_eat(c, 'K'))
		qualifiers |= CXX_CONST;
	return qualifiers;
}

/* One more part of a qualified name. */
static const struct cxx_node *part(struct cxx *c, const struct cxx_node *before)
{
	const struct cxx_node *n;
	char first = cxx_peek(c), second = cxx_second(c);

	if (first == 'I' && before)
		return with_arguments(c, before);
	if (first == 'S' && second != 't')
		return before ? NULL : cxx_repeated(c, true);
	if (first == 'T')
		n = cxx_template_parameter(c);
	else if (first == 'D' && (second == 't' || second == 'T'))
		n = cxx_decltype(c);
	else if (first == 'S')
		return cxx_eat_two(c, "St") && !before ? word(c, "std") : NULL;
	else
		n = cxx_unqualified(c, before);
	return n && before ? cxx_join(c, CXX_QUALIFIED, before, n) : n;
}

/* After the N. */
static const struct cxx_node *nested(struct cxx *c)
{
	unsigned qualifiers;
	const struct cxx_node *n = NULL;
	char first;

	cxx_eat(c, 'H'); /* `this` is declared */
	qualifiers = cxx_this_qualifiers(c);
	if (cxx_eat(c, 'R'))
		qualifiers |= CXX_LVALUE;
	else if (cxx_eat(c, 'O'))
		qualifiers |= CXX_RVALUE;
	while (!cxx_eat(c, 'E')) {
		first = cxx_peek(c);
		n = part(c, n);
		if (!n)
			return NULL;
		cxx_eat(c, 'M'); /* what initializes a member */
		if (first != 'S' && cxx_peek(c) != 'E' && !cxx_remember(c, n))
			return NULL;
	}
	if (n && qualifiers)
		n = cxx_numbered(c, CXX_THIS_QUALIFIED, qualifiers, n, NULL);
	return n;
}

/* _ digit, or __ number _: which of several with that name; it is not shown. */
static bool skip_discriminator(struct cxx *c)
{
	unsigned number;

	if (cxx_peek(c) == '_' && cxx_is_digit(cxx_second(c)))
		c->at += 2;
	else if (cxx_eat_two(c, "__"))
		return cxx_number(c, &number) && cxx_eat(c, '_');
	return true;
}

static const struct cxx_node *name(struct cxx *c);

/* After the Z. */
static const struct cxx_node *local(struct cxx *c)
{
	const struct cxx_node *function = cxx_encoding(c, true), *n;
	unsigned number;

	if (!function || !cxx_eat(c, 'E'))
		return NULL;
	if (cxx_eat(c, 's')) {
		n = word(c, "string literal");
	} else if (cxx_eat(c, 'd')) {
		if (!cxx_sequence(c, 10, &number))
			return NULL;
		n = name(c);
		n = n ? cxx_numbered(c, CXX_DEFAULT_ARGUMENT, number + 1, n, NULL) : NULL;
	} else {
		n = name(c);
	}
	if (!n || !skip_discriminator(c))
		return NULL;
	return cxx_join(c, CXX_LOCAL, function, n);
}

static const struct cxx_node *unscoped(struct cxx *c)
{
	const struct cxx_node *n;

	if (cxx_eat_two(c, "St"))
		n = cxx_join(c, CXX_QUALIFIED, word(c, "std"), cxx_unqualified(c, NULL));
	else
		n = cxx_unqualified(c, NULL);
	return n && cxx_peek(c) == 'I' ? with_arguments(c, cxx_remember(c, n)) : n;
}

static const struct cxx_node *name(struct cxx *c)
{
	const struct cxx_node *n = NULL;

	if (shown_enter(c->out)) {
		if (cxx_eat(c, 'N'))
			n = nested(c);
		else if (cxx_eat(c, 'Z'))
			n = local(c);
		else if (cxx_peek(c) == 'S' && cxx_second(c) != 't')
			n = with_arguments(c, cxx_repeated(c, false));
		else
			n = unscoped(c);
	}
	shown_leave(c->out);
	return n;
}

/* The name of a class in a type. */
const struct cxx_node *cxx_class_name(struct cxx *c)
{
	bool is_naming = c->is_naming;
	const struct cxx_node *n;

	c->is_naming = false;
	n = name(c);
	c->is_naming = is_naming;
	return n;
}

/* Encodings ------------------------------------------------------------------------------------ */

/* h number _ , or v number _ number _: how far `this` is moved; n before a negative number. */
static bool skip_offset(struct cxx *c)
{
	unsigned number;
	int numbers = cxx_eat(c, 'v') ? 2 : cxx_eat(c, 'h');

	for (int i = 0; i < numbers; i++) {
		cxx_eat(c, 'n');
		if (!cxx_number(c, &number) || !cxx_eat(c, '_'))
			return false;
	}
	return numbers > 0;
}

static const struct cxx_node *special(struct cxx *c, const char *text, const struct cxx_node *of)
{
	return of ? cxx_text(c, CXX_SPECIAL, text, strlen(text), of) : NULL;
}

static const struct cxx_node *construction_vtable(struct cxx *c)
{
	const struct cxx_node *in = cxx_type(c), *of;
	unsigned number;

	if (!in || !cxx_number(c, &number) || !cxx_eat(c, '_'))
		return NULL;
	of = cxx_type(c);
	return cxx_join(c, CXX_CONSTRUCTION_VTABLE, of, in);
}

/* T...: what the compiler makes for classes. */
static const struct cxx_node *of_class(struct cxx *c)
{
	static const char *const types[] = { "Vvtable for ", "TVTT for ", "Itypeinfo for ",
					     "Stypeinfo name for ", "Ftypeinfo fn for " };
	char kind = cxx_peek(c);

	if (kind == 'h' || kind == 'v') {
		if (!skip_offset(c))
			return NULL;
		return special(c, kind == 'h' ? "non-virtual thunk to " : "virtual thunk to ",
			       cxx_encoding(c, true));
	}
	c->at += kind != '\0';
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		if (kind == types[i][0])
			return special(c, types[i] + 1, cxx_type(c));
	}
	switch (kind) {
	case 'c':
		if (!skip_offset(c) || !skip_offset(c))
			return NULL;
		return special(c, "covariant return thunk to ", cxx_encoding(c, true));
	case 'C':
		return construction_vtable(c);
	case 'H':
		return special(c, "TLS init function for ", name(c));
	case 'W':
		return special(c, "TLS wrapper function for ", name(c));
	case 'A':
		return special(c, "template parameter object for ", cxx_template_argument(c));
	default:
		return NULL;
	}
}

/* GR: a temporary that a reference keeps; old compilers do not number them. */
static const struct cxx_node *temporary(struct cxx *c)
{
	const struct cxx_node *n = name(c);
	unsigned number = 0;

	if (!n || (c->at < c->end && !cxx_sequence(c, 36, &number)))
		return NULL;
	return cxx_numbered(c, CXX_SPECIAL, number, n, NULL);
}

/* G...: what the compiler makes for variables and functions. */
static const struct cxx_node *of_variable(struct cxx *c)
{
	char kind = cxx_peek(c);

	c->at += kind != '\0';
	switch (kind) {
	case 'V':
		return special(c, "guard variable for ", name(c));
	case 'R':
		return temporary(c);
	case 'A':
		return special(c, "hidden alias for ", cxx_encoding(c, true));
	case 'T':
		if (cxx_eat(c, 'n'))
			return special(c, "non-transaction clone for ", cxx_encoding(c, true));
		cxx_eat(c, 't');
		return special(c, "transaction clone for ", cxx_encoding(c, true));
	default:
		return NULL;
	}
}

/* Templates have their return type before the others, but not constructors and conversions. */
static bool has_return_type(const struct cxx_node *n)
{
	while (n->kind == CXX_LOCAL || n->kind == CXX_THIS_QUALIFIED)
		n = n->kind == CXX_LOCAL ? n->right : n->left;
	if (n->kind != CXX_TEMPLATE)
		return false;
	n = n->left;
	while (n->kind == CXX_QUALIFIED || n->kind == CXX_LOCAL)
		n = n->right;
	return n->kind != CXX_CONSTRUCTOR && n->kind != CXX_DESTRUCTOR &&
	       n->kind != CXX_CONVERSION;
}

/* The qualifiers of `this` are written after the parameters. */
static unsigned qualifiers_of(const struct cxx_node *n)
{
	while (n->kind == CXX_LOCAL)
		n = n->right;
	return n->kind == CXX_THIS_QUALIFIED ? n->number : 0;
}

static const struct cxx_node *function(struct cxx *c, const struct cxx_node *n)
{
	if (!n || c->at == c->end || *c->at == 'E' || *c->at == '.')
		return n;
	return cxx_join(c, CXX_FUNCTION, n,
			cxx_function_type(c, has_return_type(n), qualifiers_of(n)));
}

/* A function or a variable; `with_type`: with the parameters. */
const struct cxx_node *cxx_encoding(struct cxx *c, bool with_type)
{
	struct cxx_node *outer = c->scope;
	bool is_naming = c->is_naming;
	const struct cxx_node *n = NULL;

	c->scope = cxx_node(c, CXX_SCOPE, NULL, NULL);
	c->is_naming = true;
	if (c->scope && shown_enter(c->out)) {
		if (cxx_eat(c, 'T'))
			n = of_class(c);
		else if (cxx_eat(c, 'G'))
			n = of_variable(c);
		else
			n = name(c);
		c->is_naming = false;
		if (with_type)
			n = function(c, n);
	}
	if (c->scope)
		shown_leave(c->out);
	c->scope = outer;
	c->is_naming = is_naming;
	return n;
}

bool cxx_name(struct shown *out, struct arena *arena, const char *symbol, size_t len)
{
	struct cxx c = { .at = symbol + 2, .end = symbol + len, .arena = arena, .out = out };
	const struct cxx_node *n = cxx_encoding(&c, false);

	return n && cxx_print(out, n);
}
