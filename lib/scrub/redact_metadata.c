/* SPDX-License-Identifier: MIT */
/*
 * redact_metadata.c - remove secrets from metadata
 *
 * Words of the metadata are of three kinds.  What the format itself needs (names
 * of elements and attributes, ids, numbers) never changes.  Names (of types,
 * fields, settings) and texts (labels, descriptions, default values) may.  One
 * string can be all of them, so strings are sorted out by their uses, and all
 * indices are new.
 *
 * Elements and attributes that JFR does not have are left out: no tool shows them, and so no user
 * would see what is in them.
 *
 * The words of the JDK's own types are not secrets, whatever a rule finds: who
 * has the password "thread" cannot hide it.  They are not searched for.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "jfrec-tool.h"
#include "scrub/redact.h"

enum role { ROLE_FIXED, ROLE_NAME, ROLE_TEXT, ROLE_COUNT };

struct words {
	struct redactor *redactor;
	struct cursor c;
	const uint8_t **at; /* of strings */
	const uint8_t *strings_end;
	uint64_t count;
	bool is_jdk; /* what is inside is the JDK's */
	uint8_t *elements_known; /* by string: its element below, plus 1; 0: not looked up */
	bool has_unknown;	 /* elements or attributes that JFR does not have */
	/* Second pass: */
	uint64_t *index; /* by string and role, plus 1 */
	uint64_t written;
	struct buffer strings, elements;
};

static struct string string_at(const struct words *w, uint64_t i)
{
	struct cursor c = { .pos = w->at[i], .end = w->strings_end };

	return string_read(&c);
}

static bool is(const struct words *w, uint64_t i, const char *word)
{
	struct string s = string_at(w, i);
	size_t len = strlen(word);

	/* Names of the format are ASCII, and so the same bytes in every encoding. */
	return s.len == len && memcmp(s.bytes, word, len) == 0;
}

/* What says how a number is meant. */
static bool is_unit(const char *text, size_t len)
{
	static const char *const units[] = {
		"TICKS",   "NANOSECONDS", "MICROSECONDS",
		"SECONDS", "BYTES",	  "MILLISECONDS",
		"BITS",	   "true",	  "MILLISECONDS_SINCE_EPOCH",
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strlen(units[i]) == len && memcmp(units[i], text, len) == 0)
			return true;
	}
	return false;
}

/* Uses ----------------------------------------------------------------------------------------- */

/* What becomes of a string in its role; NULL if it stays as it is. */
static const struct buffer *changed(struct words *w, struct string s, enum role role)
{
	struct redactor *r = w->redactor;
	struct spot spot = {
		.type = "metadata",
		.field = role == ROLE_NAME ? "name" : "text",
		.is_name = role == ROLE_NAME,
	};
	rule_set rules = role == ROLE_NAME ? r->paths.names : r->paths.texts;
	const char *text;
	size_t len;

	if (role == ROLE_FIXED || s.len == 0)
		return NULL;
	text = string_text(&r->scratch, s, &len);
	if (!text) {
		w->elements.failed = true;
		return NULL;
	}
	if (w->is_jdk)
		rule_set_keep(&rules, &r->paths.specific);
	return is_unit(text, len) ? NULL : redact_text(r, rules, &spot, text, len);
}

static void learn(struct words *w, struct string s, enum role role)
{
	struct buffer *to = &w->redactor->all->vocabulary;
	const char *text;
	size_t len;

	if (role != ROLE_FIXED && !w->is_jdk) {
		changed(w, s, role);
		return;
	}
	text = s.len ? string_text(&w->redactor->scratch, s, &len) : NULL;
	if (text) {
		buffer_put(to, text, len);
		buffer_u8(to, '\n');
	}
}

