/* SPDX-License-Identifier: MIT */
/*
 * confine.c - drop every privilege that reading recordings does not need
 *
 * Three parts, each by itself: the kernel may have any of them, and a container may forbid any.
 * Files come first, since capabilities may be needed to find them; the filter of calls comes
 * last, since it allows none of this.
 */
#include "base/confine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/confine_parts.h"
#include "base/sanitized.h"

static struct confine_paths paths;
static bool is_confined, is_told;

static void push(const char ***list, size_t *count, const char *path)
{
	const char **more;

	if (!path || strcmp(path, "-") == 0)
		return;
	more = realloc(*list, (*count + 1) * sizeof(*more));
	if (!more)
		return; /* it cannot be opened then, which is reported */
	more[(*count)++] = path;
	*list = more;
}

void confine_reads(const char *path)
{
	push(&paths.reads, &paths.read_count, path);
}

void confine_writes(const char *path)
{
	push(&paths.writes, &paths.write_count, path);
}

void confine_tell(void)
{
	is_told = true;
}

/* What the kernel has, and what it lacks. */
static void tell(int calls, int landlock, int capabilities)
{
	if (!is_told)
		return;
	if (IS_SANITIZED) {
		fputs("jfrec: not confined: sanitizers need more rights\n", stderr);
		return;
	}
	if (calls)
		fprintf(stderr, "jfrec: system calls are not restricted: no seccomp filter: %s\n",
			strerror(calls));
	else
		fputs("jfrec: system calls are restricted by a seccomp filter\n", stderr);
	if (landlock)
		fprintf(stderr, "jfrec: files are restricted by Landlock, version %d\n", landlock);
	else
		fputs("jfrec: files are not restricted: this kernel has no Landlock (Linux 5.13 or "
		      "later), or does not have it enabled\n",
		      stderr);
	if (capabilities)
		fprintf(stderr, "jfrec: capabilities could not be dropped: %s\n",
			strerror(capabilities));
	else
		fputs("jfrec: capabilities that this does not need were dropped\n", stderr);
}

bool confine(enum confinement how)
{
	int landlock = 0, capabilities = EPERM, calls = EPERM;

	if (is_confined)
		return true;
	if (!IS_SANITIZED && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
		landlock = confine_files(how, &paths);
		capabilities = confine_capabilities(how, &paths);
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
		calls = confine_calls(how);
	}
	is_confined = calls == 0;
	tell(calls, landlock, capabilities);
	free(paths.reads);
	free(paths.writes);
	paths = (struct confine_paths){ 0 };
	return is_confined;
}
