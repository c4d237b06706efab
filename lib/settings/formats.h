/* SPDX-License-Identifier: MIT */
/*
 * formats.h - readers and writers of the two formats of settings
 */
#ifndef JFREC_SETTINGS_FORMATS_H
#define JFREC_SETTINGS_FORMATS_H

#include "base/buffer.h"
#include "settings/element.h"

/*
 * Read a file from memory, which is UTF-8, into a tree of the arena.  NULL with *err set:
 * JFREC_EFORMAT for what is not XML or YAML at all, JFREC_EINVAL for what is not a settings file,
 * both with line and column; JFREC_EUNSUPPORTED if libxml2 is not there; JFREC_ENOMEM.
 */
struct element *jfc_read(struct arena *a, const char *bytes, size_t len, struct jfrec_error *err);
struct element *settings_from_yaml(struct arena *a, const char *bytes, size_t len,
				   struct jfrec_error *err);

/* Write as `jfr configure` does.  Whether memory sufficed is in b->failed. */
void jfc_write(struct buffer *b, const struct element *root);

/* 0, or -1 with *err set (JFREC_ENOMEM). */
int settings_to_yaml(struct buffer *b, const struct element *root, struct jfrec_error *err);

#endif
