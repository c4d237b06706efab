/* SPDX-License-Identifier: MIT */
/*
 * rules.c - the table of all rules
 */
#include "analyze/rules.h"

#include <stddef.h>

#define ROW(name) &rule_##name,

const struct rule *const all_rules[] = { RULES(ROW) NULL };
