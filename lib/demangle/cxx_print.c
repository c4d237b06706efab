/* SPDX-License-Identifier: MIT */
/*
 * cxx_print.c - write the names in symbols of C++
 *
 * A declaration grows around its name: "void (*", the name, ")(int)". So types are written in two
 * halves, of which most have only the first.
 */
#include "demangle/cxx.h"

/* The element of packs that is being written, when it is none. */
#define ALL UINT32_MAX

struct writer {
	struct shown *out;
	uint32_t element;  /* of the packs that are expanded */
	unsigned lambdas;  /* whose parameters are being written */
	bool has_failed;
};

static void write_left(struct writer *w, const struct cxx_node *n);
static void write_right(struct writer *w, const struct cxx_node *n);

static void write_all(struct writer *w, const struct cxx_node *n)
{
	write_left(w, n);
	write_right(w, n);
}

static void put_text(struct writer *w, const struct cxx_node *n)
{
	shown_put(w->out, n->text, n->len);
}

/* Items with commas between them; an empty pack leaves none. */
static void write_list(struct writer *w, const struct cxx_node *list)
{
	size_t start = w->out->len, before, behind_comma;

	for (; list && shown_step(w->out); list = list->right) {
		before = w->out->len;
		if (before > start)
			shown_text(w->out, ", ");
		behind_comma = w->out->len;
		if (list->left)
			write_all(w, list->left);
		if (w->out->len == behind_comma && !w->out->is_full)
			w->out->len = before;
	}
}

/* Template parameters and packs ---------------------------------------------------------------- */

static const struct cxx_node *item(const struct cxx_node *list, uint32_t number)
{
	for (; list && number; number--)
		list = list->right;
	return list ? list->left : NULL;
}

/* What a parameter stands for: maybe a pack.  NULL: there is no such argument. */
static const struct cxx_node *argument_of(struct writer *w, const struct cxx_node *parameter)
{
	if (!shown_step(w->out))
		return NULL;
	return item(parameter->left->right, parameter->number);
}

/* After parameters, to what they stand for; NULL: nothing. */
static const struct cxx_node *resolved(struct writer *w, const struct cxx_node *n)
{
	while (n && n->kind == CXX_PARAMETER && !w->lambdas) {
		n = argument_of(w, n);
		if (n && n->kind == CXX_PACK && w->element != ALL)
			n = item(n->right, w->element);
	}
	return n;
}

/* The pack that an expansion is over, or NULL. */
static const struct cxx_node *find_pack(struct writer *w, const struct cxx_node *n)
{
	const struct cxx_node *found = NULL;

	if (!n || w->lambdas || n->kind == CXX_EXPANSION)
		return NULL;
	if (n->kind == CXX_PARAMETER) {
		found = argument_of(w, n);
		return found && found->kind == CXX_PACK ? found : NULL;
	}
	if (shown_enter(w->out)) {
		found = find_pack(w, n->left);
		if (!found)
			found = find_pack(w, n->right);
	}
	shown_leave(w->out);
	return found;
}

static uint32_t length(const struct cxx_node *list)
{
	uint32_t n = 0;

	for (; list; list = list->right)
		n++;
	return n;
}

static void write_subexpression(struct writer *w, const struct cxx_node *n);

static void write_expansion(struct writer *w, const struct cxx_node *n)
{
	const struct cxx_node *pack = find_pack(w, n->left);
	uint32_t outer = w->element, count = pack ? length(pack->right) : 0;

	if (!pack) {
		/* Of the parameters of a function. */
		write_subexpression(w, n->left);
		shown_text(w->out, "...");
	}
	for (uint32_t i = 0; i < count && shown_step(w->out); i++) {
		w->element = i;
		if (i)
			shown_text(w->out, ", ");
		write_all(w, n->left);
	}
	w->element = outer;
}

static void write_parameter(struct writer *w, const struct cxx_node *n, bool is_left)
{
	const struct cxx_node *to;

	if (w->lambdas) {
		if (is_left) {
			shown_text(w->out, "auto:");
			shown_number(w->out, n->number + 1ull);
		}
		return;
	}
	to = resolved(w, n);
	if (!to)
		w->has_failed = true;
	else if (is_left)
		write_left(w, to);
	else
		write_right(w, to);
}

