/* SPDX-License-Identifier: MIT */
/*
 * unwind.c - who called whom, worked out from registers and a copy of the stack
 *
 *	.eh_frame_hdr	u8 version 1, u8 encodings of: address of .eh_frame, count, table;
 *			then these; the table: pairs (first address of code, its FDE), sorted
 *	CIE		u32 length, u32 0, u8 version, augmentation, alignments, register of the
 *			return address, data of the augmentation, instructions
 *	FDE		u32 length, u32 back to its CIE, first address, size, data, instructions
 *
 * A row of rules says how the registers of the caller are found: the instructions of the CIE make
 * the first row, those of the FDE change it up to the address in question.
 */
#include "recorder/stack/unwind.h"

#include <string.h>

#include "recorder/stack/frame_reader.h"
#include "recorder/stack/prologue.h"

/* Before a longer one has made its frame, compilers have put too much between. */
#define PROLOGUE_BYTES 128u

#define MOST_STEPS  2000u /* instructions for one frame */
#define MOST_STATES 8u	  /* remembered rows */
#define MOST_VALUES 32u	  /* on the stack of an expression */

enum rule_kind { SAME, UNDEFINED, OFFSET, VALUE_OFFSET, REGISTER, EXPRESSION, VALUE_EXPRESSION };

struct rule {
	enum rule_kind kind;
	int64_t offset;	       /* or the register */
	uint64_t at, size;     /* of the expression */
};

struct row {
	struct rule cfa; /* REGISTER with .offset beside .at, or EXPRESSION */
	struct rule registers[UNWIND_REGISTERS];
};

/* What is known of the code around one address. */
struct code {
	uint64_t begin, size, code_align;
	int64_t data_align;
	uint64_t return_register;
	struct reader first, own; /* instructions */
	bool is_signal; /* the frame of a handler: the address is not that of a call */
};

/* Finding the code ----------------------------------------------------------------------------- */

/* The FDE for an address, of the sorted table; 0: there is none. */
static uint64_t search(const struct frame_tables *t, uint64_t pc)
{
	struct reader r = reader_at(t, t->header), entry;
	uint64_t version = take(&r, 1), low = 0, high, middle;
	uint8_t frames = (uint8_t)take(&r, 1), count = (uint8_t)take(&r, 1),
		table = (uint8_t)take(&r, 1);

	/* Linkers write no other table than this. */
	if (r.bad || version != 1 || count == ENCODING_OMIT || table != 0x3b)
		return 0;
	take_address(&r, frames);
	high = take_address(&r, count);
	if (r.bad || high > (r.end - r.at) / 8 || !high)
		return 0;
	while (low + 1 < high) {
		middle = low + (high - low) / 2;
		entry = r;
		entry.at += middle * 8;
		if (take_address(&entry, table) <= pc)
			low = middle;
		else
			high = middle;
	}
	r.at += low * 8;
	if (take_address(&r, table) > pc)
		return 0;
	return take_address(&r, table);
}

/* The length of an entry; r ends with it after that. */
static void enter(struct reader *r)
{
	uint64_t length = take(r, 4);

	if (r->bad || length < 4 || length == 0xffffffff || length > r->end - r->at)
		r->bad = true;
	else
		r->end = r->at + length;
}

/* The augmentation "zPLR..." of a CIE: only R, S and the sizes count. */
static bool read_cie(struct code *c, struct reader r, uint8_t *encoding, bool *has_data)
{
	char augmentation[9] = "";
	uint64_t version, size, data_end;
	size_t i = 0;

	enter(&r);
	if (take(&r, 4) != 0)
		return false;
	version = take(&r, 1);
	do {
		augmentation[i] = (char)take(&r, 1);
	} while (augmentation[i] && ++i < sizeof(augmentation));
	if (i == sizeof(augmentation) || (version != 1 && version != 3))
		return false;
	c->code_align = take_unsigned(&r);
	c->data_align = take_signed(&r);
	c->return_register = version == 1 ? take(&r, 1) : take_unsigned(&r);
	*encoding = 0;
	*has_data = augmentation[0] == 'z';
	if (augmentation[0] && !*has_data)
		return false;
	size = *has_data ? take_unsigned(&r) : 0;
	if (r.bad || size > r.end - r.at)
		return false;
	data_end = r.at + size;
	for (i = 1; *has_data && augmentation[i]; i++) {
		if (augmentation[i] == 'R')
			*encoding = (uint8_t)take(&r, 1);
		else if (augmentation[i] == 'L')
			take(&r, 1);
		else if (augmentation[i] == 'P')
			/* Where it is does not matter, so an indirect one is as good. */
			take_address(&r, (uint8_t)take(&r, 1) & (uint8_t)~ENCODING_INDIRECT);
		else if (augmentation[i] == 'S')
			c->is_signal = true;
		else if (augmentation[i] == 'B') /* which key signs addresses on AArch64 */
			continue;
		else
			return false;
	}
	r.at = data_end;
	c->first = r;
	return !r.bad;
}

