/* SPDX-License-Identifier: MIT */
/*
 * waiter.c - waits in known ways, and knows nothing of the recorder
 *
 * usage: waiter FILE [alone]
 *
 * Each wait takes 60 ms or more.  Prints the ports of the connection and "done", after it has also
 * read before main(), written in a signal handler, forked, ended a waiting thread by cancelling it,
 * and used a wrapper of its own.  Alone it does not fork once it has threads: emulators cannot.
 */
#undef _FILE_OFFSET_BITS /* pwrite() is pwrite() */
#undef _FORTIFY_SOURCE
#include <arpa/inet.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int listener, is_ready, wrapped;
static volatile int kept;

static void pause_for(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) && errno == EINTR)
		;
}

/* Before main(), and before the wrappers' own constructors perhaps. */
__attribute__((constructor)) static void early(void)
{
	char byte;
	int fd = open("/dev/null", O_RDONLY);

	if (read(fd, &byte, 1) != 0)
		_exit(10);
	close(fd);
}

/* As a program has that wraps for itself. */
ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
	ssize_t (*next)(int, const void *, size_t, off_t) =
		(ssize_t(*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite");

	wrapped++;
	return next(fd, from, size, at);
}

static void *answer(void *unused)
{
	char text[16];
	int fd = accept(listener, NULL, NULL);

	if (read(fd, text, sizeof(text)) != 5)
		_exit(11);
	pause_for(60);
	if (send(fd, "answer", 6, 0) != 6)
		_exit(12);
	close(fd);
	return unused;
}

NOINLINE static void wait_for_answer(int fd)
{
	char text[16];

	if (recv(fd, text, sizeof(text), 0) != 6 || read(fd, text, sizeof(text)) != 0)
		_exit(13);
	kept++;
}

static void talk(void)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof(a);
	pthread_t server;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&a, size) || listen(listener, 1) ||
	    getsockname(listener, (struct sockaddr *)&a, &size) || pthread_create(&server, NULL, answer, NULL) ||
	    connect(fd, (struct sockaddr *)&a, size) || write(fd, "hello", 5) != 5)
		_exit(14);
	printf("%d\n", ntohs(a.sin_port));
	wait_for_answer(fd);
	close(fd);
	pthread_join(server, NULL);
	close(listener);
}

static void *unlock_file(void *fd)
{
	pause_for(60);
	flock(*(int *)fd, LOCK_UN);
	return NULL;
}

/* No wrapper knows of this call, and it is so short that it saves no registers. */
NOINLINE static void wait_for_file(int fd)
{
	if (flock(fd, LOCK_EX))
		_exit(22);
	kept++;
}

static int wait_like_a_child(void *unused)
{
	struct timespec t = { 0, 60000000 };

	(void)unused;
	syscall(SYS_nanosleep, &t, NULL);
	return 0;
}

/* As posix_spawn() waits, until the child runs another program. */
NOINLINE static void wait_for_child(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	int status;
	pid_t child = clone(wait_like_a_child, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);

	if (child < 0 || waitpid(child, &status, 0) != child || status)
		_exit(24);
	kept++;
}

static void share(const char *path)
{
	int held = open(path, O_RDWR | O_CREAT, 0600), fd = open(path, O_RDWR);
	pthread_t holder;

	if (flock(held, LOCK_EX) || pthread_create(&holder, NULL, unlock_file, &held))
		_exit(23);
	wait_for_file(fd);
	pthread_join(holder, NULL);
	close(fd);
	close(held);
}

static void *hold(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_rwlock_wrlock(&rwlock);
	__atomic_store_n(&is_ready, 1, __ATOMIC_RELEASE);
	pause_for(60);
	pthread_mutex_unlock(&mutex);
	pause_for(60);
	pthread_rwlock_unlock(&rwlock);
	pause_for(60);
	pthread_mutex_lock(&other);
	is_ready = 2;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&other);
	pause_for(60);
	sem_post(&semaphore);
	pause_for(60);
	return unused;
}

NOINLINE static void wait_for_lock(void)
{
	pthread_mutex_lock(&mutex);
	kept++;
}

static void lock(void)
{
	pthread_t holder;

	sem_init(&semaphore, 0, 0);
	if (pthread_create(&holder, NULL, hold, NULL))
		_exit(15);
	while (!__atomic_load_n(&is_ready, __ATOMIC_ACQUIRE))
		pause_for(1);
	wait_for_lock();
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_rdlock(&rwlock);
	pthread_rwlock_unlock(&rwlock);
	pthread_mutex_lock(&other);
	while (is_ready != 2)
		pthread_cond_wait(&condition, &other);
	pthread_mutex_unlock(&other);
	sem_wait(&semaphore);
	pthread_join(holder, NULL);
}

static void files(const char *path)
{
	char text[6];
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	errno = ENOTTY;
	if (write(fd, "text\n", 5) != 5 || pwrite(fd, "T", 1, 0) != 1 || fsync(fd) || fdatasync(fd) ||
	    pread(fd, text, 5, 0) != 5 || memcmp(text, "Text\n", 5) || errno != ENOTTY)
		_exit(16);
	close(fd);
	if (write(fd, "x", 1) != -1 || errno != EBADF)
		_exit(17);
}

static void on_signal(int number)
{
	int saved = errno;

	(void)number;
	if (write(1, "signal\n", 7) != 7)
		_exit(18);
	errno = saved;
}

static void unlock(void *m)
{
	pthread_mutex_unlock(m);
}

static void *wait_for_ever(void *unused)
{
	pthread_mutex_lock(&other);
	pthread_cleanup_push(unlock, &other);
	for (;;)
		pthread_cond_wait(&condition, &other);
	pthread_cleanup_pop(1);
	return unused;
}

static void cancel(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, wait_for_ever, NULL))
		_exit(19);
	pause_for(10);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	if (pthread_mutex_trylock(&other))
		_exit(20);
	pthread_mutex_unlock(&other);
}

static void split(const char *path)
{
	pid_t child = fork();
	int status = 1;

	if (child == 0) {
		files(path);
		lock();
		_exit(0);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		_exit(21);
}

int main(int argc, char **argv)
{
	char child[1024];

	if (argc < 2)
		return 2;
	setvbuf(stdout, NULL, _IONBF, 0);
	snprintf(child, sizeof(child), "%.900s.child", argv[1]);
	signal(SIGUSR1, on_signal);
	talk();
	share(argv[1]);
	wait_for_child();
	lock();
	files(argv[1]);
	raise(SIGUSR1);
	is_ready = 0;
	if (argc == 2)
		split(child);
	cancel();
	if (wrapped != 1)
		printf("its own wrapper was called %d times\n", wrapped);
	puts("done");
	return 0;
}
