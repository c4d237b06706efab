/* SPDX-License-Identifier: MIT */
/*
 * threads.c - jfrec threads: print the thread dump of a JVM
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "jvm/reply_lines.h"


struct threads {
	json_t *list, *last; /* last: that the lines belong to; NULL: none */
};

/* "\"main\" #1 prio=5 os_prio=0 tid=0x... nid=0x1 waiting on condition [0x...]" */
static void begin_thread(struct threads *t, char *line)
{
	char *end = NULL, *at, *number;

	/* A name may have quotes in it: the last one that can end it does. */
	for (at = line + 1; (at = strchr(at, '"')) != NULL; at++) {
		if (at[1] == ' ' && (strncmp(at + 2, "#", 1) == 0 || strncmp(at + 2, "os_prio", 7) == 0 ||
				     strncmp(at + 2, "daemon", 6) == 0 || strncmp(at + 2, "prio", 4) == 0))
			end = at;
	}
	if (!end)
		return;
	*end = '\0';
	number = end[2] == '#' ? end + 3 : NULL;
	t->last = json_pack("{s:o, s:o, s:b, s:n, s:[]}", "name", text_json(line + 1), "javaThreadId",
			    number ? json_integer(strtoll(number, NULL, 10)) : json_null(), "daemon",
			    strstr(end + 1, " daemon ") != NULL, "state", "stack");
	json_array_append_new(t->list, t->last);
}

static void take_line(void *ctx, char *line)
{
	static const char state[] = "   java.lang.Thread.State: ";
	struct threads *t = ctx;

	if (*line == '"') {
		begin_thread(t, line);
		return;
	}
	if (!*line)
		t->last = NULL;
	if (!t->last)
		return;
	if (strncmp(line, state, sizeof(state) - 1) == 0) {
		line += sizeof(state) - 1;
		line[strcspn(line, " ")] = '\0';
		json_object_set_new(t->last, "state", text_json(line));
	} else if (strncmp(line, "\tat ", 4) == 0) {
		json_array_append_new(json_object_get(t->last, "stack"), text_json(line + 4));
	}
}

static int show(struct each_jvm *j, void *ctx)
{
	struct threads t = { .list = j->result ? json_array() : NULL };
	int status = reply_lines(j, "Thread.print -l", take_line, &t);

	(void)ctx;
	if (status == EXIT_DONE && j->result)
		json_object_set(j->result, "threads", t.list);
	json_decref(t.list);
	return status;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct for_each_jvm e = { .command = self, .in_parallel = true };

	if (!opt_parse(&p, &e))
		return p.status;
	return for_each_jvm(&e, &p, show, NULL);
}

const struct command cmd_threads = {
	.name = "threads",
	.args = "TARGET",
	.examples = "  jfrec threads Shop\n"
		    "  jfrec threads --json Shop\n",
	.summary = "print the threads of a JVM with their stacks",
	.about =
		"Print the threads of a JVM with their stacks, and the locks that they hold or\n"
		"wait for, as the JVM reports them (Thread.print -l).  TARGET is a pid, or a part\n"
		"of the main class or jar.",
	.opts = for_each_jvm_rows,
	.run = run,
};
