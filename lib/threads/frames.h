/* SPDX-License-Identifier: MIT */
/*
 * frames.h - what the frames of a thread dump say
 */
#ifndef JFREC_THREADS_FRAMES_H
#define JFREC_THREADS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>

#define METHOD_MAX 512

/*
 * "org.shop.Orders.load" of "app.server//org.shop.Orders.load(Orders.java:23)", cut short where it is
 * longer.  Returns its length; 0: it is no frame.
 */
size_t frame_method(char to[static METHOD_MAX], const char *frame);

/* The same with the line, "org.shop.Orders.load:23", where there is one. */
size_t frame_place(char to[static METHOD_MAX], const char *frame);

/* Is it the method of the application, neither the JDK's nor a library's? */
bool is_app_frame(const char *frame);

/* Does one of the frames begin with one of these methods?  The list ends with NULL. */
bool has_frame_of(const char *const *frames, size_t count, const char *const *methods);

#endif
