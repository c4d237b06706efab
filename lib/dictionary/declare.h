/* SPDX-License-Identifier: MIT */
/*
 * declare.h - build the event types of a JDK version from the dictionary
 */
#ifndef JFREC_DICTIONARY_DECLARE_H
#define JFREC_DICTIONARY_DECLARE_H

#include "dictionary/nodes.h"
#include "format/metadata.h"

/*
 * jdk: the bit of one.  Returns a reference to be given back with metadata_unref(), or
 * NULL with *err set.  The types are those nodes that this JDK has, in their order.
 */
struct metadata *declare_types(const struct nodes *all, uint32_t jdk, struct jfrec_error *err);

#endif
