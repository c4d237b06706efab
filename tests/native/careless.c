/* SPDX-License-Identifier: MIT */
/*
 * careless.c - programs that close, limit or delete what the recorder keeps: theirs stays theirs
 *
 * usage: careless DIRECTORY [TEST]
 *
 * Each test is a process of its own, which must end by itself.  Those that need root skip without it.
 */
#include <dirent.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../unit/test.h"
#include "jfrec-recorder.h"

#define TICK(F) F(LONG, number, "Number", PLAIN) F(STRING, text, "Text", PLAIN)
JFREC_EVENT(tick, "careless.Tick", "Tick", "Careless", TICK)

#define NUMBERS 1024
#define DATA	"what a program wrote"

static const char *directory;
static char dump[512], repository[512];

/* Helpers -------------------------------------------------------------------------------------- */

static struct jfrec_recorder_stats stats(void)
{
	struct jfrec_recorder_stats s = { .struct_size = sizeof(s) };

	jfrec_recorder_count(&s);
	return s;
}

static void start(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .max_chunk = 100000, .no_attach = true };
	struct jfrec_recorder_error err;

	if (jfrec_recorder_start(&o, &err)) {
		printf("# %s\n", err.text);
		exit(1);
	}
	snprintf(repository, sizeof(repository), "%s", stats().repository);
	snprintf(dump, sizeof(dump), "%s/careless.jfr", directory);
	unlink(dump);
}

static void emit(long count)
{
	for (long i = 0; i < count; i++)
		tick_emit(i, "a text that fills the chunk, so that another one is begun soon");
}

static int flush(void)
{
	struct jfrec_recorder_error err = { 0 };
	int ret = jfrec_recorder_flush(&err);

	if (ret)
		printf("# %s\n", err.text);
	return ret;
}

/* All that was made is written. */
static void all_written(long made)
{
	struct jfrec_recorder_stats s;

	CHECK_INT(flush(), 0);
	s = stats();
	printf("# %ld made, %ld written, %ld lost, %ld chunks %s\n", made, (long)s.written, (long)s.lost,
	       (long)s.chunks, s.trouble);
	CHECK_INT((int64_t)s.written, made);
	CHECK_INT((int64_t)s.lost, 0);
}

/* How often a text is in the file, each event having its own. */
static long count_in(const char *path)
{
	static char all[8 << 20];
	const char *text = "so that another one is begun soon";
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, all, sizeof(all));
	long count = 0;

	for (char *at = all, *found; n > 0 && (found = memmem(at, (size_t)(all + n - at), text, strlen(text)));
	     at = found + 1)
		count++;
	close(fd);
	return count;
}

static void dump_has(long events)
{
	struct jfrec_recorder_error err = { 0 };

	CHECK_INT(jfrec_recorder_dump(dump, &err), 0);
	if (err.text[0])
		printf("# %s\n", err.text);
	CHECK_INT(count_in(dump), events);
}

static void remove_repository(void)
{
	DIR *d = opendir(repository);
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlinkat(dirfd(d), e->d_name, 0);
	CHECK(d && closedir(d) == 0);
	CHECK_INT(rmdir(repository), 0);
}

/* As daemons do; then each number, whoever had it, is one of the program's file. */
static void close_all(const char *own)
{
	int fd;

	for (int i = 3; i < NUMBERS; i++)
		close(i);
	if (!own)
		return;
	fd = open(own, O_RDWR | O_CREAT | O_TRUNC, 0600);
	CHECK(write(fd, DATA, sizeof(DATA)) == sizeof(DATA));
	for (int i = fd + 1; i < NUMBERS; i++)
		CHECK(dup2(fd, i) == i);
}

static bool is_untouched(const char *own)
{
	char data[100] = "";
	int fd = open(own, O_RDONLY);
	bool is = pread(3, data, sizeof(data), 0) == sizeof(DATA) && !memcmp(data, DATA, sizeof(DATA));

	close(fd);
	/* Nothing of ours was opened in its place, or closed. */
	for (int i = 3; i < NUMBERS; i++)
		is &= fcntl(i, F_GETFD) == 0;
	return is;
}

/* Tests ---------------------------------------------------------------------------------------- */

