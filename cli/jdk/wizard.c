/* SPDX-License-Identifier: MIT */
/*
 * wizard.c - jfr configure --interactive: choose settings by answering questions
 *
 * Word for word as in the JDK 25.  Other than there several filters may be given
 * with semicolons between, as its own help has it.
 */
#include "jdk/wizard.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"

struct wizard {
	struct jfrec_settings *s;
	char *line; /* the answer */
	size_t room;
};

void print_refusal(FILE *to, const char *sentence)
{
	static const char split[] = "is not a valid timespan. ";
	const char *at = strstr(sentence, split);

	if (at)
		fprintf(to, "%.*s\n%s\n", (int)(at - sentence) + (int)sizeof(split) - 2, sentence,
			at + sizeof(split) - 1);
	else
		fprintf(to, "%s\n", sentence);
}

/* False: there is none, or it is Q. */
static bool read_answer(struct wizard *w)
{
	ssize_t len;

	fflush(stdout);
	len = getline(&w->line, &w->room, stdin);
	if (len < 0)
		return false;
	w->line[strcspn(w->line, "\r\n")] = '\0';
	return strcasecmp(w->line, "q") != 0;
}

/* What an answer means: something, nothing (which was reported), or what it was before. */
enum answer { TAKEN, WRONG, DEFAULT };

static enum answer set(struct wizard *w, const struct jfrec_settings_option *o, const char *value,
		       const char *shown)
{
	struct jfrec_error err;

	if (jfrec_settings_set(w->s, o->name, value, &err) < 0) {
		print_refusal(stdout, err.text);
		return WRONG;
	}
	printf("Using: %s\n", shown);
	return TAKEN;
}

/* Selections ----------------------------------------------------------------------------------- */

static const char *chosen_label(const struct jfrec_settings_option *o)
{
	for (size_t i = 0; i < jfrec_settings_choice_count(o); i++) {
		const struct jfrec_settings_choice *c = jfrec_settings_choice_get(o, i);

		if (strcmp(c->name, o->value) == 0)
			return c->label;
	}
	return jfrec_settings_choice_get(o, 0)->label;
}

static void ask_selection(const struct jfrec_settings_option *o)
{
	printf("%s: %s (default)\n", o->label, chosen_label(o));
	for (size_t i = 0; i < jfrec_settings_choice_count(o); i++)
		printf("%zu. %s\n", i + 1, jfrec_settings_choice_get(o, i)->label);
}

static enum answer take_selection(struct wizard *w, const struct jfrec_settings_option *o)
{
	const struct jfrec_settings_choice *c;
	char *end;
	long number = strtol(w->line, &end, 10);

	if (end == w->line || *end) {
		puts("Must enter a number, or ENTER to select default.");
		return WRONG;
	}
	if (number < 1 || (size_t)number > jfrec_settings_choice_count(o)) {
		puts("Not in range.");
		return WRONG;
	}
	c = jfrec_settings_choice_get(o, (size_t)number - 1);
	return set(w, o, c->name, c->label);
}

/* Flags ---------------------------------------------------------------------------------------- */

static const char *yes_or_no(const struct jfrec_settings_option *o)
{
	return strcmp(o->value, "true") == 0 ? "Yes" : "No";
}

static enum answer take_flag(struct wizard *w, const struct jfrec_settings_option *o)
{
	if (strcasecmp(w->line, "y") == 0)
		return set(w, o, "true", "Yes");
	if (strcasecmp(w->line, "n") == 0)
		return set(w, o, "false", "No");
	puts("Not a valid choice.");
	return WRONG;
}

/* Texts ---------------------------------------------------------------------------------------- */

