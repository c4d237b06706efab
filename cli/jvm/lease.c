/* SPDX-License-Identifier: MIT */
/*
 * lease.c - have a JVM record with the caller's settings until this process ends
 */
#include "jvm/lease.h"

#include "base/report.h"
#include "jfrec-tool.h"

static void say_warnings(const struct lease *l)
{
	const char *warnings = jfrec_lease_warnings(l->recording);

	if (!warnings)
		return;
	fprintf(stderr, "jfrec: process %d: ", l->pid);
	put_name(stderr, warnings);
	fputc('\n', stderr);
}

static int begin(struct lease *l)
{
	const struct jfrec_jfr_start_options o = {
		.struct_size = sizeof(o),
		.options = l->settings.options,
		.count = l->settings.count,
		.settings = l->settings.files,
		.settings_count = l->settings.file_count,
	};
	struct jfrec_error err;

	l->recording = jfrec_lease_begin(l->session, &o, &err);
	if (!l->recording)
		return report_jvm_failure(l->pid, &err);
	say_warnings(l);
	return EXIT_DONE;
}

int lease_begin(struct lease *l, const struct jfrec_jvm *jvm, const struct attach_opts *attach,
		const struct jfr_opts *args)
{
	struct jfrec_error err;
	int status;

	*l = (struct lease){ .pid = jvm->pid };
	l->session = attach_opts_open(attach, jvm, &err);
	if (!l->session)
		return report_jvm_failure(jvm->pid, &err);
	status = jvm_settings_prepare(l->session, jvm, attach->trace, args, &l->settings);
	return status == EXIT_DONE ? begin(l) : status;
}

void lease_end_after(struct lease *l, int64_t ns)
{
	jfrec_lease_end_after(l->recording, ns);
}

void lease_renew(struct lease *l)
{
	struct jfrec_error err;

	if (l->recording && jfrec_lease_renew(l->recording, &err) < 0)
		report_jvm_failure(l->pid, &err);
}

void lease_end(struct lease *l)
{
	struct jfrec_error err;

	if (jfrec_lease_end(l->recording, &err) < 0)
		report_jvm_failure(l->pid, &err);
	l->recording = NULL;
	jvm_settings_fini(&l->settings);
	jfrec_session_close(l->session);
	l->session = NULL;
}
