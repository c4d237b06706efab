/* SPDX-License-Identifier: MIT */
/*
 * reply_lines.c - print the reply to a diagnostic command, line by line
 */
#include "jvm/reply_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

static int write_stream(void *to, const void *data, size_t len)
{
	return fwrite(data, 1, len, to) == len ? 0 : ENOMEM;
}

static int fail(const struct each_jvm *j, char *refusal, const struct jfrec_error *err)
{
	if (!refusal)
		return for_each_jvm_fail(j, err);
	refusal[strcspn(refusal, "\n")] = '\0';
	fprintf(stderr, "jfrec: process %d replied: ", j->jvm->pid);
	put_name(stderr, refusal);
	fputc('\n', stderr);
	return exit_of(err->code);
}

static int collect(const struct each_jvm *j, const char *command, FILE *to)
{
	struct jfrec_error err;
	char *refusal = NULL;
	int status = EXIT_DONE;

	if (jfrec_session_jcmd(j->session, command, j->result ? write_stream : write_stdout, to,
			       &refusal, &err) < 0)
		status = fail(j, refusal, &err);
	jfrec_free(refusal);
	return status;
}

int reply_lines(const struct each_jvm *j, const char *command,
		void (*fn)(void *ctx, char *line), void *ctx)
{
	char *text = NULL, *rest, *line;
	size_t len;
	FILE *to;
	int status;

	if (!j->result) {
		if (j->each->target.all)
			printf("Process %d:\n", j->jvm->pid);
		fflush(stdout);
		return collect(j, command, NULL);
	}
	to = open_memstream(&text, &len);
	if (!to) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	status = collect(j, command, to);
	fclose(to);
	rest = text;
	while (status == EXIT_DONE && (line = strsep(&rest, "\n")) != NULL)
		fn(ctx, line);
	free(text);
	return status;
}
