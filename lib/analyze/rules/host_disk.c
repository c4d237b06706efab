/* SPDX-License-Identifier: MIT */
/*
 * host_disk.c - is a disk full to which the JVM writes?
 */
#include "analyze/host.h"
#include "analyze/rules.h"

/* With that much left, a disk is not full, whatever share of it that is. */
#define ENOUGH_LEFT (5e9)

static double used_share(const struct jfrec_host_disk *d)
{
	if (d->has_no_inodes)
		return 1;
	return d->size ? 1 - (double)d->free_bytes / (double)d->size : 0;
}

static const struct jfrec_host_disk *fullest(const struct jfrec_host_facts *h)
{
	const struct jfrec_host_disk *worst = h->disks;

	for (size_t i = 1; i < h->disk_count; i++) {
		if (used_share(&h->disks[i]) > used_share(worst))
			worst = &h->disks[i];
	}
	return worst;
}

static void judge(void *state, struct judging *j)
{
	const struct jfrec_host_facts *h = host_of(j);
	const struct jfrec_host_disk *d;

	(void)state;
	if (!h)
		return;
	if (!h->disk_count) {
		none_came(j, "The disks to which it writes cannot be seen from here");
		return;
	}
	d = fullest(h);
	judge_by(j, used_share(d));
	if ((double)d->free_bytes >= ENOUGH_LEFT && !d->has_no_inodes)
		judge_at_most(j, JFREC_SEVERITY_OK);
	if (d->has_no_inodes)
		summarize(j, "No file can be made on the disk of its %s, %s: it has no inodes left",
			  d->what, d->path);
	else
		summarize(j, "%s of %s are left on the disk of its %s, %s: %s are used %s",
			  bytes_text(j, (double)d->free_bytes), bytes_text(j, (double)d->size),
			  d->what, d->path, percent_text(j, used_share(d)), limit_text(j));
	if (!is_found(j))
		return;
	for (size_t i = 0; i < h->disk_count; i++)
		show_quantity(j, textf(j, "left for its %s", h->disks[i].what),
			      (double)h->disks[i].free_bytes, JFREC_UNIT_BYTES);
	/* df would resolve the path in our own namespace of mounts. */
	show_shell_file(j, "stat -f", textf(j, "/proc/%d/root%s", h->pid, d->path));
}

const struct rule rule_host_disk = {
	.info = {
		.id = "host-disk",
		.question = "Is a disk full to which the JVM writes?",
		.matters = "A JVM from JDK 11 on that cannot write its recording ends itself. Logs and "
			   "heap dumps are lost on a full disk.",
		.computes = "Of a JVM that runs, at the end of the recording: what is free on the disks "
			    "of its repository, its working directory and its temporary files, for "
			    "those that are not root. A disk with 5 GiB free is not full. Disks that "
			    "cannot be written to do not count.",
		.measures = "used share of the disk",
		.unit = JFREC_UNIT_PERCENT,
		.info = 0.95,
		.warning = 0.99,
		.advice = "Make room there, or move what the JVM writes: -Djava.io.tmpdir, and "
			  "`jfrec configure --repository-path` for recordings",
	},
	.curve = CURVE,
	.judge = judge,
};
