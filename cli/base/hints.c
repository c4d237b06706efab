/* SPDX-License-Identifier: MIT */
/*
 * hints.c - suggest our option for one that belongs to another tool
 */
#include "base/hints.h"

#include <stdio.h>
#include <string.h>

#include "base/command.h"
#include "base/report.h"

/* Options of the JVM's commands; NULL: it needs no value but "true". */
static const struct {
	const char *key, *option, *if_false;
	bool has_value;
} keys[] = {
	{ "name", "--name", NULL, true },
	{ "recording", "--name", NULL, true },
	{ "settings", "--settings", NULL, true },
	{ "duration", "--duration", NULL, true },
	{ "delay", "--delay", NULL, true },
	{ "maxage", "--max-age", NULL, true },
	{ "maxsize", "--max-size", NULL, true },
	{ "begin", "--begin", NULL, true },
	{ "end", "--end", NULL, true },
	{ "flush-interval", "--flush-interval", NULL, true },
	{ "disk", "--disk", "--no-disk", false },
	{ "dumponexit", "--dump-on-exit", NULL, false },
	{ "path-to-gc-roots", "--path-to-gc-roots", NULL, false },
	{ "verbose", "--verbose", NULL, false },
	{ "stackdepth", "--stack-depth", NULL, true },
};

#define KEY_COUNT (sizeof(keys) / sizeof(*keys))

static bool is_number(const char *word)
{
	return *word && !word[strspn(word, "0123456789")];
}

/* A word as a shell takes it. */
static void put_word(const char *before, const char *word)
{
	bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyz"
						 "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
						 "0123456789_./:@%+=,#-")];

	fprintf(stderr, "%s%s", before, plain ? "" : "'");
	put_name(stderr, word);
	fputs(plain ? "" : "'", stderr);
}

static void put_file(const char *command, const char *path)
{
	put_word(strcmp(command, "start") == 0 ? " --filename " : " -o ", path);
}

/* "name=foo" is --name foo; what is not an option of the command is a setting. */
static void put_option(const char *command, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : "true";

	if (len == 8 && strncmp(word, "filename", len) == 0) {
		put_file(command, value);
		return;
	}
	for (size_t i = 0; i < KEY_COUNT; i++) {
		if (strlen(keys[i].key) != len || strncmp(keys[i].key, word, len) != 0)
			continue;
		if (keys[i].has_value) {
			fprintf(stderr, " %s", keys[i].option);
			put_word(" ", value);
		} else if (strcmp(value, "false") != 0) {
			fprintf(stderr, " %s", keys[i].option);
		} else if (keys[i].if_false) {
			fprintf(stderr, " %s", keys[i].if_false);
		}
		return;
	}
	put_word(" --set ", word);
}

static void put_options(const char *command, int count, char *const *words)
{
	for (int i = 0; i < count; i++) {
		if (strchr(words[i], '='))
			put_option(command, words[i]);
	}
}

/* "stop 4711 3" means a recording, which is an option here. */
static bool hint_recording(const char *command, int count, char *const *words)
{
	static const char *const selecting[] = { "stop", "dump", "check" };
	size_t i = 0;

	while (i < sizeof(selecting) / sizeof(*selecting) && strcmp(selecting[i], command) != 0)
		i++;
	if (count != 2 || i == sizeof(selecting) / sizeof(*selecting) || !is_number(words[0]))
		return false;
	fprintf(stderr, "jfrec %s: name one JVM; --name selects one of its recordings:\n  jfrec %s --name",
		command, command);
	put_word(" ", words[1]);
	put_word(" ", words[0]);
	fputc('\n', stderr);
	return true;
}

bool hints_operands(const char *command, int count, char *const *words)
{
	bool found = false;

	for (int i = 0; i < count; i++)
		found = found || strchr(words[i], '=');
	if (!found)
		return hint_recording(command, count, words);
	if (strchr(words[0], '='))
		return false;
	fprintf(stderr, "jfrec %s: options begin with dashes here:\n  jfrec %s", command,
		command);
	put_options(command, count, words);
	put_word(" ", words[0]);
	fputc('\n', stderr);
	return true;
}

/* "JFR.start" is our start; NULL: it is another of the JVM's. */
static const char *our_command(const char *word)
{
	static const char *const ours[] = { "start", "stop", "check", "dump", "configure" };

	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (strncmp(word, "JFR.", 4) == 0 && strcmp(word + 4, ours[i]) == 0)
			return ours[i];
	}
	return NULL;
}

static void hint_pid(int count, char *const *words)
{
	const char *ours = count > 1 ? our_command(words[1]) : NULL;

	fputs("jfrec: the command comes first:\n  jfrec ", stderr);
	if (ours) {
		fputs(ours, stderr);
		put_options(ours, count - 2, words + 2);
		put_word(" ", words[0]);
	} else if (count > 1) {
		put_word("jcmd ", words[0]);
		for (int i = 1; i < count; i++)
			put_word(" ", words[i]);
	} else {
		put_word("check ", words[0]);
	}
	fputc('\n', stderr);
}

bool hints_first_word(int count, char *const *words)
{
	static const char *const lists[] = { "ps", "jps", "ls", "-l" };

	if (is_number(words[0])) {
		hint_pid(count, words);
		return true;
	}
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		if (strcmp(words[0], lists[i]) != 0)
			continue;
		fprintf(stderr, "jfrec: there is no %s; to list the JVMs of this host:\n  jfrec "
				"list\n", words[0]);
		return true;
	}
	if (our_command(words[0]) || strncmp(words[0], "JFR.", 4) == 0) {
		const char *ours = our_command(words[0]);

		fprintf(stderr, "jfrec: the usage is:\n  jfrec %s TARGET%s%s\n",
			ours ? ours : "jcmd", ours ? "" : " ", ours ? "" : words[0]);
		return true;
	}
	return false;
}
