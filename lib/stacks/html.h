/* SPDX-License-Identifier: MIT */
/*
 * html.h - flame graphs as a part of a page
 */
#ifndef JFREC_STACKS_HTML_H
#define JFREC_STACKS_HTML_H

#include "stacks/stacks.h"

/*
 * The elements and the data of all profiles that have samples. Of their times, where they are
 * packed, at most so many spans are kept. 0, or -1 when memory is gone.
 */
int html_put_graphs(struct jfrec_stacks *s, uint32_t spans, struct out *out);

/* What the page that has them needs. Part i of the script, all of which are one; NULL: no more. */
const char *html_style(void);
const char *html_script(size_t i);

#endif
