/* SPDX-License-Identifier: MIT */
/*
 * render.h - how events become text, in every format
 *
 *    event's bytes --plan_decode()--> slots --template--> output
 *
 * A template is what an event type, or a type of constants, looks like in one
 * format: a row of literals, each followed by one value.  All names, braces
 * and indentation are in the literals, made once per type.  Running one is a
 * copy and a call per field.
 *
 * Constants (threads, classes, stack traces) are shared by many events, and
 * their text is long: 25 GB of JSON come from 7 MB of constants.  So their
 * text is kept as a fragment and copied from then on.  What a constant looks
 * like depends on its indentation: a type at an indentation is a site, and
 * fragments belong to one constant at one site.  Formats without lines have
 * forms instead of indentations (a class as an object, or as its name), and
 * sites for one value inside a constant, such as a thread's group's name.
 *
 * What is kept, and how much, is decided in keep_fragment() alone.
 *
 * Several threads can render events of a chunk at the same time (crew.h): each has a struct render
 * of its own, and they share what was made for the chunk. Templates and sites are made with the
 * lock, seldom; fragments without it. Both are read without it, so each is whole before it is where
 * others find it.
 */
#ifndef JFREC_PRINT_RENDER_H
#define JFREC_PRINT_RENDER_H

#include <pthread.h>

#include "base/idmap.h"
#include "base/out.h"
#include "base/timetext.h"
#include "format/chunk.h"
#include "format/event_time.h"
#include "format/slot.h"
#include "format/string.h"
#include "print/columns.h"
#include "read/chunk_source.h"

struct fields;
struct format_row;
struct render;
struct op;
struct site;
struct builder;

/* Write the value of slots[op->slot]. */
typedef void put_fn(struct render *r, const struct op *op, const uint64_t *slots);

/* Write a constant of the site's type; key is its key. */
typedef void site_fn(struct render *r, const struct site *s, const uint64_t *slots, uint64_t key);

struct op {
	const char *literal;
	put_fn *put; /* NULL: nothing follows the literal */
	uint32_t literal_len;
	uint16_t slot;
	uint8_t wire;
	const struct jfrec_field *field;
	const struct site *site;      /* of constants; of the pool, for strings */
	const struct plan *element;   /* of arrays */
	const struct op *element_ops; /* the template of one element */
	const char *before;	      /* what a value that may be missing begins with */
	uint32_t before_len;
	uint32_t indent;
};

struct site {
	const struct jfrec_type *type;
	const struct plan *plan;
	const struct format *format;
	unsigned indent;  /* or form */
	struct path path; /* to the value inside that is shown; empty: all of it */
	uint32_t index;
	site_fn *render;
	struct op *ops;	   /* for render_constant_ops(); made on first use */
	struct site *next; /* of the same type */
};

/* What one output format decides. */
struct format {
	const char *null;
	const char *separator; /* between two events */
	void (*begin)(struct render *r);
	void (*end)(struct render *r);
	/* A chunk begins, r->current. May call render_fail(). NULL: nothing is to be done. */
	void (*chunk)(struct render *r);
	/* Write a name of a recording as a part of a value, escaped; for java.c. */
	void (*name)(struct render *r, const char *s, size_t len);
	const char *no_method; /* what a frame without a method shows */
	/* Build the template of an event type. */
	void (*event)(struct builder *b, const struct jfrec_type *t);
	/* Build the template of the lines that a contextual event lends to others; text only. */
	void (*context)(struct builder *b, const struct jfrec_type *t);
	/* Build the template of a constant whose site renders by template. */
	void (*constant)(struct builder *b, const struct site *s);
};

/* What the caller decides about lines of JSON and about tables. */
struct layout {
	enum jfrec_stack_form stacks;
	bool flat, raw_ticks;
	const char *fields;   /* as the caller gave them, or NULL */
	struct fields *chosen; /* the same, each name for itself; NULL until a chunk begins */
	struct names columns; /* all events have these; none: each type has its own */
	const char *table_of; /* the type of a table's rows; NULL until one is known */
};

static inline bool layout_has_stacks(const struct layout *l)
{
	return l->stacks != JFREC_STACKS_NONE;
}

/*
 * The templates and sites of one chunk's types. Chunks of the same metadata share them. They are
 * changed with the render's lock.
 */
struct shapes {
	unsigned refs;
	struct metadata *metadata;
	struct render *render;
	const struct format *format;
	struct arena arena;
	struct op **events;   /* by the index of the type */
	struct op **contexts; /* by the index of the type */
	struct site **sites;  /* by the index of the type: a list */
	uint32_t site_count;
	const struct jfrec_type *string_type;
	bool out_of_memory;
};

/* The text of one constant at one site. */
struct fragment {
	uint32_t len;
	char text[];
};

/* Sites beyond this number, of deeply nested old objects, keep no fragments. */
#define MAX_MEMO_SITES 1024