static bool find_code(const struct frame_tables *t, uint64_t pc, struct code *c)
{
	uint64_t fde = search(t, pc), cie_at, back;
	struct reader r;
	uint8_t encoding;
	bool has_data;

	*c = (struct code){ 0 };
	if (!fde)
		return false;
	r = reader_at(t, fde);
	enter(&r);
	cie_at = t->address + r.at;
	back = take(&r, 4);
	if (r.bad || !back || !read_cie(c, reader_at(t, cie_at - back), &encoding, &has_data))
		return false;
	c->begin = take_address(&r, encoding);
	/* The size has the form, but no base. */
	c->size = take_form(&r, encoding & ENCODING_FORM);
	if (has_data)
		skip(&r, take_unsigned(&r));
	c->own = r;
	return !r.bad && pc - c->begin < c->size;
}

/* Rules ---------------------------------------------------------------------------------------- */

static struct rule *rule_of(struct row *row, uint64_t number)
{
	static struct rule ignored;

	return number < UNWIND_REGISTERS ? &row->registers[number] : &ignored;
}

static void set(struct row *row, uint64_t number, enum rule_kind kind, int64_t offset)
{
	*rule_of(row, number) = (struct rule){ .kind = kind, .offset = offset };
}

static void set_expression(struct row *row, uint64_t number, enum rule_kind kind, struct reader *r)
{
	uint64_t size = take_unsigned(r);

	*rule_of(row, number) = (struct rule){ .kind = kind, .at = r->at, .size = size };
	skip(r, size);
}

struct machine {
	struct row row, first, states[MOST_STATES];
	unsigned depth, steps;
	uint64_t location;
};

static bool is_done(const struct machine *m, uint64_t pc)
{
	return m->location > pc;
}

/* What the canonical frame address is from here on. */
static bool run_frame_address(struct machine *m, struct reader *r, const struct code *c, uint8_t op)
{
	struct rule *cfa = &m->row.cfa;

	switch (op) {
	case 0x0c: /* def_cfa */
		*cfa = (struct rule){ .kind = REGISTER, .at = take_unsigned(r) };
		cfa->offset = (int64_t)take_unsigned(r);
		return true;
	case 0x0d: /* def_cfa_register */
		cfa->kind = REGISTER;
		cfa->at = take_unsigned(r);
		return true;
	case 0x0e: /* def_cfa_offset */
		cfa->offset = (int64_t)take_unsigned(r);
		return true;
	case 0x0f: /* def_cfa_expression */
		*cfa = (struct rule){ .kind = EXPRESSION, .size = take_unsigned(r) };
		cfa->at = r->at;
		skip(r, cfa->size);
		return true;
	case 0x12: /* def_cfa_sf */
		*cfa = (struct rule){ .kind = REGISTER, .at = take_unsigned(r) };
		cfa->offset = (int64_t)((uint64_t)take_signed(r) * (uint64_t)c->data_align);
		return true;
	case 0x13: /* def_cfa_offset_sf */
		cfa->offset = (int64_t)((uint64_t)take_signed(r) * (uint64_t)c->data_align);
		return true;
	default:
		return false;
	}
}