/* Write the string, and return its index plus 1. */
static uint64_t put_string(struct words *w, uint64_t i, enum role role)
{
	struct string s = string_at(w, i);
	uint64_t *same = &w->index[i * ROLE_COUNT + ROLE_FIXED];
	const struct buffer *now = changed(w, s, role);
	struct cursor c = { .pos = w->at[i], .end = w->strings_end };

	if (now) {
		redact_encode(&w->strings, s.encoding, now);
		return ++w->written;
	}
	if (!*same) {
		string_skip(&c);
		buffer_put(&w->strings, w->at[i], (size_t)(c.pos - w->at[i]));
		*same = ++w->written;
	}
	return *same;
}

/* A word of an element; returns the index of the string. */
static uint64_t take_word(struct words *w, enum role role)
{
	uint64_t i = cursor_varint(&w->c), *index;

	if (i >= w->count) {
		cursor_spoil(&w->c);
		return 0;
	}
	if (w->redactor->collecting) {
		learn(w, string_at(w, i), role);
		return i;
	}
	index = &w->index[i * ROLE_COUNT + role];
	if (!*index)
		*index = put_string(w, i, role);
	buffer_varint(&w->elements, *index - 1);
	return i;
}

/* Elements ------------------------------------------------------------------------------------- */

/* Attributes of an element, parted by blanks; "*": any. */
struct known_element {
	const char *name, *keys;
};

static const struct known_element known_elements[] = {
	{ "field", " name class dimension constantPool " },
	{ "annotation", "*" },
	{ "class", " name id superType simpleType " },
	{ "setting", " name class defaultValue " },
	{ "root", "" },
	{ "metadata", "" },
	{ "region", " locale gmtOffset dst " },
};

#define KNOWN_COUNT (sizeof(known_elements) / sizeof(*known_elements))

/* NULL: JFR has no such element. */
static const struct known_element *known(const struct words *w, uint64_t element)
{
	uint8_t *at = &w->elements_known[element];

	if (!*at) {
		while (*at < KNOWN_COUNT && !is(w, element, known_elements[*at].name))
			(*at)++;
		(*at)++;
	}
	return *at <= KNOWN_COUNT ? &known_elements[*at - 1] : NULL;
}

static bool has_key(const struct words *w, const struct known_element *k, uint64_t key)
{
	struct string s = string_at(w, key);
	const char *at = k->keys;

	if (*k->keys == '*')
		return true;
	if (s.len == 0 || memchr(s.bytes, ' ', s.len))
		return false;
	while ((at = strchr(at, ' ')) && at[1]) {
		at++;
		if (strcspn(at, " ") == s.len && memcmp(at, s.bytes, s.len) == 0)
			return true;
	}
	return false;
}

/* A number, or what is said of flags: nothing else is needed as it is. */
static bool is_plain(struct string s)
{
	static const char digits[] = "-0123456789";
	size_t i = 0;

	while (i < s.len && memchr(digits, s.bytes[i], sizeof(digits) - 1))
		i++;
	return i == s.len || (s.len == 4 && memcmp(s.bytes, "true", 4) == 0) ||
	       (s.len == 5 && memcmp(s.bytes, "false", 5) == 0);
}

static enum role role_of_key(const struct words *w, uint64_t element, uint64_t key)
{
	struct string s = string_at(w, key);

	if (!is(w, element, "annotation") || is(w, key, "class") ||
	    (s.len >= 5 && memcmp(s.bytes, "value", 5) == 0 && s.len <= 8))
		return ROLE_FIXED;
	return ROLE_NAME;
}

static enum role role_of(const struct words *w, uint64_t element, uint64_t key, uint64_t value)
{
	if (is(w, key, "name") || is(w, key, "superType"))
		return is(w, element, "annotation") ? ROLE_TEXT : ROLE_NAME;
	if (is(w, element, "annotation") && !is(w, key, "class"))
		return ROLE_TEXT;
	if (is(w, key, "defaultValue") || is(w, key, "locale"))
		return ROLE_TEXT;
	return value < w->count && is_plain(string_at(w, value)) ? ROLE_FIXED : ROLE_TEXT;
}

static uint64_t read_count(struct cursor *c)
{
	uint64_t n = cursor_varint(c);

	if (n > cursor_left(c))
		cursor_spoil(c);
	return n;
}

