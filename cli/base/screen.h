/* SPDX-License-Identifier: MIT */
/*
 * screen.h - show text in place on a terminal, and wait for keys and signals
 */
#ifndef JFREC_CLI_BASE_SCREEN_H
#define JFREC_CLI_BASE_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * From now on SIGINT, SIGTERM, SIGHUP and changes of the terminal's size are only noted. If
 * standard output is a terminal whose cursor can be moved, and it is wanted, it is taken over until
 * screen_end(), and this returns true.
 */
bool screen_begin(bool is_wanted);

/* Give all back as it was. */
void screen_end(void);

/* In a child: its signals are as they were; the terminal is left alone. */
void screen_forget(void);

enum woken {
	WOKEN_TIME,
	WOKEN_READY,   /* the descriptor can be read, or its other end is closed */
	WOKEN_KEY,     /* screen_key() */
	WOKEN_RESIZED, /* the terminal, or it was taken over again after Ctrl-Z */
	WOKEN_SIGNAL,  /* screen_signal() */
};

/* Wait until that time of monotonic_now_ns(), for a descriptor (-1: none), a key or a signal. */
enum woken screen_wait(int fd, int64_t until_ns);

/* The signal that ends the command. */
int screen_signal(void);

/* The key that was pressed: keys.h. */
int screen_key(void);

/* How wide, and how high the terminal is; 0: not known. */
unsigned screen_columns(void);
unsigned screen_rows(void);

/*
 * Show the lines of a text, as many as there is room for, and harmless ones. Lines that are the
 * same as those before are not drawn. 0, or the error of the terminal.
 */
int screen_draw(const char *text, size_t len);

/* The same, with one of the lines, from 0 on, in inverse video; -1: none. */
int screen_draw_marked(const char *text, size_t len, int marked);

#endif