/* Where the caller's register is; the register comes first. */
static bool run_register(struct machine *m, struct reader *r, const struct code *c, uint8_t op)
{
	uint64_t number = take_unsigned(r);

	switch (op) {
	case 0x05: /* offset_extended */
		set(&m->row, number, OFFSET, (int64_t)(take_unsigned(r) * (uint64_t)c->data_align));
		return true;
	case 0x06: /* restore_extended */
		*rule_of(&m->row, number) = *rule_of(&m->first, number);
		return true;
	case 0x07: /* undefined */
		set(&m->row, number, UNDEFINED, 0);
		return true;
	case 0x08: /* same_value */
		set(&m->row, number, SAME, 0);
		return true;
	case 0x09: /* register */
		set(&m->row, number, REGISTER, (int64_t)take_unsigned(r));
		return true;
	case 0x10: /* expression */
		set_expression(&m->row, number, EXPRESSION, r);
		return true;
	case 0x11: /* offset_extended_sf */
		set(&m->row, number, OFFSET,
		    (int64_t)((uint64_t)take_signed(r) * (uint64_t)c->data_align));
		return true;
	case 0x14: /* val_offset */
		set(&m->row, number, VALUE_OFFSET,
		    (int64_t)(take_unsigned(r) * (uint64_t)c->data_align));
		return true;
	case 0x16: /* val_expression */
		set_expression(&m->row, number, VALUE_EXPRESSION, r);
		return true;
	default:
		return false;
	}
}

/* The instructions without a register in them.  False: it is not known. */
static bool run_extended(struct machine *m, struct reader *r, const struct code *c, uint8_t op)
{
	switch (op) {
	case 0x00: /* nop */
		return true;
	case 0x01: /* set_loc: compilers do not write it */
		return false;
	case 0x02:
	case 0x03:
	case 0x04: /* advance_loc1, 2, 4 */
		m->location += take(r, op == 0x02 ? 1 : op == 0x03 ? 2 : 4) * c->code_align;
		return true;
	case 0x0a: /* remember_state */
		if (m->depth == MOST_STATES)
			return false;
		m->states[m->depth++] = m->row;
		return true;
	case 0x0b: /* restore_state */
		if (!m->depth)
			return false;
		m->row = m->states[--m->depth];
		return true;
	case 0x2c:
	case 0x2d: /* AARCH64_negate_ra_state: signatures are taken off in any case */
		return true;
	case 0x2e: /* GNU_args_size */
		take_unsigned(r);
		return true;
	default:
		return (op >= 0x0c && op <= 0x0f) || op == 0x12 || op == 0x13
			       ? run_frame_address(m, r, c, op)
			       : run_register(m, r, c, op);
	}
}

/* Up to the row for pc.  False: something in it is not known. */
static bool run(struct machine *m, struct reader r, const struct code *c, uint64_t pc)
{
	while (!r.bad && r.at < r.end && !is_done(m, pc)) {
		uint8_t op = (uint8_t)take(&r, 1), low = op & 0x3f;

		if (++m->steps > MOST_STEPS)
			return false;
		if (op >> 6 == 1)
			m->location += low * c->code_align;
		else if (op >> 6 == 2)
			set(&m->row, low, OFFSET,
			    (int64_t)(take_unsigned(&r) * (uint64_t)c->data_align));
		else if (op >> 6 == 3)
			*rule_of(&m->row, low) = *rule_of(&m->first, low);
		else if (!run_extended(m, &r, c, op))
			return false;
	}
	return !r.bad;
}

/* Values --------------------------------------------------------------------------------------- */

/* A word of the stack.  False: the copy does not have it. */
static bool load(const struct snapshot *s, uint64_t address, uint64_t *value)
{
	if (s->stack_size < 8 || address - s->stack_address > s->stack_size - 8)
		return false;
	memcpy(value, s->stack + (address - s->stack_address), 8);
	return true;
}

struct values {
	uint64_t v[MOST_VALUES];
	unsigned count;
};

static bool push(struct values *v, uint64_t value)
{
	if (v->count == MOST_VALUES)
		return false;
	v->v[v->count++] = value;
	return true;
}

/* Two operands, one result. */
static bool combine(struct values *v, uint8_t op)
{
	uint64_t b, a;

	if (v->count < 2)
		return false;
	b = v->v[--v->count];
	a = v->v[--v->count];
	switch (op) {
	case 0x1a:
		return push(v, a & b);
	case 0x1c:
		return push(v, a - b);
	case 0x1e:
		return push(v, a * b);
	case 0x21:
		return push(v, a | b);
	case 0x22:
		return push(v, a + b);
	case 0x24:
		return push(v, b < 64 ? a << b : 0);
	case 0x25:
		return push(v, b < 64 ? a >> b : 0);
	case 0x29:
		return push(v, a == b);
	case 0x2a:
		return push(v, (int64_t)a >= (int64_t)b);
	case 0x2b:
		return push(v, (int64_t)a > (int64_t)b);
	case 0x2c:
		return push(v, (int64_t)a <= (int64_t)b);
	case 0x2d:
		return push(v, (int64_t)a < (int64_t)b);
	case 0x2e:
		return push(v, a != b);
	default:
		return false;
	}
}

