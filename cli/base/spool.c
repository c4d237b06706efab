/* SPDX-License-Identifier: MIT */
/*
 * spool.c - how much of a pipe that is to be read twice may be stored: --max-spool
 */
#include "base/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/human.h"
#include "base/report.h"
#include "jfrec-tool.h"

/* As the library has it. */
#define USUAL (UINT64_C(4) << 30)

static uint64_t wanted; /* by the option; 0: the usual */

static int take_most(const struct opt_given *g, void *to)
{
	(void)to;
	return jfrec_parse_size(g->value, &wanted) ? EXIT_DONE
						   : opt_refuse(g, "a size such as 500M or 8G");
}

/* clang-format off */
const struct opt spool_rows[] = {
	OPT_CALL_ALL(0, "max-spool", "SIZE", "store at most SIZE of a pipe on disk (default: 4G)", take_most, NULL),
	{ 0 },
};
/* clang-format on */

uint64_t spool_most(void)
{
	return wanted;
}

/* Overlays before Linux 6.1 have no unnamed files, for example. */
static bool has_unnamed(const char *directory)
{
	int fd = open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool spool_needs_names(const char *path)
{
	struct stat st;
	int got = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st);

	return got == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)) &&
	       !has_unnamed("/var/tmp") && !has_unnamed("/tmp");
}

const char *spool_sentence(const struct jfrec_error *err)
{
	static char text[200];
	char size[HUMAN_MAX];

	if (err->code != JFREC_EIO || err->sys != EFBIG)
		return NULL;
	snprintf(
		text, sizeof(text),
		"is to be read twice, and has more than %s, the limit of what is stored of a pipe; "
		"allow more with --max-spool SIZE, or write it to a file and name that",
		human_bytes(size, (double)(wanted ? wanted : USUAL)));
	return text;
}
