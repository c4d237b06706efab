/* SPDX-License-Identifier: MIT */
/* jfrec/print.h - printing events and their types */
#ifndef JFREC_PRINT_H
#define JFREC_PRINT_H

#include "jfrec/reader.h"

JFREC_BEGIN_DECLS

enum jfrec_format {
	JFREC_TEXT = 0,	  /* as `jfr print` of JDK 25 */
	JFREC_EXACT = 1,  /* as `jfr print --exact` */
	JFREC_JSON = 2,	  /* as `jfr print --json` */
	JFREC_XML = 3,	  /* as `jfr print --xml` */
	JFREC_COUNT = 4,  /* only the number of events, and a line feed */
	JFREC_NDJSON = 5, /* a JSON object on a line for each event: jfrec-ndjson(5) */
	JFREC_CSV = 6,	  /* a table of one event type: RFC 4180 */
	JFREC_TSV = 7,	  /* the same, tabs between and \t, \n, \r, \\ in cells */
};

/* What a format is and can do: struct jfrec_format_info.can, and which options it supports. */
enum {
	JFREC_FORMAT_TEXT = 1 << 0,	/* to be read by people */
	JFREC_FORMAT_DOCUMENT = 1 << 1, /* all events are one document, with an end */
	JFREC_FORMAT_ONE_TYPE = 1 << 2, /* a table: events of one type only, and always flat */
	JFREC_FORMAT_STREAM = 1 << 3,	/* of use for events as they come: `jfrec stream` */
	JFREC_FORMAT_TAG = 1 << 4,	/* each event is an object on a line */
	JFREC_FORMAT_FIELDS = 1 << 5,	/* jfrec_print_options.fields */
	JFREC_FORMAT_STACKS = 1 << 6,	/* .stacks: JFREC_STACKS_STRING and _NONE */
	JFREC_FORMAT_STACK_OBJECTS = 1 << 7, /* .stacks: JFREC_STACKS_FRAMES and _ID, too */
	JFREC_FORMAT_FLAT = 1 << 8,	/* .flat */
	JFREC_FORMAT_RAW_TICKS = 1 << 9, /* .raw_ticks */
	JFREC_FORMAT_FORMULAS = 1 << 10, /* .escape_formulas */
};

/* An output format; static. */
struct jfrec_format_info {
	enum jfrec_format format;
	const char *name;    /* as on a command line: "ndjson" */
	const char *title;   /* as in a sentence: "NDJSON" */
	const char *summary; /* in a few words: "print a line of JSON for each event" */
	unsigned can;	     /* JFREC_FORMAT_*, added up */
};

/* How many formats there are. */
size_t jfrec_formats_count(void);

/* Format number i, in the order in which tools list them; NULL beyond the last. */
const struct jfrec_format_info *jfrec_formats_get(size_t i);

/* The format of that name, or NULL: there is none. */
const struct jfrec_format_info *jfrec_format_named(const char *name);

/* How the last three show stack traces. */
enum jfrec_stack_form {
	JFREC_STACKS_DEFAULT = 0, /* NDJSON: as objects, CSV and TSV: as strings */
	JFREC_STACKS_FRAMES = 1,  /* as objects with an array of frames; NDJSON only */
	JFREC_STACKS_STRING = 2,  /* as strings, the methods from the top separated by semicolons */
	JFREC_STACKS_ID = 3,	  /* as numbers, explained by lines of their own; NDJSON only */
	JFREC_STACKS_NONE = 4,	  /* not at all */
};

enum jfrec_order {
	JFREC_AS_JDK = 0,  /* JSON and XML by end time within each chunk, text as JFREC_BY_TIME */
	JFREC_BY_TIME = 1, /* by end time over all chunks, in a window of a million events */
	JFREC_BY_FILE = 2, /* as they lie in the recording */
};

