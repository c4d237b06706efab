/* SPDX-License-Identifier: MIT */
/*
 * cxx.h - symbols of C++, as the Itanium ABI mangles them, taken apart
 *
 * A symbol is read into nodes, and these are written: what is repeated is a node that several
 * others have, and a template parameter is known only once its arguments, which may follow it, are.
 */
#ifndef JFREC_DEMANGLE_CXX_H
#define JFREC_DEMANGLE_CXX_H

#include <stdint.h>

#include "base/arena.h"
#include "demangle/shown.h"

enum cxx_kind {
	/* Names. */
	CXX_TEXT,		 /* text */
	CXX_STANDARD,		 /* text: std::string and the like; number: which */
	CXX_QUALIFIED,		 /* left::right */
	CXX_TEMPLATE,		 /* left<right> */
	CXX_LOCAL,		 /* left::right, left is a function */
	CXX_DEFAULT_ARGUMENT,	 /* {default arg#number}::left */
	CXX_FUNCTION,		 /* the name left, the type right */
	CXX_THIS_QUALIFIED,	 /* the name left; number: CXX_CONST and so on of `this` */
	CXX_CONSTRUCTOR,	 /* of the class left */
	CXX_DESTRUCTOR,		 /* of the class left */
	CXX_OPERATOR,		 /* operator text */
	CXX_CONVERSION,		 /* operator left */
	CXX_TAGGED,		 /* left[abi:right] */
	CXX_BINDING,		 /* [right], a list */
	CXX_LAMBDA,		 /* {lambda(right)#number} */
	CXX_UNNAMED,		 /* {unnamed type#number} */
	CXX_SPECIAL,		 /* text and left: "vtable for ..." */
	CXX_CONSTRUCTION_VTABLE, /* of left in right */
	/* Types. */
	CXX_POINTER,	    /* left* */
	CXX_REFERENCE,	    /* left& */
	CXX_MOVED,	    /* left&& */
	CXX_SUFFIXED,	    /* left text: "int const" */
	CXX_FUNCTION_TYPE,  /* left(right), left may be NULL; number: as above */
	CXX_ARRAY,	    /* right [left], left may be NULL */
	CXX_MEMBER_POINTER, /* right left::* */
	CXX_VECTOR,	    /* right __vector(left) */
	CXX_DECLTYPE,	    /* decltype (left) */
	CXX_SCOPE,	    /* right: the template's arguments, or NULL */
	CXX_PARAMETER,	    /* argument number `number` of the scope left */
	CXX_PACK,	    /* right: template arguments that count as one */
	CXX_EXPANSION,	    /* left for each of a pack */
	CXX_LIST,	    /* left, and then those of right, which may be NULL */
	/* Expressions. */
	CXX_LITERAL,	/* (left)right text, left may be NULL; number: CXX_NEGATIVE and so on */
	CXX_NULLARY,	/* text */
	CXX_PREFIX,	/* text(left) */
	CXX_POSTFIX,	/* (left)text */
	CXX_BINARY,	/* (left)text(right) */
	CXX_SUBSCRIPT,	/* left[right] */
	CXX_CALL,	/* left(right) */
	CXX_CAST,	/* (left)(right) */
	CXX_NAMED_CAST, /* text<left>(right) */
	CXX_CONDITION,	/* left ? right, a list of two */
	CXX_BRACED,	/* left{right} */
	CXX_IN_BRACKETS /* text(left): sizeof (type) */,
	CXX_ARGUMENT,	/* {parm#number}; 0: this */
	CXX_PACK_SIZE,	/* of the pack in left */
	CXX_COMPOUND,	/* left and right, nothing between */
	CXX_LEFT_FOLD,	/* (...text left) */
	CXX_RIGHT_FOLD, /* (left text...) */
	CXX_FOLD,	/* (left text...text right) */
};

/* Qualifiers of functions. */
enum {
	CXX_CONST = 1,
	CXX_VOLATILE = 2,
	CXX_RESTRICT = 4,
	CXX_LVALUE = 8,
	CXX_RVALUE = 16,
	CXX_NOEXCEPT = 32,
};

/* Numbers of literals. */
enum {
	CXX_NEGATIVE = 1,
	CXX_FLOATING = 2, /* bits in hexadecimal */
};

struct cxx_node {
	uint8_t kind; /* enum cxx_kind */
	uint32_t number;
	uint32_t len; /* of the text */
	const char *text;
	const struct cxx_node *left, *right;
};

