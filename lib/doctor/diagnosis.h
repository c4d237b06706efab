/* SPDX-License-Identifier: MIT */
/*
 * diagnosis.h - collect findings in a growing list
 *
 * The list remembers that memory ran out, so callers need not check.
 */
#ifndef JFREC_DOCTOR_DIAGNOSIS_H
#define JFREC_DOCTOR_DIAGNOSIS_H

#include "jfrec-tool.h"

/* Add a finding that nothing fails for: OK, NOTE or UNKNOWN. check: a literal. */
void diagnosis_add(struct jfrec_diagnosis *d, const char *check, enum jfrec_finding_state state,
		   const char *format, ...) __attribute__((format(printf, 4, 5)));

/*
 * Add what is wrong.  Of a sentence "what is wrong; what to do about it" the second part
 * becomes the remedy.
 */
void diagnosis_fail(struct jfrec_diagnosis *d, const char *check, const struct jfrec_error *why);

/* How to fix what was added last. */
void diagnosis_mend(struct jfrec_diagnosis *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* 0, or -1 with *err set (JFREC_ENOMEM) if something could not be kept. */
int diagnosis_check(const struct jfrec_diagnosis *d, struct jfrec_error *err);

#endif
