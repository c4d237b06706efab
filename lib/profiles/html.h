/* SPDX-License-Identifier: MIT */
/*
 * html.h - flame graphs as a part of a page
 */
#ifndef JFREC_PROFILES_HTML_H
#define JFREC_PROFILES_HTML_H

#include "stacks/stacks.h"

/* Which graphs a page has. */
struct html_graphs {
	uint32_t spans; /* of times that are packed: at most so many */
	size_t times_room; /* bytes that the times of all profiles may take, before compression */
	/* What each side is called, where there are several; NULL: only side 0 is shown. */
	const char *const *sides;
	unsigned side_count;
};

/*
 * The elements and the data of all profiles that have samples. 0, or -1 when memory is gone.
 */
int html_put_graphs(struct jfrec_stacks *s, const struct html_graphs *graphs, struct out *out);

/*
 * What the page that has them needs. Part i of the script, all of which are one; NULL: no more.
 * The first are numbers for people, which pages without graphs need, too.
 */
const char *html_style(void);
const char *html_script(size_t i);

#endif
