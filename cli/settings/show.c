/* SPDX-License-Identifier: MIT */
/*
 * show.c - jfrec settings show: print settings, also in the other format
 */
#include "base/report.h"
#include "settings/commands.h"
#include "settings/events.h"
#include "settings/source.h"

struct options {
	bool yaml, jfc, json; /* none: YAML */
	const char *home;
};

/* clang-format off */
static const struct opt opts[] = {
	OPT_FLAG(0, "yaml", "print YAML, jfrec-settings(5) (the default)", struct options, yaml),
	OPT_FLAG(0, "jfc", "print a .jfc file", struct options, jfc),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	JDK_HOME_ROW(struct options, home),
	{ 0 },
};
/* clang-format on */

static json_t *choices_json(const struct jfrec_settings_option *o)
{
	json_t *array = json_array();

	for (size_t i = 0; i < jfrec_settings_choice_count(o); i++) {
		const struct jfrec_settings_choice *c = jfrec_settings_choice_get(o, i);

		json_array_append_new(array,
				      json_pack("{s:o, s:o, s:o}", "name", text_json(c->name),
						"label", text_json(c->label), "value",
						text_json(c->value)));
	}
	return array;
}

static json_t *option_json(const struct jfrec_settings_option *o)
{
	static const char *const kinds[] = {
		[JFREC_OPTION_SELECTION] = "selection",
		[JFREC_OPTION_TEXT] = "text",
		[JFREC_OPTION_FLAG] = "flag",
	};
	json_t *object = json_pack("{s:o, s:o, s:s, s:o}", "label", text_json(o->label),
				   "description", text_json(o->description), "kind", kinds[o->kind],
				   "value", text_json(o->value));

	if (o->kind == JFREC_OPTION_SELECTION)
		json_object_set_new(object, "choices", choices_json(o));
	if (o->kind == JFREC_OPTION_TEXT) {
		json_object_set_new(object, "type", text_json(o->type));
		json_object_set_new(object, "minimum", text_json(o->minimum));
		json_object_set_new(object, "maximum", text_json(o->maximum));
	}
	return object;
}

static json_t *options_json(const struct jfrec_settings *s)
{
	json_t *object = json_object();

	for (size_t i = 0; i < jfrec_settings_option_count(s); i++) {
		const struct jfrec_settings_option *o = jfrec_settings_option_get(s, i);

		json_object_set_new(object, o->name, option_json(o));
	}
	return object;
}

static int show_json(const char *word, struct jfrec_settings *s)
{
	json_t *events = settings_events(s);

	if (!events) {
		say(word, "out of memory");
		return EXIT_FAILED;
	}
	return print_document("settings-show",
			      json_pack("{s:o, s:o, s:o, s:o, s:o}", "label",
					text_json(jfrec_settings_label(s)), "description",
					text_json(jfrec_settings_description(s)), "provider",
					text_json(jfrec_settings_provider(s)), "options",
					options_json(s), "events", events));
}

static int show(const char *word, struct jfrec_settings *s, const struct options *o)
{
	enum jfrec_settings_format format = o->jfc ? JFREC_SETTINGS_JFC : JFREC_SETTINGS_YAML;
	struct jfrec_error err;

	if (o->json)
		return show_json(word, s);
	if (jfrec_settings_write(s, format, write_stdout, NULL, &err) == 0)
		return finish_stdout();
	if (err.code == JFREC_EOUTPUT)
		return report_write_failure(err.sys);
	say(word, err.text);
	return EXIT_FAILED;
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };
	struct jfrec_settings *s;
	int ret;

	if (!opt_parse(&p, &o))
		return p.status;
	if (o.yaml + o.jfc + o.json > 1)
		return report_usage(self, "only one format can be given");
	if (p.first_operand != argc - 1)
		return report_usage(self, "name the settings: one name or file");
	s = settings_open(argv[p.first_operand], o.home);
	if (!s)
		return EXIT_FAILED;
	ret = show(argv[p.first_operand], s, &o);
	jfrec_settings_free(s);
	return ret;
}

const struct command settings_show = {
	.name = "settings show",
	.args = "NAME|FILE",
	.examples = "  jfrec settings show profile\n"
		    "  jfrec settings show --jfc own.yaml\n",
	.summary = "print settings as YAML, .jfc or JSON",
	.about =
		"Print recording settings: a file, or a name that `jfrec settings list` lists.",
	.opts = opts,
	.run = run,
};
