/* SPDX-License-Identifier: MIT */
/*
 * rule_paths.c - find which scrub rules apply to which strings of a chunk
 */
#include "scrub/rule_paths.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "read/select.h"
#include "scrub/secret_words.h"

/* From event to constant to constant: longer paths nobody writes. */
#define MAX_DEPTH 8

/* Types that refer to each other in all ways have paths without end. */
#define MAX_VISITED 2000000

/* What rules call the metadata. */
#define METADATA_EVENT "metadata"

/* A walk over the steps of a type, and of those that its keys lead to. */
struct walk {
	struct rule_paths *paths; /* NULL: only the path of step `wanted` is asked for */
	unsigned wanted;
	bool found;
	rule_set rules; /* whose event this is, and that name fields */
	bool by_name;	/* only fields are wanted that are secret by their name, and */
	bool secret;	/* this one is, or one that it is in */
	char path[RULE_PATH_MAX];
	size_t len;
	unsigned depth;
};

/* The steps of one type, as they are gone through. */
struct path_step {
	const struct jfrec_type *type; /* whose steps are counted */
	unsigned step;
	bool is_element; /* of an array, which is one step */
};

/* Paths ---------------------------------------------------------------------------------------- */

/* Make the path longer by a name; returns what it was before. */
static size_t enter(struct walk *w, const char *name)
{
	size_t before = w->len;
	int n = snprintf(w->path + w->len, sizeof(w->path) - w->len, "%s%s", w->len ? "." : "",
			 name);

	w->len += (size_t)n < sizeof(w->path) - w->len ? (size_t)n : sizeof(w->path) - w->len - 1;
	return before;
}

static void leave(struct walk *w, size_t before)
{
	w->len = before;
	w->path[before] = '\0';
}

static const char *next_comma(const char *list)
{
	const char *comma = strchr(list, ',');

	return comma ? comma : list + strlen(list);
}

/* Can one of the globs match something that begins with the path? */
static bool can_match_below(const char *list, const char *path, size_t len)
{
	for (const char *end; *list; list = *end ? end + 1 : end) {
		size_t fixed;

		end = next_comma(list);
		while (*list == ' ')
			list++;
		fixed = strcspn(list, "*?,");
		if (strncmp(list, path, fixed < len ? fixed : len) == 0 &&
		    (fixed > len || list + fixed < end))
			return true;
	}
	return false;
}

static rule_set matching(const struct walk *w, bool below)
{
	const struct jfrec_scrub_rules *rules = w->paths->rules;
	rule_set found = { 0 };

	for (unsigned i = 0; i < rules->count; i++) {
		const char *field = rules->rules[i].field;

		if (w->by_name && (below || !w->secret))
			continue;
		if (rule_set_has(&w->rules, i) && (below ? can_match_below(field, w->path, w->len)
							 : list_matches(field, w->path, w->len)))
			rule_set_add(&found, i);
	}
	return found;
}

/* Steps ---------------------------------------------------------------------------------------- */

static void walk_type(struct walk *w, const struct jfrec_type *t, struct path_step *at);

bool rule_paths_is_jvm(const struct jfrec_type *t)
{
	return strncmp(t->name, "jdk.", 4) == 0 ||
	       (strncmp(t->name, "java.", 5) == 0 && strcmp(t->name, "java.lang.String") != 0);
}

bool rule_paths_is_symbol(const struct jfrec_type *t)
{
	size_t len = strlen(t->name);

	return len > 7 && strcmp(t->name + len - 7, ".Symbol") == 0;
}

static void visit_string(struct walk *w, const struct path_step *at)
{
	struct rule_paths_type *to = &w->paths->types[at->type->index];
	rule_set found = matching(w, false);

	to->has_text = true;
	rule_set_unite(&to->rules[at->step], &found);
}

/*
 * The constants of a type are not all secret because a field that leads to some of them is:
 * which ones are, events say.  Threads and classes never are.
 */
