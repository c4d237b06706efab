/* SPDX-License-Identifier: MIT */
/*
 * repository.c - read the chunk files of a repository
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "jfrec-tool.h"
#include "read/open.h"
#include "read/reader.h"
#include "repository/chunks.h"

struct jfrec_reader *jfrec_repository_read_some(struct jfrec_repository *r, size_t first,
						size_t count, struct jfrec_error *err)
{
	struct recording_file *files = reallocarray(NULL, count + 1, sizeof(*files));
	struct jfrec_reader *reader;
	size_t n = 0;

	if (!files) {
		jfrec_fail_memory(err);
		return NULL;
	}
	for (size_t i = first; i < first + count; i++) {
		struct repository_chunk *c = &r->chunks[i];

		if (c->fd < 0 || repository_chunk_is_empty(c))
			continue;
		files[n++] = (struct recording_file){ r->path, c->name, c->fd };
		c->fd = -1;
	}
	reader = reader_of_files(files, n, err);
	if (reader)
		reader->source.recording.missing = r->missing;
	free(files);
	return reader;
}

struct jfrec_reader *jfrec_repository_read(struct jfrec_repository *r, struct jfrec_error *err)
{
	return jfrec_repository_read_some(r, 0, r->count, err);
}

/* Whose it is ---------------------------------------------------------------------------------- */

static void read_command(struct jfrec_reader *r, char *command, size_t size)
{
	const struct jfrec_event *ev;
	struct jfrec_value v;
	const char *text;

	if (jfrec_reader_select(r, "jdk.JVMInformation", NULL, NULL) < 0 ||
	    jfrec_reader_next(r, &ev, NULL) <= 0)
		return;
	v = jfrec_event_path(ev, "javaArguments");
	text = jfrec_value_text(&v, NULL);
	if (text && *text)
		snprintf(command, size, "%s", text);
}

void jfrec_repository_command(const struct jfrec_repository *r, char *command, size_t size)
{
	struct recording_file f = { .directory = r->path };
	struct jfrec_reader *reader;

	snprintf(command, size, "jvm");
	for (size_t i = 0; i < r->count && f.fd <= 0; i++) {
		if (repository_chunk_is_empty(&r->chunks[i]) || r->chunks[i].fd < 0)
			continue;
		f.name = r->chunks[i].name;
		f.fd = fcntl(r->chunks[i].fd, F_DUPFD_CLOEXEC, 3);
	}
	reader = f.fd > 0 ? reader_of_files(&f, 1, NULL) : NULL;
	if (reader)
		read_command(reader, command, size);
	jfrec_reader_close(reader);
}
