/* SPDX-License-Identifier: MIT */
/*
 * envelope.h - the members that every JSON document of jfrec begins with
 *
 *	{
 *	  "jfrec": 1,                  the number of the form: another one is not compatible
 *	  "version": "0.1.0",          of the program
 *	  "schema": "summary",         which document; schema/summary.json describes it
 *	  "recordings": ["app.jfr"],   where recordings are read,
 *	  "damage": [],                with what could not be read of them
 *	  ...                          what the command has to tell
 *	}
 *
 * Where a document is about JVMs, its member "jvms" is an array of objects with the pid of each.
 */
#ifndef JFREC_CLI_BASE_ENVELOPE_H
#define JFREC_CLI_BASE_ENVELOPE_H

#include "base/json.h"
#include "jfrec.h"

/* Name a recording that is read, in the documents that follow.  Standard input is "-". */
void envelope_name(const char *path);

/* Have the documents that follow tell what is damaged in what that reader reads. */
void envelope_watch(struct jfrec_reader *r);

/* Both. */
void envelope_read(struct jfrec_reader *r, char *const *paths, int count);

/* Forget all that was read: of a child, what its parent had read. */
void envelope_forget(void);

/* Have in the documents that follow what another one tells of recordings and damage, too. */
void envelope_take(const json_t *document);

/*
 * Call fn for each problem of what was watched: where the library writes the document.  fn returns
 * 0, or -1, which ends it.
 */
int envelope_each_problem(int (*fn)(void *ctx, const struct jfrec_problem *problem), void *ctx);

/* What was damaged so far: an array of objects that belongs to the documents; NULL: not watched. */
const json_t *envelope_damage(void);

/* The members that all documents have, and then those of `own`, which it frees. */
json_t *envelope_of(const char *schema, json_t *own);

/* Print such a document, and free `own`.  Returns an exit code. */
int print_document(const char *schema, json_t *own);

/* The name of the document of a command: "settings-list" of `jfrec settings list`.  To be freed. */
char *schema_of_command(const char *command);

/* The same as print_document(). */
int print_document_of(const char *command, json_t *own);

/*
 * A document that is printed piece by piece: up to the members of its own, each of which begins
 * with ",\n", and from there on.  What came in between is whole, or it was interrupted.
 */
void envelope_begin(const char *schema);
void envelope_end(bool is_complete);

#endif
