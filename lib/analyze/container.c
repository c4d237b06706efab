/* SPDX-License-Identifier: MIT */
/*
 * container.c - what the rules for containers share
 */
#include "analyze/container.h"

bool container_is_unseen(struct judging *j, const char *type)
{
	double period = (double)type_period_ns(j, type);

	if (type_count(j, type))
		return false;
	if (!j->facts->has_container)
		not_for_this_jvm(j, "The JVM runs in no container, or does not see that it does");
	else if (period > 0)
		too_few(j, "%s comes each %s; none came in %s", type, span_text(j, period),
			span_text(j, (double)recorded_ns(j)));
	else
		none_came(j, "%s was on, but none came", type);
	return true;
}

double quota_cpus(const struct judging *j)
{
	const struct facts *f = j->facts;

	return f->cpu_quota_ns > 0 && f->cpu_period_ns > 0
		       ? (double)f->cpu_quota_ns / (double)f->cpu_period_ns
		       : 0;
}
