/* SPDX-License-Identifier: MIT */
/*
 * user_rules_read.c - read rules that a user wrote in YAML, and check them
 *
 *	rules:
 *	  slow-database:
 *	    event: SocketRead
 *	    where: host = "db" and duration > 100 ms
 *	    measure: count
 *	    per: minute
 *	    warning: 10
 *	    summary: the database answered slowly
 *	    advice: look at its slow query log
 *
 * An event of the JDK is looked up in the dictionary, so that a mistyped field is found before
 * there is a recording. Those of programs are looked up in each recording: user_rules.c.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>

#include "analyze/user_rules.h"
#include "base/error.h"
#include "base/near.h"
#include "jfrec-tool.h"

#define MAX_OWN_RULES 500
#define MAX_ID	      60
#define MAX_TEXT      1000
#define MAX_PATH      200

#define MIN_WINDOW_NS INT64_C(1000000000)

/* What is being read. */
struct draft {
	struct jfrec_user_rules *rules;
	struct user_rule *rule;
	const struct jfrec_yaml_node *event, *where, *measure, *per, *info, *warning;
	const struct jfrec_yaml_node *texts[3];
	const struct jfrec_type *type; /* of the JDK; NULL: an event of a program's */
	struct jfrec_dictionary *older; /* that type is of, if it is not of the newest JDK */
};

enum { QUESTION, SUMMARY, ADVICE };

/* Texts ---------------------------------------------------------------------------------------- */

static int fail_memory(struct jfrec_error *err)
{
	return jfrec_fail_memory(err);
}

/* A text that lives as long as the rules; NULL: memory is gone. */
__attribute__((format(printf, 2, 3)))
static const char *made(struct draft *d, const char *format, ...)
{
	char *text = NULL;
	const char *copy = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len >= 0) {
		copy = arena_strndup(&d->rules->arena, text, (size_t)len);
		free(text);
	}
	return copy;
}

static int take_text(struct draft *d, const struct jfrec_yaml_node *n, const char **to, size_t most,
		     struct jfrec_error *err)
{
	if (!n)
		return 0;
	if (n->kind != JFREC_YAML_TEXT || !*n->text)
		return jfrec_yaml_fail(n, err, "%s is a text", n->key ? n->key : "it");
	if (strlen(n->text) > most)
		return jfrec_yaml_fail(n, err, "the text has more than %zu bytes", most);
	*to = made(d, "%s", n->text);
	return *to ? 0 : fail_memory(err);
}

/* Events and fields ---------------------------------------------------------------------------- */

static bool is_name(const char *name)
{
	size_t i = 0;

	for (; isalnum((unsigned char)name[i]) || (name[i] && strchr("._$", name[i])); i++)
		;
	return i && !name[i] && i <= MAX_PATH && name[0] != '.' && name[i - 1] != '.' &&
	       !strstr(name, "..");
}

static struct jfrec_dictionary *dictionary_of(struct draft *d, struct jfrec_error *err)
{
	if (!d->rules->newest)
		d->rules->newest = jfrec_dictionary_new(0, err);
	return d->rules->newest;
}

/* The newest JDK that has this event, and of it this field if it is not NULL; 0: none has. */
static int jdk_with(const struct jfrec_dictionary *newest, const char *event, const char *field)
{
	uint32_t bits =
		jfrec_dictionary_presence(newest, event, field ? JFREC_PART_FIELD : JFREC_PART_TYPE,
					  field);
	int jdk = 0;

	for (size_t i = 0; i < jfrec_dictionary_jdk_count(newest) && i < 32; i++) {
		if (bits & UINT32_C(1) << i)
			jdk = jfrec_dictionary_jdk_get(newest, i);
	}
	return jdk;
}