/* A chunk whose events are being rendered. */
struct chunk_render {
	unsigned refs;
	struct chunk *chunk;
	struct shapes *shapes;
	bool *selected; /* by the index of the type */
	bool told_too_long;
	bool is_shared; /* others see the chunk too, and tell when it ends */
	struct idmap stacks; /* the numbers of those that were shown, where they have some */
	/* [site->index][entry]: a fragment, or how often it was asked for so far */
	struct fragment **memo[MAX_MEMO_SITES];
	struct arena fragments[]; /* by the number of the render that made them */
};

/* A constant that is being rendered: meeting it again inside itself is a cycle. */
struct active {
	const struct active *outer;
	const struct jfrec_type *type;
	uint32_t entry;
	unsigned depth;
};

struct render {
	struct out out;
	const struct format *format;
	bool exact;
	unsigned stack_depth;
	struct layout layout;
	uint32_t stack_count; /* of stack traces that have a number */
	struct chunk_render *current;
	struct shapes
		*shapes; /* of the newest chunk: the next chunk's too, if it has the same types */
	struct second_text second;
	uint64_t event_start; /* of the event's text in the output */
	const struct active *active;
	unsigned cut; /* the depth of the outermost constant that a cycle was cut at */
	/* Room for the slots of nested values, as a stack. */
	uint64_t *slots;
	size_t slot_count;
	struct arena scratch; /* until the event is done */
	char *scratch_start;  /* its `next` when it is empty */
	size_t memory, memory_used; /* those of `home` count */
	struct bounds bounds; /* events that touch this span of time are printed */
	struct chunk_source *source;
	const atomic_int *stop; /* source_stop_flag() */
	bool escapes_formulas;
	uint64_t left, printed; /* events */
	size_t separator_len;
	jfrec_zone_fn *zone; /* NULL: that of the recording */
	void *zone_ctx;
	int64_t zone_quarter; /* of an hour, for which zone_offset_s is right */
	int32_t zone_offset_s;
	const struct contexts *contexts;
	struct jfrec_error failure; /* what the caller asked for cannot be */
	/* Of several threads: the render of the caller, and the place of this; or itself, and 0. */
	struct render *home;
	unsigned number, count;
	struct arena *spares; /* by number: the emptied fragments of the last chunk that went */
	struct render_crew *crew; /* others that help the caller's; or NULL */
	pthread_mutex_t *lock;	  /* or NULL: it is alone */
	bool is_too_long;	  /* an event is; the caller's thread will tell */
};

int render_init(struct render *r, const struct format_row *row,
		const struct jfrec_print_options *options, jfrec_write_fn *write, void *ctx,
		struct jfrec_error *err);
void render_fini(struct render *r);

/*
 * Have so many renders work on the chunks to come, all with this lock: r->home's, and others that
 * render_twin() makes.  0, or -1 when memory is gone: there is one, as before.
 */
int render_share(struct render *r, unsigned count, pthread_mutex_t *lock);

/*
 * Make *twin one that writes as r does, by another thread, and to an output that is yet to be set.
 * To be ended by render_twin_fini().  0, or -1 when memory is gone: there is nothing to end.
 */
int render_twin(struct render *twin, struct render *r, unsigned number);
void render_twin_fini(struct render *twin);

/* For the time in which shapes are changed, or the caller's functions called. */
static inline void render_lock(struct render *r)
{
	if (r->lock)
		pthread_mutex_lock(r->lock);
}

static inline void render_unlock(struct render *r)
{
	if (r->lock)
		pthread_mutex_unlock(r->lock);
}

/* What was made with the lock, or by another thread, is read and shown by these. */
#define SHARED_GET(place)	 __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
#define SHARED_SET(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)

/* Have it print the events of that reader. */
static inline void render_read(struct render *r, struct jfrec_reader *reader)
{
	r->source = reader_source(reader);
	r->stop = source_stop_flag(r->source);
}

