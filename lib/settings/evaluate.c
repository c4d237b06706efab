/* SPDX-License-Identifier: MIT */
/*
 * evaluate.c - compute setting values from control elements
 *
 * Truth has three values: a test of a control that says nothing is unknown.  Several
 * controls may have one name; the first that says something counts.  A condition may
 * test conditions, even, in a broken file, itself: each one is evaluated once in a round,
 * and is unknown while that is going on, or if it is too far away.
 */
#include <string.h>

#include "settings/model.h"

/* Conditions that test conditions that test conditions ... */
#define MAX_CHAIN 64

enum truth { UNKNOWN, NO, YES };

struct element *settings_next_control(const struct element *root, const struct element *before)
{
	struct element *control = before ? before->parent : NULL;

	if (before && before->next)
		return before->next;
	control = control ? control->next : root->first;
	while (control && (control->kind != ELEMENT_CONTROL || control->stray || !control->first))
		control = control->next;
	return control ? control->first : NULL;
}

struct element *selection_chosen(const struct element *selection)
{
	const char *chosen = element_get(selection, "default");

	for (struct element *o = selection->first; o && chosen; o = o->next) {
		if (o->kind == ELEMENT_OPTION && element_is_named(o, chosen))
			return o;
	}
	return NULL;
}

static enum truth truth_of(struct evaluation *v, const struct element *e);

static enum truth truth_of_test(struct evaluation *v, const struct element *test)
{
	const char *value = evaluate(v, element_get(test, "name"));

	if (!value)
		return UNKNOWN;
	return strcmp(value, element_get(test, "value")) == 0 ? YES : NO;
}

/* One that decides decides; else the other, if there is any. */
static enum truth truth_of_list(struct evaluation *v, const struct element *e, enum truth decides)
{
	enum truth all = UNKNOWN;

	for (const struct element *c = e->first; c; c = c->next) {
		enum truth one = c->stray ? UNKNOWN : truth_of(v, c);

		if (one == decides)
			return decides;
		if (one != UNKNOWN)
			all = one;
	}
	return all;
}

/* The depth of what was read is limited. */
static enum truth truth_of(struct evaluation *v, const struct element *e)
{
	enum truth inner;

	switch (e->kind) {
	case ELEMENT_TEST:
		return truth_of_test(v, e);
	case ELEMENT_AND:
		return truth_of_list(v, e, NO);
	case ELEMENT_OR:
		return truth_of_list(v, e, YES);
	case ELEMENT_NOT:
		inner = truth_of_list(v, e, YES);
		return inner == UNKNOWN ? UNKNOWN : inner == YES ? NO : YES;
	default:
		return UNKNOWN;
	}
}

static const char *value_of_condition(struct evaluation *v, struct element *e)
{
	if (e->round == v->round)
		return e->value;
	e->round = v->round;
	e->value = NULL;
	if (v->depth == MAX_CHAIN)
		return NULL;
	v->depth++;
	switch (truth_of_list(v, e, YES)) {
	case YES:
		e->value = element_get(e, "true");
		break;
	case NO:
		e->value = element_get(e, "false");
		break;
	default:
		break;
	}
	v->depth--;
	return e->value;
}

static const char *value_of(struct evaluation *v, struct element *e)
{
	const struct element *chosen;

	switch (e->kind) {
	case ELEMENT_SELECTION:
		chosen = selection_chosen(e);
		return chosen ? chosen->text : NULL;
	case ELEMENT_TEXT:
	case ELEMENT_FLAG:
		return e->text;
	case ELEMENT_CONDITION:
		return value_of_condition(v, e);
	default:
		return NULL;
	}
}

const char *evaluate(struct evaluation *v, const char *control)
{
	struct element *e = NULL;
	const char *value = NULL;

	while (!value && (e = settings_next_control(v->root, e))) {
		if (!e->stray && element_is_named(e, control))
			value = value_of(v, e);
	}
	return value;
}

/* Dependence ----------------------------------------------------------------------------------- */

/* In such a round a condition's value says whether it depends on the input. */
static bool condition_depends(struct evaluation *v, struct element *condition, const char *input)
{
	if (condition->round == v->round)
		return condition->value != NULL;
	condition->round = v->round;
	condition->value = NULL;
	if (v->depth == MAX_CHAIN)
		return false;
	v->depth++;
	for (const struct element *e = condition; e && !condition->value;
	     e = element_next(condition, e)) {
		if (e->kind == ELEMENT_TEST && !e->stray &&
		    evaluate_depends(v, element_get(e, "name"), input))
			condition->value = input;
	}
	v->depth--;
	return condition->value != NULL;
}

bool evaluate_depends(struct evaluation *v, const char *control, const char *input)
{
	struct element *e = NULL;

	while ((e = settings_next_control(v->root, e))) {
		if (e->stray || !element_is_named(e, control))
			continue;
		if (element_is_input(e) && strcmp(control, input) == 0)
			return true;
		if (e->kind == ELEMENT_CONDITION && condition_depends(v, e, input))
			return true;
	}
	return false;
}
