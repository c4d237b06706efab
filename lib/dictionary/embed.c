/* SPDX-License-Identifier: MIT */
/*
 * embed.c - turn data files into C source at build time
 *
 * usage: embed OUTPUT TABLE FILE...
 *
 * Writes a table of that name for embedded.h.  The files are texts without NUL; in the
 * table they have no directory and no extension. Scripts, styles and elements of pages lose
 * the blanks at the begin of lines and the lines that are comments.
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

static bool is_of_page(const char *name)
{
	const char *suffix = strrchr(name, '.');

	return suffix && (!strcmp(suffix, ".js") || !strcmp(suffix, ".css") || !strcmp(suffix, ".html"));
}

/* The first character of a line of a page that is kept. */
static int skip_indent(FILE *from)
{
	int c, next;

	while ((c = fgetc(from)) == ' ' || c == '\t' || c == '\n')
		continue;
	if (c != '/')
		return c;
	next = fgetc(from);
	if (next != '/') {
		ungetc(next, from);
		return c;
	}
	while ((c = fgetc(from)) != '\n' && c != EOF)
		continue;
	return c == EOF ? c : skip_indent(from);
}

static void embed(FILE *to, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	FILE *from = fopen(path, "rb");
	bool is_page = is_of_page(name), begins = true;
	int c;

	if (!from)
		fail(path);
	fprintf(to, "\t{ \"%.*s\",\n\t  \"", (int)strcspn(name, "."), name);
	while ((c = is_page && begins ? skip_indent(from) : fgetc(from)) != EOF) {
		put(to, c);
		begins = c == '\n';
	}
	fputs("\" },\n", to);
	if (ferror(from) || fclose(from) != 0)
		fail(path);
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
