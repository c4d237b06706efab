/* SPDX-License-Identifier: MIT */
/*
 * builder.c - recordings that no JVM writes, byte by byte
 */
#include "builder.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEADER_SIZE 68

static void die(const char *what, const char *words)
{
	printf("Bail out! %s: %.60s\n", what, words);
	exit(1);
}

static void *grown(void *old, size_t size)
{
	void *p = realloc(old, size);

	if (!p)
		die("out of memory", "");
	return p;
}

/* Bytes ------------------------------------------------------------------------------------------ */

void bytes_copy(struct bytes *b, const void *data, size_t len)
{
	if (b->len + len > b->room) {
		b->room = (b->len + len) * 2 + 64;
		b->data = grown(b->data, b->room);
	}
	if (len)
		memcpy(b->data + b->len, data, len);
	b->len += len;
}

void bytes_free(struct bytes *b)
{
	free(b->data);
	*b = (struct bytes){ 0 };
}

static void add_byte(struct bytes *b, uint64_t byte)
{
	uint8_t one = (uint8_t)byte;

	bytes_copy(b, &one, 1);
}

static void add_big_endian(struct bytes *b, uint64_t v, int width)
{
	while (width-- > 0)
		add_byte(b, v >> 8 * width);
}

/* In at least `width` bytes. */
static void add_varint(struct bytes *b, uint64_t v, int width)
{
	int n = 1;

	for (; n < 9 && (v >= 0x80 || n < width); n++) {
		add_byte(b, v | 0x80);
		v >>= 7;
	}
	add_byte(b, v);
}

static void add_string(struct bytes *b, int encoding, const char *s, size_t len)
{
	add_byte(b, (uint64_t)encoding);
	add_varint(b, len, 0);
	if (encoding != 4)
		bytes_copy(b, s, len);
	for (size_t i = 0; encoding == 4 && i < len; i++)
		add_varint(b, (uint8_t)s[i], 0);
}

static void add_text(struct bytes *b, int encoding, const char *word)
{
	const char *end = strchr(word, '\'');

	if (!end)
		die("no end of string", word);
	if (end == word)
		add_byte(b, 1);
	else
		add_string(b, encoding, word, (size_t)(end - word));
}

static void add_units(struct bytes *b, const char *word)
{
	struct bytes units = { 0 };
	uint64_t n = 0;
	char *end;

	for (; *word && *word != ' '; word = end + (*end == '.'), n++)
		add_varint(&units, strtoull(word, &end, 16), 0);
	add_byte(b, 4);
	add_varint(b, n, 0);
	bytes_copy(b, units.data, units.len);
	bytes_free(&units);
}

static void add_hex(struct bytes *b, const char *word)
{
	unsigned byte;

	for (; *word && *word != ' '; word += 2) {
		if (sscanf(word, "%2x", &byte) != 1)
			die("no hexadecimal bytes", word);
		add_byte(b, byte);
	}
}

static void add_number(struct bytes *b, const char *word)
{
	char *end;
	uint64_t v = strtoull(word, &end, 10);

	if (end == word || (*end && *end != ' ' && *end != ':'))
		die("no number", word);
	if (*end == ':')
		add_varint(b, strtoull(end + 1, NULL, 10), (int)v);
	else
		add_varint(b, v, 0);
}

static void add_word(struct bytes *b, const char *word)
{
	float f;
	double d;
	uint32_t bits;
	uint64_t more_bits;

	switch (*word) {
	case '\'':
		add_text(b, 3, word + 1);
		break;
	case 'l':
		add_text(b, 5, word + 2);
		break;
	case 'u':
		add_units(b, word + 1);
		break;
	case 'k':
		add_byte(b, 2);
		add_number(b, word + 1);
		break;
	case 'n':
		add_byte(b, 0);
		break;
	case 'b':
		add_byte(b, (uint64_t)atoi(word + 1));
		break;
	case 'x':
		add_hex(b, word + 1);
		break;
	case 'f':
		f = strtof(word + 1, NULL);
		memcpy(&bits, &f, sizeof(bits));
		add_big_endian(b, bits, 4);
		break;
	case 'd':
		d = strtod(word + 1, NULL);
		memcpy(&more_bits, &d, sizeof(more_bits));
		add_big_endian(b, more_bits, 8);
		break;
	default:
		add_number(b, word);
	}
}

/* Behind the word: blanks do not end what is quoted. */
static const char *after_word(const char *word)
{
	const char *quote = word + strcspn(word, " '");

	if (*quote == '\'')
		quote = strchr(quote + 1, '\'');
	return quote ? quote + strcspn(quote, " ") : "";
}

static __attribute__((format(printf, 2, 0))) void add_words(struct bytes *b, const char *format,
							    va_list args)
{
	char *words;

	if (vasprintf(&words, format, args) < 0)
		die("out of memory", "");
	for (const char *w = words + strspn(words, " "); *w; w += strspn(w, " ")) {
		add_word(b, w);
		w = after_word(w);
	}
	free(words);
}

void bytes_add(struct bytes *b, const char *words, ...)
{
	va_list args;

	va_start(args, words);
	add_words(b, words, args);
	va_end(args);
}

