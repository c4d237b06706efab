/* SPDX-License-Identifier: MIT */
/*
 * test_products.c - secrets as products leave them, and texts that only look like that
 *
 *    test_products DIRECTORY
 *
 * DIRECTORY/kinds has lines of a text, a tab, and what of it must be gone after scrub by the default
 * rules; all secrets are different.  DIRECTORY/harmless has lines that must stay as they are.  In
 * both, \n and \t stand for a line feed and a tab, and no other backslash means anything.
 */
#include <stdlib.h>
#include <unistd.h>

#include "builder.h"
#include "scrub/rules.h"
#include "test.h"

#define THREAD "30"

#define TYPES                                                                                      \
	EVENT("20", "app.Note",                                                                    \
	      START FIELD("text", T_STRING) FIELD("thread", THREAD, KEY) FIELD("bytes", T_BYTE, ARRAY)) \
	CLASS(THREAD, "java.lang.Thread", FIELD("javaName", T_STRING))

#define MAX_TEXT 1024

struct row {
	char *text, *secret;
};

struct rows {
	struct row *items;
	size_t count;
};

static char *unescaped(const char *line)
{
	char *text = malloc(strlen(line) + 1), *to = text;

	for (; text && *line; line++) {
		bool is_escape = *line == '\\' && (line[1] == 'n' || line[1] == 't');

		if (is_escape)
			line++;
		*to++ = !is_escape ? *line : *line == 'n' ? '\n' : '\t';
	}
	if (text)
		*to = '\0';
	return text;
}

static struct rows load(const char *directory, const char *name)
{
	struct rows rows = { .items = calloc(4096, sizeof(*rows.items)) };
	char path[4096], line[MAX_TEXT];
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	in = fopen(path, "r");
	if (!in || !rows.items) {
		perror(path);
		exit(1);
	}
	while (rows.count < 4096 && fgets(line, sizeof(line), in)) {
		char *secret = strchr(line, '\t');

		line[strcspn(line, "\n")] = '\0';
		if (secret)
			*secret++ = '\0';
		rows.items[rows.count++] = (struct row){ unescaped(line), strdup(secret ? secret : "") };
	}
	fclose(in);
	return rows;
}

static void rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		free(rows->items[i].text);
		free(rows->items[i].secret);
	}
	free(rows->items);
}

/* Where texts can be: in an event as UTF-8 or Latin-1, as the name of a thread, in bytes. */
enum place { IN_EVENT, IN_LATIN_1, IN_THREAD, IN_BYTES, PLACES };

static const char *hex(const char *text)
{
	static char digits[2 * MAX_TEXT + 1];

	for (size_t i = 0; text[i]; i++)
		snprintf(digits + 2 * i, 3, "%02x", (unsigned char)text[i]);
	return digits;
}

static void plant(struct craft *c, const char *text, enum place place, unsigned number)
{
	size_t len = strlen(text);

	if (place == IN_EVENT || place == IN_LATIN_1)
		craft_event(c, "20", "2000 b%d %zu x%s 0 0", place == IN_EVENT ? 3 : 5, len, hex(text));
	else if (place == IN_BYTES)
		craft_event(c, "20", "2000 null 0 %zu x%s", len, hex(text));
	else
		craft_event(c, "20", "2000 null %u 0", number + 1);
	craft_checkpoint(c, "1 " THREAD " 1 %u b3 %zu x%s", number + 1, place == IN_THREAD ? len : 1,
			 place == IN_THREAD ? hex(text) : "61");
}

/* All in one recording, as it is after scrub. */
static struct bytes scrub(const struct rows *rows, enum place first)
{
	struct bytes bytes = { 0 };
	struct craft c = { 0 };
	struct jfrec_error err = { 0 };
	struct jfrec_scrub_rules *rules = jfrec_scrub_rules_new(NULL);
	struct jfrec_scrubbed *report = NULL;
	struct jfrec_reader *r;
	struct jfrec_output *o;
	char path[64], block[4096];
	size_t got;
	FILE *in = NULL;

	craft_chunk(&c);
	for (unsigned i = 0; i < rows->count; i++)
		plant(&c, rows->items[i].text, (first + i) % PLACES, i);
	craft_metadata(&c, TYPES);
	craft_end(&c);
	snprintf(path, sizeof(path), "/tmp/jfrec-products-%d.jfr", (int)getpid());
	r = craft_open(&c, &err);
	o = jfrec_output_open(path, true, JFREC_PLAIN, &err);
	CHECK(jfrec_scrub_rules_add(rules, "default", NULL) == 0);
	if (r && o)
		report = jfrec_write_scrubbed(r, rules, NULL, NULL, o, &err);
	if (!CHECK(report && jfrec_output_commit(o, NULL) == 0))
		printf("# %s\n", err.text);
	in = fopen(path, "rb");
	while (in && (got = fread(block, 1, sizeof(block), in)) > 0)
		bytes_copy(&bytes, block, got);
	if (in)
		fclose(in);
	unlink(path);
	jfrec_scrubbed_free(report);
	jfrec_output_close(o);
	jfrec_reader_close(r);
	jfrec_scrub_rules_free(rules);
	craft_free(&c);
	return bytes;
}

static bool has(const struct bytes *b, const char *text)
{
	return memmem(b->data, b->len, text, strlen(text));
}

static void secrets_go(const char *directory)
{
	struct rows rows = load(directory, "kinds");

	for (enum place first = 0; first < PLACES; first++) {
		struct bytes bytes;

		test_begin("secrets_of_products_are_gone");
		bytes = scrub(&rows, first);
		CHECK(rows.count > 500 && bytes.len > 0);
		for (size_t i = 0; i < rows.count; i++) {
			if (!CHECK(!has(&bytes, rows.items[i].secret)))
				printf("# %s\n", rows.items[i].text);
		}
		bytes_free(&bytes);
	}
	rows_free(&rows);
}

static void others_stay(const char *directory)
{
	struct rows rows = load(directory, "harmless");
	struct bytes bytes;

	test_begin("harmless_texts_stay");
	bytes = scrub(&rows, IN_EVENT);
	CHECK(rows.count > 100);
	for (size_t i = 0; i < rows.count; i++) {
		if (!CHECK(has(&bytes, rows.items[i].text)))
			printf("# %s\n", rows.items[i].text);
	}
	bytes_free(&bytes);
	rows_free(&rows);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: test_products DIRECTORY\n", stderr);
		return 2;
	}
	secrets_go(argv[1]);
	others_stay(argv[1]);
	return test_end();
}
