/* SPDX-License-Identifier: MIT */
/*
 * values.c - from the slots of an event to the values of its table's columns
 */
#include "tables/values.h"

#include <stdlib.h>
#include <string.h>

#include "print/formats.h"
#include "print/times.h"

/* HotSpot records 2,048 frames at most; async-profiler as many as it is configured to. */
#define MAX_FRAMES 8192

/*
 * What is kept of a chunk's constants takes at most so much.  Beyond it values are made anew for
 * each row, which takes time only.
 */
#define MAX_KEPT_TEXT	(96u << 20)
#define MAX_KEPT_VALUES (64u << 20)

/* Texts ---------------------------------------------------------------------------------------- */

static int take_overflow(void *ctx, const void *data, size_t len)
{
	buffer_put(ctx, data, len);
	return 0;
}

static bool is_null_text(const char *text, size_t len, enum jfrec_kind kind)
{
	return (len == 1 && *text == *CELL_NULL) ||
	       (kind == JFREC_KIND_JSON && len == 4 && memcmp(text, "null", 4) == 0);
}

/* Run a template; the text is in the arena. */
static void render_text(struct values *v, const struct op *ops, const uint64_t *slots,
			enum jfrec_kind kind, struct arena *to,
			struct jfrec_table_value *value)
{
	struct out *out = &v->render.out;
	const char *text = out->buf;
	uint64_t flushed = out->flushed;
	size_t len;
	char *copy;

	buffer_clear(&v->overflow);
	out_discard(out);
	v->render.event_start = out_total(out);
	render_ops(&v->render, ops, slots);
	if (out->flushed != flushed) {
		out_flush(out);
		text = (const char *)v->overflow.data;
		len = v->overflow.len;
	} else {
		len = (size_t)(out->pos - out->buf);
	}
	if (v->render.scratch.total)
		arena_clear(&v->render.scratch);
	if (is_null_text(text, len, kind))
		return;
	copy = v->overflow.failed || len > UINT32_MAX ? NULL : arena_strndup(to, text, len);
	if (!copy) {
		v->out_of_memory = true;
		return;
	}
	value->is_null = false;
	value->text = copy;
	value->len = (uint32_t)len;
}

/* Where it lies, if its bytes there are its UTF-8: in all encodings those of ASCII are. */
static bool plain_string(const struct string *s, struct jfrec_table_value *value)
{
	if (s->encoding != STRING_EMPTY &&
	    (s->len > UINT32_MAX || !bytes_are_ascii(s->bytes, s->len)))
		return false;
	value->is_null = false;
	value->text = s->encoding == STRING_EMPTY ? "" : (const char *)s->bytes;
	value->len = s->encoding == STRING_EMPTY ? 0 : (uint32_t)s->len;
	return true;
}

/* Numbers -------------------------------------------------------------------------------------- */

