/* SPDX-License-Identifier: MIT */
/*
 * change.c - apply trial settings, and find the events that would stay
 *
 * A recording has the events that a higher threshold would leave: which they are is
 * certain.  It has some that a longer period would have made at other times, and has
 * nothing of what a lower threshold would add.
 */
#include "cost/change.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/timeparse.h"
#include "jfrec-tool.h"
#include "read/select.h"

/* A throttle that let through so much of its limit held others back. */
#define REACHED 0.9

/* Values --------------------------------------------------------------------------------------- */

bool setting_span(const char *text, int64_t *ns)
{
	int64_t whole, billionths;
	struct time_scale scale;
	const char *at = parse_decimal(text, &whole, &billionths);

	if (!at || whole < 0)
		return false;
	at += strspn(at, " ");
	if (!*at && whole == 0 && billionths == 0) {
		*ns = 0;
		return true;
	}
	return *at && time_scale_named(at, strlen(at), &scale) &&
	       time_scale_ns(&scale, whole, billionths, ns);
}

bool setting_period(const char *text, struct period *p)
{
	*p = (struct period){ 0 };
	if (strcmp(text, "everyChunk") == 0)
		p->a_chunk = 2; /* at both ends */
	else if (strcmp(text, "beginChunk") == 0 || strcmp(text, "endChunk") == 0)
		p->a_chunk = 1;
	return p->a_chunk || (setting_span(text, &p->ns) && p->ns > 0);
}

bool setting_throttle(const char *text, struct throttle *t)
{
	int64_t whole, billionths;
	struct time_scale scale;
	const char *at;

	*t = (struct throttle){ .limit = HUGE_VAL, .window_ns = 1000000000 };
	if (strcmp(text, "off") == 0)
		return true;
	at = parse_decimal(text, &whole, &billionths);
	if (!at || whole < 0 || billionths || *at++ != '/')
		return false;
	t->limit = (double)whole;
	return *at && time_scale_named(at, strlen(at), &scale) &&
	       time_scale_ns(&scale, 1, 0, &t->window_ns);
}

static bool parse_flag(const char *text, bool *on)
{
	*on = strcmp(text, "true") == 0;
	return *on || strcmp(text, "false") == 0;
}

/* Settings, and what their values are called. */
static const struct {
	const char *name;
	enum change_kind kind;
	const char *value;
} kinds[] = {
	{ "enabled", CHANGE_ENABLED, "true or false" },
	{ "threshold", CHANGE_THRESHOLD, "a time such as 20ms" },
	{ "period", CHANGE_PERIOD, "a time such as 10s, everyChunk, beginChunk or endChunk" },
	{ "stackTrace", CHANGE_STACKS, "true or false" },
	{ "throttle", CHANGE_THROTTLE, "a rate such as 100/s, or off" },
};

#define KIND_COUNT (sizeof(kinds) / sizeof(*kinds))

static bool parse_value(struct change *c)
{
	switch (c->kind) {
	case CHANGE_ENABLED:
	case CHANGE_STACKS:
		return parse_flag(c->told.to, &c->on);
	case CHANGE_THRESHOLD:
		return setting_span(c->told.to, &c->least_ns);
	case CHANGE_PERIOD:
		return setting_period(c->told.to, &c->period);
	case CHANGE_THROTTLE:
		return setting_throttle(c->told.to, &c->throttle);
	default:
		return true;
	}
}

static int parse(struct change *c, struct jfrec_error *err)
{
	/* A + in front has `start` add what is not there. */
	char *event = c->text + (*c->text == '+');
	char *hash = strchr(event, '#'), *sign = hash ? strchr(hash, '=') : NULL;
	const char *wanted = NULL;

	if (!sign || hash == event || sign == hash + 1)
		return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
				  "%.100s is not EVENT#SETTING=VALUE", c->text);
	*hash = *sign = '\0';
	c->told.event = event;
	c->told.setting = hash + 1;
	c->told.to = sign + 1;
	c->kind = CHANGE_OTHER;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (strcmp(kinds[i].name, c->told.setting) == 0) {
			c->kind = kinds[i].kind;
			wanted = kinds[i].value;
		}
	}
	if (parse_value(c))
		return 0;
	return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET, "%.100s#%.40s is %s, and not %.80s",
			  c->told.event, c->told.setting, wanted,
			  *c->told.to ? c->told.to : "empty");
}

int change_init(struct change *c, const char *text, struct jfrec_error *err)
{
	*c = (struct change){ .text = strdup(text) };
	if (!c->text)
		return jfrec_fail_memory(err);
	if (parse(c, err) == 0)
		return 0;
	change_fini(c);
	return -1;
}

void change_fini(struct change *c)
{
	free(c->text);
	*c = (struct change){ 0 };
}

/* Types ---------------------------------------------------------------------------------------- */

bool change_is_for(const struct change *c, const struct jfrec_type *t)
{
	return t->is_event && list_has_event(c->told.event, t);
}

bool type_has_setting(const struct jfrec_type *t, const char *name)
{
	for (unsigned i = 0; i < t->setting_count; i++) {
		if (strcmp(t->settings[i].name, name) == 0)
			return true;
	}
	return false;
}

/* What is known of one type, or chunk, limits the change: the least certain counts. */
static void doubt(struct change *c, enum jfrec_certainty certainty, const char *why)
{
	if (certainty < c->told.certainty || (certainty == c->told.certainty && c->told.why))
		return;
	c->told.certainty = certainty;
	c->told.why = why;
}