/* Have the type be that of this JDK. */
static int use_jdk(struct draft *d, int jdk, struct jfrec_error *err)
{
	struct jfrec_dictionary *all = d->rules->newest;

	if (jdk != jfrec_dictionary_jdk(all)) {
		jfrec_dictionary_free(d->older);
		all = d->older = jfrec_dictionary_new(jdk, err);
		if (!all)
			return -1;
	}
	d->type = jfrec_dictionary_event(all, d->rule->event);
	return 0;
}

static int fail_event(struct draft *d, const char *typed, struct jfrec_error *err)
{
	const char *near[JFREC_NEAR_MAX];
	size_t n = jfrec_dictionary_near(d->rules->newest, typed, near);

	return jfrec_yaml_fail(d->event, err, "no JDK has an event called %s%s%s%s", typed,
			       n ? "; did you mean " : "", n ? near[0] : "",
			       n ? "?" : "; an event of a program needs its full name");
}

static int read_event(struct draft *d, struct jfrec_error *err)
{
	const struct jfrec_dictionary *newest = dictionary_of(d, err);
	const char *typed = d->event->text;
	int jdk;

	if (!newest)
		return -1;
	if (d->event->kind != JFREC_YAML_TEXT || !is_name(typed))
		return jfrec_yaml_fail(d->event, err, "event is the name of one event, such as "
				       "SocketRead or com.example.Request");
	d->rule->event = made(d, "%s%s", strchr(typed, '.') ? "" : "jdk.", typed);
	if (!d->rule->event)
		return fail_memory(err);
	jdk = jdk_with(newest, d->rule->event, NULL);
	if (jdk)
		return use_jdk(d, jdk, err);
	if (!strchr(typed, '.') || strncmp(typed, "jdk.", 4) == 0)
		return fail_event(d, typed, err);
	return 0;
}

static int fail_field(const struct jfrec_yaml_node *at, const struct jfrec_type *t,
		      const char *name, struct jfrec_error *err)
{
	struct near near = { .name = name };
	char list[NEAR_LIST_MAX];

	for (size_t i = 0; i < jfrec_type_field_count(t); i++)
		near_offer(&near, jfrec_field_name(jfrec_type_field_get(t, i)));
	return jfrec_yaml_fail(at, err, "%s has no field %.80s%s", jfrec_type_name(t), name,
			       near_list(&near, list));
}

/* The field at the end of the path, of an event of the JDK. NULL with *err set. */
static const struct jfrec_field *field_at(struct draft *d, const struct jfrec_yaml_node *at,
					  const char *path, struct jfrec_error *err)
{
	const struct jfrec_field *f = NULL;
	const struct jfrec_type *t;
	char name[MAX_PATH + 1];
	int jdk;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(path, "."), path);
	/* A field that newer JDKs do not have any more. */
	jdk = jdk_with(d->rules->newest, d->rule->event, name);
	if (jdk && !jfrec_type_field(d->type, name) && use_jdk(d, jdk, err) < 0)
		return NULL;
	for (t = d->type; path; t = jfrec_field_type(f)) {
		size_t len = strcspn(path, ".");

		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		f = jfrec_type_field(t, name);
		if (!f) {
			fail_field(at, t, name, err);
			return NULL;
		}
		if (jfrec_field_is_array(f)) {
			jfrec_yaml_fail(at, err, "%.80s is a list, which a rule cannot use", name);
			return NULL;
		}
		path = path[len] ? path + len + 1 : NULL;
	}
	return f;
}

/* Units ---------------------------------------------------------------------------------------- */

static const char *annotation(const struct jfrec_field *f, const char *name)
{
	for (size_t i = 0; i < jfrec_field_annotation_count(f); i++) {
		const struct jfrec_annotation *a = jfrec_field_annotation_get(f, i);
		const char *value = jfrec_annotation_member_value(a, 0);

		if (strcmp(jfrec_annotation_name(a), name) == 0)
			return value ? value : "";
	}
	return NULL;
}

