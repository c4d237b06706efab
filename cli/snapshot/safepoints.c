/* SPDX-License-Identifier: MIT */
/*
 * safepoints.c - how long a JVM stood still, by its performance counters
 *
 * sun.rt.safepoints counts them; sun.rt.safepointTime is in ticks of sun.os.hrt.frequency, from the
 * request that threads stop to when they go on.  JDK 8 to 28 have them, as long as -XX:-UsePerfData
 * is not given.
 */
#include "snapshot/safepoints.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_stream(void *to, const void *data, size_t len)
{
	return fwrite(data, 1, len, to) == len ? 0 : ENOMEM;
}

/* The number in the line "name=4711"; false if there is none. */
static bool find(const char *text, const char *name, uint64_t *n)
{
	size_t len = strlen(name);
	const char *at = text;

	while ((at = strstr(at, name)) != NULL) {
		if ((at == text || at[-1] == '\n') && at[len] == '=')
			return sscanf(at + len + 1, "%" SCNu64, n) == 1;
		at += len;
	}
	return false;
}

void safepoints_read(struct safepoints *s, const struct jfrec_jvm *jvm)
{
	uint64_t ticks, frequency;
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);

	*s = (struct safepoints){ 0 };
	if (!to)
		return;
	s->is_known = jfrec_jvm_counters(jvm, write_stream, to, NULL) == 0;
	fclose(to);
	if (s->is_known)
		s->is_known = find(text, "sun.rt.safepoints", &s->count) &&
			      find(text, "sun.rt.safepointTime", &ticks) &&
			      find(text, "sun.os.hrt.frequency", &frequency) && frequency;
	if (s->is_known)
		s->seconds = (double)ticks / (double)frequency;
	free(text);
}
