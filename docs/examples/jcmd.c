/* SPDX-License-Identifier: MIT */
/*
 * jcmd.c - run a diagnostic command in a JVM, such as Thread.print
 *
 * usage: jcmd PID COMMAND
 *
 * All of it takes five seconds at most.
 */
#include <stdio.h>

#include <jfrec/session.h>

static int print(void *ctx, const void *data, size_t len)
{
	return fwrite(data, 1, len, ctx) == len ? 0 : ferror(ctx);
}

static void print_step(void *ctx, const char *step)
{
	fprintf(ctx, "jcmd: %s\n", step);
}

static int ask(const struct jfrec_jvm *jvm, const char *command, struct jfrec_error *err)
{
	struct jfrec_session_options o = {
		.struct_size = sizeof(o),
		.whole_timeout_ms = 5000,
		.warn = print_step,
		.warn_ctx = stderr,
	};
	struct jfrec_session *s = jfrec_session_open(jvm, &o, err);
	char *refusal = NULL;
	int ret = s ? jfrec_session_jcmd(s, command, print, stdout, &refusal, err) : -1;

	if (refusal)
		fputs(refusal, stderr);
	jfrec_free(refusal);
	jfrec_session_close(s);
	return ret;
}

int main(int argc, char **argv)
{
	struct jfrec_error err = { .text = "usage: jcmd PID COMMAND" };
	struct jfrec_jvm_query q = { .struct_size = sizeof(q), .target = argv[1] };
	struct jfrec_jvms *jvms = argc == 3 ? jfrec_jvms_find(&q, &err) : NULL;
	const struct jfrec_jvm *jvm = jvms ? jfrec_jvms_get(jvms, 0) : NULL;
	int ret = -1;

	if (jvm)
		ret = ask(jvm, argv[2], &err);
	else if (jvms)
		jfrec_fail(&err, JFREC_ENOJVM, JFREC_NO_OFFSET, "no JVM matches %s", argv[1]);
	if (ret < 0)
		fprintf(stderr, "jcmd: %s\n", err.text);
	jfrec_jvms_free(jvms);
	return ret < 0;
}
