/* SPDX-License-Identifier: MIT */
/*
 * jfrec-tool.h - what only the tool jfrec needs of the library, and no program can rely on
 *
 * Neither this header nor those in jfrec/tool/ are installed, and libjfrec.so exports nothing of
 * them: names and meanings may change with any commit.  What is here is either the tool's own need
 * (words of a command line, its configuration in YAML, leases, leftovers, the chunk files that
 * collect takes), or too young to be frozen (costs, diagnoses, crashes, heaps).  A program that
 * needs it runs `jfrec settings cost --json`, `jfrec doctor --json` and so on, or asks for it to be
 * moved to jfrec.h, which takes an example in docs/examples.
 *
 * A test counts: there are at most 100 functions, and no binding uses one.
 */
#ifndef JFREC_TOOL_H
#define JFREC_TOOL_H

#include "jfrec.h"
#include "jfrec/tool/cost.h"
#include "jfrec/tool/crash.h"
#include "jfrec/tool/doctor.h"
#include "jfrec/tool/during.h"
#include "jfrec/tool/heap.h"
#include "jfrec/tool/lease.h"
#include "jfrec/tool/leftovers.h"
#include "jfrec/tool/libraries.h"
#include "jfrec/tool/load.h"
#include "jfrec/tool/output.h"
#include "jfrec/tool/outside.h"
#include "jfrec/tool/repository.h"
#include "jfrec/tool/text.h"
#include "jfrec/tool/texts.h"
#include "jfrec/tool/threads.h"
#include "jfrec/tool/time.h"
#include "jfrec/tool/trace.h"
#include "jfrec/tool/yaml.h"

#endif