static void visit_secret_key(struct walk *w, const struct jfrec_type *t, const struct path_step *at)
{
	struct rule_paths_type *to = &w->paths->types[at->type->index];

	if (!w->secret || rule_paths_is_jvm(t))
		return;
	to->marks[at->step] |= STEP_KEY;
	to->has_text = true;
}

static bool is_number(enum wire wire)
{
	return wire == WIRE_BYTE || wire == WIRE_CHAR || wire == WIRE_SHORT || wire == WIRE_INT ||
	       wire == WIRE_LONG;
}

static void visit_number(struct walk *w, const struct jfrec_field *f, const struct path_step *at)
{
	struct rule_paths_type *to = &w->paths->types[at->type->index];

	if (!f || at->is_element ||
	    !(name_is_secret_number(f->name) || name_is_secret_number(f->label)))
		return;
	to->marks[at->step] |= STEP_NUMBER;
	to->has_text = true;
}

static void visit_key(struct walk *w, const struct jfrec_type *t)
{
	struct path_step at = { .type = t };
	rule_set rules = w->rules, here = matching(w, false);

	if (w->depth == MAX_DEPTH || plan_of(t)->fault)
		return;
	w->rules = matching(w, true);
	rule_set_unite(&w->rules, &here);
	w->depth++;
	if (!rule_set_is_empty(&w->rules))
		walk_type(w, t, &at);
	w->depth--;
	w->rules = rules;
}

static void visit_wire(struct walk *w, const struct jfrec_field *f, enum wire wire,
		       struct path_step *at)
{
	if (!w->paths)
		w->found |= at->step == w->wanted;
	else if (++w->paths->visited > MAX_VISITED)
		return;
	else if (wire == WIRE_STRING)
		visit_string(w, at);
	else if (wire == WIRE_KEY && w->by_name)
		visit_secret_key(w, f->type, at);
	else if (is_number(wire) && w->by_name)
		visit_number(w, f, at);
	else if (wire == WIRE_KEY && !rule_set_is_empty(&w->rules))
		visit_key(w, f->type);
	if (!at->is_element && !w->found)
		at->step++;
}

/* Elements are one step of their owner. */
static void visit_array(struct walk *w, const struct jfrec_field *f, struct path_step *at)
{
	struct path_step inside = { at->type, at->step, true };

	if (!w->paths)
		w->found |= at->step == w->wanted;
	else if (field_wire(f) == WIRE_NONE && w->depth < MAX_DEPTH) {
		w->depth++;
		walk_type(w, f->type, &inside);
		w->depth--;
	} else if (is_number(field_wire(f))) { /* text can lie in them */
		visit_string(w, &inside);
	} else if (field_wire(f) != WIRE_NONE) {
		visit_wire(w, f, field_wire(f), &inside);
	}
	if (!at->is_element && !w->found)
		at->step++;
}

static void visit_field(struct walk *w, const struct jfrec_field *f, struct path_step *at)
{
	if (f->array)
		visit_array(w, f, at);
	else if (field_wire(f) != WIRE_NONE)
		visit_wire(w, f, field_wire(f), at);
	else
		walk_type(w, f->type, at);
}

/* In the order of the plan's steps; a plan without a fault has no end of them. */
static void walk_type(struct walk *w, const struct jfrec_type *t, struct path_step *at)
{
	if (t->wire != WIRE_NONE)
		visit_wire(w, NULL, (enum wire)t->wire, at);
	for (unsigned i = 0; i < t->field_count && !w->found; i++) {
		const struct jfrec_field *f = &t->fields[i];
		/* The value of a simple type stands for it. */
		size_t before = t->simple && w->len ? w->len : enter(w, f->name);
		bool secret = w->secret;

		if (w->by_name)
			w->secret |= name_is_secret(f->name) || name_is_secret(f->label);
		visit_field(w, f, at);
		w->secret = secret;
		if (!w->found)
			leave(w, before);
	}
}