static bool constant(struct values *v, struct reader *r, uint8_t op)
{
	switch (op) {
	case 0x08:
		return push(v, take(r, 1));
	case 0x09:
		return push(v, (uint64_t)(int64_t)(int8_t)take(r, 1));
	case 0x0a:
		return push(v, take(r, 2));
	case 0x0b:
		return push(v, (uint64_t)(int64_t)(int16_t)take(r, 2));
	case 0x0c:
		return push(v, take(r, 4));
	case 0x0d:
		return push(v, (uint64_t)(int64_t)(int32_t)take(r, 4));
	case 0x0e:
	case 0x0f:
		return push(v, take(r, 8));
	case 0x10:
		return push(v, take_unsigned(r));
	default:
		return push(v, (uint64_t)take_signed(r));
	}
}

/* *cut: a word was asked for that the copy does not have. */
static bool step(struct values *v, struct reader *r, const struct snapshot *s, uint8_t op,
		 bool *cut)
{
	uint64_t value;

	if (op >= 0x30 && op < 0x50)
		return push(v, op - 0x30u);
	if (op >= 0x70 && op < 0x90) {
		value = (uint64_t)take_signed(r);
		return op - 0x70u < UNWIND_REGISTERS && push(v, s->registers[op - 0x70] + value);
	}
	if (op >= 0x08 && op <= 0x11)
		return constant(v, r, op);
	if (op == 0x06) { /* deref */
		if (!v->count)
			return false;
		*cut = !load(s, v->v[v->count - 1], &v->v[v->count - 1]);
		return !*cut;
	}
	if (op == 0x12) /* dup */
		return v->count && push(v, v->v[v->count - 1]);
	if (op == 0x13) /* drop */
		return v->count && v->count--;
	if (op == 0x23) { /* plus_uconst */
		value = take_unsigned(r);
		return v->count && (v->v[v->count - 1] += value, true);
	}
	return combine(v, op);
}

static bool evaluate(const struct frame_tables *t, const struct snapshot *s, uint64_t at,
		     uint64_t size, uint64_t first, uint64_t *value, bool *cut)
{
	struct reader r = { t, at, at + size, false };
	struct values v = { { first }, 1 };

	for (unsigned steps = 0; r.at < r.end; steps++)
		if (steps > MOST_STEPS || !step(&v, &r, s, (uint8_t)take(&r, 1), cut) || r.bad)
			return false;
	*value = v.count ? v.v[v.count - 1] : 0;
	return v.count > 0;
}

/* Frames --------------------------------------------------------------------------------------- */

static bool find_cfa(const struct frame_tables *t, const struct snapshot *s,
		     const struct rule *rule, uint64_t *cfa, bool *cut)
{
	if (rule->kind == EXPRESSION)
		return evaluate(t, s, rule->at, rule->size, 0, cfa, cut);
	if (rule->kind != REGISTER || rule->at >= UNWIND_REGISTERS)
		return false;
	*cfa = s->registers[rule->at] + (uint64_t)rule->offset;
	return true;
}

static bool find_register(const struct frame_tables *t, const struct snapshot *s,
			  const struct rule *rule, uint64_t cfa, uint64_t old, uint64_t *value,
			  bool *cut)
{
	switch (rule->kind) {
	case SAME:
		*value = old;
		return true;
	case UNDEFINED:
		*value = 0;
		return true;
	case OFFSET:
		*cut = !load(s, cfa + (uint64_t)rule->offset, value);
		return !*cut;
	case VALUE_OFFSET:
		*value = cfa + (uint64_t)rule->offset;
		return true;
	case REGISTER:
		if (rule->offset < 0 || rule->offset >= (int64_t)UNWIND_REGISTERS)
			return false;
		*value = s->registers[rule->offset];
		return true;
	case EXPRESSION:
		if (!evaluate(t, s, rule->at, rule->size, cfa, value, cut))
			return false;
		*cut = !load(s, *value, value);
		return !*cut;
	case VALUE_EXPRESSION:
		return evaluate(t, s, rule->at, rule->size, cfa, value, cut);
	}
	return false;
}