/* Chunks ----------------------------------------------------------------------------------------- */

static int field_width(enum craft_field field)
{
	switch (field) {
	case CRAFT_MAGIC:
	case CRAFT_VERSION:
		return 4;
	case CRAFT_GENERATION:
		return 1;
	case CRAFT_FLAGS:
		return 2;
	default:
		return 8;
	}
}

void craft_set(struct craft *c, enum craft_field field, uint64_t value)
{
	struct bytes b = { 0 };

	add_big_endian(&b, value, field_width(field));
	memcpy(c->bytes.data + c->chunk + field, b.data, b.len);
	bytes_free(&b);
}

void craft_chunk(struct craft *c)
{
	static const uint8_t header[HEADER_SIZE];

	c->chunk = c->bytes.len;
	c->checkpoint = c->metadata = 0;
	bytes_copy(&c->bytes, header, sizeof(header));
	craft_set(c, CRAFT_MAGIC, 0x464c5200);
	craft_set(c, CRAFT_VERSION, 2 << 16 | 1);
	craft_set(c, CRAFT_START_NS, UINT64_C(1700000000000000000));
	craft_set(c, CRAFT_DURATION_NS, 1000000000);
	craft_set(c, CRAFT_START_TICKS, 1000);
	craft_set(c, CRAFT_FREQUENCY, 1000000000);
	craft_set(c, CRAFT_FLAGS, 1);
}

void craft_end(struct craft *c)
{
	craft_set(c, CRAFT_SIZE, c->bytes.len - c->chunk);
	craft_set(c, CRAFT_CHECKPOINT, c->checkpoint);
	craft_set(c, CRAFT_METADATA, c->metadata);
}

size_t craft_raw(struct craft *c, const char *words, ...)
{
	size_t at = c->bytes.len - c->chunk;
	va_list args;

	va_start(args, words);
	add_words(&c->bytes, words, args);
	va_end(args);
	return at;
}

void craft_cut(struct craft *c, size_t n)
{
	c->bytes.len -= n;
}

size_t craft_event_of(struct craft *c, const char *type, const struct bytes *payload)
{
	size_t at = c->bytes.len - c->chunk;
	struct bytes body = { 0 };
	int width = c->size_width ? c->size_width : 1;

	bytes_add(&body, "%s", type);
	bytes_copy(&body, payload->data, payload->len);
	/* The size counts its own bytes. */
	while (!c->size_width && width < 9 && (body.len + (size_t)width) >> 7 * width)
		width++;
	add_varint(&c->bytes, body.len + (size_t)width, width);
	bytes_copy(&c->bytes, body.data, body.len);
	bytes_free(&body);
	return at;
}

size_t craft_event(struct craft *c, const char *type, const char *words, ...)
{
	struct bytes payload = { 0 };
	va_list args;
	size_t at;

	va_start(args, words);
	add_words(&payload, words, args);
	va_end(args);
	at = craft_event_of(c, type, &payload);
	bytes_free(&payload);
	return at;
}

static size_t checkpoint(struct craft *c, int kind, const struct bytes *pools)
{
	size_t at = c->bytes.len - c->chunk;
	int64_t delta = c->checkpoint ? (int64_t)c->checkpoint - (int64_t)at : 0;
	struct bytes payload = { 0 };

	bytes_add(&payload, "1000 0 %lld b%d", (long long)delta, kind);
	bytes_copy(&payload, pools->data, pools->len);
	c->checkpoint = craft_event_of(c, "1", &payload);
	bytes_free(&payload);
	return at;
}

size_t craft_checkpoint_of(struct craft *c, const struct bytes *pools)
{
	return checkpoint(c, 0, pools);
}

size_t craft_flush(struct craft *c, const char *words, ...)
{
	struct bytes pools = { 0 };
	va_list args;
	size_t at;

	va_start(args, words);
	add_words(&pools, words, args);
	va_end(args);
	at = checkpoint(c, 3, &pools);
	bytes_free(&pools);
	craft_end(c);
	craft_set(c, CRAFT_GENERATION, 1);
	return at;
}

size_t craft_checkpoint(struct craft *c, const char *words, ...)
{
	struct bytes pools = { 0 };
	va_list args;
	size_t at;

	va_start(args, words);
	add_words(&pools, words, args);
	va_end(args);
	at = craft_checkpoint_of(c, &pools);
	bytes_free(&pools);
	return at;
}

/* Metadata --------------------------------------------------------------------------------------- */

/* The table of strings while the element is written. */
struct table {
	char **strings;
	size_t count;
};

static size_t index_of(struct table *t, const char *s, size_t len)
{
	size_t i = 0;

	while (i < t->count && (strlen(t->strings[i]) != len || memcmp(t->strings[i], s, len)))
		i++;
	if (i == t->count) {
		t->strings = grown(t->strings, ++t->count * sizeof(*t->strings));
		t->strings[i] = strndup(s, len);
	}
	return i;
}

