/* SPDX-License-Identifier: MIT */
/*
 * chunk_view.c - the events of one chunk, as rules see them
 */
#include "analyze/chunk_view.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "format/equivalents.h"
#include "format/slot.h"
#include "format/string.h"
#include "read/code_method.h"
#include "read/where.h"
#include "stacks/chains.h"

/* Of a text in which something is looked for, so much is read: thread dumps are long. */
#define EXCERPT_SEARCHED (16 << 20)

static const struct naming naming = { .with_dots = true, .normalizes = true };

/* Types ---------------------------------------------------------------------------------------- */

const struct jfrec_type *view_type_named(const struct metadata *m, const char *name)
{
	const struct jfrec_type *t = metadata_jdk_type_named(m, name);

	return t && t->is_event ? t : NULL;
}

/* Getters -------------------------------------------------------------------------------------- */

static const struct jfrec_field *field_named(const struct jfrec_type *t, const char *name,
					     size_t len)
{
	for (unsigned i = 0; t && i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (strncmp(f->name, name, len) == 0 && !f->name[len])
			return f->array || !f->type ? NULL : f;
	}
	return NULL;
}

static enum how_got how_of_value(const struct jfrec_field *f)
{
	switch ((enum wire)f->type->wire) {
	case WIRE_BOOLEAN:
	case WIRE_BYTE:
	case WIRE_CHAR:
	case WIRE_SHORT:
	case WIRE_INT:
	case WIRE_LONG:
		return f->timespan ? GET_SPAN : f->timestamp ? GET_TIME : GET_LONG;
	case WIRE_FLOAT:
		return GET_FLOAT;
	case WIRE_DOUBLE:
		return GET_DOUBLE;
	case WIRE_STRING:
		return GET_STRING;
	case WIRE_NONE:
	case WIRE_KEY:
	case WIRE_ARRAY:
		break;
	}
	return GET_NOTHING;
}

static enum how_got how_of_constant(const struct jfrec_field *f, const char *rest)
{
	if (!*rest && f->type->known == KNOWN_THREAD)
		return GET_THREAD;
	if (!*rest && f->type->known == KNOWN_STACK_TRACE)
		return GET_STACK;
	return GET_CONSTANT;
}

/* Follow the path through inline structs up to a value or a constant. */
static struct getter getter_of(const struct jfrec_type *t, const char *path)
{
	struct getter g = { .how = GET_NOTHING };
	unsigned base = 0;

	while (t && path) {
		size_t len = strcspn(path, ".");
		const struct jfrec_field *f = field_named(t, path, len);
		const char *rest = path[len] ? path + len + 1 : "";

		if (!f || plan_of(t)->fault)
			break;
		g.step = (uint16_t)(base + plan_of(t)->first_step[f->index]);
		g.field = f;
		g.owner = t;
		g.base = (uint16_t)base;
		g.rest = rest;
		g.wire = f->type->wire;
		if (f->constant || f->type->wire != WIRE_NONE) {
			g.how = (uint8_t)(f->constant ? how_of_constant(f, rest) : how_of_value(f));
			break;
		}
		/* A struct around one value, such as a thread state, has it as its first field. */
		base = g.step;
		t = f->type;
		path = *rest ? rest : t->simple && t->field_count == 1 ? t->fields[0].name : NULL;
	}
	return g;
}

static struct memo *memo_of(struct chunk_view *v, const struct getter *g)
{
	struct memo *m = v->memos;

	while (m && (m->type != g->field->type || strcmp(m->rest, g->rest) != 0))
		m = m->next;
	if (m)
		return m;
	m = arena_zalloc(&v->arena, 1, sizeof(*m));
	if (m) {
		m->type = g->field->type;
		m->rest = g->rest;
		m->next = v->memos;
		v->memos = m;
	}
	return m;
}

/* How a field is got, for which so many steps are decoded. */
static struct getter add_getter(struct type_listeners *to, const struct jfrec_type *t,
				const char *path)
{
	struct getter g = getter_of(t, path);

	if (path && g.how != GET_NOTHING && g.step >= to->plan.step_count)
		to->plan.step_count = g.step + 1u;
	return g;
}