static bool begins_identifier(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The end of "com.acme.Main", or NULL. */
static const char *skip_name(const char *at)
{
	for (;; at++) {
		if (!begins_identifier(*at))
			return NULL;
		while (begins_identifier(*at) || isdigit((unsigned char)*at))
			at++;
		if (*at != '.')
			return at;
	}
}

/* "method", "<init>" or "<clinit>" */
static const char *skip_method(const char *at)
{
	if (strncmp(at, "<init>", 6) == 0)
		return at + 6;
	if (strncmp(at, "<clinit>", 8) == 0)
		return at + 8;
	at = skip_name(at);
	return at && at[-1] != '.' ? at : NULL;
}

/* "@annotation", "class", "class::method" or "::method" */
static const char *skip_filter(const char *at)
{
	if (*at == '@')
		return skip_name(at + 1);
	if (*at != ':')
		at = skip_name(at);
	return at && strncmp(at, "::", 2) == 0 ? skip_method(at + 2) : at;
}

static bool is_filter(const char *text)
{
	const char *at = skip_filter(text);

	while (at && *at == ';')
		at = skip_filter(at + 1);
	return at && !*at && at > text;
}

static bool has_type(const struct jfrec_settings_option *o, const char *type)
{
	return o->type && strcmp(o->type, type) == 0;
}

static enum answer take_text(struct wizard *w, const struct jfrec_settings_option *o)
{
	if (has_type(o, "method-filter") && !is_filter(w->line)) {
		puts("Not a valid method filter. A filter can be an annotation "
		     "(@jakarta.ws.rs.GET), a full qualified class name (com.example.Foo), "
		     "a fully qualified method reference (java.lang.HashMap::resize) or a "
		     "class initializer (::<clinit>). Use <init> for constructors. "
		     "Separate multiple filters with semicolon.");
		return WRONG;
	}
	return set(w, o, w->line, w->line);
}

/* ---------------------------------------------------------------------------------------------- */

static const char *shown_text(const struct jfrec_settings_option *o)
{
	return *o->value ? o->value : "\"\"";
}

static void ask(const struct jfrec_settings_option *o)
{
	if (o->kind == JFREC_OPTION_SELECTION)
		ask_selection(o);
	else if (o->kind == JFREC_OPTION_FLAG)
		printf("%s [Y/N]: %s (default)\n", o->label, yes_or_no(o));
	else
		printf("%s: %s  (default)\n", o->label, shown_text(o));
}

static enum answer take(struct wizard *w, const struct jfrec_settings_option *o)
{
	if (!*w->line) {
		printf("Using default: %s\n", o->kind == JFREC_OPTION_SELECTION ? chosen_label(o)
					      : o->kind == JFREC_OPTION_FLAG	? yes_or_no(o)
										: shown_text(o));
		return DEFAULT;
	}
	if (o->kind == JFREC_OPTION_SELECTION)
		return take_selection(w, o);
	return o->kind == JFREC_OPTION_FLAG ? take_flag(w, o) : take_text(w, o);
}

/* 1; 0: the user wants no more; -1: no memory. */
static int ask_option(struct wizard *w, size_t i, wizard_changed_fn *changed, void *ctx)
{
	enum answer answer = WRONG;

	/* A change, even a refused one, makes the library look anew for its options. */
	if (jfrec_settings_list(w->s, NULL) < 0)
		return -1;
	ask(jfrec_settings_option_get(w->s, i));
	while (answer == WRONG) {
		if (!read_answer(w))
			return 0;
		if (jfrec_settings_list(w->s, NULL) < 0)
			return -1;
		answer = take(w, jfrec_settings_option_get(w->s, i));
	}
	if (answer == TAKEN)
		changed(ctx, w->s);
	putchar('\n');
	return 1;
}

static bool is_jfc(const char *path)
{
	size_t len = strlen(path);

	return len >= 4 && strcmp(path + len - 4, ".jfc") == 0;
}

static int ask_path(struct wizard *w, char **path)
{
	printf("Filename: %s (default)\n", *path);
	for (;;) {
		if (!read_answer(w))
			return 0;
		if (!*w->line)
			return 1;
		if (is_jfc(w->line))
			break;
		puts("Filename must end with .jfc.");
	}
	free(*path);
	*path = strdup(w->line);
	return *path ? 1 : -1;
}

int wizard_run(struct jfrec_settings *s, char **path, wizard_changed_fn *changed, void *ctx)
{
	struct wizard w = { .s = s };
	int ret = jfrec_settings_list(s, NULL) < 0 ? -1 : 1;
	size_t count = jfrec_settings_option_count(s);

	if (ret > 0)
		printf("============== .jfc Configuration Wizard ============\n"
		       "This wizard will generate a JFR configuration file by\n"
		       "asking %zu questions. Press ENTER to use the default\n"
		       "value, or type Q to abort the wizard.\n\n",
		       count + 1);
	for (size_t i = 0; ret > 0 && i < count; i++)
		ret = ask_option(&w, i, changed, ctx);
	if (ret > 0)
		ret = ask_path(&w, path);
	if (ret == 0)
		puts("\nAbort.");
	free(w.line);
	return ret;
}
