/* SPDX-License-Identifier: MIT */
/*
 * jfrec.h - read and write JDK Flight Recorder recordings without a JVM
 *
 * The whole public interface of libjfrec.  The library never prints, exits, or
 * looks at arguments or the environment.  It keeps no global state: different
 * readers may be used from different threads, one reader from one at a time.
 *
 * A recording is a row of chunks.  Each chunk explains itself: it declares its
 * event types and holds the constants (threads, classes, stack traces) that
 * its events refer to.  So types, fields and values belong to a chunk, and
 * live as long as it is the reader's current one.
 *
 * Link with `pkg-config --cflags --libs libjfrec`.
 */
#ifndef JFREC_H
#define JFREC_H

#include "jfrec/base.h"
#include "jfrec/collect.h"
#include "jfrec/cost.h"
#include "jfrec/dictionary.h"
#include "jfrec/doctor.h"
#include "jfrec/edit.h"
#include "jfrec/event.h"
#include "jfrec/heap.h"
#include "jfrec/jfr.h"
#include "jfrec/jvm.h"
#include "jfrec/metrics.h"
#include "jfrec/outname.h"
#include "jfrec/output.h"
#include "jfrec/print.h"
#include "jfrec/profile.h"
#include "jfrec/query.h"
#include "jfrec/reader.h"
#include "jfrec/repository.h"
#include "jfrec/scrub.h"
#include "jfrec/session.h"
#include "jfrec/settings.h"
#include "jfrec/stacks.h"
#include "jfrec/stream.h"
#include "jfrec/summary.h"
#include "jfrec/text.h"
#include "jfrec/time.h"
#include "jfrec/writer.h"
#include "jfrec/yaml.h"

#endif
