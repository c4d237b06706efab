/* SPDX-License-Identifier: MIT */
/*
 * as_jcmd.c - act as the JDK's jcmd, when called by that name
 *
 * Here compatibility wins: a command of Flight Recorder that failed does not fail the program,
 * since the status before the JVM's reply was 0; and there is no timeout.  Two things are
 * different: the list has JVMs without performance data, too, and never the process of jfrec.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/report.h"
#include "jdk/called_as.h"
#include "jvm/command_file.h"

/* As long as the JDK waits for an attach listener. */
#define OPEN_TIMEOUT_MS 10000

/* What is kept of the answer of a JVM that failed. */
#define MAX_REFUSAL 65536

/* The JDK's exit codes. */
enum { JCMD_DONE = 0, JCMD_FAILED = 1 };

static void print_usage(void)
{
	fputs("Usage: jcmd <pid | main class> <command ...|PerfCounter.print|-f file>\n"
	      "   or: jcmd -l\n"
	      "   or: jcmd -h\n"
	      "\n"
	      "The command is one that the JVM knows; `help` lists them. Pid 0 means every\n"
	      "JVM, and a main class every JVM whose main class has this in its name.\n"
	      "\n"
	      "  PerfCounter.print  print the JVM's performance counters\n"
	      "  -f                 run the commands of a file, one on a line\n"
	      "  -l                 list the JVMs, as without any option\n"
	      "  -? -h --help       print this help\n",
	      stdout);
}

static int fail_usage(const char *why, const char *what)
{
	print_usage();
	fflush(stdout);
	fprintf(stderr, "Error parsing arguments: %s%s\n\n", why, what);
	return JCMD_FAILED;
}

static void tell(const struct jfrec_error *err)
{
	fputs("jcmd: ", stderr);
	put_name(stderr, err->text);
	fputc('\n', stderr);
}

/* The JVMs ------------------------------------------------------------------------------------- */

static struct jfrec_jvms *find_all(void)
{
	struct jfrec_error err;
	struct jfrec_jvms *list = jfrec_jvms_find(NULL, &err);

	if (!list)
		tell(&err);
	return list;
}

static int list_jvms(void)
{
	struct jfrec_jvms *list = find_all();

	if (!list)
		return JCMD_FAILED;
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		if (!jvm->attachable)
			continue;
		printf("%d ", jvm->pid);
		print_name(jvm->command);
		putchar('\n');
	}
	jfrec_jvms_free(list);
	return finish_stdout();
}

/* A number, which may be that of anything. */
static bool parse_pid(const char *text, int *pid)
{
	char *end;
	long n = strtol(text, &end, 10);

	if (end == text || *end || n < 0 || n > INT_MAX)
		return false;
	*pid = (int)n;
	return true;
}

/* Commands ------------------------------------------------------------------------------------- */

struct answer {
	int status;
	bool said; /* it was not empty */
	char refusal[MAX_REFUSAL];
	size_t refusal_len;
};

static int take(void *ctx, const void *data, size_t len)
{
	struct answer *a = ctx;

	a->said = true;
	if (a->status == 0)
		return write_stdout(NULL, data, len);
	if (len > sizeof(a->refusal) - 1 - a->refusal_len)
		len = sizeof(a->refusal) - 1 - a->refusal_len;
	memcpy(a->refusal + a->refusal_len, data, len);
	a->refusal_len += len;
	a->refusal[a->refusal_len] = '\0';
	return 0;
}

static int say_refusal(struct answer *a)
{
	char *rest = a->refusal, *line;

	if (!a->said)
		snprintf(a->refusal, sizeof(a->refusal), "Command failed in target VM");
	while ((line = strsep(&rest, "\n")) != NULL) {
		if (!*line && !rest)
			break;
		put_name(stderr, line);
		fputc('\n', stderr);
	}
	return JCMD_FAILED;
}

static int run_line(struct jfrec_session *s, const char *line)
{
	static const char nothing_said[] = "Command executed successfully\n";
	struct answer a = { 0 };
	struct jfrec_error err;

	if (jfrec_session_run(s, "jcmd", &line, 1, take, &a, &a.status, &err) < 0) {
		if (err.code == JFREC_EOUTPUT)
			return report_write_failure(err.sys);
		tell(&err);
		return JCMD_FAILED;
	}
	if (a.status != 0)
		return say_refusal(&a);
	if (!a.said)
		write_stdout(NULL, nothing_said, strlen(nothing_said));
	return JCMD_DONE;
}

