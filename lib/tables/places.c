/* SPDX-License-Identifier: MIT */
/*
 * places.c - which file a row goes to
 */
#include "tables/places.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/human.h"
#include "base/suffix.h"

#define DAY_NS INT64_C(86400000000000)

/* Longer names end in a hash instead: file systems take 255 bytes, with the suffix. */
#define NAME_MOST 200

/* What Hive, Spark and DuckDB call the partition of rows without a value. */
#define NO_VALUE "__HIVE_DEFAULT_PARTITION__"

#define SUFFIX ".parquet"

/* Names ---------------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("._-$", c));
}

static void put_text(struct buffer *to, const char *s)
{
	buffer_put(to, s, strlen(s));
}

/*
 * A name that is one part of a path: other characters as "%2F", and so is a dot at the beginning,
 * which hides a file, or a hyphen, which makes it an option of who says *.parquet.
 */
static void put_name(struct buffer *to, const char *name, size_t len)
{
	size_t before = to->len, kept = to->len;
	struct digest d = DIGEST_INIT;
	char text[32];

	for (size_t i = 0; i < len; i++) {
		if (is_plain(name[i]) && (i > 0 || !strchr(".-", name[i]))) {
			buffer_u8(to, (uint8_t)name[i]);
		} else {
			snprintf(text, sizeof(text), "%%%02X", (unsigned char)name[i]);
			put_text(to, text);
		}
		if (to->len - before <= NAME_MOST)
			kept = to->len;
	}
	if (to->failed || to->len - before <= NAME_MOST)
		return;
	digest_bytes(&d, name, len);
	to->len = kept;
	snprintf(text, sizeof(text), "~%016" PRIx64, d.a);
	put_text(to, text);
}

/* Of "/var/a.jfr.gz" it is "a". */
static void put_stem(struct buffer *to, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t len = suffix_stem(name);

	put_name(to, len ? name : "recording", len ? len : strlen("recording"));
}

/* Partitions ----------------------------------------------------------------------------------- */

static bool is_word(const char *at, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(at, word, len) == 0;
}

int partition_init(struct partition *p, const char *list, const struct labels *l,
		   struct jfrec_error *err)
{
	*p = (struct partition){ .list = list };
	for (const char *at = list; at; at = strchr(at, ',')) {
		size_t len;

		at += *at == ',';
		len = strcspn(at, ",");
		if (is_word(at, len, "date"))
			p->has_date = true;
		else if (!labels_get(l, at, len))
			return jfrec_fail(err, JFREC_EINVAL, JFREC_NO_OFFSET,
					  "cannot partition by '%.*s'; use date, or a label that is "
					  "given",
					  (int)(len < 64 ? len : 64), at);
	}
	return 0;
}

bool partition_has(const struct partition *p, const char *key)
{
	for (const char *at = p->list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (is_word(at, strcspn(at, ","), key))
			return true;
	}
	return false;
}

int64_t day_of(int64_t ns)
{
	return ns / DAY_NS - (ns % DAY_NS < 0);
}

static void put_date(struct buffer *to, int64_t day)
{
	char text[HUMAN_MAX];

	if (day == NO_DAY) {
		put_text(to, NO_VALUE);
		return;
	}
	/* A moment of that day that 64 bits hold: before 1970 its last, else its first. */
	human_time(text, day < 0 ? (day + 1) * DAY_NS - 1 : day * DAY_NS, 0);
	*strchr(text, ' ') = '\0';
	put_text(to, text);
}

static void put_partition(struct buffer *to, const char *key, size_t len, const struct labels *l,
			  int64_t day)
{
	const char *value = labels_get(l, key, len);

	buffer_put(to, key, len);
	put_text(to, "=");
	if (is_word(key, len, "date"))
		put_date(to, day);
	else if (value && *value)
		put_name(to, value, strlen(value));
	else
		put_text(to, NO_VALUE);
}

char *place_of(const struct partition *p, const struct labels *l, const char *table, int64_t day,
	       const char *recording)
{
	struct buffer path = { 0 };

	put_name(&path, table, strlen(table));
	for (const char *at = p->list; at; at = strchr(at, ',')) {
		at += *at == ',';
		put_text(&path, "/");
		put_partition(&path, at, strcspn(at, ","), l, day);
	}
	if (p->list) {
		put_text(&path, "/");
		put_stem(&path, recording);
	}
	put_text(&path, SUFFIX);
	buffer_u8(&path, '\0');
	if (!path.failed)
		return (char *)path.data;
	buffer_fini(&path);
	return NULL;
}

/* Make one if it is not there.  0, or an errno. */
static int make_directory(const char *path, struct made_directories *made)
{
	char *copy;

	if (mkdir(path, 0777) < 0)
		return errno == EEXIST ? 0 : errno;
	/* One that is forgotten stays where it is. */
	copy = strdup(path);
	if (copy && !array_push(made->paths, made->count, made->room, copy))
		free(copy);
	return 0;
}

void made_directories_end(struct made_directories *made, bool remove)
{
	/* Those in others were made after them.  One that contains a file stays. */
	for (size_t i = made->count; i-- > 0;) {
		if (remove)
			rmdir(made->paths[i]);
		free(made->paths[i]);
	}
	free(made->paths);
	*made = (struct made_directories){ 0 };
}

int make_directories(const char *directory, const char *path, struct made_directories *made,
		     struct jfrec_error *err)
{
	size_t first = strlen(directory) + 1;
	char *whole = NULL;
	int error = 0;

	if (asprintf(&whole, "%s/%s", directory, path) < 0)
		return jfrec_fail_memory(err);
	/* From the directory itself on, whose parent must be there. */
	for (char *slash = whole + first - 1; slash && !error; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		error = make_directory(whole, made);
		*slash = '/';
	}
	free(whole);
	if (!error)
		return 0;
	jfrec_fail(err, JFREC_EOUTPUT, JFREC_NO_OFFSET, "cannot create directory %s: %s", directory,
		   strerror(error));
	if (err)
		err->sys = error;
	return -1;
}