enum stepped { STEP_FAILED, STEP_CUT, STEP_OUTERMOST, STEP_DONE };

/*
 * The rules for an address: the row of m.  False: its tables do not have it, or are not understood.
 */
static bool find_row(const struct frame_tables *t, uint64_t pc, bool is_exact, struct code *c,
		     struct machine *m)
{
	if (!find_code(t, pc, c)) {
		/* Coroutines return to the begin of a function that never called them. */
		if (is_exact || !find_code(t, ++pc, c))
			return false;
	}
	m->depth = m->steps = 0;
	memset(&m->row, 0, sizeof(m->row));
	if (c->return_register != REGISTER_RETURN)
		return false;
	m->location = 0;
	if (!run(m, c->first, c, pc))
		return false;
	m->first = m->row;
	m->location = c->begin;
	return run(m, c->own, c, pc);
}

/* Is it an address to which a call returns? */
static bool follows_call(const struct snapshot *s, uint64_t address)
{
	uint8_t call[CALL_BYTES];

	return s->without_fp(address - CALL_BYTES, call, CALL_BYTES) && prologue_is_call(call);
}

/*
 * The frame pointer that the code between begin and pc has made.  It is believed if there is an
 * address to which a call returns where the frame has it.
 */
static bool work_out_fp(struct snapshot *s, const struct row *row, uint64_t begin, uint64_t pc)
{
	const struct rule *to = &row->registers[REGISTER_RETURN];
	uint8_t code[PROLOGUE_BYTES];
	uint64_t size = pc - begin < sizeof(code) ? pc - begin : sizeof(code), distance, fp,
		 address;

	if (pc < begin || to->kind != OFFSET || !s->without_fp(begin, code, size) ||
	    !prologue_read(code, size, &distance))
		return false;
	fp = s->registers[REGISTER_SP] + distance;
	if (!load(s, fp + (uint64_t)row->cfa.offset + (uint64_t)to->offset, &address) ||
	    !follows_call(s, address))
		return false;
	s->registers[REGISTER_FP] = fp;
	s->without_fp = NULL;
	return true;
}

/*
 * A function at whose first instruction it was interrupted, or that has no tables: the word on top,
 * or on AArch64 the register.
 */
static enum stepped leave_blindly(struct snapshot *s)
{
	uint64_t to;

	if (REGISTER_RETURN != REGISTER_PC) {
		s->registers[REGISTER_PC] = unwind_without_signature(s->registers[REGISTER_RETURN]);
		return STEP_DONE;
	}
	if (!load(s, s->registers[REGISTER_SP], &to))
		return STEP_CUT;
	s->registers[REGISTER_PC] = to;
	s->registers[REGISTER_SP] += 8;
	return STEP_DONE;
}

/*
 * The linker's stubs have no rows on AArch64, where they leave the register alone, nor has libc for
 * its calls of clone(), where who calls posix_spawn() waits.
 */
static enum stepped leave_without_row(struct snapshot *s, bool *is_exact)
{
	uint64_t to;
	bool is_stub = REGISTER_RETURN != REGISTER_PC && !s->without_fp;

	if (!*is_exact)
		return STEP_FAILED;
	if (!is_stub &&
	    (!s->without_fp || !load(s, s->registers[REGISTER_SP], &to) || !follows_call(s, to)))
		return STEP_FAILED;
	*is_exact = false;
	return leave_blindly(s);
}

/* On AArch64 a function that was interrupted may have nothing on the stack. */
static bool is_above(const struct snapshot *s, uint64_t sp, bool is_exact)
{
	return sp > s->registers[REGISTER_SP] ||
	       (REGISTER_RETURN != REGISTER_PC && is_exact && sp == s->registers[REGISTER_SP]);
}

