/* SPDX-License-Identifier: MIT */
/*
 * jcmd.c - jfrec jcmd: send any diagnostic command to a JVM
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/report.h"
#include "jfrec-tool.h"
#include "jvm/command_file.h"
#include "opts/attach_opts.h"
#include "opts/output_opts.h"
#include "opts/target.h"

/* A thread dump has some MB, a class histogram the same; a JVM that lies has no end. */
#define MAX_REPLY (UINT64_C(1) << 30)

struct options {
	struct target target;
	struct attach_opts attach;
	const char *file; /* or NULL */
	bool json;
	json_t *jvms; /* with --json: objects with the answers of each; else NULL */
	uint64_t max_reply;
};

static int take_max_reply(const struct opt_given *g, void *to)
{
	return jfrec_parse_size(g->value, to) ? EXIT_DONE : opt_refuse(g, "a size, for example 100m");
}

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING('f', "file", "FILE", "run the commands in FILE, one per line", struct options, file),
	OPT_CALL(0, "max-reply", "SIZE", "stop reading a reply after this (default: 1g)", take_max_reply, struct options, max_reply),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	OPT_GROUP(target_rows, struct options, target),
	OPT_GROUP(attach_rows, struct options, attach),
	{ 0 },
};
/* clang-format on */

/* What the JVM said of its failure, as it said it. */
static void say_refusal(const struct jfrec_jvm *jvm, const char *command, char *refusal)
{
	char *rest = refusal, *line;

	fprintf(stderr, "jfrec: process %d refused ", jvm->pid);
	put_name(stderr, command);
	fputs(":\n", stderr);
	while ((line = strsep(&rest, "\n")) != NULL) {
		if (!*line && !rest)
			break;
		put_name(stderr, line);
		fputc('\n', stderr);
	}
}

/* A JVM that is asked, from the first command on that needs it. */
struct jcmd_jvm {
	const struct options *args;
	const struct jfrec_jvm *jvm;
	struct jfrec_session *session; /* or NULL */
	json_t *answers;	       /* with --json; else NULL */
};

/* What an answer is written to, and how much of it may be. */
struct limited {
	jfrec_write_fn *write;
	void *ctx;
	uint64_t left;
	bool exceeded;
};

static int write_limited(void *ctx, const void *data, size_t len)
{
	struct limited *to = ctx;

	to->exceeded = len > to->left;
	if (to->exceeded)
		return EFBIG;
	to->left -= len;
	return to->write(to->ctx, data, len);
}

static int ask_session(struct jcmd_jvm *a, const char *command, jfrec_write_fn *write, void *ctx,
		       char **refusal, struct jfrec_error *err)
{
	struct limited to = { write, ctx, a->args->max_reply, false };
	char size[HUMAN_MAX];
	int ret = jfrec_session_jcmd(a->session, command, write_limited, &to, refusal, err);

	if (ret < 0 && to.exceeded) {
		err->code = JFREC_ERESULT;
		snprintf(err->text, sizeof(err->text),
			 "process %d: stopped reading its reply after %s; raise --max-reply if "
			 "you need more",
			 a->jvm->pid, human_bytes(size, (double)a->args->max_reply));
	}
	return ret;
}

/* As jfrec_session_jcmd(). */
static int ask_jvm(struct jcmd_jvm *a, const char *command, jfrec_write_fn *write, void *ctx,
		   char **refusal, struct jfrec_error *err)
{
	*refusal = NULL;
	if (strcmp(command, "PerfCounter.print") == 0)
		return jfrec_jvm_counters(a->jvm, write, ctx, err);
	if (!a->session)
		a->session = attach_opts_open(&a->args->attach, a->jvm, err);
	if (!a->session)
		return -1;
	return ask_session(a, command, write, ctx, refusal, err);
}

static int write_stream(void *to, const void *data, size_t len)
{
	return fwrite(data, 1, len, to) == len ? 0 : ENOMEM;
}

/* The same, what the JVM says becoming an object. */
static int ask_for_json(struct jcmd_jvm *a, const char *command, char **refusal,
			struct jfrec_error *err)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);
	json_t *answer = json_pack("{s:o}", "command", text_json(command));
	int ret;

	if (!to) {
		json_decref(answer);
		*refusal = NULL;
		*err = (struct jfrec_error){ .code = JFREC_ENOMEM, .text = "out of memory" };
		return -1;
	}
	ret = ask_jvm(a, command, write_stream, to, refusal, err);
	fclose(to);
	json_object_set_new(answer, "done", json_boolean(ret == 0));
	json_object_set_new(answer, "answer", text_json(*refusal ? *refusal : text));
	json_array_append_new(a->answers, answer);
	free(text);
	return ret;
}

