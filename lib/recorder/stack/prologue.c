/* SPDX-License-Identifier: MIT */
/*
 * prologue.c - where a frame pointer is, from how a function begins
 *
 *	push %rbp
 *	mov  %rsp,%rbp
 *	push %rbx
 *	sub  $0x38,%rsp       here the frame pointer is 0x40 above the stack pointer
 *
 * Between these lines there may be others that compilers have moved there, such as movs of
 * arguments.  An instruction that is not known ends the reading, and one that changes one of the
 * two registers in another way makes it fail.
 */
#include "recorder/stack/prologue.h"

#include <string.h>

#define SP 4u
#define FP 5u

/* An instruction, as far as it matters. */
struct instruction {
	size_t size;
	uint8_t opcode, modrm;
	bool is_two_bytes, has_modrm, is_wide;
	bool extends_reg, extends_rm; /* the registers are r8 to r15 */
	size_t immediate; /* its bytes, which are the last */
};

/* A byte with registers, and what it says that follows it; 0: there is not enough. */
static size_t operands(const uint8_t *at, size_t left)
{
	unsigned mod, rm;
	size_t n = 1;

	if (!left)
		return 0;
	mod = at[0] >> 6;
	rm = at[0] & 7;
	if (mod == 3)
		return 1;
	if (rm == 4) {
		if (left < 2)
			return 0;
		n += 1 + (mod == 0 && (at[1] & 7) == 5 ? 4 : 0);
	}
	n += mod == 1 ? 1 : mod == 2 || (mod == 0 && rm == 5) ? 4 : 0;
	return n <= left ? n : 0;
}

/* Those of one byte that stand in prologues.  False: another one. */
static bool classify(struct instruction *i)
{
	uint8_t op = i->opcode;

	if ((op >= 0x50 && op <= 0x57) || op == 0x90)
		return true;
	if (op >= 0xb8 && op <= 0xbf) {
		i->immediate = i->is_wide ? 8 : 4;
		return true;
	}
	i->has_modrm = true;
	if (op == 0x80 || op == 0x83 || op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0x6b)
		i->immediate = 1;
	else if (op == 0x81 || op == 0xc7 || op == 0x69)
		i->immediate = 4;
	else
		/* Arithmetic between registers and memory, tests, moves, lea. */
		return (op < 0x40 && (op & 7) < 4) || (op >= 0x84 && op <= 0x8d && op != 0x8c) ||
		       op == 0x63;
	return true;
}

/* Vectors, nop, endbr64, moves with extension; with two bytes. */
static bool classify_two(struct instruction *i)
{
	uint8_t op = i->opcode;

	i->has_modrm = true;
	i->immediate = op == 0x70 || op == 0xc6;
	return (op >= 0x10 && op <= 0x17) || op == 0x1e || op == 0x1f ||
	       (op >= 0x28 && op <= 0x2f) || (op >= 0x40 && op <= 0x70) || op == 0x7e ||
	       op == 0x7f || (op >= 0x90 && op <= 0x9f) || op == 0xaf || op == 0xb6 || op == 0xb7 ||
	       op == 0xbe || op == 0xbf || op == 0xc6 || op == 0xd6 || op == 0xef;
}

static bool decode(const uint8_t *at, size_t left, struct instruction *i)
{
	const uint8_t *begin = at, *end = at + left;
	size_t n;

	*i = (struct instruction){ 0 };
	while (at < end && (*at == 0x66 || *at == 0xf2 || *at == 0xf3 || *at == 0x64))
		at++;
	if (at < end && *at >= 0x40 && *at <= 0x4f) {
		i->is_wide = *at & 8;
		i->extends_reg = *at & 4;
		i->extends_rm = *at++ & 1;
	}
	if (at < end && *at == 0x0f) {
		i->is_two_bytes = true;
		at++;
	}
	if (at == end)
		return false;
	i->opcode = *at++;
	if (!(i->is_two_bytes ? classify_two(i) : classify(i)))
		return false;
	if (i->has_modrm) {
		n = operands(at, (size_t)(end - at));
		if (!n)
			return false;
		i->modrm = *at;
		at += n;
	}
	if ((size_t)(end - at) < i->immediate)
		return false;
	i->size = (size_t)(at - begin) + i->immediate;
	return true;
}

/* The field of modrm extends the opcode: it is no register. */
static bool has_group(const struct instruction *i)
{
	return i->opcode == 0x80 || i->opcode == 0x81 || i->opcode == 0x83 || i->opcode == 0xc0 ||
	       i->opcode == 0xc1 || i->opcode == 0xc6 || i->opcode == 0xc7;
}

static bool names(const struct instruction *i, unsigned number)
{
	bool is_reg = !has_group(i) && !i->extends_reg && (i->modrm >> 3 & 7) == number;
	bool is_rm = !i->extends_rm && i->modrm >> 6 == 3 && (i->modrm & 7) == number;

	/* Those of vectors are others. */
	if (i->is_two_bytes && i->opcode < 0x90 && (i->opcode < 0x40 || i->opcode > 0x4f))
		return false;
	if (!i->has_modrm)
		return i->opcode >= 0xb8 && !i->extends_rm && (i->opcode & 7u) == number;
	return is_reg || is_rm;
}

/* mov %rsp,%rbp, in either form. */
static bool sets_fp(const struct instruction *i)
{
	return i->is_wide && !i->is_two_bytes && !i->extends_reg && !i->extends_rm &&
	       ((i->opcode == 0x89 && i->modrm == 0xe5) || (i->opcode == 0x8b && i->modrm == 0xec));
}

/* sub and add of a number.  False: it is none of these. */
static bool moves_sp(const struct instruction *i, const uint8_t *at, uint64_t *distance)
{
	int32_t number = 0;

	if (!i->is_wide || i->extends_rm || (i->opcode != 0x81 && i->opcode != 0x83) ||
	    (i->modrm != 0xec && i->modrm != 0xc4))
		return false;
	memcpy(&number, at + i->size - i->immediate, i->immediate);
	if (i->immediate == 1)
		number = (int8_t)number;
	*distance += (uint64_t)(int64_t)(i->modrm == 0xec ? number : -(int64_t)number);
	return true;
}

bool prologue_read(const uint8_t *code, size_t size, uint64_t *distance)
{
	struct instruction i;
	bool has_fp = false;

	*distance = 0;
	for (size_t at = 0; at < size && decode(code + at, size - at, &i); at += i.size) {
		if (sets_fp(&i)) {
			has_fp = true;
			*distance = 0;
		} else if (!i.is_two_bytes && i.opcode >= 0x50 && i.opcode <= 0x57) {
			*distance += 8;
		} else if (has_fp && !moves_sp(&i, code + at, distance) &&
			   (names(&i, SP) || names(&i, FP))) {
			return false;
		}
	}
	return has_fp;
}

bool prologue_is_call(const uint8_t code[CALL_BYTES])
{
	if (code[CALL_BYTES - 5] == 0xe8)
		return true;
	for (size_t n = 2; n <= CALL_BYTES; n++) {
		const uint8_t *at = code + CALL_BYTES - n;

		if (at[0] == 0xff && (at[1] >> 3 & 7) == 2 && operands(at + 1, n - 1) == n - 1)
			return true;
	}
	return false;
}