/* From a frame to its caller: the registers of s become those of the caller. */
static enum stepped leave(struct snapshot *s, const struct frame_tables *t, uint64_t pc,
			  bool *is_exact)
{
	struct code c;
	struct machine m;
	uint64_t cfa, next[UNWIND_REGISTERS];
	bool cut = false;

	if (!find_row(t, pc, *is_exact, &c, &m))
		return leave_without_row(s, is_exact);
	if (m.row.registers[REGISTER_RETURN].kind == UNDEFINED)
		return STEP_OUTERMOST;
	if (s->without_fp && m.row.cfa.kind == REGISTER && m.row.cfa.at == REGISTER_FP &&
	    !work_out_fp(s, &m.row, c.begin, pc))
		return STEP_FAILED;
	if (!find_cfa(t, s, &m.row.cfa, &cfa, &cut))
		return cut ? STEP_CUT : STEP_FAILED;
	for (uint64_t i = 0; i < UNWIND_REGISTERS; i++)
		if (!find_register(t, s, &m.row.registers[i], cfa, s->registers[i], &next[i], &cut))
			return cut ? STEP_CUT : STEP_FAILED;
	if (m.row.registers[REGISTER_SP].kind == SAME)
		next[REGISTER_SP] = cfa;
	next[REGISTER_PC] = unwind_without_signature(next[REGISTER_RETURN]);
	/* Stacks grow down: but for signals, which may come from another one, callers are above. */
	if (!c.is_signal && !is_above(s, next[REGISTER_SP], *is_exact))
		return STEP_FAILED;
	memcpy(s->registers, next, sizeof(next));
	if (m.row.registers[REGISTER_FP].kind != SAME)
		s->without_fp = NULL;
	*is_exact = c.is_signal;
	return STEP_DONE;
}

void unwind(const struct snapshot *given, find_tables *find, void *ctx, struct frames *frames)
{
	struct snapshot s = *given;
	bool is_exact =
		true; /* the address is that of an instruction, not of what follows a call */
	enum stepped stepped = STEP_DONE;

	frames->count = 0;
	frames->is_cut = frames->is_whole = false;
	while (stepped == STEP_DONE && frames->count < UNWIND_FRAMES) {
		uint64_t pc = s.registers[REGISTER_PC] - !is_exact;
		const struct frame_tables *t;

		if (!s.registers[REGISTER_PC])
			break;
		frames->pc[frames->count++] = pc;
		t = find(ctx, pc);
		if (t)
			stepped = leave(&s, t, pc, &is_exact);
		else
			/* A jump to nowhere, or to code without tables, by a call. */
			stepped = frames->count == 1 ? leave_blindly(&s) : STEP_FAILED;
		if (!t)
			is_exact = false;
	}
	frames->is_cut = stepped == STEP_CUT;
	frames->is_whole = stepped == STEP_OUTERMOST ||
			   (stepped == STEP_DONE && frames->count < UNWIND_FRAMES);
}

/* Is it one of those that compilers write for nearly every function? */
static bool is_plain(const struct code *c, const struct row *row)
{
	const struct rule *fp = &row->registers[REGISTER_FP],
			  *pc = &row->registers[REGISTER_RETURN];

	return !c->is_signal && row->cfa.kind == REGISTER &&
	       (row->cfa.at == REGISTER_SP || row->cfa.at == REGISTER_FP) && row->cfa.offset >= 0 &&
	       row->cfa.offset < PLAIN_MOST && pc->kind == OFFSET && pc->offset < 0 &&
	       pc->offset > -PLAIN_MOST && row->registers[REGISTER_SP].kind == SAME &&
	       (fp->kind == SAME ||
		(fp->kind == OFFSET && fp->offset < 0 && fp->offset > -PLAIN_MOST));
}

void unwind_plain(const struct frame_tables *t, uint64_t pc, struct unwind_machine *room,
		  struct plain_rule *rule)
{
	struct machine *m = (struct machine *)room;
	struct code c;

	_Static_assert(sizeof(*room) >= sizeof(*m), "a machine has room");
	*rule = (struct plain_rule){ .kind = PLAIN_UNKNOWN };
	if (!find_row(t, pc, false, &c, m))
		return;
	if (m->row.registers[REGISTER_RETURN].kind == UNDEFINED) {
		rule->kind = PLAIN_OUTERMOST;
	} else if (is_plain(&c, &m->row)) {
		rule->kind = PLAIN_FRAME;
		rule->is_from_fp = m->row.cfa.at == REGISTER_FP;
		rule->cfa = (uint32_t)m->row.cfa.offset;
		rule->pc = (uint32_t)-m->row.registers[REGISTER_RETURN].offset;
		rule->fp = (uint32_t)-m->row.registers[REGISTER_FP].offset;
	}
}
