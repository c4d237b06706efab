/* SPDX-License-Identifier: MIT */
/*
 * latency.c - the view latency-of: how long events of a type took
 *
 * It is a query with the name of a type put in, and perhaps that of a field.
 */
#include "view/latency.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* What names of types and of fields are made of: nothing else reaches the query. */
static bool is_name(const char *text)
{
	for (const char *at = text; *at; at++) {
		if (!isalnum((unsigned char)*at) && !strchr("._$", *at))
			return false;
	}
	return *text && *text != '.';
}

bool is_latency(const char *operand)
{
	return strcasecmp(operand, "latency-of") == 0;
}

char *latency_query(const char *type, const char *by, const char **fault)
{
	char *query = NULL;

	*fault = NULL;
	if (!is_name(type))
		*fault = "latency-of takes the name of an event type, such as jdk.SocketRead";
	else if (by && !is_name(by))
		*fault = "--by takes the name of a field";
	else if (asprintf(&query,
			  "COLUMN %s'Events', 'p50', 'p90', 'p99', 'p99.9', 'p99.99', 'Longest' "
			  "SELECT %s%sCOUNT(duration) AS n, Q50(duration), Q90(duration), "
			  "Q99(duration), Q99.9(duration), Q99.99(duration), MAX(duration) "
			  "FROM %s%s%s ORDER BY n DESC",
			  by ? "'By', " : "", by ? by : "", by ? ", " : "", type,
			  by ? " GROUP BY " : "", by ? by : "") < 0)
		*fault = "out of memory";
	return *fault ? NULL : query;
}