/* e: what the type stands for, of another producer's; NULL: it is the one that is asked for. */
static bool listen_to(struct chunk_view *v, const struct jfrec_type *t, const struct equivalent *e,
		      const struct reads *input, const struct listener *like)
{
	struct type_listeners *to = &v->types[t->index];
	struct listener *l = plan_of(t)->fault ? NULL : arena_zalloc(&v->arena, 1, sizeof(*l));

	if (!l)
		return plan_of(t)->fault;
	*l = *like;
	if (!to->first) {
		const struct plan *p = plan_of(t);

		to->plan = *p;
		to->plan.step_count = 0;
		if (p->start_step != PLAN_NO_STEP)
			to->plan.step_count = p->start_step + 1u;
		if (p->duration_step != PLAN_NO_STEP && p->duration_step >= to->plan.step_count)
			to->plan.step_count = p->duration_step + 1u;
	}
	for (unsigned i = 0; i < MAX_FIELDS && input->fields[i]; i++) {
		const char *path = input->fields[i];

		l->getters[i] = add_getter(to, t, e ? equivalent_field(e, path) : path);
		if (l->getters[i].how == GET_CONSTANT &&
		    !(l->getters[i].memo = memo_of(v, &l->getters[i])))
			return false;
	}
	if (e) {
		l->samples = add_getter(to, t, e->samples);
		l->value = add_getter(to, t, e->value);
		l->factor = add_getter(to, t, e->factor);
	}
	if (to->last)
		to->last->next = l;
	else
		to->first = l;
	to->last = l;
	return true;
}

static bool listen_to_others(struct chunk_view *v, const struct reads *input,
			     const struct listener *like)
{
	const struct equivalent *e;
	const struct jfrec_type *t;

	for (size_t i = 0; (e = equivalent_at(i)) != NULL; i++) {
		t = strcmp(e->jdk, input->type) == 0 ? view_type_named(v->chunk->metadata, e->type)
						     : NULL;
		if (t && !listen_to(v, t, e, input, like))
			return false;
	}
	return true;
}

bool chunk_view_listen(struct chunk_view *v, const struct reads *input, unsigned number,
		       void (*take)(void *, const struct event *), size_t who, bool is_always)
{
	const struct listener like = { .take = take, .who = who, .input = number,
				       .is_always = is_always };
	const struct jfrec_type *t;

	if (input->is_of_others)
		return listen_to_others(v, input, &like);
	t = view_type_named(v->chunk->metadata, input->type);
	return !t || listen_to(v, t, NULL, input, &like);
}

struct listener *chunk_view_listener(struct chunk_view *v, const struct jfrec_type *t, size_t who)
{
	struct listener *l = v->types[t->index].first;

	while (l && l->who != who)
		l = l->next;
	return l;
}

/* Constants ------------------------------------------------------------------------------------ */

static uint32_t put_text(struct chunk_view *v, const char *text, size_t len)
{
	return text ? name_book_put(v->names, text, len) : 0;
}

static uint32_t class_text(struct chunk_view *v, struct object class)
{
	size_t len = 0;
	const char *symbol = object_text(&v->objects, class, "name", &len);

	if (!symbol)
		return 0;
	symbol = frame_class_name(&naming, symbol, len, &v->objects.scratch, &len);
	return put_text(v, symbol, len);
}

static uint32_t method_text(struct chunk_view *v, struct object method)
{
	size_t name_len = 0, symbol_len = 0, len = 0;
	const char *name = code_method_name(&v->objects, method, &name_len);
	struct object class = object_member(&v->objects, method, "type");
	const char *symbol = object_text(&v->objects, class, "name", &symbol_len);

	if (!name)
		return 0;
	name = frame_method_name(&naming, symbol, symbol_len, name, name_len, &v->objects.scratch,
				 &len);
	return put_text(v, name, len);
}

static uint32_t loader_text(struct chunk_view *v, struct object loader)
{
	struct object type = object_member(&v->objects, loader, "type");
	size_t len = 0;
	const char *name;
	uint32_t text = class_text(v, type);

	if (text)
		return text;
	name = object_text(&v->objects, loader, "name", &len);
	return put_text(v, name, len);
}

static uint32_t thread_of_object(struct chunk_view *v, struct object t)
{
	size_t len = 0;
	const char *name = object_text(&v->objects, t, "javaName", &len);

	if (!name || !len)
		name = object_text(&v->objects, t, "osName", &len);
	return name_book_thread(v->names, put_text(v, name, len),
			     object_number(t, "javaThreadId", 0), object_number(t, "osThreadId", 0),
			     object_number(t, "virtual", 0) != 0);
}

