/* SPDX-License-Identifier: MIT */
/*
 * host.c - what the rules of the host share
 */
#include "analyze/host.h"

#include <stdlib.h>

#include "analyze/engine.h"
#include "base/shell_word.h"

const struct jfrec_host_facts *host_of(struct judging *j)
{
	const struct jfrec_host_facts *h = j->analysis->host;

	if (h && (j->facts->pid < 0 || j->facts->pid == h->ns_pid))
		return h;
	none_came(j, "No recording says it; `jfrec analyze PID --duration 30s` looks at the host, too");
	return NULL;
}

void show_shell_file(struct judging *j, const char *command, const char *path)
{
	char *word = shell_word(path);

	if (word)
		show_shell(j, "%s %s", command, word);
	else
		j->analysis->names.no_memory = true;
	free(word);
}
