/* SPDX-License-Identifier: MIT */
/*
 * jfrec.h - read and write JDK Flight Recorder recordings without a JVM
 *
 * The whole public interface of libjfrec, in parts by subject; programs include this header, or
 * those parts that they need.  Link with `pkg-config --cflags --libs libjfrec`.
 *
 * A recording is a sequence of chunks.  Each chunk is self-contained: it declares its event types
 * and holds the constants (threads, classes, stack traces) that its events refer to.  So types,
 * fields and values belong to a chunk, and live as long as it is the reader's current one.
 *
 * The library never prints, exits, or looks at arguments or the environment.  A call that fails
 * returns -1 or NULL and fills struct jfrec_error.  What a function returns to be freed has a
 * function for that, which does nothing for NULL.
 *
 * Lists.  The length of a list is X_count(), and X_get() returns number i of it, from 0: a pointer
 * that belongs to the list, NULL beyond the last.  Where what is listed is no more than a name and
 * some properties, a function for each takes the number instead: X_name(), X_value().
 *
 * Results.  What a function found or did is a struct that it returns, to be freed with the _free()
 * of its name, or with jfrec_free() if it has none; NULL: it failed.  Its members are numbers and
 * texts; lists in it have functions.  Only single numbers are returned through pointers.
 *
 * Options.  What a caller may choose is in a struct that begins with its size: see
 * struct_size in jfrec/base.h.
 *
 * Threads.  There is no global state that callers have to protect.  An object (a reader, a session,
 * a stream, an output, settings) may be used by one thread at a time, and by different threads one
 * after the other; different objects may be used at the same time.  Only the _stop() functions may
 * be called while another thread, or the thread that a signal interrupted, uses the object.  A
 * dictionary whose selection no thread changes, settings that no thread changes or lists, and views
 * may be read by several threads.  The library starts threads only where jfrec_reader_set_jobs()
 * asks for them.
 *
 * Processes.  jfrec_session_open() and what looks at other users' JVMs fork() without exec(): the
 * child takes on the user, group and namespaces of the JVM, opens files or talks to the JVM for the
 * caller, and ends when the object is closed or this process ends.  It closes all other descriptors
 * at once.  In a program with threads it uses malloc(), which glibc allows after fork() and not
 * every other C library does.  The library waits for the child by its pid: a program that reaps
 * children which it did not start should leave these alone.  After a fork() of the program, only
 * the process that opened an object may use it.
 *
 * Files that change.  Finished chunks of a file are mapped.  If another program cuts the file short
 * meanwhile, touching them kills this process by SIGBUS; where that can happen, set
 * jfrec_open_options.without_mapping, or catch the signal.  Chunks that a JVM still writes are
 * never mapped.
 *
 * Examples.  docs/examples has a short program for each part.
 *
 * What is stable.  What these headers have, and nothing else: libjfrec.so exports no more.  Before
 * 1.0 any function may still change, which CHANGELOG.md tells.  From 1.0 on they will not.  Now
 * already: numbers of enumerators stay; structs that begin with struct_size, and those to which the
 * library returns a pointer, may get more members at their end; those that a program passes
 * without it, and those that are returned by value (struct jfrec_value, jfrec_cell), keep their
 * size.
 */
#ifndef JFREC_H
#define JFREC_H

#include "jfrec/analyze.h"
#include "jfrec/arrow.h"
#include "jfrec/base.h"
#include "jfrec/chunk.h"
#include "jfrec/dictionary.h"
#include "jfrec/edit.h"
#include "jfrec/event.h"
#include "jfrec/export.h"
#include "jfrec/host.h"
#include "jfrec/jfr.h"
#include "jfrec/jvm.h"
#include "jfrec/metrics.h"
#include "jfrec/output.h"
#include "jfrec/print.h"
#include "jfrec/profile.h"
#include "jfrec/query.h"
#include "jfrec/reader.h"
#include "jfrec/report.h"
#include "jfrec/repository.h"
#include "jfrec/scrub.h"
#include "jfrec/session.h"
#include "jfrec/settings.h"
#include "jfrec/sql.h"
#include "jfrec/stacks.h"
#include "jfrec/stream.h"
#include "jfrec/summary.h"
#include "jfrec/symbols.h"
#include "jfrec/tables.h"
#include "jfrec/writer.h"

#endif