static void note_value(struct change *c, const char *value)
{
	if (!value || c->had_several)
		return;
	if (c->told.from && strcmp(c->told.from, value) != 0) {
		c->told.from = NULL;
		c->had_several = true;
		return;
	}
	c->told.from = value;
}

/* Effects -------------------------------------------------------------------------------------- */

static void apply_enabled(struct change *c, const char *was, struct effect *e)
{
	if (!c->on)
		e->drops_all = true;
	else if (!was || strcmp(was, "true") != 0)
		doubt(c, JFREC_COST_UNKNOWN, "the event was off, so the recording has none of "
					     "them");
}

static void apply_threshold(struct change *c, const struct seen *s, const char *was,
			    struct effect *e)
{
	int64_t ns;

	if (c->least_ns > e->least_ns)
		e->least_ns = c->least_ns;
	if (!was || !setting_span(was, &ns))
		doubt(c, JFREC_COST_ESTIMATE, "the recording does not say which threshold it had");
	else if (c->least_ns < ns)
		doubt(c, JFREC_COST_UNKNOWN, "the recording has no events below its threshold");
	else if (c->least_ns > ns && s->rush >= REACHED)
		doubt(c, JFREC_COST_ESTIMATE,
		      "its throttle was reached, and would let more of the longer events pass");
}

/* How often in the chunk. */
static double occasions(const struct period *p, const struct seen *s)
{
	return p->ns ? (double)s->chunk_ns / (double)p->ns : p->a_chunk;
}

static void apply_period(struct change *c, const struct seen *s, const char *was, struct effect *e)
{
	struct period p;
	double ratio;

	if (!was || !setting_period(was, &p)) {
		doubt(c, JFREC_COST_UNKNOWN, "the recording does not say which period it had");
		return;
	}
	ratio = p.ns && c->period.ns ? (double)c->period.ns / (double)p.ns
				     : occasions(&p, s) / occasions(&c->period, s);
	if (ratio == 1)
		return;
	if (ratio > 1 && p.ns) {
		e->one_of = ratio;
		e->slot_ns = p.ns;
		doubt(c, JFREC_COST_ESTIMATE,
		      "fewer of its occurrences are counted");
	} else {
		e->times *= 1 / ratio;
		doubt(c, JFREC_COST_ESTIMATE, "in proportion, without additional constants");
	}
}

static void apply_stacks(struct change *c, const char *was, struct effect *e)
{
	if (!c->on)
		e->drops_stacks = true;
	else if (!was || strcmp(was, "true") != 0)
		doubt(c, JFREC_COST_UNKNOWN, "the recording has no stack traces of it");
}

static double rate(const struct throttle *t)
{
	return t->limit / (double)t->window_ns;
}

static void apply_throttle(struct change *c, const struct seen *s, const char *was,
			   struct effect *e)
{
	struct throttle old;

	if (!was || !setting_throttle(was, &old))
		doubt(c, JFREC_COST_UNKNOWN, "the recording does not say which rate it had");
	else if (rate(&c->throttle) < rate(&old)) {
		e->throttle = c->throttle;
		doubt(c, JFREC_COST_ESTIMATE, "a JVM drops other events than this estimate");
	} else if (rate(&c->throttle) > rate(&old) && s->rush >= REACHED)
		doubt(c, JFREC_COST_UNKNOWN, "the recording has none of the dropped events");
}

void change_apply(struct change *c, const struct seen *s, struct effect *e)
{
	const char *was = active_value(s->active, s->type->name, c->told.setting);

	note_value(c, was);
	switch (c->kind) {
	case CHANGE_ENABLED:
		apply_enabled(c, was, e);
		break;
	case CHANGE_THRESHOLD:
		apply_threshold(c, s, was, e);
		break;
	case CHANGE_PERIOD:
		apply_period(c, s, was, e);
		break;
	case CHANGE_STACKS:
		apply_stacks(c, was, e);
		break;
	case CHANGE_THROTTLE:
		apply_throttle(c, s, was, e);
		break;
	case CHANGE_OTHER:
		if (!was || strcmp(was, c->told.to) != 0)
			doubt(c, JFREC_COST_UNKNOWN,
			      "no recording shows the effect of this setting");
		break;
	}
}

/* Events --------------------------------------------------------------------------------------- */

/* Is that the first occasion of its group?  Groups have `one_of` of them, on average. */
static bool is_occasion(const struct effect *e, const struct effect_state *state, int64_t start_ns)
{
	double since = (double)start_ns - (double)state->origin_ns;
	double occasion = floor(since / (double)e->slot_ns + 0.5);

	return floor(occasion / e->one_of) != floor((occasion - 1) / e->one_of);
}

static bool passes_throttle(const struct throttle *t, struct effect_state *state, int64_t start_ns)
{
	uint64_t window = (uint64_t)(start_ns / t->window_ns);
	uint32_t *count = idmap_put(&state->windows, window, 0);

	return !count || (*count)++ < t->limit;
}

bool effect_keeps(const struct effect *e, struct effect_state *state, int64_t start_ns,
		  int64_t duration_ns)
{
	if (e->drops_all || duration_ns < e->least_ns)
		return false;
	if (e->one_of > 0 && !is_occasion(e, state, start_ns))
		return false;
	return e->throttle.limit == HUGE_VAL || passes_throttle(&e->throttle, state, start_ns);
}
