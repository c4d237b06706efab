/* SPDX-License-Identifier: MIT */
/*
 * collector.c - ask a JVM for the garbage collector that it runs with
 */
#include "jfr/collector.h"

#include <string.h>

#include "jfr/jfr.h"

/* The JDKs in which ZGC may have generations, has them unless told otherwise, and always has. */
#define JDK_THAT_MAY  21
#define JDK_THAT_DOES 23
#define JDK_THAT_MUST 24

/* Is that a whole word of the reply? */
static bool has_flag(const char *flags, const char *flag)
{
	size_t len = strlen(flag);

	for (const char *at = strstr(flags, flag); at; at = strstr(at + len, flag)) {
		if ((at == flags || strchr(" \n", at[-1])) && strchr(" \r\n", at[len]))
			return true;
	}
	return false;
}

bool collector_is_generational_zgc(const char *flags, int jdk)
{
	if (jdk < JDK_THAT_MAY || !has_flag(flags, "-XX:+UseZGC"))
		return false;
	if (jdk >= JDK_THAT_MUST)
		return true;
	return jdk >= JDK_THAT_DOES ? !has_flag(flags, "-XX:-ZGenerational")
				    : has_flag(flags, "-XX:+ZGenerational");
}

int jfrec_session_has_generational_zgc(struct jfrec_session *s, int jdk, struct jfrec_error *err)
{
	struct session_reply reply;
	int has;

	if (jdk < JDK_THAT_MAY)
		return 0;
	if (session_jcmd(s, "VM.flags", SESSION_TIMEOUT_MS, &reply, err) < 0)
		return -1;
	has = collector_is_generational_zgc(reply.text, jdk);
	session_reply_fini(&reply);
	return has;
}