const char *rule_paths_path(struct rule_paths *r, const struct jfrec_type *t, unsigned step)
{
	struct walk w = { .wanted = step };
	struct path_step at = { .type = t };
	const char **path = &r->types[t->index].paths[step];

	if (*path)
		return *path;
	walk_type(&w, t, &at);
	*path = arena_strndup(&r->arena, w.path, strlen(w.path));
	/* That of java.lang.String itself has none. */
	return *path && **path ? *path : "string";
}

/* Types ---------------------------------------------------------------------------------------- */

/* Rules whose event this is: types of constants can be named like events. */
static rule_set rules_of(const struct rule_paths *r, const struct jfrec_type *t, bool with_field)
{
	rule_set found = { 0 };

	for (unsigned i = 0; i < r->rules->count; i++) {
		const struct rule *rule = &r->rules->rules[i];

		if ((rule->field != NULL) == with_field &&
		    (rule->event ? list_has_event(rule->event, t) : !with_field || t->is_event))
			rule_set_add(&found, i);
	}
	return found;
}

/* What says of another field, such as `value`, what it is. */
static bool names_a_value(const char *field)
{
	static const char *const names[] = {
		"key",	     "name",  "property", "variable", "header",	   "option",
		"parameter", "param", "setting",  "argument", "attribute", "field",
		"env",	     "var",   "attr",	  "label",    "k",
	};
	size_t len = strlen(field);

	if (len > 4 && strcmp(field + len - 4, "Name") == 0)
		len -= 4;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i]) == len && strncmp(field, names[i], len) == 0)
			return true;
	}
	return false;
}

static uint16_t name_step_of(const struct jfrec_type *t, const struct plan *plan)
{
	for (unsigned i = 0; i < t->field_count; i++) {
		const struct jfrec_field *f = &t->fields[i];

		if (!f->array && f->type && !f->constant && f->type->wire == WIRE_STRING &&
		    names_a_value(f->name))
			return plan->first_step[i];
	}
	return PLAN_NO_STEP;
}

/* Fields for what something is, whatever that is. */
static bool is_for_a_value(const char *field)
{
	static const char *const names[] = { "value", "values",	 "newValue", "oldValue", "val",
					     "v",     "content", "data",     "text",	 "secret" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strcmp(names[i], field) == 0)
			return true;
	}
	return false;
}

/* A string, a list of strings, or numbers that may be a text. */
static bool has_text(const struct step *s)
{
	const struct step *e = s->wire == WIRE_ARRAY ? s->element->steps : s;

	if (!s->field || (s->wire == WIRE_ARRAY && s->element->step_count != 1))
		return false;
	return e->wire == WIRE_STRING || (s->wire == WIRE_ARRAY && is_number((enum wire)e->wire)) ||
	       (e->wire == WIRE_KEY && strcmp(s->field->type->name, "java.lang.String") == 0);
}

static bool is_pair(const struct step *name, const struct step *value, size_t texts)
{
	return name->wire != WIRE_ARRAY && name->wire != WIRE_KEY &&
	       (texts == 2 || names_a_value(name->field->name) ||
		is_for_a_value(value->field->name));
}

/* Structs such as { key, value }: only what the first text says tells what the second one is. */
static void note_pairs(struct rule_paths *r, const struct jfrec_type *t)
{
	struct rule_paths_type *to = &r->types[t->index];
	const struct plan *plan = plan_of(t);
	unsigned name = PLAN_NO_STEP;
	size_t texts = 0;

	for (unsigned i = 0; i < plan->step_count; i++)
		texts += has_text(&plan->steps[i]);
	for (unsigned i = 0; i < plan->step_count && texts; i++) {
		const struct step *s = &plan->steps[i];

		if (name != PLAN_NO_STEP && s->field &&
		    (has_text(s) ||
		     (is_number((enum wire)s->wire) && is_for_a_value(s->field->name))) &&
		    is_pair(&plan->steps[name], s, texts)) {
			to->marks[name] |= STEP_NAME;
			to->marks[i] |= STEP_VALUE;
		}
		if (has_text(s))
			name = i;
	}
}