static bool is_number(const struct jfrec_field *f)
{
	static const char *const numbers[] = { "byte", "short", "int", "long", "float", "double" };
	const char *type = jfrec_type_name(jfrec_field_type(f));

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		if (strcmp(type, numbers[i]) == 0)
			return true;
	}
	return false;
}

static int unit_of_field(struct draft *d, const char *path, struct jfrec_error *err)
{
	const struct jfrec_field *f = field_at(d, d->measure, path, err);
	enum jfrec_unit unit = JFREC_UNIT_NONE;
	const char *amount;

	if (!f)
		return -1;
	if (!is_number(f) || annotation(f, "jdk.jfr.Timestamp"))
		return jfrec_yaml_fail(d->measure, err, "%s of %s is not a number or a time span",
				       path, d->rule->event);
	amount = annotation(f, "jdk.jfr.DataAmount");
	if (annotation(f, "jdk.jfr.Timespan"))
		unit = JFREC_UNIT_NS;
	else if (amount && strcmp(amount, "BITS") != 0)
		unit = JFREC_UNIT_BYTES;
	else if (annotation(f, "jdk.jfr.Percentage"))
		unit = JFREC_UNIT_PERCENT;
	d->rule->is_span = unit == JFREC_UNIT_NS;
	d->rule->rule.info.unit = unit;
	return 0;
}

/* Of a program's event the limits say the unit; its recording must agree. */
static enum jfrec_unit unit_of_limit(const struct jfrec_yaml_node *n)
{
	uint64_t bytes;
	int64_t ns;
	char *end;

	strtod(n->text, &end);
	if (!*end)
		return JFREC_UNIT_NONE;
	if (strchr(n->text, '%'))
		return JFREC_UNIT_PERCENT;
	if (jfrec_parse_duration(n->text, &ns))
		return JFREC_UNIT_NS;
	return jfrec_parse_size(n->text, &bytes) ? JFREC_UNIT_BYTES : JFREC_UNIT_NONE;
}

static void guess_unit(struct draft *d)
{
	struct user_rule *r = d->rule;
	const struct jfrec_yaml_node *n = d->warning ? d->warning : d->info;
	enum jfrec_unit unit = JFREC_UNIT_NONE;

	if (n->kind == JFREC_YAML_TEXT)
		unit = unit_of_limit(n);
	if (d->info && d->info->kind == JFREC_YAML_TEXT && unit == JFREC_UNIT_NONE)
		unit = unit_of_limit(d->info);
	r->is_plain = true;
	r->is_span =
		unit == JFREC_UNIT_NS || (unit == JFREC_UNIT_PERCENT && r->how == USER_RULE_RATE);
	/* Of a rate the limit is in per cent, of a span of time. */
	r->rule.info.unit = r->how == USER_RULE_RATE && r->is_span ? JFREC_UNIT_NS : unit;
}

/* The unit of a rate, from that of what is added up. */
static enum jfrec_unit unit_of_rate(enum jfrec_unit unit)
{
	return unit == JFREC_UNIT_NS	     ? JFREC_UNIT_PERCENT
	       : unit == JFREC_UNIT_BYTES ? JFREC_UNIT_BYTES_PER_S
					     : JFREC_UNIT_HERTZ;
}

/* Measures ------------------------------------------------------------------------------------- */

static int fail_measure(struct draft *d, struct jfrec_error *err)
{
	return jfrec_yaml_fail(d->measure, err,
			       "measure is count, rate, or one of sum, rate, mean, max and "
			       "percentiles with a field, such as 'p99 duration'");
}

static bool is_percentile(const char *word, double *p)
{
	char *end;

	if (word[0] != 'p' || !isdigit((unsigned char)word[1]))
		return false;
	*p = strtod(word + 1, &end);
	return !*end && *p > 0 && *p <= 100;
}

