/* SPDX-License-Identifier: MIT */
/*
 * topics.c - show the manual pages that `jfrec help TOPIC` knows
 */
#include "base/topics.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/command.h"
#include "base/report.h"
#include "base/stdout.h"

static const struct topic {
	const char *name;
	char section;
	/* so is something else called, which comes without the section */
	bool is_command, is_second;
	const char *text;
} topics[] = {
	{ "cookbook", '7', false, false, "the lines to type for what people ask first" },
	{ "containers", '7', false, false, "record JVMs in containers" },
	{ "engines", '7', false, false, "ask many recordings by DuckDB, ClickHouse or Spark" },
	{ "query", '7', true, false, "the language of queries and views" },
	{ "recorder", '7', false, false, "record a program that is not a JVM" },
	{ "rules", '7', false, false, "the rules of jfrec analyze" },
	{ "where", '7', false, false, "expressions that select events" },
	{ "collect", '5', true, false, "the configuration of jfrec collect" },
	{ "config", '5', true, false, "default values of options" },
	{ "format", '5', false, false, "the file format of recordings" },
	{ "ndjson", '5', false, false, "the lines of JSON that jfrec print writes" },
	{ "report", '5', true, false, "the numbers of a report as JSON" },
	{ "rules", '5', false, true, "rules of your own for jfrec analyze" },
	{ "settings", '5', true, false, "recording settings as YAML" },
	{ "stacks", '5', false, false, "the call trees that jfrec flame writes as JSON" },
	{ "tables", '5', false, false, "events as rows and columns" },
	{ "recorder", '3', false, true, "the functions of libjfrec-recorder" },
};

#define TOPIC_COUNT (sizeof(topics) / sizeof(*topics))

/* section: 0 means the first that there is. */
static const struct topic *find(const char *name, char section)
{
	if (strncmp(name, "jfrec-", strlen("jfrec-")) == 0)
		name += strlen("jfrec-");
	for (size_t i = 0; i < TOPIC_COUNT; i++) {
		if (strcmp(topics[i].name, name) == 0 && (!section || topics[i].section == section))
			return &topics[i];
	}
	return NULL;
}

static bool has_section(int count, char *const *words)
{
	return count > 1 && isdigit((unsigned char)words[0][0]) && !words[0][1];
}

static const struct topic *meant(int count, char *const *words)
{
	return has_section(count, words) ? find(words[1], *words[0]) : find(words[0], 0);
}

static bool is_list(int count, char *const *words)
{
	return count == 1 && strcmp(words[0], "topics") == 0;
}

bool topics_are_meant(int count, char *const *words)
{
	return is_list(count, words) || has_section(count, words) || meant(count, words);
}

void topics_offer(struct typo *t)
{
	for (size_t i = 0; i < TOPIC_COUNT; i++)
		typo_offer(t, topics[i].name);
	typo_offer(t, "topics");
}

/* What is typed after `jfrec help`: "7 query" where "query" means something else. */
static const char *words_of(const struct topic *t, char words[32])
{
	bool is_other = t->is_command || t->is_second;

	snprintf(words, 32, "%c %s", t->section, t->name);
	return words + (is_other ? 0 : 2);
}

static int print_list(void)
{
	char words[32];

	puts("`jfrec help TOPIC` shows a manual page; besides those of the commands:\n");
	for (size_t i = 0; i < TOPIC_COUNT; i++)
		printf("  %-12s%s\n", words_of(&topics[i], words), topics[i].text);
	return finish_stdout();
}

void topics_print_beside(const char *command)
{
	char words[32];

	for (size_t i = 0; i < TOPIC_COUNT; i++) {
		if (strcmp(topics[i].name, command) == 0)
			printf("\n`jfrec help %s` shows the page about %s.\n",
			       words_of(&topics[i], words), topics[i].text);
	}
}

/* Pages ---------------------------------------------------------------------------------------- */

/* The folder of this program, with a slash at the end; "" if it is not known. */
static void find_own_folder(char folder[PATH_MAX])
{
	ssize_t len = readlink("/proc/self/exe", folder, PATH_MAX);

	while (len > 0 && folder[len - 1] != '/')
		len--;
	folder[len > 0 && len < PATH_MAX ? len : 0] = '\0';
}

/* The page that came with this program: beside it, where it was built or where it is installed. */
static bool find_page(const struct topic *t, char path[2 * PATH_MAX])
{
	static const char *const endings[] = { "", ".gz" };
	char folder[PATH_MAX];
	size_t size = 2 * PATH_MAX;

	find_own_folder(folder);
	snprintf(path, size, "%sman/jfrec-%s.%c", folder, t->name, t->section);
	if (access(path, R_OK) == 0)
		return true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		snprintf(path, size, "%s../share/man/man%c/jfrec-%s.%c%s", folder, t->section, t->name,
			 t->section, endings[i]);
		if (access(path, R_OK) == 0)
			return true;
	}
	return false;
}

static _Noreturn void run_man(char *const *argv, bool is_silent)
{
	int null = is_silent ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;

	if (null >= 0) {
		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
	}
	execvp(argv[0], argv);
	_exit(EXIT_FAILED);
}

/* Does man succeed?  It gets SIGPIPE as it expects it: many readers quit its pager early. */
static bool ask_man(char *const *argv, bool is_silent)
{
	int status = EXIT_FAILED;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		signal(SIGPIPE, SIG_DFL);
		run_man(argv, is_silent);
	}
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && status == 0;
}

static int fail_without_man(const char *path)
{
	fprintf(stderr, "jfrec: `man` cannot show the page, which is ");
	put_name(stderr, path);
	fputc('\n', stderr);
	return EXIT_FAILED;
}

static int show(const struct topic *t)
{
	char path[2 * PATH_MAX], name[32], section[] = { t->section, '\0' };
	char man[] = "man", minus_w[] = "-w";
	char *const of_path[] = { man, path, NULL };
	char *const where[] = { man, minus_w, section, name, NULL };
	char *const of_name[] = { man, section, name, NULL };

	if (find_page(t, path))
		return ask_man(of_path, false) ? EXIT_DONE : fail_without_man(path);
	snprintf(name, sizeof(name), "jfrec-%s", t->name);
	if (ask_man(where, true))
		return ask_man(of_name, false) ? EXIT_DONE : EXIT_FAILED;
	fprintf(stderr,
		"jfrec: the page %s(%c) is not installed; it is in the sources of jfrec, as "
		"man/%s.%c.scd\n",
		name, t->section, name, t->section);
	return EXIT_FAILED;
}

int topics_help(int count, char *const *words)
{
	const struct topic *t;

	if (is_list(count, words))
		return print_list();
	t = meant(count, words);
	if (t)
		return show(t);
	fprintf(stderr, "jfrec: section %s has no page jfrec-", words[0]);
	put_name(stderr, words[1]);
	fputs("; `jfrec help topics` lists the pages\n", stderr);
	return EXIT_USAGE;
}
