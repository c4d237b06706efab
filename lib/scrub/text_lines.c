/* SPDX-License-Identifier: MIT */
/*
 * text_lines.c - remove secrets from dumps, flags, logs and other texts, by lines
 *
 * The rules are those for events: a line of an environment is looked at as the event that has the
 * variable, a command line as the event of the JVM's arguments.  A line is looked at a second time
 * as a whole, since rules such as "password=..." need no event.
 */
#include "jfrec/tool/texts.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scrub/rules.h"
#include "scrub/shown_secrets.h"

/* Expressions take time that grows with the line: what is longer is left out. */
#define LINE_MOST (64u << 10)

/* Lines that are known to have nothing are remembered: dumps repeat their frames. */
#define MOST_KNOWN (1u << 20)

struct lines {
	struct secrets secrets;
	enum jfrec_text_kind kind;
	struct buffer line, value; /* as it is; as the first look leaves it */
	struct digest_map plain;
	bool learns;
	bool is_environment; /* of a crash log: from "Environment Variables:" to an empty line */
};

static const struct text_spot anywhere = { NULL, NULL, NULL };

/* What a line is ------------------------------------------------------------------------------- */

/* The part of a line that is judged as the field of an event. */
struct part {
	struct text_spot spot;
	size_t from, to; /* from == to: none */
};

/* Of a crash log, with options and what runs in one. */
#define COMMAND_LINE "Command Line: "

/* Lines that begin like that are command lines, wherever they are. */
static const struct {
	const char *head, *event, *field;
} command_lines[] = {
	{ "jvm_args: ", "jdk.JVMInformation", "jvmArguments" },
	{ "java_command: ", "jdk.JVMInformation", "javaArguments" },
	{ COMMAND_LINE, "jdk.JVMInformation", "jvmArguments" },
	{ "java.rt.vmArgs=\"", "jdk.JVMInformation", "jvmArguments" },
	{ "java.rt.vmFlags=\"", "jdk.JVMInformation", "jvmFlags" },
	{ "sun.rt.javaCommand=\"", "jdk.JVMInformation", "javaArguments" },
};

/* What runs stays, its arguments do not: the first word that is no option, nor the path of one. */
static size_t end_of_main(const char *line, size_t at)
{
	bool is_path = false;

	for (;;) {
		size_t end;

		at += strspn(line + at, " ");
		end = at + strcspn(line + at, " ");
		if (!line[at])
			return at;
		if (line[at] != '-' && !is_path)
			return end;
		is_path = strncmp(line + at, "-cp ", 4) == 0 || strncmp(line + at, "-p ", 3) == 0 ||
			  strncmp(line + at, "-classpath ", 11) == 0;
		at = end;
	}
}

static bool find_command_line(const char *line, size_t len, struct part *p)
{
	for (size_t i = 0; i < sizeof(command_lines) / sizeof(*command_lines); i++) {
		size_t head = strlen(command_lines[i].head);

		if (len <= head || memcmp(line, command_lines[i].head, head) != 0)
			continue;
		*p = (struct part){ { command_lines[i].event, command_lines[i].field, NULL },
				    head, len };
		if (line[head - 1] == '"' && line[len - 1] == '"')
			p->to--;
		if (strcmp(command_lines[i].head, COMMAND_LINE) == 0)
			p->to = end_of_main(line, head);
		return true;
	}
	return false;
}

/* Is the text up to `len` a name as environments have it? */
static bool is_variable(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	}
	return len && !isdigit((unsigned char)*text);
}

/* "   ccstr OnError     = kill -9 %p        {product} {command line}" */
static bool find_flag(char *line, size_t len, struct part *p)
{
	char *equals = strstr(line, " = "), *name, *end, *brace, *value;

	if (!equals)
		return false;
	for (end = equals; end > line && end[-1] == ' ';)
		end--;
	for (name = end; name > line && name[-1] != ' ';)
		name--;
	value = equals + 3;
	brace = strstr(value, " {");
	len = brace ? (size_t)(brace - line) : len;
	while (len > (size_t)(value - line) && line[len - 1] == ' ')
		len--;
	*p = (struct part){ { "jdk.StringFlag", "value", name }, (size_t)(value - line), len };
	if (p->from >= p->to)
		return false;
	*end = '\0';
	return true;
}

static bool has_flags(const struct lines *l, const char *line)
{
	return l->kind == JFREC_TEXT_FLAGS ||
	       (l->kind == JFREC_TEXT_CRASH && strncmp(line + strspn(line, " "), "ccstr", 5) == 0);
}

/* `=` that is not escaped: "user\=name=x". */
static char *end_of_name(char *line)
{
	while (*line && *line != '=')
		line += *line == '\\' && line[1] ? 2 : 1;
	return *line ? line : NULL;
}

