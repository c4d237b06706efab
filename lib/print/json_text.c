/* SPDX-License-Identifier: MIT */
/*
 * json_text.c - helpers for both JSON formats
 */
#include "print/json_text.h"

#include "base/number.h"

char *put_json_unit(char *at, unsigned unit)
{
	static const char hex[] = "0123456789abcdef";

	*at++ = '\\';
	*at++ = 'u';
	*at++ = hex[unit >> 12 & 15];
	*at++ = hex[unit >> 8 & 15];
	*at++ = hex[unit >> 4 & 15];
	*at++ = hex[unit & 15];
	return at;
}

void put_json_double(struct render *r, const struct op *op, const uint64_t *slots)
{
	double d = slot_double(slots[op->slot]);

	if (!__builtin_isfinite(d))
		OUT_STR(&r->out, "null");
	else
		out_end(&r->out, put_java_double(out_room(&r->out), d));
}

void put_json_float(struct render *r, const struct op *op, const uint64_t *slots)
{
	float f = slot_float(slots[op->slot]);

	if (!__builtin_isfinite(f))
		OUT_STR(&r->out, "null");
	else
		out_end(&r->out, put_java_float(out_room(&r->out), f));
}
