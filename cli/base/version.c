/* SPDX-License-Identifier: MIT */
/*
 * version.c - jfrec --version: which jfrec this is, and what is in it
 */
#include "base/version.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/envelope.h"
#include "base/report.h"
#include "base/stdout.h"
#include "jfrec-tool.h"

const char *version_system(void)
{
	static char text[160];
	struct utsname u;

	if (uname(&u) < 0)
		return "Linux";
#ifdef __GLIBC__
	snprintf(text, sizeof(text), "%.32s %.32s, glibc %s", u.sysname, u.machine,
		 gnu_get_libc_version());
#else
	snprintf(text, sizeof(text), "%.32s %.32s, musl", u.sysname, u.machine);
#endif
	return text;
}

/* The JSON of the tool itself is jansson's work, of which the library knows nothing. */
static struct jfrec_library library_of_tool(void)
{
	return (struct jfrec_library){ .name = "jansson", .version = jansson_version_str(),
				    .does = "JSON documents" };
}

static struct jfrec_library library_at(size_t i)
{
	return i < jfrec_library_count() ? jfrec_library_get(i) : library_of_tool();
}

static void print_library(const struct jfrec_library *library)
{
	printf("%-10s%-10s%s\n", library->name, library->version ? library->version : "missing",
	       library->does);
	if (library->missing)
		printf("%20s%s\n", "", library->missing);
}

static json_t *library_json(const struct jfrec_library *library)
{
	return json_pack("{s:s, s:s?, s:s, s:s?}", "name", library->name, "version", library->version,
			 "does", library->does, "missing", library->missing);
}

static int print_libraries(bool json)
{
	json_t *array = json_array();

	if (!json)
		printf("jfrec %s\n%s\n\n", jfrec_version(), version_system());
	for (size_t i = 0; i <= jfrec_library_count(); i++) {
		const struct jfrec_library library = library_at(i);

		if (json)
			json_array_append_new(array, library_json(&library));
		else
			print_library(&library);
	}
	if (json)
		return print_document("version", json_pack("{s:s, s:o}", "system", version_system(),
							   "libraries", array));
	json_decref(array);
	return finish_stdout();
}

int version_run(int argc, char **argv)
{
	bool verbose = false, json = false;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--verbose") == 0 || strcmp(argv[i], "-v") == 0) {
			verbose = true;
		} else if (strcmp(argv[i], "--json") == 0 || strcmp(argv[i], "-j") == 0) {
			json = true;
		} else {
			fprintf(stderr, "jfrec: --version takes --verbose and --json, not '%s'\n",
				argv[i]);
			return EXIT_USAGE;
		}
	}
	if (verbose || json)
		return print_libraries(json);
	printf("jfrec %s\n", jfrec_version());
	return finish_stdout();
}
