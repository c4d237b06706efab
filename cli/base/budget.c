/* SPDX-License-Identifier: MIT */
/*
 * budget.c - the memory limit of commands that read recordings: --max-memory
 */
#include "base/budget.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/heap.h"
#include "base/own_limits.h"
#include "base/report.h"
#include "base/sanitized.h"
#include "jfrec-tool.h"

#define MB (UINT64_C(1) << 20)

/* Less does not hold what reading any recording takes. */
#define LEAST (16 * MB)

/* The default is not less than this: what jfrec(1) states for hostile input fits. */
#define LEAST_DEFAULT (256 * MB)

/* Code, libraries and unused parts of stacks, which are not data. */
#define PROGRAM (512 * MB)

static uint64_t wanted; /* by the option; 0: the default */
static uint64_t in_force; /* 0: none */
static struct rlimit before;

static int take_budget(const struct opt_given *g, void *to)
{
	(void)to;
	return jfrec_parse_size(g->value, &wanted) && wanted >= LEAST
		       ? EXIT_DONE
		       : opt_refuse(g, "a size from 16M on, such as 512M or 2G");
}

/* clang-format off */
const struct opt memory_rows[] = {
	OPT_CALL_ALL(0, "max-memory", "SIZE", "memory limit (default: a quarter of the memory)", take_budget, NULL),
	{ 0 },
};
/* clang-format on */

static uint64_t usual(void)
{
	uint64_t quarter = own_memory() / 4;

	return quarter > LEAST_DEFAULT ? quarter : LEAST_DEFAULT;
}

/* The limit ------------------------------------------------------------------------------------ */

void budget_begin(void)
{
	static bool has_begun;
	struct rlimit limit;
	uint64_t bytes;

	if (has_begun || IS_SANITIZED || getrlimit(RLIMIT_DATA, &before) < 0)
		return;
	has_begun = true;
	bytes = wanted ? wanted : usual();
	heap_begin(bytes);
	limit = before;
	if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur <= bytes)
		return;
	limit.rlim_cur = bytes;
	if (setrlimit(RLIMIT_DATA, &limit) == 0)
		in_force = bytes;
}

void budget_end(void)
{
	if (in_force)
		setrlimit(RLIMIT_DATA, &before);
}

void budget_harden(uint64_t mapped)
{
	struct rlimit data = { in_force, in_force };
	struct rlimit all = { in_force + mapped + PROGRAM, in_force + mapped + PROGRAM };

	if (!in_force)
		return;
	setrlimit(RLIMIT_DATA, &data);
	setrlimit(RLIMIT_AS, &all);
}

uint64_t budget_bytes(void)
{
	return in_force;
}

const char *budget_sentence(void)
{
	static char text[160];

	if (!in_force)
		return "out of memory";
	snprintf(text, sizeof(text),
		 "this needs more than %" PRIu64 " MiB of memory, the limit; if you trust the "
					  "input, allow more with --max-memory",
		 in_force / MB);
	return text;
}
