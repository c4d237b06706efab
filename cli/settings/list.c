/* SPDX-License-Identifier: MIT */
/*
 * list.c - jfrec settings list: list the settings that have a name
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/report.h"
#include "opts/jfr_opts.h"
#include "settings/commands.h"
#include "settings/jdk_home.h"
#include "settings/source.h"

struct options {
	const char *home; /* of a JDK; NULL: of all, and our profiles */
	bool json;
};

/* clang-format off */
static const struct opt opts[] = {
	JDK_HOME_ROW(struct options, home),
	OPT_FLAG('j', "json", "print one JSON document", struct options, json),
	{ 0 },
};
/* clang-format on */

/* "/…/profile.jfc" is profile. */
static char *name_of(const char *path)
{
	const char *name = strrchr(path, '/') + 1;

	return strndup(name, strlen(name) - strlen(".jfc"));
}

/* path: NULL for what comes with us.  is_later: the name alone means that of another JDK. */
static void list_name(json_t *array, const char *name, const char *path, bool is_later)
{
	if (array) {
		json_array_append_new(array, json_pack("{s:o, s:o, s:b}", "name", text_json(name),
						       "path", text_json(path), "needsHome",
						       is_later));
		return;
	}
	print_name(name);
	printf("%*s", (int)(strlen(name) < 20 ? 22 - strlen(name) : 2), "");
	print_name(path ? path
			: strcmp(name, JFR_OPTS_RECORDED) == 0
				? "a profile of jfrec, the default of jfrec record"
				: "a profile of jfrec");
	fputs(is_later ? " (with --jdk-home)" : "", stdout);
	putchar('\n');
}

/*
 * The owner of a JDK names these files, and people and scripts type the names again: one that a
 * shell would have to quote is left out.  Its path still works.
 */
static bool is_plain(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

	return *name && name[strspn(name, plain)] == '\0';
}

/* Where a profile of ours has that name, the JDK's is meant by its file's. */
static void list_file(json_t *array, const struct jdk_homes *homes, const char *path)
{
	char *name = name_of(path), *first = name ? jdk_homes_file(homes, name) : NULL;

	if (name && is_plain(name))
		list_name(array, jfrec_profile_text(name) ? strrchr(path, '/') + 1 : name, path,
			  first && strcmp(first, path) != 0);
	free(first);
	free(name);
}

static void list_profiles(json_t *array)
{
	const char *name;

	for (size_t i = 0; (name = jfrec_profiles_get(i)); i++)
		list_name(array, name, NULL, false);
}

static void list_directory(json_t *array, const struct jdk_homes *homes, const char *directory)
{
	char *pattern;
	glob_t found;

	if (asprintf(&pattern, "%s/*.jfc", directory) < 0)
		return;
	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			list_file(array, homes, found.gl_pathv[i]);
	}
	globfree(&found);
	free(pattern);
}

static int list(const char *home, bool json)
{
	json_t *array = json ? json_array() : NULL;
	struct jdk_homes homes = { 0 };

	if (!home)
		list_profiles(array);
	if (home)
		jdk_homes_only(&homes, home);
	else
		jdk_homes_find(&homes);
	for (size_t i = 0; i < homes.count; i++)
		list_directory(array, &homes, homes.paths[i]);
	if (home && homes.count == 0) {
		json_decref(array);
		say(home, "there is no JDK with settings files");
		return EXIT_FAILED;
	}
	jdk_homes_fini(&homes);
	return json ? print_document("settings-list", json_pack("{s:o}", "settings", array))
		    : finish_stdout();
}

static int run(const struct command *self, int argc, char **argv)
{
	struct opt_parser p = { .self = self, .argc = argc, .argv = argv };
	struct options o = { 0 };

	if (!opt_parse(&p, &o))
		return p.status;
	if (p.first_operand < argc)
		return report_usage(self, "it takes no argument");
	return list(o.home, o.json);
}

const struct command settings_list = {
	.name = "settings list",
	.args = "",
	.examples = "  jfrec settings list\n"
		    "  jfrec settings list --json\n",
	.summary = "list the settings that have a name",
	.about = "List the built-in profiles, and the settings files of the JDKs on this host.",
	.opts = opts,
	.run = run,
};
