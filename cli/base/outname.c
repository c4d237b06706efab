/* SPDX-License-Identifier: MIT */
/*
 * outname.c - expand patterns such as %p-%t in names of output files
 */
#include "base/outname.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/suffix.h"

/* Of the main class or jar; a path of 255 bytes must hold more than that. */
#define NAME_MAX_SHOWN 100

static void put_time(char *to, size_t size, int64_t ns)
{
	time_t t = ns ? (time_t)(ns / 1000000000) : time(NULL);
	struct tm tm;

	*to = '\0';
	if (localtime_r(&t, &tm))
		strftime(to, size, "%Y_%m_%d_%H_%M_%S", &tm);
}

/* "/opt/app/shop.jar" is shop.jar; what would be a nuisance in a file name becomes '_'. */
static void put_main(char *to, size_t size, const char *main)
{
	const char *slash = strrchr(main, '/');
	size_t len = 0;

	for (const char *s = slash && slash[1] ? slash + 1 : main; *s && len < size - 1; s++)
		to[len++] = isalnum((unsigned char)*s) || strchr("._-$", *s) ? *s : '_';
	to[len] = '\0';
	/* No hidden file, and no ".." either. */
	if (to[0] == '.')
		to[0] = '_';
}

static bool put_word(char letter, const struct jfrec_jvm *jvm, int64_t ns, char *to, size_t size)
{
	switch (letter) {
	case 'p':
		snprintf(to, size, "%d", jvm->pid);
		return true;
	case 't':
		put_time(to, size, ns);
		return true;
	case 'h':
		if (gethostname(to, size) < 0)
			snprintf(to, size, "localhost");
		to[size - 1] = '\0';
		return true;
	case 'n':
		put_main(to, size, jvm->main);
		return true;
	case '%':
		snprintf(to, size, "%%");
		return true;
	default:
		return false;
	}
}

int outname_make(const char *pattern, const struct jfrec_jvm *jvm, int64_t ns, char *path,
		 size_t size, struct jfrec_error *err)
{
	char word[NAME_MAX_SHOWN];
	size_t len = 0, n;

	for (const char *s = pattern; *s; s++) {
		word[0] = *s;
		word[1] = '\0';
		if (*s == '%' && !put_word(*++s, jvm, ns, word, sizeof(word)))
			return jfrec_fail(
				err, JFREC_EINVAL, JFREC_NO_OFFSET,
				"it can have %%p (pid), %%t (time), %%h (host), %%n (name) and "
				"%%%%");
		n = strlen(word);
		if (n >= size - len)
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "the name is too long");
		memcpy(path + len, word, n);
		len += n;
	}
	path[len] = '\0';
	return 0;
}

bool outname_tells_apart(const char *pattern)
{
	const char *s = strchr(pattern, '%');

	while (s && s[1] && s[1] != 'p')
		s = strchr(s + 2, '%');
	return s && s[1] == 'p';
}

/* Of recordings -------------------------------------------------------------------------------- */

/* Standard input, and what a shell makes of <(...), have no name of their own. */
static bool is_nameless(const char *path)
{
	return strcmp(path, "-") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
	       strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/proc/self/fd/", 14) == 0;
}

char *outname_of_recording(const char *path, const char *nameless)
{
	char *copy = strdup(is_nameless(path) ? nameless : path), *base, *slash;

	while (copy && (slash = strrchr(copy, '/')) && slash > copy && !slash[1])
		*slash = '\0';
	slash = copy ? strrchr(copy, '/') : NULL;
	base = copy ? strdup(slash && slash[1] ? slash + 1 : copy) : NULL;
	free(copy);
	if (!base)
		return NULL;
	base[suffix_stem(base)] = '\0';
	return base;
}
