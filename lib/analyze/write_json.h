/* SPDX-License-Identifier: MIT */
/*
 * write_json.h - a finding as an object of JSON, and its commands
 */
#ifndef JFREC_ANALYZE_WRITE_JSON_H
#define JFREC_ANALYZE_WRITE_JSON_H

#include "base/out.h"
#include "jfrec/analyze.h"

/* The name of a unit: "ns", "bytesPerSecond". */
const char *measure_name(enum jfrec_unit m);

/* As jfrec_finding_write_json(). 0, or -1 when memory is gone. */
int finding_put_json(struct out *out, const struct jfrec_rule_finding *f,
		     const struct jfrec_finding_texts *texts);

#endif