static struct constant_value value_of_object(struct chunk_view *v, const struct jfrec_type *type,
					     uint64_t key)
{
	struct constant_value c = { 0 };
	struct object o = object_constant(&v->objects, type, key);
	size_t len = 0;
	uint32_t number;
	const char *text;

	switch ((enum known_type)type->known) {
	case KNOWN_CLASS:
		c.text = class_text(v, o);
		return c;
	case KNOWN_METHOD:
		c.text = method_text(v, o);
		return c;
	case KNOWN_CLASS_LOADER:
		c.text = loader_text(v, o);
		return c;
	case KNOWN_THREAD:
		if (o.slots) {
			number = thread_of_object(v, o); /* first: it can move the list */
			c.text = v->names->threads.list[number].name;
		}
		return c;
	case KNOWN_NONE:
	case KNOWN_FRAME:
	case KNOWN_STACK_TRACE:
	case KNOWN_OLD_OBJECT:
		break;
	}
	text = object_constant_text(&v->objects, type, key, &len);
	c.text = put_text(v, text, len);
	return c;
}

/* The value at a path that begins at a constant. */
static struct constant_value value_at(struct chunk_view *v, const struct jfrec_type *type,
				      uint64_t key, const char *path)
{
	struct object o = object_constant(&v->objects, type, key);
	struct constant_value c = { 0 };
	char name[64];
	uint64_t next;
	size_t len = 0;

	for (;;) {
		size_t n = strcspn(path, ".");
		const struct jfrec_field *f;

		if (n >= sizeof(name) || !o.slots)
			return c;
		memcpy(name, path, n);
		name[n] = '\0';
		path += n + (path[n] == '.');
		if (*path) {
			o = object_member(&v->objects, o, name);
			continue;
		}
		f = object_field(o.type, name);
		if (f && f->constant && object_key(o, name, &next))
			return value_of_object(v, f->type, next);
		c.text = put_text(v, object_text(&v->objects, o, name, &len), len);
		c.number = object_number(o, name, NO_NUMBER);
		c.has_number = c.number != NO_NUMBER;
		return c;
	}
}

static const struct constant_value *constant_of(const struct event *e, const struct getter *g)
{
	static const struct constant_value none;
	struct chunk_view *v = e->view;
	uint64_t key = e->slots[g->step];
	uint32_t *place = idmap_put(&g->memo->places, key, v->value_count);
	struct constant_value c;

	if (!place) {
		v->names->no_memory = true;
		return &none;
	}
	if (*place < v->value_count)
		return &v->values[*place];
	c = *g->rest ? value_at(v, g->field->type, key, g->rest)
		     : value_of_object(v, g->field->type, key);
	arena_recycle(&v->objects.scratch);
	if (!array_push(v->values, v->value_count, v->value_room, c)) {
		v->names->no_memory = true;
		return &none;
	}
	return &v->values[v->value_count - 1];
}

/* What rules ask ------------------------------------------------------------------------------- */

static double number_of(const struct event *e, const struct getter *g);

static int64_t long_of(const struct event *e, const struct getter *g)
{
	const struct clock *clock = &e->view->chunk->clock;
	const struct constant_value *c;
	int64_t n;

	switch (g->how) {
	case GET_LONG:
	case GET_SPAN:
	case GET_TIME:
		n = slot_number(g->field, (enum wire)g->wire, e->slots[g->step]);
		return g->how == GET_SPAN   ? span_in_ns(g->field, clock, n)
		       : g->how == GET_TIME ? time_in_ns(g->field, clock, n)
					    : n;
	case GET_FLOAT:
	case GET_DOUBLE:
		return double_to_long(number_of(e, g));
	case GET_CONSTANT:
		c = constant_of(e, g);
		return c->has_number ? c->number : NO_NUMBER;
	default:
		return NO_NUMBER;
	}
}

int64_t event_long(const struct event *e, unsigned field)
{
	return long_of(e, &e->listener->getters[field]);
}

static double number_of(const struct event *e, const struct getter *g)
{
	uint64_t slot = e->slots[g->step];
	int64_t n;
	double d;

	if (g->how == GET_FLOAT || g->how == GET_DOUBLE) {
		d = g->how == GET_FLOAT ? (double)slot_float(slot) : slot_double(slot);
		return isfinite(d) ? d : NAN;
	}
	n = long_of(e, g);
	return n == NO_NUMBER ? NAN : (double)n;
}

