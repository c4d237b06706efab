/* SPDX-License-Identifier: MIT */
/* version.c - is the library as new as the headers that a program was compiled with? */
#include <stdio.h>

#include <jfrec/base.h>

static int check(struct jfrec_error *err)
{
	unsigned running = jfrec_version_number();

	if (running >= JFREC_VERSION_NUMBER)
		return 0;
	return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
			  "libjfrec is of version %s, but %d.%d.%d or later is needed",
			  jfrec_version(), JFREC_VERSION_MAJOR, JFREC_VERSION_MINOR,
			  JFREC_VERSION_PATCH);
}

int main(void)
{
	struct jfrec_error err = { 0 };

	if (check(&err) < 0) {
		fprintf(stderr, "version: %s\n", err.text);
		return 1;
	}
	printf("libjfrec %s\n", jfrec_version());
	return 0;
}