static int ask(struct jcmd_jvm *a, const char *command)
{
	struct jfrec_error err;
	char *refusal;
	int status;
	int ret = a->answers ? ask_for_json(a, command, &refusal, &err)
				   : ask_jvm(a, command, write_stdout, NULL, &refusal, &err);

	if (ret == 0)
		return EXIT_DONE;
	if (refusal) {
		say_refusal(a->jvm, command, refusal);
		status = exit_of(err.code);
	} else {
		status = report_jvm_failure(0, &err);
	}
	jfrec_free(refusal);
	return status;
}

/* A connection for each: Flight Recorder takes all that follows its command for its own. */
static int ask_all(struct jcmd_jvm *a, const struct command_file *commands)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < commands->count && status == EXIT_DONE; i++) {
		const char *command = commands->items[i] + strspn(commands->items[i], " \t");

		if (strcmp(command, "stop") == 0)
			break;
		if (*command && *command != '#')
			status = ask(a, command);
	}
	return status;
}

static int talk_to(const struct options *args, const struct jfrec_jvm *jvm,
		   const struct command_file *commands)
{
	struct jcmd_jvm a = { .args = args,
			      .jvm = jvm,
			      .answers = args->jvms ? json_array() : NULL };
	int status = ask_all(&a, commands);

	if (json_array_size(a.answers))
		json_array_append_new(args->jvms, json_pack("{s:i, s:O}", "pid", jvm->pid,
							    "answers", a.answers));
	json_decref(a.answers);
	jfrec_session_close(a.session);
	return status;
}

static int talk_to_each(const struct command *self, const struct options *a,
			const struct command_file *commands)
{
	struct jfrec_jvms *list;
	int status = target_select(self, &a->target, &list), one;
	char heading[32];

	if (status != EXIT_DONE)
		return status;
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		if (jfrec_jvms_count(list) > 1 && !a->jvms) {
			snprintf(heading, sizeof(heading), "%d:\n", jvm->pid);
			write_stdout(NULL, heading, strlen(heading));
		}
		one = talk_to(a, jvm, commands);
		if (status == EXIT_DONE)
			status = one;
	}
	jfrec_jvms_free(list);
	return status;
}

static bool is_target_left_out(const struct target *t)
{
	return t->all || t->query.container || t->query.user;
}

/*
 * Options stand before and after TARGET, but not after COMMAND, which has its own.  False: as
 * opt_parse(); else COMMAND begins at argv[*first].
 */
static bool take_words(struct opt_parser *p, struct options *a, int *first)
{
	struct opt_parser rest = { .self = p->self, .in_order = true };

	if (!opt_parse(p, a))
		return false;
	*first = p->first_operand;
	if (is_target_left_out(&a->target) || *first >= p->argc)
		return true;
	a->target.query.target = p->argv[*first];
	/* Its argv[0] is TARGET. */
	rest.argc = p->argc - *first;
	rest.argv = p->argv + *first;
	if (!opt_parse(&rest, a)) {
		p->status = rest.status;
		return false;
	}
	*first += rest.first_operand;
	return true;
}

static int get_commands(const struct command *self, const struct options *a, char *const *words,
			int count, struct command_file *commands)
{
	if (a->file && count)
		return report_usage(self, "give commands or a file of commands, not both");
	if (a->file)
		return command_file_read(commands, a->file) ? EXIT_DONE : EXIT_FAILED;
	if (!count)
		return report_usage(self, "give a command; help lists those of a JVM");
	return command_file_join(commands, words, count) ? EXIT_DONE : EXIT_FAILED;
}

static int run_commands(const struct command *self, const struct options *a, char *const *words,
			int count)
{
	struct command_file commands = { 0 };
	int status = get_commands(self, a, words, count, &commands), printed;

	if (status == EXIT_DONE) {
		status = talk_to_each(self, a, &commands);
		printed = json_array_size(a->jvms)
				  ? print_document("jcmd", json_pack("{s:O}", "jvms", a->jvms))
				  : EXIT_DONE;
		status = status == EXIT_DONE ? printed : status;
	}
	command_file_fini(&commands);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv, .in_order = true };
	struct options a = { .max_reply = MAX_REPLY };
	int first, status;

	if (!take_words(&p, &a, &first))
		return p.status;
	if (a.json)
		a.jvms = json_array();
	status = run_commands(self, &a, argv + first, argc - first);
	json_decref(a.jvms);
	return status;
}

const struct command cmd_jcmd = {
	.name = "jcmd",
	.args = "TARGET COMMAND [ARG...]",
	.examples = "  jfrec jcmd Shop VM.flags\n"
		    "  jfrec jcmd Shop help\n",
	.summary = "run any diagnostic command in a JVM",
	.about =
		"Run a diagnostic command in a JVM, such as Thread.print, and print the reply;\n"
		"the command `help` lists all commands.  Options come before COMMAND.  The exit\n"
		"status shows whether the JVM reported a failure.",
	.opts = opts,
	.run = run,
};