/* Types ---------------------------------------------------------------------------------------- */

/* Is it written around what points to it?  '(' of a function, '[' of an array, or NUL. */
static char shape(struct writer *w, const struct cxx_node *n)
{
	n = resolved(w, n);
	while (n && n->kind == CXX_SUFFIXED)
		n = resolved(w, n->left);
	if (!n)
		return '\0';
	return n->kind == CXX_FUNCTION_TYPE ? '(' : n->kind == CXX_ARRAY ? '[' : '\0';
}

/* Of an array, after qualifiers and further dimensions. */
static const struct cxx_node *element_of(struct writer *w, const struct cxx_node *n)
{
	n = resolved(w, n);
	while (n && (n->kind == CXX_SUFFIXED || n->kind == CXX_ARRAY))
		n = resolved(w, n->kind == CXX_ARRAY ? n->right : n->left);
	return n;
}

/* A pointer that is written around what follows: "void (*" */
static bool is_around(struct writer *w, const struct cxx_node *n)
{
	n = resolved(w, n);
	if (!n)
		return false;
	if (n->kind == CXX_MEMBER_POINTER)
		return shape(w, n->right) != '\0';
	return (n->kind == CXX_POINTER || n->kind == CXX_REFERENCE || n->kind == CXX_MOVED) &&
	       shape(w, n->left) != '\0';
}

/* "void (" and "int (" */
static void open_shape(struct writer *w, const struct cxx_node *inner)
{
	char s = shape(w, inner);

	if (s == '[' && !is_around(w, element_of(w, inner)))
		shown_char(w->out, ' ');
	if (s)
		shown_char(w->out, '(');
}

static void close_shape(struct writer *w, const struct cxx_node *inner)
{
	if (shape(w, inner))
		shown_char(w->out, ')');
}

/* A reference to a reference is one; && only if both are. */
static const struct cxx_node *collapsed(struct writer *w, const struct cxx_node *n, bool *is_moved)
{
	const struct cxx_node *inner = n->left, *to;

	*is_moved = n->kind == CXX_MOVED;
	for (;;) {
		to = resolved(w, inner);
		if (!to || (to->kind != CXX_REFERENCE && to->kind != CXX_MOVED))
			return inner;
		*is_moved = *is_moved && to->kind == CXX_MOVED;
		inner = to->left;
		if (!shown_step(w->out))
			return inner;
	}
}

static void write_pointer(struct writer *w, const struct cxx_node *n, bool is_left)
{
	const struct cxx_node *inner = n->left;
	bool is_moved = false;

	if (n->kind != CXX_POINTER)
		inner = collapsed(w, n, &is_moved);
	if (is_left) {
		write_left(w, inner);
		open_shape(w, inner);
		shown_text(w->out, n->kind == CXX_POINTER ? "*" : is_moved ? "&&" : "&");
	} else {
		close_shape(w, inner);
		write_right(w, inner);
	}
}

static void write_member_pointer(struct writer *w, const struct cxx_node *n, bool is_left)
{
	if (!is_left) {
		close_shape(w, n->right);
		write_right(w, n->right);
		return;
	}
	write_left(w, n->right);
	open_shape(w, n->right);
	if (!shape(w, n->right))
		shown_char(w->out, ' ');
	write_all(w, n->left);
	shown_text(w->out, "::*");
}

static void write_qualifiers(struct writer *w, unsigned qualifiers)
{
	static const char *const texts[] = { " const", " volatile", " __restrict", " &",
					     " &&",    " noexcept" };

	for (unsigned i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		if (qualifiers & 1u << i)
			shown_text(w->out, texts[i]);
	}
}

static void write_function_type(struct writer *w, const struct cxx_node *n, bool is_left)
{
	if (is_left) {
		if (n->left) {
			write_left(w, n->left);
			if (!is_around(w, n->left))
				shown_char(w->out, ' ');
		}
		return;
	}
	shown_char(w->out, '(');
	write_list(w, n->right);
	shown_char(w->out, ')');
	write_qualifiers(w, n->number);
	if (n->left)
		write_right(w, n->left);
}