static void limit_numbers(void)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = NUMBERS + 200;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void all_numbers_are_closed(void)
{
	limit_numbers();
	start();
	emit(100);
	CHECK_INT(flush(), 0);
	close_all(NULL);
	emit(5000);
	all_written(5100);
	dump_has(5100);
}

static void all_numbers_are_reused(void)
{
	char own[512];

	snprintf(own, sizeof(own), "%s/careless.data", directory);
	limit_numbers();
	start();
	emit(100);
	CHECK_INT(flush(), 0);
	close_all(own);
	emit(5000);
	all_written(5100);
	CHECK(is_untouched(own));
	dump_has(5100);
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
	CHECK(is_untouched(own));
}

static void the_repository_is_removed(void)
{
	start();
	emit(100);
	CHECK_INT(flush(), 0);
	remove_repository();
	emit(5000);
	all_written(5100);
	CHECK(strstr(stats().trouble, "removed") != NULL);
	emit(5000);
	dump_has(10100);
	emit(10);
	all_written(10110);
	dump_has(10110);
}

/* Events stay in memory, and then are lost; both is told. */
static void the_repository_is_closed_and_removed(void)
{
	struct jfrec_recorder_stats s;

	start();
	emit(100);
	CHECK_INT(flush(), 0);
	remove_repository();
	close_all(NULL);
	emit(300000);
	CHECK_INT(flush(), -1);
	s = stats();
	CHECK(strstr(s.trouble, "removed") != NULL);
	CHECK_INT((int64_t)s.written, 100);
	CHECK(s.lost > 0 && s.lost < 300000);
	CHECK(s.failed_flushes > 0);
}

static void files_have_a_limit(void)
{
	struct rlimit limit = { 200000, RLIM_INFINITY };

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = 200000;
	CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
	start();
	emit(100);
	all_written(100);
	limit.rlim_cur = 20000;
	CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
	emit(1000);
	CHECK_INT(flush(), -1);
	CHECK(stats().trouble[0] != '\0');
	limit.rlim_cur = 200000;
	CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
	all_written(1100);
}

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	handled += number == SIGXFSZ;
}

/* A signal that the program made itself arrives. */
static void its_own_signals_arrive(void)
{
	sigset_t one;

	signal(SIGXFSZ, on_signal);
	sigemptyset(&one);
	sigaddset(&one, SIGXFSZ);
	start();
	sigprocmask(SIG_BLOCK, &one, NULL);
	raise(SIGXFSZ);
	emit(100);
	all_written(100);
	CHECK_INT(handled, 0);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	CHECK_INT(handled, 1);
}

/* The recorder's thread looks once a second whether one is due. */
static void wait_for_the_next_chunk(void)
{
	for (int i = 0; i < 40; i++) {
		if (stats().chunks > 1 || stats().trouble[0])
			break;
		usleep(100000);
	}
}

static void root_is_given_up(void)
{
	start();
	emit(100);
	CHECK_INT(flush(), 0);
	CHECK(setgid(65534) == 0 && setuid(65534) == 0);
	emit(5000);
	CHECK_INT(flush(), 0);
	wait_for_the_next_chunk();
	emit(5000);
	all_written(10100);
	CHECK(strstr(stats().trouble, "Permission denied") != NULL);
	snprintf(dump, sizeof(dump), "/tmp/careless-%d.jfr", (int)getpid());
	dump_has(10100);
	emit(10);
	all_written(10110);
	dump_has(10110);
	unlink(dump);
}

static bool is_in_memory(pid_t pid)
{
	DIR *d = opendir("/dev/shm");
	char start_of[64];
	struct dirent *e;
	bool is = false;

	snprintf(start_of, sizeof(start_of), "jfrec-recorder-%d-", (int)pid);
	while (d && (e = readdir(d)))
		is |= !strncmp(e->d_name, start_of, strlen(start_of));
	if (d)
		closedir(d);
	return is;
}