/* A symbol that is being read. */
struct cxx {
	const char *at, *end;
	struct arena *arena;
	struct shown *out; /* whose steps and depth count */
	const struct cxx_node **repeated; /* substitutions: what S_, S0_... stand for */
	unsigned repeated_count, repeated_room;
	struct cxx_node *scope; /* of the function that is being read */
	bool is_naming;		/* its name: template arguments are its own */
	bool is_converting; /* the type of a conversion: arguments after it are the operator's */
};

/* Write the name of a symbol, which begins with _Z.  False: it is none, or takes too long. */
bool cxx_name(struct shown *out, struct arena *arena, const char *symbol, size_t len);

/* Write a node: cxx_print.c.  False: it takes too long, or makes no sense. */
bool cxx_print(struct shown *out, const struct cxx_node *n);

/*
 * What follows reads one thing and moves on. NULL: that is not there, or not all of it, or it takes
 * too long, or memory is gone; then the whole symbol cannot be read.
 */

/* cxx_name.c */
const struct cxx_node *cxx_encoding(struct cxx *c, bool with_type);
const struct cxx_node *cxx_class_name(struct cxx *c);
const struct cxx_node *cxx_unqualified(struct cxx *c, const struct cxx_node *owner);
const struct cxx_node *cxx_source_name(struct cxx *c);
const struct cxx_node *cxx_template_arguments(struct cxx *c);
const struct cxx_node *cxx_template_argument(struct cxx *c);

/* cxx_type.c */
const struct cxx_node *cxx_type(struct cxx *c);
const struct cxx_node *cxx_function_type(struct cxx *c, bool returns, unsigned qualifiers);
const struct cxx_node *cxx_template_parameter(struct cxx *c);
const struct cxx_node *cxx_decltype(struct cxx *c);
const struct cxx_node *cxx_repeated(struct cxx *c, bool is_prefix);
unsigned cxx_this_qualifiers(struct cxx *c);

/* cxx_expression.c */
const struct cxx_node *cxx_expression(struct cxx *c);
const struct cxx_node *cxx_literal(struct cxx *c); /* after its L */
const struct cxx_node *cxx_operator_name(struct cxx *c);

/*
 * cxx_node.c: nodes. NULL as well if one that must be there is NULL, so that calls can be nested.
 */
struct cxx_node *cxx_node(struct cxx *c, enum cxx_kind kind, const struct cxx_node *left,
			  const struct cxx_node *right); /* either may be NULL */
const struct cxx_node *cxx_wrap(struct cxx *c, enum cxx_kind kind, const struct cxx_node *left);
const struct cxx_node *cxx_join(struct cxx *c, enum cxx_kind kind, const struct cxx_node *left,
				const struct cxx_node *right);
const struct cxx_node *cxx_text(struct cxx *c, enum cxx_kind kind, const char *text, size_t len,
				const struct cxx_node *left); /* left may be NULL */
const struct cxx_node *cxx_numbered(struct cxx *c, enum cxx_kind kind, unsigned number,
				    const struct cxx_node *left,
				    const struct cxx_node *right); /* either may be NULL */

/*
 * A list of what `item` reads, until `ends` says that it is over.  NULL in *first: it is empty.
 * False: it does not end well.
 */
bool cxx_list(struct cxx *c, const struct cxx_node *(*item)(struct cxx *c),
	      bool (*ends)(struct cxx *c), const struct cxx_node **first);

/* For cxx_list(): most end with an E, which is taken. */
bool cxx_eat_end(struct cxx *c);

/* Remember what S_ may stand for later, and give it back. */
const struct cxx_node *cxx_remember(struct cxx *c, const struct cxx_node *n);

/* Characters ----------------------------------------------------------------------------------- */

static inline char cxx_peek(const struct cxx *c)
{
	return c->at < c->end ? *c->at : '\0';
}

static inline char cxx_second(const struct cxx *c)
{
	return c->end - c->at > 1 ? c->at[1] : '\0';
}

static inline bool cxx_eat(struct cxx *c, char expected)
{
	bool is_there = cxx_peek(c) == expected && c->at < c->end;

	c->at += is_there;
	return is_there;
}

static inline bool cxx_eat_two(struct cxx *c, const char *expected)
{
	bool are_there = cxx_peek(c) == expected[0] && cxx_second(c) == expected[1];

	c->at += are_there ? 2 : 0;
	return are_there;
}

static inline bool cxx_is_digit(char ch)
{
	return ch >= '0' && ch <= '9';
}

/* A number in decimal; false: there is none, or it is larger than any that makes sense. */
bool cxx_number(struct cxx *c, unsigned *number);

/* "_" is 0, "0_" is 1, "1_" is 2 and so on; with `base` 36 letters follow digits. */
bool cxx_sequence(struct cxx *c, unsigned base, unsigned *number);

#endif
