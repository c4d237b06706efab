/* SPDX-License-Identifier: MIT */
/*
 * layers.c - stacks of functions that are inlined, static, and in a module that is loaded later
 *
 * usage: layers [PLUGIN [ROUNDS]]
 *
 * Lines that symbolize.py expects end in a comment with the name of the function.  Built with
 * -DPLUGIN it is the module.
 */
#ifdef PLUGIN
void through_plugin(void (*call)(int), int number);

void through_plugin(void (*call)(int), int number)
{
	static volatile int kept;

	call(number); /* through_plugin */
	kept = number;
}
#else
#include <dlfcn.h>
#include <jfrec-recorder.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE static __attribute__((noinline))
#define INLINE	 static inline __attribute__((always_inline))

#define NUMBER(F) F(INT, number, "Number", PLAIN)
JFREC_STACK_EVENT(layered, "test.Layered", "Layered", "Test", NUMBER)

static volatile int kept; /* so that no call is the last thing that a function does */

INLINE void innermost(int number)
{
	layered_emit(number); /* innermost */
	kept++;
}

INLINE void inner(int number)
{
	innermost(number); /* inner */
	kept++;
}

NOINLINE void outer(int number)
{
	inner(number); /* outer */
	kept++;
}

int main(int argc, char **argv)
{
	static const struct timespec pause = { .tv_nsec = 1000000 };
	void (*through)(void (*call)(int), int number) = NULL;
	void *plugin;

	outer(1); /* main */
	plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (plugin)
		*(void **)&through = dlsym(plugin, "through_plugin");
	for (int i = 0; through && i < (argc > 2 ? atoi(argv[2]) : 1); i++) {
		through(outer, i + 2);
		nanosleep(&pause, NULL);
	}
	return argc > 1 && !through;
}
#endif
