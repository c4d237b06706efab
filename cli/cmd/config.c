/* SPDX-License-Identifier: MIT */
/*
 * config.c - jfrec config show: the defaults in effect
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/config.h"
#include "base/report.h"
#include "recording/outfile.h"

/* What holds where no file says anything. */
static const char *const defaults[CONFIG_COUNT] = {
	[CONFIG_OUTPUT_DIRECTORY] = ".",
	[CONFIG_OUTPUT_NAME] = OUTFILE_DEFAULT_NAME,
	[CONFIG_COMPRESS] = "none",
	[CONFIG_SETTINGS] = "default",
	[CONFIG_TIME_ZONE] = "the recording's",
	[CONFIG_RULES] = "none",
	[CONFIG_REDACT_HOSTS] = "false",
	[CONFIG_REDACT_PATHS] = "false",
	[CONFIG_VIEWS] = "none",
};

static bool is_there(const char *path)
{
	return access(path, R_OK) == 0;
}

/* JSON ----------------------------------------------------------------------------------------- */

static json_t *value_json(const struct config_value *v)
{
	json_t *texts = json_array();

	for (size_t i = 0; i < v->count; i++)
		json_array_append_new(texts, text_json(v->texts[i]));
	return json_pack("{s:o, s:o, s:o}", "value",
			 v->count ? texts : (json_decref(texts), json_null()), "path",
			 text_json(v->path), "line", v->line ? json_integer(v->line) : json_null());
}

static json_t *config_json(const struct config_values *c)
{
	json_t *files = json_array(), *values = json_object();
	const char *path;

	for (size_t i = 0; (path = config_file(i)); i++) {
		if (*path)
			json_array_append_new(files,
					      json_pack("{s:o, s:b}", "path", text_json(path),
							"found", is_there(path)));
	}
	for (enum config_key i = 0; i < CONFIG_COUNT; i++) {
		const struct config_value *v = config_values_get(c, i);

		json_object_set_new(values, v->key, value_json(v));
	}
	return json_pack("{s:o, s:o}", "files", files, "values", values);
}

/* Text ----------------------------------------------------------------------------------------- */

static size_t print_texts(const struct config_value *v, const char *otherwise)
{
	size_t len = 0;

	if (v->count == 0)
		len += (size_t)put_name(stdout, otherwise);
	for (size_t i = 0; i < v->count; i++) {
		if (i)
			len += (size_t)printf(", ");
		len += (size_t)put_name(stdout, v->texts[i]);
	}
	return len;
}

static int print_config(const struct config_values *c)
{
	const char *path;

	for (size_t i = 0; (path = config_file(i)); i++) {
		if (!*path)
			continue;
		print_name(path);
		puts(is_there(path)    ? ""
		     : errno == EACCES ? " (not readable)"
				       : " (does not exist)");
	}
	putchar('\n');
	for (enum config_key i = 0; i < CONFIG_COUNT; i++) {
		const struct config_value *v = config_values_get(c, i);
		size_t len;

		printf("%-18s", v->key);
		len = print_texts(v, defaults[i]);
		printf("%*s  ", len < 30 ? (int)(30 - len) : 0, "");
		if (v->path) {
			print_name(v->path);
			printf(", line %u\n", v->line);
		} else {
			puts("default");
		}
	}
	return finish_stdout();
}

struct show_options {
	bool json;
};

static const struct opt show_opts[] = {
	OPT_FLAG('j', "json", "print one JSON document", struct show_options, json),
	{ 0 },
};

static int run_show(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct show_options o = { 0 };
	const struct config_values *c;
	int status;

	if (!opt_parse(&p, &o))
		return p.status;
	if (p.first_operand < argc)
		return report_usage(self, "it takes no operand; `jfrec --config FILE config show` "
					  "reads FILE, too");
	status = config_get(&c);
	if (status != EXIT_DONE)
		return status;
	return o.json ? print_document("config-show", config_json(c)) : print_config(c);
}

static const struct command config_show = {
	.name = "config show",
	.args = "",
	.examples = "  jfrec config show\n"
		    "  jfrec config show --json\n",
	.summary = "show the defaults in effect",
	.about =
		"List the configuration files and, for each default, its value and the file and\n"
		"line that sets it.  jfrec-config(5) describes these files.",
	.opts = show_opts,
	.run = run_show,
};

static const struct opt opts[] = { { 0 } };

static const struct command *const subs[] = { &config_show, NULL };

const struct command cmd_config = {
	.name = "config",
	.args = "COMMAND [ARGUMENT...]",
	.examples = "  jfrec config show\n"
		    "  jfrec config show --json\n",
	.summary = "show the defaults in effect and where they are set",
	.about =
		"Default values of options are read from /etc/jfrec/config.yaml and from\n"
		"$XDG_CONFIG_HOME/jfrec/config.yaml (~/.config/jfrec/config.yaml).",
	.opts = opts,
	.run = command_run_sub,
	.subs = subs,
};