static void note_event(struct rule_paths *r, const struct jfrec_type *t)
{
	struct walk w = { .paths = r, .rules = rules_of(r, t, true) };
	struct path_step at = { .type = t };

	rule_set_drop(&w.rules, &r->secret_fields);
	rule_set_drop(&w.rules, &r->behind_names);
	walk_type(&w, t, &at);
}

static void note_secret_fields(struct rule_paths *r, const struct jfrec_type *t)
{
	struct walk w = { .paths = r, .rules = r->secret_fields, .by_name = true };
	struct path_step at = { .type = t };

	if (!rule_set_is_empty(&w.rules) && !rule_paths_is_jvm(t))
		walk_type(&w, t, &at);
}

static void note_whole_types(struct rule_paths *r, const struct jfrec_type *t)
{
	struct rule_paths_type *to = &r->types[t->index];
	rule_set rules = rules_of(r, t, false);

	for (unsigned i = 0; i < plan_of(t)->step_count; i++) {
		rule_set_unite(&to->rules[i], &rules);
		rule_set_unite(&to->all, &to->rules[i]);
	}
}

static void note_metadata(struct rule_paths *r)
{
	for (unsigned i = 0; i < r->rules->count; i++) {
		const struct rule *rule = &r->rules->rules[i];

		if (rule->secret_fields)
			rule_set_add(&r->secret_fields, i);
		if (rule->behind_names)
			rule_set_add(&r->behind_names, i);
		if (!rule->event && !rule->field) {
			rule_set_add(&r->general, i);
			rule_set_add(&r->texts, i);
			continue;
		}
		rule_set_add(&r->specific, i);
		if (!rule->event || !list_matches(rule->event, METADATA_EVENT, 8))
			continue;
		if (!rule->field || list_matches(rule->field, "text", 4))
			rule_set_add(&r->texts, i);
		if (rule->field && list_matches(rule->field, "name", 4))
			rule_set_add(&r->names, i);
	}
}

static int make_types(struct rule_paths *r)
{
	const struct metadata *m = r->metadata;

	r->types = arena_zalloc(&r->arena, (size_t)m->type_count + 1, sizeof(*r->types));
	for (uint32_t i = 0; r->types && i < m->type_count; i++) {
		const struct plan *plan = plan_of(&m->types[i]);
		struct rule_paths_type *t = &r->types[i];

		t->rules = arena_zalloc(&r->arena, (size_t)plan->step_count + 1, sizeof(*t->rules));
		t->marks = arena_zalloc(&r->arena, (size_t)plan->step_count + 1, 1);
		t->paths = arena_zalloc(&r->arena, (size_t)plan->step_count + 1, sizeof(*t->paths));
		t->name_step = plan->fault ? PLAN_NO_STEP : name_step_of(&m->types[i], plan);
		if (!t->rules || !t->marks || !t->paths)
			return -1;
	}
	return r->types ? 0 : -1;
}

int rule_paths_make(struct rule_paths *r, const struct jfrec_scrub_rules *rules, struct metadata *m,
		    struct jfrec_error *err)
{
	if (r->metadata == m)
		return 0;
	rule_paths_fini(r);
	r->rules = rules;
	r->metadata = metadata_ref(m);
	if (make_types(r) < 0)
		return jfrec_fail_memory(err);
	note_metadata(r);
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (plan_of(&m->types[i])->fault)
			continue;
		note_event(r, &m->types[i]);
		note_secret_fields(r, &m->types[i]);
		if (!rule_set_is_empty(&r->behind_names) && !rule_paths_is_jvm(&m->types[i]))
			note_pairs(r, &m->types[i]);
	}
	for (uint32_t i = 0; i < m->type_count; i++) {
		if (!plan_of(&m->types[i])->fault)
			note_whole_types(r, &m->types[i]);
	}
	return r->visited <= MAX_VISITED
		       ? 0
		       : jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				    "the field patterns of the rules match too many fields of "
				    "this recording");
}

void rule_paths_fini(struct rule_paths *r)
{
	metadata_unref(r->metadata);
	arena_fini(&r->arena);
	*r = (struct rule_paths){ 0 };
}
