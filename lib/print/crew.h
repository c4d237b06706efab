/* SPDX-License-Identifier: MIT */
/*
 * crew.h - several threads render events, whose text is written in their order
 *
 *	events, in their order --render_crew_add()--> block --a thread--> its text
 *	texts, in the order of the blocks --the caller's thread--> render's output
 *
 * Chunks are read, and events are selected and ordered, by the caller's thread. It also writes, and
 * renders when the others have enough to do. So there is one chunk in memory, as with one thread,
 * and some text for each block, mostly less than 256 KB. A block of more than 1 MB waits for its
 * turn: then its text is taken as it is made.
 *
 * Whatever depends on the events before it is done by the caller's thread when their turn comes:
 * counting, reporting damage, and making the template of an event type, with which a table begins.
 */
#ifndef JFREC_PRINT_CREW_H
#define JFREC_PRINT_CREW_H

#include "print/render.h"

/*
 * As many threads as crew_jobs() of the render's source says, the caller's included; the others
 * start when there is work for them.  NULL: there is one, or no memory for more.  While there is a
 * crew, chunks may be entered and left only after render_crew_finish().
 */
struct render_crew *render_crew_new(struct render *r);

/* End the threads. Events that were added and not printed are lost. NULL is allowed. */
void render_crew_free(struct render_crew *crew);

/* Print the event at that offset of the chunk after those before. */
void render_crew_add(struct render_crew *crew, struct chunk_render *v, uint64_t offset);

/* Print all that were added, unless printing has come to its end before: is_over(). */
void render_crew_finish(struct render_crew *crew);

#endif
