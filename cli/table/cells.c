/* SPDX-License-Identifier: MIT */
/*
 * cells.c - print cells of tables for programs: JSON, CSV
 */
#include "table/cells.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

static json_t *cell_json(const struct jfrec_cell *c)
{
	json_t *text;

	switch (c->kind) {
	case JFREC_KIND_BOOL:
		return json_boolean(c->i);
	case JFREC_KIND_INT:
		return json_integer((json_int_t)c->i);
	case JFREC_KIND_FLOAT:
		return isfinite(c->d) ? json_real(c->d) : json_null();
	case JFREC_KIND_STRING:
		/* It may have NUL in it. */
		text = json_stringn(c->text, c->len);
		return text ? text : text_json(c->text);
	default:
		return json_null();
	}
}

void dump_json(json_t *value)
{
	json_dumpf(value, stdout, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
	json_decref(value);
}

void put_csv_text(const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

/* With all digits that it takes to read it back as the same. */
static const char *exact_number(char *to, double d)
{
	snprintf(to, 32, "%.15g", d);
	if (strtod(to, NULL) != d)
		snprintf(to, 32, "%.17g", d);
	return to;
}

void put_csv_cell(const struct jfrec_cell *c)
{
	char number[32];

	if (c->kind == JFREC_KIND_BOOL)
		fputs(c->i ? "true" : "false", stdout);
	else if (c->kind == JFREC_KIND_INT)
		printf("%" PRId64, c->i);
	else if (c->kind == JFREC_KIND_FLOAT)
		fputs(exact_number(number, c->d), stdout);
	else if (c->kind == JFREC_KIND_STRING)
		put_csv_text(c->text);
}

void put_json_cell(const struct jfrec_cell *c)
{
	char number[32];

	if (c->kind != JFREC_KIND_FLOAT || !isfinite(c->d)) {
		dump_json(cell_json(c));
		return;
	}
	fputs(exact_number(number, c->d), stdout);
	/* Else a reader takes it for a whole number. */
	if (!strpbrk(number, ".e"))
		fputs(".0", stdout);
}
