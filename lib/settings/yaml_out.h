/* SPDX-License-Identifier: MIT */
/*
 * yaml_out.h - write YAML
 *
 * Maps and lists begin and end; in a map, keys and values take turns.  A failure is kept, and
 * returned at the end.
 */
#ifndef JFREC_SETTINGS_YAML_OUT_H
#define JFREC_SETTINGS_YAML_OUT_H

#include "base/buffer.h"
#include "jfrec.h"

struct yaml_out;

/* Block: an entry on a line; flow: {all, on, one}. */
enum yaml_style { YAML_BLOCK, YAML_FLOW };

/* Begin a document.  The buffer outlives it.  NULL with *err set. */
struct yaml_out *yaml_out_new(struct buffer *b, struct jfrec_error *err);

void yaml_out_map(struct yaml_out *o, enum yaml_style style);
void yaml_out_list(struct yaml_out *o, enum yaml_style style);
void yaml_out_end_map(struct yaml_out *o);
void yaml_out_end_list(struct yaml_out *o);
void yaml_out_text(struct yaml_out *o, const char *text);

/* A key and its value; nothing at all if that is NULL. */
void yaml_out_pair(struct yaml_out *o, const char *key, const char *value);

/* End the document and free it.  0, or -1 with *err set. */
int yaml_out_finish(struct yaml_out *o, struct jfrec_error *err);

#endif
