/* SPDX-License-Identifier: MIT */
/*
 * places.h - where the report shows what a finding is about
 */
#ifndef JFREC_REPORT_PLACES_H
#define JFREC_REPORT_PLACES_H

#include "report/report.h"

struct finding_place {
	size_t table; /* that of the view that the finding names; table_count: none */
	const char *profile; /* the name of its kind, "lock"; NULL: none has to do with it */
};

/* The table and the profile of a JVM that show what a finding is about, if the report has them. */
struct finding_place report_finding_place(struct jfrec_report *r, size_t jvm,
					  const struct jfrec_rule_finding *f);

/* The profile of the first finding that has one, of all JVMs; NULL: none has. *jvm is whose. */
const char *report_first_profile(struct jfrec_report *r, size_t *jvm);

#endif