static void put_count(struct words *w, uint64_t n)
{
	if (!w->redactor->collecting)
		buffer_varint(&w->elements, n);
}

/* The index of a string; 0 with a bad cursor. */
static uint64_t read_word(const struct words *w, struct cursor *c)
{
	uint64_t i = cursor_varint(c);

	if (i < w->count)
		return i;
	cursor_spoil(c);
	return 0;
}

static uint64_t count_known_keys(const struct words *w, const struct known_element *k,
				 struct cursor c, uint64_t n);

/* Go through an element; is there something in it that JFR does not have? */
static bool has_unknown(const struct words *w, struct cursor *c)
{
	uint64_t element = read_word(w, c), n = read_count(c);
	const struct known_element *k = c->bad ? NULL : known(w, element);
	bool found = !k || (*k->keys != '*' && count_known_keys(w, k, *c, n) < n);

	cursor_skip_varints(c, 2 * n);
	for (n = read_count(c); n && !c->bad && !found; n--)
		found = has_unknown(w, c);
	return found;
}

/* How many of the n attributes that come next stay. */
static uint64_t count_known_keys(const struct words *w, const struct known_element *k,
				 struct cursor c, uint64_t n)
{
	uint64_t found = 0;

	for (; n && !c.bad; n--) {
		uint64_t key = read_word(w, &c);

		cursor_varint(&c);
		found += !c.bad && k && has_key(w, k, key);
	}
	return found;
}

/* Go through an element; is it, or is in it, what readers look for wherever it is? */
static bool has_class(const struct words *w, struct cursor *c)
{
	uint64_t element = read_word(w, c);
	bool found = !c->bad && (is(w, element, "class") || is(w, element, "region"));

	cursor_skip_varints(c, 2 * read_count(c));
	for (uint64_t n = read_count(c); n && !c->bad; n--)
		found |= has_class(w, c);
	return found;
}

/* Does the element stay?  One that JFR does not have does if it has classes in it. */
static bool stays(const struct words *w, struct cursor *c)
{
	struct cursor at = *c;
	uint64_t element = read_word(w, &at);
	bool found = has_class(w, c);

	return found || (!at.bad && known(w, element));
}

/* The same of elements. */
static uint64_t count_known_elements(const struct words *w, uint64_t n)
{
	struct cursor c = w->c;
	uint64_t found = 0;

	for (; n && !c.bad; n--)
		found += stays(w, &c);
	return found;
}

