/* SPDX-License-Identifier: MIT */
/* plugin.c - a module with a type of events, which books.c loads and unloads */
#include "jfrec-recorder.h"

#define USED(F) F(INT, number, "Number", PLAIN)
JFREC_EVENT(used, "plugin.Used", "Plugin Used", "Plugin", USED)

__attribute__((visibility("default"))) void plugin_emit(int count);

void plugin_emit(int count)
{
	for (int i = 0; i < count; i++)
		used_emit(i);
}