static void write_array(struct writer *w, const struct cxx_node *n, bool is_left)
{
	if (is_left) {
		write_left(w, n->right);
		return;
	}
	shown_text(w->out, shown_last(w->out) == ']' ? "[" : " [");
	if (n->left)
		write_all(w, n->left);
	shown_char(w->out, ']');
	write_right(w, n->right);
}

static void write_vector(struct writer *w, const struct cxx_node *n)
{
	write_all(w, n->right);
	shown_text(w->out, " __vector(");
	if (n->left)
		write_all(w, n->left);
	shown_char(w->out, ')');
}

/* Those with two halves.  False: it is another. */
static bool write_half(struct writer *w, const struct cxx_node *n, bool is_left)
{
	switch (n->kind) {
	case CXX_PARAMETER:
		write_parameter(w, n, is_left);
		return true;
	case CXX_POINTER:
	case CXX_REFERENCE:
	case CXX_MOVED:
		write_pointer(w, n, is_left);
		return true;
	case CXX_MEMBER_POINTER:
		write_member_pointer(w, n, is_left);
		return true;
	case CXX_FUNCTION_TYPE:
		write_function_type(w, n, is_left);
		return true;
	case CXX_ARRAY:
		write_array(w, n, is_left);
		return true;
	case CXX_SUFFIXED:
		if (!is_left) {
			write_right(w, n->left);
			return true;
		}
		write_left(w, n->left);
		put_text(w, n);
		if (n->right)
			write_all(w, n->right);
		return true;
	default:
		return false;
	}
}

/* Names ---------------------------------------------------------------------------------------- */

/* Without two > in a row, which were an operator once. */
static void write_template(struct writer *w, const struct cxx_node *n)
{
	write_all(w, n->left);
	if (shown_last(w->out) == '<')
		shown_char(w->out, ' ');
	shown_char(w->out, '<');
	write_list(w, n->right->right);
	if (shown_last(w->out) == '>')
		shown_char(w->out, ' ');
	shown_char(w->out, '>');
}

static void write_function(struct writer *w, const struct cxx_node *n, bool with_result)
{
	if (with_result)
		write_left(w, n->right);
	write_all(w, n->left);
	write_right(w, n->right);
}

/* What the function returns does not tell it from others. */
static void write_local(struct writer *w, const struct cxx_node *n)
{
	if (n->left->kind == CXX_FUNCTION)
		write_function(w, n->left, false);
	else
		write_all(w, n->left);
	shown_text(w->out, "::");
	write_all(w, n->right);
}

static void write_operator(struct writer *w, const struct cxx_node *n)
{
	size_t len = n->len && n->text[n->len - 1] == ' ' ? n->len - 1 : n->len;

	shown_text(w->out, "operator");
	if (n->text[0] >= 'a' && n->text[0] <= 'z')
		shown_char(w->out, ' ');
	shown_put(w->out, n->text, len);
}

static void write_lambda(struct writer *w, const struct cxx_node *n)
{
	shown_text(w->out, "{lambda(");
	w->lambdas++;
	write_list(w, n->right);
	w->lambdas--;
	shown_text(w->out, ")#");
	shown_number(w->out, n->number);
	shown_char(w->out, '}');
}

/* "before", a number, "after" */
static void put_numbered(struct writer *w, const char *before, uint32_t number, const char *after)
{
	shown_text(w->out, before);
	shown_number(w->out, number);
	shown_text(w->out, after);
}

static void write_special(struct writer *w, const struct cxx_node *n)
{
	if (n->text)
		put_text(w, n);
	else
		put_numbered(w, "reference temporary #", n->number, " for ");
	write_all(w, n->left);
}