static bool is_jdk_name(struct string s)
{
	static const char *const prefixes[] = { "jdk.", "java.", "com.oracle.j" };
	static const char *const primitives[] = { "boolean", "byte", "char",  "short",
						  "int",     "long", "float", "double" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		if (s.len > strlen(prefixes[i]) &&
		    memcmp(s.bytes, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	}
	for (size_t i = 0; i < sizeof(primitives) / sizeof(*primitives); i++) {
		if (s.len == strlen(primitives[i]) && memcmp(s.bytes, primitives[i], s.len) == 0)
			return true;
	}
	return false;
}

bool jfrec_scrub_keeps_type(const char *name)
{
	return is_jdk_name((struct string){ .bytes = (const uint8_t *)name, .len = strlen(name) });
}

/* Is the class, whose attributes come next, one that every JVM has? */
static bool is_jdk_class(const struct words *w)
{
	struct cursor c = w->c;
	bool found = false;

	for (uint64_t n = cursor_varint(&c); n && !c.bad && !found; n--) {
		uint64_t key = cursor_varint(&c), value = cursor_varint(&c);

		if (key < w->count && value < w->count && is(w, key, "name"))
			found = is_jdk_name(string_at(w, value));
	}
	return found;
}

/* What is left out is looked at once, for secrets that are elsewhere, too. */
static void take_attributes(struct words *w, uint64_t element)
{
	const struct known_element *k = known(w, element);
	uint64_t n = read_count(&w->c), kept = n;

	if (w->has_unknown)
		kept = count_known_keys(w, k, w->c, n);
	w->redactor->redacted.unknown_metadata += n - kept;
	put_count(w, kept);
	for (; n && !w->c.bad; n--) {
		struct cursor at = w->c;
		uint64_t key = read_word(w, &at), value = read_word(w, &at);

		if (at.bad) {
			w->c = at;
		} else if (!w->has_unknown || (k && has_key(w, k, key))) {
			take_word(w, role_of_key(w, element, key));
			take_word(w, role_of(w, element, key, value));
		} else {
			w->c = at;
		}
	}
}

static void take_element(struct words *w);

static void take_children(struct words *w)
{
	uint64_t n = read_count(&w->c), kept = w->has_unknown ? count_known_elements(w, n) : n;

	w->redactor->redacted.unknown_metadata += n - kept;
	put_count(w, kept);
	for (; n && !w->c.bad; n--) {
		struct cursor at = w->c;

		if (!w->has_unknown || stays(w, &at) || at.bad)
			take_element(w);
		else
			w->c = at;
	}
}

static void take_element(struct words *w)
{
	uint64_t element = take_word(w, ROLE_FIXED);
	bool outside = w->is_jdk;

	if (!w->c.bad && is(w, element, "class"))
		w->is_jdk = is_jdk_class(w);
	if (!w->c.bad)
		take_attributes(w, element);
	if (!w->c.bad)
		take_children(w);
	w->is_jdk = outside;
}

/* All of it ------------------------------------------------------------------------------------ */

/* Stand after the strings, which are then known by their index. */
static int find_strings(struct words *w, const struct metadata *m)
{
	w->c = cursor_over(m->content, m->used_len);
	cursor_varint(&w->c);
	w->count = cursor_varint(&w->c);
	if (w->c.bad || w->count > cursor_left(&w->c))
		return -1;
	w->at = malloc((w->count + 1) * sizeof(*w->at));
	for (uint64_t i = 0; w->at && i < w->count; i++) {
		w->at[i] = w->c.pos;
		string_skip(&w->c);
	}
	w->strings_end = w->c.pos;
	w->elements_known = calloc(w->count + 1, 1);
	return w->at && w->elements_known && !w->c.bad ? 0 : -1;
}

static void words_fini(struct words *w)
{
	free(w->at);
	free(w->index);
	free(w->elements_known);
	buffer_fini(&w->strings);
	buffer_fini(&w->elements);
	arena_clear(&w->redactor->scratch);
}

void redact_learn(struct redactor *r, const struct metadata *m)
{
	struct words w = { .redactor = r };

	if (r->all->learnt == m)
		return;
	metadata_unref(r->all->learnt);
	r->all->learnt = metadata_ref((struct metadata *)m);
	if (find_strings(&w, m) == 0)
		take_element(&w);
	else
		r->all->vocabulary.failed = true;
	words_fini(&w);
}

static void put_content(const struct words *w, uint64_t id, struct buffer *to)
{
	buffer_varint(to, id);
	buffer_varint(to, w->written);
	buffer_put(to, w->strings.data, w->strings.len);
	buffer_put(to, w->elements.data, w->elements.len);
	to->failed |= w->strings.failed | w->elements.failed;
}

int redact_metadata(struct redactor *r, const struct metadata *m, struct buffer *to,
		    struct jfrec_error *err)
{
	struct words w = { .redactor = r };
	bool good = find_strings(&w, m) == 0 &&
		    (w.index = calloc(w.count + 1, ROLE_COUNT * sizeof(*w.index)));

	if (good) {
		struct cursor c = w.c;

		w.has_unknown = has_unknown(&w, &c);
		take_element(&w);
		put_content(&w, m->id, to);
	}
	good = good && !w.c.bad && !to->failed && !w.elements.failed &&
	       !r->redacted.findings.failed;
	words_fini(&w);
	return good ? 1 : jfrec_fail_memory(err);
}
