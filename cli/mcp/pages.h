/* SPDX-License-Identifier: MIT */
/*
 * pages.h - resources: rules, pages of help, and how to go about it
 */
#ifndef JFREC_CLI_MCP_PAGES_H
#define JFREC_CLI_MCP_PAGES_H

#include <jansson.h>
#include <stdbool.h>

/* The results of resources/list and resources/templates/list. */
json_t *pages_list(void);
json_t *pages_templates(void);

/* The result of resources/read, of what is at hand; NULL: a command prints it, or there is none. */
json_t *pages_read(const char *uri);

/* Can there be such a resource? */
bool pages_have(const char *uri);

/* How to find what is wrong with a JVM, by these tools: docs/skill.md. */
const char *pages_skill(void);

#endif
