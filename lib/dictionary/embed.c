/* SPDX-License-Identifier: MIT */
/*
 * embed.c - turn data files into C source at build time
 *
 * usage: embed OUTPUT TABLE FILE...
 *
 * Writes a table of that name for embedded.h.  The files are texts without NUL; in the
 * table they have no directory and no extension. Scripts, styles and elements of pages lose
 * the blanks at the begin of lines and the lines that are comments; scripts and styles lose all
 * other blanks that do not matter, too.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(const char *path)
{
	perror(path);
	exit(1);
}

/* Octal digits are three, so that no digit of the text can join them. */
static void put(FILE *to, int c)
{
	if (c == '\n')
		fputs("\\n\"\n\t  \"", to);
	else if (c == '"' || c == '\\')
		fprintf(to, "\\%c", c);
	else if (c == '?' || c < ' ' || c > '~') /* ??= and its like are trigraphs */
		fprintf(to, "\\%03o", (unsigned)c);
	else
		fputc(c, to);
}

/* What is left out of a file. */
enum kind {
	DATA, /* nothing */
	ELEMENTS,
	STYLE,
	SCRIPT,
};

static enum kind kind_of(const char *name)
{
	const char *suffix = strrchr(name, '.');

	if (!suffix)
		return DATA;
	return !strcmp(suffix, ".js")	  ? SCRIPT
	       : !strcmp(suffix, ".css")  ? STYLE
	       : !strcmp(suffix, ".html") ? ELEMENTS
					  : DATA;
}

/* A file, and where in it we are. */
struct text {
	char *bytes; /* ends with NUL */
	const char *at;
	enum kind kind;
	char last; /* what was written last; a line begins after \n */
	FILE *to;
};

static void read_all(struct text *t, const char *path)
{
	FILE *from = fopen(path, "rb");
	long size = 0;

	if (!from || fseek(from, 0, SEEK_END) != 0 || (size = ftell(from)) < 0)
		fail(path);
	rewind(from);
	t->bytes = calloc(1, (size_t)size + 1);
	if (!t->bytes || fread(t->bytes, 1, (size_t)size, from) != (size_t)size ||
	    fclose(from) != 0)
		fail(path);
	t->at = t->bytes;
}

static void take(struct text *t)
{
	t->last = *t->at++;
	put(t->to, (unsigned char)t->last);
}

static bool is_one_of(char c, const char *list)
{
	return c && strchr(list, c);
}

/* A string, a template or an expression to search for, which is kept as it is. */
static void take_literal(struct text *t, char end)
{
	bool is_set = false;

	take(t);
	while (*t->at && (*t->at != end || is_set)) {
		if (end == '/' && is_one_of(*t->at, "[]"))
			is_set = *t->at == '[';
		if (*t->at == '\\' && t->at[1])
			take(t);
		take(t);
	}
	if (*t->at)
		take(t);
}

/* Does a blank before the next character matter? */
static bool is_blank_needed(const struct text *t, char next)
{
	static const char script[] = "=,;:(){}?<>&|!*[]";

	if (t->last == '\n' || next == '\n')
		return false;
	if (t->kind == SCRIPT)
		return !is_one_of(t->last, script) && !is_one_of(next, script);
	return t->kind != STYLE || (!is_one_of(t->last, "{};,:") && !is_one_of(next, "{};"));
}

static void take_blanks(struct text *t)
{
	const char *end = t->at + strspn(t->at, " \t");

	/* A comment goes with the blanks before it. */
	if (t->kind != DATA && end[0] == '/' && end[1] == '/' &&
	    (t->kind == SCRIPT || t->last == '\n'))
		end += strcspn(end, "\n");
	if (end > t->at && is_one_of(*t->at, " \t") && *end && is_blank_needed(t, *end)) {
		put(t->to, ' ');
		t->last = ' ';
	}
	t->at = end;
}

/* One character, or a literal; blanks at the beginning of a line were stepped over. */
static void take_next(struct text *t)
{
	bool is_code = t->kind == SCRIPT || t->kind == STYLE;

	if (t->kind != DATA && *t->at == '\n' && t->last == '\n')
		t->at++;
	else if (is_code && is_one_of(*t->at, "'\"`"))
		take_literal(t, *t->at);
	else if (t->kind == SCRIPT && *t->at == '/' && is_one_of(t->last, "=(,:[!&|?{;\n"))
		take_literal(t, '/');
	else
		take(t);
}

static void embed(FILE *to, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	struct text t = { .kind = kind_of(name), .last = '\n', .to = to };

	read_all(&t, path);
	fprintf(to, "\t{ \"%.*s\",\n\t  \"", (int)strcspn(name, "."), name);
	while (*t.at) {
		bool is_line = t.kind == ELEMENTS && t.last != '\n';

		if (t.kind != DATA && !is_line)
			take_blanks(&t);
		if (*t.at)
			take_next(&t);
	}
	fputs("\" },\n", to);
	free(t.bytes);
}

int main(int argc, char **argv)
{
	FILE *to = argc > 2 ? fopen(argv[1], "w") : NULL;

	if (!to)
		fail(argc > 2 ? argv[1] : "usage: embed OUTPUT TABLE FILE...");
	fprintf(to,
		"#include \"base/embedded.h\"\n\n"
		"const struct embedded_file %s[] = {\n",
		argv[2]);
	for (int i = 3; i < argc; i++)
		embed(to, argv[i]);
	fputs("\t{ 0 },\n};\n", to);
	if (ferror(to) || fclose(to) != 0)
		fail(argv[1]);
	return 0;
}
