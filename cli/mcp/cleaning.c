/* SPDX-License-Identifier: MIT */
/*
 * cleaning.c - texts of JVMs, without secrets
 */
#include "mcp/cleaning.h"

#include <errno.h>
#include <unistd.h>

#include "base/command.h"
#include "jfrec-tool.h"

static int write_to(void *ctx, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(*(const int *)ctx, at, len);

		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int nothing_more(void *ctx, uint64_t redacted)
{
	(void)ctx;
	(void)redacted;
	return 0;
}

int cleaning_run(const struct grown_text texts[ERRAND_TEXTS], unsigned first, unsigned count,
		 const char *salt)
{
	static int to[ERRAND_TEXTS] = { STDOUT_FILENO, STDERR_FILENO, ERRAND_DOCUMENT_FD };
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	struct jfrec_secret_text given[ERRAND_TEXTS];

	if (!rules || jfrec_scrub_rules_add(rules, "default", NULL) < 0 ||
	    jfrec_scrub_rules_salt(rules, salt, NULL) < 0)
		return EXIT_FAILED;
	for (unsigned i = 0; i < ERRAND_TEXTS; i++)
		given[i] = (struct jfrec_secret_text){ .bytes = texts[i].bytes,
						       .len = texts[i].len,
						       .write = write_to,
						       .done = nothing_more,
						       .ctx = &to[i] };
	return jfrec_scrub_texts(rules, given + first, count, NULL) == 0 ? EXIT_DONE : EXIT_FAILED;
}
