/* SPDX-License-Identifier: MIT */
/*
 * musl_chk.c - what libraries of the system that were built with glibc's _FORTIFY_SOURCE call
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args);
int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...);
char *__strncpy_chk(char *to, const char *from, size_t n, size_t room);
int __fprintf_chk(FILE *to, int flag, const char *format, ...);

int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
{
	(void)flag;
	return vsnprintf(to, size < room ? size : room, format, args);
}

int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = __vsnprintf_chk(to, size, flag, room, format, args);
	va_end(args);
	return n;
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
	return strncpy(to, from, n < room ? n : room);
}

int __fprintf_chk(FILE *to, int flag, const char *format, ...)
{
	va_list args;
	int n;

	(void)flag;
	va_start(args, format);
	n = vfprintf(to, format, args);
	va_end(args);
	return n;
}
