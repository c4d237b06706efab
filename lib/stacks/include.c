/* SPDX-License-Identifier: MIT */
/*
 * include.c - the stacks that are asked for by the names of their frames
 */
#include <stdlib.h>

#include "stacks/grow.h"

#define MATCHED_LOOKED 1
#define MATCHED_INCLUDE 2
#define MATCHED_EXCLUDE 4

static uint8_t look_at_name(const struct jfrec_stacks *s, uint32_t frame)
{
	const char *name = s->book.names.list[s->book.frames.list[frame].name].text;
	uint8_t found = MATCHED_LOOKED;

	if (s->has_include && regexec(&s->include, name, 0, NULL, 0) == 0)
		found |= MATCHED_INCLUDE;
	if (s->has_exclude && regexec(&s->exclude, name, 0, NULL, 0) == 0)
		found |= MATCHED_EXCLUDE;
	return found;
}

static bool has_expressions(const struct jfrec_stacks *s)
{
	return s->has_include || s->has_exclude;
}

static int begin_matches(struct jfrec_stacks *s)
{
	uint8_t *grown = frames_stretch(&s->book.frames, s->matches, &s->match_count, 1, 0);

	s->matches = grown ? grown : s->matches;
	return grown || !s->book.frames.room ? 0 : -1;
}

static uint8_t match_of(struct jfrec_stacks *s, uint32_t frame)
{
	if (!s->matches[frame])
		s->matches[frame] = look_at_name(s, frame);
	return s->matches[frame];
}

/* Does a stack stay whose frames have these matches, all together? */
static bool stays(const struct jfrec_stacks *s, uint8_t all)
{
	return !(all & MATCHED_EXCLUDE) && (!s->has_include || (all & MATCHED_INCLUDE));
}

int passes(struct jfrec_stacks *s, const uint32_t *frames, uint32_t count)
{
	uint8_t all = 0;

	if (!has_expressions(s))
		return 1;
	if (begin_matches(s) < 0)
		return -1;
	for (uint32_t i = 0; i < count; i++)
		all |= match_of(s, frames[i]);
	return stays(s, all);
}

bool *passing_paths(struct jfrec_stacks *s, const struct paths *p, bool *all)
{
	uint8_t *matches;
	bool *passing;

	*all = !has_expressions(s);
	if (*all || begin_matches(s) < 0)
		return NULL;
	matches = calloc((size_t)p->count + 1, sizeof(*matches));
	passing = calloc((size_t)p->count + 1, sizeof(*passing));
	if (!matches || !passing) {
		free(matches);
		free(passing);
		return NULL;
	}
	passing[PATH_ROOT] = stays(s, 0);
	for (uint32_t i = 1; i < p->count; i++) {
		matches[i] = matches[p->list[i].parent] | match_of(s, p->list[i].frame);
		passing[i] = stays(s, matches[i]);
	}
	free(matches);
	return passing;
}