/* A process that gave up root cannot delete what it made as root; the next one of root's does. */
static void what_root_left_is_removed(void)
{
	char *left = mmap(NULL, sizeof(repository), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = -1;
	pid_t child = fork();

	if (child == 0) {
		start();
		emit(100);
		memcpy(left, repository, sizeof(repository));
		exit(setgid(65534) || setuid(65534));
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	CHECK(access(left, F_OK) == 0 && is_in_memory(child));
	start();
	/* Its thread does, soon. */
	for (int i = 0; i < 3000 && (access(left, F_OK) == 0 || is_in_memory(child)); i++)
		usleep(10000);
	CHECK(access(left, F_OK) < 0 && !is_in_memory(child));
	CHECK_INT(jfrec_recorder_stop(NULL), 0);
}

static atomic_bool is_over;

static void *start_and_stop(void *unused)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .no_attach = true };

	(void)unused;
	while (!atomic_load(&is_over)) {
		jfrec_recorder_start(&o, NULL);
		jfrec_recorder_stop(NULL);
	}
	return NULL;
}

static int look(struct dl_phdr_info *info, size_t size, void *count)
{
	(void)info;
	(void)size;
	++*(int *)count;
	return 0;
}

/* Both take a lock of libc that nobody gives back in a child, if another thread had it. */
static int use_locks(void)
{
	time_t now = time(NULL);
	struct tm tm;
	int count = 0;

	alarm(60);
	dl_iterate_phdr(look, &count);
	return !count || !localtime_r(&now, &tm);
}

__attribute__((unused)) static void children_find_no_lock_taken(void)
{
	int status = 0, bad = 0;
	pthread_t thread;
	pid_t child;

	CHECK(pthread_create(&thread, NULL, start_and_stop, NULL) == 0);
	for (int i = 0; i < 2000 && !bad; i++) {
		child = fork();
		if (child == 0)
			_exit(use_locks());
		bad = waitpid(child, &status, 0) != child || status;
	}
	CHECK_INT(status, 0);
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
}

/* A stop whose file cannot be written says where the recording is, or that it is nowhere. */
static void what_is_kept_is_told(void)
{
	struct jfrec_recorder_options o = { .struct_size = sizeof(o), .repository = directory,
					    .filename = "/proc/careless.jfr", .no_attach = true };
	struct jfrec_recorder_error err = { 0 };

	for (int removed = 0; removed < 2; removed++) {
		CHECK_INT(jfrec_recorder_start(&o, &err), 0);
		snprintf(repository, sizeof(repository), "%s", stats().repository);
		emit(1);
		CHECK_INT(flush(), 0);
		if (removed)
			remove_repository();
		CHECK_INT(jfrec_recorder_stop(&err), -1);
		printf("# %s\n", err.text);
		CHECK(strstr(err.text, removed ? "was removed" : "is kept in") != NULL);
		if (!removed)
			remove_repository();
	}
}

__attribute__((unused)) static void the_root_is_another(void)
{
	char jail[512];

	snprintf(jail, sizeof(jail), "%s/jail", directory);
	mkdir(jail, 0700);
	start();
	emit(100);
	CHECK_INT(flush(), 0);
	CHECK(chroot(jail) == 0 && chdir("/") == 0);
	emit(5000);
	CHECK_INT(flush(), 0);
	wait_for_the_next_chunk();
	emit(500);
	all_written(5600);
	CHECK(stats().chunks > 1);
	snprintf(dump, sizeof(dump), "/careless.jfr");
	dump_has(5600);
}

/* A connection to this process as tools make it: is it answered? */
static bool answers(void)
{
	static const char request[] = "1\0jcmd\0VM.version\0\0";
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char reply[100];
	bool is;

	snprintf(to.sun_path, sizeof(to.sun_path), "/tmp/.java_pid%d", (int)getpid());
	is = connect(fd, (struct sockaddr *)&to, sizeof(to)) == 0 &&
	     write(fd, request, sizeof(request)) == sizeof(request) && read(fd, reply, sizeof(reply)) > 0;
	close(fd);
	return is;
}

/* Each number is the same listening socket of the program. */
static int listen_everywhere(struct sockaddr_un *at)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	*at = (struct sockaddr_un){ .sun_family = AF_UNIX };
	snprintf(at->sun_path + 1, sizeof(at->sun_path) - 1, "careless-%d", (int)getpid());
	CHECK(bind(fd, (struct sockaddr *)at, sizeof(*at)) == 0 && listen(fd, 50) == 0);
	for (int i = fd + 1; i < NUMBERS; i++)
		CHECK(dup2(fd, i) == i);
	return fd;
}

