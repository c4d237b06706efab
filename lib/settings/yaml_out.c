/* SPDX-License-Identifier: MIT */
/*
 * yaml_out.c - write YAML
 */
#include "settings/yaml_out.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/error.h"

struct yaml_out {
	yaml_emitter_t emitter;
	bool failed;
};

static int append(void *ctx, unsigned char *data, size_t len)
{
	struct buffer *b = ctx;

	buffer_put(b, data, len);
	return !b->failed;
}

/* The emitter takes the event with it, also when it fails. */
static void emit(struct yaml_out *o, yaml_event_t *event, int made)
{
	if (o->failed || !made || !yaml_emitter_emit(&o->emitter, event))
		o->failed = true;
}

static void begin(struct yaml_out *o)
{
	yaml_event_t e;

	emit(o, &e, yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING));
	emit(o, &e, yaml_document_start_event_initialize(&e, NULL, NULL, NULL, 1));
}

struct yaml_out *yaml_out_new(struct buffer *b, struct jfrec_error *err)
{
	struct yaml_out *o = calloc(1, sizeof(*o));

	if (!o || !yaml_emitter_initialize(&o->emitter)) {
		free(o);
		jfrec_fail_memory(err);
		return NULL;
	}
	yaml_emitter_set_output(&o->emitter, append, b);
	yaml_emitter_set_unicode(&o->emitter, 1);
	yaml_emitter_set_width(&o->emitter, -1);
	begin(o);
	return o;
}

void yaml_out_map(struct yaml_out *o, enum yaml_style style)
{
	yaml_event_t e;

	emit(o, &e,
	     yaml_mapping_start_event_initialize(&e, NULL, NULL, 1,
						 style == YAML_FLOW ? YAML_FLOW_MAPPING_STYLE
								    : YAML_BLOCK_MAPPING_STYLE));
}

void yaml_out_list(struct yaml_out *o, enum yaml_style style)
{
	yaml_event_t e;

	emit(o, &e,
	     yaml_sequence_start_event_initialize(&e, NULL, NULL, 1,
						  style == YAML_FLOW ? YAML_FLOW_SEQUENCE_STYLE
								     : YAML_BLOCK_SEQUENCE_STYLE));
}

void yaml_out_end_map(struct yaml_out *o)
{
	yaml_event_t e;

	emit(o, &e, yaml_mapping_end_event_initialize(&e));
}

void yaml_out_end_list(struct yaml_out *o)
{
	yaml_event_t e;

	emit(o, &e, yaml_sequence_end_event_initialize(&e));
}

void yaml_out_text(struct yaml_out *o, const char *text)
{
	yaml_event_t e;

	emit(o, &e,
	     yaml_scalar_event_initialize(&e, NULL, NULL, (const yaml_char_t *)text,
					  (int)strlen(text), 1, 1, YAML_ANY_SCALAR_STYLE));
}

void yaml_out_pair(struct yaml_out *o, const char *key, const char *value)
{
	if (!value)
		return;
	yaml_out_text(o, key);
	yaml_out_text(o, value);
}

int yaml_out_finish(struct yaml_out *o, struct jfrec_error *err)
{
	yaml_event_t e;
	bool failed;

	emit(o, &e, yaml_document_end_event_initialize(&e, 1));
	emit(o, &e, yaml_stream_end_event_initialize(&e));
	failed = o->failed;
	yaml_emitter_delete(&o->emitter);
	free(o);
	/* It writes to memory, and what is written is well-formed: only that can fail. */
	return failed ? jfrec_fail_memory(err) : 0;
}