/* Write the index of the word at *at, and go behind it. */
static void add_index(struct bytes *b, struct table *t, const char **at)
{
	bool quoted = **at == '\'';
	const char *word = *at + quoted;
	size_t len = strcspn(word, quoted ? "'" : " =()");

	*at = word + len + quoted;
	add_varint(b, *word == '@' && !quoted ? strtoull(word + 1, NULL, 10) : index_of(t, word, len), 0);
}

/* A number behind a word that says what is promised, such as "children:". */
static bool promised(const char **at, const char *word, uint64_t *count)
{
	if (strncmp(*at, word, strlen(word)) != 0)
		return false;
	*count = strtoull(*at + strlen(word), (char **)at, 10);
	return true;
}

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " ");
}

/* Write the element whose "(" is at *at, and go behind its ")". */
static void add_element(struct bytes *b, struct table *t, const char **at)
{
	struct bytes attributes = { 0 }, children = { 0 };
	uint64_t attribute_count = 0, child_count = 0, lie;
	uint64_t said_attributes = UINT64_MAX, said_children = UINT64_MAX;

	if (**at != '(')
		die("no element", *at);
	*at = skip_blanks(*at + 1);
	add_index(b, t, at);
	for (*at = skip_blanks(*at); **at != ')'; *at = skip_blanks(*at)) {
		if (!**at)
			die("an element has no end", "");
		if (promised(at, "attributes:", &lie)) {
			said_attributes = lie;
		} else if (promised(at, "children:", &lie)) {
			said_children = lie;
		} else if (**at == '(') {
			add_element(&children, t, at);
			child_count++;
		} else {
			add_index(&attributes, t, at);
			if (**at != '=')
				die("an attribute has no value", *at);
			++*at;
			add_index(&attributes, t, at);
			attribute_count++;
		}
	}
	++*at;
	add_varint(b, said_attributes == UINT64_MAX ? attribute_count : said_attributes, 0);
	bytes_copy(b, attributes.data, attributes.len);
	add_varint(b, said_children == UINT64_MAX ? child_count : said_children, 0);
	bytes_copy(b, children.data, children.len);
	bytes_free(&attributes);
	bytes_free(&children);
}

size_t craft_metadata_of(struct craft *c, const char *element)
{
	struct bytes body = { 0 }, payload = { 0 };
	struct table t = { 0 };
	const char *at = element;

	add_element(&body, &t, &at);
	if (*skip_blanks(at))
		die("something is behind the element", at);
	bytes_add(&payload, "1000 0 1 %zu", t.count);
	for (size_t i = 0; i < t.count; i++) {
		add_string(&payload, c->string_encoding ? c->string_encoding : 3, t.strings[i],
			   strlen(t.strings[i]));
		free(t.strings[i]);
	}
	bytes_copy(&payload, body.data, body.len);
	c->metadata = craft_event_of(c, "0", &payload);
	free(t.strings);
	bytes_free(&body);
	bytes_free(&payload);
	return c->metadata;
}

static const char basic_types[] =
	CLASS(T_BOOLEAN, "boolean")
	CLASS(T_BYTE, "byte")
	CLASS(T_CHAR, "char")
	CLASS(T_SHORT, "short")
	CLASS(T_INT, "int")
	CLASS(T_LONG, "long")
	CLASS(T_FLOAT, "float")
	CLASS(T_DOUBLE, "double")
	CLASS(T_STRING, "java.lang.String")
#define MARK "superType=java.lang.annotation.Annotation "
#define VALUE FIELD("value", T_STRING)
#define CONTENT ANNOTATION(T_CONTENT_TYPE)
	CLASS(T_TIMESTAMP, "jdk.jfr.Timestamp", MARK VALUE CONTENT)
	CLASS(T_TIMESPAN, "jdk.jfr.Timespan", MARK VALUE CONTENT)
	CLASS(T_UNSIGNED, "jdk.jfr.Unsigned", MARK CONTENT)
	CLASS(T_CONTENT_TYPE, "jdk.jfr.ContentType", MARK)
	CLASS(T_CATEGORY, "jdk.jfr.Category", MARK FIELD("value", T_STRING, ARRAY))
	CLASS(T_LABEL, "jdk.jfr.Label", MARK VALUE);

size_t craft_metadata(struct craft *c, const char *classes)
{
	char *element;
	size_t at;

	if (asprintf(&element, "(root (metadata %s %s) (region))", basic_types, classes) < 0)
		die("out of memory", "");
	at = craft_metadata_of(c, element);
	free(element);
	return at;
}

/* The file --------------------------------------------------------------------------------------- */

const char *craft_path(struct craft *c)
{
	static char path[64];

	if (!c->fd) {
		c->fd = memfd_create("recording", MFD_CLOEXEC);
		if (c->fd <= 0 || write(c->fd, c->bytes.data, c->bytes.len) != (ssize_t)c->bytes.len)
			die("no file", "");
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->fd);
	return path;
}

struct jfrec_reader *craft_open(struct craft *c, struct jfrec_error *err)
{
	return jfrec_reader_open(craft_path(c), NULL, err);
}

void craft_free(struct craft *c)
{
	bytes_free(&c->bytes);
	if (c->fd > 0)
		close(c->fd);
	*c = (struct craft){ 0 };
}
