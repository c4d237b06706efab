/* SPDX-License-Identifier: MIT */
/*
 * member.c - open a file in an archive as an input
 */
#include <stdlib.h>

#include "base/error.h"
#include "input/archive_parts.h"
#include "input/stream.h"

static const struct packer {
	const char *name;
	struct decoder *(*make)(void); /* NULL: built without it */
} packers[] = {
	[PACKED_DEFLATE] = { "deflate", inflate_new },
	[PACKED_BZIP2] = { "bzip2", bzip2_new },
	[PACKED_ZSTD] = { "zstd", zstd_new },
	[PACKED_XZ] = { "xz", xz_new },
};

void member_ref(const struct member *m)
{
	if (m->of)
		atomic_fetch_add(&m->of->refs, 1);
}

static void archive_unref(struct archive *a)
{
	if (atomic_fetch_sub(&a->refs, 1) != 1)
		return;
	input_close(&a->base);
	kept_fini(&a->aside);
	free(a);
}

void member_unref(struct member *m)
{
	if (m->of)
		archive_unref(m->of);
	*m = (struct member){ 0 };
}

int member_archive_fd(const struct member *m)
{
	return m->of->base.fd;
}

static struct input_part part_of_kept(const struct kept *k, uint64_t offset, uint64_t len)
{
	struct input_part part = { .fd = -1, .len = len };

	if (!kept_place(k, offset, &part.fd, &part.start))
		part = (struct input_part){ .fd = -1,
					    .memory = k->bytes + (offset - k->at),
					    .len = len };
	return part;
}

static struct input_part part_of(const struct member *m)
{
	const struct input *base = &m->of->base;

	if (m->is_aside)
		return part_of_kept(&m->of->aside, m->offset, m->len);
	if (base->stream)
		return part_of_kept(&base->kept, m->offset, m->len);
	if (base->memory)
		return (struct input_part){ .fd = -1,
					    .memory = base->memory + m->offset,
					    .len = m->len };
	return (struct input_part){ .fd = base->fd,
				    .start = base->start + m->offset,
				    .len = m->len };
}

int member_open(struct input *in, const struct member *m, const struct waiting *waiting,
		struct jfrec_error *err)
{
	const struct packer *p = &packers[m->packing];
	struct input_part part = part_of(m);
	struct decoder *d = p->make ? p->make() : NULL;

	*in = (struct input){ .fd = -1 };
	if (p->name && !p->make)
		return jfrec_fail(err, JFREC_EUNSUPPORTED, JFREC_NO_OFFSET,
				  "is packed with %s, for which this jfrec was built without "
				  "support; unpack it first",
				  p->name);
	if (p->make && !d)
		return jfrec_fail_memory(err);
	return input_open_part(in, &part, d, &m->promise, waiting, err);
}