static bool measure_of(struct user_rule *r, const char *word, bool has_field)
{
	static const struct {
		const char *name;
		enum user_rule_measure how;
	} words[] = {
		{ "count", USER_RULE_COUNT }, { "rate", USER_RULE_RATE }, { "sum", USER_RULE_SUM },
		{ "mean", USER_RULE_MEAN },	{ "max", USER_RULE_MAX },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(words[i].name, word) != 0)
			continue;
		r->how = words[i].how;
		return r->how == USER_RULE_RATE || has_field == (r->how != USER_RULE_COUNT);
	}
	r->how = USER_RULE_PERCENTILE;
	return is_percentile(word, &r->percentile) && has_field;
}

static int read_measure(struct draft *d, struct jfrec_error *err)
{
	struct user_rule *r = d->rule;
	const char *text = d->measure ? d->measure->text : "count", *field;
	char word[16];
	size_t len;

	if (d->measure && d->measure->kind != JFREC_YAML_TEXT)
		return fail_measure(d, err);
	len = strcspn(text, " ");
	field = text + len + strspn(text + len, " ");
	snprintf(word, sizeof(word), "%.*s", (int)len, text);
	if (len >= sizeof(word) || !measure_of(r, word, *field) || (*field && !is_name(field)))
		return fail_measure(d, err);
	r->rule.info.unit = JFREC_UNIT_NONE;
	if (*field) {
		r->field = made(d, "%s", field);
		if (!r->field)
			return fail_memory(err);
		if (!d->type)
			guess_unit(d);
		else if (unit_of_field(d, r->field, err) < 0)
			return -1;
	}
	if (r->how == USER_RULE_RATE)
		r->rule.info.unit = unit_of_rate(r->rule.info.unit);
	return 0;
}

/* Groups --------------------------------------------------------------------------------------- */

static bool is_window(const char *text, int64_t *ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} words[] = {
		{ "second", INT64_C(1000000000) },
		{ "minute", INT64_C(60000000000) },
		{ "hour", INT64_C(3600000000000) },
		{ "day", INT64_C(86400000000000) },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(words[i].name, text) == 0) {
			*ns = words[i].ns;
			return true;
		}
	}
	return isdigit((unsigned char)text[0]) && jfrec_parse_duration(text, ns);
}

/* The first field that holds a class. */
static const char *class_field(const struct jfrec_type *t)
{
	for (size_t i = 0; t && i < jfrec_type_field_count(t); i++) {
		const struct jfrec_field *f = jfrec_type_field_get(t, i);

		if (strcmp(jfrec_type_name(jfrec_field_type(f)), "java.lang.Class") == 0)
			return jfrec_field_name(f);
	}
	return NULL;
}

static const char *thread_field(const struct jfrec_type *t)
{
	static const char *const names[] = { "thread", "eventThread", "sampledThread" };

	for (size_t i = 0; t && i < sizeof(names) / sizeof(*names); i++) {
		if (jfrec_type_field(t, names[i]))
			return names[i];
	}
	return t ? NULL : "eventThread";
}

static int read_window(struct draft *d, const struct jfrec_yaml_node *n, int64_t ns,
		       struct jfrec_error *err)
{
	if (ns < MIN_WINDOW_NS)
		return jfrec_yaml_fail(n, err, "a window of time is at least 1 s, not %s", n->text);
	if (d->rule->window_ns)
		return jfrec_yaml_fail(n, err, "a rule has one window of time");
	d->rule->window_ns = ns;
	return 0;
}

static int read_path(struct draft *d, const struct jfrec_yaml_node *n, struct user_rule_part *p,
		     struct jfrec_error *err)
{
	const char *path = n->text;

	if (strcmp(path, "class") == 0) {
		path = class_field(d->type);
		if (!path)
			return jfrec_yaml_fail(n, err, "%s has no field that is known to be a class; "
					       "name the field",
					       d->rule->event);
	}
	if (!is_name(path))
		return jfrec_yaml_fail(n, err, "per is whole, minute, 10s, thread, class, method or "
				       "a field, not %.60s",
				       path);
	if (d->type && !field_at(d, n, path, err))
		return -1;
	p->path = made(d, "%s", path);
	return p->path ? 0 : fail_memory(err);
}

