/* SPDX-License-Identifier: MIT */
/*
 * dictionary.c - look up what each JDK version can record
 */
#include "opts/dictionary.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"

/* There will hardly be more while this program is in use. */
#define MAX_JDK 99

int report_dictionary(const struct jfrec_error *err)
{
	if (err->code == JFREC_EOUTPUT)
		return report_write_failure(err->sys);
	fprintf(stderr, "jfrec: %s\n", err->text);
	return exit_of(err->code);
}

struct jfrec_dictionary *open_dictionary(int jdk)
{
	struct jfrec_error err;
	struct jfrec_dictionary *d = jfrec_dictionary_new(jdk, &err);

	if (!d)
		report_dictionary(&err);
	else if (jdk && jfrec_dictionary_jdk(d) != jdk)
		fprintf(stderr, "jfrec: JDK %d is unknown; using JDK %d\n", jdk,
			jfrec_dictionary_jdk(d));
	return d;
}

int take_jdk(const struct opt_given *g, void *to)
{
	int *jdk = to;
	char *end;
	long number = strtol(g->value, &end, 10);

	if (*jdk)
		return opt_refuse_again(g);
	if (*end || end == g->value || number < 1 || number > MAX_JDK)
		return report_usage(g->command, "--jdk %s: use a version such as 17", g->value);
	*jdk = (int)number;
	return EXIT_DONE;
}

const char *jdk_range(const struct jfrec_dictionary *d, uint32_t presence, char to[JDK_RANGE_MAX])
{
	size_t count = jfrec_dictionary_jdk_count(d), len;

	len = (size_t)snprintf(to, JDK_RANGE_MAX, "JDK");
	for (size_t i = 0, last; i < count; i = last + 1) {
		last = i;
		if (!(presence >> i & 1))
			continue;
		while (last + 1 < count && presence >> (last + 1) & 1)
			last++;
		len += (size_t)snprintf(to + len, JDK_RANGE_MAX - len, "%s %d", len > 3 ? "," : "",
					jfrec_dictionary_jdk_get(d, i));
		if (last + 1 == count)
			snprintf(to + len, JDK_RANGE_MAX - len, " and later");
		else if (last > i)
			len += (size_t)snprintf(to + len, JDK_RANGE_MAX - len, " to %d",
						jfrec_dictionary_jdk_get(d, last));
	}
	return presence ? to : "no JDK";
}

static const char prefix[] = "jdk.";

char *setting_key(const char *key, size_t len)
{
	size_t plus = key[0] == '+', name = strcspn(key + plus, "#");
	struct jfrec_dictionary *d;
	char *full;

	if (plus + name >= len || memchr(key + plus, '.', name))
		return strndup(key, len);
	if (asprintf(&full, "%s%.*s", prefix, (int)name, key + plus) < 0)
		return NULL;
	d = open_dictionary(0);
	if (!d || !jfrec_dictionary_presence(d, full, JFREC_PART_TYPE, NULL)) {
		free(full);
		full = strndup(key, len);
	} else {
		free(full);
		if (asprintf(&full, "%s%s%.*s", plus ? "+" : "", prefix, (int)(len - plus),
			     key + plus) < 0)
			full = NULL;
	}
	jfrec_dictionary_free(d);
	return full;
}