double event_number(const struct event *e, unsigned field)
{
	return number_of(e, &e->listener->getters[field]);
}

double event_samples(const struct event *e)
{
	const struct getter *g = &e->listener->samples;

	return g->how == GET_NOTHING ? 1 : fmax(0, number_of(e, g));
}

double event_bytes(const struct event *e)
{
	const struct listener *l = e->listener;
	double value = l->value.how == GET_NOTHING ? 0 : fmax(0, number_of(e, &l->value));

	return l->factor.how == GET_NOTHING ? value : value * fmax(0, number_of(e, &l->factor));
}

static uint32_t text_of_string(const struct event *e, const struct getter *g)
{
	struct chunk_view *v = e->view;
	size_t len = 0;
	const char *text = object_text(&v->objects, (struct object){ g->owner, e->slots + g->base },
				       g->field->name, &len);
	uint32_t number = put_text(v, text, len);

	arena_recycle(&v->objects.scratch);
	return number;
}

static unsigned place_of_string(const uint8_t *bytes, size_t len)
{
	uint64_t first = 0, last = 0;
	size_t n = len < sizeof(first) ? len : sizeof(first);

	memcpy(&first, bytes, n);
	memcpy(&last, bytes + len - n, n);
	return (unsigned)((first * 31 + last + len) * UINT64_C(0x9e3779b97f4a7c15) >> 32) %
	       MET_STRINGS;
}

/* Does that string lie there?  Its bytes say how long it is, so what has them ends with them. */
static bool lies_at(const struct met_string *m, const uint8_t *bytes, const uint8_t *end)
{
	return m->len <= (size_t)(end - bytes) && memcmp(m->bytes, bytes, m->len) == 0;
}

/* A string is decoded and looked up once, and compared where it comes again soon. */
static uint32_t met_text(const struct event *e, const struct getter *g)
{
	struct chunk_view *v = e->view;
	const uint8_t *bytes = slot_bytes(e->slots[g->step]);
	struct cursor c = { .pos = bytes, .end = v->chunk->end };
	const struct jfrec_type *type = g->field->type;
	const struct met_string **latest = &v->latest[g->step % LATEST_STRINGS];
	struct met_string *met;
	size_t len;

	if (*latest && (*latest)->type == type && lies_at(*latest, bytes, c.end))
		return (*latest)->text;
	if (string_read(&c).encoding <= STRING_EMPTY)
		return 0;
	len = (size_t)(c.pos - bytes);
	met = &v->met[place_of_string(bytes, len)];
	if (met->type != type || met->len != len || memcmp(met->bytes, bytes, len) != 0)
		*met = (struct met_string){ type, bytes, len, text_of_string(e, g) };
	*latest = met;
	return met->text;
}

uint32_t event_text(const struct event *e, unsigned field)
{
	const struct getter *g = &e->listener->getters[field];
	struct chunk_view *v = e->view;
	uint32_t number;

	switch (g->how) {
	case GET_STRING:
		return met_text(e, g);
	case GET_CONSTANT:
		return constant_of(e, g)->text;
	case GET_THREAD:
		number = event_thread(e, field); /* first: it can move the list */
		return v->names->threads.list[number].name;
	default:
		return 0;
	}
}

/* The excerpt in that arena; NULL. */
static const char *find_excerpt(const struct event *e, const struct getter *g, const char *from,
				size_t most, struct arena *to)
{
	struct objects *o = &e->view->objects;
	uint64_t most_text = o->most_text;
	const char *text, *at, *copy = NULL;
	size_t len = 0, n;

	o->most_text = EXCERPT_SEARCHED;
	text = object_text(o, (struct object){ g->owner, e->slots + g->base }, g->field->name,
			   &len);
	o->most_text = most_text;
	at = text ? memmem(text, len, from, strlen(from)) : NULL;
	if (at) {
		n = len - (size_t)(at - text);
		copy = arena_strndup(to, at, n < most ? n : most);
		e->view->names->no_memory |= !copy;
	}
	arena_recycle(&o->scratch);
	return copy;
}

/* Those that were found by it; of more than there is room for, the first are forgotten. */
static struct excerpts *excerpts_of(struct chunk_view *v, const char *from)
{
	struct excerpts *x = v->excerpts;

	for (unsigned i = 0; i < EXCERPTS; i++) {
		if (!v->excerpts[i].from || v->excerpts[i].from == from) {
			x = &v->excerpts[i];
			break;
		}
	}
	if (x->from != from) {
		idmap_fini(&x->by_key);
		x->from = from;
		x->count = 0;
	}
	return x;
}

