/* SPDX-License-Identifier: MIT */
/*
 * lighter.c - settings that record less: only some events, and only long ones
 *
 * usage: lighter FILE.jfc|FILE.yaml THRESHOLD EVENT...
 *
 * Writes a .jfc file for -XX:StartFlightRecording:settings=.
 */
#include <stdio.h>
#include <string.h>

#include <jfrec/settings.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

/* The events to keep, up to NULL. */
static bool is_kept(void *ctx, const char *event, const char *setting)
{
	char **kept = ctx;

	(void)setting;
	while (*kept && strcmp(*kept, event) != 0)
		kept++;
	return *kept;
}

static int raise_thresholds(struct jfrec_settings *s, char **events, const char *threshold,
			    struct jfrec_error *err)
{
	for (; *events; events++)
		if (jfrec_settings_value(s, *events, "threshold") &&
		    jfrec_settings_put(s, *events, "threshold", threshold, err) < 0)
			return -1;
	return 0;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: lighter FILE THRESHOLD EVENT..." };
	struct jfrec_settings *s = argc > 3 ? jfrec_settings_read(argv[1], &err) : NULL;
	int ret = -1;

	if (s) {
		jfrec_settings_restrict(s, is_kept, argv + 3);
		ret = raise_thresholds(s, argv + 3, argv[2], &err);
	}
	if (ret == 0)
		ret = jfrec_settings_write(s, JFREC_SETTINGS_JFC, print, stdout, &err);
	if (ret < 0)
		fprintf(stderr, "lighter: %s\n", err.text);
	jfrec_settings_free(s);
	return ret < 0;
}
