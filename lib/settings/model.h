/* SPDX-License-Identifier: MIT */
/*
 * model.h - the inside of struct jfrec_settings
 */
#ifndef JFREC_SETTINGS_MODEL_H
#define JFREC_SETTINGS_MODEL_H

#include "settings/element.h"

/* An option, as it is listed. */
struct listed_option {
	struct jfrec_settings_option shown; /* first: what the caller has a pointer to */
	struct jfrec_settings_choice *choices;
	size_t choice_count;
};

struct jfrec_settings {
	struct arena arena;
	struct element *root;
	unsigned round; /* of evaluation, see evaluate.c */
	/* What jfrec_settings_list() found; NULL: to be found again. */
	struct jfrec_setting *rows;
	size_t row_count;
	struct listed_option *options;
	size_t option_count;
};

/* After a change: forget what was found. */
void settings_changed(struct jfrec_settings *s);

/* Elements of the control elements of a file, one after the other; NULL: there are no more. */
struct element *settings_next_control(const struct element *root, const struct element *before);

/* Is it a setting that a JVM takes, wherever it stands? */
bool element_is_jvm_setting(const struct element *e);

/* Is it something that people turn? */
static inline bool element_is_input(const struct element *e)
{
	return e->kind == ELEMENT_SELECTION || e->kind == ELEMENT_TEXT || e->kind == ELEMENT_FLAG;
}

/* One look at the controls, as they are. */
struct evaluation {
	const struct element *root;
	unsigned round; /* another one each time */
	unsigned depth;
};

/* The value that controls of that name give; NULL: they say nothing. */
const char *evaluate(struct evaluation *v, const char *control);

/* Does a change of that input reach the control of that name, through tests and conditions? */
bool evaluate_depends(struct evaluation *v, const char *control, const char *input);

/* The option of a selection that is chosen, or NULL. */
struct element *selection_chosen(const struct element *selection);

#endif
