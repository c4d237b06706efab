/* SPDX-License-Identifier: MIT */
/*
 * reply_lines.c - print the reply to a diagnostic command, line by line
 */
#include "jvm/reply_lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

/* What an answer is kept in, and how much of it may be. */
struct kept {
	FILE *to;
	uint64_t left;
	bool exceeded;
};

static int write_kept(void *ctx, const void *data, size_t len)
{
	struct kept *k = ctx;

	k->exceeded = len > k->left;
	if (k->exceeded)
		return EFBIG;
	k->left -= len;
	return fwrite(data, 1, len, k->to) == len ? 0 : ENOMEM;
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

/* To k, or to standard output. */
static int collect(const struct each_jvm *j, const char *command, struct kept *k)
{
	struct jfrec_error err;
	char *refusal = NULL;
	int status = EXIT_DONE;

	if (jfrec_session_jcmd(j->session, command, k ? write_kept : write_stdout, k, &refusal,
			       &err) < 0) {
		if (k && k->exceeded)
			jfrec_fail(&err, JFREC_ERESULT, JFREC_NO_OFFSET,
				   "its reply has no end; jfrec jcmd --max-reply 4g %d %s prints it",
				   j->jvm->pid, command);
		status = fail(j, refusal, &err);
	}
	jfrec_free(refusal);
	return status;
}

int reply_text(const struct each_jvm *j, const char *command, uint64_t most, char **text,
	       size_t *len)
{
	struct kept k = { .left = most };
	int status;

	*text = NULL;
	k.to = open_memstream(text, len);
	if (!k.to) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	status = collect(j, command, &k);
	fclose(k.to);
	if (status != EXIT_DONE) {
		free(*text);
		*text = NULL;
	}
	return status;
}

int reply_lines(const struct each_jvm *j, const char *command,
		void (*fn)(void *ctx, char *line), void *ctx)
{
	char *text, *rest, *line;
	size_t len;
	int status;

	if (!j->result) {
		if (j->each->target.all)
			printf("Process %d:\n", j->jvm->pid);
		fflush(stdout);
		return collect(j, command, NULL);
	}
	status = reply_text(j, command, UINT64_MAX, &text, &len);
	rest = text;
	while (status == EXIT_DONE && (line = strsep(&rest, "\n")) != NULL)
		fn(ctx, line);
	free(text);
	return status;
}