static bool write_name(struct writer *w, const struct cxx_node *n)
{
	switch (n->kind) {
	case CXX_TEXT:
	case CXX_STANDARD:
		put_text(w, n);
		return true;
	case CXX_QUALIFIED:
		write_all(w, n->left);
		shown_text(w->out, "::");
		write_all(w, n->right);
		return true;
	case CXX_LOCAL:
		write_local(w, n);
		return true;
	case CXX_TEMPLATE:
		write_template(w, n);
		return true;
	case CXX_DEFAULT_ARGUMENT:
		put_numbered(w, "{default arg#", n->number, "}::");
		write_all(w, n->left);
		return true;
	case CXX_FUNCTION:
		write_function(w, n, true);
		return true;
	case CXX_DESTRUCTOR:
		shown_char(w->out, '~');
		write_all(w, n->left);
		return true;
	case CXX_CONSTRUCTOR:
	case CXX_THIS_QUALIFIED:
		write_all(w, n->left);
		return true;
	case CXX_OPERATOR:
		write_operator(w, n);
		return true;
	case CXX_CONVERSION:
		shown_text(w->out, "operator ");
		write_all(w, n->left);
		return true;
	case CXX_TAGGED:
		write_all(w, n->left);
		shown_text(w->out, "[abi:");
		write_all(w, n->right);
		shown_char(w->out, ']');
		return true;
	case CXX_BINDING:
		shown_char(w->out, '[');
		write_list(w, n->right);
		shown_char(w->out, ']');
		return true;
	case CXX_LAMBDA:
		write_lambda(w, n);
		return true;
	case CXX_UNNAMED:
		put_numbered(w, "{unnamed type#", n->number, "}");
		return true;
	case CXX_SPECIAL:
		write_special(w, n);
		return true;
	case CXX_CONSTRUCTION_VTABLE:
		shown_text(w->out, "construction vtable for ");
		write_all(w, n->left);
		shown_text(w->out, "-in-");
		write_all(w, n->right);
		return true;
	default:
		return false;
	}
}

/* Expressions ---------------------------------------------------------------------------------- */

/* In brackets, unless it cannot be misread. */
static void write_subexpression(struct writer *w, const struct cxx_node *n)
{
	bool is_simple = n->kind == CXX_TEXT || n->kind == CXX_QUALIFIED ||
			 n->kind == CXX_BRACED || n->kind == CXX_ARGUMENT;

	if (!is_simple)
		shown_char(w->out, '(');
	if (n->kind == CXX_LIST)
		write_list(w, n);
	else
		write_all(w, n);
	if (!is_simple)
		shown_char(w->out, ')');
}

/* The name of a function that is called, or whose address is taken. */
static const struct cxx_node *without_parameters(const struct cxx_node *n)
{
	return n->kind == CXX_FUNCTION ? n->left : n;
}

static void write_literal(struct writer *w, const struct cxx_node *n)
{
	bool is_floating = n->left && (n->number & CXX_FLOATING);

	if (n->left) {
		shown_char(w->out, '(');
		write_all(w, n->left);
		shown_char(w->out, ')');
	}
	if (n->number & CXX_NEGATIVE)
		shown_char(w->out, '-');
	if (is_floating)
		shown_char(w->out, '[');
	if (n->right)
		write_all(w, n->right);
	if (is_floating)
		shown_char(w->out, ']');
	put_text(w, n);
}

static void write_prefix(struct writer *w, const struct cxx_node *n)
{
	bool is_address = n->len == 1 && n->text[0] == '&' && n->left->kind == CXX_FUNCTION &&
			  n->left->left->kind == CXX_QUALIFIED;

	put_text(w, n);
	write_subexpression(w, is_address ? n->left->left : n->left);
}

static void write_binary(struct writer *w, const struct cxx_node *n)
{
	/* It is not the end of the arguments. */
	bool is_greater = n->len == 1 && n->text[0] == '>';

	if (is_greater)
		shown_char(w->out, '(');
	write_subexpression(w, n->left);
	put_text(w, n);
	write_subexpression(w, n->right);
	if (is_greater)
		shown_char(w->out, ')');
}

static void write_condition(struct writer *w, const struct cxx_node *n)
{
	write_subexpression(w, n->left);
	shown_char(w->out, '?');
	write_subexpression(w, n->right->left);
	shown_text(w->out, " : ");
	write_subexpression(w, n->right->right);
}

static void write_fold(struct writer *w, const struct cxx_node *n)
{
	uint32_t element = w->element;

	w->element = ALL;
	shown_char(w->out, '(');
	if (n->kind == CXX_LEFT_FOLD) {
		shown_text(w->out, "...");
		put_text(w, n);
	}
	write_subexpression(w, n->left);
	if (n->kind != CXX_LEFT_FOLD) {
		put_text(w, n);
		shown_text(w->out, "...");
	}
	if (n->kind == CXX_FOLD) {
		put_text(w, n);
		write_subexpression(w, n->right);
	}
	shown_char(w->out, ')');
	w->element = element;
}

