/* SPDX-License-Identifier: MIT */
/*
 * known_texts.h - know events whose texts were all looked at and stay as they are
 *
 * Of a million events most repeat a few texts.  What such an event has is compared where it lies:
 * nothing is decoded, copied or looked up in a map.
 *
 * A text is known by its bytes in the recording, by the rules that look at it, and by the event's
 * field `key`, `name` or the like, which rules may ask about.  It is known within its chunk only:
 * a key of a constant means another text in the next one.
 */
#ifndef JFREC_SCRUB_KNOWN_TEXTS_H
#define JFREC_SCRUB_KNOWN_TEXTS_H

#include "format/walk.h"
#include "scrub/rule_paths.h"

/* What lies in an event, as far as texts matter: up to one of them, and it. */
struct text_scan_step {
	/* First this many varints, and then bytes, that are no text. */
	uint16_t varints, bytes;
	bool is_text;	  /* then comes one, and */
	uint16_t context; /* which rules look at it */
	uint16_t step;	  /* of the plan */
	/* The last text here that was known, and its chunk: most often it is the next one, too. */
	const uint8_t *last;
	size_t last_len;
	uint64_t last_chunk; /* 0: none */
};

struct text_scan {
	struct text_scan_step *steps;
	unsigned count;
	bool cannot;   /* events of the type have more than such texts */
	bool has_name; /* and what a text is depends on another one */
};

/* Rules that look at a text.  Few differ, however many fields there are. */
#define MAX_CONTEXTS 64

struct known_text {
	const uint8_t *bytes, *name;
	uint16_t len, name_len, context;
	uint64_t chunk;
};

/* All zero knows nothing. */
struct known_texts {
	struct known_text *all; /* by their hashes; what comes later takes the place */
	rule_set contexts[MAX_CONTEXTS];
	unsigned context_count;
};

/* The event, the paths of its chunk's types, and the chunk with its number. */
struct known_place {
	struct rule_paths *paths;
	const struct jfrec_type *type;
	const struct raw_event *raw;
	const uint8_t *chunk_end;
	uint64_t chunk;
};

/* Does the event have only texts that are known, and end where its last field does? */
bool known_texts_are_all(struct known_texts *k, const struct known_place *at);

/* The event was looked at, and all of it stays as it is. */
void known_texts_learn(struct known_texts *k, const struct known_place *at);

void known_texts_fini(struct known_texts *k);

#endif