static int read_part(struct draft *d, const struct jfrec_yaml_node *n, struct jfrec_error *err)
{
	struct user_rule *r = d->rule;
	struct user_rule_part *p = &r->parts[r->part_count];
	int64_t ns;

	if (n->kind != JFREC_YAML_TEXT)
		return jfrec_yaml_fail(n, err, "per is a text, or a list of texts");
	if (strcmp(n->text, "whole") == 0)
		return 0;
	if (is_window(n->text, &ns))
		return read_window(d, n, ns, err);
	if (r->part_count == USER_RULE_PARTS)
		return jfrec_yaml_fail(n, err, "a rule has at most %d of these, and a window of time",
				       USER_RULE_PARTS);
	r->part_count++;
	p->name = made(d, "%s", n->text);
	if (!p->name)
		return fail_memory(err);
	p->is_thread = strcmp(n->text, "thread") == 0;
	if (p->is_thread && !thread_field(d->type))
		return jfrec_yaml_fail(n, err, "%s has no thread", r->event);
	if (strcmp(n->text, "method") == 0 && d->type && !jfrec_type_field(d->type, "stackTrace"))
		return jfrec_yaml_fail(n, err, "%s has no stack trace", r->event);
	if (p->is_thread || strcmp(n->text, "method") == 0)
		return 0;
	return read_path(d, n, p, err);
}

static int read_per(struct draft *d, struct jfrec_error *err)
{
	if (!d->per)
		return 0;
	if (d->per->kind != JFREC_YAML_LIST)
		return read_part(d, d->per, err);
	for (const struct jfrec_yaml_node *n = d->per->first; n; n = n->next) {
		if (read_part(d, n, err) < 0)
			return -1;
	}
	return 0;
}

/* Expressions and limits ----------------------------------------------------------------------- */

static int read_where(struct draft *d, struct jfrec_error *err)
{
	struct jfrec_error why;
	struct where *w = NULL;
	int ret;

	if (take_text(d, d->where, &d->rule->where, 4000, err) < 0)
		return -1;
	if (!d->rule->where)
		return 0;
	ret = where_add(&w, d->rule->where, &why);
	if (ret == 0 && d->type)
		ret = where_check_type(w, d->type, &why);
	where_free(w);
	if (ret == 0)
		return 0;
	return why.code == JFREC_ENOMEM ? fail_memory(err)
					: jfrec_yaml_fail(d->where, err, "%s", why.text);
}

static int read_limit(struct draft *d, const struct jfrec_yaml_node *n, double *to,
		      struct jfrec_error *err)
{
	enum jfrec_unit unit = d->rule->rule.info.unit;

	*to = INFINITY;
	if (!n)
		return 0;
	if (n->kind == JFREC_YAML_TEXT && limit_parse(n->text, unit, to))
		return 0;
	return jfrec_yaml_fail(n, err, "%s takes %s or never%s%s", n->key, limit_example(unit),
			       n->kind == JFREC_YAML_TEXT ? ", not " : "",
			       n->kind == JFREC_YAML_TEXT ? n->text : "");
}

static int read_limits(struct draft *d, struct jfrec_error *err)
{
	struct jfrec_rule_info *info = &d->rule->rule.info;

	if (read_limit(d, d->info, &info->info, err) < 0 ||
	    read_limit(d, d->warning, &info->warning, err) < 0)
		return -1;
	if (isfinite(info->info) && isfinite(info->warning) && info->info > info->warning)
		return jfrec_yaml_fail(d->info, err, "info begins below warning, not above it");
	/* A warning is at least an info. */
	if (isinf(info->info))
		info->info = info->warning;
	return 0;
}

/* Words ---------------------------------------------------------------------------------------- */