/* What the caller asked for cannot be: print no more, and return this sentence to him. */
void render_fail(struct render *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* To render the chunk; both pointers are taken over, also on failure. NULL when memory is gone. */
struct chunk_render *chunk_render_new(struct render *r, struct chunk *chunk, bool *selected);
void chunk_render_unref(struct render *r, struct chunk_render *v);

/* Write one event of r->current's chunk, decoded into slots. */
void render_slots(struct render *r, const struct jfrec_type *t, const uint64_t *slots);

/* Text that did not go to the output. */
struct aside {
	char *text; /* to be freed */
	size_t len;
};

/* Run a template (NULL: nothing) with another output for the time being. */
struct aside render_aside(struct render *r, const struct op *ops, const uint64_t *slots);

/* As render_slots().  No text: memory is gone. */
struct aside render_slots_aside(struct render *r, const struct jfrec_type *t,
				const uint64_t *slots);

/* Run a template. */
static inline void render_ops(struct render *r, const struct op *op, const uint64_t *slots)
{
	for (; op->put; op++) {
		out_literal(&r->out, op->literal, op->literal_len);
		op->put(r, op, slots);
	}
	out_literal(&r->out, op->literal, op->literal_len);
}

/* Room for n slots until slots_release(); NULL if values are nested too deeply. */
uint64_t *slots_take(struct render *r, unsigned n);

static inline void slots_release(struct render *r, unsigned n)
{
	r->slot_count -= n;
}

/* Constants ------------------------------------------------------------------------------------ */

/* Tell, once for a chunk, that an event's text is too long for all of it. */
void tell_too_long(struct chunk_render *v);

/* The text of the constant with that key, or format->null. */
void render_constant(struct render *r, const struct site *s, uint64_t key);

/* The same; false, with nothing written, if there is no such constant. */
bool render_constant_if_any(struct render *r, const struct op *op, uint64_t key);

/* put_fn of a field that is a key. */
void put_constant(struct render *r, const struct op *op, const uint64_t *slots);

/* site_fn of sites that use a template, built by format->constant. */
void render_constant_ops(struct render *r, const struct site *s, const uint64_t *slots,
			 uint64_t key);

/*
 * The slots of a constant, to be given back by slots_release(r, plan->step_count);
 * NULL if there is none.
 */
const uint64_t *constant_slots(struct render *r, const struct jfrec_type *t, uint64_t key);

/* The string in a slot, where it lies; false for null and for keys, which *s then has. */
static inline __attribute__((always_inline)) bool slot_string(struct render *r, uint64_t slot,
							     struct string *s)
{
	*s = string_lying_at(slot_bytes(slot), r->current->chunk->end);
	return s->encoding != STRING_NULL && s->encoding != STRING_KEY;
}

/* Building templates --------------------------------------------------------------------------- */

struct builder {
	struct shapes *shapes;
	char *literal;
	size_t literal_len, literal_room;
	struct op *ops;
	size_t op_count, op_room;
	const struct format *format; /* the chunk's, or that of JSON in a cell */
	bool is_event;		     /* the template is an event's, so the slots are too */
};

/* Add to the literal before the next value. */
void build_bytes(struct builder *b, const char *s, size_t len);
void build_text(struct builder *b, const char *s);
void build_indent(struct builder *b, unsigned n);

/*
 * Add a value.  The op is valid until the next call; its literal is set.
 * Where memory is gone it is a dummy, and shapes->out_of_memory is set.
 */
struct op *build_put(struct builder *b, put_fn *put, unsigned slot);

/* How a format writes values without parts; whole numbers and booleans are alike in all. */
struct leaves {
	put_fn *character, *float32, *float64, *string, *timespan, *timestamp;
};

/* Add a value of a type without parts; f is its field, or NULL. */
struct op *build_leaf(struct builder *b, const struct leaves *leaves, const struct jfrec_type *t,
		      const struct jfrec_field *f, unsigned slot);

/* Add a name, escaped as by put_escaped_string() of escape.h. */
void build_escaped(struct builder *b, const char *name, char *(*escape)(char *at, int32_t c));

/* The template so far; the builder is empty again.  NULL when memory is gone. */
struct op *build_finish(struct builder *b);

/* The site of a type at an indentation that is rendered by that function. */
const struct site *build_site(struct builder *b, const struct jfrec_type *t, unsigned indent,
			      site_fn *render);

/* Add the value of a field. */
typedef void build_field_fn(struct builder *b, const struct jfrec_field *f, unsigned slot);

/* Add the value at a path from the struct in these slots on; build_last() adds its last field. */
void build_path(struct builder *b, struct path path, unsigned slot, build_field_fn *build_last);

/* Add an array: the template of its elements comes from element(). */
struct op *build_array(struct builder *b, put_fn *put, const struct jfrec_field *f, unsigned slot,
		       unsigned indent,
		       void (*element)(struct builder *b, const struct jfrec_field *f,
				       unsigned indent));

/* Does the type stand for its only field? */
static inline bool is_wrapper(const struct jfrec_type *t)
{
	return t->simple && t->field_count == 1;
}

/* The elements of an array, one after the other ------------------------------------------------ */

struct elements {
	struct cursor at;
	uint64_t count, index;
	uint64_t *slots;
};

/* False if values are nested too deeply; the array is then shown empty. */
bool elements_begin(struct render *r, const struct op *op, const uint64_t *slots,
		    struct elements *e);
bool elements_next(const struct op *op, struct elements *e);
void elements_end(struct render *r, const struct op *op, struct elements *e);

/* Frames beyond the stack depth are not shown, whatever array they are in. */
static inline bool is_beyond_depth(const struct render *r, const struct op *op, uint64_t index)
{
	return op->field->type->known == KNOWN_FRAME && index >= r->stack_depth;
}

/* Values that all formats share ---------------------------------------------------------------- */

put_fn put_boolean, put_integer, put_unsigned;

/* The number in a slot, widened without its sign. */
static inline uint64_t unsigned_slot(const struct op *op, uint64_t slot)
{
	return without_sign(slot, (enum wire)op->wire);
}

/* CSV takes its values from it, too. */
extern const struct format ndjson_format;

#endif
