/* SPDX-License-Identifier: MIT */
/*
 * jvms.c - the JVMs of this host, and whether they could be asked something
 *
 * usage: jvms [TARGET]
 *
 * TARGET is a pid, or a part of the main class or the command.
 */
#include <stdio.h>

#include <jfrec/jvm.h>

int main(int argc, char **argv)
{
	struct jfrec_error err = { 0 };
	struct jfrec_jvm_query q = { .struct_size = sizeof(q),
				     .target = argc > 1 ? argv[1] : NULL };
	struct jfrec_jvms *jvms = jfrec_jvms_find(&q, &err);
	const struct jfrec_jvm *jvm;

	if (!jvms) {
		fprintf(stderr, "jvms: %s\n", err.text);
		return 1;
	}
	for (size_t i = 0; (jvm = jfrec_jvms_get(jvms, i)) != NULL; i++)
		printf("%d  JDK %d  %s  %s\n", jvm->pid, jvm->jdk, jvm->main,
		       jvm->attachable ? "attachable" : jvm->reason);
	jfrec_jvms_free(jvms);
	return 0;
}
