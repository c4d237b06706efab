/* SPDX-License-Identifier: MIT */
/*
 * wizard.h - jfr configure --interactive: choose settings by answering questions
 */
#ifndef JFREC_CLI_JDK_WIZARD_H
#define JFREC_CLI_JDK_WIZARD_H

#include "base/command.h"

/* Told after each answer that changed something. */
typedef void wizard_changed_fn(void *ctx, struct jfrec_settings *s);

/*
 * Ask for each option, on standard output and input, then for the file: *path is what is offered,
 * and then what was answered, to be freed.  1: all was answered; 0: the user wants no more; -1: no
 * memory.
 */
int wizard_run(struct jfrec_settings *s, char **path, wizard_changed_fn *changed, void *ctx);

/* Print a sentence of jfrec_settings_set() as the JDK does, which breaks one of them. */
void print_refusal(FILE *to, const char *sentence);

#endif
