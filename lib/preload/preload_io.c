/* SPDX-License-Identifier: MIT */
/*
 * preload_io.c - wrappers of what reads and writes descriptors
 *
 * A call that had no effect is not an event: one that would have had to wait.  stdio
 * reads and writes by calls inside of libc, which cannot be seen from here.
 */
#undef _FILE_OFFSET_BITS /* pread() and pread64() are two functions */
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "preload/preload.h"
#include "recorder/jfrec-recorder.h"

#define USUAL_THRESHOLD_NS 20000000u

#define SOCKET_READ(F)                                   \
	F(STRING, host, "Remote Host", PLAIN)            \
	F(STRING, address, "Remote Address", PLAIN)      \
	F(INT, port, "Remote Port", PLAIN)               \
	F(LONG, timeout, "Timeout Value", MILLISECONDS)  \
	F(LONG, bytesRead, "Bytes Read", BYTES)          \
	F(BOOL, endOfStream, "End of Stream", PLAIN)
#define SOCKET_WRITE(F)                             \
	F(STRING, host, "Remote Host", PLAIN)       \
	F(STRING, address, "Remote Address", PLAIN) \
	F(INT, port, "Remote Port", PLAIN)          \
	F(LONG, bytesWritten, "Bytes Written", BYTES)
#define FILE_READ(F)                            \
	F(STRING, path, "Path", PLAIN)          \
	F(LONG, bytesRead, "Bytes Read", BYTES) \
	F(BOOL, endOfFile, "End of File", PLAIN)
#define FILE_WRITE(F)                  \
	F(STRING, path, "Path", PLAIN) \
	F(LONG, bytesWritten, "Bytes Written", BYTES)
#define FILE_FORCE(F)                  \
	F(STRING, path, "Path", PLAIN) \
	F(BOOL, metaData, "Update Metadata", PLAIN)

JFREC_STACK_SPAN_EVENT(socket_read, "jdk.SocketRead", "Socket Read", "Java Application", SOCKET_READ)
JFREC_STACK_SPAN_EVENT(socket_write, "jdk.SocketWrite", "Socket Write", "Java Application", SOCKET_WRITE)
JFREC_STACK_SPAN_EVENT(file_read, "jdk.FileRead", "File Read", "Java Application", FILE_READ)
JFREC_STACK_SPAN_EVENT(file_write, "jdk.FileWrite", "File Write", "Java Application", FILE_WRITE)
JFREC_STACK_SPAN_EVENT(file_force, "jdk.FileForce", "File Force", "Java Application", FILE_FORCE)

/* Before those that register the types. */
__attribute__((constructor(101))) static void set_thresholds(void)
{
	socket_read_type.threshold_ns = socket_write_type.threshold_ns = USUAL_THRESHOLD_NS;
	file_read_type.threshold_ns = file_write_type.threshold_ns = USUAL_THRESHOLD_NS;
	file_force_type.threshold_ns = USUAL_THRESHOLD_NS;
}

/* Events --------------------------------------------------------------------------------------- */

static inline uint64_t reading(void)
{
	return socket_read_enabled() || file_read_enabled() ? jfrec_recorder_now() : 0;
}

static inline uint64_t writing(void)
{
	return socket_write_enabled() || file_write_enabled() ? jfrec_recorder_now() : 0;
}

static bool was_nothing(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EBADF);
}

static const char *address_of(const struct description *d)
{
	return d->kind == DESCRIBED_UNIX ? "Unix domain socket" : d->text;
}

static void did_read(uint64_t begin, const struct description *d, ssize_t n)
{
	if (d->kind == DESCRIBED_FILE)
		file_read_end(begin, d->text, n > 0 ? n : 0, n == 0);
	else if (d->kind != DESCRIBED_NOTHING)
		socket_read_end(begin, d->text, address_of(d), d->port, 0, n > 0 ? n : 0, n == 0);
}

static void did_write(uint64_t begin, const struct description *d, ssize_t n)
{
	if (d->kind == DESCRIBED_FILE)
		file_write_end(begin, d->text, n > 0 ? n : 0);
	else if (d->kind != DESCRIBED_NOTHING)
		socket_write_end(begin, d->text, address_of(d), d->port, n > 0 ? n : 0);
}

typedef void did(uint64_t begin, const struct description *d, ssize_t n);

static bool is_due(did *what, uint64_t duration)
{
	return what == did_read ? socket_read_is_due(duration) || file_read_is_due(duration)
				: socket_write_is_due(duration) || file_write_is_due(duration);
}