struct jfrec_print_options {
	size_t struct_size;
	enum jfrec_format format;
	unsigned stack_depth; /* frames shown of a stack trace; the JDK's default is 5 */
	/*
	 * Bytes that texts of constants kept for their next use may take;
	 * 0: the default of 32 MiB.  Never changes the output, only its speed.
	 */
	size_t memory;
	enum jfrec_order order;
	/* Only events that touch this span, in ns since 1970; NULL: no bound. */
	const int64_t *from_ns, *to_ns;
	uint64_t limit; /* events to print at most; 0: all */
	/* Whose zone times are shown in; NULL: the recording's. */
	jfrec_zone_fn *zone;
	void *zone_ctx;
	/* For NDJSON, CSV and TSV; all zero or NULL for other formats. */
	enum jfrec_stack_form stacks;
	bool flat;	    /* NDJSON: one object with dotted keys, as are the columns of CSV */
	bool raw_ticks;	    /* NDJSON: ticks as recorded, and a line for each chunk; not by time */
	const char *fields; /* columns to print, separated by commas; NULL: all */
	bool escape_formulas; /* CSV and TSV: ' before texts that spreadsheets would run */
	uint64_t *printed;  /* set to the number of events that were printed or counted; NULL: no */
	/*
	 * Instead of an order: only events with a value at this dotted path, such as "duration",
	 * those with the largest first, or the smallest; equal ones as they lie in the recording.
	 * There must be a limit; memory grows with it.  NULL: no.
	 */
	const char *by_field;
	bool by_field_ascending;
};

/*
 * Print the rest of the recording.
 *
 * Returns 0, or -1 with *err set: JFREC_EOUTPUT if write failed, JFREC_ENOMEM,
 * JFREC_EIO, or JFREC_EINVAL if the options do not go together, or not with the
 * recording: a table of several types, a field that no type has.  Damage is reported as problems
 * (jfrec_reader_on_problem) and is not an error; the
 * document is well-formed in any case.  The reader can then only be closed.
 */
int jfrec_print(struct jfrec_reader *r, const struct jfrec_print_options *options,
		jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/* Prints single events, such as those of a stream. */
struct jfrec_printer;

/*
 * Make a printer for events of that reader.  Of the options only .format, .stack_depth, .zone and
 * those for NDJSON, CSV and TSV count; not JFREC_COUNT.  options->memory: 0 is 4 MiB here.  All
 * that options point to must outlive the printer.
 *
 * Returns it, to be freed with jfrec_printer_free() before the reader is closed, or NULL with *err
 * set: JFREC_EINVAL if the options do not go together, JFREC_ENOMEM.
 */
struct jfrec_printer *jfrec_printer_new(struct jfrec_reader *r,
					const struct jfrec_print_options *options,
					jfrec_write_fn *write, void *ctx, struct jfrec_error *err);

/*
 * Print an event as jfrec_print() does.  Text is kept until jfrec_printer_flush() is called, or
 * there are 256 KiB.  0, or -1 with *err set as by jfrec_print().
 */
int jfrec_printer_event(struct jfrec_printer *p, const struct jfrec_event *ev,
			struct jfrec_error *err);

/* Hand all text so far to write. 0, or -1 with *err set. */
int jfrec_printer_flush(struct jfrec_printer *p, struct jfrec_error *err);

/* End the document (JSON, XML), and flush. 0, or -1 with *err set. */
int jfrec_printer_end(struct jfrec_printer *p, struct jfrec_error *err);

/* Free the printer; text that was not flushed is lost. */
void jfrec_printer_free(struct jfrec_printer *p);

/*
 * Print the event types of the recording, or all types if nothing was
 * selected, as `jfr metadata` of JDK 25.  Otherwise as jfrec_print().
 */
int jfrec_print_metadata(struct jfrec_reader *r, jfrec_write_fn *write, void *ctx,
			 struct jfrec_error *err);

/* Print these types in the same way, in their order.  0, or -1 with *err set. */
int jfrec_print_types(const struct jfrec_types *types, jfrec_write_fn *write, void *ctx,
		      struct jfrec_error *err);

/*
 * The types of the recording in the order of `jfr metadata`: those of the first
 * chunk, and of later ones where they are new.  The list belongs to the reader
 * and lives as long as it, as do the types.  NULL with *err set on failure: as
 * jfrec_reader_next().  To be called instead of that; selects as
 * jfrec_print_metadata() does.
 */
const struct jfrec_types *jfrec_reader_types(struct jfrec_reader *r, struct jfrec_error *err);

JFREC_END_DECLS

#endif
