/* SPDX-License-Identifier: MIT */
/*
 * json.c - JSON documents of commands
 */
#include "base/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/human.h"
#include "base/progress.h"
#include "base/report.h"

/* How many bytes from here on are a character of UTF-8; 0 if they are none. */
static size_t character_length(const char *s)
{
	size_t left = strnlen(s, 4);
	json_t *character;

	for (size_t len = 1; len <= left; len++) {
		character = json_stringn(s, len);
		json_decref(character);
		if (character)
			return len;
	}
	return 0;
}

char *valid_text(const char *s)
{
	static const char replacement[] = "\xef\xbf\xbd";
	char *text = malloc(strlen(s) * strlen(replacement) + 1), *to = text;
	size_t len;

	if (!text)
		return NULL;
	for (; *s; s += len ? len : 1) {
		len = character_length(s);
		memcpy(to, len ? s : replacement, len ? len : strlen(replacement));
		to += len ? len : strlen(replacement);
	}
	*to = '\0';
	return text;
}

json_t *text_json(const char *text)
{
	json_t *json = text ? json_string(text) : json_null();
	char *mended;

	if (json)
		return json;
	mended = valid_text(text);
	json = mended ? json_string(mended) : NULL;
	free(mended);
	return json;
}

/* Nobody can read half a document: Ctrl-C ends it as soon as it is written. */
static int write_whole(const char *text)
{
	int error;

	progress_begin_printing(NULL);
	error = write_stdout(NULL, text, strlen(text));
	if (!error)
		error = write_stdout(NULL, "\n", 1);
	if (error)
		return report_write_failure(error);
	return progress_signal() ? 128 + progress_signal() : EXIT_DONE;
}

int print_json(json_t *document)
{
	char *text = document ? json_dumps(document, JSON_INDENT(2)) : NULL;
	int status;

	json_decref(document);
	if (!text) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	status = write_whole(text);
	free(text);
	return status;
}

const char *iso_time(char *to, size_t size, int64_t ns)
{
	char text[HUMAN_MAX];

	snprintf(to, size, "%s", human_iso(text, ns, 0));
	return to;
}
