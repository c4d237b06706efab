/* SPDX-License-Identifier: MIT */
/*
 * named_classes.c - say which classes that filters of methods name are not there
 *
 * A JVM takes every filter, and what it names may be loaded later.  But a class that a program has
 * long had, and that is not there by this name, was most likely mistyped.  VM.class_hierarchy, for
 * which the JVM stops for some milliseconds, prints
 *
 *	java.lang.Object/null
 *	|--com.acme.Shop/0x00007f1c5c087140
 *	|  |--com.acme.Shop$$Lambda/0x000000000c041ce8/0x00007f1c5c087140
 */
#include "jvm/named_classes.h"

#include <stdio.h>
#include <string.h>

#include "base/report.h"
#include "base/suffix.h"
#include "jfrec-tool.h"

/* Names -------------------------------------------------------------------------------------- */

static void take_one(struct named_classes *c, const char *name, size_t len)
{
	if (!len || len >= NAMED_CLASS_MAX || *name == '@' ||
	    c->count == sizeof(c->items) / sizeof(*c->items))
		return;
	for (size_t i = 0; i < c->count; i++) {
		if (strncmp(c->items[i].name, name, len) == 0 && !c->items[i].name[len])
			return;
	}
	c->items[c->count] = (struct named_class){ .distance = JFREC_NOT_NEAR };
	memcpy(c->items[c->count++].name, name, len);
}

void named_classes_take(struct named_classes *c, const char *filters)
{
	for (const char *at = filters; *at;) {
		size_t len = strcspn(at, ";"), skip = strspn(at, " \t");

		skip = skip < len ? skip : len;
		take_one(c, at + skip, strcspn(at + skip, " \t:;"));
		at += len + (at[len] == ';');
	}
}

/* Classes ------------------------------------------------------------------------------------ */

static const char *last_part(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot + 1 : name;
}

static void compare(struct named_class *n, const char *name)
{
	uint32_t distance;

	if (n->is_loaded || (n->is_loaded = strcmp(n->name, name) == 0))
		return;
	distance = jfrec_name_distance(n->name, name);
	/* The same class of another package. */
	if (distance == JFREC_NOT_NEAR && strcmp(last_part(n->name), last_part(name)) == 0)
		distance = 1;
	if (distance == JFREC_NOT_NEAR || distance >= n->distance)
		return;
	n->distance = distance;
	snprintf(n->near, sizeof(n->near), "%s", name);
}

static void look_at_line(struct named_classes *c)
{
	char *name = c->line + strspn(c->line, "| -");
	size_t len = strcspn(name, "/ ");

	/* One without a name of its own is not a class that anyone filters. */
	if (!len || len >= NAMED_CLASS_MAX || strstr(name, "$$Lambda"))
		return;
	name[len] = '\0';
	for (size_t i = 0; i < c->count; i++)
		compare(&c->items[i], name);
}

int named_classes_look(void *ctx, const void *bytes, size_t len)
{
	struct named_classes *c = ctx;
	const char *at = bytes;

	for (size_t i = 0; i < len; i++) {
		if (at[i] == '\n') {
			c->line[c->len] = '\0';
			look_at_line(c);
			c->len = 0;
		} else if (c->len + 1 < sizeof(c->line)) {
			c->line[c->len++] = at[i];
		}
	}
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

/* "jdk.MethodTiming#filter", or an option that the JDK has for such. */
static bool is_filter(struct jfrec_settings *options, const char *key)
{
	const struct jfrec_settings_option *o;

	key += *key == '+';
	if (strchr(key, '#'))
		return strncmp(key, "jdk.", strlen("jdk.")) == 0 && ends_with(key, "#filter");
	for (size_t i = 0; (o = jfrec_settings_option_get(options, i)); i++) {
		if (strcmp(o->name, key) == 0)
			return o->type && strcmp(o->type, "method-filter") == 0;
	}
	return false;
}

static void take_all(struct named_classes *c, const struct jfr_opts *a)
{
	struct jfrec_dictionary *d = jfrec_dictionary_new(0, NULL);
	struct jfrec_settings *options = d ? jfrec_dictionary_options(d, NULL) : NULL;

	if (options && jfrec_settings_list(options, NULL) == 0) {
		for (size_t i = 0; i < a->count; i++) {
			if (a->is_set[i] && is_filter(options, a->options[i].key))
				named_classes_take(c, a->options[i].value);
		}
	}
	jfrec_settings_free(options);
	jfrec_dictionary_free(d);
}

static void say_missing(const struct jfrec_jvm *jvm, const struct named_class *n)
{
	fprintf(stderr, "jfrec: process %d: no class ", jvm->pid);
	put_name(stderr, n->name);
	fputs(" is loaded, and nothing is recorded of it until one is", stderr);
	if (*n->near) {
		fputs("; did you mean ", stderr);
		put_name(stderr, n->near);
		fputc('?', stderr);
	}
	fputc('\n', stderr);
}

void named_classes_say(struct jfrec_session *session, const struct jfrec_jvm *jvm,
		       const struct jfr_opts *a)
{
	struct named_classes c = { .count = 0 };
	struct jfrec_error err;
	char *refusal = NULL;
	int ret;

	take_all(&c, a);
	if (!c.count)
		return;
	ret = jfrec_session_jcmd(session, "VM.class_hierarchy", named_classes_look, &c, &refusal,
				 &err);
	jfrec_free(refusal);
	/* Without an answer nothing is known of them. */
	for (size_t i = 0; ret == 0 && i < c.count; i++) {
		if (!c.items[i].is_loaded)
			say_missing(jvm, &c.items[i]);
	}
}
