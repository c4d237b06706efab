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

/* What is written at a time: a document may be large, and is never there as text as a whole. */
struct pieces {
	char data[65536];
	size_t len;
	int error;
};

static int flush_pieces(struct pieces *p)
{
	if (!p->error)
		p->error = write_stdout(NULL, p->data, p->len);
	p->len = 0;
	return p->error ? -1 : 0;
}

static int write_piece(const char *data, size_t len, void *ctx)
{
	struct pieces *p = ctx;

	while (len) {
		size_t room = sizeof(p->data) - p->len, n = len < room ? len : room;

		memcpy(p->data + p->len, data, n);
		p->len += n;
		data += n;
		len -= n;
		if (p->len == sizeof(p->data) && flush_pieces(p) < 0)
			return -1;
	}
	return 0;
}

/* Nobody can read half a document: Ctrl-C ends it as soon as it is written. */
int print_json(json_t *document)
{
	struct pieces p = { .len = 0 };
	int ret;

	if (!document) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	progress_begin_printing(NULL);
	ret = json_dump_callback(document, write_piece, &p, JSON_INDENT(2));
	json_decref(document);
	if (ret == 0 && write_piece("\n", 1, &p) == 0)
		flush_pieces(&p);
	if (p.error)
		return report_write_failure(p.error);
	if (ret < 0) {
		say_out_of_memory();
		return EXIT_FAILED;
	}
	return progress_signal() ? 128 + progress_signal() : EXIT_DONE;
}

const char *iso_time(char *to, size_t size, int64_t ns)
{
	char text[HUMAN_MAX];

	snprintf(to, size, "%s", human_iso(text, ns, 0));
	return to;
}
