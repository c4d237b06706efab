/* SPDX-License-Identifier: MIT */
/*
 * check.c - jfrec settings check: find mistakes that a JVM would silently accept
 */
#include "base/report.h"
#include "opts/dictionary.h"
#include "opts/target.h"
#include "settings/commands.h"
#include "settings/source.h"

struct options {
	const char *target, *home;
	int jdk; /* 0: any */
	bool json;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_STRING(0, "target", "TARGET", "for this JVM: a pid or a part of its name", struct options, target),
	OPT_CALL(0, "jdk", "VERSION", "for JVMs of this version, such as 17", take_jdk, struct options, jdk),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	JDK_HOME_ROW(struct options, home),
	{ 0 },
};
/* clang-format on */

struct report {
	const char *word; /* which settings */
	json_t *array;	  /* NULL: print text */
	size_t wrong, notes;
};

/* clang-format off */
static json_t *finding_json(const struct report *r, const struct jfrec_settings_finding *f)
{
	return json_pack("{s:o, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:o}",
			 "settings", text_json(r->word),
			 "line", (int)f->line,
			 "column", (int)f->column,
			 "wrong", f->wrong,
			 "event", text_json(f->event),
			 "setting", text_json(f->setting),
			 "option", text_json(f->option),
			 "text", text_json(f->text),
			 "remedy", text_json(f->remedy));
}
/* clang-format on */

static void put(const char *before, const char *text)
{
	if (!text)
		return;
	fputs(before, stdout);
	print_name(text);
}

/* "mine.yaml:12: jdk.FileRead#threshold: '20' has no unit; write 20 ms" */
static void show(void *ctx, const struct jfrec_settings_finding *f)
{
	struct report *r = ctx;

	if (f->wrong)
		r->wrong++;
	else
		r->notes++;
	if (r->array) {
		json_array_append_new(r->array, finding_json(r, f));
		return;
	}
	print_name(r->word);
	if (f->line)
		printf(":%u", f->line);
	fputs(f->wrong ? ": " : ": note: ", stdout);
	put("", f->event);
	put("#", f->setting);
	put("", f->option);
	put(f->event || f->option ? ": " : "", f->text);
	put("; ", f->remedy);
	putchar('\n');
}

static int check(struct report *r, const struct options *o)
{
	struct jfrec_settings *s = settings_open(r->word, o->home);
	struct jfrec_error err;
	int ret = EXIT_DONE;

	r->wrong = r->notes = 0;
	if (!s)
		return EXIT_FAILED;
	if (jfrec_settings_check(s, o->jdk, show, r, &err) < 0) {
		say(r->word, err.text);
		ret = EXIT_FAILED;
	} else if (!r->array && !r->wrong && !r->notes) {
		print_name(r->word);
		puts(": nothing is wrong");
	}
	jfrec_settings_free(s);
	return r->wrong ? EXIT_FAILED : ret;
}

/* The version of the JVM that is meant. */
static int find_jdk(const struct command *self, struct options *o)
{
	struct target t = { .query = { .target = o->target, .without_names = true } };
	struct jfrec_jvms *list;
	int ret = target_select(self, &t, &list);

	if (ret)
		return ret;
	o->jdk = jfrec_jvms_get(list, 0)->jdk;
	jfrec_jvms_free(list);
	if (o->jdk)
		return EXIT_DONE;
	say(o->target, "cannot find out its JDK version; give it with --jdk");
	return EXIT_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };
	struct report r = { 0 };
	int ret = EXIT_DONE;

	if (!opt_parse(&p, &o))
		return p.status;
	if (p.first_operand == argc)
		return report_usage(self, "name the settings to check: names or files");
	if (o.target && o.jdk)
		return report_usage(self, "give either --target or --jdk");
	if (o.target && (ret = find_jdk(self, &o)))
		return ret;
	r.array = o.json ? json_array() : NULL;
	for (int i = p.first_operand; i < argc; i++) {
		r.word = argv[i];
		if (check(&r, &o))
			ret = EXIT_FAILED;
	}
	if (o.json ? print_document("settings-check", json_pack("{s:o}", "findings", r.array))
		   : finish_stdout())
		ret = EXIT_FAILED;
	return ret;
}

const struct command settings_check = {
	.name = "settings check",
	.args = "NAME|FILE...",
	.examples = "  jfrec settings check own.jfc\n"
		    "  jfrec settings check --json profile\n",
	.summary = "find what a JVM would silently ignore",
	.about =
		"Check settings for unknown events and settings, missing units, values out of\n"
		"range, contradictions, and invalid references, with line numbers.  The exit\n"
		"status is 1 if anything is wrong; a note reports something unusual that works.",
	.opts = opts,
	.run = run,
};
