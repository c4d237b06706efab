/* SPDX-License-Identifier: MIT */
/*
 * code_owner.h - whose a method is: the JDK's, a known library's, or the application's
 *
 * Methods are named with their class and its package, "java.lang.Thread.run", as findings show them.
 */
#ifndef JFREC_BASE_CODE_OWNER_H
#define JFREC_BASE_CODE_OWNER_H

#include <stdbool.h>

enum code_owner { OWNER_APPLICATION, OWNER_LIBRARY, OWNER_JDK };

/* Lambdas and proxies are their package's. */
enum code_owner code_owner(const char *method);

bool is_jdk_method(const char *method);

/*
 * Code that stands between the application and what it uses: known libraries and frameworks, and
 * what they or the JVM make of classes of the application.
 */
bool is_library_method(const char *method);

#endif
