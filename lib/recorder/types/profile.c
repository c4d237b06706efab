/* SPDX-License-Identifier: MIT */
/*
 * profile.c - the settings of a .jfc file
 */
#include "recorder/types/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DEPTH 64u
#define MOST_NAME  256u

struct parser {
	char *at, *end; /* *end is 0 */
	unsigned depth;
	char event[MOST_NAME], setting[MOST_NAME]; /* "": not inside of one */
	struct settings *to;
};

static const char broken[] = "it is not well-formed XML";

static bool begins(const struct parser *p, const char *with)
{
	return strncmp(p->at, with, strlen(with)) == 0;
}

/* After the next one of these; false: there is none. */
static bool skip_to(struct parser *p, const char *text)
{
	char *found = strstr(p->at, text);

	if (found)
		p->at = found + strlen(text);
	return found != NULL;
}

/* The five that XML has without a declaration, and numbers in ASCII; in place. */
static void decode(char *text)
{
	static const char *const names[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;" };
	static const char values[] = "<>&\"'";
	char *to = text;

	while (*text) {
		size_t i = 0;

		while (i < 5 && strncmp(text, names[i], strlen(names[i])))
			i++;
		if (i < 5) {
			*to++ = values[i];
			text += strlen(names[i]);
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blanks(struct parser *p)
{
	while (is_blank(*p->at))
		p->at++;
}

/* name="value", of which "name" alone is kept. */
static const char *parse_attribute(struct parser *p, char name[MOST_NAME])
{
	char *key = p->at, quote;
	size_t len;

	p->at += strcspn(p->at, "= \t\r\n/><");
	len = (size_t)(p->at - key);
	skip_blanks(p);
	/* Not past the end of the text. */
	if (!len || *p->at != '=')
		return broken;
	p->at++;
	skip_blanks(p);
	quote = *p->at;
	if (quote != '"' && quote != '\'')
		return broken;
	char *value = ++p->at, *end = strchr(value, quote);

	if (!end)
		return broken;
	p->at = end + 1;
	if (len != 4 || strncmp(key, "name", 4))
		return NULL;
	*end = '\0';
	decode(value);
	if (strlen(value) >= MOST_NAME)
		return "a name is too long";
	strcpy(name, value);
	return NULL;
}

/* After "<setting ...>": the value, up to what follows. */
static const char *take_value(struct parser *p)
{
	char *value = p->at + strspn(p->at, " \t\r\n"), *end = strchr(value, '<'), *last = end, saved;

	if (!end)
		return broken;
	while (last > value && is_blank(last[-1]))
		last--;
	saved = *last;
	*last = '\0';
	/* Decoding makes it shorter; what is left behind it is not looked at again. */
	decode(value);
	if (strlen(value) < MOST_NAME && setting_is_valid(p->setting, value) &&
	    settings_add(p->to, p->event, p->setting, value))
		return "it has too many settings";
	*last = saved;
	p->at = end;
	return NULL;
}

static bool is_element(const char *name, size_t len, const char *wanted)
{
	return len == strlen(wanted) && !strncmp(name, wanted, len);
}

static const char *open_element(struct parser *p)
{
	char *element = ++p->at, name[MOST_NAME] = "";
	size_t len = strcspn(element, " \t\r\n/><");
	const char *wrong = NULL;
	bool is_setting, is_event;

	if (!len)
		return broken;
	is_event = is_element(element, len, "event");
	is_setting = is_element(element, len, "setting");
	p->at += len;
	for (skip_blanks(p); !wrong && *p->at && *p->at != '/' && *p->at != '>'; skip_blanks(p))
		wrong = parse_attribute(p, name);
	if (wrong)
		return wrong;
	if (*p->at == '/')
		return *++p->at == '>' ? (p->at++, NULL) : broken;
	if (*p->at++ != '>' || ++p->depth > MOST_DEPTH)
		return broken;
	if (is_event)
		strcpy(p->event, name);
	if (!is_setting || !p->event[0] || !name[0])
		return NULL;
	strcpy(p->setting, name);
	return take_value(p);
}

static const char *close_element(struct parser *p)
{
	if (!strncmp(p->at, "</event", 7))
		p->event[0] = '\0';
	return !p->depth-- || !skip_to(p, ">") ? broken : NULL;
}

static const char *parse_markup(struct parser *p)
{
	if (begins(p, "<?"))
		return skip_to(p, "?>") ? NULL : broken;
	if (begins(p, "<!--"))
		return skip_to(p, "-->") ? NULL : broken;
	if (begins(p, "<!"))
		return "it declares a document type, or has CDATA";
	return begins(p, "</") ? close_element(p) : open_element(p);
}

const char *profile_parse(struct settings *to, char *text, size_t len)
{
	struct parser p = { .at = text, .end = text + len, .to = to };
	const char *wrong = strlen(text) == len ? NULL : broken;
	bool any = false;

	while (!wrong) {
		p.at += strcspn(p.at, "<");
		if (!*p.at)
			break;
		wrong = parse_markup(&p);
		any = true;
	}
	return wrong ? wrong : p.depth || !any ? broken : NULL;
}

/* NULL: nothing. */
static const char *unfit(const struct stat *st)
{
	if (!S_ISREG(st->st_mode))
		return "it is not a regular file";
	return st->st_size > PROFILE_MAX ? "it is larger than 1 MiB" : NULL;
}

/* In memory that the caller frees, with a NUL; NULL: errno, or *why. */
static char *read_text(const char *path, size_t *len, const char **why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	char *text = NULL;
	ssize_t n = -1;

	*why = NULL;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && !(*why = unfit(&st)))
		text = malloc((size_t)st.st_size + 1);
	if (text)
		n = read(fd, text, (size_t)st.st_size);
	if (n < 0) {
		free(text);
		text = NULL;
	} else {
		text[n] = '\0';
		*len = (size_t)n;
	}
	close(fd);
	return text;
}

/* What the JDK's profile has for these types. */
static int take_rows(struct settings *to)
{
	static const char *const waits[] = { "jdk.SocketRead", "jdk.SocketWrite",	"jdk.FileRead",	  "jdk.FileWrite",
					     "jdk.FileForce",  "jdk.JavaMonitorEnter", "jdk.ThreadPark", "jdk.ThreadSleep" };
	int failed = settings_add(to, "jdk.ExecutionSample", "enabled", "true") |
		     settings_add(to, "jdk.ExecutionSample", "period", "10 ms");

	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); i++)
		failed |= settings_add(to, waits[i], "threshold", "10 ms");
	return failed;
}

/* What a type's own settings are already, or nothing, or what costs more. */
static int take_named(struct settings *to, const char *name)
{
	if (!strcmp(name, "none") || !strcmp(name, "none.jfc"))
		return settings_add(to, "*", "enabled", "false") ? -1 : 1;
	if (!strcmp(name, "profile") || !strcmp(name, "profile.jfc"))
		return take_rows(to) ? -1 : 1;
	return !strcmp(name, "default") || !strcmp(name, "default.jfc");
}

int profile_read(struct settings *to, const char *name, struct jfrec_recorder_error *err)
{
	int named = take_named(to, name);
	const char *wrong;
	char *text;
	size_t len;

	if (named)
		return named > 0 ? 0 : recorder_fail(err, ENOMEM, "no memory for settings");
	text = read_text(name, &len, &wrong);
	if (!text && errno == ENOENT && !wrong)
		return recorder_fail(err, errno, "Could not find file '%.100s'", name);
	if (!text)
		return recorder_fail(err, wrong ? EINVAL : errno, "Could not open file '%.100s': %s", name,
				     wrong ? wrong : strerror(errno));
	wrong = profile_parse(to, text, len);
	free(text);
	return wrong ? recorder_fail(err, 0, "Could not parse file '%.100s': %s", name, wrong) : 0;
}

int profile_read_list(struct settings *to, const char *names, struct jfrec_recorder_error *err)
{
	struct jfrec_recorder_error why;
	char *copy = strdup(names), *rest = NULL;
	int ret = 0;

	if (!copy)
		return recorder_fail(err, ENOMEM, "no memory for settings");
	for (char *name = strtok_r(copy, ",", &rest); name && !ret; name = strtok_r(NULL, ",", &rest))
		if (profile_read(to, name, &why))
			ret = recorder_fail(err, why.sys,
					    "settings=%.60s: %.110s; write default, profile, none or the path of a "
					    ".jfc file",
					    name, why.text);
	free(copy);
	return ret;
}
