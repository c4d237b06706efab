/* SPDX-License-Identifier: MIT */
/*
 * values.c - values of options that are numbers, sizes and durations
 */
#include "base/values.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/opt.h"
#include "base/report.h"
#include "jfrec-tool.h"

bool parse_count(const char *text, uint64_t *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	return !errno && *text >= '0' && *text <= '9' && !*end && *value > 0;
}

int opt_take_count(const struct opt_given *g, void *to)
{
	return parse_count(g->value, to) ? EXIT_DONE : opt_refuse(g, "a number from 1 on");
}

bool opt_is_number(const struct opt_given *g, unsigned *number)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(g->value, &end, 10);
	if (*end || end == g->value || errno || n < 0 || n > INT_MAX)
		return false;
	*number = (unsigned)n;
	return true;
}

int opt_take_number(const struct opt_given *g, void *to)
{
	return opt_is_number(g, to) ? EXIT_DONE : opt_refuse(g, "a number from 0 on");
}

int opt_take_size(const struct opt_given *g, void *to)
{
	return jfrec_parse_size(g->value, to)
		       ? EXIT_DONE
		       : report_usage(g->command, "invalid size %s; use for example 500M or 2G",
				      g->value);
}

int opt_take_duration(const struct opt_given *g, void *to)
{
	return jfrec_parse_duration(g->value, to)
		       ? EXIT_DONE
		       : report_usage(g->command,
				      "invalid duration %s; use for example 10m or 2h",
				      g->value);
}