static const char *measure_words(struct draft *d)
{
	const struct user_rule *r = d->rule;
	static const char *const of[] = { [USER_RULE_SUM] = "sum of", [USER_RULE_MEAN] = "mean of",
					  [USER_RULE_MAX] = "greatest" };

	if (!r->field)
		return made(d, "number of %s events%s", r->event,
			    r->how == USER_RULE_RATE ? " per second" : "");
	if (r->how == USER_RULE_PERCENTILE)
		return made(d, "p%g of %s of %s events", r->percentile, r->field, r->event);
	if (r->how == USER_RULE_RATE)
		return made(d, "%s%s of %s events%s", r->is_span ? "share of the time that " : "",
			    r->field, r->event, r->is_span ? " makes up" : " per second");
	return made(d, "%s %s of %s events", of[r->how], r->field, r->event);
}

static const char *group_words(struct draft *d)
{
	const struct user_rule *r = d->rule;
	int64_t s = r->window_ns / 1000000000;
	const char *text = r->window_ns ? s == 60     ? ", per minute"
					  : s == 3600 ? ", per hour"
						      : made(d, ", per %lld s", (long long)s)
					: "";

	for (unsigned i = 0; text && i < r->part_count; i++)
		text = made(d, "%s, per %s", text, r->parts[i].name);
	return text;
}

static int write_words(struct draft *d, struct jfrec_error *err)
{
	struct jfrec_rule_info *info = &d->rule->rule.info;
	const char *measure = measure_words(d), *groups = group_words(d);
	const char *where = d->rule->where ? made(d, " for which `%s` is true", d->rule->where) : "";

	if (!measure || !groups || !where)
		return fail_memory(err);
	info->measures = made(d, "%s%s", measure, groups);
	info->computes = made(d, "The %s%s%s. The highest is compared with the limits. It is the "
			      "rule of %s, line %u.",
			      measure, where, groups, d->rule->file, d->rule->line);
	if (!info->question)
		info->question = made(d, "Is the %s too high?", measure);
	return info->measures && info->computes && info->question ? 0 : fail_memory(err);
}

/* Rules ---------------------------------------------------------------------------------------- */

static bool is_id(const char *id)
{
	size_t len = strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-");

	return len && !id[len] && len <= MAX_ID && isalpha((unsigned char)id[0]);
}

static const struct user_rule *user_rule_named(const struct jfrec_user_rules *rules, const char *id)
{
	const struct user_rule *r = rules->first;

	while (r && strcmp(r->rule.info.id, id) != 0)
		r = r->next;
	return r;
}

static int check_id(struct draft *d, const struct jfrec_yaml_node *n, struct jfrec_error *err)
{
	const struct user_rule *same = user_rule_named(d->rules, n->key);

	if (!is_id(n->key))
		return jfrec_yaml_fail_key(n, err, "a rule is called by small letters, digits and "
					   "hyphens, at most %d of them",
					   MAX_ID);
	if (jfrec_rule_find(n->key))
		return jfrec_yaml_fail_key(n, err, "%s is one of jfrec's own rules: choose another "
					   "name, or set its limits with --limits",
					   n->key);
	if (same)
		return jfrec_yaml_fail_key(n, err, "%s is in %s already, line %u", n->key,
					   same->file, same->line);
	return 0;
}