/* Does the recorder's thread wait, and not just want to run?  Else it opens what is closed at once. */
static bool listener_sleeps(void)
{
	DIR *d = opendir("/proc/self/task");
	char path[300], line[100] = "";
	bool sleeps = false;
	struct dirent *e;

	while (d && (e = readdir(d))) {
		int fd;

		snprintf(path, sizeof(path), "/proc/self/task/%s/stat", e->d_name);
		fd = open(path, O_RDONLY);
		if (fd >= 0 && read(fd, line, sizeof(line) - 1) > 0)
			sleeps |= strstr(line, "(Attach Listener) S") != NULL;
		close(fd);
	}
	closedir(d);
	return sleeps;
}

static void wait_until_it_sleeps(void)
{
	for (int i = 0; i < 20; i++, usleep(10000))
		if (!listener_sleeps())
			i = 0;
}

/* What wakes the listener: a client, the signal of one, and that time passes. */
static void disturb(void)
{
	char trigger[64];
	int fd;

	answers();
	snprintf(trigger, sizeof(trigger), "/tmp/.attach_pid%d", (int)getpid());
	fd = open(trigger, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	close(fd);
	raise(SIGQUIT);
	unlink(trigger);
}

static void its_clients_are_its_own(void)
{
	struct jfrec_recorder_error err = { 0 };
	struct sockaddr_un at;
	int fd, client, wanted = 40, taken = 0;

	limit_numbers();
	CHECK_INT(jfrec_recorder_attach(&err), 0);
	for (int i = 0; i < 50 && !answers(); i++)
		usleep(100000);
	wait_until_it_sleeps();
	close_all(NULL);
	fd = listen_everywhere(&at);
	CHECK_INT(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	disturb();
	for (int i = 0; i < wanted; i++) {
		client = socket(AF_UNIX, SOCK_STREAM, 0);
		CHECK(client >= NUMBERS);
		CHECK(connect(client, (struct sockaddr *)&at, sizeof(at)) == 0);
		usleep(1000);
		/* An abstract name: nobody else waits for it. */
		taken += accept(fd, NULL, NULL) >= 0;
	}
	CHECK_INT(taken, wanted);
	for (int i = fd; i < NUMBERS; i++)
		CHECK_INT(fcntl(i, F_GETFD) < 0 ? i : 0, 0);
	/* It listens again, soon. */
	for (int i = 0; i < 150 && !answers(); i++)
		usleep(100000);
	CHECK(answers());
}

static const struct {
	const char *name;
	void (*run)(void);
	bool needs_root;
} tests[] = {
	{ "all_numbers_are_closed", all_numbers_are_closed, false },
	{ "all_numbers_are_reused", all_numbers_are_reused, false },
	{ "the_repository_is_removed", the_repository_is_removed, false },
	{ "the_repository_is_closed_and_removed", the_repository_is_closed_and_removed, false },
	{ "its_clients_are_its_own", its_clients_are_its_own, false },
	{ "files_have_a_limit", files_have_a_limit, false },
	{ "what_is_kept_is_told", what_is_kept_is_told, false },
	{ "its_own_signals_arrive", its_own_signals_arrive, false },
#ifndef __SANITIZE_ADDRESS__ /* its own fork() takes the lock of modules */
	{ "children_find_no_lock_taken", children_find_no_lock_taken, false },
#endif
	{ "root_is_given_up", root_is_given_up, true },
	{ "what_root_left_is_removed", what_root_left_is_removed, true },
#ifndef __SANITIZE_ADDRESS__ /* it looks for leaks at the end, in /proc */
	{ "the_root_is_another", the_root_is_another, true },
#endif
};

static bool run_apart(void (*run)(void))
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (child == 0) {
		run();
		fflush(stdout);
		exit(test.bad);
	}
	if (waitpid(child, &status, 0) != child || status)
		printf("# status %x\n", (unsigned)status);
	return status == 0;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	directory = argv[1];
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++) {
		if (argc > 2 && strcmp(argv[2], tests[i].name))
			continue;
		test_begin(tests[i].name);
		if (tests[i].needs_root && geteuid())
			printf("# not run: it needs root\n");
		else
			CHECK(run_apart(tests[i].run));
	}
	return test_end();
}
