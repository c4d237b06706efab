/* SPDX-License-Identifier: MIT */
/*
 * findings.c - count what was redacted, by event type, field and rule
 */
#include "base/array.h"
#include "scrub/findings.h"

#include <stdlib.h>
#include <string.h>

/* So much of a text is shown. */
#define MAX_SAMPLE 80

static struct jfrec_redaction *add_row(struct findings *f)
{
	if (!array_reserve(f->all, f->count, f->room))
		return NULL;
	f->all[f->count] = (struct jfrec_redaction){ 0 };
	return &f->all[f->count++];
}

/* Not in the middle of a character. */
static size_t shown(const char *sample, size_t len)
{
	if (len <= MAX_SAMPLE)
		return len;
	for (len = MAX_SAMPLE; len && (sample[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

static struct jfrec_redaction *find(struct findings *f, const char *type, const char *field,
				  const char *rule)
{
	struct digest d = DIGEST_INIT;
	struct jfrec_redaction *row;
	uint64_t *at;

	digest_bytes(&d, type, strlen(type));
	digest_bytes(&d, field, strlen(field));
	digest_bytes(&d, rule, strlen(rule));
	at = digest_map_put(&f->known, d);
	if (at && *at)
		return &f->all[*at - 1];
	row = at ? add_row(f) : NULL;
	if (!row)
		return NULL;
	*at = f->count;
	row->type = strdup(type);
	row->field = strdup(field);
	row->rule = strdup(rule);
	return row->type && row->field && row->rule ? row : NULL;
}

void findings_add(struct findings *f, const char *type, const char *field, const char *rule,
		  const void *sample, size_t len)
{
	struct jfrec_redaction *row = find(f, type, field, rule);

	if (row && !row->sample)
		row->sample = strndup(sample ? sample : "", shown(sample, len));
	if (row && row->sample)
		row->count++;
	else
		f->failed = true;
}

void findings_merge(struct findings *f, const struct findings *other)
{
	f->failed |= other->failed;
	for (size_t i = 0; i < other->count; i++) {
		const struct jfrec_redaction *from = &other->all[i];
		struct jfrec_redaction *row = find(f, from->type, from->field, from->rule);

		if (row && !row->sample && from->sample)
			row->sample = strdup(from->sample);
		if (row && row->sample)
			row->count += from->count;
		else
			f->failed = true;
	}
}

static int compare(const void *a, const void *b)
{
	const struct jfrec_redaction *x = a, *y = b;
	int order = strcmp(x->type, y->type);

	if (order == 0)
		order = strcmp(x->field, y->field);
	return order ? order : strcmp(x->rule, y->rule);
}

void findings_sort(struct findings *f)
{
	if (f->count)
		qsort(f->all, f->count, sizeof(*f->all), compare);
	digest_map_clear(&f->known);
}

void findings_fini(struct findings *f)
{
	for (size_t i = 0; i < f->count; i++) {
		free((char *)f->all[i].type);
		free((char *)f->all[i].field);
		free((char *)f->all[i].rule);
		free((char *)f->all[i].sample);
	}
	free(f->all);
	digest_map_fini(&f->known);
	*f = (struct findings){ 0 };
}