static int sort_keys(struct draft *d, const struct jfrec_yaml_node *rule, struct jfrec_error *err)
{
	const struct {
		const char *key;
		const struct jfrec_yaml_node **to;
	} keys[] = {
		{ "event", &d->event },
		{ "where", &d->where },
		{ "measure", &d->measure },
		{ "per", &d->per },
		{ "info", &d->info },
		{ "warning", &d->warning },
		{ "question", &d->texts[QUESTION] },
		{ "summary", &d->texts[SUMMARY] },
		{ "advice", &d->texts[ADVICE] },
	};
	size_t count = sizeof(keys) / sizeof(*keys), i;

	if (rule->kind != JFREC_YAML_MAP)
		return jfrec_yaml_fail(rule, err, "a rule has event, measure, warning and others");
	for (const struct jfrec_yaml_node *n = rule->first; n; n = n->next) {
		struct near near = { .name = n->key };
		char list[NEAR_LIST_MAX];

		for (i = 0; i < count && strcmp(keys[i].key, n->key) != 0; i++)
			near_offer(&near, keys[i].key);
		if (i == count)
			return jfrec_yaml_fail_key(n, err, "a rule has no %.60s%s", n->key,
						   near_list(&near, list));
		*keys[i].to = n;
	}
	if (!d->event)
		return jfrec_yaml_fail_key(rule, err, "the rule %s has no event", rule->key);
	if (!d->info && !d->warning)
		return jfrec_yaml_fail_key(rule, err, "the rule %s has no limit: info or warning",
					   rule->key);
	return 0;
}

/* The fields that user_rules.c reads, in its order. */
static void name_inputs(struct draft *d)
{
	struct user_rule *r = d->rule;
	struct reads *in = &r->inputs[0];
	const char *thread = thread_field(d->type), *period;
	unsigned n = USER_RULE_FIRST_FIELD;

	period = d->type ? jfrec_dictionary_value(d->older ? d->older : d->rules->newest, r->event,
						  "period", JFREC_DECLARED)
			 : NULL;
	*in = (struct reads){ .type = r->event,
			      .need = period ? JFREC_RULE_PERIODIC : JFREC_RULE_OCCURS };
	in->fields[USER_RULE_THREAD_FIELD] = thread ? thread : "eventThread";
	in->fields[USER_RULE_STACK_FIELD] = "stackTrace";
	for (unsigned i = 0; i < r->part_count; i++) {
		if (r->parts[i].path)
			in->fields[n++] = r->parts[i].path;
	}
	if (r->field)
		in->fields[n] = r->field;
}

static int read_parts(struct draft *d, struct jfrec_error *err)
{
	struct jfrec_rule_info *info = &d->rule->rule.info;

	if (read_event(d, err) < 0 || read_measure(d, err) < 0 || read_per(d, err) < 0 ||
	    read_where(d, err) < 0 || read_limits(d, err) < 0 ||
	    take_text(d, d->texts[QUESTION], &info->question, MAX_TEXT, err) < 0 ||
	    take_text(d, d->texts[SUMMARY], &d->rule->summary, MAX_TEXT, err) < 0 ||
	    take_text(d, d->texts[ADVICE], &info->advice, MAX_TEXT, err) < 0)
		return -1;
	name_inputs(d);
	return write_words(d, err);
}

int user_rule_read(struct jfrec_user_rules *rules, const struct jfrec_yaml_node *n,
		   const char *file, struct jfrec_error *err)
{
	struct user_rule *r = arena_zalloc(&rules->arena, 1, sizeof(*r));
	struct draft d = { .rules = rules, .rule = r };
	int ret;

	if (!r)
		return fail_memory(err);
	r->file = file;
	r->line = n->key_line;
	r->rule.curve = CURVE;
	r->rule.inputs = r->inputs;
	r->rule.state_size = user_rule_state_size;
	r->rule.judge = user_rule_judge;
	r->rule.fini = user_rule_fini;
	r->rule.info.id = made(&d, "%s", n->key);
	if (!r->rule.info.id)
		return fail_memory(err);
	if (rules->count == MAX_OWN_RULES)
		return jfrec_yaml_fail_key(n, err, "there are more than %d rules", MAX_OWN_RULES);
	ret = check_id(&d, n, err) < 0 || sort_keys(&d, n, err) < 0 || read_parts(&d, err) < 0 ? -1
											     : 0;
	jfrec_dictionary_free(d.older);
	if (ret < 0)
		return -1;
	if (rules->last)
		rules->last->next = r;
	else
		rules->first = r;
	rules->last = r;
	rules->count++;
	return 0;
}
