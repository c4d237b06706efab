/* SPDX-License-Identifier: MIT */
/*
 * outfile.c - a recording that is brought here appears whole or not at all
 */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "report.h"

/* The name of a recording that got none. */
#define DEFAULT_NAME "jfrec-%p-%t.jfr"

/* The wishes ----------------------------------------------------------------------------------- */

static const struct compression {
	const char *name, *suffix;
	struct compressor *(*make)(jfrec_write_fn *to, void *ctx);
} compressions[] = {
	{ "gzip", ".gz", compressor_gzip },
	{ "zstd", ".zst", compressor_zstd },
};

#define COMPRESSION_COUNT (sizeof(compressions) / sizeof(*compressions))

static const struct compression *find_compression(const char *name)
{
	for (size_t i = 0; name && i < COMPRESSION_COUNT; i++) {
		if (strcmp(name, compressions[i].name) == 0)
			return &compressions[i];
	}
	return NULL;
}

static const struct compression *find_suffix(const char *path)
{
	size_t len = strlen(path);

	for (size_t i = 0; i < COMPRESSION_COUNT; i++) {
		size_t n = strlen(compressions[i].suffix);

		if (len > n && strcmp(path + len - n, compressions[i].suffix) == 0)
			return &compressions[i];
	}
	return NULL;
}

int outfile_take_option(struct outfile_wish *w, const struct command *c, int letter,
			const char *value)
{
	switch (letter) {
	case 'o':
		w->output = value;
		return 1;
	case OPT_FORCE:
		w->force = true;
		return 1;
	case OPT_COMPRESS:
		w->compress = value;
		if (find_compression(value))
			return 1;
		report_usage(c, "--compress takes gzip or zstd");
		return -1;
	default:
		return 0;
	}
}

static bool is_stdout(const struct outfile_wish *w)
{
	return w->output && strcmp(w->output, "-") == 0;
}

static bool is_directory(const char *path)
{
	struct stat st;

	return path[0] &&
	       (path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)));
}

int outfile_check(const struct outfile_wish *w, const struct command *c, bool several, bool json)
{
	if (w->output && !*w->output)
		return report_usage(c, "the name of the file is empty");
	if (several && w->output && !is_directory(w->output) && !outname_tells_apart(w->output))
		return report_usage(c,
				    "with --all, give a directory (DIR/) or a name with %%p in it");
	if (!is_stdout(w))
		return EXIT_DONE;
	if (json)
		return report_usage(c, "standard output cannot take the recording and JSON");
	if (isatty(STDOUT_FILENO))
		return report_usage(c, "a recording is not for a terminal; redirect the output");
	return EXIT_DONE;
}

/* Ending by a signal --------------------------------------------------------------------------- */

static const int ending_signals[] = { SIGHUP, SIGINT, SIGTERM };

/* What to remove then; "" if nothing. One at a time. */
static const char *volatile to_remove = "";

static void on_end(int signal)
{
	if (*to_remove)
		unlink(to_remove);
	/* Once more, with the default action, when this handler returns. */
	raise(signal);
}