static void write_pack_size(struct writer *w, const struct cxx_node *n)
{
	const struct cxx_node *pack = find_pack(w, n->left);

	shown_number(w->out, pack ? length(pack->right) : 0);
}

static void write_cast(struct writer *w, const struct cxx_node *n)
{
	if (n->kind == CXX_NAMED_CAST) {
		put_text(w, n);
		shown_char(w->out, '<');
		write_all(w, n->left);
		shown_text(w->out, ">(");
		write_all(w, n->right);
		shown_char(w->out, ')');
		return;
	}
	shown_char(w->out, '(');
	write_all(w, n->left);
	shown_char(w->out, ')');
	write_subexpression(w, n->right);
}

static void write_argument(struct writer *w, const struct cxx_node *n)
{
	if (n->number)
		put_numbered(w, "{parm#", n->number, "}");
	else
		shown_text(w->out, "this");
}

static bool write_expression(struct writer *w, const struct cxx_node *n)
{
	switch (n->kind) {
	case CXX_LITERAL:
		write_literal(w, n);
		return true;
	case CXX_NULLARY:
		put_text(w, n);
		return true;
	case CXX_PREFIX:
		write_prefix(w, n);
		return true;
	case CXX_POSTFIX:
		write_subexpression(w, n->left);
		put_text(w, n);
		return true;
	case CXX_BINARY:
		write_binary(w, n);
		return true;
	case CXX_SUBSCRIPT:
		write_subexpression(w, n->left);
		shown_char(w->out, '[');
		write_all(w, n->right);
		shown_char(w->out, ']');
		return true;
	case CXX_CALL:
		write_subexpression(w, without_parameters(n->left));
		shown_char(w->out, '(');
		write_list(w, n->right);
		shown_char(w->out, ')');
		return true;
	case CXX_CAST:
	case CXX_NAMED_CAST:
		write_cast(w, n);
		return true;
	case CXX_CONDITION:
		write_condition(w, n);
		return true;
	case CXX_BRACED:
		if (n->left)
			write_all(w, n->left);
		shown_char(w->out, '{');
		write_list(w, n->right);
		shown_char(w->out, '}');
		return true;
	case CXX_IN_BRACKETS:
		put_text(w, n);
		shown_char(w->out, '(');
		write_all(w, n->left);
		shown_char(w->out, ')');
		return true;
	case CXX_ARGUMENT:
		write_argument(w, n);
		return true;
	case CXX_PACK_SIZE:
		write_pack_size(w, n);
		return true;
	case CXX_LEFT_FOLD:
	case CXX_RIGHT_FOLD:
	case CXX_FOLD:
		write_fold(w, n);
		return true;
	default:
		return false;
	}
}

/* Nodes ---------------------------------------------------------------------------------------- */

static bool write_other(struct writer *w, const struct cxx_node *n)
{
	switch (n->kind) {
	case CXX_DECLTYPE:
		shown_text(w->out, "decltype (");
		write_all(w, n->left);
		shown_char(w->out, ')');
		return true;
	case CXX_VECTOR:
		write_vector(w, n);
		return true;
	case CXX_PACK:
		write_list(w, n->right);
		return true;
	case CXX_EXPANSION:
		write_expansion(w, n);
		return true;
	case CXX_COMPOUND:
		write_all(w, n->left);
		write_all(w, n->right);
		return true;
	default:
		return false;
	}
}

static void write_left(struct writer *w, const struct cxx_node *n)
{
	if (shown_enter(w->out)) {
		if (!write_half(w, n, true) && !write_name(w, n) && !write_expression(w, n) &&
		    !write_other(w, n))
			w->has_failed = true;
	} else if (!w->out->is_full) {
		w->has_failed = true;
	}
	shown_leave(w->out);
}

static void write_right(struct writer *w, const struct cxx_node *n)
{
	if (shown_enter(w->out))
		write_half(w, n, false);
	else if (!w->out->is_full)
		w->has_failed = true;
	shown_leave(w->out);
}

bool cxx_print(struct shown *out, const struct cxx_node *n)
{
	struct writer w = { .out = out, .element = ALL };

	write_all(&w, n);
	return !w.has_failed && (out->steps || out->is_full) && out->len;
}
