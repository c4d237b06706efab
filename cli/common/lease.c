/* SPDX-License-Identifier: MIT */
/*
 * lease.c - a recording in a JVM that ends when this process does
 */
#include "common/lease.h"

#include <string.h>

#include "common/clock_now.h"
#include "common/report.h"

/* How long a recording lasts without us; it is renewed after the half of that. */
#define LEASE_S 600

/* After a failure. */
#define RETRY_S 20

/* What the JVM keeps of it: some chunks, of at most 12 MB each. */
#define MAX_SIZE "100m"

static int start(struct lease *l, struct jfrec_jfr_started *started, struct jfrec_error *err)
{
	struct jfrec_jfr_option options[JFR_OPTS_MAX + 2];
	struct jfrec_jfr_start_options o = {
		.struct_size = sizeof(o),
		.options = options,
		.count = l->settings.count,
		.settings = l->settings.files,
		.settings_count = l->settings.file_count,
		.only_for_session = true,
	};
	char duration[16];

	memcpy(options, l->settings.options, l->settings.count * sizeof(*options));
	snprintf(duration, sizeof(duration), "%ds", LEASE_S);
	options[o.count++] = (struct jfrec_jfr_option){ "duration", duration };
	if (!l->has_size)
		options[o.count++] = (struct jfrec_jfr_option){ "maxsize", MAX_SIZE };
	l->renew_at_ns = monotonic_now_ns() + LEASE_S / 2 * NS_PER_SECOND;
	return jfrec_jfr_start(l->session, &o, started, err);
}

static void say_warnings(const struct lease *l)
{
	if (!l->started.warnings)
		return;
	fprintf(stderr, "jfrec: process %d: ", l->pid);
	put_name(stderr, l->started.warnings);
	fputc('\n', stderr);
}

int lease_begin(struct lease *l, const struct jfrec_jvm *jvm, const struct attach_opts *attach,
		const struct jfr_opts *args)
{
	const struct for_each_jvm each = { .attach = *attach };
	struct jfrec_error err;
	int status;

	*l = (struct lease){ .pid = jvm->pid, .has_size = jfr_opts_get(args, "maxsize") };
	l->session = attach_opts_open(attach, jvm, &err);
	if (!l->session)
		return report_jvm_failure(jvm->pid, &err);
	status = jvm_settings_prepare(&(struct each_jvm){ .each = &each,
							  .jvm = jvm,
							  .session = l->session },
				      args, &l->settings);
	if (status == EXIT_DONE && start(l, &l->started, &err) == 0) {
		say_warnings(l);
		return EXIT_DONE;
	}
	if (status == EXIT_DONE)
		status = report_jvm_failure(jvm->pid, &err);
	jfrec_session_close(l->session);
	l->session = NULL;
	return status;
}

void lease_end_after(struct lease *l, int64_t ns)
{
	l->end_at_ns = monotonic_now_ns() + ns;
}

/* Begin the next one, and end this one. */
static void renew(struct lease *l)
{
	struct jfrec_jfr_started next = { 0 };
	struct jfrec_error err;

	if (start(l, &next, &err) < 0) {
		report_jvm_failure(l->pid, &err);
		l->renew_at_ns = monotonic_now_ns() + RETRY_S * NS_PER_SECOND;
		return;
	}
	if (jfrec_jfr_stop_leased(l->session, &l->started, &err) < 0)
		report_jvm_failure(l->pid, &err);
	jfrec_jfr_started_fini(&l->started);
	l->started = next;
}

void lease_renew(struct lease *l)
{
	int64_t now = monotonic_now_ns();

	if (!l->session)
		return;
	if (l->end_at_ns && now >= l->end_at_ns)
		lease_end(l);
	else if (now >= l->renew_at_ns)
		renew(l);
}

void lease_end(struct lease *l)
{
	struct jfrec_error err;

	jvm_settings_fini(&l->settings);
	if (!l->session)
		return;
	if (jfrec_jfr_stop_leased(l->session, &l->started, &err) < 0 && err.code != JFREC_EDIED &&
	    err.code != JFREC_ENOJVM)
		report_jvm_failure(l->pid, &err);
	jfrec_jfr_started_fini(&l->started);
	jfrec_session_close(l->session);
	l->session = NULL;
}
