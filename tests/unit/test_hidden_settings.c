/* SPDX-License-Identifier: MIT */
/*
 * test_hidden_settings.c - settings that take the effect from others, as JFR.check prints them
 */
#include "jvm/hidden_settings.h"

#include "base/report.h"
#include "opts/dictionary.h"

#include "test.h"

/* What report.c, json.c and dictionary.c have. */
int put_name(FILE *to, const char *name)
{
	return fputs(name, to);
}

json_t *text_json(const char *text)
{
	return json_string(text);
}

struct jfrec_dictionary *open_dictionary(int jdk)
{
	return jfrec_dictionary_new(jdk, NULL);
}

static const char settings[] =
	"Recording 1: name=1 (running)\n\n"
	" Socket Read (jdk.SocketRead)\n   [threshold=1 ms,stackTrace=true,throttle=100/s,enabled=true]\n\n"
	" File Read (jdk.FileRead)\n   [enabled=true,throttle=off,threshold=1 ms]\n\n"
	" Class Load (jdk.ClassLoad)\n   [threshold=1 ms]\n\n"
	" Class Unload (jdk.ClassUnload)\n   [enabled=false]\n\n"
	" Method Trace (jdk.MethodTrace)\n   [filter=,enabled=true,threshold=0 ms]\n\n"
	" Method Timing (jdk.MethodTiming)\n   [filter=Shop::work,enabled=true,period=endChunk]\n\n"
	" Deprecated (jdk.DeprecatedInvocation)\n   [level=forRemoval,enabled=true]\n\n"
	" Cut (jdk.Cut)\n   [enabled=false";

/* What is --set, and what hides it; NULL: nothing. */
static const struct {
	const char *name, *key, *value, *by, *also; /* also: another one that is set */
} rows[] = {
	{ "throttle", "jdk.SocketRead#threshold", "1ms", "jdk.SocketRead#throttle", NULL },
	{ "with_a_plus", "+jdk.SocketRead#threshold", "1ms", "jdk.SocketRead#throttle", NULL },
	{ "throttle_was_set", "jdk.SocketRead#threshold", "1ms", NULL, "jdk.SocketRead#throttle" },
	{ "throttle_is_off", "jdk.FileRead#threshold", "1ms", NULL, NULL },
	{ "throttle_itself", "jdk.SocketRead#throttle", "100/s", NULL, NULL },
	{ "stack_trace_has_no_limit", "jdk.SocketRead#stackTrace", "true", NULL, NULL },
	{ "declared_off", "jdk.ClassLoad#threshold", "1ms", "jdk.ClassLoad#enabled", NULL },
	{ "off", "jdk.ClassUnload#stackTrace", "true", "jdk.ClassUnload#enabled", NULL },
	{ "switched_off", "jdk.ClassUnload#enabled", "false", NULL, NULL },
	{ "no_filter", "jdk.MethodTrace#threshold", "5ms", "jdk.MethodTrace#filter", NULL },
	{ "no_filter_enabled", "jdk.MethodTrace#enabled", "true", "jdk.MethodTrace#filter", NULL },
	{ "no_filter_off", "jdk.MethodTrace#enabled", "false", NULL, NULL },
	{ "filter", "jdk.MethodTiming#period", "1s", NULL, NULL },
	{ "level", "jdk.DeprecatedInvocation#enabled", "true", "jdk.DeprecatedInvocation#level", NULL },
	{ "unknown_event", "app.Order#threshold", "1ms", NULL, NULL },
	{ "an_option", "gc", "high", NULL, NULL },
	{ "cut_short", "jdk.Cut#threshold", "1ms", "jdk.Cut#enabled", NULL },
};

int main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct jfr_opts a = { .count = 1 };
		const char *by;
		json_t *said;

		test_begin(rows[i].name);
		a.options[0] = (struct jfrec_jfr_option){ rows[i].key, rows[i].value };
		a.options[1] = (struct jfrec_jfr_option){ rows[i].also, "off" };
		a.count += rows[i].also != NULL;
		a.is_set[0] = a.is_set[1] = true;
		said = hidden_settings_say(1, &a, settings);
		CHECK_INT(json_array_size(said), rows[i].by ? 1 : 0);
		by = json_string_value(json_object_get(json_array_get(said, 0), "hiddenBy"));
		CHECK(!rows[i].by || (by && strcmp(by, rows[i].by) == 0));
		json_decref(said);
	}
	return test_end();
}
