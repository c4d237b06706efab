/* SPDX-License-Identifier: MIT */
/*
 * parse.h - what is read of JVMs and for them, each kind by the functions that parse it
 *
 * None looks at what comes out, except that it lies where it must.
 */
#ifndef JFREC_PARSE_H
#define JFREC_PARSE_H

#include <stddef.h>
#include <stdint.h>

/* Performance data. */
void parse_hsperf(const uint8_t *bytes, size_t len);

/* Files of /proc/PID and of JDKs, the same bytes being taken for each of them. */
void parse_proc(const uint8_t *bytes, size_t len);

/*
 * A directory that a hostile user fills: entries of any kind, name and content.  The same bytes are
 * taken for what the kernel says of descriptors, and for the list of groups.
 */
void parse_repository(const uint8_t *bytes, size_t len);

/* What a JVM answers to commands of Flight Recorder. */
void parse_reply(const uint8_t *bytes, size_t len);

/* A text of each kind that a snapshot has, without its secrets. */
void parse_reports(const uint8_t *bytes, size_t len);

/* Views in a file; and the same bytes as one query. */
void parse_views(const uint8_t *bytes, size_t len);

/* Values that users give to such commands. */
void parse_option(const uint8_t *bytes, size_t len);

/* Bytes of the attach protocol: as a reply, and as what is to be sent. */
void parse_wire(const uint8_t *bytes, size_t len);

/* Settings, as .jfc and as YAML: what was read is changed, checked, and written in both forms. */
void parse_jfc(const uint8_t *bytes, size_t len);
void parse_settings(const uint8_t *bytes, size_t len);
/* The configuration and the state of jfrec collect. */
void parse_collect(const uint8_t *bytes, size_t len);
void parse_state(const uint8_t *bytes, size_t len);

/* A heap dump that a JVM wrote. */
void parse_heap(const uint8_t *bytes, size_t len);

/*
 * The memory that a killed recorder left: changes to one that has only its layout.  Each has the part
 * (header, threads, slots, texts, types, large buffers, buffers), an offset of 2 bytes, a length of
 * one, and the bytes.
 */
void parse_crash(const uint8_t *bytes, size_t len);

/* A chunk of version 0.x: what becomes of it is a chunk of 2.1 in which nothing is damaged. */
void parse_old(const uint8_t *bytes, size_t len);

/* A recording that was sent as text: its chunk lacks no more afterwards than its header says. */
void parse_mangled(const uint8_t *bytes, size_t len);

/*
 * An archive, or what is compressed or base64: of its files at least the beginning is read, and as a
 * recording it is read to its end.
 */
void parse_archive(const uint8_t *bytes, size_t len);

/* A thread dump, as names of threads; and the same bytes as keys of a terminal. */
void parse_dump(const uint8_t *bytes, size_t len);

/* What a client asks of the server of metrics, as a whole and in pieces. */
void parse_http(const uint8_t *bytes, size_t len);

#endif