static int run_lines(struct jfrec_session *s, const struct command_file *commands)
{
	int status = commands->count ? JCMD_DONE : run_line(s, "");

	for (size_t i = 0; i < commands->count && status == JCMD_DONE; i++) {
		const char *line = commands->items[i];
		const char *word = line + strspn(line, " \t\r");

		if (strncmp(word, "stop", 4) == 0 && !word[4 + strspn(word + 4, " \t\r")])
			break;
		status = run_line(s, line);
	}
	return status;
}

static int print_counters(const struct jfrec_jvm *jvm)
{
	struct jfrec_error err;

	if (jfrec_jvm_counters(jvm, write_stdout, NULL, &err) == 0)
		return JCMD_DONE;
	if (err.code == JFREC_EOUTPUT)
		return report_write_failure(err.sys);
	tell(&err);
	return JCMD_FAILED;
}

static int talk_to(const struct jfrec_jvm *jvm, const struct command_file *commands)
{
	struct jfrec_session_options options = { .struct_size = sizeof(options),
						 .timeout_ms = INT_MAX,
						 .open_timeout_ms = OPEN_TIMEOUT_MS };
	struct jfrec_error err;
	struct jfrec_session *s;
	int status;

	printf("%d:\n", jvm->pid);
	fflush(stdout);
	if (commands->count == 1 && strcmp(commands->items[0], "PerfCounter.print") == 0)
		return print_counters(jvm);
	s = jfrec_session_open(jvm, &options, &err);
	if (!s) {
		tell(&err);
		return JCMD_FAILED;
	}
	status = run_lines(s, commands);
	jfrec_session_close(s);
	return status;
}

static int talk_to_each(const char *main, const struct command_file *commands)
{
	struct jfrec_jvms *list = find_all();
	int status = JCMD_DONE;
	size_t count = 0;

	if (!list)
		return JCMD_FAILED;
	for (size_t i = 0; i < jfrec_jvms_count(list); i++) {
		const struct jfrec_jvm *jvm = jfrec_jvms_get(list, i);

		if (!jvm->attachable || (main && !strstr(jvm->main, main)))
			continue;
		count++;
		if (talk_to(jvm, commands) != JCMD_DONE)
			status = JCMD_FAILED;
	}
	jfrec_jvms_free(list);
	if (count || !main)
		return status;
	fprintf(stderr, "Could not find any processes matching : '%s'\n", main);
	return JCMD_FAILED;
}

/* The command line ----------------------------------------------------------------------------- */

/* The words after the target; -f and its file may stand anywhere among them. */
static int get_commands(struct command_file *commands, char **words, int count)
{
	static char *help[] = { (char *)"help" };

	for (int i = 0; i < count; i++) {
		if (strcmp(words[i], "-f") != 0)
			continue;
		if (i + 1 == count)
			return fail_usage("No file specified for parameter -f", "");
		if (!command_file_read(commands, words[i + 1]))
			return fail_usage("Could not read from file specified with -f option: ",
					  words[i + 1]);
		return JCMD_DONE;
	}
	if (count == 0)
		return command_file_join(commands, help, 1) ? JCMD_DONE : JCMD_FAILED;
	return command_file_join(commands, words, count) ? JCMD_DONE : JCMD_FAILED;
}

static int run(const char *target, const struct command_file *commands)
{
	struct jfrec_jvm jvm = { .main = "", .command = "" };

	if (!parse_pid(target, &jvm.pid))
		return talk_to_each(target, commands);
	return jvm.pid ? talk_to(&jvm, commands) : talk_to_each(NULL, commands);
}

static bool is_help(const char *word)
{
	return strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-?") == 0;
}

int as_jcmd(int argc, char **argv)
{
	struct command_file commands = { 0 };
	int status = jdk_names_begin(&argc, argv);

	if (status != EXIT_DONE)
		return JCMD_FAILED;
	config_ignore();
	if (argc < 2 || strcmp(argv[1], "-l") == 0)
		return list_jvms();
	if (is_help(argv[1])) {
		print_usage();
		return finish_stdout();
	}
	if (!*argv[1] || *argv[1] == '-') {
		fprintf(stderr, "Invalid pid '%s' specified\n", argv[1]);
		return JCMD_FAILED;
	}
	status = get_commands(&commands, argv + 2, argc - 2);
	if (status == JCMD_DONE)
		status = run(argv[1], &commands);
	command_file_fini(&commands);
	return status;
}
