/* SPDX-License-Identifier: MIT */
/*
 * hidden_settings.c - say which other setting takes its effect from what was --set
 *
 * An event with a threshold of 1 ms and a throttle of 100/s is still recorded 100 times a second;
 * one with another threshold that is not enabled, not at all.  A JVM says nothing of that.
 * JFR.check prints what a recording has:
 *
 *	 Socket Read (jdk.SocketRead)
 *	   [threshold=1 ms,stackTrace=true,throttle=100/s,enabled=true]
 */
#include "jvm/hidden_settings.h"

#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "opts/dictionary.h"

/* What hides what, in the order in which it is looked for. */
static const struct rule {
	const char *set;   /* the setting that was set; NULL: any other than the next */
	const char *value; /* and to this; NULL: any */
	const char *by;	   /* the setting that hides it */
	const char *if_is; /* when it has this value; NULL: when it has another one than .lifting */
	const char *effect;  /* on "--set X" */
	const char *lifting; /* the value that does not hide it, or what stands for such */
} rules[] = {
	{ NULL, NULL, "enabled", "false", "leaves %s without effect", "true" },
	{ NULL, NULL, "filter", "", "leaves %s without effect", "Class::method" },
	{ "threshold", NULL, "throttle", NULL, "limits what %s records", "off" },
	{ "enabled", "true", "level", NULL, "limits what %s records", "all" },
};

/* Something that was --set, and the settings that its event has. */
struct set_option {
	const char *key, *value;
	char event[256];
	const char *setting;
	const char *line; /* "threshold=1 ms,enabled=true]" */
};

/* False: it is not a setting of an event. */
static bool take_key(struct set_option *k, const struct jfrec_jfr_option *o)
{
	const char *key = o->key + (o->key[0] == '+'), *sign = strchr(key, '#');

	if (!sign || (size_t)(sign - key) >= sizeof(k->event))
		return false;
	k->key = key;
	k->value = o->value;
	snprintf(k->event, sizeof(k->event), "%.*s", (int)(sign - key), key);
	k->setting = sign + 1;
	return true;
}

/* The line after the one that ends in "(jdk.SocketRead)". */
static bool find_line(struct set_option *k, const char *settings)
{
	char name[sizeof(k->event) + 4];

	snprintf(name, sizeof(name), "(%s)\n", k->event);
	k->line = strstr(settings, name);
	if (k->line)
		k->line += strlen(name) + strspn(k->line + strlen(name), " ");
	return k->line && *k->line++ == '[';
}

/* False: the recording says nothing of it. */
static bool find_value(const struct set_option *k, const char *setting, char *to, size_t size)
{
	size_t n = strlen(setting), len;

	for (const char *at = k->line; *at && *at != '\n'; at += len + (at[len] != '\0')) {
		at += strspn(at, " ");
		len = strcspn(at, ",]\n");
		if (len > n && at[n] == '=' && strncmp(at, setting, n) == 0) {
			snprintf(to, size, "%.*s", (int)(len - n - 1), at + n + 1);
			return true;
		}
		if (at[len] != ',')
			break;
	}
	return false;
}

/* An event that no setting enables is as it is declared. */
static bool value_of(const struct set_option *k, const char *setting, char *to, size_t size)
{
	struct jfrec_dictionary *d;
	const char *declared;

	if (find_value(k, setting, to, size))
		return true;
	d = strcmp(setting, "enabled") == 0 ? open_dictionary(0) : NULL;
	declared = d ? jfrec_dictionary_value(d, k->event, setting, JFREC_DECLARED) : NULL;
	if (declared)
		snprintf(to, size, "%s", declared);
	jfrec_dictionary_free(d);
	return declared;
}

/* A user who set that, too, knows of it. */
static bool was_set(const struct jfr_opts *a, const char *event, const char *setting)
{
	struct set_option k;

	for (size_t i = 0; i < a->count; i++) {
		if (a->is_set[i] && take_key(&k, &a->options[i]) && strcmp(k.event, event) == 0 &&
		    strcmp(k.setting, setting) == 0)
			return true;
	}
	return false;
}

static bool is_hidden(const struct rule *r, const struct jfr_opts *a, const struct set_option *k,
		      char *value, size_t size)
{
	if (r->set ? strcmp(r->set, k->setting) != 0 : strcmp(r->by, k->setting) == 0)
		return false;
	if ((r->value && strcmp(r->value, k->value) != 0) || was_set(a, k->event, r->by))
		return false;
	/* Who switches it off hides nothing. */
	if (strcmp(k->setting, "enabled") == 0 && strcmp(k->value, "true") != 0)
		return false;
	return value_of(k, r->by, value, size) &&
	       (r->if_is ? strcmp(value, r->if_is) == 0 : strcmp(value, r->lifting) != 0);
}

static void say_hidden(int pid, const struct rule *r, const struct set_option *k, const char *value)
{
	char set[512];

	snprintf(set, sizeof(set), "--set %s=%s", k->key, k->value);
	fprintf(stderr, "jfrec: process %d: ", pid);
	put_name(stderr, k->event);
	fprintf(stderr, "#%s", r->by);
	fputs(*value ? "=" : ", which is empty, ", stderr);
	put_name(stderr, value);
	fputs(*value ? " " : "", stderr);
	for (const char *at = r->effect; *at; at++) {
		if (*at == '%') {
			put_name(stderr, set);
			at++;
		} else {
			fputc(*at, stderr);
		}
	}
	fputs("; --set ", stderr);
	put_name(stderr, k->event);
	fprintf(stderr, "#%s=%s changes that\n", r->by, r->lifting);
}

static json_t *hidden_json(const struct rule *r, const struct set_option *k, const char *value)
{
	json_t *by = json_sprintf("%s#%s", k->event, r->by);

	return json_pack("{s:o, s:o, s:o}", "set", text_json(k->key), "hiddenBy",
			 by ? by : json_null(), "value", text_json(value));
}

/* The first rule that applies is reported: what is off needs no limit. */
static void look(int pid, const struct jfr_opts *a, const struct set_option *k, json_t *hidden)
{
	char value[256];

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		if (!is_hidden(&rules[i], a, k, value, sizeof(value)))
			continue;
		say_hidden(pid, &rules[i], k, value);
		json_array_append_new(hidden, hidden_json(&rules[i], k, value));
		return;
	}
}

json_t *hidden_settings_say(int pid, const struct jfr_opts *a, const char *settings)
{
	json_t *hidden = json_array();
	struct set_option k;

	for (size_t i = 0; hidden && i < a->count; i++) {
		if (a->is_set[i] && take_key(&k, &a->options[i]) && find_line(&k, settings))
			look(pid, a, &k, hidden);
	}
	return hidden;
}
