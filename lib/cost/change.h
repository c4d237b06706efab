/* SPDX-License-Identifier: MIT */
/*
 * change.h - apply trial settings, and find the events that would stay
 */
#ifndef JFREC_COST_CHANGE_H
#define JFREC_COST_CHANGE_H

#include <math.h>

#include "cost/active.h"
#include "format/event_time.h"
#include "jfrec-tool.h"

enum change_kind {
	CHANGE_ENABLED,
	CHANGE_THRESHOLD,
	CHANGE_PERIOD,
	CHANGE_STACKS,
	CHANGE_THROTTLE,
	CHANGE_OTHER, /* what it does cannot be seen in a recording */
};

/* How often a periodic event is made: after so much time, or at the ends of chunks. */
struct period {
	int64_t ns;	  /* or 0 */
	unsigned a_chunk; /* times for each chunk, if ns is 0 */
};

/* At most so many events in so much time. */
struct throttle {
	double limit; /* HUGE_VAL: off */
	int64_t window_ns;
};

struct change {
	struct jfrec_cost_change told;
	char *text; /* "EVENT#SETTING=VALUE", cut into its parts */
	enum change_kind kind;
	bool on;	  /* of ENABLED and STACKS */
	int64_t least_ns; /* of THRESHOLD */
	struct period period;
	struct throttle throttle;
	bool found_event, found_setting;
	bool had_several; /* values until now */
};

/* Cut and parse it.  0, or -1 with *err set (JFREC_EINVAL, JFREC_ENOMEM) and nothing to free. */
int change_init(struct change *c, const char *text, struct jfrec_error *err);
void change_fini(struct change *c);

/* Is it for events of that type? */
bool change_is_for(const struct change *c, const struct jfrec_type *t);

bool type_has_setting(const struct jfrec_type *t, const char *name);

/* Values as the JVM writes them.  False if the text is none. */
bool setting_span(const char *text, int64_t *ns);
bool setting_period(const char *text, struct period *p);
bool setting_throttle(const char *text, struct throttle *t);

/* What is known of the events of a type in a chunk. */
struct seen {
	const struct active *active;
	const struct jfrec_type *type;
	int64_t chunk_ns;
	double rush; /* the most events in a window of its throttle, by the limit; 0: none */
};

/* What is to become of the events of one type. */
struct effect {
	bool drops_all, drops_stacks;
	int64_t least_ns;
	/* Of so many times at which they are made, `slot_ns` apart, one stays; 0: all. */
	double one_of;
	int64_t slot_ns;
	double times; /* as many events as recorded */
	struct throttle throttle;
};

#define EFFECT_NONE \
	((struct effect){ .least_ns = INT64_MIN, .times = 1, .throttle = { .limit = HUGE_VAL } })

/* Note what the change does to events of that type, and how certain that is. */
void change_apply(struct change *c, const struct seen *s, struct effect *e);

/* What events of the type were made up to now, in one walk. */
struct effect_state {
	int64_t origin_ns;    /* when the first one was made, in the recording */
	struct idmap windows; /* of time: events in them */
};

/* Does the event stay? */
bool effect_keeps(const struct effect *e, struct effect_state *state, int64_t start_ns,
		  int64_t duration_ns);

#endif
