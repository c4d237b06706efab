/* SPDX-License-Identifier: MIT */
/*
 * unloaded.c - a program unloads a plug-in that carries the recorder, while its threads run
 *
 * usage: unloaded PLUGIN.so
 *
 * Run with JFREC_RECORD.  The plug-in is linked with the static library.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/test.h"

/* The recorder's threads: in each round one of them, or both, are about to wait or to run. */
static void unload_once(const char *plugin, unsigned pause)
{
	void *module = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
	void (*emit)(int);

	CHECK(module != NULL);
	if (!module)
		return;
	*(void **)&emit = dlsym(module, "plugin_emit");
	CHECK(emit != NULL);
	if (emit)
		emit(1000);
	usleep(pause);
	CHECK(dlclose(module) == 0);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	test_begin("a_plugin_is_unloaded_under_its_threads");
	for (unsigned i = 0; i < 50; i++)
		unload_once(argv[1], i * 100);
	/* A flush, and a look of the listener. */
	sleep(2);
	test_begin("its_types_are_known_when_it_comes_back");
	unload_once(argv[1], 0);
	return test_end();
}