/* Nearly all are too short, and not worth finding out of what they are. */
static bool is_long(did *what, uint64_t begin)
{
	return is_due(what, 0) || is_due(what, jfrec_recorder_now() - begin);
}

static ssize_t tell(int fd, uint64_t begin, ssize_t n, did *what)
{
	struct description d NOT_CLEARED;
	int saved = errno;

	if (!begin || was_nothing(n) || !is_long(what, begin))
		return n;
	descriptor_describe(fd, begin, &d);
	what(begin, &d, n);
	errno = saved;
	return n;
}

/* a: the message's own address, of a socket that has no peer. */
static ssize_t tell_message(int fd, uint64_t begin, ssize_t n, did *what, const struct sockaddr *a,
			    socklen_t size)
{
	struct description d NOT_CLEARED;
	int saved = errno;

	if (!a || !size)
		return tell(fd, begin, n, what);
	if (!begin || was_nothing(n) || !is_long(what, begin))
		return n;
	descriptor_describe_address(a, size, &d);
	what(begin, &d, n);
	errno = saved;
	return n;
}

#define READING(fd, call)                                \
	__extension__({                                  \
		uint64_t begin_ = reading();             \
		ssize_t n_ = 0;                          \
		JFREC_BLOCKING                           \
			n_ = call;                       \
		tell(fd, begin_, n_, did_read);          \
	})
#define WRITING(fd, call)                                \
	__extension__({                                  \
		uint64_t begin_ = writing();             \
		ssize_t n_ = 0;                          \
		JFREC_BLOCKING                           \
			n_ = call;                       \
		tell(fd, begin_, n_, did_write);         \
	})

/* Reading -------------------------------------------------------------------------------------- */

EXPORT ssize_t read(int fd, void *to, size_t size)
{
	return READING(fd, REAL(read)(fd, to, size));
}

EXPORT ssize_t pread(int fd, void *to, size_t size, off_t at)
{
	return READING(fd, REAL(pread)(fd, to, size, at));
}

EXPORT ssize_t readv(int fd, const struct iovec *to, int count)
{
	return READING(fd, REAL(readv)(fd, to, count));
}

EXPORT ssize_t preadv(int fd, const struct iovec *to, int count, off_t at)
{
	return READING(fd, REAL(preadv)(fd, to, count, at));
}

EXPORT ssize_t recv(int fd, void *to, size_t size, int flags)
{
	return READING(fd, REAL(recv)(fd, to, size, flags));
}

EXPORT ssize_t recvfrom(int fd, void *restrict to, size_t size, int flags,
			struct sockaddr *restrict from, socklen_t *restrict from_size)
{
	uint64_t begin = reading();
	ssize_t n = 0;

	JFREC_BLOCKING
		n = REAL(recvfrom)(fd, to, size, flags, from, from_size);
	return tell_message(fd, begin, n, did_read, n >= 0 ? from : NULL,
			    from && from_size ? *from_size : 0);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *m, int flags)
{
	uint64_t begin = reading();
	ssize_t n = 0;

	JFREC_BLOCKING
		n = REAL(recvmsg)(fd, m, flags);
	return tell_message(fd, begin, n, did_read, n >= 0 ? m->msg_name : NULL,
			    n >= 0 ? m->msg_namelen : 0);
}

/* Writing -------------------------------------------------------------------------------------- */

EXPORT ssize_t write(int fd, const void *from, size_t size)
{
	return WRITING(fd, REAL(write)(fd, from, size));
}

EXPORT ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
	return WRITING(fd, REAL(pwrite)(fd, from, size, at));
}

EXPORT ssize_t writev(int fd, const struct iovec *from, int count)
{
	return WRITING(fd, REAL(writev)(fd, from, count));
}

EXPORT ssize_t pwritev(int fd, const struct iovec *from, int count, off_t at)
{
	return WRITING(fd, REAL(pwritev)(fd, from, count, at));
}

EXPORT ssize_t send(int fd, const void *from, size_t size, int flags)
{
	return WRITING(fd, REAL(send)(fd, from, size, flags));
}

EXPORT ssize_t sendto(int fd, const void *from, size_t size, int flags, const struct sockaddr *to,
		      socklen_t to_size)
{
	uint64_t begin = writing();
	ssize_t n = 0;

	JFREC_BLOCKING
		n = REAL(sendto)(fd, from, size, flags, to, to_size);
	return tell_message(fd, begin, n, did_write, to, to_size);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
	uint64_t begin = writing();
	ssize_t n = 0;

	JFREC_BLOCKING
		n = REAL(sendmsg)(fd, m, flags);
	return tell_message(fd, begin, n, did_write, begin ? m->msg_name : NULL,
			    begin ? m->msg_namelen : 0);
}

EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t size)
{
	return WRITING(to, REAL(sendfile)(to, from, at, size));
}

static int tell_force(int fd, uint64_t begin, int ret, bool with_metadata)
{
	struct description d NOT_CLEARED;
	int saved = errno;

	if (!begin || (ret && errno == EBADF))
		return ret;
	descriptor_describe(fd, begin, &d);
	if (d.kind == DESCRIBED_FILE)
		file_force_end(begin, d.text, with_metadata);
	errno = saved;
	return ret;
}

EXPORT int fsync(int fd)
{
	uint64_t begin = file_force_begin();
	int ret = 0;

	JFREC_BLOCKING
		ret = REAL(fsync)(fd);
	return tell_force(fd, begin, ret, true);
}

EXPORT int fdatasync(int fd)
{
	uint64_t begin = file_force_begin();
	int ret = 0;

	JFREC_BLOCKING
		ret = REAL(fdatasync)(fd);
	return tell_force(fd, begin, ret, false);
}

/* Under names that headers make of the above --------------------------------------------------- */

#ifdef __GLIBC__
ssize_t __read_chk(int fd, void *to, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *restrict to, size_t size, size_t room, int flags,
		       struct sockaddr *restrict from, socklen_t *restrict from_size);

EXPORT ssize_t __read_chk(int fd, void *to, size_t size, size_t room)
{
	return READING(fd, REAL(__read_chk)(fd, to, size, room));
}

EXPORT ssize_t __pread_chk(int fd, void *to, size_t size, off_t at, size_t room)
{
	return READING(fd, REAL(__pread_chk)(fd, to, size, at, room));
}

EXPORT ssize_t __pread64_chk(int fd, void *to, size_t size, off64_t at, size_t room)
{
	return READING(fd, REAL(__pread64_chk)(fd, to, size, at, room));
}

EXPORT ssize_t __recv_chk(int fd, void *to, size_t size, size_t room, int flags)
{
	return READING(fd, REAL(__recv_chk)(fd, to, size, room, flags));
}

EXPORT ssize_t __recvfrom_chk(int fd, void *restrict to, size_t size, size_t room, int flags,
			      struct sockaddr *restrict from, socklen_t *restrict from_size)
{
	uint64_t begin = reading();
	ssize_t n = 0;

	JFREC_BLOCKING
		n = REAL(__recvfrom_chk)(fd, to, size, room, flags, from, from_size);
	return tell_message(fd, begin, n, did_read, n >= 0 ? from : NULL,
			    from && from_size ? *from_size : 0);
}

EXPORT ssize_t pread64(int fd, void *to, size_t size, off64_t at)
{
	return READING(fd, REAL(pread64)(fd, to, size, at));
}

EXPORT ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at)
{
	return WRITING(fd, REAL(pwrite64)(fd, from, size, at));
}

EXPORT ssize_t preadv64(int fd, const struct iovec *to, int count, off64_t at)
{
	return READING(fd, REAL(preadv64)(fd, to, count, at));
}

EXPORT ssize_t pwritev64(int fd, const struct iovec *from, int count, off64_t at)
{
	return WRITING(fd, REAL(pwritev64)(fd, from, count, at));
}

EXPORT ssize_t sendfile64(int to, int from, off64_t *at, size_t size)
{
	return WRITING(to, REAL(sendfile64)(to, from, at, size));
}
#endif

/* Descriptors that become others --------------------------------------------------------------- */

EXPORT int close(int fd)
{
	descriptor_forget(fd);
	return REAL(close)(fd);
}

EXPORT int fclose(FILE *f)
{
	int fd = fileno_unlocked(f);

	if (fd >= 0)
		descriptor_forget(fd);
	return REAL(fclose)(f);
}

EXPORT int dup2(int from, int to)
{
	descriptor_forget(to);
	return REAL(dup2)(from, to);
}

EXPORT int dup3(int from, int to, int flags)
{
	descriptor_forget(to);
	return REAL(dup3)(from, to, flags);
}

#ifdef __GLIBC__
EXPORT int close_range(unsigned from, unsigned to, int flags)
{
	descriptor_forget_range(from, to);
	return REAL(close_range)(from, to, flags);
}

EXPORT void closefrom(int from)
{
	descriptor_forget_range(from < 0 ? 0 : (unsigned)from, ~0u);
	REAL(closefrom)(from);
}
#endif

EXPORT int connect(int fd, const struct sockaddr *to, socklen_t size)
{
	int ret = 0;

	descriptor_forget(fd);
	JFREC_BLOCKING
		ret = REAL(connect)(fd, to, size);
	return ret;
}
