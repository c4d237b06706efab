/* SPDX-License-Identifier: MIT */
/*
 * lease.c - a recording in a JVM that ends when this process does
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock_now.h"
#include "base/error.h"
#include "base/options.h"
#include "jfrec-tool.h"

/* How long a recording lasts without us; it is renewed after half of that. */
#define LEASE_S 600

/* After a failure. */
#define RETRY_S 20

/* What the JVM keeps of it: some chunks, of at most 12 MB each. */
#define MAX_SIZE "100m"

struct jfrec_lease {
	struct jfrec_session *session;
	struct jfrec_jfr_start_options start;
	struct jfrec_jfr_option *options; /* those of .start */
	char duration[16];
	struct jfrec_jfr_started *started;
	bool has_ended;
	int64_t renew_at_ns; /* monotonic */
	int64_t end_at_ns;   /* the same; 0: with this process */
};

static bool has_option(const struct jfrec_jfr_start_options *o, const char *key)
{
	size_t i = 0;

	while (i < o->count && strcmp(o->options[i].key, key) != 0)
		i++;
	return i < o->count;
}

static int take_options(struct jfrec_lease *l, const struct jfrec_jfr_start_options *given,
			struct jfrec_error *err)
{
	struct jfrec_jfr_start_options *o = &l->start;
	bool has_size;

	if (options_take(o, sizeof(*o), given, err) < 0)
		return -1;
	l->options = calloc(o->count + 2, sizeof(*l->options));
	if (!l->options)
		return jfrec_fail_memory(err);
	if (o->count)
		memcpy(l->options, o->options, o->count * sizeof(*l->options));
	snprintf(l->duration, sizeof(l->duration), "%ds", LEASE_S);
	has_size = has_option(o, "maxsize");
	l->options[o->count++] = (struct jfrec_jfr_option){ "duration", l->duration };
	if (!has_size)
		l->options[o->count++] = (struct jfrec_jfr_option){ "maxsize", MAX_SIZE };
	o->struct_size = sizeof(*o);
	o->options = l->options;
	o->only_for_session = true;
	return 0;
}

static struct jfrec_jfr_started *start(struct jfrec_lease *l, struct jfrec_error *err)
{
	l->renew_at_ns = monotonic_now_ns() + LEASE_S / 2 * NS_PER_SECOND;
	return jfrec_jfr_start(l->session, &l->start, err);
}

static void lease_free(struct jfrec_lease *l)
{
	jfrec_jfr_started_free(l->started);
	free(l->options);
	free(l);
}

struct jfrec_lease *jfrec_lease_begin(struct jfrec_session *s,
				      const struct jfrec_jfr_start_options *options,
				      struct jfrec_error *err)
{
	struct jfrec_lease *l = calloc(1, sizeof(*l));

	if (!l) {
		jfrec_fail_memory(err);
		return NULL;
	}
	l->session = s;
	if (take_options(l, options, err) == 0 && (l->started = start(l, err)))
		return l;
	lease_free(l);
	return NULL;
}

const char *jfrec_lease_warnings(const struct jfrec_lease *l)
{
	return l->started->warnings;
}

void jfrec_lease_end_after(struct jfrec_lease *l, int64_t ns)
{
	l->end_at_ns = monotonic_now_ns() + ns;
}

/* That it ended with its JVM is as good. */
static int stop(struct jfrec_lease *l, struct jfrec_error *err)
{
	struct jfrec_error why = { 0 };

	if (l->has_ended)
		return 0;
	l->has_ended = true;
	if (jfrec_jfr_stop_leased(l->session, l->started, &why) == 0 || why.code == JFREC_EDIED ||
	    why.code == JFREC_ENOJVM)
		return 0;
	if (err)
		*err = why;
	return -1;
}

/* Begin the next one, and end this one. */
static int renew(struct jfrec_lease *l, struct jfrec_error *err)
{
	struct jfrec_jfr_started *next = start(l, err);
	int ret;

	if (!next) {
		l->renew_at_ns = monotonic_now_ns() + RETRY_S * NS_PER_SECOND;
		return -1;
	}
	ret = jfrec_jfr_stop_leased(l->session, l->started, err);
	jfrec_jfr_started_free(l->started);
	l->started = next;
	return ret;
}

int jfrec_lease_renew(struct jfrec_lease *l, struct jfrec_error *err)
{
	int64_t now = monotonic_now_ns();

	if (l->has_ended)
		return 0;
	if (l->end_at_ns && now >= l->end_at_ns)
		return stop(l, err);
	return now >= l->renew_at_ns ? renew(l, err) : 0;
}

int jfrec_lease_end(struct jfrec_lease *l, struct jfrec_error *err)
{
	int ret;

	if (!l)
		return 0;
	ret = stop(l, err);
	lease_free(l);
	return ret;
}