/*
 * Find the part, and end its name, for which the line is changed.  The byte that was there is given
 * back in *taken and *was.
 */
static bool find_part(struct lines *l, char *line, size_t len, struct part *p, char **taken,
		      char *was)
{
	static const char property[] = "java.property.";
	char *equals;

	*taken = NULL;
	if (find_command_line(line, len, p))
		return true;
	if (has_flags(l, line) && find_flag(line, len, p)) {
		*taken = line + strlen(line);
		*was = ' ';
		return true;
	}
	equals = l->kind == JFREC_TEXT_PROPERTIES ? end_of_name(line) : strchr(line, '=');
	if (!equals || l->kind == JFREC_TEXT_PLAIN || l->kind == JFREC_TEXT_FLAGS)
		return false;
	if (l->kind == JFREC_TEXT_CRASH &&
	    (!l->is_environment || !is_variable(line, (size_t)(equals - line))))
		return false;
	*p = (struct part){ .from = (size_t)(equals + 1 - line), .to = len };
	p->spot = (struct text_spot){ l->kind == JFREC_TEXT_PROPERTIES ||
						      l->kind == JFREC_TEXT_COUNTERS
					      ? "jdk.InitialSystemProperty"
					      : "jdk.InitialEnvironmentVariable",
				      "value", line };
	if (l->kind == JFREC_TEXT_COUNTERS) {
		if (strncmp(line, property, strlen(property)) != 0)
			return false;
		p->spot.name = line + strlen(property);
		p->from += line[p->from] == '"';
		p->to -= p->to > p->from && line[p->to - 1] == '"';
	}
	*taken = equals;
	*was = '=';
	*equals = '\0';
	return true;
}

/* "jdbc\:oracle\:x" as the JVM has it; line feeds stay as they are written. */
static void take_back_escapes(struct buffer *value)
{
	char *from = (char *)value->data, *to = from;

	for (; *from; from++) {
		if (*from == '\\' && from[1] && !strchr("nrtfu", from[1]))
			from++;
		*to++ = *from;
	}
	*to = '\0';
	value->len = (size_t)(to - (char *)value->data) + 1;
}

/* A line --------------------------------------------------------------------------------------- */

static void put_text(struct buffer *b, const char *text)
{
	buffer_put(b, text, strlen(text));
}

/* The value of the part, which ends in NUL. */
static void copy_value(struct lines *l, const char *line, const struct part *p)
{
	buffer_clear(&l->value);
	buffer_put(&l->value, line + p->from, p->to - p->from);
	buffer_u8(&l->value, 0);
	if (l->kind == JFREC_TEXT_PROPERTIES && !l->value.failed)
		take_back_escapes(&l->value);
}

static bool learn_line(struct lines *l, char *line, size_t len)
{
	struct part p;
	char *taken, was;

	if (find_part(l, line, len, &p, &taken, &was)) {
		copy_value(l, line, &p);
		if (l->value.failed ||
		    !secrets_learn(&l->secrets, &p.spot, (const char *)l->value.data))
			return false;
	}
	if (taken)
		*taken = was;
	return secrets_learn(&l->secrets, &anywhere, line);
}

/* The line with its part redacted, in l->line. */
static void redact_part(struct lines *l, char *line, size_t len)
{
	struct part p;
	char *taken, was;
	const char *shown = NULL;
	bool has_rest = false;

	buffer_clear(&l->line);
	if (find_part(l, line, len, &p, &taken, &was)) {
		copy_value(l, line, &p);
		shown = l->value.failed ? RULES_MASK
					: secrets_redact(&l->secrets, &p.spot,
							 (const char *)l->value.data);
		if (!l->value.failed && shown == (const char *)l->value.data)
			shown = NULL;
		has_rest = p.to < len && strncmp(line, COMMAND_LINE, strlen(COMMAND_LINE)) == 0;
	}
	if (taken)
		*taken = was;
	if (shown) {
		buffer_put(&l->line, line, p.from);
		put_text(&l->line, shown);
	} else {
		p.to = has_rest ? p.to : len;
		buffer_put(&l->line, line, p.to);
	}
	if (has_rest)
		put_text(&l->line, " " RULES_MASK);
	else
		buffer_put(&l->line, line + p.to, len - p.to);
	buffer_u8(&l->line, 0);
}

static bool is_known(struct lines *l, struct digest d)
{
	return digest_map_get(&l->plain, d) != 0;
}

static int put(const struct jfrec_secret_text *t, const char *text, size_t len,
	       struct jfrec_error *err)
{
	int sys = len ? t->write(t->ctx, text, len) : 0;

	return sys ? jfrec_fail_output(err, sys) : 0;
}

