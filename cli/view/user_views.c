/* SPDX-License-Identifier: MIT */
/*
 * user_views.c - the views that a user wrote
 */
#include "view/user_views.h"

#include <stdlib.h>
#include <string.h>

#include "base/config.h"
#include "base/report.h"
#include "base/small_file.h"

/* The JDK's have 20 KB. */
#define MOST ((size_t)1 << 20)

/* FILE:LINE, the sentence, the line, and a mark under the place. */
static int fail_at(const struct command *c, const char *path, const char *text,
		   const struct jfrec_error *err)
{
	const char *at = text + err->offset, *line = at;
	char *shown;
	unsigned number = 1;

	while (line > text && line[-1] != '\n')
		line--;
	for (const char *s = text; s < line; s++)
		number += *s == '\n';
	shown = strndup(line, strcspn(line, "\n"));
	if (!shown) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	for (char *s = shown; *s; s++)
		*s = *s == '\t' ? ' ' : *s;
	fprintf(stderr, "jfrec %s: ", c->name);
	put_name(stderr, path);
	fprintf(stderr, ":%u: ", number);
	put_name(stderr, err->text);
	fputs("\n  ", stderr);
	put_name(stderr, shown);
	free(shown);
	fputs("\n  ", stderr);
	for (const char *s = line; s < at; s++) {
		if (((unsigned char)*s & 0xc0) != 0x80)
			fputc(' ', stderr);
	}
	fputs("^\n", stderr);
	return EXIT_USAGE;
}

static int add_file(const struct command *c, const char *path, struct jfrec_views *views)
{
	struct jfrec_error err;
	size_t len;
	char *text = small_file_read(path, MOST, &len, &err);
	int status = EXIT_DONE;

	if (!text) {
		say(path, err.text);
		return EXIT_FAILED;
	}
	if (len > MOST || memchr(text, '\0', len)) {
		say(path, len > MOST ? "views are at most 1 MiB of text" : "this is not text");
		free(text);
		return EXIT_FAILED;
	}
	text[len] = '\0';
	if (jfrec_views_add(views, text, &err) < 0) {
		if (err.code == JFREC_EEXPRESSION) {
			status = fail_at(c, path, text, &err);
		} else {
			say(path, failure_text(&err));
			status = EXIT_FAILED;
		}
	}
	free(text);
	return status;
}

int user_views_add(const struct command *c, const struct opt_list *files, struct jfrec_views *views)
{
	const struct config_values *config;
	const struct config_value *named;
	int status = config_get(&config);

	if (status != EXIT_DONE)
		return status;
	named = config_values_get(config, CONFIG_VIEWS);
	for (size_t i = 0; i < named->count && status == EXIT_DONE; i++)
		status = add_file(c, named->texts[i], views);
	for (size_t i = 0; i < files->count && status == EXIT_DONE; i++)
		status = add_file(c, files->texts[i], views);
	return status;
}