/* Of a text that is a constant, which many events may share; it is searched once. */
static const char *shared_excerpt(const struct event *e, const struct getter *g, const char *from,
				  size_t most, uint64_t key)
{
	struct excerpts *x = excerpts_of(e->view, from);
	uint32_t *place;

	place = idmap_put(&x->by_key, key, x->count);
	if (!place || (*place == x->count &&
		       !array_push(x->list, x->count, x->room,
				   find_excerpt(e, g, from, most, &e->view->arena)))) {
		e->view->names->no_memory = true;
		return NULL;
	}
	return x->list[*place];
}

const char *event_excerpt(const struct event *e, unsigned field, const char *from, size_t most)
{
	const struct getter *g = &e->listener->getters[field];
	struct cursor c = { .end = e->view->chunk->end };
	struct excerpts *x;
	struct string s;

	if (g->how != GET_STRING)
		return NULL;
	c.pos = slot_bytes(e->slots[g->step]);
	s = string_read(&c);
	if (s.encoding == STRING_KEY)
		return shared_excerpt(e, g, from, most, s.key);
	x = excerpts_of(e->view, from);
	arena_recycle(&x->last);
	return find_excerpt(e, g, from, most, &x->last);
}

uint32_t event_thread(const struct event *e, unsigned field)
{
	const struct getter *g = &e->listener->getters[field];
	struct chunk_view *v = e->view;
	struct met_constant *last = &v->last_thread;
	struct object o;
	uint32_t *place;

	if (g->how != GET_THREAD)
		return 0;
	if (last->is_known && last->key == e->slots[g->step])
		return last->number;
	place = idmap_put(&v->threads, e->slots[g->step], IDMAP_NONE - 1);
	if (!place) {
		v->names->no_memory = true;
		return 0;
	}
	if (*place == IDMAP_NONE - 1) {
		o = object_constant(&v->objects, g->field->type, e->slots[g->step]);
		*place = o.slots ? thread_of_object(v, o) : 0;
		arena_recycle(&v->objects.scratch);
	}
	*last = (struct met_constant){ true, e->slots[g->step], *place };
	return *place;
}

bool event_thread_is_virtual(const struct event *e, uint32_t thread)
{
	return e->view->names->threads.list[thread].is_virtual;
}

uint32_t event_stack(const struct event *e, unsigned field)
{
	const struct getter *g = &e->listener->getters[field];
	struct chunk_view *v = e->view;
	struct met_constant *last = &v->last_stack;
	struct trace trace = { 0 };
	uint32_t *place;

	if (g->how != GET_STACK)
		return 0;
	if (last->is_known && last->key == e->slots[g->step])
		return last->number;
	place = idmap_put(&v->stacks, e->slots[g->step], IDMAP_NONE - 1);
	if (!place) {
		v->names->no_memory = true;
		return 0;
	}
	if (*place == IDMAP_NONE - 1)
		*place = traces_get(&v->traces, g->field->type, e->slots[g->step], &trace)
				 ? name_book_stack(v->names, &trace)
				 : 0;
	*last = (struct met_constant){ true, e->slots[g->step], *place };
	return *place;
}

static uint32_t text_of_frame(const struct names *n, uint32_t frame)
{
	return frame == FRAME_NONE ? 0 : n->book.frames.list[frame].name;
}

size_t event_holders(const struct event *e, unsigned object, unsigned root, struct event_holder *to,
		     size_t room)
{
	const struct getter *o = &e->listener->getters[object], *r = &e->listener->getters[root];
	struct chunk_view *v = e->view;
	struct holder chain[CHAIN_MAX];
	size_t n;

	if (o->how != GET_CONSTANT)
		return 0;
	n = chain_get(&v->traces, o->field->type, e->slots[o->step],
		      r->how == GET_CONSTANT ? r->field->type : NULL,
		      r->how == GET_CONSTANT ? e->slots[r->step] : 0, chain);
	if (v->traces.is_out_of_memory)
		v->names->no_memory = true;
	n = n < room ? n : room;
	for (size_t i = 0; i < n; i++)
		to[i] = (struct event_holder){ text_of_frame(v->names, chain[i].frame),
					       text_of_frame(v->names, chain[i].class),
					       chain[i].size };
	return n;
}