static int write_line(struct lines *l, const struct jfrec_secret_text *t, char *line, size_t len,
		      uint64_t *redacted, struct jfrec_error *err)
{
	struct digest d = DIGEST_INIT;
	const char *shown;
	uint64_t *slot;

	digest_word(&d, t->kind * 2 + l->is_environment);
	digest_bytes(&d, line, len);
	if (is_known(l, d))
		return put(t, line, len, err);
	redact_part(l, line, len);
	if (l->line.failed)
		return jfrec_fail_memory(err);
	shown = secrets_redact(&l->secrets, &anywhere, (const char *)l->line.data);
	if (strcmp(shown, line) != 0) {
		++*redacted;
		return put(t, shown, strlen(shown), err);
	}
	if (l->plain.count >= MOST_KNOWN)
		digest_map_clear(&l->plain);
	slot = digest_map_put(&l->plain, d);
	if (slot)
		*slot = 1;
	return put(t, line, len, err);
}

/* Texts ---------------------------------------------------------------------------------------- */

/* The end of the line, or of the private key, that begins at `at`: without its line feed. */
static const char *end_of_line(const char *at, const char *end)
{
	const char *feed = memchr(at, '\n', (size_t)(end - at)), *key;

	if (!feed)
		return end;
	key = memmem(at, (size_t)(feed - at), "-----BEGIN ", 11);
	if (!key || !memmem(key, (size_t)(feed - key), "PRIVATE KEY", 11))
		return feed;
	if ((size_t)(end - at) > LINE_MOST / 2)
		end = at + LINE_MOST / 2;
	key = memmem(feed, (size_t)(end - feed), "-----END ", 9);
	if (!key)
		return end;
	feed = memchr(key, '\n', (size_t)(end - key));
	return feed ? feed : end;
}

static int write_long(const struct jfrec_secret_text *t, size_t len, struct jfrec_error *err)
{
	char text[100];
	int n = snprintf(text, sizeof(text), "[a line of %zu bytes, too long to look for secrets in]",
			 len);

	return put(t, text, (size_t)n, err);
}

/* A copy that ends in NUL and has no other; room is LINE_MOST + 1. */
static void copy_line(char *room, const char *at, size_t len)
{
	for (size_t i = 0; i < len; i++)
		room[i] = at[i] ? at[i] : ' ';
	room[len] = '\0';
}

static void follow_sections(struct lines *l, const char *line)
{
	if (strcmp(line, "Environment Variables:") == 0)
		l->is_environment = true;
	else if (!*line)
		l->is_environment = false;
}

static int take_text(struct lines *l, const struct jfrec_secret_text *t, char *room,
		     struct jfrec_error *err)
{
	const char *at = t->bytes, *end = t->bytes + t->len, *stop;
	uint64_t redacted = 0;
	int ret = 0, sys;

	l->kind = t->kind;
	l->is_environment = false;
	for (; at < end && ret == 0; at = stop + 1) {
		size_t len;

		stop = end_of_line(at, end);
		len = (size_t)(stop - at);
		if (len <= LINE_MOST) {
			copy_line(room, at, len);
			follow_sections(l, room);
		}
		if (l->learns)
			ret = len > LINE_MOST || learn_line(l, room, len) ? 0
									  : jfrec_fail_memory(err);
		else if (len > LINE_MOST)
			ret = write_long(t, len, err);
		else
			ret = write_line(l, t, room, len, &redacted, err);
		if (ret == 0 && !l->learns && stop < end)
			ret = put(t, "\n", 1, err);
	}
	if (ret < 0 || l->learns)
		return ret;
	sys = t->done(t->ctx, redacted);
	return sys ? jfrec_fail_output(err, sys) : 0;
}

int jfrec_scrub_texts(const struct jfrec_scrub_rules *rules, const struct jfrec_secret_text *texts,
		      size_t count, struct jfrec_error *err)
{
	struct lines l = { .secrets.rules = (struct jfrec_scrub_rules *)rules, .learns = true };
	char *room = malloc(LINE_MOST + 1);
	int ret = room ? 0 : jfrec_fail_memory(err);

	for (size_t i = 0; i < count && ret == 0; i++) {
		if (texts[i].kind != JFREC_TEXT_PLAIN)
			ret = take_text(&l, &texts[i], room, err);
	}
	l.learns = false;
	for (size_t i = 0; i < count && ret == 0; i++)
		ret = take_text(&l, &texts[i], room, err);
	free(room);
	buffer_fini(&l.line);
	buffer_fini(&l.value);
	digest_map_fini(&l.plain);
	l.secrets.rules = NULL; /* the caller's */
	secrets_fini(&l.secrets);
	return ret;
}