static void remove_at_end(const char *path)
{
	struct sigaction action = { .sa_handler = on_end, .sa_flags = (int)SA_RESETHAND }, before;

	to_remove = path;
	/* A limit on the size of files is an error of write(), and no reason to die. */
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(*ending_signals); i++) {
		/* A signal that the caller has us ignore stays so, as nohup wants it. */
		if (sigaction(ending_signals[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_DFL)
			sigaction(ending_signals[i], &action, NULL);
	}
}

/* Making the file ------------------------------------------------------------------------------ */

static int fail(const char *what, const char *path, const char *why)
{
	fprintf(stderr, "jfrec: %s %s: %s\n", what, path, why);
	return EXIT_FAILED;
}

static const char *where(const struct outfile *o)
{
	return o->to_stdout ? "standard output" : o->path;
}

int outfile_fail(const struct outfile *o)
{
	return fail("cannot write", where(o), strerror(o->error ? o->error : EIO));
}

/* The full name, from what was wished for. */
static int make_path(struct outfile *o, const struct outfile_wish *w, const struct jfrec_jvm *jvm)
{
	const struct compression *how = find_compression(w->compress);
	const char *output = w->output ? w->output : "./", *why;
	bool slash = output[strlen(output) - 1] == '/';
	char pattern[OUTNAME_MAX];
	int len;

	if (is_directory(output))
		len = snprintf(pattern, sizeof(pattern), "%s%s%s%s", w->output ? output : "",
			       slash ? "" : "/", DEFAULT_NAME, how ? how->suffix : "");
	else
		len = snprintf(pattern, sizeof(pattern), "%s", output);
	why = len < OUTNAME_MAX ? outname_expand(pattern, jvm, o->path) : "the name is too long";
	return why ? fail("cannot write", output, why) : EXIT_DONE;
}

/* What must not be replaced, or cannot. */
static int check_target(const struct outfile *o)
{
	struct stat st;

	if (lstat(o->path, &st) < 0)
		return errno == ENOENT ? EXIT_DONE : fail("cannot write", o->path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return fail("cannot write", o->path, "it is a directory");
	if (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
		return fail("cannot write", o->path, "it is no file; use -o - and redirect that");
	return o->force ? EXIT_DONE
			: fail("cannot write", o->path, "it exists; --force replaces it");
}

/* ".NAME.jfrec-XXXXXXXX", with the permissions that a new file has. */
static int make_temp(struct outfile *o)
{
	const char *slash = strrchr(o->path, '/'), *name = slash ? slash + 1 : o->path;
	uint32_t random;

	do {
		if (getrandom(&random, sizeof(random), 0) != (ssize_t)sizeof(random))
			return fail("cannot write", o->path, strerror(errno));
		if (snprintf(o->temp, sizeof(o->temp), "%.*s.%.200s.jfrec-%08" PRIx32,
			     (int)(name - o->path), o->path, name, random) >= OUTNAME_MAX)
			return fail("cannot write", o->path, strerror(ENAMETOOLONG));
		o->fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	} while (o->fd < 0 && errno == EEXIST);
	if (o->fd >= 0) {
		remove_at_end(o->temp);
		return EXIT_DONE;
	}
	o->temp[0] = '\0';
	return fail("cannot write", o->path, strerror(errno));
}

/* The last station before the file. */
static int write_plain(void *ctx, const void *data, size_t len)
{
	struct outfile *o = ctx;
	const char *at = data;

	while (len) {
		ssize_t n = write(o->fd, at, len);

		if (n < 0 && errno != EINTR)
			return errno;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		}
	}
	return 0;
}

static int add_compression(struct outfile *o, const struct outfile_wish *w)
{
	const struct compression *how = find_compression(w->compress);

	if (!how && !o->to_stdout)
		how = find_suffix(o->path);
	if (!how)
		return EXIT_DONE;
	o->compressor = how->make(write_plain, o);
	return o->compressor ? EXIT_DONE : fail("cannot write", where(o), strerror(ENOMEM));
}

int outfile_open(struct outfile *o, const struct outfile_wish *w, const struct jfrec_jvm *jvm)
{
	int status;

	*o = (struct outfile){ .path = "-", .force = w->force, .fd = STDOUT_FILENO };
	o->to_stdout = is_stdout(w);
	status = o->to_stdout ? EXIT_DONE : make_path(o, w, jvm);
	if (status == EXIT_DONE && !o->to_stdout)
		status = check_target(o);
	if (status == EXIT_DONE && !o->to_stdout)
		status = make_temp(o);
	if (status == EXIT_DONE)
		status = add_compression(o, w);
	if (status != EXIT_DONE)
		outfile_close(o);
	return status;
}

int outfile_check_room(const struct outfile *o, uint64_t size)
{
	struct statvfs fs;
	uint64_t room;
	char why[100];

	if (o->to_stdout || o->compressor || fstatvfs(o->fd, &fs) < 0)
		return EXIT_DONE;
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room >= size)
		return EXIT_DONE;
	snprintf(why, sizeof(why), "it needs %.1f MB, and %.1f MB are free", (double)size / 1e6,
		 (double)room / 1e6);
	return fail("cannot write", o->path, why);
}

int outfile_write(void *ctx, const void *data, size_t len)
{
	struct outfile *o = ctx;

	o->error = o->compressor ? o->compressor->write(o->compressor, data, len)
				 : write_plain(o, data, len);
	return o->error;
}

/* The end -------------------------------------------------------------------------------------- */

/* An existing file is replaced only by --force, also if it has come meanwhile. */
static int take_name(const struct outfile *o)
{
	if (o->force)
		return rename(o->temp, o->path) < 0 ? errno : 0;
	if (renameat2(AT_FDCWD, o->temp, AT_FDCWD, o->path, RENAME_NOREPLACE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return errno;
	/* A file system without that. */
	if (link(o->temp, o->path) < 0)
		return errno;
	unlink(o->temp);
	return 0;
}

/* So that the name survives a power failure, too; not all file systems can. */
static void sync_directory(const char *path)
{
	char name[OUTNAME_MAX];
	const char *slash = strrchr(path, '/');
	int fd;

	snprintf(name, sizeof(name), "%.*s", slash ? (int)(slash - path + 1) : 1,
		 slash ? path : ".");
	fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int finish_file(struct outfile *o)
{
	int fd = o->fd, error = fsync(fd) < 0 ? errno : 0;

	o->fd = -1;
	if (close(fd) < 0 && !error)
		error = errno;
	if (!error)
		error = take_name(o);
	if (error)
		return error;
	to_remove = "";
	o->temp[0] = '\0';
	sync_directory(o->path);
	return 0;
}

int outfile_commit(struct outfile *o)
{
	o->error = o->compressor ? o->compressor->end(o->compressor) : 0;
	if (!o->error && !o->to_stdout)
		o->error = finish_file(o);
	return o->error ? outfile_fail(o) : EXIT_DONE;
}

void outfile_close(struct outfile *o)
{
	if (o->compressor)
		o->compressor->free(o->compressor);
	if (!o->to_stdout && o->fd >= 0 && o->fd != STDOUT_FILENO)
		close(o->fd);
	if (o->temp[0])
		unlink(o->temp);
	to_remove = "";
	o->temp[0] = '\0';
	o->compressor = NULL;
	o->fd = -1;
}