uint64_t event_key(const struct event *e, unsigned field)
{
	const struct getter *g = &e->listener->getters[field];

	return g->how == GET_NOTHING ? 0 : e->slots[g->step];
}

const char *event_text_of(const struct event *e, uint32_t text)
{
	return e->view->names->book.names.list[text].text;
}

void event_learn_secrets(const struct event *e, const char *type, const char *field,
			 const char *name, const char *text)
{
	struct text_spot spot = { .event = type, .field = field, .name = name };
	struct names *n = e->view->names;

	if (n->secrets && !secrets_learn(n->secrets, &spot, text))
		n->no_memory = true;
}

uint32_t event_put_text(const struct event *e, const char *text)
{
	return name_book_put(e->view->names, text, strlen(text));
}

void event_no_memory(const struct event *e)
{
	e->view->names->no_memory = true;
}

/* Handing out ---------------------------------------------------------------------------------- */

/* Does the event pass the expression of the listener? */
static bool is_for(struct chunk_view *v, const struct listener *l, const struct jfrec_type *t,
		   const struct event *e)
{
	struct cursor c = { .pos = e->at, .end = v->chunk->end };
	struct raw_event raw;
	bool passes;

	if (!l->where)
		return true;
	if (!v->where_slots)
		v->where_slots = arena_alloc(&v->arena, PLAN_MAX_STEPS * sizeof(*v->where_slots));
	if (!v->where_slots) {
		v->names->no_memory = true;
		return false;
	}
	passes = walk_next(&c, &raw) > 0 &&
		 where_passes(l->where, v->chunk, t, &raw, v->where_slots);
	v->names->no_memory |= where_is_out_of_memory(l->where);
	return passes;
}

bool chunk_view_decode(struct chunk_view *v, const struct jfrec_type *t,
		       const struct raw_event *raw, uint64_t *slots, struct event *e)
{
	const struct plan *plan = &v->types[t->index].plan;
	const struct clock *clock = &v->chunk->clock;
	struct cursor at = event_payload(raw, v->chunk->end);
	int64_t start, duration = 0;

	plan_decode(plan, &at, slots);
	/* What ran past its end is noted, and told with the others at the end of the chunk. */
	if (event_overran(raw, &at) && !chunk_decode(v->chunk, t, raw, slots))
		return false;
	start = plan->start_step != PLAN_NO_STEP ? (int64_t)slots[plan->start_step]
						 : v->chunk->extent.header.start_ticks;
	if (plan->duration_step != PLAN_NO_STEP)
		duration = (int64_t)slots[plan->duration_step];
	*e = (struct event){ .slots = slots, .at = raw->start, .view = v };
	e->start_ns = clock_time_ns(clock, start);
	e->end_ns = duration > 0 ? clock_time_ns(clock, long_add(start, duration)) : e->start_ns;
	if (e->end_ns < e->start_ns)
		e->end_ns = e->start_ns;
	return true;
}

void chunk_view_give(struct chunk_view *v, const struct jfrec_type *t, bool only_always,
		     struct event *e)
{
	for (const struct listener *l = v->types[t->index].first; l; l = l->next) {
		if ((only_always && !l->is_always) || !is_for(v, l, t, e))
			continue;
		e->listener = l;
		e->input = l->input;
		l->take(v->states[l->who], e);
	}
}

bool chunk_view_init(struct chunk_view *v, struct chunk *c, struct names *names)
{
	*v = (struct chunk_view){ .chunk = c,
				  .names = names,
				  .objects = { .chunk = c, .most_text = NAME_MOST + 1 } };
	traces_init(&v->traces, c, &names->book, &naming);
	v->traces.with_lines = true;
	v->types = arena_zalloc(&v->arena, c->metadata->type_count + 1, sizeof(*v->types));
	return v->types != NULL;
}

void chunk_view_fini(struct chunk_view *v)
{
	for (struct memo *m = v->memos; m; m = m->next)
		idmap_fini(&m->places);
	if (v->traces.is_out_of_memory)
		v->names->no_memory = true;
	traces_fini(&v->traces);
	arena_fini(&v->objects.scratch);
	for (unsigned i = 0; i < EXCERPTS; i++) {
		arena_fini(&v->excerpts[i].last);
		idmap_fini(&v->excerpts[i].by_key);
		free(v->excerpts[i].list);
	}
	arena_fini(&v->arena);
	idmap_fini(&v->stacks);
	idmap_fini(&v->threads);
	free(v->values);
}
