/* SPDX-License-Identifier: MIT */
/*
 * named_classes.h - say which classes that filters of methods name are not there
 */
#ifndef JFREC_CLI_JVM_NAMED_CLASSES_H
#define JFREC_CLI_JVM_NAMED_CLASSES_H

#include "opts/jfr_opts.h"

/* Longer names are not looked for. */
#define NAMED_CLASS_MAX 256

/* A class that filters name. */
struct named_class {
	char name[NAMED_CLASS_MAX];
	bool is_loaded;
	char near[NAMED_CLASS_MAX]; /* a loaded one that may have been meant; "": none */
	uint32_t distance;
};

struct named_classes {
	struct named_class items[16];
	size_t count;
	char line[1024]; /* of the JVM's reply, as far as it has come */
	size_t len;
};

/* Note the classes that filters name, "com.acme.Shop::pay;@Timed". */
void named_classes_take(struct named_classes *c, const char *filters);

/* Look for them in the next bytes of what VM.class_hierarchy prints.  A jfrec_write_fn; 0. */
int named_classes_look(void *ctx, const void *bytes, size_t len);

/*
 * Ask the JVM for its classes if a filter that is --set names some, and say which of them it has
 * not loaded.  That is not a failure: they may be loaded later.  Methods cannot be checked.
 */
void named_classes_say(struct jfrec_session *session, const struct jfrec_jvm *jvm,
		       const struct jfr_opts *a);

#endif