static int64_t saturated_ns(struct timespan t)
{
	__int128 ns = (__int128)t.seconds * 1000000000 + t.nanos;

	return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

static void get_span(const struct values *v, const struct op *op, uint64_t slot,
		     struct jfrec_table_value *value)
{
	int64_t n = timespan_slot(op, slot);

	value->is_null = is_no_time(op, n);
	value->i = span_in_ns(op->field, &v->render.current->chunk->clock, n);
}

static void get_time(const struct values *v, const struct op *op, uint64_t slot,
		     struct jfrec_table_value *value)
{
	int64_t n = timespan_slot(op, slot);

	value->is_null = is_no_time(op, n);
	if (op->field->timestamp == TIME_TICKS)
		value->i = clock_time_ns(&v->render.current->chunk->clock, n);
	else
		value->i = saturated_ns(slot_timestamp(&v->render, op, n));
}

static void get_number(const struct values *v, const struct op *op, enum jfrec_kind kind,
		       uint64_t slot, struct jfrec_table_value *value)
{
	value->is_null = false;
	switch (kind) {
	case JFREC_KIND_SPAN:
		get_span(v, op, slot, value);
		break;
	case JFREC_KIND_TIME:
		get_time(v, op, slot, value);
		break;
	case JFREC_KIND_FLOAT32:
		value->d = (double)slot_float(slot);
		break;
	case JFREC_KIND_FLOAT64:
		value->d = slot_double(slot);
		break;
	default:
		value->i = slot_number(op->field, (enum wire)op->wire, slot);
	}
}

/* What a column holds that has other kinds in other chunks, too. */
static void widen(const struct value_getter *g, struct jfrec_table_value *value)
{
	if (g->kind == JFREC_KIND_FLOAT64 && g->own <= JFREC_KIND_UINT64)
		value->d = g->own == JFREC_KIND_UINT64 ? (double)(uint64_t)value->i
							: (double)value->i;
}

/* Constants ------------------------------------------------------------------------------------ */

/* The number at the end of a path from a constant on.  Once for each constant. */
static void number_in(struct values *v, const struct jfrec_type *t, uint64_t key, struct path rest,
		      enum jfrec_kind kind, struct jfrec_table_value *value)
{
	const uint64_t *slots = constant_slots(&v->render, t, key);
	const struct jfrec_type *at = t;
	struct op op = { .wire = t->wire };
	unsigned slot = 0;

	for (unsigned i = 0; slots && i < rest.count; i++) {
		const struct jfrec_field *f = rest.fields[i];

		slot += plan_of(at)->first_step[f->index];
		at = f->type;
		if (f->constant) {
			struct path more = { rest.fields + i + 1, rest.count - i - 1 };

			number_in(v, at, slots[slot], more, kind, value);
			slots_release(&v->render, plan_of(t)->step_count);
			return;
		}
		op.field = f;
		op.wire = at->wire;
	}
	if (!slots)
		return;
	get_number(v, &op, kind, slots[slot], value);
	slots_release(&v->render, plan_of(t)->step_count);
}

static void make_constant(struct values *v, const struct value_getter *g, uint64_t key,
			  struct arena *to, struct jfrec_table_value *value)
{
	if (g->text)
		render_text(v, g->text, v->render.slots, (enum jfrec_kind)g->own, to, value);
	else
		number_in(v, g->memo->type, key, g->memo->rest, (enum jfrec_kind)g->own,
			  value);
}

/* Where the values of all constants are kept, or NULL. */
static struct jfrec_table_value *kept_values(struct values *v, const struct memo *k)
{
	struct jfrec_table_value **place = &v->kept_values[k->index];
	size_t count, size;

	if (*place)
		return *place;
	count = pool_at(&v->render.current->chunk->pools, k->type->index)->count;
	size = count * sizeof(**place);
	if (size > MAX_KEPT_VALUES / v->sharers - v->kept_bytes)
		return NULL;
	*place = calloc(count + 1, sizeof(**place));
	v->kept_bytes += *place ? size : 0;
	return *place;
}

static void get_constant(struct values *v, const struct value_getter *g, uint64_t key,
			 struct jfrec_table_value *value)
{
	const struct memo *k = g->memo;
	uint32_t entry = values_entry(v, k->type, key);
	struct jfrec_table_value *all;
	bool is_kept;

	if (entry == POOL_NONE)
		return;
	all = kept_values(v, k);
	/* Of one that was made it is the entry + 1. */
	if (all && all[entry].number) {
		*value = all[entry];
		value->number--;
		return;
	}
	is_kept = all && v->kept_texts.total < MAX_KEPT_TEXT / v->sharers;
	make_constant(v, g, key, is_kept ? &v->kept_texts : &v->texts, value);
	if (!is_kept || v->out_of_memory)
		return;
	all[entry] = *value;
	all[entry].number = entry + 1;
	value->number = entry;
}

/* Long strings that come again are constants, too. */
static void get_string(struct values *v, const struct value_getter *g,
		       struct jfrec_table_value *value)
{
	struct cursor c = values_string(v, v->render.slots[g->slot]);
	struct string s = string_read(&c);

	if (s.encoding == STRING_KEY)
		get_constant(v, g, s.key, value);
	else if (s.encoding != STRING_NULL && !plain_string(&s, value))
		render_text(v, g->text, v->render.slots, JFREC_KIND_STRING, &v->texts, value);
}

void values_number(const struct values *v, const struct value_getter *g, uint64_t slot,
		   struct jfrec_table_value *value)
{
	get_number(v, &g->number, (enum jfrec_kind)g->own, slot, value);
	if (!value->is_null && g->kind != g->own)
		widen(g, value);
}

void values_get(struct values *v, const struct value_getter *g, struct jfrec_table_value *value)
{
	const uint64_t *slots = v->render.slots;

	*value = (struct jfrec_table_value){ .is_null = true, .number = JFREC_TABLE_NO_NUMBER };
	switch ((enum value_way)g->way) {
	case BY_WORD:
		value->is_null = false;
		value->i = (int64_t)slots[g->slot];
		return;
	case BY_TIME:
	case BY_SPAN:
		value->is_null = !values_ticks(v, g, slots[g->slot], &value->i);
		return;
	case BY_NUMBER:
		values_number(v, g, slots[g->slot], value);
		return;
	case BY_STRING:
		get_string(v, g, value);
		return;
	case BY_TEMPLATE:
		render_text(v, g->text, slots, (enum jfrec_kind)g->own, &v->texts, value);
		return;
	case BY_CONSTANT:
		get_constant(v, g, slots[g->slot], value);
		break;
	default:
		return;
	}
	if (!value->is_null && g->kind != g->own)
		widen(g, value);
}

/* Getters -------------------------------------------------------------------------------------- */

static const struct memo *memo_of_path(struct values *v, const struct jfrec_type *t,
				       struct path rest, enum jfrec_kind kind)
{
	struct memo *k = v->memos;

	while (k && !(k->type == t && k->kind == kind && path_equal(k->rest, rest)))
		k = k->next;
	if (k)
		return k;
	k = arena_zalloc(&v->arena, 1, sizeof(*k));
	if (!k)
		return NULL;
	*k = (struct memo){
		.next = v->memos,
		.type = t,
		.rest = rest.count ? path_copy(&v->arena, rest) : rest,
		.kind = kind,
		.index = v->kept_count++,
	};
	v->memos = k;
	return rest.count && !k->rest.count ? NULL : k;
}

/* How to get a number, or what a constant has: where the path leads out of the event. */
static bool find_slot(struct values *v, const struct way *way, struct value_getter *g)
{
	unsigned slot = 0;

	for (unsigned i = 0; i < way->count; i++) {
		const struct jfrec_field *f = way->fields[i];
		struct path rest = { way->fields + i + 1, way->count - i - 1 };

		slot += plan_of(f->owner)->first_step[f->index];
		g->slot = (uint16_t)slot;
		g->number = (struct op){ .field = f, .wire = f->type->wire };
		if (!f->constant || f->array)
			continue;
		g->way = BY_CONSTANT;
		g->memo = memo_of_path(v, f->type, rest, (enum jfrec_kind)g->own);
		return g->memo != NULL;
	}
	return true;
}

/* The shortest way to a number that is in the event, and of the column's kind. */
static enum value_way way_of_number(const struct value_getter *g)
{
	const struct jfrec_field *f = g->number.field;

	if (g->own < JFREC_KIND_UINT8)
		return BY_WORD;
	if (g->number.wire != WIRE_LONG || f->is_unsigned)
		return BY_NUMBER;
	if (g->own == JFREC_KIND_TIME && f->timestamp == TIME_TICKS)
		return BY_TIME;
	if (g->own == JFREC_KIND_SPAN && f->timespan == TIME_TICKS)
		return BY_SPAN;
	return BY_NUMBER;
}

/* False: no memory. */
static bool make_getter(struct values *v, const struct column *c, struct value_getter *g)
{
	struct way way = { .count = c->path.count };
	bool is_text, is_stack;
	struct leaf l;

	memcpy(way.fields, c->path.fields, c->path.count * sizeof(*way.fields));
	l = leaf_of(&way);
	/* Only a damaged chunk has a type that was not seen when the tables were made. */
	if (kind_of_both(l.kind, (enum jfrec_kind)g->kind) != (enum jfrec_kind)g->kind)
		return true;
	/* A number in a column of texts is as CSV has it, and so is a stack trace. */
	is_text = kind_is_text(l.kind) || kind_is_text((enum jfrec_kind)g->kind);
	is_stack = l.kind == JFREC_KIND_STACK && g->kind == JFREC_KIND_STACK;
	g->own = (uint8_t)l.kind;
	if (is_text && !is_stack && (!kind_is_text(l.kind) || l.kind == JFREC_KIND_STACK))
		g->own = JFREC_KIND_STRING;
	g->way = is_text ? BY_TEMPLATE : BY_NUMBER;
	if (!find_slot(v, &way, g))
		return false;
	if (g->way == BY_NUMBER && g->own == g->kind)
		g->way = (uint8_t)way_of_number(g);
	if (!is_text)
		return true;
	if (g->way == BY_TEMPLATE && !l.field->array && l.field->type->wire == WIRE_STRING) {
		struct path none = { .count = 0 };

		g->way = BY_STRING;
		g->memo = memo_of_path(v, l.field->type, none, (enum jfrec_kind)g->own);
		if (!g->memo)
			return false;
	}
	g->text = cell_ops(v->render.current->shapes, c->path,
			   is_stack && v->lists_frames ? &frame_list_format : &cell_format);
	return g->text != NULL;
}

int values_want(struct values *v, const struct jfrec_type *type, const struct table *t,
		size_t table, const bool *columns)
{
	struct value_getters *all =
		arena_zalloc(&v->arena, 1,
			     sizeof(*all) + t->info.column_count * sizeof(*all->items));
	struct table_paths paths;
	bool ok;

	if (!all || table_paths(&paths, t, type) < 0)
		return -1;
	ok = true;
	all->table = table;
	all->steps = plan_of(type)->step_count;
	for (size_t i = 0; ok && i < t->info.column_count; i++) {
		all->items[i].kind = (uint8_t)t->columns[i].info.kind;
		if (columns[i] && paths.of[i] && !plan_of(type)->fault)
			ok = make_getter(v, paths.of[i], &all->items[i]);
	}
	table_paths_fini(&paths);
	v->getters[type->index] = all;
	return ok ? 0 : -1;
}

/* Chunks --------------------------------------------------------------------------------------- */

int values_init(struct values *v, struct jfrec_error *err)
{
	static const struct format_row row = { .ops = &cell_format };
	const struct jfrec_print_options o = {
		.stack_depth = MAX_FRAMES,
		.stacks = JFREC_STACKS_STRING,
	};

	*v = (struct values){ .sharers = 1 };
	return render_init(&v->render, &row, &o, take_overflow, &v->overflow, err);
}

static void forget_types(struct values *v)
{
	metadata_unref(v->metadata);
	v->metadata = NULL;
	free(v->getters);
	v->getters = NULL;
	v->memos = NULL;
	v->kept_count = 0;
	arena_fini(&v->arena);
}

void values_leave(struct values *v)
{
	for (uint32_t i = 0; v->kept_values && i < v->kept_count; i++)
		free(v->kept_values[i]);
	free(v->kept_values);
	v->kept_values = NULL;
	v->kept_bytes = 0;
	v->found.type = NULL;
	arena_recycle(&v->kept_texts);
	arena_clear(&v->texts);
	chunk_render_unref(&v->render, v->render.current);
	v->render.current = NULL;
}

void values_fini(struct values *v)
{
	values_leave(v);
	forget_types(v);
	arena_fini(&v->kept_texts);
	arena_fini(&v->texts);
	buffer_fini(&v->overflow);
	render_fini(&v->render);
}

int values_enter(struct values *v, struct chunk *c)
{
	bool is_known = v->metadata == c->metadata;

	v->chunk_number++;
	/* What is selected is the caller's business. */
	v->render.current = chunk_render_new(&v->render, c, calloc(1, sizeof(bool)));
	if (!v->render.current)
		return -1;
	if (is_known)
		return 1;
	forget_types(v);
	v->metadata = metadata_ref(c->metadata);
	v->getters = calloc((size_t)c->metadata->type_count + 1, sizeof(struct value_getters *));
	return v->getters ? 0 : -1;
}

bool values_decode(struct values *v, const struct jfrec_type *t, const struct raw_event *e)
{
	if (v->texts.total)
		arena_clear(&v->texts);
	if (!v->kept_values) {
		v->kept_values = calloc((size_t)v->kept_count + 1, sizeof(*v->kept_values));
		v->out_of_memory |= !v->kept_values;
	}
	v->event_size = e->size;
	/* The bottom of the stack of slots is the event's. */
	v->render.slot_count = plan_of(t)->step_count;
	return !v->out_of_memory && chunk_decode(v->render.current->chunk, t, e, v->render.slots);
}
